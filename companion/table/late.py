"""A dice source that takes its time to open: the game goes on meanwhile.

Importing OpenCV and opening a camera takes seconds on a small Pi, and the loop has to give signs of life.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.engine.asks import Roll
from companion.engine.errors import CompanionError
from companion.table.dice import DiceSource, Post
from companion.table.events import Notice


class LateSource:
    """Opens a source in a thread of its own, then is that source; if it can't be had it says so, once."""

    def __init__(self, name: str, open_it: Callable[[], DiceSource | None]) -> None:
        self._name = name
        self._open = open_it
        self._lock = threading.Lock()
        self._source: DiceSource | None = None
        self._order: tuple[int, Roll, Post] | None = None
        self._trouble = ""
        self._closed = False
        threading.Thread(target=self._run, name=f"{name} opens", daemon=True).start()

    @property
    def name(self) -> str:
        """What the journal calls it."""
        return self._name

    def watch(self, n: int, roll: Roll, post: Post) -> None:
        """Look for the dice of ask `n`, as soon as that is possible."""
        with self._lock:
            self._order = (n, roll, post)
            if self._source is not None:
                self._source.watch(n, roll, post)
            self._say(post)

    def rest(self) -> None:
        """Stop looking."""
        with self._lock:
            self._order = None
            if self._source is not None:
                self._source.rest()

    def close(self) -> None:
        """Let go of the device, also of one that is still being opened."""
        with self._lock:
            self._closed = True
            source, self._source = self._source, None
        if source is not None:
            source.close()

    def _run(self) -> None:
        source, trouble = None, ""
        try:
            source = self._open()
        except (CompanionError, ImportError) as error:
            trouble = str(error)
        with self._lock:
            late = self._closed
            self._source, self._trouble = (None if late else source), trouble
            if self._order is not None and not late:
                n, roll, post = self._order
                if source is not None:
                    source.watch(n, roll, post)
                self._say(post)
        if late and source is not None:
            source.close()

    def _say(self, post: Post) -> None:
        if self._trouble:
            post(Notice(self._trouble))
            self._trouble = ""
