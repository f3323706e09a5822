"""Whether the camera moved while it took a picture, which draws all dice out along one line.

A numeral of which the strokes along one line are left may pass for another, and looks plain to the network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from vision.frames import Frame
    from vision.reading import Box

SHAKEN = 0.55  # the camera moved where fineness along one line is less than this share of that across it
_SIDE, _ROOM = 48, 1.2  # pixels a side of what is looked at, and its side in sides of a die's box
_SMOOTH = 0.8  # pixels, which take noise away
_LINES = ((0, 1), (1, 2), (1, 1), (2, 1))  # steps down and right; in the mirror, what is across them


def is_shaken(frame: Frame, boxes: Sequence[Box]) -> bool:
    """Whether the dice in these boxes are drawn out along one line."""
    import numpy as np

    pieces = np.array([_piece(frame, box) for box in boxes])
    mirrored = pieces[:, :, ::-1]
    for down, right in _LINES:
        along, across = _fineness(pieces, down, right), _fineness(mirrored, right, down)
        if min(along, across) < SHAKEN * max(along, across):
            return True
    return False


def _piece(frame: Frame, box: Box) -> NDArray[np.float32]:
    """A die in grey, of one size and contrast."""
    import cv2
    import numpy as np

    half, (across, down) = max(box.w, box.h) * _ROOM / 2, box.middle
    top, left = (max(0, round(middle - half)) for middle in (down, across))
    part = cv2.cvtColor(frame[top : round(down + half), left : round(across + half)], cv2.COLOR_BGR2GRAY)
    small = cv2.resize(part, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.GaussianBlur(small.astype(np.float32), (0, 0), _SMOOTH), np.float32)
    return grey / max(1.0, float(grey.std()))


def _fineness(pieces: NDArray[np.float32], down: int, right: int) -> float:
    """How soon what is drawn changes along a line: the mean square of its frequency, but for a factor."""
    first = _steps(pieces, down, right)
    second = _steps(first, down, right)
    return float((second**2).mean() / max(float((first**2).mean()), 1e-9))


def _steps(pieces: NDArray[np.float32], down: int, right: int) -> NDArray[np.float32]:
    """By how much each pixel differs from its neighbour there."""
    height, width = pieces.shape[1:]
    return pieces[:, down:, right:] - pieces[:, : height - down, : width - right]
