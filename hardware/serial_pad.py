"""The USB pad on pyserial: finds its port, keeps it open, comes back after a replug."""

import errno
import logging
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from hardware.errors import PadError, pip
from hardware.pad_link import Heard, Hello, PadDice, PadLink

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.keys import Press

RASPBERRY_PI: Final = 0x2E8A
"""USB vendor of the Pico, whatever runs on it."""

LOOK_AGAIN: Final = 0.5
READ_TIMEOUT: Final = 0.05

PATIENCE: Final = 4.0
"""Seconds that each device gets to greet where one waits for it: it is left for the next after three."""

CLOSING: Final = 1.0
"""Seconds that a port gets to close: for a pad that reads nothing any more Linux may wait much longer."""

FOR_A_COPY: Final = 10.0
"""Seconds for which a pad of another protocol is left alone: a box that talks to it keeps firmware off."""

_log = logging.getLogger(__name__)


class Port(Protocol):
    """What is needed of serial.Serial."""

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read without waiting."""

    def read(self, size: int) -> bytes:
        """Bytes that came within the timeout."""

    def write(self, data: bytes) -> int | None:
        """Send."""

    def close(self) -> None:
        """Give the port back."""


def find_ports(by_id: Path = Path("/dev/serial/by-id")) -> list[str]:
    """Ports that may be a pad, the stable names first: a Pico that is replugged may change its number.

    Raises PadError without pyserial, and where a device goes as it is looked at.
    """
    try:
        from serial.tools import list_ports
    except ImportError as error:
        raise PadError(f"the pad needs pyserial: {pip('install', 'companion[serial]')} ({error})") from error
    try:
        picos = [port.device for port in list_ports.comports() if port.vid == RASPBERRY_PI]
    except (OSError, TypeError, ValueError) as error:  # https://github.com/pyserial/pyserial/issues/774
        raise PadError("a serial device was unplugged just now: look again") from error
    stable = {str(link.resolve()): str(link) for link in by_id.glob("*")}
    return [stable.get(device, device) for device in sorted(picos)]


def open_port(name: str) -> Port:
    """Open a port for this program alone. Raises OSError (serial.SerialException is one)."""
    import termios

    import serial

    try:
        port: Port = serial.Serial(name, 115200, timeout=READ_TIMEOUT, write_timeout=1, exclusive=True)
    except serial.SerialException as error:
        if error.errno == errno.EACCES:
            raise PermissionError(error.errno, str(error)) from error
        if error.errno == errno.EWOULDBLOCK:
            raise PadError(f"{name} is in use by another program") from error
        raise
    except termios.error as error:  # torn off while it was being opened
        raise PadError(f"{name} is gone: {error}") from error
    return port


class SerialPad:
    """One pad, there or not. `on_event` is called from the pad's thread: let it only enqueue.

    `step` is one turn of that thread: it reads for at most a twentieth of a second.
    """

    def __init__(
        self,
        on_event: "Callable[[Press | PadDice], None]",
        port: str | None = None,
        find: "Callable[[], list[str]]" = find_ports,
        open_it: "Callable[[str], Port]" = open_port,
    ) -> None:
        self._on_event = on_event
        self._find: Callable[[], list[str]] = find if port is None else lambda: [port]
        self._open = open_it
        self._port: Port | None = None
        self._name = ""  # what was tried last
        self._usual = ""  # where a pad greeted last
        self._link: PadLink | None = None
        self._closing: threading.Thread | None = None
        self._heard = Heard()
        self._turn = 0
        self._look_at = 0.0
        self._fault = "not opened yet"
        self._rows: list[tuple[str, str]] = []
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.beat = time.monotonic()

    @property
    def hello(self) -> Hello | None:
        """Who is there, None while nobody greeted."""
        return self._link.hello if self._link else None

    @property
    def fault(self) -> str:
        """Why there is no pad, in a line; empty if there is."""
        return self._link.fault if self._link else self._fault

    @property
    def stuck(self) -> tuple[str, ...]:
        """Keys that are down all the time, to which it does not listen."""
        return self._link.stuck if self._link else ()

    @property
    def damaged(self) -> int:
        """Lines of this connection that were dropped."""
        return self._link.damaged if self._link else 0

    def show(self, rows: list[tuple[str, str]]) -> None:
        """The rows (style, text) that its OLED should show, if it has one."""
        self._rows = rows

    def step(self, now: float) -> float:
        """Do one round; say for how many seconds there is nothing to do."""
        if self._port is None or self._link is None:
            if now < self._look_at:
                return self._look_at - now
            if self._closing is not None and self._closing.is_alive():  # to open it again may wait as long
                return LOOK_AGAIN
            self._look_at = now + LOOK_AGAIN
            return 0.0 if self._connect(now) else LOOK_AGAIN
        try:
            self._exchange(self._port, self._link, now)
            is_elsewhere = self._is_elsewhere(now)
        except OSError as error:
            self._lose(f"pad lost: {error}", now)
        else:
            if self._link.refused:
                self._lose(self._link.fault, now + FOR_A_COPY)
            elif is_elsewhere or self._link.dead(now):
                self._lose(f"{self._name} says nothing a pad would say", now)
        return 0.0

    def _connect(self, now: float) -> bool:
        try:
            names = self._find()
            if not names:
                self._fault = "no pad on USB: plug one in, or see hardware/pico/README.md"
                return False
            if self._usual in names and self._name != self._usual:
                self._name = self._usual
            else:  # also where that was tried just now and can't be opened
                self._name = names[self._turn % len(names)]
                self._turn += 1
            self._port = self._open(self._name)
        except PermissionError:
            self._fault = f"{self._name} may not be opened: add the user to the group dialout"
        except OSError as error:
            self._fault = str(error)
        else:
            self._link = PadLink(now, self._heard)
            return True
        return False

    def _exchange(self, port: Port, link: PadLink, now: float) -> None:
        link.show(self._rows)
        link.tick(now)
        port.write(link.take())
        for event in link.feed(port.read(max(1, min(port.in_waiting, 4096))), now):
            self._on_event(event)

    def _is_elsewhere(self, now: float) -> bool:
        """Whether a pad that was unplugged is plugged in again, while another device is waited for."""
        if self.hello is not None or self._name == self._usual or now < self._look_at:
            return False
        self._look_at = now + LOOK_AGAIN
        return self._usual in self._find()

    def _lose(self, fault: str, now: float) -> None:
        if self.hello is not None:
            self._usual, self._name = self._name, ""
            if not self._stop.is_set():
                _log.warning("%s", fault)
        elif self._name == self._usual:
            self._usual = ""
        self._fault = fault
        # Closed before it is looked for again: a replugged pad gets another number while the old one is open.
        if self._port is not None:
            self._closing = threading.Thread(target=_let_go, args=[self._port], name="port", daemon=True)
            self._closing.start()
            self._closing.join(CLOSING)
        self._port, self._link = None, None
        self._look_at = now + LOOK_AGAIN

    def greeted(self) -> Hello | None:
        """Who is there, once each device that may be it was asked; for who has not started its thread."""
        try:
            devices = len(self._find())
        except OSError:  # one was unplugged just now
            devices = 1
        end = time.monotonic() + PATIENCE * max(1, devices)
        while self.hello is None and (left := end - time.monotonic()) > 0:
            time.sleep(min(self.step(time.monotonic()), left))
        return self.hello

    def start(self) -> None:
        """Look for the pad and listen to it from a thread."""
        self._thread = threading.Thread(target=self._run, name="pad", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            self.beat = time.monotonic()
            self._stop.wait(self.step(self.beat))

    def close(self) -> None:
        """Stop and give the port back."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=2)
        self._lose("closed", time.monotonic())


def _let_go(port: Port) -> None:
    with suppress(OSError):
        port.close()
