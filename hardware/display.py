"""The OLED: shows screens, sends what changed, dims, shifts, and survives a loose wire.

`Display` works in the caller's thread and is driven by a clock that it is given; `DisplayThread`
keeps the transfer (23 ms at 400 kHz) and a hanging bus away from the game.
"""

import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec

from hardware.drawing import Screen, draw, grid
from hardware.errors import DisplayError
from hardware.panels import SIZES, Panel, Wiring, open_panel

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL.Image import Image

SHIFTS: Final = ((0, 0), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0))
"""Where the picture stands in turn, in pixels: the text keeps a blank column at each side and one above."""

FIRST_RETRY: Final = 0.5
LAST_RETRY: Final = 5.0
ASK_AFTER: Final = 3.0
"""Seconds from question to question whether the panel is still there."""

FASTEST: Final = 1 / 15
"""Seconds from frame to frame: faster than that a person reads nothing."""


class Habits(msgspec.Struct, frozen=True):
    """When the display dims and moves, in seconds; brightness 0-255."""

    bright: int = 0xCF
    dim: int = 0x10
    dim_after: float = 120.0
    off_after: float = 1800.0
    shift_every: float = 60.0

    @property
    def dimmed(self) -> int:
        """The brightness where nobody looks."""
        return min(self.dim, self.bright)


