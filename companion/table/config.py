"""The box's settings: one TOML file, every key optional, an unknown key an error.

The file is $COMPANION_CONFIG, else `config.toml` in the platform's folder for settings.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from companion.engine.errors import BadInput
from companion.engine.files import content, write_whole
from hardware.buttons import ButtonPins
from hardware.display import Habits
from hardware.keys import Timing
from hardware.lamps import LampPins
from hardware.panels import SIZES, Driver, Wiring

LAST_ADDRESS: Final = 0x77
"""On an I2C bus, of seven bits. Some modules have theirs printed on them with an eighth: twice the number."""

LAST_BUS: Final = (1 << 20) - 1
"""Of the I2C buses that Linux has numbers for."""

Seconds: TypeAlias = Annotated[float, Meta(ge=0)]


class DisplaySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The OLED; without an address 0x3c and 0x3d are tried."""

    enabled: bool = True
    driver: Driver = Driver.AUTO
    port: Annotated[int, Meta(ge=0, le=LAST_BUS)] = 1
    address: Annotated[int, Meta(ge=0x03, le=2 * LAST_ADDRESS)] | None = None
    spi: bool = False
    rotate: int = 0
    brightness: Annotated[int, Meta(ge=0, le=255)] = 0xCF
    dim_after: Seconds = 120.0
    off_after: Annotated[float, Meta(ge=10)] = 1800.0

    @property
    def wiring(self) -> Wiring:
        """How the panel is attached."""
        return Wiring(self.driver, self.port, self.address, self.spi, self.rotate)

    @property
    def habits(self) -> Habits:
        """When it dims."""
        return Habits(bright=self.brightness, dim_after=self.dim_after, off_after=self.off_after)


class ButtonSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys: BCM numbers, and seconds. `encoder` is A, B and switch."""

    enabled: bool = True
    up: int = 16
    down: int = 6
    ok: int = 26
    back: int = 5
    encoder: tuple[int, int, int] | None = None
    hold: Annotated[float, Meta(ge=0.1)] = 0.6
    settle: Annotated[float, Meta(ge=0, le=0.1)] = 0.008

    @property
    def pins(self) -> ButtonPins:
        """Where the keys are."""
        return ButtonPins(self.up, self.down, self.ok, self.back, self.encoder)

    @property
    def timing(self) -> Timing:
        """How long is a hold."""
        return Timing(settle=self.settle, hold=self.hold)


class LampSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """LED and buzzer: BCM numbers; no buzzer unless a pin is named."""

    enabled: bool = True
    lamp: int = 12
    buzzer: int | None = None

    @property
    def pins(self) -> LampPins:
        """Where they are."""
        return LampPins(self.lamp, self.buzzer)


class PadSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The USB pad or dice tower; without a port every Raspberry Pi Pico is tried."""

    enabled: bool = True
    port: Annotated[str, Meta(min_length=1)] | None = None


class CameraSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The camera over the tray: an index, a device, a file or a folder; without a source the first one.

    `vision.camera.open_camera` says what else a source can be.
    """

    enabled: bool = True
    source: Annotated[str, Meta(min_length=1)] | None = None


class PageSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The page for phones: for the network (`lan`, paired by a code) or this machine alone."""

    enabled: bool = True
    lan: bool = True
    port: Annotated[int, Meta(ge=1, le=65535)] = 8080


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings."""

    display: DisplaySettings = DisplaySettings()
    buttons: ButtonSettings = ButtonSettings()
    lamp: LampSettings = LampSettings()
    pad: PadSettings = PadSettings()
    camera: CameraSettings = CameraSettings()
    page: PageSettings = PageSettings()

    def safe(self) -> Config:
        """These settings with every device off but the screen."""
        return msgspec.structs.replace(
            self,
            buttons=ButtonSettings(enabled=False),
            lamp=LampSettings(enabled=False),
            pad=PadSettings(enabled=False),
            camera=CameraSettings(enabled=False),
            page=PageSettings(enabled=False),
        )


def default_path() -> Path:
    """Where the settings are looked for; `BadInput` where nobody has a home."""
    named = os.environ.get("COMPANION_CONFIG", "")
    if named:
        return Path(named)
    from platformdirs import user_config_path

    try:
        return user_config_path("companion", appauthor=False) / "config.toml"
    except RuntimeError as error:
        raise BadInput("no HOME is set: COMPANION_CONFIG names the settings file") from error


def load(path: Path | None = None) -> Config:
    """The settings of a file; without `path`, of the usual one, or the defaults where there is none.

    Raises BadInput with file and key if it can't be used.
    """
    asked_for = path is not None
    try:
        path = path or default_path()
    except BadInput:
        return Config()
    try:
        text = content(path)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not asked_for:
            return Config()
        raise BadInput(f"{path}: {error.strerror}") from error
    return parse(text, str(path))


def parse(text: bytes, name: str) -> Config:
    """Settings from the bytes of a file called `name`; BadInput if they aren't any."""
    try:
        return checked(msgspec.toml.decode(text.decode("utf-8-sig"), type=Config))  # as some editors begin it
    except (ValueError, RecursionError) as error:
        why = _in_words(error) if isinstance(error, msgspec.ValidationError) else error
        raise BadInput(f"{name}: {why}; `companion doctor --write-config FILE` writes every key") from error


