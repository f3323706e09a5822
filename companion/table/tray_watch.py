"""Watching the tray for one roll: camera, settling, reading and matching in one step a frame.

It knows no thread and no clock of its own; `camera_dice` gives it both.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import vision
from companion.engine.asks import Roll
from companion.engine.files import hand_over, make_folder
from companion.engine.records import RolledDie, blob_name
from companion.engine.session import Evidence
from companion.table.dice import CAMERA
from companion.table.events import USUAL, Habits, Notice, Seen
from companion.table.known_dice import KnownDice, relit
from companion.table.learning import learn, unlearn
from companion.table.matching import (
    Group,
    Throw,
    asked_for,
    match,
    nothing_of,
    untaught,
)
from companion.table.photos import photo
from vision import DiceSet, Die, Reading
from vision.camera import Camera
from vision.settle import (
    GAP,
    Settler,
    State,
    View,
    are_held,
    differ_only_at,
    miniature,
)
from vision.tray import TrayView
from vision.votes import Moves, looks, moves, vote

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
        self._known = KnownDice(misread)
        self._scene: Image | None = None
        self._shown: Image | None = None  # the dice that were posted last, if they lie there yet
        self._are_out = False  # the dice that were posted last, seen taken out
        self._is_still = False
        self._lately: deque[Miniature] = deque(maxlen=LATELY)  # at rest, as far as is known with no hand
        self._sets: tuple[DiceSet, ...] = ()
        self._view = TrayView()
        self._shape: tuple[int, ...] = ()
        self._is_elsewhere = False  # all that is read next, in pictures of another size
        self._is_taken = False  # the last roll, as it was seen last
        self._hand = False
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
            self._shape, self._is_elsewhere = frame.image.shape, True
            self._known.forget_places()
        view = self._settler.see(frame)
        self._is_still = view.state is State.RESTING and not view.thrown
        if view.state is not State.MOVING:
            self._rested = frame.taken
        images = [still.image for still in view.still]
        if images and self._known.now is None:
            is_first, is_covered = self._scene is None, view.hand or self._hand
            _, reading, field = self._lies(job, images)
            self._known.start(reading.dice, field, is_first=is_first, is_covered=is_covered)
            self._lately.append(miniature(field))
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
        before, sight = self._known.before, self._known.sight
        if self._known.now is None or sight is None or not before:
            return False
        fields = copy(self._view).fields(images)
        if not differ_only_at([die.bbox for die in before], sight, fields[-1]):
            return False
        there = vote([vision.read(field, job.sets) for field in fields]).dice
        _, came, went = moves(before, there)
        return bool(went) and not came

    def _begin(self, job: Job) -> None:
        """Another roll is asked for: what lies there now, by the sets of this roll, is not of it.

        Where the last roll was not watched for, not seen, left a doubt, or was being thrown anew when it was
        answered, a person may have said dice that were never seen as they lie now: those that are there at
        the next look are of that roll.
        """
        now = self._known.now
        if not (self._is_taken and self._is_still) or job.nth > self._nth + 1:
            now = None
        elif self._scene is not None and job.sets != self._sets:
            now = vision.read(self._scene, job.sets).dice
        self._known.begin(job.wanted, now, self._scene)
        if self._scene is not None:
            self._lately.append(miniature(self._scene))
        self._n, self._nth, self._sets, self._is_taken = job.n, job.nth, job.sets, False
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
        the tray was not seen at rest without them since. Where the reading fails, the throw is still to be
        read.
        """
        known, last, saw_mat, scene = self._known, self._known.now or (), self._view.sees_mat, self._scene
        read, reading, field = self._lies(job, images)
        self._settler.accept()
        is_relit = relit(scene, field)
        hand = view.hand or are_held([die.bbox for die in known.came(reading.dice)], self._lately, field)
        reading = msgspec.structs.replace(reading, hand=hand)
        if is_relit or not hand:
            self._lately.append(miniature(field))
        hand_left, self._hand = self._hand and not hand, hand
        news = known.note(last, read, reading, field, is_relit=is_relit)
        self._is_still = view.state is State.RESTING
        if not (news.changes.came or news.changes.went or hand_left or news.reread):
            if not (is_relit or hand):
                known.find_none(reading.dice)
            return  # it was the light that changed, or no die was found
        self._shown = None
        lay_there = view.since <= self._asked or self._view.sees_mat != saw_mat
        if lay_there and not news.reread and looks(reading.dice) == looks(last):
            known.lay_there(reading.dice, field)
            return
        throw = match(job.roll, job.wanted, reading, news.earlier)
        if throw is None:
            known.pass_over(reading, field, news)
            self._are_out = not (hand or is_relit)
            if are_others(job, news.changes):
                self._remark = "other dice than asked for"
                yield from self._say(job, self._remark)
            return
        known.take(throw, reading, news)
        self._remark = with_reason(job, throw.remark)
        self._is_taken, self._shown = throw.is_sure, field
        yield from self._say(job, self._remark)
        yield self._seen(job, throw, field)

    def _lies(self, job: Job, images: Sequence[Image]) -> tuple[Sequence[Die], Reading, Image]:
        """What lies in a tray at rest, as it is read and as it is known, which is remembered."""
        saw_mat = self._view.sees_mat
        reading, self._scene = self._read(job, images)
        is_elsewhere = self._is_elsewhere or self._view.sees_mat != saw_mat
        self._is_elsewhere = False
        dice = self._known.see(reading.dice, job.sets, self._scene, is_elsewhere=is_elsewhere)
        return reading.dice, msgspec.structs.replace(reading, dice=dice), self._scene

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
        self._are_out = False
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
            msgspec.structs.replace(self._habits, confirm=self._habits.confirm or throw.is_undone),
            self._known.named.by_answers_to(throw),
            lambda: self._are_out,
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
            make_folder(self._pictures)
            for file, data in zip(files, photos, strict=True):
                file.write_bytes(data)
            hand_over(self._pictures, *files)
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
