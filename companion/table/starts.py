"""How the last starts went: after two that failed in a row, the third comes up safe (R16).

A start is counted before anything is tried, and struck off once the box has run for a while or was
stopped in order. The count is one line in the data folder, synced, so that a start that takes the power down
with it counts too, and in the service's runtime folder: that one is in memory, so a disk that is full or
read-only is no way round safe mode.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from companion.engine.files import write_whole

FAILURES: Final = 2
STEADY: Final = 20.0
"""Seconds after which a start has gone well."""

MOST_REASON: Final = 300


class Starts(msgspec.Struct):
    """Starts since the last good one, and what the last of them said before it died."""

    failed: int = 0
    reason: str = ""


class StartRecord:
    """The record, written in all `folders` that can be; the first that has one is believed.

    `safe` says whether this start must be a safe one.
    """

    def __init__(self, *folders: Path) -> None:
        self._paths = [folder / "starts.json" for folder in folders]
        self._starts = self._read()
        self.safe = self._starts.failed >= FAILURES

    @property
    def reason(self) -> str:
        """Why the starts before failed, as far as it is known."""
        return self._starts.reason or "no reason was left: see journalctl -u companion"

    def begin(self) -> None:
        """A start is being tried. A safe one strikes the others off, so that the next is a usual one."""
        self._write(Starts(0 if self.safe else self._starts.failed + 1, self._starts.reason))

    def failed(self, reason: str) -> None:
        """The start is about to die of `reason`."""
        self._write(Starts(self._starts.failed, reason[:MOST_REASON]))

    def good(self) -> None:
        """The start went well."""
        if self._starts.failed or self._starts.reason:
            self._write(Starts())

    def _read(self) -> Starts:
        for path in self._paths:
            with suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                return msgspec.json.decode(path.read_bytes(), type=Starts)
        return Starts()

    def _write(self, starts: Starts) -> None:
        self._starts = starts
        for path in self._paths:
            # A disk that is full or read-only must not keep the box from starting.
            with suppress(OSError):
                write_whole(path, msgspec.json.encode(starts))
