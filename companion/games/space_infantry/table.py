"""What script, policies and drawings of Space Infantry share: the campaign, the packs, the house rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import pairwise

import msgspec

from companion.engine.asks import Script, Show, ask
from companion.engine.game import title_of
from companion.games.space_infantry.pack import (
    Enemy,
    InfantryPack,
    Kind,
    Level,
    Mission,
    Node,
    Progress,
    Sheet,
    Vehicle,
    requirement,
)
from companion.games.space_infantry.state import Campaign, Fight, Member, Operation, Place, Soldier
from companion.wording import begun

SHORT = 60
"""About what three rows of the small screen hold."""

LADDER = ("easy", "normal", "hard")
STEPS = dict(pairwise(LADDER))
"""Where three successes lead; Hard is the last step (SPI-188, SPI-R68)."""
SUCCESSES_A_STEP = 3

KEPT = "kept"
"""What the kept soldiers' progress is called in the owner's pack."""

COUNTER_NEEDS = ("advance", 3)
"""What a node with a face-down special counter asks for (SPI-203)."""


class Numbers(StrEnum):
    """Where random numbers come from: dice (9.3), a cup whose mix a pack knows, or a real cup, typed."""

    DICE = "dice"
    CUP = "cup"
    TYPED = "typed"


class HouseRules(msgspec.Struct, frozen=True):
    """The settings that change how a campaign is played."""

    missions: int = 1
    difficulty: str = "normal"
    numbers: Numbers = Numbers.DICE
    progression: bool = True
    command: bool = True
    hard_fight: bool = False
    no_intelligence: bool = False
    random_resources: bool = False
    special_threshold: int = 5
    casualties_return: bool = True
    keep_roster: bool = False
    dice: int = 0
    """How many dice are thrown at once; 0 is as many as numbers are wanted."""

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> HouseRules:
        """From `--set` values."""
        return cls(
            missions=int(settings["missions"]),
            difficulty=settings["difficulty"],
            numbers=Numbers(settings["numbers"]),
            progression=settings["progression"] == "on",
            command=settings["command_points"] == "on",
            hard_fight=settings["hard_fight"] == "on",
            no_intelligence=settings["no_intelligence"] == "on",
            random_resources=settings["random_resources"] == "on",
            special_threshold=int(settings["special_units_enemy_threshold"]),
            casualties_return=settings["casualties"] == "return",
            keep_roster=settings["roster"] == "kept",
            dice=0 if settings["dice_at_once"] == "all" else int(settings["dice_at_once"]),
        )


class Table:
    """The campaign with the printed things that it is played with."""

    def __init__(self, campaign: Campaign, pack: InfantryPack, rules: HouseRules, first: str = "") -> None:
        self.campaign = campaign
        self.pack = pack
        self.rules = rules
        self.first = first
        """The mission that `--scenario` names; empty if the player chooses."""
        self.between = True
        """No mission is on the table: the next one is being chosen."""

    @property
    def op(self) -> Operation:
        """The mission that is being played."""
        assert self.campaign.operation is not None
        return self.campaign.operation

    @property
    def fight(self) -> Fight:
        """The combat in progress."""
        assert self.op.fight is not None
        return self.op.fight

    @property
    def mission(self) -> Mission:
        """Its sheet."""
        return self.pack.mission[self.op.mission]

    @property
    def sheet(self) -> Sheet:
        """The enemy sheet, once it is known."""
        return self.pack.enemy[self.op.sheet]

    @property
    def progress(self) -> Progress | None:
        """How far earlier campaigns with the kept soldiers came, where this one goes on from there (SPI-188).

        One that is begun at a harder level does not.
        """
        kept = self.pack.campaign.get(KEPT)
        if kept is None or not (self.rules.keep_roster and self.rules.progression):
            return None
        harder = LADDER[LADDER.index(self.rules.difficulty) :] if self.rules.difficulty in LADDER else ()
        return kept if kept.difficulty in harder else None

    @property
    def level(self) -> Level:
        """The difficulty."""
        return self.pack.difficulty[self.campaign.difficulty]

    @property
    def node(self) -> Node:
        """Where the team stands."""
        return self.mission.nodes[self.op.node]

    @property
    def place(self) -> Place:
        """What has become of the node where the team stands."""
        return self.op.places[self.op.node]

    @property
    def vehicle(self) -> Vehicle:
        """The Rhino's card."""
        return self.pack.vehicle["rhino"]

    def needs(self, name: str) -> tuple[str, int]:
        """The skill and the Success Levels that open a node (SPI-009, SPI-203)."""
        needs = self.mission.nodes[name].needs
        return COUNTER_NEEDS if self.op.places[name].counter == "?" or not needs else requirement(needs)

    def skill_word(self, skill: str) -> str:
        """A skill as it is called within a sentence: small but for words in capitals."""
        words = title_of(self.pack.skill, skill).split(" ")
        return " ".join(word if word[1:].isupper() else word.lower() for word in words)

    def enemy(self, kind: str) -> Enemy:
        """An enemy unit, from the mission sheet if that brings it, else from the enemy sheet (SPI-089)."""
        special = self.mission.special
        return special[kind] if kind in special else self.sheet.units[kind]

    def in_play(self) -> dict[str, Soldier]:
        """The team without those out of combat."""
        roster = self.campaign.roster
        return {
            name: roster[name] for name, member in self.op.team.items() if member.wounds < roster[name].wounds
        }

    def leader(self) -> str:
        """The Team Leader's name if still in play, else empty (SPI-R58)."""
        return next((name for name, one in self.in_play().items() if one.kind is Kind.LEADER), "")

    def left(self, name: str) -> int:
        """How many wounds a team member can still take."""
        return self.campaign.roster[name].wounds - self.op.team[name].wounds

    def rhino_works(self) -> bool:
        """Is there a Rhino that is not destroyed?"""
        rhino = self.op.rhino
        return rhino is not None and rhino.wounds < self.vehicle.wounds

    def rhino_here(self) -> bool:
        """Is it at hand, the team being on an outside node (SPI-164, SPI-175)?"""
        return self.rhino_works() and self.node.outside

    def riding(self) -> bool:
        """Does the team ride in the Rhino?"""
        return self.op.rhino is not None and self.op.rhino.inside and self.rhino_here()

    def members(self) -> Iterator[tuple[str, Soldier, Member]]:
        """Everybody of the team, out of combat or not."""
        for name, member in self.op.team.items():
            yield name, self.campaign.roster[name], member

    def pending(self) -> str:
        """What has still to be told, for a question that comes before it can be."""
        return begun("; ".join(self.op.news))

    def note(self, line: str, *rule: str) -> None:
        """Something to be told at the next stop, and by which rules it came about."""
        self.op.news.append(line)
        self.op.grounds += rule


def several(many: int, title: str) -> str:
    """So many of a kind, whatever the plural of its name: `1 Drone` and `4 x Drone`."""
    return f"{many} {title}" if many == 1 else f"{many} x {title}"


def tell(table: Table, key: str, rule: tuple[str, ...]) -> Script[None]:
    """Everything noted since the last stop, in one go."""
    if table.op.news:
        yield from ask(told(table, key, rule))


def told(table: Table, key: str, rule: tuple[str, ...]) -> Show:
    """The news there are, which are none any more: what fits a small screen, and the rest as detail."""
    text, *rest = table.op.news
    while rest and len(text) + len(rest[0]) <= SHORT:
        text = f"{text}; {rest.pop(0)}"
    grounds = tuple(dict.fromkeys((*rule, *table.op.grounds)))
    table.op.news.clear()
    table.op.grounds.clear()
    detail = begun("; ".join(rest))
    return Show(key, begun(text), detail, rule=grounds, news=f"{begun(text)}\n{detail}")
