"""`companion log note`: what players say of a session."""

from __future__ import annotations

import time
from pathlib import Path

import click

from companion.cli.common import data_option, open_journal, session_of


@click.command()
@click.argument("text", required=False, default="")
@click.option("--session", help="Its id or the beginning of it (default: the newest).")
@click.option("--rating", type=click.IntRange(1, 10), help="How good it was, from 1 to 10.")
@click.option("--people", help="Who played, separated by commas.")
@click.option("--place", default="", help="Where it was played.")
@data_option
def note(
    text: str, session: str | None, rating: int | None, people: str | None, place: str, data: Path | None
) -> None:
    """Add TEXT, a rating, the players or the place to a session; nothing replaces an older note."""
    from companion.engine.errors import BadInput
    from companion.engine.records import Note

    names = tuple(name.strip() for name in (people or "").split(",") if name.strip())
    if not (text or rating or names or place):
        raise BadInput("nothing to note; give a text, --rating, --people or --place")
    try:
        "".join((text, place, *names)).encode()
    except UnicodeEncodeError as error:
        raise BadInput("a note has to be in UTF-8; this terminal sends something else") from error
    with open_journal(data) as journal:
        meta = session_of(journal, session)
        journal.note(meta.id, Note(round(time.time(), 3), text, rating, names, place))
    click.echo(f"Noted: {meta.id}")
