"""What a game asks about a printed thing, question by question: the same as `companion pack new` asks.

Each answer is kept as it is given, in the file from which a terminal offers it too. An address says how many
answers of it have been taken: going back is to take fewer.
"""

from __future__ import annotations

from functools import partial
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.engine import ledger
from companion.engine.asks import AnyAsk, Choose, Number, Pick, Script, Text
from companion.engine.errors import BadAnswer, BadInput
from companion.engine.packs import Tables
from companion.engine.records import blob_name
from companion.table.entering import RESULT, Draft, draft_file, looked_over
from companion.table.typed import whole_number
from companion.web import pages
from companion.web.answers import raw_answer
from companion.web.pack_pages import place_of

READS_SO = "It reads so. OK saves it, Back goes back."


class Entry:
    """One thing that is being entered, and where: what was answered so far, and what is asked now."""

    def __init__(self, request: Request) -> None:
        self.shelf, self.table, self.name = place_of(request)
        game = self.shelf.game
        if self.table not in game.asks or game.entry is None:
            raise BadInput(f"{game.title} has no questions about {self.table}; fill in the form")
        self.place = f"/packs/{game.name}/{self.table}/{quote(self.name)}"
        thing = game.asks[self.table].format(self.name)
        pack, mine = self.shelf.known()
        script = partial(game.entry, pack, thing, mine)
        self._script = partial(looked_over, script)
        self.draft = Draft(draft_file(pages.house(request).owner_packs(game.name), thing))
        self.is_outdated = self.draft.forget_outdated(script, mine)

    def at(self, taken: int | None) -> tuple[Script[Tables], AnyAsk]:
        """The script after so many answers of before, or where it was left; as many as still fit."""
        running = self._script()
        question = next(running)
        return running, self.draft.go_on(running, question, taken)

    def save(self, tables: Tables) -> str:
        """Put what was entered into the owner's pack; returns the address of its record."""
        self.shelf.add(tables)
        self.draft.save()
        table, records = next(iter(tables.items()))
        return f"/packs/{self.shelf.game.name}/{table}/{quote(next(iter(records)))}"


def show(request: Request) -> Response:
    """The question after as many answers as the address says, else where the entry was left."""
    entry, at = Entry(request), request.query_params.get("at", "")
    taken = int(at) if at.isdecimal() and len(at) < 5 else None
    if taken is None and entry.draft.is_saved:
        taken = 0
    try:
        _, question = entry.at(taken)
    except StopIteration:  # an address from before what was entered last
        return pages.seen_other(f"{entry.place}/ask?at=0")
    return _page(request, entry, question)


@pages.with_form
def answer(request: Request, fields: pages.Sent) -> Response:
    """Take an answer and ask on, or save what has been entered."""
    entry, n = Entry(request), whole_number(fields.text("n"))
    try:
        running, question = entry.at(n)
    except StopIteration:
        return pages.seen_other(f"{entry.place}/ask?at=0")
    if (len(entry.draft.answers), _mark(question)) != (n, fields.text("asked")):
        return _page(request, entry, question, "Something else is asked here by now; answer that.")
    try:
        accepted = question.accept(raw_answer(question, fields.texts))
    except BadAnswer as error:
        return _page(request, entry, question, str(error))
    entry.draft.add(question, accepted)
    try:
        running.send(accepted)
    except StopIteration as end:
        return pages.seen_other(entry.save(end.value))
    return pages.seen_other(f"{entry.place}/ask?at={n + 1}")


def _mark(question: AnyAsk) -> str:
    """What tells a question from others; one node's is asked like another's but for its words."""
    return blob_name(f"{question.fingerprint()} {question.text}".encode())


def _page(request: Request, entry: Entry, question: AnyAsk, error: str = "") -> Response:
    before = entry.draft.offered(question)
    if isinstance(question, Number | Text) and before is not None:
        question = msgspec.structs.replace(question, start=before)
    return pages.page(
        request,
        "entry.html",
        entry=entry,
        game=entry.shelf.game,
        ask=msgspec.structs.replace(question, text=READS_SO) if question.key == RESULT else question,
        kind=question.kind,
        asked=_mark(question),
        sight="",
        n=len(entry.draft.answers),
        action=f"{entry.place}/ask",
        given=before if isinstance(question, Pick) and before is not None else (),
        kept=[before] if isinstance(question, Choose) and before is not None else [],
        reasons=ledger.load(entry.shelf.game.folder / "ledger.toml").why(question.rule),
        unread=(),
        error=error,
    )


ROUTES = [
    Route("/packs/{game}/{table}/{name:path}/ask", show),
    Route("/packs/{game}/{table}/{name:path}/ask", answer, methods=["POST"]),
]
