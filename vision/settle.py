"""Settling: tells a tray in motion from one at rest, a hand from dice, and one throw from the next.

All by differences between small grey pictures, one of them scaled by how the light has changed: a lamp that
flickers, a cloud or who walks by moves no die.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from vision.camera import Frame
    from vision.frames import Frame as Image
    from vision.reading import Box

    Miniature: TypeAlias = NDArray[np.float32]

WIDTH = 320
"""Pixels of the small pictures: a die of 40 pixels in 1280 still covers a hundred of them."""

MOVED = 12.0
"""Grey levels by which a smoothed pixel differs when something moved there: five sigma of a dim sensor."""

TREMBLE = 0.5
"""Small pixels by which what lies still may seem to move: a table, a camera's arm and a hand tremble."""

SWAY = 2.0
"""Small pixels by which the whole picture may sway: one on a thin arm does if the table is touched."""

INNER = np.s_[3:-3, 3:-3]
"""What of a picture that has swayed was in view before too."""

DARKEST = 8.0
"""Grey levels added where brightness is compared: in the dark, noise is most of a pixel."""

CELLS = 8
"""Parts of a picture, each way, whose brightness is told: bands of a flickering lamp are no narrower."""

SMALLEST = 8
"""Small pixels that make a movement: less than the corner of the smallest die."""

HAND = 0.02
"""The share of the picture from which on a change that reaches the picture's edge is a hand."""

BUMPED = 0.5
"""The share of the picture that differs when it was the camera that moved."""

REST = 0.4
"""Seconds without movement after which dice lie still: a die that balances on an edge falls within it."""

PAUSE = 0.1
"""Seconds without movement, in however many pictures, after which dice are seen to be out of the tray."""

VOTES = 3
"""Pictures of the tray at rest that are read."""

GAP = 1.0
"""Seconds between two pictures in which anything may have happened."""

SHADOW = 1.0
"""Of a die's side: so far about a die that is taken out a picture may differ."""

EDGE = 8
"""Small pixels along the edge of a picture, over which a finger reaches in that covers but a die."""

LIGHT = 1.25
"""How many times as bright or dark a picture is taken for the same tray in which a die is missing."""

HAND_LEAVES = 3.0
"""Seconds after which what lies still over the edge is read over, and all dice are asked about."""


class State(StrEnum):
    """What the tray is doing."""

    MOVING = "moving"
    HAND = "hand"
    RESTING = "resting"


@dataclass(frozen=True, slots=True)
class View:
    """The tray as it is now.

    `still` holds the newest pictures of a tray at rest, `VOTES` of them, and is empty at any other time;
    `since` is when it came to rest, as far as that was seen.
    `thrown` says that the tray has moved since the last scene was accepted, and looks different from it.
    `hand` says that something new reaches in, also when it has lain still for so long that it is read over.
    `paused` holds `VOTES` pictures, once nothing has moved for `PAUSE` seconds and no hand reaches in, when
    it is too soon to call that rest.
    """

    state: State
    still: tuple[Frame, ...] = ()
    thrown: bool = False
    since: float = 0.0
    hand: bool = False
    paused: tuple[Frame, ...] = ()


class Settler:
    """Follows the tray, picture by picture.

    Give it each frame; a throw is there when a view has `thrown` and `still`. `accept` then says that this
    scene has been dealt with, so that nothing is read twice.
    """

    def __init__(self) -> None:
        self._still: deque[Frame] = deque(maxlen=VOTES)
        self._anchor: Miniature | None = None
        self._since = 0.0
        self._last = 0.0
        self._odd: tuple[Miniature, float] | None = None  # the last picture, if it may only be damaged
        self._shape: tuple[int, ...] = ()
        self._now: Miniature | None = None
        self._accepted: Miniature | None = None
        self._clear: Miniature | None = None  # the scene accepted last that had no hand in it
        self._has_moved = self._has_paused = False

    def see(self, frame: Frame) -> View:
        """What the tray is doing, with this frame."""
        small = miniature(frame.image)
        goes_on = self._shape == frame.image.shape and frame.taken - self._last <= GAP
        self._last, self._shape = frame.taken, frame.image.shape
        odd, self._odd = self._odd, None
        if not goes_on or self._anchor is None:
            self._start_over(small, frame.taken)
        elif not _lies_still(self._anchor, small):
            may_be_damaged = len(self._still) == VOTES
            self._still.clear()
            if may_be_damaged:
                self._odd = small, frame.taken
                return View(State.MOVING)
            self._start_over(small, odd[1] if odd and _lies_still(odd[0], small) else frame.taken)
        self._now = small
        self._still.append(frame)
        calm = frame.taken - self._since
        if len(self._still) < VOTES or calm < REST:
            is_pause = len(self._still) == VOTES and calm >= PAUSE and not self._has_paused
            self._has_paused = self._has_paused or is_pause
            paused = tuple(self._still) if is_pause and not self._is_hand(small) else ()
            return View(State.MOVING, since=self._since, paused=paused)
        hand = self._has_moved and self._is_hand(small)
        if hand and calm < HAND_LEAVES:
            return View(State.HAND, hand=True)
        if self._accepted is None:
            self.accept()
        thrown = self._has_moved and self._differs(small)
        return View(State.RESTING, tuple(self._still), thrown, self._since, hand)

    def accept(self) -> None:
        """The scene in view has been dealt with: only another one is a throw."""
        if self._now is not None and not self._is_hand(self._now):
            self._clear = self._now
        self._accepted = self._now
        self._has_moved = False

    def _start_over(self, small: Miniature, taken: float) -> None:
        self._has_moved, self._has_paused = True, False
        self._anchor, self._since = small, taken
        self._still.clear()

    def _differs(self, small: Miniature) -> bool:
        if self._accepted is None or self._accepted.shape != small.shape:
            return True
        return _is_changed(self._accepted, small)

    def _is_hand(self, small: Miniature) -> bool:
        """Whether something reaches in that was not there before, with a hand in view or without."""
        return all(
            scene is not None and scene.shape == small.shape and _reaches_in(scene, small)
            for scene in (self._accepted, self._clear)
        )


