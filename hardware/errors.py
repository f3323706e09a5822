"""What can go wrong with a device; each error says which one, and what to do."""

import shlex
import sys


class HardwareError(Exception):
    """The root of this package's errors."""


class DisplayError(HardwareError, OSError):
    """The display isn't there, or can't be driven as configured."""


class PinsError(HardwareError, OSError):
    """The GPIO pins can't be used: no chip, no rights, or a pin that is taken."""


class PadError(HardwareError, OSError):
    """The serial pad isn't there, or speaks another protocol."""


def pip(*arguments: str) -> str:
    """A command for this Python's own pip: what PyPI calls `companion` is a stranger's."""
    return shlex.join([sys.executable, "-m", "pip", *arguments])
