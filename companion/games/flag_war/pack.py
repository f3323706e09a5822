"""What the flag war is played with: its pieces and its board, as records of a pack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias

import msgspec

from companion.engine.game import Problem, title_of

Square: TypeAlias = tuple[int, int]
"""Row and column on a grid, from 0; on a field row 0 is the flag's side."""

SEATS = ("N", "E", "S", "W")
SEAT_NAMES = {"N": "North", "E": "East", "S": "South", "W": "West"}

MOST_DICE = 2
"""Of one soldier: two of them fight together at most."""

MOST_SIDE = 10
"""Rows and columns of a grid, at most: a square is named by a digit of each."""

LONGEST_ROAD = 30
"""Spaces of a road, at most: a slip of thousands would keep the box at work for minutes."""


class Piece(msgspec.Struct, frozen=True):
    """A kind of soldier: its number in an army, and what it fights with: `fixed` and `dice` (FLG-TB01)."""

    name: str
    count: int
    fixed: int = 0
    dice: int = 0
    source: str = ""


class Ground(msgspec.Struct, frozen=True):
    """A board: a main area and four like bases, each with a field, an inner and an outer road.

    Sizes are (rows, columns). `entries` are the squares of the main area where the outer roads of North,
    East, South and West arrive; mouths, access and layout are squares of every field.
    """

    title: str
    main: Square
    field: Square
    entries: tuple[Square, Square, Square, Square]
    outer_road: int
    bunkers: tuple[int, ...]
    inner_road: int
    outer_mouth: Square
    inner_mouth: Square
    access: Square
    layout: tuple[str, ...]
    source: str = ""


class FlagWarPack(msgspec.Struct, frozen=True):
    """Everything that packs may bring to this game."""

    piece: dict[str, Piece]
    board: dict[str, Ground]


def rescue_squares(ground: Ground) -> list[Square]:
    """The field squares next to the access square, where freed soldiers are put (FLG-076)."""
    row, col = ground.access
    near = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    return [square for square in near if inside(square, ground.field)]


def inside(square: Square, size: Square) -> bool:
    """Is it on a grid of that many rows and columns?"""
    return 0 <= square[0] < size[0] and 0 <= square[1] < size[1]


def laid_out(ground: Ground) -> Iterator[tuple[str, Square]]:
    """The kinds of soldiers of the start layout with their squares, row by row."""
    for row, line in enumerate(ground.layout):
        for col, kind in enumerate(line.split()):
            if kind != ".":
                yield kind, (row, col)


def scenarios(pack: msgspec.Struct) -> tuple[str, ...]:
    """The boards, the standard one first."""
    assert isinstance(pack, FlagWarPack)
    return tuple(sorted(pack.board, key=lambda name: (name != "standard", name)))


def titled(pack: msgspec.Struct, scenario: str) -> str:
    """A board's title."""
    assert isinstance(pack, FlagWarPack)
    return title_of(pack.board, scenario)


def problems(pack: msgspec.Struct) -> Iterable[Problem]:
    """What keeps a board or an army from being played."""
    assert isinstance(pack, FlagWarPack)
    if set(pack.piece) != {"P", "C", "M", "H"}:
        yield Problem("piece", "the pieces are P, C, M and H, no more and no less", "FLG-TB01")
    for kind, piece in pack.piece.items():
        if not 0 <= piece.dice <= MOST_DICE:
            yield Problem(f"piece.{kind}", f"a soldier fights with 0 to {MOST_DICE} dice", "FLG-TB01")
        if piece.fixed < 0:
            yield Problem(f"piece.{kind}", "a soldier's fixed value is 0 or more", "FLG-TB01")
    if not pack.board:
        yield Problem("board", "there is no board", "FLG-G02")
    for name, ground in pack.board.items():
        for message, rule in _faults(ground, pack):
            yield Problem(f"board.{name}", message, rule)


def is_vast(pack: FlagWarPack) -> bool:
    """Whether a board or an army is larger than any, so that even a session that goes on with it can't be."""
    boards = pack.board.values()
    sides = (side for ground in boards for side in (*ground.main, *ground.field))
    roads = (road for ground in boards for road in (ground.outer_road, ground.inner_road))
    counts = (piece.count for piece in pack.piece.values())
    return max(sides) > MOST_SIDE or max(roads) > 10 * LONGEST_ROAD or max(counts, default=0) > MOST_SIDE**2


def _faults(ground: Ground, pack: FlagWarPack) -> Iterator[tuple[str, str]]:
    if not all(1 <= side <= MOST_SIDE for side in (*ground.main, *ground.field)):
        yield f"grids have 1 to {MOST_SIDE} rows and columns", "FLG-R01"
        return
    if not all(inside(entry, ground.main) for entry in ground.entries):
        yield "an entry lies outside the main area", "FLG-R09"
    if len(set(ground.entries)) < len(SEATS):
        yield "two roads enter the main area at one square", "FLG-R09"
    for square in (ground.outer_mouth, ground.inner_mouth, ground.access):
        if not inside(square, ground.field):
            yield f"square {square} lies outside the field", "FLG-R03"
    if len(rescue_squares(ground)) != 3:
        yield "the access square has to have three neighbours on the field", "FLG-076"
    if ground.access in (ground.outer_mouth, ground.inner_mouth):
        yield "the access square can't be where a road begins", "FLG-R04"
    if ground.inner_road < 1:
        yield "a road joins the flag square to the field", "FLG-008"
    if max(ground.inner_road, ground.outer_road) > LONGEST_ROAD:
        yield f"a road has at most {LONGEST_ROAD} spaces", "FLG-R01"
    if len(set(ground.bunkers)) != 2 or not all(1 <= one <= ground.outer_road for one in ground.bunkers):
        yield "two bunkers lie along the outer road", "FLG-012"
    yield from _layout_faults(ground, pack)


def _layout_faults(ground: Ground, pack: FlagWarPack) -> Iterator[tuple[str, str]]:
    placed = list(laid_out(ground))
    if Counter(kind for kind, _ in placed) != {kind: piece.count for kind, piece in pack.piece.items()}:
        yield "the layout has not just the soldiers of one army", "FLG-R12"
    if not all(inside(square, ground.field) for _, square in placed):
        yield "the layout is larger than the field", "FLG-R12"
    if {square for _, square in placed} & {ground.access, *rescue_squares(ground)}:
        yield "the layout stands on access or rescue squares", "FLG-R12"
