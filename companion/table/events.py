"""What happens at a table, from whatever device, in one queue."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import product
from queue import Empty, SimpleQueue
from typing import TypeAlias

import msgspec

from companion.engine.asks import Dice
from companion.engine.records import MANUAL, RolledDie, blob_name
from companion.engine.session import Evidence
from companion.screens.intents import Button


class Press(msgspec.Struct, frozen=True):
    """A button or key was pressed, at `at` on the monotonic clock (seconds).

    `keyboard` presses come from a person who sees the prompt on the same screen: they are locked out only
    after a prompt that changed without them.
    """

    button: Button
    at: float = msgspec.field(default_factory=time.monotonic)
    keyboard: bool = False


class Typed(msgspec.Struct, frozen=True):
    """A character typed that is no button, or a whole line where input comes in lines; `at` as of `Press`."""

    text: str
    at: float = msgspec.field(default_factory=time.monotonic)


class Habits(msgspec.Struct, frozen=True):
    """How a player wants rolls to be read: `confirm` even sure ones, `teach` the reader what it got wrong."""

    confirm: bool = False
    teach: bool = False


USUAL = Habits()
"""Sure rolls are taken at once, and nothing is learnt."""


class Seen(msgspec.Struct, frozen=True):
    """Dice that a reader saw for ask `n`: a face each in the order of the ask, None where it can't say.

    `doubtful` are the places to ask about, those without a face among them; with none, the roll may be taken
    as it is. `others` are, place by place, the faces of dice that may be meant instead, where more lie there
    than were asked for. `pictures` are files that show the dice, one a place, if there are any. `learn`, if
    the reader can, keeps the doubtful and corrected dice as teaching samples under the faces that a person
    says, and returns what it kept; `unlearn` takes back what was kept under another face than is said now.
    `answered`, if the reader wants to know, is told the roll's faces in the end. `are_out`, if the reader can
    tell, says whether the dice have been seen taken out since.
    """

    n: int
    faces: tuple[str | None, ...]
    source: str
    doubtful: tuple[int, ...] = ()
    evidence: Evidence | None = None
    pictures: tuple[str, ...] = ()
    learn: Callable[[Sequence[str]], str] | None = None
    unlearn: Callable[[Sequence[str]], str] | None = None
    others: tuple[tuple[str | None, ...], ...] = ()
    habits: Habits = USUAL
    answered: Callable[[Sequence[str]], None] | None = None
    are_out: Callable[[], bool] | None = None

    @property
    def is_settled(self) -> bool:
        """Whether the roll may be taken as it is, with nobody asked."""
        return not (self.doubtful or any(self.others) or self.habits.confirm)

    def evidence_for(self, answer: object, each: Sequence[Dice]) -> Evidence | None:
        """The evidence under the answer given in the end; None for one that does not fit these dice.

        Nor does one that says otherwise what was sure, once they were taken out: others were thrown then.
        `each` is what each die of the roll is. A die that a person named otherwise keeps what was read; one
        that the reader had no face for, or where another die was meant, is the person's. Photos stay with
        dice that were asked about or corrected.
        """
        if self.evidence is None or not isinstance(answer, list | tuple) or len(answer) != len(self.faces):
            return None
        said = [str(face) for face in answer]
        places = self._places(said, each)
        dice = tuple(map(self._settled, places, said))
        wrong = {at for at, die in zip(places, dice, strict=True) if die.read is not None}
        if self.are_out is not None and wrong - {*self.doubtful} and self.are_out():
            return None
        kept = {die.photo for die in dice}
        photos = tuple(photo for photo in self.evidence.photos if blob_name(photo) in kept)
        return Evidence(dice, photos)

    def _places(self, said: Sequence[str], each: Sequence[Dice]) -> list[int]:
        """Of each face that was said, the place of its die: those that are alike are said in any order.

        One that was read so is meant, else the one in the same place.
        """
        places: dict[int, int] = {}
        rest = range(len(said))
        for same_face, same_place in ((True, True), (True, False), (False, True), (False, False)):
            for at, place in product(rest, rest):
                fits = place == at if same_place else each[place] == each[at]
                is_free = at not in places and place not in places.values()
                if is_free and fits and (said[at] == self.faces[place] or not same_face):
                    places[at] = place
        return [places[at] for at in rest]

    def _settled(self, at: int, face: str) -> RolledDie:
        assert self.evidence is not None
        die = self.evidence.dice[at]
        chosen = bool(self.others and self.others[at])
        if chosen and face != die.face:
            return RolledDie(die.die, face, MANUAL, photo=die.photo)
        source = die.source if die.face else MANUAL
        read = die.face if die.face not in ("", face) else None
        photo = die.photo if read or chosen or at in self.doubtful else None
        return msgspec.structs.replace(die, face=face, source=source, read=read, photo=photo)


class Notice(msgspec.Struct, frozen=True):
    """Something a person should know of a device; empty when what it said before is over, which it `ends`."""

    text: str
    ends: str = ""


class Changed(msgspec.Struct, frozen=True):
    """The table is not as it was: somebody answered."""


class Begun(msgspec.Struct, frozen=True):
    """A phone has begun a session on the page, or gone on with one: a box that plays none takes it over."""

    session: str


class PutAway(msgspec.Struct, frozen=True):
    """A phone puts a session away that is played here."""

    session: str


class Tick(msgspec.Struct, frozen=True):
    """Time has passed: the loop turns, for displays that dim and for the watchdog."""


class Closed(msgspec.Struct, frozen=True):
    """The input has ended, or the machine wants to stop."""


Event: TypeAlias = Press | Typed | Seen | Notice | Changed | Begun | PutAway | Tick | Closed
Events: TypeAlias = SimpleQueue[Event]

_HEARD = 1.0
"""Seconds after which a signal is heard at the latest."""


def next_of(events: Events) -> Event:
    """The next event, waited for; the handlers of signals run meanwhile.

    Python runs them only when the main thread does something, and a signal that comes just before the wait,
    or to another thread, does not end it: Ctrl-Z or the order to stop would be heard with the next key.
    """
    while True:
        with suppress(Empty):
            return events.get(timeout=_HEARD)
