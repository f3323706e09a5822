"""Typing in what your own copy prints: solo cards line by line, maps, solo sections (UND-G01, UND-G11).

Scripts over the engine's asks, so that terminal, page and box can all carry them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from companion.engine.asks import Choose, Number, Option, Script, Show, ask
from companion.engine.errors import BadInput
from companion.engine.packs import Source, Tables, unsourced
from companion.games.undaunted.actions import Kind
from companion.games.undaunted.checker_cards import solo_card
from companion.games.undaunted.entry_printed import FAR, enter_tile, enter_unit
from companion.games.undaunted.entry_questions import (
    PLACES,
    SUBJECTS,
    UNITS,
    choose,
    many,
    number,
    several,
    yes,
)
from companion.games.undaunted.entry_scenario import enter_scenario, enter_section
from companion.games.undaunted.language import (
    ANY_DECK,
    COUNTED_PLACES,
    COUNTED_WHO,
    FACES,
    MINE_WORK,
    NOT_FOR_BOTS,
    OWN,
    Limit,
    Place,
    Subject,
    Tie,
    Who,
)
from companion.games.undaunted.pack import FACTIONS, Line, Pack, SoloCard, Step, bolster_decks
from companion.games.undaunted.printer import card_text, designation, line_text
from companion.wording import counted

DONE = "done"


def enter(pack: msgspec.Struct, thing: str) -> Script[Tables]:
    """The records of one thing: a solo card, a scenario's map, its solo section, a unit, a tile.

    It is told by its table, `solo.NAME`, or asked: a solo card's name may be its unit's too.
    """
    assert isinstance(pack, Pack)
    table, _, name = thing.partition(".")
    if name:
        if table not in _ENTER:
            raise BadInput(f"undaunted.{thing}: there are solo, scenario, section, unit and tile, with .NAME")
        return (yield from _ENTER[table](pack, name))
    if thing in pack.solo and thing not in pack.unit:
        return (yield from enter_card(pack, thing))
    what = yield from ask(
        Choose(
            "undaunted.entry.what",
            f"{thing}: what is it?",
            options=(
                Option("card", "a solo card"),
                Option("scenario", "a scenario's map"),
                Option("section", "its solo section"),
                Option("unit", "a unit's card"),
                Option("tile", "a tile's side"),
            ),
        )
    )
    return (yield from _ENTER[what](pack, thing))


# A solo card


def enter_card(pack: Pack, name: str) -> Script[Tables]:
    """Title, designation, lines; what is known is offered (UND-164 to UND-170).

    Under the name of a stand-in for others it gets its own name, so that the bot still has that one there.
    """
    known = pack.solo.get(name)
    unit = known.unit if known else (yield from choose("unit", "Which unit's card?", pack.unit, pack))
    scenarios, factions = yield from _designation(pack, known)
    stand_in = known if known and known.source is Source.STAND_IN else None
    if stand_in and (scenarios, factions) != (stand_in.scenarios, stand_in.factions):
        name = "-".join((name, *scenarios, *factions))
        known = pack.solo.get(name, known)
    box = yield from enter_box(pack, known.box if known else ())
    note = known.note if known and known.complete else ""  # of an incomplete card it says what it lacks
    lines = list(known.lines) if known else []
    while True:
        lines = yield from enter_lines(pack, lines)
        card = SoloCard(unit, tuple(lines), scenarios, factions, box, note, source=Source.OWNER)
        found = [f"{one.path}: {one.message}" for one in solo_card(card, pack)]
        text = "Save this card?" if not found else f"{counted(len(found), 'problem')}. Save it all the same?"
        detail = "\n".join((*card_text(card, pack), *found))
        options = (Option("save", "save"), Option("again", "go on editing"))
        answer = yield from ask(Choose("undaunted.entry.save", text, detail, options=options))
        if answer == "save":
            return {"solo": {name: unsourced(msgspec.to_builtins(card))}}


def _designation(pack: Pack, known: SoloCard | None) -> Script[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The scenarios and the bots that the card is for; a known card's may stay (UND-165)."""
    named = known and (known.scenarios or known.factions)
    if known and named and (yield from yes("designation", f"Still for {designation(known, pack)}?")):
        return known.scenarios, known.factions
    scenarios = yield from several("scenarios", "For which scenarios? None: all", pack.scenario, pack)
    factions = yield from several("factions", "For which bot? None: any", FACTIONS)
    return scenarios, factions


def enter_box(pack: Pack, known: tuple[str, ...]) -> Script[tuple[str, ...]]:
    """The special rules that the box keeps: which of the known ones stay, and new ones (UND-166)."""
    kept = (yield from several("box", "Which special rules stay?", known)) if known else ()
    return (*kept, *(yield from many("Its special rules say", lambda: enter_limit(pack))))


