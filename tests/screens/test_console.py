"""One console for all displays: what four buttons do to each kind of ask."""

from dataclasses import dataclass, field

import pytest

from companion.engine.asks import AnyAsk, Choose, Dice, Draw, Locked, Number, Option, Pick, Roll, Show
from companion.engine.errors import BadAnswer
from companion.engine.game import Board, Outcome, Panel, Result
from companion.screens.console import Console
from companion.screens.intents import Button, Intent, Override, Quit, Redo, Reply, Undo
from companion.screens.screen import COLUMNS, Screen, WayIn, headline, wrapped

D6 = ("1", "2", "3", "4", "5", "6")
ABC = tuple(Option(one, f"Option {one}") for one in "abc")


@dataclass
class FakeSight:
    ask: AnyAsk | None
    n: int = 5
    kept: tuple[str, ...] | None = None
    outcome: Outcome | None = None
    undoable: str = ""
    redoable: str = ""
    changed: Board | None = None
    foot: str = "software dice, saved"
    state: object = None
    phones: WayIn = field(default_factory=WayIn)
    reasons: list[str] = field(default_factory=lambda: ["OKI-001 because"])

    def board(self) -> Board:
        return Board("A title", (Panel("Hill", ("Height 3",)),))

    logged: tuple[str, ...] = ()

    def why(self) -> list[str]:
        return self.reasons

    def log(self, most: int) -> tuple[str, ...]:
        return self.logged[:most]


def pressed(console: Console, *buttons: str) -> Intent | None:
    """The intent of the last press; none before it may have meant anything."""
    intents = [console.press(Button(button)) for button in buttons]
    assert intents[:-1] == [None] * (len(intents) - 1)
    return intents[-1]


def shown(screen: Screen) -> str:
    return "\n".join(screen.lines())


def test_a_choice_is_the_option_under_the_bar() -> None:
    console = Console(FakeSight(Choose("k", "Which?", options=ABC)))
    assert pressed(console, "down", "down", "ok") == Reply(5, "c")


def test_the_bar_goes_round_the_ends() -> None:
    console = Console(FakeSight(Choose("k", "Which?", options=ABC)))
    assert pressed(console, "up", "ok") == Reply(5, "c")


def test_the_detail_of_an_option_is_shown_while_the_bar_is_on_it() -> None:
    options = (Option("a", "Attack", "costs 2"), Option("b", "Wait"))
    console = Console(FakeSight(Choose("k", "What now?", options=options)))
    assert [row.text for row in console.screen().rows] == ["What now?", " Attack", " costs 2", " Wait"]
    console.press(Button.DOWN)
    assert [row.text for row in console.screen().rows] == ["What now?", " Attack", " Wait"]


def test_an_option_that_is_longer_than_the_display_is_shown_from_its_start() -> None:
    options = (Option("a", "Attack"), Option("b", "Build", "word " * 60))
    console = Console(FakeSight(Choose("k", "What now?", options=options)))
    console.press(Button.DOWN)
    assert console.screen().rows[0].text == " Build"
    assert console.press(Button.OK) is None
    while (intent := console.press(Button.OK)) is None:
        assert console.screen().above
    assert intent == Reply(5, "b")


@pytest.mark.parametrize("rows", [5, 8])
@pytest.mark.parametrize("words", range(0, 60, 7))
def test_what_ok_takes_stands_under_a_bar_on_the_screen_however_one_came_there(words: int, rows: int) -> None:
    options = tuple(Option(str(one), f"Option {one} of them all with a name") for one in range(9))
    console = Console(FakeSight(Choose("k", "Which? " + "word " * words, options=options)), rows=rows)
    while " with a name" not in [row.text for row in console.screen().rows if row.style == "bar"]:
        assert console.press(Button.OK) is None
    for button, at in [("down", at) for at in (*range(1, 9), 0, 1)] + [("up", at) for at in (0, 8, 7, 6)]:
        presses = 0
        while console.at != at:  # from the first option up the text comes back before the last option
            console.press(Button(button))
            presses += 1
            assert presses == 1 or (presses < 40 and (button, at) == ("up", 8))
        bars = [row.text for row in console.screen().rows if row.style == "bar"]
        assert bars == [f" Option {at} of them all", " with a name"]
    console.point(1)
    assert " Option 1 of them all" in [row.text for row in console.screen().rows if row.style == "bar"]
    console.point(6)
    if not words:
        assert pressed(console, *["up"] * 6) is None
        assert console.screen().rows[0].text == "Which?"


def test_whatever_comes_next_is_shown_from_its_start() -> None:
    sight = FakeSight(Choose("k", "Which?", options=tuple(Option(str(n), f"Option {n}") for n in range(20))))
    console = Console(sight)
    for away in ("back", "ok"):
        sight.reasons = ["Rule " + "word " * 60]
        console.press(Button.WHY)
        while not console.turned:
            console.press(Button.DOWN)
        assert console.screen().above
        assert console.page(40) is not None
        while console.page(40) is not None:
            console.press(Button(away))
        assert not console.screen().above
        assert console.screen().below
        assert console.at == 0
    console.press(Button.UP)
    assert console.screen().above
    assert not console.screen().below
    sight.n, sight.ask = 6, Show("k", "Next " + "word " * 60)
    assert console.refresh()
    assert console.screen().rows[0].text.startswith("Next")


def test_a_text_is_turned_back_line_by_line_and_from_its_start_not_to_its_end() -> None:
    console = Console(FakeSight(Show("k", " ".join(f"word{number}" for number in range(60)))))
    start = console.screen()
    assert pressed(console, "up", "ok") is None
    first = console.screen().rows[0]
    console.press(Button.UP)
    assert console.screen().rows[1] == first
    assert pressed(console, *["up"] * 9) is None
    assert console.screen() == start


