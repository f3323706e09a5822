"""Entering a scenario's map from its sheet, and the solo section of a scenario."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from companion.engine.asks import Choose, Number, Option, Script, ask
from companion.engine.errors import BadInput
from companion.engine.packs import Record, Source, Tables, unsourced
from companion.games.undaunted.entry_forces import enter_cards, enter_forces, put_right
from companion.games.undaunted.entry_questions import choose, number, several, title, yes
from companion.games.undaunted.pack import (
    ALL,
    FACTIONS,
    FOG,
    Pack,
    Scenario,
    SoloSection,
    Theatre,
    deck_title,
    solo_section,
    spawn_keys,
    type_name,
    units_of,
)
from companion.games.undaunted.state import MineSide
from companion.wording import counted

DONE = "done"
OFF_BOARD = "off the board"


def enter_scenario(pack: Pack, name: str) -> Script[Tables]:
    """Layout, objectives, spawns, counters and markers.

    Decks and goals too of a scenario that the rulebook doesn't know: the record is saved anew.
    """
    scenario = pack.scenario.get(name)
    if scenario is None or scenario.source is not Source.RULEBOOK:
        record = yield from enter_forces(pack, name)
        scenario = msgspec.convert(record, Scenario)
    else:
        _check_forces(pack, name, scenario)
        record = put_right(scenario, name)
    tiles = scenario.tiles or tuple(pack.tile)
    rows = yield from choose("rows", "Are the tiles laid in columns or in rows?", ("columns", "rows"))
    ranks = yield from _ranks(rows.removesuffix("s"), tiles)
    laid = [tile for rank in ranks for tile in _tiles(rank)]
    record |= {"rows": rows == "rows", "ranks": ranks}
    objectives = yield from _points(laid)
    record["objectives"] = objectives
    spawns: dict[str, object] = {}
    counters: dict[str, object] = {}
    for side in scenario.sides:
        spawns[side] = yield from _spawns(pack, scenario, side, laid)
        cards = scenario.all_cards(side)
        counters[side] = yield from _counters(pack, scenario, cards, side, laid)
    record |= {"spawns": spawns, "counters": counters}
    for field in ("scouted", "controlled"):
        found: dict[str, object] = {}
        for side in scenario.sides:
            text = f"{FACTIONS[side]}: which tiles are {field}?"
            found[side] = list((yield from several(field, text, laid)))
        record[field] = found
    if scenario.expansion:
        record |= yield from _special_tiles(scenario, laid, objectives)
    if scenario.mines:
        record["mines_laid"] = yield from _laid_mines(laid)
    if scenario.raises_radio:
        record["radio"] = yield from choose("radio", "Where is the radio marker?", laid)
    return {"scenario": {name: record}}


def _check_forces(pack: Pack, name: str, scenario: Scenario) -> None:
    """`BadInput` where sides or cards are none, by which units, counters and the bot are asked for."""
    wrong = ""
    if len(scenario.sides) != 2 or not {*scenario.sides} <= FACTIONS.keys():
        wrong = f"two sides are wanted, of {', '.join(FACTIONS)}, not {', '.join(scenario.sides) or 'none'}"
    for side in scenario.sides:
        for card in sorted(scenario.all_cards(side)):
            if type_name(card) not in pack.unit:
                wrong = wrong or f"no unit type for card {card!r} of {side}"
    if wrong:
        record = f"undaunted.scenario.{name}"
        raise BadInput(f"{record}: {wrong}; put that right first: companion pack edit {record} --fields")


def _special_tiles(scenario: Scenario, laid: Sequence[str], objectives: Mapping[str, int]) -> Script[Record]:
    """Tiles without vehicles, and structures with those who score by demolishing them.

    Without an objective marker a structure scores what its sheet says (UND-362).
    """
    record: Record = {
        "no_vehicles": list((yield from several("no_vehicles", "Tiles without vehicles?", laid))),
        "structures": {},
        "demolishes": "",
    }
    standing = yield from several("structures", "Tiles with a structure?", laid)
    if standing:
        structures = {}
        for tile in standing:
            question = f"{tile}: how many points for its structure?"
            structures[tile] = objectives.get(tile) or (yield from number(question, 1))
        record |= {"structures": structures}
        record["demolishes"] = yield from choose("demolishes", "Who scores by demolition?", scenario.sides)
    return record


def _laid_mines(laid: Sequence[str]) -> Script[list[Record]]:
    """The mines on the board at the start, each on the edge of two tiles (UND-047)."""
    mines: list[Record] = []
    while len(laid) > 1 and (
        yield from yes("laid", f"Mines on the board at the start: {len(mines)}. Another?")
    ):
        one = yield from choose("edge", "The mine overlaps which tile?", laid)
        other = yield from choose("edge", f"And beside {one}?", [tile for tile in laid if tile != one])
        side = yield from choose("mine", "Which side is up?", MineSide)
        mines.append({"between": [one, other], "armour": side == MineSide.ARMOUR})
    return mines


def _tiles(rank: Record) -> Sequence[str]:
    tiles = rank["tiles"]
    assert isinstance(tiles, list)
    return tiles


def _ranks(rank: str, tiles: Sequence[str]) -> Script[list[Record]]:
    """Column by column from the left, each from its top; its shift against the first in half tiles."""
    ranks: list[Record] = []
    left = list(tiles)
    while left and (
        not ranks or not (yield from yes("enough", f"{counted(len(ranks), rank)}: is that all?"))
    ):
        label = f"{rank.capitalize()} {len(ranks) + 1}"
        shift = 0
        if ranks:
            way, back = ("lower than", "Higher") if rank == "column" else ("right of", "Left")
            text = f"{label}: how many half tiles {way} {rank} 1? {back}: -1, -2"
            shift = yield from ask(Number("undaunted.entry.shift", text, least=-4, most=4))
        found: list[str] = []
        while left:
            done = [Option(DONE, "no more")] if found else []
            options = (*(Option(tile, tile) for tile in left), *done)
            tile = yield from ask(
                Choose("undaunted.entry.tile", f"{label}: tile {len(found) + 1}?", options=options)
            )
            if tile == DONE:
                break
            left.remove(tile)
            found.append(tile)
        ranks.append({"tiles": found, "shift": shift})
    return ranks


def _points(laid: Sequence[str]) -> Script[dict[str, int]]:
    points: dict[str, int] = {}
    for tile in (yield from several("objectives", "Which tiles have an objective marker?", laid)):
        points[tile] = yield from number(f"{tile}: how many points?", 1)
    return points


def _spawns(pack: Pack, scenario: Scenario, side: str, laid: Sequence[str]) -> Script[dict[str, str]]:
    """One marker for all, or one for each squad, type or unit that is named (UND-262)."""
    cards = scenario.all_cards(side)
    keys = [spawn_keys(unit) for unit in units_of(pack, cards)]
    squads = sorted({squad for _, _, squad, _ in keys if squad})
    kinds = dict.fromkeys(kind for _, kind, _, _ in keys)
    units = [unit for unit, kind, _, _ in keys if unit != kind]
    spawns: dict[str, str] = {}
    while not spawns or (yield from yes("spawn", f"{FACTIONS[side]}: another spawn marker?")):
        whom = yield from choose(
            "enters", f"{FACTIONS[side]} spawn marker: for whom?", (ALL, *squads, *kinds, *units), pack
        )
        spawns[whom] = yield from choose("where", "On which tile does it lie?", laid)
    return spawns


def _counters(
    pack: Pack, scenario: Scenario, cards: Iterable[str], side: str, laid: Sequence[str]
) -> Script[dict[str, str]]:
    """Where they start: units with cards, and North Africa's vehicles, which have none (UND-360)."""
    units = units_of(pack, cards)
    if scenario.theatre is Theatre.NORTH_AFRICA:
        units += [name for name, unit in pack.unit.items() if unit.seats and name not in units]
    placed: dict[str, str] = {}
    for unit in units:
        text = f"{FACTIONS[side]} {title(unit, pack)}: where does it start?"
        tile = yield from choose("counter", text, (OFF_BOARD, *laid))
        if tile != OFF_BOARD:
            placed[unit] = tile
    return placed


