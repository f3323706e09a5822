"""Trying every device: what was found, whether it works, and what to do if not."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

import msgspec

from companion.engine.database import FILE, check_version
from companion.engine.errors import JournalError, pip
from companion.engine.files import NOT_PLAIN, is_full, is_read_only, is_shut, own_in
from companion.table.config import Config
from companion.table.discover import Present, discover, model
from hardware import serial_pad
from hardware.buttons import Buttons
from hardware.display import Display
from hardware.drawing import splash
from hardware.keys import Press
from hardware.lamps import Lamps, Mood

if TYPE_CHECKING:
    from gpiozero import Factory

FRAME_PATIENCE: Final = 4.0
SYSTEMD: Final = 10.0
"""Seconds that systemd gets to say whether the box's service runs."""

VOLATILE: Final = frozenset({"tmpfs", "ramfs", "overlay"})
ESCAPED: Final = re.compile(r"\\([0-7]{3})")
"""How the kernel writes spaces in a mount's place."""

OPENCV: Final = (
    "opencv-python",
    "opencv-contrib-python",
    "opencv-contrib-python-headless",
    "opencv-python-headless",
)

LITTLE: Final = 20_000_000
"""Bytes of room below which to warn: photos of doubtful dice take most of it."""

HOT: Final = 80_000
"""Thousandths of a degree from which on a Pi is slowed down."""

IN_USE: Final = ("in use by another program", "Device or resource busy", "GPIO busy")
"""What is said of a port or pin that another program has."""

STOP_IT: Final = (
    "sudo systemctl stop companion; sudo -u companion companion doctor; sudo systemctl start companion",
)


class State(StrEnum):
    """How a device is."""

    OK = "ok"
    MISSING = "missing"
    FAULT = "fault"
    WARNING = "warning"


class Finding(msgspec.Struct, frozen=True):
    """One device or matter: its state, what was seen, and what to do about it."""

    name: str
    state: State
    says: str
    do: tuple[str, ...] = ()


class Trial(msgspec.Struct, frozen=True):
    """How to try things: seconds to wait for a press, and whom to tell what is being waited for."""

    config: Config
    data: Path
    wait: float = 0.0
    tell: Callable[[str], None] = lambda _: None


def examine(trial: Trial) -> Iterator[Finding]:
    """Everything, one after the other."""
    yield machine()
    yield data_folder(trial.data)
    yield opencv()
    if service_runs():
        yield Finding("box", State.WARNING, "the service is running and has the devices: not tried", STOP_IT)
        return
    present = discover(trial.config)
    yield _if_there(present, "oled", lambda: display(trial))
    yield _if_there(present, "buttons", lambda: buttons(trial))
    yield _if_there(present, "camera", lambda: camera(trial))
    yield _if_there(present, "pad", lambda: pad(trial))


def _if_there(present: Present, name: str, attempt: Callable[[], Finding]) -> Finding:
    if name not in present.missing:
        try:
            return attempt()
        except Exception as error:  # noqa: BLE001 - a torn library may raise anything; the others are tried
            return _failed(name, str(error) or type(error).__name__)
    why = present.missing[name]
    return Finding(name, State.MISSING, why, _advice(why))


def _failed(name: str, says: str, *advice: str) -> Finding:
    """A device that does not work; one that another program has may be sound."""
    if any(one in says for one in IN_USE):
        return Finding(name, State.WARNING, says, ("end the game or program that has it, then try again",))
    return Finding(name, State.FAULT, says, (*advice, *_advice(says)))


def _advice(says: str) -> tuple[str, ...]:
    """What the messages of the devices don't say themselves."""
    if "group " in says:
        group = says.rsplit("group ", 1)[1].split(maxsplit=1)[0]
        return (f"sudo usermod -aG {group} {os.environ.get('USER', 'YOU')}, then log in again",)
    if silent := re.search(r"on I2C bus (\d+): check", says):
        wires = "wire SDA to pin 3, SCL to pin 5, VCC to pin 1 and GND to pin 6; then: " * (silent[1] == "1")
        return (f"{wires}i2cdetect -y {silent[1]}",)
    if "module 'cv2" in says:
        return (f"OpenCV is torn: {pip('install', '--force-reinstall', 'opencv-python-headless')}",)
    if switch := re.search(r"raspi-config nonint do_\w+ 0", says):
        return (f"sudo {switch[0]}, then restart",)
    if "no camera found" in says:
        on_ribbon = "one on the ribbon cable: rpicam-hello --list-cameras says whether the Pi has seen it"
        return (on_ribbon, "the box takes the one that [camera] source in its settings names")
    return ()


def service_runs(ask: Sequence[str] = ("systemctl", "is-active", "--quiet", "companion.service")) -> bool:
    """Whether the box runs here as a service: two programs can't have one display and one set of keys."""
    try:
        return subprocess.run(ask, capture_output=True, check=False, timeout=SYSTEMD).returncode == 0
    except (OSError, subprocess.TimeoutExpired):  # no systemd here, or one that hangs
        return False


