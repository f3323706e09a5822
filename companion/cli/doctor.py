"""`companion doctor`: each device found or not, tried, and what to do about it."""

from __future__ import annotations

import sys
from math import isnan
from pathlib import Path

import click
import msgspec

from companion.cli.common import Named, Place, data_dir, data_option, is_terminal
from companion.cli.dice import printable
from companion.engine.errors import BadInput
from companion.engine.files import not_own
from companion.table.checkup import Finding, State, Trial, examine
from companion.table.config import default_path, load, write_template

MARKS = {"ok": "ok     ", "missing": "none   ", "fault": "FAULT  ", "warning": "note   "}

USUAL = "\0"
"""Stands for the usual settings file; no file's name holds it."""

NAMES = ("machine", "data", "opencv", "oled", "buttons", "camera", "pad")
"""What is looked at, in this order."""


class Seconds(click.FloatRange):
    """A number of seconds; click lets NaN into any range."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))
        return self.fail(f"{value!r} is no number of seconds.", param, ctx) if isnan(seconds) else seconds


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object a device.")
@click.option(
    "--wait",
    type=Seconds(0, 3600),
    default=None,
    help="Seconds to wait for a key press (10 at a terminal, else 0).",
)
@click.option(
    "--need",
    multiple=True,
    type=click.Choice(NAMES),
    help="Exit with 3 unless this one works; can be given again.",
)
@click.option("--config", type=Place(dir_okay=False), metavar="FILE", help="Another settings file.")
@click.option(
    "--write-config",
    type=Named(),
    metavar="FILE",
    is_flag=False,
    flag_value=USUAL,
    help="Write the settings with every key and comment: to FILE, or where they are looked for.",
)
@data_option
def doctor(
    *,
    as_json: bool,
    wait: float | None,
    need: tuple[str, ...],
    config: Path | None,
    write_config: str | None,
    data: Path | None,
) -> None:
    """Try every device of the box; works with none attached."""
    if write_config is not None:
        given = {"--json": as_json, "--wait": wait is not None, "--need": need, "--config": config}
        if idle := next((option for option, value in given.items() if value), None):
            raise BadInput(f"{idle}: --write-config tries nothing and reads nothing: leave one of them out")
        path = default_path() if write_config == USUAL else Path(write_config)
        not_own(path, data_dir(data))
        write_template(path)
        click.echo(f"wrote {path}")
        return
    seconds = wait if wait is not None else 10.0 * (is_terminal(sys.stdin) and not as_json)
    trial = Trial(load(config), data_dir(data), seconds, lambda text: click.echo(text, err=True))
    working, tried = set(), set()
    for finding in examine(trial):
        tried.add(finding.name)
        if finding.state is State.OK:
            working.add(finding.name)
        click.echo(as_line(finding) if as_json else f"{MARKS[finding.state]} {finding.name}: {finding.says}")
        for advice in () if as_json else finding.do:
            click.echo(f"                {advice}")
    lacking = set(need) - working
    for why, names in (("not working", lacking & tried), ("not tried", lacking - tried)):
        if names:
            click.echo(f"needed and {why}: {', '.join(sorted(names))}", err=True)
    if lacking:
        raise click.exceptions.Exit(3)


def as_line(finding: Finding) -> bytes:
    """A finding as JSON, whatever bytes the name of a folder in it is of."""
    says, advice = printable(finding.says), tuple(map(printable, finding.do))
    return msgspec.json.encode(msgspec.structs.replace(finding, says=says, do=advice))
