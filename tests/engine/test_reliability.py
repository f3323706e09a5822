"""What must hold when things break (R1 to R7, R13), in a short form; the long runs are commands."""

import errno
import fcntl
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, nullcontext
from functools import partial
from itertools import count, cycle
from pathlib import Path
from random import Random
from threading import Barrier, Event, Timer
from types import SimpleNamespace
from unittest.mock import Mock

import msgspec
import pytest

from companion.engine import Journal, JournalError, JournalFull, Session, Wish, clock, database
from companion.engine import journal as journal_module
from companion.engine import store as store_module
from companion.engine.clock import Stamp
from companion.engine.database import FILE, empty, mended
from companion.engine.packs import find, merge
from companion.engine.records import Meta, Note, RolledDie, blob_name
from companion.engine.salvage import rescue
from companion.engine.session import Evidence
from companion.engine.store import _Users
from companion.games import load
from tests.engine.disk import disk_full_at
from tests.engine.toy import GAME, PACKS
from tests.longrun.kills import kills
from tests.longrun.play_toy import digest, open_or_begin, play_on, replayed
from tests.longrun.power import cuts


def test_r1_a_killed_player_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    report = kills(40, seed=11, folder=tmp_path / "data")
    assert report.acknowledged > 100


def test_r2_a_power_cut_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    assert cuts(40, seed=12, folder=tmp_path) >= 160


def test_r2_a_power_cut_as_a_game_ends_loses_nothing_either(tmp_path: Path) -> None:
    assert cuts(15, seed=3, folder=tmp_path, wish=Wish(settings={"top": "5"}, seed=5, dice="manual")) > 60


def test_companions_that_start_together_all_find_the_new_journal_sound(tmp_path: Path) -> None:
    together = Barrier(6)

    def start(folder: Path) -> object:
        together.wait()
        with Journal(folder) as journal:
            return journal.salvaged

    for number in range(5):
        with ThreadPoolExecutor(6) as pool:
            assert list(pool.map(start, [tmp_path / str(number)] * 6)) == [None] * 6


@pytest.mark.parametrize("room", [0, 24, 512, 4096, 5000])
def test_r3_a_full_disk_refuses_the_answer_and_play_goes_on_when_there_is_room(
    journal: Journal, session: Session, room: int
) -> None:
    session.answer(session.n, "stones")
    wal = journal.path.with_name(f"{FILE}-wal")
    with disk_full_at(wal.stat().st_size + room):
        before, refusal = answered_until_full(journal, session)
    assert "free some space" in str(refusal)
    assert (session.n, session.state, journal.entries(session.meta.id)) == before
    session.undo()
    state = session.state
    session.close()
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert again.state == state


def answered_until_full(journal: Journal, session: Session) -> tuple[object, JournalFull]:
    for _ in range(50):
        before = (session.n, session.state, journal.entries(session.meta.id))
        question = session.ask
        answers = {"choose": "stones", "number": 1, "show": True}
        try:
            session.answer(session.n, answers[question.kind])
        except JournalFull as refusal:
            return before, refusal
    raise AssertionError("the disk never filled up")


@pytest.mark.parametrize(
    ("code", "disk", "advice"),
    [
        (sqlite3.SQLITE_FULL, "", "; free some space and repeat$"),
        (sqlite3.SQLITE_BUSY, "", "; another companion is writing; repeat$"),
        (sqlite3.SQLITE_PROTOCOL, "", "; another companion is writing; repeat$"),
        (sqlite3.SQLITE_READONLY, "", "; it became read-only, as on a failing card; save what is there: "),
        (
            sqlite3.SQLITE_IOERR_FSYNC,
            "",
            "; free some space and repeat; where there is some, the card fails: ",
        ),
        (sqlite3.SQLITE_IOERR_FSYNC, "is_read_only", "; it became read-only, as on a failing card; save "),
        (sqlite3.SQLITE_IOERR_FSYNC, "is_shut", "; its disk shut after an error, as on a failing card; "),
        (sqlite3.SQLITE_IOERR_FSYNC, "is_full", "; free some space and repeat$"),
    ],
)
def test_r3_what_to_do_about_an_answer_that_was_not_written_goes_by_what_kept_it_out(
    session: Session, monkeypatch: pytest.MonkeyPatch, code: int, disk: str, advice: str
) -> None:
    error = sqlite3.OperationalError("not now")
    error.sqlite_errorcode = code

    def failing(*_: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "_write", failing)
        if disk:
            patch.setattr(store_module, disk, lambda _: True)
        with pytest.raises(JournalFull, match=advice):
            session.answer(session.n, "stones")
    session.answer(session.n, "stones")


