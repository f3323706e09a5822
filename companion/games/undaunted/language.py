"""The words of solo cards: a closed vocabulary of conditions, places, enemies, tiebreakers, keywords.

Every word is a short text in the pack, such as "enemy: rifleman, within 2" or "uncontrolled objective",
with "not " before it where it is denied. Each parses into one frozen value; a text that is no word of
the language is a `BadInput` that lists what would be.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from functools import cache

import msgspec

from companion.engine.errors import BadInput
from companion.games.undaunted import actions
from companion.games.undaunted.actions import Action, Kind
from companion.games.undaunted.pack import ALL, REST

FACES = tuple("0123456789")
"""What a ten-sided die shows."""


REMOVE = "remove"
MINE_WORK = ("personnel", "armour", REMOVE)
"""The side of a mine that is laid, or that mines are taken away instead (UND-065, UND-072)."""

OWN, ANY_DECK = "own", "any"
"""The bolster deck of the card's squad, and whichever has cards (UND-226)."""


class Place(StrEnum):
    """What a tile can be, seen from the bot (UND-193 to UND-216)."""

    OBJECTIVE = "objective"
    CONTROLLED_OBJECTIVE = "controlled objective"
    ENEMY_OBJECTIVE = "enemy controlled objective"
    UNCONTROLLED_OBJECTIVE = "uncontrolled objective"
    OCCUPIED_OBJECTIVE = "occupied objective"
    THREATENED_OBJECTIVE = "threatened objective"
    CONTROLLED = "controlled"
    HELD = "controlled by anyone"
    ENEMY_CONTROLLED = "enemy controlled"
    SCOUTED = "scouted"
    ENEMY_SCOUTED = "enemy scouted"
    SECURE = "secure"
    PATH = "path to victory"
    SPAWN = "spawn"
    ENEMY_SPAWN = "enemy spawn"
    MATCHING_SPAWN = "matching spawn"
    STRUCTURE = "structure"
    MINED = "mined"
    HILL = "hill"
    SELECTED = "selected"
    ENEMY = "enemy"
    FRIEND = "friend"
    WITHIN = "within"
    WORTH = "worth at least"
    COVER = "cover at least"


class Who(StrEnum):
    """What an enemy (or a friend) can be."""

    ANY = "any"
    HERE = "here"
    WITHIN = "within"
    MATCHING = "matching"
    SUPPRESSED = "suppressed"
    VEHICLE = "vehicle"
    DEFENCE = "defence at most"
    ON = "on"
    TYPE = "type"


class Subject(StrEnum):
    """What a condition speaks of."""

    SECURE = "secure"
    SUPPRESSED = "suppressed"
    ON_BOARD = "on board"
    INITIATIVE = "initiative"
    NEEDS = "needs"
    ENEMY_NEEDS = "enemy needs"
    ENEMY = "enemy"
    FRIEND = "friend"
    HERE = "here"
    TILE = "tile"
    ROW = "row"
    BOLSTER = "bolster"


class Tie(StrEnum):
    """What a tiebreaker prefers; any place or enemy word is one too."""

    VALUE = "value"
    COVER = "cover"
    LOW_POPULATION = "low population"
    HIGH_POPULATION = "high population"
    NEAR = "near"
    FAR = "far from"
    IS = "is"


COUNTED_PLACES = {Place.WITHIN, Place.WORTH, Place.COVER}
_TYPED_PLACES = {Place.ENEMY, Place.FRIEND}
COUNTED_WHO = {Who.WITHIN, Who.DEFENCE}
_COUNTED_SUBJECTS = {Subject.NEEDS, Subject.ENEMY_NEEDS}
_LISTED_SUBJECTS = {Subject.ENEMY, Subject.FRIEND, Subject.HERE, Subject.TILE}
_NAMED_SUBJECTS = {Subject.ROW, Subject.BOLSTER}


class PlaceTerm(msgspec.Struct, frozen=True):
    """One word about a tile: `kind` is the type of unit there, `n` the number in it."""

    word: Place
    n: int = 0
    kind: str = ""
    denied: bool = False


class WhoTerm(msgspec.Struct, frozen=True):
    """One word about a counter."""

    word: Who
    n: int = 0
    kind: str = ""
    place: PlaceTerm | None = None
    denied: bool = False


