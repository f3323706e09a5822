"""Action Points of both sides in a round, and the wounds that come of them (chapters 5.2 and 5.3)."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import NamedTuple

from companion.engine.asks import Choose, Option, Pick, Script, ask, offered
from companion.games.space_infantry.checks import (
    at_level,
    checks_of,
    place_chits,
    raise_one,
    settle_zeros,
    spend_command,
    title,
)
from companion.games.space_infantry.numbers import in_order, number, numbers
from companion.games.space_infantry.pack import Kind, Resource
from companion.games.space_infantry.resources import spend
from companion.games.space_infantry.state import Check, Fight, Range
from companion.games.space_infantry.table import Numbers, Table
from companion.wording import counted

STYMO_AP = 2
STYMO_WOUNDS = 2
FEW_BASICS = 3
"""With fewer Basic units than this Special units may fight (SPI-107)."""

_NOBODY = Option("none", "No Stymo-Pack")


class Hits(NamedTuple):
    """Wounds that one side deals in a round: plain ones, piercing ones, and what each unit has of both."""

    normal: int = 0
    piercing: int = 0
    by_unit: tuple[tuple[int, int], ...] = ()

    @property
    def nobodys(self) -> int:
        """Those that are no unit's."""
        return self.normal + self.piercing - sum(map(sum, self.by_unit))


def fighters(table: Table, fight: Fight, *, leader: bool) -> Script[list[str]]:
    """Who gets Action Points: Basic units, a leader free to fight, Special units where they may.

    It is settled before any attack of the round, an ambush too (SPI-106 to SPI-108, SPI-R08).
    """
    if table.riding():
        return []
    kinds = Counter(one.kind for one in table.in_play().values())
    joining: tuple[str, ...] = ()
    many = len(fight.foes) >= table.rules.special_threshold
    if kinds[Kind.SPECIAL] and (many or kinds[Kind.BASIC] < FEW_BASICS):
        joining = yield from ask(partial(special_question, table, fight))
    always = {Kind.BASIC, Kind.LEADER} if leader else {Kind.BASIC}
    units = table.in_play()
    for name, one in units.items():
        if one.kind is not Kind.SPECIAL or name in joining:
            table.op.team[name].fought = True
    return [*(name for name, one in units.items() if one.kind in always), *joining]


def special_question(table: Table, fight: Fight) -> Pick:
    """Which Special units join, and who of them would roll nothing at that range."""
    words = fight.range.words
    specials = {
        name: "" if checks_of(table, name, words.lower()) else f"no {words} skill"
        for name, one in table.in_play().items()
        if one.kind is Kind.SPECIAL
    }
    return Pick(
        "space_infantry.combat.specials",
        f"{words}: which Special units join the fight?",
        rule=("SPI-107", "SPI-108", "SPI-109"),
        options=tuple(Option(name, title(table, name), lacks) for name, lacks in specials.items()),
        least=0,
        most=len(specials),
    )


def friendly_attacks(table: Table, fight: Fight, team: list[str]) -> Script[Hits]:
    """Chits for everybody who fights, Command Points, and the wounds that come of it (SPI-106 to SPI-116)."""
    skill = "melee" if fight.range is Range.MELEE else "fire"
    checks = [check for name in team for check in checks_of(table, name, skill)]
    if table.rhino_here():
        checks += checks_of(table, "rhino", "gunnery")
    key = "space_infantry.combat.chits"
    rule = ("SPI-106", "SPI-110", "SPI-173")
    yield from place_chits(table, key, checks, rule, f"{fight.range.words}: ")
    stimulated: list[str] = []
    if skill == "melee":
        yield from stymo_packs(table, checks)
        members = table.op.team  # without whom an override has taken out of the team meanwhile
        stimulated = [name for name in team if name in members and members[name].stymo]
    if table.op.command or stimulated:
        yield from settle_zeros(table, key, checks)
    for name in stimulated:
        own = [check for check in checks if check.who == name]
        yield from raise_one(table, "space_infantry.combat.stymo", own, STYMO_AP, ("SPI-144", "SPI-R44"))
    yield from spend_command(table, key, checks)
    hits = count_hits(table, checks, stimulated)
    if fight.grenade:
        hits = yield from throw_grenade(table, hits)
    return hits


