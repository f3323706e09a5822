"""Hands, books, mats and pictures of another size before the dice (R10, R14)."""

import cv2
import msgspec
import numpy as np
import pytest

import vision
from companion.table.tray_watch import TrayWatch
from tests.table.film import HAND, Film, Tray, picture
from tests.table.watching import (
    COCKED,
    ONES,
    SWEPT,
    TWO,
    after_a_throw,
    asked_and_named,
    job,
    next_seen,
    notices,
    played,
    seen,
)
from tests.vision.test_tray_mat import OBLIQUE, photographed, rendered
from vision import Reading
from vision.cameras.fake import FakeCamera
from vision.mat import Paper, mat, pdf
from vision.tray import TrayView

pytestmark = pytest.mark.usefixtures("film_reader")


def test_r14_a_die_that_lay_below_a_card_in_the_very_first_scene_is_asked_about() -> None:
    film = Film().rest({})
    for frame in film.frames:
        cv2.rectangle(frame, (100, 60), (190, 190), HAND, -1)
    film.rest({(140, 120): 3}).rest({}, 0.5, hand=True).rest({}).throw({(180, 60): 2})
    under, thrown = seen(played(TrayWatch(film.camera()), job(1, 1), len(film.frames)))
    assert (under.faces, under.doubtful) == (("3",), (0,))
    assert (thrown.faces, thrown.doubtful) == (("2",), ())


def test_r14_a_die_that_lay_below_another_for_two_rolls_is_not_thrown_when_that_is_taken_away() -> None:
    watch = after_a_throw({(60, 60): 1})
    on_it = {(66, 66): 3, (180, 120): 5}
    assert len(next_seen(watch, Film().rest({(60, 60): 1}).throw(on_it), job(2, 2))) == 1
    beside = {(220, 40): 4, (180, 120): 5}
    assert len(next_seen(watch, Film().rest(on_it).throw(on_it | beside), job(3, 1))) == 1
    away = Film().rest(on_it | beside).rest(beside, 0.5, hand=True).rest({(60, 60): 1, **beside})
    assert not next_seen(watch, away, job(4, 1))


def test_r14_a_die_that_lay_below_another_is_not_thrown_where_the_camera_was_knocked_before() -> None:
    watch = after_a_throw({(60, 60): 1})
    on_it = Film().rest({(60, 60): 1}).throw({(66, 66): 3, (180, 120): 5})
    assert len(next_seen(watch, on_it, job(2, 2))) == 1
    knocked, bare = {(96, 66): 3, (210, 120): 5}, {(90, 60): 1, (210, 120): 5}
    away = Film().rest(knocked).rest(bare, 0.5, hand=True).rest(bare)
    assert not next_seen(watch, away, job(3, 1))


@pytest.mark.parametrize(
    ("held", "pushed", "doubtful"),
    [
        ({(250, 30): 6}, {(200, 90): 6}, (0,)),  # one of the two thrown dice has left the tray
        ({(250, 30): 6}, {(200, 90): 1}, ()),  # a die of another face may well be a thrown one
        ({(250, 30): 6}, {(250, 56): 1}, (0,)),  # but beside where the old one lay it may have been tipped
        ({(250, 30): 6, **TWO}, {(200, 90): 6}, ()),  # none was seen taken out: they may all be thrown
    ],
)
def test_r14_a_die_that_was_pushed_as_others_fell_is_not_taken_for_one_that_left_the_tray(
    held: Tray, pushed: Tray, doubtful: tuple[int, ...]
) -> None:
    film = Film().rest({**TWO, (250, 30): 6}).rest(held).throw({(80, 150): 2, **pushed})
    (found,) = seen(played(TrayWatch(film.camera()), job(1, 2), len(film.frames)))
    assert found.doubtful == doubtful


def test_in_pictures_of_another_size_the_dice_of_the_last_roll_are_found_again() -> None:
    watch = after_a_throw(TWO)
    left = {(60, 60): 3}
    later = Film().rest(TWO).rest(left).rest(left, 0.5, hand=True).rest({**left, (250, 190): 2})
    frames = [cv2.resize(frame, (640, 480)) for frame in later.frames]
    watch.camera = FakeCamera(frames)
    (found,) = seen(played(watch, job(2, 1), len(frames)))
    assert (found.faces, found.doubtful, any(found.others)) == (("2",), (), False)


def test_in_pictures_of_another_size_dice_are_thrown_freely_where_some_lay_in_those_before() -> None:
    lying = {(40, 60): 3, (180, 120): 5}
    film = Film().rest({}).throw(lying)
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))
    assert found.answered is not None
    found.answered(["4", "5"])
    later = Film().rest(lying).throw({**lying, (14, 24): 2, (84, 54): 5})
    watch.camera = FakeCamera([cv2.resize(frame, (640, 480)) for frame in later.frames])
    (thrown,) = seen(played(watch, job(2, 2), len(later.frames)))
    assert (thrown.faces, thrown.doubtful) == (("2", "5"), ())


