"""Trading between Units (DDD-102 to DDD-108): gifts, one after the other, either way."""

from __future__ import annotations

from functools import partial

from companion.engine.asks import Choose, Number, Option, Script, ask
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.effects import Tradeable
from companion.games.dday_dice.questions import DONE, choose_unit
from companion.games.dday_dice.setup import dials
from companion.games.dday_dice.state import DIAL_NAMES, Unit

DIALS = ("soldiers", "courage", "stars", "points")
_BOTH = "vehicles"


def partners(battle: Battle, unit: Unit) -> list[Unit]:
    """Who this Unit can trade with: those in its Sector, and a Carrier Pigeon's partner."""
    if battle.solo:
        return []
    return [
        other
        for other in battle.fighting()
        if other is not unit and (other.sector == unit.sector or in_touch(unit, other))
    ]


def in_touch(one: Unit, other: Unit) -> bool:
    """By Carrier Pigeon; one that was found again may have flown from the same Unit twice this turn."""
    return one.turn.partner == other.name or other.turn.partner == one.name


def options(battle: Battle, unit: Unit, *, vehicles: bool = True) -> list[Option]:
    """The menu line for trading, if there is somebody and something."""
    return [Option("give", "give to a Unit")] if _receivers(battle, unit, vehicles=vehicles) else []


def _receivers(battle: Battle, unit: Unit, *, vehicles: bool) -> list[Unit]:
    """The partners to whom something can be given."""
    return [other for other in partners(battle, unit) if _goods(battle, unit, other, vehicles=vehicles)]


def totals(battle: Battle, unit: Unit) -> str:
    """The dials of a Unit and of those that it can trade with: all of theirs are new after a gift."""
    return "\n".join(
        [dials(unit), *(f"{battle.tag(other)}{dials(other)}" for other in partners(battle, unit))]
    )


def give(battle: Battle, unit: Unit, *, vehicles: bool = True) -> Script[None]:
    """One gift (DDD-106); what is got for it is another gift. Without `vehicles` at the mines (DDD-097)."""
    others = _receivers(battle, unit, vehicles=vehicles)
    other = yield from choose_unit(battle, unit, others, "Give to?", ("DDD-102", "DDD-106"))
    if not _goods(battle, unit, other, vehicles=vehicles):  # an override may have taken all away
        return
    question = partial(_what_question, battle, unit, other, vehicles=vehicles)
    what, _, name = (yield from ask(question)).partition(":")
    if what == "item":
        unit.items.remove(name)
        other.items.append(name)
    elif what == "specialist":
        unit.specialists.remove(name)
        other.specialists.append(name)
        unit.turn.messenger_traded = other.turn.messenger_traded = True
    elif what == "vehicle":
        other.vehicle, unit.vehicle = unit.vehicle, ""
    elif what == _BOTH:
        other.vehicle, unit.vehicle = unit.vehicle, other.vehicle
    else:
        yield from _give_some(battle, unit, other, what)


def help_out(battle: Battle, unit: Unit, needed: int, text: str, rule: tuple[str, ...]) -> Script[None]:
    """Gifts for a Unit that is about to lose more than it has Soldiers for, while others have (DDD-107)."""
    while unit.soldiers < needed and _helpers(battle, unit):
        answer = yield from ask(partial(_help_question, battle, unit, text, rule))
        if answer == "done":
            return
        yield from give(battle, battle.unit(answer))


def _helpers(battle: Battle, unit: Unit) -> list[Unit]:
    return [other for other in partners(battle, unit) if _spare(battle, other, "soldiers")]


def _help_question(battle: Battle, unit: Unit, text: str, rule: tuple[str, ...]) -> Choose:
    gifts = (Option(other.name, f"{other.name} gives") for other in _helpers(battle, unit))
    options = (DONE, *gifts)
    return Choose(
        "dday_dice.trade.help", f"{battle.tag(unit)}{text}", totals(battle, unit), rule, options=options
    )


def _what_question(battle: Battle, unit: Unit, other: Unit, *, vehicles: bool) -> Choose:
    text = f"{battle.tag(unit)}Give what to {other.name}?"
    goods = tuple(_goods(battle, unit, other, vehicles=vehicles))
    return Choose("dday_dice.trade.what", text, rule=("DDD-103", "DDD-104"), options=goods)


def _give_some(battle: Battle, unit: Unit, other: Unit, dial: str) -> Script[None]:
    count = yield from ask(partial(_count_question, battle, unit, dial))
    setattr(unit, dial, getattr(unit, dial) - count)
    setattr(other, dial, getattr(other, dial) + count)


def _count_question(battle: Battle, unit: Unit, dial: str) -> Number:
    most = _spare(battle, unit, dial)
    text = f"{battle.tag(unit)}How many {DIAL_NAMES[dial]}?"
    return Number(f"dday_dice.trade.{dial}", text, rule=("DDD-103",), least=1, most=most)


def _goods(battle: Battle, unit: Unit, other: Unit, *, vehicles: bool) -> list[Option]:
    """What may be given: no Awards (DDD-104), no Specialists but the Messenger (DDD-105).

    A Vehicle for a Vehicle is one step, since neither Unit may have two at any time (DDD-099, DDD-100).
    """
    goods = [Option(d, f"{DIAL_NAMES[d]} ({getattr(unit, d)})") for d in DIALS if _spare(battle, unit, d)]
    goods += [Option(f"item:{name}", name) for name in unit.items]
    if vehicles and unit.vehicle and battle.vehicle_fits(other.sector):
        if not other.vehicle:
            goods.append(Option("vehicle", unit.vehicle))
        elif battle.vehicle_fits(unit.sector):
            goods.append(Option(_BOTH, f"{unit.vehicle} for {other.vehicle}"))
    if not unit.turn.messenger_traded and battle.strength(unit) > 1:
        goods += [Option(f"specialist:{name}", name) for name in battle.able(unit.specialists, Tradeable)]
    return goods


def _spare(battle: Battle, unit: Unit, dial: str) -> int:
    """How many may be given: somebody has to stay behind."""
    most: int = getattr(unit, dial)
    return min(most, battle.strength(unit) - 1) if dial == "soldiers" else most
