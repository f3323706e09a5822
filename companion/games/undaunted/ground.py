"""The board as a scenario lays it: tiles, neighbours, distances."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.errors import PackError
from companion.engine.ways import steps
from companion.games.undaunted.pack import Scenario, Tile


class Ground:
    """Tiles in shifted columns (or rows), so that an inner tile has six neighbours (UND-345, UND-346)."""

    def __init__(self, scenario: Scenario, tiles: Mapping[str, Tile]) -> None:
        self.place = _places(scenario)
        missing = [name for name in self.place if name not in tiles]
        if missing:
            raise PackError(f"tile.{missing[0]}: not in the pack, but {scenario.title} is laid with it")
        self.tiles = {name: tiles[name] for name in self.place}
        self.links = {
            name: tuple(other for other in self.place if _touch(self.place[name], self.place[other]))
            for name in self.place
        }
        self.distance = {name: steps([name], self.links.__getitem__) for name in self.place}
        self.value = {name: scenario.objectives.get(name, 0) for name in self.place}

    def near(self, tile: str, most: int) -> list[str]:
        """All tiles at most `most` steps from `tile`, itself included."""
        return [name for name, far in self.distance[tile].items() if far <= most]


def _places(scenario: Scenario) -> dict[str, tuple[int, int]]:
    """Rank and first half-tile of each tile."""
    return {
        tile: (index, rank.shift + 2 * number)
        for index, rank in enumerate(scenario.ranks)
        for number, tile in enumerate(rank.tiles)
    }


def _touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two tiles share part of an edge (UND-345)."""
    ranks, halves = abs(one[0] - other[0]), abs(one[1] - other[1])
    return (ranks == 0 and halves == 2) or (ranks == 1 and halves < 2)
