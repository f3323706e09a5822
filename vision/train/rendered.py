"""Sets of dice to measure on, light traced: `python -m vision.train.rendered OUT okinawa|dday|pips SEED`.

Each is a labelled folder with pictures to teach the set from and throws; nothing is learnt from them. Symbols
and numerals are of fonts that the scenes don't draw, from Debian's packages fonts-symbola, fonts-liberation,
fonts-freefont-ttf and fonts-crosextra-carlito; it wants what `traced.py` wants, too. A picture takes two
cores 15 seconds.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from vision.train import marks, scenes, traced
from vision.train.render import Camera, Colour, Look, Picture, Placed
from vision.train.scenes import Thrown
from vision.train.solids import Points, about, flipped, solid, turned

if TYPE_CHECKING:
    from collections.abc import Iterable

_SIZE = (640, 480)
_COCKED = 0.05  # share of thrown dice
_LIGHT, _DARK = (0.95, 0.95, 0.95), (0.05, 0.05, 0.05)
_BODIES: dict[str, Colour] = {
    "red": (0.12, 0.1, 0.75),
    "white": (0.9, 0.92, 0.92),
    "blue": (0.7, 0.25, 0.08),
    "black": (0.05, 0.05, 0.05),
    "olive": (0.2, 0.4, 0.4),
    "ivory": (0.7, 0.87, 0.93),
    "green": (0.15, 0.5, 0.1),
    "tan": (0.45, 0.65, 0.75),
}
_DARK_INK = {"white", "ivory", "tan"}  # bodies that have it
_PIP_BODIES = (
    ("black", "blue", "ivory", "red", "white", "green"),
    ("white", "white", "tan", "red", "olive", "blue"),
)
_DDAY_BODIES = ("red", "red", "white", "white", "blue", "blue")
_FOLDER = Path("/usr/share/fonts/truetype")
_FONTS = (
    "liberation/LiberationSans-Bold.ttf",
    "freefont/FreeSerifBold.ttf",
    "crosextra/Carlito-Bold.ttf",
    "liberation/LiberationMono-Bold.ttf",
    "freefont/FreeSansOblique.ttf",
)
_SYMBOLS = "ancient-scripts/Symbola_hint.ttf"
_KINDS = {"d6": "pips", "action": "d6num", "d10": "d10", "dday": "symbols"}


class _Die(NamedTuple):
    die: str
    colour: str
    face: str


class _Maker(NamedTuple):
    """What all dice of a set share."""

    seed: int
    rounding: float
    relief: float
    pips: marks.Pips
    sizes: tuple[float, float]  # of numerals, on cubes and on d10
    symbols: dict[str, marks.Ink]

    @property
    def flip(self) -> bool:
        return bool(self.seed // 2 % 2)


def main() -> None:
    """Render one set, teach pictures first; what is there already of it is written over."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("name", choices=("okinawa", "dday", "pips"), metavar="SET")
    parser.add_argument("seed", type=int, help="tells makers apart")
    asked = parser.parse_args()
    name, seed = asked.name, asked.seed
    cv2.setNumThreads(1)
    folder = asked.out / f"{name}-{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(7000 + seed * 13 + len(name))
    maker = _maker(seed)
    lines = []
    for number, (kind, dice) in enumerate(_pictures(name, maker, rng)):
        picture, labels = _picture(rng, maker, dice, cocked=0.0 if kind == "teach" else _COCKED)
        file = f"{folder.name}-{kind}-{number:04d}.jpg"
        cv2.imwrite(str(folder / file), picture, [cv2.IMWRITE_JPEG_QUALITY, 93])
        lines.append(json.dumps({"file": file, "set": folder.name, "kind": kind, "dice": labels}))
        (folder / "labels.jsonl").write_text("\n".join(lines) + "\n")
        print(folder / file, flush=True)


