"""Deploying on roads, bunkers and blockades: FLG-030 to FLG-045."""

from __future__ import annotations

import pytest

from tests.games.flag_war.field import at, move, rolled, ways

BESIDE = {
    "M45": "M44",
    "N-F31": "N-F32",
    "N-F24": "N-F23",
    "N-O5": "N-O4",
    "N-I2": "N-I1",
    "N-flag": "N-I5",
}
"""A space from which a count of 1 leads to the one named."""


@pytest.mark.rule("FLG-030", "FLG-R24")
def test_single_men_are_passed_on_roads_as_on_grids() -> None:
    driver = rolled("36", N={"P1": "N-O1", "P2": "N-O2"}, S={"P1": "N-O3"})

    assert "N-O4" in ways(driver, "P1:3")


@pytest.mark.rule("FLG-031")
def test_on_a_road_a_man_goes_forward_or_backward() -> None:
    driver = rolled("13", N={"P1": "N-O4"}, S={"P1": "S-O1"})

    assert ways(driver, "P1:1") == {"N-O3", "N-O5"}


@pytest.mark.rule("FLG-025", "FLG-032")
def test_on_a_road_a_man_cannot_turn_back_within_a_roll() -> None:
    driver = rolled("31", N={"P1": "N-O4"}, S={"P1": "S-O1"})

    assert ways(driver, "P1:4") == {"N-O8", "N-F42"}


@pytest.mark.rule("FLG-033", "FLG-R25", "FLG-R29")
def test_two_men_of_one_army_share_a_road_space_and_no_third() -> None:
    driver = rolled("12", N={"P1": "N-O4", "P2": "N-O5", "P3": "N-O3"}, S={"P1": "S-O1"})
    driver.answer("dice")

    move(driver, "P1:1", "N-O5")
    driver.until("flag_war.move.man")

    assert at(driver, "N", "P1") == at(driver, "N", "P2") == "N-O5"
    assert "N-O5" not in ways(driver, "P3:2")
    assert list(ways(driver, "P3:2")) == ["N-O1"]


@pytest.mark.rule("FLG-033", "FLG-038")
def test_two_armies_never_share_a_space() -> None:
    driver = rolled("12", N={"P1": "N-O4"}, S={"P1": "N-O5", "P2": "S-O1"})
    driver.answer("dice")
    move(driver, "P1:1", "N-O5")

    assert at(driver, "S", "P1") == "N-prison"
    driver = rolled("21", N={"P1": "N-O4"}, S={"P1": "N-O6", "P2": "S-O1"})
    driver.answer("dice")
    assert "N-O6" not in ways(driver, "P1:2")


@pytest.mark.rule("FLG-035", "FLG-R27", "FLG-R50")
@pytest.mark.parametrize("space", ["M45", "N-F31", "N-F24", "N-O5", "N-I2", "N-flag"])
def test_off_the_bunkers_a_lone_man_can_be_attacked_anywhere(space: str) -> None:
    driver = rolled("16", N={"P1": BESIDE[space]}, S={"P1": space, "P2": "S-O1"})

    assert space in ways(driver, "P1:1")


@pytest.mark.rule("FLG-036", "FLG-037", "FLG-R26")
@pytest.mark.parametrize("bunker", ["N-O3", "N-O6"])
def test_a_single_man_on_a_bunker_cannot_be_attacked(bunker: str) -> None:
    before = f"N-O{int(bunker[-1]) - 1}"
    driver = rolled("16", N={"H1": before}, S={"P1": bunker, "P2": "S-O1"})

    assert bunker not in ways(driver, "H1:1")


@pytest.mark.rule("FLG-038")
def test_two_own_men_may_share_a_bunker() -> None:
    driver = rolled("16", N={"P1": "N-O2", "P2": "N-O3"}, S={"P1": "S-O1"})

    assert "N-O3" in ways(driver, "P1:1")


@pytest.mark.rule("FLG-036", "FLG-044", "FLG-R30")
@pytest.mark.parametrize(("setting", "attackable"), [("open", True), ("safe", False)])
def test_a_pair_on_a_bunker_is_open_to_attack_unless_set_safe(setting: str, attackable: bool) -> None:
    driver = rolled("16", {"bunker_pairs": setting}, N={"H1": "N-O2"}, S={"P1": "N-O3", "P2": "N-O3"})

    assert ("N-O3" in ways(driver, "H1:1")) is attackable


