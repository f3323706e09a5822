"""A report as PDF, set by fpdf2 in matplotlib's letters: neither a browser nor a typesetter is needed."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, cast
from unicodedata import bidirectional

import msgspec

from companion.engine.errors import pip
from companion.logbook import plots
from companion.logbook.html import drawings
from companion.logbook.report import Plate, Report
from companion.wording import plain

if TYPE_CHECKING:
    from fpdf import FPDF
    from matplotlib.figure import Figure
    from PIL.Image import Image

FONTS = {("sans", ""): "DejaVuSans", ("sans", "B"): "DejaVuSans-Bold", ("mono", ""): "DejaVuSansMono"}
TEXT, SMALL, HEADINGS = 9, 8, (16, 12, 9)
"""Points; those of headings by their depth."""

MARGIN, LINE, ROW, GAP = 18.0, 4.6, 3.8, 2.5
"""Millimetres; a row is one of a board."""

KEPT = 30.0
"""Millimetres that have to be left on a page below a heading."""

MOST_LINES = 40
"""Lines of a table's row, which has to fit on a page; the rest goes on in the next."""

RIGHT = ("R", "AL")
"""Kinds of letters that are read from the right, in Unicode's words."""

INK, GREY = 30, 100
"""Shades of 255."""

DPI = 200


def of_report(report: Report) -> tuple[bytes, str]:
    """The report as a file, in the order of the HTML page; boards as text.

    And the characters that do not stand there as they are written, each once: for those that the font lacks
    there are boxes, and what is read from right to left stands from left to right.
    """
    sheets = _sheets(report.title)
    _heading(sheets, 0, report.title)
    _paragraph(sheets, report.lead)
    _paragraph(sheets, report.caveat, GREY)
    _table(sheets, (1, 4), report.facts)
    _listed(sheets, "Notes", report.notes)
    _listed(sheets, "What weighed most", report.swings)
    for _, figure in drawings(report):
        _plot(sheets, figure)
    if report.chapters:
        _heading(sheets, 1, "Turn by turn")
    for chapter in report.chapters:
        _heading(sheets, 2, chapter.title)
        _paragraph(sheets, chapter.text)
        _paragraph(sheets, chapter.figures, GREY)
    if report.losses:
        _heading(sheets, 1, "Losses")
        head = ("Figure", "At first", "At last", "Lowest", "Lost in all")
        _table(sheets, (3, 1, 1, 1, 1), map(msgspec.structs.astuple, report.losses), head)
    _listed(sheets, "By hand and taken back", report.by_hand)
    if report.dice:
        _heading(sheets, 1, "Dice")
        rows = [(row.name, row.source, row.total, row.told) for row in report.dice]
        _table(sheets, (2, 2, 1, 7), rows, ("Die", "Source", "Rolled", "Faces"))
    if report.photos:
        _heading(sheets, 1, "Dice that were asked about")
        _table(sheets, (1, 5), [(_picture(photo.data), photo.caption) for photo in report.photos])
    if report.plates:
        _heading(sheets, 1, "The table")
    for plate in report.plates:
        _board(sheets, plate)
    return bytes(sheets.output()), "".join(dict.fromkeys(_marred(sheets)))


def _sheets(title: str) -> FPDF:
    try:
        from fpdf import FPDF
        from matplotlib import get_data_path
    except ImportError as error:
        raise plots.NoPlots(
            f"PDF needs fpdf2 and matplotlib: {pip('install', 'companion[plots]')}"
        ) from error

    class Sheets(FPDF):
        """Pages with their numbers at the foot."""

        def normalize_text(self, text: str) -> str:
            return super().normalize_text(plain(text).replace("\t", " "))  # no font has a tab

        def footer(self) -> None:
            self.set_y(-MARGIN + GAP)
            self.set_font("sans", "", SMALL)
            self.set_text_color(GREY)
            self.cell(0, LINE, f"{self.page_no()} / {{nb}}", align="R")

    logging.getLogger("fpdf").setLevel(logging.ERROR)  # what a font lacks is said in a line of ours
    sheets = Sheets(format="A4")
    for (family, style), name in FONTS.items():
        sheets.add_font(family, style, Path(get_data_path(), "fonts", "ttf", f"{name}.ttf"))
    sheets.set_title(title)
    sheets.set_draw_color(GREY)
    sheets.set_line_width(0.1)
    sheets.set_margins(MARGIN, MARGIN)
    sheets.set_auto_page_break(True, MARGIN)
    sheets.add_page()
    return sheets


def _heading(sheets: FPDF, depth: int, text: str) -> None:
    if sheets.will_page_break(KEPT):
        sheets.add_page()
    sheets.ln(GAP)
    sheets.start_section(text, depth)
    _written(sheets, "B", HEADINGS[depth], INK, text)


def _paragraph(sheets: FPDF, text: str, shade: int = INK) -> None:
    if text:
        _written(sheets, "", TEXT if shade == INK else SMALL, shade, text)
        sheets.ln(GAP)


