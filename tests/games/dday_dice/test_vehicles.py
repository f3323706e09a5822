"""Each Vehicle: one test a card, named after it."""

from __future__ import annotations

import pytest

from companion.games.dday_dice.changes import changes
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.dice import Face
from companion.games.dday_dice.moving import move_units, moves
from companion.games.dday_dice.records import Damage
from companion.games.dday_dice.recruiting import recruit_and_find
from companion.games.dday_dice.rolling import roll_the_dice
from companion.games.dday_dice.upkeep import upkeep
from tests.games.dday_dice.beach import act, alone, begin, put, shipped, show, together, with_sector


def test_every_vehicle_of_the_list_has_a_test_here() -> None:
    names = {name.lower().replace(" ", "_").replace("-", "_") for name in shipped().vehicle}

    assert len(names) == 6
    assert names <= {name.removeprefix("test_").partition("__")[0] for name in globals()}


def test_ambulance__one_soldier_fewer_lost_for_all_there_and_no_sacrifices() -> None:
    battle, (one, two) = together()
    put(battle, one, "4", soldiers=20, courage=9, vehicle="Ambulance")
    put(battle, two, "4", soldiers=20, specialists=["Medic"])
    act(combat(battle), "done", "done", "soldiers")
    assert (one.soldiers, two.soldiers) == (15, 16)

    assert "7" in [way.to for way in moves(battle, one)]
    act(move_units(battle), "move:7", "stay")
    assert one.sector == "7"


def test_armored_car__a_star_each_turn_and_items_a_point_cheaper() -> None:
    battle, unit = alone("sword")
    put(battle, unit, "2", soldiers=1, vehicle="Armored Car")

    act(upkeep(battle, show(unit, "R 1S 1S W 2S 2S B Co To")))

    assert unit.stars == 1
    assert battle.item_price(unit, "Binoculars") == 9


def test_bulldozer__a_courage_each_turn_and_barriers_open() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "7", soldiers=9, courage=9, vehicle="Bulldozer")

    act(upkeep(battle, show(unit, "R 1S 1S W 2S 2S B Co To")))

    assert unit.courage == 11
    assert "8" in [way.to for way in moves(battle, unit)]


GAINS = pytest.mark.parametrize(
    ("vehicle", "dial", "face"),
    [("Armored Car", "stars", Face.STAR), ("Bulldozer", "courage", Face.COURAGE)],
)


@pytest.mark.rule("DDD-095", "DDD-138", "DDD-286")
@GAINS
def test_what_a_vehicle_gains_a_sector_neither_takes_nor_charges_for(
    vehicle: str, dial: str, face: Face
) -> None:
    battle, (one, two) = together("sword")
    with_sector(battle, "2", penalty=(face,), star_costs_soldier=True)
    put(battle, one, "2", soldiers=9, stars=0, courage=0, vehicle=vehicle)
    put(battle, two, "2", soldiers=9, stars=0, courage=0)
    for unit in (one, two):
        show(unit, "R 1S 1S W 2S 2S B To To")

    stage = act(upkeep(battle, one, two))

    assert stage.keys == ["upkeep", "upkeep"]
    assert [getattr(unit, dial) for unit in (one, two)] == [1, 1], "both stand by it"
    assert one.soldiers == two.soldiers == 15


@pytest.mark.rule("DDD-095", "DDD-R48")
@GAINS
def test_what_a_vehicle_gains_comes_beside_a_copied_tally_and_is_in_none(
    vehicle: str, dial: str, face: Face
) -> None:
    battle, (one, two) = together("sword")
    put(battle, one, "2", soldiers=9, stars=0, courage=0, vehicle=vehicle, items=["Dispatch Case"])
    put(battle, two, "6", soldiers=9, stars=0, courage=0, vehicle=vehicle)
    show(one, "R To To W To To B To To")
    show(two, "R 1S 1S W 2S 2S B To To")

    act(changes(battle, one), "use:Dispatch Case")
    act(upkeep(battle, one))

    assert getattr(one, dial) == 1
    assert face not in {result.face for result in one.extra}


