"""The owner's own sheets typed in, and played."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from companion.engine.asks import AnyAsk, Choose, Number, Pick, Script, Text
from companion.engine.errors import BadAnswer, BadInput, PackError
from companion.engine.packs import Header, PackFile, Source, Tables, build, find, merge
from companion.games.space_infantry import GAME
from companion.games.space_infantry.entry import entry
from companion.games.space_infantry.pack import InfantryPack
from companion.games.space_infantry.problems import faults
from tests.games.driver import setup

COUNTED = ("-", "-", "yes", "no", "climb", 2, "-", "-", "no", "yes", ["n1"])
"""A start and a node with a question mark, linked."""


def typed(script: Script[Tables], answers: Iterable[object], asked: list[AnyAsk] | None = None) -> Tables:
    """Drive the questions with these answers, then with the first or least of what is allowed.

    What was asked is added to `asked`.
    """
    given = iter(answers)
    answer: object = None
    try:
        while True:
            question = script.send(answer)
            if asked is not None:
                asked.append(question)
            raw = next(given, None)
            if raw is None:
                raw = question.options[0].id if isinstance(question, Choose) else _least(question)
            answer = question.accept(raw)
    except StopIteration as end:
        tables: Tables = end.value
        return tables


def _least(question: object) -> object:
    if isinstance(question, Text):
        return question.start
    return question.least if isinstance(question, Number) else []


def shipped() -> InfantryPack:
    pack = setup(GAME).pack
    assert isinstance(pack, InfantryPack)
    return pack


def owned(tables: Tables) -> InfantryPack:
    """The tables as the owner's pack gives them."""
    file = PackFile(Path("pack.toml"), Header("space_infantry", "owner", Source.OWNER), tables)
    return build(merge("space_infantry", [file]), InfantryPack)


def test_of_the_leader_there_is_one_card() -> None:
    with pytest.raises(BadAnswer, match="1"):
        typed(entry(shipped(), "unit.leader"), ["leader", 0, 2, 2])


def test_a_unit() -> None:
    answers = ["basic", 12, 2, 3, 1, "no", "no", "fire", "3", "4", "-", "-", ["fire"]]
    card = owned(typed(entry(shipped(), "unit.rifles"), answers)).unit["rifles"]

    assert (card.title, card.cost, card.wounds, card.copies, card.armor) == ("Rifles", 12, 2, 3, 1)
    assert card.skills == {"fire": (3, 4)}
    assert card.piercing == ("fire",)


def test_an_enemy_sheet() -> None:
    unit = ["Worm", 3, "4", "-", "5", "-", 1, "no", "yes", "no"]
    rows: list[object] = []
    for rn in range(3):
        rows += [rn, rn + 1, rn + 2, "M", "F", "F"]
    answers = [1, *unit, 0, 2, *rows, 2, ["A"]]
    sheet = owned(typed(entry(shipped(), "enemy.worms"), answers)).enemy["worms"]

    assert (sheet.units["unit_1"].title, sheet.units["unit_1"].melee) == ("Worm", (4,))
    assert sheet.units["unit_1"].savage
    assert sheet.presence[2] == {"A": {"unit_1": 2}, "B": {"unit_1": 3}, "C": {"unit_1": 4}}
    assert sheet.ranges[0] == {"Set": "M", "M": "F", "F": "F"}
    assert (sheet.range_shift, sheet.ambush) == (-1, ("A",))


def test_the_questions_of_an_enemy_sheet_call_its_units_by_their_names_and_offer_them_again() -> None:
    unit = [3, "4", "-", "5", "-", 1, "no", "yes", "no"]
    mine = typed(entry(shipped(), "enemy.worms"), [2, "Worm", *unit, "", *unit])
    asked: list[AnyAsk] = []
    again = typed(entry(shipped(), "enemy.worms", mine), [2, None, *unit, "Egg", *unit], asked)

    names = [one.start for one in asked if isinstance(one, Text)]
    texts = [one.text for one in asked]
    assert names == ["Worm", "Unit 2"]
    assert {"Worm: wounds?", "Egg Melee: level?", "0, class A: Worm?", "0, class C: Egg?"} <= set(texts)
    assert [one.title for one in owned(again).enemy["worms"].units.values()] == ["Worm", "Egg"]


