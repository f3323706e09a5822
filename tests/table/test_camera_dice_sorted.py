"""Dice too many, missing or not found are put in, taken out and told apart (R14)."""

import msgspec
import pytest

import vision
from companion.engine.asks import Dice, Roll
from companion.table.matching import groups
from companion.table.tray_watch import Job, TrayWatch
from tests.table.film import Film, Tray
from tests.table.watching import (
    COCKED,
    TWO,
    after_a_throw,
    asked_and_named,
    blind,
    coloured,
    job,
    next_seen,
    played,
    seen,
)
from vision import sets

pytestmark = pytest.mark.usefixtures("film_reader")


def test_r14_a_die_that_is_taken_out_before_the_next_tray_at_rest_and_put_back_is_asked_about() -> None:
    lying = {(60, 60): 0}
    watch = asked_and_named(1, lying, "4")
    out = Film().rest(lying, 0.1).rest({}, 0.3, hand=True).rest({}).rest({}, 0.3, hand=True)
    (back,) = next_seen(watch, out.rest({(60, 60): 4}), job(2, 1))
    assert (back.faces, back.doubtful) == (("4",), (0,))


@pytest.mark.parametrize(
    ("then", "doubtful"),
    [
        ({**TWO, (200, 190): 6}, (0,)),
        ({(60, 60): 3, (200, 190): 6}, ()),
        ({(60, 60): 3, (200, 190): 6, (60, 190): 2}, None),
    ],
    ids=["put back", "another one thrown", "put back, and another one thrown"],
)
def test_r14_a_die_too_many_that_is_taken_out_and_put_back_in_the_next_roll_is_asked_about(
    then: Tray, doubtful: tuple[int, ...] | None
) -> None:
    many = {**TWO, (250, 30): 6}
    film = Film().rest({}).throw(many).rest(TWO, 0.3, hand=True).rest(TWO)
    watch = TrayWatch(film.camera())
    odd, fewer = seen(played(watch, job(1, 2), len(film.frames)))
    assert (odd.is_settled, fewer.is_settled) == (False, True)
    later = Film().rest(TWO).rest({at: TWO[at] for at in TWO if at in then}, 0.3, hand=True).rest(then)
    (found,) = next_seen(watch, later, job(2, 1))
    if doubtful is None:
        assert any(found.others)
    else:
        assert (found.faces, found.doubtful) == (("6",), doubtful)


@pytest.mark.parametrize(
    ("lying", "count", "then", "doubtful"),
    [
        ({(60, 60): 3}, 1, {(60, 60): 3, (200, 190): 6}, (0,)),
        ({(60, 60): 3}, 2, {(200, 190): 6, (60, 190): 2}, ()),
        (TWO, 2, TWO | {(40, 190): 6, (280, 60): 2}, ()),
    ],
    ids=["put in", "both thrown", "two thrown of which only one was missing"],
)
def test_r14_a_die_that_was_missing_and_is_put_into_the_tray_in_the_next_roll_is_asked_about(
    lying: Tray, count: int, then: Tray, doubtful: tuple[int, ...]
) -> None:
    shown = [str(face) for face in lying.values()]
    watch = asked_and_named(len(lying) + 1, lying, *shown, "6")
    left = {at: face for at, face in lying.items() if at in then}
    (found,) = next_seen(watch, Film().rest(lying).rest(left, 0.3, hand=True).rest(then), job(2, count))
    assert found.doubtful == doubtful


def strikes(n: int, **counts: int) -> Job:
    d10s = tuple(Dice("okinawa.d10", count, tuple("0123456789"), colour) for colour, count in counts.items())
    strike, dice_sets = Roll("demo.strike", "Roll", dice=d10s), (sets.load("okinawa"),)
    return Job(n, strike, groups(strike, dice_sets), dice_sets)


@pytest.mark.parametrize(
    ("first", "colours", "then"),
    [
        ({**TWO, (250, 30): 2}, ("red",), {**TWO, (200, 190): 2}),
        ({**TWO, (250, 30): 2}, ("red", "black"), {(60, 60): 3, (200, 190): 2, (120, 190): 6}),
        ({(180, 120): 5}, ("red",), {(180, 120): 5, (200, 190): 2}),
    ],
    ids=["too many", "too many, beside a black one that is thrown", "lacking"],
)
def test_r14_a_red_die_that_was_too_many_or_missing_beside_a_black_one_is_asked_about_when_it_is_put_in(
    first: Tray, colours: tuple[str, ...], then: Tray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vision, "read", coloured)

    lying = {at: face for at, face in first.items() if at in TWO}
    film = Film().rest({}).throw(first).rest(lying, 0.3, hand=True).rest(lying)
    watch = TrayWatch(film.camera())
    assert seen(played(watch, strikes(1, red=1, black=1), len(film.frames)))
    left = {at: face for at, face in lying.items() if at in then}
    (found,) = next_seen(
        watch,
        Film().rest(lying).rest(left, 0.3, hand=True).rest(then),
        strikes(2, **dict.fromkeys(colours, 1)),
    )
    assert (found.faces, found.doubtful) == (("2", "6")[: len(colours)], (0,))


