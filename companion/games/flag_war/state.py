"""All that is on the table in the flag war."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from companion.engine.game import Glance
from companion.games.flag_war.pack import SEAT_NAMES, SEATS, FlagWarPack
from companion.games.flag_war.terrain import FURTHEST, Terrain, prison


class Player(StrEnum):
    """Who leads an army: a person at the table, or the box with one of its policies."""

    PERSON = "person"
    RANDOM = "random"
    RAIDER = "raider"
    GUARD = "guard"


class Man(msgspec.Struct):
    """One soldier: its kind (P, C, M or H), the space or prison where it is, the flag that it carries."""

    kind: str
    at: str
    flag: str = ""


class Army(msgspec.Struct):
    """One general's soldiers, by names such as P1."""

    player: Player
    men: dict[str, Man]


class Leg(msgspec.Struct):
    """The first half of a combined move where each half is a count of its own (FLG-R17)."""

    man: str
    start: str
    count: int
    to: str
    """Where it ended; after a stand-off the man is back at its start all the same (FLG-R35)."""


class War(msgspec.Struct):
    """The whole war: armies clockwise from the North, and which flags lie on which flag square."""

    armies: dict[str, Army]
    flags: dict[str, list[str]]
    on_turn: str = ""
    turn: int = 0
    dice: list[int] = msgspec.field(default_factory=list)
    """What is left to move of this roll."""
    moved: list[str] = msgspec.field(default_factory=list)
    """Who moved in this roll already, in full."""
    leg: Leg | None = None
    tao: bool = False
    in_hand: str = ""
    """Who is being moved and how far, such as P1:5."""
    news: list[str] = msgspec.field(default_factory=list)
    """What has still to be told."""
    grounds: list[str] = msgspec.field(default_factory=list)
    """The rules by which it came about."""
    lost: str = ""
    """What could not be moved of the last roll: told with the next stop, none is made for it."""
    winner: str = ""
    stir: int = 0
    """Made of all dice rolled so far; what a `random` general of the box lets decide."""


def captives(war: War, seat: str) -> Iterator[tuple[str, str, Man]]:
    """Who sits in a base's prison: army, name, man."""
    cell = prison(seat)
    for other, army in war.armies.items():
        for name, man in army.men.items():
            if man.at == cell:
                yield other, name, man


def standing_on(war: War, space: str) -> list[tuple[str, str, Man]]:
    """Who stands on a space: army, name, man."""
    return [
        (seat, name, man)
        for seat, army in war.armies.items()
        for name, man in army.men.items()
        if man.at == space
    ]


def at_liberty(army: Army) -> Iterator[Man]:
    """The men of an army who are in no prison."""
    return (man for man in army.men.values() if not man.at.endswith("prison"))


def unplaced(army: Army) -> list[str]:
    """Who of an army is not on the table yet, where men are placed freely."""
    return [name for name, man in army.men.items() if not man.at]


def in_the_midst(war: War) -> bool:
    """Whether a roll is being moved, by what the state says."""
    return bool(war.dice or war.moved or war.leg or war.tao or war.in_hand)


