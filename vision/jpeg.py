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

PADDING = 16
"""Bytes with which some cameras fill up at the end."""

EMPTY = 128
"""The brightness of what there is no data for."""

TALLEST, MOST = 65500, 64 << 20
"""Pixels of a side, and in all, beyond which nothing is decoded."""


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
    show in a taller one. That can't be told of several scans, nor of parts, which webcams fill up with bytes.
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
    filled = data[:start] + re.sub(rb"\xff+[^\x00\xff]", lambda mark: MORE + mark[0], data[start:])
    scale = 1 if PROGRESSIVE in segments else 8
    return not np.array_equal(_brightness(data, scale), _brightness(filled, scale))


def _has_data_left(data: bytes, segments: Mapping[int | None, int]) -> bool:
    """Whether a baseline picture in one scan would go on if it were taller; or has more or less restarts."""
    frame, scan = segments.get(BASELINE), segments[SCAN]
    if frame is None:
        return False
    colours = (_number(data, frame) - 8) // 3
    samples = [divmod(sampled, 16) for sampled in data[frame + 9 : frame + 9 + 3 * colours : 3]]
    if colours not in (1, 3) or data[scan + 2 : scan + 3] != bytes([colours]):
        return False
    across, down = map(max, zip(*samples, strict=True)) if colours > 1 else (1, 1)
    rows = -(-_number(data, frame + 3) // (8 * down or 1))
    columns = -(-_number(data, frame + 5) // (8 * across or 1))
    each = _number(data, segments[INTERVAL] + 2) if INTERVAL in segments else 0
    if each:
        restarts = range((rows * columns - 1) // each)
        found = re.findall(rb"\xff+([\xd0-\xd7])", data[scan:])
        return found != [bytes([RESTART + number % 8]) for number in restarts]
    padding = max(scan + _number(data, scan), len(data) - len(END) - PADDING)
    taller = bytearray(data[:padding] + END)
    taller[frame + 3 : frame + 5] = min((rows + 1) * 8 * down, TALLEST).to_bytes(2)
    return bool((_brightness(taller)[rows * down :, across:] != EMPTY).any())


def _brightness(data: bytes | bytearray, scale: int = 8) -> NDArray[np.uint8]:
    """How bright a JPEG is, so many times smaller; by Pillow, for OpenCV writes warnings to the terminal."""
    import numpy as np
    from PIL.JpegImagePlugin import JpegImageFile

    with JpegImageFile(io.BytesIO(data)) as picture:
        picture.draft("L", (max(1, picture.width // scale), max(1, picture.height // scale)))
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
            at = len(data) - len(data[at:].lstrip(b"\xff")) - 1
            continue
        yield marker, at + 2
        if marker == SCAN:
            return
        at += 2 + _number(data, at + 2)
