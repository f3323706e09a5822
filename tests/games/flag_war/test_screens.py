"""What a person sees: the board as text and picture, and what the box tells of its own moves."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest

from companion.engine.asks import Show
from companion.games.flag_war import GAME
from companion.games.flag_war.pack import FlagWarPack
from companion.games.flag_war.state import War
from tests.games.driver import Driver, setup
from tests.games.flag_war.field import at_roll, begun, fresh, move, rolled, state

GOLDEN = Path(__file__).parent / "golden"


def test_the_board_in_words() -> None:
    driver = at_roll(N={"P1": "M44", "C1": "S-O1", "H1": "N-O3", "H2": "N-O3"}, S={"P1": "N-prison"})
    state(driver).armies["N"].men["C1"].flag = "S"
    state(driver).flags["S"] = []

    assert driver.board() == (GOLDEN / "board.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("north", "south", "men", "first"),
    [
        ("person", "raider", {"N": {"P1": "N-F11"}, "S": {"C1": "M24"}}, "Base North"),
        ("person", "raider", {"N": {"P1": "N-F11", "P2": "M11"}, "S": {"C1": "M24"}}, "Main area"),
        ("raider", "person", {"N": {"C1": "M24"}, "S": {"P1": "S-F11"}}, "Base South"),
        ("raider", "guard", {"N": {"C1": "M24"}, "S": {"P1": "S-F11"}}, "Main area"),
    ],
)
def test_the_board_begins_where_the_persons_have_their_men(
    north: str, south: str, men: dict[str, dict[str, str]], first: str
) -> None:
    """A small terminal shows no more than one area: its general can't do without it."""
    board = at_roll({"north": north, "south": south}, **men).play.board()

    assert board.panels[1].title == first


def test_a_screen_too_narrow_for_the_maps_tells_who_stands_where() -> None:
    men = {"N": {"P1": "M44", "H1": "N-O3", "H2": "N-O3"}, "S": {"P1": "N-prison", "P2": "N-F11"}}
    board = at_roll(**men).play.board()
    told = {panel.title: panel.within(21) for panel in board.panels}

    assert told["Base North"] == ("NH1 N-O3, NH2 N-O3", "SP2 N-F11")
    assert told["Main area"] == ("NP1 M44",)
    assert told["Base South"] == ("nobody",)
    assert "bunker" not in str(told["Signs"])
    roads = {"I5 to I1: inner road, from the flag", "O1 to O8: outer road, from the field"}
    assert roads <= set(told["Signs"])
    assert [panel.within(40) for panel in board.panels] == [panel.lines for panel in board.panels]


@pytest.mark.parametrize("scenario", ["standard", "skirmish"])
def test_the_board_is_at_most_40_columns_wide(scenario: str) -> None:
    board = begun(Driver(fresh(scenario, armies="4"))).play.board()

    assert max(len(line) for panel in board.panels for line in panel.lines) <= 40
    assert "stand-in" in board.title


def test_each_column_of_the_widest_area_has_its_number() -> None:
    given = setup(GAME)
    assert isinstance(given.pack, FlagWarPack)
    wide = msgspec.structs.replace(given.pack.board["standard"], main=(9, 10))
    pack = FlagWarPack(given.pack.piece, {"standard": wide})
    main = GAME.start(msgspec.structs.replace(given, pack=pack)).board().panels[-2]

    assert main.title == "Main area"
    assert main.lines[0].split() == [str(col) for col in range(10)]


def test_the_picture_shows_every_space_and_every_man_and_refers_to_nothing() -> None:
    svg = begun(Driver(fresh(armies="4"))).play.svg()
    root = ET.fromstring(svg)
    whole, *titles = [one.text for one in root.iter("{http://www.w3.org/2000/svg}title")]

    assert whole == "Standard board (stand-in)"
    assert len([one for one in titles if one and ("-" in one or one[0] == "M")]) == 237 + 4
    assert (
        len([one for one in titles if one and one.startswith(("North ", "East ", "South ", "West "))]) == 48
    )
    assert "prefers-color-scheme" in svg
    assert "href" not in svg
    assert "url(" not in svg


def test_whose_a_man_is_stands_on_him_for_those_who_see_no_colours() -> None:
    svg = begun(Driver(fresh(armies="4"))).play.svg()
    root = ET.fromstring(svg)
    names = [
        one.text for one in root.iter("{http://www.w3.org/2000/svg}text") if one.attrib["class"] == "man"
    ]

    assert len(set(names)) == 48
    assert {"NC1", "EC1", "SC1", "WC1"} < set(names)


def test_of_two_men_on_one_space_both_names_lie_on_top() -> None:
    play = fresh()
    men = play.state.armies["N"].men
    men["P2"].at = men["P1"].at = "N-O2"
    lines = play.svg().splitlines()
    drawn = [at for at, line in enumerate(lines) if "<title>North P1<" in line or "<title>North P2<" in line]
    named = [at for at, line in enumerate(lines) if ">NP1<" in line or ">NP2<" in line]
    assert max(drawn) < min(named)


@pytest.mark.rule("FLG-037")
def test_the_picture_marks_the_bunkers_with_circles() -> None:
    lines = fresh().svg().splitlines()

    assert [
        re.findall("<title>(.*?)</title>", line)[0] for line in lines if '<circle class="line"' in line
    ] == [f"{seat}-O{at}" for seat in "NESW" for at in (6, 3)]


