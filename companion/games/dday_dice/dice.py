"""The special dice: six symbols in three colours, and the asks that roll them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import cache

import msgspec

from companion.engine.asks import Dice, Locked, Roll, Script, ask


class Face(StrEnum):
    """The six results of a special die (DDD-028)."""

    SKULL = "skull"
    STAR = "star"
    SOLDIER1 = "soldier1"
    SOLDIER2 = "soldier2"
    COURAGE = "courage"
    TOOL = "tool"


class Colour(StrEnum):
    """What a result counts as for a Red-White-Blue bonus; `NONE` never helps one (DDD-137)."""

    RED = "red"
    WHITE = "white"
    BLUE = "blue"
    NONE = "none"


FACES = tuple(Face)
FACE_NAMES = tuple(face.value for face in Face)
COLOURS = (Colour.RED, Colour.WHITE, Colour.BLUE)
SHORT = dict(zip(FACES, ("Skull", "Star", "1 Sold", "2 Sold", "Courage", "Tool"), strict=True))
IN_WORDS = SHORT | {
    Face.SOLDIER1: "1-Soldier result",
    Face.SOLDIER2: "2-Soldiers result",
}
TINY = dict(zip(FACES, ("Sk", "St", "1S", "2S", "Co", "To"), strict=True))
INITIAL = {Colour.RED: "R", Colour.WHITE: "W", Colour.BLUE: "B", Colour.NONE: "-"}
DIE_IDS = ("r1", "r2", "w1", "w2", "b1", "b2")


class Die(msgspec.Struct):
    """One special die of a set: `id` says which of its colour, `colour` what it counts as now."""

    id: str
    colour: Colour
    face: Face = Face.SKULL
    locked: bool = False

    @property
    def label(self) -> str:
        """In words: R Star."""
        return LABELS[self.colour, self.face]


class Result(msgspec.Struct, frozen=True):
    """One entry of a Final Tally; `die` is the place of its die, -1 if no die shows it."""

    face: Face
    colour: Colour = Colour.NONE
    die: int = -1

    @property
    def label(self) -> str:
        """In words: R Star."""
        return LABELS[self.colour, self.face]


LABELS = {(colour, face): f"{INITIAL[colour]} {SHORT[face]}" for colour in Colour for face in Face}
_LOCKED = {(colour, face): Locked(f"dday.{colour}", face.value) for colour in COLOURS for face in Face}
D6 = Dice("d6", 1, ("1", "2", "3", "4", "5", "6"))


def full_set() -> list[Die]:
    """Two dice of each colour (DDD-003)."""
    return [
        Die(name, colour) for name, colour in zip(DIE_IDS, (c for c in COLOURS for _ in "12"), strict=True)
    ]


def throw(
    dice: list[Die], which: Sequence[int], key: str, text: str, detail: str = "", *, rule: tuple[str, ...]
) -> Script[None]:
    """Roll the dice at the places `which` (ascending); the others stay in the tray as they lie."""
    # In the order of the ask, which is not theirs if colours were set by hand.
    thrown = sorted((dice[place] for place in which), key=lambda die: COLOURS.index(die.colour))
    colours = [die.colour for die in thrown]
    staying = tuple(_LOCKED[die.colour, die.face] for place, die in enumerate(dice) if place not in which)
    kinds = _kinds(*(colours.count(colour) for colour in COLOURS))
    faces = yield from ask(Roll(key, text, detail, rule, dice=kinds, locked=staying))
    for die, face in zip(thrown, faces, strict=True):
        die.face = Face(face)


@cache
def _kinds(*counts: int) -> tuple[Dice, ...]:
    """So many red, white and blue dice."""
    return tuple(
        Dice(f"dday.{colour}", count, FACE_NAMES, colour.value)
        for colour, count in zip(COLOURS, counts, strict=True)
        if count
    )


def d6(key: str, text: str, rule: tuple[str, ...], count: int, detail: str) -> Script[list[int]]:
    """Roll ordinary dice (DDD-R09)."""
    dice = msgspec.structs.replace(D6, count=count)
    faces = yield from ask(Roll(key, text, detail, rule, dice=(dice,)))
    return [int(face) for face in faces]


def results(dice: Sequence[Die]) -> list[Result]:
    """The dice as results of a tally."""
    return [Result(die.face, die.colour, place) for place, die in enumerate(dice)]


def line(dice: Sequence[Die]) -> str:
    """The dice on one OLED line or two: R Sk St W 2S To B Co Co."""
    words: list[str] = []
    last = None
    for die in dice:
        if die.colour is not last:
            words.append(INITIAL[die.colour])
            last = die.colour
        words.append(TINY[die.face])
    return " ".join(words)
