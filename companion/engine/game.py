"""What a game is to the engine, and what a play of it is.

A game is a folder under `companion.games` whose module has a `GAME`. Other distributions bring theirs
through the entry-point group `companion.games`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Protocol

import msgspec

from companion.engine.asks import AnyAsk, Script
from companion.engine.errors import BadInput
from companion.engine.packs import Tables
from companion.wording import begun, fitted

_GAP = re.compile(r"(?<=\S) {2,}")
_FURTHER_IN = 2
"""Columns by which a line stands further in that belongs to one above it."""


class Result(StrEnum):
    """How a game went for the player; `ended` where nobody wins or loses."""

    WON = "won"
    LOST = "lost"
    ENDED = "ended"


class Outcome(msgspec.Struct, frozen=True):
    """The end of a game: what a script returns.

    The first of `score` is the players' own: logbooks elsewhere know only one.
    """

    result: Result
    reason: str
    score: dict[str, int] = msgspec.field(default_factory=dict)


class Setting(msgspec.Struct, frozen=True):
    """One of a game's own options (`--set name=value`): its choices, first the default.

    `before` is how a session goes on that was begun when there was no such option, if not by the default;
    `label` is what a form calls it and `said` what it calls the choices, where their names read badly.
    """

    name: str
    help: str
    choices: tuple[str, ...]
    rule: tuple[str, ...] = ()
    before: str = ""
    label: str = ""
    said: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What a form calls it."""
        return begun(self.label or self.name.replace("_", " "))

    @property
    def titles(self) -> dict[str, str]:
        """What a form calls each choice."""
        return dict(zip(self.choices, self.said or self.choices, strict=True))

    @property
    def default(self) -> str:
        """What holds if nobody says otherwise."""
        return self.choices[0]

    def accept(self, value: str) -> str:
        """The value if it is a choice; else `BadInput` with the choices."""
        if value not in self.choices:
            raise BadInput(f"{self.name}={value}: choose from {', '.join(self.choices)}")
        return value


class Setup(msgspec.Struct, frozen=True):
    """Everything that a play starts from: `pack` is the game's own merged pack type.

    `begun` says that the session is there already. Whatever is found to be wrong with its packs only since,
    a play that they were good enough to begin goes on, or is read again. `draws_by_hand` is whether a person
    draws the cards, and so reads what is told with that.
    """

    pack: msgspec.Struct
    settings: Mapping[str, str] = msgspec.field(default_factory=dict)
    scenario: str = ""
    begun: bool = False
    draws_by_hand: bool = False


class Panel(msgspec.Struct, frozen=True, omit_defaults=True):
    """A titled block of lines; where one is too long for a screen it goes on below.

    `narrow` says the same where the lines are a map, which a screen too narrow for it would break. `lying` is
    what lies there, a thing a line, where the lines are a map or tell what follows from it too. With
    `whole_names` a thing there is known by all that stands before its colon, else by the first word of that.
    """

    title: str
    lines: tuple[str, ...]
    narrow: tuple[str, ...] = ()
    lying: tuple[str, ...] | None = None
    whole_names: bool = False

    def within(self, columns: int) -> tuple[str, ...]:
        """What a screen of so many columns shows; in a line that is too long no gap is kept between words."""
        if self.narrow and any(len(line) > columns for line in self.lines):
            return self.narrow
        return tuple(_GAP.sub(" ", line) if len(line) > columns else line for line in self.lines)

    def fitted(self, columns: int = 40) -> tuple[str, ...]:
        """The lines with at most so many columns, see `companion.wording.fitted`."""
        return tuple(part for line in self.lines for part in fitted(line, columns).split("\n"))

    def since(self, *before: Panel) -> Panel:
        """The lines that are not as in one of those, each below the one it belongs to, as is what is gone.

        Of several that are alike all are told. A new line that has the first word of an old one before its
        colon, at its beginning or after a comma, has taken its place, unless whole names count. Of what is
        gone no more is told than stands before a colon: the rest may be for the eyes of whose turn it was.
        """
        new, told = self._lying, [self._since(one) for one in before]
        gone: dict[int, list[str]] = {}
        for owner, name in reduce(or_, (Counter(names) for _, names in told)).elements():
            at = next((at for at, line in enumerate(new) if owner and _word(line) == owner), len(new))
            gone.setdefault(at, []).append(f"{'  ' if owner else ''}no more: {name}")
        changed = {at for places, _ in told for at in places} | (gone.keys() - {len(new)})
        shown = sorted({one for at in changed for one in (at, *_above(new, at))})
        lines = [line for at in shown for line in (new[at], *gone.get(at, ()))]
        return Panel(self.title, (*lines, *gone.get(len(new), ())))

    @property
    def _lying(self) -> tuple[str, ...]:
        return self.lines if self.lying is None else self.lying

    def _since(self, before: Panel) -> tuple[set[int], list[tuple[str, str]]]:
        """Which lines differ; and what is gone, by whose it was, see `_owner`, and its name."""
        old, new = (
            [(_owner(lying, at), line) for at, line in enumerate(lying)]
            for lying in (before._lying, self._lying)
        )
        parts = [part for part in SequenceMatcher(None, old, new, False).get_opcodes() if part[0] != "equal"]
        changed = {at for *_, first, end in parts for at in range(first, end)}
        stale = [line for _, first, end, *_ in parts for line in old[first:end]]
        alike = {*stale, *(new[at] for at in changed)}
        changed |= {at for at, line in enumerate(new) if line in alike}
        known = _names if self.whole_names else _words
        words = {(new[at][0], word) for at in changed for word in known(new[at][1])}
        left = [(owner, line) for owner, line in stale if (owner, *known(line)[:1]) not in words]
        return changed, [(owner, _named(line)) for owner, line in left if (owner, line) not in new]


