"""What must hold of every table, whatever was answered."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

import msgspec

from companion.engine.packs import numbers
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.combat import goes_on
from companion.games.dday_dice.dice import DIE_IDS, Colour, Die
from companion.games.dday_dice.records import Kind
from companion.games.dday_dice.setup import NAMES
from companion.games.dday_dice.state import Status, Unit


def broken(battle: Battle) -> Iterator[str]:
    """Every invariant that does not hold, in words; of a table with names that mean nothing only those."""
    unknown = [*_unknown_units(battle), *_unknown_places(battle), *_unknown_dice(battle)]
    unknown += _unknown_cards(battle)
    yield from unknown
    if unknown:
        return
    for path, number in numbers(msgspec.to_builtins(battle.state)):
        if number < 0 and not path.endswith(".die"):  # a result that no die shows
            yield f"{path} below 0"
    for unit in battle.state.units:
        yield from (f"Unit {unit.name}: {words}" for words in _unit(battle, unit))
    yield from (f"Trading Pool: {words}" for words in _dice(battle.state.trading_pool))
    yield from _cards(battle)
    yield from _sectors(battle)


def _unknown_units(battle: Battle) -> Iterator[str]:
    if battle.pack.scenario.get(battle.state.scenario) is not battle.scenario:
        yield "scenario: another can be chosen for another session alone"
    units, names = battle.state.units, NAMES[: battle.options.players]
    if [unit.name for unit in units] != list(names):
        yield f"the Units are {', '.join(names)}, in that order"
    yield from _unknown("Unit", [unit.turn.partner for unit in units], ("", *names))
    yield from _unknown("board", [unit.home for unit in units], ("", *battle.scenario.maps))


def _unknown_places(battle: Battle) -> Iterator[str]:
    """Sectors that are not on the beach, and lines that no random table has."""
    state, sectors = battle.state, battle.field.sectors
    names = [*state.silenced, *state.silent, *state.zeroed, *state.gifts_taken]
    for by_name in (state.lowered, state.lowered_by_award, state.guns):
        names += by_name
    bunkers = [*state.laid, *state.bunkers_taken]
    for unit in state.units:
        turn = unit.turn
        names += [*unit.visited, *filter(None, (turn.entered, turn.cutters_from, turn.bulldozed_from))]
        names += [unit.sector] if unit.sector or state.turn else []
        bunkers += [*unit.taken, *filter(None, (unit.bunker,))]
    yield from _unknown("Sector", names, sectors)
    yield from _unknown("Bunker", bunkers, battle.field.bunkers)
    yield from _unknown("random Sector", state.random_rolls, battle.field.lines)
    for name, roll in state.random_rolls.items():
        if not 1 <= roll <= 6:
            yield f"no line {roll} for Sector {name}"


def _unknown_dice(battle: Battle) -> Iterator[str]:
    state = battle.state
    dice = [die.id for unit in state.units for die in unit.dice] + [die.id for die in state.trading_pool]
    yield from _unknown("die", dice, DIE_IDS)


def _unit(battle: Battle, unit: Unit) -> Iterator[str]:
    if unit.stay < 1:
        yield "the marker shows 1 chevron at least: stay below 1"
    if unit.turn.locked_skulls > len(DIE_IDS):
        yield f"turn.locked_skulls: {unit.turn.locked_skulls} of {len(DIE_IDS)} dice"
    if unit.turn.extra_losses > 6:
        yield f"turn.extra_losses: no die shows {unit.turn.extra_losses}"
    for names in (unit.visited, unit.taken):
        if len(names) > len(set(names)):
            yield "a Sector was entered twice (DDD-117)"
    if unit.status is Status.SAFE and unit.sector not in battle.field.bunkers:
        yield "safe, and yet in no Bunker (DDD-167)"
    if unit.status is Status.FIGHTING and unit.sector in unit.taken and not goes_on(battle, unit):
        yield "in play in a Bunker that it has taken: set taken first"
    if back := set(unit.specialists) & set(unit.dead):
        yield f"{', '.join(sorted(back))}: both dead and alive (DDD-083)"
    if len(unit.specialists) != len(set(unit.specialists)):
        yield "a Specialist twice in the Unit"
    yield from _twice("Specialist", unit.hand + battle.state.pool_specialists)
    in_play = unit.status is not Status.LOST and unit.sector and battle.state.turn
    if in_play and not battle.strength(unit):
        yield "nobody is left, and yet the Unit is in play (DDD-171)"
    yield from _dice(unit.dice)


def _dice(dice: Sequence[Die]) -> Iterator[str]:
    if len(dice) > len(DIE_IDS):
        yield "more than six dice"
    if len({die.id for die in dice}) < len(dice):
        yield "two dice of one name"
    if any(die.colour is Colour.NONE for die in dice):
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
    in_hand = [name for unit in battle.state.units for name in unit.hand]
    unique = [name for name in _taken(battle) + in_hand if specialist[name].kind is Kind.UNIQUE]
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
    for name, dice in battle.state.guns.items():
        if not all(1 <= die <= 6 for die in dice):
            yield f"guns: dice of {battle.label(name)} out of range: {dice}"
    for name, sector in battle.field.sectors.items():
        there = len(battle.in_sector(name))
        if sector.max_units and there > sector.max_units and battle.full:
            yield f"{there} Units in {battle.label(name)}, which holds {sector.max_units} (DDD-237)"
