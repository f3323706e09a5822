"""A view for each kind of ask: what it shows and what the four buttons do.

Up and down move, OK goes on, back takes back a step inside the view. A view answers nothing before
its result was on the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from companion.engine.asks import AnyAsk, Choose, Number, Option, Pick, Show
from companion.engine.errors import BadAnswer
from companion.screens.intents import MORE, STEPS, Button
from companion.screens.screen import Style, wrapped


class Line(msgspec.Struct, frozen=True):
    """A line of a view before it is cut to a display; `focus` is where the display has to be."""

    text: str
    style: Style = Style.TEXT
    focus: bool = False


class View(Protocol):
    """What a display shows of one ask."""

    def lines(self, columns: int) -> list[Line]:
        """All lines, wrapped to `columns`."""

    def press(self, button: Button) -> object | None:
        """Move on; returns the raw answer once it is complete, else None.

        `BadAnswer` for what can't be meant.
        """

    def back(self) -> bool:
        """Take back a step inside the view; False if there is none."""


def text_lines(question: AnyAsk, columns: int) -> list[Line]:
    """The question and its detail."""
    lines = [Line(text) for text in wrapped(question.text, columns)]
    if question.detail:
        lines += [Line(text) for text in wrapped(question.detail, columns)]
    return lines


def option_lines(options: Sequence[Option], at: int, columns: int, marks: Sequence[str]) -> list[Line]:
    """Options below each other, the one at `at` as a bar, its detail under it."""
    lines: list[Line] = []
    for index, (option, mark) in enumerate(zip(options, marks, strict=True)):
        chosen = index == at
        style = Style.BAR if chosen else Style.OPTION
        body = wrapped(option.label, columns - len(mark))
        pads = [mark] + [" " * len(mark)] * (len(body) - 1)
        lines += [Line(pad + text, style, focus=chosen) for pad, text in zip(pads, body, strict=True)]
        if chosen and option.detail:
            lines += [Line(" " + text, focus=True) for text in wrapped(option.detail, columns - 1)]
    return lines


def moved(at: int, button: Button, count: int) -> int:
    """The place after a press of up or down, round the ends."""
    return (at + STEPS.get(button, 0)) % count if count else 0


class ShowView:
    """Text to read; the console scrolls it, OK has seen it."""

    def __init__(self, question: Show) -> None:
        self.question = question

    def lines(self, columns: int) -> list[Line]:
        return [*text_lines(self.question, columns), Line("OK", Style.BAR, focus=True)]

    def press(self, button: Button) -> object | None:
        return True if button is Button.OK else None

    def back(self) -> bool:
        return False


class ChooseView:
    """One of several options."""

    def __init__(self, question: Choose) -> None:
        self.question = question
        self.at = 0

    def lines(self, columns: int) -> list[Line]:
        options = self.question.options
        return text_lines(self.question, columns) + option_lines(
            options, self.at, columns, [" "] * len(options)
        )

    def press(self, button: Button) -> object | None:
        if button is Button.OK:
            return self.question.options[self.at].id
        self.at = moved(self.at, button, len(self.question.options))
        return None

    def back(self) -> bool:
        return False


class PickView:
    """Several options: OK marks one and goes on to the next, OK on the last row is done."""

    def __init__(self, question: Pick) -> None:
        self.question = question
        self.at = 0
        self._picked: list[str] = []

    def lines(self, columns: int) -> list[Line]:
        question = self.question
        marks = ["[x]" if option.id in self._picked else "[ ]" for option in question.options]
        done = Option("", f"Done: {len(self._picked)} of {wanted(question.least, question.most)}")
        return text_lines(question, columns) + option_lines(
            (*question.options, done), self.at, columns, [*marks, " "]
        )

    def press(self, button: Button) -> object | None:
        options = self.question.options
        if button is not Button.OK:
            self.at = moved(self.at, button, len(options) + 1)
        elif self.at == len(options):
            if (left := self.question.least - len(self._picked)) > 0:
                raise BadAnswer(f"mark {left} more")
            return list(self._picked)
        else:
            self._toggle(self.at)
        return None

    def _toggle(self, place: int) -> None:
        name = self.question.options[place].id
        if name in self._picked:
            self._picked.remove(name)
            self.at = place
        elif len(self._picked) < self.question.most:
            self._picked.append(name)
            self.at = place + 1
        else:
            raise BadAnswer(f"{self.question.most} at most: unmark one")
        if len(self._picked) == self.question.most:
            self.at = len(self.question.options)

    @property
    def picked(self) -> Sequence[str]:
        """The ids of the options that are marked."""
        return tuple(self._picked)

    def say(self, key: str) -> bool:
        """Mark an option by its place from 1, or take its mark away; then OK is done, if that is enough.

        `BadAnswer` where as many are marked already as may be.
        """
        options, place = self.question.options, int(key) - 1
        if not 0 <= place < len(options):
            return False
        self._toggle(place)
        self.at = len(options) if self.question.least <= len(self._picked) else place
        return True

    def back(self) -> bool:
        if not self._picked:
            return False
        name = self._picked.pop()
        self.at = [option.id for option in self.question.options].index(name)
        return True


class NumberView:
    """A number, from what it was so far or the least: up is more, down is less."""

    def __init__(self, question: Number) -> None:
        self.question = question
        self._typed = ""
        self.value = question.least if question.start is None else question.start

    def lines(self, columns: int) -> list[Line]:
        question = self.question
        span = wrapped(f"from {question.least} to {question.most}", columns - 1)
        below = [Line(f" {text}", focus=True) for text in span]
        return [*text_lines(question, columns), *self.so_far(columns), *below]

    def so_far(self, columns: int) -> list[Line]:
        """The number that OK takes."""
        return [Line(f" {self.value}".ljust(columns), Style.BAR, focus=True)]

    def press(self, button: Button) -> object | None:
        if button is Button.OK:
            return self.value
        self._typed = ""
        count = self.question.most - self.question.least + 1
        step = self.value - self.question.least + MORE.get(button, 0)
        self.value = self.question.least + step % count
        return None

    def say(self, key: str) -> bool:
        """A digit of the number; those before it count as long as the number is not too large with them."""
        self._typed += key
        while self._typed and int(self._typed) > self.question.most:
            self._typed = self._typed[1:]
        if not self._typed:
            return False
        self.value = max(int(self._typed), self.question.least)
        return True

    def back(self) -> bool:
        return False


def wanted(least: int, most: int) -> str:
    """How many are wanted, in words."""
    return str(least) if least == most else f"{least}-{most}"
