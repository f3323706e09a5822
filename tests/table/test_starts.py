"""After two failed starts in a row the third is a safe one (R16)."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from companion.engine.store import _SHUT
from companion.table.playing import Playing
from companion.table.starts import StartRecord
from tests.engine.disk import disk_full_at

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def start(folder: Path) -> StartRecord:
    record = StartRecord(folder)
    record.begin()
    return record


def test_two_starts_that_die_make_the_third_safe(tmp_path: Path) -> None:
    assert [start(tmp_path).safe for _ in range(3)] == [False, False, True]


def test_the_reason_is_kept_for_the_screen(tmp_path: Path) -> None:
    for _ in range(2):
        start(tmp_path).failed("GPIO13 is taken")
    assert "GPIO13 is taken" in start(tmp_path).reason


def test_the_reason_ends_with_what_to_do_about_a_disk_that_is_shut(tmp_path: Path) -> None:
    said = f"/var/lib/companion: sessions can't be kept there: {os.strerror(errno.EROFS)}; {_SHUT}"
    start(tmp_path).failed(f"JournalError: {said}")
    assert start(tmp_path).reason.endswith("companion log backup")


def test_after_a_safe_start_the_next_is_a_usual_one(tmp_path: Path) -> None:
    assert [start(tmp_path).safe for _ in range(7)] == [False, False, True, False, False, True, False]


def test_a_start_that_went_well_is_struck_off(tmp_path: Path) -> None:
    start(tmp_path)
    start(tmp_path).good()
    assert [start(tmp_path).safe for _ in range(3)] == [False, False, True]


def test_a_folder_that_cannot_be_written_does_not_keep_the_box_from_starting(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    record = start(tmp_path / "file")
    record.good()
    assert not record.safe


def test_a_start_is_on_disk_before_anything_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr("os.fsync", lambda file: synced.append(os.fstat(file).st_ino))
    start(tmp_path)
    assert synced == [(tmp_path / "starts.json").stat().st_ino, tmp_path.stat().st_ino]


def test_where_the_disk_takes_nothing_starts_are_counted_in_memory(tmp_path: Path) -> None:
    disk, memory = tmp_path / "file", tmp_path / "run"
    disk.touch()
    memory.mkdir()

    def again() -> StartRecord:
        record = StartRecord(memory, disk)
        record.begin()
        record.failed("the disk is full")
        return record

    records = [again() for _ in range(4)]
    assert [record.safe for record in records] == [False, False, True, False]
    assert records[2].reason == "the disk is full"


def test_a_count_on_a_disk_that_became_read_only_is_overruled_by_the_one_in_memory(tmp_path: Path) -> None:
    disk, memory = tmp_path / "disk", tmp_path / "run"
    disk.mkdir()
    start(disk)
    start(disk)
    (disk / ".starts.json.new").mkdir()  # from now on, nothing can be written there
    memory.mkdir()
    safe = []
    for _ in range(3):
        record = StartRecord(memory, disk)
        record.begin()
        record.good()
        safe.append(record.safe)
    assert safe == [True, False, False]


@given(st.binary(max_size=100))
def test_a_damaged_record_counts_as_none(tmp_path_factory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("starts")
    (folder / "starts.json").write_bytes(content)
    assert not StartRecord(folder).safe


def test_r8_a_record_of_lists_nested_by_the_thousand_counts_as_none(tmp_path: Path) -> None:
    (tmp_path / "starts.json").write_bytes(b'{"failed":2,"x":' + b"[" * 5000)
    assert not StartRecord(tmp_path).safe


def test_a_session_is_left_also_on_a_disk_that_became_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    playing = Playing(tmp_path)
    playing.begin("s1")
    monkeypatch.setattr("pathlib.Path.unlink", refuse)
    playing.left()
    assert playing.interrupted() == "s1"


def test_a_full_disk_does_not_empty_the_name_of_the_session_on_the_table(tmp_path: Path) -> None:
    playing = Playing(tmp_path)
    playing.begin("s1")
    with disk_full_at(0):
        playing.begin("s2")
    assert playing.interrupted() == "s1"
