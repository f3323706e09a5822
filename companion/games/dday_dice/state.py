"""Everything that is on the table."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from companion.games.dday_dice.dice import Die, Result
from companion.games.dday_dice.effects import Rwb
from companion.games.dday_dice.records import Award

DIAL_NAMES = {"soldiers": "Soldiers", "stars": "Stars", "courage": "Courage", "points": "Item Points"}


def gained(dial: str, amount: int) -> str:
    """A gain in words: +1 Star, +2 Soldiers, +3 Courage."""
    name = DIAL_NAMES[dial]
    return f"+{amount} {name.removesuffix('s') if amount == 1 else name}"


class Phase(StrEnum):
    """The five phases of a turn (DDD-015), before and after them."""

    SETUP = "setup"
    ROLL = "roll"
    UPKEEP = "upkeep"
    RECRUIT = "recruit"
    MOVE = "move"
    COMBAT = "combat"
    OVER = "over"


class Status(StrEnum):
    """Where a Unit stands: in play, safe in a Bunker, or wiped out."""

    FIGHTING = "fighting"
    SAFE = "safe"
    LOST = "lost"


class Turn(msgspec.Struct, kw_only=True):
    """What a Unit did and has in force this turn; made anew each turn.

    `skulls` are those of its tally, `climbed` says that it was rolled in a Climbing Sector;
    `entered` is the Sector that it moved into; `cards_in` says that `extra` holds already what Specialists
    and Vehicles add to the tally, `swapped` that it has no die to swap any more; `news` is what happened
    unasked, for the report at the end of the turn.
    """

    skulls: int = 0
    climbed: bool = False
    locked_skulls: int = 0
    cards_in: bool = False
    scored: list[Rwb] = []
    recruited: int = 0
    found: int = 0
    award_drawn: bool = False
    recoloured: bool = False
    swapped: bool = False
    battle_cry: bool = False
    special_finds: int = 0
    free_advance: bool = False
    ignore_mines: bool = False
    ignore_guns: bool = False
    lingers: bool = False
    cutters_from: str = ""
    bulldozed_from: str = ""
    messenger_traded: bool = False
    partner: str = ""
    extra_losses: int = 0
    moved: bool = False
    entered: str = ""
    news: list[str] = []


class Unit(msgspec.Struct, kw_only=True):
    """One player's Unit, its dials, cards, marker and dice.

    `stay` counts the turns in the Sector as the marker does (1 chevron is 1), `combats` those fought
    in it; `kept_limit` is the Sector limit by which an exchanged marker was turned, until it is turned again;
    `extra` are results that cards add to this Final Tally; `dice_swapped`: its set has to be put right before
    it is rolled again; `copied`: no dice of its own show its tally.
    """

    name: str
    home: str
    sector: str
    soldiers: int = 0
    stars: int = 0
    courage: int = 0
    points: int = 0
    stay: int = 1
    combats: int = 0
    kept_limit: int | None = None
    status: Status = Status.FIGHTING
    hand: list[str] = []
    specialists: list[str] = []
    dead: list[str] = []
    items: list[str] = []
    vehicle: str = ""
    awards: list[str] = []
    awards_earned: int = 0
    visited: list[str] = []
    dice: list[Die] = []
    extra: list[Result] = []
    dice_swapped: bool = False
    copied: bool = False
    keeps_tally: bool = False
    mulligan_used: bool = False
    first_in: bool = False
    bunker: str = ""
    taken: list[str] = []
    turn: Turn = msgspec.field(default_factory=Turn)


class TableState(msgspec.Struct, kw_only=True):
    """The table: Units, Pool, Award deck, and what the Sectors remember."""

    scenario: str
    turn: int = 0
    phase: Phase = Phase.SETUP
    units: list[Unit] = []
    pool_specialists: list[str] = []
    pool_items: list[str] = []
    used_items: list[str] = []
    reserved: list[str] = []
    award_deck: list[str] = []
    vehicles_gone: list[str] = []
    gifts_taken: list[str] = []
    random_rolls: dict[str, int] = {}
    silenced: list[str] = []
    silent: list[str] = []
    zeroed: list[str] = []
    lowered: dict[str, int] = {}
    lowered_by_award: dict[str, int] = {}
    guns: dict[str, list[int]] = {}
    laid: dict[str, int] = {}
    bunkers_taken: dict[str, int] = {}
    learned: dict[str, Award] = {}
    trading_pool: list[Die] = []
    mortars_out: bool = False
