"""Entering what a card or a map prints: the game's own questions, at a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from companion.engine.asks import Script
from companion.engine.errors import BadAnswer
from companion.engine.packs import Tables
from companion.table.lines import hints, typed_answer
from companion.table.typed import checked

HELP = "Type a number or an id; `quit` leaves without saving."


def enter(script: Script[Tables], lines: Iterable[str], out: IO[str]) -> Tables | None:
    """Run an entry script over two text streams; None if the person left before its end."""

    def say(text: str) -> None:
        out.write(text + "\n")
        out.flush()

    say(HELP)
    reader = iter(lines)
    try:
        question = next(script)
        while True:
            say(question.text)
            if question.detail:
                say(f"    {question.detail}")
            say("\n".join(hints(question)))
            line = next(reader, "quit")
            if line.strip() == "quit":
                return None
            try:
                accepted = question.accept(typed_answer(question, checked(line)))
            except BadAnswer as error:
                say(f"! {error}")
                continue
            question = script.send(accepted)
    except StopIteration as end:
        tables: Tables = end.value
        return tables
