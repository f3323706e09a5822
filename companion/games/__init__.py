"""The games, a folder each: a script over the engine, and its data.

A folder here whose package has a `GAME` is a game; other distributions add theirs through the
entry-point group `companion.games`.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, cast

from companion.engine.errors import BadInput

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

    from companion.engine.game import Game

GROUP = "companion.games"


def names() -> list[str]:
    """Every game that can be played here, ours first."""
    ours = _ours()
    return ours + [point.name for point in _elsewhere() if point.name not in ours]


def load(name: str) -> Game:
    """The game of that name; raises `BadInput` with the names there are."""
    if name in _ours():
        return cast("Game", import_module(f"{__name__}.{name}").GAME)
    for point in _elsewhere().select(name=name):
        return cast("Game", point.load())
    raise BadInput(f"no game {name!r}; there are: {', '.join(names())}")


def _ours() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]


def _elsewhere() -> EntryPoints:
    """Games of other distributions; a session of ours that is taken up again does not wait for the search."""
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)
