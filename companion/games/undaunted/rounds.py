"""Rounds: cards, initiative, turns (UND-268 to UND-288, UND-099 to UND-108, UND-130 to UND-139)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from companion.engine.asks import Choose, Option, Script, Show, ask
from companion.engine.game import Outcome
from companion.engine.packs import Source
from companion.games.undaunted import acting, bot, cards, orders, sheet, victory
from companion.games.undaunted.actions import Kind
from companion.games.undaunted.orders import Order
from companion.games.undaunted.pack import FACTIONS, FOG
from companion.games.undaunted.state import RowCard
from companion.games.undaunted.table import Ended, Table, bot_of
from companion.wording import counted

END = "end"
HUNKER = "hunker"
READY = "ready"
BACK = "back"
HAND, MATES_HAND = 4, 3

SETUP_RULES = {
    "1": ("UND-120", "UND-123", "UND-126", "UND-128", "UND-264"),
    "2": ("UND-264",),
    "4": ("UND-264", "UND-094", "UND-095", "UND-096", "UND-097"),
}
DRAW_RULES = {"1": ("UND-131",), "2": ("UND-269",), "4": ("UND-100", "UND-101")}
BID_RULES = {"1": ("UND-133", "UND-271"), "2": ("UND-271",), "4": ("UND-102", "UND-271")}
FIRST_RULES = {
    "1": ("UND-134", "UND-271", "UND-272"),
    "2": ("UND-271", "UND-272"),
    "4": ("UND-103", "UND-104", "UND-271", "UND-272"),
}
"""What a round goes by, alone, with two or with four players."""


def game(table: Table) -> Script[Outcome]:
    """Rounds until somebody has won."""
    table.give_turn("")
    try:
        yield from lay_out(table)
        while True:
            yield from play_round(table)
    except Ended as end:
        return end.outcome


def lay_out(table: Table) -> Script[None]:
    """What to put on the table, and which of it is not the published thing (UND-120 to UND-128)."""
    box = table.state.bot
    text = f"Set up {table.scenario.title}" + (f", the bot is {FACTIONS[box.side]}" if box else "")
    rule = SETUP_RULES[table.settings["players"]]
    yield from ask(Show("undaunted.setup", text, "\n".join(sheet.lines(table)), rule))


def play_round(table: Table) -> Script[None]:
    """Draw, bid, take turns; with all hands empty it is seen who can never play again."""
    table.state.round += 1
    for side in table.state.sides.values():
        side.commander = side.next_commander
    yield from draw_cards(table)
    yield from determine_initiative(table)
    for name in table.turn_order():
        yield from bot.turn(table, name) if table.is_bot(name) else player_turn(table, name)
    victory.check(table)


def hand_size(table: Table, name: str) -> int:
    """Four cards; three for who is not the team's commander (UND-100, UND-101)."""
    return HAND if table.side(name).commander == name else MATES_HAND


def draw_cards(table: Table) -> Script[None]:
    """Every person draws; the bot does not (UND-131, UND-132).

    Whose hand is kept at the table is told so with the bid, or as the bids are seen.
    """
    for name in table.state.players:
        if not table.is_bot(name) and not table.kept_at_table(name):
            hand, count = partial(cards.to_hand, table, name), hand_size(table, name)
            yield from cards.draw(table, name, count, hand, *DRAW_RULES[table.settings["players"]])


# Initiative


def determine_initiative(table: Table) -> Script[None]:
    """Commanders bid; the higher card takes the marker, a tie leaves it (UND-271, UND-272, UND-134)."""
    bidders = [one.commander for one in table.state.sides.values()]
    for name in sorted(bidders, key=table.is_bot):
        yield from _bid(table, name)
    for name in table.state.players:
        if table.kept_at_table(name) and name not in bidders:
            table.news.append(f"{cards.name_of(table, name)}: draw {hand_size(table, name)}.")
    bids = dict(table.state.bids)
    values = {name: table.type(bids[name]).initiative if name in bids else 0 for name in bidders}
    best = [name for name in bidders if values[name] == max(values.values())]
    if len(best) == 1:
        table.state.initiative = table.state.players[best[0]].side
    for name in bidders:
        _put_bid_away(table, name)
    yield from _tell_bids(table, {name: bids.get(name, "") for name in bidders}, tied=len(best) > 1)
    for name in [*table.state.bids]:  # set by hand too late to count
        _put_bid_away(table, name)


def _bid(table: Table, name: str) -> Script[None]:
    if table.is_bot(name):
        yield from cards.draw(table, name, 1, partial(_lay_bid, table, name), cards.BOT_BIDS)
    elif cards.in_hand(table, name):
        card = yield from ask(partial(_which_bid, table, name))
        table.heard()
        cards.from_hand(table, name, card)
        _lay_bid(table, name, card)


