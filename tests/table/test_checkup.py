"""`companion doctor`: works with nothing attached, and says what to do about each thing that is missing."""

from __future__ import annotations

import errno
import json
import os
import pty
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from functools import partial
from importlib.metadata import PackageNotFoundError
from itertools import count
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli.doctor import NAMES, doctor
from companion.engine import Journal
from companion.engine.database import FILE
from companion.engine.errors import JournalError
from companion.table import checkup
from companion.table.checkup import State, Trial, data_folder, examine, filesystem, opencv
from companion.table.config import Config, PadSettings, parse
from companion.table.discover import Present, discover, pad_trouble
from hardware.errors import PinsError
from hardware.serial_pad import SerialPad
from tests.hardware.fakes import Bus, Ssd1306Memory
from vision.camera import CameraError, Fault
from vision.cameras.fake import FakeCamera

if TYPE_CHECKING:
    from pathlib import Path

GREY = np.full((64, 64, 3), 90, np.uint8)
OFF = parse(
    b"[display]\nenabled=false\n[buttons]\nenabled=false\n[camera]\nenabled=false\n[pad]\nenabled=false\n",
    "off",
)


def test_every_missing_device_is_one_line_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    present = discover(Config(), tmp_path)
    assert present.notice() == "Not found: oled, buttons, camera, pad (companion doctor says more)"
    assert all(reason and "\n" not in reason for reason in present.missing.values())
    assert present.missing["buttons"] == "no GPIO chip: not a Raspberry Pi"
    if sys.platform == "linux":
        assert present.missing["camera"] == "no /dev/video*: plug a camera in"


@pytest.mark.parametrize(
    ("device", "node", "module", "name", "extra"),
    [
        ("oled", "i2c-1", "smbus2", "smbus2", "oled"),
        ("oled", "i2c-1", "luma", "luma.oled", "oled"),
        ("oled", "i2c-1", "PIL", "Pillow", "oled"),
        ("buttons", "gpiochip0", "gpiod", "gpiod", "gpio"),
        ("buttons", "gpiochip0", "gpiozero", "gpiozero", "gpio"),
        ("pad", "ttyACM0", "serial", "pyserial", "serial"),
    ],
)
def test_a_device_whose_library_is_not_installed_is_missing_and_that_is_said(
    device: str,
    node: str,
    module: str,
    name: str,
    extra: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where some of them are: Raspberry Pi OS brings its own of one or the other."""
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / node).touch()
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, "hardware.chips", raising=False)
    for port in (None, str(tmp_path / "dev" / node)):
        config = Config(pad=PadSettings(port=port))
        missing = discover(config, tmp_path).missing
        assert f" {name}: {sys.executable} -m pip install 'companion[{extra}]'" in missing[device]


def test_the_gpiod_of_the_system_may_be_one_of_another_make(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Debian 12 has libgpiod 1 under the same name, and an environment may be made to see it."""
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "gpiochip0").touch()
    monkeypatch.setitem(sys.modules, "gpiod", SimpleNamespace(Chip=lambda path: SimpleNamespace(label="x")))
    monkeypatch.delitem(sys.modules, "hardware.chips", raising=False)
    missing = discover(Config(), tmp_path).missing
    assert "pip install 'companion[gpio]' (the gpiod that is there is of libgpiod 1" in missing["buttons"]


@pytest.mark.parametrize(("spi", "bus"), [("false", "i2c"), ("true", "spi")])
def test_a_bus_is_to_be_enabled_on_a_raspberry_pi_alone(tmp_path: Path, spi: str, bus: str) -> None:
    """A laptop has no raspi-config."""
    config = parse(f"[display]\nspi = {spi}\n".encode(), "here")
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    assert "not a Raspberry Pi" in discover(config, tmp_path).missing["oled"]
    (tmp_path / "proc/device-tree/model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    assert f"(raspi-config nonint do_{bus} 0)" in discover(config, tmp_path).missing["oled"]


def test_a_display_whose_address_is_set_is_missing_too_where_nothing_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "i2c-1").touch()
    bus = Bus()
    monkeypatch.setattr("smbus2.SMBus", bus.smbus)
    config = parse(b"[display]\naddress = 0x3d\n", "here")
    assert "no display answers at 0x3d on I2C bus 1" in discover(config, tmp_path).missing["oled"]
    bus.panel, bus.address = Ssd1306Memory(), 0x3D
    assert discover(config, tmp_path).oled


