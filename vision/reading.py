"""What a reading of the tray is made of."""

from typing import NamedTuple

import msgspec


class Box(NamedTuple):
    """A rectangle in pixels of the frame, from its upper left corner."""

    x: float
    y: float
    w: float
    h: float

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle, across and down."""
        return self.x + self.w / 2, self.y + self.h / 2


class Die(msgspec.Struct, frozen=True, kw_only=True):
    """One thing found in the tray.

    `die` names the kind and `face` the upper face; either is None where it can't be told. `confidence` is
    the calibrated chance (0 to 1) that kind, colour and face are all right. `sure` says that no person needs
    to be asked. A `foreign` one belongs to no kind that was asked for. A `cocked` one seems to have no face
    up; its `face` is what it would most likely show if it lay flat.
    """

    die: str | None
    colour: str | None = None
    face: str | None
    confidence: float
    bbox: Box
    sure: bool
    foreign: bool = False
    cocked: bool = False


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """Everything seen in one frame, from top to bottom, and whether to trust it.

    `sure` holds when each die that is not foreign is sure, their counts are as expected, and no hand is in
    view. `hand` is said by who watches the tray over time: in a single picture a hand can't be told from a
    table of the same colour.
    `ms` is the processor time of the thread that read it, in milliseconds, without that of OpenCV's own.
    """

    dice: tuple[Die, ...]
    sure: bool
    ms: float
    hand: bool = False

    @property
    def doubtful(self) -> tuple[Die, ...]:
        """The dice that a person has to be asked about."""
        return tuple(die for die in self.dice if not die.sure and not die.foreign)
