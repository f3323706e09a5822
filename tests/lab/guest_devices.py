"""In the lab's guest: fake hardware under a real kernel, to press, show, plug and pull."""

import fcntl
import os
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

CONFIG = Path("/sys/kernel/config")
CHIP = CONFIG / "gpio-sim/box"
GADGET = CONFIG / "usb_gadget/pad"
VIDIOC_S_FMT = 0xC0D05605
FIFREEZE, FITHAW = 0xC0045877, 0xC0045878
KEYS = {"up": 16, "down": 6, "ok": 26, "back": 5}
PAD_KEYS = {"up": 2, "down": 3, "ok": 4, "back": 5}


class Chip:
    """A GPIO chip with the header's label; keys are pulled up, a press pulls down."""

    def __init__(self) -> None:
        (CHIP / "bank0").mkdir(parents=True, exist_ok=True)
        (CHIP / "bank0/num_lines").write_text("28")
        (CHIP / "bank0/label").write_text("pinctrl-bcm2835")
        self.plug()

    def plug(self) -> None:
        (CHIP / "live").write_text("1")
        for pin in KEYS.values():
            self.pull(pin, "pull-up")
        subprocess.run(["udevadm", "settle"], check=False)

    def unplug(self) -> None:
        (CHIP / "live").write_text("0")

    def pull(self, pin: int, way: str) -> None:
        (place,) = Path("/sys/devices/platform").glob(f"gpio-sim.*/gpiochip*/sim_gpio{pin}/pull")
        place.write_text(way)

    def press(self, key: str, seconds: float = 0.12) -> None:
        self.pull(KEYS[key], "pull-down")
        time.sleep(seconds)
        self.pull(KEYS[key], "pull-up")
        time.sleep(0.15)

    def bounce(self, key: str, edges: int = 17) -> None:
        """A press whose contacts close and open again and again, at both ends."""
        for _ in range(2):
            for edge in range(edges):
                self.pull(KEYS[key], "pull-up" if edge % 2 else "pull-down")
            time.sleep(0.12)
        self.pull(KEYS[key], "pull-up")
        time.sleep(0.15)


@contextmanager
def stalled_disk() -> Iterator[None]:
    """Nothing is written to the root file system meanwhile: whoever tries waits, as for a worn SD card."""
    disk = os.open("/", os.O_RDONLY)
    fcntl.ioctl(disk, FIFREEZE, 0)
    try:
        yield
    finally:
        fcntl.ioctl(disk, FITHAW, 0)
        os.close(disk)


class Camera(threading.Thread):
    """A loopback camera that shows one scene, in noisy variants, eight times a second."""

    def __init__(self, frames: Path, device: str = "/dev/video0") -> None:
        super().__init__(daemon=True)
        self._frames = frames
        self._device = Path(device)
        self._pictures: list[bytes] = []
        self._plugged = threading.Lock()
        self._out: BinaryIO | None = None
        self.scene = "empty"
        self.plug()

    def plug(self) -> None:
        subprocess.run(
            ["modprobe", "v4l2loopback", "devices=1", "video_nr=0", "exclusive_caps=1"], check=True
        )
        subprocess.run(["udevadm", "settle"], check=False)
        out = self._device.open("wb", buffering=0)
        width, height = 640, 480
        fourcc = int.from_bytes(b"YUYV", "little")
        pixels = (width, height, fourcc, 1, width * 2, width * height * 2, 8, 0)
        fcntl.ioctl(out, VIDIOC_S_FMT, bytearray(struct.pack("<II8I", 2, 0, *pixels).ljust(208, b"\0")))
        self._out = out

    def unplug(self) -> None:
        """No more pictures, and no more device as soon as whoever reads from it has let it go."""
        with self._plugged:
            self._out.close()
            self._out = None

    def is_gone(self) -> bool:
        """Take the device away, unless somebody holds it; say whether it is gone."""
        subprocess.run(["modprobe", "-q", "-r", "v4l2loopback"], check=False, stderr=subprocess.DEVNULL)
        return not self._device.exists()

    @property
    def scene(self) -> str:
        return self._scene

    @scene.setter
    def scene(self, name: str) -> None:
        self._scene = name
        self._pictures = [path.read_bytes() for path in sorted(self._frames.glob(f"{name}-*.yuyv"))]

    def run(self) -> None:
        shown = 0
        while True:
            shown += 1
            with self._plugged:
                if self._pictures and self._out is not None:
                    self._out.write(self._pictures[shown % len(self._pictures)])
            time.sleep(1 / 8)


