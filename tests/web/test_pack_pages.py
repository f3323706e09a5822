"""Cards are entered, checked, used, taken out as one file and in again; nothing hostile comes with them."""

import errno
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from companion import games
from companion.engine import Game, packs
from companion.engine.forms import fields_of, record_of
from companion.engine.owner_pack import add_owned
from companion.engine.packs import Record
from companion.engine.shelf import ChangedSince, Shelf
from companion.web.access import Access
from companion.web.house import House, Library
from companion.web.live import Live
from companion.web.table_pages import draw
from tests.engine.test_forms import filled, there_and_back
from tests.engine.toy import Toy
from tests.web.conftest import client_of

OWNERS = '[pack]\ngame = "toy"\nname = "owner"\nsource = "owner"\n'


def enter(client: TestClient, name: str, **fields: str):
    return client.post(f"/packs/toy/card/{name}", data=fields)


def owned(house: House) -> str:
    path = house.data / "packs" / "toy" / "owner" / "pack.toml"
    return path.read_text() if path.exists() else ""


def test_a_card_that_was_entered_is_used(client: TestClient, house: House) -> None:
    assert (
        client.post("/packs/toy/new", data={"table": "card", "name": "d"})
        .headers["location"]
        .endswith("/card/d")
    )
    said = enter(client, "d", steps="5")
    assert (said.status_code, said.headers["location"]) == (303, "/packs/toy#card.d")
    path = client.post("/begin", data={"game": "toy", "cards": "manual"}).headers["location"]
    live = house.live(path.removeprefix("/s/"))
    client.post(f"{path}/answer", data={"n": live.table.n, "answer": "card"})
    client.post(f"{path}/answer", data={"n": live.table.n, "answer": "d"})
    assert live.table.session.play.state.height == 5