def test_a_mission() -> None:
    start = ["-", "-", "yes", "no"]
    first = ["climb", 2, "6", "A", "-", "Auto", "E", "-", "wounds", 1, "G", "no", "no"]
    second = ["advance", 3, "Auto", "S", "-", "-", "no", "yes"]
    links = [["n1"], ["n2"]]
    counters = ["A", 2, "found", 2, "B", 1, "lose", "M", 1, "-"]
    boss = ["Worm King", 4, "3", "-", "-", 1, "no", "no", "no", 2]
    rest = [28, "no", *counters, *boss, ["n2"], [], "yes", ["engineer"]]
    tables = typed(entry(shipped(), "mission.mine"), [3, *start, *first, *second, *links, "-", *rest])
    mission = owned(tables).mission["mine"]

    assert mission.nodes["n1"].events == ("6/A", "Auto/E")
    assert mission.nodes["n1"].links == ("start", "n2")
    assert [mission.nodes[name].cache for name in ("start", "n1", "n2")] == ["", "G", ""]
    assert (mission.turns, mission.goal.reach, mission.goal.end_at) == (28, ("n2",), "start")
    assert (mission.goal.find, mission.counters["A"].effect.what) == (("A", "A"), "A")
    boss_box = mission.special["special"]
    assert (boss_box.title, boss_box.wounds, mission.special_force) == ("Worm King", 4, {"special": 2})
    assert mission.recommended == ("engineer",)
    assert list(faults(msgspec.structs.replace(shipped(), mission={"mine": mission}))) == []


def test_a_node_that_is_not_right_is_entered_again_with_its_links_before_the_mission_goes_on() -> None:
    start, first = ["-", "-", "yes", "no"], ["climb", 2, "6", "A", "-", "-", "G", "no", "no"]
    second = ["climb", 2, "-", "-", "no", "yes"]
    links = [["n1", "n2"], ["n2"]]
    again = ["n1", "search", 3, "-", "-", "yes", "no", ["n2"]]
    asked: list[AnyAsk] = []
    answers = [3, *start, *first, *second, *links, *again, "-", 28]
    mission = owned(typed(entry(shipped(), "mission.mine"), answers, asked)).mission["mine"]
    told = [
        {option.id: option.detail for option in one.options}
        for one in asked
        if one.text == "All nodes right so?"
    ]

    near = [one for one in asked if isinstance(one, Pick) and one.text == "n1 is linked to?"][-1]
    assert [option.id for option in near.options] == ["start", "n2"]
    assert told[0]["n1"] == "needs: climb 2; events: 6/A; cache: G; links: start, n2"
    assert told[1]["n1"] == "needs: search 3; outside; links: n2"
    assert (mission.nodes["n1"].needs, mission.nodes["n1"].outside, mission.turns) == ("search 3", True, 28)
    assert {name: node.links for name, node in mission.nodes.items()} == {
        "start": ("n2",),
        "n1": ("n2",),
        "n2": ("start", "n1"),
    }


@pytest.mark.parametrize(
    ("thing", "answers"),
    [
        (
            "mission.warlord",
            [2, "-", "-", "no", "no", "climb", 2, "-", "-", "no", "no", ["n1"], "-", 28, "no"],
        ),
        ("mission.hive", [2, "-", "-", "no", "no", "climb", 2, "-", "-", "no", "no", ["n1"], "-", 28, "no"]),
        ("unit.heavy", ["basic", 12, 2, 3, 1, "no", "no", "-"]),
    ],
)
def test_nothing_of_a_stand_in_stays_in_what_its_owner_entered(thing: str, answers: list[object]) -> None:
    tables = typed(entry(shipped(), thing), answers)
    own = PackFile(Path("pack.toml"), Header("space_infantry", "owner", Source.OWNER), tables)
    merged = merge("space_infantry", [*find(GAME.folder, Path("/nowhere")), own])
    table, _, name = thing.partition(".")

    assert name in getattr(shipped(), table)
    assert not [path for path in merged.stand_ins() if path.startswith(f"{thing}.")]


def with_owned(tables: Tables) -> InfantryPack:
    """What ships, with the tables as the owner's pack."""
    own = PackFile(Path("pack.toml"), Header("space_infantry", "owner", Source.OWNER), tables)
    return build(merge("space_infantry", [*find(GAME.folder, Path("/nowhere")), own]), InfantryPack)


