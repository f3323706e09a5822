"""A doubtful die is shown in the terminal as the reader saw it."""

import cv2
import numpy as np

from companion.engine.records import RolledDie
from companion.engine.session import Evidence
from companion.table.die_picture import die_picture
from companion.table.events import Seen


def seen(*photos: bytes) -> Seen:
    dice = tuple(RolledDie("d6", "3", "camera", 0.5) for _ in photos)
    return Seen(1, ("3",) * len(photos), "camera", (0,), Evidence(dice, photos))


def test_the_die_is_drawn_two_pixels_to_a_character() -> None:
    png = cv2.imencode(".png", np.full((48, 48, 3), (0, 0, 255), np.uint8))[1].tobytes()
    picture = die_picture(seen(png, png), 1, 20)
    assert picture.plain.splitlines() == ["▀" * 20] * 10
    assert {span.style.color.triplet.hex for span in picture.spans} == {"#ff0000"}


def test_a_die_without_a_picture_has_none() -> None:
    assert die_picture(seen(b"torn"), 0, 20) is None
    assert die_picture(seen(), 0, 20) is None
    assert die_picture(Seen(1, ("3",), "camera", (0,)), 0, 20) is None
