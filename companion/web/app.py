"""The page as an ASGI application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from companion.engine.errors import BadInput, CompanionError
from companion.web import book_pages, entry_pages, pack_pages, pages, start_pages, table_pages
from companion.web.guard import Guard
from companion.web.house import House


class Assets(StaticFiles):
    """Files whose address changes with their content, so that a phone asks for them once."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def create_app(house: House) -> Starlette:
    """The page over a house; closing the application closes the house."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        house.close()

    app = Starlette(
        routes=[
            *start_pages.ROUTES,
            *table_pages.ROUTES,
            *book_pages.ROUTES,
            *entry_pages.ROUTES,
            *pack_pages.ROUTES,
            Mount("/static", GZipMiddleware(Assets(packages=[("companion.web", "static")]))),
        ],
        middleware=[Middleware(Guard, access=house.access)],
        exception_handlers={
            CompanionError: _refused,
            HTTPException: _not_found,
            ClientDisconnect: _hung_up,
            RuntimeError: _no_thread,
        },
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    app.state.house = house
    return app


async def _refused(request: Request, error: Exception) -> Response:
    """What could not be done, in a line."""
    status = (
        HTTPStatus.UNPROCESSABLE_ENTITY if isinstance(error, BadInput) else HTTPStatus.SERVICE_UNAVAILABLE
    )
    if pages.wants_json(request):
        return JSONResponse({"error": str(error)}, status)
    return pages.page(request, "error.html", status, error=str(error))


async def _no_thread(request: Request, error: Exception) -> Response:
    """Python's word for a machine that has no thread left; any other of that kind is a fault of ours."""
    if "thread" not in str(error):
        raise error
    return await _refused(request, RuntimeError("The box is too busy for that just now. Try it again soon."))


async def _not_found(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED and request.method == "GET":
        # A form's end, opened again as where a phone took up its pages: what it was on is above it.
        return pages.seen_other(request.url.path.rpartition("/")[0] or "/")
    words = "There is no such page." if error.status_code == HTTPStatus.NOT_FOUND else str(error.detail)
    return pages.page(request, "error.html", error.status_code, error=words)


async def _hung_up(_request: Request, _error: Exception) -> Response:
    """A phone that was gone before its form was here whole: nobody hears this."""
    return Response(status_code=HTTPStatus.BAD_REQUEST)