def stymo_packs(table: Table, checks: list[Check]) -> Script[None]:
    """Stymo-Packs for who fights in Melee, one each, once the chits are seen (SPI-143, SPI-R43)."""
    while (chosen := (yield from offered(partial(stymo_question, table, checks)))) != _NOBODY.id:
        spend(table, Resource.STYMO)
        table.op.team[chosen].stymo = True


def stymo_question(table: Table, checks: list[Check]) -> Choose:
    """Who can be given a Stymo-Pack, with what the chits have brought."""
    op = table.op
    ready = [check for check in checks if check.who in op.team and not op.team[check.who].stymo]
    offers = dict.fromkeys(check.who for check in ready) if op.resources[Resource.STYMO] else ()
    chits = [f"{title(table, check.who)}: {brought(table, check)}/{check.level}" for check in ready]
    return Choose(
        "space_infantry.combat.stimulate",
        f"+{STYMO_AP} AP, {STYMO_WOUNDS} wounds a hit: a Stymo-Pack for whom?",
        "; ".join(("its counter goes from the Turn Track onto the unit", ", ".join(chits))),
        rule=("SPI-143", "SPI-144", "SPI-145", "SPI-146", "SPI-R43"),
        options=(_NOBODY, *(Option(who, f"Stymo-Pack {title(table, who)}") for who in offers)),
    )


def brought(table: Table, check: Check) -> str:
    """The Action Points of a chit; of a natural 1 on a die it is not settled yet (SPI-181)."""
    return "0 or 1" if check.ap == 1 and table.rules.numbers is Numbers.DICE else str(check.ap)


def count_hits(table: Table, checks: list[Check], stimulated: list[str]) -> Hits:
    """Success Levels as wounds, piercing ones apart (SPI-116, SPI-145, SPI-174, SPI-R36)."""
    by_unit: dict[str, tuple[int, int]] = {}
    for check in checks:
        wounds = check.sl * (STYMO_WOUNDS if check.who in stimulated else 1)
        through = wounds * (check.who == "rhino" or check.skill in card_piercing(table, check.who))
        normal, piercing = by_unit.get(check.who, (0, 0))
        by_unit[check.who] = normal + wounds - through, piercing + through
    units = tuple(by_unit.values())
    return Hits(sum(normal for normal, _ in units), sum(piercing for _, piercing in units), units)


def card_piercing(table: Table, who: str) -> tuple[str, ...]:
    """The skills of a soldier whose weapons pass armor."""
    return table.pack.unit[table.campaign.roster[who].card].piercing


def throw_grenade(table: Table, hits: Hits) -> Script[Hits]:
    """As many wounds more as the number says (SPI-135 to SPI-137, SPI-R41)."""
    rn = yield from number(
        table, "space_infantry.combat.grenade", "Grenade: that many wounds", ("SPI-135",), zero=True
    )
    # It is no unit: where three at most may fight one enemy, its wounds come on top (SPI-R69).
    return hits._replace(normal=hits.normal + rn)


def enemy_attacks(table: Table, fight: Fight) -> Script[Hits]:
    """A chit for each attack of each active enemy, in the order of the table (SPI-111, SPI-112, SPI-122)."""
    attacks, names = [], []
    for foe in fight.foes:
        enemy = table.enemy(foe.kind)
        levels = enemy.melee if fight.range is Range.MELEE else enemy.fire
        attacks += [(enemy, level) for level in levels]
        names += [at_level(enemy.title, level, levels) for level in levels]
    values = yield from numbers(
        table,
        "space_infantry.combat.enemy_chits",
        f"{fight.range.words}: {counted(len(attacks), 'enemy attack')}",
        len(attacks),
        ("SPI-111", "SPI-112", "SPI-122"),
        lying=True,
        names=in_order(names),
    )
    normal = piercing = 0
    for (enemy, level), value in zip(attacks, values, strict=True):
        wounds = value // level * (2 if enemy.savage and fight.range is Range.MELEE else 1)
        if enemy.piercing:
            piercing += wounds
        else:
            normal += wounds
    return Hits(normal, piercing)