@pytest.mark.parametrize(
    ("question", "back"),
    [
        (Choose("k", "Which? " + "word " * 60, options=ABC), "up"),
        (Pick("k", "Which? " + "word " * 60, options=ABC, least=0, most=2), "up"),
        (Number("k", "How many? " + "word " * 60, least=0, most=9), "back"),
        (Roll("k", "Attack " + "word " * 60, dice=(Dice("d6", 2, tuple("123456")),)), "back"),
        (Draw("k", "Draw " + "word " * 60, deck="d", count=2, options=ABC), "up"),
    ],
)
def test_what_is_asked_can_be_read_again_before_it_is_answered(question: AnyAsk, back: str) -> None:
    console = Console(FakeSight(question))
    start = console.screen()
    while not any(row.style == "bar" for row in console.screen().rows):
        console.press(Button.OK)
    assert console.screen().above
    presses = 0
    while console.screen().above:
        console.press(Button(back))
        presses += 1
        assert presses < 30
    assert console.screen() == start
    assert not console.covered


def test_back_opens_the_menu_at_once_wherever_a_text_or_a_choice_has_been_turned_to() -> None:
    for question in (Show("k", "word " * 60), Choose("k", "Which? " + "word " * 60, options=ABC)):
        console = Console(FakeSight(question))
        console.press(Button.OK)
        assert console.screen().above
        console.press(Button.BACK)
        assert console.covered


def test_an_acknowledgement_needs_its_whole_text_on_the_screen_first() -> None:
    console = Console(FakeSight(Show("k", "one " * 60)))
    presses = 0
    intent = None
    while intent is None:
        intent = console.press(Button.OK)
        presses += 1
        assert presses < 30
    assert intent == Reply(5, answer=True)
    assert presses > 2


def test_only_ok_acknowledges() -> None:
    console = Console(FakeSight(Show("k", "Hello")))
    assert pressed(console, "down", "up", "down") is None
    assert pressed(console, "ok") == Reply(5, True)


def test_options_below_a_long_text_cannot_be_chosen_unseen() -> None:
    console = Console(FakeSight(Choose("k", "word " * 80, options=ABC)))
    assert console.press(Button.OK) is None
    assert "Option a" not in shown(console.screen())
    while "Option a" not in shown(console.screen()):
        assert console.press(Button.OK) is None
    assert pressed(console, "ok") == Reply(5, "a")


def test_a_pick_marks_several_and_is_done_on_its_last_row() -> None:
    console = Console(FakeSight(Pick("k", "Which?", options=ABC, least=1, most=2)))
    assert pressed(console, "ok", "down", "ok", "ok") == Reply(5, ["a", "c"])


def test_a_pick_goes_on_to_the_next_option_when_one_is_marked_and_stays_where_a_mark_is_taken_away() -> None:
    console = Console(FakeSight(Pick("k", "Which?", options=ABC, most=3)))
    assert pressed(console, "ok", "ok", "up", "ok", "ok") is None
    assert console.picked == ("a", "b")
    assert pressed(console, "ok", "ok") == Reply(5, ["a", "b", "c"])


def test_back_at_a_pick_stands_on_the_option_whose_mark_it_takes_away() -> None:
    console = Console(FakeSight(Pick("k", "Which?", options=ABC, most=2)))
    assert pressed(console, "ok", "down", "ok", "back") is None
    assert (console.picked, console.at) == (("a",), 2)


def test_a_long_option_of_a_pick_has_one_mark() -> None:
    long = Option("a", "An option whose words do not fit on a row")
    console = Console(FakeSight(Pick("k", "Which?", options=(long, *ABC[1:]), most=2)))
    assert shown(console.screen()).count("[ ]") == 3


def test_a_pick_that_is_too_small_is_not_handed_in() -> None:
    console = Console(FakeSight(Pick("k", "Which?", options=ABC, least=1, most=2)))
    with pytest.raises(BadAnswer, match=r"^mark 1 more$"):
        pressed(console, "up", "ok")
    assert "Done: 0 of 1-2" in shown(console.screen())


def test_back_takes_back_a_mark_before_it_opens_the_menu() -> None:
    console = Console(FakeSight(Pick("k", "Which?", options=ABC, least=1, most=2), undoable="Move 2"))
    assert pressed(console, "ok", "back") is None
    assert "[x]" not in shown(console.screen())
    console.press(Button.BACK)
    assert "Undo: Move 2" in shown(console.screen())


def test_the_range_of_a_number_with_many_digits_goes_on_below() -> None:
    console = Console(FakeSight(Number("k", "stir", "now 522649", least=522550, most=522748, start=522649)))
    rows = [row.text for row in console.screen().rows]
    assert rows[-2:] == [" from 522550 to", " 522748"]
    assert max(map(len, rows)) <= COLUMNS


def test_a_number_goes_up_and_down_and_round() -> None:
    console = Console(FakeSight(Number("k", "How many?", least=2, most=4)))
    assert pressed(console, "up", "up", "up", "ok") == Reply(5, 2)


def turned(question: AnyAsk, *buttons: str) -> list[str]:
    console = Console(FakeSight(question))
    assert pressed(console, *buttons) is None
    return [row.text.strip() for row in console.screen().rows if row.style == "bar"]


@pytest.mark.parametrize(
    ("question", "up", "down"),
    [
        (Number("k", "How many?", least=0, most=9, start=3), "4", "2"),
        (Roll("k", "Roll", dice=(Dice("d6", 1, D6),)), "1/1 d6: 2", "1/1 d6: 6"),
    ],
)
def test_up_and_a_turn_to_the_right_are_more_at_a_number_and_at_a_die(
    question: AnyAsk, up: str, down: str
) -> None:
    assert turned(question, "up") == turned(question, "right") == [up]
    assert turned(question, "down") == turned(question, "left") == [down]


def test_a_turn_to_the_right_goes_down_a_list() -> None:
    question = Choose("k", "Which?", options=ABC)
    assert turned(question, "right") == turned(question, "down") == ["Option b"]
    assert turned(question, "left") == turned(question, "up") == ["Option c"]


