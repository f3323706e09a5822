"""Rulings: what holds by default, and what the option for groups that read it otherwise changes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.engine.asks import Choose, Pick, Roll
from companion.games.dday_dice import GAME
from companion.games.dday_dice.arriving import hand_out, price
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.battlefield import Way
from companion.games.dday_dice.cards import Window, apply, usable, use_item
from companion.games.dday_dice.changes import all_changes, changes
from companion.games.dday_dice.combat import combat, leave_play
from companion.games.dday_dice.dice import Colour, Face, Result
from companion.games.dday_dice.effects import ExchangeSectors, Rwb, SwapDice
from companion.games.dday_dice.ending import last_sector, over, victory_points
from companion.games.dday_dice.final_tally import Reading, Settled, due, settle
from companion.games.dday_dice.losses import suffer
from companion.games.dday_dice.moving import choices, move_units, moves
from companion.games.dday_dice.play import turn
from companion.games.dday_dice.records import Damage
from companion.games.dday_dice.recruiting import recruit_and_find
from companion.games.dday_dice.rolling import roll_the_dice
from companion.games.dday_dice.setup import setup_list
from companion.games.dday_dice.state import Status, Turn, Unit
from companion.games.dday_dice.trading import give
from companion.games.dday_dice.upkeep import findable, turn_marker, upkeep
from tests.games.dday_dice.beach import act, alone, begin, put, results, show, together, with_sector


def test_every_option_but_the_books_own_is_tested_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    rulings = [setting.name for setting in GAME.settings if any("-R" in rule for rule in setting.rule)]

    assert len(rulings) == 27
    assert [name for name in rulings if f"{name}=" not in text] == []


@pytest.mark.rule("DDD-R15")
def test_a_cancelled_die_forms_no_rwb() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1)
    act(upkeep(battle, show(unit, "R Sk 2S W 2S To B 2S Co")), "1")
    assert unit.turn.scored == []

    battle, unit = alone(cancel_before_rwb="no")
    put(battle, unit, "4", soldiers=1)
    act(upkeep(battle, show(unit, "R Sk 2S W 2S To B 2S Co")), "1")
    assert unit.turn.scored == [Rwb.FRESH_TROOPS]
    assert unit.soldiers == 1 + 4 + 6


@pytest.mark.rule("DDD-R15", "DDD-246", "DDD-262")
@pytest.mark.parametrize(("option", "counts"), [("yes", False), ("no", True)])
@pytest.mark.parametrize(("beach", "sector", "soldiers"), [("utah", "11", 5), ("juno", "11", -3)])
def test_a_cancelled_die_is_none_of_four_of_a_kind(
    option: str, counts: bool, beach: str, sector: str, soldiers: int
) -> None:
    battle, unit = alone(beach, *(["1"] if beach == "utah" else []), cancel_before_rwb=option)
    put(battle, unit, sector, soldiers=9)

    act(upkeep(battle, show(unit, "R To To W To Co B To Sk")), "0")

    assert unit.soldiers == 9 + (soldiers if counts else 0)


@pytest.mark.rule("DDD-R15")
def test_a_straight_is_judged_before_its_skull_cancels() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1)

    assert "award.choose" in begin(upkeep(battle, show(unit, "R Sk St W 1S 2S B Co To")), "1").keys


@pytest.mark.rule("DDD-R16")
def test_virtual_skulls_cancel_and_virtual_results_are_no_victims() -> None:
    tally = [*results("R 1S 1S W St St B To To"), Result(Face.SKULL), Result(Face.TOOL)]

    stage = act(settle(tally, Reading()), "4")
    assert stage.ids("tally.cancel") == ["0", "2", "4"]
    assert act(settle(tally, Reading(virtual_skulls_cancel=False))).keys == []

    battle, unit = alone("sword", virtual_skulls_cancel="no")
    put(battle, unit, "4", soldiers=1)
    assert act(upkeep(battle, show(unit, "R 1S 1S W St St B To To"))).keys == ["upkeep"]


@pytest.mark.rule("DDD-R17")
@pytest.mark.parametrize(
    ("dice", "virtual", "cancelled"),
    [
        ("R Sk 1S W Sk St B Sk To", Colour.NONE, 0),
        ("R Sk 1S W Sk St B Sk To", Colour.RED, 0),
        ("R Sk 1S W Sk St B Co To", Colour.BLUE, 0),
        ("R Sk Sk W Sk St B Co To", Colour.BLUE, 1),
        ("R Sk Sk W Sk St B Co To", Colour.NONE, 3),
    ],
)
def test_where_virtual_skulls_cancel_nothing_a_gift_takes_the_dice_first(
    dice: str, virtual: Colour, cancelled: int
) -> None:
    tally = Settled([*results(dice), Result(Face.SKULL, virtual)])

    assert due(tally, Reading(virtual_skulls_cancel=False)) == cancelled


@pytest.mark.rule("DDD-R18")
def test_cancelling_is_compulsory() -> None:
    stage = act(settle(results("R Sk 1S W Sk Sk B Sk Sk"), Reading()))

    assert stage.result.cancelled == [1]


@pytest.mark.rule("DDD-R18")
def test_no_fewer_dice_are_cancelled_than_there_are_skulls() -> None:
    question = begin(settle(results("R Sk 1S W Sk To B Co St"), Reading())).open

    assert isinstance(question, Pick)
    assert (question.least, question.most) == (2, 2)


@pytest.mark.rule("DDD-R22")
def test_leaderships_white_result_pays_and_counts_for_the_tool_table() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1)

    act(upkeep(battle, show(unit, "R St 1S W St To B St To")), "tool")

    assert unit.points == 6


@pytest.mark.rule("DDD-R23")
@pytest.mark.parametrize(("option", "gets"), [("no", 0), ("yes", 4)])
def test_whether_a_safe_unit_can_be_the_other_unit(option: str, gets: int) -> None:
    battle, (one, two) = together(safe_receive=option)
    put(battle, one, "4", soldiers=1)
    put(battle, two, "Bunker", soldiers=5, status=Status.SAFE)

    act(upkeep(battle, show(one, "R 1S St W 1S To B 1S Co")))

    assert two.soldiers == 5 + gets


@pytest.mark.rule("DDD-R24")
def test_a_battle_cry_taken_as_a_move_is_lost_if_the_unit_stays() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=9)
    act(upkeep(battle, show(unit, "R Co 1S W Co 2S B Co To")), "move")

    act(move_units(battle), "stay")

    assert unit.soldiers == 9 + 3
    assert unit.courage == 4

    begin(turn(battle))

    assert not unit.turn.battle_cry


def found(first: str = "find:Walkie-Talkie", **settings: str) -> list[str]:
    """What the menu offers after a find, with one Special Find scored."""
    battle, unit = alone(**settings)
    battle.state.pool_items.remove("Grenade")
    battle.state.pool_items.remove("Flame-Thrower")
    battle.state.used_items += ["Grenade", "Flame-Thrower"]
    put(battle, unit, "4", soldiers=3, points=40, stars=2)
    unit.turn.special_finds = 1
    return begin(recruit_and_find(battle, unit), first).ids("recruit")


@pytest.mark.rule("DDD-R14")
@pytest.mark.parametrize(
    "cards",
    [
        ("captain", "w1", "blue", "use:Strategic Map", "r2", "white"),
        ("use:Strategic Map", "r2", "white", "captain", "w1", "blue"),
    ],
)
def test_a_corporal_comes_before_the_cards_which_come_in_any_order_and_the_sector_last(
    cards: tuple[str, ...],
) -> None:
    battle, unit = alone()
    put(battle, unit, "5", soldiers=20, specialists=["Corporal", "Captain"], items=["Strategic Map"])
    dice = ["soldier2", "tool", "tool", "soldier1", "skull", "soldier1"]

    stage = begin(turn(battle), dice, ["r1", "w2"], [], "b1", ["tool"], *cards)

    rolls = ["roll.1", "roll.lock", "roll.again.2", "roll.single", "roll.one"]
    card = ["tally.change", "card.die", "card.colour"]
    assert stage.keys == [*rolls, *card, *card, "upkeep", "recruit"]
    assert unit.points == 12, "three dice, and the Sector's fourth Tool"


@pytest.mark.rule("DDD-R14")
def test_a_swap_may_come_before_an_item_or_after_it() -> None:
    for first, then in (
        (("swap", "r1", "w1"), "use:Strategic Map"),
        (("use:Strategic Map", "A", "r2", "white"), "swap"),
    ):
        battle, (one, two) = together()
        put(battle, one, "4", soldiers=9, specialists=["Lieutenant"], items=["Strategic Map"])
        show(one, "R Sk St W Sk Co B To 1S")
        show(two, "R Sk St W Sk Co B To 1S")

        assert then in begin(changes(battle, one), *first).ids("tally.change")


@pytest.mark.rule("DDD-R14")
def test_an_ammo_box_leaves_the_skull_that_the_sector_adds_later() -> None:
    battle, unit = alone("sword")
    put(battle, unit, "4", soldiers=1, items=["Ammo Box"])
    act(changes(battle, show(unit, "R Sk St W Sk Co B To 1S")), "use:Ammo Box", "star")

    act(upkeep(battle, unit), "4")

    assert unit.turn.skulls == 1
    assert (unit.stars, unit.points) == (3, 0)


@pytest.mark.rule("DDD-R14")
def test_leaderships_white_result_counts_for_a_straight_and_for_four_of_a_kind() -> None:
    battle, unit = alone()
    put(battle, unit, "5", soldiers=1)
    act(upkeep(battle, show(unit, "R St Sk W St 1S B St 2S")), "3", "courage", "Stand-in Star")
    assert unit.awards == ["Stand-in Star"]

    battle, unit = alone("utah", "1")
    put(battle, unit, "11", soldiers=0)
    act(upkeep(battle, show(unit, "R St To W St To B St Co")), "star")
    assert (unit.soldiers, unit.stars) == (5, 4)


@pytest.mark.rule("DDD-R28")
def test_special_find_is_the_one_item_of_the_turn() -> None:
    assert "again:Grenade" not in found()
    assert "again:Grenade" in found(special_find_extra="yes")
    offered = found("again:Grenade")
    assert not any(one.startswith(("again", "find")) for one in offered)
    offered = found("again:Grenade", special_find_extra="yes")
    assert "find:Walkie-Talkie" in offered
    assert "again:Flame-Thrower" not in offered


@pytest.mark.rule("DDD-R29")
def test_special_find_takes_what_a_map_keeps_for_one_sector_once_it_was_used() -> None:
    for option, names in (("yes", ["Bazooka", "Flame-Thrower"]), ("no", ["Bazooka"])):
        battle, unit = alone("utah", "1", special_find_reserved=option)
        put(battle, unit, "Bunker", items=["Bazooka", "Flame-Thrower"])
        for name in ("Bazooka", "Flame-Thrower"):
            act(use_item(battle, unit, name, Window.COMBAT))

        assert findable(battle) == names


@pytest.mark.rule("DDD-R30")
def test_a_group_may_leave_the_marker_alone_in_turn_1() -> None:
    battle, unit = alone(start_marker_skip_first_upkeep="yes")

    turn_marker(battle, unit)
    assert battle.marker(unit) == "1 chevron"
    battle.state.turn = 2
    turn_marker(battle, unit)
    assert battle.marker(unit) == "2 chevrons"


@pytest.mark.rule("DDD-R31")
@pytest.mark.parametrize(("option", "loss"), [("def_by=combats", 3), ("def_by=chevrons", 4)])
def test_the_first_combat_in_a_start_sector_uses_the_first_def(option: str, loss: int) -> None:
    battle, unit = alone("omaha", def_by=option.partition("=")[2])
    put(battle, unit, "3", soldiers=20)
    unit.stay = 2

    act(combat(battle))

    assert unit.soldiers == 20 - loss


@pytest.mark.rule("DDD-R37")
def test_mines_spare_the_specialist_whom_the_sector_asks_for() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=1, courage=9, specialists=["Scout"])
    act(move_units(battle), "move:10", ["1"], ["3"])
    assert unit.sector == "10"
    assert unit.soldiers == 3


@pytest.mark.rule("DDD-R37", "DDD-R39")
def test_who_is_spared_falls_where_the_unit_would_be_lost_with_the_others() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "4", soldiers=0, specialists=["Paratrooper", "Scout"])

    act(suffer(battle, unit, 2, "mines", rule=(), spare=lambda: ["Paratrooper"]))

    assert (unit.specialists, unit.status) == (["Scout"], Status.FIGHTING)


@pytest.mark.rule("DDD-R37")
def test_who_is_spared_is_not_even_offered_where_another_specialist_can_fall() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=0, specialists=["Scout", "Veteran"])

    stage = act(suffer(battle, unit, 1, "mines", rule=(), spare=lambda: ["Scout"]))

    assert (stage.keys, unit.specialists) == ([], ["Scout"])


@pytest.mark.rule("DDD-R37")
def test_if_he_falls_all_the_same_the_move_fails() -> None:
    battle, unit = alone(guard_required="no")
    put(battle, unit, "8", soldiers=9, courage=9, specialists=["Scout"])

    stage = act(move_units(battle), "move:10", ["1"], "Scout")

    assert "move.turned_back" in stage.keys
    assert unit.sector == "8"
    assert unit.status == Status.FIGHTING


@pytest.mark.rule("DDD-R37", "DDD-172")
@pytest.mark.parametrize("fresh", ["no", "yes"])
def test_a_failed_move_that_was_forced_loses_the_unit(fresh: str) -> None:
    battle, unit = alone(guard_required="no", exchange_resets=fresh)
    put(battle, unit, "8", soldiers=9, courage=9, specialists=["Scout"])
    unit.stay = 4

    act(move_units(battle), "move:10", ["1"], "Scout")

    assert unit.status == Status.LOST


@pytest.mark.rule("DDD-R70")
def test_a_point_man_still_saves_a_unit_whose_forced_move_failed() -> None:
    battle, unit = alone(guard_required="no")
    with_sector(battle, "10", requires=("Scout",), sacrifice=())
    put(battle, unit, "8", soldiers=9, courage=9, specialists=["Scout", "Point Man"])
    unit.stay = 4

    stage = act(move_units(battle), "move:10", ["1"], "Scout", "linger:Point Man")

    assert stage.ids("move") == ["linger:Point Man", "lost"]
    assert (unit.status, unit.sector) == (Status.FIGHTING, "8")
    assert unit.dead == ["Scout", "Point Man"]
    assert not battle.must_move(unit)


@pytest.mark.rule("DDD-R70", "DDD-R71")
def test_an_exchange_that_is_a_fresh_stay_does_so_too() -> None:
    battle, (unit, other) = together(guard_required="no", exchange_resets="yes")
    with_sector(battle, "10", requires=("Scout",), sacrifice=())
    put(battle, unit, "8", soldiers=9, courage=9, specialists=["Scout", "War Correspondent"])
    put(battle, other, "2", soldiers=9)
    unit.stay = 4

    act(move_units(battle), "move:10", ["1"], "Scout", "exchange:War Correspondent", "stay", "stay")

    assert (unit.status, unit.sector, unit.stay) == (Status.FIGHTING, "2", 1)


@pytest.mark.rule("DDD-R39", "DDD-165")
@pytest.mark.parametrize("loss", [3, 7])
def test_anybody_may_fall_as_long_as_one_can_be_left_beside_a_paratrooper(loss: int) -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "4", soldiers=0, specialists=["Scout", "Veteran", "Paratrooper"])

    stage = act(suffer(battle, unit, loss, "combat", rule=()), "Scout")

    assert stage.ids("losses.combat") == ["Scout", "Veteran", "Paratrooper"]
    assert (unit.specialists, unit.status) == (["Veteran"], Status.FIGHTING)


@pytest.mark.rule("DDD-R39")
@pytest.mark.parametrize(("option", "vp", "laid"), [("1", 3, 1), ("6", 6, 6)])
def test_how_a_paratrooper_counts_at_the_end(option: str, vp: int, laid: int) -> None:
    battle, unit = alone("merville", "1", paratrooper_counts=option)
    put(battle, unit, "Bunker", specialists=["Paratrooper"])
    without = victory_points(battle, put(battle, unit, "Bunker", specialists=[]))

    put(battle, unit, "Bunker", specialists=["Paratrooper"])

    assert victory_points(battle, unit) == without + vp
    leave_play(battle, unit)
    assert battle.state.laid == {"Bunker": laid}


@pytest.mark.rule("DDD-R40")
def test_medic_and_ambulance_together_save_two() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=20, specialists=["Medic"], vehicle="Ambulance")

    act(combat(battle), "soldiers")

    assert unit.soldiers == 16


@pytest.mark.rule("DDD-R41")
def test_the_hero_pays_at_the_mines_too() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "7", soldiers=9, courage=5, stars=1, specialists=["Hero"])

    act(move_units(battle), "move:8", ["4"], 2, 1, "soldiers")

    assert (unit.soldiers, unit.courage, unit.stars) == (8, 0, 0)


@pytest.mark.rule("DDD-R41")
def test_the_hero_pays_in_combat_but_neither_a_sacrifice_nor_special_damage() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "5", soldiers=30, courage=5, specialists=["Hero"])
    act(combat(battle), ["6"])
    assert (unit.courage, unit.specialists) == (5, [])

    battle, unit = alone("omaha")
    put(battle, unit, "7", soldiers=30, courage=9, specialists=["Hero", "Medic"])
    act(move_units(battle), "move:9")
    assert (unit.courage, unit.specialists) == (9 - 3, ["Hero"])
    act(combat(battle), 6, "soldiers")
    assert (unit.soldiers, unit.courage) == (30 - 3, 0)


@pytest.mark.rule("DDD-R42")
def test_a_decoy_needs_the_named_specialist_at_his_side() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "7", soldiers=20, courage=9, specialists=["Decoy"])

    assert "9" not in [way.to for way in moves(battle, unit)]


@pytest.mark.rule("DDD-R43")
def test_an_ambulance_lifts_the_sacrifice() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=20, courage=9, vehicle="Ambulance")

    assert act(move_units(battle), "move:7").keys == ["move"]


@pytest.mark.rule("DDD-R43", "DDD-R54", "DDD-095")
def test_an_ambulance_counts_where_it_stands_on_arrival() -> None:
    battle, (one, two) = together()
    put(battle, one, "9", soldiers=20, courage=9)
    put(battle, two, "9", soldiers=20, vehicle="Ambulance")
    assert "10" not in [way.to for way in moves(battle, one)], "the one left behind is no help"

    put(battle, two, "10")

    assert act(move_units(battle), "move:10", ["3"], "stay").open is None
    assert (one.sector, one.dead) == ("10", [])


@pytest.mark.rule("DDD-082", "DDD-R37", "DDD-R43")
@pytest.mark.parametrize(
    ("vehicle", "at_the_mines", "soldiers"), [("Ambulance", ["Scout"], 9 - 2), ("", [], 9 - 3)]
)
def test_mines_spare_nobody_for_a_sacrifice_that_an_ambulance_lifts(
    vehicle: str, at_the_mines: list[str], soldiers: int
) -> None:
    battle, (one, two) = together()
    put(battle, one, "8", soldiers=9, courage=9, specialists=["Scout"])
    put(battle, two, "10", soldiers=20, vehicle=vehicle)

    begin(move_units(battle), "move:10", ["3"], *at_the_mines)

    assert (one.soldiers, one.dead) == (soldiers, ["Scout"])


@pytest.mark.rule("DDD-R43")
def test_who_comes_with_an_ambulance_gives_up_nobody() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=20, courage=9, specialists=["Scout"], vehicle="Ambulance")

    act(move_units(battle), "move:7")

    assert (unit.sector, unit.specialists, unit.vehicle) == ("7", ["Scout"], "Ambulance")


@pytest.mark.rule("DDD-R43", "DDD-097")
def test_an_ambulance_that_has_to_be_left_lifts_no_sacrifice() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=20, courage=9, vehicle="Ambulance")
    assert [way.to for way in moves(battle, unit) if way.mines] == []

    unit.specialists = ["Scout"]

    assert [way.to for way in moves(battle, unit) if way.mines] == ["10"]


@pytest.mark.rule("DDD-R44")
def test_the_grenadiers_silence_outlasts_him_for_everybody() -> None:
    battle, (one, two) = together("merville", "1", "1")
    put(battle, one, "8", soldiers=30, specialists=["Grenadier"])
    act(combat(battle), "silence:Grenadier")
    put(battle, one, "10")
    put(battle, two, "8", soldiers=30)

    assert battle.guns("8") == 0

    begin(turn(battle))

    assert battle.guns("8") == 0


@pytest.mark.rule("DDD-R45")
@pytest.mark.parametrize(("option", "work"), [("no", False), ("yes", True)])
def test_whether_specialists_who_serve_all_units_still_work_when_they_are_safe(
    option: str, work: bool
) -> None:
    battle, (one, two) = together("utah", "1", "1", safe_abilities=option)
    serving = ["General", "Engineer", "Lieutenant", "Quartermaster"]
    put(battle, one, "Bunker", specialists=serving, status=Status.SAFE)
    lower = battle.field.sectors["Bunker"].defence[0] - battle.defence(two, "Bunker", 0)

    assert battle.locks() == (1 if work else 2)
    assert lower == (5 if work else 0)
    assert battle.owns(SwapDice) is work
    assert battle.item_price(two, "Binoculars") == (8 if work else 10)
    (setting,) = (one for one in GAME.settings if one.name == "safe_abilities")
    assert all(name in setting.help for name in serving)


@pytest.mark.rule("DDD-R46")
@pytest.mark.parametrize(("option", "defence"), [("yes", 7), ("no", 12)])
def test_whether_the_engineer_helps_other_units_in_the_bunker(option: str, defence: int) -> None:
    battle, (one, two) = together(engineer_for_all=option)
    put(battle, one, "9", specialists=["Engineer"])
    put(battle, two, "Bunker")

    assert battle.defence(two, "Bunker", 0) == defence
    assert battle.defence(one, "Bunker", 0) == 7


@pytest.mark.rule("DDD-R47")
def test_the_marksman_is_paid_for_locked_skulls_only() -> None:
    battle, unit = alone("sword")
    put(battle, unit, "2", soldiers=0, specialists=["Marksman"], items=["Binoculars"])
    rolled = ["skull", "star", "skull", "tool", "skull", "courage"]

    act(roll_the_dice(battle, unit), rolled, ["r1", "r2"], [])
    act(changes(battle, unit), "use:Binoculars", "r2", "skull")
    act(upkeep(battle, unit), "3")

    assert unit.soldiers == 3, "for r1: r2 was no Skull when it was locked"


@pytest.mark.rule("DDD-R47")
def test_the_marksman_is_paid_nothing_where_no_die_is_locked() -> None:
    battle, unit = alone("sword")
    battle.state.random_rolls["7"] = 6
    put(battle, unit, "7", soldiers=1, specialists=["Marksman"])

    act(roll_the_dice(battle, unit), ["skull", "star", "skull", "tool", "courage", "star"], [])
    act(upkeep(battle, unit), ["1", "3"])

    assert unit.soldiers == 1


def copied(option: str) -> int:
    battle, (one, two) = together(copy_without_sector=option)
    put(battle, one, "3", soldiers=1, items=["Dispatch Case"])
    put(battle, two, "2", soldiers=1)
    show(one, "R 1S 1S W 1S 1S B To To")
    show(two, "R 1S 1S W 2S 2S B To To")
    act(use_item(battle, one, "Dispatch Case", Window.TALLY))
    act(upkeep(battle, one))
    return one.courage


@pytest.mark.rule("DDD-R48")
def test_a_copied_tally_brings_no_sector_results_along() -> None:
    assert copied("yes") == 0
    assert copied("no") == 1


@pytest.mark.rule("DDD-R49")
def test_who_is_copied_keeps_its_own_tally() -> None:
    battle, (one, two) = together()
    put(battle, one, "4", soldiers=1, items=["Dispatch Case"])
    put(battle, two, "6", soldiers=1)
    show(one, "R 1S 1S W 1S 1S B 2S 2S")
    show(two, "R To To W To To B To To")

    act(all_changes(battle), "use:Dispatch Case")

    assert {die.face for unit in (one, two) for die in unit.dice} == {Face.TOOL}


@pytest.mark.rule("DDD-R23")
def test_the_part_for_another_unit_is_lost_where_no_other_is_in_play() -> None:
    battle, (one, two) = together()
    put(battle, one, "4", soldiers=1)
    put(battle, two, "Bunker", soldiers=5, status=Status.SAFE)

    act(upkeep(battle, show(one, "R 1S To W 1S To B 1S St")))

    assert (one.soldiers, two.soldiers) == (1 + 3 + 4, 5)


@pytest.mark.rule("DDD-R48")
def test_a_tally_is_copied_as_it_is_finally_changed_with_what_cards_add_to_it() -> None:
    battle, (one, two) = together()
    put(battle, one, "4", soldiers=1, items=["Dispatch Case"], specialists=["Scout"])
    put(battle, two, "6", soldiers=1, items=["Toolkit"], specialists=["Scout"])
    show(one, "R 1S 1S W 1S 1S B 2S 2S")
    show(two, "R To 1S W 1S 1S B 2S 2S")

    act(all_changes(battle), "later", "use:Toolkit", "use:Dispatch Case")
    for unit in (one, two):
        act(upkeep(battle, unit))

    assert (one.points, two.points) == (12, 12)


@pytest.mark.rule("DDD-R48")
@pytest.mark.parametrize("dies", [True, False])
def test_a_kept_tally_keeps_what_cards_added_to_it(dies: bool) -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "4", soldiers=1, specialists=["Combat Photographer", "Scout"])
    show(unit, "R To To W 1S 2S B 1S 1S")
    act(changes(battle, unit), "keep:Combat Photographer")
    act(upkeep(battle, unit))
    assert unit.points == 6

    if dies:
        unit.specialists.remove("Scout")
    unit.turn = Turn()
    assert act(roll_the_dice(battle, unit)).keys == ["roll.kept"]
    act(upkeep(battle, unit))

    assert unit.points == 12


@pytest.mark.rule("DDD-R48")
def test_a_tally_that_is_copied_and_then_kept_brings_in_nothing_of_the_own_cards() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "4", soldiers=1, items=["Dispatch Case"], specialists=["Combat Photographer", "Scout"])
    put(battle, two, "2", soldiers=1)
    show(one, "R To To W To To B To To")
    show(two, "R To To W 1S 2S B 1S 1S")

    act(all_changes(battle), "use:Dispatch Case", "keep:Combat Photographer")
    act(upkeep(battle, one))
    assert one.points == 3

    one.turn = Turn()
    act(roll_the_dice(battle, one))
    act(upkeep(battle, one))
    assert one.points == 6


@pytest.mark.rule("DDD-R48")
def test_a_kept_tally_is_copied_with_what_cards_added_to_it_then_and_nothing_twice() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "4", soldiers=1, items=["Dispatch Case"])
    put(battle, two, "4", soldiers=1, specialists=["Combat Photographer", "Scout"])
    show(one, "R 1S 1S W 1S 1S B 2S 2S")
    show(two, "R To To W 1S 2S B 1S 1S")

    act(all_changes(battle), "later", "keep:Combat Photographer", "use:Dispatch Case")
    act(upkeep(battle, one))

    assert one.points == 6


@pytest.mark.rule("DDD-R50")
def test_a_shoulder_patch_uses_up_the_turns_recruit() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, stars=9, items=["Shoulder Patch"])
    act(recruit_and_find(battle, unit), "use:Shoulder Patch", "Medic")

    battle, unit = alone(shoulder_patch_extra="yes")
    put(battle, unit, "4", soldiers=9, stars=9, items=["Shoulder Patch"])
    act(recruit_and_find(battle, unit), "use:Shoulder Patch", "Medic", "recruit:Veteran")
    assert unit.specialists == ["Medic", "Veteran"]

    battle, unit = alone(shoulder_patch_extra="yes")
    put(battle, unit, "4", soldiers=9, stars=9, items=["Shoulder Patch"])
    act(recruit_and_find(battle, unit), "recruit:Medic", "use:Shoulder Patch", "Veteran")
    assert unit.specialists == ["Medic", "Veteran"]

    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, stars=9, items=["Shoulder Patch"])
    act(recruit_and_find(battle, unit), "recruit:Medic")  # nor the other way round


@pytest.mark.rule("DDD-R52")
@pytest.mark.parametrize(("option", "price"), [("no", 20), ("yes", 18)])
def test_whether_discounts_hold_for_vehicles(option: str, price: int) -> None:
    battle, unit = alone("juno", vehicle_discount=option)
    put(battle, unit, "5", points=40, stars=2, specialists=["Quartermaster"])

    assert battle.vehicle_price(unit, "Tank") == price
    begin(recruit_and_find(battle, unit), "vehicle:Tank")
    assert (unit.points, unit.turn.found) == (40 - price, 1)


@pytest.mark.rule("DDD-R52")
def test_an_item_of_the_turn_leaves_no_find_for_a_vehicle() -> None:
    battle, unit = alone("juno")
    put(battle, unit, "5", points=60, stars=2)

    offered = begin(recruit_and_find(battle, unit), "find:Walkie-Talkie").ids("recruit")

    assert "vehicle:Tank" not in offered


@pytest.mark.rule("DDD-R53")
def test_no_price_is_below_nothing() -> None:
    battle, unit = alone("gold")
    put(battle, unit, "1", specialists=["Quartermaster", "Messenger"], vehicle="Armored Car")

    assert battle.item_price(unit, "Lucky Charm") == 0
    assert battle.specialist_price(unit, "Corporal") == 1

    pack = battle.pack
    charm = msgspec.structs.replace(pack.item["Lucky Charm"], cost=2)
    corporal = msgspec.structs.replace(pack.specialist["Corporal"], cost=0)
    item, specialist = pack.item | {"Lucky Charm": charm}, pack.specialist | {"Corporal": corporal}
    battle.pack = msgspec.structs.replace(pack, item=item, specialist=specialist)

    assert battle.item_price(unit, "Lucky Charm") == 0
    assert battle.specialist_price(unit, "Corporal") == 0

    put(battle, unit, "1", specialists=["Platoon Leader"])
    assert price(battle, unit, Way("2", 0, mines=False, barrier=False, advance=True)) == 0


@pytest.mark.rule("DDD-R54")
@pytest.mark.parametrize(("option", "left"), [("yes", 16), ("no", 14)])
def test_whether_a_vehicle_works_for_others_in_its_sector(option: str, left: int) -> None:
    battle, (one, two) = together(vehicle_for_all=option)
    put(battle, one, "4", soldiers=20, vehicle="Tank")
    put(battle, two, "4", soldiers=20)

    act(combat(battle), "done", "done")

    assert (one.soldiers, two.soldiers) == (16, left)


@pytest.mark.rule("DDD-014", "DDD-R54")
def test_a_vehicle_has_helped_all_who_fight_beside_a_unit_that_is_wiped_out() -> None:
    battle, (one, two) = together()
    put(battle, one, "8", soldiers=1, vehicle="Ambulance")
    put(battle, two, "8", soldiers=20)

    act(combat(battle), ["1"], "done", "done")

    assert (one.status, two.soldiers) == (Status.LOST, 20 - 8)


@pytest.mark.rule("DDD-R55")
def test_a_vehicle_may_be_traded_away_before_the_mines() -> None:
    battle, (one, two) = together()
    put(battle, one, "7", soldiers=30, courage=9, vehicle="Tank")
    put(battle, two, "7", soldiers=30)

    act(move_units(battle), "give", "vehicle", "move:9", ["1"], "stay")

    assert (one.vehicle, two.vehicle, one.sector) == ("", "Tank", "9")


@pytest.mark.rule("DDD-R56")
def test_a_whistle_lasts_for_one_advance_of_the_turn() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=9, items=["Whistle"])
    act(recruit_and_find(battle, unit), "use:Whistle")

    act(move_units(battle), "move:4")

    assert not unit.turn.free_advance


@pytest.mark.rule("DDD-R57")
def test_where_no_items_are_found_they_can_still_be_traded() -> None:
    battle, (one, two) = together()
    put(battle, one, "9", soldiers=1, items=["Grenade"])
    put(battle, two, "9", soldiers=1)

    assert "give" in begin(recruit_and_find(battle, one)).ids("recruit")


@pytest.mark.rule("DDD-R57")
def test_where_no_items_are_found_a_gift_and_an_awards_item_still_come() -> None:
    battle, (unit, _) = together()
    with_sector(battle, "9", free_item="Field Radio")
    put(battle, unit, "9", soldiers=9, points=48, awards=["Stand-in Anchor"])
    unit.turn.entered = "9"
    act(hand_out(battle))
    act(changes(battle, show(unit, "R Sk St W 1S 2S B Co To")), "award:Stand-in Anchor", "Grenade")

    assert unit.items == ["Field Radio", "Grenade"]
    assert not any(one.startswith("find") for one in begin(recruit_and_find(battle, unit)).ids("recruit"))


@pytest.mark.rule("DDD-R59")
def test_grenades_are_offered_up_to_the_gun_roll() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=20, items=["Grenade"])

    assert usable(battle, unit, Window.COMBAT) == ["Grenade"]
    assert usable(battle, unit, Window.LOSSES) == []


@pytest.mark.rule("DDD-R60")
def test_a_sectors_award_comes_on_top_of_the_one_a_turn() -> None:
    battle, unit = alone("gold")
    put(battle, unit, "8", awards=["Stand-in Star"])
    unit.turn.entered, unit.turn.award_drawn = unit.sector, True

    act(hand_out(battle), "Memorial Cross")

    assert unit.awards == ["Stand-in Star", "Memorial Cross"]


@pytest.mark.rule("DDD-R60")
def test_a_medal_cases_award_comes_on_top_of_the_one_a_turn() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=3, courage=6, items=["Medal Case"], awards=["Stand-in Star"])
    unit.turn.award_drawn = True
    assert "use:Medal Case" in begin(recruit_and_find(battle, unit)).ids("recruit")
    unit.turn.award_drawn = False

    stage = begin(recruit_and_find(battle, unit), "use:Medal Case", ["Stand-in Rose"])

    assert unit.awards == ["Stand-in Star", "Stand-in Rose"]
    assert "award" in stage.ids("recruit")


def mortar(option: str) -> int:
    battle, unit = alone("sword", mortar_fire=option)
    battle.state.random_rolls["6"] = 1
    put(battle, unit, "6", soldiers=20)
    act(combat(battle), ["3"])
    return 20 - unit.soldiers


@pytest.mark.rule("DDD-R65")
def test_mortar_fire_is_extra() -> None:
    assert mortar("extra") == 4 + 3
    assert mortar("instead") == 3

    battle, unit = alone("sword", mortar_fire="instead")
    battle.state.random_rolls["11"] = 1
    put(battle, unit, "11", soldiers=20)
    act(combat(battle), ["3"])
    assert unit.soldiers == 20 - 6 - 3, "Booby Traps are always extra"


@pytest.mark.rule("DDD-R65")
@pytest.mark.parametrize(
    ("option", "offered"), [("extra", ["Bazooka", "Field Radio"]), ("instead", ["Field Radio"])]
)
def test_where_mortar_fire_is_all_that_is_lost_nothing_that_lowers_a_def_is_offered(
    option: str, offered: list[str]
) -> None:
    battle, unit = alone("sword", mortar_fire=option)
    battle.state.random_rolls["6"] = 1
    put(battle, unit, "6", soldiers=20, items=["Bazooka", "Field Radio"])

    assert usable(battle, unit, Window.COMBAT) == offered


@pytest.mark.rule("DDD-R65")
@pytest.mark.parametrize(
    ("option", "keys", "left"), [("extra", ["guns", "combat.extra"], 7), ("instead", ["combat.extra"], 17)]
)
def test_where_mortar_fire_is_all_that_is_lost_no_guns_fire(option: str, keys: list[str], left: int) -> None:
    battle, unit = alone("sword", mortar_fire=option)
    lines = [msgspec.structs.replace(line, guns=1, damage=Damage.COURAGE) for line in battle.field.lines["6"]]
    battle.field = msgspec.structs.replace(battle.field, lines=battle.field.lines | {"6": tuple(lines)})
    battle.state.random_rolls["6"] = 1
    put(battle, unit, "6", soldiers=20, courage=1, items=["Grenade"])

    assert usable(battle, unit, Window.COMBAT) == (["Grenade"] if option == "extra" else [])
    stage = act(combat(battle), *(["done"] if option == "extra" else []), *([["6"]] * (len(keys) - 1)), ["3"])

    assert [key for key in stage.keys if key in {"guns", "combat.extra"}] == keys
    assert (unit.soldiers, unit.courage) == (left, 0 if option == "extra" else 1)


@pytest.mark.rule("DDD-272", "DDD-284")
@pytest.mark.parametrize(
    ("sector", "option", "ahead"),
    [
        ("6", "extra", "DEF 4, 0 guns, 1d6 more"),
        ("6", "instead", "1d6 alone"),
        ("11", "extra", "DEF 6, 0 guns, 1d6 more"),
    ],
)
def test_who_may_use_something_before_combat_is_told_of_the_die_for_more_losses(
    sector: str, option: str, ahead: str
) -> None:
    battle, unit = alone("sword", mortar_fire=option)
    battle.state.random_rolls[sector] = 1
    put(battle, unit, sector, soldiers=20, items=["Field Radio"])

    assert begin(combat(battle)).open.text == f"Sector {sector}: {ahead}. Use?"


@pytest.mark.rule("DDD-R66")
def test_the_pigeon_still_flies_in_the_combat_window() -> None:
    battle, (one, two) = together()
    put(battle, one, "9", soldiers=30)
    put(battle, two, "2", soldiers=5)
    one.turn.partner, two.turn.partner = "B", "A"

    act(combat(battle), ["1"], "give", "soldiers", 10, "done", "done")

    assert two.soldiers == 11


@pytest.mark.rule("DDD-R71")
@pytest.mark.parametrize(("option", "marker"), [("no", "3 chevrons"), ("yes", "1 chevron")])
def test_whether_an_exchange_is_a_fresh_stay(option: str, marker: str) -> None:
    battle, (one, two) = together("juno", exchange_resets=option)
    put(battle, one, "3", soldiers=9, specialists=["War Correspondent"])
    put(battle, two, "6", soldiers=9)
    one.stay = 3

    begin(move_units(battle), "exchange:War Correspondent", "stay")

    assert battle.marker(one) == marker


@pytest.mark.rule("DDD-R71")
def test_an_exchange_into_and_out_of_a_black_shield_leaves_both_markers_as_they_are() -> None:
    battle, (one, two) = together("juno")
    put(battle, one, "3", soldiers=9, specialists=["War Correspondent"])
    put(battle, two, "10", soldiers=9)
    one.stay = two.stay = 2
    before = [battle.marker(one), battle.marker(two)]
    assert before == ["2 chevrons", "shield"]

    begin(move_units(battle), "exchange:War Correspondent", "stay")

    assert [battle.marker(one), battle.marker(two)] == before
    assert [battle.must_move(one), battle.must_move(two)] == [False, True]
    for unit in (one, two):
        turn_marker(battle, unit)
    assert [battle.marker(one), battle.marker(two)] == ["shield", "3 chevrons"]


@pytest.mark.rule("DDD-R71", "DDD-142", "DDD-R90")
def test_after_an_exchange_a_unit_fights_its_first_combat_there_and_scores_that_sector() -> None:
    battle, (one, two) = together("juno")
    with_sector(battle, "3", defence=(4, 6))
    put(battle, one, "3", soldiers=9)
    put(battle, one, "6", soldiers=9, specialists=["War Correspondent"])
    put(battle, two, "3", soldiers=9)
    one.combats = 1

    act(move_units(battle), "exchange:War Correspondent", "stay", "stay")

    assert (one.sector, one.visited) == ("3", ["1", "6", "3"])
    assert battle.defence(one, "3", battle.combats_for_def(one)) == 4
    assert last_sector(battle, one) == 3


@pytest.mark.rule("DDD-R71", "DDD-264")
def test_who_is_exchanged_into_a_sector_did_not_enter_it() -> None:
    battle, (one, two) = together("juno")
    put(battle, one, "10", soldiers=9, courage=9)
    put(battle, two, "6", soldiers=9, specialists=["War Correspondent"])

    act(move_units(battle), "move:13", "exchange:War Correspondent", "stay")

    assert (one.sector, two.sector) == ("6", "13")
    assert (one.items, two.items) == (["Flame-Thrower"], [])


@pytest.mark.rule("DDD-R71")
def test_an_exchange_takes_another_unit_and_leaves_no_vehicle_where_there_is_none() -> None:
    battle, (one, two) = together("juno")
    put(battle, one, "3", soldiers=9, specialists=["War Correspondent"])
    put(battle, two, "Bunker", soldiers=9, status=Status.SAFE)
    assert CORRESPONDENT not in [option.id for option in choices(battle, one, later=False)]

    two.status = Status.FIGHTING
    begin(move_units(battle), CORRESPONDENT, "stay")

    assert (one.sector, battle.state.vehicles_gone, one.turn.news) == (
        "Bunker",
        [],
        ["War Correspondent falls, card face down"],
    )


CORRESPONDENT = "exchange:War Correspondent"


def correspondence(*, soldiers: int = 9) -> tuple[Battle, Unit, Unit]:
    """Two Units on Juno, the first with a War Correspondent."""
    battle, (one, two) = together("juno")
    put(battle, one, "3", soldiers=soldiers, courage=9, specialists=["War Correspondent"])
    put(battle, two, "6", soldiers=9, courage=9)
    return battle, one, two


@pytest.mark.rule("DDD-R71", "DDD-R35")
def test_who_has_moved_can_exchange_once_the_other_has_too() -> None:
    battle, one, two = correspondence()
    there, beyond = [next(way.to for way in moves(battle, unit) if way.advance) for unit in (one, two)]

    stage = act(move_units(battle), f"move:{there}", "later", f"move:{beyond}", CORRESPONDENT)

    assert (one.sector, two.sector) == (beyond, there)
    assert one.dead == ["War Correspondent"]
    assert stage.ids("move") == ["stay", CORRESPONDENT]


def test_an_exchange_that_closes_the_bunker_to_a_unit_is_warned_of_where_it_is_chosen() -> None:
    battle, one, two = correspondence()
    put(battle, two, "Bunker", soldiers=9)
    put(battle, one, "3")

    told = {option.id: option.detail for option in choices(battle, one, later=False)}[CORRESPONDENT]
    assert told.startswith("Warning: no way is left from there to a Bunker for B. May be sacrificed")

    battle, (one, two, three) = together("juno", players=3)
    put(battle, one, "3", soldiers=9, specialists=["War Correspondent"])
    put(battle, two, "Bunker", soldiers=9)
    put(battle, three, "6", soldiers=9)
    stage = begin(move_units(battle), CORRESPONDENT)

    assert isinstance(stage.open, Choose)
    told = {option.id: option.detail for option in stage.open.options}
    assert told == {"B": "Warning: no way is left from there to a Bunker for B.", "C": ""}
    question = next(ask for ask in stage.asks if isinstance(ask, Choose))
    assert "Warning" not in next(one.detail for one in question.options if one.id == CORRESPONDENT)


@pytest.mark.rule("DDD-R71", "DDD-R35")
def test_who_moves_last_can_exchange_after_it() -> None:
    battle, one, two = correspondence()
    there = next(way.to for way in moves(battle, one) if way.advance)

    act(move_units(battle), "later", "stay", f"move:{there}", CORRESPONDENT, "stay")

    assert (one.sector, two.sector) == ("6", there)


@pytest.mark.rule("DDD-R71")
def test_who_passes_after_a_move_is_asked_for_an_exchange_no_more() -> None:
    battle, one, two = correspondence()
    there = next(way.to for way in moves(battle, one) if way.advance)

    stage = act(move_units(battle), f"move:{there}", "stay", "stay")

    assert (one.sector, two.sector) == (there, "6")
    asked = [ask.options[0].label for ask in stage.asks if isinstance(ask, Choose) and "A: " in ask.text]
    assert asked == ["stay", "done"]


@pytest.mark.rule("DDD-R71")
@pytest.mark.parametrize("reason", ["nobody else", "nobody left behind", "a session from before"])
def test_nothing_is_asked_after_a_move_where_no_exchange_can_be_had(reason: str) -> None:
    battle, _, two = correspondence(soldiers=0 if reason == "nobody left behind" else 9)
    with_sector(battle, "4", joins="")
    if reason == "nobody else":
        two.status = Status.SAFE
    if reason == "a session from before":
        card = msgspec.structs.replace(
            battle.pack.specialist["War Correspondent"], effects=(ExchangeSectors(),)
        )
        specialists = battle.pack.specialist | {"War Correspondent": card}
        battle.pack = msgspec.structs.replace(battle.pack, specialist=specialists)

    stage = act(move_units(battle), "move:4", *([] if reason == "nobody else" else ["stay"]))

    assert stage.keys.count("move") == (1 if reason == "nobody else" else 2)


@pytest.mark.rule("DDD-R46")
def test_an_engineer_who_falls_has_helped_all_who_fight_beside_him() -> None:
    battle, (one, two) = together()
    put(battle, one, "Bunker", soldiers=8, specialists=["Engineer"])
    put(battle, two, "Bunker", soldiers=20)

    act(combat(battle), ["1"], "done", "done", "Engineer")

    assert one.dead == ["Engineer"]
    assert (one.soldiers, two.soldiers) == (8 - 7, 20 - 8)


@pytest.mark.rule("DDD-R72")
def test_a_group_may_leave_rwbs_out_of_the_practice_run() -> None:
    battle, unit = alone("tiger_practice", practice_rwb="no")
    put(battle, unit, "1", soldiers=0)

    act(upkeep(battle, show(unit, "R 2S Co W 2S Sk B 2S Co")))

    assert unit.turn.scored == []
    assert unit.soldiers == 6
    battle, unit = alone(practice_rwb="no")
    act(upkeep(battle, show(unit, "R 2S Co W 2S To B 2S Co")))
    assert unit.turn.scored == [Rwb.FRESH_TROOPS]


@pytest.mark.rule("DDD-R73")
@pytest.mark.parametrize(("option", "must"), [("yes", True), ("no", False)])
def test_whether_black_shields_hold_in_basic_training(option: str, must: bool) -> None:
    battle, unit = alone("tiger_basic", black_shields_in_training=option)
    put(battle, unit, "4", soldiers=9)

    turn_marker(battle, unit)

    assert battle.must_move(unit) is must


@pytest.mark.rule("DDD-128", "DDD-217")
@pytest.mark.parametrize("scenario", ["tiger_practice", "tiger_advanced"])
def test_black_shields_hold_in_all_other_games_whatever_a_group_does_in_basic_training(scenario: str) -> None:
    battle, unit = alone(scenario, black_shields_in_training="no")
    put(battle, unit, "4", soldiers=9)

    turn_marker(battle, unit)

    assert battle.must_move(unit)


@pytest.mark.rule("DDD-R73")
def test_in_basic_training_a_straight_earns_nothing_but_an_award_can_be_bought() -> None:
    battle, unit = alone("tiger_basic")
    put(battle, unit, "4", soldiers=9, courage=6)

    stage = act(upkeep(battle, show(unit, "R Sk St W 1S 2S B Co To")), "5")

    assert "award.choose" not in stage.keys
    assert "award" in begin(recruit_and_find(battle, unit)).ids("recruit")


@pytest.mark.rule("DDD-R77")
@pytest.mark.parametrize(("option", "soldiers"), [("yes", 6), ("no", 1)])
def test_whether_results_without_a_die_count_for_four_of_a_kind(option: str, soldiers: int) -> None:
    battle, unit = alone("utah", "1", virtual_of_a_kind=option)
    put(battle, unit, "11", soldiers=1, specialists=["Scout"])

    act(upkeep(battle, show(unit, "R To To W To Co B St Co")))

    assert unit.soldiers == soldiers


@pytest.mark.rule("DDD-R77")
def test_where_only_dice_count_for_four_of_a_kind_four_dice_do() -> None:
    battle, unit = alone("utah", "1", virtual_of_a_kind="no")
    put(battle, unit, "11", soldiers=1)

    act(upkeep(battle, show(unit, "R To To W To Co B To Co")))

    assert unit.soldiers == 1 + 5


@pytest.mark.rule("DDD-R79")
@pytest.mark.parametrize(("option", "must"), [("yes", False), ("no", True)])
def test_how_long_a_solo_unit_may_stay_in_the_first_gold_bunker(option: str, must: bool) -> None:
    battle, unit = alone("gold", gold_solo_stay=option)
    put(battle, unit, "9", soldiers=60)
    turn_marker(battle, unit)
    assert not battle.must_move(unit), "no Bunker"
    put(battle, unit, "Bunker 1")
    act(combat(battle), ["1"])

    turn_marker(battle, unit)

    assert battle.must_move(unit) is must


@pytest.mark.rule("DDD-R79")
def test_a_solo_units_specialists_go_on_with_it_from_the_first_gold_bunker() -> None:
    battle, unit = alone("gold")
    put(battle, unit, "Bunker 1", soldiers=60, specialists=["Scout"])
    before = battle.defence(unit, "Bunker 1", 0)

    act(combat(battle), ["1"], "soldiers")

    assert (unit.status, unit.specialists) == (Status.FIGHTING, ["Scout"])
    assert battle.defence(unit, "Bunker 1", 0) == before


@pytest.mark.rule("DDD-R80")
def test_the_players_may_say_which_table_a_random_sector_uses() -> None:
    plain, _ = alone("sword")
    other, _ = alone("sword", random_tables="3-1-2")

    assert plain.field.line_names["6"][0] == "Mortar Fire"
    assert other.field.line_names["6"][0] == "Booby Traps"
    assert other.field.line_names["11"][0] == "Artillery Barrage"


@pytest.mark.rule("DDD-R80")
@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("1-2-3", "Sector 6 table 1, Sector 7 table 2, Sector 11 table 3"),
        ("3-1-2", "Sector 6 table 3, Sector 7 table 1, Sector 11 table 2"),
    ],
)
def test_which_tables_are_assumed_is_told_at_set_up_for_the_board_to_confirm(order: str, told: str) -> None:
    sword, _ = alone("sword", random_tables=order)
    ours, _ = alone("red_cliff", "1")

    assert f"Random Sectors: {told}; if your board's ?" in setup_list(sword)
    assert "table" not in setup_list(ours)


@pytest.mark.rule("DDD-R83")
@pytest.mark.parametrize(("option", "left"), [("no", 3), ("yes", 2)])
def test_whether_the_retreat_costs_courage(option: str, left: int) -> None:
    battle, unit = alone("pointe_du_hoc", "1", retreat_costs_courage=option)
    put(battle, unit, "9", soldiers=20, courage=3, specialists=["Platoon Leader"]).turn.climbed = True
    unit.turn.free_advance = True  # neither makes a retreat cheaper, which is no Advance

    act(move_units(battle), "move:7")

    assert unit.courage == left
    assert unit.turn.free_advance


@pytest.mark.rule("DDD-R84")
@pytest.mark.parametrize(
    ("option", "vehicle", "opens"),
    [("no", "Bulldozer", False), ("yes", "Bulldozer", True), ("yes", "Tank", False)],
)
def test_whether_a_bulldozer_opens_mervilles_sectors(option: str, vehicle: str, opens: bool) -> None:
    battle, unit = alone("merville", "1", bulldozer_opens=option)
    put(battle, unit, "4", soldiers=20, courage=9, vehicle=vehicle)

    assert ("6" in [way.to for way in moves(battle, unit)]) is opens


@pytest.mark.rule("DDD-R85")
@pytest.mark.parametrize(("option", "defence"), [("yes", 2), ("no", 7)])
def test_whether_an_award_lowers_a_fixed_def(option: str, defence: int) -> None:
    battle, unit = alone("merville", "1", awards_lower_fixed_def=option)
    put(battle, unit, "11")

    act(apply(battle, unit, battle.award("Stand-in Rose").effects[0], Window.TALLY, award=True))

    assert battle.defence(unit, "11", 0) == defence


def deadstick(option: str) -> tuple[Battle, list[Unit]]:
    battle, units = together("deadstick", "merville", "M1", deadstick_both=option)
    for unit in units:
        put(battle, unit, "MBunker", soldiers=60, taken=["MBunker"])
        battle.state.bunkers_taken["MBunker"] = 3
        leave_play(battle, unit)
    return battle, units


@pytest.mark.rule("DDD-R87")
@pytest.mark.parametrize(("option", "result"), [("no", "won"), ("yes", "lost")])
def test_whether_both_deadstick_bunkers_have_to_be_taken(option: str, result: str) -> None:
    outcome = over(deadstick(option)[0])

    assert outcome is not None
    assert outcome.result == result


@pytest.mark.rule("DDD-R10")
def test_a_player_may_keep_more_than_the_locked_dice() -> None:
    battle, unit = alone()

    act(roll_the_dice(battle, unit), ["star"] * 6, ["r1", "r2"], ["w1"], ["tool"], [])

    assert [die.locked for die in unit.dice] == [True, True, False, False, False, False]

    stage = act(roll_the_dice(battle, unit), ["star"] * 6, ["r1", "r2"], [])
    assert stage.keys == ["roll.1", "roll.lock", "roll.again.2"]


@pytest.mark.rule("DDD-R11")
def test_a_group_may_always_leave_out_a_blue_die() -> None:
    battle, unit = alone(left_out_die="blue")
    put(battle, unit, "8", soldiers=9)

    stage = begin(roll_the_dice(battle, unit))

    assert stage.keys == ["roll.1"]
    assert isinstance(stage.open, Roll)
    assert {dice.colour: dice.count for dice in stage.open.dice} == {"red": 2, "white": 2, "blue": 1}


@pytest.mark.rule("DDD-R13")
def test_a_single_rerolls_result_stands() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, specialists=["Corporal"])

    act(roll_the_dice(battle, unit), ["star"] * 6, ["r1", "b2"], [], "w1", ["skull"])

    assert unit.dice[2].face is Face.SKULL


@pytest.mark.rule("DDD-R13")
def test_a_single_reroll_may_be_left() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, specialists=["Corporal"])

    act(roll_the_dice(battle, unit), ["star"] * 6, ["r1", "b2"], [], "none")

    assert [die.face for die in unit.dice] == [Face.STAR] * 6


@pytest.mark.rule("DDD-R33")
def test_a_point_man_may_hold_a_black_shield_for_a_turn_more() -> None:
    battle, unit = alone("sword")
    put(battle, unit, "9", soldiers=20, specialists=["Point Man"])
    turn_marker(battle, unit)
    assert battle.must_move(unit)

    act(move_units(battle), "linger:Point Man", "stay")
    assert unit.status == Status.FIGHTING
    assert battle.marker(unit) == "shield"

    unit.turn = Turn()
    turn_marker(battle, unit)
    assert battle.must_move(unit), "in the next turn"


@pytest.mark.rule("DDD-R33")
def test_a_point_mans_turn_more_is_fought_at_the_last_def() -> None:
    battle, unit = alone()
    with_sector(battle, "2", defence=(2, 4, 6), guns=0)
    put(battle, unit, "2", soldiers=30, specialists=["Point Man"], stay=4, combats=3)

    act(move_units(battle), "linger:Point Man", "stay")
    act(combat(battle))

    assert (unit.soldiers, unit.specialists) == (30 - 6, [])


@pytest.mark.rule("DDD-R34")
def test_a_unit_may_move_in_turn_1() -> None:
    battle, unit = alone()
    unit.courage = 1
    turn_marker(battle, unit)

    assert {way.to for way in moves(battle, unit)} == {"2", "3"}


@pytest.mark.rule("DDD-R38")
def test_the_dial_does_not_count_specialists() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=5, stars=2)

    act(recruit_and_find(battle, unit), "recruit:Scout")

    assert unit.soldiers == 5
    assert battle.strength(unit) == 6


@pytest.mark.rule("DDD-R54")
def test_a_bulldozer_opens_the_barrier_for_those_who_follow_in_the_same_phase() -> None:
    battle, (one, two) = together("merville", "1", "1")
    put(battle, one, "7", soldiers=20, courage=9, vehicle="Bulldozer")
    put(battle, two, "7", soldiers=20, courage=9)

    act(move_units(battle), "move:8", "move:8")

    assert (one.sector, two.sector) == ("8", "8")


@pytest.mark.rule("DDD-R54")
@pytest.mark.parametrize(
    ("vehicle", "option", "follows"),
    [("Bulldozer", "yes", True), ("Bulldozer", "no", False), ("Jeep", "yes", False)],
)
def test_whom_a_vehicle_that_has_left_lets_through(vehicle: str, option: str, follows: bool) -> None:
    battle, (one, two) = together("merville", "1", "1", vehicle_for_all=option)
    battle.field.ways["7"] = tuple(
        Way(to, 2, mines=False, barrier=to == "8", advance=True) for to in ("8", "10")
    )
    put(battle, one, "7", soldiers=20, courage=9, vehicle=vehicle)
    put(battle, two, "7", soldiers=20, courage=9)

    begin(move_units(battle), "move:10")

    assert ("8" in [way.to for way in moves(battle, two)]) is follows
    put(battle, two, "4")
    battle.field.ways["4"] = battle.field.ways["7"]
    assert "8" not in [way.to for way in moves(battle, two)], "from where it left alone"


def test_a_tank_is_counted_where_it_can_come_along() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=20, courage=9, vehicle="Tank", specialists=["Scout"])

    assert battle.defence(unit, "7", 0) == 6
    assert battle.defence(unit, "10", 0, along=False) == 10
    assert battle.defence(unit, "Bunker", 0) == 12


def test_with_a_half_track_special_find_comes_on_top_of_an_item() -> None:
    battle, unit = alone("sword")
    battle.state.pool_items.remove("Grenade")
    battle.state.used_items.append("Grenade")
    put(battle, unit, "2", soldiers=3, points=40, vehicle="Half-Track")
    unit.turn.special_finds = 1

    begin(recruit_and_find(battle, unit), "find:Walkie-Talkie", "again:Grenade")

    assert unit.items == ["Walkie-Talkie", "Grenade"]


def test_no_vehicle_gets_into_a_climbing_sector_by_pigeon_or_by_exchange() -> None:
    battle, (one, two) = together("pointe_du_hoc", "1", "1")
    put(battle, one, "8", soldiers=9, vehicle="Jeep", specialists=["War Correspondent"])
    put(battle, two, "9", soldiers=9)
    one.turn.partner, two.turn.partner = "B", "A"
    assert begin(give(battle, one)).ids("trade.what") == ["soldiers"]

    act(move_units(battle), "exchange:War Correspondent", "yes", "stay", "stay")

    assert (one.sector, one.vehicle) == ("9", "")
    assert battle.state.vehicles_gone == ["Jeep"]


@pytest.mark.rule("DDD-098", "DDD-R55")
@pytest.mark.parametrize("correspondent", [0, 1])
def test_who_would_lose_a_vehicle_by_an_exchange_is_asked_first(correspondent: int) -> None:
    battle, (one, two) = together("juno")
    put(battle, one, "12", soldiers=30, vehicle="Tank")
    put(battle, two, "Bunker", soldiers=30)
    battle.state.units[correspondent].specialists = ["War Correspondent"]
    before = ["stay"] * correspondent

    stage = begin(move_units(battle), *before, "exchange:War Correspondent", "no")

    question = stage.asks[stage.keys.index("move.vehicle")]
    assert question.text == "A: The Tank can't go there. Leave it?"
    assert (one.sector, one.vehicle, two.sector) == ("12", "Tank", "Bunker")
    assert battle.state.units[correspondent].specialists == ["War Correspondent"]


def test_a_vehicle_that_fits_comes_along_in_an_exchange() -> None:
    battle, (one, two) = together("juno")
    put(battle, one, "3", soldiers=9, vehicle="Jeep", specialists=["War Correspondent"])
    put(battle, two, "6", soldiers=9)

    act(move_units(battle), "exchange:War Correspondent", "stay", "stay")

    assert (one.sector, one.vehicle) == ("6", "Jeep")
    assert battle.state.vehicles_gone == []


@pytest.mark.rule("DDD-R53")
def test_what_costs_nothing_is_found_with_nothing() -> None:
    battle, unit = alone("sword")
    put(battle, unit, "2", soldiers=3, vehicle="Armored Car", specialists=["Quartermaster"])

    assert begin(recruit_and_find(battle, unit)).ids("recruit") == ["done", "find:Lucky Charm"]


@pytest.mark.rule("DDD-R53")
def test_who_costs_nothing_is_recruited_without_stars() -> None:
    """A Specialist of an owner's own pack, say, who costs 1 Star, with a Messenger."""
    battle, unit = alone()
    put(battle, unit, "1", soldiers=4, specialists=["Messenger"])
    scout = msgspec.structs.replace(battle.pack.specialist["Scout"], cost=1)
    battle.pack = msgspec.structs.replace(battle.pack, specialist=battle.pack.specialist | {"Scout": scout})

    assert begin(recruit_and_find(battle, unit)).ids("recruit") == ["done", "recruit:Scout"]
