"""Plots for reports and statistics (matplotlib, without any window; imported only when one is drawn)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import pairwise
from textwrap import shorten
from typing import TYPE_CHECKING

from companion.engine.errors import CompanionError, pip
from companion.logbook.report import DiceRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

INK, RED, GRID = "#1f4e79", "#a4262c", "#c8c8c8"
MOST_FIGURES = 6
WIDTH, LETTERS = 4, 9
"""Inches and points: a plot is drawn about as wide as a phone, which so makes its letters hardly smaller."""


class NoPlots(CompanionError, ImportError):
    """matplotlib is not installed."""


def figures(series: Mapping[str, Sequence[int]]) -> Figure:
    """One step line a figure over the answers of a session; those that moved most come first."""
    chosen = sorted(series, key=lambda name: -_moves(series[name]))[:MOST_FIGURES]
    sheet = _sheet(1.2 * len(chosen) + 0.5)
    panels = sheet.subplots(len(chosen), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(panels, chosen, strict=True):
        values = series[name]
        axes.step(range(len(values)), values, where="post", color=INK, linewidth=1.6)
        _quiet(axes, name.replace("_", " "))
    panels[-1].set_xlabel("answers", fontsize=LETTERS)
    return sheet


def dice(rows: Sequence[DiceRow]) -> Figure:
    """A bar a face for each kind of die and source; the line is what fair dice would show, if known.

    What bars and line are stands below.
    """
    sheet = _sheet(1.6 * len(rows) + 0.4)
    panels = sheet.subplots(len(rows), 1, squeeze=False)[:, 0]
    for axes, row in zip(panels, rows, strict=True):
        axes.bar(list(row.faces), list(row.faces.values()), color=INK, width=0.7)
        if row.even:
            axes.axhline(row.total / max(1, len(row.faces)), color=RED, linewidth=1.2, linestyle="--")
        _quiet(axes, f"{row.name}, {row.source}")
    line = "; dashed: fair dice" if any(row.even for row in rows) else ""
    sheet.supxlabel(f"how often each face fell{line}", fontsize=LETTERS)
    return sheet


def shares(won: Mapping[str, tuple[int, int]]) -> Figure:
    """Wins of games played for each way to play, its name above: `name: (won, played)`."""
    sheet = _sheet(0.5 * len(won) + 1.05)
    axes = sheet.subplots()
    names = list(won)[::-1]
    axes.barh(names, [won[name][1] for name in names], color=GRID, height=0.5, label="played")
    axes.barh(names, [won[name][0] for name in names], color=INK, height=0.5, label="won")
    for at, name in enumerate(names):
        axes.annotate(shorten(name, 48), (0, at + 0.25), (0, 2), textcoords="offset points", fontsize=LETTERS)
    sheet.legend(loc="outside upper right", ncols=2, frameon=False, fontsize=LETTERS)
    axes.set_xlabel("games", fontsize=LETTERS)
    axes.xaxis.set_major_locator(_whole())
    axes.set_ylim(-0.5, len(names) - 0.1)
    axes.tick_params(left=False, labelleft=False, labelsize=LETTERS)
    axes.spines[["left", "top", "right"]].set_visible(False)
    return sheet


def svg(figure: Figure) -> str:
    """A plot as an SVG document, the same for the same data."""
    import matplotlib as mpl

    out = BytesIO()
    with mpl.rc_context({"svg.hashsalt": "companion", "svg.fonttype": "none"}):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue().decode()


def _sheet(height: float) -> Figure:
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise NoPlots(f"plots need matplotlib: {pip('install', 'companion[plots]')}") from error
    mpl.rcParams["text.parse_math"] = False  # names of dice and figures are no formulas, whatever is in them
    return Figure(figsize=(WIDTH, height), layout="constrained", facecolor="white")


def _whole() -> MaxNLocator:
    """Marks at whole numbers: there are no halves of games, dice or soldiers."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator("auto", integer=True)


def _quiet(axes: Axes, name: str) -> None:
    axes.set_title(name, loc="left", fontsize=LETTERS)
    axes.grid(axis="y", color=GRID, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=LETTERS)
    axes.yaxis.set_major_locator(_whole())
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _moves(values: Sequence[int]) -> int:
    return sum(a != b for a, b in pairwise(values))
