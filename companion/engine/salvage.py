"""What can still be read of a damaged journal.

The file is read as bytes: entries and heads are JSON lines with checks, so sound ones are found
wherever they lie, also where SQLite's own structure is gone or the disk does not give some sectors any
more. Nothing is taken on past a gap, and nothing is written to the file.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import struct
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from io import BytesIO, FileIO
from itertools import dropwhile
from operator import itemgetter
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from companion.engine.line import Act, Entry, seal
from companion.engine.records import Meta, Note, RollRow, blob_name
from companion.wording import counted

_ENTRY = b'{"session":"'
_HEAD = b'{"id":"'
_LONGEST = 1 << 14

DAMAGE = (sqlite3.Error, msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What reading a damaged file raises; SQLite's own messages may quote bytes that are no text."""
UNREADABLE = (*DAMAGE, MemoryError)
"""What reading a damaged row raises; newer SQLites make room for as many bytes as it says it has."""


class Salvage(msgspec.Struct, frozen=True):
    """What a rescue came to; `lost` counts the entries known to have existed and not kept.

    `gone` counts sessions that were played here and of which not even the head is left.
    """

    aside: Path
    sessions: int
    kept: int
    lost: int
    gone: int = 0

    def __str__(self) -> str:
        gone = f", nothing is left of {counted(self.gone, 'other session')}" if self.gone else ""
        return (
            f"the journal was damaged: kept {self.kept} entries of {self.sessions} sessions, "
            f"lost {self.lost} or more{gone}; the damaged file is {self.aside}"
        )


class Rescued(msgspec.Struct, frozen=True):
    """Sound records of a damaged file, which is of that `version`.

    `heads` are in the order in which the sessions were begun, `entries` in that in which they were played.
    `highest` counts entries, those of sessions whose head is lost too.
    """

    version: int
    heads: dict[str, Meta]
    entries: dict[str, list[Entry]]
    blobs: dict[str, bytes]
    rolls: list[tuple[object, ...]]
    notes: list[tuple[object, ...]]
    highest: dict[str, int]

    def report(self, aside: Path, played: Iterable[str]) -> Salvage:
        """The figures for the person at the table; `played` are sessions that were there, as far as known."""
        kept = sum(len(entries) for entries in self.entries.values())
        gone = len({*played} - self.heads.keys())
        return Salvage(aside, len(self.heads), kept, sum(self.highest.values()) - kept, gone)


def rescue(path: Path, empty: bytes, file: FileIO | None = None, left: bytes = b"") -> Rescued:
    """Everything sound in the file at `path` and its write-ahead log; never raises for damage.

    `empty` is a journal with nothing in it: its tables begin where those of every journal do. `file` is the
    one at `path` where this process has it open in SQLite, whose locks opening and closing it would undo.
    `left` is the log that the last stop left, which SQLite has dropped since: from before it began anew it
    has what is in the file too.
    Sessions are in order, and ended or not, as SQLite reads them. A head that only its bytes give may be one
    from before an end was undone: where anything was, playing on shows whether that was so.
    """
    data = _joined(readable(path) if file is None else _with_zeros(_sectors(file)))
    log = log_content(path)
    heads: dict[str, Meta] = {}
    strays: dict[str, Meta] = {}
    found: dict[str, dict[int, list[Entry]]] = defaultdict(lambda: defaultdict(list))
    read = _through_sqlite(data, log, path.parent, empty)
    played: dict[str, None] = {}
    seen: set[bytes] = set()
    for known, lines in ((heads, read.lines), (strays, _lines(data, log, left))):
        for line in lines:
            if line in seen:
                continue
            seen.add(line)
            with suppress(*DAMAGE):
                if line.startswith(_HEAD):
                    head = msgspec.json.decode(line, type=Meta)
                    _keep_head(known, head)
                    name = head.id
                else:
                    entry = msgspec.json.decode(line, type=Entry)
                    found[entry.session][entry.seq].append(entry)
                    name = entry.session
                if known is heads:
                    played.pop(name, None)
                    played[name] = None
    chains = {one: _chain(lines) for one, lines in found.items()}
    last = {one: at for at, one in enumerate(played)}
    names = sorted({**heads, **strays}, key=lambda one: last.get(one, -1))
    entries = {one: chains.get(one, []) for one in names}
    for stray in sorted(strays.values(), key=lambda head: head.created):
        is_undone = any(entry.act is Act.UNDO for entry in entries[stray.id])
        heads.setdefault(stray.id, stray.start() if is_undone else stray)
    highest = {one: len(chain) for one, chain in chains.items()}
    highest |= {one: max(read.counts.get(one, 0), 0, *found[one]) for one in heads}
    kept = {(one, entry.seq) for one, chain in entries.items() for entry in chain}
    rolls = [roll for roll in read.rolls if roll[:2] in kept and _is_roll(roll)]
    notes = [note for note in read.notes if note[0] in heads and _is_note(note[1])]
    return Rescued(read.version, heads, entries, read.blobs, rolls, notes, highest)