@pytest.mark.parametrize("button", ["up", "down", "left", "right"])
def test_no_die_is_turned_before_it_is_on_the_screen(button: str) -> None:
    console = Console(FakeSight(Roll("k", "word " * 30, dice=(Dice("d6", 1, D6),))))
    while not any(row.style == "bar" for row in console.screen().rows):
        assert console.press(Button(button)) is None
    assert shown(console.screen()).splitlines()[-2].strip() == "1/1 d6: 1"


def test_back_at_a_number_opens_the_menu() -> None:
    console = Console(FakeSight(Number("k", "How many?", least=1, most=3)))
    assert pressed(console, "back") is None
    assert "Menu" in shown(console.screen())


def test_a_number_that_is_known_so_far_is_where_it_starts() -> None:
    console = Console(FakeSight(Number("k", "Health now", most=4, start=3)))
    assert pressed(console, "up", "down", "ok") == Reply(5, 3)


def roll(*dice: Dice) -> Roll:
    return Roll("k", "Roll", dice=dice)


def test_a_digit_names_the_face_of_the_die_that_is_asked_about() -> None:
    console = Console(FakeSight(roll(Dice("d6", 3, D6))))
    console.offer(5, ["1", None, "3"], [1])
    assert console.die == 1
    assert console.say("6")
    assert console.die is None
    assert console.press(Button.OK) == Reply(5, ["1", "6", "3"])


def test_faces_that_are_no_digits_are_named_by_their_place() -> None:
    console = Console(FakeSight(roll(Dice("dday", 2, ("skull", "star", "tool")))))
    assert console.say("2")
    assert not console.say("4")
    assert not console.say("0")
    assert console.say("3")
    assert console.press(Button.OK) == Reply(5, ["star", "tool"])


def test_a_digit_names_a_face_that_is_a_digit_not_a_place() -> None:
    console = Console(FakeSight(roll(Dice("d10", 2, tuple("0123456789")))))
    assert console.say("3")
    assert console.say("0")
    assert console.press(Button.OK) == Reply(5, ["3", "0"])


def test_a_digit_that_is_no_face_and_one_after_the_last_die_name_nothing() -> None:
    console = Console(FakeSight(roll(Dice("d6", 1, D6))))
    assert not console.say("7")
    assert console.say("4")
    assert not console.say("4")
    assert not Console(FakeSight(Choose("k", "Which?", options=ABC))).say("1")


@pytest.mark.parametrize(
    ("question", "kept", "keys", "answer"),
    [
        (roll(Dice("d6", 1, D6)), ("5",), "3", ["3"]),
        (roll(Dice("d6", 2, D6)), ("5", "6"), "7311", ["3", "1"]),
        (roll(Dice("d6", 2, D6)), ("5", "6"), "", ["5", "6"]),
        (Draw("k", "Draw", deck="unknown", count=2, options=ABC), ("a", "b"), "9311", ["c", "a"]),
        (Draw("k", "Draw", deck="unknown", count=2, options=ABC), ("a", "b"), "", ["a", "b"]),
    ],
)
def test_a_digit_at_kept_dice_or_cards_says_them_anew(
    question: AnyAsk, kept: tuple[str, ...], keys: str, answer: object
) -> None:
    console = Console(FakeSight(question, kept=kept))
    for key in keys:
        console.say(key)
    assert console.press(Button.OK) == Reply(5, answer)


@pytest.mark.parametrize(
    ("question", "keys", "answer"),
    [
        (Pick("k", "Which?", options=ABC, least=2, most=2), "31", ["c", "a"]),
        (Pick("k", "Which?", options=ABC, least=0, most=3), "2239", ["c"]),
        (Number("k", "How many?", most=9), "47", 7),
        (Number("k", "How many?", most=3), "5", 0),
        (Number("k", "How many?", most=20), "12", 12),
        (Number("k", "How many?", most=20), "31", 1),
        (Number("k", "How many?", least=5, most=20), "17", 17),
        (Number("k", "How many?", least=5, most=20), "0", 5),
        (Draw("k", "Draw", deck="unknown", count=2, options=ABC), "113", ["a", "c"]),
    ],
)
def test_digits_mark_options_write_a_number_and_name_cards(
    question: AnyAsk, keys: str, answer: object
) -> None:
    console = Console(FakeSight(question))
    for key in keys:
        console.say(key)
    assert console.press(Button.OK) == Reply(5, answer)


def test_what_has_been_named_as_drawn_can_be_marked_where_there_is_room() -> None:
    console = Console(FakeSight(Draw("k", "Which?", options=ABC, count=3)))
    for key in "21":
        console.say(key)
    assert console.picked == ("b", "a")
    console.press(Button.BACK)
    assert console.picked == ("b",)


@pytest.mark.parametrize("most", [1, 2])
def test_that_one_too_many_is_marked_is_said_and_done_stays_under_the_bar(most: int) -> None:
    console = Console(FakeSight(Pick("k", "Which?", options=ABC, least=most, most=most)))
    for key in "12"[:most]:
        console.say(key)
    with pytest.raises(BadAnswer, match=f"^{most} at most: unmark one$"):
        console.say("3")
    assert console.picked == ("a", "b")[:most]
    assert console.press(Button.OK) == Reply(5, ["a", "b"][:most])
    console.press(Button.UP)
    with pytest.raises(BadAnswer, match="at most: unmark one"):
        console.press(Button.OK)
    for key in "13":
        console.say(key)
    assert console.picked == ("b", "c")[2 - most :]


def test_a_digit_after_the_buttons_begins_a_number_or_goes_on_from_what_is_left() -> None:
    console = Console(FakeSight(Number("k", "How many?", most=20)))
    assert console.say("1")
    console.press(Button.UP)
    assert console.say("2")
    assert console.press(Button.OK) == Reply(5, 2)
    console = Console(FakeSight(Draw("k", "Draw", deck="unknown", count=2, options=ABC)))
    assert pressed(console, "down", "down") is None
    assert console.say("1")
    assert pressed(console, "ok", "ok") == Reply(5, ["a", "b"])


