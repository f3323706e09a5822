"""The first page: open tables, sessions to go on with, and games to begin; and the page of paired phones."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from http import HTTPStatus

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.engine.errors import BadInput, CompanionError
from companion.engine.game import Game, Setting
from companion.engine.packs import build
from companion.engine.records import MANUAL, SOFTWARE, Meta
from companion.engine.session import Wish
from companion.logbook import bgstats
from companion.logbook.report import day
from companion.table.dice import CAMERA, SERIAL
from companion.web import pages
from companion.web.access import Refused, Role
from companion.web.guard import COOKIE
from companion.web.house import House
from companion.web.network import pairing_address

YEAR = 365 * 24 * 3600
RECENT = 8
DICE = {
    CAMERA: "The camera reads mine",
    SERIAL: "The tower counts mine",
    SOFTWARE: "The companion rolls",
    MANUAL: "I roll and enter them",
}
"""Who sees to the dice, as a form says it."""


class Offer(msgspec.Struct, frozen=True):
    """A game that can be begun, with what it can be begun with; `trouble` if its packs are torn.

    Its form opens on what is `filled` in: what was sent, else what that game was begun with the last time.
    """

    name: str
    title: str
    settings: tuple[Setting, ...]
    filled: pages.Sent
    draws: bool
    scenarios: dict[str, str] = {}
    trouble: str = ""


def start(request: Request, error: str = "", sent: pages.Sent = pages.NOTHING) -> Response:
    """Open tables, unfinished sessions, games; with the `error` in a form that was `sent`."""
    house = pages.house(request)
    open_now = {live.table.session.meta.id for live in house.tables}
    played = reversed(house.journal.played())
    unfinished = [meta for meta in played if not meta.outcome and meta.id not in open_now]
    last = {meta.game: meta for meta in house.journal.sessions()}
    box_plays = house.box_plays
    readers = [] if box_plays else _readers(house)
    offers = [
        _offer(request, name, sent if sent.text("game") == name else _as_begun(last.get(name), readers))
        for name in house.library.names()
    ]
    return pages.page(
        request,
        "start.html",
        tables=house.tables,
        unfinished=[(meta, day(meta)) for meta in unfinished[:RECENT]],
        offers=offers,
        titles={offer.name: offer.title for offer in offers},
        damage=[*filter(None, (house.journal.salvaged, house.access.damage))],
        dice={one: DICE[one] for one in (*readers, SOFTWARE, MANUAL)},
        box=house.box,
        box_plays=box_plays,
        form=secrets.token_urlsafe(9),
        sent=sent,
        error=error,
    )


@pages.with_form
def begin(request: Request, fields: pages.Sent) -> Response:
    """A new session, as the form wishes."""
    house = pages.house(request)
    try:
        game = house.game(fields.text("game"))
        live = house.begin(game, _wish(game, fields, _readers(house)), fields.text("form"))
    except CompanionError as refused:
        return start(request, str(refused), fields)
    return pages.seen_other(live.path)


@pages.with_form
def resume(request: Request, fields: pages.Sent) -> Response:
    """A session that was left."""
    try:
        live = pages.house(request).resume(fields.text("session"))
    except CompanionError as refused:
        return start(request, str(refused))
    return pages.seen_other(live.path)


def _readers(house: House) -> Sequence[str]:
    """What reads dice at the box whose page this is."""
    return house.box.readers() if house.box is not None else ()


def _wish(game: Game, fields: pages.Sent, readers: Sequence[str]) -> Wish:
    dice, cards = fields.text("dice") or SOFTWARE, fields.text("cards") or SOFTWARE
    seed = fields.text("seed").strip()
    if seed and not (seed.isdecimal() and len(seed) <= 18):
        raise BadInput("the seed is a whole number, or left empty")
    for name, value, known in (("dice", dice, DICE), ("cards", cards, (SOFTWARE, MANUAL))):
        if value not in known:
            raise BadInput(f"{name}={value[:40]}: choose from {', '.join(known)}")
    return Wish(
        settings={one.name: value for one in game.settings if (value := fields.text(f"set.{one.name}"))},
        scenario=fields.text("scenario"),
        seed=int(seed) if seed else None,
        dice=MANUAL if dice in (CAMERA, SERIAL) and dice not in readers else dice,
        cards=cards,
    )


def _offer(request: Request, name: str, filled: pages.Sent) -> Offer:
    house = pages.house(request)
    game = house.game(name)
    offer = Offer(name, game.title, game.settings, filled, game.draws)
    try:
        pack = build(house.merged(game), game.pack_type)
    except CompanionError as error:
        return msgspec.structs.replace(offer, trouble=str(error))
    scenarios = {one: game.titled(pack, one) for one in game.scenarios(pack)}
    return msgspec.structs.replace(offer, scenarios=scenarios)


def _as_begun(meta: Meta | None, readers: Sequence[str]) -> pages.Sent:
    """The form as it was filled in for that session.

    Dice that were entered by hand then may have been for want of the reader that is there now.
    """
    if meta is None:
        return pages.Sent({"dice": [*readers[:1]]}, {})
    settings = {f"set.{name}": [value] for name, value in meta.settings.items()}
    dice = readers[0] if readers and meta.dice not in (*readers, SOFTWARE) else meta.dice
    return pages.Sent({"scenario": [meta.scenario], "dice": [dice], "cards": [meta.cards], **settings}, {})


# Phones


def pair_form(request: Request) -> Response:
    """Where a phone enters the code that the box shows; and where it lands `paired`, if it keeps cookies."""
    code, error = request.query_params.get("code", "")[:12], ""
    if "paired" in request.query_params:
        if pages.role(request) is Role.ACT:
            return pages.seen_other("/")
        error = "This browser did not keep the box's cookie. Allow cookies for this address, then pair again."
    return pages.page(request, "pair.html", HTTPStatus.OK, code=code, name="", error=error)


@pages.with_form
def pair(request: Request, fields: pages.Sent) -> Response:
    """Let a phone act that knows the code."""
    client = request.client.host if request.client else ""
    code, name = fields.text("code"), fields.text("name")
    before = request.cookies.get(COOKIE)
    try:
        token = pages.house(request).access.pair(client, code, name, before)
    except Refused as refused:
        return pages.page(request, "pair.html", code="", name=name, error=str(refused))
    answer = RedirectResponse("/pair?paired", HTTPStatus.SEE_OTHER)
    answer.set_cookie(COOKIE, token, max_age=YEAR, httponly=True, samesite="strict")
    return answer


def phones(request: Request) -> Response:
    """The paired phones, and how another is paired."""
    access = pages.house(request).access
    address = pairing_address(request.url.port or 80, access.code) if access.lan else None
    qr = qr_picture(address) if address else ""
    return pages.page(request, "phones.html", access=access, address=address, qr=qr)


@pages.with_form
def forget(request: Request, fields: pages.Sent) -> Response:
    """A phone may not act any more."""
    pages.house(request).access.forget(fields.text("key"))
    return pages.seen_other("/phones")


def qr_picture(text: str) -> str:
    """A QR code as a picture's address; `CompanionError` if the text is too long for one."""
    return bgstats.qr(text).svg_data_uri(scale=4, border=4, dark="#000", light="#fff")


ROUTES = [
    Route("/", start),
    Route("/begin", begin, methods=["POST"]),
    Route("/resume", resume, methods=["POST"]),
    Route("/pair", pair_form),
    Route("/pair", pair, methods=["POST"]),
    Route("/phones", phones),
    Route("/phones/forget", forget, methods=["POST"]),
]
