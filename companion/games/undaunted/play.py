"""A play of Undaunted, as the engine sees it."""

from __future__ import annotations

from collections.abc import Iterable

from companion.engine.asks import AnyAsk, Script
from companion.engine.game import Board, Outcome, Setup
from companion.engine.packs import Tables
from companion.games.undaunted import advice, display, invariants, picture, rounds
from companion.games.undaunted.setup import make_table
from companion.games.undaunted.state import State


class Undaunted:
    """One game: alone against the bot, two, or four in teams."""

    def __init__(self, setup: Setup) -> None:
        self.table = make_table(setup)

    @property
    def state(self) -> State:
        """All that is on the table."""
        return self.table.state

    def script(self) -> Script[Outcome]:
        """The game from its setup to its end."""
        return rounds.game(self.table)

    def check(self) -> Iterable[str]:
        """What is contradictory on the table."""
        return invariants.broken(self.table)

    def board(self) -> Board:
        """The table as text."""
        return display.board(self.table)

    def learned(self) -> Tables:
        """Nothing: what an owner enters comes through `companion pack`."""
        return {}

    def svg(self) -> str:
        """The table as a picture."""
        return picture.svg(self.table)

    def advise(self, question: AnyAsk, policy: str) -> object | None:
        """What a careful or a bold player would answer."""
        return advice.advise(self.table, question, policy)
