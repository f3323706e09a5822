"""What must hold of every campaign, whatever was answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from companion.games.space_infantry.pack import (
    CHITS,
    CLASSES,
    CUP_SIZE,
    PLUS,
    SKILL_LEVELS,
    EffectKind,
    InfantryPack,
    Kind,
    Mission,
    Resource,
    printed_levels,
    soldiers,
)
from companion.games.space_infantry.state import Operation
from companion.games.space_infantry.table import Numbers, Table
from companion.wording import counted


def broken(table: Table) -> Iterator[str]:
    """Every invariant that does not hold, in words; of a table with names that mean nothing only those."""
    unknown = list(_unknown(table))
    yield from unknown
    if unknown:
        return
    yield from _roster(table)
    campaign = table.campaign
    if campaign.streak < 0:
        yield f"streak is {campaign.streak}, below 0"
    if campaign.operation is not None:
        yield from _mission(table, campaign.operation)
    if table.rules.numbers is Numbers.CUP:
        yield from _cup(table)


def _unknown(table: Table) -> Iterator[str]:
    """The names of cards, sheets, nodes and letters that there are not."""
    campaign, pack = table.campaign, table.pack
    yield from _none("difficulty", [campaign.difficulty], pack.difficulty)
    yield from _none("card", [one.card for one in campaign.roster.values()], pack.unit)
    cards = _cards(pack)
    yield from _none("soldier", campaign.roster, cards)
    if missing := [name for name in cards if name not in campaign.roster]:
        yield f"roster without {', '.join(missing)}"
    yield from _none("chit", [*campaign.cup, *campaign.lying], CHITS)
    yield from _none("mission", [report.mission for report in campaign.reports], pack.mission)
    yield from _none("difficulty", [report.difficulty for report in campaign.reports], pack.difficulty)
    if campaign.operation is not None:
        yield from _unknown_in(table, campaign.operation)
    elif not table.between:
        yield "a mission is being played"


def _cards(pack: InfantryPack) -> dict[str, str]:
    """Every soldier of the roster, and on which card."""
    return {who: name for name, card in pack.unit.items() for who in soldiers(name, card)}


def _unknown_in(table: Table, op: Operation) -> Iterator[str]:
    """The same in a mission."""
    pack, roster, kinds = table.pack, table.campaign.roster, [kind.value for kind in Resource]
    yield from _none("mission", [op.mission], pack.mission)
    yield from _none("enemy sheet", [op.sheet] if op.sheet or op.fight else [], pack.enemy)
    yield from _none("class of enemies", [op.fight.force] if op.fight else [], CLASSES)
    yield from _none("soldier", op.team, roster)
    yield from _none("soldier", [chit.who for chit in op.chits], [*roster, "rhino"])
    yield from _none("resource", op.resources, kinds)
    yield from _none("resource", [place.resource for place in op.places.values()], ["", *kinds])
    if missing := [kind for kind in kinds if op.node and kind not in op.resources]:
        yield f"resources without {', '.join(missing)}"
    if op.rhino is not None and "rhino" not in pack.vehicle:
        yield "there is no vehicle.rhino"
    elif op.rhino is not None and op.mission in pack.mission and not pack.mission[op.mission].rhino:
        yield "this mission has no Rhino"
    if op.mission in pack.mission:
        mission = pack.mission[op.mission]
        is_laid_out = op.node or op.places or op.turn
        yield from _none("node", [op.node] if is_laid_out else [], mission.nodes)
        yield from _none("node", op.places, mission.nodes)
        yield from _none("find", op.found, _finds(mission))
        yield from _none("counter", [one.counter for one in op.places.values()], ["", "?", *mission.counters])
        if missing := [name for name in mission.nodes if op.node and name not in op.places]:
            yield f"places without {', '.join(missing)}"


def _finds(mission: Mission) -> list[str]:
    """All that a mission asks to find, and that its nodes and counters have."""
    counters = (one.effect for one in mission.counters.values())
    effects = (*counters, *(node.effect for node in mission.nodes.values() if node.effect))
    there = [one.what for one in effects if one.kind is EffectKind.FOUND]
    return sorted({*mission.goal.find, *there})


def _none(what: str, names: Collection[str], known: Collection[str]) -> Iterator[str]:
    """Who of these names is not known."""
    for name in sorted(set(names) - set(known)):
        yield f"no {what} {name!r}, only: {', '.join(filter(None, known)) or 'nothing'}"


def _cup(table: Table) -> Iterator[str]:
    """The chits in the cup that the box keeps, and on units."""
    campaign = table.campaign
    printed = next(iter(table.pack.cup.values())).chits
    if missing := [face for face in printed if face not in campaign.cup]:
        yield f"cup without {', '.join(missing)}"
    chits = Counter(campaign.lying)
    chits.update(campaign.cup)
    if any(many < 0 for held in (campaign.cup, campaign.lying) for many in held.values()):
        yield "chits below nothing"
    if chits.total() > CUP_SIZE:
        yield f"{chits.total()} chits in the cup and on units"
    if chits.total() == chits[PLUS]:
        yield "no chit with a number is left"


def _roster(table: Table) -> Iterator[str]:
    pack, cards = table.pack, _cards(table.pack)
    printed = {name: _boxes(printed_levels(card)) for name, card in pack.unit.items()}
    for name, soldier in table.campaign.roster.items():
        if soldier.card != cards[name]:
            yield f"{name} is on the card {cards[name]}, not {soldier.card}"
        elif soldier.kind is not pack.unit[soldier.card].kind:
            yield f"{name} is {pack.unit[soldier.card].kind} on the card, not {soldier.kind}"
        elif _boxes(soldier.levels) != (there := printed[soldier.card]):
            yield f"{name} has on the card: {', '.join(sorted(Counter(there).elements()))}"
        if soldier.ep < 0:
            yield f"{name} has spent more EP than there were"
        if soldier.wounds < 1:
            yield f"{name} can take no wound"
        for what, value in (("armor", soldier.armor), ("missions", soldier.missions)):
            if value < 0:
                yield f"{name}: {what} is {value}, below 0"
        if not all(level in SKILL_LEVELS for levels in soldier.levels.values() for level in levels):
            yield f"{name} has a skill level off the scale"
    for at, report in enumerate(table.campaign.reports):
        if min(report.survivors, report.turns) < 0:
            yield f"report {at} has {report.survivors} survivors and {report.turns} turns"


def _boxes(levels: dict[str, list[int]]) -> dict[str, int]:
    """How many levels each skill has, which experience betters only."""
    return {skill: len(each) for skill, each in levels.items() if each}


def _mission(table: Table, op: Operation) -> Iterator[str]:
    roster, mission = table.campaign.roster, table.pack.mission[op.mission]
    for name, member in op.team.items():
        if not 0 <= member.wounds <= roster[name].wounds:
            yield f"{name} has {member.wounds} of {roster[name].wounds} wounds"
        if not 0 <= member.treated <= roster[name].wounds:
            yield f"{name} has {member.treated} Treated Wounds"
    for chit in op.chits:
        if chit.level not in SKILL_LEVELS or chit.ap < 0:
            yield f"a chit of {chit.ap} on {chit.who} for level {chit.level}"
    if op.team and not any(roster[name].kind is Kind.LEADER for name in op.team):
        yield "the Team Leader is missing"
    for what, value in (("command", op.command), ("surplus", op.surplus), ("turn", op.turn)):
        if value < 0:
            yield f"{what} is {value}, below 0"
    held = sum(op.resources.values())
    if any(many < 0 for many in op.resources.values()):
        yield f"resources below nothing: {op.resources}"
    if held > table.level.resources + op.surplus:
        yield f"{held} resources, {table.level.resources} allowed"
    if not (1 if op.node else 0) <= op.marker <= mission.turns:
        yield f"the Time marker is on {op.marker}"
    for name, place in op.places.items():
        if place.gathered < 0:
            yield f"{place.gathered} Success Levels are gathered on {name}"
        events = range(len(mission.nodes[name].events))
        if strange := [at for at in place.spent if at not in events]:
            yield f"{name} has no event {strange[0]}, its {counted(len(events), 'event')} count from 0"
        if name in (op.node, mission.start) and not place.explored:
            yield f"the team is or was on {name}: first set operation.places.{name}.explored to true"
    letters = [place.counter for place in op.places.values()]
    left = sum(max(one.count - letters.count(letter), 0) for letter, one in mission.counters.items())
    if letters.count("?") > left:
        yield f"{counted(letters.count('?'), 'special counter')} face down, {left} left"
    if op.fight is not None:
        if op.fight.round < 0:
            yield f"round is {op.fight.round}, below 0"
        kinds = table.sheet.units.keys() | mission.special.keys()
        for foe in op.fight.foes:
            if foe.kind not in kinds:
                yield f"the enemy has no {foe.kind}"
            elif not 0 <= foe.wounds < table.enemy(foe.kind).wounds:
                yield f"an active {foe.kind} has {foe.wounds} wounds"
    if op.node and mission.rhino and op.rhino is None:
        yield f"the Rhino is missing: one that is destroyed has {table.vehicle.wounds} wounds"
    if op.rhino is not None and not 0 <= op.rhino.wounds <= table.vehicle.wounds:
        yield f"the Rhino has {op.rhino.wounds} wounds"
