"""The full-screen terminal's texts."""

import errno
import io
import os
import re
import signal
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from queue import SimpleQueue
from unittest.mock import MagicMock, Mock

import pytest
from rich.cells import cell_len
from rich.console import Console as Terminal
from rich.live import Live
from rich.text import Text

from companion.engine.asks import Choose, Dice, Draw, Number, Option, Pick, Roll, Show
from companion.engine.errors import BadAnswer, StaleAnswer
from companion.engine.game import Board
from companion.engine.game import Panel as Section
from companion.engine.line import Act, Item
from companion.screens.console import Console
from companion.screens.intents import Button
from companion.table import emulator, keys, terminal
from companion.table.events import Closed, Events, Press, Seen, Typed
from companion.table.keys import split
from companion.table.menu import OneQuestion
from companion.table.table import Table, logged
from companion.table.terminal import (
    HELP,
    LEAST,
    MORE_OF_BOARD,
    NARROW_HELP,
    TerminalDisplay,
    TerminalFront,
    abreast,
    around,
    fitting,
    in_columns,
    offered,
    place_of_bar,
    side_by_side,
)
from tests.table.conftest import Begin

LINES = [f"{n} Card" for n in range(1, 11)]


def test_a_text_that_fits_is_shown_as_it_is() -> None:
    assert fitting(LINES, 10, 0) == (LINES, "")
    assert fitting(LINES, 12, 1) == (LINES, "")


def test_a_long_text_says_that_more_follows_and_ends_with_its_last_line() -> None:
    assert fitting(LINES, 4, 0) == (LINES[:4], "v more text")
    assert fitting(LINES, 4, 0.5) == (LINES[3:7], "^v more text")
    assert fitting(LINES, 4, 1) == (LINES[6:], "^ more text")


def test_in_a_terminal_of_a_few_lines_one_of_them_is_shown() -> None:
    assert fitting(LINES, -1, 0) == (["1 Card"], "v more text")
    assert fitting(LINES, 0, 1) == (["10 Card"], "^ more text")


@pytest.mark.parametrize(
    ("first", "end", "room", "shown", "marks"),
    [
        (0, 2, 4, LINES[:4], "v"),
        (4, 6, 4, LINES[3:7], "^v"),
        (8, 10, 4, LINES[6:], "^"),
        (4, 7, 3, LINES[4:7], "^v"),
        (4, 7, 2, LINES[4:6], "^v"),
        (4, 5, -1, LINES[4:5], "^v"),
        (0, 1, 10, LINES, ""),
    ],
)
def test_the_option_under_the_bar_is_seen_and_that_there_are_more(
    first: int, end: int, room: int, shown: list[str], marks: str
) -> None:
    lines, more = around([Text(line) for line in LINES], first, end, room)
    assert [line.plain for line in lines] == shown
    assert more == (f"{marks} more options" if marks else "")


def test_short_options_that_have_no_room_below_each_other_stand_side_by_side() -> None:
    options = [[Text(line)] for line in LINES]
    assert [line.plain for line in abreast(options, 30, 4) or []] == [
        "1 Card  5 Card  9 Card",
        "2 Card  6 Card  10 Card",
        "3 Card  7 Card",
        "4 Card  8 Card",
    ]
    assert len(abreast(options, 30, 10) or []) == 10
    assert abreast(options, 22, 4) is None
    assert abreast([*options, [Text("long"), Text("option")]], 90, 4) is None
    assert abreast(options, 90, 0) is None


