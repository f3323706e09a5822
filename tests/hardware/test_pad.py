"""The pad: its firmware on MicroPython joined to the driver over a pseudo-terminal, and torn off (R9)."""

from __future__ import annotations

import errno
import importlib
import os
import pty
import queue
import shutil
import subprocess
import sys
import termios
import threading
import time
import tty
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("serial")
from hardware import serial_pad  # after the skip
from hardware.drawing import Row, Screen, Style, draw
from hardware.errors import PadError
from hardware.keys import Gesture, Key, KeyLogic, Press, Timing
from hardware.pad_link import PadDice, PadLink, screen_crc
from hardware.pico import keys
from hardware.pico.lines import MOST, Lines, crc8, pack, unpack
from hardware.pico.oled import BRIGHT, DIM, Oled
from hardware.pico.uptime import Uptime
from hardware.serial_pad import SerialPad, find_ports, open_port
from tests.hardware.fakes import Ssd1306Memory

HERE = Path(__file__).parent
FIRMWARE = HERE.parents[1] / "hardware" / "pico"
FONT = HERE.parents[1] / "hardware" / "fonts" / "box6x8.hex"
MICROPYTHON = shutil.which("micropython")
HOSTS = [
    pytest.param(
        [MICROPYTHON or ""],
        id="micropython",
        marks=pytest.mark.skipif(
            MICROPYTHON is None, reason="no micropython on PATH: its firmware ran on CPython"
        ),
    ),
    pytest.param([sys.executable, str(HERE / "pico_host" / "cpython.py")], id="cpython"),
]


WHOLE_SCREEN = 28 + 8 * (9 + 131)
"""Bytes of the fake OLED's file: the initialisation, then a window and a page for each row."""


def test_the_checksum_is_the_standard_one() -> None:
    assert crc8(b"123456789") == 0xF4


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=MOST - 4))
def test_a_body_comes_back_out_of_its_line(body: str) -> None:
    assert unpack(pack(body)[:-1]) == body


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60), st.data())
def test_a_line_with_one_wrong_bit_is_never_taken(body: str, data: st.DataObject) -> None:
    line = bytearray(pack(body)[:-1])
    place = data.draw(st.integers(0, len(line) - 1))
    line[place] ^= 1 << data.draw(st.integers(0, 7))
    assert unpack(bytes(line)) is None or bytes(line[-2:]).lower() == pack(body)[-3:-1].lower()


@given(st.binary(max_size=4000), st.integers(1, 70))
def test_garbage_in_pieces_of_any_size_is_dropped_within_bounds_and_the_next_line_is_read(
    garbage: bytes, piece: int
) -> None:
    lines = Lines()
    stream = garbage + b"\n" + pack("HB 1 00")
    bodies: list[str] = []
    for start in range(0, len(stream), piece):
        bodies += lines.feed(stream[start : start + piece])
        assert len(lines._line) <= MOST
    assert bodies[-1] == "HB 1 00"


def test_nothing_is_kept_of_a_line_that_is_too_long_and_an_empty_one_is_not_bad() -> None:
    longest = "x" * (MOST - len("*CC"))
    lines = Lines()
    assert lines.feed(pack(longest) + pack(longest + "x") + b"\n") == [longest]
    assert lines.bad == 1
    for _ in range(3):
        assert lines.feed(b"x" * MOST) == []
        assert len(lines._line) <= MOST
    assert lines.feed(b"\n" + pack("HB 1 00")) == ["HB 1 00"]
    assert lines.bad == 2


def greeted(now: float = 0.0, nonce: str = "beef") -> PadLink:
    link = PadLink(now)
    link.feed(pack(f"HELLO box 1 e660 {nonce} btn=4 oled=21x8"), now)
    return link


def test_an_event_is_heard_once_however_often_it_is_sent_and_acknowledged_each_time() -> None:
    link = greeted()
    line = pack("E 7 key ok press 40")
    heard = [event for _ in range(4) for event in link.feed(line, 5.0)]
    assert heard == [Press(Key.OK, Gesture.PRESS, pytest.approx(4.96))]
    assert link.take().count(pack("A 7")) == 4


def test_what_a_pad_says_before_it_greeted_is_neither_heard_nor_acknowledged() -> None:
    """It may be another one, or the same started anew: it sends its event again."""
    link, line = PadLink(0.0), pack("E 7 key ok press 40")
    assert link.feed(line, 1.0) == []
    assert pack("A 7") not in link.take()
    link.feed(pack("HELLO box 1 e660 beef btn=4"), 1.1)
    assert len(link.feed(line + line, 1.2)) == 1


def test_all_events_that_a_pad_keeps_may_come_again_and_are_heard_once() -> None:
    link = greeted()
    kept = b"".join(pack(f"E {seq} key down repeat 0") for seq in range(1, 17))
    assert len(link.feed(kept + kept, 0.0)) == 16


def test_r9_keys_are_heard_in_the_order_of_the_fingers_though_a_bad_line_brings_one_late() -> None:
    """An OK would be heard before its Down; it is not acknowledged, so that it comes again."""
    link = greeted()
    assert heard_keys(link, "E 5 key up press 0", 1.0) == ["up"]
    assert heard_keys(link, "E 7 key ok press 0", 2.0) == []
    assert pack("A 7") not in link.take()
    assert heard_keys(link, "E 5 key up press 1000", 2.0) == []
    assert heard_keys(link, "E 6 key down press 250", 2.2) == ["down"]
    assert heard_keys(link, "E 7 key ok press 250", 2.25) == ["ok"]


