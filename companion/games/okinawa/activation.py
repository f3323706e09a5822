"""Activating an Action card: runs of dice, icons, one Enemy per activation (OKI-125 to OKI-160)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, partial
from typing import Final

from companion.engine.asks import Choose, Option, Script, offered
from companion.games.okinawa import enemies, health, rondel, tokens
from companion.games.okinawa.cards import ActionIcon, EnemyCard, EnemyType
from companion.games.okinawa.state import Action, Activation
from companion.games.okinawa.table import Table

_PASS: Final = Option("done", "No more")
_DAMAGE: Final = {
    EnemyType.SOLDIER: ActionIcon.SOLDIER_DAMAGE,
    EnemyType.ARMOR: ActionIcon.ARMOR_DAMAGE,
}
_DESTROY: Final = {
    EnemyType.SOLDIER: ActionIcon.DESTROY_SOLDIER,
    EnemyType.ARMOR: ActionIcon.DESTROY_ARMOR,
}
GAINS: Final = (ActionIcon.SANDBAG, ActionIcon.ADJUST, ActionIcon.REPOSITION, ActionIcon.REROLL)
_ATTACKS: Final = (*_DAMAGE.values(), *_DESTROY.values())


def can_activate(action: Action) -> bool:
    """Not twice in a turn, not while rotated, not while suppressed (OKI-126, OKI-134, OKI-181)."""
    return not (action.used or action.rotated or action.suppressed)


@cache
def runs(values: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """Every run of dice that pays for activations: each one higher than the last (OKI-130 to OKI-132)."""
    return tuple(
        tuple(range(low, high + 1))
        for low in sorted(values)
        for high in range(low, 5)
        if all(value in values for value in range(low, high + 1))
    )


def under_pawn(table: Table) -> Action:
    """The card that can be activated (OKI-128)."""
    return rondel.space_of(table.state, table.state.pawn).action


def activate(table: Table, run: Iterable[int]) -> Script[bool]:
    """Pay with a run of dice, resolve that many activations, then rotate if the card says so.

    Whether anything came of it that was shown.
    """
    state = table.state
    paid = list(run)
    for value in paid:
        state.pool.remove(value)
    under_pawn(table).used = True
    state.activation.left = len(paid)
    while state.activation.left > 0:
        state.activation.left -= 1
        yield from _resolve(table)
    action = under_pawn(table)
    name = table.action(action.card).name
    if rotates(table, action):
        action.rotated = True
        table.news(f"Rotate {name}")
    happened = bool(state.news)
    yield from table.tell("okinawa.act.shown", ("OKI-136", "OKI-198", "OKI-200"), name)
    return happened


def rotates(table: Table, action: Action) -> bool:
    """Whether a gas can or a Destroy icon turns the card after use (OKI-125, OKI-149, OKI-153)."""
    destroys = any(icon.icon in _DESTROY.values() for icon in table.icons(action))
    return destroys or table.action(action.card).refuel


def _resolve(table: Table) -> Script[None]:
    """One activation: every icon, in an order that the player likes (OKI-136, OKI-R55)."""
    now = table.state.activation
    _begin(table, under_pawn(table), now)
    while True:
        chosen = yield from offered(partial(_question, table))
        if chosen == _PASS.id:
            return
        verb, _, target = chosen.partition(":")
        if verb == "scout":
            now.scouts -= 1
            tokens.scout(table, target)
        else:
            now.attacks = False
            attack(table, under_pawn(table), target)


def _begin(table: Table, action: Action, now: Activation) -> None:
    """Take what the icons give, and count what is to be aimed."""
    now.scouts, now.attacks = _to_aim(table, action)
    for icon in table.icons(action):
        for _ in range(icon.amount):
            if icon.icon is ActionIcon.HEAL:
                health.heal(table)
            elif icon.icon in GAINS:
                tokens.gain(table, icon.icon.value)


def _to_aim(table: Table, action: Action) -> tuple[int, bool]:
    """How much fog one activation can take off, and whether it attacks."""
    icons = table.icons(action)
    scouts = sum(icon.amount for icon in icons if icon.icon is ActionIcon.SCOUT)
    attacks = any(icon.icon in _ATTACKS for icon in icons)
    return scouts, attacks or table.action(action.card).destroys_planes


def _question(table: Table) -> Choose:
    name, now = table.action(under_pawn(table).card).name, table.state.activation
    text = f"{name}: {'target' if now.attacks else 'scout'}?"
    detail = "\n".join(table.state.news)
    rule = ("OKI-137", "OKI-141", "OKI-143") * now.attacks + ("OKI-146", "OKI-147") * bool(now.scouts)
    return Choose("okinawa.act.target", text, detail, rule, tuple(_options(table)))


def _options(table: Table) -> Iterator[Option]:
    """What this activation can still do; an attack is not voluntary, a Scout is (OKI-139, OKI-147)."""
    now = table.state.activation
    targets = attack_targets(table, under_pawn(table)) if now.attacks else ()
    aims = [tokens.aim(table, one, "hit") for one in targets]
    yield from aims
    if now.scouts:
        yield from (tokens.aim(table, place, "scout") for place in tokens.foggy(table))
    if not aims:
        yield _PASS


def aims_at_nobody(table: Table, action: Action) -> bool:
    """Whether a card that attacks or scouts has neither a target nor fog to take off now (OKI-139)."""
    scouts, attacks = _to_aim(table, action)
    if scouts and any(tokens.foggy(table)):
        return False
    return bool(scouts or attacks) and not any(attack_targets(table, action))


# Attacks


def strength(table: Table, action: Action, kind: EnemyType) -> tuple[int, bool]:
    """The damage of one activation against a type, and whether it destroys (OKI-140 to OKI-153)."""
    total, destroys = 0, False
    for icon in table.icons(action):
        if icon.icon is _DAMAGE[kind]:
            total += icon.amount
        elif icon.icon is _DESTROY[kind]:
            destroys = True
    return total, destroys


def attack_targets(table: Table, action: Action) -> Iterator[str]:
    """Every Enemy that one activation of the card can hit now (OKI-141, OKI-143, OKI-145, OKI-R54)."""
    if any(strength(table, action, EnemyType.SOLDIER)):
        yield from enemies.soldier_targets(table)
    for place, enemy in table.exposed():
        if enemies.is_visible(enemy) and hits(table, action, table.enemy(enemy.card)):
            yield place


def hits(table: Table, action: Action, printed: EnemyCard) -> bool:
    """Whether the card can do anything to such an Enemy (OKI-160, OKI-168, OKI-R25)."""
    if printed.plane and table.action(action.card).destroys_planes:
        return True
    return printed.health > 0 and any(strength(table, action, printed.type))


def attack(table: Table, action: Action, target: str) -> None:
    """All the card's fitting icons on one Enemy (OKI-137, OKI-148, OKI-R54)."""
    if target in enemies.SOLDIERS:
        amount, destroys = strength(table, action, EnemyType.SOLDIER)
    else:
        printed = table.enemy(table.at(target).card)
        amount, destroys = strength(table, action, printed.type)
        destroys = destroys or (printed.plane and table.action(action.card).destroys_planes)
    if destroys:
        enemies.defeat(table, target)
    else:
        enemies.hurt(table, target, amount)
