"""A session is held by one at a time, and its files are whose the folder is."""

import os
import shutil
from pathlib import Path

import msgspec
import pytest

from companion.engine import BadInput, Journal, JournalError, JournalFull, Session, SessionBusy
from companion.engine.clock import Stamp
from companion.engine.files import way_in
from tests.engine.playing import play
from tests.engine.toy import GAME, PACKS


def test_a_session_has_an_id_that_none_has(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = iter(["aaaa", "aaaa", "bbbb"])
    monkeypatch.setattr("secrets.token_hex", lambda _: next(ends))
    for _ in range(2):  # in one minute, as a Pi without a network may take each of its starts for
        Session.create(journal, GAME, PACKS, clock=lambda: Stamp(1.8e9, 0)).close()
    assert [meta.id[-5:] for meta in journal.sessions()] == ["-aaaa", "-bbbb"]


def test_a_whole_id_names_its_session_beside_one_that_begins_with_it(
    journal: Journal, session: Session
) -> None:
    assert journal.session(session.meta.id[:-1]).id == session.meta.id
    with pytest.raises(BadInput, match="no session 'x'; companion log list shows all there are"):
        journal.session("x")
    longer = msgspec.structs.replace(session.meta, id=f"{session.meta.id}0")
    journal.begin(longer, journal.blob(longer.pack))
    assert journal.session(session.meta.id).id == session.meta.id
    with pytest.raises(BadInput, match="give more of the id"):
        journal.session(session.meta.id[:-1])


def test_two_processes_cannot_play_one_session(session: Session, tmp_path: Path) -> None:
    with Journal(tmp_path) as other, pytest.raises(SessionBusy, match="being played elsewhere"):
        Session.resume(other, GAME, session.meta.id)


def test_who_plays_a_session_whose_lock_was_deleted_is_told_that_it_went_on_elsewhere(
    session: Session, tmp_path: Path
) -> None:
    shutil.rmtree(tmp_path / "locks")
    with Journal(tmp_path) as other, Session.resume(other, GAME, session.meta.id) as theirs:
        play(theirs, "stones")
        with pytest.raises(
            JournalFull, match="another companion plays it too; nothing of that is lost"
        ) as refused:
            play(session, "dice")
        assert "UNIQUE" not in str(refused.value)
        assert [item.answer for item in theirs.history] == ["stones"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can play for another user")
def test_what_root_plays_among_anothers_sessions_can_be_played_on_by_that_one(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        os.chown(journal.path, 65534, 65534)
        with Session.create(journal, GAME, PACKS):
            locks = tmp_path / "locks"
            assert {place.stat().st_uid for place in (locks, *locks.iterdir())} == {65534}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can play for another user")
def test_what_root_plays_first_in_anothers_folder_is_that_ones(tmp_path: Path) -> None:
    os.chown(tmp_path, 65534, 65534)
    with Journal(tmp_path / "new/data") as journal, Session.create(journal, GAME, PACKS):
        assert {place.stat().st_uid for place in tmp_path.rglob("*")} == {65534}


def test_who_has_closed_the_own_folder_is_told_how_to_open_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: path != tmp_path)
    assert f"chmod u+rwX {tmp_path}" in way_in(tmp_path / "journal.sqlite", PermissionError())
    monkeypatch.undo()
    assert "chmod" not in way_in(tmp_path / "journal.sqlite", PermissionError())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_no_file_of_roots_goes_to_who_has_put_a_link_to_it_among_the_sessions(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.touch()
    with Journal(tmp_path / "data") as journal:
        with Session.create(journal, GAME, PACKS) as session:
            play(session, "dice")
        os.chown(journal.path, 65534, 65534)
        lock = tmp_path / "data" / "locks" / session.meta.id
        lock.unlink()
        lock.symlink_to(own)
        with Session.resume(journal, GAME, session.meta.id):
            assert own.stat().st_uid == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mend for another user")
def test_what_root_mends_stays_whose_it_was_and_as_closed_to_others(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS):
        pass
    os.chown(journal.path, 65534, 65534)
    journal.path.chmod(0o600)
    journal.path.write_bytes(bytes(4096) + journal.path.read_bytes()[4096:])
    with Journal(tmp_path) as journal:
        assert journal.salvaged is not None
        mended = journal.path.stat()
    assert (mended.st_uid, mended.st_gid, mended.st_mode & 0o777) == (65534, 65534, 0o600)


def test_a_disk_that_is_gone_when_a_game_ends_is_no_fault(tmp_path: Path) -> None:
    """One in a network, or in a stick that was pulled, refuses to close a file too."""
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS) as session:
        locks = [tmp_path / "journal.lock", tmp_path / "locks" / session.meta.id]
        for file in Path("/proc/self/fd").iterdir():
            if Path(os.path.realpath(file)) in locks:
                os.close(int(file.name))  # whoever closes it again is refused


def test_where_no_lock_can_be_a_session_is_not_played_and_the_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("in the way")
    with Journal(tmp_path) as journal, pytest.raises(JournalError, match="can't be held"):
        Session.create(journal, GAME, PACKS)