@pytest.mark.rule("FLG-R02", "FLG-R04")
def test_the_grids_are_checkerboards_and_a_rescuer_stands_on_light_with_dark_around() -> None:
    of = {name: colour for colour, name in re.findall("space (light|dark).*?<title>(.*?)<", fresh().svg())}

    assert [of[f"M0{col}"] for col in range(3)] == ["light", "dark", "light"]
    assert [of[f"M1{col}"] for col in range(3)] == ["dark", "light", "dark"]
    for seat in "NESW":
        assert of[f"{seat}-F24"] == "light"
        assert {of[f"{seat}-{square}"] for square in ("F14", "F34", "F23")} == {"dark"}


def test_no_two_spaces_of_the_picture_lie_on_each_other() -> None:
    for scenario in ("standard", "skirmish"):
        places = list(fresh(scenario).table.terrain.places.values())
        assert len(set(places)) == len(places)


@pytest.mark.rule("FLG-R01")
def test_the_board_laid_out_straight_spans_47_squares_each_way() -> None:
    for line in zip(*fresh().table.terrain.places.values(), strict=True):
        assert max(line) - min(line) + 1 == 9 + 2 * (8 + 5 + 5 + 1)


@pytest.mark.rule("FLG-R04")
def test_each_prison_is_drawn_on_the_right_as_one_looks_from_the_flag() -> None:
    places = fresh().table.terrain.places
    for seat, right in {"N": (-2, 0), "E": (0, -2), "S": (2, 0), "W": (0, 2)}.items():
        (x, y), middle = places[f"{seat}-F24"], places[f"{seat}-F22"]
        assert (x - middle[0], y - middle[1]) == right


def test_the_boxs_army_tells_its_moves_in_one_go() -> None:
    driver = rolled("62", {"south": "raider"}, N={"P1": "N-O1"}, S={"P1": "S-O1", "P2": "W-O1"})
    driver.answer(driver.ids()[0])
    if driver.ask.key == "flag_war.move.to":
        driver.answer(driver.ids()[0])
    driver.until("flag_war.turn.roll")
    driver.answer(["1", "5"])

    assert isinstance(driver.ask, Show)
    assert driver.ask.text.startswith("South P")
    assert state(driver).on_turn == "S"


def test_an_override_of_the_state_restates_the_choices() -> None:
    driver = rolled("16", N={"P1": "N-O4"}, S={"P1": "S-O1"})
    assert "P1:1" in driver.ids()
    state(driver).dice = [3]
    driver.restate()

    assert driver.ids() == ["P1:3"]
    driver.answer("P1:3")
    state(driver).armies["N"].men["P1"].at = "M44"
    driver.restate()
    assert "M14" in driver.ids()


def test_a_man_can_be_taken_out_of_hand_again() -> None:
    driver = rolled("16", N={"P1": "M44"}, S={"P1": "S-O1"})
    driver.answer("P1:6")
    assert driver.ask.key == "flag_war.move.to"
    state(driver).in_hand = ""
    driver.restate()

    assert driver.ask.text == "North: dice 1 6, move whom?"
    driver.answer("P1:6")
    state(driver).armies["N"].men["P1"].at = "S-prison"
    state(driver).armies["N"].men["P2"].at = "M44"
    driver.restate()

    assert driver.ids() == ["P2:7", "P2:6", "P2:1"], "who was put into a prison meanwhile goes nowhere"


@pytest.mark.parametrize("told", ["the capture", "the choice of a flag"])
@pytest.mark.parametrize(("left", "taken"), [("E", "E"), ("", "")])
def test_a_flag_set_elsewhere_by_hand_can_not_be_taken(told: str, left: str, taken: str) -> None:
    south = {"P1": "S-flag", "P2": "S-O1"}
    driver = rolled("16", {"armies": "3"}, N={"C1": "S-I5", "C2": "S-I4"}, S=south, E={"P1": "E-O1"})
    state(driver).flags |= {"S": ["S", "E"], "E": []}
    move(driver, "C1:1", "S-flag")
    assert driver.ask.text == "South P1 to North's prison"
    if told == "the choice of a flag":
        driver.until("flag_war.flag.which")
    state(driver).flags |= {"S": list(left), "E": [flag for flag in "SE" if flag not in left]}
    driver.restate()
    driver.until("flag_war.move.man")

    assert state(driver).armies["N"].men["C1"].flag == taken


def test_the_state_is_whole_and_plain_json() -> None:
    war = state(begun(Driver(fresh(armies="3"))))

    assert msgspec.json.decode(msgspec.json.encode(war), type=War) == war
    assert GAME.glance(war).figures["free men East"] == 12


def test_a_report_follows_flags_at_home_and_men_who_are_free() -> None:
    driver = at_roll(N={"P1": "M44", "P2": "S-prison"}, S={"P1": "S-O1"})
    for army in state(driver).armies.values():
        for man in army.men.values():
            man.at = man.at or "N-F00"
    state(driver).flags |= {"N": ["N", "S"], "S": []}
    seen = GAME.glance(state(driver))

    assert seen.turn == "1"
    assert seen.figures == {"flags North": 2, "flags South": 0, "free men North": 11, "free men South": 12}
