"""The plain front: questions as lines, answers as typed words."""

import io
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion.engine import BadAnswer, Journal, Session, Wish
from companion.engine.asks import Choose, Dice, Draw, Locked, Number, Option, Pick, Roll, Show
from companion.engine.autoplay import at_first
from companion.engine.salvage import Salvage
from companion.engine.session import Said
from companion.screens.screen import WayIn
from companion.table.events import Changed, Notice, Seen, Typed
from companion.table.lines import HELP, LinesFront, hints, in_words, numbered, typed_answer
from companion.table.serial_dice import SerialDice
from companion.table.table import Table
from companion.table.typed import LONGEST, assignment, checked, lines_from
from hardware.pad_link import PadDice
from tests.engine.toy import GAME, PACKS, Toy
from tests.longrun.fuzz import mangled
from tests.table.conftest import Begin

SPACES = (Option("3", "To 3"), Option("1", "To 1"))
MINES = (Option("0", "1-4"), Option("1", "1-5"), Option("2", "1-2"))
TWENTY = tuple(Option(f"t{n}", f"Tile {n}") for n in range(1, 21))
ABC = tuple(Option(one, one.upper()) for one in "abc")
SYMBOLS = (Dice("dday.red", 2, ("skull", "star"), "red"), Dice("d10", 1, ("0", "1")))


def say(tmp_path: Path, *lines: str, dice: str = "software") -> str:
    out = io.StringIO()
    with (
        Journal(tmp_path) as journal,
        Session.create(journal, GAME, PACKS, Wish(seed=7, dice=dice)) as session,
    ):
        LinesFront(Table(session, tmp_path), lines, out).run()
    return out.getvalue()


def test_options_are_numbered_and_a_number_or_an_id_chooses(tmp_path: Path) -> None:
    text = say(tmp_path, "2", "3", "", "stones")
    assert "  2. Stones" in text
    assert text.count("How many stones?") == 2


def test_a_game_that_is_over_already_says_so_and_is_looked_at_or_taken_back(table: Table) -> None:

    def said(*lines: str) -> str:
        out = io.StringIO()
        LinesFront(table, lines, out).run()
        return out.getvalue()

    while table.ask is not None:
        table.answer(table.n, at_first(table.ask))
    over = "The game is over: undo takes its last decision back, quit leaves."
    for nothing in ("", "1", "what"):
        told = said(nothing, "board", "quit", "undo")
        assert told.count("Game won\n") == 1
        assert f"\n{over}\n! {over}\n== " in told
    assert table.outcome is not None
    assert "Which way?" in said("undo")
    assert table.outcome is None


def test_a_game_that_a_policy_has_played_to_its_end_waits_for_no_line(begin: Begin) -> None:
    def lines() -> Iterator[str]:
        pytest.fail("a line was waited for")
        yield ""

    table = begin("first")
    LinesFront(table, lines(), io.StringIO()).run()
    assert table.outcome is not None


def test_on_a_terminal_lines_end_between_words_and_elsewhere_they_stay_whole(
    tmp_path: Path, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    LinesFront(table, ["board"], terminal).run()
    text = terminal.getvalue()
    assert max(map(len, text.splitlines())) <= 30
    assert " ".join(text.split()).startswith(HELP)
    assert HELP in say(tmp_path / "file")


def test_a_question_of_several_lines_stands_behind_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Table, "ask", Show("toy.lost", "A: 2 lost\nB: 1 lost"))
    assert "[1] A: 2 lost\n    B: 1 lost\n  (Enter)\n" in say(tmp_path)


def test_a_journal_that_was_mended_is_said_once_at_the_start_or_in_play(tmp_path: Path, table: Table) -> None:
    out, journal = io.StringIO(), table.session.journal

    def lines() -> Iterator[str]:
        yield from ("stones", "1")
        assert "damaged" not in out.getvalue()
        journal.store.salvaged = Salvage(journal.path, sessions=2, kept=30, lost=1)
        yield from ("", "stones")

    LinesFront(table, lines(), out).run()
    assert out.getvalue().count(f"* {journal.salvaged}\n") == 1
    out = io.StringIO()
    LinesFront(Table(table.session, tmp_path), ["2", ""], out).run()
    assert out.getvalue().count(f"* {journal.salvaged}\n") == 1