def test_when_the_mat_is_first_seen_the_dice_of_the_last_roll_are_none_of_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watch = after_a_throw({**TWO, (250, 30): 6})

    def field(view: TrayView, images: list[np.ndarray]) -> list[np.ndarray]:
        monkeypatch.setattr(view, "_mat", object())
        return [cv2.resize(image, (480, 360)) for image in images]

    monkeypatch.setattr(TrayView, "fields", field)
    later = Film().rest({**TWO, (250, 30): 6}).rest(TWO, 2)
    (found,) = next_seen(watch, later, job(2, 2))
    assert found.doubtful == (0, 1)


def test_r10_dice_that_lie_elsewhere_once_a_mat_is_uncovered_are_not_thrown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watch = after_a_throw(TWO)
    before = Film().rest(TWO)
    assert not next_seen(watch, before, job(2, 2))

    def field(view: TrayView, images: list[np.ndarray]) -> list[np.ndarray]:
        monkeypatch.setattr(view, "_mat", object())
        return [cv2.resize(image, (640, 480)) for image in images]

    monkeypatch.setattr(TrayView, "fields", field)
    later = Film().rest(TWO, 0.5, hand=True).rest(TWO)
    for frame in later.frames:
        frame[220:, 280:] = 100  # what lay on the mat's corner is gone
    assert not next_seen(watch, later, job(2, 2))
    thrown = Film().throw(ONES)
    assert [one.faces for one in next_seen(watch, thrown, job(2, 2))] == [("1", "1")]


@pytest.mark.parametrize("then", [4, 2], ids=["swept", "thrown"])
@pytest.mark.parametrize("how", ["another size", "the mat before the roll", "the mat in the roll"])
def test_r14_a_die_that_was_misread_for_sure_and_named_is_known_by_that_though_all_lie_elsewhere_in_pictures(
    how: str, then: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = Film().rest({}).throw(TWO)
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))
    assert found.answered is not None
    found.answered(["4", "5"])
    if how == "the mat in the roll":
        assert not next_seen(watch, Film().rest(TWO), job(2, 1))

    def field(view: TrayView, images: list[np.ndarray]) -> list[np.ndarray]:
        monkeypatch.setattr(view, "_mat", object())
        return [cv2.resize(image, (640, 480)) for image in images]

    later = Film().rest(TWO).rest({}, 0.5, hand=True).rest({(180, 120): 5, (250, 60): then})
    if how == "another size":
        later.frames = [cv2.resize(frame, (640, 480)) for frame in later.frames]
    else:
        monkeypatch.setattr(TrayView, "fields", field)
        for frame in later.frames:
            frame[220:, 280:] = 100  # what lay on the mat's corner is gone
    (moved,) = next_seen(watch, later, job(2, 1))
    assert (moved.faces, moved.doubtful) == ((str(then),), (0,) if then == 4 else ())


def test_r14_a_die_that_was_named_is_known_by_that_though_a_roll_is_over_as_pictures_change_size() -> None:
    watch = asked_and_named(2, COCKED, "4", "5")
    again = Film().rest(COCKED, 0.2)
    later = Film().rest(COCKED).rest({}, 0.5, hand=True).rest({(180, 120): 0, (250, 60): 4})
    for film in (again, later):
        film.frames = [cv2.resize(frame, (640, 480)) for frame in film.frames]
    assert not next_seen(watch, again, job(2, 1))
    (moved,) = next_seen(watch, later, job(3, 1))
    assert (moved.faces, moved.doubtful) == (("4",), (0,))


@pytest.mark.parametrize(("right", "doubtful"), [(75, (0,)), (8, ())], ids=["in the palm", "beside a hand"])
def test_r14_a_die_that_lies_in_a_hand_at_the_rim_is_asked_about_and_thrown_after_it_is_not(
    right: int, doubtful: tuple[int, ...]
) -> None:
    watch = after_a_throw({(200, 60): 3})
    film = Film().rest({(200, 60): 3}).rest({}, 0.3, hand=True).rest({})
    for turned in (4, 6):
        film.rest({}, 1)
        for frame in film.frames[-15:]:
            cv2.rectangle(frame, (0, 40), (right, 220), HAND, -1)
            frame[100:124, 20:44] = picture({(20, 100): turned})[100:124, 20:44]
    film.rest({}, 0.3, hand=True).throw({(200, 160): 2})
    *held, thrown = next_seen(watch, film, job(2, 1))
    assert [one.doubtful for one in held] == [doubtful] * 2
    assert (thrown.faces, thrown.doubtful) == (("2",), ())


