"""Watching the tray for one roll: camera, settling, reading and matching in one step a frame.

It knows no thread and no clock of its own; `camera_dice` gives it both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import msgspec

import vision
from companion.engine.asks import Roll
from companion.engine.records import RolledDie, blob_name
from companion.engine.session import Evidence
from companion.table.events import USUAL, Habits, Notice, Seen
from companion.table.matching import Group, Place, Throw, match, nothing_of
from vision import Box, DiceSet, Die, Reading, sets, teach
from vision.camera import Camera
from vision.settle import Settler, State
from vision.tray import Tray, find_mat
from vision.votes import moves, vote

if TYPE_CHECKING:
    from vision.frames import Frame as Image

NAME = "camera"
ENOUGH_MARKERS = 3
"""Of the mat's four: a place for it that can be trusted more than the last one."""

TRAY_WIDTH = 480
"""Pixels of the picture of a whole tray that is kept for a missing die."""

HINTS = {
    State.MOVING: "",
    State.HAND: "a hand in the tray",
    State.RESTING: "throw the dice",
}


class Job(msgspec.Struct, frozen=True):
    """A roll to be watched for: the ask's number, its dice as the sets know them, and those sets."""

    n: int
    roll: Roll
    wanted: tuple[Group, ...]
    sets: tuple[DiceSet, ...]


class TrayWatch:
    """What happens in the tray, roll after roll.

    `pictures` is a folder where the pictures of the newest throw's dice are put, for a screen to show.
    """

    def __init__(self, camera: Camera, pictures: Path | None = None, habits: Habits = USUAL) -> None:
        self.camera = camera
        self._habits = habits
        self._pictures = pictures
        self._settler = Settler()
        self._taken = 0.0
        self._n = 0
        self._asked = 0.0
        self._before: tuple[Die, ...] = ()
        self._now: tuple[Die, ...] | None = None
        self._mat: Tray | None = None
        self._hint = ""

    def look(self, job: Job) -> Iterator[Seen | Notice]:
        """The next frame, and what there is to say of it; raises CameraError and VisionError."""
        frame = self.camera.frame(newer_than=self._taken)
        self._taken = frame.taken
        if job.n != self._n:
            self._n, self._asked, self._before = job.n, frame.taken, self._now or ()
        if self.camera.stills:
            yield from self._throw(job, [frame.image], early=False)
            return
        view = self._settler.see(frame)
        images = [still.image for still in view.still]
        if images and self._now is None:
            self._before = self._now = self._read(job, images)[0].dice
        if view.thrown:
            self._settler.accept()
            yield from self._throw(job, images, early=view.since <= self._asked)
        elif HINTS[view.state] != self._hint:
            self._hint = HINTS[view.state]
            yield Notice(self._hint)

    def _throw(self, job: Job, images: Sequence[Image], *, early: bool) -> Iterator[Seen | Notice]:
        """Read a tray at rest; a throw is what moved since the last roll.

        Dice that lay so before the roll was asked for (`early`) were thrown early, or only pushed aside.
        """
        reading, image = self._read(job, images)
        if not self.camera.stills and self._is_as_it_was(reading):
            return
        if early and looks(reading.dice) == looks(self._now or ()):
            self._now = self._before = reading.dice
            return
        self._now = () if self.camera.stills else reading.dice
        throw = match(job.roll, job.wanted, reading, self._before)
        if throw is None and self.camera.stills:
            throw = nothing_of(job.wanted)
        if throw is None:
            yield from self._nothing(job, reading)
            return
        self._hint = ""
        yield Notice(throw.remark)
        yield self._seen(job, throw, image)

    def _read(self, job: Job, images: Sequence[Image]) -> tuple[Reading, Image]:
        """What pictures of the same resting tray agree on, and the last of them as it was read."""
        mat = self._mat_in(images[-1])
        fields = [mat.field(image) if mat else image for image in images]
        return vote([vision.read(field, job.sets) for field in fields]), fields[-1]

    def _is_as_it_was(self, reading: Reading) -> bool:
        """Whether no die moved since the last reading: then it was the light that changed."""
        changes = moves(self._now or (), reading.dice)
        return not (changes.came or changes.went)

    def _nothing(self, job: Job, reading: Reading) -> Iterator[Notice]:
        there = [die for die in reading.dice if any(group.holds(die) for group in job.wanted)]
        expected = sum(group.dice.count for group in job.wanted)
        yield Notice(f"{len(there)} of {expected} dice, none new")

    def _mat_in(self, image: Image) -> Tray | None:
        """The mat as it lies now, or as it lay last where dice or a hand hide too much of it."""
        found = find_mat(image)
        if found is not None and (self._mat is None or found.markers >= ENOUGH_MARKERS):
            self._mat = found
        return self._mat

    def _seen(self, job: Job, throw: Throw, image: Image) -> Seen:
        photos = [photo(place, image) for place in throw.places]
        dice = tuple(
            RolledDie(place.group.dice.die, place.face or "", NAME, place.confidence, photo=blob_name(data))
            for place, data in zip(throw.places, photos, strict=True)
        )
        faces = tuple(place.face for place in throw.places)
        return Seen(
            job.n,
            faces,
            NAME,
            throw.doubtful,
            Evidence(dice, tuple(photos)),
            self._show(photos),
            partial(learn, job.sets, throw, image),
            self._habits,
        )

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


def learn(dice_sets: Sequence[DiceSet], throw: Throw, image: Image, answer: Sequence[str]) -> str:
    """Keep the dice that were doubtful or corrected as samples of their sets; says what was kept.

    Only a set that has been taught learns more: a few samples alone would leave its other faces unknown.
    """
    kept = 0
    for place, said in zip(throw.places, answer, strict=True):
        face = place.group.face_in_set(said)
        dice_set = next((one for one in dice_sets if place.group.kind in one.kinds and one.taught), None)
        if (
            place.seen is None
            or dice_set is None
            or face is None
            or (place.face == said and not place.doubtful)
        ):
            continue
        folder = Path(dice_set.taught or "")
        teach.keep(image, place.seen.bbox, place.group.kind.name, place.seen.colour, face, set_folder=folder)
        sets.save(dice_set, folder.parent)  # its file's date tells the reader to look again
        kept += 1
    return f"{kept} samples kept" if kept else "nothing to learn from these dice"


def looks(dice: Sequence[Die]) -> Counter[tuple[str | None, str | None, str | None]]:
    """What dice show, wherever they lie."""
    return Counter((die.die, die.colour, die.face) for die in dice)


def photo(place: Place, image: Image) -> bytes:
    """A PNG of the die, cut as a teaching sample is; of the whole tray where the die is missing."""
    box = place.seen.bbox if place.seen else None
    shown = teach.cut(image, Box(*box)) if box else shrunk(image)
    done, data = cv2.imencode(".png", shown)
    assert done
    return data.tobytes()


def shrunk(image: Image) -> Image:
    """A whole tray at a size that is worth keeping."""
    height, width = image.shape[:2]
    if width <= TRAY_WIDTH:
        return image
    size = (TRAY_WIDTH, round(height * TRAY_WIDTH / width))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype("uint8", copy=False)
