"""A tray on film: pictures of dice that a simple reader can read, with the hands and faults in between."""

from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np

from vision import Box, Die, Reading
from vision.camera import CameraError, Fault
from vision.cameras.fake import FakeCamera

Tray = Mapping[tuple[int, int], int]
"""Faces by where their dice lie."""

HAND = (150, 120, 90)


@cache
def _noise(shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(9).normal(0, 1.5, (7, *shape)).astype(np.float32)


def noisy(image: np.ndarray, seed: int) -> np.ndarray:
    """The same picture as a camera takes it, each time a little differently."""
    noise = _noise(image.shape)
    return np.asarray(cv2.add(image, noise[seed % len(noise)], dtype=cv2.CV_8U))


def picture(tray: Tray, seed: int = 0, *, hand: bool = False) -> np.ndarray:
    """Each die is a square whose brightness tells its face to the reader below; 0 is a cocked die."""
    image = np.full((240, 320, 3), 60, np.uint8)
    for (x, y), face in tray.items():
        cv2.rectangle(image, (x, y), (x + 23, y + 23), [130 + 18 * face] * 3, -1)
    if hand:
        cv2.rectangle(image, (0, 80), (110, 180), HAND, -1)
    return noisy(image, seed)


def read(frame: np.ndarray, dice_set: object) -> Reading:
    """A reader for such pictures."""
    bright = cv2.inRange(frame, (116,) * 3, (255,) * 3)
    dice = []
    for x, y, w, h, area in cv2.connectedComponentsWithStats(bright)[2][1:]:
        if area > 300:
            face = round((float(frame[y + 4 : y + h - 4, x + 4 : x + w - 4].mean()) - 130) / 18)
            box = Box(x, y, w, h)
            dice.append(
                Die(die="d6", face=str(face) if face else None, confidence=0.9, bbox=box, sure=face > 0)
            )
    return Reading(dice=tuple(dice), sure=all(die.sure for die in dice), ms=1)


def stills(*trays: Tray) -> FakeCamera:
    """A folder of pictures: each tray is one throw."""
    return FakeCamera([picture(tray) for tray in trays], stills=True)


class Film:
    """Frames of a tray, each noisy in its own way."""

    def __init__(self) -> None:
        self.frames: list[np.ndarray | CameraError] = []

    def rest(self, tray: Tray, seconds: float = 1.0, *, hand: bool = False) -> "Film":
        self.frames += [picture(tray, len(self.frames) + n, hand=hand) for n in range(round(seconds * 15))]
        return self

    def shade(self, frames: int) -> "Film":
        """A shadow over a part of the newest frames."""
        for frame in self.frames[-frames:]:
            frame[200:, :] = frame[200:, :] // 2
        return self

    def throw(self, tray: Tray) -> "Film":
        """A hand with the dice in it, dice that roll, and then lie still."""
        self.rest({}, 0.3, hand=True)
        for step in range(6):
            self.rest({(x - 5 * (6 - step), y): face for (x, y), face in tray.items()}, 1 / 15)
        return self.rest(tray)

    def fault(self, fault: Fault) -> "Film":
        self.frames.append(CameraError(fault, f"the camera is {fault}"))
        return self

    def camera(self) -> FakeCamera:
        return FakeCamera(self.frames)
