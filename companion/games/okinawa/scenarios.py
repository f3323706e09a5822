"""Scenario cards: what they do, at once or at the ends of a loop (OKI-050 to OKI-052, OKI-R61 to R63)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from companion.engine.asks import Script
from companion.games.okinawa import dice, effects, health, learning, rondel, tokens
from companion.games.okinawa.cards import Happening, Scenario, ScenarioEffect, Timing
from companion.games.okinawa.state import ACTION_DICE
from companion.games.okinawa.table import Table
from companion.wording import counted

MINE_DAMAGE: Final = 1
_FOG: Final = (ScenarioEffect.FOG, ScenarioEffect.SCOUT)


def comes_in(table: Table) -> Script[None]:
    """A Scenario card is laid out: it acts if it acts at once, or at the start of a loop (OKI-R63).

    All Enemy cards lie face down then; what it does to their fog waits until they are turned up (OKI-R78).
    """
    yield from learning.check_scenario(table, _printed(table.scenario))
    scenario = table.scenario
    if scenario is None or scenario.timing is Timing.LOOP_END:
        return
    table.state.fog_waits = any(one.effect in _FOG for one in scenario.effects)
    yield from _carry_out(table, scenario, [one for one in scenario.effects if one.effect not in _FOG])


def turned_up(table: Table) -> Script[None]:
    """A turn's Enemy cards have been turned up: fog that waited for them comes."""
    scenario = table.scenario
    if table.state.fog_waits and scenario:
        table.state.fog_waits = False
        yield from _carry_out(table, scenario, [one for one in scenario.effects if one.effect in _FOG])


def act(table: Table, timing: Timing) -> Script[None]:
    """A loop has ended or begins: the Scenario card acts if that is when it does."""
    scenario = table.scenario
    if scenario is not None and scenario.timing is timing:
        yield from _carry_out(table, scenario, scenario.effects)


def goes_out(table: Table) -> None:
    """The Scenario of a finished Objective leaves with what it placed (OKI-R61)."""
    if table.state.mines:
        table.news("Take the Mine Fields away")
    table.state.scenario = ""
    table.state.mines = []
    table.state.fog_waits = False


def title(table: Table) -> str:
    """The Scenario card in play by its letter and its name; one that was typed in has no other name."""
    letter, card = f"Scenario {table.state.scenario}", table.scenario
    return letter if card is None or card.name == letter else f"{letter} {card.name}"


def each_lap(scenario: Scenario | None) -> str:
    """What a Scenario card does at each lap, in few words; "" for one that acts at once."""
    if scenario is None or scenario.timing is Timing.AT_ONCE:
        return ""
    return ", ".join(map(_words, scenario.effects))


def _printed(scenario: Scenario | None) -> str:
    return f"{scenario.timing}: {', '.join(map(_words, scenario.effects))}" if scenario else ""


def _words(happening: Happening) -> str:
    amount, spaces = happening.amount, ", ".join(map(str, happening.spaces))
    match happening.effect:
        case ScenarioEffect.SPAWN:
            return counted(amount, "soldier")
        case ScenarioEffect.FOG:
            return f"{amount} fog on each Enemy card"
        case ScenarioEffect.SCOUT:
            return f"{amount} fog off each Enemy card"
        case ScenarioEffect.SUPPRESS:
            return f"Suppressed on {spaces}"
        case ScenarioEffect.MINES:
            return f"Mine Fields on {spaces}"
        case ScenarioEffect.HURT:
            return f"{amount} damage"
        case ScenarioEffect.HEAL:
            return f"{amount} health"
        case ScenarioEffect.DIE:
            return _dice(amount)
        case _:
            return counted(amount, f"{happening.effect.value} token")


def _carry_out(table: Table, scenario: Scenario, happenings: Iterable[Happening]) -> Script[None]:
    news = table.state.news
    told = len(news)  # such as a lap, which is not its doing
    for happening in happenings:
        happen(table, happening)
    if told and told == len(news):
        table.news("it changes nothing now")
    if told < len(news):
        stand_in = " (stand-in)" if scenario.is_stand_in else ""
        does = news[told].removeprefix(f"{scenario.name}: ")
        news[told] = f"{title(table)}{stand_in}: {does}"
    yield from table.tell("okinawa.scenario.acts", ("OKI-051", "OKI-052", "OKI-R63"))


def happen(table: Table, happening: Happening) -> None:
    """Carry out one effect of a Scenario card."""
    amount = happening.amount
    match happening.effect:
        case ScenarioEffect.SPAWN:
            effects.spawn(table, amount)
        case ScenarioEffect.FOG:
            _fog(table, amount)
        case ScenarioEffect.SCOUT:
            _scout(table, amount)
        case ScenarioEffect.SUPPRESS:
            effects.suppress(table, frozenset(happening.spaces))
        case ScenarioEffect.MINES:
            _lay_mines(table, happening.spaces)
        case ScenarioEffect.HURT:
            health.lose(table, amount, table.scenario.name if table.scenario else "")
        case ScenarioEffect.HEAL:
            for _ in range(amount):
                health.heal(table)
        case ScenarioEffect.SANDBAG | ScenarioEffect.ADJUST:
            for _ in range(amount):
                tokens.gain(table, happening.effect.value)
        case ScenarioEffect.DIE:
            _more_dice(table, amount)


def _more_dice(table: Table, amount: int) -> None:
    """More action dice for the rest of the Objective, never above the six there are (OKI-R59)."""
    more = min(amount, ACTION_DICE - dice.allowance(table))
    table.state.allowance += more
    table.news(_dice(more) if more else "No more action dice: you have all there are")


def _dice(amount: int) -> str:
    return counted(amount, "more action die", "more action dice")


def _lay_mines(table: Table, named: tuple[int, ...]) -> None:
    state = table.state
    laid = [space for space in named if space in rondel.numbers(state)]
    state.mines = sorted({*state.mines, *laid})
    if laid:
        spaces = ", ".join(map(str, laid))
        table.news(f"Mine Fields at {spaces}: {MINE_DAMAGE} damage if a move ends there")
    else:
        table.news("No Mine Field: no space for it is left")


def _fog(table: Table, amount: int) -> None:
    for _, enemy in table.exposed():
        if enemy.up:
            effects.add_fog(table, enemy, amount)


def _scout(table: Table, amount: int) -> None:
    for place in list(tokens.foggy(table)):
        for _ in range(min(amount, table.at(place).fog)):
            tokens.scout(table, place)


def step_on(table: Table) -> Script[None]:
    """A move that ends on a Mine Field hurts; sandbags are no help in the Player Turn (OKI-R50)."""
    state = table.state
    if state.pawn in state.mines:
        health.lose(table, MINE_DAMAGE, "Mine Field")
        yield from table.tell("okinawa.scenario.mine", ("OKI-051", "OKI-R50"))
