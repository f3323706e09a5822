"""Whole pictures of trays with dice, clutter and hands, and exact labels: what the networks learn from."""

from __future__ import annotations

import math
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train import marks, surfaces
from vision.train.render import Camera, Colour, Drawn, Look, Picture, Placed, draw, silhouette
from vision.train.solids import Face, Points, Solid, about, flipped, scaled, solid, turned

# Marks can be read where ink and body are so many grey levels apart, and little else makes the levels differ.
_APART = 24.0
_ALIKE = 0.35
# What a die is, in the order of the face network's outputs.
KINDS = ("pips", "d6num", "d10", "symbols", "other", "nothing")
SYMBOLS = 500  # how many different ones the generator draws
_METALS: tuple[Colour, ...] = ((0.25, 0.62, 0.85), (0.4, 0.75, 0.95), (0.78, 0.78, 0.78), (0.35, 0.45, 0.7))
_GLASS = 0.4  # share of clear dice through which the table is seen
_DOMED = 0.25  # share of makers whose dice have round flat faces and bulge between them
_REACH = ((0.82, 0.95), (0.6, 0.95))  # of borders, and of rings and discs, in halves of a face
_COCKED = 0.12  # share of dice
_GLEAMING = 0.4  # share of dice with sparks in which lamps are mirrored along the marks too
_MOST = 22  # dice of a scene at most
_SECOND = {"1", "4"}  # faces whose pips some makers print in another ink, mostly red
_SHARP = 0.35  # rounding of other solids' edges against a cube's


class Label(NamedTuple):
    """One die of a scene: kind (of KINDS), upper face, box x, y, w, h, whether that face can be read.

    `either` marks a 6 or 9 that nothing tells apart. `lean` is how the face that looks most at the camera
    slopes: its normal's part across the line of sight (x right, y down; 0.5 is 30 degrees), None where nobody
    knows.
    """

    kind: str
    face: str
    bbox: tuple[float, float, float, float]
    readable: bool
    either: bool
    flat: bool = True
    lean: tuple[float, float] | None = None


class Scene(NamedTuple):
    """A picture (BGR), its dice, and the boxes of hands in it."""

    picture: Picture
    dice: list[Label]
    hands: list[tuple[float, float, float, float]]


class Wanted(NamedTuple):
    """What scenes show: a mix of kinds (None: any), dice `widest` pixels wide at most, so many marbled ones.

    `marbled` is the share of makers whose dice are, with marks that mostly differ from them by hue alone.
    """

    mix: dict[str, float] | None = None
    widest: float | None = None
    marbled: float = 0.0


ANY = Wanted()
NUMERALS = Wanted({"d6num": 0.3, "d10": 0.7})  # to learn numerals from
MARBLED = Wanted({"pips": 0.92, "d6num": 0.03, "d10": 0.02, "symbols": 0.03}, widest=70, marbled=0.75)


class _Style(NamedTuple):
    """What the dice of one maker share."""

    look: Look
    font: str | None
    underline: str
    flip: bool
    symbols: NDArray[np.int64]
    pips: marks.Pips
    size: float  # of numerals, from 0 for small ones to 1
    bold: int
    frame: str
    under: marks.Ink  # what the frame looks like


def scene(
    rng: np.random.Generator,
    *,
    size: tuple[int, int],
    wanted: Wanted = ANY,
) -> Scene:
    """A random scene of what is `wanted`; the same generator state gives the same picture."""
    width, height = size
    camera, pixels = any_camera(rng, size, widest=wanted.widest)
    picture = surfaces.tray(rng, size)
    surfaces.clutter(rng, picture)
    sun = np.array([rng.normal(0, 0.5), rng.normal(0, 0.5), 1.0])
    sun /= np.linalg.norm(sun)
    dice = thrown(rng, camera, pixels, size, wanted)
    surfaces.shadows(rng, picture, [silhouette(*_shadow(d, sun), 0.0, camera) for d in dice])
    owner = np.full((height, width), -1, np.int16)
    drawn = []
    for number, d in enumerate(dice):
        seen = draw(picture, d.lying, camera, sun, rng)
        if seen is not None:
            cv2.fillConvexPoly(owner, seen.outline, number)
            drawn.append((number, d, seen))
    hands = surfaces.hands(rng, picture) if rng.random() < 0.06 else []
    shot = surfaces.photographed(rng, picture, pixels)
    labels = (labelled(shot, d, seen, owner == number, camera) for number, d, seen in drawn)
    kept = [label for label in labels if label and not any(_covered(label, hand) for hand in hands)]
    return Scene(shot, kept, hands)


