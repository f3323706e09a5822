"""What must hold of every table, whatever was answered."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.dice import Colour
from companion.games.dday_dice.records import Kind
from companion.games.dday_dice.setup import NAMES
from companion.games.dday_dice.state import DIAL_NAMES, Status, Unit

_COUNTED = ("skulls", "locked_skulls", "recruited", "found", "special_finds", "extra_losses")
"""What a Unit's turn counts."""


def broken(battle: Battle) -> Iterator[str]:
    """Every invariant that does not hold, in words; of a table with names that mean nothing only those."""
    unknown = [*_unknown_units(battle), *_unknown_places(battle), *_unknown_cards(battle)]
    yield from unknown
    if unknown:
        return
    if battle.state.turn < 0:
        yield "turn below 0"
    for unit in battle.state.units:
        yield from (f"Unit {unit.name}: {words}" for words in _unit(battle, unit))
    yield from _cards(battle)
    yield from _sectors(battle)


def _unknown_units(battle: Battle) -> Iterator[str]:
    units, names = battle.state.units, NAMES[: battle.options.players]
    if [unit.name for unit in units] != list(names):
        yield f"the Units are {', '.join(names)}, in that order"
    yield from _unknown("Unit", [unit.turn.partner for unit in units], ("", *names))
    yield from _unknown("board", [unit.home for unit in units], ("", *battle.scenario.maps))


def _unknown_places(battle: Battle) -> Iterator[str]:
    """Sectors that are not on the beach, and lines that no random table has."""
    state, sectors = battle.state, battle.field.sectors
    names = [*state.silenced, *state.silent, *state.zeroed, *state.gifts_taken]
    for by_name in (state.lowered, state.lowered_by_award, state.guns, state.laid, state.bunkers_taken):
        names += by_name
    names += [name for unit in state.units for name in (*unit.visited, *unit.taken)]
    for unit in state.units:
        turn = unit.turn
        names += filter(None, (unit.bunker, turn.entered, turn.cutters_from, turn.bulldozed_from))
        names += [unit.sector] if unit.sector or state.turn else []
    yield from _unknown("Sector", names, sectors)
    yield from _unknown("random Sector", state.random_rolls, battle.field.lines)
    for name, roll in state.random_rolls.items():
        if not 1 <= roll <= 6:
            yield f"no line {roll} for Sector {name}"


def _unit(battle: Battle, unit: Unit) -> Iterator[str]:
    for name in (*DIAL_NAMES, "combats", "awards_earned"):
        if getattr(unit, name) < 0:
            yield f"{name} below 0"
    if unit.stay < 1:
        yield "the marker shows 1 chevron at least: stay below 1"
    for name in _COUNTED:
        if getattr(unit.turn, name) < 0:
            yield f"turn.{name} below 0"
    if len(unit.visited) != len(set(unit.visited)):
        yield "a Sector was entered twice (DDD-117)"
    if back := set(unit.specialists) & set(unit.dead):
        yield f"{', '.join(sorted(back))}: both dead and alive (DDD-083)"
    if len(unit.specialists) != len(set(unit.specialists)):
        yield "a Specialist twice in the Unit"
    in_play = unit.status is not Status.LOST and unit.sector and battle.state.turn
    if in_play and not battle.strength(unit):
        yield "nobody is left, and yet the Unit is in play (DDD-171)"
    if len(unit.dice) > 6:
        yield "more than six dice"
    if len({die.id for die in unit.dice}) < len(unit.dice):
        yield "two dice of one name"
    if any(die.colour is Colour.NONE for die in unit.dice):
        yield "a die without a colour"


def _unknown_cards(battle: Battle) -> Iterator[str]:
    state, pack = battle.state, battle.pack
    in_hand = [name for unit in state.units for name in unit.hand]
    yield from _unknown("Item card", _items(battle), pack.item)
    yield from _unknown("Specialist card", state.pool_specialists + _taken(battle) + in_hand, pack.specialist)
    yield from _unknown("Award card", _awards(battle), pack.award | state.learned)
    yield from _unknown("Vehicle card", _vehicles(battle), pack.vehicle)


def _cards(battle: Battle) -> Iterator[str]:
    """One card of each Item, Unique Specialist, Vehicle and Award, in one place."""
    specialist = battle.pack.specialist
    unique = [name for name in _taken(battle) if specialist[name].kind is Kind.UNIQUE]
    yield from _twice("Item", _items(battle))
    yield from _twice("Specialist", battle.state.pool_specialists + unique)
    yield from _twice("Award", _awards(battle))
    yield from _twice("Vehicle", _vehicles(battle))


def _items(battle: Battle) -> list[str]:
    state = battle.state
    return state.pool_items + state.used_items + [name for unit in state.units for name in unit.items]


def _awards(battle: Battle) -> list[str]:
    return battle.state.award_deck + [name for unit in battle.state.units for name in unit.awards]


def _vehicles(battle: Battle) -> list[str]:
    state = battle.state
    return state.vehicles_gone + [unit.vehicle for unit in state.units if unit.vehicle]


def _taken(battle: Battle) -> list[str]:
    """The Specialists who are or were in a Unit."""
    return [name for unit in battle.state.units for name in (*unit.specialists, *unit.dead)]


def _unknown(what: str, names: Iterable[str], known: Container[str]) -> Iterator[str]:
    yield from (f"no {what} {name!r}" for name in sorted(set(names)) if name not in known)


def _twice(what: str, names: list[str]) -> Iterator[str]:
    yield from (f"{what} {name}: two of it" for name in sorted({n for n in names if names.count(n) > 1}))


def _sectors(battle: Battle) -> Iterator[str]:
    for name, sector in battle.field.sectors.items():
        there = len(battle.in_sector(name))
        if sector.max_units and there > sector.max_units and battle.full:
            yield f"{there} Units in {battle.label(name)}, which holds {sector.max_units} (DDD-237)"
