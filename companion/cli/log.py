"""`companion log`: sessions read back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from companion.cli.common import (
    data_dir,
    data_option,
    game_argument,
    game_or_none,
    read_journal,
    session_argument,
    session_of,
)
from companion.cli.lazy import LazyGroup
from companion.engine.clock import Stamp, local
from companion.engine.line import Act, Entry
from companion.engine.records import RolledDie
from companion.games import load
from companion.wording import asking, plain

ELSEWHERE = {
    "report": ("log_report:report", "How a session went, in words, boards and plots."),
    "stats": ("log_report:stats", "Wins, lengths and dice over all sessions of a game."),
    "note": ("log_note:note", "Add words, a rating, players or the place."),
    "export": ("log_files:export", "A session as JSON lines, CSV, Markdown or for BG Stats."),
    "import": ("log_files:import_sessions", "Take exported sessions in."),
    "backup": ("log_files:backup", "Sessions, packs and taught dice as one file."),
    "restore": ("log_files:restore", "Take back what a backup has and is not here."),
}


@click.group(cls=LazyGroup, elsewhere=ELSEWHERE)
def log() -> None:
    """Sessions read back: who answered what, which dice from where, and when."""


@log.command("list")
@game_argument(required=False)
@data_option
def list_sessions(game: str | None, data: Path | None) -> None:
    """All sessions (of GAME), the newest last."""
    with read_journal(data) as journal:
        metas = [meta for meta in journal.sessions() if not game or meta.game == game]
    for meta in metas:
        how = f"{meta.outcome or 'unfinished':10} {meta.reason}".rstrip()
        click.echo(f"{meta.id:40} {meta.began}  {plain(how)}")
    if not metas:
        name = load(game).name if game else ""
        place = f"{name and ' of '}{name} yet in {data_dir(data)}"
        click.echo(f"No sessions{place}. companion play {name or 'okinawa'} begins one.")


@log.command(short_help="The log of a session, line by line.")
@session_argument
@data_option
def show(session: str | None, data: Path | None) -> None:
    """The log of SESSION (its id or the beginning of it; default: the one played last)."""
    from companion.logbook.trace import retrace

    with read_journal(data) as journal:
        meta = session_of(journal, session, data)
        trace = retrace(journal, game_or_none(meta.game), meta)
    options = " ".join(f"{name}={value}" for name, value in meta.settings.items())
    for line in (
        f"{meta.id}  {meta.began}  seed {meta.seed}  dice {meta.dice}  cards {meta.cards}",
        *([f"scenario: {meta.scenario}"] if meta.scenario else []),
        *([f"packs: {', '.join(meta.packs)}"] if meta.packs else []),
        f"options: {options or 'none'}",
        *log_lines(trace.entries, trace.rolls, {moment.seq: moment.beside for moment in trace.moments}),
        f"{meta.outcome or 'unfinished'} {meta.reason}".rstrip(),
    ):
        click.echo(plain(line))


def log_lines(
    entries: Sequence[Entry], rolls: Mapping[int, list[RolledDie]], news: Mapping[int, Iterable[str]]
) -> Iterator[str]:
    """A line an entry: number, time since the first, what was asked, the answer, who gave it.

    What was told with it stands below.
    """
    for entry in entries:
        head = f"{entry.seq:4} {_since(entries[0].stamp, entry.stamp):>8}"
        item = entry.item
        if item is None:
            yield f"{head}  {entry.act}"
        elif entry.act in (Act.UNDO, Act.REDO):
            yield f"{head}  {entry.act}: {item.label} ({item.by})"
        else:
            yield f"{head}  {asking(item.text)} {item.label} ({_by(item.by, rolls.get(entry.seq, []))})"
            yield from (f"{'':{len(head)}}  {line}" for line in news.get(entry.seq, ()))


def _by(who: str, dice: list[RolledDie]) -> str:
    """Who answered, how sure a reader was of the worst die, and how many were asked about or put right."""
    read = [die.confidence for die in dice if die.confidence is not None]
    counts = {
        "asked": sum(die.photo is not None for die in dice),
        "corrected": sum(die.read is not None for die in dice),
    }
    told = [f"{count} {what}" for what, count in counts.items() if count]
    return ", ".join([who, *([f"sure {min(read):.0%}"] if read else []), *told])


def _since(first: Stamp, now: Stamp) -> str:
    """Minutes and seconds of play by the monotonic clock; after a restart, the time of day."""
    if first.boot == now.boot:
        minutes, seconds = divmod(int(now.mono - first.mono), 60)
        return f"{minutes}:{seconds:02}"
    return f"{local(now.wall):%H:%M}" + ("" if now.synced else "?")