def test_video_devices_that_are_no_cameras_are_not_taken_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vision.cameras import present

    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "video10").touch()
    monkeypatch.setattr(present, "usb_cameras", list)
    monkeypatch.setattr(present, "has_ribbon_camera", lambda: False)
    assert "no camera found" in discover(Config(), tmp_path).missing["camera"]
    monkeypatch.setattr(present, "usb_cameras", lambda: ["/dev/v4l/by-id/usb-Webcam-video-index0"])
    assert discover(Config(), tmp_path).camera


def test_what_the_settings_name_is_not_looked_for_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    (tmp_path / "dev").mkdir()
    port = tmp_path / "pad"
    config = parse(f"[display]\nspi=true\n[camera]\nsource='a film'\n[pad]\nport='{port}'\n".encode(), "here")
    assert discover(config, tmp_path).missing["pad"] == f"no {port}"
    too_long = Config(pad=PadSettings(port="/dev/" + "x" * 300))  # or in a folder that is closed to us
    assert discover(too_long, tmp_path).missing["pad"].startswith("no /dev/xxx")
    port.touch()
    (tmp_path / "dev/spidev0.0").touch()
    assert discover(config, tmp_path) == Present(True, True, True, True)


def test_a_pin_factory_that_gpiozero_is_told_of_needs_gpiozero(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setattr("companion.table.discover.find_spec", lambda _: None)
    assert discover(Config(), tmp_path).missing["buttons"].startswith("buttons need gpiozero: ")


def test_a_serial_port_that_is_no_picos_is_no_pad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hardware import serial_pad

    def missing() -> list[str]:
        raise serial_pad.PadError("the pad needs pyserial")

    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/ttyACM0").touch()
    for found, why in (
        (list, "no Raspberry Pi Pico"),
        (missing, "the pad needs pyserial"),
        (lambda: ["a"], ""),
    ):
        monkeypatch.setattr(serial_pad, "find_ports", found)
        assert discover(Config(), tmp_path).missing.get("pad", "").startswith(why)
    assert discover(Config(), tmp_path).pad


def test_where_no_pad_is_plugged_in_nothing_is_to_be_installed_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.table.discover.find_spec", lambda _: None)
    assert pad_trouble(Config(), tmp_path) == "no pad on USB"


def test_on_a_mac_a_pad_is_found_too_where_ports_have_other_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr("hardware.serial_pad.find_ports", lambda: ["/dev/cu.usbmodem1101"])
    assert pad_trouble(Config(), tmp_path) == ""


def test_looking_for_devices_loads_no_numpy(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "video10").touch()
    code = (
        "import sys; from pathlib import Path; from companion.table.config import Config;"
        "from companion.table.discover import discover;"
        f"discover(Config(), Path({str(tmp_path)!r})); sys.exit('numpy' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_is_switched_off_is_not_looked_for(tmp_path: Path) -> None:
    present = discover(OFF, tmp_path)
    assert set(present.missing.values()) == {"switched off in the settings"}
    assert not present.notice()


def test_it_works_with_nothing_attached(tmp_path: Path) -> None:
    findings = {finding.name: finding for finding in examine(Trial(OFF, tmp_path))}
    assert list(findings) == ["machine", "data", "opencv", "oled", "buttons", "camera", "pad"]
    assert findings["oled"].state is State.MISSING


@pytest.mark.parametrize(
    ("alarm", "heat", "words"),
    [("0", "48000", []), ("1", "48000", ["under-voltage"]), ("1", "82500", ["under-voltage", "82 degrees"])],
)
def test_a_weak_supply_and_a_hot_board_are_warned_of(
    tmp_path: Path, alarm: str, heat: str, words: list[str]
) -> None:
    supply, zone = tmp_path / "sys/class/hwmon/hwmon1", tmp_path / "sys/class/thermal/thermal_zone0"
    for folder in (supply, zone):
        folder.mkdir(parents=True)
    (supply / "name").write_text("rpi_volt\n")
    (supply / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    (supply.with_name("hwmon2")).mkdir()
    (supply.with_name("hwmon2") / "name").write_text("of another board\n")
    (supply.with_name("hwmon2") / "in0_lcrit_alarm").write_text("1\n")
    (zone / "temp").write_text(f"{heat}\n")
    finding = checkup.machine(tmp_path)
    assert finding.state is (State.WARNING if words else State.OK)
    assert [word in advice for word, advice in zip(words, finding.do, strict=True)] == [True] * len(words)


def test_beside_the_running_service_no_device_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkup, "service_runs", lambda: True)
    monkeypatch.setattr(checkup, "discover", lambda config: pytest.fail("looked for devices"))
    findings = list(examine(Trial(Config(), tmp_path)))
    assert [finding.name for finding in findings] == ["machine", "data", "opencv", "box"]
    assert "systemctl stop companion" in findings[-1].do[0]


def test_a_needed_device_that_the_running_service_has_is_not_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkup, "service_runs", lambda: True)
    result = CliRunner().invoke(doctor, ["--data", str(tmp_path), "--need", "oled"])
    assert result.exit_code == 3
    assert "needed and not tried: oled\n" in result.output


@pytest.mark.parametrize(("ask", "runs"), [("true", True), ("false", False), ("no-such-program", False)])
def test_whether_the_service_runs_is_asked_of_systemd_if_there_is_one(ask: str, runs: bool) -> None:
    assert checkup.service_runs([ask]) is runs


def test_a_systemd_that_hangs_keeps_nobody_from_trying_the_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "SYSTEMD", 0.1)
    begun = time.monotonic()
    assert not checkup.service_runs(["sleep", "30"])
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (OSError("/dev/thing may not be opened: add the user to the group gpio"), "usermod -aG gpio"),
        (OSError("no display answers at 0x3c on I2C bus 1: check SDA, SCL"), "SDA to pin 3, SCL to pin 5"),
        (OSError("no display answers at 0x3c on I2C bus 3: check SDA, SCL"), "i2cdetect -y 3"),
        (
            OSError("no /dev/i2c-1: enable I2C (raspi-config nonint do_i2c 0)"),
            "sudo raspi-config nonint do_i2c",
        ),
        (
            OSError("no /dev/spidev0.0: enable SPI (raspi-config nonint do_spi 0)"),
            "sudo raspi-config nonint do_spi",
        ),
        (OSError("no camera found: plug one in, or name one with --camera"), "rpicam-hello --list-cameras"),
        (AttributeError("module 'cv2.dnn' has no attribute 'DictValue'"), "pip install --force-reinstall"),
    ],
)
@pytest.mark.parametrize("name", ["oled", "buttons", "camera", "pad"])
def test_a_device_that_breaks_under_trial_is_a_fault_not_a_crash(
    name: str, error: Exception, advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(trial: Trial) -> None:
        raise error

    monkeypatch.setattr(checkup, "discover", lambda config: Present(True, True, True, True))
    for function in ("display", "buttons", "camera", "pad"):
        monkeypatch.setattr(checkup, function, broken)
    finding = next(one for one in examine(Trial(Config(), tmp_path)) if one.name == name)
    assert finding.state is State.FAULT
    assert advice in finding.do[0]
    assert ("pin 3" in finding.do[0]) == ("bus 1" in str(error)), "bus 1 alone is there"


def test_pins_that_another_program_has_are_not_called_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def taken(trial: Trial) -> None:
        raise PinsError(f"GPIO16 is taken or refused: {os.strerror(errno.EBUSY)}; see gpioinfo")

    monkeypatch.setattr(checkup, "discover", lambda config: Present(False, True, False, False))
    monkeypatch.setattr(checkup, "buttons", taken)
    finding = next(one for one in examine(Trial(Config(), tmp_path)) if one.name == "buttons")
    assert finding.state is State.WARNING
    assert finding.do == ("end the game or program that has it, then try again",)


def test_a_pad_that_a_game_has_is_not_called_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serial = pytest.importorskip("serial")
    monkeypatch.setattr("hardware.serial_pad.PATIENCE", 0.1)
    master, slave = pty.openpty()
    port = os.ttyname(slave)
    with serial.Serial(port, exclusive=True):
        finding = checkup.pad(Trial(parse(f"[pad]\nport = '{port}'\n".encode(), "here"), tmp_path))
    assert (finding.state, finding.says) == (State.WARNING, f"{port} is in use by another program")
    assert finding.do == ("end the game or program that has it, then try again",)
    os.close(master)
    os.close(slave)


def test_a_fault_without_words_is_called_by_its_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(trial: Trial) -> None:
        raise MemoryError

    monkeypatch.setattr(checkup, "discover", lambda config: Present(False, False, True, False))
    monkeypatch.setattr(checkup, "camera", broken)
    finding = next(one for one in examine(Trial(Config(), tmp_path)) if one.name == "camera")
    assert (finding.state, finding.says) == (State.FAULT, "MemoryError")


def test_the_display_is_drawn_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    smbus2 = pytest.importorskip("smbus2")
    from tests.hardware.fakes import Bus, Message, Ssd1306Memory

    bus = Bus()
    bus.panel = Ssd1306Memory()
    monkeypatch.setattr(smbus2, "SMBus", bus.smbus)
    monkeypatch.setattr(smbus2, "i2c_msg", Message)
    finding = checkup.display(Trial(Config(), tmp_path))
    assert (finding.state, "128x64, 21 columns" in finding.says) == (State.OK, True)
    assert any(any(page) for page in bus.panel.memory)
    bus.panel = None
    finding = checkup.display(Trial(Config(), tmp_path))
    assert (finding.state, finding.do[0].endswith("i2cdetect -y 1")) == (State.FAULT, True)


def test_a_press_within_the_time_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gpiozero = pytest.importorskip("gpiozero")
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    assert checkup.buttons(Trial(Config(), tmp_path)).says == "four keys, all up"
    press = lambda text: factory.pin(16).drive_low()  # noqa: E731  # the person, told to press
    finding = checkup.buttons(Trial(Config(), tmp_path, wait=3.0, tell=press))
    assert finding.says == "heard up (press)"
    silent = checkup.buttons(Trial(Config(), tmp_path, wait=0.05))
    assert silent.state is State.WARNING


@pytest.mark.parametrize(
    ("lamp", "told"),
    [
        ("buzzer = 13", "A lamp on GPIO12 blinks now. A buzzer on GPIO13 sounded once. Press"),
        ("", "A lamp on GPIO12 blinks now. Press"),
        ("enabled = false", "Press"),
    ],
)
def test_lamp_and_buzzer_are_at_work_while_a_press_is_waited_for(
    lamp: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpiozero = pytest.importorskip("gpiozero")
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    heard: list[str] = []
    checkup.buttons(Trial(parse(f"[lamp]\n{lamp}\n".encode(), "here"), tmp_path, 0.6, heard.append))
    assert [text.startswith(told) for text in heard] == [True]
    went_high = [any(state.state for state in factory.pin(pin).states) for pin in (12, 13)]
    assert went_high == ["GPIO12" in told, "GPIO13" in told]
    assert factory.pin(12).function == "input"  # let go of, so dark


@pytest.mark.parametrize(("taken", "goes_on"), [(12, "A buzzer on GPIO13 s"), (13, "A lamp on GPIO12 b")])
def test_a_lamp_or_buzzer_that_can_not_be_had_is_told_and_the_rest_is_tried(
    taken: int, goes_on: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpiozero = pytest.importorskip("gpiozero")
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    heard: list[str] = []

    def told(text: str) -> None:
        heard.append(text)
        factory.pin(16).drive_low()

    with gpiozero.LED(taken):
        finding = checkup.buttons(Trial(parse(b"[lamp]\nbuzzer = 13\n", "here"), tmp_path, 3.0, told))
    assert finding.says == "heard up (press)"
    assert heard[0].startswith({12: "lamp: ", 13: "buzzer: "}[taken])
    assert f". {goes_on}" in heard[0]


@pytest.mark.parametrize("pin", [26, 22], ids=["the key", "the encoder's switch"])
def test_an_ok_that_is_down_all_the_time_is_told_where_an_encoder_has_one_too(
    pin: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpiozero = pytest.importorskip("gpiozero")
    from gpiozero.pins.mock import MockFactory, MockPin

    class Shorted(MockPin):
        def _get_state(self) -> int:
            return 0 if self.info.name == f"GPIO{pin}" else super()._get_state()

    monkeypatch.setattr(gpiozero.Device, "pin_factory", MockFactory(pin_class=Shorted))
    finding = checkup.buttons(Trial(parse(b"[buttons]\nencoder = [17, 27, 22]\n", "here"), tmp_path))
    assert (finding.state, finding.says) == (State.WARNING, "down all the time: ok")


def test_what_a_camera_keeps_automatic_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    camera = FakeCamera([GREY])
    camera.notes = ("camera fake: focus stays automatic",)
    monkeypatch.setattr("vision.camera.open_camera", lambda _: camera)
    finding = checkup.camera(Trial(Config(), tmp_path))
    assert finding.state is State.OK
    assert finding.do[0] == "camera fake: focus stays automatic"


def test_a_camera_that_gives_no_picture_at_first_is_waited_for_but_not_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = count(0.0, 0.25)
    monkeypatch.setattr(checkup, "time", SimpleNamespace(monotonic=lambda: next(now), sleep=lambda _: None))
    fault = CameraError(Fault.SILENT, "no picture yet")
    monkeypatch.setattr("vision.camera.open_camera", lambda _: FakeCamera([fault, fault, GREY]))
    assert checkup.camera(Trial(Config(), tmp_path)).state is State.OK
    monkeypatch.setattr("vision.camera.open_camera", lambda _: FakeCamera([fault] * 30 + [GREY]))
    with pytest.raises(CameraError, match="no picture yet"):
        checkup.camera(Trial(Config(), tmp_path))


def test_two_distributions_of_opencv_are_warned_of() -> None:
    both = {"opencv-python": "4.1", "opencv-python-headless": "5.0"}

    def find(name: str) -> str:
        if name not in both:
            raise PackageNotFoundError
        return both[name]

    assert opencv(find).state is State.WARNING
    del both["opencv-python"]
    assert opencv(find).state is State.OK
    both.clear()
    assert opencv(find).state is State.MISSING


def test_a_data_folder_in_memory_is_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mountinfo"
    root = "23 1 8:1 / / rw - ext4 /dev/root rw"
    mounts.write_text(f"{root}\n24 23 0:20 / {tmp_path}/data rw - overlay overlayroot rw\n")
    (tmp_path / "data").mkdir()
    assert filesystem(tmp_path / "data" / "sessions", mounts) == "overlay"
    assert filesystem(tmp_path, mounts) == "ext4"
    mounts.write_text(f"24 23 0:20 / {tmp_path}/data rw - overlay overlayroot rw\n{root}\n")
    assert filesystem(tmp_path / "data" / "sessions", mounts) == "overlay"  # mounts come in no order
    monkeypatch.setattr("companion.table.checkup.filesystem", lambda _: "overlay")
    finding = data_folder(tmp_path)
    assert (finding.state, finding.says.split(": ")[1]) == (
        State.WARNING,
        "sessions may be gone at power-off",
    )


def test_a_stick_with_a_space_in_its_name_is_told_from_the_system_in_memory(tmp_path: Path) -> None:
    mounts, stick = tmp_path / "mountinfo", os.fsencode(tmp_path) + b"/MY\\040STICK"
    mounts.write_bytes(
        b"23 1 0:20 / / rw - overlay overlayroot rw\n"
        b"24 23 0:21 / %s rw - tmpfs none rw\n25 24 8:17 / %s rw - vfat /dev/sdb1 rw\n"
        b"26 23 8:18 / /media/caf\xe9 rw - vfat /dev/sdb2 rw\n" % (stick, stick)
    )
    assert filesystem(tmp_path / "MY STICK" / "sessions", mounts) == "vfat"


@pytest.mark.parametrize(
    ("place", "owner", "advice"),
    [
        ("", 0, "sudo chown {me} {here}"),
        ("", 4_000_000_000, "sudo chown {me} {here}"),
        ("", 1, "it is daemon's: sudo -u daemon companion doctor, or --data DIR"),
        ("sessions", 0, "sudo install -d -o {me} {here}/sessions"),
    ],
)
def test_a_data_folder_that_cannot_be_written_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, owner: int, advice: str
) -> None:
    """Whom it belongs to, keeps it."""
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK)
    monkeypatch.setattr("pathlib.Path.stat", lambda path, **_: SimpleNamespace(st_uid=owner))
    monkeypatch.setattr("pathlib.Path.exists", lambda path: path == tmp_path)
    found = data_folder(tmp_path / place)
    assert found.state is State.FAULT
    assert found.do == (advice.format(me=os.getuid(), here=tmp_path),)


def test_a_data_folder_with_files_in_it_that_are_closed_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder alone is not enough: no session can be written where its journal is another's."""
    journal, other = tmp_path / "journal.sqlite", tmp_path / "photo.png"
    for path in (journal, other):
        path.touch()
    monkeypatch.setattr("os.access", lambda path, mode: path not in (journal, other))
    me = os.getuid() or 1
    os.chown(journal, me, -1)
    monkeypatch.setattr("os.getuid", lambda: me)
    found = data_folder(tmp_path)
    assert (found.state, found.says) == (State.FAULT, f"{journal} can't be written")
    assert found.do == (f"open it to yourself: chmod u+rwX {journal}",)
    monkeypatch.setattr("os.getuid", lambda: me + 1)
    monkeypatch.setattr("pathlib.Path.owner", lambda _: "root")
    assert data_folder(tmp_path).do == (f"sudo chown -R {me + 1} {journal}",)


def test_a_data_folder_that_may_not_be_looked_at_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exists(path: Path) -> bool:
        if path != tmp_path:
            raise PermissionError(errno.EACCES, "Permission denied")
        return True

    monkeypatch.setattr("pathlib.Path.exists", exists)
    monkeypatch.setattr("os.access", lambda path, mode: False)
    found = data_folder(tmp_path / "hidden" / "data")
    assert found.says.endswith("hidden/data can't be written")
    assert found.do == (f"{tmp_path} is closed to you: --data DIR or COMPANION_DATA, in a place of your own",)


def test_a_data_folder_that_no_path_leads_to_is_a_fault(tmp_path: Path) -> None:
    found = data_folder(tmp_path / ("a" * 300) / "data")
    assert (found.state, found.do) == (State.FAULT, ("--data DIR or COMPANION_DATA",))
    assert found.says.endswith("File name too long")


def test_a_disk_that_became_read_only_is_no_matter_of_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.statvfs", lambda _: SimpleNamespace(f_flag=os.ST_RDONLY))
    finding = data_folder(tmp_path)
    assert (finding.state, finding.says) == (State.FAULT, f"{tmp_path} is on a disk that is read-only")
    assert not any("chown" in advice for advice in finding.do)


def test_a_disk_that_is_shut_after_an_error_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("companion.engine.files.TemporaryFile", refused)
    finding = data_folder(tmp_path)
    assert finding.state is State.FAULT
    assert finding.says.endswith("takes nothing since an error")
    assert "restart this machine" in finding.do[0]


def test_a_disk_that_is_almost_full_is_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.checkup.filesystem", lambda _: "ext4")
    for free, state in ((3_000_000, State.WARNING), (30_000_000, State.OK)):
        monkeypatch.setattr("shutil.disk_usage", lambda _, free=free: SimpleNamespace(free=free))
        assert data_folder(tmp_path).state is state
        assert ("room for 3.0 MB more" in data_folder(tmp_path).says) == (state is State.WARNING)
    monkeypatch.setattr("companion.table.checkup.is_full", lambda _: True)
    assert data_folder(tmp_path).says == f"{tmp_path}: the disk has room for no file more"


def test_a_file_in_the_place_of_the_data_folder_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "data"):
        assert data_folder(place).state is State.FAULT


def test_a_journal_of_a_newer_companion_is_told_as_who_goes_on_with_it_is_told(tmp_path: Path) -> None:
    with Journal(tmp_path):
        assert data_folder(tmp_path).state is not State.FAULT
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("PRAGMA user_version = 7")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    finding = data_folder(tmp_path)
    assert finding.state is State.FAULT
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    with pytest.raises(JournalError) as told:
        Journal(tmp_path)
    assert str(told.value) == "; ".join((finding.says, *finding.do))


def test_a_journal_that_is_no_file_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    assert data_folder(tmp_path).state is State.FAULT
    (tmp_path / FILE).rmdir()
    os.mkfifo(tmp_path / FILE)
    finding = data_folder(tmp_path)
    assert (finding.state, finding.says) == (State.FAULT, f"{tmp_path / FILE}: it is no plain file")


def test_json_is_one_object_a_line_and_a_needed_device_exits_with_three(tmp_path: Path) -> None:
    settings = tmp_path / "off.toml"
    settings.write_text(
        "[display]\nenabled=false\n[camera]\nenabled=false\n[buttons]\nenabled=false\n[pad]\nenabled=false\n"
    )
    options = ["--json", "--config", str(settings), "--data", str(tmp_path)]
    result = CliRunner().invoke(doctor, options)
    assert result.exit_code == 0
    assert tuple(json.loads(line)["name"] for line in result.stdout.splitlines()) == NAMES
    assert CliRunner().invoke(doctor, [*options, "--need", "oled"]).exit_code == 3
    odd = CliRunner().invoke(doctor, [*options, "--data", str(tmp_path / "f\udcfcr")])
    assert "f\ufffdr" in json.loads(odd.stdout.splitlines()[1])["says"]
    (tmp_path / "file").touch()
    faulty = [*options[1:-1], str(tmp_path / "file")]
    advised = CliRunner().invoke(doctor, faulty).stdout
    assert "FAULT   data: " in advised
    assert "\n                " in advised
    for line in CliRunner().invoke(doctor, ["--json", *faulty]).stdout.splitlines():
        assert json.loads(line)["name"] in NAMES, "advice is inside"


def test_a_needed_device_that_nobody_knows_is_wrong_usage() -> None:
    result = CliRunner().invoke(doctor, ["--need", "olde"])
    assert result.exit_code == 2
    assert "'olde' is not one of 'machine', 'data', 'opencv', 'oled'" in result.output


@pytest.mark.parametrize("seconds", ["-5", "inf"])
def test_a_time_that_is_none_is_wrong_usage_and_no_fault_of_the_buttons(seconds: str) -> None:
    result = CliRunner().invoke(doctor, ["--wait", seconds])
    assert result.exit_code == 2
    assert "is not in the range 0<=x<=3600" in result.output


@pytest.mark.parametrize("is_named", [True, False])
def test_the_settings_file_is_written_where_asked_or_where_it_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_named: bool
) -> None:
    path = tmp_path / "config.toml"
    monkeypatch.setenv("COMPANION_CONFIG", "" if is_named else str(path))
    arguments = ["--write-config", *([str(path)] if is_named else [])]
    assert CliRunner().invoke(doctor, arguments).exit_code == 0
    assert parse(path.read_bytes(), "x") == Config()


