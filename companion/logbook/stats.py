"""What all sessions of a game say together: wins, length, dice, and how well the camera reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import median

import msgspec

from companion.engine.game import Game, Result, Setting
from companion.engine.journal import Journal
from companion.engine.records import SOFTWARE, RolledDie
from companion.logbook.chances import Fairness, fairness
from companion.logbook.report import DiceRow, dice_rows, in_time
from companion.logbook.story import turn_word, turns_of
from companion.logbook.trace import Trace, retrace
from companion.wording import begun, counted, percent

PERCENT_FROM = 10
"""Games from which on a share of wins is given in per cent."""


class Way(msgspec.Struct, frozen=True):
    """Finished games that have one thing in common, such as a difficulty; lengths are medians.

    `decided` were won or lost; others only end, as where people play each other. `turns` is 0 where no
    session can be played through again, `seconds` too where of none the end is left.
    """

    name: str
    played: int
    decided: int
    won: int
    seconds: float
    turns: float

    @property
    def wins(self) -> str:
        """Games won, and of how many that could be; no percentage of a handful."""
        if not self.decided:
            return "-"
        share = f" ({percent(self.won / self.decided)})" if self.decided >= PERCENT_FROM else ""
        return f"{self.won} of {self.decided}{share}"

    @property
    def length(self) -> str:
        """How long it took, if that is known."""
        return in_time(self.seconds) if self.seconds else "-"

    @property
    def turns_told(self) -> str:
        """Its turns, if they are known."""
        return f"{self.turns:g}" if self.turns else "-"


class DieStats(msgspec.Struct, frozen=True):
    """One kind of die from one source over all sessions, and whether it looks fair, if that can be told."""

    row: DiceRow
    fairness: Fairness | None

    @property
    def verdict(self) -> str:
        """Whether it looks fair, in words."""
        if self.fairness is None:
            return "How often these dice have each face is not known here, so nothing can be said of them."
        return str(self.fairness)

    @property
    def figures(self) -> str:
        """The test in figures, if there was one."""
        return self.fairness.figures if self.fairness else ""


class Reader(msgspec.Struct, frozen=True):
    """Dice read by the camera: how many it was sure of, asked about, and read wrongly."""

    read: int
    asked: int
    corrected: int

    @property
    def sure(self) -> int:
        """Dice that nobody had to look at."""
        return self.read - self.asked

    def __str__(self) -> str:
        return (
            f"Of {counted(self.read, 'die', 'dice')} read, it was sure of {self.sure}, asked about "
            f"{self.asked}, and a person said otherwise of {self.corrected}."
        )


class Stats(msgspec.Struct, frozen=True):
    """The statistics of one game."""

    title: str
    sessions: int
    finished: int
    overall: Way | None
    ways: tuple[Way, ...]
    dice: tuple[DieStats, ...]
    reader: Reader
    turns: str
    """What the game calls them."""

    @property
    def lead(self) -> str:
        """How much was played and won, in a sentence."""
        sessions = f"{counted(self.sessions, 'session')}, {self.finished} of them finished"
        if self.overall is None:
            return f"{sessions}."
        ended = self.finished - self.overall.decided
        told = [f"won {self.overall.wins}"] * bool(self.overall.decided)
        told += [f"{ended} neither won nor lost"] * bool(ended)
        return f"{sessions}; {', '.join(told)}."


def stats(journal: Journal, game: Game) -> Stats:
    """Read all sessions of a game back and sum them up."""
    traces = [retrace(journal, game, meta) for meta in journal.sessions() if meta.game == game.name]
    finished = [trace for trace in traces if trace.meta.outcome]
    return Stats(
        title=game.title,
        sessions=len(traces),
        finished=len(finished),
        overall=_way("All games", finished) if finished else None,
        ways=tuple(_ways(finished, game.settings)),
        dice=tuple(_dice(traces, game.uneven)),
        reader=_reader(traces),
        turns=f"{begun(turn_word(moment for trace in finished for moment in trace.moments))}s",
    )


def _ways(finished: Sequence[Trace], settings: Sequence[Setting]) -> Iterator[Way]:
    """By packs, by scenario, by every option that was not always the same, in the order of its values."""
    places = {f"{one.name}: {value}": at for one in settings for at, value in enumerate(one.choices)}
    names = dict.fromkeys(name for trace in finished for name in trace.meta.settings)
    keys: list[Callable[[Trace], str]] = [
        lambda trace: f"packs: {', '.join(trace.meta.packs)}" if trace.meta.packs else "",
        lambda trace: f"scenario: {trace.scenario}" if trace.scenario else "",
        *(lambda trace, name=name: f"{name}: {trace.meta.settings.get(name, '-')}" for name in names),
    ]
    for number, key in enumerate(keys):
        groups: dict[str, list[Trace]] = {}
        for trace in finished:
            groups.setdefault(key(trace), []).append(trace)
        if number == 0 or len(groups) > 1:
            ordered = sorted(groups, key=lambda name: (places.get(name, -1), name))
            yield from (_way(name, groups[name]) for name in ordered if name)


def _way(name: str, finished: Sequence[Trace]) -> Way:
    outcomes = Counter(trace.meta.outcome for trace in finished)
    whole = [trace for trace in finished if not trace.is_cut]
    return Way(
        name,
        len(finished),
        outcomes[Result.WON] + outcomes[Result.LOST],
        outcomes[Result.WON],
        median([trace.seconds for trace in whole] or [0]),
        median([turns_of(trace.moments) for trace in whole if not trace.caveat] or [0]),
    )


def _dice(traces: Sequence[Trace], uneven: Sequence[str]) -> Iterator[DieStats]:
    on_die = {die: faces for trace in traces for die, faces in trace.faces.items()}
    for row in dice_rows((die for trace in traces for die in _rolled(trace)), on_die, uneven):
        yield DieStats(row, fairness(row.faces, on_die[row.die]) if row.even else None)


def _reader(traces: Iterable[Trace]) -> Reader:
    """The journal keeps the reader's confidence with each die it read, and a photo where it asked."""
    read = [die for trace in traces for die in _rolled(trace) if die.confidence is not None]
    return Reader(
        len(read),
        sum(die.photo is not None for die in read),
        sum(die.read is not None for die in read),
    )


def _rolled(trace: Trace) -> Iterator[RolledDie]:
    """All dice that fell in a session, also those of answers that were taken back, but each fall once."""
    standing = {moment.seq for moment in trace.moments}
    for seq, dice in trace.rolls.items():
        if seq in trace.again:
            continue
        yield from (die for die in dice if die.source != SOFTWARE or seq in standing)
