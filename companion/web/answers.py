"""Answers as a form sends them: the fields of each kind of ask, as the raw answer that the ask accepts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.engine.asks import AnyAsk, Choose, Draw, Number, Pick, Roll, Show, Text
from companion.engine.errors import BadAnswer
from companion.table.typed import whole_number

Fields = Callable[[str], Sequence[str]]
"""All values of a form's field of that name."""


def raw_answer(question: AnyAsk, fields: Fields) -> object:
    """What the form answers; the ask checks it. `BadAnswer` where not even a raw answer is there."""
    match question:
        case Show():
            return True
        case Choose():
            return _one(fields("answer"))
        case Text():
            return _one(fields("answer")).replace("\r\n", "\n").strip()
        case Number():
            return whole_number(_one(fields("answer")))
        case Pick() | Draw():
            return [value for value in fields("answer") if value]
        case Roll():
            return [face for at in range(len(question.each)) for face in fields(f"die{at}")]
    raise BadAnswer(f"{question.kind} can't be answered on the page")


def _one(given: Sequence[str]) -> str:
    if len(given) != 1:
        raise BadAnswer("choose one")
    return given[0]
