"""The camera as a source of dice: from pictures to what is posted at the table (R10, R14)."""

import contextlib
import errno
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import repeat
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

import vision
from companion.engine.asks import Dice, Locked, Roll
from companion.engine.records import RolledDie, blob_name
from companion.table.camera_dice import COMES_AND_GOES, CameraDice, set_name
from companion.table.events import Habits, Notice, Seen
from companion.table.known_dice import relit
from companion.table.matching import GAME_FACES, Place, Throw, groups
from companion.table.named import MOST_WAYS, Named, carried, named_before, named_otherwise
from companion.table.photos import FRAME
from companion.table.tray_watch import Job, TrayWatch
from tests.table.film import HAND, Film, Tray, picture, read, stills
from tests.vision.test_tray_mat import OBLIQUE, photographed, rendered
from vision import Box, DiceSet, Die, DieKind, Marks, Reading, Supply, VisionError, sets, teach
from vision.camera import CameraError, Fault, open_camera
from vision.cameras.fake import FakeCamera
from vision.mat import Paper, mat, pdf
from vision.settle import VOTES
from vision.tray import TrayView

D6 = tuple("123456")


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vision, "read", read)


def leaning(frame: np.ndarray, dice_sets: tuple[DiceSet, ...], *, x: int) -> Reading:
    """The tray as it is read where a die at `x` leans."""
    reading = read(frame, dice_sets)
    dice = (msgspec.structs.replace(die, sure=die.sure and die.bbox.x != x) for die in reading.dice)
    return msgspec.structs.replace(reading, dice=tuple(dice))


def roll(count: int) -> Roll:
    return Roll("demo.roll", f"Roll {count}", dice=(Dice("d6", count, D6),))


def job(n: int, count: int) -> Job:
    dice_sets = (sets.load("d6"),)
    return Job(n, roll(count), groups(roll(count), dice_sets), dice_sets)


def played(watch: TrayWatch, work: Job, frames: int) -> list[Seen | Notice]:
    return [event for _ in range(frames) for event in watch.look(work)]


def seen(events: list[Seen | Notice]) -> list[Seen]:
    return [event for event in events if isinstance(event, Seen)]


def after_a_throw(tray: Tray) -> TrayWatch:
    """A watch that has seen this thrown into an empty tray."""
    film = Film().rest({}).throw(tray)
    watch = TrayWatch(film.camera())
    assert len(seen(played(watch, job(1, len(tray)), len(film.frames)))) == 1
    return watch


def next_seen(watch: TrayWatch, film: Film, work: Job) -> list[Seen]:
    """What a watch makes of the film that follows."""
    watch.camera = film.camera()
    return seen(played(watch, work, len(film.frames)))


def notices(events: list[Seen | Notice]) -> list[str]:
    return [event.text for event in events if isinstance(event, Notice) and event.text]


TWO = {(60, 60): 3, (180, 120): 5}
COCKED = {(60, 60): 3, (180, 120): 0}


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


ONES = {(200, 60): 1, (100, 180): 1}


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


SWEPT = {(250, 180): 3, (60, 190): 5}


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


def asked_and_named(count: int, tray: Tray, *answer: str) -> TrayWatch:
    """A watch that has seen this thrown, asked about it and been told what was entered."""
    film = Film().rest({}).throw(tray)
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, count), len(film.frames)))
    assert not found.is_settled
    assert found.answered is not None
    found.answered(answer)
    return watch


@pytest.mark.parametrize(
    ("then", "doubtful"),
    [
        ({(100, 60): 2}, (0,)),
        ({(250, 180): 4}, (0,)),
        ({(250, 180): 2}, ()),
    ],
    ids=["shoved", "put elsewhere as it was named", "thrown"],
)
def test_r14_a_die_that_was_named_by_hand_is_asked_about_where_it_may_only_have_been_moved(
    then: Tray, doubtful: tuple[int, ...]
) -> None:
    lying = {(60, 60): 0}
    watch = asked_and_named(1, lying, "4")
    later = Film().rest(lying).rest({}, 0.5, hand=True).rest(then)
    assert [one.doubtful for one in next_seen(watch, later, job(2, 1))] == [doubtful]


def test_r14_a_die_that_was_named_by_hand_is_known_by_that_while_it_lies_there() -> None:
    lying = {(60, 60): 0}
    watch = asked_and_named(1, lying, "4")
    both = {**lying, (180, 120): 5}
    (second,) = next_seen(watch, Film().rest(lying).throw(both), job(2, 1))
    assert second.is_settled
    swept = {(180, 120): 5, (60, 200): 4}
    (third,) = next_seen(watch, Film().rest(both).rest({}, 0.5, hand=True).rest(swept), job(3, 1))
    assert (third.faces, third.doubtful) == (("4",), (0,))


@pytest.mark.parametrize(
    ("is_seen_out", "then", "doubtful"),
    [
        (True, {(62, 60): 4}, (0,)),
        (False, {(250, 180): 4}, (0,)),
        (False, {(250, 180): 2}, ()),
        (True, {(250, 180): 4}, ()),
    ],
    ids=["put back", "swept", "thrown", "thrown, seen out before"],
)
def test_r14_a_die_that_was_misread_for_sure_and_named_is_asked_about_where_it_may_only_have_been_moved(
    is_seen_out: bool, then: Tray, doubtful: tuple[int, ...]
) -> None:
    lying = {(60, 60): 3}
    film = Film().rest({}).throw(lying)
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, 1), len(film.frames)))
    assert found.is_settled
    assert found.answered is not None
    found.answered(["4"])
    later = Film().rest(lying).rest({}, 0.4, hand=True).rest({}, 1.0 if is_seen_out else 0.1)
    (moved,) = next_seen(watch, later.rest({}, 0.3, hand=True).rest(then), job(2, 1))
    assert (moved.faces, moved.doubtful) == ((str(*then.values()),), doubtful)


