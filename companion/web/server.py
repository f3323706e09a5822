"""Running the page: by itself, or in a thread beside a game."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

import uvicorn

from companion.engine.errors import BadInput
from companion.web.app import create_app
from companion.web.house import House

PORT = 8080
LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104 - only with --lan, behind pairing


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


def server(house: House) -> uvicorn.Server:
    """A server for a house: quiet, no proxies believed, streams cut when it stops."""
    config = uvicorn.Config(
        create_app(house),
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=1,
    )
    return uvicorn.Server(config)


class Beside:
    """The page in a thread of its own, beside a game in this one."""

    def __init__(self, house: House, sock: socket.socket) -> None:
        self._server = server(house)
        self._thread = threading.Thread(target=self._server.run, args=([sock],), name="page", daemon=True)

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, and wait for it."""
        self._server.should_exit = True
        with suppress(RuntimeError):
            self._thread.join(timeout=5)