class Condition(msgspec.Struct, frozen=True):
    """One condition of a line; its words all hold of the same enemy or tile."""

    subject: Subject
    n: int = 0
    name: str = ""
    who: tuple[WhoTerm, ...] = ()
    places: tuple[PlaceTerm, ...] = ()
    denied: bool = False


class TieTerm(msgspec.Struct, frozen=True):
    """One tiebreaker."""

    word: Tie
    place: PlaceTerm | None = None
    who: WhoTerm | None = None


class Verb(StrEnum):
    """What a line does beside the actions of the game."""

    ACTION = "action"
    BOLSTER = "bolster"
    INSPIRE = "inspire"
    SELECT = "select"
    HUNKER = "hunker down"


class Deed(msgspec.Struct, frozen=True):
    """A keyword with its numbers; an action's `x` of 0 stands for what the unit's own card prints.

    `name` is a bolster deck, the cards to inspire, or what is done with mines.
    """

    verb: Verb
    action: Action = Action(Kind.MOVE)
    n: int = 0
    name: str = ""


def _denied(text: str) -> tuple[bool, str]:
    return text.startswith("not "), text.removeprefix("not ").strip()


def _split(text: str, words: Collection[str]) -> tuple[str, str]:
    """The longest of `words` that `text` begins with, and the rest."""
    for word in sorted(words, key=len, reverse=True):
        if text == word or text.startswith((word + " ", word + ":")):
            return word, text[len(word) :].lstrip(": ")
    return "", text


def _number(text: str, rest: str) -> int:
    if not actions.is_number(rest):
        raise BadInput(f"{text!r}: a number is wanted after it")
    return int(rest)


def _nothing_after(text: str, rest: str) -> None:
    if rest:
        raise BadInput(f"{text!r}: {rest!r} is not understood there")


@cache
def place(text: str) -> PlaceTerm:
    """A word about a tile.

    >>> place("not enemy rifleman").kind
    'rifleman'
    """
    denied, words = _denied(text)
    word, rest = _split(words, list(Place))
    if not word:
        raise BadInput(f"tile word {text!r}: unknown; there are {', '.join(Place)}")
    found = Place(word)
    if found in COUNTED_PLACES:
        return PlaceTerm(found, n=_number(text, rest), denied=denied)
    if found in _TYPED_PLACES:
        return PlaceTerm(found, kind=rest, denied=denied)
    _nothing_after(text, rest)
    return PlaceTerm(found, denied=denied)


@cache
def who(text: str) -> WhoTerm:
    """A word about an enemy or friend; what is no such word is a type of unit."""
    denied, words = _denied(text)
    word, rest = _split(words, [one for one in Who if one is not Who.TYPE])
    if not word:
        if not words or " " in words:
            raise BadInput(f"unit word {text!r}: unknown; there are {', '.join(Who)} and the unit types")
        return WhoTerm(Who.TYPE, kind=words, denied=denied)
    found = Who(word)
    if found in COUNTED_WHO:
        return WhoTerm(found, n=_number(text, rest), denied=denied)
    if found is Who.ON:
        return WhoTerm(found, place=place(rest), denied=denied)
    _nothing_after(text, rest)
    return WhoTerm(found, denied=denied)


UNNAMED = "no solo card could mean it by this name: give it another one, with a - where a space would be"


def names_a_unit(name: str) -> bool:
    """Whether a type of unit called so is meant by its name on solo cards, spawn markers, bolster decks.

    >>> [names_a_unit(name) for name in ("rifleman", "vehicle", "panzer iv", "a")]
    [True, False, False, False]
    """
    if len(name) < 2 or name in {ALL, REST} or {" ", ",", ":"} & {*name}:
        return False
    return who(name).word is Who.TYPE and place(f"{Place.ENEMY} {name}").word is Place.ENEMY


