"""What is on the faces of dice: pips, numerals and symbols as square pictures of ink (float32, 0 to 1)."""

from __future__ import annotations

import functools
import math
import os
import string
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

Ink = NDArray[np.float32]

SIDE = 96  # pixels a side of a picture of ink; it covers the square about a face's inner circle

_PIPS: dict[int, list[tuple[float, float]]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
_LEAST, _FAINT = 0.3, 0.3  # how far ink is shrunk to fit on a face, and ink that counts for nothing there
_NUMERAL_FONTS = ("DejaVu", "STIXGeneral", "cmb10", "cmss10", "cmr10", "cmtt10")


class Pips(NamedTuple):
    """How one maker's pips look; lengths are shares of half a face."""

    radius: float = 0.16
    spread: float = 0.52  # from the middle to the outer rows
    squeeze: float = 0.9  # of the columns of a 6
    one: float = 1.2  # how much larger the only pip of a 1 is
    hollow: bool = False
    worn: float = 0.0  # how much ink has gone, 0 to 1
    bleeds: float = 0.0  # how far ink runs out, in pixels of the picture of ink


def any_pips(rng: np.random.Generator, reach: float = 1.0) -> Pips:
    """Some maker's pips, in a disc of that radius."""
    spread = rng.uniform(0.33, 0.62)
    radius = min(rng.uniform(0.11, 0.25), 0.37 * spread, 0.25 * reach)
    return Pips(
        radius,
        min(spread, (reach - radius) / math.sqrt(2)),
        rng.uniform(0.8, 1.0),
        rng.uniform(1.2, 1.8) if rng.random() < 0.35 else 1.0,
        bool(rng.random() < 0.06),
        rng.uniform(0.2, 1.0) if rng.random() < 0.12 else 0.0,
        rng.uniform(0.8, 2.2) if rng.random() < 0.12 else 0.0,
    )


def pips(value: int, rng: np.random.Generator, made: Pips | None = None) -> Ink:
    """A face with so many pips."""
    made = made or Pips()
    ink = np.zeros((SIDE, SIDE), np.float32)
    radius = made.radius * (made.one if value == 1 else 1)
    squeeze = made.squeeze if value == 6 else 1.0
    for x, y in _PIPS[value]:
        centre = (_fixed(x * made.spread * squeeze), _fixed(y * made.spread))
        cv2.circle(ink, centre, round(radius * SIDE / 2 * 16), 1.0, -1, cv2.LINE_AA, 4)
        if made.hollow:
            cv2.circle(ink, centre, round(radius * SIDE / 2 * 7), 0.0, -1, cv2.LINE_AA, 4)
    if made.bleeds:
        soft = cv2.GaussianBlur(ink, (0, 0), made.bleeds) * (1 + 0.3 * _cloud(rng))
        ink = np.clip(4 * soft - 0.9, 0, 1).astype(np.float32)
    if made.worn:
        ink = ink * np.clip(1.1 - made.worn * (0.3 + 0.5 * _cloud(rng)), 0.25, 1)
    return np.asarray(ink, np.float32)


def frame(form: str, reach: float, rng: np.random.Generator) -> Ink:
    """What lies below the marks of each face: a "ring", a "border", a "disc" (of that radius), or nothing."""
    ink = np.zeros((SIDE, SIDE), np.float32)
    thick = int(rng.integers(1, 5))
    if form == "border":
        inset = round((1 - reach) * SIDE / 2)
        cv2.rectangle(ink, (inset, inset), (SIDE - 1 - inset, SIDE - 1 - inset), 1.0, thick, cv2.LINE_AA)
    elif form:
        middle = (_fixed(0), _fixed(0))
        filled = -1 if form == "disc" else thick
        cv2.circle(ink, middle, round(reach * SIDE / 2 * 16), 1.0, filled, cv2.LINE_AA, 4)
    return ink


def thickened(ink: Ink, by: int) -> Ink:
    """Bolder marks, by so many pixels of the picture of ink."""
    return np.asarray(
        cv2.dilate(ink, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * by + 1,) * 2)), np.float32
    )


