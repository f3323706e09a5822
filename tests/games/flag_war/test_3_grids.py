"""Deploying in engagement grids: FLG-022 to FLG-029."""

from __future__ import annotations

import pytest

from tests.games.flag_war.field import at, move, rolled, state, ways


@pytest.mark.rule("FLG-022", "FLG-023")
def test_a_step_goes_forward_backward_right_or_left_never_diagonally() -> None:
    driver = rolled("16", N={"P1": "M44"}, S={"P1": "S-O1"})

    assert ways(driver, "P1:1") == {"M34", "M54", "M43", "M45"}


@pytest.mark.rule("FLG-024")
def test_a_count_may_turn_corners() -> None:
    driver = rolled("26", N={"P1": "M44"}, S={"P1": "S-O1"})

    assert ways(driver, "P1:2") == {"M24", "M64", "M42", "M46", "M33", "M35", "M53", "M55"}


@pytest.mark.rule("FLG-025", "FLG-R22")
def test_nobody_returns_to_a_space_within_a_roll() -> None:
    driver = rolled("23", N={"C1": "N-flag", "P1": "N-O4"}, S={"P1": "S-O1"})

    assert ways(driver, "C1:2") == {"N-I4"}
    assert ways(driver, "C1:3") == {"N-I3"}
    assert ways(driver, "P1:2") == {"N-O2", "N-O6"}


@pytest.mark.rule("FLG-R22")
def test_after_a_double_a_man_may_go_back_where_he_came_from() -> None:
    driver = rolled("22", N={"P1": "N-O2", "P2": "M44"}, S={"P1": "S-O1"})
    move(driver, "P1:2", "N-O4")
    move(driver, "P2:2", "M46")
    driver.until("flag_war.turn.roll")
    driver.answer(["2", "6"])

    assert "N-O2" in ways(driver, "P1:2")


@pytest.mark.rule("FLG-026", "FLG-028")
def test_an_own_man_on_a_grid_space_bars_landing_there() -> None:
    driver = rolled("36", N={"P1": "M44", "P2": "M47"}, S={"P1": "S-O1"})

    assert "M47" not in ways(driver, "P1:3")
    assert "M46" not in ways(driver, "P1:3")
    assert "M45" in ways(driver, "P1:3")


@pytest.mark.rule("FLG-027")
def test_men_are_passed_over_on_a_grid() -> None:
    around = {"P2": "M34", "P3": "M54", "P4": "M43"}
    driver = rolled("26", N={"P1": "M44", **around}, S={"P1": "M45"})

    assert ways(driver, "P1:2") == {"M24", "M64", "M42", "M46", "M33", "M35", "M53", "M55"}


@pytest.mark.rule("FLG-029")
def test_landing_on_another_armys_man_is_an_attempt_to_capture_him() -> None:
    driver = rolled("36", N={"P1": "M44"}, S={"P1": "M47", "P2": "S-O1"})
    assert "M47" in ways(driver, "P1:3")

    move(driver, "P1:3", "M47")

    assert at(driver, "S", "P1") == "N-prison"
    assert at(driver, "N", "P1") == "M47"


@pytest.mark.rule("FLG-R10")
def test_a_count_goes_from_grid_to_road_and_on() -> None:
    driver = rolled("36", N={"P1": "N-F32"}, S={"P1": "S-O1"})

    assert "N-O2" in ways(driver, "P1:3")
    assert "N-O8" in ways(driver, "P1:9")


@pytest.mark.rule("FLG-R17")
def test_in_sequential_play_each_die_lands_and_the_way_back_is_barred() -> None:
    settings = {"combined_move": "sequential"}
    driver = rolled("31", settings, N={"P1": "N-O4"}, S={"P1": "N-O7", "P2": "S-O1"})
    assert "P1:4" not in driver.ids()

    move(driver, "P1:3", "N-O7")
    driver.until("flag_war.move.man")

    assert at(driver, "S", "P1") == "N-prison"
    assert ways(driver, "P1:1") == {"N-O8"}
    move(driver, "P1:1", "N-O8")
    assert at(driver, "N", "P1") == "N-O8"
    driver.until("flag_war.turn.roll")
    assert state(driver).on_turn == "S"


@pytest.mark.rule("FLG-025", "FLG-R17")
def test_in_sequential_play_what_the_first_count_passed_is_barred_to_the_second() -> None:
    """Into the square beside a corner, by a count of 3, there is one way: round the other two."""
    men = {"P1": "M00", "P2": "M44"}
    driver = rolled("31", {"combined_move": "sequential"}, N=men, S={"P1": "S-O1"})
    move(driver, "P1:3", "M01")

    assert ways(driver, "P1:1") == {"M02"}, "M11 was passed"


@pytest.mark.rule("FLG-R17")
def test_in_sequential_play_a_man_with_no_way_but_back_is_offered_no_second_die() -> None:
    men = {"P1": "N-I5", "P2": "M44"}
    driver = rolled("13", {"combined_move": "sequential"}, N=men, S={"P1": "S-O1"})
    move(driver, "P1:1", "N-flag")
    driver.until("flag_war.move.man")

    assert driver.ids() == ["P2:3"]
