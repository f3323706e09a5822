"""The logbook: sessions, their logs and notes, reports and statistics, exports, the way to BG Stats."""

from __future__ import annotations

import asyncio
import sys
import time
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from http import HTTPStatus

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.engine.errors import BadInput, CompanionError, JournalError
from companion.engine.game import Game
from companion.engine.line import Act, Entry
from companion.engine.misfit import misfit
from companion.engine.records import Meta, Note, RolledDie, names_in, people_of
from companion.logbook import bgstats, exports, html, markdown
from companion.logbook.report import day, in_time, in_words, report
from companion.logbook.trace import retrace
from companion.web import pages
from companion.web.guard import int_or_zero
from companion.web.house import House
from companion.web.start_pages import qr_picture
from companion.wording import asking, on_a_line

PHOTOS = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}
PATIENCE = 120.0
"""Seconds that a report may take: on a small box, plots are slow."""
LOG_LINES = 1000
"""Entries of a log that stand on one page: a phone is slow with more of them."""
BROKE_OFF = "The report broke off, as where the machine is short of memory."

_one_at_a_time = asyncio.Lock()


class LogLine(msgspec.Struct, frozen=True):
    """One entry of the journal in words, its news, and photos of dice that were doubtful or put right."""

    seq: int
    words: str
    label: str
    by: str
    dice: Sequence[RolledDie] = ()
    news: Sequence[str] = ()


def sessions(request: Request) -> Response:
    """All sessions, the newest first."""
    house = pages.house(request)
    wanted = request.query_params.get("game", "")
    metas = house.journal.sessions()
    rows = [(meta, day(meta)) for meta in reversed(metas) if wanted in ("", meta.game)]
    titles = {name: _title(house, name) for name in sorted({meta.game for meta in metas})}
    return pages.page(request, "log.html", rows=rows, titles=titles, wanted=wanted)


def session(request: Request, error: str = "", sent: pages.Sent = pages.NOTHING) -> Response:
    """One session: what was played, every answer, notes, where to take it; why a note `sent` was not kept."""
    house, meta = pages.house(request), _meta(request)
    game = _game(house, meta.game)
    trace = retrace(house.journal, game, meta)
    news = {moment.seq: moment.beside for moment in trace.moments}
    link = bgstats.link(house.journal, game, trace)
    parts = [trace.entries[at : at + LOG_LINES] for at in range(0, len(trace.entries), LOG_LINES)]
    wanted = min(int_or_zero(request.query_params.get("part")) or len(parts), len(parts))
    shown = parts[wanted - 1] if parts else ()
    return pages.page(
        request,
        "log_session.html",
        meta=meta,
        live=house.live(meta.id),
        error=error,
        sent=sent,
        title=_title(house, meta.game),
        day=day(meta),
        length=f"{'What is left of it took ' if trace.is_cut else ''}{in_time(trace.seconds)}",
        parts=[(part[0].seq, part[-1].seq) for part in parts],
        wanted=wanted,
        lines=[_line(entry, trace.rolls.get(entry.seq, ()), news.get(entry.seq, ())) for entry in shown],
        notes=list(filter(None, map(in_words, trace.notes))),
        people=people_of(trace.notes),
        link=link,
        qr=_qr(link),
        unfinished=bgstats.UNFINISHED,
    )


def _qr(link: str) -> str:
    """The link as a picture; nothing where it is too long for one (many players, long notes)."""
    try:
        return qr_picture(link)
    except CompanionError:
        return ""


def _line(entry: Entry, dice: Sequence[RolledDie], news: Sequence[str]) -> LogLine:
    item = entry.item
    if item is None:
        return LogLine(entry.seq, str(entry.act), "", "")
    words = str(entry.act) if entry.act in (Act.UNDO, Act.REDO) else item.text
    if item.kind == "show":
        return LogLine(entry.seq, on_a_line(words).rstrip(":"), "", item.by, dice, news)
    return LogLine(entry.seq, asking(words), item.label, item.by, dice, news)


@pages.with_form
def note(request: Request, fields: pages.Sent) -> Response:
    """Add a note, a rating, who played, where."""
    meta, house = _meta(request), pages.house(request)
    written = {
        "at": round(time.time(), 3),
        "text": fields.text("text").strip(),
        "rating": fields.text("rating") or None,
        "people": names_in(fields.text("people")),
        "place": fields.text("place").strip(),
    }
    try:
        kept = msgspec.convert(written, Note, strict=False)
    except msgspec.ValidationError as error:
        message, path = misfit(error, Note)
        return session(request, f"{path.lstrip('.')}: {message}", fields)
    if kept == Note(kept.at):
        return session(request, "Nothing was written.")
    try:
        house.note(meta.id, kept)
    except JournalError as error:
        return session(request, str(error), fields)
    return pages.seen_other(f"/log/{meta.id}")


