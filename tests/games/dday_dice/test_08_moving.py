"""Phase 4: moving, Sectors (DDD-113 to DDD-139), Landmines and Barriers (DDD-155 to DDD-161)."""

from __future__ import annotations

import pytest

from companion.engine.asks import Choose, Dice, Option, Roll
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.battlefield import Way
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.dice import Face
from companion.games.dday_dice.ending import over
from companion.games.dday_dice.moving import choices, move_units, moves
from companion.games.dday_dice.recruiting import recruit_and_find
from companion.games.dday_dice.rolling import roll_the_dice
from companion.games.dday_dice.state import Unit
from companion.games.dday_dice.upkeep import turn_marker, upkeep
from tests.games.dday_dice.beach import act, alone, begin, put, show, together, ways, with_sector


def menu(battle: Battle, unit: Unit) -> list[str]:
    return [option.id for option in choices(battle, unit, later=False)]


@pytest.mark.rule("DDD-113")
def test_after_three_turns_a_unit_has_to_leave() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=9, courage=9)
    for _ in range(2):
        turn_marker(battle, unit)
        assert "stay" in menu(battle, unit)
    turn_marker(battle, unit)

    assert "stay" not in menu(battle, unit)
    assert "lost" not in menu(battle, unit), "there are ways"


@pytest.mark.rule("DDD-114")
def test_moves_go_to_adjacent_sectors_only() -> None:
    battle, unit = alone()
    put(battle, unit, "7", courage=9, specialists=["Scout"])

    assert ways(battle, unit) == {"8", "9"}


@pytest.mark.rule("DDD-115", "DDD-R05")
def test_a_new_sector_begins_with_one_chevron() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=9, courage=9)
    unit.stay, unit.combats = 3, 2

    act(move_units(battle), "move:4")

    assert battle.marker(unit) == "1 chevron"
    assert unit.combats == 0


@pytest.mark.rule("DDD-116")
def test_a_unit_moves_once_a_turn() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, courage=9, specialists=["Corporal"])

    stage = act(move_units(battle), "move:5")

    assert stage.keys == ["move"]
    assert moves(battle, unit) == []


@pytest.mark.rule("DDD-117")
def test_no_sector_is_entered_twice() -> None:
    battle, unit = alone()
    put(battle, unit, "2")
    put(battle, unit, "3", courage=9, specialists=["Minesweeper"])

    assert "2" not in ways(battle, unit)


@pytest.mark.rule("DDD-117")
def test_a_sector_that_was_left_is_not_entered_again() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, courage=9, specialists=["Corporal"])
    for sector in ("5", "6"):
        act(move_units(battle), f"move:{sector}")
        unit.turn.moved = False

    assert "5" not in ways(battle, unit)


@pytest.mark.rule("DDD-118", "DDD-119")
def test_moves_go_sideways_or_forward_never_back() -> None:
    battle, unit = alone()
    put(battle, unit, "5", courage=9, specialists=["Scout"])
    found = {way.to: way.advance for way in moves(battle, unit)}

    assert found == {"4": False, "6": False, "7": True, "8": True}
    assert "2" not in found


@pytest.mark.rule("DDD-120", "DDD-172")
def test_a_unit_that_must_move_and_cannot_is_lost() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=20)
    battle.field.ways["4"] = tuple(way for way in battle.field.ways["4"] if way.advance)
    turn_marker(battle, unit)

    act(move_units(battle), "lost")

    outcome = over(battle)
    assert outcome is not None
    assert outcome.result == "lost"


def test_a_unit_that_is_lost_for_want_of_courage_is_told_what_the_ways_cost() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=20)
    for _ in range(3):
        turn_marker(battle, unit)
    (lost,) = choices(battle, unit, later=False)
    dear = [f"Sector {way.to} costs {way.courage} Courage" for way in battle.field.ways["1"]]
    assert lost == Option("lost", "no move: lost", "; ".join(dear))
    assert dear


