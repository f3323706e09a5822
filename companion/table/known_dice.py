"""What is known of the dice in the tray: which lay there before a roll, and what became of those."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from companion.table.matching import Earlier, Group, Throw, asked_for, lies_at_any
from companion.table.named import Named, in_doubt
from companion.table.odd_dice import OddDice
from vision.cameras.live import brightness
from vision.settle import DARKEST, are_bare, are_uncovered
from vision.votes import Moves, is_back, looks, may_be_there, moved_alike, moves, shifted

if TYPE_CHECKING:
    from companion.engine.records import RolledDie
    from vision import DiceSet, Die, Reading
    from vision.frames import Frame as Image

RELIT = 1.6
"""How many times as bright a picture is in which dice may have come to light, not into the tray."""

MOST_SPENT = 6
"""Dice that are taken for thrown again since they were taken out, and may be outside yet."""


class News(msgspec.Struct, frozen=True):
    """What a tray at rest shows that it did not when it was seen last, and what is known of earlier dice.

    `reread` are dice that lie where they lay, and are read otherwise. `missing` are those that lay there
    before the roll, lie there no more, and may have been moved.
    """

    changes: Moves
    reread: tuple[Die, ...]
    missing: tuple[Die, ...]
    earlier: Earlier


class KnownDice:
    """Dice that lie in the tray, and those of earlier rolls that may be among what comes next.

    `now` are those that were read last as they lie, None where the tray was not seen at rest; `before` lay
    there before the roll, and each of them in the picture `sight`. `misread` are as for a TrayWatch.
    """

    def __init__(self, misread: Sequence[RolledDie] = ()) -> None:
        self.now: tuple[Die, ...] | None = None
        self.before: tuple[Die, ...] = ()
        self.sight: Image | None = None
        self.named = Named(misread)
        self._odd = OddDice()
        self._wanted: Sequence[Group] = ()
        self._last: tuple[Die, ...] = ()  # what lay there at the end of the last roll
        self._gone: tuple[Die, ...] = ()  # dice that lay there before and were seen taken out
        self._out: tuple[Die, ...] = ()  # those that were, or may have been, in earlier rolls; newest first
        self._spent: tuple[Die, ...] = ()  # others of those rolls, taken for thrown again; newest first
        self._aside: tuple[Die, ...] = ()  # dice of before that may be some of those that came
        self._asked_about: tuple[Die, ...] = ()  # dice, as they were posted last, that may be old ones
        self._below: tuple[Die, ...] = ()  # dice of earlier rolls that may lie there unread, or below others
        self._lit: tuple[Die, ...] = ()  # dice that another light, or a hand that left, may have shown
        self._is_covered = False  # by a hand, what lay there before the roll
        self._first: Image | None = None  # the tray before anything came: a hand may lie there unknown

    def begin(self, wanted: Sequence[Group], now: tuple[Die, ...] | None, scene: Image | None) -> None:
        """Another roll is asked for: what lies there `now`, None where nobody knows, is not of it."""
        if self.now is not None:  # else no tray was seen at rest since the roll before
            self._end_roll(self.now)
        self.named.begin()
        self._wanted, self._gone, self._aside, self._lit, self._asked_about = wanted, (), (), (), ()
        self.now = None if now is None else in_doubt(now, self.named.dice)
        self.before, self.sight = self.now or (), scene
        if self.now is not None:
            self._odd.begin(wanted, self.before)

    def _end_roll(self, now: tuple[Die, ...]) -> None:
        """What lies there, out or below others at the end of a roll may be put back, or found, later."""
        changes = moves(self.before, now)
        self._below = (*below((*self.before, *self._below), now), *overlooked(changes))
        self._last = now
        self.named.leave_only(lambda old: lies_at_any(old, now))
        newest = (*self._gone, *changes.went)
        may_be_out = (*newest, *self._out, *self._spent)
        self._out = still_out(newest, self._out, changes.came)
        self._spent = tuple(die for die in may_be_out if die.sure and die not in self._out)[:MOST_SPENT]

    def forget_places(self) -> None:
        """The pictures have another size now: what lay there lies elsewhere in them."""
        self.now, self._below, self._last, self._out, self._spent = None, (), (), (), ()

    def see(
        self, dice: Sequence[Die], dice_sets: Sequence[DiceSet], field: Image, *, is_elsewhere: bool
    ) -> tuple[Die, ...]:
        """A tray at rest was read: its dice as they are known, with those in doubt that a person named."""
        changes = moves(self._last if self.now is None else self.now, dice)
        by = moved_alike(changes)
        if is_elsewhere:
            self.named.lose_sight(dice)
        else:
            pushed = zip(changes.went, shifted(changes.went, by or (0, 0)), strict=True)
            is_all = by is not None and not changes.stayed
            self.named.follow((*changes.stayed, *pushed), is_carried=not is_all)
            if by is not None and is_all:
                self._shift(by, field)
        self.named.find_before(dice, dice_sets)
        self.now = in_doubt(dice, self.named.dice)
        return self.now

    def start(self, dice: tuple[Die, ...], field: Image, *, is_first: bool, is_covered: bool) -> None:
        """The tray is seen at rest for the first time since a roll was asked for."""
        self.before, self._gone, self.sight = dice, moves(self._last, dice).went, field
        self._first = field if is_first else self._first
        self._odd.begin(self._wanted, self.before)
        self._is_covered = is_covered

    def lay_there(self, dice: tuple[Die, ...], field: Image) -> None:
        """What lies there now lay there before the roll."""
        self.before, self._gone, self.sight = dice, (), field
        self._lit = self._asked_about = ()

    def came(self, dice: Sequence[Die]) -> tuple[Die, ...]:
        """Those of the dice that did not lie there before the roll."""
        return moves(self.before, dice).came

    def find_none(self, dice: Sequence[Die]) -> None:
        """Something came that is not read, beside these."""
        self._odd.find_none(dice)

    def note(
        self, last: Sequence[Die], read: Sequence[Die], reading: Reading, field: Image, *, is_relit: bool
    ) -> News:
        """Note what became of the dice since they lay as they did `last`.

        The reading has them as they are known, `read` as they were read. What a die had come to lie on did
        lie there.
        """
        changes = moves(last, reading.dice)
        uncovered = [old for old, _ in moves(self._below, changes.came).stayed]
        taken_for = replaced(moves(self.before, read), self.named.dice)
        self.before = followed((*self.before, *uncovered), reading.dice)
        if reading.hand:
            self.now = (*reading.dice, *changes.went)
        self._note_lit(changes, is_relit=is_relit, hand=reading.hand)
        self._note_uncovered(reading, field)
        asked = [old for old in changes.went if old in self._asked_about]
        self._asked_about = still(self._asked_about, changes, hand=reading.hand)
        held, missing = self._gone, self._missing(reading, field, changes.went)
        earlier = Earlier(
            before=self.before,
            missing=(*missing, *taken_for),
            aside=(*self._aside, *taken_for),
            held=held,
            gone=self._gone[len(held) :],
            out=self._out,
            spent=self._spent,
            asked=asked,
            unanswered=self._asked_about,
            relit=bool(self._lit),
            late=changes.came,
            moved_on=asked_for(self.came(changes.went), self._wanted),
            outside=self._odd.outside,
            named=[old for old in self.named.dice if lies_at_any(old, missing)],
        )
        came = self.came(reading.dice)
        return News(changes, tuple(die for die in reread(changes) if die in came), missing, earlier)

    def take(self, throw: Throw, reading: Reading, news: News) -> None:
        """These are taken for the throw; what may be an old die in it stays in doubt."""
        if throw.swept or any(place.others for place in throw.places):
            self._aside = news.missing
        if not (reading.hand or news.earlier.relit or any(die.die is None for die in news.changes.came)):
            self._asked_about += throw.suspects
        self._odd.count(throw, self._wanted, reading.dice)

    def pass_over(self, reading: Reading, field: Image, news: News) -> None:
        """Nothing was thrown; what is hidden just now would be nothing new if it were seen there again.

        What may be one in doubt that came elsewhere may have been taken out too.
        """
        self._aside = tuple(die for die in self._aside if die in news.missing)
        _, came, went = moves(self.before, reading.dice)
        hidden = [old for old in went if reading.hand or not may_be_there(old, came)]
        unsure = [old for old in went if old not in hidden and not looks([old]) <= looks(came)]
        self._out = (*unsure, *self._out)
        self.before, self.sight = (*reading.dice, *hidden), self.sight if hidden else field

    def _note_lit(self, changes: Moves, *, is_relit: bool, hand: bool) -> None:
        """Note dice that only light may have shown, or a hand that was there from the first and leaves."""
        came = asked_for(changes.came, self._wanted)
        unread = (die for die in changes.came if die.die is None and not die.foreign)
        hand_showed, self._is_covered = self._is_covered, self._is_covered and hand
        lit = [old for old in changes.went if old in self._lit]
        others = looks(came) - looks(changes.went)
        may_be_swept = bool(lit) and others.total() <= sum(not old.sure for old in lit)
        is_lit = is_relit or hand_showed or may_be_swept
        self._lit = still(self._lit, changes, hand=hand) + ((*came, *unread) if is_lit else ())

    def _note_uncovered(self, reading: Reading, field: Image) -> None:
        """Note dice on which something may have lain in the first scene, in which a hand can't be told."""
        if relit(self._first, field):
            self._first = field
        if self._first is None or reading.hand:
            return
        came = moves(self.before, reading.dice).came
        boxes = [die.bbox for die in (*self.before, *came)]
        uncovered = are_uncovered([die.bbox for die in came], self._first, field, boxes)
        dice = (die for die, is_uncovered in zip(came, uncovered, strict=True) if is_uncovered)
        self._lit += asked_for(dice, self._wanted)
        self._first = None if came else field

    def _shift(self, by: tuple[float, float], field: Image) -> None:
        """All dice lie elsewhere in the picture, for the tray or the camera was moved."""
        self.before, self._gone = shifted(self.before, by), shifted(self._gone, by)
        self._out, self._spent = shifted(self._out, by), shifted(self._spent, by)
        self._aside, self._below = shifted(self._aside, by), shifted(self._below, by)
        self.named.dice, self._last = shifted(self.named.dice, by), shifted(self._last, by)
        self.sight = field

    def _missing(self, reading: Reading, field: Image, left: Sequence[Die]) -> tuple[Die, ...]:
        """Dice that lay there before the roll, lie there no more, and may have been moved.

        Once it is seen in a tray at rest that one was taken out, and no hand and no die in its place may hide
        it, it is gone: from where it lay before the roll, and from where one `left` that may be it, or was
        it before it was turned.
        """
        _, came, went = moves(self.before, reading.dice)
        still_there = [old for old in went if reading.hand or may_be_there(old, came)]
        unseen = [old for old in went if old not in still_there]
        boxes = [die.bbox for die in (*self.before, *reading.dice)]
        assert self.sight is not None
        bare = are_bare([old.bbox for old in unseen], self.sight, field, boxes) if unseen else []
        out = [
            old for old, is_bare in zip(unseen, bare, strict=True) if is_bare and not lies_at_any(old, came)
        ]
        others = (die for die in left if not any(is_back(old, die) for old in out))
        moved = (die for die in others if may_be_there(die, out) or lies_at_any(die, out))
        self._gone += (*out, *moved)
        self.named.leave_only(lambda old: not lies_at_any(old, out))
        self._aside = tuple(old for old in self._aside if not lies_at_any(old, out))
        self.before = tuple(die for die in self.before if die not in out)
        self._odd.take_out(out)
        if len(out) == len(went) and not reading.hand:
            self.sight = field
        return tuple(still_there)


