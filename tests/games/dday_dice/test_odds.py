"""What the box says before a move: costs, averages, the worst, exact odds."""

from __future__ import annotations

from copy import copy, deepcopy
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from msgspec.structs import replace

from companion.engine.asks import Choose, Number, Roll, Script, Show
from companion.games.dday_dice import odds
from companion.games.dday_dice.arriving import hand_out, will_join
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.describing import describe
from companion.games.dday_dice.moving import abandon, choices, move, moves
from companion.games.dday_dice.odds import at_least, risk, sums
from companion.games.dday_dice.records import Damage
from companion.games.dday_dice.state import Status, Unit
from tests.games.dday_dice.beach import act, alone, put, together, with_sector


@pytest.mark.parametrize("dice", [0, 1, 2, 3])
def test_the_sums_are_those_of_counting_every_throw(dice: int) -> None:
    throws = [sum(throw) for throw in product(range(1, 7), repeat=dice)]

    assert list(sums(dice)) == [throws.count(total) for total in range(6 * dice + 1)]


def test_the_chance_of_seven_or_more_with_two_dice() -> None:
    assert Fraction(at_least(2, 7)).limit_denominator(100) == Fraction(21, 36)


def detail(answer: str, sector: str, **fields: object) -> str:
    battle, unit = alone()
    put(battle, unit, sector, **fields)
    return next(option.detail for option in choices(battle, unit, later=False) if option.id == answer)


def test_a_move_says_what_it_costs_and_what_combat_will() -> None:
    battle, unit = alone()
    put(battle, unit, "7", soldiers=30, courage=9)
    option = next(one for one in choices(battle, unit, later=False) if one.id == "move:9")

    assert option.label == "Sector 9 (3 Co) mines"
    assert option.detail == "DEF 10 + 1d6 guns + 1d6 mines: 17 on average, 22 at worst. no Items found"


def test_the_odds_of_being_wiped_out_are_exact() -> None:
    words = detail("move:9", "7", soldiers=17, courage=9)

    assert "wiped out 58%" in words


def test_staying_has_its_price_too() -> None:
    assert detail("stay", "2", soldiers=9) == "DEF 4: 4 fall. +1 Courage"
    assert detail("stay", "1", soldiers=9, specialists=["Medic"]) == "DEF 2: 1 falls"


def test_a_medic_and_a_minesweeper_are_counted_in() -> None:
    words = detail("move:9", "7", soldiers=30, courage=9, specialists=["Medic", "Minesweeper"])

    assert words == "DEF 10 + 1d6 guns: 12.5 on average, 15 at worst. no Items found"


@pytest.mark.parametrize(
    ("start", "way", "fields", "odds"),
    [
        ("4", "move:7", {"soldiers": 10, "specialists": ["Scout"]}, "83%"),
        ("4", "move:7", {"soldiers": 9, "specialists": ["Scout", "Beachmaster"]}, "33%"),
        ("4", "move:7", {"soldiers": 9, "specialists": ["Scout", "Hero"], "stars": 1}, "50%"),
        ("4", "move:7", {"soldiers": 9, "specialists": ["Scout"], "vehicle": "Ambulance"}, "67%"),
        ("8", "move:10", {"soldiers": 18, "specialists": ["Scout"], "vehicle": "Ambulance"}, "9%"),
        ("9", "move:10", {"soldiers": 10, "specialists": ["Scout"]}, "58%"),
    ],
    ids=["a sacrifice", "a Beachmaster", "a Hero", "an Ambulance", "an Ambulance left behind", "who joins"],
)
def test_the_odds_know_what_a_move_brings_and_takes(
    start: str, way: str, fields: dict[str, object], odds: str
) -> None:
    assert f"wiped out {odds}" in detail(way, start, courage=3, **fields)


@pytest.mark.parametrize(
    ("specialists", "words"),
    [
        (["Medic"], "DEF 9: 9 fall; wiped out 100%"),
        (["Medic", "Decoy"], "DEF 9: 8 fall. "),
        (["Medic", "Hero"], "DEF 9: 9 fall. "),
    ],
)
def test_the_odds_know_that_a_medic_who_is_sacrificed_saves_nobody(
    specialists: list[str], words: str
) -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "7", soldiers=8, courage=4, stars=1, specialists=specialists)
    option = next(one for one in choices(battle, unit, later=False) if one.id == "move:9")

    assert option.detail.startswith(words)


