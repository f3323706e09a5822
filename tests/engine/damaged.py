"""A journal that was played, and what is done to copies of it."""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

from companion.engine import Journal, Session
from companion.engine.database import FILE
from tests.engine.toy import GAME


def whole(folder: Path) -> dict[str, list[str]]:
    with Journal(folder) as journal:
        return {meta.id: [entry.check for entry in journal.entries(meta.id)] for meta in journal.sessions()}


def entries_kept(folder: Path) -> tuple[int, Journal]:
    with Journal(folder) as journal:
        (meta,) = journal.sessions()
        with Session.resume(journal, GAME, meta.id) as session:
            assert session.play.state.bag.stones == 0
        return len(journal.entries(meta.id)), journal


def cut(journal: Journal, deed: Callable[[], None], folder: Path, *, lost: bool) -> Path:
    """What is on disk if the power fails at `deed`: its first page is lost, or a sector it began is torn."""
    wal = journal.path.with_name(f"{FILE}-wal")
    before = wal.read_bytes() if wal.exists() else b""
    begins = len(before) // 512 * 512
    deed()
    content = bytearray(wal.read_bytes())
    if lost:
        content[len(before) : len(before) + 4120] = bytes(4120)
    else:
        content[begins : begins + 512] = Random(6).randbytes(512)
    folder.mkdir()
    shutil.copy(journal.path, folder)
    (folder / wal.name).write_bytes(content)
    return folder


def damage_entry(folder: Path, session: str, seq: int) -> None:
    """An entry that SQLite reads without a word and that is not what was written."""
    with sqlite3.connect(folder / FILE) as db:
        db.execute(
            "UPDATE entries SET line = replace(line, 'toy.', 'tay.') WHERE session = ? AND seq = ?",
            (session, seq),
        )
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the log has it as it was
    db.close()