def is_same_scene(before: Image, after: Image) -> bool:
    """Whether nothing has moved between two pictures, whatever the light does."""
    return before.shape == after.shape and not _is_changed(miniature(before), miniature(after))


def are_bare(places: Sequence[Box], before: Image, after: Image, dice: Sequence[Box]) -> Sequence[bool]:
    """Of each of these places of dice, whether two pictures show that the die was taken out between them.

    They differ there then, but no farther from the `dice` of both than shadows fall. Where they don't differ,
    the die was only not found.
    """
    return [differs and not farther for differs, farther in _differences(places, before, after, dice)]


def are_uncovered(places: Sequence[Box], before: Image, after: Image, dice: Sequence[Box]) -> Sequence[bool]:
    """Of each of these places of dice, whether what differs there may be something that lay on them before.

    What covers a die reaches farther from the `dice` of both than shadows fall, or in over the edge.
    """
    return [differs and farther for differs, farther in _differences(places, before, after, dice)]


def differ_only_at(dice: Sequence[Box], before: Image, after: Image) -> bool:
    """Whether two pictures differ, but nowhere farther from these dice than shadows fall.

    Light that is another in a part of the picture differs too: a hand may be hardly brighter than the tray.
    """
    if before.shape != after.shape:
        return False
    old, new = _smoothed(before), _smoothed(after)
    light = np.median((miniature(after) + DARKEST) / (miniature(before) + DARKEST))
    changes = (np.abs(new - np.minimum(old * light, 255)) > MOVED).any(axis=2)
    beyond = changes.copy()
    for box in dice:
        within = _within(box, changes.shape[1] / before.shape[1], -EDGE, SHADOW)
        beyond[EDGE:-EDGE, EDGE:-EDGE][within] = False
    return bool(np.count_nonzero(changes) >= SMALLEST > np.count_nonzero(beyond))


def _differences(
    places: Sequence[Box], before: Image, after: Image, dice: Sequence[Box]
) -> Sequence[tuple[bool, bool]]:
    """Of each place, whether two pictures differ there, and whether that reaches farther about the dice."""
    if before.shape != after.shape:
        return [(False, False)] * len(places)
    old, new = _smoothed(before), _smoothed(after)
    light = np.clip(_light(miniature(before), miniature(after), steady=True), 1 / LIGHT, LIGHT)[..., None]
    changes = (np.abs(new - np.minimum(old * light, 255)) > MOVED).any(axis=2)
    scale = changes.shape[1] / before.shape[1]
    _, labels = cv2.connectedComponents(changes.astype(np.uint8))
    beyond = labels.copy()
    for box in dice:
        beyond[1:-1, 1:-1][_within(box, scale, -1, SHADOW)] = 0
    covered = np.setdiff1d(beyond, [0])
    found = [labels[_within(place, scale)] for place in places]
    return [(bool(np.count_nonzero(here) >= SMALLEST), bool(np.isin(here, covered).any())) for here in found]


def _within(box: Box, scale: float, shift: int = 0, wider: float = 0.0) -> tuple[slice, slice]:
    """Where a small picture, a `shift` of pixels from its corner, shows a box that is so many sides wider."""
    more = wider * max(box.w, box.h)

    def along(start: float, length: float) -> slice:
        edges = (start - more, start + length + more)
        return slice(*(max(0, round(edge * scale) + shift) for edge in edges))

    return along(box.y, box.h), along(box.x, box.w)


