"""A table: of the toy game as it is mostly begun, and as a test wishes."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import vision
from companion.engine import Journal, Session, Wish
from companion.engine.packs import find, merge
from companion.games import load
from companion.table.table import Table
from tests.engine.toy import GAME, PACKS
from tests.table.film import read

Begin = Callable[..., Table]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Begin a session with what is wished for beside seed 7; `auto` is who plays along.

    Of the toy game, or of the one that is named.
    """
    with Journal(tmp_path) as journal, ExitStack() as sessions:

        def begun(auto: str = "", game: str = "", **wish: object) -> Table:
            chosen, packs = GAME, PACKS
            if game:
                chosen = load(game)
                packs = merge(game, find(chosen.folder, tmp_path))
            session = Session.create(journal, chosen, packs, Wish(**({"seed": 7} | wish)))
            return Table(sessions.enter_context(session), tmp_path, auto)

        yield begun


@pytest.fixture
def table(begin: Begin) -> Table:
    return begin()


@pytest.fixture
def film_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are those of a film, and read as such."""
    monkeypatch.setattr(vision, "read", read)
