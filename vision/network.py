"""A network in an ONNX file, run by OpenCV on pictures."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from vision.frames import Frame


_SIZES = 3  # longest sides of pictures that are shown in turn: the finder's three looks
_AT_ONCE = 8  # pictures: more of them take no less time each, and 0.8 MB each


class Network:
    """Runs on pictures. Not for several threads at once."""

    def __init__(self, file: Path) -> None:
        import cv2
        import numpy as np

        # OpenCV 5's newer engine takes a third longer for the finder, a seventh for faces; 4 has one alone.
        engine = {"engine": cv2.dnn.ENGINE_CLASSIC} if hasattr(cv2.dnn, "ENGINE_CLASSIC") else {}
        # One for each size: a net that is shown another takes fresh memory, a third of the finder's time.
        # Their longest side names them: a net for each shape as well kept 11 MB more.
        self._net_for = functools.lru_cache(_SIZES)(lambda _: cv2.dnn.readNetFromONNX(str(file), **engine))
        self._memory = np.zeros(0, np.float32)

    def __call__(self, pictures: Sequence[Frame]) -> NDArray[np.float32]:
        """What the network answers to pictures (BGR, all of one size, at least one): its first output."""
        import numpy as np

        net, answers = self._net_for(max(pictures[0].shape)), []
        for start in range(0, len(pictures), _AT_ONCE):
            net.setInput(self._blob(pictures[start : start + _AT_ONCE]))
            answers.append(np.asarray(net.forward(), np.float32))
        return np.concatenate(answers)

    def _blob(self, pictures: Sequence[Frame]) -> NDArray[np.float32]:
        """Pictures as n x 3 x h x w from 0 to 1, in memory used before: fresh pages cost 3 ms a frame."""
        import cv2
        import numpy as np

        height, width = pictures[0].shape[:2]
        shape = (len(pictures), 3, height, width)
        size = int(np.prod(shape))
        if size > len(self._memory):
            self._memory = np.zeros(size, np.float32)
        blob = self._memory[:size].reshape(shape)
        for picture, planes in zip(pictures, blob, strict=True):
            for channel, plane in zip(cv2.split(picture), planes, strict=True):
                np.multiply(channel, np.float32(1 / 255), out=plane)
        return blob