def enter_limit(pack: Pack) -> Script[str]:
    """One special rule in the language's words."""
    word = yield from choose("limit", "Which special rule?", Limit)
    if word == Limit.NEVER_ATTACK:
        return f"{word} {(yield from number('Never attack above which defence?', 0))}"
    return f"{word} {(yield from enter_place(pack, 'Special rule'))}"


def enter_lines(pack: Pack, lines: list[Line]) -> Script[list[Line]]:
    """Keep, change, drop or add lines, one after the other from the top."""
    entered: list[Line] = []
    left = list(lines)
    while True:
        number = len(entered) + 1
        old = left[0] if left else None
        answer = yield from ask(_what_about(number, old))
        if answer == DONE:
            return entered
        if answer in {"change", "drop", "keep"}:
            left.pop(0)
        if answer == "keep":
            assert old is not None
            entered.append(old)
        elif answer in {"change", "new"}:
            line = yield from enter_line(pack, number)
            entered.append(line)
            yield from ask(
                Show("undaunted.entry.line", f"Line {number} now reads", "\n".join(line_text(number, line)))
            )


def _what_about(number: int, old: Line | None) -> Choose:
    new = Option("new", "enter a line", "put before the one shown" if old else "")
    if old is None:
        first = (new, Option(DONE, "no more lines"))
        return Choose("undaunted.entry.lines", f"Line {number}?", options=first)
    options = (Option("keep", "keep it"), Option("change", "enter it anew"), Option("drop", "drop it"), new)
    return Choose(
        "undaunted.entry.lines", f"Line {number} so far", "\n".join(line_text(number, old)), options=options
    )


def enter_line(pack: Pack, number: int) -> Script[Line]:
    """Condition, then the effect, or sub-lines that each have their own."""
    when = yield from enter_conditions(pack, f"Line {number}")
    shared = yield from enter_step(pack, f"Line {number}", empty="none here, sub-lines say")
    as_its_line = "as its line" if shared.do or shared.roll else ""
    subs: list[Step] = []
    while (yield from yes("sub", f"Line {number}: {'another' if subs else 'a'} sub-line?")):
        label = f"{number}{chr(ord('A') + len(subs))}"
        own = yield from enter_conditions(pack, label)
        step = yield from enter_step(pack, label, empty=as_its_line)
        subs.append(msgspec.structs.replace(step, when=own))
    fields = msgspec.structs.asdict(msgspec.structs.replace(shared, when=when))
    return Line(**fields, sub=tuple(subs))


def enter_step(pack: Pack, label: str, *, empty: str) -> Script[Step]:
    """A keyword and what it is aimed at; `empty` says what none means, if there may be none."""
    do = yield from enter_deed(pack, label, empty=empty)
    roll: dict[str, str] = {}
    if do == "roll":
        do, roll = "", (yield from _enter_roll(pack, label))
    to = yield from many(f"{label}: its destination is", lambda: enter_place(pack, label))
    toward = yield from many(f"{label}: it comes closer to", lambda: enter_place(pack, label))
    at = yield from many(f"{label}: the enemy is", lambda: enter_who(pack, label))
    who = yield from many(f"{label}: the friend that moves is", lambda: enter_who(pack, label))
    ties = yield from many(f"{label}: its tiebreakers prefer", lambda: enter_tie(pack, label))
    then = yield from ask(Number("undaunted.entry.then", f"{label}: then which line? 0: none", most=20))
    return Step(do, (), to, toward, at, who, ties, then, roll)


def _enter_roll(pack: Pack, label: str) -> Script[dict[str, str]]:
    """What is done at which faces of the die, from 0 up to 9."""
    roll: dict[str, str] = {}
    first = 0
    while first < len(FACES):
        last = yield from number(f"{label}: one result for {first} up to?", first, len(FACES) - 1)
        faces = f"{first}-{last}" if first < last else str(first)
        roll[faces] = yield from enter_deed(pack, f"{label}, {faces}")
        first = last + 1
    return roll


def enter_deed(pack: Pack, label: str, *, empty: str = "") -> Script[str]:
    """One keyword with its numbers; none where `empty` says what that means."""
    words = [*(kind.value for kind in Kind if kind not in NOT_FOR_BOTS), "select", "hunker"]
    extra = ["roll"] if "," not in label else []
    none = [Option(DONE, empty)] if empty else []
    word = yield from ask(
        Choose(
            "undaunted.entry.keyword",
            f"{label}: which keyword?",
            options=(*(Option(one, one) for one in (*words, *extra)), *none),
        )
    )
    if word in {DONE, "roll"}:
        return "" if word == DONE else word
    if word == "bolster":
        return f"bolster {(yield from choose('deck', f'{label}: from which deck?', _decks(pack)))}"
    if word == "inspire":
        count = yield from number(f"{label}: up to how many cards?", 1)
        return (
            f"inspire {count} {(yield from choose('cards', 'Which?', ('matching', 'any', *pack.unit), pack))}"
        )
    return (yield from _numbered(label, word))