@pytest.mark.parametrize(
    ("scenario", "start", "way", "fields", "odds"),
    [
        ("tiger_advanced", "2", "move:3", {"soldiers": 6}, "67%"),
        ("tiger_advanced", "2", "move:3", {"soldiers": 6, "dead": ["Sharpshooter"]}, "83%"),
        ("sword", "3", "move:5", {"soldiers": 9}, "17%"),
        ("omaha", "4", "move:5", {"soldiers": 11, "specialists": ["Scout"]}, "17%"),
        ("omaha", "4", "move:5", {"soldiers": 11, "specialists": ["Scout"], "vehicle": "Tank"}, ""),
        ("omaha", "4", "move:5", {"soldiers": 12}, ""),
        ("utah", "6", "stay", {"soldiers": 10, "specialists": ["Hero"]}, "17%"),
    ],
)
def test_the_odds_know_who_joins_and_what_a_gun_s_6_does_besides(
    scenario: str, start: str, way: str, fields: dict[str, object], odds: str
) -> None:
    battle, unit = alone(scenario, *(["1"] if scenario == "utah" else []))
    put(battle, unit, start, courage=1, **fields)
    option = next(one for one in choices(battle, unit, later=False) if one.id == way)

    assert option.detail.partition("wiped out ")[2].partition(".")[0] == odds


def test_the_odds_know_that_who_falls_on_the_way_is_not_saved_by_who_waits_there() -> None:
    battle, unit = alone()
    with_sector(battle, "2", defence=(1,))
    put(battle, unit, "3", soldiers=3, specialists=["Pathfinder"])
    option = next(one for one in choices(battle, unit, later=False) if one.id == "move:2")

    assert "wiped out 50%" in option.detail


@pytest.mark.parametrize(
    ("specialists", "odds"),
    [
        (["Hero"], "; wiped out 67%"),
        (["Hero", "Scout"], "; wiped out 17%"),
        (["Paratrooper"], "; wiped out 67%"),
        (["Paratrooper", "Scout"], ""),
    ],
)
def test_the_odds_know_with_whom_a_sacrifice_is_dear(specialists: list[str], odds: str) -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=11, courage=3, stars=1, specialists=specialists)
    option = next(one for one in choices(battle, unit, later=False) if one.id == "move:7")

    assert option.detail.startswith(f"DEF 8 + 1d6 guns: 11.5 on average, 14 at worst{odds}. ")


@pytest.mark.parametrize(
    ("sector", "roll", "specialists", "reading", "words"),
    [
        ("6", 1, [], "extra", "DEF 4 + 1d6 more: 7.5 on average, 10 at worst; wiped out 33%. Mortar Fire"),
        ("6", 1, [], "instead", "1d6 alone: 3.5 on average, 6 at worst. Mortar Fire"),
        ("11", 1, [], "extra", "DEF 6 + 1d6 more: 9.5 on average, 12 at worst; wiped out 67%. Booby Traps"),
        ("11", 1, ["Minesweeper"], "extra", "DEF 6: 6 fall. Booby Traps"),
    ],
)
def test_the_odds_count_the_die_for_more_losses(
    sector: str, roll: int, specialists: list[str], reading: str, words: str
) -> None:
    battle, unit = alone("sword", mortar_fire=reading)
    battle.state.random_rolls[sector] = roll
    put(battle, unit, sector, soldiers=9, specialists=specialists)

    assert choices(battle, unit, later=False)[0].detail.startswith(words)


@pytest.mark.parametrize(
    ("sector", "to", "specialists", "reading", "words", "chance"),
    [
        (
            "3",
            "6",
            [],
            "extra",
            "DEF 4 (perhaps 1d6 more): 4.6 on average, 10 at worst; wiped out 6%. random",
            1 / 18,
        ),
        ("3", "6", ["Medic"], "extra", "DEF 4 (perhaps 1d6 more): 3.6 on average, 9 at worst. random", 0),
        ("3", "6", [], "instead", "DEF 4 (or 1d6 alone): 3.9 on average, 6 at worst. random", 0),
        (
            "10",
            "11",
            [],
            "extra",
            "DEF 6 (perhaps 1d6 more): 6.6 on average, 12 at worst; wiped out 11%. random",
            1 / 9,
        ),
        ("10", "11", ["Minesweeper"], "extra", "DEF 6: 6 fall. random", 0),
        ("4", "7", [], "extra", "DEF 5: 5 fall. random", 0),
    ],
)
def test_the_odds_count_what_a_random_sector_may_turn_out_to_be(
    sector: str, to: str, specialists: list[str], reading: str, words: str, chance: float
) -> None:
    battle, unit = alone("sword", mortar_fire=reading)
    put(battle, unit, sector, soldiers=9, courage=3, specialists=specialists)
    option = next(one for one in choices(battle, unit, later=False) if one.id == f"move:{to}")
    way = next(way for way in moves(battle, unit) if way.to == to)

    assert option.detail.startswith(words)
    assert risk(battle, unit, way) == pytest.approx(chance)
    assert battle.state.random_rolls == {}


