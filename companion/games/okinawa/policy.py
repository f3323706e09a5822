"""A careful player: plans the turn, hits what it can, and stands where little falls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from companion.engine.asks import AnyAsk, Choose, Number
from companion.games.okinawa import activation, planning, rondel
from companion.games.okinawa.cards import ActionIcon
from companion.games.okinawa.state import Action
from companion.games.okinawa.table import Table

CAUTIOUS: Final = "cautious"
PATIENCE: Final = 200
"""Turns after which the pawn just goes on: with few dice it may be best, turn after turn, not to move it."""
_ICONS: Final = {
    ActionIcon.SOLDIER_DAMAGE: 2.0,
    ActionIcon.ARMOR_DAMAGE: 1.5,
    ActionIcon.SCOUT: 1.2,
    ActionIcon.DESTROY_SOLDIER: 3.5,
    ActionIcon.DESTROY_ARMOR: 3.0,
    ActionIcon.SANDBAG: 1.5,
    ActionIcon.HEAL: 2.0,
    ActionIcon.REPOSITION: 0.3,
    ActionIcon.ADJUST: 0.5,
    ActionIcon.REROLL: 0.3,
}
_TOKENS: Final = {
    "grenade": 2.0,
    "medkit": 2.0,
    "sandbags": 1.8,
    "upgrade": 1.5,
    "binoculars": 1.0,
    "adjust": 0.5,
}


def cautious(table: Table, question: AnyAsk) -> object | None:
    """The careful answer to a decision; None where any will do."""
    if isinstance(question, Number) and question.key == "okinawa.enemy.sandbags":
        return question.most
    if isinstance(question, Choose) and question.key in _ANSWERS:
        return _ANSWERS[question.key](table, question)
    return None


def _spend(table: Table, question: Choose) -> str:
    if table.state.turn > PATIENCE:
        return _go_ahead(question)
    ids = {option.id for option in question.options}
    for token in ("upgrade", "binoculars"):
        if token in ids:
            return token
    if "medkit" in ids and table.state.health < 3:
        return "medkit"
    if "grenade" in ids:
        return "grenade"
    chosen = planning.best(table)
    return chosen if chosen in ids else question.options[0].id


def _go_ahead(question: Choose) -> str:
    """A move, with a stored die if there is no other."""
    ids = [option.id for option in question.options]
    return next((one for verb in ("move", "lift") for one in ids if one.startswith(verb)), ids[0])


def _target(table: Table, question: Choose) -> str:
    action = activation.under_pawn(table)

    def value(option: str) -> float:
        verb, _, target = option.partition(":")
        if verb == "hit":
            return 1 + planning.target_worth(table, action, target)
        return 10 - table.at(target).fog if verb == "scout" else 0

    return max((option.id for option in question.options), key=value)


def _take(table: Table, question: Choose) -> str:
    offers = table.state.offers
    worth = [card_worth(table, Action(one.card)) + _TOKENS.get(one.token, 0.0) for one in offers]
    return question.options[worth.index(max(worth))].id


def _place(table: Table, question: Choose) -> str:
    """Where the weakest card lies, if it is weaker than the new one."""
    state = table.state
    new = card_worth(table, Action(state.in_hand))

    def lost(option: str) -> float:
        if option == "forgo":
            return new
        return sum(card_worth(table, rondel.space_of(state, int(one)).action) for one in option.split("-"))

    return min((option.id for option in question.options), key=lost)


def _upgrade(table: Table, question: Choose) -> str:
    def gain(option: str) -> float:
        card = rondel.space_of(table.state, int(option)).action.card
        return card_worth(table, Action(card, veteran=True)) - card_worth(table, Action(card))

    return max((option.id for option in question.options), key=gain)


def _grenade(table: Table, question: Choose) -> str:
    return planning.grenade_target(table) or question.options[0].id


def _go_on(_table: Table, question: Choose) -> str:
    return question.options[0].id


def _throw(_table: Table, question: Choose) -> str:
    ids = [option.id for option in question.options]
    return next((token for token in ("grenade", "binoculars") if token in ids), ids[0])


def card_worth(table: Table, action: Action) -> float:
    """What a card is worth over a game, by its icons."""
    icons = sum(_ICONS[icon.icon] * icon.amount for icon in table.icons(action))
    rotates = 0.6 if activation.rotates(table, action) else 1.0
    return icons * rotates + table.action(action.card).destroys_planes


_Answer: TypeAlias = Callable[[Table, Choose], str]
_ANSWERS: Final[dict[str, _Answer]] = {
    "okinawa.turn.spend": _spend,
    "okinawa.act.target": _target,
    "okinawa.resupply.take": _take,
    "okinawa.resupply.place": _place,
    "okinawa.upgrade.card": _upgrade,
    "okinawa.token.grenade": _grenade,
    "okinawa.enemy.token": _go_on,
    "okinawa.turn.token": _throw,
}
