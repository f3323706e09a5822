"""USB cameras: the order of settings, what is believed of the driver, and pictures that waited in a queue."""

import math
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import CameraError, Fault, Frame, first_camera, open_camera
from vision.cameras import usb
from vision.cameras.present import usb_cameras
from vision.cameras.usb import BUFFERS, RATE, UsbStream, steady_path

PICTURE = np.full((4, 4, 3), 90, np.uint8)


class Device:
    """Behaves as V4L2 does under OpenCV: `set` may lie, an absent control reads -1."""

    def __init__(self, clock: "Ticks", absent: tuple[int, ...] = (), deaf: tuple[int, ...] = ()) -> None:
        self.clock = clock
        self.absent, self.deaf = absent, deaf
        self.values: dict[int, float] = {
            cv2.CAP_PROP_AUTO_WB: 1,
            cv2.CAP_PROP_EXPOSURE: 157,
            cv2.CAP_PROP_WB_TEMPERATURE: 4200,
        }
        self.sets: list[tuple[int, float]] = []
        self.reads = 0
        self.failing = 0.0  # reads that fail
        self.open = True
        self.stamp = 0.0

    def isOpened(self) -> bool:
        return self.open

    def read(self) -> tuple[bool, object]:
        self.reads += 1
        if self.failing:
            self.failing -= 1
            return False, None
        self.clock.now += 1 / 15
        return True, PICTURE

    def grab(self) -> bool:
        return self.read()[0]

    def get(self, prop: int) -> float:
        if prop == cv2.CAP_PROP_POS_MSEC:
            return self.stamp * 1000
        return -1 if prop in self.absent else self.values.get(prop, 0)

    def set(self, prop: int, value: float) -> bool:
        assert self.open
        self.sets.append((prop, value))
        if prop in self.absent:
            return False
        if prop not in self.deaf:
            self.values[prop] = value
        return True

    def release(self) -> None:
        self.open = False


class Ticks:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def node(tmp_path: Path) -> str:
    (tmp_path / "video0").touch()
    return str(tmp_path / "video0")


def opened(node: str, **device: tuple[int, ...]) -> tuple[UsbStream, Device, Ticks]:
    clock = Ticks()
    capture = Device(clock, **device)
    return UsbStream(node, open_capture=lambda _: capture, clock=clock), capture, clock


