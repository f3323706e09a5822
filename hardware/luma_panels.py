"""luma's devices, taught to send only what changed and to start again after a loss of power."""

import fcntl
import os
import struct
from contextlib import contextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Protocol

import luma.core.device
import luma.core.error
import luma.core.framebuffer
import luma.core.interface.serial as luma_serial
import luma.oled.device

from hardware.errors import DisplayError
from hardware.panels import SH1106_COLUMNS, changed, pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gpiozero import Factory, OutputDevice
    from PIL.Image import Image

SPI_DEVICE = "/dev/spidev{port}.{device}"

_PAGE_COMMAND = 0xB0
_SPI_IOC_WR_MAX_SPEED_HZ = 0x40046B04  # linux/spi/spidev.h: _IOW('k', 4, __u32)


class _Serial(Protocol):
    def command(self, *cmd: int) -> None: ...

    def data(self, data: list[int]) -> None: ...

    def cleanup(self) -> None: ...


@contextmanager
def _one_error() -> "Iterator[None]":
    """Luma turns some errno into its own errors, which are no OSError, and lets others through."""
    try:
        yield
    except luma.core.error.Error as error:
        raise DisplayError(str(error)) from error


class Link:
    """A luma serial interface that remembers the initialisation, to send it again.

    `answers` says whether something acknowledges, `is_same` whether it is what it was opened as; `sent` is
    called after each transfer.
    luma's devices register an atexit hook each, so a new device at each loose wire would pile up.
    """

    def __init__(self, serial: _Serial, answers: "Callable[[], bool]") -> None:
        self._serial = serial
        self.answers = answers
        self.is_same: Callable[[], bool] = lambda: True
        self.sent: Callable[[], None] = lambda: None
        self._recording = True
        self._start: list[Callable[[], None]] = []

    def command(self, *cmd: int) -> None:
        """Send command bytes."""
        self._do(partial(self._serial.command, *cmd))

    def data(self, data: list[int]) -> None:
        """Send a command's arguments, where a controller takes them as data."""
        self._do(partial(self._serial.data, list(data)))

    def picture(self, data: list[int]) -> None:
        """Send bytes of picture."""
        with _one_error():
            self._serial.data(list(data))
        self.sent()

    def _do(self, step: "Callable[[], None]") -> None:
        if self._recording:
            self._start.append(step)
        with _one_error():
            step()
        self.sent()

    def cleanup(self) -> None:
        """Close the bus."""
        self._serial.cleanup()

    def started(self) -> None:
        """What was sent until now is the initialisation."""
        self._recording = False

    def replay(self) -> None:
        """Send the initialisation again, without its blank picture, which would flicker."""
        for step in self._start:
            self._do(step)


def link(port: int, address: int | None) -> Link:
    """The bus to the panel: I2C, or SPI without an address. Raises OSError or luma's errors."""
    if address is None:
        return Link(_spi(), lambda: True)
    serial = luma_serial.i2c(port=port, address=address)
    return Link(serial, lambda: _answers(serial))


def _spi() -> _Serial:
    bus = _Spi()
    try:
        serial: _Serial = luma_serial.spi(spi=bus, gpio=bus.pins, port=0, device=0)
    except (OSError, luma.core.error.Error):
        bus.close()
        raise
    return serial


def _answers(serial: _Serial) -> bool:
    try:
        serial.command(0xE3)
    except (OSError, luma.core.error.Error):
        return False
    return True


class _LumaPins:
    """D/C and reset of an SPI panel through gpiozero, in the shape of RPi.GPIO that luma asks for.

    RPi.GPIO itself knows no Pi 5.
    """

    LOW = 0
    HIGH = 1
    OUT = 0

    def __init__(self) -> None:
        from hardware.buttons import pin_factory

        self._factory: Factory | None = pin_factory()
        self._pins: dict[int, OutputDevice] = {}

    def setup(self, pin: int, _direction: int) -> None:
        """Take a pin as an output; luma asks for nothing else. Raises DisplayError if that can't be."""
        from gpiozero import GPIOZeroError, OutputDevice

        try:
            self._pins[pin] = OutputDevice(pin, pin_factory=self._factory)
        except GPIOZeroError as error:
            raise DisplayError(f"GPIO{pin}: {error}") from error

    def output(self, pin: int, level: int) -> None:
        """Drive a pin."""
        self._pins[pin].value = level

    def close(self) -> None:
        """Give the pins back."""
        from gpiozero import Device

        for pin in self._pins.values():
            pin.close()
        factory, self._factory = self._factory, None
        if factory is not None and factory is not Device.pin_factory:
            factory.close()


