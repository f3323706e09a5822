"""What dice are worth to the cautious policy, before and after they are rolled; in Soldiers.

An estimate for playing by itself and for hints, not a rule: each die has a value, each triple a bonus
by the chance to complete it with the rolls that are left.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

import msgspec

from companion.games.dday_dice.dice import COLOURS, FACES, Die, Face

ROLLED = {0: 0.0, 1: 0.95, 2: 1.25}
"""What a die that is rolled again brings on average, by the rolls that are left."""

_HIT = [[1 - (5 / 6) ** (dice * rolls) for rolls in range(3)] for dice in range(4)]


class Prices(msgspec.Struct, frozen=True):
    """What a result and a triple of it are worth now; `harmless` Skulls cancel nothing."""

    of: dict[Face, float]
    triple: dict[Face, float]
    harmless: int = 0


def value(dice: Sequence[Die], kept: Collection[int], rolls: int, prices: Prices) -> float:
    """What to expect if the dice at the places `kept` stay and the others are rolled so often."""
    free = [0, 0, 0]
    shown: dict[Face, int] = {}
    total = 0.0
    skulls = 0
    cheapest = 9.0
    stay = set(kept)
    for place, die in enumerate(dice):
        colour = COLOURS.index(die.colour)
        if place not in stay:
            free[colour] += 1
            total += ROLLED[rolls]
            continue
        shown[die.face] = shown.get(die.face, 0) | 1 << colour
        total += prices.of[die.face]
        if die.face is Face.SKULL:
            skulls += 1
        else:
            cheapest = min(cheapest, prices.of[die.face])
    total += sum(_chance(shown.get(face, 0), free, rolls) * prices.triple[face] for face in FACES)
    if shown.get(Face.SKULL, 0) == 7:
        skulls -= 3
    cost = cheapest if sum(free) == 0 else min(cheapest, 1.0)
    return total - max(0, skulls - prices.harmless) * cost


def _chance(colours: int, free: Sequence[int], rolls: int) -> float:
    """The chance that a face shows in all three colours; `colours` are those it shows in (bits)."""
    chance = 1.0
    for colour in range(3):
        if not colours >> colour & 1:
            chance *= _HIT[free[colour]][rolls]
            if not chance:
                return 0.0
    return chance


def best_keep(
    dice: Sequence[Die], held: Sequence[int], rolls: int, prices: Prices, *, least: int = 0
) -> list[int]:
    """Which dice to keep: `held` ones must stay, `least` in all at least."""
    others = [place for place in range(len(dice)) if place not in held]
    fewest = max(0, least - len(held))
    best: list[int] = []
    most = -99.0
    for count in range(fewest, len(others) + 1):
        for more in combinations(others, count):
            kept = [*held, *more]
            if (there := value(dice, kept, rolls, prices)) > most:
                best, most = kept, there
    return sorted(best)


def to_lock(dice: Sequence[Die], count: int, prices: Prices) -> list[int]:
    """The dice that are surest to be kept anyway."""
    kept = best_keep(dice, (), 2, prices, least=count)
    full = value(dice, kept, 2, prices)
    missed = {place: full - value(dice, [one for one in kept if one != place], 2, prices) for place in kept}
    return sorted(kept, key=lambda place: -missed[place])[:count]
