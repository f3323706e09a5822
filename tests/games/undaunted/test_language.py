"""The words of solo cards: what parses, what is refused with which message, what the checker finds."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import packs
from companion.engine.errors import BadInput, PackError
from companion.engine.packs import Record, Source
from companion.games.undaunted import GAME, actions, checker, checker_cards, language
from companion.games.undaunted.language import Place, Subject, Tie, Who
from companion.games.undaunted.pack import (
    Cards,
    LaidMine,
    Line,
    Pack,
    Rank,
    Seat,
    SoloCard,
    SoloSection,
    Theatre,
    UnitType,
    solo_section,
    steps_of,
)
from companion.games.undaunted.printer import card_text, deed_text, shown
from tests.games import driver
from tests.games.undaunted.field import ARMOUR, NIGHT, line, solo, sub


def pack() -> Pack:
    found = driver.setup(GAME).pack
    assert isinstance(found, Pack)
    return found


def found_in(card: SoloCard) -> list[str]:
    return [f"{one.path}: {one.message}" for one in checker_cards.solo_card(card, pack())]


@given(st.text(max_size=40))
def test_any_text_parses_or_is_a_bad_input(text: str) -> None:
    for parse in (
        language.place,
        language.who,
        language.condition,
        language.tie,
        language.limit,
        language.deed,
        language.faces_of,
        actions.parse,
    ):
        with suppress(BadInput):
            parse(text)


@pytest.mark.parametrize(
    "text", ["", "attack", "attack x", "attack 1 2 3", "jump 2", "move 1 1", "grenade 2", "command 100"]
)
def test_what_is_no_printed_action_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        actions.parse(text)


@pytest.mark.parametrize("kind", list(actions.Kind))
def test_every_action_reads_back_as_it_is_printed(kind: actions.Kind) -> None:
    for text in (kind.value, f"{kind.value} 2", f"{kind.value} 2 1"):
        try:
            action = actions.parse(text)
        except BadInput:
            continue
        assert actions.parse(str(action).lower().replace("air support", "air-support")) == action


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "select 1 2",
        "select far",
        "select 100",
        "hunker 2",
        "inspire 2",
        "inspire 100 own",
        "bolster",
        "mine",
    ],
)
def test_what_is_no_keyword_of_a_solo_card_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        language.deed(text)


@pytest.mark.parametrize("text", ["", "-", "low", "4-2", "0-10", "10", "1-", "-1", "1-2-3"])
def test_what_is_no_face_of_a_die_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        language.faces_of(text)


def test_words_with_numbers_types_and_denials() -> None:
    assert language.place("not enemy rifleman") == language.PlaceTerm(
        Place.ENEMY, kind="rifleman", denied=True
    )
    assert language.place("worth at least 2").n == 2
    assert language.who("within 3") == language.WhoTerm(Who.WITHIN, n=3)
    assert language.who("on not scouted").place == language.PlaceTerm(Place.SCOUTED, denied=True)
    condition = language.condition("not enemy: rifleman, within 2")
    assert (condition.subject, condition.denied, len(condition.who)) == (Subject.ENEMY, True, 2)
    assert language.tie("near enemy spawn").word is Tie.NEAR
    assert language.faces_of("3-5") == ["3", "4", "5"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("objectiv", "unknown; there are objective"),
        ("within two", "a number is wanted"),
        ("objective 3", "not understood"),
    ],
)
def test_a_wrong_word_says_what_would_be_right(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        language.place(text)


# The checker


def test_the_cards_that_ship_are_in_order_but_for_the_fragments() -> None:
    for name, card in pack().solo.items():
        found = [one.message for one in checker_cards.solo_card(card, pack())]
        assert found == ([] if card.complete else ["incomplete: not played until its lines are entered"]), (
            name
        )


@pytest.mark.parametrize(
    ("card", "says"),
    [
        (solo("rifleman"), "lines: no line"),
        (solo("rifle", line("control")), "unit: no unit type 'rifle'"),
        (solo("rifleman", line("jump 1")), "lines.1.do: action 'jump 1'"),
        (solo("rifleman", line("board")), "lines.1.do: 'board': the bot has no rule for it"),
        (solo("rifleman", line("suppress 4")), "can never apply: rifleman has no suppress"),
        (solo("rifleman", line("attack", when=["secure", "not secure"])), "both 'secure' and 'not secure'"),
        (solo("rifleman", line("hunker"), line("attack")), "lines.2: can never apply: line 1 always does"),
        (solo("rifleman", line("move 1")), "ambiguous: a move wants 'to' or 'toward'"),
        (solo("rifleman", line("attack", to=["enemy"])), "ambiguous: combat takes 'at'"),
        (solo("rifleman", line("attack", toward=["enemy"])), "ambiguous: combat takes 'at'"),
        (solo("rifleman", line("control", then=1)), "line 1 is no other line of the card"),
        (solo("rifleman", line("control", then=9)), "line 9 is no other line of the card"),
        (solo("leader", line("select 2", to=["objective"])), "a leader has no tile to select from"),
        (solo("sergeant", line(roll={"0-4": "bolster a", "4-9": "command 2"})), "each face 0 to 9"),
        (solo("sergeant", line(roll={"low": "bolster a"})), "faces are wanted"),
        (
            solo("rifleman", line("move 1", sub(to=["enemy"]), sub(to=["enemy"], ties=["cover"]))),
            "lines.1.B: can never apply: an earlier sub-line says the same",
        ),
        (solo("rifleman", line("attack", when=["enemy: rifle"])), "no unit type 'rifle'"),
        (solo("rifleman", line("attack", when=["row: rifle"])), "no unit type 'rifle'"),
        (solo("rifleman", line("attack", when=["enemy: on friend rifle"])), "no unit type 'rifle'"),
        (solo("rifleman", line("attack", at=["not rifle"])), "lines.1.at: no unit type 'rifle'"),
        (solo("rifleman", line("attack", at=[""])), "lines.1.at: unit word ''"),
        (solo("rifleman", line("move 1", sub(to=["enemy rifle"]))), "lines.1.A.to: no unit type 'rifle'"),
        (solo("rifleman", line("attack", ties=["valeu"])), "lines.1.ties: no unit type 'valeu'"),
        (solo("rifleman", line("attack", ties=["is"])), "lines.1.ties: no unit type 'is'"),
        (solo("rifleman", line("attack", ties=["near enemy rifle"])), "no unit type 'rifle'"),
        (solo("leader", line("inspire 1 rifle")), "lines.1.do: no unit type 'rifle'"),
        (solo("rifleman", line("attack"), box=("never leave enemy rifle",)), "box: no unit type 'rifle'"),
        (solo("rifleman", line("move 1", to=["objective"], at=["rifleman"])), "lines.1.at: not looked at"),
        (solo("rifleman", line("control", ties=["value"])), "lines.1.ties: not looked at"),
        (solo("sniper", line("select 2", toward=["objective"])), "lines.1.toward: not looked at"),
        (solo("rifleman", line("move 1", who=["scout"], to=["hill"])), "lines.1.who: not looked at"),
        (solo("rifleman", line("", sub("control", ties=["value"]))), "lines.1.A.ties: not looked at"),
        (solo("rifleman", line("", sub("control"), sub("recon"), to=["hill"])), "lines.1.to: not looked at"),
        (
            solo("rifleman", line("move 1", to=["objective"], ties=["value", "not rifleman"])),
            "lines.1.ties: 'not rifleman' prefers none, tiles are chosen: a tile word is wanted",
        ),
        (
            solo("leader", line("inspire 1 matching", ties=["rifleman", "value"])),
            "lines.1.ties: 'value' prefers none, cards are chosen: a type or 'matching' is wanted",
        ),
        (solo("rifleman", line(when=["secure"])), "no keyword"),
        (solo("rifleman", line("control"), box=("never sleep",)), "special rule 'never sleep'"),
        (solo("rifleman", line("jump", sub("control"), sub("attack"))), "lines.1.do: not looked at"),
    ],
)
def test_the_checker_names_what_never_applies_or_is_ambiguous(card: SoloCard, says: str) -> None:
    assert any(says in one for one in found_in(card)), found_in(card)


@pytest.mark.parametrize(
    "one",
    [
        solo("rifleman", line("move 1", to=["objective"], ties=["not enemy rifleman", "value"])),
        solo("rifleman", line("attack", ties=["suppressed", "value"])),
        solo("guide", line("guide 1", to=["objective"], ties=["rifleman", "value"])),
        solo("leader", line("inspire 1 any", ties=["matching", "not scout"])),
        solo("rifleman", line("", sub("attack"), sub("move 1", to=["objective"]), ties=["suppressed"])),
    ],
)
def test_no_tiebreaker_is_told_that_can_decide(one: SoloCard) -> None:
    assert found_in(one) == []


def test_a_line_that_hunkers_down_on_some_faces_alone_leaves_the_next_its_turn() -> None:
    thrown = line(roll={"0-4": "hunker", "5-9": "control"})
    assert found_in(solo("rifleman", thrown, line("attack"))) == []


@pytest.mark.parametrize("hunkers", [line("hunker", when=["secure"]), line("hunker", sub(when=["secure"]))])
def test_a_line_that_hunkers_down_on_a_condition_leaves_the_next_its_turn(hunkers: Line) -> None:
    assert found_in(solo("rifleman", hunkers, line("attack"))) == []


def test_who_scouts_needs_nowhere_to_go_to() -> None:
    assert found_in(solo("scout", line("scout 2"))) == []


def test_a_side_of_no_faction_is_told() -> None:
    strange = msgspec.structs.replace(pack().scenario["la-raye"], decks={"us": {}, "uk": {"scout-a": 1}})
    found = checker.problems(msgspec.structs.replace(pack(), scenario={"la-raye": strange}))
    assert "no faction 'uk'; there are us, ge, lrdg, it" in [one.message for one in found]


def test_a_solo_section_of_a_scenario_that_there_is_not_is_told() -> None:
    own = with_section({"scenario": "la-ray", "bolster": {"a": ("rest",)}})
    found = [f"{one.path}: {one.message}" for one in checker.problems(own)]
    assert "section.own.scenario: no scenario 'la-ray'" in found


def test_a_line_that_another_goes_on_with_applies_past_one_that_hunkers_down() -> None:
    found = found_in(
        solo("rifleman", line("control", then=3), line("hunker"), line("attack"), line("attack"))
    )
    assert found == []
    found = found_in(
        solo("rifleman", line("control", then=4), line("hunker"), line("attack"), line("attack"))
    )
    assert found == ["lines.3: can never apply: line 2 always does before it"]


SAME = "lines.1.B: can never apply: an earlier sub-line says the same"
ROLL, OTHER_ROLL = {"0-4": "bolster a", "5-9": "command 2"}, {"0-4": "bolster b", "5-9": "command 2"}


@pytest.mark.parametrize(
    ("card", "found"),
    [
        (solo("sergeant", line("", sub(roll=OTHER_ROLL), sub(), roll=ROLL)), []),
        (solo("sergeant", line("", sub(roll=OTHER_ROLL), sub(roll=ROLL))), []),
        (solo("sergeant", line("", sub(), sub(roll=ROLL), roll=ROLL)), [SAME]),
        (solo("rifleman", line("move 1", sub(ties=["value"]), sub(ties=["cover"]), to=["hill"])), []),
        (solo("rifleman", line("move 1", sub(ties=["value"]), sub(ties=["cover"]), toward=["hill"])), [SAME]),
        (
            solo(
                "rifleman",
                line("move 1", sub(ties=["value"]), sub(then=2), to=["hill"], ties=["value"]),
                line("control"),
            ),
            [SAME],
        ),
        (solo("rifleman", line("attack", sub(ties=["value"]), sub(ties=["cover"]))), [SAME]),
        (solo("mortar", line("target", sub(), sub(ties=["value"]), to=["enemy"])), []),
        (solo("mortar", line("target", sub(), sub(), to=["enemy"])), [SAME]),
    ],
)
def test_a_sub_line_says_the_same_only_where_an_earlier_one_applies_wherever_it_would(
    card: SoloCard, found: list[str]
) -> None:
    assert found_in(card) == found


def test_a_card_for_scenarios_or_bots_that_there_are_none_of_is_told() -> None:
    card = msgspec.structs.replace(
        solo("rifleman", line("control")), scenarios=("la-raye", "la raye"), factions=("ge", "german")
    )
    wrong = [one.partition(";")[0] for one in found_in(card)]
    assert wrong == ["scenarios: no 'la raye'", "factions: no 'german'"]


def test_a_line_says_for_its_sub_lines_what_some_of_them_go_by() -> None:
    shared = line(
        "", sub("attack", at=["scout"]), sub("move 1", to=["hill"]), at=["rifleman"], ties=["value"]
    )
    assert found_in(solo("rifleman", shared)) == []


def test_a_move_to_an_enemy_goes_by_which_one_is_meant() -> None:
    assert found_in(solo("rifleman", line("move 1", toward=["enemy"], at=["any"]))) == []


def test_a_bolster_deck_that_no_section_names_is_told() -> None:
    card = solo(
        "leader",
        line("bolster d", when=["bolster: e"]),
        line(roll={"0-4": "bolster any", "5-9": "bolster f"}, when=["bolster: own"]),
    )
    found = [one.partition(" in the")[0] for one in found_in(card)]
    assert found == [f"lines.{n}: no bolster deck {deck!r}" for n, deck in ((1, "d"), (1, "e"), (2, "f"))]
    own = with_section({"scenario": "la-raye", "faction": "ge", "bolster": {"d": ("rest",)}})
    here = msgspec.structs.replace(solo("leader", line("bolster d")), scenarios=("la-raye",))
    assert list(checker_cards.solo_card(here, own)) == []
    platoon = msgspec.structs.replace(here, lines=(line("bolster platoon"),), factions=("ge",))
    (wrong,) = checker_cards.solo_card(platoon, own)
    assert wrong.message == "no bolster deck 'platoon' in the solo section; there are own, any, d"


def test_a_line_may_go_on_with_one_above_it() -> None:
    first = line("control", when=["not secure"])
    assert found_in(solo("rifleman", first, line("move 1", to=["objective"], then=1))) == []


def test_the_checker_lists_what_the_owner_still_has_to_enter() -> None:
    """A map of which nothing is known is told once."""
    whole = pack()
    mortain = whole.scenario["mortain"]
    (found,) = (one for one in checker.problems(whole) if one.path.startswith("scenario.mortain"))
    assert (found.path, found.message.partition(":")[0], found.rule) == (
        "scenario.mortain",
        "its map",
        "UND-G11",
    )
    lacking = {
        "objectives",
        *(f"{of}.{side}" for of in ("spawns", "counters", "scouted") for side in ("us", "ge")),
    }
    assert {one.path for one in checker.scenario_lacks(mortain)} == {"ranks", *lacking}
    laid = msgspec.structs.replace(mortain, ranks=whole.scenario["la-raye"].ranks)
    changed = msgspec.structs.replace(whole, scenario={"mortain": laid})
    told = {one.path for one in checker.problems(changed)}
    assert {f"scenario.mortain.{one}" for one in lacking} <= told
    assert "scenario.mortain" not in told


@pytest.mark.parametrize(
    ("fields", "lacking"),
    [
        ({"decks": {}}, ["decks"]),
        ({"initiative": ""}, ["initiative"]),
        ({"objectives": {}}, ["objectives"]),
        ({"spawns": {}}, ["spawns.us", "spawns.ge"]),
        ({"counters": {"ge": {"rifleman-a": "5B"}}}, ["counters.us"]),
        ({"scouted": {}}, ["scouted.us"]),
        ({"points": {"us": 3}}, ["points.ge"]),
    ],
)
def test_what_a_sheet_without_one_thing_lacks_is_just_that(
    fields: dict[str, object], lacking: list[str]
) -> None:
    scenario = msgspec.structs.replace(pack().scenario["la-raye"], **fields)
    assert [one.path for one in checker.scenario_lacks(scenario)] == lacking


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, ["danger: the danger list"]),
        ({"danger": ["scout", "nobody"]}, ["danger: no unit type 'nobody'"]),
        ({"danger": ["scout"], "bolster": {}}, ["bolster: how the supply is divided into bolster decks"]),
        ({"danger": ["scout"], "counters": {"scout-a": "1A"}}, ["counters: tile 1A is not on the board"]),
        ({"danger": ["scout"], "fog": {"a": 9}}, ["fog: 9 Fog of War, but the ge supply has 8"]),
        ({"danger": ["scout"], "fog": {"b": 1}}, ["fog: no bolster deck 'b'; there are a"]),
        ({"danger": ["scout"], "fog": {"a": 8}}, []),
        ({"danger": ["scout"], "fog": {"a": 9}, "supply": {"rifleman-a": 2, "fog": 9}}, []),
    ],
)
def test_what_a_solo_section_lacks_or_contradicts_is_told(fields: Record, says: list[str]) -> None:
    section: Record = {"scenario": "la-raye", "faction": "ge", "bolster": {"a": ["rest"]}, **fields}
    found = [one for one in checker.problems(with_section(section)) if one.path.startswith("section.own.")]
    assert [f"{one.path.removeprefix('section.own.')}: {one.message}" for one in found] == says


def test_the_checker_sees_a_wrong_board() -> None:
    whole = pack()
    la_raye = whole.scenario["la-raye"]
    wrong = msgspec.structs.replace(
        la_raye,
        tiles=(*la_raye.tiles, "1A"),
        spawns={"us": {"all": "1B"}, "ge": {"all": "5B"}},
        controlled={"us": ("5B",), "ge": ("5B",)},
        decks={"us": {"riflemen-a": 1}, "ge": la_raye.decks["ge"]},
    )
    changed = msgspec.structs.replace(whole, scenario={**whole.scenario, "la-raye": wrong})
    found = " | ".join(one.message for one in checker.problems(changed))
    for words in (
        "tile 1A of the scenario's list is not laid",
        "tile 1B is not on the board",
        "both sides control 5B",
    ):
        assert words in found
    assert "no unit type for card 'riflemen-a'" in found


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"initiative": "US"}, "initiative: no side 'US'; there are us, ge"),
        ({"pins": ("german",)}, "pins: no side 'german'"),
        ({"supplies": {"us": {"scout-a": 1}, "gr": {"scout-a": 1}}}, "supplies: no side 'gr'"),
        ({"controlled": {"german": ("5B",)}}, "controlled: no side 'german'"),
        ({"counters": {"us": {"riflemen-a": "17B"}, "ge": {"scout-a": "5B"}}}, "counter for 'riflemen-a'"),
        ({"counters": {"us": {"leader-a": "17B"}, "ge": {"scout-a": "5B"}}}, "counter for 'leader-a'"),
        (
            {"spawns": {"us": {"All": "17B"}, "ge": {"a": "5B", "scout-b": "5B"}}},
            "spawns.us: 'All' is no unit",
        ),
        ({"mine_supply": 2}, "mines: which faction controls the mines"),
        ({"mines_laid": (LaidMine(("5B", "17B")),)}, "mines: which faction controls the mines"),
        ({"tiles": ("5B",)}, "ranks: tile 2B is not on the scenario's list"),
    ],
)
def test_a_sheet_with_a_side_or_unit_that_is_none_is_not_begun(fields: dict[str, object], says: str) -> None:
    whole = pack()
    wrong = msgspec.structs.replace(whole.scenario["la-raye"], **fields)
    changed = msgspec.structs.replace(whole, scenario={"la-raye": wrong})
    assert [one for one in checker.problems(changed) if says in f"{one.path}: {one.message}"]
    with pytest.raises(PackError, match=says):
        GAME.start(msgspec.structs.replace(driver.setup(GAME), pack=changed, scenario="la-raye"))


@pytest.mark.rule("UND-012", "UND-364")
@pytest.mark.parametrize(
    ("scenario", "fields", "says"),
    [
        (ARMOUR, {"no_vehicles": ("1B",)}, "counters.us: tank starts on 1B, where no vehicle may be"),
        (ARMOUR, {"no_vehicles": ("16B",)}, "spawns.ge: tank enters on 16B, where no vehicle may be"),
        (
            NIGHT,
            {"counters": {"lrdg": {"crewman-a": "D4"}, "it": {"medium-tank": "D4"}}},
            "medium-tank starts on D4",
        ),
    ],
)
def test_a_sheet_that_puts_a_vehicle_where_none_may_be_is_not_begun(
    scenario: str, fields: dict[str, object], says: str
) -> None:
    whole = pack()
    wrong = msgspec.structs.replace(whole.scenario[scenario], **fields)
    changed = msgspec.structs.replace(whole, scenario={**whole.scenario, scenario: wrong})
    told = [f"{one.path}: {one.message}" for one in checker.problems(changed)]
    assert [one for one in told if says in one]
    assert not [one for one in told if "crewman-a starts" in one], "it is on foot"
    assert scenario not in checker.playable(changed)


@pytest.mark.rule("UND-012", "UND-364")
@pytest.mark.parametrize(
    ("scenario", "faction", "fields", "says"),
    [
        (ARMOUR, "ge", {"counters": {"tank": "7B"}}, "counters.ge: tank starts on 7B, where no vehicle may"),
        (NIGHT, "it", {"counters": {"medium-tank": "D4"}}, "counters.it: medium-tank starts on D4, where no"),
        ("la-raye", "ge", {"supply": {"tank": 1}}, "spawns.ge: tank enters on 5B, where no vehicle may be"),
    ],
)
def test_a_solo_section_that_puts_a_vehicle_where_none_may_be_is_not_begun(
    scenario: str, faction: str, fields: dict[str, object], says: str
) -> None:
    own = with_section({"scenario": scenario, "faction": faction, "bolster": {"a": ("rest",)}, **fields})
    barred = msgspec.structs.replace(own.scenario["la-raye"], no_vehicles=("5B",))
    changed = msgspec.structs.replace(own, scenario={**own.scenario, "la-raye": barred})
    assert [one for one in checker.problems(changed) if f"section.own.{says}" in f"{one.path}: {one.message}"]
    with pytest.raises(PackError, match=says):
        GAME.start(msgspec.structs.replace(driver.setup(GAME), pack=changed, scenario=scenario))


def test_fog_of_war_of_a_squad_is_not_dealt() -> None:
    whole, says = pack(), "there is only 'fog', of no squad, not 'fog-a'"
    wrong = msgspec.structs.replace(
        whole.scenario["la-raye"], decks={"us": {"rifleman-a": 2, "fog-a": 2}, "ge": {"rifleman-a": 2}}
    )
    changed = msgspec.structs.replace(whole, scenario={"la-raye": wrong})
    assert f"scenario.la-raye.decks.us: {says}" in {
        f"{one.path}: {one.message}" for one in checker.problems(changed)
    }
    with pytest.raises(PackError, match=says):
        GAME.start(msgspec.structs.replace(driver.setup(GAME), pack=changed, scenario="la-raye"))


@pytest.mark.parametrize(
    ("scenario", "theatre", "says"),
    [
        (NIGHT, Theatre.NORMANDY, ["LRDG in a scenario of Normandy", "Italian in a scenario of Normandy"]),
        ("la-raye", Theatre.NORTH_AFRICA, ["US in a scenario of", "German in a scenario of North Africa"]),
        (NIGHT, Theatre.NORTH_AFRICA, []),
    ],
)
def test_sides_of_the_other_base_game_are_told(scenario: str, theatre: Theatre, says: list[str]) -> None:
    changed = msgspec.structs.replace(pack().scenario[scenario], theatre=theatre)
    found = checker.problems(msgspec.structs.replace(pack(), scenario={scenario: changed}))
    told = [one.message for one in found if one.path == f"scenario.{scenario}.theatre"]
    assert len(told) == len(says)
    assert all(words in message for words, message in zip(says, told, strict=True))


def test_a_map_of_columns_without_tiles_is_none_and_a_deck_without_cards_is_wanted() -> None:
    scenario = pack().scenario["la-raye"]
    bare = msgspec.structs.replace(
        scenario, ranks=(Rank(()),), decks={"us": {"scout-a": 0}, "ge": {"fog": 2}}
    )
    changed = msgspec.structs.replace(pack(), scenario={"la-raye": bare})
    assert [one.path for one in checker.scenario_lacks(bare)] == ["ranks", "decks.us", "decks.ge"]
    assert "scenario.la-raye" in [one.path for one in checker.problems(changed) if one.rule == "UND-G11"]
    assert checker.playable(changed) == ()


def test_structures_that_nobody_can_demolish_are_told() -> None:
    def told(units: dict[str, UnitType], **fields: object) -> list[str]:
        scenario = msgspec.structs.replace(pack().scenario[NIGHT], **fields)
        changed = msgspec.structs.replace(pack(), unit={**pack().unit, **units}, scenario={NIGHT: scenario})
        found = [f"{one.path}: {one.message}" for one in checker.problems(changed)]
        return [
            one.removeprefix(f"scenario.{NIGHT}.") for one in found if "emolish" in one or "unit.str" in one
        ]

    none = ["demolishes: no card of the it side can demolish a structure"]
    tank = pack().unit["medium-tank"]
    gunner = Seat("gunner", ("attack 2", "demolition 2"))
    assert told({}) == told({}, structures={}, demolishes="") == []
    assert told({}, demolishes="") == ["demolishes: the side that scores by demolishing the structures"]
    assert told({}, demolishes="it") == none
    assert told({"medium-tank": msgspec.structs.replace(tank, seats=(gunner,))}, demolishes="it") == []
    soft = {"structure": UnitType("Structure", structure=0)}
    assert told(soft) == ["structures: their defence is wanted, in unit.structure"]
    decks = pack().scenario[NIGHT].decks
    assert told({}, demolishes="it", decks=decks | {"it": {"tnak": 1}}) == none, "of what card ever"
    bare = {name: unit for name, unit in pack().unit.items() if name != "structure"}
    found = [one.message for one in checker.problems(msgspec.structs.replace(pack(), unit=bare))]
    assert "their defence is wanted, in unit.structure" in found


@pytest.mark.rule("UND-330")
@pytest.mark.parametrize(("points", "is_told"), [(0, True), (3, False)])
def test_a_side_of_north_africa_that_could_win_by_pinning_alone_is_told(
    points: int, *, is_told: bool
) -> None:
    def paths(scenario: str, side: str) -> list[str]:
        fields = {"points": {**pack().scenario[scenario].points, side: points}, "pins": (side,)}
        changed = msgspec.structs.replace(pack().scenario[scenario], **fields)
        found = checker.problems(msgspec.structs.replace(pack(), scenario={scenario: changed}))
        return [one.path for one in found if one.rule == "UND-330"]

    assert paths(NIGHT, "it") == [f"scenario.{NIGHT}.points.it"] * is_told
    assert paths("la-raye", "ge") == []


def test_a_bolster_deck_that_takes_no_card_is_told() -> None:
    def told(**fields: object) -> list[str]:
        own = with_section({"scenario": "la-raye", "faction": "ge", **fields})
        return [one.message for one in checker.problems(own) if one.path == "section.own.bolster"]

    says = "deck b takes no card of the supply that is left"
    assert told(bolster={"a": ("squad a",), "b": ("rest",)}) == []
    assert told(bolster={"a": ("rest",), "b": ("squad b",)}) == [says]
    assert told(bolster={"a": ("rest",), "b": ()}) == [says]
    assert told(bolster={"a": ("rest",), "b": ()}, fog={"b": 1}) == []


def test_a_vehicle_with_seats_that_could_get_into_another_is_told() -> None:
    car = msgspec.structs.replace(pack().unit["scout-car"], actions=("board",))
    changed = msgspec.structs.replace(pack(), unit={**pack().unit, "scout-car": car})
    found = [f"{one.path}: {one.message}" for one in checker.problems(changed) if one.rule == "UND-360"]
    assert found == [
        "unit.scout-car.actions: 'board' is what soldiers do: a vehicle with seats gets into none"
    ]


@pytest.mark.rule("UND-332")
def test_a_goal_above_all_points_on_the_board_or_had_from_the_start_is_told() -> None:
    def told(scenario: str, **fields: object) -> list[str]:
        changed = msgspec.structs.replace(pack().scenario[scenario], **fields)
        found = checker.problems(msgspec.structs.replace(pack(), scenario={scenario: changed}))
        return [f"{one.path}: {one.message}" for one in found if ".points" in one.path]

    path = "scenario.la-raye.points.us"
    assert told("la-raye", points={"us": 11, "ge": 10}) == [
        f"{path}: 11 to win, but there are only 10 to be had"
    ]
    assert told("la-raye", points={"us": 11, "ge": 5}, radio="5B") == []
    tile, worth = next(iter(pack().scenario["la-raye"].objectives.items()))
    has = f"{path}: {worth} to win, and it has {worth} from the start"
    assert told("la-raye", points={"us": worth, "ge": 10}, controlled={"us": (tile,)}) == [has]
    assert told("la-raye", points={"us": worth + 1, "ge": 10}, controlled={"us": (tile,)}) == []
    assert told(NIGHT, points={"lrdg": 11, "it": 7}) == []
    assert len(told(NIGHT, points={"lrdg": 12, "it": 8})) == 2


def test_a_solo_card_of_no_unit_is_shown_by_the_name_that_it_has() -> None:
    assert card_text(solo("rifelman", line("control")), pack())[0].startswith("RIFELMAN (any scenario")


def test_an_action_that_is_none_is_listed_also_where_a_solo_card_goes_by_it() -> None:
    scout = msgspec.structs.replace(pack().unit["scout"], actions=("scuot 2", "recon"))
    changed = msgspec.structs.replace(pack(), unit={**pack().unit, "scout": scout})
    found = [f"{one.path}: {one.message}" for one in checker.problems(changed)]
    assert [one for one in found if one.startswith("unit.scout.actions: action 'scuot 2': no such action")]
    assert "solo.scout.lines.2.do: can never apply: scout has no scout on its card" in found


@pytest.mark.rule("UND-192", "UND-363")
@pytest.mark.parametrize(("unit", "fits"), [("crewman", True), ("platoon-leader", False)])
def test_what_a_seat_gives_may_stand_on_the_solo_card_of_who_can_sit_there(unit: str, *, fits: bool) -> None:
    card = solo(unit, line("antitank", at=["vehicle"]))
    found = [one.message for one in checker.problems(msgspec.structs.replace(pack(), solo={unit: card}))]
    none = f"can never apply: {unit} has no antitank on its card"

    assert (none not in found) is fits


def test_a_unit_whose_name_reads_like_a_squad_of_another_is_told() -> None:
    changed = msgspec.structs.replace(pack(), unit={**pack().unit, "tiger-2": pack().unit["tank"]})
    found = [one.message for one in checker.problems(changed) if one.path == "unit.tiger-2"]
    assert found == ["its cards would be those of tiger in squad 2: give it another name"]


def test_sub_lines_that_guide_different_friends_both_apply() -> None:
    subs = (sub(who=["scout"]), sub(who=["rifleman"]))
    card = solo("guide", line("guide 1", *subs, to=["objective"]))
    assert list(checker_cards.solo_card(card, pack())) == []


@pytest.mark.parametrize("lender", ["riflemen", "guide", "grenadier"])
def test_a_card_that_borrows_a_counter_that_there_is_not_is_told_and_not_played(lender: str) -> None:
    whole = pack()
    scenario = whole.scenario["la-raye"]
    wrong = msgspec.structs.replace(scenario, decks=scenario.decks | {"us": {"bazooka-a": 2}})
    units = whole.unit | {"bazooka": UnitType("Bazooka", 4, ("attack 2",), unit=lender)}
    changed = msgspec.structs.replace(whole, unit=units, scenario={"la-raye": wrong})
    found = {f"{one.path}: {one.message}" for one in checker.problems(changed)}
    assert f"unit.bazooka.unit: no unit type with a counter of its own: '{lender}'" in found
    with pytest.raises(PackError, match="bazooka-a acts with the counter of"):
        GAME.start(msgspec.structs.replace(driver.setup(GAME), pack=changed, scenario="la-raye"))


def test_a_pack_without_a_scenario_that_is_ready_says_so() -> None:
    bare = msgspec.structs.replace(pack(), scenario={})
    with pytest.raises(PackError, match="no scenario is ready to be played; see companion pack check"):
        GAME.start(msgspec.structs.replace(driver.setup(GAME), pack=bare, scenario=""))


def test_a_unit_that_no_spawn_marker_is_for_is_told() -> None:
    whole = pack()
    scenario = whole.scenario["la-raye"]
    supplies = scenario.supplies | {"us": {**scenario.supplies["us"], "sniper": 3, "machine-gunner-a": 3}}
    spawns = scenario.spawns | {"us": {"a": "17B", "rifleman-b": "17B"}}
    wrong = msgspec.structs.replace(scenario, supplies=supplies, spawns=spawns)
    unchanged = SoloSection("la-raye", "us", bolster={"a": ("rest",)}, source=Source.OWNER)
    changed = msgspec.structs.replace(whole, scenario={"la-raye": wrong}, section={"mine": unchanged})
    found = [one.message for one in checker.problems(changed) if one.path.endswith("spawns.us")]
    assert found == ["no spawn marker for sniper, which starts off the board: it would never enter"]


def test_a_counter_that_starts_on_the_board_without_a_card_is_told() -> None:
    whole = pack()
    scenario = whole.scenario["la-raye"]
    laid = scenario.counters | {"us": {"rifleman-a": "17B", "rifleman-c": "17B"}}
    wrong = msgspec.structs.replace(scenario, counters=laid)
    added = SoloSection("la-raye", "ge", counters={"mortar": "5B", "scout-a": "5B"}, source=Source.OWNER)
    changed = msgspec.structs.replace(whole, scenario={"la-raye": wrong}, section={"mine": added})
    found = [(one.path, one.message) for one in checker.problems(changed) if "counters" in one.path]
    says = "starts on the board, but none of the side's cards is for it"
    assert found == [
        ("scenario.la-raye.counters.us", f"rifleman-c {says}"),
        ("section.mine.counters", f"mortar {says}"),
    ]
    assert not [one for one in checker.problems(whole) if says in one.message], "soldiers sit in vehicles"


@pytest.mark.rule("UND-097", "UND-213")
@pytest.mark.parametrize(("commanders", "wrong"), [(0, True), (1, False), (2, True)])
def test_a_team_with_no_or_two_commanders_and_a_path_off_the_board_are_told(
    commanders: int, wrong: bool
) -> None:
    whole = pack()
    decks = [{"rifleman-a": 1, "sergeant": int(number < commanders)} for number in range(2)]
    joint = {"us": tuple(map(Cards, decks))}
    scenario = msgspec.structs.replace(whole.scenario["la-raye"], joint=joint)
    added = SoloSection("la-raye", "ge", path=("2B", "D1"), source=Source.OWNER)
    changed = msgspec.structs.replace(whole, scenario={"la-raye": scenario}, section={"mine": added})
    found = [(one.path, one.message) for one in checker.problems(changed)]
    assert [why for path, why in found if path == "section.mine.path"] == ["tile D1 is not on the board"]
    assert ("scenario.la-raye.joint.us" in dict(found)) is wrong
    assert ("scenario.la-raye.joint.ge", "the cards of its two players") in found


def test_a_player_of_a_team_without_a_card_to_play_is_told() -> None:
    whole = pack().scenario[ARMOUR]
    first, _ = whole.joint["us"]
    changed = msgspec.structs.replace(whole, joint=whole.joint | {"us": (first, Cards({"fog": 2}))})
    found = [
        one.message for one in checker.problems(msgspec.structs.replace(pack(), scenario={ARMOUR: changed}))
    ]
    assert "player 2 has no card to play" in found
    assert "player 1 has no card to play" not in found


def test_a_unit_that_only_one_of_four_players_has_wants_a_spawn_marker_too() -> None:
    whole = pack()
    scenario = whole.scenario["la-raye"]
    joint = {"us": (Cards({"rifleman-a": 2}), Cards({"rifleman-b": 2}, {"mortar": 2}))}
    wrong = msgspec.structs.replace(scenario, joint=joint, spawns=scenario.spawns | {"us": {"a": "17B"}})
    changed = msgspec.structs.replace(whole, scenario={"la-raye": wrong})
    found = [one.message for one in checker.problems(changed) if one.path.endswith("spawns.us")]
    assert found == ["no spawn marker for mortar, which starts off the board: it would never enter"]


@pytest.mark.parametrize(
    ("where", "starting", "is_told"),
    [("supply", "", True), ("deck", "", True), ("deck", "section", False), ("deck", "scenario", False)],
)
def test_a_unit_that_a_solo_section_adds_without_a_spawn_marker_is_told(
    where: str, starting: str, is_told: bool
) -> None:
    """Not where it starts on the board."""
    whole = pack()
    scenario = whole.scenario["la-raye"]
    spawned = msgspec.structs.replace(scenario, spawns=scenario.spawns | {"ge": {"a": "11B", "b": "11B"}})
    if starting == "scenario":
        laid = {"ge": {**scenario.counters["ge"], "sniper": "5B"}}
        spawned = msgspec.structs.replace(spawned, counters=scenario.counters | laid)
    added = SoloSection("la-raye", "ge", bolster={"a": ("rest",)}, source=Source.OWNER)
    added = msgspec.structs.replace(added, **{where: {"sniper": 3, "rifleman-a": 2}})
    if starting == "section":
        added = msgspec.structs.replace(added, counters={"sniper": "5B"})
    changed = msgspec.structs.replace(whole, scenario={"la-raye": spawned}, section={"mine": added})
    found = [(one.path, one.message) for one in checker.problems(changed) if "spawns" in one.path]
    says = "no spawn marker for sniper, which starts off the board: it would never enter"
    assert found == [("section.mine.spawns.ge", says)] * is_told


def test_a_board_in_two_parts_is_not_begun() -> None:
    whole = pack()
    scenario = whole.scenario["la-raye"]
    ranks = (*scenario.ranks[:3], msgspec.structs.replace(scenario.ranks[3], shift=5))
    wrong = msgspec.structs.replace(scenario, ranks=ranks)
    changed = msgspec.structs.replace(whole, scenario={"la-raye": wrong})
    says = "no way leads from 2B to 4B: is a column's or row's shift wrong?"
    assert ("scenario.la-raye.ranks", says) in {(one.path, one.message) for one in checker.problems(changed)}
    with pytest.raises(PackError, match="no way leads from 2B to 4B"):
        GAME.start(msgspec.structs.replace(driver.setup(GAME), pack=changed, scenario="la-raye"))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"deck": {"riflemen-a": 3}}, "deck: no unit type for card 'riflemen-a'"),
        ({"supply": {"foo": 1}}, "supply: no unit type for card 'foo'"),
        ({"counters": {"machine-gunners-a": "5B"}}, "counters: no unit type with a counter"),
        ({"counters": {"grenadier-a": "5B"}}, "counters: grenadier-a has no counter of its own"),
        ({"counters": {"machine-gunner-a": "1A"}}, "counters: tile 1A is not on the board"),
        (
            {"scenario": "any", "counters": {"machine-gunner-a": "5B"}},
            "counters: their tiles are those of one scenario: name it, not 'any'",
        ),
    ],
)
def test_a_solo_section_with_what_there_is_not_is_not_begun(fields: dict[str, object], says: str) -> None:
    changed = with_section({"scenario": "la-raye", "faction": "ge", "bolster": {"a": ("rest",)}, **fields})
    assert [one for one in checker.problems(changed) if says in f"{one.path}: {one.message}"]
    with pytest.raises(PackError, match=f"solo section of la-raye, {says}"):
        GAME.start(msgspec.structs.replace(driver.setup(GAME), pack=changed, scenario="la-raye"))


def test_a_solo_section_that_leaves_cards_out_of_its_bolster_decks_is_told() -> None:
    changed = with_section(
        {
            "scenario": "la-raye",
            "faction": "german",
            "bolster": {"a": ("squad-a",), "b": ("squad b",)},
            "supply": {"scout-a": 1},
        }
    )
    found = {f"{one.path}: {one.message}" for one in checker.problems(changed)}
    assert "section.own.faction: no side 'german'; there are us, ge" in found
    assert sum("never comes" in one for one in found) == 1
    changed = with_section(
        {"scenario": "la-raye", "faction": "ge", "bolster": {"a": ("squad-a",), "b": ("squad b",)}}
    )
    found = {f"{one.path}: {one.message}" for one in checker.problems(changed)}
    assert {one for one in found if "section.own.bolster" in one} == {
        f"section.own.bolster: {card} is in no bolster deck, so it never comes"
        for card in ("rifleman-a", "scout-a")
    } | {"section.own.bolster: deck a takes no card of the supply that is left"}


@pytest.mark.parametrize("where", ["deck", "supply"])
def test_a_type_that_only_the_solo_section_brings_needs_a_solo_card_too(where: str) -> None:
    changed = with_section({"scenario": "la-raye", "faction": "ge", where: {"sniper": 3}})
    bare = {name: card for name, card in changed.solo.items() if card.unit != "sniper"}
    found = checker.problems(msgspec.structs.replace(changed, solo=bare))
    assert ("scenario.la-raye", "no solo card for a ge sniper") in {(one.path, one.message) for one in found}


def test_the_owners_solo_section_wins_over_a_stand_in_for_the_same_bot() -> None:
    changed = with_section({"scenario": "stand-in-night", "faction": "it"})
    section = solo_section(changed, "stand-in-night", "it")
    assert section is not None
    assert section.source == "owner"


def with_section(fields: dict[str, object]) -> Pack:
    own = msgspec.convert({**fields, "source": "owner"}, SoloSection)
    return msgspec.structs.replace(pack(), section={**pack().section, "own": own})


def test_a_card_that_acts_with_a_counter_but_prints_no_defence_is_not_dealt() -> None:
    whole = pack()
    paper = msgspec.structs.replace(whole.unit["rifleman"], defence=None)
    changed = msgspec.structs.replace(whole, unit={**whole.unit, "rifleman": paper})
    found = [f"{one.path}: {one.message}" for one in checker.problems(changed)]
    assert "unit.rifleman.actions: 'move 1' is done by a counter: its defence is wanted" in found
    with pytest.raises(PackError, match="rifleman-a can't act without a counter"):
        GAME.start(msgspec.structs.replace(driver.setup(GAME), pack=changed, scenario="la-raye"))


def test_a_unit_with_an_action_that_there_is_not_is_told_and_not_played() -> None:
    whole = pack()
    wrong = msgspec.structs.replace(whole.unit["rifleman"], actions=("move 1", "attack 2x"))
    changed = msgspec.structs.replace(whole, unit={**whole.unit, "rifleman": wrong})
    words = "unit.rifleman.actions: action 'attack 2x': attack is followed by 1 or 2 numbers"
    assert words in map(str, checker.problems(changed))
    with pytest.raises(PackError, match=f"{words}; see companion pack check undaunted"):
        GAME.start(msgspec.structs.replace(driver.setup(GAME), pack=changed, scenario="la-raye"))


def test_the_page_on_solo_cards_knows_every_word_and_its_example_is_in_order() -> None:
    page = (GAME.folder / "SOLO_CARDS.md").read_text(encoding="utf-8")
    words = [*Place, *(one for one in Who if one is not Who.TYPE), *Subject]
    words += [*(one for one in Tie if one is not Tie.IS), *language.Limit]
    assert [word for word in words if f"`{word}" not in page] == []
    example = packs.parse(page.split("```toml")[1].split("```")[0].encode(), Path("mine.toml"))
    record = example.tables["solo"]["rifleman-of-mine"]
    assert found_in(msgspec.convert(record, SoloCard)) == []


def test_a_scenario_or_card_with_an_error_is_not_begun() -> None:
    whole = pack()
    la_raye = whole.scenario["la-raye"]
    lost = msgspec.structs.replace(la_raye, spawns={"us": {"all": "1B"}, "ge": {"all": "5B"}})
    setup = driver.setup(GAME)
    broken = msgspec.structs.replace(whole, scenario={"la-raye": lost})
    assert checker.playable(broken) == ()
    with pytest.raises(PackError, match=r"scenario.la-raye.spawns.us: tile 1B is not on the board"):
        GAME.start(msgspec.structs.replace(setup, pack=broken))
    unread = msgspec.structs.replace(whole, solo={"scout": solo("scout", line("scuot 2"))})
    with pytest.raises(PackError, match="solo card of scout: action 'scuot 2': no such action"):
        GAME.start(msgspec.structs.replace(setup, pack=unread))
    unrolled = msgspec.structs.replace(
        whole, solo={"scout": solo("scout", line(roll={"1-10": "scout 2"}, to=["hill"]))}
    )
    with pytest.raises(PackError, match="solo card of scout: '1-10': faces are wanted"):
        GAME.start(msgspec.structs.replace(setup, pack=unrolled))
    assert "line 9 is no other line" in " ".join(
        found_in(solo("rifleman", line("move 1", sub(to=["enemy"], then=9))))
    )


def test_a_card_with_a_line_that_says_nothing_to_do_is_not_begun() -> None:
    whole, setup = pack(), driver.setup(GAME)
    of_its_line = line("", sub("attack"), sub(roll={"0-9": "recon"}))
    for lines, message in (
        ((of_its_line, line(when=["secure"])), "line 2: no keyword"),
        ((line("", sub("attack"), sub(to=["hill"])),), "line 1: no keyword"),
    ):
        unsaid = msgspec.structs.replace(whole, solo={"scout": solo("scout", *lines)})
        with pytest.raises(PackError, match=f"solo card of scout: {message}"):
            GAME.start(msgspec.structs.replace(setup, pack=unsaid))
    said = msgspec.structs.replace(whole, solo={"scout": solo("scout", of_its_line)})
    GAME.start(msgspec.structs.replace(setup, pack=said))


# The printer


def test_every_card_that_ships_can_be_printed() -> None:
    for card in pack().solo.values():
        assert all(text.strip() for text in card_text(card, pack()))
    assert list(shown(pack(), "mortar"))[1] == "1. BLAST"
    with pytest.raises(BadInput, match="no such solo card"):
        shown(pack(), "cook")


@pytest.mark.rule("UND-185")
def test_a_sub_line_goes_on_with_its_own_line_before_that_of_the_whole() -> None:
    whole = line("", sub("control", then=3), sub("recon"), then=2)
    assert [one.then for one in steps_of(whole)] == [3, 2]


def test_a_number_of_nought_is_printed() -> None:
    card = solo("sniper", line("stalk 1", when=["enemy: within 0"], to=["not cover at least 0"]))
    assert (
        card_text(card, pack())[1]
        == "1. An enemy is within 0 tiles: STALK 1 to a tile that is not of cover 0 or more"
    )


def test_what_a_line_says_for_all_its_sub_lines_is_read_too() -> None:
    card = solo(
        "rifleman",
        line("", sub("control"), sub("move 1"), to=["not enemy"], ties=["value"], then=2),
        line("", sub(when=["secure"]), roll={"0-4": "attack", "5-9": "control"}),
    )
    assert card_text(card, pack())[1:] == [
        "1. to a tile that is not occupied by an enemy [value] then 2",
        "   A. CONTROL",
        "   B. MOVE 1",
        "2. roll: 0-4 ATTACK; 5-9 CONTROL",
        "   A. Its tile is secure:",
    ]


def test_a_card_with_every_kind_of_word_reads_well() -> None:
    card = solo(
        "rifleman",
        line("attack", when=["not enemy: rifleman, within 2", "bolster: a"], at=["any"], then=2),
        line("guide 1", when=["needs 2", "tile: objective, not scouted"], who=["matching"], to=["hill"]),
        line(
            roll={"0-4": "bolster own", "5-7": "bolster any", "8-9": "inspire 2 any"},
            when=["friend", "suppressed"],
        ),
        line("select 2", to=["within 2"], ties=["near enemy", "far from spawn"]),
        line("hunker", when=["on board", "initiative", "enemy needs 1", "row: fog"]),
    )
    assert card_text(card, pack())[1:] == [
        (
            "1. No enemy is a rifleman and within 2 tiles and bolster deck A has cards: "
            "ATTACK (an enemy that is anywhere) then 2"
        ),
        (
            "2. The bot needs 2 points or fewer and a tile is an objective and not scouted: "
            "GUIDE 1 to a hill (a friend that is of its squad)"
        ),
        (
            "3. A friend is on the board and it is suppressed: "
            "roll: 0-4 BOLSTER from its own squad; 5-7 BOLSTER from any deck; 8-9 INSPIRE up to 2 cards"
        ),
        (
            "4. SELECT a target within 2 tiles to a tile that is within 2 tiles "
            "[near a tile that is occupied by an enemy, far from a spawn tile]"
        ),
        (
            "5. It is on the board and the bot has the initiative and the enemy needs 1 point or fewer "
            "and a Fog of War is in the row: HUNKER DOWN"
        ),
    ]
    assert isinstance(card.lines[0], Line)


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        ("inspire 1 any", "INSPIRE up to 1 card"),
        ("inspire 2 matching", "INSPIRE up to 2 matching cards"),
        ("select 1", "SELECT a target within 1 tile"),
        ("bolster b", "BOLSTER from deck B"),
        ("bolster platoon", "BOLSTER from deck platoon"),
    ],
)
def test_a_keyword_of_a_solo_card_counts_what_it_names(deed: str, words: str) -> None:
    assert deed_text(deed) == words
