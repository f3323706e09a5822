"""The Enemy Turn: strikes, cards from left to right, sandbags, the advance (OKI-205 to OKI-224)."""

from __future__ import annotations

from contextlib import suppress

import pytest

from companion.engine.asks import AnyAsk, Number
from companion.engine.game import Result
from companion.games.okinawa import GAME, effects, enemy_turn, moving, play, targets
from companion.games.okinawa.cards import (
    Arrow,
    Effect,
    EnemyEffect,
    Happening,
    ScenarioEffect,
    Timing,
    When,
)
from companion.games.okinawa.play import Okinawa
from companion.games.okinawa.state import Enemy, Soldiers
from companion.games.okinawa.table import Captured, GameOver, Table
from tests.games.driver import setup
from tests.games.okinawa.field import enemy, run, scenario, stop_at, table, texts

UP = (Arrow.UP,)


def row(laid: Table) -> list[list[str]]:
    return [[one.card for one in stack] for stack in laid.state.row]


# Random strikes


@pytest.mark.rule("OKI-207", "OKI-208", "OKI-209")
def test_three_dice_on_the_pawns_space_cost_three_health() -> None:
    laid = table()
    laid.state.pawn, laid.state.strikes = 7, [7, 2, 7, 7]
    asked = run(enemy_turn.random_strikes(laid))
    assert laid.state.health == 1
    assert "Strikes 2 7 7 7, dice back; you on 7: 3 damage, 1 health left" in texts(asked)


@pytest.mark.rule("OKI-210")
@pytest.mark.parametrize("pawn", [1, 7])
def test_all_strike_dice_leave_the_spaces_whether_they_hit_or_not(pawn: int) -> None:
    laid = table()
    laid.state.pawn, laid.state.strikes = pawn, [7, 2]
    run(enemy_turn.random_strikes(laid))
    assert laid.state.strikes == []


@pytest.mark.rule("OKI-207", "OKI-205")
def test_strikes_come_before_any_card() -> None:
    laid = table()
    laid.state.pawn, laid.state.strikes = 3, [3]
    enemy(laid, 3, arrows=UP)
    asked = [one.text for one in run(enemy_turn.enemy_turn(laid))]
    assert [text.split()[0] for text in asked] == ["Strikes", "Test", "Enemy"]


# Cards


@pytest.mark.rule("OKI-211", "OKI-R29", "OKI-R48")
def test_cards_act_from_left_to_right_row_movers_last_and_before_anyone_advances() -> None:
    laid = table()
    for space, name in ((5, "c"), (3, "a"), (4, "b")):
        enemy(laid, space, name, arrows=UP)
    for beside, name in (("bottom", "f"), ("bottom", "g"), ("top", "d"), ("top", "e")):
        enemy(laid, 2, name)
        getattr(laid.state, f"beside_{beside}").append(laid.state.row[0].pop())
    shown = run(enemy_turn.enemy_turn(laid))[0]
    assert shown.text.startswith("Enemy Turn: A at 3: no hit. B at 4: no hit. ")
    said = [*shown.text.removeprefix("Enemy Turn: ").split(". "), *shown.detail.splitlines()]
    assert [line[0] for line in said[:7]] == ["A", "B", "C", "D", "E", "F", "G"]


@pytest.mark.rule("OKI-206", "OKI-221")
def test_a_face_down_card_neither_acts_nor_advances() -> None:
    laid = table()
    laid.state.pawn = 4
    enemy(laid, 4, up=False, arrows=UP)
    run(enemy_turn.enemy_turn(laid))
    assert laid.state.health == 4
    assert row(laid) == [[], [], ["test"], []]


@pytest.mark.rule("OKI-043", "OKI-214")
def test_a_card_whose_targets_miss_the_pawn_does_no_damage() -> None:
    laid = table()
    enemy(laid, 4, arrows=UP, damage=3)
    asked = run(enemy_turn.enemy_turn(laid))
    assert laid.state.health == 4
    assert "Test at 4: no hit" in texts(asked)


def test_what_missed_is_told_above_the_next_hit() -> None:
    laid = table()
    laid.state.pawn, laid.state.strikes = 3, [7]
    enemy(laid, 2, "one", arrows=UP)
    enemy(laid, 3, "two", arrows=UP)
    shown = run(enemy_turn.enemy_turn(laid))[0]

    assert shown.text.startswith("Two at 3: 1 damage")
    assert shown.detail.splitlines() == ["Strikes 7, die back; you on 3: no hit", "One at 2: no hit"]


