"""A solo card as a player would read it: numbered lines, lettered sub-lines, tiebreakers in brackets."""

from __future__ import annotations

import string
from collections.abc import Iterable

import msgspec

from companion.engine.errors import BadInput
from companion.engine.game import title_of
from companion.games.undaunted import language
from companion.games.undaunted.language import Condition, Place, PlaceTerm, Subject, Tie, Verb, Who, WhoTerm
from companion.games.undaunted.pack import FACTIONS, Line, Pack, SoloCard, Step, deck_title
from companion.wording import begun, counted

_DECKS = {language.OWN: "its own squad", language.ANY_DECK: "any deck"}
LETTERS = string.ascii_uppercase


def shown(pack: msgspec.Struct, thing: str) -> Iterable[str]:
    """The solo cards of that record name or for that unit type, of solo.NAME one alone; or `BadInput`."""
    assert isinstance(pack, Pack)
    record = thing.removeprefix("solo.")
    found = [card for name, card in pack.solo.items() if name == record or card.unit == thing]
    if not found:
        raise BadInput(f"undaunted.{thing}: no such solo card; there are {', '.join(pack.solo)}")
    return [line for card in found for line in card_text(card, pack)]


def card_text(card: SoloCard, pack: Pack) -> list[str]:
    """The whole card, one entry a line of text."""
    head = f"{title_of(pack.unit, card.unit).upper()} ({designation(card, pack)})"
    lines = [f"{head} [{card.source}]" if card.source else head]
    lines += [f"  ! {text}" for text in (*card.box, card.note) if text]
    for number, line in enumerate(card.lines, 1):
        lines += line_text(number, line)
    return lines


def designation(card: SoloCard, pack: Pack) -> str:
    """The scenarios and bots that a card is for (UND-165)."""
    scenarios = ", ".join(pack.scenario[name].title for name in card.scenarios if name in pack.scenario)
    factions = ", ".join(FACTIONS.get(name, name) for name in card.factions)
    return f"{scenarios or 'any scenario'}; {factions or 'any bot'}"


def line_text(number: int, line: Line) -> list[str]:
    """A line with its sub-lines."""
    head = f"{number}. {_conditions(line.when)}{effect_text(line)}"
    subs = [
        f"   {letter}. {_conditions(sub.when)}{effect_text(sub)}".rstrip()
        for letter, sub in zip(LETTERS, line.sub, strict=False)
    ]
    return [head.rstrip(), *subs]


def effect_text(step: Step) -> str:
    """Keyword, aims, tiebreakers, and what follows."""
    words = [f"roll: {_rolls(step)}"] if step.roll else [deed_text(step.do)] if step.do else []
    words += [f"to {tile_text(step.to)}"] if step.to else []
    words += [f"towards {tile_text(step.toward)}"] if step.toward else []
    words += [f"(an enemy that is {_whos(step.at)})"] if step.at else []
    words += [f"(a friend that is {_whos(step.who)})"] if step.who else []
    words += [f"[{', '.join(_tie(text) for text in step.ties)}]"] if step.ties else []
    words += [f"then {step.then}"] if step.then else []
    return " ".join(words)


def _rolls(step: Step) -> str:
    return "; ".join(f"{faces} {deed_text(do)}" for faces, do in step.roll.items())


def deed_text(text: str) -> str:
    """A keyword as it stands out on the card."""
    deed = language.deed(text)
    match deed.verb:
        case Verb.BOLSTER:
            return f"BOLSTER from {_DECKS.get(deed.name, f'deck {deck_title(deed.name)}')}"
        case Verb.INSPIRE:
            which = "" if deed.name == "any" else f"{deed.name} "
            return f"INSPIRE up to {counted(deed.n, f'{which}card')}"
        case Verb.SELECT:
            return "SELECT a target" + (f" within {counted(deed.n, 'tile')}" if deed.n else "")
        case Verb.HUNKER:
            return "HUNKER DOWN"
        case Verb.ACTION:
            action = deed.action
            words = action.kind.upper() if not action.x else str(action).upper()
            return f"{words} ({deed.name})" if deed.name else words


def condition_text(text: str) -> str:
    """A condition in words."""
    condition = language.condition(text)
    return _said(condition, holds=not condition.denied)


def failed_text(text: str) -> str:
    """What is so instead, where a condition does not hold."""
    condition = language.condition(text)
    return _said(condition, holds=condition.denied)


def _conditions(texts: Iterable[str]) -> str:
    words = " and ".join(map(condition_text, texts))
    return f"{begun(words)}: " if words else ""


_SAID = {
    Subject.SECURE: ("its tile is secure", "its tile is not secure"),
    Subject.SUPPRESSED: ("it is suppressed", "it is not suppressed"),
    Subject.ON_BOARD: ("it is on the board", "it is not on the board"),
    Subject.INITIATIVE: ("the bot has the initiative", "the bot does not have the initiative"),
    Subject.NEEDS: ("the bot needs {points} or fewer", "the bot does not need {points} or fewer"),
    Subject.ENEMY_NEEDS: ("the enemy needs {points} or fewer", "the enemy does not need {points} or fewer"),
    Subject.ENEMY: ("an enemy is {units}", "no enemy is {units}"),
    Subject.FRIEND: ("a friend is {units}", "no friend is {units}"),
    Subject.HERE: ("its tile is {places}", "its tile is not all of this: {places}"),
    Subject.TILE: ("a tile is {places}", "no tile is {places}"),
    Subject.ROW: ("{a_card} is in the row", "no {card} is in the row"),
    Subject.BOLSTER: ("{deck} has cards", "{deck} has no cards"),
}
"""What a condition asks for, and the opposite."""


