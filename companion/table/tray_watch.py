"""Watching the tray for one roll: camera, settling, reading and matching in one step a frame.

It knows no thread and no clock of its own; `camera_dice` gives it both.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import vision
from companion.engine.asks import Roll
from companion.engine.records import RolledDie, blob_name
from companion.engine.session import Evidence
from companion.table.dice import CAMERA
from companion.table.events import USUAL, Habits, Notice, Seen
from companion.table.learning import learn, unlearn
from companion.table.matching import (
    Earlier,
    Group,
    Throw,
    asked_for,
    lies_at_any,
    match,
    nothing_of,
    untaught,
)
from companion.table.named import Named, in_doubt
from companion.table.odd_dice import OddDice
from companion.table.photos import photo
from vision import DiceSet, Die, Reading
from vision.camera import Camera
from vision.cameras.live import brightness
from vision.settle import (
    DARKEST,
    GAP,
    Settler,
    State,
    View,
    are_bare,
    are_held,
    are_uncovered,
    differ_only_at,
    miniature,
)
from vision.tray import TrayView
from vision.votes import Moves, is_back, looks, may_be_there, moved_alike, moves, shifted, vote

if TYPE_CHECKING:
    from vision.frames import Frame as Image
    from vision.settle import Miniature
    from vision.teach import Sample

LATELY = 5
"""Miniatures of the tray at rest, in one of which at least no hand lies where one may lie now."""

RESTLESS = 10.0
"""Seconds of movement after which it is said: shadows that sway, or a bad cable, may never let it rest."""

RESTLESS_REMARK = (
    "the tray never lies still: a hand, shadows or a lamp that flickers, a shaky camera, a bad cable?"
)

RELIT = 1.6
"""How many times as bright a picture is in which dice may have come to light, not into the tray."""


class Job(msgspec.Struct, frozen=True):
    """A roll to be watched for: the ask's number, its dice as the sets know them, and all sets in use.

    `nth` counts the rolls, those among them that were not watched for.
    """

    n: int
    roll: Roll
    wanted: tuple[Group, ...]
    sets: tuple[DiceSet, ...]
    nth: int = 0


class TrayWatch:
    """What happens in the tray, roll after roll.

    `pictures` is a folder where the pictures of the newest throw's dice are put, for a screen to show,
    `taught` the one of taught sets, where samples go. `misread` are dice that a person named otherwise before
    this began to watch; they may lie there yet.
    """

    def __init__(
        self,
        camera: Camera,
        pictures: Path | None = None,
        habits: Habits = USUAL,
        taught: Path | None = None,
        misread: Sequence[RolledDie] = (),
    ) -> None:
        self.camera = camera
        self._taught = taught
        self._habits = habits
        self._pictures = pictures
        self._settler = Settler()
        self._taken = self._rested = 0.0
        self._n = self._nth = 0
        self._asked = math.inf
        self._before: tuple[Die, ...] = ()
        self._now: tuple[Die, ...] | None = None
        self._scene: Image | None = None
        self._shown: Image | None = None  # the dice that were posted last, if they lie there yet
        self._is_still = False
        self._gone: tuple[Die, ...] = ()  # dice that lay there before and were seen taken out
        self._out: tuple[Die, ...] = ()  # those that were, or may have been, in earlier rolls; newest first
        self._spent: tuple[Die, ...] = ()  # those of the last roll that are taken for thrown again in it
        self._lately: deque[Miniature] = deque(maxlen=LATELY)  # at rest, as far as is known with no hand
        self._sight: Image | None = None  # the newest picture in which each die of before lies
        self._aside: tuple[Die, ...] = ()  # dice of before that may be some of those that came
        self._asked_about: tuple[Die, ...] = ()  # dice, as they were posted last, that may be old ones
        self._below: tuple[Die, ...] = ()  # dice of earlier rolls that may lie there unread, or below others
        self._lit: tuple[Die, ...] = ()  # dice that another light, or a hand that left, may have shown
        self._named = Named(misread)
        self._last: tuple[Die, ...] = ()  # what lay there at the end of the last roll
        self._odd = OddDice()
        self._sets: tuple[DiceSet, ...] = ()
        self._view = TrayView()
        self._shape: tuple[int, ...] = ()
        self._is_elsewhere = False  # all that is read next, in pictures of another size
        self._is_taken = False  # the last roll, as it was seen last
        self._hand = False
        self._is_covered = False  # by a hand, what lay there before the roll
        self._first: Image | None = None  # the tray before anything came: a hand may lie there unknown
        self._remark = ""
        self._said = (0, "")

    def look(self, job: Job) -> Iterator[Seen | Notice]:
        """The next frame, and what there is to say of it; raises CameraError and VisionError."""
        is_new = job.n != self._n
        if is_new:
            self._begin(job)
        last, frame = self._taken, self.camera.frame(newer_than=self._taken)
        self._taken = frame.taken
        if self.camera.stills:
            yield from self._picture(job, frame.image)
            return
        if frame.taken - last > GAP:  # as if it were asked for only now
            self._asked = math.inf
        if is_new or frame.taken - last > RESTLESS:
            self._rested = frame.taken
        self._asked = min(self._asked, frame.taken)
        if frame.image.shape != self._shape:  # what lay there lies elsewhere in pictures of another size
            self._shape, self._now, self._below, self._last = frame.image.shape, None, (), ()
            self._is_elsewhere, self._out, self._spent = True, (), ()
        view = self._settler.see(frame)
        self._is_still = view.state is State.RESTING and not view.thrown
        if view.state is not State.MOVING:
            self._rested = frame.taken
        images = [still.image for still in view.still]
        if images and self._now is None:
            is_first = self._scene is None
            _, reading, field = self._lies(job, images)
            self._start_from(reading, field)
            self._lately.append(miniature(field))
            self._first = self._scene if is_first else self._first
            self._gone = moves(self._last, self._before).went
            self._odd.begin(job.wanted, self._before)
            self._is_covered = view.hand or self._hand
        paused = [picture.image for picture in view.paused]
        if view.thrown:
            yield from self._throw(job, view, images)
        elif paused and self._are_dice_gone(job, paused):
            yield from self._throw(job, view, paused)
        else:
            restless = RESTLESS_REMARK if frame.taken - self._rested > RESTLESS else ""
            hints = {State.MOVING: restless, State.HAND: "a hand in the tray", State.RESTING: self._remark}
            yield from self._say(job, hints[view.state])

    def _are_dice_gone(self, job: Job, images: Sequence[Image]) -> bool:
        """Whether these pictures show the tray as it was but for dice that were taken out of it.

        No hand is in view then, and no die on its way: there is no need to wait until all lies at rest.
        """
        if self._now is None or self._sight is None or not self._before:
            return False
        fields = copy(self._view).fields(images)
        if not differ_only_at([die.bbox for die in self._before], self._sight, fields[-1]):
            return False
        there = vote([vision.read(field, job.sets) for field in fields]).dice
        _, came, went = moves(self._before, there)
        return bool(went) and not came

    def _begin(self, job: Job) -> None:
        """Another roll is asked for: what lies there now, by the sets of this roll, is not of it.

        Where the last roll was not watched for, not seen, left a doubt, or was being thrown anew when it was
        answered, a person may have said dice that were never seen as they lie now: those that are there at
        the next look are of that roll.
        """
        if self._now is not None:  # else no tray was seen at rest since the roll before
            missed = overlooked(moves(self._before, self._now))
            self._below = (*below((*self._before, *self._below), self._now), *missed)
            self._last = self._now
            self._named.leave_only(lambda old: lies_at_any(old, self._last))
            changes = moves(self._before, self._now)
            newest = (*self._gone, *changes.went)
            self._out = still_out(newest, self._out, changes.came)
            self._spent = tuple(die for die in newest if die.sure and die not in self._out)
        self._named.begin()
        if not (self._is_taken and self._is_still) or job.nth > self._nth + 1:
            self._now = None
        elif self._scene is not None and job.sets != self._sets:
            self._now = vision.read(self._scene, job.sets).dice
        if self._now is not None:
            self._now = in_doubt(self._now, self._named.dice)
        if self._scene is not None:
            self._lately.append(miniature(self._scene))
        self._is_taken, self._gone, self._aside, self._lit = False, (), (), ()
        self._asked_about = ()
        self._n, self._nth, self._sets = job.n, job.nth, job.sets
        self._before, self._sight = self._now or (), self._scene
        if self._now is not None:
            self._odd.begin(job.wanted, self._before)
        self._asked = math.inf
        count = sum(group.dice.count for group in job.wanted)
        self._remark = with_reason(job, f"throw {count} dice" if count > 1 else "throw the die")

    def _picture(self, job: Job, image: Image) -> Iterator[Seen | Notice]:
        """Read a picture that is a throw of its own."""
        reading, field = self._read(job, [image])
        throw = match(job.roll, job.wanted, reading) or nothing_of(job.wanted)
        yield from self._say(job, with_reason(job, throw.remark))
        yield self._seen(job, throw, field)

    def _say(self, job: Job, remark: str) -> Iterator[Notice]:
        """Say it, unless it was what was said last of this roll."""
        n, last = self._said
        if remark != last or (remark and n != job.n):
            self._said = (job.n, remark)
            yield Notice(remark, ends=last)

    def _throw(self, job: Job, view: View, images: Sequence[Image]) -> Iterator[Seen | Notice]:
        """Read a tray at rest; a throw is what moved since the last roll.

        Dice that lay so before the roll was asked for, or before the camera was back, are no throw if they
        show what was there before. Later too, those may only have been moved that show what others did, if
        the tray was not seen at rest without them since; what a die had come to lie on did lie there. Where
        the reading fails, the throw is still to be read.
        """
        last, saw_mat, scene = self._now or (), self._view.sees_mat, self._scene
        read, reading, field = self._lies(job, images)
        self._settler.accept()
        changes = moves(last, reading.dice)
        came = [die.bbox for die in moves(self._before, reading.dice).came]
        is_relit = relit(scene, field)
        hand = view.hand or are_held(came, self._lately, field)
        reading = msgspec.structs.replace(reading, hand=hand)
        if is_relit or not hand:
            self._lately.append(miniature(field))
        uncovered = [old for old, _ in moves(self._below, changes.came).stayed]
        taken_for = replaced(moves(self._before, read), self._named.dice)
        self._before = followed((*self._before, *uncovered), reading.dice)
        hand_left, self._hand = self._hand and not hand, hand
        if hand:
            self._now = (*reading.dice, *changes.went)
        self._note_lit(job, changes, is_relit=is_relit, hand=hand)
        self._note_uncovered(job, reading, field)
        asked = [old for old in changes.went if old in self._asked_about]
        self._asked_about = still(self._asked_about, changes, hand=hand)
        held, missing = self._gone, self._missing(reading, field, changes.went)
        self._is_still = view.state is State.RESTING
        is_reread = any(new in moves(self._before, reading.dice).came for new in reread(changes))
        if not (changes.came or changes.went or hand_left or is_reread):
            if not (is_relit or hand):
                self._odd.find_none(reading.dice)
            return  # it was the light that changed, or no die was found
        self._shown = None
        lay_there = view.since <= self._asked or self._view.sees_mat != saw_mat
        if lay_there and not is_reread and looks(reading.dice) == looks(last):
            self._start_from(reading, field)
            self._lit = self._asked_about = ()
            return
        gone, is_lit = self._gone[len(held) :], bool(self._lit)
        earlier = Earlier(
            before=self._before,
            missing=(*missing, *taken_for),
            aside=(*self._aside, *taken_for),
            held=held,
            gone=gone,
            out=self._out,
            spent=self._spent,
            asked=asked,
            unanswered=self._asked_about,
            relit=is_lit,
            late=changes.came,
            moved_on=asked_for(moves(self._before, changes.went).came, job.wanted),
            outside=self._odd.outside,
            named=[old for old in self._named.dice if lies_at_any(old, missing)],
        )
        throw = match(job.roll, job.wanted, reading, earlier)
        if throw is None:
            self._aside = tuple(die for die in self._aside if die in missing)
            self._pass_over(reading, field)
            if are_others(job, changes):
                self._remark = "other dice than asked for"
                yield from self._say(job, self._remark)
            return
        if throw.swept or any(place.others for place in throw.places):
            self._aside = missing
        if not (hand or is_lit or any(die.die is None for die in changes.came)):
            self._asked_about += throw.suspects
        self._odd.count(throw, job.wanted, reading.dice)
        self._remark = with_reason(job, throw.remark)
        self._is_taken, self._shown = throw.is_sure, field
        yield from self._say(job, self._remark)
        yield self._seen(job, throw, field)

    def _note_lit(self, job: Job, changes: Moves, *, is_relit: bool, hand: bool) -> None:
        """Note dice that only light may have shown, or a hand that was there from the first and leaves."""
        came = asked_for(changes.came, job.wanted)
        unread = (die for die in changes.came if die.die is None and not die.foreign)
        hand_showed, self._is_covered = self._is_covered, self._is_covered and hand
        lit = [old for old in changes.went if old in self._lit]
        others = looks(came) - looks(changes.went)
        may_be_swept = bool(lit) and others.total() <= sum(not old.sure for old in lit)
        is_lit = is_relit or hand_showed or may_be_swept
        self._lit = still(self._lit, changes, hand=hand) + ((*came, *unread) if is_lit else ())

    def _note_uncovered(self, job: Job, reading: Reading, field: Image) -> None:
        """Note dice on which something may have lain in the first scene, in which a hand can't be told."""
        if relit(self._first, field):
            self._first = field
        if self._first is None or reading.hand:
            return
        came = moves(self._before, reading.dice).came
        boxes = [die.bbox for die in (*self._before, *came)]
        uncovered = are_uncovered([die.bbox for die in came], self._first, field, boxes)
        dice = (die for die, is_uncovered in zip(came, uncovered, strict=True) if is_uncovered)
        self._lit += asked_for(dice, job.wanted)
        self._first = None if came else field

    def _pass_over(self, reading: Reading, field: Image) -> None:
        """Nothing was thrown; what is hidden just now would be nothing new if it were seen there again.

        What may be one in doubt that came elsewhere may have been taken out too.
        """
        _, came, went = moves(self._before, reading.dice)
        hidden = [old for old in went if reading.hand or not may_be_there(old, came)]
        unsure = [old for old in went if old not in hidden and not looks([old]) <= looks(came)]
        self._out = (*unsure, *self._out)
        self._before, self._sight = (*reading.dice, *hidden), self._sight if hidden else field

    def _start_from(self, reading: Reading, field: Image) -> None:
        """What lies there now lay there before the roll."""
        self._before, self._gone, self._sight = reading.dice, (), field

    def _shift(self, by: tuple[float, float], field: Image) -> None:
        """All dice lie elsewhere in the picture, for the tray or the camera was moved."""
        self._before, self._gone = shifted(self._before, by), shifted(self._gone, by)
        self._out, self._spent = shifted(self._out, by), shifted(self._spent, by)
        self._aside, self._below = shifted(self._aside, by), shifted(self._below, by)
        self._named.dice, self._last = shifted(self._named.dice, by), shifted(self._last, by)
        self._sight = field

    def _missing(self, reading: Reading, field: Image, left: Sequence[Die]) -> tuple[Die, ...]:
        """Dice that lay there before the roll, lie there no more, and may have been moved.

        Once it is seen in a tray at rest that one was taken out, and no hand and no die in its place may hide
        it, it is gone: from where it lay before the roll, and from where one `left` that may be it, or was
        it before it was turned.
        """
        _, came, went = moves(self._before, reading.dice)
        still_there = [old for old in went if reading.hand or may_be_there(old, came)]
        unseen = [old for old in went if old not in still_there]
        boxes = [die.bbox for die in (*self._before, *reading.dice)]
        assert self._sight is not None
        bare = are_bare([old.bbox for old in unseen], self._sight, field, boxes) if unseen else []
        out = [
            old for old, is_bare in zip(unseen, bare, strict=True) if is_bare and not lies_at_any(old, came)
        ]
        others = (die for die in left if not any(is_back(old, die) for old in out))
        moved = (die for die in others if may_be_there(die, out) or lies_at_any(die, out))
        self._gone += (*out, *moved)
        self._named.leave_only(lambda old: not lies_at_any(old, out))
        self._aside = tuple(old for old in self._aside if not lies_at_any(old, out))
        self._before = tuple(die for die in self._before if die not in out)
        self._odd.take_out(out)
        if len(out) == len(went) and not reading.hand:
            self._sight = field
        return tuple(still_there)

    def _lies(self, job: Job, images: Sequence[Image]) -> tuple[Sequence[Die], Reading, Image]:
        """What lies in a tray at rest, as it is read and as it is known, which is remembered."""
        saw_mat = self._view.sees_mat
        reading, self._scene = self._read(job, images)
        is_elsewhere = self._is_elsewhere or self._view.sees_mat != saw_mat
        self._is_elsewhere = False
        known = self._last if self._now is None else self._now
        changes = moves(known, reading.dice)
        by = moved_alike(changes)
        if is_elsewhere:
            self._named.lose_sight(reading.dice)
        else:
            pushed = zip(changes.went, shifted(changes.went, by or (0, 0)), strict=True)
            is_all = by is not None and not changes.stayed
            self._named.follow((*changes.stayed, *pushed), is_carried=not is_all)
            if by is not None and is_all:
                self._shift(by, self._scene)
        self._named.find_before(reading.dice, job.sets)
        self._now = in_doubt(reading.dice, self._named.dice)
        return reading.dice, msgspec.structs.replace(reading, dice=self._now), self._scene

    def _read(self, job: Job, images: Sequence[Image]) -> tuple[Reading, Image]:
        """What pictures of the same resting tray agree on, and the last of them as it was read."""
        fields = self._view.fields(images)
        return vote([vision.read(field, job.sets) for field in fields]), fields[-1]

    def _seen(self, job: Job, throw: Throw, image: Image) -> Seen:
        photos = [photo(place, throw, image) for place in throw.places]
        dice = tuple(
            RolledDie(place.group.dice.die, place.face or "", CAMERA, place.confidence, photo=blob_name(data))
            for place, data in zip(throw.places, photos, strict=True)
        )
        faces = tuple(place.face for place in throw.places)
        kept: dict[int, Sample] = {}
        return Seen(
            job.n,
            faces,
            CAMERA,
            throw.doubtful,
            Evidence(dice, tuple(photos)),
            self._show(photos),
            None if self._taught is None else partial(self._learn, job, self._taught, throw, image, kept),
            partial(unlearn, throw, kept),
            tuple(tuple(place.group.face(die) for die in place.others) for place in throw.places),
            self._habits,
            self._named.by_answers_to(throw),
        )

    def _learn(
        self,
        job: Job,
        taught: Path,
        throw: Throw,
        image: Image,
        kept: dict[int, Sample],
        answer: Sequence[str],
    ) -> str:
        """Learn from a roll that lies as it was seen; else a person may have named what lies there now."""
        is_there = self._shown is image and self._is_still and self.camera.trouble is None
        if not (self.camera.stills or is_there):
            return "nothing learnt: the tray is not as it was seen"
        return learn(job.sets, taught, throw, image, answer, kept)

    def _show(self, photos: Sequence[bytes]) -> tuple[str, ...]:
        """Put the pictures where a screen finds them; a disk that takes none is no reason not to play."""
        if self._pictures is None:
            return ()
        files = tuple(self._pictures / f"die-{at + 1}.png" for at in range(len(photos)))
        try:
            self._pictures.mkdir(parents=True, exist_ok=True)
            for file, data in zip(files, photos, strict=True):
                file.write_bytes(data)
        except OSError:
            return ()
        return tuple(map(str, files))


def with_reason(job: Job, remark: str) -> str:
    """A remark, and why dice of a roll are asked about however they lie: their set is half taught."""
    kinds = [group.kind for group in job.wanted]
    reasons = (untaught(one, [kind for kind in kinds if kind in one.kinds]) for one in job.sets)
    return "; ".join(filter(None, (remark, *reasons)))


def are_others(job: Job, changes: Moves) -> bool:
    """Whether as many dice came as a roll wants that are none of its dice, nor were only moved."""
    asked = asked_for(changes.came, job.wanted)
    others = looks(die for die in changes.came if die not in asked) - looks(changes.went)
    return others.total() >= sum(group.dice.count for group in job.wanted)


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
