"""A gpiozero pin factory over libgpiod v2, the kernel's own interface to GPIO lines.

lgpio, gpiozero's default, has no wheel for Python 3.13, polls each half millisecond, and loses every
button to one exception in a callback. This one sleeps in the kernel until a line moves.

gpiozero finds it by entry point: GPIOZERO_PIN_FACTORY=companion-gpiod
"""

import logging
import os
import select
import threading
from contextlib import contextmanager, suppress
from datetime import timedelta
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import gpiod
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero.exc import (
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinSetInput,
    PinUnknownPi,
)
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from hardware.chips import find_chip
from hardware.errors import PinsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gpiozero.pins import PinInfo

FORTY_PIN_BOARD: Final = 0xA02082
"""A Pi 3B's revision: the header of every board with 40 pins, for boards that don't say what they are."""

_PULLS: Final = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
_EDGES: Final = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING, "none": Edge.NONE}

_log = logging.getLogger(__name__)


class GpiodFactory(LocalPiFactory):
    """Pins of the local machine's header chip. Its thread only runs while an edge is waited for."""

    def __init__(self, chip: gpiod.Chip | None = None) -> None:
        super().__init__()
        # gpiozero's are shared by all factories: closing one gave the lines of all back
        self.pins: dict[PinInfo, GpiodPin] = {}
        self.chip = chip or find_chip()
        self.pin_class = GpiodPin
        self._edges = _EdgeThread()

    def close(self) -> None:
        """Give every line and the chip back."""
        super().close()
        self._edges.close()
        self.chip.close()

    def _get_revision(self) -> int:
        try:
            revision: int = super()._get_revision()
        except (PinUnknownPi, OSError):
            return FORTY_PIN_BOARD
        return revision

    def watch(self, pin: "GpiodPin") -> None:
        """Call the pin's `moved` with each of its edges."""
        self._edges.watch(pin)

    def unwatch(self, pin: "GpiodPin") -> None:
        """Stop that."""
        self._edges.unwatch(pin)


class GpiodPin(LocalPiPin):
    """One line of the chip. A removed chip shows as OSError from `state`.

    `moved_at` is when its last edge was, in seconds of the monotonic clock by the kernel's stamp.
    """

    factory: GpiodFactory

    def __init__(self, factory: GpiodFactory, info: "PinInfo") -> None:
        super().__init__(factory, info)
        self._settings = gpiod.LineSettings(direction=Direction.INPUT)
        self._wanted_edges = Edge.BOTH
        self.line: int = self._number
        self.moved_at: float | None = None
        self.request = self._take()

    def _take(self) -> gpiod.LineRequest:
        try:
            return self.factory.chip.request_lines({self.line: self._settings}, consumer="companion")
        except OSError as error:
            raise PinsError(f"GPIO{self.line} is taken or refused: {error.strerror}; see gpioinfo") from error
        except gpiod.ChipClosedError as error:  # by the buttons' thread, just as the lamp is taken
            raise PinsError(f"GPIO{self.line}: its chip was given back") from error

    def close(self) -> None:
        """Give the line back."""
        self.when_changed = None
        with suppress(OSError, gpiod.RequestReleasedError):
            self.request.release()

    def moved(self, event: gpiod.EdgeEvent) -> None:
        """Pass on one edge of what the kernel queued for this line; called by the edge thread."""
        self.moved_at = event.timestamp_ns / 1e9
        if self._when_changed is not None:
            rising = event.event_type is gpiod.EdgeEvent.Type.RISING_EDGE
            self._call_when_changed(self.moved_at, int(rising))

    @contextmanager
    def _released_is_gone(self) -> "Iterator[None]":
        try:
            yield
        except gpiod.RequestReleasedError as error:
            raise PinsError(f"GPIO{self.line} was given back") from error

    def _change(self) -> None:
        if self.request:
            self.request.reconfigure_lines({self.line: self._settings})
        else:  # given back by the device that had it before
            self.request = self._take()

    def _get_function(self) -> str:
        return "output" if self._settings.direction is Direction.OUTPUT else "input"

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction(f"invalid function {value!r} for pin {self!r}")
        output = value == "output"
        self._settings.direction = Direction.OUTPUT if output else Direction.INPUT
        if output:
            self._settings.edge_detection = Edge.NONE
            self._settings.debounce_period = timedelta()
        self._change()

    def _get_state(self) -> int:
        with self._released_is_gone():
            return int(self.request.get_value(self.line) is Value.ACTIVE)

    def _set_state(self, value: float) -> None:
        if self._settings.direction is not Direction.OUTPUT:
            raise PinSetInput(f"cannot set state of pin {self!r}")
        level = Value.ACTIVE if value else Value.INACTIVE
        self._settings.output_value = level
        with self._released_is_gone():
            self.request.set_value(self.line, level)

    def _get_pull(self) -> str:
        return next((name for name, bias in _PULLS.items() if bias is self._settings.bias), "floating")

    def _set_pull(self, value: str) -> None:
        if self._settings.direction is not Direction.INPUT:
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        if self.info.pull not in (value, ""):
            raise PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        if value not in _PULLS:
            raise PinInvalidPull(f"invalid pull {value!r} for pin {self!r}")
        self._settings.bias = _PULLS[value]
        self._change()

    def _get_bounce(self) -> float | None:
        return self._settings.debounce_period.total_seconds() or None

    def _set_bounce(self, value: float | None) -> None:
        if value is not None and value < 0:
            raise PinInvalidBounce("bounce must be 0 or greater")
        self._settings.debounce_period = timedelta(seconds=value or 0)
        self._change()

    def _get_edges(self) -> str:
        return next(name for name, edge in _EDGES.items() if edge is self._wanted_edges)

    def _set_edges(self, value: str) -> None:
        if value not in _EDGES:
            raise PinInvalidEdges(f"invalid edges {value!r} for pin {self!r}")
        self._wanted_edges = _EDGES[value]
        if self._when_changed is not None:
            self._enable_event_detect()

    def _enable_event_detect(self) -> None:
        self._settings.edge_detection = self._wanted_edges
        self._change()
        self.factory.watch(self)

    def _disable_event_detect(self) -> None:
        self.factory.unwatch(self)
        self._settings.edge_detection = Edge.NONE
        with suppress(OSError, gpiod.RequestReleasedError):
            self._change()


