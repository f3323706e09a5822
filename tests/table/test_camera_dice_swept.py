"""Dice of the last roll that are swept aside are not thrown (R10, R14)."""

import contextlib
from functools import partial

import cv2
import msgspec
import numpy as np
import pytest

import vision
from companion.engine.records import RolledDie
from companion.table.events import Habits, Seen
from companion.table.named import carried, named_before
from companion.table.tray_watch import Job, TrayWatch
from tests.table.film import HAND, Film, Tray, read
from tests.table.watching import (
    COCKED,
    ONES,
    SWEPT,
    TWO,
    after_a_throw,
    job,
    leaning,
    next_seen,
    played,
    seen,
)
from vision import Box, DiceSet, Die, Reading, sets
from vision.camera import CameraError, Fault

pytestmark = pytest.mark.usefixtures("film_reader")


@pytest.mark.parametrize("failing", [Film().fault(Fault.MISSING), Film().rest({}, 0.2)])
def test_dice_that_were_entered_by_hand_are_not_read_for_the_next_roll(failing: Film) -> None:
    watch = after_a_throw(TWO)
    watch.camera = failing.camera()
    with contextlib.suppress(CameraError):
        played(watch, job(2, 2), len(failing.frames))
    lying = Film().rest(ONES, 2)
    watch.camera = lying.camera()
    watch.camera._taken = 600.0
    assert not seen(played(watch, job(3, 2), len(lying.frames)))
    thrown = Film().rest(ONES).throw({(60, 200): 3, (140, 60): 1})
    assert [set(one.faces) for one in next_seen(watch, thrown, job(3, 2))] == [{"3", "1"}]


@pytest.mark.parametrize(
    "odd", [{(180, 120): 0}, {(180, 120): 5, (250, 30): 6}], ids=["doubtful", "too many"]
)
def test_a_die_that_was_put_right_unseen_is_not_read_for_the_next_roll(odd: Tray) -> None:
    film = Film().rest({}).throw({(60, 60): 3, **odd})
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))
    assert not found.is_settled
    righted = Film().rest({(60, 60): 3, (220, 150): 4}, 2)
    watch.camera = righted.camera()
    watch.camera._taken = 600.0
    assert not seen(played(watch, job(2, 1), len(righted.frames)))


def test_dice_that_were_in_the_hand_again_when_their_roll_was_confirmed_are_not_read_for_the_next() -> None:
    film = Film().rest({}).throw(TWO).rest({}, 0.2, hand=True)
    watch = TrayWatch(film.camera(), habits=Habits(confirm=True))
    assert len(seen(played(watch, job(1, 2), len(film.frames)))) == 1
    again = Film().rest(ONES, 2)
    assert not next_seen(watch, again, job(2, 2))


def test_dice_that_may_lie_there_from_the_last_roll_are_asked_about_when_nobody_watched() -> None:
    watch = after_a_throw({**TWO, (250, 30): 6})
    later = Film().rest({(100, 60): 3, (250, 180): 5}, 2)
    watch.camera = later.camera()
    watch.camera._taken = 600.0
    (found,) = seen(played(watch, job(2, 2), len(later.frames)))
    assert (found.faces, found.doubtful) == (("3", "5"), (0, 1))


def test_r10_dice_that_are_swept_aside_while_the_camera_is_away_are_not_thrown() -> None:
    watch = after_a_throw(TWO)
    before, after = Film().rest(TWO, 2), Film().rest(SWEPT, 2).throw({(250, 180): 3, (180, 60): 2})
    assert not next_seen(watch, before, job(2, 1))
    watch.camera = after.camera()
    watch.camera._taken = 600.0
    (found,) = seen(played(watch, job(2, 1), len(after.frames)))
    assert (found.faces, found.is_settled) == (("2",), True)


def test_r10_dice_that_are_swept_aside_are_asked_about_also_where_one_that_was_nudged_is_cocked_now() -> None:
    watch, swept = after_a_throw(TWO), {(72, 60): 0, (216, 120): 5}
    (found,) = next_seen(watch, Film().rest(TWO).rest(TWO, 0.3, hand=True).rest(swept), job(2, 2))
    assert (found.faces, found.doubtful) == ((None, "5"), (0, 1))


