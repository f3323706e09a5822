"""Phase 3: Specialists, Items, Vehicles (DDD-074 to DDD-101)."""

from __future__ import annotations

import pytest

from companion.games.dday_dice.arriving import joins
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.cards import Window, usable
from companion.games.dday_dice.changes import changes
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.effects import Price
from companion.games.dday_dice.invariants import broken
from companion.games.dday_dice.joining import take_specialist
from companion.games.dday_dice.losses import suffer
from companion.games.dday_dice.moving import choices, move_units
from companion.games.dday_dice.play import turn
from companion.games.dday_dice.recruiting import in_order, recruit_and_find, recruiting
from companion.games.dday_dice.state import Unit
from companion.games.dday_dice.trading import give
from companion.games.dday_dice.upkeep import upkeep
from tests.games.dday_dice.beach import act, alone, begin, figures, put, show, together, with_sector


@pytest.mark.rule("DDD-074", "DDD-075")
def test_recruiting_costs_the_printed_stars() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=4, stars=5)

    asked = act(recruit_and_find(battle, unit), "recruit:Medic").asks[0]

    assert asked.detail.endswith("\nPay for a card, then lay it face up before you")
    assert unit.stars == 1
    assert unit.specialists == ["Medic"]
    assert "Medic" not in unit.hand


@pytest.mark.rule("DDD-074")
def test_who_costs_more_than_there_are_stars_is_not_offered() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=4, stars=3)

    offered = begin(recruit_and_find(battle, unit)).ids("recruit")

    assert "recruit:Veteran" in offered
    assert "recruit:Medic" not in offered


def test_a_menu_looks_up_once_what_makes_cards_cheaper_however_many_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    battle, unit = alone(bazooka_joe="all")
    put(battle, unit, "1", soldiers=4, stars=9, points=99)
    looked_up: list[Price] = []

    def cheaper(_: Battle, __: Unit, what: Price, **___: bool) -> int:
        looked_up.append(what)
        return 0

    monkeypatch.setattr(Battle, "cheaper", cheaper)
    offered = begin(recruit_and_find(battle, unit)).ids("recruit")

    assert set(looked_up) == {Price.ITEM, Price.SPECIALIST}
    assert len(looked_up) < len(offered) / 4


@pytest.mark.rule("DDD-076")
def test_regulars_come_from_the_hand_uniques_from_the_pool() -> None:
    battle, (one, two) = together()
    put(battle, one, "1", stars=4)

    act(recruit_and_find(battle, one), "recruit:Captain", "done")

    assert "Captain" not in battle.state.pool_specialists
    assert len(one.hand) == len(two.hand) == 7

    put(battle, two, "1", stars=4)
    act(recruit_and_find(battle, two), "recruit:Veteran", "done")

    assert "Veteran" in one.hand
    assert "Veteran" not in two.hand


@pytest.mark.rule("DDD-077")
def test_one_specialist_a_turn() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=4, stars=6)

    stage = act(recruit_and_find(battle, unit), "recruit:Scout")

    assert stage.keys == ["recruit"]


@pytest.mark.rule("DDD-078")
def test_two_units_may_each_have_the_same_regular() -> None:
    battle, (one, two) = together()
    put(battle, one, "1", stars=2)
    put(battle, two, "2", stars=2)
    for unit in (one, two):
        act(recruit_and_find(battle, unit), "recruit:Corporal")

    assert one.specialists == two.specialists == ["Corporal"]
    assert list(broken(battle)) == []


@pytest.mark.rule("DDD-079")
def test_a_unique_specialist_is_for_one_unit_only() -> None:
    battle, (one, two) = together()
    put(battle, one, "1", stars=4)
    put(battle, two, "2", stars=4)
    act(recruit_and_find(battle, one), "recruit:Captain")

    assert "recruit:Captain" not in begin(recruit_and_find(battle, two)).ids("recruit")


@pytest.mark.rule("DDD-080")
def test_an_ability_works_turn_after_turn_and_ends_with_the_life() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, specialists=["Medic"])
    for battle.state.turn in (1, 2):
        assert act(suffer(battle, unit, 2, "combat", rule=()), "soldiers").result == 1
    assert act(suffer(battle, unit, 3, "combat", rule=()), "Medic").result == 2

    assert unit.dead == ["Medic"]
    assert act(suffer(battle, unit, 3, "combat", rule=())).result == 3


