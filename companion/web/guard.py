"""What every request passes first: host, rate, size, where it comes from, who sends it; and the headers out.

Changing something takes a request that a page of ours sent: `Origin` must be our own host (a form of
another site can't forge it), besides a cookie that other sites' requests don't carry (SameSite=Strict).
The host must be an address or a name of this machine, so that a foreign name can't be pointed here.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Awaitable, Callable
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request, cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.web import pages
from companion.web.access import Access, Bucket, Role

COOKIE = "companion"
LARGEST_BODY = 2 << 20
"""Bytes of the largest request: a pack of one game is a few hundred kB."""
LARGEST_OF_STRANGERS = 4 << 10
"""Bytes of the largest request of who may not act: the code and a name. What comes is held in memory until it
is there whole, of all connections together half a gigabyte with the larger one."""
BURST, A_SECOND = 120, 20
"""Requests of one client: a page and its pictures at once, then more than any thumb taps."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
OPEN = ("/pair", "/static/")
"""What a phone that is not paired may see."""

_SAFE = {"GET", "HEAD"}


class TooLarge(Exception):
    """A request's body went on and on."""


class Guard:
    """ASGI middleware around the page."""

    def __init__(self, app: ASGIApp, access: Access, *, rate: Bucket | None = None) -> None:
        self._app = app
        self._access = access
        self._rate = rate or Bucket(BURST, A_SECOND)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def send_guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send_guarded)
            return
        largest = _largest(scope["state"]["role"])
        try:
            await self._app(scope, _measured(receive, largest), send_guarded)
        except TooLarge:
            if not started:
                await _too_large(scope, largest)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> Response | None:
        """Why a request is not let in, if it is not; sets its role."""
        headers = Headers(scope=scope)
        client = scope["client"][0] if scope.get("client") else ""
        if not is_ours(headers.get("host", "")):
            return PlainTextResponse(
                "This is not the name of this machine. Open it by its address, as the box shows it.",
                HTTPStatus.MISDIRECTED_REQUEST,
            )
        if not self._rate.take(client):
            return PlainTextResponse(
                "Too many requests.", HTTPStatus.TOO_MANY_REQUESTS, headers={"Retry-After": "1"}
            )
        role = self._access.role(client, cookie_parser(headers.get("cookie", "")).get(COOKIE))
        scope.setdefault("state", {})["role"] = role
        origin = headers.get("origin", "").partition("://")[2]
        if scope["method"] not in _SAFE and origin != headers["host"]:
            return _refused(scope, "This did not come from a page of this box.", HTTPStatus.FORBIDDEN)
        largest = _largest(role)
        is_too_large = int_or_zero(headers.get("content-length")) > largest
        return _not_allowed(scope, role) or (_too_large(scope, largest) if is_too_large else None)


def _not_allowed(scope: Scope, role: Role) -> Response | None:
    if scope["path"].startswith(OPEN):
        return None
    if role is Role.NOBODY:
        if scope["method"] == "GET":
            return RedirectResponse("/pair", HTTPStatus.SEE_OTHER)
        return _refused(scope, "Pair this phone first.", HTTPStatus.UNAUTHORIZED)
    if role is Role.WATCH and scope["method"] not in _SAFE:
        return _refused(scope, "Pair this phone to play; it may only watch.", HTTPStatus.FORBIDDEN)
    return None


def is_ours(host: str) -> bool:
    """Whether a Host header can be meant for this machine: an address, localhost, or its own name.

    A name with a domain is answered to without it too, which is how it stands in mDNS.
    """
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    name = name.strip("[]").lower().rstrip(".")
    try:
        ipaddress.ip_address(name)
    except ValueError:
        own = socket.gethostname().lower()
        first = own.partition(".")[0]
        return name in ("localhost", own, first, f"{first}.local")
    return True


def int_or_zero(text: str | None) -> int:
    """The number that a header or an address has; 0 for none or nonsense."""
    return int(text) if text and text.isdecimal() and len(text) < 19 else 0


def _largest(role: Role) -> int:
    return LARGEST_BODY if role is Role.ACT else LARGEST_OF_STRANGERS


def _measured(receive: Receive, largest: int) -> Callable[[], Awaitable[Message]]:
    """A `receive` that stops a body which is larger than it said."""
    length = 0

    async def measured() -> Message:
        nonlocal length
        message = await receive()
        length += len(message.get("body", b""))
        if length > largest:
            raise TooLarge
        return message

    return measured


def _too_large(scope: Scope, largest: int) -> Response:
    words = f"More than {largest >> 10} kB are not taken."
    return _refused(scope, words, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


def _refused(scope: Scope, words: str, status: HTTPStatus) -> Response:
    """Why not: as a page with the ways to others for who sees one come, else in a line."""
    if "text/html" in Headers(scope=scope).get("accept", ""):
        return pages.page(Request(scope), "error.html", status, error=words)
    return PlainTextResponse(words, status)
