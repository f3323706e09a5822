"""Setting a value of the state with four buttons: down the tree of the state, then the new value."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.asks import Choose, Number, Option
from companion.screens.intents import Button, Override
from companion.screens.views import ChooseView, Line, NumberView

STAYS = "\0"
"""Stands for what can't be said with buttons: an empty list, nothing at all, a broken number."""

SPAN = 99
"""How far a number may be changed from what it is, each way."""


class ByHandView:
    """A tree of names, a value at its end; OK goes in or sets, back goes out.

    `state` is JSON builtins. Whole numbers turn up and down, yes and no are chosen, a text is chosen
    among those that stand in like places of the state.
    """

    def __init__(self, state: object) -> None:
        self._state = state
        self._path: list[str] = []
        self._view = self._here()

    @property
    def question(self) -> Choose | Number:
        """What is asked now: which of the values, or what it shall be."""
        return self._view.question

    @property
    def at(self) -> int | None:
        """The place of the option under the bar, None where a number is turned."""
        return self._view.at if isinstance(self._view, ChooseView) else None

    def lines(self, columns: int) -> list[Line]:
        return self._view.lines(columns)

    def so_far(self, columns: int) -> list[Line]:
        """The number as it is turned, where one is."""
        return self._view.so_far(columns) if isinstance(self._view, NumberView) else []

    def press(self, button: Button) -> Override | bool | None:
        """The override that was made up, if it is complete; True where the value shall stay as it is."""
        chosen = self._view.press(button)
        if chosen is None or chosen == STAYS:
            return None
        value = self._value()
        if isinstance(value, dict | list):
            self._path.append(str(chosen))
            self._view = self._here()
            return None
        new = chosen == "true" if isinstance(value, bool) else chosen
        return new == value or Override(".".join(self._path), new)

    def say(self, key: str) -> bool:
        """A digit of the new number; False where none is set."""
        return isinstance(self._view, NumberView) and self._view.say(key)

    def back(self) -> bool:
        if not self._path:
            return False
        self._path.pop()
        self._view = self._here()
        return True

    def _value(self) -> object:
        value = self._state
        for name in self._path:
            assert isinstance(value, dict | list)  # nothing else is gone into
            value = value[int(name)] if isinstance(value, list) else value[name]
        return value

    def _here(self) -> ChooseView | NumberView:
        title = ".".join(self._path) or "Set by hand"
        value = self._value()
        if isinstance(value, int) and not isinstance(value, bool):
            least, most = value - SPAN, value + SPAN
            return NumberView(Number("by_hand", title, f"now {value}", least=least, most=most, start=value))
        return ChooseView(Choose("by_hand", title, options=tuple(self._options(value))))

    def _options(self, value: object) -> Iterator[Option]:
        match value:
            case dict() if value:
                yield from (Option(str(name), f"{name}: {_short(inner)}") for name, inner in value.items())
            case list() if value:
                yield from (Option(str(at), f"{at}: {_short(inner)}") for at, inner in enumerate(value))
            case bool():
                yield from (Option(str(one).lower(), _short(one)) for one in (value, not value))
            case str():
                yield from (Option(text, _short(text)) for text in self._like_texts(value))
            case _:
                yield Option(STAYS, f"{_short(value)}: not by buttons")

    def _like_texts(self, value: str) -> list[str]:
        """The texts that stand where this one might: same names on the way, whatever the places."""
        shape = [name for name in self._path if not name.isdecimal()]
        found = {text for path, text in _texts(self._state, ()) if [*path] == shape}
        return [value, *sorted(found - {value})]


def _short(value: object) -> str:
    match value:
        case dict() | list():
            return f"({len(value)})"
        case bool():
            return "yes" if value else "no"
        case None:
            return "none"
        case "":
            return "(nothing)"
    return str(value)


def _texts(value: object, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    match value:
        case str():
            yield path, value
        case dict():
            for name, inner in value.items():
                yield from _texts(inner, path if str(name).isdecimal() else (*path, str(name)))
        case list():
            for inner in value:
                yield from _texts(inner, path)
