"""One file that holds a whole data directory, and taking it back on another machine.

A backup is a zip of the journal (copied by SQLite while it is in use), the owner's packs and the taught
dice. Restoring never overwrites: files that are here already stay as they are, and to a session that is here
only what the backup has more of is added. Nor does a backup take the place of one that knows more than it.
"""

from __future__ import annotations

import errno
import fcntl
import lzma
import os
import shutil
import sqlite3
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from pathlib import Path, PurePath, PurePosixPath

import msgspec

from companion.engine.database import FILE
from companion.engine.errors import BadInput, HereAlready, PackError, SessionBusy
from companion.engine.files import NEWEST_ROLL, NOT_PLAIN, is_endless, not_own, plain, sync, write_nameless
from companion.engine.journal import Journal
from companion.engine.owner_pack import alone
from companion.logbook.cut_off import listed_anew
from companion.logbook.exports import checked, whole
from companion.wording import counted

FOLDERS = ("packs", "dice")
"""What is kept of a data directory beside the journal."""
PASSING = (".lock", ".new", ".part", ".npz")
"""Files that are there only while another is written, or are made anew of others where they are missing."""
PACK = "pack.toml"
WHOLES = (PACK, "set.json")
"""Files of a pack and of a taught set that are there as long as it is."""
TORN = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, UnicodeDecodeError, KeyError, EOFError, RuntimeError)
"""What reading a zip raises that is damaged, encrypted, or packed in an unknown way."""
HEAD = 30
"""Bytes of a zip before the name of the first file in it, in a backup the journal's."""
CUT_OFF = "its end is missing or damaged, and what lay there is lost; try another copy"
"""What is said of a backup that lacks its end."""
ROOM = ".companion-room-"
"""What folders begin with that are there only while a backup is written or read."""
PIECE = 1 << 12
"""Bytes that are unpacked at once: the last ones are lost where the whole proves to be damaged."""
LARGEST = 4 << 30
"""Bytes that a backup may unpack to."""
LARGEST_FILE = 64 << 20
"""Bytes of a file in it beside the journal, which is read as a whole; packs and pictures have far fewer."""


class Restored(msgspec.Struct, frozen=True):
    """What a backup brought: sessions and files new here, and those that were here already.

    `longer` are sessions that were here and of which more was there, `refused` says why others were left out:
    they went on otherwise here, or are none that could be; files, that they are damaged or the disk is full.
    """

    sessions: int
    known_sessions: int
    files: int = 0
    kept_files: tuple[str, ...] = ()
    longer: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    salvaged: str = ""


def backup(journal: Journal, folder: Path, path: Path) -> None:
    """Write `journal`, and the packs and dice of the data directory, to one file, whole or not at all.

    Every session is read before: what damage only that shows is mended then, and not kept as it is.

    `BadInput` where a backup is there that has more, as on a new card or after a salvage, or something else
    than a backup.
    """
    not_own(path, folder)
    path = plain(path)
    for meta in journal.sessions():
        journal.entries(meta.id)
        journal.rolls(meta.id)
    try:
        lost, parted, files = _only_in(path, journal, folder)
    except OSError as error:
        raise BadInput(
            f"{path}: not written: what is there can't be read: {error.strerror or error}"
        ) from error
    if lost or parted or files:
        advice = (
            f"{counted(parted, 'session')} went on otherwise here: name another file"
            if parted
            else "name another file, or take that back first (companion log restore)"
        )
        sessions = lost + parted and f"more of {counted(lost + parted, 'session')} than there is here"
        more = sessions or f"packs or taught dice that are not here, such as {files[0]}"
        raise BadInput(f"{path}: not written: it has {more}; {advice}")
    try:
        with _room_in(path.parent) as room:
            copied, draft = room / FILE, room / "draft.zip"
            with closing(sqlite3.connect(journal.path)) as here, closing(sqlite3.connect(copied)) as there:
                here.backup(there)
            with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as pack:
                pack.write(copied, FILE)
                _pack(pack, folder)
            sync(draft)
            draft.replace(path)
        with suppress(OSError):  # not every file system can do that for a folder
            sync(path.parent)
    except (OSError, ValueError, sqlite3.Error) as error:
        raise BadInput(f"{path}: not written: {getattr(error, 'strerror', error)}") from error


def _pack(pack: zipfile.ZipFile, folder: Path) -> None:
    """Put the owner's packs and the taught dice into a backup; ValueError where one is taken away."""
    try:
        for file in _files(folder):
            pack.write(file, file.relative_to(folder).as_posix())
    except FileNotFoundError as error:
        raise ValueError(f"{error.filename} was removed meanwhile; repeat") from error


