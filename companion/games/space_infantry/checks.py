"""Skill checks: Action Points over skill level, and what Command Points add (chapter 4.2.A.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.engine.asks import Choose, Option, Script, ask, offered
from companion.games.space_infantry.numbers import in_kind, numbers, return_chits, tell_zeros
from companion.games.space_infantry.state import Check
from companion.games.space_infantry.table import Numbers, Table

_KEEP = Option("keep", "Spend no more")


def checks_of(table: Table, who: str, skill: str) -> list[Check]:
    """A chit for each level that somebody, or the Rhino's crew, has in a skill (SPI-066, SPI-110)."""
    crew = who == "rhino"
    levels = table.vehicle.crew(skill) if crew else table.campaign.roster[who].levels.get(skill, ())
    return [Check(who, skill, level) for level in levels]


def place_chits(
    table: Table, key: str, checks: list[Check], rule: tuple[str, ...], words: str = ""
) -> Script[None]:
    """A random number on each check as its Action Points, in drawing order (SPI-059, SPI-R33).

    `words` go before how many there are.
    """
    text = f"{words}{in_kind(table, len(checks))} for the team"
    names = names_of(table, checks)
    values = yield from numbers(table, key, text, len(checks), rule, lying=True, names=names)
    for check, value in zip(checks, values, strict=True):
        check.ap = value
    table.op.chits += checks


def take_back(table: Table) -> None:
    """The check or the round is resolved: the chits leave the units for the cup (SPI-R03)."""
    if table.rules.numbers is not Numbers.DICE and (table.op.chits or table.op.fight):
        table.note("chits back into the cup", "SPI-R03")
    table.op.chits.clear()
    return_chits(table)


def settle_zeros(table: Table, key: str, checks: list[Check]) -> Script[None]:
    """Where a bonus may raise the Action Points, 0 and 1 are not alike (SPI-R67)."""
    names = names_of(table, checks)
    values = yield from tell_zeros(table, key, [check.ap for check in checks], names)
    for check, value in zip(checks, values, strict=True):
        check.ap = value


def raise_one(
    table: Table, key: str, checks: list[Check], points: int, rule: tuple[str, ...]
) -> Script[None]:
    """Action Points on one chit of a unit, the player's choice if it has several (SPI-R44)."""
    at = 0
    if len(checks) > 1:
        options = tuple(
            Option(str(number), f"Level {check.level}: AP {check.ap}") for number, check in enumerate(checks)
        )
        text = f"{title(table, checks[0].who)}: +{points} AP on which?"
        at = int((yield from ask(Choose(key, text, rule=rule, options=options))))
    for check in checks[at : at + 1]:
        check.ap += points


def spend_command(table: Table, key: str, checks: list[Check]) -> Script[None]:
    """Command Points on checks whose numbers are seen, as long as one can gain by it (SPI-074 to SPI-076)."""
    question = partial(command_question, table, key, checks)
    while (chosen := (yield from offered(question))) != _KEEP.id:
        check = checks[int(chosen)]
        table.op.command -= short_of(check)
        check.ap += short_of(check)


def command_question(table: Table, key: str, checks: list[Check]) -> Choose:
    """The checks to which the Command Points that are left can add a Success Level."""
    command = table.op.command
    offers = [
        Option(
            str(at),
            f"{title(table, check.who)} +{short_of(check)} AP",
            f"{table.skill_word(check.skill)} {check.ap}/{check.level}",
        )
        for at, check in enumerate(checks)
        if short_of(check) <= command and not starred(table, check.skill)
    ]
    return Choose(
        f"{key}.command",
        f"{command} CP: 1 more SL for whom?",
        rule=("SPI-074", "SPI-075", "SPI-076", "SPI-R13"),
        options=(_KEEP, *offers),
    )


def short_of(check: Check) -> int:
    """How many Action Points a check lacks for one more Success Level."""
    return check.level - check.ap % check.level


def names_of(table: Table, checks: Sequence[Check]) -> list[str]:
    """Whose each number is."""
    levels = [[one.level for one in checks if one.who == check.who] for check in checks]
    return [
        at_level(title(table, check.who), check.level, own) for check, own in zip(checks, levels, strict=True)
    ]


def at_level(name: str, level: int, levels: Sequence[int]) -> str:
    """A name with the level that its number is for, where it has several that differ (SPI-R33)."""
    return f"{name} (level {level})" if len(set(levels)) > 1 else name


def starred(table: Table, skill: str) -> bool:
    """May Command Points never improve this skill (SPI-076)?"""
    known = table.pack.skill.get(skill)
    return known is not None and known.starred


def title(table: Table, who: str) -> str:
    """A soldier's title, or the Rhino's."""
    soldier = table.campaign.roster.get(who)
    return soldier.title if soldier else table.vehicle.title
