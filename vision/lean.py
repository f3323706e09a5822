"""Cocked dice: one that slopes unlike the others in view does not lie flat.

A single die that leans on the wall looks just like a flat one that is seen from the side. What tells them
apart is the company: flat dice on one table all slope the same way in the picture, but for the perspective.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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
# How much slopes may change over half the picture's width, which is up to the lens; the usual one of these,
# and what counts against another for each bit by which it differs.
_VIEWS = tuple(n / 20 for n in range(13))
_LENS, _SELDOM = 0.2, 0.02
_ODD = 0.2  # slopes that are so much off tell nothing of the table


class Slope(NamedTuple):
    """How a die slopes, and would if it lay flat on the table that the others lie on (right, down).

    `away` is how far the one is from the other, and `steeper` how much more it slopes, whichever way: a die
    that leans by half a right angle shows two faces alike, and where it slopes to can't be told then, but how
    much can. All are sines of angles.
    """

    seen: NDArray[np.float64]
    table: NDArray[np.float64]
    away: float
    steeper: float

    @property
    def unlike(self) -> float:
        """How far the die slopes unlike the others; 0 with nothing to go by."""
        return max(0.8 * self.away, self.steeper)


def slopes(looks: Sequence[View], boxes: Sequence[Box], width: int) -> list[Slope]:
    """How each die in a picture of that width slopes.

    The slope of a flat die is that of the table plus a share of how far from the picture's middle it lies,
    since the camera sees it from the side there.
    """
    import numpy as np

    if not looks:
        return []
    means = np.array([look.lean.mean(axis=0) for look in looks], np.float64)
    steepness, leans = means[:, 0], means[:, 1:]
    table = _of_table(leans, boxes, width)
    if len(leans) == 1:
        away, steeper = np.zeros(1), np.where(steepness > _ALONE, COCKED, 0.0)
    elif np.hypot(*np.median(leans, axis=0)) > _STEEP:
        away = steeper = np.zeros(len(leans))
    else:
        away, steeper = np.hypot(*(leans - table).T), steepness - np.hypot(*table.T)
    return [Slope(*one) for one in zip(leans, table, away.tolist(), steeper.tolist(), strict=True)]


def _of_table(leans: NDArray[np.float64], boxes: Sequence[Box], width: int) -> NDArray[np.float64]:
    """How each die would slope if it lay flat on the table that the others lie on (n x 2: right, down).

    A single die, which has no others, counts as flat as long as it slopes but little.
    """
    import numpy as np

    if len(leans) == 1:
        return leans / max(1.0, float(np.hypot(*leans[0])) / _LITTLE)
    middles = np.array([box.middle for box in boxes]) / (width / 2)
    views = np.array(_VIEWS)
    aside = views[:, None, None] * middles
    tables = np.median(leans - aside, axis=1, keepdims=True) + aside
    off = np.minimum(_ODD, np.linalg.norm(leans - tables, axis=2)).mean(axis=1)
    strains = off + _SELDOM * np.abs(views - _LENS)
    return np.asarray(tables[strains.argmin()], np.float64)


def roughness(dice: Sequence[Slope]) -> float:
    """How much of their slopes is likely the network's own error: what the usual die seems unlike the rest.

    Slopes of small dice, and of those that a camera looks at from the side, are seen roughly. Of two dice
    none is the usual one.
    """
    import numpy as np

    return max(0.0, float(np.median([die.unlike for die in dice])) - _ROUGH) if len(dice) > 2 else 0.0
