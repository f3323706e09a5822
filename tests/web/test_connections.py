"""Connections over which nothing comes, or nothing whole: anybody in the network can make them."""

import contextlib
import socket
import time
from urllib.request import urlopen

import pytest

from companion.web import server

HEAD = "POST /pair HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
FORM = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\ncode=1"


def connected(address: str, begun: str) -> socket.socket:
    """A connection over which so much of a request came."""
    host, port = address.removeprefix("http://").split(":")
    connection = socket.create_connection((host, int(port)), timeout=10)
    connection.sendall(begun.encode())
    return connection


def is_closed(connection: socket.socket) -> bool:
    with contextlib.suppress(ConnectionResetError):
        return connection.recv(1) == b""
    return True


def test_r18_more_connections_than_a_service_has_files_for_are_not_taken(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 4)
    open_ones = [connected(address, "") for _ in range(4)]
    with connected(address, "") as one_too_many:
        assert is_closed(one_too_many)
    for connection in open_ones:
        connection.close()
    time.sleep(0.2)
    with urlopen(address) as page:
        assert page.status == 200


@pytest.mark.parametrize("begun", ["", HEAD, HEAD + FORM])
def test_r18_a_request_that_does_not_end_is_waited_for_no_longer_than_the_slowest_takes(
    begun: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "REQUEST_WITHIN", 0.3)
    with connected(address, begun) as connection:
        began = time.monotonic()
        assert is_closed(connection)
        assert 0.2 < time.monotonic() - began < 5


def test_a_phone_that_hangs_up_in_mid_form_is_not_told_in_tracebacks(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    connected(address, HEAD + FORM).close()
    with urlopen(address) as page:
        assert page.status == 200
    time.sleep(0.2)
    assert not caplog.records
