"""`companion pack`: what is printed on cards, maps and sheets."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import click
import msgspec

from companion.cli.common import (
    data_option,
    game_argument,
    mending,
    mending_all,
    merged_packs,
    owner_packs,
    packs_option,
)
from companion.cli.lazy import LazyGroup
from companion.engine import ledger
from companion.engine.asks import Script
from companion.engine.card_words import in_words
from companion.engine.errors import BadInput, PackError
from companion.engine.form_script import fill_in
from companion.engine.game import Game, Problem
from companion.engine.packs import (
    UNREAD,
    Merged,
    PackFile,
    Record,
    Source,
    Tables,
    always,
    build,
    read,
    said_of,
    spare,
    unread,
)
from companion.engine.shelf import ChangedSince, Shelf
from companion.games import load, meant, names
from companion.table.entering import Draft, draft_file, enter, looked_over
from companion.table.typed import lines_to_come
from companion.wording import counted, fitted, plain

GAMES_GO_BY = "Games that you begin now go by it, those under way by what they began with."


@click.group(cls=LazyGroup, elsewhere={})
def pack() -> None:
    """What is printed on the cards: list, check, enter what your own copy says, and forget it."""


@pack.command("list", short_help="The packs, where they lie and what they hold.")
@game_argument(required=False)
@data_option
def list_packs(game: str | None, data: Path | None) -> int:
    """The packs of each game (of GAME), where they lie and what they hold; a torn one is an error."""
    torn = 0
    for one in map(load, [game] if game else names()):
        folder = owner_packs(data, one.name)
        try:
            packs = dict.fromkeys(always(one.folder, folder), "")
        except BadInput as error:
            torn += 1
            _tell(error, one.name)
            continue
        packs |= {path: f", played with by --pack {shlex.quote(by)}" for by, path in spare(folder).items()}
        for path, when in packs.items():
            try:
                _list(one.name, read(path), when)
            except BadInput as error:
                torn += 1
                _tell(error, "" if when else one.name)
    return BAD_INPUT if torn else 0


LINE = 100
"""Columns in which the names of those records are told that can be entered and have no command by them."""

BAD_INPUT = 2
"""The exit code where a pack is torn."""


def _tell(error: Exception, game: str) -> None:
    """What is wrong in a torn pack, on stderr as what ends a command is; and what it keeps from being played.

    How to mend a record is said once.
    """
    hint = f"; until then {game} can't be begun" if game else ""
    wrong = (error, *(error.rest if isinstance(error, PackError) else ()))
    helps = [mending(one) for one in wrong]
    for one, its, following in zip(wrong, helps, [*helps[1:], None], strict=True):
        help_ = "" if its == following else its
        click.echo(plain(f"companion: {one}{help_}{'' if following is not None else hint}"), err=True)


def _list(name: str, file: PackFile, when: str) -> None:
    records = ", ".join(f"{len(records)} {table}" for table, records in file.tables.items())
    click.echo(f"{name:15} {file.header.name:12} {file.header.source:10} {records or 'empty'}")
    click.echo(f"{'':15} {file.path}{when}")


@pack.command(short_help="What is missing or contradictory in the packs.")
@game_argument(required=False)
@packs_option
@data_option
def check(game: str | None, packs: tuple[str, ...], data: Path | None) -> int:
    """What is missing or contradictory in the packs of each game (of GAME); a torn pack is an error."""
    torn = 0
    for one in map(load, [game] if game else names()):
        try:
            _check(one, merged_packs(one, data, packs))
        except BadInput as error:
            torn += 1
            _tell(error, "" if packs else one.name)
            if packs:  # which belong to one game at most
                break
    return BAD_INPUT if torn else 0


def _check(game: Game, merged: Merged) -> None:
    """Say what is wrong with a game's packs; `PackError` if they are no packs of the game.

    What is for the owner to enter is said once where it is the same of several records.
    """
    problems = list(game.problems(build(merged, game.pack_type)))
    idle = unread(merged, game.pack_type)
    gaps = {gap.id for gap in ledger.load(game.folder / "ledger.toml").gap}
    problems += (Problem(path, UNREAD) for path in idle)
    alike: dict[tuple[str, ...], list[Problem]] = {}
    for problem in problems:
        origin = _file_of(merged, problem.path, of_gap=problem.rule in gaps)
        where = f"{origin}: " if origin else ""
        of_its_own = "" if problem.rule in gaps else problem.path
        alike.setdefault((where, problem.message, problem.rule, of_its_own), []).append(problem)
    for (where, *_), (first, *others) in alike.items():
        paths = ", ".join([first.path, *(one.path.partition(".")[2] for one in others)])
        click.echo(f"{game.name}: {where}{msgspec.structs.replace(first, path=paths)}")
    _, stand_ins = merged.counts()
    click.echo(f"{game.name}: {counted(len(problems), 'problem')}; stand-ins of our own: {stand_ins}")
    told = {problem.path for problem in problems}
    lacking = [one.path for one in problems if one.rule in gaps and "companion pack" not in one.message]
    for table, records in merged.tables.items():
        own = [name for name, record in records.items() if record["source"] == Source.STAND_IN]
        wanted = [name for name in own if f"{table}.{name}" not in told]
        wanted += [name for name in records if _is_within(lacking, f"{table}.{name}") and name not in wanted]
        if wanted:
            click.echo(fitted(f"  {_typed(game, table)}: {', '.join(wanted)}", LINE))
    for table in lacking:
        if table in game.asks and not merged.tables.get(table):
            click.echo(f"  {_typed(game, table)}")


def _is_within(paths: Iterable[str], record: str) -> bool:
    return any(f"{path}.".startswith(f"{record}.") for path in paths)


def _typed(game: Game, table: str) -> str:
    """What enters a record of a table."""
    return f"companion pack new {game.name}.{game.asks.get(table, f'{table}.{{}}').format('NAME')}"


def _file_of(merged: Merged, path: str, *, of_gap: bool) -> Path | None:
    """Which file says that: of what nobody knows the one that makes it up, else the one that spoke last."""
    if of_gap:
        fields = [one for one in merged.sources if one.startswith(f"{path}.")]
        path = min(fields, key=lambda one: merged.sources[one].trust, default=path)
    while path and path not in merged.origin:
        path, _, _ = path.rpartition(".")
    return merged.origin.get(path)


def _parted(record: str) -> tuple[Game, str]:
    """The game of a record GAME.THING, and the thing; `BadInput` if there is no such game."""
    typed, _, thing = record.partition(".")
    return load(meant(typed)), thing


@pack.command(short_help="A record as a player would read it.")
@click.argument("record")
@packs_option
@data_option
def show(record: str, packs: tuple[str, ...], data: Path | None) -> None:
    """RECORD, GAME.THING (such as undaunted.rifleman or okinawa.enemy.A), as a player would read it."""
    game, thing = _parted(record)
    if not thing:
        raise BadInput(f"{record}: write it {game.name}.THING, like undaunted.rifleman or okinawa.enemy.A")
    for line in _shown(game, merged_packs(game, data, packs), thing):
        click.echo(line)


def _shown(game: Game, packs: Merged, thing: str) -> list[str]:
    """A thing in the game's own way, or else its records field by field; `BadInput` if there is none."""
    pack = build(packs, game.pack_type)
    table, _, name = thing.partition(".")
    found = {one: records[thing] for one, records in packs.tables.items() if thing in records}
    if name in packs.tables.get(table, {}):
        thing, found = name, {table: packs.tables[table][name]}
    elif game.show is not None:
        try:
            return list(game.show(pack, thing))
        except BadInput:
            if not found and not (name and table in packs.tables):
                raise
    if not found:
        known = list(packs.tables.get(table, packs.tables))
        holder = table if table in packs.tables else game.name
        raise BadInput(f"{game.name}.{thing}: no such record; {holder} has {', '.join(known)}")
    lines: list[str] = []
    for record in found.values():
        title, *fields = in_words(thing, record)
        lines += [f"{title} [{record['source']}]", *(f"  {line}" for line in fields)]
    return lines


