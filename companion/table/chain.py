"""Several dice sources as one: whichever sees the dice first says so, and your fingers are always last.

A source that fails says so itself and is passed over; it is heard again as soon as it returns.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.asks import Roll
from companion.table.dice import DiceSource, Post


class DiceChain:
    """Camera, tower, whatever is there, all watching for the same roll."""

    def __init__(self, sources: Sequence[DiceSource]) -> None:
        self._sources = sources

    def watch(self, n: int, roll: Roll, post: Post) -> None:
        """Let all look for the dice of ask `n`; the engine takes the first answer and drops the others."""
        for source in self._sources:
            source.watch(n, roll, post)

    def pass_over(self) -> None:
        """Let none look."""
        for source in self._sources:
            source.pass_over()

    def rest(self) -> None:
        """Let none look."""
        for source in self._sources:
            source.rest()

    def close(self) -> None:
        """Let go of all devices."""
        for source in self._sources:
            source.close()
