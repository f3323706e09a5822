"""Dice that a roll had too many, or lacked: in the next one they may be thrown, or only put back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.matching import Group, Throw
    from vision import Die


class OddDice:
    """How many dice the last roll had too many, or lacked, by what a person calls them.

    `outside` are those of them that did not lie there as this one began.
    """

    def __init__(self) -> None:
        self.outside: Counter[str] = Counter()
        self._wanted: Sequence[Group] = ()
        self._odd: Counter[str] = Counter()
        self._due: Counter[str] = Counter()  # all dice of that roll's kinds, with those that it lacked
        self._is_counted = False
        self._beside: Counter[str] | None = None  # what lay there as something came that is not read

    def begin(self, wanted: Sequence[Group], dice: Sequence[Die]) -> None:
        """Another roll is asked for: count the odd dice that do not lie among these.

        Where others were taken out with them, these may be thrown next.
        """
        if self._beside is not None:
            self._odd = Counter({group.name: group.dice.count for group in self._wanted})
            self._due = self._beside + self._odd
        self._wanted, self._is_counted, self._beside = wanted, False, None
        out, self._due = self._due - lying(wanted, dice), Counter()
        self.outside = Counter({name: count for name, count in out.items() if count <= self._odd[name]})

    def take_out(self, dice: Sequence[Die]) -> None:
        """Dice were taken out since: those, not the odd ones of their look, may be thrown next."""
        for group in self._wanted:
            if any(map(group.holds, dice)):
                del self.outside[group.name]

    def find_none(self, dice: Sequence[Die]) -> None:
        """Something came beside these that is not read: the roll lacks all, unless some are found later."""
        if not self._is_counted:
            self._beside = lying(self._wanted, dice)

    def count(self, throw: Throw, wanted: Sequence[Group], dice: Sequence[Die]) -> None:
        """Count the dice that a roll has too many, or lacks, beside those that lie there."""
        self._is_counted, self._beside = True, None
        there = lying(wanted, dice)
        lacked = Counter(place.group.name for place in throw.places if place.seen is None)
        odd = Counter({place.group.name: len(place.others) for place in throw.places}) + lacked
        if odd:
            self._odd, self._due = odd, there + lacked
        elif not self._due - there:
            self._due = Counter()  # all have come


def lying(wanted: Sequence[Group], dice: Sequence[Die]) -> Counter[str]:
    """How many dice of each kind and colour of a roll lie there."""
    return Counter({group.name: sum(map(group.holds, dice)) for group in wanted})
