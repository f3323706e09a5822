"""Normandy's cards, its board, and scenario 1."""

from __future__ import annotations

import tomllib
from collections import deque

import pytest

from companion.games.undaunted import GAME, rounds
from companion.games.undaunted.actions import Kind, parse
from companion.games.undaunted.ground import Ground
from companion.games.undaunted.pack import Rank, Scenario
from companion.games.undaunted.table import Table
from tests.games.driver import Driver
from tests.games.undaunted.field import controlled, fresh

CARDS = {
    "UND-335": ("sergeant", 9, ["bolster 3", "command 2"], None),
    "UND-336": ("guide", 8, ["bolster 1", "guide 1"], None),
    "UND-337": ("leader", 7, ["bolster 2 squad", "inspire 1 squad"], None),
    "UND-338": ("scout", 6, ["scout 2", "attack 1", "recon", "conceal"], 5),
    "UND-339": ("rifleman", 5, ["move 1", "attack 1", "control"], 4),
    "UND-340": ("sniper", 4, ["stalk 1", "attack 3"], 6),
    "UND-341": ("machine-gunner", 3, ["move 1", "attack 2", "suppress 4"], 4),
    "UND-342": ("mortar", 2, ["move 1", "blast 1", "target"], 4),
    "UND-343": ("fog", 1, [], None),
}


def la_raye() -> Table:
    return fresh(players="2").table


@pytest.mark.rule(
    "UND-335", "UND-336", "UND-337", "UND-338", "UND-339", "UND-340", "UND-341", "UND-342", "UND-343"
)
@pytest.mark.parametrize("rule", list(CARDS))
def test_what_the_cards_print(rule: str) -> None:
    name, initiative, actions, defence = CARDS[rule]
    printed = la_raye().pack.unit[name]
    assert (printed.initiative, list(printed.actions), printed.defence) == (initiative, actions, defence)


@pytest.mark.rule("UND-344")
def test_of_the_base_cards_only_riflemen_control() -> None:
    units = la_raye().pack.unit
    able = {name for name in units if any(parse(text).kind is Kind.CONTROL for text in units[name].actions)}
    base = {name for name in able if units[name].source == "rulebook"}
    assert base == {"rifleman"}


ADJACENT = """2B: 16B 13B 17B; 3B: 6A 16B 13B 8A; 4B: 7A 12B 5B; 5B: 4B 12B 8A 11B; 6A: 16B 3B;
7A: 17B 12B 4B; 8A: 12B 13B 3B 11B 5B; 11B: 5B 8A; 12B: 17B 13B 8A 5B 4B 7A; 13B: 17B 2B 16B 3B 8A 12B;
16B: 2B 13B 3B 6A; 17B: 2B 13B 12B 7A"""


@pytest.mark.rule("UND-345", "UND-347")
def test_shifted_columns_give_the_neighbours_of_the_setup_picture() -> None:
    ground = la_raye().ground
    told = dict(entry.split(":") for entry in ADJACENT.replace("\n", "").split(";"))
    neighbours = {tile.strip(): set(others.split()) for tile, others in told.items()}
    assert {tile: set(links) for tile, links in ground.links.items()} == neighbours
    assert len(ground.links["13B"]) == 6


@pytest.mark.rule("UND-345")
def test_tiles_that_touch_at_a_corner_alone_are_not_adjacent() -> None:
    sheet = Scenario("Square", ranks=(Rank(("2B", "16B")), Rank(("17B", "13B"))))
    links = Ground(sheet, la_raye().pack.tile).links
    assert links == {"2B": ("16B", "17B"), "16B": ("2B", "13B"), "17B": ("2B", "13B"), "13B": ("16B", "17B")}


@pytest.mark.rule("UND-346", "UND-313")
def test_distance_is_the_fewest_steps() -> None:
    ground = la_raye().ground
    assert ground.distance["17B"]["5B"] == 2
    assert ground.distance["6A"]["4B"] == 4
    for start in ground.tiles:
        seen, waiting = {start}, deque([(start, 0)])
        while waiting:
            tile, steps = waiting.popleft()
            assert ground.distance[start][tile] == steps
            fresh_ones = [other for other in ground.links[tile] if other not in seen]
            seen |= set(fresh_ones)
            waiting.extend((other, steps + 1) for other in fresh_ones)


