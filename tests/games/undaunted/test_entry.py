"""Typing in the own copy's cards and sheets, and playing with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import msgspec
import pytest

from companion.engine import autoplay, packs
from companion.engine import game as engine_game
from companion.engine.asks import AnyAsk, Choose, Number, Pick, Script, Show
from companion.engine.errors import BadInput, PackError
from companion.engine.game import Setup
from companion.engine.packs import Record, Tables
from companion.games.undaunted import GAME, language
from companion.games.undaunted.checker import scenario_errors, scenario_lacks
from companion.games.undaunted.entry import (
    enter,
    enter_card,
    enter_condition,
    enter_line,
    enter_place,
    enter_tie,
    enter_who,
)
from companion.games.undaunted.entry_forces import enter_cards
from companion.games.undaunted.pack import Pack, solo_cards, solo_section
from companion.games.undaunted.play import Undaunted
from companion.games.undaunted.printer import card_text
from tests.games import driver
from tests.games.undaunted.field import run
from tests.longrun.random_games import play_checked


def pack() -> Pack:
    return cast("Pack", driver.setup(GAME).pack)


def type_in(script: Script[Tables], *answers: object) -> Tables:
    return cast("Tables", run(script, *answers).end)


def merged(tables: Tables) -> Pack:
    """The packs that ship with the owner's on top."""
    files = packs.find(GAME.folder, Path("/nowhere"))
    header = packs.Header("undaunted", "owner", packs.Source.OWNER)
    own = packs.PackFile(Path("owner.toml"), header, tables)
    return cast("Pack", packs.build(packs.merge("undaunted", [*files, own]), Pack))


NO = ("no",)
PLAIN = (*NO, *NO, *NO, *NO, *NO, 0)
"""No destination, no aim, no enemy, no friend, no tiebreaker, no then."""


@pytest.mark.parametrize(
    ("answers", "hints"),
    [
        (
            ("yes",),
            {
                "needs": "the bot needs so many points or fewer to win",
                "row": "a card is in the bot's play area",
            },
        ),
        (("yes", "tile"), {"controlled by anyone": "by either side", "objective": ""}),
        (("yes", "enemy", "yes"), {"matching": "of its squad", "suppressed": ""}),
    ],
)
def test_words_of_a_line_that_no_rulebook_has_are_explained(
    answers: tuple[str, ...], hints: dict[str, str]
) -> None:
    script = enter_line(pack(), 1)
    question: AnyAsk = next(script)
    for answer in answers:
        question = script.send(question.accept(answer))
    assert isinstance(question, Choose)
    told = {option.id: option.detail for option in question.options}
    assert hints.items() <= told.items()


def test_a_solo_card_is_typed_in_line_by_line() -> None:
    tables = type_in(
        enter(pack(), "my-rifleman"),
        *("card", "rifleman", ["la-raye"], [], "no"),
        # Line 1: control
        *("new", "no", "control", *PLAIN, "no"),
        # Line 2: an enemy rifleman within 2: attack [cover]
        *("new", "yes", "enemy", "yes", "type", "rifleman", "no", "yes", "within", 2, "no", "no", "no", "no"),
        *("attack", 0, *NO, *NO, *NO, *NO, "yes", "cover", "no", 0, "no"),
        # Line 3: secure: move 1, to an objective that is not controlled, or towards an enemy
        *("new", "yes", "secure", "no", "no", "done", *PLAIN),
        *("yes", "no", "move", 1, "yes", "objective", "no", "yes", "controlled", "yes", "no"),
        *(*NO, *NO, *NO, *NO, 0),
        *("yes", "no", "move", 1, "no", "yes", "enemy", "any", "no", "no", *NO, *NO, *NO, 0),
        "no",
        *("done", "save"),
    )
    card = merged(tables).solo["my-rifleman"]
    assert card_text(card, pack()) == [
        "RIFLEMAN (La Raye; any bot) [owner]",
        "1. CONTROL",
        "2. An enemy is a rifleman and within 2 tiles: ATTACK [cover]",
        "3. Its tile is secure:",
        "   A. MOVE 1 to an objective that is not controlled",
        "   B. MOVE 1 towards a tile that is occupied by an enemy",
    ]
    own = merged(tables)
    outcome, _ = play_checked(GAME, Setup(own, driver.setup(GAME).settings, "la-raye"), 3)
    assert outcome.reason


def test_factions_are_offered_by_their_names() -> None:
    asked = run(enter(pack(), "my-rifleman"), "card", "rifleman", [], ["it"], "no", "done", "save").asks
    (bots,) = (one for one in asked if one.key == "undaunted.entry.factions")
    assert isinstance(bots, Pick)
    assert [one.label for one in bots.options] == ["US", "German", "LRDG", "Italian"]
    assert bots.label(["it"]) == "Italian"


def test_an_attack_of_a_range_and_a_mines_side_are_typed_in() -> None:
    tables = type_in(
        enter(pack(), "my-gunner"),
        *("card", "submachine-gunner", [], [], "no"),
        *("new", "no", "attack", 3, 0, *PLAIN, "no"),
        *("new", "no", "attack", 1, 20, *PLAIN, "no"),
        *("new", "no", "grenade", 2, 1, *PLAIN, "no"),
        *("new", "no", "mine", 2, "armour", *PLAIN, "no"),
        *("new", "no", "mine", 1, "remove", *PLAIN, "no"),
        *("new", "no", "bolster", "d", *PLAIN, "no"),
        *("new", "no", "inspire", 2, "matching", *PLAIN, "no"),
        *("done", "save"),
    )
    lines = merged(tables).solo["my-gunner"].lines
    assert [one.do for one in lines] == [
        "attack 3 0",
        "attack 1",
        "grenade 2 1",
        "mine 2 armour",
        "mine 1 remove",
        "bolster d",
        "inspire 2 matching",
    ]


