"""`companion log export`, `import`, `backup` and `restore`: sessions as files."""

from __future__ import annotations

import io
import math
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.common import (
    FILE_OR_DASH,
    Place,
    data_dir,
    data_option,
    game_or_none,
    is_terminal,
    open_journal,
    read_journal,
    session_argument,
    session_of,
)
from companion.cli.log_report import put
from companion.engine.errors import BadInput, CompanionError, SessionBusy
from companion.engine.files import ELSEWHERE, NOT_PLAIN, is_endless
from companion.engine.journal import Journal, Kept
from companion.engine.records import Meta
from companion.logbook import bgstats, exports, markdown
from companion.logbook.backup import backup as write_backup
from companion.logbook.backup import check, is_bare
from companion.logbook.backup import restore as take_back
from companion.logbook.report import report
from companion.logbook.trace import retrace
from companion.wording import counted, plain

if TYPE_CHECKING:
    from segno import QRCode


@click.command()
@session_argument
@click.option(
    "--as",
    "form",
    type=click.Choice(["jsonl", "csv", "md", "bgstats"]),
    default="jsonl",
    show_default=True,
    help="Everything, to be imported again; the rolls; the report; a link and QR code for BG Stats.",
)
@click.option("--out", type=FILE_OR_DASH, default="-", metavar="FILE", help="Where to (default: stdout).")
@data_option
def export(session: str | None, form: str, out: Path, data: Path | None) -> None:
    """SESSION (its id or the beginning of it; default: the one played last) as a file or a link."""
    with read_journal(data) as journal:
        put(out, _as(form, journal, session_of(journal, session, data), out), data)


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=Place(dir_okay=False))
@data_option
def import_sessions(files: tuple[Path, ...], data: Path | None) -> int:
    """Take sessions in that were exported as jsonl, here or elsewhere.

    One that is here goes on as it did there. A file that can't be taken in is reported and the others
    still are; the exit code is then 2.
    """
    refused, journal = 0, None
    with ExitStack() as stack:
        for file in files:
            try:
                kept = _exported(file)
                journal = journal or stack.enter_context(open_journal(data))
                is_here = journal.head(kept.meta.id) is not None
                new = journal.adopt(kept)
            except (BadInput, SessionBusy) as error:
                refused += 1
                click.echo(plain(f"companion: {error}"), err=True)
            else:
                rest = "what it lacked" if is_here else "its start"  # the former such as a note
                what = counted(new, "line") if new else rest
                click.echo(f"{kept.meta.id}: {what} taken in")
    return 2 if refused else 0


def _exported(file: Path) -> Kept:
    """The session in a file; `BadInput` if it is none or can't be read."""
    _refuse_dash(file, "sessions are taken in from files alone")
    try:
        if is_endless(file):
            raise BadInput(f"{file}: {NOT_PLAIN}")
        with file.open("rb") as lines:
            return exports.read(iter(lambda: lines.readline(exports.LONGEST + 1), b""), str(file))
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror}") from error


def _refuse_dash(file: Path, why: str) -> None:
    """`BadInput` for `-`, which is no file, where standard input is not read."""
    if str(file) == "-":
        raise BadInput(f"-: {why}: name one")


@click.command()
@click.argument("file", type=Place(dir_okay=False))
@data_option
def backup(file: Path, data: Path | None) -> None:
    """Write all sessions, your packs and taught dice to one FILE.

    Every session is read through first, and damage is told. A backup that is there is replaced, unless it
    has sessions or parts of them, packs or taught dice that are not here.
    """
    with read_journal(data) as journal:
        if is_bare(journal, data_dir(data)):
            raise BadInput(f"{data_dir(data)}: no sessions, packs or taught dice are there; {ELSEWHERE}")
        write_backup(journal, data_dir(data), file)
        size = math.ceil(file.stat().st_size / 1000)
        click.echo(f"{file}: {counted(len(journal.sessions()), 'session')}, {size:,} kB")


TAKE_IN = "unpack the file from the backup, and take it in on the page (Packs, the game, Your pack as a file)"


@click.command()
@click.argument("file", type=Place(dir_okay=False))
@data_option
def restore(file: Path, data: Path | None) -> int:
    """Take back from a backup FILE what is not here.

    A session that is here goes on as it did in the backup, and what was lost of it comes back; nothing
    else that is here is changed. Where a session or file can't be taken in, the others still are; the exit
    code is then 2.
    """
    _refuse_dash(file, "a backup is taken back from a file alone")
    check(file)
    with open_journal(data) as journal:
        done = take_back(journal, file)
    taken = f"{counted(done.sessions, 'session')}, {counted(done.files, 'file')}"
    click.echo(f"taken back: {taken}; here already: {done.known_sessions}")
    for name in done.longer:
        click.echo(f"{name} is now as in the backup")
    for why in done.refused:
        click.echo(plain(f"companion: {why}"), err=True)
    for name in done.kept_files:
        click.echo(plain(f"{name} is another one here and was kept; the backup's was left out"), err=True)
    if any(name.endswith("/owner/pack.toml") for name in done.kept_files):
        click.echo(f"To have the cards of both: {TAKE_IN}", err=True)
    if done.salvaged:
        click.echo(f"companion: {done.salvaged}", err=True)
    return 2 if done.refused else 0


def _as(form: str, journal: Journal, meta: Meta, out: Path) -> str | bytes:
    """Text for people, bytes for programs."""
    match form:
        case "csv":
            return exports.rolls_csv(journal, meta).encode()
        case "md":
            return markdown.of_report(report(journal, game_or_none(meta.game), meta))
        case "bgstats":
            return _bgstats(journal, meta, room=_columns(out))
    return b"".join(exports.lines(exports.whole(journal, meta)))


def _columns(out: Path) -> float:
    """How wide a line may be that is written there."""
    is_seen = str(out) == "-" and is_terminal(sys.stdout)
    return shutil.get_terminal_size().columns if is_seen else math.inf


def _bgstats(journal: Journal, meta: Meta, room: float) -> str:
    game = game_or_none(meta.game)
    link = bgstats.link(journal, game, retrace(journal, game, meta))
    if not meta.outcome:
        click.echo(f"companion: {bgstats.UNFINISHED}", err=True)
    picture = ""
    try:
        picture = _picture(bgstats.qr(link), room)
    except CompanionError as error:
        click.echo(f"companion: {error}", err=True)
    return f"{link}\n{picture}"


def _picture(code: QRCode, room: float) -> str:
    """A QR code in text; `CompanionError` if it is wider than `room` columns."""
    width, _ = code.symbol_size()
    if width > room:
        raise CompanionError(
            f"the QR code needs {width} columns, this terminal has {room}: widen it, or see the session on "
            "the page of companion serve"
        )
    picture = io.StringIO()
    code.terminal(picture, compact=True)
    return picture.getvalue()
