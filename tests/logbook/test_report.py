"""The after-action report: what a player would tell of a session, golden."""

import base64
import re
import time
from functools import partial
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest

from companion.cli import run
from companion.engine import Evidence, Journal, Session, Wish, packs
from companion.engine.asks import Draw, Option, Show
from companion.engine.autoplay import at_random
from companion.engine.clock import Stamp
from companion.engine.game import Board, Game, Glance, Panel
from companion.engine.line import Act, Item
from companion.engine.records import Note, RolledDie, blob_name
from companion.games import load, names
from companion.logbook import html, markdown, pdf, plots
from companion.logbook.report import DicePhoto, DiceRow, Plate, day, in_time, report
from companion.logbook.stats import stats
from companion.logbook.story import (
    Loss,
    chapters,
    losses,
    sentence,
    sentences,
    series,
    swings,
    turn_word,
    turns_of,
)
from companion.logbook.trace import Moment, Picture, retrace
from tests.engine.toy import PACKS
from tests.games.driver import setup
from tests.logbook.conftest import PHOTO, TOY

GOLDEN = Path(__file__).parent / "golden"


def test_the_report_in_markdown(journal: Journal, played: str) -> None:
    text = markdown.of_report(report(journal, TOY, journal.session(played)))
    assert text.replace(played, "SESSION") == (GOLDEN / "report.md").read_text()


def test_what_weighed_most_is_what_moved_a_figure_farthest(journal: Journal, played: str) -> None:
    trace = retrace(journal, TOY, journal.session(played))
    assert [(swing.figure, swing.before, swing.after) for swing in swings(trace.moments)] == [
        ("stones", 0, 2),
        ("stones", 2, 0),
        ("height", 19, 25),
    ]


@pytest.mark.parametrize("game", names())
def test_the_set_up_is_told_but_is_no_turn(game: str, tmp_path: Path) -> None:
    auto = ["--auto", "random", "--front", "none", "--dice", "software", "--seed", "3"]
    assert run(["play", game, *auto, "--data", str(tmp_path)]) == 0
    with Journal(tmp_path) as journal:
        meta = journal.sessions()[0]
        told = report(journal, load(game), meta)
        moments = retrace(journal, load(game), meta).moments
        weighed = swings(moments)
        summed = markdown.of_stats(stats(journal, load(game)))
    word = f"{turn_word(moments)}s"
    turns = meta.score.get(word) or turns_of(moments)
    assert f" It took {turns} {word} and " in told.lead
    assert f"| Length | {word.capitalize()} |" in summed
    has_set_up = not moments[0].before.turn
    assert (told.chapters[0].title == "The set-up") == has_set_up
    assert len(told.chapters) == turns + has_set_up
    assert weighed
    assert all(swing.turn for swing in weighed), "what was laid out is no event"


def test_a_turn_that_brings_the_next_objective_is_counted_once(tmp_path: Path) -> None:
    auto = ["--auto", "cautious", "--front", "none", "--dice", "software", "--seed", "6"]
    assert run(["play", "okinawa", *auto, "--data", str(tmp_path)]) == 0
    with Journal(tmp_path) as journal:
        meta = journal.sessions()[0]
        moments = retrace(journal, load("okinawa"), meta).moments
        told = report(journal, load("okinawa"), meta)
        (way, *_) = stats(journal, load("okinawa")).ways
    names = {moment.before.turn for moment in moments} - {""}
    assert len(names) > meta.score["turns"], "two of one turn"
    assert f" It took {meta.score['turns']} turns and " in told.lead
    assert way.turns == meta.score["turns"]


@pytest.mark.parametrize(
    ("game", "seed", "how"),
    [
        ("okinawa", "4", ["--auto", "cautious"]),
        ("space_infantry", "2", ["--auto", "steady", "--set", "missions=2"]),
    ],
)
def test_a_set_up_between_two_missions_is_no_event_either(
    game: str, seed: str, how: list[str], tmp_path: Path
) -> None:
    auto = ["--front", "none", "--dice", "software", "--seed", seed, *how]
    assert run(["play", game, *auto, "--data", str(tmp_path)]) == 0
    with Journal(tmp_path) as journal:
        moments = retrace(journal, load(game), journal.sessions()[0]).moments
    told = list(chapters(moments))
    assert [one.title for one in told].count("The set-up") > 1
    assert all(swing.turn for swing in swings(moments)), "what was laid out is no event"
    if game == "space_infantry":
        assert "soldiers" not in {loss.figure for loss in losses(moments)}, "nobody fell in either mission"


def test_a_turn_that_clears_the_table_tells_what_it_moved() -> None:
    item = Item(Act.ANSWER, "show", "toy.end", "", True, "front", "It ends", "seen")
    now = Stamp(0, 0)
    stood, stands = Glance("turn 9", {"turns left": 2}), Glance("turn 9", {"turns left": 1})
    moments = [Moment(1, item, now, stood, stands), Moment(2, item, now, stands, Glance())]
    assert [one.figures for one in chapters(moments)] == ["turns left 2 to 1"]


def test_what_comes_onto_the_table_has_not_risen_and_the_lowest_may_be_where_it_began() -> None:
    item = Item(Act.ANSWER, "choose", "toy.move", "", "on", "front", "Which way?", "On")
    figures = ({"height": 1}, {"height": 5, "soldiers": 9}, {"height": 3, "soldiers": 8})
    stands = [Glance("", {"height": 4}), *(Glance("turn 1", each) for each in figures)]
    moments = [Moment(1, item, Stamp(0, 0), before, after) for before, after in pairwise(stands)]
    assert [(one.figure, one.before, one.after) for one in swings(moments)] == [
        ("height", 1, 5),
        ("soldiers", 9, 8),
    ]
    assert losses(moments) == [Loss("height", 1, 3, 1, 2), Loss("soldiers", 9, 8, 8, 1)]


def test_the_turns_of_a_mission_that_is_played_twice_count_twice() -> None:
    item = Item(Act.ANSWER, "show", "toy.on", "", True, "front", "On", "seen")
    played = ("", "Warlord, turn 1", "Warlord, turn 1", "Warlord, turn 2")
    stands = [Glance(turn) for turn in (*played, *played, "")]
    moments = [Moment(1, item, Stamp(0, 0), before, after) for before, after in pairwise(stands)]
    assert turns_of(moments) == 4


def test_a_turn_that_a_number_set_by_hand_leads_back_to_counts_once() -> None:
    item = Item(Act.OVERRIDE, "override", "turn", "", 2, "front", "set turn", "3 -> 2")
    stands = [Glance(f"Raid, turn {number}") for number in (1, 2, 3, 2, 3, 4)]
    moments = [Moment(1, item, Stamp(0, 0), before, after) for before, after in pairwise(stands)]
    assert turns_of(moments) == 3