@pytest.mark.rule("DDD-081")
def test_abilities_add_up() -> None:
    battle, unit = alone("utah", "1")
    put(battle, unit, "4", soldiers=1, specialists=["Veteran", "Chaplain"])

    act(upkeep(battle, show(unit, "R 2S 1S W 2S 1S B 2S 1S")))

    plain = 9 + 6 + 8
    assert figures(unit)[0] == 1 + plain + 2
    assert unit.courage == 2


@pytest.mark.rule("DDD-082")
@pytest.mark.parametrize(
    ("answers", "soldiers", "left"),
    [(["Scout", "soldiers"], 0, ["Veteran"]), (["Scout", "Veteran"], 1, [])],
)
def test_a_specialist_may_be_lost_as_a_soldier(answers: list[str], soldiers: int, left: list[str]) -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=3, specialists=["Scout", "Veteran"])

    act(suffer(battle, unit, 4, "combat", rule=()), *answers)

    assert (unit.soldiers, unit.specialists) == (soldiers, left)


@pytest.mark.rule("DDD-083")
def test_the_dead_are_never_recruited_again() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, specialists=["Scout"], stars=9)
    act(suffer(battle, unit, 2, "combat", rule=()), "Scout")

    assert "recruit:Scout" not in begin(recruit_and_find(battle, unit)).ids("recruit")


@pytest.mark.rule("DDD-083")
@pytest.mark.parametrize("name", ["Scout", "Medic"])
def test_who_falls_lies_among_the_dead_and_does_not_join_again(name: str) -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=9, courage=1, specialists=[name])
    act(suffer(battle, unit, 2, "combat", rule=()), name)
    assert unit.dead == [name]

    act(move_units(battle), "move:2")

    assert unit.specialists == ([] if name == "Scout" else ["Scout"])
    assert unit.dead == [name]


@pytest.mark.rule("DDD-084")
def test_finding_costs_item_points() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=4, points=12)

    act(recruit_and_find(battle, unit), "find:Binoculars")

    assert unit.points == 2
    assert unit.items == ["Binoculars"]
    assert "Binoculars" not in battle.state.pool_items


@pytest.mark.rule("DDD-085")
def test_one_item_a_turn() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=4, points=30)

    stage = act(recruit_and_find(battle, unit), "find:Binoculars")

    assert unit.points == 20
    assert stage.keys == ["recruit"]


@pytest.mark.rule("DDD-088", "DDD-089", "DDD-091")
def test_an_item_works_at_once_the_moment_it_is_found_and_goes_face_down_to_the_pool() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=4, points=5)

    act(recruit_and_find(battle, unit), "find:Walkie-Talkie", "use:Walkie-Talkie")

    assert unit.soldiers == 6
    assert unit.items == []
    assert battle.state.used_items == ["Walkie-Talkie"]


@pytest.mark.rule("DDD-090")
def test_any_number_of_items_may_be_used_in_a_turn() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=4, items=["Walkie-Talkie", "Field Radio", "Lucky Charm"])

    act(recruit_and_find(battle, unit), "use:Walkie-Talkie", "use:Field Radio", "use:Lucky Charm", "stars")

    assert figures(unit) == (11, 1, 0, 0)


@pytest.mark.rule("DDD-092", "DDD-144")
def test_an_item_that_lowers_def_works_for_all_units_there_this_turn() -> None:
    battle, (one, two) = together()
    put(battle, one, "9", soldiers=20, items=["Bazooka"])
    put(battle, two, "9", soldiers=20)

    act(combat(battle), "use:Bazooka", ["2"], "done", "done")

    assert (one.soldiers, two.soldiers) == (15, 15)


@pytest.mark.rule("DDD-092", "DDD-144")
def test_def_and_guns_are_as_printed_again_in_the_next_turn() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=20, items=["Bazooka", "Grenade"])
    act(combat(battle), "use:Bazooka", "use:Grenade")
    assert unit.soldiers == 20 - 1
    assert (battle.defence(unit, "8", 0), battle.guns("8")) == (1, 0)

    begin(turn(battle))

    assert (battle.defence(unit, "8", 0), battle.guns("8")) == (8, 1)


@pytest.mark.rule("DDD-144")
def test_the_effects_of_a_torpedo_and_of_an_award_on_def_end_with_the_turn_too() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=20, items=["Bangalore Torpedo"], awards=["Stand-in Rose"])
    act(changes(battle, unit), "award:Stand-in Rose")
    assert battle.defence(unit, "4", 0) == 1
    act(combat(battle), "use:Bangalore Torpedo")
    assert unit.soldiers == 20

    begin(turn(battle))

    assert battle.defence(unit, "4", 0) == 6


