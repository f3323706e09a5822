"""The shuffled Enemy decks, and what the cards from each that lie face down may be (OKI-062, OKI-R79)."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb, gcd, perm
from typing import Final

from companion.games.okinawa.cards import least_trusted_first
from companion.games.okinawa.state import Enemy
from companion.games.okinawa.table import Table

DECK: Final = "deck"
HILL: Final = "hill"


def reshuffle_empty(table: Table) -> None:
    """Whenever the Unknown Enemy Deck is empty, its discard is the new deck (OKI-062)."""
    state = table.state
    if state.deck or not state.discard:
        return
    state.unseen[f"{DECK}{len(state.unseen) + 1}"] = state.discard
    state.deck = len(state.discard)
    state.discard = []
    table.news("Once the Unknown deck is empty, shuffle its discard: the new deck")


def mix_up(table: Table) -> None:
    """Note that cards in the Enemy Row are of several shuffles: a deck ran out as they were laid.

    Nobody knows then which of them lie where. At Hill 89 only the tucked ones are mixed: the dealt ones,
    which came before, are still of the first of the decks.
    """
    state = table.state
    laid = {enemy.pool for stack in state.row for enemy in stack} - {HILL}
    pools = [pool for pool in state.unseen if pool in laid]
    state.mixed = pools if len(pools) > 1 else []


def hidden(table: Table) -> list[Enemy]:
    """The cards in the Enemy Row that nobody has seen."""
    return [enemy for stack in table.state.row for enemy in stack if not enemy.card]


def candidates(table: Table, enemy: Enemy) -> Counter[str]:
    """What a face-down card may be, weighted so that each card lying there is equally likely.

    Of the shuffles that were laid together, each card is taken to be of the one whose turn it was; of the
    others, only a person can name one. What was dealt at Hill 89 is only of such a one if one alike was seen,
    which may have been taken for it.
    """
    unseen = table.state.unseen
    others = {card for pool in table.state.mixed for card in unseen[pool]}
    if HILL in unseen and enemy.pool in (HILL, dealt_from(table)[0]):
        may_be = weighed(table, dealt_there=enemy.pool == HILL)
    else:
        may_be = Counter(unseen.get(enemy.pool, ()))
    if enemy.pool == HILL:
        others &= set(_seen(table))
    may_be.update(dict.fromkeys(others, 0))
    return may_be


def _seen(table: Table) -> list[str]:
    """The cards that were turned up since the last of the shuffles that were laid together."""
    state = table.state
    names = list(state.unseen)
    later = names[names.index(state.mixed[-1]) + 1 :] if state.mixed else []
    laid = [one.card for _, stack in table.posts() for one in stack]
    return [*state.discard, *laid, *(card for pool in later for card in state.unseen[pool])]


def weighed(table: Table, *, dealt_there: bool) -> Counter[str]:
    """What a card dealt at Hill 89 may be, or one that was tucked there from the same deck.

    Once cards were seen that may have been of the deck or those that surely are there, it is summed over how
    many copies of each the deck has given beside those that it must have given: in how many ways it can, and
    can have been seen.
    """
    given = Counter(table.state.given)
    pool, among = dealt_from(table)
    sure, deck = Counter(table.state.unseen[HILL]), Counter(table.state.unseen[pool])
    doubtful = Counter(card for card in table.state.doubtful if card in deck)
    if not (among and doubtful):
        return dealt(table) if dealt_there else deck
    others = Counter({card: copies for card, copies in deck.items() if card not in doubtful})
    each = max(1, others.total())
    total: Counter[str] = Counter()
    for more in product(*(range(deck[card] + 1) for card in doubtful)):
        rest = among - sum(more)
        if rest < 0:
            continue
        ways = comb(others.total(), rest)
        for card, count in zip(doubtful, more, strict=True):
            seen = doubtful[card] + given[card]
            ways *= comb(deck[card] + given[card], count + given[card])
            ways *= perm(sure[card] + count + seen, seen)
        there = Counter(dict(zip(doubtful, more, strict=True)))
        if dealt_there:
            there += sure
        else:
            there, rest = deck - others - there, others.total() - rest
        total.update({card: ways * each * copies for card, copies in there.items()})
        total.update({card: ways * rest * copies for card, copies in others.items()})
    common = gcd(*total.values())
    return Counter({card: weight // common for card, weight in total.items() if weight})


def dealt(table: Table) -> Counter[str]:
    """The cards dealt at Hill 89 mix those that surely are there with some of a shuffled deck: k of n.

    A card that is surely there weighs n, one of that deck weighs k.
    """
    pool, among = dealt_from(table)
    deck = Counter(table.state.unseen[pool])
    sure = Counter(table.state.unseen[HILL])
    total = Counter({card: copies * max(1, deck.total()) for card, copies in sure.items()})
    if among:
        total.update({card: copies * among for card, copies in deck.items()})
    return total


def dealt_from(table: Table) -> tuple[str, int]:
    """The deck that was mixed into the cards dealt at Hill 89, and how many of its cards lie there.

    It is the one before `HILL` in `State.unseen`: later ones were shuffled after the deal.
    """
    unseen = table.state.unseen
    pools = list(unseen)
    lying = sum(enemy.pool == HILL for _, stack in table.posts() for enemy in stack)
    return pools[pools.index(HILL) - 1], lying - len(unseen[HILL])


def no_longer(table: Table, enemy: Enemy, card: str) -> None:
    """Take the card out of the unseen ones; a card that nobody knew takes a stand-in's place."""
    unseen = table.state.unseen
    lies = candidates(table, enemy)
    if card not in lies:
        may_be = {one: table.enemy(one) for one in lies if not table.letter(one)}
        card = least_trusted_first(may_be)[0]
    pools = (enemy.pool, *table.state.mixed, *unseen)
    pool = next(pool for pool in pools if card in unseen[pool])
    if enemy.pool == HILL:
        mixed, among = dealt_from(table)
        if pool == HILL:
            table.state.doubtful += [card] * (among > 0 and card in unseen[mixed])
        elif card in table.state.doubtful:
            table.state.given.append(card)
    unseen[pool].remove(card)
    own = dealt_from(table)[0] if enemy.pool == HILL else enemy.pool
    if table.state.mixed and pool not in (HILL, own):
        _exchange(table, enemy, own, pool)


def _exchange(table: Table, enemy: Enemy, own: str, pool: str) -> None:
    """Count a card as of another of the shuffles that were laid together, and one of that as of its own.

    Where none of that other is left in the row, a card like one of both was counted to the wrong one.
    """
    state = table.state
    other = next((one for one in hidden(table) if one.pool == pool and one is not enemy), None)
    if other:
        other.pool = own
        return
    card = max(state.unseen[own], key=_seen(table).count)
    state.unseen[own].remove(card)
    state.unseen[pool].append(card)
