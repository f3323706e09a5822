"""The pin factory over libgpiod, on a chip of our own; the real kernel's is tried in tests/lab."""

from __future__ import annotations

import os
import queue
import threading
import time
from dataclasses import replace
from importlib.metadata import entry_points
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

gpiod = pytest.importorskip("gpiod", reason="gpiod is for Linux alone")
from gpiod.line import Bias, Direction, Edge, Value  # noqa: E402  # after the skip
from gpiozero import (  # noqa: E402
    LED,
    Button,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinSetInput,
    RotaryEncoder,
)

from hardware.chips import find_chip  # noqa: E402
from hardware.errors import PinsError  # noqa: E402
from hardware.lamps import LampPins, Lamps, Mood  # noqa: E402
from hardware.pins import GpiodFactory  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RISING, FALLING = gpiod.EdgeEvent.Type.RISING_EDGE, gpiod.EdgeEvent.Type.FALLING_EDGE


class Request:
    """One requested line; `drive` moves it as a finger would."""

    def __init__(self, settings: gpiod.LineSettings) -> None:
        self.settings = replace(settings)
        self.value = Value.ACTIVE if settings.bias is Bias.PULL_UP else Value.INACTIVE
        self.gone = self.released = False
        self.events: list[SimpleNamespace] = []
        self._fd = os.eventfd(0, os.EFD_NONBLOCK)

    def fileno(self) -> int:
        return self._fd

    def drive(self, value: Value, at_ns: int = 5_000_000_000) -> None:
        self.value = value
        if self.settings.edge_detection is not Edge.NONE:
            kind = RISING if value is Value.ACTIVE else FALLING
            self.events.append(SimpleNamespace(event_type=kind, timestamp_ns=at_ns))
            os.eventfd_write(self._fd, 1)

    def read_edge_events(self) -> list[SimpleNamespace]:
        os.eventfd_read(self._fd)
        if self.gone:
            raise OSError(19, "No such device")
        events, self.events = self.events, []
        return events

    def get_value(self, line: int) -> Value:
        if self.released:
            raise gpiod.RequestReleasedError
        if self.gone:
            raise OSError(19, "No such device")
        return self.value

    def set_value(self, line: int, value: Value) -> None:
        self.value = value

    def __bool__(self) -> bool:
        return not self.released

    def reconfigure_lines(self, settings: dict[int, gpiod.LineSettings]) -> None:
        if self.released:
            raise gpiod.RequestReleasedError
        (asked,) = settings.values()
        if asked.bias is Bias.PULL_UP and self.settings.bias is not Bias.PULL_UP:
            self.value = Value.ACTIVE
        self.settings = replace(asked)

    def release(self) -> None:
        if self.released:
            raise gpiod.RequestReleasedError
        self.released = True
        os.close(self._fd)


PULLED_OUT = "pulled out once it was opened"


class Chip:
    def __init__(self, label: str = "pinctrl-rp1") -> None:
        self.label = label
        self.requests: dict[int, Request] = {}
        self.closed = False

    def get_info(self) -> SimpleNamespace:
        if self.label == PULLED_OUT:
            raise OSError(19, "No such device")
        return SimpleNamespace(label=self.label)

    def request_lines(self, settings: dict[int, gpiod.LineSettings], consumer: str) -> Request:
        if self.closed:
            raise gpiod.ChipClosedError
        ((line, asked),) = settings.items()
        if line == 13 or (line in self.requests and not self.requests[line].released):
            raise OSError(16, "Device or resource busy")
        self.requests[line] = Request(asked)
        return self.requests[line]

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def factory() -> Iterator[GpiodFactory]:
    made = GpiodFactory(Chip())
    yield made
    made.close()
    made.close()  # as gpiozero's own factories bear it
    assert made.chip.closed


def test_gpiozero_finds_the_factory_by_its_entry_point() -> None:
    points = entry_points(group="gpiozero_pin_factories")
    ours = [point.value for point in points if point.name == "companion-gpiod"]
    if not ours:
        pytest.skip("the distribution isn't installed here")
    assert ours == ["hardware.pins:GpiodFactory"]


def test_a_button_hears_both_edges_with_a_pull_up(factory: GpiodFactory) -> None:
    heard: queue.Queue[str] = queue.Queue()
    button = Button(5, pin_factory=factory)
    button.when_pressed = lambda: heard.put("pressed")
    button.when_released = lambda: heard.put("released")
    line = factory.chip.requests[5]
    assert (line.settings.edge_detection, factory.pin(5).pull) == (Edge.BOTH, "up")
    for value, word in [(Value.INACTIVE, "pressed"), (Value.ACTIVE, "released")]:
        line.drive(value)
        assert heard.get(timeout=2) == word
    button.close()


