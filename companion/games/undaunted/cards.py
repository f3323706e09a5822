"""Decks, hands and discard piles (UND-266 to UND-277), and cards lost to casualties."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import takewhile

from companion.engine.asks import Choose, Draw, Option, Script, Show, ask
from companion.games.undaunted.pack import FACTIONS, FOG, Theatre, deck_title, squad_of
from companion.games.undaunted.state import Counter, RowCard, seat_name
from companion.games.undaunted.table import Table, bot_of

LONGEST = 75
"""Characters of a text that the small screen still shows well."""

BOT_BIDS = "UND-133"
"""The rule by which the bot's bid is the top card of its deck."""

UNSEEN = "unseen"
"""The answer of who lays a card face down without looking at it."""


def add(pile: dict[str, int], card: str, count: int = 1) -> None:
    """Put copies of a card on a pile."""
    if count:
        pile[card] = pile.get(card, 0) + count


def take(pile: dict[str, int], card: str) -> None:
    """Take one copy of a card from a pile that has it."""
    if pile[card] == 1:
        del pile[card]
    else:
        pile[card] -= 1


def size(pile: Mapping[str, int]) -> int:
    """How many cards a pile holds."""
    return sum(pile.values())


def options(table: Table, pile: Mapping[str, int]) -> tuple[Option, ...]:
    """What may come from a pile."""
    return tuple(Option(card, table.title(card), copies=copies) for card, copies in sorted(pile.items()))


def tell(table: Table, key: str, *rule: str) -> Script[None]:
    """Show the news, if there are any: what fits as the text, the rest as detail.

    What was read before is not shown again.
    """
    if not (unread := table.news[table.read :]):
        table.told()
        return
    text, *rest = unread
    while rest and len(text) + len(rest[0]) < LONGEST:
        text = f"{text} {rest.pop(0)}"
    rule = table.rules(*rule)
    table.told()
    detail = " ".join(rest)
    yield from ask(Show(f"undaunted.{key}", text, detail, rule, news=detail))


def draw(
    table: Table, name: str, count: int, put: Callable[[str], None], *rule: str, face_down: bool = False
) -> Script[None]:
    """Draw cards, with the discard pile shuffled in when the deck is out (UND-270, UND-R19).

    `put` says where each card goes. A hand kept at the table is only told to draw.
    """
    if table.kept_at_table(name):
        table.news.append(f"{name_of(table, name)}: draw {count}.")
        return
    while count:
        shuffle = f"Shuffle {whose(table, name)} discard pile, it is the new deck."
        detail = table.gathered(shuffle * _reshuffled(table, name))
        if _is_out(table, name):
            return
        drawn = yield from ask(partial(_draw, table, name, count, detail, rule, face_down=face_down))
        for notes in (table.news, table.parting):  # of a new hand nothing is to be discarded
            notes[:] = [one for one in notes if one != leaving(table, name)]
        table.drawn()
        for card in drawn:
            if card == UNSEEN:
                put("")
                continue
            take(table.state.players[name].deck, card)
            put(card)
        count -= len(drawn)


def _reshuffled(table: Table, name: str) -> bool:
    """Make a new deck of the discard pile if the deck is out; whether there is one."""
    player = table.state.players[name]
    _settle_if_out(table, name)
    if not player.discard or not _is_out(table, name):
        return False
    for card, count in player.discard.items():
        add(player.deck, card, count)
    player.discard = {}
    return True


def _is_out(table: Table, name: str) -> bool:
    """Whether no card is left to draw: the deck counts only those that lie face down, unseen."""
    return size(table.state.players[name].deck) == len(table.unseen(name))


def settle(table: Table, name: str, left: Mapping[str, int], unseen: Sequence[RowCard]) -> None:
    """Unseen cards are those that the deck counts and that are not in it."""
    cards = [card for card, count in left.items() for _ in range(count)]
    for one, card in zip(unseen, cards, strict=False):
        one.card = card
        take(table.state.players[name].deck, card)


def _settle_if_out(table: Table, name: str) -> None:
    """Where the deck counts only unseen cards they are known, unless equals among them lie in some order.

    A card whose place among them is known may be such an equal as well (UND-151).
    """
    deck, bot = table.state.players[name].deck, table.bot(table.state.players[name].side)
    row = [one.card for one in bot.row] if bot else []
    unseen = [number for number, card in enumerate(row) if not card]
    lying = {*deck, *filter(None, row[unseen[0] : unseen[-1]] if unseen else ())}
    if _is_out(table, name) and len({table.type(card).initiative for card in lying}) == len(lying):
        settle(table, name, deck, table.unseen(name))


