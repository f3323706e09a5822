"""Rescuing soldiers from prison: FLG-071 to FLG-080."""

from __future__ import annotations

import pytest

from tests.games.driver import Driver
from tests.games.flag_war.field import at, at_roll, labels, move, state

FOES = {"P1": "S-O1", "P2": "S-O2"}


def with_prisoners(*names: str, rescuer: str = "S-F24", **foes: str) -> Driver:
    """North's turn begins with a man before South's prison, in which the named ones sit."""
    driver = at_roll(N={"P6": rescuer} | dict.fromkeys(names, "S-prison"), S=FOES | foes)
    state(driver).on_turn = "S"
    return next_turn_of_north(driver)


def next_turn_of_north(driver: Driver) -> Driver:
    """Let North waste this turn and South its own."""
    pass_turn(driver)
    pass_turn(driver)
    while driver.ask.key == "flag_war.news":
        driver.answer()
    return driver


def pass_turn(driver: Driver) -> None:
    """Roll what nobody can use: all other men leave the board for the moment."""
    driver.until("flag_war.turn.roll")
    away = [
        man
        for army in state(driver).armies.values()
        for man in army.men.values()
        if "-" in man.at or "M" in man.at
    ]
    kept = {id(man): man.at for man in away}
    for man in away:
        man.at = ""
    driver.answer(["6", "5"])
    assert driver.ask.key == "flag_war.turn.skip"
    for man in away:
        man.at = kept[id(man)]
    driver.answer()


@pytest.mark.rule("FLG-071", "FLG-072", "FLG-074")
def test_a_man_before_the_prison_may_free_a_prisoner_in_the_next_turn() -> None:
    driver = with_prisoners("P1")

    assert driver.ask.key == "flag_war.rescue.whom"
    assert driver.ids() == ["roll", "S:N:P1"]


def test_who_was_set_free_by_hand_is_no_prisoner_to_free_any_more() -> None:
    driver = with_prisoners("P1", "P2")
    state(driver).armies["N"].men["P1"].at = "N-O1"
    driver.restate()
    assert driver.ids() == ["roll", "S:N:P2"]

    state(driver).armies["N"].men["P2"].at = "N-O2"
    driver.restate()
    assert driver.ask.key == "flag_war.turn.roll"


@pytest.mark.rule("FLG-071", "FLG-072")
def test_a_man_elsewhere_frees_nobody() -> None:
    driver = with_prisoners("P1", rescuer="S-F23")

    assert driver.ask.key == "flag_war.turn.roll"


@pytest.mark.rule("FLG-072", "FLG-R48")
def test_a_rescue_waits_for_the_next_turn_even_after_a_double() -> None:
    driver = at_roll(N={"P6": "S-F33", "P1": "S-prison"}, S=FOES)
    driver.answer(["1", "1"])
    move(driver, "P6:2", "S-F24")

    driver.until("flag_war.turn.roll")
    assert state(driver).on_turn == "N"


@pytest.mark.rule("FLG-072")
def test_the_rescuer_has_to_be_still_there() -> None:
    driver = at_roll(N={"P6": "S-F24", "P1": "S-prison"}, S=FOES)
    state(driver).armies["N"].men["P6"].at = "S-F33"
    next_turn_of_north(driver)

    assert driver.ask.key == "flag_war.turn.roll"


@pytest.mark.rule("FLG-074")
def test_the_general_may_roll_instead() -> None:
    driver = with_prisoners("P1")
    driver.answer("roll")

    assert driver.ask.key == "flag_war.turn.roll"
    assert state(driver).on_turn == "N"


@pytest.mark.rule("FLG-073", "FLG-075", "FLG-076", "FLG-079")
def test_one_prisoner_is_freed_to_a_dark_square_and_the_turn_is_over() -> None:
    driver = with_prisoners("P1", "H1")
    assert labels(driver)["S:N:H1"] == "North H1 from South"
    driver.answer("S:N:H1")

    assert driver.ask.key == "flag_war.rescue.where"
    assert set(driver.ids()) == {"S-F14", "S-F34", "S-F23"}
    driver.answer("S-F14")
    assert driver.ask.text == "North H1 is free on S-F14"
    assert driver.ask.rule == ("FLG-075", "FLG-076")
    driver.until("flag_war.turn.roll")
    assert at(driver, "N", "H1") == "S-F14"
    assert at(driver, "N", "P1") == "S-prison"
    assert state(driver).on_turn == "S"


@pytest.mark.rule("FLG-077")
def test_further_prisoners_are_freed_in_following_turns() -> None:
    driver = with_prisoners("P1", "H1")
    driver.answer("S:N:H1")
    driver.answer("S-F14")
    pass_turn(driver)

    assert driver.ask.key == "flag_war.rescue.whom"
    assert driver.ids() == ["roll", "S:N:P1"]


