"""How a mission is played without a player: `steady` spends with care, `rash` just goes for the goal.

Both take the box's team and the way to the goal that promises the fewest turns. What they think a turn or a
wound is worth is ours.
"""

from __future__ import annotations

from heapq import heappop, heappush

from companion.engine.asks import AnyAsk, Choose, Number, Option, Pick
from companion.games.space_infantry.combat import FIGHT
from companion.games.space_infantry.operations import NO_CHARGE, charge_options
from companion.games.space_infantry.pack import Resource
from companion.games.space_infantry.state import Foe, Range
from companion.games.space_infantry.table import Table

NAMES = ("steady", "rash")
_STOCK = {
    Resource.GRENADE: 2,
    Resource.MEDIKIT: 3,
    Resource.INTELLIGENCE: 2,
    Resource.STYMO: 1,
    Resource.CHARGE: 0,
}
_DROP_FIRST = (
    Resource.CHARGE,
    Resource.STYMO,
    Resource.GRENADE,
    Resource.INTELLIGENCE,
    Resource.MEDIKIT,
)
_AVERAGE_AP = 3.5
_UNSKILLED_SL = 1 / 6
_MANY_FOES = 3
_NEVER = 1000.0


def advise(table: Table, question: AnyAsk, policy: str) -> object | None:
    """A raw answer for this decision; None where any will do."""
    if policy not in NAMES:
        return None
    steady = policy == "steady"
    match question:
        case Choose():
            return _choose(table, question, steady=steady)
        case Number(key=key, most=most):
            return _resources(table, Resource(key.rpartition(".")[2]), most)
        case Pick(options=options, least=least):
            if question.key == "space_infantry.combat.specials" and len(table.in_play()) > len(options):
                return []
            if question.key == "space_infantry.node.activate":
                return _activated(table, question)
            wanted = options[:least] if question.key == "space_infantry.combat.odd" else options
            return [option.id for option in wanted]
    return None


def _activated(table: Table, question: Pick) -> list[str]:
    """Everybody, but for who can set a Demo Charge, from which a chit would keep him."""
    everybody = [option.id for option in question.options]
    if NO_CHARGE not in question.detail:
        return everybody
    resting = {"command", *(option.id for option in charge_options(table, "demolitions", set()))}
    return [one for one in everybody if one not in resting]


def _choose(table: Table, question: Choose, *, steady: bool) -> str | None:
    ids = [option.id for option in question.options]
    match question.key.removeprefix("space_infantry."):
        case "team.buy":
            return "proposal" if "proposal" in ids else "done"
        case "turn.action":
            return _action(table, ids)
        case "rhino.ride":
            return "ride" if next_skill(table) == "communications" else "foot"
        case "node.enter":
            return "enter"
        case "node.means":
            return _means(ids, steady=steady)
        case "node.chits.command" | "combat.chits.command":
            return ids[-1]
        case "combat.leader":
            idle = all(option.label != FIGHT.label for option in question.options)
            return "command" if idle and "command" in ids else "fight"
        case "combat.shift":
            return _shift(table, question.options)
        case "combat.prepare":
            return _prepare(table, ids) if steady else "go"
        case "combat.stimulate":
            return ids[1] if steady and _many_foes(table) else "none"
        case "combat.allot" | "combat.treat" | "wounds.accept":
            return ids[0]
        case "wounds.medikit":
            return _medikit(question.options) if steady else "none"
        case "turn.objective":
            return "yes" if all(place.explored for place in table.op.places.values()) else "no"
        case "cache.look":
            return "look" if steady else "leave"
        case "cache.drop":
            return min(set(ids) & set(_DROP_FIRST), key=_DROP_FIRST.index, default=ids[0])
        case "end.improve":
            return ids[-1]
    return None


def _resources(table: Table, kind: Resource, most: int) -> int:
    """A usual stock, with Demo Charges where the map asks for demolitions and there is room for more."""
    blasting = any("demolition" in node.needs for node in table.mission.nodes.values())
    wanted = _STOCK[kind] + (2 if kind is Resource.CHARGE and blasting else 0)
    return min(wanted, most)


