"""Buttons on gpiozero's mock pins: one press is one event, whatever the contacts do (R12)."""

from __future__ import annotations

import sys
import time
from itertools import groupby
from typing import TYPE_CHECKING

import pytest
from gpiozero import LED, Device
from gpiozero.pins.mock import MockFactory, MockPin
from hypothesis import example, given
from hypothesis import strategies as st

from hardware.buttons import ButtonPins, Buttons, pin_factory
from hardware.errors import PinsError
from hardware.keys import Gesture, Key, KeyLogic, Press, Timing
from hardware.lamps import LampPins, Lamps, Mood

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

PINS = ButtonPins()
PRESS, HOLD, REPEAT = Gesture.PRESS, Gesture.HOLD, Gesture.REPEAT

# Contacts of tactile switches, in milliseconds from the first touch: the level changes at each.
CLEAN = (0.0,)
TACTILE = (0.0, 0.08, 0.21, 0.26, 0.9)
WORN = (0.0, 0.4, 0.5, 1.3, 1.32, 2.2, 2.9, 3.0, 4.1)
SEVENTEEN = tuple(n * 0.3 for n in range(17))
BURSTS = {"clean": CLEAN, "tactile": TACTILE, "worn": WORN, "seventeen edges": SEVENTEEN}


class Table:
    """Buttons on mock pins under a clock of our own, as the thread would run them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, pins: ButtonPins = PINS) -> None:
        self.now = 100.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        self.factory = MockFactory()
        self.presses: list[Press] = []
        self.pins = pins
        self.buttons = Buttons(self.presses.append, pins, factory=lambda: self.factory)
        self.wake = self.busy_until = self.now

    def run(self, seconds: float, edges: Iterable[tuple[float, int, bool]] = ()) -> list[tuple[Key, Gesture]]:
        """Let time pass, the thread at work; edges are (seconds from now, pin, down)."""
        seen = len(self.presses)
        end = self.now + seconds
        moves = sorted((self.now + after, pin, down) for after, pin, down in edges)
        while True:
            if self.buttons._moved.is_set():
                self.wake = self.now
            self.wake = max(self.wake, self.busy_until)
            self.now = min([self.wake, end, *(when for when, _, _ in moves[:1])])
            while moves and moves[0][0] <= self.now:
                _, pin, down = moves.pop(0)
                mock = self.factory.pin(pin)
                mock.drive_low() if down else mock.drive_high()
            if self.now >= end:
                break
            if self.now >= self.wake:
                self.buttons._moved.clear()
                self.wake = self.now + self.buttons.step(self.now)
        return [(press.key, press.gesture) for press in self.presses[seen:]]


def contact(
    pin: int, at: float, lasting: float, burst: tuple[float, ...] = CLEAN
) -> list[tuple[float, int, bool]]:
    """A press with bouncing contacts at both ends."""
    odd = burst if len(burst) % 2 else burst[:-1]
    down = [(at + ms / 1000, pin, n % 2 == 0) for n, ms in enumerate(odd)]
    up = [(at + lasting + ms / 1000, pin, n % 2 == 1) for n, ms in enumerate(odd)]
    return down + up


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    return Table(monkeypatch)


@pytest.mark.parametrize("burst", BURSTS.values(), ids=BURSTS)
@pytest.mark.parametrize("key", list(Key))
def test_one_press_is_one_event_however_it_bounces(table: Table, key: Key, burst: tuple[float, ...]) -> None:
    table.run(1.0)
    pin = getattr(PINS, key)
    assert table.run(1.0, contact(pin, 0.1, 0.12, burst)) == [(key, PRESS)]


def test_up_and_down_act_within_ten_milliseconds_of_the_finger(table: Table) -> None:
    table.run(0.5)
    assert table.run(0.110, contact(PINS.down, 0.1, 5.0)) == [(Key.DOWN, PRESS)]


def test_holding_down_repeats_after_a_pause(table: Table) -> None:
    table.run(0.5)
    assert table.run(1.0, contact(PINS.down, 0.0, 0.95)) == [(Key.DOWN, PRESS)] + [(Key.DOWN, REPEAT)] * 5


@pytest.mark.parametrize("key", [Key.OK, Key.BACK])
def test_holding_ok_or_back_is_one_hold_and_no_press(table: Table, key: Key) -> None:
    table.run(0.5)
    assert table.run(3.0, contact(getattr(PINS, key), 0.1, 2.0, WORN)) == [(key, HOLD)]


def test_a_touch_shorter_than_the_debounce_is_nothing(table: Table) -> None:
    table.run(0.5)
    assert table.run(1.0, contact(PINS.ok, 0.1, 0.004)) == []


def test_two_keys_at_once_are_both_heard(table: Table) -> None:
    table.run(0.5)
    edges = contact(PINS.up, 0.1, 0.2, TACTILE) + contact(PINS.down, 0.1001, 0.2, WORN)
    assert sorted(table.run(1.0, edges)) == [(Key.DOWN, PRESS), (Key.UP, PRESS)]


def test_a_key_that_is_down_at_the_start_is_silent_until_it_was_up_once(table: Table) -> None:
    class HeldDown(MockPin):
        def _set_pull(self, value: str) -> None:
            super()._set_pull(value)
            if self.info.name == f"GPIO{PINS.ok}":
                self.drive_low()

    table.factory.pin_class = HeldDown
    assert table.run(60.0) == []
    assert table.buttons.stuck == (Key.OK,)
    assert table.run(1.0, [(0.1, PINS.ok, False), *contact(PINS.ok, 0.3, 0.1)]) == [(Key.OK, PRESS)]


def test_a_stuck_key_stops_repeating_and_the_others_go_on(table: Table) -> None:
    table.run(0.5)
    repeats = table.run(60.0, [(0.0, PINS.down, True)])
    assert len(repeats) < 130
    assert table.buttons.stuck == (Key.DOWN,)
    assert table.run(1.0, contact(PINS.ok, 0.1, 0.1)) == [(Key.OK, PRESS)]


def test_a_thread_that_comes_late_misses_no_press(table: Table) -> None:
    """The machine was busy for a second: two presses are told from their edges' times."""
    table.run(1.0)
    table.busy_until = table.now + 1.0
    edges = contact(PINS.ok, 0.1, 0.08, WORN) + contact(PINS.down, 0.3, 0.06) + contact(PINS.ok, 0.5, 0.08)
    assert table.run(1.5, edges) == [(Key.OK, PRESS), (Key.DOWN, PRESS), (Key.OK, PRESS)]


