"""Reading faces: each die is cut out, brought to one size and shown to a small network."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from vision.frames import Frame
    from vision.network import Network
    from vision.reading import Box

CROP = 64  # pixels a side of what the face network sees
ROOMS = (1.5, 1.28)  # sides of the cuts, in sides of the die's box: two looks that must agree
PLAIN = 0.92  # chance of so many pips at the first of them from which on it is enough
PLAINER = 0.95  # the same of the network of glances
# Sides and turns (in degrees) of further cuts, for a die that two looks leave in doubt.
CLOSER = ((1.2, 12.0), (1.36, -12.0), (1.28, 24.0), (1.4, -24.0))
# The same of the cuts that the network of numerals is shown, closer ones. They stay upright: in a picture
# taken from the side, that tells the upper face from the front one.
NUMERAL_ROOMS = ((1.0, 0.0), (1.15, 12.0))
NUMERAL_CLOSER = ((1.2, 0.0), (1.1, -12.0), (1.0, 12.0), (1.2, -12.0))
# What the network tells apart, in the order of its answer.
PIPS, D6_NUMERALS, D10_NUMERALS, SYMBOLS, OTHER, NOTHING = range(6)
WITH_NUMERALS = (D6_NUMERALS, D10_NUMERALS, OTHER)
_PARTS = (6, 12, 13, 16)  # where pips, kinds, readable and lean end in the answer
_ANSWER = 112  # numbers in it
_DIGITS = 10


class View(NamedTuple):
    """What the networks say of n looks, as chances: pips (n x 6), kinds (6), readable (n) and digits (10).

    `lean` (n x 3) is the sine of the slope of the face that looks most at the camera, and its parts to the
    right and down. `features` (n x 96) are what the network tells all this from. `digits` are 0 where the
    network of numerals has not been asked.
    """

    pips: NDArray[np.float32]
    kinds: NDArray[np.float32]
    readable: NDArray[np.float32]
    lean: NDArray[np.float32]
    features: NDArray[np.float32]
    digits: NDArray[np.float32]


def glances(frame: Frame, boxes: Sequence[Box], net: Network, small: Network) -> list[View]:
    """As `looks`, for pip dice: those that a smaller network has no doubt about are shown to it alone."""
    seen = _each(view([cut(frame, box, ROOMS[0]) for box in boxes], small), 1)
    doubted = [n for n, look in enumerate(seen) if _plain(look) < PLAINER]
    for n, look in zip(doubted, looks(frame, [boxes[n] for n in doubted], net), strict=True):
        seen[n] = look
    return seen


def looks(frame: Frame, boxes: Sequence[Box], net: Network) -> list[View]:
    """Show the dice in these boxes to the network; all cuts of a die, one for each of ROOMS, are one view.

    A pip die that the first look leaves no doubt about gets no second one.
    """
    first, *others = ROOMS
    seen = _each(view([cut(frame, box, first) for box in boxes], net), 1)
    again = [n for n, look in enumerate(seen) if _plain(look) < PLAIN]
    more = view([cut(frame, boxes[n], room) for n in again for room in others], net)
    for n, look in zip(again, _each(more, len(others)), strict=True):
        seen[n] = _joined(seen[n], look)
    return seen


def closer(frame: Frame, box: Box, seen: View, net: Network) -> View:
    """The same view with further looks at the die."""
    return _joined(seen, view([cut(frame, box, room, turn) for room, turn in CLOSER], net))


def with_numerals(frame: Frame, box: Box, seen: View, net: Network) -> View:
    """The same view with what the network of numerals says of the die, where it has not been asked yet."""
    import numpy as np

    known = seen.digits[seen.digits.any(axis=1)]
    cuts = (*NUMERAL_ROOMS, *NUMERAL_CLOSER)[len(known) : len(seen.digits)]
    digits = _softmax(np.array(net([cut(frame, box, room, turn) for room, turn in cuts])))
    return seen._replace(digits=np.concatenate([known, digits]))


def view(crops: Sequence[Frame], net: Network) -> View:
    """Show crops (64 x 64 BGR) to the network."""
    import numpy as np

    out = net(crops) if crops else np.zeros((0, _ANSWER), np.float32)
    pips, kinds, readable, lean, features = np.split(out, _PARTS, axis=1)
    return View(
        _softmax(pips),
        _softmax(kinds),
        np.asarray(1 / (1 + np.exp(-readable[:, 0])), np.float32),
        lean,
        features,
        np.zeros((len(out), _DIGITS), np.float32),
    )


def _each(seen: View, looks: int) -> list[View]:
    """The views of single dice, of so many looks each."""
    return [View(*(part[n : n + looks] for part in seen)) for n in range(0, len(seen.readable), looks)]


def _joined(one: View, other: View) -> View:
    import numpy as np

    return View(*(np.concatenate(parts) for parts in zip(one, other, strict=True)))


def _plain(look: View) -> float:
    """The chance that a first look gives to a pip die with the face that it says."""
    return float(look.pips[0].max() * look.kinds[0, PIPS] * look.readable[0])


def cut(frame: Frame, box: Box, room: float, turn: float = 0.0) -> Frame:
    """The square about a box, turned by degrees, at the network's size; past the frame, its edge goes on."""
    import cv2
    import numpy as np

    half = max(box.w, box.h, 4.0) * room / 2
    cx, cy = box.middle
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    reach = half * (abs(cos) + abs(sin))
    x0, y0 = max(0, int(cx - reach) - 2), max(0, int(cy - reach) - 2)
    x1, y1 = int(cx + reach) + 3, int(cy + reach) + 3
    part, scale = frame[y0:y1, x0:x1], CROP / (2 * half)
    fold = int(1 / scale) if scale < 0.5 else 1
    if fold > 1:  # shrink by areas first, or thin strokes are lost between pixels
        part = part[: part.shape[0] // fold * fold, : part.shape[1] // fold * fold]
        shrunk = cv2.resize(part, None, fx=1 / fold, fy=1 / fold, interpolation=cv2.INTER_AREA)
        part = np.asarray(shrunk, np.uint8)
    onto = np.array([[cos, sin, 0], [-sin, cos, 0]]) * scale * fold
    onto[:, 2] = CROP / 2 - onto[:, :2] @ [(cx - x0) / fold, (cy - y0) / fold]
    crop = cv2.warpAffine(part, onto, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
