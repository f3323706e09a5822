"""Teaching a dice set: samples are pictures of dice, kept where they can be looked at, removed and shared.

A set's folder holds `set.json` and `samples/DIE/COLOUR/FACE/*.png` (`any` for no colour). A sample is a
square cut round one die, half as wide again as its box, so that it can be read as if it lay in a tray.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vision import frames, sets
from vision.errors import DiceSetError, FrameError

if TYPE_CHECKING:
    from vision.frames import Frame
    from vision.reading import Box

ROOM = 1.5  # a sample's side, in sides of its die
_ANY = "any"


class Sample(msgspec.Struct, frozen=True):
    """One picture of one die with a known face up."""

    die: str
    colour: str | None
    face: str
    file: Path


def samples(dice_set: sets.DiceSet) -> tuple[Sample, ...]:
    """The samples that a set was taught with, in the order of their names."""
    if dice_set.taught is None:
        return ()
    files = sorted((Path(dice_set.taught) / "samples").glob("*/*/*/*.png"))
    return tuple(_sample(file) for file in files)


def keep(frame: Frame, bbox: Box, die: str, colour: str | None, face: str, *, set_folder: Path) -> Sample:
    """Cut one die out of a frame and keep it as a sample of that face."""
    import cv2

    frames.check(frame)
    _plain(die, colour or _ANY, face)
    done, png = cv2.imencode(".png", cut(frame, bbox))
    if not done:
        raise FrameError(f"the cut at {tuple(bbox)} can't be stored as a picture")
    content = png.tobytes()
    name = hashlib.sha256(content).hexdigest()[:12]  # the same picture twice is one sample
    file = set_folder / "samples" / die / (colour or _ANY) / face / f"{name}.png"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return Sample(die, colour, face, file)


def remove(sample: Sample) -> None:
    """Forget one sample; DiceSetError when it is gone already."""
    try:
        sample.file.unlink()
    except FileNotFoundError as error:
        raise DiceSetError(f"no sample {sample.file}; it was removed already") from error


def cut(frame: Frame, bbox: Box) -> Frame:
    """The square round a die, `ROOM` times its longer side; beyond the frame, its edge goes on."""
    import cv2

    side = max(8, round(max(bbox.w, bbox.h) * ROOM))
    left, top = round(bbox.x + (bbox.w - side) / 2), round(bbox.y + (bbox.h - side) / 2)
    height, width = frame.shape[:2]
    x0, x1, y0, y1 = max(0, left), min(width, left + side), max(0, top), min(height, top + side)
    if x0 >= x1 or y0 >= y1:
        raise FrameError(f"the box {tuple(bbox)} lies outside of the frame of {width}x{height}")
    borders = (y0 - top, top + side - y1, x0 - left, left + side - x1)
    return cv2.copyMakeBorder(frame[y0:y1, x0:x1], *borders, cv2.BORDER_REPLICATE).astype("uint8", copy=False)


def _sample(file: Path) -> Sample:
    die, colour, face = file.parts[-4:-1]
    return Sample(die, None if colour == _ANY else colour, face, file)


def _plain(*words: str) -> None:
    for word in words:
        if not word or "/" in word or "\\" in word or word.startswith("."):
            raise DiceSetError(f"{word!r} can't name a die, colour or face: it must serve as a folder's name")