def film_of(*parts: list[np.ndarray]) -> Film:
    film = Film()
    film.frames = [frame for part in parts for frame in part]
    return film


def with_book(tray: Tray) -> list[np.ndarray]:
    """A second of the tray with a book at its rim, on which dice lie."""
    frames = Film().rest(tray).frames
    for frame in frames:
        dice = frame.copy()
        cv2.rectangle(frame, (0, 40), (75, 220), HAND, -1)
        for x, y in tray:
            frame[y : y + 24, x : x + 24] = dice[y : y + 24, x : x + 24]
    return frames


def test_r14_a_book_that_stays_at_the_rim_is_soon_no_hand() -> None:
    lies = Film().rest({}).frames
    watch, asked = TrayWatch(FakeCamera(lies)), []
    for n, y in enumerate([60, 140, 100, 160], start=1):
        thrown = with_book({(20, y): n})
        film = film_of(lies, Film().rest({}, 0.3, hand=True).frames, thrown)
        (found,) = next_seen(watch, film, job(n, 1))
        found.answered([str(n)])
        asked.append(found.doubtful)
        lies = thrown
    assert asked[2:] == [(), ()]


def test_r14_on_a_book_that_came_to_lie_at_the_rim_after_a_roll_dice_are_thrown() -> None:
    watch = after_a_throw({(60, 60): 3})
    assert not next_seen(
        watch, film_of(Film().rest({(60, 60): 3}).frames, with_book({(60, 60): 3})), job(1, 1)
    )
    moved = Film().rest({}, 0.3, hand=True).frames
    (thrown,) = next_seen(
        watch, film_of(with_book({(60, 60): 3}), moved, with_book({(20, 160): 5})), job(2, 1)
    )
    assert (thrown.faces, thrown.doubtful) == (("5",), ())


def test_r14_on_a_book_that_came_to_lie_at_the_rim_before_the_throw_dice_are_thrown() -> None:
    lying = {(60, 60): 3}
    watch = after_a_throw(lying)
    moved = Film().rest({}, 0.3, hand=True).frames
    film = film_of(Film().rest(lying).frames, moved, with_book(lying), moved, with_book({(20, 160): 5}))
    (thrown,) = next_seen(watch, film, job(2, 1))
    assert (thrown.faces, thrown.doubtful) == (("5",), ())


def test_r10_a_die_that_is_taken_out_from_beside_a_hand_that_lay_there_is_seen_out() -> None:
    beside = {(114, 120): 3}
    watch = after_a_throw(beside)
    film = Film().rest(beside).rest(beside, 4, hand=True).rest({}, 0.3, hand=True).rest({})
    (thrown,) = next_seen(watch, film.throw({(250, 200): 3}), job(2, 1))
    assert (thrown.faces, thrown.doubtful) == (("3",), ())


def test_a_die_that_is_taken_out_under_a_hand_that_stays_is_seen_out_when_that_leaves() -> None:
    film = Film().rest({(60, 120): 3}).rest({}, 5, hand=True).rest({}).throw({(220, 60): 3})
    (found,) = next_seen(after_a_throw({(60, 120): 3}), film, job(2, 1))
    assert (found.faces, found.doubtful) == (("3",), ())


def test_a_hand_that_stays_is_waited_for() -> None:
    film = Film().rest({}).rest(TWO, 2.5, hand=True)
    events = played(TrayWatch(film.camera()), job(1, 2), len(film.frames))
    assert not seen(events)
    assert "a hand in the tray" in notices(events)


def test_over_a_hand_that_does_not_leave_all_dice_are_asked_about_until_it_does() -> None:
    film = Film().rest({}).rest(TWO, 5, hand=True).rest(TWO)
    events = played(TrayWatch(film.camera()), job(1, 2), len(film.frames))
    under, clear = seen(events)
    assert (under.doubtful, clear.doubtful) == ((0, 1), ())
    assert clear.faces == ("3", "5")
    assert "a hand in the tray" in notices(events)


def test_dice_that_a_hand_hid_are_not_rolled_when_it_leaves() -> None:
    hidden = {(60, 100): 6}
    film = Film().rest(hidden).rest(hidden, 5, hand=True).rest(hidden)
    assert not seen(played(TrayWatch(film.camera()), job(1, 1), len(film.frames)))


@pytest.mark.parametrize("since", ["before", "then"])
def test_r10_what_a_hand_hid_when_the_roll_was_asked_for_is_asked_about_and_a_throw_after_is_not(
    since: str,
) -> None:
    hidden = {(60, 110): 3, (180, 120): 0}
    film = Film().rest({}).throw(hidden).rest(hidden, 4 if since == "before" else 0, hand=True)
    watch = TrayWatch(film.camera())
    assert not any(one.is_settled for one in seen(played(watch, job(1, 2), len(film.frames))))
    later = Film().rest(hidden, 4, hand=True).rest(hidden).rest({}, 0.5, hand=True).rest({})
    later.throw({(180, 60): 2})
    watch.camera = later.camera()
    watch.camera._taken = 600.0
    found = seen(played(watch, job(2, 1), len(later.frames)))
    assert [(one.faces, one.doubtful) for one in found] == [(("3",), (0,)), (("2",), ())]