def machine(root: Path = Path("/")) -> Finding:
    """The board, the system and Python, and how the board is; `root` is another place for /sys in tests."""
    name = model(root) or f"{sys.platform}, not a Raspberry Pi"
    says = f"{name}; Python {sys.version.split()[0]}"
    advice = tuple(strain(root / "sys/class"))
    if sys.maxsize <= 2**32:
        advice += ("use the 64-bit system: there are no 32-bit wheels",)
    return Finding("machine", State.WARNING if advice else State.OK, says, advice)


def strain(classes: Path) -> Iterator[str]:
    """What wears a board down and lets cameras and cards fail. Source: the kernel's raspberrypi-hwmon."""
    for supply in classes.glob("hwmon/hwmon*"):
        if _read(supply / "name") == "rpi_volt" and _read(supply / "in0_lcrit_alarm") == "1":
            yield "its supply is too weak (under-voltage): use the one made for this Pi, and a short cable"
    heat = _read(classes / "thermal/thermal_zone0/temp")
    if heat.isdecimal() and int(heat) >= HOT:
        yield f"{int(heat) // 1000} degrees: it slows down, give it air or a heat sink"


def _read(path: Path) -> str:
    """What stands in a file of the kernel's; empty where there is none."""
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def data_folder(data: Path) -> Finding:
    """Whether sessions can be written and will outlive a loss of power."""
    fault, warning = partial(Finding, "data", State.FAULT), partial(Finding, "data", State.WARNING)
    elsewhere = "--data DIR or COMPANION_DATA"
    journal = data / FILE
    try:
        data.stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass
    except OSError as error:  # too long a name, or links in a circle
        return fault(f"{data}: {error.strerror}", (elsewhere,))
    folder = next(parent for parent in (data, *data.parents) if _is_there(parent))
    if is_read_only(folder):
        advice = "a worn card ends so: companion log backup FILE, on another disk; then a new card"
        return fault(f"{data} is on a disk that is read-only", (advice,))
    if is_shut(folder):
        advice = "restart this machine; then companion log backup FILE, on another disk, and a new card"
        return fault(f"{data} is on a disk that takes nothing since an error", (advice,))
    closed = [one for one in (folder, *own_in(folder)) if not os.access(one, os.W_OK)]
    if closed:
        unwritten = data if closed[0] == folder else closed[0]
        return fault(f"{unwritten} can't be written", (_way_in(data, folder, closed),))
    if not folder.is_dir():
        return fault(f"{folder} is no folder", (elsewhere,))
    if _is_there(journal) and not journal.is_file():
        return fault(f"{journal}: {NOT_PLAIN}", (f"move it away, or {elsewhere}",))
    try:
        check_version(journal)
    except JournalError as error:
        says, _, advice = str(error).partition("; ")
        return fault(says, (advice,))
    if (kind := filesystem(folder)) in VOLATILE:
        says = f"{data} is on {kind}: sessions may be gone at power-off"
        return warning(says, (f"put it on a disk: {elsewhere}",))
    free = shutil.disk_usage(folder).free
    if free < LITTLE or is_full(folder):
        room = f"{free / 1e6:.1f} MB more" if free < LITTLE else "no file more"
        advice = "make room there: no answer is taken that can't be written"
        return warning(f"{data}: the disk has room for {room}", (advice,))
    return Finding("data", State.OK, f"{data} on {kind or 'a disk'}")


def _is_there(path: Path) -> bool:
    """Whether there is something, as far as one may look."""
    try:
        return path.exists()
    except OSError:
        return False


def _way_in(data: Path, folder: Path, closed: Sequence[Path]) -> str:
    """How `data` can be written, of which `folder` is there, and what of it is `closed`.

    What is somebody else's is left theirs.
    """
    if folder != data and not os.access(folder, os.X_OK):  # what lies in there can't be known
        return f"{folder} is closed to you: --data DIR or COMPANION_DATA, in a place of your own"
    if folder != data:
        return f"sudo install -d -o {os.getuid()} {data}"
    places = " ".join(map(str, closed))
    if closed[0].stat().st_uid == os.getuid() != 0:  # root is stopped by no mode
        return f"open it to yourself: chmod u+rwX {places}"
    try:
        name = closed[0].owner()
    except KeyError:  # who is no user any more
        name = "root"
    if name == "root":
        return f"sudo chown {'-R ' * (closed != [folder])}{os.getuid()} {places}"
    return f"it is {name}'s: sudo -u {name} companion doctor, or --data DIR"


def filesystem(folder: Path, mounts: Path = Path("/proc/self/mountinfo")) -> str:
    """The kind of file system that holds `folder`; empty where the machine doesn't say. Source: proc(5)."""
    best, kind = -1, ""
    try:
        lines = [os.fsdecode(line) for line in mounts.read_bytes().splitlines()]
    except OSError:
        return ""
    for line in lines:
        left, _, right = line.partition(" - ")
        point = Path(ESCAPED.sub(lambda code: chr(int(code[1], 8)), left.split(" ")[4]))
        if folder.resolve().is_relative_to(point) and len(point.parts) >= best:  # a later one lies over it
            best, kind = len(point.parts), right.split()[0]
    return kind


