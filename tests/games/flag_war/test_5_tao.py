"""The Tao: FLG-046 to FLG-051."""

from __future__ import annotations

import pytest

from tests.games.flag_war.field import at, at_roll, move, rolled, state, ways

MEN = {"P1": "N-O1", "P2": "N-O2", "H1": "N-O5"}
FOE = {"P1": "S-O1"}


@pytest.mark.rule("FLG-046", "FLG-047", "FLG-048", "FLG-R43")
@pytest.mark.parametrize("dice", ["12", "21"])
def test_a_one_and_a_two_with_nobody_captive_allow_the_tao(dice: str) -> None:
    ask = rolled(dice, N=MEN, S=FOE).ask

    assert ask.key == "flag_war.tao.use"
    assert "FLG-R43" in ask.rule  # good leadership is taken as given


@pytest.mark.rule("FLG-046", "FLG-048")
def test_a_captive_forbids_the_tao() -> None:
    driver = rolled("12", N=MEN | {"P6": "S-prison"}, S=FOE)

    assert driver.ask.key == "flag_war.move.man"
    driver = rolled("12", N=MEN, S=FOE | {"P6": "N-prison"})
    assert driver.ask.key == "flag_war.tao.use"  # he is none of the army's own


@pytest.mark.rule("FLG-048")
@pytest.mark.parametrize("dice", ["11", "22", "33", "13", "23"])
def test_no_other_roll_is_the_tao(dice: str) -> None:
    assert rolled(dice, N=MEN, S=FOE).ask.key == "flag_war.move.man"


@pytest.mark.rule("FLG-049", "FLG-050", "FLG-R44")
def test_under_the_tao_each_man_moves_one_two_or_three_once() -> None:
    driver = rolled("12", N=MEN, S=FOE)
    driver.answer("tao")
    assert {one for one in driver.ids() if one.startswith("P2")} == {"P2:1", "P2:2", "P2:3"}

    move(driver, "P2:3", "N-O5")
    driver.until("flag_war.tao.man")
    assert not [one for one in driver.ids() if one.startswith("P2")]
    move(driver, "P1:1", "N-O2")
    move(driver, "H1:2", "N-O7")

    assert [at(driver, "N", name) for name in ("P1", "P2", "H1")] == ["N-O2", "N-O5", "N-O7"]
    assert state(driver).on_turn == "S"
    assert not state(driver).tao


@pytest.mark.rule("FLG-R17", "FLG-R44")
def test_under_the_tao_each_man_moves_once_in_sequential_play_too() -> None:
    driver = rolled("12", {"combined_move": "sequential"}, N=MEN, S=FOE)
    driver.answer("tao")
    move(driver, "P2:3", "N-O5")
    driver.until("flag_war.tao.man")

    assert not [one for one in driver.ids() if one.startswith("P2")]


@pytest.mark.rule("FLG-049")
def test_that_the_boxs_army_uses_the_tao_is_told_before_its_moves() -> None:
    driver = rolled("54", {"south": "raider"}, N=MEN, S=FOE)
    move(driver, "P1:5")
    move(driver, "P2:4")
    driver.until("flag_war.turn.roll")
    driver.answer(["1", "2"])

    assert driver.ask.key == "flag_war.news"
    assert driver.ask.text.startswith("South uses the Tao; P1 moves 3: S-O1 to")
    assert set(driver.ask.rule) >= {"FLG-049", "FLG-050"}
    assert "FLG-016" not in driver.ask.rule


def test_after_a_battle_in_the_tao_whose_men_go_on_is_said_again() -> None:
    men = {"H1": "M41", "P1": "S-O1", "P2": "S-O2"}
    driver = rolled("54", {"south": "raider"}, N=MEN | {"M1": "M40"}, S=men)
    move(driver, "P1:5")
    move(driver, "P2:4")
    driver.until("flag_war.turn.roll")
    driver.answer(["1", "2"])
    driver.until("flag_war.battle.roll")
    driver.answer(["6", "6"])
    driver.until("flag_war.battle.roll")
    driver.answer(["1"])

    assert driver.ask.key == "flag_war.news"
    assert "to South's prison; South P1 moves 3: S-O1 to S-O4; P2 moves 3: S-O2" in driver.ask.text