def _named(line: str) -> str:
    """What a line begins with, up to a colon, without the marks before it."""
    return line[_column(line) :].partition(":")[0].rstrip()


def _word(line: str) -> str:
    """The first word of that."""
    return next(iter(_words(line)), "")


def _words(line: str) -> list[str]:
    """The first word of each thing that it names, with commas between."""
    return [part.split()[0] for part in _named(line).split(",") if part.strip()]


def _names(line: str) -> list[str]:
    """Its whole name, where it has a colon behind it."""
    return [_named(line)] if ":" in line else _words(line)


def _column(line: str) -> int:
    """Where the first word of a line begins."""
    return next((at for at, letter in enumerate(line) if letter.isalnum()), len(line))


def _above(lines: Sequence[str], at: int) -> list[int]:
    """The line that the one at that place stands further in below, if it does."""
    return [one for one in range(at) if _column(lines[one]) <= _column(lines[at]) - _FURTHER_IN][-1:]


def _owner(lines: Sequence[str], at: int) -> str:
    """The first word of that line; nothing of one that belongs to no other."""
    return "".join(_word(lines[one]) for one in _above(lines, at))


class Board(msgspec.Struct, frozen=True):
    """The table as text: panels in order of importance.

    Of a title a small display has room for the last parts between commas, `place, lap 2, turn 5`: at its end
    stands what changes.
    """

    title: str
    panels: tuple[Panel, ...]

    def fitted(self) -> Board:
        """The same in short lines."""
        return Board(self.title, tuple(Panel(one.title, one.fitted()) for one in self.panels))

    def since(self, *before: Board) -> Board | None:
        """What does not lie as in one of those, the title only if it was another; None if all does.

        A panel whose title is new is told as a whole; one is gone if none begins so, up to a colon.
        """
        there = [{panel.title: panel for panel in was.panels} for was in before]
        here = {_named(panel.title) for panel in self.panels}
        gone = dict.fromkeys(title for panels in there for title in panels if _named(title) not in here)
        empty = [Panel(title, ()) for title in gone]
        compared = [
            one.since(*(panels.get(one.title, Panel(one.title, ())) for panels in there))
            for one in (*self.panels, *empty)
        ]
        panels = tuple(panel for panel in compared if panel.lines)
        title = self.title if any(was.title != self.title for was in before) else ""
        return Board(title, panels) if panels or title else None


class Play(Protocol):
    """One game on the table: its whole state, and the script that moves it."""

    @property
    def state(self) -> msgspec.Struct:
        """All that is on the table; mutable, and JSON through msgspec."""

    def script(self) -> Script[Outcome]:
        """The game from its first ask to its outcome."""

    def check(self) -> Iterable[str]:
        """Every invariant of the state that does not hold, in words; none if all is well."""

    def board(self) -> Board:
        """The table as text."""

    def svg(self) -> str:
        """The table as one SVG document of its own (no script, no reference outside itself)."""

    def learned(self) -> Tables:
        """Records entered at the table in this play, for the owner's pack; mostly none."""

    def advise(self, question: AnyAsk, policy: str) -> object | None:
        """What `policy` would answer to this decision; None where it has no opinion (random then)."""


class Problem(msgspec.Struct, frozen=True):
    """What is missing or contradictory in a pack: TOML path, words, and the ledger id if there is one."""

    path: str
    message: str
    rule: str = ""

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" + (f" [{self.rule}]" if self.rule else "")


