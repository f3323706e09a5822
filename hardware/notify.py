"""Tells systemd how the service is doing: sd_notify(3), in a datagram."""

import os
import re
import socket
from contextlib import suppress

READY = "READY=1"
STOPPING = "STOPPING=1"
ALIVE = "WATCHDOG=1"


def notify(*lines: str) -> None:
    """Send state lines to the service manager, where there is one.

    Source: sd_notify(3). A manager that doesn't listen is no reason to stop a game.
    """
    if address := os.environ.get("NOTIFY_SOCKET", ""):
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagram:
            datagram.sendto("\n".join(lines).encode(), re.sub("^@", "\0", address))


def watchdog_seconds() -> float | None:
    """How long the manager waits for a sign of life, None where no watchdog is set.

    Source: sd_watchdog_enabled(3): WATCHDOG_USEC counts for the process in WATCHDOG_PID alone.
    """
    period = os.environ.get("WATCHDOG_USEC", "")
    owner = os.environ.get("WATCHDOG_PID", str(os.getpid()))
    if not period.isdigit() or owner != str(os.getpid()):
        return None
    return int(period) / 1_000_000
