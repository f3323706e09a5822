"""Looks ahead through one Player Turn: which order of moves and activations is worth most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from companion.games.okinawa import activation, enemies, rondel, targets, tokens
from companion.games.okinawa.cards import ActionIcon, EnemyType
from companion.games.okinawa.state import FULL_HEALTH, Action
from companion.games.okinawa.table import Table

RESUPPLY_WORTH: Final = 2.0
LAP_COST: Final = 0.5
LAST_LAP_COST: Final = 6.0
STORE_WORTH: Final = 0.4
FREE_WORTH: Final = 0.3


class Node(NamedTuple):
    """A point in the turn: where the pawn is, what is left to spend, which cards are used up."""

    pawn: int
    pool: tuple[int, ...]
    used: int
    stored: int


class Outlook(NamedTuple):
    """What the search needs of the table, read once: worth and cost by Action Space."""

    ring: tuple[int, ...]
    worth: dict[int, float]
    cost: dict[int, float]
    lap_cost: float
    suppressed: int


def danger(table: Table) -> dict[int, int]:
    """What standing on each Action Space would cost in the coming Enemy Turn."""
    state = table.state
    cost = {number: state.strikes.count(number) for number in rondel.numbers(state)}
    for place, enemy in table.exposed():
        if enemy.up:
            for space in targets.targets(table, place, enemy):
                cost[space] += targets.damage(table.enemy(enemy.card), enemy)
    return cost


def outlook(table: Table) -> Outlook:
    """Read the table."""
    state = table.state
    fear = 1.8 + 1.5 * (FULL_HEALTH - state.health)
    hits = danger(table)
    late = state.flag == 1 and state.number == 4
    return Outlook(
        tuple(rondel.numbers(state)),
        {
            space.number: worth(table, space.action) if activation.can_activate(space.action) else 0.0
            for space in state.spaces
        },
        {space: fear * cost + (50.0 if cost >= state.health else 0.0) for space, cost in hits.items()},
        LAST_LAP_COST if late else LAP_COST,
        next((space.number for space in state.spaces if space.action.suppressed), 0),
    )


def worth(table: Table, action: Action) -> float:
    """What one activation of a card is worth now."""
    total = _attack_worth(table, action)
    state = table.state
    for icon in table.icons(action):
        match icon.icon:
            case ActionIcon.SCOUT:
                fog = sum(enemy.fog for _, enemy in table.exposed())
                total += 1.2 * min(icon.amount, fog)
            case ActionIcon.HEAL:
                total += 3.0 * min(icon.amount, FULL_HEALTH - state.health)
            case ActionIcon.SANDBAG:
                total += 2.5 * min(icon.amount, table.supply("sandbag") - state.sandbags)
            case ActionIcon.ADJUST | ActionIcon.REROLL | ActionIcon.REPOSITION:
                total += 0.2
    return total


def _attack_worth(table: Table, action: Action) -> float:
    aims = list(activation.attack_targets(table, action))
    return max((target_worth(table, action, aim) for aim in aims), default=0.0)


def target_worth(table: Table, action: Action, target: str) -> float:
    """What hitting one enemy is worth: damage that counts, and more for a kill."""
    if target in (enemies.BEIGE, enemies.RED):
        amount, destroys = activation.strength(table, action, EnemyType.SOLDIER)
        left = 2 if target == enemies.BEIGE else 1
        return 1.5 * min(left, 2 if destroys else amount) + (0.5 if destroys or amount >= left else 0)
    enemy = table.at(target)
    printed = table.enemy(enemy.card)
    if not printed.health:
        return 4.0
    amount, destroys = activation.strength(table, action, printed.type)
    left = printed.health - enemy.damage
    done = left if destroys else min(left, amount)
    return 1.3 * done + (1.5 if done == left else 0.0) + 0.3 * printed.damage


def best(table: Table) -> str:
    """The option id of the first step of the turn that is worth most."""
    state = table.state
    view = outlook(table)
    known: dict[Node, tuple[float, str]] = {}

    def value(node: Node) -> tuple[float, str]:
        if node not in known:
            known[node] = max(
                ((gain + value(after)[0], step) for gain, step, after in steps(view, node)),
                default=(-view.cost[node.pawn], "end"),
            )
        return known[node]

    stored = state.resupply_die if "resupply" not in state.stored_now else -1
    return value(Node(state.pawn, tuple(state.pool), 0, stored))[1]


def steps(view: Outlook, node: Node) -> Iterator[tuple[float, str, Node]]:
    """Every step from a node: what it gains at once, its option id, and where it leads."""
    values = frozenset(node.pool)
    index = view.ring.index(node.pawn)
    if view.worth[node.pawn] and not node.used >> node.pawn & 1:
        for run in activation.runs(values):
            pool = node.pool
            for value in run:
                pool = _without(pool, value)
            after = node._replace(pool=pool, used=node.used | 1 << node.pawn)
            yield view.worth[node.pawn] * len(run), f"act:{'-'.join(map(str, run))}", after
    for value in values:
        end = view.ring[(index + value) % len(view.ring)]
        gain = _lines(view, node.pawn, end)
        yield gain, f"move:{value}", node._replace(pawn=end, pool=_without(node.pool, value))
        if not node.stored:
            after = node._replace(pool=_without(node.pool, value), stored=-1)
            yield STORE_WORTH, f"store:resupply:{value}", after
        if view.suppressed:
            after = node._replace(pool=_without(node.pool, value))
            yield FREE_WORTH, f"free:{view.suppressed}:{value}", after
    if node.stored > 0:
        pool = tuple(sorted((*node.pool, node.stored)))
        yield -STORE_WORTH, "lift:resupply", node._replace(pool=pool, stored=0)


def _lines(view: Outlook, start: int, end: int) -> float:
    if rondel.passes_resupply(start, end):
        return RESUPPLY_WORTH
    return -view.lap_cost if rondel.passes_objective(start, end) else 0.0


def _without(pool: tuple[int, ...], value: int) -> tuple[int, ...]:
    index = pool.index(value)
    return pool[:index] + pool[index + 1 :]


def needs_grenade(table: Table) -> str:
    """The enemy at which a Grenade is best thrown; "" if it is better kept."""
    aims = {}
    for target in tokens.grenade_targets(table):
        if target in (enemies.BEIGE, enemies.RED):
            aims[target] = 1 if target == enemies.BEIGE else 0
            continue
        enemy = table.at(target)
        printed = table.enemy(enemy.card)
        left = printed.health - enemy.damage
        aims[target] = (3 if left <= tokens.GRENADE_DAMAGE else 0) + printed.damage
    return max(aims, key=aims.__getitem__, default="")
