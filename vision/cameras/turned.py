"""A camera that hangs upside down, or on its side: its pictures are turned upright."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.camera import Closing, Frame

if TYPE_CHECKING:
    from vision.camera import Camera, CameraError


class TurnedCamera(Closing):
    """Another camera, whose pictures are turned clockwise by so many quarters (1 to 3)."""

    def __init__(self, camera: Camera, quarters: int) -> None:
        self._camera = camera
        self._quarters = quarters

    @property
    def name(self) -> str:
        """What a person would call it."""
        return self._camera.name

    @property
    def stills(self) -> bool:
        """Whether each frame is a throw of its own."""
        return self._camera.stills

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know about it."""
        return self._camera.notes

    @property
    def trouble(self) -> CameraError | None:
        """Why no picture can be had at this moment."""
        return self._camera.trouble

    def frame(self, newer_than: float = 0.0) -> Frame:
        """The other camera's frame, turned; raises CameraError as it does."""
        import cv2

        frame = self._camera.frame(newer_than)
        turned = cv2.rotate(frame.image, self._quarters - 1)  # its codes count quarters from 0
        return Frame(np.asarray(turned, np.uint8), frame.taken)

    def close(self) -> None:
        """Let the device go."""
        self._camera.close()
