"""`companion dice mat` and `focus`."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli.dice import dice
from companion.cli.dice_tray import page
from companion.engine.errors import DeviceMissing
from vision.cameras.fake import FakeCamera


def run(*arguments: str) -> Result:
    return CliRunner().invoke(dice, arguments)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    picture = np.random.default_rng(3).integers(0, 120, (120, 160, 3), dtype=np.uint8)
    cv2.imwrite(str(tmp_path / "tray.png"), picture)
    return tmp_path


@pytest.mark.parametrize(("paper", "box"), [("a4", b"841.890 595.276"), ("letter", b"792.000 612.000")])
def test_the_mat_is_written_for_either_paper(paper: str, box: bytes, tmp_path: Path) -> None:
    out = tmp_path / "mat.pdf"
    result = run("mat", "--out", str(out), "--paper", paper)
    assert result.exit_code == 0
    assert "100 %" in result.stdout
    assert box in out.read_bytes()


def test_a_mat_that_can_not_be_written_is_one_clear_line(tmp_path: Path) -> None:
    result = run("mat", "--out", str(tmp_path / "no" / "mat.pdf"))
    assert result.exit_code == 2
    assert "can't be written" in result.stderr


def test_focus_without_a_terminal_says_the_numbers_once_and_what_to_do(folder: Path) -> None:
    png = folder / "out" / ".." / "marked.png"
    (folder / "out").mkdir()
    result = run("focus", "--camera", str(folder), "--png", str(png))
    assert result.exit_code == 0
    numbers, *advice = result.stdout.splitlines()
    assert "sharpness" in numbers
    assert "glare 0.0%" in numbers
    assert "no mat in view (it helps: companion dice mat)" in advice
    assert cv2.imread(str(png)).shape == (120, 160, 3)


def test_what_a_camera_keeps_automatic_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = cv2.imread(str(folder / "tray.png"))
    camera = FakeCamera([picture])
    camera.notes = ("camera fake: exposure stays automatic",)
    monkeypatch.setattr("companion.cli.dice_tray.opened", lambda _: camera)
    assert "exposure stays automatic" in run("focus", "--once").stdout
    assert "exposure stays automatic" in page(picture, 0.0, camera.notes)[0].plain


def test_focus_without_a_camera_ends_with_the_code_of_a_missing_device(tmp_path: Path) -> None:
    result = run("focus", "--camera", str(tmp_path / "nothing"))
    assert isinstance(result.exception, DeviceMissing)
    assert "no such device" in str(result.exception)


def test_the_page_shows_the_picture_and_the_best_sharpness_so_far(folder: Path) -> None:
    picture = cv2.imread(str(folder / "tray.png"))
    shown, best = page(picture, 0.0)
    assert shown.plain.count("▀") == 64 * 24
    assert f"best sharpness {best:.2f}" in shown.plain
    assert page(cv2.GaussianBlur(picture, (0, 0), 3), best)[1] == best


def test_the_commands_are_listed_and_their_files_come_when_called() -> None:
    listed = run("--help").stdout
    assert all(name in listed for name in ("read", "mat", "focus"))
