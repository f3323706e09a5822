"""A live camera: a thread that drains the device, and checks that say whether a picture can be trusted.

Drivers queue pictures: after a pause the next ones read are as old as the pause. So the device is drained
all the time and only the newest picture is kept.
"""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from vision.camera import PATIENCE, CameraError, Closing, Fault, Frame

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.camera import Clock
    from vision.frames import Frame as Image

WARM_UP = 6.0
"""Seconds that a camera may take from opening to its first picture: automatic exposure settles in them."""

BLACK_LEVEL = 8.0
"""A picture whose mean is below this many grey levels shows a covered lens or no light."""

TOO_BRIGHT = 225.0
"""The mean from which on white dice melt into one another and into a light tray."""

RELIT = 5.0
"""Seconds for which the light has to be another before exposure is set anew: an arm is gone by then."""

IDLE = 5.0
"""Seconds after the last look from which on pictures are drained but not decoded, to spare a Pi."""

FIRST_DELAY, LONGEST_DELAY = 0.25, 2.0
"""Seconds between attempts to open a device that is gone."""


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A picture as a device gave it, and the monotonic time before which it was not exposed."""

    image: Image
    taken: float


class Stream(Protocol):
    """An open device."""

    def read(self) -> Shot:
        """The next picture; may block for a second or two; raises CameraError when the device is gone."""
        ...

    def skip(self) -> None:
        """Let a picture go by unseen; blocks and raises as `read` does."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know, such as an exposure that can't be locked."""
        ...

    def close(self) -> None:
        """Let the device go."""
        ...


def brightness(image: Image) -> float:
    """The mean of a picture, in grey levels; by every fourth row, which OpenCV adds up fastest."""
    import cv2

    return sum(cv2.mean(image[::4])[:3]) / 3


class Light:
    """Whether the light is still about what it was when a camera's exposure was frozen.

    A lamp that is lit, or the evening, leave a frozen exposure far off: dice are not seen then.
    """

    def __init__(self) -> None:
        self._usual: float | None = None
        self._since: float | None = None

    def has_changed(self, image: Image, now: float) -> bool:
        """True once pictures have been twice as bright or as dark for RELIT seconds, or washed out."""
        level = brightness(image)
        if self._usual is None:
            self._usual = level
        most = max(self._usual * 1.1, min(self._usual * 2, TOO_BRIGHT))
        if self._usual / 2 <= level <= most:
            self._since = None
        elif self._since is None:
            self._since = now
        return self._since is not None and now - self._since > RELIT

    def unseen(self) -> None:
        """Nobody looks: an arm that was seen last need not have been there ever since."""
        self._since = None


class Inspector:
    """Says what is wrong with each picture of a camera, by the pictures before it."""

    def __init__(self) -> None:
        self._last: Image | None = None
        self._shape: tuple[int, ...] = ()

    def reopened(self) -> None:
        """The camera was opened anew: its pictures may have another size, but still must not repeat."""
        self._shape = ()

    def fault(self, image: Image) -> Fault | None:
        """None for a picture that can be trusted.

        A sensor is never noiseless: a picture equal to the one before, bit for bit, is the same picture.
        """
        last, self._last = self._last, image
        shape, self._shape = self._shape, image.shape
        if shape not in ((), image.shape):
            return Fault.RESIZED
        if brightness(image) < BLACK_LEVEL:
            return Fault.BLACK
        if last is not None and all(np.array_equal(last[::step], image[::step]) for step in (64, 1)):
            return Fault.FROZEN  # a few rows mostly tell, at a small part of the time
        return None


COMPLAINTS = {
    Fault.SILENT: "sends no pictures: check its cable",
    Fault.FROZEN: "shows the same picture again and again: unplug it and plug it in",
    Fault.BLACK: "sees nothing but black: is the lens covered, or the light off?",
    Fault.RESIZED: "changed the size of its pictures",
    Fault.RELIT: "sets its exposure anew: the light has changed",
}