def test_r14_a_die_that_was_named_is_known_by_that_also_when_the_camera_was_knocked() -> None:
    lying, knocked = {(60, 60): 3, (180, 120): 2}, {(90, 60): 3, (210, 120): 2}
    film = Film().rest({}).throw(lying)
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))
    assert found.answered is not None
    found.answered(["4", "2"])
    later = Film().rest(lying).rest(knocked).rest({}, 0.5, hand=True).rest({(250, 180): 4, (210, 120): 2})
    (moved,) = next_seen(watch, later, job(2, 1))
    assert (moved.faces, moved.doubtful) == (("4",), (0,))


def test_r14_a_die_that_was_named_is_known_by_that_though_the_camera_is_knocked_before_a_roll() -> None:
    knocked = {(90, 60): 3, (210, 120): 2, (130, 190): 0}
    watch = asked_and_named(3, {(60, 60): 3, (180, 120): 2, (100, 190): 0}, "4", "2", "5")
    swept = {(250, 180): 4, (210, 120): 2, (130, 190): 0}
    later = Film().rest(knocked).rest({}, 0.5, hand=True).rest(swept)
    (moved,) = next_seen(watch, later, job(2, 1))
    assert (moved.faces, moved.doubtful) == (("4",), (0,))


@pytest.mark.parametrize(
    "pushed",
    [
        [{(74, 60): 3, (60, 120): 2, (200, 180): 5}, {(88, 60): 3, (60, 120): 2, (200, 180): 5}],
        [{(100, 60): 3, (100, 120): 2, (200, 180): 5}],
    ],
    ids=["twice, a little", "alike with another by a hand"],
)
def test_r14_a_die_that_was_misread_for_sure_and_named_is_known_by_that_where_it_is_pushed(
    pushed: list[Tray],
) -> None:
    lying = {(60, 60): 3, (60, 120): 2, (200, 180): 5}
    film = Film().rest({}).throw(lying)
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, 3), len(film.frames)))
    assert found.answered is not None
    found.answered(["4", "2", "5"])
    for tray in pushed:
        assert not next_seen(watch, Film().rest(tray), job(2, 1))
    swept = {at: face for at, face in pushed[-1].items() if face != 3} | {(260, 100): 4}
    (moved,) = next_seen(watch, Film().rest({}, 0.5, hand=True).rest(swept), job(2, 1))
    assert (moved.faces, moved.doubtful) == (("4",), (0,))


def test_r14_a_die_that_was_misread_for_sure_is_known_as_it_is_named_though_it_was_nudged_before() -> None:
    film = Film().rest({}).throw(TWO)
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))
    for x in (74, 88):
        assert not next_seen(watch, Film().rest({(x, 60): 3, (180, 120): 5}), job(1, 2))
    assert found.answered is not None
    found.answered(["4", "5"])
    swept = Film().rest({(88, 60): 3, (180, 120): 5}).rest({}, 0.5, hand=True)
    (moved,) = next_seen(watch, swept.rest({(250, 190): 4, (180, 120): 5}), job(2, 1))
    assert (moved.faces, moved.doubtful) == (("4",), (0,))


def test_r14_a_die_is_known_as_it_is_named_just_while_a_look_at_a_tray_that_was_knocked_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    film = Film().rest({}).throw(TWO)
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))

    def named_meanwhile(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
        assert found.answered is not None
        found.answered(["4", "5"])
        return read(frame, dice_sets)

    knocked = {(100, 60): 3, (220, 120): 5}
    monkeypatch.setattr(vision, "read", named_meanwhile)
    next_seen(watch, Film().rest(knocked), job(1, 2))
    monkeypatch.setattr(vision, "read", read)
    swept = Film().rest(knocked).rest({}, 0.5, hand=True).rest({(220, 120): 5, (250, 190): 4})
    (moved,) = next_seen(watch, swept, job(2, 1))
    assert (moved.faces, moved.doubtful) == (("4",), (0,))


def test_r14_a_die_that_was_misread_for_sure_and_named_is_known_by_that_after_a_roll_without_camera() -> None:
    lying = {(60, 60): 3, (180, 120): 0}
    watch = asked_and_named(2, lying, "4", "2")
    watch.camera = Film().fault(Fault.MISSING).camera()
    with pytest.raises(CameraError):
        played(watch, job(2, 1), 1)
    swept = Film().rest(lying).rest({}, 0.5, hand=True).rest({(250, 180): 4, (180, 120): 0})
    (moved,) = next_seen(watch, swept, job(3, 1))
    assert (moved.faces, moved.doubtful) == (("4",), (0,))


def test_r14_a_die_that_was_named_is_known_by_that_where_an_earlier_roll_is_named_anew_after_an_undo() -> (
    None
):
    film = Film().rest({}).throw({(60, 60): 3})
    watch = TrayWatch(film.camera())
    (first,) = seen(played(watch, job(1, 1), len(film.frames)))
    both = {(60, 60): 3, (180, 120): 5}
    (second,) = next_seen(watch, Film().rest({(60, 60): 3}).throw(both), job(2, 1))
    for found, named in ((second, "6"), (first, "4"), (first, "3")):
        assert found.answered is not None
        found.answered([named])
    swept = Film().rest(both).rest({}, 0.5, hand=True).rest({(60, 60): 3, (250, 190): 6})
    (moved,) = next_seen(watch, swept, job(3, 1))
    assert (moved.faces, moved.doubtful) == (("6",), (0,))


def test_r14_a_die_that_is_named_anew_after_an_undo_is_known_by_that_though_it_was_nudged_before() -> None:
    film = Film().rest({}).throw({(60, 60): 3})
    watch = TrayWatch(film.camera())
    (first,) = seen(played(watch, job(1, 1), len(film.frames)))
    for x in (74, 88):
        assert not next_seen(watch, Film().rest({(x, 60): 3}), job(2, 1))
    both = {(88, 60): 3, (180, 120): 0}
    assert len(next_seen(watch, Film().rest({(88, 60): 3}).throw(both), job(2, 1))) == 1
    assert first.answered is not None
    first.answered(["4"])
    swept = Film().rest(both).rest({}, 0.5, hand=True).rest({(180, 120): 0, (250, 190): 4})
    (moved,) = next_seen(watch, swept, job(3, 1))
    assert (moved.faces, moved.doubtful) == (("4",), (0,))


@pytest.mark.parametrize(
    ("faces", "count", "answers", "then", "is_settled"),
    [
        ((3, 2, 5), 2, ["42"], 4, False),
        ((2, 3, 5), 2, ["42"], 4, False),
        ((0, 5), 1, ["4"], 4, False),
        ((6, 2, 5), 2, ["22"], 2, False),
        ((3, 2, 5), 2, ["42"], 6, True),
        ((3, 2, 5), 2, ["42", "52"], 4, True),
        ((0, 5), 1, ["4", "5"], 4, True),
    ],
    ids=["the first", "the second", "a cocked one", "as another", "thrown", "anew as read", "anew, cocked"],
)
def test_r14_a_die_of_too_many_that_was_named_otherwise_is_asked_about_where_it_may_only_have_been_moved(
    faces: tuple[int, ...], count: int, answers: list[str], then: int, *, is_settled: bool
) -> None:
    """Whichever of them it was: the first of them is swept."""
    first, *places = [(60, 60), (180, 120), (250, 30)][: len(faces)]
    lying = dict(zip([first, *places], faces, strict=True))
    film = Film().rest({}).throw(lying)
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, count), len(film.frames)))
    assert any(found.others)
    assert found.answered is not None
    for answer in answers:
        found.answered(answer)
    swept = {at: lying[at] for at in places} | {(120, 200): then}
    (moved,) = next_seen(watch, Film().rest(lying).rest({}, 0.5, hand=True).rest(swept), job(2, 1))
    assert (moved.faces, moved.is_settled) == ((str(then),), is_settled)


