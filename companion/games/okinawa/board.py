"""The table as text, for a screen beside the OLED."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from companion.engine.game import Board, Panel
from companion.games.okinawa import rondel, scenarios, targets
from companion.games.okinawa.cards import Effect, EnemyCard, EnemyEffect, When, Where
from companion.games.okinawa.state import FULL_HEALTH, Action, Enemy, Offer, Space
from companion.games.okinawa.table import Table
from companion.wording import BOUND, counted

_BEFORE_NUMBER = re.compile(r"(?<=[a-z]) (?=\d)")


def board(table: Table) -> Board:
    """The table in panels: enemies, Action Spaces, the player, what lies beside."""
    state = table.state
    if not state.objective:
        return Board("Okinawa", (Panel("Set-up", ("The Battlefield is laid out.",)),))
    title = f"{state.number} {table.objective.title}, flag {state.flag}, turn {state.turn}"
    cost = targets.danger(table)
    legend = ["* stand-in card"] * table.has_stand_ins()
    panels = [
        _panel("Enemies", _enemies(table), _enemies(table, lying=True)),
        _panel("You", _player(table)),
        _panel(
            "Action Spaces",
            (_space(table, space, cost[space.number]) for space in state.spaces),
            (_space(table, space) for space in state.spaces),
        ),
        _panel("Reinforcements", (_offer(table, offer) for offer in state.offers)),
        _panel("Beside", (*_beside(table), *legend), _beside(table)),
    ]
    return Board(title, tuple(panel for panel in panels if panel.lines))


def _panel(title: str, lines: Iterable[str], lying: Iterable[str] = ()) -> Panel:
    """No number begins a line: beside the numbered spaces it would look like one of them.

    `lying` is without what the enemies will hit, which follows from where they lie, and without the legend.
    """
    whole, bare = (tuple(_BEFORE_NUMBER.sub(BOUND, line) for line in each) for each in (lines, lying or ()))
    return Panel(title, whole, lying=bare if lying else None)


def _enemies(table: Table, *, lying: bool = False) -> Iterator[str]:
    state = table.state
    yield f"1: beige {state.soldiers.beige}, red {state.soldiers.red}"
    if state.strikes:
        yield f"   strikes on {' '.join(map(str, sorted(state.strikes)))}"
    for place, stack in table.posts():
        if place.isdigit():
            yield f"{place}: {_stack(table, stack)}"
        elif stack:
            yield f"{place}: {', '.join(enemy_text(table, one) for one in stack)}"
        for one in stack[:1] if place.isdigit() else stack:
            if lying and one.dice:
                yield f"   die {' '.join(map(str, one.dice))}"
            elif one.up and not lying:
                yield f"   {aim_text(table, place, one)}"
                yield from (f"   {does}" for does in _does(table.enemy(one.card), one.dice))


def _stack(table: Table, stack: list[Enemy]) -> str:
    if not stack:
        return "-"
    under = f" +{len(stack) - 1}" if len(stack) > 1 else ""
    return enemy_text(table, stack[0]) + under


def enemy_text(table: Table, enemy: Enemy) -> str:
    """One Enemy card in a few words: name, type, damage of health, fog."""
    if not enemy.up:
        return "face down"
    printed = table.enemy(enemy.card)
    words = f"{table.look_of(enemy)} {printed.type}"
    words += f" {enemy.damage}/{printed.health}" if printed.health else " no health"
    words += f" fog {enemy.fog}" if enemy.fog else ""
    return words + ("*" if printed.is_stand_in else "")


def aim_text(table: Table, place: str, enemy: Enemy) -> str:
    """Which Action Spaces a face-up Enemy card will hit, and for how much."""
    printed = table.enemy(enemy.card)
    die = f"die {' '.join(map(str, enemy.dice))}, " if enemy.dice else ""
    if targets.follows_pawn(printed, enemy):
        return f"{die}hits you anywhere for {targets.damage(printed, enemy)}"
    aimed = sorted(targets.targets(table, targets.foreseen(place, printed, enemy), enemy))
    if not aimed:
        return f"{die}no target"
    return f"{die}hits {' '.join(map(str, aimed))} for {targets.damage(printed, enemy)}"


_SPACES: Final = {
    Where.ROLLED: "the space rolled",
    Where.ROLLED_COLUMN: "the column rolled",
    Where.COLUMN: "its column",
    Where.TOP: "the top row",
    Where.BOTTOM: "the bottom row",
    Where.BESIDE: "its row",
    Where.PAWN: "your space",
    Where.ALL: "all spaces",
}


def _does(printed: EnemyCard, dice: list[int]) -> Iterator[str]:
    """What a face-up Enemy card does in its turn beside its damage, and what it is a shield for.

    Of what hangs on a result of its die all is told before the roll, and after it what came up. Where a
    card goes before it strikes is seen in what it hits.
    """
    if printed.shields_soldiers:
        yield "soldiers can't be attacked"
    for effect in printed.effects:
        words = _effect(effect)
        if not words or effect.when is When.REVEAL:
            continue
        words = f"{'on a hit ' if effect.when is When.HIT else ''}{words}"
        if effect.die is None:
            yield words
        elif dice:
            yield from (words for _ in targets.applies(effect, dice))
        else:
            yield f"die {effect.die[0]}-{effect.die[1]}: {words}"


def _effect(effect: Effect) -> str:
    match effect.effect:
        case EnemyEffect.SPAWN:
            return counted(effect.amount, "more soldier")
        case EnemyEffect.SUPPRESS:
            return f"Suppressed on {_SPACES[effect.where]}"
        case EnemyEffect.FOG:
            return f"{effect.amount} more fog on it"
        case EnemyEffect.REPAIR:
            return f"{effect.amount} damage off it"
        case EnemyEffect.MOVE_TOP if effect.when is When.HIT:
            return "goes right of the top row"
        case EnemyEffect.MOVE_BOTTOM if effect.when is When.HIT:
            return "goes right of the bottom row"
        case _:
            return ""


def _space(table: Table, space: Space, cost: int = 0) -> str:
    state, action = table.state, space.action
    words = f"{'>' if state.pawn == space.number else ' '}{space.number:2}"
    if action.card:
        words += f" {table.action(action.card).name}{' V' if action.veteran else ''}: "
        words += table.side_text(action).replace(" (stand-in)", "*")
    words += ", rotated" if action.rotated else ""
    words += ", suppressed" if action.suppressed else ""
    words += f", die {action.die}" if action.die else ""
    words += ", mine" if space.number in state.mines else ""
    return words + (f", danger {cost}" if cost else "")


def _offer(table: Table, offer: Offer) -> str:
    does = table.side_text(Action(offer.card)).replace(" (stand-in)", "*")
    return f"{table.action(offer.card).name} + {table.token(offer.token)}: {does}"


def _player(table: Table) -> Iterator[str]:
    state = table.state
    yield f"Health {'♥' * state.health}{'·' * (FULL_HEALTH - state.health)}"
    if not table.refereed:
        return
    yield f"Dice {' '.join(map(str, state.pool)) or '-'}, on Resupply {state.resupply_die or '-'}"
    yield f"Sandbags {state.sandbags}, adjust {state.adjusts}"
    yield f"Re-roll {state.rerolls}, reposition {state.repositions}"
    if state.tokens:
        yield f"Resupply tokens: {', '.join(map(table.token, state.tokens))}"


def _beside(table: Table) -> Iterator[str]:
    state = table.state
    does = scenarios.each_lap(table.scenario)
    if state.scenario:
        yield f"{scenarios.title(table)}{f', each lap: {does}' if does else ''}"
    yield f"Unknown deck {state.deck}, discard {len(state.discard)}"
    yield f"Fallback: cards {len(state.fallback)}, soldiers {len(state.fallback_soldiers)}"
    left = [one for one in range(1, 11) if one not in rondel.numbers(state)]
    if left:
        yield f"Removed spaces {', '.join(map(str, left))}"
