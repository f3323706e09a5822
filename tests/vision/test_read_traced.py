"""Scenes with traced light: dice lie where their labels say, as seen by Blender."""

import numpy as np
import pytest

pytest.importorskip("bpy", reason="Blender is for training alone, and not among the packages that tests need")

from vision.train import traced


def test_the_marks_of_dice_lie_where_the_labels_say() -> None:
    legible = dice = 0
    for seed in (3, 22):
        shot = traced.scene(np.random.default_rng(seed), size=(320, 280))
        assert shot.picture.shape == (280, 320, 3)
        dice += len(shot.dice)
        legible += sum(die.readable for die in shot.dice)  # its ink is where the label's camera sees it
    assert dice >= 10
    assert legible >= dice / 3