def _written(sheets: FPDF, style: str, size: float, shade: int, text: str) -> None:
    sheets.set_font("sans", style, size)
    sheets.set_text_color(shade)
    sheets.multi_cell(0, max(LINE, size * 0.5), text, align="L", new_x="LMARGIN", new_y="NEXT")


def _listed(sheets: FPDF, title: str, lines: Sequence[str]) -> None:
    if lines:
        _heading(sheets, 1, title)
        for line in lines:
            _written(sheets, "", TEXT, INK, f"\N{BULLET} {line}")
        sheets.ln(GAP)


def _table(
    sheets: FPDF, widths: tuple[int, ...], rows: Iterable[Sequence[object]], head: Sequence[str] = ()
) -> None:
    """Rows of texts, or of pictures."""
    from fpdf.fonts import FontFace
    from PIL.Image import Image

    sheets.set_font("sans", "", SMALL)
    sheets.set_text_color(INK)
    with sheets.table(
        col_widths=widths,
        line_height=LINE,
        text_align="L",
        borders_layout="HORIZONTAL_LINES",
        headings_style=FontFace(emphasis="B"),
        first_row_as_headings=bool(head),
    ) as table:
        parts = (part for row in rows for part in _parts(sheets, row, widths))
        for row in filter(None, (head, *parts)):
            cells = table.row()
            for cell in row:
                if isinstance(cell, Image):
                    cells.cell(img=cell)
                else:
                    cells.cell(str(cell))
    sheets.ln(GAP)


def _parts(sheets: FPDF, row: Sequence[object], widths: Sequence[int]) -> Iterator[tuple[object, ...]]:
    """A row as several, where one would be higher than a page."""
    columns: list[list[object]] = []
    for cell, share in zip(row, widths, strict=True):
        lines = _lines(sheets, cell, sheets.epw * share / sum(widths)) if isinstance(cell, str) else []
        cut = range(0, len(lines), MOST_LINES)
        is_long = len(cut) > 1
        columns.append(["\n".join(lines[at : at + MOST_LINES]) for at in cut] if is_long else [cell])
    yield from zip_longest(*columns, fillvalue="")


def _lines(sheets: FPDF, text: str, width: float) -> list[str]:
    found = sheets.multi_cell(width, text=text, align="L", dry_run=True, output="LINES")
    assert isinstance(found, list)
    return found


def _picture(data: bytes) -> Image | str:
    """A PNG whole, or that it is none."""
    from PIL import Image

    try:
        with Image.open(BytesIO(data), formats=("PNG",)) as picture:
            return picture.convert("RGB")
    except (OSError, ValueError, Image.DecompressionBombError):
        return "no picture"


def _plot(sheets: FPDF, figure: Figure) -> None:
    """A plot in its own size, or as high as a page."""
    picture = BytesIO()
    figure.savefig(picture, format="png", dpi=DPI)
    width, height = figure.get_size_inches() * 25.4
    sheets.image(picture, w=width * min(1, (sheets.eph - LINE) / height))
    sheets.ln(GAP)


def _board(sheets: FPDF, plate: Plate) -> None:
    """A board's text in two columns side by side; one below the other where they are higher than a page."""
    columns: tuple[list[str], list[str]] = ([], [])
    for panel in plate.picture.board.panels:
        shorter = min(columns, key=len)
        shorter += [panel.title.upper(), *(f"  {line}" for line in panel.lines), ""]
    height = ROW * max(map(len, columns))
    is_high = height > sheets.eph - KEPT
    if not is_high and sheets.will_page_break(height + KEPT):
        sheets.add_page()
    _heading(sheets, 2, plate.caption)
    _written(sheets, "", SMALL, GREY, plate.picture.board.title)
    sheets.set_font("mono", "", SMALL)
    sheets.set_text_color(INK)
    top = sheets.get_y() + GAP
    bottom = top + height
    for at, lines in enumerate(filter(None, columns)):
        if not is_high:
            sheets.set_xy(MARGIN + at * sheets.epw / 2, top)
        sheets.multi_cell(sheets.epw / 2, ROW, "\n".join(lines), align="L", new_x="LEFT", new_y="NEXT")
        bottom = max(bottom, sheets.get_y())
    if not is_high:
        sheets.set_xy(MARGIN, bottom)


def _marred(sheets: FPDF) -> Iterator[str]:
    """The characters of the texts that the font has no picture of, or that would be read from the right."""
    from fpdf.fonts import TTFFont

    for font in sheets.fonts.values():
        if isinstance(font, TTFFont):
            yield from (char for char in map(chr, font.missing_glyphs) if char.isprintable())
            drawn = (cast("tuple[int, ...]", glyph.unicode) for glyph, _ in font.subset.items() if glyph)
            yield from (chr(code) for codes in drawn for code in codes if bidirectional(chr(code)) in RIGHT)