@pytest.mark.parametrize(
    ("then", "doubtful"),
    [
        ({(250, 180): 3, (60, 190): 0}, (0, 1)),
        ({(250, 180): 2, (60, 190): 0}, (1,)),
    ],
    ids=["swept", "thrown"],
)
def test_r10_dice_that_are_swept_aside_are_asked_about_also_where_one_lies_cocked_then(
    then: Tray, doubtful: tuple[int, ...]
) -> None:
    film = Film().rest(TWO).rest({}, 0.5, hand=True).rest(then)
    (found,) = next_seen(after_a_throw(TWO), film, job(2, 2))
    assert (found.faces[0], found.faces[1], found.doubtful) == (str(then[250, 180]), None, doubtful)


@pytest.mark.parametrize(("face", "doubtful"), [(3, (0,)), (2, ())], ids=["swept", "thrown"])
def test_r10_a_die_that_is_swept_aside_is_asked_about_also_where_one_that_leans_takes_its_place(
    monkeypatch: pytest.MonkeyPatch, face: int, doubtful: tuple[int, ...]
) -> None:
    watch = after_a_throw(TWO)
    monkeypatch.setattr(vision, "read", partial(leaning, x=62))
    film = Film().rest(TWO).rest({}, 0.5, hand=True).rest({(250, 180): face, (62, 60): 1})
    (found,) = next_seen(watch, film, job(2, 1))
    assert (found.faces, found.doubtful) == ((str(face),), doubtful)


@pytest.mark.parametrize(("face", "doubtful"), [(4, (0,)), (2, ())], ids=["swept", "thrown"])
def test_r14_a_die_that_was_misread_before_a_restart_is_asked_about_where_it_is_swept_aside(
    face: int, doubtful: tuple[int, ...]
) -> None:
    misread = (RolledDie("d6", "4", "camera", 0.9, read="3"),)
    film = Film().rest(TWO).rest({(180, 120): 5}, 0.5, hand=True).rest({(180, 120): 5, (250, 190): face})
    watch = TrayWatch(film.camera(), misread=misread)
    (found,) = seen(played(watch, job(1, 1), len(film.frames)))
    assert (found.faces, found.doubtful) == ((str(face),), doubtful)


def test_r14_a_dday_die_that_was_misread_before_a_restart_is_known_by_its_set_and_the_games_faces() -> None:
    dday = sets.load("dday")
    (kind,) = dday.kinds
    lying = Die(
        die=kind.name, colour="red", face="soldier", confidence=0.9, bbox=Box(0, 0, 24, 24), sure=True
    )
    misread = RolledDie("dday.red", "soldier2", "camera", 0.9, read="soldier1")
    other, coin = (msgspec.structs.replace(lying, die=name, face="star") for name in (kind.name, None))
    assert [die.face for die in named_before([misread], [lying, other, coin], [dday])] == ["soldiers"]


def test_r14_a_die_that_was_named_stays_where_it_lay_when_another_is_pushed() -> None:
    lay, pushed, named = (
        Die(die="d6", colour=None, face="3", confidence=0.9, bbox=Box(x, 20, 24, 24), sure=True)
        for x in (100, 110, 20)
    )
    assert carried([named, lay], [(lay, pushed)]) == (named, pushed)


@pytest.mark.parametrize(
    ("then", "is_settled"),
    [
        ({(90, 75): 3, (205, 145): 5, (155, 190): 6}, False),
        ({(240, 30): 3, (260, 190): 5, (30, 140): 6}, True),
    ],
    ids=["slid", "thrown"],
)
def test_r14_dice_that_slide_as_the_tray_is_knocked_are_asked_about_though_one_is_turned_over(
    then: Tray, *, is_settled: bool
) -> None:
    """No hand is seen, nor the tray without them, and each is shoved its own way."""
    lying = {(60, 60): 3, (180, 120): 5, (120, 180): 2}
    (found,) = next_seen(after_a_throw(lying), Film().rest(lying).rest(then), job(2, 3))
    assert found.is_settled == is_settled


