"""Which Action Spaces an Enemy card attacks: arrows and written targets (OKI-163, OKI-164)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from companion.games.okinawa import rondel
from companion.games.okinawa.cards import Arrow, Effect, EnemyCard, EnemyEffect, When, Where
from companion.games.okinawa.state import Enemy, State
from companion.games.okinawa.table import Table

_STEP: Final = {
    Arrow.UP: (True, 0),
    Arrow.UP_LEFT: (True, -1),
    Arrow.UP_RIGHT: (True, 1),
    Arrow.DOWN: (False, 0),
    Arrow.DOWN_LEFT: (False, -1),
    Arrow.DOWN_RIGHT: (False, 1),
}
MOVES: Final = (EnemyEffect.MOVE_TOP, EnemyEffect.MOVE_BOTTOM)
AIMING: Final = (EnemyEffect.TARGET, EnemyEffect.DAMAGE)
AT_SPACES: Final = (EnemyEffect.TARGET, EnemyEffect.SUPPRESS)
ROLLED: Final = (Where.ROLLED, Where.ROLLED_COLUMN)


@cache
def pointed_at(arrows: tuple[Arrow, ...], post: int) -> frozenset[int]:
    """The Action Spaces that arrows point at from Enemy Space `post` (OKI-163)."""
    lanes = ((_STEP[arrow][0], post + _STEP[arrow][1]) for arrow in arrows)
    return frozenset(lane if top else 11 - lane for top, lane in lanes if 1 <= lane <= 5)


def where(state: State, place: str, at: Where, rolled: int) -> frozenset[int]:
    """The Action Spaces that a written target names, removed ones left out (OKI-164, OKI-R16)."""
    left = rondel.numbers(state)
    match at:
        case Where.ALL:
            return frozenset(left)
        case Where.PAWN:
            return frozenset((state.pawn,))
        case Where.ROLLED:
            return frozenset(one for one in left if one == rolled)
        case Where.ROLLED_COLUMN:
            return frozenset(one for one in left if rondel.column(one) == rondel.column(rolled))
        case Where.COLUMN:
            return frozenset(one for one in left if place == str(rondel.column(one)))
        case Where.TOP:
            return frozenset(one for one in left if rondel.is_top(one))
        case Where.BOTTOM:
            return frozenset(one for one in left if not rondel.is_top(one))
        case Where.BESIDE:
            beside_top = place.startswith("top")
            return frozenset(one for one in left if not place.isdigit() and rondel.is_top(one) is beside_top)


def applies(effect: Effect, dice: list[int]) -> Iterator[int]:
    """The result that makes an effect happen, once for each die; 0 for one without a die.

    Without a range of results an effect happens once, but at each space that a die names (OKI-176).
    """
    if effect.die is not None:
        low, high = effect.die
        yield from (result for result in dice if low <= result <= high)
    elif dice and effect.effect in AT_SPACES and effect.where in ROLLED:
        yield from dice
    else:
        yield dice[0] if dice else 0


def targets(table: Table, place: str, enemy: Enemy) -> frozenset[int]:
    """All Action Spaces that a face-up Enemy card attacks, as it lies now."""
    state = table.state
    printed = table.enemy(enemy.card)
    aimed: frozenset[int] = frozenset()
    if place.isdigit():
        aimed = pointed_at(printed.arrows, int(place)).intersection(rondel.numbers(state))
    elif any(effect.effect in MOVES for effect in printed.effects):
        aimed = where(state, place, Where.BESIDE, 0)
    for effect in printed.effects:
        if effect.effect is EnemyEffect.TARGET:
            for result in applies(effect, enemy.dice):
                aimed |= where(state, place, effect.where, result)
    return aimed


def follows_pawn(printed: EnemyCard, enemy: Enemy) -> bool:
    """Whether a card hits the pawn wherever it stands (OKI-164)."""
    return any(
        effect.effect is EnemyEffect.TARGET
        and effect.where is Where.PAWN
        and next(applies(effect, enemy.dice), None) is not None
        for effect in printed.effects
    )


def damage(printed: EnemyCard, enemy: Enemy) -> int:
    """What a hit by this card costs in this turn (OKI-172)."""
    more = sum(
        effect.amount
        for effect in printed.effects
        if effect.effect is EnemyEffect.DAMAGE
        for _ in applies(effect, enemy.dice)
    )
    return printed.damage + more


def foreseen(place: str, printed: EnemyCard, enemy: Enemy) -> str:
    """Where a card will stand when it acts: its die, or the last of several, sends it (OKI-176, OKI-177).

    A move on a hit comes when the card has aimed, so it strikes from where it lies.
    """
    for effect in reversed(printed.effects):
        if effect.effect not in MOVES or effect.when is not When.ACT:
            continue
        if next(applies(effect, enemy.dice), None) is not None:
            return "top" if effect.effect is EnemyEffect.MOVE_TOP else "bottom"
    return place


def danger(table: Table) -> dict[int, int]:
    """What standing on each Action Space would cost in the coming Enemy Turn, as far as can be seen.

    In an Enemy Turn it is what is still to come: cards that have acted cost nothing more.
    """
    state = table.state
    cost = {space.number: 0 for space in state.spaces}
    for strike in state.strikes:
        cost[strike] += 1
    for place, enemy in table.exposed():
        if enemy.up and not (state.enemy_turn and enemy.done):
            printed = table.enemy(enemy.card)
            hit = damage(printed, enemy)
            aimed = targets(table, foreseen(place, printed, enemy), enemy)
            for space in cost if follows_pawn(printed, enemy) else aimed:
                cost[space] += hit
    return cost
