"""Questions of the box itself, outside any game: the same screens and buttons, no session, no journal."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from companion.engine.asks import AnyAsk
from companion.engine.game import Board
from companion.screens.console import Console
from companion.screens.intents import Button, Quit, Reply
from companion.screens.screen import WayIn
from companion.table.events import Begun, Closed, Events, Notice, Press, Tick, next_of
from companion.table.loop import Display, Left, is_too_soon


class OneQuestion:
    """A console's sight of one question that nobody plays."""

    n = 1
    kept: Sequence[str] | None = None
    outcome = None
    undoable = ""
    redoable = ""
    changed = None
    phones = WayIn()

    def __init__(self, question: AnyAsk, title: str, foot: str) -> None:
        self.ask: AnyAsk | None = question
        self.foot = foot
        self._title = title

    def renew(self, question: AnyAsk) -> None:
        """Another question stands there now."""
        self.ask = question
        self.n += 1

    @property
    def state(self) -> object:
        """Nothing to set by hand."""
        return None

    def board(self) -> Board:
        """A title, and nothing on the table."""
        return Board(self._title, ())

    def why(self) -> Sequence[str]:
        """No rule of a game asks this."""
        return ["The box asks what you want to do."]

    def log(self, most: int) -> Sequence[str]:  # noqa: ARG002 - nothing went before it
        """Nothing that anybody keeps."""
        return ()


def put(
    asked: Callable[[], AnyAsk],
    title: str,
    foot: Callable[[], str],
    phones: Callable[[], WayIn],
    events: Events,
    displays: Sequence[Display],
    at: int = 0,
    back: str = "",
    *,
    again: bool = False,
) -> object | Left:
    """Ask it on every display until it is answered; returns the accepted answer, or how somebody left.

    Until a button is pressed it is asked as it then stands; nothing moves below a finger. `at` is the option
    that the bar stands on, `back` the one that the back key chooses. Where it is asked `again`, a press that
    comes at once is meant for it.
    """
    question = asked()
    sight = OneQuestion(question, title, "")
    console = Console(sight, power=True, game=False)
    if at:
        console.point(at)
    notice, pressed, moved_at = "", False, float("-inf")
    changed_at = moved_at if again else time.monotonic()
    while True:
        sight.foot, sight.phones = notice or foot(), phones()
        for display in displays:
            display.draw(console)
        event = next_of(events)
        if isinstance(event, Closed | Begun):
            return event
        if isinstance(event, Notice) and (event.text or event.ends == notice):
            notice = event.text
        elif isinstance(event, Tick):
            console.tick()
            if not pressed and (now := asked()) != question:
                question, changed_at = now, time.monotonic()
                moved_at = changed_at
                sight.renew(question)
                console.refresh()
        elif isinstance(event, Press):
            if is_too_soon(event, moved_at if event.keyboard else changed_at):
                continue
            pressed = True
            if back and event.button is Button.BACK and not console.covered:
                return back
            intent = console.press(event.button)
            if isinstance(intent, Quit):
                return intent
            if isinstance(intent, Reply):
                return question.accept(intent.answer)
