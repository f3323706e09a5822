"""Specialists who join a Unit, whatever brings them (DDD-075, DDD-076, DDD-079)."""

from __future__ import annotations

from companion.engine.asks import Script
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.dice import full_set, throw
from companion.games.dday_dice.effects import SwapDice
from companion.games.dday_dice.state import Unit


def recruits(battle: Battle, unit: Unit) -> list[str]:
    """The Specialists that a Unit could recruit, whatever they cost (DDD-076); nobody twice (DDD-083)."""
    had = {*unit.specialists, *unit.dead}  # one who was put there by hand is in the hand still
    return [name for name in (*unit.hand, *battle.state.pool_specialists) if name not in had]


def take_specialist(battle: Battle, unit: Unit, name: str) -> Script[None]:
    """A Specialist joins the Unit out of its hand or the Pool (DDD-075, DDD-079)."""
    for cards in (unit.hand, battle.state.pool_specialists):
        if name in cards:
            cards.remove(name)
    unit.specialists.append(name)
    yield from trading_pool(battle, name)


def trading_pool(battle: Battle, name: str) -> Script[None]:
    """A solo Lieutenant brings six dice, rolled once (DDD-181, DDD-182)."""
    if battle.solo and battle.able([name], SwapDice):
        pool = full_set()
        text, then = "Lieutenant: roll six more dice, once", "they stay aside as they lie: the Trading Pool"
        yield from throw(pool, range(6), "dday_dice.pool.roll", text, then, rule=("DDD-181", "DDD-182"))
        battle.state.trading_pool = pool
