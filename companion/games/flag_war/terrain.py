"""The battlefield as a graph: its spaces, what joins them, and where a count of steps can end.

Sets of spaces are integers, one bit a space. Every road space is a bridge of the graph: there is one way
along a road. So a blockade cuts off what lies behind it and changes nothing else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache, partial
from itertools import pairwise

from companion.engine.asks import Option
from companion.games.flag_war.pack import SEATS, Ground, Square, rescue_squares

FURTHEST = 12
"""The longest count: two sixes combined (FLG-021)."""

NO_WAY = 10_000
"""Steps to where no way leads: more than any board has."""

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
    """One board (FLG-006 to FLG-012): `names` of its spaces, `links`, and the sets of roads and bunkers.

    What was worked out once is kept: `away`, `reach` and `ways` are `steps_to`, `simple_ends` and
    `ordered_ends` with a memory.
    """

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.places: dict[str, tuple[int, int]] = {}
        self.names: list[str] = []
        self.index: dict[str, int] = {}
        self.links: list[list[int]] = []
        self._lay_grid(ground.main, main_square, lambda row, col: (col, row))
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
        self.away = cache(self.steps_to)
        self.reach = cache(self.simple_ends)
        self.ways = cache(self.ordered_ends)
        self.sides = self._sides()
        self._options = [Option(name, name) for name in self.names]

    def _set(self, names: Iterable[str]) -> int:
        return sum(1 << self.index[name] for name in names)

    def _space(self, name: str, place: tuple[int, int]) -> str:
        self.index[name] = len(self.names)
        self.names.append(name)
        self.links.append([])
        self.places[name] = place
        return name

    def _join(self, *names: str) -> None:
        """Each space with the next one."""
        for one, other in pairwise(names):
            self.links[self.index[one]].append(self.index[other])
            self.links[self.index[other]].append(self.index[one])

    def _lay_grid(
        self, size: Square, name: Callable[[Square], str], place: Callable[[int, int], tuple[int, int]]
    ) -> None:
        rows, cols = size
        for row in range(rows):
            for col in range(cols):
                square = self._space(name((row, col)), place(row, col))
                if row:
                    self._join(square, name((row - 1, col)))
                if col:
                    self._join(square, name((row, col - 1)))

    def _lay_base(self, seat: str, entry: str) -> None:
        """A base from the main area outwards, turned so that its flag is the furthest (FLG-TB07)."""
        ground = self.ground
        out_x, out_y = (-step for step in _FORWARD[seat])
        right_x, right_y = out_y, -out_x
        x, y = self.places[entry]

        def place(steps: int, col: int) -> tuple[int, int]:
            aside = col - ground.outer_mouth[1]
            return x + steps * out_x + aside * right_x, y + steps * out_y + aside * right_y

        near_side = ground.outer_road + ground.field[0]
        far_end = near_side + ground.inner_road + 1
        outer = [
            self._space(f"{seat}-O{at}", place(ground.outer_road - at + 1, ground.outer_mouth[1]))
            for at in range(ground.outer_road, 0, -1)
        ]
        self._lay_grid(
            ground.field, partial(field_square, seat), lambda row, col: place(near_side - row, col)
        )
        inner = [
            self._space(f"{seat}-I{at}", place(near_side + at, ground.inner_mouth[1]))
            for at in range(1, ground.inner_road + 1)
        ]
        flag = self._space(flag_square(seat), place(far_end, ground.inner_mouth[1]))
        self._join(entry, *outer, field_square(seat, ground.outer_mouth))
        self._join(field_square(seat, ground.inner_mouth), *inner, flag)

    def steps_to(self, goals: int, without: int = 0) -> list[int]:
        """Steps from every space to the nearest of the set `goals`, or `NO_WAY`; `without` is shut."""
        steps = [NO_WAY] * len(self.names)
        queue = deque(spaces_of(goals))
        for goal in queue:
            steps[goal] = 0
        while queue:
            at = queue.popleft()
            for near in self.links[at]:
                if steps[near] == NO_WAY and not without >> near & 1:
                    steps[near] = steps[at] + 1
                    queue.append(near)
        return steps

    def simple_ends(self, start: int, count: int) -> int:
        """Where `count` steps from `start` can end, no space entered twice (FLG-022 to FLG-025, FLG-R23).

        A way there is a way back: what is near enough is asked whether it leads to the start. A longer way
        to a space is longer by an even number of steps.
        """
        far = self.away(1 << start)
        return sum(
            1 << end
            for end, steps in enumerate(far)
            if 0 < steps <= count and (count - steps) % 2 == 0 and self._leads_back(end, count, far, 1 << end)
        )

    def _leads_back(self, at: int, left: int, far: list[int], been: int) -> bool:
        """Whether `left` steps lead to where nothing is `far`, past no space in `been`."""
        if left == 1:
            return far[at] == 1
        for near in self.links[at]:
            fits = 0 < far[near] < left and not been >> near & 1
            if fits and self._leads_back(near, left - 1, far, been | 1 << near):
                return True
        return False

    def ordered_ends(self, start: int, count: int, goals: int) -> list[tuple[int, Option]]:
        """The ends of `reach` as bits and options, the nearest to a goal first."""
        ends = sorted(spaces_of(self.reach(start, count)), key=self.away(goals).__getitem__)
        return [(1 << at, self._options[at]) for at in ends]

    def _sides(self) -> dict[int, tuple[int, int]]:
        """For each road space, by its bit: the two parts of the board that it holds apart."""
        sides = {}
        for road in spaces_of(self.roads):
            bit = 1 << road
            steps = self.steps_to(1 << self.links[road][0], without=bit)
            one = sum(1 << other for other, far in enumerate(steps) if far < NO_WAY)
            sides[bit] = (one, self.all & ~one & ~bit)
        return sides


def spaces_of(bits: int) -> Iterator[int]:
    """The spaces of a set, as their places in `names`."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
