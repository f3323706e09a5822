"""A play of Space Infantry: set up, scripted, checked, drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from companion.engine.asks import AnyAsk, Script
from companion.engine.errors import BadInput
from companion.engine.game import Board, Glance, Outcome, Setup, title_of
from companion.engine.packs import Record, Tables
from companion.games.space_infantry import drawing, policies
from companion.games.space_infantry.ending import campaign
from companion.games.space_infantry.invariants import broken
from companion.games.space_infantry.pack import Card, InfantryPack, Kind, Veteran, printed_levels, soldiers
from companion.games.space_infantry.problems import faults
from companion.games.space_infantry.state import Campaign, Soldier
from companion.games.space_infantry.table import KEPT, LADDER, HouseRules, Numbers, Table

CHOOSE = "choose"


def start(setup: Setup) -> SpaceInfantry:
    """A fresh campaign; `BadInput` if packs or settings don't allow one."""
    pack = setup.pack
    assert isinstance(pack, InfantryPack)
    for fault in () if setup.begun else faults(pack):
        raise BadInput(f"{fault.path}: {fault.message} ({fault.rule})")
    rules = HouseRules.of(setup.settings)
    if rules.numbers is Numbers.CUP and not pack.cup:
        raise BadInput(
            "numbers=cup: the mix of the chits is not known (SPI-G01): enter it under Packs on the page "
            "or with `companion pack new space_infantry.cup`, or use numbers=dice or numbers=typed"
        )
    return SpaceInfantry(pack, rules, "" if setup.scenario == CHOOSE else setup.scenario)


def scenarios(pack: msgspec.Struct) -> tuple[str, ...]:
    """The first mission: chosen at the table, or one of the sheets (SPI-035)."""
    assert isinstance(pack, InfantryPack)
    return (CHOOSE, *pack.mission)


def titled(pack: msgspec.Struct, scenario: str) -> str:
    """The first mission's title."""
    assert isinstance(pack, InfantryPack)
    return "chosen at the table" if scenario == CHOOSE else title_of(pack.mission, scenario)


def board(scenario: str, settings: Mapping[str, str]) -> str:
    """The one mission that a session was begun for; a campaign, or who chose at the table, names none."""
    return scenario if scenario != CHOOSE and settings.get("missions", "1") == "1" else ""


def glance(state: msgspec.Struct) -> Glance:
    """What a report follows: how many turns there are by the track, who is in play, wounds, resources."""
    assert isinstance(state, Campaign)
    op = state.operation
    if op is None:
        return Glance()
    fit = sum(member.wounds < state.roster[name].wounds for name, member in op.team.items())
    figures = {
        "turns in all": op.marker + max(op.turn, 1) - 1,  # those left fall each turn, whatever happens
        "soldiers": fit,
        "wounds": sum(member.wounds for member in op.team.values()),
        "resources": sum(op.resources.values()) - op.surplus,  # what is still to be left behind is not had
    }
    return Glance(f"{op.title}, turn {op.turn}" if op.turn else "", figures)


class SpaceInfantry:
    """One campaign on the table."""

    def __init__(self, pack: InfantryPack, rules: HouseRules, scenario: str) -> None:
        roster = dict(_recruits(pack, kept=rules.keep_roster))
        cup = next(iter(pack.cup.values())).chits if rules.numbers is Numbers.CUP else {}
        self.table = Table(Campaign(roster, rules.difficulty, cup=dict(cup)), pack, rules, scenario)
        if kept := self.table.progress:
            self.state.difficulty, self.state.streak = kept.difficulty, kept.successes
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
        """Every invariant that does not hold: names, wounds, resources, turn track, cup, experience."""
        return broken(self.table)

    def board(self) -> Board:
        """The table as text."""
        return drawing.board(self.table)

    def svg(self) -> str:
        """The mission map as a picture."""
        return drawing.svg(self.table)

    def learned(self) -> Tables:
        """The roster as the campaign left it, if it is kept for the next one: what was bettered, which level.

        Who was lost leaves a card as printed, in the place of what may be kept of an earlier campaign, or of
        an end of this one that was undone.
        """
        if not (self._over and self.table.rules.keep_roster):
            return {}
        pack = self.table.pack
        veterans: dict[str, Record] = {}
        for name, one in self.state.roster.items():
            if one.lost:
                levels, ep, missions = {}, 0, 0
            elif one.missions or _veteran(pack, name, one.card) or one.kind is Kind.LEADER:
                printed = printed_levels(pack.unit[one.card])
                levels = {skill: has for skill, has in one.levels.items() if has != printed.get(skill)}
                ep, missions = one.ep, one.missions
            else:
                continue
            veterans[name] = {"card": one.card, "levels": levels, "ep": ep, "missions": missions}
        return {"veteran": veterans} | self._progress()

    def _progress(self) -> Tables:
        """How far towards the next level the kept soldiers have come (SPI-188); Nightmare is on no way."""
        state = self.state
        if not self.table.rules.progression or state.difficulty not in LADDER:
            return {}
        return {"campaign": {KEPT: {"difficulty": state.difficulty, "successes": state.streak}}}

    def advise(self, question: AnyAsk, policy: str) -> object | None:
        """What `steady` or `rash` would do; `cautious` is steady."""
        return policies.advise(self.table, question, "steady" if policy == "cautious" else policy)


def _recruits(pack: InfantryPack, *, kept: bool) -> Iterator[tuple[str, Soldier]]:
    """Every card of the roster as often as there are copies; veterans with what they have learned."""
    for name, card in pack.unit.items():
        for number, who in enumerate(soldiers(name, card), 1):
            yield who, _recruit(pack, who, name, card, number, kept=kept)


def _recruit(pack: InfantryPack, who: str, name: str, card: Card, number: int, *, kept: bool) -> Soldier:
    title = card.title if card.copies == 1 else f"{card.title} {number}"
    soldier = Soldier(name, title, card.kind, card.wounds, printed_levels(card), card.armor)
    if kept and (veteran := _veteran(pack, who, name)):
        for skill, printed in soldier.levels.items():
            learned = veteran.levels.get(skill, ())
            soldier.levels[skill] = [*map(min, learned, printed), *printed[len(learned) :]]
        soldier.ep, soldier.missions = veteran.ep, veteran.missions
    return soldier


def _veteran(pack: InfantryPack, who: str, card: str) -> Veteran | None:
    """What a soldier has learned, if it was on this card."""
    veteran = pack.veteran.get(who)
    return veteran if veteran and veteran.card == card else None