def test_r10_dice_that_are_still_being_swept_aside_when_the_roll_is_asked_for_are_asked_about() -> None:
    watch = after_a_throw(TWO)
    later = Film().rest({(220, 180): 3, (90, 190): 5}, 0.1).rest(SWEPT)
    watch.camera = later.camera()
    watch.camera._taken = 600.0
    (found,) = seen(played(watch, job(2, 2), len(later.frames)))
    assert (set(found.faces), found.doubtful) == ({"3", "5"}, (0, 1))


def sixes_as(frame: np.ndarray, dice_sets: tuple[DiceSet, ...], *, foreign: bool) -> Reading:
    """A reader that takes what would show a 6 for something else, or can't read it."""
    reading = read(frame, dice_sets)
    six = {"die": None, "face": None, "sure": False, "foreign": foreign}
    dice = (msgspec.structs.replace(die, **six) if die.face == "6" else die for die in reading.dice)
    return msgspec.structs.replace(reading, dice=tuple(dice))


with_coins = partial(sixes_as, foreign=True)
without_sixes = partial(sixes_as, foreign=False)


def test_r10_swept_dice_beside_something_new_in_the_tray_are_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vision, "read", with_coins)
    film = Film().rest({}).throw(TWO)
    watch = TrayWatch(film.camera())
    assert seen(played(watch, job(1, 2), len(film.frames)))[0].is_settled
    later = Film().rest(TWO).rest({}, 0.5, hand=True).rest({**SWEPT, (120, 30): 6})
    (found,) = next_seen(watch, later, job(2, 2))
    assert (set(found.faces), found.doubtful) == ({"3", "5"}, (0, 1))


COIN = {(120, 30): 6}


def thrown_beside_a_coin(watch: TrayWatch, work: Job) -> Seen:
    film = Film().rest(COIN, 0.3, hand=True).rest(COIN)
    for step in range(6):
        film.rest({(10 + 5 * step, 150): 3, **COIN}, 1 / 15)
    film.rest({(40, 150): 3, **COIN})
    (found,) = next_seen(watch, film, work)
    return found


def test_r10_a_throw_beside_what_came_with_swept_dice_is_not_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vision, "read", with_coins)
    film = Film().rest({}).throw({(60, 60): 3})
    watch = TrayWatch(film.camera())
    played(watch, job(1, 1), len(film.frames))
    later = Film().rest({(60, 60): 3}).rest({}, 0.5, hand=True).rest({(200, 180): 3, **COIN})
    (swept,) = next_seen(watch, later, job(2, 1))
    found = thrown_beside_a_coin(watch, job(2, 1))
    assert (swept.doubtful, found.faces, found.doubtful) == ((0,), ("3",), ())


