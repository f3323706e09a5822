"""What several commands need: where data lies, the journal, a game with its packs.

The engine is imported where it is used: `companion box` has its options from here, and its help needs none.
"""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeVar

import click
from click.types import StringParamType

if TYPE_CHECKING:
    from companion.engine.game import Game
    from companion.engine.journal import Journal
    from companion.engine.packs import Merged
    from companion.engine.records import Meta


class Named(StringParamType):
    """The name of a file, device or pack; an empty one, as of a variable that is not set, names none."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return value or self.fail(EMPTY, param, ctx)


class Place(click.Path):
    """A file or folder; an empty name, for Python the current folder, names none, nor does `-`."""

    def __init__(self, *, dir_okay: bool = True, allow_dash: bool = False, readable: bool = True) -> None:
        super().__init__(path_type=Path, dir_okay=dir_okay, allow_dash=allow_dash, readable=readable)

    def convert(
        self, value: str | os.PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | os.PathLike[str]:
        if self.dir_okay and os.fspath(value) == "-":
            self.fail("- is no folder: name one", param, ctx)
        return super().convert(value, param, ctx) if os.fspath(value) else self.fail(EMPTY, param, ctx)


_C = TypeVar("_C", bound=Callable[..., object])


def game_argument(*, required: bool = True) -> Callable[[_C], _C]:
    """The argument for a game, whose name may be typed with capitals or as its beginning."""
    return click.argument("game", required=required, type=Named(), callback=_as_known)


def _as_known(_: click.Context, __: click.Parameter, typed: str | None) -> str | None:
    from companion.games import meant

    return typed and meant(typed)


FILE_OR_DASH = Place(dir_okay=False, allow_dash=True)
"""What is written may go to standard output too."""

EMPTY = "it is empty: name one"

data_option = click.option(
    "--data",
    type=Place(readable=False),  # what to do about one that is closed is said where it is opened
    metavar="DIR",
    help="Where sessions and your packs are kept (else $COMPANION_DATA, else the platform's place).",
)
session_argument = click.argument("session", required=False, type=Named())
packs_option = click.option(
    "--pack",
    "packs",
    multiple=True,
    type=Named(),
    metavar="NAME",
    help="A pack more, by its name (see companion pack list) or its file; can be given again.",
)
CAMERAS = (
    "Camera number, device, csi, film, picture or folder of pictures; with @180 behind it where it hangs "
    "upside down (or @90, @270: clockwise)"
)
"""What `--camera` takes."""

scenario_option = click.option(
    "--scenario", default="", help="Which mission, map or scenario (see companion games GAME)."
)
pairs_option = click.option(
    "--set",
    "pairs",
    multiple=True,
    metavar="KEY=VALUE",
    help="An option of the game's own; can be given again.",
)


def data_dir(given: Path | None) -> Path:
    """The data directory; an empty `COMPANION_DATA` is as good as none. `BadInput` if there can't be one."""
    from companion.engine.errors import BadInput

    if named := given or os.environ.get("COMPANION_DATA"):
        try:
            Path(named).absolute()
        except FileNotFoundError as error:
            raise BadInput(f"{named}: the folder that you are in was deleted; go to another") from error
        return Path(named)
    import platformdirs

    try:
        return platformdirs.user_data_path("companion", appauthor=False)
    except RuntimeError as error:
        raise BadInput("no HOME is set: --data DIR or COMPANION_DATA names the place of sessions") from error


def is_terminal(stream: IO[str] | None) -> bool:
    """Whether a person is at the other end; not where the stream was closed before the start."""
    return stream is not None and stream.isatty()


def draws(stream: IO[str] | None) -> bool:
    """Whether a full screen can be drawn at the other end: a terminal, and none that only prints lines."""
    return is_terminal(stream) and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")


MEMORY = Path("/dev/shm")  # noqa: S108  # what is made there is a folder of its own
"""Where Linux keeps files in memory."""

COPIES = 9
"""How often a journal is copied at most that changes meanwhile; what is torn then is mended in the copy."""


@contextmanager
def open_journal(given: Path | None) -> Iterator[Journal]:
    """The journal of that data directory; a salvage is told on stderr, at the end where reading led to it."""
    from companion.engine.journal import Journal

    with Journal(data_dir(given)) as journal:
        if (told := journal.salvaged) is not None:
            click.echo(f"companion: {told}", err=True)
        try:
            yield journal
        finally:
            if journal.salvaged not in (None, told):
                click.echo(f"companion: {journal.salvaged}", err=True)


@contextmanager
def begun_journal(given: Path | None) -> Iterator[Journal]:
    """The journal of that data directory; an empty one, kept nowhere, where none was begun there.

    So a command for a session that is there already makes nothing where there is none, as where the folder's
    name is mistyped.
    """
    with ExitStack() as stack:
        folder = data_dir(given)
        if not _is_begun(folder):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=_room())))
        yield stack.enter_context(open_journal(folder))


