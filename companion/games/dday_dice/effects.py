"""The closed vocabulary of what Specialists, Items, Vehicles and Awards do.

A card in a pack is a list of these; the phases interpret them. Each effect says in one sentence what
it does; the cards that use it are in `packs/rulebook/pack.toml`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TypeAlias

import msgspec

from companion.games.dday_dice.dice import Face


class Rwb(StrEnum):
    """The six Red-White-Blue bonuses by their names."""

    GIFT = "dead_mans_gift"
    LEADERSHIP = "leadership"
    REINFORCEMENTS = "reinforcements"
    FRESH_TROOPS = "fresh_troops"
    BATTLE_CRY = "battle_cry"
    SPECIAL_FIND = "special_find"


RWB_OF = dict(zip(Face, Rwb, strict=True))
"""Which triple gives which bonus (DDD-R01, DDD-R02)."""

RWB_NAMES = {
    Rwb.GIFT: "Dead Man's Gift",
    Rwb.LEADERSHIP: "Leadership",
    Rwb.REINFORCEMENTS: "Reinforcements",
    Rwb.FRESH_TROOPS: "Fresh Troops",
    Rwb.BATTLE_CRY: "Battle Cry",
    Rwb.SPECIAL_FIND: "Special Find",
}


class Event(StrEnum):
    """When a `Gain` is paid."""

    NOW = "now"
    TURN = "turn"
    ADVANCE = "advance"
    MOVE = "move"
    RWB = "rwb"
    LOCKED_SKULL = "locked_skull"


class Price(StrEnum):
    """What a `Cheapen` makes cheaper."""

    ADVANCE = "advance"
    SPECIALIST = "specialist"
    ITEM = "item"


class Reach(StrEnum):
    """Whose guns a `Silence` stops: those of the own Sector, or of one beside it."""

    OWN = "own"
    ADJACENT = "adjacent"


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class BaseEffect(msgspec.Struct, frozen=True, tag_field="do", tag=_snake, forbid_unknown_fields=True):
    """What all effects have in common: in a pack, `do` names the kind."""


class Gain(BaseEffect, frozen=True):
    """Resources, when `on` happens; `one_of`: the player picks one of the kinds."""

    on: Event = Event.NOW
    soldiers: int = 0
    stars: int = 0
    courage: int = 0
    points: int = 0
    one_of: bool = False


class Add(BaseEffect, frozen=True):
    """Results added to the Final Tally: colourless, or in a colour of choice."""

    face: Face
    count: int = 1
    any_colour: bool = False
    everyone: bool = False


class Reroll(BaseEffect, frozen=True):
    """After rolling, one unlocked die may be re-rolled, once a turn."""


class Recolour(BaseEffect, frozen=True):
    """One die of the Final Tally counts as another colour."""


class TurnDie(BaseEffect, frozen=True):
    """One die takes another result; `blue_only`: a blue die of the tally, else any die on the table."""

    blue_only: bool = False


class TurnSkulls(BaseEffect, frozen=True):
    """All Skulls of the Final Tally take one result of choice."""


class SwapDice(BaseEffect, frozen=True):
    """Units may swap a die each after the Final Tally (the Lieutenant)."""


class CopyTally(BaseEffect, frozen=True):
    """The Unit uses another Unit's Final Tally."""


class KeepTally(BaseEffect, frozen=True):
    """Sacrificed: this Final Tally serves for the next turn too."""


class IgnoreSkull(BaseEffect, frozen=True):
    """So many Skulls a turn cancel nothing."""

    count: int = 1


class Score(BaseEffect, frozen=True):
    """An RWB is scored as if rolled."""

    rwb: Rwb


class LockFewer(BaseEffect, frozen=True):
    """Every Unit locks only so many dice."""

    locks: int = 1


class Cheapen(BaseEffect, frozen=True):
    """A price is lower, never below 0 (DDD-R53)."""

    what: Price
    by: int
    everyone: bool = False


class RecruitFree(BaseEffect, frozen=True):
    """Recruit one Specialist without Stars, for so many Soldiers."""

    soldiers: int = 0


class FindFree(BaseEffect, frozen=True):
    """Find one Item of the Pool without Item Points."""


class FindMore(BaseEffect, frozen=True):
    """More than one Item may be found in a turn."""


class DrawAward(BaseEffect, frozen=True):
    """Draw a random Award."""


class TakeVehicle(BaseEffect, frozen=True):
    """Take any Vehicle that is not in play."""


class TradeAnywhere(BaseEffect, frozen=True):
    """Trade with one other Unit anywhere this turn."""


class Tradeable(BaseEffect, frozen=True):
    """The Specialist may be traded, once a turn."""


class FreeAdvance(BaseEffect, frozen=True):
    """The next Advance of this turn costs no Courage."""


class IgnoreMines(BaseEffect, frozen=True):
    """Landmines do no harm."""


class CrossBarriers(BaseEffect, frozen=True):
    """Barriers may be crossed."""


class IgnoreSacrifice(BaseEffect, frozen=True):
    """Sacrifices that a Sector asks for are not made."""


class Linger(BaseEffect, frozen=True):
    """Sacrificed: the Unit may stay one turn longer."""


class ExchangeSectors(BaseEffect, frozen=True):
    """Sacrificed: the Unit and another change places; `any_time`: also once it has moved itself.

    Packs of sessions that were begun earlier do not say so: they go on without that question.
    """

    any_time: bool = False


class StandIn(BaseEffect, frozen=True):
    """Sacrificed in place of another Specialist."""


class LowerDef(BaseEffect, frozen=True):
    """The DEF of the Unit's Sector is lower by `by` (and by 1d6, if `roll`)."""

    by: int = 0
    roll: bool = False
    bunker_only: bool = False


class ZeroDef(BaseEffect, frozen=True):
    """The DEF of the Unit's Sector is 0 this turn; not in a Bunker."""


class Silence(BaseEffect, frozen=True):
    """No machine-gun fire in a Sector: this turn, or (sacrificed) for good; bunkers only in `OWN`."""

    reach: Reach = Reach.OWN
    forever: bool = False


class IgnoreGuns(BaseEffect, frozen=True):
    """The Unit takes no machine-gun losses this turn, Special Damage included."""


class IgnoreDamage(BaseEffect, frozen=True):
    """Special Damage is ignored."""


class Save(BaseEffect, frozen=True):
    """So many Soldiers fewer are lost in each phase."""

    soldiers: int = 1


class PayLosses(BaseEffect, frozen=True):
    """Casualties may be paid with Courage and Stars."""


class Strength(BaseEffect, frozen=True):
    """Stands for so many Soldiers."""

    soldiers: int


class ByHand(BaseEffect, frozen=True):
    """What the vocabulary cannot say: done by the players, who then set the dials."""

    text: str


Effect: TypeAlias = (
    Gain
    | Add
    | Reroll
    | Recolour
    | TurnDie
    | TurnSkulls
    | SwapDice
    | CopyTally
    | KeepTally
    | IgnoreSkull
    | Score
    | LockFewer
    | Cheapen
    | RecruitFree
    | FindFree
    | FindMore
    | DrawAward
    | TakeVehicle
    | TradeAnywhere
    | Tradeable
    | FreeAdvance
    | IgnoreMines
    | CrossBarriers
    | IgnoreSacrifice
    | Linger
    | ExchangeSectors
    | StandIn
    | LowerDef
    | ZeroDef
    | Silence
    | IgnoreGuns
    | IgnoreDamage
    | Save
    | PayLosses
    | Strength
    | ByHand
)
