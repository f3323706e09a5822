"""Plays a script by hand: every answer, die and card as a test wants it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TypeVar

from companion.engine import game as engine_game
from companion.engine import packs
from companion.engine.asks import RESTATED, AnyAsk, Choose, Pick, Show
from companion.engine.game import Game, Outcome, Play, Setup

P = TypeVar("P", bound=Play)


def setup(game: Game, scenario: str = "", **settings: str) -> Setup:
    """What a game starts from with the packs that ship and these settings."""
    merged = packs.merge(game.name, _shipped(game.folder))
    return engine_game.setup(game, packs.build(merged, game.pack_type), settings, scenario)


@cache  # to read their TOML takes as long as to play a game
def _shipped(folder: Path) -> list[packs.PackFile]:
    return packs.find(folder, Path("/nowhere"))


class Driver:
    """Stands at one ask of a play; `outcome` is set once the script has returned."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.outcome: Outcome | None = None
        self._script = play.script()
        self._step(None)

    def _step(self, answer: object) -> None:
        try:
            self.ask: AnyAsk = self._script.send(answer)
        except StopIteration as end:
            self.outcome = end.value

    def answer(self, raw: object = True) -> AnyAsk:
        """Answer the open ask, as strictly as a table would; the next one is returned."""
        assert self.outcome is None, "the game is over"
        self._step(self.ask.accept(raw))
        return self.ask

    def replayed(self, raw: object) -> AnyAsk:
        """Answer the open ask as a journal does that was written when it was put in its former way."""
        former = self.ask.former
        assert former is not None, "it was never put otherwise"
        self._step(former.accept(raw))
        return self.ask

    def restate(self) -> AnyAsk:
        """The state was changed under the open ask: let the script ask anew."""
        self._step(RESTATED)
        return self.ask

    def until(self, *keys: str) -> AnyAsk:
        """Acknowledge what is only shown until an ask with one of these keys is open."""
        while self.outcome is None and self.ask.key not in keys:
            assert isinstance(self.ask, Show), f"{self.ask.key} came, not {' or '.join(keys)}"
            self.answer()
        assert self.outcome is None, f"the game ended before {' or '.join(keys)}"
        return self.ask

    def board(self) -> str:
        """The table as text, a panel after the other."""
        board = self.play.board().fitted()
        panels = (line for panel in board.panels for line in (f"[{panel.title}]", *panel.lines))
        return "\n".join((board.title, *panels)) + "\n"

    def ids(self) -> list[str]:
        """The ids of the open ask's options."""
        assert isinstance(self.ask, Choose | Pick)
        return [option.id for option in self.ask.options]
