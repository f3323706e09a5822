"""Harmed pictures: each die lies where its label is moved to, and what is read of it is counted."""

import json
import sys

import cv2
import numpy as np
import pytest

from vision import Box, bench, labels
from vision.bench import Outcome
from vision.reader import WEIGHTS
from vision.train import harms
from vision.train.harms import HARMS
from vision.train.posed import RED, WHITE, Posed, tray

_PLACES = {"2": (150.0, 120.0), "5": (430.0, 330.0)}


@pytest.fixture(scope="module")
def picture():
    dice = [Posed("d6", face, at, 20, body=RED, ink=WHITE) for face, at in _PLACES.items()]
    return tray(dice, seed=3)


@pytest.fixture(scope="module")
def labelled(tmp_path_factory, picture):
    """A table's folder with one picture of two pip dice, and one of another kind."""
    folder = tmp_path_factory.mktemp("labelled") / "table"
    folder.mkdir()
    cv2.imwrite(str(folder / "a.png"), picture)
    dice = [{"face": face, "bbox": [x - 35, y - 35, 70, 70]} for face, (x, y) in _PLACES.items()]
    lines = [{"file": "a.png", "kind": kind, "dice": dice} for kind in ("d6", "d10")]
    (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder.parent


@pytest.mark.parametrize("harm", HARMS)
def test_what_is_read_of_harmed_dice_lies_where_their_labels_are_moved_to(picture, labelled, harm):
    first, _ = labels.read_labels(labelled / "table")
    scored = harms.scored(("table", first), weights=WEIGHTS, harm=harm)
    assert [die.outcome for die in scored.dice] == [Outcome.RIGHT] * 2, harm
    seen = HARMS[harm].done_to(picture, 1)
    assert seen.dtype == np.uint8
    assert np.array_equal(seen, picture) == (harm == "none")


def test_a_turned_pictures_boxes_turn_with_it():
    box, shape = Box(10, 20, 30, 40), (200, 100, 3)
    assert HARMS["mirrored"].moved(box, shape, shape) == Box(60, 20, 30, 40)
    assert HARMS["half-turn"].moved(box, shape, shape) == Box(60, 140, 30, 40)
    assert HARMS["quarter-turn"].moved(box, shape, (100, 200, 3)) == Box(140, 10, 40, 30)
    assert HARMS["larger"].moved(box, shape, (400, 200, 3)) == Box(20, 40, 60, 80)


def test_a_line_a_harm_tells_what_became_of_the_dice(labelled, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["harms", str(labelled), "--harm", "grey", "--harm", "mirrored"])
    harms.main()
    lines = capsys.readouterr().out.splitlines()
    told = "table 100.0% 0+0 1 | all 100.0% 0+0 1"
    assert lines == [f"{'grey':13}{told}", f"{'mirrored':13}{told}"]


def test_a_folder_without_pictures_of_pip_dice_is_refused(tmp_path, monkeypatch, capsys):
    (tmp_path / "labels.jsonl").write_text('{"file": "a.png", "kind": "d10", "dice": []}')
    for folder, why in (tmp_path, "has no picture of kind d6"), (tmp_path / "none", "is no folder"):
        monkeypatch.setattr(sys, "argv", ["harms", str(folder)])
        with pytest.raises(SystemExit):
            harms.main()
        assert why in capsys.readouterr().err


def test_wrong_and_invented_dice_are_told_apart():
    outcomes = [Outcome.RIGHT, Outcome.WRONG, Outcome.INVENTED, Outcome.MISSED, Outcome.INVENTED]
    dice = tuple(bench.Scored(outcome, "1", "1", 1.0) for outcome in outcomes)
    score = bench.ImageScore("folder", "table", "a.png", dice, ms=1.0, whole=False)
    assert harms.told([score]) == "table 33.3% 1+2 0 | all 33.3% 1+2 0"
