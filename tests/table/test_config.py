"""The box's settings: every key optional, nothing unknown, one line that says what is wrong."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import run
from companion.cli.box import _settings
from companion.engine.errors import BadInput
from companion.table.config import TEMPLATE, Config, default_path, load, parse, write_template
from hardware.panels import Driver
from tests.engine.disk import disk_full_at

if TYPE_CHECKING:
    from pathlib import Path


def test_no_file_means_the_defaults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "none.toml"))
    assert load() == Config()


def test_a_file_that_was_asked_for_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.toml: No such file"):
        load(tmp_path / "none.toml")


def test_what_is_said_of_a_file_that_can_not_be_used_can_be_done_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.toml").write_text("on = 1")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "bad.toml"))
    monkeypatch.chdir(tmp_path)
    assert run(["doctor"]) == 2
    said = capsys.readouterr().err.split("`")[-2]
    assert run(said.split()[1:]) == 0
    assert load(tmp_path / "FILE") == Config()


def test_an_empty_file_means_the_defaults() -> None:
    assert parse(b"", "x") == Config()


def test_the_written_template_says_the_defaults_and_names_every_key(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "config.toml"
    write_template(path)
    assert load(path) == Config()
    everything = tomllib.loads(
        "\n".join(line.removeprefix("#") if "=" in line else line for line in TEMPLATE.splitlines())
    )
    for section in Config.__struct_fields__:
        assert set(everything[section]) == set(getattr(Config(), section).__struct_fields__)


def test_a_written_file_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[pad]\nenabled = false\n")
    with pytest.raises(BadInput, match="is there already"):
        write_template(path)
    assert not load(path).pad.enabled


def test_a_full_disk_leaves_no_half_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    with disk_full_at(500), pytest.raises(BadInput, match=r"config\.toml: File too large"):
        write_template(path)
    assert not any(tmp_path.iterdir())


def test_one_key_changes_one_thing() -> None:
    config = parse(b'[display]\ndriver = "sh1106"\naddress = 0x3d\n', "x")
    assert (config.display.wiring.driver, config.display.wiring.address) == (Driver.SH1106, 0x3D)
    assert parse(b"[display]\naddress = 0x77\n", "x").display.address == 0x77, "the last one"
    assert config.buttons == Config().buttons


def test_settings_as_windows_editors_save_them_are_read() -> None:
    config = parse(b'\xef\xbb\xbf[display]\r\ndriver = "sh1106"\r\n', "x")
    assert config.display.driver is Driver.SH1106


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[display]\ndriver = 'lcd'", r"display\.driver"),
        ("[display]\nbrigthness = 3", "brigthness"),
        ("[buttons]\nup = '16'", r"buttons\.up"),
        ("[buttons]\nup = 5", "both GPIO5"),
        ("[lamp]\nbuzzer = 26", "both GPIO26"),
        ("[display]\nspi = true\n[buttons]\nup = 24", "SPI's D/C and buttons.up are both GPIO24"),
        ("[display]\nspi = true\n[lamp]\nbuzzer = 11", "SPI's SCLK and lamp.buzzer are both GPIO11"),
        ("[buttons]\nback = 3", "I2C's SCL and buttons.back are both GPIO3"),
        ("[display]\ndriver = 'ssd1322'", "ssd1322 has no I2C"),
        ("[buttons]\nencoder = [17, 27, 28]", "GPIO27, not 28"),
        ("[display]\nrotate = 90", "quarter turns"),
        ("[display]\nrotate = 1", "too narrow"),
        ("[display]\nbrightness = 256", r"display\.brightness"),
        ("[display]\nport = 1048576", r"display\.port"),
        ("[display]\naddress = 0x7a", r"display\.address: 0x7a .* is 0x3d"),
        ("[display]\naddress = 0x100", r"display\.address"),
        ("[display]\ndim_after = -1.0", r"display\.dim_after"),
        ("[display]\noff_after = nan", r"display\.off_after"),
        ("[display]\noff_after = 0", r"display\.off_after"),
        ("[buttons]\nhold = 0.0", r"buttons\.hold"),
        ("[buttons]\nsettle = 8", r"buttons\.settle"),
        ("[page]\nport = 80800", r"page\.port"),
        ("display", "x:"),
        ("\N{BOX DRAWINGS LIGHT HORIZONTAL}", "x:"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, word: str) -> None:
    with pytest.raises(BadInput, match=word):
        parse(text.encode(), "x")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nope = 1", "there is no field nope"),
        ("[page]\nlanx = true", "page: there is no field lanx"),
        ("[display]\nenabled = 'yes'", "display.enabled: true or false is wanted, not a text"),
        ("[display]\ndriver = 'lcd'", "display.driver: 'lcd' does not fit, only: auto, ssd1306, sh1106,"),
        ("[display]\noff_after = 0", "display.off_after: a number is wanted, at least 10.0"),
        ("[display]\noff_after = 'no'", "display.off_after: a number is wanted, not a text"),
        ("[page]\nport = 0", "page.port: a whole number is wanted, at least 1"),
    ],
)
def test_what_is_wrong_is_said_in_words(text: str, words: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse(text.encode(), "x")
    assert str(refused.value).startswith(f"x: {words}")


@given(st.binary(max_size=300) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_settings_or_a_bad_input(content: bytes) -> None:
    with suppress(BadInput):
        assert isinstance(parse(content, "x"), Config)


def test_the_service_finds_its_settings_by_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "box.toml"))
    assert default_path() == tmp_path / "box.toml"
    (tmp_path / "box.toml").write_text("[camera]\nenabled = false\n")
    assert not load().camera.enabled


def test_safe_mode_leaves_the_screen_alone_on() -> None:
    safe = Config().safe()
    on = {name for name in Config.__struct_fields__ if getattr(safe, name).enabled}
    assert on == {"display"}


@pytest.mark.parametrize("text", ["[camera]\nrotate = 90\n", "[display]\nrotate = 2\n", "not settings"])
def test_r16_a_safe_start_has_its_devices_off_whatever_the_settings_say(tmp_path: Path, text: str) -> None:
    settings = tmp_path / "box.toml"
    settings.write_text(text)
    on = {name for name in Config.__struct_fields__ if getattr(_settings(settings, safe=True), name).enabled}
    assert on == {"display"}


@pytest.mark.parametrize("display", ["enabled = false", "spi = true", "port = 3"])
def test_the_pins_of_the_i2c_bus_are_free_where_no_display_is_on_it(display: str) -> None:
    """Many wire a key to GPIO3, which wakes a Pi that was shut down."""
    assert parse(f"[display]\n{display}\n[buttons]\nback = 3\n".encode(), "x").buttons.back == 3


def test_a_part_that_is_switched_off_takes_no_pins(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[buttons]\nup = 12\n[lamp]\nenabled = false\n")
    assert load(file).buttons.up == 12
    file.write_text("[display]\nenabled = false\nspi = true\n[lamp]\nlamp = 25\n")
    assert load(file).lamp.lamp == 25
    file.write_text("[buttons]\nenabled = false\n[lamp]\nlamp = 16\n")
    assert load(file).lamp.lamp == 16