class _EdgeThread:
    """Waits in the kernel for edges of any watched pin; no callback's exception ends it.

    The kernel queues them line by line. They are passed on in the order in which they were: an encoder's two
    lines tell by that alone which way it was turned.
    """

    def __init__(self) -> None:
        self._poll = select.epoll()
        self._pins: dict[int, GpiodPin] = {}
        self._stop = os.eventfd(0)
        self._poll.register(self._stop, select.EPOLLIN)
        self._thread: threading.Thread | None = None

    def watch(self, pin: GpiodPin) -> None:
        number = pin.request.fileno()
        if number not in self._pins:
            self._pins[number] = pin
            self._poll.register(number, select.EPOLLIN)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="gpio edges", daemon=True)
            self._thread.start()

    def unwatch(self, pin: GpiodPin) -> None:
        # also called by two threads at once as a chip goes
        for number in [number for number, watched in list(self._pins.items()) if watched is pin]:
            self._pins.pop(number, None)
            with suppress(OSError):
                self._poll.unregister(number)

    def close(self) -> None:
        if self._stop < 0:
            return
        os.eventfd_write(self._stop, 1)
        if self._thread is not None:
            self._thread.join()
        self._poll.close()
        os.close(self._stop)
        self._stop = -1

    def _run(self) -> None:
        while True:
            numbers = [number for number, _ in self._poll.poll()]
            if self._stop in numbers:
                return
            pins = [pin for number in numbers if (pin := self._pins.get(number)) is not None]
            edges = [(event.timestamp_ns, pin, event) for pin in pins for event in self._queued(pin)]
            for _, pin, event in sorted(edges, key=itemgetter(0)):
                self._deliver(pin, event)

    def _queued(self, pin: GpiodPin) -> list[gpiod.EdgeEvent]:
        try:
            return pin.request.read_edge_events()
        except (OSError, gpiod.RequestReleasedError) as error:
            _log.warning("%r is gone: %s", pin, error)
            self.unwatch(pin)
            return []

    def _deliver(self, pin: GpiodPin, event: gpiod.EdgeEvent) -> None:
        try:
            pin.moved(event)
        except Exception:  # noqa: BLE001  # whatever a callback raises, the other buttons go on
            _log.exception("a callback of %r failed", pin)
