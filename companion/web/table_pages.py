"""The live session: the ask, the board, the log, undo and redo, why, override; and its stream of events."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from http import HTTPStatus
from itertools import islice

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from companion.engine.asks import Roll
from companion.engine.errors import CompanionError, StaleAnswer
from companion.engine.line import Item, stops
from companion.engine.records import PHONE, blob_name
from companion.table.events import Seen
from companion.table.table import Table
from companion.table.typed import assignment, whole_number
from companion.web import pages
from companion.web.access import Role
from companion.web.answers import raw_answer
from companion.web.guard import COOKIE
from companion.web.live import MOST_WATCHERS, Frame, Live
from companion.wording import asking

LOG_LINES, JUMPS = 12, 40
BOX = re.compile(r'viewBox="\S+ \S+ (\S+) (\S+)"')


class DieField(msgspec.Struct, frozen=True):
    """One die of a roll as the form shows it: its faces, which is chosen, and whether to look at it.

    `others` are faces of dice that may be meant instead; the photo is then the first such die's, of the tray.
    """

    at: int
    name: str
    faces: tuple[str, ...]
    chosen: str | None
    doubtful: bool
    photo: str
    others: str


class Jump(msgspec.Struct, frozen=True):
    """A decision that can be gone back to before: how many undos that is."""

    steps: int
    title: str


# What is shown


def draw(table: Table, role: Role) -> tuple[str, str, str]:
    """The ask, what is beside it, and the ask in a line."""
    session, question = table.session, table.ask
    beside = {
        "table": table,
        "meta": session.meta,
        "n": table.n,
        "may_act": role >= Role.ACT,
        "log": list(islice(reversed(session.history), LOG_LINES)),
        "answered": len(session.history),
        "jumps": list(islice(jumps(session.history), JUMPS)),
        "board": table.board().fitted(),
        "changed": table.changed and table.changed.fitted(),
    }
    side = pages.templates().get_template("_side.html").render(beside)
    said = question.text if question else f"The game is over: {session.meta.reason}"
    return draw_ask(table, role), side, said


def draw_ask(table: Table, role: Role, sent: pages.Sent = pages.NOTHING) -> str:
    """The ask, filled in with what was `sent`, or with what is known before anybody answers."""
    question = table.ask
    kept = list(table.kept or ()) if table.in_view is None else []
    shown = {
        "meta": table.session.meta,
        "ask": question,
        "kind": question.kind if question else "over",
        "n": table.n,
        "action": f"/s/{table.session.meta.id}/answer",
        "asked": "",
        "sight": sight(table),
        "may_act": role >= Role.ACT,
        "dice": list(die_fields(table, sent)),
        "kept": kept,
        "given": sent.texts("answer") or kept,
        "reasons": table.reasons(),
        "unread": table.unread(),
    }
    return pages.templates().get_template("_ask.html").render(shown)


def die_fields(table: Table, sent: pages.Sent) -> Iterator[DieField]:
    """The dice of an open roll, as `sent`, with what a reader saw or what lies there from before an undo."""
    question = table.ask
    if not isinstance(question, Roll):
        return
    seen = table.in_view
    given = seen.faces if seen else table.kept or ()
    shown: set[bytes | None] = set()
    for at, dice in enumerate(question.each):
        face = sent.text(f"die{at}") or (given[at] if at < len(given) else None)
        doubtful = seen is not None and at in seen.doubtful
        data = _photo(seen, at) if seen else None
        path = f"/s/{table.session.meta.id}/die{at}.png"
        # The query tells a browser when the photo is another.
        photo = f"{path}?{blob_name(data)}" if data and data not in shown else ""
        shown.add(data)
        others = ", ".join(one or "?" for one in seen.others[at]) if seen and seen.others else ""
        name = f"{dice.name} {at + 1}" if len(question.each) > 1 else dice.name
        yield DieField(at, name, tuple(dict.fromkeys(dice.faces)), face, doubtful, photo, others)


def sight(table: Table) -> str:
    """What tells the dice that a reader sees of the open roll from those it saw before; empty for none."""
    seen = table.in_view
    if seen is None:
        return ""
    dice = seen.evidence and seen.evidence.dice
    return blob_name(msgspec.json.encode((seen.faces, seen.doubtful, seen.others, dice)))


def jumps(history: Sequence[Item]) -> Iterator[Jump]:
    """What undo goes back to, the last first."""
    back = (history[at] for at in stops(history))
    said = (f"{asking(item.text)} {item.label}" for item in back)
    return (Jump(steps, text) for steps, text in enumerate(said, start=1))


# Pages


def show(request: Request) -> Response:
    """The page of a session; one that is not open is offered to be resumed."""
    live = _live(request)
    if live is None:
        return _not_open(request)
    return _page(request, live)


def _page(request: Request, live: Live, error: str = "", sent: pages.Sent = pages.NOTHING) -> Response:
    frame = _filled_in(live, pages.role(request), sent)
    title = live.table.session.game.title
    house = pages.house(request)
    own = house.box is not None or house.owns(live)
    return pages.page(request, "session.html", frame=frame, title=title, live=live, own=own, error=error)


def _filled_in(live: Live, role: Role, sent: pages.Sent) -> Frame:
    """The table as it is now, its ask with what was `sent` if that is still the ask it was for."""
    with live.table.lock:
        frame = live.frame(role)
        if sent.text("n") != str(frame.n):
            return frame
        return msgspec.structs.replace(frame, ask=draw_ask(live.table, role, sent))


def state(request: Request) -> Response:
    """The whole state, by the first names of its paths; values are set by hand while the game goes on."""
    live = _live(request)
    if live is None:
        return _not_open(request)
    session = live.table.session
    with live.table.lock:
        values, n, over = session.state, live.table.n, session.ask is None
    groups: dict[str, list[tuple[str, str]]] = {}
    for path, value in leaves(values):
        groups.setdefault(path.partition(".")[0], []).append((path, value))
    name, title = session.meta.id, session.game.title
    return pages.page(request, "state.html", groups=groups, n=n, over=over, name=name, title=title)


async def events(request: Request) -> Response:
    """The stream of a table's changes."""
    live = _live(request)
    if live is None:
        # 204 tells an EventSource to stop asking.
        return Response(status_code=HTTPStatus.NO_CONTENT)
    if request.method == "HEAD":  # a stream would be held open for who reads nothing of it
        return Response(media_type="text/event-stream")
    if live.watchers >= MOST_WATCHERS:
        return Response("Too many watch already.", HTTPStatus.SERVICE_UNAVAILABLE, {"Retry-After": "10"})
    house, client = pages.house(request), request.client.host if request.client else ""
    token = request.cookies.get(COOKIE)
    stream = live.stream(lambda: house.access.role(client, token))
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


