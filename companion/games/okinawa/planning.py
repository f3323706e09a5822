"""Looks ahead through one Player Turn: which order of moves and activations is worth most."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple, TypeAlias

from companion.games.okinawa import activation, enemies, rondel, targets, tokens
from companion.games.okinawa.cards import ActionIcon, EnemyType
from companion.games.okinawa.state import FULL_HEALTH, LAST, Action
from companion.games.okinawa.table import Table

RESUPPLY_WORTH: Final = 2.0
LAP_COST: Final = 0.5
LAST_LAP_COST: Final = 6.0
STORE_WORTH: Final = 0.4
FREE_WORTH: Final = 0.3


Position: TypeAlias = tuple[int, tuple[int, ...], int, int]
"""The pawn's space, the pool, a bit for each space whose card is used up, the die on Resupply."""

NONE: Final = -1  # filled by a die of this turn, which is left there
GAIN: Final = 1e-6  # less is rounding: taking a die back for it would never end


class Outlook(NamedTuple):
    """What the search needs of the table, read once: worth and cost by Action Space."""

    ring: tuple[int, ...]
    worth: dict[int, float]
    cost: dict[int, float]
    lap_cost: float
    suppressed: int


def outlook(table: Table) -> Outlook:
    """Read the table."""
    state = table.state
    fear = 1.8 + 1.5 * (FULL_HEALTH - state.health)
    hits = targets.danger(table)
    late = state.flag == 1 and state.number == LAST
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
    if target in enemies.SOLDIERS:
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
    return _Search(outlook(table)).value((state.pawn, tuple(state.pool), 0, state.resupply_die))[1]


class _Search:
    """Every order of steps through a turn, each position looked at once."""

    def __init__(self, view: Outlook) -> None:
        self.view = view
        self.known: dict[Position, tuple[float, str]] = {}
        count = len(view.ring)
        self.reach = {
            pawn: [_reach(view, pawn, view.ring[(at + value) % count]) for value in range(1, 5)]
            for at, pawn in enumerate(view.ring)
        }

    def value(self, position: Position) -> tuple[float, str]:
        """What the rest of the turn is worth from here, and its first step."""
        found = self.known.get(position)
        if found is None:
            found = self.known[position] = self._look(position)
        return found

    def _look(self, position: Position) -> tuple[float, str]:
        pawn, pool, used, stored = position
        if not pool:
            return -self.view.cost[pawn], "end"
        value = self.value
        best, step = -1e9, ""
        worth = 0.0 if used >> pawn & 1 else self.view.worth[pawn]
        if worth:
            for name, length, rest in paid(pool):
                total = worth * length + value((pawn, rest, used | 1 << pawn, stored))[0]
                if total > best:
                    best, step = total, name
        for die, rest in spent(pool):
            end, gain = self.reach[pawn][die - 1]
            total = gain + value((end, rest, used, stored))[0]
            if total > best:
                best, step = total, f"move:{die}"
            if not stored:
                total = STORE_WORTH + value((pawn, rest, used, NONE))[0]
                if total > best:
                    best, step = total, f"store:resupply:{die}"
        if self.view.suppressed:
            rest = pool[1:]
            total = FREE_WORTH + value((pawn, rest, used, stored))[0]
            if total > best:
                best, step = total, f"free:{self.view.suppressed}:{pool[0]}"
        if stored > 0:
            total = value((pawn, tuple(sorted((*pool, stored))), used, 0))[0] - STORE_WORTH
            if total > best + GAIN:
                best, step = total, "lift:resupply"
        return best, step


def _reach(view: Outlook, start: int, end: int) -> tuple[int, float]:
    if rondel.passes_resupply(start, end):
        return end, RESUPPLY_WORTH
    return end, -view.lap_cost if rondel.passes_objective(start, end) else 0.0


@cache
def spent(pool: tuple[int, ...]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Each value of a pool, and the pool without one such die."""
    return tuple((value, _without(pool, (value,))) for value in sorted(set(pool)))


@cache
def paid(pool: tuple[int, ...]) -> tuple[tuple[str, int, tuple[int, ...]], ...]:
    """Each run that a pool pays for: its option id, how many activations, and the pool without it."""
    return tuple(
        (f"act:{'-'.join(map(str, run))}", len(run), _without(pool, run))
        for run in activation.runs(frozenset(pool))
    )


def _without(pool: tuple[int, ...], dice: tuple[int, ...]) -> tuple[int, ...]:
    left = list(pool)
    for die in dice:
        left.remove(die)
    return tuple(left)


def grenade_target(table: Table) -> str:
    """The enemy at which a Grenade is best thrown; "" if there is none."""
    aims = {}
    for target in tokens.grenade_targets(table):
        if target in enemies.SOLDIERS:
            aims[target] = 1 if target == enemies.BEIGE else 0
            continue
        enemy = table.at(target)
        printed = table.enemy(enemy.card)
        left = printed.health - enemy.damage
        aims[target] = (3 if left <= tokens.GRENADE_DAMAGE else 0) + printed.damage
    return max(aims, key=aims.__getitem__, default="")