def _keep_head(heads: dict[str, Meta], head: Meta) -> None:
    if head.sealed() == head and (head.outcome or head.id not in heads):
        heads[head.id] = head


def _chain(found: dict[int, list[Entry]]) -> list[Entry]:
    """The longest sound chain.

    A line may stand there damaged and sound, and an answer that was refused for want of space may have left
    its line beside the one that took its place: all are followed until one breaks.
    """
    ends: list[_Link] = [_Link("", None, None)]
    for seq in range(1, len(found) + 1):
        longer = {
            one.check: _Link(one.check, one, end)
            for end in ends
            for one in found.get(seq, ())
            if seal(one, end.check).check == one.check
        }
        if not longer:
            break
        ends = [*longer.values()]
    return ends[0].chain()


class _Link(NamedTuple):
    check: str
    entry: Entry | None
    before: _Link | None

    def chain(self) -> list[Entry]:
        entries: list[Entry] = []
        link: _Link | None = self
        while link is not None and link.entry is not None:
            entries.append(link.entry)
            link = link.before
        return entries[::-1]


class _Read(NamedTuple):
    """What SQLite still reads; long lines lie on several pages."""

    version: int
    lines: list[bytes]
    counts: dict[str, int]
    blobs: dict[str, bytes]
    rolls: list[tuple[object, ...]]
    notes: list[tuple[object, ...]]


def _through_sqlite(data: bytes, log: bytes, folder: Path, empty: bytes) -> _Read:
    with _copied(data, log, folder, empty) as copy, closing(sqlite3.connect(copy)) as db:
        written = [
            row for table in ("sessions", "entries") for row in _rows(db, "rowid, CAST(line AS BLOB)", table)
        ]
        lines = [line for _, line in sorted(written, key=itemgetter(0)) if line]
        heads, pictures = _rows(db, "id, entries", "sessions"), _rows(db, "hash, data", "blobs")
        counts = {name: count for name, count in heads if isinstance(count, int)}
        blobs = {name: data for name, data in pictures if _is_blob(name, data)}
        (version,) = db.execute("PRAGMA user_version").fetchone()
        return _Read(version, lines, counts, blobs, _rows(db, "*", "rolls"), _rows(db, "*", "notes"))


def _rows(db: sqlite3.Connection, columns: str, table: str) -> list[tuple[Any, ...]]:
    """The rows of a table that can be read, in order; past a damaged one, where SQLite stops, by number."""
    rows: dict[int, tuple[Any, ...]] = {}
    numbers: set[int] = set()
    with suppress(*UNREADABLE):
        rows.update((row[0], row[1:]) for row in db.execute(f"SELECT rowid, {columns} FROM {table}"))  # noqa: S608 - ours
    for way in ("", "NOT INDEXED"):
        with suppress(*UNREADABLE):
            numbers.update(row for (row,) in db.execute(f"SELECT rowid FROM {table} {way}"))  # noqa: S608 - ours
    for number in numbers - rows.keys():
        with suppress(*UNREADABLE):
            for row in db.execute(f"SELECT {columns} FROM {table} WHERE rowid = ?", (number,)):  # noqa: S608 - ours
                rows[number] = row
    return [rows[number] for number in sorted(rows)]


