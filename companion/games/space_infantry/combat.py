"""Combat rounds: range, Action Points, attacks of both sides (chapter 5)."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from companion.engine.asks import Choose, Option, Pick, Script, ask
from companion.games.space_infantry.checks import (
    Check,
    checks_of,
    place_chits,
    settle_zeros,
    spend_command,
    title,
)
from companion.games.space_infantry.numbers import number, numbers, return_chits
from companion.games.space_infantry.pack import Kind
from companion.games.space_infantry.resources import spend
from companion.games.space_infantry.state import Edge, Fight, Foe, Range
from companion.games.space_infantry.table import Table, counted, tell
from companion.games.space_infantry.wounds import (
    Spread,
    armor_saves,
    at_most_three,
    shares,
    spreads,
    wound_team,
)

STYMO_AP = 2
STYMO_WOUNDS = 2
FEW_BASICS = 3
"""With fewer Basic units than this Special units may fight (SPI-107)."""

_GO = Option("go", "Attack")
_RANGES = {Range.MELEE: "Melee", Range.FIRE: "Fire", Range.SET: "Set"}


class Hits(NamedTuple):
    """Wounds that one side deals in a round: plain ones, piercing ones, and by whom."""

    normal: int = 0
    piercing: int = 0
    by_unit: tuple[int, ...] = ()


def combat(table: Table, fight: Fight) -> Script[None]:
    """Rounds until the enemy is eliminated or the team is defeated (SPI-098, SPI-R57)."""
    team = table.op.team.values()
    while fight.foes and table.in_play():
        fight.round += 1
        fight.grenade = False
        for member in team:
            member.fought = False
        yield from combat_round(table, fight)
        table.op.command = 0
        return_chits(table)
        regenerate(table, fight)
        left = len(fight.foes)
        outcome = f"{left} of the enemy left" if left else "enemy eliminated"
        table.op.news.insert(0, outcome if table.in_play() else "the team is defeated")
        yield from tell(table, "space_infantry.combat.round", ("SPI-098", "SPI-099"))
    for member in team:
        member.stymo = False


def combat_round(table: Table, fight: Fight) -> Script[None]:
    """Command, range, Action Points, attacks (SPI-099, SPI-113, SPI-127 to SPI-129)."""
    fighting_leader = yield from leader_orders(table)
    yield from combat_range(table, fight)
    yield from preparations(table, fight)
    first = fight.edge if fight.round == 1 else Edge.NOBODY
    if first is Edge.TEAM:
        ours = yield from friendly_attacks(table, fight, leader=fighting_leader)
        yield from wound_enemies(table, fight, ours)
        yield from wound_team(
            table, *(yield from enemy_attacks(table, fight))[:2], anybody=strict_free(table)
        )
    elif first is Edge.ENEMY:
        involve(table, leader=fighting_leader)
        yield from wound_team(
            table, *(yield from enemy_attacks(table, fight))[:2], anybody=strict_free(table)
        )
        ours = yield from friendly_attacks(table, fight, leader=fighting_leader)
        yield from wound_enemies(table, fight, ours)
    else:
        ours = yield from friendly_attacks(table, fight, leader=fighting_leader)
        theirs = yield from enemy_attacks(table, fight)
        yield from wound_enemies(table, fight, ours)
        yield from wound_team(table, theirs.normal, theirs.piercing, anybody=strict_free(table))


def strict_free(table: Table) -> bool:
    """May wounds go to units that did not fight? Not at Hard and Nightmare (SPI-190, SPI-R37)."""
    return not table.level.strict


def leader_orders(table: Table) -> Script[bool]:
    """True if the leader keeps the chits for fighting; else Command Points, or boarding (SPI-R12)."""
    table.op.command = 0
    leader = table.leader()
    if not leader or not table.rules.command or not table.campaign.roster[leader].levels.get("command"):
        return True
    wish = yield from ask(partial(leader_question, table, leader))
    if wish == "fight":
        return True
    checks = checks_of(table, leader, "command")
    yield from place_chits(table, "space_infantry.combat.leader_chits", checks, ("SPI-073", "SPI-105"))
    made = sum(check.sl for check in checks)
    if wish == "board":
        change_seats(table, made)
    else:
        table.op.command = made
        table.note(f"{made} CP")
    return False


def leader_question(table: Table, leader: str) -> Choose:
    """What the leader's Action Points are for."""
    levels = table.campaign.roster[leader].levels
    can_fight = (levels.get("melee") or levels.get("fire")) and not table.riding()
    options = [Option("command", "Command Points")]
    options.append(Option("fight", "Fight" if can_fight else "Nothing"))
    if table.rhino_here():
        options.append(
            Option("board", "Leave the Rhino" if table.riding() else "Board the Rhino", "needs 1 CP")
        )
    return Choose(
        "space_infantry.combat.leader",
        "The leader's Action Points are for?",
        rule=("SPI-073", "SPI-105", "SPI-170", "SPI-171", "SPI-R12"),
        options=tuple(options),
    )


