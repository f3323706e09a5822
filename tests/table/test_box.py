"""The box with every combination of devices: always a usable prompt, whatever is missing or breaks."""

from __future__ import annotations

import itertools
import signal
import threading
import time
from contextlib import contextmanager
from queue import SimpleQueue
from typing import TYPE_CHECKING

import msgspec
import pytest
from gpiozero.pins.mock import MockFactory

from companion.engine import Journal, Session, Wish
from companion.engine.asks import Choose, Option, Show
from companion.engine.clock import local
from companion.engine.errors import DeviceMissing, JournalError, JournalFull
from companion.engine.packs import build, find, merge
from companion.engine.records import Meta, RolledDie
from companion.engine.salvage import Salvage
from companion.games import load, names
from companion.screens.console import Console
from companion.screens.intents import Button, Quit
from companion.screens.screen import COLUMNS, WayIn
from companion.table import loop as loops
from companion.table.box import Box, Ways, shut_down
from companion.table.config import ButtonSettings, CameraSettings, Config, LampSettings
from companion.table.devices import Devices, button_of
from companion.table.discover import Present
from companion.table.events import Changed, Closed, Notice, Press, Tick, Typed
from companion.table.loop import Loop
from companion.table.menu import OneQuestion, put
from companion.table.playing import Playing
from companion.table.table import Table
from companion.table.watchdog import Watchdog
from hardware import keys
from hardware.drawing import splash
from hardware.errors import PinsError
from hardware.pico.lines import pack
from tests.engine.toy import GAME, PACKS
from tests.table.bench import FAST, Bench, Seat, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from PIL.Image import Image

    from companion.table.events import Event, Events
    from tests.table.conftest import Begin

KINDS = ("oled", "buttons", "camera", "pad")
COMBINATIONS = [c for count in range(5) for c in itertools.combinations(KINDS, count)]


@pytest.fixture(autouse=True)
def no_lockout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "LOCKOUT", 0.0)


@contextmanager
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Bench, Journal, Seat]]:
    """A box without devices that has asked what it shall be."""
    with Journal(tmp_path) as journal, Bench(monkeypatch, ()) as bench:
        seat = bench.box(journal)
        wait_until(lambda: "What shall it be?" in seat.lines)
        yield bench, journal, seat