@pytest.mark.parametrize(
    ("name", "path"), [("flag_war", "turn"), ("dday_dice", "turn"), ("undaunted", "round")]
)
def test_turns_are_counted_as_the_table_counts_them(name: str, path: str) -> None:
    game = load(name)
    state = game.start(setup(game)).state
    assert game.glance(state).turns == 0
    setattr(state, path, 7)
    assert game.glance(state).turns == 7


def test_a_number_of_turns_set_by_hand_twice_counts_as_it_was_set_last() -> None:
    item = Item(Act.OVERRIDE, "override", "turn", "", 2, "front", "set turn", "50 -> 5")
    stands = [Glance(str(turn), turns=turn) for turn in (4, 50, 5, 5)]
    moments = [Moment(1, item, Stamp(0, 0), before, after) for before, after in pairwise(stands)]
    assert turns_of(moments) == 5


def test_what_is_laid_out_with_the_last_answer_of_a_turn_is_no_event() -> None:
    item = Item(Act.ANSWER, "show", "toy.taken", "", True, "front", "Taken!", "seen")
    figures = ({"soldiers": 2}, {"soldiers": 0}, {"soldiers": 5})
    stands = [Glance(turn, each) for turn, each in zip(("turn 1", "turn 1", ""), figures, strict=True)]
    moments = [Moment(1, item, Stamp(0, 0), before, after) for before, after in pairwise(stands)]
    assert [(one.figure, one.before, one.after) for one in swings(moments)] == [("soldiers", 2, 0)]


def test_what_weighed_most_is_told_in_its_order_and_weighed_by_what_the_turns_move() -> None:
    item = Item(Act.ANSWER, "choose", "toy.move", "", "on", "front", "Which way?", "On")
    stood = ((0, 9), (100, 9), (100, 7), (97, 7), (97, 6))
    stands = [Glance("turn 1", {"height": height, "stones": stones}) for height, stones in stood]
    stands[0] = msgspec.structs.replace(stands[0], turn="")
    moments = [Moment(1, item, Stamp(0, 0), before, after) for before, after in pairwise(stands)]
    assert [(one.figure, one.before, one.after) for one in swings(moments, 2)] == [
        ("stones", 9, 7),
        ("height", 100, 97),
    ]


def test_only_weighty_figures_weigh_and_what_is_handed_on_at_the_table_does_not() -> None:
    item = Item(Act.ANSWER, "choose", "toy.move", "", "on", "front", "Which way?", "On")
    stood = ({"men A": 9, "men B": 1}, {"men A": 2, "men B": 8}, {"men A": 2, "men B": 7, "stars A": 4})
    of_men = ("men A", "men B")
    stands = [Glance("turn 1", {"stars A": 0} | figures, weighty=of_men) for figures in stood]
    moments = [Moment(1, item, Stamp(0, 0), before, after) for before, after in pairwise(stands)]
    assert [(one.figure, one.before, one.after) for one in swings(moments)] == [("men B", 8, 7)]


def test_what_one_army_takes_from_another_weighs() -> None:
    item = Item(Act.ANSWER, "choose", "toy.move", "", "on", "front", "Which way?", "On")
    before, after = (Glance("turn 1", {"men A": 5 + won, "men B": 5 - won}) for won in (0, 1))
    assert [one.figure for one in swings([Moment(1, item, Stamp(0, 0), before, after)])] == ["men A"]


def test_what_several_at_the_table_have_is_weighed_alike_and_of_equals_the_last_are_told() -> None:
    item = Item(Act.ANSWER, "choose", "toy.move", "", "on", "front", "Which way?", "On")
    stood = ((1, 1, 1), (1, 0, 1), (2, 0, 1), (2, 0, 0), (3, 0, 0))
    stands = [
        Glance("turn 1", dict(zip(("flags A", "flags B", "flags C"), held, strict=True))) for held in stood
    ]
    moments = [Moment(1, item, Stamp(0, 0), before, after) for before, after in pairwise(stands)]
    assert [(one.figure, one.after) for one in swings(moments, 2)] == [("flags C", 0), ("flags A", 3)]


def test_of_several_at_the_table_it_is_told_who_chose_what() -> None:
    def moment(at: int, kind: str, text: str, label: str) -> Moment:
        item = Item(Act.ANSWER, kind, "toy.move", "", label, "front", text, label)
        return Moment(at, item, Stamp(0, 0), *[Glance("turn 1", {"soldiers A": 5, "soldiers B": 5})] * 2)

    moments = [
        moment(1, "choose", "A: Sector 1: move?", "Sector 2"),
        moment(2, "choose", "A: Which?", "Medic"),
        moment(3, "choose", "B: Sector 1: move?", "Sector 3"),
        moment(4, "choose", "Go on: which way?", "Back"),
        moment(5, "show", "A: 3 lost\nB: 1 lost", "seen"),
        moment(6, "pick", "B: Which dice?", "Red"),
    ]
    (turn,) = chapters(moments)
    assert turn.text == (
        "A chose Sector 2, then Medic. B chose Sector 3. You chose Back. A: 3 lost. B: 1 lost. "
        "B: Which dice? B picked Red."
    )


def test_a_number_is_told_with_what_it_answers() -> None:
    def moment(kind: str, text: str, label: str) -> Moment:
        item = Item(Act.ANSWER, kind, "toy.move", "", label, "front", text, label)
        return Moment(1, item, Stamp(0, 0), Glance(""), Glance(""))

    told = sentences(
        [
            moment("choose", "Enemy force, class A", "3"),
            moment("choose", "Round 1: range", "+"),
            moment("choose", "Which mission?", "Hive"),
            moment("number", "Grenades? 10 to take", "3"),
            moment("number", "How many?", "2"),
        ]
    )
    assert " ".join(told) == (
        "Enemy force, class A: 3. Round 1: range: +. You chose Hive. Grenades? 10 to take: 3. How many? 2."
    )


def test_what_announced_a_detail_that_is_not_told_ends_there() -> None:
    item = Item(Act.ANSWER, "show", "toy.lay", "", True, "front", "Lay it out. Cards from 1:", "seen")
    assert sentence(item) == "Lay it out. Cards from 1."


def test_each_line_that_was_shown_begins_as_a_sentence() -> None:
    item = Item(Act.ANSWER, "show", "toy.combat", "", True, "front", "12 lost\nsafe in Bunker", "seen")
    assert sentence(item) == "12 lost. Safe in Bunker."


