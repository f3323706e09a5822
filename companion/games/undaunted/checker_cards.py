"""What is wrong with a solo card: no word of the language, never applies, or ambiguous."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress

import msgspec

from companion.engine.errors import BadInput
from companion.engine.game import Problem
from companion.games.undaunted import actions, language
from companion.games.undaunted.actions import COMBAT, MOVEMENT, SEATED, Kind
from companion.games.undaunted.language import (
    ANY_DECK,
    OWN,
    Condition,
    Deed,
    LimitTerm,
    Place,
    PlaceTerm,
    Subject,
    TieTerm,
    Verb,
    Who,
    WhoTerm,
)
from companion.games.undaunted.pack import (
    FACTIONS,
    Line,
    Pack,
    SoloCard,
    Step,
    bolster_decks,
    steps_of,
)
from companion.games.undaunted.printer import LETTERS

Word = Condition | Deed | LimitTerm | PlaceTerm | TieTerm | WhoTerm
"""What a text of a solo card parses into."""

GROUPS = frozenset({"matching", "any"})
"""What cards of the row can be called beside their types."""


def solo_card(card: SoloCard, pack: Pack) -> Iterator[Problem]:
    """What is wrong with a solo card: no word of the language, never applies, or ambiguous."""
    if not card.complete:
        yield Problem("", "incomplete: not played until its lines are entered", "UND-G01")
        return
    unit = pack.unit.get(card.unit)
    if unit is None:
        yield Problem("unit", f"no unit type {card.unit!r}")
        return
    yield from _designation(card, pack)
    yield from _read("box", card.box, language.limit, pack)
    yield from _bolster_decks(card, pack)
    if not card.lines:
        yield Problem("lines", "no line: the bot would never do anything with it", "UND-167")
    shadow = 0
    for number, line in enumerate(card.lines, 1):
        path = f"lines.{number}"
        if shadow and not _gone_on_with(card, range(shadow + 1, number + 1)):
            yield Problem(path, f"can never apply: line {shadow} always does before it", "UND-159")
        yield from _line(path, number, line, card, pack)
        if not line.when and not line.sub and _always(line):
            shadow = number


def _gone_on_with(card: SoloCard, lines: Collection[int]) -> bool:
    """Whether one of these lines is read after another one was carried out (UND-185)."""
    return any(step.then in lines for line in card.lines for step in steps_of(line))


def _designation(card: SoloCard, pack: Pack) -> Iterator[Problem]:
    """Scenarios and factions that there are none of: the card would never be read for them (UND-165)."""
    yield from _unknown("scenarios", card.scenarios, pack.scenario)
    yield from _unknown("factions", card.factions, FACTIONS)


def _unknown(field: str, names: Iterable[str], known: Collection[str]) -> Iterator[Problem]:
    for name in names:
        if name not in known:
            yield Problem(field, f"no {name!r}; there are {', '.join(known)}", "UND-165")


def _bolster_decks(card: SoloCard, pack: Pack) -> Iterator[Problem]:
    """Bolster decks that no solo section for the card names: another one would be taken at random."""
    known = (OWN, ANY_DECK, *bolster_decks(pack, card.scenarios, card.factions))
    for number, line in enumerate(card.lines, 1):
        for step in (line, *line.sub):
            for name in _decks(step):
                if name not in known:
                    message = f"no bolster deck {name!r} in the solo section; there are {', '.join(known)}"
                    yield Problem(f"lines.{number}", message, "UND-225")


def _decks(step: Step) -> Iterator[str]:
    yield from (deed.name for deed in _deeds(step) if deed.verb is Verb.BOLSTER)
    for text in step.when:
        with suppress(BadInput):
            condition = language.condition(text)
            if condition.subject is Subject.BOLSTER:
                yield condition.name


def unreadable(card: SoloCard) -> Iterator[str]:
    """What of a card is no word of the language, so that it can't be played."""
    for number, line in enumerate(card.lines, 1):
        for step in (line, *line.sub):
            for texts, parse in _readings(step):
                yield from _misread(texts, parse)
        if not all(step.do or step.roll for step in steps_of(line)):
            yield f"line {number}: no keyword, what is done?"
    yield from _misread(card.box, language.limit)


def _readings(step: Step) -> Iterator[tuple[tuple[str, ...], Callable[[str], object]]]:
    """All words of a step with what reads them."""
    yield step.when, language.condition
    yield (*step.to, *step.toward), language.place
    yield (*step.at, *step.who), language.who
    yield step.ties, language.tie
    yield (*step.roll.values(), *([step.do] if step.do else [])), language.deed
    yield tuple(step.roll), language.faces_of