def test_the_bar_stands_on_the_option_that_a_digit_marks() -> None:
    options = tuple(Option(str(one), f"Option {one}") for one in range(1, 10))
    console = Console(FakeSight(Pick("k", "Which?", options=options, least=2, most=2)))
    for key, bar in (("9", "[x]Option 9"), ("1", " Done: 2 of 2")):
        assert console.say(key)
        assert bar in [row.text for row in console.screen().rows if row.style == "bar"]


def test_digits_do_nothing_below_what_lies_over_the_ask() -> None:
    console = Console(FakeSight(Number("k", "How many?", most=9)))
    console.press(Button.WHY)
    assert not console.say("4")
    assert pressed(console, "back", "ok") == Reply(5, 0)


def test_the_place_of_a_card_counts_those_that_were_named_already() -> None:
    console = Console(FakeSight(Draw("k", "Draw", deck="unknown", count=2, options=ABC)))
    assert console.at == 0
    console.press(Button.OK)
    assert console.at == 1
    console.press(Button.OK)
    assert console.at is None


def test_dice_are_entered_one_by_one_and_shown_before_they_count() -> None:
    console = Console(FakeSight(roll(Dice("d6", 2, D6))))
    assert pressed(console, "up", "up", "ok", "down", "down", "down", "ok") is None
    assert "3 6" in shown(console.screen())
    assert pressed(console, "ok") == Reply(5, ["3", "6"])


def test_six_dice_that_need_no_turning_are_seven_presses() -> None:
    console = Console(FakeSight(roll(Dice("d6", 6, D6))))
    assert pressed(console, *["ok"] * 7) == Reply(5, ["1"] * 6)


def test_a_die_starts_at_the_face_of_one_like_it_that_was_said_before_it() -> None:
    console = Console(FakeSight(roll(Dice("d6", 3, D6, "red"), Dice("d6", 1, D6, "black"))))
    assert pressed(console, "up", "up", "ok") is None
    assert "2/4 red: 3" in shown(console.screen())
    assert pressed(console, "ok", "up", "ok") is None
    assert "4/4 black: 1" in shown(console.screen())
    assert pressed(console, "ok", "ok") == Reply(5, ["3", "3", "4", "1"])


def test_back_goes_back_to_the_die_before() -> None:
    console = Console(FakeSight(roll(Dice("d6", 3, D6))))
    assert pressed(console, "ok", "ok", "back", "up", "ok", "down", "ok", "ok") == Reply(5, ["1", "2", "1"])


def test_back_at_the_first_die_opens_the_menu() -> None:
    console = Console(FakeSight(roll(Dice("d6", 3, D6)), undoable="Move 2"))
    console.press(Button.BACK)
    assert "Undo: Move 2" in shown(console.screen())


def test_no_die_is_asked_about_while_something_lies_over_the_roll() -> None:
    console = Console(FakeSight(roll(Dice("d6", 1, D6))))
    assert console.die == 0
    console.press(Button.WHY)
    assert console.die is None


def test_dice_that_were_read_for_sure_need_one_press() -> None:
    console = Console(FakeSight(roll(Dice("d6", 3, D6))))
    console.offer(5, ["2", "5", "5"], ())
    assert pressed(console, "ok") == Reply(5, ["2", "5", "5"])


def test_a_die_that_is_asked_about_below_a_long_text_is_on_the_screen() -> None:
    console = Console(FakeSight(Roll("k", "word " * 60, dice=(Dice("d6", 2, D6),))))
    console.offer(5, ["2", "4"], (1,))
    assert console.screen().rows[-1].text.startswith("2/2 d6: 4")
    assert pressed(console, "ok") == Reply(5, ["2", "4"])


def test_only_the_doubtful_die_is_asked() -> None:
    console = Console(FakeSight(roll(Dice("d6", 3, D6))))
    console.offer(5, ["2", "5", "5"], (1,))
    assert "2 [5] 5" in shown(console.screen())
    assert "2/3 d6: 5" in shown(console.screen())
    assert pressed(console, "down", "ok") == Reply(5, ["2", "4", "5"])


def test_each_doubtful_die_is_asked_in_turn_and_ok_at_the_last_hands_them_in() -> None:
    console = Console(FakeSight(roll(Dice("d6", 4, D6))))
    console.offer(5, ["2", "5", "5", "6"], (0, 2))
    assert pressed(console, "ok") is None
    assert "2 5 [5] 6" in shown(console.screen())
    assert pressed(console, "up", "ok") == Reply(5, ["2", "5", "6", "6"])


@pytest.mark.parametrize(("button", "place"), [("down", "[2] 5 5"), ("up", "2 5 [5]")])
def test_dice_that_were_read_for_sure_can_be_gone_through_again(button: str, place: str) -> None:
    console = Console(FakeSight(roll(Dice("d6", 3, D6))))
    console.offer(5, ["2", "5", "5"], ())
    assert pressed(console, button) is None
    assert place in shown(console.screen())
    assert pressed(console, "down", "ok") is None
    assert "OK: take these" in shown(console.screen())


def test_a_doubtful_die_of_too_many_is_shown_with_the_others_before_it_counts() -> None:
    console = Console(FakeSight(roll(Dice("d6", 2, D6))))
    console.offer(5, ["2", "5"], (1,), [["4"], ["4"]])
    assert pressed(console, "ok") is None
    assert pressed(console, "ok") == Reply(5, ["2", "5"])


def test_dice_are_told_by_their_colour_and_locked_ones_are_named() -> None:
    dice = (Dice("okinawa.d10", 1, ("0", "1"), "black"), Dice("okinawa.action", 1, ("1", "2")))
    console = Console(FakeSight(Roll("k", "Roll", dice=dice, locked=(Locked("okinawa.action", "2"),))))
    assert "stays action 2" in shown(console.screen())
    assert "1/2 black: 0" in shown(console.screen())
    console.press(Button.OK)
    assert "2/2 action: 1" in shown(console.screen())


def test_a_die_that_nobody_has_named_is_shown_before_it_counts() -> None:
    console = Console(FakeSight(roll(Dice("d6", 3, D6))))
    console.offer(5, ["2", None, "5"], (1,))
    assert pressed(console, "ok") is None
    assert "2 1 5" in shown(console.screen())
    assert pressed(console, "ok") == Reply(5, ["2", "1", "5"])


