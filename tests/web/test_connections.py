"""Connections over which nothing comes, or nothing whole: anybody in the network can make them."""

import contextlib
import socket
import time
from urllib.request import Request, urlopen

import pytest

from companion.engine import Game, Journal, Session, Wish
from companion.web import server
from companion.web.house import House
from companion.web.live import Live
from tests.web.conftest import served

HEAD = "POST /pair HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
CHUNKS = "Transfer-Encoding: chunked\r\n\r\n"
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


def is_answered(address: str) -> bool:
    try:
        with urlopen(address) as page:
            return bool(page.status == 200)
    except OSError:
        return False


def test_r18_more_connections_than_a_service_has_files_for_are_not_taken(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 4)
    open_ones = [connected(address, "") for _ in range(4)]
    with connected(address, "") as one_too_many:
        assert is_closed(one_too_many)
    for connection in open_ones:
        connection.close()
    end = time.monotonic() + 20
    while not is_answered(address):  # the server has yet to hear that they are closed
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize(
    "sent",
    [
        "\x16\x03\x01\r\n\r\n",
        f"{HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        f"{HEAD}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 6\r\n\r\ncode=1",
        f"GET / HTTP/1.1\r\nHost: example.org\r\n{CHUNKS}zz\r\n",
    ],
)
def test_what_is_no_request_of_a_page_puts_no_words_on_the_screen_of_a_game_beside_it(
    sent: str, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    with connected(address, sent) as connection:
        assert connection.recv(12).startswith(b"HTTP/1.1 4")
    assert is_answered(address)
    assert caplog.messages == []


def test_who_goes_on_with_nonsense_while_a_stream_comes_is_cut_off_without_a_word(
    live: Live, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    begun = f"GET {live.path}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n{CHUNKS}"
    with connected(address, begun) as connection:
        assert connection.recv(12) == b"HTTP/1.1 200"
        connection.sendall(b"zz\r\n")
        while connection.recv(4096):
            continue
    assert is_answered(address)
    assert caplog.messages == []
    end = time.monotonic() + 5
    while live.watchers:
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("begun", ["", HEAD, HEAD + FORM])
def test_r18_a_request_that_does_not_end_is_waited_for_no_longer_than_the_slowest_takes(
    begun: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "REQUEST_WITHIN", 0.3)
    began = time.monotonic()
    with connected(address, begun) as connection:
        assert is_closed(connection)
        assert 0.2 < time.monotonic() - began < 5


def test_r18_a_request_that_comes_byte_by_byte_has_no_more_time_than_another(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "REQUEST_WITHIN", 0.5)
    began = time.monotonic()
    with connected(address, HEAD) as connection, contextlib.suppress(ConnectionError):
        while time.monotonic() - began < 3:
            connection.sendall(b"X")
            time.sleep(0.1)
    assert 0.4 < time.monotonic() - began < 3


def test_a_phone_that_hangs_up_in_mid_form_is_not_told_in_tracebacks(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    connected(address, HEAD + FORM).close()
    with urlopen(address) as page:
        assert page.status == 200
    time.sleep(0.2)
    assert not caplog.records


def test_a_stream_goes_on_longer_than_a_request_may_take_also_one_that_came_in_pieces(
    address: str, house: House, toy: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "REQUEST_WITHIN", 1.5)
    live = house.begin(toy, Wish(seed=7))
    with connected(address, f"GET {live.path}/events HTTP/1.1\r\n") as connection:
        time.sleep(0.05)
        connection.sendall(b"Host: 127.0.0.1\r\n\r\n")
        lines = connection.makefile("rb")
        while not (line := lines.readline()).startswith(b"data: "):
            assert line, "the stream was cut off"
        time.sleep(1.6)
        live.table.tell()
        while not (line := lines.readline()).startswith(b"data: "):
            assert line, "the stream was cut off"


def test_who_asks_for_the_head_of_a_stream_holds_no_watchers_place(
    address: str, house: House, toy: Game
) -> None:
    live = house.begin(toy, Wish(seed=7))
    with urlopen(Request(f"{address}{live.path}/events", method="HEAD"), timeout=5) as answer:
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert live.watchers == 0


def test_no_proxy_is_believed_and_the_server_does_not_say_what_it_is(address: str) -> None:
    with urlopen(Request(address, headers={"X-Forwarded-For": "203.0.113.9"})) as page:
        assert page.url == address, "the machine itself need not pair"
        assert "Server" not in page.headers


def test_a_page_that_was_just_left_can_be_served_again_at_once(port: int) -> None:
    with server.listen("127.0.0.1", port) as first, connected(f"127.0.0.1:{port}", ""):
        first.accept()[0].close()
    server.listen("127.0.0.1", port).close()


@pytest.mark.parametrize("begun", [None, HEAD + FORM])
def test_a_page_that_stops_lets_its_sessions_go_whoever_is_connected(
    house: House, port: int, toy: Game, begun: str | None
) -> None:
    name = house.begin(toy, Wish(seed=7)).table.session.meta.id
    with contextlib.ExitStack() as stack:
        with served(house, port) as address:
            if begun:
                stack.enter_context(connected(address, begun))
        journal = stack.enter_context(Journal(house.data))
        stack.enter_context(Session.resume(journal, toy, name))


def test_a_page_that_stops_ends_the_streams_of_its_own_tables_without_a_word(
    house: House, port: int, toy: Game, capfd: pytest.CaptureFixture[str]
) -> None:
    live = house.begin(toy, Wish(seed=7))
    with served(house, port) as address:
        stream = urlopen(f"{address}{live.path}/events")
        assert [stream.readline()[:6] for _ in range(3)] == [b"retry:", b"\n", b"data: "]
    with stream:
        assert stream.read() == b"\n"
    assert capfd.readouterr().err == ""
