"""What must hold however the table lies."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.okinawa import enemies, enemy_turn, moving, rondel, targets
from companion.games.okinawa.cards import Arrow, Effect, EnemyEffect, When, Where
from companion.games.okinawa.state import FULL_HEALTH, Enemy, Soldiers
from companion.games.okinawa.table import GameOver, Table
from companion.games.okinawa.unseen import HILL, candidates
from tests.games.okinawa.field import enemy, run, table

CALM = settings(max_examples=60, derandomize=True)
ROW = st.sets(st.integers(1, 5), max_size=4)
STACKS = st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=4, max_size=4)


def with_removed(top: set[int], bottom: set[int]) -> Table:
    laid = table()
    gone = top | {11 - number for number in bottom}
    laid.state.spaces = [space for space in laid.state.spaces if space.number not in gone]
    laid.state.pawn = laid.state.spaces[0].number
    return laid


@pytest.mark.rule("OKI-079", "OKI-084", "OKI-R19")
@CALM
@given(ROW, ROW)
def test_once_round_visits_every_space_once_and_crosses_each_line_once(
    top: set[int], bottom: set[int]
) -> None:
    laid = with_removed(top, bottom)
    state = laid.state
    way = [state.pawn]
    for _ in state.spaces:
        way.append(rondel.after(state, way[-1]))
    steps = list(pairwise(way))
    assert sorted(way[:-1]) == rondel.numbers(state)
    assert way[-1] == way[0]
    assert sum(rondel.passes_resupply(*step) for step in steps) == 1
    assert sum(rondel.passes_objective(*step) for step in steps) == 1


@pytest.mark.rule("OKI-081", "OKI-084")
@CALM
@given(ROW, ROW, st.lists(st.integers(1, 4), min_size=1, max_size=6))
def test_moves_end_where_they_were_said_to(top: set[int], bottom: set[int], dice: list[int]) -> None:
    laid = with_removed(top, bottom)
    state = laid.state
    state.pool, state.flag = list(dice), 99
    for value in dice:
        end = rondel.ahead(state, state.pawn, value)
        run(moving.move(laid, value))
        assert state.pawn == end
    assert state.pool == []


@pytest.mark.rule("OKI-163")
@CALM
@given(st.sampled_from(Arrow), st.integers(2, 5))
def test_an_arrow_reaches_its_own_or_a_neighbouring_column_in_its_row(arrow: Arrow, post: int) -> None:
    for space in targets.pointed_at((arrow,), post):
        assert abs(rondel.column(space) - post) <= 1
        assert rondel.is_top(space) is arrow.startswith("up")


@pytest.mark.rule("OKI-217", "OKI-219", "OKI-221")
@CALM
@given(STACKS)
def test_after_an_advance_no_face_up_card_has_an_empty_space_before_it(
    stacks: list[tuple[int, bool]],
) -> None:
    laid = table()
    for space, (size, top_is_up) in enumerate(stacks, start=2):
        for height in range(1, size + 1):
            enemy(laid, space, f"e{space}{height}", up=top_is_up and height == size)
    row = laid.state.row
    before = [stack[0].card for stack in row if stack and stack[0].up]
    face_down = [[one.card for one in stack if not one.up] for stack in row]
    run(enemy_turn.advance(laid))
    for left, stack in pairwise(row):
        assert left or not stack or not stack[0].up
    tops = [stack[0].card for stack in row if stack and stack[0].up]
    assert [card for card in tops if card in before] == [card for card in before if card in tops]
    assert [[one.card for one in stack if not one.up] for stack in row] == face_down


@pytest.mark.rule("OKI-190", "OKI-191", "OKI-198")
@CALM
@given(
    st.integers(0, 9), st.integers(0, 9), st.lists(st.tuples(st.booleans(), st.integers(1, 4)), max_size=9)
)
def test_each_hit_on_a_soldier_takes_at_most_that_soldiers_health(
    beige: int, red: int, hits: list[tuple[bool, int]]
) -> None:
    laid = table()
    enemy(laid, 5)
    state = laid.state
    state.soldiers = Soldiers(beige, red)
    for on_beige, amount in hits:
        side = enemies.BEIGE if on_beige else enemies.RED
        if side not in enemies.soldier_targets(laid):
            continue
        health = 2 * state.soldiers.beige + state.soldiers.red
        enemies.hurt(laid, side, amount)
        lost = health - 2 * state.soldiers.beige - state.soldiers.red
        assert lost == min(amount, 2 if on_beige else 1)


@pytest.mark.rule("OKI-247")
@CALM
@given(
    st.lists(st.sampled_from("ABDFGH"), max_size=6),
    st.lists(st.sampled_from(["patrol", "ambush", "smoke"]), min_size=1, max_size=5),
    st.integers(1, 5),
)
def test_every_card_dealt_at_hill_89_is_alike_likely(fallen: list[str], deck: list[str], most: int) -> None:
    laid = table()
    state = laid.state
    state.unseen = {"deck1": list(deck), HILL: list(fallen)}
    dealt = min(most, len(deck))
    state.row[0] = [Enemy(pool=HILL) for _ in range(len(fallen) + dealt)]
    weights = candidates(laid, state.row[0][0])
    total = sum(weights.values())
    for card in fallen:
        assert weights[card] * len(state.row[0]) == fallen.count(card) * total
    for card in deck:
        assert weights[card] * len(state.row[0]) * len(deck) == deck.count(card) * dealt * total


ACTING = st.builds(
    Effect,
    st.sampled_from(EnemyEffect),
    where=st.sampled_from(Where),
    when=st.sampled_from([When.ACT, When.HIT]),
    die=st.none() | st.tuples(st.integers(1, 5), st.integers(6, 10)),
)
CARDS = st.lists(
    st.tuples(
        st.integers(2, 5),
        st.lists(st.sampled_from(Arrow), min_size=1, max_size=4),
        st.lists(ACTING, max_size=3),
        st.lists(st.integers(1, 10), min_size=1, max_size=2),
    ),
    min_size=2,
    max_size=4,
    unique_by=lambda one: one[0],
)


@pytest.mark.rule("OKI-176", "OKI-213")
@settings(CALM, max_examples=200)
@given(ROW, ROW, CARDS, st.lists(st.integers(1, 10), max_size=2), st.integers(0, 9))
def test_standing_on_a_space_costs_what_was_foreseen(
    top: set[int],
    bottom: set[int],
    cards: list[tuple[int, list[Arrow], list[Effect], list[int]]],
    strikes: list[int],
    at: int,
) -> None:
    laid = with_removed(top, bottom)
    state = laid.state
    left = rondel.numbers(state)
    state.pawn, state.strikes = left[at % len(left)], [one for one in strikes if one in left]
    for space, arrows, does, rolled in cards:
        acts = tuple(one for one in does if one.when is When.ACT or one.effect not in targets.AIMING)
        one = enemy(laid, space, f"e{space}", arrows=tuple(arrows), dice=len(rolled), effects=acts)
        one.dice = rolled
    foreseen = targets.danger(laid)[state.pawn]
    try:
        run(enemy_turn.enemy_turn(laid))
    except GameOver:
        assert foreseen >= FULL_HEALTH
    else:
        assert FULL_HEALTH - state.health == foreseen