@pytest.mark.parametrize("kinds", COMBINATIONS, ids=lambda kinds: "+".join(kinds) or "nothing")
def test_every_combination_of_devices_reaches_a_usable_prompt(
    kinds: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R25: what is shown somewhere can be answered somewhere, and the answer moves the box on."""
    with Journal(tmp_path) as journal, Bench(monkeypatch, kinds) as bench:
        seat = bench.box(journal)
        wait_until(lambda: "What shall it be?" in seat.lines)
        if "oled" in kinds:
            wait_until(lambda: bench.lit() > 500)
        if "pad" in kinds:
            wait_until(lambda: "What shall it be?" in bench.port.rows)
        bench.press(Button.OK)
        wait_until(lambda: any("Start" in line for line in seat.lines))


def test_until_a_key_is_pressed_a_box_with_pins_shows_how_a_phone_can_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ways = Ways(phones=lambda: WayIn(("Page 10.0.0.3:8080",)))
    with Journal(tmp_path) as journal, Bench(monkeypatch, ["oled", "buttons"]) as bench:
        seat = bench.box(journal, ways)
        wait_until(lambda: bool(seat.lines) and seat.lines[-1] == "Page 10.0.0.3:8080")
        bench.press(Button.DOWN)
        wait_until(lambda: seat.lines[-1].startswith("Not found: camera"))


def test_r3_where_the_disk_gives_nothing_the_box_says_so_and_looks_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(journal: Journal) -> list[Meta]:
        raise JournalError("journal.sqlite: disk I/O error")

    with at_home(tmp_path, monkeypatch) as (bench, _, seat):
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "played", failing)
            bench.events.put(Tick())
            wait_until(lambda: "journal.sqlite: disk" in seat.lines)
        bench.press(Button.OK)
        wait_until(lambda: "What shall it be?" in seat.lines)


def left(journal: Journal, name: str, wish: Wish | None = None) -> Meta:
    """A session of that game that was begun and left at its first question."""
    game = load(name)
    with Session.create(journal, game, merge(name, find(game.folder, journal.folder)), wish) as session:
        return session.meta


def advance(bench: Bench, table: Table) -> None:
    """Press OK until the table has moved on: a press from before the new prompt was up is not taken."""
    n = table.n
    end = time.monotonic() + 20
    while table.n == n and table.outcome is None:
        assert time.monotonic() < end
        bench.press(Button.OK)
        time.sleep(0.05)


def test_a_whole_game_is_played_with_four_buttons(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    with Bench(monkeypatch, KINDS) as bench:
        bench.play(table)
        while table.outcome is None:
            advance(bench, table)


def test_the_oled_may_be_torn_off_and_put_back_in_mid_game(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.hardware.fakes import Ssd1306Memory

    with Bench(monkeypatch, ("oled", "buttons")) as bench:
        bench.play(table)
        wait_until(lambda: bench.lit() > 300)
        bench.bus.panel = None
        bench.press(Button.OK)
        wait_until(lambda: "display" in bench.devices.faults())
        advance(bench, table)
        bench.bus.panel = Ssd1306Memory()
        wait_until(lambda: not bench.devices.faults())
        wait_until(lambda: bench.lit() > 300)


def test_a_stuck_key_is_said_and_the_others_play_on(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    from hardware import keys as logic

    monkeypatch.setattr(logic.KeyLogic, "stuck", property(lambda self: self.key is logic.Key.UP))
    with Bench(monkeypatch, ("buttons",)) as bench:
        bench.play(table)
        wait_until(lambda: table.notice == "up key stuck")
        advance(bench, table)


def test_a_stuck_key_of_the_pad_is_said_until_it_is_released(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Bench(monkeypatch, ("pad",)) as bench:
        bench.play(table)
        wait_until(lambda: bench.devices.pad.hello is not None)
        monkeypatch.setattr("hardware.pad_link.SILENT", 0.3)
        bench.port._out += pack("STUCK ok")
        wait_until(lambda: "ok key" in str(bench.devices.faults()))
        bench.events.put(Tick())
        wait_until(lambda: table.notice == "pad's ok key stuck")
        wait_until(lambda: not bench.devices.faults())
        bench.events.put(Tick())
        wait_until(lambda: table.notice == "")


def said_of(
    moments: Iterable[tuple[float, bool]], monkeypatch: pytest.MonkeyPatch
) -> list[tuple[float, str]]:
    """What a box says of a display, and when, that is broken or not at these moments."""
    now, events = 0.0, SimpleQueue()
    devices = Devices(FAST, Present(), events)
    monkeypatch.setattr("companion.table.devices.time.monotonic", lambda: now)
    heard = []
    for now, broken in moments:
        monkeypatch.setattr(devices, "faults", lambda broken=broken: {"display": "lost"} if broken else {})
        devices._report()
        heard += [(now, events.get().text) for _ in range(events.qsize())]
    return heard


def test_r11_a_display_that_comes_and_goes_is_said_once_to_have_a_loose_contact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moments = [(100.0 + at, at < 60 and at % 4 == 1) for at in range(100)]
    assert said_of(moments, monkeypatch) == [
        (101.0, "no display"),
        (102.0, ""),
        (105.0, "no display"),
        (106.0, ""),
        (109.0, "display: loose contact"),
        (188.0, ""),
    ]


def test_r11_a_loose_display_that_is_gone_for_good_is_said_to_be_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moments = [(100.0 + at, at in (1, 3) or at >= 5) for at in range(60)]
    said = said_of(moments, monkeypatch)
    assert said[4:] == [
        (105.0, "display: loose contact"),
        (135.0, "no display"),
        (145.0, "no display"),
        (155.0, "no display"),
    ]


def test_what_stays_broken_is_said_again(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.devices.REMIND", 0.0)
    with Bench(monkeypatch, ("buttons",)) as bench:
        monkeypatch.setattr(bench.devices, "faults", lambda: {"buttons": "gone"})
        bench.play(table)
        wait_until(lambda: table.notice == "no buttons")
        table.notice = "another device is back"
        wait_until(lambda: table.notice == "no buttons")


@pytest.mark.parametrize("stands", ["no display", "journal.db: not written", "dice by hand: camera gone"])
def test_a_device_that_is_back_takes_away_only_what_was_said_of_it(
    table: Table, monkeypatch: pytest.MonkeyPatch, stands: str
) -> None:
    with Bench(monkeypatch, ()) as bench:
        loop = Loop(table, bench.events, [])
        for faults in ({"display": "gone"}, {}):
            monkeypatch.setattr(bench.devices, "faults", lambda faults=faults: faults)
            bench.devices.draw(loop.console)
        loop.handle(bench.events.get())
        assert table.notice == "no display"
        table.notice = stands
        loop.handle(bench.events.get())
        assert table.notice == ("" if stands == "no display" else stands)


def test_the_menu_too_says_what_devices_say_until_it_is_over() -> None:
    events: SimpleQueue[Event] = SimpleQueue()
    seat, feet = Seat(), list[str]()
    for notice in (Notice("no pad"), Notice("", "no keys"), Notice("no keys", "?"), Notice("", "no keys")):
        events.put(notice)
    events.put(Closed())
    seat.draw = lambda console: feet.append(console.screen().foot)
    put(lambda: Show("box.say", "?"), "T", lambda: "all well", WayIn, events, [seat])
    assert feet == ["all well", "no pad", "no pad", "no keys", "all well"]


def test_a_pad_that_goes_and_returns_is_said_and_heard_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.table.bench import PadPort

    with Bench(monkeypatch, ("pad",)) as bench:
        bench.play(table)
        advance(bench, table)
        bench.port.unplugged = True
        bench.ports.clear()
        wait_until(lambda: "pad" in bench.devices.faults())
        bench.events.put(Tick())
        wait_until(lambda: table.notice == "no pad")
        bench.port = PadPort()
        bench.ports.append("pad")
        advance(bench, table)


@pytest.mark.parametrize(("greeting", "said"), [(600.0, []), (0.0, [Notice("no display, no pad")])])
def test_a_device_that_is_still_being_opened_is_not_called_broken(
    table: Table, monkeypatch: pytest.MonkeyPatch, greeting: float, said: list[Notice]
) -> None:
    monkeypatch.setattr("companion.table.devices.GREETING", greeting)
    bench = Bench(monkeypatch, ("pad", "oled"))
    bench.bus.panel = None
    with bench:
        bench.ports.clear()
        bench.port.unplugged = True
        wait_until(lambda: bench.devices.pad is not None and bool(bench.devices.pad.fault))
        bench.devices.draw(Console(table))
        assert [bench.events.get() for _ in range(bench.events.qsize())] == said


def test_devices_that_come_after_the_start_are_taken(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.devices.LOOK_EVERY", 0.0)
    with Bench(monkeypatch, ()) as bench:
        bench.devices._look = lambda config: Present()
        bench.play(table)
        bench.events.put(Tick())
        bench.devices._look = lambda config: Present(oled=True, buttons=True, pad=True)
        wait_until(lambda: bench.events.put(Tick()) or bench.devices.buttons is not None)
        bench.kinds.add("buttons")
        advance(bench, table)
        wait_until(lambda: bench.lit() > 300)


def test_a_camera_that_comes_to_a_box_with_all_else_is_offered_and_all_else_stays_open_as_it_is(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.table.devices.LOOK_EVERY", 0.0)
    with Bench(monkeypatch, ("oled", "buttons", "pad")) as bench:
        bench.play(table)
        wait_until(lambda: bench.events.put(Tick()) or bench.devices.buttons is not None)
        opened = bench.devices.screen, bench.devices.buttons, bench.devices.pad
        bench.devices._look = lambda config: Present(oled=True, buttons=True, pad=True, camera=True)
        wait_until(lambda: bench.events.put(Tick()) or bench.devices.present.camera)
        bench.stop()
        assert (bench.devices.screen, bench.devices.buttons, bench.devices.pad) == opened


def test_where_all_is_there_that_the_settings_allow_nothing_more_is_looked_for(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.table.devices.LOOK_EVERY", 0.0)
    console, looks = Console(table), list[Config]()
    config = msgspec.structs.replace(FAST, camera=CameraSettings(enabled=False))
    with Bench(monkeypatch, ("oled", "buttons", "pad"), config) as bench:
        bench.devices.draw(console)
        bench.devices._look = lambda config: looks.append(config) or Present()
        bench.devices._look_at = 0.0
        bench.devices.draw(console)
        assert (looks, bench.devices._look_at) == ([], 0.0)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_look_for_devices_that_fails_is_not_the_last(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.table.devices.LOOK_EVERY", 0.0)
    looks = []

    def look(config: Config) -> Present:
        looks.append(config)
        raise FileNotFoundError("/dev/serial/by-id")  # gone with the last device in it

    with Bench(monkeypatch, ()) as bench:
        bench.devices._look = look
        console = Console(table)
        wait_until(lambda: bench.devices.draw(console) or len(looks) > 1)


def test_while_a_look_for_devices_hangs_no_other_is_begun(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.table.devices.LOOK_EVERY", 0.0)
    gate, looks = threading.Event(), []

    def look(config: Config) -> Present:
        looks.append(config)
        gate.wait(10)
        return Present()

    with Bench(monkeypatch, ()) as bench:
        bench.devices._look = look
        console = Console(table)
        for _ in range(5):
            bench.devices.draw(console)
        wait_until(lambda: bool(looks))
        assert len(looks) == 1
        gate.set()
        wait_until(lambda: bench.devices.draw(console) or len(looks) > 1)


def test_r15_the_watchdog_asks_each_device_also_those_that_are_opened_after_the_prompt(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set(threading.enumerate())
    with Bench(monkeypatch, KINDS) as bench:
        in_a_minute = Watchdog(clock=lambda: time.monotonic() + 60)
        bench.devices.watched_by(in_a_minute)
        bench.devices.draw(Console(table))
        assert in_a_minute.dead() == ["screen", "pad", "buttons"]
    left = {thread.name for thread in set(threading.enumerate()) - before}
    assert not left & {"display", "buttons", "pad"}


def test_keys_that_can_not_be_had_at_first_are_said_and_heard_when_they_can(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hardware.buttons import Buttons

    opened, refusals = Buttons.open, [PinsError("buttons: in use")]

    def refused(buttons: Buttons, now: float) -> None:
        if refusals:
            raise refusals.pop()
        opened(buttons, now)

    monkeypatch.setattr(Buttons, "open", refused)
    with Bench(monkeypatch, ("buttons",)) as bench:
        bench.devices.draw(Console(table))
        assert bench.events.get() == Notice("buttons: in use")
        bench.press(Button.OK)
        wait_until(lambda: isinstance(bench.events.get(timeout=10), Press))


def test_the_lamp_tells_what_the_box_is_doing_and_the_buzzer_that_something_new_is_asked(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hardware.lamps import Lamps, Mood

    moods, beeps = [], []
    monkeypatch.setattr(Lamps, "show", lambda lamps, mood: moods.append(mood))
    monkeypatch.setattr(Lamps, "beep", lambda lamps: beeps.append("beep"))
    table = begin(dice="manual")
    with Bench(monkeypatch, ("buttons",)) as bench:
        displays, console = bench.devices.displays(table), Console(table)

        def drawn() -> tuple[Mood, int]:
            for display in displays:
                display.draw(console)
            return moods[-1], len(beeps)

        assert [drawn(), drawn()] == [(Mood.WAITING, 1)] * 2
        table.answer(table.n, "dice")
        assert drawn() == (Mood.READING, 2)
        first = bench.devices.lamps
        bench.devices.buttons.factory = MockFactory()  # the chip was gone, and is back
        assert drawn() == (Mood.READING, 2)
        assert bench.devices.lamps not in (first, None)
        monkeypatch.setattr(bench.devices, "faults", lambda: {"display": "gone"})
        assert drawn() == (Mood.FAULT, 2)
        assert bench.devices.lamps._lamp is not None
    assert bench.devices.lamps._lamp.closed


def test_a_lamp_that_blinks_as_the_chip_goes_is_taken_again_when_it_is_back(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = begin(dice="manual")
    with Bench(monkeypatch, ("buttons",)) as bench:
        displays, console = bench.devices.displays(table), Console(table)

        def draw() -> None:
            for display in displays:
                display.draw(console)

        table.answer(table.n, "dice")
        draw()
        with monkeypatch.context() as gone:
            gone.setattr(bench.devices.buttons, "factory", None)
            draw()
            assert bench.devices.lamps is None
        draw()
        assert bench.devices.lamps is not None


def test_a_lamp_is_lit_also_where_the_buttons_are_switched_off(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = msgspec.structs.replace(FAST, buttons=ButtonSettings(enabled=False))
    with Bench(monkeypatch, (), config) as bench:
        for display in bench.devices.displays(table):
            display.draw(Console(table))
        assert bench.factory.pin(12).state == 1


def test_a_lamp_that_is_switched_off_stays_dark(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    config = msgspec.structs.replace(FAST, lamp=LampSettings(enabled=False))
    with Bench(monkeypatch, ("buttons",), config) as bench:
        for display in bench.devices.displays(table):
            display.draw(Console(table))
        assert bench.devices.lamps is None


def test_a_game_goes_on_where_buttons_are_switched_off_and_there_are_no_pins_for_a_lamp(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_chip() -> None:
        raise PinsError("no GPIO chip")

    monkeypatch.setattr("companion.table.devices.pin_factory", no_chip)
    config = msgspec.structs.replace(FAST, buttons=ButtonSettings(enabled=False))
    with Bench(monkeypatch, (), config) as bench:
        for display in bench.devices.displays(table):
            display.draw(Console(table))
        assert bench.devices.lamps is None


def test_a_new_headline_is_bright_and_other_lines_below_it_are_no_reason_to_be(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    handed: list[str] = []
    with Bench(monkeypatch, ("oled",)) as bench:
        for way in ("show", "turn"):
            monkeypatch.setattr(bench.devices.screen, way, lambda _, way=way: handed.append(way))
        bench.devices.splash("RESTORED", ("1 of 2",))
        bench.devices.splash("RESTORED", ("2 of 2",))
        bench.devices.splash("READY", ())
        assert handed == ["show", "turn", "show"]
        bench.devices.draw(Console(table))
        handed.clear()
        bench.devices.splash("READY", ())
        assert handed == ["show"], "another screen stood there meanwhile"


def test_a_lamp_whose_pin_is_taken_is_said_and_the_game_goes_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = msgspec.structs.replace(FAST, lamp=LampSettings(lamp=16))
    with Bench(monkeypatch, ("buttons",), taken) as bench:
        for _ in range(2):
            for display in bench.devices.displays(table):
                display.draw(Console(table))
        assert bench.events.get().text.startswith("lamp: ")
        assert bench.events.empty()


def test_a_tower_on_the_pad_rolls_the_dice(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    table = begin(dice="serial")
    with Bench(monkeypatch, ("pad",)) as bench:
        bench.play(table, bench.devices.dice)
        bench.press(Button.OK)
        wait_until(lambda: table.ask is not None and table.ask.kind == "roll")
        time.sleep(0.05)
        bench.port.say("dice d6 4")
        bench.port.say("dice d6 6")
        wait_until(lambda: table.ask is not None and table.ask.kind == "show")
        bench.stop()
        assert table.session.play.state.height == 6
        dice = next(iter(table.session.journal.rolls(table.session.meta.id).values()))
        assert [(die.face, die.source) for die in dice] == [("4", "serial"), ("6", "serial")]


def test_a_session_cut_off_in_mid_game_is_at_the_same_prompt_after_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ("buttons",)) as bench:
        seat = bench.box(journal)
        wait_until(lambda: "What shall it be?" in seat.lines)
        bench.press(Button.OK)
        wait_until(lambda: any("Start" in line for line in seat.lines))
        bench.press(Button.OK)
        wait_until(lambda: journal.last_open() is not None and "Start" not in str(seat.lines))
        time.sleep(0.1)
        before = list(seat.lines)
        assert isinstance(bench.stop(), Closed)
    with Journal(tmp_path) as journal, Bench(monkeypatch, ("buttons",)) as bench:
        again = bench.box(journal)
        wait_until(lambda: again.lines == before)


def stands_on(bench: Bench, picture: Image) -> bool:
    """Whether the picture is what the OLED shows."""
    panel = bench.bus.panel
    assert panel is not None
    places = itertools.product(range(picture.width), range(picture.height))
    return all(panel.pixel(*place) == bool(picture.getpixel(place)) for place in places)


def test_a_terminal_on_a_box_hears_its_keys_and_shows_on_its_oled(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.table import oled_play

    monkeypatch.setattr(oled_play, "load", lambda: FAST)
    with Bench(monkeypatch, ("oled", "buttons")) as bench:
        bench.devices.__exit__()
        monkeypatch.setattr(oled_play, "discover", lambda config: Present(oled=True, buttons=True))
        with oled_play.attached(bench.events) as devices:
            assert devices is not None
            bench.devices = devices
            bench.play(table)
            advance(bench, table)
            wait_until(lambda: bench.lit() > 300)
            bench.stop()
        wait_until(lambda: stands_on(bench, splash("STOPPED", ("all is saved",), (128, 64))))
    monkeypatch.setattr(oled_play, "discover", lambda config: Present())
    with oled_play.attached(bench.events) as nothing:
        assert nothing is None
    for alone in (Present(pad=True), Present(buttons=True), Present(oled=True)):
        monkeypatch.setattr(oled_play, "discover", lambda config, alone=alone: alone)
        with oled_play.attached(bench.events) as devices:
            assert devices is not None, "a pad alone has keys too"


def test_the_boxs_devices_are_left_to_its_service_where_that_runs(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else two programs draw on one display, and each takes the other's keys for broken."""
    from companion.table import oled_play

    monkeypatch.setattr(oled_play, "load", lambda: FAST)
    monkeypatch.setattr(oled_play, "discover", lambda config: Present(oled=True, buttons=True, pad=True))
    monkeypatch.setattr(oled_play, "oled_trouble", lambda config: "")
    monkeypatch.setattr(oled_play, "service_runs", lambda: True)
    with Bench(monkeypatch, ()) as bench, oled_play.attached(bench.events) as nothing:
        assert nothing is None
    with pytest.raises(DeviceMissing, match="service runs and has it"):
        oled_play.check_oled(emulate=False)
    monkeypatch.setattr(oled_play, "check_oled", lambda *, emulate: None)
    monkeypatch.setattr(oled_play, "emulated", leaving_at_once)
    taken = list[Devices]()
    monkeypatch.setattr(oled_play, "Devices", lambda *given: taken.append(Devices(*given)) or taken[-1])
    oled_play.play_on_oled(table, None, emulate=True)
    assert [(devices.present, devices._look) for devices in taken] == [(Present(), None)]


@contextmanager
def leaving_at_once(events: Events) -> Iterator[Seat]:
    """An emulated screen that is closed as soon as it is there."""
    events.put(Closed())
    yield Seat()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_game_on_the_oled_that_is_told_to_stop_leaves_no_prompt_standing_and_no_lamp_lit(
    table: Table, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """As one that was begun over a network that is gone."""
    from companion.table import oled_play

    def die(*_: object) -> None:
        raise SystemExit

    before = signal.signal(number, die)
    monkeypatch.setattr(oled_play, "load", lambda: FAST)
    monkeypatch.setattr(oled_play, "check_oled", lambda *, emulate: None)
    monkeypatch.setattr(oled_play, "discover", lambda config: Present(oled=True, buttons=True))
    with Bench(monkeypatch, ("oled", "buttons")) as bench:
        bench.devices.__exit__()
        lamp = bench.factory.pin(12)

        def stop_it() -> None:
            wait_until(lambda: bool(lamp.state))
            signal.raise_signal(number)

        told = threading.Thread(target=stop_it)
        told.start()
        oled_play.play_on_oled(table, None, emulate=False)
        told.join()
        assert not lamp.state
        wait_until(lambda: stands_on(bench, splash("STOPPED", ("all is saved",), (128, 64))))
    assert signal.signal(number, before) is die


def test_shutting_down_from_the_menu_leaves_a_wish_for_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ("buttons",)) as bench:
        seat = bench.box(journal)
        for button in (Button.OK, Button.BACK, Button.DOWN):
            wait_until(lambda: "What shall it be?" in seat.lines)
            bench.press(Button.UP)
            bench.press(Button.OK)
            wait_until(lambda: seat.lines[:4] == ["COMPANION", "Shut down?", " No", " Yes"])
            bench.press(button)
        bench.press(Button.OK)
        wait_until(lambda: bench.result == Quit(power_off=True))
        bench.stop()
    shut_down(tmp_path)
    assert (tmp_path / "poweroff").exists()
    shut_down(tmp_path / "no such folder")


def test_a_setting_that_was_turned_keeps_the_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice in a hurry turns it twice, and begins nothing."""
    monkeypatch.setattr(loops, "LOCKOUT", 0.3)
    with at_home(tmp_path, monkeypatch) as (bench, journal, seat):
        bench.events.put(Press(Button.OK, time.monotonic() + 1))
        wait_until(lambda: " Players: 1" in seat.lines)
        for button in (Button.DOWN, Button.DOWN, Button.OK, Button.OK):
            bench.events.put(Press(button, time.monotonic() + 1))
        wait_until(lambda: " Players: 3" in seat.lines)
        assert not journal.sessions()


def test_a_setting_called_start_is_turned_and_begins_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Flag war has one."""
    with at_home(tmp_path, monkeypatch) as (bench, journal, seat):
        for button in (Button.DOWN, Button.OK, *[Button.UP] * 5):
            bench.events.put(Press(button, time.monotonic() + 1))
        wait_until(lambda: " Men start in: layout" in seat.lines)
        bench.events.put(Press(Button.OK, time.monotonic() + 1))
        wait_until(lambda: " Men start in: free" in seat.lines)
        assert not journal.sessions()


def test_what_a_setting_does_is_told_below_the_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with at_home(tmp_path, monkeypatch) as (bench, _, seat):
        bench.events.put(Press(Button.OK, time.monotonic() + 1))
        wait_until(lambda: " Start" in seat.lines)
        for way, told in (
            ([Button.DOWN] * 3, "Bazooka Joe: no all Special Items; all Specialists too"),
            ([Button.UP] * 5, "software: the box draws; manual: you draw from the real decks"),
            ([Button.UP], "manual: you roll and enter them; software: the box rolls"),
        ):
            for button in way:
                bench.events.put(Press(button))
            wait_until(lambda told=told: told in " ".join(line.strip() for line in seat.lines))


def form_of(box: Box, name: str) -> dict[str, str]:
    """How the menu before a game opens: the value of each of its settings."""
    game = load(name)
    settings = box._settings(game, merge(name, find(game.folder, box._data)))
    return {one.name: one.value for one in settings}


@pytest.mark.parametrize("kinds", [(), ("camera",)])
def test_the_menu_before_a_game_opens_as_that_game_was_begun_the_last_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds: tuple[str, ...]
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, kinds) as bench:
        box = Box(tmp_path, journal, bench.devices, bench.events, [])
        fresh = form_of(box, "dday_dice")
        wishes = (
            Wish({"players": "2", "def_by": "chevrons"}, "deadstick", 7, "software", "manual"),
            Wish({"players": "2"}, "omaha", 7, "manual"),
        )
        for wish in wishes:
            left(journal, "dday_dice", wish)
            begun = {**wish.settings, "scenario": wish.scenario, "dice": wish.dice, "cards": wish.cards}
            if wish.dice == "manual":  # it may have been for want of the reader that is there now
                begun["dice"] = fresh["dice"]
            assert form_of(box, "dday_dice") == fresh | begun
        assert form_of(box, "okinawa")["mode"] == "referee"


