"""Dice that are taken out and put back, or turned where they lie, are asked about (R14)."""

from functools import partial

import cv2
import msgspec
import numpy as np
import pytest

import vision
from companion.table.tray_watch import TrayWatch
from tests.table.film import HAND, Film, Tray, read
from tests.table.watching import (
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
from vision import DiceSet, Reading

pytestmark = pytest.mark.usefixtures("film_reader")


def test_dice_that_are_thrown_again_and_show_the_same_are_sure_where_they_were_gone() -> None:
    watch = after_a_throw(TWO)
    later = Film().rest(TWO).rest({}, 0.5, hand=True).rest({}).rest(SWEPT)
    (found,) = next_seen(watch, later, job(2, 2))
    assert (set(found.faces), found.doubtful) == ({"3", "5"}, ())


def test_dice_that_are_thrown_again_quickly_are_sure_where_they_were_gone_for_a_moment() -> None:
    watch = after_a_throw(TWO)
    later = Film().rest(TWO).rest({}, 0.3, hand=True).rest({}, 0.3).rest({}, 0.3, hand=True).rest(SWEPT)
    (found,) = next_seen(watch, later, job(2, 2))
    assert (set(found.faces), found.doubtful) == ({"3", "5"}, ())


@pytest.mark.parametrize("how", ["a finger on it", "a hand elsewhere", "on its way", "hardly a moment"])
def test_r10_a_die_that_is_not_seen_gone_for_a_moment_stays_in_doubt(how: str) -> None:
    watch = after_a_throw({(4, 100): 3})
    later = Film().rest({(4, 100): 3})
    if how == "a finger on it":
        later.rest({}, 0.3)
        for frame in later.frames[-4:]:
            cv2.rectangle(frame, (0, 98), (30, 126), HAND, -1)
    elif how == "a hand elsewhere":
        later.rest({}, 0.3)
        for frame in later.frames[-4:]:
            cv2.rectangle(frame, (200, 150), (319, 239), HAND, -1)
    elif how == "on its way":
        later.rest({(120, 60): 3}, 0.3)
    else:
        later.rest({}, 0.1)
    (found,) = next_seen(watch, later.rest({(220, 60): 3}), job(2, 1))
    assert (found.faces, found.doubtful) == (("3",), (0,))


@pytest.mark.parametrize(
    ("found", "doubtful"),
    [
        ({(100, 60): 3, (180, 160): 5}, ()),
        ({(60, 60): 3, (100, 160): 1}, (0,)),
        ({(66, 66): 3, (180, 120): 5}, (0, 1)),
    ],
    ids=["near where they lay", "one where it lay", "both where they lay"],
)
def test_dice_that_were_seen_taken_out_are_thrown_but_where_they_lay_they_are_asked_about(
    found: Tray, doubtful: tuple[int, ...]
) -> None:
    watch = after_a_throw(TWO)
    later = Film().rest(TWO).rest({}, 0.5, hand=True).rest({}).throw(found)
    (thrown,) = next_seen(watch, later, job(2, 2))
    assert (thrown.faces, thrown.doubtful) == (tuple(map(str, found.values())), doubtful)


@pytest.mark.parametrize(
    ("then", "doubtful"),
    [({(146, 92): 6}, (0,)), ({(95, 172): 6}, (0,)), ({(146, 92): 5}, ()), ({(250, 30): 6}, ())],
    ids=["put back", "put back where it lay first", "thrown, another face", "thrown"],
)
def test_r14_a_swept_die_that_is_taken_out_and_put_back_where_it_was_swept_to_is_asked_about(
    then: Tray, doubtful: tuple[int, ...]
) -> None:
    lying = {(95, 172): 6}
    swept = Film().rest(lying).rest({}, 0.4, hand=True).rest({(145, 91): 6})
    out = swept.rest({}, 0.4, hand=True).rest({}).rest({}, 0.3, hand=True)
    first, again = next_seen(after_a_throw(lying), out.rest(then), job(2, 1))
    assert (first.doubtful, again.faces, again.doubtful) == ((0,), (str(*then.values()),), doubtful)


@pytest.mark.parametrize(("then", "doubtful"), [(4, (0,)), (6, ())], ids=["put back", "thrown"])
def test_r14_a_die_that_was_turned_where_it_lay_and_is_taken_out_and_put_back_is_asked_about(
    then: int, doubtful: tuple[int, ...]
) -> None:
    """As where a thrown die hit it and fell off the table."""
    lying, turned, there = {(180, 120): 5}, {(184, 122): 4}, {(184, 122): then}
    out = Film().rest(lying).throw(turned).rest({}, 0.5, hand=True).rest({}).rest({}, 0.3, hand=True)
    first, again = next_seen(after_a_throw(lying), out.rest(there), job(2, 1))
    assert (first.doubtful, again.faces, again.doubtful) == ((0,), (str(then),), doubtful)


@pytest.mark.parametrize("stays", [True, False], ids=["the other stays", "the other is taken out first"])
@pytest.mark.parametrize(
    ("then", "doubtful"),
    [({(180, 120): 5}, (0,)), ({(180, 120): 4}, ()), ({(240, 30): 5}, ())],
    ids=["put back", "another face", "elsewhere"],
)
def test_r14_a_die_that_was_taken_out_in_the_last_roll_and_is_put_back_where_it_lay_is_asked_about(
    then: Tray, doubtful: tuple[int, ...], *, stays: bool
) -> None:
    left, thrown = {(60, 60): 3}, {(100, 190): 2}
    watch = after_a_throw(TWO)
    out = Film().rest(TWO).rest(left, 0.5, hand=True).rest(left).rest({}, 0.4, hand=True).rest(thrown)
    assert [one.faces for one in next_seen(watch, out, job(2, 1))] == [("2",)]
    lies = thrown if stays else {}
    back = Film().rest(thrown).rest(lies, 0.4, hand=True).rest(lies).rest(lies, 0.4, hand=True)
    back.rest({**lies, **then})
    (found,) = next_seen(watch, back, job(3, 1))
    assert (found.faces, found.doubtful) == ((str(*then.values()),), doubtful)


@pytest.mark.parametrize(
    ("then", "doubtful"),
    [({(180, 120): 5}, (0,)), ({(180, 120): 4}, ()), ({(240, 30): 5}, ())],
    ids=["put back", "another face", "elsewhere"],
)
def test_r14_a_die_that_is_put_back_two_rolls_after_it_was_taken_out_is_asked_about(
    then: Tray, doubtful: tuple[int, ...]
) -> None:
    left, second, third = {(60, 60): 3}, {(100, 190): 2}, {(230, 190): 1}
    watch = after_a_throw(TWO)
    out = Film().rest(TWO).rest(left, 0.5, hand=True).rest(left).rest({}, 0.4, hand=True).rest(second)
    assert [one.faces for one in next_seen(watch, out, job(2, 1))] == [("2",)]
    again = Film().rest(second).rest({}, 0.5, hand=True).rest(third)
    assert [one.is_settled for one in next_seen(watch, again, job(3, 1))] == [True]
    back = Film().rest(third).rest(third, 0.4, hand=True).rest(third | then)
    (found,) = next_seen(watch, back, job(4, 1))
    assert (found.faces, found.doubtful) == ((str(*then.values()),), doubtful)


@pytest.mark.parametrize(
    ("lying", "left", "then", "doubtful"),
    [
        (3, 1, {(60, 60): 3}, (0,)),
        (3, 1, {(60, 60): 4}, ()),
        (3, 0, {(60, 60): 3}, ()),
        (0, 1, {(60, 60): 3}, ()),
    ],
    ids=["put back", "another face", "thrown anew", "a cocked one thrown again"],
)
def test_r14_a_die_that_is_put_back_is_asked_about_though_a_spare_one_was_thrown_since(
    lying: int, left: int, then: Tray, doubtful: tuple[int, ...]
) -> None:
    old, spare = {(60, 60): lying}, {(180, 120): 5}
    watch = asked_and_named(1, old, "2") if lying == 0 else after_a_throw(old)
    out = Film().rest(old).rest({}, 0.5, hand=True).throw(spare)
    assert [one.is_settled for one in next_seen(watch, out, job(2, 1))] == [True]
    lies = spare if left else {}
    film = Film().rest(spare).rest(lies, 0.4, hand=True).rest(lies | then)
    watch.camera = film.camera()
    events = played(watch, job(3, 1), len(film.frames))
    (found,) = seen(events)
    assert (found.faces, found.doubtful) == ((str(*then.values()),), doubtful)
    assert ("thrown, or put back?" in notices(events)) is bool(doubtful)


@pytest.mark.parametrize("again", [True, False], ids=["spare one thrown again", "another spare one"])
@pytest.mark.parametrize(("face", "doubtful"), [(3, (0,)), (4, ())], ids=["put back", "another face"])
def test_r14_a_die_that_is_put_back_two_rolls_after_a_spare_one_was_thrown_is_asked_about(
    face: int, doubtful: tuple[int, ...], *, again: bool
) -> None:
    old, spare = {(60, 60): 3}, {(180, 120): 5}
    watch = after_a_throw(old)
    out = Film().rest(old).rest({}, 0.5, hand=True).throw(spare)
    assert [one.is_settled for one in next_seen(watch, out, job(2, 1))] == [True]
    kept = {} if again else spare
    lies = {**kept, (100, 190): 2}
    between = Film().rest(spare).rest(kept, 0.5, hand=True).rest(kept).rest(kept, 0.4, hand=True).rest(lies)
    assert [one.is_settled for one in next_seen(watch, between, job(3, 1))] == [True]
    back = Film().rest(lies).rest(lies, 0.4, hand=True).rest({**lies, (60, 60): face})
    (found,) = next_seen(watch, back, job(4, 1))
    assert (found.faces, found.doubtful) == ((str(face),), doubtful)


def test_r14_swept_dice_stay_in_doubt_where_one_is_turned_where_it_lies_and_the_other_taken_out() -> None:
    trays = [{(60, 160): 3, (240, 40): 5}, {(62, 160): 6, (240, 40): 5}, {(62, 160): 6}]
    film = Film().rest(TWO)
    for tray in trays:
        film.rest(tray, 0.4, hand=True).rest(tray)
    found = next_seen(after_a_throw(TWO), film, job(2, 1))
    assert [(one.faces, one.doubtful) for one in found[1:]] == [(("6",), (0,))] * 2


@pytest.mark.parametrize("on_the_way", [[], [{(240, 40): 0}]], ids=["at once", "once more"])
def test_r14_a_cocked_die_that_is_put_back_is_asked_about_too_once_it_is_swept_and_can_be_read(
    on_the_way: list[Tray],
) -> None:
    lying = {(60, 60): 0}
    film = Film().rest(lying).rest({}, 0.5, hand=True).rest({}).rest({}, 0.4, hand=True).rest(lying)
    for swept in (*on_the_way, {(200, 140): 5}):
        film.rest(swept, 0.4, hand=True).rest(swept)
    *_, found = next_seen(asked_and_named(1, lying, "5"), film, job(2, 1))
    assert (found.faces, found.doubtful) == (("5",), (0,))


def test_r14_a_die_that_is_taken_out_as_a_cocked_one_comes_and_put_back_in_the_next_roll_is_asked_about() -> (
    None
):
    cocked, watch = {(250, 190): 0}, after_a_throw(TWO)
    out = Film().rest(TWO).rest({}, 0.5, hand=True).rest(cocked)
    assert [one.doubtful for one in next_seen(watch, out, job(2, 1))] == [(0,)]
    back = Film().rest(cocked).rest(cocked, 0.4, hand=True).rest({**cocked, (182, 121): 5})
    (found,) = next_seen(watch, back, job(3, 1))
    assert (found.faces, found.doubtful) == (("5",), (0,))


def test_r14_a_die_that_is_put_back_is_asked_about_though_a_doubtful_one_of_another_kind_came_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def doubtful_tens(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
        reading = read(frame, dice_sets)
        ten = partial(msgspec.structs.replace, die="d10", sure=False)
        return msgspec.structs.replace(
            reading, dice=tuple(ten(die) if die.face == "6" else die for die in reading.dice)
        )

    monkeypatch.setattr(vision, "read", doubtful_tens)
    left = {(60, 60): 3, (250, 190): 6}
    film = Film().rest(TWO).rest(left, 0.5, hand=True).rest(left).rest(left, 0.4, hand=True)
    (found,) = next_seen(after_a_throw(TWO), film.rest({**left, (182, 121): 5}), job(2, 1))
    assert (found.faces, found.doubtful) == (("5",), (0,))


def test_r14_a_die_that_was_turned_where_it_lay_stays_in_doubt_when_it_is_nudged_and_another_taken_out() -> (
    None
):
    film = Film().rest(TWO).rest(TWO, 0.5, hand=True).rest({(60, 60): 3, (182, 120): 6})
    film.rest({(60, 60): 3, (190, 128): 6}).rest({(190, 128): 6}, 0.5, hand=True).rest({(190, 128): 6})
    turned, *later = next_seen(after_a_throw(TWO), film, job(2, 1))
    assert turned.doubtful == (0,)
    assert [(one.faces, one.doubtful) for one in later] == [(("6",), (0,))] * len(later)
    assert later


def test_r14_a_die_that_was_asked_about_stays_in_doubt_as_another_one_is_thrown() -> None:
    left = {(60, 60): 3, (182, 120): 6}
    film = Film().rest(TWO).rest(TWO, 0.5, hand=True).rest(left)
    film.rest({(182, 120): 6}, 0.5, hand=True).rest({(182, 120): 6, (250, 30): 1})
    first, second = next_seen(after_a_throw(TWO), film, job(2, 2))
    assert (first.faces, first.doubtful) == (("6", None), (0, 1))
    assert (second.faces, second.doubtful) == (("1", "6"), (1,))


@pytest.mark.parametrize("landed", [{(62, 60): 0}, {(70, 60): 3}], ids=["cocked", "the same face"])
def test_r10_a_swept_die_stays_in_doubt_where_a_thrown_one_lands_where_it_lay(landed: Tray) -> None:
    lying, swept = {(60, 60): 3}, {(200, 140): 3}
    film = Film().rest(lying).rest({}, 0.4, hand=True).rest(swept).throw({**swept, **landed})
    first, again = next_seen(after_a_throw(lying), film, job(2, 1))
    assert [(one.faces, one.doubtful) for one in (first, again)] == [(("3",), (0,))] * 2


def test_a_throw_is_not_asked_about_once_a_swept_die_lies_where_it_lay_again() -> None:
    lying, back = {(60, 60): 3}, {(62, 60): 3}
    film = Film().rest(lying).rest({}, 0.4, hand=True).rest({(200, 140): 3}).rest({}, 0.4, hand=True)
    thrown = film.rest(back).throw({**back, (200, 30): 3})
    first, again = next_seen(after_a_throw(lying), thrown, job(2, 1))
    assert (first.doubtful, again.faces, again.doubtful) == ((0,), ("3",), ())


def test_r14_a_die_that_is_put_back_is_asked_about_though_the_camera_was_knocked_meanwhile() -> None:
    left, knocked = {(60, 60): 3, (100, 190): 2}, {(90, 60): 3, (130, 190): 2}
    watch = after_a_throw({**left, (180, 120): 5})
    out = Film().rest({**left, (180, 120): 5}).rest(left, 0.5, hand=True).rest(left).rest(knocked)
    (back,) = next_seen(watch, out.rest({}, 0.5, hand=True).rest({**knocked, (210, 120): 5}), job(2, 1))
    assert (back.faces, back.doubtful) == (("5",), (0,))


@pytest.mark.parametrize(("face", "doubtful"), [(5, (0, 1)), (2, (0,))], ids=["swept", "thrown"])
def test_r14_a_die_that_is_swept_as_another_is_put_back_is_asked_about_too(
    face: int, doubtful: tuple[int, ...]
) -> None:
    left = {(180, 120): 5}
    film = Film().rest(TWO).rest(left, 0.5, hand=True).rest(left)
    film.rest({}, 0.5, hand=True).rest({(60, 60): 3, (250, 190): face})
    (found,) = next_seen(after_a_throw(TWO), film, job(2, 2))
    assert (found.faces, found.doubtful) == (("3", str(face)), doubtful)


@pytest.mark.parametrize(
    ("then", "doubtful"),
    [({(250, 190): 6}, (0,)), ({(250, 190): 1}, ())],
    ids=["moved on", "thrown"],
)
def test_r14_a_die_that_was_turned_where_it_lay_stays_in_doubt_when_it_is_moved_on(
    then: Tray, doubtful: tuple[int, ...]
) -> None:
    left = {(180, 120): 5}
    film = Film().rest(TWO).rest(TWO, 0.5, hand=True).rest({(62, 60): 6, **left})
    turned, moved = next_seen(
        after_a_throw(TWO), film.rest(left, 0.5, hand=True).rest(left | then), job(2, 1)
    )
    assert (turned.doubtful, moved.faces, moved.doubtful) == ((0,), (str(*then.values()),), doubtful)


@pytest.mark.parametrize(("face", "doubtful"), [(5, (0, 1)), (2, (1,))], ids=["swept", "thrown"])
def test_r14_a_die_that_is_swept_with_one_that_was_asked_about_is_asked_about_too(
    face: int, doubtful: tuple[int, ...]
) -> None:
    film = Film().rest(TWO).rest(TWO, 0.5, hand=True).rest({(62, 60): 6, (180, 120): 5})
    film.rest({}, 0.5, hand=True).rest({(100, 170): face, (250, 190): 6})
    *_, found = next_seen(after_a_throw(TWO), film, job(2, 2))
    assert (found.faces, found.doubtful) == ((str(face), "6"), doubtful)


def test_r14_a_swept_die_that_was_asked_about_stays_in_doubt_when_it_is_turned_where_it_lies() -> None:
    left, watch = {(180, 120): 5}, after_a_throw(TWO)
    film = Film().rest(TWO).rest(left, 0.5, hand=True).rest({(250, 190): 3, **left})
    film.rest(left, 0.3, hand=True).rest({(252, 190): 6, **left})
    assert [one.doubtful for one in next_seen(watch, film, job(2, 1))] == [(0,), (0,)]


@pytest.mark.parametrize("rolls", [0, 9], ids=["the next roll", "one after others by hand"])
@pytest.mark.parametrize("other", [5, 1], ids=["beside another face", "beside its own face"])
def test_r14_a_die_that_lay_below_another_is_not_thrown_when_that_is_taken_away(
    rolls: int, other: int
) -> None:
    watch = after_a_throw({(60, 60): 1})
    beside = {(180, 120): other}
    on_it = Film().rest({(60, 60): 1}).throw({(66, 66): 3, **beside})
    (found,) = next_seen(watch, on_it, job(2, 2))
    assert (found.faces, found.doubtful) == (("3", str(other)), ())
    work = msgspec.structs.replace(job(3, 1), nth=rolls)
    bare = {(60, 60): 1, **beside}
    away = Film().rest({(66, 66): 3, **beside}).rest(bare, 0.5, hand=True).rest(bare)
    assert not next_seen(watch, away, work)
    (thrown,) = next_seen(watch, Film().throw({**bare, (220, 40): 3}), work)
    assert (thrown.faces, thrown.doubtful) == (("3",), ())


@pytest.mark.parametrize(
    ("lay", "doubtful"),
    [({(40, 40): 6}, (0,)), ({(40, 40): 1}, ())],
    ids=["it may be the one that lay there", "it shows another face"],
)
def test_r14_a_die_that_was_pushed_is_asked_about_when_a_cocked_one_of_too_many_is_taken_out(
    lay: Tray, doubtful: tuple[int, ...]
) -> None:
    left = {(80, 60): 6, (140, 100): 2, (200, 160): 3}
    film = Film().rest(lay).throw({**left, (260, 60): 0}).rest(left)
    many, fewer = seen(played(TrayWatch(film.camera()), job(1, 3), len(film.frames)))
    assert (many.faces, many.others) == (("6", "2", "3"), ((None,),) * 3)
    assert (fewer.faces, fewer.doubtful) == (("6", "2", "3"), doubtful)


@pytest.mark.parametrize(
    "hidden", [{60: HAND, 180: (35, 35, 30)}, {0: (110, 110, 110)}], ids=["hand and sleeve", "another table"]
)
def test_r10_dice_that_are_swept_below_what_hides_most_of_the_tray_are_asked_about(
    hidden: dict[int, tuple[int, int, int]],
) -> None:
    lying = {(150, 60): 3, (180, 120): 5}
    watch = after_a_throw(lying)
    later = Film().rest(lying).rest({})
    for frame in later.frames[-15:]:
        for left, colour in hidden.items():
            frame[:, left:] = colour
    later.rest({(40, 180): 3, (260, 30): 5})
    found = next_seen(watch, later, job(2, 2))
    assert [one.doubtful for one in found] == [(0, 1)]
