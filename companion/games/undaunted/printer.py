"""A solo card as a player would read it: numbered lines, lettered sub-lines, tiebreakers in brackets."""

from __future__ import annotations

import string
from collections.abc import Iterable

import msgspec

from companion.engine.errors import BadInput
from companion.games.undaunted import language
from companion.games.undaunted.language import Condition, Subject, Tie, Verb, Who
from companion.games.undaunted.pack import FACTIONS, Line, Pack, SoloCard, Step

_ROW = {"matching": "a matching card", "any": "another card", "fog": "a Fog of War"}
_DECKS = {language.OWN: "its own squad", language.ANY_DECK: "any deck"}
LETTERS = string.ascii_uppercase


def shown(pack: msgspec.Struct, thing: str) -> Iterable[str]:
    """The solo cards of that record name or for that unit type; raises `BadInput` if there is none."""
    assert isinstance(pack, Pack)
    found = [card for name, card in pack.solo.items() if thing in (name, card.unit)]
    if not found:
        raise BadInput(f"undaunted.{thing}: no such solo card; there are {', '.join(pack.solo)}")
    return [line for card in found for line in card_text(card, pack)]


def card_text(card: SoloCard, pack: Pack) -> list[str]:
    """The whole card, one entry a line of text."""
    head = f"{pack.unit[card.unit].title.upper()} ({designation(card, pack)})"
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
    head = f"{number}. {_conditions(line.when)}"
    if not line.sub:
        return [head + effect_text(line)]
    subs = [
        f"   {letter}. {_conditions(sub.when)}{effect_text(sub)}".rstrip()
        for letter, sub in zip(LETTERS, line.sub, strict=False)
    ]
    return [f"{head}{effect_text(line)}".rstrip(), *subs]


def effect_text(step: Step) -> str:
    """Keyword, aims, tiebreakers, and what follows."""
    words = [f"roll: {_rolls(step)}"] if step.roll else [_deed(step.do)] if step.do else []
    words += [f"to {_all(step.to)}"] if step.to else []
    words += [f"towards {_all(step.toward)}"] if step.toward else []
    words += [f"(enemy {_whos(step.at)})"] if step.at else []
    words += [f"(with {_whos(step.who)})"] if step.who else []
    words += [f"[{', '.join(_tie(text) for text in step.ties)}]"] if step.ties else []
    words += [f"then {step.then}"] if step.then else []
    return " ".join(words)


def _rolls(step: Step) -> str:
    return "; ".join(f"{faces} {_deed(do)}" for faces, do in step.roll.items())


def _deed(text: str) -> str:
    """A keyword as it stands out on the card."""
    deed = language.deed(text)
    match deed.verb:
        case Verb.BOLSTER:
            return f"BOLSTER from {_DECKS.get(deed.name, f'deck {deed.name.upper()}')}"
        case Verb.INSPIRE:
            return f"INSPIRE up to {deed.n} {deed.name} cards"
        case Verb.SELECT:
            return f"SELECT a target{f' within {deed.n}' if deed.n else ''}"
        case Verb.HUNKER:
            return "HUNKER DOWN"
        case Verb.ACTION:
            action = deed.action
            words = action.kind.upper() if not action.x else str(action).upper()
            return f"{words} ({deed.name})" if deed.name else words


def condition_text(text: str) -> str:
    """A condition in words."""
    return _condition(language.condition(text))


def _conditions(texts: Iterable[str]) -> str:
    words = " and ".join(map(condition_text, texts))
    return f"{words[0].upper()}{words[1:]}: " if words else ""


def _condition(condition: Condition) -> str:
    words = _plain(condition)
    return f"not ({words})" if condition.denied else words


def _plain(condition: Condition) -> str:
    match condition.subject:
        case Subject.SECURE:
            return "its tile is secure"
        case Subject.SUPPRESSED:
            return "it is suppressed"
        case Subject.ON_BOARD:
            return "it is on the board"
        case Subject.INITIATIVE:
            return "the bot has the initiative"
        case Subject.NEEDS:
            return f"the bot needs {condition.n} points or fewer"
        case Subject.ENEMY_NEEDS:
            return f"the enemy needs {condition.n} points or fewer"
        case Subject.ENEMY:
            return f"an enemy is {' and '.join(_who(term) for term in condition.who) or 'there'}"
        case Subject.FRIEND:
            return f"a friend is {' and '.join(_who(term) for term in condition.who) or 'there'}"
        case Subject.HERE:
            return f"its tile is {' and '.join(_place(term) for term in condition.places)}"
        case Subject.TILE:
            return f"a tile is {' and '.join(_place(term) for term in condition.places)}"
        case Subject.ROW:
            return f"{_ROW.get(condition.name, f'a {condition.name} card')} is in the row"
        case Subject.BOLSTER:
            return f"bolster deck {condition.name} is not empty"


def _all(texts: Iterable[str]) -> str:
    return " and ".join(_place(language.place(text)) for text in texts)


def _whos(texts: Iterable[str]) -> str:
    return " and ".join(_who(language.who(text)) for text in texts)


def _place(term: language.PlaceTerm) -> str:
    words = term.word.value
    if term.kind:
        words = f"{words} {term.kind}"
    if term.word in language.COUNTED_PLACES:
        words = f"{words} {term.n}"
    return f"not {words}" if term.denied else words


def _who(term: language.WhoTerm) -> str:
    words = {
        Who.TYPE: f"a {term.kind}",
        Who.DEFENCE: "of total defence at most",
        Who.VEHICLE: "a vehicle",
    }.get(term.word, term.word.value)
    if term.place is not None:
        words = f"{words} {_place(term.place)}"
    if term.word in language.COUNTED_WHO:
        words = f"{words} {term.n}"
    return f"not {words}" if term.denied else words


def _tie(text: str) -> str:
    term = language.tie(text)
    if term.word in {Tie.NEAR, Tie.FAR}:
        assert term.place is not None
        return f"{term.word} {_place(term.place)}"
    return text
