"""What a Sector takes and gives when a Unit moves in (DDD-132 to DDD-134, DDD-230 to DDD-233, DDD-268)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.engine.asks import Script, Show, ask
from companion.games.dday_dice.awards import FROM_SECTOR, choose_award, draw_award
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.battlefield import Way
from companion.games.dday_dice.effects import Event, Gain, IgnoreMines, IgnoreSacrifice, Price
from companion.games.dday_dice.joining import take_specialist
from companion.games.dday_dice.losses import left_after, sacrifice, wipe_out
from companion.games.dday_dice.questions import rolled, weakest
from companion.games.dday_dice.records import ANY, Drawn, Kind
from companion.games.dday_dice.state import Unit
from companion.games.dday_dice.trading import help_out
from companion.wording import counted

_FOUND = {"utah": "DDD-245", "juno": "DDD-264", "merville": "DDD-307"}
"""By which rule of a board the first Unit gets an Item."""


def arrive(battle: Battle, unit: Unit, way: Way, setting_out: Sequence[str]) -> Script[None]:
    """Sacrifice, movement gains, who joins, what is found; then a random Sector shows itself (DDD-R36).

    Who pays for this move is settled first: a sacrificed Beachmaster does, one who only joins, there or at
    the mines, does not: he was not among the Specialists `setting_out` (DDD-257).
    """
    there = battle.place(way.to)
    names = [name for name in unit.specialists if name in setting_out]
    gain = gained(battle, msgspec.structs.replace(unit, specialists=names), way)
    if sacrifices(battle, unit, way.to):
        if len(unit.specialists) <= len(there.sacrifice) and not (gain or there.gain_on_entry):
            text = "Nobody will be left after the sacrifice. Help?"
            yield from help_out(battle, unit, 1, text, ("DDD-107", "DDD-132"))
        for at, wanted in enumerate(there.sacrifice, 1):
            yield from sacrifice(battle, unit, wanted, there.sacrifice[at:])
    unit.soldiers += gain
    if gain:
        unit.turn.news.append(f"+{counted(gain, 'Soldier')} for the move")
    if there.joins and not there.joins_first_only:
        yield from joins(battle, unit, there.joins)
    if there.gain_on_entry:
        text = f"{battle.tag(unit)}Soldiers join: roll a die"
        unit.soldiers += (yield from rolled(battle, "dday_dice.entry", text, ("DDD-233",)))[0]
    if undiscovered(battle, way.to):
        yield from _discover(battle, unit, way.to)
    if battle.scenario.two_boards and unit.sector == "M8":
        if not battle.state.mortars_out:
            unit.turn.news.append("Sword's mortar is taken out")
        battle.state.mortars_out = True
    if not battle.strength(unit):
        wipe_out(unit)


def price(battle: Battle, unit: Unit, way: Way) -> int:
    """The Courage that a move costs: nothing sideways, and what a retreat does (DDD-121, DDD-123)."""
    if not way.advance:
        return way.courage
    if unit.turn.battle_cry or unit.turn.free_advance:
        return 0
    return max(0, way.courage - battle.cheaper(unit, Price.ADVANCE))


def swept(battle: Battle, unit: Unit) -> bool:
    """Whether mines do the Unit no harm (DDD-157)."""
    return unit.turn.ignore_mines or bool(battle.abilities(unit, IgnoreMines))


def may_enter(battle: Battle, unit: Unit, way: Way) -> bool:
    """Whether the Sector lets the Unit in: it has whom it asks for, or comes by a Battle Cry (DDD-051)."""
    return unit.turn.battle_cry or meets(battle, unit, way)


def meets(battle: Battle, unit: Unit, way: Way) -> bool:
    """Whether the Unit has whom the Sector asks for (DDD-129, DDD-132).

    Or an Ambulance on arrival: its own, if it can come along, or one that stands there (DDD-R43, DDD-R54).
    """
    there = battle.place(way.to)
    if any(name not in unit.specialists for name in there.requires):
        return False
    along = way.drivable(there)
    if not there.sacrifice or battle.abilities(unit, IgnoreSacrifice, way.to, along=along):
        return True
    owned = all(name == ANY or name in unit.specialists for name in there.sacrifice)
    return owned and bool(left_after(battle, unit.specialists, there.sacrifice))


def gained(battle: Battle, unit: Unit, way: Way) -> int:
    """The Soldiers that Beachmaster and Pathfinder bring for a move."""
    return sum(gain.soldiers for gain in battle.abilities(unit, Gain) if paid_by(gain, way))


def sacrifices(battle: Battle, unit: Unit, sector: str, *, along: bool = True) -> bool:
    """Whether somebody has to be given up there: not after a Battle Cry, nor with an Ambulance (DDD-R43)."""
    ignored = unit.turn.battle_cry or battle.abilities(unit, IgnoreSacrifice, sector, along=along)
    return bool(battle.place(sector).sacrifice) and not ignored


def asked_for(battle: Battle, unit: Unit, way: Way) -> list[str]:
    """The Specialists whom the Sector will want to see, all if it needs as many: kept on the way."""
    if unit.turn.battle_cry or not battle.options.guard_required:
        return []
    there = battle.place(way.to)
    given_up = there.sacrifice if sacrifices(battle, unit, way.to, along=way.drivable(there)) else ()
    all_of_them = ANY in given_up and len(unit.specialists) <= len(given_up)
    return [*there.requires, *given_up, *(unit.specialists if all_of_them else ())]


def paid_by(gain: Gain, way: Way) -> bool:
    """Whether a Specialist's gain is for a move by that way."""
    return gain.on is Event.MOVE or (gain.on is Event.ADVANCE and way.advance)


