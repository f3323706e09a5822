"""What a pack lacks or contradicts: units, scenarios, solo sections and, card by card, solo cards."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

import msgspec

from companion.engine.errors import BadInput
from companion.engine.game import Problem
from companion.engine.packs import numbers
from companion.games.undaunted import actions
from companion.games.undaunted.actions import MOVEMENT, Kind
from companion.games.undaunted.checker_cards import solo_card
from companion.games.undaunted.ground import Ground
from companion.games.undaunted.language import UNNAMED, names_a_unit
from companion.games.undaunted.pack import (
    ALL,
    ANY,
    FACTIONS,
    FOG,
    STRUCTURE,
    THEATRES,
    Pack,
    Scenario,
    SoloSection,
    Theatre,
    UnitType,
    fits,
    solo_cards,
    solo_section,
    spawn_keys,
    squad_of,
    type_name,
    unit_of,
    units_of,
)

MINED = range(201, 205)
OF_THEATRE = {Theatre.NORMANDY: ("us", "ge"), Theatre.NORTH_AFRICA: ("lrdg", "it")}
"""The factions of each base game."""
BY_A_COUNTER = MOVEMENT | {Kind.CONTROL, Kind.TARGET, Kind.MINE, Kind.BOARD}


def problems(pack: msgspec.Struct) -> Iterable[Problem]:
    """Everything that `companion pack check` lists."""
    assert isinstance(pack, Pack)
    yield from less_than_none(pack)
    yield from unreadable_actions(pack)
    for name, unit in pack.unit.items():
        yield from _in(f"unit.{name}", _unit(name, unit, pack))
    for name, scenario in pack.scenario.items():
        yield from _in(f"scenario.{name}", _lacks(scenario))
        yield from _in(f"scenario.{name}", scenario_errors(scenario, pack))
        yield from _in(f"scenario.{name}", _of_another_game(scenario))
        yield from _in(f"scenario.{name}", _out_of_reach(scenario))
        yield from _in(f"scenario.{name}", _structures(scenario, pack))
        yield from _in(f"scenario.{name}", _only_pinning(scenario))
        yield from _in(f"scenario.{name}", _without_commander(scenario, pack))
        for side in scenario.sides:
            cards = scenario.all_cards(side)
            laid = scenario.counters.get(side, {})
            found = _never_entering(scenario, side, cards, laid, pack)
            yield from _in(f"scenario.{name}", found)
            yield from _in(f"scenario.{name}.counters.{side}", _without_card(laid, cards, pack))
    yield from _missing_cards(pack)
    for name, section in pack.section.items():
        yield from _in(f"section.{name}", _section(section, pack))
    for name, card in pack.solo.items():
        yield from _in(f"solo.{name}", solo_card(card, pack))


def _in(path: str, found: Iterable[Problem]) -> Iterator[Problem]:
    for one in found:
        yield Problem(f"{path}.{one.path}" if one.path else path, one.message, one.rule)


def less_than_none(pack: Pack) -> Iterator[Problem]:
    """Cards, points, mines or defence below 0; only a column or row can be shifted so."""
    for path, number in numbers(msgspec.to_builtins(pack)):
        if number < 0 and not path.endswith(".shift"):
            yield Problem(path, f"{number} is less than none")


def unreadable_actions(pack: Pack) -> Iterator[Problem]:
    """What units are to do and nobody can: a game would end in a fault when one is to act."""
    for name, unit in pack.unit.items():
        for text in (*unit.actions, *(text for seat in unit.seats for text in seat.actions)):
            try:
                actions.parse(text)
            except BadInput as error:
                yield Problem(f"unit.{name}.actions", str(error))


def _unit(name: str, unit: UnitType, pack: Pack) -> Iterator[Problem]:
    if squad := squad_of(name):
        message = f"its cards would be those of {type_name(name)} in squad {squad}: give it another name"
        yield Problem("", message)
    elif not names_a_unit(name):
        yield Problem("", UNNAMED)
    if _borrows_nothing(unit, pack):
        yield Problem("unit", f"no unit type with a counter of its own: {unit.unit!r}", "UND-024")
    if unit.seats and any(text.split()[:1] == [Kind.BOARD] for text in unit.actions):
        yield Problem(
            "actions", "'board' is what soldiers do: a vehicle with seats gets into none", "UND-360"
        )
    for text in _without_counter(unit):
        yield Problem("actions", f"{text!r} is done by a counter: its defence is wanted", "UND-256")


def _borrows_nothing(unit: UnitType, pack: Pack) -> bool:
    """Whether a card is to act with the counter of a type that there isn't, or that has none itself."""
    lender = pack.unit.get(unit.unit)
    return bool(unit.unit) and (lender is None or bool(lender.unit) or not lender.has_counter)


