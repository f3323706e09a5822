"""`companion dice check`: what a person puts right is counted."""

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

import vision
from companion.cli import dice_camera
from companion.cli.dice import dice
from companion.cli.dice_check import RIGHT, WRONG, report
from companion.engine.errors import DeviceMissing
from vision import Box, Die, Reading
from vision.camera import Camera, CameraError, Fault
from vision.cameras.files import FolderCamera


def die(face: str | None, x: float, *, sure: bool = True, kind: str | None = "d6") -> Die:
    return Die(die=kind, face=face, confidence=0.9, bbox=Box(x, 10, 20, 20), sure=sure)


THROW = (die("4", 0), die("2", 40), die("6", 80, sure=False))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((64, 64, 3), 90 + number, np.uint8))
    monkeypatch.setattr(vision, "read", lambda frame, dice_set: Reading(dice=THROW, sure=False, ms=1))
    return tmp_path


def check(folder: Path, typed: str) -> str:
    result = CliRunner().invoke(dice, ["check", "--set", "d6", "--camera", str(folder)], input=typed)
    assert result.exit_code == 0, result.output
    return result.output


def test_throws_are_shown_put_right_and_added_up(folder: Path) -> None:
    output = check(folder, typed="\n\n\n2=5\nq\n")
    assert "1. 4, upper left\n  2. 2, upper right\n  3. 6?, upper\n" in output
    assert "right and sure: 3 of 6 dice (18% to 82% in the long run)" in output
    assert "sure and wrong: 1 of 6" in output
    assert "asked: 2 of 6" in output
    assert "5 was read as 2: 1 time" in output


def test_what_a_thousand_dice_did_not_do_may_happen_in_the_long_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report(Counter({RIGHT: 1000}), Counter())
    assert capsys.readouterr().out == (
        "right and sure: 1000 of 1000 dice (99% to 100% in the long run)\n"
        "asked: 0 of 1000 dice (0% to 1% in the long run)\n"
        "sure and wrong: 0 of 1000 dice (0% to 1% in the long run)\n"
    )