@pytest.mark.parametrize(("reading", "chance"), [("extra", 2 / 3), ("instead", 0)])
def test_the_risk_goes_by_how_the_group_reads_mortar_fire(reading: str, chance: float) -> None:
    battle, unit = alone("sword", mortar_fire=reading)
    battle.state.random_rolls["6"] = 1
    put(battle, unit, "6", soldiers=7)

    assert risk(battle, unit) == pytest.approx(chance)


def test_the_risk_is_the_chance_of_the_combat_itself() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=12)

    assert risk(battle, unit) == pytest.approx(3 / 6)


def test_the_advice_goes_by_the_odds_that_are_shown() -> None:
    battle, unit = alone()
    put(battle, unit, "9", soldiers=10, specialists=["Scout"])
    way = next(way for way in moves(battle, unit) if way.to == "10")

    assert risk(battle, unit, way) == pytest.approx(21 / 36)


@pytest.mark.parametrize(("soldiers", "odds"), [(0, "wiped out 100%"), (1, "DEF 4: 4 fall. ")])
def test_the_odds_know_that_a_paratrooper_alone_falls_with_the_first_loss(soldiers: int, odds: str) -> None:
    assert odds in detail("stay", "2", soldiers=soldiers, specialists=["Paratrooper"])


@pytest.mark.parametrize(
    ("soldiers", "specialists", "printed", "chance"),
    [
        (3, ["Paratrooper"], {}, 29 / 36),
        (2, ["Scout", "Captain", "Paratrooper"], {"guns": 0, "defence": (6,)}, 3 / 6),
        (3, ["Paratrooper"], {"sacrifice": ("Paratrooper",), "guns": 0, "defence": (0,)}, 4 / 6),
        (4, ["Paratrooper"], {"requires": ("Paratrooper",), "guns": 0, "defence": (2,)}, 3 / 6),
        (3, ["Hero"], {"sacrifice": ("any",), "guns": 0, "defence": (2,)}, 3 / 6),
    ],
    ids=["falls as a whole", "with others", "has to be there", "is asked for", "a Hero pays before he goes"],
)
def test_the_odds_know_who_falls_at_the_mines(
    soldiers: int, specialists: list[str], printed: dict[str, object], chance: float
) -> None:
    battle, unit = alone()
    with_sector(battle, "9", **({"defence": (3,)} | printed))
    put(battle, unit, "7", soldiers=soldiers, courage=6, specialists=specialists)
    way = next(way for way in moves(battle, unit) if way.to == "9")

    assert risk(battle, unit, way, 3) == pytest.approx(chance)


@pytest.mark.parametrize(
    ("specialists", "asked_for", "defence", "chance"),
    [
        (["Beachmaster", "Scout"], ("Scout",), 2, 5 / 6),
        (["Pathfinder", "Scout"], ("Scout",), 1, 5 / 6),
        (["Medic", "Scout"], ("Scout",), 1, 4 / 6),
        (["Captain", "Scout"], ("Captain", "Scout"), 2, 5 / 6),
    ],
    ids=["who would bring 3", "who would bring 1", "who would save 1", "whom the Sector asks for"],
)
def test_the_odds_know_that_who_has_fallen_at_the_mines_does_nothing_more(
    specialists: list[str], asked_for: tuple[str, ...], defence: int, chance: float
) -> None:
    battle, unit = alone()
    with_sector(battle, "7", defence=(0,), guns=0)
    with_sector(battle, "9", defence=(defence,), guns=0, requires=asked_for)
    put(battle, unit, "7", soldiers=1, courage=3, specialists=specialists)
    way = next(way for way in moves(battle, unit) if way.to == "9")

    assert risk(battle, unit, way, 3) == pytest.approx(chance)