@contextmanager
def _copied(data: bytes, log: bytes, folder: Path, empty: bytes) -> Iterator[Path]:
    """A copy for SQLite with all of the log in it; SQLite itself would drop what follows damage.

    Where its first page tells of no tables any more, it has an `empty` journal's.
    """
    with tempfile.TemporaryDirectory(prefix="mending-", dir=folder) as room:
        copy = Path(room) / "copy.sqlite"
        copy.write_bytes(data)
        with copy.open("r+b") as file:
            _write_log(file, len(data), log)
        if not _has_tables(copy):
            with copy.open("r+b") as file:  # how many pages there are, SQLite is to see for itself
                file.write(empty[:28] + bytes(4) + empty[32:_PAGE])
        yield copy


def _write_log(file: BinaryIO, length: int, log: bytes) -> None:
    """Put the pages of the log where they belong in a file of that length."""
    frames = _ended(list(_frames(log)))
    most = length // _PAGE + len(frames)
    for frame in frames:
        if 0 < frame.page <= most:
            file.seek((frame.page - 1) * _PAGE)
            file.write(frame.data)


def _ended(frames: Sequence[_Frame]) -> Sequence[_Frame]:
    """Those of transactions that came to their end."""
    ends = [at for at, frame in enumerate(frames, start=1) if frame.ends]
    return frames[: max(ends, default=0)]


