"""Casualties, in whatever phase: who is saved, who pays, who falls (DDD-082, DDD-164, DDD-165)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TypeAlias

from companion.engine.asks import Choose, Number, Option, Script, ask, offered
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.effects import PayLosses, StandIn
from companion.games.dday_dice.records import ANY
from companion.games.dday_dice.state import Status, Unit, gained
from companion.wording import counted

FALLS = "falls, card face down"
"""What is told of a Specialist who dies (DDD-083)."""
Spared: TypeAlias = Callable[[], Collection[str]]


def due(battle: Battle, unit: Unit, count: int) -> int:
    """How many of so many Soldiers have to be lost, less what a Medic saves (DDD-R40)."""
    return max(0, count - battle.saves(unit))


def suffer(
    battle: Battle, unit: Unit, count: int, phase: str, *, rule: tuple[str, ...], spare: Spared = tuple
) -> Script[int]:
    """Lose so many Soldiers, less what a Medic saves; returns how many had to be paid.

    `spare` says which Specialists may fall only if nobody else is left (DDD-R37).
    """
    left = fallen = due(battle, unit, count)
    if left and battle.abilities(unit, PayLosses):
        left = yield from _pay_otherwise(battle, unit, left)
    while left and unit.specialists and battle.strength(unit) > left:
        name = yield from offered(partial(_who, battle, unit, left, phase, rule=rule, spare=spare))
        if name == "soldiers":
            break
        left = max(0, left - battle.counts(name))
        fall(unit, name)
    if battle.strength(unit) <= left:
        wipe_out(unit)
    else:
        unit.soldiers -= left
    return fallen


def _pay_otherwise(battle: Battle, unit: Unit, left: int) -> Script[int]:
    """The Hero pays with Courage and Stars, in any mixture."""
    for dial in ("courage", "stars"):
        if left and getattr(unit, dial):
            paid = yield from ask(partial(_how_much, battle, unit, dial, left))
            setattr(unit, dial, getattr(unit, dial) - paid)
            left -= paid
            if paid:
                unit.turn.news.append(f"{gained(dial, paid)[1:]} paid")
    return left


def _how_much(battle: Battle, unit: Unit, dial: str, left: int) -> Number:
    text = f"{battle.tag(unit)}{_means(unit, left)}: pay how many {dial.title()}?"
    held = getattr(unit, dial)
    detail = f"{dial.title()} {held}: each saves 1 Soldier"
    return Number(f"dday_dice.losses.{dial}", text, detail, ("DDD-R41",), most=min(left, held))


def _means(unit: Unit, left: int) -> str:
    return f"Lose {left}, {counted(unit.soldiers, 'Soldier')} there"


def _who(
    battle: Battle, unit: Unit, left: int, phase: str, *, rule: tuple[str, ...], spare: Spared
) -> Choose:
    """Soldiers, if they are enough, or a Specialist; nobody by whose fall the Unit would be lost in vain."""
    enough = unit.soldiers >= left or not unit.specialists
    options = [Option("soldiers", counted(left, "Soldier"))] if enough else []
    can_fall = [name for name in unit.specialists if _lasts_without(battle, unit, name, left)]
    spared = spare()
    free = [name for name in can_fall if name not in spared]
    if not options and not free:
        free = can_fall or unit.specialists
    options += [Option(name, name) for name in free]
    text = f"{battle.tag(unit)}{_means(unit, left)}: who falls?"
    return Choose(f"dday_dice.losses.{phase}", text, rule=rule, options=tuple(options))


def _lasts_without(battle: Battle, unit: Unit, name: str, left: int) -> bool:
    """Whether somebody can be left after his fall and the rest, each Specialist as a whole (DDD-R39)."""
    others = [battle.counts(one) for one in unit.specialists if one != name]
    keeper = 1 if unit.soldiers else min(others, default=0)
    return keeper > 0 and left <= battle.counts(name) + unit.soldiers + sum(others) - keeper


def left_after(battle: Battle, names: list[str], wanted: Sequence[str]) -> list[list[str]]:
    """Who of these Specialists is left by each way to sacrifice all who are wanted, one after the other."""
    if not wanted:
        return [names]
    first, rest = wanted[0], wanted[1:]
    fewer = ([name for name in names if name != gone] for gone in _who_can_go(battle, names, first))
    return [left for kept in fewer for left in left_after(battle, kept, rest)]


def _who_can_go(battle: Battle, names: list[str], wanted: str) -> list[str]:
    """Whom a sacrifice can take: that Specialist, or a Decoy in his place (DDD-132, DDD-133, DDD-R42)."""
    if wanted == ANY:
        return names
    return [name for name in dict.fromkeys([wanted, *battle.able(names, StandIn)]) if name in names]


def sacrifice(battle: Battle, unit: Unit, wanted: str, then: Sequence[str] = ()) -> Script[None]:
    """Give up that Specialist, or whom else the player may choose; who is wanted `then` is kept for it."""
    if _candidates(battle, unit, wanted, then):  # an override may have taken away who was meant
        fall(unit, (yield from offered(partial(_whom, battle, unit, wanted, then))))


def _candidates(battle: Battle, unit: Unit, wanted: str, then: Sequence[str]) -> list[str]:
    names = _who_can_go(battle, unit.specialists, wanted)
    free = [gone for gone in names if left_after(battle, [n for n in unit.specialists if n != gone], then)]
    return free or names


def _whom(battle: Battle, unit: Unit, wanted: str, then: Sequence[str]) -> Choose:
    text = f"{battle.tag(unit)}Sacrifice whom?"
    options = tuple(Option(name, name) for name in _candidates(battle, unit, wanted, then))
    rule = ("DDD-132", "DDD-133", "DDD-R42")
    return Choose("dday_dice.move.sacrifice", text, rule=rule, options=options)


def fall(unit: Unit, name: str) -> None:
    """A Specialist dies; he never comes back (DDD-083)."""
    unit.specialists.remove(name)
    unit.dead.append(name)
    unit.turn.news.append(f"{name} {FALLS}")


def wipe_out(unit: Unit) -> None:
    """Nobody is left (DDD-171)."""
    unit.soldiers = 0
    unit.dead += unit.specialists
    unit.specialists = []
    unit.status = Status.LOST
