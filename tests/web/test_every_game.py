"""Every game there is can be played by what the page's forms offer, with real dice and cards and without."""

import re
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest
from starlette.testclient import TestClient

from companion import games
from companion.engine.override import value_at
from companion.table.typed import assignment
from companion.web.access import Access, Bucket, Role
from companion.web.house import House, Library
from companion.web.live import Live
from companion.web.table_pages import draw
from tests.web.conftest import client_of

STEPS = 80


class Form(HTMLParser):
    """The fields of the ask's form, as a finger finds them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.hidden: dict[str, str] = {}
        self.buttons: list[str] = []
        self.boxes: list[str] = []
        self.dice: dict[str, list[str]] = {}
        self.selects: list[list[str]] = []
        self.number: tuple[int, int] | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, found: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in found}
        match tag, has.get("type", ""):
            case "input", "hidden":
                self.hidden[has["name"]] = has["value"]
            case "input", "checkbox":
                self.boxes.append(has["value"])
            case "input", "radio":
                self.dice.setdefault(has["name"], []).append(has["value"])
            case "input", "number":
                self.number = int(has["min"]), int(has["max"])
            case "button", _ if has.get("name") == "answer":
                self.buttons.append(has["value"])
            case "button", _ if has.get("name", "").startswith("die"):
                self.dice.setdefault(has["name"], []).append(has["value"])
            case "select", _:
                self.selects.append([])
            case "option", _ if has.get("value"):
                self.selects[-1].append(has["value"])

    def filled(self, rng: Random, least: int) -> dict[str, object]:
        """The form filled in at random; of boxes, as few as may be."""
        sent: dict[str, object] = dict(self.hidden)
        sent |= {name: rng.choice(faces) for name, faces in self.dice.items()}
        if self.buttons:
            sent["answer"] = rng.choice(self.buttons)
        elif self.boxes:
            sent["answer"] = rng.sample(self.boxes, least)
        elif self.number:
            sent["answer"] = str(rng.randint(*self.number))
        elif self.selects:
            sent["answer"] = rng.choices(self.selects[0], k=len(self.selects))
        return sent


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Bucket, "take", lambda self, client: True)
    house = House(tmp_path / "data", Library(games.names, games.load), Access(tmp_path / "page"), draw)
    with client_of(house) as client:
        yield client, house


@pytest.mark.parametrize("chance", ["software", "manual"])
@pytest.mark.parametrize("name", games.names())
def test_a_game_is_played_by_its_forms(real: tuple[TestClient, House], name: str, chance: str) -> None:
    client, house = real
    rng = Random(11)
    begun = client.post("/begin", data={"game": name, "seed": "4", "dice": chance, "cards": chance})
    assert begun.status_code == 303, begun.text
    (live,) = house.tables
    for _ in range(STEPS):
        if live.table.ask is None:
            break
        n = live.table.n
        while live.table.n == n:
            # More cards of a kind than there are: the page says so, and the ask stands.
            sent = filled(live, rng)
            said = client.post(
                f"{live.path}/answer", data=sent, headers={"Accept": "application/json"}
            ).json()
            assert said["error"] == "" or "the deck can have" in said["error"]
        ET.fromstring(client.get(f"{live.path}/board.svg").text)
    drawn, beside = (ET.fromstring(client.get(f"{live.path}/board.svg{v}").text) for v in ("", "?v=1"))
    assert (drawn.get("width"), drawn.get("height")) == (None, None), "as large as it may be"
    assert [beside.get("width"), beside.get("height")] == drawn.get("viewBox").split()[2:]
    assert drawn[0].tag.endswith("title"), "who can't see the picture is told what it is"
    page = client.get(live.path)
    assert page.status_code == 200
    assert f"<p>{escape(live.table.board().title)}</p>" in page.text
    held = client.get(f"{live.path}/state").text
    shown = re.findall(r'name="path" value="(.*?)">\s*<label>.*<input name="value" value="(.*?)"', held)
    for path, value in (map(unescape, one) for one in shown):
        told = assignment(f"{path} = {value}")
        assert told == (path, value_at(live.table.session.play.state, path)), "set as it is shown"
    settable = [*live.table.state] if live.table.ask is not None else []
    assert list(dict.fromkeys(path.partition(".")[0] for path, _ in shown)) == settable
    assert client.get(f"/packs/{name}").status_code == 200


def filled(live: Live, rng: Random) -> dict[str, object]:
    least = getattr(live.table.ask, "least", 0)
    return Form(live.frame(Role.ACT).ask).filled(rng, least)


def test_the_form_of_a_game_opens_as_it_was_begun_the_last_time_and_asks_who_draws_where_there_are_cards(
    tmp_path: Path,
) -> None:
    house = House(tmp_path, Library(games.names, games.load), Access(tmp_path / "page"), draw)
    begun = {"scenario": "omaha", "set.players": "2", "set.def_by": "chevrons", "cards": "manual"}
    with client_of(house) as client:
        assert client.post("/begin", data={"game": "dday_dice", "seed": "7", **begun}).status_code == 303
        forms = client.get("/").text.split('<input type="hidden" name="game" value="')[1:]
    house.close()
    chosen = {form.split('"', 1)[0]: re.findall(r" selected>([^<]*)<", form) for form in forms}
    assert {"Omaha Beach", "I draw from the real decks", "2", "chevrons"} <= {*chosen.pop("dday_dice")}
    assert not any(chosen.values())
    cardless = [name for name in games.names() if not games.load(name).draws]
    assert [form.split('"', 1)[0] for form in forms if 'name="cards"' not in form] == cardless
