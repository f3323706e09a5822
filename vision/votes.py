"""Many readings of one throw, and one throw after another: what they agree on, and which dice moved."""

from __future__ import annotations

import math
from collections import Counter
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from vision.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vision.reading import Die

SAME_PLACE = 0.35
"""Of a die's side: two boxes whose centres are nearer than this are of a die that has not moved."""

PUSHED = 0.75
"""Of a die's side: so far a die is pushed by a hand or another die, the same face up."""

SHOVED = 2.5
"""Of a die's side: so far a die is shoved at most, by a hand that takes another one out or with its tray."""


class Moves(NamedTuple):
    """What became of the dice between two readings.

    `stayed` pairs each die that lies where it lay or was pushed a little, same face up, with itself before;
    `came` are the others of the later reading, `went` those of the earlier one.
    """

    stayed: tuple[tuple[Die, Die], ...]
    came: tuple[Die, ...]
    went: tuple[Die, ...]


def vote(readings: Sequence[Reading]) -> Reading:
    """What several readings of the same resting tray agree on; the newest one says where a die lies.

    A die is sure when all readings show it, most are sure of it and none reads it differently; the whole is
    sure when most readings are and each die is. Raises ValueError for no reading.
    """
    if not readings:
        raise ValueError("there is no reading to vote on")
    found: list[Die] = []
    for reading in reversed(readings):
        found += [die for die in reading.dice if _at(found, die) is None]
    voted = (_voted(die, [_at(reading.dice, die) for reading in readings]) for die in found)
    dice = tuple(sorted(voted, key=lambda die: (die.bbox.y, die.bbox.x)))
    sure = _most(reading.sure for reading in readings) and all(die.sure for die in dice if not die.foreign)
    return Reading(dice=dice, sure=sure, ms=sum(reading.ms for reading in readings))


def moves(before: Sequence[Die], after: Sequence[Die]) -> Moves:
    """Which dice stayed where they were, nearest pairs first, and which did not."""
    pairs = sorted(
        ((distance(old, new), i, j) for i, old in enumerate(before) for j, new in enumerate(after)),
    )
    stayed: dict[int, int] = {}
    for apart, i, j in pairs:
        is_free = i not in stayed and j not in stayed.values()
        if is_free and _is_same(before[i], after[j], apart):
            stayed[i] = j
    return Moves(
        tuple((before[i], after[j]) for i, j in stayed.items()),
        tuple(die for j, die in enumerate(after) if j not in stayed.values()),
        tuple(die for i, die in enumerate(before) if i not in stayed),
    )


def moved_alike(changes: Moves) -> tuple[float, float] | None:
    """How far, if the dice that came, two at least, are some that went, all moved alike.

    The tray or the camera was moved then: no two dice are thrown so.
    """
    if len(changes.came) < 2:
        return None
    first = changes.came[0]
    for old in changes.went:
        by = (first.bbox.x - old.bbox.x, first.bbox.y - old.bbox.y)
        moved = shifted(changes.went, by)
        if _looks(old) == _looks(first) and all(_is_among(moved, new) for new in changes.came):
            return by
    return None


def shifted(dice: Iterable[Die], by: tuple[float, float]) -> tuple[Die, ...]:
    """Dice as they lie once the tray or the camera was moved so far (across and down, in pixels)."""
    x, y = by
    return tuple(
        msgspec.structs.replace(die, bbox=die.bbox._replace(x=die.bbox.x + x, y=die.bbox.y + y))
        for die in dice
    )


def _is_among(dice: Iterable[Die], die: Die) -> bool:
    """Whether a die shows what one of these does, and lies where that lies or was pushed to."""
    return any(_looks(one) == _looks(die) and distance(one, die) < PUSHED for one in dice)