def joins(battle: Battle, unit: Unit, name: str) -> Script[None]:
    """A Specialist joins of himself, if his card is still to be had (DDD-230, DDD-R51)."""
    if _free(battle, unit, name):
        unit.turn.news.append(f"{name} joins")
        yield from take_specialist(battle, unit, name)


def will_join(battle: Battle, unit: Unit, sector: str) -> bool:
    """Whether a Specialist joins the Unit there, with those whom it arrives with.

    A first Unit's does not, if a weaker Unit came there this turn or can come still (DDD-174).
    """
    if not battle.place(sector).joins_first_only:
        return can_join(battle, unit, sector)
    weaker = (one for one in battle.fighting() if battle.strength(one) < battle.strength(unit))
    ahead = any(one.name != unit.name and _can_be_there(battle, one, sector) for one in weaker)
    return sector not in battle.state.gifts_taken and not ahead and can_join(battle, unit, sector)


def _can_be_there(battle: Battle, unit: Unit, sector: str) -> bool:
    """Whether the Unit has come there this turn, or has the Courage for a way there still."""
    if unit.turn.moved:
        return unit.turn.entered == sector
    ways = [way for way in battle.field.ways[unit.sector] if way.to == sector not in unit.visited]
    return any(price(battle, unit, way) <= unit.courage for way in ways)


def can_join(battle: Battle, unit: Unit, sector: str) -> bool:
    """Whether somebody joins there whom the Unit can have still (DDD-R51)."""
    name = battle.place(sector).joins
    return bool(name) and _free(battle, unit, name)


def _free(battle: Battle, unit: Unit, name: str) -> bool:
    """Whether nobody has or had that card: no Unit at all if it is unique."""
    rivals = battle.state.units if battle.pack.specialist[name].kind is Kind.UNIQUE else [unit]
    return all(name not in (*other.specialists, *other.dead) for other in rivals)


def undiscovered(battle: Battle, sector: str) -> bool:
    """Whether a random Sector still waits for its first Unit (DDD-268)."""
    return bool(battle.place(sector).random) and sector not in battle.state.random_rolls and battle.full


def _discover(battle: Battle, unit: Unit, sector: str) -> Script[None]:
    """The first Unit in a random Sector rolls on its table, for good (DDD-268 to DDD-270)."""
    text = f"{battle.tag(unit)}{battle.label(sector)}: roll on its table"
    roll = (yield from rolled(battle, "dday_dice.random", text, ("DDD-268", "DDD-269", "DDD-270")))[0]
    battle.state.random_rolls[sector] = roll
    name = battle.field.line_names[sector][roll - 1]
    text = f"{battle.label(sector)}: {name}. Leave the die there"
    yield from ask(Show("dday_dice.random.shows", text, battle.printed(sector), ("DDD-269", "DDD-271")))


# --- what only the first Unit gets


def hand_out(battle: Battle) -> Script[None]:
    """Gifts for first Units, at the end of Phase 4: the weakest of those that came (DDD-174)."""
    came = [unit for unit in battle.fighting() if unit.turn.entered]
    for sector in dict.fromkeys(unit.turn.entered for unit in came):
        there = [unit for unit in came if unit.turn.entered == sector]
        if sector in battle.state.gifts_taken or not _gives(battle, sector):
            continue
        unit = min(there, key=battle.strength)
        if what := _left(battle, sector):
            unit = yield from weakest(battle, there, f"A tie in {battle.label(sector)}: who gets the {what}?")
        battle.state.gifts_taken.append(sector)
        yield from _gift(battle, unit, sector)


def _gives(battle: Battle, sector: str) -> bool:
    place = battle.place(sector)
    return bool(place.award or battle.free_item(sector) or (place.joins and place.joins_first_only))


def _left(battle: Battle, sector: str) -> str:
    """What the first Unit of a Sector gets there; empty where all of it was had already."""
    place, item = battle.place(sector), battle.free_item(sector)
    if item and not _is_out(battle, item):
        return item
    if place.award and battle.state.award_deck:
        return "Award"
    return place.joins if place.joins_first_only else ""


def _found_by(battle: Battle) -> tuple[str, ...]:
    """The rule of the board; of one of one's own, that what is printed on it holds."""
    return tuple(_FOUND[name] for name in battle.scenario.maps if name in _FOUND) or ("DDD-126",)


def _is_out(battle: Battle, item: str) -> bool:
    """Whether the Item of a Sector was had already: put into a Unit, or among the used ones, by hand."""
    return item in battle.state.used_items or any(item in unit.items for unit in battle.state.units)


def _gift(battle: Battle, unit: Unit, sector: str) -> Script[None]:
    place = battle.place(sector)
    if place.award and not battle.state.award_deck:
        unit.turn.news.append("no Award is left")
    elif place.award:
        if place.award is Drawn.CHOICE:
            yield from choose_award(battle, unit, "An Award! Which?", FROM_SECTOR)
        else:
            yield from draw_award(battle, unit, FROM_SECTOR)
    item = battle.free_item(sector)
    if item and not _is_out(battle, item):
        unit.items.append(item)
        text = f"{battle.tag(unit)}Found: {item}"
        yield from ask(Show("dday_dice.move.found", text, battle.pack.item[item].text, _found_by(battle)))
    if place.joins and place.joins_first_only:
        yield from joins(battle, unit, place.joins)
