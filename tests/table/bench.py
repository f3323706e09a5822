"""A workbench: every device of the box as a fake at the lowest level, to be left out, broken and mended."""

from __future__ import annotations

import threading
import time
from queue import SimpleQueue
from typing import TYPE_CHECKING, Self

import pytest

pytest.importorskip("gpiozero")
smbus2 = pytest.importorskip("smbus2")
from gpiozero import Device  # noqa: E402  # after the skips
from gpiozero.pins.mock import MockFactory  # noqa: E402

from companion.screens.intents import Button  # noqa: E402
from companion.table.box import Box  # noqa: E402
from companion.table.config import ButtonSettings, Config  # noqa: E402
from companion.table.devices import Devices  # noqa: E402
from companion.table.discover import Present  # noqa: E402
from companion.table.events import Closed, Events, Press  # noqa: E402
from companion.table.loop import Loop  # noqa: E402
from hardware.pico.lines import Lines, pack  # noqa: E402
from tests.hardware.fakes import Bus, Message, Ssd1306Memory  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.engine import Journal
    from companion.screens.console import Console
    from companion.table.box import Ways
    from companion.table.dice import DiceSource
    from companion.table.table import Table

FAST = Config(buttons=ButtonSettings(settle=0.001, hold=5.0))
PINS = {Button.UP: 16, Button.DOWN: 6, Button.OK: 26, Button.BACK: 5}


class PadPort:
    """A pad at the other end of a serial port: greets, beats, reports presses, shows rows."""

    def __init__(self) -> None:
        self.rows = [""] * 8
        self.abilities = "btn=4 oled=21x8 tower=1"
        self._lines = Lines()
        self._out = bytearray()
        self._seq = 0
        self._beat = 0.0
        self.unplugged = False

    @property
    def in_waiting(self) -> int:
        if self.unplugged:
            raise OSError(5, "Input/output error")
        return len(self._out)

    def read(self, size: int) -> bytes:
        if not self._out:
            time.sleep(0.002)
        if time.monotonic() - self._beat > 0.5:
            self._beat = time.monotonic()
            self._out += pack("PONG 0")
        taken, self._out = bytes(self._out[:size]), self._out[size:]
        return taken

    def write(self, data: bytes) -> int:
        for body in self._lines.feed(data):
            if body == "WHO":
                self._out += pack(f"HELLO box 1 e660 beef {self.abilities}")
            elif body.startswith("R "):
                _, row, _, text = body.split(" ", 3)
                self.rows[int(row)] = text
        return len(data)

    def say(self, what: str) -> None:
        self._seq += 1
        self._out += pack(f"E {self._seq} {what} 0")

    def close(self) -> None:
        """Nothing to give back."""


class Seat:
    """A person who sees a console where there is no other display: a terminal, a phone."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def draw(self, console: Console) -> None:
        self.lines = console.screen().lines()


class Bench:
    """Devices of the wanted kinds, opened as a box opens them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, kinds: Iterable[str], config: Config = FAST) -> None:
        self.kinds = set(kinds)
        self.bus, self.port, self.factory = Bus(), PadPort(), MockFactory()
        self.bus.panel = Ssd1306Memory()
        self.ports = ["pad"]
        monkeypatch.setattr(smbus2, "SMBus", self.bus.smbus)
        monkeypatch.setattr(smbus2, "i2c_msg", Message)
        monkeypatch.setattr(Device, "pin_factory", self.factory)
        monkeypatch.setattr("hardware.serial_pad.find_ports", lambda: list(self.ports))
        self._patch_pad(monkeypatch)
        self.events: Events = SimpleQueue()
        missing = {
            kind: "left out" for kind in ("oled", "buttons", "camera", "pad") if kind not in self.kinds
        }
        present = Present(
            **{kind: kind in self.kinds for kind in ("oled", "buttons", "camera", "pad")}, missing=missing
        )
        self.devices = Devices(config, present, self.events)
        self._running: Running | None = None

    def _patch_pad(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from hardware import serial_pad

        original = serial_pad.SerialPad

        def make(on_event: Callable[[object], None], port: str | None = None) -> serial_pad.SerialPad:
            return original(on_event, port, find=lambda: list(self.ports), open_it=lambda name: self.port)

        monkeypatch.setattr(serial_pad, "SerialPad", make)

    def __enter__(self) -> Self:
        self.devices.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        if self._running is not None:
            self.stop()
        self.devices.__exit__(*error)

    def play(self, table: Table, dice: DiceSource | None = None) -> None:
        """Have a table played on it, until it is left or told to `stop`."""
        self._running = Running(self, Loop(table, self.events, self.devices.displays(table), dice).run)

    def box(self, journal: Journal, ways: Ways | None = None) -> Seat:
        """Have a box run on it, until it is left or told to `stop`; who sits there."""
        seat = Seat()
        box = Box(journal.folder, journal, self.devices, self.events, [seat], ways)
        self._running = Running(self, box.run)
        return seat

    @property
    def result(self) -> object:
        """What came of what runs on it; None until then."""
        assert self._running is not None
        return self._running.result

    def stop(self) -> object:
        """End what runs on it; what came of it."""
        assert self._running is not None
        return self._running.stop()

    def press(self, button: Button) -> None:
        """A finger on whatever key there is."""
        if "buttons" in self.kinds:
            wait_until(lambda: self.devices.buttons is not None and not self.devices.buttons.fault)
            pin = self.factory.pin(PINS[button])
            pin.drive_low()
            wait_until(lambda: self._is_down(button))
            pin.drive_high()
            wait_until(lambda: not self._is_down(button))
        elif "pad" in self.kinds:
            wait_until(lambda: self.devices.pad is not None and self.devices.pad.hello is not None)
            self.port.say(f"key {button.value} press")
        else:
            self.events.put(Press(button, keyboard=True))

    def _is_down(self, button: Button) -> bool:
        """Whether the buttons' thread has seen it, however busy this machine is."""
        assert self.devices.buttons is not None
        return any(
            logic._down for logic, _ in self.devices.buttons._buttons if logic.key.value == button.value
        )

    def lit(self) -> int:
        """Pixels of the OLED that are lit."""
        assert self.bus.panel is not None
        return sum(byte.bit_count() for page in self.bus.panel.memory for byte in page[:128])


def wait_until(done: Callable[[], bool], seconds: float = 20.0) -> None:
    """Give threads time; fail after that."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "not within the time"
        time.sleep(0.005)


class Running:
    """Something that runs on the bench until the queue says it's over."""

    def __init__(self, bench: Bench, run: Callable[[], object]) -> None:
        self._bench = bench
        self.result: object = None
        self._thread = threading.Thread(target=self._keep(run), daemon=True)
        self._thread.start()

    def _keep(self, run: Callable[[], object]) -> Callable[[], None]:
        def go() -> None:
            self.result = run()

        return go

    def stop(self) -> object:
        self._bench.events.put(Closed())
        self._thread.join(timeout=20)
        assert not self._thread.is_alive()
        return self.result