def test_r9_a_key_that_the_pad_has_given_up_takes_those_with_it_that_came_while_it_was_waited_for() -> None:
    link = greeted()
    assert heard_keys(link, "E 5 key up press 0", 1.0) == ["up"]
    for age in (0, 250, 1990):
        assert heard_keys(link, f"E 7 key ok press {age}", 2.0 + age / 1000) == []
    assert heard_keys(link, "E 8 key up press 0", 4.0) == ["up"]
    assert heard_keys(link, "E 10 key ok press 0", 4.1) == []


def test_r9_a_pad_that_is_back_is_heard_at_once_whatever_became_stale_meanwhile() -> None:
    link = greeted()
    assert heard_keys(link, "E 5 key up press 0", 1.0) == ["up"]
    link.feed(pack("HELLO box 1 e660 beef btn=4"), 9.0)
    assert heard_keys(link, "E 9 key ok press 0", 9.1) == ["ok"]


def heard_keys(link: PadLink, body: str, now: float) -> list[str]:
    return [event.key.value for event in link.feed(pack(body), now)]


@pytest.mark.parametrize("body", ["HB 2500 00", "PONG 3", "E 1 key ok press 0"])
def test_a_pad_is_dead_three_seconds_after_it_said_anything_sound(body: str) -> None:
    link = greeted()
    link.feed(pack(body), 2.5)
    link.feed(b"E 2 key ok pre\n", 5.0)
    assert (link.dead(5.4), link.dead(5.5)) == (False, True)


def test_a_pad_that_started_anew_counts_from_one_again() -> None:
    link = greeted(nonce="aaaa")
    assert len(link.feed(pack("E 1 key up press 0"), 0.0)) == 1
    link.feed(pack("HELLO box 1 e660 bbbb btn=4"), 1.0)
    assert len(link.feed(pack("E 1 key up press 0"), 1.0)) == 1


class Cable:
    """A pad that goes on sending event 1, as one does that never hears it acknowledged."""

    in_waiting = 64

    def __init__(self, nonce: str) -> None:
        self.out = pack(f"HELLO box 1 e660 {nonce} btn=4") + pack("E 1 key ok press 0")

    def read(self, size: int) -> bytes:
        if not self.out:
            raise OSError(5, "Input/output error")
        taken, self.out = self.out, b""
        return taken

    def write(self, data: bytes) -> int:
        return len(data)

    def close(self) -> None:
        """Nothing to give back."""


@pytest.mark.parametrize(("second", "presses"), [("aaaa", 1), ("bbbb", 2)])
def test_r9_an_event_that_is_repeated_over_a_replug_is_heard_once(second: str, presses: int) -> None:
    heard: list[object] = []
    cables = [Cable("aaaa"), Cable(second)]
    pad = SerialPad(heard.append, "pad", open_it=lambda name: cables.pop(0))
    for turn in range(20):
        pad.step(float(turn))
        if not cables and not pad.fault:
            break
    assert not cables
    assert len(heard) == presses


def test_a_pad_that_gains_a_tower_says_so_and_repeats_nothing_that_was_heard() -> None:
    link = greeted()
    assert len(link.feed(pack("E 1 key ok press 0"), 1.0)) == 1
    assert not link.hello.has_tower
    assert link.feed(pack("HELLO box 1 e660 beef btn=4 tower=1") + pack("E 1 key ok press 300"), 1.3) == []
    assert link.hello.has_tower


def test_dice_of_a_tower_are_reported_with_their_kind() -> None:
    assert greeted().feed(pack("E 1 dice d6 3 5 0"), 2.0) == [PadDice("d6", ("3", "5"), 2.0)]


@pytest.mark.parametrize(
    "body",
    [
        "E 1 key fire press 0",
        "E 1 key ok smash 0",
        "E x key ok press 0",
        "E 1 key ok press soon",
        "E 1",
        "NONSENSE 3",
        "E 2 dice d6 0",
        "",
    ],
)
def test_words_it_does_not_know_are_passed_over(body: str) -> None:
    assert greeted().feed(pack(body), 0.0) == []


def test_another_protocol_is_refused_with_what_to_do() -> None:
    link = PadLink(0.0)
    link.feed(pack("HELLO box 2 e660 beef btn=4"), 0.0)
    assert link.refused
    assert "protocol 2" in link.fault


def test_what_the_line_cannot_carry_is_sent_as_something_like_it() -> None:
    link = greeted()
    link.show([("plain", "Health ♥♥·— ▲"), ("plain", "日"), ("plain", "Jäger Éowyn")])
    link.tick(1.0)
    sent = Lines().feed(link.take())
    assert {"R 0 plain Health **.- ^", "R 1 plain ?", "R 2 plain Jager Eowyn"} <= set(sent)


