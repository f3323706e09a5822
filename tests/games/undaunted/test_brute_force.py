"""R20: an independent brute force finds the same legal targets and the same chosen action."""

from __future__ import annotations

from random import Random

import pytest

from companion.engine.asks import Choose
from companion.games.undaunted import combat, movement, rounds
from companion.games.undaunted.acting import carry_out
from companion.games.undaunted.actions import Action, Kind, parse
from companion.games.undaunted.state import Counter
from companion.games.undaunted.table import Table
from tests.games.undaunted import brute
from tests.games.undaunted.field import decide, ids, line, options, order, put, staged

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


PLAYED = {
    "guide": ("guide 1",),
    "platoon-leader-a": ("advance",),
    "grenadier-a": ("grenade 2 1", "control"),
    "mortar": ("blast 1", "target"),
    "assault-aircraft": ("bomb 2",),
    "tank": ("antitank 3",),
}


@pytest.mark.rule("UND-027", "UND-028", "UND-030", "UND-036", "UND-040", "UND-079", "UND-291", "UND-308")
@pytest.mark.parametrize("seed", range(60))
def test_what_a_player_may_do_with_a_card_and_to_whom_or_where(seed: int) -> None:
    rng = Random(seed)
    table = staged(players="2")
    for unit in ("mortar", "tank", "scout-a"):
        for side in SIDES:
            put(table, side, unit, "17B")
    brute.scatter(table, rng)
    board = board_of(table)
    target = table.state.sides["us"].target = rng.choice([*table.ground.tiles, ""])
    for card, actions in PLAYED.items():
        me = table.counter("us", card)
        if me is not None and (not me.tile or me.suppressed):
            continue
        for action in actions:
            found = choices(board, me.tile if me else "", action.split()[0], target)
            legal = parse(action) in [one.action for one in rounds.legal_orders(table, "us", card)]
            assert legal is bool(found), f"{card}: {action}"
            if legal and action != "control":
                asked = next(carry_out(table, order(table, "us", card, action)))
                assert isinstance(asked, Choose)
                assert set(ids(asked)) == found, f"{card}: {action}"


def choices(board: brute.Board, here: str, action: str, target: str) -> set[str]:
    """What the first question of an action of the US may be answered with, by trying everything."""

    def on_foot(one: Counter) -> bool:
        return one.unit != "tank"

    mine, foes = board.all_of("us"), board.all_of("ge")
    steps = {(a, b) for a in board.tiles for b in board.tiles if board.touch(a, b)}
    ready = [one for one in mine if not one.suppressed]
    match action:
        case "guide":
            return {one.unit for one in ready for a, b in steps if a == one.tile and board.marker("us", b)}
        case "advance":
            starts = {one.tile for one in ready if one.unit.endswith("-a")}
            return {f"{a}>{b}" for a, b in steps if a in starts and board.on("us", b)}
        case "grenade":
            return {one.tile for one in foes if on_foot(one) and board.distance(here, one.tile) <= 1}
        case "control":
            held = board.controls("ge", here) and board.on("ge", here)
            return set() if held or board.controls("us", here) else {here}
        case "blast" | "bomb":
            met = {one.tile for one in [*mine, *foes] if on_foot(one)}
            return met & {target} if action == "blast" else met
        case "target":
            return {tile for tile in board.tiles if board.distance(here, tile) >= 3 and tile != target}
    return {one.unit for one in foes if not on_foot(one)}


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