def may_have_lain(changes: Moves, missing: Sequence[Die] = (), named: Sequence[Die] = ()) -> bool:
    """Whether all dice that came may be some that went: shoved, read otherwise where they lie, or `missing`.

    Of those that were shoved, as with their tray, the fewer part may have been turned over.
    Those are dice that lay there and without which the tray was not seen since: they show the same wherever
    they lie now. What was or is in doubt may be any of them, beside others that show what they did, or what a
    person `named` them by.
    """
    elsewhere = [new for new in changes.came if not any(_is_in_place(old, new) for old in changes.went)]
    turned = [new for new in elsewhere if not any(is_shoved(old, new) for old in changes.went)]
    are_near = all(any(distance(old, new) < SHOVED for old in changes.went) for new in turned)
    if are_near and len(turned) < max(1, len(elsewhere) / 2):
        return True
    certain = [old for old in missing if old.sure or old.foreign]
    read = [new for new in elsewhere if new.sure]
    others, alike = looks(read) - looks(certain), looks(read) & looks((*missing, *named))
    enough = others.total() <= len(missing) - len(certain) and len(elsewhere) <= len(missing)
    return enough and (len(elsewhere) < len(changes.came) or alike.total() > 0)


def _is_in_place(old: Die, new: Die) -> bool:
    return distance(old, new) < (SAME_PLACE if old.sure and new.sure else PUSHED)


def is_shoved(old: Die, new: Die) -> bool:
    """Whether a die may be this one, shoved from where it lay."""
    return distance(old, new) < SHOVED and may_show(old, new)


def is_back(old: Die, new: Die) -> bool:
    """Whether a die may be this one, put back where it was taken from."""
    return distance(old, new) < PUSHED and may_show(old, new)


def may_show(old: Die, new: Die) -> bool:
    """Whether a die that was only moved may show this: the same as before, or anything if it was in doubt."""
    return _looks(old) == _looks(new) or not (old.sure or old.foreign)


def may_be_there(old: Die, came: Sequence[Die]) -> bool:
    """Whether one of the dice that came may be one that lay elsewhere: what was or is in doubt may be any."""
    return any(not (old.sure and new.sure) or _looks(old) == _looks(new) for new in came if not new.foreign)


def looks(dice: Iterable[Die]) -> Counter[tuple[str | None, str | None, str | None]]:
    """What dice show, wherever they lie."""
    return Counter(map(_looks, dice))


def _voted(die: Die, ballots: Sequence[Die | None]) -> Die:
    seen = [ballot for ballot in ballots if ballot is not None]
    (winner, _), *others = Counter(map(_looks, seen)).most_common()
    elected = [one for one in seen if _looks(one) == winner]
    confidence = fmean(one.confidence for one in elected) * len(elected) / len(ballots)
    sure = not others and len(seen) == len(ballots) and _most(one.sure for one in seen)
    return msgspec.structs.replace(elected[-1], bbox=die.bbox, confidence=confidence, sure=sure)


def _at(dice: Sequence[Die], die: Die) -> Die | None:
    """The die of another reading that lies in the same place."""
    nearest = min(dice, key=lambda other: distance(die, other), default=None)
    return nearest if nearest is not None and distance(die, nearest) < SAME_PLACE else None


def distance(one: Die, other: Die) -> float:
    """Between two dice's middles, in sides of the larger one."""
    a, b = one.bbox, other.bbox
    across = math.dist(a.middle, b.middle)
    return across / max(a.w, a.h, b.w, b.h, 1.0)


def _is_same(old: Die, new: Die, apart: float) -> bool:
    """Whether these are one die; what is read without being sure may be read otherwise the next time."""
    if not (old.sure and new.sure) and apart < SAME_PLACE:
        return True
    return apart < PUSHED and _looks(old) == _looks(new)


def _looks(die: Die) -> tuple[str | None, str | None, str | None]:
    return die.die, die.colour, die.face


def _most(votes: Iterable[bool]) -> bool:
    ballots = list(votes)
    return 2 * sum(ballots) > len(ballots)
