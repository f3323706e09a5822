"""Draws one die into a picture: a rounded solid with marked faces under one lamp, before one camera."""

from __future__ import annotations

import math
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.marks import SIDE, Ink
from vision.train.solids import Face, Points, Solid

Picture = NDArray[np.uint8]
Colour = tuple[float, float, float]  # BGR, 0 to 1

_CIRCLE = np.stack([np.cos(np.arange(16) * np.pi / 8), np.sin(np.arange(16) * np.pi / 8)], axis=1)
_AIR = 6  # pixels round a die's patch
_ARCS = 0.6  # share of the lamps' images on dice with round faces that follow a rim; of others a fourth
_EDGE_ON = 0.04  # cosine below which a face shows nothing that could be read


class Camera(NamedTuple):
    """A pinhole camera: where it is (in die sides), its turn (world to camera), focal length and centre."""

    place: Points
    turn: Points
    focal: float
    centre: tuple[float, float]

    def project(self, points: Points) -> tuple[Points, Points]:
        """World points (n x 3) as pixels (n x 2), and their depths (n)."""
        seen = (points - self.place) @ self.turn.T
        return seen[:, :2] / seen[:, 2:] * self.focal + np.array(self.centre), seen[:, 2]


class Look(NamedTuple):
    """How a die is made: body colours and their swirl (0 to 1), ink, rounding and shine."""

    body: Colour
    vein: Colour
    swirl: float
    ink: Colour
    cover: float  # of the ink, 0 to 1
    rounding: float  # of the edges, as a share of the inner radius
    shine: float
    blur: float  # pixels
    relief: float = 0.0  # how deep marks are cut, 0 for printed ones to 1
    metal: float = 0.0  # how unevenly the ink throws light back, 0 to 1
    clear: float = 0.0  # how far light goes through the body, 0 to 1
    glass: float = 0.0  # how much of the table is seen through it, 0 to 1
    glitter: float = 0.0  # 0 to 1
    streak: Colour | None = None  # a third colour in a swirled body
    plate: Colour = (0.5, 0.5, 0.5)  # of what lies below the marks
    sparks: int = 0  # small images of lamps on edges and faces
    dome: float | None = None  # how wide flat faces are on a die that bulges between them, and
    rim: float = 0.0  # how much lighter it is there
    second: Colour | None = None  # another ink, for some faces
    gleam: float = 0.0  # how brightly a lamp is mirrored along the edges of marks


class Drawn(NamedTuple):
    """Where a die landed in the picture: its outline, its upper face, and how much that face glares.

    `marks` is that face's ink in the part of the picture whose upper left pixel is `corner`.
    """

    outline: NDArray[np.int32]
    top: NDArray[np.int32]
    glare: float
    marks: Ink
    corner: tuple[int, int]


class Placed(NamedTuple):
    """A die as it lies: turned, its centre at a place, one ink a face, made in a certain way."""

    shape: Solid
    place: Points
    inks: list[Ink]
    look: Look
    unders: list[Ink] | None = None  # what lies below the marks of each face
    second: frozenset[int] = frozenset()  # faces in the second ink


class _Patch(NamedTuple):
    """The part of the picture that a die covers: upper left corner, width and height, and who looks."""

    origin: Points
    size: tuple[int, int]
    camera: Camera

    def pixels(self, points: Points) -> Points:
        return self.camera.project(points)[0] - self.origin


