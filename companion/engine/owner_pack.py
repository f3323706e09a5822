"""The owner's own pack of a game as it is written: from a session's cards, one writer at a time."""

from __future__ import annotations

import fcntl
import re
from collections.abc import Container, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path

import msgspec

from companion.engine.errors import PackError
from companion.engine.files import content, hand_over, make_folder, write_whole
from companion.engine.packs import TOO_LARGE, Record, Tables, owned, owned_path, too_large, write
from companion.engine.records import blob_name

Names = dict[tuple[str, str], str]
"""Under which names of the owner's pack a session's cards are kept: by table and the session's own name."""

MADE_UP = "own"
"""How the names begin that games give to cards which are entered at the table."""


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Read and write a pack with nobody else at it, in this program or another; `PackError` if not."""
    lock = path.with_suffix(".lock")
    with ExitStack() as held:
        try:
            make_folder(path.parent)
            others = held.enter_context(lock.open("a"))
            hand_over(path.parent, lock)
            fcntl.flock(others, fcntl.LOCK_EX)
        except OSError as error:
            raise PackError(f"{path}: not saved: {error.strerror}") from error
        yield


def note_forgotten(owner_folder: Path, table: str, name: str, record: Record) -> None:
    """Note that the owner's own pack has a record no more, for sessions in which it was entered.

    For who has the pack `alone`.
    """
    path = _forgotten_path(owner_folder)
    try:
        marks = dict.fromkeys((*_forgotten(path), *_marks(table, name, record)))
        write_whole(path, b"".join(mark + b"\n" for mark in marks))
    except OSError as error:
        raise PackError(f"{path}: not saved: {error.strerror}") from error


def is_forgotten(owner_folder: Path, table: str, name: str, record: Record) -> bool:
    """Whether the owner took out of the own pack a record that says the same, or that had the name.

    Of the name it may have been put right before.
    """
    with suppress(OSError):
        return not _marks(table, name, record).isdisjoint(_forgotten(_forgotten_path(owner_folder)))
    return False


def _forgotten_path(owner_folder: Path) -> Path:
    return owned_path(owner_folder).with_name("forgotten")


def _forgotten(path: Path) -> list[bytes]:
    return content(path).split() if path.exists() else []


def _marks(table: str, name: str, record: Record) -> set[bytes]:
    """What tells a record by its name, and by what it says."""
    return {blob_name(msgspec.json.encode([table, one], order="sorted")).encode() for one in (name, record)}


def add_owned(
    owner_folder: Path,
    game: str,
    tables: Tables,
    names: Names | None = None,
    before: Tables | None = None,
) -> None:
    """Add the records of a session to the owner's own pack of a game, or change those of the same name.

    They go by the session's `names`: where another one has made up the same for a card, a free name is
    taken, and noted there. `before` is what it said of them the last time: what was put right in the pack
    since stays, but for what the session says otherwise now; so does what it says nothing of, and a name that
    is the owner's own, as a game has but a few words to choose from.
    """
    names = {} if names is None else names
    for where in too_large(tables):
        raise PackError(f"{owned_path(owner_folder)}: {where}: {TOO_LARGE}")
    with alone(owned_path(owner_folder)):
        file = owned(owner_folder, game)
        for table, records in tables.items():
            kept = file.tables.setdefault(table, {})
            told = (before or {}).get(table, {})
            for name, record in records.items():
                at = _kept_as(names, table, name, record, kept)
                kept[at] = record | _put_right(kept.get(at, {}), told.get(name), record)
        write(file)


def _put_right(mine: Record, was: Record | None, record: Record) -> Record:
    """What of a record in the pack is about fields of which a session says what it `was`, if anything.

    A name stays that is not the session's.
    """
    before = was or {}
    return {
        field: value
        for field, value in mine.items()
        if alike({field: before.get(field)}, {field: record.get(field)})
        or (field == "name" and value != before.get(field))
    }


def _kept_as(names: Names, table: str, name: str, record: Record, kept: dict[str, Record]) -> str:
    if (table, name) not in names:
        is_anothers = is_made_up(name) and name in kept and not alike(kept[name], record)
        names[table, name] = _next_free(name, kept) if is_anothers else name
    return names[table, name]


def is_made_up(name: str) -> bool:
    """Whether a game gave the name to a card that was entered at the table."""
    return name.lower().startswith((f"{MADE_UP} ", f"{MADE_UP}-"))


def alike(one: Record, other: Record) -> bool:
    """Whether two records say the same; of one that was read from a file all tuples are lists."""
    return msgspec.json.encode(one, order="sorted") == msgspec.json.encode(other, order="sorted")


def _next_free(name: str, taken: Container[str]) -> str:
    """The same name with the next number that is free: Own Award 2 after Own Award 1."""
    found = re.fullmatch(r"(.*?)(?:([ -])(\d+))?", name)
    assert found is not None
    stem, between, number = found.groups()
    names = (f"{stem}{between or '-'}{n}" for n in count(int(number or 1) + 1))
    return next(one for one in names if one not in taken)
