"""The generator of pictures: the same seed gives the same picture, and labels lie on the dice."""

import cv2
import numpy as np
import pytest

from vision.train import marks, scenes
from vision.train.posed import Posed, tray
from vision.train.render import Camera, Look, Placed, draw
from vision.train.solids import solid

_CAMERA = Camera(np.array([0.0, 0, 16]), np.diag([1.0, -1, -1]), 60 * 16.0, (60, 60))
_PLAIN = Look((0.5, 0.5, 0.5), (0.5, 0.5, 0.5), 0.0, (0.1, 0.1, 0.1), 1.0, 0.2, 0.0, 0.0)


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


def test_a_camera_that_looks_from_the_side_is_mostly_held_upright():
    rng = np.random.default_rng(0)
    cameras = [scenes.any_camera(rng, (640, 480))[0] for _ in range(600)]
    turned = {"above": [], "side": []}
    for camera in cameras:
        steep = np.arccos(abs(camera.turn[2, 2]))
        away = camera.turn @ np.array([0, 1.0, 0])  # to the far edge of the table: up in an upright picture
        turned["side" if steep > 0.25 else "above"].append(abs(np.degrees(np.arctan2(away[0], -away[1]))))
    assert np.mean(np.array(turned["side"]) < 40) > 0.9
    assert np.mean(np.array(turned["above"]) < 40) < 0.5


def test_scenes_of_marbled_dice_show_small_pip_dice_with_veins_through_them():
    rng = np.random.default_rng(0)
    dice = []
    for _ in range(40):
        camera, pixels = scenes.any_camera(rng, (512, 448), widest=scenes.MARBLED.widest)
        assert 18 <= pixels <= 70
        dice += scenes.thrown(rng, camera, pixels, (512, 448), scenes.MARBLED)
    assert np.mean([die.kind == "pips" for die in dice]) > 0.85
    assert np.mean([die.lying.look.swirl >= 0.4 for die in dice]) > 0.65
    shown = scenes.scene(rng, size=(512, 448), wanted=scenes.MARBLED)
    assert shown.dice
    assert max(max(die.bbox[2:]) for die in shown.dice) < 2 * 70


def test_a_posed_die_is_drawn_where_it_is_put():
    empty, one = tray([]), tray([Posed("d6", "3", (200, 300))], pixels=60)
    changed = np.argwhere((empty != one).any(axis=2))
    assert abs(changed.mean(axis=0) - (300, 200)).max() < 10


def _drawn(look, top=1.0, ground=128):
    """A die in the middle of a picture of 120 pixels, a 1 on every face, the lamp to the right."""
    picture = np.full((120, 120, 3), ground, np.uint8)
    rng = np.random.default_rng(0)
    one = marks.pips(1, rng)
    die = Placed(solid("d6"), np.zeros(3), [top * one, *[one] * 5], look)
    return picture, draw(picture, die, _CAMERA, np.array([0.6, 0.0, 0.8]), rng)


def _one_from_above(look, top=1.0, ground=128):
    return _drawn(look, top, ground)[0].astype(float).mean(axis=2)


def test_a_hollow_mark_is_dark_beside_the_lamp_and_bright_on_the_far_side():
    added = _one_from_above(_PLAIN._replace(relief=1.0)) - _one_from_above(_PLAIN)
    left, right = added[:, :58], added[:, 62:]  # the rims above and below turn from one to the other
    assert left.min() >= -2
    assert left.max() > 20
    assert right.max() <= 2
    assert right.min() < -20


def test_a_die_with_round_faces_is_lit_another_way_only_between_them():
    dome = _PLAIN._replace(dome=0.8, rim=0.3, rounding=0.4)
    added = abs(_one_from_above(dome) - _one_from_above(_PLAIN._replace(rounding=0.4)))
    y, x = np.mgrid[:120, :120]
    away = np.hypot(x - 60, y - 60)
    assert added[away < 0.7 * 30].max() < 3
    corner = (away > 1.1 * 30) & (np.maximum(abs(x - 60), abs(y - 60)) < 28)
    assert added[corner].mean() > 15


def test_only_faces_in_the_second_ink_have_it():
    look = _PLAIN._replace(second=(0.1, 0.1, 0.9))
    picture, other = np.full((2, 120, 120, 3), 128, np.uint8)
    die = Placed(solid("d6"), np.zeros(3), [marks.pips(1, np.random.default_rng(0))] * 6, look)
    for seen, second in ((picture, {0}), (other, {1})):
        lying = die._replace(second=frozenset(second))
        draw(seen, lying, _CAMERA, np.array([0.6, 0.0, 0.8]), np.random.default_rng(0))
    assert np.ptp(other[60, 60].astype(int)) < 3
    blue, _, red = picture[60, 60].astype(int)
    assert red - blue > 60


def test_small_lamps_mirrored_in_a_die_leave_most_of_it_as_it_was():
    added = _one_from_above(_PLAIN._replace(sparks=4)) - _one_from_above(_PLAIN)
    assert added.min() >= -1
    assert 0.002 < (added > 20).mean() < 0.05


