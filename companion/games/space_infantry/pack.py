"""What is printed on roster, enemy sheets, mission sheets and the Rhino, as records of a pack."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

SKILL_LEVELS = range(2, 7)
"""A skill level is 2 to 6, the lower the better (SPI-017)."""

ATTACKS = ("melee", "fire")
"""The skills that wound an enemy at the two ranges (SPI-106)."""

CLASSES = ("A", "B", "C", "S")
"""Of enemy forces; S is the mission's special one (SPI-088, SPI-089)."""

CHITS = ("0", "1", "2", "3", "4", "5", "6", "+")
CUP_SIZE = 20
PLUS = "+"
MOST_PLUS = 9
"""Each stands for two more chits: if half of them did, a draw might never end."""

TRACK = 30
"""The Turn Track's boxes are numbered from this down to 1 (SPI-052)."""

Count = Annotated[int, msgspec.Meta(le=99)]
"""How many there are of something that the game lays out one by one."""


class Kind(StrEnum):
    """What colour a friendly card has; the leader is a kind of its own (SPI-019, SPI-040)."""

    BASIC = "basic"
    SPECIAL = "special"
    LEADER = "leader"


class Resource(StrEnum):
    """The five kinds of resources (SPI-TB07)."""

    GRENADE = "G"
    MEDIKIT = "M"
    INTELLIGENCE = "I"
    STYMO = "S"
    CHARGE = "D"


RESOURCE_NAMES = {
    "G": "Grenades",
    "M": "MediKits",
    "I": "Intelligence",
    "S": "Stymo-Packs",
    "D": "Demo Charges",
}


class Skill(msgspec.Struct, frozen=True):
    """A skill's name; one with an asterisk is never improved by Command Points (SPI-076)."""

    title: str
    starred: bool = False
    source: str = ""


class Card(msgspec.Struct, frozen=True):
    """A friendly unit of the roster (SPI-016): `skills` by name, with one or more levels each.

    `piercing` are the attack skills that armor doesn't help against; `charges` marks who can use Demo
    Charges (SPI-147); `advanced` cards can't be bought in this game (SPI-042).
    """

    title: str
    cost: int
    wounds: int
    kind: Kind
    skills: dict[str, tuple[int, ...]]
    copies: Count = 1
    armor: int = 0
    piercing: tuple[str, ...] = ()
    charges: bool = False
    advanced: bool = False
    source: str = ""


class Enemy(msgspec.Struct, frozen=True):
    """An enemy unit (SPI-021): attack levels by range, one attack a level (SPI-022).

    Attributes of the sheet: `piercing` attacks pass armor, each hit of a `savage` one is two wounds in
    Melee, a `regenerating` one heals a wound at the end of each round.
    """

    title: str
    wounds: int
    melee: tuple[int, ...] = ()
    fire: tuple[int, ...] = ()
    armor: int = 0
    piercing: bool = False
    savage: bool = False
    regenerating: bool = False


class Sheet(msgspec.Struct, frozen=True):
    """An enemy sheet: units, and for each random number from `lowest` the force by class and the range.

    A row of `presence` says how many of which unit come in class A, B or C; a row of `ranges` gives M or F
    in the columns Set, M and F. `range_shift` is the attribute that changes the range number (SPI-104);
    `ambush` are the classes in which it strikes first (SPI-R46).
    """

    title: str
    units: dict[str, Enemy]
    presence: tuple[dict[str, dict[str, Count]], ...]
    ranges: tuple[dict[str, str], ...]
    lowest: int = 0
    range_shift: int = 0
    ambush: tuple[str, ...] = ()
    source: str = ""


class EffectKind(StrEnum):
    """What an (E) event or a special counter does; the closed list that mission sheets use."""

    NOTHING = "nothing"
    WOUNDS = "wounds"
    TURNS = "turns"
    GAIN = "gain"
    LOSE = "lose"
    ENCOUNTER = "encounter"
    OPEN = "open"
    FOUND = "found"


class Effect(msgspec.Struct, frozen=True):
    """One effect: wounds on the team, turns lost or won, resources, an encounter, a way opened, a find.

    `what` is the resource, the class of the encounter or the node that opens.
    """

    kind: EffectKind
    amount: int = 0
    what: str = ""
    text: str = ""


