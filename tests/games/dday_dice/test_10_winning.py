"""Winning, losing, conflicts and ties (DDD-166 to DDD-175)."""

from __future__ import annotations

import pytest

from companion.engine.game import Outcome
from companion.games.dday_dice.arriving import hand_out
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.ending import counted_up, ended_by, over, victory_points
from companion.games.dday_dice.moving import choices, move_units
from companion.games.dday_dice.play import turn
from companion.games.dday_dice.state import Phase, Status, Turn
from tests.games.dday_dice.beach import act, alone, begin, put, together, with_sector


@pytest.mark.rule("DDD-166", "DDD-170")
def test_the_game_is_won_when_the_last_unit_has_survived_in_the_bunker() -> None:
    battle, (one, two) = together()
    put(battle, one, "Bunker", soldiers=30)
    put(battle, two, "9", soldiers=30)
    act(combat(battle), ["1"], ["1"])
    assert over(battle) is None

    put(battle, two, "Bunker")
    act(combat(battle), ["1"])

    outcome = over(battle)
    assert outcome is not None
    assert outcome.result == "won"
    assert ended_by(battle, outcome) == ("DDD-166", "DDD-170", "DDD-198", "DDD-208")


@pytest.mark.rule("DDD-166")
def test_one_specialist_is_enough_to_survive() -> None:
    battle, unit = alone()
    put(battle, unit, "Bunker", soldiers=13, specialists=["Scout"])

    act(combat(battle), ["1"], "soldiers")

    assert (unit.soldiers, unit.status) == (0, Status.SAFE)


@pytest.mark.rule("DDD-167", "DDD-R67")
def test_a_safe_unit_rolls_no_dice_and_takes_no_damage() -> None:
    battle, (one, two) = together()
    put(battle, one, "Bunker", soldiers=8, status=Status.SAFE)
    put(battle, two, "1", soldiers=20)
    calm = ["soldier1", "soldier1", "soldier2", "soldier1", "soldier1", "soldier1"]

    stage = act(turn(battle), calm, ["r1", "r2"], [])

    assert stage.keys.count("roll.1") == 1
    assert one.soldiers == 8
    assert battle.in_sector("Bunker") == [], "it makes no room narrow, and no Item useful"


@pytest.mark.rule("DDD-167", "DDD-R67")
def test_who_survives_the_combat_in_a_bunker_is_safe_at_once() -> None:
    battle, (one, two) = together()
    put(battle, one, "Bunker", soldiers=20)
    put(battle, two, "1", soldiers=20)

    act(combat(battle), ["1"])

    assert (one.status, two.status) == (Status.SAFE, Status.FIGHTING)
    assert battle.fighting() == [two]


@pytest.mark.rule("DDD-168", "DDD-R68")
def test_specialists_beside_the_bunker_lower_its_def_for_those_still_to_come() -> None:
    battle, (one, two) = together()
    put(battle, one, "Bunker", soldiers=30, specialists=["Scout", "Medic", "Veteran"])
    put(battle, two, "9", soldiers=30)
    act(combat(battle), ["1"], ["1"], "soldiers")

    assert battle.state.laid == {"Bunker": 3}
    assert battle.defence(two, "Bunker", 0) == 9


@pytest.mark.rule("DDD-168", "DDD-R68")
def test_specialists_of_units_that_come_one_after_the_other_lower_the_def_together() -> None:
    battle, (one, two, three) = together(players=3)
    put(battle, three, "9", soldiers=90)
    for unit, falls in ((one, []), (two, ["soldiers"])):
        put(battle, unit, "Bunker", soldiers=30, specialists=["Scout", "Medic"] if falls else ["Scout"])
        act(combat(battle), ["1"], ["1"], *(falls or ["soldiers"]))

    assert battle.defence(three, "Bunker", 0) == 12 - 1 - 2


@pytest.mark.rule("DDD-169")
def test_units_that_enter_together_do_not_help_each_other() -> None:
    battle, (one, two) = together()
    put(battle, one, "Bunker", soldiers=30, specialists=["Scout", "Medic"])
    put(battle, two, "Bunker", soldiers=30)

    act(combat(battle), ["1"], "done", "done", "soldiers")

    assert (one.soldiers, two.soldiers) == (30 - 12, 30 - 13)


@pytest.mark.rule("DDD-171")
def test_a_unit_with_neither_soldiers_nor_specialists_loses_the_game() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=6)

    act(combat(battle))

    outcome = over(battle)
    assert outcome is not None
    assert outcome.result == "lost"
    assert outcome.reason == "wiped out in Sector 4"


def test_of_several_units_it_is_said_which_was_wiped_out() -> None:
    battle, (one, two) = together()
    put(battle, one, "6", soldiers=20)
    put(battle, two, "4", soldiers=6)

    act(combat(battle))

    outcome = over(battle)
    assert outcome is not None
    assert outcome.reason == "Unit B was wiped out in Sector 4"


