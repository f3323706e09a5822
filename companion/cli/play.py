"""`companion play` and `companion resume`: a session at the table."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import closing, nullcontext
from functools import wraps
from io import TextIOWrapper
from pathlib import Path
from queue import SimpleQueue
from shutil import get_terminal_size
from typing import NamedTuple

import click
import msgspec
from click.core import ParameterSource

from companion.cli.common import (
    CAMERAS,
    Named,
    begun_journal,
    data_dir,
    data_option,
    draws,
    game_argument,
    is_terminal,
    merged_packs,
    open_journal,
    owner_packs,
    packs_option,
    pairs_option,
    scenario_option,
    session_argument,
    settings,
)
from companion.cli.serve import Reach, check_port, page_beside, reach_of, reach_options
from companion.engine.autoplay import check_policy
from companion.engine.errors import BadInput, DeviceMissing
from companion.engine.game import Game, Outcome
from companion.engine.journal import Journal
from companion.engine.records import SOFTWARE, Meta
from companion.engine.session import Session, Wish
from companion.games import load
from companion.table.dice import CAMERA, DiceSource, open_source, settle_dice, stored, usual_camera
from companion.table.events import Events, Habits
from companion.table.lines import LinesFront, say
from companion.table.loop import Loop
from companion.table.protocol import JsonFront
from companion.table.table import Table
from companion.table.typed import lines_from
from companion.wording import scored


class Seat(NamedTuple):
    """How somebody sits at the table.

    Front, policy, camera, whether the OLED is a picture of one, how rolls are to be read, and who may come
    by phone.
    """

    front: str | None
    auto: str
    camera: str | None
    emulate: bool
    confirm: bool
    teach: bool
    reach: Reach | None


TERMS = ("--dice", "--cards", "--pack", "--scenario", "--set", "--seed")
"""What a session keeps from its start."""


def table_options(command: Callable[..., None]) -> Callable[..., None]:
    """How to sit at the table, which the command is given as its `seat`; and `--data`."""
    options = (
        click.option(
            "--front",
            type=click.Choice(["oled", "terminal", "json", "none"]),
            help="What shows the game (default: this terminal; plain lines where no screen can be drawn).",
        ),
        click.option(
            "--auto",
            metavar="POLICY",
            default="",
            help="Let a policy answer all decisions: random, first, cautious, or another of the game's own "
            "(see companion games GAME).",
        ),
        click.option("--camera", type=Named(), metavar="SOURCE", help=f"{CAMERAS}."),
        click.option("--confirm", is_flag=True, help="Press OK for each roll that the camera reads."),
        click.option(
            "--teach",
            is_flag=True,
            help="Keep dice that you are asked about or put right as samples of their set; while it is not "
            "taught in full, all dice of the roll. Numerals are read by them once each face has two; pips "
            "are read as well without.",
        ),
        click.option(
            "--emulate", is_flag=True, help="With --front oled: the OLED in a window, or in this terminal."
        ),
        click.option(
            "--page", is_flag=True, help="Serve the page beside the game; see also companion serve."
        ),
        reach_options,
        data_option,
    )

    @wraps(command)
    def seated(
        *,
        front: str | None,
        auto: str,
        camera: str | None,
        emulate: bool,
        confirm: bool,
        teach: bool,
        page: bool,
        lan: bool,
        port: int | None,
        watchers: bool,
        **others: object,
    ) -> None:
        reach = reach_of(page, lan, port, watchers)
        command(seat=Seat(front, auto, camera, emulate, confirm, teach, reach), **others)

    for option in reversed(options):
        seated = option(seated)
    return seated


@click.command()
@game_argument()
@click.option(
    "--resume", "again", is_flag=True, help="Go on with the unfinished session of GAME that was played last."
)
@click.option(
    "--dice",
    type=click.Choice(["auto", "camera", "serial", "manual", "software"]),
    default="auto",
    show_default=True,
    help="Who rolls: auto takes a camera, then a serial tower, then your fingers; software if nobody plays "
    "at a terminal and no --camera is named.",
)
@click.option(
    "--cards",
    type=click.Choice(["software", "manual"]),
    default="software",
    show_default=True,
    help="Who draws: the box, or you from the real decks.",
)
@packs_option
@scenario_option
@pairs_option
@click.option("--seed", type=int, help="Software dice and cards come from this number.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the game's state and stop.")
@table_options
def play(
    game: str,
    again: bool,
    dice: str,
    cards: str,
    packs: tuple[str, ...],
    scenario: str,
    pairs: tuple[str, ...],
    seed: int | None,
    schema: bool,
    seat: Seat,
    data: Path | None,
) -> None:
    """Start a session of GAME (companion games lists them, companion games GAME its options).

    \b
    companion play okinawa --dice software       all on this machine
    companion play okinawa --dice manual         you roll, the box asks what came up
    companion play okinawa --set mode=enemy      the box runs the enemy alone
    """
    chosen = load(game)
    if schema:
        click.echo(json.dumps(msgspec.json.schema(chosen.state_type), indent=2))
        return
    if again:
        _refuse_new_terms(click.get_current_context())
        _resume(None, seat, data, game)
        return
    dice = settle_dice(dice, seat.camera, person=_person(seat))
    check_seat(chosen, seat, dice, cards)
    wish = Wish(settings(chosen, pairs), scenario, seed, dice, cards)
    merged = merged_packs(chosen, data, packs)
    Session.prepared(chosen, merged, wish)  # where nobody can play so, no journal is made
    source = open_source(dice, _camera(dice, seat), data_dir(data), habits=_habits(seat), now=True)
    with (
        closing(source) if source else nullcontext(),
        open_journal(data) as journal,
        Session.create(journal, chosen, merged, wish) as session,
    ):
        sit_down(session, seat, data, source)


def _refuse_new_terms(ctx: click.Context) -> None:
    """`BadInput` if --resume comes with what a session keeps from its start."""
    for option in ctx.command.params:
        given = ctx.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if given and option.opts[0] in TERMS:
            raise BadInput(kept(option.opts[0]))


def kept(term: str) -> str:
    """Why a term can't be named anew."""
    by_hand = "; dice that no device reads any more are entered by hand" if term == "--dice" else ""
    return f"a session goes on as it was begun: leave {term} out{by_hand}"


