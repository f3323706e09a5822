"""Settling: motion and rest, hands, light that changes, and each throw read once (R14)."""

from collections.abc import Iterable

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision import settle
from vision.camera import Frame
from vision.reading import Box
from vision.settle import GAP, HAND_LEAVES, PAUSE, REST, VOTES, Settler, State, View
from vision.train.posed import Posed, tray

RATE = 15.0
SIZE = (240, 320)
NOISE = np.random.default_rng(9).normal(0, 1, (7, *SIZE, 3)).astype(np.float32)


class Table:
    """A tray under a noisy camera: what lies in it can be changed from frame to frame."""

    def __init__(self, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        self.felt = cv2.GaussianBlur(self.random.integers(50, 90, (*SIZE, 3)).astype(np.uint8), (0, 0), 2)
        self.settler = Settler()
        self.dice: list[tuple[int, int]] = []
        self.hand = 0
        self.light = 1.0
        self.noise = 2.0
        self.zoom = 1
        self.now = 100.0
        self.sequence = 0

    def picture(self) -> np.ndarray:
        image = self.felt.copy()
        for x, y in self.dice:
            cv2.rectangle(image, (x, y), (x + 16, y + 16), (230, 230, 230), -1)
            cv2.circle(image, (x + 8, y + 8), 2, (20, 20, 20), -1)
        if self.hand:
            cv2.rectangle(image, (0, 90), (self.hand, 150), (120, 150, 200), -1)
        grain = NOISE[self.sequence % len(NOISE)] * np.float32(self.noise)
        lit = np.clip(image * np.float32(self.light) + grain, 0, 255).astype(np.uint8)
        return cv2.resize(lit, None, fx=self.zoom, fy=self.zoom)

    def look(self) -> View:
        self.now += 1 / RATE
        self.sequence += 1
        return self.settler.see(Frame(self.picture(), self.now))

    def wait(self, seconds: float = 1.0) -> list[View]:
        return [self.look() for _ in range(round(seconds * RATE))]

    def throw(self, places: list[tuple[int, int]]) -> None:
        """A hand comes in with the dice, leaves, and they roll for half a second."""
        self.hand = 120
        self.wait(0.3)
        self.hand = 0
        for step in range(8):
            self.dice = [(x - 6 * (8 - step), y - 3 * (8 - step)) for x, y in places]
            self.look()
        self.dice = places


def states(views: Iterable[View]) -> set[State]:
    return {view.state for view in views}


def thrown(views: Iterable[View]) -> list[View]:
    return [view for view in views if view.thrown]


@pytest.fixture
def table() -> Table:
    table = Table()
    table.wait()
    return table


def test_an_empty_tray_comes_to_rest_and_is_no_throw(table: Table) -> None:
    views = table.wait()
    assert states(views) == {State.RESTING}
    assert not thrown(views)


def test_a_throw_is_there_once_the_dice_have_lain_still_for_a_while(table: Table) -> None:
    table.throw([(100, 100), (180, 120)])
    settled = table.now
    view = table.look()
    while not view.thrown:
        assert view.state is State.MOVING
        assert not view.still
        view = table.look()
    assert REST <= table.now - settled < REST + 0.3
    assert len(view.still) == VOTES
    assert all(frame.taken > settled for frame in view.still)


def test_a_tray_in_motion_is_never_handed_out(table: Table) -> None:
    for step in range(40):
        table.dice = [(40 + 4 * step, 100)]
        assert table.look().state is not State.RESTING


def test_a_throw_that_was_accepted_is_not_a_throw_again(table: Table) -> None:
    table.throw([(100, 100)])
    assert thrown(table.wait())
    table.settler.accept()
    assert not thrown(table.wait(5))


def test_what_lay_there_from_the_beginning_is_no_throw() -> None:
    table = Table()
    table.dice = [(100, 100), (200, 150)]
    assert not thrown(table.wait(3))


def test_a_hand_that_rests_in_the_tray_is_a_hand_and_no_throw(table: Table) -> None:
    table.dice = [(200, 100)]
    table.hand = 130
    table.wait(0.2)
    views = table.wait(HAND_LEAVES - 0.5)
    assert State.HAND in states(views)
    assert not thrown(views)
    table.hand = 0
    assert thrown(table.wait())


def test_a_tray_in_which_nothing_moved_is_compared_but_once_a_picture(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small Pi has fifteen pictures a second to look at."""
    compared: list[object] = []
    unlike = settle._unlike
    monkeypatch.setattr(settle, "_unlike", lambda *some: compared.append(some) or unlike(*some))
    table.wait()
    assert len(compared) == round(RATE)
    table.throw([(100, 100)])
    table.wait()
    table.settler.accept()
    compared.clear()
    table.wait()
    assert len(compared) == round(RATE)


def test_a_sleeve_at_the_edge_of_the_picture_is_no_hand(table: Table) -> None:
    table.throw([(200, 100)])
    table.hand = 60
    views = table.wait()
    assert State.HAND not in states(views)
    assert thrown(views)


def test_a_hand_that_comes_and_goes_and_leaves_all_as_it_was_is_no_throw(table: Table) -> None:
    table.throw([(100, 180)])
    table.wait()
    table.settler.accept()
    table.hand = 130
    table.wait()
    table.hand = 0
    assert not thrown(table.wait(3))


def test_where_a_hand_lay_so_long_that_it_was_read_over_its_going_is_no_hand(table: Table) -> None:
    table.wait()
    table.hand = 130
    assert thrown(table.wait(HAND_LEAVES + 1))
    table.settler.accept()
    table.hand = 0
    views = table.wait()
    assert thrown(views)
    assert State.HAND not in states(views)


def test_a_camera_that_was_bumped_sees_no_hand(table: Table) -> None:
    blocks = table.random.integers(0, 200, (24, 32, 3)).astype(np.uint8)
    table.felt = cv2.resize(blocks, SIZE[::-1], interpolation=cv2.INTER_NEAREST)
    table.wait()
    table.settler.accept()
    table.felt = np.roll(table.felt, 10, axis=1)
    views = table.wait()
    assert State.HAND not in states(views)
    assert thrown(views)


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.8])
@pytest.mark.parametrize("lost", [64, 512])
def test_r10_a_jpeg_that_a_usb_camera_lost_a_part_of_is_taken_for_movement(
    table: Table, share: float, lost: int
) -> None:
    """What decodes it shows the rest shifted or grey, and says nothing."""
    table.dice, table.zoom = [(100, 100), (180, 120), (240, 200)], 4
    assert table.wait()[-1].still
    whole = cv2.imencode(".jpg", table.picture())[1].tobytes()
    at = int(len(whole) * share)

    def seen(data: bytes) -> View:
        table.now += 1 / RATE
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        return table.settler.see(Frame(np.asarray(image, np.uint8), table.now))

    assert seen(whole).still
    assert seen(whole[:at] + whole[at + lost :]).state is State.MOVING
    assert [bool(seen(whole).still) for _ in range(VOTES)] == [False] * (VOTES - 1) + [True]


@pytest.mark.parametrize("pictures", [2, 3])
def test_a_die_that_rocks_is_not_at_rest(table: Table, pictures: int) -> None:
    """However its swing and the camera's pictures fall together."""
    for step in range(30):
        table.dice = [(100 + 4 * (step % pictures == 0), 100), (200, 150)]
        assert table.look().state is not State.RESTING


@pytest.mark.parametrize("light", [0.8, 1.1])
def test_light_that_changes_is_no_throw(table: Table, light: float) -> None:
    table.throw([(100, 180)])
    table.wait()
    table.settler.accept()
    table.light = light
    views = table.wait(3)
    assert views[-1].state is State.RESTING
    assert not thrown(views)


def test_bands_of_a_lamp_that_roll_across_the_tray_are_no_movement(table: Table) -> None:
    """As one that flickers with the mains makes them in pictures that are taken line by line."""
    rows, steady = np.linspace(0, 8, SIZE[0])[:, None, None], table.picture

    def banded() -> np.ndarray:
        lit = steady() * (1 + 0.06 * np.sin(rows + np.pi * table.now))
        return np.clip(lit, 0, 255).astype(np.uint8)

    table.picture = banded
    table.throw([(100, 100), (180, 120)])
    assert thrown(table.wait())
    table.settler.accept()
    assert states(table.wait(4)) == {State.RESTING}
    table.dice = [(100, 100), (190, 120)]
    assert thrown(table.wait())


def trembling(picture: np.ndarray, by: np.ndarray) -> np.ndarray:
    shift = np.array([[1, 0, by[0]], [0, 1, by[1]]], np.float32)
    return np.asarray(cv2.warpAffine(picture, shift, SIZE[::-1], borderMode=cv2.BORDER_REPLICATE))


@pytest.mark.parametrize("far", [0.25, 0.9])
def test_a_camera_or_a_table_that_trembles_is_no_movement(table: Table, far: float) -> None:
    steady = table.picture
    table.picture = lambda: trembling(steady(), table.random.uniform(-far, far, 2))
    table.throw([(100, 100), (180, 120)])
    assert thrown(table.wait())
    table.settler.accept()
    views = table.wait(4)
    assert states(views) == {State.RESTING}
    assert not thrown(views)
    table.dice = [(100, 100), (190, 120)]
    assert thrown(table.wait())


def test_a_camera_that_sways_from_one_side_to_the_other_is_no_movement_under_a_lamp_that_flickers(
    table: Table,
) -> None:
    steady = table.picture

    def swaying() -> np.ndarray:
        table.light = 1 + 0.05 * np.sin(9 * table.now)
        return trembling(steady(), 0.9 * np.array([np.sin(20 * table.now), np.cos(27 * table.now)]))

    table.picture = swaying
    table.throw([(100, 100), (180, 120)])
    assert thrown(table.wait())
    table.settler.accept()
    assert states(table.wait(4)) == {State.RESTING}


def test_a_die_that_creeps_beside_one_that_lies_still_is_not_at_rest(table: Table) -> None:
    """All of a picture may sway, but not a part of it."""
    for step in range(30):
        table.dice = [(40 + step, 100), (200, 150)]
        assert table.look().state is not State.RESTING


@pytest.mark.parametrize("steps", [range(10), [3]], ids=["on and on", "once"])
def test_a_camera_that_is_swung_farther_is_movement(table: Table, steps: Iterable[int]) -> None:
    steady = table.picture
    table.dice = [(100, 100), (180, 120)]
    table.wait()
    for step in steps:
        table.picture = lambda by=step: trembling(steady(), np.array([by, 0.0]))
        view = table.look()
    assert view.state is State.MOVING


def test_dice_are_read_beside_a_sleeve_at_the_edge_of_the_picture_that_trembles(table: Table) -> None:
    steady, bare = table.picture, np.full((*SIZE, 3), 60, np.uint8)
    cv2.rectangle(bare, (0, 90), (60, 150), (230, 230, 230), -1)

    def held() -> np.ndarray:
        hand, picture = trembling(bare, table.random.uniform(-0.25, 0.25, 2)), steady()
        picture[80:160, :70] = hand[80:160, :70]
        return picture

    table.picture = held
    table.throw([(100, 100), (180, 120)])
    assert thrown(table.wait())


@pytest.mark.parametrize("degrees", [20, 30, 45])
def test_a_small_die_that_turns_where_it_lies_is_never_at_rest(degrees: int) -> None:
    """One of 30 pixels in 1280, the smallest that the tray's instructions name."""
    seen = settle.Settler()
    for step in range(30):
        die = Posed("d6", "5", (160, 120), degrees * step)
        image = tray([die], size=SIZE[::-1], pixels=30 * SIZE[1] / 1280)
        assert seen.see(Frame(image, step / RATE)).state is State.MOVING


def test_after_a_gap_in_the_pictures_the_tray_has_to_rest_anew(table: Table) -> None:
    table.throw([(100, 180)])
    table.wait(0.2)
    table.now += GAP
    assert table.look().state is State.MOVING


def test_a_picture_of_another_size_starts_over(table: Table) -> None:
    table.zoom = 2
    assert table.look().state is State.MOVING
    assert table.wait()[-1].state is State.RESTING


def test_pictures_of_another_shape_start_over_and_what_they_show_is_new(table: Table) -> None:
    upright = table.picture
    table.picture = lambda: np.ascontiguousarray(upright()[:, :200])
    assert table.look().state is State.MOVING
    assert thrown(table.wait())


def test_of_a_slow_camera_as_many_pictures_are_waited_for_and_none_is_of_before(table: Table) -> None:
    table.throw([(100, 180)])
    views = []
    while not thrown(views):
        table.now += 0.4
        views.append(table.look())
    assert len(views[-1].still) == VOTES
    assert views[-1].still[0].taken == views[-1].since


def test_one_die_that_is_picked_up_and_put_down_elsewhere_is_a_throw(table: Table) -> None:
    table.throw([(100, 180), (200, 60)])
    table.wait()
    table.settler.accept()
    table.throw([(100, 180), (230, 120)])
    assert thrown(table.wait())


@given(
    st.lists(st.tuples(st.integers(10, 290), st.integers(10, 210)), min_size=1, max_size=8),
    st.integers(0, 1000),
    st.floats(0, 6),
)
@settings(max_examples=15)
def test_every_throw_is_seen_exactly_once_whatever_the_noise(places, seed: int, noise: float) -> None:
    table = Table(seed)
    table.noise = noise
    table.wait()
    table.throw(places)
    views = thrown(table.wait())
    assert views
    assert all(view.still[0].taken > table.now - 1.1 for view in views)
    table.settler.accept()
    assert not thrown(table.wait())


@pytest.mark.parametrize("at", [(8, 100), (100, 8), (8, 8), (100, 100)])
def test_a_die_that_is_taken_out_leaves_its_place_bare_also_near_the_edge_of_the_picture(
    at: tuple[int, int],
) -> None:
    table, place = Table(), Box(*at, 17, 17)
    table.dice = [at]
    before = table.picture()
    table.dice = []
    after = table.picture()
    assert settle.are_bare([place], before, after, [place]) == [True]
    assert settle.are_uncovered([place], before, after, [place]) == [False]


@pytest.mark.parametrize(
    ("dice", "hand", "is_so"),
    [([], 0, True), ([(20, 100)], 0, False), ([(200, 60)], 0, False), ([], 42, False), ([], 120, False)],
    ids=["taken out", "there yet", "elsewhere", "below a finger", "below a hand"],
)
def test_pictures_differ_only_at_dice_that_are_taken_out(
    dice: list[tuple[int, int]], hand: int, *, is_so: bool
) -> None:
    table, place = Table(), Box(20, 100, 17, 17)
    table.dice = [(20, 100)]
    before = table.picture()
    table.dice, table.hand = dice, hand
    assert settle.differ_only_at([place], before, table.picture()) is is_so


def test_r10_a_die_that_is_only_not_found_is_not_bare_beside_one_that_is_taken_out() -> None:
    table, places = Table(), [Box(100, 100, 17, 17), Box(122, 100, 17, 17)]
    table.dice = [(100, 100), (122, 100)]
    before = table.picture()
    table.dice = [(100, 100)]
    assert settle.are_bare(places, before, table.picture(), places) == [False, True]


@pytest.mark.parametrize(("hand", "pauses"), [(0, 1), (160, 0)])
def test_a_tray_pauses_once_before_it_is_at_rest_unless_a_hand_lies_in_it(
    table: Table, hand: int, pauses: int
) -> None:
    table.wait()
    table.throw([(200, 100)])
    table.hand = hand
    views = [view for view in table.wait(REST) if view.paused]
    assert [(view.state, len(view.paused)) for view in views] == [(State.MOVING, VOTES)] * pauses


@pytest.mark.parametrize("rate", [8, 10, 15, 30, 60])
def test_a_tray_pauses_for_the_same_time_however_many_pictures_a_camera_takes(rate: int) -> None:
    table, settler = Table(), Settler()
    for number in range(rate):
        view = settler.see(Frame(table.picture(), 100.0 + number / rate))
        table.sequence += 1
        if view.paused:
            break
    assert PAUSE <= number / rate <= max(PAUSE + 1 / rate, 2 / rate)


@pytest.mark.parametrize(("light", "is_bare"), [(1.25, True), (0.9, True), (0.6, False)])
def test_in_quite_another_light_no_place_is_known_to_be_bare(light: float, *, is_bare: bool) -> None:
    table, place = Table(), Box(100, 100, 17, 17)
    table.dice = [(100, 100)]
    before = table.picture()
    table.dice = []
    after = (table.picture() * light).astype(np.uint8)
    assert settle.are_bare([place], before, after, [place]) == [is_bare]


def test_a_die_is_seen_taken_out_also_where_shade_falls_over_a_part_of_the_tray(table: Table) -> None:
    table.dice, table.light, place = [(280, 100)], 2.0, Box(280, 100, 17, 17)
    before = table.picture()
    table.dice = []
    shade = np.linspace(1.15, 0.85, SIZE[1])[:, None]
    after = np.clip(table.picture() * shade, 0, 255).astype(np.uint8)
    assert settle.are_bare([place], before, after, [place]) == [True]


@pytest.mark.parametrize(("right", "is_held"), [(50, False), (90, True)], ids=["a large die", "a hand"])
def test_a_large_die_that_lies_over_the_edge_of_the_picture_is_in_no_hand(right: int, is_held: bool) -> None:
    before = np.full((240, 320, 3), 60, np.uint8)
    after = before.copy()
    after[60 : 60 + 2 * right, :right] = 200
    assert settle.are_held([Box(0, 100, 50, 40)], [settle.miniature(before)], after) is is_held


def test_pictures_of_another_size_are_never_of_the_same_scene() -> None:
    """As where the mat came into view between two throws, and its field alone is looked at."""
    picture = Table().picture()
    assert settle.is_same_scene(picture, picture)
    assert not settle.is_same_scene(picture, picture[:-40])
    assert not settle.differ_only_at([], picture, picture[:-40])
    assert not settle.are_held([Box(0, 100, 17, 17)], [settle.miniature(picture[:-40])], picture)