class LiveCamera(Closing):
    """A camera over any stream; opens it, and reopens it for as long as it takes.

    `interrupt` ends what a stream waits for, if that can be done from another thread; `patience` is how long
    `frame` waits for a picture that can be trusted.
    """

    stills = False

    def __init__(
        self,
        name: str,
        open_stream: Callable[[], Stream],
        *,
        interrupt: Callable[[], None] = lambda: None,
        clock: Clock = time.monotonic,
        patience: float = PATIENCE,
    ) -> None:
        self.name = name
        self.notes: tuple[str, ...] = ()
        self._open_stream = open_stream
        self._interrupt = interrupt
        self._clock = clock
        self._patience = patience
        self._opened = self._looked = clock()
        self._good_until = self._opened + max(patience, WARM_UP)
        self._inspector = Inspector()
        self._newest: Frame | None = None
        self._wrong: CameraError | None = None
        self._news = threading.Condition()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    def frame(self, newer_than: float = 0.0) -> Frame:
        """The newest frame, once it was taken after `newer_than`; raises CameraError after `patience`."""
        with self._news:
            self._looked = self._clock()
            self._news.wait_for(lambda: self._is_newer(newer_than) or self._is_gone(), self._wait_at_most())
            if self._newest is not None and self._is_newer(newer_than):
                return self._newest
            raise self._wrong or self._error(Fault.SILENT)

    @property
    def trouble(self) -> CameraError | None:
        """Why no picture can be had at this moment: gone, or none that can be trusted for `patience`."""
        with self._news:
            if self._is_gone():
                return self._wrong
            if self._clock() <= self._good_until:
                return None
            return self._wrong or self._error(Fault.SILENT)

    def close(self) -> None:
        """Stop draining and let the device go."""
        self._stop.set()
        self._interrupt()
        self._thread.join(timeout=3.0)

    def _is_newer(self, newer_than: float) -> bool:
        return self._newest is not None and self._newest.taken > max(newer_than, self._oldest_allowed())

    def _oldest_allowed(self) -> float:
        return self._clock() - self._patience

    def _is_gone(self) -> bool:
        return self._wrong is not None and self._wrong.fault is Fault.MISSING

    def _wait_at_most(self) -> float:
        warming_up = self._newest is None and self._wrong is None
        return max(self._patience, self._opened + WARM_UP - self._clock() if warming_up else 0.0)

    def _error(self, fault: Fault) -> CameraError:
        return CameraError(fault, f"camera {self.name} {COMPLAINTS[fault]}")

    def _run(self) -> None:
        delay = FIRST_DELAY
        while not self._stop.is_set():
            before = self._newest
            try:
                with contextlib.closing(self._open_stream()) as stream:
                    self.notes = stream.notes
                    self._drain(stream)
            except CameraError as error:
                self._complain(error)
            except Exception as error:  # noqa: BLE001 - whatever a driver does, the thread has to go on
                self._complain(CameraError(Fault.MISSING, f"camera {self.name} failed: {error}"))
            delay = FIRST_DELAY if self._newest is not before else min(2 * delay, LONGEST_DELAY)
            self._stop.wait(delay)

    def _drain(self, stream: Stream) -> None:
        """Read until told to stop; raises CameraError where reopening the device may help."""
        self._inspector.reopened()
        light = Light()
        healthy = self._clock()
        while not self._stop.is_set():
            if self._clock() - self._looked > IDLE:
                stream.skip()
                light.unseen()
                healthy = self._clock()
                self._good_until = healthy + self._patience
                continue
            shot = stream.read()
            fault = self._inspector.fault(shot.image)
            is_relit = light.has_changed(shot.image, self._clock())
            if fault is None:
                healthy = self._clock()
                self._publish(shot)
                if is_relit:
                    raise self._error(Fault.RELIT)
                continue
            error = self._error(fault)
            if fault is Fault.RESIZED or (fault is Fault.FROZEN and self._clock() - healthy > self._patience):
                raise error
            self._complain(error)

    def _publish(self, shot: Shot) -> None:
        with self._news:
            self._newest = Frame(shot.image, shot.taken)
            self._good_until = self._clock() + self._patience
            self._wrong = None
            self._news.notify_all()

    def _complain(self, error: CameraError) -> None:
        with self._news:
            self._wrong = error
            self._news.notify_all()
