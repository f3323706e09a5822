"""Running the page: by itself, or in a thread beside a game."""

from __future__ import annotations

import socket
import threading

import uvicorn

from companion.engine.errors import BadInput
from companion.web.app import create_app
from companion.web.house import House


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; `BadInput` if the port is taken."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise BadInput(f"port {port}: {error.strerror}; --port takes another") from error
    return sock


class Server(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, house: House) -> None:
        # Quiet, no proxies believed, streams cut when it stops.
        config = uvicorn.Config(
            create_app(house),
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            lifespan="on",
            timeout_graceful_shutdown=1,
        )
        super().__init__(config)
        self._house = house
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        await super().startup(sockets)
        self.ready.set()

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
