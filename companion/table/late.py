"""A dice source that takes its time to open: the game goes on meanwhile.

Importing OpenCV, opening a camera, and closing one that hangs take seconds on a small Pi, and the loop has to
give signs of life.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from companion.engine.asks import Roll
from companion.table.dice import DiceSource, Post
from companion.table.events import Notice

AGAIN: Final = 2.0
"""Seconds from one attempt to open a source to the next."""

HEAD_START: Final = 1.0
"""Seconds that a prompt gets to be shown before what can wait takes the processor."""


class LateSource:
    """Opens a source in a thread of its own, as often as it takes, then is that source.

    The first attempt comes after `wait` seconds. Until it is there, the dice are entered by
    hand, which is said once a roll.
    """

    def __init__(
        self,
        name: str,
        open_it: Callable[[], DiceSource | None],
        again: float = AGAIN,
        wait: float = HEAD_START,
    ) -> None:
        self._name = name
        self._open = open_it
        self._again = again
        self._wait = wait
        self._lock = threading.Lock()
        self._source: DiceSource | None = None
        self._order: tuple[int, Roll, Post] | None = None
        self._trouble = ""
        self._closed = threading.Event()
        threading.Thread(target=self._run, name=f"{name} opens", daemon=True).start()

    def watch(self, n: int, roll: Roll, post: Post) -> None:
        """Look for the dice of ask `n`, as soon as that is possible."""
        with self._lock:
            self._order = (n, roll, post)
            if self._source is not None:
                self._source.watch(n, roll, post)
            elif self._trouble:
                post(Notice(self._trouble))

    def pass_over(self) -> None:
        """Don't look."""
        with self._lock:
            self._order = None
            if self._source is not None:
                self._source.pass_over()

    def rest(self) -> None:
        """Stop looking."""
        with self._lock:
            self._order = None
            if self._source is not None:
                self._source.rest()

    def close(self) -> None:
        """Let go of the device, also of one that is still being opened; a hanging one holds up nobody."""
        with self._lock:
            self._closed.set()
            self._order = None
            source, self._source = self._source, None
        if source is not None:
            threading.Thread(target=source.close, name=f"{self._name} closes", daemon=True).start()

    def _run(self) -> None:
        self._closed.wait(self._wait)
        while not self._closed.is_set():
            try:
                source = self._open()
            except Exception as error:  # noqa: BLE001 - the game goes on by hand, whatever happened here
                self._fail(f"dice by hand: {error.__cause__ or str(error) or type(error).__name__}")
                self._closed.wait(self._again)
                continue
            self._have(source)
            return

    def _fail(self, trouble: str) -> None:
        with self._lock:
            if self._order is not None and trouble != self._trouble:
                self._order[2](Notice(trouble))
            self._trouble = trouble

    def _have(self, source: DiceSource | None) -> None:
        with self._lock:
            late = self._closed.is_set()
            if not late:
                self._source = source
                self._take_order(source)
        if late and source is not None:
            source.close()

    def _take_order(self, source: DiceSource | None) -> None:
        """Let the source watch for the roll that is asked for now."""
        if self._order is None or source is None:
            return
        n, roll, post = self._order
        if self._trouble:
            post(Notice(f"{self._name} is there"))
        source.watch(n, roll, post)
