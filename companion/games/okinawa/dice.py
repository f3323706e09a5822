"""Dice: the enemy's, rolled before the action dice, and the player's own (OKI-066 to OKI-073)."""

from __future__ import annotations

from typing import Final

from companion.engine.asks import Dice, Roll, Script, ask
from companion.games.okinawa import rondel
from companion.games.okinawa.state import ACTION_DICE, STRIKE_DICE, Enemy
from companion.games.okinawa.table import Table

D10: Final = tuple("0123456789")
ACTION: Final = tuple("1234")
_RED: Final = tuple(Dice("okinawa.d10", count, D10, "red") for count in range(STRIKE_DICE + 1))
_BLACK: Final = Dice("okinawa.d10", 1, D10, "black")
_ACTION: Final = tuple(Dice("okinawa.action", count, ACTION) for count in range(ACTION_DICE + 1))


def read(face: str) -> int:
    """The Action Space that an enemy die names: a 0 is a 10 (OKI-R72)."""
    return int(face) or 10


def roll_enemy_dice(table: Table) -> Script[None]:
    """Roll for the soldiers and for the first card with a D10 icon together, then for each further icon.

    There is one black die, so it is rolled again for each further icon (OKI-R30).
    """
    strikes, icons = due(table)
    if strikes or icons:
        yield from _roll_first(table, strikes, icons[0] if icons else None)
    for enemy in icons[1:]:
        faces = yield from ask(
            Roll(
                "okinawa.enemy.die", f"Black die for {table.name_of(enemy)}", _TEN, dice=(_BLACK,), rule=_RULE
            )
        )
        enemy.dice.append(read(faces[0]))


def due(table: Table) -> tuple[int, list[Enemy]]:
    """How many red dice are to be rolled, and for which cards the black one, as often as they have icons."""
    icons = [
        enemy
        for _, enemy in table.exposed()
        if enemy.up
        for _ in range(table.enemy(enemy.card).dice - len(enemy.dice))
    ]
    return min(STRIKE_DICE, len(table.state.soldiers)), icons


_RULE: Final = ("OKI-069", "OKI-175", "OKI-192", "OKI-R30", "OKI-R72")
_TEN: Final = "A 10 is entered as 0."


def _roll_first(table: Table, strikes: int, enemy: Enemy | None) -> Script[None]:
    state = table.state
    dice = (*((_RED[strikes],) if strikes else ()), *((_BLACK,) if enemy else ()))
    text = f"Enemy dice: {strikes} red for soldiers" if strikes else "Enemy dice"
    if enemy:
        text += f", black for {table.name_of(enemy)}"
    faces = yield from ask(Roll("okinawa.enemy.dice", text, _TEN, dice=dice, rule=_RULE))
    left = rondel.numbers(state)
    state.strikes = [space for face in faces[:strikes] if (space := read(face)) in left]
    if enemy:
        enemy.dice.append(read(faces[-1]))


def stored(table: Table) -> int:
    """How many of the player's dice wait on cards (OKI-049, OKI-R05)."""
    state = table.state
    return bool(state.resupply_die) + sum(bool(space.action.die) for space in state.spaces)


def allowance(table: Table) -> int:
    """The dice of the player's system, never above the six there are (OKI-048, OKI-R59, OKI-R76)."""
    return min(ACTION_DICE, table.state.allowance)


def roll_action_dice(table: Table) -> Script[None]:
    """Roll the allowance, less what is stored (OKI-071, OKI-072, OKI-R04)."""
    count = max(0, allowance(table) - stored(table))
    if count:
        faces = yield from ask(
            Roll(
                "okinawa.turn.dice",
                f"Roll {count} action dice",
                dice=(_ACTION[count],),
                rule=("OKI-071", "OKI-072", "OKI-R04"),
            )
        )
        table.state.pool = sorted(int(face) for face in faces)


def reroll(table: Table, values: list[int]) -> Script[None]:
    """Roll some dice of the pool again (OKI-R64)."""
    pool = table.state.pool
    for value in values:
        pool.remove(value)
    faces = yield from ask(
        Roll(
            "okinawa.turn.reroll",
            f"Roll again: {' '.join(map(str, values))}",
            dice=(_ACTION[len(values)],),
            rule=("OKI-036", "OKI-R64"),
        )
    )
    pool.extend(int(face) for face in faces)
    pool.sort()
