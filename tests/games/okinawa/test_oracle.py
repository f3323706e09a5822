"""The Enemy Turn against a second reading of the rules that shares no code with the game."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.okinawa.cards import Arrow
from companion.games.okinawa.enemy_turn import enemy_turn
from companion.games.okinawa.table import GameOver, Table
from tests.games.okinawa.field import enemy, run, table


def at_random(rng: Random) -> Table:
    """A table with strikes, removed Action Spaces, and stacks of cards that lie either way up."""
    laid = table()
    state = laid.state
    state.spaces = [space for space in state.spaces if rng.random() < 0.8] or state.spaces
    numbers = [space.number for space in state.spaces]
    state.pawn, state.health = rng.choice(numbers), rng.randint(1, 4)
    state.strikes = [rng.choice(numbers) for _ in range(rng.randint(0, 6))]
    for space in (2, 3, 4, 5):
        for depth in range(rng.randint(0, 2)):
            arrows = tuple(rng.sample(list(Arrow), rng.randint(0, 4)))
            for covered in state.row[space - 2]:
                covered.up = False
            up = rng.random() < 0.6
            enemy(laid, space, f"foe {space} {depth}", up=up, arrows=arrows, damage=rng.randint(0, 2))
    return laid


def aimed_at(column: int, arrow: Arrow) -> int:
    """The space that an arrow points at: 1 to 5 above from the left, 10 to 6 below; 0 beyond the ends."""
    side, _, slant = arrow.partition("-")
    column += {"": 0, "left": -1, "right": 1}[slant]
    if not 1 <= column <= 5:
        return 0
    return column if side == "up" else 11 - column


def health_left(laid: Table) -> int:
    """After one hit for each strike there, then each face-up card that aims at the pawn's space."""
    state = laid.state
    health = state.health - sum(strike == state.pawn for strike in state.strikes)
    for column, stack in enumerate(state.row, start=2):
        if stack and stack[0].up:
            card = laid.enemy(stack[0].card)
            aims = [aimed_at(column, arrow) for arrow in card.arrows]
            health -= card.damage * (state.pawn in aims)
    return max(0, health)


def row_after(laid: Table) -> list[list[str]]:
    """The row once each face-up card, the leftmost first, has gone left as long as a space is empty."""
    row = [[one.card for one in stack] for stack in laid.state.row]
    is_up = {stack[0].card for stack in laid.state.row if stack and stack[0].up}
    for _ in row:
        for at in (1, 2, 3):
            if row[at] and not row[at - 1] and row[at][0] in is_up:
                row[at - 1] = [row[at].pop(0)]
    return row


@pytest.mark.rule("OKI-206", "OKI-208", "OKI-213", "OKI-214", "OKI-215")
@pytest.mark.rule("OKI-217", "OKI-219", "OKI-220", "OKI-221")
@pytest.mark.parametrize("first", range(0, 1000, 250))
def test_an_enemy_turn_goes_as_the_rules_are_read_again(first: int) -> None:
    for seed in range(first, first + 250):
        laid = at_random(Random(seed))
        health, row = health_left(laid), row_after(laid)
        try:
            run(enemy_turn(laid))
        except GameOver:
            assert health == laid.state.health == 0, seed
        else:
            assert laid.state.health == health > 0, seed
            assert [[one.card for one in stack] for stack in laid.state.row] == row, seed
            assert laid.state.strikes == [], seed