@pytest.mark.parametrize("reading", ["yes", "no"])
@pytest.mark.parametrize(
    ("specialists", "words"),
    [(["Engineer"], "DEF 12 + 1d6 guns: "), (["Engineer", "Scout"], "DEF 7 + 1d6 guns: ")],
)
def test_the_odds_know_that_an_engineer_who_is_given_up_lowers_no_bunker(
    reading: str, specialists: list[str], words: str
) -> None:
    battle, unit = alone(engineer_for_all=reading)
    with_sector(battle, "Bunker", sacrifice=("any",))
    put(battle, unit, "9", soldiers=20, courage=9, specialists=specialists)
    option = next(one for one in choices(battle, unit, later=False) if one.id == "move:Bunker")

    assert option.detail.startswith(words)


def test_a_move_also_says_what_is_printed_there() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=30, courage=9, specialists=["Corporal"])
    option = next(one for one in choices(battle, unit, later=False) if one.id == "move:5")

    assert option.detail.endswith("worst. must have Corporal; +1 Tool")


@pytest.mark.parametrize(
    ("scenario", "sector", "words"),
    [
        ("tiger_advanced", "5", "9 at worst. +1 Tool"),
        ("tiger_advanced", "10", "16 at worst"),
        ("tiger_advanced", "2", "DEF 4: 4 fall. +1 Courage"),
        ("omaha", "8", "14 at worst"),
    ],
)
def test_staying_says_nothing_of_what_only_who_moves_there_meets(
    scenario: str, sector: str, words: str
) -> None:
    battle, unit = alone(scenario)
    put(battle, unit, sector, soldiers=30, specialists=["Corporal"])
    stay = choices(battle, unit, later=False)[0]

    assert stay.id == "stay"
    assert stay.detail.endswith(words)


@pytest.mark.parametrize(
    ("scenario", "sector", "words"),
    [
        ("tiger_advanced", "8", "roll 5 dice"),
        ("tiger_advanced", "10", "sacrifice any Specialist; +1d6 Soldiers on entry"),
        ("omaha", "8", "1 Unit at most"),
        ("omaha", "5", "on a gun's 6: -1 Specialist"),
        ("juno", "11", "four of a kind: -3 Soldiers"),
        ("sword", "5", "Lieutenant joins, first Unit"),
        ("sword", "15", "sacrifice any Specialist; a random Award, first Unit"),
        ("gold", "8", "an Award of choice, first Unit"),
    ],
)
def test_the_print_of_a_sector_in_words(scenario: str, sector: str, words: str) -> None:
    battle, _ = alone(scenario)

    assert battle.printed(sector) == words


def test_a_board_of_ones_own_may_have_room_for_two() -> None:
    battle, _ = alone("omaha")

    assert describe(replace(battle.place("8"), max_units=2)) == "2 Units at most"


def test_the_print_of_a_random_sector_is_what_was_rolled() -> None:
    battle, _ = alone("sword")
    assert battle.printed("6") == "random: the first Unit rolls for it"

    battle.state.random_rolls["6"] = 5

    assert battle.printed("6") == "Half-Track; Half-Track for its cost"


@pytest.mark.parametrize(
    ("setting", "sector", "words"),
    [
        (["sword"], "5", ""),
        (["sword"], "15", "sacrifice any Specialist"),
        (["merville", "1"], "6", "only with Wirecutters"),
    ],
)
def test_the_print_says_nothing_more_of_what_the_first_unit_has_had(
    setting: list[str], sector: str, words: str
) -> None:
    battle, _ = alone(*setting)
    before = battle.printed(sector)

    battle.state.gifts_taken.append(sector)
    assert battle.printed(sector) == words

    battle.state.gifts_taken.clear()
    assert battle.printed(sector) == before


@pytest.mark.rule("DDD-101")
def test_the_print_says_nothing_more_of_a_vehicle_that_was_taken() -> None:
    battle, unit = alone("juno")
    assert battle.printed("5") == "Tank for its cost"

    put(battle, unit, "6", vehicle="Tank")
    assert battle.printed("5") == ""

    abandon(battle, unit)
    assert battle.printed("5") == ""