def _without_counter(unit: UnitType) -> Iterator[str]:
    """The actions that only a counter could carry out, of a card that has none."""
    for text in () if unit.has_counter else unit.actions:
        if text.split()[:1] and text.split()[0] in BY_A_COUNTER:
            yield text


# Scenarios


def playable(pack: msgspec.Struct) -> tuple[str, ...]:
    """The scenarios that lack nothing, in the order of their numbers, La Raye first."""
    assert isinstance(pack, Pack)
    whole = [name for name, one in pack.scenario.items() if _is_whole(one, pack)]
    return tuple(sorted(whole, key=lambda name: (pack.scenario[name].number or 99, name)))


def _is_whole(scenario: Scenario, pack: Pack) -> bool:
    return not any(scenario_lacks(scenario)) and not any(scenario_errors(scenario, pack))


OF_THE_MAP = {"ranks", "objectives", "radio", "spawns", "counters", "scouted"}


def _lacks(scenario: Scenario) -> Iterator[Problem]:
    """The same as `scenario_lacks`, a map that nobody has entered said once."""
    if not scenario.laid:
        yield Problem("", "its map: the tiles, what lies on them, and where units enter", "UND-G11")
    for one in scenario_lacks(scenario):
        if scenario.laid or one.path.partition(".")[0] not in OF_THE_MAP:
            yield one


def scenario_lacks(scenario: Scenario) -> Iterator[Problem]:
    """What the owner still has to enter before a scenario can be played."""
    if len(scenario.decks) != 2:
        yield Problem("decks", "two sides with their starting decks are wanted", "UND-266")
    if not scenario.laid:
        yield Problem("ranks", "the tiles as they are laid, column by column", "UND-G11")
    if not scenario.objectives:
        yield Problem("objectives", "the tiles with objective markers and their points", "UND-G11")
    if scenario.raises_radio and not scenario.radio:
        yield Problem("radio", "the tile with the radio marker", "UND-G11")
    for side, deck in scenario.decks.items():
        if not holds_a_card(deck) and side not in scenario.joint:
            yield Problem(f"decks.{side}", "the cards of its starting deck", "UND-266")
        if not scenario.spawns.get(side):
            yield Problem(f"spawns.{side}", "the tile where its units enter", "UND-262")
        if not scenario.counters.get(side):
            yield Problem(f"counters.{side}", "where its counters start", "UND-G11")
        if not scenario.scouted.get(side) and not scenario.controlled.get(side):
            yield Problem(f"scouted.{side}", "the tiles with its markers at the start", "UND-G11")
        if not scenario.points.get(side) and side not in scenario.pins:
            yield Problem(f"points.{side}", "what it needs to win", "UND-329")
    if not scenario.initiative:
        yield Problem("initiative", "the side that starts with the marker", "UND-265")


def holds_a_card(deck: Mapping[str, int]) -> bool:
    """Whether a deck has anything that can be played: Fog of War can't."""
    return any(count for card, count in deck.items() if card != FOG)


def scenario_errors(scenario: Scenario, pack: Pack) -> Iterator[Problem]:
    """What of a scenario contradicts itself or the rest of the pack."""
    laid = scenario.laid
    if not laid:
        return
    for tile in laid:
        if tile not in pack.tile:
            yield Problem("ranks", f"tile {tile} is not in the pack", "UND-F10")
        if laid.count(tile) > 1:
            yield Problem("ranks", f"tile {tile} is laid twice", "UND-264")
        if scenario.tiles and tile not in scenario.tiles:
            yield Problem("ranks", f"tile {tile} is not on the scenario's list", "UND-264")
    for tile in scenario.tiles:
        if tile not in laid:
            yield Problem("ranks", f"tile {tile} of the scenario's list is not laid", "UND-264")
    yield from _unknown_sides(scenario)
    yield from _off_board(scenario, set(laid))
    yield from _unknown_cards(scenario, pack)
    yield from _unknown_units(scenario, pack)
    for side in scenario.decks:
        cards = scenario.all_cards(side)
        yield from _no_vehicles(scenario, side, cards, scenario.counters.get(side, {}), pack)
    yield from _mines(scenario)
    if all(tile in pack.tile for tile in laid):
        yield from _edges(scenario, Ground(scenario, pack.tile))


