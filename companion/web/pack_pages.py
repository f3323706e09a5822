"""Packs: what is missing, forms for cards, maps and sheets, and a pack as one file in and out."""

from __future__ import annotations

import re
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.engine.errors import BadInput, CompanionError, PackError
from companion.engine.forms import fields_of, record_of, with_row, without_row
from companion.engine.game import Game, Problem
from companion.engine.packs import UNREAD, Merged, Record, build, unread, unsourced
from companion.engine.shelf import ChangedSince, Shelf
from companion.web import pages
from companion.wording import counted

_NAME = re.compile(r"[^\W_][\w '-]{0,59}")
LARGEST_PACK = 1 << 20


class Lack(msgspec.Struct, frozen=True):
    """What is missing or contradictory, and the address of the record that it is about, if there is one."""

    words: str
    place: str = ""


class Summary(msgspec.Struct, frozen=True):
    """What a game's packs hold and lack; `trouble` if they are torn."""

    name: str
    title: str
    records: int
    stand_ins: int
    problems: tuple[Lack, ...]
    trouble: str = ""


class Entry(msgspec.Struct, frozen=True):
    """A record in a list: its name, where it comes from, and what it is called."""

    name: str
    source: str
    title: str


def games(request: Request) -> Response:
    """The games, and what their packs lack."""
    overviews = [_overview(request, name) for name in pages.house(request).library.names()]
    return pages.page(request, "packs.html", games=overviews)


def game(request: Request, error: str = "", said: str = "") -> Response:
    """All records of a game by table; with an `error` in a form that was sent, or what is `said` of it."""
    shelf = _shelf_of(request)
    summary, merged = _summary(shelf), shelf.merged
    tables = {
        table: [
            Entry(name, str(record["source"]), str(record.get("name") or record.get("title") or name))
            for name, record in merged.tables.get(table, {}).items()
        ]
        for table in shelf.tables()
    }
    return pages.page(
        request,
        "pack.html",
        summary=summary,
        tables=tables,
        error=error,
        said=said,
        owned=bool(shelf.owned.tables),
    )


@pages.with_form
def new(request: Request, fields: pages.Sent) -> Response:
    """A record by a name that is not there yet: its empty form."""
    shelf, table, name = _shelf_of(request), fields.text("table"), fields.text("name").strip()
    shelf.type_of(table)
    if not _NAME.fullmatch(name):
        wanted = "A name begins with a letter or digit and has nothing but those, spaces, -, ' and _ ."
        return game(request, wanted)
    try:
        shelf.check_name(table, name)
    except PackError as error:
        return game(request, str(error))
    return pages.seen_other(f"/packs/{shelf.game.name}/{table}/{quote(name)}")


def card(request: Request) -> Response:
    """The form of one record."""
    shelf, table, name = place_of(request)
    return _form(request, shelf, table, name, shelf.record(table, name), status=HTTPStatus.OK)


@pages.with_form
def save(request: Request, fields: pages.Sent) -> Response:
    """Keep a record, forget what the owner entered of it, or show its form again, maybe with a row added."""
    shelf, table, name = place_of(request)
    kind = shelf.type_of(table)
    record, trouble, seen = record_of(kind, fields.texts), "", fields.text("seen")
    if "add" in fields:
        path = fields.text("add")
        record = with_row(kind, record, path, fields.text(f"add:{path}"))
    elif "remove" in fields:
        record = without_row(kind, record, fields.text("remove"))
    elif "again" not in fields:
        try:
            if "forget" in fields:
                shelf.forget(table, name, seen=seen)
            else:
                shelf.keep(table, name, record, whole="compared" in fields, seen=seen)
        except PackError as error:
            trouble = str(error).removeprefix(f"{shelf.path}: ")
            seen = "" if isinstance(error, ChangedSince) else seen
            record = shelf.record(table, name) if "forget" in fields else record
        else:
            there = f".{quote(name)}" if name in _shelf_of(request).merged.tables.get(table, {}) else ""
            return pages.seen_other(f"/packs/{shelf.game.name}#{table}{there}")
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    is_typed = "forget" not in fields
    return _form(
        request, shelf, table, name, record, status=status, trouble=trouble, seen=seen, is_typed=is_typed
    )


@pages.with_form
def check(request: Request, fields: pages.Sent) -> Response:
    """What is wrong with a form as it stands, and how it would read; a part of a page."""
    shelf, table, name = place_of(request)
    record = record_of(shelf.type_of(table), fields.texts)
    return HTMLResponse(_checked(shelf, table, name, record))


def export(request: Request) -> Response:
    """The owner's pack as one file."""
    shelf = _shelf_of(request)
    if not shelf.path.is_file():
        raise BadInput("You have entered nothing for this game yet.")
    headers = {"Content-Disposition": f'attachment; filename="{shelf.game.name}.pack.toml"'}
    return Response(shelf.path.read_bytes(), media_type="application/toml", headers=headers)


