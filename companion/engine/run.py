"""A play being moved: its script, the ask that is open, and how often each chance was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack

from companion.engine import chance
from companion.engine.asks import RESTATED, AnyAsk, Script
from companion.engine.errors import (
    BadAnswer,
    BadInput,
    BrokenTable,
    CompanionError,
    GameFault,
    NoAnswer,
    ReplayMismatch,
)
from companion.engine.game import Outcome, Play
from companion.engine.line import Act, Item
from companion.engine.override import assign, must_be_known, refusal, stumble
from companion.engine.packs import numbers
from companion.engine.records import SOFTWARE

LARGEST = 10**15
"""Numbers that a page's script counts exactly; what is worked out from them stays what a report can draw."""

KEPT = "nothing was changed: finish it with the version that began it"
"""What to do about a session that does not go on here."""


class Run:
    """Pure: the same play, seed and items always lead to the same ask and state."""

    def __init__(self, play: Play, seed: int) -> None:
        self.play = play
        self.ask: AnyAsk | None = None
        self.outcome: Outcome | None = None
        self.unread: list[tuple[AnyAsk, object]] = []
        self._seed = seed
        self._asked: Counter[str] = Counter()
        self._script: Script[Outcome] = play.script()
        self._go(None)

    @property
    def nth(self) -> int:
        """How many chance asks of the open ask's key came before it."""
        return self._asked[self.ask.key] if self.ask else 0

    def chance(self) -> tuple[str, ...]:
        """What software decides for the open chance ask; `NoAnswer` if too few cards are there to draw."""
        if self.ask is None:
            raise BadAnswer("the game is over")
        try:
            return chance.decide(self.ask, chance.source(self._seed, self.ask.key, self.nth))
        except ValueError as error:
            raise NoAnswer(f"too few cards are there for {self.ask.text!r}") from error

    def answer(self, accepted: object, by: str = "") -> None:
        """Hand an accepted answer to the script; whatever it raises is a `GameFault`.

        What software answers is `unread` until somebody else does: nobody saw what was asked.
        """
        if by != SOFTWARE:
            self.unread.clear()
        elif self.ask is not None:
            self.unread.append((self.ask, accepted))
        if self.ask is not None and self.ask.is_chance:
            self._asked[self.ask.key] += 1
        self._go(accepted)

    def override(self, changes: Mapping[str, object]) -> None:
        """Set values of the state by their paths; refused with a `BrokenTable` if an invariant breaks by it.

        With anything that it raises beside a `BadAnswer` the game can't go on: the run is of no use any more.
        """
        for path, value in changes.items():
            for where, number in numbers(value, path):
                if abs(number) > LARGEST:
                    raise BadAnswer(f"{where}: the number is larger than anything on a table")
        before = set(self.play.check())
        with ExitStack() as steps:
            for path, value in changes.items():
                steps.callback(assign(self.play.state, path, value))
                must_be_known(self.play.state, path, value)
            try:
                broken = [problem for problem in self.play.check() if problem not in before]
            except Exception as error:  # noqa: BLE001 - a game's own checks may trip over it
                broken = [stumble(error)]
            if broken:
                raise BrokenTable(refusal(changes, broken))
            steps.pop_all()
        self._go(RESTATED)

    def replay(self, item: Item) -> None:
        """Do again what the journal says; `ReplayMismatch` if the game asks something else now.

        So too if it takes the same answer no more, or has no place for a value that was set by hand.
        """
        if item.act is Act.OVERRIDE:  # in order when it was set, however strict the game has become since
            changes = item.changes
            try:
                for path, value in changes.items():
                    assign(self.play.state, path, value)
            except BadAnswer as error:
                raise ReplayMismatch(f"the journal has by hand: {item.text}; now {error}; {KEPT}") from error
            self._go(RESTATED)
            return
        question = self._asked_then(item.print)
        if question is None:
            then = f"{item.key!r} ({item.text})"
            now = f"{self.ask.key!r} ({self.ask.text})" if self.ask else "nothing, the game is over"
            change = "give it other answers" if now == then else f"ask {now}"
            raise ReplayMismatch(f"the journal answers {then}, the rules now {change}; {KEPT}")
        try:
            accepted = question.accept(item.answer)
        except BadAnswer as error:
            raise ReplayMismatch(f"the journal answers {item.text!r}; now {error}; {KEPT}") from error
        self.answer(accepted, item.by)

    def _asked_then(self, fingerprint: str) -> AnyAsk | None:
        """The open ask as a journal has it, in today's form or a former one; None if it is another."""
        form = self.ask
        while form and form.fingerprint() != fingerprint:
            form = form.former
        return form

    def _go(self, value: object) -> None:
        try:
            self.ask = self._script.send(value)
        except StopIteration as end:
            if not isinstance(end.value, Outcome):
                raise GameFault(f"the game ended without an Outcome, but {end.value!r}") from end
            self.ask, self.outcome = None, end.value
        except BadInput as error:
            if value is None:  # at the start: something is wished for that there is not
                raise
            raise GameFault(str(error)) from error
        except CompanionError:
            raise
        except Exception as error:
            asked = self.ask.key if self.ask else "the start"
            raise GameFault(f"the game broke down after {asked}: {type(error).__name__}: {error}") from error
