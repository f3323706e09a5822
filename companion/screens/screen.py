"""A screen: rows of text for a display of so many columns and rows."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from unicodedata import east_asian_width

import msgspec

from companion.wording import BOUND, grouped

COLUMNS = 21
ROWS = 8


class Style(StrEnum):
    """How a row is drawn; a bar is inverse over the full width."""

    TEXT = "text"
    OPTION = "option"
    BAR = "bar"


class Row(msgspec.Struct, frozen=True):
    """One line, never wider than the display."""

    text: str
    style: Style = Style.TEXT


class WayIn(msgspec.Struct, frozen=True):
    """How a phone gets to the page: in lines for a small screen, and the link that a QR code is made of.

    Both are empty where there is no page, the link also where no phone can find it.
    """

    lines: tuple[str, ...] = ()
    link: str = ""


class Screen(msgspec.Struct, frozen=True):
    """What a display shows: a title, rows below it, and whether there is more above or below.

    A `link` is shown as a QR code where there are pixels for it.
    """

    title: str
    rows: tuple[Row, ...]
    above: bool = False
    below: bool = False
    foot: str = ""
    link: str = ""

    @property
    def marks(self) -> str:
        """What tells in the title's last two columns that there is more, for displays of text alone."""
        return ("^" if self.above else " ") + ("v" if self.below else " ")

    def lines(self) -> list[str]:
        """Title, rows and foot as text."""
        return [self.title, *(row.text for row in self.rows), *([self.foot] if self.foot else [])]


_NUMBERED = re.compile(r"(?<=[a-z]) (?=([A-Z]|\d\d?)([,.;:)]|$))(?<!\S{13} )", re.MULTILINE)
"""Between a name that a row has room for and what tells it from others like it, as in `Rifleman A`."""


@lru_cache(maxsize=512)  # at each press of a button all that is asked is laid out again
def wrapped(text: str, columns: int, *, further_in: bool = False) -> tuple[str, ...]:
    """Lines of at most `columns`, broken between words (a longer word is broken inside).

    A letter or number stays beside the name that it ends, and dice of a colour together. What goes on below
    may stand `further_in`.
    """
    lines: list[str] = []
    text = grouped(_NUMBERED.sub(BOUND, text))
    for paragraph in text.splitlines() or [""]:
        below = " " * (len(paragraph) - len(paragraph.lstrip()) + 1) if further_in else ""
        parts = textwrap.wrap(paragraph, columns, subsequent_indent=below, break_on_hyphens=False)
        lines += narrowed(parts or [""], columns)
    return tuple(line.replace(BOUND, " ") for line in lines)


def narrowed(lines: Sequence[str], columns: int) -> list[str]:
    """The same lines, broken again where letters of two columns, as Chinese has, make one too wide."""
    parts: list[str] = []
    for line in lines:
        if width(line) <= columns:
            parts.append(line)
            continue
        parts.append("")
        for letter in line:
            if width(parts[-1] + letter) > columns:
                parts.append("")
            parts[-1] += letter
    return parts


def width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():  # most are, and every row is measured at each turn
        return len(text)
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def headline(title: str, columns: int, turn: int = 0) -> str:
    """As many of a title's last parts, `place, lap 2, turn 5`, as fit: what changes stands at its end.

    A last part that is too long by itself goes by in pieces.
    """
    parts = title.split(", ")
    fitting = (", ".join(parts[at:]) for at in range(len(parts)))
    return next((text for text in fitting if width(text) <= columns), in_turn(parts[-1], columns, turn))


def in_turn(text: str, columns: int, turn: int) -> str:
    """A text for one row: whole if it fits, else its parts one after the other, `~` where more follows."""
    if width(text) <= columns:
        return text
    parts = wrapped(" ".join(text.split()), columns - 1)
    at = turn % len(parts)
    return parts[at] + ("~" if at < len(parts) - 1 else "")