def test_r9_a_control_character_in_a_row_breaks_no_line() -> None:
    link = greeted()
    link.show([("plain", "M4A1\nSherman"), ("plain", "\x1b[31mred")])
    link.tick(1.0)
    lines = Lines()
    assert {"R 0 plain M4A1 Sherman", "R 1 plain  [31mred"} <= set(lines.feed(link.take()))
    assert lines.bad == 0


def test_only_changed_rows_are_sent_and_all_of_them_after_a_nak() -> None:
    link = greeted()
    link.show([("title", "OKINAWA"), ("plain", "Roll 3 dice ▼")])
    link.tick(0.0)
    assert link.take().count(b"R ") == 8
    link.show([("title", "OKINAWA"), ("plain", "Thanks")])
    link.tick(0.1)
    assert [unpack(line) for line in link.take().splitlines()] == ["R 1 plain Thanks"]
    link.feed(pack("NAK 1"), 0.2)
    link.tick(0.2)
    assert link.take().count(b"R ") == 8


def rows_sent(link: PadLink, now: float) -> list[str | None]:
    link.tick(now)
    return [body for line in link.take().splitlines() if (body := unpack(line)) and body[:2] == "R "]


def test_r9_rows_that_a_pad_has_lost_are_sent_again_but_not_while_they_are_under_way() -> None:
    link = greeted()
    link.show([("title", "OKINAWA")])
    assert len(rows_sent(link, 1.0)) == 8
    link.feed(pack("HB 1500 00"), 1.5)
    assert rows_sent(link, 1.6) == []
    link.feed(pack(f"HB 2500 {screen_crc(link._wanted)}"), 2.5)
    assert rows_sent(link, 2.6) == []
    link.feed(pack("HB 3500 00"), 3.5)
    assert len(rows_sent(link, 3.6)) == 8
    link.feed(pack("HELLO box 1 e660 bbbb btn=4 oled=21x8"), 3.7)
    assert len(rows_sent(link, 3.8)) == 8


def test_rows_that_a_shorter_screen_does_not_have_are_blank() -> None:
    link = greeted()
    link.show([("title", "OKINAWA"), ("plain", "Roll 3 dice")])
    rows_sent(link, 1.0)
    link.show([("title", "OKINAWA")])
    assert rows_sent(link, 1.1) == ["R 1 plain "]


def test_a_pad_without_a_screen_is_sent_none() -> None:
    link = PadLink(0.0)
    link.feed(pack("HELLO box 1 e660 beef btn=4"), 0.0)
    link.show([("title", "OKINAWA")])
    assert rows_sent(link, 1.0) == []


@given(st.lists(st.binary(max_size=200), max_size=30))
def test_whatever_a_pad_says_no_error_escapes(chunks: list[bytes]) -> None:
    link = greeted()
    for number, chunk in enumerate(chunks):
        link.feed(chunk, number / 10)
        link.tick(number / 10)
    assert len(link.take()) < 100_000


