"""Cocked dice: one that slopes unlike the others in view does not lie flat.

A single die that leans on the wall looks just like a flat one that is seen from the side. What tells them
apart is the company: flat dice on one table all slope the same way in the picture, but for the perspective.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from vision.faces import View
    from vision.reading import Box

COCKED = 0.27  # sine of the angle to the others from which on a die is asked about (16 degrees)
COCKED_D10 = 0.195  # the same for a d10, whose next face is near, so that it leans less (11 degrees)
_ALONE = 0.5  # the same for a single die, which has only the camera to compare with
_STEEP = 0.55  # where all slope more than this, the camera looks from the side and tells nothing
_ROUGH = 0.08  # to which the usual die may differ before what is beyond counts as the network's own error
_LITTLE = 0.3  # to which a single die is drawn out at most
_COMPANY = 2  # dice that make a table
_VIEWS = (0.0, 0.15, 0.3, 0.45, 0.6)  # how much slopes may change over half the picture's width: its lens


def unlike_others(looks: Sequence[View], boxes: Sequence[Box], width: int) -> NDArray[np.float64]:
    """How far each die slopes unlike the rest, as the sine of an angle; 0 with nothing to go by.

    The slope of a flat die is that of the table plus a share of how far from the picture's middle it lies,
    since the camera sees it from the side there. A die that leans by half a right angle shows two faces
    alike: where it slopes to can't be told then, but how much can, and hence both are compared.
    """
    import numpy as np

    if not looks:
        return np.zeros(0)
    steepness, leans = _steepness(looks), _leans(looks)
    if len(leans) == 1:
        return np.where(steepness > _ALONE, COCKED, 0.0)
    if np.hypot(*np.median(leans, axis=0)) > _STEEP:
        return np.zeros(len(leans))
    table = of_table(looks, boxes, width)
    elsewhere = np.hypot(*(leans - table).T)
    steeper = steepness - np.hypot(*table.T)
    return np.asarray(np.maximum(0.8 * elsewhere, steeper), np.float64)


def of_table(looks: Sequence[View], boxes: Sequence[Box], width: int) -> NDArray[np.float64]:
    """How each die would slope if it lay flat on the table that the others lie on (n x 2: right, down).

    A single die, which has no others, counts as flat as long as it slopes but little.
    """
    import numpy as np

    leans = _leans(looks)
    if len(leans) < _COMPANY:
        least = np.minimum(1, _LITTLE / np.maximum(1e-6, np.hypot(*leans.T)))
        return np.asarray(leans * least[:, None], np.float64)
    middles = np.array([box.middle for box in boxes]) / (width / 2)
    tables = [np.median(leans - view * middles, axis=0) + view * middles for view in _VIEWS]
    best = min(tables, key=lambda expected: float(np.median(np.hypot(*(leans - expected).T))))
    return np.asarray(best, np.float64)


def _leans(looks: Sequence[View]) -> NDArray[np.float64]:
    import numpy as np

    return np.array([look.lean[:, 1:].mean(axis=0) for look in looks], np.float64).reshape(-1, 2)


def _steepness(looks: Sequence[View]) -> NDArray[np.float64]:
    import numpy as np

    return np.array([look.lean[:, 0].mean() for look in looks], np.float64)


def roughness(slopes: NDArray[np.float64]) -> float:
    """How much of these is likely the network's own error, by how far the usual die slopes unlike the rest.

    Slopes of small dice, and of those that a camera looks at from the side, are seen roughly. Of two dice
    none is the usual one.
    """
    import numpy as np

    return max(0.0, float(np.median(slopes)) - _ROUGH) if len(slopes) > 2 else 0.0