def test_the_compression_is_asked_for_before_the_size(node: str) -> None:
    _, device, _ = opened(node)
    compression, *size_and_rate = device.sets[:4]
    assert compression == (cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    assert {(cv2.CAP_PROP_FRAME_WIDTH, 1280), (cv2.CAP_PROP_FRAME_HEIGHT, 720)} < set(size_and_rate)
    assert (cv2.CAP_PROP_FPS, RATE) in size_and_rate


def test_automatic_control_settles_for_a_second_and_is_then_frozen_where_it_stood(node: str) -> None:
    stream, device, clock = opened(node)
    assert clock.now >= 1001
    after_auto = device.sets.index((cv2.CAP_PROP_AUTO_EXPOSURE, 3))
    frozen = device.sets.index((cv2.CAP_PROP_AUTO_EXPOSURE, 1))
    assert after_auto < frozen < device.sets.index((cv2.CAP_PROP_EXPOSURE, 157))
    assert (cv2.CAP_PROP_WB_TEMPERATURE, 4200) in device.sets
    manual = {cv2.CAP_PROP_AUTO_EXPOSURE: 1, cv2.CAP_PROP_AUTO_WB: 0, cv2.CAP_PROP_AUTOFOCUS: 0}
    assert device.values.items() >= manual.items()
    assert stream.notes == ()


def test_a_camera_that_is_let_go_is_automatic_again_for_the_next_program(node: str) -> None:
    stream, device, _ = opened(node)
    stream.close()
    modes = {cv2.CAP_PROP_AUTO_EXPOSURE: 3, cv2.CAP_PROP_AUTO_WB: 1, cv2.CAP_PROP_AUTOFOCUS: 1}
    assert not device.open
    assert device.values.items() >= modes.items()


@pytest.mark.parametrize("refuses", ["deaf", "absent"])
def test_a_control_that_is_not_set_or_only_pretends_to_be_is_reported(node: str, refuses: str) -> None:
    prop = cv2.CAP_PROP_AUTO_WB if refuses == "deaf" else cv2.CAP_PROP_WB_TEMPERATURE
    stream, _, _ = opened(node, **{refuses: (prop,)})
    assert stream.notes == (f"camera {node}: white balance stays automatic",)


def test_a_camera_without_a_focus_motor_is_no_reason_to_complain(node: str) -> None:
    stream, device, _ = opened(node, absent=(cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS))
    assert stream.notes == ()
    assert (cv2.CAP_PROP_FOCUS, -1) not in device.sets


def test_after_a_pause_the_queued_pictures_are_thrown_away(node: str) -> None:
    stream, device, clock = opened(node)
    device.reads = 0
    stream.read()
    assert device.reads == 1
    clock.now += 2
    shot = stream.read()
    assert device.reads == 1 + BUFFERS + 1
    assert shot.taken > clock.now - 0.2


def test_the_kernels_stamp_is_believed_only_when_it_makes_a_picture_older(node: str) -> None:
    stream, device, clock = opened(node)
    device.stamp = clock.now - 0.3
    assert stream.read().taken == pytest.approx(device.stamp)
    device.stamp = clock.now + 500
    started = clock.now
    assert stream.read().taken == pytest.approx(started)


def test_reads_that_fail_at_once_are_taken_for_a_lost_camera(node: str) -> None:
    stream, device, _ = opened(node)
    device.failing, device.reads = math.inf, 0
    with pytest.raises(CameraError, match="check its cable"):
        stream.skip()
    device.reads = 0
    with pytest.raises(CameraError, match="check its cable") as caught:
        stream.read()
    assert caught.value.fault is Fault.MISSING
    assert device.reads <= 5
    stream.close()
    assert not device.open


def test_a_read_or_two_that_fail_are_no_lost_camera(node: str) -> None:
    stream, device, _ = opened(node)
    for take in (stream.read, stream.skip):
        device.failing = 2
        take()


def test_a_camera_that_is_lost_while_it_settles_is_let_go(node: str) -> None:
    device = Device(Ticks())
    device.failing = math.inf
    with pytest.raises(CameraError, match="stopped answering"):
        UsbStream(node, open_capture=lambda _: device, clock=device.clock)
    assert not device.open


def test_a_camera_that_another_program_holds_is_named_as_such(node: str) -> None:
    held = Device(Ticks())
    held.open = False
    with pytest.raises(CameraError, match="another program"):
        UsbStream(node, open_capture=lambda _: held)


def test_a_missing_device_says_to_plug_it_in() -> None:
    with pytest.raises(CameraError, match="plug it in"):
        UsbStream("/dev/video-that-is-not-there")


def test_a_device_that_is_closed_to_the_user_says_which_group_opens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = tmp_path / "video0"
    device.touch()
    monkeypatch.setattr("os.access", lambda path, _: path != str(device))
    with pytest.raises(CameraError, match="may not be opened: add the user to the group video"):
        UsbStream(str(device))


def test_a_number_becomes_the_name_that_stays_when_the_camera_is_replugged(tmp_path: Path) -> None:
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    device = tmp_path / "video7"
    device.touch()
    (by_id / "usb-Acme_Cam-video-index0").symlink_to(device)
    (by_id / "usb-Acme_Cam-video-index1").symlink_to(device)
    assert usb_cameras(by_id) == [str(by_id / "usb-Acme_Cam-video-index0")]
    assert steady_path(str(device), by_id) == str(by_id / "usb-Acme_Cam-video-index0")
    assert steady_path("3", by_id) == "/dev/video3"


def test_r10_a_camera_that_came_later_is_found_when_it_is_back_under_another_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(usb, "steady_path", lambda path: steady_path(path, tmp_path))
    monkeypatch.setattr(usb, "UsbStream", opened.append)
    monkeypatch.setattr(usb, "LiveCamera", lambda name, open_stream: open_stream)
    open_stream = usb.open_usb(str(tmp_path / "video0"), now=False)
    link = tmp_path / "usb-Acme_Cam-video-index0"
    open_stream()  # type: ignore[operator]
    for number in (0, 1):
        link.unlink(missing_ok=True)
        link.symlink_to(tmp_path / f"video{number}")
        open_stream()  # type: ignore[operator]
    assert opened == [str(tmp_path / "video0"), str(link), str(link)]


@pytest.mark.parametrize("source", ["no/such/thing", ""])
def test_a_source_that_can_not_be_meant_is_refused(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cv2.imwrite(str(tmp_path / "throw.png"), PICTURE)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CameraError, match="no such device, film or folder"):
        open_camera(source)


def test_a_name_too_long_for_any_file_is_refused() -> None:
    with pytest.raises(CameraError):
        open_camera("x" * 5000)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("csi", "csi"),
        ("93", "/dev/video93"),
        ("/dev/video93", "/dev/video93"),
        (None, "/dev/video94"),
        ("csi@180", "csi"),
        ("90@90", "/dev/video90"),
        ("@270", "/dev/video94"),
    ],
)
def test_a_source_is_the_camera_that_a_person_means(
    source: str | None, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.camera.first_camera", lambda: "/dev/video94")
    with open_camera(source) as camera:
        assert camera.name == name


def test_with_no_camera_at_all_the_message_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.cameras.present.usb_cameras", list)
    monkeypatch.setattr("vision.cameras.present.has_ribbon_camera", lambda: False)
    with pytest.raises(CameraError, match="plug one in"):
        first_camera()


def test_frames_compare_by_identity() -> None:
    assert Frame(PICTURE, 1.0) != Frame(PICTURE, 1.0)


@pytest.mark.parametrize(
    ("usb", "ribbon", "first"),
    [
        (("Chicony_Integrated_Camera", "Logitech_C920"), True, "Logitech_C920"),
        (("Chicony_Integrated_Camera",), True, "csi"),
        (("Chicony_Integrated_Camera",), False, "Chicony_Integrated_Camera"),
    ],
)
def test_a_laptops_own_camera_which_looks_at_its_owner_comes_last(
    usb: tuple[str, ...], ribbon: bool, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "vision.cameras.present.usb_cameras", lambda: [f"/dev/v4l/by-id/{name}" for name in usb]
    )
    monkeypatch.setattr("vision.cameras.present.has_ribbon_camera", lambda: ribbon)
    assert Path(first_camera()).name == first


def test_opencv_adds_nothing_to_what_is_said_of_a_camera_that_can_not_be_opened() -> None:
    script = "from vision.cameras.usb import open_v4l2; print(open_v4l2('/dev/null').isOpened())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"False\n", b"")
