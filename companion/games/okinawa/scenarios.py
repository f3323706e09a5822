"""Scenario cards: what they do, at once or at the ends of a loop (OKI-050 to OKI-052, OKI-R61 to R63)."""

from __future__ import annotations

from typing import Final

from companion.engine.asks import Script
from companion.games.okinawa import effects, health, learning, rondel, tokens
from companion.games.okinawa.cards import Happening, ScenarioEffect, Timing
from companion.games.okinawa.table import Table

MINE_DAMAGE: Final = 1


def comes_in(table: Table) -> Script[None]:
    """A Scenario card is laid out: it acts if it acts at once, or at the start of a loop (OKI-R63)."""
    yield from learning.check_scenario(table)
    yield from _acts(table, Timing.AT_ONCE)
    yield from _acts(table, Timing.LOOP_START)


def start_of_loop(table: Table) -> Script[None]:
    """A new loop of the same Objective begins."""
    yield from _acts(table, Timing.LOOP_START)


def end_of_loop(table: Table) -> Script[None]:
    """A lap has just been counted."""
    yield from _acts(table, Timing.LOOP_END)


def goes_out(table: Table) -> None:
    """The Scenario of a finished Objective leaves with what it placed (OKI-R61)."""
    table.state.scenario = ""
    table.state.mines = []


def _acts(table: Table, timing: Timing) -> Script[None]:
    scenario = table.scenario
    if scenario is None or scenario.timing is not timing:
        return
    for happening in scenario.effects:
        happen(table, happening)
    stand_in = " (stand-in)" if scenario.is_stand_in else ""
    where = f"Scenario {table.state.scenario} {scenario.name}{stand_in}"
    yield from table.tell("okinawa.scenario.acts", ("OKI-051", "OKI-052", "OKI-R63"), where)


def happen(table: Table, happening: Happening) -> None:
    """Carry out one effect of a Scenario card."""
    state = table.state
    amount = happening.amount
    match happening.effect:
        case ScenarioEffect.SPAWN:
            effects.spawn(table, amount)
        case ScenarioEffect.FOG:
            _fog(table, amount)
        case ScenarioEffect.SCOUT:
            _scout(table)
        case ScenarioEffect.SUPPRESS:
            effects.suppress(table, frozenset(happening.spaces))
        case ScenarioEffect.MINES:
            state.mines = [space for space in happening.spaces if space in rondel.numbers(state)]
            table.news(f"Mine Fields at {', '.join(map(str, state.mines))}")
        case ScenarioEffect.HURT:
            health.lose(table, amount, table.scenario.name if table.scenario else "")
        case ScenarioEffect.HEAL:
            for _ in range(amount):
                health.heal(table)
        case ScenarioEffect.SANDBAG | ScenarioEffect.ADJUST:
            for _ in range(amount):
                tokens.gain(table, happening.effect.value)
        case ScenarioEffect.DIE:
            state.allowance += amount
            table.news(f"{amount} more action die")


def _fog(table: Table, amount: int) -> None:
    for _, enemy in table.exposed():
        if enemy.up:
            enemy.fog += amount
            table.news(f"{table.name_of(enemy)}: fog {enemy.fog}")


def _scout(table: Table) -> None:
    for place in list(tokens.foggy(table)):
        tokens.scout(table, place)


def step_on(table: Table) -> Script[None]:
    """A move that ends on a Mine Field hurts; sandbags are no help in the Player Turn (OKI-R50)."""
    state = table.state
    if state.pawn in state.mines:
        health.lose(table, MINE_DAMAGE, "Mine Field")
        yield from table.tell("okinawa.scenario.mine", ("OKI-051", "OKI-R50"))
