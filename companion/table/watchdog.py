"""Signs of life for the service manager: given by the loop itself, while every worker lives (R15)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

from companion.screens.console import Console
from companion.table.events import Events, Tick
from companion.table.starts import STEADY
from hardware.notify import ALIVE, READY, STOPPING, notify, watchdog_seconds

EVERY: Final = 1.0
"""Seconds from tick to tick where no watchdog asks for more."""


def waits_for_disk() -> bool:
    """Whether a thread of ours sleeps where no signal wakes it: state D of proc(5)."""
    stats = Path("/proc/self/task").glob("*/stat")
    return any(_read(stat).rpartition(b") ")[2].startswith(b"D") for stat in stats)


def _read(stat: Path) -> bytes:
    try:
        return stat.read_bytes()
    except OSError:  # a thread that has ended meanwhile
        return b""


class Heart:
    """Posts a `Tick` so that the loop turns even when nobody plays.

    A loop that is held up by the disk (a worn SD card may take seconds to write an answer) is said to live:
    killing it would have to wait for the disk too, and cost the answer.
    """

    def __init__(self, events: Events, every: float | None = None) -> None:
        limit = watchdog_seconds()
        self._every = every or (min(EVERY, limit / 4) if limit else EVERY)
        self._events = events
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heart", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(timeout=1)

    def _run(self) -> None:
        while not self._stop.wait(self._every):
            # One tick at a time: a loop that hangs must not find a thousand of them.
            if self._events.empty():
                self._events.put(Tick())
            elif waits_for_disk():
                notify(ALIVE)


class Watchdog:
    """A display that shows nothing: the loop draws it on each turn, and it tells the manager.

    `workers` give the monotonic time of their last turn; one that is older than `patience` seconds
    is dead or hangs, and then the manager hears nothing more and starts the box anew.
    """

    def __init__(self, patience: float = 10.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._workers: dict[str, Callable[[], float]] = {}
        self._patience = patience
        self._clock = clock
        self._told = float("-inf")
        self._ready = False
        self.on_steady: Callable[[], None] | None = None
        self._began = clock()

    def watch(self, name: str, beat: Callable[[], float]) -> None:
        """Ask of this worker too."""
        self._workers[name] = beat

    def dead(self) -> list[str]:
        """Workers that have not turned for too long."""
        now = self._clock()
        return [name for name, beat in self._workers.items() if now - beat() > self._patience]

    def draw(self, console: Console) -> None:  # noqa: ARG002  # a display's signature
        """One turn of the loop."""
        self.turn()

    def turn(self) -> None:
        """Tell the manager that all is well, at most four times a second."""
        now = self._clock()
        if now - self._told < EVERY / 4:
            return
        if dead := self.dead():
            notify(f"STATUS=no sign of life from: {', '.join(dead)}")
            return
        self._told = now
        notify(ALIVE if self._ready else f"{READY}\n{ALIVE}")
        self._ready = True
        if self.on_steady is not None and now - self._began > STEADY:
            steady, self.on_steady = self.on_steady, None
            steady()

    def stopping(self) -> None:
        """Tell the manager that the box is going down in order."""
        notify(STOPPING)
