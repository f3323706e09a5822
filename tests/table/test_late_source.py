"""A camera that takes seconds to open holds up nothing, and one that can't be had says so once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from companion.engine.asks import Dice, Roll
from companion.engine.errors import DeviceMissing
from companion.table.events import Notice
from companion.table.late import LateSource
from tests.table.bench import wait_until

ROLL = Roll("t.roll", "Roll", dice=(Dice("d6", 1, ("1", "2")),))


class Source:
    def __init__(self) -> None:
        self.did: list[object] = []

    def watch(self, n: int, roll: Roll, post: object) -> None:
        self.did.append(n)

    def pass_over(self) -> None:
        self.did.append("pass over")

    def rest(self) -> None:
        self.did.append("rest")

    def close(self) -> None:
        self.did.append("close")


def opened_by(gate: threading.Event, source: Source) -> Source:
    gate.wait(10)
    return source


def test_the_roll_that_is_asked_when_it_has_opened_is_watched() -> None:
    gate, source = threading.Event(), Source()
    late = LateSource("camera", lambda: opened_by(gate, source), wait=0)
    late.watch(1, ROLL, lambda event: None)
    late.rest()
    late.watch(2, ROLL, lambda event: None)
    assert source.did == []
    gate.set()
    wait_until(lambda: source.did == [2])
    late.watch(3, ROLL, lambda event: None)
    late.rest()
    late.pass_over()
    late.close()
    wait_until(lambda: source.did == [2, 3, "rest", "pass over", "close"])


@pytest.mark.parametrize("answered", [LateSource.pass_over, LateSource.rest])
def test_dice_that_lie_there_already_or_were_entered_are_not_watched_for_when_it_has_opened(
    answered: Callable[[LateSource], None],
) -> None:
    gate, source = threading.Event(), Source()
    late = LateSource("camera", lambda: opened_by(gate, source), wait=0)
    late.watch(1, ROLL, lambda event: None)
    answered(late)
    gate.set()
    opening = [thread for thread in threading.enumerate() if thread.name == "camera opens"]
    for thread in opening:
        thread.join(10)
    assert source.did == []
    late.close()


def test_closing_one_that_hangs_holds_up_nobody() -> None:
    gate, source = threading.Event(), Source()
    source.close = lambda: gate.wait(10) and source.did.append("close")
    late = LateSource("camera", lambda: source, wait=0)
    late.watch(1, ROLL, lambda event: None)
    wait_until(lambda: source.did == [1])
    late.close()
    assert source.did == [1]
    gate.set()
    wait_until(lambda: source.did == [1, "close"])


def test_one_that_opens_after_the_end_is_closed() -> None:
    gate, source = threading.Event(), Source()
    late = LateSource("camera", lambda: opened_by(gate, source), wait=0)
    late.watch(1, ROLL, lambda event: None)
    late.close()
    gate.set()
    wait_until(lambda: "close" in source.did)
    assert source.did == ["close"]


def test_one_that_cannot_be_had_says_nothing_after_the_end() -> None:
    """Who is told would be whoever plays next."""
    gate, said = threading.Event(), []

    def open_it() -> None:
        gate.wait(10)
        no_camera()

    late = LateSource("camera", open_it, wait=0)
    opening = next(thread for thread in threading.enumerate() if thread.name == "camera opens")
    late.watch(1, ROLL, said.append)
    late.close()
    gate.set()
    opening.join(10)
    assert said == []


def no_camera() -> None:
    raise DeviceMissing("--dice camera: none") from OSError("no camera found")


def torn_opencv() -> None:
    raise AttributeError("no camera found")


@pytest.mark.parametrize("fail", [no_camera, torn_opencv])
def test_one_that_cannot_be_had_is_said_once_a_roll_and_taken_when_it_comes(fail: Callable[[], None]) -> None:
    gone, source, said, tries = threading.Event(), Source(), [], []

    def open_it() -> Source:
        tries.append("again")
        if not gone.is_set():
            fail()
        return source

    late = LateSource("camera", open_it, again=0.01, wait=0)
    late.watch(1, ROLL, said.append)
    wait_until(lambda: len(tries) > 3)
    assert said == [Notice("dice by hand: no camera found")]
    late.watch(2, ROLL, said.append)
    assert said == [Notice("dice by hand: no camera found")] * 2
    gone.set()
    wait_until(lambda: source.did == [2])
    assert said[-1] == Notice("camera is there")
    late.close()


def test_one_that_turns_out_not_to_be_there_while_a_roll_waits_for_it_is_said_at_once() -> None:
    gate = threading.Event()

    def open_it() -> None:
        gate.wait(10)
        no_camera()

    said: list[object] = []
    late = LateSource("camera", open_it, again=600, wait=0)
    late.watch(1, ROLL, said.append)
    gate.set()
    wait_until(lambda: said == [Notice("dice by hand: no camera found")])
    late.close()


def test_one_that_cannot_be_had_is_tried_again_only_after_a_while() -> None:
    tries: list[str] = []

    def open_it() -> Source:
        tries.append("again")
        raise DeviceMissing("--dice camera: none")

    late = LateSource("camera", open_it, again=600, wait=0)
    wait_until(lambda: tries)
    time.sleep(0.05)
    late.close()
    assert len(tries) == 1


def test_one_that_fails_without_words_is_said_by_its_kind() -> None:
    def open_it() -> Source:
        raise MemoryError

    said: list[object] = []
    late = LateSource("camera", open_it, again=0.01, wait=0)
    late.watch(1, ROLL, said.append)
    wait_until(lambda: said == [Notice("dice by hand: MemoryError")])
    late.close()


def test_one_that_is_closed_before_the_prompt_has_had_its_time_is_never_opened() -> None:
    opened: list[object] = []
    late = LateSource("camera", lambda: opened.append("opened"), wait=600)
    late.watch(1, ROLL, lambda event: None)
    opening = [thread for thread in threading.enumerate() if thread.name == "camera opens"]
    late.close()
    for thread in opening:
        thread.join(10)
    assert opened == []
