"""Files that a power cut or a full disk leaves whole: the old one or the new, never a half."""

from __future__ import annotations

import errno
import glob
import os
import stat
import time
from contextlib import suppress
from pathlib import Path, PurePath
from tempfile import TemporaryFile
from threading import get_native_id
from typing import Final

from companion.engine.errors import BadInput

SMALL: Final = 64 << 10
"""Bytes; SQLite's own small files beside a journal take half of them."""

OWN_FILES: Final = (
    "journal.sqlite",
    "journal.lock",
    "journal.damaged-",
    "journal.mended",
    "opening.lock",
    "starts.json",
    "playing",
)
"""What files in a data directory begin with that are the companion's own."""
OWN_FOLDERS: Final = ("packs", "dice", "page", "locks")
"""Folders of a data directory with nothing in them but the companion's own."""
NEWEST_ROLL: Final = PurePath("dice/newest roll")
"""Where the pictures of the roll are, below a data directory, that a camera read last."""


NOT_PLAIN: Final = "it is no plain file"
ELSEWHERE: Final = "--data DIR or COMPANION_DATA names another place"
LEFT: Final = 600.0
"""Seconds after which a draft is one that a kill left there."""


def write_whole(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Put `data` at `path`, and its folder if that is not there; returns when it is synced.

    `mode` says who may read it, as far as the umask lets them.
    """
    write_nameless(path, data, mode)
    sync(path.parent)


def write_nameless(path: Path, data: bytes, mode: int = 0o666) -> None:
    """As `write_whole`, for one of many: it has its name for sure once its folder is synced too."""
    make_folder(path.parent)
    _replace(path, data, mode)
    hand_over(path.parent, path)


def make_folder(folder: Path) -> None:
    """See to it that a folder is there; what root makes belongs to whose folder it is made in."""
    new = [place for place in (folder, *folder.parents) if not place.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    if new:
        hand_over(new[-1].parent, *new)


def write_out(path: Path, data: bytes) -> None:
    """Put `data` where somebody wants it: whole in a folder that is there, or into a device or pipe.

    A file that it replaces hands on whose it was and who may read it; where the folder takes no other file
    it is overwritten. `BadInput` with the reason if it can't be written.
    """
    place = Path(os.path.realpath(path))
    try:
        old = path.stat() if path.exists() else None
        is_replaced = path.is_file() and os.access(path, os.W_OK) and os.access(place.parent, os.W_OK)
        if old is None or is_replaced:
            _replace(place, data, old=old)
        else:
            path.write_bytes(data)
    except OSError as error:
        raise BadInput(f"{path}: not written: {error.strerror}") from error


def _replace(path: Path, data: bytes, mode: int = 0o666, old: os.stat_result | None = None) -> None:
    draft = path.with_name(f".{path.name}.{get_native_id()}.new")  # others may write the same file now
    for other in path.parent.glob(f".{glob.escape(path.name)}.*.new"):
        with suppress(OSError):
            if time.time() - other.stat().st_mtime > LEFT:
                other.unlink()
    try:
        draft.touch(mode if old is None else 0o600)
        if old is not None:
            with suppress(PermissionError):
                os.chown(draft, old.st_uid, old.st_gid)
            draft.chmod(stat.S_IMODE(old.st_mode))
        draft.write_bytes(data)
        sync(draft)
        draft.replace(path)
    except BaseException:  # Ctrl-C too
        draft.unlink(missing_ok=True)
        raise


def is_endless(path: Path) -> bool:
    """Whether it is a pipe, which may have nobody at its other end, or a device, which may have no end."""
    try:
        mode = path.stat().st_mode
    except OSError:  # which is said where it is opened
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def content(path: Path) -> bytes:
    """What a file from outside holds, `/dev/null` nothing; OSError for another pipe or device too."""
    if is_endless(path) and str(path) != os.devnull:
        raise OSError(errno.EINVAL, NOT_PLAIN, str(path))
    return path.read_bytes()


def plain(path: Path) -> Path:
    """The file that a path means, links followed.

    `BadInput` for a device, which a file would replace, and for what can't be looked at.
    """
    try:
        is_other = path.exists() and not path.is_file()
    except OSError as error:
        raise BadInput(f"{path}: not written: {error.strerror}") from error
    if is_other:
        raise BadInput(f"{path} is not a plain file: name another one")
    return Path(os.path.realpath(path))  # as resolve, but for links in a circle, at which that fails


def not_own(path: Path, data: Path) -> None:
    """`BadInput` if a path means one of the companion's own files in the data directory, by whatever name.

    So too if it is `-`, who types which means standard output and no file.
    """
    if str(path) == "-":
        raise BadInput("-: this is written to a file alone: name one")
    place, home = Path(os.path.realpath(path)), Path(os.path.realpath(data))
    own = []
    with suppress(OSError):  # of a directory that is closed to us nothing can be meant
        own = [one for one in home.iterdir() if one.name.startswith(OWN_FILES)]
    if (
        any(_is_same(place, one) for one in own)
        or (_is_same(place.parent, home) and place.name.startswith(OWN_FILES))
        or any(_is_same(folder, home / name) for name in OWN_FOLDERS for folder in (place, *place.parents))
    ):
        raise BadInput(f"{path} is the companion's own file: name another one")


def _is_same(one: Path, other: Path) -> bool:
    """Whether two paths are one thing on disk, or would be if it were there."""
    try:
        return one == other or one.samefile(other)
    except OSError:
        return False


def is_there(path: Path) -> bool:
    """Whether there is something; `BadInput` with what to do where that can't be seen."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    except NotADirectoryError as error:
        file = next((one for one in path.parents if one.is_file() or is_endless(one)), path)
        raise BadInput(f"{file}: it is a file and no folder; {ELSEWHERE}") from error
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}; {way_in(path, error)}") from error
    return True


