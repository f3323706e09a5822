"""What can be read at all, and what is said of a picture that can't."""

import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

import vision
from vision import frames, sets

D6 = sets.load("d6")


def test_importing_vision_loads_neither_opencv_nor_numpy():
    loaded = (
        "import sys, vision; print([m for m in ('cv2', 'numpy', 'matplotlib', 'torch') if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "[]"


def test_a_small_file_with_a_huge_picture_is_not_unpacked(tmp_path):
    """In a process of its own: OpenCV reads its limit when it is loaded."""

    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    side = 9000
    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)  # of one bit a pixel
    rows = zlib.compress(bytes(side * (1 + side // 8)), 1)
    huge = tmp_path / "huge.png"
    huge.write_bytes(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", rows) + part(b"IEND", b""))
    said = subprocess.run(
        [sys.executable, "-m", "companion", "dice", "read", str(huge)],
        capture_output=True,
        check=False,
        text=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("OPENCV_IO")},
    )
    told = f"{huge} has far more pixels than a camera's picture; scale it down\n"
    assert (said.returncode, said.stderr) == (2, told)


def test_a_device_without_an_end_is_no_picture():
    with pytest.raises(vision.FrameError, match="/dev/zero is a pipe or a device"):
        frames.load(Path("/dev/zero"))


@pytest.mark.parametrize("level", [0, 128, 255])
def test_an_empty_picture_of_any_brightness_holds_no_dice(level):
    reading = vision.read(np.full((480, 640, 3), level, np.uint8), D6)
    assert reading.dice == ()
    assert not reading.hand


@pytest.mark.parametrize("size", [(32, 32), (40, 2000), (1080, 1920)])
def test_pictures_of_odd_sizes_are_read(size):
    assert vision.read(np.full((*size, 3), 90, np.uint8), D6).dice == ()


@pytest.mark.parametrize(
    ("frame", "advice"),
    [
        (None, "was the file read"),
        ([[1, 2], [3, 4]], "numpy array"),
        (SimpleNamespace(shape=(480, 640, 3), dtype="uint8"), "numpy array"),
        (np.zeros((480, 640), np.uint8), "cvtColor"),
        (np.zeros((480, 640, 4), np.uint8), "cvtColor"),
        (np.zeros((480, 640, 1), np.uint8), "cvtColor"),
        (np.zeros((480, 640, 3), np.float32), "uint8"),
        (np.zeros((480, 640, 3), np.uint16), "uint8"),
        (np.zeros((8, 8, 3), np.uint8), "8x8"),
        (np.zeros((0, 640, 3), np.uint8), "640x0"),
        (np.zeros((32, 8193, 3), np.uint8), "8193x32"),
        (np.zeros((9, 480, 640, 3), np.uint8), "cvtColor"),
    ],
)
def test_what_is_no_frame_is_refused_with_advice(frame, advice):
    with pytest.raises(vision.FrameError, match=advice) as refused:
        vision.read(frame, D6)
    assert isinstance(refused.value, vision.VisionError)
    assert isinstance(refused.value, ValueError)


def test_a_frame_that_is_not_contiguous_reads_like_its_copy(a_throw):
    wide = np.zeros((a_throw.shape[0], 2 * a_throw.shape[1], 3), np.uint8)
    wide[:, ::2] = a_throw
    assert vision.read(wide[:, ::2], D6).dice == vision.read(a_throw, D6).dice


def test_the_same_frame_gives_the_same_reading(a_throw):
    first, second = vision.read(a_throw, D6), vision.read(a_throw.copy(), D6)
    assert first.dice == second.dice
    assert first.sure == second.sure


def test_a_frame_is_left_as_it_was(a_throw):
    before = a_throw.copy()
    vision.read(a_throw, D6)
    assert np.array_equal(a_throw, before)


def test_no_set_at_all_is_refused(a_throw):
    with pytest.raises(vision.DiceSetError, match="at least one"):
        vision.read(a_throw, ())


@pytest.mark.parametrize(
    ("kinds", "why"),
    [
        ((), "or none"),
        ((vision.DieKind("odd", vision.Marks.PIPS, ()),), "without faces"),
        ((vision.DieKind("odd", vision.Marks.PIPS, ("7",)),), "can't show 7"),
        ((vision.DieKind("odd", vision.Marks.NUMERALS, ("one",)),), "can't show one"),
    ],
)
def test_a_set_of_no_dice_or_of_dice_that_there_cannot_be_is_refused(a_throw, kinds, why):
    with pytest.raises(vision.DiceSetError, match=why):
        vision.read(a_throw, ["d6", vision.DiceSet("odd", kinds)])


def test_a_picture_file_is_loaded_or_refused(tmp_path):
    good, bad = tmp_path / "good.png", tmp_path / "bad.png"
    cv2.imwrite(str(good), np.full((50, 60, 3), 7, np.uint8))
    bad.write_bytes(b"no picture")
    assert vision.frames.load(good).shape == (50, 60, 3)
    empty = tmp_path / "empty.png"
    empty.touch()
    for file in (bad, empty, tmp_path / "missing.png"):
        with pytest.raises(vision.FrameError, match=file.name):
            vision.frames.load(file)


def test_a_picture_of_which_a_part_is_missing_is_refused(tmp_path, a_throw):
    """What a copy that has its whole size at once has not written yet, or a power cut has lost."""
    whole = cv2.imencode(".jpg", a_throw)[1].tobytes()
    file = tmp_path / "roll.jpg"
    for good in (whole, whole[:2] + b"\xff" + whole[2:], whole + bytes(40)):
        file.write_bytes(good)
        assert frames.load(file).shape == a_throw.shape
    file.write_bytes(whole[: len(whole) // 2] + bytes(len(whole)))
    with pytest.raises(vision.FrameError, match=r"roll\.jpg is damaged: a part of the picture is missing"):
        frames.load(file)
