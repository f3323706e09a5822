"""What a place will cost: averages, the worst, and the chance to be wiped out, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from companion.games.dday_dice import arriving, losses
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.battlefield import Way
from companion.games.dday_dice.effects import IgnoreMines, PayLosses, Save
from companion.games.dday_dice.state import Unit

PIPS = range(1, 7)


@cache
def sums(dice: int) -> tuple[int, ...]:
    """In how many of the 6**n ways n dice add up to each total, from 0.

    >>> sums(2)[7]
    6
    """
    if dice == 0:
        return (1,)
    fewer = sums(dice - 1)
    return tuple(
        sum(fewer[total - pips] for pips in range(1, 7) if 0 <= total - pips < len(fewer))
        for total in range(6 * dice + 1)
    )


@cache
def at_least(dice: int, total: int) -> float:
    """The chance that n dice add up to at least so much."""
    ways = sums(dice)
    return sum(ways[max(0, total) :]) / float(6**dice)


def staying(battle: Battle, unit: Unit) -> str:
    """What another Combat where the Unit stands will cost."""
    loss = battle.defence(unit, unit.sector, battle.combats_for_def(unit))
    means = battle.strength(unit) + _purse(battle, unit)
    return _words(battle, unit, unit.sector, loss, saved=battle.saves(unit), means=[means])


def moving(battle: Battle, unit: Unit, way: Way, cost: int) -> str:
    """What the way, for so much Courage, and the Combat at its end will cost."""
    there = battle.place(way.to)
    along = way.drivable(there)
    mines = way.mines and not (unit.turn.ignore_mines or battle.abilities(unit, IgnoreMines))
    loss = battle.defence(unit, way.to, 0, along=along)
    saved = battle.saves(unit, way.to, along=along) + (battle.saves(unit, along=False) if mines else 0)
    purse = _purse(battle, unit, cost)
    means = battle.strength(unit) + arriving.gained(battle, unit, way) + purse
    for wanted in there.sacrifice if arriving.sacrifices(battle, unit, way.to, along=along) else ():
        gone = (_goes_with(battle, name, purse) for name in losses.who_can_go(battle, unit, wanted))
        strength, saving, paying = min(gone, key=sum)
        means -= strength + paying
        saved -= saving
    joining = PIPS if there.gain_on_entry else (0,)
    some = [means + more for more in joining]
    return _words(battle, unit, way.to, loss, mines=mines, saved=saved, means=some)


def _purse(battle: Battle, unit: Unit, cost: int = 0) -> int:
    """What a Hero can pay instead of Soldiers."""
    return unit.courage - cost + unit.stars if battle.abilities(unit, PayLosses) else 0


def _goes_with(battle: Battle, name: str, purse: int) -> tuple[int, int, int]:
    """What a sacrificed Specialist stood for in Soldiers, what he saved, and what a Hero could have paid."""
    effects = battle.pack.specialist[name].effects
    saving = sum(effect.soldiers for effect in effects if isinstance(effect, Save))
    paying = purse if any(isinstance(effect, PayLosses) for effect in effects) else 0
    return battle.counts(name), saving, paying


def _words(
    battle: Battle,
    unit: Unit,
    sector: str,
    loss: int,
    *,
    mines: bool = False,
    saved: int,
    means: Sequence[int],
) -> str:
    """`means`: all that the Unit can lose there before nobody is left; several are as likely."""
    guns = battle.guns(sector)
    more = battle.shelled(unit, sector)
    text = f"DEF {loss}" + (f" + {guns}d6 guns" if guns else "")
    if battle.shelling_alone(sector):
        text, loss, guns = "1d6 alone", 0, 0
    elif more:
        text += " + 1d6 more"
    text += " + 1d6 mines" if mines else ""
    dice = guns + mines + more
    average = max(0.0, loss + 3.5 * dice - saved)
    text += f": {average:g} on average, {max(0, loss + 6 * dice - saved)} at worst"
    doom = sum(at_least(dice, one + saved - loss) for one in means) / len(means)
    if doom:
        text += f"; wiped out {doom:.0%}"
    printed = battle.printed(sector)
    return f"{text}. {printed}" if printed else text


def risk(battle: Battle, unit: Unit, sector: str, *, combats: int, mines: bool) -> float:
    """The chance that the Unit does not survive the Combat (and the mines on the way)."""
    saved = battle.saves(unit) * (1 + mines)
    loss, guns = battle.defence(unit, sector, combats), battle.guns(sector)
    more = battle.shelled(unit, sector)
    if battle.shelling_alone(sector):
        loss, guns = 0, 0
    return at_least(guns + mines + more, battle.strength(unit) + saved - loss)
