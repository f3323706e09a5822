"""What must always hold on the table."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.undaunted.pack import FOG, STRUCTURE, type_name, units_of
from companion.games.undaunted.setup import side_of_bot
from companion.games.undaunted.state import Counter, State
from companion.games.undaunted.table import Table


def broken(table: Table) -> Iterator[str]:
    """Every invariant that does not hold, in words; without both sides only that."""
    if missing := [side for side in table.printed if side not in table.state.sides or not table.mates(side)]:
        yield f"nobody plays {' and '.join(missing)}"
        return
    if more := [side for side in table.state.sides if side not in table.printed]:
        yield f"this scenario has no side {', '.join(more)}"
        return
    played = table.state.bot.side if table.state.bot else ""
    if played != (own := side_of_bot(table.scenario, table.settings)):
        yield f"the bot plays {played or 'nobody'}, not {own or 'nobody'}"
        return
    if unknown := list(_unknown_units(table)):
        yield from unknown
        return
    yield from _turn(table)
    for side in table.state.sides:
        yield from _commanders(table, side)
        yield from _cards(table, side)
        yield from _counters(table, side)
        for unit, counter in table.state.sides[side].counters.items():
            if counter.unit == unit:
                yield from _counter(table, side, counter)
            else:
                yield f"{side} {unit} is {counter.unit!r}"
        yield from _tiles(table, side)
    yield from _control(table)
    yield from _structures(table)
    for tile in table.state.no_vehicles:
        if tile not in table.ground.tiles:
            yield f"no vehicles may be on {tile}, which is not on the board"
    yield from _mines(table)


def _unknown_units(table: Table) -> Iterator[str]:
    for side, own in table.state.sides.items():
        for unit in own.counters:
            if type_name(unit) not in table.pack.unit:
                yield f"{side}: there is no unit {unit}"


def _turn(table: Table) -> Iterator[str]:
    """Scenario, initiative and turn are of those who play; no round comes before the first."""
    state = table.state
    if table.pack.scenario.get(state.scenario) is not table.scenario:
        yield f"the scenario is {state.scenario!r}, but {table.scenario.title} is played"
    if state.initiative not in state.sides:
        yield f"the initiative is with {state.initiative!r}, which is none of {', '.join(state.sides)}"
    if state.turn and state.turn not in state.players:
        yield f"the turn is of {state.turn!r}, who is none of {', '.join(state.players)}"
    elif table.at_turn not in (None, state.turn):
        yield f"it is the turn of {table.at_turn or 'nobody'}, and is not handed on by hand"
    for name, count in (("round", state.round), ("radio", state.radio)):
        if count < 0:
            yield f"{name} is {count}"
    if state.radio > 0 and not table.scenario.radio:
        yield f"radio is {state.radio}, but there is no radio tile in this scenario"
    yield from _out_of_turn(state)


def _out_of_turn(state: State) -> Iterator[str]:
    """Players bid before the turns, and the bot resolves its cards in its own."""
    for name, card in state.bids.items():
        if name not in state.players:
            yield f"{name!r} bids {card}, who is none of {', '.join(state.players)}"
        elif state.turn:
            yield f"{name} bids {card} in the turn of {state.turn}"
    if state.bot and state.bot.resolving and state.turn != state.bot.side:
        yield f"the bot resolves {state.bot.resolving}, but it is not its turn"


def _commanders(table: Table, side: str) -> Iterator[str]:
    own, mates = table.state.sides[side], table.mates(side)
    for name in (own.commander, own.next_commander):
        if name not in mates:
            yield f"{side}: {name!r} commands, who is none of {', '.join(mates)}"


def _cards(table: Table, side: str) -> Iterator[str]:
    """No card comes or goes: decks, hands, piles, supplies and removed ones add up."""
    seen: dict[str, int] = {}
    for pile in table.piles(side):
        for card, count in pile.items():
            seen[card] = seen.get(card, 0) + count
            if count < 0 or (count == 0 and card != FOG):
                yield f"{side}: a pile holds {count} of {card}"
    for name in table.mates(side):
        if len(table.unseen(name)) > sum(table.state.players[name].deck.values()):
            yield f"{side}: more cards lie face down unseen than the deck counts"
        if any(not one.face_down for one in table.unseen(name)):
            yield f"{side}: a card lies face up that nobody has named"
    printed = table.printed[side]
    for card in sorted(printed.keys() | seen.keys()):
        if seen.get(card, 0) != printed.get(card, 0):
            yield f"{side}: {seen.get(card, 0)} of {printed.get(card, 0)} {card} cards are there"


def _counters(table: Table, side: str) -> Iterator[str]:
    """Each unit has its counter, on the board or off it; only vehicles with seats need no card."""
    units = units_of(table.pack, table.printed[side])
    counters, laid = table.state.sides[side].counters, {*table.scenario.counters.get(side, ())}
    if table.bot(side) and table.section:
        laid |= table.section.counters.keys()
    for unit in units:
        if unit not in counters:
            yield f"{side}: {unit} has no counter"
    for unit in counters.keys() - {*units, *laid}:
        if not table.type(unit).seats:
            yield f"{side}: {unit} has a counter, but no card"


def _counter(table: Table, side: str, counter: Counter) -> Iterator[str]:
    who = f"{side} {counter.unit}"
    if counter.side != side or counter.owner not in table.mates(side):
        yield f"{who} belongs to {counter.side or 'nobody'} and {counter.owner or 'nobody'}"
        return
    if counter.tile and counter.tile not in table.ground.tiles:
        yield f"{who} is on {counter.tile}, which is not on the board"
    elif counter.tile and not table.may_enter(counter, counter.tile):
        yield f"{who} is on {counter.tile}, where no vehicle may be"
    cards = table.most_hits(counter)
    if not 0 <= counter.hits <= cards:
        yield f"{who} carries {counter.hits} control markers: 0 to {cards} can lie there"
    if counter.seat < 0:
        yield f"{who} sits in seat {counter.seat}"
    kind = table.type(counter.unit)
    if counter.disabled and kind.armour is None and not kind.seats:
        yield f"{who} is disabled, but no vehicle"
    if not counter.tile and (counter.hits or counter.suppressed or counter.vehicle):
        yield f"{who} is off the board, but marked"
    if counter.vehicle:
        vehicle = table.state.sides[side].counters.get(counter.vehicle)
        if vehicle is None or vehicle.tile != counter.tile:
            yield f"{who} sits in {counter.vehicle}, which is not on {counter.tile}"
        elif counter.seat not in range(len(table.type(vehicle.unit).seats)):
            yield f"{who} sits in seat {counter.seat} of {counter.vehicle}, which there is not"
        elif table.type(counter.unit).seats:
            yield f"{who} sits in {counter.vehicle}, a vehicle in a vehicle"
        elif len([one for one in table.occupants(vehicle) if one.seat == counter.seat]) > 1:
            yield f"{who} sits in seat {counter.seat} of {counter.vehicle}, where another sits"


def _tiles(table: Table, side: str) -> Iterator[str]:
    own = table.state.sides[side]
    for tile in own.markers:
        if tile not in table.ground.tiles:
            yield f"{side}: a marker lies on {tile}, which is not on the board"
    for name, count in (("mines", own.mines), ("destroyed", own.destroyed)):
        if count < 0:
            yield f"{side}: {name} is {count}"
    if own.mines > 0 and side != table.scenario.mines:
        yield f"{side}: mines is {own.mines}, but that side controls none in this scenario"
    if own.destroyed > 0 and side != table.scenario.demolishes:
        yield f"{side}: destroyed is {own.destroyed}, but that side demolishes nothing in this scenario"
    elif own.destroyed > (most := _structures_worth(table)):
        yield f"{side}: destroyed is {own.destroyed}, but all structures are worth {most}"
    if own.target and own.target not in table.ground.tiles:
        yield f"{side}: the target marker lies on {own.target}, which is not on the board"
    elif own.target and not any(type_name(card) in table.targeting for card in table.printed[side]):
        yield f"{side}: the target marker lies on {own.target}, but that side has no mortar"


def _control(table: Table) -> Iterator[str]:
    """One side at most controls a tile (UND-261)."""
    first, second = table.state.sides
    for tile in table.ground.tiles:
        if table.controls(first, tile) and table.controls(second, tile):
            yield f"both sides control {tile}"


def _mines(table: Table) -> Iterator[str]:
    """A mine lies on an edge; on the board or in the supply there are no more than the sheet has."""
    state, scenario = table.state, table.scenario
    if state.mines and not scenario.mines:
        yield "a mine lies on the board, but no side controls mines in this scenario"
    elif scenario.mines:
        most = scenario.mine_supply + len(scenario.mines_laid)
        if len(state.mines) > most:
            yield f"{len(state.mines)} mines lie on the board, but there are {most}"
        if (left := state.sides[scenario.mines].mines) > most:
            yield f"{scenario.mines}: mines is {left}, but there are {most}"
    for mine in state.mines:
        if mine.between[1] not in table.ground.links.get(mine.between[0], ()):
            yield f"a mine lies between {mine.between[0]} and {mine.between[1]}, which have no edge in common"


def _structures_worth(table: Table) -> int:
    """The points for demolishing every structure of the scenario (UND-362)."""
    return sum(table.value(tile) or worth for tile, worth in table.scenario.structures.items())


def _structures(table: Table) -> Iterator[str]:
    """A structure is on the tile that it is listed for, and nobody's; not each scenario has such."""
    if table.state.structures and not table.scenario.structures:
        yield "a structure is on the board, but there is none in this scenario"
    for tile, one in table.state.structures.items():
        if tile not in table.ground.tiles or one != Counter("", STRUCTURE, "", tile):
            yield f"the structure on {tile} is {one.side} {one.unit} on {one.tile!r}, nobody's and unmarked"
