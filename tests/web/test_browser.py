"""The page on phones: a real headless Chromium, touched as a player touches it."""

from __future__ import annotations

from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from companion import games
from companion.engine import Game, Wish
from companion.engine.asks import Choose, Draw, Number, Option, Pick, Script, Show, ask
from companion.engine.autoplay import at_first
from companion.engine.owner_pack import add_owned
from companion.engine.packs import owned
from companion.engine.records import RolledDie, blob_name
from companion.engine.session import Evidence
from companion.engine.shelf import Shelf
from companion.table.entering import Draft, draft_file, enter
from companion.table.events import Seen
from companion.web.access import Access
from companion.web.house import House, Library
from companion.web.live import Live
from companion.web.table_pages import draw
from tests.engine.toy import Toy
from tests.web.conftest import Phone, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


def asks(page: Page, words: str) -> None:
    """Wait until the page asks this."""
    page.locator("#question", has_text=words).wait_for()


def tap(page: Page, words: str) -> None:
    page.locator("#ask").get_by_role("button", name=words, exact=True).tap()


def test_what_one_phone_answers_the_other_shows(phone: Phone, live: Live) -> None:
    first, second = phone(live.path), phone(live.path)
    tap(first, "Stones")
    asks(second, "How many stones?")
    tap(second, "2")
    asks(first, "Height 0")
    assert "How many stones? 2" in second.locator(".log").inner_text()
    assert live.table.session.play.state.bag.stones == 2


def test_what_is_answered_at_the_table_the_phone_shows(phone: Phone, live: Live) -> None:
    page = phone(live.path)
    live.table.answer(live.table.n, "stones")
    asks(page, "How many stones?")


def test_two_phones_that_answer_at_once_answer_once(phone: Phone, live: Live) -> None:
    first, second = phone(live.path), phone(live.path)
    for page in (first, second):
        page.route("**/events", lambda route: route.abort())
        page.reload()
    for page in (first, second):
        page.evaluate("document.querySelector('#ask button[value=stones]').click()")
    asks(first, "How many stones?")
    asks(second, "How many stones?")
    assert len(live.table.session.history) == 1
    assert first.locator("#trouble").is_hidden()
    assert second.locator("#trouble").is_hidden()


def test_what_is_told_in_several_lines_stands_below_each_other_and_in_the_log_on_one(
    phone: Phone, house: House
) -> None:
    live = house.begin(games.load("dday_dice"), Wish(seed=1, settings={"players": "2"}))
    while live.table.ask and live.table.ask.key != "dday_dice.combat":
        live.table.answer(live.table.n, at_first(live.table.ask))
    assert live.table.ask
    told = live.table.ask.text
    page = phone(live.path)
    assert len(told.splitlines()) == 2
    assert page.locator("#question").inner_text() == told
    tap(page, "OK")
    words = told.replace("\n", "; ")
    page.locator(".log", has_text=words).wait_for()
    page.get_by_role("link", name="The whole log").tap()
    page.locator(".log", has_text=words).wait_for()


def test_the_way_to_the_whole_log_is_as_high_as_a_thumb(phone: Phone, live: Live) -> None:
    box = phone(live.path).get_by_role("link", name="The whole log").bounding_box()
    assert box is not None
    assert box["height"] >= 48


def test_the_way_to_the_whole_state_of_a_game_that_is_over_is_as_high_as_a_thumb(
    phone: Phone, house: House, toy: Game
) -> None:
    live = house.begin(toy, Wish(seed=7, settings={"top": "5"}))
    while live.table.ask:
        live.table.answer(live.table.n, at_first(live.table.ask))
    box = phone(live.path).get_by_role("link", name="The whole state").bounding_box()
    assert box is not None
    assert box["height"] >= 48


@pytest.mark.parametrize("path", ["/nowhere", "{live}/state", "/stats/okinawa"])
def test_the_way_back_is_as_high_as_a_thumb(phone: Phone, live: Live, path: str) -> None:
    page = phone(path.format(live=live.path))
    box = page.get_by_role("link", name="Back").bounding_box()
    assert box is not None
    assert box["height"] >= 48


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("/packs/okinawa", "details li a:not(.button)"),
        ("/packs/okinawa/enemy/A", "main h1 a"),
        ("/packs/okinawa/enemy/A/ask", "main h1 a, main p a"),
    ],
)
def test_the_ways_from_pack_to_record_and_back_are_as_high_as_a_thumb(
    phone: Phone, house: House, path: str, where: str
) -> None:
    add_owned(house.owner_packs("okinawa"), "okinawa", {"objective": {"x": {"row": [["No such card"]]}}})
    page = phone(path)
    for summary in page.locator("summary", has_text="What is missing").all():
        summary.tap()
    boxes = [one.bounding_box() for one in page.locator(where).all()]
    assert boxes
    assert all(box and box["height"] >= 48 for box in boxes)


def test_the_last_answer_stands_apart_from_the_board_that_a_tap_opens(phone: Phone, live: Live) -> None:
    page = phone(live.path)
    assert page.locator("#ask details").count() == 0
    answer, board = page.locator("#ask button").last.bounding_box(), page.locator("#board").bounding_box()
    assert answer
    assert board
    assert board["y"] - (answer["y"] + answer["height"]) >= 8


def test_the_ways_out_of_a_logged_session_stand_apart(phone: Phone, house: House, live: Live) -> None:
    house.leave(live.table.session.meta.id)
    page = phone(live.path.replace("/s/", "/log/"))
    resume = page.get_by_role("button", name="Go on with it").bounding_box()
    report = page.get_by_role("link", name="Report", exact=True).bounding_box()
    assert resume
    assert report
    right, below = resume["x"] + resume["width"], resume["y"] + resume["height"]
    assert report["x"] - right >= 8 or report["y"] - below >= 8


@pytest.mark.parametrize("text", ["100%", "200%"])
def test_the_ways_at_the_top_stand_each_on_a_line_on_a_narrow_phone(
    phone: Phone, live: Live, text: str
) -> None:
    page = phone("/log", viewport={"width": 320, "height": 640})
    page.evaluate("size => document.documentElement.style.fontSize = size", text)
    lines = """links => links.map(link => {
        const words = document.createRange();
        words.selectNodeContents(link);
        return words.getClientRects().length;
    })"""
    assert page.locator("nav a").evaluate_all(lines) == [1, 1, 1, 1]
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_a_report_of_many_unusual_options_names_each_in_sight_on_a_phone(phone: Phone, house: House) -> None:
    game = games.load("dday_dice")
    live = house.begin(game, Wish(seed=1, settings={one.name: one.choices[1] for one in game.settings}))
    page = phone("/")
    page.goto(f"{live.path.replace('/s/', '/log/')}/report", timeout=60_000)
    played = page.get_by_role("region", name="What was played")
    assert "start_marker_skip_first_upkeep yes" in played.inner_text()
    assert played.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_of_many_short_options_several_stand_on_a_line(phone: Phone, house: House) -> None:
    live = house.begin(games.load("flag_war"), Wish(seed=1, settings={"start": "free"}))
    assert live.table.ask
    page = phone(live.path, viewport={"width": 320, "height": 640})
    buttons = page.locator("#ask .options button")
    assert buttons.count() > 20
    places = [box for one in buttons.all() if (box := one.bounding_box())]
    assert [box["y"] for box in places[:3]] == [places[0]["y"]] * 3
    assert {box["height"] for box in places} == {48}


