"""A pack's record in words, field by field: what a player reads of it where a game has no way of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.engine.packs import Record

LOWEST: Final = "lowest"
"""The field of a record that says which number the first row of its tables is for."""
_NOTHING: tuple[object, ...] = (None, "", False, [], {})


def in_words(name: str, record: Record) -> list[str]:
    """Its title, then a line for each field that says something and for each entry of a table in it.

    The rows of tables that begin at a number (see `LOWEST`) have theirs.
    """
    title = record.get("name") or record.get("title") or name
    shown = [field for field in record if field not in ("name", "title", "source")]
    first = record.get(LOWEST)
    return [str(title), *(line for field in shown for line in _lines(field, record[field], first))]


def _lines(field: str, value: object, first: object) -> Iterator[str]:
    label = field.replace("_", " ")
    if value in _NOTHING and type(value) is not int:  # a cover or cost of 0 says something
        return
    if value is True:
        yield label
    elif isinstance(value, list) and any(isinstance(one, dict) for one in value):
        yield f"{label}:"
        numbers = [f"{first + at}: " if isinstance(first, int) else "" for at in range(len(value))]
        yield from (f"  {number}{words(one)}" for number, one in zip(numbers, value, strict=True))
    elif isinstance(value, dict) and all(isinstance(one, dict) for one in value.values()):
        yield f"{label}:"
        yield from (f"  {_part(name, one)}" for name, one in value.items() if one)
    else:
        yield f"{label}: {words(value)}"


def _part(name: str, record: Record) -> str:
    """An entry of a table in a record, in a line: its name, its title if that is another, what it says."""
    title, *fields = in_words(name, record)
    label = name.replace("_", " ")
    named = "" if title.lower() in (name, label) else f" ({title})"
    has_lists = any(isinstance(one, dict | list) for one in record.values())
    return f"{label}{named}: {'; '.join(fields) if has_lists else words(record)}"


def words(value: object) -> str:
    """What a field says, in a line."""
    if isinstance(value, dict):
        said = {name.replace("_", " "): one for name, one in value.items() if one not in _NOTHING}
        inner = {name: "" if one is True else words(one) for name, one in said.items()}
        return ", ".join(f"{name} {one}".strip() for name, one in inner.items() if one or said[name] is True)
    if isinstance(value, list):
        return ", ".join(words(one) for one in value)
    return str(value).replace("_", " ")
