"""Packs: what is printed on cards, maps and sheets, each record with its source.

A pack is a `pack.toml`: a `[pack]` header and tables of records, `[enemy.A]`. Packs of one game are
merged field by field; where two say something of the same field, the owner of a physical copy wins
over the rulebook, and the rulebook over a stand-in. A merged record is only as good as the weakest
pack that still speaks in it. `""` in a field that may be missing takes away what a lesser pack says.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from enum import StrEnum
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import TypeVar, get_args, get_origin, get_type_hints

import msgspec

from companion.engine.asks import LONGEST_TEXT
from companion.engine.errors import BadInput, PackError
from companion.engine.files import content, is_there, way_in, write_whole
from companion.engine.misfit import misfit, misfits
from companion.engine.toml_lines import line_of
from companion.wording import plain, plain_throughout

P = TypeVar("P", bound=msgspec.Struct)

Record = dict[str, object]
Tables = dict[str, dict[str, Record]]
MOST_PRINTED = 9_999
"""The largest number that anything on a table has; pieces and wounds are counted out one by one."""

DEEPEST = 30
"""Lists and tables within one another in a pack, at most; those of the games have ten."""

_PART = r"""(?:(?<!\\)"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+'|(?<![\w-])[\w-]++)"""
_DEEP_NAME = re.compile(rf"(?:{_PART}[ \t]*+\.[ \t]*+){{{DEEPEST + 1}}}")
"""A name of more parts than tables may lie within one another; of thousands TOML's reader takes minutes."""

MOST_TOLD = 300
"""Wrong values, of a record too, after which no others are looked for: a pack may have thousands."""

SESSIONS = "the session's packs"
"""Where something is wrong that no file says any more."""


class Source(StrEnum):
    """Where a record comes from, the least trusted first."""

    STAND_IN = "stand-in"
    RULEBOOK = "rulebook"
    OWNER = "owner"

    @property
    def trust(self) -> int:
        """Its rank: of two sources the one with more is believed."""
        return list(Source).index(self)


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The `[pack]` table of a file: all its records share `source`."""

    game: str
    name: str
    source: Source
    notes: str = ""


class PackFile(msgspec.Struct, frozen=True):
    """One `pack.toml`, read but not yet checked against a game's schema."""

    path: Path
    header: Header
    tables: Tables


class Merged(msgspec.Struct, frozen=True):
    """The packs of one game as one; `origin` says of every TOML path which file it came from."""

    game: str
    tables: Tables
    origin: dict[str, Path]
    sources: dict[str, Source]

    def stand_ins(self) -> Iterator[str]:
        """The TOML paths of fields that only a stand-in says."""
        return (path for path, source in self.sources.items() if source is Source.STAND_IN)

    def counts(self) -> tuple[int, int]:
        """How many records there are, and of how many a stand-in still says something."""
        sources = [record["source"] for records in self.tables.values() for record in records.values()]
        return len(sources), sources.count(Source.STAND_IN)


def read(path: Path) -> PackFile:
    """Read one `pack.toml`; raises `PackError` with the file and what is wrong in it."""
    try:
        data = content(path)
    except PermissionError as error:
        raise PackError(f"{path}: {error.strerror}; {way_in(path, error)}") from error
    except OSError as error:
        raise _torn(f"{path}: {error.strerror}") from error
    try:
        return parse(data, path)
    except PackError as error:
        raise _torn(str(error)) from error


def _torn(message: str) -> PackError:
    """What only a mended file helps against."""
    error = PackError(message)
    error.is_torn = True
    return error


def parse(data: bytes, path: Path) -> PackFile:
    """What is in a `pack.toml` that is, or is to be called, `path`; `PackError` as from `read`.

    It may come from anybody: characters that a terminal would obey are blanks.
    """
    too_deep = f"{path}: more than {DEEPEST} lists and tables within one another, as nothing printed is"
    try:
        text = data.decode("utf-8-sig")  # as some editors begin it
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PackError(f"{path}: not TOML: no UTF-8 text; save it as UTF-8 (at line {line})") from error
    if _DEEP_NAME.search(text):
        raise PackError(too_deep)
    try:
        found = tomllib.loads(text)
        raw = {plain(name): plain_throughout(table) for name, table in found.items()}
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise PackError(f"{path}: not TOML: {error}") from error
    if is_deep(raw):
        raise PackError(too_deep)
    for where, said in _texts(raw):
        if len(said) > LONGEST_TEXT:
            raise PackError(f"{path}: {where}: {len(said)} characters; a text may have {LONGEST_TEXT}")
    try:
        header = msgspec.convert(raw.pop("pack", {}), Header)
    except msgspec.ValidationError as error:
        wanted = "a pack begins with [pack] and its game, name and source"
        message, field = misfit(error, Header)
        raise PackError(f"{path}: pack{field}: {message}; {wanted}{_at(text, f'pack{field}')}") from error
    return PackFile(path, header, dict(_tables(path, raw, text)))


def _at(text: str, path: str) -> str:
    """At which line of a pack something stands, nothing if that can't be told."""
    line = line_of(text, path)
    return f" (at line {line})" if line else ""


def _at_in(file: Path | str, path: str) -> str:
    """The same of a file."""
    try:
        return _at(content(Path(file)).decode("utf-8-sig"), path)
    except (OSError, ValueError):
        return ""


def is_deep(value: object, most: int = DEEPEST) -> bool:
    """Whether lists and tables lie deeper within one another than whoever walks them should have to go."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return most < 0 or any(is_deep(one, most - 1) for one in inner)


def _texts(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """All texts and names within TOML builtins, with where they stand."""
    match value:
        case str():
            yield path, value
        case dict():
            for name, inner in value.items():
                yield f"a name in {path or 'it'}", name
                yield from _texts(inner, f"{path}.{name}" if path else name)
        case list():
            for at, inner in enumerate(value):
                yield from _texts(inner, f"{path}.{at}")


def _tables(path: Path, raw: dict[str, object], text: str) -> Iterator[tuple[str, dict[str, Record]]]:
    for table, records in raw.items():
        if not isinstance(records, dict) or not all(isinstance(one, dict) for one in records.values()):
            wanted = f"a table of records like [{table}.NAME] is wanted"
            raise PackError(f"{path}: {table}: {wanted}{_at(text, table)}")
        for name in records:
            if not name.strip():
                raise PackError(f"{path}: {table}: a record without a name{_at(text, f'{table}.{name}')}")
        yield table, records


def merge(game: str, files: Iterable[PackFile]) -> Merged:
    """One set of records from several packs; of two packs of one source the later wins."""
    merged = Merged(game, {}, {}, {})
    for file in sorted(files, key=lambda one: one.header.source.trust):
        if file.header.game != game:
            wrong = f"this is a pack for {file.header.game}, not {game}{_at_in(file.path, 'pack.game')}"
            raise _torn(f"{file.path}: pack.game: {wrong}")
        for table, records in file.tables.items():
            for name, record in records.items():
                _merge_record(merged, file, f"{table}.{name}", record)
    for table, records in merged.tables.items():
        for name, record in records.items():
            record["source"] = _weakest(merged, f"{table}.{name}", record).value
    return merged


def _merge_record(merged: Merged, file: PackFile, path: str, record: Record) -> None:
    table, _, name = path.partition(".")
    target = merged.tables.setdefault(table, {}).setdefault(name, {})
    for field, value in record.items():
        target[field] = value
        merged.origin[f"{path}.{field}"] = file.path
        merged.sources[f"{path}.{field}"] = file.header.source
    merged.origin[path] = file.path


def _weakest(merged: Merged, path: str, record: Record) -> Source:
    spoken = (merged.sources[f"{path}.{field}"] for field in record)
    return min(spoken, key=lambda one: one.trust, default=Source.OWNER)


def build(merged: Merged, pack_type: type[P]) -> P:
    """The merged records in the game's own types.

    `pack_type` is a struct whose fields are `dict[str, RecordType]`. Raises `PackError` with the file,
    the TOML path and what was expected there; all else that is wrong is its `rest`.
    """
    fields = {
        field.encode_name: record_type(field.name, pack_type) for field in msgspec.structs.fields(pack_type)
    }
    wrong = list(islice(_foreign(merged, fields), MOST_TOLD))
    tables: dict[str, dict[str, object]] = {table: {} for table in fields}
    for table, kind in fields.items():
        for name, record in merged.tables.get(table, {}).items():
            if len(wrong) >= MOST_TOLD:
                break
            path = f"{table}.{name}"
            try:
                if said := misnamed(table, name, pack_type):
                    file = merged.origin.get(path, SESSIONS)
                    raise _nowhere(merged, file, path, f"{said}{_at_in(file, path)}")
                tables[table][name] = _record(merged, path, record, kind)
            except PackError as error:
                wrong += [error, *error.rest]
    if wrong:
        raise _first(wrong)
    return msgspec.convert(tables, pack_type, from_attributes=True)


def _first(wrong: Iterable[PackError]) -> PackError:
    first, *rest = wrong
    first.rest = tuple(rest)
    return first


def _foreign(merged: Merged, known: Collection[str]) -> Iterator[PackError]:
    """The tables that the game has not."""
    for table, records in merged.tables.items():
        if table not in known:
            path = f"{table}.{next(iter(records), '')}"
            file = merged.origin.get(path, SESSIONS)
            there = f"{merged.game} has {', '.join(known)}{_at_in(file, path)}"
            yield _nowhere(merged, file, path, f"{table}: no such table; {there}")


def _nowhere(merged: Merged, file: Path | str, path: str, why: str) -> PackError:
    """Of a record for which there is no place in the game."""
    wrong = _torn(f"{file}: {why}")
    if _is_owned(file):
        wrong.record = f"{merged.game}.{path}"
    return wrong


def misnamed(table: str, name: str, pack_type: type[msgspec.Struct]) -> str:
    """Why no record of a table has that name, where the rules say which there are; nothing if one may."""
    names = _types(table, pack_type)[0]
    try:
        msgspec.convert(name, names)
    except msgspec.ValidationError as error:
        return f"{table}.{name}: no such record: {misfit(error, names)[0]}"
    return ""


UNREAD = "no such field, nothing reads it"


def unread(merged: Merged, pack_type: type[msgspec.Struct]) -> Iterator[str]:
    """The TOML paths of fields that no record of the game has, say misspelt ones; nothing reads them."""
    for table, records in merged.tables.items():
        kind = msgspec.inspect.type_info(record_type(table, pack_type))
        for name, record in records.items():
            yield from _unread(f"{table}.{name}", record, kind)


def _unread(path: str, value: object, kind: msgspec.inspect.Type) -> Iterator[str]:
    match value, kind:
        case dict(), msgspec.inspect.StructType(fields=fields):
            known = {field.encode_name: field.type for field in fields}
            for name, inner in value.items():
                if name not in known:
                    yield f"{path}.{name}"
                else:
                    yield from _unread(f"{path}.{name}", inner, known[name])
        case dict(), msgspec.inspect.DictType(value_type=inner_kind):
            for name, inner in value.items():
                yield from _unread(f"{path}.{name}", inner, inner_kind)
        case list(), msgspec.inspect.VarTupleType(item_type=inner_kind):
            for at, inner in enumerate(value):
                yield from _unread(f"{path}.{at}", inner, inner_kind)
        case dict(), msgspec.inspect.UnionType(types=kinds):
            structs = [one for one in kinds if isinstance(one, msgspec.inspect.StructType)]
            if len(structs) == 1:  # it or nothing; of several, a strict one says itself what it lacks
                yield from _unread(path, value, structs[0])


def numbers(value: object, path: str = "") -> Iterator[tuple[str, int]]:
    """All whole numbers within builtins, with their TOML paths.

    >>> list(numbers({"enemy": {"A": {"health": 2}}}))
    [('enemy.A.health', 2)]
    """
    match value:
        case int():
            yield path, value
        case dict():
            for name, inner in value.items():
                yield from numbers(inner, f"{path}.{name}" if path else name)
        case list() | tuple():
            for at, inner in enumerate(value):
                yield from numbers(inner, f"{path}.{at}")


def record_type(field: str, pack_type: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The type of the records in one table of a pack type."""
    return _types(field, pack_type)[1]


@cache  # a pack has hundreds of records, and each asks for the type of its name
def _types(field: str, pack_type: type[msgspec.Struct]) -> tuple[type[object], type[msgspec.Struct]]:
    """The types of the names and of the records in one table of a pack type."""
    hint = get_type_hints(pack_type)[field]
    if get_origin(hint) is not dict:
        raise TypeError(f"{pack_type.__name__}.{field} has to be a dict[str, RecordType]")
    names, records = get_args(hint)
    return names, records


def without_taken_away(record: Record, kind: type[msgspec.Struct]) -> Record:
    """A record without what it says to be not there, such as `award = ""`, whatever a lesser pack says."""
    fields = optional(kind)
    return {field: value for field, value in record.items() if value != "" or field not in fields}


@cache
def optional(kind: type[msgspec.Struct]) -> frozenset[str]:
    """The fields of a record of which there may be nothing at all, which is not 0."""
    return frozenset(one.encode_name for one in msgspec.structs.fields(kind) if one.default is None)


def _record(merged: Merged, path: str, record: Record, kind: type[msgspec.Struct]) -> object:
    large = dict.fromkeys(too_large(record, path), TOO_LARGE) if path in merged.origin else {}
    there, wrong = without_taken_away(record, kind), dict[str, str]()
    try:
        built = msgspec.convert(there, kind)
    except msgspec.ValidationError:
        found = ((path + at, why) for at, why in islice(misfits(there, kind), MOST_TOLD))
        wrong = {at: large.pop(at.replace("[", ".").replace("]", ""), why) for at, why in found}
    wrong |= large
    if wrong:
        told = islice(wrong.items(), MOST_TOLD)
        raise _first(_wrong(merged, path, record, where, message) for where, message in told)
    return built


def too_large(value: object, path: str = "") -> Iterator[str]:
    """The TOML paths of numbers that nothing on a table has."""
    return (where for where, number in numbers(value, path) if abs(number) > MOST_PRINTED)


TOO_LARGE = f"the number is larger than {MOST_PRINTED}, as none on a table is"


def _wrong(merged: Merged, path: str, record: Record, where: str, message: str) -> PackError:
    """What is wrong in a record, with the file and the line that say so."""
    inner = where.removeprefix(path).replace("[", ".").replace("]", "")
    field = inner.removeprefix(".").partition(".")[0]
    file = merged.origin.get(f"{path}.{field}") or merged.origin.get(path)
    at = _at_in(file, path + inner) if file and _says(file, path, record, field) else ""
    wrong = PackError(f"{file or SESSIONS}: {where}: {message}{at}")
    if _is_owned(file):
        wrong.record = f"{merged.game}.{path}"
    return wrong


def _says(file: Path, path: str, record: Record, field: str) -> bool:
    """Whether a file says that of a field, or of the whole record: what is still in a form it does not."""
    table, _, name = path.partition(".")
    try:
        kept = _parsed(content(file), file).tables[table][name]
    except (KeyError, OSError, PackError):
        return False
    return all(kept.get(one) == record.get(one) for one in ([field] if field else kept))


_parsed = lru_cache(maxsize=4)(parse)
"""For who asks of the same file again and again, and changes nothing in it."""


def find(game_folder: Path, owner_folder: Path, names: Iterable[str] = ()) -> list[PackFile]:
    """The packs that a game is played with.

    All that ship in `game_folder`/packs, the owner's own in `owner_folder`/owner, and those named, which
    are looked for in `owner_folder` or may be paths of a `pack.toml`.
    """
    paths = [*always(game_folder, owner_folder), *(_named(owner_folder, name) for name in names)]
    return [read(path) for path in dict.fromkeys(paths)]


def always(game_folder: Path, owner_folder: Path) -> list[Path]:
    """The packs without which a game is never played: those that ship, and the owner's own if it is there."""
    own = owned_path(owner_folder)
    return sorted(game_folder.glob("packs/*/pack.toml")) + ([own] if _is_there(own) else [])


def spare(owner_folder: Path) -> dict[str, Path]:
    """The packs in the owner's folder that a game is played with only if they are named."""
    own = owned_path(owner_folder)
    return {path.parent.name: path for path in sorted(owner_folder.glob("*/pack.toml")) if path != own}


def _named(owner_folder: Path, name: str) -> Path:
    tries = [owner_folder / name / "pack.toml", Path(name)]
    for path in tries:
        with suppress(OSError):  # too long for a file's name, or in a folder that is closed to us
            if path.is_file():
                return path
    raise PackError(f"--pack {name}: not found; looked for {' and '.join(str(path) for path in tries)}")


def said_of(tables: Tables | None, table: str, name: str) -> Record:
    """What tables say of a record, nothing if it is not among them."""
    return (tables or {}).get(table, {}).get(name, {})


def unsourced(record: Record) -> Record:
    """A record as a pack's file has it: where it comes from is said of the whole pack."""
    return {field: value for field, value in record.items() if field != "source"}


def write(file: PackFile) -> None:
    """Put a pack on disk; `PackError` if it can't be saved, or could not be read again."""
    import tomli_w

    header = {key: value for key, value in msgspec.to_builtins(file.header).items() if value}
    tables = msgspec.to_builtins(file.tables)
    data = tomli_w.dumps({"pack": header, **tables}, multiline_strings=True).encode()
    parse(data, file.path)
    try:
        write_whole(file.path, data)
    except OSError as error:
        raise PackError(f"{file.path}: not saved: {error.strerror}") from error


def owned_path(owner_folder: Path) -> Path:
    """Where the owner's own pack of a game is, or will be."""
    return owner_folder / "owner" / "pack.toml"


def _is_owned(file: Path | str | None) -> bool:
    return isinstance(file, Path) and file == owned_path(file.parent.parent)


def _is_there(path: Path) -> bool:
    try:
        return is_there(path)
    except BadInput as error:
        raise PackError(str(error)) from error


def owned(owner_folder: Path, game: str) -> PackFile:
    """The owner's own pack of a game; empty if there is none yet."""
    path = owned_path(owner_folder)
    return read(path) if _is_there(path) else PackFile(path, Header(game, "owner", Source.OWNER), {})
