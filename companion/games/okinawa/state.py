"""Everything on the table, as one tree that can be shown, overridden and written as JSON."""

from __future__ import annotations

import msgspec

from companion.games.okinawa.cards import ActionCard, EnemyCard, Objective, Scenario

FULL_HEALTH = 4
ACTION_DICE = 6
STRIKE_DICE = 6
FIRST_POST = 2  # Enemy Space 1 belongs to the soldiers
LAST = 4  # the Objective that decides the game: Hill 89
MOST_LAPS = 9  # as a lap limit can be entered; how far the printed Flag Pole goes is not known (OKI-G29)


class Action(msgspec.Struct):
    """An Action card on the table with what lies on it; `die` is a stored one's face, 0 for none."""

    card: str = ""
    veteran: bool = False
    rotated: bool = False
    used: bool = False
    suppressed: bool = False
    die: int = 0


class Space(msgspec.Struct):
    """An Action Space that is still in play, and its card."""

    number: int
    action: Action


class Enemy(msgspec.Struct):
    """An Enemy card on the table; `card` is empty while nobody knows what lies there face down.

    `pool` names the cards that it may then be, `dice` are its results for this turn (1 to 10), `done` says
    that it has acted in this Enemy Turn or may not.
    """

    card: str = ""
    pool: str = ""
    up: bool = False
    fog: int = 0
    damage: int = 0
    dice: list[int] = msgspec.field(default_factory=list)
    done: bool = False


class Soldiers(msgspec.Struct):
    """Japanese Soldiers, counted by the side they show: beige has 2 health, red 1."""

    beige: int = 0
    red: int = 0

    def __len__(self) -> int:
        return self.beige + self.red

    def __bool__(self) -> bool:
        return self.beige > 0 or self.red > 0

    @property
    def words(self) -> str:
        """How many there are, by side."""
        return f"{self.beige} beige, {self.red} red"


class Offer(msgspec.Struct):
    """A card of the Reinforcement Row and the Resupply token on it ("" where none was left)."""

    card: str
    token: str = ""


class Activation(msgspec.Struct):
    """What is left of the activations being resolved: how many, and this one's icons."""

    left: int = 0
    scouts: int = 0
    attacks: bool = False


class Learned(msgspec.Struct):
    """Cards that were entered during this session."""

    action: dict[str, ActionCard] = msgspec.field(default_factory=dict)
    enemy: dict[str, EnemyCard] = msgspec.field(default_factory=dict)
    objective: dict[str, Objective] = msgspec.field(default_factory=dict)
    scenario: dict[str, Scenario] = msgspec.field(default_factory=dict)


class State(msgspec.Struct):
    """The table. Decks are held as what may still be in them; nothing here depends on their order."""

    # The Objective
    setting_up: bool = False
    number: int = 0
    objective: str = ""
    flag: int = 0
    allowance: int = 0
    scenario: str = ""
    mines: list[int] = msgspec.field(default_factory=list)
    fog_waits: bool = False  # the Scenario's, for the cards to be turned up
    captured: int = 0
    turn: int = 0
    enemy_turn: bool = False

    # The player
    pawn: int = 1
    health: int = FULL_HEALTH
    sandbags: int = 0
    adjusts: int = 0
    rerolls: int = 0
    repositions: int = 0
    tokens: list[str] = msgspec.field(default_factory=list)
    pool: list[int] = msgspec.field(default_factory=list)
    resupply_die: int = 0
    activation: Activation = msgspec.field(default_factory=Activation)

    # The Battlefield: row[0] is Enemy Space 2, the top card first; beside a row stand its row movers
    spaces: list[Space] = msgspec.field(default_factory=list)
    row: list[list[Enemy]] = msgspec.field(default_factory=lambda: [[], [], [], []])
    beside_top: list[Enemy] = msgspec.field(default_factory=list)
    beside_bottom: list[Enemy] = msgspec.field(default_factory=list)
    soldiers: Soldiers = msgspec.field(default_factory=Soldiers)
    strikes: list[int] = msgspec.field(default_factory=list)

    # Decks, piles and supplies
    offers: list[Offer] = msgspec.field(default_factory=list)
    in_hand: str = ""  # the Reinforcement being taken
    reinforcements: list[str] = msgspec.field(default_factory=list)
    resupply: list[str] = msgspec.field(default_factory=list)
    known: list[str] = msgspec.field(default_factory=list)
    deck: int = 0
    unseen: dict[str, list[str]] = msgspec.field(default_factory=dict)
    mixed: list[str] = msgspec.field(default_factory=list)  # the shuffles that were laid together, if several
    # Seen at Hill 89, where it is not known whether they were of the deck or surely there.
    doubtful: list[str] = msgspec.field(default_factory=list)
    given: list[str] = msgspec.field(default_factory=list)  # more of the same, when no other surely was there
    discard: list[str] = msgspec.field(default_factory=list)
    fallback: list[Enemy] = msgspec.field(default_factory=list)
    fallback_soldiers: Soldiers = msgspec.field(default_factory=Soldiers)
    removed_actions: list[str] = msgspec.field(default_factory=list)
    removed_tokens: list[str] = msgspec.field(default_factory=list)

    learned: Learned = msgspec.field(default_factory=Learned)
    news: list[str] = msgspec.field(default_factory=list)
