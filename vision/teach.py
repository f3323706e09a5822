"""Teaching a dice set: samples are pictures of dice, kept where they can be looked at, removed and shared.

A set's folder holds `set.json` and `samples/DIE/COLOUR/FACE/*.png` (`any` for no colour). A sample is a
square cut round one die, half as wide again as its box, so that it can be read as if it lay in a tray.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vision import frames, sets
from vision.errors import DiceSetError, FrameError, LabelError
from vision.labels import read_labels

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from vision.frames import Frame
    from vision.labels import Labelled, LabelledDie
    from vision.reading import Box
    from vision.taught import Confusion

ROOM = 1.5  # a sample's side, in sides of its die
LARGEST = 600  # pixels of its side: looked at in full, one of a close-up photograph would take minutes
ENOUGH = 2  # samples of a face from which on a die may be read by them


class Sample(msgspec.Struct, frozen=True):
    """One picture of one die with a known face up."""

    die: str
    colour: str | None
    face: str
    file: Path


class Lesson(msgspec.Struct, frozen=True):
    """What a set learnt: the set as it is now, and the samples that came in."""

    dice_set: sets.DiceSet
    samples: tuple[Sample, ...]


def samples(dice_set: sets.DiceSet) -> tuple[Sample, ...]:
    """The samples that a set was taught with, in the order of their names; hidden files are none."""
    if dice_set.taught is None:
        return ()
    files = sorted((Path(dice_set.taught) / "samples").glob("[!.]*/[!.]*/[!.]*/[!.]*.png"))
    return tuple(_sample(file) for file in files)


def complete(dice_set: sets.DiceSet) -> frozenset[str]:
    """The kinds of a set that were taught in full: each face from at least two pictures."""
    counts = Counter((sample.die, sample.face) for sample in samples(dice_set))
    return frozenset(
        kind.name for kind in dice_set.kinds if all(counts[kind.name, face] >= ENOUGH for face in kind.faces)
    )


def changed(dice_set: sets.DiceSet) -> frozenset[Path]:
    """What is another whenever samples were added or removed, by whatever hand: their files."""
    return frozenset(sample.file for sample in samples(dice_set))


def keep(frame: Frame, bbox: Box, die: str, colour: str | None, face: str, *, set_folder: Path) -> Sample:
    """Cut one die out of a frame and keep it as a sample of that face."""
    return _stored(_png(frame, bbox), die, colour, face, set_folder)


def _png(frame: Frame, bbox: Box) -> bytes:
    """One die, cut out of a frame."""
    frames.check(frame)
    return png(cut(frame, bbox))


def png(picture: Frame) -> bytes:
    """A sample's picture as it is stored."""
    import cv2

    done, content = cv2.imencode(".png", small(picture))
    assert done
    return content.tobytes()


def small(picture: Frame) -> Frame:
    """A sample's picture at the size at which it is looked at."""
    return frames.shrunk(picture, min(1.0, LARGEST / max(picture.shape[:2])))


def _stored(content: bytes, die: str, colour: str | None, face: str, set_folder: Path) -> Sample:
    """A picture of a die as a sample of that face."""
    sets.check_names(die, colour or sets.ANY, face)
    file = set_folder / "samples" / die / (colour or sets.ANY) / face / f"{name_of(content)}.png"
    sets.write(file, content)
    return Sample(die, colour, face, file)


def name_of(content: bytes) -> str:
    """What a sample of this content is called: the same picture twice is one sample."""
    return hashlib.sha256(content).hexdigest()[:12]


def remove(sample: Sample) -> None:
    """Forget one sample, which may have been removed by hand already."""
    sample.file.unlink(missing_ok=True)


def cut(frame: Frame, bbox: Box) -> Frame:
    """The square round a die, `ROOM` times its longer side; beyond the frame, its edge goes on."""
    import cv2

    height, width = frame.shape[:2]
    if not all(map(math.isfinite, bbox)) or max(bbox.w, bbox.h) > 2 * max(width, height):
        raise FrameError(f"the box {tuple(bbox)} is of no die in a frame of {width}x{height}")
    side = max(8, round(max(bbox.w, bbox.h) * ROOM))
    left, top = round(bbox.x + (bbox.w - side) / 2), round(bbox.y + (bbox.h - side) / 2)
    x0, x1, y0, y1 = max(0, left), min(width, left + side), max(0, top), min(height, top + side)
    if x0 >= x1 or y0 >= y1:
        raise FrameError(f"the box {tuple(bbox)} lies outside of the frame of {width}x{height}")
    borders = (y0 - top, top + side - y1, x0 - left, left + side - x1)
    return cv2.copyMakeBorder(frame[y0:y1, x0:x1], *borders, cv2.BORDER_REPLICATE).astype("uint8", copy=False)


