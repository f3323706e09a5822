"""Several rules that meet in one moment."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.asks import Choose, Option, Pick
from companion.games.dday_dice.changes import all_changes
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.dice import Colour, Face, Result
from companion.games.dday_dice.losses import wipe_out
from companion.games.dday_dice.moving import move_units
from companion.games.dday_dice.recruiting import recruit_and_find
from companion.games.dday_dice.rolling import roll_the_dice
from companion.games.dday_dice.state import Status, Turn
from companion.games.dday_dice.upkeep import upkeep
from tests.games.dday_dice.beach import act, alone, begin, figures, put, show, together, ways, with_sector

# --- the tally


def test_a_mulligan_of_five_dice_leaves_the_same_one_out_and_a_general_locks_one_of_them() -> None:
    battle, unit = alone(soldier_mulligan="yes")
    put(battle, unit, "8", specialists=["General"])
    opening = ["skull", "star", "tool", "courage", "tool"]

    stage = begin(roll_the_dice(battle, unit), "white", opening, "yes", opening)

    assert stage.keys == ["roll.five", "roll.1", "roll.mulligan", "roll.1", "roll.lock"]
    assert sorted(stage.ids("roll.lock")) == ["b1", "b2", "r1", "r2", "w2"]
    assert isinstance(stage.open, Pick)
    assert (stage.open.most, unit.mulligan_used) == (1, True)


@pytest.mark.rule("DDD-138", "DDD-R14")
@pytest.mark.parametrize(
    ("dice", "answers", "gained"),
    [
        pytest.param("R St To W St 1S B St 2S", (), (3, 0, 0, 1), id="no Leadership"),
        pytest.param("R Sk St W To Co B 1S 2S", ("1",), (3, 0, 1, 0), id="no straight, a Skull for the Tool"),
    ],
)
def test_what_a_penalty_takes_forms_no_bonus_and_no_straight(
    dice: str, answers: tuple[str, ...], gained: tuple[int, ...]
) -> None:
    battle, unit = alone("juno")
    put(battle, unit, "8", soldiers=0)
    show(unit, dice)

    act(upkeep(battle, unit), *answers)

    assert figures(unit) == gained
    assert not unit.awards


@pytest.mark.rule("DDD-138", "DDD-R16", "DDD-R22")
@pytest.mark.parametrize(("gone", "kept"), [("2", 1), ("6", 0)])
def test_a_penalty_may_take_a_die_that_skulls_would_cancel_and_leave_what_no_die_shows(
    gone: str, kept: int
) -> None:
    battle, unit = alone("juno")
    put(battle, unit, "7")
    show(unit, "R Sk Sk W Co Sk B Sk Sk").extra = [Result(Face.COURAGE, Colour.WHITE)]

    stage = act(upkeep(battle, unit), gone)

    (question,) = (ask for ask in stage.asks if isinstance(ask, Choose))
    assert question.options == (Option("2", "W Courage"), Option("6", "W Courage, no die"))
    assert unit.courage == kept


def test_a_penalty_takes_a_die_or_what_no_die_shows_unasked_where_no_skull_cancels() -> None:
    battle, unit = alone("juno")
    put(battle, unit, "7")
    show(unit, "R To To W Co 1S B 1S 1S").extra = [Result(Face.COURAGE, Colour.WHITE)]

    assert "tally.penalty" not in act(upkeep(battle, unit)).keys
    assert unit.courage == 1


@pytest.mark.rule("DDD-286", "DDD-034", "DDD-R22")
def test_an_ambush_takes_a_soldier_for_leaderships_star_and_none_for_a_cancelled_one() -> None:
    battle, unit = alone("sword")
    battle.state.random_rolls["11"] = 3
    put(battle, unit, "11", soldiers=9)

    act(upkeep(battle, show(unit, "R Sk St W St Co B St To")), "3", "star")
    assert figures(unit) == (9 - 4, 4, 0, 1)

    act(upkeep(battle, show(unit, "R Sk St W St Co B To To")), "1")
    assert figures(unit) == (5 - 1, 4 + 1, 1, 1 + 3)


@pytest.mark.rule("DDD-R48", "DDD-295")
def test_a_tally_that_is_kept_with_a_hooks_skull_climbs_a_turn_later() -> None:
    battle, unit = alone("pointe_du_hoc", "1", bazooka_joe="all")
    put(battle, unit, "9", soldiers=9, courage=0, specialists=["Combat Photographer", "Scout"])
    unit.items = ["Grappling Hook"]
    show(unit, "R Sk Sk W Sk To B To 1S")

    act(all_changes(battle), "use:Grappling Hook", "blue", "keep:Combat Photographer")
    act(upkeep(battle, unit), "3")
    unit.turn, unit.courage = Turn(), 2
    act(roll_the_dice(battle, unit))
    act(upkeep(battle, unit), "3")

    assert "11" in ways(battle, unit)


@pytest.mark.rule("DDD-R48", "DDD-136")
def test_a_tally_that_is_kept_leaves_the_bonus_of_its_sector_behind() -> None:
    battle, unit = alone(bazooka_joe="all")
    put(battle, unit, "2", soldiers=9, specialists=["Combat Photographer", "Scout"])
    show(unit, "R 1S 1S W 2S 2S B To To")

    act(all_changes(battle), "keep:Combat Photographer")
    act(upkeep(battle, unit))
    assert (unit.stars, unit.courage) == (0, 1)

    put(battle, unit, "3").turn = Turn()
    act(roll_the_dice(battle, unit))
    act(upkeep(battle, unit))
    assert (unit.stars, unit.courage) == (1, 1)


@pytest.mark.rule("DDD-R48")
def test_what_was_added_before_a_dispatch_case_is_ignored_and_what_comes_after_counts() -> None:
    battle, (one, two) = together(bazooka_joe="items")
    put(battle, one, "1", items=["Toolkit", "Dispatch Case", "Grappling Hook"])
    put(battle, two, "1")
    show(one, "R Sk St W St Co B To To")
    show(two, "R St 1S W 1S 1S B 2S Co")
    used = ("use:Toolkit", "use:Dispatch Case", "use:Grappling Hook", "red")

    act(all_changes(battle), *used)
    act(upkeep(battle, one), "0")

    assert figures(one) == (4 + 5, 0, 1, 0)


@pytest.mark.rule("DDD-286")
def test_a_medic_saves_one_of_those_whom_an_ambush_takes() -> None:
    battle, unit = alone("sword", bazooka_joe="all")
    battle.state.random_rolls["11"] = 3
    put(battle, unit, "11", soldiers=9, specialists=["Medic"])

    act(upkeep(battle, show(unit, "R St To W St To B 1S 1S")), "soldiers")

    assert figures(unit) == (9 + 2 - 1, 2, 0, 3)


@pytest.mark.rule("DDD-221", "DDD-R23")
def test_who_was_lost_in_a_training_gets_no_part_of_a_bonus() -> None:
    battle, (one, two, three) = together("tiger_practice", players=3)
    put(battle, one, "1", soldiers=9)
    wipe_out(three)

    stage = act(upkeep(battle, show(one, "R 1S Sk W 1S To B 1S To")))

    assert "tally.for" not in stage.keys
    assert (one.soldiers, two.soldiers, three.soldiers) == (9 + 7, 4 + 4, 0)


# --- Phase 3


@pytest.mark.rule("DDD-095", "DDD-R45")
def test_a_half_track_lets_others_find_more_and_a_safe_quartermaster_makes_nothing_cheaper() -> None:
    battle, (one, two) = together("sword")
    put(battle, one, "6", soldiers=9, vehicle="Half-Track", specialists=["Quartermaster"])
    put(battle, two, "6", soldiers=1, points=10)

    act(recruit_and_find(battle, two), "find:Walkie-Talkie", "find:Whistle", "done")
    assert two.points == 10 - 3 - 5

    one.status = Status.SAFE
    assert battle.item_price(two, "Grenade") == 10


# --- moves


@pytest.mark.rule("DDD-051", "DDD-230", "DDD-R51")
def test_who_joins_in_a_sector_needs_no_card_in_the_hand_and_minds_no_battle_cry() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=9).turn.battle_cry = True
    unit.hand = ["Medic"]  # as Wild Specialists can deal it

    act(move_units(battle), "move:2")

    assert unit.specialists == ["Scout"]


@pytest.mark.rule("DDD-118", "DDD-295", "DDD-299", "DDD-R71", "DDD-R83")
def test_who_is_exchanged_into_a_climb_climbs_by_its_own_skulls_and_has_failed_none_to_retreat_from() -> None:
    battle, (one, two) = together("pointe_du_hoc", "1", "1")
    put(battle, one, "8", soldiers=9, courage=9, specialists=["War Correspondent"])
    put(battle, two, "9", soldiers=9, courage=9).turn.skulls = 4

    stage = begin(move_units(battle), "exchange:War Correspondent")

    assert (one.sector, two.sector) == ("9", "8")
    assert "move:11" not in stage.ids("move")
    assert "move:7" not in stage.ids("move")


@pytest.mark.rule("DDD-296", "DDD-R71")
@pytest.mark.parametrize(("to", "moved", "cry"), [("9", False, False), ("9", True, True), ("5", False, True)])
def test_who_is_exchanged_into_a_climb_does_not_move_with_a_battle_cry(
    to: str, *, moved: bool, cry: bool
) -> None:
    battle, (one, two) = together("pointe_du_hoc", "1", "1")
    put(battle, one, "8", soldiers=9, specialists=["War Correspondent"])
    put(battle, two, to, soldiers=9)
    one.turn.skulls, one.turn.battle_cry, one.turn.moved = 4, True, moved

    stage = begin(move_units(battle), "exchange:War Correspondent")

    assert one.turn.battle_cry is cry
    assert ("no Battle Cry in Sector 9" in one.turn.news) is not cry
    assert "move:11" not in stage.ids("move")


def test_a_beachmaster_who_is_the_last_and_is_sacrificed_still_brings_his_three() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=0, courage=2, specialists=["Beachmaster"])

    act(move_units(battle), "move:7")

    assert (unit.status, unit.soldiers, unit.dead) == ("fighting", 3, ["Beachmaster"])


# --- Combat


@pytest.mark.rule("DDD-272", "DDD-R40")
def test_a_medic_saves_one_of_all_that_a_combat_costs() -> None:
    battle, unit = alone("sword", bazooka_joe="all")
    battle.state.random_rolls["6"] = 1
    put(battle, unit, "6", soldiers=20, specialists=["Medic"])

    act(combat(battle), ["5"], "soldiers")

    assert unit.soldiers == 20 - (4 + 5 - 1)


@pytest.mark.rule("DDD-318", "DDD-173")
def test_a_torpedo_leaves_no_def_under_swords_mortar_fire() -> None:
    battle, (_, two) = together("deadstick", "merville", "M1")
    put(battle, two, "S2", soldiers=9, items=["Bangalore Torpedo"])

    act(combat(battle), "use:Bangalore Torpedo")

    assert two.soldiers == 9


@pytest.mark.rule("DDD-145", "DDD-168", "DDD-R46")
def test_engineer_and_specialists_beside_a_bunker_and_a_bazooka_add_up() -> None:
    battle, unit = alone()
    battle.state.laid["Bunker"] = 2
    put(battle, unit, "Bunker", soldiers=20, specialists=["Engineer"])
    assert battle.defence(unit, "Bunker", 0) == 12 - 5 - 2

    battle.state.lowered["Bunker"] = 7

    assert battle.defence(unit, "Bunker", 0) == 0


@pytest.mark.rule("DDD-R36", "DDD-304", "DDD-132")
def test_a_general_who_falls_at_the_mines_makes_nobody_ignore_the_sector_behind_them() -> None:
    battle, unit = alone()
    with_sector(battle, "10", general_ignores=True)
    battle.field.bare["10"] = msgspec.structs.replace(battle.field.sectors["10"], sacrifice=())
    put(battle, unit, "8", soldiers=0, courage=9, specialists=["General", "Scout", "Veteran"])

    act(move_units(battle), "move:10", ["1"], "General", "Scout", ["1"])

    assert (unit.sector, unit.specialists) == ("10", ["Veteran"])