def turn_up(table: Table, name: str, lying: int) -> Script[None]:
    """Ask which cards the unseen ones are, as far as some still lie there, of so many (UND-236)."""
    while table.unseen(name):
        (card,) = yield from ask(partial(_turned_up, table, name, lying))
        table.drawn()
        for one in table.unseen(name)[:1]:
            one.card = card
            take(table.state.players[name].deck, card)


def _turned_up(table: Table, name: str, lying: int) -> Draw:
    row = [one.card for one in bot_of(table).row]
    which = f" {row.index('') + 1} of {lying}" if lying > 1 and "" in row else ""
    return Draw(
        f"undaunted.draw.{name}.unseen",
        f"Turn up the bot's face-down card{which}: which is it?",
        table.gathered("They lie as they were drawn, the first left." * bool(which)),
        rule=("UND-236",),
        deck=name,
        options=options(table, table.state.players[name].deck),
    )


_IN_ORDER = "Name them as they come: of equal initiative the first lies left."


def _draw(
    table: Table, name: str, count: int, detail: str, rule: tuple[str, ...], *, face_down: bool
) -> Draw:
    deck = table.state.players[name].deck
    now = min(count, size(deck) - len(table.unseen(name)))
    unseen = (Option(UNSEEN, "left face down", copies=0),) * face_down
    in_order = _IN_ORDER * (table.is_bot(name) and now > 1)
    to_bid = " to bid" * (BOT_BIDS in rule)
    return Draw(
        f"undaunted.draw.{name}",
        f"{by_card(table, name)}{does(table, name, 'draw')} {now}{' face down' * face_down}{to_bid}",
        " ".join(filter(None, (detail, in_order))),
        settled=detail,
        rule=rule or ("UND-270",),
        deck=name,
        count=now,
        options=(*unseen, *options(table, deck)),
        face_down=face_down,
    )


def by_card(table: Table, name: str) -> str:
    """The bot's card that a draw belongs to, which is told of only once it is done."""
    bot = table.bot(table.state.players[name].side)
    return f"{table.title(bot.resolving)}: " if bot and bot.resolving else ""


def name_of(table: Table, player: str) -> str:
    """A player in words."""
    if table.is_bot(player):
        return "Bot"
    return "You" if table.state.bot else seat_name(table.state, player)


def does(table: Table, player: str, verb: str) -> str:
    """What a player does, such as "You draw" or "US A draws"."""
    who = name_of(table, player)
    return f"{who} {verb}{'s' * (who != 'You')}"


def of_whom(table: Table, what: str, player: str) -> str:
    """What a player has, such as "Your deck", "Bot deck" or "Deck of US"."""
    if table.is_bot(player):
        return f"Bot {what}"
    return f"Your {what}" if table.state.bot else f"{what.capitalize()} of {name_of(table, player)}"


def whose(table: Table, player: str) -> str:
    """What a pile of a player goes by within a sentence: "the bot's", "your" or "US 1's"."""
    if table.is_bot(player):
        return "the bot's"
    return "your" if table.state.bot else f"{name_of(table, player)}'s"


def leaving(table: Table, player: str) -> str:
    """What a person discards whose turn has ended by itself (UND-276)."""
    who = name_of(table, player)
    if who == "You":
        return "Discard your hand and the cards you played."
    return f"{who}: discard hand and played cards."


def in_hand(table: Table, name: str) -> dict[str, int]:
    """What may be in a player's hand: what is, or all that is not seen elsewhere."""
    player = table.state.players[name]
    if table.kept_at_table(name):
        return dict(player.deck)
    return collections.Counter(player.hand)


def from_hand(table: Table, name: str, card: str) -> None:
    """Take a card out of the hand."""
    player = table.state.players[name]
    if table.kept_at_table(name):
        take(player.deck, card)
    else:
        player.hand.remove(card)


def to_hand(table: Table, name: str, card: str) -> None:
    """Put a card into the hand."""
    player = table.state.players[name]
    if table.kept_at_table(name):
        add(player.deck, card)
    else:
        player.hand.append(card)


def discard(table: Table, name: str, card: str) -> None:
    """Put a card on a player's discard pile; a commander's card goes to the teammate's (UND-105)."""
    receiver = name
    if table.type(card).commands and (mate := table.mate(name)):
        receiver = table.side(name).next_commander = mate
        pile = f"{name_of(table, receiver)}'s discard pile"
        table.news.append(f"{table.title(card)} goes to {pile}, the command token with it.")
        table.behind += ("UND-105", "UND-106", "UND-107")
    player = table.state.players[receiver]
    add(player.deck if table.kept_at_table(receiver) else player.discard, card)