def _unknown_sides(scenario: Scenario) -> Iterator[Problem]:
    named: dict[str, Iterable[str]] = {
        "initiative": [scenario.initiative] if scenario.initiative else [],
        "pins": scenario.pins,
        "demolishes": [scenario.demolishes] if scenario.demolishes else [],
        "raises_radio": [scenario.raises_radio] if scenario.raises_radio else [],
        "points": scenario.points,
        "supplies": scenario.supplies,
        "spawns": scenario.spawns,
        "counters": scenario.counters,
        "scouted": scenario.scouted,
        "controlled": scenario.controlled,
        "joint": scenario.joint,
    }
    for field, sides in named.items():
        for side in sides:
            if side not in scenario.decks:
                yield Problem(field, f"no side {side!r}; there are {', '.join(scenario.decks)}")
    for side in scenario.decks:
        if side not in FACTIONS:
            yield Problem("decks", f"no faction {side!r}; there are {', '.join(FACTIONS)}")


def _mines(scenario: Scenario) -> Iterator[Problem]:
    if scenario.mines and scenario.number not in MINED:
        yield Problem("mines", "mines are only in scenarios 201 to 204", "UND-043")
    if (scenario.mine_supply or scenario.mines_laid) and scenario.mines not in scenario.decks:
        yield Problem("mines", "which faction controls the mines?", "UND-044")


def _edges(scenario: Scenario, ground: Ground) -> Iterator[Problem]:
    """Tiles that no step leads to, and mines that lie on no edge."""
    first, *others = ground.tiles
    for tile in others:
        if tile not in ground.distance[first]:
            message = f"no way leads from {first} to {tile}: is a column's or row's shift wrong?"
            yield Problem("ranks", message, "UND-345")
            break
    for one, other in (mine.between for mine in scenario.mines_laid):
        if other not in ground.links.get(one, ()):
            yield Problem("mines_laid", f"{one} and {other} have no edge in common", "UND-047")


def _off_board(scenario: Scenario, laid: set[str]) -> Iterator[Problem]:
    named: dict[str, Iterable[str]] = {
        "objectives": scenario.objectives,
        "no_vehicles": scenario.no_vehicles,
        "structures": scenario.structures,
        "radio": [scenario.radio] if scenario.radio else [],
    }
    for side in scenario.decks:
        named[f"spawns.{side}"] = scenario.spawns.get(side, {}).values()
        named[f"counters.{side}"] = scenario.counters.get(side, {}).values()
        named[f"scouted.{side}"] = scenario.scouted.get(side, ())
        named[f"controlled.{side}"] = scenario.controlled.get(side, ())
    for field, tiles in named.items():
        for tile in tiles:
            if tile not in laid:
                yield Problem(field, f"tile {tile} is not on the board")
    held = [tile for side in scenario.decks for tile in scenario.controlled.get(side, ())]
    for tile in sorted({tile for tile in held if held.count(tile) > 1}):
        yield Problem("controlled", f"both sides control {tile}", "UND-261")


def _unknown_cards(scenario: Scenario, pack: Pack) -> Iterator[Problem]:
    piles: dict[str, Mapping[str, int]] = {}
    for side in scenario.decks:
        piles[f"decks.{side}"] = scenario.decks[side]
        piles[f"supplies.{side}"] = scenario.supply(side)
        for number, cards in enumerate(scenario.joint.get(side, ())):
            piles[f"joint.{side}.{number}"] = cards.deck | cards.supply
    for field, pile in piles.items():
        yield from _no_cards(field, pile, pack)