def test_keys_that_are_heard_of_late_and_line_by_line_come_in_the_order_of_the_fingers(table: Table) -> None:
    """The kernel gives all edges of a line at once, each with its time; OK after DOWN is another choice."""
    table.run(1.0)
    began = table.now
    table.busy_until = began + 1.0
    table.run(0.9)
    for number, times in ((PINS.down, (0.3, 0.36)), (PINS.ok, (0.1, 0.18, 0.5, 0.58))):
        pin = table.factory.pin(number)
        for nth, after in enumerate(times):
            pin.moved_at = began + after
            pin.drive_high() if nth % 2 else pin.drive_low()
    assert table.run(0.5) == [(Key.OK, PRESS), (Key.DOWN, PRESS), (Key.OK, PRESS)]
    assert [round(press.at - began, 3) for press in table.presses] == [0.1, 0.3, 0.5]


def test_two_keys_that_are_down_when_they_are_heard_of_come_in_the_order_of_the_fingers(table: Table) -> None:
    table.run(1.0)
    table.busy_until = table.now + 0.3
    assert table.run(0.4, [(0.1, PINS.down, True), (0.104, PINS.up, True)]) == [
        (Key.DOWN, PRESS),
        (Key.UP, PRESS),
    ]


@pytest.mark.parametrize("busy", [0.0, 1.0], ids=["at once", "late"])
def test_a_key_that_comes_down_as_another_is_let_go_is_heard_after_it(table: Table, busy: float) -> None:
    table.run(1.0)
    table.busy_until = table.now + busy
    edges = contact(PINS.ok, 0.1, 0.1) + contact(PINS.down, 0.204, 0.1)
    assert table.run(1.5, edges) == [(Key.OK, PRESS), (Key.DOWN, PRESS)]


def test_a_lost_edge_is_noticed_by_reading_the_level_again(table: Table) -> None:
    table.run(1.0)
    for _, button in table.buttons._buttons:
        button.when_activated = button.when_deactivated = None
    assert table.run(1.0, contact(PINS.up, 0.1, 0.5))[0] == (Key.UP, PRESS)


def test_a_press_carries_the_time_at_which_the_finger_came_down(table: Table) -> None:
    table.run(1.0)
    began = table.now
    table.run(1.0, contact(PINS.ok, 0.25, 0.3))
    assert table.presses[0].at == pytest.approx(began + 0.25, abs=0.001)


