"""Records that no game asks about itself are entered field by field, the same fields as on the page."""

import tomllib
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from companion import games
from companion.engine import shelf, toml_lines
from companion.engine.asks import AnyAsk, Choose, Text
from companion.engine.errors import BadAnswer, PackError
from companion.engine.form_script import fill_in
from companion.engine.owner_pack import add_owned
from companion.engine.packs import MOST_TOLD, Source, Tables, build, find, merge
from companion.engine.shelf import ChangedSince, Shelf
from companion.games.dday_dice.effects import Gain


def shelf_of(game: str, folder: Path) -> Shelf:
    return Shelf(games.load(game), folder)


def filled_in(shelf: Shelf, record: str, answers: Iterable[object]) -> tuple[Tables | None, list[AnyAsk]]:
    """What the answers come to, None if they end too soon; and all that was asked."""
    table, _, name = record.partition(".")
    script, asked = fill_in(shelf, table, name), []
    try:
        question = next(script)
        asked.append(question)
        for answer in answers:
            question = script.send(question.accept(answer))
            asked.append(question)
    except StopIteration as end:
        return end.value, asked
    return None, asked


def write_owned(folder: Path, game: str, records: str) -> Path:
    """The owner's pack as it was written by hand."""
    file = folder / "owner" / "pack.toml"
    file.parent.mkdir()
    file.write_text(f'[pack]\ngame = "{game}"\nname = "owner"\nsource = "owner"\n{records}')
    return file


def test_a_specialist_is_entered_and_played_with(tmp_path: Path) -> None:
    shelf = shelf_of("dday_dice", tmp_path)
    answers = (
        *(3, "regular", "effects", "add:gain", "effects.0.soldiers", 2, "back", "back"),
        *("text", "Two more", "save"),
    )
    tables, asked = filled_in(shelf, "specialist.Piper", answers)
    assert [one.text for one in asked[:3]] == ["cost?", "kind?", "Piper: what to change?"]
    assert isinstance(asked[1], Choose)
    assert [one.id for one in asked[1].options] == ["regular", "unique", "special"]
    add_owned(tmp_path, "dday_dice", tables)
    pack = build(merge("dday_dice", find(shelf.game.folder, tmp_path)), shelf.game.pack_type)
    piper = pack.specialist["Piper"]
    assert (piper.cost, piper.text, piper.source) == (3, "Two more", Source.OWNER)
    assert piper.effects == (Gain(soldiers=2),)


@pytest.mark.parametrize("save", ["save", "compared"])
def test_what_a_pack_says_and_the_own_copy_has_not_is_taken_away(save: str, tmp_path: Path) -> None:
    """It was asked for, and then stayed as the stand-in has it."""

    def award() -> object:
        return shelf_of("dday_dice", tmp_path).known()[0].sector["gull_bay.9"].award

    def enter(*answers: str) -> None:
        shelf = shelf_of("dday_dice", tmp_path)
        tables, _ = filled_in(shelf, "sector.gull_bay.9", answers)
        assert tables
        shelf.add(tables)

    assert award()
    enter("award", "-", save)
    assert award() is None
    enter("note", "mine", "save")
    assert award() is None
    enter("award", "random", "save")
    assert award() == "random"


def test_only_what_was_changed_of_a_stand_in_is_the_owners_or_all_that_was_compared(tmp_path: Path) -> None:
    shelf = shelf_of("dday_dice", tmp_path)
    name = next(path.split(".")[1] for path in shelf.merged.stand_ins() if path.startswith("award."))
    tables, _ = filled_in(shelf, f"award.{name}", ("text", "Mine", "save"))
    assert tables == {"award": {name: {"text": "Mine"}}}
    tables, asked = filled_in(shelf, f"award.{name}", ("text", "Mine", "compared"))
    assert "effects" in tables["award"][name]
    menu = asked[0]
    assert isinstance(menu, Choose)
    assert any("(stand-in)" in one.detail for one in menu.options)
    assert filled_in(shelf, f"award.{name}", ("text", "", "save"))[0] == {"award": {name: {"text": ""}}}


def test_of_rows_of_which_a_record_says_nothing_it_is_told_that_there_are_none(tmp_path: Path) -> None:
    asked = filled_in(shelf_of("dday_dice", tmp_path), "award.Stand-in Star", [])[1][0]
    assert isinstance(asked, Choose)
    assert next(one.detail for one in asked.options if one.id == "others") == "nothing"


