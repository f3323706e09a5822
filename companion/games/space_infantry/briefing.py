"""Setting a mission up: mission, enemy sheet, team, resources (chapters 3 and 6.2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from companion.engine.asks import Choose, Draw, Number, Option, Script, Show, ask
from companion.engine.packs import Source
from companion.games.space_infantry.pack import (
    CUP_SIZE,
    RESOURCE_NAMES,
    Kind,
    Level,
    Resource,
    printed_levels,
)
from companion.games.space_infantry.state import Member, Operation, Place, Rhino, Soldier
from companion.games.space_infantry.table import STEPS, SUCCESSES_A_STEP, Numbers, Table, tell
from companion.wording import counted

DONE = Option("done", "Team complete")
PROPOSAL = Option("proposal", "The box's proposal", "recommended units, then a balanced team")


def brief(table: Table) -> Script[None]:
    """Everything before the first turn, in the printed order (SPI-033)."""
    yield from select_mission(table)
    if not table.rules.no_intelligence:
        yield from select_sheet(table)
    yield from select_team(table)
    yield from select_resources(table)
    lay_out(table)
    place_counters(table)
    yield from tell(table, "space_infantry.mission.ready", ("SPI-036",))


def select_mission(table: Table) -> Script[None]:
    """Any mission of the packs (SPI-035, SPI-036)."""
    missions = table.pack.mission
    name = table.first if not table.campaign.reports else ""
    if not name:
        name = yield from ask(partial(mission_question, table))
    sheet = missions[name]
    detail = " ".join(filter(None, (sheet.briefing, gone_on(table) if table.first else "")))
    table.campaign.operation, table.between = Operation(name, sheet.title), False
    yield from ask(
        Show(
            "space_infantry.mission.briefing",
            f"{sheet.title} ({sheet.source} mission)",
            detail,
            rule=("SPI-036",),
            news=detail,
        )
    )


def mission_question(table: Table) -> Choose:
    """Which mission is next, and at which level (SPI-035, SPI-188)."""
    reports, level = table.campaign.reports, table.level
    off = "; all counters of the last mission come off cards, map and Turn Track" if reports else ""
    return Choose(
        "space_infantry.mission.choose",
        f"Three successes: now {level.title}. Which mission?" if risen(table) else "Which mission?",
        gone_on(table) or f"{_terms(level)}{off}",
        rule=("SPI-035", "SPI-188"),
        options=tuple(Option(one, sheet.title, sheet.source) for one, sheet in table.pack.mission.items()),
    )


def gone_on(table: Table) -> str:
    """At which level, if not the one that was set, the kept soldiers' campaign goes on (SPI-188)."""
    if table.campaign.reports or not table.progress or table.campaign.difficulty == table.rules.difficulty:
        return ""
    return f"Your kept soldiers are at {_terms(table.level)}; progression=off stays at the level that is set."


def _terms(level: Level) -> str:
    return f"{level.title}: {level.points} points, at most {level.resources} resources"


def risen(table: Table) -> bool:
    """Has the last success led one level up, by which it counts no more? By hand no level is risen to."""
    campaign, kept = table.campaign, table.progress
    if campaign.reports:
        last = campaign.reports[-1]
        was = last.difficulty if last.success else ""
    else:
        was = kept.difficulty if kept and kept.successes >= SUCCESSES_A_STEP else ""
    return not campaign.streak and STEPS.get(was) == campaign.difficulty


def select_sheet(table: Table) -> Script[None]:
    """One enemy sheet by chance (SPI-037, SPI-179)."""
    sheets = table.pack.enemy
    options = tuple(Option(name, sheet.title, sheet.source) for name, sheet in sheets.items())
    drawn = yield from ask(
        Draw(
            "space_infantry.enemy.sheet",
            "Draw an enemy sheet",
            rule=("SPI-037",),
            deck="enemy sheets",
            count=1,
            options=options,
        )
    )
    table.op.sheet = drawn[0]
    table.note(f"enemy: {sheets[drawn[0]].title} ({sheets[drawn[0]].source})", "SPI-037")


def for_sale(table: Table) -> dict[str, Soldier]:
    """The soldiers who may still be bought: no Medic, nobody twice, nobody lost (SPI-042)."""
    cards = table.pack.unit
    return {
        name: one
        for name, one in table.campaign.roster.items()
        if one.kind is not Kind.LEADER
        and not one.lost
        and name not in table.op.team
        and not cards[one.card].advanced
    }


def points_left(table: Table) -> int:
    """What is left of the budget (SPI-038, SPI-039, SPI-040)."""
    cards, roster = table.pack.unit, table.campaign.roster
    return table.level.points - sum(
        cards[roster[name].card].cost for name in table.op.team if roster[name].kind is not Kind.LEADER
    )


def team_question(table: Table) -> Choose:
    """Whom to buy next, of soldiers alike the first; earlier versions kept back those with less EP."""
    cards, left = table.pack.unit, points_left(table)
    offered: list[Option] = []
    earlier: list[Option] = []
    points: dict[str, list[int]] = {}
    for name, one in for_sale(table).items():
        cost = cards[one.card].cost
        alike = points.setdefault(f"{one.card} {sorted(one.levels.items())}", [])
        if cost <= left and one.ep not in alike:
            option = Option(name, f"{one.title} ({cost})", ", ".join(_worth(table, one)))
            offered.append(option)
            earlier += [option] if one.ep > max(alike, default=-1) else []
            alike.append(one.ep)
    first = () if any(one for one in table.op.team if one not in leaders(table)) else (PROPOSAL,)
    against = table.sheet.title if table.op.sheet else "an enemy unknown until met"
    wanted = ", ".join(cards[card].title for card in table.mission.recommended if not cards[card].advanced)
    former = Choose(
        "space_infantry.team.buy",
        f"Team: {counted(left, 'point')} left",
        f"against {against}; recommended: {wanted}" if wanted else f"against {against}",
        rule=("SPI-037", "SPI-038", "SPI-039", "SPI-041", "SPI-042", "SPI-179"),
        options=(*first, DONE, *earlier),
    )
    return former if offered == earlier else replace(former, options=(*first, DONE, *offered), former=former)


