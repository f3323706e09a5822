"""What the camera commands share: pictures of a tray at rest, or a line that says why there are none."""

from pathlib import Path

import cv2
import numpy as np
import pytest

import vision
from companion.cli.dice_camera import PATIENCE, at_rest, opened, placed, tried
from companion.engine.errors import BadInput, DeviceMissing
from tests.table.film import Film, picture, read
from vision import Box, Die, sets
from vision.camera import CameraError, Fault
from vision.cameras.fake import FakeCamera
from vision.settle import VOTES
from vision.tray import TrayView

TRAY = {(60, 60): 3}


def test_the_pictures_are_of_the_tray_when_it_has_come_to_rest() -> None:
    film = Film()
    for step in range(10):
        film.rest({(60 + 5 * step, 60): 3}, 1 / 15)
    film.rest(TRAY)
    images = at_rest(film.camera())
    assert len(images) == VOTES
    assert all(np.abs(image.astype(int) - picture(TRAY)).mean() < 3 for image in images)


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [(0, 0, "upper left"), (40, 40, "middle"), (80, 40, "right"), (40, 80, "lower"), (89, 89, "lower right")],
)
def test_where_a_die_lies_is_said_in_ninths_of_the_picture(x: float, y: float, words: str) -> None:
    die = Die(die="d6", face="1", confidence=1, bbox=Box(x, y, 20, 20), sure=True)
    assert placed(die, np.zeros((100, 100, 3), np.uint8)) == words


def test_a_photograph_needs_no_rest() -> None:
    assert len(at_rest(FakeCamera([picture(TRAY)], stills=True))) == 1


def test_a_tray_that_never_rests_is_said_so() -> None:
    moving = (picture({(20 + 5 * (step % 40), 60): 3}) for step in range(round(PATIENCE * 15) + 30))
    with pytest.raises(DeviceMissing, match="has not come to rest"):
        at_rest(FakeCamera(moving))


def test_a_camera_that_fails_is_a_missing_device() -> None:
    with pytest.raises(DeviceMissing, match="cable"):
        at_rest(FakeCamera([picture(TRAY), CameraError(Fault.SILENT, "check its cable")]))
    with pytest.raises(DeviceMissing, match="no such device"):
        opened("/no/such/folder")


def test_left_out_it_is_the_camera_of_the_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ours", "another"):
        (tmp_path / name).mkdir()
        cv2.imwrite(str(tmp_path / name / "1.png"), picture(TRAY))
    settings = tmp_path / "config.toml"
    settings.write_text(f"[camera]\nsource = '{tmp_path / 'ours'}'\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(settings))
    with opened(None) as camera:
        assert camera.name == str(tmp_path / "ours")
    assert capsys.readouterr().err == f"camera {tmp_path / 'ours'}; --camera names another\n"
    with opened(str(tmp_path / "another")) as camera:
        assert camera.name == str(tmp_path / "another")
    settings.write_text("[camera]\nsource = ''\n")
    with pytest.raises(BadInput, match=r"config\.toml: camera\.source: a text is wanted, not an empty one"):
        opened(None)


def test_which_camera_is_taken_is_said_where_none_was_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), picture(TRAY))
    monkeypatch.setattr("vision.camera.first_camera", lambda: str(tmp_path))
    opened(str(tmp_path)).close()
    assert capsys.readouterr().err == ""
    opened(None).close()
    assert capsys.readouterr().err == f"camera {tmp_path}; --camera names another\n"


def test_a_camera_that_may_come_back_is_tried_again_and_one_that_is_over_is_not(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vision, "read", read)
    faults = [CameraError(Fault.MISSING, "plug it in"), CameraError(Fault.BLACK, "is the lens covered?")]
    camera = FakeCamera([*faults, *Film().rest(TRAY, 0.6).frames])
    dice_set, view = sets.load("d6"), TrayView()
    assert [tried(camera, view, dice_set) for _ in faults] == [None, None]
    assert "plug it in (Enter tries again)" in capsys.readouterr().out
    seen = tried(camera, view, dice_set)
    assert [die.face for die in seen[0].dice] == ["3"]
    with pytest.raises(DeviceMissing, match="over"):
        tried(camera, view, dice_set)
