"""Entering what a card or a map prints: the game's own questions, at a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Final
from urllib.parse import quote

import msgspec

from companion.engine.asks import AnyAsk, Number, Script, Show, Text, ask
from companion.engine.card_words import in_words
from companion.engine.errors import BadAnswer, BadInput
from companion.engine.files import write_whole
from companion.engine.owner_pack import alone
from companion.engine.packs import Tables
from companion.engine.records import blob_name
from companion.table.lines import hints, say, typed_answer
from companion.table.typed import checked

HELP = "Type a number or an id; `undo` goes back, `quit` leaves: what was answered is offered the next time."
ON: Final = "go on"
GO_ON = f"`{ON}` takes what was answered before, up to the last of it."


class Answered(msgspec.Struct, frozen=True):
    """One answer, and what was asked: its fingerprint and its words."""

    ask: str
    text: str
    answer: object


SAVED = Answered("", "saved", None)
RESULT: Final = "pack.result"
"""The key of what shows all that was entered before it is saved."""
SAVE: Final = "save"
"""What a script is answered with at its end that shows what was entered itself."""


def draft_file(owner_folder: Path, thing: str) -> Path:
    """Where the answers about a thing are kept, whoever asks; of a long name a file has but the beginning."""
    name = quote(thing, safe=" ")
    if len(name) > _LONGEST_NAME:
        name = f"{name[:_LONGEST_NAME]}~{blob_name(thing.encode())}"
    return owner_folder / "answers" / f"{name}.jsonl"


_LONGEST_NAME = 150
"""Characters of a file's name from a thing's, in which a letter may take nine; disks take 255."""


class Draft:
    """The answers of one entry in a file of JSON lines, so that it can be gone on with or corrected.

    What was answered before is offered where the same is asked in the same order; a file that can't be
    read offers nothing. A last line says whether the entry was saved: see `forget_outdated`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._given: list[Answered] = []
        try:
            self._before = msgspec.json.Decoder(Answered).decode_lines(path.read_bytes())
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            self._before = []
        self.is_saved = SAVED in self._before
        if self.is_saved:
            self._before.remove(SAVED)

    def forget_outdated(self, script: Callable[[], Script[Tables]], pack: Tables) -> bool:
        """Offer nothing of an entry that was saved and would not lead to what `pack` says now; True if so.

        The record may have been changed elsewhere since, say on the page, and some entries go by what is
        known: the same answers would undo the one and do the other twice.
        """
        if not self.is_saved or _is_in(self._result(script), pack):
            return False
        self._before = []
        return True

    def save(self) -> None:
        """Note that the pack has what was answered."""
        self._before = [SAVED]
        self._write()

    @property
    def answers(self) -> list[object]:
        """What was answered this time."""
        return [one.answer for one in self._given]

    def offered(self, question: AnyAsk) -> object | None:
        """What was answered the last time, if that would do now."""
        at = _place(question, self._before)
        if at is None:
            return None
        try:
            return question.accept(self._before[at].answer)
        except BadAnswer:
            return None

    @property
    def is_begun(self) -> bool:
        """Whether there is more than a question's worth to go on from."""
        return len(self._before) > 1

    def go_on(self, running: Script[Tables], question: AnyAsk, taken: int | None = None) -> AnyAsk:
        """Answer as before while that fits, until so many are `taken`; returns what is asked then.

        The last of them may be what saves: it is not taken unless it was counted.
        """
        while (self.is_begun if taken is None else len(self._given) < taken) and (
            before := self.offered(question)
        ) is not None:
            self._note(question, before)
            question = running.send(before)
        return question

    def add(self, question: AnyAsk, answer: object) -> None:
        """Keep an answer."""
        self._note(question, answer)
        self._write()

    def _note(self, question: AnyAsk, answer: object) -> None:
        at = _place(question, self._before)
        self._given.append(Answered(question.fingerprint(), question.text, answer))
        if at is not None:
            del self._before[: at + 1]

    def undo(self) -> None:
        """Take the last answer back, to be offered again; `BadAnswer` where there is none."""
        if not self._given:
            raise BadAnswer("nothing was answered yet")
        self._before.insert(0, self._given.pop())

    def _result(self, script: Callable[[], Script[Tables]]) -> Tables | None:
        """What the script comes to by the answers of before; None if it wants others.

        Words that earlier versions did not ask for stay as they are.
        """
        running, left = script(), self._before
        try:
            question = next(running)
            while True:
                if (at := _place(question, left)) is not None:
                    accepted, left = question.accept(left[at].answer), left[at + 1 :]
                elif isinstance(question, Text):
                    accepted = question.start
                else:
                    return None
                question = running.send(accepted)
        except StopIteration as end:
            tables: Tables = end.value
            return tables
        except BadAnswer:
            return None

    def _write(self) -> None:
        try:
            with alone(self._path.with_name("answers")):  # a second tap comes while the first is written
                write_whole(self._path, msgspec.json.Encoder().encode_lines(self._given + self._before))
        except OSError as error:
            raise BadInput(f"{self._path}: not saved: {error.strerror}") from error


