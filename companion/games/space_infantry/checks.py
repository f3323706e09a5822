"""Skill checks: Action Points over skill level, and what Command Points add (chapter 4.2.A.2)."""

from __future__ import annotations

from companion.engine.asks import Choose, Option, Script, ask
from companion.games.space_infantry.numbers import numbers, return_chits, tell_zeros
from companion.games.space_infantry.state import Check
from companion.games.space_infantry.table import Table
from companion.wording import counted

_KEEP = Option("keep", "Spend no more")


def checks_of(table: Table, who: str, skill: str) -> list[Check]:
    """A chit for each level that somebody has in a skill (SPI-066, SPI-110)."""
    return [Check(who, skill, level) for level in table.campaign.roster[who].levels.get(skill, ())]


def place_chits(table: Table, key: str, checks: list[Check], rule: tuple[str, ...]) -> Script[None]:
    """A random number on each check as its Action Points, in drawing order (SPI-059, SPI-R33)."""
    if checks:
        detail = ", ".join(title(table, check.who) for check in checks)
        text = f"{counted(len(checks), 'chit')} for the team"
        values = yield from numbers(table, key, text, len(checks), rule, lying=True, detail=detail)
        for check, value in zip(checks, values, strict=True):
            check.ap = value
        table.op.chits += checks


def take_back(table: Table) -> None:
    """The check or the round is resolved: the chits leave the units for the cup (SPI-R03)."""
    table.op.chits.clear()
    return_chits(table)


def settle_zeros(table: Table, key: str, checks: list[Check]) -> Script[None]:
    """Where a bonus may raise the Action Points, 0 and 1 are not alike (SPI-R67)."""
    values = yield from tell_zeros(table, key, [check.ap for check in checks])
    for check, value in zip(checks, values, strict=True):
        check.ap = value


def spend_command(table: Table, key: str, checks: list[Check]) -> Script[None]:
    """Command Points on checks whose numbers are seen, as long as one can gain by it (SPI-074 to SPI-076)."""
    op = table.op
    while op.command:
        offers = {}
        for at, check in enumerate(checks):
            short = check.level - check.ap % check.level
            if short <= op.command and not starred(table, check.skill):
                label = f"{title(table, check.who)} +{short} AP"
                offers[f"{at}"] = Option(str(at), label, f"{check.skill} {check.ap}/{check.level}")
        if not offers:
            return
        chosen = yield from ask(
            Choose(
                f"{key}.command",
                f"{op.command} CP: 1 more SL for whom?",
                rule=("SPI-074", "SPI-075", "SPI-076", "SPI-R13"),
                options=(_KEEP, *offers.values()),
            )
        )
        if chosen == _KEEP.id:
            return
        check = checks[int(chosen)]
        short = check.level - check.ap % check.level
        check.ap += short
        op.command -= short


def starred(table: Table, skill: str) -> bool:
    """May Command Points never improve this skill (SPI-076)?"""
    known = table.pack.skill.get(skill)
    return known is not None and known.starred


def title(table: Table, who: str) -> str:
    """A soldier's title, or the Rhino's."""
    soldier = table.campaign.roster.get(who)
    return soldier.title if soldier else table.vehicle.title
