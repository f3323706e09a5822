"""What every request passes first."""

import re
import socket
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from companion.web.access import Access, Bucket
from companion.web.guard import A_SECOND, BURST, LARGEST_BODY, Guard, int_or_zero, is_ours
from companion.web.house import House, Library
from companion.web.live import Live
from companion.web.table_pages import draw
from tests.web.conftest import client_of

PAGES = ["/", "/packs", "/packs/toy", "/packs/toy/card/a", "/log", "/phones", "/pair"]


@pytest.mark.parametrize("path", [*PAGES, "/nothing", "/static/page.css"])
def test_every_answer_has_the_strict_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_script_or_style_in_it_or_fetches_from_outside(client: TestClient, path: str) -> None:
    page = client.get(path).text
    assert "<script>" not in page
    assert "<style" not in page
    assert " style=" not in page
    assert " onclick" not in page
    assert 'src="http' not in page
    assert 'href="http' not in page


def test_a_page_is_never_an_old_one(client: TestClient) -> None:
    assert client.get("/").headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("text", "number"), [("7", 7), (None, 0), ("", 0), ("-7", 0), ("x", 0), ("9" * 5000, 0)]
)
def test_a_length_that_is_none_is_no_fault(text: str | None, number: int) -> None:
    assert int_or_zero(text) == number


def test_a_form_of_another_site_changes_nothing(client: TestClient, live: Live) -> None:
    n = live.table.n
    for origin in ("http://evil.example", "null", "", "http://127.0.0.1.evil.example"):
        said = client.post(f"{live.path}/answer", data={"n": n, "answer": "dice"}, headers={"Origin": origin})
        assert said.status_code == 403
    del client.headers["Origin"]
    assert client.post(f"{live.path}/answer", data={"n": n, "answer": "dice"}).status_code == 403
    assert live.table.n == n


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil.example:80"])
def test_a_foreign_name_that_points_here_gets_nothing(client: TestClient, host: str) -> None:
    said = client.get("/", headers={"Host": host})
    assert said.status_code == 421
    assert "by its address" in said.text


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST.:8080",
        "127.0.0.1:8080",
        "[::1]:8080",
        "[::1]",
        "192.168.1.5:8080",
        f"{socket.gethostname()}.local:80",
    ],
)
def test_the_machines_own_names_and_addresses_are_known(host: str) -> None:
    assert is_ours(host)


def test_a_machine_whose_name_has_a_domain_is_known_without_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Box.home.example")
    assert all(map(is_ours, ("box.home.example", "BOX.local:8080", "box")))
    assert not any(map(is_ours, ("other.home.example", "home.example", "box.example", "example.local")))


def test_a_body_that_is_too_large_is_refused(client: TestClient, live: Live) -> None:
    said = client.post("/begin", content=b"x" * (LARGEST_BODY + 1))
    assert (said.status_code, said.text) == (413, "More than 2048 kB are not taken.")

    def endless():
        for _ in range(80):
            yield b"x" * (LARGEST_BODY // 64)

    said = client.post(
        "/begin", content=endless(), headers={"Content-Type": "multipart/form-data; boundary=x"}
    )
    assert said.status_code == 413


def test_a_body_that_goes_on_after_an_answer_has_begun_is_not_answered_twice(tmp_path: Path) -> None:
    async def app(_: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while True:
            await receive()

    client = TestClient(Guard(app, Access(tmp_path)), base_url="http://127.0.0.1", client=("127.0.0.1", 1))
    said = client.request("GET", "/", content=(b"x" * LARGEST_BODY for _ in range(2)))
    assert said.status_code == 200


def test_of_who_is_not_paired_no_more_than_a_code_and_a_name_is_taken(house: House) -> None:
    name = "Ж" * 40
    with client_of(house, address="192.168.7.7", host="192.168.7.1") as stranger:
        said = stranger.post("/pair", data={"code": "x" * 5000})
        assert (said.status_code, said.text) == (413, "More than 4 kB are not taken.")
        assert stranger.post("/begin", data={"seed": "x" * 5000}).status_code == 401

        def endless():
            yield b"code="
            yield from (b"1" * 1000 for _ in range(5))

        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        assert stranger.post("/pair", content=endless(), headers=kind).status_code == 413
        paired = stranger.post("/pair", data={"code": house.access.code, "name": name})
        assert paired.headers["location"] == "/pair?paired"
        assert stranger.post("/begin", data={"seed": "x" * 5000}).status_code == 422
    assert [phone.name for phone in house.access.phones] == [name]


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/pair", 'name="code"\r\n\r\n\\ud800'),
        ("/begin", 'name="seed"\r\n\r\n\\ud800'),
        ("/packs/toy/import", 'name="file"; filename="\\ud800"\r\n\r\n1'),
    ],
)
def test_half_a_letter_that_a_form_made_of_its_own_charset_is_refused(
    client: TestClient, path: str, field: str
) -> None:
    body = f"--x\r\nContent-Disposition: form-data; {field}\r\n--x--\r\n".encode()
    kind = "multipart/form-data; boundary=x; charset=unicode_escape"
    refused = client.post(path, content=body, headers={"Content-Type": kind})
    assert refused.status_code == 422
    assert "the form could not be read" in refused.text


def test_too_many_requests_are_turned_away(tmp_path: Path) -> None:
    at_once = Bucket(BURST, A_SECOND, clock=lambda: 0.0)
    guard = Guard(PlainTextResponse("in"), Access(tmp_path), rate=at_once)
    client = TestClient(guard, base_url="http://127.0.0.1", client=("127.0.0.1", 50000))
    codes = [client.get("/").status_code for _ in range(BURST + 1)]
    assert codes == [200] * BURST + [429]