@pytest.mark.rule("DDD-091", "DDD-092")
def test_a_unit_may_lower_the_def_for_those_whom_it_leaves_behind() -> None:
    battle, (one, two) = together()
    put(battle, one, "5", soldiers=20, courage=9, items=["Bangalore Torpedo", "Grenade"])
    put(battle, two, "5", soldiers=20)

    act(move_units(battle), "use:Bangalore Torpedo", "use:Grenade", "move:6", "stay")
    act(combat(battle))

    assert (one.soldiers, two.soldiers) == (20 - 6, 20)


@pytest.mark.rule("DDD-091")
def test_a_shoulder_patch_may_bring_a_specialist_for_the_tally_as_it_lies() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=3, items=["Shoulder Patch"])

    act(changes(battle, show(unit, "R 2S To W 2S To B 2S Co")), "use:Shoulder Patch", "Veteran")
    act(upkeep(battle, unit))

    assert unit.soldiers == 3 - 1 + 6 + 6 + 1


@pytest.mark.rule("DDD-091")
@pytest.mark.parametrize(
    ("scenario", "sector", "offered"),
    [("juno", "11", ["Field Radio"]), ("sword", "11", ["Field Radio"]), ("juno", "4", [])],
)
def test_soldiers_can_be_called_before_a_sector_takes_some_in_upkeep(
    scenario: str, sector: str, offered: list[str]
) -> None:
    battle, unit = alone(scenario)
    battle.state.random_rolls = {"11": 3} if scenario == "sword" else {}
    put(battle, unit, sector, soldiers=2, items=["Field Radio"])

    assert usable(battle, unit, Window.TALLY) == offered


@pytest.mark.rule("DDD-068", "DDD-091")
def test_an_award_drawn_at_the_end_of_phase_1_may_be_played_at_once() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "4", soldiers=3, items=["Medal Case"])
    show(unit, "R 2S To W 2S To B 1S Co")

    act(changes(battle, unit), "use:Medal Case", ["Stand-in Crown"], "award:Stand-in Crown")

    assert figures(unit) == (3, 3, 3, 0)


@pytest.mark.rule("DDD-093", "DDD-258")
def test_a_vehicle_is_found_in_its_sector_for_item_points() -> None:
    battle, unit = alone("juno")
    put(battle, unit, "5", soldiers=9, points=20)

    act(recruit_and_find(battle, unit), "vehicle:Tank")

    assert unit.vehicle == "Tank"
    assert unit.points == 0


@pytest.mark.rule("DDD-094")
def test_a_vehicle_works_turn_after_turn() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=20, vehicle="Tank")

    act(combat(battle))
    act(combat(battle))

    assert unit.soldiers == 12


@pytest.mark.rule("DDD-093")
def test_a_vehicle_that_another_unit_has_is_not_there_any_more() -> None:
    battle, units = together("juno")
    for unit in units:
        put(battle, unit, "5", soldiers=9, points=20, stars=2)
    act(recruit_and_find(battle, units[0]), "vehicle:Tank", "done")

    assert "vehicle:Tank" not in begin(recruit_and_find(battle, units[1])).ids("recruit")


@pytest.mark.rule("DDD-095")
def test_a_vehicle_works_for_every_unit_in_its_sector() -> None:
    battle, (one, two) = together()
    with_sector(battle, "4", defence=(8,))
    put(battle, one, "4", soldiers=20, vehicle="Tank")
    put(battle, two, "4", soldiers=20)

    act(combat(battle), "done", "done")

    assert (one.soldiers, two.soldiers) == (14, 14)


@pytest.mark.rule("DDD-096")
def test_a_vehicle_absorbs_no_casualty() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=4, vehicle="Jeep")

    act(suffer(battle, unit, 4, "combat", rule=()))

    assert unit.status == "lost"


@pytest.mark.rule("DDD-097", "DDD-259")
def test_a_vehicle_cannot_cross_landmines_even_if_its_unit_can() -> None:
    battle, unit = alone()
    put(battle, unit, "7", soldiers=30, courage=9, vehicle="Tank", specialists=["Minesweeper"])

    stage = act(move_units(battle), "move:9", "yes")

    assert "move.vehicle" in stage.keys
    assert unit.sector == "9"
    assert unit.vehicle == ""