def test_r14_a_roll_that_lacks_a_die_is_answered_though_the_tray_has_moved_since() -> None:
    film = Film().rest({}).throw({(60, 60): 3})
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))
    next_seen(watch, Film().rest({(74, 60): 3}), job(1, 2))
    assert found.answered is not None
    found.answered(["4", "5"])
    swept = Film().rest({(74, 60): 3}).rest({}, 0.5, hand=True).rest({(250, 190): 4})
    (moved,) = next_seen(watch, swept, job(2, 1))
    assert (moved.faces, moved.doubtful) == (("4",), (0,))


def test_dice_of_another_look_are_not_named_by_what_a_person_calls_these() -> None:
    both = Roll("demo.both", "Roll 2", dice=(Dice("d6", 1, D6), Dice("d10", 1, tuple("0123456789"))))
    six, ten = groups(both, (sets.load("d6"), sets.load("d10")))
    dice = [
        Die(die=kind, face="3", confidence=0.9, bbox=Box(x, 60, 24, 24), sure=True)
        for kind, x in (("d6", 60), ("d10", 180))
    ]
    places = [Place(group, die, "3", doubtful=False) for group, die in zip((six, ten), dice, strict=True)]
    named = named_otherwise(Throw(tuple(places)), ["4", "5"])
    assert [(die.die, die.face) for die in named] == [("d6", "4"), ("d10", "5")]


@pytest.mark.parametrize(("lying", "then"), [(TWO, 4), (COCKED, 4), (COCKED, 3)])
def test_r14_dice_that_were_named_in_another_order_are_asked_about_where_they_may_only_have_been_moved(
    lying: Tray, then: int
) -> None:
    """A 3 and a 4 lie there; the 3 was read, and whether the first or the second is moved, it is known."""
    film = Film().rest({}).throw(lying)
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))
    assert found.answered is not None
    found.answered(["4", "3"])
    left = {at: face for at, face in lying.items() if (face == 3) == (then == 4)}
    swept = Film().rest(lying).rest({}, 0.5, hand=True).rest({**left, (250, 190): then})
    (moved,) = next_seen(watch, swept, job(2, 1))
    assert (moved.faces, moved.doubtful) == ((str(then),), (0,))


def test_a_die_that_was_misread_is_not_what_one_beside_it_was_rightly_read_as() -> None:
    film = Film().rest({}).throw(TWO)
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))
    assert found.answered is not None
    found.answered(["4", "5"])
    again = Film().rest(TWO).rest({}, 0.5, hand=True).rest({(180, 120): 5, (250, 190): 5})
    (thrown,) = next_seen(watch, again, job(2, 1))
    assert (thrown.faces, thrown.is_settled) == (("5",), True)


def test_r14_a_die_is_what_it_is_read_as_again_once_it_was_seen_out_after_it_was_named() -> None:
    film = Film().rest({}).throw({(60, 60): 3})
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, 1), len(film.frames)))
    found.answered(["4"])
    again = Film().rest({(60, 60): 3}).rest({}, 0.4, hand=True).rest({}).throw({(62, 60): 2})
    (found,) = next_seen(watch, again, job(2, 1))
    found.answered(["2"])
    (thrown,) = next_seen(watch, Film().rest({(62, 60): 2}).throw({(250, 180): 4}), job(3, 1))
    assert (thrown.faces, thrown.doubtful) == (("4",), ())


def test_r14_a_die_that_was_misread_for_sure_and_named_is_locked_as_it_was_named() -> None:
    lying = {(60, 60): 3, (180, 120): 2}
    film = Film().rest({}).throw(lying)
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))
    assert found.answered is not None
    found.answered(["4", "2"])
    reroll = Roll("demo.again", "Roll 1", dice=(Dice("d6", 1, D6),), locked=(Locked("d6", "4"),))
    dice_sets = (sets.load("d6"),)
    work = Job(2, reroll, groups(reroll, dice_sets), dice_sets)
    locked = {(60, 60): 3}
    again = Film().rest(lying).rest(locked, 0.4, hand=True).rest(locked).throw({**locked, (200, 60): 4})
    (thrown,) = next_seen(watch, again, work)
    assert (thrown.faces, thrown.doubtful) == (("4",), ())


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