def test_what_a_value_of_the_last_time_is_not_there_for_any_more_stands_as_in_a_new_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ()) as bench:
        meta = left(journal, "okinawa", Wish({"mode": "enemy"}, "", 7, "camera"))
        gone = {**meta.settings, "sandbags": "9", "airships": "on"}
        journal.update(msgspec.structs.replace(meta, settings=gone))
        form = form_of(Box(tmp_path, journal, bench.devices, bench.events, []), "okinawa")
        assert (form["mode"], form["sandbags"], form["dice"]) == ("enemy", "1", "manual")


@pytest.mark.parametrize("has_tower", [True, False])
def test_a_tower_is_offered_where_the_pad_has_one(
    monkeypatch: pytest.MonkeyPatch, *, has_tower: bool
) -> None:
    bench = Bench(monkeypatch, ("pad",))
    bench.port.abilities = "btn=4 tower=1" if has_tower else "btn=4"
    with bench:
        wait_until(lambda: bench.devices.pad is not None and bench.devices.pad.hello is not None)
        assert bench.devices.readers == (["serial"] if has_tower else [])


@pytest.mark.parametrize("name", names())
def test_who_draws_cards_is_asked_where_there_are_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ()) as bench:
        box = Box(tmp_path, journal, bench.devices, bench.events, [])
        assert ("cards" in form_of(box, name)) == load(name).draws