@pytest.mark.parametrize("idle", [["--need", "camera"], ["--config", "x.toml"], ["--json"], ["--wait", "0"]])
def test_what_would_be_tried_or_read_is_not_asked_for_where_the_settings_are_written(
    tmp_path: Path, idle: list[str]
) -> None:
    result = CliRunner().invoke(doctor, ["--write-config", str(tmp_path / "config.toml"), *idle])
    assert str(result.exception).startswith(f"{idle[0]}: --write-config tries nothing")
    assert not [*tmp_path.iterdir()]


def test_while_a_pad_is_waited_for_no_core_is_kept_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = []
    absent = SimpleNamespace(hello=None, fault="no pad on USB", close=lambda: None, _find=list)
    absent.step = lambda now: steps.append(now) or 60.0
    absent.greeted = partial(SerialPad.greeted, absent)
    monkeypatch.setattr("hardware.serial_pad.SerialPad", lambda *_, **__: absent)
    monkeypatch.setattr("hardware.serial_pad.PATIENCE", 0.1)
    assert checkup.pad(Trial(Config(), tmp_path)).state is State.FAULT
    assert len(steps) == 1


def test_a_pad_beside_silent_picos_is_waited_for_as_long_as_these_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hardware.pad_link import Hello

    last = SimpleNamespace(hello=None, damaged=0, fault="no greeting yet", close=lambda: None)
    turns = iter(range(100))

    def step(_: float) -> float:
        last.hello = Hello("e6", "1", ("btn=4",)) if next(turns) == 3 else None
        return 0.08

    last.step, last.greeted = step, partial(SerialPad.greeted, last)
    last._find = lambda: ["silent", "silent too", "pad"]
    monkeypatch.setattr("hardware.serial_pad.SerialPad", lambda *_, **__: last)
    monkeypatch.setattr("hardware.serial_pad.find_ports", last._find)
    monkeypatch.setattr("hardware.serial_pad.PATIENCE", 0.1)
    finding = checkup.pad(Trial(Config(), tmp_path))
    assert (finding.state, finding.do) == (
        State.OK,
        ("of several Picos [pad] port = names one: silent, silent too, pad",),
    )


def test_of_a_pico_that_is_no_pad_yet_it_is_asked_whether_the_firmware_is_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("serial")
    monkeypatch.setattr("hardware.serial_pad.PATIENCE", 0.1)
    master, slave = pty.openpty()
    finding = checkup.pad(Trial(parse(f"[pad]\nport = '{os.ttyname(slave)}'\n".encode(), "here"), tmp_path))
    assert (finding.state, finding.do) == (State.FAULT, ("see hardware/pico/README.md",))
    assert "is the firmware of a pad on it?" in finding.says
    os.close(master)
    os.close(slave)
