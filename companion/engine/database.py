"""The journal's file: its tables, how it is opened and checked, and how a mended one takes its place.

What is written into it, journal.py says, when it is mended store.py, and what a damaged one still holds
salvage.py.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from os.path import realpath
from pathlib import Path

import msgspec

from companion.engine.errors import JournalError
from companion.engine.files import hand_over, sync
from companion.engine.line import Entry
from companion.engine.salvage import Rescued

FILE = "journal.sqlite"

_MIGRATIONS = (
    """
    CREATE TABLE sessions (id TEXT PRIMARY KEY, line TEXT NOT NULL, entries INTEGER NOT NULL);
    CREATE TABLE entries (session TEXT NOT NULL, seq INTEGER NOT NULL, line TEXT NOT NULL,
                          PRIMARY KEY (session, seq));
    CREATE TABLE rolls (session TEXT NOT NULL, seq INTEGER NOT NULL, nth INTEGER NOT NULL,
                        die TEXT NOT NULL, face TEXT NOT NULL, source TEXT NOT NULL,
                        confidence REAL, read TEXT, photo TEXT, PRIMARY KEY (session, seq, nth));
    CREATE TABLE blobs (hash TEXT PRIMARY KEY, data BLOB NOT NULL);
    """,
    "CREATE TABLE notes (session TEXT NOT NULL, line TEXT NOT NULL);",
)
"""The schema, step by step; SQLite's `user_version` counts the steps that a file has taken."""

_MOST_STEPS = 1000
"""More than any schema will ever take; a larger number is noise."""

_NEXT = "1 + (SELECT max(n) FROM (SELECT max(rowid) n FROM sessions UNION SELECT max(rowid) FROM entries))"
"""The number of the next session or entry: one count of both tells what came later, not a clock."""

QUICKLY_CHECKED = 8 << 20
"""Bytes of a file whose structure is checked at every start; a larger one after an unclean stop."""

SMALLEST = 512
"""Bytes of the smallest file that can be a database; SQLite takes a smaller one for an empty one."""

BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
"""What SQLite calls a file that another program has locked, or whose locks the disk does not give."""

NOT_DAMAGE = BUSY | {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}


