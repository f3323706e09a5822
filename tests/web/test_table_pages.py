"""The live session without any script: forms and pages alone do everything."""

import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Event, Timer

import msgspec
import pytest
from starlette.testclient import TestClient

from companion import games
from companion.engine import Game, Journal, Session, Wish, ledger
from companion.engine.autoplay import at_first
from companion.engine.packs import Tables, owned
from companion.engine.records import RolledDie, blob_name
from companion.engine.session import Evidence
from companion.table.events import Seen
from companion.table.table import Table
from companion.web import pages
from companion.web.access import Role
from companion.web.house import MOST_TABLES, House, Library
from companion.web.live import Live
from companion.web.start_pages import RECENT
from companion.web.table_pages import LOG_LINES, _filled_in
from tests.engine.disk import disk_full_at
from tests.engine.toy import Toy

PNG = b"\x89PNG a photo"


def answer(client: TestClient, live: Live, *given: str, n: int | None = None, **fields: str):
    data = {"n": str(live.table.n if n is None else n), **fields}
    if given:
        data["answer"] = list(given)
    return client.post(f"{live.path}/answer", data=data)


def key(live: Live) -> str:
    return live.table.ask.key if live.table.ask else ""


@pytest.mark.parametrize(("last", "offered"), [("camera", True), ("serial", True), ("software", False)])
def test_after_a_game_with_dice_that_the_box_read_the_form_offers_real_ones_and_says_where_they_are_read(
    client: TestClient, house: House, toy: Game, last: str, offered: bool
) -> None:
    house.begin(toy, Wish(seed=1, dice=last))
    form = client.get("/").text.split('name="game" value="toy"')[1].split("</form>")[0]
    assert ("selected>I roll and enter them" in form) == offered
    assert "only in a game that is begun at the box" in form


def test_a_game_is_begun_as_wished(client: TestClient, house: House) -> None:
    said = client.post(
        "/begin", data={"game": "toy", "set.top": "5", "dice": "manual", "cards": "manual", "seed": " 9 "}
    )
    live = house.live(said.headers["location"].removeprefix("/s/"))
    meta = live.table.session.meta
    assert (meta.settings, meta.dice, meta.cards, meta.seed) == ({"top": "5"}, "manual", "manual", 9)


def test_a_form_that_is_sent_twice_begins_one_game(client: TestClient, house: House) -> None:
    def fields() -> dict[str, str]:
        (form,) = set(re.findall(r'name="form" value="([^"]+)"', client.get("/").text))
        return {"game": "toy", "form": form}

    twice = fields()
    with ThreadPoolExecutor(2) as taps:
        said = list(taps.map(lambda _: client.post("/begin", data=twice), range(2)))
    assert said[0].headers["location"] == said[1].headers["location"] == house.tables[0].path
    assert len(house.tables) == 1
    for other in (fields(), {**twice, "set.top": "5"}, {"game": "toy"}, {"game": "toy"}):
        client.post("/begin", data=other)
    assert len(house.tables) == 5, "another form, other wishes, and no form at all"
    client.post(f"{house.tables[0].path}/leave")
    assert client.post("/begin", data=twice).headers["location"] == house.tables[-1].path
    assert len(house.tables) == 5, "what was put away is not begun again as it was"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"game": "chess"}, "no game"),
        ({"game": "toy", "set.top": "7"}, "choose from 20, 5, 60"),
        ({"game": "toy", "seed": "x"}, "whole number"),
        ({"game": "toy", "seed": "9" * 19}, "whole number"),
        ({"game": "toy", "dice": "stones"}, "choose from camera, serial, software, manual"),
        ({"game": "toy", "cards": "stones"}, "choose from software, manual"),
        ({}, "no game"),
    ],
)
def test_what_can_not_be_begun_is_told(client: TestClient, fields: dict[str, str], words: str) -> None:
    said = client.post("/begin", data=fields)
    assert said.status_code == 422
    assert words in said.text


def test_each_kind_of_ask_is_answered_by_its_form(client: TestClient, manual: Live) -> None:
    steps = [
        ("toy.way", {"answer": "dice"}),
        ("toy.climb", {"die0": "6", "die1": "2"}),
        ("toy.turn", {"answer": "ok"}),
        ("toy.way", {"answer": "pick"}),
        ("toy.pick", {"answer": ["a", "c"]}),
        ("toy.turn", {"answer": "ok"}),
        ("toy.way", {"answer": "card"}),
        ("toy.card", {"answer": "b"}),
        ("toy.turn", {"answer": "ok"}),
        ("toy.way", {"answer": "stones"}),
        ("toy.stones", {"answer": "3"}),
        ("toy.turn", {"answer": "ok"}),
    ]
    for asked, fields in steps:
        assert key(manual) == asked
        page = client.get(manual.path).text
        for name in fields:
            assert f'name="{name}"' in page
        said = client.post(f"{manual.path}/answer", data={"n": manual.table.n, **fields})
        assert (said.status_code, said.headers["location"]) == (303, manual.path)
    state = manual.table.session.play.state
    assert (state.height, state.bag.stones, sorted(state.picked)) == (8, 3, ["a", "c"])


