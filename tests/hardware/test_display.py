"""The OLED at the level of its bus: what is sent, what stands on the glass, what a loose wire does (R11)."""

from __future__ import annotations

import errno
import queue
import sys
import time
from typing import TYPE_CHECKING

import pytest
from gpiozero import Device, OutputDevice
from gpiozero.pins.mock import MockFactory
from PIL import Image

from hardware import HardwareError, buttons, font, luma_panels
from hardware.display import SHIFTS, Display, DisplayThread, Habits
from hardware.drawing import Row, Screen, Style, draw
from hardware.errors import PinsError
from hardware.panels import Driver, Wiring, changed, open_panel, probe
from tests.hardware.fakes import Bus, Ssd1306Memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def menu(selected: int) -> Screen:
    options = ["Move 1: Kakazu Ridge", "Move 2: Supply", "Strike (2 dice)", "Pass", "Resupply"]
    rows = [Row("OKINAWA       turn 2", Style.TITLE), Row("What now?")]
    rows += [Row(text, Style.SELECTED if n == selected else Style.PLAIN) for n, text in enumerate(options)]
    return Screen((*rows, Row("cam  pad  saved", Style.FOOTER)))


def glass(panel: Ssd1306Memory) -> Image.Image:
    picture = Image.new("1", (128, 64))
    picture.putdata([255 * panel.pixel(x, y) for y in range(64) for x in range(128)])
    return picture


def shown(bus: Bus, habits: Habits | None = None) -> Display:
    """A display on an ordinary panel that shows the menu since the beginning."""
    bus.panel = Ssd1306Memory()
    display = Display.at(Wiring(), habits)
    display.show(menu(0), now=0.0)
    return display


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.tobytes() == other.tobytes()


@pytest.mark.parametrize(("driver", "paged"), [(Driver.SSD1306, False), (Driver.SH1106, True)])
def test_what_is_drawn_stands_on_the_glass(bus: Bus, driver: Driver, paged: bool) -> None:
    bus.panel = Ssd1306Memory(paged)
    display = Display.at(Wiring(driver))
    for selected in (0, 3, 1):
        display.show(menu(selected), now=0.0)
        assert same(glass(bus.panel), draw(menu(selected), (128, 64)))
    assert bus.panel.on
    assert display.connected


@pytest.mark.parametrize(("driver", "paged"), [(Driver.SSD1306, False), (Driver.SH1106, True)])
def test_a_moved_selection_bar_costs_under_a_third_of_a_full_frame(
    bus: Bus, driver: Driver, paged: bool
) -> None:
    bus.panel = Ssd1306Memory(paged)
    display = Display.at(Wiring(driver))
    display.show(Screen((Row("\N{FULL BLOCK}" * 21),) * 8), now=0.0)
    bus.bytes = 0
    display.show(menu(0), now=1.0)
    full = bus.bytes
    bus.bytes = 0
    display.show(menu(1), now=2.0)
    assert 0 < bus.bytes < full / 3


def test_of_a_page_only_what_is_between_its_first_and_last_change_is_sent() -> None:
    before, after = [b"abcdef", b"ghij"], [b"aXcYef", b"ghij"]
    assert list(changed(before, after)) == [(0, 1, b"XcY")]
    assert list(changed(None, after)) == [(0, 0, after[0]), (1, 0, after[1])]


def test_an_unchanged_screen_sends_nothing(bus: Bus) -> None:
    display = shown(bus)
    bus.bytes = 0
    display.show(menu(0), now=1.0)
    display.tick(2.0)
    assert bus.bytes == 0


@pytest.mark.parametrize("paged", [False, True], ids=["ssd1306", "sh1106"])
def test_the_two_common_controllers_are_told_apart(bus: Bus, paged: bool) -> None:
    bus.panel = Ssd1306Memory(paged)
    display = Display.at(Wiring())
    display.show(menu(2), now=0.0)
    assert same(glass(bus.panel), draw(menu(2), (128, 64)))


