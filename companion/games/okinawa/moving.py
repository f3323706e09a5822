"""Moving the pawn, and the Resupply that it passes (OKI-078 to OKI-100)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Final

from companion.engine.asks import Choose, Draw, Option, Script, ask
from companion.games.okinawa import learning, rondel, scenarios
from companion.games.okinawa.cards import ActionDeck, Timing, TokenKind
from companion.games.okinawa.state import Action, Offer, Space
from companion.games.okinawa.table import Table
from companion.wording import counted

ROW_SIZE: Final = 3
_ROW: Final = "Beside the deck, on the basic side"
_NONE: Final = Option("none", "Take nothing")
_FORGO: Final = Option("forgo", "Forgo the card", "It leaves the game; the token is yours")


def move(table: Table, value: int) -> Script[None]:
    """Go `value` spaces on, one after the other; lines act as they are crossed (OKI-081, OKI-R12)."""
    state = table.state
    state.pool.remove(value)
    told = rondel.ahead(state, state.pawn, value)
    for _ in range(value):
        start = state.pawn
        state.pawn = rondel.after(state, start)
        if rondel.passes_resupply(start, state.pawn):
            yield from pass_resupply(table)
        elif rondel.passes_objective(start, state.pawn):
            yield from lap(table)
    if state.pawn != told:  # the Machine Gun Team took a space on the way
        table.news(f"The pawn ends on {state.pawn}")
    yield from scenarios.step_on(table)


def lap(table: Table) -> Script[None]:
    """Count a lap: the flag goes down, and scenarios that wait for a loop act (OKI-228, OKI-R63)."""
    state = table.state
    if not state.flag:
        return
    state.flag -= 1
    table.news(f"Lap done. Flag to {state.flag}{'' if state.flag else ': the last turn'}")
    yield from scenarios.act(table, Timing.LOOP_END)
    if state.flag:
        yield from scenarios.act(table, Timing.LOOP_START)
    yield from table.tell("okinawa.lap.shown", ("OKI-228", "OKI-229"))


# Resupply


def pass_resupply(table: Table) -> Script[None]:
    """Ready the rotated cards, then perhaps take a Reinforcement (OKI-085 to OKI-094, OKI-127)."""
    for space in table.state.spaces:
        if space.action.rotated:
            space.action.rotated = False
            table.news(f"Rotate {table.action(space.action.card).name} in {space.number} back: ready")
    yield from resupply(table)


def resupply(table: Table) -> Script[None]:
    """Offer one card of the Reinforcement Row with its token (OKI-087, OKI-R10)."""
    state = table.state
    if not state.offers:
        return
    answer = yield from ask(partial(_offered, table, table.take_news()))
    if answer == _NONE.id:
        return
    offer = state.offers.pop(int(answer) - 1)
    if offer.token:
        state.tokens.append(offer.token)
    state.in_hand = offer.card
    yield from refill(table)
    yield from _place(table)


def _offered(table: Table, news: str) -> Choose:
    options = tuple(
        Option(str(number), table.action(offer.card).name, _gives(table, offer))
        for number, offer in enumerate(table.state.offers, start=1)
    )
    return Choose(
        "okinawa.resupply.take",
        "Resupply: take a card?",
        news,
        ("OKI-087", "OKI-088", "OKI-R10", "OKI-R11"),
        (*options, _NONE),
    )


def _gives(table: Table, offer: Offer) -> str:
    does = table.side_text(Action(offer.card))
    return f"with {table.token(offer.token)}{f'; {does}' if does else ''}"


def refill(table: Table, deck: str = "reinforcements") -> Script[None]:
    """Fill the Reinforcement Row up to three cards with a token on each (OKI-026, OKI-089, OKI-R67)."""
    state = table.state
    if not _missing(table):
        return
    cards = yield from ask(partial(_drawn, table, deck))
    listed = [card for card in cards if card != learning.NEW.id]
    for card in listed:
        take_off(table, card)
        state.offers.append(Offer(card))
    for place in learning.places(len(cards) - len(listed)):
        entered = yield from learning.action(table, place)
        state.reinforcements.pop()  # the deck is as thick as before: a stand-in makes place
        state.offers.append(Offer(entered))
    if _bare(table):
        tokens = yield from ask(partial(_draw_tokens, table))
        for offer, token in zip(_bare(table), tokens, strict=True):
            offer.token = token
            state.resupply.remove(token)


def take_off(table: Table, card: str) -> None:
    """Take a card off the Reinforcement Deck; for one more than it has of it a stand-in makes place."""
    deck = table.state.reinforcements
    if card in deck:
        deck.remove(card)
    else:
        deck.pop()
        learning.count(card, table.state.learned.action)


def _missing(table: Table) -> int:
    """How many cards the Reinforcement Row gets."""
    state = table.state
    return max(0, min(ROW_SIZE - len(state.offers), len(state.reinforcements)))


def _bare(table: Table) -> list[Offer]:
    """The cards of the row that get a token, of those that have none."""
    state = table.state
    return [offer for offer in state.offers if not offer.token][: len(state.resupply)]


def _drawn(table: Table, deck: str) -> Draw:
    """The draw, where one more may come of a Reinforcement that was entered before."""
    return learning.or_one_more(_draw_cards(table, deck), one_more(table))


def one_more(table: Table) -> Iterator[Option]:
    """Reinforcements that the owner entered and that are all drawn, while a stand-in can make place."""
    left = table.state.reinforcements
    if any(table.action(card).is_stand_in for card in left[-1:]):
        known = table.state.learned.action
        for card in learning.entered(table.pack.action, known):
            if card not in left and table.action(card).deck is ActionDeck.REINFORCEMENT:
                does = table.side_text(Action(card))
                yield learning.one_more(f"action.{card}", table.action(card).name, does, known)


def _draw_cards(table: Table, deck: str) -> Draw:
    left, count = table.state.reinforcements, _missing(table)
    return Draw(
        "okinawa.resupply.card",
        counted(count, "new Reinforcement card"),
        _ROW,
        rule=("OKI-026", "OKI-089", "OKI-R65"),
        deck=deck,
        count=count,
        options=(*table.drawable(sorted(left)), learning.NEW),
    )


def _draw_tokens(table: Table) -> Draw:
    left, bare = table.state.resupply, _bare(table)
    count, names = len(bare), ", ".join(table.action(offer.card).name for offer in bare)
    where = f"In this order on {names}" if count > 1 else f"On {names}"
    options = tuple(
        Option(kind.value, table.pack.resupply[kind].name, copies=left.count(kind))
        for kind in TokenKind
        if kind in left
    )
    return Draw(
        "okinawa.resupply.token",
        f"{counted(count, 'Resupply token')} for the row",
        "\n".join((where, *_used_up(table))),
        rule=("OKI-024", "OKI-027", "OKI-089"),
        deck="resupply tokens",
        count=count,
        options=options,
        settled=where,
    )


def _used_up(table: Table) -> Iterator[str]:
    """Kinds that are all drawn by a count of our own, and what to do if the box holds more (OKI-G21)."""
    left, printed = table.state.resupply, table.pack.resupply
    gone = [kind for kind in TokenKind if kind not in left and kind in printed and printed[kind].is_stand_in]
    if gone:
        names = ", ".join(printed[kind].name for kind in gone)
        place = left.index(max(left, key=left.count))
        yield f"By the stand-in's count these are all drawn: {names}."
        yield f"If one comes all the same, first set resupply.{place} to {' or '.join(gone)} by hand."


# Placing the card


def _place(table: Table) -> Script[None]:
    """Put the card in hand into an Action Space, or forgo it (OKI-090 to OKI-093)."""
    state = table.state
    answer = yield from ask(partial(_places, table))
    card, state.in_hand = state.in_hand, ""
    if answer == _FORGO.id:
        state.removed_actions.append(card)
    elif table.action(card).replaces == 1:
        replace(table, rondel.space_of(state, int(answer)), card)
    else:
        kept, removed = (int(one) for one in answer.split("-"))
        replace_pair(table, kept, removed, card)


def _places(table: Table) -> Choose:
    card = table.state.in_hand
    printed = table.action(card)
    one = printed.replaces == 1
    rule = ("OKI-090", "OKI-091") if one else ("OKI-095", "OKI-096", "OKI-097", "OKI-100")
    return Choose(
        "okinawa.resupply.place",
        f"{printed.name}: replace which {'card' if one else 'two cards'}?",
        "\n".join(filter(None, (table.side_text(Action(card)), "What is replaced leaves the game"))),
        (*rule, "OKI-092"),
        (*(_singles(table) if one else _pairs(table)), _FORGO),
    )


def _singles(table: Table) -> Iterator[Option]:
    for space in table.state.spaces:
        action = space.action
        told = (table.side_text(action), *goes_back(action), *_stays(table, space.number))
        detail = "; ".join(filter(None, told))
        yield Option(str(space.number), f"{space.number} {table.action(action.card).name}", detail)


def goes_back(action: Action) -> Iterator[str]:
    """What leaves the table with a card that is replaced (OKI-R22)."""
    if action.suppressed:
        yield "its Suppressed token goes back"
    if action.die:
        yield f"its stored {action.die} goes unused"


def _pairs(table: Table) -> Iterator[Option]:
    """Two neighbours of one row, and which of the two numbers is kept (OKI-096, OKI-R18)."""
    for one, two in neighbours(table):
        cards = [space.action for space in (one, two)]
        names = " and ".join(table.action(action.card).name for action in cards)
        back = [words for action in cards for words in goes_back(action)]
        for kept, gone in ((one.number, two.number), (two.number, one.number)):
            yield into_one(table, kept, gone, f"for {names}", *back, *_stays(table, kept))


def neighbours(table: Table) -> Iterator[tuple[Space, Space]]:
    """The pairs of spaces that the Machine Gun Team may lie on: two of one row (OKI-096)."""
    for one, two in pairwise(table.state.spaces):
        if rondel.is_top(one.number) is rondel.is_top(two.number):
            yield one, two


def into_one(table: Table, kept: int, gone: int, *told: str) -> Option:
    """Of two spaces one is kept: what is told of it, and what leaves the table with the other.

    In mode `enemy` the box does not know where the pawn stands in the middle of a turn.
    """
    pawn = [f"the pawn goes to {kept}"] * (table.refereed and table.state.pawn == gone)
    detail = "; ".join((*told, *goes_with(table, gone), *pawn))
    return Option(f"{kept}-{gone}", f"Into {kept}, {gone} goes", detail)


def _stays(table: Table, kept: int) -> Iterator[str]:
    """What lies in an Action Space and not on its card."""
    if kept in table.state.mines:
        yield f"the Mine Field on {kept} stays"


def goes_with(table: Table, gone: int) -> Iterator[str]:
    """What leaves the table with an Action Space (OKI-097, OKI-R17)."""
    yield f"Number Token {gone} leaves the game"
    if gone in table.state.strikes:
        yield f"the red dice on {gone} go back"
    if gone in table.state.mines:
        yield f"the Mine Field on {gone} goes"


def replace(table: Table, space: Space, card: str) -> None:
    """The old card leaves the game with what lies on it (OKI-091, OKI-R22)."""
    table.state.removed_actions.append(space.action.card)
    space.action = Action(card)


def replace_pair(table: Table, kept: int, gone: int, card: str) -> None:
    """The Machine Gun Team: two cards and one Action Space go (OKI-095 to OKI-100)."""
    replace(table, rondel.space_of(table.state, kept), card)
    table.state.removed_actions.append(rondel.space_of(table.state, gone).action.card)
    remove_space(table, gone, kept)


def remove_space(table: Table, gone: int, kept: int) -> None:
    """An Action Space leaves the game; its pawn goes to `kept` (OKI-098, OKI-R15, OKI-R17)."""
    state = table.state
    state.spaces.remove(rondel.space_of(state, gone))
    state.strikes = [space for space in state.strikes if space != gone]
    state.mines = [space for space in state.mines if space != gone]
    if state.pawn == gone:
        state.pawn = kept