@pytest.mark.parametrize(("label", "told"), [("3", "the die showed 3."), ("3 5", "the dice showed 3, 5.")])
def test_one_die_is_no_dice(label: str, told: str) -> None:
    item = Item(Act.ANSWER, "roll", "toy.roll", "", label.split(), "player", "Roll:", label)
    assert sentence(item) == f"Roll: {told}"


def test_cards_that_nobody_has_seen_have_not_come_up() -> None:
    def drawn(label: str) -> str:
        return sentence(Item(Act.ANSWER, "draw", "toy.draw", "", ["a"], "software", "Draw 1", label))

    hidden = Draw("toy.draw", "Draw 1", count=1, options=(Option("a", "Ace"),), face_down=True)
    assert drawn(hidden.label(("a",))) == "Draw 1: 1 hidden card."
    assert drawn("Ace") == "Draw 1: Ace came up."


def test_what_the_box_chose_and_what_nobody_picked_is_told_so() -> None:
    def moment(kind: str, answer: object, label: str, by: str) -> Moment:
        item = Item(Act.ANSWER, kind, "toy.move", "", answer, by, "Which way?", label)
        return Moment(1, item, Stamp(0, 0), Glance(""), Glance(""))

    told = sentences(
        [
            moment("choose", "up", "Up", "auto:random"),
            moment("choose", "on", "On", "phone"),
            moment("pick", [], "none", "auto:random"),
        ]
    )
    assert " ".join(told) == "The companion chose Up. You chose On. Which way? The companion picked nothing."


def test_a_figure_that_never_moved_is_not_drawn() -> None:
    item = Item(Act.ANSWER, "choose", "toy.move", "", "on", "front", "Which way?", "On")
    stands = [Glance("turn 1", {"height": height, "stones": 3}) for height in (1, 2)]
    assert series([Moment(1, item, Stamp(0, 0), *stands)]) == {"height": [1, 2]}


def test_of_several_at_the_table_it_is_told_whose_choice_weighed_most() -> None:
    item = Item(Act.ANSWER, "choose", "toy.buy", "", "medic", "front", "B: Buy what?", "Medic")
    held, paid = ({"soldiers A": 5, "soldiers B": left} for left in (5, 2))
    moments = [Moment(1, item, Stamp(0, 0), Glance("turn 1", held), Glance("turn 1", paid))]
    assert [one.by for one in swings(moments)] == ["B chose Medic."]


def test_what_weighed_most_names_the_answer_and_what_the_game_said_of_it() -> None:
    def item(kind: str, text: str, label: str) -> Item:
        return Item(Act.ANSWER, kind, "toy.move", "", True, "front", text, label)

    items = (
        item("choose", "Which way?", "Bunker"),
        item("show", "12 lost", "seen"),
        item("show", "Nobody is left", "seen"),
    )
    left = (4, 2, 1, 0)
    moments = [
        Moment(1, one, Stamp(0, 0), Glance("turn 1", {"men": before}), Glance("turn 1", {"men": after}))
        for one, (before, after) in zip(items, pairwise(left), strict=True)
    ]
    assert [one.by for one in swings(moments)] == [
        "You chose Bunker. 12 lost.",
        "Nobody is left.",
        "Nobody is left.",
    ]


def told(kind: str, text: str, label: str, *news: str, men: tuple[int, int] = (4, 4)) -> Moment:
    """An answer, with what was told with its question and what became of the men."""
    item = Item(Act.ANSWER, kind, "toy.move", "", label, "front", text, label)
    return Moment(1, item, Stamp(0, 0), *(Glance("turn 1", {"men": many}) for many in men), news)


def test_what_was_shown_is_told_in_full_and_news_stand_before_the_answer_that_they_were_read_with() -> None:
    moments = [
        told("choose", "Which way?", "Bunker"),
        told("choose", "Which dice?", "all"),
        told("show", "Rifleman: a tank is defeated", "seen", "a soldier falls", "Rifleman is turned"),
        told("show", "Gunner: 2 damage", "seen", "Strikes 2 3: no hit", "Gunner: 2 damage", "Tank: no hit"),
        told("show", "Lap done", "seen", "Lap done", "Lap done"),
        told("choose", "A mine: 1 damage. A token now?", "Med Kit", "A tank advances", "A mine: 1 damage"),
        told("choose", "A token now?", "Go on"),
        told("choose", "Dice spent", "End the turn", "Med Kit: 1 health back"),
        told("roll", "Roll 2 dice", "3 4", "the mine is gone"),
    ]
    assert list(sentences(moments)) == [
        "You chose Bunker, then all.",
        "Rifleman: a tank is defeated.",
        "A soldier falls.",
        "Rifleman is turned.",
        "Strikes 2 3: no hit.",
        "Gunner: 2 damage.",
        "Tank: no hit.",
        "Lap done.",
        "Lap done.",
        "A tank advances.",
        "A mine: 1 damage.",
        "You chose Med Kit, then Go on.",
        "Med Kit: 1 health back.",
        "You chose End the turn.",
        "The mine is gone.",
        "Roll 2 dice: the dice showed 3, 4.",
    ]
    assert [moment.beside for moment in moments[3:6]] == [
        ["Strikes 2 3: no hit", "Tank: no hit"],
        ["Lap done"],
        ["A tank advances"],
    ]


def test_what_weighed_most_is_told_in_full_also_if_it_stood_with_the_next_question() -> None:
    moments = [
        told("choose", "Whom?", "Bomb 2", men=(4, 3)),
        told("show", "Tank: missed", "seen", "Scout: off the board"),
        told("choose", "Whom?", "Grenade", men=(3, 2)),
        told("choose", "What now?", "End the turn", "Rifleman: off the board"),
    ]
    assert [one.by for one in swings(moments)] == [
        "You chose Bomb 2. Tank: missed. Scout: off the board.",
        "You chose Grenade. Rifleman: off the board.",
    ]


def test_what_weighed_most_is_told_also_if_more_dice_were_rolled_first() -> None:
    """A check wounds somebody, and another follows it before either is told."""
    moments = [
        told("choose", "A MediKit?", "No MediKit", men=(4, 3)),
        told("roll", "Tunnel: second check", "2", men=(3, 3)),
        told("show", "The counter to Tunnel", "seen", "Acid: 1 wound", men=(3, 3)),
        told("roll", "Pass: first check", "4", men=(3, 2)),
        told("roll", "Pass: second check", "5", men=(2, 2)),
        told("choose", "What now?", "Stay", "Rocks: 1 wound", men=(2, 2)),
        told("roll", "Nest: last check", "6", men=(2, 1)),
        told("roll", "Nest: how many", "1", men=(1, 1)),
    ]
    assert [one.by for one in swings(moments, then=("out of time",))] == [
        "You chose No MediKit. The counter to Tunnel. Acid: 1 wound.",
        "Pass: first check: the die showed 4. Rocks: 1 wound.",
        "Nest: last check: the die showed 6. Out of time.",
    ]