def test_which_of_too_many_dice_were_rolled_is_one_press_and_another_is_near() -> None:
    others = [[], ["4", None]]
    console = Console(FakeSight(roll(Dice("d6", 2, D6))))
    console.offer(5, ["2", "5"], (), others)
    assert [line for line in shown(console.screen()).split("\n") if "others" in line] == ["others: 4 -"]
    assert pressed(console, "ok") == Reply(5, ["2", "5"])
    assert pressed(console, "up", "up", "ok", "ok") == Reply(5, ["2", "4"])


def test_a_die_is_turned_past_another_that_could_not_be_read() -> None:
    console = Console(FakeSight(roll(Dice("d6", 2, D6))))
    console.offer(5, ["2", "5"], (), [["4", None]] * 2)
    assert pressed(console, *["down"] * 4, "ok", "ok") == Reply(5, ["3", "5"])


def test_dice_read_for_an_ask_that_is_gone_are_ignored() -> None:
    console = Console(FakeSight(roll(Dice("d6", 1, D6))))
    console.offer(4, ["6"], ())
    assert "d6: 1" in shown(console.screen())


def test_dice_that_lie_there_since_before_an_undo_are_offered() -> None:
    console = Console(FakeSight(roll(Dice("d6", 2, D6)), kept=("4", "4")))
    assert pressed(console, "ok") == Reply(5, ["4", "4"])


def test_cards_that_came_up_are_named_one_by_one() -> None:
    console = Console(FakeSight(Draw("k", "Draw", deck="unknown", count=2, options=ABC)))
    assert pressed(console, "down", "ok", "down", "ok", "ok") == Reply(5, ["b", "a"])


def test_the_bar_stays_where_a_card_was_named_and_comes_back_to_one_that_is_taken_back() -> None:
    options = tuple(Option(one, f"Card {one}", copies=2) for one in "abc")
    console = Console(FakeSight(Draw("k", "Draw", deck="unknown", count=4, options=options)))
    pressed(console, "down", "ok")
    assert console.at == 1
    pressed(console, "ok")
    assert console.at == 2, "of the other there are no more"
    pressed(console, "up", "back")
    assert console.at == 1
    pressed(console, "up", "up", "ok", "ok")
    assert console.picked == ("b", "c", "c")


def test_one_card_is_handed_in_with_its_name() -> None:
    console = Console(FakeSight(Draw("k", "Draw", deck="unknown", count=1, options=ABC)))
    assert pressed(console, "down", "ok") == Reply(5, ["b"])


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Veteran Action Upgrade", "+Veteran Action\n Upgrade\n"),
        ("Veteran Action Guards", "+Veteran Action\n Guards\n"),
        ("Veteran Action Guard", "+Veteran Action Guard\n"),
    ],
)
def test_a_named_card_with_a_long_name_is_told_whole(name: str, told: str) -> None:
    long = (Option("v", name), Option("s", "Sandbags"))
    console = Console(FakeSight(Draw("k", "Draw", deck="resupply", count=2, options=long)))
    console.press(Button.OK)
    assert told in shown(console.screen())


def test_a_named_card_is_told_from_those_that_may_still_come() -> None:
    console = Console(FakeSight(Draw("k", "Draw", deck="unknown", count=2, options=ABC)))
    console.press(Button.OK)
    assert "+Option a\n Option b\n Option c" in shown(console.screen())


def test_a_card_that_is_there_once_cannot_be_named_twice() -> None:
    console = Console(FakeSight(Draw("k", "Draw", deck="unknown", count=2, options=ABC)))
    console.press(Button.OK)
    assert shown(console.screen()).count("Option a") == 1


def test_a_card_of_which_nobody_knows_how_many_there_are_may_be_named_for_each_that_came() -> None:
    options = (Option("x", "An unknown card", copies=0), *ABC)
    console = Console(FakeSight(Draw("k", "Draw", deck="unknown", count=2, options=options)))
    assert pressed(console, "ok", "ok", "ok") == Reply(5, ["x", "x"])


def test_back_takes_back_a_card_before_it_opens_the_menu() -> None:
    sight = FakeSight(Draw("k", "Draw", deck="unknown", count=2, options=ABC), undoable="Move 2")
    console = Console(sight)
    assert pressed(console, "ok", "back", "down", "ok", "up", "ok", "ok") == Reply(5, ["b", "a"])
    console.press(Button.BACK)
    console.press(Button.BACK)
    assert "+" not in shown(console.screen())
    console.press(Button.BACK)
    assert "Undo: Move 2" in shown(console.screen())


def test_what_ok_takes_stands_on_the_screen_also_after_a_card_was_taken_back() -> None:
    options = tuple(Option(str(one), f"Card {one}") for one in range(12))
    console = Console(FakeSight(Draw("k", "Draw", deck="unknown", count=3, options=options)))
    pressed(console, "ok", *["down"] * 10, *["up"] * 4)
    for button, bar in (("up", " Card 6"), ("back", " Card 0")):
        console.press(Button(button))
        assert bar in [row.text for row in console.screen().rows if row.style == "bar"]


def test_cards_that_were_all_named_are_told_and_only_ok_hands_them_in() -> None:
    console = Console(FakeSight(Draw("k", "Draw", deck="unknown", count=2, options=ABC)))
    assert pressed(console, "ok", "ok", "down", "up") is None
    assert [row.text for row in console.screen().rows][-3:] == ["+Option a", "+Option b", "OK: take these"]


@pytest.mark.parametrize("kept", [(), ("b", "a")], ids=["none named", "kept"])
@pytest.mark.parametrize("digit", ["0", "4", "9"])
def test_a_digit_that_is_the_place_of_no_card_names_none(digit: str, kept: tuple[str, ...]) -> None:
    sight = FakeSight(Draw("k", "Draw", deck="unknown", count=2, options=ABC), kept=kept or None)
    console = Console(sight)
    before = console.screen()
    console.say(digit)
    assert console.screen() == before


