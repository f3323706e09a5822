"""`companion dice`: the camera's side. Read pictures, teach sets, place the camera, measure the reader."""

from __future__ import annotations

import codecs
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click
import msgspec

from companion.cli.common import data_dir, data_option
from companion.cli.lazy import LazyGroup
from companion.engine.files import is_there

if TYPE_CHECKING:
    from vision import DiceSet, Reading


class Request(msgspec.Struct, frozen=True):
    """A line of `dice read -`: a picture, and how many dice of a kind the game waits for."""

    file: str
    expect: dict[str, Annotated[int, msgspec.Meta(ge=0)]] | None = None


class SeenDie(msgspec.Struct, frozen=True, omit_defaults=True):
    """A die as `dice read --json` prints it (design 5.3)."""

    die: str | None
    colour: str | None
    face: str | None
    confidence: float
    bbox: tuple[float, float, float, float]
    sure: bool
    foreign: bool = False


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of `dice read --json`: one picture."""

    file: str
    set: str
    ms: float
    sure: bool
    dice: tuple[SeenDie, ...]
    error: str = ""


ELSEWHERE = {
    "teach": ("dice_teach:teach", "Teach a set its dice, at the tray or from pictures."),
    "check": ("dice_check:check", "Throw known dice and see how often they are read right."),
    "bench": ("dice_bench:bench", "Measure the reader on labelled pictures."),
    "samples": ("dice_samples:samples", "What a set was taught with: list, remove, export, import."),
    "mat": ("dice_tray:mat", "Write the tray's mat, to be printed."),
    "focus": ("dice_tray:focus", "Place camera and light: sharpness, glare, brightness, live."),
}


@click.group(cls=LazyGroup, elsewhere=ELSEWHERE)
def dice() -> None:
    """Read dice, teach new ones, and place the camera."""
    from companion.table.dice import need_opencv

    need_opencv()


def sets_folder(data: Path | None) -> Path:
    """Where taught dice sets are kept; `BadInput` if that can't be looked at."""
    home = data_dir(data) / "dice"
    is_there(home)
    return home


def load_sets(names: Iterable[str], data: Path | None) -> list[DiceSet]:
    """The sets of these names, taught ones first; an unknown name is wrong usage.

    Of one that can't be read until it is taught, and was not, or only half, that is said.
    """
    from companion.table.matching import untaught
    from vision import VisionError, sets

    try:
        loaded = [sets.load(name, sets_folder(data)) for name in names]
    except VisionError as error:
        raise click.UsageError(str(error)) from error
    for one in loaded:
        if why := untaught(one, one.kinds):
            click.echo(why, err=True)
    return loaded


set_option = click.option(
    "--set",
    "set_names",
    multiple=True,
    default=("d6",),
    show_default=True,
    metavar="SET",
    help="Dice in the tray; can be given again.",
)


@dice.command(short_help="Read pictures of dice.")
@click.argument("images", nargs=-1, required=True)
@set_option
@click.option(
    "--expect",
    metavar="DIE=COUNT",
    multiple=True,
    help="How many of a kind should lie there; can be given again.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a picture.")
@data_option
def read(
    images: tuple[str, ...],
    set_names: tuple[str, ...],
    expect: tuple[str, ...],
    as_json: bool,
    data: Path | None,
) -> None:
    """Read IMAGES, or with - the pictures that standard input names, one JSON object a line.

    A picture that can't be read is reported and the others still are; the exit code is then 2.
    """
    counts: dict[str, int] = {}
    for kind, count in map(expected, expect):
        if counts.setdefault(kind, count) != count:
            raise click.UsageError(f"--expect {kind}: it can't be both {counts[kind]} and {count}")
    dice_sets = load_sets(set_names, data)
    for kind in counts:
        if why := no_such(kind, dice_sets):
            raise click.UsageError(f"--expect {kind}: {why}")
    good = True
    for request in requests(images, counts):
        line = read_one(request, dice_sets) if isinstance(request, Request) else request
        if line.error:
            good = False
            click.echo(line.error, err=True)
        if as_json:
            click.echo(msgspec.json.encode(line))
        elif isinstance(request, Request) and not line.error:
            click.echo(in_words(line, request.expect or {}))
    if not good:
        raise click.exceptions.Exit(2)


