"""What the rulebook says of the seven other maps (DDD-234 to DDD-312), on stand-in boards."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.dday_dice.arriving import hand_out
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.cards import Window, apply, usable
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.describing import describe
from companion.games.dday_dice.dice import Colour, Face, Result
from companion.games.dday_dice.effects import Rwb, TurnSkulls
from companion.games.dday_dice.ending import over
from companion.games.dday_dice.moving import choices, move_units, moves
from companion.games.dday_dice.play import turn
from companion.games.dday_dice.records import Attributes, Sector
from companion.games.dday_dice.recruiting import recruit_and_find
from companion.games.dday_dice.rolling import roll_the_dice
from companion.games.dday_dice.setup import setup_list
from companion.games.dday_dice.state import Status, Unit
from companion.games.dday_dice.trading import give
from companion.games.dday_dice.upkeep import final_tally, turn_marker, upkeep
from tests.games.dday_dice.beach import (
    act,
    alone,
    beach,
    begin,
    figures,
    put,
    show,
    together,
    ways,
    with_sector,
)

# --- N-02 Omaha Beach


@pytest.mark.rule("DDD-234")
def test_omaha_5_takes_a_specialist_on_a_6_beside_the_losses() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "5", soldiers=20, specialists=["Scout", "Veteran"])
    loss = battle.defence(unit, "5", 0) + 6

    act(combat(battle), ["6"], "Scout", "soldiers")

    assert (unit.soldiers, unit.specialists) == (20 - loss, ["Veteran"])


@pytest.mark.rule("DDD-235")
def test_omaha_5_does_nothing_more_to_a_unit_without_specialists() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "5", soldiers=20)
    loss = battle.defence(unit, "5", 0) + 6

    act(combat(battle), ["6"])

    assert unit.soldiers == 20 - loss


@pytest.mark.rule("DDD-236")
def test_omaha_7_finds_no_items_but_uses_them() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "7", soldiers=9, points=48, items=["Field Radio"])

    assert begin(recruit_and_find(battle, unit)).ids("recruit") == ["done", "use:Field Radio"]


@pytest.mark.rule("DDD-237", "DDD-R25", "DDD-R76")
def test_omaha_8_holds_one_unit_even_against_a_battle_cry() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "8", soldiers=20)
    put(battle, two, "6", soldiers=20, courage=9)
    two.turn.battle_cry = True
    assert "8" not in ways(battle, two)

    put(battle, one, "Bunker")

    assert "8" in ways(battle, two)


@pytest.mark.rule("DDD-237")
def test_into_omaha_8_another_may_move_in_the_phase_in_which_it_was_left() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "8", soldiers=20, courage=9, specialists=["Medic"])
    put(battle, two, "6", soldiers=20, courage=9)
    ahead = next(way.to for way in moves(battle, one) if way.advance)

    act(move_units(battle), f"move:{ahead}", "move:8")

    assert (one.sector, two.sector) == (ahead, "8")


@pytest.mark.rule("DDD-238")
def test_bomb_blasts_on_omaha_have_no_effect() -> None:
    battle, _ = alone("omaha")
    plain = Attributes()
    for name, apart in (("3", set()), ("7", {"no_find_items"}), ("9", {"sacrifice"})):
        sector = battle.field.sectors[name]
        assert {f for f in Attributes.__struct_fields__ if getattr(sector, f) != getattr(plain, f)} == apart
        assert sector.damage is None


# --- N-03 Utah Beach


@pytest.mark.rule("DDD-239")
def test_utah_2_starts_with_the_corporal_and_no_soldiers() -> None:
    battle, unit = alone("utah", "2")

    assert figures(unit) == (0, 0, 0, 0)
    assert unit.specialists == ["Corporal"]
    assert "Corporal" not in unit.hand
    assert battle.strength(unit) == 1
    assert over(battle) is None


@pytest.mark.rule("DDD-240", "DDD-241")
@pytest.mark.parametrize("sector", ["6", "13", "14"])
@pytest.mark.parametrize(("had", "left"), [(2, 1), (0, 0)])
def test_utahs_special_damage_is_a_courage_if_there_is_one(sector: str, had: int, left: int) -> None:
    battle, unit = alone("utah", "1")
    put(battle, unit, sector, soldiers=30, courage=had)

    act(combat(battle), ["6"])

    assert unit.courage == left


@pytest.mark.rule("DDD-242")
def test_utah_6_rerolls_no_skulls_not_even_with_a_corporal() -> None:
    battle, unit = alone("utah", "1")
    put(battle, unit, "6", soldiers=9, specialists=["Corporal"])

    stage = begin(
        roll_the_dice(battle, unit), ["skull", "star", "skull", "tool", "courage", "star"], ["r2", "w2"], []
    )

    assert stage.ids("roll.again.2") == ["b1", "b2"]
    assert "r1" not in stage.ids("roll.single")


@pytest.mark.rule("DDD-242")
def test_utah_6_asks_for_no_reroll_where_only_skulls_are_not_locked() -> None:
    battle, unit = alone("utah", "1")
    put(battle, unit, "6", soldiers=9, specialists=["Corporal"])

    stage = act(
        roll_the_dice(battle, unit), ["skull", "star", "skull", "tool", "skull", "skull"], ["r2", "w2"]
    )

    assert stage.keys == ["roll.1", "roll.lock"]


@pytest.mark.rule("DDD-243")
def test_utah_6_lets_a_skull_be_changed() -> None:
    battle, unit = alone("utah", "1")
    put(battle, unit, "6", soldiers=9, items=["Binoculars", "Ammo Box"], specialists=["Sharpshooter"])
    show(unit, "R Sk St W To To B Co Co")

    assert usable(battle, unit, Window.TALLY) == ["Binoculars", "Ammo Box"]
    act(apply(battle, unit, battle.pack.item["Binoculars"].effects[0], Window.TALLY), "r1", "star")
    assert unit.dice[0].face is Face.STAR
    act(apply(battle, show(unit, "R Sk St W To To B Co Sk"), TurnSkulls(), Window.TALLY), "star")
    assert [die.face for die in unit.dice].count(Face.STAR) == 3
    stage = act(upkeep(battle, show(unit, "R Sk St W To To B Co Co")))
    assert "tally.cancel" not in stage.keys


@pytest.mark.rule("DDD-244")
def test_utahs_shoulder_patch_and_flame_thrower_lie_in_one_sector_each_and_not_in_the_pool() -> None:
    battle, _ = alone("utah", "1")

    assert not {"Shoulder Patch", "Flame-Thrower"} & set(battle.state.pool_items)
    assert gifts(battle) == {"10": "Shoulder Patch", "12": "Flame-Thrower"}


def gifts(battle: Battle) -> dict[str, str]:
    """The Sectors of a map in which an Item lies."""
    return {name: sector.free_item for name, sector in battle.field.sectors.items() if sector.free_item}


@pytest.mark.rule("DDD-245")
@pytest.mark.parametrize(("sector", "item"), [("10", "Shoulder Patch"), ("12", "Flame-Thrower")])
def test_utahs_first_unit_finds_the_item_free(sector: str, item: str) -> None:
    battle, (one, two) = together("utah", "1", "1")
    told = []
    for unit in (one, two):
        put(battle, unit, sector, soldiers=20)
        unit.turn.entered = unit.sector
        told += act(hand_out(battle)).asks
        unit.turn.entered = ""

    assert [ask.rule for ask in told] == [("DDD-245",)]
    assert (one.items, two.items) == ([item], [])
    assert one.points == 0


@pytest.mark.rule("DDD-246", "DDD-248")
def test_utah_11_pays_five_soldiers_for_four_of_a_kind_beside_the_bonus() -> None:
    battle, unit = alone("utah", "1")
    put(battle, unit, "11", soldiers=1)

    stage = act(upkeep(battle, show(unit, "R To To W To St B To Co")))

    assert stage.asks[-1].text == "Special Find! +5 Sold +3 St +1 Co +12 IP"
    assert unit.turn.scored == [Rwb.SPECIAL_FIND]
    assert unit.soldiers == 6
    assert unit.stars == 3


@pytest.mark.rule("DDD-247")
def test_utah_11_pays_once_for_six_of_a_kind() -> None:
    battle, unit = alone("utah", "1")
    put(battle, unit, "11", soldiers=1)

    act(upkeep(battle, show(unit, "R St St W St St B St St")), "courage2", "courage2")

    assert unit.soldiers == 6


# --- N-04 Gold Beach


@pytest.mark.rule("DDD-249", "DDD-R78")
def test_gold_is_lost_if_a_bunker_was_left_alone() -> None:
    battle, units = together("gold")
    for unit in units:
        put(battle, unit, "Bunker 1", soldiers=40)
    act(combat(battle), ["1"], "done", "done")

    outcome = over(battle)

    assert outcome is not None
    assert outcome.result == "lost"
    assert "Bunker 2" in outcome.reason


@pytest.mark.rule("DDD-R78")
def test_gold_warns_the_last_unit_that_would_leave_a_bunker_alone() -> None:
    battle, (one, two) = together("gold")
    put(battle, one, "9", soldiers=40, courage=9)
    put(battle, two, "9", soldiers=40, courage=9)
    details = {option.id: option.detail for option in choices(battle, one, later=False)}
    assert "Warning" not in details["move:Bunker 1"]

    put(battle, two, "Bunker 1", status=Status.SAFE)
    battle.state.bunkers_taken["Bunker 1"] = 5
    details = {option.id: option.detail for option in choices(battle, one, later=False)}

    assert details["move:Bunker 1"].startswith("Warning: Bunker 2 would never be taken")


@pytest.mark.rule("DDD-R78")
def test_gold_warns_nobody_while_the_other_is_in_the_other_bunker() -> None:
    battle, (one, two) = together("gold")
    put(battle, one, "10", soldiers=40, courage=9)
    put(battle, two, "Bunker 1", soldiers=40)
    details = {option.id: option.detail for option in choices(battle, one, later=False)}

    assert "Warning" not in details["move:Bunker 2"]


@pytest.mark.rule("DDD-R78")
def test_gold_warns_a_unit_that_would_join_the_other_in_one_bunker_this_turn() -> None:
    battle, (one, two) = together("gold")
    put(battle, one, "9", soldiers=40, courage=9)
    put(battle, two, "Bunker 1", soldiers=40)
    details = {option.id: option.detail for option in choices(battle, one, later=False)}

    assert details["move:Bunker 1"].startswith("Warning: Bunker 2 would never be taken")


@pytest.mark.rule("DDD-255")
@pytest.mark.parametrize(
    ("sector", "visited", "warned"),
    [
        ("9", ["1", "2", "4", "6"], {"move:11"}),
        ("6", ["1", "2", "4"], set()),
        ("10", ["1", "2", "4", "7"], {"move:11"}),
        ("11", ["1", "2", "4", "7", "10"], {"move:Bunker 1", "move:Bunker 2"}),
    ],
)
def test_alone_a_way_after_which_the_other_bunker_is_out_of_reach_is_warned_of(
    sector: str, visited: list[str], warned: set[str]
) -> None:
    battle, unit = alone("gold")
    put(battle, unit, sector, soldiers=90, courage=9, specialists=["Medic"], visited=[*visited, sector])
    told = {one.id for one in choices(battle, unit, later=False) if one.detail.startswith("Warning")}

    assert told == warned


@pytest.mark.rule("DDD-200", "DDD-249", "DDD-250")
def test_gold_is_won_with_a_unit_in_each_bunker_whose_specialists_help_there() -> None:
    battle, (one, two) = together("gold")
    put(battle, one, "Bunker 1", soldiers=40, specialists=["Medic"])
    put(battle, two, "9", soldiers=40)
    act(combat(battle), ["1"], ["1"], "soldiers")
    assert one.status == Status.SAFE
    assert battle.defence(two, "Bunker 1", 0) == battle.field.sectors["Bunker 1"].defence[0] - 1
    assert battle.defence(two, "Bunker 2", 0) == battle.field.sectors["Bunker 2"].defence[0]

    battle.state.turn = 2
    put(battle, two, "Bunker 2")
    act(combat(battle), ["1"])

    assert [one.first_in, two.first_in] == [True, False]
    outcome = over(battle)
    assert outcome is not None
    assert outcome.result == "won"


@pytest.mark.rule("DDD-251", "DDD-252")
def test_gold_8_gives_one_award_a_game_to_the_first_unit() -> None:
    battle, (one, two) = together("gold")
    put(battle, one, "8")
    one.turn.entered = one.sector
    act(hand_out(battle), "Stand-in Star")
    one.turn.entered = ""
    put(battle, two, "8")
    two.turn.entered = two.sector

    assert act(hand_out(battle)).keys == []
    assert (len(one.awards), len(two.awards)) == (1, 0)


@pytest.mark.rule("DDD-253")
def test_gold_8_offers_the_victoria_cross() -> None:
    battle, (one, _) = together("gold")
    put(battle, one, "8")
    one.turn.entered = one.sector

    stage = begin(hand_out(battle))
    assert "Victoria Cross" in stage.ids("award.choose")
    assert stage.open is not None
    assert stage.open.rule == ("DDD-067",), "a Sector hands it out, no straight"


@pytest.mark.rule("DDD-254", "DDD-255", "DDD-R79")
def test_gold_alone_takes_one_bunker_and_goes_over_the_top_row_to_the_other() -> None:
    battle, unit = alone("gold")
    put(battle, unit, "9", soldiers=60, courage=9, specialists=["Medic"])
    assert {"Bunker 1", "11"} == ways(battle, unit) - {"10"}
    act(move_units(battle), "move:Bunker 1")
    act(combat(battle), ["1"], "soldiers")
    assert unit.status == Status.FIGHTING
    assert over(battle) is None
    assert unit.specialists == ["Medic"]

    for sector in ("11", "Bunker 2"):
        unit.turn.moved = False
        act(move_units(battle), f"move:{sector}")
        battle.state.turn += 1
        act(combat(battle), ["1"] if sector != "11" else ["1", "1"], "soldiers")

    outcome = over(battle)
    assert outcome is not None
    assert outcome.result == "won"
    assert unit.first_in, "in the first Bunker, which the second does not undo (DDD-206)"


@pytest.mark.rule("DDD-122", "DDD-123", "DDD-254")
def test_a_bunker_costs_its_courage_sideways_too() -> None:
    battle, unit = alone("gold")
    put(battle, unit, "Bunker 1", soldiers=60, taken=["Bunker 1"])
    assert ways(battle, unit) == {"11"}, "out of a Bunker sideways is free"
    unit.stay = 4
    assert [option.id for option in choices(battle, unit, later=False)] == ["move:11"], "nor can it stay safe"
    unit.stay = 1

    put(battle, unit, "11", courage=3)
    assert ways(battle, unit) == set()

    unit.courage = 4
    act(move_units(battle), "move:Bunker 2")
    assert (unit.sector, unit.courage) == ("Bunker 2", 0)


@pytest.mark.rule("DDD-122", "DDD-254")
def test_a_bunker_is_an_advance_sideways_too_for_whom_it_pays_and_whom_it_costs_less() -> None:
    battle, unit = alone("gold")
    put(battle, unit, "11", soldiers=20, courage=3, specialists=["Beachmaster", "Platoon Leader"])

    act(move_units(battle), "move:Bunker 2")

    assert (unit.soldiers, unit.courage) == (20 + 3, 0)


@pytest.mark.rule("DDD-254", "DDD-R79")
def test_gold_alone_two_combats_in_one_bunker_are_one_bunker() -> None:
    battle, unit = alone("gold")
    put(battle, unit, "Bunker 1", soldiers=60)
    for _ in range(2):
        act(combat(battle), ["1"])

    assert unit.status == Status.FIGHTING


@pytest.mark.rule("DDD-254", "DDD-R79")
def test_gold_alone_goes_on_from_the_first_bunker_unasked() -> None:
    battle, unit = alone("gold")
    put(battle, unit, "Bunker 1", soldiers=90)
    rolled = ["soldier1"] * 4 + ["courage"] * 2

    stage = act(turn(battle), rolled, ["r1", "r2"], [], "stay", ["1"])

    assert unit.taken == ["Bunker 1"]
    assert stage.keys[-1] == "combat"
    assert stage.asks[-1].text.splitlines()[-1] == "Bunker 1 is taken"


@pytest.mark.rule("DDD-255")
def test_gold_alone_cannot_pass_the_top_row_twice() -> None:
    battle, unit = alone("gold")
    put(battle, unit, "11")
    put(battle, unit, "Bunker 1", soldiers=60, courage=9)

    assert ways(battle, unit) == set()


# --- N-05 Juno Beach


@pytest.mark.rule("DDD-256")
@pytest.mark.parametrize(("start", "to", "name"), [("2", "4", "Corporal"), ("6", "9", "Beachmaster")])
def test_junos_sectors_4_and_9_bring_a_specialist_free(start: str, to: str, name: str) -> None:
    battle, unit = alone("juno")
    put(battle, unit, start, soldiers=9, courage=9)

    act(move_units(battle), f"move:{to}")

    assert unit.specialists == [name]
    assert unit.stars == 0


@pytest.mark.rule("DDD-257")
def test_a_beachmaster_who_joins_on_juno_9_is_not_paid_for_that_advance() -> None:
    battle, unit = alone("juno")
    put(battle, unit, "6", soldiers=9, courage=9)

    act(move_units(battle), "move:9")

    assert unit.soldiers == 9


@pytest.mark.rule("DDD-094", "DDD-258")
def test_the_tank_is_found_on_juno_5_for_its_cost() -> None:
    battle, unit = alone("juno")
    put(battle, unit, "5", soldiers=9, points=19, stars=2)
    assert "vehicle:Tank" not in begin(recruit_and_find(battle, unit)).ids("recruit")

    unit.points = 20
    act(recruit_and_find(battle, unit), "vehicle:Tank", "done")

    assert (unit.vehicle, unit.points) == ("Tank", 0)


@pytest.mark.rule("DDD-260", "DDD-R86")
def test_junos_sector_7_is_plain_while_the_general_is_in_play() -> None:
    battle, (one, two) = together("juno")
    assert battle.place("7").penalty == (Face.COURAGE,)

    put(battle, one, "2", specialists=["General"])
    assert battle.place("7").penalty == ()
    assert battle.place("7").defence == battle.field.sectors["7"].defence
    assert battle.place("8").penalty == (Face.STAR,) * 3, "other Sectors are as printed"

    one.status = Status.LOST
    assert battle.place("7").penalty == (Face.COURAGE,)
    assert two.status == Status.FIGHTING


@pytest.mark.rule("DDD-R86")
@pytest.mark.parametrize("answers", [("juno",), ("merville", "1")])
@pytest.mark.parametrize("bazooka_joe", ["no", "items", "all"])
def test_the_general_of_whom_juno_and_merville_tell_comes_with_all_specialists_only(
    answers: tuple[str, ...], bazooka_joe: str
) -> None:
    battle, unit = alone(*answers, bazooka_joe=bazooka_joe)

    assert "General" not in unit.hand
    assert ("General" in battle.state.pool_specialists) is (bazooka_joe == "all")


@pytest.mark.rule("DDD-261")
def test_juno_8_takes_up_to_three_stars_of_the_tally_none_of_the_stock() -> None:
    battle, unit = alone("juno")
    put(battle, unit, "8", soldiers=1, stars=5)

    act(upkeep(battle, show(unit, "R St 1S W 2S 1S B St To")))
    assert unit.stars == 5

    act(upkeep(battle, show(unit, "R St St W 2S 1S B St St")), "1", "0")
    assert unit.stars == 6


@pytest.mark.rule("DDD-262")
@pytest.mark.parametrize(
    "dice", ["R To To W To To B St Co", "R To To W To To B To Co", "R To To W To To B To To"]
)
def test_juno_11_costs_three_soldiers_for_four_or_more_of_a_kind(dice: str) -> None:
    battle, unit = alone("juno")
    put(battle, unit, "11", soldiers=10)

    act(upkeep(battle, show(unit, dice)))

    assert unit.soldiers == 7


@pytest.mark.rule("DDD-262", "DDD-014", "DDD-058")
def test_juno_11_takes_its_soldiers_when_all_have_collected() -> None:
    battle, (one, two) = together("juno")
    put(battle, one, "11", soldiers=1)
    put(battle, two, "2", soldiers=1)
    tools = [["tool"] * 4 + ["star", "courage"], ["r1", "r2"], []]
    reinforcements = ["soldier1", "star", "soldier1", "tool", "soldier1", "courage"]

    begin(turn(battle), *tools, reinforcements, ["r1", "w1"], [])

    assert (one.soldiers, one.status) == (1 + 4 - 3, "fighting")


@pytest.mark.rule("DDD-262")
def test_juno_11_costs_nothing_for_three_of_a_kind() -> None:
    battle, unit = alone("juno")
    put(battle, unit, "11", soldiers=10)

    act(upkeep(battle, show(unit, "R To To W To St B Co Co")))

    assert unit.soldiers == 10


@pytest.mark.rule("DDD-263", "DDD-264")
def test_junos_flame_thrower_is_in_sector_13_only() -> None:
    battle, (one, two) = together("juno")
    assert "Flame-Thrower" not in battle.state.pool_items
    assert gifts(battle) == {"13": "Flame-Thrower"}
    for unit in (one, two):
        put(battle, unit, "13", soldiers=20)
        unit.turn.entered = unit.sector
        act(hand_out(battle))
        unit.turn.entered = ""

    assert (one.items, two.items) == (["Flame-Thrower"], [])


# --- N-06 Sword Beach


@pytest.mark.rule("DDD-265", "DDD-R20")
def test_sword_4_adds_a_skull_that_is_no_die() -> None:
    battle, unit = alone("sword")
    put(battle, unit, "4", soldiers=1)
    show(unit, "R 1S 1S W St St B To To")

    tally = act(final_tally(battle, unit)).result

    assert tally[-1] == Result(Face.SKULL, Colour.NONE, -1)
    assert len(unit.dice) == 6
    assert begin(upkeep(battle, unit)).keys == ["tally.cancel"]


@pytest.mark.rule("DDD-266")
def test_the_first_unit_on_sword_5_recruits_the_lieutenant_free() -> None:
    battle, (one, two) = together("sword")
    for unit in (one, two):
        put(battle, unit, "5", soldiers=20)
        unit.turn.entered = unit.sector
        act(hand_out(battle))
        unit.turn.entered = ""

    assert (one.specialists, two.specialists) == (["Lieutenant"], [])
    assert one.stars == 0


@pytest.mark.rule("DDD-174", "DDD-266")
def test_of_two_that_come_to_sword_5_together_the_weaker_gets_the_lieutenant() -> None:
    battle, (one, two) = together("sword")
    put(battle, one, "2", soldiers=20, courage=1)
    put(battle, two, "2", soldiers=19, courage=1)

    act(move_units(battle), "move:5", "move:5")

    assert (one.specialists, two.specialists) == ([], ["Lieutenant"])
    for question in begin(combat(battle), ["3"]).asks:
        assert "B: Lieutenant joins" in question.detail.splitlines(), question.key


@pytest.mark.rule("DDD-267")
def test_swords_lieutenant_is_not_in_the_pool_nor_in_another_sector() -> None:
    sectors = alone("sword")[0].field.sectors
    assert [name for name, sector in sectors.items() if sector.joins == "Lieutenant"] == ["5"]
    assert "Lieutenant" not in alone("sword")[0].state.pool_specialists
    assert "Lieutenant" not in alone("sword", bazooka_joe="all")[0].state.pool_specialists


def discovered(sector: str, roll: int, **fields: object) -> tuple[Battle, Unit]:
    """A Unit in a random Sector of Sword whose table has been rolled."""
    battle, unit = alone("sword")
    battle.state.random_rolls[sector] = roll
    put(battle, unit, sector, **({"soldiers": 20} | fields))
    return battle, unit


@pytest.mark.rule("DDD-268", "DDD-269", "DDD-271")
@pytest.mark.parametrize(
    ("start", "sector", "shown", "means"),
    [
        ("3", "6", "Foxholes", "-1 Star"),
        ("4", "7", "Snipers", "+1 Skull"),
        ("8", "11", "Ambush", "each Star costs a Soldier"),
    ],
)
def test_the_first_unit_rolls_for_a_random_sector_and_it_stays_so(
    start: str, sector: str, shown: str, means: str
) -> None:
    battle, (one, two) = together("sword")
    put(battle, one, start, soldiers=20, courage=9)
    put(battle, two, start, soldiers=20, courage=9)

    stage = act(move_units(battle), f"move:{sector}", ["3"], f"move:{sector}")

    assert stage.keys.count("random") == 1
    assert battle.state.random_rolls == {sector: 3}
    (told,) = [ask for ask in stage.asks if ask.key == "dday_dice.random.shows"]
    assert told.text == f"Sector {sector}: {shown}. Leave the die there"
    assert told.detail == f"{shown}; {means}"

    battle.state.turn += 1
    begin(turn(battle))
    assert battle.place(sector) == battle.field.lines[sector][2]


@pytest.mark.rule("DDD-270", "DDD-R58")
def test_binoculars_turn_the_die_of_a_random_sector() -> None:
    battle, unit = alone("sword")
    put(battle, unit, "3", soldiers=20, courage=9, items=["Binoculars"])

    act(move_units(battle), "move:6", ["1"], "0:4")

    assert battle.place("6").bonus == (Face.COURAGE,)


@pytest.mark.rule("DDD-272", "DDD-R65")
def test_mortar_fire_costs_a_die_more_each_combat() -> None:
    battle, unit = discovered("6", 1)
    lines = list(battle.field.lines["6"])
    lines[0] = msgspec.structs.replace(lines[0], defence=(5,))
    battle.field.lines["6"] = tuple(lines)

    act(combat(battle), ["4"])

    assert unit.soldiers == 20 - 9


@pytest.mark.rule("DDD-272", "DDD-R65")
def test_mortar_fire_is_rolled_for_each_unit_there() -> None:
    battle, units = together("sword", players=3)
    battle.state.random_rolls["6"] = 1
    defence = battle.place("6").defence[0]
    for unit in units:
        put(battle, unit, "6", soldiers=20)

    stage = act(combat(battle), ["1"], ["4"], ["6"], "done", "done", "done")

    assert [(ask.key, ask.rule) for ask in stage.asks[:3]] == [("dday_dice.combat.extra", ("DDD-272",))] * 3
    assert [20 - defence - unit.soldiers for unit in units] == [1, 4, 6]


@pytest.mark.rule("DDD-272", "DDD-R65")
def test_a_flak_vest_stops_the_guns_and_no_mortar_fire() -> None:
    battle, unit = discovered("6", 1, items=["Flak Vest"])
    lines = list(battle.field.lines["6"])
    lines[0] = msgspec.structs.replace(lines[0], defence=(5,), guns=1)
    battle.field.lines["6"] = tuple(lines)

    act(combat(battle), "use:Flak Vest", ["6"], ["4"])

    assert unit.soldiers == 20 - 5 - 4


@pytest.mark.rule("DDD-273")
def test_in_the_minefield_no_skull_is_rerolled() -> None:
    battle, unit = discovered("6", 2)

    stage = begin(
        roll_the_dice(battle, unit), ["skull", "skull", "star", "tool", "tool", "tool"], ["w1", "b1"]
    )

    assert stage.ids("roll.again.2") == ["w2", "b2"]


def tallied(sector: str, roll: int, dice: str, *answers: object) -> tuple[int, int, int, int]:
    battle, unit = discovered(sector, roll)
    act(upkeep(battle, show(unit, dice)), *answers)
    return figures(unit)


@pytest.mark.rule("DDD-274")
def test_foxholes_take_a_star() -> None:
    assert tallied("6", 3, "R St 1S W 1S 2S B To Co")[1] == 0
    assert tallied("6", 3, "R St 1S W 1S St B St Co", "0")[1] == 2


@pytest.mark.rule("DDD-275")
def test_the_shelter_gives_a_courage() -> None:
    assert tallied("6", 4, "R St 1S W 1S 2S B To Co")[2] == 2


@pytest.mark.rule("DDD-276", "DDD-282")
@pytest.mark.parametrize(("sector", "name", "price"), [("6", "Half-Track", 15), ("7", "Bulldozer", 20)])
def test_a_vehicle_may_be_found_for_its_cost(sector: str, name: str, price: int) -> None:
    battle, unit = discovered(sector, 5, points=price)

    act(recruit_and_find(battle, unit), f"vehicle:{name}")

    assert (unit.vehicle, unit.points) == (name, 0)


@pytest.mark.rule("DDD-277")
def test_fields_of_glory_give_the_first_unit_one_random_award() -> None:
    battle, (one, two) = together("sword")
    battle.state.random_rolls["6"] = 6
    for unit in (one, two):
        put(battle, unit, "6", soldiers=20)
        unit.turn.entered = unit.sector
    one.soldiers = 5

    stage = act(hand_out(battle), ["Stand-in Star"])

    assert stage.keys == ["award.draw"]
    assert (one.awards, two.awards) == (["Stand-in Star"], [])

    one.turn.entered = ""
    assert act(hand_out(battle)).keys == [], "the other Unit comes a turn later"


@pytest.mark.rule("DDD-278", "DDD-287", "DDD-R81")
@pytest.mark.parametrize(("sector", "roll"), [("7", 1), ("11", 4)])
def test_under_an_artillery_barrage_nobody_stays(sector: str, roll: int) -> None:
    battle, unit = discovered(sector, roll)

    turn_marker(battle, unit)

    assert battle.must_move(unit)


@pytest.mark.rule("DDD-279")
def test_dead_troopers_take_a_courage_of_the_tally() -> None:
    assert tallied("7", 2, "R St 1S W 1S 2S B To Co")[2] == 0
    assert tallied("7", 2, "R St 1S W 1S Co B Co Co", "3")[2] == 2


@pytest.mark.rule("DDD-280", "DDD-R20")
def test_snipers_add_a_skull_of_any_colour() -> None:
    battle, unit = discovered("7", 3)

    act(upkeep(battle, show(unit, "R Sk 1S W Sk 2S B To Co")), "blue")

    assert unit.turn.scored == [Rwb.GIFT]
    assert unit.points == 21


@pytest.mark.rule("DDD-281")
def test_the_trench_gives_a_star() -> None:
    assert tallied("7", 4, "R St 1S W 1S 2S B To Co")[1] == 2


@pytest.mark.rule("DDD-283")
def test_on_high_ground_nothing_is_locked() -> None:
    battle, unit = discovered("7", 6)

    stage = begin(roll_the_dice(battle, unit), ["star"] * 6)

    assert stage.keys == ["roll.1", "roll.again.2"]


@pytest.mark.rule("DDD-284")
@pytest.mark.parametrize(("specialists", "extra"), [([], 3), (["Minesweeper"], 0)])
def test_booby_traps_hurt_who_has_no_minesweeper(specialists: list[str], extra: int) -> None:
    battle, unit = discovered("11", 1, specialists=specialists)
    loss = battle.defence(unit, "11", 0)

    act(combat(battle), *([["3"]] if extra else ["soldiers"]))

    assert unit.soldiers == 20 - loss - extra


@pytest.mark.rule("DDD-272", "DDD-284", "DDD-091")
@pytest.mark.parametrize(("sector", "left"), [("6", 15 - 4 - 6), ("11", 15 - 6 - 6)])
def test_the_die_for_more_losses_lies_before_the_last_cards_and_trades(sector: str, left: int) -> None:
    battle, unit = discovered(sector, 1, soldiers=10, items=["Field Radio"])

    act(combat(battle), "done", ["6"], "use:Field Radio")

    assert unit.soldiers == left


@pytest.mark.rule("DDD-284")
def test_a_minesweeper_recruited_at_the_last_moment_helps_against_booby_traps() -> None:
    battle, unit = discovered("11", 1, items=["Shoulder Patch"])

    act(combat(battle), "done", ["6"], "use:Shoulder Patch", "Minesweeper", "soldiers")

    assert unit.soldiers == 20 - 1 - 6


@pytest.mark.rule("DDD-285")
def test_in_a_crossfire_no_battle_cry_is_scored() -> None:
    battle, unit = discovered("11", 2)

    act(upkeep(battle, show(unit, "R Co 1S W Co 2S B Co To")))

    assert unit.turn.scored == []
    assert unit.courage == 3


@pytest.mark.rule("DDD-286")
def test_an_ambush_costs_a_soldier_for_every_star() -> None:
    battle, unit = discovered("11", 3)

    act(upkeep(battle, show(unit, "R St Co W St To B Co To")))

    assert unit.stars == 2
    assert unit.soldiers == 18


@pytest.mark.rule("DDD-288")
def test_the_armored_car_is_free() -> None:
    battle, unit = discovered("11", 5, stars=2, points=4)

    act(recruit_and_find(battle, unit), "vehicle:Armored Car", "find:Walkie-Talkie", "done")

    assert unit.vehicle == "Armored Car"
    assert unit.items == ["Walkie-Talkie"], "what costs nothing leaves the find of the turn"


@pytest.mark.rule("DDD-289")
def test_at_a_rallying_point_each_bonus_brings_a_soldier() -> None:
    battle, unit = discovered("11", 6)

    act(upkeep(battle, show(unit, "R Co 2S W Co 2S B Co 2S")), "soldiers")

    assert unit.soldiers == 20 + 6 + 6 + 3 + 2


@pytest.mark.rule("DDD-290", "DDD-291")
def test_sword_15_gives_one_random_award_to_whoever_comes_first() -> None:
    battle, (one, two) = together("sword")
    put(battle, two, "15")
    two.turn.entered = two.sector
    act(hand_out(battle), ["Stand-in Palm"])
    two.turn.entered = ""
    put(battle, one, "15")
    one.turn.entered = one.sector

    assert act(hand_out(battle)).keys == []
    assert two.awards == ["Stand-in Palm"]


# --- N-07 Pointe-du-Hoc


@pytest.mark.rule("DDD-292")
def test_pointe_du_hoc_2_starts_with_a_soldier_and_three_courage() -> None:
    _, unit = alone("pointe_du_hoc", "2")

    assert figures(unit) == (1, 0, 3, 0)


@pytest.mark.rule("DDD-293")
def test_pointe_du_hoc_4_finds_no_items() -> None:
    battle, unit = alone("pointe_du_hoc", "1")
    put(battle, unit, "4", soldiers=9, points=48, items=["Field Radio"])

    assert begin(recruit_and_find(battle, unit)).ids("recruit") == ["done", "use:Field Radio"]


def climbing(skulls: int, sector: str = "9", **fields: object) -> tuple[Battle, Unit]:
    battle, unit = alone("pointe_du_hoc", "1")
    put(battle, unit, sector, **({"soldiers": 20, "courage": 9} | fields))
    unit.turn.skulls, unit.turn.climbed = skulls, True
    return battle, unit


@pytest.mark.rule("DDD-294", "DDD-295", "DDD-R25", "DDD-R82", "DDD-R83")
@pytest.mark.parametrize("sector", ["9", "10"])
def test_only_four_skulls_advance_out_of_a_climbing_sector(sector: str) -> None:
    ahead = {"9": "11", "10": "12"}[sector]
    three = climbing(3, sector, specialists=["Medic"])
    four = climbing(4, sector, specialists=["Medic"])

    assert ahead not in ways(*three)
    three[1].turn.battle_cry = True
    assert ahead not in ways(*three)
    assert ahead in ways(*four)
    assert "7" not in ways(*four), "who has climbed does not retreat"
    act(move_units(four[0]), f"move:{ahead}")
    assert four[1].courage < 9


@pytest.mark.rule("DDD-295")
def test_a_grappling_hooks_skull_counts_for_the_climb() -> None:
    battle, unit = climbing(0, items=["Grappling Hook"])
    show(unit, "R Sk Sk W Sk St B To Co")

    act(apply(battle, unit, battle.pack.item["Grappling Hook"].effects[0], Window.TALLY), "red")
    act(upkeep(battle, unit))

    assert unit.turn.skulls == 4


@pytest.mark.rule("DDD-046", "DDD-295", "DDD-R21", "DDD-R22")
def test_leaderships_white_skull_counts_for_the_climb() -> None:
    battle, unit = climbing(0)

    act(upkeep(battle, show(unit, "R Sk St W Sk St B Sk St")), "skull", "1")

    assert "11" in ways(battle, unit)
    assert (unit.stars, unit.points) == (2, 20), "the fourth Skull cancels, those of the Gift do not"


@pytest.mark.rule("DDD-296", "DDD-R25")
@pytest.mark.parametrize("sector", ["9", "10"])
def test_no_battle_cry_in_a_climbing_sector_nor_a_climb_by_an_items(sector: str) -> None:
    battle, unit = climbing(0, sector, specialists=["Medic"])

    act(upkeep(battle, show(unit, "R Co 1S W Co 2S B Co To")))

    assert unit.turn.scored == []
    unit.turn.battle_cry = True
    assert not {"11", "12"} & ways(battle, unit)


@pytest.mark.rule("DDD-297")
def test_no_dice_are_locked_while_climbing() -> None:
    battle, unit = climbing(0)

    stage = begin(roll_the_dice(battle, unit), ["star"] * 6, ["r1", "r2", "w1", "w2", "b1", "b2"])

    assert stage.keys == ["roll.1", "roll.again.2", "roll.2"]


@pytest.mark.rule("DDD-298")
@pytest.mark.parametrize("sector", ["9", "10"])
def test_a_unit_has_three_turns_to_climb(sector: str) -> None:
    battle, unit = climbing(0, sector)
    stays = []
    for _ in range(3):
        turn_marker(battle, unit)
        stays.append("stay" in [option.id for option in choices(battle, unit, later=False)])

    assert stays == [True, True, False]


@pytest.mark.rule("DDD-299", "DDD-R83")
def test_after_a_failed_climb_a_unit_may_retreat_to_7_for_nothing_if_it_was_never_there() -> None:
    battle, unit = climbing(3, courage=0)
    act(move_units(battle), "move:7")
    assert (unit.sector, unit.courage) == ("7", 0)

    battle, unit = climbing(4)
    assert "7" not in ways(battle, unit)

    battle, unit = climbing(3)
    unit.visited.append("7")
    unit.stay = 4
    assert [option.id for option in choices(battle, unit, later=False)] == ["lost"]


@pytest.mark.rule("DDD-295", "DDD-R82", "DDD-R83")
def test_a_climb_that_succeeds_without_the_courage_for_the_way_is_no_failed_one() -> None:
    battle, unit = climbing(4, courage=0, specialists=["Medic"])
    assert ways(battle, unit) == set(), "neither on, which costs Courage, nor back"
    unit.stay = 4
    (lost,) = choices(battle, unit, later=False)
    assert (lost.id, "Sector 11 costs " in lost.detail) == ("lost", True)


@pytest.mark.rule("DDD-312")
@pytest.mark.parametrize(("players", "item"), [("1", "Signalling Lamp"), ("2", "Dexedrine")])
def test_the_print_of_merville_9_names_what_is_found_there(players: str, item: str) -> None:
    battle = beach("merville", *["1"] * int(players), players=players)

    assert battle.printed("9") == f"only with Wirecutters; {item} free, first Unit"


@pytest.mark.rule("DDD-129", "DDD-132", "DDD-299")
@pytest.mark.parametrize("asks", [{"requires": ("Hero",)}, {"sacrifice": ("any",)}])
def test_a_retreat_too_needs_whom_the_sector_asks_for(asks: dict[str, tuple[str, ...]]) -> None:
    battle, unit = climbing(3)
    with_sector(battle, "7", **asks)
    assert "7" not in ways(battle, unit)

    unit.specialists = ["Hero"]
    assert "7" in ways(battle, unit)


def printed_between(battle: Battle, name: str, to: str, **print_: bool) -> None:
    """Mines or a Barrier on the way from one Sector up to another."""
    ways = [
        msgspec.structs.replace(way, **print_) if way.to == to else way for way in battle.field.ways[name]
    ]
    battle.field = msgspec.structs.replace(battle.field, ways=battle.field.ways | {name: tuple(ways)})


@pytest.mark.rule("DDD-155", "DDD-299", "DDD-R36")
@pytest.mark.parametrize(("to", "left"), [("9", 16), ("10", 20)])
def test_a_retreat_goes_over_the_landmines_that_lie_on_that_way(to: str, left: int) -> None:
    battle, unit = climbing(3)
    printed_between(battle, "7", to, mines=True)

    act(move_units(battle), "move:7", *([["4"]] if to == "9" else []))

    assert (unit.sector, unit.soldiers) == ("7", left)


@pytest.mark.rule("DDD-160", "DDD-161", "DDD-299", "DDD-R36")
def test_a_retreat_through_a_barrier_takes_wirecutters() -> None:
    battle, unit = climbing(3)
    printed_between(battle, "7", "9", barrier=True)
    assert "7" not in ways(battle, unit)

    unit.turn.cutters_from = "9"
    assert "7" in ways(battle, unit)


@pytest.mark.rule("DDD-300", "DDD-301")
def test_skulls_of_a_climb_cancel_and_score_as_always() -> None:
    battle, unit = climbing(0)

    act(upkeep(battle, show(unit, "R Sk Sk W Sk St B Sk St")), "3")

    assert unit.turn.skulls == 4
    assert unit.turn.scored == [Rwb.GIFT]
    assert (unit.points, unit.stars) == (20, 1)


@pytest.mark.rule("DDD-302")
def test_no_vehicle_enters_a_climbing_sector() -> None:
    battle, unit = alone("pointe_du_hoc", "1")
    put(battle, unit, "8", soldiers=20, courage=9, vehicle="Jeep")

    act(move_units(battle), "move:9", "yes")

    assert (unit.sector, unit.vehicle) == ("9", "")


@pytest.mark.rule("DDD-302")
def test_a_climbing_sector_has_room_for_no_vehicle_however_it_comes() -> None:
    battle, (one, two) = together("pointe_du_hoc", "1", "1")
    put(battle, one, "9", soldiers=20)
    put(battle, two, "9", soldiers=20, vehicle="Jeep")

    assert not battle.vehicle_fits(one.sector)
    assert "vehicle" not in begin(give(battle, two)).ids("trade.what")


# --- N-08 Merville Battery


@pytest.mark.rule("DDD-303")
def test_merville_2_starts_with_a_soldier_and_two_stars() -> None:
    _, unit = alone("merville", "2")

    assert figures(unit) == (1, 2, 0, 0)


@pytest.mark.rule("DDD-304")
@pytest.mark.parametrize("sector", ["4", "12"])
def test_mervilles_sectors_4_and_12_are_plain_while_the_general_is_in_play(sector: str) -> None:
    battle, unit = alone("merville", "1")
    assert battle.place(sector).penalty

    put(battle, unit, "3", specialists=["General"])

    assert not battle.place(sector).penalty


@pytest.mark.rule("DDD-305", "DDD-R25", "DDD-R84")
@pytest.mark.parametrize(("start", "to"), [("4", "6"), ("7", "9")])
def test_mervilles_sectors_6_and_9_open_to_wirecutters_only(start: str, to: str) -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, start, soldiers=20, courage=9, vehicle="Bulldozer")
    unit.turn.battle_cry = True
    assert to not in ways(battle, unit)

    unit.turn.cutters_from = start

    assert to in ways(battle, unit)


@pytest.mark.rule("DDD-306", "DDD-307")
@pytest.mark.parametrize(("sector", "item"), [("6", "Medal Case"), ("9", "Dexedrine")])
def test_mervilles_medal_case_and_dexedrine_are_for_the_first_in_their_sectors(
    sector: str, item: str
) -> None:
    battle, (one, two) = together("merville", "1", "1")
    assert item not in battle.state.pool_items
    assert [name for name, gift in gifts(battle).items() if gift == item] == [sector]
    for unit in (one, two):
        put(battle, unit, sector, soldiers=20)
        unit.turn.entered = unit.sector
        act(hand_out(battle))
        unit.turn.entered = ""

    assert (one.items, two.items) == ([item], [])


@pytest.mark.rule("DDD-308")
@pytest.mark.parametrize("item", ["Bangalore Torpedo", "Gammon Bomb", "Bazooka"])
def test_merville_11_is_lowered_by_no_item_and_no_tank(item: str) -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "11", soldiers=20, vehicle="Tank")
    before = battle.field.sectors["11"].defence[0]

    act(
        apply(battle, unit, battle.pack.item[item].effects[0], Window.COMBAT),
        *([["6"]] if "Gammon" in item else []),
    )

    assert battle.defence(unit, "11", 0) == before


@pytest.mark.rule("DDD-308")
@pytest.mark.parametrize("window", [Window.MOVE, Window.LOSSES])
def test_what_would_lower_a_def_is_not_offered_in_merville_11(window: Window) -> None:
    battle, units = together("merville", "1", "1")
    unit = put(battle, units[0], "11", items=["Bangalore Torpedo", "Gammon Bomb", "Bazooka", "Field Radio"])

    assert usable(battle, unit, window) == ["Field Radio"]


@pytest.mark.rule("DDD-309", "DDD-310")
def test_on_merville_13_the_marker_is_never_turned() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "13", soldiers=90)
    calm = ["soldier1", "soldier1", "soldier2", "soldier1", "soldier1", "soldier1"]
    for _ in range(6):
        stage = act(turn(battle), calm, ["r1", "r2"], [], *([] if not moves(battle, unit) else ["stay"]))

    assert battle.marker(unit) == "1 chevron"
    assert not battle.must_move(unit)
    assert "DDD-310" in stage.asks[stage.keys.index("upkeep")].rule


@pytest.mark.rule("DDD-309", "DDD-R71")
def test_a_unit_that_an_exchange_brought_to_merville_13_stays_there_from_its_next_upkeep_on() -> None:
    battle, (one, two) = together("merville", "1", "1", bazooka_joe="all")
    put(battle, one, "10", soldiers=20, specialists=["War Correspondent"])
    put(battle, two, "13", soldiers=20)
    one.stay = 3

    act(move_units(battle), "exchange:War Correspondent", "stay", "stay")
    for dice in ("R To 1S W To 1S B St St",) * 2:
        act(upkeep(battle, show(one, dice)))

    assert (one.sector, battle.must_move(one)) == ("13", False)


@pytest.mark.rule("DDD-311")
def test_mervilles_bunker_wants_a_battle_cry() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "13", soldiers=90, courage=20)
    assert "Bunker" not in ways(battle, unit)
    unit.turn.free_advance = True
    assert "Bunker" not in ways(battle, unit), "nor by a Whistle"

    act(apply(battle, unit, battle.pack.item["Dexedrine"].effects[0], Window.MOVE), "move")

    assert "Bunker" in ways(battle, unit)


@pytest.mark.rule("DDD-312")
def test_merville_alone_has_the_signalling_lamp_for_the_dexedrine() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "9", soldiers=20)
    unit.turn.entered = unit.sector

    act(hand_out(battle))

    assert unit.items == ["Signalling Lamp"]
    assert not {"Signalling Lamp", "Dexedrine"} & set(battle.state.pool_items)


@pytest.mark.parametrize(("players", "item"), [(1, "Signalling Lamp"), (2, "")])
def test_an_item_that_a_board_has_only_for_a_unit_alone_is_laid_aside_and_found(
    players: int, item: str
) -> None:
    battle, units = together("merville", *["1"] * players, players=players)
    with_sector(battle, "9", free_item="", free_item_solo="Signalling Lamp")
    put(battle, units[0], "9", soldiers=20)
    units[0].turn.entered = "9"

    assert ("Signalling Lamp (Sector 9)" in setup_list(battle)) is bool(item)
    assert ("Signalling Lamp free, first Unit" in battle.printed("9")) is bool(item)

    act(hand_out(battle))

    assert units[0].items == [item] * bool(item)


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        ({"free_item_solo": "Whistle"}, "Whistle free where one Unit began alone on the board"),
        (
            {"free_item": "Rifle", "free_item_solo": "Whistle"},
            "Rifle free, first Unit; Whistle free in its place where one Unit began alone on the board",
        ),
    ],
)
def test_a_print_names_what_only_a_unit_alone_finds(printed: dict[str, str], told: str) -> None:
    assert describe(msgspec.structs.replace(Sector(), **printed)) == told


def test_print_of_a_random_line_is_over_that_of_the_sector() -> None:
    battle, unit = alone("red_cliff", "1")
    with_sector(battle, "10", guns=1)
    battle.state.random_rolls["12"] = 5
    put(battle, unit, "12")

    assert battle.place("12").vehicle == "Half-Track"
