"""R2: the power fails; what was not synced is dropped, torn, reordered or garbled.

    python -m tests.longrun.power --answers 400

The files are copied after every acknowledged answer. What SQLite writes between two such points goes
to the write-ahead log until that is synced, and only then to the database; so a failure in between
leaves any part of the log's new sectors over the old, or a whole log and any part of the database's.
The head of a log that begins anew over the old one is synced before what follows it. Every such state,
damaged four ways, has to open with every answer acknowledged before it.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from random import Random
from unittest.mock import patch

from companion.engine import Journal, Wish
from companion.engine.database import FILE
from companion.engine.records import Meta
from tests.longrun.play_toy import WISH, digest, open_or_begin, replayed, step

SECTOR = 512
HEAD = 32
"""Bytes of the log's head."""
DAMAGES = ("dropped", "torn", "reordered", "garbled")


def cuts(answers: int, seed: int, folder: Path, wish: Wish = WISH) -> int:
    """Cut the power around each of `answers` answers; returns how many failures were survived."""
    rng = Random(seed)
    survived = 0
    with Journal(folder / "live") as journal:
        session = open_or_begin(journal, wish)
        before = _files(journal)
        for _ in range(answers):
            if session.ask is None:
                session.close()
                session = open_or_begin(journal, wish)
                before = _files(journal)
            name, n, state = session.meta.id, session.n, digest(session.state)
            with _noted(journal) as between:  # an end is synced twice: the answer, and that it ended the game
                step(session, rng)
            after = _files(journal)
            for earlier, later in pairwise([before, *between, after]):
                for damaged in _failures(earlier, later, rng):
                    _check(folder / "cut", damaged, (name, n, state))
                    survived += 1
            before = after
        session.close()
    return survived


@contextmanager
def _noted(journal: Journal) -> Iterator[list[dict[str, bytes]]]:
    """The files as they are each time before a session's head alone is written."""
    between: list[dict[str, bytes]] = []
    update = journal.update

    def updated(meta: Meta) -> None:
        between.append(_files(journal))
        update(meta)

    with patch.object(journal, "update", updated):
        yield between


def _files(journal: Journal) -> dict[str, bytes]:
    """Database and write-ahead log as they are on disk; the index beside them is made anew."""
    parts = [journal.path, journal.path.with_name(f"{FILE}-wal")]
    return {part.name: part.read_bytes() for part in parts if part.exists()}


def _failures(before: dict[str, bytes], after: dict[str, bytes], rng: Random) -> Iterator[dict[str, bytes]]:
    wal = f"{FILE}-wal"
    old, new = before.get(wal, b""), after.get(wal, b"")
    synced = [old, new] if old[:HEAD] == new[:HEAD] else [old, new[:HEAD] + old[HEAD:], new]
    for damage in DAMAGES:
        for one, other in pairwise(synced):
            yield before | {wal: _damaged(one, other, damage, rng)}
        if before[FILE] != after[FILE]:
            yield after | {FILE: _damaged(before[FILE], after[FILE], damage, rng)}


def _damaged(old: bytes, new: bytes, damage: str, rng: Random) -> bytes:
    """The old content with some of the new sectors over it."""
    changed = [at for at in range(0, len(new), SECTOR) if new[at : at + SECTOR] != old[at : at + SECTOR]]
    if damage == "dropped" or not changed:
        return old
    if damage == "torn":
        arrived = changed[: rng.randint(0, len(changed))]
    else:
        arrived = rng.sample(changed, rng.randint(0, len(changed)))
    length = max([len(old), *(min(at + SECTOR, len(new)) for at in arrived)])
    content = bytearray(old.ljust(length, b"\0"))
    for at in arrived:
        content[at : at + SECTOR] = new[at : at + SECTOR]
    if damage == "garbled" and arrived:
        at = rng.choice(arrived)
        content[at : at + SECTOR] = rng.randbytes(min(SECTOR, len(new) - at))
    return bytes(content)


def _check(folder: Path, files: dict[str, bytes], acknowledged: tuple[str, int, str]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    name, n, state = acknowledged
    with Journal(folder) as journal:
        assert journal.salvaged is None, "a power cut must not look like damage"
        assert replayed(journal, name, n - 1) == state, f"answer {n - 1} of {name} is gone"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--answers", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        survived = cuts(wish.answers, wish.seed, Path(folder))
    print(f"{survived} power cuts around {wish.answers} answers, none lost, {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
