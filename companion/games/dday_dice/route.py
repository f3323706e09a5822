"""The way ahead as the cautious policy sees it: where a Unit grows, what lines and mines will cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

from companion.games.dday_dice.arriving import meets, price
from companion.games.dday_dice.battle import LIMIT, Battle
from companion.games.dday_dice.battlefield import Way
from companion.games.dday_dice.effects import CrossBarriers
from companion.games.dday_dice.records import Access
from companion.games.dday_dice.state import Unit

INCOME = 8.0
"""Soldiers that a turn's dice bring, about."""
DIE = 3.5
CLOSED = 60.0
"""What a way is worth less that is shut, or that loses the game."""
MISSING = 6.0
"""What it is worth not to need a Specialist whom the Unit has not got."""


def loss(battle: Battle, name: str) -> float:
    """What a Combat in a Sector costs on average."""
    place = battle.place(name)
    return place.defence[0] + DIE * battle.guns(name)


def growth(battle: Battle, name: str) -> float:
    """What a turn in a Sector leaves over."""
    return INCOME - loss(battle, name)


def best_way(battle: Battle, unit: Unit, ways: Sequence[Way]) -> Way:
    """The move after which the rest of the way is worth most."""
    toll = cache(partial(_toll, battle, unit))
    seen = frozenset(unit.visited)
    return max(ways, key=lambda way: _worth(battle, way.to, seen | {way.to}, toll) - toll(way))


def _toll(battle: Battle, unit: Unit, way: Way) -> float:
    """What it costs to go that way, whatever comes before and after it."""
    place = battle.place(way.to)
    cost = 0.8 * price(battle, unit, way) + (DIE if way.mines else 0) + (2 if place.sacrifice else 0)
    if not meets(battle, unit, way):
        cost += MISSING
    if battle.forsakes(unit, way.to):
        cost += CLOSED
    if is_barred(battle, unit, way):
        cost += CLOSED
    return cost


def is_barred(battle: Battle, unit: Unit, way: Way) -> bool:
    """Whether Wirecutters are wanted for a way, and the Unit has neither them nor what else opens it."""
    there = battle.place(way.to)
    only = there.access is Access.WIRECUTTERS and not battle.options.bulldozer_opens
    if any(cuts(battle, name) for name in unit.items):
        return False
    if not only and battle.abilities(unit, CrossBarriers, along=way.drivable(there)):
        return False
    return way.barrier or there.access is Access.WIRECUTTERS


def is_shut_in(battle: Battle, unit: Unit) -> bool:
    """Whether there are ways, and Wirecutters are wanted for each of them."""
    ahead = [way for way in battle.field.ways[unit.sector] if way.to not in unit.visited]
    return bool(ahead) and all(is_barred(battle, unit, way) for way in ahead)


def cuts(battle: Battle, item: str) -> bool:
    """Whether an Item opens barriers."""
    return any(isinstance(effect, CrossBarriers) for effect in battle.pack.item[item].effects)


def _worth(
    battle: Battle, name: str, seen: frozenset[str], toll: Callable[[Way], float], depth: int = 5
) -> float:
    """Growth in a Sector, for as long as it pays, and what lies behind it."""
    place = battle.place(name)
    here = growth(battle, name)
    if place.bunker:
        return here
    turns = 1 if here < 0 or place.shield else LIMIT
    gain = here * turns + len(place.bonus) * turns + 2 * bool(place.joins)
    if not depth:
        return gain - 10
    ahead = [
        _worth(battle, way.to, seen | {way.to}, toll, depth - 1) - toll(way)
        for way in battle.field.ways[name]
        if way.to not in seen
    ]
    return gain + max(ahead, default=-50)


def courage_ahead(battle: Battle, unit: Unit) -> int:
    """The Courage that the cheapest way to a Bunker still asks for."""
    ways = tuple(
        (name, tuple((way.to, way.courage) for way in there)) for name, there in battle.field.ways.items()
    )
    return _cheapest(ways, battle.field.bunkers, unit.sector)


@cache
def _cheapest(
    ways: tuple[tuple[str, tuple[tuple[str, int], ...]], ...], bunkers: tuple[str, ...], start: str
) -> int:
    best = {start: 0}
    todo = [start]
    table = dict(ways)
    while todo:
        name = todo.pop(0)
        for to, courage in table[name]:
            cost = best[name] + courage
            if cost < best.get(to, 99):
                best[to] = cost
                todo.append(to)
    return min((best[name] for name in bunkers if name in best), default=0)


def next_toll(battle: Battle, unit: Unit) -> int:
    """The Courage for the cheapest Advance from here; 0 if there is a way sideways."""
    ways = [way for way in battle.field.ways[unit.sector] if way.to not in unit.visited]
    costs = [price(battle, unit, way) for way in ways if meets(battle, unit, way)]
    return min(costs, default=max((price(battle, unit, way) for way in ways), default=0))
