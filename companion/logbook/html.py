"""A report or the statistics as one HTML page of its own: no script, nothing from outside, prints well."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from importlib.resources import files
from typing import TYPE_CHECKING

from companion.engine.errors import CompanionError, pip
from companion.logbook import plots
from companion.logbook.report import Report
from companion.logbook.stats import Stats

if TYPE_CHECKING:
    from jinja2 import Environment
    from matplotlib.figure import Figure


def of_report(report: Report) -> str:
    """The report with plots and boards in it; without matplotlib it says that plots are missing."""
    drawn, caveat = _drawn(drawings(report))
    return (
        _templates()
        .get_template("report.html")
        .render(report=report, plots=drawn, caveats=[line for line in (report.caveat, caveat) if line])
    )


def of_stats(stats: Stats) -> str:
    """The statistics of one game with plots."""
    drawn, caveat = _drawn(_of_stats(stats))
    return _templates().get_template("stats.html").render(stats=stats, plots=drawn, caveat=caveat)


def picture(svg: str) -> str:
    """An SVG document as a data URI: shown as a picture, so nothing in it can run."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def photo(data: bytes) -> str:
    """A PNG as a data URI."""
    return f"data:image/png;base64,{b64encode(data).decode()}"


def style() -> str:
    """The one style sheet of reports."""
    return (files("companion.logbook") / "templates" / "report.css").read_text(encoding="utf-8")


def environment(package: str) -> Environment:
    """The templates of one of our packages; everything put into them is escaped."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError as error:
        raise CompanionError(f"HTML needs Jinja2: {pip('install', 'companion[web]')}") from error
    loader = PackageLoader(package)
    return Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def _templates() -> Environment:
    env = environment("companion.logbook")
    env.filters |= {"picture": picture, "photo": photo}
    env.globals["style"] = style()
    return env


def drawings(report: Report) -> Iterator[tuple[str, Figure]]:
    """The plots of a report, each with its title."""
    if report.series:
        yield "The figures over the session", plots.figures(report.series)
    if report.dice:
        yield "Dice: faces as they fell", plots.dice(report.dice)


def _of_stats(stats: Stats) -> Iterator[tuple[str, Figure]]:
    if stats.ways:
        shares = {way.name: (way.won, way.played) for way in stats.ways}
        yield "Games won of games played", plots.shares(shares)
    if stats.dice:
        yield "Dice: faces as they fell", plots.dice([die.row for die in stats.dice])


def _drawn(figures: Iterator[tuple[str, Figure]]) -> tuple[list[tuple[str, str]], str]:
    """Each plot with its title; and why there are none, without matplotlib."""
    try:
        return [(title, plots.svg(figure)) for title, figure in figures], ""
    except plots.NoPlots as error:
        return [], str(error)