def _has_tables(copy: Path) -> bool:
    with suppress(*UNREADABLE), closing(sqlite3.connect(copy)) as db:
        return {"sessions", "entries", "rolls", "blobs"} <= {
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
    return False


class _Frame(NamedTuple):
    """A page in the write-ahead log: whether a transaction ends there, and whether SQLite would read it.

    It would not past damage, be the page itself as `whole` as it was written.
    """

    page: int
    ends: bool
    sound: bool
    whole: bool
    data: bytes


_MOST_PAGES = 1 << 20
"""More than any journal has; a larger number is noise."""

_SECTOR = 4096
"""Bytes that are written and lost together: SQLite fills up a transaction to that with its last page."""

_SMALLEST_SECTOR = 512
"""Bytes that a disk may write and lose apart from the next ones."""

_MAGIC = 0x377F0682
"""What a log begins with; one of zeros has right checksums too."""

_PAGE = 4096
"""Bytes of a page, in every journal."""


def _frames(data: bytes) -> Iterator[_Frame]:
    """The frames of the log's newest round in order, those past damage too."""
    if len(data) < 32:
        return
    magic, _, _, _, *salts, sum0, sum1 = struct.unpack(">8I", data[:32])
    sound = magic == _MAGIC and _sums(data[:24], (0, 0)) == (sum0, sum1)
    starts = range(32, len(data) - _PAGE - 23, _PAGE + 24)
    heads = {start: struct.unpack(">6I", data[start : start + 24]) for start in starts}
    if not sound:
        salts = _newest_round(data, heads) or salts
    last = _Frame(0, ends=False, sound=False, whole=False, data=b"")
    sums = (sum0, sum1)
    for start, (page, length, *own, sum0, sum1) in heads.items():
        before, sums = sums, (sum0, sum1)
        if own != salts:
            sound = False
            continue
        content = data[start + 24 : start + 24 + _PAGE]
        whole = _sums(data[start : start + 8] + content, before) == sums
        sound = sound and whole
        parted = not whole and (start + 8) % _SMALLEST_SECTOR == 0  # the page and length may be from before
        frame = _Frame(page, not parted and 0 < page <= length < _MOST_PAGES, sound, whole, content)
        synced = (start + 24 + _PAGE) // _SECTOR * _SECTOR - start - 24
        if not sound and last.sound and frame[:2] == last[:2] and content[:synced] == last.data[:synced]:
            continue  # fills up a sector, in which the next transaction begins
        last = frame
        yield frame


def _newest_round(data: bytes, heads: Mapping[int, Sequence[int]]) -> list[int]:
    """The round of the first whole page: a log that begins anew is written over from its beginning."""
    before = (0, 0)
    for start, (page, _, *salts, sum0, sum1) in heads.items():
        sums = _sums(data[start : start + 8] + data[start + 24 : start + 24 + _PAGE], before)
        before = (sum0, sum1)
        if page and sums == before:
            return salts
    return []


def _sums(data: bytes, before: tuple[int, int]) -> tuple[int, int]:
    """SQLite's checksum over the log so far, on a machine with the low byte first, as Pi and laptop are."""
    one, two = before
    for first, second in struct.iter_unpack("<2I", data):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def reads_short(path: Path, log: bytes) -> bool:
    """Whether SQLite would pass over synced entries of that log without a word.

    A power cut damages only the transaction that was being written, the last one: where another one
    follows, it is other damage, unless the log was being begun anew over what is in the file already.
    """
    frames = list(_frames(log))
    if frames and not (path.exists() and path.stat().st_size):
        return True
    past = dropwhile(lambda frame: frame.sound, frames)
    end = next((frame.page for frame in past if frame.ends), 0)
    # The end itself may be repeated; of what was being written, a frame's head may be half one from before.
    follows = any(frame.whole and (not frame.ends or frame.page != end) for frame in past)
    return follows and not _is_in_file(path, frames)


def _is_in_file(path: Path, frames: Sequence[_Frame]) -> bool:
    """Whether SQLite reads nothing of a log, and its pages, as far as they are whole, stand in the file."""
    pages = dict(enumerate(readable(path), start=1))
    newest = {frame.page: frame for frame in _ended(frames)}
    whole = [frame for frame in newest.values() if frame.whole]
    is_read = any(frame.sound for frame in frames)
    return bool(whole) and not is_read and all(pages.get(one.page) == one.data for one in whole)


def lost_sectors(file: FileIO, path: Path) -> tuple[int, int]:
    """How many sectors of the open file at `path` and of its log the disk doesn't give, and of how many."""
    lost = [sector is None for part in (_sectors(file), _sectors_at(_log(path))) for sector in part]
    return sum(lost), len(lost)


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def log_content(path: Path) -> bytes:
    """The log, a sector of one and the same byte as zeros, of which its end has no more than a page may have.

    SQLite writes no other such sector, as pages begin with a number; of those of a log that was never
    written, or of erased flash, there may be too many for memory.
    """
    content, size = BytesIO(), 0
    for sector in readable(_log(path)):
        if sector.count(sector[0]) < len(sector):
            content.seek(size)  # what is skipped is zeros then
            content.write(sector)
        size += len(sector)
    data = content.getvalue()
    return data + bytes(min(size - len(data), 2 * _SECTOR))


def _joined(sectors: Iterable[bytes]) -> bytes:
    """Sectors in one; `join` would have all of them in memory twice."""
    content = BytesIO()
    content.writelines(sectors)
    return content.getvalue()


def readable(path: Path) -> Iterator[bytes]:
    """The file at `path` by sectors, with zeros where it can't be read; nothing if it is not there."""
    return _with_zeros(_sectors_at(path))


def _with_zeros(sectors: Iterable[bytes | None]) -> Iterator[bytes]:
    return (bytes(_SECTOR) if sector is None else sector for sector in sectors)


def _sectors_at(path: Path) -> Iterator[bytes | None]:
    """The sectors of the file at `path`, none if it is not there."""
    with suppress(FileNotFoundError), path.open("rb", buffering=0) as file:
        yield from _sectors(file)


def _sectors(file: FileIO) -> Iterator[bytes | None]:
    """A file by sectors, None for each that the disk does not give any more."""
    for start in range(0, os.fstat(file.fileno()).st_size, _SECTOR):
        try:
            sector = os.pread(file.fileno(), _SECTOR, start)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            sector = None
        yield sector


def _is_note(line: object) -> bool:
    with suppress(*DAMAGE):
        return isinstance(line, str) and isinstance(msgspec.json.decode(line, type=Note), Note)
    return False


def _is_roll(row: tuple[object, ...]) -> bool:
    with suppress(msgspec.ValidationError):
        return bool(msgspec.convert(row, RollRow))
    return False


def _is_blob(name: object, data: object) -> bool:
    return isinstance(data, bytes) and blob_name(data) == name


def _lines(*files: bytes) -> Iterator[bytes]:
    import json

    decoder = json.JSONDecoder()
    for data in files:
        for start in _starts(data):
            with suppress(ValueError, RecursionError):
                _, length = decoder.raw_decode(data[start : start + _LONGEST].decode("latin-1"))
                yield data[start : start + length]


def _starts(data: bytes) -> Iterator[int]:
    for mark in (_HEAD, _ENTRY):
        start = data.find(mark)
        while start >= 0:
            yield start
            start = data.find(mark, start + 1)
