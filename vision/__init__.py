"""Reads dice from pictures. Knows nothing of the companion."""

from vision.errors import DiceSetError, FrameError, LabelError, VisionError
from vision.reader import read
from vision.reading import Box, Die, Reading
from vision.sets import DiceSet, DieKind, Marks, Supply

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
