"""Forms, uploads and stream parameters, whatever is sent: refused in order, never a fault of ours (R8)."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from companion.web.access import Access, Bucket
from companion.web.app import create_app
from companion.web.house import House, Library
from companion.web.table_pages import draw

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "150"))
RIGHT = {200, 204, 303, 400, 403, 404, 405, 413, 422, 429, 503}

NAMES = """
n answer steps path value die0 die1 game session seed scenario dice cards set.top code key table name add
remove add:effects effects.0 file text rating people place compared forget seen replace row.0 row.0.top
"""
names = st.sampled_from(NAMES.split())
values = st.one_of(
    st.text(max_size=30),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(["dice", "stones", "ok", "on", "toy", "okinawa", "card", "../../x", "\x00", "a" * 3000]),
)
printed = st.characters(codec="utf-8", exclude_categories=["C"])
fields = st.dictionaries(names, st.lists(values, max_size=3) | values, max_size=6)
POSTS = [
    "/begin", "/resume", "/pair", "/phones/forget", "{live}/answer", "{live}/undo", "{live}/redo",
    "{live}/override", "{log}/note", "/packs/toy/new", "/packs/toy/import", "/packs/toy/card/x",
    "/packs/toy/card/x/check", "/packs/okinawa/enemy/A", "/packs/okinawa/enemy/A/ask",
    "/packs/okinawa/objective/zz/check",
]  # fmt: skip


@pytest.fixture
def boundless(tmp_path: Path, library: Library, monkeypatch: pytest.MonkeyPatch) -> tuple[TestClient, House]:
    """The page without its rate limits, so that the fuzz gets through."""
    monkeypatch.setattr(Bucket, "take", lambda self, client: True)
    house = House(tmp_path / "data", library, Access(tmp_path / "page"), draw)
    client = TestClient(
        create_app(house), base_url="http://127.0.0.1", client=("127.0.0.1", 1), follow_redirects=False
    )
    client.headers["Origin"] = "http://127.0.0.1"
    with client:
        yield client, house


def _live(client: TestClient, house: House) -> str:
    if not house.tables:
        client.post("/begin", data={"game": "toy", "set.top": "60", "seed": "1"})
    return house.tables[0].path


def _checked(house: House) -> None:
    for live in list(house.tables)[1:]:
        house.leave(live.table.session.meta.id)
    assert list(house.tables[0].table.session.play.check()) == []
    inside = {path.name for path in house.data.parent.iterdir()}
    assert inside <= {"data", "page", "toy"}


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=st.sampled_from(POSTS), sent=fields, json=st.booleans())
def test_any_form_is_taken_or_refused_in_order(
    boundless: tuple[TestClient, House], where: str, sent: dict[str, object], json: bool
) -> None:
    client, house = boundless
    live = _live(client, house)
    path = where.format(live=live, log=live.replace("/s/", "/log/"))
    sent = {"n": str(house.tables[0].table.n)} | sent
    headers = {"Accept": "application/json"} if json else {}
    assert client.post(path, data=sent, headers=headers).status_code in RIGHT
    _checked(house)


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    where=st.sampled_from(POSTS),
    body=st.binary(max_size=400),
    kind=st.sampled_from(
        ["application/x-www-form-urlencoded", "multipart/form-data", "multipart/form-data; boundary=x", "x"]
    ),
)
def test_any_bytes_for_a_form_are_refused_in_order(
    boundless: tuple[TestClient, House], where: str, body: bytes, kind: str
) -> None:
    client, house = boundless
    live = _live(client, house)
    path = where.format(live=live, log=live.replace("/s/", "/log/"))
    for content in (body, b"--x\r\nContent-Disposition: form-data; name=n\r\n\r\n" + body + b"\r\n--x--"):
        assert client.post(path, content=content, headers={"Content-Type": kind}).status_code in RIGHT
    _checked(house)


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=300), name=st.text(max_size=40), head=st.booleans())
def test_any_upload_is_refused_in_order(
    boundless: tuple[TestClient, House], content: bytes, name: str, head: bool
) -> None:
    client, house = boundless
    _live(client, house)
    if head:
        content = b'[pack]\ngame = "toy"\nname = "x"\nsource = "owner"\n[card.' + content
    said = client.post("/packs/toy/import", files={"file": (name, content)})
    assert said.status_code in RIGHT
    _checked(house)


@settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    part=st.text(printed.filter(lambda one: one not in "?#"), max_size=30),
    query=st.text(printed, max_size=30),
    last=st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=30),
)
def test_any_address_and_stream_parameter_is_answered(
    boundless: tuple[TestClient, House], part: str, query: str, last: str
) -> None:
    client, house = boundless
    live = _live(client, house)
    for path in (
        f"/s/{part}/events",
        f"/s/{part}",
        f"{live}/die{part}.png",
        f"/log/{part}",
        f"/packs/{part}",
    ):
        said = client.get(path, params={"v": query, "game": query}, headers={"Last-Event-ID": last})
        assert said.status_code in RIGHT
