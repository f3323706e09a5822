"""What of a board is told after an undo or redo: the lines that differ, as they have to lie."""

import pytest

from companion.engine.game import Board, Panel


def put_right(old: list[str], new: list[str]) -> list[str]:
    told = Board("Turn 1", (Panel("Hill", tuple(new)),)).since(Board("Turn 2", (Panel("Hill", tuple(old)),)))
    return [line for panel in told.panels for line in panel.lines]


def test_lines_that_differ_are_told_as_they_are_now_and_no_others() -> None:
    assert put_right(["Health 2", "Sandbags 1"], ["Health 3", "Sandbags 1"]) == ["Health 3"]


def test_where_nothing_differs_nothing_is_told() -> None:
    board = Board("Turn 1", (Panel("Hill", ("Height 3",)),))
    assert board.since(board) is None


def test_where_only_the_turn_differs_its_title_is_told() -> None:
    board = Board("Turn 1", (Panel("Hill", ("Height 3",)),))
    assert board.since(Board("Turn 2", board.panels), board) == Board("Turn 1", ())


def test_of_what_is_gone_only_what_it_is_called_is_told_for_the_rest_may_be_for_other_eyes() -> None:
    assert put_right(["deck 3", "out: Scout A"], ["deck 3"]) == ["no more: out"]
    assert put_right(["hand: Scout A"], ["hand: 1 card"]) == ["hand: 1 card"]


def test_a_line_that_stands_further_in_is_told_below_the_one_it_belongs_to() -> None:
    old = ["North flags N", "  prison SP1", "South flags S", "  prison -"]
    new = ["North flags N", "  prison -", "South flags S", "  prison -"]
    assert put_right(old, new) == ["North flags N", "  prison -"]


def test_a_mark_before_a_line_is_no_other_line() -> None:
    assert put_right([">1 Scouts: hit", " 2 Medic: heal"], [" 1 Scouts: hit", ">2 Medic: heal"]) == [
        " 1 Scouts: hit",
        ">2 Medic: heal",
    ]


@pytest.mark.parametrize(
    ("old", "new"), [(["face down"], ["face down"] * 3), (["face down"] * 5, ["face down"] * 3)]
)
def test_of_lines_that_are_alike_there_are_as_many_as_have_to_lie_there(
    old: list[str], new: list[str]
) -> None:
    assert put_right(old, new) == ["face down"] * 3


def test_where_things_of_one_name_have_the_like_below_them_it_is_told_which_has_it() -> None:
    both = ["Room 1", "  event", "Room 2", "  event"]
    assert put_right(both, ["Room 1", "Room 2", "  event"]) == ["Room 2", "  event"]
    assert put_right(both, ["Room 1", "  event", "Room 2"]) == ["Room 1", "  event"]


def test_a_map_is_told_by_who_stands_where() -> None:
    old = Panel("Base", ("0  .  NP1",), lying=("NP1 F01", "NP2 F11", "SP1 F20"))
    new = Panel("Base", ("0 NP1  . ",), lying=("NP1 F00", "NP2 F11"))
    empty = Panel("Base", ("0  .   . ",), lying=())
    assert new.since(old).lines == ("NP1 F00", "no more: SP1 F20")
    assert new.since(empty).lines == ("NP1 F00", "NP2 F11")


def test_of_a_panel_that_is_gone_it_is_told_what_was_in_it() -> None:
    mines = Panel("Mines", ("2B-3B personnel",))
    told = Board("Hill", ()).since(Board("Hill", (mines,)))
    assert told.panels == (Panel("Mines", ("no more: 2B-3B personnel",)),)


def test_what_only_follows_from_what_lies_elsewhere_is_not_told() -> None:
    safe, hit = (
        Panel("Spaces", ("1 Scouts",), lying=("1",)),
        Panel("Spaces", ("1 Scouts, danger",), lying=("1",)),
    )
    assert Board("Turn 1", (safe,)).since(Board("Turn 1", (hit,))) is None


def test_a_panel_that_only_says_something_else_of_itself_is_told_as_it_is_now() -> None:
    lost, fighting = (
        Panel("Unit A: lost", ("Soldiers 0", "Stars 1")),
        Panel("Unit A", ("Soldiers 2", "Stars 1")),
    )
    assert Board("Turn 1", (fighting,)).since(Board("Turn 1", (lost,))) == Board("", (fighting,))


def test_what_differs_from_any_of_several_is_told_once_as_it_is_now() -> None:
    mines = Panel("Mines", ("2B personnel",))
    first = Board("Turn 2", (Panel("Hill", ("Height 2", "Sandbags 1", "Hidden 1")), mines))
    then = Board("Turn 2", (Panel("Hill", ("Height 3", "Sandbags 0")), mines))
    now = Board("Turn 2", (Panel("Hill", ("Height 3", "Sandbags 1")),))
    assert now.since(first, then) == Board(
        "",
        (
            Panel("Hill", ("Height 3", "Sandbags 1", "no more: Hidden 1")),
            Panel("Mines", ("no more: 2B personnel",)),
        ),
    )


def test_what_is_gone_from_below_a_line_is_told_below_it_also_where_another_has_the_like() -> None:
    old = ["1: Mortar", "   die 5", "2: Gun", "   die 10", "3: Tank"]
    assert put_right(old, ["1: Mortar", "   die 7", "2: Gun", "3: Tank"]) == [
        "1: Mortar",
        "   die 7",
        "2: Gun",
        "  no more: die 10",
    ]
    assert put_right(old, ["1: Mortar", "2: Gun", "   die 5", "3: Tank"]) == [
        "1: Mortar",
        "  no more: die 5",
        "2: Gun",
        "   die 5",
    ]


def test_of_two_alike_that_are_gone_both_are_told() -> None:
    assert put_right(["Scout", "Fog", "Fog"], ["Scout"]) == ["no more: Fog", "no more: Fog"]


def test_what_is_gone_is_told_also_where_its_word_stands_further_back_in_another_line() -> None:
    dice, more = "Dice 1, on Resupply 2", "Dice 1 1, on Resupply 2"
    assert put_right([dice, "Resupply tokens: Grenade"], [more]) == [more, "no more: Resupply tokens"]


def test_what_stands_in_a_line_with_others_now_or_without_a_mark_behind_it_is_not_gone() -> None:
    assert put_right(["MediKits 3"], ["Grenades 2, MediKits 3"]) == ["Grenades 2, MediKits 3"]
    assert put_right(["4, mine", "5"], ["4", "5"]) == ["4"]


def test_things_whose_names_begin_alike_are_told_apart_where_the_whole_name_counts() -> None:
    old = Panel("Team", ("Scout 1  0/2", "Scout 2  1/2"), lying=("Scout 1: 0/2", "Scout 2: 1/2"))
    new = Panel("Team", ("Scout 1  1/2",), lying=("Scout 1: 1/2",), whole_names=True)
    assert new.since(old).lines == ("Scout 1: 1/2", "no more: Scout 2")
