"""Dice laid out by the generator are read, and what is no die of the set is not."""

import math
import time

import numpy as np
import pytest

import vision
from vision import faces as look
from vision import find, sets
from vision.reader import WEIGHTS, Reader
from vision.reading import Box
from vision.train.posed import BLACK, BLUE, RED, WHITE, Posed, tray

D6 = sets.load("d6")


def faces(reading):
    return [die.face for die in sorted(reading.dice, key=lambda die: die.bbox.x) if not die.foreign]


def right_and_sure(reading, expected):
    """How many dice are; none may be sure and wrong, or missing."""
    dice = [die for die in sorted(reading.dice, key=lambda die: die.bbox.x) if not die.foreign]
    assert len(dice) == len(expected)
    wrong = [
        (die.face, face) for die, face in zip(dice, expected, strict=True) if die.sure and die.face != face
    ]
    assert wrong == []
    return sum(die.sure for die in dice)


@pytest.mark.parametrize(("body", "ink"), [(WHITE, BLACK), (BLACK, WHITE), (RED, WHITE), (BLUE, WHITE)])
@pytest.mark.parametrize("pixels", [36, 70])
def test_pips_of_every_face_are_read(body, ink, pixels):
    dice = [Posed("d6", str(n), (100 * n - 30, 240), 17 * n, body=body, ink=ink) for n in range(1, 7)]
    assert right_and_sure(vision.read(tray(dice, pixels=pixels), D6), "123456") >= 5


def test_large_dice_are_read():
    dice = [Posed("d6", "5", (160, 240), 20), Posed("d6", "3", (480, 240), 50)]
    assert faces(vision.read(tray(dice, pixels=210), D6)) == ["5", "3"]


def test_dice_in_a_row_are_told_apart():
    dice = [Posed("d6", face, (130 + 74 * n, 240), 5 * n) for n, face in enumerate("642135")]
    assert right_and_sure(vision.read(tray(dice, pixels=48), D6), "642135") >= 5


def test_dice_that_touch_are_told_apart():
    dice = [Posed("d6", face, (130 + 51 * n, 240)) for n, face in enumerate("465654")]
    assert right_and_sure(vision.read(tray(dice, pixels=48), D6), "465654") >= 5


def test_a_die_that_the_edge_of_the_picture_cuts_off_is_asked_about():
    dice = [Posed("d6", "1", (34, 200), body=RED, ink=WHITE), Posed("d6", "3", (300, 350))]
    reading = vision.read(tray(dice, pixels=90), D6)
    assert [(die.face, die.sure) for die in reading.dice] == [("1", False), ("3", True)]


def test_what_may_be_a_part_of_a_surer_die_is_asked_about(monkeypatch):
    seen = [find.Candidate(Box(255, 195, 90, 90), 0.9), find.Candidate(Box(258, 195, 90, 90), 0.8)]
    monkeypatch.setattr(find, "find", lambda *_: seen)
    reading = vision.read(tray([Posed("d6", "4", (300, 240))], pixels=90), D6)
    assert [(die.face, die.sure) for die in reading.dice] == [("4", True), ("4", False)]


def test_what_the_finder_took_for_a_die_is_not_listed_where_the_network_sees_none(monkeypatch):
    seen = [find.Candidate(Box(255, 195, 90, 90), 0.9), find.Candidate(Box(455, 195, 90, 90), 0.5)]
    monkeypatch.setattr(find, "find", lambda *_: seen)
    reading = vision.read(tray([Posed("d6", "4", (300, 240))], pixels=90), "d6num")
    assert [round(die.bbox.middle[0]) for die in reading.dice] == [300]