def _worth(table: Table, soldier: Soldier) -> Iterator[str]:
    """What tells a soldier from others: the kind, levels bettered by experience, EP not spent yet.

    That the card is a stand-in's is told too.
    """
    card = table.pack.unit[soldier.card]
    yield soldier.kind
    printed = printed_levels(card)
    for skill, levels in soldier.levels.items():
        if levels != printed.get(skill):
            yield f"{table.skill_word(skill)} {'+'.join(map(str, levels))}"
    if soldier.ep:
        yield f"{soldier.ep} EP"
    if card.source == Source.STAND_IN:
        yield card.source


def leaders(table: Table) -> list[str]:
    """The Team Leader, who is always in and costs nothing (SPI-040)."""
    return [name for name, one in table.campaign.roster.items() if one.kind is Kind.LEADER]


def select_team(table: Table) -> Script[None]:
    """The team bought within the budget (SPI-038 to SPI-044)."""
    op = table.op
    for name in leaders(table):
        op.team[name] = Member()
    while True:
        chosen = yield from ask(partial(team_question, table))
        if chosen == DONE.id:
            break
        if chosen == PROPOSAL.id:
            for name in propose_team(table):
                op.team[name] = Member()
            break
        op.team[chosen] = Member()
    mission = table.mission
    op.node, op.marker = mission.start, mission.turns
    op.places = {name: Place() for name in mission.nodes}
    op.places[mission.start].explored = True
    op.rhino = Rhino() if mission.rhino else None


def propose_team(table: Table) -> list[str]:
    """A legal team: the recommended units once, then one Basic unit of each kind after the other."""
    cards = table.pack.unit
    free = dict(for_sale(table))
    left = points_left(table)
    team: list[str] = []

    def take(card: str) -> None:
        nonlocal left
        best = [name for name, one in free.items() if one.card == card]
        if not best or cards[card].cost > left:
            return
        name = min(best, key=lambda one: sum(map(min, filter(None, free[one].levels.values()))))
        team.append(name)
        del free[name]
        left -= cards[card].cost

    for card in table.mission.recommended:
        take(card)
    basics = [name for name, card in cards.items() if card.kind is Kind.BASIC]
    bought = True
    while bought:
        before = len(team)
        for card in basics:
            take(card)
        bought = len(team) > before
    return team


def select_resources(table: Table) -> Script[None]:
    """Up to the maximum of the difficulty, of any kinds (SPI-045, SPI-046, SPI-151, SPI-R70)."""
    held = table.op.resources
    for kind in Resource:
        held[kind.value] = 0
    for kind in Resource:
        if resource_question(table, kind.value).most:
            held[kind.value] = yield from ask(partial(resource_question, table, kind.value))


def resource_question(table: Table, kind: str) -> Number:
    """How many of a kind to take of what may still be taken."""
    left = max(table.level.resources - sum(table.op.resources.values()) + table.op.resources[kind], 0)
    kinds = list(RESOURCE_NAMES)
    later = [RESOURCE_NAMES[one].split()[-1] for one in kinds[kinds.index(kind) + 1 :]]  # the OLED shows all
    return Number(
        f"space_infantry.resources.{kind}",
        f"{RESOURCE_NAMES[kind]}? {left} to take",
        f"Then {', '.join(later)}" if later else "",
        ("SPI-045", "SPI-151"),
        least=0,
        most=left,
    )


def lay_out(table: Table) -> None:
    """Markers, whose cards lie beside the sheet, resources, chits (SPI-025, SPI-043 to SPI-046)."""
    op = table.op
    table.note(f"put the Team A counter on Start, the Time marker on box {op.marker}", "SPI-044", "SPI-052")
    team = [soldier.title for _, soldier, _ in table.members()]
    team += [table.vehicle.title] if op.rhino else []
    table.note(f"beside the sheet: {', '.join(team)}", "SPI-043")
    held = ", ".join(f"{RESOURCE_NAMES[kind]} {many}" for kind, many in op.resources.items() if many)
    if held:
        table.note(f"on the Turn Track: {held}", "SPI-046")
    if table.rules.numbers is not Numbers.DICE:
        table.note(f"all {CUP_SIZE} chits into the cup", "SPI-025")


def place_counters(table: Table) -> None:
    """Special counters go face down on the nodes with a question mark (SPI-199, SPI-201, SPI-202)."""
    mission = table.mission
    marked = [name for name, node in mission.nodes.items() if node.counter]
    for name in marked:
        table.op.places[name].counter = "?"
    if marked:
        where = ", ".join(mission.nodes[name].title for name in marked)
        which = ", ".join(f"{letter} {one.count}" for letter, one in mission.counters.items())
        table.note(f"special counters face down on {where}, of {which} shuffled", "SPI-201", "SPI-202")