fields_option = click.option(
    "--fields", is_flag=True, help="One field after the other, any of them, as on the page's form."
)


@pack.command(short_help="Enter a record from your own copy.")
@click.argument("record")
@fields_option
@data_option
def new(record: str, fields: bool, data: Path | None) -> None:
    """Enter RECORD, GAME.THING (such as dday_dice.omaha), from your own copy, question by question.

    THING is TABLE.NAME for whatever `companion pack list` names the tables of.

    You can stop at any question: the next time, what you answered is offered.
    """
    _enter(record, data, by_fields=fields)


@pack.command(short_help="Enter a record again, with --fields any field alone.")
@click.argument("record")
@fields_option
@data_option
def edit(record: str, fields: bool, data: Path | None) -> None:
    """Enter RECORD again, question by question; what you answered before is offered, where it still fits."""
    _enter(record, data, by_fields=fields, again=True)


@pack.command(short_help="Forget what you entered of a record.")
@click.argument("record")
@data_option
def forget(record: str, data: Path | None) -> None:
    """Forget what you entered of RECORD, GAME.TABLE.NAME; what the packs say that ship counts again.

    What is forgotten is printed, so that it can be entered once more.
    """
    game, thing = _parted(record)
    folder = owner_packs(data, game.name)
    shelf = Shelf(game, folder)
    mine = [(table, name) for table, records in shelf.owned.tables.items() for name in records]
    found = [one for one in mine if thing in (one[1], ".".join(one))]
    if len(found) != 1:
        known = ", ".join(map(".".join, found or mine)) or "nothing"
        what = "more than one record" if found else "not in your pack, which has"
        raise BadInput(f"{record}: {what}: {known}")
    ((table, name),) = found
    said = said_of(shelf.owned.tables, table, name)
    shelf.forget(table, name)
    emptied = _emptied(said, Shelf(game, folder).record(table, name))
    click.echo(f"Forgotten, in {shelf.path}:")
    for line in in_words(name, said | emptied):
        click.echo(f"  {line}")
    click.echo(GAMES_GO_BY)


