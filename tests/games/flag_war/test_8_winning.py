"""Winning the war: FLG-081 to FLG-085."""

from __future__ import annotations

import pytest

from companion.engine.asks import Show
from companion.games.flag_war.script import outcome
from companion.games.flag_war.state import Player
from tests.games.driver import Driver
from tests.games.flag_war.field import at, at_roll, fresh, move, rolled, state, ways

FOE = {"P1": "S-O1"}


def about_to_win(dice: str) -> Driver:
    """North's carrier stands two steps before his flag's place with the last flag."""
    driver = rolled(dice, N={"C1": "N-I4", "P1": "M44"}, S=FOE)
    state(driver).armies["N"].men["C1"].flag = "S"
    state(driver).flags["S"] = []
    return driver


def look_on(driver: Driver, why: str) -> None:
    """What is shown until the war is over; nothing else is asked."""
    while driver.outcome is None:
        assert isinstance(driver.ask, Show), why
        driver.answer()


@pytest.mark.rule("FLG-082")
@pytest.mark.parametrize("name", ["P1", "M1", "H1"])
def test_only_carriers_take_flags(name: str) -> None:
    driver = rolled("16", N={name: "S-I5"}, S=FOE)
    move(driver, f"{name}:1", "S-flag")

    assert state(driver).armies["N"].men[name].flag == ""
    assert state(driver).flags["S"] == ["S"]


@pytest.mark.rule("FLG-083")
def test_a_flag_is_taken_by_exact_count_alone() -> None:
    driver = rolled("45", N={"C1": "S-I2"}, S=FOE)
    assert "S-flag" not in ways(driver, "C1:5")

    move(driver, "C1:4", "S-flag")

    assert driver.ask.text.startswith("North C1 takes South's flag along; ")
    assert driver.ask.rule == ("FLG-083", "FLG-R20"), "the other die can't be moved"
    assert state(driver).armies["N"].men["C1"].flag == "S"
    assert state(driver).flags["S"] == []


@pytest.mark.rule("FLG-084")
def test_a_flag_is_delivered_by_exact_count_on_the_own_square() -> None:
    driver = rolled("25", {"armies": "3"}, N={"C1": "N-I4"}, S=FOE, E={"P1": "E-O1"})
    state(driver).armies["N"].men["C1"].flag = "E"
    state(driver).flags["E"] = []
    assert "N-flag" not in ways(driver, "C1:5")

    move(driver, "C1:2", "N-flag")

    assert state(driver).flags["N"] == ["N", "E"]
    assert state(driver).armies["N"].men["C1"].flag == ""


@pytest.mark.rule("FLG-084", "FLG-R58")
def test_both_dice_together_are_an_exact_count_too() -> None:
    driver = rolled("31", {"armies": "3"}, N={"C1": "N-I2"}, S=FOE, E={"P1": "E-O1"})
    state(driver).armies["N"].men["C1"].flag = "E"
    state(driver).flags["E"] = []

    move(driver, "C1:4", "N-flag")

    assert state(driver).flags["N"] == ["N", "E"]


@pytest.mark.rule("FLG-R60")
def test_without_carriers_an_army_plays_on_and_takes_no_flag() -> None:
    driver = rolled("16", N={"P1": "S-I5", "C1": "S-prison", "C2": "S-prison"}, S=FOE)
    move(driver, "P1:1", "S-flag")

    assert driver.outcome is None
    assert state(driver).flags["S"] == ["S"]


@pytest.mark.rule("FLG-081", "FLG-085")
def test_the_war_is_won_when_the_carrier_lands_with_the_last_flag() -> None:
    driver = about_to_win("25")

    move(driver, "C1:2", "N-flag")
    assert driver.ask.text.endswith("South's flag onto North's flag square; North wins the war")
    assert driver.ask.rule == ("FLG-084", "FLG-085")
    look_on(driver, "the other die is not moved any more")

    assert driver.outcome.result == "ended"
    assert driver.outcome.reason == "North holds all flags"


@pytest.mark.rule("FLG-081", "FLG-R56")
def test_the_own_flag_has_to_be_home_too() -> None:
    driver = rolled("25", N={"C1": "N-I4"}, S=FOE)
    state(driver).armies["N"].men["C1"].flag = "S"
    state(driver).flags |= {"N": [], "S": ["N"]}

    move(driver, "C1:2", "N-flag")

    assert state(driver).winner == ""


