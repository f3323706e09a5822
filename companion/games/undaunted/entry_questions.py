"""The small questions that entering is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from companion.engine.asks import Choose, Number, Option, Pick, Script, ask
from companion.games.undaunted.language import Place, Subject, Who
from companion.games.undaunted.pack import FACTIONS, THEATRES, Pack, deck_title, squad_of, type_name

_NAMES = FACTIONS | {theatre.value: title for theatre, title in THEATRES.items()}


SUBJECTS: dict[str, str] = {
    Subject.SECURE: "its tile is",
    Subject.SUPPRESSED: "it is",
    Subject.ON_BOARD: "its counter is",
    Subject.INITIATIVE: "the bot has it",
    Subject.NEEDS: "the bot needs so many points or fewer to win",
    Subject.ENEMY_NEEDS: "you need so many points or fewer to win",
    Subject.ENEMY: "one of your units is what you say next",
    Subject.FRIEND: "one of the bot's units is",
    Subject.HERE: "its own tile is",
    Subject.TILE: "some tile is",
    Subject.ROW: "a card is in the bot's play area",
    Subject.BOLSTER: "a bolster deck has cards",
}
"""What a solo card's conditions are about: "it" is the unit of the card."""
PLACES: dict[str, str] = {
    Place.CONTROLLED: "by the bot",
    Place.ENEMY_CONTROLLED: "by you",
    Place.HELD: "by either side",
    Place.UNCONTROLLED_OBJECTIVE: "nobody controls it",
    Place.OCCUPIED_OBJECTIVE: "nobody controls it, somebody is there",
    Place.SCOUTED: "by the bot",
    Place.ENEMY_SCOUTED: "by you",
    Place.MATCHING_SPAWN: "of its squad",
    Place.MINED: "a mine lies on an edge",
    Place.SELECTED: "the target that the card has selected",
    Place.ENEMY: "one of your units is there",
    Place.FRIEND: "one of the bot's units is there",
    Place.WITHIN: "so many tiles of it",
}
UNITS: dict[str, str] = {
    Who.ANY: "whichever",
    Who.HERE: "on its tile",
    Who.WITHIN: "so many tiles of it",
    Who.MATCHING: "of its squad",
    Who.DEFENCE: "in all, against this attack",
    Who.ON: "a tile of some kind",
    Who.TYPE: "a type of unit",
}


def choose(
    key: str,
    text: str,
    words: Iterable[str],
    pack: Pack | None = None,
    hints: Mapping[str, str] = MappingProxyType({}),
) -> Script[str]:
    """One word of several, with what some mean; cards, units and scenarios by what the `pack` calls them."""
    options = tuple(replace(one, detail=hints.get(one.id, "")) for one in _options(words, pack))
    return (yield from ask(Choose(f"undaunted.entry.{key}", text, options=options)))


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
