"""Combat rounds: who leads, at which range, with what preparations, who strikes first (chapter 5)."""

from __future__ import annotations

from functools import partial

import msgspec

from companion.engine.asks import Ask, Choose, Option, Script, Show, ask, offered
from companion.games.space_infantry.attacks import Hits, enemy_attacks, fighters, friendly_attacks
from companion.games.space_infantry.checks import checks_of, place_chits, take_back
from companion.games.space_infantry.enemy_wounds import wound_enemies
from companion.games.space_infantry.numbers import number
from companion.games.space_infantry.pack import Resource
from companion.games.space_infantry.resources import OFF_THE_TRACK, spend, treat, treatments
from companion.games.space_infantry.state import Edge, Fight, Range
from companion.games.space_infantry.table import Table, told
from companion.games.space_infantry.wounds import wound_team
from companion.wording import counted

FIGHT = Option("fight", "Fight")
_IDLE = Option("fight", "Nothing")
_GO = Option("go", "Attack")
_GO_ON = Option("go", "Go on")
_SHIFT = "shift"
_GRENADE = f"a random number of extra wounds; {OFF_THE_TRACK}"
_COMMAND = "each is 1 AP for one check, or 1 on the range number"


def combat(table: Table, fight: Fight, *, early: bool = False) -> Script[None]:
    """Rounds until the enemy is eliminated or the team is defeated (SPI-098, SPI-R57).

    After an `early` one there is no question for an action, where old wounds could be treated (SPI-178).
    """
    team = table.op.team.values()
    for member in team:
        member.fought = False
    while fight.foes and table.in_play():
        fight.round += 1
        fight.grenade = False
        yield from combat_round(table, fight)
        table.op.command = 0
        take_back(table)
        regenerate(table, fight)
        left = len(fight.foes)
        if not left and any(member.stymo for member in team):
            table.note("take the Stymo-Packs off", "SPI-146")
        outcome = f"{left} of the enemy left" if left else "enemy eliminated"
        table.op.news.insert(0, outcome if table.in_play() else "the team is defeated")
        end = told(table, "space_infantry.combat.round", ("SPI-098", "SPI-099"))
        if early and not left:
            yield from treat_wounds(table, end)
        else:
            yield from ask(end)
    for member in team:
        member.stymo = False


def treat_wounds(table: Table, end: Show) -> Script[None]:
    """MediKits on who is wounded, as the end of a fight is told (SPI-132)."""
    while (wish := (yield from ask(partial(treat_question, table, end)))) not in (True, _GO_ON.id):
        treat(table, str(wish).partition(":")[2])
        end = msgspec.structs.replace(end, news="")


def treat_question(table: Table, end: Show) -> Ask[object]:
    """The end of a fight, with whom a MediKit helps; earlier versions only told it."""
    options = treatments(table)
    if not options:
        return end
    rule = (*end.rule, "SPI-132", "SPI-138", "SPI-139")
    return Choose(
        "space_infantry.combat.treat",
        end.text,
        end.detail,
        rule,
        (_GO_ON, *options),
        former=end,
        news=end.news,
    )


def combat_round(table: Table, fight: Fight) -> Script[None]:
    """Command, range, who fights, attacks (SPI-099, SPI-113, SPI-127 to SPI-129)."""
    leader = yield from leader_orders(table)
    yield from combat_range(table, fight)
    yield from preparations(table, fight)
    team = yield from fighters(table, fight, leader=leader)
    match fight.edge if fight.round == 1 else Edge.NOBODY:
        case Edge.TEAM:
            yield from wound_enemies(table, fight, (yield from friendly_attacks(table, fight, team)))
            yield from suffer(table, (yield from enemy_attacks(table, fight)))
        case Edge.ENEMY:
            riding = table.riding()
            yield from suffer(table, (yield from enemy_attacks(table, fight)))
            # Who lost the Rhino is on foot from the next round on (SPI-R62).
            if table.in_play() and riding == table.riding():
                yield from strike_back(table, fight, team)
        case Edge.NOBODY | Edge.BOTH:
            ours = yield from friendly_attacks(table, fight, team)
            theirs = yield from enemy_attacks(table, fight)
            yield from wound_enemies(table, fight, ours)
            yield from suffer(table, theirs)


def strike_back(table: Table, fight: Fight, team: list[str]) -> Script[None]:
    """The attacks of who has survived an ambush; a Grenade is no unit's (SPI-128, SPI-R69)."""
    fit = [name for name in team if name in table.in_play()]
    if fit or table.rhino_here() or fight.grenade:
        yield from wound_enemies(table, fight, (yield from friendly_attacks(table, fight, fit)))
    else:
        table.note("nobody who fought is left to strike back", "SPI-128")


def suffer(table: Table, hits: Hits) -> Script[None]:
    """The enemy's hits on the team; at Hard and Nightmare only on who fought (SPI-190, SPI-R37)."""
    yield from wound_team(table, hits.normal, hits.piercing, anybody=not table.level.strict)


def leader_orders(table: Table) -> Script[bool]:
    """True if the leader keeps the chits for fighting; else Command Points, or boarding (SPI-R12)."""
    table.op.command = 0
    leader = table.leader()
    if not leader or not table.rules.command or not table.campaign.roster[leader].levels.get("command"):
        return True
    wish = yield from ask(partial(leader_question, table))
    if wish == "fight":
        return True
    checks = checks_of(table, leader, "command")
    yield from place_chits(table, "space_infantry.combat.leader_chits", checks, ("SPI-073", "SPI-105"))
    made = sum(check.sl for check in checks)
    if wish == "board":
        change_seats(table, made)
    else:
        table.op.command = made
        table.note(f"{counted(made, 'Command Point')} made", "SPI-073")
    return False