def _no_cards(field: str, pile: Iterable[str], pack: Pack) -> Iterator[Problem]:
    for card in pile:
        if type_name(card) not in pack.unit:
            yield Problem(field, f"no unit type for card {card!r}")
        elif type_name(card) == FOG != card:
            yield Problem(field, f"there is only {FOG!r}, of no squad, not {card!r}", "UND-255")
        elif _borrows_nothing(pack.unit[type_name(card)], pack):
            borrowed = pack.unit[type_name(card)].unit
            yield Problem(field, f"{card} acts with the counter of {borrowed!r}, which has none", "UND-024")
        elif any(_without_counter(pack.unit[type_name(card)])):
            yield Problem(field, f"{card} can't act without a counter: its defence is wanted", "UND-256")


def _no_counters(field: str, units: Iterable[str], pack: Pack) -> Iterator[Problem]:
    for unit in units:
        if type_name(unit) not in pack.unit or not pack.unit[type_name(unit)].has_counter:
            yield Problem(field, f"no unit type with a counter for {unit!r}", "UND-253")
        elif unit_of(pack, unit) != unit:
            message = f"{unit} has no counter of its own, it acts with that of {unit_of(pack, unit)}"
            yield Problem(field, message, "UND-024")


def _unknown_units(scenario: Scenario, pack: Pack) -> Iterator[Problem]:
    """Counters and spawn markers of units that there are none of."""
    for side in scenario.decks:
        yield from _no_counters(f"counters.{side}", scenario.counters.get(side, {}), pack)
        for whom in scenario.spawns.get(side, {}):
            if whom != ALL and len(whom) > 1 and type_name(whom) not in pack.unit:
                yield Problem(f"spawns.{side}", f"{whom!r} is no unit, type or squad, nor {ALL!r}", "UND-262")


def _of_another_game(scenario: Scenario) -> Iterator[Problem]:
    """Sides of the other base game, whose vehicles and casualties go by rules of their own."""
    theatre = scenario.theatre
    for side in scenario.decks:
        if side in FACTIONS and side not in OF_THEATRE[theatre]:
            yield Problem(
                "theatre", f"{FACTIONS[side]} in a scenario of {THEATRES[theatre]}: is the base game right?"
            )


def _out_of_reach(scenario: Scenario) -> Iterator[Problem]:
    """Goals above all that can be had, or that are had already; the radio tile's worth has no limit."""
    for side, goal in scenario.points.items() if scenario.objectives and not scenario.radio else ():
        structures = scenario.structures if side == scenario.demolishes else {}
        most = sum(scenario.objectives.values()) + sum(structures.values())
        if goal > most:
            yield Problem(f"points.{side}", f"{goal} to win, but there are only {most} to be had", "UND-332")
        held = sum(scenario.objectives.get(tile, 0) for tile in scenario.controlled.get(side, ()))
        if 0 < goal <= held:
            yield Problem(f"points.{side}", f"{goal} to win, and it has {held} from the start", "UND-329")


def _structures(scenario: Scenario, pack: Pack) -> Iterator[Problem]:
    """Structures that nobody scores by or that nobody is able to demolish (UND-220, UND-362)."""
    side = scenario.demolishes
    if not scenario.structures:
        return
    if not side:
        yield Problem("demolishes", "the side that scores by demolishing the structures", "UND-362")
    elif side in scenario.decks and not any(map(_demolishes, _kinds(scenario, side, pack))):
        yield Problem("demolishes", f"no card of the {side} side can demolish a structure", "UND-220")
    kind = pack.unit.get(STRUCTURE)
    if kind is None or kind.structure is None:
        yield Problem("structures", f"their defence is wanted, in unit.{STRUCTURE}", "UND-220")


def _kinds(scenario: Scenario, side: str, pack: Pack) -> list[UnitType]:
    """The types of a side's cards and of the counters that it starts with."""
    names = {type_name(one) for one in (*scenario.all_cards(side), *scenario.counters.get(side, ()))}
    return [pack.unit[name] for name in names if name in pack.unit]


def _demolishes(kind: UnitType) -> bool:
    texts = (*kind.actions, *(text for seat in kind.seats for text in seat.actions))
    return any(text.split()[:1] == [Kind.DEMOLITION] for text in texts)


def _only_pinning(scenario: Scenario) -> Iterator[Problem]:
    """Sides that are to win by pinning in the game that knows none (UND-330)."""
    for side in scenario.pins if scenario.theatre is Theatre.NORTH_AFRICA else ():
        if not scenario.points.get(side):
            message = "pinning wins in Normandy alone: without points this side could never win"
            yield Problem(f"points.{side}", message, "UND-330")


