"""Measures the reader on labelled folders: right and sure, sure and wrong, asked, missed, invented.

A folder with a `labels.jsonl` is one source; a folder of such folders is as many. Images of kind `teach` are
not measured: the rolls of a folder that has some are read with a set taught from them.
"""

from __future__ import annotations

import enum
import math
import re
import statistics
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vision import frames, labels, sets, teach
from vision.errors import FrameError, LabelError
from vision.reader import Reader
from vision.reading import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from vision.labels import Labelled, LabelledDie
    from vision.reading import Die, Reading

_NEAR = 0.6  # of a label's longer side: a reading further from its middle means another die


class Outcome(enum.Enum):
    """What became of one die, or of one thing that is none."""

    RIGHT = "right and sure"
    WRONG = "sure and wrong"
    ASKED = "asked"
    MISSED = "missed"
    INVENTED = "invented"  # sure of a die where none is


class Scored(msgspec.Struct, frozen=True):
    """One die's outcome. `said` is what was read, sure or not; None where nothing was.

    `box` is where it was read, or else labelled; None where nobody drew a box.
    """

    outcome: Outcome
    face: str | None
    said: str | None
    confidence: float
    box: Box | None = None


class ImageScore(msgspec.Struct, frozen=True):
    """One image: its dice, the time it took, and whether all of it was right with nobody asked."""

    folder: str
    source: str
    file: str
    dice: tuple[Scored, ...]
    ms: float
    whole: bool


class Share(msgspec.Struct, frozen=True):
    """A count out of a number, and the 95 % interval of what it estimates (Wilson 1927)."""

    count: int
    of: int
    low: float
    high: float


class SourceScore(msgspec.Struct, frozen=True):
    """One source, or all of them: shares of dice and of images, and the median time in milliseconds.

    `face_up` are the right and sure of those dice that have a face up, `cocked` the asked of all others.
    """

    name: str
    images: int
    dice: dict[str, Share]
    face_up: Share
    cocked: Share
    whole: Share
    ms: float


class Bench(msgspec.Struct, frozen=True):
    """The result of a run: each source, all together, and each image for whoever wants to look."""

    sources: tuple[SourceScore, ...]
    total: SourceScore
    images: tuple[ImageScore, ...]
    passed_over: dict[str, int]  # image kinds that no set reads, or labels, and how many


def run(folder: Path, *, progress: Callable[[str], None] | None = None) -> Bench:
    """Measure on every labelled image under a folder; LabelError when there is none to measure on."""
    reader = Reader()
    scores: list[ImageScore] = []
    passed_over: Counter[str] = Counter()
    found = sources(folder)
    called = Counter(source.name for source in found)
    for source in found:
        name = source.name
        if called[name] > 1:  # of another table too
            name = source.relative_to(folder.resolve().parent).as_posix()
        if progress is not None:
            progress(name)
        with tempfile.TemporaryDirectory() as scratch:
            scored, unread = _source(source, name, reader, Path(scratch))
        scores += scored
        passed_over += unread
    if not scores:
        kinds = ", ".join(sorted(passed_over))
        why = f"no dice set reads those of kind {kinds}" if kinds else "there is none but those of kind teach"
        raise LabelError(f"{folder} has no picture to measure on: {why}")
    return summed(scores, dict(passed_over))


def sources(folder: Path) -> tuple[Path, ...]:
    """The labelled folders at or under a folder, by name; LabelError when there is none."""
    found = tuple(sorted(file.parent for file in folder.resolve().rglob(labels.LABELS)))
    if not found:
        if not folder.is_dir():
            raise LabelError(f"{folder} is no folder")
        raise LabelError(f"no {labels.LABELS} at or under {folder}; see vision/README.md for how one looks")
    return found


def measure(
    source: str, images: Iterable[Labelled], dice_set: sets.DiceSet, reader: Reader
) -> list[ImageScore]:
    """Read and score the labelled images of one source; FrameError for one that can't be read."""
    scores = []
    for labelled in images:
        picture = frames.load(labelled.path)
        try:
            reading = reader.read(picture, dice_set)
        except FrameError as error:
            raise FrameError(f"{labelled.path}: {error}") from error
        scores.append(score(source, labelled, reading))
    return scores


def score(source: str, labelled: Labelled, reading: Reading) -> ImageScore:
    """Compare one reading with the labels of its image."""
    read = [die for die in reading.dice if not die.foreign]
    dice, unmatched = _pairs(labelled.dice, read)
    scored = [_scored(label, die) for label, die in dice]
    extra = [
        Scored(Outcome.INVENTED, None, die.face, die.confidence, die.bbox) for die in unmatched if die.sure
    ]
    whole = not unmatched and all(
        one.outcome is Outcome.RIGHT or (one.face is None and one.outcome is Outcome.ASKED) for one in scored
    )
    folder, file = str(labelled.path.parent), labelled.path.name
    return ImageScore(folder, source, file, (*scored, *extra), reading.ms, whole)


