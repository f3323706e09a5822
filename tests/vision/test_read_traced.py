"""Scenes with traced light: dice lie where their labels say, as seen by Blender."""

import numpy as np
import pytest

pytest.importorskip("bpy", reason="Blender is for training alone, and not among the packages that tests need")

from vision.train import rendered, traced


def test_the_marks_of_dice_lie_where_the_labels_say() -> None:
    legible = dice = 0
    for seed in (3, 22):
        shot = traced.scene(np.random.default_rng(seed), size=(320, 280))
        assert shot.picture.shape == (280, 320, 3)
        dice += len(shot.dice)
        legible += sum(die.readable for die in shot.dice)  # its ink is where the label's camera sees it
    assert dice >= 10
    assert legible >= dice / 3


@pytest.mark.skipif(
    not (rendered._FOLDER / rendered._SYMBOLS).exists(), reason="Debian's package fonts-symbola is not there"
)
def test_dice_of_a_rendered_set_lie_where_their_labels_say() -> None:
    dice = [rendered._Die("d6", colour, face) for colour, face in (("red", "3"), ("blue", "5"), ("red", "1"))]
    picture, labels = rendered._picture(np.random.default_rng(4), rendered._maker(2), dice, cocked=0.0)
    for die, label in zip(dice, labels, strict=True):
        assert (label["die"], label["colour"], label["face"]) == die
        x, y, w, h = label["bbox"]
        assert 30 < min(w, h) <= max(w, h) < 100
        blue, _, red = picture[y + h // 4 : y + 3 * h // 4, x + w // 4 : x + 3 * w // 4].mean(axis=(0, 1))
        assert bool(red > blue) is (die.colour == "red")
