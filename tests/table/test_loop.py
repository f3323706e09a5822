"""The loop at the table: presses, readers and phones on one session."""

import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue

import pytest

from companion.engine import Evidence, Session, autoplay
from companion.engine.asks import Option, Pick, Roll
from companion.engine.game import Board, Panel
from companion.engine.records import RolledDie
from companion.screens.console import Console
from companion.screens.intents import Button
from companion.table.dice import Post
from companion.table.events import Changed, Closed, Events, Habits, Notice, Press, Seen, Tick, Typed, next_of
from companion.table.loop import LOCKOUT, Loop
from companion.table.table import Table
from tests.engine.toy import Toy
from tests.table.conftest import Begin


class FakeDice:
    def __init__(self) -> None:
        self.watched: list[int] = []
        self.passed = self.rested = 0
        self.closed = False

    def watch(self, n: int, roll: Roll, post: Post) -> None:
        assert roll.kind == "roll"
        self.watched.append(n)

    def pass_over(self) -> None:
        self.passed += 1

    def rest(self) -> None:
        self.rested += 1

    def close(self) -> None:
        self.closed = True


class Drawn:
    def __init__(self) -> None:
        self.titles: list[str] = []

    def draw(self, console: Console) -> None:
        self.titles.append("\n".join(console.screen().lines()))


@pytest.fixture
def dice() -> FakeDice:
    return FakeDice()


@pytest.fixture
def loop(begin: Begin, dice: FakeDice) -> Loop:
    return Loop(begin(dice="camera"), SimpleQueue(), [Drawn()], dice)


def press(loop: Loop, button: str, at: float) -> None:
    loop.handle(Press(Button(button), at))


def play(loop: Loop, *buttons: str) -> None:
    for button in buttons:
        loop.handle(Press(Button(button), keyboard=True))


def test_a_press_answers_the_open_ask(loop: Loop) -> None:
    play(loop, "down", "ok")
    assert loop.table.ask.key == "toy.stones"