class Pico:
    """The firmware in a process of its own, its USB a pseudo-terminal that can be unplugged."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self.command, self.folder = command, folder
        (folder / "pins").write_text("")
        shutil.copy(FONT, folder)
        self.process: subprocess.Popen[bytes] | None = None
        self.port = ""

    def plug_in(self) -> None:
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        tty.setraw(self.master)
        self.port = os.ttyname(self.slave)
        environment = {
            **os.environ,
            "PAD_FOLDER": str(self.folder),
            "MICROPYPATH": f"{FIRMWARE}:{HERE / 'pico_host'}",
            "PYTHONPATH": f"{FIRMWARE}:{HERE / 'pico_host'}",
        }
        # The firmware owns the pty's far end; the host opens the near one by name, as it would a ttyACM.
        self.process = subprocess.Popen(
            [*self.command, str(FIRMWARE / "main.py")],
            stdin=self.master,
            stdout=self.master,
            cwd=self.folder,
            env=environment,
        )

    def unplug(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)
        os.close(self.slave)
        self.port = ""

    def ports(self) -> list[str]:
        return [self.port] if self.port else []

    def press(self, pin: int, seconds: float = 0.2) -> None:
        (self.folder / "pins").write_text(str(pin))
        time.sleep(seconds)
        (self.folder / "pins").write_text("")


@pytest.fixture(params=HOSTS)
def pico(request: pytest.FixtureRequest, tmp_path: Path):  # a fixture
    pico = Pico(request.param, tmp_path)
    yield pico
    if pico.port:
        pico.unplug()


def wait_until(done, seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "not within the time"
        time.sleep(0.01)


def test_firmware_and_driver_understand_each_other(pico: Pico) -> None:
    (pico.folder / "oled").touch()
    pico.plug_in()
    heard: queue.Queue[Press | PadDice] = queue.Queue()
    pad = SerialPad(heard.put, find=pico.ports)
    pad.show([("title", "OKINAWA"), ("plain", "Roll three dice")])
    pad.start()
    wait_until(lambda: pad.hello is not None)
    assert pad.hello.abilities == ("btn=4", "oled=21x8")
    time.sleep(0.1)
    pico.press(2)
    pico.press(4)
    events = [heard.get(timeout=20) for _ in range(2)]
    (pico.folder / "tower").touch()
    wait_until(lambda: pad.hello.has_tower)
    (pico.folder / "tower").write_bytes(b"d6 3 5\n")
    events.append(heard.get(timeout=20))
    assert [(e.key, e.gesture) if isinstance(e, Press) else (e.die, e.faces) for e in events] == [
        (Key.UP, Gesture.PRESS),
        (Key.OK, Gesture.PRESS),
        ("d6", ("3", "5")),
    ]
    wait_until(lambda: (pico.folder / "oled").stat().st_size > 2 * (131 + 9))
    pad.close()
    assert heard.empty()


def heard_by(pico: Pico) -> tuple[SerialPad, queue.Queue[Press | PadDice]]:
    """A driver that the pad has greeted, and what it hears."""
    pico.plug_in()
    heard: queue.Queue[Press | PadDice] = queue.Queue()
    pad = SerialPad(heard.put, find=pico.ports)
    pad.start()
    wait_until(lambda: pad.hello is not None)
    return pad, heard


def test_r12_a_press_on_a_pad_has_the_time_at_which_the_finger_came_down(pico: Pico) -> None:
    """OK is heard when the finger goes up: it answers no prompt that has come since."""
    pad, heard = heard_by(pico)
    time.sleep(0.1)
    delays = []
    for _ in range(5):  # on a busy machine the pad may come to look at its keys late
        began = time.monotonic()
        pico.press(4, seconds=0.4)
        press = heard.get(timeout=20)
        assert isinstance(press, Press)
        assert press.key is Key.OK
        delays.append(press.at - began)
        if delays[-1] < 0.2:
            break
    pad.close()
    assert min(delays) < 0.2


def test_r11_a_pad_whose_oled_comes_loose_goes_on_and_draws_it_anew_on_return(pico: Pico) -> None:
    glass = pico.folder / "oled"
    glass.touch()
    pico.plug_in()
    heard: queue.Queue[Press | PadDice] = queue.Queue()
    pad = SerialPad(heard.put, find=pico.ports)
    pad.show([("title", "OKINAWA")])
    pad.start()
    wait_until(lambda: pad.hello is not None and glass.stat().st_size > WHOLE_SCREEN)
    glass.unlink()
    pad.show([("title", "D-DAY DICE")])
    time.sleep(0.3)
    pico.press(2)
    assert heard.get(timeout=20).key is Key.UP
    glass.touch()
    wait_until(lambda: glass.stat().st_size == WHOLE_SCREEN)
    pad.close()


def test_r11_a_pad_whose_oled_does_not_answer_at_its_start_says_so_and_draws_on_it_when_it_does(
    pico: Pico,
) -> None:
    glass = pico.folder / "oled"
    pad, heard = heard_by(pico)
    pad.show([("title", "OKINAWA")])
    assert not pad.hello.has_oled
    time.sleep(0.1)
    pico.press(2)
    assert heard.get(timeout=20).key is Key.UP
    glass.touch()
    wait_until(lambda: pad.hello.has_oled and glass.stat().st_size >= WHOLE_SCREEN)
    pico.press(2)
    assert heard.get(timeout=20).key is Key.UP
    pad.close()


@pytest.mark.parametrize("name", list(Key))
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 400)), max_size=15))
def test_r12_a_key_of_the_pad_does_what_the_same_key_of_the_box_does(
    name: Key, levels: list[tuple[bool, int]]
) -> None:
    """A level is looked at each two milliseconds; down at the start, a key is silent until it was up once."""
    pads, boxs = keys.Key(name.value), KeyLogic(name, Timing(8, 600, 450, 120, 15000))
    boxs.start(True)
    now = 0
    for down, times in levels:
        for _ in range(times):
            now += 2
            gesture = pads.look(down, now)
            assert ([(gesture, pads.down_at)] if gesture else []) == [
                (press.gesture.value, press.at) for press in boxs.look(down, now)
            ]


@pytest.mark.parametrize("name", ["down", "ok"])
def test_r12_a_key_of_the_pad_that_is_stuck_is_silent_until_it_was_up_once(name: str) -> None:
    key = keys.Key(name)

    def looked(down: bool, start: int, end: int) -> list[str]:
        return [gesture for now in range(start, end, 2) if (gesture := key.look(down, now))]

    looked(False, 0, 100)
    assert looked(True, 100, 16_000)[-1] == ("repeat" if name == "down" else "hold")
    assert looked(True, 16_000, 60_000) == looked(False, 60_000, 60_100) == []
    assert looked(True, 60_100, 60_200) + looked(False, 60_200, 60_300) == ["press"]


def test_r12_a_pad_tells_of_a_key_that_is_stuck_with_each_sign_of_life(firmware) -> None:
    key, pad, link = keys.Key("up"), firmware.Pad("e660", "beef", "btn=4"), PadLink(0.0)
    told = []
    for now in range(0, 45_000, 10):
        down = now < 100 or 5_000 <= now < 30_000
        key.look(down, now)
        pad.tick(now, [key.name] if key.stuck(now) else [])
        link.feed(pad.take(), now / 1000)
        if link.stuck != (told[-1][1] if told else ()):
            told.append((now, link.stuck))
    assert [keys for _, keys in told] == [("up",), ()]
    assert 20_000 <= told[0][0] < 21_000, "15 s after it came down"
    assert 30_000 < told[1][0] <= 33_000


@pytest.fixture
def firmware(monkeypatch: pytest.MonkeyPatch):  # its module, which finds the others beside it as on a Pico
    monkeypatch.syspath_prepend(str(FIRMWARE))
    yield importlib.import_module("pad")
    for name in ("pad", "lines"):
        sys.modules.pop(name, None)


def sent(pad, now: int) -> list[str]:
    """What a pad sends but its heartbeats."""
    pad.tick(now)
    return [body for body in Lines().feed(pad.take()) if not body.startswith("HB")]


def test_a_pad_repeats_what_was_not_acknowledged_and_forgets_keys_before_dice(firmware) -> None:
    pad = firmware.Pad("e660", "beef", "btn=4")
    assert sent(pad, 0) == ["HELLO box 1 e660 beef btn=4"]
    pad.key("ok", "press", 1000, 1100)
    pad.dice("d6", ["3", "5"], 1100)
    heard = [(now, body) for now in range(1100, 40_000, 10) for body in sent(pad, now)]
    presses = [(now, body) for now, body in heard if body.startswith("E 1 ")]
    assert presses == [(now, f"E 1 key ok press {now - 1000}") for now in range(1100, 3100, 250)]
    dice = [now for now, body in heard if body.startswith("E 2 dice d6 3 5")]
    assert (dice[:2], dice[-1]) == ([1100, 1350], 30_850)
    pad.key("up", "press", 50_000, 50_000)
    assert sent(pad, 50_000) == ["E 3 key up press 0"]
    pad.receive(pack("A 3"), 50_100)
    assert sent(pad, 50_300) == []


def test_of_more_events_than_a_pad_keeps_the_newest_are_sent(firmware) -> None:
    pad = firmware.Pad("e660", "beef", "btn=4")
    sent(pad, 0)
    for _ in range(20):
        pad.key("down", "repeat", 0, 10)
    assert [body.split()[1] for body in sent(pad, 10)] == [str(seq) for seq in range(5, 21)]


def test_a_pad_shows_rows_as_they_were_sent_and_that_the_box_is_silent(firmware) -> None:
    pad = firmware.Pad("e660", "beef", "btn=4")
    link = greeted()
    rows = [("title", "OKINAWA"), ("selected", "  two  spaces "), ("plain", "")]
    link.show(rows)
    link.tick(0.0)
    pad.receive(link.take(), 0)
    assert pad.view(2999)[:3] == rows
    assert f"{pad.screen_crc():02X}" == screen_crc(pad.view(0))
    assert pad.view(3000)[1] == ("plain", "waiting for the box")
    sent(pad, 3000)
    pad.receive(b"R 1 plain dam*00\n", 3100)
    assert sent(pad, 3100) == ["NAK 1"]
    assert pad.alone(3100)


@pytest.mark.parametrize(
    "body",
    ["", "R", "R 1", "R 8 plain x", "R x plain x", "R -1 plain x", "PING", "PING 1 2", "A", "A x", "A 1 2"],
)
def test_a_pad_passes_over_what_it_does_not_know_and_keeps_its_events(firmware, body: str) -> None:
    """As of a box with another protocol; whatever it raised would stop the firmware."""
    pad = firmware.Pad("e660", "beef", "btn=4")
    sent(pad, 0)
    pad.key("ok", "press", 0, 0)
    pad.receive(pack(body), 0)
    assert pad.view(0) == [("plain", "")] * 8
    assert sent(pad, 0) == ["E 1 key ok press 0"]


class Glass:
    """The pad's I2C bus: what an SSD1306 makes of it, or none there."""

    def __init__(self) -> None:
        self.panel: Ssd1306Memory | None = Ssd1306Memory()

    def writeto(self, address: int, content: bytes) -> None:
        if self.panel is None:
            raise OSError(errno.EIO, "no acknowledgement")
        {0x00: self.panel.command, 0x40: self.panel.data}[content[0]](list(content[1:]))


