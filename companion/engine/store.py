"""The journal's file as this process has it open: locked, read, written, and mended where it is damaged.

Its tables are in database.py; what is kept in them is journal.py's.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import FileIO
from os import fstat
from os.path import realpath, samestat
from pathlib import Path
from threading import Lock, RLock
from typing import IO, ClassVar, Concatenate, ParamSpec, TypeVar

from companion.engine.database import (
    BUSY,
    FILE,
    NOT_DAMAGE,
    clear_up,
    connect,
    empty,
    error_code,
    inodes,
    mended,
    put_aside,
    require_known,
    write_anew,
)
from companion.engine.errors import JournalError, JournalFull
from companion.engine.files import (
    ELSEWHERE,
    NOT_PLAIN,
    hand_over,
    is_endless,
    is_full,
    is_read_only,
    is_shut,
    make_folder,
    own_in,
    way_in,
)
from companion.engine.salvage import (
    DAMAGE,
    Rescued,
    Salvage,
    log_content,
    lost_sectors,
    reads_short,
    rescue,
)

P = ParamSpec("P")
T = TypeVar("T")

_SHUT = (
    "its disk shut after an error, as on a failing card;"
    " restart the machine, then save what is there: companion log backup"
)
_READ_ONLY = "it became read-only, as on a failing card; save what is there: companion log backup"


class Store:
    """The file of one data directory.

    `salvaged` is set when a damaged file was found, by this or another store of this process: what was kept
    and lost, and where the file went.
    `stale` is set when another store of this process has mended the file: it is opened anew then.
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
            make_folder(folder)
            (folder / "opening.lock").touch()
            self._users = _Users.of(self)
            hand_over(folder, folder / "opening.lock", folder / "journal.lock")
        except OSError as error:
            advice = (own_in(folder) and failing(folder)) or way_in(Path(error.filename or folder), error)
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

    def reading(
        self, read: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **options: P.kwargs
    ) -> T:
        """What `read` finds; if it meets damage, what it finds after a salvage (see `salvaged`)."""
        with self._using:
            try:
                self._renew()
                return read(self._db, *args, **options)
            except DAMAGE as error:
                with self._opening(), self._users.writing:
                    self._mend(error)
            return read(self._db, *args, **options)

    def _mend(self, error: Exception) -> None:
        """Go on with what another store has mended by now, or with what is sound beside this damage."""
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

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All that is written within it is on disk at its end, or nothing of it.

        Raises `JournalFull` if the disk does not take it, with what to do.
        """
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
            return _READ_ONLY
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

    # Opening and mending

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
                stack.callback(let_go, lock)
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
            if alone:
                self._users.left = log_content(self.path)
                if reads_short(self.path, self._users.left) or self._is_emptied():
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
        return is_empty and bool(self._played())

    def _played(self) -> list[str]:
        """The sessions that were played here, as their locks have it."""
        return [lock.name for lock in (self.folder / "locks").glob("*")]

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
        """Open the file anew if another store of this process has mended it."""
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
                for store in set(self._users.stores) - {self}:  # another file is in the place of theirs
                    store.stale = True
                    store.salvaged = self.salvaged
                self._users.with_others()

    def _mended_apart(self) -> Rescued:
        """What is sound in the damaged file; it is on disk, and waits for its place."""
        self.path.touch()
        found = rescue(self.path, empty(), self._users.looking(self.path), self._users.left)
        require_known(found.version, self.path)
        write_anew(self.path, found)
        return found

    def _end_mending(self, found: Rescued | None) -> None:
        """Put the damaged file aside and the mended one in its place; say what was `found` in it."""
        aside = put_aside(self.path)
        report = (found or rescue(aside, empty())).report(aside, self._played())
        mended(self.path).replace(self.path)
        self.salvaged = report
        self._users.left = b""  # what of it was sound is in there
        clear_up(self.path.parent)


class _Users:
    """The stores of one folder that this process has open; other processes see one lock of them all."""

    _open: ClassVar[dict[Path, _Users]] = {}
    _changing: ClassVar[Lock] = Lock()

    def __init__(self, folder: Path) -> None:
        self.stores: list[Store] = []
        self.opened = False
        self.busy = False
        self.left = b""  # the log as it was found, kept as long as damage may show
        self.writing = RLock()
        self._folder = folder
        self._file = (folder / "journal.lock").open("a")
        self._looking: FileIO | None = None

    @classmethod
    def of(cls, store: Store) -> _Users:
        """Those of that store's folder, with it."""
        folder = store.folder.resolve()
        with cls._changing:
            users = cls._open.get(folder) or cls(folder)
            users.stores.append(store)
            cls._open[folder] = users
            return users

    @classmethod
    def are_busy(cls) -> bool:
        """Whether this process writes into a store, or waits until another companion has written."""
        with cls._changing:
            return any(users.busy for users in cls._open.values())

    def leave(self, store: Store) -> None:
        """Go on without that store."""
        with self._changing:
            if store not in self.stores:
                return
            self.stores.remove(store)
            if not self.stores:
                del self._open[self._folder]
                let_go(self._file)
                self._look_away()

    def looking(self, path: Path) -> FileIO:
        """The file, to look at beside SQLite; kept open: closing it would undo SQLite's locks (fcntl(2))."""
        if self._looking is None or not samestat(fstat(self._looking.fileno()), path.stat()):
            self._look_away()
            self._looking = path.open("rb", buffering=0)
        return self._looking

    def _look_away(self) -> None:
        if self._looking is not None:
            let_go(self._looking)
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
            f"{lock}: no store can be opened or mended there: {error.strerror}; "
            f"{failing(lock.parent) or ELSEWHERE}"
        ) from error


def failing(folder: Path) -> str:
    """What to do about sessions on a disk that takes no writes; empty where it takes some."""
    if is_read_only(folder):
        return _READ_ONLY
    return _SHUT if is_shut(folder) else ""


def let_go(file: IO[str] | FileIO) -> None:
    """Close what nothing was written to; a disk that is gone, as one in a network, refuses even that."""
    with suppress(OSError):
        file.close()


is_being_written = _Users.are_busy