def mark(path: Path) -> tuple[int, ...] | None:
    """What tells a file from what was there before, as `write_whole` leaves it; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def way_in(path: Path, error: OSError) -> str:
    """What to do about a path that can't be looked at or written: of somebody else's, be that one."""
    if isinstance(error, PermissionError):
        for place in (path, *path.parents):
            with suppress(OSError, KeyError):  # closed too, or of who is no user any more
                if place.stat().st_uid != os.getuid():
                    name = place.owner()
                    return f"{place} is {name}'s: sudo -u {name} companion ..., or {ELSEWHERE}"
                if not os.access(place, os.R_OK | os.W_OK):
                    return f"open it to yourself: chmod u+rwX {place}, or {ELSEWHERE}"
                break
    return ELSEWHERE


def own_in(folder: Path) -> list[Path]:
    """The companion's own files and folders in a data directory, as far as one may look."""
    with suppress(OSError):
        return sorted(
            one for one in folder.iterdir() if one.name.startswith(OWN_FILES) or one.name in OWN_FOLDERS
        )
    return []


def hand_over(like: Path, *places: Path) -> None:
    """Let what root made belong to whom `like` does, as SQLite does with its log; others can't.

    Nothing that a link leads to: that one could give itself any file of root's.
    """
    with suppress(OSError):
        owner = like.stat()
        for place in places:
            os.chown(place, owner.st_uid, owner.st_gid, follow_symlinks=False)


def sync(path: Path) -> None:
    """See to it that a file's content, or the names in a folder, are on disk."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def is_read_only(folder: Path) -> bool:
    """Whether a folder is on a disk that takes no writes from anybody, as a failing card gets."""
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def is_shut(folder: Path) -> bool:
    """Whether a folder is on a disk that refuses all writes, though it does not count as read-only.

    As an ext4 after an error, since Linux 6.12: it may refuse to be read too, until it is mounted anew.
    """
    if is_read_only(folder):
        return False
    try:
        TemporaryFile(dir=folder).close()
    except OSError as error:
        return error.errno in (errno.EROFS, errno.EIO)
    return False


def is_full(folder: Path) -> bool:
    """Whether the disk there has no room for even a small file, or as many files as it can have."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return False
    return disk.f_bavail * disk.f_frsize < SMALL or disk.f_favail == 0 < disk.f_files  # Btrfs counts none
