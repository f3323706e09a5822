"""Space Infantry: a squad, a map of nodes, thirty turns, and an enemy that runs itself."""

from __future__ import annotations

from pathlib import Path

from companion.engine.game import Game, Setting
from companion.games.space_infantry.entry import KINDS, entry
from companion.games.space_infantry.pack import InfantryPack
from companion.games.space_infantry.play import board, glance, scenarios, start, titled
from companion.games.space_infantry.policies import NAMES
from companion.games.space_infantry.problems import problems
from companion.games.space_infantry.state import Campaign

_SWITCH = ("off", "on")

GAME = Game(
    name="space_infantry",
    title="Space Infantry",
    folder=Path(__file__).parent,
    pack_type=InfantryPack,
    state_type=Campaign,
    start=start,
    scenarios=scenarios,
    titled=titled,
    problems=problems,
    entry=entry,
    asks={table: f"{table}.{{}}" for table in KINDS} | {"cup": "cup"},
    glance=glance,
    board=board,
    policies=("cautious", *NAMES),
    settings=(
        Setting(
            "difficulty",
            "9.5: points for the team, resources at most, and how strong the enemy is",
            ("normal", "easy", "hard", "nightmare"),
            ("SPI-185", "SPI-189"),
        ),
        Setting("missions", "missions in the campaign", ("1", "2", "3", "4", "6", "9"), ("SPI-003",)),
        Setting(
            "progression",
            "three successes lead one difficulty up, with kept soldiers those of earlier campaigns too",
            ("on", "off"),
            ("SPI-188",),
        ),
        Setting(
            "numbers",
            "dice (9.3), a cup of chits kept by the box or drawn from, or a real cup typed in",
            ("dice", "cup", "typed"),
            ("SPI-025", "SPI-180", "SPI-R01"),
            label="numbers from",
        ),
        Setting(
            "dice_at_once",
            "how many dice there are to throw at once (9.3)",
            ("all", "1", "2", "3", "4", "5", "6", "8", "10", "12"),
            ("SPI-180",),
        ),
        Setting(
            "command_points",
            "the leader makes Command Points",
            ("on", "off"),
            ("SPI-055", "SPI-R09"),
            label="Command Points",
        ),
        Setting("hard_fight", "9.1: enemy checks before the actions", _SWITCH, ("SPI-177",)),
        Setting("no_intelligence", "9.2: the enemy is unknown until met", _SWITCH, ("SPI-179",)),
        Setting(
            "random_resources", "9.4: what is in a cache is drawn when it is reached", _SWITCH, ("SPI-182",)
        ),
        Setting(
            "special_units_enemy_threshold",
            "Special units fight against that many enemies or more",
            ("5", "4"),
            ("SPI-107", "SPI-109", "SPI-R07"),
            label="Special units fight from",
        ),
        Setting(
            "casualties",
            "who is out of combat comes back, or is lost",
            ("return", "lost"),
            ("SPI-R56",),
            label="out of combat",
        ),
        Setting(
            "roster",
            "new soldiers, gone afterwards, or those of earlier campaigns, kept again",
            ("new", "kept"),
            ("SPI-003",),
            label="soldiers",
        ),
    ),
)
