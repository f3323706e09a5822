"""The journal: every answer of every session, in one SQLite file, on disk before the game acts on it.

Append-only. Each entry is one JSON line with a check over itself and all entries before it, so damage
is noticed, and lines can be found again in a file that SQLite itself no longer reads (salvage.py). What is
read and written is here; how the file is opened, locked and mended in store.py, its tables in database.py.
"""

from __future__ import annotations

import fcntl
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

import msgspec

from companion.engine.database import (
    as_line,
    enter,
    insert,
    move,
)
from companion.engine.errors import BadInput, HereAlready, JournalError, NotKept, SessionBusy
from companion.engine.files import (
    hand_over,
    way_in,
)
from companion.engine.line import Entry, sound
from companion.engine.records import Meta, Note, RolledDie, RollRow, blob_name
from companion.engine.salvage import Salvage
from companion.engine.store import Store, failing, let_go
from companion.wording import counted

T = TypeVar("T")

_PLAYED = (
    "max(rowid, coalesce("
    "(SELECT rowid FROM entries WHERE session = sessions.id ORDER BY seq DESC LIMIT 1), 0))"
)


_MARKS = (
    "SELECT id, 0, rowid n FROM sessions UNION ALL SELECT session, max(seq), rowid FROM entries"
    " GROUP BY session ORDER BY n"
)


def _decoded(line: object, kind: type[T]) -> T:
    """What a line says; of a damaged row SQLite may read a number, or nothing, where a text was written."""
    if not isinstance(line, str | bytes):
        raise sqlite3.DatabaseError("a line is no text")
    return msgspec.json.decode(line, type=kind)


@lru_cache(maxsize=2048)
def _head_in(line: str, name: str) -> Meta:
    """The head of the session of that name; remembered, since menus look at those of all, time and again."""
    head = _decoded(line, Meta)
    if head.sealed() != head or head.id != name:
        raise sqlite3.DatabaseError("a session's head is damaged")
    return head


class Mark(NamedTuple):
    """The beginning of a session where `seq` is 0, else that entry of it, which is its last."""

    session: str
    seq: int


class Kept(msgspec.Struct, frozen=True):
    """All that the journal keeps of one session, as it comes from another journal."""

    meta: Meta
    entries: tuple[Entry, ...]
    rolls: dict[int, list[RolledDie]]
    blobs: tuple[bytes, ...]
    notes: tuple[Note, ...]