def draw(
    picture: Picture, die: Placed, camera: Camera, sun: Points, rng: np.random.Generator
) -> Drawn | None:
    """Draw a die; None when it is out of sight."""
    outline = silhouette(die.shape, die.place, die.look.rounding, camera)
    height, width = picture.shape[:2]
    x0, y0 = np.maximum(outline.min(axis=0) - _AIR, 0).astype(int)
    x1, y1 = np.minimum(outline.max(axis=0) + _AIR, (width, height)).astype(int)
    if x1 - x0 < 4 or y1 - y0 < 4:
        return None
    patch = _Patch(np.array([x0, y0], np.float64), (int(x1 - x0), int(y1 - y0)), camera)
    glare = _glare(patch.size, die.look, rng)
    under = picture[y0:y1, x0:x1]
    lit = _lit(die, patch, under, sun, rng) + glare[..., None]
    if die.look.blur > 0.3:
        lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), die.look.blur), np.float32)
    alpha = np.zeros(patch.size[::-1], np.float32)
    cv2.fillPoly(alpha, [_fixed(outline - patch.origin)], 1.0, cv2.LINE_AA, 4)
    mixed = under * (1 - alpha[..., None]) + 255 * np.clip(lit, 0, 1) * alpha[..., None]
    under[:] = mixed.astype(np.uint8)
    top = patch.pixels(_corners(die, die.shape.faces[0]))
    mask = np.zeros(patch.size[::-1], np.uint8)
    cv2.fillPoly(mask, [_fixed(top)], 1, cv2.LINE_8, 4)
    washed = float(glare[mask > 0].mean()) if mask.any() else 0.0
    return Drawn(
        np.round(outline).astype(np.int32),
        np.round(top + patch.origin).astype(np.int32),
        washed,
        _printed(die.shape.faces[0], die.inks[0], die.place, patch),
        (int(x0), int(y0)),
    )


def silhouette(die: Solid, place: Points, rounding: float, camera: Camera) -> Points:
    """The outline of a rounded die in pixels: a ball rolled round the solid that is left within."""
    ball = rounding * die.inner
    pixels, depths = camera.project(die.vertices * (1 - rounding) + place)
    rings = pixels[:, None] + _CIRCLE[None] * (camera.focal * ball / depths)[:, None, None]
    hull = cv2.convexHull(rings.reshape(-1, 2).astype(np.float32))
    return np.asarray(hull.reshape(-1, 2), np.float64)


def _corners(die: Placed, face: Face) -> Points:
    rounding = die.look.rounding
    return face.corners * (1 - rounding) + face.normal * rounding * die.shape.inner + die.place


def _fixed(points: Points) -> NDArray[np.int32]:
    return np.round(points * 16).astype(np.int32)


def _lit(
    die: Placed, patch: _Patch, under: Picture, sun: Points, rng: np.random.Generator
) -> NDArray[np.float32]:
    """The die's body and ink under the lamp, on what the patch shows without it: n x m x 3, 0 to 1."""
    look, size = die.look, patch.size
    facing = [_facing(face, die.place, patch.camera) for face in die.shape.faces]
    visible = [face for face, cosine in zip(die.shape.faces, facing, strict=True) if cosine > _EDGE_ON]
    albedo = _body(size, look, rng)
    light = _shading(die, visible, patch, sun)
    if look.glass:
        albedo = _inked(albedo, _through(under, look, rng), np.full_like(light, look.glass))
        light = light + (1 - light) * 0.9 * look.glass + 0.6 * look.glass * _edges(die, patch, rng)
    if look.clear:
        far = _marks(die, die.inks, [cosine < -_EDGE_ON for cosine in facing], patch)
        far = np.asarray(cv2.GaussianBlur(far, (0, 0), 0.03 * max(size)), np.float32)
        albedo = _inked(albedo, look.ink, far * 0.28 * look.clear)
        light = light * (0.85 + 0.45 * look.clear * _glow(size))
    shown = [cosine > _EDGE_ON for cosine in facing]
    if die.unders is not None:
        albedo = _inked(albedo, look.plate, _marks(die, die.unders, shown, patch))
    printed = _marks(die, die.inks, shown, patch)
    ink = np.array(look.ink, np.float32)
    if look.metal:
        ink = ink * np.clip(1 + look.metal * 0.5 * _veins(size, rng, rng.uniform(3, 9)), 0.2, 1.6)[..., None]
    albedo = _inked(albedo, ink, printed * look.cover)
    if look.second is not None and die.second:
        odd = [show and number in die.second for number, show in enumerate(shown)]
        albedo = _inked(albedo, look.second, _marks(die, die.inks, odd, patch) * look.cover)
    lit = albedo * light[..., None]
    if look.relief:
        lit = lit + (albedo + 0.15) * (look.relief * _rims(printed, patch, sun))[..., None]
    if look.gleam:
        lit = lit + look.gleam * _gleams(printed, rng)[..., None]
    if look.sparks:
        lit = lit + _sparks(die, visible, patch, rng)[..., None]
    return np.asarray(lit, np.float32)


