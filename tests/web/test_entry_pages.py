"""What a game asks about a printed thing is asked on the page too: gone back in, left and gone on with."""

import html
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from companion import games
from companion.engine import packs
from companion.table.entering import Draft, draft_file
from companion.web.house import House, Library


@pytest.fixture
def library() -> Library:
    return Library(games.names, games.load)


def hidden(page: str, name: str) -> str:
    return re.search(rf'name="{name}" value="([^"]*)"', page)[1]


def question(page: str) -> str:
    return html.unescape(re.search(r'<h2 id="question"[^>]*>(.*?)</h2>', page)[1])


class Phone:
    """Somebody who enters a thing on the page, question by question."""

    def __init__(self, client: TestClient, record: str) -> None:
        game, table, name = record.split(".", 2)
        self.client = client
        self.place = f"/packs/{game}/{table}/{quote(name)}/ask"
        self.at = self.place
        self.look()

    def look(self, at: str = "") -> str:
        self.at = at or self.at
        self.page = self.client.get(self.at).text
        return question(self.page)

    def answer(self, *answers: object) -> str:
        """What is asked after these; the address that is sent to where that is no question."""
        for one in answers:
            given = {"n": hidden(self.page, "n"), "asked": hidden(self.page, "asked")}
            picked = [str(each) for each in one] if isinstance(one, list) else str(one)
            said = self.client.post(self.place, data=given | {"answer": picked})
            if said.status_code != 303:
                return said.text
            if not said.headers["location"].startswith(self.place):
                return said.headers["location"]
            self.look(said.headers["location"])
        return question(self.page)


def test_a_mission_is_entered_and_begun(client: TestClient, house: House) -> None:
    phone = Phone(client, "space_infantry.mission.mine")
    start = ("-", "-", "no", "no")
    first = ("climb", 2, "-", "-", "no", "no")
    assert phone.answer(2, *start, *first, ["n1"]) == "All nodes right so?"
    rest = (28, "no", "no", ["n1"], [], "no")
    assert phone.answer("-", *rest, []) == "Its title?"
    assert 'name="answer" value="Mine"' in phone.page
    assert phone.answer("The Mine") == "Its briefing?"
    assert phone.answer(" Go in\r\n& out. ") == "It reads so. OK saves it, Back goes back."
    assert "turns: 28" in phone.page
    before = client.get(f"{phone.place}?at={int(hidden(phone.page, 'n')) - 1}").text
    assert ">Go in\n&amp; out.</textarea>" in before, "a line to type in would make one word of two"
    assert phone.answer("ok") == "/packs/space_infantry/mission/mine"
    owner = packs.owned(house.owner_packs("space_infantry"), "space_infantry").tables
    assert owner["mission"]["mine"]["nodes"]["n1"]["needs"] == "climb 2"
    assert owner["mission"]["mine"]["briefing"] == "Go in\n& out."
    began = client.post("/begin", data={"game": "space_infantry", "scenario": "mine"})
    assert began.headers["location"].startswith("/s/")


def test_an_entry_is_left_and_gone_on_with_there_and_at_a_terminal(client: TestClient, house: House) -> None:
    thing = "space_infantry.vehicle.rhino"
    assert Phone(client, thing).answer(5, 1) == "Pilot: level?"
    again = Phone(client, thing)
    assert question(again.page) == "Armor icons?"  # the last that was answered, as it was
    assert 'class="main" name="answer" value="1"' in again.page
    draft = Draft(draft_file(house.owner_packs("space_infantry"), "vehicle.rhino"))
    game = games.load("space_infantry")
    pack = packs.build(packs.merge("space_infantry", packs.find(game.folder, Path("none"))), game.pack_type)
    assert draft.offered(next(game.entry(pack, "vehicle.rhino", {}))) == 5