def leader_question(table: Table) -> Choose:
    """What the leader's Action Points are for; nothing if an override has put the leader out meanwhile."""
    leader = table.leader()
    levels = table.campaign.roster[leader].levels if leader else {}
    can_fight = (levels.get("melee") or levels.get("fire")) and not table.riding()
    options = [Option("command", "Command Points", _COMMAND)] if leader else []
    options.append(FIGHT if can_fight else _IDLE)
    if leader and table.rhino_here():
        options.append(
            Option(
                "board",
                "Leave the Rhino" if table.riding() else "Board the Rhino",
                "needs 1 CP, the rest is lost",
            )
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
        table.note("the team is in the Rhino" if rhino.inside else "the team is on foot", "SPI-170")
    else:
        table.note("no CP: nobody changes seats", "SPI-170")


def combat_range(table: Table, fight: Fight) -> Script[None]:
    """Melee or Fire, by the sheet's table and the range so far (SPI-100 to SPI-105, SPI-R32).

    The sheet's attribute is none of a special enemy's, whose own are on the mission sheet (SPI-089).
    """
    rn = yield from number(
        table,
        "space_infantry.combat.range",
        f"Round {fight.round}: range, column {fight.range.words}",
        ("SPI-100", "SPI-101", "SPI-102"),
        zero=True,
    )
    rn += 0 if fight.force == "S" else table.sheet.range_shift
    rn = yield from shift_range(table, fight, rn)
    fight.range = range_at(table, fight, rn)
    table.note(f"range {fight.range.words}", "SPI-103")


def range_at(table: Table, fight: Fight, rn: int) -> Range:
    """What the Range Table says; numbers off the table count as its last row (SPI-R04)."""
    rows = table.sheet.ranges
    row = min(max(rn - table.sheet.lowest, 0), len(rows) - 1)
    return Range(rows[row][fight.range.value])


def shift_range(table: Table, fight: Fight, rn: int) -> Script[int]:
    """Command Points as plus or minus on the range number, where that can change it (SPI-105, SPI-R14)."""
    wish = yield from offered(partial(shift_question, table, fight, rn))
    if wish == _SHIFT:
        shift = shift_for(table, fight, rn)
        table.op.command -= abs(shift)
        rn += shift
    return rn


def shift_for(table: Table, fight: Fight, rn: int) -> int:
    """The smallest change of the range number that gives the other range; 0 if no Command Points reach it."""
    command, now = table.op.command, range_at(table, fight, rn)
    nearest = sorted(range(-command, command + 1), key=abs)
    return next((shift for shift in nearest if range_at(table, fight, rn + shift) is not now), 0)


def shift_question(table: Table, fight: Fight, rn: int) -> Choose:
    """Whether Command Points change the range."""
    now, shift = range_at(table, fight, rn), shift_for(table, fight, rn)
    options = [Option("keep", f"Keep {now.words}")]
    if shift:
        other = range_at(table, fight, rn + shift)
        options.append(Option(_SHIFT, f"{other.words} for {abs(shift)} CP", f"{shift:+d} on the number"))
    return Choose(
        "space_infantry.combat.shift",
        f"Range {now.words}, {table.op.command} CP: change it?",
        rule=("SPI-105", "SPI-R14"),
        options=tuple(options),
    )


def preparations(table: Table, fight: Fight) -> Script[None]:
    """Resources before the attacks: a Grenade, Intelligence for an ambush (6.1)."""
    while (wish := (yield from offered(partial(preparation_question, table, fight)))) != _GO.id:
        spend(table, wish)
        if wish == Resource.GRENADE:
            fight.grenade = True
        else:
            fight.edge = Edge.BOTH if fight.edge is Edge.ENEMY else Edge.TEAM


def preparation_question(table: Table, fight: Fight) -> Choose:
    """What may be spent now (SPI-133, SPI-134, SPI-142, SPI-R46)."""
    held, options = table.op.resources, [_GO]
    if fight.range is Range.MELEE and not table.riding() and held[Resource.GRENADE] and not fight.grenade:
        options.append(Option(Resource.GRENADE.value, "Grenade", _GRENADE))
    if held[Resource.INTELLIGENCE] and fight.round == 1 and fight.edge in {Edge.NOBODY, Edge.ENEMY}:
        gained = "strike first" if fight.edge is Edge.NOBODY else "both strike at once"
        detail = f"one Intelligence off the Turn Track: {gained}"
        options.append(Option(Resource.INTELLIGENCE.value, "Ambush", detail))
    return Choose(
        "space_infantry.combat.prepare",
        f"{fight.range.words}, {len(fight.foes)} of the enemy: ready?",
        rule=("SPI-133", "SPI-134", "SPI-142"),
        options=tuple(options),
    )


def regenerate(table: Table, fight: Fight) -> None:
    """The attribute of some enemies: one wound heals at the end of a round (SPI-024)."""
    for foe in fight.foes:
        enemy = table.enemy(foe.kind)
        if foe.wounds and enemy.regenerating:
            foe.wounds -= 1
            table.note(f"{enemy.title} heals a wound, {foe.wounds}/{enemy.wounds} now", "SPI-024")