@pytest.mark.rule("FLG-081")
@pytest.mark.parametrize(("seat", "name"), [("N", "C2"), ("S", "P1")])
def test_a_flag_that_is_still_carried_is_missing(seat: str, name: str) -> None:
    men = {"C1": "N-I4", "C2": "M44"}
    driver = rolled("25", {"armies": "3"}, N=men, S=FOE, E={"P1": "E-O1"})
    state(driver).armies["N"].men["C1"].flag = "E"
    state(driver).armies[seat].men[name].flag = "S"
    state(driver).flags |= {"E": [], "S": []}
    move(driver, "C1:2", "N-flag")

    assert state(driver).flags["N"] == ["N", "E"]
    assert state(driver).winner == ""


@pytest.mark.rule("FLG-017", "FLG-085")
def test_who_wins_with_a_double_does_not_roll_again() -> None:
    driver = about_to_win("22")
    move(driver, "C1:2", "N-flag")
    look_on(driver, "nobody rolls any more")

    assert driver.outcome.reason == "North holds all flags"


@pytest.mark.rule("FLG-085", "FLG-R44")
def test_who_wins_under_the_tao_moves_nobody_else() -> None:
    driver = about_to_win("12")
    driver.answer("tao")
    move(driver, "C1:2", "N-flag")
    look_on(driver, "the Tao is over")

    assert driver.outcome.reason == "North holds all flags"


@pytest.mark.rule("FLG-R52", "FLG-R53")
def test_a_carrier_holds_one_flag_and_chooses_among_several() -> None:
    driver = rolled("16", {"armies": "3"}, N={"C1": "S-I5", "C2": "S-I4"}, S=FOE, E={"P1": "E-O1"})
    state(driver).flags |= {"S": ["S", "E"], "E": []}
    move(driver, "C1:1", "S-flag")

    assert driver.ask.key == "flag_war.flag.which"
    assert driver.ids() == ["E", "S"]
    driver.answer("E")
    assert state(driver).armies["N"].men["C1"].flag == "E"
    assert state(driver).flags["S"] == ["S"]


@pytest.mark.rule("FLG-R53")
@pytest.mark.parametrize(("lying", "taken"), [("SEN", "N"), ("SE", None)])
def test_the_box_takes_its_own_flag_first_and_any_other(lying: str, taken: str | None) -> None:
    driver = rolled("16", {"armies": "3"}, N={"C1": "S-I5", "C2": "S-I4"}, S=FOE, E={"P1": "E-O1"})
    state(driver).flags |= {"N": [], "S": list(lying), "E": []}
    move(driver, "C1:1", "S-flag")

    assert driver.play.advise(driver.ask, "raider") == taken


@pytest.mark.rule("FLG-R52")
def test_a_carrier_who_holds_a_flag_leaves_the_next_one_where_it_is() -> None:
    driver = rolled("16", {"armies": "3"}, N={"C1": "S-I5"}, S=FOE, E={"P1": "E-O1"})
    state(driver).armies["N"].men["C1"].flag = "E"
    state(driver).flags["E"] = []
    move(driver, "C1:1", "S-flag")

    assert state(driver).armies["N"].men["C1"].flag == "E"
    assert state(driver).flags["S"] == ["S"]


@pytest.mark.rule("FLG-R54")
@pytest.mark.parametrize("lying", [["N"], ["N", "E"], ["E"]])
def test_at_home_a_carrier_takes_nothing(lying: list[str]) -> None:
    driver = rolled("16", {"armies": "3"}, N={"C1": "N-I5"}, S=FOE, E={"P1": "E-O1"})
    state(driver).flags["N"] = [*lying]
    move(driver, "C1:1", "N-flag")

    assert state(driver).armies["N"].men["C1"].flag == ""
    assert state(driver).flags["N"] == lying


@pytest.mark.rule("FLG-R55")
@pytest.mark.parametrize(
    ("die", "ends", "flag"), [("2", "S-flag", "S"), ("3", "S-I5", ""), ("4", "S-prison", "")]
)
def test_a_flag_square_held_by_an_enemy_has_to_be_won_first(die: str, ends: str, flag: str) -> None:
    driver = rolled("16", N={"C1": "S-I5"}, S=FOE | {"M1": "S-flag"})
    move(driver, "C1:1", "S-flag")
    driver.until("flag_war.battle.roll")
    driver.answer([die])

    assert at(driver, "N", "C1") == ends
    assert state(driver).armies["N"].men["C1"].flag == flag
    assert state(driver).flags["S"] == ([] if flag else ["S"])


@pytest.mark.rule("FLG-R55")
@pytest.mark.parametrize(("die", "home"), [("2", ["N", "E"]), ("3", ["N"])])
def test_a_flag_is_delivered_on_the_own_square_once_it_is_won_back(die: str, home: list[str]) -> None:
    driver = rolled("16", {"armies": "3"}, N={"C1": "N-I5"}, S=FOE | {"M1": "N-flag"}, E={"P1": "E-O1"})
    state(driver).armies["N"].men["C1"].flag = "E"
    state(driver).flags["E"] = []
    move(driver, "C1:1", "N-flag")
    driver.until("flag_war.battle.roll")
    driver.answer([die])

    assert state(driver).flags["N"] == home