def with_d10(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
    """A reader that takes what would show a 6 for a die of another kind."""
    reading = read(frame, dice_sets)
    dice = (msgspec.structs.replace(die, die="d10") if die.face == "6" else die for die in reading.dice)
    return msgspec.structs.replace(reading, dice=tuple(dice))


@pytest.mark.parametrize("reader", [with_coins, with_d10], ids=["a coin", "a die of another kind"])
def test_a_throw_beside_what_a_lamp_has_shown_is_not_asked_about(
    reader: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vision, "read", reader)
    film = Film().rest({})
    film.frames = [frame // 3 for frame in film.frames]
    film.rest(COIN, 6)
    watch = TrayWatch(film.camera())
    assert not seen(played(watch, job(1, 1), len(film.frames)))
    found = thrown_beside_a_coin(watch, job(1, 1))
    assert (found.faces, found.doubtful) == (("3",), ())


@pytest.mark.parametrize("to", [(124, 36), (200, 180)], ids=["nudged", "swept"])
def test_r10_a_die_that_a_lamp_has_shown_and_that_can_be_read_only_later_is_asked_about(
    to: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vision, "read", without_sixes)
    film = Film().rest({})
    film.frames = [frame // 3 for frame in film.frames]
    film.rest(COIN, 6)
    watch = TrayWatch(film.camera())
    assert [one.doubtful for one in seen(played(watch, job(1, 1), len(film.frames)))] == [(0,)]
    monkeypatch.setattr(vision, "read", read)
    (found,) = next_seen(watch, Film().rest(COIN, 0.3, hand=True).rest({to: 6}), job(1, 1))
    assert (found.faces, found.doubtful) == (("6",), (0,))


@pytest.mark.parametrize(
    ("kept", "count", "seconds"),
    [(TWO, 2, 0.5), ({**TWO, (120, 30): 6}, 2, 0.5), ({(60, 60): 3}, 1, 0.5), ({(60, 60): 3}, 1, 4)],
)
def test_r10_dice_that_a_hand_sweeps_across_the_tray_are_asked_about(
    kept: Tray, count: int, seconds: float
) -> None:
    film = Film().rest({}).throw(kept)
    watch = TrayWatch(film.camera())
    assert len(seen(played(watch, job(1, len(kept)), len(film.frames)))) == 1
    swept = {at: face for at, face in SWEPT.items() if face in [*kept.values()][:count]}
    there = {at: face for at, face in kept.items() if face == 6}
    later = Film().rest(kept).rest(there, seconds, hand=True).rest({**swept, **there})
    (found,) = next_seen(watch, later, job(2, count))
    assert found.doubtful == tuple(range(count))


@pytest.mark.parametrize(
    ("lying", "then", "doubtful"),
    [
        (COCKED, SWEPT, (0, 1)),
        (COCKED, {(250, 180): 2, (60, 190): 5}, ()),
        ({(60, 60): 0}, {(250, 180): 4}, ()),
    ],
    ids=["swept", "thrown", "one thrown"],
)
def test_r10_dice_that_are_swept_with_one_that_was_in_doubt_are_asked_about(
    lying: Tray, then: Tray, doubtful: tuple[int, ...]
) -> None:
    film = Film().rest({}).throw(lying)
    watch = TrayWatch(film.camera())
    assert not any(one.is_settled for one in seen(played(watch, job(1, 2), len(film.frames))))
    later = Film().rest(lying).rest({}, 0.5, hand=True).rest(then)
    watch.camera = later.camera()
    watch.camera._taken = 600.0
    (found,) = seen(played(watch, job(2, len(then)), len(later.frames)))
    assert found.doubtful == doubtful


def test_r10_dice_that_are_swept_away_as_others_are_taken_out_are_asked_about() -> None:
    kept = {**TWO, (120, 30): 6}
    watch = after_a_throw(kept)
    later = Film().rest(kept).rest({}, 0.5, hand=True).rest(SWEPT)
    (found,) = next_seen(watch, later, job(2, 2))
    assert found.doubtful == (0, 1)


def test_r10_swept_dice_stay_in_doubt_while_others_are_taken_out_until_some_are_thrown() -> None:
    watch = after_a_throw(TWO)
    one = {(250, 180): 3}
    later = Film().rest(TWO).rest({}, 0.5, hand=True).rest(SWEPT).rest(SWEPT, 0.5, hand=True).rest(one)
    later.rest({}, 0.5, hand=True).rest({}).throw({(120, 100): 4})
    found = next_seen(watch, later, job(2, 1))
    assert [(one.faces, one.doubtful) for one in found[-2:]] == [(("3",), (0,)), (("4",), ())]


def test_r10_a_swept_die_stays_in_doubt_that_can_be_read_only_as_another_is_taken_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vision, "read", without_sixes)
    watch = after_a_throw(TWO)
    clear = {(60, 190): 5}
    later = Film().rest(TWO).rest({}, 0.5, hand=True).rest({(250, 180): 3, (60, 190): 6})
    later.rest(clear, 0.5, hand=True).rest(clear)
    found = next_seen(watch, later, job(2, 1))
    assert [(one.faces, one.doubtful) for one in found] == [(("3",), (0,)), (("5",), (0,))]


def test_r10_swept_dice_that_can_all_be_read_only_when_one_is_moved_on_are_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vision, "read", without_sixes)
    watch = after_a_throw(TWO)
    later = Film().rest(TWO).rest({}, 0.5, hand=True).rest({(250, 180): 6, (60, 190): 6})
    later.rest({(250, 200): 3, (60, 190): 5})
    found = next_seen(watch, later, job(2, 2))
    assert [(one.faces, one.doubtful) for one in found] == [((None, None), (0, 1)), (("5", "3"), (0, 1))]


@pytest.mark.parametrize("how", ["hidden", "nudged"])
def test_r10_swept_dice_stay_in_doubt_until_the_tray_is_seen_without_them(how: str) -> None:
    watch = after_a_throw(TWO)
    later = Film().rest(TWO).rest({}, 0.5, hand=True).rest(SWEPT)
    later.rest({(253, 182): 3, (63, 192): 5}, 4)
    if how == "hidden":
        for frame in later.frames[-60:]:
            cv2.rectangle(frame, (200, 150), (319, 239), HAND, -1)
    later.rest({(253, 182): 3}).rest({}).throw({(120, 100): 3})
    *_, left, thrown = found = next_seen(watch, later, job(2, 1))
    assert [one.is_settled for one in found] == [False] * (len(found) - 1) + [True]
    assert (left.faces, left.doubtful, thrown.faces) == (("3",), (0,), ("3",))


def test_of_dice_too_many_those_are_offered_that_came_after_others_were_sorted_aside() -> None:
    watch, row = after_a_throw(TWO), {(30, 30): 3, (30, 70): 5}
    later = Film().rest(TWO).rest({}, 0.3, hand=True).rest(row).throw({**row, (200, 60): 2, (220, 150): 6})
    aside, many = next_seen(watch, later, job(2, 2))
    assert (aside.faces, aside.doubtful) == (("3", "5"), (0, 1))
    assert (many.faces, many.others) == (("2", "6"), (("3", "5"),) * 2)


def test_r10_a_swept_die_beside_a_thrown_one_is_asked_about_when_that_is_taken_out() -> None:
    film = Film().rest({}).throw({(60, 60): 3})
    watch = TrayWatch(film.camera())
    assert seen(played(watch, job(1, 1), len(film.frames)))[0].is_settled
    swept = {(250, 180): 3}
    later = Film().rest({(60, 60): 3}).rest({}, 0.5, hand=True).rest({**swept, (120, 100): 5})
    later.rest(swept, 0.5, hand=True).rest(swept)
    both, alone = next_seen(watch, later, job(2, 1))
    assert (any(both.others), alone.faces, alone.doubtful) == (True, ("3",), (0,))


def test_r14_a_swept_die_is_asked_about_when_one_of_too_many_is_taken_out() -> None:
    watch = after_a_throw({(60, 60): 3})
    swept = {(250, 180): 3, (200, 40): 6}
    later = Film().rest({(60, 60): 3}).rest({}, 0.5, hand=True).rest({**swept, (120, 100): 5})
    many, left = next_seen(watch, later.rest(swept, 0.5, hand=True).rest(swept), job(2, 2))
    assert (any(many.others), left.faces, left.doubtful) == (True, ("6", "3"), (1,))


def test_r10_a_die_that_is_swept_as_the_second_of_two_is_awaited_is_asked_about() -> None:
    watch = after_a_throw(TWO)
    lying, thrown = {(180, 120): 5}, {(250, 40): 4}
    later = Film().rest(TWO).rest(lying, 0.5, hand=True).rest(lying).throw(lying | thrown)
    later.rest(thrown, 0.5, hand=True).rest(thrown | {(60, 190): 5}).rest({(250, 90): 4, (60, 190): 5})
    found = next_seen(watch, later, job(2, 2))
    assert [(one.faces, one.doubtful) for one in found] == [(("4", None), (1,)), *[(("4", "5"), (1,))] * 2]


@pytest.mark.parametrize(
    ("second", "then", "doubtful"),
    [
        ({}, {(60, 190): 4, (120, 100): 5}, (0, 1)),
        ({(60, 60): 0}, {(60, 190): 4, (120, 100): 5}, (0, 1)),
        ({}, {(60, 190): 4, (180, 120): 5, (250, 40): 6}, ()),
        ({(60, 60): 0}, {(60, 190): 4, (180, 120): 5, (250, 40): 6}, ()),
    ],
    ids=["swept", "swept as a cocked one is taken out", "put aside", "put aside for a cocked one"],
)
def test_r14_a_die_that_is_swept_with_a_thrown_one_is_asked_about(
    second: Tray, then: Tray, doubtful: tuple[int, ...]
) -> None:
    watch = after_a_throw({(180, 120): 5})
    later = Film().rest({(180, 120): 5}).throw({(180, 120): 5, (250, 40): 4, **second})
    *_, both = next_seen(watch, later.rest({}, 0.5, hand=True).rest(then), job(2, 2))
    assert (both.faces[0], both.doubtful) == (("5", "6")[not doubtful], doubtful)


def test_a_second_die_that_is_thrown_after_the_first_is_sure() -> None:
    watch = after_a_throw(TWO)
    thrown = {(250, 40): 4}
    later = Film().rest(TWO).rest({}, 0.5, hand=True).throw(thrown)
    later.rest(thrown, 0.5, hand=True).rest(thrown | {(60, 190): 5})
    assert next_seen(watch, later, job(2, 2))[-1].doubtful == ()


def test_r10_a_swept_die_stays_in_doubt_beside_one_of_two_that_are_thrown() -> None:
    """The other one fell off the table, or is still in the hand."""
    watch = after_a_throw({(60, 60): 3})
    swept = {(250, 180): 3}
    later = Film().rest({(60, 60): 3}).rest({}, 0.5, hand=True).rest(swept).throw({**swept, (120, 100): 5})
    alone, both = next_seen(watch, later, job(2, 2))
    assert (alone.faces, alone.doubtful) == (("3", None), (0, 1))
    assert (both.faces, both.doubtful) == (("5", "3"), (1,))


def test_r10_a_swept_die_stays_in_doubt_beside_a_thrown_one_where_the_camera_is_knocked() -> None:
    watch = after_a_throw({(60, 60): 3})
    swept = {(220, 180): 3}
    later = Film().rest({(60, 60): 3}).rest({}, 0.5, hand=True).rest(swept).throw({**swept, (90, 100): 5})
    *_, knocked = next_seen(watch, later.rest({(250, 180): 3, (120, 100): 5}), job(2, 2))
    assert (knocked.faces, knocked.doubtful) == (("5", "3"), (1,))


def test_r10_dice_that_are_swept_twice_are_asked_about_also_where_one_could_not_be_read_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vision, "read", without_sixes)
    watch = after_a_throw(TWO)
    later = Film().rest(TWO).rest({}, 0.5, hand=True).rest({(250, 180): 3, (60, 190): 6})
    later.rest({}, 0.5, hand=True).rest({(120, 30): 3, (200, 100): 5})
    found = next_seen(watch, later, job(2, 2))
    assert [(one.faces, one.doubtful) for one in found] == [(("3", None), (0, 1)), (("3", "5"), (0, 1))]