def test_the_pads_oled_shows_rows_as_the_box_draws_them() -> None:
    glass = Glass()
    oled = Oled(glass, font=str(FONT))
    rows = [("title", "OKINAWA        turn 2"), ("plain", "What now? gjpqy (1/2)"), ("selected", "Pass")]
    rows += [("plain", "x" * 21)] * 3 + [("plain", "")] * 2
    for now in range(8):
        oled.show_one(rows, now)
    picture = draw(Screen(tuple(Row(text, Style(style)) for style, text in rows)), (128, 64))
    assert glass.panel is not None
    pixels = [(x, y) for x in range(128) for y in range(64)]
    assert [glass.panel.pixel(*at) for at in pixels] == [bool(picture.getpixel(at)) for at in pixels]


def test_the_pads_oled_dims_goes_dark_and_is_lit_by_a_press_that_is_not_heard_or_by_another_screen() -> None:
    glass = Glass()
    oled = Oled(glass, font=str(FONT))
    panel = glass.panel
    assert panel is not None
    rows = [("plain", f"row {number}") for number in range(8)]

    def after(minutes: float) -> tuple[bool, int]:
        for turn in range(20):
            oled.show_one(rows, int(minutes * 60_000) + turn)
        return panel.on, panel.contrast

    assert after(0) == (True, BRIGHT)
    rows[0] = rows[7] = ("plain", "goes by in parts")
    assert after(2.1) == (True, DIM)
    assert after(29.9) == (True, DIM)
    assert after(30.1) == (False, DIM)
    assert after(45) == (False, DIM)
    assert not oled.wake(46 * 60_000)
    assert after(46) == (True, BRIGHT)
    assert oled.wake(47 * 60_000)
    assert not after(77.1)[0]
    rows[3] = ("selected", "another screen")
    assert after(80) == (True, BRIGHT)
    assert not after(111)[0]
    glass.panel = None
    assert not oled.wake(112 * 60_000)
    after(112)
    assert oled.wake(113 * 60_000)
    glass.panel = panel
    panel.power_cycle()
    assert after(114) == (True, BRIGHT)