def test_the_encoder_turns_up_and_down_and_its_switch_is_ok(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(monkeypatch, ButtonPins(encoder=(17, 27, 22)))
    table.run(0.5)
    detent = [(0.00, 27, True), (0.01, 17, True), (0.02, 27, False), (0.03, 17, False)]
    there = table.run(0.5, detent)
    back = table.run(0.5, [(0.00, 17, True), (0.01, 27, True), (0.02, 17, False), (0.03, 27, False)])
    assert (there, back) == ([(Key.UP, Gesture.TURN)], [(Key.DOWN, Gesture.TURN)])
    assert table.run(0.5, contact(22, 0.1, 0.1, TACTILE)) == [(Key.OK, PRESS)]


def test_a_turn_and_a_press_that_are_heard_late_come_in_the_order_of_the_fingers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The one is timed as the other is: an OK that is pressed after a turn takes what was turned to."""
    table = Table(monkeypatch, ButtonPins(encoder=(17, 27, 22)))
    table.run(0.5)
    table.run(0.5, [(0.00, 17, True), (0.01, 27, True), (0.02, 17, False)])
    began = table.now
    table.busy_until = began + 1.0
    table.run(0.9)
    for number, after, down in ((27, 0.1, False), (22, 0.3, True), (22, 0.38, False)):
        pin = table.factory.pin(number)
        pin.moved_at = began + after
        pin.drive_low() if down else pin.drive_high()
    assert table.run(0.5) == [(Key.DOWN, Gesture.TURN), (Key.OK, PRESS)]
    assert [round(press.at - began, 3) for press in table.presses] == [0.1, 0.3]


def test_pins_that_go_away_are_said_and_taken_again_when_they_return(table: Table) -> None:
    table.run(1.0)

    def gone(pin: object) -> bool:
        raise OSError(19, "No such device")

    mock = type(table.factory.pin(PINS.ok))
    with pytest.MonkeyPatch.context() as broken:
        broken.setattr(mock, "_get_state", gone)
        table.run(5.0)
        assert "No such device" in table.buttons.fault
    assert table.run(5.0) == []
    assert table.buttons.fault == ""
    assert table.run(1.0, contact(PINS.ok, 0.1, 0.1)) == [(Key.OK, PRESS)]


def test_pins_of_which_one_was_taken_at_the_start_are_taken_at_the_next_try(table: Table) -> None:
    """A press counts once: those that were free are not held twice."""
    lamp = LED(PINS.ok, pin_factory=table.factory)
    with pytest.raises(PinsError, match="GPIO26"):
        table.buttons.open(table.now)
    lamp.close()
    table.run(2.1)
    assert table.buttons.fault == ""
    assert table.run(1.0, contact(PINS.up, 0.1, 0.1)) == [(Key.UP, PRESS)]


def test_without_pins_it_says_so_in_one_line_and_tries_again() -> None:
    def none() -> MockFactory:
        raise PinsError("no GPIO chip labelled pinctrl-rp1")

    buttons = Buttons(lambda press: None, factory=none)
    assert buttons.step(0.0) == 2.0
    assert "no GPIO chip" in buttons.fault
    assert buttons.step(1.0) == 1.0


def test_each_try_to_take_the_pins_gives_back_what_it_took() -> None:
    """They may be taken by another program for a day."""
    given_back: list[MockFactory] = []

    class Taken(MockFactory):
        def pin(self, name: str) -> MockPin:
            raise PinsError(f"GPIO{name} is taken")

        def close(self) -> None:
            given_back.append(self)
            super().close()

    made: list[MockFactory] = []
    buttons = Buttons(lambda press: None, factory=lambda: made.append(Taken()) or made[-1])
    for now in (0.0, 2.0, 4.0):
        assert buttons.step(now) == 2.0
    assert len(made) == 3
    assert given_back == made


def test_no_lamp_is_offered_pins_that_are_being_given_back() -> None:
    """A box's loop may look for the lamp's pins at any moment of it."""
    offered: list[object] = []

    class HalfTaken(MockFactory):
        def pin(self, name: str) -> MockPin:
            if name == PINS.ok:
                raise PinsError(f"GPIO{name} is taken")
            pin = super().pin(name)
            pin.close = lambda: offered.append(buttons.factory)
            return pin

    buttons = Buttons(lambda press: None, PINS, factory=HalfTaken)
    assert buttons.step(0.0) == 2.0
    assert offered
    assert not any(offered)


@pytest.mark.parametrize("name", ["nonsense", "lgpio"])
def test_a_pin_factory_that_is_not_there_is_an_error_of_the_pins(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one whose library is not installed, as in an environment of its own."""
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", name)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(PinsError, match=name):
        pin_factory()


def test_the_thread_delivers_presses_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    import queue

    factory, heard = MockFactory(), queue.Queue[Press]()
    buttons = Buttons(heard.put, factory=lambda: factory)
    buttons.open(0.0)
    buttons.start()
    factory.pin(PINS.up).drive_low()
    assert heard.get(timeout=2).key is Key.UP
    buttons.close()
    assert buttons.fault == "closed"
    assert buttons._thread
    assert not buttons._thread.is_alive()


def test_a_level_counts_from_its_last_edge_also_where_the_edge_before_was_lost() -> None:
    logic = KeyLogic(Key.UP, Timing(settle=0.008))
    logic.start(False)
    assert [*logic.edge(True, 0.0), *logic.until(0.006), *logic.edge(True, 0.006)] == []
    assert [*logic.look(True, 0.013)] == []
    assert [*logic.look(True, 0.015)] == [Press(Key.UP, PRESS, 0.006)]


@example([(0.005, True), (0.005, True)])
@given(st.lists(st.tuples(st.floats(0.0001, 0.3), st.booleans()), max_size=60))
def test_presses_never_outnumber_the_times_the_level_stood_still(changes: list[tuple[float, bool]]) -> None:
    """Whatever the contacts do, a press needs a settled release before it and a settled level of its own."""
    timing = Timing()
    logic, now = KeyLogic(Key.UP, timing), 0.0
    logic.start(False)
    heard: list[Press] = []
    for lasting, down in changes:
        heard += logic.look(down, now)
        end = now + lasting
        while (due := logic.due()) is not None and due <= end:
            heard += logic.look(down, max(due, now))
            if logic.due() == due:
                break
        now = end
    runs = [
        (down, sum(lasting for lasting, _ in run)) for down, run in groupby(changes, key=lambda one: one[1])
    ]
    settled = sum(down and lasting > timing.settle - 1e-9 for down, lasting in runs)
    assert sum(press.gesture is PRESS for press in heard) <= settled


def leds(show: Callable[[Lamps], None], seconds: float) -> Iterator[bool]:
    factory = MockFactory()
    lamps = Lamps(LampPins(lamp=12, buzzer=13), factory)
    show(lamps)
    yield bool(factory.pin(12).state)
    time.sleep(seconds)
    lamps.close()
    yield len(factory.pin(13).states) > 1


def test_the_lamp_is_lit_while_it_waits_and_the_buzzer_is_silent_unless_asked() -> None:
    assert list(leds(lambda lamps: lamps.show(Mood.WAITING), 0)) == [True, False]
    assert list(leds(lambda lamps: lamps.beep(), 0.02)) == [False, True]


def test_the_lamp_blinks_while_it_reads_and_flashes_for_a_fault_each_begun_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blinks: list[tuple[float, float]] = []
    monkeypatch.setattr(LED, "blink", lambda lamp, on_time, off_time: blinks.append((on_time, off_time)))
    lamps = Lamps(LampPins(), MockFactory())
    for mood in (Mood.READING, Mood.READING, Mood.WAITING, Mood.FAULT, Mood.FAULT):
        lamps.show(mood)
    lamps.close()
    assert blinks == [(0.25, 0.25), (0.06, 0.94)]


def test_a_lamp_whose_pin_is_gone_stops_no_game() -> None:
    factory = MockFactory()
    lamps = Lamps(LampPins(), factory)
    lamps.close()
    lamps.show(Mood.WAITING)
    assert not factory.pin(12).state


@pytest.mark.parametrize(("taken", "name"), [(12, "lamp"), (13, "buzzer")])
def test_lamp_and_buzzer_do_without_each_other(taken: int, name: str) -> None:
    factory = MockFactory()
    with LED(taken, pin_factory=factory):
        lamps = Lamps(LampPins(lamp=12, buzzer=13), factory)
        assert [fault.startswith(f"{name}: ") for fault in lamps.faults.values()] == [True]
        lamps.show(Mood.WAITING)
        lamps.beep()
        end = time.monotonic() + 5
        other = factory.pin(25 - taken)
        while not any(state.state for state in other.states) and time.monotonic() < end:
            time.sleep(0.001)
        assert any(state.state for state in other.states)
        lamps.close()


def test_changing_moods_a_thousand_times_leaves_no_thread_behind() -> None:
    import threading

    factory = MockFactory()
    lamps = Lamps(LampPins(), factory)
    before = threading.active_count()
    for n in range(300):
        lamps.show([Mood.READING, Mood.WAITING, Mood.FAULT][n % 3])
    lamps.close()
    assert threading.active_count() <= before