def test_a_number_that_is_known_so_far_stands_out(client: TestClient, house: House) -> None:
    live = house.begin(games.load("okinawa"), Wish(settings={"mode": "enemy"}, seed=1))
    while key(live) != "okinawa.report.health":
        health = key(live) == "okinawa.report.what"
        live.table.answer(live.table.n, "health" if health else at_first(live.table.ask))
    assert '<button class="main" name="answer" value="4">' in client.get(live.path).text


def test_dice_that_stay_in_the_tray_are_told_with_their_colour(client: TestClient, house: House) -> None:
    live = house.begin(games.load("dday_dice"), Wish(seed=1, dice="manual"))
    given = {
        "dday_dice.roll.1": ["skull"] * 5 + ["star"],
        "dday_dice.roll.lock": ["r1", "w2"],
        "dday_dice.roll.again.2": ["r2", "b1"],
    }
    while key(live) != "dday_dice.roll.2":
        live.table.answer(live.table.n, given.get(key(live)) or at_first(live.table.ask))
    words = "Stay as they lie: red skull, white skull, white skull, blue star<"
    assert words in client.get(live.path).text


def test_a_second_tap_changes_nothing(client: TestClient, live: Live) -> None:
    n = live.table.n
    assert answer(client, live, "stones", n=n).status_code == 303
    before = (live.table.n, key(live))
    assert answer(client, live, "stones", n=n).status_code == 303
    assert (live.table.n, key(live)) == before


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"answer": "up"}, "is not one of"),
        ({}, "choose one"),
        ({"answer": ["dice", "stones"]}, "choose one"),
        ({"n": "x", "answer": "dice"}, "whole number"),
        ({"n": "", "answer": "dice"}, "whole number"),
        ({"n": "²", "answer": "dice"}, "whole number"),
    ],
)
def test_a_wrong_answer_is_told_and_the_ask_stands(
    client: TestClient, live: Live, fields: dict[str, str], words: str
) -> None:
    n = live.table.n
    said = client.post(f"{live.path}/answer", data={"n": n} | fields)
    assert said.status_code == 422
    assert words in said.text
    assert live.table.n == n


def test_what_was_entered_stays_with_the_reason_why_it_is_refused(
    client: TestClient, house: House, manual: Live
) -> None:
    answer(client, manual, "pick")
    said = answer(client, manual, "a", "b", "c").text
    assert re.findall(r'value="(\w)" checked', said) == ["a", "b", "c"]
    assert " checked" not in client.get(manual.path).text
    answer(client, manual, "a")
    answer(client, manual, "ok")
    answer(client, manual, "dice")
    assert re.findall(
        r'name="(die.)" value="(\w)" required checked', answer(client, manual, die1="6").text
    ) == [("die1", "6")]
    drawn = house.begin(games.load("undaunted"), Wish(seed=1, cards="manual"))
    while drawn.table.ask and drawn.table.ask.kind != "draw":
        drawn.table.answer(drawn.table.n, at_first(drawn.table.ask))
    said = answer(client, drawn, "", "leader-a", "", "leader-a").text
    assert re.findall(r'value="([\w-]+)" selected', said) == ["leader-a"] * 2
    assert " selected" not in answer(client, drawn, "").text


def test_what_was_entered_for_an_ask_that_is_gone_is_not_filled_in(client: TestClient, manual: Live) -> None:
    answer(client, manual, "pick")
    n = manual.table.n
    answer(client, manual, "a")
    answer(client, manual, "ok")
    answer(client, manual, "pick")
    assert " checked" not in client.get(answer(client, manual, "a", "b", "c", n=n).headers["location"]).text


def test_after_a_game_broke_down_the_page_asks_again_under_the_new_number(
    client: TestClient, live: Live
) -> None:
    client.get(live.path)
    asked = {"accept": "application/json"}
    n = live.table.n
    told = client.post(f"{live.path}/answer", data={"n": n, "answer": "crash"}, headers=asked).json()
    assert "broke down" in told["error"]
    n = told["frame"]["n"]
    told = client.post(f"{live.path}/answer", data={"n": n, "answer": "stones"}, headers=asked).json()
    assert (told["error"], told["frame"]["n"], key(live)) == ("", live.table.n, "toy.stones")


def test_a_form_that_can_not_be_meant_is_told_to_a_script_in_a_line(client: TestClient, live: Live) -> None:
    answer(client, live, "stones")
    tap = {"n": live.table.n, "steps": "many"}
    said = client.post(f"{live.path}/undo", data=tap, headers={"Accept": "application/json"})
    assert (said.status_code, said.json()) == (422, {"error": "'many' is no whole number"})
    assert "&#39;many&#39; is no whole number</p>" in client.post(f"{live.path}/undo", data=tap).text