@pytest.mark.rule("DDD-R51")
def test_a_move_tells_of_nobody_joining_whom_the_unit_has_had() -> None:
    battle, (unit, other) = together()
    for one in (unit, other):
        put(battle, one, "1", courage=9)
    unit.specialists = ["Scout"]
    other.dead = ["Sharpshooter"]

    assert "+1 Courage" in _detail(battle, unit, "2")
    assert "joins" not in _detail(battle, unit, "2")
    assert "Sharpshooter joins" in _detail(battle, unit, "3")
    assert "Scout joins" in _detail(battle, other, "2")
    assert "joins" not in _detail(battle, other, "3")


def _detail(battle: Battle, unit: Unit, to: str) -> str:
    """What is told of a move there."""
    return next(option.detail for option in choices(battle, unit, later=False) if option.id == f"move:{to}")


def test_the_print_says_what_a_general_undoes() -> None:
    battle, unit = alone("juno")
    assert battle.printed("7") == "-1 Courage; ignored while a General is in play"

    put(battle, unit, "6", specialists=["General"])

    assert battle.printed("7") == ""


@pytest.mark.parametrize(("soldiers", "chance"), [(22, ""), (21, "; wiped out 1%"), (7, "; wiped out 99%")])
def test_a_chance_that_is_small_is_not_told_as_none_nor_a_great_one_as_certain(
    soldiers: int, chance: str
) -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=soldiers, courage=3, specialists=["Scout"])

    details = {option.id: option.detail for option in choices(battle, unit, later=False)}

    odds = "DEF 10 + 1d6 guns + 1d6 mines: 17 on average, 22 at worst"
    assert details["move:10"].startswith(f"{odds}{chance}. sacrifice")


@pytest.mark.parametrize(
    ("specialists", "vehicle", "odds"),
    [
        (["Medic"], "", "DEF 0 + 1d6 mines: 2.5 on average, 5 at worst"),
        (["Medic"], "Ambulance", "DEF 0 + 1d6 mines: 1.7 on average, 4 at worst"),
    ],
)
def test_whom_a_medic_need_not_save_in_combat_he_does_not_save_at_the_mines(
    specialists: list[str], vehicle: str, odds: str
) -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=20, specialists=specialists)
    put(battle, two, "2", soldiers=20, vehicle=vehicle)
    battle.state.zeroed = ["3"]

    details = {option.id: option.detail for option in choices(battle, one, later=False)}

    assert details["move:3"].startswith(odds)


@pytest.mark.rule("DDD-153", "DDD-R40")
@pytest.mark.parametrize(
    ("damage", "guns", "specialists", "falls", "words"),
    [
        (Damage.SPECIALIST, 1, ["Medic"], [], "10.7 on average, 14 at worst"),
        (Damage.SPECIALIST, 1, ["Medic", "Scout"], ["Scout", "soldiers"], "10.5 on average, 13 at worst"),
        (Damage.SPECIALIST, 2, ["Medic", "Scout"], ["Scout"], "14 on average, 20 at worst"),
        (Damage.COURAGE, 1, ["Medic"], ["soldiers"], "10.5 on average, 13 at worst"),
    ],
)
def test_the_odds_know_that_a_medic_whom_special_damage_takes_saves_nobody(
    damage: Damage, guns: int, specialists: list[str], falls: list[str], words: str
) -> None:
    battle, unit = alone()
    with_sector(battle, "8", damage=damage, guns=guns)
    put(battle, unit, "8", soldiers=30, specialists=specialists)

    assert choices(battle, unit, later=False)[0].detail.startswith(f"DEF 8 + {guns}d6 guns: {words}. ")

    act(combat(battle), ["6"] * guns, *falls)
    assert f"{30 - unit.soldiers} at worst" in words


def test_the_print_of_climbs_and_gates() -> None:
    climb, _ = alone("pointe_du_hoc", "1")
    gate, _ = alone("merville", "1")

    assert climb.printed("9") == "climb: 4 Skulls to go on; no dice Locked; no Battle Cry; no Vehicles"
    assert gate.printed("6") == "only with Wirecutters; Medal Case free, first Unit"
    assert gate.printed("Bunker") == "only by Battle Cry"
    assert gate.printed("13") == "stay as you like"


