"""The book's own examples, step by step over the JSON protocol (the solo one staged by UND-R01, UND-R02)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.games.undaunted.talk import Talk

PACK = """
[pack]
game = "undaunted"
name = "example"
source = "owner"

[section.la-raye-ge]
scenario = "la-raye"
faction = "ge"
changes = ["For the example alone: a Machine Gunner A is in the deck (UND-R01)."]
bolster = { a = ["squad a"], b = ["squad b"] }
danger = ["rifleman", "scout"]
deck = { sergeant = 1, leader-b = 1, rifleman-b = 1, scout-b = 1, machine-gunner-a = 1, fog = 2 }
"""


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    pack = tmp_path / "pack.toml"
    pack.write_text(PACK, encoding="utf-8")
    with Talk(tmp_path, "--scenario", "la-raye", "--pack", str(pack)) as session:
        yield session


def counter(side: str, unit: str, tile: str, *, hits: int = 0) -> dict[str, object]:
    return {"side": side, "unit": unit, "owner": side, "tile": tile, "hits": hits}


def stage(talk: Talk) -> None:
    """The example's board: Riflemen B on 3B, no tile controlled, markers on two units of squad A."""
    talk.override("sides.ge.counters.rifleman-b.tile", "3B")
    talk.override("sides.ge.counters.machine-gunner-a.tile", "5B")
    for unit in ("rifleman-a", "machine-gunner-a"):
        talk.override(f"sides.ge.counters.{unit}.hits", 1)
    talk.override("sides.ge.markers", dict.fromkeys(["5B", "3B", "6A", "13B", "16B", "8A"], "scouted"))
    talk.override("sides.us.counters.rifleman-a.tile", "13B")


@pytest.mark.rule(
    "UND-240",
    "UND-241",
    "UND-242",
    "UND-243",
    "UND-244",
    "UND-245",
    "UND-246",
    "UND-247",
    "UND-248",
    "UND-249",
    "UND-250",
    "UND-R01",
    "UND-R02",
)
def test_the_solo_play_example(talk: Talk) -> None:
    talk.expect("setup")
    talk.answer()

    # Step 1, initiative: Scout against Fog of War (UND-240)
    talk.expect("draw.us")
    talk.answer(["scout-a", "rifleman-a", "rifleman-b", "fog"])
    talk.expect("bid")
    talk.answer("scout-a")
    talk.expect("draw.ge", "Bot draws 1 to bid")
    talk.answer(["fog"])
    talk.expect("initiative", "You act first: You Scout A (6), Bot Fog of War (1)")
    state = talk.state()
    assert state["players"]["us"]["discard"] == {"scout-a": 1}
    assert state["players"]["ge"]["discard"] == {"fog": 1}
    talk.answer()
    talk.expect("turn.card")
    stage(talk)
    talk.answer("end")

    # Step 2, the bot draws and lays out its row (UND-241)
    talk.expect("draw.ge", "Bot draws 3")
    talk.answer(["machine-gunner-a", "rifleman-b", "leader-b"])

    # Step 3, control markers; step 4, the Squad Leader inspires the one card there is (UND-242, UND-243)
    talk.expect(
        "bot.card",
        "Squad Leader B",
        "inspires Rifleman B",
        "Bot row: Squad Leader B, Rifleman B, Machine Gunner A.",
        "1 control marker off Machine Gunner A: discard Machine Gunner A.",
        "1 control marker off Rifleman A.",
        "Line 1.",
    )
    state = talk.state()
    assert state["bot"]["row"] == [{"card": "rifleman-b", "sideways": True, "face_down": False}]
    hits = {name: one["hits"] for name, one in state["sides"]["ge"]["counters"].items()}
    assert set(hits.values()) == {0}
    talk.answer()

    # Steps 5 to 9, the first pass: to 6A, for these reasons (UND-244 to UND-248)
    talk.expect(
        "bot.card",
        "Rifleman B",
        "moves from 3B to 6A",
        "Line 3B.",
        "Not 1: tile 3B has no points to claim.",
        "Not 2: its tile is not controlled by anyone.",
        "Not 3A: no tile in reach is a threatened objective.",
    )
    state = talk.state()
    assert state["players"]["ge"]["discard"] == {"fog": 1, "machine-gunner-a": 1, "leader-b": 1}
    assert state["sides"]["ge"]["counters"]["rifleman-b"]["tile"] == "6A"
    talk.answer()

    # Step 10, the second pass: Control (UND-249)
    talk.expect("bot.card", "Rifleman B again", "controls 6A", "Line 1.", "2 points")
    assert talk.state()["sides"]["ge"]["markers"]["6A"] == "controlled"
    talk.answer()

    # Step 11, the row is empty and the next round begins (UND-250)
    state = talk.state()
    assert (state["round"], state["bot"]["row"]) == (2, [])
    assert state["players"]["ge"]["discard"]["rifleman-b"] == 1
    talk.expect("draw.us")


def soldier(unit: str, seat: int) -> dict[str, object]:
    return counter("it", unit, "D1") | {"vehicle": "scout-car", "seat": seat}


@pytest.mark.rule("UND-064", "UND-057", "UND-061", "UND-063")
def test_the_mine_example(tmp_path: Path) -> None:
    with Talk(tmp_path, "--scenario", "stand-in-night", "--set", "players=2") as talk:
        talk.answer()
        talk.answer(["desert-rifleman-a", "sapper-a", "fog", "fog"])
        talk.answer(["desert-rifleman-a", "desert-rifleman-a", "crewman-a", "sergeant"])
        talk.answer("fog")
        talk.answer("sergeant")
        talk.expect("initiative", "IT acts first")
        talk.answer()
        talk.expect("turn.card", "IT")
        talk.override(
            "sides.it.counters",
            {
                "scout-car": counter("it", "scout-car", "D1"),
                "crewman-a": soldier("crewman-a", 0),
                "desert-rifleman-a": soldier("desert-rifleman-a", 1),
                "desert-rifleman-b": counter("it", "desert-rifleman-b", "D12"),
                "desert-scout-a": counter("it", "desert-scout-a", "D12"),
            },
        )
        talk.override("sides.it.markers", {"D1": "scouted", "D2": "scouted", "D3": "scouted"})
        talk.override("mines", [{"between": ["D1", "D2"], "face": "anti-armour"}])
        talk.answer("desert-rifleman-a")
        talk.answer("attack-2")
        talk.answer("desert-rifleman-a")
        talk.answer(["1", "1"])
        talk.answer()
        talk.expect("turn.card")
        talk.answer("crewman-a")
        assert "drive-2" in talk.ids()
        talk.answer("drive-2")
        talk.answer("D2")
        talk.expect(
            "antitank.roll", "LRDG mine: Antitank 3 on Italian Scout Car", "Defence 4 + cover 0 + range 0 = 4"
        )
        talk.answer(["2", "4", "1"])
        talk.expect("vehicle.injured", "LRDG: who in the Scout Car is hit?")
        assert talk.ids() == ["crewman-a", "desert-rifleman-a"]
        talk.answer("desert-rifleman-a")
        talk.expect("turn.result", "from the play area", "Take the mine off the edge D1-D2")
        state = talk.state()
        italian = state["players"]["it"]
        assert italian["removed"] == {"desert-rifleman-a": 1}
        assert italian["play"] == ["crewman-a"]
        assert italian["hand"] == ["desert-rifleman-a"]
        assert state["sides"]["it"]["counters"]["scout-car"]["tile"] == "D2"
        assert state["mines"] == []