class Pad:
    """A USB gadget with the Pico's numbers; at its far end the real firmware on MicroPython."""

    def __init__(self, firmware: Path) -> None:
        self.folder = Path("/tmp/pad")
        self.folder.mkdir(exist_ok=True)
        for file in firmware.iterdir():
            (self.folder / file.name).write_bytes(file.read_bytes())
        (self.folder / "pins").write_text("")
        (self.folder / "oled").touch()
        self._process: subprocess.Popen[bytes] | None = None
        self._glyphs = font(self.folder / "box6x8.hex")
        self._describe()
        self.plug()

    def _describe(self) -> None:
        (GADGET / "strings/0x409").mkdir(parents=True)
        (GADGET / "idVendor").write_text("0x2e8a")
        (GADGET / "idProduct").write_text("0x0005")
        (GADGET / "strings/0x409/product").write_text("Board in FS mode")
        (GADGET / "strings/0x409/manufacturer").write_text("MicroPython")
        (GADGET / "configs/c.1").mkdir()
        (GADGET / "functions/acm.0").mkdir()
        (GADGET / "configs/c.1/acm.0").symlink_to(GADGET / "functions/acm.0")

    def plug(self) -> None:
        (controller,) = Path("/sys/class/udc").iterdir()
        (GADGET / "UDC").write_text(controller.name)
        subprocess.run(["udevadm", "settle"], check=False)
        time.sleep(0.5)
        subprocess.run(["stty", "-F", "/dev/ttyGS0", "raw", "-echo"], check=True)
        (self.folder / "oled").write_bytes(b"")
        self._pages: dict[int, bytes] = {}
        self._seen = 0
        port = os.open("/dev/ttyGS0", os.O_RDWR | os.O_NOCTTY)
        environment = {**os.environ, "PAD_FOLDER": str(self.folder), "MICROPYPATH": str(self.folder)}
        self._process = subprocess.Popen(
            ["micropython", "main.py"], stdin=port, stdout=port, cwd=self.folder, env=environment
        )
        os.close(port)

    def unplug(self) -> None:
        self._process.kill()
        self._process.wait()
        (GADGET / "UDC").write_text("\n")

    def press(self, key: str, seconds: float = 0.25) -> None:
        (self.folder / "pins").write_text(str(PAD_KEYS[key]))
        time.sleep(seconds)
        (self.folder / "pins").write_text("")
        time.sleep(0.15)

    def rows(self) -> list[str]:
        """What stands on the pad's glass, read back from the bytes on its I2C bus as they come.

        Whoever looks often must not take the processor from what is looked at.
        """
        with (self.folder / "oled").open("rb") as file:
            file.seek(self._seen)
            stream = file.read()
        before, at, page = self._seen, 0, 0
        while at + 2 <= len(stream):
            end = at + 2 + stream[at] * 256 + stream[at + 1]
            content = stream[at + 2 : end]
            if content[:2] == b"\x00\x21":
                page = content[5]
            elif content[:1] == b"\x40" and end <= len(stream):
                self._pages[page] = content[1:]
                self._seen = before + end
            at = end
        return [text(self._pages.get(page, b""), self._glyphs) for page in range(8)]


def font(path: Path) -> dict[bytes, str]:
    """Characters by their six columns of pixels."""
    found: dict[bytes, str] = {}
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            code, _, rows = line.partition(":")
            bits = bytes.fromhex(rows)
            columns = bytes(sum((bits[y] >> (7 - x) & 1) << y for y in range(8)) for x in range(6))
            found.setdefault(columns, chr(int(code, 16)))
    return found


def text(page: bytes, glyphs: dict[bytes, str]) -> str:
    """The characters of a page, inverse or not."""
    if sum(byte.bit_count() for byte in page) > len(page) * 4:
        page = bytes(byte ^ 0xFF for byte in page)
    return "".join(
        glyphs.get(page[at : at + 6], "?") for at in range(1, 127, 6) if page[at : at + 6]
    ).rstrip()
