"""The table as text: dials, cards and the ground."""

from __future__ import annotations

import msgspec

from companion.engine.game import Board, Glance, Panel
from companion.engine.packs import Source
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.dice import line
from companion.games.dday_dice.state import DIAL_NAMES, Status, TableState, Unit

SIGNS = Panel(
    "Signs",
    (
        "R red, W white, B blue",
        "1S, 2S, Sold: Soldiers",
        "Sk Skull, St Star",
        "Co Courage, To Tool",
    ),
)
"""How dice are written where they have to fit a line of the small screen."""


def board(battle: Battle) -> Board:
    """The Units, then the way ahead, then the Pool."""
    state = battle.state
    units = tuple(_unit_panel(battle, unit) for unit in state.units)
    ground = _ground(battle)
    pool = Panel("Pool", (", ".join([*state.pool_specialists, *state.pool_items]) or "nothing",))
    return Board(f"{battle.field.title}{battle.which_turn}", (*units, ground, pool, SIGNS))


def _unit_panel(battle: Battle, unit: Unit) -> Panel:
    lines = [
        f"Soldiers {unit.soldiers}  Stars {unit.stars}",
        f"Courage {unit.courage}  Item Points {unit.points}",
    ]
    if unit.sector:
        lines.append(f"{battle.label(unit.sector)}, marker {battle.marker(unit)}")
    if unit.dice:
        lines.append(line(unit.dice))
    cards = [
        *unit.specialists,
        *unit.items,
        *([unit.vehicle] if unit.vehicle else []),
        *_awards(battle, unit),
    ]
    lines += [", ".join(cards)] if cards else []
    status = "" if unit.status is Status.FIGHTING else f": {unit.status}"
    return Panel(f"Unit {unit.name}{status}", tuple(lines))


def _awards(battle: Battle, unit: Unit) -> list[str]:
    return [
        name + (" (stand-in)" if battle.award(name).source is Source.STAND_IN else "") for name in unit.awards
    ]


def _ground(battle: Battle) -> Panel:
    """Who stands where is told of each Unit, too; `die` is the one that lies in a random Sector."""
    lines, lying = [], []
    for name in battle.field.sectors:
        place = battle.place(name)
        here = "".join(unit.name for unit in battle.in_sector(name))
        shield = " shield" if place.shield else ""
        guns = f" guns {battle.guns(name)}" if battle.guns(name) else ""
        defence = "/".join(map(str, battle.defences(name)))
        roll = battle.state.random_rolls.get(name)
        die = f" die {roll}" if roll else ""
        lying.append(f"{name}: DEF {defence}{shield}{guns}{die}")
        lines.append(f"{here:>2} {lying[-1]}")
    title = "Sectors" + (" (stand-in)" if battle.stand_in else "")
    return Panel(title, tuple(lines), lying=tuple(lying))


def glance(state: msgspec.Struct) -> Glance:
    """What a report follows: the dials, turn by turn; Stars and Item Points are there to be spent."""
    assert isinstance(state, TableState)
    tags = {unit.name: "" if len(state.units) == 1 else f" {unit.name}" for unit in state.units}
    figures = {f"{dial}{tags[unit.name]}": getattr(unit, dial) for unit in state.units for dial in DIAL_NAMES}
    weighty = tuple(f"{dial}{tag}" for tag in tags.values() for dial in ("soldiers", "courage"))
    return Glance(f"turn {state.turn}" if state.turn else "", figures, turns=state.turn, weighty=weighty)
