"""Setting a value by a typed line: what there is to set, level by level, and the line itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress

from rich.columns import Columns
from rich.console import Console as Terminal
from rich.text import Text

HOW = "Type name = value, as it stands here; a name alone shows what is in it, Enter alone goes back."

_SHORT = 24
"""Characters of a list or table that is shown beside its name; of a longer one, how much is in it."""


def line_for(state: object, terminal: Terminal) -> str:
    """The line that somebody typed to set a value of `state`, JSON builtins; empty where nothing is set."""
    _edit_lines()
    path = ""
    while True:
        told = [*map(Text, values_at(state, path))]
        terminal.print(Columns(told, padding=(0, 3), column_first=True), Text(HOW, "bold"), sep="\n")
        line = input("> ").strip()  # not with rich: the line's editor has to know what stands before it
        if not line or "=" in line:
            return line
        path = line


def values_at(state: object, path: str) -> Iterator[str]:
    """What is at `path`, as `path = value`; of what is long there, how much is inside."""
    value, seen = state, "the state"
    for name in path.split(".") if path else ():
        inner = _inside(value)
        if name not in inner:
            yield f"There is no {name} in {seen}, only: {', '.join(inner) or 'nothing'}"
            return
        value, seen = inner[name], name
    inside = _inside(value)
    if not inside:
        yield f"{path} = {json.dumps(value, ensure_ascii=False)}"
    for name, one in inside.items():
        text = json.dumps(one, ensure_ascii=False)
        is_long = bool(_inside(one)) and len(text) > _SHORT
        here = f"{path}.{name}" if path else name
        yield f"{here}: {len(_inside(one))} inside" if is_long else f"{here} = {text}"


def _inside(value: object) -> dict[str, object]:
    """What a value holds, by the names that lead there."""
    match value:
        case dict():
            return {str(name): inner for name, inner in value.items()}
        case list():
            return {str(at): inner for at, inner in enumerate(value)}
    return {}


def _edit_lines() -> None:
    """Arrow keys move in the line and Escape empties it, where this Python has readline."""
    with suppress(ImportError):
        import readline

        readline.parse_and_bind(r'"\e": kill-whole-line')