def test_a_mission_is_asked_what_it_is_called_and_what_its_briefing_says() -> None:
    answers = [
        2,
        "-",
        "-",
        "no",
        "no",
        "climb",
        2,
        "-",
        "-",
        "no",
        "no",
        ["n1"],
        "-",
        28,
        "no",
        "no",
        ["n1"],
        [],
    ]
    answers += ["no", []]
    asked: list[AnyAsk] = []
    tables = typed(entry(shipped(), "mission.old_mine"), [*answers, "", "Go in; come back."], asked)
    assert [one.start for one in asked[-2:] if isinstance(one, Text)] == ["Old Mine", "as printed"]
    mission = tables["mission"]["old_mine"]
    assert (mission["title"], mission["briefing"]) == ("Old Mine", "Go in; come back.")
    again = typed(entry(with_owned(tables), "mission.old_mine", tables), [*answers, "The Mine"], asked)
    mission = again["mission"]["old_mine"]
    assert (mission["title"], mission["briefing"]) == ("The Mine", "Go in; come back.")


def test_what_was_put_right_of_a_mission_and_is_not_asked_for_stays_when_it_is_entered_again() -> None:
    first = ["climb", 2, "6", "E", "-", "nothing", "-", "no", "no"]
    answers = [2, "-", "-", "no", "no", *first, ["n1"], "-", 28, "no"]
    tables = typed(entry(shipped(), "mission.mine"), answers)
    mission = tables["mission"]["mine"]
    mission |= {"title": "The Old Mine", "briefing": "Go in, come back."}
    mission["nodes"]["n1"]["title"] = "Shaft"
    mission["nodes"]["n1"]["effect"]["text"] = "Only the wind."
    answers[-2] = 20
    again = with_owned(typed(entry(with_owned(tables), "mission.mine", tables), answers)).mission["mine"]
    node = again.nodes["n1"]
    assert (again.title, again.briefing, again.turns) == ("The Old Mine", "Go in, come back.", 20)
    assert (node.title, node.needs) == ("Shaft", "climb 2")
    assert node.effect.text == "Only the wind."
    assert again.nodes["start"].title == "Start"


def test_a_rhino_that_is_entered_again_is_as_good_at_communications_as_its_owner_wrote() -> None:
    tables = typed(entry(shipped(), "vehicle.rhino"), [6])
    tables["vehicle"]["rhino"] |= {"title": "Rhino Mk II", "communications": 2}
    again = with_owned(typed(entry(with_owned(tables), "vehicle.rhino", tables), [8])).vehicle["rhino"]
    assert (again.title, again.communications, again.wounds) == ("Rhino Mk II", 2, 8)


def test_what_the_owner_put_right_of_a_stand_in_alone_stays_when_it_is_entered() -> None:
    tables: Tables = {"vehicle": {"rhino": {"title": "Rhino Mk II", "communications": 2}}}
    entered = typed(entry(with_owned(tables), "vehicle.rhino", tables), [8])["vehicle"]["rhino"]
    assert (entered["title"], entered["communications"], entered["wounds"]) == ("Rhino Mk II", 2, 8)


@pytest.mark.parametrize(
    ("thing", "answers"),
    [
        ("unit.rifles", ["basic", 12, 2, 3, 1, "no", "no", "fire", "3", "-", "-", []]),
        ("skill.climb", ["yes"]),
        ("enemy.crawlers", []),
        ("mission.mine", [2, "-", "-", "no", "no", "climb", 2, "6", "E", "-", "wounds", 1, "-", "no", "no"]),
        ("mission.ruins", [2, *COUNTED, "-", 30, "no", "A", 2, "nothing", "-", "yes"]),
        ("vehicle.rhino", [6, 1, "3", "-", "4", "-"]),
        ("cup", []),
    ],
)
def test_what_is_entered_again_as_before_is_the_same(thing: str, answers: list[object]) -> None:
    tables = typed(entry(shipped(), thing), answers)
    again = typed(entry(with_owned(tables), thing, tables), answers)
    assert msgspec.json.encode(again, order="sorted") == msgspec.json.encode(tables, order="sorted")


