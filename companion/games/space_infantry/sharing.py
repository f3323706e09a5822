"""How wounds are shared out: on enemies by the half rule, three units at most on one, piercing ones (5.3).

>>> [shares.most for shares in spreads(6, 4)]
[3, 2]
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

UNITS_ON_ONE = 3
"""So many units at most fight one enemy at the higher levels (SPI-191)."""


class Spread(NamedTuple):
    """A legal way to give wounds: `most` to one enemy, `base` to each other, one more to `odd` of those."""

    most: int
    base: int
    odd: int


def spreads(wounds: int, enemies: int) -> Iterator[Spread]:
    """All legal ways to give so many wounds to so many enemies, the most on one first.

    Nobody takes more than half rounded down, or than an equal share rounded up where that is more; the
    others' shares differ by at most one (SPI-117, SPI-118, SPI-R34). An equal share at least for the first
    leaves no other a larger one.
    """
    if enemies == 1:
        yield Spread(wounds, 0, 0)
        return
    even = -(-wounds // enemies)
    for most in range(max(wounds // 2, even), even - 1, -1):
        yield Spread(most, *divmod(wounds - most, enemies - 1))


def shares(spread: Spread, enemies: int, chosen: int, odd: Sequence[int]) -> list[int]:
    """The wounds of each enemy: the chosen one's, and who of the others gets the odd ones."""
    return [spread.most if at == chosen else spread.base + (at in odd) for at in range(enemies)]


def at_most_three(wanted: list[int], by_unit: Sequence[int], free: int = 0) -> list[int]:
    """What of the wanted shares can be given if at most three units fight one enemy (SPI-191, SPI-R69).

    The larger shares come first; only what no way of sharing out the units' hits delivers is lost.
    `free` wounds are no unit's and go to anybody.
    """
    order = sorted(range(len(wanted)), key=lambda one: -wanted[one])
    large = _large(wanted)
    parts = list(_deliver(large, tuple(sorted((many, 0) for many in by_unit if many)))[0])
    left = sum(by_unit) - sum(parts)
    for at in order[len(large) :]:  # whatever hits are left, three units can give as much as that
        parts.append(min(wanted[at], left))
        left -= parts[-1]
    given = dict(zip(order, parts, strict=True))
    for at in order:
        more = min(free, wanted[at] - given[at])
        given[at] += more
        free -= more
    return [given[at] for at in range(len(wanted))]


def piercing_lost(wanted: Sequence[int], units: Sequence[tuple[int, int]]) -> int:
    """How many piercing hits are among those that are lost by `at_most_three`, plain ones first (SPI-R36).

    `units` are the hits of each, and how many of those are piercing.
    """
    large = _large(wanted)
    parts, piercing = _deliver(large, tuple(sorted(unit for unit in units if unit[0])))
    left = sum(many for many, _ in units) - sum(parts)
    lost = left - sum(wanted) + sum(large)
    return max(lost - (left - piercing), 0)


def _large(wanted: Sequence[int]) -> tuple[int, ...]:
    """The shares that three hits are too few for, the largest first."""
    return tuple(sorted((share for share in wanted if share > UNITS_ON_ONE), reverse=True))


@lru_cache(maxsize=4096)
def _deliver(wanted: tuple[int, ...], hits: tuple[tuple[int, int], ...]) -> tuple[tuple[int, ...], int]:
    """The most that units can give to the shares `wanted`, the first ones before the others.

    `hits` are those of each unit, and how many of them are piercing; how many piercing ones are left at
    the least comes with the shares. Of who gives to a share all give all they have, but for what is too
    much: that one of them keeps, plain hits first.
    """
    best = (0,) * len(wanted), sum(piercing for _, piercing in hits)
    for many in range(1, UNITS_ON_ONE + 1) if wanted else ():
        for group in set(combinations(hits, many)):
            there = sum(one for one, _ in group)
            over = max(there - wanted[0], 0)
            if over >= group[-1][0]:
                continue
            for keeper in {unit for unit in group if unit[0] > over} if over else group[:1]:
                left = list(hits)
                for one in group:
                    left.remove(one)
                if over:
                    plain = keeper[0] - keeper[1]
                    insort(left, (over, max(over - plain, 0)))
                parts, piercing = _deliver(wanted[1:], tuple(left))
                way = (there - over, *parts), piercing
                best = max(best, way, key=lambda way: (sum(way[0]), way[0], -way[1]))
            if best == (wanted, 0):
                return best
    return best


class Struck(NamedTuple):
    """Who takes `many` wounds with so many armor icons; those beyond the `left` ones are lost."""

    many: int
    icons: int
    left: int

    def harm(self, piercing: int) -> tuple[float, float]:
        """With so many of them piercing: how many wounds count and how likely it is out, on average.

        Armor stops a wound on half of all numbers, which is right for a die.
        """
        chances = min(self.many - piercing, self.icons)
        count = out = 0.0
        for saved in range(chances + 1):
            likely = comb(chances, saved) / 2**chances
            count += likely * min(self.many - saved, self.left)
            out += likely * (self.many - saved >= self.left)
        return count, out


def pierced(struck: Sequence[Struck], piercing: int, *, saving: bool) -> list[int]:
    """How many of everybody's wounds are piercing, for the most wounds to count, or if `saving` the fewest.

    Of ways that are as good the one that puts most out, or fewest; then the one that pierces the first ones
    most (SPI-126, SPI-R35).
    """
    sign = 1 if saving else -1
    ways: dict[int, tuple[float, float, tuple[int, ...]]] = {0: (0.0, 0.0, ())}
    for one in struck:
        harms = [one.harm(through) for through in range(min(one.many, piercing) + 1)]
        longer: dict[int, tuple[float, float, tuple[int, ...]]] = {}
        for used, (count, out, parts) in ways.items():
            for through, (more, gone) in enumerate(harms[: piercing - used + 1]):
                way = (count + sign * more, out + sign * gone, (*parts, -through))
                longer[used + through] = min(way, longer.get(used + through, way))
        ways = longer
    return [-part for part in ways[max(ways)][2]]