def thrown(
    rng: np.random.Generator,
    camera: Camera,
    pixels: float,
    size: tuple[int, int],
    wanted: Wanted = ANY,
) -> list[Thrown]:
    """Dice in a camera's view, so many pixels wide, the farthest first."""
    room = max(1.0, 0.4 * size[0] * size[1] / pixels**2)  # dice that fit
    count = 0 if rng.random() < 0.05 else min(int(rng.integers(1, _MOST + 1)), int(room))
    styles = [_style(rng, wanted.marbled) for _ in range(int(rng.integers(1, 4)))]
    mix = wanted.mix or _MIXES[int(rng.choice(len(_MIXES), p=_MIX_ODDS))]
    places = _places(rng, count, camera, size)
    dice = [_die(rng, mix, styles, place, pixels) for place in places]
    return sorted(dice, key=lambda d: -float(np.linalg.norm(d.lying.place - camera.place)))


def labelled(
    picture: Picture, die: Thrown, drawn: Drawn, mine: NDArray[np.bool_], camera: Camera
) -> Label | None:
    """The label of a die that shows where `mine` says; None where too little of it does."""
    label = _label(die, drawn, mine, camera)
    return label and label._replace(readable=label.readable and legible(picture, drawn, mine))


class Thrown(NamedTuple):
    """A die on the table: what it is, what is on top, whether a 6 may be a 9, whether it lies flat."""

    kind: str
    face: str
    either: bool
    flat: bool
    lying: Placed


_MIXES: tuple[dict[str, float], ...] = (
    {"pips": 1},
    {"pips": 0.85, "other": 0.05, "symbols": 0.1},
    {"d6num": 0.45, "d10": 0.55},
    {"d10": 0.7, "other": 0.3},
    {"symbols": 1},
    {"pips": 0.25, "d6num": 0.25, "d10": 0.2, "symbols": 0.2, "other": 0.1},
)
_MIX_ODDS = (0.3, 0.1, 0.22, 0.1, 0.16, 0.12)


def any_camera(
    rng: np.random.Generator, size: tuple[int, int], *, widest: float | None = None
) -> tuple[Camera, float]:
    """A camera over the tray, mostly from above, and how many pixels a die is wide.

    One that looks from the side is mostly held upright: that tells the upper face from the front one.
    """
    tilt = math.radians(
        rng.choice([rng.uniform(0, 12), rng.uniform(12, 30), rng.uniform(30, 52)], p=(0.6, 0.25, 0.15))
    )
    roll = rng.uniform(-math.pi, math.pi) if tilt < 0.25 or rng.random() < 0.05 else rng.normal(0, 0.2)
    pixels = math.exp(rng.uniform(math.log(18), math.log(widest or min(size) * 0.42)))
    distance = max(rng.uniform(8, 40), 1.2 * max(size) / pixels)
    place = np.array([0, -math.sin(tilt), math.cos(tilt)]) * distance
    turn = about(np.array([1.0, 0, 0]), math.pi - tilt)
    turn = about(np.array([0, 0, 1.0]), roll) @ turn
    return Camera(place, turn, pixels * distance, (size[0] / 2, size[1] / 2)), pixels


def _places(rng: np.random.Generator, count: int, camera: Camera, size: tuple[int, int]) -> list[Points]:
    """Where dice lie on the table (z = 0), apart from each other, half of them close to another."""
    found: list[Points] = []
    near, widest = rng.choice([0.0, 0.4, 0.9, 0.95]), rng.choice([1.1, 1.4])
    reach = 0.75 * max(size) / camera.focal * float(np.linalg.norm(camera.place))
    for _ in range(count * 12):
        if len(found) == count:
            break
        if found and rng.random() < near:
            angle, gap = rng.uniform(0, 2 * math.pi), rng.uniform(1.0, widest)
            place = found[int(rng.integers(len(found)))] + gap * np.array(
                [math.cos(angle), math.sin(angle), 0]
            )
        else:
            place = np.array([rng.uniform(-reach, reach), rng.uniform(-reach, reach), 0.0])
        pixel = camera.project(place[None])[0][0]
        inside = -0.02 * size[0] < pixel[0] < 1.02 * size[0] and -0.02 * size[1] < pixel[1] < 1.02 * size[1]
        if inside and all(
            np.linalg.norm(place - other) > rng.uniform(1.0, min(widest, 1.25)) for other in found
        ):
            found.append(place)
    return found