def photo(request: Request) -> Response:
    """A photo of a die in a session."""
    house, meta = pages.house(request), _meta(request)
    name = request.path_params["photo"]
    rolls = house.journal.rolls(meta.id)
    if not any(die.photo == name for dice in rolls.values() for die in dice):
        return Response(status_code=HTTPStatus.NOT_FOUND)
    data = house.journal.blob(name)
    kind = next((kind for start, kind in PHOTOS.items() if data.startswith(start)), None)
    if kind is None:
        return Response(status_code=HTTPStatus.NOT_FOUND)
    return Response(data, media_type=kind, headers={"Cache-Control": "private, max-age=31536000"})


def export(request: Request) -> Response:
    """A session as a file: everything, its rolls, or its report."""
    house, meta, form = pages.house(request), _meta(request), request.path_params["form"]
    headers = {"Content-Disposition": f'attachment; filename="{meta.id}.{form}"'}
    return Response(_exported(house, meta, form), media_type="application/octet-stream", headers=headers)


def _exported(house: House, meta: Meta, form: str) -> bytes:
    match form:
        case "jsonl":
            return b"".join(exports.lines(exports.whole(house.journal, meta)))
        case "csv":
            return exports.rolls_csv(house.journal, meta).encode()
        case "md":
            return markdown.of_report(report(house.journal, _game(house, meta.game), meta)).encode()
    raise BadInput(f"a session can be taken as jsonl, csv or md, not as {form[:20]}")


# Reports and statistics: drawn by a process of their own, so that matplotlib never stays in this one


async def report_page(request: Request) -> Response:
    """The after-action report."""
    name = (await run_in_threadpool(_meta, request)).id
    return await _drawn(request, "report", name, f"/log/{name}")


async def stats_page(request: Request) -> Response:
    """The statistics of a game."""
    game = await run_in_threadpool(pages.house(request).game, request.path_params["game"])
    return await _drawn(request, "stats", game.name, f"/log?game={game.name}")


async def _drawn(request: Request, what: str, which: str, back: str) -> Response:
    """What the same command writes into a file, with the way `back` above it."""
    data = str(pages.house(request).data)
    command = (sys.executable, "-m", "companion", "log", what, which, "--html", "-", "--data", data)
    async with _one_at_a_time:
        if await request.is_disconnected():  # reloaded meanwhile, or gone: nobody would see it
            return Response(status_code=HTTPStatus.BAD_REQUEST)
        try:
            worker = await asyncio.create_subprocess_exec(
                *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
            )
        except (OSError, MemoryError) as error:
            raise BadInput(BROKE_OFF) from error
        try:
            out, err = await asyncio.wait_for(worker.communicate(), PATIENCE)
        except TimeoutError:
            words = "The report took too long."
            return pages.page(request, "error.html", HTTPStatus.GATEWAY_TIMEOUT, error=words)
        finally:
            if worker.returncode is None:  # it took too long, or the page stops
                worker.kill()
                await worker.wait()
    if worker.returncode:
        said = err.decode(errors="replace").strip().removeprefix("companion: ")
        raise BadInput(said or BROKE_OFF)
    ways = f'<nav><a href="{escape(back)}">Back</a> <a href="/log">Logbook</a> <a href="/">Play</a></nav>'
    out = out.replace(b"<main>", ways.encode() + b"<main>", 1)
    return HTMLResponse(out, headers={"Content-Security-Policy": _policy()})


def _policy() -> str:
    """A report may show its own one style sheet and the pictures in it, nothing else."""
    digest = b64encode(sha256(html.style().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )


def _meta(request: Request) -> Meta:
    return pages.house(request).meta(request.path_params["session"])


def _title(house: House, name: str) -> str:
    game = _game(house, name)
    return game.title if game else name


def _game(house: House, name: str) -> Game | None:
    try:
        return house.game(name)
    except CompanionError:
        return None


ROUTES = [
    Route("/log", sessions),
    Route("/log/{session}", session),
    Route("/log/{session}/note", note, methods=["POST"]),
    Route("/log/{session}/report", report_page),
    Route("/log/{session}/photo/{photo}", photo),
    Route("/log/{session}/as/{form}", export),
    Route("/stats/{game}", stats_page),
]
