"""The Player Turn: reveal, dice, moves (OKI-066 to OKI-084)."""

from __future__ import annotations

import pytest

from companion.engine.asks import Roll
from companion.games.okinawa import GAME, dice, effects, moving, player_turn, reports, rondel
from companion.games.okinawa.cards import Happening, ScenarioEffect, Timing
from companion.games.okinawa.state import Action, Enemy, Soldiers
from tests.games.okinawa.field import card, choose, enemy, ids, run, scenario, stop_at, table


@pytest.mark.rule("OKI-066", "OKI-069", "OKI-R35")
def test_a_turn_reveals_then_rolls_enemy_dice_then_action_dice_then_asks() -> None:
    laid = table()
    enemy(laid, 2, up=False, dice=1)
    script = player_turn.player_turn(laid)
    seen = []
    question = script.send(None)
    answers = {
        "okinawa.reveal.shown": True,
        "okinawa.enemy.dice": ("1", "2", "3"),
        "okinawa.turn.dice": ("1", "2", "3", "4", "4"),
    }
    while question.key != "okinawa.turn.spend":
        seen.append(question.key)
        question = script.send(question.accept(answers[question.key]))
    assert seen == list(answers)
    assert laid.state.row[0][0].dice == [3]


def test_how_often_a_value_is_on_an_action_die_is_not_taken_as_known() -> None:
    roll = stop_at(dice.roll_action_dice(table()), "okinawa.turn.dice")
    assert isinstance(roll, Roll)
    assert {one.die for one in roll.dice} == set(GAME.uneven)
    assert "OKI-G24" in roll.rule


@pytest.mark.rule("OKI-067", "OKI-170")
def test_at_kakazu_ridge_g_f_and_g_are_turned_up_with_their_fog() -> None:
    laid = table()
    for index, name in enumerate("GFG"):
        laid.state.row[index].append(Enemy(name))
    run(effects.reveal_exposed(laid), ["G"], ["F"], ["G"])
    tops = [stack[0] for stack in laid.state.row[:3]]
    assert all(one.up for one in tops)
    assert [one.fog for one in tops] == [laid.enemy(name).fog for name in "GFG"]
    assert all(one.fog for one in tops)


@pytest.mark.rule("OKI-068")
def test_a_covered_card_stays_face_down() -> None:
    laid = table()
    laid.state.row[0] = [Enemy("G"), Enemy("A")]
    run(effects.reveal_exposed(laid), ["G"])
    assert [one.up for one in laid.state.row[0]] == [True, False]


@pytest.mark.rule("OKI-070", "OKI-175", "OKI-192", "OKI-R30", "OKI-R31")
def test_enemy_dice_are_one_red_for_each_soldier_and_one_black_for_each_icon() -> None:
    laid = table()
    laid.state.soldiers = Soldiers(5, 4)
    first, second = enemy(laid, 2, "one", dice=1), enemy(laid, 4, "two", dice=2)
    enemy(laid, 5, "hidden", up=False, dice=1)
    asked = run(dice.roll_enemy_dice(laid), ["1"] * 6 + ["2"], ["3"], ["0"])
    assert all(isinstance(one, Roll) for one in asked)
    counts = [[(kind.colour, kind.count) for kind in one.dice] for one in asked]
    assert counts == [[("red", 6), ("black", 1)], [("black", 1)], [("black", 1)]]
    assert (first.dice, second.dice) == ([2], [3, 10])
    assert laid.state.strikes == [1] * 6


@pytest.mark.rule("OKI-070", "OKI-175")
def test_a_card_rolls_its_die_also_when_no_soldier_is_left() -> None:
    laid = table()
    laid.state.soldiers = Soldiers()
    one = enemy(laid, 2, dice=1)
    asked = run(dice.roll_enemy_dice(laid), ["6"])
    assert [question.text for question in asked] == ["Enemy dice: black for Test"]
    assert (one.dice, laid.state.strikes) == ([6], [])


