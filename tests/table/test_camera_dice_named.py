"""A die is known by what a person named it (R14)."""

import sys

import cv2
import msgspec
import numpy as np
import pytest

import vision
from companion.engine.asks import Dice, Locked, Roll
from companion.table.matching import Place, Throw, groups
from companion.table.named import MOST_WAYS, Named, named_otherwise
from companion.table.tray_watch import Job, TrayWatch
from tests.table.film import HAND, Film, Tray, read
from tests.table.watching import COCKED, D6, TWO, after_a_throw, asked_and_named, job, next_seen, played, seen
from vision import Box, DiceSet, Die, Reading, sets
from vision.camera import CameraError, Fault

pytestmark = pytest.mark.usefixtures("film_reader")


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
