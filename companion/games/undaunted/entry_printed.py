"""Entering what a card, a counter or a tile prints: units and tiles (UND-G13, UND-G15 to UND-G18)."""

from __future__ import annotations

from companion.engine.asks import Choose, Option, Script, ask
from companion.engine.errors import BadInput
from companion.engine.packs import Record, Tables
from companion.games.undaunted.actions import NEEDS_X, TAKES_Y, Action, Kind
from companion.games.undaunted.entry_questions import choose, many, number, yes
from companion.games.undaunted.language import UNNAMED, names_a_unit
from companion.games.undaunted.pack import Pack, squad_of, type_name

DEFENCES = {"defence": "regular", "armour": "armoured", "structure": "structure"}


def enter_unit(pack: Pack, name: str) -> Script[Tables]:
    """A type of card: initiative, actions, defence, and whose counter it uses.

    What it has not is recorded too, so that nothing of a stand-in is left in its place.
    """
    if squad := squad_of(name):
        raise BadInput(f"undaunted.{name}: its cards would be those of {type_name(name)} in squad {squad}")
    if not names_a_unit(name):
        raise BadInput(f"undaunted.{name}: {UNNAMED}")
    known = pack.unit.get(name)
    record: Record = {"title": known.title if known else name.replace("-", " ").title()}
    record["initiative"] = yield from number("Its initiative? 0: no card", 0)
    record["actions"] = list((yield from many(f"{name}: it can do", enter_action)))
    for field, words in DEFENCES.items():
        record[field] = yield from number(f"{name}: {words} defence? 0: none", 0)
    others = (one for one in pack.unit if one != name)
    counter = yield from choose("unit", f"{name}: whose counter does it use?", ("its own", *others), pack)
    record["unit"] = "" if counter == "its own" else counter
    record["seats"] = yield from _seats(name)
    record["aircraft"] = yield from yes("aircraft", f"{name}: is it an aircraft?")
    record["commands"] = yield from yes("commands", f"{name}: does the command token go with it?")
    return {"unit": {name: record}}


def _seats(name: str) -> Script[list[Record]]:
    """A vehicle's seats with what each lets its occupant do."""
    seats: list[Record] = []
    while (yield from yes("seat", f"{name}: {'another' if seats else 'a'} seat?")):
        role = yield from choose("role", f"{name}: which seat?", ("driver", "gunner", "crew", "passenger"))
        seat_actions = yield from many(f"{role}: who sits there can do", enter_action)
        seats.append({"name": role, "actions": list(seat_actions)})
    return seats


def enter_action() -> Script[str]:
    """One printed action with the numbers that it has."""
    kind = Kind((yield from choose("action", "Which action?", Kind)))
    x = (yield from number(f"{kind}: its number?", 1)) if kind in NEEDS_X else 0
    y = None
    if kind in TAKES_Y:
        no_limit = kind is Kind.ATTACK
        far = yield from number(f"{kind}: its range?{f' {FAR}: no limit' * no_limit}", 0)
        y = None if no_limit and far == FAR else far
    limits = (Option("no", "any squad"), Option("yes", "the card's own squad"))
    squad = "no"
    if kind in {Kind.BOLSTER, Kind.INSPIRE}:
        squad = yield from ask(Choose("undaunted.entry.squad", f"{kind}: of which squad?", options=limits))
    return str(Action(kind, x, y, squad == "yes")).lower().replace("air support", "air-support")


FAR = 20
"""Stands for "no limit" where a range is asked."""


def enter_tile(_pack: Pack, name: str) -> Script[Tables]:
    """One side of a tile."""
    cover = yield from number(f"{name}: its cover? A hill: its higher value", 0, 5)
    hill = yield from yes("hill", f"{name}: is it a hill?")
    rough = yield from yes("rough", f"{name}: is it rough terrain?")
    return {"tile": {name: {"cover": cover, "hill": hill, "rough": rough}}}
