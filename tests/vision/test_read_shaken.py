"""A camera that moved while it took the picture: what has numerals is asked about."""

import cv2
import numpy as np
import pytest

import vision
from vision import Box, sets, shaken, verdict
from vision.train.posed import BLACK, RED, WHITE, Posed, tray

SIDE = 80  # pixels, of a die
SPOTS = [(70 + 120 * n, 150 + 150 * (n % 2)) for n in range(5)]


def smeared(frame, share, degrees):
    """The picture of a camera that moved by that share of a die's side, that way."""
    size = round(3 * share * SIDE) | 1
    line = np.zeros((size, size), np.float32)
    end = share * SIDE / 2 * np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    first, last = (np.round(16 * (size // 2 + sign * end)).astype(int).tolist() for sign in (-1, 1))
    cv2.line(line, first, last, 1.0, 1, cv2.LINE_AA, 4)
    return cv2.filter2D(frame, -1, line / line.sum())


def numerals(kind="d10", ink=WHITE):
    dice = [
        Posed(kind, face, spot, 40 * n, body=RED, ink=ink)
        for n, (face, spot) in enumerate(zip("23564", SPOTS, strict=True))
    ]
    return tray(dice, pixels=SIDE)


def boxes(count=5):
    return [Box(x - SIDE / 2, y - SIDE / 2, SIDE, SIDE) for x, y in SPOTS[:count]]


@pytest.mark.parametrize("degrees", [0, 22, 45, 67, 90, 112, 135, 157])
@pytest.mark.parametrize("count", [1, 5])
def test_dice_that_are_drawn_out_one_way_tell_that_the_camera_moved(degrees, count):
    assert shaken.is_shaken(smeared(numerals(), 0.15, degrees), boxes(count))


@pytest.mark.parametrize(
    "harmed",
    [
        lambda frame: frame,
        lambda frame: cv2.GaussianBlur(frame, (0, 0), 3),
        lambda frame: np.clip(frame + np.random.default_rng(5).normal(0, 18, frame.shape), 0, 255).astype(
            np.uint8
        ),
        lambda frame: frame // 4,
        lambda frame: smeared(frame, 0.04, 30),
    ],
    ids=["as it is", "out of focus", "noisy", "dark", "moved a little"],
)
def test_nothing_else_does(harmed):
    assert not shaken.is_shaken(harmed(numerals()), boxes())


def test_a_table_that_is_seen_from_aside_is_none_either():
    low = cv2.resize(numerals(), None, fx=1, fy=0.7)
    assert not shaken.is_shaken(low, [box._replace(y=0.7 * box.y, h=0.7 * box.h) for box in boxes()])


def test_a_die_at_the_edge_of_the_picture_and_one_of_a_pixel_tell_something_or_nothing():
    frame = numerals()
    assert not shaken.is_shaken(
        frame, [*boxes(), Box(630, 470, 40, 40), Box(-30, -30, 40, 40), Box(5, 5, 1, 1)]
    )
    assert not shaken.is_shaken(np.full_like(frame, 90), boxes())


@pytest.mark.parametrize(("kind", "degrees"), [("d10", 0), ("d10", 30), ("d6num", 0)])
def test_of_dice_with_numerals_none_is_sure_then(kind, degrees):
    frame = numerals(kind)
    assert sum(die.sure for die in vision.read(frame, kind).dice) >= 3
    moved = vision.read(smeared(frame, 0.12, degrees), kind)
    assert [die.sure for die in moved.dice if die.face is not None] == [False] * 5
    assert all(die.confidence < verdict.SURE for die in moved.dice if not die.foreign)
    assert not moved.sure


def test_dice_with_pips_are_read_all_the_same():
    frame = tray(
        [
            Posed("d6", face, spot, 20, body=WHITE, ink=BLACK)
            for face, spot in zip("23561", SPOTS, strict=True)
        ],
        pixels=SIDE,
    )
    moved = smeared(frame, 0.15, 0)
    assert shaken.is_shaken(moved, boxes())
    for asked in ("d6", [sets.load("d6"), sets.load("d10")]):
        dice = sorted(vision.read(moved, asked).dice, key=lambda die: die.bbox.x)
        assert [(die.face, die.sure) for die in dice] == [(face, True) for face in "23561"]
