"""What the journal keeps beside its entries: a session's head, and the dice of a roll."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Annotated, Self, TypeAlias

import msgspec

from companion.engine.clock import local
from companion.wording import die_name

SOFTWARE = "software"
MANUAL = "manual"
PLAYER, PHONE = "player", "phone"
"""Who answers at the table: with its keys and buttons, or on the page."""


class Meta(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a session is played with, and how it ended; `pack` names the blob with its merged packs.

    `packs` are the names of the packs in it. `dice` and `cards` say who answers for them: `software`, or
    the table.
    """

    id: str
    game: str
    created: float
    seed: int
    pack: str
    settings: dict[str, str]
    scenario: str = ""
    dice: str = SOFTWARE
    cards: str = SOFTWARE
    version: str = ""
    synced: bool = True
    outcome: str = ""
    reason: str = ""
    score: dict[str, int] = msgspec.field(default_factory=dict)
    packs: tuple[str, ...] = ()
    check: str = ""

    @property
    def began(self) -> str:
        """The day and time it began; marked where the clock was not to be trusted."""
        return f"{local(self.created):%Y-%m-%d %H:%M}" + ("" if self.synced else "?")

    def sealed(self) -> Self:
        """The same with a check over all other fields."""
        bare = msgspec.structs.replace(self, check="")
        digest = blake2b(msgspec.json.encode(bare), digest_size=8)
        return msgspec.structs.replace(self, check=digest.hexdigest())

    def start(self) -> Self:
        """The same as it was when the session began: without an end."""
        return msgspec.structs.replace(self, outcome="", reason="", score={}).sealed()


class RolledDie(msgspec.Struct, frozen=True, omit_defaults=True):
    """One die of a journaled roll.

    `confidence` is the reader's (0 to 1), `read` what it saw where a person said otherwise, `photo`
    names the blob with the picture.
    """

    die: str
    face: str
    source: str
    confidence: float | None = None
    read: str | None = None
    photo: str | None = None

    @property
    def name(self) -> str:
        """What a person calls its kind."""
        return die_name(self.die)

    @property
    def thrower(self) -> str:
        """The source, but people are one, whatever they enter their dice on."""
        return PLAYER if self.source in (PHONE, MANUAL) else self.source


RollRow: TypeAlias = tuple[str, int, int, str, str, str, float | None, str | None, str | None]
"""A die as its table has it: its session, entry and place in the roll, then as `RolledDie` says."""


class Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player wrote about a session: words, a rating from 1 to 10, who played, and where."""

    at: float
    text: str = ""
    rating: Annotated[int, msgspec.Meta(ge=1, le=10)] | None = None
    people: tuple[str, ...] = ()
    place: str = ""


def names_in(text: str) -> tuple[str, ...]:
    """`Ann, Bob` as its names."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def people_of(notes: Sequence[Note]) -> tuple[str, ...]:
    """Who played, by the newest note that says so."""
    return next((note.people for note in reversed(notes) if note.people), ())


def place_of(notes: Sequence[Note]) -> str:
    """Where it was played, by the newest note that says so."""
    return next((note.place for note in reversed(notes) if note.place), "")


def blob_name(data: bytes) -> str:
    """The name under which the journal keeps these bytes."""
    return blake2b(data, digest_size=16).hexdigest()