def test_what_has_no_room_beside_the_log_has_the_whole_width(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D-Day Dice's dice that are to stay, with two bonuses that they might bring."""
    faces = ("R Courage", "R Skull", "W Star", "W Tool", "B Tool", "B Skull")
    question = Pick(
        "toy.lock",
        "A: Lock 2: R Co Sk W St To B To Sk",
        "+4 Soldiers, +1 Star, +0 Courage, +0 IP; 2 Skulls; Dead Man's Gift needs B Skull; "
        "Reinforcements needs W 1 Sold",
        options=tuple(Option(face, face) for face in faces),
        least=2,
        most=2,
    )
    monkeypatch.setattr(Table, "ask", property(lambda _: question))
    below = drawn(table, Console(table)).rpartition("now")[2]
    assert "needs W 1 Sold" in " ".join(below.replace("\u2502", " ").split())
    assert all(face in below for face in (*faces, "Done: 0 of 2"))
    assert "more" not in below
    assert "log" not in below
    assert "log" in drawn(table, Console(table), 80, 50).rpartition("now")[2]


def drawn(table: Table, console: Console, width: int = 80, height: int = 24) -> str:
    """What the terminal shows of a table."""
    paper = io.StringIO()
    screen = Terminal(file=paper, width=width, height=height, force_terminal=True, color_system=None)
    with Live(console=screen, screen=True, auto_refresh=False) as live:
        TerminalDisplay(table, live).draw(console)
    return paper.getvalue()


@pytest.mark.parametrize("width", [60, 80])
def test_long_options_are_seen_as_the_bar_comes_to_them(
    table: Table, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    options = tuple(Option(str(at), f"Space {at}", "a word of it " * 5) for at in range(6))
    question = Choose("toy.where", "Where?", options=options)
    monkeypatch.setattr(Table, "ask", property(lambda _: question))
    console = Console(table)
    for option in options:
        assert option.label in drawn(table, console, width).rpartition("now")[2]
        console.press(Button.DOWN)


@pytest.mark.parametrize(("width", "height"), [(20, 5), (24, 24), (80, 10), (12, 3)])
def test_where_the_boxs_screen_has_no_room_what_is_asked_is_read_by_itself(
    table: Table, monkeypatch: pytest.MonkeyPatch, width: int, height: int
) -> None:
    question = Choose("toy.where", "Which way?", options=tuple(Option(one, f"Space {one}") for one in "123"))
    monkeypatch.setattr(Table, "ask", property(lambda _: question))
    console = Console(table)
    for option in question.options:
        shown = drawn(table, console, width, height)
        assert "Which way?" in shown
        assert option.label in shown
        assert "│" not in shown
        console.press(Button.DOWN)
    assert "│" in drawn(table, console, *LEAST)
    assert NARROW_HELP in drawn(table, console, *LEAST)


@pytest.mark.parametrize(("width", "height"), [(40, 12), (80, 13)])
def test_where_no_text_has_room_below_the_screen_there_is_no_frame_for_it(
    table: Table, width: int, height: int
) -> None:
    assert "now" not in drawn(table, Console(table), width, height)
    assert "m menu" in drawn(table, Console(table), width, height)
    assert "now" in drawn(table, Console(table), width, 14)


def test_letters_of_two_columns_push_no_row_out_of_the_frame(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    label = "首里城の北の丘を越えて海岸線まで進む砲兵隊と歩兵隊"
    question = Choose("toy.where", "どこへ行きますか", options=tuple(Option(one, label) for one in "abc"))
    monkeypatch.setattr(Table, "ask", property(lambda _: question))
    console = Console(table)
    for _ in "abc":
        screen = drawn(table, console)
        assert "software dice, saved" in screen
        assert label[-3:] in screen.partition("now")[0]
        assert {cell_len(line) for line in screen.split("\x1b[H")[-1].split("\n")[:-1]} == {80}
        console.press(Button.DOWN)


def test_how_the_cards_are_handed_in_is_seen_once_all_are_named(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = Draw("toy.draw", "Draw", count=2, options=tuple(Option(line, line) for line in LINES))
    monkeypatch.setattr(Table, "ask", property(lambda _: question))
    console = Console(table)
    console.press(Button.OK)
    console.press(Button.OK)
    assert "(2 of 2, then Enter)" in drawn(table, console)


def test_the_dice_that_are_named_next_are_seen() -> None:
    dice = tuple(Dice("toy.eye", 2, ("one eye", "two eyes"), colour) for colour in ("red", "blue", "green"))
    roll = Roll("toy.roll", "Roll", dice=dice)
    console = Console(OneQuestion(roll, "Toy", ""))
    places = []
    for _ in range(7):
        places.append(place_of_bar(roll, console))
        console.press(Button.OK)
    assert places == [0, 0, 1, 1, 2, 2, None]


def column(*widths: int) -> list[Text]:
    return [Text("x" * width) for width in widths]


def test_columns_stand_side_by_side_as_wide_as_they_are() -> None:
    words, board = column(22, 10), column(24, 20)
    assert side_by_side([words, board], 51) == [(words, 22), (board, 24)]


def test_a_map_without_room_is_cut_where_that_still_says_something() -> None:
    words, board, more = column(22), column(40), column(5)
    assert side_by_side([words, board, more], 51) == [(words, 22), (board, 27)]
    assert side_by_side([words, board, more], 40) == [(words, 22)]
    assert side_by_side([board, words], 30) == [(board, 30)]


def test_what_comes_after_a_map_stands_where_there_is_room_before_a_column_of_its_own() -> None:
    mission, plan, team, long = column(*[10] * 5), column(*[20] * 14), column(*[12] * 9), column(*[9] * 20)
    assert in_columns([mission, plan, team], 18, whole=True) == [mission + team, plan]
    assert in_columns([mission, plan, team], 13, whole=True) == [mission, plan[:13], plan[13:] + team]
    assert in_columns([mission, team], 14, whole=True) == [mission + team]
    assert in_columns([long], 13, whole=True) == [long[:13], long[13:]]
    assert in_columns([mission, team], 10, whole=False) == [mission + team[:5], team[5:]]


def test_a_title_does_not_stand_alone_below_a_column() -> None:
    first, second = column(*[10] * 5), column(*[12] * 4)
    assert in_columns([first, second], 6, whole=False) == [first, second]
    assert in_columns([first, second], 7, whole=False) == [first + second[:2], second[2:]]
    assert in_columns([first, column(8)], 6, whole=False) == [first + column(8)]
    assert in_columns([second], 1, whole=False) == [[line] for line in second]


@pytest.mark.parametrize(("width", "is_all"), [(60, False), (200, True)])
def test_a_board_without_room_says_where_all_of_it_is(begin: Begin, width: int, *, is_all: bool) -> None:
    paper = io.StringIO()
    live = Live(console=Terminal(file=paper, width=width, height=40, force_terminal=True), screen=True)
    table = begin(game="flag_war", seed=1)
    with live:
        table.settle()
        TerminalDisplay(table, live).draw(Console(table))
    assert (MORE_OF_BOARD not in paper.getvalue()) is is_all


@pytest.mark.parametrize("title", ["Hill [north]", "Hill [/]", "Hill [red]5[/red]"])
def test_a_title_with_brackets_stands_above_the_board_as_it_is(
    table: Table, monkeypatch: pytest.MonkeyPatch, title: str
) -> None:
    monkeypatch.setattr(Table, "board", lambda _: Board(title, ()))
    first_row = drawn(table, Console(table)).splitlines()[0]
    assert title in first_row


def test_that_a_title_is_too_long_for_the_board_is_seen(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Table, "board", lambda _: Board("Standard board (stand-in board), turn 12: North", ())
    )
    first_row = drawn(table, Console(table), width=60).splitlines()[0]
    assert "(stand-in boar…─" in first_row


@pytest.fixture
def panels(table: Table, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """What the terminal shows of a board with these panels."""

    def shown(*sections: Section) -> str:
        monkeypatch.setattr(Table, "board", lambda _: Board("Toy", sections))
        return drawn(table, Console(table))

    return shown


def test_a_map_is_cut_and_not_wrapped_and_words_are_wrapped(panels: Callable[..., str]) -> None:
    words = panels(Section("Army", ("a tank " * 8 + "bridge",)))
    assert "bridge" in words
    assert MORE_OF_BOARD not in words
    plan = panels(Section("Plan", ("A   " * 14 + "bridge",)))
    assert "A   A   A" in plan
    assert "bridge" not in plan
    assert MORE_OF_BOARD in plan


def test_a_line_is_whole_where_all_of_the_board_has_room_so(panels: Callable[..., str]) -> None:
    line = "2 Engineers: sandbag, armor 1*, danger 4"
    assert line in panels(Section("Action Spaces", (line,)))
    assert line not in panels(Section("Action Spaces", (line,) * 20))


def test_a_line_is_broken_to_the_width_of_its_column_and_not_before_a_bound_number(
    panels: Callable[..., str],
) -> None:
    line = "2 Engineers: sandbag, armor 1*, a Mine Field, danger\N{NO-BREAK SPACE}4"
    rows = panels(Section("All", (line,) * 9)).splitlines()
    column = [row.partition("││")[2][1:23].rstrip() for row in rows]
    at = column.index("2 Engineers: sandbag,")
    assert column[at + 1 : at + 3] == ["  armor 1*, a Mine", "  Field, danger 4"]


def test_a_map_is_not_broken_in_two_and_beside_one_no_list_is(panels: Callable[..., str]) -> None:
    army, plan = Section("Army", tuple(f"tank {n}" for n in range(8))), ("A   B",) * 8
    beside = panels(army, Section("Plan", plan)).splitlines()
    assert any("Army" in line and "Plan" in line for line in beside)
    below = panels(army, Section("Navy", ("a ship",) * 8)).splitlines()
    assert not any("Army" in line and "Navy" in line for line in below)


def test_a_board_without_its_last_column_says_so(panels: Callable[..., str]) -> None:
    plan = Section("Plan", ("A   " * 10 + "end",) * 10)
    alone, with_more = (
        panels(plan),
        panels(plan, Section("Army", tuple(f"tank number {n}" for n in range(8)))),
    )
    assert "end" in alone
    assert MORE_OF_BOARD not in alone
    assert "tank" not in with_more
    assert MORE_OF_BOARD in with_more


def test_the_option_under_the_bar_is_bold(table: Table) -> None:
    live = Live(console=Terminal(file=io.StringIO(), width=80, height=24))
    console = Console(table)
    console.press(Button.DOWN)
    text, _ = TerminalDisplay(table, live)._now(console, 36, 6)
    assert [text.plain[span.start : span.end] for span in text.spans if span.style == "bold"] == [
        "  2. Stones"
    ]


def test_a_short_column_needs_little_room() -> None:
    assert side_by_side([column(40), column(9)], 51) == [(column(40), 40), (column(9), 9)]


@pytest.mark.parametrize("height", [3, 12, 24])
@pytest.mark.parametrize("width", [3, 6, 30, 48, 49, 80])
def test_in_a_small_terminal_the_board_gives_way_to_the_question(
    table: Table, width: int, height: int
) -> None:
    paper = io.StringIO()
    live = Live(console=Terminal(file=paper, width=width, height=height, force_terminal=True), screen=True)
    with live:
        table.settle()
        TerminalDisplay(table, live).draw(Console(table))
    shown = paper.getvalue()
    assert ("Which way?" in shown) == (width > 6)
    assert ("Height 0" in shown) == (width > 48 and height > 10)
    assert ("q quit" in shown) == (width > 6 and height > 3)


def test_a_page_from_the_menu_is_read_where_there_is_room_for_it(table: Table) -> None:
    paper = io.StringIO()
    live = Live(console=Terminal(file=paper, width=80, height=24), screen=False)
    table.settle()
    console, display = Console(table), TerminalDisplay(table, live)
    console.press(Button.MENU)
    console.press(Button.OK)
    now = display._now(console, 36, 6)[0].plain
    console.press(Button.BACK)
    after = display._now(console, 36, 6)[0].plain
    assert now.startswith("Board\n")
    assert "Which way?" not in now
    assert after.startswith("Which way?")


def test_the_menu_and_a_value_to_be_set_are_read_below_without_digits(table: Table) -> None:
    live = Live(console=Terminal(file=io.StringIO(), width=80, height=24), screen=False)
    table.settle()
    console, display = Console(table), TerminalDisplay(table, live)
    console.press(Button.MENU)
    console.press(Button.DOWN)
    menu = display._now(console, 36, 9)[0]
    assert menu.plain.startswith("Menu\n  - Board\n  - Why?\n")
    assert [menu.plain[one.start : one.end] for one in menu.spans if one.style == "bold"] == ["  - Why?"]
    console.press(Button.DOWN)
    console.press(Button.OK)
    assert display._now(console, 36, 9)[0].plain.startswith("Set by hand\n  - height: 0\n")
    console.press(Button.OK)
    assert display._now(console, 36, 9)[0].plain == "height\nnow 0\n  (-99 to 99, then Enter)"


@pytest.fixture
def long_text(table: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table that shows a text of many lines."""
    question = Show("toy.long", "Lay out", "\n".join(LINES))
    monkeypatch.setattr(Table, "ask", property(lambda _: question))
    return table


def test_that_there_is_more_of_a_text_stands_in_the_frame_and_what_to_press_at_its_end(
    long_text: Table,
) -> None:
    console = Console(long_text)
    for marks, first, last in (
        ("v", "Lay out", "5 Card"),
        ("^v", "5 Card", "10 Card"),
        ("^", "6 Card", "(Enter)"),
    ):
        twin, _, now = drawn(long_text, console).partition("now")
        inside = [line.split("\u2502")[1].strip() for line in now.splitlines() if "\u2502" in line]
        assert f" {marks} more text \u2500" in now
        assert (inside[0], inside[-1]) == (first, last)
        assert len(inside) == 6
        assert re.search(f"Toy +{re.escape(marks)} ?\u2502", twin) or marks == "^"
        console.press(Button.DOWN)


def alone(table: Table, console: Console, height: int) -> list[str]:
    """What a terminal shows in which the box's screen has no room."""
    live = Live(console=Terminal(file=io.StringIO(), width=40, height=height))
    shown = TerminalDisplay(table, live)._layout(console)
    assert isinstance(shown, Text)
    return shown.plain.splitlines()


def test_where_the_small_screen_has_no_room_the_dice_and_the_number_so_far_are_seen(table: Table) -> None:
    console = Console(OneQuestion(Roll("toy.roll", "Roll", dice=(Dice("d6", 2, tuple("123456")),)), "", ""))
    console.say("4")
    assert alone(table, console, 10)[-2:] == ["4 [-]", "2/2 d6: 4"]
    console.say("5")
    assert alone(table, console, 10)[-2:] == ["4 5", "OK: take these"]
    console = Console(OneQuestion(Number("toy.number", "How many?", least=0, most=9), "", ""))
    console.press(Button.UP)
    assert alone(table, console, 10) == ["How many?", "  (0 to 9, then Enter)", " 1"]
    console = Console(table)
    console.press(Button.MENU)
    for _ in range(2):
        console.press(Button.DOWN)
    console.press(Button.OK)
    assert alone(table, console, 10)[0] == "Set by hand"
    console.press(Button.OK)
    console.press(Button.DOWN)
    assert alone(table, console, 10)[-1] == " -1"


def test_where_the_small_screen_has_no_room_that_there_is_more_of_a_text_is_said(long_text: Table) -> None:
    console = Console(long_text)
    assert alone(long_text, console, 6) == ["Lay out", *LINES[:4], "v more text"]
    assert alone(long_text, console, 1) == ["Lay out"]


def test_a_notice_stands_above_a_text_that_was_turned(long_text: Table) -> None:
    console = Console(long_text)
    console.press(Button.DOWN)
    console.press(Button.DOWN)
    long_text.notice = "not written: the disk is full, and the answer does not count"
    text, sign = TerminalDisplay(long_text, Live(console=Terminal(file=io.StringIO())))._now(console, 36, 6)
    assert text.plain.splitlines()[:2] == [
        "* not written: the disk is full, and",
        "  the answer does not count",
    ]
    assert sign == "v more text"


def test_which_of_many_dice_are_meant_is_asked_with_the_tray_and_not_with_a_doubtful_die(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "die_picture", lambda _, place, __: Text(f"picture of {place}"))
    table = begin(dice="manual")
    table.answer(table.n, "dice")
    console = Console(table)
    seen = Seen(table.n, ("5", "2"), "camera", (0,), others=(("3",), ("3",)))
    console.offer(seen.n, seen.faces, seen.doubtful, seen.others)
    table.offer(seen)
    doubtful = drawn(table, console)
    console.press(Button.OK)
    many = drawn(table, console)
    assert "die 1 " in doubtful
    assert "picture of 0" in doubtful
    assert "these?" in many
    assert "picture of 1" in many


def test_the_keys_are_named_in_80_columns() -> None:
    assert len(HELP) <= 80


def test_what_is_wanted_is_said_as_the_keys_do_it() -> None:
    abc = tuple(Option(one, one.upper()) for one in "abc")
    pick = Pick("k", "t", options=abc, least=1, most=2)
    assert offered(pick, picked=["b"])[1:] == ["  2. B [x]", "  3. C", "  Done: 1 of 1-2 (Enter here)"]
    draw = Draw("k", "t", options=abc, count=2)
    assert offered(draw, picked=["b"]) == ["  1. A", "  2. B [x]", "  3. C", "  (1 of 2, then Enter)"]
    assert offered(draw, picked=["b", "b"])[1] == "  2. B [x] [x]"
    assert offered(Draw("k", "t", options=abc))[-1] == "  3. C"
    assert offered(Draw("k", "t", options=abc), ["b"])[-1] == "  (Enter: B, as drawn before)"
    d6 = Dice("d6", 2, ("1", "2"))
    assert offered(Roll("k", "t", dice=(d6,)), ["2", "1"])[-1] == "  (Enter: 2 1, as they lie)"


def test_only_options_that_one_key_chooses_are_numbered() -> None:
    many = tuple(Option(str(at), f"Space {at}") for at in range(1, 12))
    for question in (Choose("k", "t", options=many), Draw("k", "t", options=many)):
        assert offered(question)[8:] == ["  9. Space 9", "  - Space 10", "  - Space 11"]


def test_digits_answer_what_one_option_answers_and_fill_in_the_rest(begin: Begin) -> None:
    table = begin(cards="manual")
    front = TerminalFront(table, SimpleQueue())
    console = Console(table)
    for key in ("5", "2", Button.OK, "2", "3", Button.OK, Button.OK, "3", "1", "3", Button.OK):
        console.refresh()
        if not isinstance(key, Button):
            front.typed(key, console)
        elif intent := console.press(key):
            table.do(intent)
    assert (table.session.state["height"], table.session.state["bag"]["stones"]) == (2, 3)
    assert sorted(table.session.state["picked"]) == ["a", "c"]


def test_a_digit_typed_for_a_prompt_that_a_phone_answered_is_not_for_the_next(begin: Begin) -> None:
    table = begin(cards="manual")
    front = TerminalFront(table, SimpleQueue())
    console = Console(table)
    table.answer(table.n, "card", "phone")
    with pytest.raises(StaleAnswer):
        front.typed("2", console)
    assert isinstance(table.ask, Draw)


def test_a_value_typed_while_a_phone_answered_is_not_set_over_its_answer(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    front = TerminalFront(table, SimpleQueue())
    monkeypatch.setattr(front, "_take", lambda: None)
    monkeypatch.setattr(front, "_give_back", lambda: None)

    def asked(_: str) -> str:
        if table.n == 1:
            table.answer(1, "stones", "phone")
        return "height = 3"

    monkeypatch.setattr("builtins.input", asked)
    with pytest.raises(BadAnswer, match="moved on: look at height"):
        front.typed("=", Console(table))
    assert table.undoable == "Stones"
    front.typed("=", Console(table))
    assert table.undoable == "set height"


def test_a_redo_typed_while_a_phone_answered_is_none(table: Table) -> None:
    front = TerminalFront(table, SimpleQueue())
    table.answer(table.n, "stones")
    table.answer(table.n, 2)
    table.undo(2)
    console = Console(table)
    table.redo(by="phone")
    with pytest.raises(StaleAnswer):
        front.typed("r", console)
    assert table.undoable == "Stones"


def test_what_stands_there_is_drawn_until_the_console_has_the_next_prompt(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    rolls = [Roll("toy.roll", f"Roll {count}", dice=(Dice("d6", count, ("1", "2")),)) for count in (1, 3)]
    monkeypatch.setattr(Table, "ask", property(lambda _: rolls[-1]))
    console = Console(table)
    console.press(Button.OK)
    rolls.pop()  # a phone has answered, and the loop is yet to hear of it
    assert "Roll 3" in drawn(table, console)


def test_nought_is_the_place_of_no_card(begin: Begin) -> None:
    table = begin(cards="manual")
    front = TerminalFront(table, SimpleQueue())
    console = Console(table)
    front.typed("5", console)
    assert isinstance(table.ask, Draw)
    console.refresh()
    with pytest.raises(BadAnswer, match="0 means nothing here"):
        front.typed("0", console)
    assert isinstance(table.ask, Draw)
    front.typed("1", console)
    assert not isinstance(table.ask, Draw)


def test_nought_or_a_digit_does_not_answer_what_the_menu_lies_over(table: Table) -> None:
    front = TerminalFront(table, SimpleQueue())
    console = Console(table)
    assert isinstance(table.ask, Choose)
    for key in "09":
        with pytest.raises(BadAnswer, match=f"{key} means nothing here"):
            front.typed(key, console)
    console.press(Button.MENU)
    with pytest.raises(BadAnswer):
        front.typed("2", console)
    assert table.n == 1
    console.press(Button.BACK)
    front.typed("2", console)
    assert table.n > 1


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("\x1b[A1\r", ["\x1b[A", "1", "\r"]),
        ("\x1bOB\x1b", ["\x1bOB", "\x1b"]),
        ("\x1b[15~2", ["\x1b[15~", "2"]),
        ("\x1b[1;5A\x1b[3~?", ["\x1b[1;5A", "\x1b[3~", "?"]),
        ("\x1b[", ["\x1b["]),
        ("\x1b1\x1b\r2", ["\x1b1", "\x1b\r", "2"]),
        ("\x1b\x1b", ["\x1b", "\x1b"]),
    ],
)
def test_a_key_with_a_number_in_its_sequence_or_with_alt_is_no_digit(sent: str, keys: list[str]) -> None:
    assert [*split(sent)] == keys


@pytest.mark.parametrize(
    ("parts", "buttons"),
    [
        (["\x1b", "[B"], [Button.DOWN]),
        (["\x1b[", "B"], [Button.DOWN]),
        (["\x1bO", "A"], [Button.UP]),
        (["\x1b[A\x1b", "[", "B"], [Button.UP, Button.DOWN]),
        (["\x1b"], [Button.BACK]),
        (["\x1b[200~1\x1b[2", "01~?"], [Button.WHY]),
    ],
)
def test_over_a_slow_line_a_key_may_come_in_parts(
    monkeypatch: pytest.MonkeyPatch, parts: list[str], buttons: list[Button]
) -> None:
    monkeypatch.setattr(keys, "_REST", 5.0)
    assert heard(*(part.encode() for part in parts)) == buttons


def test_a_paste_whose_end_went_astray_is_over_once_nothing_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    fd, wake = 0, 1
    events: SimpleQueue[Typed] = SimpleQueue()
    ready, sent = iter([[fd], [], [fd], [wake]]), iter([b"\x1b[200~12", b"3"])
    monkeypatch.setattr(keys.select, "select", lambda *_: (next(ready), [], []))
    monkeypatch.setattr(keys, "_received", lambda _: next(sent))
    keys._read(fd, wake, events)
    assert (events.get_nowait().text, events.empty()) == ("3", True)


def heard(*parts: bytes) -> list[Button | str]:
    """What the reader of a terminal makes of what comes over it part by part: buttons, and what is typed."""
    (fd, ours), (wake, stop) = os.pipe(), os.pipe()
    events: Events = SimpleQueue()
    reader = threading.Thread(target=keys._read, args=(fd, wake, events))
    reader.start()
    for part in parts:
        os.write(ours, part)
        time.sleep(0.02)
    os.close(ours)
    reader.join()
    for end in (fd, wake, stop):
        os.close(end)
    told: list[Button | str] = []
    while not isinstance(event := events.get(timeout=5), Closed):
        assert isinstance(event, Typed) or (isinstance(event, Press) and event.keyboard)
        told.append(event.text if isinstance(event, Typed) else event.button)
    return told


@pytest.mark.parametrize(
    ("sent", "button"),
    [
        *[("\r", Button.OK), ("\n", Button.OK)],
        *[("\x7f", Button.BACK), ("\b", Button.BACK), ("\x1b", Button.BACK), ("\x1b[D", Button.BACK)],
        *[("\x1b[A", Button.UP), ("\x1bOA", Button.UP), ("\x1b[B", Button.DOWN), ("\x1bOB", Button.DOWN)],
        *[("?", Button.WHY), ("m", Button.MENU)],
    ],
)
def test_keys_are_buttons_whatever_a_terminal_sends_for_them(sent: str, button: Button) -> None:
    assert heard(sent.encode()) == [button]


def test_what_is_no_button_is_typed_and_bytes_that_are_no_text_end_nothing() -> None:
    assert heard(b"\xffq7") == ["\N{REPLACEMENT CHARACTER}", "q", "7"]
    assert heard(b"\x1bm\x1b\r") == ["\x1bm", "\x1b\r"]


def test_after_ctrl_z_the_keys_of_an_oled_that_is_drawn_in_the_terminal_are_its_own_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[object] = []

    @contextmanager
    def keyboard(_: Events, *, leave: str) -> Iterator[None]:
        seen.append(f"keys, {leave} leaves")
        yield
        seen.append("no keys")

    monkeypatch.setattr(emulator, "keyboard", keyboard)
    monkeypatch.setattr(emulator.signal, "raise_signal", seen.append)
    before = signal.getsignal(signal.SIGTSTP)
    with emulator._keys(SimpleQueue()):
        for _ in range(2):
            signal.getsignal(signal.SIGTSTP)(signal.SIGTSTP, None)
    turn = ["keys, q leaves", "no keys", signal.SIGTSTP, "keys, q leaves", signal.SIGWINCH, "no keys"]
    assert seen == [*turn, *turn[2:]]
    assert signal.getsignal(signal.SIGTSTP) == before


def test_the_small_screen_is_painted_by_its_own_thread_also_where_its_terminal_gets_another_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("PIL")
    painters: SimpleQueue[threading.Thread] = SimpleQueue()
    monkeypatch.setattr(emulator, "window_possible", lambda: False)
    monkeypatch.setattr(emulator, "_check_terminal", lambda: None)
    monkeypatch.setattr(emulator, "undisturbed", nullcontext)
    monkeypatch.setattr(emulator, "_keys", nullcontext)
    monkeypatch.setattr(
        emulator, "terminal_painter", lambda _: lambda _: painters.put(threading.current_thread())
    )
    with emulator.emulated(SimpleQueue()) as display:
        display.draw(Console(OneQuestion(Show("one", "One."), "", "")))
        first = painters.get(timeout=10)
        signal.raise_signal(signal.SIGWINCH)
        assert painters.get(timeout=10) is first
    assert first is not threading.main_thread()


@pytest.mark.parametrize("number", keys.ORDERS)
def test_a_game_in_a_terminal_that_is_told_to_stop_gives_it_back_as_it_was(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    ours, theirs = os.openpty()
    events: Events = SimpleQueue()
    with open(ours, "wb"), open(theirs) as terminal:  # noqa: PTH123 - these are open already
        monkeypatch.setattr("sys.stdin", terminal)
        before = termios.tcgetattr(theirs)
        usual = signal.signal(number, lambda *_: None)
        try:
            with keys.stopped_in_order(events), keys.keyboard(events):
                signal.raise_signal(number)
                assert isinstance(events.get(timeout=2), Closed)
        finally:
            signal.signal(number, usual)
        assert termios.tcgetattr(theirs) == before


@pytest.mark.parametrize("switch", ["h", "l"], ids=["taken", "given back"])
def test_ctrl_c_while_the_terminal_is_taken_or_given_back_leaves_it_as_it_was(
    monkeypatch: pytest.MonkeyPatch, switch: str
) -> None:
    ours, theirs = os.openpty()
    mark = keys._mark_pastes

    def interrupted(way: str) -> None:
        mark(way)
        if way == switch:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(keys, "_mark_pastes", interrupted)
    with open(ours, "wb"), open(theirs) as terminal:  # noqa: PTH123 - these are open already
        monkeypatch.setattr("sys.stdin", terminal)
        before = termios.tcgetattr(theirs)
        usual = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with pytest.raises(KeyboardInterrupt), keys.keyboard(SimpleQueue()):
                pass
        finally:
            signal.signal(signal.SIGINT, usual)
        assert termios.tcgetattr(theirs) == before


def test_a_terminal_that_goes_as_it_is_taken_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = os.openpty()
    gone = Mock(side_effect=termios.error(errno.EIO, "Input/output error"))
    monkeypatch.setattr("companion.table.keys.tty.setcbreak", gone)
    with open(ours, "wb"), open(theirs) as terminal:  # noqa: PTH123 - these are open already
        monkeypatch.setattr("sys.stdin", terminal)
        with pytest.raises(termios.error, match="Input/output error"), keys.keyboard(SimpleQueue()):
            pass


def test_ctrl_c_while_a_full_screen_is_taken_or_left_comes_when_the_terminal_is_as_it_was(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def start(_: Live) -> None:
        signal.raise_signal(signal.SIGINT)
        done.append("taken")

    def stop(_: Live) -> None:
        signal.raise_signal(signal.SIGINT)
        done.append("given back")

    monkeypatch.setattr(terminal, "keyboard", nullcontext)
    monkeypatch.setattr(Live, "start", start)
    monkeypatch.setattr(Live, "stop", stop)
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), TerminalFront(table, SimpleQueue()):
            done.append("played")
        assert done == ["taken", "given back"]
    finally:
        signal.signal(signal.SIGINT, usual)


@pytest.mark.parametrize("amid", ["stop", "start"])
def test_an_order_to_stop_is_heard_between_the_screen_and_the_line_to_set_a_value(
    table: Table, monkeypatch: pytest.MonkeyPatch, amid: str
) -> None:
    events: Events = SimpleQueue()
    orders: list[signal.Signals] = []
    monkeypatch.setattr(terminal, "keyboard", nullcontext)
    monkeypatch.setattr(terminal, "line_for", lambda *_: "")
    for step in ("start", "stop"):
        monkeypatch.setattr(Live, step, lambda _: None)
    monkeypatch.setattr(Live, amid, lambda _: [signal.raise_signal(orders.pop()) for _ in orders[:]])
    usual = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        with TerminalFront(table, events) as front:
            orders.append(signal.SIGTERM)
            front.typed("=", Console(table))
            assert events.get_nowait() == Closed()
    finally:
        signal.signal(signal.SIGTERM, usual)


def test_two_orders_to_stop_of_which_a_lines_editor_lets_none_be_heard_end_the_game(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: Events = SimpleQueue()
    front = TerminalFront(table, events)
    monkeypatch.setattr(front, "_take", lambda: None)
    monkeypatch.setattr(front, "_give_back", lambda: None)
    monkeypatch.setattr(terminal, "line_for", Mock(side_effect=SystemError("an exception is set already")))
    front.typed("=", Console(table))
    assert events.get_nowait() == Closed()


def test_a_second_order_to_stop_ends_nothing_while_a_lines_editor_gives_the_terminal_back() -> None:
    events: Events = SimpleQueue()
    with keys.line_ended_in_order(events):
        with pytest.raises(EOFError):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
    assert [events.get_nowait() for _ in range(2)] == [Closed(), Closed()]


def test_a_screen_that_can_not_be_had_leaves_what_is_said_of_that_on_the_terminal(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed, keyboard = MagicMock(), Mock(side_effect=OSError(errno.EMFILE, "Too many open files"))
    monkeypatch.setattr("companion.table.terminal.undisturbed", undisturbed)
    monkeypatch.setattr("companion.table.terminal.keyboard", keyboard)
    with pytest.raises(OSError, match="Too many open files"):
        TerminalFront(table, SimpleQueue()).__enter__()
    undisturbed().__exit__.assert_called_once()


def test_a_terminal_that_hangs_up_is_gone() -> None:
    ours, theirs = os.openpty()
    wake, stop = os.pipe()
    events: Events = SimpleQueue()
    os.close(theirs)
    keys._read(ours, wake, events)
    assert events.get(timeout=5) == Closed()
    for end in (ours, wake, stop):
        os.close(end)


def test_a_reader_that_is_told_to_stop_takes_no_key_of_what_comes_after() -> None:
    (fd, ours), (wake, stop) = os.pipe(), os.pipe()
    os.write(ours, b"q")
    os.write(stop, b"x")
    keys._read(fd, wake, SimpleQueue())
    assert os.read(fd, 1) == b"q"
    for end in (fd, ours, wake, stop):
        os.close(end)


def test_what_is_told_in_several_lines_stands_below_each_other_and_in_the_log_on_one(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = Show("toy.lost", "A: 2 lost\nB: 1 lost")
    monkeypatch.setattr(Table, "ask", property(lambda _: lost))
    now = drawn(table, Console(table)).rpartition("now")[2]
    assert "│ A: 2 lost  " in now
    assert "│ B: 1 lost  " in now
    item = Item(Act.ANSWER, "show", "toy.lost", "", True, "player", lost.text, "seen")
    assert logged(item) == "A: 2 lost; B: 1 lost"


def test_the_log_is_what_holds_also_after_a_pause(table: Table) -> None:
    live = Live(console=Terminal(file=io.StringIO()), screen=True)
    display = TerminalDisplay(table, live)
    for answer in ("stones", 2, True):
        table.answer(table.n, answer)
    log = ["Height 0", "How many stones? 2 (player)", "Which way? Stones (player)"]
    assert str(display._log_text(9)).splitlines() == log
    assert str(display._log_text(2)).splitlines() == log[:2]
    table.override("bag.stones", 5)
    log.insert(0, "set bag.stones: 2 -> 5 (player)")
    assert str(display._log_text(9)).splitlines() == log
    table.undo(2)
    assert str(display._log_text(9)).splitlines() == log[-1:]
    assert str(TerminalDisplay(table, live)._log_text(9)).splitlines() == log[-1:]