def test_one_goes_back_and_what_is_answered_otherwise_counts(client: TestClient, house: House) -> None:
    phone = Phone(client, "space_infantry.vehicle.rhino")
    phone.answer(5, 1)
    assert phone.look(f"{phone.place}?at=0") == "Damage it can take?"
    phone.answer(7, 1, 3, "-", 4, "-", "ok")
    owner = packs.owned(house.owner_packs("space_infantry"), "space_infantry").tables
    assert owner["vehicle"]["rhino"]["wounds"] == 7
    assert phone.look(phone.place) == "Damage it can take?"  # saved, so it begins anew, as it was answered
    assert 'class="main" name="answer" value="7"' in phone.page
    late = {"n": "99", "asked": "more than is asked by now", "answer": "7"}
    for said in (client.get(f"{phone.place}?at=99"), client.post(phone.place, data=late)):
        assert said.headers["location"].endswith("/ask?at=0")


def test_the_choice_of_before_stands_out_when_one_goes_back_to_it(client: TestClient) -> None:
    phone = Phone(client, "space_infantry.mission.mine")
    phone.answer(2, "-", "-", "no")
    assert 'class="main" name="answer"' not in phone.page
    phone.look(f"{phone.place}?at=3")
    assert re.findall('class="main" name="answer" value="([^"]+)"', phone.page) == ["no"]
    assert "Marked: what you answered before." in phone.page


def test_what_does_not_fit_is_said_and_asked_again(client: TestClient) -> None:
    phone = Phone(client, "space_infantry.vehicle.rhino")
    assert "a whole number from 1 to 12 is wanted" in phone.answer(40)
    client.post(phone.place, data={"n": "0", "asked": hidden(phone.page, "asked"), "answer": "5"})
    stale = client.post(phone.place, data={"n": "0", "asked": "other", "answer": "5"})
    assert stale.status_code == 422
    assert "Something else is asked here by now" in stale.text


@pytest.mark.parametrize("record", ["flag_war.piece.P", "dday_dice.map.atlantis", "okinawa.enemy.c"])
def test_what_no_game_asks_about_is_refused(client: TestClient, record: str) -> None:
    game, table, name = record.split(".")
    said = client.get(f"/packs/{game}/{table}/{name}/ask")
    assert said.status_code in (400, 404, 422)


def test_the_form_leads_to_the_questions_where_there_are_some(client: TestClient) -> None:
    assert "/packs/dday_dice/map/omaha/ask" in client.get("/packs/dday_dice/map/omaha").text
    for place in ("dday_dice/specialist/new", "dday_dice/map/atlantis", "undaunted/section/any"):
        assert "/ask" not in client.get(f"/packs/{place}").text


def test_what_is_missing_leads_to_its_record(client: TestClient) -> None:
    said = client.get("/packs/dday_dice").text
    assert '<a href="/packs/dday_dice/sector/utah.10">sector.utah.10: ' in said
    assert '<a href="/packs/undaunted/scenario/mortain">scenario.mortain: ' in (
        client.get("/packs/undaunted").text
    )


def test_a_record_with_a_wrong_value_is_led_to_and_entered_again(client: TestClient, house: House) -> None:
    file = packs.owned_path(house.owner_packs("space_infantry"))
    file.parent.mkdir(parents=True)
    header = '[pack]\ngame = "space_infantry"\nname = "owner"\nsource = "owner"\n'
    file.write_text(f"{header}[vehicle.rhino]\nwounds = 'lots'\n")
    said = client.get("/packs/space_infantry").text
    assert (
        f'<a href="/packs/space_infantry/vehicle/rhino">{file}: vehicle.rhino.wounds: a whole number' in said
    )
    assert 'value="lots"' in client.get("/packs/space_infantry/vehicle/rhino").text
    assert Phone(client, "space_infantry.unit.medic").page  # what is wrong elsewhere stops no other entry
    phone = Phone(client, "space_infantry.vehicle.rhino")
    assert phone.answer(5, 1, 3, "-", 4, "-", "ok") == "/packs/space_infantry/vehicle/rhino"
    assert "wounds = 5" in file.read_text()


