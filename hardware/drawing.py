"""Rows of text as a picture for a panel: title bar, inverse bar, footer, scroll mark."""

from enum import StrEnum
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

import msgspec

from hardware import font

if TYPE_CHECKING:
    from PIL.Image import Image

ROWS: Final = 8
"""Rows of text on every panel; what differs between panels is the font and the columns."""

MARGIN: Final = 1
"""Blank pixels left of the text, and spare for the shift against burn-in."""


BESIDE_CODE: Final = 10
"""Columns that a QR code leaves to the text of a panel."""


class Style(StrEnum):
    """How a row is drawn."""

    PLAIN = "plain"
    TITLE = "title"
    SELECTED = "selected"
    FOOTER = "footer"


class Row(msgspec.Struct, frozen=True):
    """One row of text; longer text than the panel has columns is refused by `draw`."""

    text: str
    style: Style = Style.PLAIN


class Scroll(msgspec.Struct, frozen=True):
    """Which part of a longer text stands on the screen: rows `first` to `first + shown` of `total`."""

    first: int
    shown: int
    total: int


class Screen(msgspec.Struct, frozen=True):
    """What the panel shows: up to 8 rows, and a scroll mark at the right edge if there is more.

    `code` is a QR code, its modules row by row, 1 where one is dark; rows beside it have BESIDE_CODE columns.
    """

    rows: tuple[Row, ...]
    scroll: Scroll | None = None
    code: tuple[bytes, ...] = ()

    def cut(self, columns: int) -> "Screen":
        """What of it a panel has room for: all, if the layout has no bug."""
        rows = tuple(Row(row.text[:columns], row.style) for row in self.rows[:ROWS])
        return Screen(rows, self.scroll, self.code)


class Grid(msgspec.Struct, frozen=True):
    """How text lies on a panel of one size: its font, columns, and pixels from row to row."""

    font: str
    columns: int
    pitch: int


def grid(size: tuple[int, int]) -> Grid:
    """The text grid of a panel of `size` (width, height) pixels: 21 columns at 128, 42 at 256."""
    width, height = size
    pitch = height // ROWS
    name = "spleen6x12" if pitch >= 12 else "box6x8"
    return Grid(name, (width - MARGIN) // font.load(name).width, pitch)


def draw(screen: Screen, size: tuple[int, int], shift: tuple[int, int] = (0, 0)) -> "Image":
    """The screen as a 1-bit picture of `size`, moved by `shift` pixels against burn-in.

    Raises ValueError if a row doesn't fit: clipped text is a bug in the layout. A display, which must not
    stand still for one, is given a screen that was `cut`.
    """
    from PIL import Image

    layout = grid(size)
    if len(screen.rows) > ROWS:
        raise ValueError(f"{len(screen.rows)} rows on a panel of {ROWS}")
    picture = Image.new("1", size)
    for index, row in enumerate(screen.rows):
        _draw_row(picture, row, index * layout.pitch, layout)
    if screen.code:
        _draw_code(picture, screen.code, layout)
    if shift != (0, 0):
        still = picture
        picture = Image.new("1", size)
        picture.paste(still, shift)
    if screen.scroll is not None:
        _draw_scroll(picture, screen.scroll, layout.pitch)
    return picture


def _draw_row(picture: "Image", row: Row, top: int, layout: Grid) -> None:
    from PIL import ImageChops, ImageDraw

    if len(row.text) > layout.columns:
        raise ValueError(f"row of {len(row.text)} characters on {layout.columns} columns: {row.text!r}")
    face = font.load(layout.font)
    down = top + (layout.pitch - face.height) // 2
    for column, character in enumerate(normalize("NFC", row.text)):  # marks that stand alone have no column
        picture.paste(face.glyph(character), (MARGIN + column * face.width, down))
    bar = (0, top, picture.width, top + layout.pitch)
    if row.style in (Style.TITLE, Style.SELECTED):
        picture.paste(ImageChops.invert(picture.crop(bar)), bar)
    elif row.style is Style.FOOTER:
        # Dots, not a line: a line on the row's free top pixel would read as underlining the row above.
        ImageDraw.Draw(picture).point([(x, top) for x in range(0, picture.width, 4)], fill=1)


def _draw_code(picture: "Image", code: tuple[bytes, ...], layout: Grid) -> None:
    """Dark modules on lit ground, as large as they can be; a lit edge of one module is left around them."""
    from PIL import ImageDraw

    left = MARGIN + BESIDE_CODE * font.load(layout.font).width
    scale = min(picture.width - left, picture.height) // (len(code) + 2)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((left, 0, picture.width, picture.height), fill=1)
    x0 = (left + picture.width - scale * len(code)) // 2
    y0 = (picture.height - scale * len(code)) // 2
    for y, modules in enumerate(code):
        for x, dark in enumerate(modules):
            if dark:
                at = x0 + x * scale, y0 + y * scale
                draw.rectangle((at, (at[0] + scale - 1, at[1] + scale - 1)), fill=0)


def _draw_scroll(picture: "Image", scroll: Scroll, pitch: int) -> None:
    from PIL import ImageDraw

    top, bottom = pitch, (ROWS - 1) * pitch - 1
    length = bottom - top
    start = top + length * scroll.first // max(scroll.total, 1)
    end = top + length * min(scroll.first + scroll.shown, scroll.total) // max(scroll.total, 1)
    edge = picture.width - 1
    draw = ImageDraw.Draw(picture)
    draw.line((edge, top, edge, bottom), fill=0)
    draw.line((edge, start, edge, max(end, start + 2)), fill=1)


def splash(headline: str, lines: tuple[str, ...], size: tuple[int, int]) -> "Image":
    """A picture for start and shutdown: a large headline over lines of small text, cut at the edge."""
    from PIL import Image

    picture = Image.new("1", size)
    large, small = font.load("spleen8x16"), font.load("box6x8")
    _centred(picture, headline[: size[0] // large.width], 6, large)
    for index, line in enumerate(lines):
        _centred(picture, line[: size[0] // small.width], 30 + index * 10, small)
    return picture


def _centred(picture: "Image", text: str, top: int, face: font.Font) -> None:
    left = (picture.width - len(text) * face.width) // 2
    for column, character in enumerate(text):
        picture.paste(face.glyph(character), (left + column * face.width, top))