@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("game", ["dday_dice", "space_infantry"])
def test_six_numbers_stand_on_a_line_and_six_dice_to_pick_on_three_on_the_narrowest_phone(
    phone: Phone, house: House, game: str, width: int
) -> None:
    live = house.begin(games.load(game), Wish(seed=3))
    while (question := live.table.ask) and not isinstance(question, Pick | Number):
        live.table.answer(live.table.n, at_first(question))
    page = phone(live.path, viewport={"width": width, "height": 600})
    answers = page.locator(".numbers button, .choice").all()
    places = [box["y"] for one in answers if (box := one.bounding_box())]
    assert len(places) >= 6
    assert len(set(places[:6])) == (3 if game == "dday_dice" else 1)
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_how_a_campaign_stands_is_large_enough_to_read_on_a_phone(phone: Phone, house: House) -> None:
    picture = phone(house.begin(games.load("space_infantry"), Wish(seed=3)).path).locator("#picture")
    assert picture.evaluate("one => one.clientWidth >= one.naturalWidth")


@pytest.mark.parametrize("game", ["flag_war", "dday_dice", "space_infantry"])
def test_of_several_options_that_say_little_two_stand_on_a_line(
    phone: Phone, house: House, game: str
) -> None:
    live = house.begin(games.load(game), Wish(seed=3))
    while (question := live.table.ask) and (
        not isinstance(question, Choose | Pick) or len(question.options) < 5
    ):
        live.table.answer(live.table.n, at_first(question))
    page = phone(live.path)
    options = page.locator("#ask .options > *")
    assert options.count() > 4
    places = [box for one in options.all() if (box := one.bounding_box())]
    assert places[0]["y"] == places[1]["y"] < places[2]["y"]
    assert max(box["height"] for box in places) < 70, "a line, and its detail in another"


def test_the_faces_of_a_die_stand_on_a_line_on_a_phone_also_where_it_is_doubtful(
    phone: Phone, manual: Live
) -> None:
    manual.table.answer(manual.table.n, "dice")
    manual.table.offer(Seen(manual.table.n, ("6", None), "camera", doubtful=(1,)))
    page = phone(manual.path)
    for die in page.locator(".die").all():
        assert len({box["y"] for face in die.locator(".face").all() if (box := face.bounding_box())}) == 1


@pytest.mark.parametrize("colours", ["none", "active"])
def test_the_face_that_is_taken_is_told_from_the_others_also_in_the_systems_own_colours(
    phone: Phone, manual: Live, colours: str
) -> None:
    manual.table.answer(manual.table.n, "dice")
    page = phone(manual.path, forced_colors=colours)
    for die in page.locator(".die").all():
        die.locator(".face").first.tap()
    faces = page.locator(".die").first.locator(".face span")  # its focus is on the last die now
    taken, other = (
        faces.nth(at).evaluate("one => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor]")
        for at in (0, 1)
    )
    assert taken[0] != other[0]
    assert taken[1] != other[1]


def test_of_the_games_in_the_logbook_the_one_that_is_shown_stands_out(phone: Phone, live: Live) -> None:
    page = phone("/log?game=toy")
    toy, all_games = (
        page.get_by_role("link", name=name, exact=True).evaluate("one => getComputedStyle(one).fontWeight")
        for name in (live.table.session.game.title, "All games")
    )
    assert (toy, all_games) == ("700", "400")


def test_a_log_of_nothing_has_no_numbers(phone: Phone, live: Live) -> None:
    page = phone(live.path)
    assert page.locator("p", has_text="Nothing yet.").is_visible()
    page.get_by_role("link", name="The whole log").tap()
    page.locator("p", has_text="Nothing yet.").wait_for()


@pytest.mark.parametrize("width", [320, 360, 412])
def test_a_wide_board_is_large_enough_to_read_on_a_phone_and_moved_sideways_in_its_place(
    phone: Phone, house: House, width: int
) -> None:
    live = house.begin(games.load("okinawa"), Wish(seed=1))
    page = phone(live.path, viewport={"width": width, "height": 740})
    picture = page.locator("#picture.wide")
    assert picture.evaluate("one => one.clientWidth >= .8 * one.naturalWidth && one.naturalWidth > 800")
    box = page.locator("#board a")
    assert box.evaluate("one => [one.scrollLeft = 50, one.scrollLeft]") == [50, 50]
    tap(page, "OK")
    page.locator(".log li").first.wait_for()
    assert box.evaluate("one => one.scrollLeft") == 50
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.set_viewport_size({"width": 900, "height": 600})
    page.locator("#picture:not(.wide)").wait_for()


def test_one_die_is_entered_with_one_tap(phone: Phone, house: House) -> None:
    live = house.begin(games.load("dday_dice"), Wish(seed=1, dice="manual"))
    table = live.table
    given = {"dday_dice.roll.1": ["skull"] * 5 + ["star"], "dday_dice.roll.again.2": ["b2"]}
    while table.ask and table.ask.key != "dday_dice.roll.2":
        table.answer(table.n, given.get(table.ask.key) or at_first(table.ask))
    page = phone(live.path)
    assert page.get_by_role("group", name="blue", exact=True).get_by_role("button").count() == 6
    tap(page, "star")
    asks(page, "Re-roll?")
    page.locator(".log", has_text="Roll 2: 1 blue: star").wait_for()


def test_one_of_several_is_picked_with_one_tap(phone: Phone, house: House, toy: Game) -> None:
    class OneRoad(Toy):
        def one_turn(self) -> Script[None]:
            roads = (Option("left", "Left"), Option("right", "Right"))
            picked = yield from ask(Pick("toy.road", "Which road?", options=roads, least=1, most=1))
            yield from ask(Show("toy.went", f"Went {', '.join(picked)}"))

    live = house.begin(msgspec.structs.replace(toy, start=OneRoad), Wish(seed=7))
    page = phone(live.path)
    tap(page, "Right")
    asks(page, "Went right")


@pytest.mark.parametrize("width", [320, 360])
def test_the_six_faces_of_each_die_stand_on_a_line_also_on_the_narrowest_phone(
    phone: Phone, manual: Live, width: int
) -> None:
    manual.table.answer(manual.table.n, "dice")
    page = phone(manual.path, viewport={"width": width, "height": 568})
    for die in page.locator(".die").all():
        places = [box for face in die.locator(".face").all() if (box := face.bounding_box())]
        assert len({box["y"] for box in places}) == 1
        assert min(box["width"] for box in places) >= 44


def test_a_double_tap_is_one_answer(phone: Phone, manual: Live) -> None:
    page = phone(manual.path)
    button = "document.querySelector('#ask button[value=stones]')"
    page.evaluate(f"{button}.click(), {button}.click()")
    asks(page, "How many stones?")
    page.wait_for_timeout(100)
    assert len(manual.table.session.history) == 1


def tap_twice(page: Page, button: str) -> None:
    """Tap it, and again before the page that it leads to is there."""
    at = page.locator(button)
    at.scroll_into_view_if_needed()
    place = at.bounding_box()
    assert place
    for _ in range(2):
        page.touchscreen.tap(place["x"] + 20, place["y"] + 10)


def test_a_double_tap_on_begin_begins_one_game(phone: Phone, house: House) -> None:
    page = phone("/")
    page.locator("summary", has_text="Toy").tap()
    tap_twice(page, "details[open] form > button.main")
    page.wait_for_url("**/s/toy-*")
    page.wait_for_timeout(300)
    assert len(house.tables) == 1


