"""Sessions as files: JSON lines that hold all of one and can be taken in again, and its rolls as CSV."""

from __future__ import annotations

import csv
import re
from base64 import b64decode, b64encode
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import StringIO
from typing import Final, TypeAlias

import msgspec

from companion.engine.errors import BadInput, CompanionError, JournalError
from companion.engine.journal import Journal, Kept
from companion.engine.line import Entry, fold, sound
from companion.engine.records import Meta, Note, RolledDie, blob_name
from companion.logbook.trace import counting

VERSION = 1
LONGEST = 32 << 20
"""Bytes of the longest line that is taken in: a photo fits many times."""
LATEST = 250_000_000_000
"""Seconds of the latest time that is taken in, in the year 9892; sums and calendars still bear it."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


class _Head(msgspec.Struct, frozen=True, tag="session"):
    version: int
    meta: Meta


class _Entry(msgspec.Struct, frozen=True, tag="entry"):
    entry: Entry


class _Rolled(msgspec.Struct, frozen=True, tag="roll"):
    seq: int
    dice: list[RolledDie]


class _Noted(msgspec.Struct, frozen=True, tag="note"):
    note: Note


class _Blob(msgspec.Struct, frozen=True, tag="blob"):
    name: str
    data: str


class _End(msgspec.Struct, frozen=True, tag="end"):
    lines: int


_Line: TypeAlias = _Head | _Entry | _Rolled | _Noted | _Blob | _End


def whole(journal: Journal, meta: Meta) -> Kept:
    """All that a journal keeps of a session; packs and photos as far as they are not lost."""
    rolls = journal.rolls(meta.id)
    blobs = []
    for name in _named(meta, rolls):
        with suppress(JournalError):
            blobs.append(journal.blob(name))
    return Kept(
        meta.sealed(), tuple(journal.entries(meta.id)), rolls, tuple(blobs), tuple(journal.notes(meta.id))
    )


def lines(kept: Kept) -> Iterator[bytes]:
    """A session as JSON objects, one a line; the last line counts the others."""
    count = 0
    for line in _lines(kept):
        count += 1
        yield msgspec.json.encode(line) + b"\n"
    yield msgspec.json.encode(_End(count)) + b"\n"


def _lines(kept: Kept) -> Iterator[_Line]:
    yield _Head(VERSION, kept.meta)
    yield from (_Blob(blob_name(data), b64encode(data).decode()) for data in kept.blobs)
    yield from (_Entry(entry) for entry in kept.entries)
    yield from (_Rolled(seq, dice) for seq, dice in kept.rolls.items())
    yield from (_Noted(note) for note in kept.notes)


def _named(meta: Meta, rolls: dict[int, list[RolledDie]]) -> Iterable[str]:
    """The packs and photos of a session."""
    photos = (die.photo for dice in rolls.values() for die in dice if die.photo)
    return dict.fromkeys((meta.pack, *photos))


WRITTEN_BY: Final = "companion log export writes what is taken in here, companion log restore takes a backup"
"""What to do with a file that is no exported session from its first line on."""


def read(source: Iterable[bytes], where: str) -> Kept:
    """The session in exported lines; `BadInput` with line and reason if anything in it is not right."""
    found = list(_decoded(source, where))
    match found:
        case [_Head() as head, *rest, _End(count)] if count == len(found) - 1:
            return _gathered(head, rest, where)
    raise BadInput(f"{where}: not one whole exported session: its first or last line is missing")


def _decoded(source: Iterable[bytes], where: str) -> Iterator[_Line]:
    decoder = msgspec.json.Decoder(_Line)
    for number, line in enumerate(source, start=1):
        if len(line) > LONGEST:
            raise BadInput(f"{where}: line {number} is longer than any session has")
        try:
            decoded = decoder.decode(line.removeprefix(BOM_UTF8))  # as some editors begin a file
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            advice = "" if number > 1 else f"; {WRITTEN_BY}"
            raise BadInput(f"{where}: line {number}: {error}{advice}") from error
        if isinstance(decoded, _Head) and decoded.version != VERSION:  # before lines of kinds not known here
            why = f"export version {decoded.version} is not known here, only {VERSION}"
            raise BadInput(f"{where}: {why}; upgrade this companion")
        yield decoded


def _gathered(head: _Head, rest: list[_Line], where: str) -> Kept:
    rolled = [line.seq for line in rest if isinstance(line, _Rolled)]
    if any(isinstance(line, _Head | _End) for line in rest) or len({*rolled}) < len(rolled):
        raise BadInput(f"{where}: a first or last line is in the midst of it, or a roll is there twice")
    kept = Kept(
        head.meta,
        tuple(line.entry for line in rest if isinstance(line, _Entry)),
        {line.seq: line.dice for line in rest if isinstance(line, _Rolled)},
        tuple(_blob(line, where) for line in rest if isinstance(line, _Blob)),
        tuple(line.note for line in rest if isinstance(line, _Noted)),
    )
    return checked(kept, where)


def checked(kept: Kept, where: str) -> Kept:
    """A session from elsewhere; `BadInput` with the reason if anything in it is not right."""
    meta, entries = kept.meta, list(kept.entries)
    if meta.sealed() != meta or not _NAME.fullmatch(meta.id) or not _NAME.fullmatch(meta.game):
        raise BadInput(f"{where}: the session's head is damaged")
    stamps = (time for entry in entries for time in (entry.stamp.wall, entry.stamp.mono))
    if any(not 0 <= time <= LATEST for time in (meta.created, *stamps, *(note.at for note in kept.notes))):
        raise BadInput(f"{where}: a time that no clock shows")
    if sound(entries) != entries or any(entry.session != meta.id for entry in entries):
        raise BadInput(f"{where}: entries are missing or damaged after {len(sound(entries))}")
    strange = {blob_name(data) for data in kept.blobs} - set(_named(meta, kept.rolls))
    if strange or any(not 1 <= seq <= len(entries) for seq in kept.rolls):
        raise BadInput(f"{where}: packs, photos or rolls don't belong to this session")
    try:
        fold(entries)
    except CompanionError as error:
        raise BadInput(f"{where}: {error}") from error
    return kept


def _blob(line: _Blob, where: str) -> bytes:
    try:
        data = b64decode(line.data, validate=True)
    except ValueError as error:
        raise BadInput(f"{where}: {line.name}: {error}") from error
    if blob_name(data) != line.name:
        raise BadInput(f"{where}: {line.name} is damaged")
    return data


def rolls_csv(journal: Journal, meta: Meta) -> str:
    """Every die of a session, a row each.

    Whether they count is told: a roll that was taken back does not, and dice that were taken as they lay
    after an undo are there again.
    """
    out, (counts, again) = StringIO(), counting(journal.entries(meta.id))
    table = csv.writer(out)
    seen = ("face", "source", "confidence", "read")
    table.writerow(("session", "game", "entry", "nth", "die", *seen, "counts"))
    for seq, dice in journal.rolls(meta.id).items():
        told = "yes" if seq in counts else "again" if seq in again else "no"
        for nth, die in enumerate(dice, start=1):
            row = (getattr(die, name) for name in seen)
            table.writerow((meta.id, meta.game, seq, nth, die.die, *row, told))
    return out.getvalue()
