"""A damaged journal is mended while others have it open, or the disk has no room (R3, R4)."""

import errno
import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Event, Timer
from types import SimpleNamespace

import pytest

from companion.engine import Journal, JournalError, JournalFull, Session, Wish, database
from companion.engine import store as store_module
from companion.engine.database import FILE, mended
from companion.engine.store import _Users
from tests.engine.damaged import damage_entry, whole
from tests.engine.disk import disk_full_at
from tests.engine.toy import GAME, PACKS


def mended_until(step: int, folder: Path) -> bool:
    """Open a damaged journal in a process that dies at a sync or renaming; whether it came to its end."""
    child = os.fork()
    if child == 0:
        left = step

        def dying(deed):
            def do(*args):
                nonlocal left
                left -= 1
                if left < 0:
                    os._exit(1)
                return deed(*args)

            return do

        os.fsync, Path.replace = dying(os.fsync), dying(Path.replace)
        Journal(folder)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_r4_a_stop_while_a_damaged_journal_is_mended_loses_nothing(
    played: Path, beheaded: Path, tmp_path: Path
) -> None:
    before = whole(played)
    told = 0
    for step in count():
        folder = shutil.copytree(beheaded, tmp_path / str(step))
        ended = mended_until(step, folder)
        with Journal(folder) as journal:
            assert {name: [entry.check for entry in journal.entries(name)] for name in before} == before
            assert (folder / "journal.damaged-1.sqlite").exists()
            if (said := journal.salvaged) is not None:
                told += 1
                assert said.aside == folder / "journal.damaged-1.sqlite"
                assert (said.sessions, said.kept) == (len(before), sum(map(len, before.values())))
        if ended:
            break
    assert told == step - 1 >= 4, "untold only where the mended journal was in its place already"