def still(dice: Sequence[Die], changes: Moves, *, hand: bool) -> tuple[Die, ...]:
    """Those of the dice that still lie there, as far as can be told with a hand that may hide some."""
    hidden = [old for old in changes.went if hand and old in dice]
    return (*(new for old, new in changes.stayed if old in dice), *hidden)


def still_out(newest: Sequence[Die], earlier: Sequence[Die], came: Sequence[Die]) -> tuple[Die, ...]:
    """Those of the dice taken out that are not in the tray again, as far as their kinds were counted.

    Any of the `newest`, taken out in this roll, or that nobody saw go, may be it; of those of `earlier` rolls
    as many are left, the newest first, as are out beside them.
    """
    out = Counter(map(_kind, (*newest, *earlier))) - Counter(map(_kind, came))
    left = [die for die in newest if out[_kind(die)]]
    out -= Counter(map(_kind, left))
    for die in earlier:
        if out[_kind(die)] > 0:
            out[_kind(die)] -= 1
            left.append(die)
    return tuple(left)


def _kind(die: Die) -> tuple[str | None, str | None]:
    return die.die, die.colour


def reread(changes: Moves) -> Iterator[Die]:
    """Dice that are read otherwise where they lie, or for sure now: a cocked one was laid flat there."""
    for old, new in changes.stayed:
        if (new.sure and not old.sure) or looks([old]) != looks([new]):
            yield new


