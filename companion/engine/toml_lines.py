"""At which line of a TOML file something stands, which its reader does not tell."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache


def line_of(text: str, path: str) -> int:
    """The line that says most of a dotted path, counted from 1; 0 for none.

    >>> line_of('[enemy.A]\\nhealth = "lots"', "enemy.A.health")
    2
    >>> line_of('[enemy.A]\\nhealth = 2', "enemy.A.fog")
    1
    """
    lines, steps = _lines(text), path.split(".")
    starts = (".".join(steps[:n]) for n in range(len(steps), 0, -1))
    return next((lines[start] for start in starts if start in lines), 0)


@lru_cache(maxsize=4)  # of one file hundreds of lines may be asked for
def _lines(text: str) -> dict[str, int]:
    """At which line each header and field is first said."""
    found: dict[str, int] = {}
    for number, said in _said(text):
        found.setdefault(said, number)
    return found


def _said(text: str) -> Iterator[tuple[int, str]]:
    """Each header and field of a text, with its line and its dotted path, in which rows are counted."""
    header, rows = "", Counter[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        bare = line.lstrip()
        if bare.startswith("[") and (keys := _keys(line)):
            header = keys
            yield number, header
            if bare.startswith("[["):
                header = f"{keys}.{rows[keys]}"
                rows[keys] += 1
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