def _maker(seed: int) -> _Maker:
    rng = np.random.default_rng(seed)
    rounding = float(rng.uniform(0.12, 0.5))
    relief = float(rng.uniform(0.2, 0.7)) if rng.random() < 0.5 else 0.0
    pips = marks.any_pips(rng, 0.95)._replace(hollow=False, worn=0.0, bleeds=0.0)
    sizes = float(rng.uniform(0.5, 0.75)), float(rng.uniform(0.42, 0.6))
    soldier = "👤🚶♟"[seed % 3]
    symbols = {
        "skull": _symbol("💀☠"[seed % 2], 0.8),
        "star": _symbol("★✶"[seed % 2], 0.8),
        "soldier": _symbol(soldier, 0.75),
        "soldiers": marks.pair(_symbol(soldier, 0.9)),
        "courage": _symbol("🎖✠"[seed % 2], 0.8),
        "tool": _symbol("🔧⚒"[seed % 2], 0.8),
    }
    return _Maker(seed, rounding, relief, pips, sizes, symbols)


def _symbol(character: str, size: float) -> marks.Ink:
    return marks.character(character, str(_FOLDER / _SYMBOLS), size)


def _pictures(name: str, maker: _Maker, rng: np.random.Generator) -> list[tuple[str, list[_Die]]]:
    """What each picture is for, and the dice in it."""
    if name == "dday":
        six = list(maker.symbols)
        teach = [[_Die("dday", colour, face) for colour in _DDAY_BODIES] for _ in range(2) for face in six]
        rolls = [[_Die("dday", colour, six[rng.integers(6)]) for colour in _DDAY_BODIES] for _ in range(16)]
    elif name == "okinawa":
        teach = [[_Die("action", "olive", face)] * 6 for _ in range(2) for face in "1234"]
        teach += [
            [*[_Die("d10", "red", face)] * 6, _Die("d10", "black", face)]
            for _ in range(2)
            for face in "0123456789"
        ]
        rolls = [
            [
                *[_Die("action", "olive", str(rng.integers(1, 5))) for _ in range(6)],
                *[_Die("d10", "red", str(rng.integers(10))) for _ in range(6)],
                _Die("d10", "black", str(rng.integers(10))),
            ]
            for _ in range(20)
        ]
    else:
        bodies = _PIP_BODIES[maker.seed % 2]
        teach = [[_Die("d6", colour, face) for colour in bodies] for face in "123456"]
        rolls = [[_Die("d6", colour, str(rng.integers(1, 7))) for colour in bodies] for _ in range(20)]
    return [*[("teach", dice) for dice in teach], *[("roll", dice) for dice in rolls]]


def _picture(
    rng: np.random.Generator, maker: _Maker, dice: list[_Die], *, cocked: float
) -> tuple[Picture, list[dict[str, object]]]:
    """A picture of dice on a table, and their labels."""
    camera, pixels = _camera(rng)
    view = traced.View(rng, camera, pixels, _SIZE, threads=2)
    view.reach = 0.529 * min(_SIZE) / pixels
    places = _places(rng, camera, len(dice), view.reach - 0.9)
    thrown = [
        _thrown(rng, maker, die, place, flat=not cocked or rng.random() > cocked)
        for die, place in zip(dice, places, strict=True)
    ]
    view.build(thrown)
    light, owner = view.render()
    shown = traced.exposed(rng, light)
    noise = rng.normal(0, rng.uniform(0.5, 3), shown.shape)
    soft = cv2.GaussianBlur(shown, (0, 0), rng.uniform(0.3, 0.8))
    labels: list[dict[str, object]] = []
    for number, (die, it) in enumerate(zip(dice, thrown, strict=True), start=1):
        rows, columns = np.nonzero(owner == number)
        box = [int(v) for v in (columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1)]
        labels.append({**die._asdict(), "face": die.face if it.flat else None, "bbox": box})
    return np.asarray(np.clip(soft + noise, 0, 255), np.uint8), labels