@pytest.mark.rule("FLG-R42", "FLG-R57")
def test_the_last_flag_won_by_capture_wins_at_once() -> None:
    driver = rolled("16", N={"C1": "M44"}, S=FOE | {"M1": "M45"})
    state(driver).armies["N"].men["C1"].flag = "N"
    state(driver).flags |= {"N": []}
    move(driver, "C1:1", "M45")
    driver.until("flag_war.battle.roll")
    driver.answer(["6"])
    while driver.outcome is None:
        driver.answer()

    assert driver.outcome.reason == "South holds all flags"


@pytest.mark.rule("FLG-R57")
def test_who_captures_the_last_flag_in_the_own_turn_wins_before_the_other_die_is_moved() -> None:
    driver = rolled("16", N={"P1": "M44", "P2": "M00"}, S=FOE | {"C1": "M45"})
    state(driver).armies["S"].men["C1"].flag = "S"
    state(driver).flags |= {"S": []}
    move(driver, "P1:1", "M45")
    look_on(driver, "the other die is not moved any more")

    assert driver.outcome.reason == "North holds all flags"


@pytest.mark.rule("FLG-070", "FLG-R42")
def test_the_flag_of_a_carrier_lost_with_his_blockade_goes_to_the_winner_too() -> None:
    blockade = {"C1": "N-O5", "P2": "N-O5", "P6": "S-O1"}
    driver = rolled("16", {"armies": "3"}, N={"H1": "N-O4"}, S=blockade, E={"P1": "E-O1"})
    state(driver).armies["S"].men["C1"].flag = "E"
    state(driver).flags["E"] = []
    move(driver, "H1:1", "N-O5")
    driver.until("flag_war.battle.roll")
    driver.answer(["6", "6"])

    assert at(driver, "S", "C1") == "N-prison"
    assert state(driver).flags["N"] == ["N", "E"]


@pytest.mark.rule("FLG-081")
def test_flags_of_empty_bases_are_needed_too() -> None:
    driver = at_roll({"empty_flags": "yes"}, N={"C1": "N-I4"}, S=FOE)
    state(driver).armies["N"].men["C1"].flag = "S"
    state(driver).flags["S"] = []
    driver.answer(["2", "5"])
    move(driver, "C1:2", "N-flag")

    assert state(driver).winner == ""


@pytest.mark.parametrize(
    ("people", "result"),
    [("NS", "ended"), ("N", "won"), ("S", "lost"), ("SE", "lost"), ("", "ended")],
)
def test_who_of_several_people_has_won_is_told_by_the_reason_alone(people: str, result: str) -> None:
    """A logbook elsewhere would call all of them winners."""
    play = fresh(armies="3")
    for seat, army in play.state.armies.items():
        army.player = Player.PERSON if seat in people else Player.RAIDER
    play.state.winner = "N"
    play.state.flags |= {"N": ["N", "E", "S"], "E": [], "S": []}
    ended = outcome(play.table)
    assert (ended.result, ended.reason) == (result, "North holds all flags")


@pytest.mark.parametrize("policy", ["raider", "guard"])
def test_the_boxs_carrier_steps_off_its_flag_square_for_the_one_with_the_last_flag(policy: str) -> None:
    driver = at_roll(N={"C1": "N-I2", "C2": "N-flag", "P1": "M44"}, S={"P1": "N-prison"})
    war = state(driver)
    war.armies["N"].men["C1"].flag, war.flags["S"] = "S", []
    driver.answer(["6", "1"])
    driver.until("flag_war.move.man")

    assert str(driver.play.advise(driver.ask, policy)).startswith("C2:")


@pytest.mark.parametrize("policy", ["raider", "guard"])
@pytest.mark.parametrize(("at", "flag"), [("N-I3", "S"), ("S-I3", "")])
def test_the_box_takes_a_flag_in_reach_also_where_the_war_drags_on(policy: str, at: str, flag: str) -> None:
    driver = at_roll(N={"C1": at, "P1": "M44", "H1": "M22"}, S={"P1": "N-prison"})
    war = state(driver)
    war.turn = 2 * 300
    if flag:
        war.armies["N"].men["C1"].flag, war.flags["S"] = flag, []
    driver.answer(["3", "6"])
    driver.until("flag_war.move.man")

    assert driver.play.advise(driver.ask, policy) == "C1:3"


