"""What is printed on the cards, as data: the closed vocabulary of effects and the tables of a pack."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

import msgspec

from companion.engine.packs import Source

Count = Annotated[int, msgspec.Meta(ge=0, le=30)]
Some = Annotated[int, msgspec.Meta(ge=1, le=10)]
SpaceNumber = Annotated[int, msgspec.Meta(ge=1, le=10)]
Letter = Annotated[str, msgspec.Meta(pattern="^[A-H]?$")]
Tucked = Annotated[str, msgspec.Meta(pattern="^[A-H]$")]


class Printed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A record of a pack: a card or token, how many of it there are, and which pack it came from."""

    name: str
    source: Source = Source.OWNER
    copies: Count = 1

    @property
    def is_stand_in(self) -> bool:
        """Whether anything of it is our own design and not the published card's."""
        return self.source is Source.STAND_IN


class ActionIcon(StrEnum):
    """What the lower half of an Action card can show (OKI-140 to OKI-159)."""

    SOLDIER_DAMAGE = "soldier-damage"
    ARMOR_DAMAGE = "armor-damage"
    SCOUT = "scout"
    DESTROY_SOLDIER = "destroy-soldier"
    DESTROY_ARMOR = "destroy-armor"
    SANDBAG = "sandbag"
    HEAL = "heal"
    REPOSITION = "reposition"
    ADJUST = "adjust"
    REROLL = "reroll"

    @property
    def words(self) -> str:
        """What players call it."""
        return "re-roll" if self is ActionIcon.REROLL else self.replace("-", " ")


class Icon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One icon of an Action card and the number on it."""

    icon: ActionIcon
    amount: Some = 1


class ActionDeck(StrEnum):
    """Where an Action card comes from."""

    BASIC = "basic"
    REINFORCEMENT = "reinforcement"


class ActionCard(Printed, frozen=True, kw_only=True):
    """An Action card: the icons of both sides, and what holds for the card on either side.

    `spaces` are where the copies of a basic card start; `replaces` is how many cards it takes the place of
    (OKI-095); `stores_die` holds for the veteran side alone (OKI-124).
    """

    deck: ActionDeck
    basic: tuple[Icon, ...]
    veteran: tuple[Icon, ...]
    spaces: tuple[SpaceNumber, ...] = ()
    replaces: Annotated[int, msgspec.Meta(ge=1, le=2)] = 1
    refuel: bool = False
    stores_die: bool = False
    destroys_planes: bool = False


class EnemyType(StrEnum):
    """OKI-165."""

    SOLDIER = "soldier"
    ARMOR = "armor"


class Arrow(StrEnum):
    """An arrow icon, as seen from the card's own column (OKI-163)."""

    UP = "up"
    UP_LEFT = "up-left"
    UP_RIGHT = "up-right"
    DOWN = "down"
    DOWN_LEFT = "down-left"
    DOWN_RIGHT = "down-right"


class Where(StrEnum):
    """Action Spaces named by a written effect (OKI-164)."""

    ROLLED = "rolled"
    ROLLED_COLUMN = "rolled-column"
    COLUMN = "column"
    TOP = "top"
    BOTTOM = "bottom"
    BESIDE = "beside"
    PAWN = "pawn"
    ALL = "all"


class EnemyEffect(StrEnum):
    """What an Enemy card can do beside its arrows (OKI-173 to OKI-184)."""

    TARGET = "target"
    DAMAGE = "damage"
    MOVE_TOP = "move-top"
    MOVE_BOTTOM = "move-bottom"
    SPAWN = "spawn"
    SUPPRESS = "suppress"
    FOG = "fog"
    REPAIR = "repair"


class When(StrEnum):
    """When an Enemy card's effect happens."""

    ACT = "act"
    HIT = "hit"
    REVEAL = "reveal"


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One effect of an Enemy card; with `die` it happens only on results from the first to the second."""

    effect: EnemyEffect
    amount: Some = 1
    where: Where = Where.PAWN
    when: When = When.ACT
    die: tuple[SpaceNumber, SpaceNumber] | None = None


class EnemyCard(Printed, frozen=True, kw_only=True):
    """An Enemy card; without `letter` it is an Unknown Enemy, with `health` 0 it shows no number."""

    type: EnemyType
    health: Count
    fog: Count
    damage: Count
    letter: Letter = ""
    arrows: tuple[Arrow, ...] = ()
    dice: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    effects: tuple[Effect, ...] = ()
    plane: bool = False
    shields_soldiers: bool = False


class Post(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One Enemy Space of an Objective: the letter on top, those tucked under it, and how many unknown."""

    top: Letter
    under: tuple[Tucked, ...] = ()
    unknown: Count = 0