def connect(path: Path) -> sqlite3.Connection:
    """The file, made if it is not there, with the tables of today; what is raised for damage see `DAMAGE`."""
    # psow=0: a sector that is being written when the power fails may lose what it held before, so
    # SQLite fills up the sector of each commit and never writes into it again.
    is_new = not path.exists()
    if not is_new and 0 < path.stat().st_size < SMALLEST:
        raise sqlite3.DatabaseError("a stump")
    # Path.as_uri would do, but from Python 3.14 on it imports ssl and email for that.
    name = realpath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    uri = f"file://{name}?psow=0"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=10)
    try:
        unclean = path.with_name(f"{path.name}-wal").exists()
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA fullfsync = ON")  # macOS: a plain fsync leaves an answer in the drive's cache
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 200")
        db.execute("PRAGMA journal_size_limit = 4194304")
        if unclean or path.stat().st_size < QUICKLY_CHECKED:
            _check_structure(db)
        _check_tables(db)
        _migrate(db, path)
        db.execute("SELECT count(*) FROM sessions").fetchone()
        if is_new:
            hand_over(path.parent, path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm")))
    except BaseException:
        db.close()
        raise
    return db


def inodes(path: Path) -> list[int | None]:
    """Which files the database at `path`, its log and the log's index are; None for one that is not there."""
    return [_inode(path.with_name(path.name + ending)) for ending in ("", "-wal", "-shm")]


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return None


def _check_structure(db: sqlite3.Connection) -> None:
    if db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise sqlite3.DatabaseError("structure is damaged")


def _check_tables(db: sqlite3.Connection) -> None:
    """A view or trigger, which no journal has, may go on for ever, or write what it likes."""
    if db.execute("SELECT 1 FROM sqlite_master WHERE type IN ('view', 'trigger')").fetchone():
        raise sqlite3.DatabaseError("there are views or triggers, as in no journal")


def error_code(error: Exception) -> int:
    """What SQLite calls an error; what only our own checks find is damage."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return code & 0xFF


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    require_known(version, path)
    if version >= _MOST_STEPS:
        raise sqlite3.DatabaseError(f"version {version} is damage")
    for number, step in enumerate(_MIGRATIONS[version:], start=version + 1):
        db.executescript(f"BEGIN IMMEDIATE; {step}; PRAGMA user_version = {number}; COMMIT;")


def require_known(version: int, path: Path) -> None:
    """`JournalError` for a journal of which this companion does not know all."""
    if len(_MIGRATIONS) < version < _MOST_STEPS:
        raise JournalError(f"{path} is from a newer companion (version {version}); upgrade this one")


def check_version(path: Path) -> None:
    """As `require_known`, by the file's own first bytes: it is not opened, and may be in use."""
    try:
        with path.open("rb") as file:
            head = file.read(SMALLEST)
    except OSError:  # said where it is opened
        return
    if head.startswith(b"SQLite format 3\0"):
        require_known(int.from_bytes(head[60:64], "big"), path)


def empty() -> bytes:
    """A journal with nothing in it."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        _migrate(db, Path(":memory:"))
        return db.serialize()


def mended(path: Path) -> Path:
    """Where a mended journal waits, whole and synced, to take the damaged one's place."""
    return path.with_name("journal.mended.sqlite")


def write_anew(path: Path, found: Rescued) -> None:
    """Put what was found on disk as a journal of its own; it counts once it has its name."""
    draft = path.with_name("journal.mending.sqlite")
    draft.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(draft, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = OFF")
            _migrate(db, draft)
            _refill(db, found)
        shutil.copymode(path, draft)
        hand_over(path, draft)
        sync(draft)
        draft.replace(mended(path))
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync(path.parent)


def _refill(db: sqlite3.Connection, found: Rescued) -> None:
    db.execute("BEGIN IMMEDIATE")
    for name, head in found.heads.items():
        enter(db, name, as_line(head), len(found.entries[name]))
    newest = next(reversed(found.heads), "")
    for name, chain in found.entries.items():
        for entry in chain:
            insert(db, entry)
        if name == newest and not chain:
            move(db, name, 0)
    db.executemany("INSERT INTO blobs VALUES (?, ?)", found.blobs.items())
    db.executemany("INSERT OR IGNORE INTO rolls VALUES (?,?,?,?,?,?,?,?,?)", found.rolls)
    db.executemany("INSERT INTO notes VALUES (?, ?)", found.notes)
    db.execute("COMMIT")


def put_aside(path: Path) -> Path:
    """Put the damaged file aside; returns where it is now.

    The file itself goes after its log, so that it is there still if this is cut short and called again.
    """
    number = 1
    while (aside := path.with_name(f"journal.damaged-{number}.sqlite")).exists():
        number += 1
    if not path.exists():
        aside = path.with_name(f"journal.damaged-{number - 1}.sqlite")
    for ending in ("-wal", "-shm", ""):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.replace(aside.with_name(aside.name + ending))
    return aside


def clear_up(folder: Path) -> None:
    """See to it that a mended file stays in its place, and nothing else of the mending."""
    sync(folder)
    for left in folder.glob("mending-*"):  # from a rescue that was cut short
        shutil.rmtree(left, ignore_errors=True)


def enter(db: sqlite3.Connection, session: str, head: str, count: int = 0) -> None:
    """Put a session's head into its table."""
    row = f"INSERT INTO sessions (rowid, id, line, entries) VALUES ({_NEXT}, ?, ?, ?)"  # noqa: S608 - ours
    db.execute(row, (session, head, count))


def insert(db: sqlite3.Connection, entry: Entry) -> None:
    """Put an entry into its table."""
    row = f"INSERT INTO entries (rowid, session, seq, line) VALUES ({_NEXT}, ?, ?, ?)"  # noqa: S608 - ours
    db.execute(row, (entry.session, entry.seq, as_line(entry)))


def move(db: sqlite3.Connection, session: str, seq: int) -> None:
    """Count a session's head (`seq` 0) or an entry as the one that was written last."""
    rows = ("sessions", "id = ? AND 0 = ?"), ("entries", "session = ? AND seq = ?")
    for table, which in rows:
        db.execute(f"UPDATE {table} SET rowid = {_NEXT} WHERE {which}", (session, seq))  # noqa: S608 - ours


def as_line(record: msgspec.Struct) -> str:
    """A record as the file has it: one line of JSON."""
    return msgspec.json.encode(record).decode()
