"""What is wrong with a value that does not fit its type, in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from types import UnionType
from typing import Annotated, Union, get_args, get_origin

import msgspec
from msgspec import inspect

_KINDS = {
    "int": "a whole number",
    "float": "a number with a point",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}

_PATTERNS = (
    (r"Object missing required field `(.*)`", r"\1 is missing"),
    (r"Object contains unknown field `(.*)`", r"there is no field \1"),
    (r"Expected (.*) matching regex '\^\[(.)-(.)\]\$'", r"a letter from \2 to \3 is wanted"),
    (r"Expected (.*) matching regex '\^\[(.)-(.)\]\?\$'", r"a letter from \2 to \3 or nothing is wanted"),
    (r"Expected `str` of length >= 1", "a text is wanted, not an empty one"),
    (r"Expected (.*) of length (\d+), got (\d+)", r"\1 of \2 is wanted, not of \3"),
    (r"Expected (.*), got (.*)", r"\1 is wanted, not \2"),
    (r"Expected (.*?)( of)?(?: length)? <= (-?\d+(?:\.\d+)?)", r"\1 is wanted,\2 at most \3"),
    (r"Expected (.*?)( of)?(?: length)? >= (-?\d+(?:\.\d+)?)", r"\1 is wanted,\2 at least \3"),
)

_PLACE = re.compile(r" - at (?:`key` in )?`\$?(?P<path>.*)`$")


def misfit(error: msgspec.ValidationError, kind: object) -> tuple[str, str]:
    """Why a value is none of that type, and the path in it, such as `[0].name`."""
    told = str(error)
    found = _PLACE.search(told)
    message, path = (told[: found.start()], found["path"]) if found else (told, "")
    if wrong := re.fullmatch(r"Invalid (?:enum )?value (.*)", message):
        fitting = _fitting(kind, path, is_key="`key` in" in told)
        return f"{wrong[1]} does not fit" + (f", only: {', '.join(fitting)}" if fitting else ""), path
    message = message.replace("Expected `float`", "Expected a number")  # a whole one will do
    for pattern, words in _PATTERNS:
        if match := re.fullmatch(pattern, message):
            return re.sub(r"`([^`]*)`", _named, match.expand(words)), path
    return message, path


def misfits(value: object, kind: object) -> Iterator[tuple[str, str]]:
    """All that is wrong with a value of a type: each time the path in it, and why."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        parts = _parts(value, kind)
        within = ((at + inner, why) for at, part, its in parts for inner, why in misfits(part, its))
        wrong = chain(within, _amiss(value, kind))
        first = next(wrong, None)
        yield first or misfit(error, kind)[::-1]
        yield from wrong


def _parts(value: object, kind: object) -> Iterator[tuple[str, object, object]]:
    """What lies in a value that may be such, each part with its path and type."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        yield from _parts(value, inner[0])
    elif isinstance(value, dict) and (struct := _struct_of(value, kind)):
        for field in msgspec.structs.fields(struct):
            if field.encode_name in value:
                yield f".{field.encode_name}", value[field.encode_name], field.type
    elif isinstance(value, dict) and origin is dict:
        yield from ((f".{name}", one, inner[1]) for name, one in value.items())
    elif isinstance(value, list) and origin is tuple:
        kinds = inner[:1] * len(value) if ... in inner else inner
        if len(kinds) == len(value):
            yield from ((f"[{at}]", *one) for at, one in enumerate(zip(value, kinds, strict=True)))


def _amiss(value: object, kind: object) -> Iterator[tuple[str, str]]:
    """What a table lacks that a struct has to have, and what it says that a strict one has not."""
    if not isinstance(value, dict) or (struct := _struct_of(value, kind)) is None:
        return
    fields = {one.encode_name: one for one in msgspec.structs.fields(struct)}
    missing = [name for name, one in fields.items() if one.required and name not in value]
    if missing:
        yield "", f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    if struct.__struct_config__.forbid_unknown_fields:
        known = {*fields, struct.__struct_config__.tag_field}
        yield from ((f".{name}", "there is no such field") for name in value if name not in known)


def _struct_of(value: dict[str, object], kind: object) -> type[msgspec.Struct] | None:
    """The struct that a table is to be; None where it is to be none, or does not tell which."""
    kinds = get_args(kind) if get_origin(kind) in (Union, UnionType) else [kind]
    structs = ((one, one.__struct_config__) for one in kinds if inspect.is_struct_type(one))
    told = (one for one, its in structs if its.tag in (None, value.get(its.tag_field or "")))
    return next(told, None)


def _named(kinds: re.Match[str]) -> str:
    return " or ".join(_KINDS.get(one, one) for one in kinds[1].split(" | "))


def _fitting(kind: object, path: str, *, is_key: bool) -> list[str]:
    """The words of which one fits at a path."""
    kinds = _each([inspect.type_info(kind)])
    for field, at in re.findall(r"\.(\w+)|\[(\d+|\.\.\.)\]", path):
        structs = (one for one in kinds if isinstance(one, inspect.StructType))
        if tags := [str(one.tag) for one in structs if one.tag_field == field]:
            return tags
        kinds = _each(inner for one in kinds for inner in _within(one, field, at))
    if is_key:
        kinds = _each(one.key_type for one in kinds if isinstance(one, inspect.DictType))
    return [word for one in kinds for word in choices(one)]


def _each(kinds: Iterable[inspect.Type]) -> list[inspect.Type]:
    """The same with what a union may be in its place."""
    return [part for one in kinds for part in (one.types if isinstance(one, inspect.UnionType) else (one,))]


def _within(kind: inspect.Type, field: str, at: str) -> Iterator[inspect.Type]:
    match kind:
        case inspect.StructType(fields=fields):
            yield from (one.type for one in fields if one.encode_name == field)
        case inspect.DictType(value_type=inner) | inspect.CollectionType(item_type=inner):
            yield inner
        case inspect.TupleType(item_types=items) if at.isdecimal():
            yield items[int(at)]


def choices(kind: inspect.Type) -> tuple[str, ...]:
    """What may be chosen; nothing for a type that is no choice."""
    if isinstance(kind, inspect.EnumType):
        return tuple(str(one.value) for one in kind.cls)
    if isinstance(kind, inspect.LiteralType):
        return tuple(str(one) for one in kind.values)
    return ()