def board(request: Request) -> Response:
    """The table as a picture: of its own size for the page, and to be opened large as large as it may be."""
    live = _live(request)
    if live is None:
        return Response(status_code=HTTPStatus.NOT_FOUND)
    with live.table.lock:
        svg = live.table.session.play.svg()
    if "v" in request.query_params:
        svg = BOX.sub(r'\g<0> width="\1" height="\2"', svg, count=1)
    # A picture may style itself; it may not run or fetch anything.
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return Response(svg, media_type="image/svg+xml", headers={"Content-Security-Policy": policy})


def die(request: Request) -> Response:
    """The photo of one die of the open roll."""
    live, at = _live(request), request.path_params["at"]
    seen = live and live.table.in_view
    photo = _photo(seen, int(at)) if seen and at.isdecimal() and len(at) < 5 else None
    if photo is None:
        return Response(status_code=HTTPStatus.NOT_FOUND)
    return Response(photo, media_type="image/png")


# What moves the table


@pages.with_form
def answer(request: Request, fields: pages.Sent) -> Response:
    """Answer the ask of number `n`; for dice that a reader sees no more it is too late."""

    def deed(table: Table) -> None:
        question = table.ask
        if question is None:
            raise StaleAnswer("the game is over")
        if fields.text("sight") not in ("", sight(table)):
            raise StaleAnswer("other dice lie there by now")
        table.answer(table.n, raw_answer(question, fields.texts), PHONE)

    return _moved(request, fields, deed)