@pytest.mark.rule("DDD-172")
def test_a_missing_specialist_can_be_the_reason() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=20, courage=9)
    turn_marker(battle, unit)

    (lost,) = choices(battle, unit, later=False)
    assert lost == Option(
        "lost", "no move: lost", "Sector 5: must have Corporal; Sector 7: sacrifice any Specialist"
    )


@pytest.mark.parametrize(
    ("scenario", "sector", "skulls", "words"),
    [
        ("pointe_du_hoc", "9", 3, "Sector 11: 4 Skulls to climb"),
        ("merville", "7", 0, "Sector 8: a barrier; Sector 9: only with Wirecutters"),
    ],
)
def test_a_climb_a_barrier_or_the_want_of_wirecutters_can_be_the_reason_too(
    scenario: str, sector: str, skulls: int, words: str
) -> None:
    battle, unit = alone(scenario, "1")
    put(battle, unit, sector, soldiers=20, courage=9, stay=4)
    unit.visited += ["6", "7"]
    unit.turn.skulls = skulls

    (lost,) = choices(battle, unit, later=False)
    assert lost.detail == words


@pytest.mark.rule("DDD-121")
def test_an_advance_costs_the_courage_of_its_line() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=9, courage=3)

    act(move_units(battle), "move:4")

    assert unit.courage == 1


@pytest.mark.rule("DDD-122")
def test_the_bunker_has_its_own_price() -> None:
    battle, unit = alone()
    put(battle, unit, "9", soldiers=20, courage=3)
    assert "Bunker" not in ways(battle, unit)

    unit.courage = 4
    act(move_units(battle), "move:Bunker")

    assert (unit.sector, unit.courage) == ("Bunker", 0)


@pytest.mark.rule("DDD-123")
def test_sideways_costs_nothing() -> None:
    battle, unit = alone()
    put(battle, unit, "7", soldiers=20, courage=1)

    act(move_units(battle), "move:8")

    assert (unit.sector, unit.courage) == ("8", 1)


@pytest.mark.rule("DDD-124")
def test_a_bunker_is_a_sector() -> None:
    battle, unit = alone()
    put(battle, unit, "Bunker", soldiers=20)

    act(combat(battle), ["1"])

    assert unit.soldiers == 20 - 13


@pytest.mark.rule("DDD-126")
def test_print_beats_the_general_rule() -> None:
    battle, unit = alone()
    put(battle, unit, "7", soldiers=9)

    stage = begin(roll_the_dice(battle, unit), ["skull"] * 6)

    assert "roll.lock" not in stage.keys
    assert len(stage.ids("roll.again.2")) == 6


@pytest.mark.rule("DDD-128")
def test_a_black_shield_is_left_in_the_following_turn() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=30, courage=9, specialists=["Corporal"])
    act(move_units(battle), "move:4")
    act(combat(battle), "soldiers")
    assert unit.combats == 1

    turn_marker(battle, unit)

    assert "stay" not in menu(battle, unit)


@pytest.mark.rule("DDD-129")
def test_a_must_have_is_needed_on_entering() -> None:
    battle, unit = alone()
    put(battle, unit, "2", courage=9, soldiers=9)
    assert "5" not in ways(battle, unit)

    unit.specialists.append("Corporal")

    assert "5" in ways(battle, unit)


@pytest.mark.rule("DDD-130")
def test_it_does_not_help_to_have_the_specialist_in_hand() -> None:
    battle, unit = alone()
    put(battle, unit, "2", courage=9, soldiers=9, stars=9)

    assert "Corporal" in unit.hand
    assert "5" not in ways(battle, unit)


@pytest.mark.rule("DDD-131")
def test_the_unit_may_stay_when_the_specialist_dies_later() -> None:
    battle, unit = alone()
    put(battle, unit, "5", soldiers=9, dead=["Corporal"])

    assert "stay" in menu(battle, unit)


@pytest.mark.rule("DDD-132")
def test_a_named_sacrifice_takes_that_specialist() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "7", soldiers=20, courage=9, specialists=["Scout", "Medic"])

    act(move_units(battle), "move:9")

    assert unit.specialists == ["Scout"]
    assert unit.dead == ["Medic"]


