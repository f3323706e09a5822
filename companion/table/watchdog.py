"""Signs of life for the service manager: given by the loop itself, while every worker lives (R15)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

from companion.engine.store import is_being_written
from companion.screens.console import Console
from companion.table.events import Events, Tick
from companion.table.starts import STEADY
from hardware.notify import ALIVE, READY, STOPPING, notify, watchdog_seconds

EVERY: Final = 1.0
"""Seconds from tick to tick where no watchdog asks for more."""


LONGEST: Final = 20.0
"""Seconds that a loop may work or wait for its disk in one turn."""


def waits_for_disk() -> bool:
    """Whether a thread of ours sleeps where no signal wakes it: state D of proc(5)."""
    return any(_fields(thread)[0] == b"D" for thread in Path("/proc/self/task").glob("*"))


def used_time(thread: Path) -> int:
    """CPU time that a thread has had, in the kernel's clock ticks."""
    fields = _fields(thread)
    return int(fields[11]) + int(fields[12])


def _fields(thread: Path) -> list[bytes]:
    """The fields of proc(5)'s stat from the third, the state, on."""
    try:
        return (thread / "stat").read_bytes().rpartition(b") ")[2].split()
    except OSError:  # it has ended meanwhile
        return [b"0"] * 13


class Heart:
    """Posts a `Tick` so that the loop turns even when nobody plays; enter it in the loop's thread.

    A loop that does not turn since it works, or since the disk or another companion keeps it waiting (a worn
    SD card may take seconds to write an answer), is said to live for a while: killing it would only cost the
    answer.
    """

    def __init__(self, events: Events, every: float | None = None) -> None:
        limit = watchdog_seconds()
        self._every = every or (min(EVERY, limit / 4) if limit else EVERY)
        self._events = events
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heart", daemon=True)

    def __enter__(self) -> Self:
        self._loop = Path(f"/proc/self/task/{threading.get_native_id()}")
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(timeout=1)

    def _run(self) -> None:
        held, used = 0, used_time(self._loop)
        while not self._stop.wait(self._every):
            before, used = used, used_time(self._loop)
            # One tick at a time: a loop that hangs must not find a thousand of them.
            if self._events.empty():
                self._events.put(Tick())
                held = 0
                continue
            held += 1
            works = used > before
            if held * self._every <= LONGEST and (works or waits_for_disk() or is_being_written()):
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
