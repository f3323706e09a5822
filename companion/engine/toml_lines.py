"""At which line of a TOML file something stands, which its reader does not tell."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator


def line_of(text: str, path: str) -> int:
    """The line that says most of a dotted path, counted from 1; 0 for none.

    >>> line_of('[enemy.A]\\nhealth = "lots"', "enemy.A.health")
    2
    >>> line_of('[enemy.A]\\nhealth = 2', "enemy.A.fog")
    1
    """
    best, found = "", 0
    for number, said in _said(text):
        if f"{path}.".startswith(f"{said}.") and len(said) > len(best):
            best, found = said, number
    return found


def _said(text: str) -> Iterator[tuple[int, str]]:
    """Each header and field of a text, with its line and its dotted path."""
    header = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith("["):
            header = _keys(line)
            yield number, header
        elif field := _keys(f"{line.partition('=')[0]}= 0"):
            yield number, f"{header}.{field}" if header else field


def _keys(line: str) -> str:
    """The keys that a line names, with dots between; nothing if it names none."""
    try:
        found: object = tomllib.loads(line)
    except ValueError:
        return ""
    keys = []
    while isinstance(found, dict | list) and found:
        if isinstance(found, dict):
            keys += list(found)[:1]
            found = found[keys[-1]]
        else:
            found = found[0]
    return ".".join(keys)