def test_a_press_after_half_an_hour_is_not_heard_either_where_the_pads_oled_came_loose() -> None:
    glass = Glass()
    oled = Oled(glass, font=str(FONT))
    rows = [("plain", f"row {number}") for number in range(8)]
    oled.show_one(rows, 0)
    glass.panel = None
    oled.show_one([*rows[:3], ("plain", "another"), *rows[4:]], 1)
    assert oled.wake(2)
    half_an_hour = 31 * 60_000
    oled.show_one(rows, 3)
    oled.show_one(rows, half_an_hour)
    assert not oled.wake(half_an_hour)
    oled.show_one(rows, half_an_hour + 1)
    assert oled.wake(half_an_hour + 2)


def test_r11_a_press_is_heard_after_half_an_hour_too_where_no_oled_of_the_pad_has_ever_answered() -> None:
    glass = Glass()
    panel, glass.panel = glass.panel, None
    oled = Oled(glass, font=str(FONT))
    rows = [("plain", f"row {number}") for number in range(8)]
    half_an_hour = 31 * 60_000
    for now in (0, half_an_hour, 2 * half_an_hour):
        oled.show_one(rows, now)
        assert oled.wake(now)
    assert not oled.found
    glass.panel = panel
    oled.show_one(rows, 3 * half_an_hour)
    assert oled.found
    assert panel is not None
    assert panel.on


def test_unplugged_in_mid_line_and_plugged_in_again_it_is_back(pico: Pico) -> None:
    pad, heard = heard_by(pico)
    os.write(pico.master, b"E 9 key o")
    pico.unplug()
    wait_until(lambda: "lost" in pad.fault or "no pad" in pad.fault)
    pico.plug_in()
    wait_until(lambda: pad.hello is not None)
    time.sleep(0.1)
    pico.press(5)
    assert heard.get(timeout=20).key is Key.BACK
    pad.close()
    assert heard.empty()


def test_mpremote_can_stop_the_firmware_to_copy_another(pico: Pico) -> None:
    pico.plug_in()
    near = os.open(pico.port, os.O_RDWR | os.O_NOCTTY)
    wait_until(lambda: b"HELLO" in os.read(near, 4096))
    os.write(near, b"\r\x03\r\x01")
    assert pico.process.wait(timeout=20) == 0
    assert os.read(pico.master, 4096) == b"\r\x01"  # for the prompt that it leaves to
    os.close(near)


def test_r9_a_ctrl_c_stops_no_pad_that_a_box_talks_to(pico: Pico) -> None:
    pico.plug_in()
    near = os.open(pico.port, os.O_RDWR | os.O_NOCTTY)
    for number in (b"1", b"2"):
        os.write(near, pack("PING " + number.decode()))
        seen = bytearray()
        wait_until(
            lambda seen=seen, number=number: seen.extend(os.read(near, 4096)) or b"PONG " + number in seen
        )
        os.write(near, b"\r\x03\n")
    os.close(near)


def test_the_pads_time_goes_on_where_its_counter_begins_again() -> None:
    def difference(later: int, earlier: int) -> int:  # of ticks on a Pico: time.ticks_diff
        return ((later - earlier + 2**29) & (2**30 - 1)) - 2**29

    uptime = Uptime(5, difference)
    day = 24 * 60 * 60 * 1000
    assert [uptime.at((5 + days * day) & (2**30 - 1)) for days in range(30)] == [
        days * day for days in range(30)
    ]


def test_the_firmware_survives_garbage_with_every_byte_value(pico: Pico) -> None:
    pico.plug_in()
    near = os.open(pico.port, os.O_RDWR | os.O_NOCTTY)
    os.write(near, bytes(range(256)) * 4 + b"\n" + pack("PING 77"))
    seen = bytearray()
    wait_until(lambda: seen.extend(os.read(near, 4096)) or pack("PONG 77") in seen)
    assert b"NAK" in seen
    os.close(near)


def test_a_device_that_is_no_pad_is_given_up_and_the_next_one_tried() -> None:
    class Modem:
        in_waiting = 0

        def read(self, size: int) -> bytes:
            return b"OK\r\n"

        def write(self, data: bytes) -> int:
            return len(data)

        def close(self) -> None:
            closed.append(self)

    closed: list[Modem] = []
    opened: list[str] = []

    def open_it(name: str) -> Modem:
        opened.append(name)
        return Modem()

    pad = SerialPad(lambda event: None, find=lambda: ["modem", "pad"], open_it=open_it)
    for tenth in range(50):
        pad.step(tenth / 10)
    assert opened[:2] == ["modem", "pad"]
    assert len(closed) == 1