def coloured(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
    """Dice of which those that show a 5 or 6 are black."""
    reading = read(frame, dice_sets)
    colours = ("black" if die.face in ("5", "6") else "red" for die in reading.dice)
    dice = (
        msgspec.structs.replace(die, die="d10", colour=colour)
        for die, colour in zip(reading.dice, colours, strict=True)
    )
    return msgspec.structs.replace(reading, dice=tuple(dice))


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


def blind(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
    """The tray as it is read where no die is found at its left."""
    reading = read(frame, dice_sets)
    return msgspec.structs.replace(reading, dice=tuple(die for die in reading.dice if die.bbox.x > 60))


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


@pytest.mark.parametrize("by_bits", [False, True])
def test_r14_a_die_that_a_hand_hid_at_the_rim_in_the_very_first_scene_is_asked_about(by_bits: bool) -> None:
    hidden, film = {(30, 152): 3}, Film()
    for right in (70, 60) if by_bits else (70,):
        film.rest(hidden)
        for frame in film.frames[-15:]:
            cv2.rectangle(frame, (0, 80), (right, 180), HAND, -1)
    film.rest(hidden).rest({}, 0.5, hand=True).rest({}).throw({(180, 60): 2})
    under, thrown = seen(played(TrayWatch(film.camera()), job(1, 1), len(film.frames)))
    assert (under.faces, under.doubtful) == (("3",), (0,))
    assert (thrown.faces, thrown.doubtful) == (("2",), ())


def test_r14_a_die_that_lay_below_a_card_in_the_very_first_scene_is_asked_about() -> None:
    film = Film().rest({})
    for frame in film.frames:
        cv2.rectangle(frame, (100, 60), (190, 190), HAND, -1)
    film.rest({(140, 120): 3}).rest({}, 0.5, hand=True).rest({}).throw({(180, 60): 2})
    under, thrown = seen(played(TrayWatch(film.camera()), job(1, 1), len(film.frames)))
    assert (under.faces, under.doubtful) == (("3",), (0,))
    assert (thrown.faces, thrown.doubtful) == (("2",), ())


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


def test_where_the_pictures_of_dice_can_not_be_shown_they_are_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    film = Film().rest({}).throw(TWO)
    (found,) = seen(played(TrayWatch(film.camera(), tmp_path / "file"), job(1, 2), len(film.frames)))
    assert (found.faces, found.pictures) == (("3", "5"), ())


@pytest.mark.parametrize(
    ("before", "after", "is_another"), [(60, 90, False), (60, 110, True), (110, 60, True), (10, 20, False)]
)
def test_the_light_is_another_where_much_more_or_less_of_it_falls_on_the_tray(
    before: int, after: int, is_another: bool
) -> None:
    one, other = (np.full((24, 32, 3), mean, np.uint8) for mean in (before, after))
    assert relit(one, other) is is_another


@pytest.mark.parametrize(
    ("since", "kept"),
    [
        (Film().rest(COCKED), "2 samples kept"),
        (Film().rest(COCKED).rest(COCKED).shade(15), "2 samples kept"),
        (Film().rest(COCKED, 0.5).rest({(60, 60): 3}, 0.2, hand=True), "nothing learnt"),
        (Film().rest({(60, 60): 3}, 0.5, hand=True).rest({(60, 60): 3, (220, 60): 6}, 0.1), "nothing learnt"),
        (Film().rest({(60, 60): 3, (220, 60): 6}), "nothing learnt"),
        (Film().rest(COCKED, 0.5).rest({}), "nothing learnt"),
        (Film().rest({}, 0.5, hand=True).rest({(60, 60): 3, (182, 120): 6}), "nothing learnt"),
    ],
    ids=["lies", "shaded", "taken out", "rolls", "thrown again", "all taken out", "laid flat"],
)
def test_dice_that_were_thrown_again_are_not_learnt_as_they_lay(
    since: Film, kept: str, tmp_path: Path
) -> None:
    film = Film().rest({}).throw(COCKED)
    watch = TrayWatch(film.camera(), taught=tmp_path)
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))
    watch.camera = since.camera()
    played(watch, job(1, 2), len(since.frames))
    assert found.learn is not None
    assert found.learn(["3", "6"]).startswith(kept)
    assert (tmp_path / "d6").exists() == (kept != "nothing learnt")


def test_what_a_set_lacks_yet_and_what_can_not_be_kept_is_said_of_what_was_learnt(tmp_path: Path) -> None:
    def learnt(dice_set: DiceSet, face: str, tray: Tray) -> str:
        one = Roll("demo.one", "Roll 1", dice=(Dice("d6", 1, dice_set.kinds[0].faces),))
        watch = TrayWatch(stills(tray), taught=tmp_path)
        in_use = (sets.load("d10"), dice_set)
        (found,) = seen(played(watch, Job(1, one, groups(one, (dice_set,)), in_use), 1))
        assert found.learn is not None
        return found.learn([face])

    numerals = DiceSet("num", (DieKind("d6", Marks.NUMERALS, ("1", "2")),))
    said = [learnt(numerals, face, {at: 0}) for at in TWO for face in ("1", "2")]
    assert said == ["1 sample kept; num needs 2 of each face"] * 3 + ["1 sample kept"]
    other = DieKind("coin", Marks.SYMBOLS, ("heads", "tails"))
    both = DiceSet("both", (*numerals.kinds, other))
    said = [learnt(both, face, {at: 0}) for at in TWO for face in ("1", "2")]
    assert said == ["1 sample kept; both needs 2 of each face"] * 4, "the coin was not taught"
    halves = DiceSet("halves", (DieKind("d6", Marks.SYMBOLS, ("1/2", "2")),))
    assert "samples can't be kept: '1/2' can't name" in learnt(halves, "1/2", {(60, 60): 0})


