"""The pad's dice tower as a source of dice: it counts what fell, kind by kind."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from threading import Lock
from typing import Final

from companion.engine.asks import Roll
from companion.engine.records import RolledDie
from companion.engine.session import Evidence
from companion.table.dice import SERIAL, Post
from companion.table.events import Seen
from companion.wording import kind_name
from hardware.pad_link import PadDice

TURN: Final = 0.1
"""Seconds by which a report may seem older than it is: the line is read in turns, and goes by their time."""

MOST: Final = 100
"""Dice of a kind that are kept while others are waited for, as of a tower that counts on and on."""


class SerialDice:
    """Fits what a tower counted to the roll that is asked for.

    Call `heard` with each report, from any thread. What fell before the ask is none of its dice, also where a
    bad line brings the report later; kinds that nobody asked for are passed over; `close_it` lets go of the
    port, where it is this source's own.
    """

    def __init__(self, close_it: Callable[[], None] = lambda: None) -> None:
        self._close_it = close_it
        self._lock = Lock()
        self._roll: tuple[int, Roll, Post] | None = None
        self._since = 0.0
        self._faces: dict[str, list[str]] = {}

    def watch(self, n: int, roll: Roll, post: Post) -> None:
        """Take the next dice for ask `n`."""
        with self._lock:
            self._roll, self._since, self._faces = (n, roll, post), time.monotonic(), {}

    def pass_over(self) -> None:
        """Dice mean nothing now."""
        self.rest()

    def rest(self) -> None:
        """Dice mean nothing now."""
        with self._lock:
            self._roll = None

    def close(self) -> None:
        """Let go of the port."""
        self.rest()
        self._close_it()

    def heard(self, report: PadDice) -> None:
        """Dice fell; once there are enough of each kind, they are posted."""
        with self._lock:
            if self._roll is None or report.at < self._since - TURN:
                return
            n, roll, post = self._roll
            # A tower says `d6` or `action` where the game says `okinawa.action`.
            kind = next(
                (dice.die for dice in roll.dice if kind_name(dice.die) == kind_name(report.die)), None
            )
            if kind is None:
                return
            fallen = self._faces.setdefault(kind, [])
            fallen += report.faces[: MOST - len(fallen)]
            seen = _fit(n, roll, self._faces)
            if seen is not None:
                self._faces = {}
        if seen is not None:
            post(seen)


def _fit(n: int, roll: Roll, fallen: dict[str, list[str]]) -> Seen | None:
    """What was counted, in the order of the ask; None until each kind is complete.

    A tower tells no colours: of dice of one kind, some red and some black, it matters which showed what.
    """
    supply = {kind: list(faces) for kind, faces in fallen.items()}
    faces: list[str | None] = []
    for dice in roll.dice:
        mine = supply.get(dice.die, [])
        if len(mine) < dice.count:
            return None
        faces += [face if face in dice.faces else None for face in mine[: dice.count]]
        supply[dice.die] = mine[dice.count :]
    kinds = [dice.die for dice in roll.each]
    alike = Counter(dice.die for dice in roll.dice)
    mixed = {kind for kind, shown in fallen.items() if alike[kind] > 1 and len(set(shown)) > 1}
    too_many = any(supply.values())
    doubtful = tuple(
        at
        for at, (kind, face) in enumerate(zip(kinds, faces, strict=True))
        if too_many or face is None or kind in mixed
    )
    rolled = tuple(RolledDie(kind, face or "", SERIAL) for kind, face in zip(kinds, faces, strict=True))
    return Seen(n, tuple(faces), SERIAL, doubtful, Evidence(rolled))