def test_of_two_wrong_records_each_is_put_right_by_its_form(client: TestClient, house: House) -> None:
    file = packs.owned_path(house.owner_packs("flag_war"))
    file.parent.mkdir(parents=True)
    header = '[pack]\ngame = "flag_war"\nname = "owner"\nsource = "owner"\n'
    file.write_text(f"{header}[piece.P]\nname = 4\n[piece.C]\nname = 5\n")
    for name, called in (("P", "Pawn"), ("C", "Bearer")):
        place = f"/packs/flag_war/piece/{name}"
        assert client.post(place, data={"name": called}).status_code == 303
    assert packs.read(file).tables["piece"]["P"]["name"] == "Pawn"
    assert "Expected" not in client.get("/packs/flag_war").text


def test_two_phones_at_one_thing_lose_nothing(client: TestClient, house: House) -> None:
    one, other = (Phone(client, "space_infantry.vehicle.rhino") for _ in range(2))
    assert one.answer(5, 1) == "Pilot: level?"
    assert other.answer(7) == "Armor icons?"
    assert 'class="main" name="answer" value="1"' in other.page  # as it was answered on the first
    assert one.answer(3, "-", 4, "-", "ok").endswith("/vehicle/rhino")
    assert "wounds = 7" in packs.owned_path(house.owner_packs("space_infantry")).read_text()
    assert "Something else is asked here by now" not in other.answer(2)


def test_an_answer_about_one_node_is_not_taken_for_another_that_moved_to_its_place(
    client: TestClient,
) -> None:
    one = Phone(client, "space_infantry.mission.mine")
    node = ("-", "no", "no")
    assert one.answer(3, "-", *node, "climb", 2, "-", *node, "climb", 2, "-") == "n2: cache?"
    other = Phone(client, "space_infantry.mission.mine")
    other.look(f"{other.place}?at=1")
    assert other.answer("Auto", "A", "-", "Auto", "B", "-", "-") == "start: cache?"
    assert other.look(f"{other.place}?at=14") == "n1: cache?"
    assert "Something else is asked here by now" in one.answer("G")


@pytest.mark.parametrize("deep", [f"x{'.a' * 450} = 1\n", f"x = {'[' * 300}{']' * 300}\n"])
def test_a_pack_of_lists_within_lists_without_end_is_refused(client: TestClient, deep: str) -> None:
    header = '[pack]\ngame = "flag_war"\nname = "owner"\nsource = "owner"\n'
    sent = {"file": ("theirs.toml", f"{header}[piece.P]\n{deep}".encode())}
    said = client.post("/packs/flag_war/import", files=sent, data={"replace": "on"})
    assert said.status_code == 422
    assert "lists and tables within one another" in said.text
    assert client.get("/packs/flag_war/piece/P").status_code == 200


@pytest.mark.parametrize("deep", [f"{'[' * 300}{']' * 300}", f"{'{a = ' * 300}1{'}' * 300}"])
def test_a_value_of_lists_within_lists_without_end_is_refused(client: TestClient, deep: str) -> None:
    for place, field, sent in (
        ("/packs/flag_war/board/standard", "main", deep),
        ("/packs/undaunted/scenario/mortain", "decks", f"us = {deep}"),
    ):
        said = client.post(f"{place}/check", data={field: sent})
        assert (said.status_code, "is wanted, not a text" in said.text) == (200, True)


@pytest.mark.parametrize(
    "record",
    [
        *("dday_dice.map.omaha", "dday_dice.award.Mine", "space_infantry.cup.owner", "undaunted.solo.my-own"),
        *("undaunted.section.la-raye", "undaunted.tile.19A", "okinawa.enemy.A", "okinawa.scenario.I"),
    ],
)
def test_each_kind_is_asked_about(client: TestClient, record: str) -> None:
    assert Phone(client, record).page
