"""What a place will cost: averages, the worst, and the chance to be wiped out, exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from copy import copy
from functools import cache
from itertools import accumulate, product
from math import isclose
from typing import TypeAlias

import msgspec

from companion.games.dday_dice import arriving
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.battlefield import Way
from companion.games.dday_dice.effects import (
    Gain,
    IgnoreDamage,
    IgnoreMines,
    IgnoreSacrifice,
    LowerDef,
    PayLosses,
    Save,
    StandIn,
    Strength,
)
from companion.games.dday_dice.losses import left_after
from companion.games.dday_dice.records import Damage
from companion.games.dday_dice.state import Unit
from companion.wording import percent

PIPS = range(1, 7)
SEEN = (IgnoreDamage, IgnoreMines, IgnoreSacrifice, LowerDef, PayLosses, Save, StandIn, Strength)
"""The effects that the odds of a way look at, besides a `Gain` for it."""


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


@cache
def volleys(guns: int) -> tuple[tuple[int, int, float], ...]:
    """What so many guns can hit in all, with how many 6s, and how likely that is."""
    throws = Counter({(0, 0): 1})
    for _ in range(guns):
        thrown, throws = throws, Counter()
        for ((total, sixes), ways), pips in product(thrown.items(), PIPS):
            throws[total + pips, sixes + (pips == 6)] += ways
    return tuple((total, sixes, ways / 6**guns) for (total, sixes), ways in throws.items())


class Stake(msgspec.Struct, frozen=True, kw_only=True):
    """What a Unit risks by a Combat.

    `others` is what it can lose one by one, `whole` what a Paratrooper stands for, who falls as a whole;
    `saved` are whom a Medic saves, `hurt` is what 6s of the guns cost besides, both by how many 6s there are.
    """

    loss: int
    guns: int
    more: bool
    alone: bool
    others: int
    whole: int
    saved: Sequence[int]
    hurt: Sequence[int]

    def doom(self) -> float:
        """The chance that nobody is left; a Medic whom the guns take is in `hurt`."""
        means = lasts(self.others, self.whole)
        if means <= 0:
            return 1.0
        left = means + self.saved[0] - self.loss
        most = len(self.hurt) - 1
        return sum(
            chance * at_least(self.more, left - total - self.hurt[min(sixes, most)])
            for total, sixes, chance in volleys(self.guns)
        )

    def falls(self) -> tuple[float, int]:
        """How many fall, on average and at worst; fewer are saved where 6s take all Specialists."""
        most = len(self.saved) - 1
        hits = [
            (chance, _falls(self.more, self.loss + total - self.saved[min(sixes, most)]))
            for total, sixes, chance in volleys(self.guns)
        ]
        return sum(chance * average for chance, (average, _) in hits), max(worst for _, (_, worst) in hits)


Stakes: TypeAlias = Sequence[Stake]
"""What can come of a move, each as likely: one, but where a die on arrival decides."""


def lasts(others: int, whole: int) -> int:
    """What can be lost at once before nobody is left.

    A Paratrooper falls as a whole, so that one who is alone falls with the first loss (DDD-R39).
    """
    return others + whole if others or not whole else 1


def staying(battle: Battle, unit: Unit) -> str:
    """What another Combat where the Unit stands will cost."""
    return _words([_here(battle, unit)], battle.printed(unit.sector, entering=False))


def moving(battle: Battle, unit: Unit, way: Way, cost: int) -> str:
    """What the way, for so much Courage, and the Combat at its end will cost."""
    stakes = min(_arrivals(battle, _paid(unit, cost), way), key=_bad)
    mines = way.mines and not arriving.swept(battle, unit)
    saved = _saved_on_the_way(battle, unit) if mines else None
    joining, by_cry = arriving.can_join(battle, unit, way.to), unit.turn.battle_cry
    printed = battle.printed(way.to, joining=joining, by_cry=by_cry)
    return _words(stakes, printed, risk(battle, unit, way, cost), saved)


def risk(battle: Battle, unit: Unit, way: Way | None = None, cost: int = 0) -> float:
    """The chance that the Unit does not survive this turn where it stands, or by a way.

    The exact chance if those are given up whom the Unit can best do without, at the mines Soldiers first
    where no Special Damage awaits the Specialists, and no Items or gifts help.
    """
    if way is None:
        return _here(battle, unit).doom()
    paid = _paid(unit, cost)
    if not way.mines or arriving.swept(battle, unit):
        return _on_arrival(battle, paid, way)
    return sum(_by_mines(battle, paid, way, pips) for pips in PIPS) / len(PIPS)


def doomed(battle: Battle, unit: Unit, loss: int) -> bool:
    """Whether nobody is left where the guns have fired and so many fall, Special Damage besides."""
    hurt = _hurt(battle, unit, unit.sector)
    sixes = battle.state.guns.get(unit.sector, []).count(6)
    return loss + hurt[min(sixes, len(hurt) - 1)] >= lasts(*_means(battle, unit))


def _here(battle: Battle, unit: Unit, *, along: bool = True) -> Stake:
    """What it risks where it stands, `along` with its Vehicle, and with who joins it as a first Unit."""
    came_to = unit.turn.entered
    if came_to and battle.place(came_to).joins_first_only:
        unit = _joined(battle, unit, came_to)
    loss = battle.defence(unit, unit.sector, battle.combats_for_def(unit), along=along)
    return _stake(battle, unit, unit.sector, loss, along=along)


def _paid(unit: Unit, cost: int) -> Unit:
    return msgspec.structs.replace(unit, courage=unit.courage - cost)


def _saved_on_the_way(battle: Battle, unit: Unit) -> int:
    """Whom a Medic saves at the mines, where no Vehicle comes along."""
    return battle.saves(unit, along=False)


def _by_mines(battle: Battle, unit: Unit, way: Way, pips: int) -> float:
    """The chance that a Unit for whom the mines' die shows that does not survive; nobody may be left."""
    return _least(_on_arrival(battle, u, way) for u in _after_mines(battle, unit, way, pips))