def opencv(find: Callable[[str], str] = version) -> Finding:
    """Two distributions that both bring cv2 break each other when one goes."""
    found = []
    for name in OPENCV:
        with suppress(PackageNotFoundError):
            found.append(f"{name} {find(name)}")
    if len(found) > 1:
        gone = pip("uninstall", *(one.split()[0] for one in found))
        advice = f"{gone}; {pip('install', 'opencv-python-headless')}"
        return Finding("opencv", State.WARNING, f"both {' and '.join(found)} are installed", (advice,))
    if not found:
        advice = pip("install", "companion[vision]")
        return Finding("opencv", State.MISSING, "not installed: no camera", (advice,))
    return Finding("opencv", State.OK, found[0])


def display(trial: Trial) -> Finding:
    """Draw a test picture."""
    shown = Display.at(trial.config.display.wiring, trial.config.display.habits)
    began = time.process_time()
    hello = splash("HELLO", ("If you can read this", "the display works.", ""), shown.size)
    shown.show(hello, time.monotonic())
    spent = (time.process_time() - began) * 1000
    if not shown.connected:
        return Finding("oled", State.FAULT, shown.fault, _advice(shown.fault))
    width, height = shown.size
    says = f"{width}x{height}, {shown.columns} columns; drew HELLO in {spent:.0f} ms CPU"
    return Finding("oled", State.OK, says)


def buttons(trial: Trial) -> Finding:
    """Read the levels, and if there is time, wait for a press, lamp and buzzer at work meanwhile."""
    heard: SimpleQueue[Press] = SimpleQueue()
    keys = Buttons(heard.put, trial.config.buttons.pins, trial.config.buttons.timing)
    try:
        keys.open(time.monotonic())
        down = [key.value for key, level in keys.levels().items() if level]
        if down:
            advice = "is it wired to ground, or to the wrong pin? see hardware/README.md"
            return Finding("buttons", State.WARNING, f"down all the time: {', '.join(down)}", (advice,))
        if not trial.wait:
            return Finding("buttons", State.OK, "four keys, all up")
        with _lamp_at_work(trial.config, keys.factory) as lamp:
            trial.tell(f"{lamp}Press any key within {trial.wait:.0f} seconds ...")
            keys.start()
            try:
                press = heard.get(timeout=trial.wait)
            except Empty:
                advice = "each key connects its pin to ground"
                return Finding("buttons", State.WARNING, "no press came", (advice,))
        return Finding("buttons", State.OK, f"heard {press.key.value} ({press.gesture.value})")
    finally:
        keys.close()


@contextmanager
def _lamp_at_work(config: Config, factory: Factory | None) -> Iterator[str]:
    """The lamp blinks and the buzzer sounds once; gives words on what is to be seen and heard."""
    pins = config.lamp.pins
    if not config.lamp.enabled or factory is None:
        yield ""
        return
    lamps = Lamps(pins, factory)
    try:
        lamps.show(Mood.READING)
        lamps.beep()
        told = [*lamps.faults.values()]
        if "lamp" not in lamps.faults:
            told.append(f"A lamp on GPIO{pins.lamp} blinks now")
        if pins.buzzer is not None and "buzzer" not in lamps.faults:
            told.append(f"A buzzer on GPIO{pins.buzzer} sounded once")
        yield "".join(f"{one}. " for one in told)
    finally:
        lamps.close()


def camera(trial: Trial) -> Finding:
    """Take a frame and say what it is worth."""
    from vision.camera import open_camera
    from vision.focus import measure

    with open_camera(trial.config.camera.source) as opened:
        end = time.monotonic() + FRAME_PATIENCE
        while True:
            try:
                frame = opened.frame()
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.2)
        worth = measure(frame.image)
        height, width = frame.image.shape[:2]
        light = f"brightness {worth.brightness:.2f}, glare {worth.glare:.1%}"
        says = f"{opened.name}, {width}x{height}: sharpness {worth.sharpness:.2f}, {light}"
        return Finding("camera", State.OK, says, (*opened.notes, *worth.advice()))


def pad(trial: Trial) -> Finding:
    """Ask the pad who it is, and before it every other Pico that may be one."""
    port = trial.config.pad.port
    link = serial_pad.SerialPad(lambda _: None, port=port)
    ports = [port] if port is not None else serial_pad.find_ports()
    try:
        hello = link.greeted()
        if hello is None:
            return _failed("pad", link.fault, "see hardware/pico/README.md")
        says = f"{hello.uid}, {' '.join(hello.abilities)}; {link.damaged} damaged lines"
        which = (f"of several Picos [pad] port = names one: {', '.join(ports)}",) if len(ports) > 1 else ()
        return Finding("pad", State.OK, says, which)
    finally:
        link.close()
