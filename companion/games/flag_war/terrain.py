"""The battlefield as a graph: its spaces, what joins them, and where a count of steps can end.

Sets of spaces are integers, one bit a space. Every road space is a bridge of the graph: there is one way
along a road. So a blockade cuts off what lies behind it and changes nothing else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import lru_cache

from companion.engine.asks import Option
from companion.games.flag_war.pack import SEATS, Ground, Square, rescue_squares

FURTHEST = 12
"""The longest count: two sixes combined (FLG-021)."""

_FORWARD = {"N": (0, 1), "E": (-1, 0), "S": (0, -1), "W": (1, 0)}
"""From each flag towards the main area, x to the right and y down."""


def main_square(square: Square) -> str:
    """The name of a square of the main area."""
    return f"M{square[0]}{square[1]}"


def field_square(seat: str, square: Square) -> str:
    """The name of a square of a base's field."""
    return f"{seat}-F{square[0]}{square[1]}"


def flag_square(seat: str) -> str:
    """The name of a base's flag square."""
    return f"{seat}-flag"


def prison(seat: str) -> str:
    """The name of a base's prison, which is no space (FLG-R28)."""
    return f"{seat}-prison"


@lru_cache(maxsize=8)
def terrain(ground: Ground) -> Terrain:
    """The terrain of a board; the same one each time, since it learns its distances as it is used."""
    return Terrain(ground)