def test_a_digit_after_the_last_card_names_none() -> None:
    console = Console(FakeSight(Draw("k", "Draw", deck="unknown", count=2, options=ABC)))
    for digit in "123":
        console.say(digit)
    assert pressed(console, "ok") == Reply(5, ["a", "b"])


@pytest.mark.parametrize(("label", "intent"), [("Undo: Move 2", Undo()), ("Redo: Take 3", Redo())])
def test_the_menu_says_what_undo_and_redo_would_do(label: str, intent: Intent) -> None:
    sight = FakeSight(Choose("k", "Which?", options=ABC), undoable="Move 2", redoable="Take 3")
    console = Console(sight)
    console.press(Button.MENU)
    while f" {label}" not in [row.text for row in console.screen().rows if row.style == "bar"]:
        console.press(Button.DOWN)
    assert pressed(console, "ok") == intent


STATE = {"health": 4, "won": False, "row": [{"card": "A"}, {"card": "B"}], "note": None}


def to_by_hand(console: Console) -> None:
    console.press(Button.MENU)
    while " Set by hand" not in [row.text for row in console.screen().rows if row.style == "bar"]:
        console.press(Button.DOWN)
    assert console.press(Button.OK) is None


@pytest.mark.parametrize(
    ("buttons", "override"),
    [
        (["ok", "down", "down", "ok"], Override("health", 2)),
        (["down", "ok", "down", "ok"], Override("won", value=True)),
        (["down", "down", "ok", "ok", "ok", "down", "ok"], Override("row.0.card", "B")),
        (["down", "down", "ok", "back", "ok", "up", "ok"], Override("health", 5)),
    ],
)
def test_any_value_of_the_state_can_be_set_with_four_buttons(buttons: list[str], override: Override) -> None:
    console = Console(FakeSight(Show("k", "Hello"), state=STATE))
    to_by_hand(console)
    assert pressed(console, *buttons) == override


def test_a_text_is_chosen_among_those_in_like_places_whatever_their_numbers() -> None:
    units = {"1": {"card": "A"}, "2": {"card": "B"}}
    console = Console(FakeSight(Show("k", "Hello"), state={"units": units, "named": {"x": {"card": "C"}}}))
    to_by_hand(console)
    assert pressed(console, "ok", "ok", "ok", "up", "ok") == Override("units.1.card", "B")


def test_what_is_set_by_hand_begins_with_what_it_is_and_left_so_nothing_is_set() -> None:
    """One who only looked, or pressed OK once too often, sets nothing: also 0, also the last name."""
    state = {"health": 0, "won": True, "row": [{"card": "A"}, {"card": "B"}]}
    console = Console(FakeSight(Show("k", "Hello"), state=state))
    for buttons in (["ok"], ["down", "ok"], ["up", "ok", "down", "ok", "ok"]):
        to_by_hand(console)
        assert pressed(console, *buttons) is None
        assert console.covered
        assert console.press(Button.OK) is None
        assert not console.covered


def test_values_to_be_set_by_hand_are_told_in_the_same_words_in_the_list_and_on_their_own() -> None:
    console = Console(FakeSight(Show("k", "Hello"), state={"won": False, "note": None, "word": ""}))
    to_by_hand(console)
    listed = [row.text.strip() for row in console.screen().rows]
    assert listed == ["Set by hand", "won: no", "note: none", "word: (nothing)"]
    for downs, told in enumerate((["no", "yes"], ["none: not by buttons"], ["(nothing)"])):
        assert pressed(console, *["down"] * downs, "ok") is None
        assert [row.text.strip() for row in console.screen().rows][1:] == told
        console.press(Button.BACK)


def test_back_leads_out_of_what_is_set_by_hand_name_by_name() -> None:
    console = Console(FakeSight(Show("k", "Hello"), state=STATE))
    to_by_hand(console)
    assert pressed(console, "down", "down", "ok", "ok", "back", "back") is None
    assert "Set by hand" in shown(console.screen())
    assert pressed(console, "back") is None
    assert not console.covered


def test_digits_write_a_number_that_is_set_by_hand() -> None:
    console = Console(FakeSight(Number("k", "How many?", most=9), state=STATE))
    to_by_hand(console)
    assert not console.say("7")
    console.press(Button.OK)
    assert console.say("1")
    assert console.say("2")
    assert console.press(Button.OK) == Override("health", 12)


def test_a_number_that_is_set_by_hand_may_fall_below_nought() -> None:
    console = Console(FakeSight(Show("k", "Hello"), state={"health": 0}))
    to_by_hand(console)
    assert pressed(console, "ok", "down", "ok") == Override("health", -1)


def test_what_buttons_cannot_say_stays_as_it_is() -> None:
    console = Console(FakeSight(Show("k", "Hello"), state=STATE))
    to_by_hand(console)
    assert pressed(console, "up", "ok", "ok", "ok") is None
    assert "not by buttons" in shown(console.screen())


def test_the_menu_leaves_and_shuts_down() -> None:
    console = Console(FakeSight(Show("k", "Hello")), power=True)
    assert pressed(console, "menu", "up", "up", "ok") == Quit()
    assert pressed(console, "menu", "up", "ok", "down", "ok") == Quit(power_off=True)


@pytest.mark.parametrize("way_out", ["ok", "back"])
def test_the_menu_asks_before_it_shuts_down_and_no_leads_back_to_where_one_was(way_out: str) -> None:
    console = Console(FakeSight(Choose("k", "Which?", options=ABC)), power=True)
    console.press(Button.DOWN)
    before = console.screen()
    assert pressed(console, "menu", "up", "ok") is None
    assert [row.text.strip() for row in console.screen().rows] == ["Shut down?", "No", "Yes"]
    assert pressed(console, way_out) is None
    assert console.screen() == before


def test_outside_a_game_the_menu_has_nothing_to_show_or_to_save() -> None:
    console = Console(FakeSight(Show("k", "Hello")), power=True, game=False)
    console.press(Button.MENU)
    assert [row.text.strip() for row in console.screen().rows] == ["Menu", "Why?", "Shut down"]