def test_of_dice_that_were_learnt_those_are_taken_back_that_are_named_otherwise_since(tmp_path: Path) -> None:
    taught = sets.save(DiceSet("num", (DieKind("d6", Marks.NUMERALS, ("1", "2")),)), tmp_path)
    two = Roll("demo.two", "Roll", dice=(Dice("d6", 2, ("1", "2")),))
    watch = TrayWatch(stills({(60, 60): 1, (180, 120): 2}), taught=tmp_path)
    (found,) = seen(played(watch, Job(1, two, groups(two, (taught,)), (taught,)), 1))
    assert found.learn is not None
    assert found.unlearn is not None
    assert found.learn(["1", "2"]).startswith("2 samples kept")
    assert [found.unlearn(["1", "1"]) for _ in range(2)] == ["1 sample taken back", ""]
    assert [one.face for one in teach.samples(sets.load("num", tmp_path))] == ["1"]


def test_what_others_taught_a_set_since_the_roll_was_asked_for_stays(tmp_path: Path) -> None:
    taught = sets.save(DiceSet("num", (DieKind("d6", Marks.NUMERALS, ("1", "2")),)), tmp_path)
    two = Roll("demo.two", "Roll", dice=(Dice("d6", 2, ("1", "2")),))
    watch = TrayWatch(stills({(60, 60): 1, (180, 120): 2}), taught=tmp_path)
    (found,) = seen(played(watch, Job(1, two, groups(two, (taught,)), (taught,)), 1))
    more = sets.save(DiceSet("num", (DieKind("d6", Marks.NUMERALS, ("1", "2", "3")),)), tmp_path)
    assert found.learn is not None
    assert found.learn(["1", "2"]).startswith("2 samples kept")
    assert sets.load("num", tmp_path) == more


def test_of_a_kind_that_is_taught_in_full_only_dice_that_were_in_doubt_or_wrong_are_learnt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsure_of_twos(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
        reading = read(frame, dice_sets)
        dice = (msgspec.structs.replace(die, sure=die.face != "2") for die in reading.dice)
        return msgspec.structs.replace(reading, dice=tuple(dice))

    def learnt(tray: Tray, *answer: str) -> str:
        some = Roll("demo.some", "Roll", dice=(Dice("d6", len(answer), ("1", "2")),))
        watch = TrayWatch(stills(tray), taught=tmp_path)
        (found,) = seen(played(watch, Job(1, some, groups(some, (taught,)), (taught,)), 1))
        assert found.learn is not None
        return found.learn(answer)

    monkeypatch.setattr(vision, "read", unsure_of_twos)
    taught = sets.save(DiceSet("num", (DieKind("d6", Marks.NUMERALS, ("1", "2")),)), tmp_path)
    for (x, y), face in [(at, face) for at in TWO for face in ("1", "2")]:
        teach.keep(picture(TWO), Box(x, y, 24, 22 + int(face)), "d6", None, face, set_folder=tmp_path / "num")
    assert teach.complete(taught) == {"d6"}
    assert learnt({(60, 60): 1}, "1") == "nothing to learn from these dice"
    assert learnt({(60, 60): 2}, "2") == "1 sample kept"
    assert learnt({(60, 60): 1}, "2") == "1 sample kept"
    assert learnt({(60, 60): 1}, "1", "2") == "nothing to learn from these dice"  # one was not in the tray


def test_nothing_is_learnt_while_the_camera_is_away_or_the_dice_thrown_since_can_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(frame: np.ndarray, dice_sets: object) -> Reading:
        raise vision.FrameError("a sample that was removed just now")

    film = Film().rest({}).throw(COCKED)
    watch = TrayWatch(film.camera(), taught=tmp_path)
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))
    watch.camera.trouble = CameraError(Fault.SILENT, "the camera is silent")
    assert found.learn(["3", "6"]).startswith("nothing learnt")
    since = Film().rest({(60, 60): 3, (220, 60): 6})
    watch.camera = since.camera()
    monkeypatch.setattr(vision, "read", failing)
    with pytest.raises(vision.FrameError):
        played(watch, job(1, 2), len(since.frames))
    assert found.learn(["3", "6"]).startswith("nothing learnt")


@pytest.mark.parametrize(("tray", "faces"), [(TWO, "35"), (COCKED, ["3", ""])])
def test_the_evidence_has_source_confidence_and_a_picture_of_each_die(tray: Tray, faces: list[str]) -> None:
    film = Film().rest({}).throw(tray)
    (found,) = seen(played(TrayWatch(film.camera()), job(1, 2), len(film.frames)))
    assert [(one.die, one.face, one.source) for one in found.evidence.dice] == [
        ("d6", face, "camera") for face in faces
    ]
    assert all(one.confidence == pytest.approx(0.9) for one in found.evidence.dice)
    assert [one.photo for one in found.evidence.dice] == [blob_name(data) for data in found.evidence.photos]


