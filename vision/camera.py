"""Cameras: where pictures come from, and how old they are.

A camera hands out frames that it vouches for: new, lit, of one size, and stamped by our own monotonic
clock. What it can't vouch for it refuses with a `CameraError` within `PATIENCE` seconds, whatever the
device under it does, and it goes on trying to get the device back by itself.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING, Protocol, Self

from vision.errors import VisionError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from vision.frames import Frame as Image

    Clock: TypeAlias = Callable[[], float]  # seconds on a monotonic clock

PATIENCE = 1.5
"""Seconds without a new picture after which a camera is given up (R10 allows two)."""


QUARTERS = ("90", "180", "270")
"""Degrees by which pictures can be turned."""


class Fault(StrEnum):
    """Why a camera has no picture to give."""

    MISSING = "missing"
    SILENT = "silent"
    FROZEN = "frozen"
    BLACK = "black"
    RESIZED = "resized"
    RELIT = "relit"
    ENDED = "ended"


class CameraError(VisionError, OSError):
    """No picture can be had: `fault` says why, the message says what to do."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault = fault


def is_over(error: BaseException | None) -> bool:
    """Whether it says that a film, or a folder of pictures, has no more to show."""
    return isinstance(error, CameraError) and error.fault is Fault.ENDED


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the tray.

    `taken` is in seconds of `time.monotonic()` and never later than the exposure's end, so that a frame
    whose `taken` is after an event shows what came after it.
    """

    image: Image
    taken: float


class Closing:
    """Makes a camera a context: it is closed at its end."""

    def close(self) -> None:
        """Let the device go."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Camera(Protocol):
    """Where frames come from.

    `stills`: each frame is a throw of its own (a folder of photographs), so there is nothing to settle.
    """

    @property
    def name(self) -> str:
        """What a person would call it: a device path, a file."""
        ...

    @property
    def stills(self) -> bool:
        """Whether each frame is a throw of its own."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know about it, such as an exposure that can't be locked."""
        ...

    @property
    def trouble(self) -> CameraError | None:
        """Why no picture can be had at this moment, said without waiting for one; None while all is well."""
        ...

    def frame(self, newer_than: float = 0.0) -> Frame:
        """The first frame there is with `taken > newer_than`; raises CameraError if none can be had."""
        ...

    def close(self) -> None:
        """Let the device go."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc_info: object) -> None: ...


def open_camera(source: str | Path | None = None, *, now: bool = False) -> Camera:
    """The camera that a person means by `source`.

    A number or a `/dev/...` path is a USB camera, `csi` the ribbon-cable camera of a Raspberry Pi, a folder
    or a picture is played as one throw a picture, another file as a film. None takes the first camera that is
    there. `@90`, `@180` or `@270` behind any of them turns its pictures clockwise by so many degrees, unless
    a file or folder is called so; nothing before it means the first camera too. Raises CameraError if the
    source can't exist; one that is merely unplugged may come, and is waited for, unless it has to be there
    `now`.
    """
    from vision.cameras import csi, files, turned, usb

    if source is None:
        source = first_camera()
    text, path = str(source), Path(source)
    untold, mark, degrees = text.rpartition("@")
    if mark and degrees in QUARTERS and not os.path.exists(text):  # noqa: PTH110 - Path.exists may raise
        return turned.TurnedCamera(open_camera(untold or None, now=now), QUARTERS.index(degrees) + 1)
    if text == "csi" or text.isdigit() or text.startswith("/dev/"):
        _need_linux()
        return csi.open_csi(now=now) if text == "csi" else usb.open_usb(text, now=now)
    try:
        mode = path.stat().st_mode if text else 0  # no name would be the folder that one is in
    except (FileNotFoundError, NotADirectoryError, ValueError):
        mode = 0
    except OSError as error:  # too long for a file's name, or in a folder that is closed to us
        raise CameraError(Fault.MISSING, f"camera {text!r}: {error.strerror}") from error
    if S_ISDIR(mode) or (S_ISREG(mode) and path.suffix.lower() in files.SUFFIXES | files.FOREIGN):
        return files.FolderCamera(path)
    if S_ISREG(mode):
        return files.VideoCamera(path)
    turns = "; @90, @180 and @270 turn one" if mark and degrees.isdecimal() else ""
    raise CameraError(Fault.MISSING, f"camera {text!r}: no such device, film or folder{turns}")


def first_camera() -> str:
    """The first USB camera plugged in, else the Raspberry Pi's own, else a laptop's own.

    Raises CameraError if there is none.
    """
    from vision.cameras import present

    _need_linux()
    found = present.usb_cameras()
    plugged_in = [path for path in found if not present.is_laptops_own(path)]
    if plugged_in:
        return plugged_in[0]
    if present.has_ribbon_camera():
        return "csi"
    if found:
        return found[0]
    raise CameraError(Fault.MISSING, "no camera found: plug one in, or name one with --camera")


def _need_linux() -> None:
    if sys.platform != "linux":
        says = "cameras are read on Linux alone; here --camera takes a film or a folder of pictures"
        raise CameraError(Fault.MISSING, says)
