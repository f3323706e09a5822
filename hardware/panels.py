"""The panels themselves, on luma: finding one on the bus, and sending only what changed."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from hardware.errors import DisplayError, pip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PIL.Image import Image

ADDRESSES: Final = (0x3C, 0x3D)
"""The addresses that SSD1306 and SH1106 modules are sold with."""

SH1106_COLUMNS: Final = 0x02
"""SH1106 has 132 columns of memory; 128-pixel glass begins at the third (datasheet, 4.6)."""


class Driver(StrEnum):
    """The controllers that are driven through luma; `auto` tells the two 128x64 ones apart by asking."""

    AUTO = "auto"
    SSD1306 = "ssd1306"
    SH1106 = "sh1106"
    SSD1327 = "ssd1327"
    SSD1322 = "ssd1322"


SIZES: Final = {
    Driver.AUTO: (128, 64),
    Driver.SSD1306: (128, 64),
    Driver.SH1106: (128, 64),
    Driver.SSD1327: (128, 128),
    Driver.SSD1322: (256, 64),
}


class Wiring(msgspec.Struct, frozen=True):
    """How a panel is attached. `address` None: probe 0x3c and 0x3d; `spi` takes the place of I2C."""

    driver: Driver = Driver.AUTO
    port: int = 1
    address: int | None = None
    spi: bool = False
    rotate: int = 0

    @property
    def addresses(self) -> tuple[int, ...]:
        """Where on the I2C bus the panel is looked for."""
        return ADDRESSES if self.address is None else (self.address,)


class Panel(Protocol):
    """What a display needs of a panel."""

    size: tuple[int, int]

    def display(self, image: "Image") -> None:
        """Send the picture, or what of it differs from the one before."""

    def contrast(self, level: int) -> None:
        """Brightness, 0-255."""

    def hide(self) -> None:
        """Switch the glass off; `restart` switches it on again."""

    def answers(self) -> bool:
        """Whether the panel acknowledges on its bus."""

    def is_back(self) -> bool:
        """Whether what acknowledges there is of the kind that this one was opened as."""

    def restart(self) -> None:
        """Initialise it anew, as after a loss of power: lit, its memory unknown."""

    def close(self) -> None:
        """Let go of its bus: another panel is in its place."""


def pages(image: "Image") -> list[bytes]:
    """A 1-bit picture as the controller's pages: 8 pixel rows each, a byte a column, top pixel lowest."""
    from PIL import Image

    count = image.height // 8
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return [columns[count - 1 - page :: count] for page in range(count)]


def changed(before: list[bytes] | None, after: list[bytes]) -> "Iterator[tuple[int, int, bytes]]":
    """The page, first column and bytes of each page that differs, narrowed to its changed columns."""
    for number, page in enumerate(after):
        if before is None:
            yield number, 0, page
        elif page != before[number]:
            pairs = zip(before[number], page, strict=True)
            differing = [column for column, (old, new) in enumerate(pairs) if old != new]
            first, last = differing[0], differing[-1]
            yield number, first, page[first : last + 1]


def probe(wiring: Wiring, tried: "Callable[[], None]" = lambda: None) -> int:
    """Where on the bus the panel is: the first of its addresses at which something acknowledges.

    `tried` is called after each at which nothing does: a bus that hangs takes seconds to say so.
    Raises DisplayError if nothing does anywhere, or the bus itself can't be opened.
    """
    for address in wiring.addresses:
        if acknowledges(wiring.port, address):
            return address
        tried()
    places = " or ".join(f"{address:#04x}" for address in wiring.addresses)
    raise DisplayError(
        f"no display answers at {places} on I2C bus {wiring.port}: check SDA, SCL, 3V3 and GND"
    )


def acknowledges(port: int, address: int) -> bool:
    """Whether something on bus `port` answers a one-byte write (a NOP to the controllers) to `address`.

    Raises DisplayError if the bus can't be opened.
    """
    import smbus2

    nop = 0xE3
    try:
        with smbus2.SMBus(port) as bus:
            try:
                bus.write_i2c_block_data(address, 0x00, [nop])
            except OSError:
                return False
            return True
    except OSError as error:
        raise DisplayError(bus_advice(port, error)) from error


def identify(port: int, address: int) -> Driver:
    """Which of the two 128x64 controllers answers: the status byte's low half is 8 on an SH1106.

    SSD1306 gives 3, 6 or 7 there; no datasheet promises it, but drivers for many boards go by it.
    Raises OSError if nothing answers.
    """
    import smbus2

    with smbus2.SMBus(port) as bus:
        status: int = bus.read_byte_data(address, 0x00)
    return Driver.SH1106 if status & 0x0F == 0x08 else Driver.SSD1306


def bus_advice(port: int, error: OSError) -> str:
    """What to do about an I2C bus that doesn't open, in a line."""
    if isinstance(error, FileNotFoundError):
        return f"no /dev/i2c-{port}: enable I2C (raspi-config nonint do_i2c 0) and load i2c-dev"
    if isinstance(error, PermissionError):
        return f"/dev/i2c-{port} may not be opened: add the user to the group i2c"
    return f"/dev/i2c-{port}: {error.strerror or error}"


def open_panel(wiring: Wiring, sent: "Callable[[], None]" = lambda: None) -> Panel:
    """The panel as wired, initialised and blank. `sent` is called after each transfer, taken or refused.

    Raises DisplayError if it doesn't answer, its bus is missing, or luma isn't installed.
    """
    try:
        import luma.core.error
        import luma.oled.device as drivers

        from hardware import luma_panels
    except ImportError as error:
        raise DisplayError(
            f"the display needs luma.oled: {pip('install', 'companion[oled]')} ({error})"
        ) from error
    address = None if wiring.spi else probe(wiring, sent)
    driver = wiring.driver
    try:
        if driver is Driver.AUTO:
            driver = Driver.SSD1306 if address is None else identify(wiring.port, address)
        link = luma_panels.link(wiring.port, address)
        link.sent = sent
        if wiring.driver is Driver.AUTO and address is not None:
            link.is_same = lambda: identify(wiring.port, address) is driver
        width, height = SIZES[driver]
        make = {
            Driver.SSD1306: luma_panels.Ssd1306,
            Driver.SH1106: luma_panels.Sh1106,
            Driver.SSD1327: luma_panels.kept(drivers.ssd1327),
            Driver.SSD1322: luma_panels.kept(drivers.ssd1322),
        }[driver]
        try:
            panel: Panel = make(link, width=width, height=height, rotate=wiring.rotate)
        except (OSError, luma.core.error.Error):
            link.cleanup()
            raise
    except (OSError, luma.core.error.Error) as error:
        name = "the display" if driver is Driver.AUTO else driver
        raise DisplayError(f"{name} does not answer: {error}") from error
    return panel
