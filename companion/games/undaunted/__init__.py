"""Undaunted: Normandy with Reinforcements, alone against the box or four at the table."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from companion.engine.asks import Script
from companion.engine.game import Game, Play, Setting, Setup
from companion.engine.packs import Tables
from companion.games.undaunted.checker import playable, problems
from companion.games.undaunted.pack import FACTIONS, Pack
from companion.games.undaunted.state import State, glance


def _start(setup: Setup) -> Play:
    from companion.games.undaunted.play import Undaunted

    return Undaunted(setup)


def _enter(pack: msgspec.Struct, thing: str, _mine: Tables) -> Script[Tables]:
    from companion.games.undaunted.entry import enter

    return enter(pack, thing)


def _show(pack: msgspec.Struct, thing: str) -> Iterable[str]:
    from companion.games.undaunted.printer import shown

    return shown(pack, thing)


GAME = Game(
    name="undaunted",
    title="Undaunted: Reinforcements",
    folder=Path(__file__).parent,
    pack_type=Pack,
    state_type=State,
    start=_start,
    settings=(
        Setting(
            "difficulty",
            "easy: the bot's bid is discarded even if it wins; hard: it draws 4 cards, not 3",
            ("normal", "easy", "hard"),
            ("UND-237", "UND-238", "UND-239"),
        ),
        Setting("players", "one against the bot, two, or four in teams", ("1", "2", "4"), ("UND-092",)),
        Setting(
            "side",
            "your faction (auto: the scenario's first)",
            ("auto", *FACTIONS),
            ("UND-123",),
            label="your side",
            said=("auto", *FACTIONS.values()),
        ),
        Setting(
            "hand",
            "box: the box deals or is told your hand; table: it stays yours alone",
            ("box", "table"),
            ("UND-131",),
            label="your hand",
        ),
        Setting(
            "specialists",
            "Grenadiers and Submachine Gunners, if all agree",
            ("no", "yes"),
            ("UND-014", "UND-016", "UND-017"),
        ),
        Setting(
            "mined_edges",
            "where no edge is free, the bot lays a mine on one that has a mine",
            ("yes", "no"),
            ("UND-R36",),
            before="no",
            label="mines on mined edges",
        ),
    ),
    policies=("cautious", "bold"),
    scenarios=playable,
    problems=problems,
    entry=_enter,
    asks={table: f"{table}.{{}}" for table in ("solo", "scenario", "section", "unit", "tile")},
    show=_show,
    glance=glance,
)
