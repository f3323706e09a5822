"""The generator of pictures: the same seed gives the same picture, and labels lie on the dice."""

import numpy as np
import pytest

from vision.train import scenes
from vision.train.posed import Posed, tray
from vision.train.solids import solid


@pytest.mark.parametrize("seed", range(3))
def test_the_same_seed_gives_the_same_scene(seed):
    first, second = (scenes.scene(np.random.default_rng(seed), size=(320, 240)) for _ in range(2))
    assert np.array_equal(first.picture, second.picture)
    assert first.dice == second.dice


@pytest.mark.parametrize("seed", range(12))
def test_labels_lie_in_the_picture(seed):
    scene = scenes.scene(np.random.default_rng(seed), size=(320, 240))
    assert scene.picture.shape == (240, 320, 3)
    for die in scene.dice:
        x, y, w, h = die.bbox
        assert x >= 0
        assert y >= 0
        assert x + w <= 320
        assert y + h <= 240
        assert die.kind in scenes.KINDS
        assert die.lean is not None
        assert np.hypot(*die.lean) < 1


@pytest.mark.parametrize(
    ("name", "faces"), [("d4", 4), ("d6", 6), ("d8", 8), ("d10", 10), ("d12", 12), ("d20", 20)]
)
def test_solids_have_their_faces_with_one_on_top(name, faces):
    shape = solid(name)
    assert len(shape.faces) == faces
    assert shape.faces[0].normal == pytest.approx([0, 0, 1], abs=1e-6)
    for face in shape.faces:
        assert np.linalg.norm(face.normal) == pytest.approx(1)
        assert face.up @ face.normal == pytest.approx(0, abs=1e-6)
        assert (shape.vertices @ face.normal).max() == pytest.approx(face.centre @ face.normal)


def test_a_posed_die_is_drawn_where_it_is_put():
    empty, one = tray([]), tray([Posed("d6", "3", (200, 300))], pixels=60)
    changed = np.argwhere((empty != one).any(axis=2))
    assert abs(changed.mean(axis=0) - (300, 200)).max() < 10
