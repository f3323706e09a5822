"""Moving counters: legal steps, scouting, mines underfoot (UND-289 to UND-297, UND-045 to UND-063)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from companion.engine.asks import Script
from companion.games.undaunted import cards
from companion.games.undaunted.actions import SCOUTING, Action, Kind
from companion.games.undaunted.combat import Attack, Defence, base_defence, strike
from companion.games.undaunted.pack import FACTIONS, squad_of, type_name
from companion.games.undaunted.state import Counter, Marker, Mine, MineSide
from companion.games.undaunted.table import Table

MINE_DICE = 3
FREE = frozenset({Kind.SCOUT, Kind.STALK, Kind.NAVIGATE})
"""Movement that may enter tiles without an own marker (UND-292, UND-296)."""


def may_step(table: Table, counter: Counter, kind: Kind, tile: str) -> bool:
    """Whether a counter may enter a neighbouring tile by a kind of movement."""
    known = kind in FREE or table.scouted(counter.side, tile)
    return known and table.may_enter(counter, tile)


def steps_from(table: Table, counter: Counter, kind: Kind, tile: str) -> list[str]:
    """The neighbours of a tile that the counter may enter next; none where it was taken off by hand."""
    return [other for other in table.ground.links.get(tile, ()) if may_step(table, counter, kind, other)]


def anywhere(_start: str, _tile: str) -> bool:
    """No special rule about single steps."""
    return True


def nowhere(_tile: str) -> bool:
    """No tile that a path has to lead over."""
    return False


def paths(
    table: Table,
    counter: Counter,
    action: Action,
    allowed: Callable[[str, str], bool] = anywhere,
    wanted: Callable[[str], bool] = nowhere,
) -> dict[str, list[tuple[str, ...]]]:
    """Every shortest legal path, without its start, to each tile in reach, of steps that are `allowed`.

    Where a path can lead over a `wanted` tile, those that do count alone (UND-R28).
    """
    start = table.standing(counter)
    found: dict[tuple[str, bool], list[tuple[str, ...]]] = {(start, False): [()]}
    ring = [*found]
    for _ in range(action.x):
        further: dict[tuple[str, bool], list[tuple[str, ...]]] = {}
        for tile, met in ring:
            for other in steps_from(table, counter, action.kind, tile):
                there = (other, met or wanted(other))
                if there not in found and allowed(tile, other):
                    further.setdefault(there, []).extend((*path, other) for path in found[tile, met])
        found |= further
        ring = list(further)
    best = {tile: found.get((tile, True)) or ways for (tile, _), ways in found.items()}
    del best[start]
    return best


def mines_on(table: Table, counter: Counter, path: tuple[str, ...]) -> int:
    """How many mines a counter would set off along a path."""
    if not table.state.mines:
        return 0
    edges = pairwise((table.standing(counter), *path))
    crossed = (table.state.mines[n] for one, other in edges for n in table.mines_between(one, other))
    return sum(table.triggers(counter, mine.face) for mine in crossed)


def place(table: Table, counter: Counter) -> None:
    """Put a counter that is off the board on its spawn tile (UND-285)."""
    if not counter.tile:
        counter.tile = table.spawn(counter)
        table.news.append(f"Place {table.name(counter)} on {counter.tile}.")


def travel(table: Table, name: str, counter: Counter, kind: Kind, path: tuple[str, ...]) -> Script[bool]:
    """Go along a path; whether the counter came to its end (a mine may stop it, UND-052, UND-058)."""
    for tile in path:
        if not (yield from step(table, name, counter, kind, tile)) or counter.tile != tile:
            return tile == path[-1] and bool(counter.tile)
    return True


def step(table: Table, name: str, counter: Counter, kind: Kind, tile: str) -> Script[bool]:
    """Enter one tile; whether the movement may go on."""
    start = counter.tile
    counter.tile = tile
    for soldier in table.occupants(counter):
        soldier.tile = tile
    _drop_target(table, counter, kind)
    if kind in SCOUTING:
        scout(table, name, tile)
    if table.state.mines:
        return (yield from _cross(table, counter, start, tile))
    return True


def scout(table: Table, name: str, tile: str) -> None:
    """Mark a tile as scouted and take the Fog of War for it (UND-293, UND-294, UND-190)."""
    side = table.side(name)
    if tile in side.markers:
        return
    side.markers[tile] = Marker.SCOUTED
    fog = ""
    if cards.gain_fog(table, name):
        fog = f", Fog of War from supply to discard ({cards.name_of(table, name)})"
    table.news.append(f"Scouted marker on {tile}{fog}.")


def _drop_target(table: Table, counter: Counter, kind: Kind) -> None:
    """A Mortar that is moved by Move or Guide loses its target marker (UND-297)."""
    side = table.state.sides[counter.side]
    if kind in {Kind.MOVE, Kind.GUIDE} and side.target and type_name(counter.unit) == "mortar":
        side.target = ""
        table.news.append("Take the target marker off the board.")


def _cross(table: Table, counter: Counter, start: str, tile: str) -> Script[bool]:
    """Set off the mines on an edge one after the other (UND-062); whether nobody was hurt."""
    unhurt = True
    for mine in [table.state.mines[number] for number in table.mines_between(start, tile)]:
        if counter.tile and table.triggers(counter, mine.face):
            unhurt = not (yield from explode(table, counter, mine)) and unhurt
    if counter.tile and not unhurt:
        table.news.append(f"The movement ends on {tile}.")
        table.behind.append("UND-058" if table.is_vehicle(counter) else "UND-052")
    return unhurt


def explode(table: Table, counter: Counter, mine: Mine) -> Script[bool]:
    """A mine's attack with 3 dice, without cover or range; then the token is gone (UND-063)."""
    personnel = mine.face is MineSide.PERSONNEL
    kind = Kind.ATTACK if personnel else Kind.ANTITANK
    base = base_defence(table, counter, kind)
    assert base is not None
    owner = table.scenario.mines
    rule = ("UND-050", "UND-051") if personnel else ("UND-055", "UND-056", "UND-057")
    words = f"{FACTIONS[owner]} mine: {Action(kind, MINE_DICE)} on {table.name(counter)}"
    attack = Attack(owner, Action(kind, MINE_DICE), counter.tile, "", f"An {mine.face} mine.", rule)
    hit = yield from strike(table, attack, counter, lambda: Defence(base), words)
    if mine in table.state.mines:  # not taken off by hand while it was rolled for
        table.state.mines.remove(mine)
        table.behind.append("UND-063")
        table.news.append(f"Take the mine off the edge {mine.between[0]}-{mine.between[1]}.")
    return hit