def expected(text: str) -> tuple[str, int]:
    """`d6=3` as a kind and a count."""
    kind, _, count = text.partition("=")
    if not (kind and count.isdecimal() and len(count) < 5):
        raise click.UsageError(f"--expect {text}: write it as DIE=COUNT, such as d6=3")
    return kind, int(count)


def no_such(kind: str, dice_sets: list[DiceSet]) -> str:
    """Why no die of that kind is ever read; empty where one can be."""
    names = [kind.name for dice_set in dice_sets for kind in dice_set.kinds]
    return "" if kind in names else f"no such die in --set; there are {', '.join(names)}"


def requests(images: tuple[str, ...], counts: dict[str, int]) -> Iterator[Request | Line]:
    """What is to be read, in order; a line of standard input that makes no sense becomes an error's line."""
    for image in images:
        if image != "-":
            yield Request(image, counts)
            continue
        for number, text in enumerate(sys.stdin.buffer if sys.stdin else (), start=1):
            if text.strip():
                yield request_from(text, f"line {number}", counts)


def request_from(text: bytes, place: str, counts: dict[str, int]) -> Request | Line:
    """One line of standard input."""
    try:
        request = msgspec.json.decode(text.removeprefix(codecs.BOM_UTF8), type=Request)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        return failed(place, f'{place} is not {{"file": "x.jpg", "expect": {{"d6": 3}}}}: {error}')
    return Request(request.file, request.expect or counts)


def read_one(request: Request, dice_sets: list[DiceSet]) -> Line:
    """A picture's line; what is wrong with the picture is in `error`."""
    import vision
    from vision import frames

    names = ",".join(dice_set.name for dice_set in dice_sets)
    for kind, count in (request.expect or {}).items():
        if count and (why := no_such(kind, dice_sets)):
            return failed(
                printable(request.file), printable(f"{request.file}: {kind!r} expected: {why}"), names
            )
    try:
        picture = frames.load(Path(request.file))
        reading = vision.read(picture, dice_sets, expect=request.expect or None)
    except vision.VisionError as error:
        problem = str(error) if request.file in str(error) else f"{request.file}: {error}"
        return failed(printable(request.file), printable(problem), names)
    return line_of(printable(request.file), names, reading)


def printable(name: str) -> str:
    """A file's name as text, whatever bytes it is of."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def failed(file: str, error: str, names: str = "") -> Line:
    """The line of a picture that could not be read: nobody is sure of anything in it."""
    return Line(file, names, 0.0, sure=False, dice=(), error=error)


def line_of(file: str, names: str, reading: Reading) -> Line:
    """A reading as a line."""
    seen = tuple(
        SeenDie(
            die=die.die,
            colour=die.colour,
            face=None if die.cocked else die.face,
            confidence=round(die.confidence, 4),
            bbox=(round(die.bbox.x, 1), round(die.bbox.y, 1), round(die.bbox.w, 1), round(die.bbox.h, 1)),
            sure=die.sure,
            foreign=die.foreign,
        )
        for die in reading.dice
    )
    return Line(file, names, round(reading.ms, 2), reading.sure, seen)


def in_words(line: Line, expect: Mapping[str, int]) -> str:
    """A line for a person: faces in the order of the picture, doubtful ones with a question mark.

    Where there are more or fewer dice than expected, that too is said.
    """
    count = Counter(die.die for die in line.dice)
    faces = [die_in_words(die) for die in line.dice if not die.foreign]
    foreign = sum(die.foreign for die in line.dice)
    parts = [
        " ".join(faces) or "no dice",
        *([f"{foreign} foreign"] if foreign else []),
        *(f"{count[kind]} {kind} for {most}" for kind, most in expect.items() if count[kind] != most),
        "sure" if line.sure else "not sure",
    ]
    return f"{line.file}: {', '.join(parts)}"


def die_in_words(die: SeenDie) -> str:
    """`red star`, or `red star? (60 %)` where a person has to look."""
    name = " ".join(word for word in (die.colour, die.face or "cocked") if word)
    return name if die.sure else f"{name}? ({die.confidence:.0%})"