def is_bare(journal: Journal, folder: Path) -> bool:
    """Whether nothing is there that a backup would keep, as where the folder's name is mistyped."""
    return not journal.sessions() and not any(_files(folder))


def restore(journal: Journal, path: Path) -> Restored:
    """Take back what a backup has and `journal`'s directory has not; `BadInput` if it is not a backup."""
    with _backup_at(path) as (pack, members):
        with _journal_in(pack, journal.folder) as source:
            done = _adopt(journal, source)
            salvaged = source.salvaged and msgspec.structs.replace(source.salvaged, aside=path)
        files, kept, lost = _unpack(pack, members, journal.folder)
    refused = (*done.refused, *lost, *([f"{path}: {CUT_OFF}"] if _is_cut_off(path) else ()))
    return msgspec.structs.replace(
        done, files=files, kept_files=kept, refused=refused, salvaged=str(salvaged or "")
    )


def check(path: Path) -> None:
    """`BadInput` if there is nothing to restore, before a journal is made for it."""
    with _backup_at(path):
        pass


@contextmanager
def _backup_at(path: Path) -> Iterator[tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]]:
    """A backup to take back, and its files beside the journal."""
    try:
        with unzipped(path) as pack:
            pack.getinfo(FILE)
            yield pack, _members(pack, path)
    except TORN as error:
        if not is_endless(path) and path.stat().st_size and _was_backup(path):
            why = f"this backup is damaged: {error}; try another copy"
            raise BadInput(f"{path}: not restored: {why}") from error
        advice = "companion log backup writes one, companion log import takes an exported session"
        raise BadInput(f"{path}: not a backup of the companion: {error}; {advice}") from error
    except OSError as error:
        raise BadInput(f"{path}: not restored: {error.strerror or error}") from error


@contextmanager
def unzipped(path: Path) -> Iterator[zipfile.ZipFile]:
    """A zip to read from, also a backup that was cut off; a device, which may have no end, is a BadZipFile.

    So is one of which damage puts a part before its beginning.
    """
    if is_endless(path):
        raise zipfile.BadZipFile(NOT_PLAIN)
    try:
        if not _is_cut_off(path):
            with zipfile.ZipFile(path) as pack:
                yield pack
            return
        with path.open("rb") as torn, tempfile.TemporaryFile() as file:
            listed_anew(torn, file)
            with zipfile.ZipFile(file) as pack:
                yield pack
    except OSError as error:
        if error.errno == errno.EINVAL:
            raise zipfile.BadZipFile("a part of it lies outside of it") from error
        raise
    except struct.error as error:
        raise zipfile.BadZipFile("its end is damaged, and it is too large to mend") from error


@contextmanager
def _journal_in(pack: zipfile.ZipFile, folder: Path) -> Iterator[Journal]:
    """The journal of a backup, unpacked in that folder while it is read: `/tmp` may be memory.

    Where the zip's stream is damaged, what comes out of it is mended as any damaged journal.
    """
    torn: Exception | None = None
    with _room_in(folder) as room:
        with pack.open(FILE) as packed, (room / FILE).open("wb") as out:
            try:
                shutil.copyfileobj(packed, out, PIECE)
            except (zipfile.BadZipFile, zlib.error) as error:
                torn = error
        with Journal(room) as journal:
            if torn and not (journal.salvaged and journal.sessions()):
                raise torn
            yield journal


@contextmanager
def _room_in(folder: Path) -> Iterator[Path]:
    """A passing folder in another, locked as long as it is used; those that a kill left there go before."""
    for left in folder.glob(f"{ROOM}*"):
        with suppress(OSError), _locked(left):
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=ROOM, dir=folder) as room, ExitStack() as stack:
        with suppress(OSError):  # a disk without locks for folders gives none to who would clear up either
            stack.enter_context(_locked(Path(room)))
        yield Path(room)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """That folder in nobody else's hands; OSError where it is."""
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(lock)