def _through(under: Picture, look: Look, rng: np.random.Generator) -> NDArray[np.float32]:
    """The table as it is seen through a clear body, which shifts it and takes some of its light."""
    height, width = under.shape[:2]
    by = rng.uniform(0.7, 1.1)
    shift = (1 - by) / 2 * np.array([width, height]) + rng.normal(0, 0.05, 2) * width
    onto = np.array([[by, 0, shift[0]], [0, by, shift[1]]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpAffine(under, onto, (width, height), flags=flags, borderMode=cv2.BORDER_REFLECT)
    seen = cv2.GaussianBlur(seen, (0, 0), max(0.3, rng.uniform(0, 0.04) * width)).astype(np.float32) / 255
    return seen * rng.uniform(0.6, 1.1) * (0.4 + 0.6 * np.array(look.body, np.float32))


def _edges(die: Placed, patch: _Patch, rng: np.random.Generator) -> Ink:
    """A clear body's edges, also those behind it: thin lines, brighter than it or darker (-1 to 1)."""
    lines = np.zeros(patch.size[::-1], np.float32)
    thin = max(1, round(max(patch.size) * rng.uniform(0.005, 0.03)))
    for face in die.shape.faces:
        level = float(rng.uniform(-1, 1))
        cv2.polylines(lines, [_fixed(patch.pixels(_corners(die, face)))], True, level, thin, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(lines, (0, 0), max(0.4, 0.5 * thin)), np.float32)


def _marks(die: Placed, inks: list[Ink], shown: list[bool], patch: _Patch) -> Ink:
    """These inks, one a face, on those of the die's faces."""
    marks = np.zeros(patch.size[::-1], np.float32)
    for face, ink, show in zip(die.shape.faces, inks, shown, strict=True):
        if show:
            np.maximum(marks, _printed(face, ink, die.place, patch), out=marks)
    return marks


def _inked(
    albedo: NDArray[np.float32], ink: Colour | NDArray[np.float32], cover: NDArray[np.floating]
) -> NDArray[np.float32]:
    ink = np.asarray(ink, np.float32)
    return np.asarray(albedo + (ink - albedo) * cover[..., None], np.float32)


def _rims(marks: Ink, patch: _Patch, sun: Points) -> Ink:
    """What the walls of hollow marks add to the light: dark beside the lamp, bright on the far side."""
    toward = (patch.camera.turn @ sun)[:2]
    x, y = toward / max(1e-6, float(np.linalg.norm(toward))) * max(0.5, 0.012 * max(patch.size))
    onto, back = (np.array([[1, 0, way * x], [0, 1, way * y]]) for way in (1, -1))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(marks, onto, patch.size, flags=flags)
        - cv2.warpAffine(marks, back, patch.size, flags=flags),
        np.float32,
    )


def _gleams(marks: Ink, rng: np.random.Generator) -> Ink:
    """A ring of lamps mirrored about hollow marks: bright lines along parts of their outlines, or beyond."""
    wide = max(marks.shape)
    beyond, thick = (round(wide * rng.uniform(0, most)) for most in (0.05, 0.03))
    grown, thin = (
        cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)) for size in (2 * beyond + 1, thick + 2)
    )
    outlines = cv2.morphologyEx(cv2.dilate(marks, grown), cv2.MORPH_GRADIENT, thin)
    some = np.clip(0.6 + _veins(marks.shape[::-1], rng, rng.uniform(2, 8)), 0, 1)
    return np.asarray(cv2.GaussianBlur(outlines * some, (0, 0), max(0.4, 0.01 * wide)), np.float32)