@pytest.mark.rule("FLG-050", "FLG-R44")
def test_under_the_tao_men_may_stay() -> None:
    driver = rolled("12", N=MEN, S=FOE)
    driver.answer("tao")
    driver.answer("done")

    assert {at(driver, "N", name) for name in MEN} == set(MEN.values())
    assert state(driver).on_turn == "S"


@pytest.mark.rule("FLG-R46")
def test_the_tao_may_come_after_a_double() -> None:
    driver = rolled("33", N=MEN, S=FOE)
    for _ in range(2):
        driver.until("flag_war.move.man")
        move(driver, driver.ids()[-1])
    driver.until("flag_war.turn.roll")
    driver.answer(["2", "1"])

    assert driver.ask.key == "flag_war.tao.use"


@pytest.mark.rule("FLG-051")
def test_the_tao_is_optional() -> None:
    driver = rolled("12", N=MEN, S=FOE)
    driver.answer("dice")

    assert driver.ask.key == "flag_war.move.man"
    assert "P1:3" in driver.ids()
    move(driver, "P1:3", "N-O4")
    driver.until("flag_war.turn.roll")
    assert state(driver).on_turn == "S"


@pytest.mark.rule("FLG-R45")
def test_the_tao_goes_on_when_a_man_is_captured_in_it() -> None:
    driver = rolled("12", N={"P1": "N-O1", "P2": "M44"}, S={"M1": "N-O2"})
    driver.answer("tao")
    move(driver, "P1:1", "N-O2")
    driver.until("flag_war.battle.roll")
    driver.answer(["5"])
    driver.until("flag_war.tao.man")

    assert at(driver, "N", "P1") == "S-prison"
    assert "P2:3" in driver.ids()


@pytest.mark.rule("FLG-042", "FLG-R29")
def test_a_blockade_made_in_the_tao_bars_the_way_until_one_of_it_moves_on() -> None:
    driver = rolled("12", N={"P1": "N-O2", "P2": "N-O4", "P3": "N-O3"}, S=FOE)
    driver.answer("tao")
    move(driver, "P1:2", "N-O4")
    assert ways(driver, "P3:2") == {"N-O1"}
    move(driver, "P2:3", "N-O7")

    assert ways(driver, "P3:2") == {"N-O1", "N-O5"}


@pytest.mark.rule("FLG-R33", "FLG-R45")
def test_a_pair_made_in_the_tao_fights_and_is_captured_as_one_and_the_tao_goes_on() -> None:
    men = {"P1": "N-O2", "P2": "N-O4", "P3": "M44"}
    driver = rolled("12", N=men, S=FOE | {"M1": "N-O5", "M2": "N-O5"})
    driver.answer("tao")
    move(driver, "P1:2", "N-O4")
    move(driver, "P2:1", "N-O5")
    driver.until("flag_war.battle.roll")
    driver.answer(["6", "6"])
    driver.until("flag_war.tao.man")

    assert at(driver, "N", "P1") == at(driver, "N", "P2") == "S-prison"
    assert driver.ids() == ["P3:3", "P3:2", "P3:1", "done"]


def test_a_tao_that_is_ended_by_hand_is_over() -> None:
    driver = rolled("12", N=MEN, S=FOE)
    driver.answer("tao")
    state(driver).tao = False
    driver.restate()

    assert (driver.ask.key, state(driver).on_turn) == ("flag_war.turn.roll", "S")


def test_a_tao_that_is_begun_by_hand_before_the_roll_is_none() -> None:
    driver = at_roll(N=MEN, S=FOE)
    state(driver).tao = True
    driver.answer(["3", "4"])

    assert driver.ask.key == "flag_war.move.man"
