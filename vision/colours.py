"""The colour of a die's body: as it was taught, or by the common names of colours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    from vision.frames import Frame
    from vision.reading import Box

    Tone: TypeAlias = NDArray[np.float64]

_WEIGHTS = (0.2, 1.0, 1.0)
# How much nearer than the next colour the best is where it is as likely right as wrong; the step's width.
_LIKE, _LIKE_WIDTH = 0.1, 0.04
_LIGHT, _BLOWN = 180 * _WEIGHTS[0], 225 * _WEIGHTS[0]  # lightness of light colours, and beyond all colour
_GREY = (0.0, 128.0, 128.0)  # no light, and no colour
# How light may differ, what each difference costs as a distance, and from which distance on a die is strange.
_GAINS, _CHANGE, _STRANGE = (0.55, 0.7, 0.85, 1.0, 1.2, 1.45, 1.8), 3.0, 15.0
_NEAREST = 3  # samples of a colour that a die is held against
# Lightness, red-green and yellow-blue of dice under white light, as OpenCV scales CIELAB to a byte.
_NAMED: dict[str, tuple[float, float, float]] = {
    "black": (40, 128, 128),
    "grey": (125, 128, 128),
    "white": (225, 128, 130),
    "ivory": (215, 128, 150),
    "yellow": (200, 125, 195),
    "orange": (160, 165, 180),
    "red": (110, 180, 160),
    "brown": (85, 145, 150),
    "green": (115, 90, 150),
    "olive": (115, 120, 155),
    "blue": (95, 135, 80),
    "purple": (85, 165, 95),
}


def told(frame: Frame, box: Box, known: Mapping[str, Tone], by: float = 1.0) -> tuple[str | None, float]:
    """The colour of a die among known ones (n x 3 tones each) and its chance; None when none is known.

    The chance is halved where the darker half of the die has another colour, since a lamp washes black white,
    in a picture that is all grey, where it may be one of several, and where the die would have another one in
    so much more light as `gain` tells: white in dim light looks black.
    """
    import numpy as np

    if not known:
        return None, 1.0
    seen = _levels(frame, box)
    colour, chance = nearest(_median(seen), known)
    darker, _ = nearest(_median(seen[np.argsort(seen[:, 0])[: len(seen) // 2 + 1]]), known)
    lit, _ = nearest(_lit(_median(seen), by), known)
    doubtful = not darker == lit == colour or (len(known) > 1 and _is_grey(frame))
    return colour, chance / 2 if doubtful else chance


def gain(seen: Sequence[Tone], known: Mapping[str, Tone]) -> float:
    """So much more light would make the dice in a picture, on the mean, look most like known ones."""
    import numpy as np

    if not known:
        return 1.0
    samples, tones = np.concatenate(list(known.values())), np.stack(seen)

    def strangeness(by: float) -> float:
        apart = np.linalg.norm(_lit(tones, by)[:, None] - samples[None], axis=2).min(axis=1)
        return float(np.minimum(apart, _STRANGE).mean()) + _CHANGE * abs(math.log(by))

    return min(_GAINS, key=strangeness)


def _lit(tones: Tone, by: float) -> Tone:
    """Tones (3, or n x 3) in so much more light: all of CIELAB grows alike."""
    import numpy as np

    grey = np.array(_GREY)
    lit = grey + by * (tones - grey)
    lit[..., 0] = np.minimum(lit[..., 0], 255 * _WEIGHTS[0])
    return np.asarray(lit, np.float64)


def _is_grey(frame: Frame) -> bool:
    """Whether a picture has no colour anywhere, as that of a camera for the night."""
    blue, green, red = (frame[::8, ::8, channel] for channel in range(3))
    return bool((blue == green).all() and (green == red).all())


def tone(frame: Frame, box: Box) -> Tone:
    """The median colour of a die: CIELAB, with lightness, in which lamps and shadows differ, at a fifth."""
    return _median(_levels(frame, box))


def _median(levels: NDArray[np.uint8]) -> Tone:
    import numpy as np

    return np.asarray(np.median(levels, axis=0) * _WEIGHTS, np.float64)


def _levels(frame: Frame, box: Box) -> NDArray[np.uint8]:
    """The pixels of a die (n x 3, CIELAB), but for its edges."""
    import cv2
    import numpy as np

    x0, x1 = max(0, int(box.x + 0.1 * box.w)), int(box.x + 0.9 * box.w) + 1
    y0, y1 = max(0, int(box.y + 0.1 * box.h)), int(box.y + 0.9 * box.h) + 1
    return np.asarray(cv2.cvtColor(frame[y0:y1, x0:x1], cv2.COLOR_BGR2LAB).reshape(-1, 3), np.uint8)


def nearest(seen: Tone, known: Mapping[str, Tone]) -> tuple[str | None, float]:
    """The colour whose tones are nearest, and the chance that it is that one; None when none is known."""
    import numpy as np

    if not known:
        return None, 1.0
    distances = {
        colour: float(np.sort(np.linalg.norm(tones - seen, axis=1))[:_NEAREST].mean())
        for colour, tones in known.items()
    }
    best = min(distances, key=lambda colour: distances[colour])
    others = [distance for colour, distance in distances.items() if colour != best]
    if not others:
        return best, 1.0
    if seen[0] > _BLOWN and (light := sum(map(_is_light, known.values()))) > 1:
        return best, 1 / light  # white and ivory look alike where light has washed them out
    following = min(others)
    closer = (following - distances[best]) / (following + 1e-9)
    return best, 1 / (1 + math.exp(-(closer - _LIKE) / _LIKE_WIDTH))


def _is_light(tones: Tone) -> bool:
    """Whether a colour is light: half of its samples are, since a lamp makes one of any colour so."""
    return bool((tones[:, 0] > _LIGHT).mean() >= 0.5)


def named(names: Sequence[str]) -> dict[str, Tone]:
    """The tone of each of these colours by its common name (1 x 3); empty if one of them is not known."""
    import numpy as np

    if any(name not in _NAMED for name in names):
        return {}
    return {name: np.array([_NAMED[name]]) * _WEIGHTS for name in names}