@pytest.mark.parametrize("name", names())
def test_the_words_of_a_setting_are_not_broken_on_the_small_screen(name: str) -> None:
    for one in load(name).settings:
        words = " ".join((one.title, *one.titles.values())).split()
        assert max(map(len, words)) < COLUMNS


def test_scenarios_options_and_their_values_go_by_what_people_call_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ()) as bench:
        game, box = load("undaunted"), Box(tmp_path, journal, bench.devices, bench.events, [])
        settings = box._settings(game, merge(game.name, find(game.folder, tmp_path)))
        side = next(one for one in settings if one.name == "side")
        side.turn()
        assert settings[0].option().label == "Scenario: La Raye"
        assert (side.option().label, side.value) == ("Your side: US", "us")


def test_the_back_key_leads_from_the_settings_of_a_game_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_home(tmp_path, monkeypatch) as (bench, _, seat):
        bench.events.put(Press(Button.OK, time.monotonic() + 1))
        wait_until(lambda: " Start" in seat.lines)
        for button in (Button.WHY, Button.BACK, Button.DOWN, Button.BACK):
            bench.events.put(Press(button))
        wait_until(lambda: "What shall it be?" in seat.lines)


def test_the_menu_outside_a_game_has_no_board_and_nothing_to_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_home(tmp_path, monkeypatch) as (bench, _, seat):
        bench.events.put(Press(Button.BACK))
        wait_until(lambda: seat.lines[:4] == ["COMPANION", "Menu", " Why?", " Shut down"])