@pytest.mark.parametrize(
    ("since", "said", "journaled"),
    [
        (Film().rest({}), "46", None),
        (Film().rest({}), "34", [("3", None), ("4", "5")]),
        (Film().rest(TWO), "46", [("4", "3"), ("6", "5")]),
        (Film().rest({}, hand=True), "46", [("4", "3"), ("6", "5")]),
    ],
    ids=["others thrown", "the doubtful one named", "misread", "a hand over them"],
)
def test_of_dice_that_were_taken_out_nothing_is_kept_where_a_sure_one_is_said_otherwise(
    since: Film, said: str, journaled: list[tuple[str, str | None]] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The camera may be lost then, and others be thrown that it never sees."""
    monkeypatch.setattr(vision, "read", partial(leaning, x=180))
    film = Film().rest({}).throw(TWO)
    watch = TrayWatch(film.camera())
    found = seen(played(watch, job(1, 2), len(film.frames)))[-1]
    found = (next_seen(watch, since, job(1, 2)) or [found])[-1]
    evidence = found.evidence_for(list(said), roll(2).each)
    assert (evidence and [(one.face, one.read) for one in evidence.dice]) == journaled


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


class Post:
    """Collects what is posted, and can wait for it."""

    def __init__(self) -> None:
        self.events: list[Seen | Notice] = []

    def __call__(self, event: Seen | Notice) -> None:
        self.events.append(event)

    def until(self, there: Callable[["Post"], object]) -> None:
        deadline = time.monotonic() + 20
        while not there(self):
            assert time.monotonic() < deadline, self.events
            time.sleep(0.005)


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
def source(request: pytest.FixtureRequest) -> Iterator[CameraDice]:
    source = CameraDice(request.param)
    yield source
    source.close()


FAILING = Film().rest({}).fault(Fault.MISSING).fault(Fault.MISSING).rest({}).throw(TWO).camera()


@pytest.mark.parametrize("source", [FAILING], indirect=True)
def test_a_camera_that_fails_is_said_once_and_taken_back_when_it_returns(
    source: CameraDice, post: Post
) -> None:
    source.watch(4, roll(2), post)
    post.until(lambda post: seen(post.events))
    assert notices(post.events).count("dice by hand: the camera is missing") == 1
    assert notices(post.events).count("camera is back") == 1
    assert seen(post.events)[0].faces == ("3", "5")


LOOSE = Film().rest({})
for _ in range(6):
    LOOSE.fault(Fault.MISSING).rest({}, 0.2)
LOOSE = LOOSE.throw(TWO).camera()


@pytest.mark.parametrize("source", [LOOSE], indirect=True)
def test_r10_a_camera_that_comes_and_goes_is_said_once_a_roll_to_be_loose(
    source: CameraDice, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.table.camera_dice.RETRY", 0.0)
    source.watch(4, roll(2), post)
    post.until(lambda post: seen(post.events))
    lost, back = "dice by hand: the camera is missing", "camera is back"
    of_cable = [text for text in notices(post.events) if "camera" in text]
    assert of_cable == [lost, back, lost, back, f"dice by hand: {COMES_AND_GOES}"]
    assert seen(post.events)[0].faces == ("3", "5")
    source.rest()
    post.events.clear()
    later = Film().fault(Fault.MISSING).fault(Fault.MISSING).fault(Fault.MISSING).rest({}, 0.2)
    later.fault(Fault.MISSING).rest({}, 0.2)
    LOOSE._script, LOOSE._taken = iter(later.frames), 600.0
    source.watch(5, roll(2), post)
    post.until(lambda post: notices(post.events).count(back) == 2)
    assert [text for text in notices(post.events) if "camera" in text][:4] == [lost, back, lost, back]


@pytest.mark.parametrize("camera", [stills(TWO), Film().rest({}).throw(TWO).camera()], ids=["stills", "live"])
def test_a_camera_that_is_pulled_out_while_its_picture_is_read_is_said_before_that_is_done(
    camera: FakeCamera, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads, read_on = threading.Event(), threading.Event()

    def slowly(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
        reads.set()
        assert read_on.wait(10)
        return read(frame, dice_sets)

    monkeypatch.setattr(vision, "read", slowly)
    source = CameraDice(camera)
    source.watch(4, roll(2), post)
    assert reads.wait(10)
    camera.trouble = CameraError(Fault.SILENT, "the camera is silent")
    post.until(lambda post: notices(post.events) == ["dice by hand: the camera is silent"])
    read_on.set()
    post.until(lambda post: seen(post.events))
    assert "camera is back" not in notices(post.events)
    source.close()


GONE = FakeCamera([CameraError(Fault.MISSING, "the camera is missing")] * 1000)


@pytest.mark.parametrize("source", [GONE], indirect=True)
def test_a_camera_that_stays_away_is_said_again_at_the_next_roll(source: CameraDice, post: Post) -> None:
    for n in (1, 2):
        source.watch(n, roll(2), post)
        post.until(lambda post, n=n: len(notices(post.events)) == n)
        source.rest()
    assert {text.partition(":")[0] for text in notices(post.events)} == {"dice by hand"}
    assert sum(1 for _ in GONE._script) > 950, "it is not asked again and again without a pause"


@pytest.mark.parametrize("source", [stills(TWO, {(60, 60): 6})], indirect=True)
def test_a_picture_is_spent_on_one_roll_alone(source: CameraDice, post: Post) -> None:
    source.watch(1, roll(2), post)
    post.until(lambda post: seen(post.events))
    source.rest()
    source.watch(2, roll(1), post)
    post.until(lambda post: len(seen(post.events)) == 2)
    assert [(one.n, one.faces) for one in seen(post.events)] == [(1, ("3", "5")), (2, ("6",))]


TORN = CameraError(Fault.MISSING, "roll-2.jpg is damaged")


@pytest.mark.parametrize(
    "source",
    [FakeCamera([picture({**ONES, (250, 30): 1}), TORN, *[picture(TWO)] * 2], stills=True)],
    indirect=True,
)
def test_what_comes_after_a_picture_that_can_not_be_read_may_be_the_next_throw_and_is_not_taken_unasked(
    source: CameraDice, post: Post
) -> None:
    for n in (1, 2, 3):
        source.watch(n, roll(2), post)
        post.until(lambda post, n=n: len(seen(post.events)) == n)
        post.until(lambda post, n=n: n != 2 or "is the next one" in notices(post.events)[-1])
        source.rest()
    assert "dice by hand: roll-2.jpg is damaged" in notices(post.events)
    assert notices(post.events)[-1] == "roll-2.jpg is damaged; is the next one this throw?"
    assert "camera is back" not in notices(post.events)
    assert [one.is_settled for one in seen(post.events)] == [True, False, True]
    assert {one.doubtful for one in seen(post.events)} == {()}


def test_a_picture_that_comes_after_the_last_one_is_taken_as_any_other(post: Post, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "roll-1.png"), picture(TWO))
    with contextlib.closing(CameraDice(open_camera(tmp_path))) as source:
        source.watch(1, roll(2), post)
        post.until(lambda post: seen(post.events))
        source.watch(2, roll(2), post)
        post.until(lambda post: any("been played" in text for text in notices(post.events)))
        cv2.imwrite(str(tmp_path / "roll-2.png"), picture(TWO))
        post.until(lambda post: len(seen(post.events)) == 2)
    assert all(one.is_settled for one in seen(post.events))


@pytest.mark.parametrize("source", [stills(TWO)], indirect=True)
def test_when_the_pictures_are_over_the_player_goes_on_by_hand(source: CameraDice, post: Post) -> None:
    source.watch(1, roll(2), post)
    post.until(lambda post: seen(post.events))
    source.watch(2, roll(2), post)
    post.until(lambda post: any("by hand" in text for text in notices(post.events)))
    assert len(seen(post.events)) == 1


DDAY = tuple(GAME_FACES.get(face, face) for face in sets.load("dday").kinds[0].faces)


@pytest.mark.parametrize(
    ("dice", "why"),
    [
        (Dice("chit.white", 1, tuple("ABC")), "no dice set 'chit'"),
        (Dice("okinawa.d8", 1, tuple("12345678")), "no set here has okinawa.d8"),
        (Dice("dday.red", 1, DDAY), "dday has not been taught: companion dice teach dday"),
    ],
)
@pytest.mark.parametrize("source", [stills(TWO)], indirect=True)
def test_dice_that_can_not_be_read_are_said_to_be_the_players(
    source: CameraDice, post: Post, dice: Dice, why: str
) -> None:
    source.watch(1, Roll("cup", "Draw", dice=(dice,)), post)
    assert notices(post.events)[0].startswith(f"dice by hand: {why}")


def test_dice_of_a_half_taught_set_are_looked_for(post: Post, tmp_path: Path) -> None:
    folder = Path(sets.save(sets.load("dday"), tmp_path).taught)
    teach.keep(picture(TWO), Box(60, 60, 24, 24), "dday", "red", "star", set_folder=folder)
    with contextlib.closing(CameraDice(stills(TWO), taught=tmp_path)) as source:
        source.watch(1, Roll("cup", "Draw", dice=(Dice("dday.red", 1, DDAY, "red"),)), post)
        post.until(lambda post: seen(post.events))
    assert notices(post.events)[0].endswith(
        "dday is half taught, each die is asked about: companion dice teach dday"
    )


@pytest.mark.parametrize("following", [(), ((5, ("6",)),)], ids=["no roll", "a roll"])
def test_what_is_seen_when_its_roll_was_answered_already_is_not_told(
    post: Post, monkeypatch: pytest.MonkeyPatch, following: tuple[tuple[int, tuple[str, ...]], ...]
) -> None:
    reads, read_on = threading.Event(), threading.Event()

    def slowly(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
        reads.set()
        assert read_on.wait(10)
        return read(frame, dice_sets)

    monkeypatch.setattr(vision, "read", slowly)
    with contextlib.closing(CameraDice(stills(TWO, {(60, 60): 6}))) as source:
        source.watch(4, roll(1), post)
        assert reads.wait(10)
        source.rest()
        for n, _ in following:
            source.watch(n, roll(1), post)
        read_on.set()
        post.until(lambda post: len(seen(post.events)) == len(following))
    assert tuple((one.n, one.faces) for one in seen(post.events)) == following
    assert following or not post.events


@pytest.mark.parametrize("stop", [CameraDice.rest, CameraDice.close], ids=["answered", "closed"])
@pytest.mark.parametrize("fails", [True, False], ids=["fails", "is back"])
def test_how_the_camera_does_is_not_told_when_its_roll_was_answered_already(
    stop: Callable[[CameraDice], None], post: Post, monkeypatch: pytest.MonkeyPatch, *, fails: bool
) -> None:
    """After the end whoever plays next would be told."""
    reads, read_on = threading.Event(), threading.Event()

    def slowly(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
        reads.set()
        assert read_on.wait(10)
        if fails:
            raise VisionError("it can't be read")
        return read(frame, dice_sets)

    monkeypatch.setattr(vision, "read", slowly)
    pictures = [] if fails else [CameraError(Fault.MISSING, "the camera is missing")]
    source = CameraDice(FakeCamera([*pictures, picture(TWO)], stills=True))
    source.watch(4, roll(2), post)
    assert reads.wait(10)
    post.events.clear()
    ended = threading.Thread(target=stop, args=[source])
    ended.start()
    while source._order is not None:
        time.sleep(0.005)
    read_on.set()
    ended.join(10)
    source.close()
    assert post.events == []


def test_where_the_disk_does_not_give_what_was_taught_the_player_enters_the_dice(
    post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dying(_: DiceSet) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(teach, "samples", dying)
    with contextlib.closing(CameraDice(FakeCamera(repeat(picture({}))), taught=tmp_path)) as source:
        source.watch(1, roll(1), post)
        assert notices(post.events) == ["dice by hand: [Errno 5] Input/output error"]


def test_closing_lets_the_camera_go_also_one_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.camera_dice.ASK_AFTER", 0.01)
    camera, closed = stills(TWO), threading.Event()
    camera.close = closed.set
    camera.trouble = CameraError(Fault.SILENT, "the camera is silent")
    source = CameraDice(camera)
    threads = [one for one in threading.enumerate() if one.name.startswith("camera")]
    time.sleep(0.1)
    source.close()
    for thread in threads:
        thread.join(timeout=5)
    assert closed.is_set()
    assert not any(thread.is_alive() for thread in threads)


CUP = Roll("cup", "Draw", dice=(Dice("chit.white", 1, tuple("ABC")),))


@pytest.mark.parametrize(
    "stop",
    [CameraDice.rest, CameraDice.pass_over, lambda source: source.watch(2, CUP, Post())],
    ids=["answered", "kept", "unreadable"],
)
def test_while_no_dice_are_looked_for_nothing_is_said_of_the_camera(
    stop: Callable[[CameraDice], None], post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.table.camera_dice.ASK_AFTER", 0.01)
    camera = FakeCamera(repeat(picture({})))
    with contextlib.closing(CameraDice(camera)) as source:
        source.watch(1, roll(1), post)
        post.until(lambda post: notices(post.events))
        stop(source)
        post.events.clear()
        camera.trouble = CameraError(Fault.SILENT, "the camera is silent")
        time.sleep(0.2)
    assert post.events == []


@pytest.mark.parametrize(
    "by_hand", [CameraDice.pass_over, lambda source: source.watch(2, CUP, Post())], ids=["kept", "unreadable"]
)
def test_r10_dice_of_a_roll_that_was_not_watched_for_are_not_those_of_the_next(
    by_hand: Callable[[CameraDice], None], post: Post
) -> None:
    camera = Film().rest({}).throw(TWO).camera()
    later = Film().rest(ONES, 2).throw({(60, 200): 3, (140, 60): 1})
    with contextlib.closing(CameraDice(camera)) as source:
        source.watch(1, roll(2), post)
        post.until(lambda post: seen(post.events))
        source.rest()
        by_hand(source)
        post.events.clear()
        camera._script, camera._taken = iter(later.frames), 600.0
        source.watch(3, roll(2), post)
        post.until(lambda post: any("by hand" in text for text in notices(post.events)))
    assert [set(one.faces) for one in seen(post.events)] == [{"3", "1"}]


def test_a_games_die_names_its_set() -> None:
    assert [set_name(die) for die in ("okinawa.d10", "dday.red", "d6")] == ["okinawa", "dday", "d6"]


@pytest.mark.parametrize("named", [None, "5"])
@pytest.mark.parametrize("land", [1, 4])
def test_a_die_thrown_onto_the_place_of_a_cocked_one_that_was_swept_aside_is_asked_about(
    land: int, named: str | None
) -> None:
    lying = {(92, 193): 0, (200, 40): 2}
    watch = after_a_throw(lying) if named is None else asked_and_named(2, lying, "2", named)
    film = Film().rest({(92, 193): 0, (200, 40): 2}).rest({}, 0.3, hand=True)
    film.rest({(164, 137): 4, (91, 193): land}, 1.0)
    (asked,) = next_seen(watch, film, job(2, 1))
    assert (asked.faces, asked.doubtful, asked.is_settled) == (("4",), (0,), False)


def test_a_die_is_thrown_beside_a_cocked_one_that_is_read_as_it_was_named_at_last() -> None:
    watch = asked_and_named(1, {(92, 193): 0}, "5")
    (thrown,) = next_seen(watch, Film().rest({(92, 193): 0}).throw({(92, 193): 5, (200, 40): 4}), job(2, 1))
    assert (thrown.faces, thrown.is_settled) == (("4",), True)


@pytest.mark.parametrize(
    ("then", "is_settled"),
    [
        ({(60, 60): 0, (200, 190): 4}, True),
        ({(60, 60): 0, (200, 190): 2}, False),
        ({(60, 60): 0, (250, 120): 4, (181, 121): 4}, False),
    ],
    ids=["thrown", "swept", "swept, and one thrown onto its place"],
)
def test_r14_a_die_that_was_named_is_not_known_by_what_another_was_named_that_lies_there_yet(
    then: Tray, *, is_settled: bool
) -> None:
    first, both = {(60, 60): 0}, {(60, 60): 0, (180, 120): 0}
    watch = asked_and_named(1, first, "4")
    (second,) = next_seen(watch, Film().rest(first).throw(both), job(2, 1))
    assert second.answered is not None
    second.answered(["2"])
    (third,) = next_seen(watch, Film().rest(both).rest({}, 0.5, hand=True).rest(then), job(3, 1))
    assert third.is_settled == is_settled


@pytest.mark.parametrize(("put", "is_settled"), [((60, 60), False), ((180, 120), True)])
def test_of_dice_that_were_taken_out_as_many_are_out_as_did_not_come_since(
    put: tuple[int, int], *, is_settled: bool
) -> None:
    old = {(60, 60): 3, (180, 120): 3}
    watch = after_a_throw(old)
    one, other = {(250, 30): 5}, {(250, 30): 5, (120, 200): 6}
    next_seen(watch, Film().rest(old).rest({}, 0.5, hand=True).throw(one), job(2, 1))
    next_seen(watch, Film().rest(one).throw(other), job(3, 1))
    (found,) = next_seen(watch, Film().rest(other).throw({**one, put: 3}), job(4, 1))
    assert found.is_settled == is_settled


def test_of_a_long_session_only_the_newest_looks_are_kept() -> None:
    die = Die(die="d6", face="3", confidence=0.9, bbox=Box(60, 60, 24, 24), sure=True)
    named, before = Named(), sys.getrefcount(die)
    for _ in range(5 * MOST_WAYS):
        named.follow(((die, msgspec.structs.replace(die)),), is_carried=True)
    assert sys.getrefcount(die) - before <= MOST_WAYS


def test_r14_a_die_is_known_as_it_is_named_after_more_looks_than_are_kept() -> None:
    watch = after_a_throw(TWO)
    for _ in range(MOST_WAYS):
        watch._known.named.follow((), is_carried=True)
    (found,) = next_seen(watch, Film().rest(TWO).rest({}, 0.4, hand=True).rest({}).throw(TWO), job(2, 2))
    assert found.answered is not None
    found.answered(["4", "5"])
    swept = Film().rest(TWO).rest({}, 0.5, hand=True).rest({(250, 190): 4, (180, 120): 5})
    (moved,) = next_seen(watch, swept, job(3, 1))
    assert (moved.faces, moved.doubtful) == (("4",), (0,))
