"""The box's commands: pictures of every prompt, one-line answers where a device is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.cli import run

if TYPE_CHECKING:
    from pathlib import Path


def test_every_prompt_of_a_game_becomes_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Image = pytest.importorskip("PIL.Image")  # noqa: N806  # a module
    assert run(["screens", "okinawa", "--out", str(tmp_path), "--policy", "first", "--scale", "2"]) == 0
    pictures = sorted(tmp_path.glob("*.png"))
    assert pictures[0].name == "0001-okinawa.setup.table-01.png"
    with Image.open(pictures[0]) as picture:
        assert picture.size == (256, 128)
    assert f"{len(pictures)} pictures" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "said"),
    [(["screens", "okinawa", "--out"], "no folder can be"), (["box", "--data"], "sessions can't be kept")],
)
@pytest.mark.parametrize("place", ["file", "file/folder"])
def test_a_file_where_a_folder_is_wanted_is_named(
    tmp_path: Path, command: list[str], said: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert run([*command, str(tmp_path / place)]) == 2
    assert f"{tmp_path / place}: {said} there: " in capsys.readouterr().err


def test_a_picture_that_can_not_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = tmp_path / "0001-okinawa.setup.table-02.png"
    taken.mkdir()
    assert run(["screens", "okinawa", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"companion: {taken}: not written: Is a directory\n"


def test_a_demanded_oled_that_is_missing_is_one_line_and_exit_code_three(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text("[display]\nenabled = false\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(settings))
    assert run(["play", "flag_war", "--front", "oled", "--dice", "software", "--data", str(tmp_path)]) == 3
    assert capsys.readouterr().err == (
        "companion: --front oled: switched off in the settings; --emulate shows it on this screen\n"
    )