def _style(rng: np.random.Generator, marbled: float) -> _Style:
    look = _make(rng)
    if marbled and rng.random() < marbled:
        look = _marbled(rng, look)
    frame = str(rng.choice(["", "ring", "border", "disc", "outline"], p=[0.73, 0.08, 0.04, 0.09, 0.06]))
    if rng.random() < 0.5:
        look = look._replace(plate=_contrasting(rng, look.ink))
    elif frame in {"ring", "border"}:
        look = look._replace(plate=look.ink)
    reach = float(rng.uniform(*_REACH[frame in {"ring", "disc"}]))
    fonts = marks.font_files()
    return _Style(
        look,
        font=fonts[int(rng.integers(len(fonts)))] if fonts and rng.random() < 0.85 else None,
        underline=str(rng.choice(["_", ".", ""], p=[0.55, 0.3, 0.15])),
        flip=bool(rng.random() < 0.5),
        symbols=rng.choice(SYMBOLS, 6, replace=False),
        pips=marks.any_pips(rng, reach),
        size=float(rng.uniform(0, 1)),
        bold=int(rng.choice([0, 0, 1, 2, 3])),
        frame=frame,
        under=marks.frame(frame, reach, rng),
    )


def _make(rng: np.random.Generator) -> Look:
    """What the dice of one maker are made of, before any light falls on one."""
    classic = rng.random() < 0.12  # white or ivory with black marks
    body = (
        (rng.uniform(0.6, 0.95), rng.uniform(0.86, 0.97), rng.uniform(0.9, 1.0)) if classic else _colour(rng)
    )
    ink = (0.9, 0.95, 0.95) if _lightness(body) < 0.5 else (0.06, 0.06, 0.06)
    if not classic and rng.random() < 0.5:
        ink = _contrasting(rng, body, by_hue=rng.random() < 0.35)
    metal = False
    if rng.random() < 0.15:
        shiny = _METALS[int(rng.integers(len(_METALS)))]
        metal = abs(_lightness(shiny) - _lightness(body)) > 0.2
        ink = shiny if metal else ink
    swirled = not classic and rng.random() < 0.35
    look = Look(
        body,
        vein=_colour(rng) if rng.random() < 0.6 else tuple(min(1.0, c + 0.25) for c in body),  # type: ignore[arg-type] # three channels stay three
        swirl=float(rng.uniform(0.3, 1)) if swirled else 0.0,
        ink=ink,
        cover=float(rng.uniform(0.6, 1)),
        rounding=float(rng.uniform(0.04, 0.55) ** 1.3),
        shine=0.0,
        blur=0.0,
        relief=_sometimes(rng, 0.6, 0.15, 0.8),
        metal=float(rng.uniform(0.3, 1)) if metal else 0.0,
        clear=_sometimes(rng, 0.15, 0.3, 1),
        glitter=_sometimes(rng, 0.08, 0.4, 1),
        streak=_colour(rng) if rng.random() < 0.4 else None,
    )
    if rng.random() < (0.4 if classic else 0.05):
        look = look._replace(second=_contrasting(rng, body))
    if look.clear and rng.random() < _GLASS:
        look = look._replace(glass=float(rng.uniform(0.4, 0.97)), swirl=0.0)
        if rng.random() < 0.5:
            look = look._replace(rounding=float(rng.uniform(0.01, 0.1)))
    if rng.random() < _DOMED:
        dome, rim, rounding = (
            float(rng.uniform(*most)) for most in ((0.8, 1.02), (-0.35, 0.7), (0.25, 0.55))
        )
        look = look._replace(dome=dome, rim=rim, rounding=rounding)
    return look


def _marbled(rng: np.random.Generator, look: Look) -> Look:
    """A maker's dice with veins through them, and marks of another hue more often than of another light."""
    body = _colour(rng)
    ink = _contrasting(rng, body, by_hue=rng.random() < 0.6)
    return look._replace(
        body=body, ink=ink, vein=_colour(rng), swirl=float(rng.uniform(0.4, 1)), metal=0.0, glass=0.0
    )


def _sometimes(rng: np.random.Generator, chance: float, least: float, most: float) -> float:
    """With that chance a number between, else 0."""
    return float(rng.uniform(least, most)) if rng.random() < chance else 0.0


def _colour(rng: np.random.Generator) -> Colour:
    kind = rng.random()
    if kind < 0.2:
        level = rng.uniform(0.75, 1.0)
        return (level * rng.uniform(0.8, 1), level * rng.uniform(0.93, 1), level)
    if kind < 0.35:
        level = rng.uniform(0.02, 0.22)
        return (level, level, level)
    hsv = np.array([[[rng.uniform(0, 180), rng.uniform(90, 255), rng.uniform(60, 255)]]], np.uint8)
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] / 255.0
    return (float(b), float(g), float(r))


