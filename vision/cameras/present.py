"""Which cameras are attached. Loads no NumPy: the box asks at each start, before its first screen."""

from __future__ import annotations

from pathlib import Path

BY_ID = Path("/dev/v4l/by-id")
VIDEO_DEVICES = Path("/sys/class/video4linux")
RECEIVERS = ("unicam", "rp1-cfe")
"""What the drivers of the ribbon's receivers call their devices: up to the Pi 4, and on the Pi 5."""


def usb_cameras(by_id: Path = BY_ID) -> list[str]:
    """Paths of the USB cameras, steady over replugging (a camera's second node is no camera)."""
    return sorted(str(link) for link in by_id.glob("*-video-index0"))


def is_laptops_own(path: str) -> bool:
    """Whether a USB camera is built into a laptop: it looks at its owner, not at a tray."""
    return "integrated" in Path(path).name.casefold()


def has_ribbon_camera(devices: Path = VIDEO_DEVICES) -> bool:
    """Whether a sensor was found on the ribbon: only then does its receiver have video devices.

    The camera's program says nothing of that: Raspberry Pi OS has it on every Pi.
    """
    try:
        return any(name.read_text().startswith(RECEIVERS) for name in devices.glob("video*/name"))
    except OSError:  # gone meanwhile
        return False