class Silent:
    """Another Pico, whose firmware is no pad's."""

    in_waiting = 0

    def read(self, size: int) -> bytes:
        return b""

    def write(self, data: bytes) -> int:
        return len(data)

    def close(self) -> None:
        """Give it back."""


class Greeting(Silent):
    def __init__(self, protocol: int = 1) -> None:
        self._protocol = protocol
        self.gone = False
        self.closed = 0

    def read(self, size: int) -> bytes:
        if self.gone:
            raise OSError(5, "Input/output error")
        return b"@damaged\n" + pack(f"HELLO box {self._protocol} e660 aaaa btn=4") + pack("PONG 1")

    def close(self) -> None:
        self.closed += 1
        if self.gone:
            raise OSError(5, "Input/output error")


class HardOfHearing(Greeting):
    """The first question after it was opened is lost to it."""

    asked = 0

    def read(self, size: int) -> bytes:
        return super().read(size) if self.asked > 1 else b""

    def write(self, data: bytes) -> int:
        self.asked += data.count(b"WHO")
        return len(data)

    def close(self) -> None:
        self.asked = 0


def seconds_to(pad: SerialPad, start: float) -> float:
    """How long it takes until a pad greets."""
    now = start
    while pad.hello is None:
        now += max(pad.step(now), 0.05)
        assert now < start + 20
    return now - start


@pytest.mark.parametrize("other", ["a", "z"])
def test_r9_a_pad_is_back_within_two_seconds_also_beside_another_pico(other: str) -> None:
    devices: dict[str, Silent] = {other: Silent(), "pad": Greeting()}
    pad = SerialPad(lambda event: None, find=lambda: sorted(devices), open_it=devices.__getitem__)
    seconds_to(pad, 0.0)
    devices.pop("pad").gone = True
    for tenth in range(300, 320):
        pad.step(tenth / 10)
    devices["pad"] = Greeting()
    assert seconds_to(pad, 32.0) < 2


@pytest.mark.parametrize("found", [Greeting, HardOfHearing])
def test_a_pad_at_another_port_is_found_where_its_usual_one_has_something_else(found: type[Greeting]) -> None:
    devices: dict[str, Silent] = {"a": Greeting()}
    pad = SerialPad(lambda event: None, find=lambda: sorted(devices), open_it=devices.__getitem__)
    seconds_to(pad, 0.0)
    devices["a"].gone = True
    pad.step(30.0)
    devices |= {"a": Silent(), "b": found()}
    assert seconds_to(pad, 31.0) < 6


def test_a_pad_that_took_the_place_of_another_stays_when_that_is_plugged_in_again() -> None:
    devices = {"a": Greeting()}
    pad = SerialPad(lambda event: None, find=lambda: sorted(devices), open_it=devices.__getitem__)
    seconds_to(pad, 0.0)
    devices.pop("a").gone = True
    pad.step(30.0)
    devices["b"] = Greeting()
    seconds_to(pad, 31.0)
    devices["a"] = Greeting()
    for tenth in range(400, 420):
        pad.step(tenth / 10)
    assert pad.hello is not None
    assert devices["b"].closed == 0


def test_another_pad_is_found_where_the_usual_one_can_not_be_opened() -> None:
    """As where another program holds its port."""
    devices: dict[str, Silent] = {"a": Greeting(), "b": Silent(), "c": Silent()}
    held: set[str] = set()

    def open_it(name: str) -> Silent:
        if name in held:
            raise PadError(f"{name} is in use by another program")
        return devices[name]

    pad = SerialPad(lambda event: None, find=lambda: sorted(devices), open_it=open_it)
    seconds_to(pad, 0.0)
    devices["a"].gone = True
    pad.step(30.0)
    held.add("a")
    devices["c"] = Greeting()
    assert seconds_to(pad, 31.0) < 10


def test_a_pad_of_another_protocol_is_left_alone_for_so_long_that_it_can_be_copied_to() -> None:
    device, opened = Greeting(protocol=2), []
    pad = SerialPad(lambda event: None, "pad", open_it=lambda name: opened.append(name) or device)
    for tenth in range(95):
        pad.step(tenth / 10)
    assert (opened, device.closed) == (["pad"], 1)
    assert "copy hardware/pico to it again" in pad.fault
    for tenth in range(95, 120):
        pad.step(tenth / 10)
    assert opened == ["pad", "pad"]


