"""The page beside the box: a way to play where there is nothing to press, and every table in its turn."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import inet_aton, socket
from types import SimpleNamespace
from typing import Any
from urllib.request import Request, urlopen

import pytest

from companion.cli.box_page import BoxPage
from companion.cli.serve import Reach, page_beside, way_in_of
from companion.engine import Journal, Session, Wish
from companion.engine.packs import find, merge
from companion.engine.salvage import Salvage
from companion.games import load
from companion.screens.console import Console
from companion.screens.intents import Button
from companion.screens.screen import WayIn
from companion.table.box import Box, Ways
from companion.table.config import PageSettings
from companion.table.table import Table
from companion.web import network
from companion.web.server import listen
from tests.engine.toy import GAME, PACKS
from tests.table.bench import Bench, Running, Seat, wait_until

HERE = Path(__file__).parents[2]
OFF = "".join(f"[{name}]\nenabled = false\n" for name in ("display", "buttons", "lamp", "pad", "camera"))


def asked(port: int, path: str, form: bytes | None = None) -> str:
    """The page that a browser on the same machine gets."""
    here = f"http://127.0.0.1:{port}"
    with urlopen(Request(here + path, form, {"Origin": here}), timeout=60) as answer:
        return str(answer.read().decode())


def test_a_box_without_any_device_says_where_to_play_and_a_game_is_begun_there(
    port: int, tmp_path: Path
) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text(f"{OFF}[page]\nlan = false\nport = {port}\n")
    box = subprocess.Popen(
        [sys.executable, "-m", "companion", "box", "--config", str(settings), "--data", str(tmp_path)],
        cwd=HERE,
        env={**os.environ, "DISPLAY": ""},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert box.stderr is not None
        said = [box.stderr.readline() for _ in range(2)]
        assert said[0].startswith("No keys here: begin and play on the page, in a browser on this machine;")
        assert said[1] == f"The page: http://127.0.0.1:{port}/\n"
        table = asked(port, "/begin", b"game=flag_war&dice=manual")
        assert "North: one die for the start" in table
        assert "<code>lan = true</code> in the box's settings" in asked(port, "/phones")
        box.send_signal(signal.SIGTERM)
        assert box.wait(30) == 0
    finally:
        box.kill()
        box.communicate()


def test_a_table_is_on_the_page_while_it_is_played_whichever_comes_first(port: int, tmp_path: Path) -> None:
    with (
        Journal(tmp_path) as journal,
        Session.create(journal, GAME, PACKS, Wish(seed=1, dice="manual")) as session,
        BoxPage(PageSettings(lan=False, port=port), tmp_path, wait=0) as page,
    ):
        table = Table(session, tmp_path)
        path = f"/s/{session.meta.id}"
        with page.beside(table):
            assert not page.way_in().lines
            page.draw(Console(table))
            wait_until(lambda: bool(table.phones.lines))
            assert table.notice == f"Page 127.0.0.1:{port}"
            assert path in asked(port, "/")
        assert f'href="{path}"' not in asked(port, "/")
        page.take(session.meta.id)  # which no phone has
        journal.store.salvaged = Salvage(journal.path, sessions=2, kept=30, lost=1)
        table.settle()
        with page.beside(table):
            assert table.notice == f"{journal.salvaged}, Page 127.0.0.1:{port}"
            assert f'href="{path}"' in asked(port, "/")


def test_a_table_that_was_left_before_the_page_came_is_not_on_it_and_what_a_phone_played_is(
    port: int, tmp_path: Path
) -> None:
    game = load("flag_war")
    flags = merge(game.name, find(game.folder, tmp_path))
    with Journal(tmp_path) as journal, Session.create(journal, game, flags) as session:
        phones = session.meta.id
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "open.json").write_text(json.dumps([phones]))
    with (
        Journal(tmp_path) as journal,
        Session.create(journal, GAME, PACKS, Wish(seed=1, dice="manual")) as session,
        BoxPage(PageSettings(lan=False, port=port), tmp_path, wait=0) as page,
    ):
        table = Table(session, tmp_path)
        with page.beside(table):
            pass
        page.draw(Console(table))
        wait_until(lambda: bool(page.way_in().lines))
        wait_until(lambda: f'href="/s/{phones}"' in asked(port, "/"))
        assert f'href="/s/{session.meta.id}"' not in asked(port, "/")
        assert table.notice == ""


@contextmanager
def on_a_taken_port(port: int, data: Path, wait: float) -> Iterator[tuple[BoxPage, socket]]:
    """A page that comes once its box has drawn for so long, where another program listens already."""
    with (
        listen("127.0.0.1", port) as other,
        Journal(data) as journal,
        Session.create(journal, GAME, PACKS) as session,
        BoxPage(PageSettings(lan=False, port=port), data, wait=wait) as page,
    ):
        page.draw(Console(Table(session, data)))
        yield page, other


def test_a_page_whose_port_is_taken_is_said_once_and_comes_when_it_is_free(
    port: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = threading.Semaphore(0)

    def look(*place: Any) -> socket:
        tries.release()
        return listen(*place)

    monkeypatch.setattr("companion.web.server.listen", look)
    monkeypatch.setattr("companion.cli.box_page.LOOK_AGAIN", 0.05)
    with on_a_taken_port(port, tmp_path, wait=0) as (page, other):
        assert all(tries.acquire(timeout=20) for _ in range(3))
        assert not page.way_in().lines
        said = capsys.readouterr().err
        assert said.startswith(f"no page: port {port}: Address already in use; it is tried again")
        assert said.count("\n") == 1
        assert "[page] port in the settings" in said
        assert "--port" not in said
        other.close()
        wait_until(lambda: bool(page.way_in().lines))


def test_a_page_that_is_switched_off_does_not_open(tmp_path: Path) -> None:
    page = BoxPage(PageSettings(enabled=False, lan=False), tmp_path, wait=0)
    with page, Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS) as session:
        before = {*threading.enumerate()}
        page.draw(Console(Table(session, tmp_path)))
        assert {*threading.enumerate()} <= before


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            ModuleNotFoundError("No module named 'h11'", name="h11"),
            f"no page: this needs h11: {sys.executable} -m pip install 'companion[web]'",
        ),
        (ModuleNotFoundError("No module named 'torn'", name="torn"), "no page: No module named 'torn'"),
        (OSError(errno.EMFILE, "Too many open files"), "no page: [Errno 24] Too many open files"),
    ],
)
def test_a_page_that_can_not_be_is_said_and_the_box_plays_on(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    said: str,
) -> None:
    def page_of(*_: object) -> None:
        raise error

    monkeypatch.setattr("companion.cli.box_page.page_of", page_of)
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS) as session:
        with BoxPage(PageSettings(lan=False), tmp_path, wait=0) as page:
            page.draw(Console(Table(session, tmp_path)))
        assert capsys.readouterr().err == f"{said}\n"


def test_a_box_that_is_stopped_before_its_page_came_does_not_open_it(
    port: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with on_a_taken_port(port, tmp_path, wait=60) as (page, _):
        pass
    assert page._thread is not None
    assert not page._thread.is_alive()
    assert capsys.readouterr().err == "", "the port is taken, which nobody saw"


def test_a_prompt_that_is_drawn_again_opens_no_other_page(
    port: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (
        Journal(tmp_path) as journal,
        Session.create(journal, GAME, PACKS) as session,
        BoxPage(PageSettings(lan=False, port=port), tmp_path, wait=0) as page,
    ):
        console = Console(Table(session, tmp_path))
        page.draw(console)
        first = page._thread
        page.draw(console)
        assert page._thread is first
        wait_until(lambda: bool(page.way_in().lines))
    assert first is not None
    assert not first.is_alive(), "it goes with the box"
    assert "no page" not in capsys.readouterr().err


@contextmanager
def beside_a_game(port: int, data: Path) -> Iterator[tuple[BoxPage, Table]]:
    """The page beside a game that has just begun, once its address is known."""
    with (
        Journal(data) as journal,
        Session.create(journal, GAME, PACKS, Wish(seed=1, dice="manual")) as session,
        BoxPage(PageSettings(lan=True, port=port), data, wait=0) as page,
    ):
        table = Table(session, data)
        with page.beside(table):
            page.draw(Console(table))
            wait_until(lambda: bool(table.phones.lines))
            yield page, table


def test_an_address_or_a_code_that_changes_is_shown_in_the_game_too(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, looks = ["192.168.1.7"], list[str]()

    def lan_address() -> str:
        looks.append(address[0])
        return address[0]

    monkeypatch.setattr("companion.web.network.lan_address", lan_address)
    monkeypatch.setattr("companion.cli.box_page.LOOK_AGAIN", 0.05)
    with beside_a_game(port, tmp_path) as (_, table):
        assert table.phones.lines[0] == f"Page 192.168.1.7:{port}"
        address[0] = "10.0.0.3"
        wait_until(lambda: table.phones.lines[0] == f"Page 10.0.0.3:{port}")
        wait_until(lambda: table.notice == ", ".join(table.phones.lines))
        table.notice = "the disk is full"
        enough = len(looks) + 6
        wait_until(lambda: len(looks) > enough)
        assert table.notice == "the disk is full", "an address that stays is not said again"


def test_a_page_that_ends_is_not_shown_any_more(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [True]

    def lan_address() -> str:
        if not files[0]:
            raise OSError(errno.EMFILE, "Too many open files")
        return "192.168.1.7"

    monkeypatch.setattr("companion.web.network.lan_address", lan_address)
    monkeypatch.setattr("companion.cli.box_page.LOOK_AGAIN", 0.05)
    with beside_a_game(port, tmp_path) as (page, table):
        files[0] = False
        wait_until(lambda: page._thread is not None and not page._thread.is_alive())
        assert not table.phones.lines
        table.answer(table.n, "stones")
    assert "no page: [Errno 24] Too many open files" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("interfaces", "shown"),
    [
        ({}, WayIn(("No network for phones",))),
        (
            {"eth0": ("172.17.0.1", 0x1), "usb0": ("", 0x41), "wlan0": ("10.42.0.1", 0x41)},
            WayIn(("Page 10.42.0.1:8080", "code 123456"), "http://10.42.0.1:8080/pair?code=123456"),
        ),
    ],
    ids=["no network", "its own hotspot"],
)
def test_a_network_without_a_way_out_has_an_address_and_none_has_none(
    monkeypatch: pytest.MonkeyPatch, interfaces: dict[str, tuple[str, int]], shown: WayIn
) -> None:
    interfaces = {"lo": ("127.0.0.1", 0x49), **interfaces}

    def ask(_: object, request: int, name: bytes) -> bytes:
        """netdevice(7) for these interfaces."""
        address, flags = interfaces[name.rstrip(b"\0").decode()]
        if request == network.SIOCGIFADDR and not address:
            raise OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address")
        says = (
            struct.pack("H", flags) if request == network.SIOCGIFFLAGS else b"\2\0\0\0" + inet_aton(address)
        )
        return (name[:16] + says).ljust(network.IFREQ, b"\0")

    class NoWayOut(socket):
        def connect(self, address: object) -> None:
            raise OSError(errno.ENETUNREACH, "Network is unreachable")

    monkeypatch.setattr("socket.socket", NoWayOut)
    monkeypatch.setattr("socket.if_nameindex", lambda: list(enumerate(interfaces, 1)))
    monkeypatch.setattr("fcntl.ioctl", ask)
    house = SimpleNamespace(access=SimpleNamespace(code="123456"))  # all that is asked of it
    assert way_in_of(house, Reach(lan=True, port=8080, watchers=False)) == shown


def test_beside_a_game_the_code_of_the_moment_is_shown(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = ["192.168.1.7"]
    monkeypatch.setattr("companion.web.network.lan_address", lambda: address[0])
    with (
        Journal(tmp_path) as journal,
        Session.create(journal, GAME, PACKS, Wish(seed=1, dice="manual")) as session,
    ):
        table = Table(session, tmp_path)
        with page_beside(table, tmp_path, Reach(lan=True, port=port, watchers=False)):
            assert table.phones.lines[0] == f"Page 192.168.1.7:{port}"
            address[0] = "10.0.0.3"
            assert table.phones.lines[0] == f"Page 10.0.0.3:{port}"


def test_what_a_phone_has_begun_goes_on_at_the_box(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.table.loop.LOCKOUT", 0.0)
    seat = Seat()
    with (
        Bench(monkeypatch, ["buttons"]) as bench,
        Journal(tmp_path) as journal,
        BoxPage(PageSettings(lan=False, port=port), tmp_path, wait=0) as page,
    ):
        ways = Ways(page=page.beside, phones=page.way_in, take=page.take)

        def box() -> Running:
            return Running(bench, Box(tmp_path, journal, bench.devices, bench.events, [seat, page], ways).run)

        first = box()
        wait_until(lambda: bool(page.way_in().lines))
        (path,) = set(re.findall(r"/s/[\w-]+", asked(port, "/begin", b"game=flag_war&dice=manual")))
        first.stop()
        second = box()
        wait_until(lambda: any("Go on" in line for line in seat.lines))
        bench.press(Button.OK)
        wait_until(lambda: any("die for" in line for line in seat.lines))
        wait_until(lambda: "North: one die for the start" in asked(port, path))
        second.stop()