def _without_commander(scenario: Scenario, pack: Pack) -> Iterator[Problem]:
    """Teams without cards, or in which not just one player begins with one that command goes with."""
    commands = {name for name, kind in pack.unit.items() if kind.commands}
    for side in scenario.sides if scenario.joint else ():
        if side not in scenario.joint:
            yield Problem(f"joint.{side}", "the cards of its two players", "UND-094")
    for side, players in scenario.joint.items():
        for player, cards in enumerate(players, 1):
            if not holds_a_card(cards.deck):
                yield Problem(f"joint.{side}", f"player {player} has no card to play", "UND-094")
        decks = [{type_name(card) for card, count in cards.deck.items() if count} for cards in players]
        if sum(bool(deck & commands) for deck in decks) != 1:
            message = "just one player's starting deck has to hold a card that command goes with"
            yield Problem(f"joint.{side}", message, "UND-097")


def _no_vehicles(
    scenario: Scenario, side: str, cards: Iterable[str], starting: Mapping[str, str], pack: Pack
) -> Iterator[Problem]:
    """Vehicles of a side that start or enter where none may be (UND-012, UND-364)."""
    rough = [tile for tile in scenario.laid if tile in pack.tile and pack.tile[tile].rough]
    barred = {*scenario.no_vehicles, *(rough if scenario.theatre is Theatre.NORTH_AFRICA else ())}
    vehicles = {name for name, kind in pack.unit.items() if kind.armour is not None}
    for unit, tile in starting.items():
        if type_name(unit) in vehicles and tile in barred:
            message = f"{unit} starts on {tile}, where no vehicle may be"
            yield Problem(f"counters.{side}", message, "UND-012")
    spawns = scenario.spawns.get(side, {})
    for unit in sorted(cards):
        tile = next((spawns[key] for key in spawn_keys(unit) if key in spawns), "")
        if type_name(unit) in vehicles and tile in barred:
            yield Problem(f"spawns.{side}", f"{unit} enters on {tile}, where no vehicle may be", "UND-012")


def _never_entering(
    scenario: Scenario, side: str, cards: Iterable[str], starting: Container[str], pack: Pack
) -> Iterator[Problem]:
    """Units of these cards that start off the board and that no spawn marker names."""
    spawns = scenario.spawns.get(side, {}).keys()
    for unit in units_of(pack, (card for card in cards if type_name(card) in pack.unit)):
        if spawns and unit not in starting and not spawns & {*spawn_keys(unit)}:
            message = f"no spawn marker for {unit}, which starts off the board: it would never enter"
            yield Problem(f"spawns.{side}", message, "UND-262")


def _without_card(laid: Iterable[str], cards: Iterable[str], pack: Pack) -> Iterator[Problem]:
    """Counters that nobody can act with: no card of the side is for them, no soldier sits in them."""
    acting = units_of(pack, (card for card in cards if type_name(card) in pack.unit))
    for unit in laid:
        kind = pack.unit.get(type_name(unit))
        if kind is not None and not kind.seats and unit not in acting:
            yield Problem("", f"{unit} starts on the board, but none of the side's cards is for it")


def _missing_cards(pack: Pack) -> Iterator[Problem]:
    """Types of the bot's cards that no complete solo card covers (UND-124, UND-126)."""
    for name, scenario in pack.scenario.items():
        for side in scenario.sides:
            section = solo_section(pack, name, side)
            deck = (section and section.deck) or scenario.decks[side]
            cards = deck | ((section and section.supply) or scenario.supply(side))
            for kind in sorted({type_name(card) for card in cards} - {FOG}):
                aircraft = kind in pack.unit and pack.unit[kind].aircraft
                if not aircraft and not solo_cards(pack, kind, name, side):
                    yield Problem(f"scenario.{name}", f"no solo card for a {side} {kind}", "UND-124")


# Solo sections