@pytest.mark.rule("DDD-132")
def test_without_the_named_specialist_there_is_no_entry() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "7", soldiers=20, courage=9, specialists=["Scout"])

    assert "9" not in ways(battle, unit)


@pytest.mark.rule("DDD-133")
@pytest.mark.parametrize(("given", "left"), [("Scout", "Medic"), ("Medic", "Scout")])
def test_any_specialist_can_be_the_one_sacrificed(given: str, left: str) -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=20, courage=9, specialists=["Scout", "Medic"])

    act(move_units(battle), "move:7", given)

    assert unit.specialists == [left]


@pytest.mark.rule("DDD-132", "DDD-133")
@pytest.mark.parametrize(
    ("wanted", "specialists", "enough"),
    [
        (("any", "any"), ["Medic"], False),
        (("any", "any"), ["Medic", "Scout"], True),
        (("Medic", "any"), ["Medic"], False),
        (("any", "Medic"), ["Decoy", "Scout"], False),
        (("Medic", "Medic"), ["Medic", "Decoy"], True),
    ],
)
def test_each_of_several_sacrifices_takes_another_specialist(
    wanted: tuple[str, ...], specialists: list[str], enough: bool
) -> None:
    battle, unit = alone()
    with_sector(battle, "7", sacrifice=wanted)
    put(battle, unit, "4", soldiers=20, courage=9, specialists=specialists)

    assert ("move:7" in menu(battle, unit)) is enough


@pytest.mark.rule("DDD-132", "DDD-133")
@pytest.mark.parametrize(
    ("wanted", "specialists"),
    [(("any", "Medic"), ["Medic", "Scout"]), (("Medic", "Decoy"), ["Medic", "Decoy"])],
)
def test_who_is_wanted_for_a_later_sacrifice_is_kept_for_it(
    wanted: tuple[str, ...], specialists: list[str]
) -> None:
    battle, unit = alone()
    with_sector(battle, "7", sacrifice=wanted)
    put(battle, unit, "4", soldiers=20, courage=9, specialists=specialists)

    act(move_units(battle), "move:7")

    assert unit.specialists == []


@pytest.mark.rule("DDD-R37")
def test_mines_spare_as_many_specialists_as_will_be_sacrificed() -> None:
    battle, unit = alone()
    with_sector(battle, "10", sacrifice=("any", "any"), gain_on_entry=None)
    put(battle, unit, "8", soldiers=9, courage=9, specialists=["Scout", "Medic", "Captain"])

    act(move_units(battle), "move:10", ["4"], "Captain", "Medic")

    assert unit.dead == ["Captain", "Medic", "Scout"]


@pytest.mark.rule("DDD-134")
def test_a_sacrifice_is_no_part_of_the_combat_losses() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=20, courage=9, specialists=["Scout"])

    act(move_units(battle), "move:7")
    act(combat(battle), ["3"])

    assert unit.soldiers == 20 - 11


@pytest.mark.rule("DDD-136")
def test_a_bonus_comes_every_turn_to_every_unit_there() -> None:
    battle, units = together()
    for unit in units:
        put(battle, unit, "2", soldiers=9)
        for _ in range(2):
            act(upkeep(battle, show(unit, "R 1S 1S W 1S 1S B To To")))

    assert [unit.courage for unit in units] == [2, 2]


@pytest.mark.rule("DDD-137", "DDD-R20")
def test_a_bonus_has_no_colour() -> None:
    battle, unit = alone()
    put(battle, unit, "3", soldiers=9)

    act(upkeep(battle, show(unit, "R St 2S W St 1S B To 1S")))

    assert unit.stars == 3
    assert unit.turn.scored == []


@pytest.mark.rule("DDD-138")
def test_a_penalty_takes_a_result_away() -> None:
    battle, unit = alone()
    with_sector(battle, "4", penalty=(Face.STAR,))
    put(battle, unit, "4", soldiers=9)

    act(upkeep(battle, show(unit, "R St 2S W St 1S B To 1S")), "0")

    assert unit.stars == 1