def _numbered(label: str, word: str) -> Script[str]:
    if word in {"hunker", "control", "recon", "conceal", "advance", "target"}:
        return word
    if word == "mine":
        x = yield from number(f"{label}: up to how many mines?", 1)
        work = yield from choose("mine", f"{label}: which side up, or remove?", MINE_WORK)
        return f"{word} {x} {work}"
    none = "its full movement" if word == "select" else "as the unit's card"
    x = yield from number(f"{label}: its number? 0: {none}", 0)
    if x == 0:
        return word
    if word in {"attack", "grenade"}:
        text = f"{label}: its range?{f' {FAR}: no limit' * (word == 'attack')}"
        y = yield from number(text, 0)
        return f"{word} {x} {y}" if word == "grenade" or y < FAR else f"{word} {x}"
    return f"{word} {x}"


def _decks(pack: Pack) -> Iterable[str]:
    """What a card may call a bolster deck: letters as sections are entered with, and all that there are."""
    return dict.fromkeys((OWN, ANY_DECK, "a", "b", "c", "d", *bolster_decks(pack)))


# Words of the language


def enter_conditions(pack: Pack, label: str) -> Script[tuple[str, ...]]:
    """All conditions of a line."""
    return (yield from many(f"{label}: its condition says", lambda: enter_condition(pack, label)))


def enter_condition(pack: Pack, label: str) -> Script[str]:
    """One condition in the language's words."""
    word = yield from choose("subject", f"{label}: which condition?", Subject, hints=SUBJECTS)
    text = word
    if word in {Subject.NEEDS, Subject.ENEMY_NEEDS}:
        text = f"{word} {(yield from number(f'{label}: how many points?', 0))}"
    elif word == Subject.ROW:
        cards = ("matching", "any", *pack.unit)
        text = f"{word}: {(yield from choose('row', f'{label}: which card?', cards, pack))}"
    elif word == Subject.BOLSTER:
        text = f"{word}: {(yield from choose('deck', f'{label}: which deck?', _decks(pack)))}"
    elif word in {Subject.ENEMY, Subject.FRIEND}:
        terms = yield from many(f"{label}: the {word} is", lambda: enter_who(pack, label))
        text = f"{word}: {', '.join(terms)}" if terms else word
    elif word in {Subject.HERE, Subject.TILE}:
        terms = yield from many(f"{label}: the tile is", lambda: enter_place(pack, label), least=1)
        text = f"{word}: {', '.join(terms)}"
    return (yield from _maybe_not(label, text))


def enter_place(pack: Pack, label: str) -> Script[str]:
    """One tile word."""
    word = yield from choose("place", f"{label}: which tile word?", Place, hints=PLACES)
    text = word
    if word in COUNTED_PLACES:
        text = f"{word} {(yield from number(f'{label}: {word} how many?', 0))}"
    elif word in {Place.ENEMY, Place.FRIEND}:
        kind = yield from choose("kind", f"{label}: of which type?", ("any", *pack.unit), pack)
        text = word if kind == "any" else f"{word} {kind}"
    return (yield from _maybe_not(label, text))


def enter_who(pack: Pack, label: str) -> Script[str]:
    """One word about a unit."""
    word = yield from choose("who", f"{label}: which word?", Who, hints=UNITS)
    text = word
    if word in COUNTED_WHO:
        text = f"{word} {(yield from number(f'{label}: {word} how many?', 0))}"
    elif word == Who.TYPE:
        text = yield from choose("kind", f"{label}: of which type?", pack.unit, pack)
    elif word == Who.ON:
        text = f"{word} {(yield from enter_place(pack, label))}"
    return (yield from _maybe_not(label, text))


def enter_tie(pack: Pack, label: str) -> Script[str]:
    """One tiebreaker."""
    words = [tie.value for tie in Tie if tie is not Tie.IS]
    word = yield from choose("tie", f"{label}: which?", (*words, "a tile word", "a unit word"))
    if word in {Tie.NEAR, Tie.FAR}:
        return f"{word} {(yield from enter_place(pack, label))}"
    if word == "a tile word":
        return (yield from enter_place(pack, label))
    return (yield from enter_who(pack, label)) if word == "a unit word" else word


def _maybe_not(label: str, text: str) -> Script[str]:
    denied = yield from yes("not", f"{label}: is it 'not {text}'?")
    return f"not {text}" if denied else text


_ENTER: dict[str, Callable[[Pack, str], Script[Tables]]] = {
    "solo": enter_card,
    "card": enter_card,
    "scenario": enter_scenario,
    "section": enter_section,
    "unit": enter_unit,
    "tile": enter_tile,
}
