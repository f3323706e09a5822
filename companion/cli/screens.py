"""`companion screens`: every prompt of a played game as the OLED shows it, as pictures to look at."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from random import Random

import click

from companion.cli.common import (
    Place,
    data_option,
    game_argument,
    merged_packs,
    pairs_option,
    scenario_option,
    settings,
)
from companion.engine import autoplay
from companion.engine.asks import AnyAsk
from companion.engine.autoplay import Policy, steps
from companion.engine.errors import BadInput
from companion.engine.game import Play, setup
from companion.engine.packs import build
from companion.games import load
from companion.screens.console import Console
from companion.screens.intents import Button
from companion.screens.screen import Screen
from companion.table.menu import OneQuestion
from companion.table.oled_front import panel_screen
from companion.wording import counted
from hardware.drawing import draw

MOST_PAGES = 40


@click.command()
@game_argument()
@click.option("--out", type=Place(), required=True, metavar="FOLDER", help="The folder for the pictures.")
@click.option("--seed", type=int, default=1, show_default=True, help="Which game is played.")
@click.option("--policy", default="random", show_default=True, help="Who plays it.")
@scenario_option
@pairs_option
@click.option("--scale", type=click.IntRange(1, 16), default=4, show_default=True, help="Pixels a pixel.")
@data_option
def screens(
    game: str,
    out: Path,
    seed: int,
    policy: str,
    scenario: str,
    pairs: tuple[str, ...],
    scale: int,
    data: Path | None,
) -> None:
    """Draw each prompt of one whole game of GAME as NUMBER-KEY-PAGE.png, page by page."""
    chosen = load(game)
    pack = build(merged_packs(chosen, data), chosen.pack_type)
    play = chosen.start(setup(chosen, pack, settings(chosen, pairs), scenario))
    decide = autoplay.policy(chosen, play, policy, Random(seed))
    make(out)
    asked = list(prompts(play, decide, seed))
    drawn = 0
    in_sight = sys.stderr.isatty()
    with click.progressbar(asked, label=game, file=sys.stderr) if in_sight else nullcontext(asked) as bar:
        for number, (ask, title) in enumerate(bar, 1):
            for page, screen in enumerate(pages(ask, title), 1):
                picture = draw(panel_screen(screen), (128, 64)).resize((128 * scale, 64 * scale))
                path = out / f"{number:04}-{ask.key}-{page:02}.png"
                try:
                    picture.save(path)
                except OSError as error:
                    raise BadInput(f"{path}: not written: {error.strerror}") from error
                drawn += 1
    click.echo(f"{counted(drawn, 'picture')} of {counted(len(asked), 'prompt')} in {out}")


def make(folder: Path) -> None:
    """Make a folder if it is not there; `BadInput` if it can't be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: no folder can be there: {error.strerror}") from error


def prompts(play: Play, decide: Policy, seed: int) -> Iterator[tuple[AnyAsk, str]]:
    """Each prompt of a whole game that says something new, with the title that stood above it."""
    seen = set[tuple[str, str, str]]()
    for step in steps(play, decide, seed):
        mark = (step.ask.key, step.ask.text, step.ask.detail)
        if mark not in seen:
            seen.add(mark)
            yield step.ask, play.board().title


def pages(ask: AnyAsk, title: str) -> Iterator[Screen]:
    """What the display shows of a prompt while somebody presses down, until it begins again.

    Dice and cards that come up are shown to their end: beyond it, down names other ones.
    """
    console = Console(OneQuestion(ask, title, "software dice, saved"))
    seen = list[object]()
    for _ in range(MOST_PAGES):
        screen = console.screen()
        if screen in seen:
            return
        seen.append(screen)
        yield screen
        if ask.is_chance and not screen.below:
            return
        console.press(Button.DOWN)