def _action(table: Table, ids: list[str]) -> str:
    """The first step on the shortest way to what is still to do; staying where only waiting helps."""
    step = way(table)
    for action in ("move", "try"):
        if f"{action}:{step}" in ids:
            return f"{action}:{step}"
    return "stay"


def next_skill(table: Table) -> str:
    """The skill of the node that the way leads to now."""
    step = way(table)
    return "" if not step or table.op.places[step].explored else table.needs(step)[0]


def way(table: Table) -> str:
    """The next node towards the nearest that still matters; empty if the team stands there."""
    op, nodes = table.op, table.mission.nodes
    wanted = open_goals(table)
    queue: list[tuple[float, str, str]] = [(0.0, op.node, "")]
    seen: set[str] = set()
    while queue:
        cost, at, first = heappop(queue)
        if at in seen:
            continue
        seen.add(at)
        if at in wanted:
            return first
        for name in nodes[at].links:
            if name not in seen:
                heappush(queue, (cost + turns_for(table, at, name), name, first or name))
    return ""


def open_goals(table: Table) -> set[str]:
    """The nodes that the goal still asks for, all if it names none; the end of the way at last."""
    op, goal, nodes = table.op, table.mission.goal, table.mission.nodes
    reach = (*goal.reach, *goal.clear) if goal.named else nodes
    wanted = {name for name in reach if not op.places[name].explored}
    wanted |= {name for name in goal.clear if len(op.places[name].spent) < len(nodes[name].events)}
    if any(op.found.count(one) < goal.find.count(one) for one in goal.find):
        wanted |= {name for name, place in op.places.items() if place.counter == "?"}
    return wanted or {goal.end_at}


def turns_for(table: Table, at: str, name: str) -> float:
    """About how many turns it takes to come from one node onto the next."""
    place = table.op.places[name]
    if place.explored:
        return 1.0
    skill, needed = table.needs(name)
    levels = [level for one in table.in_play().values() for level in one.levels.get(skill, ())]
    if table.rhino_works() and table.vehicle.crew(skill):
        levels = list(table.vehicle.crew(skill))
        if not table.mission.nodes[at].outside:
            return _NEVER
    a_turn = sum(_AVERAGE_AP / level for level in levels) or _UNSKILLED_SL
    return max(1.0, (needed - place.gathered) / a_turn)


def _means(ids: list[str], *, steady: bool) -> str:
    charges = [one for one in ids if one not in {"accept", Resource.INTELLIGENCE}]
    if charges:
        return charges[0]
    return Resource.INTELLIGENCE if steady and Resource.INTELLIGENCE in ids else "accept"


def _shift(table: Table, options: tuple[Option, ...]) -> str:
    """The range where the team deals more for what it takes."""
    other = Range.FIRE if options[1].label.startswith("Fire") else Range.MELEE
    now = Range.MELEE if other is Range.FIRE else Range.FIRE
    return "shift" if _balance(table, other) > _balance(table, now) else "keep"


def _balance(table: Table, at: Range) -> float:
    skill = "melee" if at is Range.MELEE else "fire"
    ours = sum(_AVERAGE_AP / level for one in table.in_play().values() for level in one.levels.get(skill, ()))
    enemies = [table.enemy(foe.kind) for foe in _foes(table)]
    theirs = sum(
        _AVERAGE_AP / level for one in enemies for level in (one.melee if at is Range.MELEE else one.fire)
    )
    return ours - theirs


def _foes(table: Table) -> list[Foe]:
    """Nobody where the combat was taken off the table by hand."""
    return table.op.fight.foes if table.op.fight else []


def _many_foes(table: Table) -> bool:
    return len(_foes(table)) >= _MANY_FOES


def _prepare(table: Table, ids: list[str]) -> str:
    if _many_foes(table):
        if Resource.INTELLIGENCE in ids and table.op.resources[Resource.INTELLIGENCE] > 1:
            return Resource.INTELLIGENCE
        if Resource.GRENADE in ids:
            return Resource.GRENADE
    return "go"


def _medikit(options: tuple[Option, ...]) -> str:
    """Only where it keeps somebody in play."""
    return next((option.id for option in options if option.detail == "last wound"), "none")
