"""`companion games`: what can be played, with which options, and what its packs still lack."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.common import data_option, game_argument, merged_packs
from companion.engine.autoplay import COMMON
from companion.engine.errors import BadInput, PackError
from companion.engine.game import Game
from companion.engine.packs import build
from companion.games import known, load
from companion.wording import counted, fitted


@click.command()
@game_argument(required=False)
@data_option
def games(game: str | None, data: Path | None) -> None:
    """The games, their packs and what each still lacks; of GAME, its options and policies too."""
    if game:
        _describe(load(game), data, whole=True)
        return
    for name in known():
        try:
            one = load(name)
        except BadInput as error:
            _lack(name, error)
            continue
        try:
            _describe(one, data, whole=False)
        except PackError as error:
            _lack(f"{name:15} {one.title}", error)


def _lack(name: str, error: Exception) -> None:
    click.echo(f"{name}\n{'':15} can't be played: {error}")


def _describe(game: Game, data: Path | None, *, whole: bool) -> None:
    packs = merged_packs(game, data)
    pack = build(packs, game.pack_type)
    records, stand_ins = packs.counts()
    click.echo(f"{game.name:15} {game.title}")
    click.echo(f"{'':15} {counted(records, 'record')}, {stand_ins} of them stand-ins of our own")
    problems = list(game.problems(pack))
    if problems:
        click.echo(
            f"{'':15} {counted(len(problems), 'thing')} to enter or check: companion pack check {game.name}"
        )
    scenarios = game.scenarios(pack)
    if scenarios:
        click.echo(fitted(f"{'':15} scenarios: {', '.join(scenarios)}", 78))
    if whole:
        for setting in game.settings:
            choices = ", ".join(setting.choices)
            click.echo(fitted(f"  --set {setting.name}=  {choices}  (first is the default)", 78))
            click.echo(fitted(f"      {setting.help}", 78))
        click.echo(f"  policies: {', '.join((*COMMON, *game.policies))}")