def test_a_callback_that_fails_leaves_every_button_alive(factory: GpiodFactory) -> None:
    heard: queue.Queue[str] = queue.Queue()
    bad, good = Button(5, pin_factory=factory), Button(6, pin_factory=factory)

    def fail() -> None:
        heard.put("bad")
        raise RuntimeError("a bug in a callback")

    bad.when_pressed = fail
    good.when_pressed = lambda: heard.put("good")
    for line, word in [(5, "bad"), (6, "good")]:
        factory.chip.requests[line].drive(Value.INACTIVE)
        assert heard.get(timeout=2) == word
    bad.close()
    good.close()


@pytest.mark.parametrize("leading", [17, 27])
def test_r12_turns_that_are_heard_of_late_are_all_heard_and_the_right_way_round(
    factory: GpiodFactory, leading: int
) -> None:
    """A thread that was kept away for some milliseconds finds several edges of each line."""
    busy, go_on = threading.Event(), threading.Event()
    turned: queue.Queue[str] = queue.Queue()
    lines = factory.chip.requests
    with Button(5, pin_factory=factory) as button, RotaryEncoder(17, 27, pin_factory=factory) as encoder:
        button.when_pressed = lambda: (busy.set(), go_on.wait(2))
        encoder.when_rotated_clockwise = lambda: turned.put("clockwise")
        encoder.when_rotated_counter_clockwise = lambda: turned.put("back")
        lines[5].drive(Value.INACTIVE)
        assert busy.wait(2)
        turn = [(line, value) for value in (Value.INACTIVE, Value.ACTIVE) for line in (leading, 44 - leading)]
        for at, (line, value) in enumerate(3 * turn):
            lines[line].drive(value, 6_000_000_000 + at)
        go_on.set()
        way = "clockwise" if leading == 17 else "back"
        assert [turned.get(timeout=2) for _ in range(3)] == [way, way, way]


def test_a_removed_chip_shows_as_an_error_of_the_level_and_ends_no_thread(factory: GpiodFactory) -> None:
    button = Button(5, pin_factory=factory)
    line = factory.chip.requests[5]
    line.gone = True
    line.drive(Value.INACTIVE)
    with pytest.raises(OSError, match="No such device"):
        _ = button.is_pressed
    threads = [thread for thread in threading.enumerate() if thread.name == "gpio edges"]
    assert [thread.is_alive() for thread in threads] == [True]
    button.close()


