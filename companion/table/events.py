"""What happens at a table, from whatever device, in one queue."""

from __future__ import annotations

import time
from queue import SimpleQueue
from typing import TypeAlias

import msgspec

from companion.engine.session import Evidence
from companion.screens.intents import Button


class Press(msgspec.Struct, frozen=True):
    """A button or key was pressed, at `at` on the monotonic clock (seconds).

    `keyboard` presses come from a person who sees the prompt on the same screen: the lock-out after a
    changed prompt is for buttons alone.
    """

    button: Button
    at: float = msgspec.field(default_factory=time.monotonic)
    keyboard: bool = False


class Typed(msgspec.Struct, frozen=True):
    """A character typed that is no button, or a whole line where input comes in lines."""

    text: str


class Seen(msgspec.Struct, frozen=True):
    """Dice that a reader saw for ask `n`: a face each in the order of the ask, None where it can't say.

    `doubtful` are the places to ask about; with none, the roll may be taken as it is.
    """

    n: int
    faces: tuple[str | None, ...]
    source: str
    doubtful: tuple[int, ...] = ()
    evidence: Evidence | None = None


class Notice(msgspec.Struct, frozen=True):
    """Something a person should know of a device; empty when it is over."""

    text: str


class Changed(msgspec.Struct, frozen=True):
    """The table is not as it was: somebody answered."""


class Closed(msgspec.Struct, frozen=True):
    """The input has ended, or the machine wants to stop."""

    reason: str = ""


Event: TypeAlias = Press | Typed | Seen | Notice | Changed | Closed
Events: TypeAlias = SimpleQueue[Event]
