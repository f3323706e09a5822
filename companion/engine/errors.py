"""What can go wrong, under one root.

"You broke the rules" and "we broke the rules" are different errors: a `BadAnswer` or `BadInput` is the
caller's and leaves everything as it was; a `GameFault` is ours.
"""

from __future__ import annotations

import shlex
import sys


class CompanionError(Exception):
    """The root of every error that this package raises on purpose."""


class BadInput(CompanionError, ValueError):
    """Something given from outside is not usable; the message says what, where and what would be."""


class BadAnswer(BadInput):
    """The answer does not fit the ask; the ask still stands."""


class BrokenTable(BadAnswer):
    """Values set by hand make a table that can't be; with more of them it may be one."""


class StaleAnswer(BadAnswer):
    """The answer is for an ask that is gone."""


class PackError(BadInput):
    """A pack is missing, torn or contradictory; the message has file and TOML path.

    `is_torn` where nothing but a mended file helps, `record` (GAME.TABLE.NAME) what can be entered again, or
    has no place in the game where it is torn, `rest` what else is wrong in the packs.
    """

    is_torn = False
    record = ""
    rest: tuple[PackError, ...] = ()


class HereAlready(BadInput):
    """Nothing of a session that was brought is new."""


class JournalError(CompanionError, OSError):
    """The journal can't be read or written."""


class JournalFull(JournalError):
    """An answer could not be put on disk; it was refused and nothing of it was kept."""


class NotKept(JournalError):
    """A picture or pack is not in the journal any more."""


class SessionBusy(JournalError):
    """Another process plays this session."""


class ReplayMismatch(CompanionError):
    """The rules ask something else now than when the journal was written; every entry is kept."""


class GameFault(CompanionError, RuntimeError):
    """A game broke down: a fault of ours. The answer that led there was taken back."""


class NoAnswer(GameFault):
    """Nothing answers what a game would ask, as values set by hand took it away; it is not gone on to."""


class DeviceMissing(CompanionError):
    """A device was demanded and is not there."""


def pip(*arguments: str) -> str:
    """A command for this Python's own pip: what PyPI calls `companion` is a stranger's."""
    return shlex.join([sys.executable, "-m", "pip", *arguments])