def replaced(changes: Moves, named: Sequence[Die]) -> list[Die]:
    """Dice in whose places something is read otherwise, where one of both is in doubt: it may be another.

    What shows there what a person named it is the same die, now read better.
    """
    return [
        old
        for old, new in changes.stayed
        if old.sure != new.sure
        and looks([old]) != looks([new])
        and not looks([new]) & looks(die for die in named if lies_at_any(new, [die]))
    ]


def followed(dice: Sequence[Die], reading: Sequence[Die]) -> tuple[Die, ...]:
    """Dice as they lie now, and as they were read best, with those that do no more."""
    stayed, _, went = moves(dice, reading)
    return (*(old if old.sure and not new.sure else new for old, new in stayed), *went)


def below(dice: Sequence[Die], reading: Sequence[Die]) -> tuple[Die, ...]:
    """Those of the dice that lie there no more, but where others lie now, maybe on them."""
    return tuple(old for old in moves(dice, reading).went if lies_at_any(old, reading))


def overlooked(changes: Moves) -> list[Die]:
    """Dice that nobody was seen to take out, and that none of those that came can be: they were not read."""
    return [old for old in changes.went if not may_be_there(old, changes.came)]


def relit(before: Image | None, after: Image) -> bool:
    """Whether the light is so much another that dice may have come to light, not into the tray."""
    if before is None:
        return False
    dark, bright = sorted(brightness(image) + DARKEST for image in (before, after))
    return bright > RELIT * dark