@pytest.mark.rule("OKI-206", "OKI-213")
def test_a_card_acts_in_every_enemy_turn() -> None:
    laid = table()
    laid.state.pawn = 2
    enemy(laid, 2, arrows=UP)
    for left in (3, 2):
        run(enemy_turn.enemy_turn(laid))
        assert laid.state.health == left


@pytest.mark.rule("OKI-212")
def test_a_cards_die_is_discarded_after_it_has_acted() -> None:
    laid = table()
    one = enemy(laid, 2, dice=1)
    one.dice = [3]
    run(enemy_turn.enemy_turn(laid))
    assert one.dice == []


@pytest.mark.rule("OKI-215", "OKI-R68")
def test_the_fourth_damage_loses_in_the_middle_of_the_enemy_turn() -> None:
    laid = table()
    laid.state.pawn = 3
    enemy(laid, 3, "one", arrows=UP, damage=4)
    last = enemy(laid, 4, "two", effects=(Effect(EnemyEffect.SPAWN, 1),))
    with pytest.raises(GameOver) as over:
        run(enemy_turn.enemy_turn(laid))
    assert over.value.outcome.result is Result.LOST
    assert not last.done
    assert laid.state.soldiers == Soldiers(2)


def lost(laid: Table, monkeypatch: pytest.MonkeyPatch, *answers: object) -> list[AnyAsk]:
    """Play on from a table that is laid out until the game is lost; every ask that was put."""
    playing = Okinawa(setup(GAME))
    playing.table = laid
    for name in ("set_up", "set_up_objective"):
        monkeypatch.setattr(play, name, lambda _table: ())
    laid.state.allowance = 1
    return run(playing.script(), *answers)


def test_what_waited_to_be_told_when_the_game_is_lost_is_told_with_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laid = table()
    laid.state.pawn = 2
    enemy(laid, 2, "one", effects=(Effect(EnemyEffect.SPAWN, 1),), arrows=(Arrow.UP,))
    enemy(laid, 3, "two", arrows=UP, damage=4)
    end = lost(laid, monkeypatch, ["7", "7"], ["1"], "move:1")[-1]
    assert end.text == "Two took the last health"
    assert end.detail.splitlines() == [
        "Strikes 7 7, dice back; you on 3: no hit",
        "One: 1 soldier into Enemy Space 1: 3 beige, 0 red",
        "One at 2: no hit",
    ]


def test_what_waited_to_be_told_when_the_own_turn_loses_the_game_is_told_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laid = table()
    laid.state.pawn, laid.state.health = 10, 1
    scenario(laid, Timing.LOOP_END, Happening(ScenarioEffect.HURT))
    end = lost(laid, monkeypatch, ["7", "7"], ["1"], "move:1")[-1]
    assert end.text == "Test took the last health"
    assert end.detail == "Lap done. Flag to 1"


def test_the_end_alone_tells_of_the_hit_that_lost_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    laid = table()
    laid.state.pawn = 2
    enemy(laid, 3, arrows=UP, damage=4)
    laid.state.soldiers = Soldiers()
    assert lost(laid, monkeypatch, ["1"], "move:1")[-1].key == "okinawa.turn.spend"


@pytest.mark.rule("OKI-R73")
def test_a_card_in_fog_attacks_all_the_same() -> None:
    laid = table()
    laid.state.pawn = 3
    enemy(laid, 3, fog=2, arrows=UP)
    run(enemy_turn.enemy_turn(laid))
    assert laid.state.health == 3


@pytest.mark.rule("OKI-R70")
def test_hits_are_compared_with_the_pawns_space_alone() -> None:
    laid = table()
    laid.state.pawn = 3
    moving.replace_pair(laid, 3, 4, "machine-gun-team")
    enemy(laid, 4, arrows=UP, damage=2)
    run(enemy_turn.enemy_turn(laid))
    assert laid.state.health == 4


# Sandbags


@pytest.mark.rule("OKI-216", "OKI-106", "OKI-R68")
def test_sandbags_are_offered_against_each_source_and_only_when_they_can_help() -> None:
    laid = table()
    laid.state.pawn, laid.state.strikes, laid.state.sandbags = 3, [3, 3], 2
    enemy(laid, 3, "one", arrows=UP, damage=2)
    enemy(laid, 5, "two", arrows=UP, damage=2)
    asked = run(enemy_turn.enemy_turn(laid), 1, 1)
    offered = [one for one in asked if isinstance(one, Number)]
    assert [(one.least, one.most) for one in offered] == [(0, 2), (0, 1)]
    assert laid.state.health == 2
    assert laid.state.sandbags == 0


