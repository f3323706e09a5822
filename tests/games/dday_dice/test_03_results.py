"""Die results (DDD-029 to DDD-039)."""

from __future__ import annotations

import pytest

from companion.games.dday_dice.final_tally import Reading, Settled, item_points, pays, settle
from companion.games.dday_dice.upkeep import upkeep
from tests.games.dday_dice.beach import act, alone, begin, figures, put, results, show, with_sector


def gained(dice: str, *answers: object, **had: int) -> tuple[int, int, int, int]:
    """The dials of a Unit in an empty Sector after Upkeep with these dice."""
    battle, unit = alone()
    put(battle, unit, "4", **({"soldiers": 1} | had))
    act(upkeep(battle, show(unit, dice)), *answers)
    return figures(unit)


@pytest.mark.rule("DDD-029")
def test_every_star_adds_one_to_the_stock() -> None:
    assert gained("R St St W 1S To B 1S 1S", stars=1)[1] == 3


@pytest.mark.rule("DDD-030", "DDD-031")
def test_soldier_results_add_soldiers() -> None:
    assert gained("R 1S To W 2S St B To 2S", soldiers=5)[0] == 10


@pytest.mark.rule("DDD-032")
def test_every_courage_adds_one_courage() -> None:
    assert gained("R Co Co W St To B To St", courage=1)[2] == 3


@pytest.mark.rule("DDD-033", "DDD-034")
def test_a_skull_cancels_a_die_of_choice() -> None:
    dice = "R Sk St W St 2S B To Co"
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1)

    stage = act(upkeep(battle, show(unit, dice)), "4")

    assert figures(unit) == (3, 2, 1, 0)
    assert stage.ids("tally.cancel") == ["1", "2", "3", "4", "5"]
    assert stage.asks[0].text == "Skulls cancel which die?"


@pytest.mark.rule("DDD-035")
def test_surplus_skulls_do_nothing() -> None:
    stage = act(settle(results("R Sk Sk W Sk Sk B St Co"), Reading()))

    assert stage.keys == []
    assert stage.result.cancelled == [4, 5]


@pytest.mark.rule("DDD-035")
def test_a_skull_is_never_offered_as_the_cancelled_die() -> None:
    stage = begin(settle(results("R Sk Sk W St St B To Co"), Reading()))

    assert stage.ids("tally.cancel") == ["2", "3", "4", "5"]
    assert stage.asks[0].text == "Skulls cancel which 2 dice?"


@pytest.mark.rule("DDD-036")
@pytest.mark.parametrize(("tools", "points"), [(0, 0), (1, 1), (2, 3), (3, 6), (4, 12), (5, 24), (6, 48)])
def test_the_tool_table(tools: int, points: int) -> None:
    rolled = results(" ".join(["R", *["To"] * tools]))

    assert item_points(tools) == points
    assert pays(Settled(rolled), Reading()).points == points


@pytest.mark.rule("DDD-037")
@pytest.mark.parametrize(("tools", "points"), [(7, 72), (9, 120)])
def test_each_tool_beyond_six_is_24_more(tools: int, points: int) -> None:
    assert item_points(tools) == points


@pytest.mark.rule("DDD-038")
def test_tools_of_two_turns_are_not_added_before_converting() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1)
    for _ in range(2):
        act(upkeep(battle, show(unit, "R To 1S W To 1S B St Co")))

    assert unit.points == 6


@pytest.mark.rule("DDD-039")
def test_colourless_tools_count_in_the_table() -> None:
    battle, unit = alone()
    put(battle, unit, "5", soldiers=1, specialists=["Scout"])

    act(upkeep(battle, show(unit, "R To 1S W To 1S B St Co")))

    assert unit.points == 12


@pytest.mark.rule("DDD-037", "DDD-039", "DDD-R03")
def test_six_tools_and_the_scout_are_72_points() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1, specialists=["Scout"])

    act(upkeep(battle, show(unit, "R To To W To To B To To")))

    assert unit.points == 72
    assert unit.stars == 4


def test_a_sector_without_print_adds_nothing() -> None:
    battle, unit = alone()
    with_sector(battle, "5", bonus=())
    put(battle, unit, "5", soldiers=1)

    act(upkeep(battle, show(unit, "R To 1S W 1S 2S B St Co")))

    assert unit.points == 1
