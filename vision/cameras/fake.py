"""Cameras that play a script, with the faults that real ones have: for tests and demonstrations."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from vision.camera import CameraError, Closing, Fault, Frame
from vision.cameras.live import Shot

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from vision.frames import Frame as Image

    Scripted: TypeAlias = Image | CameraError  # a picture that is shown, or a fault that is raised


INTERVAL = 1 / 15
"""Seconds of its own time from one picture of a FakeCamera to the next."""


class FakeCamera(Closing):
    """Hands out scripted pictures at a steady rate of its own time, and raises scripted faults."""

    notes: tuple[str, ...] = ()
    trouble: CameraError | None = None

    def __init__(self, script: Iterable[Scripted], *, stills: bool = False) -> None:
        self.name = "fake"
        self.stills = stills
        self._script: Iterator[Scripted] = iter(script)
        self._taken = 0.0

    def frame(self, newer_than: float = 0.0) -> Frame:
        """The next picture of the script; raises the next fault of it, or ENDED after its last."""
        ended = CameraError(Fault.ENDED, f"camera {self.name}: the script is over")
        step = next(self._script, ended)
        if isinstance(step, CameraError):
            raise step
        self._taken = max(self._taken, newer_than) + INTERVAL
        return Frame(step, self._taken)

    def close(self) -> None:
        """Nothing to let go."""


class FakeStream:
    """A device for a LiveCamera: each read takes `interval` seconds and gives the script's next step.

    A number in the script blocks the read for so many seconds. After the last step the device is gone.
    """

    notes: tuple[str, ...] = ()

    def __init__(self, script: Iterable[Image | float], *, interval: float = 0.0) -> None:
        self._script = iter(script)
        self._interval = interval
        self.closed = False
        self.skipped = 0

    def read(self) -> Shot:
        """The script's next picture."""
        taken = time.monotonic()
        time.sleep(self._interval)
        for step in self._script:
            if not isinstance(step, float):
                return Shot(step, taken)
            time.sleep(step)
        raise CameraError(Fault.MISSING, "the fake camera was unplugged")

    def skip(self) -> None:
        """Let the script's next picture go by."""
        self.read()
        self.skipped += 1

    def close(self) -> None:
        """Remember that it was closed."""
        self.closed = True
