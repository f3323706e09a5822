"""USB cameras through V4L2.

Facts behind the order of things: a camera's number changes when it is replugged, its by-id link does not;
MJPG has to be asked for before the size; what `set` returns can't be believed, so it is read back; a
camera that is pulled out fails every read at once for ever while `isOpened` stays true.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from vision.camera import CameraError, Fault
from vision.cameras.live import LiveCamera, Shot
from vision.cameras.present import BY_ID, usb_cameras

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.camera import Clock

SIZE = (1280, 720)
RATE = 15
SETTLE = 1.2
"""Seconds that automatic exposure, white balance and focus get before they are frozen."""

BUFFERS = 4
"""Pictures that the driver may have queued up while nobody read."""

LONG_PAUSE = 0.4
"""Seconds between two reads after which queued pictures may be stale."""

FAILED_READS = 3
"""Reads that may fail in a row before the device is taken for lost."""


class Capture(Protocol):
    """What is used of cv2.VideoCapture."""

    def isOpened(self) -> bool: ...  # noqa: N802 - OpenCV's name
    def grab(self) -> bool: ...
    def read(self) -> tuple[bool, object]: ...
    def get(self, prop: int, /) -> float: ...
    def set(self, prop: int, value: float, /) -> bool: ...
    def release(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Control:
    """A thing that a camera sets by itself until it is told not to: OpenCV's property numbers and values."""

    name: str
    mode: int
    automatic: float
    manual: float
    value: int


def controls() -> tuple[Control, ...]:
    """What is locked: a picture must not change because a die moved."""
    import cv2

    return (
        Control("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, 3, 1, cv2.CAP_PROP_EXPOSURE),
        Control("white balance", cv2.CAP_PROP_AUTO_WB, 1, 0, cv2.CAP_PROP_WB_TEMPERATURE),
        Control("focus", cv2.CAP_PROP_AUTOFOCUS, 1, 0, cv2.CAP_PROP_FOCUS),
    )


def steady_path(source: str, by_id: Path = BY_ID) -> str:
    """The by-id path of camera `source` (a number or a device path) if it has one, else its device path."""
    device = Path(f"/dev/video{source}" if source.isdigit() else source)
    same = (link for link in usb_cameras(by_id) if Path(link).resolve() == device.resolve())
    return next(same, str(device))


def open_usb(source: str, *, now: bool) -> LiveCamera:
    """The camera of this number or device path, plugged in now or later.

    CameraError if it has to be there `now` and is not.
    """
    path = steady_path(source)
    if now:
        _check_there(path)

    def stream() -> UsbStream:
        nonlocal path
        path = steady_path(path)  # one that was not there at first has its lasting name now
        return UsbStream(path)

    return LiveCamera(path, stream)


def _check_there(path: str) -> None:
    if not os.path.exists(path):  # noqa: PTH110 - Path.exists may raise
        raise CameraError(Fault.MISSING, f"camera {path} is not there: plug it in")
    if not os.access(path, os.R_OK | os.W_OK):
        raise CameraError(Fault.MISSING, f"camera {path} may not be opened: add the user to the group video")


def open_v4l2(path: str) -> Capture:
    """OpenCV's capture for a device path."""
    import cv2

    capture: Capture = cv2.VideoCapture(str(Path(path).resolve()), cv2.CAP_V4L2)
    return capture


class UsbStream:
    """One opened USB camera, its picture frozen to what automatic control settled on."""

    def __init__(
        self,
        path: str,
        *,
        open_capture: Callable[[str], Capture] = open_v4l2,
        clock: Clock = time.monotonic,
    ) -> None:
        _check_there(path)
        self._path = path
        self._clock = clock
        self._capture = open_capture(path)
        if not self._capture.isOpened():
            raise CameraError(Fault.MISSING, f"camera {path} can't be opened: is another program using it?")
        self._last_read = clock()
        try:
            self._choose_format()
            self.notes = self._settle_and_lock()
        except CameraError:
            self._capture.release()  # or it could not be opened again
            raise

    def read(self) -> Shot:
        """The next picture, queued ones that are stale left out."""
        if self._clock() - self._last_read > LONG_PAUSE:
            for _ in range(BUFFERS):
                self._read()
        return self._read()

    def skip(self) -> None:
        """Take a picture off the queue without decoding it."""
        good = any(self._capture.grab() for _ in range(FAILED_READS))
        self._last_read = self._clock()
        if not good:
            raise self._lost()

    def close(self) -> None:
        """Let the device go, automatic again: it keeps what is set for whichever program opens it next."""
        self._set_automatic()
        self._capture.release()

    def _read(self) -> Shot:
        for _ in range(FAILED_READS):
            started = self._clock()
            good, image = self._capture.read()
            self._last_read = self._clock()
            if good:
                return Shot(np.asarray(image, dtype=np.uint8), self._taken(started))
        raise self._lost()

    def _lost(self) -> CameraError:
        return CameraError(Fault.MISSING, f"camera {self._path} stopped answering: check its cable")

    def _taken(self, started: float) -> float:
        """When the picture was exposed at the earliest: the kernel's own stamp where it makes sense."""
        import cv2

        stamp = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        return stamp if started - 60 < stamp < started else started

    def _choose_format(self) -> None:
        import cv2

        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        self._capture.set(cv2.CAP_PROP_FPS, RATE)

    def _settle_and_lock(self) -> tuple[str, ...]:
        self._set_automatic()
        until = self._clock() + SETTLE
        while self._clock() < until:
            self._read()
        return tuple(
            f"camera {self._path}: {control.name} stays automatic"
            for control in controls()
            if not self._lock(control)
        )

    def _set_automatic(self) -> None:
        for control in controls():
            self._capture.set(control.mode, control.automatic)

    def _lock(self, control: Control) -> bool:
        """Freeze a control at its present value; true also for a camera that hasn't got it."""
        if self._capture.get(control.mode) < 0:
            return True
        value = self._capture.get(control.value)
        self._capture.set(control.mode, control.manual)
        held = self._capture.set(control.value, value)
        return held and self._capture.get(control.mode) == control.manual