def test_r3_on_a_disk_that_became_read_only_no_answer_counts(
    journal: Journal, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Linux 6.12 makes an ext4 so after an error: writes and syncs succeed on it, and nothing is on disk."""
    session.answer(session.n, "stones")
    before = (session.n, session.state, journal.entries(session.meta.id))
    with monkeypatch.context() as patch:
        patch.setattr(store_module, "is_read_only", lambda _: True)
        with pytest.raises(JournalFull, match="it became read-only, as on a failing card"):
            session.answer(session.n, 1)
    assert (session.n, session.state, journal.entries(session.meta.id)) == before
    session.answer(session.n, 1)


def test_r3_an_answer_does_not_count_where_the_disk_became_read_only_just_before_it_was_synced(
    journal: Journal, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit seems to succeed there; what is asked must not go on, whatever the file seems to hold."""
    looks = iter([False])
    n, state = session.n, session.state
    with monkeypatch.context() as patch:
        patch.setattr(store_module, "is_read_only", lambda _: next(looks, True))
        for _ in range(2):
            with pytest.raises(JournalFull, match="a disk that is read-only; it became read-only, as on a"):
                session.answer(session.n, "stones")
            assert (session.n, session.state) == (n, state)
    with pytest.raises(JournalFull, match="close this and start again"):
        session.answer(session.n, "stones")
    session.close()
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert again.n > n


@pytest.mark.parametrize("replaced", [False, True])
@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_r3_no_answer_counts_in_a_journal_that_nobody_finds_any_more(
    journal: Journal, session: Session, monkeypatch: pytest.MonkeyPatch, when: str, *, replaced: bool
) -> None:
    """Who deletes or moves it while it is open would be told that every answer is saved, and none was."""
    n, state, elsewhere, write = session.n, session.state, journal.folder / "elsewhere", Journal._write

    def move() -> None:
        journal.path.rename(elsewhere)
        if replaced:
            journal.path.touch()

    def write_and_move(*parts: object) -> None:
        write(*parts)
        move()

    with monkeypatch.context() as patch:
        if when == "before":
            move()
        else:
            patch.setattr(Journal, "_write", write_and_move)
        with pytest.raises(JournalFull, match="was deleted, moved or replaced; put it back and repeat"):
            session.answer(session.n, "stones")
    assert (session.n, session.state) == (n, state)
    elsewhere.replace(journal.path)
    if when == "before":
        session.answer(session.n, "stones")


@pytest.mark.parametrize("ending", ["-wal", "-shm"])
def test_r3_no_answer_counts_once_what_sqlite_keeps_beside_the_journal_was_deleted(
    tmp_path: Path, ending: str
) -> None:
    """It goes on with a log that nobody finds after a power cut, or that others do not see it write."""
    with Journal(tmp_path / "data") as journal, Session.create(journal, GAME, PACKS) as session:
        session.answer(session.n, "stones")
        n = session.n
        journal.path.with_name(f"{FILE}{ending}").unlink()
        with pytest.raises(
            JournalFull, match="its log was deleted, moved or replaced; put it back and repeat"
        ):
            session.answer(session.n, 1)
        assert session.n == n
    assert len(whole(tmp_path / "data")[session.meta.id]) == 1, "closing saved what the log had"


@pytest.mark.parametrize("number", [errno.EROFS, errno.EIO])
def test_r3_a_disk_that_is_shut_after_an_error_is_no_damage(
    journal: Journal, session: Session, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """As an ext4 since Linux 6.12. What SQLite had in memory of it is forgotten, which looks like damage."""
    before = (session.n, session.state, journal.entries(session.meta.id))
    damage = sqlite3.DatabaseError("database disk image is malformed")
    damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT

    def failing(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    def malformed(*_: object) -> None:
        raise damage

    with monkeypatch.context() as patch:
        patch.setattr("companion.engine.files.TemporaryFile", failing)
        patch.setattr(Journal, "_write", malformed)
        patch.setattr(journal_module, "_entries", malformed)
        with pytest.raises(JournalFull, match="its disk shut after an error, as on a failing card; re"):
            session.answer(session.n, "stones")
        with pytest.raises(JournalError, match=r"journal\.sqlite: .* is malformed; its disk shut.* backup$"):
            journal.entries(session.meta.id)
    assert journal.salvaged is None
    assert (session.n, session.state, journal.entries(session.meta.id)) == before
    session.answer(session.n, "stones")


@pytest.mark.parametrize("doing", ["writing", "reading"])
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("beside", [0, 1], ids=["alone", "with the page's journal"])
def test_r3_after_an_error_of_the_disk_no_other_companion_takes_the_log_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, doing: str, when: str, beside: int
) -> None:
    code = "import sys, pathlib, companion.engine as e; e.Journal(pathlib.Path(sys.argv[1])); input(1)"
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR

    def failing(*_: object) -> None:
        raise error

    def opened() -> subprocess.Popen[str]:
        command = [sys.executable, "-c", code, str(tmp_path / "data")]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        other = subprocess.Popen(command, cwd=Path(__file__).parents[2], text=True, **pipes)
        assert other.stdout.read(1) == "1"
        return other

    with ExitStack() as stack:
        journal, *_ = (stack.enter_context(Journal(tmp_path / "data")) for _ in range(1 + beside))
        session = stack.enter_context(Session.create(journal, GAME, PACKS))
        session.answer(session.n, "stones")
        early = opened() if when == "before" else None
        with monkeypatch.context() as patch:
            part = (Journal, "_write") if doing == "writing" else (journal_module, "_entries")
            patch.setattr(*part, failing)
            with pytest.raises(JournalError, match="disk I/O error"):
                _ = session.answer(session.n, 1) if doing == "writing" else journal.entries(session.meta.id)
        if beside:
            session.answer(session.n, 1)
        (early or opened()).communicate("")
        for answer in (True, "stones") if beside else (1, True, "stones"):
            session.answer(session.n, answer)
        after_a_kill = shutil.copytree(tmp_path / "data", tmp_path / "copy")
        assert len(whole(after_a_kill)[session.meta.id]) == 4


@pytest.mark.parametrize(
    ("disk", "advice"),
    [("is_read_only", "it became read-only, .* save what"), ("is_shut", "restart the machine, then save")],
)
def test_r3_who_opens_sessions_on_a_disk_that_takes_no_writes_is_told_to_save_them(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, disk: str, advice: str
) -> None:
    """Another folder has none of them."""

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(store_module, disk, lambda _: True)
    monkeypatch.setattr(Path, "touch", refused)
    with pytest.raises(JournalError, match=f"can't be kept there: Read-only file system; .*{advice}"):
        Journal(journal.folder)
    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(JournalError, match=f"can't be held: Read-only .*{advice}"), journal.hold("toy-1"):
        pass


def test_a_data_directory_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(JournalError, match="sessions can't be kept there"):
        Journal(tmp_path / "file")


def test_a_journal_that_is_a_link_to_itself_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / FILE).symlink_to(FILE)
    with pytest.raises(JournalError, match=rf"{FILE}: unable to open database file; --data DIR or COMP"):
        Journal(tmp_path)


@pytest.mark.parametrize("name", ["90%41 of it?x=#1&", "\udcff", "new/é ♥"])
def test_a_data_directory_may_have_any_name(tmp_path: Path, name: str) -> None:
    with Journal(tmp_path / name) as journal, Session.create(journal, GAME, PACKS, Wish(seed=7)) as session:
        session.answer(session.n, "stones")
        assert journal.path.with_name(f"{FILE}-wal").exists()
    with Journal(tmp_path / name) as journal:
        assert len(journal.entries(session.meta.id)) == 1


@pytest.mark.parametrize(("given", "lock"), [(0, "opening.lock"), (1, "journal.lock"), (2, "journal.lock")])
def test_a_disk_without_locks_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: int, lock: str
) -> None:
    left = iter(range(given))

    def flock(*_: object) -> None:
        if next(left, None) is None:
            raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(store_module.fcntl, "flock", flock)
    with pytest.raises(JournalError, match=rf"{lock}: .*: No locks available; --data DIR or COMP"):
        Journal(tmp_path)