def violations(war: War, pack: FlagWarPack, terrain: Terrain, begun: War) -> Iterator[str]:
    """Every way in which the state is no possible table of the war that was begun so."""
    if list(war.armies) != list(begun.armies):
        yield f"armies: the war is fought by {', '.join(begun.armies)}, not by {', '.join(war.armies)}"
    if war.flags.keys() != begun.flags.keys():
        yield f"flags: the flag squares are {', '.join(begun.flags)}, not {', '.join(war.flags)}"
    men = {name for kind, piece in pack.piece.items() for name in names_of(kind, piece.count)}
    cells = {prison(seat): seat for seat in war.armies}
    begun_without = {seat: unplaced(army) for seat, army in begun.armies.items()}
    for seat, army in war.armies.items():
        if set(army.men) != men:
            yield f"{seat} has not the soldiers of one army"
        for name, man in army.men.items():
            is_to_come = not (man.at or war.on_turn) and name in begun_without.get(seat, ())
            if man.at not in terrain.index and cells.get(man.at, seat) == seat and not is_to_come:
                yield f"{seat} {name} is nowhere: {man.at}"
            if man.kind != name[0]:
                yield f"{seat} {name} can't be of the kind {man.kind!r}"
            if man.flag and (man.kind != "C" or man.at in cells):
                yield f"{seat} {name} can't carry a flag"
    yield from _crowds(war, terrain)
    if not any(any(at_liberty(army)) for army in war.armies.values()):
        yield "every man is in prison, but who takes the last one is at liberty"
    carried = [man.flag for army in war.armies.values() for man in army.men.values() if man.flag]
    lying = [flag for flags in war.flags.values() for flag in flags]
    if sorted(carried + lying) != sorted(flag for flags in begun.flags.values() for flag in flags):
        yield f"flags are lost or doubled: {carried} carried, {lying} lying"
    if war.turn < 0:
        yield f"turn: {war.turn} is below 0"
    if len(war.dice) > 2 or not all(1 <= die <= 6 for die in war.dice):
        yield f"dice out of range: {war.dice}"
    yield from _words(war, men, terrain)


def _words(war: War, men: set[str], terrain: Terrain) -> Iterator[str]:
    """Names of armies, men and spaces that there are none of, where the war is in the midst of a turn."""
    if war.on_turn not in war.armies and (war.turn or war.on_turn):
        yield f"on_turn: no army is called {war.on_turn!r}"
    elif war.on_turn and not war.turn:
        yield f"turn: the first turn is 1, and {war.on_turn} is on turn"
    elif not war.on_turn and in_the_midst(war):
        yield "dice, moved, leg, tao, in_hand: nobody moves before the first turn: set them after its roll"
    if war.winner and war.winner not in war.armies:
        yield f"winner: no army is called {war.winner!r}"
    name, _, count = war.in_hand.partition(":")
    if war.in_hand and (name not in men or count not in map(str, range(1, FURTHEST + 1))):
        yield f"in_hand: {war.in_hand!r} is no man with a count"
    if strange := {*war.moved, *([war.leg.man] if war.leg else [])} - men:
        yield f"moved, leg: no man is called {', '.join(sorted(strange))}"
    if war.leg and not {war.leg.start, war.leg.to} <= set(terrain.index):
        yield f"leg: from {war.leg.start} to {war.leg.to}, which are not both spaces"
    if war.leg and not 1 <= war.leg.count <= 6:
        yield f"leg: no die counts {war.leg.count}"
    if war.tao and war.dice:
        yield f"tao: dice are left, {war.dice}"


def _crowds(war: War, terrain: Terrain) -> Iterator[str]:
    held: dict[str, list[str]] = {}
    for seat, army in war.armies.items():
        for man in army.men.values():
            if man.at in terrain.bit:
                held.setdefault(man.at, []).append(seat)
    for space, seats in held.items():
        if len(set(seats)) > 1:
            yield f"two armies stand on {space}"
        if len(seats) > (2 if terrain.roads & terrain.bit[space] else 1):
            yield f"{len(seats)} men stand on {space}"


def glance(war: msgspec.Struct) -> Glance:
    """What a report follows: flags at home and men at liberty of each army."""
    assert isinstance(war, War)
    figures = {f"flags {SEAT_NAMES[seat]}": len(war.flags[seat]) for seat in war.armies}
    figures |= {
        f"free men {SEAT_NAMES[seat]}": sum(1 for _ in at_liberty(army)) for seat, army in war.armies.items()
    }
    return Glance(str(war.turn) if war.turn else "", figures, turns=war.turn)


def names_of(kind: str, count: int) -> list[str]:
    """The names of the soldiers of one kind: P1, P2, ..."""
    return [f"{kind}{number}" for number in range(1, count + 1)]


def start_flags(seats: tuple[str, ...], empty: str) -> dict[str, list[str]]:
    """A flag at home for each army, and if wished one on each empty base or on one (FLG-004, FLG-005)."""
    flags = {seat: seat in seats or empty in ("yes", SEAT_NAMES[seat].lower()) for seat in SEATS}
    return {seat: [seat] if has_one else [] for seat, has_one in flags.items()}