@pytest.mark.rule("FLG-078", "FLG-R47")
def test_a_prisoner_of_a_third_army_may_be_freed_and_stays_its_own() -> None:
    driver = at_roll({"armies": "3"}, N={"P6": "S-F24"}, S=FOES, E={"M1": "S-prison", "P1": "E-O1"})
    for _ in range(3):
        pass_turn(driver)

    assert driver.ids() == ["roll", "S:E:M1"]
    driver.answer("S:E:M1")
    driver.answer("S-F23")
    assert at(driver, "E", "M1") == "S-F23"


@pytest.mark.rule("FLG-R47", "FLG-R59")
def test_an_army_of_which_another_frees_one_has_turns_again() -> None:
    driver = at_roll({"armies": "3"}, N={"P6": "S-F24"}, S=FOES)
    for man in state(driver).armies["E"].men.values():
        man.at = "S-prison"
    pass_turn(driver)
    pass_turn(driver)
    driver.answer("S:E:M1")
    driver.answer("S-F23")
    driver.until("flag_war.turn.roll")
    assert state(driver).on_turn == "E"
    driver.answer(["1", "2"])

    assert driver.ask.key == "flag_war.move.man", "the others are captives still: no Tao"
    assert set(driver.ids()) == {"M1:3", "M1:2", "M1:1"}


@pytest.mark.rule("FLG-046", "FLG-078")
def test_an_army_whose_last_captive_another_has_freed_may_use_the_tao() -> None:
    driver = at_roll({"armies": "3"}, N={"P1": "N-O1", "H1": "S-prison"}, S=FOES, E={"P6": "S-F24"})
    pass_turn(driver)
    driver.answer("S:N:H1")
    driver.answer("S-F23")
    driver.until("flag_war.turn.roll")
    pass_turn(driver)
    driver.answer(["1", "2"])

    assert driver.ask.key == "flag_war.tao.use"


@pytest.mark.rule("FLG-079", "FLG-080", "FLG-R49")
def test_with_the_three_squares_held_nobody_can_be_freed() -> None:
    held = {"P2": "S-F14", "P3": "S-F34"}
    driver = at_roll(N={"P6": "S-F24", "P1": "S-prison"} | held, S=FOES | {"P3": "S-F23"})
    next_turn_of_north(driver)
    assert driver.ask.key == "flag_war.turn.roll"

    state(driver).armies["N"].men["P2"].at = "M44"
    next_turn_of_north(driver)
    assert driver.ids() == ["roll", "S:N:P1"]
    driver.answer("S:N:P1")
    assert at(driver, "N", "P1") == "S-F14"


@pytest.mark.rule("FLG-077", "FLG-080")
def test_before_a_fourth_is_freed_one_of_the_three_must_move_off_their_squares() -> None:
    driver = with_prisoners("P1", "P2", "P3", "P4")
    for name in ("P1", "P2", "P3"):
        driver.answer(f"S:N:{name}")
        if driver.ask.key == "flag_war.rescue.where":
            driver.answer(driver.ids()[0])
        pass_turn(driver)
        driver.until("flag_war.rescue.whom", "flag_war.turn.roll")
    assert {at(driver, "N", name) for name in ("P1", "P2", "P3")} == {"S-F14", "S-F23", "S-F34"}
    assert driver.ask.key == "flag_war.turn.roll", "nobody can be freed now"

    driver.answer(["1", "2"])
    left = at(driver, "N", "P1")
    move(driver, "P1:3")
    pass_turn(driver)
    driver.until("flag_war.rescue.whom")
    driver.answer("S:N:P4")
    assert at(driver, "N", "P4") == left


@pytest.mark.rule("FLG-R51")
def test_nobody_is_freed_from_the_own_prison() -> None:
    driver = at_roll(N={"P6": "N-F24"}, S=FOES | {"P3": "N-prison"})
    next_turn_of_north(driver)

    assert driver.ask.key == "flag_war.turn.roll"


@pytest.mark.parametrize("policy", ["raider", "guard"])
@pytest.mark.parametrize("dice", ["24", "42", "26"])
def test_the_boxs_last_man_stands_before_the_prison_after_both_counts(policy: str, dice: str) -> None:
    driver = at_roll({"combined_move": "sequential", "north": policy}, S=FOES)
    men = state(driver).armies["N"].men
    for name, man in men.items():
        man.at = "S-F04" if name == "H1" else "S-prison"
    driver.answer(list(dice))
    driver.until("flag_war.turn.roll")

    assert at(driver, "N", "H1") == "S-F24"


@pytest.mark.parametrize("policy", ["raider", "guard"])
@pytest.mark.parametrize(
    ("carrier", "left", "chosen"),
    [("N-I2", "", "roll"), ("M44", "", "S:N:P1"), ("N-I2", "E", "S:N:P1")],
)
def test_the_box_rolls_for_the_win_before_it_frees_a_pawn(
    policy: str, carrier: str, left: str, chosen: str
) -> None:
    """The last flag is 4 spaces from home. Where it is too far, or another is away, the pawn is freed."""
    driver = at_roll(N={"P1": "S-prison", "P6": "S-F24", "C1": carrier}, S=FOES)
    war = state(driver)
    war.armies["N"].men["C1"].flag, war.flags["S"] = "S", list(left)
    next_turn_of_north(driver)

    assert driver.play.advise(driver.ask, policy) == chosen
