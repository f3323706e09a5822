"""The shapes of dice as convex solids, resting on a table (z up) with a face on top where they have one."""

from __future__ import annotations

import functools
import itertools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

_GOLDEN = (1 + math.sqrt(5)) / 2


class Face(NamedTuple):
    """One flat face: corners in order, centre, outward normal, and where up is for what is printed on it."""

    corners: Points
    centre: Points
    normal: Points
    up: Points
    radius: float  # of the largest circle about the centre


class Solid(NamedTuple):
    """A die without its marks: about as wide as one unit, centred on the origin, face 0 on top."""

    vertices: Points
    faces: tuple[Face, ...]
    inner: float  # radius of the largest ball within


@functools.cache
def solid(name: str) -> Solid:
    """The shape of a d4, d6, d8, d10, d12 or d20."""
    vertices = _VERTICES[name]()
    vertices = vertices / np.linalg.norm(vertices, axis=1).max() * _WIDTHS[name]
    planes = _faces(vertices)
    top = planes[0].normal
    turned = vertices @ _turn_onto_z(top).T
    faces = sorted(_faces(turned), key=lambda face: -face.normal[2])
    return Solid(turned, tuple(faces), min(float(face.centre @ face.normal) for face in faces))


def about(axis: Points, angle: float) -> Points:
    """The 3 x 3 rotation by an angle in radians about an axis (Rodrigues' formula)."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * (cross @ cross))


def turned(shape: Solid, rotation: Points) -> Solid:
    """The same solid, turned about its centre."""
    faces = tuple(
        Face(f.corners @ rotation.T, rotation @ f.centre, rotation @ f.normal, rotation @ f.up, f.radius)
        for f in shape.faces
    )
    return Solid(shape.vertices @ rotation.T, faces, shape.inner)


def scaled(shape: Solid, by: float) -> Solid:
    """The same solid, so many times as large."""
    faces = tuple(
        f._replace(corners=f.corners * by, centre=f.centre * by, radius=f.radius * by) for f in shape.faces
    )
    return Solid(shape.vertices * by, faces, shape.inner * by)


def flipped(shape: Solid) -> Solid:
    """The same solid with what is printed on its faces upside down."""
    return shape._replace(faces=tuple(f._replace(up=-f.up) for f in shape.faces))


def _turn_onto_z(normal: Points) -> Points:
    z = np.array([0.0, 0.0, 1.0])
    axis = np.cross(normal, z)
    if np.linalg.norm(axis) < 1e-9:
        return np.eye(3) if normal[2] > 0 else np.diag([1.0, -1.0, -1.0])
    return about(axis, math.acos(float(np.clip(normal @ z, -1, 1))))


def _faces(vertices: Points) -> list[Face]:
    """Each supporting plane of the vertices; there are few enough to try every three."""
    found: dict[tuple[int, ...], Face] = {}
    for a, b, c in itertools.combinations(range(len(vertices)), 3):
        normal = np.cross(vertices[b] - vertices[a], vertices[c] - vertices[a])
        length = float(np.linalg.norm(normal))
        if length < 1e-9:
            continue
        normal = normal / length
        if normal @ vertices[a] < 0:
            normal = -normal
        heights = vertices @ normal
        if heights.max() > normal @ vertices[a] + 1e-6:
            continue
        on_plane = tuple(int(i) for i in np.flatnonzero(heights > heights.max() - 1e-6))
        if on_plane not in found:
            found[on_plane] = _face(vertices[list(on_plane)], normal)
    return list(found.values())


def _face(corners: Points, normal: Points) -> Face:
    centre = corners.mean(axis=0)
    farthest = corners[np.argmax(np.linalg.norm(corners - centre, axis=1))]
    up = (farthest - centre) / np.linalg.norm(farthest - centre)
    right = np.cross(up, normal)
    angles = np.arctan2((corners - centre) @ up, (corners - centre) @ right)
    corners = corners[np.argsort(angles)]
    edges = np.roll(corners, -1, axis=0) - corners
    distances = np.linalg.norm(np.cross(edges, centre - corners), axis=1) / np.linalg.norm(edges, axis=1)
    if (
        len(corners) == 4 and np.ptp(np.linalg.norm(corners - centre, axis=1)) < 1e-6
    ):  # a square: up to a side
        up = corners[0] + corners[1] - 2 * centre
        up = up / np.linalg.norm(up)
    return Face(corners, centre, normal, up, float(distances.min()))


def _cube() -> Points:
    return np.array(list(itertools.product((-1.0, 1.0), repeat=3)))


def _octahedron() -> Points:
    return np.concatenate([np.eye(3), -np.eye(3)])


def _tetrahedron() -> Points:
    return np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])


def _icosahedron() -> Points:
    pairs = list(itertools.product((-1.0, 1.0), (-_GOLDEN, _GOLDEN)))
    return np.array([np.roll([0.0, a, b], shift) for shift in range(3) for a, b in pairs])


def _dodecahedron() -> Points:
    pairs = list(itertools.product((-1 / _GOLDEN, 1 / _GOLDEN), (-_GOLDEN, _GOLDEN)))
    return np.concatenate([_cube(), [np.roll([0.0, a, b], shift) for shift in range(3) for a, b in pairs]])


def _trapezohedron(apex: float = 1.05) -> Points:
    """A d10: ten kites. They are flat when the zigzag's height is this share of the apex's."""
    fifth = math.radians(36)
    zigzag = apex * (1 - math.cos(fifth)) / (1 + math.cos(fifth))
    ring = [[math.cos(k * fifth), math.sin(k * fifth), zigzag if k % 2 else -zigzag] for k in range(10)]
    return np.array([*ring, [0.0, 0.0, apex], [0.0, 0.0, -apex]])


_VERTICES = {
    "d4": _tetrahedron,
    "d6": _cube,
    "d8": _octahedron,
    "d10": _trapezohedron,
    "d12": _dodecahedron,
    "d20": _icosahedron,
}
# Half the greatest diameter, in sides of a d6 of the same set.
_WIDTHS = {"d4": 0.75, "d6": math.sqrt(3) / 2, "d8": 0.72, "d10": 0.68, "d12": 0.66, "d20": 0.7}
