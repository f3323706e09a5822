"""`companion dice check`: known dice are thrown, a person says what was read wrong, and it is added up."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli.common import data_option
from companion.cli.dice import load_sets, set_option
from companion.cli.dice_camera import camera_option, opened, placed, tried
from companion.cli.dice_teach import STOP, ask, corrections, in_words
from companion.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision import DiceSet, Die

RIGHT, WRONG, ASKED = "right and sure", "sure and wrong", "asked"


@click.command()
@set_option
@camera_option
@data_option
def check(set_names: tuple[str, ...], source: str | None, data: Path | None) -> None:
    """Throw known dice, put right what is read wrong, and see how often that was.

    Enter reads a throw and Enter again says that it was read right; q ends with the report, and so does the
    end of a film or of a folder of pictures.
    """
    from vision.tray import TrayView

    outcomes: Counter[str] = Counter()
    mistakes: Counter[tuple[str, str]] = Counter()
    dice_sets = load_sets(set_names, data)
    view = TrayView()
    with opened(source) as camera:
        try:
            while ask("throw the dice, then Enter (q ends)") != STOP:
                seen = tried(camera, view, dice_sets)
                if seen is None:
                    continue
                reading, image = seen
                dice = [die for die in reading.dice if not die.foreign]
                for number, die in enumerate(dice, start=1):
                    click.echo(f"  {number}. {in_words(die)}, {placed(die, image)}")
                right = put_right(dice, dice_sets)
                if right is None:
                    break
                count(dice, right, outcomes, mistakes)
        finally:
            report(outcomes, mistakes)


def put_right(dice: Sequence[Die], dice_sets: Sequence[DiceSet]) -> dict[int, str] | None:
    """What of a throw was read wrong, asked until it can be meant; None where a person stops instead."""
    faces = {face for dice_set in dice_sets for kind in dice_set.kinds for face in kind.faces}
    while (said := ask("  Enter if right, else such as 2=5")) != STOP:
        right = list(corrections(said, len(dice)))
        known = [(number, face) for number, face in right if face in faces]
        for number, face in right:
            if face not in faces:
                click.echo(f"  {number}: no die here has a face {face!r}")
        if len(known) == len(said.split()):
            return dict(known)
    return None


def count(
    dice: Sequence[Die], right: dict[int, str], outcomes: Counter[str], mistakes: Counter[tuple[str, str]]
) -> None:
    """Add up the dice of a throw that a person has looked at."""
    for number, die in enumerate(dice, start=1):
        outcomes[outcome(die, right.get(number))] += 1
        if right.get(number, die.face) != die.face and die.sure:
            mistakes[right[number], die.face or "no face"] += 1


def outcome(die: Die, corrected: str | None) -> str:
    """What became of a die that a person has looked at."""
    if not die.sure:
        return ASKED
    return RIGHT if corrected in (None, die.face) else WRONG


def report(outcomes: Counter[str], mistakes: Counter[tuple[str, str]]) -> None:
    """The shares with their intervals, and what was taken for what."""
    from vision.bench import share

    total = outcomes.total()
    for name in (RIGHT, ASKED, WRONG):
        part = share(outcomes[name], total)
        expected = f"{part.low:.0%} to {part.high:.0%} in the long run"
        click.echo(f"{name}: {part.count} of {part.of} dice ({expected})")
    for (face, read), count in mistakes.most_common():
        click.echo(f"  {face} was read as {read}: {counted(count, 'time')}")