def test_a_press_that_marks_one_too_many_is_said_and_nothing_is_answered(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = tuple(Option(one, one) for one in "abc")
    monkeypatch.setattr(Table, "ask", property(lambda _: Pick("toy.two", "Two?", options=options, most=1)))
    loop.console = Console(loop.table)
    n = loop.table.n
    play(loop, "ok", "up", "ok")
    assert (loop.table.notice, loop.table.n) == ("1 at most: unmark one", n)
    play(loop, "down")
    assert loop.table.notice == ""


def test_a_decision_is_taken_back_and_taken_up_again_in_the_menu(loop: Loop) -> None:
    play(loop, "down", "ok", "back", "ok")
    assert (loop.table.ask.key, loop.table.undoable) == ("toy.way", "")
    play(loop, "back", "ok")
    assert (loop.table.ask.key, loop.table.redoable) == ("toy.stones", "")


def test_after_several_undos_and_redos_all_that_they_changed_is_told_until_the_next_answer(
    table: Table,
) -> None:
    for given in ("stones", 1, True, "dice", True):
        table.answer(table.n, given)
    climbed = table.board().panels
    table.undo()
    back = table.changed.panels
    assert back == table.board().panels != climbed
    table.undo()
    assert table.changed.panels == back
    table.redo()
    assert table.changed.panels == back
    table.redo()
    assert table.changed.panels == climbed
    table.answer(table.n, "stones")
    assert table.changed is None
    table.undo()
    assert table.changed is None


def test_what_undos_and_redos_changed_is_told_again_by_who_goes_on_before_the_next_answer(
    begin: Begin, tmp_path: Path
) -> None:
    """Who stopped, or was stopped, may not have read it."""
    session = begin().session
    changed = None
    for step in ("stones", 1, True, "dice", True, "undo", "undo", "redo", "redo", "stones", "undo"):
        session.close()
        with Session.resume(session.journal, session.game, session.meta.id) as session:
            table = Table(session, tmp_path)
            assert table.changed == changed
            assert changed or step != "redo"
            if step in ("undo", "redo"):
                getattr(table, step)()
            else:
                table.answer(table.n, step)
            changed = table.changed


def test_a_session_goes_on_where_what_was_undone_can_not_be_drawn_any_more(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def board(toy: Toy) -> Board:
        return Board("Toy", (Panel("Hill", (str(1 // (toy.state.height == 0)),)),))

    table.answer(table.n, "dice")
    table.undo()
    assert table.changed is not None
    table.session.close()
    monkeypatch.setattr(Toy, "board", board)
    with Session.resume(table.session.journal, table.session.game, table.session.meta.id) as session:
        again = Table(session, tmp_path)
        assert again.changed is None
        assert again.board().panels[0].lines == ("1",)


@pytest.mark.parametrize("keys", [("back",), ("menu", "up", "up", "ok", "ok", "up")])
def test_r12_what_the_menu_offered_before_a_phone_answered_is_not_done_to_that_answer(
    loop: Loop, keys: Sequence[str]
) -> None:
    """The phone's answer was being written when OK was pressed: neither undone nor set over."""
    play(loop, "down", "ok", *keys)
    loop.table.answer(loop.table.n, 2, by="phone")
    play(loop, "ok")
    assert loop.table.undoable == "How many stones? 2"
    assert loop.table.session.play.state.height == 0
    assert loop.console.n == loop.table.n


def test_r12_ok_just_after_the_prompt_changed_was_meant_for_the_old_one(loop: Loop) -> None:
    play(loop, "down")
    press(loop, "ok", at=1e9)
    assert loop.table.ask.key == "toy.stones"
    changed = loop._changed_at
    press(loop, "ok", at=changed + LOCKOUT / 2)
    assert loop.table.ask.key == "toy.stones"
    shown = loop.console.screen()
    press(loop, "down", at=changed + LOCKOUT / 2)
    assert loop.console.screen() != shown
    press(loop, "up", at=changed + LOCKOUT / 2)
    press(loop, "ok", at=changed + LOCKOUT * 2)
    assert loop.table.ask.key == "toy.turn"


@pytest.mark.parametrize(
    "reading", [{"habits": Habits(confirm=True)}, {"doubtful": (1,)}, {"others": ((), ("6",))}]
)
def test_r12_ok_just_after_a_reading_appeared_was_not_meant_for_it(
    loop: Loop, reading: dict[str, object]
) -> None:
    play(loop, "ok")
    n = loop.table.n
    loop._changed_at -= 10  # the roll has been open for a while
    appeared = time.monotonic()
    loop.handle(Seen(n, ("3", "5"), "camera", **reading))
    for at in (appeared - 1, appeared, appeared + LOCKOUT / 2):
        press(loop, "ok", at=at)
        loop.handle(Press(Button.OK, at, keyboard=True))
    assert loop.table.n == n
    late = time.monotonic() + LOCKOUT
    loop.handle(Seen(n - 1, ("1", "1"), "camera"))
    while loop.table.n == n:
        press(loop, "ok", at=late)
    assert loop.table.session.history[-1].answer == ("3", "5")


def test_r12_a_key_meant_for_the_roll_answers_nothing_where_read_dice_were_long_in_being_written(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(loop, "ok")
    n, offer = loop.table.n, loop.table.offer
    monkeypatch.setattr(loop.table, "offer", lambda seen: (offer(seen), time.sleep(LOCKOUT)))
    loop.handle(Seen(n, ("3", "5"), "camera"))
    play(loop, "ok")
    assert loop.table.n == n + 1


def test_the_reader_watches_exactly_while_a_roll_is_open(loop: Loop, dice: FakeDice) -> None:
    play(loop, "ok")
    assert dice.watched == [loop.table.n]
    play(loop, "ok", "ok", "ok")
    assert loop.table.ask.key == "toy.turn"
    assert dice.rested == 1


def test_a_roll_that_is_open_when_a_session_goes_on_is_watched_before_anything_is_pressed(
    loop: Loop, dice: FakeDice
) -> None:
    loop.table.answer(loop.table.n, "dice")
    loop.events.put(Closed())
    loop.run()
    assert dice.watched == [loop.table.n]


def test_where_dice_lie_that_an_undo_kept_the_reader_passes_the_roll_over(loop: Loop, dice: FakeDice) -> None:
    play(loop, "ok")
    loop.handle(Seen(loop.table.n, ("3", "5"), "camera"))
    loop.table.undo()
    loop.handle(Changed())
    press(loop, "ok", at=time.monotonic() + LOCKOUT)  # what has to be put right is read
    press(loop, "ok", at=time.monotonic() + LOCKOUT)
    assert loop.table.kept == ("3", "5")
    assert (len(dice.watched), dice.passed) == (1, 1)


def test_what_a_device_says_is_told_to_everybody_and_comes_by_part_after_part(loop: Loop) -> None:
    told: list[str] = []
    loop.table.observe(lambda _: told.append(loop.table.notice))
    words = " ".join(f"word{n}" for n in range(20))
    loop.handle(Notice(words))
    assert told == [words]
    shown = set()
    for _ in range(60):
        shown.add(loop.console.screen())
        loop.handle(Tick())
    assert len(shown) > 2


def test_of_dice_that_a_camera_read_everybody_is_told_until_a_phone_moves_on(loop: Loop) -> None:
    table, told = loop.table, [""]
    table.observe(lambda _: told.append(table.notice))
    table.answer(table.n, "dice")
    loop.handle(Notice("throw 2 dice"))
    loop.handle(Seen(table.n, ("3", "5"), "camera"))
    loop.handle(Changed())
    assert told[-1] == "camera: 3 5"
    table.answer(table.n, True, "phone")
    loop.handle(Changed())
    assert told[-1] == table.notice == ""


def test_what_was_said_of_an_open_roll_is_said_no_more_when_a_phone_has_answered_it(loop: Loop) -> None:
    table = loop.table
    loop.handle(Notice("no pad"))
    table.answer(table.n, "dice", "phone")
    loop.handle(Changed())
    assert table.notice == "no pad", "of no roll: the next key takes it away"
    loop.handle(Notice("throw 2 dice"))
    table.tell()
    loop.handle(Changed())
    assert table.notice == "throw 2 dice"
    table.answer(table.n, ["3", "5"], "phone")
    loop.handle(Changed())
    assert table.notice == ""


def test_r12_who_types_an_answer_may_type_the_next_at_once(loop: Loop) -> None:
    table = loop.table
    loop._typed = lambda text, _: table.answer(table.n, "stones" if table.ask.key == "toy.way" else int(text))
    for text in ("1", "2"):
        loop.handle(Typed(text))
        loop.handle(Changed())
    assert table.ask.key == "toy.turn"


def test_r12_a_digit_just_after_a_phone_has_answered_was_typed_for_the_old_prompt(loop: Loop) -> None:
    typed: list[str] = []
    loop._typed = lambda text, _: typed.append(text)
    loop.table.answer(loop.table.n, "stones", "phone")
    loop.handle(Changed())
    now = loop._changed_at
    for key, at in (("2", now), ("2", now - 1), ("q", now), ("3", now + 2 * LOCKOUT)):
        loop.handle(Typed(key, at))
    assert typed == ["q", "3"]


def test_r12_an_ok_that_led_to_the_table_does_not_answer_its_first_prompt(loop: Loop) -> None:
    n = loop.table.n
    loop.events.put(Press(Button.OK, time.monotonic() + LOCKOUT / 2))
    loop.events.put(Closed())
    loop.run()
    assert loop.table.n == n


def test_who_looks_on_is_told_of_whatever_moves_the_table(loop: Loop) -> None:
    table, told = loop.table, []
    table.observe(lambda _: told.append((table.ask.key, table.undoable)))
    moves = (
        (lambda: table.answer(table.n, "stones"), ("toy.stones", "Stones")),
        (table.undo, ("toy.way", "")),
        (table.redo, ("toy.stones", "Stones")),
        (lambda: table.override("height", 3), ("toy.stones", "set height")),
    )
    for move, seen in moves:
        told.clear()
        move()
        assert told[-1] == seen


def test_who_looks_on_is_told_of_dice_that_somebody_has_to_say(loop: Loop) -> None:
    table, told = loop.table, []
    table.answer(table.n, "dice")
    table.observe(lambda _: told.append(table.in_view.faces))
    table.offer(Seen(table.n, ("3", None), "camera", doubtful=(1,)))
    assert told == [("3", None)]


def test_dice_that_an_undo_kept_are_taken_again_after_a_restart_too(loop: Loop, tmp_path: Path) -> None:
    play(loop, "ok")
    loop.handle(Seen(loop.table.n, ("3", "5"), "camera"))
    table = Table(loop.table.session, tmp_path)
    table.undo()
    table.answer(table.n, "dice")
    assert table.kept == ("3", "5")
    table.answer(table.n, list(table.kept))
    assert table.session.history[-1].answer == ("3", "5")


def test_dice_that_are_read_for_a_roll_that_was_entered_meanwhile_are_passed_over(loop: Loop) -> None:
    play(loop, "ok")
    n = loop.table.n
    loop.table.answer(n, ["3", "5"])
    for doubtful in ((), (0,)):
        loop.table.offer(Seen(n, ("1", "1"), "camera", doubtful))
    assert (loop.table.n, loop.table.session.history[-1].answer) == (n + 1, ("3", "5"))


def test_why_a_bot_passed_over_lines_of_its_card_is_told_to_who_asks_and_takes_no_presses(
    begin: Begin,
) -> None:
    table = begin(game="undaunted", seed=3)
    while not (table.ask and table.ask.because):
        assert table.ask is not None
        table.answer(table.n, autoplay.at_first(table.ask))
    assert not [line for line in table.ask.detail.splitlines() if line.startswith("Not ")]
    assert set(table.ask.because) <= set(table.why())
    assert all(line.startswith("Not ") for line in table.ask.because)


def test_why_tells_what_the_box_rolled_by_itself_and_what_for(begin: Begin, tmp_path: Path) -> None:
    with (before := begin(game="undaunted", seed=3)).session as session:
        while not any("Attack" in asked.text and "Not 1" in asked.detail for asked, _ in session.unread):
            assert session.ask is not None
            session.answer(session.n, autoplay.at_first(session.ask))
        told = before.unread()
    with Session.resume(session.journal, session.game, session.meta.id) as again:
        table = Table(again, tmp_path)
        assert table.why() == [*told, *(f"{one.id} {one.words}" for one in table.reasons())]
        attack = next(one for one in told if "Attack 1 on US" in one)
        defence = "Defence 4 + cover 3 + range 2 = 9."
        reason = f"{defence} Line 4. (stand-in card)\nNot 1: tile 8A has no points to claim."
        assert f"\n{reason}\n" in attack
        table.answer(table.n, True)
        assert attack not in table.why()


@pytest.mark.parametrize("name", ["okinawa", "undaunted"])
def test_why_gives_no_hints_for_dice_and_cards_by_hand_of_what_the_box_rolled_and_drew(
    name: str, begin: Begin
) -> None:
    hints = ("means 10", "drawn again", "by hand", "Name them as they come")
    asked, told = [], []
    for options in ({}, {"riflemen": "random"}) if name == "okinawa" else ({},):
        table = begin(game=name, seed=3, settings=options)
        for _ in range(40):
            asked += [one.detail for one, _ in table.session.unread]
            told += table.unread()
            table.session.answer(table.n, autoplay.at_first(table.ask))
    assert any(hint in detail for detail in asked for hint in hints)
    assert not [words for words in told if any(hint in words for hint in hints)]


def test_why_tells_the_rules_of_the_open_ask_or_that_there_is_none(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begin(game="okinawa")
    assert table.reasons()
    assert table.why() == [f"{one.id} {one.words}" for one in table.reasons()]
    monkeypatch.setattr(table, "cited", list)
    assert table.why() == ["No rule of the book: this is the box's own question."]
    monkeypatch.setattr(Table, "ask", None)
    assert table.why() == ["The game is over."]


def test_dice_that_an_undo_kept_are_not_said_to_be_misread_as_others_with_the_same_faces_were(
    loop: Loop,
) -> None:
    table = loop.table
    for read in (("3", "5"), ("2", "5")):
        while not isinstance(table.ask, Roll):
            table.answer(table.n, "dice" if table.ask.kind == "choose" else True)
        evidence = Evidence(tuple(RolledDie("d6", face, "camera") for face in read))
        table.offer(Seen(table.n, read, "camera", (0,), evidence))
        table.answer(table.n, ["3", "5"])
    table.undo(2)
    table.answer(table.n, "dice")
    assert table.kept == ("3", "5")
    table.answer(table.n, ["3", "5"])
    rolls = table.session.journal.rolls(table.session.meta.id).values()
    assert [[die.read for die in dice] for dice in rolls] == [[None, None], ["2", None], [None, None]]


@pytest.mark.parametrize(("again", "read"), [(False, None), (True, "5")], ids=["at first", "after an undo"])
def test_dice_that_are_out_by_now_were_read_wrong_where_that_is_said_after_an_undo(
    again: bool, read: str | None, loop: Loop
) -> None:
    """Those of an open roll that are out were not the ones that were thrown."""
    table, out = loop.table, list[bool]()
    table.answer(table.n, "dice")
    evidence = Evidence(tuple(RolledDie("d6", face, "camera") for face in "35"))
    table.offer(Seen(table.n, ("3", "5"), "camera", (0,), evidence, are_out=lambda: bool(out)))
    if again:
        table.answer(table.n, ["3", "5"])
        table.undo(2)
        table.answer(table.n, "dice")
    out.append(True)
    table.answer(table.n, ["3", "4"])
    *_, dice = table.session.journal.rolls(table.session.meta.id).values()
    assert [die.read for die in dice] == [None, read]


def test_a_notice_stays_where_nothing_was_learnt_that_was_wrong(loop: Loop) -> None:
    table = loop.table
    table.answer(table.n, "dice")
    evidence = Evidence(tuple(RolledDie("d6", face, "camera") for face in "35"))
    table.offer(Seen(table.n, ("3", "5"), "camera", (0,), evidence, unlearn=lambda _: ""))
    table.answer(table.n, ["3", "5"])
    table.undo(2)
    table.answer(table.n, "dice")
    table.notice = "the disk is full"
    table.answer(table.n, ["3", "5"])
    assert table.notice == "the disk is full"


def test_dice_that_an_undo_kept_are_learnt_from_once(loop: Loop) -> None:
    table, learnt = loop.table, list[object]()

    def learn(faces: Sequence[str]) -> str:
        learnt.append([*faces])
        return "learnt"

    table.answer(table.n, "dice")
    evidence = Evidence(tuple(RolledDie("d6", face, "camera") for face in "35"))
    table.offer(Seen(table.n, ("3", "5"), "camera", (0,), evidence, learn=learn))
    table.answer(table.n, ["3", "5"], teach=True)
    table.undo(2)
    table.answer(table.n, "dice")
    table.answer(table.n, ["3", "5"], teach=True)
    assert learnt == [["3", "5"]]


def test_a_reader_is_told_what_a_person_says_of_its_dice_also_when_an_undo_kept_them(loop: Loop) -> None:
    table, told = loop.table, list[object]()
    table.answer(table.n, "dice")
    evidence = Evidence(tuple(RolledDie("d6", face, "camera") for face in "35"))
    table.offer(Seen(table.n, ("3", "5"), "camera", (0,), evidence, answered=told.append))
    table.answer(table.n, ["4", "5"])
    table.undo(2)
    table.answer(table.n, "dice")
    table.answer(table.n, ["6", "5"])
    assert told == [["4", "5"], ["6", "5"]]


def test_who_stops_looking_on_while_being_told_keeps_the_news_from_nobody(loop: Loop) -> None:
    told: list[str] = []

    def once(_: object) -> None:
        told.append("once")
        stop()

    stop = loop.table.observe(once)
    loop.table.observe(lambda _: told.append("always"))
    for _ in range(2):
        loop.table.tell()
    assert told == ["once", "always", "always"]


def test_a_policy_that_plays_along_leaves_real_dice_and_cards_to_people(begin: Begin) -> None:
    table = begin("random", dice="manual", cards="manual")
    table.settle()
    assert table.ask.is_chance


def test_dice_that_a_phone_names_just_as_they_are_read_are_not_said_to_be_the_cameras(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(loop, "ok")
    table, n, offer = loop.table, loop.table.n, loop.console.offer

    def answer_if_it_may() -> None:
        if table.lock.acquire(blocking=False):
            table.answer(n, ["1", "1"], "phone")
            table.lock.release()

    def slowly(*args: object) -> None:
        offer(*args)
        phone = threading.Thread(target=answer_if_it_may)
        phone.start()
        phone.join()

    monkeypatch.setattr(loop.console, "offer", slowly)
    loop.handle(Seen(n, ("3", "5"), "camera"))
    rolled = table.session.history[-1]
    assert table.foot == f"{rolled.by}: {' '.join(rolled.answer)}"


def test_dice_that_were_read_for_sure_are_taken_at_once(loop: Loop) -> None:
    play(loop, "ok")
    loop.handle(Seen(loop.table.n, ("3", "5"), "camera"))
    assert loop.table.ask.key == "toy.turn"
    assert loop.table.session.play.state.height == 5
    assert loop.table.session.history[-1].by == "camera"
    assert loop.table.foot == "camera: 3 5"


def test_a_doubtful_die_waits_for_the_player(loop: Loop) -> None:
    play(loop, "ok")
    loop.handle(Seen(loop.table.n, ("3", "5"), "camera", doubtful=(1,)))
    assert loop.table.ask.key == "toy.climb"
    for button in ("up", "ok"):
        press(loop, button, time.monotonic() + LOCKOUT)
    assert loop.table.session.history[-1].answer == ("3", "6")


def test_a_reading_for_a_roll_that_is_over_is_ignored(loop: Loop) -> None:
    play(loop, "ok")
    n = loop.table.n
    play(loop, "ok", "ok", "ok")
    loop.handle(Seen(n, ("6", "6"), "camera"))
    assert loop.table.ask.key == "toy.turn"
    assert loop.table.session.play.state.height == 1


def test_a_refused_deed_is_told_in_the_last_row_and_the_ask_stands(loop: Loop) -> None:
    play(loop, "ok")
    loop.handle(Seen(loop.table.n, ("3", "9"), "camera"))
    assert "no face '9'" in loop.table.notice
    assert loop.table.ask.key == "toy.climb"


def test_a_failing_device_is_told_until_the_next_press(loop: Loop) -> None:
    loop.handle(Notice("camera gone: enter dice"))
    assert loop.table.foot == "camera gone: enter dice"
    play(loop, "down")
    assert loop.table.foot == "camera dice, saved"


def test_a_refused_value_is_told_until_a_key_that_is_no_button_as_well(loop: Loop) -> None:
    loop._typed = lambda text, _: loop.table.override("height", text if text == "high" else int(text))
    loop.handle(Typed("high"))
    assert loop.table.notice.startswith("height: ")
    loop.handle(Typed("2"))
    assert loop.table.undoable == "set height"
    assert loop.table.notice == ""


def test_an_answer_from_a_phone_changes_the_screen(loop: Loop) -> None:
    loop.table.answer(loop.table.n, "stones", by="phone")
    loop.handle(Changed())
    assert "How many stones?" in "\n".join(loop.console.screen().lines())


def test_quitting_ends_the_loop_and_lets_the_reader_go(loop: Loop, dice: FakeDice) -> None:
    loop.events.put(Press(Button.MENU, keyboard=True))
    loop.events.put(Press(Button.UP, keyboard=True))
    loop.events.put(Press(Button.OK, keyboard=True))
    loop.run()
    assert dice.closed
    loop.table.tell()
    assert loop.events.empty(), "the box plays its next session with them"


def test_a_value_set_by_hand_with_buttons_restates_the_ask(loop: Loop) -> None:
    play(loop, "menu", "up", "up", "ok", "ok", "up", "ok")
    assert loop.table.session.play.state.height == 1
    assert loop.table.undoable == "set height"


def test_the_end_of_the_input_ends_the_loop(loop: Loop) -> None:
    loop.events.put(Closed())
    assert loop.run() == Closed()


def test_while_a_phones_answer_is_being_written_its_prompt_is_not_taken_for_the_next_one(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, begun = loop.table.session.journal, threading.Event()
    append = journal.append

    def slowly(*args: object) -> None:
        begun.set()
        time.sleep(0.2)
        append(*args)

    monkeypatch.setattr(journal, "append", slowly)
    phone = threading.Thread(target=loop.table.answer, args=(loop.table.n, "stones", "phone"))
    phone.start()
    begun.wait()
    loop.handle(Typed("x"))
    phone.join()
    loop.handle(Changed())
    assert "How many stones?" in "\n".join(loop.console.screen().lines())


@pytest.mark.parametrize("name", ["n", "ask", "kept", "undoable", "state", "board"])
def test_nobody_is_shown_a_table_in_the_middle_of_a_move(loop: Loop, name: str) -> None:
    def look() -> None:
        seen = getattr(loop.table, name)
        if callable(seen):
            seen()

    with loop.table.lock:
        looker = threading.Thread(target=look)
        looker.start()
        looker.join(0.05)
        assert looker.is_alive()
    looker.join()


def test_a_signal_that_another_thread_took_is_heard_while_an_event_is_waited_for() -> None:
    """As one is that comes just before the wait: it does not end the wait by itself."""
    events: Events = SimpleQueue()
    usual = signal.signal(signal.SIGUSR1, lambda *_: events.put(Closed()))
    over, later = threading.Event(), threading.Timer(15, events.put, [Closed()])
    other = threading.Thread(target=over.wait)
    other.start()
    assert other.ident is not None
    threading.Timer(0.2, signal.pthread_kill, [other.ident, signal.SIGUSR1]).start()
    later.start()
    try:
        assert next_of(events) == Closed()
    finally:
        later.cancel()
        over.set()
        other.join()
        signal.signal(signal.SIGUSR1, usual)
