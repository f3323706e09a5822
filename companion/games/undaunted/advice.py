"""What a careful ("cautious") or an attacking ("bold") player would do."""

from __future__ import annotations

from companion.engine.asks import AnyAsk, Choose, Option, Pick
from companion.games.undaunted import combat, movement, rounds
from companion.games.undaunted.acting import STAY
from companion.games.undaunted.actions import AREA, COMBAT, MOVEMENT, Kind
from companion.games.undaunted.orders import Order, mover, start_of
from companion.games.undaunted.pack import FOG, type_name
from companion.games.undaunted.table import Table

DRAGS = 60
"""Rounds after which a game drags: with nothing left that is worth doing, both sides would wait for ever."""
END_TURN = 0.01
ATTACK = {"cautious": 0.6, "bold": 2.5}
NEW_TILE = 0.4
BIDS = {"leader": 5, "guide": 4, "scout": 3, "sergeant": 2, "rifleman": 1}
"""What to bid for the initiative, the best first; a careful player would rather lose a Fog of War."""
SUPPORT = {
    Kind.RECON: 0.8,
    Kind.COMMAND: 0.9,
    Kind.INSPIRE: 1.2,
    Kind.BOLSTER: 0.5,
    Kind.CONCEAL: 0.1,
    Kind.TARGET: 0.3,
    Kind.GUIDE: 0.1,
}


def advise(table: Table, question: AnyAsk, policy: str) -> object | None:
    """An answer to the decisions that matter; None for the rest, and for all where the game drags."""
    if table.state.round > DRAGS:
        return None
    name = table.state.turn or _bidder(table)
    match question:
        case Choose(key="undaunted.bid", options=options):
            return _bid(options, policy)
        case Choose(key="undaunted.turn.card", options=options):
            return _card(table, name, options, policy)
        case Choose(key="undaunted.turn.action", options=(only,)):
            return only.id
        case Choose(key="undaunted.turn.action"):
            return _action(table, name, question, policy)
        case Choose(key=key, options=options) if key.endswith(".to"):
            return _where(table, name, options)
        case Choose(key=key, options=options) if key.endswith(".at"):
            return options[0].id
        case Pick(key="undaunted.bolster.cards", options=options, most=most):
            return _bolster(options, most)
        case Pick(options=options, most=most):
            return [option.id for option in options[:most]]
    return None


def _bidder(table: Table) -> str:
    return next(name for name in table.state.players if not table.is_bot(name))


def _bid(options: tuple[Option, ...], policy: str) -> str:
    """High, but no Rifleman if it can be helped; the careful bid a Fog of War where they have one."""
    ids = [option.id for option in options]
    if policy == "cautious" and FOG in ids:
        return FOG
    return max(ids, key=lambda card: BIDS.get(type_name(card), 0))


def _card(table: Table, name: str, options: tuple[Option, ...], policy: str) -> str:
    best, card = END_TURN, rounds.END
    for option in options:
        if option.id.split()[0] != rounds.END:
            found = rounds.legal_orders(table, name, option.id)
            worth = max((_worth(table, order, policy) for order in found), default=0)
            counter = table.counter(name, option.id)
            if counter is not None and counter.suppressed:
                worth = 0.3
            if worth > best:
                best, card = worth, option.id
    return card


def _action(table: Table, name: str, question: Choose, policy: str) -> str | None:
    card = _asked_card(table, name, question)
    if card is None:
        return None
    ranked = sorted(rounds.legal_orders(table, name, card), key=lambda order: -_worth(table, order, policy))
    ids = [option.id for option in question.options]
    if rounds.READY in ids:
        return rounds.READY
    return rounds.order_id(ranked[0]) if ranked and _worth(table, ranked[0], policy) > 0 else ids[-1]


def _asked_card(table: Table, name: str, question: Choose) -> str | None:
    """Which card is asked about; None where the turn was given to somebody else by hand meanwhile."""
    cards = rounds.playable(table, name)
    return next((card for card in cards if rounds.which_action(table, name, card) == question), None)


def _worth(table: Table, order: Order, policy: str) -> float:
    """How good an order looks, from 0 to about 5."""
    action, counter = order.action, order.counter
    if action.kind is Kind.CONTROL and counter is not None:
        return 2.0 + table.value(table.standing(counter)) if table.value(table.standing(counter)) else 0.05
    if action.kind in COMBAT:
        return _attack_worth(table, order) * ATTACK[policy]
    if action.kind in MOVEMENT and counter is not None:
        return _move_worth(table, order)
    if action.kind is Kind.COMMAND and not _has_soldiers(table, order.name):
        return 0.05
    return SUPPORT.get(action.kind, 0.05)


def _has_soldiers(table: Table, name: str) -> bool:
    """Whether a player's cards, but for those in supply, have any that act with a counter."""
    return any(table.type(card).has_counter for pile in table.circulating_of(name) for card in pile)


def _attack_worth(table: Table, order: Order) -> float:
    side = table.state.players[order.name].side
    if order.action.kind in AREA:
        return 0.3
    found = combat.targets(table, side, order.action, start_of(table, order))
    return max(float(combat.chance(order.action.x, against.total)) for _, against in found)


def _move_worth(table: Table, order: Order) -> float:
    counter = order.acting()
    here = table.standing(counter)
    reach = movement.paths(table, mover(table, counter), order.action)
    gain = max((_tile_worth(table, counter.side, tile) for tile in reach), default=0.0)
    scouts = order.action.kind is Kind.SCOUT and any(not table.scouted(counter.side, tile) for tile in reach)
    needed = gain - _tile_worth(table, counter.side, here)
    return (NEW_TILE if scouts else 0.0) + (
        max(needed, 0.0) if type_name(counter.unit) == "rifleman" else 0.0
    )


def _tile_worth(table: Table, side: str, tile: str) -> float:
    """What a Rifleman could take there, and how near other such tiles are."""
    open_tiles = [
        one for one in table.objectives() if not table.controls(side, one) and not _held(table, side, one)
    ]
    if tile in open_tiles:
        return 1.0 + 0.3 * table.value(tile)
    away = table.ground.distance[tile]
    return max((0.5 * table.value(one) / (1 + away[one]) for one in open_tiles), default=0.0)


def _held(table: Table, side: str, tile: str) -> bool:
    foe = table.foe(side)
    return table.controls(foe, tile) and bool(table.units(foe, tile))


def _where(table: Table, name: str, options: tuple[Option, ...]) -> str:
    """The next tile; a Rifleman stops where none is worth more to it than its own."""
    side = table.state.players[name].side
    tiles = [option.id for option in options if option.id != STAY]
    if not tiles:
        return STAY

    def worth(tile: str) -> tuple[float, int]:
        new = NEW_TILE * (not table.scouted(side, tile))
        return _tile_worth(table, side, tile) + new, table.ground.tiles[tile].cover

    best = max(tiles, key=worth)
    here = _tile_of_rifleman(table, name) if len(tiles) < len(options) else ""
    stays = here and _tile_worth(table, side, here) >= _tile_worth(table, side, best)
    return STAY if stays else best


def _tile_of_rifleman(table: Table, name: str) -> str:
    """Where the unit of the card that a player has just played stands, if it is a Rifleman."""
    counters = [table.counter(name, card) for card in table.state.players[name].play[-1:]]
    return next((one.tile for one in counters if one is not None and type_name(one.unit) == "rifleman"), "")


def _bolster(options: tuple[Option, ...], most: int) -> list[str]:
    """Riflemen first: they take the objectives."""
    ranked = sorted(options, key=lambda option: type_name(option.id.split()[0]) != "rifleman")
    return [option.id for option in ranked[:most]]
