"""The logbook on the page."""

import asyncio
import os
import re
import socket
import threading
import time
from collections.abc import Callable
from random import Random
from urllib.parse import urlsplit
from urllib.request import urlopen

import msgspec
import pytest
from starlette.testclient import TestClient

from companion.engine import Journal, Wish
from companion.engine.autoplay import at_random
from companion.engine.errors import JournalError
from companion.engine.game import Game
from companion.engine.records import Meta
from companion.games import load
from companion.web import book_pages
from companion.web.house import House, Library
from tests.logbook.conftest import play_small
from tests.web.conftest import served


@pytest.fixture
def played(house: House, client: TestClient) -> str:
    return play_small(house.journal)


def test_sessions_are_listed_and_one_is_read(client: TestClient, played: str) -> None:
    assert f'href="/log/{played}"' in client.get("/log").text
    assert played not in client.get("/log?game=other").text
    page = client.get(f"/log/{played}").text
    assert "Won: the top" in page
    assert "read as 5" in page


def test_the_page_of_a_session_whose_end_was_lost_tells_how_long_what_is_left_took(
    client: TestClient, house: House, played: str
) -> None:
    assert "<p>Won: the top. 4 min.</p>" in client.get(f"/log/{played}").text
    for lost in ("DELETE FROM entries WHERE seq > 5", "UPDATE sessions SET entries = 5"):
        house.journal.store._db.execute(lost)
    page = client.get(f"/log/{played}").text
    assert "<p>Won: the top. What is left of it took 40 s.</p>" in page
    assert "durationMin" not in page


def test_what_did_not_fit_the_text_that_was_shown_stands_below_it(client: TestClient, house: House) -> None:
    session = house.begin(load("okinawa"), Wish(seed=11)).table.session
    told = ""
    while not told:
        assert session.ask
        told = session.ask.news if session.ask.key == "okinawa.reveal.shown" else ""
        session.answer(session.n, at_random(session.ask, Random(1)))
    assert told.splitlines()[0] == "Space 3: F Mortar (stand-in), put 1 fog on it"
    page = client.get(f"/log/{session.meta.id}").text
    assert "<div>Space 3: F Mortar (stand-in), put 1 fog on it</div>" in page


def test_the_log_has_each_question_with_its_answer(client: TestClient, played: str) -> None:
    page = client.get(f"/log/{played}").text
    assert re.search(r"<li[^>]*>Which way\? <b>Dice</b>", page)


