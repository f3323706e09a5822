"""Forms out of the types of a pack's records, and records out of filled-in forms.

A field's name is its path in the record (`effects.0.amount`). Lists of plain values are a line each,
lists and tables of structs are rows that can be added and removed, those of a table with their names;
other tables are TOML. Nothing is judged here: what was typed goes to the record's own type as it is, and
that says what is wrong.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence, Sized
from enum import StrEnum
from functools import partial
from itertools import count

import msgspec
from msgspec import inspect

from companion.engine.misfit import choices
from companion.engine.packs import is_deep, unsourced

MOST_ROWS = 64
NAME = "@"
"""The last step of the path to the name of a table's row."""

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
    It is `optional` where nothing at all may be said, which is not 0; `example` shows what is no plain value.
    """

    kind: Kind
    path: str
    label: str
    value: str = ""
    required: bool = False
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    optional: bool = False
    example: str = ""
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
            shown = _field(_plain(field.type), at, value, required=field.required)
            yield msgspec.structs.replace(shown, optional=field.default is None)


def _field(kind: inspect.Type, path: str, value: object, *, required: bool) -> Field:
    label = path.rpartition(".")[2].replace("_", " ")
    match kind:
        case inspect.BoolType() if value and not isinstance(value, bool):
            return Field(Kind.CHOICE, path, label, _shown(value), required=True, choices=("true", "false"))
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
            structs = structs_of(_plain(kind.value_type))
            if structs:
                return _table_field(structs, path, label, value)
            one = f"name = {_example(_plain(kind.value_type), between=' = ')}"
            return Field(Kind.TOML, path, label, _toml(value), required, example=one)
    shown = value if isinstance(value, str) else _json(value)
    return Field(Kind.DATA, path, label, shown, required, example=_example(kind))


def _list_field(item: inspect.Type, path: str, label: str, value: object) -> Field:
    structs = structs_of(item)
    alone = [value] if value and not structs else []  # a word where a list is wanted
    values = list(value) if isinstance(value, list | tuple) else alone
    if structs:
        rows = tuple(_row(structs, f"{path}.{at}", one) for at, one in enumerate(values))
        return Field(Kind.ROWS, path, label, choices=tuple(structs), children=rows)
    lines = "\n".join(one if isinstance(one, str) and "\n" not in one else _json(one) for one in values)
    one = _example(item) if isinstance(item, inspect.DictType) else ""
    return Field(Kind.LINES, path, label, lines, choices=choices(item), example=one)


def _table_field(structs: Mapping[str, inspect.StructType], path: str, label: str, value: object) -> Field:
    """Rows that begin with their names."""
    rows = []
    for at, (name, one) in enumerate(value.items() if isinstance(value, Mapping) else ()):
        row = _row(structs, f"{path}.{at}", one)
        called = Field(Kind.TEXT, f"{row.path}.{NAME}", "its name", name, required=True)
        rows.append(msgspec.structs.replace(row, label=name, children=(called, *row.children)))
    return Field(Kind.ROWS, path, label, choices=tuple(structs), children=tuple(rows))


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
        if field.default is None and isinstance(value, dict) and not any(value.values()):
            value = None  # of what need not be there nothing was said
        if value is not None:
            record[field.encode_name] = value
    return record


def _value(kind: inspect.Type, given: Given, path: str) -> object:
    """What was entered at a path; None for nothing."""
    typed = next(iter(given(path)), "").replace("\r\n", "\n")
    match kind:
        case inspect.BoolType():
            return {"": False, "on": True, "false": False, "true": True}.get(typed, typed)
        case inspect.StructType():
            return _record(kind, given, path)
        case inspect.VarTupleType() | inspect.ListType():
            return _list_value(_plain(kind.item_type), given, path, typed)
        case inspect.StrType():
            return typed.strip() if given(path) else None
        case inspect.DictType():
            structs = structs_of(_plain(kind.value_type))
            return _table_value(structs, given, path) if structs else _from_toml(typed)
    return _from_json(typed.strip()) if typed.strip() else None


def _list_value(item: inspect.Type, given: Given, path: str, typed: str) -> object:
    structs = structs_of(item)
    if not structs:
        read = _word if isinstance(item, inspect.StrType) else _from_json
        return [read(line.strip()) for line in typed.split("\n") if line.strip()]
    return [row for _, row in _rows(structs, given, path)]


def _table_value(structs: Mapping[str, inspect.StructType], given: Given, path: str) -> dict[str, object]:
    """Rows by their names; of two with one name the later has another, as neither is to be lost."""
    table: dict[str, object] = {}
    for at, row in _rows(structs, given, path):
        table[_free(next(iter(given(f"{at}.{NAME}")), "").strip(), table)] = row
    return table


def _rows(
    structs: Mapping[str, inspect.StructType], given: Given, path: str
) -> Iterator[tuple[str, dict[str, object]]]:
    """The rows of a form below a path, each with its own path."""
    for at in count():
        tag = next(iter(given(f"{path}.{at}")), None)
        if tag is None:
            return
        struct = structs.get(tag) or next(iter(structs.values()))
        yield f"{path}.{at}", _record(struct, given, f"{path}.{at}")


def _free(name: str, taken: Container[str]) -> str:
    names = (name or "new", *(f"{name or 'new'} {n}" for n in range(2, 10_000)))
    return next(one for one in names if one not in taken)


# Rows


def with_row(record_type: type, record: dict[str, object], path: str, tag: str) -> dict[str, object]:
    """The record with one more row in the list or table at `path`; the same if there is none."""
    found = _rows_at(record, path)
    kind = _kind_at(_struct(record_type), path)
    if kind is None or len(found or ()) >= MOST_ROWS:
        return record
    structs = structs_of(kind)
    struct = structs.get(tag) or next(iter(structs.values()), None)
    if struct is None:
        return record
    row: dict[str, object] = {struct.tag_field: struct.tag} if struct.tag_field else {}
    if isinstance(found, list):
        found.append(row)
    elif isinstance(found, dict):
        found[_free("", found)] = row
    return record


def without_row(record_type: type, record: dict[str, object], path: str) -> dict[str, object]:
    """The record without the row at `path` (`effects.0`); the same if there is none."""
    rows, _, at = path.rpartition(".")
    found = _rows_at(record, rows)
    if found is None or _kind_at(_struct(record_type), rows) is None or not _is_place(at, found):
        return record
    if isinstance(found, list):
        del found[int(at)]
    else:
        del found[list(found)[int(at)]]
    return record


def _rows_at(record: object, path: str) -> list[object] | dict[str, object] | None:
    found = value_at(record, path)
    return found if isinstance(found, list | dict) else None


def value_at(record: object, path: str) -> object:
    """What stands at the path of a field; the rows of a table are counted like those of a list."""
    for step in path.split("."):
        if isinstance(record, dict | list) and _is_place(step, record):
            record = list(record.values() if isinstance(record, dict) else record)[int(step)]
        elif isinstance(record, dict):
            record = record.get(step)
        else:
            return None
    return record


def _is_place(step: str, rows: Sized) -> bool:
    """Whether it is the number of one of the rows."""
    return step in map(str, range(len(rows)))


def _kind_at(struct: inspect.StructType, path: str) -> inspect.Type | None:
    """The type of the rows of the list or table at `path`; None if it is neither."""
    kind: inspect.Type = struct
    has_rows = False
    for step in path.split("."):
        if step.isdecimal():
            continue
        options = structs_of(kind).values()
        inner = next(
            (field.type for one in options for field in one.fields if field.encode_name == step), None
        )
        if inner is None:
            return None
        match _plain(inner):
            case inspect.CollectionType(item_type=row) | inspect.DictType(value_type=row):
                kind, has_rows = _plain(row), True
            case other:
                kind, has_rows = other, False
    return kind if has_rows else None


# Types


def structs_of(kind: inspect.Type) -> dict[str, inspect.StructType]:
    """The structs that a type may be, by tag (one without a tag by an empty name); none for other types."""
    types = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return {str(one.tag or ""): one for one in types if isinstance(one, inspect.StructType)}


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


def _example(kind: inspect.Type, at: int = 1, *, between: str = ": ") -> str:
    """A value of a type as it is typed, `between` the names in it and what they stand for."""
    inner = partial(_example, between=between)
    match kind:
        case inspect.IntType():
            return str(at)
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(inner(item, n) for n, item in enumerate(items, start=1))}]"
        case inspect.VarTupleType(item_type=item):
            return f"[{inner(item)}, {inner(item, 2)}]"
        case inspect.DictType(value_type=value):
            return _braced({"name": inner(value)}, between)
        case inspect.StructType(fields=fields):
            return _braced({one.encode_name: inner(one.type) for one in fields if one.required}, between)
    return '"word"'


def _braced(said: Mapping[str, str], between: str) -> str:
    quote = "" if "=" in between else '"'
    return f"{{{', '.join(f'{quote}{name}{quote}{between}{value}' for name, value in said.items())}}}"


def _shown(value: object) -> str:
    return "" if value is None else str(value)


def _json(value: object) -> str:
    return "" if value is None else msgspec.json.encode(value).decode()


def _from_json(text: str) -> object:
    """A value typed as JSON; what is none is text."""
    try:
        found: object = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text
    return text if is_deep(found) else found


def _word(line: str) -> str:
    """A text from a line of its own: one of several lines is JSON there, any other stands as it is."""
    found = _from_json(line)
    return found if isinstance(found, str) and "\n" in found else line


def _toml(value: object) -> str:
    import tomli_w

    return tomli_w.dumps(value).strip() if isinstance(value, dict) else _shown(value)


def _from_toml(text: str) -> object:
    """A table typed as TOML; what is none stays text, for the type to refuse."""
    try:
        found = tomllib.loads(text)
        return text if is_deep(found) else found
    except (ValueError, RecursionError):
        return text
