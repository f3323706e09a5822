"""From what the networks say to what is reported: which die, which face, and whether to ask a person.

Two looks at each die have to agree, and the weaker of the two counts: one that doubts is enough to ask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vision import faces
from vision.reading import Die
from vision.sets import Marks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.faces import View
    from vision.find import Candidate
    from vision.sets import DiceSet, DieKind
    from vision.taught import Gallery

SURE = 0.9  # chance from which on nobody is asked
_FOREIGN = 0.85  # chance of belonging to no asked kind from which on a die is called foreign
_NO_DIE = 0.6  # chance of being nothing from which on a candidate is dropped


class Opinion(NamedTuple):
    """One guess at a die, with the chance that all of it is right."""

    die: str
    colour: str | None
    face: str
    chance: float


def judge(
    candidates: Sequence[Candidate],
    views: Sequence[View],
    dice_sets: Sequence[DiceSet],
    galleries: Sequence[Gallery],
) -> tuple[Die, ...]:
    """What to report of each candidate, from top to bottom."""
    untaught = [kind for one in dice_sets if one.taught is None for kind in one.kinds]
    dice = []
    for number, candidate in enumerate(candidates):
        opinions = [o for kind in untaught for o in read_untaught(kind, views, number)]
        belongs = sum(_belongs(kind, views, number) for kind in _one_of_each(untaught))
        nothing = min(float(view.kinds[number, faces.NOTHING]) for view in views)
        if nothing > _NO_DIE and not galleries:
            continue
        dice.append(_die(candidate, opinions, belongs))
    return tuple(sorted(dice, key=lambda die: (die.bbox.y, die.bbox.x)))


def read_untaught(kind: DieKind, views: Sequence[View], number: int) -> list[Opinion]:
    """The guess at an untaught die of a kind; none at symbols, which have to be taught."""
    if kind.marks is Marks.SYMBOLS:
        return []
    chances = [_chances(kind, view, number) for view in views]
    together = {face: min(one[face] for one in chances) for face in kind.faces}
    best = max(together, key=lambda face: together[face])
    return [Opinion(kind.name, None, best, together[best])]


def _chances(kind: DieKind, view: View, number: int) -> dict[str, float]:
    readable = float(view.readable[number])
    if kind.marks is Marks.PIPS:
        alike = float(view.kinds[number, faces.PIPS])
        return {face: readable * alike * float(view.pips[number, int(face) - 1]) for face in kind.faces}
    cube = "0" not in kind.faces
    alike = float(view.kinds[number, faces.D6_NUMERALS if cube else faces.D10_NUMERALS])
    digits = {str(digit): float(chance) for digit, chance in enumerate(view.digits[number])}
    if "9" not in kind.faces:
        digits["6"] += digits["9"]
    return {face: readable * alike * digits[face] for face in kind.faces}


def _one_of_each(kinds: Sequence[DieKind]) -> list[DieKind]:
    return list({_column(kind): kind for kind in kinds}.values())


def _column(kind: DieKind) -> int:
    if kind.marks is Marks.PIPS:
        return faces.PIPS
    if kind.marks is Marks.SYMBOLS:
        return faces.SYMBOLS
    return faces.D10_NUMERALS if "0" in kind.faces else faces.D6_NUMERALS


def _belongs(kind: DieKind, views: Sequence[View], number: int) -> float:
    return max(float(view.kinds[number, _column(kind)]) for view in views)


def _die(candidate: Candidate, opinions: Sequence[Opinion], belongs: float) -> Die:
    best = max(opinions, key=lambda opinion: opinion.chance, default=None)
    if best is None or belongs < 1 - _FOREIGN:
        return Die(
            die=None,
            face=None,
            confidence=max(0.0, 1 - belongs),
            bbox=candidate.box,
            sure=False,
            foreign=True,
        )
    return Die(
        die=best.die,
        colour=best.colour,
        face=best.face,
        confidence=best.chance,
        bbox=candidate.box,
        sure=best.chance >= SURE,
    )
