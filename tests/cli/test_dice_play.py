"""`companion play --dice camera`: a camera that is not there is said before a session begins."""

import io
import sys
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import run
from companion.engine import BadInput, Journal, Session
from companion.engine.records import RolledDie
from companion.table.config import Config, PadSettings
from companion.table.discover import discover
from tests.cli.conftest import Says


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), np.full((64, 64, 3), 90, np.uint8))
    return folder


def sessions(tmp_path: Path) -> int:
    with Journal(tmp_path / "data") as journal:
        return len(journal.sessions())


@pytest.mark.parametrize(
    ("camera", "told"),
    [
        ("none", "no such device, film or folder"),
        ("9" * 300, "999 is not there: plug it in"),
        ("9999", "camera /dev/video9999 is not there: plug it in"),
        ("/dev/video9999@180", "camera /dev/video9999 is not there: plug it in"),
        ("csi", "rpicam-vid is not installed"),
    ],
)
def test_a_demanded_camera_that_is_missing_begins_no_session(
    camera: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    arguments = ["play", "okinawa", "--dice", "camera", "--camera", camera]
    assert run([*arguments, "--data", str(tmp_path / "data")]) == 3
    assert told in capsys.readouterr().err
    assert sessions(tmp_path) == 0


def test_where_none_is_named_it_is_the_camera_of_the_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text("[camera]\nsource = '/dev/video9999'\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(settings))
    assert run(["play", "okinawa", "--dice", "camera", "--data", str(tmp_path / "data")]) == 3
    assert "camera /dev/video9999 is not there" in capsys.readouterr().err


@pytest.mark.parametrize("camera", [[], ["--camera", "0"], ["--camera", "csi@180"]])
def test_where_no_camera_can_be_read_nobody_is_told_to_plug_one_in(
    camera: list[str], tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    arguments = ["play", "okinawa", "--dice", "camera", *camera]
    assert run([*arguments, "--data", str(tmp_path / "data")]) == 3
    assert "cameras are read on Linux alone" in capsys.readouterr().err
    config = Config(pad=PadSettings(enabled=False))  # which a Mac looks for by its own libraries
    assert "cameras are read on Linux alone" in discover(config, tmp_path).missing["camera"]


@pytest.mark.parametrize("command", [["dice", "read", "x.jpg"], ["play", "okinawa", "--dice", "camera"]])
def test_without_opencv_the_line_says_what_to_install(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr("companion.table.dice.find_spec", lambda name: None)
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert run(command) == 3
    assert f"{sys.executable} -m pip install 'companion[vision]'" in capsys.readouterr().err


def test_a_session_goes_on_by_hand_when_its_camera_is_gone(
    tmp_path: Path, folder: Path, says: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    data = ["--front", "json", "--data", str(tmp_path / "data")]
    assert run(["play", "okinawa", "--dice", "camera", "--camera", str(folder), *data]) == 0
    told = says("resume", "--camera", str(tmp_path / "none"), *data)
    assert "no such device, film or folder; enter the dice by hand" in told.split('"type":"ask"')[0]
    assert '"type":"ask"' in told
    assert run(["resume", "--camera", "/dev/video9999", *data]) == 0  # it may be plugged in again
    settings = tmp_path / "config.toml"
    monkeypatch.setenv("COMPANION_CONFIG", str(settings))
    settings.write_text("[camera]\nsource = ''\n")
    told = says("resume", *data)
    assert "config.toml: " in told.split("; enter the dice by hand")[0]
    assert '"type":"ask"' in told


@pytest.mark.parametrize("more", ["", "@90", "/1.png", "/1.png@90"])
def test_that_pictures_begin_anew_is_said_when_a_session_goes_on(
    more: str, tmp_path: Path, folder: Path, says: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    data = ["--camera", f"{folder}{more}", "--front", "json", "--data", str(tmp_path / "data")]
    assert "first picture" not in says("play", "okinawa", "--dice", "camera", *data)
    told = says("resume", *data).split('"type":"ask"')[0]
    assert f"{folder}{more} begins with its first picture again: undo a throw already played" in told
    settings = tmp_path / "config.toml"
    settings.write_text(f"[camera]\nsource = '{folder}{more}'\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(settings))
    assert "begins with its first picture again" in says("resume", *data[2:]), "that of the settings too"


def test_a_camera_is_told_of_dice_that_were_misread_before_a_session_goes_on(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, misread = [], (RolledDie("okinawa.d10", "4", "camera", read="9"),)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    data = ["--front", "json", "--data", str(tmp_path / "data")]
    assert run(["play", "okinawa", "--dice", "camera", "--camera", str(folder), *data]) == 0
    monkeypatch.setattr(Session, "misread", lambda session: misread)
    monkeypatch.setattr("companion.cli.play.open_source", lambda *wish: told.append(wish[3]))
    assert run(["resume", *data]) == 0
    assert told == [misread]


def test_that_a_camera_is_gone_stands_on_the_screen_that_covers_all_else(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr("sys.stdin", io.StringIO())
    data = ["--data", str(tmp_path / "data")]
    arguments = ["play", "okinawa", "--dice", "camera", "--camera", str(folder), *data]
    assert run([*arguments, "--front", "json"]) == 0
    monkeypatch.setattr("companion.cli.play._terminal", lambda table, source: drawn.append(table.foot))
    for name in ("is_terminal", "draws"):
        monkeypatch.setattr(f"companion.cli.play.{name}", lambda stream: True)
    assert run(["resume", "--camera", str(tmp_path / "none"), *data]) == 0
    assert drawn[0].endswith("enter the dice by hand")


def test_a_camera_is_let_go_where_a_session_is_not_gone_on_with_after_all(
    folder: Path, tmp_path: Path, refuses: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = str(tmp_path / "data")
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert run(["play", "okinawa", "--dice", "camera", "--camera", str(folder), "--data", data]) == 0
    monkeypatch.setattr("companion.cli.play.check_seat", lambda *_: None)  # the port was free until then

    def taken(*_: object) -> None:
        raise BadInput("port 8080: Address already in use")

    monkeypatch.setattr("companion.cli.play.page_beside", taken)
    before = set(threading.enumerate())
    assert "Address already in use" in refuses("resume", "--camera", str(folder), "--page", "--data", data)
    left = set(threading.enumerate()) - before
    for thread in left:
        thread.join(3)
    assert not any(thread.is_alive() for thread in left)


@pytest.mark.parametrize(
    ("seat", "is_typed", "dice"),
    [
        ([], True, "manual"),
        (["--front", "terminal"], True, "manual"),
        ([], False, "software"),
        (["--auto", "first"], True, "software"),
        (["--front", "json"], True, "software"),
    ],
)
def test_without_a_word_on_dice_whoever_can_type_rolls(
    seat: list[str], is_typed: bool, dice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rolled = []
    for device in ("camera", "tower"):
        monkeypatch.setattr(f"companion.table.dice.{device}_plugged_in", lambda: False)
    monkeypatch.setattr("companion.cli.play.is_terminal", lambda stream: is_typed)
    monkeypatch.setattr("companion.cli.play.sit_down", lambda session, *_: rolled.append(session.meta.dice))
    assert run(["play", "okinawa", *seat, "--data", str(tmp_path)]) == 0
    assert rolled == [dice]


def test_the_full_screen_wants_a_terminal_to_type_at_one_to_draw_on_and_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr("companion.cli.play._terminal", lambda *_: drawn.append(lacking))
    assert run(["play", "okinawa", "--dice", "software", "--front", "json", "--data", str(tmp_path)]) == 0
    needs = ("is_terminal", "draws", "_has_room")
    for lacking in (*needs, "nothing"):
        for need in needs:
            monkeypatch.setattr(f"companion.cli.play.{need}", lambda *_, has=need != lacking: has)
        monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
        assert run(["resume", "--data", str(tmp_path)]) == 0
    assert drawn == ["nothing"]
