"""The camera's own thread: it fails and returns, and what it sees reaches the table (R10)."""

import contextlib
import errno
import threading
import time
from collections.abc import Callable, Iterator
from itertools import repeat
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision
from companion.engine.asks import Dice, Roll
from companion.table.camera_dice import COMES_AND_GOES, CameraDice, set_name
from companion.table.events import Notice, Seen
from companion.table.matching import GAME_FACES
from tests.table.film import Film, picture, read, stills
from tests.table.watching import (
    ONES,
    TWO,
    after_a_throw,
    asked_and_named,
    job,
    next_seen,
    notices,
    roll,
    seen,
)
from vision import Box, DiceSet, Reading, VisionError, sets, teach
from vision.camera import CameraError, Fault, open_camera
from vision.cameras.fake import FakeCamera

pytestmark = pytest.mark.usefixtures("film_reader")


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
