"""The plain front: questions as lines of text, answers as typed lines; for pipes, logs and braille."""

from __future__ import annotations

import shlex
import textwrap
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from queue import SimpleQueue
from shutil import get_terminal_size
from typing import IO

from companion.engine.asks import NONE, AnyAsk, Choose, Dice, Draw, Number, Option, Pick, Roll, Show, Text
from companion.engine.errors import BadAnswer, CompanionError, StaleAnswer
from companion.engine.game import Board
from companion.engine.session import Said
from companion.screens.console import PUT_RIGHT, ending
from companion.screens.dice_views import by_place
from companion.screens.views import wanted
from companion.table.dice import DiceSource
from companion.table.events import Changed, Closed, Event, Events, Notice, Seen, Typed, next_of
from companion.table.loop import LOCKOUT
from companion.table.table import Table
from companion.table.typed import assignment, checked, post, whole_number
from companion.wording import asking, fitted

HELP = "Type a number or an id; empty line: OK. Also: why, board, undo, redo, set PATH = VALUE, quit, help."

NOTHING = "-"
"""Typed for a text that is to be empty."""

OVER = "The game is over: undo takes its last decision back, quit leaves."


class LinesFront:
    """Plays a table over two text streams until the game ends, the input ends or `quit`.

    A game that was over before is looked at, or undone, until then.
    """

    def __init__(
        self, table: Table, lines: Iterable[str], out: IO[str], dice: DiceSource | None = None
    ) -> None:
        self._table = table
        self._lines = lines
        self._out = out
        self._dice = dice
        self._events: Events = SimpleQueue()
        self._asked = 0
        self._question: AnyAsk | None = None
        self._moved_at = float("-inf")

    def run(self) -> None:
        """Ask, read a line, and again."""
        stop = self._table.observe(self._news)
        try:
            was_over, happenings = self._table.outcome is not None, self._happenings()
            self._table.settle()
            self._say(HELP)
            self._put()
            if was_over:
                self._say(f"{ending(self._table.outcome)}\n{OVER}")
            while was_over or self._table.outcome is None:
                event = next(happenings, None)
                if event is None or (isinstance(event, Typed) and event.text.strip().lower() == "quit"):
                    break
                self._handle(event)
                was_over = was_over and self._table.outcome is not None
        finally:
            stop()
            if self._dice is not None:
                self._dice.close()

    def _happenings(self) -> Iterator[Event]:
        """Typed lines, and between them what a dice source sees or phones do."""
        if self._dice is None and not self._table.phones.lines:
            yield from map(Typed, self._lines)
            return
        threading.Thread(target=post, args=[self._lines, self._events], name="lines", daemon=True).start()
        while not isinstance(event := next_of(self._events), Closed):
            yield event

    def _handle(self, event: Event) -> None:
        match event:
            case Typed():
                self._take(event)
            case Notice(text=text) if text:
                self._say(f"* {text}")
            case Seen():
                self._offer(event)
            case Changed():
                self._catch_up()

    def _catch_up(self) -> None:
        """Put what a phone has made of the table, or what there is to say."""
        is_moved = self._asked != self._table.n
        if is_moved or self._table.notice:
            self._put()
        if is_moved:
            self._moved_at = time.monotonic()

    def _offer(self, seen: Seen) -> None:
        """Say what a reader saw; it is taken if it is sure."""
        n = self._table.n
        try:
            self._table.offer(seen)
        except CompanionError as error:
            self._say(f"! {error}")
        if self._table.in_view is seen:
            self._say_seen()
        if self._table.n != n:
            self._put()
        if seen.n == n:
            self._moved_at = time.monotonic()

    def _take(self, typed: Typed) -> None:
        """Do what a line says, if it was typed for what stands here; for how long it was not, see LOCKOUT."""
        try:
            if self._asked != self._table.n or typed.at - self._moved_at < LOCKOUT:
                raise StaleAnswer("that was typed for what stood here before")
            with self._table.still_at(self._asked):
                self._do(checked(typed.text))
        except CompanionError as error:
            self._say(f"! {error}")
            self._catch_up()
        else:
            self._put()

    def _do(self, line: str) -> None:
        table = self._table
        word, _, rest = line.partition(" ")
        match word.lower():
            case "why":
                self._say("\n".join(table.why()))
            case "board":
                self._board(table.board())
            case "undo":
                table.undo(whole_number(rest.strip() or "1"))
            case "redo":
                table.redo(whole_number(rest.strip() or "1"))
            case "set":
                table.override(*assignment(rest))
            case "help" | "?":
                self._say(HELP)
            case "q" | "exit" if word not in ids(self._question):
                raise BadAnswer(f"{word!r} means nothing here: `quit` saves and leaves")
            case _ if self._question is None:
                raise BadAnswer(OVER)
            case _:
                answer = typed_answer(self._question, line, table.kept or self._read())
                table.answer(self._asked, self._completed(answer))

    def _read(self) -> Sequence[str] | None:
        """The open roll as a reader saw it, if it has a face for each die."""
        seen = self._table.in_view
        if seen is None or None in seen.faces:
            return None
        return [face for face in seen.faces if face is not None]

    def _completed(self, answer: object) -> object:
        """The answer, with the dice that a reader was sure of, where only the doubtful ones were typed."""
        seen = self._table.in_view
        if (
            seen is None
            or not isinstance(self._question, Roll)
            or any(seen.others)
            or not isinstance(answer, list)
            or len(answer) != len(seen.doubtful)
        ):
            return answer
        places = [_words(one) for one in self._question.each]
        said = {at: places[at].get(word, word) for at, word in zip(seen.doubtful, answer, strict=True)}
        return [said.get(at, face) for at, face in enumerate(seen.faces)]

    def _board(self, board: Board) -> None:
        board = board.fitted()
        if board.title:
            self._say(f"== {board.title} ==")
        for panel in board.panels:
            self._say(f"{panel.title}:")
            self._say("\n".join(f"  {line}" for line in panel.lines))

    def _put(self) -> None:
        if self._asked != self._table.n and (changed := self._table.changed) is not None:
            self._say(f"* {PUT_RIGHT}:")
            self._board(changed)
        with self._table.lock:  # nobody answers it meanwhile
            self._asked, self._question = self._table.n, self._table.ask
        question = self._question
        if notice := self._table.notice:
            self._table.notice = ""  # first: while a slow reader is told of it, there may come another
            self._say(f"* {notice}")
        if question is None:
            return
        self._say(textwrap.indent(f"[{self._asked}] {question.text}", "    ")[4:])
        if question.detail:
            self._say(textwrap.indent(question.detail, "    "))
        self._say("\n".join(hints(question, self._table.kept)))
        self._say_seen()
        if self._dice is not None:
            self._table.be_watched(self._dice, self._events.put)

    def _say_seen(self) -> None:
        """Say what a reader saw of the open roll's dice, if it did."""
        if (seen := self._table.in_view) is not None:
            self._say(f"* {seen.source} saw: {in_words(seen)}")

    def _news(self, news: Sequence[Said]) -> None:
        for said in news:
            if said.by != "player":
                self._say(f"  {asking(said.ask.text)} {said.ask.label(said.answer)} ({said.by})")
        if threading.current_thread() is not threading.main_thread():
            self._events.put(Changed())

    def _say(self, text: str) -> None:
        if text:
            say(text, self._out)


