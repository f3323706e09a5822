"""What a place will cost: averages, the worst, and the chance to be wiped out, exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, product

import msgspec

from companion.games.dday_dice import arriving, losses
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.battlefield import Way
from companion.games.dday_dice.effects import IgnoreDamage, IgnoreMines, PayLosses, Save
from companion.games.dday_dice.records import Damage
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
    """What a Unit risks by a Combat, and by the mines on the way there.

    `others` is what it can lose one by one, `whole` what a Paratrooper stands for, who falls as a whole;
    `before` is all that it can lose on the way, `spare` what of it one by one, `paying` what a Hero can pay
    who is given up then; `kept`: the Sector asks for the Paratrooper, who can't fall on the way; `saved` and
    `saved_before` are whom a Medic saves; `hurt` is what 6s of the guns cost besides, by how many there are;
    `joining` is what a die adds on arrival, each as likely.
    """

    sector: str
    loss: int
    guns: int
    more: bool
    alone: bool
    others: int
    whole: int
    saved: int
    hurt: Sequence[int]
    mines: bool = False
    before: int = 0
    spare: int = 0
    paying: int = 0
    kept: bool = False
    saved_before: int = 0
    joining: Sequence[int] = (0,)

    def doom(self) -> float:
        """The chance that nobody is left: exact, if who falls on the way would save or bring nobody."""
        on_the_way = [max(0, pips - self.saved_before) for pips in PIPS] if self.mines else [0]
        chances = [self._doom(lost, joined) for lost in on_the_way for joined in self.joining]
        return sum(chances) / len(chances)

    def _doom(self, lost: int, joined: int) -> float:
        if self.mines and lost >= self.before:
            return 1.0
        arrived = self._left(max(0, lost - self.paying), self.others + joined)
        if arrived <= 0:
            return 1.0
        left = arrived + self.saved - self.loss
        most = len(self.hurt) - 1
        return sum(
            chance * at_least(self.more, left - total - self.hurt[min(sixes, most)])
            for total, sixes, chance in volleys(self.guns)
        )

    def _left(self, lost: int, others: int) -> int:
        """What it can lose in the Combat: the Paratrooper has fallen on the way, or the others have."""
        with_him = lasts(others - lost, self.whole) if lost <= self.spare else 0
        without = others - max(0, lost - self.whole)
        return max(with_him, without) if lost and self.whole and not self.kept else with_him


def lasts(others: int, whole: int) -> int:
    """What can be lost at once before nobody is left.

    A Paratrooper falls as a whole, so that one who is alone falls with the first loss (DDD-R39).
    """
    return others + whole if others or not whole else 1


def staying(battle: Battle, unit: Unit) -> str:
    """What another Combat where the Unit stands will cost."""
    return _words(battle, _here(battle, unit))


def moving(battle: Battle, unit: Unit, way: Way, cost: int) -> str:
    """What the way, for so much Courage, and the Combat at its end will cost."""
    return _words(battle, _there(battle, unit, way, cost))


def risk(battle: Battle, unit: Unit, way: Way | None = None, cost: int = 0) -> float:
    """The chance that the Unit does not survive this turn where it stands, or by a way."""
    return (_there(battle, unit, way, cost) if way else _here(battle, unit)).doom()


def doomed(battle: Battle, unit: Unit, loss: int) -> bool:
    """Whether nobody is left where the guns have fired and so many fall, Special Damage besides."""
    hurt = _hurt(battle, unit, unit.sector)
    sixes = battle.state.guns.get(unit.sector, []).count(6)
    return loss + hurt[min(sixes, len(hurt) - 1)] >= lasts(*_means(battle, unit))


def _here(battle: Battle, unit: Unit) -> Stake:
    loss = battle.defence(unit, unit.sector, battle.combats_for_def(unit))
    return _stake(battle, unit, unit.sector, loss)


def _there(battle: Battle, unit: Unit, way: Way, cost: int) -> Stake:
    """What it risks if those are given up on arrival who are missed least."""
    stakes = [_arrived(battle, unit, way, cost, names) for names in _kept(battle, unit, way)]
    return min(stakes, key=_bad) if len(stakes) > 1 else stakes[0]


def _bad(stake: Stake) -> tuple[float, int, int]:
    return stake.doom(), stake.loss - stake.saved, -stake.others - stake.whole


def _kept(battle: Battle, unit: Unit, way: Way) -> list[list[str]]:
    """The Specialists who may be left, whoever is given up."""
    there = battle.place(way.to)
    wanted = there.sacrifice if arriving.sacrifices(battle, unit, way.to, along=way.drivable(there)) else ()
    return losses.left_after(battle, unit.specialists, wanted)


def _arrived(battle: Battle, unit: Unit, way: Way, cost: int, names: list[str]) -> Stake:
    there = battle.place(way.to)
    along = way.drivable(there)
    paid = msgspec.structs.replace(unit, courage=unit.courage - cost)
    pays = battle.abilities(paid, PayLosses)
    left = msgspec.structs.replace(paid, specialists=names)
    joined = [there.joins] if arriving.will_join(battle, unit, way.to) else []
    soldiers = unit.soldiers + arriving.gained(battle, unit, way)
    arrived = msgspec.structs.replace(left, specialists=names + joined, soldiers=soldiers)
    return msgspec.structs.replace(
        _stake(battle, arrived, way.to, battle.defence(arrived, way.to, 0, along=along), along=along),
        mines=way.mines and not (unit.turn.ignore_mines or battle.abilities(unit, IgnoreMines)),
        before=lasts(*_means(battle, paid)),
        spare=_means(battle, left)[0],
        paying=_purse(paid) if pays and not battle.abilities(left, PayLosses) else 0,
        kept=any(battle.counts(name) > 1 for name in arriving.asked_for(battle, unit, there)),
        saved_before=battle.saves(unit, along=False),
        joining=PIPS if there.gain_on_entry else (0,),
    )


def _stake(battle: Battle, unit: Unit, sector: str, loss: int, *, along: bool = True) -> Stake:
    """A Combat of the Unit, as it will be there; one die may replace all else (DDD-R65)."""
    alone = battle.shelling_alone(sector)
    others, whole = _means(battle, unit)
    return Stake(
        sector=sector,
        loss=0 if alone else loss,
        guns=0 if alone or unit.turn.ignore_guns else battle.guns(sector),
        more=battle.shelled(unit, sector),
        alone=alone,
        others=others,
        whole=whole,
        saved=battle.saves(unit, sector, along=along),
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


def _hurt(battle: Battle, unit: Unit, sector: str, *, along: bool = True) -> list[int]:
    """What no 6, one and more of them cost the Unit by Special Damage (DDD-151 to DDD-154)."""
    damage = battle.place(sector).damage
    each: list[int] = []
    if unit.turn.ignore_guns or battle.abilities(unit, IgnoreDamage, sector, along=along):
        damage = None
    if damage is Damage.SPECIALIST:
        each = sorted(_worth(battle, unit, name) for name in unit.specialists)
    elif damage is Damage.COURAGE and battle.abilities(unit, PayLosses):
        each = [1] * unit.courage
    return [0, *accumulate(each)]


def _words(battle: Battle, stake: Stake) -> str:
    text = f"DEF {stake.loss}" + (f" + {stake.guns}d6 guns" if stake.guns else "")
    if stake.alone:
        text = "1d6 alone"
    elif stake.more:
        text += " + 1d6 more"
    text += " + 1d6 mines" if stake.mines else ""
    dice = stake.guns + stake.mines + stake.more
    loss = stake.loss - stake.saved - (stake.saved_before if stake.mines else 0)
    text += f": {max(0.0, loss + 3.5 * dice):g} on average, {max(0, loss + 6 * dice)} at worst"
    if doom := stake.doom():
        text += f"; wiped out {doom:.0%}"
    printed = battle.printed(stake.sector)
    return f"{text}. {printed}" if printed else text