def test_why_and_board_lie_over_the_ask_and_go_away_again() -> None:
    console = Console(FakeSight(Choose("k", "Which?", options=ABC)))
    console.press(Button.WHY)
    assert "OKI-001 because" in shown(console.screen())
    console.press(Button.BACK)
    assert "Which?" in shown(console.screen())
    assert pressed(console, "menu", "ok") is None
    assert "Height 3" in shown(console.screen())


def test_dice_that_are_read_do_not_turn_the_page_that_lies_over_their_roll() -> None:
    question = Roll("k", "Roll " + "the dice " * 14, dice=(Dice("d6", 2, D6),))
    console = Console(FakeSight(question, reasons=["word " * 60]))
    console.press(Button.WHY)
    before = console.screen()
    console.offer(5, ["2", "5"], (0,))
    assert console.screen() == before
    console.press(Button.BACK)
    assert console.screen().rows[-1].text.startswith("1/2 d6: 2")


@pytest.mark.parametrize("over", [["why"], ["menu"], ["menu", "ok"], ["menu", "down", "ok"]])
def test_what_lay_over_an_ask_leaves_the_bar_where_it_was(over: list[str]) -> None:
    console = Console(
        FakeSight(Choose("k", "Which?", options=tuple(Option(f"{n}", f"O {n}") for n in range(36))))
    )
    pressed(console, *["down"] * 20)
    before = console.screen()
    pressed(console, *over, "back")
    assert console.screen() == before
    assert pressed(console, "ok") == Reply(5, "20")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Fire Team 1, Shotgun 1, Sniper 1", ["Fire Team 1,", "Shotgun 1, Sniper 1"]),
        ("US on 17B: US Rifleman A", ["US on 17B: US", "Rifleman A"]),
        ("4 Rifleman B, 1 Rifle 10", ["4 Rifleman B, 1", "Rifle 10"]),
        ("Enemies stand 4 3 2 1", ["Enemies stand 4 3 2", "1"]),
        ("Reconnaissancepatrol A", ["Reconnaissancepatrol", "A"]),
        ("Lock 2: R Sk 2S W St Co B To To", ["Lock 2: R Sk 2S", "W St Co B To To"]),
        ("A: Re-roll? R 2S 2S W Sk Sk B 1S St", ["A: Re-roll? R 2S 2S", "W Sk Sk B 1S St"]),
        ("A Team Of US B", ["A Team Of US B"]),
    ],
)
def test_what_tells_a_name_from_others_stands_beside_it(text: str, lines: list[str]) -> None:
    assert list(wrapped(text, 20)) == lines


def test_the_board_is_broken_to_the_width_of_the_screen_and_not_before_a_bound_number() -> None:
    class Long(FakeSight):
        def board(self) -> Board:
            return Board("Toy", (Panel("Spaces", ("7 Rifleman: soldier 1*, in danger\N{NO-BREAK SPACE}3",)),))

    console = Console(Long(Choose("k", "Which?", options=ABC)))
    pressed(console, "menu", "ok")
    shown = [row.text for row in console.screen().rows]
    assert shown[-3:] == ["7 Rifleman: soldier", " 1*, in danger 3", "OK"]


def test_a_map_that_a_screen_has_no_room_for_is_told_and_words_in_columns_are_closed_up() -> None:
    class Wide(FakeSight):
        def board(self) -> Board:
            maps = Panel("Hill", (".   .   .   .   .   NP1",), ("NP1 F04",))
            return Board("Toy", (maps, Panel("Team", ("  Leader        1/2 AP 4", "Scout     out"))))

    console = Console(Wide(Choose("k", "Which?", options=ABC)))
    pressed(console, "menu", "ok", "ok")
    shown = [row.text for row in console.screen().rows]
    assert shown[-5:] == ["NP1 F04", "= Team =", "  Leader 1/2 AP 4", "Scout     out", "OK"]
    beside, narrow = console.page(40), console.page(20)
    assert beside is not None
    assert narrow is not None
    assert ".   .   NP1" in beside.detail, "beside the small screen there is room"
    assert "NP1 F04" in narrow.detail, "or not, in a narrow terminal"


def test_the_board_begins_with_its_whole_title() -> None:
    class Long(FakeSight):
        def board(self) -> Board:
            return Board("Standard board (stand-in board), turn 3", (Panel("Hill", ("Height 3",)),))

    console = Console(Long(Choose("k", "Which?", options=ABC)))
    assert "stand-in" not in console.screen().title
    pressed(console, "menu", "ok")
    assert "stand-in" in " ".join(row.text for row in console.screen().rows[:3])


def test_what_was_told_last_can_be_read_again_in_the_menu() -> None:
    console = Console(
        FakeSight(Choose("k", "Which?", options=ABC), logged=("Mortar at 4: two hits, you", "Roll: 3 4"))
    )
    pressed(console, "menu", "down", "down", "ok")
    assert shown(console.screen()).splitlines()[1:5] == ["Log", "Mortar at 4: two", " hits, you", "Roll: 3 4"]
    pressed(console, "back", "menu")
    assert " Log" in [row.text for row in console.screen().rows]


def test_where_nothing_was_told_yet_the_menu_has_no_log() -> None:
    console = Console(FakeSight(Choose("k", "Which?", options=ABC)))
    console.press(Button.MENU)
    assert "Log" not in shown(console.screen())


def test_a_new_ask_closes_what_lay_over_the_old_one() -> None:
    sight = FakeSight(Choose("k", "Which?", options=ABC))
    console = Console(sight)
    console.press(Button.WHY)
    sight.n, sight.ask = 6, Show("k", "Next")
    assert console.refresh()
    assert "Next" in shown(console.screen())


def test_ok_on_the_last_prompt_does_not_leave_the_end_unseen_that_a_phone_led_to() -> None:
    sight = FakeSight(Choose("k", "Which?", options=ABC))
    console = Console(sight)
    sight.n, sight.ask, sight.outcome = 6, None, Outcome(Result.WON, "Hill 89 is taken", {})
    assert pressed(console, "ok") == Reply(5, "a")
    assert console.refresh()
    assert "Hill 89 is taken" in shown(console.screen())