class Journal:
    """All sessions of one data directory.

    Methods raise `JournalError` with a line that a person can act on.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store(folder)

    def close(self) -> None:
        """Let go of the file."""
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """The file that all is kept in."""
        return self.store.path

    @property
    def salvaged(self) -> Salvage | None:
        """What was kept and lost of a damaged file, and where that went, if one was found."""
        return self.store.salvaged

    # Reading

    def sessions(self) -> list[Meta]:
        """Every session, the oldest first (by order of creation, whatever the clock said)."""
        return self.store.reading(_sessions)

    def played(self) -> list[Meta]:
        """Every session, the one last at the end in which something was said, or that was begun."""
        return self.store.reading(_sessions, order=_PLAYED)

    def head(self, session: str) -> Meta | None:
        """The head of the session with that whole id; None if there is none."""
        return next(iter(self.store.reading(_sessions, session)), None)

    def session(self, name: str) -> Meta:
        """The session of that id, or of that beginning of an id; `BadInput` if it is not one."""
        found = [meta for meta in self.sessions() if meta.id.startswith(name)]
        exact = [meta for meta in found if meta.id == name]
        if not found:
            raise BadInput(f"no session {name!r}; companion log list shows all there are")
        if len(exact or found) > 1:
            some = " or ".join(meta.id for meta in found[-3:])
            more = f" or {counted(len(found) - 3, 'other')}" if len(found) > 3 else ""
            raise BadInput(f"{name!r} may be {some}{more}: give more of the id")
        return (exact or found)[0]

    def last_open(self, game: str = "") -> Meta | None:
        """The session played last that has no outcome yet (of that game, if one is named)."""
        sessions = (meta for meta in reversed(self.played()) if meta.game == (game or meta.game))
        return next((meta for meta in sessions if not meta.outcome), None)

    def entries(self, session: str) -> list[Entry]:
        """All entries of a session in order."""
        return self.store.reading(_entries, session)

    def rolls(self, session: str) -> dict[int, list[RolledDie]]:
        """The dice of a session by the entry that they answered."""
        rolls: dict[int, list[RolledDie]] = {}
        for _, seq, _, *die in self.store.reading(_rolls, session):
            rolls.setdefault(seq, []).append(RolledDie(*die))
        return rolls

    def notes(self, session: str) -> list[Note]:
        """What players wrote about a session, the oldest first."""
        return self.store.reading(_notes, session)

    def blob(self, name: str) -> bytes:
        """A kept picture or pack; `NotKept` if it is lost."""
        for (data,) in self.store.reading(_rows, "SELECT data FROM blobs WHERE hash = ?", name):
            if isinstance(data, bytes) and blob_name(data) == name:
                return data
        raise NotKept(f"{self.path}: {name} is not in the journal any more")

    # Writing

    def begin(self, meta: Meta, pack: bytes) -> None:
        """Write down the head of a new session and the packs that it is played with."""
        with self.store.transaction() as db:
            self._enter(db, meta)
            self._keep(db, pack)

    def keep(self, data: bytes) -> None:
        """Put back packs or a picture that was lost or damaged."""
        with self.store.transaction() as db:
            self._keep(db, data)

    def append(
        self,
        entries: Sequence[Entry],
        rolls: Mapping[int, Sequence[RolledDie]],
        blobs: Sequence[bytes] = (),
        head: Meta | None = None,
    ) -> None:
        """Put entries of one session on disk, and its `head` where they change it, all or none, synced.

        Raises `JournalFull` if the disk does not take them: nothing of them is kept then.
        """
        if not entries:
            return
        with self.store.transaction() as db:
            self._write(db, entries[0].session, entries, rolls, blobs)
            if head is not None:
                self._update(db, head)

    def update(self, meta: Meta) -> None:
        """Write a session's head anew: its outcome."""
        with self.store.transaction() as db:
            self._update(db, meta)

    def _update(self, db: sqlite3.Connection, meta: Meta) -> None:
        db.execute("UPDATE sessions SET line = ? WHERE id = ?", (self._head(db, meta), meta.id))

    def _enter(self, db: sqlite3.Connection, meta: Meta) -> None:
        enter(db, meta.id, self._head(db, meta))

    def _head(self, db: sqlite3.Connection, meta: Meta) -> str:
        """A head as its line, of which a copy lies among the blobs: no session goes on without one.

        All heads may stand in a single sector; a rescue finds the copies in another.
        """
        line = as_line(meta.sealed())
        self._keep(db, line.encode())
        return line

    def note(self, session: str, note: Note) -> None:
        """Add a player's note; nothing replaces an older one."""
        with self.store.transaction() as db:
            self._note(db, session, (note,))

    def adopt(self, kept: Kept) -> int:
        """Take in a whole session from elsewhere, or how one that is here went on there; all or nothing.

        Returns how many entries are new. `HereAlready` if nothing in it is, `BadInput` if it parted from the
        one that is here, `SessionBusy` if that one is being played.
        """
        mine = self.head(kept.meta.id)
        if mine is None:
            with self.store.transaction() as db:
                mine = next(iter(_sessions(db, kept.meta.id)), None)  # another may have taken it in just now
                if mine is None:
                    self._enter(db, kept.meta)
                    self._write(db, kept.meta.id, kept.entries, kept.rolls, kept.blobs)
                    self._note(db, kept.meta.id, kept.notes)
                    return len(kept.entries)
        return self._take_up(mine, kept)

    def has_all_of(self, kept: Kept) -> bool:
        """Whether nothing of a session from elsewhere is new; `BadInput` if it parted from the one here."""
        if (mine := self.head(kept.meta.id)) is None:
            return False
        try:
            self._news(mine, kept)
        except HereAlready:
            return True
        return False

    def marks(self) -> list[Mark]:
        """Where each session begins and ends, in the order in which that was written."""
        rows = self.store.reading(_rows, _MARKS)
        return [Mark(session, seq) for session, seq, _ in rows]

    def arrange(self, marks: Sequence[Mark]) -> None:
        """Let what is at these marks count as written now, in their order; others stay where they are."""
        if not marks:
            return
        with self.store.transaction() as db:
            for mark in marks:
                move(db, mark.session, mark.seq)

    def _take_up(self, mine: Meta, kept: Kept) -> int:
        """Add to a session that is here what it has become elsewhere, and what was lost of it here."""
        self._news(mine, kept)
        with self.hold(mine.id):
            news = self._news(mine, kept)
            with self.store.transaction() as db:
                self._write(db, mine.id, news.entries, news.rolls, news.blobs)
                self._note(db, mine.id, news.notes)
                if news.entries:
                    self._update(db, kept.meta)
        return len(news.entries)

    def _news(self, mine: Meta, kept: Kept) -> Kept:
        """What of a session is not here: `HereAlready` if nothing, `BadInput` if it parted from ours."""
        here, rolls, notes = self.entries(mine.id), self.rolls(mine.id), self.notes(mine.id)
        both = min(len(here), len(kept.entries))
        if mine.start() != kept.meta.start() or tuple(here[:both]) != kept.entries[:both]:
            raise BadInput(f"session {mine.id} went on otherwise here; what is here stays")
        news = Kept(
            kept.meta,
            kept.entries[both:],
            {seq: dice for seq, dice in kept.rolls.items() if seq not in rolls},
            tuple(data for data in kept.blobs if not self._has(blob_name(data))),
            tuple(note for note in kept.notes if note not in notes),
        )
        if not (news.entries or news.rolls or news.blobs or news.notes):
            raise HereAlready(f"session {mine.id} is here already")
        return news

    def _has(self, name: str) -> bool:
        try:
            return bool(self.blob(name))
        except JournalError:
            return False

    @staticmethod
    def _note(db: sqlite3.Connection, session: str, notes: Iterable[Note]) -> None:
        db.executemany("INSERT INTO notes VALUES (?, ?)", [(session, as_line(note)) for note in notes])

    @contextmanager
    def hold(self, session: str) -> Iterator[None]:
        """Play a session alone; `SessionBusy` if another process plays it."""
        path = self.folder / "locks" / session
        with ExitStack() as stack:
            try:
                path.parent.mkdir(exist_ok=True)
                lock = path.open("a")
                stack.callback(let_go, lock)
                hand_over(self.path, path.parent, path)
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise SessionBusy(f"{session} is being played elsewhere; close it there first") from error
            except OSError as error:
                advice = failing(self.folder) or way_in(path, error)
                raise JournalError(
                    f"{path}: the session can't be held: {error.strerror}; {advice}"
                ) from error
            yield

    def _write(
        self,
        db: sqlite3.Connection,
        session: str,
        entries: Sequence[Entry],
        rolls: Mapping[int, Sequence[RolledDie]],
        blobs: Iterable[bytes],
    ) -> None:
        for entry in entries:
            insert(db, entry)
        for seq, dice in rolls.items():
            rows = [(session, seq, nth, *msgspec.structs.astuple(die)) for nth, die in enumerate(dice)]
            db.executemany("INSERT INTO rolls VALUES (?,?,?,?,?,?,?,?,?)", rows)
        for data in blobs:
            self._keep(db, data)
        if entries:
            last, before = entries[-1], entries[0].seq - 1
            update = "UPDATE sessions SET entries = ? WHERE id = ? AND entries = ?"
            if db.execute(update, (last.seq, session, before)).rowcount != 1:
                raise sqlite3.DatabaseError(f"{session} has lost entries before these")

    @staticmethod
    def _keep(db: sqlite3.Connection, data: bytes) -> None:
        db.execute(
            "INSERT INTO blobs VALUES (?, ?)"
            " ON CONFLICT (hash) DO UPDATE SET data = excluded.data WHERE data != excluded.data",
            (blob_name(data), data),
        )