class Objective(Printed, frozen=True, kw_only=True):
    """An Objective card; `row` is Enemy Spaces 2 to 5, `random_unknown` is Hill 89's alone (OKI-247)."""

    number: Annotated[int, msgspec.Meta(ge=1, le=4)]
    laps: Some
    dice: Annotated[int, msgspec.Meta(ge=1, le=6)]
    scenario: Annotated[str, msgspec.Meta(pattern="^[I-R]$")]
    soldiers: Count
    row: Annotated[tuple[Post, ...], msgspec.Meta(max_length=4)]
    upgrade: bool = False
    random_unknown: Count = 0

    @property
    def title(self) -> str:
        """Its name beside its number; one that was typed in has its Scenario's letter for a name."""
        return self.name.removeprefix(f"Objective {self.number} ")


class Timing(StrEnum):
    """When a Scenario card acts (OKI-051, OKI-052)."""

    AT_ONCE = "at once"
    LOOP_START = "loop start"
    LOOP_END = "loop end"


class ScenarioEffect(StrEnum):
    """What a Scenario card can do."""

    SPAWN = "spawn"
    FOG = "fog"
    SCOUT = "scout"
    SUPPRESS = "suppress"
    MINES = "mines"
    HURT = "hurt"
    HEAL = "heal"
    SANDBAG = "sandbag"
    ADJUST = "adjust"
    DIE = "die"


NAMES_SPACES = (ScenarioEffect.SUPPRESS, ScenarioEffect.MINES)


class Happening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One effect of a Scenario card; `spaces` are the Action Spaces that it names."""

    effect: ScenarioEffect
    amount: Some = 1
    spaces: tuple[SpaceNumber, ...] = ()


class Scenario(Printed, frozen=True, kw_only=True):
    """A Scenario card; its key in the pack is its letter."""

    timing: Timing
    effects: tuple[Happening, ...]


class TokenKind(StrEnum):
    """The kinds of Resupply token (OKI-104 to OKI-115)."""

    UPGRADE = "upgrade"
    SANDBAGS = "sandbags"
    GRENADE = "grenade"
    BINOCULARS = "binoculars"
    MEDKIT = "medkit"
    ADJUST = "adjust"


class Pieces(Printed, frozen=True, kw_only=True):
    """How many of a token there are: its `copies`."""


class Pack(msgspec.Struct, frozen=True):
    """Everything printed: Action, Enemy, Objective and Scenario cards, Resupply tokens, token supplies."""

    action: dict[str, ActionCard]
    enemy: dict[str, EnemyCard]
    objective: dict[str, Objective]
    scenario: dict[str, Scenario]
    resupply: dict[TokenKind, Pieces]
    supply: dict[str, Pieces]


def least_trusted_first(cards: Mapping[str, Printed]) -> list[str]:
    """The names of cards, stand-ins first and the owner's last."""
    return sorted(cards, key=lambda name: cards[name].source.trust)


def most_trusted_first(cards: Mapping[str, Printed]) -> list[str]:
    """The names of cards, the owner's first, and of one trust as the pack lists them.

    A pack of stand-ins lists the cards that the rulebook names before those that are all our own.
    """
    return sorted(cards, key=lambda name: cards[name].source.trust, reverse=True)


def by_letter(pack: Pack) -> dict[str, str]:
    """The Known Enemy of each letter; where two have it, the more trusted one."""
    return {
        pack.enemy[name].letter: name for name in least_trusted_first(pack.enemy) if pack.enemy[name].letter
    }


def by_space(pack: Pack) -> dict[int, str]:
    """The Basic Action card that starts on each Action Space; where two do, the more trusted one."""
    return {
        space: name
        for name in least_trusted_first(pack.action)
        if pack.action[name].deck is ActionDeck.BASIC
        for space in pack.action[name].spaces
    }
