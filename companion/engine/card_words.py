"""A pack's record in words, field by field: what a player reads of it where a game has no way of its own."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.packs import Record

_NOTHING: tuple[object, ...] = (None, "", False, [], {})


def in_words(name: str, record: Record) -> list[str]:
    """Its title, then a line for each field that says something and for each entry of a table in it."""
    title = record.get("name") or record.get("title") or name
    shown = [field for field in record if field not in ("name", "title", "source")]
    return [str(title), *(line for field in shown for line in _lines(field, record[field]))]


def _lines(field: str, value: object) -> Iterator[str]:
    label = field.replace("_", " ")
    if value in _NOTHING and type(value) is not int:  # a cover or cost of 0 says something
        return
    if value is True:
        yield label
    elif isinstance(value, list) and any(isinstance(one, dict) for one in value):
        yield f"{label}:"
        yield from (f"  {words(one)}" for one in value)
    else:
        yield f"{label}: {words(value)}"


def words(value: object) -> str:
    """What a field says, in a line."""
    if isinstance(value, dict):
        inner = (
            name.replace("_", " ") if one is True else f"{name.replace('_', ' ')} {words(one)}"
            for name, one in value.items()
            if one not in _NOTHING
        )
        return ", ".join(inner)
    if isinstance(value, list):
        return ", ".join(words(one) for one in value)
    return str(value).replace("_", " ")
