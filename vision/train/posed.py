"""Pictures of dice laid out on purpose: for tests, and for trying a tray without one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from vision.train import marks
from vision.train.render import Camera, Look, Picture, Placed, draw
from vision.train.solids import about, solid, turned

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vision.train.render import Colour

WHITE, BLACK, RED, BLUE, GREEN = (
    (0.92, 0.95, 0.95),
    (0.08, 0.08, 0.08),
    (0.15, 0.12, 0.8),
    (0.75, 0.3, 0.1),
    (0.1, 0.5, 0.1),
)
_FELT = (70, 110, 60)  # BGR
_DISTANCE = 16.0  # of the camera above the table, in sides of a die


class Posed(NamedTuple):
    """A die at a place (pixels of its middle), turned about the upright axis and tilted, both in degrees.

    `kind` is "d6" (pips), "d6num", "d10", or "symbols", whose faces are numbers of the generator's symbols.
    """

    kind: str
    face: str
    at: tuple[float, float]
    turn: float = 0.0
    tilt: float = 0.0
    body: Colour = WHITE
    ink: Colour = BLACK


def tray(
    dice: Iterable[Posed], *, size: tuple[int, int] = (640, 480), pixels: float = 60.0, seed: int = 0
) -> Picture:
    """A picture from above of these dice on green felt, each so many pixels wide."""
    rng = np.random.default_rng(seed)
    width, height = size
    felt = np.array(_FELT) + rng.normal(0, 4, (height, width, 1))
    picture = np.asarray(np.clip(felt, 0, 255), np.uint8)
    down = np.diag([1.0, -1.0, -1.0])
    camera = Camera(np.array([0, 0, _DISTANCE]), down, pixels * _DISTANCE, (width / 2, height / 2))
    for die in dice:
        draw(picture, _placed(die, camera, pixels, rng), camera, np.array([0.3, 0.3, 0.9]), rng)
    return picture


def _placed(die: Posed, camera: Camera, pixels: float, rng: np.random.Generator) -> Placed:
    shape = solid("d10" if die.kind == "d10" else "d6")
    inks = [_ink(die.kind, face, rng) for face in _round_about(die, len(shape.faces))]
    upright = about(np.array([0.0, 0, 1]), math.radians(die.turn))
    shape = turned(shape, about(np.array([1.0, 0, 0]), math.radians(die.tilt)) @ upright)
    x, y = (np.array(die.at) - camera.centre) / pixels
    look = Look(die.body, die.body, 0.0, die.ink, 1.0, 0.2, 0.0, 0.5)
    return Placed(shape, np.array([x, -y, -float(shape.vertices[:, 2].min())]), inks, look)


def _round_about(die: Posed, count: int) -> list[str]:
    """The upper face first, then the others in an order that does not matter."""
    if die.kind == "symbols":
        return [str((int(die.face) + step) % 500) for step in range(count)]
    first = 0 if die.kind == "d10" else 1
    return [die.face, *(str(n) for n in range(first, first + count) if str(n) != die.face)]


def _ink(kind: str, face: str, rng: np.random.Generator) -> marks.Ink:
    if kind == "d6":
        return marks.pips(int(face), rng)
    if kind == "symbols":
        return marks.symbol(int(face), ())
    mark = "_" if face in {"6", "9"} and kind == "d10" else ""
    return marks.numeral(face, rng, font=None, mark=mark, size=(0.5, 0.6))
