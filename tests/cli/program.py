"""The program as it is run: on its own, or in a terminal of its own."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
OKINAWA = ("play", "okinawa", "--dice", "software")
BY_ITSELF = [*OKINAWA, "--front", "none", "--auto"]


def companion(*arguments: str, text: str = "", encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        cwd=ROOT, input=text, capture_output=True, encoding=encoding, timeout=120, check=False,
    )  # fmt: skip