def test_skills_of_a_unit_that_is_entered_again_are_those_that_were_entered() -> None:
    one = ["basic", 12, 2, 3, 1, "no", "no", "fire", "3", "-", "climb", "4", "-", "-"]
    tables = typed(entry(shipped(), "unit.rifles"), one)
    again = typed(entry(with_owned(tables), "unit.rifles", tables), [*one[:7], "fire", "4", "-", "-"])
    assert again["unit"]["rifles"]["skills"] == {"fire": [4]}


@pytest.mark.parametrize(("again", "found"), [(["lose", "M", 1], ()), (["found", 1], ("A",))])
def test_a_counter_entered_anew_is_to_be_found_as_entered_last(
    again: list[object], found: tuple[str, ...]
) -> None:
    counters = ["A", 2, "found", 2, "A", 1, *again, "-"]
    tables = typed(entry(shipped(), "mission.mine"), [2, *COUNTED, "-", 28, "no", *counters, "no", ["n1"]])
    mission = owned(tables).mission["mine"]

    assert mission.goal.find == found
    assert list(faults(msgspec.structs.replace(shipped(), mission={"mine": mission}))) == []


@pytest.mark.parametrize(
    ("name", "given", "question", "told"),
    [
        (
            "unit.rifles",
            ["basic", 12, 2, 3, 1, "no", "no", "fire", "3", "4", "-", "climb", "4", "-", "-"],
            "Which skill?",
            ["so far: none", "so far: Fire 3+4", "so far: Fire 3+4, Climb 4"],
        ),
        (
            "unit.rifles",
            ["basic", 12, 2, 3, 1, "no", "no", "fire", "3", "4", "-", "-"],
            "Fire: level?",
            ["so far: none", "so far: 3", "so far: 3, 4"],
        ),
        (
            "mission.mine",
            [2, "6", "A", "-", "Auto", "B", "+1", "-"],
            "start: event range?",
            ["so far: none", "so far: 6/A", "so far: 6/A, Auto/B+1"],
        ),
        (
            "mission.mine",
            [2, *COUNTED, "-", 28, "no", "A", 2, "found", 2, "B", 1, "lose", "M", 1, "A", 1, "nothing", "-"],
            "Which letter?",
            ["so far: none", "so far: A 2", "so far: A 2, B 1", "so far: A 1, B 1"],
        ),
    ],
)
def test_what_was_entered_so_far_is_told_where_one_more_is_asked_for(
    name: str, given: list[object], question: str, told: list[str]
) -> None:
    asked: list[AnyAsk] = []
    typed(entry(shipped(), name), given, asked)

    assert [one.detail for one in asked if one.text == question] == told


def test_what_a_question_mark_asks_for_is_told_where_a_nodes_skill_is_entered() -> None:
    asked: list[AnyAsk] = []
    typed(entry(shipped(), "mission.mine"), [2], asked)

    assert [one.detail for one in asked if one.text == "n1: which skill?"] == ["a question mark is Advance 3"]


def test_every_notation_of_an_event_string_can_be_typed() -> None:
    events = ["Auto", "B", "+1", "5+", "A", "-", "2", "S", "3-", "E", "-to-", 1, 2, "C", "-1", "-"]
    answers = [2, *events, "open", "n1", "-", "yes", "no", "advance", 3, "-", "-", "no", "no", ["n1"]]
    start = owned(typed(entry(shipped(), "mission.mine"), answers)).mission["mine"].nodes["start"]

    assert start.events == ("Auto/B+1", "5+/A", "2/S", "3-/E", "1-2/C-1")
    assert (start.effect.kind, start.effect.what) == ("open", "n1")


def test_an_own_event_may_be_an_encounter_of_any_class_but_nothing_to_find() -> None:
    asked: list[AnyAsk] = []
    answers = [2, "5+", "E", "-", "encounter", "S", "-", "yes", "no", "advance", 3]
    start = owned(typed(entry(shipped(), "mission.mine"), answers, asked)).mission["mine"].nodes["start"]
    kinds = next(one for one in asked if one.text == "start means?")

    assert (start.effect.kind, start.effect.what) == ("encounter", "S")
    assert isinstance(kinds, Choose)
    assert "found" not in [option.id for option in kinds.options]