def test_how_often_a_die_was_read_wrong_lies_within_what_is_told_of_the_long_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One of 200 was told as 1% to 3%, and none of 167 as 1% to 2%."""
    report(Counter({RIGHT: 199, WRONG: 1}), Counter())
    report(Counter({RIGHT: 167}), Counter())
    assert capsys.readouterr().out == (
        "right and sure: 199 of 200 dice (97% to 100% in the long run)\n"
        "asked: 0 of 200 dice (0% to 2% in the long run)\n"
        "sure and wrong: 1 of 200 dice (0% to 3% in the long run)\n"
        "right and sure: 167 of 167 dice (97% to 100% in the long run)\n"
        "asked: 0 of 167 dice (0% to 3% in the long run)\n"
        "sure and wrong: 0 of 167 dice (0% to 3% in the long run)\n"
    )


def test_a_doubtful_die_that_is_put_right_was_asked_about_and_what_is_none_of_the_dice_is_left_out(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thing = Die(die=None, face=None, confidence=0.9, bbox=Box(0, 0, 9, 9), sure=False, foreign=True)
    reading = Reading(dice=(thing, *THROW), sure=False, ms=1)
    monkeypatch.setattr(vision, "read", lambda frame, dice_set: reading)
    output = check(folder, typed="\n3=5\nq\n")
    assert "1. 4, upper left" in output
    assert "asked: 1 of 3" in output
    assert "was read as" not in output


def test_a_die_that_was_not_found_is_counted(folder: Path) -> None:
    output = check(folder, typed="\n+1\n\n2=5 +2\nq\n")
    assert "right and sure: 3 of 9 dice" in output
    assert "sure and wrong: 1 of 9" in output
    assert "asked: 2 of 9" in output
    assert "not found: 3 of 9" in output
    assert "\nnot found:" not in check(folder, typed="\n\nq\n")


def test_a_throw_in_which_no_die_was_seen_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vision, "read", lambda frame, dice_set: Reading(dice=(), sure=False, ms=1))
    output = check(folder, typed="\n+1\nq\n")
    assert "  no die seen\n  Enter if right" in output
    assert "not found: 1 of 1" in output


def test_a_tray_in_which_nothing_moved_is_no_throw_more(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FolderCamera, "stills", False)
    monkeypatch.setattr(dice_camera, "at_rest", lambda camera: [camera.frame().image])
    thrown = np.full((64, 64, 3), 92, np.uint8)
    thrown[20:40, 20:40] = 240
    cv2.imwrite(str(folder / "2.png"), thrown)
    output = check(folder, typed="\n\n\n\n\nq\n")
    assert output.count("nothing has moved since the throw before: not counted\nthrow the dice") == 1
    assert "right and sure: 4 of 6" in output


def test_saying_what_was_read_is_no_mistake(folder: Path) -> None:
    output = check(folder, typed="\n2=2\nq\n")
    assert "sure and wrong: 0 of 3" in output
    assert "was read as" not in output


def test_a_die_that_was_taken_for_another_or_for_none_is_put_right_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    throw = (die("6", 0), die(None, 40, sure=False, kind=None))
    monkeypatch.setattr(vision, "read", lambda frame, dice_set: Reading(dice=throw, sure=False, ms=1))
    arguments = ["check", "--set", "d6", "--set", "d10", "--camera", str(folder)]
    output = CliRunner().invoke(dice, arguments, input="\n1=9 2=5\nq\n").output
    assert "sure and wrong: 1 of 2" in output
    assert "asked: 1 of 2" in output
    assert "9 was read as 6: 1 time" in output


@pytest.mark.parametrize(
    ("typed", "wrong", "mistake"),
    [
        ("1=red", 1, "red was read as blue star"),
        ("1=red 1=tool", 1, "red tool was read as blue star"),
        ("1=blue", 0, None),
    ],
)
def test_a_die_of_another_colour_was_read_wrong(
    typed: str, wrong: int, mistake: str | None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Die(die="dday", colour="blue", face="star", confidence=0.9, bbox=Box(0, 0, 9, 9), sure=True)
    monkeypatch.setattr(vision, "read", lambda frame, dice_set: Reading(dice=(seen,), sure=True, ms=1))
    arguments = ["check", "--set", "dday", "--camera", str(folder)]
    output = CliRunner().invoke(dice, arguments, input=f"\n{typed}\nq\n").output
    assert f"sure and wrong: {wrong} of 1" in output
    assert [line for line in output.splitlines() if "was read as" in line] == (
        [f"  {mistake}: 1 time"] if mistake else []
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("2=9", "2: no die here has a face or colour '9'"),
        ("2=5 oops", "'oops': write it as PLACE=FACE"),
        ("+0", "'+0': write it as PLACE=FACE"),
        (f"{'9' * 5000}=5", "9=5': write it as PLACE=FACE"),
        ("2=", "'2=': write it as PLACE=FACE"),
        ("7=5", "'7=5': write it as PLACE=FACE, the place from 1 to 3"),
    ],
)
def test_what_cannot_be_meant_is_asked_again(folder: Path, line: str, words: str) -> None:
    output = check(folder, typed=f"\n{line}\n2=5\nq\n")
    assert words in output
    assert "right and sure: 1 of 3" in output
    assert "sure and wrong: 1 of 3" in output


def test_a_throw_that_nobody_has_looked_at_is_not_counted(folder: Path) -> None:
    assert "right and sure: 2 of 3" in check(folder, typed="\n\n\nq\n")


def test_nothing_thrown_says_nothing(folder: Path) -> None:
    assert "0 of 0" not in check(folder, typed="q\n")


def test_a_correction_that_is_typed_too_late_is_not_taken_for_enter(folder: Path) -> None:
    output = check(folder, typed="\n\n2=5\n\n\nq\n")
    assert "'2=5': nothing done; it is asked for after a throw is read" in output
    assert output.count("Enter if right") == 2


def test_the_last_picture_ends_with_the_report(folder: Path) -> None:
    output = check(folder, typed="\n\n" * 4)
    assert "all 3 pictures have been played" in output
    assert "right and sure: 6 of 9" in output


def test_a_camera_that_fails_does_not_take_the_report_along(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def over(_: Camera) -> list[np.ndarray]:
        raise DeviceMissing("the film is over") from CameraError(Fault.ENDED, "before anything lay still")

    monkeypatch.setattr(dice_camera, "at_rest", over)
    result = CliRunner().invoke(dice, ["check", "--camera", str(folder)], input="\n\n")
    assert "the film is over" in str(result.exception)
    assert "right and sure" not in result.output


def test_a_camera_that_has_nothing_to_show_for_now_is_asked_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_rest, tries = dice_camera.at_rest, []

    def busy_at_first(camera: Camera) -> list[np.ndarray]:
        tries.append(camera)
        if len(tries) == 1:
            raise DeviceMissing("the tray has not come to rest")
        return at_rest(camera)

    monkeypatch.setattr(dice_camera, "at_rest", busy_at_first)
    output = check(folder, typed="\n\n\nq\n")
    assert "the tray has not come to rest (Enter tries again)" in output
    assert "right and sure: 2 of 3" in output


@pytest.mark.parametrize("size", [8, 9000])
def test_a_picture_too_tiny_or_huge_to_read_is_one_clear_line_and_ends_no_check(
    folder: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    cv2.imwrite(str(folder / "0.png"), np.full((8, size, 3), 90, np.uint8))
    cv2.imwrite(str(folder / "1.png"), np.full((200, 200, 3), 90, np.uint8))
    result = CliRunner().invoke(dice, ["check", "--camera", str(folder)], input="\n\nq\n")
    assert (
        f"0.png: a frame of {size}x8 is outside 32..8192 pixels a side (Enter tries again)" in result.output
    )
    assert "no die seen" in result.output
    assert result.exit_code == 0, result.exception


def test_one_die_that_was_read_is_a_die(capsys: pytest.CaptureFixture[str]) -> None:
    report(Counter({RIGHT: 1}), Counter())
    assert "right and sure: 1 of 1 die (" in capsys.readouterr().out
