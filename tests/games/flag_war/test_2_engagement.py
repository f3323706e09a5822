"""Rules of engagement: who begins, the roll, doubles, skipping, one man or two: FLG-013 to FLG-021."""

from __future__ import annotations

import pytest

from companion.games.flag_war.pack import SEAT_NAMES
from tests.games.driver import Driver
from tests.games.flag_war.field import at, at_roll, fresh, labels, move, rolled, state


@pytest.mark.rule("FLG-014")
def test_the_highest_opening_die_takes_the_first_turn() -> None:
    driver = Driver(fresh(armies="3"))
    for die in ("2", "5", "4"):
        assert driver.ask.key == "flag_war.opening.roll"
        driver.answer([die])
    assert driver.ask.text == "East begins"

    turns = []
    for _ in range(4):
        driver.until("flag_war.turn.roll")
        turns.append(state(driver).on_turn)
        driver.answer(["1", "3"])
        while driver.until("flag_war.move.man", "flag_war.turn.roll").key == "flag_war.move.man":
            move(driver, driver.ids()[0])
    assert turns == ["E", "S", "N", "E"]


@pytest.mark.rule("FLG-R14")
@pytest.mark.parametrize(
    ("dice", "again", "first"),
    [
        ("525", "N1 S3", "S"),
        ("525", "N3 S1", "N"),
        ("255", "E3 S1", "E"),
        ("552", "N4 E4 N1 E2", "E"),
        ("555", "N4 E1 S4 N2 S1", "N"),
    ],
)
def test_only_tied_generals_roll_again(dice: str, again: str, first: str) -> None:
    driver = Driver(fresh(armies="3"))
    for die in dice:
        driver.answer([die])
    for seat, die in again.split():
        assert driver.ask.text == f"{SEAT_NAMES[seat]}: tied, one die again"
        driver.answer([die])
    assert driver.ask.text == f"{SEAT_NAMES[first]} begins"
    driver.until("flag_war.turn.roll")
    assert state(driver).on_turn == first


@pytest.mark.rule("FLG-R14")
def test_generals_can_be_tied_as_often_as_the_dice_will() -> None:
    driver = Driver(fresh(armies="2"))
    for _ in range(1000):
        driver.answer(["4"])
        driver.answer(["4"])
    assert driver.ask.text == "North: tied, one die again"


@pytest.mark.rule("FLG-013")
def test_generals_take_turns_clockwise() -> None:
    driver = at_roll({"armies": "4"}, **{seat: {"P1": f"{seat}-O1"} for seat in "NESW"})
    turns = []
    for _ in range(5):
        driver.until("flag_war.turn.roll")
        turns.append(state(driver).on_turn)
        driver.answer(["1", "2"])
        driver.until("flag_war.tao.use")
        driver.answer("dice")
        move(driver, driver.ids()[0])
        if driver.ask.key == "flag_war.move.man":
            move(driver, driver.ids()[0])
    assert turns == ["N", "E", "S", "W", "N"]


@pytest.mark.rule("FLG-015", "FLG-R15")
def test_a_turn_begins_with_a_roll_of_two_dice() -> None:
    driver = at_roll(N={"P1": "M44"})

    assert driver.ask.key == "flag_war.turn.roll"
    assert driver.ask.accept(["3", "4"]) == ("3", "4")


@pytest.mark.rule("FLG-016", "FLG-020")
def test_two_men_may_move_one_die_each() -> None:
    driver = rolled("52", N={"P1": "N-O1", "P2": "E-O1"}, S={"P1": "M00"})

    move(driver, "P1:2", "N-O3")
    move(driver, "P2:5", "E-O6")

    assert at(driver, "N", "P1") == "N-O3"
    assert at(driver, "N", "P2") == "E-O6"
    assert state(driver).on_turn == "S"


@pytest.mark.rule("FLG-016", "FLG-021", "FLG-R17")
def test_both_dice_may_move_one_man_and_then_nothing_is_left() -> None:
    driver = rolled("52", N={"P1": "N-O1", "P2": "E-O1"}, S={"P1": "M00"})

    move(driver, "P1:7", "N-O8")

    assert at(driver, "N", "P1") == "N-O8"
    assert state(driver).on_turn == "S"


@pytest.mark.rule("FLG-020", "FLG-R16", "FLG-R18")
def test_a_man_who_moved_one_die_does_not_move_the_other() -> None:
    driver = rolled("52", N={"P1": "N-O1", "P2": "E-O1"}, S={"P1": "M00"})

    move(driver, "P1:2", "N-O3")
    driver.until("flag_war.move.man")

    assert driver.ids() == ["P2:5"]


