"""Dice sets: which dice a tray may hold, what is on their faces, and where taught samples lie."""

import enum
import fcntl
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from stat import S_ISREG

import msgspec

from vision.errors import DiceSetError


class Marks(enum.Enum):
    """What is on the faces of a die, which decides who can read it."""

    PIPS = "pips"
    NUMERALS = "numerals"
    SYMBOLS = "symbols"


class Supply(msgspec.Struct, frozen=True):
    """How many dice of one colour (None: any colour) the tray may hold (None: any number)."""

    colour: str | None = None
    count: int | None = None


class DieKind(msgspec.Struct, frozen=True):
    """One kind of die: its faces, and the colours and numbers in which the set holds it."""

    name: str
    marks: Marks
    faces: tuple[str, ...]
    supply: tuple[Supply, ...] = (Supply(),)

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours that tell dice of this kind apart; empty where colour means nothing."""
        return tuple(supply.colour for supply in self.supply if supply.colour is not None)


class DiceSet(msgspec.Struct, frozen=True):
    """The dice that a game throws. `taught` is the folder of its taught samples, None without any."""

    name: str
    kinds: tuple[DieKind, ...]
    taught: str | None = None


_D6 = tuple("123456")
_D10 = tuple("0123456789")
_DDAY = ("skull", "star", "soldier", "soldiers", "courage", "tool")
_TWO_EACH = tuple(Supply(colour, 2) for colour in ("red", "white", "blue"))

BUILT_IN: tuple[DiceSet, ...] = (
    DiceSet("d6", (DieKind("d6", Marks.PIPS, _D6),)),
    DiceSet("d6num", (DieKind("d6num", Marks.NUMERALS, _D6),)),
    DiceSet("d10", (DieKind("d10", Marks.NUMERALS, _D10),)),
    DiceSet(
        "okinawa",
        (
            DieKind("action", Marks.NUMERALS, tuple("1234"), (Supply(None, 6),)),
            DieKind("d10", Marks.NUMERALS, _D10, (Supply("red", 6), Supply("black", 1))),
        ),
    ),
    DiceSet("dday", (DieKind("dday", Marks.SYMBOLS, _DDAY, _TWO_EACH),)),
)

_SHOWN = {Marks.PIPS: _D6, Marks.NUMERALS: _D10}
"""The faces that are read untaught; on a die with other ones all faces have to be symbols."""

ANY = "any"
"""Where samples lie of dice whose colour means nothing."""

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
SET_FILE = "set.json"


def names(data_dir: Path | None = None) -> tuple[str, ...]:
    """The sets that `load` knows: built in, then taught, each once."""
    known = {dice_set.name: None for dice_set in BUILT_IN}
    if data_dir is not None:
        with suppress(OSError):
            put_back(data_dir)
        known |= {file.parent.name: None for file in sorted(data_dir.glob(f"*/{SET_FILE}"))}
    return tuple(known)


def load(name: str, data_dir: Path | None = None) -> DiceSet:
    """The set of that name; what was taught in `data_dir` wins over what is built in.

    Raises DiceSetError for a name that nobody knows, or a set file that can't be read.
    """
    if data_dir is not None:
        taught = folder_of(name, data_dir)
        with suppress(OSError):
            put_back(data_dir)
        try:
            is_taught = S_ISREG((taught / SET_FILE).stat().st_mode)
        except (FileNotFoundError, NotADirectoryError, ValueError):
            is_taught = False
        except OSError as error:  # closed to us, or too long a name
            raise DiceSetError(f"{taught} can't be looked at: {error.strerror}") from error
        if is_taught:
            return _stored(taught)
    for dice_set in BUILT_IN:
        if dice_set.name == name:
            return dice_set
    raise DiceSetError(f"no dice set {name!r}; there are {', '.join(names(data_dir))}; teach a new one first")


def save(dice_set: DiceSet, data_dir: Path) -> DiceSet:
    """Keep the set in its folder of `data_dir`, and return it with that folder."""
    folder = folder_of(dice_set.name, data_dir)
    write(folder / SET_FILE, msgspec.json.format(msgspec.json.encode(dice_set.kinds), indent=2))
    return DiceSet(dice_set.name, dice_set.kinds, str(folder))


def write(file: Path, content: bytes) -> None:
    """Write a file whole or not at all, synced: half a picture or set would make its whole set unreadable."""
    make_folder(file.parent)
    part = file.with_name(f"{file.name}.part")
    try:
        with part.open("wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())  # a name without its content is what a power cut leaves else
        hand_over(part)
        part.replace(file)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    sync(file.parent)  # or the name is gone after a power cut


def make_folder(folder: Path) -> None:
    """See to it that a folder is there; what root makes belongs to whose folder it is made in."""
    new = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for place in reversed(new):
        hand_over(place)


def hand_over(place: Path) -> None:
    """Let what root made belong to whom the folder does that it lies in; others can't."""
    with suppress(OSError):
        owner = place.parent.stat()
        os.chown(place, owner.st_uid, owner.st_gid, follow_symlinks=False)


