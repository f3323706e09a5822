"""`companion log report` and `companion log stats`: sessions read back for people."""

from __future__ import annotations

import os
from pathlib import Path

import click

from companion.cli.common import (
    FILE_OR_DASH,
    data_dir,
    data_option,
    game_argument,
    game_or_none,
    read_journal,
    session_argument,
    session_of,
)
from companion.engine.errors import BadInput
from companion.engine.files import not_own, write_out
from companion.games import load
from companion.logbook import html, markdown, pdf
from companion.logbook.report import report as make_report
from companion.logbook.stats import stats as make_stats
from companion.wording import plain


@click.command()
@session_argument
@click.option(
    "--html", "html_file", type=FILE_OR_DASH, metavar="FILE", help="One HTML page with boards and plots."
)
@click.option(
    "--md", "md_file", type=FILE_OR_DASH, metavar="FILE", help="Markdown (also without an option, on stdout)."
)
@click.option("--pdf", "pdf_file", type=FILE_OR_DASH, metavar="FILE", help="PDF with boards and plots.")
@data_option
def report(
    session: str | None,
    html_file: Path | None,
    md_file: Path | None,
    pdf_file: Path | None,
    data: Path | None,
) -> None:
    """How SESSION went (its id or the beginning of it; default: the one played last). FILE - is stdout."""
    _each_its_own({"--html": html_file, "--md": md_file, "--pdf": pdf_file})
    with read_journal(data) as journal:
        meta = session_of(journal, session, data)
        told = make_report(journal, game_or_none(meta.game), meta)
    if html_file:
        put(html_file, html.of_report(told), data)
    if pdf_file:
        sheets, marred = pdf.of_report(told)
        put(pdf_file, sheets, data)
        if marred:
            click.echo(f"companion: the PDF does not show {marred[:40]} as written; --html does", err=True)
    if md_file or not (html_file or pdf_file):
        put(md_file or Path("-"), markdown.of_report(told), data)


def _each_its_own(files: dict[str, Path | None]) -> None:
    """`BadInput` if two options name one file, where the second would replace what the first wrote."""
    taken: dict[str, str] = {}
    for option, file in files.items():
        if file is None:
            continue
        other = taken.setdefault(os.path.realpath(file), option)
        if other != option:
            raise BadInput(f"{other} and {option} both write to {file}: name another file for one of them")


@click.command()
@game_argument(required=False)
@click.option("--html", "html_file", type=FILE_OR_DASH, metavar="FILE", help="One HTML page with plots.")
@data_option
def stats(game: str | None, html_file: Path | None, data: Path | None) -> None:
    """Wins, lengths, dice and the camera over all sessions of GAME (default: the game played last)."""
    with read_journal(data) as journal:
        name = game or session_of(journal, None, data).game
        told = make_stats(journal, load(name))
    if html_file:
        put(html_file, html.of_stats(told), data)
    else:
        put(Path("-"), markdown.of_stats(told), data)


def put(path: Path, content: str | bytes, data: Path | None) -> None:
    """Write a file, or stdout for `-`: text in UTF-8, or there in what a terminal shows.

    Raises `BadInput` if it can't be written, or is a file of the companion's own in its data directory.
    """
    if str(path) == "-":
        click.echo(plain(content) if isinstance(content, str) else content, nl=False)
        return
    not_own(path, data_dir(data))
    write_out(path, content.encode() if isinstance(content, str) else content)
    click.echo(f"Written: {path}", err=True)