@pytest.mark.rule("FLG-R20")
def test_of_two_dice_the_one_that_can_be_moved_is_moved_and_the_other_lost() -> None:
    driver = rolled("61", N={"P1": "N-I5"}, S={"P1": "N-I3", "P2": "N-I3", "P3": "M00"})
    driver.until("flag_war.move.man")
    assert driver.ids() == ["P1:1"]

    move(driver, "P1:1", "N-flag")
    driver.until("flag_war.turn.roll")

    assert state(driver).on_turn == "S"


@pytest.mark.rule("FLG-R16", "FLG-R20")
def test_if_either_die_can_be_moved_but_not_both_the_general_chooses() -> None:
    driver = rolled("34", N={"P1": "M44"}, S={"P1": "S-O1"})
    driver.until("flag_war.move.man")
    assert {"P1:3", "P1:4"} <= set(driver.ids())
    assert not [one for one in driver.ids() if ":" not in one], "there is no passing"

    move(driver, "P1:4", "M04")
    driver.until("flag_war.turn.roll")

    assert state(driver).on_turn == "S"


def test_a_die_that_is_lost_is_told_with_the_next_roll() -> None:
    driver = rolled("34", N={"P1": "M44"}, S={"P1": "S-O1"})
    move(driver, "P1:4", "M04")

    assert driver.ask.key == "flag_war.turn.roll"
    assert driver.ask.text == "North: 3 can't be moved. South: roll two dice"
    driver.answer(["6", "6"])
    move(driver, "P1:12")
    driver.until("flag_war.turn.roll")
    assert driver.ask.text == "South: a double, roll again", "once"


def test_a_die_that_is_lost_is_told_before_it_is_decided_whether_to_free_a_prisoner() -> None:
    driver = rolled("34", N={"P1": "M44"}, S={"P1": "N-prison", "P2": "N-F24"})
    move(driver, "P1:4", "M04")

    assert (driver.ask.key, driver.ask.detail) == ("flag_war.rescue.whom", "North: 3 can't be moved")
    driver.restate()
    assert (driver.ask.key, driver.ask.detail) == ("flag_war.rescue.whom", "North: 3 can't be moved")
    assert driver.answer("roll").text == "South: roll two dice"


def test_a_die_that_is_lost_is_told_with_what_else_there_is_to_tell() -> None:
    driver = rolled("61", N={"P1": "N-flag"}, S={"P1": "N-I2", "P2": "N-I2", "P3": "M00"})
    move(driver, "P1:1")

    assert driver.ask.text == "North P1 moves 1: N-flag to N-I5; North: 6 can't be moved"
    assert driver.answer().detail == ""


@pytest.mark.rule("FLG-017", "FLG-018", "FLG-R21")
def test_each_double_is_moved_and_gives_another_roll() -> None:
    driver = rolled("44", N={"P1": "M44", "P2": "M00"}, S={"P1": "S-O1"})
    for dice in ("22", "15"):
        move(driver, driver.ids()[-1])
        driver.until("flag_war.move.man")
        move(driver, driver.ids()[-1])
        driver.until("flag_war.turn.roll")
        assert state(driver).on_turn == "N"
        assert driver.ask.text == "North: a double, roll again"
        driver.answer(list(dice))
    move(driver, driver.ids()[-1])
    driver.until("flag_war.move.man")
    move(driver, driver.ids()[-1])
    driver.until("flag_war.turn.roll")
    assert state(driver).on_turn == "S"


@pytest.mark.rule("FLG-019")
def test_the_turn_passes_if_neither_die_can_be_moved() -> None:
    driver = rolled("65", N={"P1": "N-I5", "P2": "N-I4"}, S={"P1": "N-I3", "P2": "N-I3", "P3": "M00"})

    assert driver.ask.key == "flag_war.turn.skip"
    driver.answer()
    assert state(driver).on_turn == "S"


@pytest.mark.rule("FLG-017", "FLG-R21")
def test_a_double_of_which_one_die_alone_can_be_moved_gives_another_roll() -> None:
    driver = rolled("33", N={"P1": "M44"}, S={"P1": "S-O1"})
    move(driver, "P1:3", "M47")
    driver.until("flag_war.turn.roll")

    assert driver.ask.text == "North: 3 can't be moved. North: a double, roll again"


