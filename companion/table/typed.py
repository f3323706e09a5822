"""Words that a person types at a table, where four buttons are not all there is."""

from __future__ import annotations

import select
import termios
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from io import TextIOWrapper
from typing import IO

import msgspec

from companion.engine.errors import BadAnswer
from companion.table.events import Closed, Events, Typed

LONGEST = 1 << 16
"""Characters of a line; a longer one is refused."""

MOST_WAITING = 100
"""Lines that were read and not yet heard."""

_DIGITS = 40
"""Characters of a number that may be meant: Python itself refuses to read very long ones."""


def lines_from(stream: IO[str] | None) -> Iterator[str]:
    """The lines that are typed or sent, until the stream ends or breaks; none from one that is closed.

    Of a line that is too long, only enough is passed on to show that it is. Bytes that are no text become
    a character that no answer has.
    """
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="replace")
    with suppress(OSError, ValueError):
        while stream is not None and (line := stream.readline(LONGEST + 1)):
            yield line
            while len(line) > LONGEST and not line.endswith("\n"):
                line = stream.readline(LONGEST + 1)


def lines_to_come(stream: IO[str] | None, tell: Callable[[str], object]) -> Iterator[str]:
    """The same, but of a terminal without the lines that are there before they are asked for.

    The rest of a paste would answer questions that nobody has read.
    """
    lines = lines_from(stream)
    while True:
        if stream is not None and stream.isatty() and select.select([stream], [], [], 0)[0]:
            with suppress(termios.error):  # the terminal is gone
                termios.tcflush(stream, termios.TCIFLUSH)
                tell("! What was typed or pasted before this was asked is left out.")
        if (line := next(lines, None)) is None:
            return
        yield line


def post(lines: Iterable[str], events: Events) -> None:
    """Put each line on the queue as it comes, and then that there are no more; for a thread of its own.

    Where lines come faster than they are heard, the rest waits at the other end.
    """
    try:
        for line in lines:
            while events.qsize() >= MOST_WAITING:
                time.sleep(0.01)
            events.put(Typed(line))
    finally:
        events.put(Closed())


def checked(line: str) -> str:
    """The line without the space around it; `BadAnswer` if it is too long."""
    if len(line) > LONGEST:
        raise BadAnswer(f"a line of more than {LONGEST} characters")
    return line.strip()


def whole_number(text: str) -> int:
    """The number that was typed; `BadAnswer` where it is none."""
    if not text:
        raise BadAnswer("a whole number is wanted")
    if len(text) > _DIGITS or not text.removeprefix("-").isdecimal():
        raise BadAnswer(f"{text[:_DIGITS]!r} is no whole number")
    return int(text)


def assignment(text: str) -> tuple[str, object]:
    """Path and value of an override, `health = 3`; a value that is no JSON is taken as text."""
    path, equals, value = (part.strip() for part in text.partition("="))
    if not (path and equals and value):
        raise BadAnswer(f"{text!r}: write it like health = 3")
    try:
        return path, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return path, value
    except (UnicodeEncodeError, RecursionError) as error:
        raise BadAnswer(f"not a value: {error}") from error
