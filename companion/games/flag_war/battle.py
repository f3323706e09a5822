"""Capturing enemy soldiers: who is simply taken, and what the dice of a battle say (FLG-056 to FLG-070).

>>> odds(Side(3, 0), Side(0, 1)).win
0.3333333333333333
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from companion.games.flag_war.pack import Piece
from companion.wording import counted

EASY = "PC"
"""Whoever is alone and of these kinds is taken without dice (FLG-058, FLG-059)."""


class Odds(NamedTuple):
    """How a battle ends for the attacker: three chances that add up to 1."""

    win: float
    tie: float
    loss: float


class Side(NamedTuple):
    """The strength of one side in a battle: the sum of fixed values, and the dice that it rolls."""

    fixed: int
    dice: int

    def words(self) -> str:
        """Such as `3 + 1 die`."""
        fixed = str(self.fixed) if self.fixed else ""
        dice = counted(self.dice, "die", "dice") if self.dice else ""
        return " + ".join(filter(None, (fixed, dice))) or "0"


def needs_dice(defenders: str) -> bool:
    """Has this man or blockade to be fought with dice? Given the kinds, `PM` (FLG-060, FLG-R40)."""
    return len(defenders) > 1 or defenders not in EASY


def strength(kinds: str, pieces: dict[str, Piece]) -> Side:
    """What soldiers of these kinds fight with together (FLG-061 to FLG-066)."""
    return Side(sum(pieces[kind].fixed for kind in kinds), sum(pieces[kind].dice for kind in kinds))


@lru_cache
def odds(attacker: Side, defender: Side) -> Odds:
    """The chances of the attacking side (FLG-067, FLG-R35)."""
    ours, theirs = _sums(attacker), _sums(defender)
    win = sum(ours[one] * theirs[other] for one in ours for other in theirs if one > other)
    tie = sum(ours[one] * theirs[one] for one in ours)
    whole = ours.total() * theirs.total()
    return Odds(win / whole, tie / whole, (whole - win - tie) / whole)


def _sums(side: Side) -> Counter[int]:
    """How many throws give each value."""
    sums = Counter({side.fixed: 1})
    for _ in range(side.dice):
        more: Counter[int] = Counter()
        for value, times in sums.items():
            for face in range(1, 7):
                more[value + face] += times
        sums = more
    return sums