def _sparks(die: Placed, faces: list[Face], patch: _Patch, rng: np.random.Generator) -> Ink:
    """Small soft blobs of light along edges and at corners; on faces only where no pip is as bright.

    Some, most of those on dice with round faces, are arcs along a face's rim.
    """
    dark = max(die.look.ink) < 0.5
    light = np.zeros(patch.size[::-1], np.float32)
    width = max(patch.size) - 2 * _AIR
    for _ in range(die.look.sparks if faces else 0):
        face = faces[int(rng.integers(len(faces)))]
        if rng.random() < (_ARCS / 4 if die.look.dome is None else _ARCS):
            wide = die.look.dome or rng.uniform(0.7, 1)
            rim = np.roll(patch.pixels(_disc(die, face, wide)), rng.integers(len(_CIRCLE)), axis=0)
            arc = _fixed(rim[: int(len(rim) * rng.uniform(0.1, 0.8))])
            thin = max(1, round(width * rng.uniform(0.01, 0.04)))
            cv2.polylines(light, [arc], False, rng.uniform(0.2, 1.0), thin, cv2.LINE_AA, 4)
            continue
        corners = patch.pixels(_corners(die, face))
        first = int(rng.integers(len(corners)))
        start, end = corners[first], corners[first - 1]
        if dark and rng.random() < 0.4:
            start = start + (corners.mean(axis=0) - start) * rng.uniform(0, 1)
        end = start + (end - start) * rng.uniform(0, 0.25)
        thick = max(1, round(width * rng.uniform(0.02, 0.08)))
        (x0, y0), (x1, y1) = _fixed(start).tolist(), _fixed(end).tolist()
        cv2.line(light, (x0, y0), (x1, y1), rng.uniform(0.2, 0.9), thick, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(light, (0, 0), max(0.4, 0.016 * width)), np.float32)


def _glow(size: tuple[int, int]) -> Ink:
    """1 in the middle, less towards the edges."""
    across, down = (np.exp(-(np.linspace(-1.3, 1.3, n, dtype=np.float32) ** 2)) for n in size)
    return np.asarray(down[:, None] * across[None], np.float32)


def _facing(face: Face, place: Points, camera: Camera) -> float:
    away = camera.place - place - face.centre
    return float(face.normal @ away / np.linalg.norm(away))


def _shading(die: Placed, faces: list[Face], patch: _Patch, sun: Points) -> Ink:
    """Light on the die: each face by its slope, edges between them by a blur as wide as their rounding."""
    levels = [0.45 + 0.6 * max(0.0, float(face.normal @ sun)) for face in faces]
    look = die.look
    shade = np.full(patch.size[::-1], float(np.mean(levels)) if levels else 0.5, np.float32)
    if look.dome is not None:
        shade = _bulging(die, patch, sun)
    for face, level in zip(faces, levels, strict=True):
        flat = _corners(die, face) if look.dome is None else _disc(die, face, look.dome)
        cv2.fillPoly(shade, [_fixed(patch.pixels(flat))], level, cv2.LINE_AA, 4)
    sigma = (0.08 if look.dome is None else 0.02) * look.rounding * (max(patch.size) - 2 * _AIR)
    return np.asarray(cv2.GaussianBlur(shade, (0, 0), max(0.5, sigma)), np.float32)


def _bulging(die: Placed, patch: _Patch, sun: Points) -> Ink:
    """Light on a ball as large as the die."""
    (middle,), (depth,) = patch.camera.project(die.place[None])
    x0, y0 = middle - patch.origin
    radius = 1.5 * die.shape.inner * patch.camera.focal / depth
    x, y = ((np.arange(n, dtype=np.float32) - c) / radius for n, c in zip(patch.size, (x0, y0), strict=True))
    across, down = x[None], y[:, None]
    toward = np.sqrt(np.maximum(0.05, 1 - across**2 - down**2))
    sx, sy, sz = patch.camera.turn @ sun
    light = 0.45 + 0.6 * np.maximum(0, across * sx + down * sy - toward * sz) + die.look.rim
    return np.asarray(light, np.float32)