@pytest.mark.rule("FLG-039", "FLG-R27")
@pytest.mark.parametrize("space", ["M45", "N-F31", "N-flag"])
def test_there_are_no_blockades_off_the_roads(space: str) -> None:
    driver = rolled("16", N={"P1": BESIDE[space], "P2": space}, S={"P1": "S-O1"})

    assert space not in ways(driver, "P1:1")


@pytest.mark.rule("FLG-R27")
def test_a_flag_square_is_reached_by_exact_count_alone() -> None:
    driver = rolled("13", N={"H1": "S-I3"}, S={"P1": "S-O1"})

    assert "S-flag" in ways(driver, "H1:3")
    assert "S-flag" not in ways(driver, "H1:4")


@pytest.mark.rule("FLG-034", "FLG-040", "FLG-041")
@pytest.mark.parametrize("pair", [("P1", "P2"), ("P1", "H1"), ("C1", "M1"), ("M1", "M2")])
def test_any_two_soldiers_block_a_road(pair: tuple[str, str]) -> None:
    driver = rolled("56", N={"P3": "N-O1"}, S={pair[0]: "N-O4", pair[1]: "N-O4"})

    assert "N-O6" not in ways(driver, "P3:5")
    assert "N-O7" not in ways(driver, "P3:6")


@pytest.mark.rule("FLG-042", "FLG-043")
@pytest.mark.parametrize("owner", ["N", "S"])
def test_nobody_passes_a_blockade_not_even_its_own_army(owner: str) -> None:
    armies = {"N": {"P1": "N-O1"}, "S": {"P3": "S-O1"}}
    armies[owner] |= {"P4": "N-O3", "P5": "N-O3"}
    driver = rolled("56", **armies)

    for count in (5, 6, 11):
        assert not {f"N-O{far}" for far in range(4, 9)} & ways(driver, f"P1:{count}")


@pytest.mark.rule("FLG-042", "FLG-043", "FLG-044", "FLG-R17")
@pytest.mark.parametrize(("owner", "attacked"), [("N", False), ("S", True)])
def test_in_sequential_play_the_second_count_passes_no_blockade_either(owner: str, attacked: bool) -> None:
    for second, lands in ((2, attacked), (3, False), (6, False)):
        armies = {"N": {"P1": "N-O1", "P2": "M44"}, "S": {"P3": "S-O1"}}
        armies[owner] |= {"P4": "N-O4", "P5": "N-O4"}
        driver = rolled(f"1{second}", {"combined_move": "sequential"}, **armies)
        if driver.ask.key == "flag_war.tao.use":
            driver.answer("dice")
        move(driver, "P1:1", "N-O2")

        assert ways(driver, f"P1:{second}") == ({"N-O4"} if lands else set())


@pytest.mark.rule("FLG-042", "FLG-R16")
@pytest.mark.parametrize("owner", ["N", "S"])
def test_whom_a_blockade_shuts_in_is_not_offered(owner: str) -> None:
    armies = {"N": {"P1": "N-flag", "P2": "M44"}, "S": {"P3": "S-O1"}}
    armies[owner] |= {"P4": "N-I4", "P5": "N-I4"}
    driver = rolled("35", **armies)

    assert not [one for one in driver.ids() if one.startswith("P1")]


@pytest.mark.rule("FLG-042")
def test_a_man_leaves_his_own_blockade_both_ways() -> None:
    driver = rolled("26", N={"P1": "N-O4", "P2": "N-O4"}, S={"P1": "S-O1"})

    assert ways(driver, "P1:2") == {"N-O2", "N-O6"}


@pytest.mark.rule("FLG-044", "FLG-045")
def test_a_defeated_blockade_is_captured_whole() -> None:
    driver = rolled("26", N={"H1": "N-O2"}, S={"P1": "N-O4", "P2": "N-O4", "P3": "S-O1"})

    move(driver, "H1:2", "N-O4")
    driver.until("flag_war.battle.roll")
    driver.answer(["4", "3"])

    assert at(driver, "S", "P1") == at(driver, "S", "P2") == "N-prison"
    assert at(driver, "N", "H1") == "N-O4"


@pytest.mark.rule("FLG-R31")
def test_a_blockade_is_reached_by_exact_count_only() -> None:
    driver = rolled("26", N={"H1": "N-O2"}, S={"P1": "N-O4", "P2": "N-O4"})
    assert "N-O4" in ways(driver, "H1:2")

    driver = rolled("36", N={"H1": "N-O2"}, S={"P1": "N-O4", "P2": "N-O4"})

    assert "N-O5" not in ways(driver, "H1:3")
    assert "N-O4" not in ways(driver, "H1:3")