class _Spi:
    """What luma uses of the module spidev, which is to be had as source alone: the kernel's spidev itself.

    With it the `pins` of its panel are given back, which luma leaves to whoever took them.
    """

    def __init__(self) -> None:
        self.pins = _LumaPins()
        self._file = -1
        self._speed = 0

    def open(self, port: int, device: int) -> None:
        """Raises OSError."""
        path = SPI_DEVICE.format(port=port, device=device)
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        except PermissionError as error:
            raise DisplayError(f"{path} may not be opened: add the user to the group spi") from error

    @property
    def max_speed_hz(self) -> int:
        """The clock's rate."""
        return self._speed

    @max_speed_hz.setter
    def max_speed_hz(self, speed: int) -> None:
        self._speed = speed
        fcntl.ioctl(self._file, _SPI_IOC_WR_MAX_SPEED_HZ, struct.pack("=I", speed))

    def writebytes(self, data: list[int]) -> None:
        """Send bytes, at most 4096 of them: spidev's own buffer."""
        os.write(self._file, bytes(data))

    def close(self) -> None:
        """Close the bus; again does nothing, as luma does at the end of the program."""
        self.pins.close()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class _Kept(luma.core.device.device):
    """What our panels add to a luma device: `answers`, `restart` and what lets another take its place."""

    _serial_interface: Link

    def __init__(self, serial_interface: Link, **kwargs: int | str) -> None:
        super().__init__(serial_interface=serial_interface, **kwargs)
        serial_interface.started()
        self.persist = True

    def data(self, data: list[int]) -> None:
        """Send bytes of picture."""
        self._serial_interface.picture(data)

    def answers(self) -> bool:
        """Whether the panel acknowledges on its bus."""
        return self._serial_interface.answers()

    def is_back(self) -> bool:
        """Whether what acknowledges there is of the kind that this one was opened as."""
        try:
            return self.answers() and self._serial_interface.is_same()
        except OSError:
            return False

    def close(self) -> None:
        """Let go of its bus: another panel is in its place."""
        self._serial_interface.cleanup()

    def restart(self) -> None:
        """Initialise anew; the next picture is sent whole."""
        self._serial_interface.replay()
        self.forget()

    def forget(self) -> None:
        """Take nothing for granted of what stands in the panel's memory."""
        raise NotImplementedError


class _Paged(_Kept):
    """A panel whose memory is written page by page: it is sent what differs from the picture before."""

    _sent: list[bytes] | None = None

    def display(self, image: "Image") -> None:
        """Send the pages that differ from the picture before."""
        after = pages(self.preprocess(image))
        before, self._sent = self._sent, None
        for page, column, content in changed(before, after):
            self.send(page, column, content)
        self._sent = after

    def send(self, page: int, column: int, content: bytes) -> None:
        """Write bytes of one page from a column on."""
        raise NotImplementedError

    def forget(self) -> None:
        """Take nothing for granted of what stands in the panel's memory."""
        self._sent = None


class Ssd1306(_Paged, luma.oled.device.ssd1306):
    """SSD1306: horizontal addressing within a window (datasheet, 10.1.3)."""

    def send(self, page: int, column: int, content: bytes) -> None:
        """Write bytes of one page from a column on."""
        last = self._colstart + column + len(content) - 1
        window = (self._const.COLUMNADDR, self._colstart + column, last, self._const.PAGEADDR, page, page)
        self.command(*window)
        self.data(list(content))


class Sh1106(_Paged, luma.oled.device.sh1106):
    """SH1106: it knows page addressing alone (datasheet, 7.2)."""

    def send(self, page: int, column: int, content: bytes) -> None:
        """Write bytes of one page from a column on."""
        start = column + SH1106_COLUMNS
        self.command(_PAGE_COMMAND | page, start & 0x0F, 0x10 | start >> 4)
        self.data(list(content))


@cache
def kept(driver: type) -> type:
    """A greyscale driver of luma (which sends differences by itself) with `answers` and `restart`."""

    class Greyscale(_Kept, driver):
        def __init__(self, serial_interface: Link, **kwargs: int) -> None:
            super().__init__(serial_interface, mode="1", **kwargs)

        def forget(self) -> None:
            self.framebuffer = luma.core.framebuffer.diff_to_previous()

    return Greyscale
