"""From what the networks say to what is reported: which die, which face, and whether to ask a person.

All looks at a die count alike, and the chance that is reported is what they say together; a look that says
something else is reason enough to ask, and so is a die that slopes unlike the others.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from vision import colours, faces, lean
from vision.reading import Die
from vision.sets import Marks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from vision.faces import View
    from vision.find import Candidate
    from vision.frames import Frame
    from vision.reading import Box
    from vision.sets import DiceSet, DieKind
    from vision.taught import Gallery

SURE = 0.95  # chance from which on nobody is asked
FOREIGN = 0.94  # chance of belonging to no asked kind from which on a die is called foreign
# Weight of the chance that a face can be read at all: much of that doubt is in what it says already.
LEGIBLE = 0.7
NO_NUMERAL = 0.03  # chance of having numerals below which none are looked for
# Chance of being no die from which on a candidate is dropped; of one that the finder scores so clearly.
NO_DIE, NO_CLEAR_DIE, CLEAR = 0.4, 0.8, 0.6
# What is said of a face, as a logit, times the first plus the second is the logit of how often it is right,
# on pictures of dice that the networks were not trained on. They are shy of numerals.
OF_PIPS, OF_SYMBOLS = (1.2, 1.2), (2.0, 0.0)
OF_NUMERALS, OF_TAUGHT_NUMERALS = (2.6, 1.0), (2.0, 1.0)
UNLIKE = 0.02  # share of the likeliest kind's chance below which another kind isn't looked into
KINSHIP = 0.5  # share of the chance of another many-sided die that counts for a d10, easily taken for one
# How much likelier a die is of an asked kind, with pips or numerals, than the network knows.
EXPECTED, EXPECTED_NUMERALS = 8.0, 3.0
DOUBT = 6.0  # what a unit of slope beyond 0.1 takes from that logit
MOST = 0.75  # share of looks that must say the same
PLAIN = 0.99  # chance of a pip die's colour from which on it is told
# Middle and width of the steps by which a print's correlation becomes a chance.
CORRELATION, STRANGE = (0.61, 0.03), (0.415, 0.03)
PRINTED, PRINTED_CUBE = (0.68, 0.03), (0.49, 0.03)  # the same of numerals on a d10, and on a cube
AGAINST = 0.03  # how much better another face may do by a witness that still backs the one which is named
_BACKING = 2  # witnesses, of two or three, that must back it
STEEPER = 0.6  # what a slope that is steeper than the table's counts beside where it points to
SEEMING = 1.3  # and what a print's own way of seeming steep takes from it
LEVEL = 0.08  # slope up to which a taught die's print isn't asked whether the die lies aslant
# Slopes from which on a taught die is asked about. One in fifty and less of those that lie flat on rendered
# sets seem to slope more.
ASLANT = {faces.PIPS: 0.22, faces.SYMBOLS: 0.26, faces.D6_NUMERALS: 0.24, faces.D10_NUMERALS: 0.21}


class Weights(NamedTuple):
    """What counts how much for a taught die: logarithms of chances, and correlations."""

    network: float
    clouds: float
    prints: float


# Fitted on rendered sets that the networks had not seen.
WEIGHTS = {Marks.NUMERALS: Weights(1.0, 0.05, 20.0), Marks.SYMBOLS: Weights(0.0, 0.9, 20.0)}


class Opinion(NamedTuple):
    """One guess at a die: the chance that all of it is right, and that the die belongs to that kind at all.

    `chance` counts what the die belongs to too. `agreed` says whether all looks at it say the same, `slope`
    how far it slopes unlike the others, `cocked` from which slope on it is asked about.
    """

    die: str
    colour: str | None
    face: str
    chance: float
    belongs: float
    agreed: bool
    slope: float
    cocked: float
    calibration: tuple[float, float] = OF_SYMBOLS


class Asked(NamedTuple):
    """A dice set that is asked for, and what it was taught, if anything."""

    dice_set: DiceSet
    gallery: Gallery | None


class Sight:
    """A die in a frame, and what is found out of it but once, however often the networks look at it.

    So much as `rough` of how it slopes unlike the others is likely the network's own error. A `partial` one
    may be a part of another die, or have a part beyond the frame. `gain` tells how much more light would make
    all dice in view look most like a gallery's.
    """

    def __init__(
        self,
        frame: Frame,
        box: Box,
        *,
        slope: lean.Slope,
        rough: float = 0.0,
        partial: bool,
        gain: Callable[[Gallery, DieKind], float] = lambda _gallery, _kind: 1.0,
    ) -> None:
        self.box, self.slope, self.rough, self.partial = box, slope, rough, partial
        self.named = functools.cache(lambda kind: colours.told(frame, box, colours.named(kind.colours)))
        self.colour = functools.cache(
            lambda gallery, kind: gallery.colour(frame, box, kind.name, gain(gallery, kind))
        )
        self.prints = functools.cache(
            lambda gallery, kind: gallery.correlations(frame, box, slope.table, kind)
        )
        self.aslant = functools.cache(
            lambda gallery, kind: gallery.correlations(frame, box, slope.seen, kind)
        )


class _Case(NamedTuple):
    """A die, what the networks say of it, of its kind on the mean, and the columns of the kinds asked for."""

    sight: Sight
    looks: View
    kinds: NDArray[np.float32]
    columns: frozenset[int]


def is_none(candidate: Candidate, looks: View) -> bool:
    """Whether what the finder took for a die is nothing that anyone need be asked about."""
    limit = NO_CLEAR_DIE if candidate.score >= CLEAR else NO_DIE
    return float(looks.kinds[:, faces.NOTHING].mean()) >= limit


def judge(sight: Sight, looks: View, asked: Sequence[Asked]) -> Die:
    """What to report of a die of which the networks say so."""
    columns = frozenset(column(kind) for one in asked for kind in one.dice_set.kinds)
    case = _Case(sight, looks, looks.kinds.mean(axis=0), columns)
    opinions = [opinion for one in asked for opinion in _opinions(case, one)]
    best = max(opinions, key=lambda opinion: opinion.chance, default=None)
    if best is None or max(opinion.belongs for opinion in opinions) < 1 - FOREIGN:
        strange = 1.0 if best is None else 1 - best.belongs
        return Die(die=None, face=None, confidence=strange, bbox=sight.box, sure=False, foreign=True)
    chance = _calibrated(best.chance, best.slope, *best.calibration)
    cocked = best.slope >= best.cocked
    return Die(
        die=best.die,
        colour=best.colour,
        face=best.face,
        confidence=min(chance, 0.5) if cocked else chance,
        bbox=sight.box,
        sure=chance >= SURE and best.agreed and not cocked and not sight.partial,
        cocked=cocked,
    )


def in_doubt(die: Die) -> Die:
    """A die that was sure, to be asked about."""
    return msgspec.structs.replace(die, sure=False, confidence=0.5)


def _calibrated(chance: float, slope: float, steep: float, offset: float) -> float:
    """How often such a chance is right; the more a die slopes unlike the others, the less."""
    logit = math.log(max(chance, 1e-6) / max(1 - chance, 1e-6)) - DOUBT * max(0.0, slope - 0.1)
    return 1 / (1 + math.exp(-(steep * logit + offset)))


def _opinions(case: _Case, asked: Asked) -> list[Opinion]:
    """An opinion for each kind of the set that the die may be, by all that the network says of it."""
    least = UNLIKE * case.kinds[list(case.columns)].max()

    def likely(kinds: Sequence[DieKind]) -> list[DieKind]:
        return [kind for kind in kinds if case.kinds[column(kind)] >= least]

    taught = asked.gallery.complete if asked.gallery else frozenset()
    opinions = [
        _coloured(_untaught(case, kind), case, kind)
        for kind in likely(asked.dice_set.kinds)
        if kind.name not in taught and kind.marks is not Marks.SYMBOLS
    ]
    if asked.gallery is None:
        return opinions
    return opinions + [_TAUGHT[kind.marks](case, kind, asked.gallery) for kind in likely(asked.gallery.kinds)]


def _coloured(opinion: Opinion, case: _Case, kind: DieKind) -> Opinion:
    """The same with a colour, where the kind has some, by their common names."""
    colour, chance = case.sight.named(kind)
    return opinion._replace(colour=colour, chance=opinion.chance * chance)


def _untaught(case: _Case, kind: DieKind) -> Opinion:
    each = _faces(kind, case.looks)
    together = each.mean(axis=0) * _legible(case.looks)
    best = int(together.argmax())
    return Opinion(
        die=kind.name,
        colour=None,
        face=kind.faces[best],
        chance=float(together[best]) * _kin(case, kind),
        belongs=float(case.kinds[column(kind)]),
        slope=case.sight.slope.unlike - _rough(case, kind),
        cocked=lean.COCKED_D10 if column(kind) == faces.D10_NUMERALS else lean.COCKED,
        agreed=bool((each.argmax(axis=1) == best).mean() >= MOST),
        calibration=OF_PIPS if kind.marks is Marks.PIPS else OF_NUMERALS,
    )


def _legible(looks: View) -> float:
    """What the chance that the face can be read counts beside that of what it says."""
    return math.pow(looks.readable.mean(), LEGIBLE)


def _rough(case: _Case, kind: DieKind) -> float:
    """How much of a die's slope is put down to the network, if it is of a kind.

    A d10 that slopes hardly more shows another face: there it is nothing.
    """
    return 0.0 if column(kind) == faces.D10_NUMERALS else case.sight.rough


def _tilt(case: _Case, kind: DieKind, gallery: Gallery, face: str) -> float:
    """How far a taught die with this face up slopes unlike the others, by the network and by its print.

    The network takes some prints for steeper than they lie, as it does their samples. The print tells by how
    much better it fits as it looks on a die that slopes so than on a flat one.
    """
    sight = case.sight
    steeper = sight.slope.steeper - _rough(case, kind)
    tilt = sight.slope.away + STEEPER * steeper - SEEMING * gallery.steepness(kind, face)
    if tilt > LEVEL:
        better = sight.aslant(gallery, kind).max() - sight.prints(gallery, kind).max()
        tilt += max(0.0, float(better))
    return tilt


def _kin(case: _Case, kind: DieKind, kinship: float = KINSHIP) -> float:
    """The chance that a die is of a kind, which is likelier than the network knows, since it is asked for.

    Kinds that are asked for too count as it says. To a d10 so much of the chance of another many-sided die is
    added.
    """
    mine = column(kind)
    belongs = float(case.kinds[mine])
    if mine == faces.D10_NUMERALS:
        return belongs + kinship * float(case.kinds[faces.OTHER])
    rivals = case.columns - {mine}
    if mine != faces.PIPS:
        rivals |= {faces.NOTHING}  # clutter may well pass for a numeral
    rival = float(case.kinds[list(rivals)].sum())
    others = (1 - belongs - rival) / (EXPECTED if mine == faces.PIPS else EXPECTED_NUMERALS)
    return belongs / (belongs + rival + others)


def _symbol(case: _Case, kind: DieKind, gallery: Gallery) -> Opinion:
    """A symbol, as the samples tell it."""
    told, fits = _by_samples(case, kind, gallery)
    return told._replace(
        chance=told.chance * _logistic(fits, *CORRELATION),
        belongs=_logistic(fits, *STRANGE),
        agreed=told.agreed and kind.name in gallery.complete,
    )


def _pips(case: _Case, kind: DieKind, gallery: Gallery) -> Opinion:
    """Pips are read as if untaught, which no sample betters; samples tell the colour.

    It means nothing to most games, so that a doubtful one is not told rather than asked about.
    """
    colour, chance = case.sight.colour(gallery, kind)
    return _untaught(case, kind)._replace(
        colour=colour if chance > PLAIN else None, cocked=ASLANT[faces.PIPS]
    )


def _numeral(case: _Case, kind: DieKind, gallery: Gallery) -> Opinion:
    """A numeral, as the samples and the network tell it.

    A print that fits tells a d10 from other many-sided dice, for which the network takes it too easily; on a
    cube it need not fit so well.
    """
    told, fits = _by_samples(case, kind, gallery)
    fitting = PRINTED if column(kind) == faces.D10_NUMERALS else PRINTED_CUBE
    kin = _logistic(fits, *fitting) * _kin(case, kind, kinship=1.0)
    chance = told.chance * _legible(case.looks) * kin
    return told._replace(chance=chance, calibration=OF_TAUGHT_NUMERALS)


def _by_samples(case: _Case, kind: DieKind, gallery: Gallery) -> tuple[Opinion, float]:
    """What is known of a die by all witnesses, each by its weight, and how well the best print fits.

    The chance is that of face and colour alone.
    """
    import numpy as np

    weights = WEIGHTS[kind.marks]
    prints = case.sight.prints(gallery, kind)
    clouds = gallery.nearness(case.looks, kind)
    each = weights.clouds * clouds + weights.prints * prints
    witnesses = [clouds.mean(axis=0), prints]
    if weights.network:
        network = np.log(_faces(kind, case.looks) + 1e-4)
        each = each + weights.network * network
        witnesses.append(network.mean(axis=0))
    shares = _softmax(each.mean(axis=0))
    best = int(shares.argmax())
    colour, chance = case.sight.colour(gallery, kind)
    backing = sum(bool(one[best] >= one.max() - AGAINST) for one in witnesses)
    opinion = Opinion(
        die=kind.name,
        colour=colour,
        face=kind.faces[best],
        chance=float(shares[best]) * chance,
        belongs=float(case.kinds[column(kind)]),
        slope=_tilt(case, kind, gallery, kind.faces[best]),
        cocked=ASLANT[column(kind)],
        agreed=bool((each.argmax(axis=1) == best).mean() >= MOST) and backing >= _BACKING,
    )
    return opinion, float(prints.max())


_TAUGHT = {Marks.PIPS: _pips, Marks.NUMERALS: _numeral, Marks.SYMBOLS: _symbol}


def _softmax(logs: NDArray[np.floating]) -> NDArray[np.float64]:
    """Chances whose logarithms are these, but for a constant."""
    import numpy as np

    powers = np.exp(logs - logs.max())
    return np.asarray(powers / powers.sum(), np.float64)


def _logistic(value: float, middle: float, width: float) -> float:
    """A chance that rises from 0 to 1 about the middle."""
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
