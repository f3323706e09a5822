"""Asks: what a game wants to know, and what counts as an answer.

An ask is a frozen value, generic in the type of its answer. `accept` turns what came from outside
(JSON, a key press, a camera) into that type or raises `BadAnswer`; it is the only gate.

>>> turn = Choose("demo.turn", "Left or right?", options=(Option("l", "Left"), Option("r", "Right")))
>>> turn.accept("l")
'l'
>>> turn.accept("up")
Traceback (most recent call last):
...
companion.engine.errors.BadAnswer: 'up' is not one of: l, r
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from enum import Enum
from hashlib import blake2b
from reprlib import Repr
from typing import ClassVar, Final, Generic, TypeAlias, TypeVar, cast

import msgspec

from companion.engine.errors import BadAnswer
from companion.wording import counted, kind_name

NONE: Final = "none"
"""What somebody picked who picked nothing."""
LONGEST_TEXT: Final = 4_000
"""Characters of a text that is typed, or of one in a pack."""
HIDDEN: Final = "hidden card"
"""What a card is called that was drawn face down."""
_SHORT: Final = Repr()
_SHORT.maxstring = 60
_told = _SHORT.repr
"""What was answered, as an error tells it: of what is long the beginning and end."""

A = TypeVar("A")
T = TypeVar("T")
A_co = TypeVar("A_co", covariant=True)


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that can be chosen, picked or drawn.

    `copies` is for draws alone: how many such cards may still be there (0: only a person can name it).
    """

    id: str
    label: str
    detail: str = ""
    copies: int = 1


class Dice(msgspec.Struct, frozen=True, omit_defaults=True):
    """`count` dice of one kind, and the faces that the kind has; `colour` tells alike kinds apart.

    `die` begins with the dice set by which a camera reads it: `okinawa.d10`, or just `d6` where a set has but
    one kind.
    """

    die: str
    count: int
    faces: tuple[str, ...]
    colour: str = ""

    @property
    def name(self) -> str:
        """What tells them from the other dice: `red`, `d10`."""
        return self.colour or kind_name(self.die)


class Locked(msgspec.Struct, frozen=True):
    """A die that stays in the tray with its face up while others are rolled."""

    die: str
    face: str

    @property
    def words(self) -> str:
        """Such as `red star`."""
        return f"{kind_name(self.die)} {self.face}"