def test_nothing_changed_is_nothing_to_save(tmp_path: Path) -> None:
    assert filled_in(shelf_of("flag_war", tmp_path), "piece.P", ["save"])[0] == {}


def test_rows_of_a_table_have_names(tmp_path: Path) -> None:
    shelf = shelf_of("space_infantry", tmp_path)
    answers = (
        *("nodes", "add:", "nodes.0.@", "start", "nodes.0.links", "n1; n2", "back"),
        *("add:", "nodes.1.@", "n1", "back", "add:", "remove", "back"),
    )
    given = ("Relay", "As printed", "start", *answers, "save")
    tables, asked = filled_in(shelf, "mission.mine", given)
    nodes = tables["mission"]["mine"]["nodes"]
    assert list(nodes) == ["start", "n1"]
    assert nodes["start"]["links"] == ["n1", "n2"]
    assert "mine, nodes, start: what to change?" in [one.text for one in asked]


def test_what_the_type_refuses_is_told_and_can_be_mended(tmp_path: Path) -> None:
    shelf = shelf_of("space_infantry", tmp_path)
    answers = ("Rhino", 3, "pilot", "many", "save", True, "pilot", "4; 5", "save")
    tables, asked = filled_in(shelf, "vehicle.mine", answers)
    wrong = asked[5]
    assert wrong.text == "It can't be saved so."
    assert wrong.detail.startswith("vehicle.mine.pilot[0]: a whole number is wanted, not a text")
    assert tables["vehicle"]["mine"]["pilot"] == [4, 5]


def test_a_text_is_words(tmp_path: Path) -> None:
    _, asked = filled_in(shelf_of("flag_war", tmp_path), "piece.P", ["name"])
    with pytest.raises(BadAnswer, match="a text of at most"):
        asked[-1].accept(4)


def test_a_name_that_the_rules_know_nothing_of_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="no such record"):
        filled_in(shelf_of("okinawa", tmp_path), "resupply.hammer", [])


def test_a_number_that_need_not_be_there_is_taken_away(tmp_path: Path) -> None:
    shelf = shelf_of("undaunted", tmp_path)
    typed = partial(filled_in, shelf, "unit.mine")
    tables, asked = typed(("Mine", "armour", "3", "save"))
    assert tables["unit"]["mine"]["armour"] == 3
    add_owned(tmp_path, "undaunted", tables)
    shelf = shelf_of("undaunted", tmp_path)
    tables, asked = filled_in(shelf, "unit.mine", ("armour", "", "save"))
    assert isinstance(asked[1], Text)
    assert (asked[1].start, asked[1].detail) == ("3", "a number")
    assert tables["unit"]["mine"]["armour"] == ""
    add_owned(tmp_path, "undaunted", tables)
    assert shelf_of("undaunted", tmp_path).known()[0].unit["mine"].armour is None


def test_a_choice_that_need_not_be_there_is_taken_away_and_a_flag_is_a_word(tmp_path: Path) -> None:
    shelf = shelf_of("dday_dice", tmp_path)
    answers = ("damage", "courage", "shield", "on", "damage", "-", "shield", "", "start", "on", "save")
    tables, asked = filled_in(shelf, "sector.mine", answers)
    menus = [{one.id: one.detail for one in menu.options} for menu in asked[::2] if isinstance(menu, Choose)]
    assert "compared" not in menus[0]  # no stand-in says anything of it
    assert [(menu["damage"], menu["shield"]) for menu in menus] == [
        ("nothing", "no"),
        ("courage", "no"),
        ("courage", "yes"),
        ("nothing", "yes"),
        ("nothing", "no"),
        ("nothing", "no"),
    ]
    assert tables == {"sector": {"mine": {"start": True}}}


def test_what_is_typed_on_a_line_may_have_what_else_ends_one(tmp_path: Path) -> None:
    shelf = shelf_of("space_infantry", tmp_path)
    start = ("Relay", "Go; quickly", "start", "nodes", "add:", "nodes.0.links")
    tables, asked = filled_in(shelf, "mission.mine", (*start, "a;;b; c;;; d", "back", "back", "save"))
    assert tables["mission"]["mine"]["briefing"] == "Go; quickly"
    assert tables["mission"]["mine"]["nodes"]["new"]["links"] == ["a;b", "c;", "d"]
    links = next(one for one in asked[7].options if one.id == "nodes.0.links")
    assert links.detail == "a;;b; c;;; d"


