"""The box's side of the pad's line (pico/README.md): bytes in, events out. No port, no clock."""

from typing import Final
from unicodedata import combining, normalize

import msgspec

from hardware.font import PLAIN
from hardware.keys import Gesture, Key, Press
from hardware.pico.lines import Lines, crc8, pack

PROTOCOL: Final = 1
ASK_AGAIN: Final = 1.0
SILENT: Final = 3.0
STALE: Final = 2.0
"""Seconds for which a pad repeats a key that was not heard."""

ROWS: Final = 8
COLUMNS: Final = 21
BLANK: Final = ("plain", "")

_KEYS: Final = {key.value: key for key in Key}
_GESTURES: Final = {gesture.value: gesture for gesture in Gesture}


class Hello(msgspec.Struct, frozen=True):
    """Who the pad is: its number, the number of this start, and what it has."""

    uid: str
    nonce: str
    abilities: tuple[str, ...]

    @property
    def has_oled(self) -> bool:
        """Whether it shows the box's screen on an OLED of its own."""
        return any(ability.startswith("oled") for ability in self.abilities)

    @property
    def has_tower(self) -> bool:
        """Whether a dice tower is on it."""
        return any(ability.startswith("tower") for ability in self.abilities)

    @property
    def start(self) -> tuple[str, str]:
        """The pad and this start of it, whatever it has gained since."""
        return self.uid, self.nonce


class PadDice(msgspec.Struct, frozen=True):
    """Faces that a tower counted, `at` seconds of the monotonic clock."""

    die: str
    faces: tuple[str, ...]
    at: float


class Heard:
    """The events that were heard since the pad started, over all connections: it repeats them over each."""

    def __init__(self) -> None:
        self._start: tuple[str, str] | None = None
        self._seen: set[int] = set()
        self._newest: int | None = None
        self._missed_at: float | None = None

    def greet(self, pad: Hello) -> None:
        """Another pad, or the same one started anew, counts from one again."""
        if pad.start != self._start:
            self._start, self._seen = pad.start, set()
        self._newest = self._missed_at = None  # what came before may be stale

    def is_early(self, seq: int, now: float) -> bool:
        """Whether one before it was lost in a bad line: an OK must not be heard before the Down.

        The pad sends both again, until they are stale.
        """
        if self._newest is not None and seq > self._newest + 1:
            self._missed_at = now if self._missed_at is None else self._missed_at
            if now - self._missed_at < STALE:
                return True
        if self._newest is None or seq > self._newest:
            self._newest, self._missed_at = seq, None
        return False

    def is_new(self, seq: int) -> bool:
        """Whether this one was not heard before; from now on it was."""
        if seq in self._seen:
            return False
        self._seen = {number for number in self._seen if number > seq - 64} | {seq}
        return True


class PadLink:
    """One connection. `feed` it, `tick` it, send what `take` gives.

    `stuck` are keys that the pad says are down all the time.
    """

    def __init__(self, now: float, heard: Heard | None = None) -> None:
        self.hello: Hello | None = None
        self.fault = "no greeting yet: is the firmware of a pad on it?"
        self.refused = False
        self.stuck: tuple[str, ...] = ()
        self._stuck_at = now
        self._lines = Lines()
        self._out: list[bytes] = []
        self._heard_at = now
        self._ask_at = now
        self._pings = 0
        self._events = heard or Heard()
        self._rows: list[tuple[str, str]] = []
        self._wanted = [BLANK] * ROWS
        self._sent: list[tuple[str, str]] | None = None
        self._rows_at = now

    @property
    def damaged(self) -> int:
        """Lines dropped so far."""
        return self._lines.bad

    def dead(self, now: float) -> bool:
        """Whether the pad has said nothing sound for three seconds."""
        return now - self._heard_at >= SILENT

    def feed(self, data: bytes, now: float) -> list[Press | PadDice]:
        """What the pad reports in these bytes; each event once, whatever is repeated."""
        events = []
        for body in self._lines.feed(data):
            event = self._understand(body.split(" "), now)
            if event is not None:
                events.append(event)
        return events

    def _understand(self, words: list[str], now: float) -> Press | PadDice | None:
        match words:
            case ["HELLO", "box", protocol, uid, nonce, *abilities]:
                self._greet(protocol, Hello(uid, nonce, tuple(abilities)), now)
            case _ if self.hello is None:
                return None
            case ["HB", _, crc]:
                self._heard_at = now
                if now - self._stuck_at >= SILENT:
                    self.stuck = ()
                is_old = now - self._rows_at > ASK_AGAIN
                if self._sent is not None and is_old and crc != screen_crc(self._sent):
                    self._sent = None
            case ["STUCK", *names]:
                self.stuck, self._stuck_at = tuple(name for name in names if name in _KEYS), now
            case ["PONG", _]:
                self._heard_at = now
            case ["NAK", _]:
                self._sent = None
            case ["E", seq, *what, age] if seq.isdigit() and age.isdigit():
                self._heard_at = now
                if not self._events.is_early(int(seq), now):
                    return self._event(int(seq), what, now - int(age) / 1000)
        return None

    def _greet(self, protocol: str, hello: Hello, now: float) -> None:
        if protocol != str(PROTOCOL):
            self.refused = True
            self.fault = (
                f"the pad speaks protocol {protocol}, the box {PROTOCOL}: copy hardware/pico to it again"
            )
            return
        self._events.greet(hello)
        self.hello, self.fault = hello, ""
        self._heard_at, self._sent = now, None

    def _event(self, seq: int, what: list[str], at: float) -> Press | PadDice | None:
        self._out.append(pack(f"A {seq}"))
        if not self._events.is_new(seq):
            return None
        match what:
            case ["key", key, gesture] if key in _KEYS and gesture in _GESTURES:
                return Press(_KEYS[key], _GESTURES[gesture], at)
            case ["dice", die, *faces] if faces:
                return PadDice(die, tuple(faces), at)
        return None

    def show(self, rows: list[tuple[str, str]]) -> None:
        """The rows that the pad's OLED should show, as (style, text)."""
        if rows is not self._rows:  # it is told many times a second, and mostly the same
            fitting = [(style, _plain(text)[:COLUMNS]) for style, text in rows[:ROWS]]
            self._rows, self._wanted = rows, fitting + [BLANK] * (ROWS - len(fitting))

    def tick(self, now: float) -> None:
        """Ask who is there until it answers, then for signs of life; send the rows that changed."""
        if now >= self._ask_at:
            self._ask_at = now + ASK_AGAIN
            self._pings += 1
            self._out.append(pack(f"PING {self._pings}" if self.hello else "WHO"))
        if self.hello is not None and self.hello.has_oled:
            self._send_rows(now)

    def _send_rows(self, now: float) -> None:
        for number, row in enumerate(self._wanted):
            if self._sent is None or self._sent[number] != row:
                self._out.append(pack(f"R {number} {row[0]} {row[1]}"))
                self._rows_at = now
        self._sent = list(self._wanted)

    def take(self) -> bytes:
        """What is to be sent."""
        out, self._out = b"".join(self._out), []
        return out


def screen_crc(rows: list[tuple[str, str]]) -> str:
    """The checksum by which a heartbeat says what stands on the pad's screen."""
    return f"{crc8(chr(10).join(f'{style} {text}' for style, text in rows).encode()):02X}"


def _plain(text: str) -> str:
    """A row in the letters that the pad has: of others what they are without their marks, or a ?."""
    letters = (one for one in normalize("NFD", text.translate(PLAIN)) if not combining(one))
    plain = "".join(letters).encode("ascii", "replace").decode()
    return "".join(character if character.isprintable() else " " for character in plain)