def test_a_pin_that_is_gone_is_listened_to_no_more(
    factory: GpiodFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel reports it without end, so that a thread that listened on would take a whole core."""
    asked: queue.Queue[str] = queue.Queue()
    button = Button(5, pin_factory=factory)
    button.when_pressed = lambda: None
    line = factory.chip.requests[5]

    def gone() -> list[SimpleNamespace]:
        asked.put("asked")
        raise OSError(19, "No such device")

    monkeypatch.setattr(line, "read_edge_events", gone)
    line.drive(Value.INACTIVE)
    assert asked.get(timeout=2) == "asked"
    with pytest.raises(queue.Empty):
        asked.get(timeout=0.2)
    button.close()


def test_a_pin_that_another_thread_drops_as_its_chip_goes_ends_no_thread(factory: GpiodFactory) -> None:
    """The thread of the buttons gives the pins back while that of the edges finds them gone."""
    button = Button(5, pin_factory=factory)
    button.when_pressed = lambda: None
    edges = factory._edges

    class Meanwhile(dict[int, object]):
        def items(self) -> list[tuple[int, object]]:  # type: ignore[override]
            found = list(super().items())
            self.clear()
            return found

    edges._pins = Meanwhile(edges._pins)  # type: ignore[assignment]
    edges.unwatch(button.pin)
    button.close()


def test_an_led_drives_its_line(factory: GpiodFactory) -> None:
    led = LED(12, pin_factory=factory)
    led.on()
    line = factory.chip.requests[12]
    assert (line.settings.direction, line.value) == (Direction.OUTPUT, Value.ACTIVE)
    led.close()
    with pytest.raises(PinSetInput):
        factory.pin(6).state = 1


@pytest.mark.parametrize("mood", [Mood.WAITING, Mood.READING])
def test_lamp_and_buzzer_are_off_in_the_end_also_where_a_line_keeps_its_level(
    factory: GpiodFactory, mood: Mood
) -> None:
    """A Raspberry Pi's do; a box that stops in the middle of a tone would sound on."""
    lamps = Lamps(LampPins(lamp=12, buzzer=18), factory)
    lamps.show(mood)
    lamps.beep()
    lines = [factory.chip.requests[number] for number in (12, 18)]
    end = time.monotonic() + 2
    while any(line.value is not Value.ACTIVE for line in lines) and time.monotonic() < end:
        time.sleep(0.001)
    lamps.close()
    assert [(line.value, line.released) for line in lines] == [(Value.INACTIVE, True)] * 2


def test_a_pin_that_was_given_back_can_be_taken_again(factory: GpiodFactory) -> None:
    """As by buttons that are opened anew on a factory that gpiozero was told to use."""
    heard: queue.Queue[str] = queue.Queue()
    for _ in range(2):
        with Button(5, pin_factory=factory) as button:
            button.when_pressed = lambda: heard.put("pressed")
            factory.chip.requests[5].drive(Value.INACTIVE)
            assert heard.get(timeout=2) == "pressed"
    with LED(5, initial_value=True, pin_factory=factory):
        assert factory.chip.requests[5].value is Value.ACTIVE


def test_closing_one_button_leaves_the_others_listened_to(factory: GpiodFactory) -> None:
    heard: queue.Queue[str] = queue.Queue()
    with Button(5, pin_factory=factory) as button:
        button.when_pressed = lambda: heard.put("pressed")
        with Button(6, pin_factory=factory) as other:
            other.when_pressed = lambda: heard.put("the other")
        factory.chip.requests[5].drive(Value.INACTIVE)
        assert heard.get(timeout=2) == "pressed"


def test_a_pin_is_as_it_was_set_for_whoever_asks_it_and_the_kernel(factory: GpiodFactory) -> None:
    pin = factory.pin(5)
    assert (pin.function, pin.pull, pin.bounce, pin.edges) == ("input", "floating", None, "both")
    pin.pull, pin.bounce, pin.edges = "down", 0.02, "falling"
    pin.when_changed = lambda *_: None
    assert (pin.pull, pin.bounce, pin.edges) == ("down", 0.02, "falling")
    settings = factory.chip.requests[5].settings
    assert (settings.bias, settings.debounce_period.total_seconds()) == (Bias.PULL_DOWN, 0.02)
    assert settings.edge_detection is Edge.FALLING
    pin.edges = "rising"
    assert factory.chip.requests[5].settings.edge_detection is Edge.RISING
    pin.function = "output"  # the kernel takes neither edges nor a delay with it
    assert (pin.function, pin.bounce) == ("output", None)
    with pytest.raises(PinFixedPull):
        pin.pull = "up"
    assert factory.chip.requests[5].settings.edge_detection is Edge.NONE


@pytest.mark.parametrize(
    ("number", "what", "value", "error"),
    [
        (5, "function", "pwm", PinInvalidFunction),
        (5, "pull", "sideways", PinInvalidPull),
        (2, "pull", "down", PinFixedPull),  # wired to a pull-up on the board
        (5, "bounce", -0.1, PinInvalidBounce),
        (5, "edges", "sharp", PinInvalidEdges),
    ],
)
def test_what_a_pin_can_not_be_is_refused_as_gpiozero_does(
    factory: GpiodFactory, number: int, what: str, value: object, error: type[Exception]
) -> None:
    with pytest.raises(error):
        setattr(factory.pin(number), what, value)


def test_closing_one_factory_leaves_the_pins_of_another(factory: GpiodFactory) -> None:
    """As of an SPI panel that can't be opened, beside the buttons."""
    with Button(5, pin_factory=factory) as button:
        GpiodFactory(Chip()).close()
        assert not button.is_pressed


def test_a_factory_that_is_closed_leaves_no_file_open() -> None:
    """One is made at each try while the chip is gone or a pin is taken."""
    made = GpiodFactory(Chip())
    Button(5, pin_factory=made).when_pressed = print
    stop = made._edges._stop
    made.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(stop)


def test_a_taken_pin_is_named(factory: GpiodFactory) -> None:
    with pytest.raises(PinsError, match="GPIO13 is taken"):
        factory.pin(13)


def test_a_chip_that_was_given_back_meanwhile_is_an_error_of_the_lamp() -> None:
    made = GpiodFactory(Chip())
    made.close()
    assert Lamps(LampPins(lamp=12), made).faults == {"lamp": "lamp: GPIO12: its chip was given back"}


def chips(folder: Path, monkeypatch: pytest.MonkeyPatch, labels: list[str | OSError]) -> None:
    for number in range(len(labels)):
        (folder / f"gpiochip{number}").touch()

    def open_chip(path: str) -> Chip:
        label = labels[int(path.removeprefix(str(folder / "gpiochip")))]
        if isinstance(label, OSError):
            raise label
        return Chip(label)

    monkeypatch.setattr(gpiod, "Chip", open_chip)


def test_the_header_is_found_by_label_whatever_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = OSError(19, "No such device")
    chips(tmp_path, monkeypatch, [gone, PULLED_OUT, "raspberrypi-exp-gpio", "gpio-brcmstb", "pinctrl-rp1"])
    assert find_chip(tmp_path).get_info().label == "pinctrl-rp1"
    monkeypatch.setenv("COMPANION_GPIO_CHIP", "gpio-brcmstb")
    assert find_chip(tmp_path).get_info().label == "gpio-brcmstb"


def test_no_chip_and_no_rights_say_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chips(tmp_path, monkeypatch, ["something else"])
    with pytest.raises(PinsError, match="not a Raspberry Pi"):
        find_chip(tmp_path)
    chips(tmp_path, monkeypatch, [PermissionError(13, "denied")])
    with pytest.raises(PinsError, match="group gpio"):
        find_chip(tmp_path)
