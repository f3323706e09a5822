"""The tray in the picture: with the printed mat it is flattened, measured in millimetres and made neutral."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.mat import MARKER, MODULES, Mat, Paper, mat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.frames import Frame

    Corners = dict[int, NDArray[np.float64]]
    """The corners (4, 2) of markers by their numbers, clockwise from a marker's own upper left one."""

LARGEST_ERROR = 2.0
"""Millimetres by which markers may miss their places: a mat that is bent or misread misses by more."""

MARKERS = 50  # of the dictionary; numbers from there on are those of mirrored ones
FEWEST_MARKERS = 2
ENOUGH_MARKERS = 3  # of the four, for a place that can be trusted more than the last one
GAMMA = 2.2
MIDDLE = 0.5
"""The share of a patch's side that is measured: its edges are blurred."""

SAME_PLACE = 1.0
"""Pixels by which noise makes the corners of a field seem to move that lies still."""

CLIPPED, DARK = 250, 8
"""Levels beyond which a patch says nothing of the colour of the light."""

TINGED = 1.3
"""How many times as blue or red as the usual patch one is that something lies on."""

STEP = 20
"""Levels between the darkest and the lightest patch: what covers all of them is of one brightness."""


@dataclass(frozen=True, slots=True, eq=False)
class Tray:
    """The mat as it lies in a picture.

    `to_mm` is the 3x3 homography from pixels to millimetres of the sheet, `gains` what blue, green and red
    have to be multiplied by in linear light so that the grey patches are grey, None where those can't be made
    out, `markers` how many were seen. `mirrored` says that the camera shows all as in a mirror; the field is
    seen as it is all the same.
    """

    mat: Mat
    to_mm: NDArray[np.float64]
    gains: tuple[float, float, float] | None
    markers: int
    mirrored: bool = False

    def pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Points of the sheet (n, 2), in millimetres, as pixels of the picture."""
        return _through(points, _inverse(self.to_mm))

    def outline(self) -> NDArray[np.float64]:
        """The corners of the field where the dice lie, in pixels, clockwise from its upper left one."""
        return self.pixels(_field_corners(self.mat))

    def scale(self) -> float:
        """Pixels to a millimetre, at the sharpest edge of the field."""
        corners = self.outline()
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        _, _, w, h = self.mat.field
        return float(np.max(sides / (w, h, w, h)))

    def field(self, image: Frame) -> Frame:
        """The field seen from straight above, in neutral colour, at the picture's own resolution.

        Where most of it lies beyond the picture, close to the camera, that would be without bounds.
        """
        x, y, w, h = self.mat.field
        scale = min(self.scale(), math.hypot(*image.shape[:2]) / h)
        to_field = np.array([[scale, 0, -x * scale], [0, scale, -y * scale], [0, 0, 1]]) @ self.to_mm
        flat = cv2.warpPerspective(image, to_field, (round(w * scale), round(h * scale)))
        return self.neutral(np.asarray(flat, dtype=np.uint8))

    def neutral(self, image: Frame) -> Frame:
        """The picture as under white light; as it is where the colour of the light can't be told."""
        if self.gains is None:
            return image
        levels = (np.arange(256) / 255) ** GAMMA
        curves = [(np.clip(levels * gain, 0, 1) ** (1 / GAMMA) * 255).round() for gain in self.gains]
        table = np.stack(curves, axis=-1).astype(np.uint8)[np.newaxis]
        return np.asarray(cv2.LUT(image, table), dtype=np.uint8)


class TrayView:
    """Pictures of one tray as they are to be read: with the mat in view its field alone, flat and neutral.

    The mat is taken to lie where it lay last while dice or a hand hide too much of it, and the light to be as
    it was last while they lie on its grey patches; pictures of another size show it elsewhere.
    """

    def __init__(self) -> None:
        self._mat: Tray | None = None
        self._shape: tuple[int, ...] = ()

    @property
    def sees_mat(self) -> bool:
        """Whether the mat was found, so that places are those of its field."""
        return self._mat is not None

    def fields(self, images: Sequence[Frame]) -> list[Frame]:
        """What to read of pictures of one resting tray; the mat is looked for in the last."""
        if self._shape != images[-1].shape:
            self._mat, self._shape = None, images[-1].shape
        found = find_mat(images[-1])
        if found is not None and (self._mat is None or found.markers >= ENOUGH_MARKERS):
            self._mat = found if self._mat is None else _steady(self._mat, found)
        return [self._mat.field(image) for image in images] if self._mat else list(images)


def _steady(before: Tray, now: Tray) -> Tray:
    """The mat as it is seen now, just where it lay if it has not moved by more than noise makes it seem to.

    Else its field would be another by a pixel from time to time, and could not be compared. The light is what
    it was where it can't be told now.
    """
    now = replace(now, gains=now.gains or before.gains)
    if np.abs(before.outline() - now.outline()).max() > SAME_PLACE:
        return now
    return replace(before, gains=now.gains, markers=now.markers)


