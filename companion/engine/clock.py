"""Time as the journal sees it: wall clock for people, monotonic clock for durations."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TypeAlias

import msgspec


class Stamp(msgspec.Struct, frozen=True, omit_defaults=True):
    """An instant: `wall` in Unix seconds, `mono` in seconds since `boot`; `synced` if the wall is trusted."""

    wall: float
    mono: float
    boot: str = ""
    synced: bool = True


Clock: TypeAlias = Callable[[], Stamp]


def calendar(wall: float) -> datetime:
    """Date and time, UTC; the first of January 1970 for a time that no calendar has."""
    try:
        return datetime.fromtimestamp(wall, UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


def local(wall: float) -> datetime:
    """Date and time as clocks show them where this machine stands; UTC at the ends of all calendars.

    So too where this machine's zone is none, such as UTC+99.
    """
    try:
        return calendar(wall).astimezone()
    except (ValueError, OverflowError):
        return calendar(wall)


def system() -> Stamp:
    """The machine's clocks. A Pi has no battery: before its first network time, `wall` is a guess."""
    return Stamp(round(time.time(), 3), round(time.monotonic(), 3), _boot(), _synced())


@cache
def _boot() -> str:
    """What tells one boot from another; where a machine doesn't say (macOS), each run of ours is one."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()[:8]
    except OSError:
        return secrets.token_hex(4)


def _synced() -> bool:
    """Whether systemd-timesyncd, where it keeps the clock, has heard from a time server since boot."""
    keeper = Path("/run/systemd/timesync")
    return not keeper.is_dir() or (keeper / "synchronized").exists()
