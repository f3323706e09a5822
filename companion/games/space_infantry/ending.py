"""The end of a mission, experience, and the campaign round it (chapters 3.5, 7, 9.5)."""

from __future__ import annotations

from functools import partial

from companion.engine.asks import Choose, Option, Script, Show, ask, offered
from companion.engine.game import Outcome, Result
from companion.games.space_infantry.briefing import brief
from companion.games.space_infantry.operations import operations
from companion.games.space_infantry.pack import Kind, printed_levels
from companion.games.space_infantry.state import Report, Soldier
from companion.games.space_infantry.table import STEPS, SUCCESSES_A_STEP, Table, tell
from companion.wording import counted

EP_SUCCESS = 3
EP_ABORTED = 1
EP_COST = {6: 3, 5: 5, 4: 9, 3: 15}
"""Experience Points to better a level by one (SPI-161)."""

_KEEP = Option("keep", "Keep the rest")


def campaign(table: Table) -> Script[Outcome]:
    """As many missions as were set, the roster carried from one to the next (SPI-003)."""
    while len(table.campaign.reports) < table.rules.missions:
        # The last mission is off the table, which the next level may not fit.
        table.campaign.operation, table.between = None, True
        step_up(table)
        yield from brief(table)
        success = yield from operations(table)
        yield from end_mission(table, success=success)
    return outcome(table)


def outcome(table: Table) -> Outcome:
    """Won if most missions were; the roster's experience is part of the score."""
    reports, roster = table.campaign.reports, table.campaign.roster
    wins = sum(report.success for report in reports)
    score = {
        "successes": wins,
        "missions": len(reports),
        "survivors": reports[-1].survivors,
        "turns": sum(report.turns for report in reports),
    }
    score |= {f"EP {one.title}": one.ep for one in roster.values() if one.ep}
    result = Result.WON if 2 * wins > len(reports) else Result.LOST
    return Outcome(result, _reason(table, wins), score)


def _reason(table: Table, wins: int) -> str:
    reports = table.campaign.reports
    if len(reports) > 1:
        return f"{wins} of {len(reports)} missions completed"
    (report,) = reports
    mission = table.pack.mission[report.mission].title
    return f"{mission}: {'completed' if wins else 'out of time' if report.survivors else 'team defeated'}"


def end_mission(table: Table, *, success: bool) -> Script[None]:
    """Experience for survivors, losses, the report (SPI-034, SPI-050, SPI-158 to SPI-161, SPI-R54)."""
    campaign, op = table.campaign, table.op
    survivors = list(table.in_play())
    yield from tell(table, "space_infantry.mission.told", ("SPI-049",))
    campaign.reports.append(Report(op.mission, campaign.difficulty, success, len(survivors), op.turn))
    word = "completed" if success else "aborted"
    fate = "out of combat" if table.rules.casualties_return else "lost, with what they had learned"
    out = ", ".join(soldier.title for name, soldier, _ in table.members() if name not in survivors)
    detail = "; ".join(filter(None, (f"{fate}: {out}" if out else "", _successor(table, survivors))))
    yield from ask(
        Show(
            "space_infantry.mission.end",
            f"Mission {word}, {counted(len(survivors), 'survivor')}",
            detail,
            rule=("SPI-034", "SPI-049", "SPI-R57"),
            news=detail,
        )
    )
    for name, soldier, _ in table.members():
        soldier.missions += 1
        if not table.rules.casualties_return and name not in survivors:
            lose(table, soldier)
    if survivors:
        yield from experience(table, survivors, EP_SUCCESS if success else EP_ABORTED)
    yield from training(table)
    campaign.streak += success and campaign.difficulty in STEPS


def _successor(table: Table, survivors: list[str]) -> str:
    """Who leads the next mission, where the leader is lost (SPI-040)."""
    gone = [soldier for name, soldier, _ in table.members() if name not in survivors]
    leader = next((one.title for one in gone if one.kind is Kind.LEADER), "")
    if table.rules.casualties_return or not leader or _is_last(table):
        return ""
    return f"a new {leader} with the levels of the card takes the post"


def _is_last(table: Table) -> bool:
    """Whether no mission comes after this one, nor a campaign with the same soldiers."""
    return len(table.campaign.reports) == table.rules.missions and not table.rules.keep_roster


def lose(table: Table, soldier: Soldier) -> None:
    """Out of the campaign; but a team has a leader, so that a new one takes the post (SPI-040)."""
    soldier.ep = 0
    if soldier.kind is Kind.LEADER:
        soldier.levels = printed_levels(table.pack.unit[soldier.card])
        soldier.missions = 0
    else:
        soldier.lost = True


def experience(table: Table, survivors: list[str], points: int) -> Script[None]:
    """EP for each survivor, and one more for one of them (SPI-158 to SPI-160)."""
    roster = table.campaign.roster
    for name in survivors:
        roster[name].ep += points
    kept = "; only roster=kept takes them to another campaign" if _is_last(table) else ""
    chosen = yield from ask(
        Choose(
            "space_infantry.end.bonus",
            "One bonus EP: for whom?",
            f"{points} EP for each survivor{kept}",
            rule=("SPI-158", "SPI-159", "SPI-160"),
            options=tuple(Option(name, roster[name].title, f"{roster[name].ep} EP") for name in survivors),
        )
    )
    roster[chosen].ep += 1


def training(table: Table) -> Script[None]:
    """What is bought with EP, those kept from earlier missions too (SPI-161, SPI-R55)."""
    while (wish := (yield from offered(partial(improvement_question, table)))) != _KEEP.id:
        better(*improvements(table)[wish])


def improvements(table: Table) -> dict[str, tuple[Soldier, str, int]]:
    """Every level that somebody can pay to better, by its answer, the team first (SPI-161, SPI-R55)."""
    roster = table.campaign.roster
    return {
        f"{name}:{skill}:{at}": (soldier, skill, at)
        for name, soldier in ({name: roster[name] for name in table.op.team} | roster).items()
        if not soldier.lost
        for skill, levels in soldier.levels.items()
        for at, level in enumerate(levels)
        if soldier.ep >= EP_COST.get(level, soldier.ep + 1)
    }


def improvement_question(table: Table) -> Choose:
    """What EP are spent on."""
    offers = (_offer(table, wish, *what) for wish, what in improvements(table).items())
    return Choose(
        "space_infantry.end.improve",
        "Spend EP on a skill level?",
        rule=("SPI-050", "SPI-161"),
        options=(_KEEP, *offers),
    )


def _offer(table: Table, wish: str, soldier: Soldier, skill: str, at: int) -> Option:
    level = soldier.levels[skill][at]
    words = f"{soldier.title} {table.skill_word(skill)}"
    return Option(wish, words, f"{level} to {level - 1}, {EP_COST[level]} EP")


def better(soldier: Soldier, skill: str, at: int) -> None:
    """One level better, its price paid."""
    level = soldier.levels[skill][at]
    soldier.ep -= EP_COST[level]
    soldier.levels[skill][at] = level - 1


def step_up(table: Table) -> None:
    """After three successes the next mission is one difficulty up, as far as Hard (SPI-188)."""
    campaign = table.campaign
    if table.rules.progression and campaign.streak >= SUCCESSES_A_STEP and campaign.difficulty in STEPS:
        campaign.difficulty = STEPS[campaign.difficulty]
        campaign.streak = 0