# Solo sections


def enter_section(pack: Pack, name: str) -> Script[Tables]:
    """Bolster decks, danger list and path to victory of a scenario for one bot faction."""
    known = pack.section.get(name)
    name = known.scenario if known else name
    scenario = pack.scenario.get(name)
    if scenario is None:
        raise BadInput(f"undaunted.{name}: no such scenario; there are {', '.join(pack.scenario)}")
    _check_forces(pack, name, scenario)
    side = yield from choose("faction", "Which faction is the bot?", scenario.sides)
    laid = scenario.laid
    deck, supply, counters = yield from _bot_setup(pack, scenario, side, laid)
    bolster: dict[str, tuple[str, ...]] = {}
    left = [card for card in supply or scenario.supply(side) if card != FOG]
    while left:
        letter = chr(ord("a") + len(bolster))
        cards = yield from several("bolster", f"Bolster deck {deck_title(letter)}: which cards?", left, pack)
        if not cards:
            break
        bolster[letter] = cards
        left = [card for card in left if card not in cards]
    fog = yield from _bolster_fog(bolster, (supply or scenario.supply(side)).get(FOG, 0))
    foe = next(one for one in scenario.sides if one != side)
    kinds = sorted({type_name(unit) for unit in units_of(pack, scenario.cards(foe))})
    danger = yield from _danger(kinds, pack)
    path = yield from several("path", "Path to victory: which tiles? None if it has none", laid)
    known = solo_section(pack, name, side)
    is_printed = known and known.scenario == name and known.source is not Source.STAND_IN
    changes = known.changes if known and is_printed else ()
    section = SoloSection(name, side, changes, bolster, danger, path, deck, supply, counters, fog)
    return {"section": {_own_record(pack, known, section): unsourced(msgspec.to_builtins(section))}}


