"""The journal: every answer of every session, in one SQLite file, on disk before the game acts on it.

Append-only. Each entry is one JSON line with a check over itself and all entries before it, so damage
is noticed, and lines can be found again in a file that SQLite itself no longer reads (salvage.py). What is
read and written, by whom and when, is here; the file and its tables are in database.py.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from io import FileIO
from os import fstat
from os.path import realpath, samestat
from pathlib import Path
from threading import Lock, RLock
from typing import IO, Any, ClassVar, NamedTuple, Self, TypeVar

import msgspec

from companion.engine.database import (
    BUSY,
    FILE,
    NOT_DAMAGE,
    as_line,
    clear_up,
    connect,
    empty,
    enter,
    error_code,
    inodes,
    insert,
    mended,
    move,
    put_aside,
    require_known,
    write_anew,
)
from companion.engine.errors import BadInput, HereAlready, JournalError, JournalFull, NotKept, SessionBusy
from companion.engine.files import (
    ELSEWHERE,
    NOT_PLAIN,
    hand_over,
    is_endless,
    is_full,
    is_read_only,
    is_shut,
    own_in,
    way_in,
)
from companion.engine.line import Entry, sound
from companion.engine.records import Meta, Note, RolledDie, RollRow, blob_name
from companion.engine.salvage import DAMAGE, Rescued, Salvage, lost_sectors, reads_short, rescue

T = TypeVar("T")

_SHUT = (
    "its disk shut after an error, as on a failing card;"
    " restart the machine, then save what is there: companion log backup"
)

_PLAYED = (
    "max(rowid, coalesce("
    "(SELECT rowid FROM entries WHERE session = sessions.id ORDER BY seq DESC LIMIT 1), 0))"
)


_MARKS = (
    "SELECT id, 0, rowid n FROM sessions UNION ALL SELECT session, max(seq), rowid FROM entries"
    " GROUP BY session ORDER BY n"
)


@lru_cache(maxsize=2048)
def _head_in(line: str, name: str) -> Meta:
    """The head of the session of that name; remembered, since menus look at those of all, time and again."""
    head = msgspec.json.decode(line, type=Meta)
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

    `salvaged` is set when a damaged file was found, by this or another journal of this process: what was
    kept and lost, and where the file went.
    `stale` is set when another journal of this process has mended the file: it is opened anew then.
    Methods raise `JournalError` with a line that a person can act on.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = Path(realpath(folder / FILE))  # SQLite keeps its log beside what a link leads to
        self.salvaged: Salvage | None = None
        self.stale = False
        self._closed = False
        self._using = RLock()  # whoever has it may close the connection; under another thread Python crashes
        for path in (self.path, folder / "journal.lock", folder / "opening.lock"):
            if is_endless(path):
                raise JournalError(f"{path}: {NOT_PLAIN}: move it away, or name another folder")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "opening.lock").touch()
            self._users = _Users.of(self)
            hand_over(folder, folder / "opening.lock", folder / "journal.lock")
        except OSError as error:
            advice = way_in(Path(error.filename or folder), error)
            why = "it is a file and no folder" if isinstance(error, FileExistsError) else error.strerror
            raise JournalError(f"{folder}: sessions can't be kept there: {why}; {advice}") from error
        try:
            with self._opening():
                self._db = self._open()
                self._users.opened = True
        except BaseException:
            self._users.leave(self)
            raise

    def close(self) -> None:
        """Let go of the file."""
        with self._using:
            self._closed = True
            self._db.close()
        self._users.leave(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Reading

    def sessions(self) -> list[Meta]:
        """Every session, the oldest first (by order of creation, whatever the clock said)."""
        return self._reading(self._sessions)

    def played(self) -> list[Meta]:
        """Every session, the one last at the end in which something was said, or that was begun."""
        return self._reading(lambda: self._sessions(order=_PLAYED))

    def _sessions(self, only: str | None = None, order: str = "rowid") -> list[Meta]:
        query = f"SELECT id, line FROM sessions WHERE :only IS NULL OR id = :only ORDER BY {order}"  # noqa: S608 - ours
        return [_head_in(line, name) for name, line in self._db.execute(query, {"only": only}).fetchall()]

    def head(self, session: str) -> Meta | None:
        """The head of the session with that whole id; None if there is none."""
        return next(iter(self._reading(lambda: self._sessions(session))), None)

    def session(self, name: str) -> Meta:
        """The session of that id, or of that beginning of an id; `BadInput` if it is not one."""
        found = [meta for meta in self.sessions() if meta.id.startswith(name)]
        exact = [meta for meta in found if meta.id == name]
        if not found:
            raise BadInput(f"no session {name!r}; companion log list shows all there are")
        if len(exact or found) > 1:
            some = " or ".join(meta.id for meta in found[-3:])
            raise BadInput(f"{name!r} may be {some}: give more of the id")
        return (exact or found)[0]

    def last_open(self, game: str = "") -> Meta | None:
        """The session played last that has no outcome yet (of that game, if one is named)."""
        sessions = (meta for meta in reversed(self.played()) if meta.game == (game or meta.game))
        return next((meta for meta in sessions if not meta.outcome), None)

    def entries(self, session: str) -> list[Entry]:
        """All entries of a session in order."""
        return self._reading(lambda: self._entries(session))

    def _entries(self, session: str) -> list[Entry]:
        with self._db as db:  # both as of one moment: who plays it goes on meanwhile
            db.execute("BEGIN")
            lines = "SELECT line FROM entries WHERE session = ? ORDER BY seq"
            rows = db.execute(lines, (session,)).fetchall()
            count = db.execute("SELECT entries FROM sessions WHERE id = ?", (session,)).fetchone()
        entries = [msgspec.json.decode(line, type=Entry) for (line,) in rows]
        if len(sound(entries)) != len(entries) or (count is not None and count[0] != len(entries)):
            raise sqlite3.DatabaseError(f"{session}: entries are damaged")
        return entries

    def rolls(self, session: str) -> dict[int, list[RolledDie]]:
        """The dice of a session by the entry that they answered."""
        rolls: dict[int, list[RolledDie]] = {}
        for _, seq, _, *die in self._reading(lambda: self._rolls(session)):
            rolls.setdefault(seq, []).append(RolledDie(*die))
        return rolls

    def _rolls(self, session: str) -> list[tuple[Any, ...]]:
        rows = self._db.execute("SELECT * FROM rolls WHERE session = ? ORDER BY seq, nth", (session,))
        found: list[tuple[Any, ...]] = msgspec.convert(rows.fetchall(), list[RollRow])
        return found

    def notes(self, session: str) -> list[Note]:
        """What players wrote about a session, the oldest first."""
        return self._reading(lambda: self._notes(session))

    def _notes(self, session: str) -> list[Note]:
        rows = self._db.execute("SELECT line FROM notes WHERE session = ? ORDER BY rowid", (session,))
        return [msgspec.json.decode(line, type=Note) for (line,) in rows]

    def blob(self, name: str) -> bytes:
        """A kept picture or pack; `NotKept` if it is lost."""
        query = "SELECT data FROM blobs WHERE hash = ?"
        for (data,) in self._reading(lambda: self._db.execute(query, (name,)).fetchall()):
            if blob_name(data) == name:
                return bytes(data)
        raise NotKept(f"{self.path}: {name} is not in the journal any more")

    def _reading(self, read: Callable[[], T]) -> T:
        """What `read` finds; if it meets damage, what it finds after a salvage (see `salvaged`)."""
        with self._using:
            try:
                self._renew()
                return read()
            except DAMAGE as error:
                with self._opening(), self._users.writing:
                    self._mend(error)
            return read()

    def _mend(self, error: Exception) -> None:
        """Go on with what another journal has mended by now, or with what is sound beside this damage."""
        try:
            if self.stale:
                self._renew()
                return
        except DAMAGE as again:
            error = again
        if is_shut(self.folder) or not self._is_damage(error):  # a shut disk forgets what it did not write
            raise JournalError(f"{self.path}: {error}{self._unread()}") from error
        self._db = self._salvage(self._db)

    def _unread(self) -> str:
        """What to do about a disk that gives nothing, as far as that is known."""
        return f"; {_SHUT}" if is_shut(self.folder) else ""

    # Writing

    def begin(self, meta: Meta, pack: bytes) -> None:
        """Write down the head of a new session and the packs that it is played with."""
        with self._transaction() as db:
            self._enter(db, meta)
            self._keep(db, pack)

    def keep(self, data: bytes) -> None:
        """Put back packs or a picture that was lost or damaged."""
        with self._transaction() as db:
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
        with self._transaction() as db:
            self._write(db, entries[0].session, entries, rolls, blobs)
            if head is not None:
                self._update(db, head)

    def update(self, meta: Meta) -> None:
        """Write a session's head anew: its outcome."""
        with self._transaction() as db:
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
        with self._transaction() as db:
            self._note(db, session, (note,))

    def adopt(self, kept: Kept) -> int:
        """Take in a whole session from elsewhere, or how one that is here went on there; all or nothing.

        Returns how many entries are new. `HereAlready` if nothing in it is, `BadInput` if it parted from the
        one that is here, `SessionBusy` if that one is being played.
        """
        if (mine := self.head(kept.meta.id)) is not None:
            return self._take_up(mine, kept)
        with self._transaction() as db:
            self._enter(db, kept.meta)
            self._write(db, kept.meta.id, kept.entries, kept.rolls, kept.blobs)
            self._note(db, kept.meta.id, kept.notes)
        return len(kept.entries)

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
        rows = self._reading(lambda: self._db.execute(_MARKS).fetchall())
        return [Mark(session, seq) for session, seq, _ in rows]

    def arrange(self, marks: Sequence[Mark]) -> None:
        """Let what is at these marks count as written now, in their order; others stay where they are."""
        if not marks:
            return
        with self._transaction() as db:
            for mark in marks:
                move(db, mark.session, mark.seq)

    def _take_up(self, mine: Meta, kept: Kept) -> int:
        """Add to a session that is here what it has become elsewhere, and what was lost of it here."""
        self._news(mine, kept)
        with self.hold(mine.id):
            news = self._news(mine, kept)
            with self._transaction() as db:
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
                stack.callback(_let_go, lock)
                hand_over(self.path, path.parent, path)
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise SessionBusy(f"{session} is being played elsewhere; close it there first") from error
            except OSError as error:
                advice = way_in(path, error)
                raise JournalError(
                    f"{path}: the session can't be held: {error.strerror}; {advice}"
                ) from error
            yield

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._using, self._users.writing:
            self._users.busy = True
            try:
                self._renew()
                self._check_disk()
                with self._db as db:  # commits, or rolls back whatever comes in between
                    db.execute("BEGIN IMMEDIATE")
                    yield db
                self._check_disk()  # it may have become read-only before the sync
            except sqlite3.IntegrityError as error:  # as where a lock was deleted under who plays it here
                raise JournalFull(
                    f"{self.path}: not written: this session has gone on there, as where another companion "
                    "plays it too; nothing of that is lost: close this and start again"
                ) from error
            except sqlite3.Error as error:
                raise JournalFull(f"{self.path}: not written: {error}; {self._advice(error)}") from error
            finally:
                self._users.busy = False

    def _check_disk(self) -> None:
        """Raise where what is written would only seem to be."""
        if is_read_only(self.folder):  # ext4 takes writes and syncs there, and does neither
            raise sqlite3.OperationalError("attempt to write to a disk that is read-only")
        if not self._is_in_place():  # with a log, SQLite goes on with a file that nobody finds any more
            raise sqlite3.OperationalError("the file or its log was deleted, moved or replaced")

    def _is_in_place(self) -> bool:
        """Whether what was opened is at its path still; on a disk that doesn't say, it is."""
        try:
            return inodes(self.path) == self._inodes
        except OSError:
            return True

    def _advice(self, error: sqlite3.Error) -> str:
        """What to do about entries that were not written."""
        code = error_code(error)
        if not self.stale and not self._is_in_place():
            return "put it back and repeat, or close this and start again"
        theirs = self._not_ours()
        if is_read_only(self.folder) or (code == sqlite3.SQLITE_READONLY and not theirs):
            return "it became read-only, as on a failing card; save what is there: companion log backup"
        if is_shut(self.folder):
            return _SHUT
        if theirs:
            return theirs
        if code not in NOT_DAMAGE:
            return "close this and start again"
        if code in BUSY:
            return "another companion is writing; repeat"
        if code == sqlite3.SQLITE_IOERR and not is_full(self.folder):
            return "free some space and repeat; where there is some, the card fails: companion log backup"
        return "free some space and repeat"

    def _way_in(self, error: Exception) -> str:
        """What to do about a journal that can't be opened, though it is not damaged."""
        if is_full(self.folder):
            return "its disk is full: free some space and start again"
        if error_code(error) in BUSY:
            return "another companion is writing; start again"
        return self._not_ours() or ELSEWHERE

    def _not_ours(self) -> str:
        """What to do about a file or folder that is not ours to write; empty where all are."""
        beside = [one for one in own_in(self.path.parent) if one.name.startswith(self.path.name)]
        for place in (self.path, *beside, self.path.parent):
            if not os.access(place, os.R_OK | os.W_OK):
                return way_in(place, PermissionError())
        return ""

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

    # Opening

    def _connected(self) -> sqlite3.Connection:
        """The file at its path, opened; and which ones it and its log are."""
        if mended(self.path).exists():  # who mended it was kept from putting the damaged file aside
            raise sqlite3.DatabaseError("the mended file is not in its place yet")
        db = connect(self.path)
        self._inodes = inodes(self.path)
        return db

    @contextmanager
    def _opening(self) -> Iterator[None]:
        """One companion at a time makes, upgrades or mends the file."""
        path = self.folder / "opening.lock"
        with ExitStack() as stack:
            with _needed_to_open(path):
                lock = path.open("a")
                stack.callback(_let_go, lock)
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _open(self) -> sqlite3.Connection:
        alone = not self._users.opened and self._users.without_others()
        with ExitStack() as if_refused:
            try:
                db = self._sound(alone=alone)
                if_refused.callback(db.close)
            finally:
                self._users.with_others()
            if_refused.pop_all()
            return db

    def _sound(self, *, alone: bool) -> sqlite3.Connection:
        """The file, opened, of which a damaged one is mended."""
        try:
            if alone and (reads_short(self.path) or self._is_emptied()):
                raise sqlite3.DatabaseError("the file or its log is damaged")
            db = self._connected()
        except DAMAGE as error:
            if not self._is_damage(error):
                raise JournalError(f"{self.path}: {error}; {self._way_in(error)}") from error
            return self._salvage()
        except JournalError:
            raise
        except OSError as error:
            raise JournalError(f"{self.path}: {error.strerror}") from error
        else:
            if alone:  # what a power cut left in the log would look like damage after the next one
                with suppress(sqlite3.Error):
                    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return db

    def _is_emptied(self) -> bool:
        """Whether nothing is left of a file in which there were sessions, as where a power cut undoes it."""
        is_empty = self.path.exists() and self.path.stat().st_size == 0
        return is_empty and any((self.folder / "locks").glob("*"))

    def _is_damage(self, error: Exception) -> bool:
        """Whether the file is broken, if only by sectors that a disk lost; not just unreachable or full.

        Nor where it was closed meanwhile, as by a page that stops while a phone still has it read.
        """
        if self._closed:
            return False
        if error_code(error) != sqlite3.SQLITE_IOERR:
            return error_code(error) not in NOT_DAMAGE
        with suppress(OSError):
            lost, of = lost_sectors(self._users.looking(self.path), self.path)
            return 0 < lost < of
        return False

    def _renew(self) -> None:
        """Open the file anew if another journal of this process has mended it."""
        if self.stale:
            with self._users.writing:
                self._db.close()
                self._db = self._connected()
                self.stale = False

    def _salvage(self, damaged: sqlite3.Connection | None = None) -> sqlite3.Connection:
        """Go on with what is sound in the damaged file, which is put aside once that is on disk."""
        with self._users.writing:
            if not self._users.without_others():
                raise JournalError(f"{self.path} is damaged; close the other companion first")
            before = self.salvaged
            self.stale = True  # until it is mended: what is open here is closed below
            try:
                found = None if mended(self.path).exists() else self._mended_apart()
                if damaged is not None:
                    damaged.close()
                self._end_mending(found)
                db = self._connected()
            except JournalError:  # of a newer companion: nothing was changed
                raise
            except (OSError, sqlite3.Error) as error:
                if damaged is not None:
                    damaged.close()
                said = (
                    f"{self.path} is damaged and can't be mended"
                    if self.salvaged is before
                    else f"{self.salvaged}; the mended one can't be opened"
                )
                raise JournalError(f"{said}: {error}; free some space and start again") from error
            else:
                self.stale = False
                return db
            finally:
                for journal in set(self._users.journals) - {self}:  # another file is in the place of theirs
                    journal.stale = True
                    journal.salvaged = self.salvaged
                self._users.with_others()

    def _mended_apart(self) -> Rescued:
        """What is sound in the damaged file; it is on disk, and waits for its place."""
        self.path.touch()
        found = rescue(self.path, empty(), self._users.looking(self.path))
        require_known(found.version, self.path)
        write_anew(self.path, found)
        return found

    def _end_mending(self, found: Rescued | None) -> None:
        """Put the damaged file aside and the mended one in its place; say what was `found` in it."""
        aside = put_aside(self.path)
        report = (found or rescue(aside, empty())).report(aside)
        mended(self.path).replace(self.path)
        self.salvaged = report
        clear_up(self.path.parent)