def say(text: str, out: IO[str]) -> None:
    """Write that at once; a terminal by itself would break its longer lines in mid-word."""
    out.write((fitted(text, get_terminal_size().columns) if out.isatty() else text) + "\n")
    out.flush()


_MANY = 18
"""Options that stand on a line of their own, at most: a terminal has 24 lines and more is on it."""

_COLUMNS = 79
"""Columns of a usual terminal but for the last, in which some begin the next line already.

A narrow one has fewer.
"""


def in_words(seen: Seen) -> str:
    """Dice that somebody has to say: what was read, what it may be instead, and what to type."""
    marks = ("?" if at in seen.doubtful and face else "" for at, face in enumerate(seen.faces))
    faces = " ".join(f"{face or '?'}{mark}" for face, mark in zip(seen.faces, marks, strict=True))
    others = "".join(
        f", others {' '.join(face or '?' for face in one)}" for one in dict.fromkeys(seen.others) if one
    )
    taken = "" if None in seen.faces else "empty line: take these, or "
    some = 0 < len(seen.doubtful) < len(seen.faces) and not others
    typed = "type what is at each ?, or all faces" if some else "type all faces"
    return f"{faces}{others}; {taken}{typed} as they are"


def numbered(options: Sequence[Option], keys: int | None = None) -> list[str]:
    """Options with the places by which they are typed; with so many `keys`, those after them without."""
    return [
        ("  - " if keys is not None and at > keys else f"  {at}. ")
        + (f"{option.label} - {option.detail}" if option.detail else option.label)
        for at, option in enumerate(options, start=1)
    ]


