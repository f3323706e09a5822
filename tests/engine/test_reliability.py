"""What must hold when things break (R1 to R7, R13), in a short form; the long runs are commands."""

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from random import Random
from threading import Barrier
from unittest.mock import Mock

import msgspec
import pytest

from companion.engine import Journal, JournalError, JournalFull, Session, Wish, clock
from companion.engine import journal as journal_module
from companion.engine import store as store_module
from companion.engine.clock import Stamp
from companion.engine.database import FILE
from companion.engine.records import Meta
from tests.engine.damaged import whole
from tests.engine.disk import disk_full_at
from tests.engine.toy import GAME, PACKS
from tests.longrun.kills import kills
from tests.longrun.play_toy import digest, replayed
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