def test_after_what_a_phone_answers_the_next_question_is_put(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.table.lines.LOCKOUT", float("-inf"))
    out = io.StringIO()
    table.page = lambda: WayIn(("Page 127.0.0.1:8080",))

    def wait_for(text: str) -> None:
        end = time.monotonic() + 10
        while text not in out.getvalue() and time.monotonic() < end:
            time.sleep(0.01)

    def lines() -> Iterator[str]:
        wait_for("Which way?")
        table.answer(table.n, "stones", "phone")
        wait_for("How many stones?")
        table.notice = "Page 127.0.0.1:8080, code 123456"
        table.tell()
        wait_for("code 123456")
        yield "2"

    LinesFront(table, lines(), out).run()
    assert table.session.history[-1].answer == 2
    assert "Which way? Stones (phone)\n[2] How many stones?\n" in out.getvalue()
    assert "* Page 127.0.0.1:8080, code 123456\n[2] How many stones?\n" in out.getvalue()


def test_what_was_typed_for_a_question_that_a_phone_has_answered_answers_no_other(table: Table) -> None:
    out = io.StringIO()
    front = LinesFront(table, (), out)
    front._put()
    table.answer(table.n, "stones", "phone")
    for line in ("2", "undo"):
        before = table.session.n
        front._handle(Typed(line))
        assert table.session.n == before
        assert out.getvalue().endswith("  (0 to 3)\n")
        table.undo()
        table.redo()
    assert out.getvalue().count("! that was typed for what stood here before\n[") == 2


def test_a_text_that_ends_with_a_colon_is_told_with_one(table: Table) -> None:
    out = io.StringIO()
    front = LinesFront(table, (), out)
    front._news([Said(1, Show("k", "Lay out the cards:"), True, "phone")])
    assert out.getvalue() == "  Lay out the cards: seen (phone)\n"


@pytest.mark.parametrize(("after", "counts"), [(-0.1, False), (0.29, False), (0.31, True)])
def test_r12_a_line_that_is_ended_as_a_phone_answers_was_meant_for_the_old_question(
    table: Table, monkeypatch: pytest.MonkeyPatch, after: float, *, counts: bool
) -> None:
    out = io.StringIO()
    monkeypatch.setattr("time.monotonic", lambda: 50.0)
    front = LinesFront(table, (), out)
    front._put()
    table.answer(table.n, "stones", "phone")
    front._handle(Changed())
    n = table.n
    front._handle(Typed("2", at=50.0 + after))
    assert (table.n != n) is counts
    assert ("! that was typed for what stood here before\n" in out.getvalue()) is not counts


def test_r12_a_line_that_is_ended_as_other_dice_are_seen_takes_none_of_them(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 50.0)
    table = begin(dice="camera")
    front = LinesFront(table, (), io.StringIO())
    front._put()
    front._handle(Typed("dice"))
    for event in (Seen(table.n, ("3", "5"), "camera", (1,)), Typed("", at=50.2)):
        front._handle(event)
    assert table.session.ask.key == "toy.climb"
    front._handle(Typed("", at=50.31))
    assert table.session.history[-1].answer == ("3", "5")


def test_dice_that_are_read_too_late_are_not_told_and_keep_no_line_from_counting(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.StringIO()
    monkeypatch.setattr("time.monotonic", lambda: 50.0)
    front = LinesFront(table, (), out)
    front._put()
    asked = out.getvalue()
    for event in (Seen(0, ("3", "5"), "camera", (1,)), Seen(0, ("3", "5"), "camera"), Notice("")):
        front._handle(event)
    assert out.getvalue() == asked
    front._handle(Typed("stones", at=50.2))
    assert table.session.ask.key == "toy.stones"


TWO = (("2", None), ("2", None))


@pytest.mark.parametrize(
    ("faces", "doubtful", "others", "words"),
    [
        (("3", "5"), (), (), "3 5; empty line: take these, or type all faces as they are"),
        (("3", "5"), (0, 1), (), "3? 5?; empty line: take these, or type all faces as they are"),
        (
            ("3", "5"), (1,), (),
            "3 5?; empty line: take these, or type what is at each ?, or all faces as they are",
        ),
        (("3", None), (1,), (), "3 ?; type what is at each ?, or all faces as they are"),
        (("3", "5"), (1,), TWO, "3 5?, others 2 ?; empty line: take these, or type all faces as they are"),
    ],
)  # fmt: skip
def test_what_to_type_is_said_of_dice_as_they_were_read(
    faces: tuple[str | None, ...],
    doubtful: tuple[int, ...],
    others: tuple[tuple[str | None, ...], ...],
    words: str,
) -> None:
    assert in_words(Seen(1, faces, "camera", doubtful, others=others)) == words


def test_an_empty_line_does_not_take_dice_of_which_one_was_not_read(begin: Begin) -> None:
    table, out = begin(dice="camera"), io.StringIO()
    front = LinesFront(table, (), out)
    front._put()
    front._handle(Typed("dice"))
    table.offer(Seen(table.n, ("3", None), "camera", (1,)))
    front._handle(Typed(""))
    assert "! 2 faces are wanted, not 0\n" in out.getvalue()
    assert table.ask.key == "toy.climb"
    front._handle(Typed("5"))
    assert table.session.history[-1].answer == ("3", "5")


def test_a_number_says_its_range_and_what_it_was_so_far() -> None:
    assert hints(Number("k", "t", most=4)) == ["  (0 to 4)"]
    assert hints(Number("k", "t", most=4, start=3)) == ["  (0 to 4, empty line: 3)"]


def test_dice_are_called_as_on_the_display_and_several_cards_are_typed_with_spaces() -> None:
    assert hints(Roll("k", "t", dice=(Dice("okinawa.action", 1, ("1", "2")),))) == ["  1 x action: 1 2"]
    assert hints(Roll("k", "t", dice=(Dice("okinawa.d10", 1, ("0", "1"), "black"),))) == ["  1 x black: 0 1"]
    assert hints(Roll("k", "t", dice=SYMBOLS)) == [
        "  2 x red: 1:skull 2:star",
        "  1 x d10: 0 1",
        "  (3 faces in this order, with spaces between)",
    ]
    red_star = Locked("dday.red", "star")
    assert hints(Roll("k", "t", dice=SYMBOLS, locked=(red_star,)))[:2] == [
        "  stays red star",
        "  2 x red: 1:skull 2:star",
    ]
    assert hints(Pick("k", "t", options=ABC, least=2, most=2))[-1] == "  (pick 2, with spaces between)"
    assert hints(Pick("k", "t", options=ABC, least=0, most=1))[-1] == "  (pick 0-1, `none`: none of them)"
    assert hints(Draw("k", "t", options=ABC, count=2))[-1] == "  (2 of these, with spaces between)"
    assert hints(Draw("k", "t", options=ABC))[-1] == "  3. C"
    assert hints(Draw("k", "t", options=ABC), ["b"])[-1] == "  (empty line: B, as drawn before)"


def test_a_word_that_fits_nothing_is_refused_and_the_ask_stands(tmp_path: Path) -> None:
    text = say(tmp_path, "up", "6", "", "2")
    assert "! a number from 1 to 5 is wanted, not 'up'\n" in text
    assert "! a number from 1 to 5 is wanted, not '6'\n" in text
    assert "! a number from 1 to 5 is wanted\n[" in text


def test_undo_board_and_override_are_words(tmp_path: Path) -> None:
    text = say(tmp_path, "2", "undo", "set bag.stones = 9", "board", "help", "quit")
    assert "Throw" in text
    assert "Hill:\n  Height 0" in text


def test_what_an_undo_changes_on_the_table_is_told_once_above_the_ask(tmp_path: Path) -> None:
    text = say(tmp_path, "dice", "undo", "help", "stones", "undo", "quit")
    assert text.count("* Put the table right:") == 1
    assert "\n* Put the table right:\nHill:\n  Height 0\n[4] Which way?\n" in text


def test_the_board_and_the_reasons_are_told_with_the_ask_below_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Table, "why", lambda _: ["OKI-001 because", "OKI-002 so"])
    text = say(tmp_path, "board", "why")
    ask = "\n[1] Which way?\n"
    assert f"\n== Toy ==\nHill:\n  Height 0{ask}" in text
    assert f"\nOKI-001 because\nOKI-002 so{ask}" in text


def test_what_more_there_is_to_an_ask_stands_below_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = Choose("toy.way", "Which way?", "Dice go up.\nStones stay.", options=ABC)
    monkeypatch.setattr(Toy, "ways", lambda _: way)
    assert "\n[1] Which way?\n    Dice go up.\n    Stones stay.\n  1. A\n" in say(tmp_path)


def test_redo_by_itself_takes_up_one_decision(tmp_path: Path) -> None:
    assert say(tmp_path, "stones", "2", "undo 2", "redo").count("How many stones?") == 2


def test_dice_that_lie_there_since_before_an_undo_are_taken_with_an_empty_line(tmp_path: Path) -> None:
    text = say(tmp_path, "dice", "1 6", "undo", "dice", "", dice="manual")
    assert "  (empty line: 1 6, as they lie)\n" in text
    assert text.count("Height 6") == 2


def test_a_policy_that_plays_along_answers_from_the_first_decision_on(begin: Begin) -> None:
    out = io.StringIO()
    LinesFront(begin("cautious"), (), out).run()
    assert "(auto:cautious)\n" in out.getvalue()


def test_dice_that_fell_into_a_tower_still_count_when_something_else_was_typed(begin: Begin) -> None:
    table, tower = begin(dice="serial"), SerialDice()
    front = LinesFront(table, (), io.StringIO(), tower)
    front._put()
    front._handle(Typed("dice"))
    tower.heard(PadDice("d6", ("3",), time.monotonic()))
    front._handle(Typed("help"))
    tower.heard(PadDice("d6", ("5",), time.monotonic()))
    front._handle(front._events.get(timeout=5))
    assert table.session.history[-1].answer == ("3", "5")


def test_of_too_many_dice_all_faces_are_typed_also_where_one_is_in_doubt(begin: Begin) -> None:
    table, out = begin(dice="camera"), io.StringIO()
    front = LinesFront(table, (), out)
    front._put()
    front._handle(Typed("dice"))
    front._handle(Seen(table.n, ("3", "5"), "camera", (1,), others=(("4",), ("4",))))
    front._handle(Typed("4", at=float("inf")))
    assert out.getvalue().endswith("! 2 faces are wanted, not 1\n")
    front._handle(Typed("3 4", at=float("inf")))
    assert table.session.history[-1].answer == ("3", "4")


def test_rolled_dice_are_typed_with_spaces(tmp_path: Path) -> None:
    text = say(tmp_path, "dice", "3 6", "", dice="manual")
    assert "2 x d6: 1 2 3 4 5 6" in text
    assert "Height 6" in text


@pytest.mark.parametrize(
    ("question", "line", "answer"),
    [
        (Show("k", "t"), "", True),
        (Show("k", "t"), "OK", True),
        (Choose("k", "t", options=ABC), "2", "b"),
        (Choose("k", "t", options=ABC), "c", "c"),
        (Choose("k", "t", options=ABC), "2.", "b"),
        (Choose("k", "t", options=SPACES), "1.", "3"),
        (Choose("k", "t", options=SPACES), "to 1", "1"),
        (Choose("k", "t", options=(Option("2", "Tank"), Option("1", "Nest"))), "tank", "2"),
        (Choose("k", "t", options=(Option("a", "Their soldier's own"),)), "Their soldier's own", "a"),
        (Choose("k", "t", options=SPACES), "1", "1"),
        (Choose("k", "t", options=SPACES), "2", "1"),
        (Choose("k", "t", options=MINES), "1", "0"),
        (Choose("k", "t", options=MINES), "3", "2"),
        (Choose("k", "t", options=MINES), "0", "0"),
        (Choose("k", "t", options=TWENTY), "12", "t12"),
        (Choose("k", "t", options=TWENTY), "20.", "t20"),
        (Pick("k", "t", options=MINES, most=2), "1 2", ["0", "1"]),
        (Pick("k", "t", options=ABC, most=2), "1 c", ["a", "c"]),
        (Pick("k", "t", options=ABC, most=2), "", []),
        (Pick("k", "t", options=ABC, most=2), "None", []),
        (Number("k", "t", most=9), "7", 7),
        (Number("k", "t", most=9, start=4), "", 4),
        (Number("k", "t", most=9, start=0), "", 0),
        (Number("k", "t", most=9, start=4), "0", 0),
        (Number("k", "t", least=-3, most=9), "-2", -2),
        (Roll("k", "t", dice=(Dice("d6", 2, ("1", "2")),)), "1 2", ["1", "2"]),
        (Roll("k", "t", dice=SYMBOLS), "2 skull 1", ["star", "skull", "1"]),
        (Roll("k", "t", dice=SYMBOLS), "2:star 1:skull 1", ["star", "skull", "1"]),
        (Roll("k", "t", dice=SYMBOLS), "2", ["2"]),
        (Roll("k", "t", dice=SYMBOLS), f"{'9' * 5000} 0 0", ["9" * 5000, "0", "0"]),
        (Draw("k", "t", deck="d", options=ABC), "b", ["b"]),
    ],
)
def test_what_a_typed_line_means(question: Show, line: str, answer: object) -> None:
    assert typed_answer(question, line) == answer


def test_in_a_narrow_terminal_no_number_stands_apart_from_its_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    many = tuple(Option(str(at), f"P{at}: 5 from N-F32") for at in range(10, 44))
    assert hints(Choose("k", "Move whom?", options=many)) == numbered(many)
    short = tuple(Option(str(at), f"P{at}") for at in range(10, 44))
    lines = hints(Choose("k", "Move whom?", options=short))
    assert lines[0].split() == ["1.", "P10", "2.", "P11", "3.", "P12", "4.", "P13"]
    assert max(map(len, lines)) < 40


def test_a_long_option_stands_alone_and_leaves_the_short_ones_side_by_side() -> None:
    short = [Option(f"s{at}", f"f{at}") for at in range(17)]
    long = Option("save", "save it, but only as far as it was compared with my copy")
    lines = hints(Choose("k", "t", options=(long, *short, long, short[0])))

    assert [" ".join(line.split()) for line in lines] == [
        f"1. {long.label}",
        "2. f0 3. f1 4. f2 5. f3 6. f4 7. f5 8. f6 9. f7",
        "10. f8 11. f9 12. f10 13. f11 14. f12 15. f13 16. f14 17. f15",
        "18. f16",
        f"19. {long.label}",
        "20. f0",
    ]


def test_an_empty_line_takes_the_dice_or_the_card_that_lie_there() -> None:
    assert typed_answer(Roll("k", "t", dice=(Dice("d6", 2, ("1", "2")),)), "", ("2", "2")) == ["2", "2"]
    assert typed_answer(Draw("k", "t", deck="d", options=ABC), "", ("b",)) == ["b"]
    assert typed_answer(Draw("k", "t", deck="d", options=ABC), "") == []


@pytest.mark.parametrize(
    ("line", "message"),
    [("x", "no whole number"), ("", "^a whole number is wanted$"), ("'", "No closing quotation")],
)
def test_what_means_nothing_is_refused(line: str, message: str) -> None:
    with pytest.raises(BadAnswer, match=message):
        typed_answer(Number("k", "t", most=9), line)


def test_a_place_with_its_dot_is_no_other_option_of_that_number() -> None:
    with pytest.raises(BadAnswer, match=r"^a number from 1 to 2 is wanted, not '3'$"):
        typed_answer(Choose("k", "t", options=SPACES), "3.")
    with pytest.raises(BadAnswer, match=r"^a number from 1 to 2 is wanted, not '2x'$"):
        typed_answer(Choose("k", "t", options=SPACES), "2x")


@pytest.mark.parametrize(
    ("question", "answer", "message"),
    [
        (Roll("k", "t", dice=(Dice("d6", 1, ("1", "2")),)), ["1", "2"], "^1 face is wanted, not 2$"),
        (Roll("k", "t", dice=SYMBOLS), ["skull"], "^3 faces are wanted, not 1$"),
        (Draw("k", "t", options=ABC), ["a", "b"], "^1 is wanted, not 2$"),
        (Draw("k", "t", options=ABC, count=2), ["a", "a"], "^of A the deck can have 1, not 2$"),
    ],
)
def test_too_many_or_few_dice_and_cards_are_counted_in_words(
    question: Roll | Draw, answer: list[str], message: str
) -> None:
    with pytest.raises(BadAnswer, match=message):
        question.accept(answer)


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [("health = 3", "health", 3), ("row.2.card=A", "row.2.card", "A"), ('x = ["a"]', "x", ["a"])],
)
def test_an_override_is_typed_as_an_assignment(text: str, path: str, value: object) -> None:
    assert assignment(text) == (path, value)