@pytest.mark.rule("FLG-017", "FLG-R21")
def test_a_double_whose_second_man_is_taken_away_by_hand_gives_another_roll() -> None:
    driver = rolled("33", N={"P1": "M44", "P2": "M00"}, S={"P1": "S-O1"})
    move(driver, "P1:3", "M47")
    driver.until("flag_war.move.man")
    driver.answer("P2:3")
    assert driver.ask.key == "flag_war.move.to"
    state(driver).armies["N"].men["P2"].at = "S-prison"
    driver.restate()

    assert driver.ask.text == "North: 3 can't be moved. North: a double, roll again"


@pytest.mark.rule("FLG-019", "FLG-R21")
def test_a_double_whose_first_man_is_taken_away_by_hand_ends_the_turn() -> None:
    driver = rolled("33", N={"P1": "M44"}, S={"P1": "S-O1"})
    driver.answer("P1:3")
    state(driver).armies["N"].men["P1"].at = "S-prison"
    driver.restate()

    assert (driver.ask.key, driver.ask.text) == ("flag_war.turn.skip", "North: 3 3 can't be moved")


@pytest.mark.rule("FLG-R21")
def test_a_double_that_nobody_can_move_ends_the_turn() -> None:
    driver = rolled("66", N={"P1": "N-I5"}, S={"P1": "N-I3", "P2": "N-I3", "P3": "M00"})

    assert driver.ask.key == "flag_war.turn.skip"
    driver.answer()
    assert state(driver).on_turn == "S"


@pytest.mark.rule("FLG-R16", "FLG-R19")
def test_if_only_the_sum_can_be_moved_it_must_be() -> None:
    """A foe is safe on the bunker 3 spaces on, a blockade shuts the way back; 6 spaces on is free."""
    driver = rolled("33", N={"P1": "N-O3"}, S={"P1": "N-O6", "P2": "N-O2", "P3": "N-O2"})
    assert driver.ids() == ["P1:6"]

    move(driver, "P1:6")
    assert at(driver, "N", "P1") == "M04"


def test_choices_are_grouped_by_count_the_longest_first_and_gains_before() -> None:
    driver = rolled("43", N={"P1": "M00", "P2": "M44", "C1": "N-I3"}, S={"P1": "M03"})

    ids = driver.ids()

    counts = [int(one.split(":")[1]) for one in ids]
    assert counts == sorted(counts, reverse=True)
    assert ids[0] in {"P1:7", "P2:7"}
    assert ids.index("P1:3") < ids.index("P2:3")
    assert labels(driver)["P1:3"] == "P1: 3 from M00"


def test_destinations_put_captures_first_then_the_way_to_a_flag() -> None:
    driver = rolled("43", N={"P1": "M03"}, S={"P1": "M00"})
    driver.answer("P1:3")
    assert driver.ask.text == "North: P1 moves 3 from M03 to?"

    assert driver.ids()[0] == "M00"
    assert labels(driver)["M00"] == "M00: take South P1"
    assert driver.ids()[1] == "M24"


@pytest.mark.rule("FLG-R61")
def test_generals_may_agree_to_stop() -> None:
    driver = at_roll({"agreed_end": "100"}, N={"P1": "M00"}, S={"P1": "M88"})
    state(driver).turn = 100
    driver.answer(["1", "2"])
    driver.until("flag_war.tao.use")
    driver.answer("tao")
    driver.answer("done")

    assert driver.outcome.result == "ended"
    assert driver.outcome.score["turns"] == 100


@pytest.mark.rule("FLG-R59")
def test_an_army_without_free_men_is_skipped() -> None:
    driver = rolled("12", N={"P1": "M00"}, S={})
    for man in state(driver).armies["S"].men.values():
        man.at = "N-prison"
    driver.answer("dice")
    while driver.ask.key != "flag_war.turn.roll":
        told = driver.ask.text
        driver.answer(driver.ids()[0] if "move" in driver.ask.key else True)
    assert told == "South has no men free: turn skipped"
    assert state(driver).on_turn == "N"
    assert "S" in state(driver).armies
    assert state(driver).flags["S"] == ["S"], "its flag stays in play"


@pytest.mark.rule("FLG-017", "FLG-R59")
def test_who_loses_the_last_man_with_a_double_does_not_roll_again() -> None:
    driver = rolled("33", N={"P1": "M00"}, S={"H1": "M30", "P1": "M88"})
    for name, man in state(driver).armies["N"].men.items():
        man.at = man.at if name == "P1" else "S-prison"
    move(driver, "P1:3", "M30")
    driver.until("flag_war.battle.roll")
    driver.answer(["6", "6"])
    driver.until("flag_war.turn.roll")

    assert at(driver, "N", "P1") == "S-prison"
    assert state(driver).on_turn == "S"