def test_what_was_told_in_the_next_turn_is_no_cause() -> None:
    fell = told("choose", "Whom?", "Bomb", men=(4, 3))
    stands = Glance("turn 2", {"men": 3})
    roll, read = (
        Moment(1, one.item, one.stamp, stands, stands, one.news)
        for one in (told("roll", "Roll 1 die", "3"), told("show", "Storm", "seen"))
    )
    assert [one.by for one in swings([fell, roll, read])] == ["You chose Bomb."]


def test_what_weighed_most_with_the_last_answer_is_how_the_game_ended_not_what_was_read_before() -> None:
    item = Item(Act.ANSWER, "show", "toy.hit", "", True, "front", "Tank: 2 health left", "seen")
    stood, fell = Glance("turn 1", {"health": 2}), Glance("turn 1", {"health": 0})
    moments = [Moment(1, item, Stamp(0, 0), stood, fell)]
    assert [one.by for one in swings(moments, then=("no health left: Nest",))] == ["No health left: Nest."]
    assert [one.by for one in swings(moments)] == ["Tank: 2 health left."]


def test_what_is_told_after_the_last_answer_is_the_end_or_what_is_shown_now(
    journal: Journal, played: str
) -> None:
    assert retrace(journal, TOY, journal.session(played)).then == ("the top",)
    with Session.create(journal, TOY, PACKS, Wish(seed=7)) as session:
        assert retrace(journal, TOY, session.meta).then == ()
        for answer in ("stones", 2):
            session.answer(session.n, answer)
        assert retrace(journal, TOY, session.meta).then == ("Height 0",)


def test_what_weighed_most_is_not_what_was_read_before_dice_were_rolled_for_it() -> None:
    """A bot's unit enters and attacks: what the unit before it did has nothing to do with that."""
    read = Item(Act.ANSWER, "show", "toy.bot", "", True, "front", "Rifleman moves to 11B", "seen")
    roll = Item(Act.ANSWER, "roll", "toy.dice", "", ["9"], "front", "Gunner: attack on Tank, 10+ hits", "9")
    before, after = (Glance("turn 1", {"men": men}) for men in (5, 6))
    moments = [Moment(1, read, Stamp(0, 0), before, after), Moment(2, roll, Stamp(0, 0), after, after)]
    assert [one.by for one in swings(moments)] == ["Gunner: attack on Tank, 10+ hits: the die showed 9."]


def test_whose_turn_it_is_has_chosen_unless_the_question_names_another() -> None:
    def moment(who: str, text: str, label: str) -> Moment:
        item = Item(Act.ANSWER, "choose", "toy.move", "", label, "front", text, label)
        return Moment(1, item, Stamp(0, 0), *[Glance("round 1", {}, who)] * 2)

    moments = [
        moment("US 1", "Scout: what?", "Move"),
        moment("US 1", "Move: where to?", "2B"),
        moment("US 1", "GE 2: which card goes?", "Scout"),
        moment("US 1", "GE: who is hit?", "Driver"),
        moment("GE 2", "GE 2: play which card?", "Tank"),
    ]
    (turn,) = chapters(moments)
    assert turn.text == "US 1 chose Move, then 2B. GE 2 chose Scout. GE chose Driver. GE 2 chose Tank."


@pytest.mark.parametrize(
    ("players", "hand", "names"),
    [
        ("1", "box", {"You"}),
        ("2", "box", {"US", "GE"}),
        ("2", "table", {"US", "GE"}),
        ("4", "box", {"US 1", "US 2", "GE 1", "GE 2"}),
    ],
)
def test_a_report_of_undaunted_names_the_sides_where_people_play_each_other(
    players: str, hand: str, names: set[str], tmp_path: Path
) -> None:
    game, rng = load("undaunted"), Random(3)
    merged = packs.merge(game.name, packs.find(game.folder, tmp_path))
    wish = Wish({"players": players, "hand": hand}, "stand-in-armour", seed=3)
    with Journal(tmp_path) as journal, Session.create(journal, game, merged, wish) as session:
        while session.ask and session.state["round"] < 5:
            session.answer(session.n, at_random(session.ask, rng))
        text = markdown.of_report(report(journal, game, session.meta))
    assert {
        who for who, _ in re.findall(r"(You|The companion|[A-Z]{2}(?: \d)?) (chose|picked)", text)
    } == names


def test_undone_answers_are_told_but_do_not_count(journal: Journal, played: str) -> None:
    told = report(journal, TOY, journal.session(played))
    assert "Taken back (Turn 5): Which way? Stones." in told.by_hand
    assert "How many stones? 0." not in told.chapters[-1].text


def test_only_what_stayed_taken_back_is_told_as_such_with_its_turn_if_what_led_to_it_stands(
    journal: Journal,
) -> None:
    with Session.create(journal, TOY, PACKS, Wish(seed=7)) as session:
        for answer in ("stones", 2, True, "pick", ["a", "c"], True):
            session.answer(session.n, answer)
        session.undo()
        session.redo()
        assert not report(journal, TOY, session.meta).by_hand
        session.undo(3)
        session.redo()
        assert report(journal, TOY, session.meta).by_hand == (
            "Taken back (Turn 2): Which way? Pick.",
            "Taken back: Pick some: A, C.",
        )
        log = [entry.item.label for entry in journal.entries(session.meta.id)[6:] if entry.item]
        assert log == ["A, C", "A, C", "How many stones? 2 and 2 more", "How many stones? 2"]


def test_what_was_set_by_hand_and_taken_back_is_told_with_its_values(journal: Journal) -> None:
    with Session.create(journal, TOY, PACKS, Wish(seed=7)) as session:
        session.override({"bag.stones": 3})
        session.undo()
        assert report(journal, TOY, session.meta).by_hand == ("Taken back (Turn 1): set bag.stones: 0 to 3.",)


def test_a_corrected_die_is_told(journal: Journal, played: str) -> None:
    told = report(journal, TOY, journal.session(played))
    assert "One d6 was read as 5 and corrected to 6." in told.by_hand