@pytest.mark.parametrize(
    ("fields", "way", "reason", "rule"),
    [
        ({"courage": 9}, "move:9", "wiped out on the way from Sector 7", "DDD-171"),
        ({"stay": 4}, "lost", "stuck in Sector 7", "DDD-172"),
    ],
)
def test_who_falls_at_the_mines_or_has_no_way_out_is_said_to(
    fields: dict[str, object], way: str, reason: str, rule: str
) -> None:
    battle, unit = alone()
    battle.state.phase = Phase.MOVE
    put(battle, unit, "7", soldiers=6, visited=["7", "8"], **fields)

    act(move_units(battle), way, *([["6"]] if way != "lost" else []))

    outcome = over(battle)
    assert outcome is not None
    assert outcome.reason == reason
    assert ended_by(battle, outcome) == (rule, "DDD-198")


@pytest.mark.rule("DDD-120", "DDD-172")
def test_who_had_to_move_and_was_turned_back_at_the_mines_is_said_to_be_stuck() -> None:
    battle, unit = alone(guard_required="no")
    battle.state.phase = Phase.MOVE
    put(battle, unit, "8", soldiers=9, courage=9, specialists=["Scout"], stay=4)

    act(move_units(battle), "move:10", ["1"], "Scout")

    outcome = over(battle)
    assert outcome is not None
    assert outcome.reason == "stuck in Sector 8"


def test_a_turn_ends_at_the_mines_of_its_fourth_phase_and_says_so() -> None:
    battle, unit = alone()
    put(battle, unit, "7", soldiers=1, visited=["7", "8"], courage=9)
    tally = ["tool", "tool", "courage", "courage", "tool", "courage"]

    outcome = act(turn(battle), tally, [], "done", "move:9", ["6"]).result

    assert isinstance(outcome, Outcome)
    assert (outcome.result, outcome.reason) == ("lost", "wiped out on the way from Sector 7")


@pytest.mark.rule("DDD-R75")
def test_units_of_a_training_that_fell_in_different_turns_are_not_told_of_as_if_in_the_last() -> None:
    battle, (one, two) = together("tiger_basic")
    put(battle, one, "7", soldiers=3, visited=["7", "8"], courage=9, stay=4)
    put(battle, two, "7", soldiers=30)
    act(move_units(battle), "move:9", ["6"], "stay")
    assert over(battle) is None

    one.turn, battle.state.phase = Turn(), Phase.MOVE
    put(battle, two, "7", visited=["7", "8"], courage=0, stay=4)
    act(move_units(battle), "lost")

    outcome = over(battle)
    assert outcome is not None
    assert outcome.reason == "no Unit is left"


@pytest.mark.rule("DDD-173")
def test_a_specialist_beats_a_sector_in_a_contradiction() -> None:
    battle, unit = alone("sword")
    put(battle, unit, "9", soldiers=20, specialists=["Point Man"])
    unit.stay = 2

    assert battle.must_move(unit)
    assert "linger:Point Man" in [option.id for option in choices(battle, unit, later=False)]


@pytest.mark.rule("DDD-173", "DDD-R85")
def test_an_award_beats_a_def_that_no_item_can_lower() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "11")
    before = battle.defence(unit, "11", 0)
    battle.state.lowered["11"] = 7
    assert battle.defence(unit, "11", 0) == before

    battle.state.lowered_by_award["11"] = 5

    assert battle.defence(unit, "11", 0) == before - 5


@pytest.mark.rule("DDD-174", "DDD-R69")
def test_the_unit_with_fewer_soldiers_gets_the_sectors_gift() -> None:
    battle, (one, two) = together("gold")
    put(battle, one, "8", soldiers=7)
    put(battle, two, "8", soldiers=4)
    one.turn.entered = two.turn.entered = one.sector

    act(hand_out(battle), "Memorial Cross")

    assert (one.awards, two.awards) == ([], ["Memorial Cross"])


@pytest.mark.rule("DDD-174")
def test_a_weaker_unit_elsewhere_is_no_rival() -> None:
    battle, (one, two) = together("gold")
    put(battle, one, "8", soldiers=7)
    put(battle, two, "7", soldiers=1)
    one.turn.entered, two.turn.entered = "8", "7"

    act(hand_out(battle), "Memorial Cross")

    assert one.awards == ["Memorial Cross"]


@pytest.mark.rule("DDD-175")
@pytest.mark.parametrize(
    ("scenario", "sector", "what", "more"),
    [("gold", "8", "Award", ["Memorial Cross"]), ("juno", "13", "Flame-Thrower", [])],
)
def test_a_tie_that_persists_is_settled_at_the_table(
    scenario: str, sector: str, what: str, more: list[str]
) -> None:
    battle, (one, two) = together(scenario)
    put(battle, one, sector, soldiers=4)
    put(battle, two, sector, soldiers=4)
    one.turn.entered = two.turn.entered = one.sector

    stage = act(hand_out(battle), "A", *more)

    assert stage.asks[0].text == f"A tie in Sector {sector}: who gets the {what}?"
    assert [*one.awards, *one.items] == (more or [what])


