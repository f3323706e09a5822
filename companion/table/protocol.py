"""The table protocol: one JSON object a line, so that any program can sit at the table.

What is asked, told and taken is in README.md beside this file.
Nothing but these lines is written. A line that can't be used gets an `error` and changes nothing.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from queue import SimpleQueue
from typing import IO, Annotated, Any, TypeAlias

import msgspec

from companion.engine.asks import AnyAsk
from companion.engine.errors import BadAnswer, CompanionError
from companion.engine.game import Board, Outcome
from companion.engine.records import SOFTWARE
from companion.engine.session import Said
from companion.table.dice import CAMERA, SERIAL, DiceSource
from companion.table.events import Changed, Closed, Events, Notice, Seen, Typed, next_of
from companion.table.table import Table
from companion.table.typed import checked, post

PROTOCOL = 1
FRONT = "front"
"""Who answers here, as the journal has it."""

Message: TypeAlias = dict[str, object]


class Override(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Set `path` of the state to `value` by hand."""

    path: str
    value: object


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line from outside: an answer with its number, or one of the other commands.

    `teach` with an answer keeps dice that a reader doubted or mistook as teaching samples. A list of
    overrides is set together, all or none.
    """

    n: int | None = None
    answer: object = msgspec.UNSET
    undo: int | bool = False
    redo: int | bool = False
    state: bool = False
    why: bool = False
    board: bool = False
    quit: bool = False
    teach: bool = False
    override: Override | Annotated[tuple[Override, ...], msgspec.Meta(min_length=1)] | None = None


_decode = msgspec.json.Decoder(Command).decode


def _named_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object; `ValueError` where a name stands twice in it, since either may be what is meant."""
    named = dict(pairs)
    if len(named) < len(pairs):
        raise ValueError("a name stands twice in it")
    return named


def parse(line: str) -> Command:
    """A line as a command; `BadAnswer` says what is wrong with it."""
    try:
        command = _decode(checked(line))
        json.loads(line, object_pairs_hook=_named_once)
    except (ValueError, RecursionError) as error:
        raise BadAnswer(f"not a command: {error}") from error
    if (command.n is None) != (command.answer is msgspec.UNSET):
        raise BadAnswer('an answer needs both: {"n": 12, "answer": ...}')
    turns = [one for one in (command.undo, command.redo) if one is not False]  # 0 is one that is refused
    moves = len(turns) + (command.n is not None) + (command.override is not None)
    if not moves and command == Command(teach=command.teach):
        raise BadAnswer(
            "an empty command: give n and answer, undo, redo, state, why, board, override or quit"
        )
    if moves > 1:
        raise BadAnswer("one of answer, undo, redo and override a line: what is refused must change nothing")
    return command


def ask_message(n: int, question: AnyAsk, kept: Sequence[str] | None = None) -> Message:
    """An open ask as the protocol has it."""
    bare = msgspec.structs.replace(question, former=None, settled=None, news="", because=())
    fields: dict[str, Any] = msgspec.to_builtins(bare)
    if question.kind != "draw":
        for option in fields.get("options", ()):
            option.pop("copies", None)  # of a deck: each can be picked once
    message: Message = {"type": "ask", "n": n, "kind": question.kind, "rule": [], **fields}
    for name in ("options", "locked", "least", "most", "count", "deck"):
        if name in question.__struct_fields__:  # also where they have their defaults
            message[name] = fields.get(name, getattr(question, name))
    if kept is not None:
        message["kept"] = list(kept)
    return message


def said_message(said: Said) -> Message:
    """An applied answer: `rolled` and `drawn` where software gave it; what a device read is told too."""
    if said.by == SOFTWARE:
        kind = "rolled" if said.ask.kind == "roll" else "drawn"
        return {"type": kind, "n": said.n, "key": said.ask.key, "text": said.ask.text, "answer": said.answer}
    told: Message = {"type": "said", "n": said.n, "by": said.by}
    return told | ({"answer": said.answer} if said.by in (CAMERA, SERIAL) else {})


def end_message(outcome: Outcome) -> Message:
    """The end of the game."""
    return {
        "type": "end",
        "outcome": outcome.result.value,
        "reason": outcome.reason,
        "score": outcome.score,
    }


def seen_message(seen: Seen) -> Message:
    """Dice that somebody has to say."""
    message: Message = {
        "type": "seen",
        "n": seen.n,
        "faces": list(seen.faces),
        "doubtful": list(seen.doubtful),
        "by": seen.source,
        "pictures": list(seen.pictures),
    }
    return message | ({"others": [list(faces) for faces in seen.others]} if any(seen.others) else {})