def doom(battle: Battle, to: str, *answers: object) -> float:
    """The chance that the Unit is lost if it goes there, or stays: the best answer at every throw."""
    table = copy(battle)
    table.state = deepcopy(battle.state)
    unit, left = table.state.units[0], list(answers)
    script, answer = _to_the_end(table, unit, to), None
    while True:
        try:
            question = script.send(answer)
        except StopIteration:
            return float(unit.status is Status.LOST)
        if not isinstance(question, Show) and not left:
            break
        answer = True if isinstance(question, Show) else question.accept(left.pop(0))
    if isinstance(question, Roll):
        throws = list(product("123456", repeat=question.dice[0].count))
        return sum(doom(battle, to, *answers, list(throw)) for throw in throws) / len(throws)
    if isinstance(question, Number):
        return min(doom(battle, to, *answers, n) for n in range(question.least, question.most + 1))
    assert isinstance(question, Choose)
    names = [option.id for option in question.options]
    wanted = ["done"] if "done" in names else names  # no Items, no gifts
    return min(doom(battle, to, *answers, name) for name in wanted)


def _to_the_end(battle: Battle, unit: Unit, to: str) -> Script[None]:
    if to != unit.sector:
        yield from move(battle, unit, next(way for way in moves(battle, unit) if way.to == to))
    yield from hand_out(battle)
    if unit.status is Status.FIGHTING:
        yield from combat(battle)


HERO, PARA = "Hero", "Paratrooper"


@pytest.mark.parametrize(
    ("start", "specialists", "dials", "printed"),
    [
        ("7", [HERO], (1, 4, 2), {"defence": (2,), "guns": 0}),
        ("7", [HERO, "Scout"], (2, 3, 0), {"defence": (1,), "guns": 0}),
        ("7", [PARA, "Scout", "Captain"], (1, 3, 0), {"defence": (5,), "guns": 0}),
        ("7", [PARA], (3, 3, 0), {"defence": (2,), "guns": 0}),
        ("7", [PARA, "Medic"], (4, 3, 0), {"defence": (5,), "guns": 0, "requires": ("Medic",)}),
        ("7", ["Scout", "Captain"], (9, 3, 0), {"defence": (2,), "damage": Damage.SPECIALIST}),
        ("7", ["Scout"], (5, 3, 0), {"defence": (2,), "guns": 0, "sacrifice": ("any",), "joins": "Scout"}),
        ("9", [HERO], (4, 2, 1), {"defence": (1,), "damage": Damage.COURAGE}),
        ("9", [HERO], (4, 2, 1), {"defence": (1,), "damage": None}),
        ("9", ["Scout"], (7, 2, 0), {"defence": (1,), "damage": Damage.COURAGE}),
        ("9", [HERO, "Scout"], (6, 1, 1), {"defence": (1,), "guns": 2, "damage": Damage.SPECIALIST}),
        ("9", [HERO], (9, 1, 1), {"defence": (1,), "guns": 2, "damage": Damage.SPECIALIST}),
        ("9", ["Medic"], (9, 0, 0), {"defence": (1,), "guns": 2, "damage": Damage.SPECIALIST}),
        ("9", [PARA, "Medic"], (2, 0, 0), {"defence": (3,), "damage": Damage.SPECIALIST}),
    ],
)
def test_the_risk_is_what_every_throw_and_choice_comes_to(
    start: str, specialists: list[str], dials: tuple[int, int, int], printed: dict[str, object]
) -> None:
    soldiers, courage, stars = dials
    battle, unit = alone()
    with_sector(battle, "9", **printed)
    put(battle, unit, start, soldiers=soldiers, courage=courage, stars=stars, specialists=specialists)
    way = next((way for way in moves(battle, unit) if way.to == "9"), None) if start == "7" else None

    assert risk(battle, unit, way, 3 if way else 0) == pytest.approx(doom(battle, "9"))


SEEN = ("Beachmaster", "Decoy", "Engineer", HERO, "Medic", "Minesweeper", PARA, "Pathfinder", "Scout")
OTHERS = ("Captain", "Corporal", "General", "Veteran")


@pytest.mark.rule("DDD-152", "DDD-156")
def test_the_odds_of_omaha_know_that_who_falls_at_the_mines_is_no_more_there_to_be_hit() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "3", soldiers=12, courage=3, specialists=["Scout"])
    way = next(way for way in moves(battle, unit) if way.to == "5")

    assert risk(battle, unit, way, 2) == pytest.approx(doom(battle, "5")) == pytest.approx(15 / 36)