def test_settings_that_a_game_refuses_stand_as_they_were_to_be_put_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_home(tmp_path, monkeypatch) as (bench, journal, seat):
        game = load("dday_dice")
        packs = merge(game.name, find(game.folder, tmp_path, ()))
        scenarios = game.scenarios(build(packs, game.pack_type))
        down, ok = Button.DOWN, Button.OK
        for button in (ok, down, ok, *[down] * scenarios.index("deadstick"), ok, Button.UP, ok):
            bench.events.put(Press(button, time.monotonic() + 1))
        wait_until(
            lambda: "Operation Deadstick is for 2 to 4: set players=2 (DDD-313)" in " ".join(seat.lines)
        )
        for button in (ok, down, down, ok):
            bench.events.put(Press(button, time.monotonic() + 1))
        wait_until(lambda: {" Deadstick", " Players: 2"} <= {*seat.lines})
        assert not journal.sessions()


def test_a_setting_of_many_values_is_chosen_from_a_list_that_the_back_key_leaves_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with at_home(tmp_path, monkeypatch) as (bench, _, seat):
        for button in (Button.OK, Button.DOWN, Button.OK):
            bench.events.put(Press(button, time.monotonic() + 1))
        wait_until(lambda: seat.lines[1:3] == ["Scenario", " Exercise Tiger:"])
        for button in (Button.UP, Button.UP, Button.BACK):
            bench.events.put(Press(button, time.monotonic() + 1))
        wait_until(lambda: " Scenario: Exercise" in seat.lines)
        for button in (Button.OK, Button.UP, Button.OK):
            bench.events.put(Press(button, time.monotonic() + 1))
        wait_until(lambda: " Scenario: Red Cliff" in seat.lines)