def summed(scores: Sequence[ImageScore], passed_over: dict[str, int]) -> Bench:
    """Add up image scores by source and in all."""
    names = list(dict.fromkeys(one.source for one in scores))
    by_source = tuple(_sum(name, [one for one in scores if one.source == name]) for name in names)
    return Bench(by_source, _sum("all", scores), tuple(scores), passed_over)


def share(count: int, of: int) -> Share:
    """A share with its 95 % Wilson interval; 0 to 1 when there is nothing to go by."""
    of = max(of, count)  # more dice can be invented than there are
    if of == 0:
        return Share(0, 0, 0.0, 1.0)
    z = 1.959964
    middle = count / of + z * z / (2 * of)
    spread = z * math.sqrt(count / of * (1 - count / of) / of + (z / (2 * of)) ** 2)
    scale = 1 + z * z / of
    return Share(count, of, max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


def _source(source: Path, name: str, reader: Reader, scratch: Path) -> tuple[list[ImageScore], Counter[str]]:
    images = labels.read_labels(source)
    known = {dice_set.name: dice_set for dice_set in sets.BUILT_IN}
    if any(image.kind == "teach" for image in images):
        taught = re.sub(r"[^a-z0-9_-]", "-", source.name.lower()).lstrip("-_")[:40] or "taught"
        known["roll"] = teach.from_folder(taught, source, scratch).dice_set
    scores: list[ImageScore] = []
    unread: Counter[str] = Counter()
    for image in images:
        if image.kind in known and image.kind != "roll" and (strange := _strange(image, known[image.kind])):
            unread[f"{image.kind} with a die labelled {strange}, as {image.path.name}"] += 1
        elif image.kind in known:
            scores += measure(name, [image], known[image.kind], reader)
        elif image.kind != "teach":
            unread[image.kind] += 1
    return scores, unread


def _strange(image: Labelled, dice_set: sets.DiceSet) -> str:
    """A label that no die of the set can have: nothing that is read would be right. Empty if none."""
    for die in image.dice:
        kinds = [kind for kind in dice_set.kinds if die.die in (None, kind.name)]
        if not kinds or not (die.face is None or any(die.face in kind.faces for kind in kinds)):
            return " ".join(word for word in (die.die, die.face) if word)
    return ""


def _pairs(
    labelled: Sequence[LabelledDie], read: Sequence[Die]
) -> tuple[list[tuple[LabelledDie, Die | None]], list[Die]]:
    """Each label with the die that was read there (or of that face, where the label has no box); the rest."""
    left = list(read)
    pairs: list[tuple[LabelledDie, Die | None]] = []
    for label in labelled:
        near = [die for die in left if _fits(label, die)]
        best = min(near, key=lambda die: _misfit(label, die), default=None)
        if best is not None:
            left.remove(best)
        pairs.append((label, best))
    if any(label.bbox is None for label in labelled):
        pairs, left = _rest_in_order(pairs, left)
    return pairs, left


def _fits(label: LabelledDie, die: Die) -> bool:
    if label.bbox is None:
        return die.face == label.face
    return math.dist(label.bbox.middle, die.bbox.middle) < _NEAR * max(label.bbox.w, label.bbox.h)


def _misfit(label: LabelledDie, die: Die) -> float:
    return -float(die.sure) if label.bbox is None else math.dist(label.bbox.middle, die.bbox.middle)


def _rest_in_order(
    pairs: list[tuple[LabelledDie, Die | None]], left: list[Die]
) -> tuple[list[tuple[LabelledDie, Die | None]], list[Die]]:
    """Labels without boxes that found no die of their face are held against the rest, doubtful ones first."""
    left = sorted(left, key=lambda die: die.sure)
    filled = [
        (label, left.pop(0) if die is None and label.bbox is None and left else die) for label, die in pairs
    ]
    return filled, left


def _scored(label: LabelledDie, die: Die | None) -> Scored:
    if die is None:
        return Scored(Outcome.MISSED, label.face, None, 0.0, label.bbox)
    if not die.sure:
        return Scored(Outcome.ASKED, label.face, die.face, die.confidence, die.bbox)
    right = die.face == label.face and (label.die is None or die.die == label.die)
    right = right and (label.colour is None or die.colour is None or die.colour == label.colour)
    outcome = Outcome.RIGHT if right else Outcome.WRONG
    return Scored(outcome, label.face, die.face, die.confidence, die.bbox)


def _sum(name: str, scores: Sequence[ImageScore]) -> SourceScore:
    outcomes = Counter(die.outcome for one in scores for die in one.dice)
    labelled = sum(outcomes.values()) - outcomes[Outcome.INVENTED]
    dice = {outcome.value: share(outcomes[outcome], labelled) for outcome in Outcome}
    up = [die.outcome for one in scores for die in one.dice if die.face is not None]
    asked = sum(die.face is None and die.outcome is Outcome.ASKED for one in scores for die in one.dice)
    face_up, cocked = share(up.count(Outcome.RIGHT), len(up)), share(asked, labelled - len(up))
    ms = statistics.median_high(one.ms for one in scores)
    whole = share(sum(one.whole for one in scores), len(scores))
    return SourceScore(name, len(scores), dice, face_up, cocked, whole, ms)