def from_folder(name: str, folder: Path, data_dir: Path, *, replace: bool = False) -> Lesson:
    """Teach a set from the `teach` images of a labelled folder; its other images are passed over.

    A set that nobody knows is made of the dice, colours and faces in the labels. With `replace`, what was
    taught before is forgotten, once all pictures could be read. Raises LabelError for labels that can't be
    understood or teach nothing, FrameError for a picture that can't be read; nothing has changed then. A disk
    that takes no more is an OSError, and what was taught before is there as it was.
    """
    images = [image for image in read_labels(folder) if image.kind == "teach"]
    dice = [die for image in images for die in image.dice if die.face is not None and die.bbox is not None]
    if not dice:
        raise LabelError(
            f"{folder} has no image of kind 'teach' with boxes and faces; there is nothing to learn"
        )
    set_folder = sets.folder_of(name, data_dir)
    cuts = [one for image in images for one in _cuts(image, name)]
    grown = _grown(_known(name, None if replace else data_dir), dice, cuts)
    with anew(name, data_dir) if replace else all_or_none(name, data_dir) as room:
        kept = [_stored(*one, sets.folder_of(name, room)) for one in cuts]
        grown = joined(name, grown.kinds, room)  # with what others have taught it by now
        sets.save(grown, room)  # last: a face without a picture would leave its dice half taught
    learnt = (msgspec.structs.replace(one, file=data_dir / one.file.relative_to(room)) for one in kept)
    return Lesson(msgspec.structs.replace(grown, taught=str(set_folder)), tuple(dict.fromkeys(learnt)))


def joined(name: str, kinds: tuple[sets.DieKind, ...], data_dir: Path) -> sets.DiceSet:
    """The set of that name with dice that somebody else has, each with the faces and colours of both.

    One that is here and can't be read counts for nothing. Raises DiceSetError for dice that have other marks.
    """
    try:
        here = _known(name, data_dir)
    except DiceSetError:
        here = sets.DiceSet(name, ())
    own = {kind.name: kind for kind in here.kinds}
    for kind in kinds:
        known = own.get(kind.name, kind)
        if known.marks is not kind.marks:
            raise DiceSetError(
                f"die {kind.name!r} has {kind.marks.value} there, but {known.marks.value} here"
            )
        own[kind.name] = _with(known, kind.faces, kind.colours)
    return sets.DiceSet(name, tuple(own.values()))


def without_slips(dice_set: sets.DiceSet, named: Collection[str]) -> sets.DiceSet:
    """The set without what wrong labels left: faces and colours, and whole dice, that no sample shows.

    Of a die that the set was built with these are all other faces and colours; of one that was only taught
    they are what is `named`, as `1` or `action/1`, since what has no samples may be still to be taught. The
    last die stays, and the last face of a die.
    """
    found = samples(dice_set)
    dice = {sample.die for sample in found}
    shown = {(sample.die, word) for sample in found for word in (sample.face, sample.colour)}
    built = {kind.name: kind for one in sets.BUILT_IN if one.name == dice_set.name for kind in one.kinds}

    def is_slip(kind: sets.DieKind, word: str, own: Collection[str]) -> bool:
        if (kind.name, word) in shown:
            return False
        if kind.name in built:
            return word not in own
        return word in named or f"{kind.name}/{word}" in named

    def left(kind: sets.DieKind) -> sets.DieKind:
        of = built.get(kind.name, sets.DieKind(kind.name, kind.marks, ()))
        faces = tuple(face for face in kind.faces if not is_slip(kind, face, of.faces))
        supply = tuple(s for s in kind.supply if s.colour is None or not is_slip(kind, s.colour, of.colours))
        return sets.DieKind(kind.name, kind.marks, faces or kind.faces, supply or of.supply)

    kinds = tuple(
        left(kind)
        for kind in dice_set.kinds
        if kind.name in built or kind.name in dice or kind.name not in named
    )
    return sets.DiceSet(dice_set.name, kinds or dice_set.kinds, dice_set.taught)


def confusions(dice_set: sets.DiceSet) -> tuple[Confusion, ...]:
    """Each sample read with the help of all the others: which faces are taken for which, the worst first."""
    from vision.reader import Reader

    gallery = Reader().gallery(dice_set)
    return gallery.confusions() if gallery else ()


