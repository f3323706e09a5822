"""Taught dice: samples in a gallery, against which a die's face is held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision import teach

if TYPE_CHECKING:
    import cv2

    from vision.sets import DiceSet


class Gallery:
    """The samples of one set, as the face network sees them."""

    def __init__(self, dice_set: DiceSet, net: cv2.dnn.Net) -> None:
        self.dice_set = dice_set
        self.samples = teach.samples(dice_set)
        self.net = net
