"""Learning from a roll: the dice that a person has named become samples of their taught set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.wording import counted
from vision import DiceSet, Marks, VisionError, sets, teach

if TYPE_CHECKING:
    from companion.table.matching import Throw
    from vision.frames import Frame as Image
    from vision.teach import Sample


def learn(
    dice_sets: Sequence[DiceSet],
    taught: Path,
    throw: Throw,
    image: Image,
    answer: Sequence[str],
    kept: dict[int, Sample],
) -> str:
    """Keep dice of a roll that a person has named as samples of their sets in `taught`; says what was kept.

    Of a kind that is taught in full these are the doubtful and corrected ones, of another all of the roll:
    by the hard ones alone, plain dice would be read worse. Nothing is learnt where more dice lay there than
    were asked for, of dice that were `swapped`, nor by a disk that takes nothing, which is no reason not to
    play. Samples are put into `kept` by the places of their dice.
    """
    names: dict[str, None] = {}
    try:
        for at, name, sample in _keep(dice_sets, taught, throw, image, answer):
            kept[at], names[name] = sample, None
        lacking = [name for name in names if not is_taught(sets.load(name, taught))]
    except (VisionError, OSError) as error:
        return f"samples can't be kept: {error}"
    if not kept:
        return "nothing to learn from these dice"
    return f"{counted(len(kept), 'sample')} kept" + "".join(
        f"; {name} needs 2 of each face" for name in lacking
    )


def _keep(
    dice_sets: Sequence[DiceSet], taught: Path, throw: Throw, image: Image, answer: Sequence[str]
) -> Iterator[tuple[int, str, Sample]]:
    """The samples that were kept, with the place of each die and the name of its set."""
    unclear = swapped(throw, answer)
    for at, (place, said) in enumerate(zip(throw.places, answer, strict=True)):
        kind, face = place.group.kind, place.group.face_in_set(said)
        dice_set = next(one for one in dice_sets if kind in one.kinds)
        is_plain = place.face == said and not place.doubtful and kind.name in teach.complete(dice_set)
        if place.seen is None or place.others or face is None or is_plain or at in unclear:
            continue
        folder = sets.folder_of(dice_set.name, taught)
        sample = teach.keep(image, place.seen.bbox, kind.name, place.seen.colour, face, set_folder=folder)
        if not (folder / sets.SET_FILE).exists():  # what it is now may be more than at the roll
            sets.save(dice_set, taught)  # a set is known by its file
        yield at, dice_set.name, sample


def swapped(throw: Throw, answer: Sequence[str]) -> set[int]:
    """The places of dice of a kind some of which were called what others of them were read as.

    Faces are typed in any order: which of these dice was called what can't be told.
    """
    otherwise = [
        (at, place.group, place.face, said)
        for at, (place, said) in enumerate(zip(throw.places, answer, strict=True))
        if place.face != said
    ]
    read = {(group.dice, face) for _, group, face, _ in otherwise}
    mixed = [group.dice for _, group, _, said in otherwise if (group.dice, said) in read]
    return {at for at, group, *_ in otherwise if group.dice in mixed}


def unlearn(throw: Throw, kept: dict[int, Sample], answer: Sequence[str]) -> str:
    """Remove those of the samples whose dice a person has named otherwise since; says how many."""
    faces = [place.group.face_in_set(said) for place, said in zip(throw.places, answer, strict=True)]
    wrong = [at for at, sample in kept.items() if sample.face != faces[at]]
    try:
        for at in wrong:
            teach.remove(kept.pop(at))
    except OSError as error:
        return f"samples can't be taken back: {error}"
    return f"{counted(len(wrong), 'sample')} taken back" if wrong else ""


def is_taught(dice_set: DiceSet) -> bool:
    """Whether all kinds of a set that are read by samples, which pips are not, have samples of all faces."""
    taught = teach.complete(dice_set)
    return all(kind.marks is Marks.PIPS or kind.name in taught for kind in dice_set.kinds)