def test_r10_a_die_that_was_in_doubt_and_could_be_read_before_it_was_swept_is_asked_about() -> None:
    film = Film().rest({}).throw(COCKED)
    watch = TrayWatch(film.camera())
    assert not any(one.is_settled for one in seen(played(watch, job(1, 2), len(film.frames))))
    later = Film().rest(COCKED).rest({(60, 60): 3, (182, 122): 5}).rest({}, 0.5, hand=True)
    later.rest({(60, 60): 3, (250, 190): 5})
    watch.camera = later.camera()
    watch.camera._taken = 600.0
    (found,) = seen(played(watch, job(2, 1), len(later.frames)))
    assert (found.faces, found.doubtful) == (("5",), (0,))


def test_r10_a_die_that_was_in_doubt_and_can_be_read_when_it_is_nudged_is_asked_about() -> None:
    film = Film().rest({}).throw({(60, 60): 0})
    watch = TrayWatch(film.camera())
    assert not any(one.is_settled for one in seen(played(watch, job(1, 1), len(film.frames))))
    later = Film().rest({(60, 60): 0}).rest({}, 0.5, hand=True).rest({(74, 60): 4})
    watch.camera = later.camera()
    watch.camera._taken = 600.0
    (found,) = seen(played(watch, job(2, 1), len(later.frames)))
    assert (found.faces, found.doubtful) == (("4",), (0,))