def sync(folder: Path) -> None:
    """See to it that the names in a folder are on disk."""
    names = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(names)
    finally:
        os.close(names)


def folder_of(name: str, data_dir: Path) -> Path:
    """Where a set keeps its samples; DiceSetError for a name that is not a plain word."""
    if not _NAME.fullmatch(name):
        raise DiceSetError(f"{name!r} can't name a dice set: use small letters, digits, - and _")
    return data_dir / name


def put_back(data_dir: Path) -> None:
    """Put what sets were taught back in its place, where `teach.anew` was cut off between two names."""
    for before in data_dir.glob(".*.new/.before"):
        taught = data_dir / before.parent.name.removeprefix(".").removesuffix(".new")
        with alone(data_dir):  # another process may be between the two names this very moment
            if before.is_dir() and not taught.is_dir():
                before.rename(taught)


@contextmanager
def alone(place: Path, how: int = fcntl.LOCK_EX) -> Iterator[None]:
    """Change what that folder or file stands for while no other process does."""
    lock = os.open(place, os.O_RDONLY)
    try:
        fcntl.flock(lock, how)
        yield
    finally:
        os.close(lock)


@contextmanager
def taught_by_nobody_else(name: str, data_dir: Path) -> Iterator[None]:
    """Teach a set anew while no other process does; DiceSetError where one is at it."""
    lock = data_dir / f".{name}.lock"
    make_folder(data_dir)
    lock.touch()
    with ExitStack() as held:
        try:
            held.enter_context(alone(lock, fcntl.LOCK_EX | fcntl.LOCK_NB))
        except BlockingIOError as error:
            raise DiceSetError(f"{name} is being taught anew elsewhere; repeat when that is done") from error
        held.callback(lock.unlink, missing_ok=True)
        yield


def together(sets: DiceSet | str | Iterable[DiceSet | str]) -> tuple[DiceSet, ...]:
    """One set or several, as several; a name means what `load` has built in.

    DiceSetError when there is none, for a name that nobody knows, or for dice that there can't be.
    """
    several = (sets,) if isinstance(sets, DiceSet | str) else tuple(sets)
    if not several:
        raise DiceSetError("no dice set was given; name at least one")
    found = tuple(load(one) if isinstance(one, str) else one for one in several)
    for one in found:
        all_checked(one.kinds)
    return found


def all_checked(kinds: tuple[DieKind, ...]) -> tuple[DieKind, ...]:
    """The same kinds, each of them `checked`; DiceSetError too where there are none, or one without faces."""
    if not kinds or not all(kind.faces for kind in kinds):
        raise DiceSetError("dice without faces, or none")
    return tuple(map(checked, kinds))


def checked(kind: DieKind) -> DieKind:
    """The same kind; DiceSetError where it has faces that no die with its marks can have, or unfit names."""
    check_names(kind.name, *kind.faces, *kind.colours)
    if ANY in kind.colours:
        raise DiceSetError(
            f"{ANY!r} is no colour of die {kind.name!r}: leave it out where colours mean nothing"
        )
    known = _SHOWN.get(kind.marks, ())
    strange = [face for face in kind.faces if known and face not in known]
    if strange:
        raise DiceSetError(
            f"die {kind.name!r} with {kind.marks.value} can't show {', '.join(strange)}: "
            f"its faces are {known[0]} to {known[-1]}"
        )
    return kind


def check_names(*words: str) -> None:
    """Raise DiceSetError unless each of these can name a die, colour or face."""
    for word in words:
        if not word.isprintable() or word[:1] in ("", ".") or "/" in word or "\\" in word:
            raise DiceSetError(f"{word!r} can't name a die, colour or face: it must serve as a folder's name")


def parsed(content: bytes, file: Path) -> tuple[DieKind, ...]:
    """The kinds of dice that a set's `file` with this content tells of; DiceSetError if it tells of none."""
    try:
        return all_checked(msgspec.json.decode(content, type=tuple[DieKind, ...]))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, DiceSetError) as error:
        raise DiceSetError(f"{file} can't be read ({error}); teach the set again") from error


def _stored(folder: Path) -> DiceSet:
    file = folder / SET_FILE
    try:
        content = file.read_bytes()
    except OSError as error:
        raise DiceSetError(f"{file} can't be read ({error}); teach the set again") from error
    try:
        kinds = parsed(content, file)
    except DiceSetError as error:
        faces = "" if any(one.name == folder.name for one in BUILT_IN) else " --faces"
        raise DiceSetError(f"{error}: companion dice teach {folder.name} --replace{faces}") from error
    return DiceSet(folder.name, kinds, str(folder))