@pytest.mark.rule("DDD-071")
def test_a_tie_for_an_award_that_the_empty_deck_can_not_give_is_not_settled() -> None:
    battle, (one, two) = together("gold")
    put(battle, one, "8", soldiers=4)
    put(battle, two, "8", soldiers=4)
    one.turn.entered = two.turn.entered = "8"
    battle.state.award_deck.clear()

    assert act(hand_out(battle)).keys == []
    assert battle.state.gifts_taken == ["8"]


def test_a_tie_for_an_award_is_not_said_to_be_for_a_specialist_who_joins_everybody() -> None:
    battle, (one, two) = together("gold")
    with_sector(battle, "8", joins="Scout")
    put(battle, one, "8", soldiers=4)
    put(battle, two, "8", soldiers=4)
    one.turn.entered = two.turn.entered = "8"

    assert begin(hand_out(battle)).open.text == "A tie in Sector 8: who gets the Award?"


@pytest.mark.rule("DDD-R69")
def test_specialists_count_in_a_tie() -> None:
    battle, (one, two) = together("gold")
    with_sector(battle, "8", guns=0)
    put(battle, one, "8", soldiers=3, specialists=["Medic", "Veteran"])
    put(battle, two, "8", soldiers=4)
    one.turn.entered = two.turn.entered = one.sector

    act(hand_out(battle), "Memorial Cross")

    assert two.awards == ["Memorial Cross"]


def test_the_last_unit_to_be_safe_lays_nobody_beside_the_bunker_for_others() -> None:
    battle, unit = alone()
    put(battle, unit, "Bunker", soldiers=30, specialists=["Scout"])

    report = act(combat(battle), ["1"], "soldiers").asks[-1]

    assert report.text.splitlines() == ["13 lost, 17 Soldiers left", "safe in Bunker"]


def test_the_report_of_a_combat_says_who_is_safe_and_how_the_markers_stand() -> None:
    battle, (one, two) = together()
    put(battle, one, "Bunker", soldiers=30, specialists=["Scout", "Medic"])
    put(battle, two, "9", soldiers=30)

    report = act(combat(battle), ["1"], ["1"], "soldiers").asks[-1]

    assert report.text.splitlines()[2:] == ["A: safe in Bunker, its Specialists go beside the Bunker: DEF -2"]
    assert report.rule == tuple(f"DDD-{n}" for n in (162, 163, 164, 166, 167, 168))
    assert report.detail.splitlines()[1].endswith("Sector 9, marker: 1 chevron")


@pytest.mark.rule("DDD-002", "DDD-171")
def test_when_a_unit_has_fallen_at_the_mines_nobody_else_is_asked_to_move() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=9, courage=9)
    put(battle, two, "7", soldiers=1, courage=9)

    stage = act(move_units(battle), "later", "move:9", ["6"])

    assert stage.keys == ["move", "move", "mines"]
    assert over(battle) is not None


@pytest.mark.rule("DDD-002", "DDD-172", "DDD-R90")
def test_when_a_unit_was_given_up_the_others_gain_no_award_any_more() -> None:
    battle, (one, two) = together("gold")
    put(battle, one, "5", soldiers=9, courage=9)
    put(battle, two, "9", soldiers=9)
    put(battle, two, "10", soldiers=9)
    two.stay = 4

    act(move_units(battle), "move:8", "lost")

    assert (one.sector, one.awards_earned) == ("8", 0)
    assert [victory_points(battle, unit) for unit in (one, two)] == [80 + 9 + 2 * one.courage, 100]


@pytest.mark.rule("DDD-207")
def test_at_the_end_it_is_told_what_the_victory_points_come_of() -> None:
    battle, unit = alone()
    put(battle, unit, "9", soldiers=5, courage=2, specialists=["Scout", "Hero", "Medic", "Veteran"])
    put(battle, unit, "Bunker")
    unit.bunker, unit.first_in = "Bunker", True

    words = "Bunker: 20, first into it: 20, Sector 9: 90, 5 Soldiers: 5, 2 Courage: 4, 4 Specialists: 12"
    assert counted_up(battle) == f"151 VP - {words}"


def test_of_several_the_victory_points_of_each_are_told_at_the_end() -> None:
    battle, (one, two) = together()
    put(battle, one, "3", soldiers=1, courage=0)
    put(battle, two, "4", soldiers=0, courage=0, awards_earned=1)

    assert counted_up(battle).split("\n") == [
        "The lowest VP count for all.",
        "A: 31 VP - Sector 3: 30, 1 Soldier: 1",
        "B: 50 VP - Sector 4: 40, 1 Award: 10",
    ]
