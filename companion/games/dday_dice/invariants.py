"""What must hold of every table, whatever was answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.records import Kind
from companion.games.dday_dice.state import DIAL_NAMES, Status, Unit


def broken(battle: Battle) -> Iterator[str]:
    """Every invariant that does not hold, in words."""
    for unit in battle.state.units:
        yield from (f"Unit {unit.name}: {words}" for words in _unit(battle, unit))
    yield from _cards(battle)
    yield from _sectors(battle)


def _unit(battle: Battle, unit: Unit) -> Iterator[str]:
    for dial in DIAL_NAMES:
        if getattr(unit, dial) < 0:
            yield f"{dial} below 0"
    if unit.sector and unit.sector not in battle.field.sectors:
        yield f"no Sector {unit.sector!r} on this board"
    if len(unit.visited) != len(set(unit.visited)):
        yield "a Sector was entered twice (DDD-117)"
    if back := set(unit.specialists) & set(unit.dead):
        yield f"{', '.join(sorted(back))}: both dead and alive (DDD-083)"
    if len(unit.specialists) != len(set(unit.specialists)):
        yield "a Specialist twice in the Unit"
    in_play = unit.status is not Status.LOST and unit.sector and battle.state.turn
    known = all(name in battle.pack.specialist for name in unit.specialists)
    if in_play and known and not battle.strength(unit):
        yield "nobody is left, and yet the Unit is in play (DDD-171)"
    if len(unit.dice) > 6:
        yield "more than six dice"


def _cards(battle: Battle) -> Iterator[str]:
    """One card of each Item, Unique Specialist, Vehicle and Award, in one place; none that there is not."""
    state, pack = battle.state, battle.pack
    items = state.pool_items + state.used_items + [name for unit in state.units for name in unit.items]
    awards = state.award_deck + [name for unit in state.units for name in unit.awards]
    vehicles = state.vehicles_gone + [unit.vehicle for unit in state.units if unit.vehicle]
    taken = [name for unit in state.units for name in (*unit.specialists, *unit.dead)]
    in_hand = [name for unit in state.units for name in unit.hand]
    yield from _unknown("Item", items, pack.item)
    yield from _unknown("Specialist", state.pool_specialists + taken + in_hand, pack.specialist)
    yield from _unknown("Award", awards, pack.award | state.learned)
    yield from _unknown("Vehicle", vehicles, pack.vehicle)
    unique = [n for n in taken if n in pack.specialist and pack.specialist[n].kind is Kind.UNIQUE]
    yield from _twice("Item", items)
    yield from _twice("Specialist", state.pool_specialists + unique)
    yield from _twice("Award", awards)
    yield from _twice("Vehicle", vehicles)


def _unknown(what: str, names: list[str], known: Mapping[str, object]) -> Iterator[str]:
    yield from (f"no {what} card {name!r}" for name in sorted(set(names) - known.keys()))


def _twice(what: str, names: list[str]) -> Iterator[str]:
    yield from (f"{what} {name}: two of it" for name in sorted({n for n in names if names.count(n) > 1}))


def _sectors(battle: Battle) -> Iterator[str]:
    for name, sector in battle.field.sectors.items():
        there = len(battle.in_sector(name))
        if sector.max_units and there > sector.max_units and battle.full:
            yield f"{there} Units in {battle.label(name)}, which holds {sector.max_units} (DDD-237)"
