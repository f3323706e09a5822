"""The stock that the face network learns from: dice cut out of labelled pictures, and what each shows."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from vision.reading import Box
from vision.train.scenes import KINDS, SYMBOLS
from vision.train.stock import in_parallel

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from vision.train.scenes import Label
    from vision.train.stock import Shot

STORED, ROOM = 96, 1.8  # pixels a side of a stored crop, and its side in sides of the die's box
PAIR_OF_DIGITS = -2  # the target of a 6 or 9 that nothing tells apart
NONE = -1  # a target that there is none of
_UNKNOWN = (math.nan, math.nan)
_PRINTED = SYMBOLS + 20  # symbols, those of photographs last
# From a face's number to its identity.
_OFFSETS = {"symbols": 0, "d6num": _PRINTED - 1, "d10": _PRINTED + 6, "pips": _PRINTED + 15}
IDENTITIES = _PRINTED + 6 + 10 + 6  # symbols, numerals on d6, numerals on d10, pips
_AT_ONCE = 100  # shots that one process cuts at a time


class Target(NamedTuple):
    """What a crop shows, as whole numbers: NONE where there is none, or nobody knows."""

    kind: int  # of KINDS
    pips: int = NONE  # less 1
    digit: int = NONE
    readable: int = NONE
    identity: int = NONE
    flat: int = NONE


_NO_DIE = Target(KINDS.index("nothing"), readable=0)


class Crops(NamedTuple):
    """Crops (n x 96 x 96 x 3), targets (n x 6, as in `Target`), leans (n x 2), turn and fine (n).

    A lean is NaN where nobody knows.
    """

    pictures: NDArray[np.uint8]
    targets: NDArray[np.int64]
    leans: NDArray[np.float32]
    turn: NDArray[np.float32]  # how far each may be turned, in degrees
    fine: NDArray[np.float32]  # pixels of the die's side in the picture it was cut from


class _Crop(NamedTuple):
    picture: NDArray[np.uint8]
    target: Target
    lean: tuple[float, float]
    fine: float


def cut(shots: Sequence[Shot], *, seed: int, turn: float, blanks: float) -> Crops:
    """Cut the dice of shots out, and for each die so many places where none is."""
    parts = [(shots[n : n + _AT_ONCE], seed + n) for n in range(0, len(shots), _AT_ONCE)]
    crops = joined(in_parallel(functools.partial(_cut, turn=turn, blanks=blanks), parts))
    if all(die.flat for shot in shots for die in shot.dice):  # nobody looked for cocked ones there
        crops.targets[:, Target._fields.index("flat")] = NONE
    return crops


def _cut(part: tuple[Sequence[Shot], int], *, turn: float, blanks: float) -> Crops:
    shots, seed = part
    rng = np.random.default_rng(seed)
    crops = []
    for shot in shots:
        picture = shot.picture()
        crops += [_crop(picture, Box(*die.bbox), _target(die), die.lean or _UNKNOWN) for die in shot.dice]
        blank = [_blank(picture, shot, rng) for _ in range(rng.poisson(blanks * max(1, len(shot.dice))))]
        crops += [_crop(picture, box) for box in blank if box is not None]
    return _crops(crops, turn)


def cut_nothing(shot: Shot, boxes: Sequence[Box]) -> Crops:
    """Cut out places of a shot that look like dice to the finder, and are none."""
    picture = shot.picture()
    return _crops([_crop(picture, box) for box in boxes], 180)


def _crops(crops: Sequence[_Crop], turn: float) -> Crops:
    return Crops(
        np.array([one.picture for one in crops], np.uint8).reshape(-1, STORED, STORED, 3),
        np.array([one.target for one in crops], np.int64).reshape(-1, len(Target._fields)),
        np.array([one.lean for one in crops], np.float32).reshape(-1, 2),
        np.full(len(crops), turn, np.float32),
        np.array([one.fine for one in crops], np.float32),
    )


def joined(parts: Iterable[Crops]) -> Crops:
    """The crops of all parts, in order."""
    return Crops(*map(np.concatenate, zip(*parts, strict=True)))


def mirrored(crops: Crops) -> Crops:
    """Crops of pip dice and their mirror images; their leans must be unknown."""
    assert np.isnan(crops.leans).all()
    return joined([crops, crops._replace(pictures=crops.pictures[:, :, ::-1])])


def _crop(
    picture: NDArray[np.uint8], box: Box, target: Target = _NO_DIE, lean: tuple[float, float] = _UNKNOWN
) -> _Crop:
    fine, (x, y) = max(box.w, box.h), box.middle
    scale = STORED / max(fine * ROOM, 8.0)
    if scale < 0.5:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 / scale), np.uint8)
    onto = np.array([[scale, 0, STORED / 2 - scale * x], [0, scale, STORED / 2 - scale * y]])
    cropped = cv2.warpAffine(picture, onto, (STORED, STORED), borderMode=cv2.BORDER_REPLICATE)
    return _Crop(np.asarray(cropped, np.uint8), target, lean, fine)


def _target(die: Label) -> Target:
    """A face that can be read and lies flat counts; of a cocked die only the kind and the lean."""
    kind = KINDS.index(die.kind)
    if not die.flat:
        return Target(kind, flat=0)
    readable = int(die.readable) if die.face else NONE
    pips = digit = identity = NONE
    if readable == 1 and die.kind in _OFFSETS and not die.either:
        number = int(die.face.removeprefix("s"))
        identity = _OFFSETS[die.kind] + number
        pips = number - 1 if die.kind == "pips" else NONE
        digit = number if die.kind in {"d6num", "d10"} else NONE
    elif readable == 1 and die.either:
        digit = PAIR_OF_DIGITS
    return Target(kind, pips, digit, readable, identity, flat=1)


def _blank(picture: NDArray[np.uint8], shot: Shot, rng: np.random.Generator) -> Box | None:
    """Somewhere in a picture, unless a die lies there."""
    height, width = picture.shape[:2]
    x, y, wide = rng.uniform(0, width), rng.uniform(0, height), math.exp(rng.uniform(2.8, 5.0))
    for die in shot.dice:
        left, top, w, h = die.bbox
        if abs(x - left - w / 2) < 0.55 * (w + wide) and abs(y - top - h / 2) < 0.55 * (h + wide):
            return None
    return Box(x - wide / 2, y - wide / 2, wide, wide)
