"""The small questions that entering is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.engine.asks import Choose, Number, Option, Pick, Script, ask
from companion.games.undaunted.pack import FACTIONS, THEATRES, Pack, deck_title, squad_of, type_name

_NAMES = FACTIONS | {theatre.value: title for theatre, title in THEATRES.items()}


def choose(key: str, text: str, words: Iterable[str], pack: Pack | None = None) -> Script[str]:
    """One word of several; cards, units and scenarios by what the `pack` calls them."""
    return (yield from ask(Choose(f"undaunted.entry.{key}", text, options=_options(words, pack))))


def several(key: str, text: str, words: Iterable[str], pack: Pack | None = None) -> Script[tuple[str, ...]]:
    """Any of several words, told as `choose` does."""
    options = _options(words, pack)
    return (yield from ask(Pick(f"undaunted.entry.{key}", text, options=options, most=len(options))))


def _options(words: Iterable[str], pack: Pack | None) -> tuple[Option, ...]:
    """Words as they are in the pack, squads and decks by their letters; what has a name by that."""
    return tuple(Option(str(word), _NAMES.get(word) or title(str(word), pack)) for word in words)


def title(word: str, pack: Pack | None) -> str:
    """A card, unit or scenario by what the pack calls it, with its record where two are called alike."""
    if pack is None or type_name(word) not in pack.unit:
        return pack.scenario[word].title if pack and word in pack.scenario else deck_title(word)
    kind = type_name(word)
    printed = pack.unit[kind].title
    alike = sum(unit.title == printed for unit in pack.unit.values()) > 1
    return " ".join(filter(None, [printed, squad_of(word).upper(), f"({kind})" * alike]))


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
