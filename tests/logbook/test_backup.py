"""One file takes a whole data directory to another machine, and overwrites nothing there."""

import os
import random
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from threading import Thread

import msgspec
import pytest

from companion.engine import BadInput, Evidence, Journal, Session, Wish
from companion.engine import journal as journals
from companion.engine.database import FILE
from companion.engine.files import write_nameless
from companion.engine.owner_pack import add_owned
from companion.engine.packs import owned
from companion.engine.records import Meta, Note, RolledDie, blob_name
from companion.logbook.backup import ROOM, _files, _room_in, backup, check, restore
from companion.logbook.exports import whole
from tests.engine.disk import disk_full_at
from tests.engine.toy import PACKS
from tests.logbook.conftest import BEGINNING, PHOTO, TOY, play_small, ticking


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Journal]:
    """The journal of a new machine."""
    with Journal(tmp_path / "new") as other:
        yield other


@pytest.fixture
def saved(journal: Journal, played: str, tmp_path: Path) -> Path:
    pack = journal.folder / "packs" / "toy" / "owner" / "pack.toml"
    pack.parent.mkdir(parents=True)
    pack.write_text("[pack]\n")
    pack.with_suffix(".lock").touch()
    pack.with_name(".pack.toml.new").touch()
    (journal.folder / "dice" / "mine").mkdir(parents=True)
    (journal.folder / "dice" / "mine" / "set.json.part").touch()
    backup(journal, journal.folder, tmp_path / "backup.zip")
    return tmp_path / "backup.zip"


def test_a_backup_brings_sessions_notes_and_packs(
    journal: Journal, played: str, saved: Path, other: Journal
) -> None:
    done = restore(other, saved)
    assert (done.sessions, done.files, done.kept_files) == (1, 1, ())
    assert whole(other, other.session(played)) == whole(journal, journal.session(played))
    assert (other.folder / "packs/toy/owner/pack.toml").read_text() == "[pack]\n"


@pytest.mark.parametrize(
    "name", ["dice/mine/samples/d6/1/0.png", "packs/toy/a\\b/pack.toml", "packs/toy/.hidden/pack.toml"]
)
def test_taught_dice_come_back_too_and_files_of_any_name(
    journal: Journal, played: str, other: Journal, tmp_path: Path, name: str
) -> None:
    file = journal.folder / name
    file.parent.mkdir(parents=True)
    file.write_bytes(b"x")
    backup(journal, journal.folder, tmp_path / "b.zip")
    done = restore(other, tmp_path / "b.zip")
    assert (done.sessions, done.files) == (1, 1)
    assert (other.folder / name).read_bytes() == b"x"


