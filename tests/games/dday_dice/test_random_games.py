"""R21, the short form: whole games on every map with every invariant checked after every answer."""

from __future__ import annotations

import pytest

from companion.engine.override import assign
from companion.games.dday_dice import GAME
from companion.games.dday_dice.dice import Colour, full_set
from companion.games.dday_dice.invariants import broken
from companion.games.dday_dice.state import Status
from tests.games.dday_dice.beach import alone, put, shipped, together
from tests.longrun.random_games import play_checked, ready

SCENARIOS = [name for name in GAME.scenarios(shipped()) if name != "deadstick"]


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_solo_games_end_and_break_no_invariant(scenario: str) -> None:
    for seed in range(12):
        outcome, asks = play_checked(GAME, ready(GAME, scenario), seed)
        assert outcome.result in {"won", "lost"}
        assert asks < 5000


@pytest.mark.parametrize("scenario", ["tiger_basic", "omaha", "gold", "sword", "red_cliff", "deadstick"])
@pytest.mark.parametrize("players", ["2", "4"])
def test_random_games_for_several_do_too(scenario: str, players: str) -> None:
    for seed in range(3):
        play_checked(GAME, ready(GAME, scenario, {"players": players}), seed)


@pytest.mark.parametrize(
    "settings",
    [
        {"bazooka_joe": "all", "well_equipped": "yes", "soldier_mulligan": "yes"},
        {"wild_specialists": "yes", "quartermasters_whim": "yes", "blind_start": "yes"},
        {setting.name: setting.choices[-1] for setting in GAME.settings if "-R" in setting.rule[0]},
    ],
)
def test_optional_rules_and_other_rulings_do_too(settings: dict[str, str]) -> None:
    for scenario in ("gull_bay", "red_cliff", "pointe_du_hoc"):
        for seed in range(3):
            play_checked(GAME, ready(GAME, scenario, settings), seed)


@pytest.mark.parametrize("scenario", ["gull_bay", "sword"])
def test_cautious_games_reach_the_late_sectors_and_break_no_invariant_either(scenario: str) -> None:
    for seed in range(2):
        play_checked(GAME, ready(GAME, scenario), seed, "cautious")
    play_checked(GAME, ready(GAME, scenario, {"players": "2"}), 1, "cautious")


def test_invariants_see_what_is_wrong() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "8", soldiers=-1, specialists=["Medic", "Medic"], dead=["Medic"])
    put(battle, two, "8", soldiers=0, items=["Grenade"], vehicle="Tank")
    one.vehicle = "Tank"
    battle.state.pool_items.append("Grenade")
    one.visited += ["8"]
    one.dice = full_set() + full_set()
    one.dice[0].colour = Colour.NONE
    told = "; ".join(broken(battle))

    for words in (
        "units.0.soldiers below 0",
        "a Sector was entered twice",
        "Medic: both dead and alive",
        "a Specialist twice",
        "two dice of one name",
        "a die without a colour",
        "Unit B: nobody is left",
        "Item Grenade: two of it",
        "Vehicle Tank: two of it",
        "2 Units in Sector 8, which holds 1",
        "more than six dice",
    ):
        assert words in told