@pytest.mark.rule("DDD-138")
def test_a_penalty_takes_a_result_away_each_turn_in_that_sector() -> None:
    battle, unit = alone()
    with_sector(battle, "4", penalty=(Face.STAR,))
    put(battle, unit, "4", soldiers=9)

    for battle.state.turn in (1, 2, 3):
        act(upkeep(battle, show(unit, "R St 2S W St 1S B To 1S")), "0")
        assert unit.stars == battle.state.turn

    assert unit.stay == 4


@pytest.mark.rule("DDD-139")
def test_a_penalty_never_touches_the_stock() -> None:
    battle, unit = alone()
    with_sector(battle, "4", penalty=(Face.STAR,))
    put(battle, unit, "4", soldiers=9, stars=3)

    act(upkeep(battle, show(unit, "R 1S 2S W 1S 1S B To 2S")))

    assert unit.stars == 3


# --- Landmines and Barriers


def crossing(**fields: object) -> tuple[Battle, Unit]:
    battle, unit = alone()
    put(battle, unit, "7", courage=9, **fields)
    return battle, unit


@pytest.mark.rule("DDD-155", "DDD-R09")
def test_crossing_landmines_costs_an_ordinary_die_of_soldiers_at_once() -> None:
    battle, unit = crossing(soldiers=9)

    stage = act(move_units(battle), "move:9", ["4"])

    (roll,) = [ask for ask in stage.asks if isinstance(ask, Roll)]
    assert roll.dice == (Dice("d6", 1, ("1", "2", "3", "4", "5", "6")),)
    assert (unit.sector, unit.soldiers) == ("9", 5)
    (where,) = [ask for ask in stage.asks if isinstance(ask, Choose)]
    assert [option.label for option in where.options] == ["stay", "Sector 8", "Sector 9 (3 Co) mines"]
    assert battle.state.gifts_taken == [], "nothing there is for the first Unit alone"


@pytest.mark.rule("DDD-155", "DDD-165")
def test_a_unit_can_be_wiped_out_by_landmines_and_does_not_arrive() -> None:
    battle, unit = crossing(soldiers=6)

    act(move_units(battle), "move:9", ["6"])

    assert (unit.status, unit.sector) == ("lost", "7")


@pytest.mark.rule("DDD-156", "DDD-R40")
def test_a_medic_saves_one_at_the_mines() -> None:
    battle, unit = crossing(soldiers=9, specialists=["Medic"])

    act(move_units(battle), "move:9", ["1"])

    assert unit.soldiers == 9


@pytest.mark.rule("DDD-157")
def test_a_minesweeper_needs_no_die() -> None:
    battle, unit = crossing(soldiers=9, specialists=["Minesweeper"])

    stage = act(move_units(battle), "move:9")

    assert "mines" not in stage.keys
    assert unit.soldiers == 9


@pytest.mark.rule("DDD-158", "DDD-R58")
def test_binoculars_change_a_landmine_die() -> None:
    battle, unit = crossing(soldiers=9, items=["Binoculars"])

    act(move_units(battle), "move:9", ["6"], "0:1")

    assert unit.soldiers == 8
    assert battle.state.used_items == ["Binoculars"]


@pytest.mark.rule("DDD-159")
def test_each_unit_rolls_its_own_landmine_die() -> None:
    battle, units = together()
    for unit in units:
        put(battle, unit, "7", soldiers=9, courage=9)

    act(move_units(battle), "move:9", ["2"], "move:9", ["5"])

    assert [unit.soldiers for unit in units] == [7, 4]


def barred(**fields: object) -> tuple[Battle, Unit]:
    battle, unit = alone("merville", "1")
    put(battle, unit, "7", soldiers=20, courage=9, **fields)
    battle.field.ways["7"] = (Way("8", 2, mines=False, barrier=True, advance=True),)
    return battle, unit