@pytest.mark.rule("OKI-070", "OKI-175")
@pytest.mark.parametrize("side", ["top", "bottom"])
def test_a_card_beside_a_row_rolls_its_die_too(side: str) -> None:
    laid = table()
    laid.state.soldiers = Soldiers()
    one = enemy(laid, 2, dice=1, plane=True)
    laid.state.row[0].clear()
    setattr(laid.state, f"beside_{side}", [one])
    run(dice.roll_enemy_dice(laid), ["6"])
    assert one.dice == [6]


@pytest.mark.rule("OKI-R72")
@pytest.mark.parametrize(("face", "space"), [("0", 10), ("1", 1), ("9", 9)])
def test_a_0_on_an_enemy_die_is_a_10(face: str, space: int) -> None:
    assert dice.read(face) == space


@pytest.mark.rule("OKI-R72")
def test_dice_with_a_10_are_told_how_to_enter_it() -> None:
    laid = table()
    enemy(laid, 2, dice=2)
    asked = run(dice.roll_enemy_dice(laid), ["1", "2", "0"], ["0"])
    assert all(one.detail.startswith("0 means 10.") for one in asked)
    assert [("red one on its space" in one.detail) for one in asked] == [True, False]
    assert not any("removed" in one.detail for one in asked)


def test_red_dice_that_name_a_removed_space_are_told_to_go_back() -> None:
    laid = table()
    moving.replace_pair(laid, 7, 8, "machine-gun-team")
    asked = run(dice.roll_enemy_dice(laid), ["8", "2"])
    assert asked[0].detail.endswith("One that names a removed space goes back.")
    assert laid.state.strikes == [2]
    laid.state.soldiers = Soldiers()
    enemy(laid, 2, dice=1)
    (black,) = run(dice.roll_enemy_dice(laid), ["8"])
    assert black.detail == "0 means 10.", "the black one stays with its card"


@pytest.mark.rule("OKI-049", "OKI-071", "OKI-R04", "OKI-R05")
@pytest.mark.parametrize(("stored", "rolled"), [((1, 0), 4), ((0, 0), 5), ((3, 2), 3)])
def test_the_allowance_less_the_stored_dice_is_rolled(stored: tuple[int, int], rolled: int) -> None:
    laid = table()
    laid.state.resupply_die, laid.state.spaces[0].action.die = stored
    asked = run(dice.roll_action_dice(laid), ["2"] * rolled)
    assert isinstance(asked[0], Roll)
    assert asked[0].dice[0].count == rolled
    assert laid.state.pool == [2] * rolled
    assert (laid.state.resupply_die, laid.state.spaces[0].action.die) == stored


@pytest.mark.rule("OKI-072", "OKI-073")
def test_action_dice_are_rolled_together_and_once() -> None:
    laid = table()
    asked = run(player_turn.player_turn(laid), ["1", "1"], ["4"] * 5, *["move:4"] * 5)
    assert [one.key for one in asked].count("okinawa.turn.dice") == 1
    menus = [ids(one) for one in asked if one.key == "okinawa.turn.spend"]
    assert len(menus) == 5
    assert not any("reroll" in menu for menu in menus)


@pytest.mark.parametrize(("allowance", "said"), [(2, "Roll 1 action die"), (3, "Roll 2 action dice")])
def test_one_action_die_is_a_die(allowance: int, said: str) -> None:
    laid = table()
    laid.state.allowance, laid.state.resupply_die = allowance, 1
    assert stop_at(dice.roll_action_dice(laid), "okinawa.turn.dice").text == said


@pytest.mark.parametrize(("allowance", "said"), [(1, "1 die in all"), (3, "3 dice in all")])
def test_dice_of_a_turn_that_is_only_reported_are_counted_in_words_that_fit(
    allowance: int, said: str
) -> None:
    laid = table()
    laid.state.allowance = allowance
    assert reports._question(laid, "", 0).text == f"Your turn, {said}. What happened?"


@pytest.mark.rule("OKI-080")
def test_an_action_die_has_1_to_4() -> None:
    laid = table()
    question = stop_at(dice.roll_action_dice(laid), "okinawa.turn.dice")
    assert isinstance(question, Roll)
    assert question.dice[0].faces == ("1", "2", "3", "4")


