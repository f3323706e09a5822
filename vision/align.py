"""Symbols by correlation: a taught picture, turned and shifted until it lies on the die as well as it can.

A symbol's samples all show the same print, so that correlation tells more than any learnt feature does, as
long as light and lie are taken out first: each pixel is held against its surroundings, and each sample is
turned in small steps. (Normalised cross-correlation, after Lewis 1995.)
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.frames import Frame
    from vision.reading import Box

SIDE = 32  # pixels of a template; it covers the middle of a face, not its edges
_TURNS = 36  # steps in which each sample is turned
_SHIFT, _STEP = 4, 2  # pixels by which a die is shifted at most, and between the shifts that are tried
# From the middle of a die to that of a face, in sides of its box, for a slope of 1 (the sine of its angle).
_AHEAD = 0.45
_STEEPEST = 0.9  # slope to which a face is drawn out at most
_SCALES = (0.88, 1.0)  # a sample's box and a die's box are never drawn quite alike
_POOLED, _KEPT = 8, 300  # pixels a side of a coarse patch, and how many templates are then compared in full
_QUIET = 20.0  # variance of grey levels that counts as noise


# How much of a die is compared, in sides of its box: numerals are smaller than symbols.
SYMBOL, NUMERAL = 0.65, 0.45


def templates(picture: Frame, box: Box, lean: NDArray[np.floating], room: float) -> NDArray[np.int8]:
    """A sample's print at each turn: _TURNS x SIDE**2, scaled so that the longest is 127.

    `lean` is how its upper face slopes, as of `vision.faces.View`: the parts to the right and down.
    """
    import numpy as np

    turns = (360 * turn / _TURNS for turn in range(_TURNS))
    patches = [_patch(picture, box, lean, SIDE, 1 / room, turn) for turn in turns]
    flat = _units(np.stack(patches))
    return np.asarray(np.round(flat * (127 / max(float(np.abs(flat).max()), 1e-6))), np.int8)


class Aligner:
    """The templates of a set's samples (n x _TURNS x SIDE**2), and of which class each sample is.

    All templates are compared coarsely, and the best of them in full: on rendered sets that finds the very
    same margins as comparing all in full, in a fifth of the time.
    """

    def __init__(self, stored: NDArray[np.int8], of: NDArray[np.int64], classes: int, room: float) -> None:
        import numpy as np

        self._room = room
        self._templates = stored.reshape(-1, SIDE * SIDE)
        lengths = [np.linalg.norm(one.astype(np.float32), axis=1) for one in stored]
        self._lengths = np.maximum(np.concatenate(lengths), 1.0)  # what is all of one grey has none
        self._coarse = _scaled(_pooled(self._templates))
        self._owner = np.repeat(of, _TURNS)
        self._classes = classes

    def scores(self, frame: Frame, box: Box, lean: NDArray[np.floating]) -> NDArray[np.float64]:
        """How well the die in a box, if it slopes so, correlates with the templates of each class (-1 to 1).

        -1 where a class has none, or none of its templates is among the best at a coarse look.
        """
        import numpy as np

        size = SIDE + 2 * _SHIFT
        wide = [_patch(frame, box, lean, size, scale / self._room, 0.0) for scale in _SCALES]
        windows = np.lib.stride_tricks.sliding_window_view(np.stack(wide), (SIDE, SIDE), axis=(1, 2))
        looks = _units(windows[:, ::_STEP, ::_STEP].reshape(-1, SIDE, SIDE))
        coarse = (_scaled(_pooled(looks)) @ self._coarse.T).max(axis=0)
        rows = np.argpartition(-coarse, _KEPT)[:_KEPT] if len(coarse) > _KEPT else np.arange(len(coarse))
        best = np.full(self._classes, -1.0)
        fits = (self._templates[rows].astype(np.float32) @ looks.T).max(axis=1) / self._lengths[rows]
        np.maximum.at(best, self._owner[rows], fits)
        return best


def _pooled(flat: NDArray[np.generic]) -> NDArray[np.float32]:
    """Patches (n x SIDE**2) as means of squares (n x _POOLED**2); sums of slices are faster than a mean."""
    import numpy as np

    side = SIDE // _POOLED
    squares = flat.reshape(len(flat), _POOLED, side, _POOLED, side)
    across = functools.reduce(np.add, (squares[..., n].astype(np.float32) for n in range(side)))
    sums = functools.reduce(np.add, (across[:, :, n] for n in range(side)))
    return np.asarray(sums.reshape(len(flat), -1) / np.float32(side * side), np.float32)


def _scaled(flat: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), np.float32)


def _patch(
    picture: Frame, box: Box, lean: NDArray[np.floating], size: int, scale: float, turn: float
) -> NDArray[np.float32]:
    """A face that slopes so as from straight above, turned: grey levels against their surroundings."""
    import cv2
    import numpy as np

    side = max(box.w, box.h, 4.0)
    pixels = SIDE / side * scale
    middle = np.array(box.middle) - 0.5 + _AHEAD * side * lean
    onto = np.zeros((2, 3))
    onto[:, :2] = np.asarray(cv2.getRotationMatrix2D((0, 0), turn, pixels))[:, :2] @ _drawn_out(lean)
    if pixels < 0.5:
        reach = int(2 * side) + 2
        left, top = (max(0, int(at) - reach) for at in middle)
        near = picture[top : top + 2 * reach, left : left + 2 * reach]
        picture = np.asarray(cv2.GaussianBlur(near, (0, 0), 0.35 / pixels), np.uint8)
        middle -= left, top
    onto[:, 2] = size / 2 - 0.5 - onto[:, :2] @ middle
    warped = cv2.warpAffine(picture, onto, (size, size), borderMode=cv2.BORDER_REPLICATE)
    grey = cv2.cvtColor(warped, cv2.COLOR_BGR2GRAY).astype(np.float32)
    level = grey - cv2.GaussianBlur(grey, (0, 0), SIDE / 5)
    spread = np.sqrt(cv2.GaussianBlur(level * level, (0, 0), SIDE / 3) + _QUIET)
    return np.asarray(level / spread, np.float32)


def _drawn_out(lean: NDArray[np.floating]) -> NDArray[np.float64]:
    """What undoes the foreshortening of a face that slopes so (2 x 2)."""
    import numpy as np

    square = min(float(lean @ lean), _STEEPEST**2)
    if square == 0:
        return np.eye(2)
    return np.eye(2) + (1 / math.sqrt(1 - square) - 1) * np.outer(lean, lean) / float(lean @ lean)


def _units(patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """The round middles of patches (n x SIDE x SIDE) as vectors of length 1 (n x SIDE**2)."""
    import numpy as np

    across = np.arange(SIDE) - (SIDE - 1) / 2
    inside = np.hypot(across[:, None], across[None]) < SIDE / 2 - 0.5
    return _scaled(np.where(inside, patches, np.float32(0)).reshape(len(patches), -1))
