"""Setting up: from a scenario's sheet to the table (UND-120 to UND-129, UND-264 to UND-267)."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.errors import BadInput, PackError
from companion.engine.game import Setup
from companion.games.undaunted import cards
from companion.games.undaunted.checker import (
    holds_a_card,
    less_than_none,
    playable,
    scenario_errors,
    scenario_lacks,
    section_errors,
    unreadable_actions,
)
from companion.games.undaunted.checker_cards import unreadable
from companion.games.undaunted.pack import (
    FACTIONS,
    FOG,
    STRUCTURE,
    Cards,
    Pack,
    Scenario,
    SoloSection,
    Theatre,
    fits,
    of_squad,
    solo_section,
    squad_of,
    type_name,
)
from companion.games.undaunted.state import Bot, Counter, Marker, Mine, MineSide, Player, Side, State
from companion.games.undaunted.table import Table

SPECIALISTS_A_UNIT = 2
SPECIALISTS = {"us": "grenadier", "ge": "submachine-gunner"}


def make_table(setup: Setup) -> Table:
    """The table as the first round begins; raises `BadInput` or `PackError` with what is missing."""
    pack = setup.pack
    assert isinstance(pack, Pack)
    name = setup.scenario or next(iter(playable(pack)), "")
    if not name:
        raise PackError("no scenario is ready to be played; see companion pack check undaunted")
    for wrong in () if setup.begun else (*less_than_none(pack), *unreadable_actions(pack)):
        raise PackError(f"{wrong}; see companion pack check undaunted")
    scenario = _scenario(pack, name, begun=setup.begun)
    sides = scenario.sides
    bot_side = side_of_bot(scenario, setup.settings)
    section = _section(pack, name, bot_side, begun=setup.begun)
    state = State(name, scenario.initiative, {}, {})
    table = Table(state, pack, scenario, setup.settings, section)
    table.draws_by_hand = setup.draws_by_hand
    for side in sides:
        _set_side(table, side, section if side == bot_side else None)
    _place_things(table)
    if setup.settings["specialists"] == "yes":
        _add_specialists(table)
    if section is not None:
        _make_bot(table, bot_side, section)
    table.printed = {side: _all_cards(table, side) for side in sides}
    if section is not None and not setup.begun:
        _check_solo_cards(table, bot_side)
    return table


def _scenario(pack: Pack, name: str, *, begun: bool) -> Scenario:
    scenario = pack.scenario.get(name)
    if scenario is None:
        raise BadInput(f"--scenario {name}: unknown; there are {', '.join(pack.scenario)}")
    for wrong in () if begun else (*scenario_lacks(scenario), *scenario_errors(scenario, pack)):
        raise PackError(f"scenario.{name}.{wrong.path}: {wrong.message}; see companion pack check undaunted")
    return scenario


def side_of_bot(scenario: Scenario, settings: Mapping[str, str]) -> str:
    """The faction that the player did not choose (UND-123); none among people."""
    if settings["players"] != "1":
        return ""
    first, second = scenario.sides
    chosen = first if settings["side"] == "auto" else settings["side"]
    if chosen not in scenario.sides:
        raise BadInput(f"side={chosen}: {scenario.title} has {first} and {second}")
    return second if chosen == first else first


def _section(pack: Pack, name: str, bot_side: str, *, begun: bool) -> SoloSection | None:
    if not bot_side:
        return None
    section = solo_section(pack, name, bot_side)
    if section is None:
        raise PackError(f"section: no solo section for {name} with {bot_side} as the bot")
    for wrong in () if begun else section_errors(section, pack):
        raise PackError(f"solo section of {name}, {wrong.path}: {wrong.message}")
    return section


def _set_side(table: Table, side: str, section: SoloSection | None) -> None:
    """A faction's decks, supplies, Fog of War and markers (UND-266, UND-267)."""
    scenario, joint = table.scenario, table.settings["players"] == "4"
    changed = section.deck if section is not None else {}
    has_cards = side in scenario.joint if joint else holds_a_card(changed or scenario.decks[side])
    if not has_cards:
        where = f"scenario.{table.state.scenario}.{'joint' if joint else 'decks'}"
        number = f"players={table.settings['players']}"
        raise PackError(
            f"{scenario.title} can't be played with {number}: no cards of {FACTIONS[side]} in {where}"
        )
    names = [f"{side}1", f"{side}2"] if joint else [side]
    handed = scenario.joint[side] if joint else [Cards(scenario.decks[side], scenario.supply(side))]
    fog = 0
    for name, dealt in zip(names, handed, strict=True):
        deck, supply = dealt.deck, dealt.supply
        if section is not None:
            deck, supply = section.deck or deck, section.supply or supply
        fog += supply.get(FOG, 0)
        own = {card: count for card, count in supply.items() if card != FOG and count}
        player = Player(side, {card: count for card, count in deck.items() if count}, own)
        table.state.players[name] = player
    commander = next((name for name in names if _commands(table, name)), names[0])
    markers = dict.fromkeys(scenario.scouted.get(side, ()), Marker.SCOUTED)
    markers |= dict.fromkeys(scenario.controlled.get(side, ()), Marker.CONTROLLED)
    mines = scenario.mine_supply if side == scenario.mines else 0
    table.state.sides[side] = Side(commander, commander, markers, fog=fog, mines=mines)
    _set_counters(table, side, names, (section and section.counters) or _starting(table, side))