def test_that_a_pad_is_lost_is_logged_but_no_silent_device_and_no_end(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What is logged stands in a terminal, over the game."""
    device = Greeting()
    pad = SerialPad(lambda event: None, "pad", open_it=lambda name: device)
    seconds_to(pad, 0.0)
    assert pad.damaged > 0
    pad.close()
    assert device.closed == 1
    pad = SerialPad(lambda event: None, "pad", open_it=lambda name: Silent())
    for second in range(20):
        pad.step(float(second))
    assert not caplog.messages
    pad = SerialPad(lambda event: None, "pad", open_it=lambda name: device)
    seconds_to(pad, 0.0)
    device.gone = True
    pad.step(10.0)
    assert caplog.messages == ["pad lost: [Errno 5] Input/output error"]


def test_without_a_pad_it_says_so_in_one_line() -> None:
    pad = SerialPad(lambda event: None, find=list)
    assert pad.step(0.0) == 0.5
    assert "no pad on USB" in pad.fault


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(errno.EACCES, "Permission denied"), "group dialout"),
        (OSError(errno.ENOENT, "No such file"), "No such file"),
    ],
)
def test_a_port_that_pyserial_may_not_open_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, error: OSError, says: str
) -> None:
    def refuse(name: str, flags: int) -> int:
        raise error

    monkeypatch.setattr("serial.serialposix.os.open", refuse)
    pad = SerialPad(lambda event: None, find=lambda: ["/dev/ttyACM0"])
    pad.step(0.0)
    monkeypatch.undo()
    assert says in pad.fault


def test_a_port_that_another_program_has_says_so() -> None:
    master, slave = pty.openpty()
    name = os.ttyname(slave)
    first, second = (SerialPad(lambda event: None, port=name) for _ in range(2))
    first.step(0.0)
    second.step(0.0)
    assert second.fault == f"{name} is in use by another program"
    first.close()
    os.close(master)
    os.close(slave)


def test_r9_a_pad_that_is_torn_off_while_it_is_being_opened_is_looked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def torn_off(*settings: object) -> None:
        raise termios.error(errno.EIO, "Input/output error")

    master, slave = pty.openpty()
    name = os.ttyname(slave)
    pad = SerialPad(lambda event: None, port=name)
    monkeypatch.setattr("serial.serialposix.termios.tcflush", torn_off)
    pad.step(0.0)
    assert pad.fault.startswith(f"{name} is gone")
    monkeypatch.undo()
    pad.step(0.6)
    assert pad.fault == "no greeting yet: is the firmware of a pad on it?"
    pad.close()
    os.close(master)
    os.close(slave)


def test_ports_are_those_of_picos_by_names_that_a_replug_does_not_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = [tmp_path / f"ttyACM{number}" for number in range(4)]
    makers = [0x1A86, 0x2E8A, 0x2E8A, None]
    plugged_in = [SimpleNamespace(device=str(port), vid=vid) for port, vid in zip(ports, makers, strict=True)]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: plugged_in[::-1])
    by_id = tmp_path / "by-id"
    assert find_ports(by_id) == [str(ports[1]), str(ports[2])]
    by_id.mkdir()
    (by_id / "usb-MicroPython").symlink_to(ports[2])
    assert find_ports(by_id) == [str(ports[1]), str(by_id / "usb-MicroPython")]


def test_r9_a_device_that_goes_as_ports_are_looked_at_ends_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any serial device: pyserial takes what it reads of one for text, also where it is gone."""
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: int(None, 16))
    pad = SerialPad(lambda event: None)
    pad.step(0.0)
    assert pad.fault.startswith("a serial device was unplugged")
    monkeypatch.setattr("serial.tools.list_ports.comports", list)
    pad.step(0.6)
    assert pad.fault.startswith("no pad on USB")


def test_a_turn_waits_for_a_byte_and_takes_what_came_since_but_no_more_than_a_few_thousand() -> None:
    asked: list[int] = []
    port = SimpleNamespace(write=len, close=lambda: None, read=lambda size: asked.append(size) or b"")
    pad = SerialPad(lambda event: None, find=lambda: ["pad"], open_it=lambda name: port)
    pad.step(0.0)
    for port.in_waiting in (0, 100, 1_000_000):
        pad.step(0.1)
    assert asked == [1, 100, 4096]
    pad.close()


def test_a_pad_that_hangs_and_reads_nothing_does_not_hold_up_the_thread() -> None:
    master, slave = pty.openpty()
    port = open_port(os.ttyname(slave))
    with pytest.raises(OSError, match="timeout"):
        port.write(b"x" * 1_000_000)
    port.close()
    os.close(master)
    os.close(slave)


def test_r9_a_pad_that_reads_nothing_any_more_keeps_its_thread_alive_though_its_port_takes_long_to_close(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Linux may wait long for what was not sent; the watchdog had the box started anew."""
    monkeypatch.setattr(serial_pad, "CLOSING", 0.05)
    gate, opened = threading.Event(), []

    class Hung:
        in_waiting = 0

        def write(self, data: bytes) -> int:
            raise OSError("Write timeout")

        def close(self) -> None:
            gate.wait(20)

    def open_it(name: str) -> Hung:
        opened.append(name)
        return Hung()

    pad = SerialPad(lambda event: None, find=lambda: ["pad"], open_it=open_it)
    for now in (0.0, 0.1, 1.0, 2.0, 3.0):
        pad.step(now)
    assert pad._closing is not None
    assert pad._closing.is_alive(), "the turns wait for the port to close"
    assert (opened, pad.fault) == (["pad"], "pad lost: Write timeout")
    gate.set()
    pad._closing.join(20)
    pad.step(4.0)
    assert opened == ["pad", "pad"]
    pad.close()


def test_ten_thousand_pings_leave_nothing_behind() -> None:
    link = greeted()
    for second in range(10_000):
        link.feed(pack(f"PONG {second}") + pack(f"E {second} key up press 0"), float(second))
        link.tick(float(second))
        link.take()
    assert len(link._events._seen) <= 64
    assert not link._out
