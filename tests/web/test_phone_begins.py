"""What a phone begins on the box's page is played at the box, if that is in no other game."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

import vision
from companion.cli.box_page import BoxPage
from companion.engine import Game, Journal, Session, Wish
from companion.engine.errors import JournalError
from companion.engine.records import RolledDie
from companion.screens.intents import Button, Quit
from companion.table import loop as loops
from companion.table.box import AtBox, Box, Ways
from companion.table.camera_dice import CameraDice
from companion.table.config import PageSettings
from companion.table.dice import CAMERA
from companion.table.events import Begun, Closed, Press, PutAway
from companion.table.loop import Loop
from companion.table.table import Table
from companion.web.access import Access
from companion.web.house import House, Library
from companion.web.table_pages import draw
from tests.engine.toy import PACKS
from tests.table import film
from tests.table.bench import Bench, Running, Seat, wait_until
from tests.web.test_box_page import asked

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FIRST = "die for"
"""Of the flag war's first question."""


class BoxOnBench:
    """A box with its page, and somebody who looks at its screen."""

    def __init__(self, port: int, data: Path, bench: Bench, journal: Journal, page: BoxPage) -> None:
        self.bench, self.journal, self.page = bench, journal, page
        self._port = port
        self._seat = Seat()
        ways = Ways(page=page.beside, phones=page.way_in, take=page.take)
        box = Box(data, journal, bench.devices, bench.events, [self._seat, page], ways)
        self.running = Running(bench, box.run)

    def shows(self, words: str) -> bool:
        return any(words in line for line in self._seat.lines)

    def shown(self, words: str) -> None:
        wait_until(lambda: self.shows(words), 60.0)

    @property
    def house(self) -> House:
        assert self.page._house is not None
        return self.page._house

    def reads(self, words: str, path: str = "/") -> None:
        """Wait until a phone reads these words there, which asks no oftener than it may."""
        wait_until(lambda: time.sleep(0.2) or words in self.get(path), 60.0)

    def rolls_with_the_keys(self) -> None:
        for button in (Button.UP, Button.OK, Button.OK):
            self.bench.press(button)

    def get(self, path: str = "/") -> str:
        return asked(self._port, path)

    def post(self, path: str, form: str = "") -> str:
        return asked(self._port, path, form.encode())

    def begin(self, form: str = "game=flag_war&dice=manual") -> str:
        """A phone begins a game; the path of its table."""
        return path_of(self.post("/begin", form))

    def goes_on(self, path: str) -> bool:
        """Whether the page leads to that table."""
        return f'href="{path}"' in self.get()


def path_of(page: str) -> str:
    (path,) = set(re.findall(r"/s/[\w-]+", page))
    return path


@contextmanager
def a_box(
    port: int, data: Path, monkeypatch: pytest.MonkeyPatch, kinds: tuple[str, ...] = ()
) -> Iterator[BoxOnBench]:
    """At its home menu, with its page open."""
    with Bench(monkeypatch, kinds) as bench, Journal(data) as journal:
        at_box = AtBox(bench.events.put, lambda: bench.devices.readers)
        with BoxPage(PageSettings(lan=False, port=port), data, wait=0, box=at_box) as page:
            box = BoxOnBench(port, data, bench, journal, page)
            box.shown("What shall it be?")
            wait_until(lambda: page._house is not None)
            yield box
            box.running.stop()


@pytest.fixture
def no_lockout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops, "LOCKOUT", 0.0)


