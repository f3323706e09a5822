"""What a played card may be used for: orders, and when they are legal (UND-289 to UND-327)."""

from __future__ import annotations

import msgspec

from companion.games.undaunted import cards, combat, movement
from companion.games.undaunted.actions import AREA, COMBAT, MOVEMENT, SEATED, Action, Kind
from companion.games.undaunted.pack import FOG, squad_of
from companion.games.undaunted.state import Counter, Mine
from companion.games.undaunted.table import Table

TARGET_DISTANCE = 3


class Order(msgspec.Struct, frozen=True):
    """One action of one played card: whose, with which counter (None for command cards)."""

    name: str
    card: str
    action: Action
    counter: Counter | None

    def acting(self) -> Counter:
        """The counter of an action that needs one."""
        assert self.counter is not None
        return self.counter


RULES: dict[Kind, tuple[str, ...]] = {
    Kind.MOVE: ("UND-289",),
    Kind.SCOUT: ("UND-292", "UND-293"),
    Kind.STALK: ("UND-296",),
    Kind.GUIDE: ("UND-290", "UND-291"),
    Kind.ADVANCE: ("UND-026", "UND-027", "UND-028"),
    Kind.DRIVE: ("UND-364",),
    Kind.NAVIGATE: ("UND-177",),
    Kind.BOARD: ("UND-115", "UND-360"),
    Kind.BOLSTER: ("UND-298", "UND-299"),
    Kind.COMMAND: ("UND-300",),
    Kind.CONCEAL: ("UND-302",),
    Kind.CONTROL: ("UND-038", "UND-039", "UND-040"),
    Kind.INSPIRE: ("UND-304", "UND-305"),
    Kind.RECON: ("UND-306", "UND-307"),
    Kind.TARGET: ("UND-308",),
    Kind.MINE: ("UND-065", "UND-066"),
    Kind.AIR_SUPPORT: ("UND-073", "UND-075"),
    Kind.ATTACK: ("UND-309",),
    Kind.ANTITANK: ("UND-031",),
    Kind.GRENADE: ("UND-035", "UND-036"),
    Kind.BOMB: ("UND-078", "UND-079"),
    Kind.BLAST: ("UND-310", "UND-311"),
    Kind.SUPPRESS: ("UND-325",),
    Kind.STRAFE: ("UND-218",),
    Kind.DEMOLITION: ("UND-220",),
}


def rules(action: Action) -> tuple[str, ...]:
    """What an action goes by; an Attack with a range of its own has rules of its own."""
    if action.kind is Kind.ATTACK and action.y is not None:
        return ("UND-033", "UND-034")
    return RULES[action.kind]


def mover(table: Table, counter: Counter) -> Counter:
    """What moves: a soldier in a vehicle moves the vehicle."""
    return table.state.sides[counter.side].counters[counter.vehicle] if counter.vehicle else counter


# Which actions are legal


def is_legal(table: Table, order: Order) -> bool:
    """Whether the action could be carried out now with some effect."""
    kind = order.action.kind
    if kind in MOVEMENT:
        return _can_move(table, order)
    if kind in COMBAT:
        return bool(aims(table, order))
    match kind:
        case Kind.GUIDE:
            return bool(guided(table, order))
        case Kind.ADVANCE:
            return bool(movement.advance_to(table, order.name, squad_of(order.card)))
        case Kind.CONTROL:
            return can_control(table, order.acting())
        case Kind.TARGET:
            return bool(target_tiles(table, order.acting()))
        case Kind.MINE:
            return can_lay(table, order) or bool(can_lift(table, order))
        case Kind.BOARD:
            return bool(boardable(table, order.acting()))
        case _:
            return _support_is_legal(table, order)


def _support_is_legal(table: Table, order: Order) -> bool:
    player = table.state.players[order.name]
    match order.action.kind:
        case Kind.BOLSTER:
            return bool(cards.bolsterable(table, order.name, squad_meant(order)))
        case Kind.COMMAND:
            return bool(player.deck or player.discard)
        case Kind.INSPIRE:
            return bool(inspirable(table, order))
        case Kind.RECON:
            return FOG in cards.in_hand(table, order.name)
        case Kind.CONCEAL:
            return table.state.sides[table.foe(player.side)].fog > 0
        case Kind.AIR_SUPPORT:
            return bool(aircraft(table, order.name))
        case _:
            raise AssertionError(order.action.kind)


def side_of(table: Table, order: Order) -> str:
    """The faction that acts."""
    return table.state.players[order.name].side


def squad_meant(order: Order) -> str:
    """The squad that an action is limited to; empty for any."""
    return squad_of(order.card) if order.action.squad else ""