def _said(condition: Condition, *, holds: bool) -> str:
    """What a condition asks for or, where it `holds` not, the opposite; whether it is denied or not."""
    if condition.subject is Subject.HERE and len(condition.places) == 1 and not holds:
        (term,) = condition.places
        return f"its tile is {_place(msgspec.structs.replace(term, denied=not term.denied))}"
    if condition.subject is Subject.BOLSTER and condition.name == language.ANY_DECK and not holds:
        return "no bolster deck has cards"
    asked, opposite = _SAID[condition.subject]
    card = _row(condition.name)
    return (asked if holds else opposite).format(
        points=counted(condition.n, "point"),
        units=" and ".join(map(_who, condition.who)) or "on the board",
        places=_all_of(condition.places),
        card=card,
        a_card=_a(card),
        deck=_bolster(condition.name),
    )


def _row(name: str) -> str:
    words = {"matching": "matching card", "any": "further card", "fog": "Fog of War"}
    return words.get(name, f"{_kind(name)} card")


def _bolster(name: str) -> str:
    words = {language.OWN: "its squad's bolster deck", language.ANY_DECK: "some bolster deck"}
    return words.get(name, f"bolster deck {deck_title(name)}")


def _kind(name: str) -> str:
    """A type of unit within a sentence."""
    return name.replace("-", " ")


def _a(words: str) -> str:
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def is_text(texts: Iterable[str]) -> str:
    """What some tile words say of a tile, such as "an objective and not scouted"."""
    return _all_of(map(language.place, texts))


def tile_text(texts: Iterable[str]) -> str:
    """The tile that some tile words mean, such as "an objective that is not scouted"."""
    return _tile(*map(language.place, texts))


def _tile(first: PlaceTerm, *others: PlaceTerm) -> str:
    if first.word in _NOUNS and not first.denied:
        return _place(first) + (f" that is {_all_of(others)}" if others else "")
    return f"a tile that is {_all_of((first, *others))}"


def _all_of(terms: Iterable[PlaceTerm]) -> str:
    return " and ".join(map(_place, terms))


def _whos(texts: Iterable[str]) -> str:
    return " and ".join(_who(language.who(text)) for text in texts)


_NOUNS = {
    Place.OBJECTIVE: "an objective",
    Place.CONTROLLED_OBJECTIVE: "a controlled objective",
    Place.ENEMY_OBJECTIVE: "an enemy controlled objective",
    Place.UNCONTROLLED_OBJECTIVE: "an uncontrolled objective",
    Place.OCCUPIED_OBJECTIVE: "an occupied objective",
    Place.THREATENED_OBJECTIVE: "a threatened objective",
    Place.SPAWN: "a spawn tile",
    Place.ENEMY_SPAWN: "an enemy spawn tile",
    Place.MATCHING_SPAWN: "a matching spawn tile",
    Place.STRUCTURE: "a structure's tile",
    Place.HILL: "a hill",
}
_PHRASES = {
    Place.PATH: "on the path to victory",
    Place.SELECTED: "the selected one",
    Place.WITHIN: "within {tiles}",
    Place.WORTH: "worth {points} or more",
    Place.COVER: "of cover {n} or more",
}


def _place(term: PlaceTerm) -> str:
    """What a word says of a tile, after "is"."""
    if term.word in {Place.ENEMY, Place.FRIEND}:
        words = f"occupied by {_a(f'{term.word} {_kind(term.kind)}'.rstrip())}"
    else:
        numbers = {"n": term.n, "tiles": counted(term.n, "tile"), "points": counted(term.n, "point")}
        words = _NOUNS.get(term.word) or _PHRASES.get(term.word, term.word.value).format(**numbers)
    return f"not {words}" if term.denied else words


def _who(term: WhoTerm) -> str:
    """What a word says of a unit, after "is"."""
    words = {
        Who.HERE: "on its tile",
        Who.ANY: "anywhere",
        Who.WITHIN: f"within {counted(term.n, 'tile')}",
        Who.DEFENCE: f"of total defence {term.n} or less",
        Who.VEHICLE: "a vehicle",
        Who.MATCHING: "of its squad",
    }.get(term.word, term.word.value)
    if term.word is Who.TYPE:
        words = _a(_kind(term.kind))
    if term.place is not None:
        words = f"on {_tile(term.place)}"
    return f"not {words}" if term.denied else words


def _tie(text: str) -> str:
    term = language.tie(text)
    if term.word in {Tie.NEAR, Tie.FAR}:
        assert term.place is not None
        return f"{term.word} {_tile(term.place)}"
    return text
