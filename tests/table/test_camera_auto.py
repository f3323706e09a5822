"""`--dice auto`: a camera that looks at the tray, then a tower, then fingers, then software."""

from pathlib import Path

import pytest

from companion.table import dice
from companion.table.dice import camera_plugged_in, settle_dice


def plugged(by_id: Path, *names: str) -> bool:
    for name in names:
        (by_id / f"usb-{name}-video-index0").touch()
        (by_id / f"usb-{name}-video-index1").touch()
    return camera_plugged_in(by_id)


def test_a_usb_camera_may_look_at_the_tray(tmp_path: Path) -> None:
    assert plugged(tmp_path, "046d_HD_Webcam")


def test_a_laptops_own_camera_looks_at_its_owner(tmp_path: Path) -> None:
    assert not plugged(tmp_path, "Chicony_Integrated_Camera_0001")
    assert not camera_plugged_in(tmp_path / "none")


@pytest.mark.parametrize(
    ("given", "there", "person", "taken"),
    [
        ("folder", "", False, "camera"),
        (None, "camera pad", True, "camera"),
        (None, "pad", True, "serial"),
        (None, "", True, "manual"),
        (None, "camera pad", False, "software"),
        (None, "", False, "software"),
    ],
)
def test_auto_takes_what_is_there(
    given: str | None, there: str, person: bool, taken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dice, "camera_plugged_in", lambda: "camera" in there)
    monkeypatch.setattr(dice, "pad_plugged_in", lambda: "pad" in there)
    assert settle_dice("auto", given, person=person) == taken
    assert settle_dice("manual", given, person=person) == "manual"