def _camera(rng: np.random.Generator) -> tuple[Camera, float]:
    """A camera nearly straight above, and how many pixels a die is wide."""
    pixels, tilt, roll = float(rng.uniform(46, 60)), math.radians(rng.uniform(0, 14)), rng.uniform(-0.3, 0.3)
    away = float(rng.uniform(15, 30))
    place = np.array([0, -math.sin(tilt), math.cos(tilt)]) * away
    turn = about(np.array([0, 0, 1.0]), roll) @ about(np.array([1.0, 0, 0]), math.pi - tilt)
    return Camera(place, turn, pixels * away, (_SIZE[0] / 2, _SIZE[1] / 2)), pixels


def _places(rng: np.random.Generator, camera: Camera, count: int, reach: float) -> list[Points]:
    """Where dice lie, some close to another."""
    found: list[Points] = []
    while len(found) < count:
        if found and rng.random() < 0.4:
            angle = rng.uniform(0, 2 * math.pi)
            beside = found[rng.integers(len(found))]
            aside = np.array([math.cos(angle), math.sin(angle), 0]) * rng.uniform(1, 1.3)
            place = beside + 1.12 * aside
        else:
            place = np.array([rng.uniform(-reach, reach), rng.uniform(-reach, reach), 0])
        x, y = camera.project(place[None])[0][0]
        inside = 30 < x < _SIZE[0] - 30 and 30 < y < _SIZE[1] - 30 and np.hypot(*place[:2]) < reach
        if inside and all(np.linalg.norm(place - other) > 1.12 for other in found):
            found.append(place)
    return found


def _thrown(rng: np.random.Generator, maker: _Maker, die: _Die, place: Points, *, flat: bool) -> Thrown:
    shape = solid("d10" if die.die == "d10" else "d6")
    rounding = maker.rounding
    if die.die == "d10":
        shape, rounding = scenes.roomy(shape, 0.02), 0.35 * rounding
    inks = _inks(rng, maker, die)
    if maker.flip:
        shape = flipped(shape)
    if die.die == "d10":
        inks = [marks.within(ink, scenes.outline(face)) for ink, face in zip(inks, shape.faces, strict=True)]
    shape = turned(shape, scenes.resting(rng, flat=flat))
    body, ink = _BODIES[die.colour], _DARK if die.colour in _DARK_INK else _LIGHT
    look = Look(body, body, 0.0, ink, 1.0, rounding, 0.0, 0.3, relief=maker.relief)
    lowest = float(shape.vertices[:, 2].min()) * (1 - rounding) - rounding * shape.inner
    lying = Placed(shape, place - np.array([0, 0, lowest]), inks, look)
    return Thrown(_KINDS[die.die], die.face, either=False, flat=flat, lying=lying)


def _inks(rng: np.random.Generator, maker: _Maker, die: _Die) -> list[marks.Ink]:
    """The marks of each face, the upper one first."""
    if die.die == "d6":
        return [marks.pips(int(face), rng, maker.pips) for face in _first(die.face, "123456")]
    if die.die == "dday":
        return [maker.symbols[face] for face in _first(die.face, rng.permutation(list(maker.symbols)))]
    if die.die == "d10":
        faces, size = _first(die.face, rng.permutation(10)), maker.sizes[1]
    else:
        six = [*_first(die.face, rng.permutation([1, 2, 3, 4, 1, 2])), "3", "4", "1", "2", "3"]
        faces, size = six[:6], maker.sizes[0]
    font = str(_FOLDER / _FONTS[maker.seed % len(_FONTS)])
    return [
        marks.numeral(
            face,
            np.random.default_rng(maker.seed),
            font=font,
            mark="_."[maker.seed % 2] if die.die == "d10" and face in {"6", "9"} else "",
            size=(size, size + 0.001),
        )
        for face in faces
    ]


def _first(face: str, others: Iterable[object]) -> list[str]:
    """A face, and then the others."""
    return [face, *(str(other) for other in others if str(other) != face)]


if __name__ == "__main__":
    main()