def test_a_number_of_nought_stands_for_what_the_unit_prints_of_every_keyword() -> None:
    tables = type_in(
        enter(pack(), "my-guide"),
        *("card", "guide", [], [], "no"),
        *("new", "no", "command", 0, *PLAIN, "no"),
        *("new", "no", "guide", 0, *PLAIN, "no"),
        *("new", "no", "command", 3, *PLAIN, "no"),
        *("done", "save"),
    )
    assert [one.do for one in merged(tables).solo["my-guide"].lines] == ["command", "guide", "command 3"]


def test_a_line_is_read_back_once_it_is_entered_and_more_lines_can_follow_before_it_is_saved() -> None:
    line = ("new", "no", "control", *PLAIN, "no", "done")
    ran = run(enter_card(pack(), "my-guide"), "guide", [], [], "no", *line, "again", "keep", *line, "save")
    read = [(one.text, one.detail) for one in ran.asks if one.key == "undaunted.entry.line"]
    assert read == [("Line 1 now reads", "1. CONTROL"), ("Line 2 now reads", "2. CONTROL")]


def test_whether_a_line_says_more_is_asked_in_whole_sentences() -> None:
    asked = run(
        enter_line(pack(), 1),
        *("yes", "secure", "no", "yes", "initiative", "no", "no"),
        *("move", 1, *NO, *NO, *NO, *NO, "yes", "cover", "no", 0, "no"),
    ).asks
    texts = [one.text for one in asked if one.key == "undaunted.entry.more"]
    assert texts[:3] == [
        "Line 1: its condition says something?",
        "Line 1: its condition says something more?",
        "Line 1: its condition says something more?",
    ]
    assert texts[-2:] == [
        "Line 1: its tiebreakers prefer something?",
        "Line 1: its tiebreakers prefer something more?",
    ]


@pytest.mark.parametrize(("tiles", "do"), [(2, "select 2"), (0, "select")])
def test_the_range_of_a_target_to_select_is_typed_in(tiles: int, do: str) -> None:
    tables = type_in(
        enter(pack(), "my-scout"),
        *("card", "scout", [], [], "no", "new", "no", "select", tiles, *PLAIN, "no", "done", "save"),
    )
    (line,) = merged(tables).solo["my-scout"].lines
    assert line.do == do


def test_a_roll_of_any_number_of_results_is_typed_in() -> None:
    tables = type_in(
        enter(pack(), "my-sergeant"),
        *("card", "sergeant", [], [], "no"),
        *("new", "no", "roll", 2, "bolster", "a", 3, "bolster", "b", 9, "command", 2, *PLAIN, "no"),
        *("done", "save"),
    )
    script = enter_line(pack(), 1)
    question: AnyAsk = next(script)
    for answer in ("no", "roll"):
        question = script.send(question.accept(answer))
    assert isinstance(question, Number)
    assert (question.least, question.most) == (0, 9), "the faces of the die"
    (entered,) = merged(tables).solo["my-sergeant"].lines
    assert entered.roll == {"0-2": "bolster a", "3": "bolster b", "4-9": "command 2"}


def test_a_sub_line_may_leave_the_roll_to_its_line() -> None:
    tables = type_in(
        enter(pack(), "my-sergeant"),
        *(
            "card",
            "sergeant",
            [],
            [],
            "no",
            "new",
            "no",
            "roll",
            4,
            "bolster",
            "a",
            9,
            "bolster",
            "b",
            *PLAIN,
        ),
        *("yes", "yes", "initiative", "no", "no", "done", *PLAIN, "no", "done", "save"),
    )
    (line,) = merged(tables).solo["my-sergeant"].lines
    assert (line.roll, [one.do for one in line.sub]) == ({"0-4": "bolster a", "5-9": "bolster b"}, [""])


def test_no_keyword_means_the_sub_lines_for_a_line_and_the_line_for_a_sub_line() -> None:
    ran = run(
        enter_line(pack(), 1),
        *("no", "control", *PLAIN, "yes", "yes", "initiative", "no", "no", "done", *PLAIN, "no"),
    )
    keywords = [
        one.options[-1].label for one in ran.asks if one.key.endswith("keyword") and isinstance(one, Choose)
    ]
    assert keywords == ["none here, sub-lines say", "as its line"]


@pytest.mark.parametrize(
    ("enter_word", "read", "answers", "text"),
    [
        (enter_who, language.who, ("suppressed", "no"), "suppressed"),
        (enter_who, language.who, ("defence at most", 7, "yes"), "not defence at most 7"),
        (enter_who, language.who, ("on", "enemy", "scout", "yes", "no"), "on not enemy scout"),
        (enter_who, language.who, ("type", "sniper", "yes"), "not sniper"),
        (enter_place, language.place, ("worth at least", 2, "no"), "worth at least 2"),
        (enter_place, language.place, ("friend", "any", "yes"), "not friend"),
        (enter_place, language.place, ("enemy controlled", "no"), "enemy controlled"),
        (enter_tie, language.tie, ("far from", "enemy spawn", "no"), "far from enemy spawn"),
        (enter_tie, language.tie, ("a tile word", "cover at least", 2, "no"), "cover at least 2"),
        (enter_tie, language.tie, ("a unit word", "vehicle", "yes"), "not vehicle"),
        (enter_tie, language.tie, ("high population",), "high population"),
        (enter_condition, language.condition, ("enemy needs", 3, "yes"), "not enemy needs 3"),
        (enter_condition, language.condition, ("row", "matching", "no"), "row: matching"),
        (enter_condition, language.condition, ("bolster", "own", "yes"), "not bolster: own"),
        (enter_condition, language.condition, ("friend", "no", "no"), "friend"),
        (enter_condition, language.condition, ("here", "hill", "no", "no", "yes"), "not here: hill"),
    ],
)
def test_a_word_is_read_back_as_it_was_entered(
    enter_word: Callable[[Pack, str], Script[str]],
    read: Callable[[str], object],
    answers: tuple[object, ...],
    text: str,
) -> None:
    assert run(enter_word(pack(), "1"), *answers).end == text
    assert read(text)


