"""Forms out of the types of a pack's records, and records out of filled-in forms.

A field's name is its path in the record (`effects.0.amount`). Lists of plain values are a line each,
lists of structs are rows that can be added and removed, tables are TOML. Nothing is judged here: what
was typed goes to the record's own type as it is, and that says what is wrong.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import count

import msgspec
from msgspec import inspect

from companion.engine.packs import unsourced

MOST_ROWS = 64

Given = Callable[[str], Sequence[str]]
"""All values of a form's field of that name."""


class Kind(StrEnum):
    """How a field is entered."""

    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    CHOICE = "choice"
    LINES = "lines"
    GROUP = "group"
    ROWS = "rows"
    TOML = "toml"
    DATA = "data"


class Field(msgspec.Struct, frozen=True):
    """One field as a form shows it: its path, what is in it, and what may be.

    `children` are the fields of a group or the rows of a list; a row's `value` is its tag, if it has one.
    """

    kind: Kind
    path: str
    label: str
    value: str = ""
    required: bool = False
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    children: tuple[Field, ...] = ()


# From a type and a record to fields


def fields_of(record_type: type, record: Mapping[str, object]) -> list[Field]:
    """The fields of a record in the order of its type, filled with what is known; `source` is no field."""
    return list(_fields(_struct(record_type), record, ""))


def _fields(struct: inspect.StructType, record: Mapping[str, object], path: str) -> Iterator[Field]:
    for field in struct.fields:
        if field.encode_name != "source" or path:
            at = f"{path}.{field.encode_name}" if path else field.encode_name
            value = record.get(field.encode_name, _default(field))
            yield _field(_plain(field.type), at, value, required=field.required)


def _field(kind: inspect.Type, path: str, value: object, *, required: bool) -> Field:
    label = path.rpartition(".")[2].replace("_", " ")
    match kind:
        case inspect.BoolType():
            return Field(Kind.FLAG, path, label, "on" if value else "")
        case inspect.IntType():
            return Field(Kind.NUMBER, path, label, _shown(value), required, least=kind.ge, most=kind.le)
        case inspect.StrType():
            return Field(Kind.TEXT, path, label, _shown(value), required)
        case inspect.EnumType() | inspect.LiteralType():
            return Field(Kind.CHOICE, path, label, _shown(value), required, choices=choices(kind))
        case inspect.StructType():
            inner = value if isinstance(value, Mapping) else {}
            return Field(Kind.GROUP, path, label, children=tuple(_fields(kind, inner, path)))
        case inspect.VarTupleType() | inspect.ListType():
            return _list_field(_plain(kind.item_type), path, label, value)
        case inspect.DictType():
            return Field(Kind.TOML, path, label, _toml(value), required)
    return Field(Kind.DATA, path, label, _json(value), required)


def _list_field(item: inspect.Type, path: str, label: str, value: object) -> Field:
    values = list(value) if isinstance(value, list | tuple) else []
    structs = structs_of(item)
    if structs:
        rows = tuple(_row(structs, f"{path}.{at}", one) for at, one in enumerate(values))
        return Field(Kind.ROWS, path, label, choices=tuple(structs), children=rows)
    lines = "\n".join(one if isinstance(one, str) else _json(one) for one in values)
    return Field(Kind.LINES, path, label, lines, choices=choices(item))


def _row(structs: Mapping[str, inspect.StructType], path: str, value: object) -> Field:
    record = value if isinstance(value, Mapping) else {}
    tag = next((name for name, one in structs.items() if one.tag == record.get(one.tag_field or "")), "")
    struct = structs[tag] if tag in structs else next(iter(structs.values()))
    return Field(Kind.GROUP, path, tag.replace("_", " "), tag, children=tuple(_fields(struct, record, path)))


# From a form to a record


def record_of(record_type: type, given: Given) -> dict[str, object]:
    """What was entered, as builtins; fields left empty where something has to be are not in it."""
    return unsourced(_record(_struct(record_type), given, ""))


def _record(struct: inspect.StructType, given: Given, path: str) -> dict[str, object]:
    record: dict[str, object] = {}
    if struct.tag_field is not None:
        record[struct.tag_field] = struct.tag
    for field in struct.fields:
        at = f"{path}.{field.encode_name}" if path else field.encode_name
        value = _value(_plain(field.type), given, at)
        if value is not None:
            record[field.encode_name] = value
    return record


def _value(kind: inspect.Type, given: Given, path: str) -> object:
    """What was entered at a path; None for nothing."""
    typed = next(iter(given(path)), "").replace("\r\n", "\n")
    match kind:
        case inspect.BoolType():
            return bool(typed)
        case inspect.StructType():
            return _record(kind, given, path)
        case inspect.VarTupleType() | inspect.ListType():
            return _list_value(_plain(kind.item_type), given, path, typed)
        case inspect.StrType():
            return typed.strip() if given(path) else None
        case inspect.DictType():
            return _from_toml(typed)
    return _from_json(typed.strip()) if typed.strip() else None