def test_an_override_to_nonsense_is_reported() -> None:
    battle, unit = alone()
    unit.sector = "42"
    unit.specialists = ["Napoleon", "Napoleon"]
    unit.hand, unit.items, unit.awards, unit.vehicle = ["Corporals"], ["Granade"], ["Medal"], "Jep"
    battle.state.pool_items.append("Bazoka")
    told = "; ".join(broken(battle))

    assert "no Sector '42'" in told
    assert "no Specialist card 'Napoleon'" in told
    for card in ("Specialist card 'Corporals'", "Item card 'Granade'", "Award card 'Medal'"):
        assert f"no {card}" in told
    assert "no Vehicle card 'Jep'" in told
    assert "no Item card 'Bazoka'" in told


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("scenario", "utah", "scenario: another can be chosen for another session alone"),
        ("units", [], "the Units are A, B, in that order"),
        ("units.1.name", "C", "the Units are A, B, in that order"),
        ("units.1.turn.partner", "C", "no Unit 'C'"),
        ("units.1.home", "sword", "no board 'sword'"),
        ("units.0.sector", "", "no Sector ''"),
        ("units.0.visited", ["1", "42"], "no Sector '42'"),
        ("units.0.turn.entered", "42", "no Sector '42'"),
        ("units.0.visited", ["1", "1"], "Unit A: a Sector was entered twice (DDD-117)"),
        ("units.0.bunker", "1", "no Bunker '1'"),
        ("units.0.taken", ["1"], "no Bunker '1'"),
        ("units.0.taken", ["Bunker", "Bunker"], "Unit A: a Sector was entered twice (DDD-117)"),
        ("units.0.status", "safe", "Unit A: safe, and yet in no Bunker (DDD-167)"),
        ("units.0.hand", ["Medic", "Medic"], "Unit A: Specialist Medic: two of it"),
        ("units.0.hand", ["Captain"], "Unit A: Specialist Captain: two of it"),
        ("units.0.kept_limit", -1, "units.0.kept_limit below 0"),
        ("units.0.turn.locked_skulls", 7, "Unit A: turn.locked_skulls: 7 of 6 dice"),
        ("units.0.turn.extra_losses", 7, "Unit A: turn.extra_losses: no die shows 7"),
        ("bunkers_taken", {"Bunkers": 3}, "no Bunker 'Bunkers'"),
        ("laid", {"1": 3}, "no Bunker '1'"),
        ("laid", {"Bunker": -3}, "laid.Bunker below 0"),
        ("lowered", {"1": -5}, "lowered.1 below 0"),
        ("guns", {"5": [1, 7]}, "guns: dice of Sector 5 out of range: [1, 7]"),
        ("guns", {"5": [0]}, "guns: dice of Sector 5 out of range: [0]"),
        ("units.0.stay", 0, "Unit A: the marker shows 1 chevron at least: stay below 1"),
        ("trading_pool", [{"id": "r1", "colour": "none"}], "Trading Pool: a die without a colour"),
        ("trading_pool", [{"id": "r3", "colour": "red"}], "no die 'r3'"),
        ("units.0.dice", [{"id": "", "colour": "red"}], "no die ''"),
        ("guns", {"42": [1]}, "no Sector '42'"),
        ("random_rolls", {"1": 3}, "no random Sector '1'"),
    ],
)
def test_an_override_that_the_game_would_trip_over_later_is_refused(
    path: str, value: object, words: str
) -> None:
    battle, _ = together("omaha")
    battle.state.turn = 2
    assert list(broken(battle)) == []
    assign(battle.state, path, value)

    assert words in list(broken(battle))


def test_a_wiped_out_unit_and_whatever_dice_can_show_can_be_set() -> None:
    battle, (one, other) = together("omaha")
    put(battle, other, "5", soldiers=4)
    one.soldiers, one.status = 0, Status.LOST
    one.turn.locked_skulls = one.turn.extra_losses = 6
    battle.state.guns = {"5": [1, 6]}

    assert list(broken(battle)) == []


def test_a_safe_unit_is_not_put_back_into_play_in_the_bunker_that_it_has_taken() -> None:
    """It would never be safe again: what it has taken is taken back first."""
    battle, (unit, _) = together("omaha")
    put(battle, unit, "Bunker", status=Status.SAFE, taken=["Bunker"], bunker="Bunker")
    assert list(broken(battle)) == []
    unit.status = Status.FIGHTING

    assert list(broken(battle)) == ["Unit A: in play in a Bunker that it has taken: set taken first"]


def test_a_unique_specialist_in_the_hand_of_one_unit_is_in_no_other() -> None:
    battle, (one, other) = together("omaha")
    put(battle, one, "1", soldiers=4, specialists=["Captain"])
    other.hand.append("Captain")

    assert "Specialist Captain: two of it" in list(broken(battle))


@pytest.mark.parametrize("line", [0, 7])
def test_a_random_table_has_six_lines(line: int) -> None:
    battle, _ = alone("sword")
    name = next(iter(battle.field.lines))
    battle.state.random_rolls = {name: line}

    assert list(broken(battle)) == [f"no line {line} for Sector {name}"]
