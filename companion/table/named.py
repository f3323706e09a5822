"""What a person named of the dice in the tray otherwise than they were read, wherever they are pushed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

import msgspec

from companion.table.matching import GAME_FACES, lies_at_any
from vision.votes import distance

if TYPE_CHECKING:
    from typing import TypeAlias

    from companion.engine.records import RolledDie
    from companion.table.matching import Throw
    from vision import DiceSet, Die

    Ways: TypeAlias = Sequence[tuple[Die, Die]]
    """Where each of some dice lay and was pushed to."""

MOST_WAYS = 300
"""Looks at the tray whose ways are kept: far more than there are from a throw to its last answer."""


class Named:
    """Dice that a person named otherwise than they were read in earlier rolls, and that may lie there yet.

    An answer may come later than the tray has moved, or be given anew after an undo: the ways of the dice are
    kept, look after look. `misread` are dice that were named so before this began to watch.
    """

    def __init__(self, misread: Sequence[RolledDie] = ()) -> None:
        self.dice: tuple[Die, ...] = ()
        self._misread = misread
        self._ways: dict[int, Ways] = {}
        self._known = 0  # how many ways there were
        # What was named of the last roll, or of one taken back, and how many ways were known then.
        self._answered: tuple[int, tuple[Die, ...]] = 0, ()

    def begin(self) -> None:
        """Another roll is asked for: what was named of the last one is of an earlier one now."""
        self.dice = (*self._answers(self._known), *self.dice)
        self._answered = self._known, ()

    def leave_only(self, may_lie_there: Callable[[Die], bool]) -> None:
        """Forget those that can't lie there any more."""
        self.dice = tuple(filter(may_lie_there, self.dice))

    def follow(self, ways: Ways, *, is_carried: bool) -> None:
        """Note where dice were pushed; unless all were moved as one, these are carried along."""
        self._ways[self._known] = ways
        self._known += 1
        self._ways.pop(self._known - MOST_WAYS - 1, None)
        if is_carried:
            self.dice = carried(self.dice, ways)

    def lose_sight(self, reading: Sequence[Die]) -> None:
        """All lie elsewhere in the picture: which of them was named is not known any more."""
        ways = product(self.dice, reading)
        self.dice = tuple(msgspec.structs.replace(old, bbox=die.bbox) for old, die in ways)

    def find_before(self, reading: Sequence[Die], dice_sets: Sequence[DiceSet]) -> None:
        """Find those that were named before this began to watch, in the first tray at rest."""
        self.dice += tuple(named_before(self._misread, reading, dice_sets))
        self._misread = ()

    def by_answers_to(self, throw: Throw) -> Callable[[Sequence[str]], None]:
        """What remembers the answers to a throw that is posted now."""
        return partial(self._answer, throw, self._known)

    def _answer(self, throw: Throw, posted: int, answer: Sequence[str]) -> None:
        """Remember what a person says of dice that were read otherwise, or could not be read.

        It may be said anew of an earlier roll after an undo: what was said of a later one's dice counts too.
        So many of the ways were known when the throw was `posted`.
        """
        known = self._known
        lay = (die for place in throw.places for die in (place.seen, *place.others) if die is not None)
        dice, named = tuple(lay), tuple(named_otherwise(throw, answer))
        for ways in self._between(posted, known):
            dice, named = carried(dice, ways), carried(named, ways)
        self._answered = known, (*named, *(old for old in self._answers(known) if not lies_at_any(old, dice)))

    def _answers(self, known: int) -> tuple[Die, ...]:
        """What a person named, as it lay when so many of the ways were known."""
        since, dice = self._answered
        for ways in self._between(since, known):
            dice = carried(dice, ways)
        return dice

    def _between(self, since: int, known: int) -> list[Ways]:
        """The ways that came to be known between; another thread may look at the tray meanwhile."""
        numbers = range(max(since, known - MOST_WAYS), known)
        return [ways for at in numbers if (ways := self._ways.get(at)) is not None]


def named_otherwise(throw: Throw, answer: Sequence[str]) -> Iterator[Die]:
    """Dice as a person named them that were read otherwise.

    Where several of a group were, or more lay there than were asked for, each of them may be the one that was
    called so: faces are typed in any order.
    """
    said = [(place, place.group.face_in_set(face)) for place, face in zip(throw.places, answer, strict=True)]
    for place, called in said:
        own = [(one.seen, face) for one, face in said if one.group is place.group]
        if place.others:
            dice = [die for die in (*(seen for seen, _ in own), *place.others) if die is not None]
            faces = Counter(face for _, face in own) - Counter(die.face for die in dice)
        else:
            dice = [place.seen] if place.seen is not None and place.seen.face != called else []
            faces = Counter(face for seen, face in own if seen is None or seen.face != face)
        for face in faces:
            if face is not None:
                yield from (msgspec.structs.replace(die, face=face) for die in dice if die.face != face)


def named_before(
    misread: Sequence[RolledDie], dice: Sequence[Die], dice_sets: Sequence[DiceSet]
) -> Iterator[Die]:
    """Dice that show what some were `misread` as, of which each may be such a one, as these were named."""
    kinds = {(one.name, kind.name): kind for one in dice_sets for kind in one.kinds}
    for die, old in product(dice, misread):
        kind = kinds.get((old.die.partition(".")[0], die.die or ""))
        names = {GAME_FACES.get(own, own): own for own in kind.faces} if kind is not None else {}
        if die.face is not None and names.get(old.read or "") == die.face and old.face in names:
            yield msgspec.structs.replace(die, face=names[old.face])


def in_doubt(dice: Sequence[Die], named: Sequence[Die]) -> tuple[Die, ...]:
    """Dice as they are known: what lies where a person named one otherwise than it was read is in doubt."""
    return tuple(msgspec.structs.replace(die, sure=die.sure and not lies_at_any(die, named)) for die in dice)


def carried(dice: Sequence[Die], ways: Sequence[tuple[Die, Die]]) -> tuple[Die, ...]:
    """Dice where they lie now; each of the `ways` tells where a die lay and was pushed to."""
    nearest = (min(ways, key=lambda way: distance(die, way[0]), default=(die, die)) for die in dice)
    return tuple(
        msgspec.structs.replace(die, bbox=new.bbox) if lies_at_any(die, [old]) else die
        for die, (old, new) in zip(dice, nearest, strict=True)
    )