@pytest.mark.rule("OKI-074", "OKI-075", "OKI-076")
def test_moves_and_activations_come_in_any_mixture_and_use_their_dice_up() -> None:
    laid = table()
    laid.state.pool = [1, 1, 2, 3]
    for space in (1, 2, 4):
        card(laid, space, ("heal", 1))
    for chosen, left in (("act:1", [1, 2, 3]), ("move:1", [2, 3]), ("act:2-3", [])):
        assert chosen in [option.id for option in player_turn.choices(laid)]
        choose(laid, chosen)
        assert laid.state.pool == left


@pytest.mark.rule("OKI-075")
def test_a_card_that_the_pawn_left_and_comes_back_to_can_be_activated_then() -> None:
    laid = table()
    laid.state.pool, laid.state.health = [1, 2, 3, 4, 4], 3
    card(laid, 1, ("heal", 1))
    for value in (1, 2, 3, 4):
        choose(laid, f"move:{value}")
    assert laid.state.pawn == 1
    choose(laid, "act:4")
    assert (laid.state.health, laid.state.pool) == (4, [])


@pytest.mark.rule("OKI-134")
def test_a_card_that_was_activated_before_the_pawn_left_can_not_be_when_it_comes_back() -> None:
    laid = table()
    laid.state.pool = [1, 1, 2, 3, 4, 4]
    card(laid, 1, ("heal", 1))
    choose(laid, "act:1")
    for value in (1, 2, 3, 4):
        choose(laid, f"move:{value}")
    assert laid.state.pawn == 1
    assert "act:4" not in [option.id for option in player_turn.choices(laid)]


@pytest.mark.rule("OKI-102", "OKI-R13")
def test_after_the_last_die_a_token_may_still_be_used_before_the_turn_ends() -> None:
    laid = table()
    laid.state.tokens, laid.state.allowance = ["grenade", "grenade"], 1
    turn = ("roll", ["9", "9"], ["1"], "move:1", "grenade", "beige", "end")
    asked = run(player_turn.player_turn(laid), *turn)
    assert [one.key for one in asked].count("okinawa.turn.spend") == 3, "with a die, and twice with none"
    assert laid.state.soldiers == Soldiers(1)


@pytest.mark.rule("OKI-077", "OKI-R06")
@pytest.mark.parametrize("way", ["move:2", "act:2", "free:4:2", "store:resupply:2", "store:6:2"])
def test_the_turn_ends_only_with_no_die_left(way: str) -> None:
    laid = table()
    laid.state.pool = [2]
    card(laid, 1, ("heal", 1))
    laid.state.spaces[3].action.suppressed = True
    laid.state.spaces[5].action = Action("machine-gun-team", veteran=True)
    assert "end" not in [option.id for option in player_turn.choices(laid)]
    choose(laid, way)
    assert "end" in [option.id for option in player_turn.choices(laid)]


@pytest.mark.rule("OKI-078", "OKI-081")
@pytest.mark.parametrize(("value", "end"), [(2, 6), (4, 8)])
def test_the_pawn_on_4_goes_to_6_with_a_2_and_to_8_with_a_4(value: int, end: int) -> None:
    laid = table()
    laid.state.pawn, laid.state.pool = 4, [2, 4]
    run(moving.move(laid, value))
    assert laid.state.pawn == end
    assert laid.state.pool == [6 - value]


@pytest.mark.rule("OKI-079")
def test_each_step_goes_to_the_next_number_and_from_the_last_to_the_first() -> None:
    state = table().state
    way = [1]
    for _ in range(10):
        way.append(rondel.after(state, way[-1]))
    assert way == [*range(1, 11), 1]


@pytest.mark.rule("OKI-082")
def test_each_die_is_a_move_of_its_own() -> None:
    laid = table()
    laid.state.pool = [1, 3]
    laid.state.mines = [2]
    assert [one for one in (option.id for option in player_turn.choices(laid)) if one[:4] == "move"] == [
        "move:1",
        "move:3",
    ]
    choose(laid, "move:1")
    assert (laid.state.pawn, laid.state.pool) == (2, [3])
    choose(laid, "move:3")
    assert laid.state.pawn == 5
    assert laid.state.health == 3, "the first move ended on the mine"