def _line(path: str, number: int, line: Line, card: SoloCard, pack: Pack) -> Iterator[Problem]:
    yield from _conditions(path, line, pack)
    for then in {line.then, *(sub.then for sub in line.sub)} - {0}:
        if then == number or not 0 < then <= len(card.lines):
            yield Problem(f"{path}.then", f"line {then} is no other line of the card", "UND-185")
    wholes = steps_of(line)
    yield from _unread(path, line, wholes)
    if not line.sub:
        yield from _step(path, line, card, pack)
        return
    if (line.do or line.roll) and all(sub.do or sub.roll for sub in line.sub):
        yield Problem(f"{path}.do", "not looked at: each sub-line has a keyword of its own", "UND-169")
    seen: list[Step] = []
    for letter, sub, whole in zip(LETTERS, line.sub, wholes, strict=False):
        yield from _conditions(f"{path}.{letter}", sub, pack)
        yield from _unread(f"{path}.{letter}", sub, [whole])
        yield from _step(f"{path}.{letter}", whole, card, pack)
        if any(_covers(earlier, whole) for earlier in seen):
            yield Problem(f"{path}.{letter}", "can never apply: an earlier sub-line says the same", "UND-180")
        seen.append(whole)


def _covers(earlier: Step, step: Step) -> bool:
    """Whether a sub-line applies wherever a later one would."""
    one, other = (msgspec.structs.replace(each, ties=(), then=0) for each in (earlier, step))
    return one == other and (earlier.ties == step.ties or not _stays_by_ties(earlier))


def _stays_by_ties(step: Step) -> bool:
    """Whether its ties may prefer what is so already, so that it does not apply (UND-177, UND-R26)."""
    kinds = {deed.action.kind for deed in _deeds(step)}
    goes = bool(kinds & {*MOVEMENT, Kind.GUIDE, Kind.ADVANCE})
    return Kind.TARGET in kinds or (goes and bool(step.ties) and not step.toward)


def _unread(path: str, step: Step, wholes: Sequence[Step]) -> Iterator[Problem]:
    """What a step says that none of its keywords, or its sub-lines', looks at."""
    deeds = [deed for whole in wholes for deed in _deeds(whole)]
    read = {field for deed in deeds for field in _fields(deed)}
    read |= {"at" for whole in wholes if Place.ENEMY in (*whole.to, *whole.toward)}
    for field in ("to", "toward", "at", "who", "ties"):
        if deeds and getattr(step, field) and field not in read:
            yield Problem(f"{path}.{field}", "not looked at: no keyword of the line goes by it", "UND-169")
    choosing = [deed for deed in deeds if "ties" in _fields(deed)]
    for text in step.ties:
        if choosing and not any(_may_prefer(deed, text) for deed in choosing):
            inspires = choosing[0].verb is Verb.INSPIRE
            wanted = "cards are chosen: a type or 'matching'" if inspires else "tiles are chosen: a tile word"
            yield Problem(f"{path}.ties", f"{text!r} prefers none, {wanted} is wanted", "UND-182")


def _may_prefer(deed: Deed, text: str) -> bool:
    """Whether a tiebreaker can decide between ways to do it: units differ in combat and Guide alone."""
    try:
        who = language.tie(text).who
    except BadInput:
        return True
    if deed.verb is Verb.INSPIRE:
        return who is not None and who.word in {Who.TYPE, Who.MATCHING}
    differ = deed.verb is Verb.ACTION and deed.action.kind in {*COMBAT, Kind.GUIDE}
    return who is None or differ


def _deeds(step: Step) -> Iterator[Deed]:
    for text in (step.do, *step.roll.values()):
        with suppress(BadInput):
            yield language.deed(text)


def _fields(deed: Deed) -> tuple[str, ...]:
    """What a keyword goes by; `to` beside a combat keyword is told as ambiguous."""
    if deed.verb is not Verb.ACTION:
        return _VERB_FIELDS.get(deed.verb, ())
    kind = deed.action.kind
    if kind in COMBAT:
        return ("at", "to", "toward", "ties")
    if kind is Kind.GUIDE:
        return ("who", "to", "toward", "ties")
    if kind in MOVEMENT or kind is Kind.ADVANCE:
        return ("to", "toward", "ties")
    return ("to", "ties") if kind in {Kind.TARGET, Kind.MINE} else ()


_VERB_FIELDS = {Verb.SELECT: ("to", "ties"), Verb.INSPIRE: ("ties",)}


def _always(line: Line) -> bool:
    """Whether a line without a condition can always be carried out."""
    return not line.roll and any(deed.verb is Verb.HUNKER for deed in _deeds(line))


