"""`companion dice check`: known dice are thrown, a person says what was read wrong, and it is added up."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.common import data_option
from companion.cli.dice import load_sets, set_option
from companion.cli.dice_camera import camera_option, opened, placed, tried
from companion.cli.dice_teach import STOP, ask, corrections, in_words, thrown
from companion.engine.errors import DeviceMissing
from companion.wording import counted

if TYPE_CHECKING:
    from vision import DiceSet, Die
    from vision.frames import Frame as Image

RIGHT, WRONG, ASKED, UNSEEN = "right and sure", "sure and wrong", "asked", "not found"
_MORE = re.compile(r"\+[1-9]")
"""So many more dice than were found."""


@click.command()
@set_option
@camera_option
@data_option
def check(set_names: tuple[str, ...], source: str | None, data: Path | None) -> None:
    """Throw known dice, put right what is read wrong, and see how often that was.

    Enter reads a throw and Enter again says that it was read right; 2=5 says what the second die shows,
    +1 that there is one more, which was not found. q ends with the report, and so does the end of a film or
    of a folder of pictures.
    """
    from vision.settle import is_same_scene
    from vision.tray import TrayView

    last: Image | None = None
    outcomes: Counter[str] = Counter()
    mistakes: Counter[tuple[str, str]] = Counter()
    dice_sets = load_sets(set_names, data)
    view = TrayView()
    with opened(source) as camera:
        try:
            while thrown() != STOP:
                seen = tried(camera, view, dice_sets)
                if seen is None:
                    continue
                reading, image = seen
                if last is not None and not camera.stills and is_same_scene(last, image):
                    click.echo("  nothing has moved since the throw before: not counted")
                    continue
                last = image
                dice = [die for die in reading.dice if not die.foreign]
                if not dice:
                    click.echo("  no die seen")
                for number, die in enumerate(dice, start=1):
                    click.echo(f"  {number}. {in_words(die)}, {placed(die, image)}")
                said = put_right(dice, dice_sets)
                if said is None:
                    break
                right, unseen = said
                count(dice, right, outcomes, mistakes)
                outcomes[UNSEEN] += unseen
        except DeviceMissing as error:
            if not outcomes:
                raise
            click.echo(f"  {error}")
        finally:
            report(outcomes, mistakes)


def put_right(dice: Sequence[Die], dice_sets: Sequence[DiceSet]) -> tuple[dict[int, list[str]], int] | None:
    """What of a throw was read wrong, and how many dice were not found, asked until it can be meant.

    None where a person stops instead.
    """
    kinds = [kind for dice_set in dice_sets for kind in dice_set.kinds]
    names = {name for kind in kinds for name in (*kind.faces, *kind.colours)}
    while (said := ask("  Enter if right, else such as 2=5, 2=red, or +1 for a die not found")) != STOP:
        more = [word for word in said.split() if _MORE.fullmatch(word)]
        said = " ".join(word for word in said.split() if word not in more)
        right: dict[int, list[str]] = {}
        for number, name in corrections(said, len(dice)):
            if name in names:
                right.setdefault(number, []).append(name)
            else:
                click.echo(f"  {number}: no die here has a face or colour {name!r}")
        if sum(map(len, right.values())) == len(said.split()):
            return right, sum(map(int, more))
    return None


def count(
    dice: Sequence[Die],
    right: dict[int, list[str]],
    outcomes: Counter[str],
    mistakes: Counter[tuple[str, str]],
) -> None:
    """Add up the dice of a throw that a person has looked at."""
    for number, die in enumerate(dice, start=1):
        wrong = [name for name in right.get(number, ()) if name not in (die.face, die.colour)]
        outcomes[ASKED if not die.sure else WRONG if wrong else RIGHT] += 1
        if wrong and die.sure:
            mistakes[" ".join(wrong), " ".join(filter(None, (die.colour, die.face)))] += 1


def report(outcomes: Counter[str], mistakes: Counter[tuple[str, str]]) -> None:
    """The shares with their intervals, rounded outwards, and what was taken for what."""
    from vision.bench import share

    total = outcomes.total()
    if not total:
        return
    for name in (RIGHT, ASKED, WRONG, *([UNSEEN] if outcomes[UNSEEN] else [])):
        part = share(outcomes[name], total)
        low, high = math.floor(100 * part.low), math.ceil(100 * part.high)
        expected = f"{low}% to {high}% in the long run"
        click.echo(f"{name}: {part.count} of {counted(part.of, 'die', 'dice')} ({expected})")
    for (face, read), count in mistakes.most_common():
        click.echo(f"  {face} was read as {read}: {counted(count, 'time')}")