def change_seats(table: Table, made: int) -> None:
    """In or out for one Command Point; the others are void (SPI-170, SPI-171, SPI-R60)."""
    rhino = table.op.rhino
    assert rhino is not None
    if made:
        rhino.inside = not rhino.inside
        table.note("the team is in the Rhino" if rhino.inside else "the team is on foot")
    else:
        table.note("no CP: nobody changes seats")


def combat_range(table: Table, fight: Fight) -> Script[None]:
    """Melee or Fire, by the sheet's table and the range so far (SPI-100 to SPI-105, SPI-R32)."""
    rn = yield from number(
        table,
        "space_infantry.combat.range",
        f"Round {fight.round}: range, column {_RANGES[fight.range]}",
        ("SPI-100", "SPI-101", "SPI-102"),
        zero=True,
    )
    rn += table.sheet.range_shift
    rn = yield from shift_range(table, fight, rn)
    fight.range = range_at(table, fight, rn)
    table.note(f"range {_RANGES[fight.range]}")


def range_at(table: Table, fight: Fight, rn: int) -> Range:
    """What the Range Table says; numbers off the table count as its last row (SPI-R04)."""
    rows = table.sheet.ranges
    row = min(max(rn - table.sheet.lowest, 0), len(rows) - 1)
    return Range(rows[row][fight.range.value])


def shift_range(table: Table, fight: Fight, rn: int) -> Script[int]:
    """Command Points as plus or minus on the range number, where that can change it (SPI-105, SPI-R14)."""
    command = table.op.command
    now = range_at(table, fight, rn)
    reach = {
        shift: range_at(table, fight, rn + shift)
        for shift in sorted(range(-command, command + 1), key=abs)
        if shift and range_at(table, fight, rn + shift) is not now
    }
    if not reach:
        return rn
    shift, other = next(iter(reach.items()))
    wish = yield from ask(
        Choose(
            "space_infantry.combat.shift",
            f"Range {_RANGES[now]}: change it with CP?",
            rule=("SPI-105", "SPI-R14"),
            options=(
                Option("keep", f"Keep {_RANGES[now]}"),
                Option("shift", f"{_RANGES[other]} for {abs(shift)} CP", f"{shift:+d} on the number"),
            ),
        )
    )
    if wish == "keep":
        return rn
    table.op.command -= abs(shift)
    return rn + shift


def preparations(table: Table, fight: Fight) -> Script[None]:
    """Resources before the attacks: a Grenade, Stymo-Packs, Intelligence for an ambush (6.1)."""
    if not any(table.op.resources[kind] for kind in "GSI"):
        return
    while True:
        question = preparation_question(table, fight)
        if len(question.options) == 1:
            return
        wish = yield from ask(question)
        if wish == _GO.id:
            return
        kind, _, name = wish.partition(":")
        spend(table, kind)
        if kind == "G":
            fight.grenade = True
        elif kind == "S":
            table.op.team[name].stymo = True
        else:
            fight.edge = Edge.NOBODY if fight.edge is Edge.ENEMY else Edge.TEAM


def preparation_question(table: Table, fight: Fight) -> Choose:
    """What may be spent now (SPI-133, SPI-134, SPI-142, SPI-143, SPI-R43, SPI-R46)."""
    held, options = table.op.resources, [_GO]
    if fight.range is Range.MELEE and not table.riding():
        if held["G"] and not fight.grenade:
            options.append(Option("G", "Grenade"))
        if held["S"]:
            options += (
                Option(f"S:{name}", f"Stymo {one.title}")
                for name, one in table.in_play().items()
                if one.levels.get("melee") and not table.op.team[name].stymo
            )
    if held["I"] and fight.round == 1 and fight.edge is not Edge.TEAM:
        options.append(Option("I", "Ambush", "one Intelligence: strike first"))
    return Choose(
        "space_infantry.combat.prepare",
        f"{_RANGES[fight.range]}, {len(fight.foes)} of the enemy: ready?",
        rule=("SPI-133", "SPI-134", "SPI-142", "SPI-143"),
        options=tuple(options),
    )