@pytest.fixture
def spidev(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The kernel's SPI device: a file, and the clock that is asked for."""
    monkeypatch.setattr(luma_panels, "SPI_DEVICE", f"{tmp_path}/spidev{{port}}.{{device}}")
    monkeypatch.setattr(
        "fcntl.ioctl", lambda file, request, rate: (tmp_path / f"{request:x}").write_bytes(rate)
    )
    return tmp_path / "spidev0.0"


def test_an_spi_panel_is_driven_by_the_boxs_own_pins_and_the_kernels_spidev(
    monkeypatch: pytest.MonkeyPatch, spidev: Path
) -> None:
    pins = MockFactory()
    monkeypatch.setattr(buttons, "pin_factory", lambda: pins)
    spidev.touch()
    display = Display.at(Wiring(Driver.SSD1306, spi=True))
    display.show(menu(0), now=0.0)
    assert display.connected
    assert len(spidev.read_bytes()) > 1024
    assert (spidev.parent / "40046b04").read_bytes() == (8_000_000).to_bytes(4, sys.byteorder)
    assert pins.pin(25).state


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")
def test_r11_a_controller_whose_commands_have_data_is_given_all_of_it_again(
    monkeypatch: pytest.MonkeyPatch, spidev: Path
) -> None:
    """SSD1322, which can't say that it lost its power for a moment: it is started anew each minute."""
    monkeypatch.setattr(buttons, "pin_factory", MockFactory)
    spidev.touch()
    display = Display.at(Wiring(Driver.SSD1322, spi=True))
    display.show(menu(0), now=0.0)
    first = spidev.read_bytes()
    start = first[: first.index(b"\xa6\xa9") + 2]
    assert start.startswith(b"\xfd\x12\xa4\xb3\xf2\xca\x3f")
    display.tick(now=60.0)
    again = spidev.read_bytes()[len(first) :]
    assert again.startswith(start)
    assert 256 * 64 // 2 < len(again) < 256 * 64 // 2 + 200, "one whole picture, no blank one before it"


def test_an_spi_panel_without_its_bus_or_its_pins_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, spidev: Path
) -> None:
    def no_pins() -> MockFactory:
        raise PinsError("no GPIO chip")

    def shut(path: str, flags: int) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    pins, pin_factory = MockFactory(), buttons.pin_factory
    monkeypatch.setattr(Device, "pin_factory", pins)
    monkeypatch.setattr(buttons, "pin_factory", no_pins)
    display = Display.at(Wiring(Driver.SSD1306, spi=True))
    display.show(menu(0), now=0.0)
    assert "no GPIO chip" in display.fault
    monkeypatch.setattr(buttons, "pin_factory", pin_factory)
    with OutputDevice(24, pin_factory=pins):
        display.tick(1.0)
        assert "GPIO24" in display.fault
    display.tick(3.0)
    assert "SPI device not found" in display.fault
    with monkeypatch.context() as closed:
        closed.setattr("os.open", shut)
        display.tick(5.0)
    assert "add the user to the group spi" in display.fault
    spidev.touch()
    display.tick(10.0)
    assert display.connected


def test_an_spi_panel_whose_start_broke_off_is_tried_again_on_the_same_pins(
    monkeypatch: pytest.MonkeyPatch, spidev: Path
) -> None:
    def broken(file: int, data: bytes) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Device, "pin_factory", MockFactory())
    spidev.touch()
    display = Display.at(Wiring(Driver.SSD1306, spi=True))
    with monkeypatch.context() as cut:
        cut.setattr("os.write", broken)
        display.show(menu(0), now=0.0)
    assert "Input/output error" in display.fault
    display.tick(now=1.0)
    assert display.connected, display.fault


@pytest.mark.parametrize("is_shared", [True, False])
def test_an_spi_panel_that_does_not_start_gives_back_its_own_pins_and_leaves_the_buttons_theirs(
    monkeypatch: pytest.MonkeyPatch, spidev: Path, is_shared: bool
) -> None:
    pins = MockFactory()
    monkeypatch.setattr(Device, "pin_factory", pins if is_shared else None)
    monkeypatch.setattr(buttons, "pin_factory", lambda: pins)
    of_a_button = pins.pin(5)
    Display.at(Wiring(Driver.SSD1306, spi=True)).show(menu(0), now=0.0)
    assert not spidev.exists()
    assert (pins.pin(5) is of_a_button) is is_shared


@pytest.mark.parametrize("address", [0x3C, 0x3D])
def test_a_panel_is_found_at_either_address(bus: Bus, address: int) -> None:
    bus.panel, bus.address = Ssd1306Memory(), address
    assert probe(Wiring()) == address
    assert open_panel(Wiring()).size == (128, 64)


