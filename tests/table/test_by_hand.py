"""Values set by hand, one after another, of which one alone would make a table that can't be."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine import BadAnswer, BrokenTable, Journal, Session, Wish
from companion.table.table import Table
from tests.engine.toy import COUNTED, PACKS

WAITS = (
    r"^height = 4 can't be: 4 of 9 are there\. "
    r"If something else changes with it, set that too: they count together$"
)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Of a game that counts what it has in two places."""
    with Journal(tmp_path) as journal, Session.create(journal, COUNTED, PACKS, Wish(seed=7)) as session:
        table = Table(session, tmp_path)
        with pytest.raises(BrokenTable, match=WAITS):
            table.override("height", 4)
        yield table


def counts(table: Table) -> tuple[int, int]:
    """How much is on the hill, and how much in the bag."""
    state = table.session.play.state
    return state.height, state.bag.stones


def test_a_value_counts_as_soon_as_what_belongs_to_it_is_set_too(table: Table) -> None:
    table.override("bag.stones", 5)
    assert counts(table) == (4, 5)
    table.undo()
    assert counts(table) == (0, 0)


def test_what_still_does_not_fit_waits_and_is_put_right(table: Table) -> None:
    with pytest.raises(BrokenTable, match=r"^height = 4 and bag\.stones = 6 can't be: 10 of 9 are there"):
        table.override("bag.stones", 6)
    with pytest.raises(BadAnswer, match="there is no bags"):
        table.override("bags.stones", 5)
    assert counts(table) == (0, 0)
    table.override("bag.stones", 5)
    assert counts(table) == (4, 5)


def test_a_value_that_fits_by_itself_does_not_wait_for_one_that_never_fits(table: Table) -> None:
    table.override("turn", 3)
    assert table.session.play.state.turn == 3
    table.override("bag.stones", 9)
    assert counts(table) == (0, 9)


def test_a_pair_counts_though_a_value_that_never_fits_was_set_before_it(table: Table) -> None:
    with pytest.raises(BrokenTable, match=r"^height = 4 and turn = -1 can't be"):
        table.override("turn", -1)
    with pytest.raises(BrokenTable, match=r"^turn = -1 and height = 4 can't be"):
        table.override("height", 4)
    table.override("bag.stones", 5)
    assert counts(table) == (4, 5)
    assert table.session.play.state.turn != -1


def test_what_waited_is_forgotten_once_the_table_has_moved_on(table: Table) -> None:
    table.answer(table.n, "stones")
    with pytest.raises(BrokenTable, match=r"^bag\.stones = 5 can't be"):
        table.override("bag.stones", 5)
