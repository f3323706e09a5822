"""What a person sees: every ask says why, texts fit, board and drawing are as recorded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest

from companion.engine import autoplay, ledger
from companion.engine.asks import AnyAsk, Choose, Draw, Pick
from companion.games.okinawa import GAME, dice, effects, scenarios
from companion.games.okinawa.board import board
from companion.games.okinawa.cards import Arrow, Effect, EnemyEffect, Happening, ScenarioEffect, Timing, When
from companion.games.okinawa.drawing import svg
from companion.games.okinawa.play import Okinawa
from companion.games.okinawa.state import Enemy, Offer, Soldiers
from companion.games.okinawa.table import Table
from companion.screens.console import view_of
from companion.screens.screen import COLUMNS, ROWS
from companion.wording import BOUND
from tests.games.driver import setup
from tests.games.okinawa.field import card, enemy, run, scenario, table, texts

GOLDEN = Path(__file__).parent / "golden"


def scene() -> Table:
    """Kakazu Ridge in its first turn, with something of everything."""
    laid = table()
    state = laid.state
    state.turn, state.pawn, state.health = 3, 4, 3
    for space, name in zip(state.spaces, ("rifleman", "engineers", "corsair", "bazooka"), strict=False):
        space.action.card = name
    state.spaces[1].action.veteran = state.spaces[2].action.rotated = True
    state.spaces[5].action.suppressed = True
    state.mines, state.strikes, state.pool, state.resupply_die = [8], [4, 9, 9], [1, 3, 4], 2
    state.row = [
        [Enemy("G", up=True, damage=1), Enemy("A")],
        [Enemy("F", up=True, fog=1, dice=[7]), Enemy("B")],
        [Enemy(pool="deck1")],
        [],
    ]
    state.beside_top = [Enemy("kawanashi", up=True, dice=[9])]
    state.soldiers, state.fallback_soldiers = Soldiers(2, 1), Soldiers(1)
    state.tokens = ["grenade", "sandbags"]
    state.scenario = "I"
    del state.spaces[6]
    return laid


def test_the_legend_is_nothing_to_be_put_right_on_the_table() -> None:
    laid = table()
    whole = board(laid)
    del laid.state.spaces[6]
    gap = board(laid)
    beside = [
        [panel.lines for panel in told.panels if panel.title == "Beside"]
        for told in (gap.since(whole), whole.since(gap))
        if told is not None
    ]
    assert beside == [[(f"Removed spaces{BOUND}7",)], [(f"no more: Removed spaces{BOUND}7",)]]


def asks(policy: str, seed: int, **settings: str) -> Iterator[AnyAsk]:
    play = Okinawa(setup(GAME, **settings))
    for step in autoplay.steps(play, autoplay.policy(GAME, play, policy, Random(seed)), seed):
        yield step.ask


def a_few_games() -> list[AnyAsk]:
    seen = [*asks("cautious", 2), *asks("random", 5, mode="enemy")]
    for seed in range(12):
        seen += asks("random", seed, riflemen="random", order="shuffled", reroll="any")
    return seen


@pytest.fixture(scope="module")
def seen() -> list[AnyAsk]:
    return a_few_games()


def test_every_ask_names_rules_of_the_ledger(seen: list[AnyAsk]) -> None:
    known = {entry.id for entry in ledger.load(GAME.folder / "ledger.toml")}
    without = {ask.key for ask in seen if not ask.rule and not ask.key.startswith("okinawa.new.")}
    assert without == set()
    assert {one for ask in seen for one in ask.rule} <= known


def test_keys_are_dotted_and_texts_short(seen: list[AnyAsk]) -> None:
    for ask in seen:
        assert ask.key.startswith("okinawa.")
        assert 0 < len(ask.text) <= 84, ask.text
        if isinstance(ask, Choose | Pick | Draw):
            labels = [option.label for option in ask.options]
            assert all(0 < len(label) <= 30 for label in labels), labels
            assert len({option.id for option in ask.options}) == len(ask.options)


def test_stand_in_cards_are_shown_as_such(seen: list[AnyAsk]) -> None:
    shown = [ask for ask in seen if ask.key in ("okinawa.reveal.shown", "okinawa.objective.setup")]
    assert shown
    assert all("(stand-in)" in ask.text + ask.detail for ask in shown)


def test_what_may_be_drawn_and_laid_out_is_shown_as_a_stand_in_too(seen: list[AnyAsk]) -> None:
    draws = [ask for ask in seen if isinstance(ask, Draw) and ask.key != "okinawa.resupply.token"]
    cards = [option for ask in draws for option in ask.options if option.id != "new"]
    assert {ask.key for ask in draws} >= {
        "okinawa.reveal.card",
        "okinawa.resupply.card",
        "okinawa.setup.order",
    }
    assert all("stand-in" in option.detail for option in cards)
    laid = next(ask for ask in seen if ask.key == "okinawa.setup.table")
    assert "2 Engineers*" in laid.detail
    assert "* stand-in card" in laid.detail


def test_a_printed_card_is_not_called_a_stand_in() -> None:
    laid = table()
    enemy(laid, 2, "A", up=False)
    assert "(stand-in)" not in texts(run(effects.reveal_exposed(laid)))
    laid = table()
    scenario(laid, Timing.AT_ONCE, Happening(ScenarioEffect.SPAWN, 2))
    assert "(stand-in)" not in texts(run(scenarios.comes_in(laid)))


def test_a_scenario_of_our_own_says_so_when_it_acts() -> None:
    laid = table()
    name = next(name for name, one in laid.pack.scenario.items() if one.timing is Timing.AT_ONCE)
    laid.state.scenario = name
    assert "(stand-in)" in texts(run(scenarios.comes_in(laid), [name]))


def golden(name: str, text: str) -> None:
    """Compare with the recorded file; REGOLD=1 records it anew."""
    path = GOLDEN / name
    if os.environ.get("REGOLD"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_the_board_is_as_recorded() -> None:
    shown = board(scene()).fitted()
    lines = [shown.title]
    for panel in shown.panels:
        lines += ["", f"# {panel.title}", *panel.lines]
    golden("board.txt", "\n".join(lines) + "\n")


def test_the_board_says_of_each_card_all_in_one_line_however_long() -> None:
    laid = table()
    laid.state.offers = [Offer("corsair", "medkit"), Offer("sherman", "upgrade")]
    offers = next(panel for panel in board(laid).panels if panel.title == "Reinforcements")
    assert max(map(len, offers.lines)) > 40
    assert len(offers.lines) == 2
    assert max(map(len, offers.fitted())) <= 40


def test_the_board_calls_resupply_tokens_what_they_are_called_when_offered() -> None:
    laid = table()
    laid.state.offers = [Offer("corsair", "medkit"), Offer("sniper", "upgrade"), Offer("rifleman")]
    rows = next(panel.lines for panel in board(laid).fitted().panels if panel.title == "Reinforcements")
    named = [line.partition(":")[0] for line in rows if " + " in line]
    assert [one.partition(" + ")[2] for one in named] == ["Med Kit", "Veteran Action Upgrade", "no token"]


def test_the_board_shows_what_lies_on_a_card_and_the_strikes_in_their_order() -> None:
    laid = table()
    action = card(laid, 4, ("heal", 1), veteran=(("heal", 2),))
    action.veteran = action.rotated = action.suppressed = True
    action.die = 3
    laid.state.mines, laid.state.strikes = [4], [9, 4]
    shown = "\n".join(line for panel in board(laid).fitted().panels for line in panel.lines)
    words = " ".join(shown.split())

    assert "strikes on 4 9" in words
    assert " 4 Test 4 V: heal 2, rotated, suppressed, die 3, mine, danger 1" in words


def test_the_drawing_is_as_recorded_and_stands_alone() -> None:
    drawn = svg(scene())
    golden("table.svg", drawn)
    root = ET.fromstring(drawn)
    assert root.tag.endswith("svg")
    assert "prefers-color-scheme: dark" in drawn
    assert drawn.count("http") == 1, "only the namespace"
    assert "<script" not in drawn


def test_board_and_drawing_can_be_had_at_any_ask_in_both_modes() -> None:
    for mode in ("referee", "enemy"):
        play = Okinawa(setup(GAME, mode=mode))
        for _ in autoplay.steps(play, autoplay.policy(GAME, play, "random", Random(4)), 4):
            assert all(len(line) <= 40 for panel in play.board().fitted().panels for line in panel.lines)
            assert play.svg().endswith("</svg>")


@pytest.mark.parametrize(
    ("happening", "words"),
    [
        (Happening(ScenarioEffect.SPAWN), "1 soldier"),
        (Happening(ScenarioEffect.FOG, 2), "2 fog on each Enemy card"),
        (Happening(ScenarioEffect.SCOUT), "1 fog off each Enemy card"),
        (Happening(ScenarioEffect.SCOUT, 2), "2 fog off each Enemy card"),
        (Happening(ScenarioEffect.SUPPRESS, spaces=(3, 8)), "Suppressed on 3, 8"),
        (Happening(ScenarioEffect.MINES, spaces=(4,)), "Mine Fields on 4"),
        (Happening(ScenarioEffect.HURT), "1 damage"),
        (Happening(ScenarioEffect.HEAL), "1 health"),
        (Happening(ScenarioEffect.SANDBAG, 2), "2 sandbag tokens"),
        (Happening(ScenarioEffect.ADJUST), "1 adjust token"),
        (Happening(ScenarioEffect.DIE), "1 more action die"),
        (Happening(ScenarioEffect.DIE, 2), "2 more action dice"),
    ],
)
def test_the_board_says_what_the_scenario_does_at_each_lap(happening: Happening, words: str) -> None:
    laid = table()
    for timing, told in ((Timing.LOOP_END, f", each lap: {words}"), (Timing.AT_ONCE, "")):
        scenario(laid, timing, happening)
        panel = next(one for one in board(laid).fitted().panels if one.title == "Beside")
        assert " ".join(line.strip() for line in panel.lines).startswith(f"Scenario I Test{told} Unknown")


def enemies_shown(laid: Table) -> list[str]:
    """What the board says of the enemies that are laid, a line each."""
    return [line.strip() for line in board(laid).fitted().panels[0].lines[1:] if not line.endswith(": -")]


@pytest.mark.parametrize(
    ("card", "lines"),
    [
        ("pill-box", ["hits 3 7 8 9 for 1", "soldiers can't be attacked"]),
        ("H", ["hits 2 3 8 9 for 2", "1 more soldier"]),
        ("marksman", ["hits 2 3 8 9 for 1", "on a hit Suppressed on your space"]),
        ("tunnel", ["no target", "die 1-7: 1 more soldier", "die 8-10: 2 more soldiers"]),
        ("snare", ["no target", "Suppressed on the space rolled"]),
        ("smoke", ["hits 7 8 9 for 1", "die 9-10: 1 more fog on it", "die 1-2: 1 damage off it"]),
        ("ambush", ["hits 3 8 9 for 2"]),
    ],
)
def test_the_board_says_what_an_enemy_card_does_beside_its_damage(card: str, lines: list[str]) -> None:
    laid = table()
    laid.state.row[1] = [Enemy(card, up=True)]
    assert enemies_shown(laid)[1:] == lines


@pytest.mark.parametrize(
    ("card", "dice", "lines"),
    [
        ("tunnel", [8], ["die 8, no target", "2 more soldiers"]),
        ("tunnel", [7, 8], ["die 7 8, no target", "1 more soldier", "2 more soldiers"]),
        ("smoke", [9], ["die 9, hits 7 8 9 for 1", "1 more fog on it"]),
        ("smoke", [5], ["die 5, hits 7 8 9 for 1"]),
        ("snare", [5], ["die 5, no target", "Suppressed on the space rolled"]),
    ],
)
def test_once_its_die_is_rolled_the_board_says_what_came_up_alone(
    card: str, dice: list[int], lines: list[str]
) -> None:
    laid = table()
    laid.state.row[1] = [Enemy(card, up=True, dice=dice)]
    assert enemies_shown(laid)[1:] == lines


@pytest.mark.parametrize(
    ("effect", "row"), [(EnemyEffect.MOVE_TOP, "top"), (EnemyEffect.MOVE_BOTTOM, "bottom")]
)
def test_the_board_says_where_a_card_goes_on_a_hit(effect: EnemyEffect, row: str) -> None:
    laid = table()
    enemy(laid, 3, arrows=(Arrow.UP,), effects=(Effect(effect, when=When.HIT),))
    assert enemies_shown(laid)[1:] == ["hits 3 for 1", f"on a hit goes right of the {row} row"]


def test_the_board_says_of_which_type_an_enemy_card_is() -> None:
    laid = table()
    laid.state.row[:2] = [[Enemy("A", up=True)], [Enemy("B", up=True, fog=1, damage=2)]]
    shown = enemies_shown(laid)
    assert shown[0] == "2: A Rifle Squad soldier 0/2*"
    assert shown[2] == "3: B Light Tank armor 2/3 fog 1*"


def test_the_drawing_says_by_which_row_a_card_lies() -> None:
    laid = scene()
    laid.state.beside_top = [Enemy("kawanashi", up=True)]
    laid.state.beside_bottom = [Enemy("kawanashi", up=True)]
    words = "C Kawanashi NIK-J armor no health*"
    assert f">Right of top row: {words}; Right of bottom row: {words}<" in svg(laid)


def test_the_board_says_of_each_card_beside_a_row_what_it_hits() -> None:
    laid = table()
    laid.state.beside_top = [Enemy("kawanashi", up=True, dice=[3]), Enemy("kawanashi", up=True, dice=[8])]
    assert enemies_shown(laid)[-2:] == ["die 3, hits 1 2 3 4 5 for 1", "die 8, hits 6 7 8 9 10 for 1"]


def test_a_line_of_the_drawing_that_is_wider_than_its_card_is_squeezed() -> None:
    root = ET.fromstring(svg(scene()))
    lines = {line.text: line.get("textLength") for line in root.iter("{http://www.w3.org/2000/svg}text")}
    assert lines["2 G Machine Gun Nest"] == "134"
    assert lines["3 F Mortar"] is None


def test_the_drawing_parts_dice_from_tokens() -> None:
    assert "on Resupply 2; sandbags 0" in svg(scene())


def test_the_drawing_shows_reposition_tokens_that_are_held() -> None:
    laid = table()
    assert "reposition" not in svg(laid)
    laid.state.repositions = 2
    assert "re-roll 0, reposition 2" in svg(laid)


def test_the_enemy_dice_and_what_to_do_with_them_are_on_one_page_of_the_small_screen() -> None:
    laid = table()
    laid.state.soldiers = Soldiers(4)
    enemy(laid, 2, "Field Gun", dice=1)

    (asked,) = run(dice.roll_enemy_dice(laid), ["1"] * 5)

    assert len(view_of(asked).lines(COLUMNS)) == ROWS - 2