class Terrain:
    """One board (FLG-006 to FLG-012): `names` of its spaces, `links`, and the sets of roads and bunkers."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.places: dict[str, tuple[int, int]] = {}
        self.names: list[str] = []
        self.index: dict[str, int] = {}
        self.links: list[list[int]] = []
        self._lay_main()
        for seat, entry in zip(SEATS, ground.entries, strict=True):
            self._lay_base(seat, main_square(entry))
        self.bit = {name: 1 << at for name, at in self.index.items()}
        self.all = (1 << len(self.names)) - 1
        self.roads = self._set(name for name in self.names if "-O" in name or "-I" in name)
        self.bunkers = self._set(f"{seat}-O{at}" for seat in SEATS for at in ground.bunkers)
        self.flag_squares = {flag_square(seat): seat for seat in SEATS}
        self.access = {seat: field_square(seat, ground.access) for seat in SEATS}
        self.rescue = {
            seat: tuple(field_square(seat, square) for square in rescue_squares(ground)) for seat in SEATS
        }
        self.linked = [self._set(self.names[one] for one in links) for links in self.links]
        self.sides = self._sides()
        self._balls = [[1 << at for at in range(len(self.names))]]
        self._rows = {count: Row(self, count) for count in range(1, FURTHEST + 1)}
        self._away: dict[int, list[int]] = {}
        self._options = [Option(name, name) for name in self.names]
        self._ways: dict[tuple[int, int, int], list[tuple[int, Option]]] = {}

    def _set(self, names: Iterator[str]) -> int:
        return sum(1 << self.index[name] for name in names)

    def _space(self, name: str, place: tuple[int, int]) -> str:
        self.index[name] = len(self.names)
        self.names.append(name)
        self.links.append([])
        self.places[name] = place
        return name

    def _join(self, one: str, other: str) -> None:
        self.links[self.index[one]].append(self.index[other])
        self.links[self.index[other]].append(self.index[one])

    def _lay_main(self) -> None:
        rows, cols = self.ground.main
        for row in range(rows):
            for col in range(cols):
                name = self._space(main_square((row, col)), (col, row))
                if row:
                    self._join(name, main_square((row - 1, col)))
                if col:
                    self._join(name, main_square((row, col - 1)))

    def _lay_base(self, seat: str, entry: str) -> None:
        """A base from the main area outwards, turned so that its flag is the furthest (FLG-TB07)."""
        ground = self.ground
        rows, cols = ground.field
        out_x, out_y = (-step for step in _FORWARD[seat])
        right_x, right_y = out_y, -out_x
        x, y = self.places[entry]

        def place(steps: int, col: int) -> tuple[int, int]:
            aside = col - ground.outer_mouth[1]
            return x + steps * out_x + aside * right_x, y + steps * out_y + aside * right_y

        last = entry
        for at in range(ground.outer_road, 0, -1):
            steps = ground.outer_road - at + 1
            name = self._space(f"{seat}-O{at}", place(steps, ground.outer_mouth[1]))
            self._join(last, name)
            last = name
        for row in range(rows):
            for col in range(cols):
                name = self._space(field_square(seat, (row, col)), place(ground.outer_road + rows - row, col))
                if row:
                    self._join(name, field_square(seat, (row - 1, col)))
                if col:
                    self._join(name, field_square(seat, (row, col - 1)))
        self._join(last, field_square(seat, ground.outer_mouth))
        last = field_square(seat, ground.inner_mouth)
        beyond = ground.outer_road + rows
        for at in range(1, ground.inner_road + 1):
            name = self._space(f"{seat}-I{at}", place(beyond + at, ground.inner_mouth[1]))
            self._join(last, name)
            last = name
        flag = self._space(flag_square(seat), place(beyond + ground.inner_road + 1, ground.inner_mouth[1]))
        self._join(last, flag)

    def distances(self, start: int, without: int = 0) -> list[int]:
        """Steps from `start` to every space, a large number where there is no way; `without` is shut."""
        steps = [10_000] * len(self.names)
        steps[start] = 0
        queue = deque([start])
        while queue:
            at = queue.popleft()
            for near in self.links[at]:
                if steps[near] == 10_000 and not without >> near & 1:
                    steps[near] = steps[at] + 1
                    queue.append(near)
        return steps

    def away(self, goals: int) -> list[int]:
        """Steps from every space to the nearest of the set `goals`, large numbers if that is empty."""
        if goals not in self._away:
            each = [self.distances(goal) for goal in range(len(self.names)) if goals >> goal & 1]
            self._away[goals] = [min(steps) for steps in zip(*each, strict=True)] or [10_000] * len(
                self.names
            )
        return self._away[goals]

    def reach(self, start: int, count: int) -> int:
        """Where `count` steps from `start` can end, no space entered twice (FLG-022 to FLG-025, FLG-R23)."""
        return self.row(count)[start]

    def row(self, count: int) -> Row:
        """`reach` of a count by start."""
        return self._rows[count]

    def ways(self, start: int, count: int, goals: int) -> list[tuple[int, Option]]:
        """The ends of `reach` as bits and options, the nearest to a goal first."""
        key = (start, count, goals)
        if key not in self._ways:
            nearer = self.away(goals)
            ends = sorted(spaces_of(self.reach(start, count)), key=nearer.__getitem__)
            self._ways[key] = [(1 << at, self._options[at]) for at in ends]
        return self._ways[key]

    def _grow_balls(self, steps: int) -> None:
        """By steps and start: where a walk that may turn back can end, which bounds the simple ones."""
        while len(self._balls) <= steps:
            last = self._balls[-1]
            self._balls.append([_union(last[near] for near in links) for links in self.links])

    def simple_ends(self, start: int, count: int) -> int:
        """`reach`, walked anew."""
        self._grow_balls(count - 1)
        ends = 0
        for first in self.links[start]:
            near = self._within(first, count - 1, without=1 << start)
            wanted = self._balls[count - 1][first] & near & ~ends
            ends |= wanted & ~self._walk(first, count - 1, 1 << start | 1 << first, wanted)
        return ends

    def _within(self, start: int, steps: int, without: int) -> int:
        """The spaces at most `steps` from `start`; `without` is shut."""
        found = edge = 1 << start
        for _ in range(steps):
            edge = _union(self.linked[at] for at in spaces_of(edge)) & ~(found | without)
            found |= edge
        return found

    def _walk(self, at: int, left: int, been: int, wanted: int) -> int:
        """What of `wanted` no walk of `left` more steps reaches."""
        if left == 0:
            return wanted & ~(1 << at)
        if left == 1:
            return wanted & ~(self.linked[at] & ~been)
        for near in self.links[at]:
            if not been >> near & 1 and self._balls[left - 1][near] & wanted & ~been:
                wanted = self._walk(near, left - 1, been | 1 << near, wanted)
                if not wanted:
                    break
        return wanted

    def _sides(self) -> dict[int, tuple[int, int]]:
        """For each road space, by its bit: the two parts of the board that it holds apart."""
        sides = {}
        for at in range(len(self.names)):
            if self.roads >> at & 1:
                steps = self.distances(self.links[at][0], without=1 << at)
                one = sum(1 << other for other, far in enumerate(steps) if far < 10_000)
                sides[1 << at] = (one, self.all & ~one & ~(1 << at))
        return sides


class Row(dict[int, int]):
    """Where a count of steps can end, by start; each start is walked when it is first asked for."""

    def __init__(self, terrain: Terrain, count: int) -> None:
        super().__init__()
        self._terrain = terrain
        self._count = count

    def __missing__(self, start: int) -> int:
        self[start] = ends = self._terrain.simple_ends(start, self._count)
        return ends


def spaces_of(bits: int) -> Iterator[int]:
    """The spaces of a set, as their places in `names`."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _union(sets: Iterator[int]) -> int:
    whole = 0
    for one in sets:
        whole |= one
    return whole
