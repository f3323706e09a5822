"""Which Sectors a Unit may move to, read straight from the rules a second time, over random tables."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.records import Link, Sector
from companion.games.dday_dice.state import Unit
from tests.games.dday_dice.beach import put, shipped, together, ways

BOARDS = ("tiger_advanced", "omaha", "gold", "pointe_du_hoc", "merville", "gull_bay", "red_cliff")


def _table(scenario: str, rng: Random) -> Battle:
    """Two Units somewhere on the board with whatever they may have there."""
    sectors = {name: one for name, one in _sectors(scenario).items() if not one.bunker}
    starts = sum(one.start for one in sectors.values())
    battle, units = together(scenario, *(["1"] * 2 if starts > 1 else []), bazooka_joe="all")
    for unit in units:
        names = list(shipped().specialist) if unit is units[0] else list(unit.hand)
        sector = rng.choice(list(sectors))
        put(battle, unit, sector, courage=rng.randint(0, 5), soldiers=9)
        put(battle, unit, sector, specialists=rng.sample(names, rng.randint(0, 6)))
        unit.visited = [*rng.sample(list(sectors), 2), sector]
        unit.turn.skulls, unit.turn.climbed = rng.randint(2, 5), sectors[sector].climb_skulls > 0
        unit.turn.battle_cry = rng.random() < 0.2 and not sectors[sector].no_battle_cry
        unit.turn.free_advance = rng.random() < 0.2
        unit.turn.cutters_from = sector if rng.random() < 0.3 else ""
    return battle


def _sectors(scenario: str) -> dict[str, Sector]:
    board = shipped().scenario[scenario].maps[0]
    return {name: shipped().sector[f"{board}.{name}"] for name in shipped().map[board].sectors}


def _borders(sectors: dict[str, Sector], here: str) -> dict[str, Link]:
    """Forward and sideways, never backward (DDD-114, DDD-118)."""
    found = {link.to: link for link in sectors[here].links}
    for name, sector in sectors.items():
        for link in sector.links:
            if link.to == here and sector.row == sectors[here].row:
                found[name] = link
    return found


def _allowed(scenario: str, battle: Battle, unit: Unit) -> set[str]:
    sectors, turn = _sectors(scenario), unit.turn
    here = sectors[unit.sector]
    climbs = turn.skulls >= here.climb_skulls
    found = set()
    for name, link in _borders(sectors, unit.sector).items():
        there = sectors[name]
        advances = there.row > here.row or there.bunker
        printed = [one.courage for sector in sectors.values() for one in sector.links if one.to == name]
        price = link.courage or max(printed)
        cost = max(0, price - ("Platoon Leader" in unit.specialists)) if advances else 0
        cut = bool(turn.cutters_from)
        refused = (
            name in unit.visited,
            cost > unit.courage and not (turn.battle_cry or turn.free_advance),
            link.barrier and not cut,
            there.access == "wirecutters" and not cut,
            there.access == "battle_cry" and not turn.battle_cry,
            advances and not climbs,
            there.max_units and any(one.sector == name for one in battle.state.units),
        )
        if not any(refused) and (turn.battle_cry or _fits(there, unit)):
            found.add(name)
    back = here.retreat
    if back and not climbs and back not in unit.visited and _fits(sectors[back], unit):
        found.add(back)
    return found


def _fits(there: Sector, unit: Unit) -> bool:
    """Whom it must have is there, and whom it gives up; 'any' is whoever it has (DDD-129 to DDD-133)."""
    have = [*unit.specialists, *(["any"] if unit.specialists else [])]
    return all(name in have for name in (*there.requires, *there.sacrifice))


@pytest.mark.rule("DDD-114", "DDD-117", "DDD-118", "DDD-121", "DDD-123", "DDD-129", "DDD-132", "DDD-160")
@pytest.mark.rule("DDD-051", "DDD-052", "DDD-237", "DDD-294", "DDD-299", "DDD-305", "DDD-311")
@pytest.mark.parametrize("scenario", BOARDS)
def test_a_unit_may_go_where_the_rules_let_it_and_nowhere_else(scenario: str) -> None:
    rng = Random(scenario)
    for _ in range(250):
        battle = _table(scenario, rng)
        for unit in battle.state.units:
            assert ways(battle, unit) == _allowed(scenario, battle, unit), unit