def test_undo_and_redo_say_what_they_do(client: TestClient, live: Live) -> None:
    answer(client, live, "stones")
    answer(client, live, "2")
    assert "Undo: How many stones? 2" in client.get(live.path).text
    client.post(f"{live.path}/undo", data={"n": live.table.n})
    assert key(live) == "toy.stones"
    assert "Redo: How many stones? 2" in client.get(live.path).text
    client.post(f"{live.path}/redo", data={"n": live.table.n})
    assert key(live) == "toy.turn"
    written = live.table.session.journal.entries(live.table.session.meta.id)
    assert {entry.item.by for entry in written} == {"phone"}


def test_what_an_undo_changes_on_the_table_stands_there_until_the_next_answer(
    client: TestClient, live: Live
) -> None:
    answer(client, live, "dice")
    client.post(f"{live.path}/undo", data={"n": live.table.n})
    told = client.get(live.path).text.partition("Put the table right</h2>")[2]
    assert told.split()[:3] == ["<h3>Hill</h3>", "<pre>Height", "0</pre>"]
    answer(client, live, "stones")
    assert "Put the table right" not in client.get(live.path).text


def test_a_stale_undo_is_not_done_twice(client: TestClient, live: Live) -> None:
    for given in ("stones", "1", "ok", "stones", "2"):
        answer(client, live, given)
    n = live.table.n
    for _ in range(2):
        client.post(f"{live.path}/undo", data={"n": n})
    assert (key(live), live.table.session.play.state.turn) == ("toy.stones", 2)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"rule = 3", None], ids=["no text", "no ledger", "none"])