def find_mat(image: Frame) -> Tray | None:
    """The printed mat in a picture, or in a mirrored one; None where too little of it can be seen."""
    plain, mirrored = _markers(image)
    return _laid(image, plain) or _laid(image, mirrored, mirrored=True)


def _laid(image: Frame, places: Corners, *, mirrored: bool = False) -> Tray | None:
    """The mat whose markers have these corners; None where they are too few, or contradict each other.

    None too where a part of its field lies behind the camera, and would be seen upside down in the picture.
    """
    sheets = [mat(paper) for paper in Paper]
    sheet = max(sheets, key=lambda sheet: len(sheet.markers.keys() & places.keys()))
    seen = sorted(sheet.markers.keys() & places.keys())
    if len(seen) < FEWEST_MARKERS:
        return None
    pixels = np.concatenate([places[number] for number in seen])
    sought = np.concatenate([_corners(*sheet.markers[number], MARKER) for number in seen])
    to_mm = np.asarray(cv2.findHomography(pixels, sought)[0], dtype=np.float64)
    if to_mm.shape != (3, 3) or np.abs(_through(pixels, to_mm) - sought).max() > LARGEST_ERROR:
        return None
    to_pixels = _inverse(to_mm)
    depths = _field_corners(sheet) @ to_pixels[2, :2] + to_pixels[2, 2]
    if depths.min() < 0 < depths.max():
        return None
    return Tray(sheet, to_mm, _gains(image, sheet, to_pixels), len(seen), mirrored)


def _markers(image: Frame) -> tuple[Corners, Corners]:
    """The markers in view, and those of a mat that are seen as in a mirror."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, numbers, _ = cv2.aruco.ArucoDetector(_dictionary(), settings).detectMarkers(image)
    plain: Corners = {}
    mirrored: Corners = {}
    if not corners:
        return plain, mirrored
    for number, four in zip(map(int, numbers.ravel()), corners, strict=True):
        places = np.asarray(four, dtype=np.float64).reshape(4, 2)
        if number < MARKERS:
            plain[number] = places
        else:
            mirrored[number - MARKERS] = places[[1, 0, 3, 2]]
    return plain, mirrored


@functools.cache
def _dictionary() -> cv2.aruco.Dictionary:
    """The markers by their numbers, and after them those of the mats as in a mirror, in the same order."""
    plain = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    both = cv2.aruco.Dictionary()
    both.markerSize, both.maxCorrectionBits = plain.markerSize, plain.maxCorrectionBits
    inside = slice(1, 1 + plain.markerSize)
    mirrored = []
    for number in range(1 + max(number for paper in Paper for number in mat(paper).markers)):
        modules = cv2.aruco.generateImageMarker(plain, number, MODULES)[inside, inside] // 255
        mirrored.append(cv2.aruco.Dictionary.getByteListFromBits(np.ascontiguousarray(modules[:, ::-1])))
    both.bytesList = np.concatenate([plain.bytesList, *mirrored])
    return both


def _gains(image: Frame, sheet: Mat, to_pixels: NDArray[np.float64]) -> tuple[float, float, float] | None:
    """What makes the grey patches grey, least squares in linear light, with green left as it is.

    A patch that something lies on is left out: it is tinged otherwise than most, or all are about as bright.
    """
    greys = [_level(image, _through(_corners(p.x, p.y, p.w, MIDDLE), to_pixels)) for p in sheet.greys]
    usable = np.array([grey for grey in greys if grey.min() > DARK and grey.max() < CLIPPED]).reshape(-1, 3)
    if not len(usable):
        return None
    linear = (usable / 255) ** GAMMA
    tinge = np.log(linear / linear[:, 1:2])
    alike = (np.abs(tinge - np.median(tinge, axis=0)) < np.log(TINGED)).all(axis=1)
    if len(usable) > 1 and (not alike.any() or np.ptp(usable[alike, 1]) < STEP):
        return None
    linear = linear[alike]
    blue, green, red = ((linear[:, 1] * linear[:, c]).sum() / (linear[:, c] ** 2).sum() for c in range(3))
    return (float(blue), float(green), float(red))


def _level(image: Frame, corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean blue, green and red of what the picture shows within four corners; black if it shows none."""
    inside = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, corners.round().astype(np.int32), 255)
    return np.array(cv2.mean(image, inside)[:3])


def _field_corners(sheet: Mat) -> NDArray[np.float64]:
    x, y, w, h = sheet.field
    return np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])


def _corners(x: float, y: float, side: float, share: float = 1.0) -> NDArray[np.float64]:
    rest = side * (1 - share) / 2
    left, top, right, bottom = x + rest, y + rest, x + side - rest, y + side - rest
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def _inverse(homography: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.inv(homography), dtype=np.float64)


def _through(points: NDArray[np.float64], homography: NDArray[np.float64]) -> NDArray[np.float64]:
    moved = cv2.perspectiveTransform(np.asarray(points, dtype=np.float64).reshape(-1, 1, 2), homography)
    return np.asarray(moved, dtype=np.float64).reshape(-1, 2)
