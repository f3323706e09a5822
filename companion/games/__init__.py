"""The games, a folder each: a script over the engine, and its data.

A folder here whose package has a `GAME` is a game; other distributions add theirs through the
entry-point group `companion.games`.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING

from companion.engine.errors import BadInput
from companion.engine.game import Game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

GROUP = "companion.games"


def names() -> list[str]:
    """Every game that can be played here, ours first; of other distributions those that load."""
    ours = _ours()
    return ours + [name for name in _others(ours) if _loads(name)]


def known() -> list[str]:
    """Every game there is, also those that fail to load: `load` says why."""
    ours = _ours()
    return ours + _others(ours)


def meant(typed: str) -> str:
    """The name of the game that somebody has typed, where it is one game's.

    The beginning is enough; capitals and what stands between words do not count.
    """
    begun = _letters(typed)
    if typed in _ours() or not begun:
        return typed
    letters = {name: _letters(name) for name in known()}
    whole = [name for name in letters if typed == name or letters[name] == begun]
    found = whole or [name for name in letters if letters[name].startswith(begun)]
    return found[0] if len(found) == 1 else typed


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.lower()))


def load(name: str) -> Game:
    """The game of that name; `BadInput` with the names there are, or why it can't be loaded."""
    if name in _ours():
        return _called(name, import_module(f"{__name__}.{name}").GAME)
    for point in _elsewhere().select(name=name):
        try:
            found = point.load()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise BadInput(f"the game {name} can't be loaded from {point.value}: {reason}") from error
        return _called(name, found)
    raise BadInput(f"no game {name!r}; there are: {', '.join(names())}")


def _loads(name: str) -> bool:
    try:
        load(name)
    except BadInput:
        return False
    return True


def _called(name: str, found: object) -> Game:
    """What was found, if it is a game of that name: its packs and sessions are kept by it."""
    if not isinstance(found, Game) or found.name != name:
        called = found.name if isinstance(found, Game) else type(found).__name__
        raise BadInput(f"the game {name} has to be a Game(name={name!r}), it is {called!r}")
    return found


def _ours() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]


def _others(ours: list[str]) -> list[str]:
    return [point.name for point in _elsewhere() if point.name not in ours]


def _elsewhere() -> EntryPoints:
    """Games of other distributions; a session of ours that is taken up again does not wait for the search."""
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)
