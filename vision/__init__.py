"""Reads dice from pictures. Knows nothing of the companion."""

import os

from vision.errors import DiceSetError, FrameError, LabelError, VisionError
from vision.reader import read
from vision.reading import Box, Die, Reading
from vision.sets import DiceSet, DieKind, Marks, Supply

# A picture of more pixels is refused by its first bytes: unpacked it may fill the memory, however small its
# file. OpenCV reads this when it is loaded.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(64 << 20))
# Of a camera that can't be opened it warns at each attempt, beside what is said of that here.
os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
# And it waits ten seconds for a picture of a USB camera.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "1")

__all__ = [
    "Box",
    "DiceSet",
    "DiceSetError",
    "Die",
    "DieKind",
    "FrameError",
    "LabelError",
    "Marks",
    "Reading",
    "Supply",
    "VisionError",
    "read",
]