SPOTS = [(70 + 120 * (n % 5), 150 + 150 * (n // 5)) for n in range(10)]


def at(reading, spot):
    """What was read of the die at a spot; there must be something."""
    apart = {
        abs(die.bbox.x + die.bbox.w / 2 - spot[0]) + abs(die.bbox.y + die.bbox.h / 2 - spot[1]): die
        for die in reading.dice
    }
    assert min(apart) < 30
    return apart[min(apart)]


@pytest.mark.parametrize(("kind", "faces", "most"), [("d6num", "123456", 5), ("d10", "0123456789", 7)])
def test_numerals_are_read_and_none_is_sure_and_wrong(kind, faces, most):
    dice = [
        Posed(kind, face, spot, 40 * n, body=RED, ink=WHITE)
        for n, (face, spot) in enumerate(zip(faces, SPOTS, strict=False))
    ]
    reading = vision.read(tray(dice, pixels=80), sets.load(kind))
    read = [at(reading, die.at) for die in dice]
    assert all(one.face == die.face or not one.sure for one, die in zip(read, dice, strict=True))
    assert sum(one.sure for one in read) >= most


def test_the_network_of_numerals_is_loaded_where_numerals_are_asked_for():
    reader, frame = Reader(), tray([Posed("d10", "8", (300, 240), body=RED, ink=WHITE)], pixels=80)
    reader.read(frame, D6)
    assert "numerals" not in vars(reader)
    assert [die.face for die in reader.read(frame, sets.load("d10")).dice] == ["8"]
    assert "numerals" in vars(reader)


def test_only_dice_that_may_have_numerals_are_shown_to_the_network_of_numerals(monkeypatch):
    def noting(frame, box, seen, net):
        shown.append(round(box.middle[0], -2))
        return with_numerals(frame, box, seen, net)

    shown, with_numerals = [], look.with_numerals
    monkeypatch.setattr(look, "with_numerals", noting)
    dice = [Posed("d6", "4", (200, 240)), Posed("d10", "8", (400, 240), body=RED, ink=WHITE)]
    assert {die.die for die in vision.read(tray(dice, pixels=80), ["d6", "d10"]).dice} == {"d6", "d10"}
    assert set(shown) == {400}


def test_the_time_of_a_reading_is_what_it_took_of_its_thread(a_throw):
    started = time.thread_time()
    reading = vision.read(a_throw, D6)
    assert 0 < reading.ms <= 1000 * (time.thread_time() - started)


def fours(chance, kind=9, readable=9):
    """A network that takes each crop for a four, and the list of the crops that it is shown."""
    shown = []

    def network(crops):
        shown.extend(crops)
        said = np.zeros((len(crops), 112), np.float32)
        said[:, 3] = math.log(5 * chance / (1 - chance))
        said[:, 6 + look.PIPS], said[:, 12] = kind, readable
        return said

    return network, shown


TWO = np.zeros((90, 200, 3), np.uint8), [Box(20, 20, 40, 40), Box(120, 20, 40, 40)]


@pytest.mark.parametrize(
    ("chance", "kind", "readable", "shown"),
    [(0.999, 9, 9, 1), (0.8, 9, 9, 2), (0.999, 3, 9, 2), (0.999, 9, 1, 2)],
)
def test_only_dice_in_doubt_are_looked_at_twice(chance, kind, readable, shown):
    network, crops = fours(chance, kind, readable)
    views = look.looks(*TWO, network)
    assert len(crops) == 2 * shown
    for view in views:
        assert view.pips[:, 3] == pytest.approx([chance] * shown)


@pytest.mark.parametrize(("chance", "kind", "seen"), [(0.999, 9, 0.999), (0.93, 9, 0.6), (0.999, 3, 0.6)])
def test_dice_that_a_glance_leaves_in_doubt_are_shown_to_the_larger_network_instead(chance, kind, seen):
    (small, glanced), (large, crops) = fours(chance, kind), fours(0.6)
    views = look.glances(*TWO, large, small)
    assert len(glanced) == 2
    assert len(crops) == (0 if seen == chance else 4)
    for view in views:
        assert view.pips[:, 3] == pytest.approx(seen)


@pytest.mark.parametrize(
    ("dice", "asked", "small"),
    [(7, "d6", True), (6, "d6", False), (9, ["d6", "d10"], False), (9, "dday", False)],
)
def test_only_where_many_dice_all_have_pips_the_small_network_is_asked(dice, asked, small):
    frame = tray([Posed("d6", "4", (100 + 120 * (n % 4), 100 + 120 * (n // 4)), 20 * n) for n in range(dice)])
    reader = Reader()
    assert len(reader.read(frame, asked).dice) == dice
    assert ("glance" in vars(reader)) is small


def test_of_a_look_the_network_of_numerals_is_asked_once():
    sizes = []

    def network(crops):
        sizes.append(len(crops))
        return np.zeros((len(crops), 10), np.float32)

    frame, box = np.zeros((90, 90, 3), np.uint8), Box(20, 20, 40, 40)
    two = look.View(*np.zeros((6, 2, 10), np.float32))
    seen = look.with_numerals(frame, box, two, network)
    six = look.View(*(np.concatenate([part, *[np.zeros_like(part)] * 2]) for part in seen))
    assert look.with_numerals(frame, box, six, network).digits == pytest.approx(0.1)
    assert sizes == [2, 4]


@pytest.mark.parametrize("side", [90, 200, 333])
def test_thin_strokes_of_a_large_die_are_not_lost_when_it_is_made_smaller(side):
    frame = np.zeros((500, 500, 3), np.uint8)
    frame[:, ::4] = 255
    cut = look.cut(frame, Box(100, 100, side, side), 1.28)
    assert cut.mean() == pytest.approx(64, abs=4)
    assert cut.std() < (40 if side > 100 else 128), "grey, not stripes of its own"


def test_a_box_tells_where_the_die_lies():
    (die,) = vision.read(tray([Posed("d6", "4", (300, 200))]), D6).dice
    assert abs(die.bbox.x + die.bbox.w / 2 - 300) < 8
    assert abs(die.bbox.y + die.bbox.h / 2 - 200) < 8
    assert 45 < die.bbox.w < 85


def test_a_cocked_die_is_asked_not_guessed():
    flat = [Posed("d6", "4", (150, 240)), Posed("d6", "6", (300, 240))]
    reading = vision.read(tray([*flat, Posed("d6", "2", (450, 240), tilt=42)]), D6)
    assert [die.sure for die in sorted(reading.dice, key=lambda die: die.bbox.x)] == [True, True, False]
    assert not reading.sure
    assert len(reading.doubtful) == 1


def test_of_dice_in_doubt_those_that_lie_in_the_picture_in_full_are_looked_at_more_closely(monkeypatch):
    def noting(frame, box, seen, net):
        looked_at.append(round(box.middle[0], -2))
        return closer(frame, box, seen, net)

    looked_at, closer = [], look.closer
    monkeypatch.setattr(look, "closer", noting)
    beyond = Posed("d6", "1", (34, 350), body=RED, ink=WHITE)
    flat = [Posed("d6", "4", (200, 240)), Posed("d6", "6", (400, 100))]
    vision.read(tray([beyond, *flat, Posed("d6", "2", (500, 240), tilt=42)], pixels=90), D6)
    assert looked_at == [500]


@pytest.mark.parametrize(("tilt", "sure"), [(0, True), (40, False)])
def test_r14_a_single_die_that_leans_on_the_wall_is_asked_about(tilt, sure):
    (die,) = vision.read(tray([Posed("d6", "6", (300, 240), tilt=tilt)]), D6).dice
    assert die.sure is sure


def test_dice_of_another_kind_are_foreign():
    dice = [Posed("d6", "5", (150, 240)), Posed("d10", "7", (400, 240), body=RED, ink=WHITE)]
    reading = vision.read(tray(dice, pixels=75), D6)
    other = [die for die in reading.dice if die.foreign]
    assert [die.face for die in other] == [None]
    assert not other[0].sure
    assert faces(reading) == ["5"]
    assert reading.sure, "it is not asked about"


@pytest.mark.parametrize(("expected", "sure"), [(3, True), (2, False), (4, False)])
def test_too_few_or_too_many_dice_make_a_reading_unsure(expected, sure):
    dice = [Posed("d6", face, (150 + 150 * n, 240)) for n, face in enumerate("345")]
    assert vision.read(tray(dice), D6, expect={"d6": expected}).sure is sure


def test_an_empty_tray_is_what_is_expected_of_no_dice():
    assert vision.read(tray([]), D6, expect={"d6": 0}).sure
    assert not vision.read(tray([]), D6, expect={"d6": 1}).sure


def test_confidence_is_a_chance_and_sure_dice_are_named(a_throw):
    for die in vision.read(a_throw, D6).dice:
        assert 0 <= die.confidence <= 1
        assert not die.sure or (die.die == "d6" and die.face in set("123456"))


def test_a_built_in_set_goes_by_its_name(a_throw):
    assert vision.read(a_throw, "d6").dice == vision.read(a_throw, D6).dice
    with pytest.raises(vision.DiceSetError, match="d10"):
        vision.read(a_throw, ["d6", "d7"])


def test_the_weights_are_small_enough_for_the_package():
    files = {file.name: file.stat().st_size for file in WEIGHTS.glob("*.onnx")}
    assert set(files) == {"finder.onnx", "glance.onnx", "faces.onnx", "numerals.onnx"}
    assert sum(files.values()) < 3_000_000


def test_of_symbols_that_were_never_taught_nobody_is_sure_that_they_are_foreign():
    frame = tray([Posed("symbols", "11", (320, 240), 20, body=RED, ink=WHITE)])
    assert not vision.read(frame, "dday").sure
    assert not vision.read(frame, ["d6", "dday"]).sure
