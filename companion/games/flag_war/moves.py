"""Where soldiers may go: grids, roads, bunkers and blockades (FLG-022 to FLG-043).

>>> combined([5, 2])
[7, 5, 2]
"""

from __future__ import annotations

from typing import NamedTuple

from companion.games.flag_war.state import War
from companion.games.flag_war.terrain import Terrain


class Position(NamedTuple):
    """What one army sees: where its men may land, who is in the way. Sets of spaces as bits."""

    own_pairs: int
    foes: int
    foe_pairs: int
    landable: int


def survey(war: War, terrain: Terrain, seat: str, *, safe_pairs: bool) -> Position:
    """The position for an army; `safe_pairs` shuts bunkers held by an enemy pair too (FLG-R30)."""
    bit = terrain.bit
    own = own_pairs = foes = foe_pairs = 0
    for name, army in war.armies.items():
        held = pairs = 0
        for man in army.men.values():
            if man.at in bit:
                space = bit[man.at]
                pairs |= held & space
                held |= space
        if name == seat:
            own, own_pairs = held, pairs
        else:
            foes |= held
            foe_pairs |= pairs
    shielded = foes if safe_pairs else foes & ~foe_pairs
    closed = own & ~terrain.roads | own_pairs | shielded & terrain.bunkers
    return Position(own_pairs, foes, foe_pairs, terrain.all & ~closed)


def open_to(terrain: Terrain, position: Position, start: int) -> int:
    """Where a man on the space `start` may land at all: no blockade between, and room or a foe there."""
    spaces = position.landable
    walls = position.own_pairs | position.foe_pairs
    while walls:
        wall = walls & -walls
        walls ^= wall
        one, other = terrain.sides[wall]
        here = 1 << start
        if one & here:
            spaces &= ~other
        elif other & here:
            spaces &= ~one
    return spaces


def continued(
    terrain: Terrain, position: Position, spaces: tuple[str, str, str], counts: tuple[int, int]
) -> int:
    """Where a man may end a second count, whose first one led from a space to another.

    `spaces` are these two, and where he stands now: the second, or the first after a stand-off (FLG-R35).
    He may not enter what he visited in the first count (FLG-025); which way he took there is open, so
    any will do (FLG-R23). No way is looked at for blockades: what lies behind one is not open to him.
    """
    start, middle, now = (terrain.index[space] for space in spaces)
    ends = 0
    for been in _ways_there(terrain, start, (middle, counts[0]), 1 << start):
        ends |= _ends_beyond(terrain, now, counts[1], been)
    return ends & open_to(terrain, position, now)


def _ways_there(terrain: Terrain, at: int, goal: tuple[int, int], been: int) -> set[int]:
    """The sets of spaces that a walk to `goal`, a space and the steps left to it, can have visited."""
    space, left = goal
    if left == 0:
        return {been} if at == space else set()
    ways: set[int] = set()
    if terrain.away(1 << space)[at] <= left:
        for near in terrain.links[at]:
            if not been >> near & 1:
                ways |= _ways_there(terrain, near, (space, left - 1), been | 1 << near)
    return ways


def _ends_beyond(terrain: Terrain, at: int, left: int, been: int) -> int:
    if left == 1:
        return terrain.linked[at] & ~been
    ends = 0
    for near in terrain.links[at]:
        if not been >> near & 1:
            ends |= _ends_beyond(terrain, near, left - 1, been | 1 << near)
    return ends


def combined(dice: list[int]) -> list[int]:
    """The counts that dice allow, the longest first: both together, then each (FLG-020, FLG-021)."""
    whole = [sum(dice)] if len(dice) == 2 else []
    return whole + sorted(set(dice), reverse=True)