@pytest.mark.parametrize("policy", ["raider", "guard"])
@pytest.mark.parametrize(("turn", "any_man"), [(2 * 198, False), (2 * 201, True), (2 * 201 + 2, False)])
def test_any_man_of_the_box_may_move_in_every_third_round_of_a_war_that_drags_on(
    policy: str, turn: int, any_man: bool
) -> None:
    driver = at_roll(N={"P1": "M44", "H1": "M00"}, S={"P1": "S-F33"})
    state(driver).turn = turn
    driver.answer(["3", "1"])
    driver.until("flag_war.move.man")

    assert (driver.play.advise(driver.ask, policy) is None) is any_man


@pytest.mark.parametrize("policy", ["raider", "guard"])
@pytest.mark.parametrize(("at", "flag"), [("N-O7", "S"), ("N-F42", "")])
def test_the_boxs_blockade_makes_way_for_its_own_carrier(policy: str, at: str, flag: str) -> None:
    driver = at_roll(N={"C1": at, "H1": "N-O5", "M1": "N-O5", "P1": "M44"}, S={"P1": "N-prison"})
    war = state(driver)
    if flag:
        war.armies["N"].men["C1"].flag, war.flags["S"] = flag, []
    driver.answer(["3", "1"])
    driver.until("flag_war.move.man")

    assert str(driver.play.advise(driver.ask, policy)).startswith(("H1:", "M1:"))


@pytest.mark.parametrize("policy", ["raider", "guard"])
@pytest.mark.parametrize(("at", "flag"), [("N-O6", "S"), ("S-O6", "")])
def test_the_boxs_carrier_does_not_stay_in_a_bunker_for_an_enemy_near_its_way(
    policy: str, at: str, flag: str
) -> None:
    base = at[0]
    driver = at_roll(
        {"combined_move": "sequential"}, N={"C1": at, "P1": "M00"}, S={"P1": f"{base}-F22", "C1": "N-prison"}
    )
    war = state(driver)
    if flag:
        war.armies["N"].men["C1"].flag, war.flags["S"] = flag, []
    driver.answer(["6", "5"])
    driver.until("flag_war.move.man")

    assert driver.play.advise(driver.ask, policy) == "C1:6"


@pytest.mark.parametrize("policy", ["raider", "guard"])
def test_the_boxs_blockade_makes_way_for_its_carriers_on_either_side(policy: str) -> None:
    men = {"C1": "N-O7", "C2": "N-F42", "H1": "N-O5", "M1": "N-O5", "P1": "M44", "P2": "N-O4"}
    driver = at_roll(N=men, S={"P1": "N-prison"})
    war = state(driver)
    war.armies["N"].men["C1"].flag, war.flags["S"], war.flags["W"] = "S", [], ["W"]
    driver.answer(["3", "1"])
    driver.until("flag_war.move.man")

    assert str(driver.play.advise(driver.ask, policy)).startswith(("H1:", "M1:"))


@pytest.mark.parametrize("policy", ["raider", "guard"])
def test_the_boxs_blockade_makes_way_for_a_rescue(policy: str) -> None:
    """Its pawns face as many of the enemy's, where nobody wins; the artillery stands behind them."""
    men = {"C1": "S-prison", "C2": "S-prison", "P1": "S-O7", "P2": "S-O7", "H1": "M84"}
    driver = rolled("32", N=men, S={"P1": "S-O6", "P2": "S-O6"})
    driver.until("flag_war.move.man")

    assert str(driver.play.advise(driver.ask, policy)).startswith(("P1:", "P2:"))


@pytest.mark.rule("FLG-081")
def test_who_was_given_the_last_flag_by_hand_has_won_once_the_turn_is_over() -> None:
    driver = rolled("45", N={"P1": "M44"}, S=FOE)
    state(driver).flags |= {"N": ["N", "S"], "S": []}
    driver.restate()
    move(driver, "P1:9")
    look_on(driver, "the war went on")

    assert driver.outcome.reason == "North holds all flags"


def test_the_score_counts_flags_and_prisoners() -> None:
    driver = rolled("45", {"armies": "3"}, N={"P1": "M44"}, S=FOE, E={"P1": "N-prison", "P2": "N-prison"})
    state(driver).flags |= {"N": ["N", "S"], "S": []}
    counted = outcome(driver.play.table).score

    assert {name: many for name, many in counted.items() if many} == {
        "flags North": 2,
        "flags East": 1,
        "prisoners North": 2,
        "turns": 1,
    }


def test_who_is_made_the_winner_by_hand_is_told_neither_of_dice_nor_of_flags() -> None:
    driver = rolled("45", N={"P1": "M44"}, S=FOE)
    state(driver).winner = "N"
    driver.restate()

    assert driver.outcome.reason == "North is the winner, set by hand"