def test_a_record_with_a_wrong_value_is_entered_again(tmp_path: Path) -> None:
    write_owned(tmp_path, "okinawa", '[enemy.A]\nhealth = "lots"\neffects = "none"\n')
    tables, asked = filled_in(
        shelf_of("okinawa", tmp_path), "enemy.A", ("health", 3, "effects", "back", "save")
    )
    assert asked[0].detail.startswith("enemy.A.health: a whole number is wanted, not a text")
    assert tables == {"enemy": {"A": {"health": 3, "effects": []}}}


def test_a_value_that_is_wrong_twice_is_told_of_once(tmp_path: Path) -> None:
    too_large = "the number is larger than 9999, as none on a table is"
    record = {"name": "A", "type": 20000, "arrows": [20000, "up"], "health": 20000, "fog": 1}
    assert shelf_of("okinawa", tmp_path).problems("enemy", "new", record) == [
        *(f"enemy.new.{place}: {too_large}" for place in ("type", "health", "arrows[0]")),
        "enemy.new: damage is missing",
    ]


def test_a_pack_with_hundreds_of_wrong_values_is_read_in_no_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_owned(tmp_path, "okinawa", "".join(f'[enemy.e{n}]\nhealth = "lots"\n' for n in range(120)))
    built, asked = Mock(wraps=build), Mock(wraps=toml_lines._said)
    monkeypatch.setattr(shelf, "build", built)
    monkeypatch.setattr(toml_lines, "_said", asked)
    packs = shelf_of("okinawa", tmp_path)
    told = packs.problems("enemy", "e7", {"name": "E", "health": "lots"})
    assert [line.partition(": ")[0] for line in told] == ["enemy.e7.health", "enemy.e7"]
    assert packs.known()[1] == {}
    assert built.call_count == 4
    assert asked.call_count == 1


def test_of_a_form_nothing_is_told_that_is_wrong_elsewhere_in_the_pack(tmp_path: Path) -> None:
    write_owned(tmp_path, "okinawa", '[enmy.A]\n[enemy.B]\nhealth = "lots"\n[resupply.hammer]\n')
    told = shelf_of("okinawa", tmp_path).problems("enemy", "A", {"fog": "x"})
    assert [line.partition(": ")[0] for line in told] == ["enemy.A.fog"]


@pytest.mark.parametrize(
    ("game", "record", "field", "wrong"),
    [
        ("okinawa", "enemy.A", "health", "enemy.A.helth: there is no such field (at line 7)"),
        ("space_infantry", "vehicle.rhino", "wounds", "vehicle.rhino.helth: no such field, nothing reads it"),
    ],
)
def test_a_field_that_there_is_not_is_told_before_it_is_left_out(
    game: str, record: str, field: str, wrong: str, tmp_path: Path
) -> None:
    write_owned(tmp_path, game, f"[{record}]\n{field} = 2\nhelth = 3\n")
    shelf = shelf_of(game, tmp_path)
    table, _, name = record.partition(".")
    assert shelf.problems(table, name, shelf.record(table, name)) == [wrong]
    tables, asked = filled_in(shelf, record, [True, field, 4, "save"])
    assert (asked[0].text, asked[0].detail) == (
        "There is no such field; saving leaves it out.",
        "helth: 3",
    )
    assert tables == {table: {name: {field: 4}}}


def test_of_thousands_of_wrong_values_some_hundred_are_told_and_all_are_left_out(tmp_path: Path) -> None:
    write_owned(tmp_path, "okinawa", "".join(f'[enemy.e{n}]\nhealth = "x"\n' for n in range(400)))
    packs = shelf_of("okinawa", tmp_path)
    with pytest.raises(PackError) as wrong:
        build(packs.merged, packs.game.pack_type)
    assert len(wrong.value.rest) == MOST_TOLD - 1


@pytest.mark.parametrize(
    "records",
    [
        f"[enemy.A]\narrows = [{'true, ' * 1000}]",
        f"[enemy.A]\narrows = [{'99999, ' * 1000}]",
        "".join(f"[t{n}.a]\n" for n in range(1000)),
    ],
)
def test_r8_of_thousands_in_one_record_or_of_tables_that_there_are_not_as_many_are_told(
    records: str, tmp_path: Path
) -> None:
    write_owned(tmp_path, "okinawa", records)
    packs = shelf_of("okinawa", tmp_path)
    with pytest.raises(PackError) as wrong:
        build(packs.merged, packs.game.pack_type)
    assert len(wrong.value.rest) == MOST_TOLD - 1
    assert packs.known()[1] == {}


