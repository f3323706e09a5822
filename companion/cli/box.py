"""`companion box`: what the service runs. Screen, buttons and all, from power-on to shut-down."""

from __future__ import annotations

import itertools
import os
import signal
import sys
import textwrap
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

import click

from companion.cli.common import Place, data_dir, data_option

if TYPE_CHECKING:
    from companion.table.config import Config
    from companion.table.devices import Devices
    from companion.table.discover import Present
    from companion.table.events import Events
    from companion.table.loop import Display
    from companion.table.starts import StartRecord
    from companion.table.watchdog import Watchdog


@click.command()
@click.option("--config", type=Place(dir_okay=False), metavar="FILE", help="Another settings file.")
@click.option(
    "--emulate", is_flag=True, help="The box's screen in a window or this terminal, keys as buttons."
)
@data_option
def box(config: Path | None, emulate: bool, data: Path | None) -> None:
    """Run as the box on the table: a menu of games, resumed where the power failed."""
    from companion.engine.files import make_folder
    from companion.table.starts import StartRecord

    folder = data_dir(data)
    with suppress(OSError):  # said by the journal, which needs it
        make_folder(folder)
    runtime = os.environ.get("RUNTIME_DIRECTORY")
    record = StartRecord(*([Path(runtime)] if runtime else []), folder)
    record.begin()
    try:
        _run(_settings(config, safe=record.safe), record, folder, emulate=emulate)
    except Exception as error:
        record.failed(f"{type(error).__name__}: {error}")
        raise


def _settings(path: Path | None, *, safe: bool) -> Config:
    """The settings; in safe mode with the devices off, and none of a file that can't be read."""
    from companion.engine.errors import BadInput
    from companion.table.config import Config, load

    if not safe:
        return load(path)
    try:
        return load(path).safe()
    except BadInput:
        return Config().safe()


def _run(settings: Config, record: StartRecord, folder: Path, *, emulate: bool) -> None:
    from companion.table.devices import Devices
    from companion.table.discover import discover
    from companion.table.keys import stopped_in_order
    from companion.table.playing import Playing
    from companion.table.watchdog import Heart, Watchdog

    events: Events = SimpleQueue()
    with ExitStack() as stack:
        stack.enter_context(stopped_in_order(events, signal.SIGINT))
        present = discover(settings)
        devices = stack.enter_context(Devices(settings, present, events, discover))
        devices.splash("COMPANION", ("", "one moment"))
        shown: list[Display] = []
        if emulate and not record.safe:  # else the reason stands in the terminal, which a picture would cover
            from companion.table.emulator import emulated

            shown.append(stack.enter_context(emulated(events)))
        watchdog = Watchdog()
        watchdog.on_steady = record.good
        devices.watched_by(watchdog)
        stack.enter_context(Heart(events))
        for line in (present.notice(), "" if emulate or record.safe else _way_on(settings, present)):
            if line:
                click.echo(line, err=True)
        if record.safe:
            Playing(folder).left()  # it may be what they died of: the menu offers it at the next start
            _safe_mode(record, devices, events, watchdog)
        else:
            _play(settings, folder, devices, events, [watchdog, *shown])
        record.good()
        watchdog.stopping()


def _way_on(settings: Config, present: Present) -> str:
    """What somebody can do at a box without keys; empty where there are some."""
    if present.keys:
        return ""
    if settings.page.enabled:
        where = "by phone" if settings.page.lan else "in a browser on this machine"
        return f"No keys here: begin and play on the page, {where}; buttons or a pad may come at any time."
    return "No keys here and the page is off: attach buttons or a pad, or set [page] enabled = true."


def _safe_mode(record: StartRecord, devices: Devices, events: Events, watchdog: Watchdog) -> None:
    """Nothing but the screen: say why, part by part, and wait to be stopped.

    The journal can be read from elsewhere.
    """
    from companion.screens.console import PART
    from companion.table.events import Closed, next_of

    click.echo(f"safe mode, devices off: {record.reason}; stop it and start it again to try", err=True)
    rows = [*textwrap.wrap(record.reason, 20), ""]
    parts = [(rows[at], rows[at + 1]) for at in range(0, len(rows) - 1, 2)]
    for second in itertools.count():
        devices.splash("SAFE MODE", (*parts[second // PART % len(parts)], "restart to try"))
        watchdog.turn()
        if isinstance(next_of(events), Closed):
            return


def _play(settings: Config, folder: Path, devices: Devices, events: Events, watch: list[Display]) -> None:
    from companion.cli.box_page import BoxPage
    from companion.cli.common import open_journal
    from companion.screens.intents import Quit
    from companion.table.box import AtBox, Box, Ways, shut_down

    at_box = AtBox(events.put, lambda: devices.readers)
    with open_journal(folder) as journal, BoxPage(settings.page, folder, box=at_box) as page:
        ways = Ways(settings.camera.source, page.beside, page.way_in, page.take)
        done = Box(folder, journal, devices, events, [*watch, page], ways).run()
    if isinstance(done, Quit) and done.power_off:
        devices.splash("GOOD NIGHT", ("saved", "unplug when the", "green light is off"))
        shut_down(Path(os.environ.get("RUNTIME_DIRECTORY", "/run/companion")))
    sys.stderr.flush()