@pytest.mark.parametrize("text", ["health", "health =", "= 3", "=", ""])
def test_an_override_without_a_path_or_a_value_is_refused(text: str) -> None:
    with pytest.raises(BadAnswer, match="write it like health = 3"):
        assignment(text)


@pytest.mark.parametrize("line", ["5", "qu", "bord"])
def test_only_an_empty_line_goes_on_from_what_is_to_be_read(line: str) -> None:
    with pytest.raises(BadAnswer, match="an empty line goes on"):
        typed_answer(Show("k", "t"), line)


def test_undo_and_redo_take_so_many_decisions_or_none(table: Table) -> None:
    sets = [f"set bag.stones = {stones}" for stones in (5, 6, 7)]
    out = io.StringIO()
    LinesFront(table, [*sets, "undo  3", "redo 2"], out).run()
    assert table.session.state["bag"]["stones"] == 6
    LinesFront(table, ["undo x", "undo -1", "undo 0", "redo 0", "redo 1.5"], out).run()
    assert table.session.state["bag"]["stones"] == 6
    assert out.getvalue().count("! ") == 5
    assert out.getvalue().count("! undo takes back 1 decision or more") == 2
    assert out.getvalue().count("! redo takes up 1 decision or more") == 1
    LinesFront(table, ["redo  9"], out).run()
    assert table.session.state["bag"]["stones"] == 7


