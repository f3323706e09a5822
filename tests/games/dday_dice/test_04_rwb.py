"""Red-White-Blue bonuses (DDD-040 to DDD-056)."""

from __future__ import annotations

import pytest

from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.effects import Rwb
from companion.games.dday_dice.final_tally import Reading, Settled, settle, triples
from companion.games.dday_dice.moving import choices, move_units, moves
from companion.games.dday_dice.records import Access
from companion.games.dday_dice.recruiting import recruit_and_find, recruiting
from companion.games.dday_dice.state import Phase, Status
from companion.games.dday_dice.upkeep import upkeep
from tests.games.dday_dice.beach import act, alone, begin, figures, put, results, show, together, with_sector


def scored(tally: str, *answers: object, **reading: object) -> list[Rwb]:
    stage = act(settle(results(tally), Reading(**reading)), *answers)
    assert isinstance(stage.result, Settled)
    return stage.result.scored


def after(dice: str, *answers: object) -> tuple[int, int, int, int]:
    """A solo Unit's dials, from nothing, after Upkeep with these dice."""
    battle, unit = alone()
    put(battle, unit, "4", soldiers=0, specialists=["Minesweeper"])
    act(upkeep(battle, show(unit, dice)), *answers)
    return figures(unit)


@pytest.mark.rule("DDD-040")
def test_three_colours_of_one_result_score() -> None:
    assert triples(results("R St W St B St"), results("R St")[0].face) == 1
    assert scored("R St Co W St To B St 1S", "courage2") == [Rwb.LEADERSHIP]


@pytest.mark.rule("DDD-040")
def test_two_reds_and_a_white_score_nothing() -> None:
    assert scored("R St St W St To B 1S Co") == []


@pytest.mark.rule("DDD-041", "DDD-049")
def test_fresh_troops_come_on_top_of_the_dice() -> None:
    assert after("R 2S Sk W 2S Sk B 2S Sk")[0] == 12


@pytest.mark.rule("DDD-042")
def test_of_two_alternatives_one_is_taken() -> None:
    stage = act(settle(results("R Co St W Co 1S B Co To"), Reading()), "soldiers")

    assert stage.ids("tally.battle_cry") == ["soldiers", "move"]
    assert (stage.result.cry_soldiers, stage.result.cry_move) == (1, False)


@pytest.mark.rule("DDD-043", "DDD-044")
def test_dead_mans_gift_pays_20_and_its_skulls_cancel_nothing() -> None:
    assert after("R Sk St W Sk To B Sk Co") == (0, 1, 1, 21)


@pytest.mark.rule("DDD-045", "DDD-046", "DDD-R20")
def test_leadership_adds_a_white_result_that_completes_a_battle_cry() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1)

    stage = act(upkeep(battle, show(unit, "R St Co W St To B St Co")), "courage", "soldiers")

    assert unit.turn.scored == [Rwb.LEADERSHIP, Rwb.BATTLE_CRY]
    assert unit.courage == 3
    assert stage.ids("tally.leadership")[:6] == ["skull", "star", "soldier1", "soldier2", "courage", "tool"]


@pytest.mark.rule("DDD-046", "DDD-R21")
def test_leadership_may_add_a_star_and_chain() -> None:
    chain = scored("R St St W St Co B St St", "star", "courage2")

    assert chain == [Rwb.LEADERSHIP, Rwb.LEADERSHIP]


def test_dice_that_skulls_have_cancelled_stay_so_after_a_leadership() -> None:
    tally = results("R St Sk W St To B St Co - Sk")

    stage = act(settle(tally, Reading()), ["3", "5"], "soldier1")

    assert stage.keys == ["tally.cancel", "tally.leadership"]
    assert stage.result.cancelled == [3, 5]


@pytest.mark.rule("DDD-047")
def test_a_leadership_for_courage_adds_no_result() -> None:
    tally = results("R St Sk W St 1S B St Co - To")

    assert act(settle(tally, Reading()), "3", "courage2").result.results == tally


@pytest.mark.rule("DDD-047")
def test_leadership_may_give_another_unit_courage() -> None:
    battle, (one, two) = together()

    act(upkeep(battle, show(one, "R St 1S W St To B St 1S")), "courage2")

    assert (one.courage, two.courage) == (0, 2)


@pytest.mark.rule("DDD-048")
def test_reinforcements_help_two_units() -> None:
    battle, (one, two) = together()
    one.soldiers, two.soldiers = 6, 2

    act(upkeep(battle, show(one, "R 1S St W 1S To B 1S Co")))

    assert (one.soldiers, two.soldiers) == (13, 6)


