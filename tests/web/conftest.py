"""The page over a toy game and the real ones: as an application, as a server, and in a real Chromium."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from starlette.testclient import TestClient

from companion import games
from companion.engine import Game, Wish
from companion.web.access import Access
from companion.web.app import create_app
from companion.web.house import House, Library
from companion.web.live import Live
from companion.web.server import Beside, listen
from companion.web.table_pages import draw
from tests.engine.toy import GAME

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

PACK = """
[pack]
game = "toy"
name = "stand-in"
source = "stand-in"
[card.a]
steps = 1
[card.b]
steps = 2
[card.c]
steps = 3
"""
LEDGER = 'game = "toy"\ntitle = "Toy"\nprefix = "TOY"\nrule = []\n'


@pytest.fixture
def toy(tmp_path: Path) -> Game:
    folder = tmp_path / "toy"
    (folder / "packs" / "stand-in").mkdir(parents=True)
    (folder / "packs" / "stand-in" / "pack.toml").write_text(PACK)
    (folder / "ledger.toml").write_text(LEDGER)
    return msgspec.structs.replace(GAME, folder=folder)


@pytest.fixture
def library(toy: Game) -> Library:
    return Library(lambda: ["toy", "okinawa"], lambda name: toy if name == "toy" else games.load(name))


@pytest.fixture
def house(tmp_path: Path, library: Library) -> Iterator[House]:
    house = House(tmp_path / "data", library, Access(tmp_path / "data" / "page"), draw)
    yield house
    house.close()


@pytest.fixture
def client(house: House) -> Iterator[TestClient]:
    """A browser on the machine itself, that sends the page's own Origin."""
    with client_of(house) as client:
        yield client


@contextmanager
def client_of(house: House, address: str = "127.0.0.1", host: str = "127.0.0.1") -> Iterator[TestClient]:
    client = TestClient(
        create_app(house),
        base_url=f"http://{host}",
        client=(address, 50000),
        headers={"Origin": f"http://{host}"},
        follow_redirects=False,
    )
    with client:
        yield client


@pytest.fixture
def live(house: House, toy: Game) -> Live:
    """A toy session that was begun on the page."""
    return house.begin(toy, Wish(seed=7, settings={"top": "60"}))


@pytest.fixture
def manual(house: House, toy: Game) -> Live:
    """A toy session with real dice and cards."""
    return house.begin(toy, Wish(seed=7, settings={"top": "60"}, dice="manual", cards="manual"))


# A server and a browser


@pytest.fixture
def port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        number: int = sock.getsockname()[1]
        return number


@contextmanager
def served(house: House, port: int) -> Iterator[str]:
    """The page on a real port; its address."""
    beside = Beside(house, listen("127.0.0.1", port))
    beside.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        beside.stop()


@pytest.fixture
def address(house: House, port: int) -> Iterator[str]:
    with served(house, port) as address:
        yield address


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, headless."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    shells = ("chromium-headless-shell", "chromium", "google-chrome")
    path = next(filter(None, map(shutil.which, shells)), None)
    if path is None:
        pytest.skip("no Chromium here: apt-get install chromium-headless-shell, or chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


Phone = Callable[..., "Page"]


@pytest.fixture
def phone(chromium: Browser, address: str) -> Iterator[Phone]:
    """Take out a phone (360x740, touch) and open an address on it; errors in its console fail the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def take_out(path: str = "/", **options: object) -> Page:
        shape = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True} | options
        context = chromium.new_context(base_url=address, **shape)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if "Content Security" in said.text else None)
        page.goto(path)
        return page

    yield take_out
    for context in contexts:
        context.close()
    assert errors == []
