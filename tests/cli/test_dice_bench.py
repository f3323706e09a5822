"""`companion dice bench`: a labelled folder in, the table and its pictures out."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli.dice import dice
from companion.engine.errors import BadInput
from vision import Box, Die, Reading, reader


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two pictures of a four; the reader says four to the first and is in doubt about the second."""
    lines = []
    for number in range(2):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((64, 64, 3), 90 + number, np.uint8))
        lines.append(
            {"file": f"{number}.png", "kind": "d6", "dice": [{"value": 4, "bbox": [10, 10, 20, 20]}]}
        )
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, lines)))

    def read(self: object, frame: np.ndarray, dice_set: object, **more: object) -> Reading:
        sure = bool(frame.max() == 90)
        four = Die(die="d6", face="4", confidence=0.9, bbox=Box(10, 10, 20, 20), sure=sure)
        return Reading(dice=(four,), sure=sure, ms=5)

    monkeypatch.setattr(reader.Reader, "read", read)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(dice, ["bench", *arguments])


def test_the_table_has_each_source_and_all_with_intervals(folder: Path) -> None:
    rows = [row for row in run(str(folder)).stdout.splitlines() if row.startswith("|")]
    assert rows[-1].startswith("| all | 2 | 2 | 50.0 (9.5 to 90.5) | 0.0 (")


def test_the_result_is_json_for_machines(folder: Path) -> None:
    result = json.loads(run(str(folder), "--json").stdout)
    assert result["total"]["images"] == 2
    assert result["total"]["dice"]["asked"]["count"] == 1


def test_table_data_and_pictures_are_written(folder: Path) -> None:
    out = folder / "out"
    assert run(str(folder), "--out", str(out)).exit_code == 0
    assert {file.name for file in out.iterdir()} == {
        "bench.json",
        "bench.md",
        "confusion.png",
        "reliability.png",
    }


def test_a_folder_without_labels_is_one_clear_line(tmp_path: Path) -> None:
    result = run(str(tmp_path))
    assert isinstance(result.exception, BadInput)
    assert "labels.jsonl" in str(result.exception)