@pytest.mark.rule("DDD-047", "DDD-R23")
def test_leadership_brings_no_courage_where_all_others_are_safe() -> None:
    battle, (one, two) = together()
    show(one, "R St 1S W St To B St 1S")
    assert "courage2" in begin(upkeep(battle, one)).ids("tally.leadership")
    put(battle, two, "Bunker", status=Status.SAFE)

    assert "courage2" not in begin(upkeep(battle, one)).ids("tally.leadership")


@pytest.mark.rule("DDD-048")
def test_the_player_picks_who_else_is_reinforced() -> None:
    battle, units = together(players=3)

    stage = act(upkeep(battle, show(units[0], "R 1S St W 1S To B 1S Co")), "C")

    assert stage.ids("tally.for") == ["B", "C"]
    assert "A: Reinforcements! +4 Soldiers for?" in [ask.text for ask in stage.asks]
    assert [unit.soldiers for unit in units] == [11, 4, 8]


@pytest.mark.rule("DDD-050")
def test_battle_cry_brings_three_soldiers() -> None:
    assert after("R Co St W Co To B Co St", "soldiers")[0] == 3


@pytest.mark.rule("DDD-051", "DDD-052", "DDD-063", "DDD-115", "DDD-135", "DDD-R04")
def test_a_battle_cry_move_ignores_requirements_and_costs_nothing() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=9)
    act(upkeep(battle, show(unit, "R Co St W Co To B Co 1S")), "move")
    assert battle.marker(unit) == "2 arrows"
    courage = unit.courage

    act(move_units(battle), "move:5")

    assert (unit.sector, unit.courage) == ("5", courage)
    assert battle.marker(unit) == "1 chevron"


@pytest.mark.rule("DDD-115", "DDD-R24")
@pytest.mark.parametrize(("answer", "face"), [("move:4", "1 chevron"), ("stay", "2 chevrons")])
def test_a_marker_that_showed_a_battle_cry_shows_chevrons_again_after_phase_4(answer: str, face: str) -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=30)
    act(upkeep(battle, show(unit, "R Co St W Co To B Co 1S")), "move")
    act(move_units(battle), answer)
    battle.state.phase = Phase.COMBAT

    stage = act(combat(battle))

    assert stage.asks[-1].detail.endswith(f"marker: {face}")


@pytest.mark.rule("DDD-051")
def test_a_move_by_a_battle_cry_lists_nobody_whom_it_asks_for_no_more() -> None:
    battle, unit = alone()
    with_sector(battle, "9", requires=("Scout",), sacrifice=("any",))
    put(battle, unit, "7", soldiers=9, courage=9, specialists=["Scout", "Medic"])

    def detail() -> str:
        offered = choices(battle, unit, later=False)
        return next(option.detail for option in offered if option.id == "move:9")

    assert "must have Scout; sacrifice any Specialist" in detail()
    unit.turn.battle_cry = True
    assert "must have" not in detail()
    assert "sacrifice" not in detail()


@pytest.mark.parametrize(
    ("cry", "shut"), [(False, "only with Wirecutters, must have Scout"), (True, "only with Wirecutters")]
)
def test_a_way_that_a_battle_cry_does_not_open_is_shut_for_what_it_still_wants(
    shut: str, *, cry: bool
) -> None:
    battle, unit = alone()
    for sector in ("8", "9"):
        with_sector(battle, sector, requires=("Scout",), access=Access.WIRECUTTERS)
    put(battle, unit, "7", soldiers=9, courage=9)
    unit.turn.battle_cry, unit.stay = cry, 4

    (lost,) = [option for option in choices(battle, unit, later=False) if option.id == "lost"]
    assert lost.detail == f"Sector 8: {shut}; Sector 9: {shut}"


@pytest.mark.rule("DDD-051", "DDD-135")
def test_without_a_battle_cry_the_requirement_holds() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=9, courage=9)

    assert "5" not in [way.to for way in moves(battle, unit)]


@pytest.mark.rule("DDD-051", "DDD-135", "DDD-R37")
@pytest.mark.parametrize("specialists", [[], ["Scout"]])
def test_a_battle_cry_asks_for_no_sacrifice_also_behind_mines(specialists: list[str]) -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=9, specialists=specialists)
    unit.turn.battle_cry = True

    act(move_units(battle), "move:10", ["4"], *(["soldiers"] if specialists else []), ["6"])

    assert (unit.sector, unit.specialists) == ("10", specialists)
    assert unit.soldiers == 9 - 4 + 6


@pytest.mark.rule("DDD-051", "DDD-R37")
def test_at_mines_a_battle_cry_keeps_nobody_for_what_the_sector_asks() -> None:
    battle, unit = alone()
    with_sector(battle, "9", requires=("Scout",))
    put(battle, unit, "7", soldiers=0, specialists=["Scout", "Medic", "Veteran"])
    unit.turn.battle_cry = True

    act(move_units(battle), "move:9", ["2"], "Scout")

    assert (unit.sector, unit.specialists) == ("9", ["Medic", "Veteran"])


