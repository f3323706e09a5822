"""Photographs of real tables, where the project's folder of them is at hand."""

from pathlib import Path

import pytest

from vision import bench, labels, sets
from vision.bench import Outcome
from vision.reader import Reader

PHOTOGRAPHS = Path(__file__).resolve().parents[3] / "shared" / "dice" / "real"

pytestmark = pytest.mark.skipif(not PHOTOGRAPHS.is_dir(), reason="no photographs in ../shared/dice/real")


@pytest.mark.parametrize(
    ("source", "right"), [("floor_webcam", 0.85), ("round_gray", 0.9), ("nell_tray", 0.75)]
)
def test_dice_of_a_real_table_are_right_or_asked(source, right):
    images = [i for i in labels.read_labels(PHOTOGRAPHS / source) if i.kind == "d6"][:12]
    scores = bench.measure(source, images, sets.load("d6"), Reader())
    outcomes = bench.summed(scores, {}).total.dice
    assert outcomes[Outcome.WRONG.value].count <= 1
    assert outcomes[Outcome.RIGHT.value].count >= right * outcomes[Outcome.RIGHT.value].of