class _Users:
    """The journals of one folder that this process has open; other processes see one lock of them all."""

    _open: ClassVar[dict[Path, _Users]] = {}
    _changing: ClassVar[Lock] = Lock()

    def __init__(self, folder: Path) -> None:
        self.journals: list[Journal] = []
        self.opened = False
        self.busy = False
        self.writing = RLock()
        self._folder = folder
        self._file = (folder / "journal.lock").open("a")
        self._looking: FileIO | None = None

    @classmethod
    def of(cls, journal: Journal) -> _Users:
        """Those of that journal's folder, with it."""
        folder = journal.folder.resolve()
        with cls._changing:
            users = cls._open.get(folder) or cls(folder)
            users.journals.append(journal)
            cls._open[folder] = users
            return users

    @classmethod
    def are_busy(cls) -> bool:
        """Whether this process writes into a journal, or waits until another companion has written."""
        with cls._changing:
            return any(users.busy for users in cls._open.values())

    def leave(self, journal: Journal) -> None:
        """Go on without that journal."""
        with self._changing:
            if journal not in self.journals:
                return
            self.journals.remove(journal)
            if not self.journals:
                del self._open[self._folder]
                _let_go(self._file)
                self._look_away()

    def looking(self, path: Path) -> FileIO:
        """The file, to look at beside SQLite; kept open: closing it would undo SQLite's locks (fcntl(2))."""
        if self._looking is None or not samestat(fstat(self._looking.fileno()), path.stat()):
            self._look_away()
            self._looking = path.open("rb", buffering=0)
        return self._looking

    def _look_away(self) -> None:
        if self._looking is not None:
            _let_go(self._looking)
            self._looking = None

    def without_others(self) -> bool:
        """Keep other processes out, if none has the file open."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.with_others()
            return False
        return True

    def with_others(self) -> None:
        """Let other processes have the file open too."""
        with _needed_to_open(self._folder / "journal.lock"):
            fcntl.flock(self._file, fcntl.LOCK_SH)


@contextmanager
def _needed_to_open(lock: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise JournalError(
            f"{lock}: no journal can be opened or mended there: {error.strerror}; {ELSEWHERE}"
        ) from error


def _let_go(file: IO[str] | FileIO) -> None:
    """Close what nothing was written to; a disk that is gone, as one in a network, refuses even that."""
    with suppress(OSError):
        file.close()


is_being_written = _Users.are_busy
