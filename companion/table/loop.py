"""The loop at the table: events in, one console, any number of displays out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from companion.engine.asks import Roll
from companion.engine.errors import CompanionError, StaleAnswer
from companion.screens.console import Console
from companion.screens.intents import Button, Intent, Quit
from companion.table.dice import DiceSource
from companion.table.events import (
    Begun,
    Changed,
    Closed,
    Event,
    Events,
    Notice,
    Press,
    PutAway,
    Seen,
    Tick,
    Typed,
    next_of,
)
from companion.table.table import Table

LOCKOUT = 0.3
"""Seconds after a changed prompt in which a press is taken for the old one (R12).

Who presses a key of a keyboard sees the prompt that it leads to, and may go on at once; what phones and
readers change is as new there as anywhere.
"""

Left: TypeAlias = Quit | Closed | Begun
"""How a table or a question was left: by whom sits there, because the input ended, or for a phone's game."""


def is_too_soon(press: Press, changed_at: float) -> bool:
    """Whether an OK was meant for the prompt that stood there before."""
    return press.button is Button.OK and press.at - changed_at < LOCKOUT


class Display(Protocol):
    """Something that shows the console: an OLED, a terminal."""

    def draw(self, console: Console) -> None:
        """Show it as it is now; must not raise for a device that is gone."""


class Loop:
    """Plays a table until the player leaves; all devices talk to it through `events`."""

    def __init__(
        self,
        table: Table,
        events: Events,
        displays: Sequence[Display],
        dice: DiceSource | None = None,
        *,
        console: Console | None = None,
        typed: Callable[[str, Console], None] = lambda *_: None,
    ) -> None:
        self.table = table
        self.events = events
        self.console = console or Console(table)
        self._displays = displays
        self._dice = dice
        self._typed = typed
        self._changed_at = float("-inf")
        self._moved_at = float("-inf")
        self._done: Left | None = None

    def run(self, *, by_others: bool = False) -> Left:
        """Until the player quits, the input ends, or a phone begins a game after this one; says which.

        `by_others` if no key here led to it.
        """
        stop = self.table.observe(lambda _: self.events.put(Changed()))
        try:
            self._changed_at = time.monotonic()
            self._moved_at = self._changed_at if by_others else self._moved_at
            self._look()
            while self._done is None:
                self._draw()
                self.handle(next_of(self.events))
            return self._done
        finally:
            stop()
            if self._dice is not None:
                self._dice.close()

    def handle(self, event: Event) -> None:
        """One event; a refused answer becomes a notice and the ask stands."""
        match event:
            case Press():
                self._press(event)
            case Seen():
                self._offer(event)
            case Notice(text=text, ends=ends) if text or ends == self.table.notice:
                self.table.say(text, passing=isinstance(self.table.ask, Roll))
            case Typed():
                self._type(event)
            case Changed():
                self._look(by_others=True)
            case Begun() if self.table.outcome is not None:
                self._done = event
            case PutAway(session=session) if session == self.table.session.meta.id:
                self._done = Quit()
            case Tick():
                self.console.tick()
            case Closed():
                self._done = event

    def _press(self, press: Press) -> None:
        if is_too_soon(press, self._moved_at if press.keyboard else self._changed_at):
            return
        self.table.notice = ""
        self._guarded(lambda: self._carry_out(self.console.press(press.button)))

    def _type(self, typed: Typed) -> None:
        if typed.text.isdecimal() and typed.at - self._moved_at < LOCKOUT:
            return
        self.table.notice = ""
        self._guarded(lambda: self._typed(typed.text, self.console))
        self._look()

    def _offer(self, seen: Seen) -> None:
        """Show what a reader saw, also where it is taken at once; alone, for a phone may answer it too."""
        with self.table.lock:
            n = self.table.n
            self.console.offer(seen.n, seen.faces, seen.doubtful, seen.others)
            if seen.n == n:  # other dice stand there to be confirmed than a button was pressed for
                self._changed_at = self._moved_at = time.monotonic()
            self._guarded(lambda: self.table.offer(seen))
            if self.table.n != n:
                faces = " ".join(face or "-" for face in seen.faces)
                self.table.say(f"{seen.source}: {faces}", passing=True)
        self._look(by_others=True)

    def _carry_out(self, intent: Intent | None) -> None:
        if isinstance(intent, Quit):
            self._done = intent
        elif intent is not None:
            self._guarded(lambda: self._do(intent))
            self._look()

    def _do(self, intent: Intent) -> None:
        """Carry out what was meant for the table as it is shown, which a phone may have moved on since."""
        with self.table.still_at(self.console.n):
            self.table.do(intent)

    def _guarded(self, deed: Callable[[], None]) -> None:
        try:
            deed()
        except StaleAnswer:
            self._look(by_others=True)
        except CompanionError as error:
            self.table.notice = str(error)

    def _look(self, *, by_others: bool = False) -> None:
        """See what is asked now, and let the dice source watch for it.

        `by_others` if no key here led to it.
        """
        if self.console.refresh():
            self._changed_at = time.monotonic()
            self._moved_at = self._changed_at if by_others else self._moved_at
        if self._dice is not None:
            self.table.be_watched(self._dice, self.events.put)

    def _draw(self) -> None:
        for display in self._displays:
            display.draw(self.console)
