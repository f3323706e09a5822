"""A journal that is damaged keeps all that is whole (R4)."""

import errno
import os
import shutil
import sqlite3
import tracemalloc
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.engine import Journal, JournalError, Session, Wish, database
from companion.engine import journal as journal_module
from companion.engine import store as store_module
from companion.engine.clock import Stamp
from companion.engine.database import FILE, empty
from companion.engine.packs import find, merge
from companion.engine.records import Meta, Note, RolledDie, blob_name
from companion.engine.salvage import rescue
from companion.engine.session import Evidence
from companion.games import load
from tests.engine.damaged import damage_entry, entries_kept, whole
from tests.engine.toy import GAME, PACKS
from tests.longrun.play_toy import open_or_begin


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


def test_r4_of_a_line_that_stands_there_sound_and_damaged_the_sound_one_is_kept(tmp_path: Path) -> None:
    """As in a page of the log and, from before, in another one."""
    with Journal(tmp_path / "live") as journal, Session.create(journal, GAME, PACKS) as session:
        for answer in ("stones", 1, True):
            session.answer(session.n, answer)
        meta, entries = journal.session(session.meta.id), journal.entries(session.meta.id)
    lines = [*map(msgspec.json.encode, [meta, *entries])]
    damaged = lines[2].replace(b"stones", b"stoned")
    assert damaged != lines[2]
    for part in ([*lines, damaged], [damaged, *lines]):
        (tmp_path / "bytes").write_bytes(bytes(5000) + b"".join(part))
        assert rescue(tmp_path / "bytes", empty()).entries == {meta.id: entries}