def test_what_lies_there_of_a_prompt_that_a_phone_led_to_is_not_filled_in_below_the_one_before() -> None:
    class Moved(FakeSight):
        """A phone's undo to a roll whose dice lie there comes between the looks at the draw."""

        @property
        def kept(self) -> tuple[str, ...] | None:
            if isinstance(self.ask, Draw):
                self.n, self.ask = 8, Roll("k", "Roll", dice=(Dice("d6", 1, ("1", "2", "3")),))
            return ("3",)

        @kept.setter
        def kept(self, _: object) -> None:
            pass

    console = Console(Moved(Draw("k", "Which?", options=ABC)))
    assert pressed(console, "ok") == Reply(8, ["3"])


def test_what_an_undo_changes_on_the_table_lies_over_the_ask_until_it_is_read() -> None:
    sight = FakeSight(Choose("k", "Which?", options=ABC))
    console = Console(sight)
    sight.n, sight.changed = 6, Board("Turn 2", (Panel("You", ("Health 3",)),))
    assert console.refresh()
    rows = [row.text for row in console.screen().rows]
    assert rows == ["Put the table right", "Turn 2", "= You =", "Health 3", "OK"]
    assert console.page(40).detail == "Turn 2\n= You =\nHealth 3"
    assert pressed(console, "ok") is None
    assert pressed(console, "ok") == Reply(6, "a")


def test_the_way_in_for_phones_is_in_the_menu() -> None:
    console = Console(FakeSight(Show("k", "Hello"), phones=WayIn(("Page 10.0.0.2:8080", "code 112233"))))
    assert pressed(console, "menu", "up", "up", "ok") is None
    assert "code 112233" in shown(console.screen())


def test_the_code_for_phones_to_scan_is_shown_with_the_way_in_alone() -> None:
    console = Console(FakeSight(Show("k", "Hello"), phones=WayIn(("Page 10.0.0.2:8080",), "http://pair")))
    assert pressed(console, "menu", "up", "up") is None
    assert [console.screen().link, pressed(console, "ok"), console.screen().link] == ["", None, "http://pair"]
    console.press(Button.BACK)
    assert console.screen().link == ""


def test_how_far_a_text_is_turned_goes_from_its_start_to_its_end() -> None:
    assert [Console(FakeSight(Show("k", "line\n" * lines))).turned for lines in range(1, 9)] == [0] * 8
    console = Console(FakeSight(Show("k", "word " * 60)))
    assert console.turned == 0
    while console.screen().below:
        console.press(Button.OK)
        assert 0 < console.turned <= 1
    assert console.turned == 1


def test_the_end_is_shown_and_ok_leaves() -> None:
    end = FakeSight(None, outcome=Outcome(Result.WON, "Hill 89 is taken", {"turns": 9}), state=STATE)
    console = Console(end)
    assert "Hill 89 is taken" in shown(console.screen())
    console.press(Button.MENU)
    assert "Set by hand" not in shown(console.screen())
    console.press(Button.BACK)
    assert pressed(console, "ok") == Quit()


@pytest.mark.parametrize(
    ("title", "shown_title"),
    [
        ("Flag 2, turn 1", "Flag 2, turn 1"),
        ("1 Coast Road, flag 2, turn 1", "flag 2, turn 1"),
        ("A very long name of one part", "A very long name~"),
    ],
)
def test_a_title_that_is_too_long_keeps_what_changes(title: str, shown_title: str) -> None:
    assert headline(title, 19) == shown_title


def test_a_title_of_one_long_part_goes_by_in_pieces() -> None:
    @dataclass
    class Named(FakeSight):
        def board(self) -> Board:
            return Board("A very long name of one part", ())

    console = Console(Named(Show("k", "Text")))
    titles = []
    for _ in range(3):
        titles.append(console.screen().title)
        for _ in range(3):
            console.tick()
    assert titles == ["A very long name~", "of one part", "A very long name~"]


@pytest.mark.parametrize("ticks", range(12))
def test_what_is_newly_said_begins_with_its_beginning(ticks: int) -> None:
    sight = FakeSight(Show("k", "Text"), foot="Page 192.168.178.20:8080, code 112233, and more")
    console = Console(sight)
    console.screen()
    for _ in range(ticks):
        console.tick()
    sight.foot = "dice by hand: camera /dev/video0 sends no pictures"
    assert console.screen().foot == "dice by hand: camera~"
    for _ in range(3):
        console.tick()
    assert console.screen().foot == "/dev/video0 sends no~"


def test_text_is_broken_between_words_and_keeps_its_empty_lines() -> None:
    assert wrapped("One.\n\nSee two-sided", 10) == ("One.", "", "See", "two-sided")
    assert wrapped("", 10) == ("",)


@pytest.mark.parametrize("columns", [21, 16])
@pytest.mark.parametrize("rows", [8, 5])
def test_nothing_is_wider_or_longer_than_the_display(columns: int, rows: int) -> None:
    long = "A sentence with averyveryverylongwordthatfitsnowhere and numbers 12345"
    options = tuple(Option(str(one), f"{long} {one}", long) for one in range(5))
    for question in (Show("k", long, long), Choose("k", long, long, options=options)):
        console = Console(FakeSight(question, foot=long), columns=columns, rows=rows)
        for _ in range(40):
            screen = console.screen()
            assert len(screen.lines()) <= rows
            assert all(len(line) <= columns for line in screen.lines())
            console.press(Button.DOWN)


def test_every_word_of_a_long_text_comes_by_while_paging() -> None:
    words = [f"word{number}" for number in range(60)]
    console = Console(FakeSight(Show("k", " ".join(words))))
    seen: set[str] = set()
    intent = None
    while intent is None:
        seen |= set(shown(console.screen()).split())
        intent = console.press(Button.OK)
    assert seen >= set(words)