def test_a_known_card_is_offered_line_by_line() -> None:
    tables = type_in(
        enter(pack(), "scout"),
        *("card", [], [], "no", "drop", "keep", "new", "no", "conceal", *PLAIN, "no"),
        *("keep", "keep", "keep", "keep", "done", "save"),
    )
    lines = merged(tables).solo["scout"].lines
    before = pack().solo["scout"].lines
    assert [one.do for one in lines] == ["scout", "conceal", *(one.do for one in before[2:])]
    assert lines[0] == before[1]


def test_a_known_card_stays_for_its_scenarios_and_bots_or_is_for_others() -> None:
    lines = pack().solo["rifleman-la-raye"].lines
    kept = ("no", *["keep"] * len(lines), "done", "save")
    ran = run(enter(pack(), "rifleman-la-raye"), "yes", *kept)
    assert ran.asks[0].text == "Still for La Raye; any bot?"
    assert merged(cast("Tables", ran.end)).solo["rifleman-la-raye"].scenarios == ("la-raye",)
    own = msgspec.structs.replace(pack(), solo=merged(cast("Tables", ran.end)).solo)
    tables = type_in(enter(own, "rifleman-la-raye"), "no", ["mortain"], ["ge"], *kept)
    card = merged(tables).solo["rifleman-la-raye"]
    assert (card.scenarios, card.factions) == (("mortain",), ("ge",))


@pytest.mark.rule("UND-124", "UND-165")
def test_a_card_under_the_name_of_a_stand_in_leaves_it_where_it_is_not_for() -> None:
    lines = pack().solo["scout"].lines
    told = ("card", ["la-raye"], ["ge"], "no")
    recon = ("new", "no", "recon", *PLAIN, "no", "done", "save")
    tables = type_in(enter(pack(), "scout"), *told, *["drop"] * len(lines), *recon)
    own = merged(tables)
    best = [solo_cards(own, "scout", "la-raye", side)[0] for side in ("ge", "us")]
    assert [one.source for one in best] == [packs.Source.OWNER, packs.Source.STAND_IN]
    assert own.solo["scout"] == pack().solo["scout"]
    again = type_in(enter(own, "scout"), *told, "keep", "done", "save")
    assert again == tables


def test_special_rules_are_typed_in_and_a_known_note_stays() -> None:
    card = pack().solo["scout"]
    boxed = msgspec.structs.replace(card, box=("never leave spawn", "never attack above 9"), note="Ask Ann.")
    whole = msgspec.structs.replace(pack(), solo={"scout": boxed})
    tables = type_in(
        enter(whole, "scout"),
        *("card", [], [], ["never attack above 9"], "yes", "never enter", "enemy", "rifleman", "no"),
        *("yes", "never attack above", 7, "no", *["keep"] * len(card.lines), "done", "save"),
    )
    entered = merged(tables).solo["scout"]
    assert entered.box == ("never attack above 9", "never enter enemy rifleman", "never attack above 7")
    assert entered.note == "Ask Ann."


def test_a_card_of_the_rulebook_that_is_completed_lacks_nothing_any_more() -> None:
    tables = type_in(
        enter(pack(), "leader-la-raye-seen"),
        *("yes", "no", "keep", "new", "no", "bolster", "own", *PLAIN, "no", "done", "save"),
    )
    card = merged(tables).solo["leader-la-raye-seen"]
    assert (card.complete, card.note) == (True, "")


def test_a_card_is_the_owners_before_it_is_saved_as_after() -> None:
    ran = run(
        enter(pack(), "my-rifleman"),
        *("card", "rifleman", [], [], "no", "new", "no", "control", *PLAIN, "no", "done", "save"),
    )
    assert ran.asks[-1].detail.splitlines() == ["RIFLEMAN (any scenario; any bot) [owner]", "1. CONTROL"]


def test_an_entered_card_with_problems_is_said_before_it_is_saved() -> None:
    ran = run(
        enter(pack(), "my-rifleman"),
        *("card", "rifleman", [], [], "no", "new", "no", "suppress", 4, *PLAIN, "no", "done", "save"),
    )
    assert ran.asks[-1].text == "1 problem. Save it all the same?"
    assert "rifleman has no suppress" in ran.asks[-1].detail


def answer_sheet(question: AnyAsk, script_of: dict[str, list[object]]) -> object:
    """An answer by the ask's key; the first option where nothing is told."""
    key = question.key.removeprefix("undaunted.entry.")
    told = script_of.get(key)
    if told:
        return told.pop(0)
    match question:
        case Show():
            return True
        case Choose(options=options):
            return options[0].id
        case Pick(options=options, least=least):
            return [one.id for one in options[: max(least, 1)]]
        case Number(least=least):
            return least
    raise AssertionError(question.key)


def fill_in(script: Script[Tables], told: dict[str, list[object]]) -> Tables:
    answer: object = None
    try:
        while True:
            question = script.send(answer)
            answer = question.accept(answer_sheet(question, told))
    except StopIteration as end:
        return cast("Tables", end.value)