@pytest.mark.rule("OKI-103", "OKI-216")
def test_several_sandbags_may_block_one_attack_whole() -> None:
    laid = table()
    laid.state.pawn, laid.state.strikes, laid.state.tokens, laid.state.sandbags = 3, [3, 3], ["sandbags"], 1
    asked = run(enemy_turn.random_strikes(laid), 2)
    assert laid.state.health == 4
    assert "all blocked" in texts(asked)
    assert (laid.state.sandbags, laid.state.removed_tokens) == (0, ["sandbags"])


def test_danger_is_what_is_still_to_come_while_the_enemy_acts() -> None:
    """A card that had hit counted once more, beside the question how many sandbags to spend."""
    laid = table()
    laid.state.pawn, laid.state.strikes, laid.state.sandbags = 3, [3], 1
    enemy(laid, 3, "one", arrows=UP)
    enemy(laid, 4, "two", arrows=(Arrow.UP_LEFT,))
    dangers = [targets.danger(laid)[3]]
    script = enemy_turn.enemy_turn(laid)
    question = script.send(None)
    with suppress(StopIteration):
        while True:
            if isinstance(question, Number):
                dangers.append(targets.danger(laid)[3])
            question = script.send(0 if isinstance(question, Number) else True)
    assert dangers == [3, 2, 1, 0]
    assert targets.danger(laid)[2] == 2, "in the next Enemy Turn, from where they lie now"


def test_soldiers_that_are_told_of_twice_come_but_once() -> None:
    laid = table()
    laid.state.pawn, laid.state.sandbags = 3, 1
    enemy(laid, 2, "one", effects=(Effect(EnemyEffect.SPAWN, 1),))
    enemy(laid, 3, "two", arrows=UP, damage=2)
    *_, sandbags, hit = run(enemy_turn.enemy_turn(laid), 1)
    told = "1 soldier into Enemy Space 1: 3 beige, 0 red"
    assert told in sandbags.detail
    assert told in hit.detail, "what it says there is so already"


@pytest.mark.rule("OKI-103", "OKI-152")
@pytest.mark.parametrize(
    ("common", "held", "told"),
    [
        (2, [], "Back to the supply."),
        (0, ["sandbags"], "The Resupply token leaves the game."),
        (
            1,
            ["sandbags"],
            "First your 1 from the supply, back there; then Resupply tokens, which leave the game.",
        ),
    ],
)
def test_where_spent_sandbags_go_is_told(common: int, held: list[str], told: str) -> None:
    laid = table()
    laid.state.pawn, laid.state.strikes, laid.state.tokens, laid.state.sandbags = 3, [3, 3], held, common
    question = stop_at(enemy_turn.random_strikes(laid), "okinawa.enemy.sandbags")
    assert question.detail.splitlines() == ["You have 4 health. Each blocks 1 damage.", told]


@pytest.mark.parametrize(
    ("mode", "health", "sandbags", "start"),
    [
        ("referee", 2, 2, 1),
        ("referee", 1, 2, 2),
        ("referee", 3, 2, None),
        ("referee", 1, 1, None),
        ("enemy", 1, 2, None),
    ],
)
def test_that_damage_would_be_the_end_is_seen_and_the_sandbags_that_avert_it_are_marked(
    mode: str, health: int, sandbags: int, start: int | None
) -> None:
    laid = table(mode=mode)
    laid.state.pawn, laid.state.strikes, laid.state.health, laid.state.sandbags = 3, [3, 3], health, sandbags
    question = stop_at(enemy_turn.random_strikes(laid), "okinawa.enemy.sandbags")
    assert isinstance(question, Number)
    assert f"You have {health} health." in question.detail
    assert question.start == start


# Tokens in between


@pytest.mark.rule("OKI-R13", "OKI-102")
def test_a_grenade_in_the_enemy_turn_can_capture_at_once() -> None:
    laid = table()
    laid.state.soldiers, laid.state.tokens = Soldiers(), ["grenade"]
    enemy(laid, 3, health=2, arrows=UP)
    with pytest.raises(Captured):
        run(enemy_turn.enemy_turn(laid), "grenade", "3")


@pytest.mark.rule("OKI-102", "OKI-R13")
@pytest.mark.parametrize("pawn", [1, 3, 4])
def test_a_token_may_be_used_after_each_step_whether_it_hit_or_not(pawn: int) -> None:
    laid = table()
    laid.state.pawn, laid.state.strikes, laid.state.repositions = pawn, [3], 1
    enemy(laid, 4, "one", arrows=UP)
    enemy(laid, 5, "two", arrows=UP)
    asked = run(enemy_turn.enemy_turn(laid), "go", "go", "go")
    said = [one.text.partition(":")[0] for one in asked if one.key == "okinawa.enemy.token"]
    assert said == [f"Strikes 3, die back; you on {pawn}", "One at 4", "Two at 5"]
    assert all(one.text.startswith(one.news) for one in asked if one.key == "okinawa.enemy.token")
    assert "A token now?" not in texts(asked), "the box knows of them"


