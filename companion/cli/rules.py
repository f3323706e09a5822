"""`companion rules`: the ledger, in the box's words."""

from __future__ import annotations

import textwrap

import click

from companion.cli.common import game_argument
from companion.engine.errors import BadInput
from companion.engine.ledger import Rule, Table, load
from companion.games import load as load_game


@click.command()
@game_argument()
@click.argument("words", nargs=-1, metavar="[WORDS]")
def rules(game: str, words: tuple[str, ...]) -> None:
    """What a rule of GAME says: by id (OKI-067, or just 067), by words in it, or all of them.

    \b
    companion rules okinawa 67
    companion rules okinawa mine field
    """
    ledger = load(load_game(game).folder / "ledger.toml")
    said = " ".join(words)
    found = ledger.search(said) if said else list(ledger.rule)
    if not found:
        raise BadInput(f"nothing in the rules of {game} about {said!r}; companion rules {game} lists all")
    for entry in found:
        head = f"{entry.id}  {entry.section}" if isinstance(entry, Rule) else entry.id
        click.secho(head, bold=True)
        click.echo(textwrap.fill(entry.words, 78, initial_indent="    ", subsequent_indent="    "))
        for example in entry.examples if isinstance(entry, Rule) else ():
            text = f"e.g. {example.removeprefix('derived: ')}"
            click.echo(textwrap.fill(text, 78, initial_indent="    ", subsequent_indent="      "))
        for line in entry.lines if isinstance(entry, Table) else ():
            click.echo(textwrap.fill(line, 78, initial_indent="      ", subsequent_indent="        "))