def involve(table: Table, *, leader: bool) -> list[str]:
    """Who is in the fight without being asked: Basic units, and the leader if free to fight (SPI-106)."""
    if table.riding():
        return []
    always = {Kind.BASIC, Kind.LEADER} if leader else {Kind.BASIC}
    team = [name for name, one in table.in_play().items() if one.kind in always]
    for name, one in table.in_play().items():
        if one.kind is not Kind.SPECIAL:
            table.op.team[name].fought = True
    return team


def fighters(table: Table, fight: Fight, *, leader: bool) -> Script[list[str]]:
    """Who attacks: those always in, and Special units where they may (SPI-107, SPI-108, SPI-R08)."""
    team = involve(table, leader=leader)
    if table.riding():
        return []
    units = table.in_play()
    basics = sum(1 for one in units.values() if one.kind is Kind.BASIC)
    specials = [name for name, one in units.items() if one.kind is Kind.SPECIAL]
    if not specials or (len(fight.foes) < table.rules.special_threshold and basics >= FEW_BASICS):
        return team
    if team:
        specials = list((yield from ask(partial(special_question, table, specials))))
    for name in specials:
        table.op.team[name].fought = True
    return team + specials


def special_question(table: Table, specials: list[str]) -> Pick:
    """Which Special units join."""
    return Pick(
        "space_infantry.combat.specials",
        "Which Special units join the fight?",
        rule=("SPI-107", "SPI-108", "SPI-109"),
        options=tuple(Option(name, title(table, name)) for name in specials),
        least=0,
        most=len(specials),
    )


def friendly_attacks(table: Table, fight: Fight, *, leader: bool) -> Script[Hits]:
    """Chits for everybody who fights, Command Points, and the wounds that come of it (SPI-106 to SPI-116)."""
    skill = "melee" if fight.range is Range.MELEE else "fire"
    team = yield from fighters(table, fight, leader=leader)
    checks = [check for name in team for check in checks_of(table, name, skill)]
    if table.rhino_here():
        checks += [Check("rhino", "gunnery", level) for level in table.vehicle.gunnery]
    key = "space_infantry.combat.chits"
    yield from place_chits(table, key, checks, ("SPI-106", "SPI-110", "SPI-173"))
    stimulated = [name for name in team if table.op.team[name].stymo] if skill == "melee" else []
    if table.op.command or stimulated:
        yield from settle_zeros(table, key, checks)
    for name in stimulated:
        stimulate([check for check in checks if check.who == name])
    yield from spend_command(table, key, checks)
    hits = count_hits(table, checks, stimulated)
    if fight.grenade:
        hits = yield from throw_grenade(table, hits)
    return hits