def test_a_question_mark_is_answered_with_the_words_and_q_with_the_right_one(tmp_path: Path) -> None:
    text = say(tmp_path, "?", "q", "exit", "2", "?", "q")
    assert text.count(HELP) == 3
    assert text.count("`quit` saves and leaves") == 3
    assert text.count("How many stones?") == 2


@pytest.mark.parametrize("word", ["Q", "exit"])
def test_an_option_called_like_a_word_that_people_leave_with_can_be_typed(
    table: Table, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    """As the Scenario letter Q of an Okinawa Objective that is entered at the table."""
    letters = Choose("letter", "Its letter", options=(Option("P", "P"), Option(word, "It")))
    out, said = io.StringIO(), []
    monkeypatch.setattr(Table, "ask", letters)
    monkeypatch.setattr(table, "answer", lambda n, answer: said.append(answer))
    LinesFront(table, [word, "q", "2"], out).run()
    assert said == [word, word]
    assert out.getvalue().count("`quit` saves and leaves") == 1


def test_words_may_begin_with_a_capital(tmp_path: Path) -> None:
    text = say(tmp_path, "2", "Undo", "Board", "Quit", "1")
    assert "Hill:\n  Height 0" in text
    assert "! " not in text


@pytest.mark.parametrize(
    "line",
    [
        "--5",
        "9" * 5000,
        "-" + "9" * 5000,
        "undo " + "9" * 5000,
        "set x = " + "[" * 5000,
        "set x = \udcff",
        "set x = " + "9" * 5000,
        " " * 70000,
        "x" * 70000,
        "\udcff",
        "\x00",
        "'",
    ],
)
def test_r8_a_line_that_means_nothing_is_refused_and_the_ask_stands(tmp_path: Path, line: str) -> None:
    choosing = say(tmp_path / "choose", line, "2")
    counting = say(tmp_path / "count", "2", line, "3")
    assert choosing.count("! ") == 1
    assert choosing.count("How many stones?") == 1
    assert counting.count("! ") == 1
    assert counting.count("How many stones?") == 1


def test_r8_a_line_without_an_end_is_read_in_part_and_the_next_one_whole() -> None:
    stream = io.StringIO("one\n" + "x" * (3 * LONGEST) + "\ntwo\n" + "y" * LONGEST)
    one, long, two, last = lines_from(stream)
    assert (one, two) == ("one\n", "two\n")
    assert len(last) == len(checked(last)) == LONGEST
    with pytest.raises(BadAnswer, match=f"a line of more than {LONGEST} characters"):
        checked(long)


def test_r8_after_a_line_that_is_one_too_long_the_next_one_is_heard() -> None:
    for long in ("x" * LONGEST, "x" * (LONGEST + 1), "x" * (LONGEST + 2)):
        assert [*lines_from(io.StringIO(f"{long}\ntwo\n"))][1:] == ["two\n"]


def test_r8_bytes_that_are_no_text_are_a_line_like_any_other() -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\nboard\n"), encoding="utf-8", errors="strict")
    assert list(lines_from(stream)) == ["\ufffd\ufffd\n", "board\n"]


class Broken(io.StringIO):
    def readline(self, size: int = -1) -> str:
        line = super().readline(size)
        if not line:
            raise OSError(5, "Input/output error")
        return line


def test_r8_a_stream_that_breaks_or_was_never_open_has_ended() -> None:
    closed = io.StringIO("one\n")
    closed.close()
    assert list(lines_from(Broken("one\n"))) == ["one\n"]
    assert list(lines_from(closed)) == list(lines_from(None)) == []


@pytest.mark.parametrize("seed", range(5))
def test_r8_mangled_bytes_never_break_the_plain_front(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    sound = [b"1", b"2", b"", b"undo 2", b"redo", b"board", b"set bag.stones = 3", b'set picked = ["a"]']
    data = b"\n".join(mangled(rng.choice(sound), rng.choice(sound), rng) for _ in range(200))
    stream = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="strict")
    assert say(tmp_path, *lines_from(stream), dice="manual").count("\n[") > 20


def test_a_question_is_put_under_its_own_number_also_where_a_phone_answers_just_then(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, out, ask = begin(), io.StringIO(), Table.ask.fget

    def answer_if_it_may() -> None:
        if table.lock.acquire(blocking=False):
            table.answer(table.n, "stones", "phone")
            table.lock.release()

    def read_late(read: Table) -> object:
        monkeypatch.setattr(Table, "ask", property(ask))
        phone = threading.Thread(target=answer_if_it_may)
        phone.start()
        phone.join()
        return ask(read)

    monkeypatch.setattr(Table, "ask", property(read_late))
    LinesFront(table, [], out)._put()
    assert f"[{table.n}] {table.ask.text}" in out.getvalue()