@pages.with_form
def take_in(request: Request, fields: pages.Sent) -> Response:
    """Another owner's pack from one file."""
    name, data = fields.files.get("file", ("", b""))
    if not name:
        return game(request, "Choose a file first.")
    shown = Path(name).name[:80]
    try:
        if len(data) > LARGEST_PACK:
            raise BadInput(f"{shown}: more than {LARGEST_PACK >> 20} MB; no pack is that large")
        taken, stayed = _shelf_of(request).read_in(data, shown, replace="replace" in fields)
    except CompanionError as error:
        return game(request, "\n".join(map(str, (error, *getattr(error, "rest", ())))))
    return game(request, said=f"{counted(taken, 'record')} taken in, here already and unchanged: {stayed}.")


def _form(
    request: Request,
    shelf: Shelf,
    table: str,
    name: str,
    record: Record,
    *,
    status: int,
    trouble: str = "",
    seen: str = "",
    is_typed: bool = False,
) -> Response:
    """The form of a record; `trouble` is why it was not kept, `seen` the mark of what it was opened with.

    Where it `is_typed`, the box has nothing of it yet.
    """
    shown = fields_of(shelf.type_of(table), record)
    return pages.page(
        request,
        "card.html",
        status,
        game=shelf.game,
        table=table,
        name=name,
        fields=shown,
        has_questions=shelf.has_questions(table, name),
        seen=seen or shelf.mark(table, name),
        is_typed=is_typed,
        stand_ins=shelf.stand_ins(table, name),
        mine=shelf.owned.tables.get(table, {}).get(name, {}),
        checked=_checked(shelf, table, name, record, trouble) if record or trouble else "",
    )


def _checked(shelf: Shelf, table: str, name: str, record: Record, trouble: str = "") -> str:
    bare = unsourced(record)
    template = pages.templates().get_template("_checked.html")
    problems = dict.fromkeys([*filter(None, [trouble]), *shelf.problems(table, name, bare)])
    return template.render(problems=problems, preview=shelf.preview(table, name, bare))


def _summary(shelf: Shelf) -> Summary:
    merged = shelf.merged
    try:
        found = list(shelf.game.problems(build(merged, shelf.game.pack_type)))
        found += (Problem(path, UNREAD) for path in unread(merged, shelf.game.pack_type))
        problems = tuple(
            Lack(str(one), _record_of(merged, one.path) or _questions_of(shelf.game, one.path))
            for one in found
        )
    except PackError as error:
        wrong = (error, *error.rest)
        places = [one.record.partition(".")[2] for one in wrong]
        forms = [one if one.partition(".")[0] in shelf.tables() else "" for one in places]
        problems = tuple(
            Lack(str(one), _record_of(merged, place)) for one, place in zip(wrong, forms, strict=True)
        )
    except CompanionError as error:
        problems = (Lack(str(error)),)
    return Summary(shelf.game.name, shelf.game.title, *merged.counts(), problems)


def _record_of(merged: Merged, path: str) -> str:
    """The address of the record in which a TOML path lies; nothing where there is none."""
    table, _, inner = path.partition(".")
    known = [name for name in merged.tables.get(table, {}) if f"{inner}.".startswith(f"{name}.")]
    return f"/packs/{merged.game}/{table}/{quote(max(known, key=len))}" if known else ""


def _questions_of(game: Game, table: str) -> str:
    """The address of the questions about the one thing of a table; nothing where it has several."""
    return f"/packs/{game.name}/{table}/{table}/ask" if game.asks.get(table) == table else ""


def _overview(request: Request, name: str) -> Summary:
    """The summary of a game, also of one whose packs can't be read."""
    try:
        return _summary(_shelf(request, name))
    except PackError as error:
        return Summary(name, pages.house(request).game(name).title, 0, 0, (), str(error))


def _shelf(request: Request, name: str) -> Shelf:
    house = pages.house(request)
    return Shelf(house.game(name), house.owner_packs(name))


def _shelf_of(request: Request) -> Shelf:
    return _shelf(request, request.path_params["game"])


def place_of(request: Request) -> tuple[Shelf, str, str]:
    """The shelf, table and record that an address names."""
    shelf = _shelf_of(request)
    table, name = request.path_params["table"], request.path_params["name"]
    shelf.type_of(table)
    known = name in shelf.merged.tables.get(table, {})
    if not known and not _NAME.fullmatch(name):
        raise BadInput(f"{name[:60]!r} is no name for a record")
    return shelf, table, name


ROUTES = [
    Route("/packs", games),
    Route("/packs/{game}", game),
    Route("/packs/{game}/new", new, methods=["POST"]),
    Route("/packs/{game}/export", export),
    Route("/packs/{game}/import", take_in, methods=["POST"]),
    # A name from a file may have a slash in it, as tanks have ("75/76").
    Route("/packs/{game}/{table}/{name:path}/check", check, methods=["POST"]),
    Route("/packs/{game}/{table}/{name:path}", card),
    Route("/packs/{game}/{table}/{name:path}", save, methods=["POST"]),
]
