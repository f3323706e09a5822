"""What packs hold: cards, Battle Maps, Sectors, scenarios."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec

from companion.engine.packs import Source
from companion.games.dday_dice.dice import Face
from companion.games.dday_dice.effects import Effect


class Kind(StrEnum):
    """Regular Specialists are in every hand, unique ones in the Pool; Items alike (DDD-086, DDD-087)."""

    REGULAR = "regular"
    UNIQUE = "unique"
    SPECIAL = "special"


class Specialist(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Specialist card; `cost` in Stars; without `solo` he stays in the box in a solo game."""

    cost: int
    kind: Kind
    effects: tuple[Effect, ...]
    text: str = ""
    solo: bool = True
    source: Source = Source.RULEBOOK


class Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An Item card; `cost` in Item Points."""

    cost: int
    kind: Kind
    effects: tuple[Effect, ...]
    text: str = ""
    solo: bool = True
    source: Source = Source.RULEBOOK


class Vehicle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Vehicle card; `cost` in Item Points."""

    cost: int
    effects: tuple[Effect, ...]
    text: str = ""
    source: Source = Source.RULEBOOK


class Award(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An Award card; `others` is a second part, for each other Unit, that a solo player leaves out."""

    effects: tuple[Effect, ...] = ()
    others: tuple[Effect, ...] = ()
    text: str = ""
    solo: bool = True
    source: Source = Source.RULEBOOK


class Damage(StrEnum):
    """The Special Damage of a machine-gun 6 (DDD-151)."""

    COURAGE = "courage"
    SPECIALIST = "specialist"


class Access(StrEnum):
    """What a Sector can be entered with only."""

    WIRECUTTERS = "wirecutters"
    BATTLE_CRY = "battle_cry"


class Drawn(StrEnum):
    """How a Sector's Award comes: picked by the player or drawn."""

    CHOICE = "choice"
    RANDOM = "random"


class Entry(StrEnum):
    """What is gained on moving in."""

    D6_SOLDIERS = "1d6 soldiers"


ANY = "any"
"""In a sacrifice: whichever Specialist the player likes (DDD-133)."""


class Attributes(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a Sector's print, or a random table's line, does to the Units there."""

    shield: bool = False
    requires: tuple[str, ...] = ()
    sacrifice: tuple[str, ...] = ()
    bonus: tuple[Face, ...] = ()
    bonus_any_colour: tuple[Face, ...] = ()
    penalty: tuple[Face, ...] = ()
    joins: str = ""
    joins_first_only: bool = False
    gain_on_entry: Entry | None = None
    award: Drawn | None = None
    free_item: str = ""
    free_item_solo: str = ""
    vehicle: str = ""
    vehicle_free: bool = False
    no_lock: bool = False
    roll_dice: int = 6
    no_reroll: tuple[Face, ...] = ()
    no_find_items: bool = False
    no_battle_cry: bool = False
    no_vehicle: bool = False
    climb_skulls: int = 0
    retreat: str = ""
    max_units: int = 0
    access: Access | None = None
    def_fixed: bool = False
    no_time_limit: bool = False
    of_a_kind_soldiers: int = 0
    losses_d6: bool = False
    losses_d6_unswept: bool = False
    star_costs_soldier: bool = False
    rwb_soldiers: int = 0

    @property
    def costs_in_upkeep(self) -> bool:
        """Whether a Final Tally can cost Soldiers here (DDD-262, DDD-286)."""
        return self.star_costs_soldier or self.of_a_kind_soldiers < 0


class Link(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way to another Sector; written once, at the Sector nearer to the sea."""

    to: str
    courage: int = 0
    mines: bool = False
    barrier: bool = False


class Sector(Attributes, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Sector of a Battle Map. Its own fields are figures, those of `Attributes` its print."""

    row: int = 0
    defence: tuple[int, ...] = msgspec.field(default=(0,), name="def")
    guns: int = 0
    damage: Damage | None = None
    links: tuple[Link, ...] = ()
    start: bool = False
    soldiers: int = 0
    stars: int = 0
    courage: int = 0
    specialist: str = ""
    bunker: bool = False
    random: str = ""
    general_ignores: bool = False
    note: str = ""
    source: Source = Source.RULEBOOK


class RandomTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Six lines for a random Sector, for the rolls 1 to 6."""

    names: tuple[str, ...]
    lines: tuple[Attributes, ...]
    source: Source = Source.RULEBOOK


class BattleMap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board: `sectors` names those that exist on it, from the sea inland."""

    title: str
    sectors: tuple[str, ...]
    code: str = ""
    source: Source = Source.RULEBOOK


class Training(StrEnum):
    """How much of the rules is in force (Exercise Tiger)."""

    FULL = "full"
    BASIC = "basic"
    PRACTICE = "practice"


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is played: boards, and the cards that they allow. `withheld` Items are not in the Pool."""

    title: str
    maps: tuple[str, ...]
    training: Training = Training.FULL
    regular: tuple[str, ...] = ()
    unique: tuple[str, ...] = ()
    special_items: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    items: bool = True
    joined: tuple[str, ...] = ()
    players_least: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    bunkers_all: bool = False
    source: Source = Source.RULEBOOK

    @property
    def two_boards(self) -> bool:
        """Operation Deadstick is fought on two boards at once."""
        return len(self.maps) > 1


class DdayPack(msgspec.Struct, frozen=True):
    """All records of the game."""

    scenario: dict[str, Scenario]
    map: dict[str, BattleMap]
    sector: dict[str, Sector]
    random: dict[str, RandomTable]
    specialist: dict[str, Specialist]
    item: dict[str, Item]
    vehicle: dict[str, Vehicle]
    award: dict[str, Award]