@pytest.mark.usefixtures("no_lockout")
def test_what_a_phone_begins_is_on_the_boxs_screen_and_its_buttons_and_the_phone_play_it(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_box(port, tmp_path, monkeypatch, ("buttons",)) as box:
        path = box.begin()
        box.shown(f"North: one {FIRST}")
        box.rolls_with_the_keys()
        box.reads("South: one die for the start", path)
        n = re.findall(r'name="n" value="(\d+)"', box.get(path))[0]
        box.post(f"{path}/answer", f"n={n}&die0=5")
        wait_until(lambda: not box.shows(FIRST))
        entries = box.journal.entries(path.removeprefix("/s/"))
        assert [entry.item.answer for entry in entries][:2] == [["2"], ["5"]]


def test_what_the_box_can_not_take_over_is_on_the_page_no_more_and_is_gone_on_with_there(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = [JournalError("no disk")]

    def misread(session: Session) -> tuple[RolledDie, ...]:
        if failing:
            raise failing.pop()
        return ()

    with a_box(port, tmp_path, monkeypatch, ("buttons",)) as box:
        monkeypatch.setattr(Session, "misread", misread)
        box.post("/begin", "game=flag_war&dice=manual")
        box.shown("no disk")
        (begun,) = box.journal.sessions()
        assert box.house.live(begun.id) is None
        box.post("/resume", f"session={begun.id}")
        box.shown(f"North: one {FIRST}")


@pytest.mark.usefixtures("no_lockout")
def test_with_a_camera_its_dice_are_offered_and_read_as_if_it_was_begun_at_the_box(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reel = film.Film().rest({}, 1.0).throw({(100, 100): 5}).rest({(100, 100): 5}, 20.0)

    def opened(dice: str, camera: str | None, data: Path, misread: tuple[RolledDie, ...]) -> CameraDice:
        assert dice == CAMERA
        return CameraDice(reel.camera(), taught=data / "dice", pictures=data / "pictures")

    monkeypatch.setattr(vision, "read", film.read)
    monkeypatch.setattr("companion.table.box.open_source", opened)
    with a_box(port, tmp_path, monkeypatch, ("camera",)) as box:
        form = box.get().split('name="game" value="flag_war"')[1].split("</form>")[0]
        assert '<option value="camera">The camera reads mine' in form
        assert "A camera or a tower" not in form
        path = box.begin("game=flag_war&dice=camera")
        box.reads("South: one die for the start", path)
        (first,) = box.journal.entries(path.removeprefix("/s/"))
        assert first.item.answer == ["5"]
        assert first.item.by == CAMERA


@pytest.mark.usefixtures("no_lockout")
def test_of_two_phones_at_once_each_has_its_game_and_the_box_plays_one(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_box(port, tmp_path, monkeypatch) as box, ThreadPoolExecutor(2) as phones:
        paths = list(phones.map(lambda _: box.begin(), range(2)))
        assert len(set(paths)) == 2
        box.shown(FIRST)
        house = box.house
        wait_until(lambda: sum(house.owns(live) for live in house.tables) == 1)
        for path in paths:
            box.post(f"{path}/answer", "n=1&die0=4")
            assert "South: one die for the start" in box.get(path)


@pytest.mark.usefixtures("no_lockout")
def test_what_a_phone_begins_while_the_box_is_in_a_game_is_on_the_page_alone_and_the_form_says_so(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_box(port, tmp_path, monkeypatch, ("camera",)) as box:
        first = box.begin()
        box.shown(FIRST)
        box.reads("The box is in a game")
        assert "The camera reads mine" not in box.get()
        box.post(f"{first}/answer", "n=1&die0=4")
        box.shown("South: one")
        second = box.begin("game=flag_war&dice=camera")
        box.post(f"{second}/answer", "n=1&die0=6")
        assert "South: one die" in box.get(second)
        assert box.shows("South: one")
        box.post(f"{second}/leave")
        assert not box.goes_on(second)
        assert box.goes_on(first)
        assert box.shows("South: one")
        with Journal(tmp_path) as journal:
            assert journal.session(second.removeprefix("/s/")).dice == CAMERA, (
                "it is read once it goes on here"
            )


def test_a_press_that_was_meant_for_the_menu_answers_nothing_of_the_phones_game(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loops, "LOCKOUT", 60.0)
    with a_box(port, tmp_path, monkeypatch) as box:
        path = box.begin("game=flag_war&dice=software")
        for keyboard in (False, True) * 5:  # of a long text it is the last that answers
            box.bench.events.put(Press(Button.OK, keyboard=keyboard))
        box.shown("begins")
        box.bench.press(Button.OK)
        box.bench.events.put(PutAway(path.removeprefix("/s/")))
        box.shown("Go on")
        assert "player" not in [entry.item.by for entry in box.journal.entries(path.removeprefix("/s/"))]


@pytest.mark.usefixtures("no_lockout")
@pytest.mark.parametrize("in_a_list", [False, True], ids=["settings", "a list of values"])
def test_a_phone_begins_while_somebody_is_in_the_boxs_menu(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, in_a_list: bool
) -> None:
    with a_box(port, tmp_path, monkeypatch) as box:
        box.bench.press(Button.OK)
        box.shown("Start")
        box.bench.press(Button.DOWN)
        if in_a_list:
            box.bench.press(Button.OK)
            wait_until(lambda: not box.shows("Start"))
        box.begin()
        box.shown(FIRST)
        box.rolls_with_the_keys()
        box.shown("South: one")


@pytest.mark.usefixtures("no_lockout")
def test_a_box_that_begins_a_game_of_its_own_just_then_plays_that(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_box(port, tmp_path, monkeypatch, ()) as box:
        box.bench.press(Button.OK)
        box.shown("Start")
        house, put = box.house, box.bench.events.put
        tells = AtBox(lambda event: put(Press(Button.OK, keyboard=True)) or put(event), list)
        monkeypatch.setattr(house, "box", tells)
        path = box.begin()
        wait_until(lambda: house.box_plays)
        own = [live for live in house.tables if not house.owns(live)]
        assert [live.path for live in own] != [path]
        assert box.goes_on(path)


@pytest.mark.usefixtures("no_lockout")
@pytest.mark.parametrize("kinds", [(), ("oled", "buttons")], ids=["without any device", "with keys"])
def test_a_phone_puts_the_boxs_game_away_and_goes_on_with_it(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kinds: tuple[str, ...]
) -> None:
    with a_box(port, tmp_path, monkeypatch, kinds) as box:
        path = box.begin()
        box.shown(FIRST)
        assert f'action="{path}/leave"' in box.get(path)
        assert not (left := f'href="{path}"' in box.post(f"{path}/leave")), left
        box.shown("Go on")
        assert not (tmp_path / "playing").exists()
        assert path_of(box.post("/resume", f"session={path.removeprefix('/s/')}")) == path
        box.shown(FIRST)


@pytest.mark.usefixtures("no_lockout")
def test_a_game_that_is_over_makes_way_at_the_box_for_what_a_phone_begins(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_box(port, tmp_path, monkeypatch, ()) as box:
        over = box.begin("game=flag_war&dice=software&seed=1")
        wait_until(lambda: box.house.box_plays)
        (live,) = box.house.tables
        live.table._auto = "random"
        live.table.settle()
        assert live.table.outcome is not None
        assert box.goes_on(over)
        assert "The box is in a game" not in box.get()
        path = box.begin()
        box.shown(FIRST)
        assert box.goes_on(path)
        assert not box.goes_on(over)


@pytest.mark.usefixtures("no_lockout")
def test_a_form_that_is_sent_again_while_the_box_plays_its_game_begins_no_other(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_box(port, tmp_path, monkeypatch, ("camera",)) as box:
        twice = "game=flag_war&dice=camera&form=abc"
        path = box.begin(twice)
        box.shown(FIRST)
        assert box.begin(twice) == path
        assert len(box.journal.sessions()) == 1


@pytest.mark.usefixtures("no_lockout")
def test_after_a_loss_of_power_it_is_at_the_box_again(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_box(port, tmp_path, monkeypatch) as box:
        path = box.begin()
        box.shown(FIRST)
        box.rolls_with_the_keys()
        box.shown("South: one")
    with Bench(monkeypatch, ()) as bench, Journal(tmp_path) as journal:
        seat = Seat()
        again = Running(bench, Box(tmp_path, journal, bench.devices, bench.events, [seat]).run)
        wait_until(lambda: any("South: one" in line for line in seat.lines))
        assert (tmp_path / "playing").read_text() == path.removeprefix("/s/")
        again.stop()


# The house and its box


@pytest.fixture
def told() -> SimpleQueue[object]:
    return SimpleQueue()


@pytest.fixture
def readers() -> list[str]:
    return ["camera"]


@pytest.fixture
def house(tmp_path: Path, library: Library, told: SimpleQueue[object], readers: list[str]) -> Iterator[House]:
    access = Access(tmp_path / "data" / "page")
    house = House(tmp_path / "data", library, access, draw, AtBox(told.put, lambda: readers))
    yield house
    house.close()


def test_a_box_that_is_told_to_stop_before_it_took_the_game_leaves_it_to_the_page(
    house: House, toy: Game, told: SimpleQueue[object]
) -> None:
    live = house.begin(toy, Wish(seed=1))
    name = live.table.session.meta.id
    assert told.get_nowait() == Begun(name)
    live.table.answer(1, "stones", "phone")
    house.close()
    assert house.give(name) is None
    again = House(house.data, house.library, house.access, house._draw, house.box)
    again.reopen()
    assert told.empty(), "what was open before is no news"
    assert [one.table.n for one in again.tables] == [live.table.n]
    again.close()


def test_a_game_that_its_phone_put_away_at_once_is_not_taken_over(
    client: TestClient, house: House, toy: Game
) -> None:
    live = house.begin(toy, Wish(seed=1))
    client.post(f"{live.path}/leave")
    assert house.give(live.table.session.meta.id) is None
    assert house.tables == []


def test_a_game_that_the_box_has_is_the_same_table_and_neither_opened_again_nor_put_away_with_the_page(
    house: House, toy: Game
) -> None:
    live = house.begin(toy, Wish(seed=1))
    name = live.table.session.meta.id
    table = house.give(name)
    assert table is live.table
    assert house.give(name) is None
    with house.shared(table):
        assert house.live(name) is live, "streams of phones go on"
        house.close()
        table.answer(1, "stones", "phone")
    assert live.is_over
    table.session.close()
    table.session.journal.close()
    again = House(house.data, house.library, house.access, house._draw)
    again.reopen()
    assert again.tables == []
    again.close()


def test_a_box_that_does_not_answer_keeps_no_phone_waiting(
    client: TestClient,
    house: House,
    toy: Game,
    told: SimpleQueue[object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.web.house.AT_ONCE", 0.05)
    live = house.begin(toy, Wish(seed=1))
    table = house.give(live.table.session.meta.id)
    assert table is not None
    assert client.post(f"{live.path}/leave").status_code == 303
    assert [told.get_nowait() for _ in range(2)][1] == PutAway(live.table.session.meta.id)
    assert house.live(live.table.session.meta.id) is live, "it is played on"
    with table.session.journal, table.session:
        pass


def test_a_phone_that_waits_for_the_box_does_not_hold_up_a_page_that_stops(
    house: House, toy: Game, told: SimpleQueue[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.house.AT_ONCE", 60.0)
    name = house.begin(toy, Wish(seed=1)).table.session.meta.id
    table = house.give(name)
    assert table is not None
    with table.session.journal, table.session, ThreadPoolExecutor(1) as phone:
        left = phone.submit(house.leave, name)
        assert [told.get(timeout=10) for _ in range(2)][1] == PutAway(name)
        house.hush()
        left.result(timeout=10)


@pytest.mark.parametrize(
    ("wished", "there", "begun"),
    [
        ("camera", ["camera"], "camera"),
        ("serial", ["camera"], "manual"),
        ("camera", [], "manual"),
        ("software", ["camera"], "software"),
        ("manual", ["camera"], "manual"),
    ],
)
def test_a_reader_that_is_gone_since_the_form_was_opened_leaves_real_dice(
    client: TestClient, house: House, readers: list[str], wished: str, there: list[str], begun: str
) -> None:
    readers[:] = there
    client.post("/begin", data={"game": "toy", "dice": wished})
    assert house.tables[0].table.session.meta.dice == begun


@pytest.mark.parametrize(
    ("last", "there", "opens_on"),
    [
        (None, ["serial"], "The tower counts mine"),
        (None, ["camera", "serial"], "The camera reads mine"),
        ("software", ["camera"], "The companion rolls"),
        ("manual", ["camera", "serial"], "The camera reads mine"),
        ("serial", ["camera", "serial"], "The tower counts mine"),
        ("camera", [], "I roll and enter them"),
    ],
)
def test_the_form_opens_on_the_dice_of_the_last_game_or_the_reader_that_is_there_now(
    client: TestClient,
    house: House,
    toy: Game,
    readers: list[str],
    last: str | None,
    there: list[str],
    opens_on: str,
) -> None:
    readers[:] = there
    if last is not None:
        house.begin(toy, Wish(seed=1, dice=last))
    form = client.get("/").text.split('name="game" value="toy"')[1].split("</form>")[0]
    dice = form.split('name="dice">')[1].split("</select>")[0]
    titles = re.findall(r"<option value=\"\w+\"( selected)?>([^<]+)", dice)
    assert next((title for chosen, title in titles if chosen), titles[0][1]) == opens_on


@pytest.mark.parametrize("outcome", [False, True], ids=["in a game", "at its end"])
def test_a_loop_leaves_for_a_phones_game_only_when_its_own_is_over(
    tmp_path: Path, toy: Game, monkeypatch: pytest.MonkeyPatch, *, outcome: bool
) -> None:
    with Journal(tmp_path) as journal, Session.create(journal, toy, PACKS, Wish(seed=1)) as session:
        table = Table(session, tmp_path)
        monkeypatch.setattr(Table, "outcome", property(lambda _: object() if outcome else None))
        events: SimpleQueue[object] = SimpleQueue()
        for event in (PutAway("another"), Begun("another"), PutAway(session.meta.id), Closed()):
            events.put(event)
        done = Loop(table, events, []).run()
    assert done == (Begun("another") if outcome else Quit())


@pytest.mark.usefixtures("no_lockout")
def test_in_a_browser_the_box_and_the_phone_play_on_the_same_page_until_the_phone_puts_it_away(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chromium: Browser
) -> None:
    with a_box(port, tmp_path, monkeypatch) as box:
        page = chromium.new_page(base_url=f"http://127.0.0.1:{port}", viewport={"width": 360, "height": 740})
        page.set_default_timeout(20_000)
        page.goto("/")
        page.get_by_text("The flag war").click()
        form = page.locator("details[open] form")
        form.locator("select[name=dice]").select_option("manual")
        form.get_by_role("button", name="Begin").click()
        page.wait_for_selector("text=North: one die for the start")
        box.shown("North: one die")
        box.rolls_with_the_keys()
        page.wait_for_selector("text=South: one die for the start")
        page.locator("#ask button[value='5']").click()
        box.shown("begins")
        page.get_by_role("button", name="Put the session away").click()
        page.wait_for_selector("text=Unfinished")
        box.shown("Go on")
        page.context.close()