@pytest.mark.parametrize("seed", [9, 13, 14])
def test_the_odds_are_the_same_where_each_specialist_is_looked_at_for_himself(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """At the mines and in a sacrifice; in these positions each effect that is looked at matters."""
    battle, unit = alone()
    told = _odds_of_random_places(battle, unit, Random(seed))
    monkeypatch.setattr(odds, "_looked_at", lambda _battle, _way, name: name)

    assert told == _odds_of_random_places(battle, unit, Random(seed))


def _odds_of_random_places(battle: Battle, unit: Unit, rng: Random) -> list[float]:
    """What is told of ways over mines to 9, whatever is printed there."""
    way = next(way for way in battle.field.ways["7"] if way.to == "9")
    told = []
    for _ in range(200):
        with_sector(
            battle,
            "9",
            defence=(rng.randint(5, 12),),
            guns=rng.randint(0, 1),
            damage=rng.choice([None, Damage.SPECIALIST]),
            sacrifice=rng.choice([("any",), ("any",), ("Medic",), ("Captain",)]),
            requires=rng.choice([(), (), (), ("Scout",)]),
            joins=rng.choice(["", "Corporal"]),
            bunker=rng.random() < 0.5,
            losses_d6_unswept=rng.random() < 0.5,
        )
        specialists = rng.sample([*SEEN, *OTHERS], 6)
        put(battle, unit, "7", soldiers=rng.randint(0, 4), stars=rng.randint(0, 3), specialists=specialists)
        unit.turn.ignore_mines = rng.random() < 0.5
        told += [risk(battle, unit, way)]
    return told


def test_who_joins_the_first_unit_is_lost_to_a_weaker_one_only_if_that_can_be_there() -> None:
    battle, (one, two) = together("sword")
    put(battle, one, "3", soldiers=6)
    put(battle, two, "3", soldiers=2, courage=1)
    arrived = replace(one, soldiers=9)  # by a Beachmaster
    assert not will_join(battle, arrived, "5")

    two.courage = 0
    assert will_join(battle, arrived, "5")

    two.turn.free_advance = True
    assert not will_join(battle, arrived, "5")

    two.turn.moved, two.turn.entered = True, "3"
    assert will_join(battle, arrived, "5")

    two.turn.moved, two.visited = False, ["2", "5", "3"]
    assert will_join(battle, arrived, "5")

    put(battle, one, "5")
    exchanged = risk(battle, one)
    one.turn.entered = "5"
    assert risk(battle, one) < exchanged

    battle.state.gifts_taken.append("5")
    assert not will_join(battle, arrived, "5")


@pytest.mark.rule("DDD-266", "DDD-R71")
def test_who_joins_the_first_unit_is_counted_on_where_that_has_been_exchanged_to_since() -> None:
    battle, (one, two) = together("sword")
    with_sector(battle, "4", defence=(5,), guns=1)
    put(battle, one, "4", soldiers=7)
    one.turn.entered, two.turn.moved = "5", True
    told = risk(battle, one)

    act(hand_out(battle))

    assert one.specialists == ["Lieutenant"]
    assert told == risk(battle, one) == pytest.approx(4 / 6)


@pytest.mark.parametrize(
    ("other", "soldiers"),
    [("1", 5), ("5", 5), ("5", 6), ("5", 7), ("3", 5), ("2", 6)],
    ids=[
        "is far away",
        "came weaker",
        "came as strong",
        "came stronger",
        "can come weaker",
        "can't be weaker",
    ],
)
@pytest.mark.rule("DDD-174", "DDD-266")
def test_the_odds_of_two_count_on_who_joins_the_first_unit_alone(other: str, soldiers: int) -> None:
    """The other Unit comes too, if it can: a weaker one has to be reckoned with."""
    battle, (one, two) = together("sword")
    with_sector(battle, "1", guns=0)
    with_sector(battle, "5", defence=(3,), guns=1)
    put(battle, one, "3", soldiers=6, courage=1)
    put(battle, two, other, soldiers=soldiers, courage=1)
    came = other in {"5", "3", "2"}
    way = next(way for way in moves(battle, one) if way.to == "5")
    two.turn.moved, two.turn.entered = other == "5", "5" * (other == "5")
    told = risk(battle, one, way, 1)
    if came:
        two.turn.moved, two.turn.entered = True, "5"

    assert (
        told == pytest.approx(doom(battle, "5")) == pytest.approx(4 / 6 if soldiers < 6 and came else 3 / 6)
    )

    act(move(battle, one, way))
    assert risk(battle, one) == pytest.approx(told)
    act(hand_out(battle), *["A"] * (came and soldiers == 6))
    assert risk(battle, one) == pytest.approx(told)
