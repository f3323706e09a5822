"""What is attached to this machine, seen without opening or importing anything that isn't there."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec

from companion.table.config import Config
from hardware.errors import HardwareError, pip
from hardware.panels import probe

OFF: Final = "switched off in the settings"


class Present(msgspec.Struct, frozen=True):
    """Which devices are there; what is not says why in `missing`, a line each, by name."""

    oled: bool = False
    buttons: bool = False
    camera: bool = False
    pad: bool = False
    missing: dict[str, str] = msgspec.field(default_factory=dict)

    @property
    def keys(self) -> bool:
        """Whether there is anything to press."""
        return self.buttons or self.pad

    def notice(self) -> str:
        """One line on what was looked for and not found; empty if all is there."""
        sought = [name for name, why in self.missing.items() if why != OFF]
        return f"Not found: {', '.join(sought)} (companion doctor says more)" if sought else ""


def model(root: Path = Path("/")) -> str:
    """What a board calls itself; empty where a machine doesn't say, as a laptop."""
    try:
        return (root / "proc/device-tree/model").read_text().rstrip("\0\n")
    except OSError:
        return ""


def discover(config: Config, root: Path = Path("/")) -> Present:
    """Look for every device that the settings allow; `root` is another place for /dev in tests."""
    why = {
        "oled": oled_trouble(config, root),
        "buttons": _buttons(config, root),
        "camera": _camera(config, root),
        "pad": pad_trouble(config, root),
    }
    missing = {name: reason for name, reason in why.items() if reason}
    return Present(**{name: not reason for name, reason in why.items()}, missing=missing)


def oled_trouble(config: Config, root: Path = Path("/")) -> str:
    """Why there is no OLED, in a line; empty if there is one."""
    display = config.display
    if not display.enabled:
        return OFF
    bus, node = ("SPI", "dev/spidev0.0") if display.spi else ("I2C", f"dev/i2c-{display.port}")
    if not (root / node).exists():
        switched_on = f"enable {bus} (raspi-config nonint do_{bus.lower()} 0)"
        is_pi = model(root).startswith("Raspberry Pi")
        return f"no /{node}: {switched_on if is_pi else 'not a Raspberry Pi, or its driver is missing'}"
    if lacking := _lacking(luma="luma.oled", smbus2="smbus2", PIL="Pillow"):
        return f"the display needs {lacking}: {pip('install', 'companion[oled]')}"
    if display.spi:
        return ""
    try:
        probe(display.wiring)
    except HardwareError as error:
        return str(error)
    return ""


def _lacking(**modules: str) -> str:
    """What the first of these is called that is not there, as a system may bring some; empty if all are."""
    return next((name for module, name in modules.items() if find_spec(module) is None), "")


def _buttons(config: Config, root: Path) -> str:
    if not config.buttons.enabled:
        return OFF
    gpio = pip("install", "companion[gpio]")
    is_told = bool(os.environ.get("GPIOZERO_PIN_FACTORY"))
    if not is_told and not any((root / "dev").glob("gpiochip*")):
        return "no GPIO chip: not a Raspberry Pi"
    if lacking := _lacking(gpiozero="gpiozero"):
        return f"buttons need {lacking}: {gpio}"
    if is_told:
        return ""
    try:
        from hardware.chips import find_chip

        find_chip(root / "dev").close()
    except ImportError as error:
        return f"buttons need gpiod: {gpio} ({error})"
    except HardwareError as error:
        return str(error)
    return ""


def _camera(config: Config, root: Path) -> str:
    if not config.camera.enabled:
        return OFF
    if config.camera.source is not None:
        return ""
    if sys.platform == "linux" and not any((root / "dev").glob("video*")):
        return "no /dev/video*: plug a camera in"
    # A Pi has video devices that are no cameras: its codecs.
    from vision.camera import CameraError, first_camera

    try:
        first_camera()
    except CameraError as error:
        return str(error)
    return ""


def pad_trouble(config: Config, root: Path = Path("/")) -> str:
    """Why there is no pad on USB, in a line; empty if there is one."""
    if not config.pad.enabled:
        return OFF
    port = config.pad.port
    if port is not None and not os.path.exists(port):  # noqa: PTH110 - Path.exists may raise
        return f"no {port}"
    if port is None and sys.platform == "linux" and not any((root / "dev").glob("ttyACM*")):
        return "no pad on USB"
    if lacking := _lacking(serial="pyserial"):
        return f"the pad needs {lacking}: {pip('install', 'companion[serial]')}"
    if port is not None:
        return ""
    try:
        from hardware.serial_pad import find_ports

        return "" if find_ports() else "no Raspberry Pi Pico among the serial ports"
    except HardwareError as error:
        return str(error)
