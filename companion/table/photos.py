"""Photographs of the dice of a roll, for whoever is asked about them and for the records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import cv2

from vision import Die, frames, teach

if TYPE_CHECKING:
    from companion.table.matching import Place, Throw
    from vision.frames import Frame as Image

TRAY_WIDTH = 480
"""Pixels of the picture of a whole tray that is kept for a missing die, or for dice that are too many."""

FRAME = (0, 255, 255)
"""The colour (BGR) round the dice that are taken where there are more."""


def photo(place: Place, throw: Throw, image: Image) -> bytes:
    """A PNG of the die, cut as a teaching sample is; of the whole tray where it is missing or one of many."""
    if place.seen is None:
        shown = shrunk(image)
    elif place.others and not place.doubtful:
        taken = [other.seen for other in throw.places if other.group is place.group]
        shown = shrunk(framed(image, [die for die in taken if die is not None]))
    else:
        shown = teach.cut(image, place.seen.bbox)
    done, data = cv2.imencode(".png", shown)
    assert done
    return data.tobytes()


def framed(image: Image, dice: Sequence[Die]) -> Image:
    """The picture with a frame round each of these dice."""
    shown = image.copy()
    for die in dice:
        left, top, width, height = (round(edge) for edge in die.bbox)
        thickness = max(2, image.shape[1] // TRAY_WIDTH * 2)
        cv2.rectangle(shown, (left, top), (left + width, top + height), FRAME, thickness)
    return shown


def shrunk(image: Image) -> Image:
    """A whole tray at a size that is worth keeping."""
    return frames.shrunk(image, min(1.0, TRAY_WIDTH / image.shape[1]))