def _commands(table: Table, name: str) -> bool:
    """Whether the starting deck holds the card that goes with the command token (UND-097)."""
    return any(table.type(card).commands for card in table.state.players[name].deck)


def _starting(table: Table, side: str) -> dict[str, str]:
    """Where the sheet lays counters, but for units whose cards are none of those that were handed out.

    Only the other number of players has them (UND-121), or the solo section changes the bot's (UND-126).
    """
    scenario = table.scenario
    players = [table.state.players[name] for name in table.mates(side)]
    handed = {table.unit_of(card) for player in players for card in (*player.deck, *player.supply)}
    absent = {table.unit_of(card) for card in scenario.all_cards(side)} - handed
    return {unit: tile for unit, tile in scenario.counters.get(side, {}).items() if unit not in absent}


def _set_counters(table: Table, side: str, names: list[str], placed: Mapping[str, str]) -> None:
    counters = table.state.sides[side].counters
    for name in names:
        player = table.state.players[name]
        for card in sorted(player.deck | player.supply):
            if table.type(card).has_counter:
                unit = table.unit_of(card)
                counters.setdefault(unit, Counter(side, unit, name))
    for unit, tile in placed.items():
        counters.setdefault(unit, Counter(side, unit, names[0])).tile = tile


def _place_things(table: Table) -> None:
    state, scenario = table.state, table.scenario
    state.no_vehicles = list(scenario.no_vehicles)
    for tile in scenario.structures:
        state.structures[tile] = Counter("", STRUCTURE, "", tile)
    for mine in scenario.mines_laid:
        state.mines.append(Mine(mine.between, MineSide.ARMOUR if mine.armour else MineSide.PERSONNEL))


def _add_specialists(table: Table) -> None:
    """Two Riflemen of each unit in supply are swapped for specialists (UND-013 to UND-020, UND-R45)."""
    scenario = table.scenario
    if scenario.theatre is not Theatre.NORMANDY:
        raise BadInput("specialists=yes: specialists belong to Normandy")
    if table.settings["players"] == "1" and not scenario.expansion:
        raise BadInput("specialists=yes: not in solo play of a Normandy base scenario (UND-016)")
    for player in table.state.players.values():
        if player.side not in SPECIALISTS:
            raise BadInput(f"specialists=yes: the {FACTIONS[player.side]} side has none (UND-013)")
        special = SPECIALISTS[player.side]
        for card in [one for one in player.supply if type_name(one) == "rifleman"]:
            for _ in range(min(SPECIALISTS_A_UNIT, player.supply[card])):
                cards.take(player.supply, card)
                cards.add(player.supply, of_squad(special, squad_of(card)))


def _make_bot(table: Table, side: str, section: SoloSection) -> None:
    """The bot's supply becomes bolster decks, Fog of War as far as the section says (UND-128, UND-R44)."""
    own = table.state.sides[side]
    supply = table.state.players[side].supply
    bolster: dict[str, dict[str, int]] = {}
    for deck, patterns in section.bolster.items():
        meant = [card for card in supply if any(fits(table.pack, pattern, card) for pattern in patterns)]
        pile = {card: supply.pop(card) for card in meant}
        fog = min(section.fog.get(deck, 0), own.fog)
        own.fog -= fog
        cards.add(pile, FOG, fog)
        if pile:
            bolster[deck] = pile
    table.state.bot = Bot(side, bolster)


def _check_solo_cards(table: Table, side: str) -> None:
    """Raise `PackError` if a solo card that will be read is not in the language."""
    for card in table.printed[side]:
        solo = table.solo(card)
        for message in unreadable(solo) if solo else ():
            raise PackError(f"solo card of {type_name(card)}: {message}")


def _all_cards(table: Table, side: str) -> dict[str, int]:
    total: dict[str, int] = {}
    for pile in table.piles(side):
        for card, count in pile.items():
            cards.add(total, card, count)
    return total