def test_a_barrier_that_a_bulldozer_opens_is_not_what_shuts_the_way() -> None:
    battle, unit = barred(vehicle="Bulldozer", stay=4)
    with_sector(battle, "8", requires=("Hero",))

    assert choices(battle, unit, later=False)[-1].detail == "Sector 8: must have Hero"


@pytest.mark.rule("DDD-160", "DDD-R25")
def test_a_barrier_stops_even_a_battle_cry() -> None:
    battle, unit = barred()
    unit.turn.battle_cry = True

    assert ways(battle, unit) == set()


@pytest.mark.rule("DDD-161")
def test_wirecutters_and_the_bulldozer_open_a_barrier() -> None:
    battle, unit = barred(items=["Wirecutters"])
    act(move_units(battle), "use:Wirecutters", "move:8")
    assert unit.sector == "8"

    battle, unit = barred(vehicle="Bulldozer")
    assert ways(battle, unit) == {"8"}


@pytest.mark.rule("DDD-160", "DDD-R55")
def test_a_bulldozer_that_cannot_go_along_opens_no_barrier() -> None:
    battle, unit = barred(vehicle="Bulldozer")
    battle.field.ways["7"] = (Way("8", 2, mines=True, barrier=True, advance=True),)

    assert ways(battle, unit) == set()


# --- rulings


@pytest.mark.rule("DDD-R35")
def test_units_move_in_any_order_they_like() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "6", soldiers=20, courage=9)
    put(battle, two, "8", soldiers=20, courage=9)

    act(move_units(battle), "later", "move:Bunker", "move:8")

    assert (one.sector, two.sector) == ("8", "Bunker")


@pytest.mark.rule("DDD-R37")
def test_mines_spare_the_last_specialist_where_any_has_to_be_sacrificed() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=9, courage=9, specialists=["Scout", "Medic"])

    act(move_units(battle), "move:10", ["4"], "Scout", ["1"])

    assert (unit.sector, unit.dead) == ("10", ["Scout", "Medic"])
    assert unit.soldiers == 9 - 2 + 1


@pytest.mark.rule("DDD-174", "DDD-R35")
def test_the_weakest_is_asked_first_where_there_is_room_for_one_only() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "6", soldiers=21, courage=9)
    put(battle, two, "7", soldiers=19, courage=9, specialists=["Minesweeper"])

    act(move_units(battle), "move:8", "stay")

    assert (one.sector, two.sector) == ("6", "8")


@pytest.mark.rule("DDD-R35")
def test_the_weaker_is_not_asked_first_where_only_the_stronger_can_go() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "6", soldiers=9, courage=9)
    put(battle, two, "1", soldiers=4, courage=9)

    assert begin(move_units(battle)).open.text.startswith("A: ")


@pytest.mark.rule("DDD-R70")
def test_every_way_out_is_listed_before_a_unit_is_given_up() -> None:
    battle, unit = alone("sword")
    put(battle, unit, "12", soldiers=20, items=["Whistle"], specialists=["Point Man"])
    battle.field.ways["12"] = tuple(way for way in battle.field.ways["12"] if way.advance)
    unit.stay = 4

    assert menu(battle, unit) == ["use:Whistle", "linger:Point Man", "lost"]


@pytest.mark.parametrize("names", [["Point Man", "War Correspondent"], ["War Correspondent", "Point Man"]])
def test_who_can_give_himself_up_is_offered_in_the_order_of_the_units_cards(names: list[str]) -> None:
    """Also since sessions that go on know their asks by it."""
    battle, (unit, other) = together()
    put(battle, unit, "8", soldiers=9, specialists=names)
    put(battle, other, "2", soldiers=9)
    unit.stay = 4

    verbs = {"Point Man": "linger", "War Correspondent": "exchange"}
    offered = [one for one in menu(battle, unit) if one.startswith((*verbs.values(),))]
    assert offered == [f"{verbs[name]}:{name}" for name in names]