class Glance(msgspec.Struct, frozen=True):
    """What a report follows over a session: the turn (empty in the set-up), and figures such as health.

    A turn is its number, or begins with what the game calls it: `Round 3`. Where several sit at the table the
    last word of a figure is whose it is: `soldiers A`.
    `who` is asked now, where several sit at the table and the question does not begin with the name.
    `turns` have begun; 0 where their names alone tell them apart, as none changes while it is played.
    `weighty` are the figures by which an answer can weigh most, where all players are one side; any of them,
    on several sides, if it is empty.
    """

    turn: str = ""
    figures: dict[str, int] = msgspec.field(default_factory=dict)
    who: str = ""
    turns: int = 0
    weighty: tuple[str, ...] = ()


def _whole_numbers(state: msgspec.Struct) -> Glance:
    """For a game that does not say what to follow: every whole number at the top of its state."""
    numbers = {name: getattr(state, name) for name in state.__struct_fields__}
    return Glance(figures={name: value for name, value in numbers.items() if type(value) is int})


def title_of(records: Mapping[str, object], name: str) -> str:
    """What people call the record of that name; its name, if it has no title or is not there."""
    return getattr(records.get(name), "title", name)


def _scenario_title(pack: msgspec.Struct, scenario: str) -> str:
    return title_of(getattr(pack, "scenario", {}), scenario)


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """What a game brings: its data's schemas and the functions that play it.

    `start` makes a fresh play and raises `BadInput` or `PackError` if it can't be set up; `scenarios`
    are what `--scenario` takes with a pack, first the default, none where there is but one, and `titled` is
    what people call one of them; `problems` are what a merged pack lacks or contradicts (`companion pack
    check`). `policies` are the names that `Play.advise` knows beside the engine's own `random` and `first`.
    `entry` asks the owner for what a printed thing (a map, a scenario, a card; named by its record) shows,
    and returns the records for the owner's pack; it is given what that pack says already. `asks` are the
    tables of which it asks so, with what it calls a record of each (`award.{}`); records of the others are
    entered by the fields of their types. `show` is such a thing, named as it was typed or TABLE.NAME, as a
    player would read it, line by line (`companion pack show`, and beside a form); `BadInput` where the game
    has no way of its own to read it. `glance` reads off a state what a report follows; `board` names what a
    whole session was played on, by its scenario and settings, empty if that is more than one thing.
    `uneven` are the kinds of dice of which nobody knows how often they have each of their faces; `draws` is
    whether cards are drawn in it at all.
    `folder` holds `ledger.toml` and `packs/NAME/pack.toml`.
    """

    name: str
    title: str
    folder: Path
    pack_type: type[msgspec.Struct]
    state_type: type[msgspec.Struct]
    start: Callable[[Setup], Play]
    settings: tuple[Setting, ...] = ()
    policies: tuple[str, ...] = ()
    scenarios: Callable[[msgspec.Struct], tuple[str, ...]] = lambda _: ()
    titled: Callable[[msgspec.Struct, str], str] = _scenario_title
    problems: Callable[[msgspec.Struct], Iterable[Problem]] = lambda _: ()
    entry: Callable[[msgspec.Struct, str, Tables], Script[Tables]] | None = None
    asks: Mapping[str, str] = msgspec.field(default_factory=dict)
    glance: Callable[[msgspec.Struct], Glance] = _whole_numbers
    board: Callable[[str, Mapping[str, str]], str] = lambda scenario, _: scenario
    show: Callable[[msgspec.Struct, str], Iterable[str]] | None = None
    uneven: tuple[str, ...] = ()
    draws: bool = True


def setup(game: Game, pack: msgspec.Struct, settings: Mapping[str, str], scenario: str = "") -> Setup:
    """What a play starts from: settings checked and completed, the first scenario if none is named.

    An unknown setting, value or scenario is a `BadInput` that names those there are.
    """
    known = game.scenarios(pack)
    if scenario and scenario not in known:
        there = f"{game.name} has {', '.join(known) or 'none'}"
        raise BadInput(f"--scenario {scenario}: {_lacks(game, pack, scenario)}{there}")
    return Setup(pack, _settled(game, settings), scenario or next(iter(known), ""))


def _lacks(game: Game, pack: msgspec.Struct, scenario: str) -> str:
    """What keeps a scenario that the pack names from being played: the first thing of what a check lists."""
    found = [one for one in game.problems(pack) if f"{one.path}.".startswith(f"scenario.{scenario}.")]
    more = f" and more, see `companion pack check {game.name}`" if found[1:] else ""
    return f"not whole yet: {found[0]}{more}; " if found else ""


def _settled(game: Game, given: Mapping[str, str]) -> dict[str, str]:
    known = {setting.name: setting for setting in game.settings}
    for name in given:
        if name not in known:
            raise BadInput(f"{name}: {game.name} has no such option; it has {', '.join(known)}")
    return {
        name: setting.accept(given[name]) if name in given else setting.default
        for name, setting in known.items()
    }
