"""A report or the statistics as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from companion.logbook.report import Plate, Report
from companion.logbook.stats import Stats

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~]|&(?=#?\w+;))")
_BEGINNING = re.compile(r"^(\d*)(?=([-+.)]|#+) )")
"""Before what makes a heading or a list of the words behind it."""


def of_report(report: Report) -> str:
    """The whole report; boards are given as text."""
    return "\n".join(_report(report)) + "\n"


def of_stats(stats: Stats) -> str:
    """The statistics of one game."""
    return "\n".join(_stats(stats)) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A Markdown table's lines."""
    yield f"| {' | '.join(map(safe, head))} |"
    yield f"|{' --- |' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(safe(str(cell)) for cell in row)} |"


def safe(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _BEGINNING.sub(r"\1\\", _SPECIAL.sub(r"\\\1", " ".join(text.split())))


def _report(report: Report) -> Iterator[str]:
    yield from (f"# {safe(report.title)}", "", safe(report.lead), "")
    if report.caveat:
        yield from (f"> {safe(report.caveat)}", "")
    yield from table(("What", "How"), report.facts)
    yield from _listed("Notes", report.notes)
    yield from _listed("What weighed most", report.swings)
    if report.chapters:
        yield from ("", "## Turn by turn")
    for chapter in report.chapters:
        yield from ("", f"### {safe(chapter.title)}", "", safe(chapter.text))
        if chapter.figures:
            yield from ("", f"*{safe(chapter.figures)}*")
    if report.losses:
        yield from ("", "## Losses", "")
        head = ("Figure", "At first", "At last", "Lowest", "Lost in all")
        yield from table(head, map(msgspec.structs.astuple, report.losses))
    yield from _listed("By hand and taken back", report.by_hand)
    if report.dice:
        yield from ("", "## Dice", "")
        rows = [(row.name, row.source, row.total, row.told) for row in report.dice]
        yield from table(("Die", "Source", "Rolled", "Faces"), rows)
    yield from _plates(report.plates)


def _stats(stats: Stats) -> Iterator[str]:
    yield from (f"# {safe(stats.title)}", "", stats.lead)
    if stats.ways:
        yield from ("", "## Wins", "")
        rows = [(way.name, way.played, way.wins, way.length, way.turns_told) for way in stats.ways]
        yield from table(("How it was played", "Games", "Won", "Length", stats.turns), rows)
    if stats.dice:
        yield from ("", "## Dice")
    for die in stats.dice:
        yield from ("", f"### {safe(die.row.name)}, {safe(die.row.source)}", "")
        yield from table(("Face", "Rolled"), die.row.faces.items())
        yield from ("", f"{safe(die.verdict)} {die.figures}".rstrip())
    if stats.reader.read:
        yield from ("", "## The camera", "", str(stats.reader))


def _listed(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from ("", f"## {title}", "", *(f"- {safe(line)}" for line in lines))


def _plates(plates: Sequence[Plate]) -> Iterator[str]:
    if plates:
        yield from ("", "## The table")
    for plate in plates:
        yield from ("", f"### {safe(plate.caption)}", "", "```", plate.picture.board.title)
        for panel in plate.picture.board.panels:
            yield from (panel.title.upper(), *(f"  {line}" for line in panel.lines))
        yield "```"
