"""Overview and Game Start (DDD-001 to DDD-013)."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.engine.asks import Roll
from companion.engine.errors import BadInput
from companion.engine.game import setup
from companion.games.dday_dice import GAME
from companion.games.dday_dice.awards import take_award
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.dice import Colour, full_set
from companion.games.dday_dice.ending import over
from companion.games.dday_dice.play import start
from companion.games.dday_dice.records import Kind
from companion.games.dday_dice.recruiting import recruit_and_find
from companion.games.dday_dice.rolling import roll_the_dice
from companion.games.dday_dice.setup import set_up
from companion.games.dday_dice.state import Status
from tests.games.dday_dice.beach import act, alone, beach, begin, figures, put, shipped, together


@pytest.mark.rule("DDD-001")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_each_player_commands_one_unit_from_the_start_up_to_a_bunker(players: int) -> None:
    battle = beach(players=str(players))

    assert [unit.name for unit in battle.state.units] == ["A", "B", "C", "D"][:players]
    assert battle.field.bunkers == ("Bunker",)


@pytest.mark.rule("DDD-001")
def test_five_players_are_refused() -> None:
    with pytest.raises(BadInput, match="choose from 1, 2, 3, 4"):
        setup(GAME, shipped(), {"players": "5"})


@pytest.mark.rule("DDD-002")
def test_two_safe_and_the_third_wiped_out_loses_for_all() -> None:
    battle, (one, two, three) = together(players=3)
    one.status = two.status = Status.SAFE
    put(battle, three, "4", soldiers=5)

    act(combat(battle))

    outcome = over(battle)
    assert outcome is not None
    assert outcome.result == "lost"


@pytest.mark.rule("DDD-003")
def test_a_set_is_two_red_two_white_two_blue() -> None:
    colours = [die.colour for die in full_set()]

    assert [colours.count(colour) for colour in (Colour.RED, Colour.WHITE, Colour.BLUE)] == [2, 2, 2]
    assert len(colours) == 6


@pytest.mark.rule("DDD-003")
def test_four_players_roll_eight_dice_of_each_colour() -> None:
    battle, units = together(players=4)
    rolled = Counter[str]()

    for unit in units:
        question = begin(roll_the_dice(battle, unit)).open
        assert isinstance(question, Roll)
        rolled.update({dice.die: dice.count for dice in question.dice})

    assert rolled == {"dday.red": 8, "dday.white": 8, "dday.blue": 8}


@pytest.mark.rule("DDD-005", "DDD-010")
def test_each_player_holds_the_listed_specialists_of_an_own_deck() -> None:
    battle, (one, two) = together("omaha")

    assert one.hand == two.hand
    assert one.hand is not two.hand
    assert len(one.hand) == 7
    assert all(battle.pack.specialist[name].kind is Kind.REGULAR for name in one.hand)


@pytest.mark.rule("DDD-006", "DDD-215")
def test_newcomers_are_offered_exercise_tiger_first() -> None:
    first = GAME.scenarios(shipped())[:3]

    assert first == ("tiger_practice", "tiger_basic", "tiger_advanced")
    assert start(setup(GAME, shipped(), {})).battle.field.title.startswith("Exercise Tiger")


@pytest.mark.rule("DDD-007", "DDD-R05")
def test_all_markers_start_in_sector_1_with_one_chevron() -> None:
    battle, units = together(players=3)

    assert [unit.sector for unit in units] == ["1", "1", "1"]
    assert [battle.marker(unit) for unit in units] == ["1 chevron"] * 3


@pytest.mark.rule("DDD-008", "DDD-086")
def test_the_maps_lists_say_which_cards_there_are() -> None:
    battle, unit = alone("omaha")

    assert set(unit.hand) == {"Corporal", "Hero", "Medic", "Minesweeper", "Scout", "Sharpshooter", "Veteran"}
    unique = {"Captain", "Combat Photographer", "Decoy", "Lieutenant", "Messenger"}
    assert set(battle.state.pool_specialists) == unique
    regular = {n for n, item in battle.pack.item.items() if item.kind is Kind.REGULAR and item.solo}
    special = {"Command Jacket", "Flak Vest", "Lucky Charm", "Strategic Map"}
    assert set(battle.state.pool_items) == regular | special
    assert len([n for n, item in battle.pack.item.items() if item.kind is Kind.REGULAR]) == 10


IN_A_SECTOR = {
    "utah": {"Shoulder Patch", "Flame-Thrower"},
    "juno": {"Flame-Thrower"},
    "gull_bay": {"Field Radio"},
}


@pytest.mark.rule("DDD-086")
@pytest.mark.parametrize("board", [board for board in shipped().map if board != "tiger"])
def test_regular_items_are_in_every_maps_pool_but_for_those_that_lie_in_a_sector(board: str) -> None:
    battle = start(setup(GAME, shipped(), {"players": "2"}, board)).battle
    next(set_up(battle))
    regular = {name for name, item in battle.pack.item.items() if item.kind is Kind.REGULAR}

    assert regular - set(battle.state.pool_items) == IN_A_SECTOR.get(board, set())


@pytest.mark.rule("DDD-009")
def test_items_and_unique_specialists_form_one_pool_for_all() -> None:
    battle, units = together()

    for unit in units:
        put(battle, unit, "1", stars=4, points=15)
        offered = begin(recruit_and_find(battle, unit)).ids("recruit")
        assert {"recruit:Captain", "find:Bazooka"} <= set(offered)


@pytest.mark.rule("DDD-011", "DDD-087")
def test_what_the_map_does_not_list_stays_in_the_box() -> None:
    battle, unit = alone("omaha")

    assert "Chaplain" not in unit.hand
    assert "General" not in battle.state.pool_specialists
    assert "Bazooka" not in battle.state.pool_items
    assert "Command Jacket" in battle.state.pool_items
    put(battle, unit, "4", soldiers=9, stars=4)
    offered = begin(recruit_and_find(battle, unit)).ids("recruit")
    assert "recruit:Medic" in offered
    assert "recruit:Chaplain" not in offered


@pytest.mark.rule("DDD-012")
def test_awards_are_a_deck_of_their_own() -> None:
    battle, _ = alone()

    assert not set(battle.state.award_deck) & set(battle.state.pool_items + battle.state.pool_specialists)
    assert len(beach(players="2").state.award_deck) == 12


@pytest.mark.rule("DDD-013", "DDD-125")
def test_dials_are_set_to_the_resources_at_the_start() -> None:
    _, unit = alone()

    assert figures(unit) == (4, 0, 0, 0)


@pytest.mark.rule("DDD-013", "DDD-125")
def test_where_a_map_has_two_starts_the_player_chooses() -> None:
    _, unit = alone("pointe_du_hoc", "2")

    assert unit.sector == "2"
    assert figures(unit) == (1, 0, 3, 0)


def test_a_scenario_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(BadInput, match="tiger_practice, tiger_basic"):
        setup(GAME, shipped(), {}, "dieppe")


def test_an_earned_award_leaves_the_deck() -> None:
    battle, unit = alone()

    take_award(battle, unit, "Memorial Cross")

    assert "Memorial Cross" not in battle.state.award_deck
    assert unit.awards == ["Memorial Cross"]
