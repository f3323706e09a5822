"""R18 in short: hundreds of answers, and an hour idle, leave threads, files and memory as they are."""

from __future__ import annotations

import statistics
from itertools import pairwise
from pathlib import Path

import msgspec

from companion.engine import Journal, Session, Wish
from companion.engine.database import FILE
from tests.engine.toy import GAME, PACKS
from tests.longrun.box_turns import Endless, idle, play

LOG = 4 << 20
"""Bytes that the journal's log may have; what is in the file already is written over."""

EACH = 512
"""Bytes that an answer or undo may add to the journal: what was asked, said and when."""


def test_turns_leave_nothing_behind_and_a_press_costs_under_ten_milliseconds() -> None:
    (before, after), spent = play(400, 40)
    assert after.threads <= before.threads
    assert after.files <= before.files
    assert after.memory < before.memory * 1.1
    assert statistics.median(spent) < 10


def test_an_hour_idle_leaves_nothing_behind() -> None:
    before, after = idle(3600, 400)
    assert after.threads <= before.threads
    assert after.files <= before.files
    assert after.memory < before.memory * 1.05


def test_the_journal_grows_by_as_much_with_each_answer_be_they_first_or_last(tmp_path: Path) -> None:
    game = msgspec.structs.replace(GAME, start=Endless)
    sizes = []
    with Journal(tmp_path) as journal, Session.create(journal, game, PACKS, Wish(seed=1)) as session:
        for _ in range(4):
            for turn in range(100):
                session.answer(session.n, "left")
                if turn % 10 == 0:
                    session.undo()
            assert journal.path.with_name(f"{FILE}-wal").stat().st_size < LOG
            journal.store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            sizes.append(journal.path.stat().st_size)
    grown = [after - before for before, after in pairwise(sizes)]
    assert max(grown) < 1.3 * min(grown)
    assert max(grown) < 110 * EACH