def _after_mines(battle: Battle, unit: Unit, way: Way, pips: int) -> Iterator[Unit]:
    """How mines can leave a Unit, a Hero paying all he can or nothing; none if nobody is left."""
    due = max(0, pips - _saved_on_the_way(battle, unit))
    most = min(due, _purse(unit)) if battle.abilities(unit, PayLosses) else 0
    for paid in {most, 0}:
        courage = min(paid, unit.courage)
        left = due - paid
        for gone in _who_may_fall(battle, unit, way, left):
            names = [name for name in unit.specialists if name not in gone]
            soldiers = unit.soldiers - max(0, left - sum(map(battle.counts, gone)))
            if soldiers or names:
                yield msgspec.structs.replace(
                    unit,
                    soldiers=soldiers,
                    specialists=names,
                    dead=[*unit.dead, *gone],
                    courage=unit.courage - courage,
                    stars=unit.stars - paid + courage,
                )


def _who_may_fall(battle: Battle, unit: Unit, way: Way, left: int) -> list[tuple[str, ...]]:
    """Which Specialists can fall if so many have to: nobody in vain, of the spared ones as few as can be.

    A Paratrooper may fall where Soldiers would have been enough, since he falls as a whole anyway; and so may
    anybody where Special Damage takes Specialists beside the losses.
    Of Specialists who are alike for the odds, the first ones stand for all.
    """
    missing = max(0, left - unit.soldiers)
    places = [battle.place(unit.sector), *(table.place(way.to) for table in _tables(battle, way.to))]
    prey = any(place.damage is Damage.SPECIALIST for place in places)
    most = left if prey else missing + 1
    alike: dict[Hashable, list[str]] = {}
    for name in unit.specialists:
        alike.setdefault(_looked_at(battle, way, name), []).append(name)
    some: list[tuple[str, ...]] = [()]
    for names in alike.values():
        some = [
            (*gone, *names[:many]) for gone in some for many in range(min(len(names), most - len(gone)) + 1)
        ]
    ways = []
    for gone in some:
        counts = [battle.counts(name) for name in gone]
        fallen = sum(counts)
        if fallen >= missing and all(fallen - n < (left if prey or n > 1 else missing) for n in counts):
            ways.append(gone)
    spared = arriving.asked_for(battle, unit, way)
    missed = [sum(name in spared for name in gone) for gone in ways]
    return [gone for gone, many in zip(ways, missed, strict=True) if many == min(missed)]


