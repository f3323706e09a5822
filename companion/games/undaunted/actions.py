"""What cards let a unit do: the actions printed on them, read from words such as "attack 2"."""

from __future__ import annotations

from enum import StrEnum
from functools import cache

import msgspec

from companion.engine.errors import BadInput


class Kind(StrEnum):
    """Every action that a card, a vehicle's seat or a solo card can name."""

    # Movement (UND-289 ff.)
    MOVE = "move"
    SCOUT = "scout"
    STALK = "stalk"
    GUIDE = "guide"
    ADVANCE = "advance"
    DRIVE = "drive"
    NAVIGATE = "navigate"
    BOARD = "board"
    # Support (UND-298 ff.)
    BOLSTER = "bolster"
    COMMAND = "command"
    CONCEAL = "conceal"
    CONTROL = "control"
    INSPIRE = "inspire"
    RECON = "recon"
    TARGET = "target"
    MINE = "mine"
    AIR_SUPPORT = "air-support"
    # Combat (UND-309 ff.)
    ATTACK = "attack"
    ANTITANK = "antitank"
    GRENADE = "grenade"
    BOMB = "bomb"
    BLAST = "blast"
    SUPPRESS = "suppress"
    STRAFE = "strafe"
    DEMOLITION = "demolition"


MOVEMENT = frozenset({Kind.MOVE, Kind.SCOUT, Kind.STALK, Kind.DRIVE, Kind.NAVIGATE})
"""What moves the card's own counter step by step."""

SCOUTING = frozenset({Kind.SCOUT, Kind.NAVIGATE})
"""What enters unscouted tiles and marks them."""

SEATED = frozenset({Kind.DRIVE, Kind.NAVIGATE})
"""Movement of a vehicle by who sits in the right seat of it (UND-363)."""

COMBAT = frozenset(
    {
        Kind.ATTACK,
        Kind.ANTITANK,
        Kind.GRENADE,
        Kind.BOMB,
        Kind.BLAST,
        Kind.SUPPRESS,
        Kind.STRAFE,
        Kind.DEMOLITION,
    }
)
AREA = frozenset({Kind.GRENADE, Kind.BOMB, Kind.BLAST})
"""What attacks every counter of one tile, each for itself."""

NO_RANGE_BONUS = frozenset({Kind.BOMB, Kind.BLAST})
"""Combat that gives its targets no range bonus (UND-081, UND-314)."""

NEEDS_X = frozenset(Kind) - {
    Kind.ADVANCE,
    Kind.BOARD,
    Kind.CONCEAL,
    Kind.CONTROL,
    Kind.RECON,
    Kind.TARGET,
}
"""What has a number of dice, tiles or cards."""

TAKES_Y = frozenset({Kind.ATTACK, Kind.GRENADE})
"""What can have a range beside it."""

_NEEDS_Y = frozenset({Kind.GRENADE})
_TAKES_SQUAD = frozenset({Kind.BOLSTER, Kind.INSPIRE, Kind.ADVANCE})


class Action(msgspec.Struct, frozen=True, order=True):
    """One action: how many dice, tiles or cards (`x`), how far at most (`y`, None: anywhere).

    `squad` limits it to the card's own squad.
    """

    kind: Kind
    x: int = 0
    y: int | None = None
    squad: bool = False

    def __str__(self) -> str:
        words = [self.kind.value.replace("-", " ").capitalize()]
        words += [str(self.x)] if self.kind in NEEDS_X else []
        words += [str(self.y)] if self.y is not None else []
        return " ".join(words) + (" squad" if self.squad else "")


@cache
def parse(text: str) -> Action:
    """The action that `text` names; `BadInput` says what is wrong with it.

    >>> parse("attack 3 1")
    Action(kind=<Kind.ATTACK: 'attack'>, x=3, y=1, squad=False)
    >>> str(parse("bolster 2 squad"))
    'Bolster 2 squad'
    """
    name, *words = text.split() or [""]
    try:
        kind = Kind(name)
    except ValueError:
        raise BadInput(f"action {text!r}: no such action; there are {', '.join(Kind)}") from None
    squad = kind in _TAKES_SQUAD and words[-1:] == ["squad"]
    numbers = words[:-1] if squad else words
    least = (kind in NEEDS_X) + (kind in _NEEDS_Y)
    most = (kind in NEEDS_X) + (kind in TAKES_Y)
    if not all(map(is_number, numbers)) or not least <= len(numbers) <= most:
        raise BadInput(f"action {text!r}: {kind} is followed by {_wanted(least, most)}")
    x, y = [*(int(word) for word in numbers), *(None, None)][:2]
    return Action(kind, x or 0, y, squad)


def is_number(word: str) -> bool:
    """Whether a card can print it as a number: what is drawn or moved is counted out one by one."""
    return word.isdecimal() and len(word) < 3


def _wanted(least: int, most: int) -> str:
    if most == 0:
        return "no number"
    return f"{least} number{'s' * (least != 1)}" if least == most else f"{least} or {most} numbers"
