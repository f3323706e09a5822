"""The whole way with the reader itself: a tray on film, thrown into, settled, read and matched (R14)."""

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.engine.asks import Dice, Locked, Roll
from companion.table.events import Notice, Seen
from companion.table.matching import groups
from companion.table.tray_watch import Job, TrayWatch
from tests.table.film import noisy
from vision import sets
from vision.camera import Camera, CameraError, Fault, open_camera
from vision.cameras.fake import FakeCamera
from vision.train.posed import BLUE, RED, WHITE, Posed, tray

D6 = tuple("123456")


def film(*dice: Posed, hand: bool = False) -> list[np.ndarray]:
    """An empty tray, dice that roll in from the left, and the dice at rest (under a hand, perhaps)."""
    empty = tray([])
    rolling = [
        tray([d._replace(at=(d.at[0] - 9 * n, d.at[1]), turn=20 * n) for d in dice]) for n in (4, 3, 2, 1)
    ]
    still = tray(dice)
    if hand:
        still[150:330, :260] = (120, 150, 200)
    scenes = [empty] * 15 + rolling + [still] * 20
    return [noisy(scene, seed) for seed, scene in enumerate(scenes)]


def seen(frames: list[np.ndarray], count: int) -> list[Seen]:
    return seen_by(FakeCamera(frames), len(frames), count)


def seen_by(camera: Camera, frames: int, count: int) -> list[Seen]:
    roll = Roll("demo.roll", f"Roll {count}", dice=(Dice("d6", count, D6),))
    dice_sets = (sets.load("d6"),)
    watch = TrayWatch(camera)
    job = Job(1, roll, groups(roll, dice_sets), dice_sets)
    events: list[Seen | Notice] = [event for _ in range(frames) for event in watch.look(job)]
    return [event for event in events if isinstance(event, Seen)]


THREE = (
    Posed("d6", "3", (150, 150), 10, body=WHITE),
    Posed("d6", "1", (330, 220), 40, body=RED, ink=WHITE),
    Posed("d6", "6", (480, 330), 65, body=BLUE, ink=WHITE),
)


def test_a_plain_throw_is_read_once_and_right() -> None:
    (found,) = seen(film(*THREE), 3)
    assert found.faces == ("3", "1", "6")


def test_a_throw_on_a_film_is_read_like_one_in_the_tray(tmp_path: Path) -> None:
    frames, file = film(*THREE), tmp_path / "throw.mkv"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"FFV1"), 15, (640, 480))
    for frame in frames:
        writer.write(frame)
    writer.release()
    with open_camera(file) as camera:
        (found,) = seen_by(camera, len(frames), 3)
    assert found.faces == ("3", "1", "6")


@pytest.mark.parametrize("tilt", [40, 45])
def test_a_cocked_die_is_asked_about(tilt: float) -> None:
    (found,) = seen(film(*THREE[:2], THREE[2]._replace(tilt=tilt)), 3)
    assert 2 in found.doubtful


@pytest.mark.parametrize("count", [2, 4])
def test_too_few_and_too_many_are_asked_about(count: int) -> None:
    (found,) = seen(film(*THREE), count)
    assert not found.is_settled
    assert [len(others) for others in found.others] == ([1, 1] if count == 2 else [0, 0, 0, 0])


def test_dice_that_touch_are_read_right_or_asked_about() -> None:
    pair = (Posed("d6", "5", (300, 220)), Posed("d6", "2", (362, 222)))
    (found,) = seen(film(*pair), 2)
    sure = Counter(face for at, face in enumerate(found.faces) if at not in found.doubtful)
    assert sure <= Counter("52")


@pytest.mark.parametrize("apart", [(0, 0), (14, 9), (25, 18), (35, 20)])
def test_stacked_dice_are_asked_about(apart: tuple[int, int]) -> None:
    below, above = Posed("d6", "5", (300, 220), 10), Posed("d6", "2", (300 + apart[0], 220 + apart[1]), 35)
    (found,) = seen(film(below, above), 2)
    assert 1 in found.doubtful
    assert found.faces[0] in {"2", "5"} or 0 in found.doubtful  # both show, but never anything else


def test_a_die_of_another_set_is_never_taken_for_one_of_these() -> None:
    stranger = Posed("symbols", "7", (480, 330))
    (found,) = seen(film(*THREE[:2], stranger), 3)
    assert 2 in found.doubtful