@pytest.mark.rule("DDD-R70", "DDD-107", "DDD-120")
def test_a_unit_that_is_stuck_can_ask_those_who_stay_for_courage() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "6", soldiers=20, courage=9)
    put(battle, two, "6", soldiers=20)
    battle.field.ways["6"] = tuple(way for way in battle.field.ways["6"] if way.advance)
    two.stay = 4

    act(move_units(battle), "stay", "help", "give", "courage", 5, "stay", "move:8")

    assert (two.sector, two.status) == ("8", "fighting")


@pytest.mark.rule("DDD-R70")
def test_who_is_asked_for_help_does_not_ask_for_help_in_turn() -> None:
    battle, units = together("omaha")
    battle.field.ways["6"] = tuple(way for way in battle.field.ways["6"] if way.advance)
    for unit in units:
        put(battle, unit, "6", soldiers=20)
        unit.stay = 4

    stage = begin(move_units(battle), "help")

    assert [ask.text[:3] for ask in stage.asks] == ["A: ", "B: "]
    assert stage.ids("move") == ["give", "later", "lost"]
    asked = stage.asks[-1]
    assert isinstance(asked, Choose)
    assert Option("later", "after another Unit", "the others decide first") in asked.options


@pytest.mark.rule("DDD-R70")
def test_the_others_are_asked_for_help_once() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "6", soldiers=20, courage=9)
    put(battle, two, "6", soldiers=20)
    battle.field.ways["6"] = tuple(way for way in battle.field.ways["6"] if way.advance)
    two.stay = 4

    stage = begin(move_units(battle), "stay", "help", "stay")

    assert "help" not in stage.ids("move")


@pytest.mark.rule("DDD-R70", "DDD-R71")
def test_a_unit_that_is_stuck_can_be_exchanged_by_another() -> None:
    battle, (one, two) = together("juno")
    put(battle, one, "3", soldiers=20, specialists=["War Correspondent"])
    put(battle, two, "6", soldiers=20)
    battle.field.ways["6"] = ()
    two.stay = 4

    stage = begin(move_units(battle), "stay", "help")

    assert "exchange:War Correspondent" in stage.ids("move")


@pytest.mark.rule("DDD-107")
def test_who_moved_in_beside_another_can_give_it_the_courage_to_go_on() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=20, courage=9)
    put(battle, two, "4", soldiers=20, specialists=["Scout"])

    act(move_units(battle), "move:4", "help", "give", "courage", 2, "stay", "move:7")

    assert (one.courage, two.courage, two.sector) == (9 - 2 - 2, 0, "7")


def test_who_must_move_and_can_asks_nobody_who_has_nothing_to_give() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=20, courage=9).stay = 4
    put(battle, two, "1", soldiers=20, courage=9)

    assert "help" not in begin(move_units(battle)).ids("move")


def test_who_moved_in_and_has_nothing_to_give_is_not_asked_for_help() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=1, courage=2)
    put(battle, two, "4", soldiers=20)

    assert "help" not in begin(move_units(battle), "move:4").ids("move")


def test_a_unit_that_was_given_up_is_not_asked_again() -> None:
    battle, (one, two, three) = together("tiger_basic", players=3)
    battle.field.ways["6"] = tuple(way for way in battle.field.ways["6"] if way.advance)
    for unit in (one, two):
        put(battle, unit, "6", soldiers=9).stay = 2
    put(battle, three, "1", soldiers=9)

    act(move_units(battle), "help", "lost", "lost", "stay")

    assert [unit.status for unit in (one, two, three)] == ["lost", "lost", "fighting"]


@pytest.mark.rule("DDD-107")
def test_who_stays_and_is_then_given_courage_is_asked_again() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=20)
    put(battle, two, "2", soldiers=20, courage=4)

    act(move_units(battle), "stay", "give", "courage", 2, "stay", "move:4")

    assert (one.sector, one.courage, two.sector, two.courage) == ("4", 0, "2", 2)