@pytest.mark.rule("DDD-097", "DDD-R55")
def test_the_player_may_think_better_of_leaving_a_vehicle() -> None:
    battle, unit = alone()
    put(battle, unit, "7", soldiers=30, courage=9, vehicle="Tank")

    act(move_units(battle), "move:9", "no", "stay")

    assert (unit.sector, unit.vehicle, unit.courage) == ("7", "Tank", 9)


@pytest.mark.rule("DDD-098", "DDD-R55")
def test_a_vehicle_cannot_enter_a_bunker() -> None:
    battle, unit = alone()
    put(battle, unit, "9", soldiers=30, courage=9, vehicle="Tank")

    act(move_units(battle), "move:Bunker", "yes")

    assert (unit.sector, unit.vehicle) == ("Bunker", "")


@pytest.mark.rule("DDD-099")
def test_a_unit_has_one_vehicle_at_most() -> None:
    battle, unit = alone("juno")
    put(battle, unit, "5", soldiers=9, points=20, vehicle="Jeep", stars=2)

    assert "vehicle:Tank" not in begin(recruit_and_find(battle, unit)).ids("recruit")


@pytest.mark.rule("DDD-099", "DDD-100", "DDD-101")
def test_a_vehicle_may_be_left_for_the_one_that_the_sector_offers() -> None:
    battle, unit = alone("juno")
    put(battle, unit, "5", soldiers=9, points=20, vehicle="Jeep", stars=2)

    act(recruit_and_find(battle, unit), "abandon", "vehicle:Tank", "done")

    assert (unit.vehicle, unit.points, battle.state.vehicles_gone) == ("Tank", 0, ["Jeep"])


@pytest.mark.rule("DDD-085", "DDD-100")
@pytest.mark.parametrize(
    ("points", "found", "vehicle"), [(19, 0, "Jeep"), (20, 1, "Half-Track"), (19, 0, "Armored Car")]
)
def test_no_vehicle_is_left_for_one_that_could_not_be_found(points: int, found: int, vehicle: str) -> None:
    battle, unit = alone("juno", vehicle_discount="yes")
    put(battle, unit, "5", soldiers=9, points=points, vehicle=vehicle, stars=2)
    unit.turn.found = found

    assert "abandon" not in begin(recruit_and_find(battle, unit)).ids("recruit")


@pytest.mark.rule("DDD-100", "DDD-103")
def test_a_vehicle_may_be_traded() -> None:
    battle, (one, two) = together()
    put(battle, one, "4", soldiers=9, vehicle="Tank")
    put(battle, two, "4", soldiers=9)

    act(give(battle, one), "vehicle")

    assert (one.vehicle, two.vehicle) == ("", "Tank")


@pytest.mark.rule("DDD-099")
def test_who_has_a_vehicle_is_given_no_second_one() -> None:
    battle, (one, two) = together()
    put(battle, one, "4", soldiers=9, vehicle="Tank")
    put(battle, two, "4", soldiers=9, vehicle="Jeep")

    assert begin(give(battle, one)).ids("trade.what") == ["soldiers", "vehicles"]


@pytest.mark.rule("DDD-100", "DDD-101")
def test_an_abandoned_vehicle_is_out_of_the_game() -> None:
    battle, unit = alone("juno")
    put(battle, unit, "5", soldiers=9, points=40, vehicle="Tank", stars=2)
    assert "abandon" in [option.id for option in choices(battle, unit, later=False)]

    act(move_units(battle), "abandon", "stay")

    assert unit.vehicle == ""
    assert battle.happened() == ["Tank left behind, out of the game"]
    assert "vehicle:Tank" not in begin(recruit_and_find(battle, unit)).ids("recruit")


@pytest.mark.rule("DDD-174", "DDD-175")
def test_the_weakest_unit_recruits_first_and_a_tie_is_settled_at_the_table() -> None:
    battle, (one, two, three) = together(players=3)
    put(battle, one, "1", soldiers=7, stars=4)
    put(battle, two, "1", soldiers=4, stars=4)
    put(battle, three, "1", soldiers=4, stars=4)

    stage = act(in_order(battle), "C")

    assert [unit.name for unit in stage.result] == ["C", "B", "A"]


@pytest.mark.rule("DDD-174", "DDD-175")
def test_a_tie_below_the_first_place_is_settled_too() -> None:
    battle, (one, two, three) = together(players=3)
    put(battle, one, "1", soldiers=3)
    put(battle, two, "1", soldiers=5, stars=4)
    put(battle, three, "1", soldiers=5, stars=4)

    stage = act(in_order(battle), "C")

    assert [unit.name for unit in stage.result] == ["A", "C", "B"]


