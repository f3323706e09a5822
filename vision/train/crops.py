"""The stock that the face network learns from: dice cut out of labelled pictures, and what each shows."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from vision.train.scenes import KINDS, SYMBOLS
from vision.train.stock import in_parallel

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from vision.reading import Box
    from vision.train.scenes import Label
    from vision.train.stock import Shot

STORED, ROOM = 96, 1.8  # pixels a side of a stored crop, and its side in sides of the die's box
PAIR_OF_DIGITS = -2  # the target of a 6 or 9 that nothing tells apart
NONE = -1  # a target that there is none of
_UNKNOWN = (math.nan, math.nan)
_PRINTED = SYMBOLS + 20  # symbols, those of photographs last
IDENTITIES = _PRINTED + 6 + 10 + 6  # symbols, numerals on d6, numerals on d10, pips
_NO_DIE = (KINDS.index("nothing"), NONE, NONE, 0, NONE, NONE)
_AT_ONCE = 100  # shots that one process cuts at a time


class Crops(NamedTuple):
    """Crops (n x 96 x 96 x 3), targets (n x 6), leans (n x 2), turn and fine (n).

    Targets are kind, pips, digit, readable, identity and flat, -1 where there is none. A lean is NaN where
    nobody knows.
    """

    pictures: NDArray[np.uint8]
    targets: NDArray[np.int64]
    leans: NDArray[np.float32]
    turn: NDArray[np.float32]  # how far each may be turned, in degrees
    fine: NDArray[np.float32]  # pixels of the die's side in the picture it was cut from


def cut(shots: Sequence[Shot], *, seed: int, turn: float, blanks: float) -> Crops:
    """Cut the dice of shots out, and for each die so many places where none is."""
    parts = [(shots[n : n + _AT_ONCE], seed + n) for n in range(0, len(shots), _AT_ONCE)]
    crops = joined(in_parallel(functools.partial(_cut, turn=turn, blanks=blanks), parts))
    if all(die.flat for shot in shots for die in shot.dice):  # nobody looked for cocked ones there
        crops.targets[:, 5] = NONE
    return crops


def _cut(part: tuple[Sequence[Shot], int], *, turn: float, blanks: float) -> Crops:
    shots, seed = part
    rng = np.random.default_rng(seed)
    pictures, targets, leans, fine = [], [], [], []
    for shot in shots:
        picture = shot.picture()
        for die in shot.dice:
            x, y, w, h = die.bbox
            pictures.append(_square(picture, x + w / 2, y + h / 2, max(w, h)))
            targets.append(_target(die))
            leans.append(die.lean or _UNKNOWN)
            fine.append(max(w, h))
        for _ in range(rng.poisson(blanks * max(1, len(shot.dice)))):
            place = _blank(picture, shot, rng)
            if place is not None:
                pictures.append(_square(picture, *place))
                targets.append(_NO_DIE)
                leans.append(_UNKNOWN)
                fine.append(place[2])
    return _crops(pictures, targets, leans, turn, fine)


def cut_nothing(shot: Shot, boxes: Sequence[Box]) -> Crops:
    """Cut out places of a shot that look like dice to the finder, and are none."""
    picture = shot.picture()
    pictures = [_square(picture, *box.middle, max(box.w, box.h)) for box in boxes]
    fine = [max(box.w, box.h) for box in boxes]
    return _crops(pictures, [_NO_DIE] * len(boxes), [_UNKNOWN] * len(boxes), 180, fine)


def _crops(
    pictures: list[NDArray[np.uint8]],
    targets: Sequence[tuple[int, ...]],
    leans: Sequence[tuple[float, float]],
    turn: float,
    fine: Sequence[float],
) -> Crops:
    count = len(pictures)
    return Crops(
        np.array(pictures, np.uint8).reshape(count, STORED, STORED, 3),
        np.array(targets, np.int64).reshape(count, len(_NO_DIE)),
        np.array(leans, np.float32).reshape(count, 2),
        np.full(count, turn, np.float32),
        np.array(fine, np.float32),
    )


def joined(parts: Iterable[Crops]) -> Crops:
    """The crops of all parts, in order."""
    return Crops(*map(np.concatenate, zip(*parts, strict=True)))


def mirrored(crops: Crops) -> Crops:
    """Crops of pip dice and their mirror images; their leans must be unknown."""
    assert np.isnan(crops.leans).all()
    return joined([crops, crops._replace(pictures=crops.pictures[:, :, ::-1])])


def _square(picture: NDArray[np.uint8], x: float, y: float, wide: float) -> NDArray[np.uint8]:
    side = max(wide * ROOM, 8.0)
    scale = STORED / side
    if scale < 0.5:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 / scale), np.uint8)
    onto = np.array([[scale, 0, STORED / 2 - scale * x], [0, scale, STORED / 2 - scale * y]])
    cropped = cv2.warpAffine(
        picture, onto, (STORED, STORED), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cropped, np.uint8)


def _target(die: Label) -> tuple[int, ...]:
    """A face that can be read and lies flat counts; of a cocked die only the kind and the lean."""
    pips = digit = identity = NONE
    if not die.flat:
        return KINDS.index(die.kind), pips, digit, NONE, identity, 0
    if die.readable and die.kind == "pips":
        pips = int(die.face) - 1
        identity = _PRINTED + 16 + pips
    elif die.readable and die.kind in {"d6num", "d10"}:
        digit = PAIR_OF_DIGITS if die.either else int(die.face)
        offset = _PRINTED - 1 if die.kind == "d6num" else _PRINTED + 6
        identity = NONE if die.either else offset + int(die.face)
    elif die.readable and die.kind == "symbols" and die.face:
        identity = int(die.face[1:])
    readable = int(die.readable) if die.face else NONE
    return KINDS.index(die.kind), pips, digit, readable, identity, 1


def _blank(
    picture: NDArray[np.uint8], shot: Shot, rng: np.random.Generator
) -> tuple[float, float, float] | None:
    height, width = picture.shape[:2]
    x, y, wide = rng.uniform(0, width), rng.uniform(0, height), math.exp(rng.uniform(2.8, 5.0))
    for die in shot.dice:
        left, top, w, h = die.bbox
        if abs(x - left - w / 2) < 0.55 * (w + wide) and abs(y - top - h / 2) < 0.55 * (h + wide):
            return None
    return x, y, wide