def test_what_goes_wrong_in_a_game_that_was_begun_leads_home_not_to_the_start_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ()) as bench:
        seat = in_a_game_that_can_not_be_closed(monkeypatch, bench, journal)
        for button in (Button.MENU, Button.UP, Button.UP, Button.OK):
            bench.events.put(Press(button, time.monotonic() + 1))
        wait_until(lambda: "the disk is full" in seat.lines)
        bench.events.put(Press(Button.OK, time.monotonic() + 1))
        wait_until(lambda: any(line.startswith(" Go on") for line in seat.lines))


def test_a_full_disk_keeps_no_box_from_stopping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ()) as bench:
        in_a_game_that_can_not_be_closed(monkeypatch, bench, journal)
        assert isinstance(bench.stop(), Closed)


def test_a_full_disk_keeps_no_box_from_being_shut_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ()) as bench:
        seat = in_a_game_that_can_not_be_closed(monkeypatch, bench, journal)
        for button in (Button.MENU, Button.UP, Button.OK, Button.DOWN, Button.OK):
            bench.events.put(Press(button, time.monotonic() + 1))
        wait_until(lambda: "the disk is full" in seat.lines)
        bench.events.put(Press(Button.OK, time.monotonic() + 1))
        wait_until(lambda: bench.result == Quit(power_off=True))


def in_a_game_that_can_not_be_closed(monkeypatch: pytest.MonkeyPatch, bench: Bench, journal: Journal) -> Seat:
    def close(session: Session) -> None:
        session._held.close()
        raise JournalFull("the disk is full")

    monkeypatch.setattr(Session, "close", close)
    seat = bench.box(journal)
    for shown in ("What shall it be?", " Start", "Set up the table"):
        wait_until(lambda shown=shown: shown in seat.lines)
        bench.events.put(Press(Button.OK, time.monotonic() + 1))
    wait_until(lambda: bool(journal.sessions()) and "Set up the table" not in seat.lines)
    return seat


@pytest.mark.parametrize("touched", [False, True])
def test_a_session_that_was_begun_elsewhere_comes_into_the_menu_but_not_below_a_finger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, touched: bool
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ("buttons",)) as bench:
        seat = bench.box(journal)
        wait_until(lambda: any("D-Day Dice" in line for line in seat.lines))
        for _ in range(5 if touched else 0):
            bench.events.put(Press(Button.DOWN))
        wait_until(lambda: touched == any("Shut down" in line for line in seat.lines))
        before = seat.lines
        with Journal(tmp_path) as other:
            left(other, "okinawa")
        bench.events.put(Tick())
        if touched:
            bench.events.put(Tick())
            wait_until(bench.events.empty)
            assert seat.lines == before
        else:
            wait_until(lambda: any("Go on: Okinawa" in line for line in seat.lines))
            bench.press(Button.OK)
            wait_until(lambda: "What shall it be?" not in seat.lines)
            assert not any("Start" in line for line in seat.lines)


def test_a_game_goes_on_though_another_one_was_begun_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ()) as bench:
        for name in ("dday_dice", "okinawa"):
            left(journal, name)
        seat = bench.box(journal)
        wait_until(lambda: " Go on: Okinawa: The" in seat.lines)
        for button, shown in ((Button.DOWN, " Go on"), (Button.DOWN, "Set up the table")):
            bench.events.put(Press(button))
            bench.events.put(Press(Button.OK, time.monotonic() + 1))
            wait_until(lambda shown=shown: shown in seat.lines)
        bench.stop()
        assert len(journal.sessions()) == 2