def _contrasting(rng: np.random.Generator, body: Colour, *, by_hue: bool = False) -> Colour:
    """An ink that can be told from the body, by its lightness or by its hue alone, as red on black."""
    for _ in range(40):
        ink = _colour(rng)
        lighter = abs(_lightness(ink) - _lightness(body))
        apart = max(abs(a - b) for a, b in zip(ink, body, strict=True))
        if (lighter > 0.22 and not by_hue) or (apart > 0.4 and lighter < 0.22):
            return ink
    return (0.0, 0.0, 0.0) if _lightness(body) > 0.5 else (1.0, 1.0, 1.0)


def _lightness(colour: Colour) -> float:
    return 0.1 * colour[0] + 0.6 * colour[1] + 0.3 * colour[2]


def _die(
    rng: np.random.Generator, mix: dict[str, float], styles: list[_Style], place: Points, pixels: float
) -> Thrown:
    kind = str(rng.choice(list(mix), p=list(mix.values())))
    style = styles[int(rng.integers(len(styles)))]
    name = {"other": str(rng.choice(["d4", "d8", "d12", "d20", "d100"])), "d10": "d10"}.get(kind, "d6")
    shape = solid("d10" if name == "d100" else name)
    if len(shape.faces) == 10:
        shape = roomy(shape, rng.uniform(-0.1, 0.1))
    texts, inks = _faces(rng, kind, name, style, len(shape.faces))
    if style.flip:
        shape = flipped(shape)
    if len(shape.faces) == 10:
        inks = [marks.within(ink, outline(face)) for ink, face in zip(inks, shape.faces, strict=True)]
    shape = scaled(shape, rng.uniform(0.85, 1.15))
    flat = rng.random() > _COCKED
    shape = turned(shape, resting(rng, flat=flat))
    look = _lit(rng, style.look, pixels, cube=len(shape.faces) == 6)
    lowest = float(shape.vertices[:, 2].min()) * (1 - look.rounding) - look.rounding * shape.inner
    either = kind == "d10" and style.underline == "" and texts[0] in {"6", "9"}
    second = frozenset(n for n, text in enumerate(texts) if kind == "pips" and text in _SECOND)
    lying = Placed(shape, place - np.array([0, 0, lowest]), inks, look, _unders(style, inks), second)
    return Thrown(kind, texts[0], either, flat, lying)


def resting(rng: np.random.Generator, *, flat: bool) -> Points:
    """A turn about the vertical, and for a cocked die about some level axis too."""
    yaw = about(np.array([0, 0, 1.0]), rng.uniform(0, 2 * math.pi))
    if flat:
        return yaw
    angle = rng.uniform(0, 2 * math.pi)
    return about(np.array([math.cos(angle), math.sin(angle), 0]), math.radians(rng.uniform(14, 45))) @ yaw


def _lit(rng: np.random.Generator, look: Look, pixels: float, *, cube: bool) -> Look:
    """How a die of that look shines where it lies; only cubes are made with round faces."""
    shine = _sometimes(rng, 0.3, 0.2, 0.6) or _sometimes(rng, 0.06, 0.8, 1.5)
    often = 0.4 if look.dome is None else 0.7
    sparks = int(rng.integers(1, 6)) if shine or rng.random() < often else 0
    return look._replace(
        shine=shine,
        blur=float(rng.uniform(0, min(0.8, pixels / 60))),
        rounding=look.rounding * (1 if cube else _SHARP),
        sparks=sparks,
        dome=look.dome if cube else None,
        gleam=_sometimes(rng, _GLEAMING, 0.2, 1.0) if sparks else 0.0,
    )


def roomy(shape: Solid, shift: float) -> Solid:
    """A kite has room for a numeral beyond its inner circle, and not always in its middle."""
    faces = tuple(f._replace(radius=1.6 * f.radius, centre=f.centre + shift * f.up) for f in shape.faces)
    return Solid(shape.vertices, faces, shape.inner)


def outline(face: Face) -> Points:
    """A face's corners in the picture of its ink, as shares of that picture's side."""
    right = np.cross(face.up, face.normal)
    offsets = (face.corners - face.centre) @ np.stack([right, -face.up], axis=1) / face.radius
    return np.asarray(0.5 + 0.5 * offsets)


