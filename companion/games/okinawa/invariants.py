"""What must hold of the table after every answer: piece counts, bounds, places."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.okinawa import rondel
from companion.games.okinawa.cards import ActionDeck, TokenKind
from companion.games.okinawa.dice import ACTION
from companion.games.okinawa.entering import SCENARIOS
from companion.games.okinawa.setup import REINFORCEMENTS, SPACES, UNKNOWN_ENEMIES
from companion.games.okinawa.state import (
    ACTION_DICE,
    FULL_HEALTH,
    LAST,
    MOST_LAPS,
    STRIKE_DICE,
    Enemy,
    State,
)
from companion.games.okinawa.table import POSTS, Table
from companion.games.okinawa.tokens import common_tokens
from companion.games.okinawa.unseen import HILL, dealt_from


def broken(table: Table) -> Iterator[str]:
    """Every invariant that does not hold, in words."""
    state = table.state
    if len(state.row) != len(POSTS):
        yield f"row: {len(state.row)} Enemy Spaces, not {len(POSTS)}"
        return
    unknown = list(_names(table))
    if unknown:
        yield from unknown
        return
    yield from _spaces(state)
    yield from _actions(table)
    yield from _enemies(table)
    yield from _player(table)


def _names(table: Table) -> Iterator[str]:
    """Cards and tokens that nobody knows: nothing else can be looked at before these are right."""
    state = table.state
    laid = [enemy for _, stack in table.posts() for enemy in stack] + state.fallback
    actions = [space.action.card for space in state.spaces if table.refereed or space.action.card]
    actions += [one.card for one in state.offers] + state.reinforcements + state.removed_actions
    actions += [state.in_hand] * bool(state.in_hand)
    enemies = [one.card for one in laid if one.card or one.up] + state.known + state.discard
    enemies += [card for cards in state.unseen.values() for card in cards]
    objectives = [state.objective] * bool(state.number or state.objective or state.turn)
    learned = state.learned
    for what, names, known in (
        ("Action card", actions, {*table.pack.action, *learned.action}),
        ("Enemy card", enemies, {*table.pack.enemy, *learned.enemy}),
        ("Objective", objectives, {*table.pack.objective, *learned.objective}),
        ("Scenario", [state.scenario] * bool(state.scenario), set(SCENARIOS)),
        ("Resupply token", _tokens(state), set(TokenKind)),
        ("pool of cards", [*state.mixed, *(one.pool for one in laid if not one.card)], set(state.unseen)),
    ):
        for name in sorted(set(names) - known):
            yield f"no {what} is called {name!r}"


def _tokens(state: State) -> list[str]:
    """The Resupply tokens, wherever they are."""
    offered = (one.token for one in state.offers if one.token)
    return [*state.tokens, *state.resupply, *state.removed_tokens, *offered]


def _spaces(state: State) -> Iterator[str]:
    left = rondel.numbers(state)
    if left != sorted(set(left)) or not set(left) <= set(range(1, SPACES + 1)):
        yield f"spaces: {left} are not Action Spaces in order, each once"
    if len({rondel.is_top(number) for number in left}) != 2:
        yield "spaces: each row has to keep one"
    for what, spaces in (("pawn", [state.pawn]), ("strikes", state.strikes), ("mines", state.mines)):
        if gone := set(spaces) - set(left):
            yield f"{what}: on {sorted(gone)}, which is no Action Space in play"


def _actions(table: Table) -> Iterator[str]:
    state = table.state
    if not table.refereed:
        return
    cards = len(state.spaces) + len(state.removed_actions) + len(state.offers) + len(state.reinforcements)
    cards += bool(state.in_hand)
    printed = table.pack.action.values()
    dealt = min(REINFORCEMENTS, sum(one.copies for one in printed if one.deck is ActionDeck.REINFORCEMENT))
    if cards != SPACES + dealt:
        yield f"Action cards: {cards} of {SPACES + dealt}"
    tokens, total = len(_tokens(state)), sum(one.copies for one in table.pack.resupply.values())
    if tokens != total:
        yield f"Resupply tokens: {tokens} of {total}"


def _enemies(table: Table) -> Iterator[str]:
    state = table.state
    laid = [enemy for _, stack in table.posts() for enemy in stack] + state.fallback
    unknown = sum(not enemy.card or not table.letter(enemy.card) for enemy in laid)
    known = len(laid) - unknown
    hidden_known = sum(bool(table.letter(card)) for card in state.unseen.get(HILL, ()))
    known, unknown = known + hidden_known, unknown - hidden_known
    if known + len(state.known) != sum(table.pack.enemy[card].copies for card in table.letters.values()):
        yield f"Known Enemies: {known} laid, {len(state.known)} in the pile"
    dealt = min(UNKNOWN_ENEMIES, sum(one.copies for one in table.pack.enemy.values() if not one.letter))
    if unknown + state.deck + len(state.discard) != dealt:
        yield f"Unknown Enemies: {unknown} laid, {state.deck} in the deck, {len(state.discard)} discarded"
    hidden = sum(not enemy.card for enemy in laid)
    unseen = sum(len(cards) for cards in state.unseen.values())
    if hidden + state.deck != unseen:
        yield f"hidden cards: {hidden} laid and {state.deck} in the deck, but {unseen} are unseen"
    yield from _pools(table, laid)
    yield from _piles(table)
    for enemy in laid:
        yield from _tokens_on(table, enemy)
    soldiers = state.soldiers, state.fallback_soldiers
    if any(side < 0 for one in soldiers for side in (one.beige, one.red)):
        yield f"soldiers: {soldiers}"
        return
    there, tokens = sum(map(len, soldiers)), table.supply("soldiers")
    if there > tokens and table.settings["limits"] == "yes":
        yield f"soldiers: {there} in Enemy Space 1 and fallen back, of {tokens}"


def _pools(table: Table, laid: list[Enemy]) -> Iterator[str]:
    """Hidden cards against what each shuffled deck still has unseen.

    The decks since the deal at Hill 89 count as one: a tucked card may be of any of them.
    """
    state = table.state
    decks = list(state.unseen)
    since: list[str] = []
    if HILL in state.unseen:
        at = decks.index(HILL)
        since, decks = [decks[at - 1], *decks[at + 1 :]], decks[: at - 1]
        lying, cards = sum(enemy.pool == HILL for enemy in laid), len(state.unseen[HILL])
        if lying < cards:
            yield f"hidden cards: {lying} of {HILL}, which holds {cards}"
    for pools in filter(None, (*([pool] for pool in decks), since)):
        lying = sum(enemy.pool in pools for enemy in laid)
        lying += dealt_from(table)[1] if pools == since else 0
        lying += state.deck if pools == (since or decks[-1:]) else 0
        cards = sum(len(state.unseen[pool]) for pool in pools)
        if lying != cards:
            yield f"hidden cards: {lying} of {', '.join(pools)}, which holds {cards}"


def _piles(table: Table) -> Iterator[str]:
    """Known and Unknown Enemies in each other's piles."""
    state = table.state
    if not all(map(table.letter, state.known)):
        yield f"known: {state.known} are not all Known Enemies"
    unknown = [card for pool, cards in state.unseen.items() if pool != HILL for card in cards]
    if any(map(table.letter, [*unknown, *state.discard])):
        yield f"unseen and discard: {unknown} and {state.discard} are not all Unknown Enemies"


