"""Enemies: who can be attacked, damage, and how they are defeated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.games.okinawa.state import LAST, Enemy
from companion.games.okinawa.table import Captured, Table
from companion.games.okinawa.unseen import reshuffle_empty

BEIGE: Final = "beige"
RED: Final = "red"
SOLDIERS: Final = (BEIGE, RED)
SOLDIER_HEALTH: Final = 2


def is_visible(enemy: Enemy) -> bool:
    """Face up and without fog (OKI-R53)."""
    return enemy.up and not enemy.fog


def soldier_targets(table: Table) -> Iterator[str]:
    """Which soldiers can be attacked, by side."""
    soldiers = table.state.soldiers
    if soldiers and not table.shielded():
        if soldiers.beige:
            yield BEIGE
        if soldiers.red:
            yield RED


def hurt(table: Table, target: str, amount: int) -> None:
    """Deal damage to one enemy; what is too much is lost (OKI-198)."""
    if target in SOLDIERS:
        _hurt_soldier(table, target, amount)
        return
    enemy = table.at(target)
    printed = table.enemy(enemy.card)
    enemy.damage += amount
    if enemy.damage >= printed.health:
        defeat(table, target)
    else:
        table.news(f"{table.name_of(enemy)}: {enemy.damage} of {printed.health} damage")


def _hurt_soldier(table: Table, side: str, amount: int) -> None:
    soldiers = table.state.soldiers
    if side == BEIGE and amount < SOLDIER_HEALTH:
        soldiers.beige -= 1
        soldiers.red += 1
        table.news(f"A soldier turns red: {soldiers.words}")
        return
    defeat(table, side)


def defeat(table: Table, target: str, how: str = "is defeated") -> None:
    """Take an enemy off the Battlefield at once; raises `Captured` or `GameOver` if it was the last."""
    state = table.state
    if target == BEIGE:
        state.soldiers.beige -= 1
        table.news(f"A soldier falls: {state.soldiers.words}")
    elif target == RED:
        state.soldiers.red -= 1
        table.news(f"A red soldier falls: {state.soldiers.words}")
    else:
        enemy = table.at(target)
        put_away(table, enemy, how)
        take_off(table, enemy)
    check_cleared(table)
    _warn_of_planes(table)


def take_off(table: Table, enemy: Enemy) -> None:
    """Lift an Enemy card from its stack."""
    for _, stack in table.posts():
        for index, one in enumerate(stack):
            if one is enemy:
                del stack[index]
                return


def put_away(table: Table, enemy: Enemy, how: str) -> None:
    """A Known Enemy goes to its pile, an Unknown one to the discard (OKI-201, OKI-202)."""
    known = table.letter(enemy.card)
    table.news(f"{table.name_of(enemy)} {how}: {'back to its pile' if known else 'to the discard'}")
    (table.state.known if known else table.state.discard).append(enemy.card)
    reshuffle_empty(table)


def goal(table: Table) -> str:
    """What comes of it when nobody is left (OKI-227, OKI-252)."""
    return "victory" if table.state.number == LAST else "capture"


def remaining(table: Table) -> int:
    """How many enemies stand between the player and a capture (OKI-R26, OKI-R77)."""
    cards = sum(
        not (enemy.up and not table.planes_block and table.enemy(enemy.card).plane)
        for _, stack in table.posts()
        for enemy in stack
    )
    return cards + len(table.state.soldiers)


def check_cleared(table: Table) -> None:
    """Win Hill 89 or capture the Objective when nobody is left (OKI-227, OKI-252, OKI-R36)."""
    if remaining(table):
        return
    if table.state.number == LAST:
        raise table.win("Hill 89 is taken")
    if table.state.flag:
        raise Captured
    table.news("Nobody is left, but the laps are done: no capture")


def _warn_of_planes(table: Table) -> None:
    """Say why nothing comes of it that only planes are left (OKI-R26)."""
    state = table.state
    left = [enemy for _, stack in table.posts() for enemy in stack]
    planes = all(enemy.up and table.enemy(enemy.card).plane for enemy in left)
    if planes and not state.soldiers and (state.flag or state.number == LAST):
        table.news(f"Only planes are left: no {goal(table)} while they are here")


def defeat_outdone(table: Table) -> None:
    """Defeat who has as much damage as health: damage was set by hand, or a card entered since (OKI-197)."""
    for enemy in [enemy for _, enemy in table.exposed() if enemy.damage]:
        health = table.enemy(enemy.card).health
        if not health:
            enemy.damage = 0
        elif enemy.damage >= health:
            defeat(table, table.place_of(enemy))


def settle(table: Table) -> None:
    """What was set by hand takes effect: words on a card may take an Enemy away, or the last health."""
    state = table.state
    if not state.health:
        raise table.lose("the last health was taken off by hand")
    defeat_outdone(table)
    if not remaining(table) and (state.flag or state.number == LAST):
        table.news("Nobody is left")
        check_cleared(table)


def settled(table: Table, news: str) -> str:
    """What to tell where a player is free to act: `news`, and what has come of values set by hand."""
    settle(table)
    return "\n".join(filter(None, (news, table.take_news())))
