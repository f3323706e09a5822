"""Four buttons and perhaps a rotary encoder, on gpiozero: what was pressed, once each, on a queue.

gpiozero's callbacks only put down when something moved; what that means is worked out here, in one
thread, which reads the levels too, and again every quarter of a second in case an edge was lost. A busy
machine hears late and misses nothing. A chip that goes away is opened again.
"""

import logging
import math
import os
import threading
import time
from collections import deque
from contextlib import suppress
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import msgspec

from hardware.errors import HardwareError, PinsError, pip
from hardware.keys import Gesture, Key, KeyLogic, Press, Timing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gpiozero import DigitalInputDevice, Factory, InputDevice, RotaryEncoder

RESYNC: Final = 0.25
MOST_EDGES: Final = 256
REOPEN: Final = 2.0

_log = logging.getLogger(__name__)


class ButtonPins(msgspec.Struct, frozen=True):
    """BCM numbers of the keys, each wired to ground; and of an encoder's A, B and switch, if there is one."""

    up: int = 16
    down: int = 6
    ok: int = 26
    back: int = 5
    encoder: tuple[int, int, int] | None = None


def pin_factory() -> "Factory":
    """Gpiozero's choice if it was told one, else ours where there is a GPIO chip.

    Raises PinsError if this machine has no pins to offer.
    """
    try:
        from gpiozero import Device
    except ImportError as error:
        raise PinsError(f"buttons need gpiozero: {pip('install', 'companion[gpio]')} ({error})") from error
    if Device.pin_factory is not None:
        return Device.pin_factory
    if os.environ.get("GPIOZERO_PIN_FACTORY"):
        try:
            Device.ensure_pin_factory()
        except Exception as error:  # what drives it may be missing, or raise whatever it likes
            raise PinsError(f"GPIOZERO_PIN_FACTORY: {error}") from error
        return Device.pin_factory
    try:
        from hardware.pins import GpiodFactory
    except ImportError as error:
        raise PinsError(
            f"the pins need gpiod, on Linux: {pip('install', 'companion[gpio]')} ({error})"
        ) from error
    return GpiodFactory()