def _faces(
    rng: np.random.Generator, kind: str, name: str, style: _Style, count: int
) -> tuple[list[str], list[marks.Ink]]:
    """What each face says, and its ink; face 0 is on top."""
    if kind == "pips":
        values = rng.permutation(6) + 1
        return [str(v) for v in values], [marks.pips(int(v), rng, style.pips) for v in values]
    if kind == "symbols":
        chosen = rng.permutation(style.symbols)
        fonts = marks.font_files(("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))
        return [f"s{v}" for v in chosen], [marks.symbol(int(v), fonts) for v in chosen]
    numbers = rng.permutation(count) + (0 if name in {"d10", "d100"} else 1)
    texts = [f"{v}0" if name == "d100" else str(v) for v in numbers]
    small, large = (0.36, 0.64) if len(numbers) == 10 else (0.35, 0.8)
    least = small + style.size * (large - small)
    sizes = (least, least + 0.05)
    return texts, [
        marks.numeral(
            text, rng, font=style.font, mark=_mark(text, name, style, rng), size=sizes, bold=style.bold
        )
        for text in texts
    ]


def _unders(style: _Style, inks: list[marks.Ink]) -> list[marks.Ink] | None:
    """What lies below the marks; rings and borders are for the square faces of cubes."""
    if style.frame == "outline":
        return [marks.thickened(ink, 3) for ink in inks]
    return [style.under] * len(inks) if style.frame and len(inks) == 6 else None


def _mark(text: str, name: str, style: _Style, rng: np.random.Generator) -> str:
    """What tells a 6 from a 9: always on a d10 of this style, sometimes on a d6, where it is only habit."""
    if text not in {"6", "9"} or name == "d8" or (name == "d6" and rng.random() < 0.6):
        return ""
    return style.underline


def _shadow(die: Thrown, sun: Points) -> tuple[Solid, Points]:
    """The die squashed flat onto the table along the light."""
    points = die.lying.shape.vertices + die.lying.place
    flat = points - points[:, 2:] / sun[2] * sun
    return Solid(flat, (), 0.3), np.zeros(3)


def _label(die: Thrown, drawn: Drawn, mine: NDArray[np.bool_], camera: Camera) -> Label | None:
    height, width = mine.shape
    outline, top = drawn.outline, drawn.top
    low, high = outline.min(axis=0), outline.max(axis=0)
    middle = (low + high) / 2
    if not (0 < middle[0] < width and 0 < middle[1] < height):
        return None
    low, high = np.maximum(low, 0), np.minimum(high, (width, height))
    x, y, w, h = float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])
    shown = np.zeros(mine.shape, np.uint8)
    cv2.fillPoly(shown, [top], 1)
    area = float(cv2.contourArea(top.astype(np.float32)))
    seen = float(np.count_nonzero(mine & (shown > 0)))
    whole = float(np.count_nonzero(mine)) / max(1.0, float(cv2.contourArea(outline.astype(np.float32))))
    if whole < 0.35:
        return None
    readable = seen > 0.8 * area and drawn.glare < 0.55
    return Label(die.kind, die.face, (x, y, w, h), readable, die.either, die.flat, _lean(die.lying, camera))


def legible(picture: Picture, drawn: Drawn, mine: NDArray[np.bool_]) -> bool:
    """Whether the marks of the upper face stand out in the picture from the body close to them."""
    (x, y), (height, width) = drawn.corner, drawn.marks.shape
    part = np.s_[y : y + height, x : x + width]
    reach = 2 * round(0.06 * max(width, height)) + 3
    near = mine[part] & (cv2.dilate(drawn.marks, np.ones((reach, reach), np.uint8)) > 0.1)
    marks, colours = drawn.marks[near], picture[part][near].astype(np.float32)
    if len(marks) < 12 or marks.std() < 0.02:
        return False
    marks, colours = marks - marks.mean(), colours - colours.mean(axis=0)
    together = np.abs(marks @ colours) / len(marks)
    alike = together / (marks.std() * colours.std(axis=0) + 1e-6)
    apart = together / marks.var()  # of ink and body, in grey levels
    return bool((alike * np.minimum(1, apart / _APART)).max() > _ALIKE)


def _lean(die: Placed, camera: Camera) -> tuple[float, float]:
    """How the face that looks most at the camera slopes away from it."""
    sight = camera.turn @ (camera.place - die.place)
    sight /= np.linalg.norm(sight)
    normals = np.array([face.normal for face in die.shape.faces]) @ camera.turn.T
    normal = normals[np.argmax(normals @ sight)]
    across = normal - (normal @ sight) * sight
    return float(across[0]), float(across[1])


def _covered(label: Label, hand: tuple[float, float, float, float]) -> bool:
    x, y = label.bbox[0] + label.bbox[2] / 2, label.bbox[1] + label.bbox[3] / 2
    return hand[0] < x < hand[0] + hand[2] and hand[1] < y < hand[1] + hand[3]
