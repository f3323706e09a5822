"""What all pages share: templates, who is asking, forms, and errors told where they belong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache, wraps
from hashlib import blake2b
from http import HTTPStatus
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from companion.engine.errors import BadInput
from companion.logbook import html
from companion.web.access import Role
from companion.wording import asking, on_a_line

if TYPE_CHECKING:
    from jinja2 import Environment

    from companion.web.house import House

MOST_FIELDS = 2000
LARGEST_FIELD = 1 << 20


@cache
def templates() -> Environment:
    """The page's templates."""
    env = html.environment("companion.web")
    env.globals["asset"] = asset
    env.filters |= {"asking": asking, "on_a_line": on_a_line}
    return env


@cache
def asset(name: str) -> str:
    """The address of a file that never changes under that address."""
    data = (files("companion.web") / "static" / name).read_bytes()
    return f"/static/{name}?v={blake2b(data, digest_size=6).hexdigest()}"


def house(request: Request) -> House:
    """What is served."""
    served: House = request.app.state.house
    return served


def role(request: Request) -> Role:
    """What the one who asks may do."""
    found: Role = request.state.role
    return found


def page(request: Request, template: str, status: int = 0, /, **context: object) -> Response:
    """A whole page; without a `status`, one with an `error` says that what was sent was not taken."""
    shown = {"path": request.url.path, "may_act": role(request) >= Role.ACT, "error": ""} | context
    usual = HTTPStatus.UNPROCESSABLE_ENTITY if shown["error"] else HTTPStatus.OK
    return HTMLResponse(templates().get_template(template).render(shown), status or usual)


def seen_other(path: str) -> Response:
    """Go and look there: the end of every form that was taken."""
    return RedirectResponse(path, HTTPStatus.SEE_OTHER)


def wants_json(request: Request) -> bool:
    """Whether a script of ours asks, which wants no whole page."""
    return "application/json" in request.headers.get("accept", "")


class Sent(msgspec.Struct, frozen=True):
    """A form that was sent: all values of each field, and the files by field as name and content."""

    values: dict[str, list[str]]
    files: dict[str, tuple[str, bytes]]

    def __contains__(self, name: str) -> bool:
        """Whether the field was sent at all."""
        return name in self.values

    def texts(self, name: str) -> list[str]:
        """All values of a field."""
        return self.values.get(name, [])

    def text(self, name: str, default: str = "") -> str:
        """The last value of a field."""
        return next(reversed(self.texts(name)), default)


NOTHING = Sent({}, {})


def with_form(handler: Callable[[Request, Sent], Response]) -> Callable[[Request], Awaitable[Response]]:
    """What answers a request, given its form too, in a thread, as Starlette calls handlers without one."""

    @wraps(handler)
    async def handle(request: Request) -> Response:
        return await run_in_threadpool(handler, request, await form(request))

    return handle


async def form(request: Request) -> Sent:
    """The form that was sent; `BadInput` if it is none, or too much of one."""
    values: dict[str, list[str]] = {}
    files: dict[str, tuple[str, bytes]] = {}
    try:
        async with request.form(max_files=1, max_fields=MOST_FIELDS, max_part_size=LARGEST_FIELD) as fields:
            for name, value in fields.multi_items():
                shown = value if isinstance(value, str) else value.filename or ""
                f"{name}{shown}".encode()  # its own charset may have halves of letters
                if isinstance(value, str):
                    values.setdefault(name, []).append(value)
                else:
                    files[name] = (shown, await value.read())
    except (HTTPException, ValueError) as error:
        raise BadInput(f"the form could not be read: {getattr(error, 'detail', error)}") from error
    return Sent(values, files)
