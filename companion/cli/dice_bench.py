"""`companion dice bench`: the reader measured on labelled pictures."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from companion.cli.common import Place
from companion.engine.errors import BadInput


@click.command()
@click.argument("folder", type=Place())
@click.option(
    "--out",
    type=Place(),
    metavar="FOLDER",
    help="Folder for bench.json, bench.md and pictures: reliability, confusion, and the dice that failed.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of the Markdown table.")
def bench(folder: Path, out: Path | None, as_json: bool) -> None:
    """Read the pictures of every labels.jsonl at or under FOLDER, and say how often that was right.

    Shares of dice and of whole images come by source and in all, with 95 % intervals.
    """
    from vision import VisionError, benchreport
    from vision.bench import run

    try:
        result = run(folder, progress=lambda source: click.echo(f"reading {source}", err=True))
    except (VisionError, OSError) as error:
        raise BadInput(str(error)) from error
    click.echo(msgspec.json.encode(result) if as_json else benchreport.markdown(result))
    if out is None:
        return
    try:
        files = benchreport.write(result, out)
    except OSError as error:
        raise BadInput(f"{out} can't be written: {error.strerror}") from error
    for file in files:
        click.echo(f"written: {file}", err=True)
