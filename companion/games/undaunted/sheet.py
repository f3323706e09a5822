"""The scenario's sheet in words: tiles, objectives, counters, markers, decks (UND-264 to UND-267)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.undaunted import cards
from companion.games.undaunted.pack import ALL, FACTIONS, Rank, deck_title
from companion.games.undaunted.state import Marker
from companion.games.undaunted.table import Table


def lines(table: Table) -> Iterator[str]:
    """One sentence for each thing to lay out, in the order of setting up (UND-264)."""
    scenario = table.scenario
    ways = ("left", "right") if scenario.rows else ("up", "down")
    ranks = "; ".join(_rank(rank, ways) for rank in scenario.ranks)
    yield f"{'Rows from the top' if scenario.rows else 'Columns from the left'}: {ranks}."
    yield f"Objectives: {_points({tile: table.value(tile) for tile in table.objectives()})}."
    if scenario.radio:
        yield f"Radio marker on {scenario.radio}."
    if table.state.no_vehicles:
        yield f"No vehicles on {' '.join(table.state.no_vehicles)}."
    if table.state.structures:
        yield f"Structures on {' '.join(table.state.structures)}."
    if scenario.mines:
        yield f"{FACTIONS[scenario.mines]} mines: {table.state.sides[scenario.mines].mines} in supply."
    if table.state.mines:
        lying = (f"{'-'.join(one.between)} {one.face}" for one in table.state.mines)
        yield f"Mines on {', '.join(lying)}."
    for side in table.state.sides:
        yield from _tokens(table, side)
    yield f"Initiative marker: {FACTIONS[table.state.initiative]}."
    for side in table.state.sides:
        yield from _all_cards(table, side)
    if units := table.stand_in_units():
        yield f"Stand-ins, with values of our own: {', '.join(units)}."
    yield from scenario.notes
    yield from _solo(table)


def _rank(rank: Rank, ways: tuple[str, str]) -> str:
    """A column's tiles and how it is shifted, such as "17B 13B 3B (half a tile up)"."""
    tiles = " ".join(rank.tiles)
    if not rank.shift:
        return tiles
    many = "half a tile" if abs(rank.shift) == 1 else f"{abs(rank.shift)} half tiles"
    return f"{tiles} ({many} {ways[rank.shift > 0]})"


def _points(points: Mapping[str, int]) -> str:
    return ", ".join(f"{tile} {value}" for tile, value in points.items())


def _tokens(table: Table, side: str) -> Iterator[str]:
    own, name = table.state.sides[side], FACTIONS[side]
    for tile in table.ground.tiles:
        there = [table.title(one.unit) for one in own.counters.values() if one.tile == tile]
        if there:
            yield f"{name} on {tile}: {', '.join(there)}."
    for marker in Marker:
        tiles = [tile for tile, lying in own.markers.items() if lying is marker]
        if tiles:
            yield f"{name} {marker}: {' '.join(tiles)}."
    yield f"{name} spawn: {_spawns(table, side)}."
    if len(table.mates(side)) > 1:
        yield f"{name} command token: {cards.name_of(table, own.commander)}."


def _all_cards(table: Table, side: str) -> Iterator[str]:
    for player in table.mates(side):
        has = table.state.players[player]
        yield f"{cards.of_whom(table, 'deck', player)}, shuffled, face down: {_cards(table, has.deck)}."
        if has.supply:
            yield f"{cards.of_whom(table, 'supply', player)}: {_cards(table, has.supply)}."
    yield f"{FACTIONS[side]} supply: {table.state.sides[side].fog} Fog of War."


def _spawns(table: Table, side: str) -> str:
    """Who enters where, such as "all on 17B" or "squad A on 2B, Sniper on 3B"."""
    return ", ".join(f"{_whom(table, key)} on {tile}" for key, tile in table.scenario.spawns[side].items())


def _whom(table: Table, key: str) -> str:
    if key == ALL:
        return key
    return f"squad {key.upper()}" if len(key) == 1 else table.title(key)


def _cards(table: Table, pile: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {table.title(card)}" for card, count in pile.items())


def _solo(table: Table) -> Iterator[str]:
    bot = table.state.bot
    if bot is None or table.section is None:
        return
    yield from table.section.changes
    for name, pile in bot.bolster.items():
        yield f"Bolster deck {deck_title(name)}, shuffled, face down: {_cards(table, pile)}."
    stand_ins = len(table.stand_in_cards())
    if stand_ins:
        yield f"{stand_ins} of the bot's solo cards are stand-ins."
