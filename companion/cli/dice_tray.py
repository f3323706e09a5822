"""`companion dice mat` and `focus`: the tray, the camera over it and the light on it."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.common import Place, data_dir, draws
from companion.cli.dice_camera import camera_option, opened
from companion.engine.errors import BadInput, DeviceMissing
from companion.engine.files import not_own, write_out

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

    from vision.camera import Camera
    from vision.focus import Focus
    from vision.frames import Frame

PICTURE_COLUMNS = 64
RETRY = 0.3  # seconds, while the camera is away
WRITE_EVERY = 1.0  # seconds between pictures that are written, since each is synced to the card


@click.command()
@click.option("--out", type=Place(dir_okay=False), required=True, help="The PDF to write.")
@click.option(
    "--paper",
    type=click.Choice(["a4", "letter"], case_sensitive=False),
    default="a4",
    show_default=True,
    help="What it is printed on.",
)
def mat(out: Path, paper: str) -> None:
    """Write the tray's mat, to be printed at 100 %."""
    from vision import mat as mats

    not_own(out, data_dir(None))
    sheet = mats.mat(mats.Paper[paper.upper()])
    write_out(out, mats.pdf(sheet))
    click.echo(f"{out}: print it at 100 % on {sheet.paper.title}; the line at its foot is 100 mm long")


@click.command()
@camera_option
@click.option("--png", type=Place(dir_okay=False), help="Write the marked picture there.")
@click.option("--once", is_flag=True, help="Measure one picture and end; so it does without a terminal.")
def focus(source: str | None, png: Path | None, once: bool) -> None:
    """Show sharpness, glare, brightness and coverage, live, until Ctrl-C."""
    if png is not None:
        not_own(png, data_dir(None))
    with opened(source) as camera:
        if png is not None:
            _not_shown(png, source)
        if once or not draws(sys.stdout):
            measure_once(camera, png)
        else:
            with contextlib.suppress(KeyboardInterrupt):
                measure_on(camera, png)


def _not_shown(png: Path, source: str | None) -> None:
    """`BadInput` if a path means the film or picture that is the camera, or one in its folder."""
    from companion.table.dice import stored, usual_camera
    from vision.cameras.files import SUFFIXES

    place = Path(os.path.realpath(png))
    for shown in stored(source or usual_camera() or "") if place.exists() else ():
        is_in_it = place.suffix.lower() in SUFFIXES and place.parent.samefile(shown)
        if is_in_it or place.samefile(shown):
            raise BadInput(f"{png} is what the camera shows: name another file")


def measure_once(camera: Camera, png: Path | None) -> None:
    """One picture's numbers and advice."""
    from vision.camera import CameraError
    from vision.focus import measure

    try:
        image = camera.frame().image
    except CameraError as error:
        raise DeviceMissing(str(error)) from error
    seen = measure(image)
    click.echo(numbers(seen))
    for line in (*camera.notes, *seen.advice()):
        click.echo(line)
    write_marked(image, seen, png)


def measure_on(camera: Camera, png: Path | None) -> None:
    """Numbers, advice and the picture, again and again.

    Ends with Ctrl-C, an order to stop or the pictures' end; the cursor is back then.
    """
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from companion.table.keys import interrupted_in_order, undisturbed
    from vision.camera import CameraError, is_over
    from vision.focus import measure

    best, taken, written = 0.0, 0.0, -WRITE_EVERY
    # As in the game's own screen, the environment is not asked: `draws` has said that it can be shown.
    terminal = Console(force_terminal=True, force_interactive=True)
    live = Live(console=terminal, auto_refresh=False)
    with contextlib.ExitStack() as shown:
        shown.enter_context(interrupted_in_order())
        shown.enter_context(undisturbed())
        shown.callback(stop, live)
        live.start()
        while True:
            try:
                frame = camera.frame(newer_than=taken)
            except CameraError as error:
                live.update(Text(str(error)), refresh=True)
                if is_over(error):
                    return
                time.sleep(RETRY)
                continue
            taken = frame.taken
            seen = measure(frame.image)
            best = max(best, seen.sharpness)
            live.update(page(frame.image, seen, best, terminal.size, camera.notes), refresh=True)
            if taken - written >= WRITE_EVERY:
                write_marked(frame.image, seen, png)
                written = taken


def stop(live: Live) -> None:
    """Show the cursor again, whatever comes meanwhile."""
    from companion.table.keys import uninterrupted

    with uninterrupted():
        live.stop()


def page(image: Frame, seen: Focus, best: float, size: tuple[int, int], notes: Sequence[str] = ()) -> Text:
    """What a terminal of that width and height shows of a picture, with `notes` on its camera.

    `best` is the best sharpness so far. The picture is as large as the words below it leave room for.
    """
    from rich.text import Text

    from vision.focus import half_blocks, marked

    words = [f"{numbers(seen)}, best sharpness {best:.2f}", *notes, *seen.advice()]
    width, height = size
    rows = max(1, height - sum(-(-len(line) // width) for line in words))
    columns = min(PICTURE_COLUMNS, width, max(1, 2 * rows * image.shape[1] // image.shape[0]))
    return Text.from_ansi("\n".join([*half_blocks(marked(image, seen.tray), columns), *words]))


def numbers(seen: Focus) -> str:
    """The figures in a line."""
    figures = [
        f"sharpness {seen.sharpness:.2f}",
        f"glare {seen.glare:.1%}",
        f"brightness {seen.brightness:.0%}",
    ]
    if seen.coverage is not None and seen.pixels_per_mm is not None:
        figures += [f"tray {seen.coverage:.0%} of the picture", f"{seen.pixels_per_mm:.1f} pixels to a mm"]
    return ", ".join(figures)


def write_marked(image: Frame, seen: Focus, png: Path | None) -> None:
    """Keep the marked picture as a file, if one was asked for."""
    import cv2

    from vision.focus import marked

    if png is None:
        return
    done, data = cv2.imencode(".png", marked(image, seen.tray))
    assert done
    write_out(png, data.tobytes())
