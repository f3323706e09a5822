"""Whether dice are fair: Pearson's chi-square, and how many rolls it takes to say anything.

Exact finite sums for whole degrees of freedom (Abramowitz & Stegun 26.4.4 and 26.4.5); the power comes
from the noncentral distribution as a Poisson mixture (26.4.25).

>>> round(tail(11.07, 5), 3)
0.05
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import msgspec

from companion.wording import counted, percent

LEVEL = 0.05
EARLY = 0.001
"""The level with too few rolls to notice a face that is `LOADED`: only what is plain is said of them."""
POWER = 0.8
LOADED = 1.25
"""A face that comes up this many times too often is what a player would want to know of."""
LEAST_EACH = 5
"""Below this many expected a face, chi-square says nothing (Cochran 1954)."""


class Fairness(msgspec.Struct, frozen=True):
    """What the counts of a die say; `p` is how often fair dice would look at least as uneven.

    With fewer rolls than `least` chi-square says nothing, with fewer than `needed` not that dice are fair.
    """

    rolls: int
    chi_square: float
    p: float
    least: int
    needed: int

    @property
    def figures(self) -> str:
        """The test in figures, for those who want them."""
        p = f"p {self.p:.3f}" if self.p >= 0.0005 else "p < 0.001"
        return f"(chi-square {self.chi_square:.2f}, {p}, {counted(self.rolls, 'roll')})"

    def __str__(self) -> str:
        level = LEVEL if self.rolls >= self.needed else EARLY
        if self.p < level and self.rolls >= self.least:
            share = f"only {self.p:.2%}" if self.p >= 0.0001 else "fewer than 0.01%"
            return (
                f"Uneven: fair dice would look like this in {share} of such series. One in "
                f"{round(1 / level)} fair dice is called so by luck alone, so roll on before blaming them."
            )
        if self.rolls < self.needed:
            return (
                f"{counted(self.rolls, 'roll')} can't tell: about {self.needed} are needed to notice a face "
                f"that comes {LOADED - 1:.0%} too often. Nothing is known against these dice."
            )
        return (
            f"Nothing speaks against these dice: fair ones would look at least this uneven in "
            f"{percent(self.p)} of such series."
        )


def fairness(counts: Mapping[str, int], faces: Sequence[str]) -> Fairness:
    """Judge a die by how often its faces came up; `faces` names what is on each of its sides."""
    on_die = Counter(faces)
    rolls = sum(counts.values())
    chi_square = 0.0
    for face, times in on_die.items():
        expected = rolls * times / len(faces)
        chi_square += (counts.get(face, 0) - expected) ** 2 / expected if rolls else 0.0
    rarest = min(on_die.values()) / len(faces)
    p, needed = tail(chi_square, len(on_die) - 1), rolls_needed(len(on_die), rarest)
    return Fairness(rolls, chi_square, p, rolls_least(rarest), needed)


def rolls_least(rarest: float) -> int:
    """Rolls before which chi-square says nothing of dice whose rarest face has that fair share."""
    return math.ceil(LEAST_EACH / rarest)


@cache
def rolls_needed(kinds: int, rarest: float) -> int:
    """Rolls until the rarest of `kinds` faces, coming `LOADED` times too often, is noticed (power 0.8).

    `rarest` is that face's fair share. Cohen's effect size is w^2 = sum of (p1 - p0)^2 / p0.
    """
    if kinds < 2:
        return 0
    effect = (LOADED - 1) ** 2 * rarest / (1 - rarest)
    return max(rolls_least(rarest), math.ceil(noncentrality(kinds - 1) / effect))


@cache
def noncentrality(freedom: int) -> float:
    """The noncentrality at which a test of `freedom` degrees reaches `POWER`."""
    limit = _root(lambda x: LEVEL - tail(x, freedom), 0, 1000)
    tails = [tail(limit, freedom + 2 * j) for j in range(200)]

    def reached(centre: float) -> float:
        logs = (j * math.log(centre / 2) - centre / 2 - math.lgamma(j + 1) for j in range(200))
        return sum(math.exp(log) * one for log, one in zip(logs, tails, strict=True)) - POWER

    return _root(reached, 1e-6, 200)


def tail(x: float, freedom: int) -> float:
    """The chance that chi-square with `freedom` degrees is at least `x`."""
    if x <= 0:
        return 1.0
    half = x / 2
    if freedom % 2 == 0:
        logs = (i * math.log(half) - math.lgamma(i + 1) for i in range(freedom // 2))
        return sum(math.exp(log - half) for log in logs)
    logs = ((i - 0.5) * math.log(half) - math.lgamma(i + 0.5) for i in range(1, freedom // 2 + 1))
    return math.erfc(math.sqrt(half)) + sum(math.exp(log - half) for log in logs)


def _root(rises: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function crosses zero, by bisection."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < 0 else (low, middle)
    return high
