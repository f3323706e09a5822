"""Dice: the enemy's, rolled before the action dice, and the player's own (OKI-066 to OKI-073)."""

from __future__ import annotations

from functools import partial
from typing import Final

from companion.engine.asks import Dice, Roll, Script, ask
from companion.games.okinawa import rondel
from companion.games.okinawa.state import ACTION_DICE, STRIKE_DICE, Enemy
from companion.games.okinawa.table import Table
from companion.wording import counted

D10: Final = tuple("0123456789")
ACTION: Final = tuple("1234")
ACTION_DIE: Final = "okinawa.action"
_RED: Final = tuple(Dice("okinawa.d10", count, D10, "red") for count in range(STRIKE_DICE + 1))
_BLACK: Final = Dice("okinawa.d10", 1, D10, "black")
_ACTION: Final = tuple(Dice(ACTION_DIE, count, ACTION) for count in range(ACTION_DICE + 1))


def read(face: str) -> int:
    """The Action Space that an enemy die names: a 0 is a 10 (OKI-R72)."""
    return int(face) or 10


def roll_enemy_dice(table: Table) -> Script[None]:
    """Roll for the soldiers and for the first card with a D10 icon together, then for each further icon.

    There is one black die, so it is rolled again for each further icon (OKI-R30).
    """
    strikes, icons = due(table)
    if not strikes and not icons:
        return
    faces = yield from ask(partial(_first, table))
    strikes, icons = due(table)
    left = rondel.numbers(table.state)
    table.state.strikes = [space for face in faces[:strikes] if (space := read(face)) in left]
    if icons:
        icons[0].dice.append(read(faces[-1]))
    while due(table)[1]:
        faces = yield from ask(partial(_next, table))
        if icons := due(table)[1]:
            icons[0].dice.append(read(faces[0]))


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
_TEN: Final = "0 means 10."


def _first(table: Table) -> Roll:
    strikes, icons = due(table)
    rolled = [f"{strikes} red"] if strikes else []
    rolled += [f"black for {table.name_of(one)}" for one in icons[:1]]
    dice = (*((_RED[strikes],) if strikes else ()), *((_BLACK,) if icons else ()))
    goes = ["Put each red one on its space."] if strikes else []
    if strikes and len(table.state.spaces) < len(D10):
        goes.append("One that names a removed space goes back.")
    settled = " ".join(goes)
    detail = "\n".join((*table.state.news, " ".join((_TEN, *goes))))
    text = f"Enemy dice: {', '.join(rolled) or 'none'}"
    return Roll("okinawa.enemy.dice", text, detail, _RULE, dice=dice, settled=settled)


def _next(table: Table) -> Roll:
    icons = due(table)[1]
    text = f"Black die for {table.name_of(icons[0])}" if icons else "No black die"
    dice = (_BLACK,) if icons else ()
    return Roll("okinawa.enemy.die", text, _TEN, _RULE, dice=dice, settled="")


def stored(table: Table) -> int:
    """How many of the player's dice wait on cards (OKI-049, OKI-R05)."""
    state = table.state
    return bool(state.resupply_die) + sum(bool(space.action.die) for space in state.spaces)


def allowance(table: Table) -> int:
    """The dice of the player's system, never above the six there are (OKI-048, OKI-R59, OKI-R76)."""
    return min(ACTION_DICE, table.state.allowance)


def roll_action_dice(table: Table) -> Script[None]:
    """Roll the allowance, less what is stored (OKI-071, OKI-072, OKI-R04)."""
    if _to_roll(table):
        faces = yield from ask(partial(_action_dice, table))
        table.state.pool = sorted(int(face) for face in faces)


def _to_roll(table: Table) -> int:
    return max(0, allowance(table) - stored(table))


def _action_dice(table: Table) -> Roll:
    count = _to_roll(table)
    rule = ("OKI-071", "OKI-072", "OKI-R04", "OKI-G24")
    text = f"Roll {counted(count, 'action die', 'action dice')}"
    detail = "\n".join(table.state.news)
    return Roll("okinawa.turn.dice", text, detail, rule, dice=(_ACTION[count],), settled="")


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