def terms_refused(command: Callable[..., None]) -> Callable[..., None]:
    """The terms of a session as options that are told to be none here."""

    def refuse(_: click.Context, option: click.Parameter, given: str | None) -> None:
        if given is not None:
            raise BadInput(kept(option.opts[0]))

    for term in TERMS:
        command = click.option(
            term, hidden=True, expose_value=False, callback=refuse, help="Kept from the start."
        )(command)
    return command


@click.command()
@session_argument
@terms_refused
@table_options
def resume(session: str | None, seat: Seat, data: Path | None) -> None:
    """Go on with SESSION (its id or the beginning of it; companion log list has them all).

    Without it, with the unfinished one that was played last.
    """
    _resume(session, seat, data)


def _resume(name: str | None, seat: Seat, data: Path | None, of: str = "") -> None:
    """Go on with the session of that name, else with the unfinished one played last (`of` that game)."""
    with begun_journal(data) as journal:
        meta = journal.session(name) if name else _last(journal, of)
        game = load(meta.game)
        if not meta.outcome:
            check_seat(game, seat, meta.dice, meta.cards)
        elif seat.auto:
            check_policy(game, seat.auto)
        with Session.resume(journal, game, meta.id) as session:
            source, trouble = _source_again(session, seat, data)
            with closing(source) if source else nullcontext():
                sit_down(session, seat, data, source, trouble)


def _last(journal: Journal, game: str) -> Meta:
    meta = journal.last_open(game)
    if meta is None:
        raise BadInput(f"no unfinished session{' of ' + game if game else ''}; companion play begins one")
    return meta


def _person(seat: Seat) -> bool:
    return not seat.auto and seat.front in (None, "terminal", "oled") and is_terminal(sys.stdin)


def _camera(dice: str, seat: Seat) -> str | None:
    """The camera that was named; where it reads the dice and none was, that of the box's settings."""
    return seat.camera or (usual_camera() if dice == CAMERA else None)


def _habits(seat: Seat) -> Habits:
    return Habits(seat.confirm, seat.teach)