class Buttons:
    """The keys of the box. `step` does the work and takes the time; `start` runs it in a thread.

    `on_press` is called with each `Press`, from that thread: let it only enqueue. `fault` is why there are no
    buttons, in a line, empty if there are; `factory` the pin factory in use, for a lamp beside them.
    """

    def __init__(
        self,
        on_press: "Callable[[Press], None]",
        pins: ButtonPins | None = None,
        timing: Timing | None = None,
        factory: "Callable[[], Factory]" = pin_factory,
    ) -> None:
        self._on_press = on_press
        self._pins = pins or ButtonPins()
        self._timing = timing or Timing()
        self._make_factory = factory
        self.factory: Factory | None = None
        self._made: Factory | None = None  # the same, but also while its pins are being taken
        self._buttons: list[tuple[KeyLogic, DigitalInputDevice]] = []
        self._encoder: RotaryEncoder | None = None
        self.fault = "not opened yet"
        self._moved = threading.Event()
        self._edges: deque[tuple[float, Callable[[float], Iterable[Press]]]] = deque(maxlen=MOST_EDGES)
        self._reopen_at = 0.0
        self._stop = False
        self._thread: threading.Thread | None = None
        self.beat = time.monotonic()

    @property
    def stuck(self) -> tuple[Key, ...]:
        """Keys that have been down too long, or since the start: ignored until they were up once."""
        return tuple(logic.key for logic, _ in self._buttons if logic.stuck)

    def levels(self) -> dict[Key, bool]:
        """Which keys are down at this instant, for the self-test. Raises OSError if the chip is gone.

        OK is down where either its key or the encoder's switch is.
        """
        down = {logic.key for logic, button in self._buttons if button.is_active}
        return {logic.key: logic.key in down for logic, _ in self._buttons}

    def open(self, now: float) -> None:
        """Take the pins. Raises PinsError if that can't be."""
        from gpiozero import DigitalInputDevice, GPIOZeroError

        try:
            self._made = made = self._make_factory()
            for key, number in self._keys():
                button = DigitalInputDevice(number, pull_up=True, pin_factory=made)
                logic = KeyLogic(key, self._timing)
                logic.start(bool(button.is_active))
                button.when_activated = self._noting(logic, button, down=True)
                button.when_deactivated = self._noting(logic, button, down=False)
                self._buttons.append((logic, button))
            self._open_encoder(made)
        except (GPIOZeroError, OSError) as error:
            self._lose(error, now)
            raise PinsError(f"buttons: {self.fault}") from error
        self.factory, self.fault = made, ""

    def _keys(self) -> list[tuple[Key, int]]:
        pins = self._pins
        keys = [(Key.UP, pins.up), (Key.DOWN, pins.down), (Key.OK, pins.ok), (Key.BACK, pins.back)]
        return keys if pins.encoder is None else [*keys, (Key.OK, pins.encoder[2])]

    def _open_encoder(self, factory: "Factory") -> None:
        if self._pins.encoder is None:
            return
        from gpiozero import RotaryEncoder

        a, b, _ = self._pins.encoder
        self._encoder = encoder = RotaryEncoder(a, b, max_steps=0, pin_factory=factory)
        encoder.when_rotated_clockwise = self._noting_turn(encoder, Key.DOWN)
        encoder.when_rotated_counter_clockwise = self._noting_turn(encoder, Key.UP)

    def _noting_turn(self, encoder: "RotaryEncoder", key: Key) -> "Callable[[], None]":
        def note() -> None:
            self._edges.append((moved_at(encoder.a, encoder.b), lambda at: [Press(key, Gesture.TURN, at)]))
            self._moved.set()

        return note

    def _noting(self, logic: KeyLogic, button: "DigitalInputDevice", *, down: bool) -> "Callable[[], None]":
        """A callback that puts down an edge."""

        def note() -> None:
            self._edges.append((moved_at(button), partial(logic.edge, down)))
            self._moved.set()

        return note

    def step(self, now: float) -> float:
        """Look at every key, pass on what was pressed, and say in how many seconds to look again."""
        if self.fault and now < self._reopen_at:
            return self._reopen_at - now
        try:
            if self.fault:
                self.open(now)
            presses = self._look(now)
        except (HardwareError, OSError) as error:
            self._lose(error, now)
            return REOPEN
        for press in presses:
            self._on_press(press)
        dues = [due for logic, _ in self._buttons if (due := logic.due()) is not None]
        return max(0.0005, min([now + RESYNC, *dues]) - now)

    def _look(self, now: float) -> list[Press]:
        """What all keys did until now, in the order in which it was done, however late it is heard."""
        edges = [self._edges.popleft() for _ in range(len(self._edges))]
        presses: list[Press] = []
        for at, edge in sorted(edges, key=itemgetter(0)):
            for logic, _ in sorted(self._buttons, key=_due):
                presses += logic.until(min(at, now))
            presses += edge(min(at, now))
        for logic, button in sorted(self._buttons, key=_due):
            presses += logic.look(bool(button.is_active), now)
        return presses

    def _lose(self, error: Exception, now: float) -> None:
        if not self.fault:
            _log.warning("buttons lost: %s", error)
        self.fault = str(error) or type(error).__name__
        self._reopen_at = now + REOPEN
        self._close_devices()

    def _close_devices(self) -> None:
        self.factory = None
        for device in [button for _, button in self._buttons] + [self._encoder]:
            if device is not None:
                with suppress(OSError):
                    device.close()
        self._buttons, self._encoder = [], None
        self._edges.clear()
        factory, self._made = self._made, None
        from gpiozero import Device

        if factory is not None and factory is not Device.pin_factory:
            with suppress(OSError):
                factory.close()

    def start(self) -> None:
        """Watch the keys from a thread, opening them as soon as they are there."""
        self._thread = threading.Thread(target=self._run, name="buttons", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop:
            self.beat = time.monotonic()
            wait = self.step(self.beat)
            self._moved.wait(min(wait, 1.0))
            self._moved.clear()

    def close(self) -> None:
        """Give the pins back."""
        self._stop = True
        self._moved.set()
        if self._thread is not None:
            self._thread.join(timeout=2)
        self._close_devices()
        self.fault = "closed"


def moved_at(*devices: "InputDevice") -> float:
    """When one of their pins moved last: the kernel's time where a pin knows it, else now."""
    times = [at for device in devices if (at := getattr(device.pin, "moved_at", None))]
    return max(times, default=time.monotonic())


def _due(button: "tuple[KeyLogic, DigitalInputDevice]") -> float:
    due = button[0].due()
    return math.inf if due is None else due