def _conditions(path: str, step: Step, pack: Pack) -> Iterator[Problem]:
    yield from _read(f"{path}.when", step.when, language.condition, pack)
    for text in step.when:
        denied = text.removeprefix("not ") if text.startswith("not ") else f"not {text}"
        if denied in step.when:
            yield Problem(f"{path}.when", f"can never apply: both {text!r} and {denied!r}", "UND-172")


def _step(path: str, step: Step, card: SoloCard, pack: Pack) -> Iterator[Problem]:
    yield from _read(f"{path}.to", (*step.to, *step.toward), language.place, pack)
    yield from _read(f"{path}.at", (*step.at, *step.who), language.who, pack)
    yield from _read(f"{path}.ties", step.ties, language.tie, pack)
    if step.roll:
        yield from _roll(path, step, card, pack)
    elif not step.do:
        yield Problem(f"{path}.do", "no keyword: what is done?", "UND-169")
    else:
        yield from _deed(path, step, step.do, card, pack)


def _roll(path: str, step: Step, card: SoloCard, pack: Pack) -> Iterator[Problem]:
    faces: list[str] = []
    for result, do in step.roll.items():
        try:
            faces += language.faces_of(result)
        except BadInput as error:
            yield Problem(f"{path}.roll", str(error), "UND-209")
            return
        yield from _deed(f"{path}.roll", step, do, card, pack)
    if sorted(faces) != list(language.FACES):
        yield Problem(f"{path}.roll", "ambiguous: each face 0 to 9 has to appear once", "UND-209")


def _deed(path: str, step: Step, do: str, card: SoloCard, pack: Pack) -> Iterator[Problem]:
    wrong = list(_read(f"{path}.do", (do,), language.deed, pack))
    if wrong:
        yield from wrong
        return
    deed = language.deed(do)
    if deed.verb is Verb.SELECT and not pack.unit[card.unit].has_counter:
        yield Problem(f"{path}.do", f"can never apply: a {card.unit} has no tile to select from", "UND-214")
    moves = deed.verb is Verb.ACTION and deed.action.kind in MOVEMENT
    fights = deed.verb is Verb.ACTION and deed.action.kind in COMBAT
    scouts = deed.action.kind in {Kind.SCOUT, Kind.NAVIGATE}
    if moves and not step.to and not step.toward and not scouts:
        yield Problem(path, "ambiguous: a move wants 'to' or 'toward'", "UND-176")
    if fights and (step.to or step.toward):
        yield Problem(path, "ambiguous: combat takes 'at', not 'to' or 'toward'", "UND-217")
    if deed.verb is Verb.ACTION:
        yield from _can(f"{path}.do", deed.action, card.unit, pack)


def _can(path: str, action: actions.Action, name: str, pack: Pack) -> Iterator[Problem]:
    """What neither the card nor any seat of a vehicle lets the unit do (UND-192, UND-363)."""
    texts = [*pack.unit[name].actions]
    if pack.unit[name].has_counter:
        texts += [text for unit in pack.unit.values() for seat in unit.seats for text in seat.actions]
    able = {text.partition(" ")[0] for text in texts}
    if action.kind not in able and action.kind not in SEATED:
        yield Problem(path, f"can never apply: {name} has no {action.kind} on its card", "UND-188")


def _read(path: str, texts: Iterable[str], parse: Callable[[str], Word], pack: Pack) -> Iterator[Problem]:
    """What is no word of the language, or names a type of unit that there is not."""
    for text in texts:
        try:
            word = parse(text)
        except BadInput as error:
            yield Problem(path, str(error))
            continue
        for kind in _types(word):
            if kind and kind not in pack.unit:
                yield Problem(path, f"no unit type {kind!r}")


def _types(word: Word | None) -> Iterator[str]:
    """The unit types that a word names; what is no other word of the language counts as one."""
    match word:
        case PlaceTerm(kind=kind) | WhoTerm(kind=kind, place=None):
            yield kind
        case WhoTerm(place=place) | LimitTerm(place=place):
            yield from _types(place)
        case TieTerm(place=place, who=who):
            yield from _types(place)
            yield from _types(who)
        case Condition(subject=Subject.ROW, name=name) | Deed(verb=Verb.INSPIRE, name=name):
            yield "" if name in GROUPS else name
        case Condition(who=whos, places=places):
            for one in whos:
                yield from _types(one)
            for tile in places:
                yield from _types(tile)


def _misread(texts: Iterable[str], parse: Callable[[str], object]) -> Iterator[str]:
    for text in texts:
        try:
            parse(text)
        except BadInput as error:
            yield str(error)