def test_where_something_is_missing_is_told_only_if_the_file_says_the_same(tmp_path: Path) -> None:
    said = '[enemy.new]\nname = "N"\ntype = "soldier"\nhealth = 3\nfog = 1\ndamage = 1\n[enemy]\n'
    write_owned(tmp_path, "okinawa", said)
    record = {"name": "N", "type": "soldier", "health": 3, "damage": 1}
    for name in ("new", "other"):
        told = shelf_of("okinawa", tmp_path).problems("enemy", name, record)
        assert told == [f"enemy.{name}: fog is missing"]


def test_all_wrong_values_of_a_record_are_told_and_none_is_lost_while_another_is_mended(
    tmp_path: Path,
) -> None:
    write_owned(tmp_path, "okinawa", '[enemy.A]\nhealth = "lots"\neffects = "none"\ndice = 20000\n')
    tables, asked = filled_in(
        shelf_of("okinawa", tmp_path), "enemy.A", ("health", 3, "dice", 1, "effects", "back", "save")
    )
    told = [[line.partition(": ")[0] for line in asked[n].detail.splitlines()] for n in (0, 2, 4, 6)]
    health, dice, effects = (f"enemy.A.{field}" for field in ("health", "dice", "effects"))
    assert told == [[health, dice, effects], [dice, effects], [effects], []]
    assert tables == {"enemy": {"A": {"health": 3, "dice": 1, "effects": []}}}


def test_of_several_wrong_records_each_is_entered_again_whatever_the_others_say(tmp_path: Path) -> None:
    wrong = '[enemy.A]\nhealth = "lots"\n[enemy.B]\nhealth = "many"\n'
    file = write_owned(tmp_path, "okinawa", wrong)
    for name in ("A", "B"):
        shelf = shelf_of("okinawa", tmp_path)
        tables, asked = filled_in(shelf, f"enemy.{name}", ("health", 3, "save"))
        assert asked[0].detail.startswith(f"enemy.{name}.health: a whole number is wanted")
        shelf.add(tables)
    assert tomllib.loads(file.read_text())["enemy"] == {"A": {"health": 3}, "B": {"health": 3}}


@pytest.mark.parametrize("looked_at", [(), ("bonus", ""), ("def", "0")])
def test_of_a_new_record_into_which_nothing_was_typed_nothing_is_saved(
    tmp_path: Path, looked_at: tuple[str, ...]
) -> None:
    tables, _ = filled_in(shelf_of("dday_dice", tmp_path), "sector.omaha.11", [*looked_at, "save"])
    assert tables == {}


def test_a_group_that_was_only_looked_at_is_not_changed(tmp_path: Path) -> None:
    shelf = shelf_of("okinawa", tmp_path)
    assert filled_in(shelf, "enemy.A", ["effects", "back", "save"])[0] == {}


@pytest.mark.parametrize(
    ("game", "record", "answers", "place", "can_go"),
    [
        ("dday_dice", "sector.gull_bay.9", ["links", "links.0"], "gull_bay.9, links, 1", True),
        ("space_infantry", "mission.mine", ["Relay", "Go", "start", "goal"], "mine, goal", False),
    ],
)
def test_a_row_is_told_by_its_number_and_can_be_removed_a_group_can_not(
    game: str, record: str, answers: list[str], place: str, *, can_go: bool, tmp_path: Path
) -> None:
    asked = filled_in(shelf_of(game, tmp_path), record, answers)[1][-1]
    assert isinstance(asked, Choose)
    assert asked.text == f"{place}: what to change?"
    assert ("remove" in [one.id for one in asked.options]) is can_go


def test_what_another_has_changed_meanwhile_stays(tmp_path: Path) -> None:
    shelf, mine, theirs = (shelf_of("flag_war", tmp_path) for _ in range(3))
    theirs.add({"piece": {"P": {"name": "Pawn"}}})
    mine.add({"piece": {"C": {"name": "Bearer"}}})
    with pytest.raises(ChangedSince, match=r"piece.P was changed meanwhile"):
        shelf.add({"piece": {"P": {"name": "Foot"}, "C": {"name": "Carrier"}}})
    assert shelf_of("flag_war", tmp_path).owned.tables == {
        "piece": {"P": {"name": "Pawn"}, "C": {"name": "Bearer"}}
    }


def test_what_does_not_fit_is_not_put_into_the_pack(tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"piece.P.name: a text is wanted, not a whole number"):
        shelf_of("flag_war", tmp_path).add({"piece": {"P": {"name": 4}}})
    assert not (tmp_path / "owner" / "pack.toml").exists()