def test_dice_that_are_taken_as_they_lay_after_an_undo_are_told_as_they_fell(journal: Journal) -> None:
    """Whoever says that they still lie there: the camera read them, and one of them wrongly."""
    read = (
        RolledDie("d6", "6", "camera", 0.55, "5", blob_name(PHOTO)),
        RolledDie("d6", "1", "camera", 0.99),
    )
    with Session.create(journal, TOY, PACKS, Wish(seed=7, dice="manual")) as session:
        session.answer(session.n, "dice")
        session.answer(session.n, ["6", "1"], "camera", Evidence(read, (PHOTO,)))
        for _ in range(2):
            session.undo()
            session.answer(session.n, "dice")
            session.answer(session.n, list(session.kept or ()))
        told = report(journal, TOY, session.meta)
    assert [(row.source, row.total) for row in told.dice] == [("camera", 2)]
    assert told.by_hand[0] == "One d6 was read as 5 and corrected to 6."
    assert [one.data for one in told.photos] == [PHOTO]


def test_dice_are_called_as_people_call_them(journal: Journal) -> None:
    game = load("okinawa")
    shipped = packs.merge(game.name, packs.find(game.folder, Path("/nowhere")))
    with Session.create(journal, game, shipped, Wish(seed=7)) as session:
        while not journal.rolls(session.meta.id):
            session.answer(session.n, at_random(session.ask, Random(7)))
        told, summed = report(journal, game, session.meta), stats(journal, game)
    for text in (
        markdown.of_report(told),
        html.of_report(told),
        markdown.of_stats(summed),
        html.of_stats(summed),
    ):
        assert "action die" in text
        assert "okinawa.action" not in text


def test_the_photo_of_a_die_that_was_put_right_is_in_the_report(journal: Journal, played: str) -> None:
    told = report(journal, TOY, journal.session(played))
    assert [(one.caption, one.data) for one in told.photos] == [("Roll to climb: 6 (read as 5)", PHOTO)]
    page = html.of_report(told)
    assert base64.b64encode(PHOTO).decode() in page
    assert "Roll to climb: 6 (read as 5)" in page


def test_a_photo_that_was_lost_is_left_out(journal: Journal, played: str) -> None:
    journal.store._db.execute("DELETE FROM blobs WHERE hash = ?", (blob_name(PHOTO),))
    assert report(journal, TOY, journal.session(played)).photos == ()


def test_a_session_whose_packs_were_lost_is_still_told(journal: Journal, played: str) -> None:
    journal.store._db.execute("DELETE FROM blobs")
    told = report(journal, TOY, msgspec.structs.replace(journal.session(played), scenario="hill"))
    assert "not in the journal any more" in told.caveat
    assert dict(told.facts)["Scenario"] == "hill"
    assert told.chapters


def test_of_a_game_whose_end_a_damaged_card_took_it_is_said_that_it_ended_later(
    journal: Journal, played: str
) -> None:
    whole = report(journal, TOY, journal.session(played))
    assert whole.caveat == ""
    assert whole.plates[-1].caption.startswith("The table at the end")
    for lost in ("DELETE FROM entries WHERE seq > 5", "UPDATE sessions SET entries = 5"):
        journal.store._db.execute(lost)
    left = report(journal, TOY, journal.session(played))
    assert left.caveat == "What is left of this session ends before the game did."
    assert left.plates[-1].caption.startswith("The last table that is left")
    assert left.lead.startswith(whole.lead.partition(".")[0])
    assert "It took 7 turns and 4 min." in whole.lead
    assert "What is left of it took 2 turns and 40 s." in left.lead
    length = stats(journal, TOY).overall
    assert length is not None
    assert (length.length, length.turns_told) == ("-", "-"), "how long the game was is not known any more"