def _looked_at(battle: Battle, way: Way, name: str) -> Hashable:
    """What the odds of a way look at in a Specialist: some effects, and his name if the Sector has it."""
    there = battle.place(way.to)
    effects = battle.pack.specialist[name].effects
    seen = [e for e in effects if isinstance(e, SEEN) or (isinstance(e, Gain) and arriving.paid_by(e, way))]
    return *seen, name if name in (*there.requires, *there.sacrifice, there.joins) else ""


def _on_arrival(battle: Battle, unit: Unit, way: Way) -> float:
    """The chance that a Unit which has come so far does not survive; it may have to turn back (DDD-R37)."""
    if not arriving.may_enter(battle, unit, way):
        return 1.0 if battle.must_move(unit) else _here(battle, unit, along=False).doom()
    return _least(_doom(stakes) for stakes in _arrivals(battle, unit, way))


def _least(chances: Iterable[float]) -> float:
    """The least of these chances, 1 if there are none; what follows a 0 is not worked out."""
    least = 1.0
    for chance in chances:
        least = min(least, chance)
        if not least:
            break
    return least


def _arrivals(battle: Battle, unit: Unit, way: Way) -> Iterator[Stakes]:
    """What the Unit risks there, for each choice of whom it gives up, once for those who are alike."""
    along = way.drivable(battle.place(way.to))
    sacrifices = arriving.sacrifices(battle, unit, way.to, along=along)
    wanted = battle.place(way.to).sacrifice if sacrifices else ()
    ways = {}
    for names in left_after(battle, unit.specialists, wanted):
        gone = [name for name in unit.specialists if name not in names]
        ways[tuple(_looked_at(battle, way, name) for name in gone)] = names
    return (_arrived(battle, unit, way, names) for names in ways.values())


def _doom(stakes: Stakes) -> float:
    return sum(stake.doom() for stake in stakes) / len(stakes)


def _bad(stakes: Stakes) -> tuple[float, int, int]:
    stake = stakes[-1]
    return _doom(stakes), stake.loss - stake.saved[0], -stake.others - stake.whole


def _arrived(battle: Battle, unit: Unit, way: Way, names: list[str]) -> Stakes:
    """By each die that may add Soldiers, and each line that a random Sector may show."""
    there = battle.place(way.to)
    along = way.drivable(there)
    soldiers = unit.soldiers + arriving.gained(battle, unit, way)
    gone = [name for name in unit.specialists if name not in names]
    stakes = []
    for pips, table in product(PIPS if there.gain_on_entry else (0,), _tables(battle, way.to)):
        came = msgspec.structs.replace(
            unit, specialists=names, dead=unit.dead + gone, soldiers=soldiers + pips
        )
        arrived = _joined(battle, came, way.to)
        loss = table.defence(arrived, way.to, 0, along=along)
        stakes.append(_stake(table, arrived, way.to, loss, along=along))
    return stakes


def _joined(battle: Battle, unit: Unit, sector: str) -> Unit:
    """The Unit with the Specialist who joins it there, if he does."""
    if not arriving.will_join(battle, unit, sector):
        return unit
    joins = battle.place(sector).joins
    return msgspec.structs.replace(unit, specialists=[*unit.specialists, joins])


def _tables(battle: Battle, sector: str) -> list[Battle]:
    """The table as it can be once the Unit is there; a random Sector is still to be rolled for (DDD-268)."""
    if not arriving.undiscovered(battle, sector):
        return [battle]
    tables = []
    for roll in PIPS:
        table = copy(battle)
        rolls = {**battle.state.random_rolls, sector: roll}
        table.state = msgspec.structs.replace(battle.state, random_rolls=rolls)
        tables.append(table)
    return tables


def _stake(battle: Battle, unit: Unit, sector: str, loss: int, *, along: bool) -> Stake:
    """A Combat of the Unit, as it will be there; one die may replace all else (DDD-R65)."""
    alone = battle.shelling_alone(sector)
    others, whole = _means(battle, unit)
    return Stake(
        loss=0 if alone else loss,
        guns=0 if unit.turn.ignore_guns else battle.guns(sector),
        more=battle.shelled(unit, sector),
        alone=alone,
        others=others,
        whole=whole,
        saved=_saved(battle, unit, sector, along=along),
        hurt=_hurt(battle, unit, sector, along=along),
    )