TAKEN_UP = "setTimeout(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))"
"""As Safari does with a page that was left and is come back to.

A little later: a page that is loaded anew while this runs may never answer, and nothing ends that wait.
"""


def test_a_first_page_that_is_taken_up_as_it_was_left_shows_the_game_that_was_begun_since(
    phone: Phone, house: House, toy: Game
) -> None:
    page = phone("/")
    house.begin(toy, Wish(seed=7))
    page.evaluate(TAKEN_UP)
    page.get_by_role("heading", name="On the table now").wait_for()


def test_what_was_typed_stays_on_a_page_that_is_taken_up_as_it_was_left(phone: Phone, live: Live) -> None:
    page = phone(live.path.replace("/s/", "/log/"))
    page.locator("summary", has_text="Add a note").tap()
    page.get_by_label("Words").fill("Rain")
    page.evaluate(TAKEN_UP)
    page.wait_for_timeout(300)
    assert page.get_by_label("Words").input_value() == "Rain"


def test_a_double_tap_keeps_a_note_once_and_the_next_one_too(phone: Phone, house: House, live: Live) -> None:
    page = phone(live.path.replace("/s/", "/log/"))
    for words in ("Rain", "Sun"):
        page.locator("summary", has_text="Add a note").tap()
        page.get_by_label("Words").fill(words)
        tap_twice(page, "form[action$=note] button")
        page.locator("li", has_text=words).first.wait_for()
        page.wait_for_timeout(300)
    assert [note.text for note in house.journal.notes(live.table.session.meta.id)] == ["Rain", "Sun"]


def test_what_was_wrong_with_an_answer_is_not_said_of_the_next_ask(phone: Phone, live: Live) -> None:
    page = phone(live.path)
    live.table.answer(live.table.n, "pick")
    asks(page, "Pick")
    tap(page, "Done")
    page.locator("#trouble", has_text="pick").wait_for()
    live.table.answer(live.table.n, ["a"])
    asks(page, "Height 0")
    assert page.locator("#trouble").is_hidden()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_refused_answer_is_told_in_sight_and_what_was_entered_stays(
    phone: Phone, house: House, scripts: bool
) -> None:
    live = house.begin(games.load("undaunted"), Wish(seed=1, cards="manual"))
    while live.table.ask and live.table.ask.kind != "draw":
        live.table.answer(live.table.n, at_first(live.table.ask))
    page = phone(live.path, viewport={"width": 360, "height": 400}, java_script_enabled=scripts)
    cards = page.locator("#ask select")
    assert page.locator(".deck").is_visible() == scripts
    for card in cards.all():
        card.select_option("leader-a")
    page.locator("#ask").get_by_role("button", name="OK").tap()
    told = page.locator("#trouble", has_text="the deck can have")
    told.wait_for()
    place = told.bounding_box()
    assert place
    assert place["y"] >= 0
    assert place["y"] + place["height"] <= 400
    assert [card.input_value() for card in cards.all()] == ["leader-a"] * 4


def test_of_several_cards_that_were_drawn_each_takes_one_tap(phone: Phone, house: House) -> None:
    live = house.begin(games.load("undaunted"), Wish(seed=1, cards="manual"))
    while live.table.ask and live.table.ask.kind != "draw":
        live.table.answer(live.table.n, at_first(live.table.ask))
    drawn = live.table.ask
    assert isinstance(drawn, Draw)
    once = next(one for one in drawn.options if one.copies == 1)
    others = [one for one in drawn.options if one is not once]
    page = phone(live.path)
    answer = [once, *others, *others][: drawn.count]
    for option in answer:
        tap(page, option.label)
    assert page.get_by_role("button", name=once.label).is_disabled()
    page.reload()
    assert page.locator("#ask select").evaluate_all("all => all.map(one => one.value)") == [
        option.id for option in answer
    ]
    tap(page, "OK")
    said = ", ".join(option.label for option in answer)
    page.locator(".log", has_text=said).wait_for()


def test_a_tap_right_after_a_changed_ask_is_none_on_the_new_one(phone: Phone, live: Live) -> None:
    page = phone(live.path)
    page.clock.install(time=0)
    page.reload()
    for given in ("stones", 1):
        live.table.answer(live.table.n, given)
    asks(page, "Height 0")
    page.clock.pause_at(10)  # seconds: after 45 the page takes its stream for dead, and says so above
    at = page.locator("#ask button").bounding_box()
    assert at is not None
    page.touchscreen.tap(at["x"] + 20, at["y"] + 20)
    asks(page, "Which way?")
    page.clock.run_for(250)
    page.touchscreen.tap(at["x"] + 20, at["y"] + 20)
    page.wait_for_timeout(100)
    asks(page, "Which way?")
    assert len(live.table.session.history) == 3
    page.clock.run_for(100)
    page.touchscreen.tap(at["x"] + 20, at["y"] + 20)
    page.locator("#question", has_text="Which way?").wait_for(state="detached")
    assert live.table.session.history[3].by == "phone"


def test_a_tap_on_an_ask_that_is_gone_shows_what_is_asked_now(phone: Phone, live: Live) -> None:
    page = phone(live.path)
    page.route("**/events", lambda route: route.abort())
    page.reload()
    live.table.answer(live.table.n, "stones")
    tap(page, "Dice")
    asks(page, "How many stones?")
    assert live.table.session.play.state.height == 0


DEAF = """
let isFirst = true;
window.EventSource = class extends EventSource {
    set onmessage(heard) {
        super.onmessage = isFirst ? null : heard;
        isFirst = false;
    }
};
"""
"""As after a night: the first stream brings nothing any more, and no error."""


@pytest.mark.parametrize("reached", [True, False])
def test_an_answer_that_a_connection_loses_takes_one_tap_and_counts_once(
    phone: Phone, live: Live, reached: bool
) -> None:
    page = phone(live.path)
    page.route("**/events", lambda route: route.abort())
    page.reload()
    lost: list[str] = []

    def lose_one(route: Route) -> None:
        lost.append(route.request.url)
        if len(lost) > 1:
            route.continue_()
            return
        if reached:
            route.fetch()
        route.abort()

    page.route("**/answer", lose_one)
    tap(page, "Stones")
    asks(page, "How many stones?")
    assert len(lost) == 2
    assert [item.key for item in live.table.session.history] == ["toy.way"]
    assert page.locator("#trouble").is_hidden()


def test_an_answer_over_a_connection_that_was_cut_can_be_given_again(phone: Phone, live: Live) -> None:
    page = phone(live.path)
    page.clock.install()
    page.reload()
    page.route("**/answer", lambda _: None)
    tap(page, "Stones")
    page.locator("#ask form.busy").wait_for()
    page.clock.fast_forward(10_000)
    page.locator("#trouble", has_text="does not answer").wait_for()
    page.unroute_all(behavior="ignoreErrors")
    tap(page, "Stones")
    asks(page, "How many stones?")
    assert page.locator("#trouble").is_hidden()


def test_who_comes_back_to_the_whole_state_finds_the_values_that_are(phone: Phone, live: Live) -> None:
    page = phone(f"{live.path}/state")
    page.locator("summary", has_text="height").tap()
    page.get_by_label("height").fill("9")
    page.get_by_role("link", name="Back to the table").tap()
    page.wait_for_url(f"**{live.path}")
    page.go_back()
    page.wait_for_url("**/state")
    page.wait_for_load_state()
    assert page.get_by_label("height").input_value() == "0"