def _disc(die: Placed, face: Face, wide: float) -> Points:
    """The rim of a round flat face, so wide as a share of what would fit."""
    right = np.cross(face.up, face.normal)
    ring = wide * face.radius * (_CIRCLE[:, :1] * right + _CIRCLE[:, 1:] * face.up)
    return np.asarray(face.centre + die.place + ring)


def _body(size: tuple[int, int], look: Look, rng: np.random.Generator) -> NDArray[np.float32]:
    plain = np.full((size[1], size[0], 3), look.body, np.float32)
    if look.glitter:
        specks = _veins(size, rng, rng.uniform(15, 40))
        plain = _inked(plain, (0.9, 0.95, 1.0), np.clip(specks - 1.3, 0, 1) * look.glitter)
    if not look.swirl:
        return plain
    noise = _veins(size, rng, math.exp(rng.uniform(math.log(1.5), math.log(14))))
    share = np.clip(0.5 + noise * rng.uniform(0.3, 2.5), 0, 1) * look.swirl
    mixed = _inked(plain, look.vein, share)
    if look.streak is not None:
        thin = np.clip(1.2 - 3 * np.abs(_veins(size, rng, rng.uniform(2, 8))), 0, 1)
        mixed = _inked(mixed, look.streak, thin * look.swirl)
    return mixed


def _veins(size: tuple[int, int], rng: np.random.Generator, cells: float) -> NDArray[np.float32]:
    """Smooth noise, that many cells across, turned and often stretched."""
    coarse = rng.standard_normal((16, 16), np.float32)
    angle, step = rng.uniform(0, math.pi), cells / max(size)
    long = step / (rng.uniform(1.5, 6) if rng.random() < 0.4 else 1.0)
    cos, sin = math.cos(angle), math.sin(angle)
    onto = np.array([[cos * step, sin * step, rng.uniform(0, 16)], [-sin * long, cos * long, 0.0]])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    veins = cv2.warpAffine(coarse, onto, size, flags=flags, borderMode=cv2.BORDER_WRAP)
    return np.asarray(veins, np.float32)


def _printed(face: Face, ink: Ink, place: Points, patch: _Patch) -> Ink:
    right = np.cross(face.up, face.normal)
    square = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]], np.float64) * face.radius
    corners = face.centre + place + square[:, :1] * right + square[:, 1:] * face.up
    pixels = patch.pixels(corners).astype(np.float32)
    source = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32) - 0.5
    shrink = SIDE / max(1.0, float(np.linalg.norm(pixels[1] - pixels[0])))
    if shrink > 2:  # keep thin strokes when a face is small in the picture
        ink = np.asarray(cv2.GaussianBlur(ink, (0, 0), 0.4 * shrink), np.float32)
    onto = cv2.getPerspectiveTransform(source, pixels)
    return np.asarray(cv2.warpPerspective(ink, onto, patch.size, flags=cv2.INTER_LINEAR), np.float32)


def _glare(size: tuple[int, int], look: Look, rng: np.random.Generator) -> Ink:
    if look.shine <= 0:
        return np.zeros(size[::-1], np.float32)
    width, height = size
    x = (np.arange(width, dtype=np.float32) - rng.uniform(0.2, 0.8) * width) / (rng.uniform(0.1, 0.5) * width)
    y = (np.arange(height, dtype=np.float32) - rng.uniform(0.2, 0.8) * height) / (
        rng.uniform(0.1, 0.5) * height
    )
    spot = np.exp(-(y[:, None] ** 2) - x[None] ** 2)
    if rng.random() < 0.4:  # a lamp mirrored in the rim of a hollow face
        arc = np.sqrt(y[:, None] ** 2 + x[None] ** 2)
        spot = np.exp(-(((arc - 1) / rng.uniform(0.08, 0.3)) ** 2)) * (
            x[None] + y[:, None] * rng.normal() > 0
        )
    return np.asarray(look.shine * spot, np.float32)