@contextlib.contextmanager
def all_or_none(name: str, data_dir: Path) -> Iterator[Path]:
    """The folder of sets to teach this one in; a disk that takes no more has none of the new samples then.

    Else they would fill it, and of a set that is not written yet nobody could list or remove them.
    """
    taught = sets.DiceSet(name, (), str(sets.folder_of(name, data_dir)))
    before = changed(taught)
    try:
        yield data_dir
    except OSError:
        for file in changed(taught) - before:
            file.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def anew(name: str, data_dir: Path) -> Iterator[Path]:
    """A folder of sets to teach this one in; at the end that takes the place of what it was taught before.

    Where it can't be written, as on a full disk, what was taught before stays.
    """
    room = data_dir / f".{name}.new"
    taught, new, before = sets.folder_of(name, data_dir), sets.folder_of(name, room), room / ".before"

    def clear() -> None:
        sets.put_back(data_dir)
        shutil.rmtree(room, ignore_errors=True)

    with sets.taught_by_nobody_else(name, data_dir):
        clear()
        try:
            yield room
            with sets.alone(data_dir):
                if taught.is_dir():
                    taught.rename(before)
                new.rename(taught)
            sets.sync(data_dir)
        finally:
            clear()


def _cuts(image: Labelled, name: str) -> Iterator[tuple[bytes, str, str | None, str]]:
    """The dice of a labelled picture that show something, as they are to be stored."""
    frame = frames.load(image.path)
    for die in image.dice:
        if die.face is not None and die.bbox is not None:
            if max(die.bbox.w, die.bbox.h) > max(frame.shape[:2]):
                raise FrameError(f"{image.path}: the box {tuple(die.bbox)} is larger than the picture")
            try:
                picture = _png(frame, die.bbox)
            except FrameError as error:
                raise FrameError(f"{image.path}: {error}") from error
            yield picture, die.die or name, die.colour, die.face


def _known(name: str, data_dir: Path | None) -> sets.DiceSet:
    return sets.load(name, data_dir) if name in sets.names(data_dir) else sets.DiceSet(name, ())


def _grown(
    dice_set: sets.DiceSet, dice: list[LabelledDie], cuts: list[tuple[bytes, str, str | None, str]]
) -> sets.DiceSet:
    """The set with the kinds, faces and colours of these dice, which look as in these cuts, added to it."""
    kinds = {kind.name: kind for kind in dice_set.kinds}
    for name in dict.fromkeys(die.die or dice_set.name for die in dice):
        ours = [die for die in dice if (die.die or dice_set.name) == name]
        faces = tuple(dict.fromkeys(die.face for die in ours if die.face is not None))
        colours = tuple(dict.fromkeys(die.colour for die in ours if die.colour is not None))
        pictures = [picture for picture, die, _, _ in cuts if die == name]
        kind = kinds.get(name) or _new_kind(name, faces, pictures)
        kinds[name] = sets.checked(_with(kind, faces, colours))
    return sets.DiceSet(dice_set.name, tuple(kinds.values()), dice_set.taught)


def _with(kind: sets.DieKind, faces: tuple[str, ...], colours: tuple[str, ...]) -> sets.DieKind:
    all_faces = tuple(dict.fromkeys((*kind.faces, *faces)))
    new = tuple(sets.Supply(colour) for colour in colours if colour not in kind.colours)
    known = tuple(supply for supply in kind.supply if supply.colour is not None or not new)
    return sets.DieKind(kind.name, kind.marks, all_faces, (*known, *new))


def _new_kind(name: str, faces: tuple[str, ...], pictures: list[bytes]) -> sets.DieKind:
    for dice_set in sets.BUILT_IN:
        for kind in dice_set.kinds:
            if kind.name == name:
                return kind
    return sets.DieKind(name, _marks(faces, pictures), ())


def _marks(faces: tuple[str, ...], pictures: list[bytes]) -> sets.Marks:
    """What is on a die with these faces that looks so: pips, numerals and symbols may be called by digits."""
    if not set(faces) <= set("0123456789"):
        return sets.Marks.SYMBOLS
    if "0" in faces:
        return sets.Marks.NUMERALS
    from vision.reader import Reader

    seen = Reader().marks(frames.decoded(picture, "a sample") for picture in pictures)
    return sets.Marks.SYMBOLS if seen is sets.Marks.PIPS and not set(faces) <= set("123456") else seen


def _sample(file: Path) -> Sample:
    die, colour, face = file.parts[-4:-1]
    return Sample(die, None if colour == sets.ANY else colour, face, file)