def looked_over(script: Callable[[], Script[Tables]]) -> Script[Tables]:
    """The same, and at its end what would be saved, where the script does not ask itself whether to."""
    running = script()
    answer: object = None
    try:
        question = next(running)
        while True:
            answer = yield question
            question = running.send(answer)
    except StopIteration as end:
        tables: Tables = end.value
    if answer != SAVE:
        told: Tables = msgspec.json.decode(msgspec.json.encode(tables))
        records = (in_words(name, record) for table in told.values() for name, record in table.items())
        lines = [line for title, *fields in records for line in (title, *(f"  {field}" for field in fields))]
        yield from ask(Show(RESULT, "It reads so. Enter saves it, `undo` goes back.", "\n".join(lines)))
    return tables


def enter(
    script: Callable[[], Script[Tables]], lines: Iterable[str], out: IO[str], draft: Draft
) -> Tables | None:
    """Run an entry script over two text streams; None if the person left before its end."""
    tell = partial(say, out=out)
    reader = iter(lines)
    running = script()
    try:
        question = next(running)
        tell(HELP)
        if draft.is_begun:
            tell(GO_ON)
        put = True
        while True:
            before = draft.offered(question)
            if put:
                tell(_put(question, before))
            put = False  # not again below why a line was refused: a menu may be longer than the screen
            line = next(reader, "quit")
            word = line.strip().lower()
            if word == "quit":
                return None
            if word in {"help", "?"}:
                tell(HELP)
                continue
            try:
                if word == "undo":
                    draft.undo()
                    running, question = _again(script, draft.answers)
                    put = True
                    continue
                if word == ON and before is not None:
                    question, put = draft.go_on(running, question), True
                    continue
                accepted = question.accept(_meant(question, checked(line), before))
            except BadAnswer as error:
                tell(f"! {error}")
                continue
            draft.add(question, accepted)
            question, put = running.send(accepted), True
    except StopIteration as end:
        tables: Tables = end.value
        return tables


def _put(question: AnyAsk, before: object | None) -> str:
    """A question with what can be typed, and what an empty line would answer."""
    lines = [question.text]
    if question.detail:
        lines.append(textwrap.indent(question.detail, "    "))
    lines += hints(question if before is None else _without_start(question))
    if before is not None and not isinstance(question, Show):
        lines.append(f"  (empty line: {question.label(before)}, as before)")
    return "\n".join(lines)


def _without_start(question: AnyAsk) -> AnyAsk:
    """The question without what an empty line would answer by itself, as it is the answer of before now."""
    match question:
        case Text():
            return msgspec.structs.replace(question, start="")
        case Number():
            return msgspec.structs.replace(question, start=None)
    return question


def _place(question: AnyAsk, answers: Sequence[Answered]) -> int | None:
    """Where the same was asked first."""
    asked = question.fingerprint(), question.text
    return next((at for at, one in enumerate(answers) if (one.ask, one.text) == asked), None)


def _is_in(tables: Tables | None, pack: Tables) -> bool:
    """Whether a pack says of these records what they say, as it is on disk."""
    if not tables:
        return False
    told: Tables = msgspec.json.decode(msgspec.json.encode(tables))
    return all(pack.get(table, {}).get(name) == one for table in told for name, one in told[table].items())


def _meant(question: AnyAsk, line: str, before: object | None) -> object:
    """The answer that was typed, or that of before for an empty line."""
    if not line and before is not None:
        return before
    return typed_answer(question, line)


def _again(script: Callable[[], Script[Tables]], answers: Iterable[object]) -> tuple[Script[Tables], AnyAsk]:
    """The script and its question after these answers."""
    running = script()
    question = next(running)
    for answer in answers:
        question = running.send(answer)
    return running, question