@pytest.mark.rule("UND-348", "UND-349")
def test_objectives_and_cover() -> None:
    ground = la_raye().ground
    assert {tile: points for tile, points in ground.value.items() if points} == {
        "2B": 1,
        "16B": 1,
        "6A": 2,
        "13B": 2,
        "7A": 1,
        "5B": 3,
    }
    cover = {tile: one.cover for tile, one in ground.tiles.items()}
    assert cover == {
        **dict.fromkeys(["2B", "16B", "7A", "8A"], 2),
        **dict.fromkeys(["6A", "13B", "5B"], 1),
        **dict.fromkeys(["3B", "4B", "11B", "12B"], 0),
        "17B": 3,
    }


@pytest.mark.rule("UND-350", "UND-351")
@pytest.mark.parametrize(("side", "tile"), [("us", "17B"), ("ge", "5B")])
def test_counters_start_and_enter_together(side: str, tile: str) -> None:
    table = la_raye()
    counters = table.state.sides[side].counters
    assert set(counters) == {"rifleman-a", "rifleman-b", "scout-a", "scout-b"}
    assert {one.tile for one in counters.values()} == {tile}
    assert {table.spawn(one) for one in counters.values()} == {tile}


@pytest.mark.rule("UND-352")
def test_markers_at_the_start() -> None:
    table = la_raye()
    assert table.state.sides["us"].markers == {"17B": "scouted", "2B": "scouted"}
    assert table.state.sides["ge"].markers == {"8A": "scouted", "5B": "controlled"}
    assert (table.points("us"), table.points("ge")) == (0, 3)


@pytest.mark.rule("UND-353", "UND-354")
@pytest.mark.parametrize("side", ["us", "ge"])
def test_decks_and_supplies(side: str) -> None:
    state = fresh(players="2").state
    ones = ("sergeant", "leader-a", "leader-b", "rifleman-a", "rifleman-b", "scout-a", "scout-b")
    assert state.players[side].deck == dict.fromkeys(ones, 1) | {"fog": 2}
    assert state.players[side].supply == {"rifleman-a": 4, "rifleman-b": 4, "scout-a": 2, "scout-b": 2}
    assert state.sides[side].fog == 8


@pytest.mark.rule("UND-355")
@pytest.mark.parametrize(
    ("side", "bid", "held", "last", "reason"),
    [
        ("us", "fog", ("13B", "6A"), "2B", "US: 5 of 5 objective points"),
        ("ge", "scout-a", ("5B",), "6A", "German: 5 of 5 objective points"),
    ],
)
def test_five_points_win_at_once(side: str, bid: str, held: tuple[str, ...], last: str, reason: str) -> None:
    game = Driver(fresh(players="2"))
    assert game.play.state.initiative == "us"
    game.until("undaunted.draw.us")
    game.answer(["rifleman-a", "scout-a", "fog", "fog"])
    game.answer(["rifleman-a", "scout-a", "fog", "fog"])
    game.answer("fog")
    game.answer(bid)
    game.until("undaunted.turn.card")
    table = game.play.table
    controlled(table, side, *held)
    table.state.sides[side].counters["rifleman-a"].tile = last
    game.answer("rifleman-a")
    game.answer("control")
    game.answer()
    assert game.outcome is not None
    assert game.outcome.reason == reason
    assert game.outcome.score[reason.partition(":")[0]] == 5


def test_the_other_scenarios_hold_what_the_ledger_knows_of_them() -> None:
    facts = {
        one["subject"]: one["says"]
        for one in tomllib.loads((GAME.folder / "ledger.toml").read_text(encoding="utf-8"))["fact"]
    }
    scenarios = la_raye().pack.scenario
    numbered = {one.number: one for one in scenarios.values() if 2 <= one.number <= 12}
    assert sorted(numbered) == list(range(2, 13))
    for number, scenario in numbered.items():
        says = facts[f"Normandy scenario {number}: {scenario.title}"]
        assert f"Tiles: {' '.join(scenario.tiles)}." in says
        assert ("Starting initiative US" in says) is (scenario.initiative == "us")
        for side, points in scenario.points.items():
            name = "US" if side == "us" else "Germany"
            assert f"Both: control {points}" in says or f"{name}: control {points}" in says
        for side in scenario.sides:
            total = sum(scenario.decks[side].values()) + sum(scenario.supplies[side].values())
            assert total <= 54


def test_rounds_end_in_a_table_that_is_in_order() -> None:
    play = fresh()
    assert list(play.check()) == []
    assert rounds.HAND == 4