def _rows(db: sqlite3.Connection, query: str, *values: object) -> list[Any]:
    return db.execute(query, values).fetchall()


def _sessions(db: sqlite3.Connection, only: str | None = None, order: str = "rowid") -> list[Meta]:
    query = f"SELECT id, line FROM sessions WHERE ? IS NULL OR id = ? ORDER BY {order}"  # noqa: S608 - ours
    return [_head_in(line, name) for name, line in _rows(db, query, only, only)]


def _entries(db: sqlite3.Connection, session: str) -> list[Entry]:
    with db:  # both as of one moment: who plays it goes on meanwhile
        db.execute("BEGIN")
        rows = _rows(db, "SELECT line FROM entries WHERE session = ? ORDER BY seq", session)
        counts = _rows(db, "SELECT entries FROM sessions WHERE id = ?", session)
    entries = [_decoded(line, Entry) for (line,) in rows]
    if len(sound(entries)) != len(entries) or any(count != len(entries) for (count,) in counts):
        raise sqlite3.DatabaseError(f"{session}: entries are damaged")
    return entries


def _rolls(db: sqlite3.Connection, session: str) -> list[tuple[Any, ...]]:
    rows = _rows(db, "SELECT * FROM rolls WHERE session = ? ORDER BY seq, nth", session)
    found: list[tuple[Any, ...]] = msgspec.convert(rows, list[RollRow])
    return found


def _notes(db: sqlite3.Connection, session: str) -> list[Note]:
    rows = _rows(db, "SELECT line FROM notes WHERE session = ? ORDER BY rowid", session)
    return [_decoded(line, Note) for (line,) in rows]
