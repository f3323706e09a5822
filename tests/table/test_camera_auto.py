"""`--dice auto`: a camera that looks at the tray, then a tower, then fingers, then software."""

import time

import pytest

from companion.table import dice
from companion.table.dice import camera_plugged_in, settle_dice, tower_plugged_in
from hardware.serial_pad import SerialPad
from tests.table.bench import PadPort
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
        (None, "camera tower", True, "camera"),
        (None, "tower", True, "serial"),
        (None, "", True, "manual"),
        (None, "camera tower", False, "software"),
        (None, "", False, "software"),
    ],
)
def test_auto_takes_what_is_there(
    given: str | None, there: str, person: bool, taken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dice, "camera_plugged_in", lambda: "camera" in there)
    monkeypatch.setattr(dice, "tower_plugged_in", lambda: "tower" in there)
    assert settle_dice("auto", given, person=person) == taken
    assert settle_dice("manual", given, person=person) == "manual"


@pytest.mark.parametrize(
    ("ports", "abilities", "there"),
    [
        (["pad"], "btn=4 tower=1", True),
        (["silent", "silent too", "pad"], "btn=4 tower=1", True),
        (["pad"], "btn=4", False),
        ([], "", False),
    ],
)
def test_a_pad_is_asked_whether_it_has_a_tower(
    ports: list[str], abilities: str, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, silent = PadPort(), PadPort()
    port.abilities = abilities
    silent.read = lambda _: time.sleep(0.01) or b""
    monkeypatch.setattr("hardware.pad_link.SILENT", 0.3)
    monkeypatch.setattr("hardware.serial_pad.LOOK_AGAIN", 0.05)
    monkeypatch.setattr("hardware.serial_pad.PATIENCE", 0.5)
    monkeypatch.setattr("companion.table.discover.pad_trouble", lambda config: "" if ports else "no pad")
    monkeypatch.setattr(
        "hardware.serial_pad.SerialPad",
        lambda on_event, name: SerialPad(
            on_event, name, lambda: ports, lambda name: port if name == "pad" else silent
        ),
    )
    assert tower_plugged_in() is there