def _side_by_side(lines: list[str]) -> list[str]:
    """More lines than a screen has, several in one where they are short, or the question would be gone."""
    if len(lines) <= _MANY:
        return lines
    columns = min(_COLUMNS, get_terminal_size().columns - 1)
    width = max((len(line) for line in lines if len(line) <= columns // 2), default=columns)
    rows: list[list[str]] = []
    is_open = False
    for line in lines:
        is_short = len(line) <= width
        if is_open and is_short and len(rows[-1]) < columns // width:
            rows[-1].append(line)
        else:
            rows.append([line])
        is_open = is_short
    return ["".join(one.ljust(width) for one in row).rstrip() for row in rows]


def ids(question: AnyAsk | None) -> list[str]:
    """The options of an ask, as they are answered; none where it has none."""
    return [one.id for one in question.options] if isinstance(question, Choose | Pick | Draw) else []


def hints(question: AnyAsk, kept: Sequence[str] | None = None) -> list[str]:
    """What can be typed for an ask."""
    match question:
        case Choose(options=options) | Pick(options=options) | Draw(options=options):
            lines = _side_by_side(numbered(options))
            if isinstance(question, Pick):
                how = ", with spaces between" if question.most > 1 else ""
                how += f", `{NONE}`: none of them" if question.least == 0 else ""
                lines.append(f"  (pick {wanted(question.least, question.most)}{how})")
            if isinstance(question, Draw) and question.count > 1:
                lines.append(f"  ({question.count} of these, with spaces between)")
            if kept:
                lines.append(f"  (empty line: {question.label(kept)}, as drawn before)")
            return lines
        case Number(least=least, most=most, start=start):
            return [f"  ({least} to {most}" + (")" if start is None else f", empty line: {start})")]
        case Text(start=start):
            return [f"  (empty line: {start}; {NOTHING}: nothing)" if start else f"  ({NOTHING}: nothing)"]
        case Roll(dice=dice, locked=locked):
            count = sum(one.count for one in dice)
            lines = [f"  stays {one.words}" for one in locked] + dice_lines(dice)
            if count > 1:
                lines.append(f"  ({count} faces in this order, with spaces between)")
            return lines + ([f"  (empty line: {' '.join(kept)}, as they lie)"] if kept else [])
    return ["  (Enter)"]


def dice_lines(dice: Sequence[Dice]) -> list[str]:
    """The dice of a roll with their faces, each after the place that may be typed instead."""
    lines = []
    for one in dice:
        places = {face: f"{place}:" for place, face in by_place(one.faces).items()}
        faces = " ".join(places.get(face, "") + face for face in one.faces)
        lines.append(f"  {one.count} x {one.name}: {faces}")
    return lines


def typed_answer(question: AnyAsk, line: str, kept: Sequence[str] | None = None) -> object:
    """What a typed line means as an answer; `BadAnswer` where it can't mean any."""
    if isinstance(question, Choose):
        return _by_place(question.options, line)
    if isinstance(question, Text):
        return "" if line == NOTHING else line or question.start
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise BadAnswer(f"{line!r}: {error}") from error
    match question:
        case Show():
            if words and line.lower() != "ok":
                raise BadAnswer(f"{line!r} means nothing here: an empty line goes on, `help` names the words")
            return True
        case Number(start=start):
            return start if start is not None and not line else whole_number(line)
        case Roll() | Draw() if kept and not words:
            return list(kept)
        case Roll():
            return _rolled(question.each, words)
        case Pick(least=0) if line.lower() == NONE:
            return []
        case Pick() | Draw():
            return [_by_place(question.options, word) for word in words]
    return words


def _rolled(dice: Sequence[Dice], words: list[str]) -> list[str]:
    """Faces for what was typed, die by die; as it is where that is not one word a die."""
    faces = [_words(one) for one in dice]
    if len(words) != len(faces):
        return words
    return [named.get(word, word) for named, word in zip(faces, words, strict=True)]


def _words(dice: Dice) -> dict[str, str]:
    """The faces by what may be typed for them: their places, also as `dice_lines` prints both."""
    places = by_place(dice.faces)
    return places | {f"{place}:{face}": face for place, face in places.items()}


def _by_place(options: Sequence[Option], word: str) -> str:
    """An id, the one id with that label, or that at a place from 1, before numbers that no label shows.

    `BadAnswer` names the places where it is none: the ids are not on the screen.
    """
    names = [one.id for one in options]
    is_place = word[:-1].isdecimal() and word[-1] == "."  # as `numbered` prints it
    if is_place:
        word = word[:-1]
    elif word not in names and not word.isdecimal():
        labelled = [one.id for one in options if one.label.casefold() == word.casefold()]
        if len(labelled) == 1:
            return labelled[0]
    if not word.isdecimal() or not 1 <= whole_number(word) <= len(names):
        if is_place or word not in names:
            typed = f", not {word!r}" if word else ""
            raise BadAnswer(f"a number from 1 to {len(names)} is wanted{typed}")
        return word
    shown = all(one.id in one.label.split() for one in options if one.id.isdecimal())
    return word if word in names and shown and not is_place else names[whole_number(word) - 1]
