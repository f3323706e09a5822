"""All that lies on the table."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from companion.engine.game import Glance
from companion.games.undaunted.pack import FACTIONS


class Marker(StrEnum):
    """The two sides of a control marker (UND-259, UND-260)."""

    SCOUTED = "scouted"
    CONTROLLED = "controlled"


class MineSide(StrEnum):
    """The two sides of a mine (UND-048)."""

    PERSONNEL = "anti-personnel"
    ARMOUR = "anti-armour"


class Counter(msgspec.Struct):
    """A combat counter; `tile` is empty while it is off the board.

    `hits` are the opponent's control markers lying on it (UND-146). In North Africa a soldier may sit
    in `vehicle`, in the seat of that number, and a vehicle may be `disabled`.
    """

    side: str
    unit: str
    owner: str
    tile: str = ""
    suppressed: bool = False
    hits: int = 0
    vehicle: str = ""
    seat: int = 0
    disabled: bool = False


class Mine(msgspec.Struct):
    """A mine on the edge between two tiles (UND-047)."""

    between: tuple[str, str]
    face: MineSide


class Player(msgspec.Struct):
    """One player's cards, or the bot's; piles whose order nobody knows are kept as counts.

    With the hand kept at the table, hand and discard pile are not told apart from the deck.
    """

    side: str
    deck: dict[str, int]
    supply: dict[str, int]
    hand: list[str] = msgspec.field(default_factory=list)
    play: list[str] = msgspec.field(default_factory=list)
    discard: dict[str, int] = msgspec.field(default_factory=dict)
    removed: dict[str, int] = msgspec.field(default_factory=dict)


class Side(msgspec.Struct):
    """What a faction has in common: markers, counters, the Fog of War supply, mines.

    `commander` holds the command token in this round, `next_commander` from the next on (UND-107).
    """

    commander: str
    next_commander: str
    markers: dict[str, Marker] = msgspec.field(default_factory=dict)
    counters: dict[str, Counter] = msgspec.field(default_factory=dict)
    fog: int = 0
    target: str = ""
    mines: int = 0
    destroyed: int = 0


class RowCard(msgspec.Struct):
    """A card in the bot's row; a sideways one is resolved twice, a face-down one next turn.

    `card` is empty while nobody has looked at a face-down one; the deck still counts it.
    """

    card: str
    sideways: bool = False
    face_down: bool = False


class Bot(msgspec.Struct):
    """What only the bot has: its row from the left, and its bolster decks in the section's order."""

    side: str
    bolster: dict[str, dict[str, int]]
    row: list[RowCard] = msgspec.field(default_factory=list)
    resolving: str = ""
    won_bid: bool = False


class State(msgspec.Struct):
    """The whole game; `turn` is the player whose turn it is, empty between turns."""

    scenario: str
    initiative: str
    sides: dict[str, Side]
    players: dict[str, Player]
    bot: Bot | None = None
    round: int = 0
    turn: str = ""
    bids: dict[str, str] = msgspec.field(default_factory=dict)
    mines: list[Mine] = msgspec.field(default_factory=list)
    structures: dict[str, Counter] = msgspec.field(default_factory=dict)
    no_vehicles: list[str] = msgspec.field(default_factory=list)
    radio: int = 0


def glance(state: msgspec.Struct) -> Glance:
    """What a report follows: tiles that each side controls, and its counters on the board."""
    assert isinstance(state, State)
    figures: dict[str, int] = {}
    for key, side in state.sides.items():
        name = FACTIONS[key]
        figures[f"{name} tiles controlled"] = sum(one is Marker.CONTROLLED for one in side.markers.values())
        figures[f"{name} counters on the board"] = sum(bool(one.tile) for one in side.counters.values())
    return Glance(f"Round {state.round}" if state.round else "", figures, _asked(state), state.round)


def _asked(state: State) -> str:
    """Which of several people is asked: who has the turn, or the first who has still to bid."""
    if state.bot:
        return ""
    commanders = (side.commander for side in state.sides.values())
    bidding = (one for one in commanders if one not in state.bids and _has_cards(state.players[one]))
    name = state.turn or next(bidding, "")
    return seat_name(state, name) if name else ""


def _has_cards(player: Player) -> bool:
    """Whether there is a hand to bid from; one that is kept at the table is counted with the deck."""
    return bool(player.hand or player.deck)


def seat_name(state: State, player: str) -> str:
    """A person at the table, such as "US", or "US 1" of a team."""
    side = state.players[player].side
    return f"{side.upper()} {player.removeprefix(side)}".rstrip()
