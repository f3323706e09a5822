"""The mission as text of at most 40 columns, and its map as SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby

from companion.engine.game import Board, Panel
from companion.engine.packs import Source
from companion.engine.svg import picture
from companion.engine.ways import steps
from companion.games.space_infantry.pack import RESOURCE_NAMES, Node, requirement
from companion.games.space_infantry.table import STEPS, SUCCESSES_A_STEP, Table, several

_WIDE, _HIGH = 150, 70
_BOX_WIDE, _BOX_HIGH = 122, 48

_STYLE = """
svg{color:#222;background:#fff}
.node{fill:#fff;stroke:currentColor}
.explored{fill:#d5e8d4}
.here{stroke:#c0392b;stroke-width:3}
.outside{stroke-dasharray:4 2}
.link{stroke:currentColor}
.ink{fill:currentColor}
text{font:10px sans-serif;text-anchor:middle}
.title{font-weight:bold}
@media (prefers-color-scheme:dark){
svg{color:#ddd;background:#181818}.node{fill:#282828}.explored{fill:#26402a}
}
"""


def board(table: Table) -> Board:
    """Where the team stands, who is in it, the fight if there is one, the map."""
    campaign = table.campaign
    if campaign.operation is None:
        return Board("Space Infantry", (_panel("Campaign", _campaign(table)),))
    mission = table.mission
    panels = [Panel("Mission", tuple(_mission(table)), lying=tuple(_mission(table, kinds=1)))]
    team = Panel("Team", _fitted(_team(table, "{:<14}")), lying=tuple(_team(table, "{}: ")), whole_names=True)
    places = Panel("Map", _fitted(_map(table) if table.op.places else ()))
    if table.op.fight is not None:
        fight = Panel("Combat", tuple(_fight(table)), lying=tuple(_foes(table)), whole_names=True)
        panels += [fight, team, places]
    else:  # what is nearer the start is seen on a small screen too
        panels += [places, team]
    panels.append(_panel("Campaign", _campaign(table)))
    turn = f", turn {table.op.turn}" if table.op.turn else ""
    title = f"{mission.title} ({mission.source} mission){turn}"
    return Board(title, tuple(panel for panel in panels if panel.lines))


def _panel(title: str, lines: Iterable[str]) -> Panel:
    return Panel(title, tuple(lines))


def _fitted(lines: Iterable[str]) -> tuple[str, ...]:
    """Lines whose words stand below each other: no screen breaks them, so they are short."""
    return _panel("", lines).fitted()


def _mission(table: Table, kinds: int = 2) -> Iterator[str]:
    """Of the resources so many kinds a line."""
    op = table.op
    if op.node:
        turn = f"turn {op.turn}, " if op.turn else ""
        yield f"Box {op.marker}, {turn}{table.level.title}"
        yield f"At {table.node.title}"
    else:
        yield table.level.title
    if op.sheet:
        yield f"Enemy {table.sheet.title} ({table.sheet.source})"
    held = [f"{RESOURCE_NAMES[kind]} {many}" for kind, many in op.resources.items() if many]
    for at in range(0, len(held), kinds):
        yield ", ".join(held[at : at + kinds])
    if op.rhino is not None:
        seat = "inside" if op.rhino.inside else "on foot"
        whose = " (stand-in)" if table.vehicle.source == Source.STAND_IN else ""
        yield f"Rhino{whose} {op.rhino.wounds}/{table.vehicle.wounds} damage, team {seat}"
    if op.found:
        found = (f"{many} {what}" if many > 1 else what for what, many in Counter(op.found).items())
        yield f"Found: {', '.join(found)}"


def _fight(table: Table) -> Iterator[str]:
    fight = table.fight
    yield _round(table)
    for (kind, wounds), alike in groupby(fight.foes, lambda foe: (foe.kind, foe.wounds)):
        enemy, many = table.enemy(kind), len(list(alike))
        yield f"{several(many, enemy.title) if many > 1 else enemy.title} {wounds}/{enemy.wounds}"


def _round(table: Table) -> str:
    fight = table.fight
    return f"Round {fight.round}, range {fight.range.value}, class {fight.force}"


def _foes(table: Table) -> Iterator[str]:
    """The same with all enemies of a kind in a line."""
    yield _round(table)
    kinds: dict[str, Counter[int]] = {}
    for foe in table.fight.foes:
        kinds.setdefault(foe.kind, Counter())[foe.wounds] += 1
    for kind, wounded in kinds.items():
        enemy = table.enemy(kind)
        each = (f"{many} x " * (many > 1) + f"{wounds}/{enemy.wounds}" for wounds, many in wounded.items())
        yield f"{enemy.title}: {', '.join(each)}"


def _team(table: Table, title: str) -> Iterator[str]:
    for name, soldier, member in table.members():
        marks = f" treated {member.treated}" if member.treated else ""
        marks += " stymo" if member.stymo else ""
        chits = " ".join(str(chit.ap) for chit in table.op.chits if chit.who == name)
        marks += f" AP {chits}" if chits else ""
        state = f"{member.wounds}/{soldier.wounds}" if member.wounds < soldier.wounds else "out"
        yield f"{title.format(soldier.title)}{state}{marks}"
    own = {table.pack.unit[one.card].source == Source.STAND_IN for _, one, _ in table.members()}
    if True in own:
        yield f"stand-in cards{', some' if False in own else ''}"


def _map(table: Table) -> Iterator[str]:
    for name, node in table.mission.nodes.items():
        place = table.op.places[name]
        mark = ">" if name == table.op.node else "+" if place.explored else " "
        yield f"{mark}{node.title:<12}{_needs(table, name)}"
        extra = _marks(table, name)
        if extra:
            yield f"   {extra}"


def _marks(table: Table, name: str) -> str:
    """Events still to come, a cache and what is left of it, a special counter."""
    node, place = table.mission.nodes[name], table.op.places[name]
    marks = [text for at, text in enumerate(node.events) if at not in place.spent]
    if node.cache:
        letter = "?" if table.rules.random_resources else node.cache
        marks.append("cache empty" if place.emptied else f"cache {place.resource or letter}")
    if place.counter:
        marks.append(f"counter {place.counter}")
    return " ".join(marks)


def _needs(table: Table, name: str) -> str:
    """What is gathered of what a node asks for; the skill stands last, where a small screen cuts."""
    if table.op.places[name].explored:
        return ""
    skill, count = table.needs(name)
    return f" {table.op.places[name].gathered}/{count} {table.skill_word(skill)}"


def _printed(table: Table, node: Node) -> str:
    if not node.needs:
        return ""
    skill, count = requirement(node.needs)
    return f"{table.skill_word(skill)} {count}"


def _campaign(table: Table) -> Iterator[str]:
    campaign = table.campaign
    towards = ""
    if table.rules.progression and (further := STEPS.get(campaign.difficulty)):
        title = table.pack.difficulty[further].title
        towards = f", {min(campaign.streak, SUCCESSES_A_STEP)} of {SUCCESSES_A_STEP} successes to {title}"
    yield f"{table.level.title}{towards}"
    for report in campaign.reports:
        title = table.pack.mission[report.mission].title
        yield f"{title}: {'done' if report.success else 'aborted'}, {report.survivors} back"
    for soldier in campaign.roster.values():
        if soldier.missions:
            lost = ", lost" if soldier.lost else ""
            yield f"{soldier.title}: {soldier.ep} EP{lost}"


def svg(table: Table) -> str:
    """The nodes by their distance from Start, what they ask for, and where the team is.

    Where no mission is played, how the campaign stands.
    """
    if table.campaign.operation is None:
        return _standing(table)
    nodes = table.mission.nodes
    places = _layout(table)
    wide = (max(x for x, _ in places.values()) + 1) * _WIDE
    high = (max(y for _, y in places.values()) + 1) * _HIGH + 20
    title = f"{table.mission.title} ({table.mission.source})"
    parts = [f'<text class="ink title" x="{wide // 2}" y="14">{escape(title)}</text>']
    links = [(name, other) for name, node in nodes.items() for other in node.links if name < other]
    parts += (_link(places[name], places[other]) for name, other in links)
    parts += (_box(table, name, node, places[name]) for name, node in nodes.items())
    return picture(title, f"0 0 {wide} {high}", _STYLE, parts)


def _standing(table: Table) -> str:
    """No wider than its words, which a telephone shows large enough to be read."""
    lines = _panel("Campaign", _campaign(table)).fitted()
    wide, high = 2 * _WIDE, 32 + 14 * len(lines)
    parts = [f'<text class="ink title" x="{wide // 2}" y="18">Campaign</text>']
    parts += (
        f'<text class="ink" x="{wide // 2}" y="{36 + 14 * at}">{escape(line)}</text>'
        for at, line in enumerate(lines)
    )
    return picture("Campaign", f"0 0 {wide} {high}", _STYLE, parts)


def _layout(table: Table) -> dict[str, tuple[int, int]]:
    """A column for each number of steps from Start, in the order of the sheet."""
    nodes = table.mission.nodes
    column = steps([table.mission.start], lambda name: nodes[name].links)
    rows: dict[int, int] = {}
    places = {}
    for name in nodes:
        x = column.get(name, 0)
        places[name] = (x, rows.get(x, 0))
        rows[x] = rows.get(x, 0) + 1
    return places


def _middle(place: tuple[int, int]) -> tuple[int, int]:
    return place[0] * _WIDE + _WIDE // 2, place[1] * _HIGH + _HIGH // 2 + 20


def _link(one: tuple[int, int], other: tuple[int, int]) -> str:
    (x1, y1), (x2, y2) = _middle(one), _middle(other)
    return f'<line class="link" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _box(table: Table, name: str, node: Node, where: tuple[int, int]) -> str:
    x, y = _middle(where)
    place = table.op.places.get(name)
    classes = "node"
    classes += " explored" if place is not None and place.explored else ""
    classes += " here" if name == table.op.node else ""
    classes += " outside" if node.outside else ""
    needs = _needs(table, name).strip() if place is not None else _printed(table, node)
    extra = _marks(table, name) if place is not None else ""
    left, top = x - _BOX_WIDE // 2, y - _BOX_HIGH // 2
    return (
        f'<rect class="{classes}" x="{left}" y="{top}" width="{_BOX_WIDE}" height="{_BOX_HIGH}" rx="6"/>'
        f'<text class="ink title" x="{x}" y="{y - 10}">{escape(node.title)}</text>'
        f'<text class="ink" x="{x}" y="{y + 4}">{escape(needs)}</text>'
        f'<text class="ink" x="{x}" y="{y + 18}">{escape(extra)}</text>'
    )