def _list_value(item: inspect.Type, given: Given, path: str, typed: str) -> object:
    structs = structs_of(item)
    if not structs:
        read = str if isinstance(item, inspect.StrType) else _from_json
        return [read(line.strip()) for line in typed.split("\n") if line.strip()]
    rows = []
    for at in count():
        tag = next(iter(given(f"{path}.{at}")), None)
        if tag is None:
            break
        struct = structs.get(tag) or next(iter(structs.values()))
        rows.append(_record(struct, given, f"{path}.{at}"))
    return rows


# Rows


def with_row(record_type: type, record: dict[str, object], path: str, tag: str) -> dict[str, object]:
    """The record with one more row in the list at `path`; the same if there is no such list."""
    found = _list_at(record, path)
    kind = _kind_at(_struct(record_type), path)
    if kind is None or len(found if found is not None else ()) >= MOST_ROWS:
        return record
    structs = structs_of(kind)
    struct = structs.get(tag) or next(iter(structs.values()), None)
    if struct is not None and found is not None:
        found.append({struct.tag_field: struct.tag} if struct.tag_field else {})
    return record


def without_row(record: dict[str, object], path: str) -> dict[str, object]:
    """The record without the row at `path` (`effects.0`); the same if there is none."""
    rows, _, at = path.rpartition(".")
    found = _list_at(record, rows)
    if found is not None and _is_place(at, found):
        del found[int(at)]
    return record


def _list_at(record: object, path: str) -> list[object] | None:
    for step in path.split("."):
        if isinstance(record, dict):
            record = record.get(step)
        elif isinstance(record, list) and _is_place(step, record):
            record = record[int(step)]
        else:
            return None
    return record if isinstance(record, list) else None


def _is_place(step: str, rows: Sequence[object]) -> bool:
    """Whether it is the number of one of the rows."""
    return step in map(str, range(len(rows)))


def _kind_at(struct: inspect.StructType, path: str) -> inspect.Type | None:
    """The type of the rows of the list at `path`."""
    kind: inspect.Type = struct
    for step in path.split("."):
        if step.isdecimal():
            continue
        options = structs_of(kind).values()
        found = (field.type for one in options for field in one.fields if field.encode_name == step)
        inner = next(found, None)
        if inner is None:
            return None
        kind = _plain(inner)
        if isinstance(kind, inspect.VarTupleType | inspect.ListType):
            kind = _plain(kind.item_type)
    return kind


# Types


def structs_of(kind: inspect.Type) -> dict[str, inspect.StructType]:
    """The structs that a type may be, by tag (one without a tag by an empty name); none for other types."""
    types = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return {str(one.tag or ""): one for one in types if isinstance(one, inspect.StructType)}


def choices(kind: inspect.Type) -> tuple[str, ...]:
    """What may be chosen; nothing for a type that is no choice."""
    if isinstance(kind, inspect.EnumType):
        return tuple(str(one.value) for one in kind.cls)
    if isinstance(kind, inspect.LiteralType):
        return tuple(str(one) for one in kind.values)
    return ()


def _struct(record_type: type) -> inspect.StructType:
    found = inspect.type_info(record_type)
    if not isinstance(found, inspect.StructType):
        raise TypeError(f"{record_type.__name__} is no struct")
    return found


def _plain(kind: inspect.Type) -> inspect.Type:
    """A type without None where it is optional."""
    if isinstance(kind, inspect.UnionType):
        some = [one for one in kind.types if not isinstance(one, inspect.NoneType)]
        return _plain(some[0]) if len(some) == 1 else inspect.UnionType(tuple(some))
    return kind


def defaults_of(record_type: type) -> dict[str, object]:
    """What each field of a record is where nothing is said of it; None for those that have to be said."""
    return {field.encode_name: _default(field) for field in _struct(record_type).fields}


def _default(field: inspect.Field) -> object:
    if field.default_factory is not msgspec.NODEFAULT:
        return msgspec.to_builtins(field.default_factory())
    return None if field.default is msgspec.NODEFAULT else msgspec.to_builtins(field.default)


# Values as text


def _shown(value: object) -> str:
    return "" if value is None else str(value)


def _json(value: object) -> str:
    return "" if value is None else msgspec.json.encode(value).decode()


def _from_json(text: str) -> object:
    """A value typed as JSON; what is none is text."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text


def _toml(value: object) -> str:
    import tomli_w

    return tomli_w.dumps(value).strip() if isinstance(value, dict) else ""


def _from_toml(text: str) -> object:
    """A table typed as TOML; what is none stays text, for the type to refuse."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return text