def test_the_game_that_was_played_last_is_offered_first_and_not_the_one_begun_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ()) as bench:
        for name in ("okinawa", "dday_dice"):
            left(journal, name)
        with Session.resume(journal, load("okinawa"), journal.sessions()[0].id) as session:
            session.answer(session.n, True)
        seat = bench.box(journal)
        wait_until(lambda: " Go on: Okinawa: The" in seat.lines)


def test_of_several_unfinished_sessions_of_a_game_each_can_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ()) as bench:
        for scenario in ("tiger_basic", "omaha"):
            left(journal, "dday_dice", Wish(scenario=scenario))
        older = journal.sessions()[0]
        journal.update(msgspec.structs.replace(older, created=3e8))
        played: list[str] = []
        ways = Ways(take=played.append)
        seat = bench.box(journal, ways)
        wait_until(lambda: " Go on: D-Day Dice" in seat.lines)
        steps = (
            (Button.OK, " Go on"),
            (Button.OK, f" {local(3e8):%Y-%m-%d %H:%M}"),
            (Button.BACK, " Start"),
            (Button.OK, "Which one?"),
            (Button.OK, "Set up the table"),
        )
        for button, shown in steps:
            bench.events.put(Press(Button.DOWN))
            bench.events.put(Press(button, time.monotonic() + 1))
            wait_until(lambda shown=shown: shown in seat.lines)
        bench.stop()
        assert played == [older.id]


def test_a_session_of_a_game_that_is_not_here_does_not_stop_the_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ("buttons",)) as bench:
        left(journal, "okinawa")
        with Session.create(journal, GAME, PACKS, Wish(seed=7)):
            assert journal.last_open().game == GAME.name
        seat = bench.box(journal)
        wait_until(lambda: any("Go on: Okinawa" in line for line in seat.lines))


def test_a_session_that_was_cut_off_and_can_not_go_on_any_more_leads_home_and_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ()) as bench:
        with Session.create(journal, GAME, PACKS, Wish(seed=7)) as session:
            Playing(tmp_path).begin(session.meta.id)
        seat = bench.box(journal)
        wait_until(lambda: "no game 'toy'" in " ".join(seat.lines))
        bench.events.put(Press(Button.OK, time.monotonic() + 1))
        wait_until(lambda: "What shall it be?" in seat.lines)
        bench.stop()
        assert not Playing(tmp_path).interrupted()


def test_beside_the_camera_of_a_session_at_the_box_the_tower_answers_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, misread = [], (RolledDie("d6", "4", "camera", read="3"),)
    monkeypatch.setattr(Session, "misread", lambda session: misread)
    monkeypatch.setattr("companion.table.box.load", lambda name: GAME)
    monkeypatch.setattr("companion.table.box.open_source", lambda *wish: opened.append(wish))
    with Journal(tmp_path) as journal, Bench(monkeypatch, ("pad",)) as bench:
        with Session.create(journal, GAME, PACKS, Wish(seed=7, dice="camera")) as session:
            Playing(tmp_path).begin(session.meta.id)
        ways = Ways(camera="/dev/video9")
        seat = bench.box(journal, ways)
        wait_until(lambda: "Which way?" in seat.lines)
        bench.events.put(Press(Button.OK, time.monotonic() + 1))
        wait_until(lambda: "Roll to climb" in seat.lines)
        wait_until(lambda: opened == [("camera", "/dev/video9", tmp_path, misread)])
        bench.port.say("dice d6 4")
        bench.port.say("dice d6 6")
        wait_until(lambda: bool(journal.rolls(session.meta.id)))


def test_for_a_session_whose_dice_the_tower_counts_the_box_opens_no_camera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, ("pad",)) as bench:
        box = Box(tmp_path, journal, bench.devices, bench.events, [Seat()])
        assert box._source("serial") is bench.devices.dice


def test_a_journal_that_was_mended_is_said_at_the_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path) as journal, Bench(monkeypatch, KINDS) as bench:
        journal.store.salvaged = Salvage(journal.path, sessions=2, kept=30, lost=1)
        seat = bench.box(journal)
        wait_until(lambda: any("the journal was" in line for line in seat.lines))


@pytest.mark.parametrize(
    ("key", "gesture", "button"),
    [
        (keys.Key.OK, keys.Gesture.PRESS, Button.OK),
        (keys.Key.OK, keys.Gesture.HOLD, Button.WHY),
        (keys.Key.BACK, keys.Gesture.PRESS, Button.BACK),
        (keys.Key.BACK, keys.Gesture.HOLD, Button.MENU),
        (keys.Key.UP, keys.Gesture.REPEAT, Button.UP),
        (keys.Key.DOWN, keys.Gesture.PRESS, Button.DOWN),
        (keys.Key.UP, keys.Gesture.TURN, Button.LEFT),
        (keys.Key.DOWN, keys.Gesture.TURN, Button.RIGHT),
    ],
)
def test_holding_ok_asks_why_holding_back_opens_the_menu_and_an_encoder_turns(
    key: keys.Key, gesture: keys.Gesture, button: Button
) -> None:
    assert button_of(keys.Press(key, gesture, 0.0)) is button


def test_a_press_on_a_dark_display_only_lights_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.table.config import ButtonSettings, Config, DisplaySettings

    quick = Config(DisplaySettings(dim_after=0.05, off_after=0.1), ButtonSettings(settle=0.001, hold=5.0))
    with Bench(monkeypatch, ("oled", "buttons"), quick) as bench:
        bench.play(table)
        wait_until(lambda: bench.devices.screen is not None and bench.devices.screen.display.dark)
        bench.press(Button.OK)
        wait_until(lambda: not bench.devices.screen.display.dark)
        assert table.n == 1


