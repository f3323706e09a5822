"""Completing, capturing, Hill 89, and adjusting the difficulty (OKI-225 to OKI-258)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from random import Random

import msgspec
import pytest

from companion.games.okinawa import (
    dice,
    effects,
    enemies,
    invariants,
    moving,
    objectives,
    play,
    player_turn,
    setup,
)
from companion.games.okinawa.cards import Arrow, Post
from companion.games.okinawa.play import Okinawa
from companion.games.okinawa.state import Action, Activation, Enemy, Offer, Soldiers
from companion.games.okinawa.table import Captured, GameOver, Table
from companion.games.okinawa.unseen import HILL, candidates, mix_up, no_longer
from tests.games.driver import Driver
from tests.games.driver import setup as prepared
from tests.games.okinawa.field import GAME, choose, enemy, run, stop_at, table, texts

STONE_VILLAGE = (["stone-village"], ["L"], "1")


def letters(laid: Table) -> list[list[str]]:
    return [[laid.letter(one.card) if one.card else "?" for one in stack] for stack in laid.state.row]


# Completing


@pytest.mark.rule("OKI-228")
def test_from_9_with_a_3_the_pawn_is_on_2_and_the_flag_at_1() -> None:
    laid = table()
    laid.state.pawn, laid.state.pool = 9, [3]
    run(moving.move(laid, 3))
    assert (laid.state.pawn, laid.state.flag) == (2, 1)


@pytest.mark.parametrize(("flag", "words"), [(2, "Lap done. Flag to 1"), (1, "Flag to 0: the last turn")])
def test_the_last_turn_of_an_objective_is_told_as_its_last_lap_is_done(flag: int, words: str) -> None:
    laid = table()
    laid.state.flag = flag
    assert texts(run(moving.lap(laid))).strip().endswith(words)


@pytest.mark.rule("OKI-046", "OKI-225", "OKI-226", "OKI-229", "OKI-230")
def test_at_flag_0_the_turn_and_one_enemy_turn_are_played_then_the_objective_ends() -> None:
    driver = Driver(Okinawa(prepared(GAME)))
    laid = table()
    laid.state.flag, laid.state.pawn = 1, 9
    driver.play.table.state = laid.state
    script = play._round(driver.play.table)
    asked = run(script, ["5", "5"], ["3", "1", "1", "1", "1"], "move:3", *["move:1"] * 4, *STONE_VILLAGE)
    keys = [one.key for one in asked]
    assert laid.state.flag == 3, "the next Objective's"
    assert keys.count("okinawa.turn.spend") == 5
    assert keys.index("okinawa.enemy.advance") > max(
        i for i, key in enumerate(keys) if key == "okinawa.turn.spend"
    )
    assert keys.index("okinawa.objective.completed") > keys.index("okinawa.enemy.advance")
    assert laid.state.number == 2


@pytest.mark.rule("OKI-046", "OKI-226")
def test_with_laps_left_the_objective_goes_on_after_the_enemy_turn() -> None:
    laid = table()
    laid.state.flag, laid.state.pawn = 2, 9
    run(play._round(laid), ["5", "5"], ["3", "1", "1", "1", "1"], "move:3", *["move:1"] * 4)
    assert (laid.state.number, laid.state.flag) == (1, 1)


@pytest.mark.rule("OKI-231", "OKI-232", "OKI-233", "OKI-234", "OKI-235", "OKI-236", "OKI-R41")
def test_completing_lets_everyone_fall_back_and_the_pawn_stays() -> None:
    laid = table()
    state = laid.state
    state.flag, state.pawn, state.soldiers = 0, 7, Soldiers(2, 1)
    state.known.remove("A")
    state.row[0] = [Enemy("A", up=True, fog=1, damage=1), Enemy(pool="deck1")]
    state.deck -= 1
    run(objectives.complete(laid), *STONE_VILLAGE)
    assert state.number == 2
    assert state.pawn == 7
    assert state.fallback == [Enemy("A"), Enemy(pool="deck1")]
    assert state.fallback_soldiers == Soldiers(2, 1)
    assert state.soldiers == Soldiers(laid.objective.soldiers)
    assert letters(laid) == [["G", "?"], ["B"], ["F", "?"], []]


@pytest.mark.rule("OKI-231")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_no_objective_before_hill_89_is_failed_by_its_laps(number: int) -> None:
    laid = table()
    laid.state.number, laid.state.flag = number, 0
    stop_at(objectives.complete(laid), "okinawa.objective.completed")
    assert laid.state.fallback_soldiers == Soldiers(2)


@pytest.mark.rule("OKI-234")
def test_what_fell_back_before_is_kept_when_more_falls_back() -> None:
    laid = table()
    state = laid.state
    state.fallback, state.fallback_soldiers = [Enemy("A")], Soldiers(1, 1)
    state.row[0] = [Enemy("B", up=True)]
    objectives.fall_back(laid)
    assert state.fallback == [Enemy("A"), Enemy("B")]
    assert state.fallback_soldiers == Soldiers(3, 1)


@pytest.mark.parametrize(
    ("cards", "soldiers", "words"),
    [
        ("A", 2, "1 card, 2 soldiers in all"),
        ("AB", 1, "2 cards, 1 soldier in all"),
        ("A", 0, "1 card, 0 soldiers in all"),
    ],
)
def test_what_fell_back_is_told(cards: str, soldiers: int, words: str) -> None:
    laid = table()
    laid.state.row[0] = [Enemy(card) for card in cards]
    laid.state.soldiers = Soldiers(soldiers)
    objectives.fall_back(laid)
    assert laid.take_news() == f"To the Fallback Area: {words}"


def test_what_the_pieces_of_a_completed_objective_do_is_told() -> None:
    laid = table(wounds="heal")
    laid.state.soldiers, laid.state.mines = Soldiers(1, 1), [4, 8]
    laid.state.row[0] = [Enemy("A", up=True, fog=1)]
    completed = run(objectives.complete(laid), *STONE_VILLAGE)[0]
    assert completed.text == "Objective completed: All tokens off the Enemy cards, then face down"
    assert completed.detail.splitlines() == [
        "Flip red soldiers back to beige",
        "To the Fallback Area: 1 card, 2 soldiers in all",
        "The pawn stays where it is",
        "Take the Mine Fields away",
    ]


@pytest.mark.rule("OKI-R41")
@pytest.mark.parametrize(
    ("setting", "soldiers", "fallen", "turned"),
    [
        ("stay", Soldiers(2, 1), Soldiers(2, 1), False),
        ("heal", Soldiers(2, 1), Soldiers(3), True),
        ("heal", Soldiers(0, 1), Soldiers(1), True),
        ("heal", Soldiers(1), Soldiers(1), False),
    ],
)
def test_wounded_soldiers_fall_back_wounded_unless_set_otherwise(
    setting: str, soldiers: Soldiers, fallen: Soldiers, *, turned: bool
) -> None:
    laid = table(wounds=setting)
    laid.state.soldiers = soldiers
    objectives.fall_back(laid)
    assert laid.state.fallback_soldiers == fallen
    assert ("Flip red soldiers back to beige" in laid.state.news) is turned
    laid.take_news()
    objectives.fall_back(laid)
    assert laid.take_news() == "", "nobody is left to fall back"


@pytest.mark.rule("OKI-R27")
@pytest.mark.parametrize("side", ["top", "bottom"])
@pytest.mark.parametrize(("setting", "fallen", "pile"), [("yes", 0, 2), ("no", 1, 1)])
def test_a_plane_leaves_when_the_objective_is_completed(
    setting: str, fallen: int, pile: int, side: str
) -> None:
    laid = table(planes_leave=setting)
    laid.state.known.remove("kawanashi")
    setattr(laid.state, f"beside_{side}", [Enemy("kawanashi", up=True)])
    objectives.fall_back(laid)
    assert laid.state.beside_top == laid.state.beside_bottom == []
    assert len(laid.state.fallback) == fallen
    assert laid.state.known.count("kawanashi") == pile
    leaves = ["C Kawanashi NIK-J leaves: back to its pile"]
    assert (laid.state.news[:1] == leaves) is (setting == "yes")
    assert ("All tokens off the Enemy cards, then face down" in laid.state.news) is (setting == "no")


@pytest.mark.rule("OKI-R27")
def test_a_plane_of_the_unknown_enemies_leaves_to_the_discard() -> None:
    laid = table()
    enemy(laid, 2, "zero", health=0, plane=True)
    objectives.fall_back(laid)
    assert laid.state.discard == ["zero"]
    assert "Zero leaves: to the discard" in laid.state.news


@pytest.mark.rule("OKI-238")
def test_completing_gives_no_resupply_and_readies_nothing() -> None:
    laid = table()
    laid.state.flag = 0
    laid.state.spaces[2].action.rotated = True
    asked = run(objectives.complete(laid), *STONE_VILLAGE)
    assert not [one for one in asked if one.key.startswith("okinawa.resupply")]
    assert laid.state.spaces[2].action.rotated


@pytest.mark.rule("OKI-R58")
def test_the_next_crossing_counts_for_the_new_objective() -> None:
    laid = table()
    laid.state.flag, laid.state.pawn, laid.state.pool = 0, 10, [1]
    run(objectives.complete(laid), *STONE_VILLAGE)
    run(moving.move(laid, 1))
    assert laid.state.flag == 2


@pytest.mark.rule("OKI-R59", "OKI-R60")
def test_stored_dice_suppressed_and_turned_cards_carry_over() -> None:
    laid = table()
    laid.state.flag, laid.state.resupply_die = 0, 3
    action = laid.state.spaces[2].action
    action.suppressed = action.rotated = True
    run(objectives.complete(laid), *STONE_VILLAGE)
    assert laid.state.resupply_die == 3
    assert action.suppressed
    assert action.rotated
    asked = run(dice.roll_action_dice(laid), ["1"] * 5)
    assert asked[0].dice[0].count == laid.objective.dice - 1


@pytest.mark.rule("OKI-R59")
@pytest.mark.parametrize(("before", "stored", "rolled"), [(6, 0, 5), (6, 3, 4), (4, 0, 5), (4, 3, 4)])
def test_dice_come_or_go_to_the_allowance_of_the_next_objective(
    before: int, stored: int, rolled: int
) -> None:
    laid = table()
    laid.state.number, laid.state.allowance, laid.state.resupply_die = 0, before, stored
    run(objectives.set_up_objective(laid), ["coast-road"], ["J"])
    asked = run(dice.roll_action_dice(laid), ["1"] * rolled)
    assert asked[0].dice[0].count == rolled
    assert laid.state.resupply_die == stored


@pytest.mark.rule("OKI-R36")
def test_with_the_flag_at_0_the_last_defeat_is_no_capture() -> None:
    laid = table()
    laid.state.flag, laid.state.soldiers = 0, Soldiers(0, 1)
    enemies.hurt(laid, enemies.RED, 1)
    assert enemies.remaining(laid) == 0


@pytest.mark.rule("OKI-R36")
def test_a_last_defeat_with_the_flag_at_0_ends_the_objective_after_its_turns_without_a_bonus() -> None:
    laid = table()
    state = laid.state
    state.flag, state.allowance, state.soldiers = 0, 2, Soldiers(0, 1)
    asked = run(play._round(laid), ["9"], ["1", "1"], "act:1", "move:1", *STONE_VILLAGE)
    keys = [one.key for one in asked]
    assert keys.count("okinawa.turn.spend") == 2, "the turn goes on"
    assert keys.index("okinawa.enemy.advance") < keys.index("okinawa.objective.completed")
    assert not [key for key in keys if key.startswith("okinawa.resupply")]
    assert (state.number, state.pawn, state.captured) == (2, 2, 0)
    assert (state.fallback, state.fallback_soldiers) == ([], Soldiers())


def test_why_the_last_defeat_after_the_last_lap_is_no_capture_is_told() -> None:
    laid = table()
    laid.state.flag, laid.state.soldiers = 0, Soldiers(0, 2)
    enemies.hurt(laid, enemies.RED, 1)
    assert laid.take_news() == "A red soldier falls: 0 beige, 1 red"
    enemies.hurt(laid, enemies.RED, 1)
    assert laid.take_news().splitlines()[1:] == ["Nobody is left, but the laps are done: no capture"]


@pytest.mark.rule("OKI-237", "OKI-235", "OKI-236")
def test_the_next_objectives_first_turn_begins_with_the_reveal_and_the_enemy_dice() -> None:
    laid = table()
    state = laid.state
    state.flag, state.allowance, state.pawn = 0, 1, 6
    run(play._round(laid), ["5", "5"], ["1"], "move:1", *STONE_VILLAGE)
    assert (state.number, state.pawn) == (2, 7)
    assert not any(stack[0].up for stack in state.row if stack)
    strikes = ["1"] * len(state.soldiers)
    asked = run(
        player_turn.player_turn(laid), ["G"], ["B"], ["F"], [*strikes, "4"], ["1"] * 6, *["move:1"] * 6
    )
    assert [one.key for one in asked[:6]] == [
        *["okinawa.reveal.known"] * 3,
        "okinawa.reveal.shown",
        "okinawa.enemy.dice",
        "okinawa.turn.dice",
    ]


# Capturing


@pytest.mark.rule("OKI-227", "OKI-239", "OKI-R37")
def test_the_last_defeat_captures_at_once_and_unspent_dice_are_lost() -> None:
    laid = table()
    state = laid.state
    state.soldiers, state.pool, state.strikes, state.resupply_die = Soldiers(0, 1), [1, 2, 4], [7], 2
    with pytest.raises(Captured):
        choose(laid, "act:1-2")
    run(objectives.capture(laid), *STONE_VILLAGE)
    assert (state.pool, state.strikes, state.resupply_die) == ([], [], 2)
    assert (state.activation, state.captured) == (Activation(), 1)


def test_a_capture_tells_that_stored_dice_stay() -> None:
    laid = table()
    laid.state.resupply_die, laid.state.pool = 3, [2]
    told = run(objectives.capture(laid), *STONE_VILLAGE)[0]
    assert "stored ones stay" in texts([told])
    assert (laid.state.resupply_die, laid.state.pool) == (3, [])


@pytest.mark.rule("OKI-240", "OKI-R69")
@pytest.mark.parametrize(("removed", "start"), [(0, 1), (1, 2)])
def test_the_pawn_is_put_on_the_first_top_space_without_a_lap(removed: int, start: int) -> None:
    laid = table()
    laid.state.pawn, laid.state.soldiers = 8, Soldiers()
    laid.state.spaces = [space for space in laid.state.spaces if space.number != removed]
    run(objectives.capture(laid), ["stone-village"], ["L"], "3")
    assert laid.state.pawn == start
    assert laid.state.flag == laid.objective.laps


@pytest.mark.rule("OKI-240", "OKI-R15", "OKI-R69")
def test_the_pawn_of_a_capture_stands_on_the_team_that_its_resupply_puts_over_space_1() -> None:
    laid = table()
    state = laid.state
    state.pawn, state.soldiers, state.offers = 8, Soldiers(), [Offer("machine-gun-team")]
    state.reinforcements.clear()
    run(objectives.capture(laid), *STONE_VILLAGE, "1", "2-1")
    assert (state.pawn, state.flag) == (2, laid.objective.laps)
    assert state.spaces[0].action == Action("machine-gun-team")


@pytest.mark.rule("OKI-241", "OKI-242", "OKI-243", "OKI-R60", "OKI-R69")
def test_the_next_objective_is_set_up_before_the_one_bonus_resupply() -> None:
    laid = table()
    state = laid.state
    state.soldiers = Soldiers()
    state.spaces[4].action.rotated = state.spaces[5].action.suppressed = True
    run(moving.refill(laid), ["sniper", "sniper", "corsair"], ["grenade", "medkit", "adjust"])
    answers = (*STONE_VILLAGE, "1", ["flamethrower"], ["sandbags"], "4")
    asked = run(objectives.capture(laid), *answers)
    assert "take a Resupply" not in texts(asked), "the box offers it"
    keys = [one.key for one in asked]
    assert keys.index("okinawa.objective.setup") < keys.index("okinawa.resupply.take")
    assert keys.count("okinawa.resupply.take") == 1
    assert state.tokens == ["grenade"]
    assert not state.spaces[4].action.rotated
    assert state.spaces[5].action.suppressed


@pytest.mark.rule("OKI-R61")
def test_a_captured_objectives_scenario_takes_its_mines_along() -> None:
    laid = table()
    laid.state.soldiers, laid.state.scenario, laid.state.mines = Soldiers(), "J", [4, 8]
    run(objectives.capture(laid), *STONE_VILLAGE)
    assert (laid.state.scenario, laid.state.mines) == ("L", [])


@pytest.mark.rule("OKI-244", "OKI-042")
def test_no_enemy_turn_comes_between_a_capture_and_the_next_turn() -> None:
    laid = table()
    laid.state.soldiers, laid.state.resupply_die = Soldiers(0, 1), 1
    run(play._round(laid), ["1"], ["1", "1", "1", "1"], "act:1", *STONE_VILLAGE)
    assert laid.state.number == 2
    assert laid.state.health == 4, "the strike on the pawn's space was not resolved"


@pytest.mark.rule("OKI-R38")
def test_a_grenade_in_the_enemy_turn_captures_and_what_was_to_come_does_not() -> None:
    laid = table()
    laid.state.soldiers, laid.state.tokens = Soldiers(), ["grenade"]
    laid.state.pawn, laid.state.strikes, laid.state.resupply_die, laid.state.allowance = 3, [9], 1, 1
    enemy(laid, 3, health=2, arrows=(Arrow.UP,))
    run(play._round(laid), "end", "grenade", "3", *STONE_VILLAGE)
    assert laid.state.number == 2
    assert laid.state.health == 4
    assert laid.state.pawn == 1
    assert not laid.state.enemy_turn


@pytest.mark.rule("OKI-R38")
def test_a_plane_that_does_not_block_hits_nobody_after_a_capture_in_the_enemy_turn() -> None:
    laid = table(planes_block="no")
    laid.state.soldiers, laid.state.tokens, laid.state.resupply_die = Soldiers(), ["grenade"], 1
    laid.state.pawn, laid.state.strikes, laid.state.allowance = 4, [9], 1
    enemy(laid, 3, "one", health=2)
    enemy(laid, 4, "two", type="armor", health=0, plane=True, arrows=(Arrow.UP,))
    run(play._round(laid), "end", "grenade", "3", *STONE_VILLAGE)
    assert (laid.state.number, laid.state.health) == (2, 4)


@pytest.mark.rule("OKI-R77")
def test_face_down_cards_have_to_be_defeated_too() -> None:
    laid = table()
    laid.state.soldiers = Soldiers(0, 2)
    laid.state.row[2] = [Enemy("A")]
    enemies.hurt(laid, enemies.RED, 1)
    assert enemies.remaining(laid) == 2, "a soldier and a card"
    enemies.hurt(laid, enemies.RED, 1)
    assert enemies.remaining(laid) == 1


@pytest.mark.rule("OKI-R26")
@pytest.mark.parametrize("setting", ["yes", "no"])
def test_a_plane_blocks_the_capture_unless_set_otherwise(setting: str) -> None:
    laid = table(planes_block=setting)
    laid.state.soldiers = Soldiers(0, 1)
    laid.state.beside_top = [Enemy("kawanashi", up=True)]
    if setting == "yes":
        enemies.hurt(laid, enemies.RED, 1)
    else:
        with pytest.raises(Captured):
            enemies.hurt(laid, enemies.RED, 1)
        laid.state.known.remove("kawanashi")
        run(objectives.capture(laid), *STONE_VILLAGE)
        assert laid.state.beside_top == []


@pytest.mark.rule("OKI-R26", "OKI-R77")
def test_planes_that_do_not_block_are_face_up_planes_alone() -> None:
    laid = table(planes_block="no")
    laid.state.row[0] = [Enemy("kawanashi", up=True)]
    laid.state.row[1] = [Enemy("kawanashi")]
    laid.state.row[2] = [Enemy("G", up=True)]
    assert enemies.remaining(laid) == 2 + len(laid.state.soldiers)


@pytest.mark.rule("OKI-R26", "OKI-R77")
def test_what_is_tucked_under_a_plane_that_does_not_block_has_to_be_defeated() -> None:
    laid = table(planes_block="no")
    laid.state.soldiers = Soldiers(0, 1)
    laid.state.row[0] = [Enemy("kawanashi", up=True), Enemy("G")]
    enemies.hurt(laid, enemies.RED, 1)
    assert enemies.remaining(laid) == 1


@pytest.mark.rule("OKI-R26")
def test_a_last_card_that_turns_out_to_be_a_plane_captures_if_planes_do_not_block() -> None:
    laid = table(planes_block="no")
    laid.state.soldiers = Soldiers()
    laid.state.row[0] = [Enemy("kawanashi")]
    with pytest.raises(Captured):
        run(effects.reveal_exposed(laid), ["kawanashi"])


@pytest.mark.rule("OKI-R26")
@pytest.mark.parametrize(("number", "goal"), [(1, "capture"), (4, "victory")])
def test_a_plane_that_blocks_is_warned_of(number: int, goal: str) -> None:
    laid = table()
    laid.state.number = number
    laid.state.known.remove("kawanashi")
    laid.state.row[0] = [Enemy("kawanashi")]
    enemy(laid, 3, up=False)
    told = texts(run(effects.reveal_exposed(laid), ["kawanashi"]))
    assert told.count(f"A plane: no {goal} while it is here") == 1, "of the other card it isn't said"


@pytest.mark.rule("OKI-R26")
@pytest.mark.parametrize(("number", "flag", "goal"), [(1, 2, "capture"), (1, 0, ""), (4, 0, "victory")])
def test_that_only_planes_are_left_is_told(number: int, flag: int, goal: str) -> None:
    laid = table()
    laid.state.number, laid.state.flag, laid.state.soldiers = number, flag, Soldiers(0, 1)
    laid.state.beside_top = [Enemy("kawanashi", up=True)]
    under = enemy(laid, 2, health=1)
    enemies.hurt(laid, "2", 1)
    assert "planes" not in laid.take_news(), "a soldier is left"
    laid.state.row[0] = [under]
    enemies.hurt(laid, enemies.RED, 1)
    assert "planes" not in laid.take_news(), "a card is left"
    enemies.hurt(laid, "2", 1)
    told = laid.take_news()
    assert f"Only planes are left: no {goal} while they are here" in told if goal else "planes" not in told


# Hill 89


def before_hill(**settings: str) -> Table:
    laid = table(**settings)
    state = laid.state
    state.number, state.soldiers = 3, Soldiers()
    return laid


HILL_89 = (["hill-89"], ["R"], "1")


@pytest.mark.rule("OKI-245", "OKI-249", "OKI-R46")
def test_hill_89_has_h_e_b_d_face_down_on_top() -> None:
    laid = before_hill()
    run(objectives.set_up_objective(laid), *HILL_89)
    assert laid.state.flag == laid.objective.laps
    assert [stack[0] for stack in letters(laid)] == ["H", "E", "B", "D"]
    assert not any(one.up for stack in laid.state.row for one in stack)
    run(effects.reveal_exposed(laid), ["H"], ["pill-box"], ["B"], ["D"])
    assert all(stack[0].up for stack in laid.state.row)


@pytest.mark.rule("OKI-246", "OKI-R45")
def test_fallen_back_soldiers_return_beside_those_that_are_printed() -> None:
    laid = before_hill()
    laid.state.fallback_soldiers = Soldiers(3, 2)
    run(objectives.set_up_objective(laid), *HILL_89)
    assert laid.state.soldiers == Soldiers(3 + laid.objective.soldiers, 2)
    assert laid.state.fallback_soldiers == Soldiers()


@pytest.mark.rule("OKI-247", "OKI-248")
def test_three_fallen_back_and_four_random_cards_are_dealt_2_2_2_1() -> None:
    laid = before_hill()
    laid.state.known = [one for one in laid.state.known if one not in ("A", "F", "G")] + ["A", "F", "G"]
    laid.state.fallback = [Enemy("A"), Enemy("F"), Enemy("G")]
    run(objectives.set_up_objective(laid), *HILL_89)
    assert [len(stack) - 1 for stack in laid.state.row] == [2, 2, 2, 1]
    assert all(one.pool == HILL for stack in laid.state.row for one in stack[1:])
    assert laid.state.deck == 6
    assert laid.state.fallback == []


def test_what_is_to_be_done_for_hill_89_is_told() -> None:
    laid = before_hill(extra_unknown="1")
    state = laid.state
    state.known = [one for one in state.known if one != "H"]
    state.fallback = [Enemy("H"), Enemy("A"), Enemy("G")]
    state.fallback_soldiers = Soldiers(1, 1)
    told = next(one for one in run(objectives.set_up_objective(laid), *HILL_89) if "Objective 4" in one.text)
    assert told.detail.splitlines()[2:] == [
        "5 soldiers in Enemy Space 1, 1 red",
        "2 of the soldiers from the Fallback Area",
        "Take H out of the Fallback Area first: no other is left",
        (
            "Shuffle the Fallback cards (2) with Unknown Enemies (4) and deal all face down to Enemy Spaces "
            "2, 3, 4, 5, 2 and so on. The letters go on top"
        ),
        "Enemy Space 2: H on 2 dealt",
        "Enemy Space 3: E on 2 dealt",
        "Enemy Space 4: B on 1 dealt on 1 Unknown",
        "Enemy Space 5: D on 1 dealt",
        "Enemy cards face down, Unknown ones unseen",
    ]


@pytest.mark.rule("OKI-247", "OKI-R79")
def test_once_all_that_the_deck_gave_are_seen_the_rest_is_what_fell_back() -> None:
    laid = before_hill()
    state = laid.state
    state.fallback = [Enemy("A"), Enemy("F")]
    run(objectives.set_up_objective(laid), *HILL_89)
    for stack in state.row:
        no_longer(laid, stack[-1], state.unseen["deck1"][0])
        stack.pop()
    assert set(candidates(laid, state.row[0][1])) == {"A", "F"}


@pytest.mark.rule("OKI-247")
def test_each_dealt_card_is_any_of_the_mixed_ones_alike_likely() -> None:
    laid = before_hill()
    laid.state.fallback = [Enemy("A"), Enemy("F"), Enemy("G")]
    run(objectives.set_up_objective(laid), *HILL_89)
    weights = candidates(laid, laid.state.row[0][1])
    total = sum(weights.values())
    assert weights["A"] / total == pytest.approx(1 / 7)
    unknown = Counter(laid.state.unseen["deck1"])
    assert sum(weights[one] for one in unknown) / total == pytest.approx(4 / 7)
    assert weights["patrol"] == 2 * weights["ambush"]


@pytest.mark.rule("OKI-247")
@pytest.mark.parametrize(
    ("fallen", "deck", "seen"),
    [
        (["patrol", "A"], ["patrol", "snare", "smoke", "ambush"], ["patrol"]),
        (["patrol", "A"], ["patrol", "snare", "smoke", "ambush"], ["snare", "patrol"]),
        (["patrol", "tunnel"], ["patrol", "tunnel", "smoke", "ambush"], ["patrol", "tunnel"]),
        (["patrol", "A", "B"], ["patrol", "tunnel", "tunnel", "smoke"], ["patrol", "patrol"]),
        (["patrol", "A"], ["patrol", "patrol", "smoke", "ambush"], ["patrol", "patrol"]),
        (["patrol", "A"], ["patrol", "patrol", "patrol", "ambush"], ["patrol", "patrol"]),
    ],
)
def test_a_card_like_one_that_was_seen_comes_as_often_as_two_of_it_lie_there(
    fallen: list[str], deck: list[str], seen: list[str]
) -> None:
    laid = table()
    laid.state.unseen = {"deck1": [*deck], HILL: [*fallen]}
    laid.state.row[0] = [Enemy(pool=HILL) for _ in range(len(fallen) + 2)]
    for one in seen:
        run(effects.reveal(laid, "2"), [one])
        enemies.take_off(laid, laid.state.row[0][0])

    deals = [[*fallen, *mixed] for mixed in combinations(deck, 2)]
    orders = [order for deal in deals for order in permutations(deal)]
    after = Counter(order[len(seen)] for order in orders if [*order[: len(seen)]] == seen)
    weights = candidates(laid, laid.state.row[0][0])
    assert set(weights) == set(after)
    for card, times in after.items():
        assert weights[card] * after.total() == times * weights.total()


@pytest.mark.rule("OKI-247")
@pytest.mark.parametrize(
    ("fallen", "deck", "seen"),
    [
        (["patrol", "A"], ["patrol", "snare", "smoke", "ambush"], ["A"]),
        (["patrol", "A"], ["patrol", "snare", "smoke", "ambush"], ["patrol"]),
        (["patrol", "A"], ["patrol", "snare", "smoke", "ambush"], ["snare", "patrol"]),
        (["patrol", "tunnel"], ["patrol", "tunnel", "smoke", "ambush"], ["patrol", "tunnel"]),
        (["patrol", "A"], ["patrol", "patrol", "smoke", "ambush"], ["patrol", "patrol"]),
        (["patrol", "A", "B"], ["patrol", "tunnel", "tunnel", "smoke"], ["patrol", "tunnel"]),
    ],
)
def test_a_card_tucked_at_hill_89_is_less_often_like_one_that_was_dealt_of_the_same_deck(
    fallen: list[str], deck: list[str], seen: list[str]
) -> None:
    laid = table()
    laid.state.unseen = {"deck1": [*deck], HILL: [*fallen]}
    laid.state.row[0] = [Enemy(pool=HILL) for _ in range(len(fallen) + 2)]
    laid.state.row[1] = [Enemy(pool="deck1")]
    for one in seen:
        run(effects.reveal(laid, "2"), [one])
        enemies.take_off(laid, laid.state.row[0][0])

    after: Counter[str] = Counter()
    for first, second, tucked, _ in permutations(deck):
        orders = permutations([*fallen, first, second])
        after[tucked] += sum([*order[: len(seen)]] == seen for order in orders)
    weights = candidates(laid, laid.state.row[1][0])
    assert set(weights) == set(+after)
    for card, times in after.items():
        assert weights[card] * after.total() == times * weights.total()


def test_a_journal_from_before_a_tucked_card_was_weighed_at_hill_89_goes_on() -> None:
    laid = table()
    laid.state.unseen = {"deck1": ["patrol", "snare", "smoke", "ambush"], HILL: ["patrol", "A"]}
    laid.state.row[0] = [Enemy(pool=HILL) for _ in range(4)]
    laid.state.row[1] = [Enemy(pool="deck1")]
    before = next(effects.reveal(laid, "3"))
    run(effects.reveal(laid, "2"), ["patrol"])
    enemies.take_off(laid, laid.state.row[0][0])

    now = next(effects.reveal(laid, "3"))
    assert now.former is not None
    assert now.former.fingerprint() == before.fingerprint() != now.fingerprint()


@pytest.mark.rule("OKI-R42")
def test_a_letter_that_fell_back_with_all_its_copies_is_taken_out_for_the_top() -> None:
    laid = before_hill()
    laid.state.known = [one for one in laid.state.known if one != "H"]
    laid.state.fallback = [Enemy("H"), Enemy("A"), Enemy("H"), Enemy("B")]
    run(objectives.set_up_objective(laid), *HILL_89)
    assert laid.state.row[0][0].card == "H"
    assert laid.state.unseen[HILL] == ["A", "H", "B"], "B is in the pile too"


@pytest.mark.rule("OKI-R42")
def test_every_letter_of_hill_89_is_taken_out_as_often_as_it_is_wanted() -> None:
    laid = before_hill()
    row = (Post("", unknown=1), Post("E", under=("H",)), Post("H"))
    hill = msgspec.structs.replace(laid.pack.objective["hill-89"], row=row)
    laid.state.learned.objective["hill-89"] = hill
    laid.state.known = [one for one in laid.state.known if one != "H"]
    laid.state.fallback = [Enemy("H"), Enemy("A"), Enemy("H")]
    run(objectives.set_up_objective(laid), *HILL_89)
    assert [[one for one in stack if one != "?"] for stack in letters(laid)] == [[], ["E", "H"], ["H"], []]
    assert laid.state.unseen[HILL] == ["A"]


@pytest.mark.rule("OKI-250", "OKI-251", "OKI-R40")
def test_hill_89_is_lost_after_the_enemy_turn_of_the_last_lap_if_anyone_is_left() -> None:
    laid = table()
    laid.state.number, laid.state.objective, laid.state.flag, laid.state.pawn = 4, "hill-89", 1, 9
    turn = (["5", "6"], ["1", "2", "1", "1", "1"], "move:2", *["move:1"] * 4)
    with pytest.raises(GameOver, match="not taken in time"):
        run(play._round(laid), *turn)
    assert (laid.state.flag, laid.state.pawn) == (0, 5)
    assert laid.state.health == 3, "the Enemy Turn was played, with its strike on 5"


@pytest.mark.rule("OKI-252", "OKI-189", "OKI-R36", "OKI-R39")
@pytest.mark.parametrize("flag", [2, 0])
def test_hill_89_is_won_when_the_last_enemy_falls_in_the_last_turn_too(flag: int) -> None:
    laid = table()
    laid.state.number, laid.state.flag, laid.state.soldiers = 4, flag, Soldiers(0, 1)
    enemy(laid, 2, health=1)
    enemies.hurt(laid, "2", 1)
    with pytest.raises(GameOver, match="taken"):
        enemies.hurt(laid, enemies.RED, 1)


# Difficulty


@pytest.mark.rule("OKI-253", "OKI-256", "OKI-034")
@pytest.mark.parametrize("sandbags", ["0", "1", "2"])
def test_the_starting_sandbags_can_be_set(sandbags: str) -> None:
    laid = Okinawa(prepared(GAME, sandbags=sandbags)).table
    run(setup.set_up(laid), ["corsair", "sniper", "sniper"], ["grenade", "medkit", "adjust"])
    assert laid.state.sandbags == int(sandbags)


@pytest.mark.rule("OKI-254", "OKI-R76")
@pytest.mark.parametrize(("number", "dice_in_all"), [(1, 6), (2, 6), (3, 6), (4, 6)])
def test_the_extra_die_is_for_objectives_1_and_2_and_never_the_seventh(number: int, dice_in_all: int) -> None:
    cards = {1: ("coast-road", "J"), 2: ("stone-village", "L"), 3: ("castle-walls", "O"), 4: ("hill-89", "R")}
    name, letter = cards[number]
    answers = [[name], [letter], *(["1"] if number > 1 else [])]
    eased, plain = table(extra_die="yes"), table()
    for laid in (eased, plain):
        laid.state.number = number - 1
        run(objectives.set_up_objective(laid), *answers)
    assert dice.allowance(eased) == dice_in_all
    assert eased.state.allowance - plain.state.allowance == (number <= 2)


@pytest.mark.rule("OKI-255", "OKI-R66")
def test_two_riflemen_can_be_replaced_by_random_reinforcements() -> None:
    laid = Okinawa(prepared(GAME, riflemen="random")).table
    row = (["corsair", "sniper", "sniper"], ["grenade", "medkit", "adjust"])
    asked = run(setup.set_up(laid), *row, ["4", "9"], ["sherman", "flamethrower"])
    names = [space.action.card for space in laid.state.spaces]
    assert (names[3], names[8]) == ("sherman", "flamethrower")
    pick, draw = asked[-2:]
    assert [option.id for option in pick.options] == ["1", "4", "7", "9"], "the Riflemen"
    assert "machine-gun-team" not in [option.id for option in draw.options], "it would take two places"
    assert len(laid.state.reinforcements) == 15 - 3 - 2
    assert laid.state.removed_actions == ["rifleman"] * 2
    assert not any(space.action.veteran for space in laid.state.spaces)
    assert [one.kind for one in asked[-2:]] == ["pick", "draw"]


@pytest.mark.rule("OKI-255", "OKI-R66")
def test_or_by_chosen_ones() -> None:
    laid = Okinawa(prepared(GAME, riflemen="chosen")).table
    row = (["corsair", "sniper", "sniper"], ["grenade", "medkit", "adjust"])
    asked = run(setup.set_up(laid), *row, ["1", "4"], ["sherman", "flamethrower"])
    assert [one.kind for one in asked[-2:]] == ["pick", "pick"]
    assert {laid.state.spaces[0].action.card, laid.state.spaces[3].action.card} == {"sherman", "flamethrower"}


@pytest.mark.parametrize(("riflemen", "asked"), [(0, []), (1, ["Replace which 1 Rifleman?"])])
def test_no_more_riflemen_are_replaced_than_lie_there(riflemen: int, asked: list[str]) -> None:
    laid = table(riflemen="random")
    for space in laid.state.spaces[riflemen:]:
        space.action.card = "scouts"
    answers = [["1"], ["sherman"]] if riflemen else []
    put = run(setup.replace_riflemen(laid), *answers)
    assert [one.text for one in put if one.kind == "pick"] == asked
    assert ("No Rifleman is laid out: none is replaced" in laid.state.news) is (not riflemen)


@pytest.mark.rule("OKI-255", "OKI-R67")
@pytest.mark.parametrize("option", ["random", "chosen"])
@pytest.mark.parametrize(("left", "asked"), [(0, []), (1, ["Replace which 1 Rifleman?"])])
def test_no_more_riflemen_are_replaced_than_reinforcements_are_left(
    option: str, left: int, asked: list[str]
) -> None:
    laid = table(riflemen=option)
    laid.state.reinforcements = ["sherman"] * left + ["machine-gun-team"] * 2
    put = run(setup.replace_riflemen(laid), *([["1"], ["sherman"]] if left else []))
    assert [one.text for one in put if one.text.startswith("Replace")] == asked
    assert laid.state.reinforcements == ["machine-gun-team"] * 2
    said = "No Reinforcement for a Rifleman is left: none is replaced"
    assert (said in laid.state.news) is (not left)


def test_where_the_riflemens_replacements_go_is_told() -> None:
    row = (["corsair", "sniper", "sniper"], ["grenade", "medkit", "adjust"])
    random = Okinawa(prepared(GAME, riflemen="random")).table
    run(setup.set_up(random), *row, ["4", "9"], ["sherman", "flamethrower"])
    assert random.take_news().splitlines() == [
        "Sherman M4A3 in place of the Rifleman on 4",
        "Flamethrower in place of the Rifleman on 9",
    ]
    chosen = Okinawa(prepared(GAME, riflemen="chosen")).table
    asked = run(setup.set_up(chosen), *row, ["4", "9"], ["sherman", "flamethrower"])
    assert "As listed here, to 4, then 9." in asked[-1].detail
    assert [chosen.state.spaces[at].action.card for at in (3, 8)] == ["flamethrower", "sherman"]


TANK = ("Tank", "armor-damage", 2, "no more", "armor-damage", 3, "no more")
SINGLE, DOUBLE = (*TANK, 1, "no", "no", "no"), (*TANK, 2, "no", "no", "no")


@pytest.mark.rule("OKI-255", "OKI-R66")
@pytest.mark.parametrize(
    ("way", "answers"),
    [
        ("random", (["new", "sherman"], *SINGLE)),
        ("random", (["new", "sherman"], *DOUBLE, ["new"], *SINGLE)),
        ("chosen", (["sherman"], ["new"], *SINGLE)),
        ("chosen", (["sherman", "new"], *DOUBLE, ["new"], *SINGLE)),
    ],
)
def test_a_reinforcement_that_no_pack_knows_can_replace_a_rifleman(
    way: str, answers: tuple[object, ...]
) -> None:
    laid = Okinawa(prepared(GAME, riflemen=way)).table
    row = (["corsair", "sniper", "sniper"], ["grenade", "medkit", "adjust"])
    run(setup.set_up(laid), *row, ["1", "4"], *answers)
    entered = laid.state.spaces[3].action.card
    assert laid.state.spaces[0].action.card == "sherman"
    assert laid.action(entered).name == "Tank"
    assert laid.action(entered).replaces == 1
    assert len(laid.state.reinforcements) == 15 - 3 - 2
    double = set(laid.state.learned.action) - {entered}
    assert double <= set(laid.state.reinforcements), "one that replaces two stays in the deck"


@pytest.mark.rule("OKI-257", "OKI-R66")
@pytest.mark.parametrize(("where", "laid_under"), [("fewest", [1, 1, 1]), ("leftmost", [3, 0, 0])])
def test_the_harder_option_tucks_unknown_enemies_into_every_objective(
    where: str, laid_under: list[int]
) -> None:
    laid = table(extra_unknown="3", extra_under=where)
    before = table()
    for one in (laid, before):
        one.state.number = 1
        run(objectives.set_up_objective(one), ["twin-ridges"], ["N"], "1")
    more = [len(new) - len(old) for new, old in zip(laid.state.row, before.state.row, strict=True)][:3]
    assert more == laid_under
    assert laid.state.deck == before.state.deck - 3


@pytest.mark.rule("OKI-257", "OKI-R43", "OKI-R66")
@pytest.mark.parametrize(
    ("missing", "in_its_place", "where", "laid"),
    [
        ("", "none", "fewest", [2, 2, 2]),
        ("G", "unknown", "fewest", [2, 2, 2]),
        ("G", "unknown", "leftmost", [3, 1, 2]),
        ("G", "none", "fewest", [1, 2, 2]),
        ("G", "none", "leftmost", [1, 2, 2]),
        ("GBF", "none", "leftmost", [2, 0, 1]),
    ],
)
def test_an_extra_enemy_is_tucked_under_a_known_one_where_another_is_missing(
    missing: str, in_its_place: str, where: str, laid: list[int]
) -> None:
    told = table(missing_known=in_its_place, extra_unknown="1", extra_under=where)
    told.state.number = 1
    told.state.known = [card for card in told.state.known if told.letter(card) not in missing]
    run(objectives.set_up_objective(told), ["stone-village"], ["L"], "1")
    assert [len(stack) for stack in told.state.row[:3]] == laid


@pytest.mark.rule("OKI-257", "OKI-R66")
def test_where_an_objective_shows_no_enemy_card_no_extra_one_is_tucked() -> None:
    laid = table(extra_unknown="2")
    laid.state.number = 0
    coast_road = laid.pack.objective["coast-road"]
    laid.state.learned.objective["coast-road"] = msgspec.structs.replace(coast_road, row=())
    run(objectives.set_up_objective(laid), ["coast-road"], ["J"])
    assert (laid.state.row, laid.state.deck) == ([[], [], [], []], 10)


@pytest.mark.rule("OKI-257")
def test_the_extra_enemies_of_hill_89_are_of_the_unknown_deck() -> None:
    laid = before_hill(extra_unknown="1")
    laid.state.fallback = [Enemy("A")]
    run(objectives.set_up_objective(laid), *HILL_89)
    assert [stack[-1].pool for stack in laid.state.row] == [HILL, "deck1", HILL, HILL]
    assert laid.state.deck == 10 - 4 - 1


@pytest.mark.rule("OKI-247", "OKI-257", "OKI-R79")
def test_the_dealt_cards_of_hill_89_are_none_of_a_deck_that_was_shuffled_after_them() -> None:
    laid = before_hill(extra_unknown="2")
    state = laid.state
    state.unseen["deck1"] = ["patrol", "patrol", "snare", "smoke", "ambush", "marksman"]
    state.deck, state.discard = 5, ["tunnel", "field-gun", "gun-truck"]
    state.fallback = [Enemy(pool="deck1"), Enemy("A")]
    run(objectives.set_up_objective(laid), *HILL_89)
    hidden = [one for stack in state.row for one in stack if not one.card]
    assert sorted(one.pool for one in hidden) == ["deck1", "deck3", *[HILL] * 6]
    unknown, after = {"patrol", "snare", "smoke", "ambush", "marksman"}, {"tunnel", "field-gun", "gun-truck"}
    drawn = {HILL: {"A", *unknown}, "deck1": unknown, "deck3": after}
    named = {HILL: {"A", *unknown}, "deck1": unknown | after, "deck3": unknown | after}
    assert all(set(+candidates(laid, one)) == drawn[one.pool] for one in hidden)
    assert all(set(candidates(laid, one)) == named[one.pool] for one in hidden)


@pytest.mark.rule("OKI-062", "OKI-257", "OKI-R79")
@pytest.mark.parametrize("seed", range(40))
def test_a_card_tucked_at_hill_89_as_the_deck_ran_out_may_be_of_either_shuffle(seed: int) -> None:
    rng = Random(seed)
    laid = before_hill(extra_unknown="2")
    state = laid.state
    state.unseen["deck1"] = ["patrol", "tunnel", "snare", "smoke", "ambush", "marksman"]
    state.deck, state.discard = 5, ["patrol", "tunnel", "field-gun", "gun-truck"]
    state.known.remove("A")
    state.fallback = [Enemy(pool="deck1"), Enemy("A")]
    first, second = rng.sample(state.unseen["deck1"], 6), rng.sample(state.discard, 4)
    run(objectives.set_up_objective(laid), *HILL_89)
    under = [one for stack in state.row for one in stack[1:]]
    dealt = rng.sample([one for one in under if one.pool == HILL], 6)
    tucked = rng.sample([one for one in under if one.pool != HILL], 2)
    lies = list(zip([*dealt, *tucked], [*first[:5], "A", first[5], second[0]], strict=True))
    for hidden, card in rng.sample(lies, 8):
        assert card in candidates(laid, hidden)
        no_longer(laid, hidden, card)
        hidden.card, hidden.pool = card, ""
        assert [one for one in invariants.broken(laid) if "hidden" in one] == []


@pytest.mark.rule("OKI-062", "OKI-247", "OKI-R79")
@pytest.mark.parametrize(
    ("fallen", "deck", "seen", "first"),
    [
        (["patrol", "A"], ["patrol", "snare", "smoke", "ambush"], [], "snare"),
        (["patrol", "A"], ["patrol", "snare", "smoke", "ambush"], ["patrol"], "smoke"),
        (["patrol", "A"], ["patrol", "patrol", "smoke", "ambush"], ["smoke", "patrol"], "patrol"),
        (["patrol", "tunnel"], ["patrol", "tunnel", "smoke", "ambush"], ["patrol", "tunnel"], "ambush"),
    ],
)
def test_cards_that_were_laid_at_hill_89_as_the_deck_ran_out_come_as_often_as_they_lie_there(
    fallen: list[str], deck: list[str], seen: list[str], first: str
) -> None:
    laid = table()
    after = ["patrol", "tunnel", "tunnel"]
    laid.state.unseen = {"deck1": [*deck], HILL: [*fallen], "deck3": [*after]}
    laid.state.row[0] = [Enemy(pool=HILL) for _ in range(len(fallen) + 2)]
    laid.state.row[1] = [Enemy(pool="deck1"), Enemy(pool="deck1"), Enemy(pool="deck3")]
    mix_up(laid)
    for place, one in [*(("2", card) for card in seen), ("3", first)]:
        run(effects.reveal(laid, place), [one])
        enemies.take_off(laid, laid.state.row[int(place) - 2][0])

    dealt: Counter[str] = Counter()
    tucked: Counter[str] = Counter()
    for *given, one, other in permutations(deck):
        orders = [order for order in permutations([*fallen, *given]) if [*order[: len(seen)]] == seen]
        if one == first:
            dealt.update(order[len(seen)] for order in orders)
            tucked[other] += len(orders)
    for place, counted in zip((0, 1), (dealt, tucked), strict=True):
        weights = candidates(laid, laid.state.row[place][0])
        assert set(+weights) == set(+counted)
        assert all(weights[card] * counted.total() == counted[card] * weights.total() for card in counted)
    assert +candidates(laid, laid.state.row[1][1]) == Counter(after)


@pytest.mark.rule("OKI-062", "OKI-247")
def test_a_dealt_card_like_one_that_was_tucked_and_shuffled_since_can_be_named() -> None:
    laid = before_hill(extra_unknown="2")
    state = laid.state
    state.unseen["deck1"] = ["patrol", "tunnel", "snare", "smoke", "ambush", "marksman"]
    state.deck, state.discard, state.fallback = 5, ["patrol"], [Enemy(pool="deck1")]
    run(objectives.set_up_objective(laid), *HILL_89)
    under = [one for stack in state.row for one in stack[1:]]
    tucked = next(one for one in under if one.pool == "deck1")
    dealt = next(one for one in under if one.pool == HILL)
    no_longer(laid, tucked, "patrol")
    tucked.card, tucked.pool = "patrol", ""
    enemies.put_away(laid, tucked, "is defeated")
    enemies.take_off(laid, tucked)
    assert (state.deck, state.discard) == (1, [])
    assert "patrol" in candidates(laid, dealt)


@pytest.mark.rule("OKI-247", "OKI-R79")
def test_what_is_hidden_of_used_up_decks_is_surely_among_the_dealt_cards_of_hill_89() -> None:
    laid = before_hill()
    state = laid.state
    deck = ["patrol", "ambush", "patrol", "smoke", "tunnel"]
    state.unseen = {"deck1": ["snare"], "deck2": ["field-gun"], "deck3": [*deck]}
    state.deck, state.fallback = 5, [Enemy(pool="deck1"), Enemy(pool="deck2")]
    run(objectives.set_up_objective(laid), *HILL_89)
    weights = candidates(laid, laid.state.row[0][1])
    total = sum(weights.values())
    assert weights["snare"] / total == weights["field-gun"] / total == pytest.approx(1 / 6)
    assert weights["patrol"] / total == pytest.approx(4 / 6 * 2 / 5)
    assert state.unseen == {"deck1": [], "deck2": [], "deck3": deck, HILL: ["snare", "field-gun"]}


@pytest.mark.rule("OKI-258")
def test_options_of_one_kind_can_be_combined() -> None:
    row = (["corsair", "sniper", "sniper"], ["grenade", "medkit", "adjust"])
    easy = Okinawa(prepared(GAME, sandbags="2", extra_die="yes", riflemen="random")).table
    run(setup.set_up(easy), *row, ["1", "4"], ["sherman", "flamethrower"])
    run(objectives.set_up_objective(easy), ["kakazu-ridge"], ["I"])
    assert (easy.state.sandbags, easy.state.allowance, len(easy.state.removed_actions)) == (2, 6, 2)
    hard = Okinawa(prepared(GAME, sandbags="0", extra_unknown="2")).table
    run(setup.set_up(hard), *row)
    run(objectives.set_up_objective(hard), ["kakazu-ridge"], ["I"])
    assert (hard.state.sandbags, [len(stack) for stack in hard.state.row]) == (0, [3, 3, 2, 0])