@pytest.mark.rule("DDD-065", "DDD-095", "DDD-R48")
@GAINS
def test_what_a_vehicle_gains_makes_no_straight_and_is_not_photographed(
    vehicle: str, dial: str, face: Face
) -> None:
    battle, unit = alone("sword")
    photographer = "Combat Photographer"
    put(battle, unit, "2", soldiers=9, stars=0, courage=0, vehicle=vehicle, specialists=[photographer])
    others = {Face.STAR: "R Sk To W 1S 2S B Co Co", Face.COURAGE: "R Sk To W 1S 2S B St St"}
    show(unit, others[face])

    act(changes(battle, unit), f"keep:{photographer}")
    stage = act(upkeep(battle, unit), "1")

    assert "award.choose" not in stage.keys
    assert getattr(unit, dial) == 1
    assert unit.extra == []


def test_half_track__a_tool_each_turn_and_more_than_one_item() -> None:
    battle, unit = alone("sword")
    put(battle, unit, "2", soldiers=1, points=14, vehicle="Half-Track")
    act(upkeep(battle, show(unit, "R 1S 1S W 2S To B Co To")))
    assert unit.points == 20

    begin(recruit_and_find(battle, unit), "find:Walkie-Talkie", "find:Field Radio", "find:Lucky Charm")

    assert unit.items == ["Walkie-Talkie", "Field Radio", "Lucky Charm"]


@pytest.mark.rule("DDD-085", "DDD-095", "DDD-R52")
@pytest.mark.parametrize(("beside", "found"), [("Half-Track", True), ("Jeep", False)])
def test_half_track__who_stands_beside_it_may_find_an_item_and_a_vehicle(beside: str, found: bool) -> None:
    battle, (one, two) = together("juno")
    put(battle, one, "5", soldiers=9, points=26)
    put(battle, two, "5", soldiers=9, vehicle=beside)

    stage = begin(recruit_and_find(battle, one), "find:Walkie-Talkie")

    assert ("vehicle:Tank" in stage.ids("recruit")) is found


@pytest.mark.rule("DDD-288", "DDD-R50")
@pytest.mark.parametrize(
    "answers", [["vehicle:Armored Car", "find:Walkie-Talkie"], ["find:Walkie-Talkie", "vehicle:Armored Car"]]
)
def test_armored_car__that_is_free_leaves_the_turns_find_free(answers: list[str]) -> None:
    battle, unit = alone("sword")
    battle.state.random_rolls["11"] = 5
    put(battle, unit, "11", soldiers=9, points=9)

    begin(recruit_and_find(battle, unit), *answers)

    assert (unit.vehicle, unit.items) == ("Armored Car", ["Walkie-Talkie"])


@pytest.mark.rule("DDD-R13")
def test_jeep__one_unlocked_die_is_rolled_again_beside_the_corporals() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, vehicle="Jeep", specialists=["Corporal"])

    stage = act(
        roll_the_dice(battle, unit),
        ["skull", *["star"] * 5],
        ["r1", "b2"],
        [],
        "w1",
        ["tool"],
        "w1",
        ["courage"],
    )

    asked = [ask.text for ask in stage.asks if ask.key == "dday_dice.roll.single"]
    assert [text.partition("? ")[0] for text in asked] == ["Corporal: re-roll one", "Jeep: re-roll one"]
    assert "r1" not in stage.ids("roll.single")


def test_tank__def_is_two_lower_and_special_damage_ignored() -> None:
    battle, unit = alone()
    with_sector(battle, "8", damage=Damage.COURAGE)
    put(battle, unit, "8", soldiers=20, courage=2, vehicle="Tank")

    act(combat(battle), ["6"])

    assert (unit.soldiers, unit.courage) == (8, 2)
