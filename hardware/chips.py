"""The GPIO chip of the pin header, found by its label, since chip numbers differ between boards and kernels.

Apart from the pin factory: whether there are pins is asked at every start, and importing gpiozero takes
longer than the answer.
"""

import os
from pathlib import Path
from typing import Final

import gpiod

from hardware.errors import PinsError

if not hasattr(gpiod, "LineSettings"):
    raise ImportError("the gpiod that is there is of libgpiod 1, as Debian 12's python3-libgpiod")

LABELS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The header's chip on a Pi 5, a Pi 4 and all before."""


def find_chip(folder: Path = Path("/dev")) -> gpiod.Chip:
    """The chip of the pin header, by label; COMPANION_GPIO_CHIP names another label or a device path.

    Raises PinsError if there is none or it may not be opened.
    """
    wanted = os.environ.get("COMPANION_GPIO_CHIP", "")
    labels = (wanted,) if wanted else LABELS
    refused = None
    for path in sorted(folder.glob("gpiochip*")):
        try:
            chip = gpiod.Chip(str(path))
        except PermissionError:
            refused = path
            continue
        except OSError:
            continue
        if wanted == str(path) or _label(chip) in labels:
            return chip
        chip.close()
    if refused is not None:
        raise PinsError(f"{refused} may not be opened: add the user to the group gpio")
    raise PinsError(
        f"no GPIO chip labelled {' or '.join(labels)}: not a Raspberry Pi, or its driver is missing"
    )


def _label(chip: gpiod.Chip) -> str:
    """What a chip is called; empty for one that goes this very moment, as of a USB adapter."""
    try:
        return chip.get_info().label
    except OSError:
        return ""