@pytest.mark.rule("OKI-083")
def test_resupply_and_objective_cards_are_no_spaces() -> None:
    laid = table()
    assert rondel.after(laid.state, 5) == 6
    assert rondel.after(laid.state, 10) == 1
    laid.state.pawn, laid.state.pool = 4, [3, 4]
    choose(laid, "move:3")
    assert laid.state.pawn == 7
    laid.state.pawn = 8
    choose(laid, "move:4")
    assert laid.state.pawn == 2


@pytest.mark.rule("OKI-084")
def test_a_removed_space_is_not_counted() -> None:
    laid = table()
    laid.state.spaces = [space for space in laid.state.spaces if space.number != 6]
    laid.state.pawn, laid.state.pool = 5, [1]
    run(moving.move(laid, 1))
    assert laid.state.pawn == 7


def test_the_options_of_the_first_turn() -> None:
    laid = table()
    laid.state.pool, laid.state.resupply_die = [1, 3, 3, 4], 1
    question = stop_at(player_turn.player_turn(laid), "okinawa.turn.spend", ["1", "1"], ["1", "3", "3", "4"])
    assert ids(question) == [
        "act:3-4",
        "act:1",
        "act:3",
        "act:4",
        "move:1",
        "move:3",
        "move:4",
        "lift:resupply",
    ]


def test_a_move_onto_a_mine_field_is_warned_of() -> None:
    laid = table()
    laid.state.pool, laid.state.mines, laid.state.strikes = [1, 2], [3], [3]
    details = {one.id: one.detail for one in player_turn.choices(laid)}
    assert details["move:2"] == "to 3 Rifleman, a Mine Field, danger 1"
    assert details["move:1"] == "to 2 Rifleman"


def test_what_staying_would_cost_is_told_beside_what_a_move_would() -> None:
    laid = table()
    laid.state.pool, laid.state.strikes = [2], [1, 1, 3]
    question = player_turn._question(laid, "")
    assert question.text == "On 1 Rifleman, danger 2. Dice 2"
    assert question.because[0].startswith("Danger: the damage you would take there"), "for who asks why"
    assert next(one.detail for one in question.options if one.id == "move:2") == "to 3 Rifleman, danger 1"


def test_what_the_last_token_of_a_turn_did_is_told_before_the_enemy_acts() -> None:
    laid = table()
    laid.state.allowance, laid.state.tokens = 1, ["grenade"]
    answers = ("roll", ["7", "7"], ["1"], "move:1", "grenade", "beige")
    *_, told = run(player_turn.player_turn(laid), *answers)
    assert (told.key, told.text) == ("okinawa.turn.shown", "A soldier falls: 1 beige, 0 red")


@pytest.mark.parametrize(
    ("flag", "timing", "words"),
    [
        (2, Timing.LOOP_END, ", a lap (2 soldiers, 1 damage)"),
        (1, Timing.LOOP_END, ", the last lap (2 soldiers, 1 damage)"),
        (2, Timing.LOOP_START, ", a lap (2 soldiers, 1 damage)"),
        (1, Timing.LOOP_START, ", the last lap"),
        (2, Timing.AT_ONCE, ", a lap"),
        (0, Timing.LOOP_END, ""),
    ],
)
def test_a_move_that_makes_a_lap_says_so_and_what_the_scenario_does_then(
    flag: int, timing: Timing, words: str
) -> None:
    laid = table()
    scenario(laid, timing, Happening(ScenarioEffect.SPAWN, 2), Happening(ScenarioEffect.HURT))
    laid.state.flag, laid.state.pawn, laid.state.pool, laid.state.strikes = flag, 9, [1, 2], [1]
    details = {option.id: option.detail for option in player_turn.choices(laid)}
    assert details["move:1"] == "to 10 Rifleman"
    assert details["move:2"] == f"to 1 Rifleman{words}, danger 1"