@contextmanager
def read_journal(given: Path | None) -> Iterator[Journal]:
    """The journal to read from; of a disk that takes no writes, as a failing card's, a copy of it.

    So too of another user's, who lets others read but not write it.
    Where there is none yet, or the folder's name is mistyped, none is made: what is read is empty.
    Where it was being mended when the disk failed, the mended file is copied: the other may be aside already.
    So too where a disk is so full that SQLite has not the room which it wants for reading.
    """
    from companion.engine.errors import JournalError
    from companion.engine.files import is_full, is_read_only, is_shut

    folder = data_dir(given)
    if not _is_begun(folder):
        with begun_journal(given) as nothing:
            yield nothing
        return
    why = "is on a disk that takes no writes"
    if not (is_read_only(folder) or is_shut(folder)):
        with ExitStack() as stack:
            try:
                journal = stack.enter_context(open_journal(given))
            except JournalError:
                if _may_only_read(folder):
                    why = "is not yours to write"
                elif not is_full(folder):
                    raise
            else:
                yield journal
                return
    click.echo(f"companion: {folder} {why}; this is read from a copy", err=True)
    with ExitStack() as stack:
        try:
            room = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=_room())))
            _copy_journal(folder, room)
        except OSError as error:
            advice = "; restart this machine, then try again" if is_shut(folder) else ""
            raise JournalError(
                f"{folder}: sessions can't be copied to be read: {error.strerror}{advice}"
            ) from error
        yield stack.enter_context(open_journal(room))


def _may_only_read(folder: Path) -> bool:
    """Whether all of a journal may be read, but not all be written, as another user's."""
    files = [folder, *folder.glob("journal.*"), *folder.glob("opening.*")]
    return all(os.access(one, os.R_OK) for one in files) and not all(os.access(one, os.W_OK) for one in files)


def _copy_journal(folder: Path, room: Path) -> None:
    """Put what can be read of a folder's journal into another: the mended file, else the file and its log.

    Both as of one moment: whose it is may play on meanwhile.
    """
    from companion.engine.database import FILE, mended
    from companion.engine.files import mark
    from companion.engine.salvage import readable

    path = Path(os.path.realpath(folder / FILE))  # a log lies beside what a link leads to
    waiting, log = mended(path), path.with_name(f"{path.name}-wal")
    parts = {"": waiting} if waiting.exists() else {"": path, "-wal": log}
    for _ in range(COPIES):
        before = [mark(part) for part in parts.values()]
        for ending, part in parts.items():
            with (room / f"{FILE}{ending}").open("wb") as copy:
                copy.writelines(readable(part))
        if before == [mark(part) for part in parts.values()]:
            return


def _is_begun(folder: Path) -> bool:
    """Whether there is a journal, be it damaged or half mended; `BadInput` if that can't be looked at."""
    from companion.engine.files import is_there

    if not is_there(folder):
        return False
    try:
        return any(file.name.startswith(("journal.", "opening.")) for file in folder.iterdir())
    except OSError:  # said by the journal
        return True


def _room() -> str | Path:
    """Where passing files can be: a card that takes no writes often has the usual folders for them too."""
    from companion.engine.files import is_full

    try:
        usual = tempfile.gettempdir()
    except FileNotFoundError:
        return MEMORY
    return MEMORY if is_full(Path(usual)) and MEMORY.is_dir() else usual


def session_of(journal: Journal, name: str | None, data: Path | None) -> Meta:
    """The session of that id or beginning of an id, else the one played last; `BadInput` if there is none."""
    from companion.engine.errors import BadInput

    if name:
        return journal.session(name)
    metas = journal.played()
    if not metas:
        raise BadInput(f"no sessions yet in {data_dir(data)}; companion play begins one")
    return metas[-1]


def owner_packs(data: Path | None, game: str) -> Path:
    """Where the owner's packs of a game lie; `BadInput` if that can't be looked at."""
    from companion.engine.files import is_there

    folder = data_dir(data) / "packs" / game
    is_there(folder)
    return folder


def game_or_none(name: str) -> Game | None:
    """The game if it is installed: sessions outlive games."""
    from companion.engine.errors import BadInput
    from companion.games import load

    try:
        return load(name)
    except BadInput:
        return None


def merged_packs(game: Game, data: Path | None, names: Iterable[str] = ()) -> Merged:
    """The packs that a game is played with."""
    from companion.engine.packs import find, merge

    return merge(game.name, find(game.folder, owner_packs(data, game.name), names))


def mending(error: Exception) -> str:
    """What to do about an error of a pack, nothing of any other."""
    from companion.engine.errors import PackError

    if not isinstance(error, PackError) or not (error.is_torn or error.record):
        return ""
    if not error.record:
        return "; mend it there or move it away"
    other = "take it out with companion pack forget" if error.is_torn else "with companion pack edit"
    return f"; mend it there or {other} {shlex.quote(error.record)}"


def mending_all(error: Exception) -> str:
    """The same, and where it is told what else is wrong in the packs."""
    more = len(getattr(error, "rest", ()))
    return mending(error) + (f"; companion pack check tells {more} more" if more else "")


def settings(game: Game, pairs: Iterable[str]) -> dict[str, str]:
    """`--set KEY=VALUE` options as a mapping; `BadInput` for one without `=` or with two values.

    And for one that is no option of the game but of the command.
    """
    from companion.engine.errors import BadInput

    options = {opt: one for one in click.get_current_context().command.params for opt in one.opts}
    own = {one.name for one in game.settings}
    found: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        key, value = key.strip(), value.strip()
        if not (key and equals):
            raise BadInput(f"--set {pair}: write it like --set difficulty=hard")
        option = options.get(f"--{key.lstrip('-')}")
        if option is not None and key not in own:
            meant = option.opts[0] if getattr(option, "is_flag", False) else f"{option.opts[0]} {value}"
            raise BadInput(f"--set {pair}: it is no option of the game's own: write {meant}")
        if found.setdefault(key, value) != value:
            raise BadInput(f"--set {key}: it can't be both {found[key]} and {value}: leave one of them out")
    return found
