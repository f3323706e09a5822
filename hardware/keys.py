"""What a person did with four keys, from their levels alone: debounce, hold, repeat. No pins, no clock.

A level counts once it has stood still for `settle` seconds. Edges say when it changed, however late one
hears of them; but edges are lost and doubled in practice (gpiozero #550, #1039), so the level itself is
looked at again and again, and has the last word.
"""

from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator


class Key(StrEnum):
    """The keys of the box."""

    UP = "up"
    DOWN = "down"
    OK = "ok"
    BACK = "back"


class Gesture(StrEnum):
    """What was done with a key."""

    PRESS = "press"
    HOLD = "hold"
    REPEAT = "repeat"
    TURN = "turn"
    """Of an encoder by one click: `down` is clockwise, `up` the other way."""


class Press(msgspec.Struct, frozen=True):
    """One thing done with a key, `at` seconds of the monotonic clock: when the finger came down."""

    key: Key
    gesture: Gesture
    at: float


class Timing(msgspec.Struct, frozen=True):
    """Seconds: until a level counts, a hold counts, a held key repeats, and a key is taken for stuck."""

    settle: float = 0.008
    hold: float = 0.6
    repeat_after: float = 0.45
    repeat_every: float = 0.12
    stuck: float = 15.0


REPEATING = frozenset({Key.UP, Key.DOWN})
"""These act when the finger comes down and repeat; the others wait to see whether they are held."""


class KeyLogic:
    """One key. `look` at its level whenever something may have changed and when `due` comes."""

    def __init__(self, key: Key, timing: Timing | None = None) -> None:
        self.key = key
        self._timing = timing or Timing()
        self._raw = False
        self._raw_since = float("-inf")
        self._down = False
        self._down_at = 0.0
        self._next_act: float | None = None
        self._armed = False

    @property
    def stuck(self) -> bool:
        """Whether the key stays silent, since it has been down for too long, or since the start."""
        return self._down and not self._armed

    def due(self) -> float | None:
        """When to look again if no edge comes, None: only then."""
        settled = self._raw_since + self._timing.settle if self._raw != self._down else None
        stuck = self._down_at + self._timing.stuck if self._down and self._armed else None
        return min((when for when in (settled, self._next_act, stuck) if when is not None), default=None)

    def until(self, at: float) -> "Iterator[Press]":
        """What the level, as it was last heard of, came to by that time, of which one may hear late."""
        return self.look(self._raw, at)

    def edge(self, down: bool, at: float) -> "Iterator[Press]":
        """The level changed to `down` at that time; what was `until` then has been asked for."""
        self._raw_since = max(self._raw_since, at)
        yield from self.look(down, at)

    def look(self, down: bool, now: float) -> "Iterator[Press]":
        """Take the level as it is at `now` and say what the person did."""
        if down != self._raw:
            self._raw, self._raw_since = down, now
        if self._raw != self._down and now - self._raw_since >= self._timing.settle:
            yield from self._pressed() if down else self._released()
        if self._down:
            yield from self._held(now)

    def _pressed(self) -> "Iterator[Press]":
        self._down, self._down_at, self._armed = True, self._raw_since, True
        if self.key in REPEATING:
            self._next_act = self._down_at + self._timing.repeat_after
            yield Press(self.key, Gesture.PRESS, self._down_at)
        else:
            self._next_act = self._down_at + self._timing.hold

    def _released(self) -> "Iterator[Press]":
        waiting_for_hold = self._next_act is not None and self.key not in REPEATING
        self._down, self._next_act = False, None
        if waiting_for_hold:
            yield Press(self.key, Gesture.PRESS, self._down_at)

    def _held(self, now: float) -> "Iterator[Press]":
        if now - self._down_at >= self._timing.stuck:
            self._armed, self._next_act = False, None
            return
        if self._next_act is None or now < self._next_act:
            return
        if self.key in REPEATING:
            self._next_act = now + self._timing.repeat_every
            yield Press(self.key, Gesture.REPEAT, self._down_at)
        else:
            self._next_act = None
            yield Press(self.key, Gesture.HOLD, self._down_at)

    def start(self, down: bool) -> None:
        """The level at the start: a key that is down already stays silent until it was up once."""
        self._raw = self._down = down
        self._armed = False