def test_a_display_that_is_absent_says_what_to_do_and_is_taken_when_it_comes(bus: Bus) -> None:
    display = Display.at(Wiring())
    display.show(menu(0), now=0.0)
    assert not display.connected
    assert "check SDA, SCL" in display.fault
    bus.panel = Ssd1306Memory()
    display.tick(0.6)
    assert display.connected
    assert same(glass(bus.panel), draw(menu(0), (128, 64)))


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (FileNotFoundError(errno.ENOENT, "none"), "enable I2C"),
        (PermissionError(errno.EACCES, "no"), "group i2c"),
        (OSError(errno.ENODEV, "No such device"), "/dev/i2c-1: No such device"),
    ],
)
def test_a_bus_that_does_not_open_says_what_to_do(bus: Bus, error: OSError, advice: str) -> None:
    bus.open_error = error
    display = Display.at(Wiring())
    display.show(menu(0), now=0.0)
    assert advice in display.fault


def test_a_display_without_its_drivers_says_what_to_install(
    bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "luma.oled.device", None)
    display = Display.at(Wiring())
    display.show(menu(0), now=0.0)
    assert "install" in display.fault
    assert "companion[oled]" in display.fault


@pytest.mark.parametrize("number", [errno.EREMOTEIO, errno.EIO, errno.ETIMEDOUT, errno.ENXIO])
def test_after_an_unplug_in_mid_frame_the_screen_is_redrawn_on_return(bus: Bus, number: int) -> None:
    bus.panel, bus.error = Ssd1306Memory(), number
    display = Display.at(Wiring())
    display.show(menu(0), now=0.0)
    bus.cut_after = bus.transfers + 3
    display.show(menu(4), now=1.0)
    assert not display.connected
    display.show(menu(2), now=1.2)
    bus.panel, bus.cut_after = Ssd1306Memory(), None
    display.tick(1.6)
    assert display.connected
    assert bus.panel.on
    assert same(glass(bus.panel), draw(menu(2), (128, 64)))


def test_r11_a_panel_that_lost_its_power_for_a_moment_under_a_still_picture_is_lit_again(bus: Bus) -> None:
    display = shown(bus)
    bus.panel.power_cycle()
    for second in range(1, 62):
        display.tick(float(second))
    assert (bus.panel.on, bus.panel.ready, bus.panel.contrast) == (True, True, 0xCF)
    assert same(glass(bus.panel), draw(menu(0), (128, 64), SHIFTS[1]))


def test_r11_a_panel_that_is_gone_is_missed_under_a_still_picture_and_drawn_on_return(bus: Bus) -> None:
    display = shown(bus)
    bus.panel = None
    for second in range(1, 5):
        display.tick(float(second))
    assert not display.connected
    assert "check its wires" in display.fault
    bus.panel = Ssd1306Memory()
    display.tick(6.0)
    assert bus.panel.on
    assert same(glass(bus.panel), draw(menu(0), (128, 64)))


@pytest.mark.parametrize(("paged", "address"), [(True, 0x3C), (False, 0x3D), (True, 0x3D)])
def test_r11_another_panel_in_the_place_of_a_broken_one_is_driven_as_what_it_is(
    bus: Bus, paged: bool, address: int
) -> None:
    display = shown(bus)
    bus.panel = None
    display.show(menu(1), now=1.0)
    bus.panel, bus.address = Ssd1306Memory(paged), address
    display.tick(2.0)
    assert display.connected
    assert bus.panel.on
    assert same(glass(bus.panel), draw(menu(1), (128, 64)))
    assert bus.opened == 1


def test_r11_a_panel_whose_driver_was_named_or_that_can_not_say_which_it_is_is_taken_back_as_what_it_was(
    bus: Bus, monkeypatch: pytest.MonkeyPatch, spidev: Path
) -> None:
    monkeypatch.setattr(buttons, "pin_factory", MockFactory)
    spidev.touch()
    bus.panel = Ssd1306Memory()
    for wiring in (Wiring(Driver.SH1106), Wiring(spi=True)):
        panel = open_panel(wiring)
        assert panel.is_back()
        panel.close()