def test_a_phone_that_slept_through_its_stream_sees_what_is_asked_now(phone: Phone, live: Live) -> None:
    page = phone(live.path)
    page.add_init_script(DEAF)
    page.reload()
    live.table.answer(live.table.n, "stones")
    page.wait_for_timeout(300)
    asks(page, "Which way?")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    asks(page, "How many stones?")


LOOKED_AT = """
Object.defineProperty(document, "hidden", { get: () => !window.isLookedAt, configurable: true });
window.isLookedAt = true;
window.look = (is) => {
    window.isLookedAt = is;
    document.dispatchEvent(new Event("visibilitychange"));
};
"""
"""A headless browser looks at all its pages; this one where it is told to."""


def test_tabs_that_nobody_looks_at_leave_the_connections_to_the_one_that_is(phone: Phone, live: Live) -> None:
    page = phone("/pair")
    page.context.add_init_script(LOOKED_AT)
    tabs = [page.context.new_page() for _ in range(8)]
    for tab in tabs:
        tab.goto(live.path)
        tab.evaluate("look(false)")
    live.table.answer(live.table.n, "stones")
    asks(tabs[0], "Which way?")
    tabs[0].evaluate("look(true)")
    asks(tabs[0], "How many stones?")


def test_a_stream_that_died_without_a_word_is_opened_again(phone: Phone, live: Live) -> None:
    page = phone(live.path)
    page.clock.install()
    page.add_init_script(DEAF)
    page.reload()
    live.table.answer(live.table.n, "stones")
    page.wait_for_timeout(300)
    asks(page, "Which way?")
    page.clock.fast_forward(45_000)
    asks(page, "How many stones?")