def _in_words(error: msgspec.ValidationError) -> str:
    """Where a setting is wrong, and why."""
    from companion.engine.misfit import misfit

    why, place = misfit(error, Config)
    return f"{place.removeprefix('.')}: {why}" if place else why


def checked(config: Config) -> Config:
    """The settings, if no parts that are on share a pin and the display can be so; else ValueError."""
    taken: dict[int, str] = {}
    for name, pin in _pins(config).items():
        if pin is None:
            continue
        if not 0 <= pin <= 27:
            raise ValueError(f"{name}: the header has GPIO0 to GPIO27, not {pin}")
        if pin in taken:
            raise ValueError(f"{name} and {taken[pin]} are both GPIO{pin}")
        taken[pin] = name
    _check_display(config.display)
    return config


def _pins(config: Config) -> dict[str, int | None]:
    """The pins of all parts that are on, by what they are for."""
    keys, lamp, display = config.buttons, config.lamp, config.display
    uses: dict[str, int | None] = {}
    if keys.enabled:
        uses = {
            "buttons.up": keys.up,
            "buttons.down": keys.down,
            "buttons.ok": keys.ok,
            "buttons.back": keys.back,
        }
        uses |= dict(zip(("encoder A", "encoder B", "encoder switch"), keys.encoder or (), strict=False))
    if lamp.enabled:
        uses |= {"lamp.lamp": lamp.lamp, "lamp.buzzer": lamp.buzzer}
    if display.enabled:
        uses |= SPI_PINS if display.spi else I2C_PINS.get(display.port, {})
    return uses


def _check_display(display: DisplaySettings) -> None:
    """ValueError where no panel can be so."""
    if display.driver is Driver.SSD1322 and not display.spi:
        raise ValueError("display.driver: an ssd1322 has no I2C, set spi = true")
    if (address := display.address or 0) > LAST_ADDRESS:
        raise ValueError(f"display.address: {address:#x} as some modules print it is {address // 2:#x} here")
    if display.rotate not in range(4):
        raise ValueError("display.rotate: quarter turns, 0 to 3")
    width, height = SIZES[display.driver]
    if display.rotate % 2 and width != height:
        raise ValueError(f"display.rotate: 0 or 2, since {width}x{height} on end is too narrow for the text")


I2C_PINS: Final = {1: {"I2C's SDA": 2, "I2C's SCL": 3}}
"""What a panel on the header's I2C bus is driven by; others can be put on any pins."""

SPI_PINS: Final = {"SPI's CE0": 8, "SPI's MOSI": 10, "SPI's SCLK": 11, "SPI's D/C": 24, "SPI's reset": 25}
"""What a panel on SPI 0 is driven by; the last two are luma's own choice."""


TEMPLATE: Final = """\
# The companion's settings. Every key may be left out; these are the defaults.

[display]
enabled = true
driver = "auto"        # auto, ssd1306, sh1106, ssd1327, ssd1322
port = 1               # I2C bus
#address = 0x3c        # left out: 0x3c and 0x3d are tried
spi = false            # true: SPI 0, D/C on GPIO24, reset on GPIO25
rotate = 0             # quarter turns; 2: upside down
brightness = 207       # 0 to 255
dim_after = 120.0      # seconds without a press
off_after = 1800.0     # at least 10; inf: never

[buttons]              # BCM numbers; each key closes to ground
enabled = true
up = 16
down = 6
ok = 26
back = 5
#encoder = [17, 27, 22]  # A, B, switch
hold = 0.6             # seconds that make a hold
settle = 0.008         # seconds that a level must stand

[lamp]
enabled = true
lamp = 12
#buzzer = 13           # silent unless it is named

[pad]                  # a Raspberry Pi Pico on USB
enabled = true
#port = "/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_0000-if00"

[camera]
enabled = true
#source = "/dev/v4l/by-id/..."  # left out: the first one; "@180": it, upside down

[page]                 # for phones
enabled = true
lan = true             # false: this machine alone
port = 8080
"""


def write_template(path: Path) -> None:
    """Write the commented defaults; BadInput if there is a file already or it can't be written."""
    try:
        if path.is_dir():
            raise BadInput(f"{path} is a folder: name a file, such as {path / 'config.toml'}")
        if os.path.lexists(path):
            raise BadInput(f"{path} is there already: edit it, or move it away first")
        write_whole(path, TEMPLATE.encode())
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
