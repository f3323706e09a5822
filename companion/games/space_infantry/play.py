"""A play of Space Infantry: set up, scripted, checked, drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from companion.engine.asks import AnyAsk, Script
from companion.engine.errors import BadInput
from companion.engine.game import Board, Glance, Outcome, Setup
from companion.engine.packs import Record, Tables
from companion.games.space_infantry import drawing, policies
from companion.games.space_infantry.ending import campaign
from companion.games.space_infantry.pack import CUP_SIZE, Card, InfantryPack, Kind, printed_levels
from companion.games.space_infantry.problems import faults
from companion.games.space_infantry.state import Campaign, Operation, Soldier
from companion.games.space_infantry.table import HouseRules, Numbers, Table

CHOOSE = "choose"


def start(setup: Setup) -> SpaceInfantry:
    """A fresh campaign; `BadInput` if packs or settings don't allow one."""
    pack = setup.pack
    assert isinstance(pack, InfantryPack)
    for fault in faults(pack):
        raise BadInput(f"{fault.path}: {fault.message} ({fault.rule})")
    rules = HouseRules.of(setup.settings)
    if rules.numbers is Numbers.CUP and not pack.cup:
        raise BadInput(
            "numbers=cup: the mix of the chits is not known (SPI-G01): enter it with "
            "`companion pack new space_infantry.cup`, or use numbers=dice or numbers=typed"
        )
    return SpaceInfantry(pack, setup.settings, rules, "" if setup.scenario == CHOOSE else setup.scenario)


def scenarios(pack: msgspec.Struct) -> tuple[str, ...]:
    """The first mission: chosen at the table, or one of the sheets (SPI-035)."""
    assert isinstance(pack, InfantryPack)
    return (CHOOSE, *pack.mission)


def glance(state: msgspec.Struct) -> Glance:
    """What a report follows: turns left, who is in play, wounds, resources."""
    assert isinstance(state, Campaign)
    op = state.operation
    if op is None:
        return Glance()
    fit = sum(member.wounds < state.roster[name].wounds for name, member in op.team.items())
    figures = {
        "turns left": op.marker,
        "soldiers": fit,
        "wounds": sum(member.wounds for member in op.team.values()),
        "resources": sum(op.resources.values()),
    }
    return Glance(f"{op.mission}, turn {op.turn}" if op.turn else "", figures)


class SpaceInfantry:
    """One campaign on the table."""

    def __init__(
        self, pack: InfantryPack, settings: Mapping[str, str], rules: HouseRules, scenario: str
    ) -> None:
        roster = dict(_recruits(pack, kept=rules.keep_roster))
        cup = next(iter(pack.cup.values())).chits if rules.numbers is Numbers.CUP else {}
        state = Campaign(roster, settings["difficulty"], cup=dict(cup))
        self.table = Table(state, pack, rules, scenario)
        self._over = False

    @property
    def state(self) -> Campaign:
        """All that is on the table."""
        return self.table.campaign

    def script(self) -> Script[Outcome]:
        """The campaign from its first mission to its outcome."""
        outcome = yield from campaign(self.table)
        self._over = True
        return outcome

    def check(self) -> Iterable[str]:
        """Every invariant that does not hold: wounds, resources, turn track, cup, experience."""
        yield from _roster_faults(self.table)
        if self.state.operation is not None:
            yield from _mission_faults(self.table, self.state.operation)
        chits = sum(self.state.cup.values()) + sum(self.state.lying.values())
        if self.state.cup and chits > CUP_SIZE:
            yield f"{chits} chits in the cup and on units"

    def board(self) -> Board:
        """The table as text."""
        return drawing.board(self.table)

    def svg(self) -> str:
        """The mission map as a picture."""
        return drawing.svg(self.table)

    def learned(self) -> Tables:
        """The roster as the campaign left it, if it is to be kept for the next one.

        Who was lost leaves a card as printed, in the place of what an earlier campaign may have kept.
        """
        if not (self._over and self.table.rules.keep_roster):
            return {}
        pack = self.table.pack
        veterans: dict[str, Record] = {}
        for name, one in self.state.roster.items():
            if one.missions and not one.lost:
                levels, ep, missions = one.levels, one.ep, one.missions
            elif name in pack.veteran:
                levels, ep, missions = printed_levels(pack.unit[one.card]), 0, 0
            else:
                continue
            veterans[name] = {"card": one.card, "levels": levels, "ep": ep, "missions": missions}
        return {"veteran": veterans}

    def advise(self, question: AnyAsk, policy: str) -> object | None:
        """What `steady` or `rash` would do."""
        return policies.advise(self.table, question, policy)


def _recruits(pack: InfantryPack, *, kept: bool) -> Iterator[tuple[str, Soldier]]:
    """Every card of the roster as often as there are copies; veterans with what they have learned."""
    for name, card in pack.unit.items():
        for number in range(1, card.copies + 1):
            who = name if card.copies == 1 else f"{name}-{number}"
            yield who, _recruit(pack, who, name, card, number, kept=kept)


def _recruit(pack: InfantryPack, who: str, name: str, card: Card, number: int, *, kept: bool) -> Soldier:
    title = card.title if card.copies == 1 else f"{card.title} {number}"
    soldier = Soldier(name, title, card.kind, card.wounds, printed_levels(card), card.armor)
    veteran = pack.veteran.get(who)
    if kept and veteran is not None and veteran.card == name:
        soldier.levels = {skill: list(levels) for skill, levels in veteran.levels.items()}
        soldier.ep, soldier.missions = veteran.ep, veteran.missions
    return soldier


def _roster_faults(table: Table) -> Iterator[str]:
    for name, soldier in table.campaign.roster.items():
        if soldier.ep < 0:
            yield f"{name} has spent more EP than there were"
        if not all(2 <= level <= 6 for levels in soldier.levels.values() for level in levels):
            yield f"{name} has a skill level off the scale"


def _mission_faults(table: Table, op: Operation) -> Iterator[str]:
    roster, mission = table.campaign.roster, table.pack.mission[op.mission]
    for name, member in op.team.items():
        if not 0 <= member.wounds <= roster[name].wounds:
            yield f"{name} has {member.wounds} of {roster[name].wounds} wounds"
        if not 0 <= member.treated <= roster[name].wounds:
            yield f"{name} has {member.treated} Treated Wounds"
    if op.team and not any(roster[name].kind is Kind.LEADER for name in op.team):
        yield "the Team Leader is missing"
    held = sum(op.resources.values())
    if any(many < 0 for many in op.resources.values()):
        yield f"resources below nothing: {op.resources}"
    if held > table.level.resources + op.surplus:
        yield f"{held} resources, {table.level.resources} allowed"
    if not 0 <= op.marker <= mission.turns:
        yield f"the Time marker is on {op.marker}"
    if op.node and op.node not in mission.nodes:
        yield f"the team is nowhere: {op.node}"
    for name, place in op.places.items():
        if place.gathered < 0 or (name in (op.node, mission.start) and not place.explored):
            yield f"node {name} is off: {place}"
    if op.fight is not None:
        kinds = table.sheet.units.keys() | mission.special.keys()
        for foe in op.fight.foes:
            if foe.kind not in kinds:
                yield f"the enemy has no {foe.kind}"
            elif not 0 <= foe.wounds < table.enemy(foe.kind).wounds:
                yield f"an active {foe.kind} has {foe.wounds} wounds"
    if op.rhino is not None and not 0 <= op.rhino.wounds <= table.vehicle.wounds:
        yield f"the Rhino has {op.rhino.wounds} wounds"