def _own_record(pack: Pack, known: SoloSection | None, section: SoloSection) -> str:
    """The record that the owner has of the same section already, which would go before another one."""
    same = (Source.OWNER, section.scenario, section.faction)
    return next(
        (
            name
            for name, one in pack.section.items()
            if one is known and (one.source, one.scenario, one.faction) == same
        ),
        f"{section.scenario}-{section.faction}",
    )


def _bolster_fog(decks: Collection[str], left: int) -> Script[dict[str, int]]:
    """How many Fog of War the section puts into which bolster deck; as a rule none (UND-R44)."""
    fog: dict[str, int] = {}
    if not decks or not left or not (yield from yes("fog", "Are there Fog of War cards in bolster decks?")):
        return fog
    for letter in decks:
        if not left:
            break
        count = yield from number(f"Bolster deck {deck_title(letter)}: how many Fog of War?", 0, left)
        left -= count
        if count:
            fog[letter] = count
    return fog


def _bot_setup(
    pack: Pack, scenario: Scenario, side: str, laid: Sequence[str]
) -> Script[tuple[dict[str, int], dict[str, int], dict[str, str]]]:
    """The bot's deck, supply and counters where the section changes them, else nothing (UND-126, UND-127)."""
    deck: dict[str, int] = {}
    supply: dict[str, int] = {}
    counters: dict[str, str] = {}
    if (yield from yes("deck", "Does the solo section change the bot's deck?")):
        deck = yield from enter_cards(pack, "the bot's deck")
    if (yield from yes("supply", "Does it change the bot's supply?")):
        supply = yield from enter_cards(pack, "the bot's supply, with Fog of War")
    if laid and (yield from yes("counters", "Does it change where the bot's counters start?")):
        cards = (deck or scenario.decks[side]) | (supply or scenario.supply(side))
        counters = yield from _counters(pack, scenario, cards, side, laid)
    return deck, supply, counters


def _danger(kinds: Iterable[str], pack: Pack) -> Script[tuple[str, ...]]:
    """The enemy's types of units, the most dangerous first."""
    left, found = list(kinds), list[str]()
    while len(left) > 1:
        word = yield from choose("danger", "The most dangerous of these?", left, pack)
        left.remove(word)
        found.append(word)
    return (*found, *left)
