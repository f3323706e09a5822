"""`companion dice samples`: the pictures that a set was taught with: look at them, remove, share them."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion.cli.common import Place, data_dir, data_option
from companion.cli.dice import sets_folder
from companion.cli.dice_teach import tell
from companion.engine.errors import BadInput
from companion.engine.files import not_own, plain
from companion.wording import counted

if TYPE_CHECKING:
    from vision import DiceSet, DieKind
    from vision.teach import Sample

MEMBER = re.compile(r"set\.json|samples(/[^/\\.][^/\\]*){3}/[0-9a-f]+\.png")
"""What a shared set may hold, so that nothing is ever written elsewhere."""

LARGEST = 2_000_000
"""Bytes of one picture in a shared set."""

MOST = 20_000
"""Pictures in a shared set."""


@click.group()
def samples() -> None:
    """The pictures that a set was taught with."""


@samples.command("list")
@click.argument("set_name", metavar="SET")
@click.option("--files", is_flag=True, help="Each picture's file instead of how many there are of a face.")
@data_option
def list_(set_name: str, files: bool, data: Path | None) -> None:
    """List what SET was taught."""
    from vision import sets

    found = taught_samples(set_name, data)
    if files:
        for sample in found:
            words = filter(None, (sample.die, sample.colour, sample.face))
            click.echo(f"{' '.join(words)}  {sample.file}")
    else:
        tell(sets.load(set_name, sets_folder(data)))
    click.echo(f"{counted(len(found), 'sample')} in {sets_folder(data) / set_name}")


@samples.command(short_help="Remove pictures, or all of a face, colour or die.")
@click.argument("set_name", metavar="SET")
@click.argument("which", nargs=-1, required=True)
@data_option
def remove(set_name: str, which: tuple[str, ...], data: Path | None) -> None:
    """Remove samples of SET: WHICH is a picture's file name, or a face, colour or die for all its pictures.

    Where several dice have the face, it is written with the die's name, such as action/1.
    A face, colour or die that only wrong labels knew is gone with its last picture; of dice that are not
    built in, a face or colour is so when it is named once more.
    """
    from vision import sets, teach

    known = taught_samples(set_name, data)
    dice_set = sets.load(set_name, sets_folder(data))
    meant = {
        word: [one for one in known if one.face == word] or [one for one in known if is_meant(one, word)]
        for word in which
    }
    for word, found in meant.items():
        dice = {one.die for one in found if one.face == word}
        dice |= {kind.name for kind in dice_set.kinds if word in kind.faces}
        if len(dice) > 1:
            several = " or ".join(f"{die}/{word}" for die in sorted(dice))
            raise BadInput(f"several dice have {word}: say {several}")
    empty = {word for word, found in meant.items() if not found}
    ended = names_lost(dice_set, teach.without_slips(dice_set, empty))
    lacking = sorted(word for word in empty if not any(word in (one, one.partition("/")[2]) for one in ended))
    if lacking:
        raise BadInput(f"{set_name} has no sample, face, colour or die called {' or '.join(lacking)}")
    doomed = dict.fromkeys(one for found in meant.values() for one in found)
    try:
        for sample in doomed:
            teach.remove(sample)
        tidy = teach.without_slips(dice_set, empty | ({kind.name for kind in dice_set.kinds} & {*which}))
        gone, again = names_lost(dice_set, tidy), names_lost(tidy, teach.without_slips(tidy, which))
        if gone:
            sets.save(tidy, sets_folder(data))
    except OSError as error:
        raise BadInput(f"{sets_folder(data) / set_name} can't be changed: {error.strerror}") from error
    left = f"; {set_name} has no {' or '.join(gone.values())} any more" if gone else ""
    more = f"; {set_name} has {' and '.join(again.values())} yet: the same again ends that" if again else ""
    click.echo(f"{counted(len(doomed), 'sample')} removed{left}{more}")


@samples.command()
@click.argument("set_name", metavar="SET")
@click.option("--out", type=Place(dir_okay=False), required=True, help="The zip to write.")
@data_option
def export(set_name: str, out: Path, data: Path | None) -> None:
    """Write SET with its samples into one file, to be shared."""
    from vision import FrameError, frames, sets, teach

    not_own(out, data_dir(data))
    folder = sets_folder(data) / set_name
    found = taught_samples(set_name, data)
    try:
        pictures: set[str] = set()  # by what is in them, whatever they were called
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", strict_timestamps=False) as archive:
            archive.write(folder / "set.json", "set.json")
            for sample in found:
                content = frames.stored(sample.file)
                if len(content) > LARGEST:  # one of an earlier version, which kept close-ups in full
                    content = teach.png(frames.decoded(content, str(sample.file)))
                name = f"{teach.name_of(content)}.png"
                path = sample.file.relative_to(folder).with_name(name).as_posix()
                if path not in pictures:
                    archive.writestr(path, content)
                    pictures.add(path)
        sets.write(plain(out), packed.getvalue())  # whole: a full disk leaves an earlier one as it was
    except FrameError as error:
        raise BadInput(str(error)) from error
    except OSError as error:
        raise BadInput(f"{out} can't be written: {error.strerror}") from error
    click.echo(f"{out}: {counted(len(pictures), 'sample')} of {set_name}")


@samples.command("import", short_help="Take in a set that somebody else has taught.")
@click.argument("file", type=Place())
@click.option("--name", "set_name", help="What the set is to be called (else as the file).")
@data_option
def import_(file: Path, set_name: str | None, data: Path | None) -> None:
    """Take in a set that somebody else has taught; dice and samples that are here already stay."""
    from companion.logbook.backup import TORN, unzipped
    from vision import VisionError, sets, teach

    name = set_name or file.stem
    try:
        folder = sets.folder_of(name, sets_folder(data))
    except VisionError as error:
        raise BadInput(f"{error}, or say --name") from error
    try:
        with unzipped(file) as archive:
            kinds, pictures = checked(archive, file)
            joined = teach.joined(name, kinds, sets_folder(data))
            check_faces(joined.kinds, pictures)
            try:
                with teach.all_or_none(name, sets_folder(data)) as home:
                    for picture in pictures:
                        sets.write(folder / picture, archive.read(picture))
                    joined = teach.joined(name, kinds, home)  # as it is by now
                    known = sets.save(joined, home)  # last: no face without its pictures
            except OSError as error:  # of our disk: the file was read in full
                raise BadInput(f"{folder} can't be changed: {error.strerror}") from error
    except TORN as error:
        raise BadInput(
            f"{file}: {error}; companion dice samples export writes what is taken in here"
        ) from error
    except (VisionError, OSError) as error:
        raise BadInput(f"{file}: {getattr(error, 'strerror', None) or error}") from error
    click.echo(f"{name}: {counted(len(teach.samples(known)), 'sample')}")


def checked(archive: zipfile.ZipFile, file: Path) -> tuple[tuple[DieKind, ...], list[str]]:
    """A shared set's dice, and the paths of its samples; `BadInput` for a file with anything else in it.

    A set or picture in it that can't be read, and would make all of the set unreadable, is a VisionError.
    """
    from vision import frames, sets

    members = [info for info in archive.infolist() if not info.filename.endswith("/")]
    for info in members:
        is_ours = MEMBER.fullmatch(info.filename) and info.filename.isprintable()  # no orders to a terminal
        if not is_ours or info.file_size > LARGEST:
            raise BadInput(f"{file}: {info.filename!r} is nothing that belongs to a dice set")
    if len(members) > MOST or "set.json" not in archive.namelist():
        raise BadInput(f"{file} is no dice set: companion dice samples export writes one")
    kinds = sets.parsed(archive.read("set.json"), file / "set.json")
    pictures = [info.filename for info in members if info.filename != "set.json"]
    for picture in pictures:
        frames.decoded(archive.read(picture), picture)
    return kinds, pictures


def check_faces(kinds: Iterable[DieKind], pictures: Iterable[str]) -> None:
    """Raise DiceSetError for pictures, by their paths, of faces that no die of its kind can show."""
    from vision import sets

    shown: dict[str, dict[str, None]] = {}
    for picture in pictures:
        _, die, _, face, _ = picture.split("/")
        shown.setdefault(die, {})[face] = None
    for kind in kinds:
        faces = dict.fromkeys(kind.faces) | shown.get(kind.name, {})
        sets.checked(msgspec.structs.replace(kind, faces=tuple(faces)))


def taught_samples(set_name: str, data: Path | None) -> tuple[Sample, ...]:
    """The samples of a taught set; `BadInput` where there are none."""
    from vision import VisionError, sets, teach

    try:
        found = teach.samples(sets.load(set_name, sets_folder(data)))
    except VisionError as error:
        raise BadInput(str(error)) from error
    if not found:
        raise BadInput(f"{set_name} has not been taught: companion dice teach {set_name}")
    return found


def names_lost(before: DiceSet, after: DiceSet) -> dict[str, str]:
    """The dice (`action`), and faces and colours of dice (`action/1`), that a set has no more, in words."""
    left = {kind.name: kind for kind in after.kinds}
    lost = {kind.name: f"die {kind.name}" for kind in before.kinds if kind.name not in left}
    having = Counter(word for kind in before.kinds for word in (*kind.faces, *kind.colours))
    for kind in before.kinds:
        still = left.get(kind.name, kind)
        gone = [("face", face) for face in kind.faces if face not in still.faces]
        gone += [("colour", colour) for colour in kind.colours if colour not in still.colours]
        for what, word in gone:
            name = f"{kind.name}/{word}"
            lost[name] = f"{what} {name if having[word] > 1 else word}"
    return lost


def is_meant(sample: Sample, word: str) -> bool:
    """Whether a file, with or without its ending, a path, die, colour, or face of a die is this sample's."""
    names = {sample.file.name, sample.file.stem, sample.die, f"{sample.die}/{sample.face}"}
    if sample.colour is not None:
        names |= {sample.colour, f"{sample.die}/{sample.colour}"}
    return word in names or Path(word).absolute() == sample.file.absolute()