def _lay_bid(table: Table, name: str, card: str) -> None:
    """It counts instead of one that was set by hand before, which is discarded."""
    if before := table.state.bids.get(name):
        cards.discard(table, name, before)
    table.state.bids[name] = card


def _which_bid(table: Table, name: str) -> Choose:
    draw = f"Draw {hand_size(table, name)} cards first." if table.kept_at_table(name) else ""
    options = [
        Option(card, _as_bid(table, card)) for card in _by_initiative(table, cards.in_hand(table, name))
    ]
    return Choose(
        "undaunted.bid",
        f"Round {table.state.round}: {cards.does(table, name, 'bid')} which card?",
        table.gathered(draw),
        table.rules(*BID_RULES[table.settings["players"]]),
        tuple(reversed(options)),
    )


def _as_bid(table: Table, card: str) -> str:
    """A card with what it is worth as a bid; "nothing" where there was none to bid."""
    return f"{table.title(card)} ({table.type(card).initiative})" if card else "nothing"


def _by_initiative(table: Table, pile: dict[str, int]) -> list[str]:
    return sorted(pile, key=lambda card: (-table.type(card).initiative, card))


def _put_bid_away(table: Table, name: str) -> None:
    """Discarded; the bot's winning bid joins its row unless it is easy (UND-137 to UND-139, UND-237)."""
    card = table.state.bids.pop(name, "")
    if table.is_bot(name):
        won = table.state.initiative == table.state.players[name].side
        box = bot_of(table)
        box.won_bid = won
        if won and card and table.settings["difficulty"] != "easy":
            box.row.append(RowCard(card))
            return
    if card:
        cards.discard(table, name, card)


def _tell_bids(table: Table, bids: dict[str, str], *, tied: bool) -> Script[None]:
    said = ", ".join(f"{cards.name_of(table, name)} {_as_bid(table, card)}" for name, card in bids.items())
    news = table.gathered(_put_away(table, bids, tied=tied))
    rule = table.rules(*FIRST_RULES[table.settings["players"]])
    table.told()
    yield from ask(
        Show(
            "undaunted.initiative",
            f"{cards.does(table, table.turn_order()[0], 'act')} first: {said}",
            news,
            rule,
        )
    )


def _put_away(table: Table, bids: dict[str, str], *, tied: bool) -> str:
    """Where marker and bids go; only a winning bid of the bot lies face up in its row by now (UND-137)."""
    box = table.state.bot
    kept = box is not None and any(not one.face_down for one in box.row)
    discarded = sum(map(bool, bids.values())) - kept
    if kept:
        where = "; the bot's bid is in its row" + ", yours is discarded" * discarded
    else:
        where = ("", "; the bid is discarded", "; bids are discarded")[discarded]
    marker = "Tied: initiative marker stays" if tied else "Initiative marker:"
    return f"{marker} {FACTIONS[table.state.initiative]}{where}."


# A person's turn


def player_turn(table: Table, name: str) -> Script[None]:
    """Cards one at a time until none can or shall be played (UND-275, UND-276)."""
    table.give_turn(name)
    again = False
    who = cards.name_of(table, name)
    alone = table.state.bot is not None
    ending = table.news if alone else table.parting
    if not playable(table, name):
        ending.append(f"{who} {'have' if alone else 'has'} no card to play.")
    while playable(table, name):
        card: object = yield from ask(partial(_which_card, table, name, again=again))
        again = False
        if not isinstance(card, str):  # by a journal of an earlier version, which showed again what was read
            continue
        table.heard()
        what, _, held = card.partition(" ")
        if what == END:
            if held:
                cards.from_hand(table, name, held)
                cards.discard(table, name, held)
            break
        done = yield from play(table, name, card)
        again = 0 < table.read == len(table.news)
        if again and not playable(table, name):
            table.news.append("No card left to play: the turn ends.")
            done = (*done, "UND-275")
        yield from cards.tell(table, "turn.result", *done)
        victory.check(table)
    else:
        player = table.state.players[name]
        holds = player.hand or player.play or table.kept_at_table(name)
        if holds:  # who chooses to end the turn reads it there
            ending.append(cards.leaving(table, name))
    cards.end_of_turn(table, name)
    table.give_turn("")


def playable(table: Table, name: str) -> list[str]:
    """Cards of the hand that may be played: all but Fog of War (UND-279)."""
    return [card for card in _by_initiative(table, cards.in_hand(table, name)) if card != FOG]


def _unseen_commands(table: Table, name: str) -> list[str]:
    """Cards that command goes with, which may be in a hand kept at the table as it is discarded (UND-105)."""
    if not table.kept_at_table(name) or not table.mate(name):
        return []
    return [card for card in cards.in_hand(table, name) if table.type(card).commands]