# Advance (UND-026 to UND-030)


def advancing(table: Table, name: str, squad: str, start: str, tile: str) -> list[Counter]:
    """A player's counters of a squad that can advance to a tile: suppressed ones stay (UND-030, UND-R39)."""
    return [
        one
        for one in _own(table, name, start)
        if squad_of(one.unit) == squad and not one.suppressed and table.may_enter(one, tile)
    ]


def advance(table: Table, name: str, counters: Iterable[Counter], start: str, tile: str) -> Script[None]:
    """Those that still stand there enter the tile, each over the mines that are left."""
    for one in counters:
        if one.tile == start:  # not put elsewhere by hand while a mine was rolled for
            yield from step(table, name, one, Kind.ADVANCE, tile)


def _own(table: Table, name: str, tile: str) -> list[Counter]:
    """A player's counters on a tile, without a teammate's (UND-R42)."""
    return [one for one in table.units(table.state.players[name].side, tile) if one.owner == name]


def advance_to(table: Table, name: str, squad: str) -> list[tuple[str, str]]:
    """Legal advances as (from, to): next to each other, a friend already there (UND-027, UND-028)."""
    return [
        (start, tile)
        for start in table.ground.tiles
        for tile in table.ground.links[start]
        if _own(table, name, tile) and advancing(table, name, squad, start, tile)
    ]