@pytest.mark.rule("DDD-R35")
def test_who_stays_is_asked_again_where_another_has_left_room() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "6", soldiers=9, courage=9)
    put(battle, two, "8", soldiers=20, courage=9)

    act(move_units(battle), "stay", "move:Bunker", "move:8")

    assert (one.sector, two.sector) == ("8", "Bunker")


def test_who_stays_is_asked_once_if_nothing_has_changed_for_it() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=20, courage=9)
    put(battle, two, "2", soldiers=20, courage=4)

    assert act(move_units(battle), "stay", "give", "courage", 2, "stay").keys.count("move") == 3


@pytest.mark.rule("DDD-107")
def test_who_has_stayed_can_still_give_by_a_carrier_pigeon_that_flies_later() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=9, courage=5)
    put(battle, two, "6", soldiers=9, items=["Carrier Pigeon"])
    bird = ("stay", "use:Carrier Pigeon")

    act(move_units(battle), *bird, "help", "give", "courage", 2, "stay", "move:8")

    assert (one.courage, two.courage, two.sector) == (3, 0, "8")


@pytest.mark.rule("DDD-R70")
def test_without_anybody_who_could_help_nobody_is_asked() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "6", soldiers=20)
    put(battle, two, "8", soldiers=20)
    one.turn.moved = True
    battle.field.ways["8"] = ()
    two.stay = 4

    assert [option.id for option in choices(battle, two, later=False, helps=True)] == ["lost"]


def test_a_recruit_of_phase_3_counts_in_phase_4() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=9, courage=9, stars=2)

    begin(recruit_and_find(battle, unit), "recruit:Corporal")

    assert "5" in ways(battle, unit)


@pytest.mark.rule("DDD-R36")
def test_a_move_pays_then_crosses_then_arrives() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=9, courage=3, specialists=["Scout", "Medic"])

    stage = act(move_units(battle), "move:10", ["4"], "soldiers", "Scout", ["5"])

    assert stage.keys == ["move", "mines", "losses.mines", "move.sacrifice", "entry"]
    assert unit.soldiers == 9 - 3 + 5


@pytest.mark.rule("DDD-132", "DDD-171")
def test_a_unit_that_sacrifices_its_last_man_is_lost() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=0, courage=9, specialists=["Scout"])

    act(move_units(battle), "move:7")

    assert unit.status == "lost"
    outcome = over(battle)
    assert outcome is not None
    assert outcome.reason == "wiped out in Sector 7"


def test_nobody_gives_himself_up_if_he_is_the_last() -> None:
    battle, unit = alone("sword")
    put(battle, unit, "2", soldiers=0, courage=9, specialists=["Point Man"])
    unit.stay = 4

    assert not any(one.startswith("linger") for one in menu(battle, unit))


@pytest.mark.rule("DDD-102", "DDD-107", "DDD-132")
def test_who_stands_there_can_give_soldiers_before_the_last_man_is_sacrificed() -> None:
    battle, (one, two) = together()
    put(battle, one, "4", soldiers=0, courage=9, specialists=["Scout"])
    put(battle, two, "7", soldiers=5)

    stage = begin(move_units(battle), "move:7", "B", "soldiers", 1)

    assert stage.ids("trade.help") == ["done", "B"]
    assert (one.soldiers, one.dead, one.status, two.soldiers) == (1, ["Scout"], "fighting", 4)
    assert stage.keys.count("trade.help") == 1, "one is enough"


@pytest.mark.rule("DDD-233")
@pytest.mark.parametrize(
    ("name", "here", "there", "dice", "left"),
    [("Scout", "9", "10", [["2"]], 2), ("Beachmaster", "4", "7", [], 3)],
)
def test_nobody_has_to_help_after_a_sacrifice_where_soldiers_join(
    name: str, here: str, there: str, dice: list[list[str]], left: int
) -> None:
    battle, (one, two) = together()
    put(battle, one, here, soldiers=0, courage=9, specialists=[name])
    put(battle, two, there, soldiers=5)

    begin(move_units(battle), f"move:{there}", *dice)

    assert (one.soldiers, one.dead, two.soldiers) == (left, [name], 5)