def _tokens_on(table: Table, enemy: Enemy) -> Iterator[str]:
    health = table.enemy(enemy.card).health if enemy.up else 0
    if enemy.fog < 0 or (enemy.fog and not enemy.up) or not 0 <= enemy.damage <= health:
        yield f"{table.name_of(enemy)}: fog {enemy.fog}, damage {enemy.damage} of {health}"
    if not all(1 <= die <= SPACES for die in enemy.dice):
        yield f"{table.name_of(enemy)}: dice {enemy.dice}"


def _player(table: Table) -> Iterator[str]:
    state = table.state
    if state.objective and table.objective.number != state.number:
        yield f"number: {state.number}, but {table.objective.name} is Objective {table.objective.number}"
    for name, value, most in (
        ("health", state.health, FULL_HEALTH),
        ("flag", state.flag, max(MOST_LAPS, table.objective.laps) if state.objective else MOST_LAPS),
        ("captured", state.captured, LAST),
        ("allowance", state.allowance, ACTION_DICE + 1),  # a card's, and the easier option's
        ("activation.left", state.activation.left, len(ACTION)),
    ):
        if not 0 <= value <= most:
            yield f"{name}: {value} is not from 0 to {most}"
    for name, value in (("turn", state.turn), ("activation.scouts", state.activation.scouts)):
        if value < 0:
            yield f"{name}: {value} is below 0"
    for kind, held in common_tokens(state).items():
        if not 0 <= held <= table.supply(kind):
            yield f"{kind}: {held} held of {table.supply(kind)}"
    stored = [state.resupply_die, *(space.action.die for space in state.spaces)]
    dice = [*state.pool, *(die for die in stored if die)]
    if len(dice) > ACTION_DICE or not all(1 <= die <= 4 for die in dice):
        yield f"action dice: {dice}"
    if len(state.strikes) > STRIKE_DICE:
        yield f"strikes: {state.strikes}"