def _emptied(said: Record, known: Record) -> dict[str, str]:
    """In words, what a record takes away of what is known without it."""
    none = {field: value for field, value in said.items() if not value and type(value) is not int}
    taken = {field: value for field, value in none.items() if known.get(field, value) != value}
    return {field: "no" if value is False else "nothing" for field, value in taken.items()}


def _questions(
    shelf: Shelf, pack: msgspec.Struct, thing: str, mine: Tables, *, by_fields: bool
) -> Script[Tables]:
    """What is asked of a thing: by the game itself, or field by field of any other record, TABLE.NAME."""
    game = shelf.game
    table, _, name = thing.partition(".")
    if _is_form(shelf, thing, by_fields=by_fields):
        return fill_in(shelf, table, name)
    if by_fields or game.entry is None:
        raise BadInput(
            f"{thing}: write it {game.name}.TABLE.NAME; the tables are {', '.join(shelf.tables())}"
        )
    try:
        next(game.entry(pack, thing, mine))
    except BadInput:
        if name not in shelf.merged.tables.get(table, {}):
            raise
        return fill_in(shelf, table, name)  # it is there, and of no kind that there are questions about
    return game.entry(pack, thing, mine)


def _is_form(shelf: Shelf, thing: str, *, by_fields: bool) -> bool:
    """Whether a thing is TABLE.NAME and is entered field by field."""
    table, _, name = thing.partition(".")
    return bool(name) and table in shelf.tables() and (by_fields or table not in shelf.game.asks)


def _is_new(packs: Merged, thing: str) -> bool:
    """Whether no table has anything of that name, however it is spelt."""
    name = thing.partition(".")[2] or thing
    known = (one for table, records in packs.tables.items() for one in (table, *records))
    return _bare(name) not in map(_bare, known)


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name)).casefold()


def _enter(record: str, data: Path | None, *, by_fields: bool, again: bool = False) -> None:
    game, thing = _parted(record)
    table, _, card = thing.partition(".")
    is_blank = thing != thing.strip() or card != card.strip()
    if not thing or thing.endswith(".") or is_blank or not thing.isprintable():
        raise BadInput(f"{record}: write it {game.name}.THING, like dday_dice.omaha or okinawa.enemy.A")
    folder = owner_packs(data, game.name)
    shelf = Shelf(game, folder)
    pack, mine = shelf.known()
    if card and table in game.asks and not by_fields:
        thing = game.asks[table].format(card)
    draft = Draft(draft_file(folder, f"{thing}{' by fields' * by_fields}"))
    script = partial(_questions, shelf, pack, thing, mine, by_fields=by_fields)
    next(script(), None)  # what is no record is refused first
    is_form, merged = _is_form(shelf, thing, by_fields=by_fields), shelf.merged
    if again and (card not in merged.tables.get(table, {}) if is_form else _is_new(merged, thing)):
        click.echo(f"{game.name} has no {thing} yet: this enters a new one.")
    if draft.forget_outdated(script, mine):
        click.echo("What you answered before is not offered: the questions go by what the pack says now.")
    tables = enter(partial(looked_over, script), lines_to_come(sys.stdin, click.echo), sys.stdout, draft)
    if tables is None:
        click.echo("The pack is as it was." + (" What you answered is kept." if draft.answers else ""))
        return
    if not tables:
        draft.save()
        click.echo("Nothing was changed.")
        return
    try:
        shelf.add(tables)
    except ChangedSince as error:
        raise BadInput(f"{error}, and stays so. What you answered is kept: give the command again") from error
    click.echo(f"Saved in {shelf.path}")
    click.echo(GAMES_GO_BY)
    draft.save()
    known = set(map(str, game.problems(pack)))
    entered = tuple(f"{table}.{one}." for table, records in tables.items() for one in records)
    try:
        now = build(shelf.merged, game.pack_type)
    except PackError as error:
        click.echo(plain(f"companion pack check now says: {error}{mending_all(error)}"))
        return
    for problem in game.problems(now):
        if str(problem) not in known or f"{problem.path}.".startswith(entered):
            click.echo(f"companion pack check now says: {problem}")