def end_of_turn(table: Table, name: str) -> None:
    """All of hand and play area is discarded (UND-276, UND-277)."""
    player = table.state.players[name]
    cards = [*player.hand, *player.play]
    player.hand.clear()
    player.play.clear()
    for card in cards:
        discard(table, name, card)


# Casualties


def casualty(table: Table, counter: Counter) -> Script[bool]:
    """Remove one card of a hit unit from the game, or its counter; whether the counter stays.

    The order is the player's (UND-320), the bot's (UND-141 to UND-144), or with the play area first in
    the side's own turn (UND-085 to UND-091, UND-R33). Then the teammate's cards are searched alike: a
    Lieutenant's may have gone there (UND-105). Who has the turn comes first: the card may just be played.
    """
    cards, turn = table.cards_of(counter.unit), table.state.turn
    holders = sorted(table.mates(counter.side), key=lambda mate: (mate != turn, mate != counter.owner))
    table.behind += _order(table, counter)
    for name in holders:
        _settle_if_out(table, name)
    for name, where, pile in ((mate, *area) for mate in holders for area in _searched(table, mate)):
        found = [card for card in cards if card in pile]
        if where == "deck":
            found = yield from _in_deck(table, name, found)
            if _is_before_the_deck(table, name, cards):  # put there by hand while it was asked
                return (yield from casualty(table, counter))
        if found:
            card = found[0] if len(found) == 1 else (yield from _which(table, counter, name, found, where))
            area = "row" if where == "play" and _in_row(table, counter.side, card) else where
            remove(table, name, card, area)
            whose = "" if name == counter.owner else f" ({name_of(table, name)})"
            title = f"{FACTIONS[counter.side]} {table.title(card)}"
            beside = area == "row" and card == bot_of(table).resolving
            table.news.append(
                f"{title} card leaves the game, from {_said('next' if beside else area)}{whose}."
            )
            return True
    lose_counter(table, counter)
    return False


def _order(table: Table, counter: Counter) -> tuple[str, ...]:
    """The rules that say where a card of a hit unit is looked for."""
    bot = table.is_bot(counter.owner)
    if table.own_turn(counter.side):
        return ("UND-R33",) if bot else _FRIENDLY_FIRE
    return _BOTS_ORDER if bot else _PLAYERS_ORDER


_FRIENDLY_FIRE = ("UND-085", "UND-087", "UND-088", "UND-089", "UND-090", "UND-091")
_BOTS_ORDER = ("UND-141", "UND-142", "UND-143", "UND-144")
_PLAYERS_ORDER = ("UND-319", "UND-320", "UND-321")


def _in_deck(table: Table, name: str, found: list[str]) -> Script[list[str]]:
    """Which of these are in a deck that may count them only since they lie face down, unseen (UND-R04)."""
    player, there = table.state.players[name], []
    for card in () if _is_out(table, name) else found:
        if player.deck.get(card, 0) > len(table.unseen(name)) or (yield from _is_in_deck(table, card)):
            there.append(card)
            continue
        unseen, left = table.unseen(name), player.deck.get(card, 0)
        if left == len(unseen):
            settle(table, name, {card: left}, unseen)
        table.news.append("Shuffle the bot's deck.")
    return [card for card in there if card in player.deck]  # not put elsewhere by hand while it was asked


def _is_before_the_deck(table: Table, name: str, cards: Iterable[str]) -> bool:
    """Whether one of these cards lies in a pile that is looked through before the deck."""
    before = takewhile(lambda area: area[0] != "deck", _searched(table, name))
    return any(card in pile for _, pile in before for card in cards)


def _is_in_deck(table: Table, card: str) -> Script[bool]:
    options = (Option("yes", "yes"), Option("no", "no", "then it lies face down"))
    text = f"Search the bot's deck for {table.title(card)}: is one in it?"
    rule = ("UND-142", "UND-R04")
    answer = yield from ask(Choose("undaunted.casualty.deck", text, table.gathered(), rule, options))
    return answer == "yes"


def _searched(table: Table, name: str) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Where a casualty's card is looked for, each pile as it lies when it is its turn."""
    player = table.state.players[name]
    bot = table.bot(player.side)
    if table.own_turn(player.side):
        row = [one.card for one in bot.row if not one.face_down] + [bot.resolving] if bot else player.play
        yield "play", collections.Counter(filter(None, row))
    if table.kept_at_table(name):
        yield "cards", player.deck
        return
    if bot is None:
        yield "hand", collections.Counter(player.hand)
    yield "discard", player.discard
    yield "deck", player.deck
    for deck, pile in bot.bolster.items() if bot else ():
        yield f"bolster {deck}", pile


