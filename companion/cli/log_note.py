"""`companion log note`: what players say of a session."""

from __future__ import annotations

import re
import time
from pathlib import Path

import click

from companion.cli.common import begun_journal, data_option, session_of
from companion.engine.errors import BadInput
from companion.engine.journal import Journal
from companion.engine.records import Note, names_in


@click.command()
@click.argument("words", nargs=-1, metavar="[SESSION] [TEXT]")
@click.option("--rating", type=click.IntRange(1, 10), help="How good it was, from 1 to 10.")
@click.option("--people", default="", help="Who played, separated by commas.")
@click.option("--place", default="", help="Where it was played.")
@data_option
def note(words: tuple[str, ...], rating: int | None, people: str, place: str, data: Path | None) -> None:
    """Add TEXT, in quotes, a rating, the players or the place to SESSION; nothing replaces an older note.

    SESSION is its id or the beginning of it, with some of the date (default: the one played last).
    """
    names = names_in(people)
    with begun_journal(data) as journal:
        session, text = _split(journal, words)
        if len(text) > 1:
            raise BadInput(
                "a note of several words goes in quotes, and a session is named with some of its date, "
                "such as okinawa-2026"
            )
        kept = Note(round(time.time(), 3), "".join(text).strip(), rating, names, place.strip())
        if kept == Note(kept.at):
            raise BadInput("nothing to note; give a text, --rating, --people or --place")
        try:
            "".join((*text, place, *names)).encode()
        except UnicodeEncodeError as error:
            raise BadInput("a note has to be in UTF-8; this terminal sends something else") from error
        meta = session_of(journal, session, data)
        journal.note(meta.id, kept)
    click.echo(f"Noted: {meta.id}")


def _split(journal: Journal, words: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """The session that the first word names, and the others: the beginning of an id, with its date.

    What has the form of an id is one, also of no session: as a text it would be another one's note.
    """
    first = words[0] if words else ""
    is_like_one = re.fullmatch(r"[a-z_]+-\d{4}\S*", first)
    if is_like_one or ("-" in first and any(meta.id.startswith(first) for meta in journal.sessions())):
        return first, words[1:]
    return None, words