class TestFromThePhone:
    """As a phone in the same network sees it."""

    @pytest.fixture
    def phone(self, house: House):
        with client_of(house, "192.168.1.9", "192.168.1.5:8080") as phone:
            yield phone

    @pytest.mark.parametrize("path", [path for path in PAGES if path != "/pair"])
    def test_it_is_sent_to_pair_first(self, phone: TestClient, path: str) -> None:
        said = phone.get(path)
        assert (said.status_code, said.headers["location"]) == (303, "/pair")

    def test_the_page_on_which_it_pairs_has_its_style(self, phone: TestClient) -> None:
        (style,) = re.findall(r'<link rel="stylesheet" href="([^"]*)"', phone.get("/pair").text)
        assert phone.get(style).status_code == 200

    def test_it_may_not_act(self, phone: TestClient) -> None:
        assert phone.post("/begin", data={"game": "toy"}).status_code == 401

    def test_that_it_may_not_act_is_told_on_a_page_with_the_way_to_pair(self, phone: TestClient) -> None:
        said = phone.post("/begin", data={"game": "toy"}, headers={"Accept": "text/html,*/*;q=0.8"})
        assert said.status_code == 401
        assert '<p class="error" role="alert">Pair this phone first.</p>' in said.text
        assert '<a class="button" href="/">' in said.text

    def test_pairing_is_refused_with_a_wrong_code(self, phone: TestClient, house: House) -> None:
        said = phone.post("/pair", data={"code": "wrong", "name": "x"})
        assert said.status_code == 422
        assert "not the code" in said.text
        assert 'name="code"' in said.text, "to try again"
        assert "set-cookie" not in said.headers

    def test_who_guesses_at_the_code_keeps_no_other_phone_out(self, phone: TestClient, house: House) -> None:
        for _ in range(6):
            said = phone.post("/pair", data={"code": "wrong"})
        assert "Too many tries" in said.text
        with client_of(house, "192.168.1.10", "192.168.1.5:8080") as other:
            assert other.post("/pair", data={"code": house.access.code}).status_code == 303

    def test_pairing_is_granted_with_the_right_one(self, phone: TestClient, house: House) -> None:
        said = phone.post("/pair", data={"code": house.access.code, "name": "Ann"})
        assert said.status_code == 303
        cookie = said.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert "Max-Age=31536000" in cookie, "it outlives the browser's evening"
        assert phone.get("/").status_code == 200
        assert phone.post("/begin", data={"game": "toy"}).headers["location"].startswith("/s/toy-")

    def test_pairing_again_as_by_the_qr_code_of_another_evening_adds_no_phone(
        self, phone: TestClient, house: House
    ) -> None:
        for _ in range(2):
            assert phone.post("/pair", data={"code": house.access.code, "name": "Ann"}).status_code == 303
            assert phone.get("/").status_code == 200
        assert [paired.name for paired in house.access.phones] == ["Ann"]

    def test_who_keeps_no_cookie_is_told_so_and_who_does_is_let_in(
        self, phone: TestClient, house: House
    ) -> None:
        assert "Allow cookies" not in phone.get("/pair").text
        after = phone.post("/pair", data={"code": house.access.code}).headers["location"]
        assert phone.get(after).headers["location"] == "/"
        phone.cookies.clear()
        assert "Allow cookies" in phone.get(after).text

    def test_it_is_forgotten_at_once(self, phone: TestClient, house: House) -> None:
        phone.post("/pair", data={"code": house.access.code})
        phone.post("/phones/forget", data={"key": house.access.phones[0].key})
        assert phone.get("/").status_code == 303

    def test_it_hears_of_a_session_until_it_is_forgotten(
        self, phone: TestClient, house: House, live: Live
    ) -> None:
        phone.post("/pair", data={"code": house.access.code})
        key = house.access.phones[0].key
        live.frame = lambda role: house.access.forget(key) or Live.frame(live, role)
        heard = phone.get(f"{live.path}/events").text  # which ends then
        assert heard.count("data: ") == 1
        assert f'"n":{live.table.n}' in heard

    @pytest.mark.parametrize("other", ['seen={"tour": 1}', "dark", "path=/", 'a="b', "n=\xe9"])
    def test_cookies_of_other_programs_on_the_machine_are_not_in_its_way(
        self, phone: TestClient, house: House, other: str
    ) -> None:
        token = house.access.pair("192.168.1.9", house.access.code, "Ann")
        for cookies in (f"{other}; companion={token}", f"companion={token}; {other}"):
            assert phone.get("/", headers={"Cookie": cookies.encode("latin-1")}).status_code == 200

    def test_garbage_in_the_cookie_is_no_cookie(self, phone: TestClient) -> None:
        for cookie in ("companion=x", "companion=", "\x80=;;;", "companion=\x7f; companion", "=" * 4000):
            assert phone.get("/", headers={"Cookie": cookie.encode("latin-1")}).status_code == 303


def test_a_watcher_sees_no_buttons_and_may_not_act(tmp_path: Path, library: Library) -> None:
    house = House(tmp_path / "data", library, Access(tmp_path / "page", watchers=True), draw)
    with client_of(house) as box:
        path = box.post("/begin", data={"game": "toy"}).headers["location"]
    house = House(tmp_path / "data", library, Access(tmp_path / "page", watchers=True), draw)
    house.reopen()
    with client_of(house, "192.168.1.9", "192.168.1.5") as watcher:
        page = watcher.get(path).text
        assert "You are watching" in page
        assert "<form" not in page
        n = house.tables[0].table.n
        assert watcher.post(f"{path}/answer", data={"n": n, "answer": "dice"}).status_code == 403
        assert house.tables[0].table.n == n
        assert "<form" not in watcher.get("/").text
        assert house.access.code not in watcher.get("/phones").text
