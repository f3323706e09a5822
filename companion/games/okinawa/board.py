"""The table as text, for a screen beside the OLED."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.game import Board, Panel
from companion.games.okinawa import rondel, targets
from companion.games.okinawa.state import FULL_HEALTH, Action, Enemy, Offer, Space
from companion.games.okinawa.table import Table


def board(table: Table) -> Board:
    """The table in panels: enemies, Action Spaces, the player, what lies beside."""
    state = table.state
    if not state.objective:
        return Board("Okinawa", (Panel("Set-up", ("The Battlefield is laid out.",)),))
    title = f"{state.number} {table.objective.name}, flag {state.flag}, turn {state.turn}"
    panels = [
        Panel("Enemies", tuple(_enemies(table))),
        Panel("Action Spaces", tuple(_space(table, space) for space in state.spaces)),
        Panel("You", tuple(_player(table))),
    ]
    if state.offers:
        panels.append(Panel("Reinforcements", tuple(_offer(table, one) for one in state.offers)))
    panels.append(Panel("Beside", tuple(_beside(table))))
    return Board(title, tuple(panels))


def _enemies(table: Table) -> Iterator[str]:
    state = table.state
    yield f"1: {state.soldiers.beige} soldiers, {state.soldiers.red} red"
    for place, stack in table.posts():
        if place.isdigit():
            yield f"{place}: {_stack(table, stack)}"
        elif stack:
            yield f"{place}: {', '.join(enemy_text(table, one) for one in stack)}"
        if stack and stack[0].up:
            yield f"   {aim_text(table, place, stack[0])}"


def _stack(table: Table, stack: list[Enemy]) -> str:
    if not stack:
        return "-"
    under = f" +{len(stack) - 1}" if len(stack) > 1 else ""
    return enemy_text(table, stack[0]) + under


def enemy_text(table: Table, enemy: Enemy) -> str:
    """One Enemy card in a few words: name, damage of health, fog, its die."""
    if not enemy.up:
        return "face down"
    printed = table.enemy(enemy.card)
    words = table.name_of(enemy)
    words += f" {enemy.damage}/{printed.health}" if printed.health else " no health"
    words += f" fog {enemy.fog}" if enemy.fog else ""
    return words + ("*" if printed.is_stand_in else "")


def aim_text(table: Table, place: str, enemy: Enemy) -> str:
    """Which Action Spaces a face-up Enemy card will hit, and for how much."""
    printed = table.enemy(enemy.card)
    die = f"die {' '.join(map(str, enemy.dice))}, " if enemy.dice else ""
    aimed = sorted(targets.targets(table, targets.foreseen(place, printed, enemy), enemy))
    if not aimed:
        return f"{die}no target"
    return f"{die}hits {' '.join(map(str, aimed))} for {targets.damage(printed, enemy)}"


def _space(table: Table, space: Space) -> str:
    state, action = table.state, space.action
    words = f"{'>' if state.pawn == space.number else ' '}{space.number:2}"
    if action.card:
        words += f" {table.action(action.card).name}{' V' if action.veteran else ''}: "
        words += table.side_text(action).replace(" (stand-in)", "*")
    words += ", turned" if action.rotated else ""
    words += ", suppressed" if action.suppressed else ""
    words += f", die {action.die}" if action.die else ""
    strikes = state.strikes.count(space.number)
    words += f", {strikes} strike{'s' if strikes > 1 else ''}" if strikes else ""
    return words + (", mine" if space.number in state.mines else "")


def _offer(table: Table, offer: Offer) -> str:
    does = table.side_text(Action(offer.card)).replace(" (stand-in)", "*")
    return f"{table.action(offer.card).name} + {offer.token or 'no token'}: {does}"


def _player(table: Table) -> Iterator[str]:
    state = table.state
    yield f"Health {'♥' * state.health}{'·' * (FULL_HEALTH - state.health)}"
    if not table.refereed:
        return
    yield f"Dice {' '.join(map(str, state.pool)) or '-'}, on Resupply {state.resupply_die or '-'}"
    yield f"{state.sandbags} sandbag, {state.adjusts} adjust"
    yield f"{state.rerolls} re-roll, {state.repositions} reposition"
    if state.tokens:
        yield ", ".join(state.tokens)


def _beside(table: Table) -> Iterator[str]:
    state = table.state
    scenario = table.scenario
    yield f"Scenario {state.scenario}{f' {scenario.name}' if scenario else ''}"
    yield f"Unknown deck {state.deck}, discard {len(state.discard)}"
    yield f"Fallback {len(state.fallback)} cards, {len(state.fallback_soldiers)} soldiers"
    left = [one for one in range(1, 11) if one not in rondel.numbers(state)]
    if left:
        yield f"Removed spaces {', '.join(map(str, left))}"
    if table.has_stand_ins():
        yield "* stand-in card"