def stimulate(checks: list[Check]) -> None:
    """+2 AP on the chit that gains most by it (SPI-144, SPI-R44)."""
    if checks:
        best = max(checks, key=lambda check: (check.ap + STYMO_AP) // check.level - check.sl)
        best.ap += STYMO_AP


def count_hits(table: Table, checks: list[Check], stimulated: list[str]) -> Hits:
    """Success Levels as wounds, piercing ones apart (SPI-116, SPI-145, SPI-174, SPI-R36)."""
    normal = piercing = 0
    by_unit: dict[str, int] = {}
    for check in checks:
        wounds = check.sl * (STYMO_WOUNDS if check.who in stimulated else 1)
        by_unit[check.who] = by_unit.get(check.who, 0) + wounds
        if check.who == "rhino" or check.skill in card_piercing(table, check.who):
            piercing += wounds
        else:
            normal += wounds
    return Hits(normal, piercing, tuple(by_unit.values()))


def card_piercing(table: Table, who: str) -> tuple[str, ...]:
    """The skills of a soldier whose weapons pass armour."""
    return table.pack.unit[table.campaign.roster[who].card].piercing


def throw_grenade(table: Table, hits: Hits) -> Script[Hits]:
    """As many wounds more as the number says (SPI-135 to SPI-137, SPI-R41)."""
    rn = yield from number(
        table, "space_infantry.combat.grenade", "Grenade: that many wounds", ("SPI-135",), zero=True
    )
    # The grenade is nobody's attack: each of its wounds counts for itself at the higher levels.
    return Hits(hits.normal + rn, hits.piercing, (*hits.by_unit, rn))


def wound_enemies(table: Table, fight: Fight, hits: Hits) -> Script[None]:
    """The team's wounds given out, armour drawn for, the dead removed (SPI-117 to SPI-121, SPI-R35)."""
    total = hits.normal + hits.piercing
    if not total or not fight.foes:
        table.note("no hits")
        return
    given = yield from allot_to_enemies(table, fight, total)
    if table.level.strict:
        given = at_most_three(given, hits.by_unit)
    inflicted = yield from armor_of_enemies(table, fight, given, hits.piercing)
    for foe, many in zip(fight.foes, inflicted, strict=True):
        foe.wounds += many
    dead = [foe for foe in fight.foes if foe.wounds >= table.enemy(foe.kind).wounds]
    fight.foes = [foe for foe in fight.foes if foe not in dead] if dead else fight.foes
    table.note(f"{counted(total, 'hit')}, {len(dead)} out")


def remaining(table: Table, foe: Foe) -> int:
    """The wounds that an enemy has left."""
    return table.enemy(foe.kind).wounds - foe.wounds


def allot_to_enemies(table: Table, fight: Fight, total: int) -> Script[list[int]]:
    """Whom the player gives the most, and who gets the odd ones; what kills most comes first."""
    foes = fight.foes
    if len(foes) == 1:
        return [total]
    left = [remaining(table, foe) for foe in foes]
    plans = enemy_plans(left, [foe.kind for foe in foes], total)
    if len(plans) == 1:
        spread, chosen = plans[0]
    else:
        options = tuple(_plan_option(table, fight, spread, chosen) for spread, chosen in plans)
        wish = yield from ask(
            Choose(
                "space_infantry.combat.allot",
                f"{total} wounds on {len(foes)} enemies",
                f"at most {max(spread.most for spread, _ in plans)} on one, the rest equally",
                rule=("SPI-116", "SPI-117", "SPI-118", "SPI-R34"),
                options=options,
            )
        )
        spread, chosen = next(plan for plan, option in zip(plans, options, strict=True) if option.id == wish)
    others = [at for at in range(len(foes)) if at != chosen]
    alike = len({(foes[at].kind, foes[at].wounds) for at in others}) == 1
    if spread.odd and not alike:
        odd = yield from odd_ones(table, fight, spread, others)
    else:
        odd = others[: spread.odd]
    return shares(spread, len(foes), chosen, odd)


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
    """How many enemies a spread takes out if no armour holds and the odd ones go to the weakest."""
    others = sorted(wounds for at, wounds in enumerate(left) if at != chosen)
    return (left[chosen] <= spread.most) + sum(
        wounds <= spread.base + (at < spread.odd) for at, wounds in enumerate(others)
    )


def _plan_option(table: Table, fight: Fight, spread: Spread, chosen: int) -> Option:
    foe = fight.foes[chosen]
    rest = f"{spread.base}" if not spread.odd else f"{spread.base}-{spread.base + 1}"
    words = f"{spread.most} on {table.enemy(foe.kind).title}"
    return Option(f"{chosen}:{spread.most}", words, f"{remaining(table, foe)} left; others {rest} each")


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


def armor_of_enemies(table: Table, fight: Fight, given: list[int], piercing: int) -> Script[list[int]]:
    """What gets through their armour; piercing wounds go where armour is thickest (SPI-125, SPI-126)."""
    armor = [table.enemy(foe.kind).armor for foe in fight.foes]
    if not any(armor):
        return given
    chances = [0] * len(given)
    for at in sorted(range(len(given)), key=lambda one: -armor[one]):
        through = min(piercing, given[at])
        piercing -= through
        chances[at] = min(given[at] - through, armor[at])
    saved = yield from armor_saves(table, "space_infantry.combat.armor", "the enemy", sum(chances))
    results = iter(saved)
    return [many - sum(next(results) for _ in range(chances[at])) for at, many in enumerate(given)]


def enemy_attacks(table: Table, fight: Fight) -> Script[Hits]:
    """A chit for each attack of each active enemy, in the order of the table (SPI-111, SPI-112, SPI-122)."""
    attacks = [
        (foe, level)
        for foe in fight.foes
        for level in (
            table.enemy(foe.kind).melee if fight.range is Range.MELEE else table.enemy(foe.kind).fire
        )
    ]
    if not attacks:
        return Hits()
    values = yield from numbers(
        table,
        "space_infantry.combat.enemy_chits",
        f"{counted(len(attacks), 'enemy attack')}",
        len(attacks),
        ("SPI-111", "SPI-112", "SPI-122"),
        lying=True,
    )
    normal = piercing = 0
    for (foe, level), value in zip(attacks, values, strict=True):
        enemy = table.enemy(foe.kind)
        wounds = value // level * (2 if enemy.savage and fight.range is Range.MELEE else 1)
        if enemy.piercing:
            piercing += wounds
        else:
            normal += wounds
    return Hits(normal, piercing)


def regenerate(table: Table, fight: Fight) -> None:
    """The attribute of some enemies: one wound heals at the end of a round (SPI-024)."""
    for foe in fight.foes:
        if foe.wounds and table.enemy(foe.kind).regenerating:
            foe.wounds -= 1
