"""Pictures from the disk: a folder of photographs, and a film."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import numpy as np

from vision import frames
from vision.camera import PATIENCE, CameraError, Closing, Fault, Frame
from vision.errors import FrameError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TypeAlias

    Stand: TypeAlias = tuple[int, int]

SUFFIXES = frozenset({".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".bmp", ".webp"})
FOREIGN = frozenset({".heic", ".heif", ".avif", ".gif", ".tif", ".tiff"})
"""Pictures that can't be read everywhere: where one lies among others, it is said, for it may be a throw."""

LOOK_AGAIN = 0.3
"""Seconds after which a picture that came, and has not changed since, is taken to be there in full."""

USUAL_RATE = 25.0
"""Pictures a second of a film that doesn't say."""
SLOWEST, FASTEST = 1.0, 240.0
"""Pictures a second that are believed; a film of a varying rate may say a thousand, and would never rest."""


class FolderCamera(Closing):
    """A folder of photographs, or a single one, each one throw, in the order that a person would count them.

    Those that come later are played too, once they are there in full, for which a look waits a little: one
    that can't be read is tried again when it has changed.
    """

    stills = True
    notes: tuple[str, ...] = ()
    trouble: CameraError | None = None

    def __init__(self, folder: Path) -> None:
        self.name = str(folder)
        self._folder = folder
        self._played: set[str] = set()
        self._torn: dict[Path, Stand] = {}
        try:
            self._known = _pictures(folder)
        except OSError as error:
            raise CameraError(Fault.MISSING, f"{folder} can't be read: {error.strerror}") from error
        self._left = list(self._known)
        self._is_coming = False
        if all(path.suffix.lower() in FOREIGN for path in self._left):
            told = "holds no pictures: it takes"
            if folder in self._known:  # it is a file
                told = "is of a kind that can't be read everywhere: save it as"
            raise CameraError(Fault.MISSING, f"{folder} {told} JPEG, PNG, BMP or WebP")

    def frame(self, newer_than: float = 0.0) -> Frame:
        """The next photograph; raises CameraError after the last, or for one that can't be read.

        While all are gone, as with a stick that was pulled out, none is spent.
        """
        until = time.monotonic() + PATIENCE
        self._look()
        while self._is_coming and not self._left and time.monotonic() < until:
            time.sleep(LOOK_AGAIN)
            self._look()
        if not self._left:
            torn = [path.name for path in self._torn if path in self._known]
            but = f"; {len(torn)} can't be read, as {torn[0]}" if torn else ""
            count = len(self._played)
            played = {0: "no picture has", 1: "1 picture has"}.get(count, f"all {count} pictures have")
            told = f"{self.name}: {played} been played{but}"
            raise CameraError(Fault.ENDED, told)
        path = self._left.pop(0)
        taken = max(time.monotonic(), np.nextafter(newer_than, np.inf))
        try:
            image = frames.readable(path)
        except FrameError as error:
            self._torn[path] = self._known[path]
            raise CameraError(Fault.MISSING, str(error)) from error
        self._torn.pop(path, None)
        self._played.add(path.name)
        return Frame(image, float(taken))

    def _look(self) -> None:
        """What is left to be played: new pictures that are not growing, nor as they were found torn."""
        try:
            there = _pictures(self._folder)
        except OSError:
            there = {}
        self._is_coming = False
        if there:
            new = [path for path, stand in there.items() if self._is_new(path, stand)]
            whole = [path for path in new if self._known.get(path) == there[path]]
            self._left = sorted(whole, key=counting_order)
            self._is_coming = len(whole) < len(new)
            self._known = there
        elif self._left:
            raise CameraError(Fault.MISSING, f"{self.name} is gone")

    def _is_new(self, path: Path, stand: Stand) -> bool:
        return path.name not in self._played and stand != self._torn.get(path)

    def close(self) -> None:
        """Nothing to let go."""


class VideoCamera(Closing):
    """A film, which stands still while nobody looks."""

    stills = False
    notes: tuple[str, ...] = ()
    trouble: CameraError | None = None

    def __init__(self, path: Path) -> None:
        import cv2

        self.name = str(path)
        self._film = cv2.VideoCapture(str(path))
        text = self._film.get(cv2.CAP_PROP_FOURCC) == cv2.VideoWriter.fourcc(
            *"ansi"
        )  # of which it makes a film
        if text or not self._film.isOpened():
            raise CameraError(Fault.MISSING, f"{path} can't be played: not a film that OpenCV knows")
        rate = self._film.get(cv2.CAP_PROP_FPS)
        self._interval = 1 / (rate if SLOWEST <= rate <= FASTEST else USUAL_RATE)
        self._taken = 0.0

    def frame(self, newer_than: float = 0.0) -> Frame:
        """The film's next picture; raises CameraError at its end."""
        good, image = self._film.read()
        if not good:
            raise CameraError(Fault.ENDED, f"{self.name} is over")
        self._taken = max(self._taken, newer_than) + self._interval
        return Frame(np.asarray(image, dtype=np.uint8), self._taken)

    def close(self) -> None:
        """Let the film go."""
        self._film.release()


def _pictures(folder: Path) -> dict[Path, Stand]:
    """The pictures in a folder, or the one that it is, and how they stand; OSError if it can't be read."""
    if folder.is_file():
        return {folder: _stand(folder)}
    named = [path for path in folder.iterdir() if not path.name.startswith(".")]
    readable = [path for path in named if path.suffix.lower() in SUFFIXES]
    copied = {path.stem for path in readable}
    foreign = [path for path in named if path.suffix.lower() in FOREIGN and path.stem not in copied]
    return {path: _stand(path) for path in (*readable, *foreign) if not _is_other(path)}


def _is_other(path: Path) -> bool:
    """Whether a path is there and no file, such as a pipe, which would be waited for without an end."""
    try:
        return path.exists() and not path.is_file()
    except OSError:
        return False


def _stand(path: Path) -> Stand:
    """A file's size and when it was written to; one that is copied may have its whole size at once."""
    try:
        stat = path.stat()
    except OSError:  # a link to nowhere, or deleted just now: it is told when its turn comes
        return -1, 0
    return stat.st_size, stat.st_mtime_ns


def counting_order(path: Path) -> list[tuple[int, str]]:
    """A key that puts roll-9 before roll-10."""
    parts = re.split(r"(\d+)", path.name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]
