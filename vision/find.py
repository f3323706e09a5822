"""Finding dice: a small network looks over the frame, for dice of 12 to 300 pixels at one of its scales."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING, NamedTuple

from vision import frames
from vision.reading import Box

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from vision.frames import Frame
    from vision.network import Network

LONG_SIDE = 640  # pixels to which a frame is made smaller; the network was trained at this scale
_STRIDE = 8  # pixels a cell of the network's answer
_PAD = 32  # the sides of what it looks at are multiples of this
FAINT = 0.3  # below this score nothing is listed, not even to be asked about
_LARGE = 150.0  # pixels a die at this scale, from which on it is left to the look at half the scale
_MEDIUM = 36.0  # pixels a die at half the scale, below which it is left to the look at full scale
# The same of a die that this look does not see at all, and the score that it has to have.
_OVERLOOKED, _SEEN = 24.0, 0.4
_LITTLE, _ALIKE = 16.0, 0.6  # pixels a die from which on its place is told well, and overlap of such places
_COVERED = 0.4  # share of a box under a surer one from which on it may be the same die
_CUT_OFF = 0.1  # share of a side beyond the frame from which on pips may be missing
_MOST = 64  # dice that are looked at, the clearest first
_CLEAR = 0.5  # score from which on a die's size is taken for granted
_DWARF = 0.35  # of the clear ones' median size, below which a faint one is a speck or a pip
_SMALL = 20.0  # median pixels a die, below which another look is taken at twice the scale


class Candidate(NamedTuple):
    """Where a die may lie (in pixels of the frame), and how sure the network is of it (0 to 1)."""

    box: Box
    score: float


def find(frame: Frame, net: Network) -> list[Candidate]:
    """Every die in the frame, from the surest down.

    Small dice are sought at full scale, large ones at half of it, tiny ones at twice.
    """
    height, width = frame.shape[:2]
    scale = min(1.0, LONG_SIDE / max(height, width))
    small = frames.shrunk(frame, scale)
    near, far = _look(small, net, scale), _look(frames.shrunk(small, 0.5), net, scale / 2)
    listed = [c for c in near if _wide(c) * scale < _LARGE]
    seen = listed + [c for c in far if _wide(c) * scale / 2 > _LITTLE]
    listed += [c for c in far if _wide(c) * scale / 2 > _MEDIUM or _overlooked(c, near, scale / 2)]
    if scale < 1.0 and 0 < _median([c for c in listed if c.score > 2 * FAINT]) * scale < _SMALL:
        scale = min(1.0, 2 * scale)
        finest = _look(frames.shrunk(frame, scale), net, scale)
        listed, seen = listed + finest, seen + finest
    inside = [c for c in listed if _middle_inside(c.box, width, height)]
    kept = _placed(_apart(inside), seen)
    usual = _median([c for c in kept if c.score >= _CLEAR])
    return [c for c in kept if c.score >= _CLEAR or _wide(c) > _DWARF * usual][:_MOST]


def _overlooked(candidate: Candidate, near: list[Candidate], scale: float) -> bool:
    """Whether a die of medium size was not seen at all at the larger scale, as some with symbols aren't."""
    medium = _OVERLOOKED < _wide(candidate) * scale <= _MEDIUM and candidate.score > _SEEN
    return medium and not any(same(candidate.box, other.box) for other in near)


def _placed(candidates: list[Candidate], seen: list[Candidate]) -> list[Candidate]:
    """The candidates where all looks that see the same dice say, on the mean, that they lie."""
    import numpy as np

    if not candidates:
        return []
    ours, all_ = (np.array([c.box for c in some]) for some in (candidates, seen))
    shared = np.ones((len(ours), len(all_)))
    for at, long in ((0, 2), (1, 3)):
        ends = np.minimum((ours[:, at] + ours[:, long])[:, None], all_[:, at] + all_[:, long])
        shared *= np.maximum(0, ends - np.maximum(ours[:, at, None], all_[:, at]))
    areas = (ours[:, 2] * ours[:, 3])[:, None] + all_[:, 2] * all_[:, 3]
    weights = (shared > _ALIKE * (areas - shared)) * np.array([c.score for c in seen])
    boxes = weights @ all_ / weights.sum(axis=1, keepdims=True)
    return [c._replace(box=Box(*box)) for c, box in zip(candidates, boxes.tolist(), strict=True)]


def _wide(candidate: Candidate) -> float:
    return max(candidate.box.w, candidate.box.h)


def _median(candidates: list[Candidate]) -> float:
    return statistics.median_high(map(_wide, candidates)) if candidates else 0.0


def _look(small: Frame, net: Network, scale: float) -> list[Candidate]:
    """What is found in a frame that was made smaller by this scale, in pixels of the frame."""
    import cv2
    import numpy as np

    below, right = -small.shape[0] % _PAD, -small.shape[1] % _PAD
    padded = np.asarray(cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)
    out = net([padded])[0]
    heat = 1 / (1 + np.exp(-out[0]))
    peaks = (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > FAINT)
    return [_candidate(out, heat, int(row), int(column), scale) for row, column in np.argwhere(peaks)]


def _candidate(
    out: NDArray[np.float32], heat: NDArray[np.float32], row: int, column: int, scale: float
) -> Candidate:
    dx, dy, log_w, log_h = (float(v) for v in out[2:6, row, column])
    w, h = (math.exp(min(v, 4.5)) * _STRIDE / scale for v in (log_w, log_h))
    x, y = (column + 0.5 + dx) * _STRIDE / scale, (row + 0.5 + dy) * _STRIDE / scale
    return Candidate(Box(x - w / 2, y - h / 2, w, h), float(heat[row, column]))


def _middle_inside(box: Box, width: int, height: int) -> bool:
    x, y = box.middle
    return 0 <= x < width and 0 <= y < height


def _apart(candidates: list[Candidate]) -> list[Candidate]:
    """The candidates without the fainter of any two that mean the same die."""
    kept: list[Candidate] = []
    for candidate in sorted(candidates, key=lambda c: -c.score):
        if not any(same(candidate.box, other.box) for other in kept):
            kept.append(candidate)
    return kept


def same(a: Box, b: Box) -> bool:
    """Whether two boxes overlap so far, or one so lies within the other, that they mean the same die."""
    shared = _shared(a, b)
    return shared > 0.4 * (a.w * a.h + b.w * b.h - shared) or shared > 0.75 * min(a.w * a.h, b.w * b.h)


def crowded(candidate: Candidate, others: Sequence[Candidate]) -> bool:
    """Whether a surer candidate covers so much of this one that it may be a part of the other's die."""
    box = candidate.box
    return any(
        other.score > candidate.score and _shared(box, other.box) > _COVERED * box.w * box.h
        for other in others
    )


def cut_off(box: Box, width: int, height: int) -> bool:
    """Whether a part of a die that may hold pips lies beyond the edge of a frame of that size."""
    beyond = max(-box.x, -box.y, box.x + box.w - width, box.y + box.h - height)
    return beyond > _CUT_OFF * max(box.w, box.h)


def _shared(a: Box, b: Box) -> float:
    across = min(a.x + a.w, b.x + b.w) - max(a.x, b.x)
    down = min(a.y + a.h, b.y + b.h) - max(a.y, b.y)
    return max(0.0, across) * max(0.0, down)
