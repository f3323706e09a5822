"""`companion dice bench`: a labelled folder in, the table and its pictures out."""

import json
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli.dice import dice
from companion.engine.errors import BadInput
from vision import Box, Die, Reading, reader
from vision.bench import Bench, Outcome
from vision.train.posed import BLACK, BLUE, GREEN, RED, WHITE, Posed, tray

LOOKS = ((WHITE, BLACK), (RED, WHITE), (BLUE, WHITE), (GREEN, WHITE), (BLACK, WHITE))
COCKED = {(2, 1), (5, 4)}
"""The picture, and the place in it, of dice that lean."""


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
    result = run(str(folder))
    assert result.exit_code == 0
    rows = [row for row in result.stdout.splitlines() if row.startswith("|")]
    assert rows[-1].startswith("| all | 2 | 2 | 50.0 (9.5 to 90.5) | 0.0 (")


def test_where_the_folder_can_not_be_written_the_table_is_there_all_the_same(folder: Path) -> None:
    result = run(str(folder), "--out", str(folder / "0.png"))
    assert str(result.exception) == f"{folder / '0.png'} can't be written: File exists"
    assert "| all | 2 | 2 | 50.0" in result.stdout


def test_the_result_is_json_for_machines(folder: Path) -> None:
    result = json.loads(run(str(folder), "--json").stdout)
    assert result["total"]["images"] == 2
    assert result["total"]["dice"]["asked"]["count"] == 1


@pytest.mark.parametrize(("kind", "problem"), [("teach", "of kind teach"), ("d100", "of kind d100")])
def test_a_folder_with_nothing_to_measure_on_is_one_clear_line(kind: str, problem: str, folder: Path) -> None:
    labels = folder / "labels.jsonl"
    labels.write_text(labels.read_text().replace('"kind": "d6"', f'"kind": "{kind}"'))
    result = run(str(folder), "--out", str(folder / "out"))
    assert isinstance(result.exception, BadInput)
    assert problem in str(result.exception)


@pytest.mark.parametrize(
    ("label", "named"), [({"value": 7}, "labelled 7"), ({"die": "d10", "value": 4}, "labelled d10 4")]
)
def test_a_picture_with_a_label_that_no_die_of_its_set_can_have_is_passed_over_by_name(
    label: dict[str, object], named: str, folder: Path
) -> None:
    more = {"file": "1.png", "kind": "d6", "dice": [{**label, "bbox": [10, 10, 20, 20]}]}
    with (folder / "labels.jsonl").open("a") as labels:
        labels.write(f"\n{json.dumps(more)}")
    result = run(str(folder)).stdout
    assert "| all | 2 | 2 | 50.0" in result
    assert f"Passed over, since no dice set reads them: 1 of kind d6 with a die {named}, as 1.png." in result


def test_pictures_of_a_run_before_do_not_stay_beside_a_new_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = folder / "out"
    run(str(folder), "--out", str(out))
    labels = folder / "labels.jsonl"
    labels.write_text(json.dumps({"file": "0.png", "kind": "d6", "dice": []}))
    nothing = Reading(dice=(), sure=True, ms=5)
    monkeypatch.setattr(reader.Reader, "read", lambda self, frame, dice_set: nothing)
    assert run(str(folder), "--out", str(out)).exit_code == 0
    assert {file.name for file in out.iterdir()} == {"bench.json", "bench.md", "reliability.png"}


def test_table_data_and_pictures_are_written_and_named_beside_what_is_for_machines(folder: Path) -> None:
    out = folder / "out"
    result = run(str(folder), "--json", "--out", str(out))
    assert result.exit_code == 0
    assert json.loads(result.stdout)["total"]["images"] == 2
    assert f"written: {out / 'bench.md'}" in result.stderr
    assert {file.name for file in out.iterdir()} == {
        "bench.json",
        "bench.md",
        "confusion.png",
        "failures.png",
        "reliability.png",
    }


def posed(source: Path, kind: str, images: int) -> None:
    """Pictures of six dice each as the project's own generator makes them, and their labels."""
    rng = np.random.default_rng(7)
    source.mkdir()
    lines = []
    for number in range(images):
        pixels = float(rng.uniform(36, 70))
        dice = []
        for place in range(6):
            body, ink = LOOKS[rng.integers(len(LOOKS))]
            at = (
                110 + 200 * (place % 3) + rng.uniform(-40, 40),
                130 + 200 * (place // 3) + rng.uniform(-50, 50),
            )
            tilt = 45.0 if (number, place) in COCKED else 0.0
            dice.append(Posed(kind, str(rng.integers(1, 7)), at, rng.uniform(0, 360), tilt, body, ink))
        cv2.imwrite(str(source / f"{number}.png"), tray(dice, pixels=pixels, seed=number))
        side = 1.2 * pixels
        labels = [
            {"face": None if die.tilt else die.face, "bbox": [*(x - side / 2 for x in die.at), side, side]}
            for die in dice
        ]
        lines.append(json.dumps({"file": f"{number}.png", "kind": kind, "dice": labels}))
    (source / "labels.jsonl").write_text("\n".join(lines))


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """What the shipped reader makes of generated pictures."""
    sources = tmp_path_factory.mktemp("sources")
    posed(sources / "pips", "d6", 8)
    posed(sources / "numerals", "d6num", 4)
    return msgspec.json.decode(run(str(sources), "--json").stdout, type=Bench)


def score(measured: Bench, source: str, outcome: Outcome) -> float:
    (found,) = (one for one in measured.sources if one.name == source)
    dice = found.dice[outcome.value]
    return dice.count / dice.of


def test_of_generated_pip_dice_none_is_read_sure_and_wrong(measured: Bench) -> None:
    assert score(measured, "pips", Outcome.WRONG) == score(measured, "pips", Outcome.INVENTED) == 0


def test_of_generated_numerals_few_are_read_sure_and_wrong(measured: Bench) -> None:
    assert score(measured, "numerals", Outcome.WRONG) < 0.05


@pytest.mark.parametrize(("source", "least"), [("pips", 0.85), ("numerals", 0.6)])
def test_most_generated_dice_are_right_and_sure(measured: Bench, source: str, least: float) -> None:
    assert score(measured, source, Outcome.RIGHT) >= least
    assert score(measured, source, Outcome.MISSED) < 0.05


def test_cocked_dice_among_generated_ones_are_asked_about(measured: Bench) -> None:
    cocked = [die for image in measured.images for die in image.dice if die.face is None]
    assert [die.outcome for die in cocked] == [Outcome.ASKED] * 3


def test_a_folder_without_labels_is_one_clear_line(tmp_path: Path) -> None:
    result = run(str(tmp_path))
    assert isinstance(result.exception, BadInput)
    assert "labels.jsonl" in str(result.exception)
