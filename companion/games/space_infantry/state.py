"""All that is on the table in Space Infantry: the campaign, and in it one mission, and in it one fight."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from companion.games.space_infantry.pack import Kind


class Range(StrEnum):
    """Short and long combat range; before the first round it is not set (SPI-101, SPI-103)."""

    SET = "Set"
    MELEE = "M"
    FIRE = "F"

    @property
    def words(self) -> str:
        """As the booklet calls it."""
        return self.name.capitalize()


class Edge(StrEnum):
    """Who has the Ambush: strikes first in the first round, unless both have it (SPI-127, SPI-R46)."""

    NOBODY = ""
    TEAM = "team"
    ENEMY = "enemy"
    BOTH = "both"


class Soldier(msgspec.Struct):
    """A card of the roster through the campaign: its levels as they are now, its unspent experience."""

    card: str
    title: str
    kind: Kind
    wounds: int
    levels: dict[str, list[int]]
    armor: int = 0
    ep: int = 0
    missions: int = 0
    lost: bool = False


class Member(msgspec.Struct):
    """A soldier in this mission: wounds and Treated Wounds, and what holds for this fight."""

    wounds: int = 0
    treated: int = 0
    stymo: bool = False
    fought: bool = False


class Place(msgspec.Struct):
    """What has become of a node: Success Levels gathered, entered or not, events and cache used up."""

    gathered: int = 0
    explored: bool = False
    spent: list[int] = msgspec.field(default_factory=list)
    emptied: bool = False
    counter: str = ""
    """A special counter: "?" face down, its letter once flipped."""
    resource: str = ""
    """What the cache holds, once that is known (9.4)."""


class Rhino(msgspec.Struct):
    """The vehicle: damage so far, and whether the team rides in it."""

    wounds: int = 0
    inside: bool = False


class Foe(msgspec.Struct):
    """One active enemy."""

    kind: str
    wounds: int = 0


class Fight(msgspec.Struct):
    """A combat in progress."""

    force: str
    foes: list[Foe]
    round: int = 0
    range: Range = Range.SET
    edge: Edge = Edge.NOBODY
    grenade: bool = False
    """A Grenade was spent in this round."""


class Check(msgspec.Struct):
    """A chit on one skill level of somebody: `ap` over `level`, fractions dropped (SPI-065)."""

    who: str
    skill: str
    level: int
    ap: int = 0

    @property
    def sl(self) -> int:
        """The Success Levels of this chit."""
        return self.ap // self.level


class Operation(msgspec.Struct):
    """One mission from its setup to its end."""

    mission: str
    title: str = ""
    sheet: str = ""
    team: dict[str, Member] = msgspec.field(default_factory=dict)
    resources: dict[str, int] = msgspec.field(default_factory=dict)
    node: str = ""
    marker: int = 0
    turn: int = 0
    places: dict[str, Place] = msgspec.field(default_factory=dict)
    found: list[str] = msgspec.field(default_factory=list)
    rhino: Rhino | None = None
    chits: list[Check] = msgspec.field(default_factory=list)
    """What lies on the team's units until the check or round is resolved."""
    surplus: int = 0
    """How many resources too many are held while the player chooses what to leave."""
    command: int = 0
    """Command Points left in this turn or round."""
    fight: Fight | None = None
    news: list[str] = msgspec.field(default_factory=list)
    """What has still to be told."""
    grounds: list[str] = msgspec.field(default_factory=list)
    """The rules by which it came about."""


class Report(msgspec.Struct):
    """How a mission of the campaign ended."""

    mission: str
    difficulty: str
    success: bool
    survivors: int
    turns: int


class Campaign(msgspec.Struct):
    """The whole session: the roster that goes from mission to mission."""

    roster: dict[str, Soldier]
    difficulty: str
    streak: int = 0
    """Successes since the last step up, as long as there is a next one (SPI-188)."""
    operation: Operation | None = None
    reports: list[Report] = msgspec.field(default_factory=list)
    cup: dict[str, int] = msgspec.field(default_factory=dict)
    """The chits in the cup, if the box keeps one."""
    lying: dict[str, int] = msgspec.field(default_factory=dict)
    """The chits that lie on units until the check or round is resolved (SPI-R03); if typed each + too."""