def test_of_many_photos_the_newest_are_in_the_report(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.logbook.report.MOST_PHOTOS", 2)
    with Session.create(journal, TOY, PACKS, Wish(seed=7, dice="manual")) as session:
        for face in "123":
            session.answer(session.n, "dice")
            data = face.encode()
            read = (
                RolledDie("d6", face, "camera", 0.5, photo=blob_name(data)),
                RolledDie("d6", "1", "camera"),
            )
            session.answer(session.n, [face, "1"], "camera", Evidence(read, (data,)))
            session.answer(session.n, True)
        assert [one.data for one in report(journal, TOY, session.meta).photos] == [b"2", b"3"]


def test_the_newest_note_of_who_played_and_where_holds(journal: Journal, played: str) -> None:
    journal.note(played, Note(1_800_000_200, "", None, ("Cem",), "Attic"))
    journal.note(played, Note(1_800_000_300, "Fine"))
    facts = dict(report(journal, TOY, journal.session(played)).facts)
    assert (facts["Players"], facts["Place"]) == ("Cem", "Attic")


@pytest.mark.parametrize(
    ("outcome", "told"), [("lost", "The game was lost: the top."), ("ended", "The game ended: the top.")]
)
def test_how_a_game_went_is_told(journal: Journal, played: str, outcome: str, told: str) -> None:
    meta = msgspec.structs.replace(journal.session(played), outcome=outcome)
    assert report(journal, TOY, meta).lead.startswith(told)


def test_the_day_of_a_clock_that_was_not_set_is_marked(journal: Journal, played: str) -> None:
    meta = msgspec.structs.replace(journal.session(played), synced=False)
    assert report(journal, TOY, meta).title.endswith(" (by a clock that was not set)")


def test_an_evening_is_told_by_the_day_it_was_here(
    journal: Journal, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as there:
        there.setenv("TZ", "EST5")
        time.tzset()
        meta = msgspec.structs.replace(journal.session(played), created=1_800_060_000)  # 00:40 UTC
        assert day(meta) == "2027-01-15"
    time.tzset()


@pytest.mark.parametrize("zone", ["EAST-14", "WEST11"])
def test_a_time_at_the_end_of_the_calendar_has_a_day_in_every_zone(
    journal: Journal, played: str, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    with monkeypatch.context() as there:
        there.setenv("TZ", zone)
        time.tzset()
        for created in (253_402_300_799, -62_135_596_800):
            assert day(msgspec.structs.replace(journal.session(played), created=created))
    time.tzset()


def test_a_zone_that_can_not_be_leaves_the_day_that_it_was_at_greenwich(
    journal: Journal, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as there:
        there.setenv("TZ", "UTC+99")
        time.tzset()
        assert day(msgspec.structs.replace(journal.session(played), created=1_800_060_000)) == "2027-01-16"
    time.tzset()


def test_without_its_game_a_session_is_still_told(journal: Journal, played: str) -> None:
    told = report(journal, None, journal.session(played))
    assert "toy is not installed" in told.caveat
    (chapter,) = told.chapters
    assert "You chose Stones" in chapter.text
    assert chapter.title == "The session", "where a turn begins is not known, so it is no set-up"
    assert not told.plates


def test_under_changed_rules_a_session_is_still_told(journal: Journal, played: str) -> None:
    class NewRules:
        def __init__(self, setup):
            self.play = TOY.start(setup)

        def __getattr__(self, name):
            return getattr(self.play, name)

        def script(self):
            choose = self.play.ways()
            yield choose.__class__("toy.path", "Which path?", options=choose.options)

    newer = msgspec.structs.replace(TOY, start=NewRules)
    told = report(journal, newer, journal.session(played))
    assert "the rules now ask 'toy.path'" in told.caveat
    assert told.chapters


class Telling:
    """The toy with more to tell than fits in the text that a journal keeps, until it is another game."""

    def __init__(self, setup, *, text: str = "The wind turns", way: str = "toy.way") -> None:
        self.play, self.text, self.way = TOY.start(setup), text, way

    def __getattr__(self, name):
        return getattr(self.play, name)

    def script(self):
        for _ in range(2):
            yield Show("toy.wind", self.text, "a tree falls", news="\na tree falls\n \n")
            yield msgspec.structs.replace(self.play.ways(), key=self.way, news="a bird sings")


def test_what_a_journal_does_not_keep_is_taken_from_the_rules_as_far_as_they_ask_so_still(
    journal: Journal,
) -> None:
    with Session.create(journal, msgspec.structs.replace(TOY, start=Telling), PACKS, Wish(seed=1)) as session:
        for answer in (True, "stones", True):
            session.answer(session.n, answer)
        meta = session.meta
    for changed, news in (
        ({}, [("a tree falls",), ("a bird sings",), ("a tree falls",)]),
        ({"text": "The wind has turned"}, [(), ("a bird sings",), ()]),
        ({"way": "toy.path"}, [("a tree falls",), (), ()]),
    ):
        now = msgspec.structs.replace(TOY, start=partial(Telling, **changed))
        assert [moment.news for moment in retrace(journal, now, meta).moments] == news
    assert [moment.news for moment in retrace(journal, None, meta).moments] == [()] * 3
    (chapter,) = report(journal, now, meta).chapters
    assert chapter.text == "The wind turns. A tree falls. You chose Stones. The wind turns."


def test_a_session_of_which_a_game_can_give_no_figures_is_still_told(journal: Journal, played: str) -> None:
    """As where a file that was taken in has a value set that no table can have."""

    def glance(state):
        raise ValueError(f"{state.height} is too high")

    meta = journal.session(played)
    trace = retrace(journal, msgspec.structs.replace(TOY, glance=glance), meta)
    assert trace.caveat == "No figures and no boards: 0 is too high"
    assert len(trace.moments) == len(retrace(journal, TOY, meta).moments)


def test_a_session_of_which_a_game_can_draw_no_board_is_still_told(journal: Journal) -> None:
    """As where a file that was taken in has a value set that no table can have."""
    with Session.create(journal, TOY, PACKS, Wish(seed=1)) as session:
        session.answer(session.n, "dice")
        session.override({"height": 50})
        meta = session.meta

    class Undrawn:
        def __init__(self, setup):
            self.play = TOY.start(setup)

        def __getattr__(self, name):
            return getattr(self.play, name)

        def board(self):
            return {1: self.play.board()}[1 + self.play.state.height // 50]

    told = report(journal, msgspec.structs.replace(TOY, start=Undrawn), meta)
    assert (told.caveat, told.plates) == ("No boards: 2", ())
    assert msgspec.structs.replace(told, caveat="", plates=()) == msgspec.structs.replace(
        report(journal, TOY, meta), plates=()
    )


def test_a_game_in_progress_is_told_as_far_as_it_went(journal: Journal) -> None:
    with Session.create(journal, TOY, PACKS, Wish(seed=1)) as session:
        session.answer(session.n, "dice")
        told = report(journal, TOY, session.meta)
    assert told.lead.startswith("The game is not over yet. It has taken 1 turn and ")
    assert told.plates[-1].caption == "The table now"


def test_a_table_that_nothing_moved_any_more_is_shown_once(journal: Journal) -> None:
    with Session.create(journal, TOY, PACKS, Wish(seed=7, dice="manual")) as session:
        for answer in ("dice", ["6", "1"], True, "dice"):
            session.answer(session.n, answer)
        first, last = report(journal, TOY, session.meta).plates
    assert first.caption == "The table at the start"
    assert last.caption.startswith("The table now, as after Height rose from 0 to 6 (Turn 1): ")


def test_a_session_without_an_answer_has_a_report(journal: Journal) -> None:
    with Session.create(journal, TOY, PACKS, Wish(seed=1)) as session:
        told = report(journal, TOY, session.meta)
    assert told.chapters == ()
    assert told.lead == "The game is not over yet."
    page = html.of_report(told)
    assert page.startswith("<!doctype html>")
    assert "Turn by turn" not in page + markdown.of_report(told), "a heading with nothing below it"


@pytest.mark.parametrize(
    ("game", "scenario", "title"),
    [
        ("space_infantry", "", "chosen at the table"),
        ("space_infantry", "relay", "Silent Relay"),
        ("dday_dice", "tiger_practice", "Exercise Tiger: Practice Run"),
        ("undaunted", "la-raye", "La Raye"),
        ("flag_war", "standard", "Standard board"),
        ("okinawa", "", None),
    ],
)
def test_a_report_calls_the_scenario_by_its_title(
    journal: Journal, game: str, scenario: str, title: str | None
) -> None:
    played = load(game)
    merged = packs.merge(game, packs.find(played.folder, Path("/nowhere")))
    with Session.create(journal, played, merged, Wish(scenario=scenario, seed=1)) as session:
        meta = session.meta

    assert dict(report(journal, played, meta).facts).get("Scenario") == title
    assert dict(report(journal, None, meta).facts).get("Scenario") == (meta.scenario or None)


def test_a_table_in_a_report_says_whose_board_it_is(journal: Journal) -> None:
    played = load("flag_war")
    merged = packs.merge(played.name, packs.find(played.folder, Path("/nowhere")))
    with Session.create(journal, played, merged, Wish(seed=1)) as session:
        told = report(journal, played, session.meta)

    assert "```\nStandard board (stand-in board)\nWAR\n" in markdown.of_report(told)
    assert 'alt="Standard board (stand-in board). War: ' in html.of_report(told)


def test_the_html_report_stands_alone_and_runs_nothing(journal: Journal, played: str) -> None:
    page = html.of_report(report(journal, TOY, journal.session(played)))
    assert "<script" not in page
    for plot in ("The figures over the session", "Dice: faces as they fell"):
        assert f'alt="{plot}, as a plot"' in page
    assert not re.findall(r'(?:src|href)="(?!data:image/(?:svg\+xml|png);base64,)', page)
    assert "http" not in re.sub(r"base64,[^\"]*", "", page)
    for picture in re.findall(r"svg\+xml;base64,([^\"]*)", page):
        ET.fromstring(base64.b64decode(picture))


def test_what_players_wrote_can_not_become_markup(journal: Journal, played: str) -> None:
    journal.note(played, Note(0, "<script>alert(1)</script> [x](javascript:1)"))
    told = report(journal, TOY, journal.session(played))
    assert "&lt;script&gt;" in html.of_report(told)
    assert r"\[x\](javascript:1)" in markdown.of_report(told)


def test_markdown_strikes_nothing_out_and_leaves_signs_as_they_were_typed() -> None:
    assert markdown.safe("~~Won~~ & lost, &amp; AT&T") == r"\~\~Won\~\~ & lost, \&amp; AT&T"


@pytest.mark.parametrize(
    ("note", "said"),
    [
        ("# 1 hero", r"\# 1 hero"),
        ("- lost", r"\- lost"),
        ("+ 2 men", r"\+ 2 men"),
        ("1. we rolled", r"1\. we rolled"),
        ("2) we won", r"2\) we won"),
        ("1.5 hours of #fun", "1.5 hours of #fun"),
        ("-", "-"),
    ],
)
def test_what_a_note_begins_with_makes_no_list_or_heading_of_it(note: str, said: str) -> None:
    assert markdown.safe(note) == said


def test_the_same_session_gives_the_same_page(journal: Journal, played: str) -> None:
    first, second = (html.of_report(report(journal, TOY, journal.session(played))) for _ in range(2))
    assert first == second


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are set on a PDF's pages, in their order; those of a table more than once."""
    from fpdf import FPDF

    texts = []
    write = FPDF.multi_cell

    def multi_cell(sheets: FPDF, *args: object, **named: object) -> object:
        if not named.get("dry_run"):
            texts.append(named["text"] if "text" in named else args[2])
        return write(sheets, *args, **named)

    monkeypatch.setattr(FPDF, "multi_cell", multi_cell)
    return texts


def png() -> bytes:
    from PIL import Image

    data = BytesIO()
    Image.new("RGB", (8, 8), "red").save(data, "png")
    return data.getvalue()


def pages(data: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b", data))


def test_the_pdf_says_what_the_page_says_in_its_order(
    journal: Journal, played: str, written: list[str]
) -> None:
    told = report(journal, TOY, journal.session(played))
    data, lacking = pdf.of_report(told)
    assert (data[:5], pages(data), lacking) == (b"%PDF-", 3, "")
    order = [told.title, told.lead, *told.facts[-1], f"\N{BULLET} {told.swings[0]}", "Turn by turn"]
    order += [told.chapters[0].text, "Losses", "Lost in all", "Dice", "Faces", "The table"]
    order.append(f"The table at the end, as after {told.swings[-1]}")
    assert [text for text in dict.fromkeys(written) if text in order] == order
    assert written[-1] == "HILL\n  Height 25\n"


def test_the_pdf_has_a_note_as_it_was_written(journal: Journal, played: str, written: list[str]) -> None:
    note = r"Team_A \o/ [2] *phew* **so** ~5 &lt; C:\*"
    journal.note(played, Note(0, note))
    pdf.of_report(report(journal, TOY, journal.session(played)))
    assert f"\N{BULLET} {note}" in written


def test_what_would_turn_a_text_of_the_pdf_round_and_tabs_are_blanks_in_it(
    journal: Journal, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from fpdf import FPDF

    texts = set()
    normalize = FPDF.normalize_text

    def normalize_text(sheets: FPDF, text: str) -> str:
        texts.add(text)
        return normalize(sheets, text)

    monkeypatch.setattr(FPDF, "normalize_text", normalize_text)
    journal.note(played, Note(0, "a\tb\u202egpj.exe"))
    pdf.of_report(report(journal, TOY, journal.session(played)))
    assert "\N{BULLET} a b gpj.exe" in texts


def test_the_pdf_shows_photos_and_does_without_one_that_is_none(
    journal: Journal, played: str, written: list[str]
) -> None:
    told = report(journal, TOY, journal.session(played))
    shown = tuple(DicePhoto(name, data) for name, data in (("a", png()), ("b", b"<svg/>"), ("c", png()[:45])))
    data, _ = pdf.of_report(msgspec.structs.replace(told, photos=shown, series={}, dice=()))
    assert data.count(b"/Subtype /Image") == 1
    at = written.index("Dice that were asked about")
    assert written[at + 1 : at + 6] == ["a", "no picture", "b", "no picture", "c"]


@pytest.mark.parametrize(("lines", "own"), [(60, 1), (300, 5)])
def test_a_board_stands_on_one_page_of_the_pdf_if_it_fits(
    journal: Journal, played: str, lines: int, own: int
) -> None:
    told = report(journal, TOY, journal.session(played))
    panel = Panel("Long", tuple(f"line {at}" for at in range(lines)))
    picture = Picture("", Board("Toy", (panel, Panel("Short", ("one",)))))
    plain = msgspec.structs.replace(told, chapters=(), series={}, dice=(), losses=(), plates=())
    few = pages(pdf.of_report(plain)[0])
    with_board = msgspec.structs.replace(plain, plates=(Plate("Then", picture),))
    assert (few, pages(pdf.of_report(with_board)[0])) == (1, 1 + own)


def test_a_row_that_is_higher_than_a_page_of_the_pdf_goes_on_in_the_next(
    journal: Journal, played: str, written: list[str]
) -> None:
    told = report(journal, TOY, journal.session(played))
    names = " ".join(f"name{at}" for at in range(2000))
    photo = DicePhoto(names, png())
    long = msgspec.structs.replace(told, facts=(("Players", names), ("Place", "Home")), photos=(photo,))
    pdf.of_report(long)
    parts = [text.split("\n") for text in dict.fromkeys(written) if "\n" in text and text.startswith("name")]
    assert max(map(len, parts)) == pdf.MOST_LINES
    assert " ".join(line.strip() for lines in parts for line in lines).count(names) == 2


def test_what_stands_below_a_board_of_the_pdf_is_below_its_longest_lines(
    journal: Journal, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = msgspec.structs.replace(
        report(journal, TOY, journal.session(played)), series={}, dice=(), losses=(), chapters=(), by_hand=()
    )
    tops = []
    heading = pdf._heading

    def seen(sheets: Any, depth: int, text: str) -> None:
        tops.append(sheets.get_y())
        heading(sheets, depth, text)

    monkeypatch.setattr(pdf, "_heading", seen)
    for word in ("short", "long" * 100):
        board = Plate("Then", Picture("", Board("Toy", (Panel("One", (word,)),))))
        pdf.of_report(msgspec.structs.replace(told, plates=(board, board)))
    below_short, below_long = tops[len(tops) // 2 - 1], tops[-1]
    assert below_long > below_short + 5 * pdf.ROW


def test_a_name_that_would_be_a_wrong_formula_stands_in_its_plot_as_it_is() -> None:
    name = r"$\x$"
    for sheet in (
        plots.figures({name: [1, 2]}),
        plots.dice([DiceRow(name, name, {name: 1})]),
        plots.shares({name: (0, 1)}),
    ):
        assert name in plots.svg(sheet)


def test_the_figures_that_moved_most_are_drawn_first_and_six_at_most() -> None:
    moved = {f"moved {times}": [*range(times + 1)] + [times] * (9 - times) for times in range(1, 9)}
    drawn = [axes.get_title("left") for axes in plots.figures(moved).axes]
    assert drawn == [f"moved {times}" for times in (8, 7, 6, 5, 4, 3)]


def test_the_plot_of_dice_tells_what_its_bars_and_its_line_are() -> None:
    fair = DiceRow("d6", "manual", {"1": 2, "2": 0}, even=True)
    uneven = DiceRow("d6", "manual", {"1": 2, "2": 0}, even=False)
    assert plots.dice([uneven, fair]).get_supxlabel() == "how often each face fell; dashed: fair dice"
    assert plots.dice([uneven]).get_supxlabel() == "how often each face fell"


def test_games_are_counted_in_whole_numbers() -> None:
    (axes,) = plots.shares({"players: 1": (0, 3)}).axes
    assert all(mark == int(mark) for mark in axes.get_xticks())


def test_what_the_colours_of_the_won_games_mean_stands_beside_the_bars_not_on_them() -> None:
    sheet = plots.shares({"players: 1": (0, 3)})
    sheet.draw_without_rendering()
    (legend,) = (*sheet.legends, *(one for axes in sheet.axes if (one := axes.get_legend())))
    assert [text.get_text() for text in legend.get_texts()] == ["played", "won"]
    assert not legend.get_window_extent().overlaps(sheet.axes[0].get_window_extent())


def test_the_letters_of_plots_can_be_read_on_a_phone() -> None:
    face = DiceRow(
        "blue die", "software", dict.fromkeys(("skull", "star", "soldier1", "soldier2", "courage"), 1)
    )
    for sheet in (
        plots.figures({"space marines in all": [1, 2], "health": [4, 3]}),
        plots.dice([face]),
        plots.shares({"packs: rulebook, stand-in, owner": (1, 3)}),
    ):
        drawn = ET.fromstring(plots.svg(sheet))
        on_a_phone = 328 / float(drawn.attrib["viewBox"].split()[2])
        sizes = [float(size) for size in re.findall(r"font(?:-size)?: ([\d.]+)px", plots.svg(sheet))]
        assert min(sizes) * on_a_phone > 10


def test_a_long_name_of_a_way_to_play_leaves_room_for_its_bars() -> None:
    sheet = plots.shares({"packs: rulebook, stand-in, " + "another one, " * 9: (1, 3)})
    sheet.draw_without_rendering()
    assert sheet.axes[0].get_window_extent().width > 0.8 * sheet.bbox.width


def test_without_matplotlib_the_page_says_that_plots_are_missing(
    journal: Journal, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object) -> None:
        raise plots.NoPlots("plots need matplotlib")

    monkeypatch.setattr(plots, "figures", missing)
    assert "plots need matplotlib" in html.of_report(report(journal, TOY, journal.session(played)))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(40, "40 s"), (99, "99 s"), (720, "12 min"), (3600, "1 h 00 min"), (3900, "1 h 05 min")],
)
def test_times_are_said_as_people_say_them(seconds: float, words: str) -> None:
    assert in_time(seconds) == words


def test_an_override_is_told_as_done_by_hand(journal: Journal, played: str) -> None:
    trace = retrace(journal, TOY, journal.session(played))
    told = [sentence(moment.item) for moment in trace.moments if moment.item.act == "override"]
    assert told == ["By hand, bag.stones was set: 2 to 0."]
    both = Item.of_override({"height": 4, "bag.stones": 5}, "height 0 -> 4, bag.stones 0 -> 5", "player")
    assert sentence(both) == "By hand, height and bag.stones were set: height 0 to 4, bag.stones 0 to 5."
    one = Item.of_override({"lowered.Bunker 1": 2}, "1 -> 2", "player")
    assert sentence(one) == "By hand, lowered.Bunker 1 was set: 1 to 2."


@pytest.mark.parametrize(
    ("jump", "boot"),
    [(7200, "test"), (-7200, "test"), (60, "next")],
    ids=["a pause", "a restart that no boot tells of", "a restart"],
)
def test_a_pause_is_not_playing_time(journal: Journal, played: str, jump: float, boot: str) -> None:
    from companion.logbook.trace import played as seconds

    entries = journal.entries(played)
    late = [
        msgspec.structs.replace(entry, stamp=Stamp(entry.stamp.wall, entry.stamp.mono + jump, boot))
        if entry.seq > 5
        else entry
        for entry in entries
    ]
    assert seconds(late) == seconds(entries) - 10


def test_five_hundred_asks_are_reported_with_plots(journal: Journal) -> None:
    rng = Random(5)
    with Session.create(journal, TOY, PACKS, Wish(seed=5, settings={"top": "60"})) as session:
        while session.n < 500:
            question = session.ask
            answer = at_random(question, rng)
            if question.key == "toy.way":
                answer = "pick" if session.play.state.height > 45 else rng.choice(["dice", "stones", "pick"])
            session.answer(session.n, answer)
        meta = session.meta
    began = time.process_time()
    page = html.of_report(report(journal, TOY, meta))
    print(f"report of 500 asks: {time.process_time() - began:.2f} s CPU, {len(page)} bytes")
    assert "Turn 1" in page


def test_a_report_names_the_options_that_are_not_as_usual(journal: Journal) -> None:
    game = load("flag_war")
    merged = packs.merge(game.name, packs.find(game.folder, Path("/nowhere")))

    def told(settings: dict[str, str], known: Game | None) -> str | None:
        with Session.create(journal, game, merged, Wish(settings=settings, seed=1)) as session:
            return dict(report(journal, known, session.meta).facts).get("Options")

    assert told({"armies": "3", "start": "free"}, game) == "armies 3, start free, all others as usual"
    assert told({}, game) == "all as usual"
    assert "start layout" in str(told({}, None))
