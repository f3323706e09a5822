"""Placing camera and light: what a picture is worth, as numbers, advice and a small picture of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import msgspec
import numpy as np

from vision.tray import find_mat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from vision.frames import Frame
    from vision.tray import Tray

CLIPPED = 250
"""From this level on in every colour a pixel is washed out."""

BLUR = 9
"""Pixels over which the blur test averages (Crete et al. 2007)."""

TEXTURE = 6.0
"""Grey levels of gradient below which there is nothing in the picture to focus on."""

SHARP, GLARING, DARK, BRIGHT, SMALL = 0.45, 0.01, 0.2, 0.85, 0.25
"""Beyond these the picture is worth a piece of advice."""


class Focus(msgspec.Struct, frozen=True):
    """What a picture is worth.

    `sharpness` is 1 for a picture that blurring changes most and 0 for one that it leaves alone, `glare` the
    share of washed-out pixels, `brightness` the mean level from 0 to 1, `coverage` the share of the picture
    that the mat's field takes up and `pixels_per_mm` its scale; both None without a mat in view. `tray` is
    that mat.
    """

    sharpness: float
    glare: float
    brightness: float
    coverage: float | None
    pixels_per_mm: float | None
    tray: Tray | None = None

    def advice(self) -> Iterator[str]:
        """What to do about it, a line each; nothing if all is well."""
        if self.brightness < DARK:
            yield "too dark: more light, or a lamp nearer to the tray"
        if self.brightness > BRIGHT:
            yield "too bright: less light, or a darker tray"
        if self.glare > GLARING:
            yield "glare: move the lamp aside, or hang paper before it"
        if self.sharpness < SHARP:
            yield "not sharp: turn the lens, or move the camera to where it focuses"
        if self.tray is not None and self.tray.mirrored:
            yield "mirrored: turn that off in the camera; without the mat a 2 would be taken for a 5"
        if self.coverage is None:
            yield "no mat in view (it helps: companion dice mat)"
        elif self.coverage < SMALL:
            yield "the tray is small in the picture: bring the camera nearer"


def measure(image: Frame) -> Focus:
    """What a picture (height x width x 3, BGR) is worth; with the mat in view, its field alone."""
    tray = find_mat(image)
    view = _within(image, tray) if tray else image
    grey = cv2.cvtColor(view, cv2.COLOR_BGR2GRAY)
    return Focus(
        sharpness=sharpness(image),  # the mat's own patches and markers have detail even in an empty tray
        glare=float((view.min(axis=2) >= CLIPPED).mean()),
        brightness=float(np.mean(grey)) / 255,
        coverage=_coverage(image, tray) if tray else None,
        pixels_per_mm=tray.scale() if tray else None,
        tray=tray,
    )


def sharpness(image: Frame) -> float:
    """How much of the picture's detail a blur takes away: 0 (all of it was gone) to 1 (Crete et al. 2007)."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return min(_lost(grey, (BLUR, 1), axis=1), _lost(grey, (1, BLUR), axis=0))


def _lost(grey: NDArray[np.float32], size: tuple[int, int], axis: int) -> float:
    before = np.abs(np.diff(grey, axis=axis))
    after = np.abs(np.diff(cv2.blur(grey, size), axis=axis))
    textured = before > TEXTURE
    if not textured.any():
        return 0.0
    return float(np.maximum(before - after, 0)[textured].sum() / before[textured].sum())


def _within(image: Frame, tray: Tray) -> Frame:
    """The pixels' rectangle round the mat's field."""
    corners = tray.outline()
    height, width = image.shape[:2]
    left, top = np.clip(corners.min(axis=0), 0, (width - 2, height - 2)).astype(int)
    right, bottom = np.maximum(corners.max(axis=0), (left + 1, top + 1)).astype(int)
    return image[top:bottom, left:right]


def _coverage(image: Frame, tray: Tray) -> float:
    height, width = image.shape[:2]
    return float(cv2.contourArea(tray.outline().astype(np.float32)) / (height * width))


def marked(image: Frame, tray: Tray | None) -> Frame:
    """The picture with what is washed out in red, and the field of its mat outlined in green."""
    shown = image.copy()
    shown[image.min(axis=2) >= CLIPPED] = (0, 0, 255)
    if tray:
        corners = tray.outline().round().astype(np.int32)
        cv2.polylines(
            shown, [corners], isClosed=True, color=(0, 255, 0), thickness=max(1, image.shape[1] // 320)
        )
    return shown


def half_blocks(image: Frame, columns: int) -> list[str]:
    """The picture as lines of text for a terminal with true colour, two pixels to a character."""
    height, width = image.shape[:2]
    rows = max(2, round(height * columns / width / 2) * 2)
    small = cv2.resize(image, (columns, rows), interpolation=cv2.INTER_AREA)
    return [_line(small[row], small[row + 1]) for row in range(0, rows, 2)]


def _line(upper: NDArray[np.generic], lower: NDArray[np.generic]) -> str:
    cells = (
        f"\x1b[38;2;{top[2]};{top[1]};{top[0]};48;2;{low[2]};{low[1]};{low[0]}m▀"
        for top, low in zip(upper, lower, strict=True)
    )
    return "".join(cells) + "\x1b[0m"
