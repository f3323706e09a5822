"""A report as PDF, set by matplotlib, so that neither a browser nor a typesetter is needed."""

from __future__ import annotations

import re
import textwrap
import warnings
from collections.abc import Iterator
from io import BytesIO

from companion.engine.errors import pip
from companion.logbook import markdown, plots
from companion.logbook.report import Report

PAPER = (8.27, 11.69)
"""A4, in inches."""
ROWS, COLUMNS = 68, 92
_TOP, _LEFT = 0.95, 0.09
FONT = "monospace"

_ESCAPED = re.compile(r"\\(.)")


def of_report(report: Report) -> tuple[bytes, str]:
    """The report as a file: its text, then its plots; boards as text.

    And the characters that the font lacks, each once: boxes stand in their places.
    """
    try:
        from matplotlib.backends.backend_pdf import PdfPages
        from matplotlib.figure import Figure
    except ImportError as error:
        raise plots.NoPlots(f"PDF needs matplotlib: {pip('install', 'companion[plots]')}") from error
    lines = list(_lines(report))
    lacking = _lacking("".join(text for text, _ in lines))
    whole = BytesIO()
    with warnings.catch_warnings(), PdfPages(whole, metadata={"Title": report.title}) as pages:
        warnings.filterwarnings("ignore", "Glyph .* missing from ")  # said in a line instead
        for start in range(0, len(lines), ROWS):
            page = Figure(figsize=PAPER)
            for row, (text, bold) in enumerate(lines[start : start + ROWS]):
                height = _TOP - row * 0.9 / ROWS
                weight = "bold" if bold else "normal"
                page.text(_LEFT, height, text, family=FONT, size=8, weight=weight, parse_math=False)
            pages.savefig(page)
        if report.series:
            pages.savefig(plots.figures(report.series))
        if report.dice:
            pages.savefig(plots.dice(report.dice))
    return whole.getvalue(), lacking


def _lacking(text: str) -> str:
    """The characters of a text that the font of the pages has no picture of, each once."""
    from matplotlib.font_manager import findfont, get_font

    drawn = get_font(findfont(FONT)).get_charmap()
    return "".join(char for char in dict.fromkeys(text) if char.isprintable() and ord(char) not in drawn)


def _lines(report: Report) -> Iterator[tuple[str, bool]]:
    """The Markdown's words without its marks, wrapped; headings are bold."""
    for line in markdown.of_report(report).splitlines():
        if line.startswith(("```", "| ---")):
            continue
        bold = line.startswith("#")
        text = line.lstrip("# ") if bold else line
        for left, right in (("*", "*"), ("| ", " |")):
            if line.startswith(left) and line.endswith(right):
                text = line.removeprefix(left).removesuffix(right)
        for part in textwrap.wrap(_ESCAPED.sub(r"\1", text), COLUMNS) or [""]:
            yield part, bold
