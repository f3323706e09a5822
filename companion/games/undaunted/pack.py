"""The shape of Undaunted's packs: units, tiles, scenarios, solo cards and solo sections."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cache

import msgspec

from companion.engine.packs import Source

ANY = "any"
"""The name of the solo section that serves every scenario without one of its own."""

ALL = "all"
"""Whom a spawn marker names that is for everybody (UND-262)."""

REST = "rest"
"""The pattern of a bolster deck for all that no other has taken."""


class Theatre(StrEnum):
    """The base game that a scenario belongs to; its vehicles and counters follow that game."""

    NORMANDY = "normandy"
    NORTH_AFRICA = "north-africa"


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place in a North Africa vehicle and the actions that only its occupant has (UND-363)."""

    name: str
    actions: tuple[str, ...] = ()


class UnitType(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A type of card, and of the counter that goes with it if it has a defence value.

    `unit` is the type whose counter the card acts with, where that is another (specialists). A defence
    of 0 is none: a record can take away what one of lesser trust gives.
    """

    title: str
    initiative: int = 0
    actions: tuple[str, ...] = ()
    defence: int | None = None
    armour: int | None = None
    structure: int | None = None
    unit: str = ""
    seats: tuple[Seat, ...] = ()
    aircraft: bool = False
    commands: bool = False
    source: Source = Source.RULEBOOK

    def __post_init__(self) -> None:
        for field in ("defence", "armour", "structure"):
            if getattr(self, field) == 0:
                msgspec.structs.force_setattr(self, field, None)

    @property
    def has_counter(self) -> bool:
        """Whether such a card moves a combat counter of its own."""
        return self.defence is not None or self.armour is not None or bool(self.unit)


class Tile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side of a board tile; a hill's `cover` is what it gives against those below (UND-327)."""

    cover: int
    hill: bool = False
    rough: bool = False
    source: Source = Source.RULEBOOK


class Rank(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One column of tiles from the top down (or row from the left), `shift` half tiles along."""

    tiles: tuple[str, ...]
    shift: int = 0


class LaidMine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mine that lies on an edge at the start (UND-047), on its anti-personnel side or the other."""

    between: tuple[str, str]
    armour: bool = False


class Cards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one player of a team begins with in a four-player game (UND-094)."""

    deck: dict[str, int]
    supply: dict[str, int] = msgspec.field(default_factory=dict)


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a scenario sheet says; the dictionaries are keyed by faction, first the first side.

    `spawns` names for each side who enters where: "all", a squad letter, a type or one unit. `joint`
    holds the two players' cards of each side for four players. A field that is still empty where the
    game needs it is what `companion pack check` lists.
    """

    title: str
    number: int = 0
    theatre: Theatre = Theatre.NORMANDY
    expansion: bool = False
    tiles: tuple[str, ...] = ()
    rows: bool = False
    ranks: tuple[Rank, ...] = ()
    objectives: dict[str, int] = msgspec.field(default_factory=dict)
    initiative: str = ""
    points: dict[str, int] = msgspec.field(default_factory=dict)
    pins: tuple[str, ...] = ()
    decks: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    supplies: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    spawns: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    counters: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    scouted: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    controlled: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    joint: dict[str, tuple[Cards, Cards]] = msgspec.field(default_factory=dict)
    no_vehicles: tuple[str, ...] = ()
    structures: dict[str, int] = msgspec.field(default_factory=dict)
    demolishes: str = ""
    mines: str = ""
    mine_supply: int = 0
    mines_laid: tuple[LaidMine, ...] = ()
    radio: str = ""
    raises_radio: str = ""
    notes: tuple[str, ...] = ()
    source: Source = Source.RULEBOOK

    @property
    def sides(self) -> tuple[str, ...]:
        """The two factions, the first side first."""
        return tuple(self.decks)

    @property
    def laid(self) -> list[str]:
        """The tiles as they are laid, rank by rank."""
        return [tile for rank in self.ranks for tile in rank.tiles]

    def supply(self, side: str) -> dict[str, int]:
        """A faction's supply; empty where the sheet gives it none."""
        return self.supplies.get(side, {})

    def cards(self, side: str) -> set[str]:
        """A side's cards where one player leads it."""
        return {*self.decks[side], *self.supply(side)}

    def all_cards(self, side: str) -> set[str]:
        """A side's cards, whether one player leads it or two do together."""
        return self.cards(side).union(*((*one.deck, *one.supply) for one in self.joint.get(side, ())))


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One effect of a solo card, in the words that `language` knows.

    `when`: conditions, all of which must hold. `do`: the keyword with its numbers. `to`: what the
    tile reached must be; `toward`: what the move must come closer to. `at`: which enemies are meant;
    `who`: which friends. `ties`: tiebreakers in order. `then`: the line to go on with. `roll`: results
    of a ten-sided die, such as "0-4", and what is done then.
    """

    do: str = ""
    when: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    toward: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    who: tuple[str, ...] = ()
    ties: tuple[str, ...] = ()
    then: int = 0
    roll: dict[str, str] = msgspec.field(default_factory=dict)


class Line(Step, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A numbered line; its sub-lines A, B, ... take what they leave open from it."""

    sub: tuple[Step, ...] = ()


def inherited(line: Line, sub: Step) -> Step:
    """A sub-line with what it leaves open taken from its line; its own keyword or roll stands for both."""
    own = bool(sub.do or sub.roll)
    return Step(
        do=sub.do if own else line.do,
        when=(*line.when, *sub.when),
        to=(*line.to, *sub.to),
        toward=sub.toward or line.toward,
        at=(*line.at, *sub.at),
        who=(*line.who, *sub.who),
        ties=sub.ties or line.ties,
        then=sub.then or line.then,
        roll=sub.roll if own else line.roll,
    )


def steps_of(line: Line) -> list[Step]:
    """What a line does: its sub-lines, else itself."""
    return [inherited(line, sub) for sub in line.sub] or [line]


class SoloCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the bot uses one type of unit in some scenarios, for some factions (UND-164 to UND-170).

    No scenario or faction named means all of them. `box` holds special rules in `language`'s words,
    `note` those that only a person can carry out. An incomplete card is never played.
    """

    unit: str
    lines: tuple[Line, ...]
    scenarios: tuple[str, ...] = ()
    factions: tuple[str, ...] = ()
    box: tuple[str, ...] = ()
    note: str = ""
    complete: bool = True
    source: Source = Source.RULEBOOK


class SoloSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The solo section of a scenario for one bot faction (UND-122).

    `bolster` divides the supply: each deck takes what its patterns name ("squad a", a type, one card,
    "rest") and no earlier deck took; `fog` says how many Fog of War go into which of them (UND-R44).
    `danger` lists types, the most dangerous first; `path` is the path to victory. `deck`, `supply` and
    `counters` replace the scenario's own for the bot.
    """

    scenario: str
    faction: str = ""
    changes: tuple[str, ...] = ()
    bolster: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    danger: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    deck: dict[str, int] = msgspec.field(default_factory=dict)
    supply: dict[str, int] = msgspec.field(default_factory=dict)
    counters: dict[str, str] = msgspec.field(default_factory=dict)
    fog: dict[str, int] = msgspec.field(default_factory=dict)
    source: Source = Source.RULEBOOK


class Pack(msgspec.Struct, frozen=True):
    """All tables of an Undaunted pack."""

    unit: dict[str, UnitType]
    tile: dict[str, Tile]
    scenario: dict[str, Scenario]
    solo: dict[str, SoloCard]
    section: dict[str, SoloSection]


FOG = "fog"
"""The card id of Fog of War."""

STRUCTURE = "structure"
"""The type of unit that a structure is: nobody's, with a counter but no card."""

FACTIONS = {"us": "US", "ge": "German", "lrdg": "LRDG", "it": "Italian"}
THEATRES = {Theatre.NORMANDY: "Normandy", Theatre.NORTH_AFRICA: "North Africa"}


def deck_title(name: str) -> str:
    """A bolster deck in words: a letter as squads have it, or its own name."""
    return name.upper() if len(name) == 1 else name


@cache
def squad_of(card: str) -> str:
    """The squad letter of a card or unit id; empty where it has none (UND-252).

    >>> squad_of("machine-gunner-b"), squad_of("sniper")
    ('b', '')
    """
    return card[-1] if card[-2:-1] == "-" else ""


@cache
def type_name(card: str) -> str:
    """The type in a card or unit id: "rifleman" of "rifleman-a"."""
    return card[:-2] if squad_of(card) else card


def of_squad(kind: str, squad: str) -> str:
    """The card or unit id of a type in a squad, or in none.

    >>> of_squad("rifleman", "a"), of_squad("sniper", "")
    ('rifleman-a', 'sniper')
    """
    return f"{kind}-{squad}" if squad else kind


def spawn_keys(unit: str) -> tuple[str, ...]:
    """What a spawn marker that a unit enters on may name, the most particular first (UND-262).

    >>> spawn_keys("rifleman-a")
    ('rifleman-a', 'rifleman', 'a', 'all')
    """
    return (unit, type_name(unit), squad_of(unit), ALL)


def unit_of(pack: Pack, card: str) -> str:
    """The unit whose counter a card acts with, a specialist's the Rifleman's (UND-024)."""
    unit = pack.unit[type_name(card)].unit
    return of_squad(unit, squad_of(card)) if unit else card


def units_of(pack: Pack, cards: Iterable[str]) -> list[str]:
    """The units that some cards act with, each once."""
    return sorted({unit_of(pack, card) for card in cards if pack.unit[type_name(card)].has_counter})


def fits(pack: Pack, pattern: str, card: str) -> bool:
    """Whether a bolster deck's pattern means a card: "rest", "squad a", a type or the card itself.

    A specialist is meant where its Rifleman unit is (UND-019, UND-024).
    """
    unit = unit_of(pack, card)
    own = (card, type_name(card), unit, type_name(unit), f"squad {squad_of(card)}")
    return pattern in (REST, *own)


def solo_cards(pack: Pack, unit: str, scenario: str, faction: str) -> list[SoloCard]:
    """The complete solo cards that fit, the best first: owner's own, named for the scenario, for all."""
    fitting = [
        card
        for card in pack.solo.values()
        if card.unit == unit
        and card.complete
        and (not card.scenarios or scenario in card.scenarios)
        and (not card.factions or faction in card.factions)
    ]
    return sorted(fitting, key=lambda card: (-card.source.trust, not card.scenarios, not card.factions))


def solo_section(pack: Pack, scenario: str, faction: str) -> SoloSection | None:
    """The solo section for that scenario and bot faction; the one for any scenario if there is none.

    Of two for the same the owner's own is the better.
    """
    for wanted in ((scenario, faction), (scenario, ""), (ANY, faction), (ANY, "")):
        fitting = [one for one in pack.section.values() if (one.scenario, one.faction) == wanted]
        if fitting:
            return max(fitting, key=lambda one: one.source.trust)
    return None


def bolster_decks(pack: Pack, scenarios: Iterable[str] = (), factions: Iterable[str] = ()) -> tuple[str, ...]:
    """The bolster decks in the solo sections of some scenarios for some bots; none named means all."""
    sections = [
        solo_section(pack, name, side)
        for name in scenarios or pack.scenario
        if name in pack.scenario
        for side in factions or pack.scenario[name].sides
    ]
    return tuple(dict.fromkeys(deck for one in sections if one for deck in one.bolster))