def _source_again(session: Session, seat: Seat, data: Path | None) -> tuple[DiceSource | None, str]:
    """The dice source of a session that goes on; one that is gone must not keep it from going on.

    Nor settings that can't be read. And what a person should know of it.
    """
    dice = session.meta.dice
    try:
        camera = _camera(dice, seat)
        source = open_source(dice, camera, data_dir(data), session.misread(), _habits(seat))
    except (BadInput, DeviceMissing) as error:
        return None, f"{error}; enter the dice by hand"
    if dice == CAMERA and stored(camera or ""):
        return source, f"{camera} begins with its first picture again: undo a throw already played"
    return source, ""


def check_seat(game: Game, seat: Seat, dice: str, cards: str) -> None:
    """`BadInput` or `DeviceMissing` if nobody can play so, before there is a session of it."""
    for option, is_given in (
        ("--camera", seat.camera is not None),
        ("--confirm", seat.confirm),
        ("--teach", seat.teach),
    ):
        if is_given and dice != CAMERA:
            raise BadInput(
                f"{option}: no camera reads {dice} dice; a session begun with --dice camera has one"
            )
    if seat.emulate and not _is_oled(seat):
        raise BadInput(f"--emulate shows the OLED, and --front {seat.front} has none: leave one of them out")
    if seat.auto:
        check_policy(game, seat.auto)
    if seat.front == "none" and not (seat.auto and dice == cards == SOFTWARE):
        raise BadInput("--front none needs --auto POLICY and software dice and cards")
    if _is_oled(seat):
        from companion.table.oled_play import check_oled

        check_oled(emulate=seat.emulate)
    elif not sys.stdout.writable():
        raise BadInput("nothing can be told: standard output is closed; --front oled needs none")
    if seat.reach:
        check_port(seat.reach)


def _is_oled(seat: Seat) -> bool:
    return seat.front == "oled" or (seat.front is None and seat.emulate)


def sit_down(
    session: Session, seat: Seat, data: Path | None, source: DiceSource | None, trouble: str = ""
) -> None:
    """Play a session with the front that was asked for, which tells what `trouble` there is with the dice."""
    table = Table(session, owner_packs(data, session.game.name), seat.auto)
    table.notice = trouble
    with page_beside(table, data, seat.reach) if seat.reach else nullcontext():
        try:
            _play_at(table, seat, source)
        except KeyboardInterrupt:
            _farewell(table, err=True)
            raise


def _play_at(table: Table, seat: Seat, source: DiceSource | None) -> None:
    match seat.front:
        case "json":
            for stream in (sys.stdin, sys.stdout):  # JSON is in UTF-8, whatever the terminal shows
                if isinstance(stream, TextIOWrapper):
                    stream.reconfigure(encoding="utf-8", errors="replace")
            JsonFront(table, lines_from(sys.stdin), sys.stdout, source).run()
        case "none":
            table.settle()
            assert table.outcome is not None, "check_seat lets only games in that end by themselves"
            click.echo(_result(table.outcome))
        case _ if _is_oled(seat):
            from companion.table.oled_play import play_on_oled

            play_on_oled(table, source, emulate=seat.emulate)
            _farewell(table)
        case _ if is_terminal(sys.stdin) and draws(sys.stdout) and _has_room():
            _terminal(table, source)
        case _:
            LinesFront(table, lines_from(sys.stdin), sys.stdout, source).run()
            _farewell(table)


def _has_room() -> bool:
    from companion.table.terminal import has_room

    return has_room(*get_terminal_size())


def _result(outcome: Outcome) -> str:
    score = scored(outcome.score)
    return f"{outcome.result.value}: {outcome.reason}{' (' + score + ')' if score else ''}"


def _terminal(table: Table, source: DiceSource | None) -> None:
    from companion.table.oled_play import attached, beside_pad
    from companion.table.terminal import TerminalFront

    events: Events = SimpleQueue()
    table.settle()
    with attached(events) as devices, TerminalFront(table, events) as front:
        displays = [front.display, *(devices.displays(table) if devices else [])]
        loop = Loop(table, events, displays, beside_pad(source, devices), typed=front.typed)
        loop.run()
    _farewell(table)


def _farewell(table: Table, *, err: bool = False) -> None:
    session, out = table.session.meta.id, sys.stderr if err or not sys.stdout.writable() else sys.stdout
    if table.outcome is None:
        say(f"Saved. companion resume goes on with {session}.", out)
    else:
        say(f"{_result(table.outcome)}\nThe game move by move: companion log show {session}", out)
