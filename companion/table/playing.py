"""Which session was on the table when the box stopped, so that it comes back to the same prompt (R15)."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from companion.engine.files import write_whole


class Playing:
    """A name in the data folder: written when a session is taken up, gone when its player left it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "playing"

    def interrupted(self) -> str:
        """The session that nobody left in order; empty if there is none."""
        try:
            return self._path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def begin(self, session: str) -> None:
        """A session is on the table from now on."""
        with suppress(OSError):  # it is a convenience: the menu offers the session played last too
            write_whole(self._path, session.encode())

    def left(self) -> None:
        """Its player left it; on a disk that became read-only it is offered again, that is all."""
        with suppress(OSError):
            self._path.unlink()
