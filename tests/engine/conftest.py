import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine import Journal, Session, Wish
from companion.engine.database import FILE
from tests.engine.toy import GAME, PACKS
from tests.longrun.play_toy import play_on


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path) as journal:
        yield journal


@pytest.fixture
def session(journal: Journal) -> Iterator[Session]:
    with Session.create(journal, GAME, PACKS, Wish(seed=7)) as session:
        yield session


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a few sessions, closed in order."""
    folder = tmp_path_factory.mktemp("played")
    for seed in range(3):
        play_on(folder, seed, lambda *_: None, 120)
    return folder


@pytest.fixture(scope="module")
def beheaded(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal whose first page is gone; everything in it can be found again."""
    folder = tmp_path_factory.mktemp("beheaded")
    (folder / FILE).write_bytes(bytes(4096) + (played / FILE).read_bytes()[4096:])
    return folder


@pytest.fixture(scope="module")
def cut_off(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal as a power cut leaves it, most of it in the write-ahead log, after 31 entries."""
    folder, cut = tmp_path_factory.mktemp("live"), tmp_path_factory.mktemp("cut")
    with Journal(folder) as journal, Session.create(journal, GAME, PACKS, Wish(seed=7)) as session:
        for _ in range(10):
            for answer in ("stones", 0, True):
                session.answer(session.n, answer)
        session.answer(session.n, "stones")
        for file in folder.glob(f"{FILE}*"):
            shutil.copy(file, cut)
    return cut
