"""Whether a JPEG is whole: damaged ones are refused, what cameras and programs write is not."""

import io
import re
import time

import cv2
import numpy as np
import pytest
from PIL import Image

from vision import FrameError, frames, jpeg

SECTOR = 512


def encoded(picture, *options):
    return cv2.imencode(".jpg", picture, options)[1].tobytes()


@pytest.fixture
def kinds(a_throw):
    """The same picture as several programs and cameras store it."""
    plain = encoded(a_throw)
    with_rows = io.BytesIO()
    Image.fromarray(a_throw).save(with_rows, "JPEG", restart_marker_rows=1, optimize=True, subsampling=1)
    return {
        "plain": plain,
        "restarts": encoded(a_throw, cv2.IMWRITE_JPEG_RST_INTERVAL, 10),
        "rows": with_rows.getvalue(),
        "progressive": encoded(a_throw, cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
    }


@pytest.mark.parametrize("kind", ["plain", "restarts", "rows", "progressive"])
@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.9])
def test_a_jpeg_that_lost_data_is_refused(kinds, kind, share):
    whole = kinds[kind]
    at = int(len(whole) * share)
    with pytest.raises(FrameError, match=r"roll\.jpg is damaged"):
        frames.decoded(whole[:at] + whole[-2:], "roll.jpg")
    with pytest.raises(FrameError, match=r"roll\.jpg is damaged"):
        frames.decoded(whole[: re.search(rb"\xff\xda.{13}", whole, re.DOTALL).end()] + whole[-2:], "roll.jpg")
    if kind != "progressive" or share < 0.5:  # the finest details come last in those, and are not missed
        with pytest.raises(FrameError, match=r"roll\.jpg is damaged"):
            frames.decoded(whole[:at] + whole[at + SECTOR :], "roll.jpg")


@pytest.mark.parametrize("kind", ["plain", "progressive"])
@pytest.mark.parametrize("filler", [b"\xff", b"\xe5", b"noise"])
def test_a_jpeg_of_which_a_sector_was_overwritten_is_refused(kinds, kind, filler):
    whole = kinds[kind]
    at = len(whole) // 3
    sector = np.random.default_rng(3).bytes(SECTOR) if filler == b"noise" else filler * SECTOR
    with pytest.raises(FrameError, match=r"roll\.jpg is damaged"):
        frames.decoded(whole[:at] + sector + whole[at + SECTOR :], "roll.jpg")


@pytest.mark.parametrize("option", [(), (cv2.IMWRITE_JPEG_RST_INTERVAL, 10)])
def test_a_jpeg_of_which_a_block_of_the_card_was_erased_is_refused_at_once(option):
    whole = encoded(np.random.default_rng(4).integers(0, 256, (400, 400, 3), np.uint8), *option)
    at, erased = len(whole) // 2, 64 * SECTOR
    began = time.process_time()
    assert not jpeg.is_whole(whole[:at] + b"\xff" * erased + b"\0" + whole[at + erased + 1 :])
    assert time.process_time() - began < 2


def test_bytes_that_fill_up_before_markers_take_no_more_time_than_others():
    began = time.process_time()
    assert jpeg.picture_end(jpeg.START + b"\xff\xff\xe0\x00\x02" * 100_000 + jpeg.END) is None
    assert jpeg.picture_end(jpeg.START + b"\xff" * 9) is None
    assert time.process_time() - began < 5


def test_a_jpeg_whose_scan_holds_too_much_is_refused(kinds):
    whole = kinds["plain"]
    at = len(whole) // 2
    with pytest.raises(FrameError, match="damaged"):
        frames.decoded(whole[:at] + whole[at - SECTOR :], "roll.jpg")


def test_a_jpeg_that_lost_a_whole_part_between_restarts_is_refused(kinds):
    restarts = list(re.finditer(rb"\xff[\xd0-\xd7]", kinds["restarts"]))
    for lost in (1, 8):
        cut = kinds["restarts"][: restarts[20].start()] + kinds["restarts"][restarts[20 + lost].start() :]
        assert not jpeg.is_whole(cut)


def test_what_looks_like_a_marker_within_the_scan_says_nothing_of_the_picture(kinds):
    """Were it read, this one would tell of a picture that is too large to be looked at."""
    whole = kinds["plain"]
    scan = re.search(rb"\xff\xda.{12}", whole, re.DOTALL).end()
    huge = b"\xff\x00\x00\x02\xff\xc0\x00\x11\x08\xff\xff\xff\xff"
    assert not jpeg.is_whole(whole[:scan] + huge + whole[scan:])


