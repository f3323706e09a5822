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
