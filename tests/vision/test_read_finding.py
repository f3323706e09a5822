"""Which looks the finder takes at a picture, and what it lists of what its network says."""

import math

import cv2
import numpy as np
import pytest

from vision import Box, faces, find, network, reader

CELL = 8


class Network:
    """Says what it is told to see: dice at (x, y) of a size and score, in a look of so many pixels across."""

    def __init__(self, looks):
        self._looks = looks
        self.shown = []

    def __call__(self, pictures):
        (picture,) = pictures
        height, width = picture.shape[:2]
        self.shown.append(width)
        out = np.zeros((1, 6, height // CELL, width // CELL), np.float32)
        out[0, 0] = -9
        for x, y, size, score in self._looks.get(width, ()):
            row, column = y // CELL, x // CELL
            out[0, 0, row, column] = math.log(score / (1 - score))
            middle = (x / CELL - column - 0.5, y / CELL - row - 0.5)
            out[0, 2:6, row, column] = (*middle, *[math.log(size / CELL)] * 2)
        return out


def listed(frame, looks):
    """The middles and sizes of what is found, and how wide the looks were."""
    network = Network(looks)
    width, height = frame
    found = find.find(np.zeros((height, width, 3), np.uint8), network)
    return [(*map(round, one.box.middle), round(one.box.w)) for one in found], network.shown


def test_large_dice_are_left_to_the_look_at_half_the_scale_and_small_ones_to_the_other():
    near, far = [(100, 100, 140, 0.9), (400, 300, 160, 0.8)], [(200, 150, 80, 0.7), (50, 200, 17, 0.9)]
    found, shown = listed((640, 480), {640: near, 320: far})
    assert shown == [640, 320]
    assert found == [(100, 100, 140), (400, 300, 160)], "at half the scale the large one, and no small one"
    assert listed((640, 480), {640: near})[0] == [(100, 100, 140)]


@pytest.mark.parametrize(
    ("size", "score", "listed_too"), [(30, 0.45, True), (30, 0.35, False), (22, 0.9, False)]
)
def test_a_die_of_medium_size_that_is_overlooked_at_full_scale_is_listed_all_the_same(
    size, score, listed_too
):
    near = [(100, 100, 60, 0.9)]
    found, _ = listed((640, 480), {640: near, 320: [(152, 100, size, score)]})
    assert found == [(100, 100, 60), *[(304, 200, 2 * size)] * listed_too]


def test_a_die_of_medium_size_that_is_all_there_is_is_listed():
    assert listed((640, 480), {320: [(152, 100, 30, 0.9)]})[0] == [(304, 200, 60)]


def test_how_large_a_die_is_counts_at_the_scale_at_which_it_is_looked_at():
    looks = {640: [(100, 100, 30, 0.9)], 320: [(52, 50, 15, 0.9), (150, 150, 20, 0.9)]}
    assert listed((1280, 960), looks)[0] == [(200, 200, 60)]


@pytest.mark.parametrize(("size", "x", "mean"), [(28, 156, (308, 200, 58)), (28, 168, (304, 200, 60))])
def test_a_die_lies_where_all_looks_say_that_it_does_on_the_mean(size, x, mean):
    looks = {640: [(304, 200, 60, 0.6)], 320: [(x, 100, size, 0.6)]}
    assert listed((640, 480), looks)[0][0] == mean


@pytest.mark.parametrize(
    ("frame", "size", "score", "third"),
    [
        ((1280, 960), 18, 0.9, [1280]),
        ((960, 720), 18, 0.9, [960]),
        ((2560, 1920), 18, 0.9, [1280]),
        ((1280, 960), 22, 0.9, []),
        ((1280, 960), 18, 0.5, []),
        ((640, 480), 18, 0.9, []),
    ],
)
def test_tiny_dice_are_looked_at_again_at_up_to_twice_the_scale(frame, size, score, third):
    found, shown = listed(frame, {640: [(100, 100, size, score)], 1280: [(400, 400, 30, 0.8)]})
    assert shown == [640, 320, *third]
    assert len(found) == 1 + (third == [1280])


def test_where_nothing_is_seen_there_is_no_third_look():
    assert listed((1280, 960), {}) == ([], [640, 320])


def test_what_is_seen_beyond_the_picture_is_no_die():
    seen = {640: [(100, 475, 40, 0.9), (300, 460, 40, 0.9)]}
    assert listed((640, 470), seen)[0] == [(300, 460, 40)]


def test_what_is_faint_and_much_smaller_than_the_dice_is_a_speck():
    dice = [(100, 100, 60, 0.9), (300, 100, 60, 0.8)]
    specks = [(100, 300, 20, 0.4), (300, 300, 24, 0.4), (500, 300, 20, 0.6)]
    assert listed((640, 480), {640: dice + specks})[0] == [
        (100, 100, 60), (300, 100, 60), (500, 300, 20), (300, 300, 24)
    ]  # fmt: skip
    assert len(listed((640, 480), {640: specks[:2]})[0]) == 2, "without clear dice none has a size"


def test_no_more_than_64_are_looked_at_the_clearest_first():
    grid = [(30 + 60 * (n % 10), 30 + 60 * (n // 10), 40, 0.95 - n / 1000) for n in range(70)]
    found, _ = listed((640, 480), {640: grid[::-1]})
    assert found == [(x, y, size) for x, y, size, _ in grid[:64]]


def test_no_die_is_much_larger_than_the_picture():
    ((x, y, size),), _ = listed((640, 480), {320: [(160, 120, 1e9, 0.9)]})
    assert (x, y) == (320, 240)
    assert size < 2000


def test_looks_of_two_sizes_in_turn_take_two_nets_for_good(monkeypatch):
    read, loaded = cv2.dnn.readNetFromONNX, []

    def load(*told, **engine):
        loaded.append(told)
        return read(*told, **engine)

    monkeypatch.setattr(cv2.dnn, "readNetFromONNX", load)
    finder = network_of("finder.onnx")
    looks = [np.full((side, side, 3), side, np.uint8) for side in (64, 32)]
    first = [finder([look]) for look in looks]
    again = [finder([look]) for look in looks]
    assert len(loaded) == 2
    assert all(map(np.array_equal, first, again))


def test_many_cuts_are_answered_as_each_alone():
    cuts = np.random.default_rng(1).integers(0, 256, (17, 64, 64, 3), np.uint8)
    glance = network_of("glance.onnx")
    assert np.array_equal(glance(cuts), np.concatenate([glance([cut]) for cut in cuts]))


def network_of(file):
    return network.Network(reader.WEIGHTS / file)


@pytest.mark.parametrize("turn", [0.0, 24.0, -24.0])
@pytest.mark.parametrize("box", [Box(150, 120, 60, 40), Box(20, 10, 40, 60), Box(280, 180, 60, 60)])
def test_of_a_picture_only_the_part_about_a_die_is_turned(box, turn):
    """A part is cut out first, to spare time: as if all of the picture had been turned."""
    picture = cv2.GaussianBlur(np.random.default_rng(4).integers(0, 255, (240, 320, 3), np.uint8), (0, 0), 3)
    onto = cv2.getRotationMatrix2D(box.middle, turn, faces.CROP / (1.4 * 60))
    onto[:, 2] += faces.CROP / 2 - np.array(box.middle)
    size = (faces.CROP, faces.CROP)
    whole = cv2.warpAffine(picture, onto, size, borderMode=cv2.BORDER_REPLICATE)
    assert cv2.absdiff(faces.cut(picture, box, 1.4, turn), whole).max() <= 2
