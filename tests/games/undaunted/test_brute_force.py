"""R20: an independent brute force finds the same legal targets and the same chosen action."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.undaunted import combat, movement
from companion.games.undaunted.actions import Action, Kind, parse
from companion.games.undaunted.table import Table
from tests.games.undaunted import brute
from tests.games.undaunted.field import decide, line, options, put, staged

SIDES = ("ge", "us")


def position(rng: Random) -> Table:
    """La Raye, both sides with a Machine Gunner and a Sniper too, scattered."""
    table = staged()
    for side in SIDES:
        put(table, side, "machine-gunner-a", "17B")
        put(table, side, "sniper", "17B")
    for name, other in (("2B", "2A"), ("13B", "9A")):
        table.ground.tiles[name] = table.pack.tile[other]
    brute.scatter(table, rng)
    return table


def board_of(table: Table) -> brute.Board:
    board = brute.Board(table)
    for tile, printed in table.ground.tiles.items():
        board.cover[tile] = printed.cover
        board.hills = board.hills | {tile} if printed.hill else board.hills - {tile}
    return board


@pytest.mark.parametrize("seed", range(40))
def test_legal_targets_and_their_defence(seed: int) -> None:
    rng = Random(seed)
    table = position(rng)
    board = board_of(table)
    for start in table.ground.tiles:
        for action in (Action(Kind.ATTACK, 1), Action(Kind.ATTACK, 3, 1), Action(Kind.SUPPRESS, 4)):
            found = combat.targets(table, "us", action, start)
            ours = {(one.unit, against.total) for one, against in found}
            near = [
                one
                for one in board.all_of("ge")
                if action.y is None or board.distance(start, one.tile) <= action.y
            ]
            able = [one for one in near if not (action.kind is Kind.SUPPRESS and one.suppressed)]
            assert ours == {(one.unit, board.total(one, start)) for one in able}


@pytest.mark.parametrize("seed", range(40))
def test_reachable_tiles_by_shortest_legal_walks(seed: int) -> None:
    table = position(Random(seed))
    board = board_of(table)
    for unit, action in (("rifleman-a", "move 1"), ("rifleman-a", "move 2"), ("scout-a", "scout 2")):
        counter = table.state.sides["ge"].counters[unit]
        if not counter.tile:
            continue
        told = parse(action)
        found = movement.paths(table, counter, told)
        walks = board.walks("ge", counter.tile, told.x, free=told.kind is Kind.SCOUT)
        assert set(found) == {walk[-1] for walk in walks} - {counter.tile}
        for tile, paths in found.items():
            there = [walk for walk in walks if walk[-1] == tile]
            shortest = [walk for walk in there if len(walk) == min(map(len, there))]
            assert sorted(map(list, paths)) == sorted(shortest)


@pytest.mark.parametrize("seed", range(60))
def test_the_chosen_line_and_what_stays_tied(seed: int) -> None:
    rng = Random(seed)
    assert disagreements(rng, 20) == []


def disagreements(rng: Random, cards: int) -> list[str]:
    """What interpreter and brute force make of random cards in one random position."""
    table = position(rng)
    board = board_of(table)
    found = []
    for _ in range(cards):
        me = table.state.sides["ge"].counters[rng.choice(["rifleman-a", "scout-b", "machine-gunner-a"])]
        lines = brute.random_lines(rng)
        told = decide(table, me.unit, *(line(**one) for one in lines))
        ours = (told.effect.line, options(told)) if told.effect else (0, set())
        tile, me.tile = me.tile, table.standing(me)  # read as if it stood where it would enter (UND-R20)
        theirs = brute.chosen(board, "ge", "us", me, lines)
        me.tile = tile
        if ours != theirs:
            found.append(f"{me.unit} on {me.tile}: {lines}: {ours} but {theirs}")
    return found
