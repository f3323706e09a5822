"""Files and folders that a command line names: an empty name names none, and a pipe is no file."""

import os
from pathlib import Path

import pytest

from companion.cli import run
from companion.table.config import Config, parse
from tests.cli.conftest import Says


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "config.toml"))


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@pytest.mark.parametrize(
    "arguments",
    [
        "log list --data",
        "log show --data",
        "log show",
        "log report",
        "log export",
        "log list",
        "log stats",
        "games",
        "pack check",
        "play",
        "resume",
        "log report --html",
        "log export --out",
        "log import",
        "log backup",
        "log restore",
        "play okinawa --data",
        "play okinawa --camera",
        "play okinawa --pack",
        "resume --camera",
        "simulate okinawa --pack",
        "box --config",
        "doctor --config",
        "doctor --write-config",
        "screens okinawa --out",
        "pack list --data",
        "dice bench",
        "dice teach d6 --from",
        "dice mat --out",
        "dice focus --png",
        "dice focus --camera",
        "dice samples export d6 --out",
        "dice samples import",
    ],
)
def test_an_empty_name_is_refused_and_does_not_mean_the_current_folder(
    arguments: str, tmp_path: Path, refuses: Says
) -> None:
    assert "it is empty: name one" in refuses(*arguments.split(), "")
    assert not [*Path().iterdir()]
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("what", ["list", "show", "report", "stats", "export", "backup sessions.zip"])
def test_reading_sessions_makes_no_folder_where_there_is_none(what: str, tmp_path: Path) -> None:
    run(["log", *what.split()])
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("arguments", ["play okinawa", "log list", "doctor"])
def test_a_data_folder_below_a_folder_that_was_deleted_is_refused(arguments: str, refuses: Says) -> None:
    Path().absolute().rmdir()
    wanted = "companion: data: the folder that you are in was deleted; go to another\n"
    assert refuses(*arguments.split(), "--data", "data") == wanted


@pytest.mark.parametrize("below", ["", "/data"])
@pytest.mark.parametrize(
    "command",
    [
        "games",
        "pack list",
        "pack check okinawa",
        "pack new okinawa.enemy.A",
        "log list",
        "dice samples list d6",
    ],
)
def test_a_file_in_the_place_of_the_data_folder_is_named(command: str, below: str, refuses: Says) -> None:
    Path("file").touch()
    told = refuses(*command.split(), "--data", f"file{below}")
    assert told.startswith("companion: file: ")
    assert "it is a file and no folder; --data DIR or COMPANION_DATA names another place" in told


def test_what_to_do_about_a_data_folder_that_is_closed_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refuses: Says
) -> None:
    (tmp_path / "opening.lock").touch()
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) not in (tmp_path, tmp_path / "opening.lock"))
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)

    def refused(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "touch", refused)
    for command in ("log list", "resume"):
        said = refuses(*command.split(), "--data", tmp_path)
        assert f"Permission denied; {tmp_path / 'opening.lock'} is {tmp_path.owner()}'s: sudo -u" in said


@pytest.mark.parametrize("folder", [".", "sub"])
def test_settings_are_written_to_a_file_and_not_elsewhere_where_a_folder_is_named(
    folder: str, tmp_path: Path, refuses: Says
) -> None:
    Path("sub").mkdir()
    assert refuses("doctor", "--write-config", folder) == (
        f"companion: {folder} is a folder: name a file, such as {Path(folder) / 'config.toml'}\n"
    )
    assert not (tmp_path / "config.toml").exists()


@pytest.mark.parametrize("key", ["[camera]\nsource", "[pad]\nport"])
def test_a_setting_that_names_nothing_is_refused(key: str, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(f'{key} = ""\n')
    assert run(["doctor", "--wait", "0"]) == 2


def test_an_empty_device_is_the_settings_of_a_box_without_any() -> None:
    assert run(["doctor", "--wait", "0", "--config", os.devnull]) == 0
    assert parse(b"", "x") == Config()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["log", "import"], "pipe: it is no plain file"),
        (["log", "restore"], "pipe: not a backup of the companion: it is no plain file"),
        (["doctor", "--config"], "pipe: it is no plain file"),
        (["box", "--config"], "pipe: it is no plain file"),
        (["dice", "read"], "pipe is a pipe or a device, not a picture's file"),
        (["dice", "samples", "import"], "pipe: it is no plain file"),
        (["dice", "focus", "--camera"], "pipe': no such device, film or folder"),
        (["simulate", "okinawa", "--pack"], "pipe: not found; looked for "),
    ],
)
def test_a_pipe_that_nobody_writes_into_is_no_file_and_is_not_waited_for(
    arguments: list[str], told: str, pipe: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*arguments, str(pipe)]) in (2, 3)
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("command", [["bench"], ["teach", "d6", "--from"]])
def test_labels_that_are_a_pipe_are_not_waited_for(command: list[str], tmp_path: Path, refuses: Says) -> None:
    os.mkfifo(tmp_path / "labels.jsonl")
    assert "labels.jsonl is a pipe or a device" in refuses("dice", *command, str(tmp_path))


@pytest.mark.parametrize("name", ["journal.sqlite", "journal.lock", "opening.lock"])
def test_a_journal_that_is_a_pipe_is_not_waited_for(name: str, tmp_path: Path, refuses: Says) -> None:
    (tmp_path / "data").mkdir()
    os.mkfifo(tmp_path / "data" / name)
    assert refuses("log", "list") == (
        f"companion: {tmp_path / 'data' / name}: it is no plain file: move it away, or name another folder\n"
    )


def test_an_own_pack_that_is_a_pipe_is_not_waited_for(tmp_path: Path, refuses: Says) -> None:
    (tmp_path / "data/packs/okinawa/owner").mkdir(parents=True)
    os.mkfifo(tmp_path / "data/packs/okinawa/owner/pack.toml")
    assert "owner/pack.toml: it is no plain file" in refuses("pack", "check", "okinawa")


@pytest.mark.parametrize(
    "command", [("screens", "okinawa", "--out"), ("log", "list", "--data")], ids=" ".join
)
def test_a_dash_is_no_folder(
    command: tuple[str, ...], tmp_path: Path, refuses: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ": - is no folder: name one\n" in refuses(*command, "-")
    assert not (tmp_path / "-").exists()


def test_a_dash_is_no_file_to_take_sessions_in_from(refuses: Says) -> None:
    assert refuses("log", "import", "-") == "companion: -: sessions are taken in from files alone: name one\n"


@pytest.mark.parametrize("option", [["--camera", "x"], ["--camera", "0"], ["--confirm"], ["--teach"]])
@pytest.mark.parametrize("dice", ["software", "manual"])
def test_what_is_for_a_camera_is_refused_beside_dice_that_none_reads(
    dice: str, option: list[str], tmp_path: Path, refuses: Says
) -> None:
    told = (
        f"companion: {option[0]}: no camera reads {dice} dice; a session begun with --dice camera has one\n"
    )
    assert refuses("play", "okinawa", "--dice", dice, *option) == told
    assert not (tmp_path / "data").exists()
    assert run(["play", "okinawa", "--dice", dice, "--front", "json"]) == 0
    assert refuses("resume", *option) == told


@pytest.mark.parametrize("command", ["doctor", "box"])
def test_a_dash_is_no_file_to_take_settings_from(command: str, refuses: Says) -> None:
    assert refuses(command, "--config", "-") == "companion: -: No such file or directory\n"
