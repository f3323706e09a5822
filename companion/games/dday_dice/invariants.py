"""What must hold of every table, whatever was answered."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.state import Status, Unit


def broken(battle: Battle) -> Iterator[str]:
    """Every invariant that does not hold, in words."""
    for unit in battle.state.units:
        yield from (f"Unit {unit.name}: {words}" for words in _unit(battle, unit))
    yield from _cards(battle)
    yield from _sectors(battle)


def _unit(battle: Battle, unit: Unit) -> Iterator[str]:
    for dial in ("soldiers", "stars", "courage", "points"):
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
    if unknown := [name for name in unit.specialists if name not in battle.pack.specialist]:
        yield f"no Specialist card {unknown[0]!r}"
    elif unit.status is not Status.LOST and unit.sector and battle.state.turn and not battle.strength(unit):
        yield "nobody is left, and yet the Unit is in play (DDD-171)"
    if len(unit.dice) > 6:
        yield "more than six dice"


def _cards(battle: Battle) -> Iterator[str]:
    """One card of each Item, Unique Specialist, Vehicle and Award, in one place."""
    state = battle.state
    items = state.pool_items + state.used_items + [name for unit in state.units for name in unit.items]
    yield from _twice("Item", items)
    unique = [n for u in state.units for n in (*u.specialists, *u.dead) if n in battle.pack.specialist]
    unique = [n for n in unique if battle.pack.specialist[n].kind.value == "unique"]
    yield from _twice("Specialist", state.pool_specialists + unique)
    yield from _twice("Award", state.award_deck + [name for unit in state.units for name in unit.awards])
    yield from _twice("Vehicle", state.vehicles_gone + [u.vehicle for u in state.units if u.vehicle])


def _twice(what: str, names: list[str]) -> Iterator[str]:
    yield from (f"{what} {name}: two of it" for name in sorted({n for n in names if names.count(n) > 1}))


def _sectors(battle: Battle) -> Iterator[str]:
    for name, sector in battle.field.sectors.items():
        there = len(battle.in_sector(name))
        if sector.max_units and there > sector.max_units and battle.full:
            yield f"{there} Units in {battle.label(name)}, which holds {sector.max_units} (DDD-237)"
