"""What a merged pack lacks or contradicts (`companion pack check`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

import msgspec

from companion.engine.game import Problem
from companion.engine.packs import numbers
from companion.engine.ways import steps
from companion.games.space_infantry.pack import (
    ATTACKS,
    CHITS,
    CLASSES,
    CUP_SIZE,
    MOST_PLUS,
    PLUS,
    SKILL_LEVELS,
    TRACK,
    Effect,
    EffectKind,
    Enemy,
    InfantryPack,
    Kind,
    Mission,
    Node,
    Resource,
    Sheet,
    printed_levels,
    requirement,
    skill_name,
    soldiers,
)
from companion.games.space_infantry.ranges import event
from companion.games.space_infantry.table import KEPT, LADDER

_TAKEN = frozenset({"accept", "command", "done", "I", "none", "proposal", "rhino", "unskilled"})
"""What may be answered where soldiers are named too."""
_COUNTED = frozenset({EffectKind.WOUNDS, EffectKind.GAIN, EffectKind.LOSE})
"""Effects that do something so many times."""
_COUNTS = {
    "unit": "SPI-016",
    "enemy": "SPI-021",
    "mission": "SPI-036",
    "vehicle": "SPI-163",
    "difficulty": "SPI-185",
    "veteran": "SPI-161",
    "campaign": "SPI-188",
}
"""The tables whose numbers count something, and where that is ruled."""
_SIGNED = (".amount", ".lowest", ".range_shift", ".presence")
"""Numbers that may be below 0."""
_AT_LEAST_ONE = (".turns", ".wounds")
"""Numbers of which 0 is too few already, which is said of each."""
_LEVELS = ("easy", "normal", "hard", "nightmare")


def problems(pack: msgspec.Struct) -> Iterable[Problem]:
    """Every fault, and what only the owner of the printed set can know."""
    assert isinstance(pack, InfantryPack)
    yield from faults(pack)
    for name, mission in pack.mission.items():
        yield from _doubtful(f"mission.{name}", mission, pack)
    yield from _idle(pack)
    if not pack.cup:
        yield Problem("cup", "how many chits show which number is for the owner to enter", "SPI-G01")


def faults(pack: InfantryPack) -> Iterator[Problem]:
    """What keeps roster, sheets, missions or cup from being played."""
    yield from _roster(pack)
    for name, sheet in pack.enemy.items():
        yield from _sheet(f"enemy.{name}", sheet)
    for name, mission in pack.mission.items():
        yield from _mission(f"mission.{name}", mission, pack)
    for name, vehicle in pack.vehicle.items():
        yield from _levels(f"vehicle.{name}", (*vehicle.pilot, *vehicle.gunnery))
        if vehicle.wounds < 1:
            yield Problem(f"vehicle.{name}.wounds", "a vehicle takes at least one wound", "SPI-163")
    for name, cup in pack.cup.items():
        many = cup.chits.values()
        if set(cup.chits) - set(CHITS) or sum(many) != CUP_SIZE or min(many) < 0:
            yield Problem(f"cup.{name}", f"{CUP_SIZE} chits with {' '.join(CHITS)} are wanted", "SPI-025")
        elif cup.chits.get(PLUS, 0) > MOST_PLUS:
            words = f"with more than {MOST_PLUS} chits that show {PLUS} a draw may never end"
            yield Problem(f"cup.{name}", words, "SPI-R02")
    for table, rule in _COUNTS.items():
        for path, number in numbers(msgspec.to_builtins(getattr(pack, table)), table):
            if number < 0 and not path.endswith(_SIGNED + _AT_LEAST_ONE):
                yield Problem(path, f"{number} is less than none", rule)
    if not pack.enemy:
        yield Problem("enemy", "there is no enemy sheet", "SPI-037")
    if not pack.mission:
        yield Problem("mission", "there is no mission sheet", "SPI-035")


def _roster(pack: InfantryPack) -> Iterator[Problem]:
    leaders = [name for name, card in pack.unit.items() if card.kind is Kind.LEADER]
    if len(leaders) != 1:
        found = " and ".join(leaders) or "none"
        yield Problem(
            "unit", f"the roster has one Team Leader, here {found}: enter it as unit.leader", "SPI-040"
        )
    for name in leaders:
        if pack.unit[name].copies != 1:
            yield Problem(f"unit.{name}.copies", "there is one Team Leader", "SPI-040")
    for name, veteran in pack.veteran.items():
        yield from _levels(
            f"veteran.{name}.levels", [one for levels in veteran.levels.values() for one in levels]
        )
    for name, card in pack.unit.items():
        levels = [level for levels in card.skills.values() for level in levels]
        yield from _levels(f"unit.{name}.skills", levels)
        for skill in card.skills:
            if skill_name(skill) not in pack.skill:
                yield Problem(f"unit.{name}.skills.{skill}", "no such skill", "SPI-016")
        if not levels:
            yield Problem(f"unit.{name}.skills", "a unit has at least one skill", "SPI-016")
        if card.wounds < 1:
            yield Problem(f"unit.{name}.wounds", "a unit has at least one wound", "SPI-016")


def _levels(path: str, levels: Iterable[int]) -> Iterator[Problem]:
    if not all(level in SKILL_LEVELS for level in levels):
        yield Problem(path, "skill levels are 2 to 6", "SPI-017")


def _sheet(path: str, sheet: Sheet) -> Iterator[Problem]:
    for name, unit in sheet.units.items():
        yield from _enemy(f"{path}.units.{name}", unit)
    unknown = {
        unit for row in sheet.presence for force in row.values() for unit in force if unit not in sheet.units
    }
    for missing in sorted(unknown):
        yield Problem(f"{path}.presence", f"no unit {missing} on this sheet", "SPI-088")
    if not sheet.presence or not all({"A", "B", "C"} <= set(row) for row in sheet.presence):
        yield Problem(f"{path}.presence", "each row has the classes A, B and C", "SPI-088")
    if not sheet.ranges or not all(
        set(row) == {"Set", "M", "F"} and set(row.values()) <= {"M", "F"} for row in sheet.ranges
    ):
        yield Problem(f"{path}.ranges", "each row has M or F for Set, M and F", "SPI-103")


def _enemy(path: str, unit: Enemy) -> Iterator[Problem]:
    yield from _levels(path, (*unit.melee, *unit.fire))
    if unit.wounds < 1:
        yield Problem(f"{path}.wounds", "an enemy has at least one wound", "SPI-021")


def _mission(path: str, mission: Mission, pack: InfantryPack) -> Iterator[Problem]:
    if not 1 <= mission.turns <= TRACK:
        yield Problem(f"{path}.turns", f"the Time marker starts on one of the boxes 1 to {TRACK}", "SPI-052")
    yield from _unknown(f"{path}.start", "node", [mission.start], mission.nodes, "SPI-008")
    for name, node in mission.nodes.items():
        yield from _node(f"{path}.nodes.{name}", name, node, mission, pack)
    wanted = (*mission.goal.reach, *mission.goal.clear, *filter(None, (mission.goal.end_at,)))
    yield from _unknown(f"{path}.goal", "node", wanted, mission.nodes, "SPI-049")
    yield from _finds(path, mission)
    yield from _unknown(f"{path}.recommended", "unit", mission.recommended, pack.unit, "SPI-041")
    if mission.rhino and "rhino" not in pack.vehicle:
        yield Problem(f"{path}.rhino", "there is no vehicle.rhino", "SPI-162")
    for name, unit in mission.special.items():
        yield from _enemy(f"{path}.special.{name}", unit)
    force = mission.special_force
    yield from _unknown(f"{path}.special_force", "special enemy", force, mission.special, "SPI-089")
    for letter, counter in mission.counters.items():
        yield from _effect(f"{path}.counters.{letter}.effect", counter.effect, mission, "SPI-201")
    marks = sum(node.counter for node in mission.nodes.values())
    if marks > sum(counter.count for counter in mission.counters.values()):
        yield Problem(f"{path}.counters", "fewer special counters than question marks", "SPI-199")


def _unknown(
    path: str, what: str, names: Iterable[str], known: Collection[str], rule: str
) -> Iterator[Problem]:
    yield from (Problem(path, f"no {what} {name}", rule) for name in names if name not in known)


def _doubtful(path: str, mission: Mission, pack: InfantryPack) -> Iterator[Problem]:
    """What can be played, but hardly is what the sheet says."""
    reached = steps([mission.start], lambda name: mission.nodes[name].links if name in mission.nodes else ())
    for name in mission.nodes:
        if name not in reached:
            yield Problem(f"{path}.nodes.{name}", f"no way leads here from {mission.start}", "SPI-R22")
    for name, node in mission.nodes.items():
        yield from _in_vain(f"{path}.nodes.{name}", node)
        for other, many in Counter((*node.links, name)).items():
            if many > 1:
                words = "leads to itself" if other == name else f"{other} is linked {many} times"
                yield Problem(f"{path}.nodes.{name}.links", words, "SPI-005")
    if mission.start in mission.nodes and mission.nodes[mission.start].counter:
        words = "no special counter is flipped where the team begins"
        yield Problem(f"{path}.nodes.{mission.start}.counter", words, "SPI-204")
    if mission.counters and not any(node.counter for node in mission.nodes.values()):
        yield Problem(f"{path}.counters", "no node has a question mark for them", "SPI-199")
    for name in mission.special:
        if sheets := [sheet.title for sheet in pack.enemy.values() if name in sheet.units]:
            words = f"{name} of {', '.join(sheets)} would be fought as this one: give it another name"
            yield Problem(f"{path}.special.{name}", words, "SPI-089")


def _in_vain(path: str, node: Node) -> Iterator[Problem]:
    """What is said of a node and never comes to pass."""
    if node.effect is not None and not _own_event(node):
        yield Problem(f"{path}.effect", "no (E) event of the node calls for it", "SPI-079")
    with suppress(ValueError):
        if not requirement(node.needs)[1]:
            words = f"{node.needs} asks for no Success Level: whoever comes can enter at once"
            yield Problem(f"{path}.needs", words, "SPI-009")
    for text in node.events:
        with suppress(ValueError):
            range_ = event(text).span
            if range_.least > range_.most:
                yield Problem(f"{path}.events", f"{text} happens on no number", "SPI-031")


def _own_event(node: Node) -> bool:
    """Has the node an (E) event?"""
    return any(text.replace(" ", "").endswith("/E") for text in node.events)


def _idle(pack: InfantryPack) -> Iterator[Problem]:
    """Words that nothing goes by, say misspelt ones, or that mean something else already."""
    for name, card in pack.unit.items():
        if not card.copies and card.kind is not Kind.LEADER:
            yield Problem(f"unit.{name}.copies", "with no such card nobody can buy it", "SPI-004")
        attacks = [skill for skill in ATTACKS if skill in printed_levels(card)]
        yield from _nothing(f"unit.{name}.piercing", card.piercing, attacks, "SPI-126")
        for skill, many in Counter(map(skill_name, card.skills)).items():
            if many > 1:
                words = f"{skill} is there {many} times, and only the last of them counts"
                yield Problem(f"unit.{name}.skills", words, "SPI-R72")
    for name, sheet in pack.enemy.items():
        yield from _nothing(f"enemy.{name}.ambush", sheet.ambush, CLASSES, "SPI-127")
        forces = dict.fromkeys(force for row in sheet.presence for force in row)
        yield from _nothing(f"enemy.{name}.presence", forces, CLASSES[:-1], "SPI-088")
    yield from _nothing("vehicle", pack.vehicle, ["rhino"], "SPI-162")
    yield from _nothing("difficulty", pack.difficulty, _LEVELS, "SPI-185")
    yield from _nothing("campaign", pack.campaign, [KEPT], "SPI-188")
    for name, kept in pack.campaign.items():
        yield from _nothing(f"campaign.{name}.difficulty", [kept.difficulty], LADDER, "SPI-188")
    for name in list(pack.cup)[1:]:
        yield Problem(f"cup.{name}", f"not this one is drawn from, but cup.{next(iter(pack.cup))}", "SPI-025")
    for name in pack.skill:
        if name != skill_name(name):
            yield Problem(f"skill.{name}", f"nothing finds it so: write it {skill_name(name)}", "SPI-R72")
    everybody = Counter(who for name, card in pack.unit.items() for who in soldiers(name, card))
    for who, many in everybody.items():
        if many > 1:
            yield Problem(f"unit.{who}", f"{many} soldiers have that name: give it another", "SPI-016")
    roster = {who: name for name, card in pack.unit.items() for who in soldiers(name, card)}
    for who in sorted(_TAKEN & roster.keys()):
        yield Problem(
            f"unit.{roster[who]}", "the game itself calls something so: give it another name", "SPI-016"
        )
    yield from _nothing("veteran", pack.veteran, roster, "SPI-003")
    for who, veteran in pack.veteran.items():
        if who in roster:
            yield from _nothing(f"veteran.{who}.card", [veteran.card], [roster[who]], "SPI-003")
            printed = printed_levels(pack.unit[roster[who]])
            yield from _nothing(f"veteran.{who}.levels", veteran.levels, printed, "SPI-016")


def _nothing(path: str, words: Iterable[str], known: Collection[str], rule: str) -> Iterator[Problem]:
    """Words that nothing looks up: in a record's field, or the names of a table's records."""
    for word in words:
        if word not in known:
            message = f"{word} means nothing here, only: {', '.join(known) or 'nothing'}"
            yield Problem(path if "." in path else f"{path}.{word}", message, rule)


def _finds(path: str, mission: Mission) -> Iterator[Problem]:
    """What is to be found has to be somewhere, on special counters or as a node's own event."""
    there: Counter[str] = Counter()
    is_placed = any(node.counter for name, node in mission.nodes.items() if name != mission.start)
    for counter in mission.counters.values() if is_placed else ():
        if counter.effect.kind is EffectKind.FOUND:
            there[counter.effect.what] += counter.count
    for node in mission.nodes.values():
        if node.effect is not None and node.effect.kind is EffectKind.FOUND and _own_event(node):
            there[node.effect.what] += 1
    for what, many in Counter(mission.goal.find).items():
        if many > there[what]:
            yield Problem(f"{path}.goal.find", f"{many} {what} to find, {there[what]} there", "SPI-049")


