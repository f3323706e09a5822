"""`companion serve`: who reaches the page, what is said of it, and what is open on it."""

import json
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from socket import socket

import pytest

from companion.cli import run
from companion.cli.serve import check_port, reach_of
from companion.engine import BadInput, Journal, Session
from companion.engine.database import FILE
from companion.engine.packs import find, merge
from companion.games import load
from companion.web.access import Refused, Role
from companion.web.house import House
from companion.web.server import Server, listen
from tests.web.conftest import client_of

Look = Callable[[House, socket], None]
Serve = Callable[..., None]
STRANGER = "192.168.1.9"


@pytest.fixture
def serve(port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Run the command with these options, and look at what would be served."""

    def served(look: Look, *options: str) -> None:
        def run_server(server: Server, sockets: list[socket]) -> None:
            with closing(server._house), sockets[0]:
                look(server._house, sockets[0])

        monkeypatch.setattr(Server, "run", run_server)
        assert run(["serve", "--port", str(port), "--data", str(tmp_path), *options]) == 0

    return served


@pytest.mark.parametrize(
    ("options", "address", "role"),
    [
        ([], "127.0.0.1", Role.NOBODY),
        (["--lan"], "0.0.0.0", Role.NOBODY),
        (["--lan", "--watchers"], "0.0.0.0", Role.WATCH),
    ],
)
def test_phones_reach_the_page_and_look_on_only_where_that_was_asked_for(
    serve: Serve, options: list[str], address: str, role: Role
) -> None:
    def look(house: House, sock: socket) -> None:
        assert sock.getsockname()[0] == address
        assert house.access.lan is ("--lan" in options)
        assert house.access.role(STRANGER, None) is role

    serve(look, *options)


@pytest.mark.parametrize("command", [["serve"], ["play", "okinawa", "--dice", "software"], ["resume"]])
def test_watchers_who_cannot_reach_the_page_are_refused(
    command: list[str],
    port: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(Server, "run", lambda _server, sockets: sockets[0].close())
    assert run([*command, "--watchers", "--port", str(port), "--data", str(tmp_path)]) == 2
    assert "--watchers: nobody else reaches the page without --lan" in capsys.readouterr().err
    assert not (tmp_path / FILE).exists()


def test_the_code_is_said_with_the_address_and_again_when_there_is_another(
    serve: Serve, port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.web.network.lan_address", lambda: "192.168.1.7")
    monkeypatch.setattr("companion.web.access.WRONG_CODES", 1)

    def look(house: House, _: socket) -> None:
        said = capsys.readouterr().out
        assert said.startswith(f"The page: http://127.0.0.1:{port}/\n")
        assert f"\nPhones: http://192.168.1.7:{port}/  code {house.access.code}\n" in said
        with pytest.raises(Refused):
            house.access.pair(STRANGER, "wrong", "A phone")
        assert f"  code {house.access.code}\n" in capsys.readouterr().out

    serve(look, "--lan")


def test_without_a_network_the_code_is_said_all_the_same(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.web.network.lan_address", lambda: None)

    def look(house: House, _: socket) -> None:
        assert f"\nNo network for phones  code {house.access.code}\n" in capsys.readouterr().out

    serve(look, "--lan")


@pytest.fixture
def session(tmp_path: Path) -> str:
    game = load("flag_war")
    with (
        Journal(tmp_path) as journal,
        Session.create(journal, game, merge(game.name, find(game.folder, tmp_path))) as session,
    ):
        return session.meta.id


@pytest.fixture
def left_open(session: str, tmp_path: Path) -> str:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "open.json").write_text(json.dumps([session]))
    return session


def test_what_was_open_is_open_again(serve: Serve, left_open: str) -> None:
    def look(house: House, _: socket) -> None:
        assert [live.table.session.meta.id for live in house.tables] == [left_open]

    serve(look)


def test_r4_what_is_met_damaged_in_a_session_that_was_open_is_said_in_the_terminal_too(
    serve: Serve, left_open: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(tmp_path / FILE)) as db, db:
        changed = "UPDATE entries SET line = replace(line, 'flag_war.', 'flag.') WHERE session = ?"
        assert db.execute(changed, (left_open,)).rowcount

    def look(house: House, _: socket) -> None:
        assert house.journal.salvaged is not None
        assert f"companion: {house.journal.salvaged}\n" in capsys.readouterr().err

    serve(look)


@pytest.mark.usefixtures("session")
def test_r4_what_was_damaged_is_said_in_the_terminal_and_on_the_page(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (tmp_path / FILE).open("r+b") as damaged:
        damaged.write(bytes(100))

    def look(house: House, _: socket) -> None:
        said = f"{house.journal.salvaged}"
        assert said.startswith("the journal was damaged: kept ")
        assert capsys.readouterr().err == f"companion: {said}\n"
        with client_of(house) as phone:
            assert said in phone.get("/").text

    serve(look)


def test_r8_a_damaged_list_of_phones_is_said_in_the_terminal_and_on_the_page(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "phones.json").write_bytes(b'{"phones":[]}')

    def look(house: House, _: socket) -> None:
        said = house.access.damage
        assert said.startswith("the list of phones was damaged, so that all have to pair again; ")
        assert capsys.readouterr().err == f"companion: {said}\n"
        with client_of(house) as phone:
            assert all(said in phone.get(page).text for page in ("/", "/phones"))

    serve(look)


@pytest.mark.parametrize("command", [["play", "okinawa"], ["resume"]])
def test_the_port_of_no_page_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    assert run([*command, "--port", "8090", "--data", str(tmp_path)]) == 2
    assert "--port 8090: there is no page without --page or --lan" in capsys.readouterr().err


def test_phones_are_let_in_beside_a_game_without_asking_for_the_page_too(port: int) -> None:
    reach = reach_of(page=False, lan=True, port=port, watchers=False)
    assert reach is not None
    assert reach.lan
    assert reach_of(page=False, lan=False, port=None, watchers=False) is None
    with listen("127.0.0.1", port), pytest.raises(BadInput, match="--port takes another"):
        check_port(reach)
    check_port(reach)
    check_port(reach)


@pytest.mark.parametrize("command", [["serve"], ["play", "okinawa", "--dice", "software", "--page"]])
def test_a_page_that_is_refused_leaves_its_port_to_others(
    command: list[str], port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise BadInput("no house there")

    monkeypatch.setattr("companion.web.house.House.__init__", refused)
    listens, begun = listen, list[socket]()
    monkeypatch.setattr("companion.web.server.listen", lambda *at: begun.append(listens(*at)) or begun[-1])
    assert run([*command, "--port", str(port), "--data", str(tmp_path)]) == 2
    assert [sock.fileno() for sock in begun] == [-1] * len(begun) != []


@pytest.mark.parametrize("again", [signal.SIGINT, signal.SIGTERM])
def test_a_second_order_to_stop_the_page_leaves_the_first_as_it_is(
    house: House, again: signal.Signals
) -> None:
    server = Server(house)
    server.handle_exit(signal.SIGTERM, None)
    server.handle_exit(again, None)
    assert (server.should_exit, server.force_exit) == (True, False)
