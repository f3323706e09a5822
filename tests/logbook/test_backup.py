"""One file takes a whole data directory to another machine, and overwrites nothing there."""

import shutil
import zipfile
from pathlib import Path

import pytest

from companion.engine import BadInput, Journal
from companion.logbook.backup import backup, restore
from companion.logbook.exports import whole
from tests.engine.disk import disk_full_at
from tests.logbook.conftest import play_small


@pytest.fixture
def saved(journal: Journal, played: str, tmp_path: Path) -> Path:
    pack = journal.folder / "packs" / "toy" / "owner" / "pack.toml"
    pack.parent.mkdir(parents=True)
    pack.write_text("[pack]\n")
    pack.with_suffix(".lock").touch()
    backup(journal, journal.folder, tmp_path / "backup.zip")
    return tmp_path / "backup.zip"


def test_a_backup_brings_sessions_notes_and_packs(
    journal: Journal, played: str, saved: Path, tmp_path: Path
) -> None:
    with Journal(tmp_path / "new") as other:
        done = restore(other, saved)
        assert (done.sessions, done.files, done.kept_files) == (1, 1, ())
        assert whole(other, other.session(played)) == whole(journal, journal.session(played))
        assert (other.folder / "packs/toy/owner/pack.toml").read_text() == "[pack]\n"


def test_restoring_twice_changes_nothing(saved: Path, tmp_path: Path) -> None:
    with Journal(tmp_path / "new") as other:
        restore(other, saved)
        again = restore(other, saved)
        assert (again.sessions, again.known_sessions, again.files) == (0, 1, 0)


def test_what_is_here_stays(saved: Path, tmp_path: Path) -> None:
    with Journal(tmp_path / "new") as other:
        mine = play_small(other, seed=9)
        pack = other.folder / "packs/toy/owner/pack.toml"
        pack.parent.mkdir(parents=True)
        pack.write_text("# mine\n")
        done = restore(other, saved)
        assert done.kept_files == ("packs/toy/owner/pack.toml",)
        assert pack.read_text() == "# mine\n"
        assert len(other.sessions()) == 2
        assert other.session(mine)


def test_a_file_that_the_disk_did_not_take_is_restored_once_there_is_space(
    journal: Journal, saved: Path, tmp_path: Path
) -> None:
    pack = journal.folder / "packs/toy/owner/pack.toml"
    pack.write_text("# long\n" * 60_000)
    backup(journal, journal.folder, saved)
    with Journal(tmp_path / "new") as other:
        with disk_full_at(200_000), pytest.raises(BadInput, match="not restored: File too large"):
            restore(other, saved)
        assert not list(other.folder.rglob("*pack.toml*"))
        assert restore(other, saved).files == 1
        assert (other.folder / "packs/toy/owner/pack.toml").read_bytes() == pack.read_bytes()


@pytest.mark.parametrize(
    "name", ["../evil", "packs/../../evil", "/etc/evil", "evil", "locks/x", "packs", "packs\\..\\evil"]
)
def test_a_backup_that_would_write_elsewhere_is_refused_whole(saved: Path, tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(saved, "a") as pack:
        pack.writestr(zipfile.ZipInfo(name), "x")
    with Journal(tmp_path / "new") as other:
        with pytest.raises(BadInput, match="does not belong in a backup; nothing was restored"):
            restore(other, saved)
        assert other.sessions() == []
    assert not list(tmp_path.rglob("*evil*"))


@pytest.mark.parametrize("data", [b"", b"PK", b"not a zip", bytes(1000)])
def test_a_file_that_is_no_backup_is_refused(journal: Journal, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(BadInput, match="not a backup"):
        restore(journal, tmp_path / "x.zip")


@pytest.mark.parametrize(("at", "value"), [(8, 1), (10, 77)], ids=["encrypted", "unknown compression"])
def test_a_zip_that_can_not_be_unpacked_is_refused(saved: Path, tmp_path: Path, at: int, value: int) -> None:
    data = bytearray(saved.read_bytes())
    data[data.index(b"PK\x01\x02") + at] = value
    saved.write_bytes(data)
    with Journal(tmp_path / "new") as other, pytest.raises(BadInput, match="not a backup"):
        restore(other, saved)


def test_a_zip_whose_stream_is_damaged_is_refused(saved: Path, tmp_path: Path) -> None:
    data = bytearray(saved.read_bytes())
    data[60:80] = bytes([255]) * 20
    saved.write_bytes(data)
    with Journal(tmp_path / "new") as other, pytest.raises(BadInput, match="not a backup"):
        restore(other, saved)


def test_a_backup_that_was_unpacked_and_packed_again_is_one(saved: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(saved) as pack:
        pack.extractall(tmp_path / "out")
    again = shutil.make_archive(str(tmp_path / "again"), "zip", tmp_path / "out")
    with Journal(tmp_path / "new") as other:
        done = restore(other, Path(again))
        assert (done.sessions, done.files) == (1, 1)
        assert (other.folder / "packs/toy/owner/pack.toml").is_file()


def test_a_zip_without_a_journal_is_refused(journal: Journal, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as pack:
        pack.writestr("packs/a/pack.toml", "x")
    with pytest.raises(BadInput, match="not a backup"):
        restore(journal, tmp_path / "x.zip")


def test_a_damaged_journal_in_a_backup_is_salvaged(saved: Path, played: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(saved) as pack:
        data = bytearray(pack.read("journal.sqlite"))
    data[:100] = bytes(100)
    with zipfile.ZipFile(tmp_path / "hurt.zip", "w") as pack:
        pack.writestr("journal.sqlite", bytes(data))
    with Journal(tmp_path / "new") as other:
        done = restore(other, tmp_path / "hurt.zip")
        assert "was damaged" in done.salvaged


def test_a_backup_into_a_folder_that_is_missing_says_so(journal: Journal, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not written"):
        backup(journal, journal.folder, tmp_path / "no" / "b.zip")