def _node(path: str, name: str, node: Node, mission: Mission, pack: InfantryPack) -> Iterator[Problem]:
    for other in node.links:
        if other not in mission.nodes:
            yield Problem(f"{path}.links", f"no node {other}", "SPI-005")
        elif name not in mission.nodes[other].links:
            yield Problem(f"{path}.links", f"{other} has no link back", "SPI-005")
    if node.cache and node.cache not in set(Resource):
        yield Problem(f"{path}.cache", f"{node.cache} is no resource", "SPI-153")
    if name != mission.start and (node.needs or not node.counter):
        try:
            skill, _ = requirement(node.needs)
        except ValueError as error:
            yield Problem(f"{path}.needs", str(error), "SPI-009")
        else:
            if skill not in pack.skill:
                yield Problem(f"{path}.needs", f"no skill {skill}", "SPI-009")
    if node.effect is not None:
        yield from _effect(f"{path}.effect", node.effect, mission, "SPI-079")
    yield from _events(path, node, mission)


def _events(path: str, node: Node, mission: Mission) -> Iterator[Problem]:
    for text in node.events:
        try:
            force = event(text).force
        except ValueError as error:
            yield Problem(f"{path}.events", str(error), "SPI-012")
            continue
        if force == "E" and node.effect is None:
            yield Problem(f"{path}.effect", "an (E) event needs an effect", "SPI-079")
        if force == "S" and not mission.special_force:
            yield Problem(f"{path}.events", "class S comes, but no class S enemy is entered", "SPI-089")


def _effect(path: str, effect: Effect, mission: Mission, rule: str) -> Iterator[Problem]:
    """What an event or a counter could not do when it comes to that."""
    match effect.kind:
        case EffectKind.OPEN if effect.what == mission.start or effect.what not in mission.nodes:
            yield Problem(path, f"no node {effect.what or '?'} to open", rule)
        case EffectKind.GAIN | EffectKind.LOSE if effect.what not in set(Resource):
            yield Problem(path, f"{effect.what or '?'} is no resource", rule)
        case EffectKind.ENCOUNTER if effect.what not in CLASSES:
            yield Problem(path, f"{effect.what or '?'} is no encounter class", rule)
        case EffectKind.ENCOUNTER if effect.what == "S" and not mission.special_force:
            yield Problem(path, "class S comes, but no class S enemy is entered", "SPI-089")
    if effect.kind in _COUNTED and effect.amount < 1:
        yield Problem(path, f"{effect.kind} needs an amount of 1 or more", rule)