class Display:
    """One panel, there or not: drawing to it never raises for a wire that came loose.

    `open_it` makes the panel and is called again, with patience, while there is none. It is `connected` if
    the last frame arrived, else `fault` says why not, in a line; `size` is width and height in pixels, `beat`
    the monotonic time at which the panel took something last, or was found not to.
    """

    def __init__(
        self,
        open_it: "Callable[[], Panel]",
        habits: Habits | None = None,
        size: tuple[int, int] = (128, 64),
    ) -> None:
        self._open = open_it
        self._habits = habits or Habits()
        self._panel: Panel | None = None
        self.connected = False
        self.fault = "not opened yet"
        self.size = size
        self._screen: Screen | Image | None = None
        self._retry_at = 0.0
        self._retry = FIRST_RETRY
        self._woken = 0.0
        self._asked = 0.0
        self._step = 0
        self._level = self._habits.bright
        self.beat = 0.0

    @classmethod
    def at(cls, wiring: Wiring, habits: Habits | None = None) -> "Display":
        """The display as wired. Opens nothing yet."""
        width, height = SIZES[wiring.driver]
        size = (height, width) if wiring.rotate % 2 else (width, height)
        display = cls(lambda: open_panel(wiring, display._sent), habits, size)
        return display

    def _sent(self) -> None:
        self.beat = time.monotonic()

    @property
    def dark(self) -> bool:
        """Whether it went off, since nobody had pressed anything for long."""
        return self.connected and self._level < 0

    @property
    def columns(self) -> int:
        """Characters in a row."""
        return grid(self.size).columns

    def show(self, screen: "Screen | Image", now: float) -> None:
        """Show a screen (or a picture of the display's size) and be bright again."""
        self._screen = screen
        self.wake(now)

    def turn(self, screen: "Screen | Image", now: float) -> None:
        """Show a screen that went on by itself, say its long foot: no reason to be bright again."""
        self._screen = screen
        self.tick(now)

    def wake(self, now: float) -> None:
        """Somebody is there: be bright, redraw."""
        self._woken = now
        self.tick(now)

    def tick(self, now: float) -> None:
        """Do what is due: dim, shift, look whether the panel is back. Call it every second or so."""
        if not self.connected and not self._reconnect(now):
            return
        self._guarded(lambda panel: self._refresh(panel, now), now)

    def close(self) -> None:
        """Leave the last picture standing, dimmed: a Pi that was shut down keeps the panel supplied."""
        if self._panel is not None and self.connected:
            with suppress(OSError):
                self._panel.contrast(self._habits.dimmed)
        self.connected, self.fault = False, "closed"

    def _refresh(self, panel: Panel, now: float) -> None:
        self._ask(panel, now)
        before, self._level = self._level, self._wanted_level(now)
        if self._level < 0:
            if before >= 0:
                panel.hide()
            return
        step, self._step = self._step, self._step_at(now)
        if step != self._step or before < 0:
            panel.restart()  # one that lost its power for a moment answers all the while, and shows nothing
        if step != self._step or before != self._level:
            panel.contrast(self._level)
        if self._screen is not None:
            panel.display(self._picture(self._screen))

    def _ask(self, panel: Panel, now: float) -> None:
        """Notice also behind a still picture, of which nothing is sent, that the panel is gone."""
        if now - self._asked < ASK_AFTER:
            return
        self._asked = now
        if not panel.answers():
            raise DisplayError("it does not answer any more: check its wires")

    def _wanted_level(self, now: float) -> int:
        idle = now - self._woken
        if idle >= self._habits.off_after:
            return -1
        return self._habits.dimmed if idle >= self._habits.dim_after else self._habits.bright

    def _picture(self, screen: "Screen | Image") -> "Image":
        if isinstance(screen, Screen):
            return draw(screen.cut(self.columns), self.size, SHIFTS[self._step])
        return screen

    def _step_at(self, now: float) -> int:
        """Which of the SHIFTS is due."""
        return int(now // self._habits.shift_every) % len(SHIFTS)

    def _reconnect(self, now: float) -> bool:
        if now < self._retry_at:
            return False
        self._retry_at, self._retry = now + self._retry, min(self._retry * 2, LAST_RETRY)
        if self._panel is not None and self._panel.is_back():
            self.connected = True
            self._guarded(lambda panel: panel.restart(), now)
        else:
            self._sent()
            if not self._open_anew():
                return False
        if self.connected:
            self.fault, self._retry, self._level = "", FIRST_RETRY, self._habits.bright
            self._asked, self._step = now, self._step_at(now)
            self._guarded(lambda panel: panel.contrast(self._level), now)
        return self.connected

    def _open_anew(self) -> bool:
        """Take the panel that is there now, which may be another one at another address."""
        try:
            found = self._open()
        except DisplayError as error:
            if self._panel is None:
                self.fault = str(error)
            return False
        if self._panel is not None:
            self._panel.close()
        self._panel, self.connected = found, True
        return True

    def _guarded(self, action: "Callable[[Panel], None]", now: float) -> None:
        """Do something with the panel; an error means that it is gone for now."""
        assert self._panel is not None
        try:
            action(self._panel)
        except OSError as error:
            self.connected = False
            self.fault = f"display lost: {error}"
            self._retry_at, self._retry = now + FIRST_RETRY, FIRST_RETRY


class DisplayThread:
    """A display on a thread of its own; of several frames handed over in a hurry the newest is shown."""

    def __init__(self, display: Display) -> None:
        self.display = display
        self._newest: Screen | Image | None = None
        self._wake = threading.Condition()
        self._stopping = False
        self._woken = False
        self._turned_at = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="display", daemon=True)
        self._thread.start()

    @property
    def beat(self) -> float:
        """When it last turned or sent something: on a bus with long pauses one picture takes its time."""
        return max(self._turned_at, self.display.beat)

    def show(self, screen: "Screen | Image") -> None:
        """Hand over the next screen; returns at once."""
        with self._wake:
            self._newest, self._woken = screen, True
            self._wake.notify()

    def turn(self, screen: "Screen | Image") -> None:
        """Hand over a screen that went on by itself, which is no reason to be bright again."""
        with self._wake:
            self._newest = screen
            self._wake.notify()

    def wake(self) -> bool:
        """Somebody pressed a key: be bright. False if it was dark: nobody could see what was asked."""
        was_dark = self.display.dark
        with self._wake:
            self._woken = True
            self._wake.notify()
        return not was_dark

    def close(self) -> None:
        """Show what was handed over last, then stop."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        self._thread.join(timeout=2)

    def _has_work(self) -> bool:
        return self._newest is not None or self._woken or self._stopping

    def _run(self) -> None:
        stopping = False
        while not stopping:
            with self._wake:
                self._wake.wait_for(self._has_work, timeout=1.0)
                screen, self._newest = self._newest, None
                woken, self._woken = self._woken, False
                stopping = self._stopping
            self._turned_at = now = time.monotonic()
            if screen is not None and woken:
                self.display.show(screen, now)
            elif screen is not None:
                self.display.turn(screen, now)
            elif woken:
                self.display.wake(now)
            else:
                self.display.tick(now)
            if not stopping:
                time.sleep(FASTEST)
        self.display.close()