def rolled_again(*lying: Posed) -> tuple[list[Seen], list[str]]:
    """The white 3 is rolled again and becomes what lies there last, while the red 1 and blue 6 are locked."""
    dice_sets = (sets.load("d6"),)
    first = Roll("demo.first", "Roll 3", dice=(Dice("d6", 3, D6),))
    again = Roll(
        "demo.again", "Roll 1", dice=(Dice("d6", 1, D6),), locked=(Locked("d6", "1"), Locked("d6", "6"))
    )
    thrown = film(*LOCKED, ROLLED)
    picked_up, rolling = [tray(LOCKED)] * 12, [tray([])] * 2
    later = [noisy(scene, n) for n, scene in enumerate([*picked_up, *rolling, *[tray(lying)] * 20])]
    watch = TrayWatch(FakeCamera([*thrown, *later]))
    jobs = [Job(1, first, groups(first, dice_sets), dice_sets)] * len(thrown)
    jobs += [Job(2, again, groups(again, dice_sets), dice_sets)] * len(later)
    events: list[Seen | Notice] = [event for job in jobs for event in watch.look(job)]
    notices = [event.text for event in events if isinstance(event, Notice) and event.text]
    return [event for event in events if isinstance(event, Seen) and event.n == 2], notices


ROLLED = Posed("d6", "3", (150, 150), 10, body=WHITE)
LOCKED = (
    Posed("d6", "1", (330, 220), 40, body=WHITE),
    Posed("d6", "6", (480, 330), 65, body=BLUE, ink=WHITE),
)


def test_a_locked_die_that_the_thrown_one_nudges_is_nothing_to_ask_about() -> None:
    nudged = LOCKED[1]._replace(at=(505, 345), turn=80)
    (found,), notices = rolled_again(LOCKED[0], nudged, ROLLED._replace(face="5", at=(430, 120)))
    assert (found.faces, found.is_settled) == (("5",), True)
    assert not any("locked" in text for text in notices)


def test_a_locked_die_that_the_thrown_one_turns_over_is_named() -> None:
    turned = LOCKED[1]._replace(at=(505, 345), face="4")
    (found,), notices = rolled_again(LOCKED[0], turned, ROLLED._replace(face="5", at=(430, 120)))
    assert (found.faces, found.others) == (("5",), (("4",),))
    assert "the locked d6 6 shows 4" in notices


def test_under_a_hand_nothing_is_read() -> None:
    assert seen(film(*THREE, hand=True), 3) == []


OTHERS = (
    Posed("d6", "5", (200, 300), 20, body=WHITE),
    Posed("d6", "2", (300, 120), 70, body=RED, ink=WHITE),
    Posed("d6", "4", (420, 200), 5, body=BLUE, ink=WHITE),
)


@pytest.mark.parametrize(("answered", "faces"), [(True, [("3", "1", "6")]), (False, [("2", "4", "5")])])
def test_dice_of_a_roll_that_was_entered_while_the_camera_was_gone_are_not_those_of_the_next(
    answered: bool, faces: list[tuple[str, ...]]
) -> None:
    dice_sets = (sets.load("d6"),)
    rolls = [Roll("demo.roll", f"Roll {n}", dice=(Dice("d6", 3, D6),)) for n in range(3)]
    jobs = [Job(n, roll, groups(roll, dice_sets), dice_sets) for n, roll in enumerate(rolls, start=1)]
    gone = CameraError(Fault.MISSING, "gone")
    still = [noisy(tray(OTHERS), n) for n in range(40)]
    again = film(*THREE)[15:] if answered else []  # by whom it was entered, and rolls the next then
    watch = TrayWatch(FakeCamera([*film(), gone, gone, *still, *again]))
    events: list[Seen | Notice] = []
    for _ in film():
        events += watch.look(jobs[0])
    for job in (jobs[0], jobs[1 if answered else 0]):
        with pytest.raises(CameraError):
            list(watch.look(job))
    for _ in (*still, *again):
        events += watch.look(jobs[1 if answered else 0])
    assert [sorted(event.faces) for event in events if isinstance(event, Seen)] == [
        sorted(one) for one in faces
    ]


@pytest.mark.parametrize("dim", [0.03, 0.05, 0.1])
def test_r10_dice_that_a_lamp_brings_to_light_are_not_taken_for_thrown(dim: float) -> None:
    lit = tray(THREE)
    faint = np.asarray(lit * dim, np.uint8)
    frames = [noisy(faint, n) for n in range(20)] + [noisy(lit, n) for n in range(25)]
    (found,) = seen(frames, 3)
    assert found.doubtful == (0, 1, 2)