def test_the_pictures_of_the_last_roll_and_what_is_made_of_samples_are_in_no_backup_and_come_out_of_none(
    journal: Journal, played: str, saved: Path, tmp_path: Path
) -> None:
    passing = ("dice/newest roll/die-1.png", "dice/mine/steep-0.npz")
    for name in passing:
        file = journal.folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"now")
    backup(journal, journal.folder, tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as pack:
        assert not {*passing} & {*pack.namelist()}
    with zipfile.ZipFile(saved, "a") as pack:
        for name in passing:
            pack.writestr(name, b"then")
    assert restore(journal, saved).kept_files == ()


def test_restoring_twice_changes_nothing(saved: Path, other: Journal) -> None:
    restore(other, saved)
    again = restore(other, saved)
    assert (again.sessions, again.known_sessions, again.files) == (0, 1, 0)


def test_on_a_new_card_sessions_are_in_the_order_of_the_old_one_as_begun_and_as_played(
    journal: Journal, other: Journal, tmp_path: Path
) -> None:
    wish = Wish(seed=7, dice="manual")
    names = []
    for answers in (BEGINNING[:7], BEGINNING[:7], ()):
        with Session.create(journal, TOY, PACKS, wish, clock=ticking()) as session:
            names.append(session.meta.id)
            for answer in answers:
                session.answer(session.n, answer)
    go_on(journal, names[0], "5", "2")
    backup(journal, journal.folder, tmp_path / "b.zip")
    go_on(journal, names[1], "5", "2")
    backup(journal, journal.folder, tmp_path / "c.zip")
    restore(other, tmp_path / "b.zip")
    assert [meta.id for meta in other.sessions()] == names
    assert [meta.id for meta in other.played()] == [names[1], names[2], names[0]]
    restore(other, tmp_path / "c.zip")
    restore(other, tmp_path / "b.zip")  # the older one is no news
    assert [meta.id for meta in other.sessions()] == names
    assert [meta.id for meta in other.played()] == [names[2], names[0], names[1]]
    assert whole(other, other.session(names[1])) == whole(journal, journal.session(names[1]))


def test_what_is_here_stays(saved: Path, other: Journal) -> None:
    mine = play_small(other, seed=9)
    pack = other.folder / "packs/toy/owner/pack.toml"
    pack.parent.mkdir(parents=True)
    pack.write_text("# mine\n")
    done = restore(other, saved)
    assert done.kept_files == ("packs/toy/owner/pack.toml",)
    assert pack.read_text() == "# mine\n"
    assert len(other.sessions()) == 2
    assert other.session(mine)


@pytest.fixture
def begun(journal: Journal, tmp_path: Path) -> Iterator[tuple[str, Journal]]:
    """A session that was begun here, and the journal of another machine where it is too."""
    with Session.create(journal, TOY, PACKS, Wish(seed=7, dice="manual"), clock=ticking()) as session:
        for answer in BEGINNING[:7]:
            session.answer(session.n, answer)
    with Journal(tmp_path / "elsewhere") as other:
        other.adopt(whole(journal, session.meta))
        yield session.meta.id, other


def test_a_backup_takes_the_place_of_an_older_one(journal: Journal, saved: Path, other: Journal) -> None:
    name = play_small(journal, seed=9)
    backup(journal, journal.folder, saved)
    restore(other, saved)
    assert other.session(name)


def test_a_new_card_is_not_backed_up_over_what_the_old_one_had(saved: Path, other: Journal) -> None:
    before = saved.read_bytes()
    play_small(other, seed=9)
    with pytest.raises(BadInput, match="has more of 1 session than there is here"):
        backup(other, other.folder, saved)
    assert saved.read_bytes() == before
    restore(other, saved)
    backup(other, other.folder, saved)


@pytest.mark.parametrize("whole", ["packs/toy/owner/pack.toml", "dice/mine/set.json"])
def test_packs_and_taught_sets_of_an_old_card_stay_where_nothing_was_played_yet(
    journal: Journal, other: Journal, tmp_path: Path, whole: str
) -> None:
    path, saved = journal.folder / whole, tmp_path / "backup.zip"
    path.parent.mkdir(parents=True)
    path.touch()
    picture = path.with_name("0.png")
    picture.touch()
    backup(journal, journal.folder, saved)
    with pytest.raises(BadInput, match=f"packs or taught dice that are not here, such as {whole}; name an"):
        backup(other, other.folder, saved)
    restore(other, saved)
    backup(other, other.folder, saved)
    picture.unlink()  # a single picture may be removed
    backup(journal, journal.folder, saved)


def test_a_backup_into_which_something_strange_was_packed_is_not_replaced_either(
    saved: Path, other: Journal
) -> None:
    with zipfile.ZipFile(saved, "a") as pack:
        pack.writestr("__MACOSX/._packs", b"")
    with pytest.raises(BadInput, match="has more of 1 session"):
        backup(other, other.folder, saved)


@pytest.mark.parametrize("mine", [(), ("3", "3")])
def test_a_session_is_not_backed_up_over_one_that_went_further_or_otherwise(
    journal: Journal, begun: tuple[str, Journal], tmp_path: Path, mine: tuple[str, ...]
) -> None:
    name, other = begun
    go_on(other, name, "5", "2")
    backup(other, other.folder, tmp_path / "b.zip")
    if mine:
        go_on(journal, name, *mine)
    with pytest.raises(BadInput, match="has more of 1 session than there is here") as refused:
        backup(journal, journal.folder, tmp_path / "b.zip")
    assert ("take that back" in str(refused.value)) == (not restore(journal, tmp_path / "b.zip").refused)


@pytest.mark.parametrize(
    "damage", ["entries SET line = replace(line, 'toy.', 'tay.')", "rolls SET die = CAST(die AS BLOB)"]
)
def test_what_only_reading_a_session_shows_to_be_damaged_is_mended_and_in_no_backup(
    journal: Journal, played: str, other: Journal, tmp_path: Path, damage: str
) -> None:
    with closing(sqlite3.connect(journal.path)) as db, db:
        db.execute(f"UPDATE {damage} WHERE seq = 20")
    backup(journal, journal.folder, tmp_path / "b.zip")
    assert journal.salvaged is not None
    done = restore(other, tmp_path / "b.zip")
    assert (done.sessions, done.salvaged) == (1, "")


@pytest.mark.parametrize("lost", ["blobs", "rolls", "notes"])
def test_a_salvage_that_lost_packs_rolls_or_notes_alone_is_not_backed_up_over_them(
    journal: Journal, played: str, saved: Path, lost: str
) -> None:
    with closing(sqlite3.connect(journal.path)) as db, db:
        db.execute(f"DELETE FROM {lost}")
    with pytest.raises(BadInput, match="has more of 1 session than there is here"):
        backup(journal, journal.folder, saved)
    restore(journal, saved)
    backup(journal, journal.folder, saved)


def test_a_backup_that_the_disk_does_not_take_is_refused_and_leaves_nothing(
    journal: Journal, played: str, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    with disk_full_at(10_000), pytest.raises(BadInput, match=r"b\.zip: not written: disk I/O error"):
        backup(journal, journal.folder, stick / "b.zip")
    assert not list(stick.iterdir())


def test_a_file_from_a_clock_that_stood_before_1980_is_backed_up(
    journal: Journal, saved: Path, other: Journal
) -> None:
    """A Raspberry Pi without a network starts in 1970."""
    os.utime(journal.folder / "packs/toy/owner/pack.toml", (0, 0))
    backup(journal, journal.folder, saved)
    assert restore(other, saved).files == 1


def test_a_sample_that_is_removed_while_a_backup_is_written_is_named(
    journal: Journal, played: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = journal.folder / "dice/mine/gone.png"
    monkeypatch.setattr("companion.logbook.backup._files", lambda _: [gone])
    with pytest.raises(BadInput, match=f"b.zip: not written: {gone} was removed meanwhile; repeat"):
        backup(journal, journal.folder, tmp_path / "b.zip")
    assert [one.name for one in tmp_path.iterdir()] == [journal.folder.name]


def test_a_file_whose_name_a_backup_can_not_hold_is_told_in_a_line(
    journal: Journal, saved: Path, tmp_path: Path
) -> None:
    before, odd = saved.read_bytes(), journal.folder / "packs/toy/m\udcfcller/pack.toml"
    odd.parent.mkdir()
    odd.touch()
    with pytest.raises(BadInput, match=r"backup\.zip: not written: 'utf-8' codec can't encode"):
        backup(journal, journal.folder, saved)
    assert saved.read_bytes() == before


def test_two_backups_to_one_file_at_once_spoil_neither(
    journal: Journal, saved: Path, other: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The daily one, and one by hand."""
    alone = list(_files(journal.folder))

    def in_between(folder: Path) -> list[Path]:
        monkeypatch.setattr("companion.logbook.backup._files", lambda _: alone)
        backup(journal, folder, saved)
        return alone

    monkeypatch.setattr("companion.logbook.backup._files", in_between)
    backup(journal, journal.folder, saved)
    assert restore(other, saved).files == 1


def test_what_a_killed_backup_or_restore_left_beside_it_goes_with_the_next_one_but_nothing_in_use(
    journal: Journal, saved: Path, other: Journal
) -> None:
    for folder in (saved.parent, other.folder):
        (folder / f"{ROOM}killed" / "locks").mkdir(parents=True)
        (folder / f"{ROOM}killed" / FILE).write_bytes(b"half")
    with _room_in(saved.parent) as used:
        assert list(saved.parent.glob(f"{ROOM}*")) == [used]
        backup(journal, journal.folder, saved)
        restore(other, saved)
        assert list(saved.parent.glob(f"{ROOM}*")) == [used]
    assert not [*saved.parent.glob(f"{ROOM}*"), *other.folder.glob(f"{ROOM}*")]


def test_a_backup_that_can_not_be_looked_into_stays(saved: Path, other: Journal, tmp_path: Path) -> None:
    with (
        disk_full_at(10_000),
        pytest.raises(BadInput, match="not written: what is there can't be read: File too large"),
    ):
        backup(other, other.folder, saved)
    with zipfile.ZipFile(saved) as pack:
        pack.extract(FILE, tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("PRAGMA user_version = 99")
    with zipfile.ZipFile(saved, "w") as pack:
        pack.write(tmp_path / FILE, FILE)
    with pytest.raises(BadInput, match="is from a newer companion"):
        backup(other, other.folder, saved)
    with pytest.raises(BadInput, match=r"backup\.zip: not restored: .* is from a newer companion"):
        restore(other, saved)


def test_each_session_is_looked_up_alone_where_there_are_many(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(9):
        play_small(journal, seed=seed)
    backup(journal, journal.folder, tmp_path / "b.zip")
    read: list[Meta] = []
    look_up = journals._sessions
    monkeypatch.setattr(journals, "_sessions", lambda *which: read.extend(found := look_up(*which)) or found)
    backup(journal, journal.folder, tmp_path / "b.zip")
    assert 9 < len(read) < 4 * 9, "all of both, and each of one; not all of both for each"


def test_a_backup_needs_no_room_in_memory(
    journal: Journal, saved: Path, other: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    backup(journal, journal.folder, saved)
    assert restore(other, saved).sessions == 1


def test_a_session_that_was_on_the_table_when_it_was_backed_up_comes_back_from_elsewhere(
    journal: Journal, tmp_path: Path
) -> None:
    """What software rolled after the last answer was not on disk yet: each copy writes it down by itself."""
    with Journal(tmp_path / "elsewhere") as other:
        with Session.create(journal, TOY, PACKS, Wish(seed=7), clock=ticking()) as session:
            name = session.meta.id
            session.answer(session.n, "dice")
            backup(journal, journal.folder, tmp_path / "b.zip")
        restore(other, tmp_path / "b.zip")
        assert len(other.entries(name)) < len(journal.entries(name))
        with Session.resume(other, TOY, name) as session:
            session.answer(session.n, True)
        backup(other, other.folder, tmp_path / "back.zip")
        assert restore(journal, tmp_path / "back.zip").longer == (name,)
        assert journal.entries(name) == other.entries(name)


def test_a_backup_has_its_name_on_disk_before_it_is_called_written(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stick that is pulled out then has it."""
    file, synced = tmp_path / "b.zip", list[tuple[Path, bool]]()
    monkeypatch.setattr("companion.logbook.backup.sync", lambda path: synced.append((path, file.exists())))
    backup(journal, journal.folder, file)
    (draft, was_there), last = synced
    assert (draft == file, was_there) == (False, False)
    assert last == (tmp_path, True)


def test_the_names_of_all_files_that_came_back_are_on_disk_when_it_is_said(
    saved: Path, other: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each folder is synced once, below many new files, and those that it lies in too."""
    with zipfile.ZipFile(saved, "a") as pack:
        for name in "abc":
            pack.writestr(f"dice/mine/{name}", f"sample {name}")
    synced = list[tuple[Path, int]]()
    mine = other.folder / "dice" / "mine"
    monkeypatch.setattr(
        "companion.logbook.backup.sync", lambda path: synced.append((path, len([*mine.iterdir()])))
    )
    assert restore(other, saved).files == 4
    folders = [other.folder / name for name in ("", "dice", "dice/mine", "packs", "packs/toy")]
    assert sorted(synced) == [(one, 3) for one in (*folders, folders[-1] / "owner")]


def test_a_session_whose_name_leads_elsewhere_is_left_out(
    journal: Journal, played: str, tmp_path: Path
) -> None:
    meta = journal.session(played)
    journal.begin(msgspec.structs.replace(meta, id="../../far"), journal.blob(meta.pack))
    backup(journal, journal.folder, tmp_path / "b.zip")
    with Journal(tmp_path / "other") as other:
        done = restore(other, tmp_path / "b.zip")
        assert (done.sessions, done.known_sessions) == (1, 0)
        assert done.refused == ("../../far: the session's head is damaged",)
        assert [one.id for one in other.sessions()] == [played]


def go_on(journal: Journal, name: str, *dice: str) -> None:
    with Session.resume(journal, TOY, name, clock=ticking()) as session:
        photo = RolledDie("d6", dice[0], "camera", 0.6, None, blob_name(PHOTO))
        session.answer(
            session.n, dice, "camera", Evidence((photo, RolledDie("d6", dice[1], "camera")), (PHOTO,))
        )
        session.answer(session.n, True)


def test_a_session_that_went_on_elsewhere_goes_on_here(
    journal: Journal, begun: tuple[str, Journal], tmp_path: Path
) -> None:
    name, other = begun
    go_on(other, name, "5", "2")
    other.note(name, Note(1_800_000_100, "On the train"))
    backup(other, other.folder, tmp_path / "b.zip")
    done = restore(journal, tmp_path / "b.zip")
    assert (done.sessions, done.longer, done.known_sessions, done.refused) == (0, (name,), 0, ())
    assert whole(journal, journal.session(name)) == whole(other, other.session(name))
    again = restore(journal, tmp_path / "b.zip")
    assert (again.longer, again.known_sessions) == ((), 1)
    with Session.resume(journal, TOY, name) as session:
        session.answer(session.n, "stones")


def test_an_end_that_was_reached_elsewhere_is_one_here(journal: Journal, begun: tuple[str, Journal]) -> None:
    name, other = begun
    with Session.resume(other, TOY, name, clock=ticking()) as session:
        answers: dict[str, object] = {"toy.climb": ["6", "6"], "toy.way": "dice"}
        while session.ask is not None:
            session.answer(session.n, answers.get(session.ask.key, True))
    new = journal.adopt(whole(other, other.session(name)))
    assert new == len(other.entries(name)) - 7
    assert journal.session(name) == other.session(name)
    assert journal.last_open() is None


def test_a_session_that_went_two_ways_stays_as_it_is_here_and_that_is_said(
    journal: Journal, begun: tuple[str, Journal], tmp_path: Path
) -> None:
    name, other = begun
    go_on(journal, name, "3", "3")
    mine = whole(journal, journal.session(name))
    go_on(other, name, "5", "2")
    backup(other, other.folder, tmp_path / "b.zip")
    done = restore(journal, tmp_path / "b.zip")
    assert done.refused == (f"session {name} went on otherwise here; what is here stays",)
    assert (done.longer, done.known_sessions) == ((), 1)
    assert whole(journal, journal.session(name)) == mine


def test_an_older_backup_changes_nothing(
    journal: Journal, begun: tuple[str, Journal], tmp_path: Path
) -> None:
    name, other = begun
    go_on(journal, name, "3", "3")
    backup(other, other.folder, tmp_path / "b.zip")
    done = restore(journal, tmp_path / "b.zip")
    assert (done.longer, done.refused, done.known_sessions) == ((), (), 1)


def test_what_a_salvage_lost_of_a_session_is_taken_back(
    journal: Journal, played: str, saved: Path, tmp_path: Path
) -> None:
    before = whole(journal, journal.session(played))
    with closing(sqlite3.connect(journal.path)) as db:
        db.execute("DELETE FROM rolls")
        db.execute("DELETE FROM notes")
        db.execute("DELETE FROM blobs WHERE hash = ?", (blob_name(PHOTO),))
        db.execute("UPDATE blobs SET data = x'00'")
        db.commit()
    assert whole(journal, journal.session(played)) != before
    assert restore(journal, saved).longer == (played,)
    assert whole(journal, journal.session(played)) == before
    assert restore(journal, saved).known_sessions == 1


def test_a_session_that_is_being_played_does_not_go_on_below_its_player(
    journal: Journal, begun: tuple[str, Journal], tmp_path: Path
) -> None:
    name, other = begun
    go_on(other, name, "5", "2")
    backup(other, other.folder, tmp_path / "b.zip")
    with Session.resume(journal, TOY, name) as session:
        done = restore(journal, tmp_path / "b.zip")
        assert done.refused == (f"{name} is being played elsewhere; close it there first",)
        session.answer(session.n, ["1", "1"])


def test_a_file_that_the_disk_did_not_take_is_restored_once_there_is_space(
    journal: Journal, saved: Path, other: Journal
) -> None:
    pack = journal.folder / "packs/toy/owner/pack.toml"
    pack.write_text("# long\n" * 60_000)
    backup(journal, journal.folder, saved)
    with disk_full_at(200_000):
        done = restore(other, saved)
    assert done.refused == ("packs/toy/owner/pack.toml: not restored: File too large",)
    assert (done.sessions, done.files) == (1, 0)
    assert not list(other.folder.rglob("*pack.toml*"))
    assert restore(other, saved).files == 1
    assert (other.folder / "packs/toy/owner/pack.toml").read_bytes() == pack.read_bytes()


def test_a_card_that_is_entered_while_a_backup_is_taken_back_stays(
    journal: Journal, saved: Path, other: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = {"a": {"points": 1}}, {"b": {"points": 2}}
    (journal.folder / "packs/toy/owner/pack.toml").unlink()
    add_owned(journal.folder / "packs/toy", "toy", {"card": one})
    backup(journal, journal.folder, saved.with_name("b.zip"))
    folder = other.folder / "packs/toy"
    entering = Thread(target=add_owned, args=(folder, "toy", {"card": two}))

    def slowly(path: Path, data: bytes) -> None:
        entering.start()
        entering.join(0.2)
        write_nameless(path, data)

    with monkeypatch.context() as patched:
        patched.setattr("companion.logbook.backup.write_nameless", slowly)
        restore(other, saved.with_name("b.zip"))
    entering.join()
    assert owned(folder, "toy").tables == {"card": one | two}


def test_of_a_backup_with_damaged_files_the_others_are_taken_back(saved: Path, other: Journal) -> None:
    with zipfile.ZipFile(saved, "a") as pack:
        for name in ("a", "b", "z"):
            pack.writestr(f"dice/mine/{name}", f"sample {name}")
    saved.write_bytes(saved.read_bytes().replace(b"sample a", b"damaged.").replace(b"sample b", b"damaged."))
    done = restore(other, saved)
    assert (done.sessions, done.files) == (1, 2)
    (why,) = done.refused
    assert why.startswith("dice/mine/a: not restored: Bad CRC-32")
    assert why.endswith("; nor 1 other file")
    assert (other.folder / "dice/mine/z").read_text() == "sample z"


@pytest.mark.parametrize(
    "name", ["../evil", "packs/../../evil", "/etc/evil", "evil", "locks/x", "packs", "packs\\..\\evil"]
)
def test_a_backup_that_would_write_elsewhere_is_refused_whole(
    saved: Path, other: Journal, tmp_path: Path, name: str
) -> None:
    with zipfile.ZipFile(saved, "a") as pack:
        pack.writestr(zipfile.ZipInfo(name), "x")
    with pytest.raises(BadInput, match="does not belong in a backup; nothing was restored"):
        restore(other, saved)
    assert other.sessions() == []
    assert not list(tmp_path.rglob("*evil*"))


def test_a_file_too_large_to_be_read_as_a_whole_is_left_out_and_all_else_comes_back(
    saved: Path, other: Journal, tmp_path: Path
) -> None:
    with zipfile.ZipFile(saved, "a", zipfile.ZIP_DEFLATED) as pack:
        pack.writestr("packs/toy/huge.toml", bytes((64 << 20) + 1))
    done = restore(other, saved)
    assert other.sessions()
    assert done.refused == ("packs/toy/huge.toml: not restored: it is larger than any pack or picture",)
    assert not (tmp_path / "new/packs/toy/huge.toml").exists()


def test_a_backup_that_unpacks_to_too_much_is_refused_whole(
    saved: Path, other: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.logbook.backup.LARGEST", 1000)
    with pytest.raises(BadInput, match="unpacks to more than"):
        restore(other, saved)
    assert other.sessions() == []


@pytest.mark.parametrize("data", [b"", b"PK", b"not a zip", bytes(1000)])
def test_a_file_that_is_no_backup_is_refused(journal: Journal, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(BadInput, match="not a backup"):
        restore(journal, tmp_path / "x.zip")


def test_an_empty_file_is_written_over(journal: Journal, played: str, tmp_path: Path) -> None:
    (tmp_path / "x.zip").touch()
    backup(journal, journal.folder, tmp_path / "x.zip")
    check(tmp_path / "x.zip")


@pytest.mark.parametrize(("at", "value"), [(8, 1), (10, 77)], ids=["encrypted", "unknown compression"])
def test_a_zip_that_can_not_be_unpacked_is_refused(saved: Path, other: Journal, at: int, value: int) -> None:
    data = bytearray(saved.read_bytes())
    data[data.index(b"PK\x01\x02") + at] = value
    saved.write_bytes(data)
    with pytest.raises(BadInput, match="this backup is damaged"):
        restore(other, saved)


def test_a_zip_whose_stream_is_damaged_is_refused(saved: Path, other: Journal) -> None:
    data = bytearray(saved.read_bytes())
    data[60:80] = bytes([255]) * 20
    saved.write_bytes(data)
    with pytest.raises(BadInput, match="this backup is damaged"):
        restore(other, saved)


def test_of_a_zip_with_one_wrong_bit_in_its_journal_most_is_taken_back_and_the_loss_is_told(
    journal: Journal, tmp_path: Path
) -> None:
    for seed in range(6):
        play_small(journal, seed=seed)
    backup(journal, journal.folder, tmp_path / "b.zip")
    there = {meta.id: [*journal.entries(meta.id)] for meta in journal.sessions()}
    with zipfile.ZipFile(tmp_path / "b.zip") as pack:
        end = pack.getinfo("journal.sqlite").compress_size
    whole_again = 0
    for at in range(60, end, end // 25):
        data = bytearray((tmp_path / "b.zip").read_bytes())
        data[at] ^= 8
        (tmp_path / "hurt.zip").write_bytes(data)
        with Journal(tmp_path / f"other {at}") as other:
            with suppress(BadInput):  # nothing comes out
                assert "the journal was damaged" in restore(other, tmp_path / "hurt.zip").salvaged
            for meta in other.sessions():
                kept = [*other.entries(meta.id)]
                assert kept == there[meta.id][: len(kept)]
            whole_again += {meta.id for meta in other.sessions()} == {*there}
    assert whole_again > 12


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9, 0.99])
def test_of_a_backup_that_was_cut_off_all_that_is_whole_is_taken_back_and_the_loss_is_told(
    journal: Journal, played: str, saved: Path, other: Journal, kept: float
) -> None:
    files = [journal.folder / f"dice/mine/samples/d6/1/{n}.png" for n in range(9)]
    files[0].parent.mkdir(parents=True)
    for n, file in enumerate(files):
        file.write_bytes(random.Random(n).randbytes(900))
    backup(journal, journal.folder, saved)
    data = saved.read_bytes()
    end = round(len(data) * kept)
    with zipfile.ZipFile(saved) as pack:
        infos = [pack.getinfo(file.relative_to(journal.folder).as_posix()) for file in files]
        are_whole = [data.index(pack.read(info)) + 900 <= end for info in infos]
        is_whole = pack.getinfo(FILE).compress_size < end
    saved.write_bytes(data[:end])
    done = restore(other, saved)
    assert [(other.folder / file.relative_to(journal.folder)).exists() for file in files] == are_whole
    assert done.refused[-1].endswith(
        "its end is missing or damaged, and what lay there is lost; try another copy"
    )
    there = [*journal.entries(played)]
    entries = [*other.entries(played)]
    assert entries == there[: len(entries)]
    assert (entries == there) == is_whole == (not done.salvaged)


def test_a_backup_that_was_cut_off_is_written_over_by_one_that_has_all_of_it(
    journal: Journal, saved: Path, other: Journal
) -> None:
    whole_one = saved.read_bytes()
    saved.write_bytes(whole_one[:-30])
    with pytest.raises(BadInput, match="it has more of 1 session than there is here"):
        backup(other, other.folder, saved)
    backup(journal, journal.folder, saved)
    assert len(saved.read_bytes()) == len(whole_one)


@pytest.mark.parametrize(
    ("name", "damaged"),
    [("müller", b"m\xff\xffller"), ("packs/toy/müller/pack.toml", bytes(27))],
    ids=["garbled", "zeroed"],
)
def test_a_zip_with_a_damaged_name_in_it_is_refused_and_replaced(
    journal: Journal, saved: Path, other: Journal, name: str, damaged: bytes
) -> None:
    odd = journal.folder / "packs/toy/müller/pack.toml"
    odd.parent.mkdir()
    odd.touch()
    backup(journal, journal.folder, saved)
    saved.write_bytes(saved.read_bytes().replace(name.encode(), damaged))
    with pytest.raises(BadInput, match="backup"):
        restore(other, saved)
    backup(journal, journal.folder, saved)
    assert restore(other, saved).files == 2


def test_a_device_without_an_end_is_no_backup(journal: Journal) -> None:
    with pytest.raises(BadInput, match="/dev/zero: not a backup of the companion: it is no plain file"):
        restore(journal, Path("/dev/zero"))


def test_a_zip_whose_damage_leads_out_of_it_is_refused_and_replaced(
    journal: Journal, saved: Path, other: Journal
) -> None:
    raw = bytearray(saved.read_bytes())
    at = raw.rindex(b"PK\x05\x06") + 16  # where it says that its directory lies
    raw[at : at + 4] = (int.from_bytes(raw[at : at + 4], "little") + 1).to_bytes(4, "little")
    saved.write_bytes(raw)
    with pytest.raises(BadInput, match="this backup is damaged"):
        restore(other, saved)
    backup(journal, journal.folder, saved)
    assert restore(other, saved).sessions == 1


def test_a_backup_that_was_unpacked_and_packed_again_is_one(
    saved: Path, other: Journal, tmp_path: Path
) -> None:
    with zipfile.ZipFile(saved) as pack:
        pack.extractall(tmp_path / "out")
    again = shutil.make_archive(str(tmp_path / "again"), "zip", tmp_path / "out")
    done = restore(other, Path(again))
    assert (done.sessions, done.files) == (1, 1)
    assert (other.folder / "packs/toy/owner/pack.toml").is_file()


def test_a_zip_without_a_journal_is_refused_and_stays(journal: Journal, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as pack:
        pack.writestr("packs/a/pack.toml", "x")
    before = (tmp_path / "x.zip").read_bytes()
    for use in (partial(restore, journal), check):
        with pytest.raises(BadInput, match="not a backup"):
            use(tmp_path / "x.zip")
    with pytest.raises(BadInput, match="no backup of the companion: name another file"):
        backup(journal, journal.folder, tmp_path / "x.zip")
    assert (tmp_path / "x.zip").read_bytes() == before


def test_a_damaged_journal_in_a_backup_is_salvaged(
    saved: Path, played: str, other: Journal, tmp_path: Path
) -> None:
    with zipfile.ZipFile(saved) as pack:
        data = bytearray(pack.read("journal.sqlite"))
    data[:100] = bytes(100)
    with zipfile.ZipFile(tmp_path / "hurt.zip", "w") as pack:
        pack.writestr("journal.sqlite", bytes(data))
    done = restore(other, tmp_path / "hurt.zip")
    assert "was damaged" in done.salvaged
    assert done.salvaged.endswith(f"the damaged file is {tmp_path / 'hurt.zip'}")


def test_a_backup_into_a_folder_that_is_missing_says_so(journal: Journal, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not written"):
        backup(journal, journal.folder, tmp_path / "no" / "b.zip")
