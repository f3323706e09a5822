"""The small questions that entering is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.engine.asks import Choose, Number, Option, Pick, Script, ask
from companion.games.undaunted.pack import FACTIONS


def choose(key: str, text: str, words: Iterable[str]) -> Script[str]:
    """One word of several."""
    return (yield from ask(Choose(f"undaunted.entry.{key}", text, options=_options(words))))


def several(key: str, text: str, words: Iterable[str]) -> Script[tuple[str, ...]]:
    """Any of several words."""
    options = _options(words)
    return (yield from ask(Pick(f"undaunted.entry.{key}", text, options=options, most=len(options))))


def _options(words: Iterable[str]) -> tuple[Option, ...]:
    """Words as they are in the pack; a faction by its name."""
    return tuple(Option(str(word), FACTIONS.get(word, str(word))) for word in words)


def yes(key: str, text: str) -> Script[bool]:
    """Yes or no, no first."""
    options = (Option("no", "no"), Option("yes", "yes"))
    return (yield from ask(Choose(f"undaunted.entry.{key}", text, options=options))) == "yes"


def number(text: str, least: int, most: int = 20) -> Script[int]:
    """A small number."""
    return (yield from ask(Number("undaunted.entry.number", text, least=least, most=most)))


def many(text: str, one: Callable[[], Script[str]], *, least: int = 0) -> Script[tuple[str, ...]]:
    """Words one after the other until there are enough."""
    found: list[str] = []
    while len(found) < least or (yield from yes("more", f"{text} something{' more' * bool(found)}?")):
        found.append((yield from one()))
    return tuple(found)
