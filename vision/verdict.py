"""From what the networks say to what is reported: which die, which face, and whether to ask a person.

All looks at a die count alike, and the chance that is reported is what they say together; a look that says
something else is reason enough to ask, and so is a die that slopes unlike the others.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from vision import colours, faces, lean
from vision.reading import Die
from vision.sets import Marks

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from vision.faces import View
    from vision.find import Candidate
    from vision.frames import Frame
    from vision.sets import DiceSet, DieKind
    from vision.taught import Gallery

SURE = 0.93  # chance from which on nobody is asked
FOREIGN = 0.9  # chance of belonging to no asked kind from which on a die is called foreign
NO_DIE = 0.4  # chance of being no die at all from which on a candidate is dropped
# What the network says of pips, as a logit, times the first plus the second is the logit of how often it is
# right, on photographs that it was not trained on.
CALIBRATION = (2.2, 0.1)
DOUBT = 6.0  # what a unit of slope beyond 0.1 takes from that logit
MOST = 0.75  # share of looks that must say the same
PLAIN = 0.99  # chance of a pip die's colour from which on it is told
# Middle and width of the steps by which a print's margin and correlation become chances.
MARGIN, CORRELATION, STRANGE = (0.015, 0.01), (0.56, 0.03), (0.45, 0.03)
LEVEL, SLOPED = 0.17, 1.2  # slope up to which a die is flat, and how much better it must correlate beyond
CLEAR = 0.06  # margin of a print above which nothing else is asked
ENOUGH = 0.9  # chance of a numeral from which on its prints are not looked at


class Weights(NamedTuple):
    """What counts how much for a taught numeral: logarithms of chances, and correlations."""

    network: float
    clouds: float
    prints: float


WEIGHTS = Weights(0.6, 0.3, 10.0)


class Opinion(NamedTuple):
    """One guess at a die: the chance that it belongs to that kind at all, and that colour and face are right.

    `agreed` says whether all looks at it say the same, `printed` that its slope has been counted already.
    """

    die: str
    colour: str | None
    face: str
    chance: float
    belongs: float
    agreed: bool
    printed: bool = False


class Asked(NamedTuple):
    """A dice set that is asked for, and what it was taught, if anything."""

    dice_set: DiceSet
    gallery: Gallery | None


def judge(
    frame: Frame,
    candidate: Candidate,
    looks: View,
    asked: Sequence[Asked],
    *,
    slope: float,
    crowded: bool,
) -> Die:
    """What to report of one candidate that slopes so much unlike the others, and may be a part of another."""
    opinions = [opinion for one in asked for opinion in _opinions(frame, candidate, looks, one, slope)]
    best = max(opinions, key=lambda opinion: opinion.belongs * opinion.chance, default=None)
    if best is None or max(opinion.belongs for opinion in opinions) < 1 - FOREIGN:
        strange = 1.0 if best is None else 1 - best.belongs
        return Die(die=None, face=None, confidence=strange, bbox=candidate.box, sure=False, foreign=True)
    chance = _calibrated(best.belongs * best.chance, 0.0 if best.printed else slope)
    cocked = slope > (2 * lean.COCKED if best.printed else lean.COCKED)
    return Die(
        die=best.die,
        colour=best.colour,
        face=best.face,
        confidence=min(chance, 0.5) if cocked else chance,
        bbox=candidate.box,
        sure=chance >= SURE and best.agreed and not cocked and not crowded,
    )


def _calibrated(chance: float, slope: float) -> float:
    """How often such a chance is right; the more a die slopes unlike the others, the less."""
    logit = math.log(max(chance, 1e-6) / max(1 - chance, 1e-6)) - DOUBT * max(0.0, slope - 0.1)
    return 1 / (1 + math.exp(-(CALIBRATION[0] * logit + CALIBRATION[1])))


def _opinions(frame: Frame, candidate: Candidate, looks: View, asked: Asked, slope: float) -> list[Opinion]:
    taught = asked.gallery.complete if asked.gallery else frozenset()
    untaught = [k for k in asked.dice_set.kinds if k.name not in taught and k.marks is not Marks.SYMBOLS]
    opinions = [_coloured(_untaught(kind, looks), kind, frame, candidate) for kind in untaught]
    if asked.gallery is None:
        return opinions
    for kind in asked.gallery.kinds:
        if kind.marks is Marks.SYMBOLS:
            opinions.append(_by_print(frame, candidate, looks, kind, asked.gallery, slope))
        else:
            by_samples = _pips if kind.marks is Marks.PIPS else _numeral
            opinions.append(by_samples(frame, candidate, looks, kind, asked.gallery))
    return opinions


def _coloured(opinion: Opinion, kind: DieKind, frame: Frame, candidate: Candidate) -> Opinion:
    """The same with a colour, where the kind has some, by their common names."""
    known = colours.named(kind.colours)
    if not known:
        return opinion
    colour, chance = colours.nearest(colours.tone(frame, candidate.box), known)
    return opinion._replace(colour=colour, chance=opinion.chance * chance)


def _untaught(kind: DieKind, looks: View) -> Opinion:
    each = _faces(kind, looks)
    together = each.mean(axis=0) * float(looks.readable.mean())
    best = int(together.argmax())
    return Opinion(
        die=kind.name,
        colour=None,
        face=kind.faces[best],
        chance=float(together[best]),
        belongs=float(looks.kinds[:, column(kind)].mean()),
        agreed=bool((each.argmax(axis=1) == best).mean() >= MOST),
    )


def _by_print(
    frame: Frame, candidate: Candidate, looks: View, kind: DieKind, gallery: Gallery, slope: float
) -> Opinion:
    """A symbol: what it correlates with best, far better than with any other.

    The more a die slopes unlike the others, the better it has to correlate to count as flat.
    """
    found = gallery.print(frame, candidate.box, kind)
    colour, chance = gallery.colour(frame, candidate.box, kind.name)
    upright = found.correlation - SLOPED * max(0.0, slope - LEVEL)
    told = _step(found.margin, *MARGIN) * _step(upright, *CORRELATION)
    return Opinion(
        die=kind.name,
        colour=colour,
        face=found.face,
        chance=told * chance,
        belongs=_step(found.correlation, *STRANGE),
        agreed=kind.name in gallery.complete
        and (found.margin > CLEAR or gallery.likeliest(looks, kind) == found.face),
        printed=True,
    )


def _pips(frame: Frame, candidate: Candidate, looks: View, kind: DieKind, gallery: Gallery) -> Opinion:
    """Pips are read as if untaught, which no sample betters; samples tell the colour.

    It means nothing to most games, so that a doubtful one is not told rather than asked about.
    """
    colour, chance = gallery.colour(frame, candidate.box, kind.name)
    return _untaught(kind, looks)._replace(colour=colour if chance > PLAIN else None)


def _numeral(frame: Frame, candidate: Candidate, looks: View, kind: DieKind, gallery: Gallery) -> Opinion:
    """A numeral: what the network reads untaught and the clouds of the samples say together.

    Where these two leave doubt, the prints are asked too.
    """
    import numpy as np

    colour, chance = gallery.colour(frame, candidate.box, kind.name)
    belongs = float(looks.kinds[:, column(kind)].mean())
    each = WEIGHTS.network * np.log(_faces(kind, looks) + 1e-4) + WEIGHTS.clouds * gallery.nearness(
        looks, kind
    )
    told = _shares(each.mean(axis=0))
    if told.max() * belongs < ENOUGH:
        prints = gallery.correlations(frame, candidate.box, kind)
        each = each + WEIGHTS.prints * prints
        told = _shares(each.mean(axis=0))
        if prints.argmax() == told.argmax():  # nothing foreign fits a print that well
            belongs = (1 + belongs) / 2
    best = int(told.argmax())
    return Opinion(
        die=kind.name,
        colour=colour,
        face=kind.faces[best],
        chance=float(told[best]) * chance * float(looks.readable.mean()),
        belongs=belongs,
        agreed=bool((each.argmax(axis=1) == best).mean() >= MOST),
    )


def _shares(logs: NDArray[np.floating]) -> NDArray[np.float64]:
    """Chances whose logarithms are these, but for a constant."""
    import numpy as np

    powers = np.exp(logs - logs.max())
    return np.asarray(powers / powers.sum(), np.float64)


def _step(value: float, middle: float, width: float) -> float:
    """A chance that rises from 0 to 1 about the middle (the logistic function)."""
    return 1 / (1 + math.exp(-(value - middle) / width))


def column(kind: DieKind) -> int:
    """Which of the network's kinds dice of this kind are; a numeral die with a 0 is a d10."""
    if kind.marks is Marks.PIPS:
        return faces.PIPS
    if kind.marks is Marks.SYMBOLS:
        return faces.SYMBOLS
    return faces.D10_NUMERALS if "0" in kind.faces else faces.D6_NUMERALS


def _faces(kind: DieKind, looks: View) -> NDArray[np.float32]:
    """The chance of each face of the kind at each look."""
    if kind.marks is Marks.PIPS:
        return looks.pips[:, [int(face) - 1 for face in kind.faces]]
    chances = looks.digits[:, [int(face) for face in kind.faces]]
    if "6" in kind.faces and "9" not in kind.faces:  # nothing else on such a die looks like a 9
        chances[:, kind.faces.index("6")] += looks.digits[:, 9]
    return chances