def test_r10_a_die_that_a_lamp_has_shown_stays_in_doubt_while_others_are_taken_out() -> None:
    film = Film().rest({})
    film.frames = [frame // 3 for frame in film.frames]
    left = {(180, 120): 5}
    film.rest(TWO, 6).rest(left, 0.5, hand=True).rest(left)
    found = seen(played(TrayWatch(film.camera()), job(1, 1), len(film.frames)))
    assert (found[-1].faces, found[-1].doubtful) == (("5",), (0,))


def test_a_die_that_a_lamp_has_shown_is_thrown_where_it_shows_another_face() -> None:
    film = Film().rest({})
    film.frames = [frame // 2 for frame in film.frames]
    film.rest({(60, 110): 3}).throw({(200, 180): 5})
    lit, thrown = seen(played(TrayWatch(film.camera()), job(1, 1), len(film.frames)))
    assert (lit.faces, lit.doubtful) == (("3",), (0,))
    assert (thrown.faces, thrown.doubtful) == (("5",), ())


def test_a_die_that_was_read_for_sure_is_known_by_that_where_it_is_nudged_and_in_doubt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vision, "read", partial(leaning, x=62))
    watch = after_a_throw({(60, 60): 3})
    film = Film().rest({(60, 60): 3}).rest({}, 0.5, hand=True).rest({(62, 60): 3}).throw({(100, 90): 5})
    (thrown,) = next_seen(watch, film, job(2, 1))
    assert (thrown.faces, thrown.doubtful) == (("5",), ())


@pytest.mark.parametrize("how", ["swept", "nudged", "hidden"])
def test_r10_a_die_that_a_lamp_has_shown_stays_in_doubt_when_it_is_moved_until_it_is_gone(how: str) -> None:
    film, lit = Film().rest({}), {(60, 110): 3}
    film.frames = [frame // 2 for frame in film.frames]
    moved = {"swept": (200, 180), "nudged": (63, 113), "hidden": (72, 110)}[how]
    film.rest(lit).rest(lit if how == "hidden" else {}, 4 if how == "hidden" else 0.5, hand=True)
    film.rest({moved: 3}).rest({moved: 3, (250, 30): 5})
    film.rest({moved: 3}).rest({}, 0.5, hand=True).rest({}).throw({(120, 30): 3})
    *doubtful, thrown = seen(played(TrayWatch(film.camera()), job(1, 1), len(film.frames)))
    assert {one.doubtful for one in doubtful} == {(0,)}
    assert len(doubtful) > 2
    assert (thrown.faces, thrown.doubtful) == (("3",), ())


@pytest.mark.parametrize("how", ["swept", "lit"])
def test_what_was_in_doubt_and_is_answered_puts_no_throw_of_the_next_roll_in_doubt(how: str) -> None:
    watch = after_a_throw(TWO)
    later = Film().rest(TWO).rest({}, 0.5, hand=True)
    if how == "lit":
        later.rest({})
        later.frames = [frame // 3 for frame in later.frames]
    later.rest(SWEPT, 6)
    assert next_seen(watch, later, job(2, 2))[-1].doubtful == (0, 1)
    kept = {(250, 180): 3}
    later = Film().rest(SWEPT).rest(kept, 0.5, hand=True).rest(kept).throw({**kept, (120, 100): 5})
    found = next_seen(watch, later, job(3, 1))[-1]
    assert (found.faces, found.doubtful) == (("5",), ())


def test_r10_a_die_that_was_not_found_for_once_is_asked_about_when_it_is_swept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watch = after_a_throw(TWO)
    later = Film().rest(TWO).rest({(60, 60): 3}, 0.5, hand=True).rest({(60, 60): 3})

    def blind(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
        return Reading(dice=(), sure=True, ms=1)

    monkeypatch.setattr(vision, "read", blind)
    assert not next_seen(watch, later, job(2, 1))
    monkeypatch.setattr(vision, "read", read)
    (found,) = next_seen(watch, Film().rest({(250, 180): 3}), job(2, 1))
    assert (found.faces, found.doubtful) == (("3",), (0,))
