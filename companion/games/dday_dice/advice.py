"""The cautious policy."""

from __future__ import annotations

from companion.engine.asks import AnyAsk
from companion.games.dday_dice.battle import Battle


def advise(battle: Battle, question: AnyAsk) -> object | None:
    """What a careful player would answer; None where it makes no difference."""
    del battle, question
    return None