@pytest.mark.parametrize(("abilities", "counts"), [("btn=4 oled=21x8", True), ("btn=4", False)])
def test_a_press_on_a_pad_that_shows_the_prompt_counts_also_where_the_boxs_display_is_dark(
    abilities: str, counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.table.config import Config, DisplaySettings

    quick = Config(DisplaySettings(dim_after=0.05, off_after=0.1))
    bench = Bench(monkeypatch, ("oled", "pad"), quick)
    bench.port.abilities = abilities
    with bench:
        wait_until(lambda: bench.devices.screen.display.dark and bench.devices.pad.hello is not None)
        bench.devices._from_pad(keys.Press(keys.Key.OK, keys.Gesture.PRESS, 0.0))
        assert bench.events.empty() is not counts


@pytest.mark.parametrize(
    ("presses", "title"),
    [(0, "lap 2, turn 11      v"), (1, "lap 2, turn 11     ^v"), (20, "lap 2, turn 11     ^")],
)
def test_a_pad_says_in_its_title_that_there_is_more_to_read(
    presses: int, title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = Show("t.long", " ".join(f"word{n}" for n in range(40)))
    console = Console(OneQuestion(long, "The Rhine, lap 2, turn 11", ""))
    for _ in range(presses):
        console.press(Button.DOWN)
    with Bench(monkeypatch, ("pad",)) as bench:
        bench.devices.draw(console)
        wait_until(lambda: bench.port.rows[0] == title)


def test_a_pad_has_nothing_but_the_title_above_what_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    with Bench(monkeypatch, ("pad",)) as bench:
        bench.devices.draw(Console(OneQuestion(Show("t.short", "hello"), "Okinawa", "")))
        wait_until(lambda: bench.port.rows[0] == "Okinawa")


class TestLockout:
    """R12: a press within 300 ms of a changed prompt does not answer the new one."""

    @pytest.fixture
    def loop(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> Loop:
        monkeypatch.setattr(loops, "LOCKOUT", 0.3)
        self.now = 50.0
        monkeypatch.setattr(loops.time, "monotonic", lambda: self.now)
        return Loop(table, SimpleQueue(), [])

    @pytest.mark.usefixtures("loop")
    @pytest.mark.parametrize("keyboard", [False, True])
    @pytest.mark.parametrize(("at", "answer"), [(50.2, Closed()), (50.31, "resume")])
    def test_at_the_menu_where_a_session_came_in_before_the_press(
        self, at: float, answer: object, *, keyboard: bool
    ) -> None:
        def menu(*names: str) -> Choose:
            return Choose("box.home", "?", options=tuple(Option(name, name) for name in names))

        menus = iter((menu("new", "off"), menu("resume", "new", "off")))
        events: SimpleQueue[Event] = SimpleQueue()
        for event in (Tick(), Press(Button.OK, at, keyboard), Closed()):
            events.put(event)
        assert put(lambda: next(menus), "T", str, tuple, events, []) == answer

    def test_twice_in_a_row_neither_begins_a_game_nor_answers_its_first_ask(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(loops, "LOCKOUT", 0.3)
        with Journal(tmp_path) as journal, Bench(monkeypatch, ()) as bench:
            seat = bench.box(journal)
            for shown in ("What shall it be?", " Start", "Set up the table"):
                wait_until(lambda shown=shown: shown in seat.lines)
                time.sleep(0.35)
                before = seat.lines
                pressed = time.monotonic()
                bench.events.put(Press(Button.OK, pressed))
                bench.events.put(Press(Button.OK, pressed + 0.1))
                wait_until(lambda before=before: seat.lines != before)
            bench.stop()
            assert journal.sessions()

    def test_twice_in_a_row_neither_chooses_a_value_from_a_list_nor_opens_the_list_again(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with at_home(tmp_path, monkeypatch) as (bench, _, seat):
            monkeypatch.setattr(loops, "LOCKOUT", 0.3)
            for moves, shown in (
                ((), " Start"),
                ((Button.DOWN,), " Exercise Tiger:"),
                ((Button.UP,), " Scenario: Red Cliff"),
                ((Button.DOWN,), " Players: 2"),
            ):
                pressed = time.monotonic()
                for move in moves:
                    bench.events.put(Press(move))
                bench.events.put(Press(Button.OK, pressed + 1))
                wait_until(lambda shown=shown: shown in seat.lines)
                bench.events.put(Press(Button.OK, pressed))

    def test_after_the_own_answer(self, loop: Loop) -> None:
        loop.handle(Press(Button.OK, at=self.now))
        n = loop.table.n
        for after, moved in [(0.05, False), (0.29, False), (0.31, True)]:
            loop.handle(Press(Button.OK, at=50.0 + after))
            assert (loop.table.n != n) is moved

    def test_after_an_answer_from_elsewhere(self, loop: Loop) -> None:
        loop.table.answer(loop.table.n, "dice")
        loop.handle(Changed())
        n = loop.table.n
        loop.handle(Press(Button.OK, at=50.1))
        assert loop.table.n == n

    def test_after_an_answer_from_elsewhere_the_keyboard_waits_too(self, loop: Loop) -> None:
        loop.table.answer(loop.table.n, "dice")
        loop.handle(Changed())
        n = loop.table.n
        for after, moved in [(0.1, False), (0.31, True)]:
            loop.handle(Press(Button.OK, at=50.0 + after, keyboard=True))
            assert (loop.table.n != n) is moved

    @pytest.mark.parametrize("keyboard", [False, True])
    def test_after_an_answer_that_came_just_before_the_press(self, loop: Loop, keyboard: bool) -> None:
        loop.table.answer(loop.table.n, "dice")
        n = loop.table.n
        early, late = (Press(Button.OK, at=at, keyboard=keyboard) for at in (50.0, 50.1))
        for event in (early, Changed(), late):
            loop.handle(event)
        assert loop.table.n == n

    def test_a_digit_after_an_answer_from_elsewhere(self, loop: Loop) -> None:
        """Also one that the loop hears of late, as while it draws."""
        typed: list[str] = []
        loop._typed = lambda key, _: typed.append(key)
        loop.table.answer(loop.table.n, "dice")
        for event in (Changed(), Typed("1", at=50.0), Typed("q", at=50.0)):
            loop.handle(event)
        self.now = 50.31
        for event in (Typed("1", at=50.1), Typed("2", at=50.31)):
            loop.handle(event)
        assert typed == ["q", "2"]

    def test_the_keyboard_is_not_locked_out(self, loop: Loop) -> None:
        loop.handle(Press(Button.OK, at=self.now, keyboard=True))
        n = loop.table.n
        loop.handle(Press(Button.OK, at=self.now, keyboard=True))
        assert loop.table.n != n
