"""One table and everyone who watches it on a page."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Sequence

import msgspec
from starlette.concurrency import run_in_threadpool

from companion.engine.records import blob_name
from companion.engine.session import Said
from companion.table.table import Table
from companion.web.access import Role

HEARTBEAT = 20.0
"""Seconds of silence after which a stream says that it is still there."""
BEAT = b"event: beat\ndata: still here\n\n"
"""An event, which a page hears; of a comment only its browser would know."""
MOST_WATCHERS = 64


class Frame(msgspec.Struct, frozen=True):
    """What a page shows of a table at one version of it, as HTML in parts.

    `boot` tells apart the servers that counted the versions, `n` is the ask's number. A page that shows the
    ask of the same `mark` keeps what its player has begun to enter, also while the server starts again.
    """

    boot: str
    version: int
    n: int
    mark: str
    ask: str
    side: str
    said: str
    board: str


Draw = Callable[[Table, Role], tuple[str, str, str]]
"""Renders the ask, what is beside it, and the line for screen readers; called under the table's lock."""


class Live:
    """Tells streams when the table changes, and renders it once for all of them.

    `sent` is the form that began it here.
    """

    def __init__(self, table: Table, draw: Draw) -> None:
        self.table = table
        self.boot = secrets.token_hex(4)
        self.version = 1
        self._draw = draw
        self.sent: object = None
        self._over = threading.Event()
        self._frames: dict[Role, Frame] = {}
        self._streams: set[asyncio.Event] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = table.observe(self._changed)

    @property
    def path(self) -> str:
        """Where the page of this table is."""
        return f"/s/{self.table.session.meta.id}"

    @property
    def is_over(self) -> bool:
        """Whether the table is on no page any more; it does not become so while somebody has its lock."""
        return self._over.is_set()

    def close(self) -> None:
        """Stop listening to the table; the streams end. Closing again does nothing."""
        with self.table.lock:  # a phone may put it away just as the page stops
            if self.is_over:
                return
            self._stop()
            self._over.set()
        self._tell_streams()

    def wait_over(self, seconds: float) -> None:
        """Until the table is on no page any more, but no longer than that."""
        self._over.wait(seconds)

    def frame(self, role: Role) -> Frame:
        """The table as it is now, for somebody who may do that much; rendered once a version."""
        with self.table.lock:
            found = self._frames.get(role)
            if found is None or found.version != self.version:
                found = self._rendered(role)
                self._frames[role] = found
            return found

    async def stream(self, role: Callable[[], Role]) -> AsyncIterator[bytes]:
        """Server-sent events: the table now, and again whenever it has changed; ends with the permission."""
        self._loop = asyncio.get_running_loop()
        changed = asyncio.Event()
        self._streams.add(changed)
        sent = 0
        try:
            yield b"retry: 1000\n\n"
            while not self.is_over and (now := role()) >= Role.WATCH:
                changed.clear()
                if self.version != sent:
                    frame = await run_in_threadpool(self.frame, now)
                    sent = frame.version
                    yield b"data: " + msgspec.json.encode(frame) + b"\n\n"
                    continue
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        await changed.wait()
                except TimeoutError:
                    yield BEAT
        finally:
            self._streams.discard(changed)

    @property
    def watchers(self) -> int:
        """How many streams are open."""
        return len(self._streams)

    def _rendered(self, role: Role) -> Frame:
        ask, side, said = self._draw(self.table, role)
        return Frame(
            boot=self.boot,
            version=self.version,
            n=self.table.n,
            mark=blob_name(ask.encode()),
            ask=ask,
            side=side,
            said=said,
            board=f"{self.path}/board.svg?v={self.boot}-{self.version}",
        )

    def _changed(self, _news: Sequence[Said]) -> None:
        """In the thread that moved the table, under its lock."""
        self.version += 1
        self._tell_streams()

    def _tell_streams(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for changed in self._streams:
            changed.set()
