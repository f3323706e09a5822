"""`--dice auto`: a camera that looks at the tray, then a tower, then fingers, then software."""

import pytest

from companion.table import dice
from companion.table.dice import camera_plugged_in, settle_dice
from vision.cameras import present


@pytest.mark.parametrize(
    ("usb", "ribbon", "looks"),
    [
        ("046d_HD_Webcam", False, True),
        ("Chicony_Integrated_Camera_0001", False, False),  # looks at its owner
        ("Chicony_Integrated_Camera_0001", True, True),
        ("", True, True),
        ("", False, False),
    ],
)
def test_a_usb_camera_or_a_pis_own_may_look_at_the_tray_and_a_laptops_own_does_not(
    usb: str, ribbon: bool, looks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [f"/dev/v4l/by-id/usb-{usb}-video-index0"] if usb else []
    monkeypatch.setattr(present, "usb_cameras", lambda: paths)
    monkeypatch.setattr(present, "has_ribbon_camera", lambda: ribbon)
    assert camera_plugged_in() is looks


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
