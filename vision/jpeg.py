"""JPEG pictures: where one ends among other bytes, and whether all of it is there.

What decodes them fills up with grey what is missing, and passes over what is too much, without a word.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy as np
    from numpy.typing import NDArray

START, END = b"\xff\xd8", b"\xff\xd9"
BASELINE, PROGRESSIVE, INTERVAL, SCAN = 0xC0, 0xC2, 0xDD, 0xDA  # markers, each after 0xFF
RESTART = 0xD0  # the first of eight, which part a scan in turn

MORE = bytes(range(200, 0, -1))
"""More data, whatever it is: it shows in the first 16 x 16 pixels that it gets into."""

PADDING = 17
"""Bytes at the end that may tell nothing: some cameras fill up with 16, and bits fill up the one before."""

PADDED = 8
"""Units of the picture into which the bits may get that fill up the last byte of each of several scans."""

BLENDED = 2
"""Rows of pixels into which the colours of those above run."""

EMPTY = 128
"""The brightness of what there is no data for."""

TALLEST, MOST = 65500, 64 << 20
"""Pixels of a side, and in all, beyond which nothing is decoded."""

_MARK = rb"(?<!\xff)\xff+"
"""What a marker begins with: all of it, or in an erased block one would be sought from each byte on."""

_OTHER = re.compile(rb"[^\xff]")


def picture_end(data: bytes | bytearray, start: int = 0) -> int | None:
    """Where the JPEG picture that begins at `start` ends, or None if it isn't whole yet.

    Segments are stepped over by their length (ITU T.81 B.1.1), so that a thumbnail's end is not mistaken
    for the picture's; within the scan 0xFF is stuffed, so there the first end marker is the end.
    """
    for marker, at in _segments(data, start):
        if marker is None:
            return at
        if marker == SCAN:
            end = data.find(END, at)
            return None if end < 0 else end + 2
    return None


def is_whole(data: bytes) -> bool:
    """Whether a JPEG has just the data that its picture takes: a damaged one mostly has less, or more.

    It has less if more of it, where a part ends, would show in the picture; and more if there were some to
    show in a taller one. That can't be told of parts, which webcams fill up with bytes: they are counted.
    """
    end = picture_end(data)
    if end is None:
        return False
    data = data[:end]
    segments = dict(_segments(data))
    frame = segments.get(BASELINE, segments.get(PROGRESSIVE))
    if frame is None or SCAN not in segments or _number(data, frame + 3) * _number(data, frame + 5) > MOST:
        return True
    try:
        return not _lacks_data(data, segments) and not _has_data_left(data, segments)
    except SyntaxError:  # a head that Pillow can't read
        return True
    except OSError:  # so broken that decoding ends
        return False


def _lacks_data(data: bytes, segments: Mapping[int | None, int]) -> bool:
    import numpy as np

    start = segments[SCAN]
    filled = data[:start] + re.sub(_MARK + rb"[^\x00\xff]", lambda mark: MORE + mark[0], data[start:])
    at_full = _has_several_scans(data, segments)
    return not np.array_equal(_pixels(data, at_full=at_full), _pixels(filled, at_full=at_full))


def _has_data_left(data: bytes, segments: Mapping[int | None, int]) -> bool:
    """Whether a picture would go on if it were taller; or, in one scan, has more or less restarts."""
    frame, scan = segments.get(BASELINE, segments.get(PROGRESSIVE, 0)), segments[SCAN]
    several = _has_several_scans(data, segments)
    colours = (_number(data, frame) - 8) // 3
    samples = [divmod(sampled, 16) for sampled in data[frame + 9 : frame + 9 + 3 * colours : 3]]
    if colours not in (1, 3):
        return False
    across, down = map(max, zip(*samples, strict=True)) if colours > 1 else (1, 1)
    rows = -(-_number(data, frame + 3) // (8 * down or 1))
    columns = -(-_number(data, frame + 5) // (8 * across or 1))
    each = _number(data, segments[INTERVAL] + 2) if INTERVAL in segments else 0
    if each and several:
        return False
    if each:
        restarts = range((rows * columns - 1) // each)
        found = re.findall(_MARK + rb"([\xd0-\xd7])", data[scan:])
        return found != [bytes([RESTART + number % 8]) for number in restarts]
    last = data.rfind(bytes([0xFF, SCAN])) + 2
    padding = max(last + _number(data, last), len(data) - len(END) - PADDING)
    taller = bytearray(data[:padding] + END)
    taller[frame + 3 : frame + 5] = min((rows + 1) * 8 * down, TALLEST).to_bytes(2)
    pixels = _pixels(taller, at_full=several)
    top, left = (8 * rows * down + BLENDED, 8 * across * PADDED) if several else (rows * down, 0)
    return bool((pixels[top:, left:] != EMPTY).any())


def _has_several_scans(data: bytes, segments: Mapping[int | None, int]) -> bool:
    """Whether the picture is built up by several scans, of colours or details."""
    frame, scan = segments.get(BASELINE), segments[SCAN]
    return frame is None or data[scan + 2 : scan + 3] != bytes([(_number(data, frame) - 8) // 3 % 256])


def _pixels(data: bytes | bytearray, *, at_full: bool) -> NDArray[np.uint8]:
    """A JPEG's picture, or how bright it is at an eighth of its size.

    By Pillow, for OpenCV writes warnings to the terminal.
    """
    import numpy as np
    from PIL.JpegImagePlugin import JpegImageFile

    with JpegImageFile(io.BytesIO(data)) as picture:
        if not at_full:
            picture.draft("L", (1, 1))  # as small as it can be
        return np.asarray(picture)


def _number(data: bytes | bytearray, at: int) -> int:
    return int.from_bytes(data[at : at + 2])


def _segments(data: bytes | bytearray, start: int = 0) -> Iterator[tuple[int | None, int]]:
    """The markers up to the first scan and where the segment of each begins; None for what is no marker."""
    at = start + 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            yield None, at
            return
        marker = data[at + 1]
        if marker == 0xFF:  # any number of these before a marker fills up
            following = _OTHER.search(data, at)
            if following is None:
                return
            at = following.start() - 1
            continue
        yield marker, at + 2
        if marker == SCAN:
            return
        at += 2 + _number(data, at + 2)
