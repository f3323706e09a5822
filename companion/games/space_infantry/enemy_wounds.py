"""The team's wounds on the enemy: the half rule, the odd ones, armor (chapter 5.3)."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import islice

from companion.engine.asks import Choose, Option, Pick, Script, ask, offered
from companion.games.space_infantry.attacks import Hits
from companion.games.space_infantry.sharing import (
    UNITS_ON_ONE,
    Spread,
    Struck,
    at_most_three,
    pierced,
    piercing_lost,
    shares,
    spreads,
)
from companion.games.space_infantry.state import Fight, Foe
from companion.games.space_infantry.table import Table, several
from companion.games.space_infantry.wounds import armor_saves, unstoppable
from companion.wording import counted

_NOBODY_LEFT = Option("none", "Nobody is left")
_WHOLE = ":whole"
"""Marks a plan by which others take what is lost."""


def wound_enemies(table: Table, fight: Fight, hits: Hits) -> Script[None]:
    """The team's wounds given out, armor drawn for, the dead removed (SPI-117 to SPI-121, SPI-R35).

    They are given out anew where an override has brought enemies or taken some away meanwhile.
    """
    total = hits.normal + hits.piercing
    given: list[int] = []
    inflicted: list[int] = []
    while total and len(inflicted) != len(fight.foes):
        wanted, first = yield from allot_to_enemies(table, fight, hits)
        given = deliverable(table, hits, wanted, first)
        if len(given) == len(fight.foes):
            inflicted = yield from armor_of_enemies(table, fight, given, hits, wanted)
    if not inflicted:
        table.note("no hits", "SPI-116")
        return
    if sum(given) < total:
        lost = counted(total - sum(given), "hit")
        table.note(f"{lost} lost: {UNITS_ON_ONE} units at most on one enemy", "SPI-191", "SPI-R69")
    hit = fight.foes
    for foe, many in zip(hit, inflicted, strict=True):
        foe.wounds += many
    dead = [foe for foe in fight.foes if foe.wounds >= table.enemy(foe.kind).wounds]
    fight.foes = [foe for foe in fight.foes if foe not in dead] if dead else fight.foes
    out = Counter(table.enemy(foe.kind).title for foe in dead)
    whom = ": " + ", ".join(several(many, title) for title, many in out.items()) if out else ""
    table.note(f"{counted(total, 'hit')}, {len(dead)} out{whom}", "SPI-116", *("SPI-121",) * bool(dead))
    for foe, many in zip(hit, inflicted, strict=True):
        if many and foe not in dead:
            enemy = table.enemy(foe.kind)
            table.note(f"{enemy.title} {foe.wounds}/{enemy.wounds} wounds", "SPI-120")


def deliverable(table: Table, hits: Hits, wanted: list[int], first: int) -> list[int]:
    """What is dealt of the wanted shares: at the higher levels three units at most fight one enemy.

    Of equal shares that of the `first` is dealt before the others.
    """
    if not table.level.strict:
        return wanted
    order = sorted(range(len(wanted)), key=lambda at: at != first)
    by_unit = [sum(unit) for unit in hits.by_unit]
    dealt = at_most_three([wanted[at] for at in order], by_unit, hits.nobodys)
    return [dealt[order.index(at)] for at in range(len(wanted))]


def piercing_dealt(hits: Hits, wanted: list[int], given: list[int]) -> int:
    """How many of the wounds given pass armor: without those of units that can't give them (SPI-R36)."""
    if sum(given) == sum(wanted):
        return hits.piercing
    return hits.piercing - piercing_lost(wanted, [(sum(unit), unit[1]) for unit in hits.by_unit])


def remaining(table: Table, foe: Foe) -> int:
    """The wounds that an enemy has left."""
    return table.enemy(foe.kind).wounds - foe.wounds


def allot_to_enemies(table: Table, fight: Fight, hits: Hits) -> Script[tuple[list[int], int]]:
    """Whom the player gives the most, and who gets the odd ones; what kills most comes first.

    With the shares comes whose is dealt before others that are as large.
    """
    total = hits.normal + hits.piercing
    wish = yield from offered(partial(allot_question, table, fight, hits))
    foes = fight.foes
    if not foes:
        return [], 0
    plan_id = wish.removesuffix(_WHOLE)
    spread, chosen = next(plan for plan in plans_for(table, fight, total) if _plan_id(*plan) == plan_id)
    others = [at for at in range(len(foes)) if at != chosen]
    alike = len({(foes[at].kind, foes[at].wounds) for at in others}) == 1
    if spread.odd and not alike:
        odd = yield from odd_ones(table, fight, spread, others)
    else:
        odd = others[: spread.odd]
    return shares(spread, len(foes), chosen, odd), 0 if wish == plan_id else chosen


def allot_question(table: Table, fight: Fight, hits: Hits) -> Choose:
    """Every way to give so many wounds to the enemies that there are; an override may have left none."""
    total = hits.normal + hits.piercing
    plans = plans_for(table, fight, total) if fight.foes else []
    half = f"at most {max(spread.most for spread, _ in plans)} on one, the rest equally" if plans else ""
    through = unstoppable(hits.piercing, (table.enemy(foe.kind).armor for foe in fight.foes))
    offers = [_plan_offer(table, fight, hits, spread, chosen) for spread, chosen in plans]
    return Choose(
        "space_infantry.combat.allot",
        f"{counted(total, 'wound')} on {len(fight.foes)} of the enemy",
        "; ".join(filter(None, (half, through))),
        rule=("SPI-116", "SPI-117", "SPI-118", "SPI-R34"),
        options=tuple(option for _, option in sorted(offers, key=lambda offer: -offer[0])) or (_NOBODY_LEFT,),
    )