def test_what_is_chosen_is_told_as_the_cards_and_sheets_show_it() -> None:
    asked: list[AnyAsk] = []
    typed(entry(shipped(), "unit.x"), ["special"], asked)
    typed(entry(shipped(), "mission.mine"), [2, "5+", "E", "-", "gain"], asked)
    labels = {
        one.text: {option.id: option.label for option in one.options}
        for one in asked
        if isinstance(one, Choose)
    }

    assert labels["Which background?"]["special"] == "brown: Special"
    assert labels["start means?"]["gain"] == "resources gained"


@pytest.mark.parametrize(("won", "amount"), [("yes", 2), ("no", -2)])
def test_turns_may_be_won_or_lost(won: str, amount: int) -> None:
    answers = [2, "5+", "E", "-", "turns", 2, won, "-", "yes", "no", "advance", 3]
    start = owned(typed(entry(shipped(), "mission.mine"), answers)).mission["mine"].nodes["start"]

    assert start.effect.amount == amount


def test_a_skill_and_its_asterisk() -> None:
    assert owned(typed(entry(shipped(), "skill.stealth"), ["yes"])).skill["stealth"].starred
    assert not owned(typed(entry(shipped(), "skill.demolition"), ["no"])).skill["demolitions"].starred


def test_a_cup_is_twenty_chits() -> None:
    cup = owned(typed(entry(shipped(), "cup"), [2, 3, 3, 3, 3, 2, 2])).cup["owner"]

    assert cup.chits["+"] == 2
    assert sum(cup.chits.values()) == 20


def test_of_a_cup_that_is_entered_most_chits_have_a_number() -> None:
    with pytest.raises(BadAnswer, match="11 to 20"):
        typed(entry(shipped(), "cup"), [0, 0, 0, 0, 0, 0, 0])
    cup = owned(typed(entry(shipped(), "cup"), [0, 0, 0, 0, 0, 0, 11])).cup

    assert list(faults(msgspec.structs.replace(shipped(), cup=cup))) == []


def test_a_vehicle_that_no_mission_has_is_not_asked_for() -> None:
    with pytest.raises(BadInput, match=r"the one vehicle is vehicle\.rhino"):
        typed(entry(shipped(), "vehicle.tank"), [])


@pytest.mark.parametrize("written", ["Zero-G", "zero g", "zero_g", "ZERO-g"])
def test_a_skill_is_known_by_the_name_on_the_card(written: str) -> None:
    entered = typed(entry(shipped(), f"skill.{written}"), ["yes"])

    assert entered == {"skill": {"zero_g": {"title": "Zero-G", "starred": True}}}


def test_the_rhino() -> None:
    vehicle = owned(typed(entry(shipped(), "vehicle.rhino"), [4, 0, "3", "-", "3", "4", "-"])).vehicle[
        "rhino"
    ]

    assert (vehicle.wounds, vehicle.pilot, vehicle.gunnery) == (4, (3,), (3, 4))


@pytest.mark.parametrize(
    ("copies", "refused"),
    [(100, "whole number is wanted, at most 99"), (10**20, "the number is larger than 9999")],
)
def test_more_copies_of_a_card_than_anybody_has_are_refused(copies: int, refused: str) -> None:
    card = typed(entry(shipped(), "unit.rifles"), ["basic", 12, 2])["unit"]["rifles"]
    with pytest.raises(PackError, match=rf"unit\.rifles\.copies: .*{refused}"):
        owned({"unit": {"rifles": card | {"copies": copies}}})


def test_what_is_not_printed_is_refused() -> None:
    with pytest.raises(BadInput, match=r"enter unit\.NAME"):
        typed(entry(shipped(), "dragon.red"), [])


@pytest.mark.rule("SPI-089")
@pytest.mark.parametrize(
    ("start", "asked_whether"),
    [
        (("2+", "S", "-"), False),
        (("2+", "E", "-", "encounter", "S"), False),
        (("2+", "E", "-", "gain", "S", 1), True),
        (("2+", "A", "-", "-"), True),
    ],
)
def test_an_enemy_of_class_s_that_a_mission_brings_is_asked_for_at_once(
    start: tuple[object, ...], asked_whether: bool
) -> None:
    asked: list[AnyAsk] = []
    record = typed(entry(shipped(), "mission.mine"), (2, *start), asked)["mission"]["mine"]
    assert ("Is there a class S enemy?" in [one.text for one in asked]) == asked_whether
    assert bool(record["special_force"]) != asked_whether
