"""One play of the game: the script from set-up to the end, and what must hold of the table all along."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.engine.asks import AnyAsk, Script
from companion.engine.errors import PackError
from companion.engine.game import Board, Glance, Outcome, Setup
from companion.engine.packs import Tables
from companion.games.okinawa import board, enemies, invariants, learning, policy
from companion.games.okinawa.cards import Pack
from companion.games.okinawa.drawing import svg
from companion.games.okinawa.enemy_turn import enemy_turn
from companion.games.okinawa.objectives import capture, complete, set_up_objective
from companion.games.okinawa.player_turn import player_turn
from companion.games.okinawa.problems import unplayable
from companion.games.okinawa.reports import reported_turn
from companion.games.okinawa.setup import set_up
from companion.games.okinawa.state import State
from companion.games.okinawa.table import Captured, GameOver, Table
from companion.wording import begun


class Okinawa:
    """The game on the table (see `companion.engine.game.Play`)."""

    def __init__(self, setup: Setup) -> None:
        """Raises `PackError` for packs that no game can be played with."""
        assert isinstance(setup.pack, Pack)
        for problem in () if setup.begun else unplayable(setup.pack):
            raise PackError(f"{problem.path}: {problem.message}; see companion pack check okinawa")
        self.table = Table(setup.pack, setup.settings)

    @property
    def state(self) -> State:
        """All that is on the table."""
        return self.table.state

    def script(self) -> Script[Outcome]:
        """Four Objectives, or fewer if the player falls (OKI-002, OKI-041)."""
        table = self.table
        try:
            yield from set_up(table)
            yield from set_up_objective(table)
            while True:
                yield from _round(table)
        except GameOver as over:
            news = table.state.news
            if news and not table.state.health:  # what waits to be shown with the next hit or event
                news.insert(0, begun(over.outcome.reason))
                yield from table.tell("okinawa.enemy.over", ("OKI-040", "OKI-215"))
            return over.outcome

    def check(self) -> Iterable[str]:
        """Every invariant of the table that does not hold."""
        return invariants.broken(self.table)

    def board(self) -> Board:
        """The table as text."""
        return board.board(self.table)

    def svg(self) -> str:
        """The table as a picture."""
        return svg(self.table)

    def advise(self, question: AnyAsk, name: str) -> object | None:
        """The careful player's answer; None where any will do."""
        return policy.cautious(self.table, question) if name == policy.CAUTIOUS else None

    def learned(self) -> Tables:
        """Cards entered in this session, for the owner's pack."""
        return learning.learned(self.table.state.learned)


def _round(table: Table) -> Script[None]:
    """A Player Turn and an Enemy Turn, cut short by a capture, and what ends with them (OKI-042, OKI-226)."""
    try:
        yield from (player_turn if table.refereed else reported_turn)(table)
        enemies.settle(table)
        yield from enemy_turn(table)
        enemies.settle(table)
    except Captured:
        yield from capture(table)
        return
    if not table.state.flag:
        yield from complete(table)


def glance(state: msgspec.Struct) -> Glance:
    """What a report follows over a session: who falls back is not lost."""
    assert isinstance(state, State)
    stacks = (*state.row, state.beside_top, state.beside_bottom, state.fallback)
    soldiers = len(state.soldiers) + len(state.fallback_soldiers)
    figures = {"health": state.health, "soldiers": soldiers, "enemy cards": sum(map(len, stacks))}
    return Glance(
        f"Objective {state.number}, turn {state.turn}" if state.turn and not state.setting_up else "",
        {**figures, "flag": state.flag},
        turns=state.turn,  # in one that captures, the next Objective comes up
    )
