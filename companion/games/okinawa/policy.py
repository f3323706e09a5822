"""A careful player: looks through the turn's moves, hits what it can, and stands where little falls."""

from __future__ import annotations

from companion.engine.asks import AnyAsk, Choose, Number
from companion.games.okinawa import rondel, targets
from companion.games.okinawa.table import Table

CAUTIOUS = "cautious"


def cautious(table: Table, question: AnyAsk) -> object | None:
    """The careful answer to a decision; None where any will do."""
    if isinstance(question, Number):
        return question.most
    if isinstance(question, Choose) and question.key == "okinawa.turn.spend":
        return _spend(table, question)
    return None


def _spend(table: Table, question: Choose) -> str:
    """Hit while the card under the pawn can; then the move that ends where least falls."""
    cost = danger(table)
    state = table.state

    def worth(option: str) -> float:
        verb, *values = option.split(":")
        if verb == "act":
            return 10 + len(values[0])
        if verb == "move":
            return -cost[rondel.ahead(state, state.pawn, int(values[0]))]
        return 20 if verb == "medkit" else -5

    return max((option.id for option in question.options), key=worth)


def danger(table: Table) -> dict[int, int]:
    """What standing on each Action Space would cost in the coming Enemy Turn."""
    state = table.state
    cost = {number: state.strikes.count(number) for number in rondel.numbers(state)}
    for place, enemy in table.exposed():
        if enemy.up:
            for space in targets.targets(table, place, enemy):
                cost[space] += targets.damage(table.enemy(enemy.card), enemy)
    return cost