def test_lamps_mirrored_in_a_round_face_follow_its_rim():
    y, x = np.mgrid[:120, :120]
    on_the_rim = abs(np.hypot(x - 60, y - 60) - 0.8 * 31) < 3
    share = []
    for dome in (0.8, None):
        plain = _PLAIN._replace(dome=dome, rounding=0.4)
        added = _one_from_above(plain._replace(sparks=40)) - _one_from_above(plain)
        share.append(added[on_the_rim].sum() / added.sum())
    assert share[0] > 1.3 * share[1]


def test_lamps_mirrored_about_marks_are_bright_near_the_outlines_and_nowhere_else():
    added = _one_from_above(_PLAIN._replace(gleam=0.8)) - _one_from_above(_PLAIN)
    y, x = np.mgrid[:120, :120]
    beyond = np.hypot(x - 60, y - 60) > 22
    assert added.min() >= -1
    assert added.max() > 60
    assert added[beyond].max() < 4


def test_hidden_marks_shine_faintly_through_a_clear_die():
    looks = [_PLAIN._replace(clear=1.0, ink=ink) for ink in ((0.1, 0.1, 0.1), (0.5, 0.5, 0.5))]
    through, whole = (
        (_one_from_above(looks[1]) - _one_from_above(looks[0], top)).max() for top in (0.0, 1.0)
    )
    assert 3 < through < 0.3 * whole


def test_the_table_is_seen_through_glass_but_not_through_its_marks():
    differs = {
        glass: _one_from_above(_PLAIN._replace(glass=glass), ground=200)
        - _one_from_above(_PLAIN._replace(glass=glass), ground=60)
        for glass in (0.0, 0.9)
    }
    body, mark = np.s_[40:50, 40:50], np.s_[58:62, 58:62]
    assert abs(differs[0.0][body]).max() == 0
    assert differs[0.9][body].mean() > 30
    assert abs(differs[0.9][mark]).max() < 5


def test_pips_in_a_disc_stay_within_it_and_apart():
    y, x = (np.mgrid[: marks.SIDE, : marks.SIDE] + 0.5) / marks.SIDE * 2 - 1
    for seed in range(60):
        rng = np.random.default_rng(seed)
        reach = rng.uniform(0.6, 0.95)
        made = marks.any_pips(rng, reach)._replace(worn=0.0, bleeds=0.0)
        ink = marks.pips(5, rng, made)
        assert ink[np.hypot(x, y) > reach + 0.03].max() < 0.5
        assert cv2.connectedComponents((ink > 0.5).astype(np.uint8))[0] - 1 == 5


@pytest.mark.parametrize("value", range(1, 7))
def test_pips_of_every_maker_are_as_many_as_they_should_be(value):
    for seed in range(60):
        rng = np.random.default_rng(seed)
        made = marks.any_pips(rng)
        ink = marks.pips(value, rng, made._replace(worn=0.0))
        assert cv2.connectedComponents((ink > 0.5).astype(np.uint8))[0] - 1 == value
        assert ink[0].max() == ink[:, 0].max() == 0


@pytest.mark.parametrize("mark", ["_", "."])
@pytest.mark.parametrize("bold", [0, 3])
def test_what_tells_a_six_from_a_nine_is_clear_of_it(mark, bold):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        ink = marks.numeral("6", rng, font=None, mark=mark, size=(0.36, 0.64), bold=bold)
        assert cv2.connectedComponents((ink > 0.5).astype(np.uint8))[0] - 1 == 2
        assert ink[0].max() == ink[-1].max() == ink[:, -1].max() == 0


def test_ink_is_shrunk_to_lie_on_its_face():
    kite = np.array([[0.5, 0.1], [0.8, 0.6], [0.5, 0.75], [0.2, 0.6]])
    ink = marks.numeral("9", np.random.default_rng(0), font=None, mark="_", size=(0.64, 0.64))
    fitted = marks.within(ink, kite)
    on = cv2.fillConvexPoly(np.zeros(ink.shape, np.uint8), (kite * marks.SIDE).astype(np.int32), 1)
    assert ink[on == 0].max() > 0.9
    assert fitted[on == 0].max() < 0.5
    assert 0.1 * ink.sum() < fitted.sum() < ink.sum()
    assert np.array_equal(marks.within(fitted, kite), fitted)


@pytest.mark.parametrize(("ink", "can_be_read"), [(0.1, True), (0.35, True), (0.48, False), (0.5, False)])
def test_marks_can_be_read_where_they_stand_out_from_the_body(ink, can_be_read):
    picture, drawn = _drawn(_PLAIN._replace(ink=(ink, ink, ink)))
    everywhere = np.ones((120, 120), np.bool_)
    assert scenes.legible(picture, drawn, everywhere) is can_be_read
    assert not scenes.legible(cv2.GaussianBlur(picture, (0, 0), 12), drawn, everywhere)