def test_r14_a_swept_red_die_is_asked_about_when_one_of_too_many_beside_a_black_one_is_taken_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vision, "read", coloured)
    film = Film().rest({}).throw({(60, 60): 3})
    watch = TrayWatch(film.camera())
    assert seen(played(watch, strikes(1, red=1), len(film.frames)))[0].is_settled
    left = {(250, 180): 3, (200, 40): 4, (150, 190): 6}
    later = Film().rest({(60, 60): 3}).rest({}, 0.5, hand=True).rest({**left, (120, 100): 2})
    many, found = next_seen(watch, later.rest(left, 0.5, hand=True).rest(left), strikes(2, red=2, black=1))
    assert (any(many.others), found.faces, found.doubtful) == (True, ("4", "3", "6"), (1,))


NOT_FOUND, NUDGED = {(60, 60): 3}, {(66, 60): 3}


@pytest.mark.parametrize(
    "later",
    [
        Film().rest(NOT_FOUND).rest({}, 0.5, hand=True).rest(NUDGED),
        Film().rest(NOT_FOUND).rest({}, 0.5, hand=True).rest({}).rest({}, 0.5, hand=True).rest(NUDGED),
    ],
    ids=["nudged", "taken out and put back"],
)
def test_r14_a_die_of_the_last_roll_that_is_found_only_now_is_asked_about(
    later: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vision, "read", blind)
    watch = TrayWatch(Film().camera())
    assert not next_seen(watch, Film().rest({}).throw(NOT_FOUND), job(1, 1))
    (found,) = next_seen(watch, later, job(2, 1))
    assert (found.faces, found.doubtful) == (("3",), (0,))


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ({**NOT_FOUND, (180, 120): 5}, {**NOT_FOUND, (250, 30): 6}),
        ({(250, 30): 6, (180, 120): 5}, {**NOT_FOUND, (250, 30): 6, (180, 120): 5}),
    ],
    ids=["before", "after"],
)
def test_a_throw_is_not_asked_about_where_what_is_not_found_lay_beside_that_of_the_last_roll(
    first: Tray, then: Tray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vision, "read", blind)
    watch = after_a_throw({(180, 120): 5})
    film = Film().rest({(180, 120): 5}).throw(first).rest({}, 0.5, hand=True).rest(then)
    (found,) = next_seen(watch, film, job(2, 1))
    assert (found.faces, found.doubtful) == (("6",), ())
    (found,) = next_seen(watch, Film().rest(then).throw({**then, (250, 190): 1}), job(3, 1))
    assert (found.faces, found.doubtful) == (("1",), ())


@pytest.mark.parametrize("thrown", [{(60, 60): 3}, {**TWO, (250, 30): 6}], ids=["lacking", "too many"])
def test_dice_thrown_into_a_tray_that_was_cleared_after_dice_lacking_or_too_many_are_not_asked_about(
    thrown: Tray,
) -> None:
    watch = asked_and_named(2, thrown, "3", "6")
    (found,) = next_seen(watch, Film().rest({}).throw({(200, 190): 6, (60, 190): 2}), job(2, 2))
    assert found.is_settled


def test_a_die_thrown_after_dice_that_came_one_by_one_and_a_roll_by_hand_is_not_asked_about() -> None:
    film = Film().rest({}).throw({(60, 60): 3}).rest({(60, 60): 3}, 0.3, hand=True).rest(TWO)
    watch = TrayWatch(film.camera())
    assert [one.is_settled for one in seen(played(watch, job(1, 2), len(film.frames)))] == [False, True]
    lying = {(60, 60): 3}
    later = Film().rest(lying).rest(lying, 0.3, hand=True).rest({**lying, (200, 190): 6})
    (found,) = next_seen(watch, later, msgspec.structs.replace(job(3, 1), nth=2))
    assert found.is_settled


@pytest.mark.parametrize(
    ("then", "is_settled"),
    [
        ((3, 2, 1), True),
        ((4, 1), True),
        ((3, 1), False),
        ((3, 4), False),
    ],
    ids=["another", "as it was named, and another", "any beside one as before", "both"],
)
def test_a_die_that_was_named_is_one_die_of_those_that_come(then: tuple[int, ...], is_settled: bool) -> None:
    watch = asked_and_named(2, COCKED, "3", "4")
    swept = dict(zip([(30, 200), (270, 30), (270, 200)], then, strict=False))
    (found,) = next_seen(watch, Film().rest(COCKED).rest({}, 0.3, hand=True).rest(swept), job(2, len(then)))
    assert found.is_settled is is_settled