def columns(tiles: tuple[str, ...], size: int) -> dict[str, list[object]]:
    """Columns of `size` tiles, each half a tile lower than the one before."""
    layout: list[object] = []
    for start in range(0, len(tiles), size):
        part = list(tiles[start : start + size])
        layout += part
        layout += ["done"] if start + size < len(tiles) else []
    ranks = -(-len(tiles) // size)
    return {
        "tile": layout,
        "shift": [number % 2 for number in range(1, ranks)],
        "enough": ["no"] * (ranks - 1) + ["yes"],
    }


def test_a_scenario_is_entered_from_its_sheet_and_can_then_be_played() -> None:
    known = pack().scenario["raid-across-the-canal"]
    assert list(scenario_lacks(known))
    told = columns(known.tiles, 4)
    told["objectives"] = [list(known.tiles[:4])]
    told["number"] = [2, 3, 2, 1]
    told["enters"] = ["all", "all"]
    told["where"] = [known.tiles[0], known.tiles[-1]]
    told["counter"] = [known.tiles[0]] * 6 + [known.tiles[-1]] * 6
    told["scouted"] = [list(known.tiles[:2]), list(known.tiles[-2:])]
    told["controlled"] = [[], []]
    script = enter(pack(), "raid-across-the-canal")
    told["what"] = ["scenario"]
    own = merged(fill_in(script, told))
    scenario = own.scenario["raid-across-the-canal"]
    assert list(scenario_lacks(scenario)) == []
    assert len(scenario.ranks) == 4
    assert [rank.shift for rank in scenario.ranks[:2]] == [0, 1]
    assert scenario.spawns == {"us": {"all": known.tiles[0]}, "ge": {"all": known.tiles[-1]}}
    outcome, _ = play_checked(GAME, Setup(own, driver.setup(GAME).settings, "raid-across-the-canal"), 1)
    assert outcome.reason


@pytest.mark.parametrize(
    ("rows", "says"),
    [("columns", "half tiles lower than column 1? Higher: -1"), ("rows", "right of row 1? Left: -1")],
)
def test_a_shift_is_a_number_that_no_place_in_a_list_is_taken_for(rows: str, says: str) -> None:
    script = enter(pack(), "raid-across-the-canal")
    question = next(script)
    for given in ("scenario", rows, "1A", "done", "no"):
        question = script.send(question.accept(given))
    assert isinstance(question, Number)
    assert says in question.text
    assert (question.least, question.most) == (-4, 4)


def test_a_spawn_marker_for_one_unit_alone_is_typed_in() -> None:
    told = small_map() | {"kind": ["rifleman"] * 4, "squad": ["a", "b", "a", "b"]}
    told |= {"enters": ["rifleman-a", "rifleman", "all"], "spawn": ["yes", "no", "no"]}
    told["where"] = ["1B", "2B", "3B"]
    scenario = merged(fill_in(enter(pack(), "my-map"), told)).scenario["my-map"]
    assert scenario.spawns["us"] == {"rifleman-a": "1B", "rifleman": "2B"}


def test_a_spawn_marker_for_a_unit_that_four_players_alone_have_is_typed_in() -> None:
    told = small_map() | {"kind": [*["rifleman"] * 4, "sniper"], "joint": ["yes"]}
    scenario = merged(fill_in(enter(pack(), "my-map"), told | {"enters": ["sniper"]})).scenario["my-map"]
    assert scenario.spawns["us"] == {"sniper": "1B"}


def test_a_unit_of_no_squad_is_offered_once_for_a_spawn_marker() -> None:
    told = small_map() | {"kind": ["rifleman"] * 4, "squad": ["a", "none"] * 2}
    script = enter(pack(), "my-map")
    question = next(script)
    while question.key != "undaunted.entry.enters":
        question = script.send(question.accept(answer_sheet(question, told)))
    assert isinstance(question, Choose)
    assert [one.id for one in question.options] == ["all", "a", "rifleman", "rifleman-a"]


def test_where_a_unit_that_four_players_alone_have_starts_is_typed_in() -> None:
    told = small_map() | {"kind": [*["rifleman"] * 4, "sniper"], "joint": ["yes"]}
    own = merged(fill_in(enter(pack(), "my-map"), told | {"counter": ["1B", "2B"]}))
    assert own.scenario["my-map"].counters["us"] == {"rifleman": "1B", "sniper": "2B"}


def with_grenadiers() -> dict[str, list[object]]:
    return small_map() | {"kind": ["grenadier", "rifleman"] * 2, "squad": ["a"] * 4}


def test_a_specialist_that_is_typed_in_is_asked_about_as_its_rifleman_unit() -> None:
    told = with_grenadiers() | {"counter": ["1B", "2B"]}
    scenario = merged(fill_in(enter(pack(), "my-map"), told)).scenario["my-map"]
    assert scenario.counters == {"us": {"rifleman-a": "1B"}, "ge": {"rifleman-a": "2B"}}
    with pytest.raises(BadInput, match="grenadier"):
        fill_in(enter(pack(), "my-map"), with_grenadiers() | {"enters": ["grenadier"]})


@pytest.mark.parametrize(
    ("tables", "where"),
    [
        ({"scenario": {"la-raye": {"supplies": {"us": {"fog": -1}}}}}, "scenario.la-raye.supplies.us.fog"),
        ({"scenario": {"la-raye": {"points": {"us": -1, "ge": 5}}}}, "scenario.la-raye.points.us"),
        ({"section": {"own": {"scenario": "any", "fog": {"a": -1}}}}, "section.own.fog.a"),
        ({"unit": {"bazooka": {"title": "Bazooka", "defence": -1}}}, "unit.bazooka.defence"),
    ],
)
def test_less_than_no_cards_or_points_is_told_and_not_played_but_where_a_session_has_begun(
    tables: Tables, where: str
) -> None:
    own = merged(tables)
    assert where in [one.path for one in GAME.problems(own)]
    start = engine_game.setup(GAME, own, {"players": "2"}, "la-raye")
    with pytest.raises(PackError, match=f"{where}: -1 is less than none; see companion pack check"):
        GAME.start(start)
    assert GAME.start(msgspec.structs.replace(start, begun=True))


def test_a_solo_section_is_entered_for_one_bot() -> None:
    tables = type_in(
        enter(pack(), "la-raye"),
        *("section", "ge", "no", "no", "no", ["rifleman-a", "rifleman-b"], ["scout-a", "scout-b"]),
        *("no", "scout", ["6A", "13B"]),
    )
    section = merged(tables).section["la-raye-ge"]
    assert section.bolster == {"a": ("rifleman-a", "rifleman-b"), "b": ("scout-a", "scout-b")}
    assert section.danger == ("scout", "rifleman")
    assert section.path == ("6A", "13B")
    assert (section.deck, section.supply, section.counters) == ({}, {}, {})


def test_a_solo_section_that_changes_deck_supply_and_counters_is_played_so() -> None:
    tables = type_in(
        enter(pack(), "la-raye"),
        *("section", "ge", "yes", "rifleman", "a", 2, "yes", "fog", 1, "no"),
        *("yes", "machine-gunner", "a", 3, "yes", "fog", 5, "no"),
        *("yes", "8A", "off the board"),
        *(["machine-gunner-a"], "no", "scout", []),
    )
    state = engine_game.setup(GAME, merged(tables), {}, "la-raye")
    table = Undaunted(state).table
    assert table.state.players["ge"].deck == {"rifleman-a": 2, "fog": 1}
    assert table.state.sides["ge"].fog == 5
    assert table.state.bot is not None
    assert table.state.bot.bolster == {"a": {"machine-gunner-a": 3}}
    tiles = {name: one.tile for name, one in table.state.sides["ge"].counters.items()}
    assert tiles == {"machine-gunner-a": "8A", "rifleman-a": ""}


@pytest.mark.parametrize("thing", ["section.ours", "section.la-raye"])
def test_a_solo_section_is_entered_again_in_the_record_that_the_owner_has_of_it(thing: str) -> None:
    ours: Tables = {"section": {"ours": {"scenario": "la-raye", "faction": "ge", "path": ["6A"]}}}
    own = merged(ours)
    tables = type_in(enter(own, thing), "ge", "no", "no", "no", [], "scout", ["13B"])
    later = merged({"section": ours["section"] | tables["section"]})
    section = solo_section(later, "la-raye", "ge")
    assert section is not None
    assert (section.path, list(tables["section"])) == (("13B",), ["ours"])
    other = type_in(enter(own, thing), "us", "no", "no", "no", [], "scout", [])
    assert list(other["section"]) == ["la-raye-us"]


@pytest.mark.parametrize("source", ["owner", "stand-in"])
def test_changes_that_are_not_asked_for_stay_in_a_solo_section_but_a_stand_ins(source: str) -> None:
    printed: Tables = {"section": {"night-lrdg": {"changes": ["Their mines are laid first."]}}}
    whole = merged(printed) if source == "owner" else pack()
    known = msgspec.structs.replace(whole.section["night-lrdg"], source=packs.Source(source))
    own = msgspec.structs.replace(whole, section={"night-lrdg": known})
    asked = run_at_first(enter(own, "section.night-lrdg"))
    (section,) = asked["section"].values()
    assert section["changes"] == (("Their mines are laid first.",) if source == "owner" else ())


def run_at_first(script: Script[Tables]) -> Tables:
    """What the script comes to where the first of everything is answered."""
    question = next(script)
    try:
        while True:
            question = script.send(question.accept(autoplay.at_first(question)))
    except StopIteration as end:
        return cast("Tables", end.value)


def test_how_many_kinds_of_cards_were_entered_is_told() -> None:
    asked = run(enter_cards(pack(), "US supply"), "fog", 8, "yes", "sniper", "none", 3, "no").asks
    assert [one.text for one in asked if one.key == "undaunted.entry.card"] == [
        "US supply: 1 kind. Another?",
        "US supply: 2 kinds. Another?",
    ]


def test_fog_of_war_that_a_solo_section_puts_into_bolster_decks_is_typed_in() -> None:
    tables = type_in(
        enter(pack(), "la-raye"),
        *("section", "ge", "no", "no", "no", ["rifleman-a", "rifleman-b"], ["scout-a", "scout-b"]),
        *("yes", 2, 0, "scout", []),
    )
    own = merged(tables)
    assert own.section["la-raye-ge"].fog == {"a": 2}
    table = Undaunted(engine_game.setup(GAME, own, {}, "la-raye")).table
    assert table.state.bot is not None
    assert table.state.bot.bolster["a"] == {"rifleman-a": 4, "rifleman-b": 4, "fog": 2}
    assert table.state.sides["ge"].fog == 6


@pytest.mark.parametrize(
    ("answers", "fog"),
    [((["rifleman-a"], ["scout-a"], [], "yes", 8), {"a": 8}), (([],), {})],
    ids=["all in the first deck", "no deck"],
)
def test_fog_of_war_is_asked_for_no_more_bolster_decks_than_it_can_be_in(
    answers: tuple[object, ...], fog: dict[str, int]
) -> None:
    tables = type_in(enter(pack(), "la-raye"), "section", "ge", "no", "no", "no", *answers, "scout", [])
    assert tables["section"]["la-raye-ge"]["fog"] == fog


def test_units_and_tiles_of_the_own_copy() -> None:
    tables = type_in(
        enter(pack(), "bazooka"),
        *("unit", 3, "yes", "move", 1, "yes", "attack", 2, 1, "yes", "bolster", 1, "yes", "yes"),
        *("control", "no", 4, 0, 0, "its own", "no", "no", "no"),
    )
    bazooka = merged(tables).unit["bazooka"]
    assert bazooka.actions == ("move 1", "attack 2 1", "bolster 1 squad", "control")
    assert (bazooka.title, bazooka.initiative, bazooka.defence, bazooka.source) == ("Bazooka", 3, 4, "owner")
    truck = type_in(
        enter(pack(), "truck"),
        *("unit", 0, "no", 0, 3, 0, "its own", "yes", "driver", "yes", "drive", 2, "no", "no", "no", "no"),
    )
    assert merged(truck).unit["truck"].seats[0].actions == ("drive 2",)
    tank = ("unit", 5, "yes", "antitank", 4, "no", 0, 7, 0, "its own", "no", "no", "no")
    known = merged(type_in(enter(pack(), "tank"), *tank)).unit["tank"]
    assert (known.actions, known.armour, known.source) == (("antitank 4",), 7, "owner")
    leader = ("unit", 7, "yes", "inspire", 1, "yes", "no", 0, 0, 0, "its own", "no", "no", "no")
    assert merged(type_in(enter(pack(), "leader"), *leader)).unit["leader"].title == "Squad Leader"
    tile = type_in(enter(pack(), "19A"), "tile", 1, "no", "yes")
    assert (merged(tile).tile["19A"].cover, merged(tile).tile["19A"].rough) == (1, True)


def test_an_action_is_asked_for_the_numbers_that_it_has() -> None:
    printed = (*("attack", 2, 20, "yes", "attack", 3, 0, "yes"), *("grenade", 2, 20, "yes", "air-support", 1))
    told = ("unit", 5, "yes", *printed, "no", 4, 0, 0, "its own", "no", "no", "no")
    ran = run(enter(pack(), "bazooka"), *told)
    bazooka = merged(cast("Tables", ran.end)).unit["bazooka"]
    assert bazooka.actions == ("attack 2", "attack 3 0", "grenade 2 20", "air-support 1")
    (least,) = {one.least for one in ran.asks if isinstance(one, Number) and "its number?" in one.text}
    assert least == 1, "no die, tile or card is none that could be left out"


def test_a_defence_or_counter_that_the_own_copy_has_not_replaces_what_was_known() -> None:
    tank = ("unit", 5, "yes", "antitank", 4, "no", 4, 0, 0, "its own", "no", "no", "no")
    entered = merged(type_in(enter(pack(), "tank"), *tank)).unit["tank"]
    assert (entered.defence, entered.armour, entered.source) == (4, None, "owner")
    grenadier = ("unit", 5, "no", 4, 0, 0, "its own", "no", "no", "no")
    alone = merged(type_in(enter(pack(), "grenadier"), *grenadier)).unit["grenadier"]
    assert (alone.unit, alone.defence) == ("", 4)


@pytest.mark.parametrize("name", ["tank", "grenadier"])
def test_a_unit_that_is_entered_again_is_as_it_was_entered(name: str) -> None:
    told = ("unit", 5, "no", 4, 0, 0, "its own", "no", "no", "no")
    once = type_in(enter(pack(), name), *told)
    again = merged(type_in(enter(merged(once), name), *told)).unit[name]
    assert (again.armour, again.unit, again.source) == (None, "", "owner")


def test_a_new_unit_is_no_choice_for_its_own_counter_when_it_is_entered_again() -> None:
    """What is asked then is what was asked before: the answers of before are offered."""
    told = ("unit", 5, "no", 4, 0, 0, "its own", "no", "no", "no")
    once = run(enter(pack(), "halftrack"), *told)
    again = run(enter(merged(cast("Tables", once.end)), "halftrack"), *told)
    assert [one.fingerprint() for one in again.asks] == [one.fingerprint() for one in once.asks]


def test_a_scenario_of_the_expansion_is_entered_whole_and_played() -> None:
    laid = ("D1", "D2", "D3", "D5", "D6", "D7")
    told = columns(laid, 3)
    told["tile"] = ["D1", "D2", "D3", "done", "D5", "D6", "D7", "done"]
    told |= {
        "what": ["scenario"],
        "theatre": ["north-africa"],
        "sides": [["lrdg", "it"]],
        "initiative": ["it"],
        "number": [202, 2, 2, 2, 2, 2, 3, *([1, 2] * 4), 4, 2, 1],
        "kind": ["desert-rifleman"] * 12,
        "squad": ["a", "b"] * 6,
        "joint": ["yes"],
        "mines": ["yes", "it"],
        "laid": ["yes", "yes", "no"],
        "edge": ["D2", "D1", "D6", "D5"],
        "mine": ["anti-armour", "anti-personnel"],
        "objectives": [["D2", "D6"]],
        "enters": ["all", "all"],
        "where": ["D1", "D7"],
        "counter": ["D1", "D1", "D2", "off the board", "D7", "D7", "off the board", "D6"],
        "scouted": [["D1"], ["D7"]],
        "controlled": [[], []],
        "no_vehicles": [["D3"]],
        "structures": [[]],
    }
    own = merged(fill_in(enter(pack(), "night-watch"), told))
    scenario = own.scenario["night-watch"]
    assert list(scenario_lacks(scenario)) == []
    assert (scenario.number, scenario.mines, scenario.points) == (202, "it", {"lrdg": 2, "it": 3})
    assert scenario.decks["lrdg"] == {"desert-rifleman-a": 2}
    assert (scenario.no_vehicles, scenario.pins) == (("D3",), ())
    assert scenario.counters["lrdg"]["scout-car"] == "D2"
    assert scenario.counters["it"]["medium-tank"] == "D6"
    table = Undaunted(engine_game.setup(GAME, own, {}, "night-watch")).table
    assert [(one.between, one.face) for one in table.state.mines] == [
        (("D2", "D1"), "anti-armour"),
        (("D6", "D5"), "anti-personnel"),
    ]
    assert [one.supply for one in scenario.joint["it"]] == [{"desert-rifleman-b": 2}] * 2
    for settings in ({"side": "it"}, {"players": "4"}):
        outcome, _ = play_checked(GAME, engine_game.setup(GAME, own, settings, "night-watch"), 1)
        assert outcome.reason


def small_map() -> dict[str, list[object]]:
    told = columns(("1B", "2B", "3B", "4B"), 2)
    told |= {"tile": ["1B", "2B", "done", "3B", "4B", "done"], "what": ["scenario"], "sides": [["us", "ge"]]}
    return told | {"controlled": [[], []], "structures": [[]]}


def test_the_points_of_a_structure_without_an_objective_marker_are_typed_in() -> None:
    told = small_map() | {"objectives": [["1B"]], "structures": [["1B", "3B"]], "demolishes": ["us"]}
    told["number"] = [*[1] * 7, 2, 1]
    scenario = fill_in(enter(pack(), "my-map"), told)["scenario"]["my-map"]
    assert (scenario["objectives"], scenario["structures"]) == ({"1B": 2}, {"1B": 2, "3B": 1})


def test_of_a_map_that_is_ended_after_one_tile_no_mine_is_asked_for() -> None:
    told = small_map() | {"tile": ["1B", "done"], "enough": ["yes"], "mines": ["yes"], "laid": ["yes"]}
    scenario = fill_in(enter(pack(), "my-map"), told)["scenario"]["my-map"]
    assert (scenario["mines"], scenario["mines_laid"]) == ("us", [])


def test_a_scenario_of_the_own_copy_is_entered_again_as_a_whole() -> None:
    entered = fill_in(enter(pack(), "my-map"), small_map())
    assert fill_in(enter(merged(entered), "my-map"), small_map()) == entered
    record = entered["scenario"]["my-map"]
    assert "radio" not in record, "nobody raises it"
    record |= {"title": "The Ford", "notes": ("Ask Ann.",), "raises_radio": "us"}
    again = fill_in(enter(merged(entered), "my-map"), small_map())["scenario"]["my-map"]
    assert again == {**record, "radio": "1B"}


@pytest.mark.rule("UND-330")
@pytest.mark.parametrize(("theatre", "sides"), [("normandy", ["us", "ge"]), ("north-africa", ["lrdg", "it"])])
def test_only_in_normandy_may_a_side_have_no_points_to_win_by_and_pin(theatre: str, sides: list[str]) -> None:
    told = small_map() | {"theatre": [theatre], "sides": [sides], "number": [1, 1, 1, 0, 1, 1, 0]}
    told["no_vehicles"] = [[]]
    if theatre == "normandy":
        assert fill_in(enter(pack(), "my-map"), told)["scenario"]["my-map"]["pins"] == sides
    else:
        with pytest.raises(BadInput, match="1 to 30"):
            fill_in(enter(pack(), "my-map"), told)


def test_structures_stay_in_a_base_scenario_that_is_not_asked_for_them_when_it_is_entered_again() -> None:
    entered = fill_in(enter(pack(), "my-map"), small_map())
    special: Record = {"no_vehicles": ("3B",), "structures": {"1B": 2}, "demolishes": "us"}
    entered["scenario"]["my-map"] |= {"expansion": False, **special}
    assert fill_in(enter(merged(entered), "my-map"), small_map()) == entered


def test_a_scenario_entered_in_the_place_of_a_stand_in_has_nothing_of_it_any_more() -> None:
    entered = fill_in(enter(pack(), "stand-in-night"), small_map() | {"no_vehicles": [[]]})
    scenario = merged(entered).scenario["stand-in-night"]
    assert (scenario.source, scenario.notes, scenario.title) == ("owner", (), "Stand In Night")
    assert (scenario.mines, scenario.mine_supply, scenario.structures, scenario.joint) == ("", 0, {}, {})
    assert list(scenario_errors(scenario, pack())) == []


def test_what_the_own_pack_says_of_a_stand_in_scenario_and_nobody_is_asked_for_stays() -> None:
    written: Record = {"title": "The Ford", "notes": ("Ask Ann.",)}
    own = merged({"scenario": {"stand-in-night": written}})
    record = fill_in(enter(own, "stand-in-night"), small_map() | {"no_vehicles": [[]]})["scenario"]
    assert record["stand-in-night"] | written == record["stand-in-night"]


def test_a_scenario_that_is_whole_but_for_the_tile_of_its_radio_marker_lacks_that() -> None:
    whole = pack().scenario["la-raye"]
    radio = msgspec.structs.replace(whole, raises_radio="us")
    assert [one.path for one in scenario_lacks(radio)] == ["radio"]
    assert not list(scenario_lacks(msgspec.structs.replace(radio, radio="12B")))


def test_of_a_scenario_from_the_rulebook_only_the_map_is_entered_again() -> None:
    name = "raid-across-the-canal"
    tables = {"scenario": {name: {"rows": True}}}
    told = {"what": ["scenario"], **columns(pack().scenario[name].tiles, 4)}
    assert "decks" not in fill_in(enter(merged(tables), name), told)["scenario"][name]


@pytest.mark.parametrize("table", ["scenario", "section"])
@pytest.mark.parametrize(
    ("decks", "says"),
    [
        ({"us": {"riflmen-a": 2}, "ge": {"scout-a": 1}}, "no unit type for card 'riflmen-a' of us"),
        ({"us": {"scout-a": 2}}, "two sides are wanted, of us, ge, lrdg, it, not us"),
        ({"us": {"scout-a": 2}, "uk": {"scout-a": 2}}, "two sides are wanted, of us, .*, not us, uk"),
    ],
)
def test_neither_map_nor_section_is_asked_for_where_sides_or_cards_are_none(
    table: str, decks: dict[str, dict[str, int]], says: str
) -> None:
    own = merged({"scenario": {"la-raye": {"decks": decks}}})
    with pytest.raises(BadInput, match=rf"scenario\.la-raye: {says}; put that right first: companion pack"):
        run(enter(own, f"{table}.la-raye"))


def test_what_the_own_copy_says_otherwise_than_the_rulebook_stays_when_the_map_is_entered_again() -> None:
    name = "raid-across-the-canal"
    known = pack().scenario[name]
    points = {side: count + 1 for side, count in known.points.items()}
    decks = {side: {**cards, "scout-a": 2} for side, cards in known.decks.items()}
    put_right: Record = {"points": points, "decks": decks, "no_vehicles": ("1A",)}
    tables: Tables = {"scenario": {name: {"rows": True, **put_right}}}
    told = {"what": ["scenario"], **columns(known.tiles, 4)}
    record = fill_in(enter(merged(tables), name), told)["scenario"][name]
    assert record | put_right == record
    assert (record["rows"], "supplies" in record, "title" in record) == (False, False, False)
    assert merged({"scenario": {name: record}}).scenario[name].points == points


def test_a_unit_whose_name_reads_like_a_squad_of_another_is_refused_and_offered_for_no_deck() -> None:
    with pytest.raises(BadInput, match="those of tiger in squad 2"):
        run(enter(pack(), "tiger-2"), "unit")
    own = merged({"unit": {"tiger-2": {"title": "Tiger"}, "tiger": {"title": "Tiger"}}})
    asked = run(enter_cards(own, "deck"), "tiger", "none", 1, "no").asks
    assert isinstance(asked[0], Choose)
    assert {"tiger", "tiger-2"} & {option.id for option in asked[0].options} == {"tiger"}


@pytest.mark.parametrize(
    "name", ["vehicle", "matching", "panzer iv", "controlled", "x,y", "a", "all", "rest"]
)
def test_a_unit_of_a_name_that_a_solo_card_would_read_otherwise_is_refused_and_told(name: str) -> None:
    with pytest.raises(BadInput, match="give it another one"):
        run(enter(pack(), f"unit.{name}"))
    own = merged({"unit": {name: {"title": "Panzer IV"}}})
    assert f"unit.{name}" in [one.path for one in GAME.problems(own)]


def test_a_record_of_a_table_that_there_is_not_is_refused() -> None:
    with pytest.raises(BadInput, match="there are solo, scenario"):
        run(enter(pack(), "soloo.scout"))


def test_a_scenario_that_is_not_known_is_refused() -> None:
    with pytest.raises(BadInput, match="no such scenario"):
        run(enter(pack(), "dunkirk"), "section")


def test_cards_and_scenarios_are_offered_by_what_is_printed_and_taken_by_their_records() -> None:
    asked = run(enter(pack(), "my-rifleman"), "card", "rifleman", ["la-raye"], [], "no", "done", "save").asks
    words = {
        one.key.rpartition(".")[2]: [option.label for option in one.options]
        for one in asked
        if isinstance(one, Choose | Pick)
    }
    assert {"Antitank Gunner", "Rifleman (rifleman)", "Rifleman (desert-rifleman)"} < set(words["unit"])
    assert "La Raye" in words["scenarios"]


def test_squads_are_offered_by_their_letters_and_base_games_by_their_names() -> None:
    script = enter(pack(), "mine")
    next(script)
    theatre = script.send("scenario")
    assert isinstance(theatre, Choose)
    assert [one.label for one in theatre.options] == ["Normandy", "North Africa"]
    for answer in ("normandy", 1, ("us", "ge"), "us", "rifleman"):
        asked = script.send(answer)
    assert isinstance(asked, Choose)
    assert [(one.id, one.label) for one in asked.options] == [
        ("none", "none"), ("a", "A"), ("b", "B"), ("c", "C"), ("t", "T")
    ]  # fmt: skip


def test_columns_are_counted_in_words_that_fit() -> None:
    told = small_map() | {"tile": ["1B", "done"], "enough": ["yes"], "mines": ["no"]}
    script, texts = enter(pack(), "my-map"), list[str]()
    question = next(script)
    while question.key != "undaunted.entry.objectives":
        texts.append(question.text)
        question = script.send(question.accept(answer_sheet(question, told)))
    assert "1 column: is that all?" in texts


def test_a_card_is_called_by_what_is_printed_on_it_where_its_number_is_asked() -> None:
    script = enter_cards(pack(), "US starting deck")
    next(script)
    assert script.send("anti-tank-gunner").text == "Antitank Gunner: of which squad?"
    assert script.send("a").text == "Antitank Gunner A: how many?"