def test_r11_a_panel_that_goes_again_as_it_is_asked_which_it_is_is_waited_for(
    bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loose(port: int, address: int) -> Driver:
        raise OSError(errno.EREMOTEIO, "Remote I/O error")

    bus.panel = panel = Ssd1306Memory()
    display = Display.at(Wiring())
    display.show(menu(0), now=0.0)
    bus.panel = None
    display.show(menu(1), now=1.0)
    bus.panel = panel
    with monkeypatch.context() as moment:
        moment.setattr("hardware.panels.identify", loose)
        display.tick(2.0)
    assert not display.connected
    display.tick(10.0)
    assert display.connected
    assert same(glass(panel), draw(menu(1), (128, 64)))


def test_a_panel_that_lost_its_power_while_dark_is_lit_by_a_press(bus: Bus) -> None:
    display = shown(bus, Habits(off_after=100))
    display.tick(101.0)
    bus.panel.power_cycle()
    display.wake(102.0)
    assert (bus.panel.on, bus.panel.ready) == (True, True)
    assert same(glass(bus.panel), draw(menu(0), (128, 64), SHIFTS[1]))


def test_a_hundred_unplugs_leave_no_bus_open_and_no_exit_hook_behind(
    bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooks: list[object] = []
    monkeypatch.setattr("atexit.register", hooks.append)
    bus.panel = Ssd1306Memory()
    display = Display.at(Wiring())
    for minute in range(100):
        display.show(menu(minute % 5), now=60.0 * minute)
        bus.panel = None
        display.show(menu(0), now=60.0 * minute + 1)
        bus.panel = Ssd1306Memory()
        display.tick(60.0 * minute + 10)
        assert display.connected
    assert len(hooks) == 1
    assert bus.opened == 1


def test_the_last_picture_stays_on_the_glass_after_the_programs_end(
    bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says that all is saved; luma would switch the panel off."""
    hooks: list[Callable[[], None]] = []
    monkeypatch.setattr("atexit.register", hooks.append)
    display = shown(bus)
    display.close()
    for hook in hooks:
        hook()
    assert bus.panel.on
    assert same(glass(bus.panel), draw(menu(0), (128, 64)))


@pytest.mark.parametrize("driver", [Driver.SSD1306, Driver.AUTO])
def test_a_panel_with_an_address_that_never_answers_leaves_no_bus_open_and_no_exit_hook_behind(
    bus: Bus, monkeypatch: pytest.MonkeyPatch, driver: Driver
) -> None:
    hooks: list[object] = []
    monkeypatch.setattr("atexit.register", hooks.append)
    display = Display.at(Wiring(driver, address=0x3D))
    for second in range(60):
        display.tick(float(second))
    assert display.fault.startswith("no display answers at 0x3d on I2C bus 1: check SDA")
    assert not hooks
    assert bus.opened == 0


def test_a_display_that_falls_silent_before_its_driver_is_known_is_not_called_auto(
    bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loose(port: int, address: int) -> Driver:
        raise OSError(errno.EREMOTEIO, "Remote I/O error")

    bus.panel = Ssd1306Memory()
    monkeypatch.setattr("hardware.panels.identify", loose)
    display = Display.at(Wiring())
    display.tick(0.0)
    assert display.fault.startswith("the display does not answer: ")


def test_a_panel_that_breaks_off_in_its_first_moment_leaves_no_bus_open(bus: Bus) -> None:
    display = Display.at(Wiring(Driver.SSD1306))
    for second in range(60):
        bus.panel, bus.cut_after = Ssd1306Memory(), bus.transfers + 3
        display.tick(float(second))
        assert not display.connected
    assert bus.opened == 0


def test_the_display_looks_for_a_lost_panel_ever_more_rarely(bus: Bus) -> None:
    opened = []
    display = Display(lambda: opened.append(len(opened)) or (_ for _ in ()).throw(_absent()))  # raises
    for tenth in range(600):
        display.tick(tenth / 10)
    assert 10 < len(opened) <= 16


def _absent() -> OSError:
    from hardware.errors import DisplayError

    return DisplayError("absent")


def test_it_dims_when_nobody_acts_goes_dark_later_and_is_bright_at_the_next_screen(bus: Bus) -> None:
    display = shown(bus, Habits(dim_after=10, off_after=100))
    assert bus.panel.contrast == 0xCF
    display.tick(11.0)
    assert bus.panel.contrast == 0x10
    display.tick(101.0)
    assert not bus.panel.on
    display.show(menu(1), now=102.0)
    assert (bus.panel.on, bus.panel.contrast) == (True, 0xCF)
    assert same(glass(bus.panel), draw(menu(1), (128, 64), SHIFTS[1]))


def test_a_dark_display_is_told_once_and_is_lit_also_when_its_picture_stands_where_it_stood(bus: Bus) -> None:
    display = shown(bus, Habits(off_after=100, shift_every=60))
    display.tick(61.0)
    display.tick(101.0)
    bus.bytes = 0
    display.tick(102.0)
    assert bus.bytes == 0
    display.wake(61.0 + 60 * len(SHIFTS))
    assert bus.panel.on


def test_r11_keys_are_heard_where_the_panel_was_lost_while_it_was_dark(bus: Bus) -> None:
    """A press that only lights the display is not heard: it would never be lit."""
    display = shown(bus, Habits(off_after=100))
    display.tick(101.0)
    assert display.dark
    lost, bus.panel = bus.panel, None
    display.tick(110.0)
    assert not display.dark
    lost.power_cycle()
    bus.panel = lost
    display.tick(120.0)
    assert (display.dark, lost.on) == (True, False)
    display.wake(130.0)
    assert (lost.on, lost.contrast) == (True, Habits().bright)
    assert same(glass(lost), draw(menu(0), (128, 64), SHIFTS[2]))


def test_a_display_that_waits_for_its_first_screen_is_well(bus: Bus) -> None:
    bus.panel = Ssd1306Memory()
    display = Display.at(Wiring())
    display.tick(0.0)
    assert display.connected
    bus.panel = None
    display.close()


def test_a_picture_that_is_moved_keeps_its_brightness(bus: Bus) -> None:
    display = shown(bus, Habits(bright=4))
    display.tick(61.0)
    assert bus.panel.contrast == 4


def test_the_picture_that_is_left_standing_at_the_end_is_dimmed(bus: Bus) -> None:
    bus.panel = Ssd1306Memory()
    thread = DisplayThread(Display.at(Wiring()))
    thread.show(menu(0))
    thread.close()
    assert (bus.panel.on, bus.panel.contrast) == (True, 0x10)


def test_a_display_that_is_set_darker_than_dimmed_does_not_brighten_when_nobody_acts(bus: Bus) -> None:
    display = shown(bus, Habits(bright=4, dim_after=10))
    display.tick(11.0)
    assert bus.panel.contrast == 4


def test_every_shift_moves_the_picture_and_loses_no_ink() -> None:
    full = Screen(tuple(Row("WMQg@" * 4 + "W") for _ in range(8)))
    still = draw(full, (128, 64))
    inked = still.histogram()[255]
    pictures = [draw(full, (128, 64), shift) for shift in SHIFTS]
    assert [picture.histogram()[255] for picture in pictures] == [inked] * len(SHIFTS)
    assert len({picture.tobytes() for picture in pictures}) == len(SHIFTS)


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")
@pytest.mark.parametrize(("driver", "columns"), [(Driver.SSD1327, 21), (Driver.SSD1322, 42)])
def test_greyscale_panels_are_driven_by_the_same_layout_at_their_sizes(
    bus: Bus, driver: Driver, columns: int
) -> None:
    bus.panel = Ssd1306Memory()
    bus.panel.data = lambda content: None  # another controller's memory
    bus.panel.command = lambda content: None
    display = Display.at(Wiring(driver))
    display.show(menu(0), now=0.0)
    bus.bytes = 0
    display.show(menu(0), now=1.0)
    assert (display.columns, display.connected, bus.bytes) == (columns, True, 0)


def test_a_larger_font_draws_what_it_lacks_as_something_like_it() -> None:
    """It has no hearts, which the box's own has."""
    large = font.load("spleen6x12")
    assert "♥" not in large
    assert same(large.glyph("♥"), large.glyph("*"))
    assert same(large.glyph("日"), large.glyph("?"))


def test_what_stands_for_a_letter_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each frame asks for each of its letters: on a small board that is most of the drawing."""
    box = font.load("box6x8")
    known = [box.glyph(letter) for letter in "aë"]
    monkeypatch.setattr(font, "normalize", None)
    assert [box.glyph(letter) for letter in "aë"] == known


@pytest.mark.parametrize(("name", "shown"), [("Zoë Óscar", "Zoe Oscar"), ("Jose\u0301 ok", "José ok")])
def test_a_letter_that_the_font_lacks_stands_there_without_its_marks(name: str, shown: str) -> None:
    """Also where the marks come as characters of their own, as some systems write them."""
    drawn = [draw(Screen((Row(text, Style.SELECTED),)), (128, 64)) for text in (name, shown)]
    assert same(*drawn)


def test_a_row_that_is_too_long_is_refused_not_clipped() -> None:
    with pytest.raises(ValueError, match="22 characters on 21 columns"):
        draw(Screen((Row("x" * 22),)), (128, 64))
    with pytest.raises(ValueError, match="9 rows on a panel of 8"):
        draw(Screen((Row("x"),) * 9), (128, 64))


def test_a_display_does_not_stand_still_for_a_row_or_a_screen_that_is_too_long(bus: Bus) -> None:
    bus.panel = Ssd1306Memory()
    display = Display.at(Wiring(), Habits(shift_every=1e12))
    display.show(Screen((*(Row("x" * 22),) * 7, Row("é" * 30, Style.FOOTER), Row("ninth"))), 0.0)
    fits = Screen((*(Row("x" * 21),) * 7, Row("é" * 21, Style.FOOTER)))
    assert same(glass(bus.panel), draw(fits, (128, 64)))


def test_the_thread_shows_the_newest_of_many_frames_and_stops(bus: Bus) -> None:
    bus.panel = Ssd1306Memory()
    thread = DisplayThread(Display.at(Wiring(), Habits(shift_every=1e12)))
    for n in range(200):
        thread.show(menu(n % 5))
    thread.close()
    assert same(glass(bus.panel), draw(menu(199 % 5), (128, 64)))
    assert bus.bytes < 40 * 1034


def test_r15_on_a_slow_bus_each_transfer_is_a_sign_of_life(bus: Bus, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture that took longer than the watchdog's patience had the box started anew, again and again."""
    transfer, ages = bus._transfer, []

    def slowly(address: int, length: int) -> Ssd1306Memory:
        ages.append(thread.beat)
        time.sleep(0.002)
        return transfer(address, length)

    bus.panel = Ssd1306Memory()
    thread = DisplayThread(Display.at(Wiring()))
    monkeypatch.setattr(bus, "_transfer", slowly)
    thread.show(menu(0))
    thread.close()
    assert len(ages) > 16
    assert len(ages) - len(set(ages)) < 5, "of those that find the panel"


def test_r15_on_a_bus_that_hangs_each_refusal_is_a_sign_of_life(
    bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where each takes five seconds, looking for the panel again takes longer than the watchdog waits."""
    display, now, silent = shown(bus), 100.0, list[float]()

    def hang(address: int, length: int) -> Ssd1306Memory:
        nonlocal now
        now += 5.0
        silent.append(now - max(turned, display.beat))
        raise OSError(errno.ETIMEDOUT, "Connection timed out")

    monkeypatch.setattr(bus, "_transfer", hang)
    monkeypatch.setattr("hardware.display.time.monotonic", lambda: now)
    while len(silent) < 10:
        turned = now = now + 1
        display.tick(now)
    assert not display.connected
    assert max(silent) == 5.0


def test_the_thread_brightens_for_a_screen_or_a_press_but_not_for_one_that_went_on_by_itself(
    bus: Bus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long foot goes by for days where a box is left on: it would burn in. What is asked of it wakes it."""
    done: queue.Queue[str] = queue.Queue()

    class Noted(Display):
        def show(self, screen: Screen | Image.Image, now: float) -> None:
            done.put("show")

        def turn(self, screen: Screen | Image.Image, now: float) -> None:
            done.put("turn")

        def wake(self, now: float) -> None:
            done.put("wake")

    thread = DisplayThread(Noted(lambda: open_panel(Wiring())))
    wait_for = thread._wake.wait_for
    monkeypatch.setattr(thread._wake, "wait_for", lambda work, timeout: wait_for(work, 60 * timeout))
    seen = []
    show, turn = (lambda: thread.show(menu(0))), (lambda: thread.turn(menu(1)))
    for act in (show, turn, thread.wake, show):
        act()
        seen.append(done.get(timeout=5))
        time.sleep(0.2)  # it waits again
    thread.close()
    assert seen == ["show", "turn", "wake", "show"]
    assert not thread._thread.is_alive()


def test_every_error_of_the_package_is_a_hardware_error() -> None:
    from hardware import errors

    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    assert all(issubclass(kind, HardwareError) for kind in kinds)
