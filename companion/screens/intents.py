"""What a player does and what it means."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, TypeAlias

import msgspec


class Button(StrEnum):
    """The box's four buttons, what holding two of them means, and an encoder's turns."""

    UP = "up"
    DOWN = "down"
    OK = "ok"
    BACK = "back"
    WHY = "why"
    MENU = "menu"
    LEFT = "left"
    RIGHT = "right"


STEPS: Final = {Button.UP: -1, Button.LEFT: -1, Button.DOWN: 1, Button.RIGHT: 1}
"""Which way each goes in a list: a turn to the right goes down it, and to more where a value is set."""

MORE: Final = {Button.UP: 1, Button.RIGHT: 1, Button.DOWN: -1, Button.LEFT: -1}
"""Which way each changes a value."""


class Reply(msgspec.Struct, frozen=True):
    """An answer to ask `n`."""

    n: int
    answer: object


class Undo(msgspec.Struct, frozen=True):
    """Back to before the last decision."""


class Redo(msgspec.Struct, frozen=True):
    """Forward again."""


class Override(msgspec.Struct, frozen=True):
    """Set the value at `path` of the state by hand."""

    path: str
    value: object


class Quit(msgspec.Struct, frozen=True):
    """Save and leave; `power_off` if the machine is to go down too."""

    power_off: bool = False


Intent: TypeAlias = Reply | Undo | Redo | Override | Quit
