"""Where rolls come from at a table, beside fingers: a camera, a serial dice tower."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, TypeAlias

from companion.engine.asks import Roll
from companion.engine.errors import DeviceMissing, pip
from companion.engine.files import NEWEST_ROLL
from companion.engine.records import MANUAL, SOFTWARE, RolledDie
from companion.table.events import USUAL, Habits, Notice, Seen

CAMERA = "camera"
SERIAL = "serial"

Post: TypeAlias = Callable[[Seen | Notice], None]


class DiceSource(Protocol):
    """Watches for the dice of one roll at a time, in a thread of its own.

    It posts `Seen` when the dice lie still, as often as they change, and a `Notice` when it fails or
    is back. It never raises into the game: without it, the dice are entered by hand.
    """

    def watch(self, n: int, roll: Roll, post: Post) -> None:
        """Look for the dice of ask `n` from now on."""

    def pass_over(self) -> None:
        """Don't look: a roll is asked for whose dice lie there already.

        If they are thrown again all the same, they are none of the next roll's.
        """

    def rest(self) -> None:
        """Stop looking: the roll is answered."""

    def close(self) -> None:
        """Let go of the device."""


def settle_dice(wish: str, camera: str | None, *, person: bool) -> str:
    """Which source a new session has: `auto` takes what is there.

    `camera` is the `--camera` that was given; `person` is whether somebody can type or press faces, and
    put right what a camera sees or a tower counts.
    """
    if wish != "auto":
        return wish
    if camera is not None or (person and camera_plugged_in()):
        return CAMERA
    if not person:
        return SOFTWARE
    return SERIAL if tower_plugged_in() else MANUAL


def camera_plugged_in() -> bool:
    """Whether a camera is there that may look at a tray."""
    from vision.cameras import present

    found = any(not present.is_laptops_own(path) for path in present.usb_cameras())
    return (found or present.has_ribbon_camera()) and find_spec("cv2") is not None


def usual_camera() -> str | None:
    """The camera that the box's settings name; None, which means the first there is, if they name none."""
    from companion.table.config import load

    return load().camera.source


def stored(source: str) -> list[Path]:
    """The film, picture or folder that a camera is, maybe turned, as pictures@90; nothing of a device."""
    named = [Path(one) for one in (source, source.rpartition("@")[0]) if one]
    return [path for path in named if path.is_dir() or path.is_file()]


def tower_plugged_in() -> bool:
    """Whether a pad is on USB that has a tower."""
    from companion.table.config import load
    from companion.table.discover import pad_trouble

    settings = load()
    if pad_trouble(settings):
        return False
    from hardware.serial_pad import SerialPad

    with closing(SerialPad(lambda _: None, settings.pad.port)) as pad:
        hello = pad.greeted()
    return hello is not None and hello.has_tower


def open_source(
    dice: str,
    camera: str | None,
    data: Path,
    misread: Sequence[RolledDie] = (),
    habits: Habits = USUAL,
    *,
    now: bool = False,
) -> DiceSource | None:
    """The device for a session's dice; `DeviceMissing` if it was demanded and can't be there.

    A camera that is merely unplugged is waited for, unless it has to be there `now`. It knows dice that were
    `misread` before and lie there yet.
    """
    if dice in (MANUAL, SOFTWARE):
        return None
    if dice == CAMERA:
        return _open_camera(camera, data, misread, habits, now=now)
    if dice == SERIAL:
        return _open_tower()
    raise DeviceMissing(f"--dice {dice}: no such device here; --dice manual or software play without")


def _open_tower() -> DiceSource:
    """The pad on USB as this session's own; one that is merely unplugged is waited for."""
    from companion.table.config import load
    from companion.table.discover import pad_trouble
    from companion.table.serial_dice import SerialDice

    settings = load()
    if trouble := pad_trouble(settings):
        raise DeviceMissing(f"--dice serial: {trouble}")
    from hardware.pad_link import PadDice
    from hardware.serial_pad import SerialPad

    pad = SerialPad(
        lambda event: dice.heard(event) if isinstance(event, PadDice) else None, settings.pad.port
    )
    dice = SerialDice(pad.close)
    pad.start()
    return dice


def need_opencv() -> None:
    """`DeviceMissing` with what to install, where pictures can't be read for want of OpenCV."""
    if find_spec("cv2") is None:
        raise DeviceMissing(f"reading dice needs OpenCV: {pip('install', 'companion[vision]')}")


def _open_camera(
    source: str | None, data: Path, misread: Sequence[RolledDie], habits: Habits, *, now: bool
) -> DiceSource:
    need_opencv()
    from companion.table.camera_dice import CameraDice
    from vision.camera import CameraError, open_camera

    try:
        camera = open_camera(source, now=now)
    except CameraError as error:
        raise DeviceMissing(f"--dice camera: {error}") from error
    pictures = data / NEWEST_ROLL
    return CameraDice(camera, taught=data / "dice", pictures=pictures, habits=habits, misread=misread)