class _Kept(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """`former` is the same ask as earlier versions put it, which only a journal may still answer.

    It may have a former one itself. `settled` is the detail of what software has rolled or drawn, where that
    of the ask has hints for who does it by hand. `because` is what is told only to who asks why.
    `news` is what has happened, a line each, as far as the detail tells it: a journal keeps the text alone,
    so that who reads a session back gets it from here. One of them may be what the text begins with.
    """

    former: AnyAsk | None = None
    settled: str | None = None
    news: str = ""
    because: tuple[str, ...] = ()


class Ask(_Kept, Generic[A_co], frozen=True, omit_defaults=True):
    """A question to the table.

    `key` is stable and dotted, `text` is short enough for the OLED, `detail` says more, and `rule`
    holds the ledger ids that it carries out.
    """

    kind: ClassVar[str] = ""
    is_chance: ClassVar[bool] = False

    key: str
    text: str
    detail: str = ""
    rule: tuple[str, ...] = ()

    def accept(self, raw: object) -> A_co:
        """The answer in its type; raises `BadAnswer` with what would have been right."""
        raise NotImplementedError

    def answerable(self) -> bool:
        """Is there any answer at all? A state set by hand may leave none."""
        return True

    def shape(self) -> object:
        """What makes this ask the same ask on replay: everything but its words."""
        return ()

    def fingerprint(self) -> str:
        """Sixteen hex digits over kind, key and shape; wording may change without changing it."""
        packed = msgspec.json.encode((self.kind, self.key, self.shape()))
        return blake2b(packed, digest_size=8).hexdigest()

    def label(self, answer: object) -> str:
        """An accepted answer in words, for the log and the undo label."""
        return str(answer)


class Show(Ask[bool], frozen=True, omit_defaults=True):
    """Something happened or has to be done with the pieces; acknowledged with `True`."""

    kind: ClassVar[str] = "show"

    def accept(self, raw: object) -> bool:
        if raw is not True:
            raise BadAnswer("this only wants to be acknowledged: answer true")
        return True

    def label(self, answer: object) -> str:  # noqa: ARG002 - there is but one answer
        return "seen"


class Choose(Ask[str], frozen=True, omit_defaults=True):
    """A decision: one option's id."""

    kind: ClassVar[str] = "choose"

    options: tuple[Option, ...] = msgspec.field(default=())

    def accept(self, raw: object) -> str:
        for option in self.options:
            if option.id == raw:
                return option.id
        raise BadAnswer(f"{_told(raw)} is not one of: {_listed(self.options)}")

    def answerable(self) -> bool:
        return bool(self.options)

    def shape(self) -> object:
        return [option.id for option in self.options]

    def label(self, answer: object) -> str:
        return _label_of(self.options, answer)


class Pick(Ask[tuple[str, ...]], frozen=True, omit_defaults=True):
    """Several options at once, between `least` and `most`; answered in the options' order."""

    kind: ClassVar[str] = "pick"

    options: tuple[Option, ...] = msgspec.field(default=())
    least: int = 0
    most: int = 0

    def accept(self, raw: object) -> tuple[str, ...]:
        picked = _strings(raw)
        known = {option.id for option in self.options}
        for one in picked:
            if one not in known:
                raise BadAnswer(f"{_told(one)} is not one of: {_listed(self.options)}")
        chosen = set(picked)
        if len(chosen) != len(picked):
            raise BadAnswer("each can be picked once")
        if not self.least <= len(chosen) <= self.most:
            raise BadAnswer(f"pick {_between(self.least, self.most)}, not {len(chosen)}")
        return tuple(option.id for option in self.options if option.id in chosen)

    def answerable(self) -> bool:
        return self.least <= min(self.most, len(self.options))

    def shape(self) -> object:
        return [self.least, self.most, *(option.id for option in self.options)]

    def label(self, answer: object) -> str:
        ids = answer if isinstance(answer, tuple | list) else ()
        return ", ".join(_label_of(self.options, one) for one in ids) or NONE


class Number(Ask[int], frozen=True, omit_defaults=True):
    """A count, from `least` to `most`; `start` is what it was, or what suggests itself, if that is known."""

    kind: ClassVar[str] = "number"

    least: int = 0
    most: int = 0
    start: int | None = None

    def accept(self, raw: object) -> int:
        if not isinstance(raw, int) or isinstance(raw, bool) or not self.least <= raw <= self.most:
            raise BadAnswer(f"a whole number from {self.least} to {self.most} is wanted, not {_told(raw)}")
        return raw

    def answerable(self) -> bool:
        return self.least <= self.most

    def shape(self) -> object:
        return [self.least, self.most]


class Text(Ask[str], frozen=True, omit_defaults=True):
    """Words that are typed, `start` what they were; no play asks for any, as four buttons can't tell them."""

    kind: ClassVar[str] = "text"

    start: str = ""

    def accept(self, raw: object) -> str:
        if not isinstance(raw, str) or len(raw) > LONGEST_TEXT:
            raise BadAnswer(f"a text of at most {LONGEST_TEXT} characters is wanted")
        return raw

    def label(self, answer: object) -> str:
        return str(answer) or NONE


class Roll(Ask[tuple[str, ...]], frozen=True, omit_defaults=True):
    """Dice: one face for each die asked, in the order of `dice`; `locked` ones stay as they lie."""

    kind: ClassVar[str] = "roll"
    is_chance: ClassVar[bool] = True

    dice: tuple[Dice, ...] = msgspec.field(default=())
    locked: tuple[Locked, ...] = ()

    @property
    def each(self) -> list[Dice]:
        """What each die is, one by one, in the order of the answer."""
        return [dice for dice in self.dice for _ in range(dice.count)]

    def accept(self, raw: object) -> tuple[str, ...]:
        faces, wanted = _strings(raw), self.each
        if len(faces) != len(wanted):
            raise BadAnswer(f"{counted(len(wanted), 'face')} {_are(len(wanted))} wanted, not {len(faces)}")
        for face, dice in zip(faces, wanted, strict=True):
            if face not in dice.faces:
                raise BadAnswer(f"{dice.name} has no face {_told(face)}, only: {', '.join(dice.faces)}")
        return faces

    def shape(self) -> object:
        return [[(dice.die, dice.count) for dice in self.dice], [(die.die, die.face) for die in self.locked]]

    def label(self, answer: object) -> str:
        return " ".join(answer) if isinstance(answer, tuple | list) else str(answer)


class Draw(Ask[tuple[str, ...]], frozen=True, omit_defaults=True):
    """`count` cards from the top of a deck; `options` is what may come, with `copies` of each.

    What is drawn `face_down` is not told to anybody. An option without copies, by which a person leaves
    it unseen, is no part of such an ask's shape: it may be offered or not.
    """

    kind: ClassVar[str] = "draw"
    is_chance: ClassVar[bool] = True

    deck: str = ""
    count: int = 1
    options: tuple[Option, ...] = msgspec.field(default=())
    face_down: bool = False

    def accept(self, raw: object) -> tuple[str, ...]:
        cards = _strings(raw)
        if len(cards) != self.count:
            raise BadAnswer(f"{self.count} {_are(self.count)} wanted, not {len(cards)}")
        copies = {option.id: option.copies or self.count for option in self.options}
        for card, times in Counter(cards).items():
            if card not in copies:
                raise BadAnswer(f"{_told(card)} can't be in the deck now: {_listed(self.options)}")
            if times > copies[card]:
                label = _label_of(self.options, card)
                raise BadAnswer(f"of {label} the deck can have {copies[card]}, not {times}")
        return cards

    def answerable(self) -> bool:
        return sum(option.copies or self.count for option in self.options) >= self.count

    def shape(self) -> object:
        options = [one for one in self.options if one.copies or not self.face_down]
        return [self.deck, self.count, *((option.id, option.copies) for option in options)]

    def label(self, answer: object) -> str:
        if self.face_down:
            return counted(self.count, HIDDEN)
        cards = answer if isinstance(answer, tuple | list) else ()
        return ", ".join(_label_of(self.options, card) for card in cards)


AnyAsk: TypeAlias = Ask[object]
Script: TypeAlias = Generator[AnyAsk, object, T]
"""A game or a part of one: yields asks, receives their accepted answers, returns `T`."""


class Restated(Enum):
    """Sent into a script in place of an answer when the state was overridden under the open ask."""

    TOKEN = "restated"  # noqa: S105 - a sentinel, not a secret


RESTATED: Final = Restated.TOKEN


def ask(question: Ask[A] | Callable[[], Ask[A]]) -> Script[A]:
    """Put a question to the table; `yield from ask(...)` is its answer.

    Give a function that makes the question where an override of the state must change it (the
    choices of a turn): it is then asked anew.
    """
    while True:
        answer = yield question if isinstance(question, Ask) else question()
        if answer is not RESTATED:
            return cast("A", answer)


def offered(question: Choose | Callable[[], Choose]) -> Script[str]:
    """What is chosen; nobody is asked where there is but one option."""
    options = (question if isinstance(question, Choose) else question()).options
    return options[0].id if len(options) == 1 else (yield from ask(question))


def _strings(raw: object) -> tuple[str, ...]:
    if not isinstance(raw, list | tuple) or not all(isinstance(one, str) for one in raw):
        raise BadAnswer(f"a list of texts is wanted, not {_told(raw)}")
    return tuple(raw)


def _listed(options: Sequence[Option], most: int = 12) -> str:
    ids = [option.id for option in options[:most]]
    return ", ".join(ids) + (", ..." if len(options) > most else "")


def _label_of(options: Sequence[Option], answer: object) -> str:
    return next((option.label for option in options if option.id == answer), str(answer))


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _between(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"