@pytest.mark.rule("OKI-R13")
def test_a_card_defeated_before_its_turn_does_not_act() -> None:
    laid = table()
    laid.state.pawn, laid.state.tokens = 5, ["grenade"]
    enemy(laid, 3, "one", arrows=UP)
    enemy(laid, 5, "two", health=1, arrows=UP)
    run(enemy_turn.enemy_turn(laid), "grenade", "5")
    assert laid.state.health == 4


def test_without_a_token_to_use_all_that_misses_is_shown_at_once() -> None:
    laid = table()
    laid.state.tokens, laid.state.strikes = ["binoculars", "upgrade"], [7]
    for space in laid.state.spaces:
        space.action.veteran = True
    enemy(laid, 2, "one", arrows=UP)
    enemy(laid, 3, "two", arrows=UP)
    asked = run(enemy_turn.enemy_turn(laid))
    told = "Enemy Turn: Strikes 7, die back; you on 1: no hit. One at 2: no hit"
    assert [(one.kind, one.text) for one in asked] == [("show", told)]
    assert asked[0].detail == "Two at 3: no hit"


# Advancing


@pytest.mark.rule("OKI-217", "OKI-218", "OKI-219")
def test_f_in_3_and_g_in_5_go_to_2_and_3() -> None:
    laid = table()
    enemy(laid, 3, "f")
    enemy(laid, 5, "g")
    (told,) = run(enemy_turn.advance(laid))
    assert told.text == "Enemy Turn: F advances to Enemy Space 2. G advances to Enemy Space 3"
    assert row(laid) == [["f"], ["g"], [], []]


@pytest.mark.rule("OKI-219", "OKI-221")
def test_f_leaves_b_face_down_in_3_and_g_stays_behind_it() -> None:
    laid = table()
    enemy(laid, 3, "b", up=False)
    enemy(laid, 3, "f")
    enemy(laid, 4, "g")
    run(enemy_turn.advance(laid))
    assert row(laid) == [["f"], ["b"], ["g"], []]


@pytest.mark.rule("OKI-222")
def test_what_an_advance_exposes_is_revealed_at_the_start_of_the_next_turn() -> None:
    laid = table()
    under = enemy(laid, 3, "b", up=False)
    enemy(laid, 3, "f")
    run(enemy_turn.enemy_turn(laid))
    assert not under.up
    run(effects.reveal_exposed(laid))
    assert under.up


@pytest.mark.rule("OKI-223", "OKI-R47")
def test_space_2_is_held_after_an_advance_unless_only_face_down_cards_are_left() -> None:
    laid = table()
    enemy(laid, 5, "g")
    run(enemy_turn.advance(laid))
    assert row(laid)[0] == ["g"]
    laid = table()
    enemy(laid, 4, "b", up=False)
    run(enemy_turn.enemy_turn(laid))
    assert row(laid) == [[], [], ["b"], []]
    run(effects.reveal_exposed(laid))
    run(enemy_turn.enemy_turn(laid))
    assert row(laid)[0] == ["b"]


@pytest.mark.rule("OKI-R29")
def test_a_card_beside_a_row_does_not_advance() -> None:
    laid = table()
    laid.state.row[0] = [Enemy("kawanashi", up=True)]
    laid.state.beside_top.append(laid.state.row[0].pop())
    run(enemy_turn.enemy_turn(laid))
    assert row(laid) == [[], [], [], []]
    assert len(laid.state.beside_top) == 1


def test_a_hit_that_does_no_damage_is_not_told_as_a_miss() -> None:
    laid = table()
    laid.state.pawn = 3
    effect = Effect(EnemyEffect.SUPPRESS, when=When.HIT)
    enemy(laid, 3, "flare", damage=0, arrows=(Arrow.UP,), effects=(effect,))
    told = texts(run(enemy_turn.enemy_turn(laid)))
    assert "Flare: Suppressed: Action Space 3" in told
    assert "Flare at 3: no damage" in told
    assert laid.state.spaces[2].action.suppressed
    laid.state.pawn = 4
    assert "Flare at 2: no hit" in texts(run(enemy_turn.enemy_turn(laid)))