def test_packs_are_read_again_for_the_first_page_where_one_of_their_files_is_another(
    client: TestClient, house: House, toy: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []

    def read(game: str, files: list[packs.PackFile]) -> packs.Merged:
        reads.append(game)
        return packs.merge(game, files)

    monkeypatch.setattr("companion.web.house.merge", read)

    def read_for_a_page() -> list[str]:
        reads.clear()
        assert client.get("/").status_code == 200
        return reads

    assert sorted(read_for_a_page()) == ["okinawa", "toy"]
    assert read_for_a_page() == []
    assert enter(client, "a", steps="4").status_code == 303
    assert read_for_a_page() == ["toy"]
    (toy.folder / "packs" / "stand-in" / "pack.toml").write_text("torn")
    assert "not TOML" in client.get("/").text


def test_a_form_in_which_nothing_was_filled_in_makes_no_record(client: TestClient, house: House) -> None:
    said = client.post("/packs/dday_dice/award/mine", data={"solo": "on"})
    assert (said.status_code, "Nothing was filled in" in said.text) == (422, True)
    assert not packs.owned_path(house.owner_packs("dday_dice")).exists()


def test_a_card_that_the_disk_did_not_take_is_not_called_right(
    client: TestClient, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(packs, "write_whole", full)
    said = enter(client, "d", steps="3")
    assert said.status_code == 422
    assert "not saved: No space left on device" in said.text
    assert "Nothing is wrong" not in said.text
    assert owned(house) == ""


def test_a_torn_pack_hides_no_other_game(client: TestClient, house: House) -> None:
    path = house.data / "packs" / "toy" / "owner" / "pack.toml"
    path.parent.mkdir(parents=True)
    path.write_text("[pack\n")
    for page in ("/packs", "/"):
        said = client.get(page)
        assert said.status_code == 200
        assert "Okinawa" in said.text
    assert str(path) in client.get("/packs/toy").text


def test_a_record_of_the_wrong_kind_is_told_beside_the_records_so_that_it_can_be_put_right(
    client: TestClient, house: House
) -> None:
    path = house.data / "packs" / "toy" / "owner" / "pack.toml"
    path.parent.mkdir(parents=True)
    path.write_text(f'{OWNERS}[card.a]\nsteps = "many"\n')
    page = client.get("/packs/toy")
    assert page.status_code == 200
    assert "card.a.steps" in page.text
    assert 'href="/packs/toy/card/a">a <span' in page.text
    enter(client, "a", steps="2")
    assert "card.a.steps" not in client.get("/packs/toy").text


def test_a_wrong_choice_in_a_file_is_not_made_another_by_who_puts_something_else_right(
    client: TestClient, house: House
) -> None:
    """A browser sends the first choice where none is marked."""
    add_owned(house.owner_packs("okinawa"), "okinawa", {"enemy": {"A": {"type": "riflman"}}})
    page = client.get("/packs/okinawa/enemy/A").text
    assert re.findall(r"<option[^>]* selected>(.*?)<", page)[0] == "riflman"
    assert "riflman" in page.split('id="checked"')[1]


def test_a_wrong_number_in_a_file_is_in_a_box_that_shows_it(client: TestClient, house: House) -> None:
    boxes = []
    for range_shift in (-2, "far"):
        record = {"enemy": {"cybers": {"range_shift": range_shift}}}
        add_owned(house.owner_packs("space_infantry"), "space_infantry", record)
        page = client.get("/packs/space_infantry/enemy/cybers").text
        boxes += re.findall(r'<input name="range_shift" value="(.*?)" (\w+="\w+")', page)
    assert boxes == [("-2", 'type="number"'), ("far", 'inputmode="numeric"')]


def test_what_is_wrong_is_said_and_nothing_kept(client: TestClient, house: House) -> None:
    said = enter(client, "d", steps="many")
    assert said.status_code == 422
    assert "card.d.steps: a whole number is wanted" in said.text
    assert 'value="many"' in said.text
    assert enter(client, "d", steps="").status_code == 422
    assert owned(house) == ""


def test_a_form_can_not_say_where_a_card_comes_from(client: TestClient, house: House) -> None:
    assert enter(client, "d", steps="5", source="rulebook").status_code == 303
    assert "rulebook" not in owned(house)


def test_a_form_is_checked_as_one_types_and_shows_how_it_reads(client: TestClient, house: House) -> None:
    said = client.post("/packs/toy/card/d/check", data={"steps": "x"}).text
    assert "a whole number is wanted" in said
    said = client.post("/packs/toy/card/d/check", data={"steps": "4"}).text
    assert "Nothing is wrong with it" in said
    assert "steps: 4" in said
    assert owned(house) == ""


def test_only_what_was_changed_or_compared_counts_as_the_owners(client: TestClient, house: House) -> None:
    assert enter(client, "a", steps="1").status_code == 303
    assert owned(house) == ""
    assert "stand-in" in client.get("/packs/toy/card/a").text
    enter(client, "a", steps="1", compared="on")
    assert "steps = 1" in owned(house)
    assert '<span class="mark stand-in">' not in client.get("/packs/toy/card/a").text


@pytest.mark.parametrize("name", games.names())
def test_of_a_form_that_is_kept_as_it_stands_nothing_counts_as_the_owners(name: str, tmp_path: Path) -> None:
    shelf = Shelf(games.load(name), tmp_path)
    for table, records in shelf.merged.tables.items():
        kind = shelf.type_of(table)
        for one, record in records.items():
            kept = shelf.entered(table, one, there_and_back(kind, record), whole=False)
            assert kept == {}


def test_who_changes_one_field_of_a_card_has_not_spoken_of_its_lines(
    client: TestClient, house: House
) -> None:
    shelf = cards_of_okinawa(house)
    sent = filled(fields_of(shelf.type_of("scenario"), shelf.record("scenario", "R"))) | {"name": ["Relief"]}
    assert client.post("/packs/okinawa/scenario/R", data=sent).status_code == 303
    assert cards_of_okinawa(house).owned.tables == {"scenario": {"R": {"name": "Relief"}}}
    assert "effects" in cards_of_okinawa(house).stand_ins("scenario", "R")


def test_what_the_owner_entered_before_stays_the_owners_where_another_field_is_changed(
    client: TestClient, house: House
) -> None:
    for change in ({"name": ["Relief"]}, {"timing": ["loop end"]}):
        shelf = cards_of_okinawa(house)
        sent = filled(fields_of(shelf.type_of("scenario"), shelf.record("scenario", "R"))) | change
        assert client.post("/packs/okinawa/scenario/R", data=sent).status_code == 303
    assert cards_of_okinawa(house).owned.tables == {
        "scenario": {"R": {"name": "Relief", "timing": "loop end"}}
    }


def cards_of_okinawa(house: House) -> Shelf:
    return Shelf(games.load("okinawa"), house.owner_packs("okinawa"))


def seen(page: str) -> str:
    """The mark that a card's form carries."""
    return page.split('name="seen" value="')[1].split('"', maxsplit=1)[0]


def test_a_form_that_was_opened_before_another_changed_the_card_takes_nothing_back(
    client: TestClient, house: House
) -> None:
    mark = seen(client.get("/packs/toy/card/a").text)
    enter(client, "a", steps="4")
    late = enter(client, "a", steps="1", seen=mark)
    assert late.status_code == 422
    assert "changed since the form was opened, and says otherwise now: steps." in late.text
    assert "steps = 4" in owned(house)
    assert enter(client, "a", steps="1", seen=seen(late.text)).status_code == 303
    assert "steps = 1" in owned(house)


def kept(folder: Path, record: str, sent: dict[str, str], *, opened: Shelf | None = None) -> Record:
    """What the owner's pack says of a record after its form, as it was `opened`, was kept with that in it."""
    game, table, name = record.split(".", 2)
    shelf = Shelf(games.load(game), folder / game)
    form, kind = opened or shelf, shelf.type_of(table)
    typed = filled(fields_of(kind, form.record(table, name))) | {at: [one] for at, one in sent.items()}
    seen = form.mark(table, name)
    shelf.keep(table, name, record_of(kind, lambda at: typed.get(at, ())), whole=False, seen=seen)
    return shelf.owned.tables.get(table, {}).get(name, {})


def test_a_number_that_is_emptied_is_not_left_as_a_lesser_pack_or_the_owner_had_it(tmp_path: Path) -> None:
    assert kept(tmp_path, "dday_dice.sector.omaha.5", {"guns": ""}) == {"guns": 0}
    assert kept(tmp_path, "undaunted.unit.grenadier", {"armour": "3"}) == {"armour": 3}
    assert kept(tmp_path, "undaunted.unit.grenadier", {"armour": ""}) == {"armour": ""}
    assert Shelf(games.load("undaunted"), tmp_path / "undaunted").known()[0].unit["grenadier"].armour is None


def test_a_form_takes_nothing_away_that_another_has_filled_in_meanwhile(tmp_path: Path) -> None:
    opened = Shelf(games.load("undaunted"), tmp_path / "undaunted")
    kept(tmp_path, "undaunted.unit.grenadier", {"armour": "3"})
    with pytest.raises(ChangedSince, match="otherwise now: armour"):
        kept(tmp_path, "undaunted.unit.grenadier", {}, opened=opened)


def test_who_forgets_a_card_that_another_has_put_right_since_is_shown_it_first(
    client: TestClient, house: House
) -> None:
    enter(client, "a", steps="4")
    mark = seen(client.get("/packs/toy/card/a").text)
    enter(client, "a", steps="5")
    late = client.post("/packs/toy/card/a", data={"forget": "", "seen": mark})
    assert late.status_code == 422
    assert "changed since the form was opened, and is now as it stands here" in late.text
    assert 'name="steps" value="5"' in late.text
    assert "steps = 5" in owned(house)
    for _ in "12":  # a double tap, without scripts
        again = client.post("/packs/toy/card/a", data={"forget": "", "seen": seen(late.text)})
        assert again.status_code == 303
    assert "steps" not in owned(house)


def test_a_form_that_was_changed_by_nobody_else_is_kept_once_more_as_it_is(
    client: TestClient, house: House
) -> None:
    mark = seen(client.get("/packs/toy/card/a").text)
    for _ in "12":  # a double tap, without scripts
        assert enter(client, "a", steps="4", seen=mark).status_code == 303


def test_a_form_is_of_the_time_when_it_was_opened_also_after_what_was_wrong_with_it(
    client: TestClient, house: House
) -> None:
    mark = seen(client.get("/packs/toy/card/a").text)
    wrong = enter(client, "a", steps="many", seen=mark).text
    assert seen(wrong) == mark
    enter(client, "a", steps="4")
    assert enter(client, "a", steps="3", seen=seen(wrong)).status_code == 422
    again = client.post("/packs/toy/card/a", data={"steps": "3", "seen": mark, "again": ""}).text
    assert seen(again) == mark, "a row that is added, say, after another has changed the card"


def test_what_an_empty_form_lacks_is_said_once_it_is_to_be_kept(client: TestClient) -> None:
    assert '<div id="checked" role="status"></div>' in client.get("/packs/toy/card/mine").text
    said = enter(client, "mine", steps="")
    assert said.status_code == 422
    assert "card.mine: steps is missing" in said.text


def test_a_record_without_a_name_in_it_is_listed_by_its_title(client: TestClient) -> None:
    page = client.get("/packs/space_infantry").text
    assert '/packs/space_infantry/mission/relay">Silent Relay <' in page


@pytest.mark.parametrize(("fields", "status"), [(1500, 200), (2500, 422)])
def test_a_form_may_have_many_fields_but_not_any_number(client: TestClient, fields: int, status: int) -> None:
    sent = {f"rows.{at}": "1" for at in range(fields)}
    assert client.post("/packs/toy/card/a/check", data=sent).status_code == status


def test_a_space_that_a_phone_puts_behind_a_name_is_none_of_it(client: TestClient) -> None:
    said = client.post("/packs/toy/new", data={"table": "card", "name": " tall hill "})
    assert said.headers["location"] == "/packs/toy/card/tall%20hill"


def test_a_game_under_way_keeps_its_cards_and_the_page_says_so(client: TestClient, manual: Live) -> None:
    enter(client, "a", steps="4")
    assert "those under way by what they began with" in client.get("/packs/toy").text
    play = manual.table.session.play
    assert isinstance(play, Toy)
    assert play.pack.card["a"].steps == 1


def test_what_was_entered_can_be_forgotten(client: TestClient, house: House) -> None:
    enter(client, "a", steps="4")
    enter(client, "b", steps="4")
    assert client.post("/packs/toy/card/a", data={"forget": ""}).status_code == 303
    assert "card.a" not in owned(house)
    assert "card.b" in owned(house)


def test_rows_are_added_and_removed_without_keeping(client: TestClient, house: House) -> None:
    said = client.post("/packs/okinawa/enemy/A", data={"name": "Rifle", "add": "effects", "add:effects": ""})
    assert 'name="effects.0.effect"' in said.text
    sent = {"name": "Rifle", "effects.0": "", "remove": "effects.0"}
    said = client.post("/packs/okinawa/enemy/A", data=sent)
    assert 'name="effects.0.effect"' not in said.text
    assert not (house.data / "packs").exists()


def test_a_pack_goes_out_and_comes_in_as_one_file(client: TestClient, house: House) -> None:
    assert "You have entered nothing" in client.get("/packs/toy/export").text
    enter(client, "d", steps="5")
    file = client.get("/packs/toy/export")
    assert file.headers["content-disposition"] == 'attachment; filename="toy.pack.toml"'
    client.post("/packs/toy/card/d", data={"forget": ""})
    said = client.post("/packs/toy/import", files={"file": ("mine.toml", file.content)})
    assert "1 record taken in, here already and unchanged: 0" in said.text
    assert "[card.d]" in owned(house)


def test_a_pack_is_taken_in_where_there_is_no_room_for_passing_files(
    client: TestClient, house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    client.post("/packs/toy/import", files={"file": ("mine.toml", OWNERS + "[card.d]\nsteps = 9\n")})
    assert "[card.d]" in owned(house)


def test_a_pack_as_windows_editors_save_it_is_taken_in(client: TestClient, house: House) -> None:
    file = b"\xef\xbb\xbf" + (OWNERS + "[card.d]\nsteps = 9\n").replace("\n", "\r\n").encode()
    said = client.post("/packs/toy/import", files={"file": ("mine.toml", file)})
    assert "1 record taken in" in said.text
    assert "[card.d]" in owned(house)


def test_a_record_with_a_slash_in_its_name_is_opened_put_right_and_forgotten(
    client: TestClient, house: House
) -> None:
    file = (OWNERS + '[card."M4A1 75/76"]\nsteps = 9\n').encode()
    client.post("/packs/toy/import", files={"file": ("mine.toml", file)})
    path = "/packs/toy/card/M4A1%2075/76"
    assert f'href="{path}"' in client.get("/packs/toy").text
    assert client.get(path).status_code == 200
    client.post(path, data={"steps": "8"})
    assert "steps = 8" in owned(house)
    client.post(path, data={"forget": ""})
    assert "75/76" not in owned(house)


def test_a_card_is_called_as_its_owners_language_has_it(client: TestClient, house: House) -> None:
    made = client.post("/packs/toy/new", data={"table": "card", "name": "Gebirgsjäger"})
    assert made.status_code == 303
    path = made.headers["location"]
    assert client.get(path).status_code == 200
    assert client.post(path, data={"steps": "8"}).status_code == 303
    assert f'href="{path}"' in client.get("/packs/toy").text
    assert '[card."Gebirgsjäger"]' in owned(house)


def test_what_the_owner_entered_stays_unless_told_otherwise(client: TestClient, house: House) -> None:
    enter(client, "d", steps="5")
    other = OWNERS + "[card.d]\nsteps = 9\n"
    assert (
        "0 records taken in, here already and unchanged: 1"
        in client.post("/packs/toy/import", files={"file": ("x", other)}).text
    )
    client.post("/packs/toy/import", files={"file": ("x", other)}, data={"replace": "on"})
    assert "steps = 9" in owned(house)


def test_where_no_file_was_chosen_none_is_taken_in(client: TestClient, house: House) -> None:
    said = client.post("/packs/toy/import", data={"replace": "on"})
    assert (said.status_code, "Choose a file first." in said.text) == (422, True)
    assert owned(house) == ""


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (OWNERS.encode("utf-16"), "not TOML: no UTF-8 text; save it as UTF-8 (at line 1)"),
        ((OWNERS + '[card."Gebirgsjäger"]\n').encode("latin-1"), "save it as UTF-8 (at line 5)"),
        (b"", "pack: game is missing"),
        (b"[" * 100_000, "not TOML"),
        (b"x = " + b"[" * 100_000, "not TOML"),
        (OWNERS.encode() + b"a." * 2_000 + b"a = 1", "more than 30 lists and tables within one another"),
        (OWNERS.encode() + b'\'= \'."\\" " .' * 1_000 + b"a = 1", "more than 30 lists and tables within"),
        (OWNERS.replace("toy", "chess").encode(), "wanted, not an owner pack of chess"),
        (OWNERS.replace('source = "owner"', 'source = "stand-in"').encode(), "not a stand-in pack"),
        ((OWNERS + '[card.x]\nsteps = "__import__(1)"\n').encode(), "a whole number is wanted"),
        ((OWNERS + '[card.x]\nsteps = 1\nevil = "x"\n').encode(), "card.x.evil: there is no such field"),
        ((OWNERS + "[evil.x]\nsteps = 1\n").encode(), "no such table"),
        (f"card = 1\n{OWNERS}".encode(), "a table of records like [card.NAME] is wanted"),
        ((OWNERS + "[card]\nx = 1\n").encode(), "a table of records like [card.NAME] is wanted"),
        ((OWNERS + '[card.""]\nsteps = 1\n').encode(), "card: a record without a name (at line 5)"),
        ((OWNERS + '[card."\\t"]\nsteps = 1\n').encode(), "card: a record without a name"),
        (b"x" * ((1 << 20) + 1), "no pack is that large"),
    ],
)
def test_a_hostile_pack_is_refused_with_its_reason(
    client: TestClient, house: House, content: bytes, words: str
) -> None:
    said = client.post("/packs/toy/import", files={"file": ("../../evil.toml", content)})
    assert said.status_code == 422
    assert words in said.text.replace("&#39;", "'").replace("&#34;", '"')
    assert "/tmp" not in said.text
    assert owned(house) == ""
    assert not list(house.data.parent.rglob("*evil*"))


def test_all_that_is_wrong_in_a_pack_that_is_taken_in_is_told_and_nothing_of_the_owners(
    client: TestClient, house: House
) -> None:
    path = house.data / "packs" / "toy" / "owner" / "pack.toml"
    path.parent.mkdir(parents=True)
    path.write_text(f'{OWNERS}[crad.a]\nsteps = 1\n[card.a]\nsteps = "few"\n')
    wrong = '[card.d]\nsteps = "many"\n[card.e]\nstesp = 1\n[evil.x]\nsteps = 1\n'
    said = client.post("/packs/toy/import", files={"file": ("theirs.toml", OWNERS + wrong)})
    assert said.status_code == 422
    told = re.findall(r'<p class="error">theirs.toml: ([\w.]+): ([^;,<]*)', said.text)
    assert told == [
        ("evil", "no such table"),
        ("card.d.steps", "a whole number is wanted"),
        ("card.e", "steps is missing"),
        ("card.e.stesp", "there is no such field"),
    ]
    said = client.post("/packs/toy/import", files={"file": ("theirs.toml", f"{OWNERS}[card.d]\nsteps = 9\n")})
    assert "1 record taken in" in said.text
    assert "[crad.a]" in owned(house)
    assert 'href="/packs/toy/crad' not in client.get("/packs/toy").text


@pytest.mark.parametrize(
    "name", ["../../evil", "..%2f..%2fevil", "a\x00b", "", "x" * 61, "<script>", "a/b", ".hidden"]
)
def test_a_record_name_that_is_none_writes_nothing(client: TestClient, house: House, name: str) -> None:
    assert client.post("/packs/toy/new", data={"table": "card", "name": name}).status_code == 422
    said = client.post(f"/packs/toy/card/{name}".replace("\x00", "%00"), data={"steps": "1"})
    assert said.status_code in (404, 405, 422)
    assert owned(house) == ""


@pytest.mark.parametrize("path", ["/packs/chess", "/packs/toy/evil/a", "/packs/../x", "/packs/toy/card/%2e"])
def test_an_address_that_leads_nowhere_is_told(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (404, 422)


def test_a_torn_pack_of_the_owner_is_told_with_its_file(client: TestClient, house: House) -> None:
    path = house.data / "packs" / "toy" / "owner" / "pack.toml"
    path.parent.mkdir(parents=True)
    path.write_text("[torn")
    for page in ("/packs", "/packs/toy"):
        assert "not TOML" in client.get(page).text
    assert "not TOML" in client.get("/").text


def test_all_that_is_wrong_in_the_owners_pack_is_told_each_with_its_record(
    client: TestClient, house: House
) -> None:
    path = house.data / "packs" / "toy" / "owner" / "pack.toml"
    path.parent.mkdir(parents=True)
    header = '[pack]\ngame = "toy"\nname = "owner"\nsource = "owner"\n'
    path.write_text(f'{header}[card.a]\nsteps = "few"\n[card.d]\nsteps = "many"\n')
    page = client.get("/packs/toy").text
    for name in "ad":
        assert re.search(rf'href="/packs/toy/card/{name}">[^<]*card.{name}.steps: a whole number', page)


def test_a_misspelt_field_that_a_game_does_not_refuse_is_told_with_its_record(
    client: TestClient, house: House
) -> None:
    house.library = Library(games.names, games.load)
    add_owned(house.owner_packs("space_infantry"), "space_infantry", {"enemy": {"cybers": {"ambsh": ["A"]}}})
    told = "enemy.cybers.ambsh: no such field, nothing reads it"
    assert f'href="/packs/space_infantry/enemy/cybers">{told}<' in client.get("/packs/space_infantry").text
    assert told in client.get("/packs/space_infantry/enemy/cybers").text


def test_a_card_from_a_running_session_is_not_changed_by_the_form(
    client: TestClient, live: Live, tmp_path: Path
) -> None:
    client.post(f"{live.path}/answer", data={"n": live.table.n, "answer": "stones"})
    enter(client, "a", steps="50")
    assert live.table.session.play.pack.card["a"].steps == 1


def test_cards_that_two_phones_enter_at_once_are_both_kept(house: House, toy: Game) -> None:
    first, second = (Shelf(toy, house.owner_packs("toy")) for _ in range(2))
    first.keep("card", "d", {"steps": 5}, whole=True)
    second.keep("card", "e", {"steps": 6}, whole=True)
    assert "[card.d]" in owned(house)
    second.forget("card", "e")
    assert "[card.d]" in owned(house)


def test_cards_entered_from_all_sides_at_once_are_all_kept(house: House, toy: Game) -> None:
    def enter_one(at: int) -> None:
        if at % 2:
            add_owned(house.owner_packs("toy"), "toy", {"card": {f"n{at}": {"steps": at}}})
        else:
            Shelf(toy, house.owner_packs("toy")).keep("card", f"n{at}", {"steps": at}, whole=True)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(enter_one, range(24)))
    assert owned(house).count("[card.n") == 24


def test_a_nought_is_read_where_it_is_a_figure_and_not_where_it_stands_for_none(tmp_path: Path) -> None:
    from companion import games

    shelf = Shelf(games.load("space_infantry"), tmp_path)
    read = shelf.preview("unit", "leader", {"title": "Leader", "cost": 0, "wounds": 2, "armor": 0})
    assert read == ["Leader", "cost: 0", "wounds: 2"]
    read = shelf.preview("enemy", "worms", {"title": "Worms", "lowest": 0, "ranges": [{"Claw": "A"}]})
    assert read == ["Worms", "lowest: 0", "ranges:", "  0: Claw A"]


def test_a_solo_card_is_read_as_the_game_reads_it(house: House, client: TestClient) -> None:
    from companion import games

    shelf = Shelf(games.load("undaunted"), house.owner_packs("undaunted"))
    name, record = next(iter(shelf.merged.tables["solo"].items()))
    bare = {field: value for field, value in record.items() if field != "source"}
    read = shelf.preview("solo", name, bare)
    assert any(line.startswith("1. ") for line in read)
    assert "[stand-in]" in read[0], "reading it does not make it the owner's"
    broken = bare | {"lines": "nonsense"}
    assert not any(line.startswith("1. ") for line in shelf.preview("solo", name, broken))


@pytest.mark.parametrize(
    ("game", "table", "name", "begins"),
    [
        ("undaunted", "unit", "rifleman", "Rifleman"),
        ("undaunted", "solo", "rifleman", "RIFLEMAN (any scenario; any bot) [stand-in]"),
        ("dday_dice", "item", "Mortar", "Mortar: 7 Item Points [rulebook]"),
    ],
)
def test_a_record_is_read_as_what_its_form_is_of_and_not_as_another_of_its_name(
    game: str, table: str, name: str, begins: str, tmp_path: Path
) -> None:
    from companion import games

    shelf = Shelf(games.load(game), tmp_path)
    read = shelf.preview(table, name, shelf.record(table, name))
    assert read[0] == begins
    assert sum(line.startswith("RIFLEMAN (") for line in read) == (table == "solo")


def test_a_choice_is_told_in_words_and_sent_as_the_pack_has_it(tmp_path: Path) -> None:
    house = House(tmp_path / "data", Library(games.names, games.load), Access(tmp_path / "page"), draw)
    with client_of(house) as client:
        page = client.get("/packs/dday_dice/sector/omaha.1").text
    house.close()
    assert '<option value="battle_cry">battle cry</option>' in page


def test_what_a_game_lacks_as_a_whole_leads_to_its_questions(house: House) -> None:
    every = Library(games.names, games.load)
    with client_of(House(house.data, every, house.access, draw)) as client:
        (place,) = re.findall(
            r'<a href="([^"]*)">cup: how many chits', client.get("/packs/space_infantry").text
        )
        assert "Chits with 0?" in client.get(place).text


def test_of_a_card_that_is_gone_once_it_is_forgotten_its_list_is_shown(client: TestClient) -> None:
    enter(client, "d", steps="5")
    gone = client.post("/packs/toy/card/d", data={"forget": ""})
    assert (gone.status_code, gone.headers["location"]) == (303, "/packs/toy#card")
    page = client.get("/packs/toy").text
    assert 'id="card"' in page
    assert 'id="card.d"' not in page


def test_a_record_of_a_name_that_the_rules_have_not_is_refused_before_its_form_is_filled_in(
    client: TestClient,
) -> None:
    said = client.post("/packs/okinawa/new", data={"table": "resupply", "name": "hammer"})
    assert said.status_code == 422
    assert "no such record: &#39;hammer&#39; does not fit, only: upgrade, sandbags, grenade" in said.text