def _board_message(kind: str, n: int, board: Board) -> Message:
    return {"type": kind, "n": n, "board": msgspec.to_builtins(board.fitted())}


def _looked_at(table: Table, command: Command) -> Iterator[Message]:
    """What the other side wants to see of the table."""
    if command.state:
        yield {"type": "state", "n": table.n, "state": table.state}
    if command.board:
        yield _board_message("board", table.n, table.board())
    if command.why:
        rules = [{"id": entry.id, "says": entry.words} for entry in table.cited()]
        because = table.ask.because if table.ask else ()
        yield {"type": "why", "n": table.n, "rules": rules} | ({"because": because} if because else {})


class JsonFront:
    """Plays a table over two text streams until the game ends, the input ends or `quit`."""

    def __init__(
        self, table: Table, lines: Iterable[str], out: IO[str], dice: DiceSource | None = None
    ) -> None:
        self._table = table
        self._lines = lines
        self._out = out
        self._dice = dice
        self._events: Events = SimpleQueue()
        self._asked = 0
        self._done = False

    def run(self) -> None:
        """Say hello, then ask and listen."""
        meta = self._table.session.meta
        self._say(
            {
                "type": "hello",
                "protocol": PROTOCOL,
                "game": meta.game,
                "session": meta.id,
                "seed": meta.seed,
                "dice": meta.dice,
            }
        )
        stop = self._table.observe(self._news)
        threading.Thread(target=post, args=[self._lines, self._events], name="protocol", daemon=True).start()
        try:
            self._table.settle()
            self._ask()
            while not self._done:
                self._handle(next_of(self._events))
        finally:
            stop()
            if self._dice is not None:
                self._dice.close()

    def _handle(self, event: object) -> None:
        match event:
            case Typed(text=text) if text.strip():
                self._take(text)
            case Closed():
                self._done = True
            case Seen():
                self._seen(event)
            case Notice(text=text):
                self._say({"type": "notice", "text": text})
            case Changed():
                self._ask()

    def _take(self, line: str) -> None:
        number: int | None = None
        try:
            command = parse(line)
            number = command.n
            self._do(command)
        except CompanionError as error:
            about = self._table.n if number is None else number
            self._say({"type": "error", "n": about, "message": str(error)})
        self._ask()

    def _do(self, command: Command) -> None:
        table = self._table
        if command.n is not None:
            table.answer(command.n, command.answer, FRONT, teach=command.teach)
        if command.override is not None:
            each = command.override if isinstance(command.override, tuple) else (command.override,)
            changes = {one.path: one.value for one in each}
            if len(changes) < len(each):
                raise BadAnswer("one value for each path")
            table.override_all(changes, FRONT)
        if command.undo is not False:
            table.undo(int(command.undo), FRONT)
        if command.redo is not False:
            table.redo(int(command.redo), FRONT)
        with table.lock:
            told = list(_looked_at(table, command))
        for message in told:
            self._say(message)
        self._done = command.quit

    def _seen(self, seen: Seen) -> None:
        """Dice that a reader saw: taken if they are sure, else shown for the other side to say."""
        n = self._table.n
        if seen.n == n and not seen.is_settled:
            self._say(seen_message(seen))
        try:
            self._table.offer(seen)
        except CompanionError as error:
            self._say({"type": "error", "n": n, "message": str(error)})
            if self._table.n == n:
                self._say(seen_message(seen))
        self._ask()

    def _told(self) -> None:
        """What a device, the reader or the journal has to say."""
        if notice := self._table.notice:
            self._table.notice = ""  # first: while a slow reader is told of it, there may come another
            self._say({"type": "notice", "text": notice})

    def _news(self, news: Sequence[Said]) -> None:
        for said in news:
            self._say(said_message(said))
        if threading.current_thread() is not threading.main_thread():
            self._events.put(Changed())

    def _ask(self) -> None:
        """Put the open ask, once, alone with the table; or say how it ended."""
        table = self._table
        if self._done:
            return
        self._told()
        with table.lock:  # nobody answers it before it is put
            n, question = table.n, table.ask
            if table.changed is not None and self._asked != n:
                self._say(_board_message("changed", n, table.changed))
            if table.outcome is not None:
                self._say(end_message(table.outcome))
                self._done = True
            elif question is not None and self._asked != n:
                self._asked = n
                self._say(ask_message(n, question, table.kept))
                if self._dice is not None:
                    table.be_watched(self._dice, self._events.put)

    def _say(self, message: Message) -> None:
        self._out.write(msgspec.json.encode(message).decode() + "\n")
        self._out.flush()
