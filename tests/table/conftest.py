"""A table of the toy game: as it is begun mostly, and as a test wishes."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.engine import Journal, Session, Wish
from companion.table.table import Table
from tests.engine.toy import GAME, PACKS

Begin = Callable[..., Table]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Begin a session with what is wished for beside seed 7; `auto` is who plays along."""
    with Journal(tmp_path) as journal, ExitStack() as sessions:

        def begun(auto: str = "", **wish: object) -> Table:
            wished = Wish(**({"seed": 7} | wish))
            return Table(sessions.enter_context(Session.create(journal, GAME, PACKS, wished)), tmp_path, auto)

        yield begun


@pytest.fixture
def table(begin: Begin) -> Table:
    return begin()
