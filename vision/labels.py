"""Labelled folders: `labels.jsonl` beside the pictures, one line a picture."""

from __future__ import annotations

from pathlib import Path

import msgspec

from vision.errors import LabelError
from vision.frames import is_endless
from vision.reading import Box

LABELS = "labels.jsonl"


class LabelledDie(msgspec.Struct, frozen=True):
    """What a person says about one die; `face` is None when none is up, `bbox` None when nobody drew it."""

    face: str | None
    die: str | None = None
    colour: str | None = None
    bbox: Box | None = None


class Labelled(msgspec.Struct, frozen=True):
    """One picture and the dice in it. `kind` is `teach`, `roll`, or the kind of all of its dice.

    `others` says that symbol dice lie in it too, which have no labels.
    """

    path: Path
    kind: str
    dice: tuple[LabelledDie, ...]
    others: bool = False


class _Die(msgspec.Struct):
    value: int | None = None
    face: str | None = None
    die: str | None = None
    colour: str | None = None
    bbox: tuple[float, float, float, float] | None = None


class _Line(msgspec.Struct):
    file: str
    dice: list[_Die]
    kind: str = "roll"
    has_symbol_dice: bool = False


def read_labels(folder: Path) -> tuple[Labelled, ...]:
    """The labels of a folder; LabelError, with the line's number, when they can't be understood."""
    file = folder / LABELS
    try:
        if is_endless(file):
            raise LabelError(f"{file} is a pipe or a device; a labelled folder needs a file")
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise LabelError(f"{file} can't be read: {error.strerror}; a labelled folder needs it") from error
    except UnicodeDecodeError as error:
        raise LabelError(f"{file} is no text: {error}") from error
    return tuple(_labelled(folder, number, line) for number, line in enumerate(lines, 1) if line.strip())


def _labelled(folder: Path, number: int, text: str) -> Labelled:
    try:
        line = msgspec.json.decode(text, type=_Line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise LabelError(f"{folder / LABELS} line {number}: {error}") from error
    for die in line.dice:
        if die.bbox is not None and min(die.bbox[2:]) <= 0:
            raise LabelError(f"{folder / LABELS} line {number}: a box {die.bbox} has no size")
    return Labelled(
        folder / line.file, line.kind, tuple(_die(die) for die in line.dice), line.has_symbol_dice
    )


def _die(die: _Die) -> LabelledDie:
    face = die.face if die.value is None else str(die.value)
    return LabelledDie(face, die.die, die.colour, None if die.bbox is None else Box(*die.bbox))
