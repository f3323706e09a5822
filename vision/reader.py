"""Reading a frame: find the dice, read their faces, say which of them a person must be asked about."""

from __future__ import annotations

import functools
import time
from pathlib import Path
from typing import TYPE_CHECKING

from vision import faces, find, frames, sets, verdict
from vision.reading import Reading
from vision.taught import Gallery

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import cv2

    from vision.frames import Frame
    from vision.reading import Die
    from vision.sets import DiceSet

WEIGHTS = Path(__file__).parent / "data"
_HAND = 0.9  # chance of a hand in view from which on a reading is not trusted


class Reader:
    """Reads frames with one pair of networks, which are loaded with the first frame.

    `weights` is the folder of finder.onnx and faces.onnx.
    """

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self.weights = weights
        self._galleries: dict[tuple[str, float], Gallery] = {}

    def read(
        self, frame: Frame, dice_set: DiceSet | Iterable[DiceSet], *, expect: Mapping[str, int] | None = None
    ) -> Reading:
        """Read every die in a frame; see `vision.read`."""
        started = time.thread_time()
        frames.check(frame)
        several = sets.together(dice_set)
        found = find.find(frame, self.finder)
        boxes = [candidate.box for candidate in found.candidates]
        views = [faces.look(frame, boxes, room, self.faces) for room in faces.ROOMS]
        galleries = [self._gallery(one) for one in several if one.taught is not None]
        dice = verdict.judge(found.candidates, views, several, galleries)
        hand = found.hand > _HAND
        sure = not hand and all(die.sure or die.foreign for die in dice) and _as_expected(dice, expect or {})
        return Reading(dice=dice, sure=sure, ms=(time.thread_time() - started) * 1000, hand=hand)

    @functools.cached_property
    def finder(self) -> cv2.dnn.Net:
        """The network that finds dice."""
        return _network(self.weights / "finder.onnx")

    @functools.cached_property
    def faces(self) -> cv2.dnn.Net:
        """The network that reads faces."""
        return _network(self.weights / "faces.onnx")

    def _gallery(self, dice_set: DiceSet) -> Gallery:
        """What was taught; looked at again when the set's file has changed."""
        assert dice_set.taught is not None
        key = (dice_set.taught, (Path(dice_set.taught) / sets.SET_FILE).stat().st_mtime)
        if key not in self._galleries:
            self._galleries[key] = Gallery(dice_set, self.faces)
        return self._galleries[key]


def read(
    frame: Frame, dice_set: DiceSet | Iterable[DiceSet], *, expect: Mapping[str, int] | None = None
) -> Reading:
    """Read every die in a frame (height x width x 3, uint8, BGR).

    `expect` says how many dice of a kind the game waits for; another count makes the reading unsure. Raises
    FrameError for a picture that is none, DiceSetError for a set that can't be used.
    """
    return _default().read(frame, dice_set, expect=expect)


@functools.cache
def _default() -> Reader:
    return Reader()


def _network(file: Path) -> cv2.dnn.Net:
    import cv2

    return cv2.dnn.readNetFromONNX(str(file))


def _as_expected(dice: tuple[Die, ...], expect: Mapping[str, int]) -> bool:
    return all(sum(die.die == kind for die in dice) == count for kind, count in expect.items())