def in_scans(picture):
    """A picture whose colours are stored one after another, each in a scan, though it is not progressive."""
    planes = [encoded(plane) for plane in cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb))]
    grey = planes[0]
    frame, scan = (grey.index(bytes([0xFF, marker])) + 2 for marker in (jpeg.BASELINE, jpeg.SCAN))
    components = b"".join(bytes([number, 0x11, 0]) for number in (1, 2, 3))
    stored = grey[:frame] + b"\x00\x11" + grey[frame + 2 : frame + 7] + b"\x03" + components
    stored += grey[frame + 11 : scan - 2]
    for number, plane in zip((1, 3, 2), planes, strict=True):
        stored += b"\xff\xda\x00\x08\x01" + bytes([number]) + plane[scan + 4 : -2]
    return stored + b"\xff\xd9"


def test_a_jpeg_whose_last_colour_lost_data_is_refused(a_throw):
    whole = in_scans(a_throw)
    assert np.abs(frames.decoded(whole, "roll.jpg").astype(int) - a_throw).mean() < 3
    with pytest.raises(FrameError, match="damaged"):
        frames.decoded(whole[: whole.rindex(b"\xff\xda") + SECTOR] + whole[-2:], "roll.jpg")


def test_what_cameras_and_programs_write_is_read_without_a_word(a_throw, kinds, capfd):
    plain, picture = kinds["plain"], Image.fromarray(a_throw)

    def by_pillow(image=picture, **options):
        stored = io.BytesIO()
        image.save(stored, "JPEG", **options)
        return stored.getvalue()

    turned = Image.Exif()
    turned[0x0112] = 6
    tables = re.compile(rb"\xff\xc4(..)", re.DOTALL)
    bare = plain
    while (table := tables.search(bare)) is not None:  # as webcams do, which leave out the usual tables
        bare = bare[: table.start()] + bare[table.start() + 2 + int.from_bytes(table[1]) :]
    thumbnail = b"\xff\xe1" + (2 + len(bare[:4000])).to_bytes(2) + bare[:4000]
    good = [
        *kinds.values(),
        *(by_pillow(quality=quality, subsampling=quality % 3) for quality in (5, 50, 100)),
        *(by_pillow(picture.convert(mode)) for mode in ("L", "CMYK")),
        by_pillow(picture.convert("L"), restart_marker_blocks=3).replace(b"\1\1\x11\0", b"\1\1\x22\0", 1),
        by_pillow(keep_rgb=True),
        by_pillow(exif=turned),
        by_pillow(progressive=True),
        by_pillow(progressive=True, keep_rgb=True, quality=30),
        by_pillow(picture.convert("L"), progressive=True),
        by_pillow(picture.convert("CMYK"), progressive=True),
        by_pillow(picture.crop((0, 0, 333, 251)), progressive=True, restart_marker_rows=1),
        *(
            by_pillow(Image.new("RGB", (378, 184), (level,) * 3), progressive=True)
            for level in (10, 128, 200)
        ),
        encoded(
            a_throw[:207, :333],
            *(cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
            *(cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_411),
        ),
        by_pillow(picture.crop((0, 0, 333, 251)), restart_marker_blocks=3),
        bare,
        plain[:2] + thumbnail + plain[2:],
        plain + plain,
        plain[:-2] + bytes(11) + plain[-2:],
        re.sub(rb"\xff[\xd0-\xd7]", lambda mark: b"\x51\x2c\x08" + mark[0], kinds["restarts"]),
        *(encoded(np.full((480, 640, 3), level, np.uint8)) for level in (0, 127, 128, 255)),
        encoded(np.full((48, 64, 3), 128, np.uint8), cv2.IMWRITE_JPEG_RST_INTERVAL, 3),
        encoded(np.random.default_rng(1).integers(0, 256, (120, 90, 3), np.uint8)),
        encoded(np.zeros((65500, 32, 3), np.uint8)),
        *(encoded(np.zeros((*size, 3), np.uint8)) for size in ((4, 40), (40, 4))),
        plain.replace(b"\xff\xc0", b"\xff\xc1", 1),  # extended, which this one makes no use of
    ]
    assert [jpeg.is_whole(data) for data in good] == [True] * len(good)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xd8\xff\xc0\x00\x0b\xff\xda\xff\xd9\xff\xd9\xff\xd9",  # shorter than it says
        b"\xff\xd8\xff\xc0\x00\x0b\x08\x00\x10\x00\x10\x01\x01\x00\x00\xff\xda\xff\xd9",
        b"\xff\xd8 \xff\xda\x00\x02\xff\xd9",
        b"\xff\xd8\xff\xc0\x00\x0b\x08\x00\x10\x00\x10\x01\x01\x11\x00 \xff\xda\x00\x02\xff\xd9",
        b"\xff\xd8\xff\xc0\x00\x0b\x08\xff\xff\xff\xff\x01\x01\x11\x00\xff\xda\x00\x02\xff\xd9",
    ],
)
def test_what_only_begins_like_a_jpeg_is_no_picture(data):
    with pytest.raises(FrameError):
        frames.decoded(data, "roll.jpg")