def test_a_long_log_is_read_in_parts_the_last_one_first(
    client: TestClient, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def numbers(query: str) -> list[str]:
        return re.findall(r'<li value="(\d+)">', client.get(f"/log/{played}{query}").text)

    whole = numbers("")
    assert "?part=" not in client.get(f"/log/{played}").text
    monkeypatch.setattr(book_pages, "LOG_LINES", 2)
    way = rf'href="/log/{played}(\?part=\d+)#log"'
    parts = re.findall(way, client.get(f"/log/{played}").text)
    assert re.findall(way, client.post(f"/log/{played}/note", data={}).text) == parts
    assert len(whole) > 4
    assert '<ol class="log long">' in client.get(f"/log/{played}").text
    assert [number for part in parts for number in numbers(part)] == whole
    assert numbers("") == numbers("?part=999") == numbers("?part=x") == numbers(parts[-1])
    assert '?part=1#log" aria-current="true"' in client.get(f"/log/{played}?part=1").text


def test_what_a_dday_game_counted_up_to_is_read_in_its_log_too(client: TestClient, house: House) -> None:
    table = house.begin(load("dday_dice"), Wish(seed=3)).table
    rng, told = Random(5), ""
    while table.ask:
        told = table.ask.detail
        table.answer(table.n, at_random(table.ask, rng))
    assert " VP - " in told
    assert f"<div>{told}</div>" in client.get(f"/log/{table.session.meta.id}").text


def test_sessions_of_a_game_that_is_not_there_any_more_are_read(
    client: TestClient, house: House, played: str
) -> None:
    house.library = Library(lambda: ["okinawa"], load)
    assert f'href="/log/{played}"' in client.get("/log").text
    page = client.get(f"/log/{played}")
    assert page.status_code == 200
    assert "<h1>toy, 2027-01-15</h1>" in page.text
    assert "Which way? <b>Dice</b>" in page.text
    assert client.get(f"/log/{played}/as/md").status_code == 200


def test_the_answers_of_a_session_are_read_once_for_its_page(
    client: TestClient, house: House, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries, read = Journal.entries, []

    def noted(journal: Journal, session: str) -> object:
        read.append(session)
        return entries(journal, session)

    monkeypatch.setattr(Journal, "entries", noted)
    assert client.get(f"/log/{played}").status_code == 200
    assert read == [played]


def test_a_game_that_is_over_is_not_offered_to_be_gone_on_with(client: TestClient, played: str) -> None:
    assert played not in client.get("/").text


def test_what_was_taken_back_is_told_as_an_undo_of_it(client: TestClient, played: str) -> None:
    page = client.get(f"/log/{played}").text
    assert re.search(r">undo: <b>Stones</b>", page)
    assert page.count(">undo") == 1


def test_games_are_named_by_their_titles(client: TestClient, house: House, played: str) -> None:
    later = house.begin(load("okinawa"), Wish()).table.session.meta.id
    page = client.get("/log").text
    assert page.index(f'href="/log/{later}"') < page.index(f'href="/log/{played}"')
    assert 'href="/log?game=okinawa">Okinawa: The Last Battle of World War II</a>' in page
    assert "Toy, 2027-01-15: won" in page
    assert "Statistics of Toy" in client.get("/log?game=toy").text


def test_tables_are_served_while_games_are_loaded(client: TestClient, house: House, played: str) -> None:
    load_game, loaded = house.library.load, []

    def slow(name: str) -> Game:
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        loaded.append(name)
        return load_game(name)

    house.library = msgspec.structs.replace(house.library, load=slow)
    assert "Toy, 2027-01-15: won" in client.get("/log").text
    assert client.get("/stats/toy").status_code == 422
    assert client.post("/begin", data={"game": "toy"}).status_code == 303
    assert set(loaded) == {"toy"}


@pytest.mark.parametrize("path", ["", "/as/csv", "/photo/none"])
def test_tables_are_served_while_the_journal_is_read(
    client: TestClient, house: House, played: str, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    read, head = [], house.journal.head

    def slow(session: str) -> Meta | None:
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        read.append(path)
        return head(session)

    monkeypatch.setattr(house.journal, "head", slow)
    client.get(f"/log/{played}{path}")
    assert read


def test_a_note_is_kept_and_what_is_none_is_told(client: TestClient, house: House, played: str) -> None:
    fields = {"text": "<b>Fun</b>", "rating": "9", "people": "Ann, Bob", "place": "Home"}
    assert client.post(f"/log/{played}/note", data=fields).status_code == 303
    assert "<h2>Notes</h2>" in client.get(f"/log/{played}").text
    assert "9/10 &lt;b&gt;Fun" in client.get(f"/log/{played}").text
    assert house.journal.notes(played)[0].people == ("Ann", "Bob")
    assert client.post(f"/log/{played}/note", data=fields).status_code == 303
    assert len(house.journal.notes(played)) == 1, "sent twice, as by a double tap"
    assert client.post(f"/log/{played}/note", data={"text": "Rain"}).status_code == 303
    assert client.post(f"/log/{played}/note", data=fields).status_code == 303
    assert len(house.journal.notes(played)) == 3
    for nothing in ({}, {"text": " \r\n", "place": " "}):
        said = client.post(f"/log/{played}/note", data=nothing)
        assert (said.status_code, "Nothing was written." in said.text) == (422, True)
    for rating in ("11", "0", "x", "9" * 5000):
        assert client.post(f"/log/{played}/note", data={"rating": rating}).status_code == 422


def test_a_note_that_the_disk_has_no_room_for_stays_in_its_form(
    client: TestClient, house: House, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise JournalError("not written: no space left")

    monkeypatch.setattr(house.journal, "note", full)
    fields = {"text": "<b>Fun</b>", "rating": "9", "people": "Ann, Bob", "place": "Home"}
    said = client.post(f"/log/{played}/note", data=fields).text
    assert 'role="alert">not written: no space left' in said
    assert "<details open>" in said
    assert ">&lt;b&gt;Fun&lt;/b&gt;</textarea>" in said
    assert "<option selected>9</option>" in said
    assert 'name="people" maxlength="400" value="Ann, Bob"' in said
    assert 'name="place" maxlength="100" value="Home"' in said
    assert "<details open>" not in client.get(f"/log/{played}").text


def test_who_played_is_told_without_a_list_of_notes(client: TestClient, played: str) -> None:
    assert client.post(f"/log/{played}/note", data={"people": "Ann"}).status_code == 303
    page = client.get(f"/log/{played}").text
    assert ", played by Ann." in page
    assert "<h2>Notes</h2>" not in page


@pytest.mark.parametrize(
    ("form", "begins"), [("jsonl", b'{"type":"session"'), ("csv", b"session,game"), ("md", b"# Toy")]
)
def test_a_session_is_taken_away_as_a_file(client: TestClient, played: str, form: str, begins: bytes) -> None:
    said = client.get(f"/log/{played}/as/{form}")
    assert said.content.startswith(begins)
    assert said.headers["content-disposition"] == f'attachment; filename="{played}.{form}"'


def test_the_way_to_bg_stats_is_a_link_and_a_qr_code(client: TestClient, played: str) -> None:
    page = client.get(f"/log/{played}").text
    assert '<a class="button" href="https://app.bgstatsapp.com/createPlay.html?data=%7B' in page
    assert 'class="qr" src="data:image/svg+xml;' in page


def test_the_link_of_a_game_that_is_not_over_says_so(client: TestClient, house: House, played: str) -> None:
    warned = "Mind that this game is not over yet: the link says that it was not won."
    assert warned not in client.get(f"/log/{played}").text
    house.journal.update(house.meta(played).start())
    assert warned in client.get(f"/log/{played}").text


def test_a_link_too_long_for_a_qr_code_is_still_a_link(client: TestClient, played: str) -> None:
    client.post(f"/log/{played}/note", data={"people": "Ann, " * 1000})
    page = client.get(f"/log/{played}").text
    assert "createPlay.html?data=" in page
    assert "too long for a QR code" in page


def test_only_pictures_of_that_session_are_shown(client: TestClient, house: House, played: str) -> None:
    meta = house.meta(played)
    assert client.get(f"/log/{played}/photo/{meta.pack}").status_code == 404
    assert client.get(f"/log/{played}/photo/nothing").status_code == 404
    (photo,) = {die.photo for dice in house.journal.rolls(played).values() for die in dice if die.photo}
    assert client.get(f"/log/{played}/photo/{photo}").status_code == 404, "what is no picture is not shown"


def test_a_report_and_statistics_are_drawn_beside_the_page(client: TestClient, house: House) -> None:
    client.post("/begin", data={"game": "okinawa", "seed": "1"})
    name = house.tables[0].table.session.meta.id
    said = client.get(f"/log/{name}/report")
    assert said.status_code == 200
    policy = said.headers["content-security-policy"]
    assert re.search(r"style-src 'sha256-[\w+/=]+'", policy)
    assert "unsafe" not in policy
    assert f'<a href="/log/{name}">Back</a> <a href="/log">Logbook</a> <a href="/">Play</a>' in said.text
    said = client.get("/stats/okinawa")
    assert said.status_code == 200
    assert '<a href="/log?game=okinawa">Back</a>' in said.text
    assert client.get("/stats/chess").status_code == 422


def test_a_report_that_can_not_be_drawn_is_refused_with_its_reason(client: TestClient, played: str) -> None:
    said = client.get("/stats/toy")  # a game of these tests, which the process that draws does not know
    assert said.status_code == 422
    assert "no game &#39;toy&#39;" in said.text


def test_a_report_that_takes_too_long_is_given_up(
    client: TestClient, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[bool] = []

    class Worker:
        returncode = None

        async def communicate(self) -> None:
            await asyncio.sleep(60)

        def kill(self) -> None:
            killed.append(True)

        async def wait(self) -> None:
            assert killed

    async def start(*_: str, **__: int) -> Worker:
        return Worker()

    monkeypatch.setattr("asyncio.create_subprocess_exec", start)
    monkeypatch.setattr("companion.web.book_pages.PATIENCE", 0.01)
    said = client.get(f"/log/{played}/report")
    assert said.status_code == 504
    assert '<p class="error" role="alert">The report took too long.</p>' in said.text
    assert killed == [True]


def until(there: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not there():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_page_that_stops_draws_no_report_to_its_end(
    house: House, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, workers = f"/log/{play_small(house.journal)}/report", []

    async def start(*_: str, **pipes: int) -> asyncio.subprocess.Process:
        workers.append(await begin("sleep", "60", **pipes))
        return workers[0]

    begin = asyncio.create_subprocess_exec
    monkeypatch.setattr("asyncio.create_subprocess_exec", start)
    with (
        served(house, port) as address,
        socket.create_connection(urlsplit(address).netloc.split(":")) as phone,
    ):
        phone.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        until(lambda: workers)
    with pytest.raises(ProcessLookupError):
        os.kill(workers[0].pid, 0)


def test_a_report_whose_process_is_killed_as_where_memory_runs_short_is_told_of(
    client: TestClient, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def start(*_: str, **pipes: int) -> asyncio.subprocess.Process:
        return await begin("sh", "-c", "kill -9 $$", **pipes)

    begin = asyncio.create_subprocess_exec
    monkeypatch.setattr("asyncio.create_subprocess_exec", start)
    said = client.get(f"/log/{played}/report")
    assert said.status_code == 422
    assert "The report broke off" in said.text


@pytest.mark.parametrize("refused", [OSError(12, "Cannot allocate memory"), MemoryError()])
def test_a_report_whose_process_can_not_be_started_is_told_of(
    client: TestClient, played: str, monkeypatch: pytest.MonkeyPatch, refused: Exception
) -> None:
    async def start(*_: str, **__: int) -> None:
        raise refused

    monkeypatch.setattr("asyncio.create_subprocess_exec", start)
    said = client.get(f"/log/{played}/report")
    assert said.status_code == 422
    assert "The report broke off" in said.text


def test_where_no_thread_can_be_started_a_report_and_a_page_say_that_the_box_is_busy(
    client: TestClient, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(*_: object, **__: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("asyncio.create_subprocess_exec", start)
    monkeypatch.setattr(Journal, "sessions", start)
    for path in (f"/log/{played}/report", "/log"):
        said = client.get(path)
        assert said.status_code == 503
        assert "The box is too busy for that just now" in said.text


def test_another_fault_is_not_taken_for_a_busy_box(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sessions(_: Journal) -> None:
        raise RuntimeError("no order in this")

    monkeypatch.setattr(Journal, "sessions", sessions)
    with pytest.raises(RuntimeError, match="no order in this"):
        client.get("/log")


def test_a_report_that_nobody_waits_for_any_more_is_not_drawn(
    address: str, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[object] = []
    may_end = threading.Event()

    class Worker:
        returncode = 0

        async def communicate(self) -> tuple[bytes, bytes]:
            drawn.append(self)
            await asyncio.to_thread(may_end.wait, 20)
            return b"<p>report", b""

    async def start(*_: str, **__: int) -> Worker:
        return Worker()

    monkeypatch.setattr("asyncio.create_subprocess_exec", start)
    path = f"/log/{play_small(house.journal)}/report"
    for _ in range(4):  # as a thumb does that reloads
        with socket.create_connection(urlsplit(address).netloc.split(":")) as phone:
            phone.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            until(lambda: drawn)
            time.sleep(0.05)
    threading.Timer(0.5, may_end.set).start()
    with urlopen(address + path) as report:
        assert report.read() == b"<p>report"
    assert len(drawn) == 2, "the first, which was being drawn, and the last"