def within(ink: Ink, outline: NDArray[np.float64]) -> Ink:
    """The ink, shrunk about the middle until all of it lies in an outline (n x 2, as shares of the side)."""
    beyond = np.ones((SIDE, SIDE), np.uint8)
    cv2.fillConvexPoly(beyond, np.round(outline * SIDE * 16).astype(np.int32), 0, cv2.LINE_8, 4)
    fitted, scale = ink, 1.0
    while scale > _LEAST and fitted[beyond > 0].max(initial=0.0) > _FAINT:
        scale *= 0.93
        onto = np.array([[scale, 0, (1 - scale) * SIDE / 2], [0, scale, (1 - scale) * SIDE / 2]])
        fitted = np.asarray(cv2.warpAffine(ink, onto, (SIDE, SIDE)), np.float32)
    return fitted


def numeral(
    text: str,
    rng: np.random.Generator,
    *,
    font: str | None,
    mark: str,
    size: tuple[float, float],
    bold: int = 0,
) -> Ink:
    """A numeral, bolder by so many pixels; `mark` (a "_", a "." or nothing) tells a 6 from a 9, clear of it.

    `font` is a file, or None for one of OpenCV's own stroke fonts.
    """
    drawn = _glyphs(text, font) if font else _strokes(text, rng)
    ink = thickened(_fitted(drawn, rng.uniform(*size)), bold)
    rows, columns = np.flatnonzero(ink.max(axis=1) > 0.2), np.flatnonzero(ink.max(axis=0) > 0.2)
    gap, thick = int(rng.integers(3, 8)), int(rng.integers(3, 8))
    if mark == "_":
        half = rng.uniform(0.4, 0.75) * (columns[-1] - columns[0])
        top = min(SIDE - 8, rows[-1] + gap)
        ink[top : top + thick, round(SIDE / 2 - half) : round(SIDE / 2 + half)] = 1
    elif mark == ".":
        spot = (min(SIDE - 6, columns[-1] + gap + thick // 2), rows[-1] - thick // 2)
        cv2.circle(ink, spot, 2 + thick // 2, 1.0, -1, cv2.LINE_AA)
    return np.roll(ink, -(gap + thick) // 2, axis=0) if mark == "_" else ink


def symbol(identity: int, fonts: tuple[str, ...]) -> Ink:
    """The symbol of that number, always the same; some are pairs of another one."""
    rng = np.random.default_rng(identity)
    if identity % 5 == 4:  # one soldier and two soldiers must be told apart
        return pair(symbol(identity - 1, fonts))
    if identity % 5 == 3 or not fonts:
        return _figure(rng)
    characters = _SYMBOLS + string.ascii_uppercase.replace("O", "")
    return character(characters[int(rng.integers(len(characters)))], fonts[identity % len(fonts)], 0.8)


@functools.cache
def font_files(names: tuple[str, ...] = _NUMERAL_FONTS) -> tuple[str, ...]:
    """The fonts of this machine whose names begin so, and all in the folder that $DICE_FONTS names."""
    more = Path(os.environ.get("DICE_FONTS", "/nonexistent"))
    files = {file.name: file for folder in _font_folders() for file in sorted(folder.rglob("*.ttf"))}
    found = [file for name, file in sorted(files.items()) if name.startswith(names) and _plain(name)]
    return tuple(
        map(str, found + (sorted(more.rglob("*latin-[0-9]*.woff2")) if names == _NUMERAL_FONTS else []))
    )


def _plain(name: str) -> bool:
    return not any(word in name for word in ("Math", "Light", "Display"))


def _font_folders() -> list[Path]:
    folders = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts")]
    try:
        import matplotlib as mpl
    except ModuleNotFoundError:
        return folders
    return [*folders, Path(mpl.get_data_path()) / "fonts"]


_SYMBOLS = "★☆☀☁☂☎☘☠☢☣☥☭☮☯☸♔♕♖♗♘♙♚♛♜♝♞♟♠♣♥♦⚒⚓⚔⚖⚙⚛⚜⚡⚽✂✈✉✌✎✓✖✚✝✠✦✪✯✱✴✶✸✹✺✻✼✽✿❀❁❂❄❅❆❉❖❤➔➘➤➨➳➴➵➸➽"


def _cloud(rng: np.random.Generator) -> Ink:
    coarse = rng.standard_normal((12, 12), np.float32)
    return np.asarray(cv2.resize(coarse, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR), np.float32)


def _fixed(offset: float) -> int:
    return round((0.5 + offset / 2) * SIDE * 16)


def character(text: str, font: str, size: float) -> Ink:
    """A character of a font file, its longer side so much of the picture."""
    return _fitted(_glyphs(text, font), size)


def _strokes(text: str, rng: np.random.Generator) -> Ink:
    canvas = np.zeros((160, 280), np.uint8)
    faces = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX)
    face = faces[int(rng.integers(len(faces)))]
    cv2.putText(canvas, text, (20, 120), face, 3.0, 255, int(rng.integers(6, 16)), cv2.LINE_AA)
    return np.asarray(canvas / 255, np.float32)


@functools.lru_cache(maxsize=2048)
def _glyphs(text: str, font: str) -> Ink:
    from PIL import Image, ImageDraw, ImageFont

    canvas = Image.new("L", (100 + 80 * len(text), 200))
    ImageDraw.Draw(canvas).text((50, 30), text, 255, ImageFont.truetype(font, 110))
    return np.asarray(np.asarray(canvas) / 255, np.float32)


def _fitted(drawn: Ink, size: float) -> Ink:
    """The drawing's ink, scaled so that its longer side is `size` of the picture, in the middle."""
    rows, columns = np.flatnonzero(drawn.max(axis=1) > 0.1), np.flatnonzero(drawn.max(axis=0) > 0.1)
    ink = np.zeros((SIDE, SIDE), np.float32)
    if not len(rows) or not len(columns):
        return ink
    cropped = drawn[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = size * SIDE / max(cropped.shape)
    width, height = max(2, round(cropped.shape[1] * scale)), max(2, round(cropped.shape[0] * scale))
    top, left = (SIDE - height) // 2, (SIDE - width) // 2
    ink[top : top + height, left : left + width] = cv2.resize(
        cropped, (width, height), interpolation=cv2.INTER_AREA
    )
    return ink


def pair(ink: Ink) -> Ink:
    half = cv2.resize(ink, (SIDE // 2, SIDE // 2), interpolation=cv2.INTER_AREA)
    both = np.zeros_like(ink)
    both[SIDE // 4 : SIDE // 4 + SIDE // 2] = np.hstack([half, half])
    return both


def _figure(rng: np.random.Generator) -> Ink:
    """A made-up figure: a few bars, discs and wedges, half of them mirrored about the middle."""
    ink = np.zeros((SIDE, SIDE), np.float32)
    for _ in range(int(rng.integers(2, 6))):
        level = 0.0 if rng.random() < 0.25 else 1.0
        points = rng.uniform(0.12, 0.88, (int(rng.integers(3, 6)), 2)) * SIDE
        form = rng.integers(3)
        if form == 0:
            cv2.circle(
                ink, tuple(int(v) for v in points[0]), int(rng.integers(7, 24)), level, -1, cv2.LINE_AA
            )
        elif form == 1:
            line = [points[:3].astype(np.int32)]
            cv2.polylines(ink, line, bool(rng.random() < 0.3), level, int(rng.integers(6, 14)), cv2.LINE_AA)
        else:
            cv2.fillConvexPoly(ink, cv2.convexHull(points.astype(np.int32)), level, cv2.LINE_AA)
    return np.maximum(ink, ink[:, ::-1]) if rng.random() < 0.6 else ink
