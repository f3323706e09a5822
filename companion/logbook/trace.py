"""A session played through again, with the figures at every answer and boards where they are wanted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

import msgspec

from companion.engine.asks import AnyAsk, Roll, Show
from companion.engine.beginning import setup_of, start_again
from companion.engine.clock import Stamp
from companion.engine.errors import CompanionError
from companion.engine.game import Board, Game, Glance
from companion.engine.journal import Journal
from companion.engine.line import Entry, Item, Line
from companion.engine.records import Meta, Note, RolledDie
from companion.engine.run import Run

PAUSE = 30 * 60.0
"""Seconds after which a gap between two answers is a pause and not playing time."""


class Moment(msgspec.Struct, frozen=True):
    """One answer or override that holds: its entry's number and time, and the figures around it.

    `news` is what the ask told beside its text; a line of it may be what the text begins with.
    """

    seq: int
    item: Item
    stamp: Stamp
    before: Glance
    after: Glance
    news: tuple[str, ...] = ()

    @property
    def beside(self) -> list[str]:
        """The news that the text does not have."""
        lines = [*self.news]
        if said := next(filter(self.item.text.startswith, lines), None):
            lines.remove(said)
        return lines


class Undone(msgspec.Struct, frozen=True):
    """A decision that was taken back, and its turn; empty where what led to it was taken back, too."""

    item: Item
    turn: str


class Picture(msgspec.Struct, frozen=True):
    """The table at one moment, as SVG and as text."""

    svg: str
    board: Board


class Trace(msgspec.Struct, frozen=True):
    """A session read back; `caveat` says why figures and boards are missing, if they are.

    `is_cut` where the game came to its end, and what is left of the session does not.

    `scenario` is its title; `entries` are all that were written, `moments` those that hold, `undone` the
    decisions that were taken back and not taken up again, in the order they were made.
    `again` are entries whose dice count in another one: rolled before an undo, they were taken as they lay,
    or put right after it.
    `rolls` has the dice of each entry, `fell` in which entry those fell that were taken as they lay, `faces`
    what is on each side of each kind of die. `then` is what was told after the last answer.
    """

    meta: Meta
    scenario: str
    entries: Sequence[Entry]
    moments: tuple[Moment, ...]
    undone: tuple[Undone, ...]
    again: frozenset[int]
    rolls: dict[int, list[RolledDie]]
    fell: dict[int, int]
    faces: dict[str, tuple[str, ...]]
    notes: tuple[Note, ...]
    seconds: float
    then: tuple[str, ...] = ()
    caveat: str = ""
    is_cut: bool = False


class _Replay(msgspec.Struct, frozen=True):
    """The figures before, between and after all items, their news, what is on the dice, what is missing.

    `then` is what is told after the last of them, `goes_on` where something is asked after the last of them.
    """

    glances: Sequence[Glance]
    news: Sequence[tuple[str, ...]]
    faces: dict[str, tuple[str, ...]] = {}
    caveat: str = ""
    goes_on: bool = False
    then: tuple[str, ...] = ()


def retrace(journal: Journal, game: Game | None, meta: Meta) -> Trace:
    """Read a session back; without its game, or under changed rules, by what the journal says alone."""
    entries = journal.entries(meta.id)
    line, again, fell, after = _followed(entries)
    items = line.items
    replay = _replayed(journal, game, meta, items)
    written = {id(entry.item): entry for entry in entries if entry.item}
    moments = [
        Moment(written[id(item)].seq, item, written[id(item)].stamp, before, after, news)
        for item, (before, after), news in zip(items, pairwise(replay.glances), replay.news, strict=True)
    ]
    standing = {moment.seq for moment in moments}
    turns = {id(item): glance.turn for item, glance in zip((None, *items), replay.glances, strict=True)}
    undone = tuple(
        Undone(entry.item, turns.get(id(after[entry.seq]), ""))
        for entry in entries
        if entry.item and entry.item.is_decision and entry.seq not in standing
    )
    return Trace(
        meta=meta,
        scenario=titled(journal, game, meta, meta.scenario),
        entries=entries,
        moments=tuple(moments),
        undone=undone,
        again=frozenset(again),
        rolls=journal.rolls(meta.id),
        fell=fell,
        faces=replay.faces,
        notes=tuple(journal.notes(meta.id)),
        seconds=played(entries),
        then=replay.then,
        caveat=replay.caveat,
        is_cut=replay.goes_on and bool(meta.outcome),
    )


def _news(question: AnyAsk | None, item: Item) -> tuple[str, ...]:
    """What an ask tells beside what it is answered by; nothing if it reads otherwise now than it did."""
    if question is None or question.text != item.text:
        return ()
    return tuple(filter(str.strip, question.news.splitlines()))  # a briefing may have paragraphs


def _followed(entries: Iterable[Entry]) -> tuple[Line, set[int], dict[int, int], dict[int, Item | None]]:
    """The line of play, the entries whose dice count in another one, and where those fell that lay there.

    And what each answer followed, None for the first.
    """
    line, again, fell = Line(), set(), dict[int, int]()
    counts: dict[int, int] = {}
    after: dict[int, Item | None] = {}
    for entry in entries:
        if (item := entry.item) is not None:
            counts[id(item)] = entry.seq
            after[entry.seq] = line.items[-1] if line.items else None
            if (kept := line.kept_for(item)) is not None and kept.answer == item.answer:
                again.add(entry.seq)
                counts[id(item)] = fell[entry.seq] = counts[id(kept)]
            elif kept is not None:
                again.add(counts[id(kept)])
        line.follow(entry)
    return line, again, fell, after


def counting(entries: Sequence[Entry]) -> tuple[frozenset[int], frozenset[int]]:
    """The entries whose dice count, each fall once, and those whose dice another entry has again.

    Dice that were taken back for good are in neither.
    """
    line, again, fell, _ = _followed(entries)
    held = {id(item) for item in line.items}
    counts = {fell.get(entry.seq, entry.seq) for entry in entries if id(entry.item) in held}
    return frozenset(counts), frozenset(again - counts)


def pictures(journal: Journal, game: Game, trace: Trace, at: Collection[int]) -> dict[int, Picture]:
    """The table after so many answers; 0 is the set-up."""
    run = Run(start_again(game, setup_of(journal, game, trace.meta)), trace.meta.seed)
    found = {}
    for count in range(max(at) + 1):
        if count:
            run.replay(trace.moments[count - 1].item)
        if count in at:
            found[count] = Picture(run.play.svg(), run.play.board().fitted())
    return found


def played(entries: Iterable[Entry]) -> float:
    """Seconds spent on a session, by the clock that never jumps; pauses and restarts left out."""
    gaps = (
        after.stamp.mono - before.stamp.mono
        for before, after in pairwise(entries)
        if after.stamp.boot == before.stamp.boot
    )
    return sum(gap for gap in gaps if 0 <= gap <= PAUSE)


def titled(journal: Journal, game: Game | None, meta: Meta, scenario: str) -> str:
    """The title of a scenario of the session's packs; its name, where game or packs can't be read."""
    if game is None:
        return scenario
    try:
        return game.titled(setup_of(journal, game, meta).pack, scenario)
    except CompanionError:
        return scenario


def _replayed(journal: Journal, game: Game | None, meta: Meta, items: Sequence[Item]) -> _Replay:
    nothing = [Glance()] * (len(items) + 1)
    news: list[tuple[str, ...]] = [()] * len(items)
    if game is None:
        missing = f"The game {meta.game} is not installed here: no figures and no boards."
        return _Replay(nothing, news, caveat=missing)
    faces: dict[str, tuple[str, ...]] = {}
    try:
        run = Run(start_again(game, setup_of(journal, game, meta)), meta.seed)
        glances = [game.glance(run.play.state)]
        for at, item in enumerate(items):
            if isinstance(run.ask, Roll):
                faces |= {dice.die: dice.faces for dice in run.ask.dice}
            told = _news(run.ask, item)
            run.replay(item)
            news[at] = told
            glances.append(game.glance(run.play.state))
    except Exception as error:  # noqa: BLE001 - over values that no table has a game's figures may trip
        return _Replay(nothing, news, caveat=f"No figures and no boards: {error}")
    return _Replay(glances, news, faces, goes_on=run.ask is not None, then=_then(run))


def _then(run: Run) -> tuple[str, ...]:
    """How the game ended, or what is told now."""
    if run.outcome:
        return (run.outcome.reason,)
    if run.ask is None:
        return ()
    news = run.ask.news.splitlines()
    is_said = not isinstance(run.ask, Show) or run.ask.text in news
    lines = news if is_said else [*run.ask.text.rstrip(":").splitlines(), *news]
    return tuple(filter(str.strip, lines))