@pages.with_form
def undo(request: Request, fields: pages.Sent) -> Response:
    """Go back before the last decision, or `steps` of them."""
    steps = whole_number(fields.text("steps", "1"))
    return _moved(request, fields, lambda table: table.undo(steps, PHONE))


@pages.with_form
def redo(request: Request, fields: pages.Sent) -> Response:
    """Take up again what was undone last."""
    return _moved(request, fields, lambda table: table.redo(by=PHONE))


@pages.with_form
def override(request: Request, fields: pages.Sent) -> Response:
    """Set a value of the state by hand."""
    path, value = fields.text("path"), fields.text("value")

    def deed(table: Table) -> None:
        table.override(*assignment(f"{path} = {value}"), PHONE)

    gone = f"The table has moved on since this was asked for. Look at {path[:60]} before you set it again."
    return _moved(request, fields, deed, gone)


def leave(request: Request) -> Response:
    """Put the session away, so that it can be resumed elsewhere."""
    pages.house(request).leave(request.path_params["session"])
    return pages.seen_other("/")


def _moved(request: Request, sent: pages.Sent, deed: Callable[[Table], None], gone: str = "") -> Response:
    """Do it if the ask it was `sent` at, `n`, is still open, and show what is open then.

    An ask that is gone (a second tap, another phone was faster) is no error, as the page shows what is now;
    `gone` is said where that does not show it.
    """
    live = _live(request)
    if live is None:
        return _not_open(request)
    error = ""
    try:
        with live.table.still_at(whole_number(sent.text("n"))):
            if live.is_over:
                return _not_open(request)
            deed(live.table)
    except StaleAnswer:
        error = gone
    except CompanionError as refused:
        error = str(refused)
    if pages.wants_json(request):
        frame = live.frame(pages.role(request))
        return JSONResponse({"error": error, "frame": msgspec.to_builtins(frame)})
    if error:
        return _page(request, live, error, sent)
    return pages.seen_other(live.path)


def _not_open(request: Request) -> Response:
    """The session is not on the page, or not any more: nothing was changed."""
    if pages.wants_json(request):
        return JSONResponse({"error": "This session is not open on the box now. Nothing was changed."})
    return pages.seen_other(f"/log/{request.path_params['session']}")


def _live(request: Request) -> Live | None:
    return pages.house(request).live(request.path_params["session"])


def leaves(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Path and JSON of every value in a state; a list of plain values is one."""
    dot = f"{path}." if path else ""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from leaves(inner, f"{dot}{name}")
    elif isinstance(value, list) and value and not all(isinstance(one, str | int | bool) for one in value):
        for at, inner in enumerate(value):
            yield from leaves(inner, f"{dot}{at}")
    else:
        yield path, msgspec.json.encode(value).decode()


def _photo(seen: Seen, at: int) -> bytes | None:
    if seen.evidence is None or at >= len(seen.evidence.dice):
        return None
    wanted = seen.evidence.dice[at].photo
    return next((photo for photo in seen.evidence.photos if blob_name(photo) == wanted), None)


ROUTES = [
    Route("/s/{session}", show),
    Route("/s/{session}/state", state),
    Route("/s/{session}/events", events),
    Route("/s/{session}/board.svg", board),
    Route("/s/{session}/die{at}.png", die),
    Route("/s/{session}/answer", answer, methods=["POST"]),
    Route("/s/{session}/undo", undo, methods=["POST"]),
    Route("/s/{session}/redo", redo, methods=["POST"]),
    Route("/s/{session}/override", override, methods=["POST"]),
    Route("/s/{session}/leave", leave, methods=["POST"]),
]
