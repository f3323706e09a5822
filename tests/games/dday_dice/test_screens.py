"""What a person sees: the board in words and as a picture, and how many presses six dice take."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from statistics import mean
from xml.etree import ElementTree as ET

import pytest

from companion.engine.asks import Choose, Pick, Roll
from companion.engine.game import setup
from companion.games.dday_dice import GAME
from companion.games.dday_dice.dice import COLOURS, FACE_NAMES, INITIAL, TINY, Face
from companion.games.dday_dice.losses import suffer, wipe_out
from companion.games.dday_dice.moving import choices, move_units
from companion.games.dday_dice.panels import board, glance
from companion.games.dday_dice.picture import svg
from companion.games.dday_dice.play import start
from companion.games.dday_dice.rolling import roll_the_dice
from companion.games.dday_dice.setup import set_up, setup_list
from companion.games.dday_dice.state import Status
from companion.games.dday_dice.upkeep import final_tally
from companion.screens.console import view_of
from companion.screens.intents import Button
from tests.games.dday_dice.beach import alone, begin, put, shipped, show, together, with_sector

GOLDEN = Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"


def test_the_board_in_words() -> None:
    battle, unit = alone()
    put(
        battle, unit, "2", soldiers=12, stars=1, courage=3, points=6, specialists=["Scout"], items=["Grenade"]
    )
    show(unit, "R Sk St W 2S To B Co Co")
    panels = board(battle).fitted()
    lines = [panels.title, *(line for p in panels.panels for line in (f"[{p.title}]", *p.lines))]

    assert "\n".join(lines) + "\n" == (GOLDEN / "board.txt").read_text(encoding="utf-8")


def test_what_dice_are_written_with_is_told_with_the_board() -> None:
    battle, _ = alone()
    told = " ".join(board(battle).panels[-1].lines).replace(",", " ").replace(":", " ").split()
    assert {*TINY.values(), "Sold"} | {INITIAL[one] for one in COLOURS} <= {*told}


def test_board_and_picture_name_no_turn_before_the_first() -> None:
    battle, _ = alone()
    assert (board(battle).title, ", turn 1<" in svg(battle)) == (f"{battle.field.title}, turn 1", True)
    battle.state.turn = 0

    assert board(battle).title == battle.field.title
    assert ", turn" not in svg(battle)


def test_dice_that_are_in_the_hand_show_nothing() -> None:
    battle, unit = alone()
    begin(roll_the_dice(battle, unit))

    assert not any(line.startswith("R ") for line in board(battle).panels[0].lines)


@pytest.mark.parametrize("scenario", [name for name in GAME.scenarios(shipped()) if name != "deadstick"])
def test_no_line_of_the_board_is_over_40_columns(scenario: str) -> None:
    two_starts = {"utah", "pointe_du_hoc", "merville", "red_cliff"}
    battle, _ = together(scenario, *(["1", "1"] if scenario in two_starts else []))

    assert max(len(line) for panel in board(battle).fitted().panels for line in panel.lines) <= 40


def test_what_a_roll_is_worth_has_no_wrong_plural() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=5)
    ask = begin(roll_the_dice(battle, unit), ["skull", "soldier1", "star", "courage", "courage", "tool"]).open

    assert isinstance(ask, Pick)
    assert ask.detail.startswith("+1 Soldier, +1 Star, ")


def test_one_soldier_is_not_one_soldiers() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=5, specialists=["Scout"])
    for lost, said in ((1, "1 Soldier"), (2, "2 Soldiers")):
        asked = begin(suffer(battle, unit, lost, "combat", rule=())).open

        assert isinstance(asked, Choose)
        assert asked.options[0].label == said


def test_a_result_of_two_soldiers_is_not_told_as_one() -> None:
    battle, unit = alone()
    with_sector(battle, "4", bonus=(Face.SOLDIER2,), penalty=(Face.SOLDIER1,))
    put(battle, unit, "4", soldiers=5)

    assert battle.printed("4").startswith("+1 2-Soldiers result; -1 1-Soldier result; ")
    question = begin(final_tally(battle, show(unit, "R 1S 1S W 1S To B To Co"))).open
    assert question is not None
    assert question.text == "Sector: -1 1-Soldier result. Which?"


def test_a_stand_in_board_says_so() -> None:
    battle, unit = alone("omaha")

    assert "Stand-in board" in setup_list(battle)
    unit.courage = 9
    assert "Stand-in board" in begin(move_units(battle)).asks[-1].detail
    assert any("stand-in" in panel.title for panel in board(battle).panels)
    assert "stand-in board" in svg(battle)

    battle, unit = alone()
    unit.courage = 9
    assert "Stand-in" not in setup_list(battle)
    assert "Stand-in" not in begin(move_units(battle)).asks[-1].detail
    assert "stand-in" not in svg(battle)


@pytest.mark.parametrize(
    ("scenario", "answers", "players", "lines"),
    [
        (
            "tiger_practice",
            [],
            1,
            ["Pool, face up: nothing"],
        ),
        (
            "tiger_advanced",
            [],
            2,
            ["Award deck, shuffled: 12 cards"],
        ),
        (
            "merville",
            ["1"],
            1,
            [
                "Aside: Medal Case (Sector 6), Signalling Lamp (Sector 9)",
                "Award deck, shuffled: 11 cards, without Victoria Cross",
            ],
        ),
        (
            "deadstick",
            ["merville", "M1", "merville", "M2"],
            3,
            [
                "Aside: Medal Case (Merville 6), Dexedrine (Merville 9), Lieutenant (Sword 5)",
                "Award deck, shuffled: 12 cards",
            ],
        ),
    ],
)
@pytest.mark.rule("DDD-009", "DDD-011", "DDD-012")
def test_set_up_says_what_is_laid_aside_and_which_awards_are_in(
    scenario: str, answers: list[object], players: int, lines: list[str]
) -> None:
    battle, _ = together(scenario, *answers, players=players)

    *told, back = setup_list(battle).splitlines()
    assert told[-len(lines) :] == lines
    assert back == "All other Specialists and Items: back into the box"


def test_set_up_lays_nobody_aside_for_a_sector_where_nobody_joins() -> None:
    battle, _ = alone("sword")
    with_sector(battle, "5", joins="")

    assert "Aside" not in setup_list(battle)
    assert "Aside" not in setup_list(alone()[0]), "each Unit has its own Scout in hand"


@pytest.mark.parametrize("scenario", ["tiger_advanced", "sword", "gold"])
def test_the_picture_shows_every_sector_and_every_unit_and_refers_to_nothing(scenario: str) -> None:
    battle, _ = together(scenario)
    picture = svg(battle)
    root = ET.fromstring(picture)

    assert len(list(root.iter(f"{SVG}rect"))) == len(battle.field.sectors)
    assert len(list(root.iter(f"{SVG}circle"))) == 2
    assert "prefers-color-scheme" in picture
    assert "href" not in picture
    assert "url(" not in picture


@pytest.mark.parametrize(
    ("scenario", "answers"), [("pointe_du_hoc", ["1", "2"]), ("deadstick", ["merville", "M1"])]
)
def test_ways_that_cross_have_their_costs_apart(scenario: str, answers: list[object]) -> None:
    battle, _ = together(scenario, *answers)
    costs = [one for one in ET.fromstring(svg(battle)).iter(f"{SVG}text") if one.get("class") == "cost"]

    assert len({(one.get("x"), one.get("y")) for one in costs}) == len(costs)


@pytest.mark.parametrize(
    ("scenario", "answers", "field", "value", "sector", "told"),
    [
        ("deadstick", ["merville", "M1"], "mortars_out", False, "S6", 1),
        ("deadstick", ["merville", "M1"], "mortars_out", True, "S6", 0),
        ("tiger_advanced", [], "laid", {"Bunker": 3}, "Bunker", -3),
        ("tiger_advanced", [], "laid", {"Bunker": 15}, "Bunker", -12),
        ("tiger_advanced", [], "lowered", {"4": 5}, "4", -5),
        ("tiger_advanced", [], "zeroed", ["4"], "4", -6),
    ],
)
def test_the_board_tells_the_def_that_holds_for_every_unit(
    scenario: str, answers: list[object], field: str, value: object, sector: str, told: int
) -> None:
    battle, _ = together(scenario, *answers)
    setattr(battle.state, field, value)
    words = f"DEF {battle.field.sectors[sector].defence[0] + told}"
    label = battle.label(sector)

    assert any(f" {sector}: {words}" in line for line in board(battle).panels[-3].lines)
    texts = [text.text or "" for text in ET.fromstring(svg(battle)).iter(f"{SVG}text")]
    at = next(n for n, text in enumerate(texts) if text.removesuffix("*") == label)
    assert texts[at + 1].startswith(words)


def test_a_unit_that_was_lost_in_a_training_is_no_more_in_the_picture() -> None:
    battle, (one, two) = together("tiger_basic")
    put(battle, two, "Bunker").status = Status.SAFE
    wipe_out(one)
    circles = [
        text.text for text in ET.fromstring(svg(battle)).iter(f"{SVG}text") if text.get("class") == "on"
    ]

    assert circles == ["B"]


def test_no_two_boxes_of_the_deadstick_picture_overlap() -> None:
    battle, _ = together("deadstick", "merville", "M1")
    root = ET.fromstring(svg(battle))
    corners = [(rect.get("x"), rect.get("y")) for rect in root.iter(f"{SVG}rect")]

    assert len(set(corners)) == len(battle.field.sectors)


def test_a_report_follows_the_dials() -> None:
    battle, _ = alone()
    assert glance(battle.state).figures == {"soldiers": 4, "stars": 0, "courage": 0, "points": 0}
    two, _ = together()
    assert glance(two.state).figures["soldiers B"] == 4
    assert glance(two.state).weighty == ("soldiers A", "courage A", "soldiers B", "courage B")
    assert glance(two.state).turn == "turn 1"


def test_a_menu_says_what_its_cards_do() -> None:
    battle, (one, _) = together("juno")
    put(battle, one, "5", soldiers=9, items=["Walkie-Talkie"], specialists=["War Correspondent"])

    details = {option.id: option.detail for option in choices(battle, one, later=False)}

    assert details["use:Walkie-Talkie"] == "+2 Soldiers; then face down into the Pool"
    assert details["exchange:War Correspondent"] == shipped().specialist["War Correspondent"].text


@pytest.mark.parametrize(
    ("blind", "detail"), [("no", "Soldiers 0, Stars 0, Courage 0, Corporal"), ("yes", "")]
)
def test_a_start_says_what_it_brings_if_it_brings_that(blind: str, detail: str) -> None:
    ask = begin(set_up(start(setup(GAME, shipped(), {"blind_start": blind}, "utah")).battle)).open

    assert isinstance(ask, Choose)
    assert ask.options[1].detail == detail


# --- presses


def presses(faces: tuple[str, ...]) -> int:
    """How many presses hand in six dice with four buttons: up or down to the face, OK, and OK at the end."""
    battle, unit = alone()
    ask = begin(roll_the_dice(battle, unit)).open
    assert isinstance(ask, Roll)
    view = view_of(ask)
    count = 0
    for place, face in enumerate(faces):
        start = faces[place - 1] if place % 2 else FACE_NAMES[0]  # two dice of each colour
        turns = (FACE_NAMES.index(face) - FACE_NAMES.index(start)) % 6
        for button in [Button.UP] * turns if turns <= 3 else [Button.DOWN] * (6 - turns):
            view.press(button)
            count += 1
        view.press(Button.OK)
        count += 1
    assert tuple(view.press(Button.OK) or ()) == faces
    return count + 1


def test_six_dice_take_7_presses_at_best_25_at_worst_16_on_average() -> None:
    two_dice = [presses((*pair, *["skull"] * 4)) - 7 for pair in product(FACE_NAMES, repeat=2)]

    assert presses(("skull",) * 6) == 7
    assert presses(("soldier2", "skull") * 3) == 25
    assert 7 + 3 * mean(two_dice) == 16


def test_a_second_die_of_a_colour_with_the_face_of_the_first_is_one_press() -> None:
    for at, face in enumerate(FACE_NAMES):
        assert presses((face,) * 6) == 7 + 3 * min(at, 6 - at)


def test_labels_of_dice_fit_the_panel() -> None:
    battle, unit = alone()
    ask = begin(roll_the_dice(battle, unit), list(FACE_NAMES)).open

    assert isinstance(ask, Pick)
    assert [option.label for option in ask.options] == [
        "R Skull",
        "R Star",
        "W 1 Sold",
        "W 2 Sold",
        "B Courage",
        "B Tool",
    ]


def test_the_die_that_lies_in_a_random_sector_is_on_the_board_and_told_after_an_undo() -> None:
    battle, _ = alone("sword")
    without = board(battle)
    battle.state.random_rolls["7"] = 3
    rolled = board(battle)
    told = [one.panels[0].lines for one in (rolled.since(without), without.since(rolled)) if one]
    assert told == [("7: DEF 5 die 3",), ("7: DEF 5",)]