def _only_in(path: Path, journal: Journal, folder: Path) -> tuple[int, int, list[str]]:
    """What a file has that is not here: sessions or parts of them, parted ones, and packs and taught sets.

    How many of the sessions, and the names of the others; nothing if it is empty, or too damaged.

    `BadInput` or OSError if that can't be seen: it may be one from a newer companion, there is no room to
    look, or it is somebody's file and no backup at all.
    """
    lost = parted = 0
    files = list[str]()
    if not path.exists():
        return lost, parted, files
    try:
        with unzipped(path) as pack, _journal_in(pack, path.parent) as source:
            for meta in source.sessions():
                try:
                    lost += not journal.has_all_of(whole(source, meta))
                except BadInput:
                    parted += 1
            wholes = (name for name in pack.namelist() if name.startswith(FOLDERS) and name.endswith(WHOLES))
            files += [name for name in wholes if not (folder / name).exists()]
    except TORN as error:
        if not _was_backup(path):
            raise BadInput(f"{path} is there and no backup of the companion: name another file") from error
    return lost, parted, files


def _is_cut_off(path: Path) -> bool:
    """Whether a file is a backup that lacks its end, where what is in it is listed."""
    return path.stat().st_size > 0 and not zipfile.is_zipfile(path) and _was_backup(path)


def _was_backup(path: Path) -> bool:
    """Whether a file that can't be read as a backup is one that was damaged, or has nothing in it at all."""
    with path.open("rb") as file:
        head = file.read(HEAD + len(FILE))
    return not head or (head.startswith(b"PK") and head[HEAD:] == FILE.encode())


def _files(folder: Path) -> Iterator[Path]:
    for name in FOLDERS:
        found = sorted((folder / name).rglob("*"))
        yield from (path for path in found if path.is_file() and _is_kept(path.relative_to(folder)))


def _is_kept(path: PurePath) -> bool:
    """Whether a file of the data directory says anything that others don't, nor the next roll puts over."""
    return path.suffix not in PASSING and NEWEST_ROLL not in path.parents


def _members(pack: zipfile.ZipFile, path: Path) -> list[zipfile.ZipInfo]:
    """The files of a backup beside its journal; refused if one would land elsewhere."""
    if sum(info.file_size for info in pack.infolist()) > LARGEST:
        raise BadInput(f"{path}: unpacks to more than {LARGEST >> 30} GB; not a backup of the companion")
    members = [info for info in pack.infolist() if info.filename != FILE and not info.filename.endswith("/")]
    for info in members:
        parts = PurePosixPath(info.filename).parts
        if len(parts) < 2 or parts[0] not in FOLDERS or ".." in parts:
            raise BadInput(f"{path}: {info.filename!r} does not belong in a backup; nothing was restored")
    return [info for info in members if _is_kept(PurePosixPath(info.filename))]  # older ones have all


def _adopt(journal: Journal, source: Journal) -> Restored:
    """Take in the sessions of `source`, and how those that are here went on there."""
    before = {*journal.marks()}
    here = {mark.session for mark in before}
    metas = source.sessions()
    came, refused = [], []
    for meta in metas:
        try:
            journal.adopt(checked(whole(source, meta), meta.id))
            came.append(meta.id)
        except HereAlready:
            continue
        except (BadInput, SessionBusy) as error:
            refused.append(str(error))
    longer = tuple(name for name in came if name in here)
    news = (mark for mark in source.marks() if mark.session in came and mark not in before)
    journal.arrange([*news])  # all in the order in which it was played there
    known = sum(meta.id in here for meta in metas) - len(longer)
    return Restored(len(came) - len(longer), known, longer=longer, refused=tuple(refused))


def _unpack(
    pack: zipfile.ZipFile, members: list[zipfile.ZipInfo], folder: Path
) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    """How many files came, which are others here, and why some could not come."""
    written, kept, refused = list[Path](), [], []
    for info in members:
        target = folder / info.filename
        if info.file_size > LARGEST_FILE:
            refused.append(f"{info.filename}: not restored: it is larger than any pack or picture")
            continue
        try:
            data = pack.read(info)
            with alone(target) if target.name == PACK else nullcontext():  # others enter cards too
                if not target.exists():
                    write_nameless(target, data)
                    written.append(target)
                elif target.read_bytes() != data:
                    kept.append(info.filename)
        except (*TORN, OSError, PackError) as error:
            why = error.__cause__ if isinstance(error, PackError) else error
            refused.append(f"{info.filename}: not restored: {getattr(why, 'strerror', None) or why}")
    for place in {place for file in written for place in file.parents if place.is_relative_to(folder)}:
        sync(place)
    if len(refused) > 1:  # on a full disk it may be hundreds
        refused = [f"{refused[0]}; nor {counted(len(refused) - 1, 'other file')}"]
    return len(written), tuple(kept), tuple(refused)