def test_a_game_whose_ledger_can_not_be_read_is_played_on_and_why_tells_what_to_do(
    client: TestClient, live: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    damaged = tmp_path / "ledger.toml"
    if content is not None:
        damaged.write_bytes(content)
    monkeypatch.setattr("companion.table.table.load_ledger", lambda _: ledger.load(damaged))
    vars(live.table).pop("ledger", None)
    assert 'name="n"' in client.get(live.path).text
    said = "\n".join(live.table.why())
    assert f"{damaged}: " in said
    assert "install what the game came with again" in said


def test_history_can_be_jumped_to(client: TestClient, live: Live) -> None:
    for _ in range(3):
        for given in ("stones", "1", "ok"):
            answer(client, live, given)
    page = client.get(live.path).text
    steps = re.findall(r'name="steps" value="(\d+)"><button>([^<]*)', page)
    assert steps[5] == ("6", "Which way? Stones")
    client.post(f"{live.path}/undo", data={"n": live.table.n, "steps": "6"})
    assert live.table.session.play.state.turn == 1


def test_the_log_beside_the_question_is_of_the_newest_answers_the_last_first(
    client: TestClient, live: Live
) -> None:
    for _ in range(LOG_LINES // 3):
        for given in ("stones", "2", "ok"):
            answer(client, live, given)
    answer(client, live, "dice")
    page = client.get(live.path).text
    log = page.split(f'class="log" reversed start="{LOG_LINES + 2}">')[1].split("</ol>")[0]
    told = re.findall("<li>(.*?)</?(?:b|small)>", log)
    assert len(told) == LOG_LINES
    assert told[:4] == ["Roll to climb: ", "Which way? ", "Height 0 ", "How many stones? "]


def test_a_value_is_set_by_hand_and_a_wrong_one_refused(client: TestClient, live: Live) -> None:
    page = client.get(f"{live.path}/state").text
    assert re.findall("<summary>(.*?)<", page) == ["height", "turn", "deck", "bag", "picked"]
    assert re.findall('name="path" value="(.*?)"', page)[-3:] == ["deck", "bag.stones", "picked"]
    data = {"n": live.table.n, "path": "bag.stones", "value": "9"}
    assert client.post(f"{live.path}/override", data=data).status_code == 303
    assert live.table.session.play.state.bag.stones == 9
    assert "<button>set bag.stones: 0 -&gt; 9<" in client.get(live.path).text
    data = {"n": live.table.n, "path": "height", "value": "1000"}
    assert "between 0 and 100" in client.post(f"{live.path}/override", data=data).text


def test_a_value_that_is_set_too_late_is_not_lost_in_silence(client: TestClient, live: Live) -> None:
    late = {"n": live.table.n, "path": "bag.stones", "value": "9"}
    answer(client, live, "stones")
    said = client.post(f"{live.path}/override", data=late)
    assert (said.status_code, live.table.session.play.state.bag.stones) == (422, 0)
    assert "The table has moved on" in said.text
    assert "Look at bag.stones before you set it again." in said.text


def test_dice_that_a_camera_doubts_are_shown_with_their_photo_and_kept_as_corrected(
    client: TestClient, manual: Live
) -> None:
    answer(client, manual, "dice")
    table = manual.table
    read = (RolledDie("d6", "5", "camera", 0.5, photo=blob_name(PNG)), RolledDie("d6", "2", "camera", 0.99))
    table.offer(Seen(table.n, ("5", "2"), "camera", doubtful=(0,), evidence=Evidence(read, (PNG,))))
    page = client.get(manual.path).text
    assert re.findall("<legend>(.*?)<", page) == ["d6 1 \N{EN DASH} please look", "d6 2"]
    assert page.count(" checked") == 2
    assert 'alt="Photo of this die" width="128"' in page, "what is doubtful is large enough to be looked at"
    shown = client.get(f"{manual.path}/die0.png")
    assert (shown.content, shown.headers["content-type"]) == (PNG, "image/png")
    for none in ("1", "2", "99", "9" * 5000, "-1", "x"):
        assert client.get(f"{manual.path}/die{none}.png").status_code == 404
    n = table.n
    answer(client, manual, die0="6", die1="2")
    (first, _) = table.session.journal.rolls(table.session.meta.id)[n]
    assert (first.face, first.read, first.photo) == ("6", "5", blob_name(PNG))
    shown = client.get(f"/log/{table.session.meta.id}/photo/{first.photo}")
    assert (shown.content, shown.headers["content-type"]) == (PNG, "image/png")


def test_dice_that_are_seen_again_are_shown_with_their_new_photo(client: TestClient, manual: Live) -> None:
    answer(client, manual, "dice")
    table, pages = manual.table, []
    for data in (PNG, PNG + b"another"):
        read = (
            RolledDie("d6", "5", "camera", 0.5, photo=blob_name(data)),
            RolledDie("d6", "2", "camera", 0.99),
        )
        table.offer(Seen(table.n, ("5", "2"), "camera", doubtful=(0,), evidence=Evidence(read, (data,))))
        page = client.get(manual.path).text
        (photo,) = re.findall(r'<img src="([^"]*die0.png[^"]*)"', page)
        assert client.get(photo).content == data
        pages.append((photo, re.findall(r'data-mark="([^"]*)"', page)))
    assert pages[0][0] != pages[1][0]
    assert pages[0][1] != pages[1][1]


def test_dice_of_a_page_from_before_others_were_seen_are_not_taken_for_those(
    client: TestClient, manual: Live
) -> None:
    answer(client, manual, "dice")
    table, n, forms = manual.table, manual.table.n, []
    for faces in (("5", "2"), ("3", "6")):
        table.offer(Seen(n, faces, "camera", doubtful=(0,)))
        (form,) = re.findall(r'name="sight" value="([^"]*)"', client.get(manual.path).text)
        forms.append({"n": n, "die0": faces[0], "die1": faces[1], "sight": form})
    client.post(f"{manual.path}/answer", data=forms[0])
    assert table.n == n
    assert forms[1]["sight"] in client.get(manual.path).text
    client.post(f"{manual.path}/answer", data=forms[1])
    assert table.n != n


def test_a_page_knows_what_was_seen_as_its_stream_says_it(client: TestClient, manual: Live) -> None:
    answer(client, manual, "dice")
    manual.table.offer(Seen(manual.table.n, ("5", None), "camera", doubtful=(1,)))
    (on_page,) = re.findall(r'data-mark="([^"]*)"', client.get(manual.path).text)
    assert manual.frame(Role.ACT).mark == on_page != ""


def test_other_faces_other_doubts_and_other_dice_that_may_be_meant_are_another_sight(
    manual: Live, client: TestClient
) -> None:
    answer(client, manual, "dice")
    sights = set()
    for faces, doubtful, others in (
        (("5", "1"), (1,), ()),
        (("6", "1"), (1,), ()),
        (("6", "1"), (0, 1), ()),
        (("6", "1"), (0, 1), (("3",), ("3",))),
    ):
        manual.table.offer(Seen(manual.table.n, faces, "camera", doubtful, others=others))
        sights.add(manual.frame(Role.ACT).mark)
    assert len(sights) == 4


def test_a_board_that_has_changed_has_another_address(live: Live) -> None:
    before = live.frame(Role.ACT).board
    live.table.answer(live.table.n, "stones")
    assert live.frame(Role.ACT).board != before


def test_what_was_entered_for_one_throw_is_not_filled_in_for_the_next(
    client: TestClient, manual: Live
) -> None:
    answer(client, manual, "dice")
    sent = {"die0": ["6"], "die1": ["6"]}
    then = pages.Sent({"n": [str(manual.table.n - 1)], **sent}, {})
    assert _filled_in(manual, Role.ACT, then) == manual.frame(Role.ACT)
    now = pages.Sent({"n": [str(manual.table.n)], **sent}, {})
    assert _filled_in(manual, Role.ACT, now).ask.count(" checked") == 2


def test_more_watchers_than_the_box_can_serve_are_turned_away(
    client: TestClient, live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    live.close()  # a stream that is granted ends at once
    granted = client.get(f"{live.path}/events")
    assert (granted.status_code, granted.text) == (200, "retry: 1000\n\n")
    assert granted.headers["content-type"].startswith("text/event-stream")
    monkeypatch.setattr("companion.web.table_pages.MOST_WATCHERS", 0)
    assert client.get(f"{live.path}/events").status_code == 503


def test_which_of_too_many_dice_were_rolled_is_asked_with_the_tray_once(
    client: TestClient, manual: Live
) -> None:
    answer(client, manual, "dice")
    table = manual.table
    read = tuple(RolledDie("d6", face, "camera", 0.99, photo=blob_name(PNG)) for face in "52")
    evidence = Evidence(read, (PNG, PNG))
    table.offer(Seen(table.n, ("5", "2"), "camera", evidence=evidence, others=(("3", None),) * 2))
    page = client.get(manual.path).text
    assert page.count("or 3, ?") == 2
    assert page.count("Photo of the tray") == 1
    assert 'width="480"' in page
    assert page.count(" checked") == 2


def test_dice_that_lie_there_from_before_an_undo_are_filled_in(client: TestClient, manual: Live) -> None:
    answer(client, manual, "dice")
    assert "before the undo" not in client.get(manual.path).text
    answer(client, manual, die0="6", die1="2")
    client.post(f"{manual.path}/undo", data={"n": manual.table.n})
    answer(client, manual, "dice")
    page = client.get(manual.path).text
    assert page.count(" checked") == 2
    assert "as they lay here before the undo" in page


def test_a_card_that_was_drawn_before_an_undo_stands_out(client: TestClient, manual: Live) -> None:
    answer(client, manual, "card")
    assert 'class="main"' not in client.get(manual.path).text
    answer(client, manual, "b")
    client.post(f"{manual.path}/undo", data={"n": manual.table.n})
    answer(client, manual, "card")
    page = client.get(manual.path).text
    assert page.count('class="main"') == page.count('class="main" name="answer" value="b"') == 1
    assert "drawn here before the undo" in page


def test_cards_that_were_drawn_before_an_undo_are_filled_in(client: TestClient, house: House) -> None:
    live = house.begin(games.load("okinawa"), Wish(seed=1, cards="manual"))
    answer(client, live, "ok")
    assert key(live) == "okinawa.resupply.card"
    assert " selected" not in client.get(live.path).text
    cards = ["corsair", "command-post", "corsair"]
    assert "3 are wanted, not 1" in answer(client, live, "corsair", "", "").text
    answer(client, live, *cards)
    client.post(f"{live.path}/undo", data={"n": live.table.n})
    answer(client, live, "ok")
    page = client.get(live.path).text
    assert re.findall(r'value="([^"]+)" selected', page) == cards
    assert "cards that were drawn here before the undo" in page


def test_the_board_is_a_picture_that_can_run_nothing(client: TestClient, live: Live) -> None:
    said = client.get(f"{live.path}/board.svg")
    assert said.headers["content-type"] == "image/svg+xml"
    assert "script-src" not in said.headers["content-security-policy"]
    assert "default-src 'none'" in said.headers["content-security-policy"]


def test_why_names_the_rules(client: TestClient, house: House) -> None:
    path = client.post("/begin", data={"game": "okinawa", "seed": "1"}).headers["location"]
    assert re.search(r"<dt>OKI-\w+</dt><dd>\w", client.get(path).text)
    assert '<p class="detail">' not in client.get(path).text.split('class="why"')[1]
    client.post(f"{path}/answer", data={"n": "1"})
    why = client.get(path).text.split('class="why"')[1]
    assert '<p class="detail">3 new Reinforcement cards: ' in why, "what the box drew by itself"


def test_what_the_box_rolled_is_told_where_no_rule_is(client: TestClient, live: Live) -> None:
    assert 'class="why"' not in client.get(live.path).text
    answer(client, live, "dice")
    assert '<p class="detail">Roll to climb: ' in client.get(live.path).text.split('class="why"')[1]


def test_a_session_that_was_put_away_is_resumed(client: TestClient, live: Live, house: House) -> None:
    answer(client, live, "stones")
    name = live.table.session.meta.id
    assert client.post(f"{live.path}/leave").status_code == 303
    assert client.get(live.path).headers["location"] == f"/log/{name}"
    assert client.get(f"{live.path}/events").status_code == 204
    again = client.post("/resume", data={"session": name})
    assert again.headers["location"] == live.path
    assert key(house.live(name)) == "toy.stones"


def test_the_end_of_a_form_that_is_opened_again_leads_to_where_the_form_was(
    client: TestClient, live: Live
) -> None:
    log = live.path.replace("/s/", "/log/")
    ends = {
        f"{live.path}/answer": live.path,
        f"{log}/note": log,
        "/begin": "/",
        "/packs/toy/new": "/packs/toy",
    }
    for end, page in ends.items():
        said = client.get(end)
        assert (said.status_code, said.headers["location"]) == (303, page)


def test_what_was_entered_for_a_game_that_can_not_begin_so_stays(client: TestClient) -> None:
    entered = {"game": "okinawa", "set.sandbags": "2", "cards": "manual", "seed": "seven"}
    said = client.post("/begin", data=entered)
    assert said.status_code == 422
    other, form = said.text.split("<details open>", 1)
    assert "selected" not in other
    assert [one.split("<", 1)[0] for one in form.split(" selected>")[1:]] == [
        "I draw from the real decks",
        "2",
    ]
    assert 'value="seven"' in form
    assert said.text.count("<details open>") == 2, "the game and its options"
    assert " selected" not in client.get("/").text


def test_of_sessions_that_were_put_away_the_last_played_are_offered_first(
    client: TestClient, house: House, toy: Game
) -> None:
    for _ in range(RECENT + 1):
        client.post(f"{house.begin(toy, Wish(seed=7)).path}/leave")
    *later, first = [meta.id for meta in reversed(house.journal.sessions())]
    offered = client.get("/").text.split("<h2>Unfinished</h2>")[1].split("</ul>")[0]
    assert re.findall(r'name="session" value="([^"]+)"', offered) == later
    live = house.resume(first)
    answer(client, live, "stones")
    client.post(f"{live.path}/leave")
    offered = client.get("/").text.split("<h2>Unfinished</h2>")[1].split("</ul>")[0]
    assert re.findall(r'name="session" value="([^"]+)"', offered) == [first, *later[:-1]]


def test_a_second_tap_on_putting_away_is_no_error(client: TestClient, live: Live, house: House) -> None:
    assert f'action="{live.path}/leave"' in client.get(live.path).text
    for _ in range(2):
        said = client.post(f"{live.path}/leave")
        assert (said.status_code, said.headers["location"]) == (303, "/")
    assert house.tables == []


def test_r3_on_a_full_disk_a_session_is_put_away_and_goes_on_as_it_was(
    client: TestClient, live: Live, house: House
) -> None:
    answer(client, live, "dice")
    state, name = live.table.state, live.table.session.meta.id
    with disk_full_at(0):
        assert client.post(f"{live.path}/leave").status_code == 303
    assert house.resume(name).table.state == state
    house.close()
    assert not list(house.data.glob("*-wal")), "nobody has the journal open any more"


def test_a_tap_on_a_session_that_was_put_away_is_told_in_a_line(client: TestClient, live: Live) -> None:
    client.post(f"{live.path}/leave")
    script = {"Accept": "application/json"}
    for deed in ("answer", "undo", "redo", "override"):
        said = client.post(f"{live.path}/{deed}", data={"n": "1", "answer": "stones"}, headers=script)
        assert said.json() == {"error": "This session is not open on the box now. Nothing was changed."}


def test_without_scripts_a_tap_on_a_session_that_was_put_away_leads_to_its_log(
    client: TestClient, live: Live
) -> None:
    log = live.path.replace("/s/", "/log/")
    client.post(f"{live.path}/leave")
    said = [
        client.post(f"{live.path}/{deed}", data={"n": "1", "answer": "stones"})
        for deed in ("answer", "undo", "redo", "override")
    ]
    assert {(one.status_code, one.headers["location"]) for one in said} == {(303, log)}
    assert client.get(f"{live.path}/state").headers["location"] == log
    for picture in ("board.svg", "die0.png"):
        assert client.get(f"{live.path}/{picture}").status_code == 404


def test_a_game_that_is_over_makes_room_for_the_next(client: TestClient, house: House, toy: Game) -> None:
    first = house.begin(toy, Wish(seed=7, settings={"top": "5"}))
    for _ in range(MOST_TABLES - 1):
        house.begin(toy, Wish(seed=7))
    assert "put one away first" in client.post("/begin", data={"game": "toy"}).text
    while first.table.ask is not None:
        first.table.answer(first.table.n, at_first(first.table.ask))
    assert client.post("/begin", data={"game": "toy", "set.top": "none"}).status_code == 422
    assert first in house.tables, "what could not be begun took no place"
    assert client.post("/begin", data={"game": "toy"}).status_code == 303
    assert first not in house.tables
    assert len(house.tables) == MOST_TABLES


def test_a_game_that_is_over_stays_as_long_as_there_is_room(house: House, toy: Game) -> None:
    over = house.begin(toy, Wish(seed=7, settings={"top": "5"}))
    while over.table.ask is not None:
        over.table.answer(over.table.n, at_first(over.table.ask))
    house.begin(toy, Wish(seed=7))
    assert over in house.tables


def test_a_session_that_is_played_elsewhere_says_so(client: TestClient, live: Live, house: House) -> None:
    from companion.engine import Journal, Session

    name = live.table.session.meta.id
    client.post(f"{live.path}/leave")
    with Journal(house.data) as journal, Session.resume(journal, house.game("toy"), name):
        said = client.post("/resume", data={"session": name})
        assert said.status_code == 422
        assert "being played elsewhere" in said.text
    house.close()
    assert not list(house.data.glob("*-wal")), "nor has the page kept the journal open for it"


def test_sessions_that_were_open_are_open_again_after_a_restart(
    client: TestClient, live: Live, house: House
) -> None:
    from tests.web.conftest import client_of

    answer(client, live, "stones")
    house.close()
    again = House(house.data, house.library, house.access, house._draw)
    again.reopen()
    with client_of(again) as restarted:
        assert "How many stones?" in restarted.get(live.path).text


def test_a_session_that_a_phone_begins_while_the_page_stops_is_open_again_beside_the_others(
    live: Live, house: House, toy: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins, stops, merged = Event(), Event(), house.merged

    def merged_slowly(game: Game):
        begins.set()
        stops.wait(0.3)
        return merged(game)

    monkeypatch.setattr(house, "merged", merged_slowly)
    with ThreadPoolExecutor() as phones:
        begun = phones.submit(house.begin, toy, Wish(seed=7))
        assert begins.wait(5)
        house.close()
        stops.set()
        begun.result()
    again = House(house.data, house.library, house.access, house._draw)
    again.reopen()
    assert {one.path for one in again.tables} == {live.path, begun.result().path}
    again.close()


def test_a_session_that_was_put_away_is_not_open_again_after_a_restart(
    client: TestClient, live: Live, house: House
) -> None:
    client.post(f"{live.path}/leave")
    house.close()
    again = House(house.data, house.library, house.access, house._draw)
    again.reopen()
    assert again.tables == []
    again.close()


def test_a_session_that_can_not_be_opened_again_keeps_no_other_from_it(live: Live, house: House) -> None:
    name = live.table.session.meta.id
    house.close()
    listed = house.data / "page" / "open.json"
    listed.write_text(f'["no such session", "{name}"]')
    again = House(house.data, house.library, house.access, house._draw)
    again.reopen()
    assert [one.table.session.meta.id for one in again.tables] == [name]
    assert listed.read_text() == f'["{name}"]'
    again.close()


def test_what_stops_while_sessions_are_opened_again_opens_all_of_them_the_next_time(
    live: Live, house: House, toy: Game
) -> None:
    listed = house.data / "page" / "open.json"
    other = house.begin(toy, Wish(seed=8))
    both = listed.read_text()
    house.close()
    loaded = iter([toy])

    def load(_name: str) -> Game:
        try:
            return next(loaded)
        except StopIteration:
            raise KeyboardInterrupt from None

    stopped = House(house.data, Library(lambda: ["toy"], load), house.access, house._draw)
    with pytest.raises(KeyboardInterrupt):
        stopped.reopen()
    assert listed.read_text() == both
    stopped.close()
    again = House(house.data, house.library, house.access, house._draw)
    again.reopen()
    assert [one.path for one in again.tables] == [live.path, other.path]
    again.close()


@pytest.mark.parametrize("torn", [b"", b'["\xff"]', b"{}", b"[1]", b"5"])
def test_a_torn_list_of_open_sessions_keeps_no_page_from_opening(house: House, torn: bytes) -> None:
    listed = house.data / "page" / "open.json"
    listed.parent.mkdir(exist_ok=True)
    listed.write_bytes(torn)
    house.reopen()
    assert house.tables == []


def test_a_session_is_not_resumed_by_half_its_name(client: TestClient, live: Live) -> None:
    client.post(f"{live.path}/leave")
    said = client.post("/resume", data={"session": live.table.session.meta.id[:-1]})
    assert said.status_code == 422


def test_a_card_that_the_pack_could_not_get_is_in_it_once_the_session_is_open_again(
    house: House, toy: Game
) -> None:
    class Learner(Toy):
        def learned(self) -> Tables:
            return {"card": {"z": {"steps": stones}}} if (stones := self.state.bag.stones) else {}

    learner = msgspec.structs.replace(toy, start=Learner)
    with (
        Journal(house.data) as journal,
        Session.create(journal, learner, house.merged(toy), Wish(settings={"top": "60"})) as session,
    ):
        for given in ("stones", 2):  # and no table keeps it, as on a full disk
            session.answer(session.n, given)
    house.library = Library(lambda: ["toy"], lambda _: learner)
    house.resume(session.meta.id)
    assert owned(house.owner_packs("toy"), "toy").tables == {"card": {"z": {"steps": 2}}}


def test_a_second_tap_on_resume_opens_the_same_table(client: TestClient, live: Live, house: House) -> None:
    said = client.post("/resume", data={"session": live.table.session.meta.id})
    assert (said.status_code, said.headers["location"]) == (303, live.path)
    assert house.tables == [live]


def test_a_table_that_is_played_at_the_box_can_not_be_put_away_on_the_page(
    client: TestClient, live: Live, house: House
) -> None:
    name = live.table.session.meta.id
    client.post(f"{live.path}/leave")
    with Journal(house.data) as journal, Session.resume(journal, house.game("toy"), name) as session:
        with house.shared(Table(session, house.owner_packs("toy"))):
            assert "/leave" not in client.get(f"/s/{name}").text
            said = client.post(f"/s/{name}/leave")
            assert said.status_code == 422
            assert "played at the table" in said.text
            assert house.live(name) is not None
        assert house.live(name) is None


def test_r17_what_a_phone_answers_as_the_box_leaves_the_table_is_written_once(
    client: TestClient, live: Live, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = live.table.session.meta.id
    client.post(f"{live.path}/leave")
    writes, write_on = Event(), Event()
    with Journal(house.data) as journal, ThreadPoolExecutor(1) as phone:
        session = Session.resume(journal, house.game("toy"), name)
        append = journal.append

        def slowly(*given: object) -> None:
            writes.set()
            assert write_on.wait(10)
            append(*given)

        monkeypatch.setattr(journal, "append", slowly)
        with house.shared(Table(session, house.owner_packs("toy"))):
            said = phone.submit(answer, client, house.live(name), "stones")
            assert writes.wait(10)
            Timer(0.2, write_on.set).start()
        session.close()
        assert said.result().status_code == 303
        assert [entry.item.answer for entry in journal.entries(name)] == ["stones"]


def test_r17_what_a_phone_answers_when_the_box_has_left_the_table_changes_nothing(
    client: TestClient, live: Live, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, path, found, comes = live.table.session.meta.id, live.path, house.live, Event()
    client.post(f"{path}/leave")

    def told(name: str) -> Live | None:
        live = found(name)
        comes.set()
        return live

    monkeypatch.setattr(house, "live", told)
    with (
        Journal(house.data) as journal,
        Session.resume(journal, house.game("toy"), name) as session,
        ThreadPoolExecutor(1) as phone,
    ):
        table = Table(session, house.owner_packs("toy"))
        with table.lock:
            with house.shared(table):
                tap = partial(client.post, f"{path}/answer", data={"n": "1", "answer": "stones"})
                said = phone.submit(tap, headers={"Accept": "application/json"})
                assert comes.wait(10)
            session.close()
        assert "not open on the box now" in said.result().text
        assert journal.entries(name) == []


def test_the_end_is_shown_with_the_way_to_the_report(client: TestClient, house: House) -> None:
    path = client.post("/begin", data={"game": "toy", "set.top": "5", "seed": "3"}).headers["location"]
    live = house.live(path.removeprefix("/s/"))
    while live.table.ask is not None:
        assert live.frame(Role.ACT).said == live.table.ask.text
        answer(client, live, "ok" if key(live) == "toy.turn" else "dice")
    assert live.frame(Role.ACT).said == "The game is over: the top"
    page = client.get(path).text
    assert "The game is over: won" in page
    assert f'href="/log/{live.table.session.meta.id}"' in page


def test_after_the_end_the_state_is_shown_and_no_value_can_be_set(client: TestClient, house: House) -> None:
    path = client.post("/begin", data={"game": "toy", "set.top": "5", "seed": "3"}).headers["location"]
    live = house.live(path.removeprefix("/s/"))
    form = f'action="{path}/override"'
    assert form in client.get(path).text
    assert form in client.get(f"{path}/state").text
    while live.table.ask is not None:
        live.table.answer(live.table.n, at_first(live.table.ask))
    assert form not in client.get(path).text
    assert f'href="{path}/state"' in client.get(path).text
    shown = client.get(f"{path}/state").text
    assert form not in shown
    assert "undo first" in shown


def test_an_answer_after_the_end_changes_nothing_and_shows_the_end(client: TestClient, house: House) -> None:
    path = client.post("/begin", data={"game": "toy", "set.top": "5", "seed": "3"}).headers["location"]
    live = house.live(path.removeprefix("/s/"))
    while live.table.ask is not None:
        live.table.answer(live.table.n, at_first(live.table.ask))
    n = live.table.n
    said = answer(client, live, "dice")
    assert (said.status_code, said.headers["location"]) == (303, path)
    assert (live.table.n, live.table.ask) == (n, None)


def test_an_unknown_session_is_told(client: TestClient) -> None:
    assert client.get("/s/nothing").headers["location"] == "/log/nothing"
    said = client.get("/log/nothing")
    assert said.status_code == 422
    assert "there is no session nothing" in said.text


def test_an_answer_that_comes_while_its_session_is_put_away_is_not_taken(
    client: TestClient, live: Live
) -> None:
    n = live.table.n
    live.close()
    said = client.post(f"{live.path}/answer", data={"n": n, "answer": "dice"})
    assert (said.headers["location"], live.table.n) == (f"/log/{live.table.session.meta.id}", n)
