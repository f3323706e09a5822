"""The page beside a game that is played elsewhere: in a terminal, on the box."""

import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from starlette.testclient import TestClient

from companion.cli.serve import Reach, page_beside
from companion.engine import BadInput, Game, Journal, Session, Wish
from companion.screens.console import Console
from companion.screens.intents import Button
from companion.screens.screen import Style
from companion.table.table import Table
from companion.web.access import Role
from companion.web.house import House
from companion.web.server import listen
from tests.engine.toy import PACKS


@pytest.fixture
def table(tmp_path: Path, toy: Game):
    with Journal(tmp_path / "data") as journal, Session.create(journal, toy, PACKS, Wish(seed=1)) as session:
        yield Table(session, tmp_path / "packs")


def get(port: int, path: str = "/") -> str:
    with urlopen(f"http://127.0.0.1:{port}{path}") as said:
        text: str = said.read().decode()
        return text


def test_a_table_is_on_the_page_as_long_as_it_is_played(table: Table, tmp_path: Path, port: int) -> None:
    name = table.session.meta.id
    with page_beside(table, tmp_path / "data", Reach(lan=False, port=port, watchers=False)):
        assert f"/s/{name}" in get(port)
        assert "No phone can find this page" in get(port, "/phones")
        answer = Request(
            f"http://127.0.0.1:{port}/s/{name}/answer",
            f"n={table.n}&answer=stones".encode(),
            {"Origin": f"http://127.0.0.1:{port}"},
        )
        urlopen(answer).close()
        assert table.ask is not None
        assert table.ask.key == "toy.stones"
        leave = Request(
            f"http://127.0.0.1:{port}/s/{name}/leave", b"", {"Origin": f"http://127.0.0.1:{port}"}
        )
        with pytest.raises(HTTPError, match="422") as refused:
            urlopen(leave)
        refused.value.close()
    with pytest.raises(OSError, match="refused"):
        get(port)


def test_the_pairing_code_is_shown_at_the_table(
    table: Table, tmp_path: Path, port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    table.notice = "no camera found"
    with page_beside(table, tmp_path / "data", Reach(lan=True, port=port, watchers=False)):
        assert table.notice.startswith("no camera found, Page")
        code = table.notice.rpartition("code ")[2]
        assert len(code) == 6
        assert table.phones.lines[1] == f"code {code}"
        assert f"code {code}" in capsys.readouterr().err


def test_who_may_only_watch_is_not_shown_the_pairing_code(table: Table, house: House) -> None:
    live = house.adopt(table)
    table.notice = "Page 192.168.1.5:8080, code 123456"
    assert "123456" in live.frame(Role.ACT).side
    watched = live.frame(Role.WATCH)
    assert "123456" not in watched.side + watched.ask + watched.said


def test_a_pairing_code_that_replaces_another_is_shown_at_the_table(
    table: Table, tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.access.WRONG_CODES", 1)
    told: list[str] = []
    table.observe(lambda _: told.append(table.notice))
    with page_beside(table, tmp_path / "data", Reach(lan=True, port=port, watchers=False)):
        before = table.notice
        address = f"http://127.0.0.1:{port}"
        with pytest.raises(HTTPError, match="422") as refused:
            urlopen(Request(f"{address}/pair", b"code=wrong&name=x", {"Origin": address}))
        refused.value.close()
        assert told == [table.notice]
        assert table.notice != before
        assert table.notice.endswith(table.phones.lines[1])


def test_the_menu_of_the_small_screen_tells_how_a_phone_gets_in(
    table: Table, tmp_path: Path, port: int
) -> None:
    console = Console(table)
    console.press(Button.MENU)
    assert "Phones" not in "".join(console.screen().lines())
    with page_beside(table, tmp_path / "data", Reach(lan=True, port=port, watchers=False)):
        console = Console(table)
        console.press(Button.MENU)
        while "Phones" not in _bar(console):
            console.press(Button.DOWN)
        console.press(Button.OK)
        shown = " ".join(console.screen().lines())
        assert f":{port}" in shown
        assert table.phones.lines[1] in shown


def _bar(console: Console) -> str:
    return next(row.text for row in console.screen().rows if row.style is Style.BAR)


def test_a_page_that_stops_ends_its_streams_without_a_word(
    table: Table, tmp_path: Path, port: int, capfd: pytest.CaptureFixture[str]
) -> None:
    with page_beside(table, tmp_path / "data", Reach(lan=False, port=port, watchers=False)):
        stream = urlopen(f"http://127.0.0.1:{port}/s/{table.session.meta.id}/events")
        assert [stream.readline()[:6] for _ in range(3)] == [b"retry:", b"\n", b"data: "]
        capfd.readouterr()
    with stream:
        assert stream.read() == b"\n"
    assert capfd.readouterr().err == ""


def test_a_port_that_is_taken_is_told(table: Table, tmp_path: Path, port: int) -> None:
    reach = Reach(lan=False, port=port, watchers=False)
    with (
        page_beside(table, tmp_path / "data", reach),
        pytest.raises(BadInput, match=f"port {port}: Address already in use"),
        page_beside(table, tmp_path / "data", reach),
    ):
        pass


def test_a_port_belongs_to_whoever_comes_first_before_anything_is_served(port: int) -> None:
    with listen("127.0.0.1", port), pytest.raises(BadInput, match=f"port {port}: Address already in use"):
        listen("127.0.0.1", port).close()


def test_the_page_never_loads_the_plots_or_the_camera() -> None:
    program = "import sys, companion.web.app; print({'matplotlib', 'numpy', 'cv2'} & {*sys.modules})"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("network", "lan", "shown"),
    [("192.168.1.7", True, True), ("192.168.1.7", False, False), (None, True, False)],
)
def test_a_picture_of_the_address_is_shown_where_a_phone_can_reach_it(
    client: TestClient,
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    *,
    network: str | None,
    lan: bool,
    shown: bool,
) -> None:
    monkeypatch.setattr("companion.web.network.lan_address", lambda: network)
    house.access.lan = lan
    page = client.get("/phones").text
    assert ("data:image/svg+xml" in page, "192.168.1.7" in page) == (shown, shown)
    assert "127.0.0.1" not in page
    assert (house.access.code in page) == lan
