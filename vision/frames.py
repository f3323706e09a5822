"""Frames: what a picture must look like to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision import jpeg
from vision.errors import FrameError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TypeAlias

    import numpy as np
    from numpy.typing import NDArray

    Frame: TypeAlias = NDArray[np.uint8]

SMALLEST, LARGEST = 32, 8192  # pixels a side: below, no die can be told; above, it is no camera's picture


def check(frame: object) -> None:
    """Raise FrameError unless this is a colour picture: height x width x 3 of uint8."""
    import numpy as np

    if not isinstance(frame, np.ndarray):
        raise FrameError(f"a frame is a numpy array, not {type(frame).__name__}; was the file read?")
    shape = frame.shape
    if len(shape) != 3 or shape[2] != 3:
        raise FrameError(f"a frame is height x width x 3 (BGR), not {shape}; convert it with cv2.cvtColor")
    if frame.dtype != np.uint8:
        raise FrameError(f"a frame holds uint8, not {frame.dtype}; scale it to 0..255 first")
    if min(shape[:2]) < SMALLEST or max(shape[:2]) > LARGEST:
        raise FrameError(f"a frame of {shape[1]}x{shape[0]} is outside {SMALLEST}..{LARGEST} pixels a side")


def load(path: Path) -> Frame:
    """The picture of a file (BGR); FrameError when it is none."""
    return decoded(stored(path), str(path))


def readable(path: Path) -> Frame:
    """The picture of a file, of a size at which dice can be read; FrameError when it is none such."""
    picture = load(path)
    try:
        check(picture)
    except FrameError as error:
        raise FrameError(f"{path}: {error}") from error
    return picture


def is_endless(path: Path) -> bool:
    """Whether it is a pipe, which may have nobody at its other end, or a device, which may have no end."""
    return path.exists() and not (path.is_file() or path.is_dir())


def stored(path: Path) -> bytes:
    """What a file holds; FrameError when it can't be read."""
    try:
        if is_endless(path):
            raise FrameError(f"{path} is a pipe or a device, not a picture's file")
        return path.read_bytes()
    except OSError as error:
        raise FrameError(f"{path} can't be read: {error.strerror}") from error
    except ValueError as error:  # a name that no file can have
        raise FrameError(f"{path} can't be read: {error}") from error


def decoded(content: bytes, name: str) -> Frame:
    """The picture (BGR) that a file of that name and content holds; FrameError when it is none."""
    import cv2
    import numpy as np

    if content.startswith(jpeg.START) and not jpeg.is_whole(content):
        raise FrameError(f"{name} is damaged: a part of the picture is missing or shifted")
    try:
        picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:  # nothing at all, or more pixels than are read (vision/__init__.py)
        if "MAX_IMAGE_PIXELS" in str(error):
            raise FrameError(f"{name} has far more pixels than a camera's picture; scale it down") from error
        picture = None
    if picture is None:
        raise FrameError(f"{name} is no picture that can be read; use JPEG or PNG")
    return np.asarray(picture, np.uint8)


def shrunk(frame: Frame, scale: float) -> Frame:
    """A picture made smaller by this scale (up to 1), each pixel the mean of those it stands for."""
    import cv2
    import numpy as np

    if scale == 1.0:
        return frame
    height, width = frame.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
