"""Event checks and encounters, special counters, and whether the goal is met (4.2.A.3, 10.1)."""

from __future__ import annotations

from functools import partial

from companion.engine.asks import Draw, Option, Script, Show, ask
from companion.games.space_infantry.briefing import select_sheet
from companion.games.space_infantry.combat import combat
from companion.games.space_infantry.numbers import number
from companion.games.space_infantry.pack import RESOURCE_NAMES, Effect, EffectKind
from companion.games.space_infantry.ranges import EventString, event
from companion.games.space_infantry.resources import gain
from companion.games.space_infantry.state import Edge, Fight, Foe
from companion.games.space_infantry.table import Table, several, tell
from companion.games.space_infantry.wounds import wound_team


def check_events(table: Table, *, enemy: bool, own: bool) -> Script[bool]:
    """Every event of the current node still to come, from left to right; True if there was contact.

    `enemy` checks for encounters, `own` for the mission's (E) events: with Hard fight they come apart
    (SPI-077 to SPI-086, SPI-177, SPI-R30, SPI-R64).
    """
    met = False
    node, place = table.node, table.place
    for at, text in enumerate(node.events):
        part = event(text)
        if at in place.spent or not (own if part.force == "E" else enemy):
            continue
        if not (yield from happens(table, part, text)):
            continue
        place.spent.append(at)
        if part.force == "E":
            assert node.effect is not None
            table.op.grounds.append("SPI-079")
            yield from apply(table, node.effect)
        else:
            met |= yield from contact(table, part.force, part.shift, early=not own)
        if not table.in_play():
            break
    return met


def happens(table: Table, part: EventString, text: str) -> Script[bool]:
    """Is the event set off? Auto needs no number (SPI-014, SPI-079, SPI-086)."""
    if part.span.automatic:
        return True
    zero = part.span.holds(0) != part.span.holds(1)
    rule = ("SPI-079" if part.force == "E" else "SPI-086", "SPI-083")
    words = f"{table.node.title}: event check {text}"
    rn = yield from number(table, "space_infantry.event.rn", words, rule, zero=zero, told=table.pending())
    return part.span.holds(rn)


def contact(table: Table, force: str, shift: int, *, early: bool = False) -> Script[bool]:
    """An encounter: first who comes, then the fight (SPI-087); False if the table sends nobody.

    An `early` one is met before the actions, which it takes the place of (SPI-178).
    """
    if not table.op.sheet:
        yield from select_sheet(table)
    listed = yield from enemy_force(table, force, shift)
    foes = {kind: many for kind, many in listed.items() if many > 0}
    if not foes:
        table.note("nobody there", "SPI-088")
        return False
    fight = Fight(force, [Foe(kind) for kind, many in foes.items() for _ in range(many)])
    if force in table.sheet.ambush:
        fight.edge = Edge.ENEMY
    table.op.fight = fight
    yield from tell(table, "space_infantry.event.told", ("SPI-086",))
    words = ", ".join(several(many, table.enemy(kind).title) for kind, many in foes.items())
    first = "they strike first" if fight.edge is Edge.ENEMY else ""
    # The question for an action, which names the box of the Time marker in any other turn, is not put then.
    instead = f"; no actions this turn, Time marker on box {table.op.marker}" if early else ""
    yield from ask(
        Show(
            "space_infantry.encounter.met",
            f"Contact, class {force}: {words}",
            f"{table.sheet.title} ({table.sheet.source}){first and f'; {first}'}{instead}",
            rule=("SPI-087", "SPI-088", "SPI-015"),
            news=first,
        )
    )
    yield from combat(table, fight, early=early)
    table.op.fight = None
    return True


def enemy_force(table: Table, force: str, shift: int) -> Script[dict[str, int]]:
    """Who comes: the row of a second, modified number in the column of the class (SPI-088 to SPI-090).

    Class S stands on the mission sheet (SPI-089); numbers off the table count as its last row (SPI-R04).
    """
    if force == "S":
        return table.mission.special_force
    rn = yield from number(
        table, "space_infantry.encounter.rn", f"Enemy force, class {force}", ("SPI-088", "SPI-090"), zero=True
    )
    rows = table.sheet.presence
    row = rn + shift + table.level.presence - table.sheet.lowest
    return rows[min(max(row, 0), len(rows) - 1)].get(force, {})


def flip_counter(table: Table) -> Script[None]:
    """The special counter of the node just entered, turned over (SPI-204)."""
    drawn = yield from ask(partial(flip_question, table))
    table.place.counter = drawn[0]
    table.op.grounds += ("SPI-201", "SPI-204")
    yield from apply(table, table.mission.counters[drawn[0]].effect)


def flip_question(table: Table) -> Draw:
    """Which of the counters that lie open nowhere it is."""
    seen = [place.counter for place in table.op.places.values()]
    options = tuple(
        Option(letter, f"Counter {letter}", one.effect.text, copies=one.count - seen.count(letter))
        for letter, one in table.mission.counters.items()
        if one.count > seen.count(letter)
    )
    return Draw(
        "space_infantry.counter.flip",
        f"{table.node.title}: flip the special counter",
        table.pending(),
        settled="",
        rule=("SPI-200", "SPI-204"),
        deck="special counters",
        count=1,
        options=options,
    )


def apply(table: Table, effect: Effect) -> Script[None]:
    """What the Mission Briefing says of an (E) event or a letter (SPI-079, SPI-201)."""
    op = table.op
    if effect.text:
        table.note(effect.text)
    match effect.kind:
        case EffectKind.NOTHING:
            if not effect.text:
                table.note("nothing happens")
        case EffectKind.WOUNDS:
            yield from wound_team(table, effect.amount, 0, anybody=True, why=effect.text)
        case EffectKind.TURNS:
            op.marker = min(max(op.marker + effect.amount, 1), table.mission.turns)
            table.note(f"Time marker to box {op.marker}")
        case EffectKind.GAIN:
            yield from gain(table, effect.what, effect.amount)
        case EffectKind.LOSE:
            lost = min(op.resources[effect.what], effect.amount)
            op.resources[effect.what] -= lost
            track = ", off the Turn Track" * bool(lost)
            table.note(f"{RESOURCE_NAMES[effect.what]}: {lost} lost{track}", "SPI-046")
        case EffectKind.ENCOUNTER:
            yield from contact(table, effect.what, effect.amount)
        case EffectKind.OPEN:
            op.places[effect.what].gathered = table.needs(effect.what)[1]
            table.note(f"{table.mission.nodes[effect.what].title} is open")
        case EffectKind.FOUND:
            op.found.append(effect.what)
            if not effect.text:
                table.note(f"found: {effect.what}")


def goals_met(table: Table) -> bool:
    """Is everything done that the briefing asks for (SPI-049)?"""
    op, goal, nodes = table.op, table.mission.goal, table.mission.nodes
    return (
        all(op.places[name].explored for name in (*goal.reach, *goal.clear))
        and all(len(op.places[name].spent) == len(nodes[name].events) for name in goal.clear)
        and all(op.found.count(one) >= goal.find.count(one) for one in goal.find)
        and goal.end_at in ("", op.node)
    )
