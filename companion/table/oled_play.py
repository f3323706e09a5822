"""`--front oled`: one session on the box's own screen and keys, or on a picture of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from queue import SimpleQueue
from typing import Final

import msgspec

from companion.engine.errors import DeviceMissing
from companion.screens.console import Console
from companion.table.chain import DiceChain
from companion.table.checkup import service_runs
from companion.table.config import CameraSettings, load
from companion.table.devices import Devices
from companion.table.dice import DiceSource
from companion.table.discover import Present, discover, oled_trouble
from companion.table.emulator import check_emulated, emulated
from companion.table.events import Events
from companion.table.keys import stopped_in_order
from companion.table.loop import Loop
from companion.table.serial_dice import SerialDice
from companion.table.table import Table
from companion.table.watchdog import Heart

BUSY: Final = "the box's service runs and has it (sudo systemctl stop companion)"


def play_on_oled(table: Table, source: DiceSource | None, *, emulate: bool) -> None:
    """Play until the player leaves. Raises DeviceMissing if there is no OLED and none is emulated."""
    check_oled(emulate=emulate)
    config = load()
    look = None if service_runs() else discover
    present = look(config) if look else Present()
    events: Events = SimpleQueue()
    with ExitStack() as stack:
        stack.enter_context(stopped_in_order(events))
        devices = stack.enter_context(Devices(config, present, events, look))
        displays = devices.displays(table)
        if emulate:
            displays.append(stack.enter_context(emulated(events)))
        stack.enter_context(Heart(events))
        table.settle()
        dice = beside_pad(source, devices)
        Loop(table, events, displays, dice, console=Console(table)).run()


def check_oled(*, emulate: bool) -> None:
    """Raises DeviceMissing if there is no OLED, or the box's service has it, and none can be emulated."""
    if emulate:
        check_emulated()
    elif trouble := oled_trouble(load()) or (BUSY if service_runs() else ""):
        raise DeviceMissing(f"--front oled: {trouble}; --emulate shows it on this screen")


def beside_pad(source: DiceSource | None, devices: Devices | None) -> DiceSource | None:
    """A session's dice source where the box's devices are at hand too.

    A tower is heard through the pad that they have open, since a port has one owner; beside a camera as well.
    """
    if source is None or devices is None:
        return source
    if isinstance(source, SerialDice):
        source.close()
        return devices.dice
    return DiceChain([source, devices.dice])


@contextmanager
def attached(events: Events) -> Iterator[Devices | None]:
    """The box's devices, if any are there, beside another front: its keys are heard, its OLED shows.

    Two programs would draw over each other: where the box's service runs, they are left to it.
    """
    # The session has its camera already, if it has one; looking for it would load numpy.
    config = msgspec.structs.replace(load(), camera=CameraSettings(enabled=False))
    present = discover(config)
    if not (present.oled or present.keys) or service_runs():
        yield None
        return
    with stopped_in_order(events), Devices(config, present, events, discover) as devices, Heart(events):
        yield devices