@pytest.mark.parametrize("since", ["before", "then"])
def test_r14_a_die_that_came_below_a_hand_before_the_roll_was_asked_for_is_asked_about(since: str) -> None:
    watch = after_a_throw({(180, 120): 5})
    lying = {(60, 110): 3, (180, 120): 5}
    if since == "before":
        next_seen(watch, Film().rest(lying, 4, hand=True), job(1, 1))
    later = Film().rest(lying, 4, hand=True).rest(lying)
    (found,) = next_seen(watch, later, msgspec.structs.replace(job(2, 1), nth=2))
    assert (found.faces, found.doubtful) == (("3",), (0,))


def test_r10_what_a_hand_hid_stays_in_doubt_when_it_is_drawn_back_bit_by_bit() -> None:
    hidden = {(60, 110): 3, (180, 120): 0}
    film = Film().rest({}).throw(hidden)
    watch = TrayWatch(film.camera())
    played(watch, job(1, 2), len(film.frames))
    later = Film().rest(hidden, 4, hand=True).rest(hidden, 4)
    for frame in later.frames[60:]:
        cv2.rectangle(frame, (0, 140), (110, 180), HAND, -1)
    later.rest(hidden)
    watch.camera = later.camera()
    watch.camera._taken = 600.0
    found = seen(played(watch, job(2, 1), len(later.frames)))
    assert [(one.faces, one.doubtful) for one in found] == [(("3",), (0,))] * 2


def test_r10_a_die_that_a_hand_hid_stays_in_doubt_when_it_is_swept_with_one_that_was_seen() -> None:
    lying = {(60, 110): 3, (180, 120): 5}
    film = Film().rest({}).throw(lying)
    watch = TrayWatch(film.camera())
    assert not any(one.is_settled for one in seen(played(watch, job(1, 3), len(film.frames))))
    later = Film().rest(lying, 4, hand=True).rest(lying).rest({}, 0.5, hand=True).rest(SWEPT)
    watch.camera = later.camera()
    watch.camera._taken = 600.0
    found = seen(played(watch, job(2, 2), len(later.frames)))
    assert [(one.faces, one.doubtful) for one in found] == [(("3", None), (0, 1)), (("3", "5"), (0, 1))]


@pytest.mark.parametrize("by", [(40, 0), (-30, 20)])
def test_r14_dice_that_lay_there_are_not_of_a_roll_that_lacks_one_when_the_camera_is_knocked(
    by: tuple[int, int],
) -> None:
    lay = {(60, 190): 1, (250, 30): 2}
    watch = after_a_throw(lay)
    found = {**lay, (90, 60): 4}
    knocked = {(x + by[0], y + by[1]): face for (x, y), face in found.items()}
    (one, *later) = next_seen(watch, Film().rest(lay).throw(found).rest(knocked), job(2, 2))
    assert (one.faces, one.doubtful) == (("4", None), (1,))
    assert not any(again.is_settled or again.faces != ("4", None) for again in later)
    thrown = Film().throw({**knocked, (150, 150): 6})
    (both,) = next_seen(watch, thrown, job(2, 2))
    assert (both.faces, both.doubtful) == (("4", "6"), ())


def test_with_the_mat_in_view_its_field_alone_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = rendered(pdf(mat(Paper.A4)))
    photo, _ = photographed((sheet * 0.6).astype(np.uint8), OBLIQUE)
    shapes = []

    def look(frame: np.ndarray, dice_set: object) -> Reading:
        shapes.append(frame.shape)
        return Reading(dice=(), sure=True, ms=1)

    monkeypatch.setattr(vision, "read", look)
    hidden = photo.copy()
    hidden[:, :500] = 40
    watch = TrayWatch(FakeCamera([photo, hidden], stills=True))
    played(watch, job(1, 2), 2)
    _, _, width, height = mat(Paper.A4).field
    assert len(set(shapes)) == 1
    assert shapes[0][1] / shapes[0][0] == pytest.approx(width / height, rel=0.01)


def test_the_mat_of_pictures_of_another_size_is_none_of_this_one() -> None:
    sheet = rendered(pdf(mat(Paper.A4)))
    photo, _ = photographed((sheet * 0.6).astype(np.uint8), OBLIQUE)
    view = TrayView()
    assert view.fields([photo])[0].shape != photo.shape
    other = np.full((480, 640, 3), 90, np.uint8)
    assert view.fields([other])[0] is other