@pytest.mark.rule("DDD-175")
def test_a_tie_of_three_is_settled_where_two_of_them_want_the_same() -> None:
    battle, units = together(players=3)
    for unit, stars in zip(units, (4, 0, 4), strict=True):
        put(battle, unit, "1", soldiers=5, stars=stars)

    assert act(in_order(battle), "C").keys == ["recruit.first"]


@pytest.mark.rule("DDD-175")
def test_there_is_no_tie_where_only_one_of_two_can_pay_or_each_takes_out_of_its_own_hand() -> None:
    battle, (one, two) = together()
    put(battle, one, "1", soldiers=5, stars=4)
    put(battle, two, "1", soldiers=5)
    assert act(in_order(battle)).keys == []

    battle.state.pool_specialists = []
    two.stars = 4
    assert act(in_order(battle)).keys == []

    battle, units = together("juno")
    for unit in units:
        put(battle, unit, "5", soldiers=5)
    assert act(in_order(battle)).keys == [], "nobody can pay for the Tank"


@pytest.mark.rule("DDD-175")
def test_three_in_a_tie_settle_the_second_place_as_well() -> None:
    battle, units = together(players=3)
    for unit in units:
        put(battle, unit, "1", soldiers=5, stars=4)

    stage = act(in_order(battle), "C", "B")

    assert [unit.name for unit in stage.result] == ["C", "B", "A"]


@pytest.mark.rule("DDD-175")
def test_a_tie_for_a_vehicle_or_a_used_item_is_settled_as_well() -> None:
    battle, (one, two) = together("sword")
    battle.state.random_rolls["11"] = 5
    put(battle, one, "11", soldiers=5)
    put(battle, two, "11", soldiers=5)
    stage = act(in_order(battle), "B")
    assert [unit.name for unit in stage.result] == ["B", "A"], "the Armored Car is free"

    battle.state.vehicles_gone.append("Armored Car")
    battle.state.pool_items, battle.state.used_items = [], ["Walkie-Talkie"]
    one.points = two.points = 5
    assert act(in_order(battle)).keys == []
    one.turn.special_finds = two.turn.special_finds = 1
    assert act(in_order(battle), "B").keys == ["recruit.first"]


@pytest.mark.rule("DDD-055")
def test_who_is_done_comes_once_more_for_an_item_that_another_has_used_since() -> None:
    battle, (one, two) = together()
    battle.state.pool_items = ["Field Radio"]
    put(battle, one, "2", soldiers=1, points=12)
    put(battle, two, "3", soldiers=9, items=["Walkie-Talkie"])
    one.turn.special_finds = 1

    act(recruiting(battle), "done", "use:Walkie-Talkie", "again:Walkie-Talkie", "done")

    assert (one.items, two.items, one.points) == (["Walkie-Talkie"], [], 7)


@pytest.mark.rule("DDD-R51")
def test_who_is_dead_or_already_there_does_not_join_again() -> None:
    battle, unit = alone()
    put(battle, unit, "2", dead=["Scout"])
    act(joins(battle, unit, "Scout"))
    assert unit.specialists == []
    unit.dead = []
    act(joins(battle, unit, "Scout"))
    act(joins(battle, unit, "Scout"))
    assert unit.specialists == ["Scout"]


@pytest.mark.rule("DDD-R51", "DDD-079")
def test_a_unique_specialist_who_died_elsewhere_does_not_join() -> None:
    battle, (one, two) = together("sword")
    one.dead = ["Lieutenant"]

    act(joins(battle, two, "Lieutenant"))

    assert two.specialists == []


def test_taking_a_specialist_takes_him_out_of_hand_and_pool() -> None:
    battle, unit = alone()

    act(take_specialist(battle, unit, "Captain"))

    assert "Captain" not in battle.state.pool_specialists


@pytest.mark.rule("DDD-175")
def test_a_vehicle_is_wanted_also_by_a_unit_that_leaves_its_own_for_it() -> None:
    battle, (one, two) = together("sword")
    battle.state.random_rolls["11"] = 5
    put(battle, one, "11", soldiers=5, vehicle="Jeep")
    put(battle, two, "11", soldiers=5)

    stage = act(in_order(battle), "B")

    assert [unit.name for unit in stage.result] == ["B", "A"]
