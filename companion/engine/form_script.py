"""A record's form as questions, for whoever can't be shown a page: the same fields, one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.engine.asks import AnyAsk, Choose, Number, Option, Script, Show, Text, ask
from companion.engine.card_words import words
from companion.engine.errors import PackError
from companion.engine.forms import (
    Field,
    Kind,
    defaults_of,
    fields_of,
    record_of,
    value_at,
    with_row,
    without_row,
)
from companion.engine.packs import MOST_PRINTED, Record, Tables, unsourced
from companion.engine.shelf import Shelf

SAVE = Option("save", "save it")
CHANGED = Option("save", "save it", "only what you changed counts as yours")
COMPARED = Option("compared", "save it, every field compared with my own copy")
BACK = Option("back", "back")
REMOVE = Option("remove", "remove it")
NO_CHOICE = "-"
BETWEEN = ";"
"""Stands for the end of a line where there is but one; twice, for itself."""
_BETWEEN = f"with {BETWEEN} between ({BETWEEN * 2} is a {BETWEEN})"
_HOW = {
    Kind.LINES: f"one after the other, {_BETWEEN}",
    Kind.TOML: f"one after the other, {_BETWEEN}",
    Kind.NUMBER: "a number",
}


def fill_in(shelf: Shelf, table: str, name: str) -> Script[Tables]:
    """Ask first for what a record can't do without, then for any field, until it is saved.

    Returns what is the owner's word, nothing if nothing was changed.
    """
    shelf.check_name(table, name)
    kind, said = shelf.type_of(table), unsourced(shelf.record(table, name))
    record = {field: value for field, value in said.items() if field in defaults_of(kind)}
    if record != said:
        unknown = "\n".join(f"{field}: {words(said[field])}" for field in said if field not in record)
        yield from ask(Show("pack.unknown", "There is no such field; saving leaves it out.", unknown))
    for field in _blank(fields_of(kind, record)):
        record = yield from _told(kind, record, field)
    while True:
        saved_as, record = yield from _edited(shelf, table, name, record)
        tables = {table: {name: shelf.entered(table, name, record, whole=saved_as == COMPARED.id)}}
        try:
            shelf.check(tables)
        except PackError as error:
            why = str(error).removeprefix(f"{shelf.path}: ")
            yield from ask(Show("pack.wrong", "It can't be saved so.", why))
        else:
            return tables if tables[table][name] else {}


def _blank(fields: Iterable[Field]) -> Iterator[Field]:
    """The fields that have to be filled in and are not, not those of groups that may be left out."""
    return (field for field in fields if field.required and not field.value)


_LEAVES = frozenset(Kind) - {Kind.GROUP, Kind.ROWS}


def _edited(shelf: Shelf, table: str, name: str, record: Record) -> Script[tuple[str, Record]]:
    """Change one field after the other; returns how it is to be saved, and the record."""
    kind, stand_ins = shelf.type_of(table), shelf.stand_ins(table, name)
    at = ""
    while True:
        fields = fields_of(kind, record)
        here = _found(fields, at)
        inner = here.children if here else fields
        shown = tuple(_option(one, record, stand_ins) for one in inner)
        if here is None:
            first: tuple[Option, ...] = (CHANGED, COMPARED) if stand_ins else (SAVE,)
            last: tuple[Option, ...] = ()
            text, detail = f"{name}: what to change?", "\n".join(shelf.problems(table, name, record))
        else:
            first, last = (BACK,), tuple(_ends(here))
            text, detail = f"{name}, {_place(fields, at)}: what to change?", ""
        answer = yield from ask(Choose("pack.field", text, detail, options=(*first, *shown, *last)))
        field = _found(fields, answer)
        if field is not None and field.kind in _LEAVES:
            record = yield from _told(kind, record, field, _place(fields, answer))
        elif field is not None:
            record, at = _whole(kind, record, answer), answer
        elif here is None:
            return answer, record
        elif answer.startswith(_ADD):
            record = with_row(kind, _whole(kind, record, at), at, answer.removeprefix(_ADD))
            at = f"{at}.{len(here.children)}"
        else:
            record = without_row(kind, _whole(kind, record, at), at) if answer == REMOVE.id else record
            at = at.rpartition(".")[0]


_ADD = "add:"


def _ends(here: Field) -> Iterator[Option]:
    """What can be done with a row or all rows beside changing a field of it."""
    if here.kind is Kind.ROWS:
        for tag in here.choices:
            yield Option(f"{_ADD}{tag}", f"add {tag.replace('_', ' ')}".strip() if tag else "add one")
    elif here.path.rpartition(".")[2].isdecimal():
        yield REMOVE


def _option(field: Field, record: Record, stand_ins: set[str]) -> Option:
    mark = " (stand-in)" if field.path in stand_ins else ""
    row = int(last) + 1 if (last := field.path.rpartition(".")[2]).isdecimal() else ""
    label = f"{row} {field.label}".strip() if row else field.label
    if field.kind is Kind.FLAG:
        said = "yes" if field.value else "no"
    else:
        said = _line(field) if field.kind in _LEAVES else words(value_at(record, field.path) or [])
    return Option(field.path, label, f"{said or 'nothing'}{mark}")


_LINED = (Kind.LINES, Kind.TOML)


def _line(field: Field) -> str:
    """What is in a field, on one line where it is typed on one."""
    if field.kind not in _LINED:
        return field.value
    return f"{BETWEEN} ".join(field.value.replace(BETWEEN, BETWEEN * 2).split("\n"))


def _lines(text: str) -> str:
    """The lines that were typed on one."""
    parts = text.replace(BETWEEN * 2, "\n").split(BETWEEN)
    return "\n".join(part.strip(" \t").replace("\n", BETWEEN) for part in parts)


def _place(fields: Sequence[Field], path: str) -> str:
    """A path in words: `nodes, n1, cache`."""
    steps = path.split(".")
    found = (_found(fields, ".".join(steps[: at + 1])) for at in range(len(steps)))
    return ", ".join(
        field.label or str(int(step) + 1) for field, step in zip(found, steps, strict=True) if field
    )


def _found(fields: Iterable[Field], path: str) -> Field | None:
    for field in fields:
        if field.path == path:
            return field
        if path.startswith(f"{field.path}."):
            return _found(field.children, path)
    return None


def _told(kind: type, record: Record, field: Field, place: str = "") -> Script[Record]:
    """The record with another value in one field."""
    answer = yield from ask(_question(field, place or field.label))
    sent = _sent(fields_of(kind, record))
    text = "" if field.kind is Kind.CHOICE and answer == NO_CHOICE else str(answer)
    if field.kind in _LINED:
        text = _lines(text)
    sent[field.path] = [text]
    return _with(kind, record, field.path, sent)


def _question(field: Field, place: str) -> AnyAsk:
    key, text = f"pack.{field.path}", f"{place}?"
    match field.kind:
        case Kind.FLAG:
            return Choose(key, text, options=(Option("", "no"), Option("on", "yes")))
        case Kind.CHOICE:
            none = () if field.required else (Option(NO_CHOICE, "none"),)
            named = (Option(one, one.replace("_", " ")) for one in field.choices)
            return Choose(key, text, options=(*none, *named))
        case Kind.NUMBER if not field.optional:
            least = -MOST_PRINTED if field.least is None else field.least
            most = MOST_PRINTED if field.most is None else field.most
            start = int(field.value) if field.value.removeprefix("-").isdecimal() else None
            return Number(key, text, least=least, most=most, start=start)
    how = _HOW.get(field.kind, "")
    if field.choices:
        how = f"{how}: {', '.join(field.choices)}"
    if field.example:
        how = f"{how}, as in {field.example}".removeprefix(", ")
    return Text(key, text, how, start=_line(field))


def _sent(fields: Iterable[Field]) -> dict[str, list[str]]:
    """A form as it stands, by the paths of its fields."""
    sent: dict[str, list[str]] = {}
    for field in fields:
        sent |= _sent(field.children)
        sent[field.path] = [field.value]
    return sent


def _whole(kind: type, record: Record, path: str) -> Record:
    """The record with every list that its form has at a path, so that rows can be added to them."""
    return _with(kind, record, path, _sent(fields_of(kind, record)))


def _with(kind: type, record: Record, path: str, sent: Mapping[str, Sequence[str]]) -> Record:
    """The record with what was sent of the field in which a path lies; what is wrong in others stays."""
    changed = path.partition(".")[0]
    kept = {field: value for field, value in record.items() if field != changed}
    return record_of(kind, lambda at: sent.get(at, ())) | kept
