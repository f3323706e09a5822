"""The camera as a source of dice: what is thrown, read and shown (R10, R14)."""

import contextlib
import os
from functools import partial
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

import vision
from companion.engine.asks import Dice, Locked, Roll
from companion.table.matching import GAME_FACES, groups
from companion.table.photos import FRAME
from companion.table.tray_watch import Job, TrayWatch
from tests.table.film import Film, Tray, picture, read, stills
from tests.table.watching import (
    COCKED,
    D6,
    ONES,
    TWO,
    after_a_throw,
    job,
    leaning,
    next_seen,
    notices,
    played,
    seen,
)
from vision import Box, DiceSet, DieKind, Marks, Reading, Supply, sets, teach
from vision.cameras.fake import FakeCamera
from vision.settle import VOTES

pytestmark = pytest.mark.usefixtures("film_reader")


def test_a_throw_is_posted_once_when_it_lies_still() -> None:
    film = Film().rest({}).throw(TWO).rest(TWO, 3)
    events = played(TrayWatch(film.camera()), job(7, 2), len(film.frames))
    (found,) = seen(events)
    assert (found.n, found.faces, found.source, found.doubtful) == (7, ("3", "5"), "camera", ())


def test_a_tray_that_lies_still_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []

    def counted(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
        reads.append(frame)
        return read(frame, dice_sets)

    monkeypatch.setattr(vision, "read", counted)
    film = Film().rest({}).throw(TWO).rest(TWO, 2)
    watch = TrayWatch(film.camera())
    played(watch, job(1, 2), len(film.frames))
    assert len(reads) == 2 * VOTES  # as it lay there, and as it was thrown
    watch.camera = Film().rest(TWO).camera()
    played(watch, job(2, 2), 10)
    assert len(reads) == 2 * VOTES


def test_that_a_tray_never_lies_still_is_said_until_it_does() -> None:
    """As where every other picture comes torn through a bad cable."""
    film = Film().rest({})
    for _ in range(90):
        film.rest(TWO, 1 / 15).shade(1).rest(TWO, 1 / 15)
    events = played(TrayWatch(film.rest(TWO).camera()), job(1, 2), len(film.frames))
    restless, *after = notices(events)[1:]
    assert restless.startswith("the tray never lies still")
    assert not after
    assert [one.faces for one in seen(events)] == [("3", "5")]


def test_that_no_two_pictures_can_be_compared_is_said_where_they_come_too_slowly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watch = after_a_throw(TWO)
    monkeypatch.setattr("vision.cameras.fake.INTERVAL", 1.2)
    watch.camera = Film().rest(TWO).camera()
    assert not notices(played(watch, job(2, 2), 8))
    (restless,) = notices(played(watch, job(2, 2), 7))
    assert restless.startswith("the tray never lies still")


@pytest.mark.parametrize(("n", "away"), [(1, 11), (2, 8)])
def test_a_tray_is_not_said_to_be_restless_where_nobody_looked_or_the_camera_was_away(
    n: int, away: float
) -> None:
    moving = [picture({(10 + 5 * at, 60): 3}, at) for at in range(40)]
    watch = after_a_throw(TWO)
    for work, seconds in (1, 0.0), (n, away):
        camera = watch.camera = FakeCamera(moving)
        camera._taken = watch._taken + seconds
        assert not any("never" in text for text in notices(played(watch, job(work, 2), len(moving))))


def test_before_the_throw_the_player_is_asked_for_it() -> None:
    film = Film().rest({}, 2)
    assert notices(played(TrayWatch(film.camera()), job(1, 2), len(film.frames))) == ["throw 2 dice"]


def test_a_moving_tray_is_never_read() -> None:
    film = Film().rest({})
    for step in range(60):
        film.rest({(20 + 4 * step, 60): 3}, 1 / 15)
    assert not seen(played(TrayWatch(film.camera()), job(1, 1), len(film.frames)))


def test_dice_that_lie_there_from_the_last_roll_are_never_read_for_the_next() -> None:
    film = Film().rest({}).throw(TWO)
    watch = TrayWatch(film.camera())
    assert seen(played(watch, job(1, 2), len(film.frames)))
    before = len(film.frames)
    film.rest(TWO, 2).rest(TWO, 1, hand=True).rest(TWO, 2)
    watch.camera = FakeCamera(film.frames[before:])
    assert not seen(played(watch, job(2, 2), len(film.frames) - before))
    later = Film().throw({(200, 60): 1, (100, 180): 1})
    assert [one.faces for one in next_seen(watch, later, job(2, 2))] == [("1", "1")]


def test_dice_that_lay_there_from_the_beginning_are_not_rolled() -> None:
    old = {(250, 30): 6}
    film = Film().rest(old).throw({**TWO, **old})
    (found,) = seen(played(TrayWatch(film.camera()), job(1, 2), len(film.frames)))
    assert (found.faces, found.doubtful) == (("3", "5"), ())


def test_dice_of_another_set_that_lie_there_are_not_thrown_when_they_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def by_sets(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
        reading = read(frame, dice_sets)
        if any(one.name == "d6" for one in dice_sets):
            return reading
        foreign = (msgspec.structs.replace(die, die=None, face=None, foreign=True) for die in reading.dice)
        return msgspec.structs.replace(reading, dice=tuple(foreign))

    monkeypatch.setattr(vision, "read", by_sets)
    tens = Roll("demo.ten", "Roll 1", dice=(Dice("d10", 1, tuple("0123456789")),))
    d10 = (sets.load("d10"),)
    watch = after_a_throw(TWO)
    third = {**TWO, (250, 30): 6}
    for work, later in (
        (Job(2, tens, groups(tens, d10), d10), Film().rest(TWO).rest(third)),
        (job(3, 2), Film().rest(third).rest(TWO)),
    ):
        assert not next_seen(watch, later, work)


def test_r10_a_die_that_was_foreign_to_the_last_roll_and_is_swept_is_asked_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sixes_of_d10(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
        reading = read(frame, dice_sets)
        is_known = any(one.name == "d10" for one in dice_sets)
        as_d10 = {"die": "d10"} if is_known else {"die": None, "face": None, "sure": False, "foreign": True}
        dice = (msgspec.structs.replace(die, **as_d10) if die.face == "6" else die for die in reading.dice)
        return msgspec.structs.replace(reading, dice=tuple(dice))

    monkeypatch.setattr(vision, "read", sixes_of_d10)
    film = Film().rest({(120, 30): 6}).throw({**TWO, (120, 30): 6})
    watch = TrayWatch(film.camera())
    assert seen(played(watch, job(1, 2), len(film.frames)))[0].is_settled
    later = Film().rest({**TWO, (120, 30): 6}).rest(TWO, 0.5, hand=True).rest({**TWO, (120, 200): 6})
    watch.camera = later.camera()
    tens = Roll("demo.ten", "Roll 1", dice=(Dice("d10", 1, tuple("0123456789")),))
    both = (sets.load("d6"), sets.load("d10"))
    (found,) = seen(played(watch, Job(2, tens, groups(tens, both), both), len(later.frames)))
    assert (found.faces, found.doubtful) == (("6",), (0,))


@pytest.mark.parametrize("other", [{"die": None, "face": None, "foreign": True}, {"die": "d10"}])
def test_a_throw_of_dice_that_nobody_asked_for_is_said(
    other: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def strange(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
        reading = read(frame, dice_sets)
        dice = (msgspec.structs.replace(die, **other) for die in reading.dice)
        return msgspec.structs.replace(reading, dice=tuple(dice))

    monkeypatch.setattr(vision, "read", strange)
    film = Film().rest({}).throw(TWO)
    events = played(TrayWatch(film.camera()), job(1, 2), len(film.frames))
    assert not seen(events)
    assert notices(events)[-1] == "other dice than asked for"
    few = played(TrayWatch(film.camera()), job(1, 3), len(film.frames))
    assert notices(few)[-1] == "throw 3 dice"
    moved = Film().rest(TWO).rest({}, 0.5, hand=True).rest({(60, 160): 3, (240, 40): 5})
    assert notices(played(TrayWatch(moved.camera()), job(1, 2), len(moved.frames)))[-1] == "throw 2 dice"


@pytest.mark.parametrize("failing", [1, 4])
def test_a_throw_whose_reading_fails_is_read_as_soon_as_it_can_be(
    failing: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = iter(range(1, 100))

    def failing_once(frame: np.ndarray, dice_set: object) -> Reading:
        if next(calls) == failing:
            raise vision.FrameError("a sample that was removed just now")
        return read(frame, dice_set)

    monkeypatch.setattr(vision, "read", failing_once)
    film = Film().rest({}).throw(TWO)
    watch, events = TrayWatch(film.camera()), []
    for _ in film.frames:
        with contextlib.suppress(vision.FrameError):
            events += watch.look(job(1, 2))
    assert [one.faces for one in seen(events)] == [("3", "5")]


def test_a_lamp_that_is_switched_does_not_ask_again() -> None:
    film = Film().rest({}).throw(TWO)
    film.frames += [(frame * 0.8).astype(np.uint8) for frame in film.frames[-15:]] + film.frames[-15:]
    assert len(seen(played(TrayWatch(film.camera()), job(1, 2), len(film.frames)))) == 1


def test_a_die_that_could_not_be_read_for_one_roll_is_not_taken_for_thrown_in_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def glare(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
        reading = read(frame, dice_sets)
        return msgspec.structs.replace(reading, dice=tuple(die for die in reading.dice if die.bbox.x != 60))

    watch, left, second = after_a_throw(TWO), {(60, 60): 3}, {(60, 60): 3, (250, 190): 2}
    monkeypatch.setattr(vision, "read", glare)
    film = Film().rest(TWO).rest(left, 0.5, hand=True).rest(second)
    assert [one.faces for one in next_seen(watch, film, job(2, 1))] == [("2",)]
    monkeypatch.setattr(vision, "read", read)
    film = Film().rest(second).rest(left, 0.5, hand=True).rest({**left, (100, 190): 4})
    (found,) = next_seen(watch, film, job(3, 1))
    assert (found.faces, found.is_settled) == (("4",), True)


def test_a_locked_die_that_stays_is_not_taken_for_the_one_that_is_rolled_again() -> None:
    first, locked = {(60, 60): 6, (180, 120): 2}, {(60, 60): 6}
    watch = after_a_throw(first)
    again = Film().rest(first).rest(locked, 0.5, hand=True).rest({**locked, (150, 150): 6}, 0.1)
    again.rest({**locked, (190, 150): 6})
    watch.camera = again.camera()
    reroll = Roll("demo.again", "Roll 1", dice=(Dice("d6", 1, D6),), locked=(Locked("d6", "6"),))
    dice_sets = (sets.load("d6"),)
    work = Job(2, reroll, groups(reroll, dice_sets), dice_sets)
    (found,) = seen(played(watch, work, len(again.frames)))
    assert (found.faces, found.doubtful) == (("6",), ())
    assert found.evidence is not None


@pytest.mark.parametrize(
    ("trays", "doubtful"),
    [
        ([{(190, 60): 6, (120, 150): 3}], [()]),  # the locked one was taken out
        ([{(190, 60): 6, (120, 150): 3, (60, 150): 4}, {(190, 60): 6, (60, 150): 4}], [(), (0,)]),
    ],
    ids=["thrown", "put aside, and a thrown one taken out"],
)
def test_r14_a_locked_die_that_was_put_aside_does_not_count_as_thrown_where_another_is_taken_out(
    trays: list[dict[tuple[int, int], int]], doubtful: list[tuple[int, ...]]
) -> None:
    first = {(60, 60): 6, (180, 120): 2, (120, 60): 5}
    watch = after_a_throw(first)
    again = Film().rest(first)
    for tray in trays:
        again.rest(tray, 0.5, hand=True).rest(tray, 2)
    watch.camera = again.camera()
    reroll = Roll("demo.again", "Roll 2", dice=(Dice("d6", 2, D6),), locked=(Locked("d6", "6"),))
    dice_sets = (sets.load("d6"),)
    work = Job(2, reroll, groups(reroll, dice_sets), dice_sets)
    assert [one.doubtful for one in seen(played(watch, work, len(again.frames)))] == doubtful


def test_a_locked_die_of_another_colour_that_was_rolled_along_holds_the_roll_up_until_it_is_turned_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    colours = Supply("red", 1), Supply("white", 1)
    dice_sets = (DiceSet("d6", (DieKind("d6", Marks.PIPS, D6, colours),)),)

    def in_colour(frame: np.ndarray, _: object) -> Reading:
        """White on the left, red on the right."""
        reading = read(frame, (sets.load("d6"),))
        dice = (
            msgspec.structs.replace(die, colour="white" if die.bbox.x < 120 else "red")
            for die in reading.dice
        )
        return msgspec.structs.replace(reading, dice=tuple(dice))

    monkeypatch.setattr(vision, "read", in_colour)
    white, red = Dice("d6.white", 1, D6, "white"), Dice("d6.red", 1, D6, "red")
    first = Roll("demo", "Roll", dice=(red, white))
    again = Roll("demo", "Roll", dice=(red,), locked=(Locked("d6.white", "6"),))
    film = Film().rest({}).throw({(60, 60): 6, (180, 60): 2})
    watch = TrayWatch(film.camera())
    (thrown,) = next_seen(watch, film, Job(1, first, groups(first, dice_sets), dice_sets))
    assert (thrown.faces, thrown.is_settled) == (("2", "6"), True)
    job_again = Job(2, again, groups(again, dice_sets), dice_sets)
    film = Film().rest({(60, 60): 6, (180, 60): 2}).throw({(60, 150): 1, (190, 150): 5})
    watch.camera = film.camera()
    events = played(watch, job_again, len(film.frames))
    (held,) = seen(events)
    assert (held.faces, held.doubtful, held.is_settled) == (("5",), (), False)
    assert notices(events)[-1] == "the locked white 6 shows 1"
    film = Film().rest({(60, 150): 1, (190, 150): 5}).rest({(190, 150): 5}, 0.5, hand=True)
    (settled,) = next_seen(watch, film.rest({(60, 150): 6, (190, 150): 5}), job_again)
    assert (settled.faces, settled.is_settled) == (("5",), True)


@pytest.mark.parametrize(
    ("found", "thrown"),
    [
        ({(60, 200): 3, (100, 200): 5}, []),  # pushed aside
        ({(60, 200): 2, (100, 200): 5}, [("2", "5")]),  # thrown before the question came
    ],
)
@pytest.mark.parametrize("until", [0.0, 600.0], ids=["for a moment", "for a while"])
def test_what_happened_while_nothing_was_asked(
    found: Tray, thrown: list[tuple[str, ...]], until: float
) -> None:
    watch = after_a_throw(TWO)
    later = Film().rest(found, 2)
    watch.camera = later.camera()
    watch.camera._taken = until  # nobody looked
    assert [one.faces for one in seen(played(watch, job(2, 2), len(later.frames)))] == thrown


def test_dice_that_are_thrown_right_after_a_roll_that_was_taken_at_once_are_read() -> None:
    film = Film().rest({}).throw(TWO)
    watch, first = TrayWatch(film.camera()), []
    while not seen(first):
        first += watch.look(msgspec.structs.replace(job(1, 2), nth=1))
    later = Film().rest(ONES, 2)
    (found,) = next_seen(watch, later, msgspec.structs.replace(job(2, 2), nth=2))
    assert (found.faces, found.doubtful) == (("1", "1"), ())


def test_two_dice_that_a_hand_pushes_alike_beside_one_that_stays_are_no_throw() -> None:
    lying = TWO | {(240, 200): 1}
    pushed = {(90, 60): 3, (210, 120): 5, (240, 200): 1}
    watch = after_a_throw(lying)
    assert not next_seen(watch, Film().rest(lying).rest({}, 0.5, hand=True).rest(pushed), job(2, 3))
    (beside,) = next_seen(watch, Film().throw({**pushed, (60, 60): 3}), job(2, 1))
    assert (beside.faces, beside.doubtful) == (("3",), ())


def test_a_die_that_is_nudged_again_and_again_is_no_throw_and_puts_none_in_doubt() -> None:
    watch = after_a_throw({(60, 60): 3})
    for x in (60, 74, 88, 102):
        assert not next_seen(watch, Film().rest({(x, 60): 3}), job(2, 1))
    (thrown,) = next_seen(watch, Film().throw({(102, 60): 3, (180, 120): 5}), job(2, 1))
    assert (thrown.faces, thrown.is_settled) == (("5",), True)


@pytest.mark.parametrize("now", [(60, 60), (64, 64)], ids=["as it lay", "touched"])
def test_r14_a_die_that_shows_another_face_where_it_lay_is_asked_about(now: tuple[int, int]) -> None:
    """A finger turned it, or it is read otherwise than before."""
    watch = after_a_throw(TWO)
    later = Film().rest(TWO).rest(TWO, 0.5, hand=True).rest({now: 6, (180, 120): 5})
    (found,) = next_seen(watch, later, job(2, 1))
    assert (found.faces, found.doubtful) == (("6",), (0,))


def test_a_missing_die_is_said_and_put_right_when_it_is_thrown_after() -> None:
    film = Film().rest({}).throw({(60, 60): 3})
    film.rest({(60, 60): 3, (150, 160): 2}, 0.2).rest({(60, 60): 3, (180, 120): 5})
    events = played(TrayWatch(film.camera()), job(1, 2), len(film.frames))
    first, second = seen(events)
    assert (first.faces, first.doubtful) == (("3", None), (1,))
    assert (second.faces, second.doubtful) == (("3", "5"), ())
    assert "1 of 2 d6" in notices(events)


def test_a_cocked_die_is_asked_about_with_its_picture(tmp_path: Path) -> None:
    film = Film().rest({}).throw({(60, 60): 3, (180, 120): 0})
    (found,) = seen(played(TrayWatch(film.camera(), tmp_path), job(1, 2), len(film.frames)))
    assert found.faces == ("3", None)
    assert found.doubtful == (1,)
    crop = cv2.imread(str(tmp_path / "die-2.png"))
    assert crop.shape[:2] == (36, 36)
    assert crop[18, 18].mean() == pytest.approx(130, abs=5)


@pytest.mark.parametrize("face", [0, 5])
@pytest.mark.parametrize("hiccup", [0.0, 2.0])
def test_a_cocked_die_that_is_laid_flat_where_it_lies_is_read_anew(
    face: int, hiccup: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vision, "read", partial(leaning, x=180))
    watch = after_a_throw({(60, 60): 3, (180, 120): face})
    laid = Film() if hiccup else Film().rest({}, 0.5, hand=True)
    camera = watch.camera = laid.rest({(60, 60): 3, (182, 120): 5}).camera()
    camera._taken = watch._taken + hiccup
    (found,) = seen(played(watch, job(1, 2), len(laid.frames)))
    assert (found.faces, found.doubtful) == (("3", "5"), ())


def test_a_die_in_doubt_that_is_turned_where_it_lies_is_shown_as_it_lies_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def doubting(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
        reading = read(frame, dice_sets)
        dice = tuple(msgspec.structs.replace(die, sure=False) for die in reading.dice)
        return msgspec.structs.replace(reading, dice=dice, sure=False)

    monkeypatch.setattr(vision, "read", doubting)
    turned = Film().rest({}, 0.5, hand=True).rest({(60, 60): 3, (182, 120): 2})
    (found,) = next_seen(after_a_throw(TWO), turned, job(1, 2))
    assert (found.faces, found.doubtful) == (("3", "2"), (0, 1))


def test_r10_a_die_in_doubt_of_an_earlier_roll_that_is_laid_flat_where_it_lies_is_not_thrown() -> None:
    watch = after_a_throw(COCKED)
    film = Film().rest(COCKED).rest({}, 0.5, hand=True).rest({(60, 60): 3, (182, 120): 5})
    assert not next_seen(watch, film, job(2, 2))


def test_a_throw_is_not_shown_anew_where_a_die_of_an_earlier_roll_is_laid_flat() -> None:
    watch, beside = after_a_throw(COCKED), {(240, 40): 0}
    film = Film().rest(COCKED).rest({}, 0.5, hand=True).rest(COCKED | beside)
    film.rest({}, 0.5, hand=True).rest({(60, 60): 3, (182, 120): 5} | beside)
    (found,) = next_seen(watch, film, job(2, 1))
    assert found.faces == (None,)


def test_of_dice_too_many_of_one_colour_those_of_another_are_not_framed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def coloured(frame: np.ndarray, dice_sets: object) -> Reading:
        reading = read(frame, dice_sets)
        colours = ("red" if die.bbox.y < 120 else "white" for die in reading.dice)
        dice = (msgspec.structs.replace(die, colour=c) for die, c in zip(reading.dice, colours, strict=True))
        return msgspec.structs.replace(reading, dice=tuple(dice))

    monkeypatch.setattr(vision, "read", coloured)
    colours = ("red", "white")
    own = DiceSet("demo", (DieKind("d6", Marks.PIPS, D6, tuple(map(Supply, colours))),))
    both = Roll("demo.both", "Roll", dice=tuple(Dice(f"demo.{one}", 1, D6, one) for one in colours))
    watch = TrayWatch(stills({(60, 60): 3, (180, 60): 5, (60, 190): 2}), tmp_path)
    (found,) = seen(played(watch, Job(1, both, groups(both, (own,)), (own,)), 1))
    assert (found.faces, found.others) == (("3", "2"), (("5",), ()))
    whole, cut = (cv2.imread(str(tmp_path / f"die-{at}.png")) for at in (1, 2))
    assert (whole.shape[:2], cut.shape[:2]) == ((240, 320), (36, 36))
    framed = np.argwhere((whole == FRAME).all(axis=2))
    assert framed.size
    assert (abs(framed - (72, 72)) < 20).all(), "the red one that is taken alone"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can play for another user")
def test_pictures_of_dice_that_root_throws_in_anothers_folder_are_that_ones(tmp_path: Path) -> None:
    os.chown(tmp_path, 65534, 65534)
    film = Film().rest({}).throw(TWO)
    watch = TrayWatch(film.camera(), tmp_path / "dice/newest roll")
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))
    assert len(found.pictures) == 2
    assert {place.stat().st_uid for place in tmp_path.rglob("*")} == {65534}


def test_of_a_folder_each_picture_is_one_throw() -> None:
    watch = TrayWatch(stills(TWO, TWO, {(60, 60): 6}))
    assert [one.faces for one in seen(played(watch, job(1, 2), 2))] == [("3", "5")] * 2
    assert [one.faces for one in seen(played(watch, job(3, 1), 1))] == [("6",)]


def test_what_is_odd_is_said_of_each_roll_anew() -> None:
    watch = TrayWatch(stills({}, {}))
    events = played(watch, job(1, 2), 1) + played(watch, job(2, 2), 1)
    assert notices(events) == ["none of these dice"] * 2
    waiting = TrayWatch(Film().rest({}, 3).camera())
    assert notices(played(waiting, job(1, 2), 20) + played(waiting, job(2, 2), 20)) == ["throw 2 dice"] * 2


def test_a_picture_without_the_dice_asked_for_is_spent_and_all_is_asked() -> None:
    watch = TrayWatch(stills({}, TWO))
    events = played(watch, job(1, 2), 1)
    assert [(one.faces, one.doubtful) for one in seen(events)] == [((None, None), (0, 1))]
    assert notices(events) == ["none of these dice"]


def test_why_every_die_of_a_half_taught_set_is_asked_about_is_said_at_each_roll(tmp_path: Path) -> None:
    dday = sets.save(sets.load("dday"), tmp_path)
    (kind,) = dday.kinds
    reds = Dice("dday.red", 2, tuple(GAME_FACES.get(face, face) for face in kind.faces), "red")
    battle = Roll("demo.battle", "Roll 2", dice=(reds,))

    def learn(face: str) -> None:
        for (x, y), size in zip(TWO, (24, 22), strict=True):
            keep = partial(teach.keep, set_folder=tmp_path / "dday")
            keep(picture(TWO), Box(x, y, size, size), "dday", "red", face)

    def said(watch: TrayWatch, n: int, frames: int) -> list[str]:
        in_use = (dday, sets.load("okinawa"))
        return notices(played(watch, Job(n, battle, groups(battle, in_use), in_use), frames))

    learn("star")
    why = "dday is half taught, each die is asked about: companion dice teach dday"
    watch = TrayWatch(Film().rest({}, 2).camera())
    assert [said(watch, n, 10) for n in (1, 2)] == [[f"throw 2 dice; {why}"]] * 2
    watch.camera = stills(TWO, TWO)
    assert said(watch, 3, 1) == [f"none of these dice; {why}"]
    for face in kind.faces:
        learn(face)
    dday = sets.save(DiceSet("dday", (kind, msgspec.structs.replace(kind, name="other"))), tmp_path)
    assert said(watch, 4, 1) == ["none of these dice"]
