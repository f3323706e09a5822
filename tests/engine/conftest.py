from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine import Journal, Session, Wish
from tests.engine.toy import GAME, PACKS


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path) as journal:
        yield journal


@pytest.fixture
def session(journal: Journal) -> Iterator[Session]:
    with Session.create(journal, GAME, PACKS, Wish(seed=7)) as session:
        yield session
