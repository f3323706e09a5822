"""The log beside the journal: power cuts are no damage, and damage in it is found (R2, R4)."""

import os
import shutil
import struct
import tracemalloc
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random

import pytest

from companion.engine import Journal, Session
from companion.engine.database import FILE
from companion.engine.records import Note
from tests.engine.damaged import cut, entries_kept, whole
from tests.engine.disk import disk_full_at
from tests.engine.toy import GAME, PACKS


def test_r4_a_log_that_only_a_power_cut_left_is_no_damage(cut_off: Path, tmp_path: Path) -> None:
    kept, journal = entries_kept(shutil.copytree(cut_off, tmp_path / "x"))
    assert (kept, journal.salvaged) == (31, None)


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


@pytest.mark.parametrize("at", ["start", "reading"])
def test_r4_what_the_log_still_has_from_before_it_began_anew_is_not_lost_in_the_file(
    begun_anew: tuple[bytes, bytes, bytes, int], tmp_path: Path, at: str
) -> None:
    """Damage that shows at the start, or only as the session is read: SQLite has dropped the log by then."""
    file, _, log, entries = begun_anew
    damaged = file[:8192] if at == "start" else file.replace(b'"seq":3,', b'"seq":9,')
    (tmp_path / FILE).write_bytes(damaged)
    (tmp_path / f"{FILE}-wal").write_bytes(log)
    with Journal(tmp_path) as journal:
        assert (journal.salvaged is None) == (at == "reading")
        (meta,) = journal.sessions()
        assert len(journal.entries(meta.id)) >= entries
        assert journal.salvaged is not None


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


def test_r2_a_page_that_only_seems_to_end_what_was_being_written_is_no_damage(tmp_path: Path) -> None:
    """Its number ends a sector that did not arrive, where that of an end in the log before still stands."""
    with Journal(tmp_path / "live") as journal, Session.create(journal, GAME, PACKS) as session:
        session.answer(session.n, "stones")
        log = tmp_path / "live" / f"{FILE}-wal"
        begins = log.stat().st_size
        folder = cut(journal, lambda: session.override({"deck": ["a" * 300_000]}), tmp_path / "1", lost=True)
    size = (folder / log.name).stat().st_size
    (at, *_) = (start for start in range(begins + 4120, size, 4120) if (start + 8) % 512 == 0)
    with (folder / log.name).open("r+b") as file:
        file.seek(at)
        file.write(struct.pack(">2I", 2, 2))
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


@pytest.mark.parametrize("damaged", [None, 17, 100], ids=["sound", "head", "page"])
def test_r4_what_the_log_had_before_it_began_again_is_not_taken_for_what_it_has(
    tmp_path: Path, damaged: int | None
) -> None:
    cut, live = tmp_path / "cut", tmp_path / "live"
    with Journal(live) as journal, Session.create(journal, GAME, PACKS) as session:
        for answer in ("stones", 0, True) * 10:
            session.answer(session.n, answer)
        journal.store._db.execute("PRAGMA wal_checkpoint(RESTART)")
        for answer in ("stones", 1, True):
            session.answer(session.n, answer)
        shutil.copytree(live, cut)
    if damaged is not None:
        with (cut / f"{FILE}-wal").open("r+b") as wal:
            wal.seek(damaged)
            wal.write(b"noise")
    with Journal(cut) as journal:
        assert len(journal.entries(session.meta.id)) == 33
        assert (journal.salvaged is None) == (damaged is None)


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
