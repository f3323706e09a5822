"""Running the page: by itself, or in a thread beside a game."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from typing import TYPE_CHECKING, Final, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.engine.errors import BadInput
from companion.web.app import create_app
from companion.web.house import House

if TYPE_CHECKING:
    from types import FrameType

MOST_CONNECTIONS: Final = 256
"""Connections at once; each is an open file, of which a service has 1024, and the game beside needs some."""
REQUEST_WITHIN: Final = 30.0
"""Seconds in which a request has to be there whole, also the largest over a bad radio link."""


class PortTaken(BadInput):
    """The page's port can't be had; `why` without what to do about it, which is another thing for a box."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}; --port takes another")
        self.why = why


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; `PortTaken` if it can't be had."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen()  # a port that is only bound can be bound again
    except OSError as error:
        sock.close()
        raise PortTaken(f"port {port}: {error.strerror}") from error
    return sock


class Connection(H11Protocol):
    """A connection that is closed where it is one too many, or where no whole request comes over it."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has connected, who may be nobody that is paired."""
        super().connection_made(cast("asyncio.Transport", transport))
        if len(self.connections) > MOST_CONNECTIONS:
            self.transport.abort()
        else:
            self._give_time()

    def data_received(self, data: bytes) -> None:
        """A part of a request, or more."""
        super().data_received(data)
        self._give_time()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is closed, from here or from there."""
        super().connection_lost(exc)
        self._give_no_more_time()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request; where one had begun, what answers that has nobody to tell."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def _give_time(self) -> None:
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._give_no_more_time()
        elif self._late is None:
            self._late = self.loop.call_later(REQUEST_WITHIN, self.transport.close)

    def _give_no_more_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class Server(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, house: House) -> None:
        # Quiet, no proxies believed, streams cut when it stops.
        config = uvicorn.Config(
            create_app(house),
            http=Connection,
            backlog=MOST_CONNECTIONS // 4,  # as many are taken at a time, before the first is looked at
            log_config=None,
            log_level="error",  # what strangers send is no word on the screen of a game beside this
            access_log=False,
            proxy_headers=False,
            server_header=False,
            lifespan="on",
            timeout_graceful_shutdown=1,
        )
        # What reads forms warns of each that is none, on that screen too.
        logging.getLogger("python_multipart").setLevel(logging.ERROR)
        super().__init__(config)
        self._house = house
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        await super().startup(sockets)
        self.ready.set()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop in order; told so again, as by Ctrl-C twice, it goes on with that."""
        if not self.should_exit:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop, the streams first."""
        self._house.hush()
        await super().shutdown(sockets)


class Beside:
    """The page in a thread of its own, beside a game in this one."""

    def __init__(self, house: House, sock: socket.socket) -> None:
        self._server = Server(house)
        self._thread = threading.Thread(target=self._server.run, args=([sock],), name="page", daemon=True)

    def start(self) -> None:
        """Serve; returns when pages are answered. A server stopped before that would not clean up."""
        self._thread.start()
        while not self._server.ready.wait(0.1) and self._thread.is_alive():
            continue

    def stop(self) -> None:
        """Stop, and wait for it."""
        self._server.should_exit = True
        self._thread.join(timeout=5)