def _section(section: SoloSection, pack: Pack) -> Iterator[Problem]:
    scenario = pack.scenario.get(section.scenario)
    yield from section_errors(section, pack)
    if not section.bolster:
        yield Problem("bolster", "how the supply is divided into bolster decks", "UND-G03")
    if not section.danger:
        yield Problem("danger", "the danger list", "UND-G04")
    for name in section.danger:
        if name not in pack.unit:
            yield Problem("danger", f"no unit type {name!r}", "UND-221")
    if scenario is None:
        return
    laid = scenario.laid
    for tile in section.path if laid else ():
        if tile not in laid:
            yield Problem("path", f"tile {tile} is not on the board", "UND-213")
    if section.faction in scenario.decks and (section.deck or section.supply or section.counters):
        side = section.faction
        supply = section.supply or scenario.supply(side)
        starting = section.counters or scenario.counters.get(side, {})
        cards = (section.deck or scenario.decks[side]) | supply
        yield from _never_entering(scenario, side, cards, starting, pack)
        yield from _in("counters", _without_card(section.counters, cards, pack))
    for deck in _without_cards(section, scenario, pack):
        yield Problem("bolster", f"deck {deck} takes no card of the supply that is left", "UND-128")
    for card in _left_over(section, scenario, pack):
        yield Problem("bolster", f"{card} is in no bolster deck, so it never comes", "UND-128")


def _without_cards(section: SoloSection, scenario: Scenario, pack: Pack) -> Iterator[str]:
    """Bolster decks that take nothing of the supply, as those do before which others took it all."""
    left = {card for card in _bot_supply(section, scenario) if type_name(card) in pack.unit}
    for deck, patterns in section.bolster.items():
        taken = {card for card in left if any(fits(pack, pattern, card) for pattern in patterns)}
        left -= taken
        if not taken and not section.fog.get(deck):
            yield deck


def _bot_supply(section: SoloSection, scenario: Scenario) -> set[str]:
    """The cards in the supply of the bots that a section is for, but for Fog of War."""
    sides = [section.faction] if section.faction else scenario.sides
    return {card for side in sides for card in section.supply or scenario.supply(side)} - {FOG}


def _left_over(section: SoloSection, scenario: Scenario, pack: Pack) -> Iterator[str]:
    """Cards of the bot's supply that no bolster deck takes, but for aircraft and Fog of War."""
    named = [pattern for patterns in section.bolster.values() for pattern in patterns]
    for card in sorted(_bot_supply(section, scenario)):
        known = type_name(card) in pack.unit
        aircraft = known and pack.unit[type_name(card)].aircraft
        if known and not aircraft and named and not any(fits(pack, pattern, card) for pattern in named):
            yield card


def section_errors(section: SoloSection, pack: Pack) -> Iterator[Problem]:
    """What of a solo section speaks of things that there are none of."""
    scenario = pack.scenario.get(section.scenario)
    if scenario is None and section.scenario != ANY:
        yield Problem("scenario", f"no scenario {section.scenario!r}", "UND-122")
    sides = scenario.sides if scenario else tuple(FACTIONS)
    if section.faction and section.faction not in sides:
        yield Problem("faction", f"no side {section.faction!r}; there are {', '.join(sides)}", "UND-122")
    yield from _no_cards("deck", section.deck, pack)
    yield from _no_cards("supply", section.supply, pack)
    yield from _no_counters("counters", section.counters, pack)
    yield from _section_fog(section, scenario)
    if section.scenario == ANY and section.counters:
        yield Problem("counters", f"their tiles are those of one scenario: name it, not {ANY!r}", "UND-122")
    laid = scenario.laid if scenario else []
    for tile in section.counters.values():
        if laid and tile not in laid:
            yield Problem("counters", f"tile {tile} is not on the board")
    if scenario is not None:
        for side in [section.faction] if section.faction in sides else sides:
            yield from _no_vehicles(scenario, side, section.deck | section.supply, section.counters, pack)


def _section_fog(section: SoloSection, scenario: Scenario | None) -> Iterator[Problem]:
    """Fog of War for bolster decks that there are none of, or more of them than lie in the bot's supply."""
    for deck in section.fog:
        if deck not in section.bolster:
            message = f"no bolster deck {deck!r}; there are {', '.join(section.bolster)}"
            yield Problem("fog", message, "UND-R44")
    if scenario is None:
        return
    for side in [section.faction] if section.faction in scenario.decks else scenario.sides:
        there = (section.supply or scenario.supply(side)).get(FOG, 0)
        if sum(section.fog.values()) > there:
            message = f"{sum(section.fog.values())} Fog of War, but the {side} supply has {there}"
            yield Problem("fog", message, "UND-R44")