def test_a_session_for_which_there_is_no_lock_is_not_said_to_be_played_elsewhere(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(store_module.fcntl, "flock", flock)
    with pytest.raises(JournalError, match="can't be held: No locks available"), journal.hold("toy-1"):
        pass


@pytest.mark.parametrize("code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL])
def test_r4_a_journal_that_another_program_keeps_locked_is_no_damage(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    folder = shutil.copytree(played, tmp_path / "locked")

    def locked(_: Path) -> None:
        error = sqlite3.OperationalError("locked")
        error.sqlite_errorcode = code
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(store_module, "connect", locked)
        with pytest.raises(JournalError, match=r"locked; another companion is writing; start again$"):
            Journal(folder)
    assert whole(folder) == whole(played)
    assert not list(folder.glob("journal.damaged*"))


@pytest.mark.parametrize("theirs", [FILE, ""])
def test_what_to_do_about_a_journal_of_somebody_else_is_said(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, theirs: str
) -> None:
    folder = shutil.copytree(played, tmp_path / "data")
    closed = folder / theirs
    monkeypatch.setattr("os.access", lambda path, _: path != closed)
    monkeypatch.setattr("os.getuid", lambda: closed.stat().st_uid + 1)
    whose = rf"{closed} is {closed.owner()}'s: sudo -u {closed.owner()} companion"
    error = sqlite3.OperationalError("unable to open database file")
    error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
    with Journal(folder) as journal, Session.create(journal, GAME, PACKS) as session:
        with monkeypatch.context() as patch:
            patch.setattr(journal, "_write", Mock(side_effect=error))
            with pytest.raises(JournalFull, match=f"not written: .*; {whose}"):
                session.answer(session.n, "stones")
        session.answer(session.n, "stones")
    monkeypatch.setattr(store_module, "connect", Mock(side_effect=error))
    with pytest.raises(JournalError, match=f"unable to open database file; {whose}"):
        Journal(folder)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a few sessions, closed in order."""
    folder = tmp_path_factory.mktemp("played")
    for seed in range(3):
        play_on(folder, seed, lambda *_: None, 120)
    return folder


def whole(folder: Path) -> dict[str, list[str]]:
    with Journal(folder) as journal:
        return {meta.id: [entry.check for entry in journal.entries(meta.id)] for meta in journal.sessions()}


def damaged_copy(played: Path, folder: Path, content: bytes) -> Journal:
    folder.mkdir()
    (folder / FILE).write_bytes(content)
    return Journal(folder)


def assert_the_good_part_is_kept(journal: Journal, before: dict[str, list[str]]) -> None:
    kept = 0
    for meta in journal.sessions():
        entries = [entry.check for entry in journal.entries(meta.id)]
        assert entries == before[meta.id][: len(entries)], "never read on past damage"
        kept += len(entries)
    total = sum(map(len, before.values()))
    if kept < total:
        assert journal.salvaged.aside.exists()
        assert str(journal.salvaged.kept) in str(journal.salvaged)


def test_r4_a_journal_cut_off_anywhere_keeps_its_good_part(played: Path, tmp_path: Path) -> None:
    before, data = whole(played), (played / FILE).read_bytes()
    rng = Random(4)
    cuts_at = [1, 15, 16, 99, 100, 511, 4095, 4096, 8192, len(data) - 1]
    for number, at in enumerate([*cuts_at, *(rng.randrange(len(data)) for _ in range(25))]):
        with damaged_copy(played, tmp_path / str(number), data[:at]) as journal:
            assert_the_good_part_is_kept(journal, before)
            Session.create(journal, GAME, PACKS).close()


@pytest.mark.parametrize("damage", ["flip", "zero", "noise"])
def test_r4_damaged_bytes_anywhere_keep_the_good_part(played: Path, tmp_path: Path, damage: str) -> None:
    before, data = whole(played), (played / FILE).read_bytes()
    rng = Random(damage)
    for number in range(30):
        content = bytearray(data)
        at = rng.randrange(len(data))
        match damage:
            case "flip":
                content[at] ^= 1 << rng.randrange(8)
            case "zero":
                content[at : at + 4096] = bytes(len(content[at : at + 4096]))
            case "noise":
                content[at : at + 700] = rng.randbytes(len(content[at : at + 700]))
        with damaged_copy(played, tmp_path / str(number), bytes(content)) as journal:
            assert_the_good_part_is_kept(journal, before)
            Session.create(journal, GAME, PACKS).close()


class Wanting(sqlite3.Connection):
    """Newer SQLites run out of memory at a row that says that it is of an absurd length."""

    def execute(self, query: str, *values: object) -> sqlite3.Cursor:
        if query.startswith("SELECT rowid FROM entries"):
            raise MemoryError
        return super().execute(query, *values)


def test_r4_a_row_for_which_there_is_no_room_keeps_no_other_from_being_read(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, data = whole(played), bytearray((played / FILE).read_bytes())
    data[4096:4796] = Random(1).randbytes(700)
    monkeypatch.setattr("companion.engine.salvage.sqlite3.connect", partial(sqlite3.connect, factory=Wanting))
    with damaged_copy(played, tmp_path / "damaged", bytes(data)) as journal:
        assert_the_good_part_is_kept(journal, before)


def test_r4_a_file_that_is_no_database_is_kept_aside(tmp_path: Path) -> None:
    with damaged_copy(tmp_path, tmp_path / "x", b"not a database at all" * 500) as journal:
        assert journal.sessions() == []
        assert journal.salvaged.aside.read_bytes().startswith(b"not a database")


def test_r4_most_of_a_journal_whose_head_is_gone_is_found_again(played: Path, tmp_path: Path) -> None:
    before, data = whole(played), (played / FILE).read_bytes()
    with damaged_copy(played, tmp_path / "x", bytes(4096) + data[4096:]) as journal:
        assert {meta.id for meta in journal.sessions()} == set(before)
        assert sum(len(journal.entries(name)) for name in before) == sum(map(len, before.values()))


@pytest.fixture(scope="module")
def beheaded(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal whose first page is gone; everything in it can be found again."""
    folder = tmp_path_factory.mktemp("beheaded")
    (folder / FILE).write_bytes(bytes(4096) + (played / FILE).read_bytes()[4096:])
    return folder


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


@pytest.fixture(scope="module")
def cut_off(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal as a power cut leaves it, most of it in the write-ahead log, after 31 entries."""
    folder, cut = tmp_path_factory.mktemp("live"), tmp_path_factory.mktemp("cut")
    with Journal(folder) as journal, Session.create(journal, GAME, PACKS, Wish(seed=7)) as session:
        for _ in range(10):
            for answer in ("stones", 0, True):
                session.answer(session.n, answer)
        session.answer(session.n, "stones")
        for file in folder.glob(f"{FILE}*"):
            shutil.copy(file, cut)
    return cut


def entries_kept(folder: Path) -> tuple[int, Journal]:
    with Journal(folder) as journal:
        (meta,) = journal.sessions()
        with Session.resume(journal, GAME, meta.id) as session:
            assert session.play.state.bag.stones == 0
        return len(journal.entries(meta.id)), journal


def test_r4_a_log_that_only_a_power_cut_left_is_no_damage(cut_off: Path, tmp_path: Path) -> None:
    kept, journal = entries_kept(shutil.copytree(cut_off, tmp_path / "x"))
    assert (kept, journal.salvaged) == (31, None)


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


def test_r2_power_cuts_one_after_the_other_are_no_damage(tmp_path: Path) -> None:
    with Journal(tmp_path / "live") as journal, Session.create(journal, GAME, PACKS) as session:
        session.answer(session.n, "stones")
        once = cut(journal, lambda: session.override({"deck": ["a" * 40000]}), tmp_path / "1", lost=True)
    with Journal(once) as journal, Session.resume(journal, GAME, session.meta.id) as session:
        assert journal.salvaged is None
        session.answer(session.n, 1)
        twice = cut(journal, lambda: session.answer(session.n, True), tmp_path / "2", lost=True)
    with Journal(twice) as journal:
        assert journal.salvaged is None
        assert len(journal.entries(session.meta.id)) == 2


@pytest.fixture(scope="module")
def begun_anew(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes, bytes, int]:
    """A database with all of its log in it, that log, the one begun anew over it, and the entries before."""
    folder = tmp_path_factory.mktemp("anew")
    file, log = folder / FILE, folder / f"{FILE}-wal"
    with Journal(folder) as journal, Session.create(journal, GAME, PACKS) as session:
        for answer in cycle(("stones", 0, True)):
            before = log.read_bytes()
            session.answer(session.n, answer)
            if log.read_bytes()[:32] != before[:32]:
                return file.read_bytes(), before, log.read_bytes(), session.n - 2
    raise AssertionError


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("sector", [512, 4096])
def test_r2_a_power_cut_while_the_log_is_begun_anew_is_no_damage(
    begun_anew: tuple[bytes, bytes, bytes, int], tmp_path: Path, sector: int, seed: int
) -> None:
    """The sector with its head is lost, and of the others what was being written may have arrived."""
    database_file, old, new, entries = begun_anew
    rng, log = Random(seed), bytearray(old)
    changed = [at for at in range(sector, len(old), sector) if old[at : at + sector] != new[at : at + sector]]
    for at in rng.sample(changed, rng.randint(0, len(changed))):
        log[at : at + sector] = new[at : at + sector]
    log[:sector] = rng.randbytes(sector)
    (tmp_path / FILE).write_bytes(database_file)
    (tmp_path / f"{FILE}-wal").write_bytes(log)
    with Journal(tmp_path) as journal:
        (meta,) = journal.sessions()
        with Session.resume(journal, GAME, meta.id) as session:
            assert session.n == entries + 1
        assert journal.salvaged is None


def test_r2_a_page_torn_where_the_log_says_which_it_is_is_no_damage(tmp_path: Path) -> None:
    """The end of a transaction is repeated to fill its sector; here that has the number of an older page."""
    with Journal(tmp_path / "live") as journal, Session.create(journal, GAME, PACKS) as session:
        session.answer(session.n, "stones")
        folder = cut(journal, lambda: session.answer(session.n, 1), tmp_path / "1", lost=True)
    with (folder / f"{FILE}-wal").open("r+b") as log:
        log.seek(-4120, os.SEEK_END)
        log.write(struct.pack(">2I", 2, 2))
    with Journal(folder) as journal:
        assert journal.salvaged is None
        assert len(journal.entries(session.meta.id)) == 1


def test_r2_a_sector_torn_by_the_next_answer_is_no_damage(tmp_path: Path) -> None:
    with Journal(tmp_path / "live") as live, Session.create(live, GAME, PACKS) as session:
        for number, answer in enumerate(("stones", 1, True) * 6):
            folder = cut(live, partial(session.answer, session.n, answer), tmp_path / str(number), lost=False)
            with Journal(folder) as journal:
                assert journal.salvaged is None, number
                assert len(journal.entries(session.meta.id)) == number


def test_r4_a_log_that_begins_with_zeros_is_read_past_them(cut_off: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(cut_off, tmp_path / "x")
    wal = folder / f"{FILE}-wal"
    wal.write_bytes(bytes(32) + wal.read_bytes()[32:])
    kept, journal = entries_kept(folder)
    assert kept == 31
    assert journal.salvaged is not None


@pytest.mark.parametrize("erased", [b"\0", b"\xff"])
def test_r4_a_log_of_endless_erased_sectors_does_not_fill_the_memory(
    cut_off: Path, tmp_path: Path, erased: bytes
) -> None:
    folder = shutil.copytree(cut_off, tmp_path / "x")
    with (folder / f"{FILE}-wal").open("ab") as log:
        log.write(erased * (64 << 20))
    tracemalloc.start()
    try:
        kept, _ = entries_kept(folder)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()
    assert kept == 31


def test_r4_a_flipped_bit_in_the_log_never_loses_what_follows_without_a_word(
    cut_off: Path, tmp_path: Path
) -> None:
    wal, rng = (cut_off / f"{FILE}-wal").read_bytes(), Random(5)
    starts = [0, 13, 40, 80]
    for number, at in enumerate([*starts, *(rng.randrange(len(wal) - 9 * 4120) for _ in range(40))]):
        folder = shutil.copytree(cut_off, tmp_path / str(number))
        damaged = bytearray(wal)
        damaged[at] ^= 1 << rng.randrange(8)
        (folder / f"{FILE}-wal").write_bytes(damaged)
        kept, journal = entries_kept(folder)
        assert kept == 31, at
        assert journal.salvaged.aside.with_name(f"{journal.salvaged.aside.name}-wal").read_bytes() == damaged


@pytest.mark.parametrize(
    ("at", "noise"),
    [
        (8, bytes(4)),
        (17, b"noise"),
        (25, b"noise"),
        (32, bytes(4)),
        (32, b"\xff\xff\xff\xff"),
        (41, b"noise"),
        (49, b"noise"),
    ],
    ids=["page size", "round", "check", "no page", "far page", "page's round", "page's check"],
)
def test_r4_whatever_is_damaged_where_the_log_says_what_it_holds_its_pages_are_found(
    cut_off: Path, tmp_path: Path, at: int, noise: bytes
) -> None:
    folder = shutil.copytree(cut_off, tmp_path / "x")
    with (folder / f"{FILE}-wal").open("r+b") as wal:
        wal.seek(at)
        wal.write(noise)
    with disk_full_at(1 << 30):
        kept, journal = entries_kept(folder)
    assert kept == 31
    assert journal.salvaged is not None


@pytest.mark.parametrize("length", [0, 1, 31, 32, 40])
def test_r4_a_log_that_a_power_cut_left_as_a_stump_is_no_damage(
    played: Path, tmp_path: Path, length: int
) -> None:
    folder = shutil.copytree(played, tmp_path / "x")
    (folder / f"{FILE}-wal").write_bytes((b"noise" * length)[:length])
    with Journal(folder) as journal:
        assert journal.salvaged is None
    assert whole(folder) == whole(played)


def test_r4_a_log_whose_last_page_is_cut_short_is_no_damage(cut_off: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(cut_off, tmp_path / "x")
    with (folder / f"{FILE}-wal").open("r+b") as wal:
        wal.truncate(wal.seek(0, os.SEEK_END) - 13)
    kept, journal = entries_kept(folder)
    assert (kept, journal.salvaged) == (31, None)  # what is cut fills up a sector


def test_r4_an_answer_damaged_in_the_log_before_a_note_is_no_power_cut(tmp_path: Path) -> None:
    with Journal(tmp_path / "live") as journal, Session.create(journal, GAME, PACKS) as session:
        wal = tmp_path / "live" / f"{FILE}-wal"
        session.answer(session.n, "stones")
        begins = wal.stat().st_size
        session.answer(session.n, 1)
        journal.note(session.meta.id, Note(1.0, "well played"))
        shutil.copytree(wal.parent, tmp_path / "cut")
    with (tmp_path / "cut" / wal.name).open("r+b") as file:
        file.seek(begins + 100)
        file.write(b"noise")
    with Journal(tmp_path / "cut") as journal:
        assert journal.salvaged is not None
        assert len(journal.entries(session.meta.id)) == 2
        assert [note.text for note in journal.notes(session.meta.id)] == ["well played"]


def test_r2_an_answer_is_not_left_in_the_drives_cache(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        flags = [
            journal.store._db.execute(f"PRAGMA {name}").fetchone() for name in ("synchronous", "fullfsync")
        ]
    assert flags == [(2,), (1,)]


@pytest.mark.parametrize("damaged", [False, True])
def test_r4_what_the_log_had_before_it_began_again_is_not_taken_for_what_it_has(
    tmp_path: Path, damaged: bool
) -> None:
    cut, live = tmp_path / "cut", tmp_path / "live"
    with Journal(live) as journal, Session.create(journal, GAME, PACKS) as session:
        for answer in ("stones", 0, True) * 10:
            session.answer(session.n, answer)
        journal.store._db.execute("PRAGMA wal_checkpoint(RESTART)")
        for answer in ("stones", 1, True):
            session.answer(session.n, answer)
        shutil.copytree(live, cut)
    if damaged:
        with (cut / f"{FILE}-wal").open("r+b") as wal:
            wal.seek(100)
            wal.write(b"noise")
    with Journal(cut) as journal:
        assert len(journal.entries(session.meta.id)) == 33
        assert (journal.salvaged is not None) == damaged


@pytest.mark.parametrize("content", [None, b"", b"x"])
def test_r4_a_lost_database_is_found_again_in_its_log(
    cut_off: Path, tmp_path: Path, content: bytes | None
) -> None:
    folder = shutil.copytree(cut_off, tmp_path / "x")
    (folder / FILE).unlink()
    if content is not None:
        (folder / FILE).write_bytes(content)
    kept, journal = entries_kept(folder)
    assert kept == 31
    assert journal.salvaged is not None


def test_r4_a_journal_that_is_empty_where_sessions_were_is_said_to_be_damaged(
    played: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(played, tmp_path / "x")
    (folder / FILE).write_bytes(b"")
    with Journal(folder) as journal:
        assert journal.salvaged.aside.exists()
        assert ", nothing is left of 3 other sessions; the damaged" in str(journal.salvaged)
        Session.create(journal, GAME, PACKS).close()
    with Journal(folder) as journal:
        assert (journal.salvaged, len(journal.sessions())) == (None, 1)


def test_a_journal_that_was_never_written_to_is_no_damage(tmp_path: Path) -> None:
    """Where the first start ever was cut short."""
    (tmp_path / FILE).touch()
    with Journal(tmp_path) as journal:
        assert (journal.salvaged, journal.sessions()) == (None, [])


def test_r4_entries_longer_than_a_page_are_kept_where_other_tables_are_damaged(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS) as session:
        session.answer(session.n, "stones")
        session.override({"deck": ["a" * 9000]})
        session.answer(session.n, 2)
        before = journal.entries(session.meta.id)
        journal.note(session.meta.id, Note(0.0, "hello"))
    with sqlite3.connect(tmp_path / FILE) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'notes'").fetchone()
    db.close()
    content = bytearray((tmp_path / FILE).read_bytes())
    content[(page - 1) * 4096 : page * 4096] = bytes(4096)
    (tmp_path / FILE).write_bytes(content)
    with Journal(tmp_path) as journal:
        assert journal.salvaged is not None
        assert journal.entries(session.meta.id) == before


def test_r4_a_journal_that_is_a_link_is_mended_with_its_log_where_the_link_leads(
    cut_off: Path, tmp_path: Path
) -> None:
    elsewhere, folder = shutil.copytree(cut_off, tmp_path / "elsewhere"), tmp_path / "data"
    folder.mkdir()
    (folder / FILE).symlink_to(elsewhere / FILE)
    with (elsewhere / f"{FILE}-wal").open("r+b") as log:
        log.write(bytes(32))
    kept, journal = entries_kept(folder)
    assert kept == 31
    assert journal.salvaged.aside.parent == elsewhere
    assert (folder / FILE).is_symlink()


def damage_entry(folder: Path, session: str, seq: int) -> None:
    """An entry that SQLite reads without a word and that is not what was written."""
    with sqlite3.connect(folder / FILE) as db:
        db.execute(
            "UPDATE entries SET line = replace(line, 'toy.', 'tay.') WHERE session = ? AND seq = ?",
            (session, seq),
        )
    db.close()


@pytest.mark.parametrize("seq", [1, 2, 6])
def test_r4_a_salvage_says_how_many_entries_are_lost_and_they_are_made_anew(tmp_path: Path, seq: int) -> None:
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS, Wish(seed=7)) as session:
        for answer in ("dice", True, "dice", True):
            session.answer(session.n, answer)
        rolls = journal.rolls(session.meta.id)
    with closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        db.execute("UPDATE entries SET line = replace(line, 'session', 'noisses') WHERE seq = ?", (seq,))
    with Journal(tmp_path) as journal, Session.resume(journal, GAME, session.meta.id) as again:
        assert (journal.salvaged.kept, journal.salvaged.lost) == (seq - 1, 7 - seq)
        while len(journal.entries(again.meta.id)) < 6:
            again.answer(again.n, again.ask.kind == "show" or "dice")
        assert journal.rolls(again.meta.id) == rolls


def test_r4_last_entries_that_are_gone_from_their_table_are_missed(tmp_path: Path) -> None:
    """What is left is sound in itself, but fewer than the session's head counts."""
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS, Wish(seed=7)) as session:
        for answer in ("stones", 1, True, "stones"):
            session.answer(session.n, answer)
    with closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        db.execute("PRAGMA secure_delete = ON")
        db.execute("DELETE FROM entries WHERE seq > 2")
    with Journal(tmp_path) as journal:
        assert len(journal.entries(session.meta.id)) == 2
        assert (journal.salvaged.kept, journal.salvaged.lost) == (2, 2)


def test_r4_a_session_whose_head_is_not_what_was_written_is_left_out(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        for seed in (1, 22):
            with Session.create(journal, GAME, PACKS, Wish(seed=seed)) as session:
                session.answer(session.n, "stones")
        (first, _) = journal.sessions()
    file = tmp_path / FILE
    file.write_bytes(file.read_bytes().replace(b'"seed":22', b'"seed":23'))  # in its copy too
    with Journal(tmp_path) as journal:
        assert journal.sessions() == [first]
        assert (journal.salvaged.kept, journal.salvaged.lost) == (1, 1)


@pytest.mark.parametrize("undone", [False, True])
def test_r4_of_two_heads_that_only_their_bytes_give_the_end_counts_if_nothing_was_undone(
    tmp_path: Path, undone: bool
) -> None:
    with (
        Journal(tmp_path / "live") as journal,
        Session.create(journal, GAME, PACKS, Wish(settings={"top": "5"})) as session,
    ):
        open_head = journal.session(session.meta.id)
        while session.ask is not None:
            session.answer(session.n, session.ask.kind == "show" or "dice")
        end = journal.session(session.meta.id)
        if undone:
            session.undo()
        lines = map(msgspec.json.encode, [open_head, end, open_head, *journal.entries(end.id)])
        (tmp_path / "bytes").write_bytes(bytes(5000) + b"".join(lines))
    assert rescue(tmp_path / "bytes", empty()).heads == {end.id: open_head if undone else end}


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


def test_r4_a_journal_that_is_damaged_again_keeps_what_came_in_between(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        with Session.create(journal, GAME, PACKS) as session:
            for answer in ("stones", 1, True):
                session.answer(session.n, answer)
        damage_entry(tmp_path, session.meta.id, 3)
        assert len(journal.entries(session.meta.id)) == 2
        with Session.resume(journal, GAME, session.meta.id) as again:
            for answer in (True, "stones", 2):
                again.answer(again.n, answer)
        damage_entry(tmp_path, session.meta.id, 5)
        journal.store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert len(journal.entries(session.meta.id)) == 4


def test_r4_a_journal_too_large_for_a_check_at_each_start_is_mended_where_its_tables_are_gone(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "QUICKLY_CHECKED", 0)
    before, folder = whole(played), shutil.copytree(played, tmp_path / "large")
    data = bytearray((folder / FILE).read_bytes())
    data[103:105] = bytes(2)  # how many there are
    (folder / FILE).write_bytes(data)
    with Journal(folder) as journal:
        assert journal.salvaged is not None
    assert whole(folder) == before


def test_r4_a_large_journal_is_checked_where_the_last_stop_was_unclean(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is written into what is damaged."""
    monkeypatch.setattr(database, "QUICKLY_CHECKED", 0)
    before, folder = whole(played), shutil.copytree(played, tmp_path / "large")
    with closing(sqlite3.connect(folder / FILE)) as db:
        roots = dict(db.execute("SELECT name, rootpage FROM sqlite_schema"))
    with (folder / FILE).open("r+b") as file:
        file.seek((roots["sqlite_autoindex_entries_1"] - 1) * 4096)
        file.write(bytes(4096))
    with Journal(shutil.copytree(folder, tmp_path / "clean")) as journal:
        assert journal.salvaged is None
    (folder / f"{FILE}-wal").touch()
    with Journal(folder) as journal:
        assert journal.salvaged is not None
    assert whole(folder) == before


@pytest.mark.parametrize("bad", [slice(4096), slice(100), slice(100, 4096), slice(16, 18), slice(3000, 4000)])
def test_r4_a_journal_whose_first_page_is_damaged_is_played_on_from_as_it_was(
    played: Path, tmp_path: Path, bad: slice
) -> None:
    folder, note = shutil.copytree(played, tmp_path / "beheaded"), Note(1.0, "well played " * 5000)
    with Journal(folder) as journal, open_or_begin(journal) as session:
        name, ask, state = session.meta.id, session.ask, session.state
        rolls = journal.rolls(name)
        journal.note(name, note)
    data = bytearray((folder / FILE).read_bytes())
    data[bad] = bytes(len(data[bad]))
    (folder / FILE).write_bytes(data)
    with Journal(folder) as journal, open_or_begin(journal) as again:
        assert journal.salvaged is not None
        assert (again.meta.id, again.ask, again.state) == (name, ask, state)
        assert journal.rolls(name) == rolls
        assert journal.notes(name) == [note]


def test_r4_the_entries_of_sessions_whose_heads_are_gone_are_said_to_be_lost(
    played: Path, tmp_path: Path
) -> None:
    before, folder = whole(played), shutil.copytree(played, tmp_path / "headless")
    data = (folder / FILE).read_bytes()
    pages = [data[at : at + 4096] for at in range(0, len(data), 4096)]
    (folder / FILE).write_bytes(b"".join(bytes(4096) if b'{"id":"' in page else page for page in pages))
    with Journal(folder) as journal:
        assert (journal.salvaged.sessions, journal.salvaged.kept) == (0, 0)
        assert journal.salvaged.lost == sum(map(len, before.values()))


def test_r4_the_sector_with_the_heads_of_all_sessions_costs_none_of_them(
    played: Path, tmp_path: Path
) -> None:
    before, folder = whole(played), shutil.copytree(played, tmp_path / "headless")
    with Journal(folder) as journal:
        heads = [meta.start() for meta in journal.sessions()]
    data = bytearray((folder / FILE).read_bytes())
    data[4096:8192] = bytes(4096)  # where the table of sessions begins
    (folder / FILE).write_bytes(data)
    with Journal(folder) as journal:
        assert journal.salvaged is not None
        assert whole(folder) == before
        assert [meta.start() for meta in journal.sessions()] == heads


@pytest.mark.parametrize("lost", ["photo", "index", "photo and index", "rolls", "a number"])
def test_r4_a_lost_page_costs_only_what_is_on_it(tmp_path: Path, lost: str) -> None:
    photo = Random(4).randbytes(60_000)
    other = {"card": PACKS.tables["card"] | {"d": {"steps": 4, "source": "owner"}}}
    with Journal(tmp_path) as journal:
        wish = Wish(settings={"top": "60"}, dice="manual")
        with Session.create(journal, GAME, PACKS, wish) as session:
            for nth in range(50):
                session.answer(session.n, "dice")
                die = RolledDie(f"die {nth}.", "1", "camera", read="x" * 100)
                session.answer(session.n, ["1", "1"], evidence=Evidence((die, die), (photo,)))
                session.answer(session.n, True)
        rolls = journal.rolls(session.meta.id)
        Session.create(journal, GAME, msgspec.structs.replace(PACKS, tables=other)).close()
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        roots = dict(db.execute("SELECT name, (rootpage - 1) * 4096 FROM sqlite_schema"))
    content = bytearray((tmp_path / FILE).read_bytes())
    starts = {
        "photo": content.find(photo[20_000:20_040]) // 4096 * 4096,
        "index": roots["sqlite_autoindex_blobs_1"],
        "rolls": content.find(b"die 25.") // 4096 * 4096,
    }
    for start in (start for what, start in starts.items() if what in lost):
        content[start : start + 4096] = bytes(4096)
    if lost == "a number":  # of a row, by which the pages of a table are in order
        start = roots["rolls"]
        content[start + int.from_bytes(content[start + 12 : start + 14]) + 4] |= 64
    (tmp_path / FILE).write_bytes(content)
    with Journal(tmp_path) as journal:
        for meta in journal.sessions():
            Session.resume(journal, GAME, meta.id).close()
        assert journal.salvaged is not None
        kept = journal.rolls(session.meta.id)
        if lost == "rolls":
            assert 25 < len(kept) < 50
            assert kept.items() <= rolls.items()
            assert {min(rolls), max(rolls)} <= set(kept)
        else:
            assert kept == rolls
        with pytest.raises(JournalError, match="not in the journal") if "photo" in lost else nullcontext():
            assert journal.blob(blob_name(photo)) == photo


def test_r4_a_picture_or_pack_whose_bytes_were_damaged_counts_as_lost(played: Path, tmp_path: Path) -> None:
    with Journal(shutil.copytree(played, tmp_path / "damaged")) as journal:
        name = journal.sessions()[0].pack
        data = bytearray(journal.blob(name))
        data[-1] ^= 1
        journal.store._db.execute("UPDATE blobs SET data = ? WHERE hash = ?", (bytes(data), name))
        with pytest.raises(JournalError, match="is not in the journal any more"):
            journal.blob(name)


UNTYPED = "ALTER TABLE {0} RENAME TO typed; CREATE TABLE {0} AS SELECT * FROM typed; DROP TABLE typed;"
ENDLESS = (
    "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, id line, id entries FROM n"
)


@pytest.mark.parametrize(
    "damage",
    [
        f"{UNTYPED.format('sessions')} UPDATE sessions SET line = 1.5",
        f"{UNTYPED.format('entries')} UPDATE entries SET line = NULL WHERE seq = 3",
        f"{UNTYPED.format('notes')} UPDATE notes SET line = 7",
        f'UPDATE notes SET line = \'{{"at":1,"text":{"[" * 5000}\'',
        "ALTER TABLE entries RENAME TO others; CREATE VIEW entries AS SELECT * FROM others",
        "CREATE TRIGGER more AFTER INSERT ON entries BEGIN DELETE FROM entries; END",
        f"DROP TABLE sessions; CREATE VIEW sessions AS {ENDLESS}",
    ],
)
def test_r8_tables_that_are_none_of_a_journal_are_damage_and_what_is_sound_in_them_is_kept(
    played: Path, tmp_path: Path, damage: str
) -> None:
    before, folder = whole(played), shutil.copytree(played, tmp_path / "damaged")
    with Journal(folder) as journal:
        journal.note(journal.sessions()[0].id, Note(1.0, "well played"))
    with closing(sqlite3.connect(folder / FILE)) as db:
        db.executescript(damage)
    with Journal(folder) as journal:
        for meta in journal.sessions():
            journal.entries(meta.id)
            journal.notes(meta.id)
        assert journal.salvaged is not None
        assert_the_good_part_is_kept(journal, before)


@pytest.mark.parametrize("data", ["NULL", "7", "'text'"])
def test_r8_a_pack_that_is_read_as_no_bytes_counts_as_lost(played: Path, tmp_path: Path, data: str) -> None:
    with Journal(shutil.copytree(played, tmp_path / "damaged")) as journal:
        name = journal.sessions()[0].pack
        with closing(sqlite3.connect(journal.path)) as db:
            db.executescript(f"{UNTYPED.format('blobs')} UPDATE blobs SET data = {data}")
        with pytest.raises(JournalError, match="is not in the journal any more"):
            journal.blob(name)


@pytest.mark.parametrize(
    "damage", ["die = CAST(die AS BLOB)", "seq = 'one'", "confidence = 'x'", "photo = x'00'"]
)
def test_r4_a_die_of_a_roll_that_is_not_what_a_die_can_be_counts_as_lost(tmp_path: Path, damage: str) -> None:
    """One flipped bit makes bytes of a text; a report would stumble over them."""
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS, Wish(seed=7)) as session:
        for answer in ("dice", True, "dice", True):
            session.answer(session.n, answer)
        entries, rolls = journal.entries(session.meta.id), journal.rolls(session.meta.id)
        with closing(sqlite3.connect(journal.path)) as db, db:
            db.execute(f"UPDATE rolls SET {damage} WHERE seq = 2 AND nth = 0")
        assert journal.rolls(session.meta.id) == {**rolls, 2: rolls[2][1:]}
        assert journal.salvaged is not None
        assert journal.entries(session.meta.id) == entries


@pytest.mark.parametrize("named", [True, False])
def test_r4_packs_that_are_lost_are_put_back_where_they_are_still_the_same(
    tmp_path: Path, *, named: bool
) -> None:
    game, owner = load("okinawa"), tmp_path / "packs" / "okinawa"
    (owner / "mine").mkdir(parents=True)
    pack = '[pack]\ngame = "okinawa"\nname = "mine"\nsource = "owner"\n'
    (owner / "mine" / "pack.toml").write_text(pack + '[action.scouts]\nname = "Pathfinders"\n')
    packs = merge("okinawa", find(game.folder, owner, ["mine"] * named))
    with Journal(tmp_path) as journal:
        with Session.create(journal, game, packs) as session:
            ask, kept = session.ask, journal.blob(session.meta.pack)
        (owner / "owner").mkdir()
        (owner / "owner" / "pack.toml").write_text(pack + '[action.bazooka]\nname = "Entered since"\n')
        journal.store._db.execute("DELETE FROM blobs")
        with Session.resume(journal, game, session.meta.id) as session:
            assert session.ask == ask
        assert journal.blob(session.meta.pack) == kept
        journal.store._db.execute("DELETE FROM blobs")
        (owner / "mine" / "pack.toml").write_text(pack)
        if named:
            with pytest.raises(JournalError, match="companion log restore takes it from a backup"):
                Session.resume(journal, game, session.meta.id)
    assert named == ("mine" in session.meta.packs)


def test_r4_a_session_whose_name_in_the_table_was_damaged_is_found_under_its_own(
    played: Path, tmp_path: Path
) -> None:
    before, folder = whole(played), shutil.copytree(played, tmp_path / "damaged")
    with Journal(folder) as journal:
        name = journal.sessions()[0].id
        journal.store._db.execute("UPDATE sessions SET id = ? WHERE id = ?", (f"{name}x", name))
        assert len(journal.sessions()) == len(before)
        assert journal.salvaged.lost == 0
    assert whole(folder) == before


def bad_sectors(monkeypatch: pytest.MonkeyPatch, file: Path, bad: set[int]) -> None:
    """Let the disk give an I/O error for sectors of a file, to Python and to SQLite, wherever it is moved."""
    inode, pread, connect = file.stat().st_ino, os.pread, store_module.connect

    def pread_sector(number: int, length: int, start: int) -> bytes:
        if os.fstat(number).st_ino == inode and start // 4096 in bad:
            raise OSError(errno.EIO, "Input/output error")
        return pread(number, length, start)

    def connected(path: Path) -> sqlite3.Connection:
        parts = (path, path.with_name(f"{FILE}-wal"))
        if any(part.exists() and part.stat().st_ino == inode for part in parts):
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
            raise error
        return connect(path)

    monkeypatch.setattr(os, "pread", pread_sector)
    monkeypatch.setattr(store_module, "connect", connected)


@pytest.mark.parametrize("sector", [0, 3, -1])
@pytest.mark.parametrize("ending", ["", "-wal"])
def test_r4_sectors_that_a_dying_card_does_not_give_any_more_cost_only_what_is_in_them(
    played: Path, cut_off: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sector: int, ending: str
) -> None:
    source = cut_off if ending else played
    before = whole(shutil.copytree(source, tmp_path / "whole"))
    folder = shutil.copytree(source, tmp_path / "dying")
    file = folder / f"{FILE}{ending}"
    with monkeypatch.context() as patch:
        bad_sectors(patch, file, {sector % (file.stat().st_size // 4096)})
        with Journal(folder) as journal:
            assert_the_good_part_is_kept(journal, before)
            assert set(before) == {meta.id for meta in journal.sessions()}
            assert len(before) > 1 or len(journal.entries(*before)) > 20


def test_r4_a_disk_that_gives_nothing_at_all_is_no_damage_to_the_journal(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, folder = whole(played), shutil.copytree(played, tmp_path / "gone")
    with monkeypatch.context() as patch:
        bad_sectors(patch, folder / FILE, set(range(10_000)))
        with pytest.raises(JournalError, match=r"journal\.sqlite: disk I/O error"):
            Journal(folder)
    assert whole(folder) == before


def test_r4_what_a_disk_in_a_network_does_not_give_for_now_is_not_lost(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stale(*_: int) -> bytes:
        raise OSError(errno.ESTALE, "Stale file handle")

    folder = shutil.copytree(played, tmp_path / "x")
    data = bytes(100) + (folder / FILE).read_bytes()[100:]
    (folder / FILE).write_bytes(data)
    with monkeypatch.context() as patch:
        patch.setattr(os, "pread", stale)
        with pytest.raises(JournalError, match=r"damaged and can't be mended: .*Stale file handle"):
            Journal(folder)
    assert (folder / FILE).read_bytes() == data
    assert whole(folder) == whole(played)


def test_r4_damage_that_is_met_once_the_disk_takes_no_writes_any_more_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def refused(path: Path, mode: str = "r", *args: object, **options: object) -> object:
        if mode == "a":
            raise OSError(errno.EROFS, "Read-only file system")
        return opened(path, mode, *args, **options)

    with Journal(tmp_path) as journal, monkeypatch.context() as patch:
        journal.store._db.execute("INSERT INTO sessions VALUES ('toy', 'torn', 0)")
        patch.setattr(Path, "open", refused)
        with pytest.raises(JournalError, match=r"opening\.lock: .* Read-only file system"):
            journal.sessions()


def test_r4_who_meets_a_lost_sector_while_another_mends_it_reads_the_mended_file(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, tries = shutil.copytree(played, tmp_path / "dying"), []

    def read(db: sqlite3.Connection) -> list[Meta]:
        tries.append(1)
        if len(tries) == 1:
            page.store._db = page.store._salvage(page.store._db)
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
            raise error
        return journal_module._sessions(db)

    with Journal(folder) as game, Journal(folder) as page:
        assert game.store.reading(read) == page.sessions()


def test_r4_a_rescue_holds_the_file_in_memory_hardly_more_than_twice(tmp_path: Path) -> None:
    size = 4 << 20
    with Journal(tmp_path) as journal:
        journal.begin(Meta("large", "toy", 0.0, 1, "", {}), os.urandom(size))
    tracemalloc.start()
    try:
        assert len(rescue(tmp_path / FILE, b"").blobs) == 2
        assert tracemalloc.get_traced_memory()[1] < 2.5 * size
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("torn", ["the database", "the log", "the table"])
def test_r4_after_a_salvage_sessions_are_in_order_and_an_undone_end_is_still_undone(
    tmp_path: Path, torn: str
) -> None:
    live, names = tmp_path / "live", []
    with Journal(live) as journal:
        for seed in range(4):
            wish, clock = Wish(seed=seed, settings={"top": "5"}), partial(Stamp, float(seed), 0)
            with Session.create(journal, GAME, PACKS, wish, clock) as session:
                names.append(session.meta.id)
                session.answer(session.n, "dice")
                while session.ask is not None:
                    session.answer(session.n, True if session.ask.kind == "show" else "dice")
        with Session.resume(journal, GAME, names[-1]) as session:
            session.undo()
            session.answer(session.n, "stones")
            ask = session.ask
        folder = shutil.copytree(live, tmp_path / "torn")
    if torn != "the log":
        shutil.copy(live / FILE, folder)
        (folder / f"{FILE}-wal").unlink()
    file = folder / (f"{FILE}-wal" if torn == "the log" else FILE)
    data = bytearray(file.read_bytes())
    if torn == "the table":  # heads are found by their bytes alone then
        data[4096:4104] = bytes(8)
    else:
        data[:4] = data[100:104] = bytes(4)
    file.write_bytes(data)
    with Journal(folder) as journal:
        assert journal.salvaged is not None
        assert [(meta.id, meta.outcome) for meta in journal.sessions()] == [
            *((name, "won") for name in names[:-1]),
            (names[-1], ""),
        ]
        with Session.resume(journal, GAME, names[-1]) as again:
            assert again.ask == ask


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


def test_r4_a_journal_of_a_newer_companion_is_left_alone(played: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(played, tmp_path / "new")
    with sqlite3.connect(folder / FILE) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    content = (folder / FILE).read_bytes()
    with pytest.raises(JournalError, match="from a newer companion"):
        Journal(folder)
    assert (folder / FILE).read_bytes() == content


@pytest.mark.parametrize("where", ["the database", "the log"])
def test_r4_a_damaged_journal_of_a_newer_companion_is_left_to_that_one(
    cut_off: Path, tmp_path: Path, where: str
) -> None:
    """What this one does not know of it would not be in the mended file."""
    folder = shutil.copytree(cut_off, tmp_path / "new")
    with closing(sqlite3.connect(folder / FILE)) as db, closing(sqlite3.connect(folder / FILE)):
        db.execute("PRAGMA user_version = 99")
        if where == "the database":
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'rolls'").fetchone()
        new = shutil.copytree(folder, tmp_path / "copy")
    damaged, at = (new / FILE, (page - 1) * 4096) if where == "the database" else (new / f"{FILE}-wal", 32)
    with damaged.open("r+b") as file:
        file.seek(at)
        file.write(b"noise")
    before = {file.name: file.read_bytes() for file in new.glob("journal.*") if file.suffix == ".sqlite"}
    with pytest.raises(JournalError, match=r"^\S+ is from a newer companion \(version 99\); upgrade"):
        Journal(new)
    assert {name: (new / name).read_bytes() for name in before} == before
    assert len(before) == len(list(new.glob("*.sqlite")))


@pytest.mark.parametrize("flipped", [b"\x80\0\0\2", b"\x40\0\0\2", b"\0\0\x10\2", b"\0\0\0\0"])
def test_r4_a_damaged_version_is_not_taken_for_one_of_a_newer_companion(
    played: Path, tmp_path: Path, flipped: bytes
) -> None:
    before, folder = whole(played), shutil.copytree(played, tmp_path / "x")
    with (folder / FILE).open("r+b") as file:
        file.seek(60)
        file.write(flipped)
    with Journal(folder) as journal:
        assert journal.salvaged is not None
    assert whole(folder) == before


@pytest.mark.parametrize("damaged", [False, True])
def test_r4_a_journal_of_an_older_companion_is_upgraded_with_all_that_is_in_it(
    played: Path, tmp_path: Path, *, damaged: bool
) -> None:
    before, folder = whole(played), shutil.copytree(played, tmp_path / "old")
    with closing(sqlite3.connect(folder / FILE)) as db:
        db.execute("DROP TABLE notes")
        db.execute("PRAGMA user_version = 1")
        (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'rolls'").fetchone()
    if damaged:
        with (folder / FILE).open("r+b") as file:
            file.seek((page - 1) * 4096)
            file.write(bytes(4096))
    with Journal(folder) as journal:
        assert (journal.salvaged is not None) is damaged
        for name in before:
            journal.note(name, Note(1.0, "well played"))
    assert whole(folder) == before


def test_r6_what_an_earlier_companion_wrote_is_sound_and_goes_on(journal: Journal) -> None:
    """Were a check, a fingerprint or a blob's name made otherwise, all sessions would count as damaged."""
    head, *lines = Path(__file__).with_name("earlier.jsonl").read_text().splitlines()
    packs = bytes.fromhex(
        "789cab564a4e2c4a51b2aa564a0411c525a905c54a56863a4ac5f9a545c9a94a5640a1c4bc14ddcc3c"
        "a55a1da52424354638d42423a931c6aaa6b61600c935265d"
    )
    meta = msgspec.json.decode(head, type=Meta)
    rows = [(meta.id, seq, line) for seq, line in enumerate(lines, start=1)]
    with closing(sqlite3.connect(journal.path)) as db, db:
        db.execute("INSERT INTO sessions VALUES (?, ?, ?)", (meta.id, head, len(lines)))
        db.executemany("INSERT INTO entries VALUES (?, ?, ?)", rows)
        db.execute("INSERT INTO blobs VALUES (?, ?)", (meta.pack, packs))
    with Session.resume(journal, GAME, meta.id) as session:
        assert journal.salvaged is None
        assert session.state == {
            "height": 8,
            "turn": 3,
            "deck": ["a", "c"],
            "bag": {"stones": 3},
            "picked": {},
        }
        session.undo(2)
        session.answer(session.n, "card")
        assert session.history[-1].answer == ("b",), "the seed gives the same card"


def test_r5_every_session_replays_to_the_same_end_twice(played: Path) -> None:
    with Journal(played) as journal:
        for meta in journal.sessions():
            length = len(journal.entries(meta.id))
            assert replayed(journal, meta.id, length) == replayed(journal, meta.id, length)
            with Session.resume(journal, GAME, meta.id) as session:
                assert digest(session.state) == replayed(journal, meta.id, length)


def test_r7_undo_goes_back_to_the_first_ask_and_redo_to_the_last(journal: Journal) -> None:
    rng = Random(7)
    with Session.create(journal, GAME, PACKS, Wish(seed=7)) as session:
        states = []
        for _ in range(60):
            if session.ask is None:
                break
            if session.ask.kind == "choose":
                states.append(session.state)
            answer = "dice" if session.ask.kind == "choose" and rng.random() < 0.2 else None
            kinds = {"show": True, "choose": answer or "stones", "number": rng.randint(0, 3)}
            session.answer(session.n, kinds[session.ask.kind])
        end, back = session.state, []
        while session.undoable:
            session.undo()
            if session.ask.kind == "choose":
                back.append(session.state)
        assert back == states[::-1]
        while session.redoable:
            session.redo()
        assert session.state == end


@pytest.mark.parametrize(("keeper", "heard", "synced"), [(0, 0, True), (1, 0, False), (1, 1, True)])
def test_r13_a_time_is_trusted_unless_a_time_keeper_has_not_heard_from_its_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keeper: bool, heard: bool, synced: bool
) -> None:
    folder = tmp_path / "timesync"
    if keeper:
        folder.mkdir()
    if heard:
        (folder / "synchronized").touch()
    found = {"/run/systemd/timesync": folder}
    monkeypatch.setattr(clock, "Path", lambda name: found.get(name, Path(name)))
    assert clock.system().synced is synced


def test_r13_where_boots_are_not_told_apart_a_restart_is_not_taken_for_time_that_ran_backwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unknown(*_: object, **__: object) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", unknown)
    runs = []
    for _ in range(2):
        clock._boot.cache_clear()
        runs.append((clock.system().boot, clock.system().boot))
    clock._boot.cache_clear()
    assert [first == second for first, second in runs] == [True, True]
    assert runs[0] != runs[1]


def test_r13_order_and_durations_do_not_depend_on_the_wall_clock(journal: Journal) -> None:
    walls = iter([1e9, 2e9, 0.0, 3e9] * 9)
    ticks = iter(range(1000))

    def broken_clock() -> Stamp:
        return Stamp(next(walls), next(ticks), "boot", synced=False)

    with Session.create(journal, GAME, PACKS, Wish(seed=1), clock=broken_clock) as session:
        for answer in ("stones", 1, True, "stones", 2):
            session.answer(session.n, answer)
        entries = journal.entries(session.meta.id)
    assert [entry.item.answer for entry in entries] == ["stones", 1, True, "stones", 2]
    monotonic = [entry.stamp.mono for entry in entries]
    assert monotonic == sorted(monotonic)
    assert not journal.session(session.meta.id).synced
    assert all(not entry.stamp.synced for entry in entries)


def test_the_head_of_a_session_is_checked_once_however_often_a_menu_looks_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal:
        Session.create(journal, GAME, PACKS, Wish(seed=1)).close()
        found = journal.played()
        monkeypatch.setattr(Meta, "sealed", lambda _: pytest.fail("it is checked again"))
        assert journal.played() == journal.sessions() == found


def test_r13_the_session_played_last_is_known_whatever_the_clock_says(tmp_path: Path) -> None:
    """Also after a salvage; one that was only begun counts from there."""
    with Journal(tmp_path) as journal:

        def begin(wall: float) -> str:
            with Session.create(journal, GAME, PACKS, Wish(seed=1), clock=partial(Stamp, wall, 0)) as session:
                return session.meta.id

        def go_on(name: str, wall: float) -> None:
            with Session.resume(journal, GAME, name, clock=partial(Stamp, wall, 0)) as session:
                session.answer(session.n, "stones")
                session.undo()

        first, second, bare = begin(3e9), begin(1e9), begin(2e9)
        assert [one.id for one in journal.played()] == [first, second, bare]
        go_on(second, 3e9)
        go_on(first, 0.0)
        assert [one.id for one in journal.played()] == [bare, second, first]
        assert [one.id for one in journal.sessions()] == [first, second, bare]
        assert journal.last_open() == journal.session(first)
        newest = begin(0.0)
        assert journal.last_open() == journal.session(newest)
        assert journal.last_open("another") is None
        go_on(second, 0.0)
        assert [one.id for one in journal.played()] == [bare, first, newest, second]
    with (tmp_path / FILE).open("r+b") as file:
        file.write(bytes(100))
    with Journal(tmp_path) as journal:
        assert journal.salvaged
        assert [one.id for one in journal.played()] == [bare, first, newest, second]
        assert [one.id for one in journal.sessions()] == [first, second, bare, newest]
        begun = begin(0.0)
    with (tmp_path / FILE).open("r+b") as file:
        file.write(bytes(100))
    with Journal(tmp_path) as journal:
        assert [one.id for one in journal.played()][-3:] == [first, second, begun]
        assert [one.id for one in journal.sessions()] == [first, second, bare, newest, begun]