def _which(table: Table, counter: Counter, name: str, found: list[str], where: str) -> Script[str]:
    """The one who takes the casualty picks between specialist and standard card (UND-025)."""
    if table.is_bot(counter.owner):
        return found[0]
    return (yield from ask(partial(_which_card, table, counter, name, where)))


def _which_card(table: Table, counter: Counter, name: str, where: str) -> Choose:
    pile = dict(_searched(table, name))[where]
    seen = f"Both are in {_said(where)}."
    unseen = "The first of hand, discard pile and deck that has either counts; if it has both, you pick."
    return Choose(
        "undaunted.casualty.card",
        f"{seat_name(table.state, counter.owner)}: {table.title(counter.unit)} hit, which card goes?",
        unseen if where == "cards" else seen,
        ("UND-025",),
        tuple(Option(card, table.title(card)) for card in table.cards_of(counter.unit) if card in pile),
    )


def remove(table: Table, name: str, card: str, where: str) -> None:
    """Take a card of a player out of the game from where it was found."""
    player = table.state.players[name]
    bot = table.bot(player.side)
    add(player.removed, card)
    if where == "hand":
        player.hand.remove(card)
    elif where == "row":
        assert bot is not None
        bot.row.remove(_in_row(table, player.side, card)[0])
    elif where == "play" and bot:
        bot.resolving = ""
    elif where == "play":
        player.play.remove(card)
    elif where.startswith("bolster "):
        assert bot is not None
        take(bot.bolster[where.removeprefix("bolster ")], card)
    else:
        take(player.discard if where == "discard" else player.deck, card)


def _in_row(table: Table, side: str, card: str) -> list[RowCard]:
    """The copies of a card that lie face up in a bot's row, from the left; the one resolved is none."""
    bot = table.bot(side)
    return [one for one in bot.row if one.card == card and not one.face_down] if bot else []


def _said(where: str) -> str:
    words = {
        "hand": "the hand",
        "play": "the play area",
        "row": "the bot's row (its leftmost)",
        "next": "the bot's row (the next, not the one being resolved)",
        "discard": "the discard pile",
        "deck": "the deck (shuffle it)",
        "cards": "the hand, else the discard pile, else the deck (shuffle it)",
    }
    return words.get(where, f"bolster deck {deck_title(where.removeprefix('bolster '))} (shuffle it)")


def lose_counter(table: Table, counter: Counter) -> None:
    """Take a counter off the board with the markers on it (UND-321, UND-144, UND-R09).

    In North Africa all its cards leave the game too (UND-358).
    """
    markers = " and its control markers" * bool(counter.hits)
    table.news.append(f"{table.name(counter)}: take the counter{markers} off the board.")
    counter.tile = counter.vehicle = ""
    counter.hits = counter.seat = 0
    counter.suppressed = False
    if table.scenario.theatre is Theatre.NORTH_AFRICA:
        _lose_all_cards(table, counter)


def _lose_all_cards(table: Table, counter: Counter) -> None:
    """Those that no search reached before: in supply, or face down in a bot's row."""
    table.behind.append("UND-358")
    before = _out_of_game(table, counter.side)
    for card in table.cards_of(counter.unit):
        for name in table.mates(counter.side):
            player = table.state.players[name]
            add(player.removed, card, player.supply.pop(card, 0))
        _lose_from_row(table, counter, card)
    more = _out_of_game(table, counter.side) - before
    if more:
        where = "face down in the bot's row" if table.is_bot(counter.owner) else "in supply"
        table.news.append(f"Its other cards leave the game too: {more} {where}.")


def _out_of_game(table: Table, side: str) -> int:
    return sum(size(table.state.players[name].removed) for name in table.mates(side))


def _lose_from_row(table: Table, counter: Counter, card: str) -> None:
    bot = table.bot(counter.side)
    if bot is None:
        return
    deck = table.state.players[counter.owner].deck
    settle(table, counter.owner, {card: deck.get(card, 0)}, table.unseen(counter.owner))
    gone = sum(one.card == card for one in bot.row)
    bot.row = [one for one in bot.row if one.card != card]
    add(table.state.players[counter.owner].removed, card, gone)


# Fog of War


def gain_fog(table: Table, name: str) -> bool:
    """A Fog of War from the side's supply to a discard pile; whether there was one (UND-294, UND-295)."""
    side = table.side(name)
    if side.fog < 1:
        return False
    side.fog -= 1
    discard(table, name, FOG)
    return True


def bolsterable(table: Table, name: str, squad: str) -> dict[str, int]:
    """What Bolster may take from the supply (UND-298, UND-299)."""
    supply = table.state.players[name].supply
    return {card: count for card, count in supply.items() if card != FOG and squad in ("", squad_of(card))}