def named(order: Order) -> str:
    """An action as its card prints it, with the squad that it is for."""
    squad = squad_of(order.card).upper()
    return f"{order.action}{f' {squad}' * (order.action.squad or order.action.kind is Kind.ADVANCE)}".rstrip()


def _can_move(table: Table, order: Order) -> bool:
    counter = order.acting()
    if counter.vehicle and order.action.kind not in SEATED:
        return False
    if not counter.tile:
        return True
    return bool(movement.steps_from(table, mover(table, counter), order.action.kind, counter.tile))


def start_of(table: Table, order: Order) -> str:
    """The tile that an order is carried out from; aircraft have none."""
    return table.standing(order.counter) if order.counter else ""


def aims(table: Table, order: Order) -> list[str]:
    """What can be attacked: tiles for what attacks whole tiles, else targets by their `target_id`."""
    action, start, side = order.action, start_of(table, order), side_of(table, order)
    if action.kind not in AREA:
        return [target_id(target) for target, _ in combat.targets(table, side, action, start)]
    if action.kind is Kind.BLAST:
        marked = table.state.sides[side].target
        tiles = [marked] if marked else []
    elif action.y is None or not start:
        tiles = list(table.ground.tiles)
    else:
        tiles = table.ground.near(start, action.y)
    return [tile for tile in tiles if combat.tile_targets(table, side, action, start, tile)]


def target_id(target: Counter) -> str:
    """A target as an option's id."""
    return target.unit if target.side else f"structure:{target.tile}"


def can_control(table: Table, counter: Counter) -> bool:
    """Whether Control is allowed and does something (UND-038 to UND-042, UND-191)."""
    tile, foe = table.standing(counter), table.foe(counter.side)
    if counter.vehicle:
        return False
    if table.controls(counter.side, tile):
        return raises_radio(table, counter.side, tile)
    return not (table.controls(foe, tile) and table.units(foe, tile))


def raises_radio(table: Table, side: str, tile: str) -> bool:
    """Whether another Control there adds to the radio tile's worth (scenario 10)."""
    return tile == table.scenario.radio and side == table.scenario.raises_radio


def guided(table: Table, order: Order) -> list[Counter]:
    """Counters that Guide can move: not suppressed, a teammate's too (UND-291, UND-112)."""
    return [
        one
        for one in table.units(side_of(table, order))
        if not one.suppressed and movement.steps_from(table, one, Kind.GUIDE, one.tile)
    ]


def inspirable(table: Table, order: Order) -> list[str]:
    """Cards in the own play area that Inspire may take back (UND-304, UND-111)."""
    play, squad = table.state.players[order.name].play, squad_meant(order)
    return [card for card in play if squad in ("", squad_of(card))]


def target_tiles(table: Table, mortar: Counter) -> list[str]:
    """Where the target marker may lie (UND-308)."""
    away = table.ground.distance[table.standing(mortar)]
    lying = table.state.sides[mortar.side].target
    return [tile for tile, steps in away.items() if steps >= TARGET_DISTANCE and tile != lying]


def aircraft(table: Table, name: str) -> dict[str, int]:
    """Aircraft in the supply (UND-075)."""
    supply = table.state.players[name].supply
    return {card: count for card, count in supply.items() if table.type(card).aircraft}


def can_lay(table: Table, order: Order) -> bool:
    """Whether the side may place a mine, and the soldier's tile has an edge for it (UND-067, UND-069)."""
    side = side_of(table, order)
    has_mines = side == table.scenario.mines and table.state.sides[side].mines > 0
    return has_mines and bool(table.ground.links[table.standing(order.acting())])


def can_lift(table: Table, order: Order) -> list[Mine]:
    """The mines that overlap the soldier's tile (UND-070, UND-072)."""
    tile = table.standing(order.acting())
    return [mine for mine in table.state.mines if tile in mine.between]


def boardable(table: Table, counter: Counter) -> dict[str, str]:
    """Seats that a soldier can get into here, or the way out, as option id -> words (UND-115)."""
    if counter.vehicle:
        return {"out": "get out"}
    seats: dict[str, str] = {}
    for vehicle in table.state.sides[counter.side].counters.values():
        printed = table.type(vehicle.unit)
        if not printed.seats or vehicle.tile != table.standing(counter):
            continue
        taken = {one.seat for one in table.occupants(vehicle)}
        seats |= {
            f"{vehicle.unit}:{number}": f"{table.title(vehicle.unit)}, {seat.name}"
            for number, seat in enumerate(printed.seats)
            if number not in taken
        }
    return seats