@pytest.mark.rule("DDD-053", "DDD-R25")
def test_a_battle_cry_does_not_clear_landmines() -> None:
    battle, unit = alone()
    put(battle, unit, "7", soldiers=9)
    unit.turn.battle_cry = True

    stage = act(move_units(battle), "move:9", ["4"])

    assert "mines" in stage.keys
    assert unit.soldiers == 5


@pytest.mark.rule("DDD-054", "DDD-R25")
def test_a_battle_cry_does_not_prevent_combat() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=9)
    unit.turn.battle_cry = True

    act(move_units(battle), "move:4")
    act(combat(battle))

    assert unit.soldiers == 3


@pytest.mark.rule("DDD-055")
def test_special_find_takes_a_used_item_for_its_cost() -> None:
    battle, unit = alone()
    battle.state.pool_items.remove("Bangalore Torpedo")
    battle.state.used_items.append("Bangalore Torpedo")
    put(battle, unit, "4", soldiers=1, points=20)

    act(upkeep(battle, show(unit, "R To 1S W To 1S B To Co")), "find")
    assert unit.points == 26
    act(recruit_and_find(battle, unit), "again:Bangalore Torpedo")

    assert unit.points == 6
    assert unit.items == ["Bangalore Torpedo"]
    assert battle.state.used_items == []


@pytest.mark.rule("DDD-055", "DDD-091")
def test_special_find_can_be_kept_for_an_item_that_is_used_before_it_in_phase_3() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1, points=6, items=["Field Radio"])

    act(upkeep(battle, show(unit, "R To 1S W To 1S B To Co")), "find")
    act(recruit_and_find(battle, unit), "use:Field Radio", "again:Field Radio", "use:Field Radio")

    assert (unit.soldiers, unit.points) == (1 + 2 + 5 + 5, 0)


@pytest.mark.rule("DDD-055", "DDD-091")
def test_special_find_can_be_kept_for_an_item_that_another_unit_has_still() -> None:
    battle, (one, two) = together()
    put(battle, one, "4", soldiers=1)
    put(battle, two, "6", soldiers=9, items=["Walkie-Talkie"])

    act(upkeep(battle, show(one, "R To 1S W To 1S B To Co")), "find")
    act(recruiting(battle), "done", "use:Walkie-Talkie", "again:Walkie-Talkie", "done")

    assert (one.items, one.stars, two.soldiers) == (["Walkie-Talkie"], 0, 11)


@pytest.mark.rule("DDD-055", "DDD-R19")
def test_two_special_finds_of_one_tally_find_two_used_items_with_a_half_track() -> None:
    battle, unit = alone("sword")
    battle.state.pool_items = []
    battle.state.used_items = ["Grenade", "Whistle"]
    put(battle, unit, "2", soldiers=3, vehicle="Half-Track")

    act(upkeep(battle, show(unit, "R To To W To To B To To")), "find", "find")
    act(recruit_and_find(battle, unit), "again:Grenade", "again:Whistle", "done")

    assert unit.items == ["Grenade", "Whistle"]


@pytest.mark.rule("DDD-055", "DDD-056", "DDD-232")
def test_special_find_is_two_stars_where_no_item_can_be_found() -> None:
    battle, unit = alone()
    battle.state.used_items.append("Grenade")
    put(battle, unit, "9", soldiers=1)

    stage = act(upkeep(battle, show(unit, "R To 1S W To 1S B To Co")))

    assert "tally.special_find" not in stage.keys
    assert unit.stars == 2


@pytest.mark.rule("DDD-056")
def test_special_find_may_bring_two_stars_instead() -> None:
    assert after("R To 1S W To 1S B To Co") == (2, 2, 1, 6)


@pytest.mark.rule("DDD-R19")
def test_six_alike_score_twice() -> None:
    assert after("R 2S 2S W 2S 2S B 2S 2S")[0] == 24


@pytest.mark.rule("DDD-R17")
def test_a_fourth_skull_cancels_and_six_make_two_gifts() -> None:
    assert after("R Sk Sk W Sk 1S B Sk Co", "3") == (0, 0, 1, 20)
    assert after("R Sk Sk W Sk Sk B Sk Sk")[3] == 40


@pytest.mark.rule("DDD-044", "DDD-R17")
def test_a_white_skull_that_completes_the_gift_gives_the_cancelled_dice_back() -> None:
    reading = Reading(harmless=1)

    stage = act(settle(results("R St Sk W St To B St Sk"), reading), "3", "skull")

    assert stage.result.scored == [Rwb.LEADERSHIP, Rwb.GIFT]
    assert stage.result.cancelled == []