def test_r2_a_mended_journal_is_on_disk_before_it_takes_the_damaged_ones_place(
    beheaded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First its content, then its name, then that it has the other's; what a rescue left behind goes."""
    folder = shutil.copytree(beheaded, tmp_path / "cut")
    (folder / "mending-before").mkdir()
    steps: list[tuple[str, bool, bool]] = []

    def noted(path: Path) -> None:
        waits, is_aside = ((folder / f"journal.{name}.sqlite").exists() for name in ("mended", "damaged-1"))
        steps.append((path.name, waits, is_aside))

    monkeypatch.setattr(database, "sync", noted)
    Journal(folder).close()
    assert steps == [
        ("journal.mending.sqlite", False, False),
        ("cut", True, False),
        ("cut", False, True),
    ]
    assert not (folder / "mending-before").exists()


@pytest.mark.parametrize("room", [0.0, 0.2, 0.5, 0.9])
def test_r3_a_damaged_journal_waits_for_room_to_be_mended(
    played: Path, beheaded: Path, tmp_path: Path, room: float
) -> None:
    before = whole(played)
    folder = shutil.copytree(beheaded, tmp_path / "full")
    damaged = (folder / FILE).read_bytes()
    with (
        disk_full_at(int(room * len(damaged))),
        pytest.raises(JournalError, match=r"can't be mended: .*; free some space"),
    ):
        Journal(folder)
    assert (folder / FILE).read_bytes() == damaged
    with Journal(folder) as journal:
        assert journal.salvaged is not None
        assert {name: [entry.check for entry in journal.entries(name)] for name in before} == before


ROOMY = {"f_bavail": 1 << 30, "f_frsize": 1, "f_favail": 9, "f_files": 9}


@pytest.mark.parametrize(
    ("disk", "told"),
    [
        (ROOMY, False),
        (ROOMY | {"f_bavail": 0}, True),
        (ROOMY | {"f_favail": 0}, True),
        (ROOMY | {"f_favail": 0, "f_files": 0}, False),
    ],
    ids=["roomy", "no byte", "no file", "files are not counted"],
)
def test_r3_a_journal_that_does_not_open_on_a_full_disk_says_that_it_is_full(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disk: dict[str, int], *, told: bool
) -> None:
    folder = shutil.copytree(played, tmp_path / "full")
    monkeypatch.setattr("os.statvfs", lambda _: SimpleNamespace(**disk))
    with disk_full_at(0), pytest.raises(JournalError, match="disk I/O error") as refused:
        Journal(folder)
    assert ("its disk is full: free some space" in str(refused.value)) is told
    with Journal(folder) as journal:
        assert journal.sessions()


def test_r3_a_mended_journal_waits_for_room_to_take_its_place(
    played: Path, beheaded: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(beheaded, tmp_path / "full")
    mended_until(3, folder)
    assert mended(folder / FILE).exists()
    with disk_full_at(0), pytest.raises(JournalError, match=r"can't be mended: .*; free some space"):
        Journal(folder)
    with Journal(folder) as journal:
        assert journal.salvaged is not None
    assert whole(folder) == whole(played)


def test_r4_damage_is_mended_while_other_journals_of_this_program_are_open(tmp_path: Path) -> None:
    with Journal(tmp_path) as mine, Journal(tmp_path) as other, Journal(tmp_path) as third:
        with Session.create(mine, GAME, PACKS) as session:
            for answer in ("stones", 1, True, "stones"):
                session.answer(session.n, answer)
        with Session.create(other, GAME, PACKS) as played:
            played.answer(played.n, "stones")
            damage_entry(tmp_path, session.meta.id, 3)
            with Session.resume(third, GAME, session.meta.id) as again:
                assert [entry.seq for entry in third.entries(again.meta.id)] == [1, 2]
                assert third.salvaged is not None
                assert mine.salvaged == other.salvaged == third.salvaged
                played.answer(played.n, 2)
                again.answer(again.n, True)
                assert len(mine.entries(played.meta.id)) == 2
                assert len(mine.entries(again.meta.id)) == 3
    assert {name: len(entries) for name, entries in whole(tmp_path).items()} == {
        played.meta.id: 2,
        again.meta.id: 3,
    }


def test_r4_a_journal_that_another_program_has_open_is_not_mended_under_it(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS) as session:
        session.answer(session.n, "stones")
        damage_entry(tmp_path, session.meta.id, 1)
        child = os.fork()
        if child == 0:  # a program of its own knows nothing of the journals that are open here
            _Users._open.clear()
            try:
                Journal(tmp_path).entries(session.meta.id)
            except JournalError as error:
                os._exit(7 if "close the other companion first" in str(error) else 1)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_r4_a_journal_that_is_closed_here_can_be_mended_by_another_program(tmp_path: Path) -> None:
    with Journal(tmp_path), Journal(tmp_path):
        pass
    with (tmp_path / "journal.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_r4_a_session_that_is_read_while_it_is_played_is_no_damage(tmp_path: Path) -> None:
    """An answer comes between any two looks at the file, as while a phone shows the log of a long game."""
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS, Wish(seed=7)) as session:
        with Journal(tmp_path) as reader:
            answers = iter(["stones", 1, True] * 9)
            reader.store._db.set_trace_callback(lambda _: session.answer(session.n, next(answers)))
            kept = len(reader.entries(session.meta.id))
            reader.store._db.set_trace_callback(None)
            assert 0 < kept < len(reader.entries(session.meta.id))
            assert reader.salvaged is None
        assert not list(tmp_path.glob("journal.damaged*"))


def test_r4_a_journal_that_was_closed_while_it_is_read_is_no_damage(tmp_path: Path) -> None:
    """A page that stops closes its own, whoever still reads; the game beside it goes on."""
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS) as session:
        with Journal(tmp_path) as reader:
            pass
        with pytest.raises(JournalError, match="closed"):
            reader.entries(session.meta.id)
        assert (reader.salvaged, journal.salvaged) == (None, None)
        assert not list(tmp_path.glob("journal.damaged*"))


def test_r4_who_finds_that_others_have_the_journal_open_still_has_it_open_for_them(tmp_path: Path) -> None:
    """flock(2): asking for a lock of one's own in vain loses the shared one."""
    one, other = _Users(tmp_path), _Users(tmp_path)
    with one._file, other._file:
        one.with_others()
        other.with_others()
        assert not other.without_others()
        assert not one.without_others()


def test_r4_answers_after_entries_that_a_salvage_could_not_keep_are_refused(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal, Journal(tmp_path) as other:
        with Session.create(journal, GAME, PACKS) as session:
            for answer in ("stones", 1, True):
                session.answer(session.n, answer)
            damage_entry(tmp_path, session.meta.id, 2)
            assert len(other.entries(session.meta.id)) == 1
            with pytest.raises(JournalFull, match="lost entries before these; close this and start again"):
                session.answer(session.n, "stones")
        with Session.resume(journal, GAME, session.meta.id) as again:
            again.answer(again.n, 2)
            assert len(journal.entries(session.meta.id)) == 2


def test_r4_a_journal_that_was_mended_is_not_opened_anew_under_another_thread_that_reads(
    tmp_path: Path,
) -> None:
    reads, may_go_on = Event(), Event()
    with Journal(tmp_path) as journal, ThreadPoolExecutor() as pool:

        def slowly(db: sqlite3.Connection) -> list[tuple[int]]:
            reads.set()
            may_go_on.wait(5)
            return db.execute("SELECT 1").fetchall()

        found = pool.submit(journal.store.reading, slowly)
        reads.wait(5)
        journal.store.stale = True
        Timer(0.2, may_go_on.set).start()
        assert journal.sessions() == []
        assert found.result() == [(1,)]
        assert journal.salvaged is None


def test_r4_where_there_is_no_room_to_mend_no_other_companion_takes_the_log_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    code = "import sys, pathlib, companion.engine as e; e.Journal(pathlib.Path(sys.argv[1])).close()"
    with Journal(tmp_path / "data") as page, Journal(tmp_path / "data"), Journal(tmp_path / "data") as table:
        with Session.create(table, GAME, PACKS) as old:
            old.answer(old.n, "stones")
        with Session.create(table, GAME, PACKS) as session:
            damage_entry(tmp_path / "data", old.meta.id, 1)
            with monkeypatch.context() as patch:
                patch.setattr(store_module, "write_anew", full)
                with pytest.raises(JournalError, match="can't be mended"):
                    page.entries(old.meta.id)
            session.answer(session.n, "stones")
            subprocess.run([sys.executable, "-c", code, tmp_path / "data"], check=True)
            session.answer(session.n, 1)
            after_a_kill = shutil.copytree(tmp_path / "data", tmp_path / "copy")
            with Journal(after_a_kill) as journal:
                assert len(journal.entries(session.meta.id)) == 2
            assert len(page.entries(session.meta.id)) == 2


def test_r4_where_there_is_no_room_to_mend_who_met_the_damage_plays_on(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Session.create(journal, GAME, PACKS) as old:
        old.answer(old.n, "stones")
    with Session.create(journal, GAME, PACKS) as session:
        damage_entry(journal.folder, old.meta.id, 1)
        with monkeypatch.context() as patch:
            patch.setattr(store_module, "write_anew", full)
            with pytest.raises(JournalError, match="can't be mended"):
                journal.entries(old.meta.id)
        session.answer(session.n, "stones")
        assert journal.entries(old.meta.id) == []
        assert len(journal.entries(session.meta.id)) == 1


@pytest.mark.parametrize("step", range(1, 9))
def test_r4_a_mending_that_the_disk_cuts_short_is_ended_by_whoever_reads_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """Each sync and renaming fails once; what was found before is neither written over nor counted anew."""
    left = step

    def failing(deed):
        def do(*args):
            nonlocal left
            left -= 1
            if left == 0:
                raise OSError(errno.EIO, "Input/output error")
            return deed(*args)

        return do

    folder = tmp_path / "data"
    with Journal(folder) as page, Journal(folder) as table, Session.create(table, GAME, PACKS) as session:
        for answer in ("stones", 0, True):
            session.answer(session.n, answer)
        damage_entry(folder, session.meta.id, 3)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", failing(os.fsync))
            patch.setattr(Path, "replace", failing(Path.replace))
            with pytest.raises(JournalError, match=r"can't be (mended|opened): .*Input/output error"):
                page.entries(session.meta.id)
        assert left == 0
        for journal in (table, page):
            assert len(journal.entries(session.meta.id)) == 2
            assert (journal.salvaged.kept, journal.salvaged.lost) == (2, 1)
        assert [file.name for file in folder.glob("journal.*-*.sqlite")] == ["journal.damaged-1.sqlite"]


@pytest.mark.parametrize("is_the_same", [False, True])
def test_r4_no_answer_counts_in_a_damaged_file_whose_mended_one_waits_for_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_the_same: bool
) -> None:
    """It would not be there any more after the next start."""

    def failing(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    folder = tmp_path / "data"
    with Journal(folder) as page, Journal(folder) as other:
        table = page if is_the_same else other
        with Session.create(table, GAME, PACKS) as old:
            old.answer(old.n, "stones")
        session = Session.create(table, GAME, PACKS)
        damage_entry(folder, old.meta.id, 1)
        with monkeypatch.context() as patch:
            patch.setattr(store_module, "put_aside", failing)
            with pytest.raises(JournalError, match="can't be mended"):
                page.entries(old.meta.id)
        with pytest.raises(JournalFull, match="; close this and start again"):
            session.answer(session.n, "stones")
        assert page.entries(session.meta.id) == []
        session.answer(session.n, "stones")
        session.close()
    with Journal(folder) as journal:
        assert len(journal.entries(session.meta.id)) == 1


def test_r4_a_mended_journal_that_cannot_be_opened_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(_: Path) -> sqlite3.Connection:
        error = sqlite3.OperationalError("unable to open database file")
        error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise error

    folder = tmp_path / "data"
    with Journal(folder) as page, Journal(folder) as table:
        with Session.create(table, GAME, PACKS) as session:
            session.answer(session.n, "stones")
        damage_entry(folder, session.meta.id, 1)
        assert table.entries(session.meta.id) == []
        with monkeypatch.context() as patch:
            patch.setattr(store_module, "connect", closed)
            with pytest.raises(JournalError, match="unable to open database file"):
                page.entries(session.meta.id)
        assert page.entries(session.meta.id) == []


def test_r4_what_was_lost_is_said_where_the_mended_journal_cannot_be_opened_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next start finds a journal in which nothing is wrong."""
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS) as session:
        session.answer(session.n, "stones")
    damage_entry(tmp_path, session.meta.id, 1)

    def closed(_: Path) -> sqlite3.Connection:
        raise sqlite3.OperationalError("not now")

    with Journal(tmp_path) as journal, monkeypatch.context() as patch:
        patch.setattr(store_module, "connect", closed)
        with pytest.raises(JournalError, match=r"lost 1 or more; .* the mended one can't be opened: not now"):
            journal.entries(session.meta.id)