def _which_card(table: Table, name: str, *, again: bool = False) -> Choose:
    options = [Option(card, table.title(card), _mark(table, card)) for card in playable(table, name)]
    who = cards.name_of(table, name)
    options.append(Option(END, "end the turn", "hand and played cards are discarded"))
    options += [
        Option(f"{END} {card}", f"end the turn, {table.title(card)} in hand")
        for card in _unseen_commands(table, name)
    ]
    text = "Your turn: play which card?" if who == "You" else f"{who}: play which card?"
    former = Show("undaunted.turn.result", "") if again else None
    rule = table.rules("UND-275", "UND-279")
    return Choose("undaunted.turn.card", text, table.gathered(), rule, tuple(options), former=former)


def _mark(table: Table, card: str) -> str:
    return "stand-in" if table.type(card).source is Source.STAND_IN else ""


def play(table: Table, name: str, card: str) -> Script[tuple[str, ...]]:
    """Use a card for one of its actions or to hunker down (UND-278); returns the rules of what it came to."""
    choice = yield from ask(partial(which_action, table, name, card))
    if choice == BACK:
        return ()
    chosen = [one for one in legal_orders(table, name, card) if order_id(one) == choice]
    cards.from_hand(table, name, card)
    player, counter = table.state.players[name], table.counter(name, card)
    if choice == HUNKER:
        cards.add(player.supply, card)
        return ()
    player.play.append(card)
    if choice == READY:
        assert counter is not None
        counter.suppressed = False
        return ()
    yield from acting.carry_out(table, chosen[0])
    return orders.rules(chosen[0].action)


def legal_orders(table: Table, name: str, card: str) -> list[Order]:
    """The card's actions that can be taken now; none for a suppressed unit (UND-282)."""
    counter = table.counter(name, card)
    if counter is not None and (counter.suppressed or not table.standing(counter)):
        return []
    found = [Order(name, card, action, counter) for action in table.actions(card, counter)]
    return [order for order in found if orders.is_legal(table, order)]


def order_id(order: Order) -> str:
    """An order as an option's id."""
    return str(order.action).lower().replace(" ", "-")


def _action_option(table: Table, order: Order) -> Option:
    """An action with what its range stands for, Control with what the tile is worth."""
    away = order.action.y
    detail = "" if away is None else f"{counted(away, 'tile')} away at most" if away else "own tile only"
    if order.action.kind is Kind.CONTROL:
        points = table.value(orders.start_of(table, order))
        detail = f"worth {points}" if points else "worth no points"
    return Option(order_id(order), orders.named(order), detail)


def _is_worthless(table: Table, order: Order) -> bool:
    """Whether it is Control of a tile that gives no points, nor ever will."""
    tile = orders.start_of(table, order)
    return order.action.kind is Kind.CONTROL and not table.value(tile) and tile != table.scenario.radio


_LIKELY = (Kind.CONTROL, Kind.ATTACK, Kind.SCOUT, Kind.MOVE)


def which_action(table: Table, name: str, card: str) -> Choose:
    """Legal actions, the likeliest first; a suppressed unit can only be made ready (UND-283, UND-284).

    Control of a tile without points comes last; earlier versions had it first as well.
    A card that was taken out of the hand by hand meanwhile does nothing.
    """
    key = "undaunted.turn.action"
    if card not in cards.in_hand(table, name):
        text = f"{table.title(card)} is in the hand no more."
        return Choose(key, text, "", ("UND-278",), (Option(BACK, "play another card"),))
    counter = table.counter(name, card)
    found = legal_orders(table, name, card)
    found.sort(key=lambda order: _LIKELY.index(order.action.kind) if order.action.kind in _LIKELY else 9)
    options = [_action_option(table, order) for order in found]
    of_these = tuple(dict.fromkeys(rule for order in found for rule in orders.rules(order.action)))
    if counter is not None and counter.suppressed:
        options = [Option(READY, "turn to ready", "its unit is suppressed")]
        of_these = ("UND-282", "UND-283")
    where, entering = "", ""
    if counter is not None:
        spawn = table.spawn(counter)
        where = f" on {counter.tile}" * bool(counter.tile)
        entering = f"It would enter on {spawn}." if spawn else "No spawn marker is for it: it can't enter."
    hunker = Option(HUNKER, "hunker down", "back to the supply")
    question = Choose(
        key,
        f"{table.title(card)}{where}: what?",
        "" if where else entering,
        ("UND-278", *of_these, "UND-287"),
        (*options, hunker),
    )
    last = {order_id(order) for order in found if _is_worthless(table, order)}
    if not last:
        return question
    options.sort(key=lambda option: option.id in last)
    return replace(question, options=(*options, hunker), former=question)
