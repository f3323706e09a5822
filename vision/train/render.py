"""Draws one die into a picture: a rounded solid with marked faces under one lamp, before one camera."""

from __future__ import annotations

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


class Drawn(NamedTuple):
    """Where a die landed in the picture: its outline, its upper face, and how much that face glares."""

    outline: NDArray[np.int32]
    top: NDArray[np.int32]
    glare: float


class Placed(NamedTuple):
    """A die as it lies: turned, its centre at a place, one ink a face, made in a certain way."""

    shape: Solid
    place: Points
    inks: list[Ink]
    look: Look


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
    lit = _lit(die, patch, sun, rng) + glare[..., None]
    if die.look.blur > 0.3:
        lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), die.look.blur), np.float32)
    alpha = np.zeros(patch.size[::-1], np.float32)
    cv2.fillPoly(alpha, [_fixed(outline - patch.origin)], 1.0, cv2.LINE_AA, 4)
    under = picture[y0:y1, x0:x1]
    mixed = under * (1 - alpha[..., None]) + 255 * np.clip(lit, 0, 1) * alpha[..., None]
    under[:] = mixed.astype(np.uint8)
    top = patch.pixels(_corners(die, die.shape.faces[0]))
    mask = np.zeros(patch.size[::-1], np.uint8)
    cv2.fillPoly(mask, [_fixed(top)], 1, cv2.LINE_8, 4)
    washed = float(glare[mask > 0].mean()) if mask.any() else 0.0
    return Drawn(np.round(outline).astype(np.int32), np.round(top + patch.origin).astype(np.int32), washed)


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


def _lit(die: Placed, patch: _Patch, sun: Points, rng: np.random.Generator) -> NDArray[np.float32]:
    """The die's body and ink under the lamp: n x m x 3, 0 to 1."""
    visible = [
        (face, ink)
        for face, ink in zip(die.shape.faces, die.inks, strict=True)
        if _facing(face, die.place, patch.camera) > _EDGE_ON
    ]
    albedo = _body(patch.size, die.look, rng)
    for face, ink in visible:
        cover = (_printed(face, ink, die.place, patch) * die.look.cover)[..., None]
        albedo = albedo * (1 - cover) + np.array(die.look.ink, np.float32) * cover
    shade = _shading(die, [face for face, _ in visible], patch, sun)
    return np.asarray(albedo * shade[..., None], np.float32)


def _facing(face: Face, place: Points, camera: Camera) -> float:
    away = camera.place - place - face.centre
    return float(face.normal @ away / np.linalg.norm(away))


def _shading(die: Placed, faces: list[Face], patch: _Patch, sun: Points) -> Ink:
    """Light on the die: each face by its slope, edges between them by a blur as wide as their rounding."""
    levels = [0.45 + 0.6 * max(0.0, float(face.normal @ sun)) for face in faces]
    shade = np.full(patch.size[::-1], float(np.mean(levels)) if levels else 0.5, np.float32)
    for face, level in zip(faces, levels, strict=True):
        cv2.fillPoly(shade, [_fixed(patch.pixels(_corners(die, face)))], level, cv2.LINE_AA, 4)
    sigma = 0.08 * die.look.rounding * (max(patch.size) - 2 * _AIR)
    return np.asarray(cv2.GaussianBlur(shade, (0, 0), max(0.5, sigma)), np.float32)


def _body(size: tuple[int, int], look: Look, rng: np.random.Generator) -> NDArray[np.float32]:
    body, vein = np.array(look.body, np.float32), np.array(look.vein, np.float32)
    if not look.swirl:
        return np.full((size[1], size[0], 3), body, np.float32)
    cells = rng.integers(2, 12, 2)
    noise = cv2.resize(rng.normal(size=cells).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
    share = np.clip(0.5 + noise * rng.uniform(0.3, 2.5), 0, 1)[..., None] * look.swirl
    return np.asarray(body * (1 - share) + vein * share, np.float32)


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