class Node(msgspec.Struct, frozen=True):
    """A place on the map: what it asks for, what may happen there, where it leads (SPI-006).

    `needs` is a skill and a number of Success Levels, "climb 2"; empty at the start. `counter` marks a
    question mark (SPI-199), below which it may be empty too.
    """

    title: str
    links: tuple[str, ...]
    needs: str = ""
    events: tuple[str, ...] = ()
    cache: str = ""
    outside: bool = False
    counter: bool = False
    effect: Effect | None = None


class Counter(msgspec.Struct, frozen=True):
    """Special counters of one letter: how many are placed, and what each does (SPI-200, SPI-201)."""

    count: int
    effect: Effect


class Goal(msgspec.Struct, frozen=True):
    """What a mission asks for: to reach nodes, to have had their events too, to find counters, to return."""

    reach: tuple[str, ...] = ()
    clear: tuple[str, ...] = ()
    find: tuple[str, ...] = ()
    end_at: str = ""

    @property
    def named(self) -> bool:
        """Does it ask for more than to return? If not, the player says when the briefing's goal is met."""
        return bool(self.reach or self.clear or self.find)


class Mission(msgspec.Struct, frozen=True):
    """A mission sheet (SPI-036): the map, the briefing, the goal, and what is special."""

    title: str
    briefing: str
    start: str
    goal: Goal
    nodes: dict[str, Node]
    turns: int = TRACK
    recommended: tuple[str, ...] = ()
    rhino: bool = False
    counters: dict[str, Counter] = msgspec.field(default_factory=dict)
    special: dict[str, Enemy] = msgspec.field(default_factory=dict)
    special_force: dict[str, Count] = msgspec.field(default_factory=dict)
    source: str = ""


class Vehicle(msgspec.Struct, frozen=True):
    """The Rhino with its Pilot and Gunner (SPI-163)."""

    title: str
    wounds: int
    pilot: tuple[int, ...]
    gunnery: tuple[int, ...]
    armor: int = 0
    communications: int = 1
    source: str = ""

    def crew(self, skill: str) -> tuple[int, ...]:
        """The levels of its Pilot or its Gunner in a skill; none in any other."""
        return {"pilot": self.pilot, "gunnery": self.gunnery}.get(skill, ())


class Cup(msgspec.Struct, frozen=True):
    """How many of the twenty chits show each face; printed nowhere that we know (SPI-G01)."""

    chits: dict[str, int]
    source: str = ""


class Level(msgspec.Struct, frozen=True):
    """A difficulty (SPI-TB11)."""

    title: str
    points: int
    resources: int
    presence: int
    strict: bool = False
    source: str = ""


class Veteran(msgspec.Struct, frozen=True):
    """A soldier kept between campaigns: what experience has bettered of the card's levels."""

    card: str
    levels: dict[str, tuple[int, ...]]
    ep: int = 0
    missions: int = 0
    source: str = ""


class Progress(msgspec.Struct, frozen=True):
    """How far the campaign of the kept soldiers has come: its level, the successes towards the next one."""

    difficulty: str
    successes: int = 0
    source: str = ""


class InfantryPack(msgspec.Struct, frozen=True):
    """Everything that packs may bring to this game."""

    unit: dict[str, Card]
    skill: dict[str, Skill]
    enemy: dict[str, Sheet]
    mission: dict[str, Mission]
    vehicle: dict[str, Vehicle]
    difficulty: dict[str, Level]
    cup: dict[str, Cup] = msgspec.field(default_factory=dict)
    veteran: dict[str, Veteran] = msgspec.field(default_factory=dict)
    campaign: dict[str, Progress] = msgspec.field(default_factory=dict)


def skill_name(text: str) -> str:
    """One name for the spellings of a skill (SPI-R72)."""
    plain = text.strip().lower().replace(" ", "_")
    return "demolitions" if plain == "demolition" else plain


def soldiers(name: str, card: Card) -> list[str]:
    """Who is on a card of the roster: numbered, where there are several copies of it."""
    return [name] if card.copies == 1 else [f"{name}-{number}" for number in range(1, card.copies + 1)]


def printed_levels(card: Card) -> dict[str, list[int]]:
    """The skill levels of a card before any experience."""
    return {skill_name(skill): list(levels) for skill, levels in card.skills.items()}


def requirement(needs: str) -> tuple[str, int]:
    """A node requirement in two: the skill and its Success Levels (SPI-009); `ValueError` if it is none."""
    skill, _, count = needs.rpartition(" ")
    if not skill or not count.isdecimal() or len(count) > 3:
        raise ValueError(f"{needs!r} is no requirement: write a skill and a number, such as climb 2")
    return skill_name(skill), int(count)