def are_held(dice: Sequence[Box], earlier: Sequence[Miniature], now: Image) -> bool:
    """Whether one of these dice lies in a hand that reaches in now, and in none of the earlier miniatures."""
    after = miniature(now)
    scenes = [before for before in earlier if before.shape == after.shape]
    return bool(dice and scenes) and all(
        _reaches_in(before, after, dice, WIDTH / now.shape[1]) for before in scenes
    )


def _reaches_in(
    before: Miniature,
    after: Miniature,
    dice: Sequence[Box] | None = None,
    scale: float = 1.0,
) -> bool:
    """Whether something large and new reaches over the edge into the inner half, where it hides dice.

    With `dice`, whether it reaches one of them; it is large then without them and their shadows.
    """
    changes = _changes(before, after)
    if not 0 < changes.mean() <= BUMPED:
        return False
    closed = cv2.morphologyEx(changes.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    _, labels = cv2.connectedComponents(closed)
    edge = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    inner = [_middle(labels)] if dice is None else [labels[_within(die, scale)] for die in dice]
    reaching = np.setdiff1d(np.intersect1d(edge, np.concatenate([part.ravel() for part in inner])), [0])
    for die in dice or ():
        labels[_within(die, scale, wider=SHADOW)] = 0
    return any(np.count_nonzero(labels == one) > HAND * after.size for one in reaching)


def _middle(picture: NDArray[np.generic]) -> NDArray[np.generic]:
    """The inner half of a picture, each way."""
    height, width = picture.shape
    return picture[height // 4 : -(height // 4), width // 4 : -(width // 4)]


def miniature(image: Image) -> Miniature:
    """The small grey picture that is compared."""
    return _smoothed(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))


def _smoothed(image: cv2.typing.MatLike) -> NDArray[np.float32]:
    height, width = image.shape[:2]
    size = (WIDTH, max(1, round(height * WIDTH / width)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return cv2.GaussianBlur(small, (5, 5), 0).astype(np.float32)


def _is_changed(before: Miniature, after: Miniature, room: cv2.typing.MatLike | float = 0.0) -> bool:
    """Whether something moved: light comes and goes smoothly across a picture, and what moves has edges."""
    return bool(np.count_nonzero(_unlike(before, after, _light(before, after), room)) >= SMALLEST)


def _lies_still(before: Miniature, after: Miniature) -> bool:
    """Whether nothing moved but, all as one, what a camera shows that trembles or sways."""
    if not _is_changed(before, after, _room(before, after)):
        return True
    swayed = _swayed(before, after)
    if swayed is None:
        return False
    swayed, after = swayed[INNER], after[INNER]
    return not _is_changed(swayed, after, _room(swayed, after))


def _swayed(before: Miniature, after: Miniature) -> Miniature | None:
    """The first picture, moved as a whole so that it looks most like the other; None if that is too far."""
    by, moved = np.zeros(2), before
    for _ in range(2):
        slopes = [cv2.Sobel(moved, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1))]
        apart = moved * _light(moved, after) - after
        x, y, z = (each[INNER].ravel() for each in (*slopes, apart))
        by += np.linalg.solve([[x @ x + 1, x @ y], [x @ y, y @ y + 1]], [x @ z, y @ z])
        if np.abs(by).max() > SWAY:
            return None
        shift, size, at_edges = np.column_stack([np.eye(2), by]), before.shape[::-1], cv2.BORDER_REPLICATE
        moved = np.asarray(cv2.warpAffine(before, shift, size, borderMode=at_edges), np.float32)
    return moved


def _room(before: Miniature, after: Miniature) -> cv2.typing.MatLike:
    """Grey levels by which each pixel may differ that only trembles: the more, the steeper both are there."""
    square = np.ones((3, 3), np.uint8)
    slopes = (cv2.morphologyEx(one, cv2.MORPH_GRADIENT, square) for one in (before, after))
    return TREMBLE / 2 * np.minimum(*slopes)


def _light(before: Miniature, after: Miniature, *, steady: bool = False) -> cv2.typing.MatLike:
    """How many times as bright each part of the picture is; `steady`, whatever small comes or goes there."""
    ratio = (after + DARKEST) / (before + DARKEST)
    coarse = cv2.resize(ratio, (CELLS, CELLS), interpolation=cv2.INTER_AREA)
    coarse = cv2.medianBlur(coarse, 3) if steady else coarse
    return cv2.resize(coarse, ratio.shape[::-1], interpolation=cv2.INTER_LINEAR)


def _changes(before: Miniature, after: Miniature) -> NDArray[np.bool_]:
    return _unlike(before, after, np.median((after + DARKEST) / (before + DARKEST)))


def _unlike(
    before: Miniature,
    after: Miniature,
    light: np.float32 | cv2.typing.MatLike,
    room: cv2.typing.MatLike | float = 0.0,
) -> NDArray[np.bool_]:
    return np.asarray(np.abs(after - np.minimum(before * light, 255)) > MOVED + room)