def test_a_stream_on_which_the_box_is_heard_stays_open(
    phone: Phone, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.live.HEARTBEAT", 0.05)
    page = phone(live.path)
    page.clock.install()
    with page.expect_request("**/events"):
        page.reload()
    opened: list[str] = []
    page.on("request", lambda request: opened.append(request.url))
    for _ in range(3):
        page.clock.fast_forward(30_000)
        page.wait_for_timeout(1000)
    assert not [url for url in opened if url.endswith("/events")]
    assert page.locator("#lost").is_hidden()


def test_a_board_that_was_lost_on_its_way_comes_with_the_next_word_from_the_box(
    phone: Phone, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.live.HEARTBEAT", 0.2)
    page = phone(live.path)
    lost: list[str] = []

    def once(route: Route) -> None:
        lost.append(route.request.url)
        route.abort() if len(lost) == 1 else route.continue_()

    page.route("**/board.svg?*", once)
    tap(page, "Stones")
    asks(page, "How many stones?")
    page.wait_for_timeout(1000)
    assert page.locator("#picture").evaluate("one => one.complete && one.naturalWidth > 0")
    assert len(lost) == 2


def test_a_stream_that_is_refused_for_now_is_not_told_as_a_session_that_is_not_open(
    phone: Phone, live: Live
) -> None:
    page = phone("/")
    page.route("**/events", lambda route: route.fulfill(status=503, body="Too many watch already."))
    page.goto(live.path)
    page.locator("#lost", has_text="Trying again").wait_for()
    page.unroute("**/events")
    page.locator("#lost").wait_for(state="hidden", timeout=10_000)
    live.table.answer(live.table.n, "stones")
    asks(page, "How many stones?")


def test_that_a_table_is_away_is_told_in_sight_wherever_one_reads(
    phone: Phone, house: House, live: Live
) -> None:
    page = phone(live.path, viewport={"width": 360, "height": 300})
    page.locator("summary", has_text="The board as text").scroll_into_view_if_needed()
    house.leave(live.table.session.meta.id)
    told = page.locator("#lost", has_text="not open on the box now. Look under Play.")
    told.wait_for()
    box = told.bounding_box()
    assert box
    assert 0 <= box["y"] <= 300


def test_what_is_told_of_the_box_moves_nothing_and_covers_nothing_for_good(phone: Phone, live: Live) -> None:
    page = phone(live.path)
    stones = page.get_by_role("button", name="Stones")
    place = stones.bounding_box()
    for words in ("lost(OUT_OF_REACH)", "trouble(NO_ANSWER)"):
        page.evaluate(words)
        assert stones.bounding_box() == place
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last = page.locator("main button").last.bounding_box()
    told = page.locator(".told").bounding_box()
    assert last
    assert told
    assert last["y"] + last["height"] <= told["y"]


def test_a_phone_that_is_looked_at_often_asks_no_oftener_for_a_session_that_was_put_away(
    phone: Phone, house: House, live: Live
) -> None:
    page = phone(live.path)
    house.leave(live.table.session.meta.id)
    page.locator("#lost", has_text="not open on the box now").wait_for()
    asked: list[str] = []
    for _ in range(6):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_timeout(100)
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(4000)
    assert 1 <= len(asked) <= 5


def test_an_older_state_that_comes_late_never_overwrites_a_newer_one(phone: Phone, live: Live) -> None:
    page = phone(live.path)
    old = page.evaluate("({...at, version: at.version, ask: document.getElementById('ask').innerHTML})")
    tap(page, "Stones")
    asks(page, "How many stones?")
    page.evaluate("old => show({...old, side: '', said: '', board: ''})", old)
    asks(page, "How many stones?")
    assert page.locator(".log").is_visible()


def test_a_reload_in_mid_answer_loses_and_doubles_nothing(phone: Phone, manual: Live) -> None:
    manual.table.answer(manual.table.n, "dice")
    page = phone(manual.path)
    page.locator(".face", has_text="6").first.tap()
    page.reload()
    asks(page, "Roll to climb")
    page.locator(".face", has_text="6").nth(0).tap()
    page.locator(".face", has_text="2").nth(1).tap()
    tap(page, "Take these dice")
    page.reload()
    asks(page, "Height 6")
    assert [item.key for item in manual.table.session.history] == ["toy.way", "toy.climb"]


def test_what_one_has_begun_to_enter_stays_while_others_only_look(phone: Phone, manual: Live) -> None:
    manual.table.answer(manual.table.n, "dice")
    page = phone(manual.path)
    page.locator(".face", has_text="6").first.tap()
    manual.table.notice = "The camera is away"
    manual.table.tell()
    page.get_by_text("The camera is away").wait_for()
    assert page.locator(".face input:checked").count() == 1


def test_a_value_that_one_types_stays_while_another_answers_and_is_not_set_over_that(
    phone: Phone, live: Live
) -> None:
    page = phone(live.path)
    page.locator("summary", has_text="Set a value").tap()
    page.get_by_label("What, such as").fill("bag.stones")
    page.get_by_label("Value").fill("2")
    live.table.answer(live.table.n, "stones")
    asks(page, "How many stones?")
    assert page.get_by_label("What, such as").input_value() == "bag.stones"
    assert page.evaluate("document.activeElement.name") == "value"
    page.get_by_role("button", name="Set it").tap()
    page.locator("#trouble", has_text="Look at bag.stones before you set it again.").wait_for()
    assert page.get_by_label("Value").input_value() == "2"
    page.get_by_role("button", name="Set it").tap()
    page.locator(".log", has_text="bag.stones").wait_for()
    assert live.table.session.play.state.bag.stones == 2
    assert page.get_by_label("Value").input_value() == ""


def test_what_one_has_begun_to_enter_stays_while_one_looks_at_the_board_and_the_log(
    phone: Phone, manual: Live
) -> None:
    manual.table.answer(manual.table.n, "dice")
    page = phone(manual.path)
    six = page.locator(".die").nth(1).locator(".face", has_text="6")
    six.tap()
    page.locator("#board a").tap()
    page.wait_for_url("**/board.svg")
    page.go_back()
    assert page.locator(".face input:checked").count() == 1
    assert six.locator("input").is_checked()
    page.get_by_role("link", name="The whole log").tap()
    page.get_by_role("link", name="To the table").tap()
    assert six.locator("input").is_checked()


def test_a_doubtful_die_is_shown_with_its_photo_and_put_right_by_a_tap(phone: Phone, manual: Live) -> None:
    table = manual.table
    table.answer(table.n, "dice")
    page = phone(manual.path)
    read = (RolledDie("d6", "5", "camera", 0.5, photo=blob_name(PIXEL)), RolledDie("d6", "2", "camera", 0.9))
    table.offer(Seen(table.n, ("5", "2"), "camera", doubtful=(0,), evidence=Evidence(read, (PIXEL,))))
    doubtful = page.locator(".die.doubtful")
    doubtful.wait_for()
    assert doubtful.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)") == 1
    doubtful.locator(".face", has_text="6").tap()
    tap(page, "Take these dice")
    asks(page, "Height 6")
    (corrected, _) = table.session.journal.rolls(table.session.meta.id)[table.n - 1]
    assert (corrected.face, corrected.read) == ("6", "5")


def test_undo_redo_jump_and_override_by_taps(phone: Phone, live: Live) -> None:
    page = phone(live.path)
    for words in ("Stones", "3", "OK", "Stones", "2"):
        tap(page, words)
    asks(page, "Height")
    page.get_by_role("button", name="Undo: How many stones? 2").tap()
    asks(page, "How many stones?")
    page.get_by_role("button", name="Redo: How many stones? 2").tap()
    asks(page, "Height")
    page.get_by_text("Go back to a decision").tap()
    page.get_by_role("button", name="Which way? Stones").last.tap()
    asks(page, "Which way?")
    assert live.table.session.play.state.bag.stones == 0
    page.get_by_text("Set a value by hand").tap()
    page.get_by_label("What, such as").fill("bag.stones")
    page.get_by_label("Value").fill("many")
    page.get_by_role("button", name="Set it").tap()
    page.get_by_role("alert").filter(has_text="a whole number is wanted").wait_for()
    page.get_by_label("Value").fill("9")
    page.get_by_role("button", name="Set it").tap()
    page.locator("#ask").get_by_role("button", name="Throw").wait_for()
    assert page.get_by_role("alert").is_hidden()


def test_after_a_restart_of_the_box_the_page_heals_by_itself(
    chromium: Browser, tmp_path: Path, library: Library, toy: Game, port: int
) -> None:
    def a_house() -> House:
        return House(tmp_path / "data", library, Access(tmp_path / "page"), draw)

    first = a_house()
    path = first.begin(toy, Wish(seed=7)).path
    page = chromium.new_context().new_page()
    with served(first, port) as address:
        page.goto(address + path)
        page.locator("#ask").get_by_role("button", name="Stones").click()
        asks(page, "How many stones?")
    page.locator("#lost", has_text="out of reach").wait_for()
    page.locator("#ask").get_by_role("button", name="2", exact=True).click()
    page.get_by_role("alert").filter(has_text="does not answer").wait_for()
    second = a_house()
    second.reopen()
    with served(second, port):
        page.locator("#lost").wait_for(state="hidden", timeout=10_000)
        page.get_by_role("alert").filter(has_text="The box answers again").wait_for()
        page.locator("#ask").get_by_role("button", name="2", exact=True).click()
        asks(page, "Height 0")
        assert page.locator("#trouble").is_hidden()
    page.context.close()


def test_what_one_has_begun_to_enter_stays_while_the_box_starts_again(
    chromium: Browser, tmp_path: Path, library: Library, toy: Game, port: int
) -> None:
    def a_house() -> House:
        return House(tmp_path / "data", library, Access(tmp_path / "page"), draw)

    first = a_house()
    live = first.begin(toy, Wish(seed=7, dice="manual"))
    live.table.answer(live.table.n, "dice")
    page = chromium.new_context().new_page()
    with served(first, port) as address:
        page.goto(address + live.path)
        asks(page, "Roll to climb")
        page.locator(".face input").first.check(force=True)
    page.locator("#lost", has_text="out of reach").wait_for()
    second = a_house()
    second.reopen()
    with served(second, port):
        page.locator("#lost").wait_for(state="hidden", timeout=10_000)
        assert page.locator(".face input").first.is_checked()
        page.locator(".die").nth(1).locator(".face input").nth(1).check(force=True)
        page.get_by_role("button", name="Take these dice").click()
        asks(page, "Height ")
    page.context.close()


@pytest.fixture
def access_of_a_phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Access:
    """One that takes a browser on this machine for another's."""
    monkeypatch.setattr("companion.web.access.is_loopback", lambda _: False)
    return Access(tmp_path / "page")


def test_pairing_is_refused_and_granted(
    chromium: Browser, tmp_path: Path, library: Library, port: int, access_of_a_phone: Access
) -> None:
    access = access_of_a_phone
    with served(House(tmp_path / "data", library, access, draw), port) as address:
        stranger, friend = (chromium.new_context(base_url=address).new_page() for _ in range(2))
        stranger.goto("/")
        assert stranger.url.endswith("/pair")
        stranger.get_by_label("Code").fill("000000" if access.code != "000000" else "111111")
        stranger.get_by_role("button", name="Pair").click()
        stranger.get_by_role("alert").filter(has_text="not the code").wait_for()
        stranger.goto("/log")
        assert stranger.url.endswith("/pair")
        friend.goto(f"/pair?code={access.code}")
        friend.get_by_label("Whose phone").fill("Ann's phone")
        friend.get_by_role("button", name="Pair").click()
        friend.get_by_role("heading", name="Begin a game").wait_for()
        friend.goto("/phones")
        friend.get_by_role("button", name="Forget Ann's phone").click()
        friend.wait_for_url("**/pair")
        for page in (stranger, friend):
            page.context.close()


@pytest.mark.parametrize("is_tapped", [True, False])
def test_a_phone_that_is_forgotten_at_the_table_is_asked_to_pair(
    chromium: Browser,
    tmp_path: Path,
    library: Library,
    toy: Game,
    port: int,
    access_of_a_phone: Access,
    is_tapped: bool,
) -> None:
    access = access_of_a_phone
    house = House(tmp_path / "data", library, access, draw)
    with served(house, port) as address:
        live, page = house.begin(toy, Wish(seed=7)), chromium.new_context(base_url=address).new_page()
        page.goto(f"/pair?code={access.code}")
        page.get_by_role("button", name="Pair").click()
        page.get_by_role("heading", name="Begin a game").wait_for()
        with page.expect_response("**/events"):  # else the stream is refused, and asks before the tap
            page.goto(live.path)
        access.forget(access.phones[0].key)
        if is_tapped:
            page.locator("#ask").get_by_role("button", name="Stones").click()
        else:  # the stream ends with the next change, and its page asks why
            live.table.answer(live.table.n, "stones")
        page.wait_for_url("**/pair", timeout=10_000)
        page.context.close()


def test_a_whole_okinawa_enemy_turn_by_taps(phone: Phone, house: House) -> None:
    page = phone("/")
    page.locator("summary", has_text="Okinawa").tap()
    form = page.locator("details[open]").first
    form.get_by_text("Options of the game").tap()
    form.get_by_label("Seed").fill("5")
    form.get_by_role("button", name="Begin").tap()
    page.wait_for_url("**/s/okinawa-*")
    (live,) = house.tables
    state = live.table.session.play.state
    while state.turn < 2:
        n = live.table.n
        options = page.locator(f"#ask form:has(input[name=n][value='{n}']) button")
        options.first.wait_for()
        end = options.filter(has_text="End the turn")
        (end if end.count() else options).first.tap()
        page.locator(f"#live[data-n='{n}']").wait_for(state="detached")
    assert state.turn == 2
    told = [
        item.text.split()[0] for item in live.table.session.history if item.key.startswith("okinawa.enemy")
    ]
    assert told[1:5] == ["Strikes", "B", "G", "A"]
    assert all(item.by in ("phone", "software") for item in live.table.session.history)


def test_a_card_is_entered_and_then_used(phone: Phone, house: House) -> None:
    page = phone("/packs/toy")
    page.locator("summary", has_text="card (3)").tap()
    page.get_by_label("A new card, called").fill("balloon")
    page.get_by_role("button", name="Enter it").tap()
    page.get_by_label("steps").fill("1.5")
    page.get_by_text("a whole number is wanted").wait_for()
    page.get_by_label("steps").fill("9")
    page.get_by_text("Nothing is wrong with it").wait_for()
    page.get_by_role("button", name="Keep it").tap()
    page.wait_for_url("**/packs/toy#card.balloon")
    page.goto("/")
    page.locator("summary", has_text="Toy").tap()
    page.get_by_label("Cards").first.select_option("manual")
    page.get_by_role("button", name="Begin").first.tap()
    asks(page, "Which way?")
    tap(page, "Card")
    asks(page, "Draw a card")
    tap(page, "Card balloon")
    asks(page, "Height 9")


@pytest.mark.parametrize("scripts", [True, False])
def test_who_keeps_or_forgets_a_card_sees_it_in_its_list_as_it_is_now(phone: Phone, scripts: bool) -> None:
    page = phone("/packs/space_infantry/enemy/cybers", java_script_enabled=scripts)
    page.locator("input[name=title]").fill("Robots")
    page.get_by_role("button", name="Keep it").last.tap()
    page.wait_for_url("**/packs/space_infantry#enemy.cybers")
    expect_in_view(page, "Robots")
    page.get_by_role("link", name="Robots").tap()
    assert not page.get_by_role("button", name="Forget it").is_visible(), "no tap by mistake"
    page.get_by_text("Forget what I entered").tap()
    page.get_by_role("button", name="Forget it").tap()
    page.wait_for_url("**/packs/space_infantry#enemy.cybers")
    expect_in_view(page, "Cybers stand-in")


def expect_in_view(page: Page, words: str) -> None:
    box = page.get_by_role("link", name=words).bounding_box()
    assert box
    assert 0 <= box["y"] <= 740 - box["height"]


def test_a_check_that_comes_late_says_nothing_of_what_was_typed_since(phone: Phone, house: House) -> None:
    late: list[Route] = []
    page = phone("/packs/toy/card/a")
    page.route("**/check", lambda route: late.append(route) if not late else route.continue_())
    with page.expect_request("**/check"):
        page.locator("input[name=steps]").fill("5")
    page.locator("input[name=steps]").fill("1.5")
    page.locator("#checked .error").wait_for()
    late[0].continue_()
    page.wait_for_timeout(500)
    assert page.locator("#checked .error").is_visible()


def test_rows_of_a_card_are_added_filled_and_kept(phone: Phone, house: House) -> None:
    page = phone("/packs/okinawa/enemy/A")
    page.get_by_role("button", name="Add to effects").tap()
    page.locator("select[name='effects.0.effect']").select_option("suppress")
    page.get_by_label("health").fill("4")
    page.get_by_text("effect suppress").wait_for()
    page.get_by_role("button", name="Keep it").tap()
    page.wait_for_url("**/packs/okinawa#enemy.A")
    kept = (house.data / "packs" / "okinawa" / "owner" / "pack.toml").read_text()
    assert 'effect = "suppress"' in kept
    assert "health = 4" in kept
    assert "fog" not in kept, "what was not touched is not the owner's word"


def test_a_phones_keyboard_types_the_words_of_a_card_as_they_are_and_its_numbers_with_a_minus(
    phone: Phone, house: House
) -> None:
    page = phone("/packs/undaunted/solo/sergeant")
    first = [page.locator(f"[name='lines.0.{name}']") for name in ("do", "when", "to", "roll")]
    assert [one.evaluate("one => one.autocapitalize") for one in first] == ["none"] * 4
    assert [one.evaluate("one => one.spellcheck") for one in first] == [False] * 4
    page.goto("/packs/undaunted")
    assert page.locator("input[name=name]").first.evaluate("one => one.autocapitalize") == "none"
    page.goto("/packs/space_infantry/enemy/flesh_eaters")
    assert page.locator("[name=title]").evaluate("one => one.autocapitalize") == "sentences"
    shift = page.get_by_label("range shift")
    assert shift.input_value() == "-1"
    assert shift.evaluate("one => [one.type, one.inputMode]") == ["number", ""]


@pytest.mark.parametrize("scripts", [True, False])
def test_a_row_that_is_added_is_in_sight_and_so_is_the_list_one_is_removed_from(
    phone: Phone, scripts: bool
) -> None:
    page = phone("/packs/undaunted/solo/rifleman", java_script_enabled=scripts)
    rows = page.locator("fieldset.row")
    before = rows.count()
    page.get_by_role("button", name="Add to lines").tap()
    page.locator(f"fieldset.row >> nth={before}").wait_for()
    added = page.get_by_role("button", name="Remove lines").last
    field = added.locator("xpath=..").locator("input:not([type=hidden])").first
    assert_comes_in_sight(field)
    added.tap()
    page.locator(f"fieldset.row >> nth={before}").wait_for(state="detached")
    page.wait_for_function("scrollY > 0")


@pytest.mark.parametrize("scripts", [True, False])
def test_why_a_card_is_not_kept_is_in_sight(phone: Phone, scripts: bool) -> None:
    page = phone("/packs/undaunted/solo/rifleman", java_script_enabled=scripts)
    page.locator("[name='lines.0.roll']").fill("many")
    page.get_by_role("button", name="Keep it").tap()
    page.wait_for_url("**#checked")
    told = page.locator("#checked li", has_text="a table is wanted")
    told.wait_for()
    assert_comes_in_sight(told)


def assert_comes_in_sight(what: Locator) -> None:
    """A page is there before it is scrolled to where it was opened."""
    from playwright.sync_api import expect

    expect(what).to_be_in_viewport()


@pytest.mark.parametrize("scripts", [True, False])
def test_enter_in_a_field_of_a_card_keeps_it_with_all_its_rows(
    phone: Phone, house: House, scripts: bool
) -> None:
    page = phone("/packs/okinawa/scenario/R", java_script_enabled=scripts)
    assert page.locator("fieldset.row").count() == 1
    page.locator("input[name=name]").fill("Relief")
    page.locator("input[name=name]").press("Enter")
    page.wait_for_url("**/packs/okinawa#scenario.R")
    kept = (house.data / "packs" / "okinawa" / "owner" / "pack.toml").read_text()
    assert 'name = "Relief"' in kept
    page.goto("/packs/okinawa/scenario/R")
    assert page.locator("fieldset.row").count() == 1


def test_what_was_typed_of_a_card_stays_while_the_box_is_out_of_reach(phone: Phone, house: House) -> None:
    page = phone("/packs/toy/card/a")
    page.context.set_offline(True)
    page.locator("input[name=steps]").fill("5")
    page.locator("#checked", has_text="does not answer").wait_for()
    page.get_by_role("button", name="Keep it").tap()
    page.get_by_role("alert").filter(has_text="does not answer").wait_for()
    assert page.locator("input[name=steps]").input_value() == "5"
    page.context.set_offline(False)
    page.get_by_role("button", name="Keep it").tap()
    page.wait_for_url("**/packs/toy#card.a")
    assert "steps = 5" in (house.data / "packs" / "toy" / "owner" / "pack.toml").read_text()


def test_what_was_typed_of_a_card_is_offered_again_until_it_is_kept(phone: Phone, house: House) -> None:
    place = "/packs/okinawa/enemy/A"
    page, again = phone(place), "Go on with it"
    page.get_by_label("health").fill("4")
    page.get_by_role("button", name="Add to effects").tap()
    page.locator("select[name='effects.0.effect']").select_option("suppress")
    page.goto(place)  # as a phone asks for a page that it had to drop
    assert page.get_by_label("health").input_value() != "4"
    page.get_by_role("button", name=again).tap()
    page.locator("form[data-typed]").wait_for()
    assert page.locator("select[name='effects.0.effect']").input_value() == "suppress"
    assert page.get_by_label("health").input_value() == "4"
    page.get_by_role("button", name="Keep it").tap()
    page.wait_for_url("**/packs/okinawa#enemy.A")
    page.goto(place)
    assert page.get_by_label("health").input_value() == "4"
    assert not page.get_by_role("button", name=again).count()
    page.get_by_label("health").fill("5")
    page.goto("/packs/okinawa/enemy/B")
    assert not page.get_by_role("button", name=again).count()
    page.goto(place)
    assert page.get_by_role("button", name=again).count()
    page.locator("input[name=fog]:not([type=hidden])").fill("1")
    assert not page.get_by_role("button", name=again).count()


def test_what_was_kept_of_a_card_is_not_offered_once_it_is_forgotten(phone: Phone, house: House) -> None:
    page = phone("/packs/toy/card/a")
    page.get_by_label("steps").fill("5")
    page.get_by_role("button", name="Keep it").tap()
    page.wait_for_url("**/packs/toy#card.a")
    page.goto("/packs/toy/card/a")
    page.get_by_text("Forget what I entered").tap()
    page.get_by_role("button", name="Forget it").tap()
    page.wait_for_url("**/packs/toy#card.a")
    page.goto("/packs/toy/card/a")
    assert page.get_by_label("steps").input_value() != "5"
    assert not page.get_by_role("button", name="Go on with it").count()


def test_what_was_typed_of_a_question_about_a_card_stays_until_it_is_answered(
    phone: Phone, house: House
) -> None:
    game, folder = games.load("space_infantry"), house.owner_packs("space_infantry")
    pack, mine = Shelf(game, folder).known()
    assert game.entry is not None
    nodes = "2 - - no no climb 2 - - no no n1 - 28 no no n1"
    said = [*nodes.split(), "", "no", ""]
    script = partial(game.entry, pack, "mission.mine", mine)
    enter(script, said, StringIO(), Draft(draft_file(folder, "mission.mine")))
    place = "/packs/space_infantry/mission/mine/ask"
    page = phone(f"{place}?at={len(said)}")
    asks(page, "Its title?")
    title = page.locator("input[name=answer]")
    title.fill("The Mine")
    page.reload()
    assert title.input_value() == "The Mine"
    page.goto(f"{place}?at={len(said) - 1}")
    page.goto(f"{place}?at={len(said)}")
    assert title.input_value() == "The Mine"
    page.get_by_role("button", name="OK").tap()
    asks(page, "Its briefing?")
    assert title.input_value() == "as printed"


def test_a_text_of_two_lines_stays_so_where_another_field_of_its_form_is_changed(
    phone: Phone, house: House
) -> None:
    add_owned(
        house.owner_packs("space_infantry"),
        "space_infantry",
        {"mission": {"relay": {"briefing": "Go in.\nAnd out."}}},
    )
    page = phone("/packs/space_infantry/mission/relay")
    page.locator("input[name=title]").fill("Mine")
    page.get_by_role("button", name="Keep it").tap()
    page.wait_for_url("**/packs/space_infantry#mission.relay")
    kept = owned(house.owner_packs("space_infantry"), "space_infantry").tables["mission"]["relay"]
    assert kept == {"briefing": "Go in.\nAnd out.", "title": "Mine"}


def test_what_was_typed_of_a_card_that_another_has_changed_since_does_not_take_it_back(
    phone: Phone, house: House
) -> None:
    page, other = phone("/packs/toy/card/a"), phone("/packs/toy/card/a")
    page.get_by_label("steps").fill("5")
    other.get_by_label("steps").fill("6")
    other.get_by_role("button", name="Keep it").tap()
    other.wait_for_url("**/packs/toy#card.a")
    page.reload()
    assert page.get_by_label("steps").input_value() == "6"
    page.get_by_role("button", name="Go on with it").tap()
    page.locator("form[data-typed]").wait_for()
    assert page.get_by_label("steps").input_value() == "5"
    page.get_by_role("button", name="Keep it").tap()
    page.locator("#checked", has_text="changed since the form was opened").wait_for()
    assert "steps = 6" in (house.data / "packs" / "toy" / "owner" / "pack.toml").read_text()


def test_the_keyboard_alone_plays(phone: Phone, live: Live) -> None:
    page = phone(live.path, viewport={"width": 1280, "height": 800}, has_touch=False, is_mobile=False)
    page.locator("#ask button", has_text="Stones").focus()
    page.keyboard.press("Enter")
    asks(page, "How many stones?")
    assert page.evaluate("document.activeElement.id") == "question"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    asks(page, "Height 0")
    assert page.locator("#said").inner_text() == "Height 0"


def test_a_tapped_button_without_focus_as_safaris_leads_to_the_next_question_too(
    phone: Phone, live: Live
) -> None:
    page = phone(live.path)
    page.evaluate("document.querySelector('#ask button[value=stones]').click()")
    asks(page, "How many stones?")
    assert page.evaluate("document.activeElement.id") == "question"


def test_what_others_answer_takes_nobody_elsewhere(phone: Phone, live: Live) -> None:
    page = phone(live.path)
    live.table.answer(live.table.n, "stones")
    asks(page, "How many stones?")
    assert page.evaluate("document.activeElement === document.body")


def test_who_has_read_a_long_question_to_its_end_sees_the_next_one(phone: Phone, house: House) -> None:
    live = house.begin(games.load("okinawa"), Wish(seed=1))
    page = phone(live.path, viewport={"width": 360, "height": 500})
    said = page.locator("#question").inner_text()
    tap(page, "OK")
    page.wait_for_function("said => document.getElementById('question').innerText !== said", arg=said)
    page.locator("form.busy").wait_for(state="detached")
    top = page.evaluate("document.getElementById('question').getBoundingClientRect().top")
    assert 0 <= top < 250


@pytest.mark.parametrize(("size", "lines"), [("100%", 1), ("200%", 2)])
def test_undo_and_redo_stand_beside_each_other_where_their_words_have_room(
    phone: Phone, live: Live, size: str, lines: int
) -> None:
    page = phone(live.path)
    page.evaluate("size => document.documentElement.style.setProperty('font-size', size)", size)
    boxes = [one.bounding_box() for one in page.locator(".undo button").all()]
    assert len({box["y"] for box in boxes if box}) == lines


def test_who_takes_back_stays_at_that_button(phone: Phone, live: Live) -> None:
    page = phone(live.path, viewport={"width": 360, "height": 300})
    said = page.locator("#question").inner_text()
    tap(page, "Stones")
    asks(page, "How many stones?")
    undo = page.locator(".undo button").first
    undo.scroll_into_view_if_needed()
    undo.tap()
    asks(page, said)
    page.locator("form.busy").wait_for(state="detached")
    place = undo.bounding_box()
    assert place
    assert -1 <= place["y"] < 300  # it may be scrolled to a part of a pixel


@pytest.mark.parametrize("width", [360, 1200])
def test_who_reads_below_the_ask_reads_on_while_another_answers(phone: Phone, live: Live, width: int) -> None:
    page = phone(live.path, viewport={"width": width, "height": 200})
    log = page.locator(".log")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    place = page.locator("#side").bounding_box()
    live.table.answer(live.table.n, "stones")
    asks(page, "How many stones?")
    assert place
    assert page.locator("#question").bounding_box()["y"] < 0
    assert page.locator("#side").bounding_box()["y"] == pytest.approx(place["y"], abs=1)
    assert log.is_visible()


def test_what_the_box_says_late_of_an_answer_moves_nothing(phone: Phone, live: Live) -> None:
    page = phone(live.path, viewport={"width": 360, "height": 300})
    held = []
    page.route("**/answer", lambda route: held.append((route, route.fetch())))
    tap(page, "Stones")
    asks(page, "How many stones?")
    undo = page.locator(".undo button").first
    undo.scroll_into_view_if_needed()
    place = undo.bounding_box()
    ((route, said),) = held
    with page.expect_event("requestfinished"):
        route.fulfill(response=said)
    page.wait_for_timeout(200)
    assert place
    assert undo.bounding_box() == place


def test_without_any_script_the_forms_still_play(phone: Phone, manual: Live) -> None:
    page = phone(manual.path, java_script_enabled=False)
    tap(page, "Dice")
    asks(page, "Roll to climb")
    page.locator(".face", has_text="6").nth(0).tap()
    page.locator(".face", has_text="2").nth(1).tap()
    tap(page, "Take these dice")
    asks(page, "Height 6")
    tap(page, "OK")
    asks(page, "Which way?")
    assert manual.table.session.play.state.turn == 2


def test_on_paper_there_are_no_buttons(phone: Phone, live: Live) -> None:
    page = phone(live.path)
    page.emulate_media(media="print")
    assert page.locator("#question").is_visible()
    assert page.locator("button:visible, .button:visible").count() == 0
    page.goto("/log")
    assert page.locator(".cards .button:visible").count() == 1, "the sessions"


def test_on_paper_what_is_folded_up_is_read_too(phone: Phone, live: Live) -> None:
    tap(page := phone(live.path), "Stones")
    page.emulate_media(media="print")
    shown = "texts => texts.filter(one => one.checkVisibility()).map(one => one.textContent)"
    assert page.locator("#side summary").evaluate_all(shown) == ["The board as text"]
    assert page.locator("#side details pre").evaluate_all(shown)
    page.goto(f"{live.path}/state")
    assert page.locator("form.value input[name=value]").first.evaluate("one => one.checkVisibility()")
    assert page.locator("button:visible").count() == 0


def test_on_paper_all_is_dark_on_light_also_from_a_phone_in_the_dark(phone: Phone, live: Live) -> None:
    page = phone(live.path, color_scheme="dark")
    colours = "one => [...getComputedStyle(one).color.matchAll(/\\d+/g)].map(Number)"
    link = page.get_by_role("link", name="The whole log")
    assert min(link.evaluate(colours)) > 150
    page.emulate_media(media="print", color_scheme="dark")
    page.goto("/packs/toy")
    assert max(page.locator(".mark").first.evaluate(colours)) < 128
    page.goto("/packs/toy/card/a")
    assert max(page.locator("h1 a").evaluate(colours)) < 128


def test_the_first_load_is_small_and_soon_ready(phone: Phone, house: House) -> None:
    live = house.begin(games.load("okinawa"), Wish(seed=1))
    page = phone("/pair")
    console = page.context.new_cdp_session(page)
    sizes: list[float] = []
    console.on("Network.loadingFinished", lambda one: sizes.append(one["encodedDataLength"]))
    console.send("Network.enable")
    console.send("Network.setCacheDisabled", {"cacheDisabled": True})
    console.send("Performance.enable")
    page.goto(live.path)
    page.locator("#picture").evaluate("image => image.decode()")
    metrics = {one["name"]: one["value"] for one in console.send("Performance.getMetrics")["metrics"]}
    print(f"first load: {len(sizes)} files, {sum(sizes) / 1000:.1f} kB, {metrics['TaskDuration']:.2f} s CPU")
    assert len(sizes) >= 4
    assert sum(sizes) < 31_000
    assert metrics["TaskDuration"] < 1


def places(live: Live) -> list[str]:
    """Every page there is, for a session that is open."""
    log = live.path.replace("/s/", "/log/")
    fixed = [
        "/",
        "/packs",
        "/packs/okinawa",
        "/packs/okinawa/enemy/A",
        "/log",
        "/phones",
        "/pair",
        "/packs/chess",
    ]
    return [*fixed, live.path, f"{live.path}/state", log, f"{log}/report", "/stats/okinawa"]


def violations(page: Page) -> list[str]:
    """What axe finds on a page; also in the dark, where nothing but its colours is different."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="no axe-core").Axe()
    found = axe.run(page).response["violations"]
    page.emulate_media(color_scheme="dark")
    colours = {"resultTypes": ["violations"], "runOnly": ["color-contrast", "link-in-text-block"]}
    found += axe.run(page, options=colours).response["violations"]
    page.emulate_media(color_scheme="light")
    return [f"{one['id']}: {one['nodes'][0]['target']} {one['help']}" for one in found]


def test_axe_finds_nothing_on_any_page(phone: Phone, house: House) -> None:
    live = house.begin(games.load("okinawa"), Wish(seed=1))
    live.table.answer(live.table.n, True)
    page = phone("/")
    found = {}
    for place in places(live):
        page.goto(place)
        for summary in page.locator("summary:visible").all():
            summary.click()
        found[place] = violations(page)
    assert {place: said for place, said in found.items() if said} == {}


def test_axe_finds_nothing_in_any_ask(phone: Phone, manual: Live) -> None:
    page = phone(manual.path)
    steps = ["pick", ["a"], True, "card", ["a"], True, "stones", 2, True, "dice", ["6", "1"], True]
    for given in steps:
        asks(page, manual.table.ask.text)
        assert violations(page) == []
        manual.table.answer(manual.table.n, given)
