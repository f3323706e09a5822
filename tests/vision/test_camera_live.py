"""R10: whatever a device does, a live camera says so in time and hands out no stale picture."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, count, repeat

import numpy as np
import pytest

from vision.camera import CameraError, Fault, Frame
from vision.cameras import live as cameras_live
from vision.cameras.fake import FakeStream
from vision.cameras.live import RELIT, Inspector, Light, LiveCamera, Shot

PATIENCE = 0.15
STEP = 0.005
NOTICED = 2.0
"""Seconds that R10 allows."""


def picture(seed: int, size: tuple[int, int] = (24, 32)) -> np.ndarray:
    return np.random.default_rng(seed).integers(60, 200, (*size, 3), dtype=np.uint8)


def pictures(count: int, first: int = 0) -> list[object]:
    return [picture(first + n) for n in range(count)]


def noise() -> Iterator[np.ndarray]:
    return map(picture, count(1001))


def live(*scripts: object) -> tuple[LiveCamera, list[FakeStream]]:
    """A camera that plays the first script on its first opening, the next on the next, and so on."""
    streams: list[FakeStream] = []
    waiting = iter(scripts)

    def open_stream() -> FakeStream:
        script = next(waiting, None)
        if script is None:
            raise CameraError(Fault.MISSING, "gone")
        streams.append(FakeStream(script, interval=STEP))
        return streams[-1]

    return LiveCamera("test", open_stream, patience=PATIENCE), streams


def fault_of(camera: LiveCamera, newer_than: float) -> Fault:
    with pytest.raises(CameraError) as caught:
        camera.frame(newer_than)
    return caught.value.fault


def test_a_frame_is_newer_than_asked_for() -> None:
    camera, _ = live(noise())
    with camera:
        first = camera.frame()
        asked = time.monotonic()
        second = camera.frame(newer_than=asked)
    assert second.taken > asked
    assert not np.array_equal(first.image, second.image)


def test_a_frame_that_was_had_is_not_handed_out_as_a_newer_one() -> None:
    camera, _ = live([picture(1), 0.5])
    with camera:
        assert fault_of(camera, camera.frame().taken) is Fault.SILENT


def test_a_camera_that_takes_its_time_to_open_is_waited_for() -> None:
    camera, _ = live(chain([0.6], noise()))
    with camera:
        time.sleep(2 * PATIENCE)
        assert camera.trouble is None
        assert camera.frame()


def eventually_a_frame(camera: LiveCamera) -> Frame:
    deadline = time.monotonic() + 5
    while True:
        try:
            return camera.frame(time.monotonic())
        except CameraError:
            assert time.monotonic() < deadline
            time.sleep(STEP)


FAULTY: dict[Fault, Callable[[], list[object]]] = {
    Fault.MISSING: list,
    Fault.SILENT: lambda: [2.5],
    Fault.FROZEN: lambda: [picture(2)] * 500,
    Fault.BLACK: lambda: [picture(n) // 60 for n in range(500)],
}
"""What a camera sends from then on, however often it is opened."""


@pytest.mark.parametrize("fault", FAULTY)
def test_a_fault_is_noticed_within_the_patience_and_nothing_stale_is_handed_out(fault: Fault) -> None:
    camera, _ = live([*pictures(3), *FAULTY[fault]()], *(FAULTY[fault]() for _ in range(5)))
    with camera:
        camera.frame()
        time.sleep(10 * STEP)
        asked = time.monotonic()
        assert fault_of(camera, asked) is fault
        assert time.monotonic() - asked < NOTICED
        time.sleep(PATIENCE)
        fault_of(camera, 0.0)  # even the last good one is stale by now


def lit(factor: float, seeds: Iterable[int]) -> Iterator[np.ndarray]:
    for seed in seeds:
        yield np.clip(picture(seed) * factor, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("usual", "factor"),
    [(1.0, 2.5), (1.0, 0.4), (0.02, 1.8)],
    ids=["a lamp is lit", "evening", "opened in the dark, whose exposure shows nothing but white"],
)
def test_in_another_light_the_camera_is_opened_anew_and_its_exposure_set_with_it(
    usual: float, factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cameras_live, "RELIT", 0.1)
    camera, streams = live(chain(lit(usual, range(5)), lit(factor, count(100))), noise())
    with camera:
        deadline = time.monotonic() + 5
        while len(streams) < 2:
            assert time.monotonic() < deadline
            time.sleep(STEP)
        assert eventually_a_frame(camera)


@pytest.mark.parametrize(
    ("usual", "level", "is_another"),
    [
        *((100, 51, False), (100, 49, True), (100, 190, False), (100, 210, True)),
        *((150, 220, False), (150, 230, True)),  # washed out
        *((235, 250, False), (1, 250, True)),
    ],
)
def test_the_light_is_another_where_it_is_doubled_or_halved_or_washes_the_picture_out(
    usual: int, level: int, is_another: bool
) -> None:
    light = Light()
    before, after = (np.full((24, 32, 3), mean, np.uint8) for mean in (usual, level))
    assert not light.has_changed(before, 0.0)
    assert not any(light.has_changed(after, now) for now in (1.0, 1.0 + RELIT))
    assert light.has_changed(after, 1.1 + RELIT) is is_another


def test_an_arm_over_the_tray_and_small_changes_leave_the_exposure_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cameras_live, "RELIT", 0.5)
    arm, dusk = lit(0.4, range(100, 120)), lit(0.7, range(200, 400))
    camera, streams = live([*pictures(20), *arm, *dusk, *pictures(2000, 1000)])
    with camera:
        time.sleep(1.6)
        assert camera.frame()
    assert len(streams) == 1


def test_an_arm_that_is_there_whenever_somebody_looks_is_no_other_light(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cameras_live, "RELIT", 0.5)
    monkeypatch.setattr(cameras_live, "IDLE", 0.2)
    camera, streams = live(chain(pictures(5), lit(0.4, count(100))))
    with camera:
        for _ in range(3):
            assert camera.frame(time.monotonic())
            time.sleep(0.7)
    assert len(streams) == 1


@pytest.mark.parametrize("fault", FAULTY)
def test_a_fault_is_known_without_waiting_for_a_picture(
    fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cameras_live, "WARM_UP", PATIENCE)
    camera, _ = live([*pictures(3), *FAULTY[fault]()], *(FAULTY[fault]() for _ in range(5)))
    with camera:
        deadline = time.monotonic() + 5
        # Where the machine is busy, pictures may be late first, and the camera silent.
        while camera.trouble is None or camera.trouble.fault is not fault:
            assert time.monotonic() < deadline
            time.sleep(STEP)


def test_a_camera_whose_pictures_come_is_well_whether_it_is_looked_at_or_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cameras_live, "WARM_UP", 0.0)
    now = [0.0]

    class Ticking(FakeStream):
        def read(self) -> Shot:
            now[0] += 0.1
            return super().read()

    stream = Ticking(noise(), interval=0.001)
    with LiveCamera("test", lambda: stream, clock=lambda: now[0], patience=0.15) as camera:
        while stream.skipped < 50:
            assert camera.trouble is None


def test_an_unplugged_camera_is_said_to_be_gone_at_once() -> None:
    camera, _ = live()
    with camera:
        time.sleep(5 * STEP)
        asked = time.monotonic()
        assert fault_of(camera, 0.0) is Fault.MISSING
        assert time.monotonic() - asked < PATIENCE
        assert camera.trouble is not None


@pytest.mark.parametrize(
    "first",
    [
        pictures(3),
        chain(pictures(3), repeat(picture(2))),
        chain(pictures(3), (picture(n, (48, 64)) for n in count())),
    ],
    ids=["unplugged", "frozen", "another size"],
)
def test_the_camera_is_taken_back_when_it_returns(first: Iterable[object]) -> None:
    camera, streams = live(first, noise())
    with camera:
        camera.frame()
        deadline = time.monotonic() + 5
        while len(streams) < 2:
            assert time.monotonic() < deadline
            time.sleep(STEP)
        assert eventually_a_frame(camera).image.shape == (24, 32, 3)
    assert [stream.closed for stream in streams] == [True, True]


def test_a_camera_that_opened_in_the_dark_says_so_without_being_waited_for_as_one_that_opens() -> None:
    camera, streams = live(picture(n) // 60 for n in count())
    with camera:
        time.sleep(10 * STEP)
        asked = time.monotonic()
        assert fault_of(camera, asked) is Fault.BLACK
        assert time.monotonic() - asked < NOTICED
        time.sleep(PATIENCE)
        assert fault_of(camera, asked) is Fault.BLACK
    assert len(streams) == 1, "its exposure is not set anew in the dark"


def test_a_camera_that_opens_and_sends_nothing_is_said_to_be_silent_once_it_had_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cameras_live, "WARM_UP", 2 * PATIENCE)
    camera, _ = live([1.0])
    with camera:
        assert fault_of(camera, 0.0) is Fault.SILENT


def test_a_camera_that_was_well_is_opened_again_as_soon_as_one_that_was_never_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cameras_live, "FIRST_DELAY", 0.01)
    monkeypatch.setattr(cameras_live, "LONGEST_DELAY", 5.0)
    camera, streams = live(*(pictures(1, n) for n in range(10)), noise())
    with camera:
        deadline = time.monotonic() + 3
        while len(streams) < 11:
            assert time.monotonic() < deadline
            time.sleep(STEP)


def test_a_picture_of_another_size_is_not_handed_out_by_the_opening_that_changed() -> None:
    camera, _ = live([*pictures(3), *(picture(n, (48, 64)) for n in range(3))])
    with camera:
        shapes = set()
        for _ in range(50):
            try:
                shapes.add(camera.frame().image.shape)
            except CameraError:
                break
            time.sleep(STEP)
    assert shapes == {(24, 32, 3)}


def test_a_device_that_fails_at_once_for_ever_does_not_keep_the_processor_busy() -> None:
    opened = 0

    def open_stream() -> FakeStream:
        nonlocal opened
        opened += 1
        return FakeStream([])

    with LiveCamera("test", open_stream, patience=PATIENCE):
        time.sleep(1.0)
    assert opened <= 3


def test_a_device_that_was_gone_for_long_is_still_tried_again_and_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cameras_live, "FIRST_DELAY", 0.001)
    monkeypatch.setattr(cameras_live, "LONGEST_DELAY", 0.002)
    back = threading.Event()
    tries = count()

    def open_stream() -> FakeStream:
        if next(tries) == 30:
            back.set()
        return FakeStream([])

    with LiveCamera("test", open_stream, patience=PATIENCE):
        assert back.wait(10)


def test_a_picture_that_comes_twice_is_no_reason_to_open_the_camera_anew() -> None:
    camera, streams = live(chain(*([one, one] for one in pictures(10)), noise()))
    with camera:
        for _ in range(15):
            camera.frame(time.monotonic())
    assert len(streams) == 1


def test_while_nobody_looks_pictures_are_drained_and_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.cameras.live.IDLE", 0.1)
    camera, streams = live(noise())
    with camera:
        camera.frame()
        while streams[0].skipped < 5:
            time.sleep(STEP)
        newest = camera._newest
        while streams[0].skipped < 10:
            time.sleep(STEP)
        assert camera._newest is newest
        asked = time.monotonic()
        assert camera.frame(asked).taken > asked


def test_a_driver_that_breaks_in_an_unknown_way_is_a_fault_like_any_other() -> None:
    openings = iter([ZeroDivisionError("in the driver"), None])

    def open_stream() -> FakeStream:
        error = next(openings)
        if error is not None:
            raise error
        return FakeStream(noise(), interval=STEP)

    with LiveCamera("test", open_stream, patience=PATIENCE) as camera:
        with pytest.raises(CameraError, match="in the driver"):
            camera.frame()
        assert eventually_a_frame(camera)


def test_closing_lets_the_device_go_and_ends_the_thread() -> None:
    camera, streams = live(noise())
    before = threading.active_count()
    camera.frame()
    camera.close()
    assert streams[0].closed
    assert threading.active_count() == before - 1


def test_a_healthy_picture_has_no_fault_and_a_repeated_one_is_frozen() -> None:
    inspector = Inspector()
    assert inspector.fault(picture(1)) is None
    assert inspector.fault(picture(2)) is None
    assert inspector.fault(picture(2)) is Fault.FROZEN
    nearly = picture(2).copy()
    nearly[1] += 1
    assert inspector.fault(nearly) is None
    assert inspector.fault(picture(3, (48, 64))) is Fault.RESIZED
    inspector.reopened()
    assert inspector.fault(picture(3, (48, 64))) is Fault.FROZEN
    assert inspector.fault(picture(4, (48, 64))) is None
    assert inspector.fault(np.zeros((48, 64, 3), np.uint8)) is Fault.BLACK


def test_a_shot_keeps_the_time_before_its_exposure() -> None:
    stream = FakeStream([picture(1)], interval=0.01)
    before = time.monotonic()
    shot = stream.read()
    assert isinstance(shot, Shot)
    assert before <= shot.taken <= time.monotonic() - 0.01