@cache
def condition(text: str) -> Condition:
    """A condition of a line.

    >>> condition("enemy: rifleman, within 2").who[1].n
    2
    """
    denied, words = _denied(text)
    word, rest = _split(words, list(Subject))
    if not word:
        raise BadInput(f"condition {text!r}: unknown; there are {', '.join(Subject)}")
    subject = Subject(word)
    if subject in _COUNTED_SUBJECTS:
        return Condition(subject, n=_number(text, rest), denied=denied)
    if subject in _NAMED_SUBJECTS:
        if not rest:
            raise BadInput(f"condition {text!r}: {subject} wants a name after it")
        return Condition(subject, name=rest, denied=denied)
    if subject not in _LISTED_SUBJECTS:
        _nothing_after(text, rest)
        return Condition(subject, denied=denied)
    terms = [term.strip() for term in rest.split(",") if term.strip()]
    if subject in {Subject.ENEMY, Subject.FRIEND}:
        return Condition(subject, who=tuple(who(term) for term in terms), denied=denied)
    if not terms:
        raise BadInput(f"condition {text!r}: {subject} wants tile words after it")
    return Condition(subject, places=tuple(place(term) for term in terms), denied=denied)


@cache
def tie(text: str) -> TieTerm:
    """A tiebreaker: one of its own words, else a tile word, else a word about a unit."""
    word, rest = _split(text, [one for one in Tie if one is not Tie.IS])
    if word in {Tie.NEAR, Tie.FAR}:
        return TieTerm(Tie(word), place(rest))
    if word and not rest:
        return TieTerm(Tie(word))
    try:
        return TieTerm(Tie.IS, place(text))
    except BadInput:
        return TieTerm(Tie.IS, who=who(text))


@cache
def deed(text: str) -> Deed:
    """A keyword with its numbers.

    >>> deed("inspire 2 matching").name, deed("attack").action.x
    ('matching', 0)
    """
    word, *rest = text.split() or [""]
    match word:
        case "bolster":
            if len(rest) != 1:
                raise BadInput(f"{text!r}: bolster names one deck")
            return Deed(Verb.BOLSTER, name=rest[0])
        case "inspire":
            if len(rest) != 2 or not actions.is_number(rest[0]):
                raise BadInput(f"{text!r}: inspire is followed by a number and which cards")
            return Deed(Verb.INSPIRE, n=int(rest[0]), name=rest[1])
        case "select":
            return Deed(Verb.SELECT, n=_number(text, " ".join(rest)) if rest else 0)
        case "hunker":
            _nothing_after(text, " ".join(rest).removeprefix("down"))
            return Deed(Verb.HUNKER)
        case "mine":
            side = rest.pop() if rest and rest[-1] in MINE_WORK else MINE_WORK[0]
            return Deed(Verb.ACTION, actions.parse(" ".join((word, *rest))), name=side)
        case _:
            return Deed(Verb.ACTION, _action(text))


NOT_FOR_BOTS = {Kind.AIR_SUPPORT, Kind.BOARD}


def _action(text: str) -> Action:
    kinds = {kind.value for kind in Kind if kind not in NOT_FOR_BOTS}
    if text in kinds:
        return Action(Kind(text))
    action = actions.parse(text)
    if action.kind in NOT_FOR_BOTS:
        raise BadInput(f"{text!r}: the bot has no rule for it")
    return action


class Limit(StrEnum):
    """Special rules of a card's box that the box can keep by itself (UND-187)."""

    NEVER_ENTER = "never enter"
    NEVER_LEAVE = "never leave"
    NEVER_ATTACK = "never attack above"


class LimitTerm(msgspec.Struct, frozen=True):
    """One special rule of a card's box."""

    word: Limit
    place: PlaceTerm | None = None
    n: int = 0


@cache
def limit(text: str) -> LimitTerm:
    """A special rule, such as "never leave controlled objective"."""
    word, rest = _split(text, list(Limit))
    if not word:
        raise BadInput(f"special rule {text!r}: unknown; there are {', '.join(Limit)}")
    if word == Limit.NEVER_ATTACK:
        return LimitTerm(Limit.NEVER_ATTACK, n=_number(text, rest))
    return LimitTerm(Limit(word), place(rest))


def faces_of(faces: str) -> list[str]:
    """The die faces in "0-4" or "7".

    >>> faces_of("3-5")
    ['3', '4', '5']
    """
    first, dash, last = faces.partition("-")
    last = last if dash else first
    if not (first in FACES and last in FACES and first <= last):
        raise BadInput(f"{faces!r}: faces are wanted, like 0-4")
    return [face for face in FACES if first <= face <= last]
