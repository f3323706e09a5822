"""What must hold of the table after every answer: piece counts, bounds, places."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.okinawa import rondel
from companion.games.okinawa.setup import REINFORCEMENTS, SPACES, UNKNOWN_ENEMIES
from companion.games.okinawa.state import ACTION_DICE, FULL_HEALTH, STRIKE_DICE, State
from companion.games.okinawa.table import Table


def broken(table: Table) -> Iterator[str]:
    """Every invariant that does not hold, in words."""
    state = table.state
    if state.spaces:
        yield from _spaces(state)
        yield from _actions(table)
        yield from _enemies(table)
    yield from _player(table)


def _spaces(state: State) -> Iterator[str]:
    left = rondel.numbers(state)
    if left != sorted(set(left)) or not set(left) <= set(range(1, SPACES + 1)):
        yield f"spaces: {left} are not Action Spaces in order, each once"
    for what, spaces in (("pawn", [state.pawn]), ("strikes", state.strikes), ("mines", state.mines)):
        if gone := set(spaces) - set(left):
            yield f"{what}: on {sorted(gone)}, which is no Action Space in play"


def _actions(table: Table) -> Iterator[str]:
    state = table.state
    if not table.refereed:
        return
    cards = len(state.spaces) + len(state.removed_actions) + len(state.offers) + len(state.reinforcements)
    cards += bool(state.in_hand)
    dealt = min(REINFORCEMENTS, sum(one.copies for one in table.pack.action.values()) - SPACES)
    if cards != SPACES + dealt:
        yield f"Action cards: {cards} of {SPACES + dealt}"
    tokens = [
        *state.tokens,
        *state.resupply,
        *state.removed_tokens,
        *(one.token for one in state.offers if one.token),
    ]
    total = sum(one.copies for one in table.pack.resupply.values())
    if len(tokens) != total:
        yield f"Resupply tokens: {len(tokens)} of {total}"


def _enemies(table: Table) -> Iterator[str]:
    state = table.state
    laid = [enemy for _, stack in table.posts() for enemy in stack] + state.fallback
    unknown = sum(not enemy.card or not table.letter(enemy.card) for enemy in laid)
    known = len(laid) - unknown
    hidden_known = sum(bool(table.letter(card)) for card in state.unseen.get("hill", ()))
    known, unknown = known + hidden_known, unknown - hidden_known
    if known + len(state.known) != sum(table.pack.enemy[card].copies for card in table.letters.values()):
        yield f"Known Enemies: {known} laid, {len(state.known)} in the pile"
    if unknown + state.deck + len(state.discard) != UNKNOWN_ENEMIES:
        yield f"Unknown Enemies: {unknown} laid, {state.deck} in the deck, {len(state.discard)} discarded"
    for place, enemy in table.exposed():
        printed = table.enemy(enemy.card) if enemy.up else None
        if printed and printed.health and enemy.damage >= printed.health:
            yield f"{place}: {printed.name} has {enemy.damage} damage and should be gone"
        if enemy.fog < 0 or enemy.damage < 0:
            yield f"{place}: fog {enemy.fog}, damage {enemy.damage}"
    soldiers = state.soldiers, state.fallback_soldiers
    if any(side < 0 for one in soldiers for side in (one.beige, one.red)):
        yield f"soldiers: {soldiers}"


def _player(table: Table) -> Iterator[str]:
    state = table.state
    if not 0 <= state.health <= FULL_HEALTH:
        yield f"health: {state.health} is not from 0 to {FULL_HEALTH}"
    if state.flag < 0:
        yield f"flag: {state.flag}"
    for kind, held in (
        ("sandbag", state.sandbags),
        ("adjust", state.adjusts),
        ("reposition", state.repositions),
        ("reroll", state.rerolls),
    ):
        if not 0 <= held <= table.supply(kind):
            yield f"{kind}: {held} held of {table.supply(kind)}"
    stored = [state.resupply_die, *(space.action.die for space in state.spaces)]
    dice = [*state.pool, *(die for die in stored if die)]
    if len(dice) > ACTION_DICE or not all(1 <= die <= 4 for die in dice):
        yield f"action dice: {dice}"
    if len(state.strikes) > STRIKE_DICE:
        yield f"strikes: {state.strikes}"