def plans_for(table: Table, fight: Fight, total: int) -> list[tuple[Spread, int]]:
    """The plans for the enemies as they are now."""
    left = [remaining(table, foe) for foe in fight.foes]
    return enemy_plans(left, [foe.kind for foe in fight.foes], total)


def enemy_plans(left: list[int], kinds: list[str], total: int) -> list[tuple[Spread, int]]:
    """Every legal spread with whom it favours, once for enemies that are alike; the deadliest first."""
    firsts: dict[tuple[str, int], int] = {}
    for at, (kind, wounds) in enumerate(zip(kinds, left, strict=True)):
        firsts.setdefault((kind, wounds), at)
    plans = [(spread, at) for spread in spreads(total, len(left)) for at in firsts.values()]
    if len(plans) > 1:
        plans.sort(key=lambda plan: -kills(left, *plan))
    return plans


def kills(left: list[int], spread: Spread, chosen: int) -> int:
    """How many enemies a spread takes out if no armor holds and the odd ones go to the weakest."""
    others = sorted(wounds for at, wounds in enumerate(left) if at != chosen)
    return (left[chosen] <= spread.most) + sum(
        wounds <= spread.base + (at < spread.odd) for at, wounds in enumerate(others)
    )


def _plan_id(spread: Spread, chosen: int) -> str:
    return f"{chosen}:{spread.most}"


def _plan_offer(table: Table, fight: Fight, hits: Hits, spread: Spread, chosen: int) -> tuple[int, Option]:
    """A plan as an option, and how many enemies it takes out, as `kills` counts them, of what is dealt."""
    left = [remaining(table, foe) for foe in fight.foes]
    others = sorted((at for at in range(len(left)) if at != chosen), key=lambda at: left[at])
    wanted = shares(spread, len(left), chosen, others[: spread.odd])
    dealt = deliverable(table, hits, wanted, chosen)
    out = sum(many >= wounds for many, wounds in zip(dealt, left, strict=True))
    lost = sum(wanted) - sum(dealt)
    rest = f"{spread.base}" if not spread.odd else f"{spread.base}-{spread.base + 1}"
    words = f"{spread.most} on {table.enemy(fight.foes[chosen].kind).title}"
    detail = f"{left[chosen]} left; others {rest} each"
    plan_id = f"{_plan_id(spread, chosen)}{_WHOLE if lost and chosen else ''}"
    return out, Option(plan_id, words, f"{detail}; {lost} lost" if lost else detail)


def odd_ones(table: Table, fight: Fight, spread: Spread, others: list[int]) -> Script[list[int]]:
    """Who of the others gets one wound more, the weakest first (SPI-R34)."""
    order = sorted(others, key=lambda at: remaining(table, fight.foes[at]))
    options = tuple(
        Option(str(at), table.enemy(fight.foes[at].kind).title, f"{remaining(table, fight.foes[at])} left")
        for at in order
    )
    picked = yield from ask(
        Pick(
            "space_infantry.combat.odd",
            f"{spread.odd} more: on which others?",
            rule=("SPI-118", "SPI-R34"),
            options=options,
            least=spread.odd,
            most=spread.odd,
        )
    )
    return [int(one) for one in picked]


def armor_of_enemies(
    table: Table, fight: Fight, given: list[int], hits: Hits, wanted: list[int]
) -> Script[list[int]]:
    """What gets through their armor of the wanted wounds that are given (SPI-125, SPI-126)."""
    chances = armor_chances(table, fight, given, piercing_dealt(hits, wanted, given))
    names = armored_names(table, fight, given)
    wearers = [name for name, many in zip(names, chances, strict=True) for _ in range(many)]
    key = "space_infantry.combat.armor"
    results = iter((yield from armor_saves(table, key, "the enemy", wearers)))
    return [many - sum(islice(results, wearing)) for many, wearing in zip(given, chances, strict=True)]


def armored_names(table: Table, fight: Fight, given: list[int]) -> list[str]:
    """Each enemy by its title, and by what it is to take where that differs among those of one kind."""
    hit = [(foe.kind, many, remaining(table, foe)) for foe, many in zip(fight.foes, given, strict=True)]
    kinds = Counter(kind for kind, _, _ in {one for one in hit if one[1]})
    return [
        table.enemy(kind).title + f" ({counted(many, 'hit')}, {left} left)" * (kinds[kind] > 1)
        for kind, many, left in hit
    ]


def armor_chances(table: Table, fight: Fight, given: list[int], piercing: int) -> list[int]:
    """How many of each enemy's wounds armor may stop; piercing ones go where they do most (SPI-126)."""
    armor = [table.enemy(foe.kind).armor for foe in fight.foes]
    order = sorted(range(len(given)), key=lambda at: -armor[at])
    struck = [Struck(given[at], armor[at], remaining(table, fight.foes[at])) for at in order]
    through = dict(zip(order, pierced(struck, piercing, saving=False), strict=True))
    return [min(many - through[at], armor[at]) for at, many in enumerate(given)]
