"""Records of packs while they are entered: what is known, what is wrong, how a player reads them."""

from __future__ import annotations

from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from companion.engine.card_words import LOWEST, in_words
from companion.engine.errors import BadInput, PackError
from companion.engine.forms import defaults_of
from companion.engine.game import Game, Problem
from companion.engine.owner_pack import alone, note_forgotten
from companion.engine.packs import (
    UNREAD,
    Header,
    Merged,
    PackFile,
    Record,
    Source,
    Tables,
    build,
    find,
    merge,
    misnamed,
    optional,
    owned_path,
    parse,
    record_type,
    said_of,
    unread,
    unsourced,
    write,
)
from companion.engine.records import blob_name


class ChangedSince(PackError):
    """A record that others have changed since the form was opened that is to be kept."""


class Shelf:
    """The packs of one game, and the owner's own among them."""

    def __init__(self, game: Game, owner_folder: Path) -> None:
        self.game = game
        self.path = owned_path(owner_folder)
        self._owner_folder = owner_folder
        self.files = find(game.folder, owner_folder)

    @property
    def merged(self) -> Merged:
        """All packs as one."""
        return merge(self.game.name, self.files)

    def known(self) -> tuple[msgspec.Struct, Tables]:
        """The packs in the game's own types, and what the owner's says, without what of it can't be read."""
        return self._built({})

    def _built(self, tables: Tables) -> tuple[msgspec.Struct, Tables]:
        """The same with these records in the owner's pack; `PackError` where it is one of them."""
        *others, mine = self._with(tables)
        known = {*self.tables(), *tables}
        there = {table: records for table, records in mine.tables.items() if table in known}
        mine = msgspec.structs.replace(mine, tables=there)
        while True:
            try:
                return build(merge(self.game.name, [*others, mine]), self.game.pack_type), mine.tables
            except PackError as error:
                wrong = {_place(one.record) for one in (error, *error.rest)}
                left = _without(mine.tables, {one for one in wrong if one[1] not in tables.get(one[0], {})})
                if left == mine.tables:
                    raise
            mine = msgspec.structs.replace(mine, tables=left)

    @property
    def owned(self) -> PackFile:
        """The owner's own pack, empty if there is none yet."""
        mine = (file for file in self.files if file.path == self.path)
        return next(mine, PackFile(self.path, Header(self.game.name, "owner", Source.OWNER), {}))

    def tables(self) -> list[str]:
        """The tables that the game's packs have."""
        return [field.encode_name for field in msgspec.structs.fields(self.game.pack_type)]

    def type_of(self, table: str) -> type[msgspec.Struct]:
        """The type of a table's records; `PackError` for a table that there is not."""
        if table not in self.tables():
            raise PackError(f"{self.game.name} has no table {table[:40]!r}, only {', '.join(self.tables())}")
        return record_type(table, self.game.pack_type)

    def check_name(self, table: str, name: str) -> None:
        """`PackError` where a table's records are given by the rules and this is none of them."""
        if wrong := misnamed(table, name, self.game.pack_type):
            raise PackError(wrong)

    def has_questions(self, table: str, name: str) -> bool:
        """Whether the game asks about such a record itself: of some tables only about some."""
        if table not in self.game.asks or self.game.entry is None:
            return False
        try:
            pack, mine = self.known()
            next(self.game.entry(pack, self.game.asks[table].format(name), mine))
        except BadInput:
            return False
        return True

    def record(self, table: str, name: str) -> Record:
        """What all packs together say of a record; empty for a new one."""
        return dict(self.merged.tables.get(table, {}).get(name, {}))

    def stand_ins(self, table: str, name: str) -> set[str]:
        """The fields of a record that only a stand-in says."""
        start = f"{table}.{name}."
        return {path.removeprefix(start) for path in self.merged.stand_ins() if path.startswith(start)}

    def entered(self, table: str, name: str, record: Record, *, whole: bool) -> Record:
        """What of a filled-in form is the owner's own word: what was changed, or all if it was compared.

        A stand-in's value that nobody has looked at stays a stand-in's; an emptied one is the owner's word.
        """
        known, record = self.record(table, name), self._said(table, name, record)
        mine = self.owned.tables.get(table, {}).get(name, {})
        other = self._other(table, known, record)
        return {field: value for field, value in record.items() if whole or field in mine or field in other}

    def _said(self, table: str, name: str, record: Record) -> Record:
        """A filled-in form with what was emptied in it, as none or as what counts where nothing is said.

        Not so a text: one that is not there was not asked for.
        """
        kind = self.type_of(table)
        blank = {field: value for field, value in defaults_of(kind).items() if value not in (None, "")}
        blank |= dict.fromkeys(optional(kind), "")
        emptied = unsourced(self.record(table, name)).keys() - record.keys()
        return record | {field: value for field, value in blank.items() if field in emptied}

    def _other(self, table: str, known: Record, record: Record) -> list[str]:
        """The fields of which a record says otherwise than is known."""
        kind = self.type_of(table)
        blank = defaults_of(kind)
        types = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
        return [
            field
            for field, value in record.items()
            if not _is_same(value, known.get(field, blank.get(field)), types.get(field))
        ]

    def mark(self, table: str, name: str) -> str:
        """What tells what is known of a record now from what was known at another time."""
        return blob_name(msgspec.json.encode(self.record(table, name), order="sorted"))

    def problems(self, table: str, name: str, record: Record) -> list[str]:
        """What is wrong with a record if it were entered so: its own fields, and what it contradicts."""
        try:
            pack, _ = self._built({table: {name: self._said(table, name, record)}})
        except PackError as error:
            return [str(one).removeprefix(f"{self.path}: ") for one in (error, *error.rest)]
        typed = Merged(self.game.name, {table: {name: unsourced(record)}}, {}, {})
        idle = (Problem(path, UNREAD) for path in unread(typed, self.game.pack_type))
        here = f"{table}.{name}."
        return [str(one) for one in (*self.game.problems(pack), *idle) if f"{one.path}.".startswith(here)]

    def preview(self, table: str, name: str, record: Record) -> list[str]:
        """A record as a player reads it: in the game's own way if it has one, and field by field."""
        blank = defaults_of(self.type_of(table))
        figures = {
            field: value
            for field, value in record.items()
            if value != 0 or blank.get(field) != 0 or field == LOWEST
        }
        lines = in_words(name, figures)  # a form has each field, and 0 mostly stands for none
        if self.game.show is None:
            return lines
        try:
            mine = self.entered(table, name, record, whole=False)
            pack, _ = self._built({table: {name: mine}})
            return [*self.game.show(pack, f"{table}.{name}"), "", *lines]
        except BadInput:
            return lines

    def keep(self, table: str, name: str, record: Record, *, whole: bool, seen: str = "") -> None:
        """Put what is the owner's own of a filled-in form into the owner's pack (see `entered`).

        `PackError` if the packs don't fit together with it or nothing is said, `ChangedSince` if another has
        changed the record since the form was opened, when `seen` was its mark.
        """
        with self._alone():
            known, mine = self.record(table, name), self.entered(table, name, record, whole=whole)
            other = self._other(table, known, self._said(table, name, record))
            if other and seen not in ("", self.mark(table, name)):
                fields = ", ".join(other).replace("_", " ")
                raise ChangedSince(
                    f"This was changed since the form was opened, and says otherwise now: {fields}. Look at "
                    "it in another window, or keep it once more to have it as it stands here."
                )
            if not (mine or known):
                raise PackError("Nothing was filled in, so there is nothing to keep.")
            if mine:
                self._keep({table: {name: mine}})

    def add(self, tables: Tables) -> None:
        """Put whole records into the owner's pack, in the place of those of their names.

        `PackError` if the packs don't fit together with them, `ChangedSince` if another has changed one of
        them since the packs were read here.
        """
        before = self.owned.tables
        with self._alone():
            mine = self.owned.tables
            for table, records in tables.items():
                for name in records:
                    if said_of(mine, table, name) != said_of(before, table, name):
                        raise ChangedSince(f"{self.path}: {table}.{name} was changed meanwhile")
            self._keep(tables)

    def forget(self, table: str, name: str, *, seen: str = "") -> None:
        """Take a record out of the owner's pack; `ChangedSince` as for `keep`.

        A session in which it was entered does not put it back.
        """
        with self._alone():
            mine = self.owned
            if name not in mine.tables.get(table, {}):
                return
            if seen not in ("", self.mark(table, name)):
                raise ChangedSince(
                    "This was changed since the form was opened, and is now as it stands here. Forget it "
                    "once more to take that back too."
                )
            note_forgotten(self._owner_folder, table, name, mine.tables[table][name])
            write(msgspec.structs.replace(mine, tables=_without(mine.tables, {(table, name)})))

    def read_in(self, data: bytes, shown: str, *, replace: bool) -> tuple[int, int]:
        """Take in another owner's pack: how many records were taken, and how many were here and stayed.

        `PackError` with the file's `shown` name if it is not such a pack or its records don't fit.
        """
        theirs = parse(data, Path(shown))
        if (theirs.header.game, theirs.header.source) != (self.game.name, Source.OWNER):
            wanted = f"an owner's pack of {self.game.name}"
            raise PackError(f"{shown}: {wanted} is wanted, not {_described(theirs)}")
        with self._alone():
            mine = self.owned.tables
            new: Tables = {
                table: {
                    name: record
                    for name, record in records.items()
                    if replace or name not in mine.get(table, {})
                }
                for table, records in theirs.tables.items()
            }
            taken, offered = _count(new), _count(theirs.tables)
            if taken:
                try:
                    self._keep(new)
                except PackError as error:
                    told = (str(one).replace(str(self.path), shown) for one in (error, *error.rest))
                    first, *rest = map(PackError, told)
                    first.rest = tuple(rest)
                    raise first from error
        return taken, offered - taken

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """The packs as they are now, and the owner's in nobody else's hands: others enter cards too."""
        with alone(self.path):
            self.files = find(self.game.folder, self._owner_folder)
            yield

    def check(self, tables: Tables) -> None:
        """`PackError` if the packs don't fit together with these records in the owner's.

        Others of the owner's that can't be read are entered again one after the other.
        """
        self._built(tables)

    def _keep(self, tables: Tables) -> None:
        self.check(tables)
        self.files = self._with(tables)
        write(self.owned)

    def _with(self, tables: Tables) -> list[PackFile]:
        """The packs with these records in the owner's."""
        mine = self.owned
        whole = {table: dict(records) for table, records in mine.tables.items()}
        for table, records in tables.items():
            whole.setdefault(table, {}).update(records)
        others = [file for file in self.files if file.path != self.path]
        return [*others, msgspec.structs.replace(mine, tables=whole)]


def _is_same(one: object, other: object, kind: object) -> bool:
    """Whether two values of a field say the same; a form says in every row what a pack need not."""
    try:
        return bool(msgspec.convert(one, kind) == msgspec.convert(other, kind))
    except msgspec.ValidationError:
        return one == other


def _place(record: str) -> tuple[str, str]:
    """The table and the name of a record GAME.TABLE.NAME."""
    table, _, name = record.partition(".")[2].partition(".")
    return table, name


def _without(tables: Tables, gone: Container[tuple[str, str]]) -> Tables:
    """The tables without some records, and without those that are empty then."""
    left = {
        table: {name: record for name, record in records.items() if (table, name) not in gone}
        for table, records in tables.items()
    }
    return {table: records for table, records in left.items() if records}


def _count(tables: Tables) -> int:
    return sum(len(records) for records in tables.values())


def _described(file: PackFile) -> str:
    article = "an" if file.header.source is Source.OWNER else "a"
    return f"{article} {file.header.source.value} pack of {file.header.game}"
