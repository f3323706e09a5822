"""What the camera commands of `companion dice` share: opening a camera, and a picture of a tray at rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from companion.cli.common import CAMERAS, Named
from companion.engine.errors import BadInput, DeviceMissing

if TYPE_CHECKING:
    from vision import DiceSet, Die, Reading
    from vision.camera import Camera
    from vision.frames import Frame as Image
    from vision.tray import TrayView

PATIENCE = 20.0
"""Seconds of camera time that the tray gets to come to rest."""

camera_option = click.option(
    "--camera",
    "source",
    type=Named(),
    metavar="SOURCE",
    help=f"{CAMERAS}; if left out, that of the box's settings, or the first there is.",
)


def opened(source: str | None) -> Camera:
    """The camera that is meant, said if nobody named it; `DeviceMissing` (exit code 3) if none is there."""
    from companion.table.dice import usual_camera
    from vision.camera import CameraError, open_camera

    try:
        camera = open_camera(source or usual_camera())
    except CameraError as error:
        raise DeviceMissing(str(error)) from error
    if source is None:
        click.echo(f"camera {camera.name}; --camera names another", err=True)
    return camera


def at_rest(camera: Camera) -> list[Image]:
    """Pictures of the tray once it lies still; `DeviceMissing` if the camera fails or it never does."""
    from vision.camera import CameraError
    from vision.settle import Settler

    settler = Settler()
    try:
        first = frame = camera.frame()
        if camera.stills:
            return [frame.image]
        while frame.taken < first.taken + PATIENCE:
            view = settler.see(frame)
            if view.still:
                return [still.image for still in view.still]
            frame = camera.frame(newer_than=frame.taken)
    except CameraError as error:
        raise DeviceMissing(str(error)) from error
    raise DeviceMissing(f"camera {camera.name}: the tray has not come to rest for {PATIENCE:.0f} s")


def read_at_rest(camera: Camera, view: TrayView, dice_set: DiceSet | list[DiceSet]) -> tuple[Reading, Image]:
    """What several pictures of the resting tray agree on, and the last of them as it was read.

    `BadInput` for pictures that can't be read, such as tiny ones.
    """
    import vision
    from vision.votes import vote

    fields = view.fields(at_rest(camera))
    try:
        return vote([vision.read(field, dice_set) for field in fields]), fields[-1]
    except vision.VisionError as error:
        raise BadInput(str(error)) from error


def tried(camera: Camera, view: TrayView, dice_set: DiceSet | list[DiceSet]) -> tuple[Reading, Image] | None:
    """What `read_at_rest` says; None, having said why, where the camera has nothing to read but may later.

    `DeviceMissing` at the end of a film, or of a folder of pictures.
    """
    from vision.camera import is_over

    try:
        return read_at_rest(camera, view, dice_set)
    except DeviceMissing as error:
        if is_over(error.__cause__):
            raise
        click.echo(f"  {error} (Enter tries again)")
        return None


def placed(die: Die, image: Image) -> str:
    """In which ninth of the picture a die lies: `upper left`, `middle`, `lower right`."""
    height, width = image.shape[:2]
    x, y = die.bbox.middle
    row = ("upper", "", "lower")[int(3 * y / height) % 3]
    column = ("left", "", "right")[int(3 * x / width) % 3]
    return f"{row} {column}".strip() or "middle"