def _means(battle: Battle, unit: Unit) -> tuple[int, int]:
    """What the Unit can lose one by one, a Hero's purse too; and what a Paratrooper stands for."""
    whole = sum(count for name in unit.specialists if (count := battle.counts(name)) > 1)
    purse = _purse(unit) if battle.abilities(unit, PayLosses) else 0
    return battle.strength(unit) - whole + purse, whole


def _purse(unit: Unit) -> int:
    return unit.courage + unit.stars


def _worth(battle: Battle, unit: Unit, name: str) -> int:
    """What is lost with a Specialist: himself, whom he saves, and what a Hero could have paid."""
    effects = battle.pack.specialist[name].effects
    saved = sum(effect.soldiers for effect in effects if isinstance(effect, Save))
    pays = any(isinstance(effect, PayLosses) for effect in effects)
    return battle.counts(name) + saved + (_purse(unit) if pays else 0)


def _saved(battle: Battle, unit: Unit, sector: str, *, along: bool) -> list[int]:
    """Whom Medics save after no 6, one and more of them: once all Specialists are gone, only an Ambulance."""
    saved = battle.saves(unit, sector, along=along)
    if _damage(battle, unit, sector, along=along) is not Damage.SPECIALIST:
        return [saved]
    nobody = msgspec.structs.replace(unit, specialists=[])
    return [saved] * len(unit.specialists) + [battle.saves(nobody, sector, along=along)]


def _damage(battle: Battle, unit: Unit, sector: str, *, along: bool) -> Damage | None:
    """The Special Damage that 6s do to the Unit there, if any."""
    unharmed = unit.turn.ignore_guns or battle.abilities(unit, IgnoreDamage, sector, along=along)
    return None if unharmed else battle.place(sector).damage


def _hurt(battle: Battle, unit: Unit, sector: str, *, along: bool = True) -> list[int]:
    """What no 6, one and more of them cost the Unit by Special Damage (DDD-151 to DDD-154)."""
    damage = _damage(battle, unit, sector, along=along)
    each: list[int] = []
    if damage is Damage.SPECIALIST:
        each = sorted(_worth(battle, unit, name) for name in unit.specialists)
    elif damage is Damage.COURAGE and battle.abilities(unit, PayLosses):
        each = [1] * unit.courage
    return [0, *accumulate(each)]


def _words(stakes: Stakes, printed: str, doom: float | None = None, saved_at_mines: int | None = None) -> str:
    """A Combat in words; `saved_at_mines` are whom a Medic saves there, if there are mines on the way."""
    doom = _doom(stakes) if doom is None else doom
    usual = min(stakes, key=lambda stake: (stake.alone, stake.more))
    text = f"DEF {usual.loss}" + (f" + {usual.guns}d6 guns" if usual.guns else "")
    if usual.alone:
        text = "1d6 alone"
    elif usual.more:
        text += " + 1d6 more"
    elif any(stake.alone for stake in stakes):
        text += " (or 1d6 alone)"
    elif any(stake.more for stake in stakes):
        text += " (perhaps 1d6 more)"
    falls = [stake.falls() for stake in stakes]
    average = sum(average for average, _ in falls) / len(falls)
    worst = max(worst for _, worst in falls)
    if saved_at_mines is not None:
        text += " + 1d6 mines"
        there = _falls(1, -saved_at_mines)
        average, worst = average + there[0], worst + there[1]
    if isclose(average, worst):
        text += f": {worst} fall{'s' * (worst == 1)}"
    else:
        text += f": {round(average, 1):g} on average, {worst} at worst"
    if doom:
        text += f"; wiped out {percent(doom)}"
    return f"{text}. {printed}" if printed else text


def _falls(dice: int, more: int) -> tuple[float, int]:
    """How many fall to so many dice and so many besides, on average and at worst; never fewer than none."""
    average = sum(ways * max(0, total + more) for total, ways in enumerate(sums(dice))) / float(6**dice)
    return average, max(0, 6 * dice + more)
