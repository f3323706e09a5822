"""D-Day Dice, first edition: one to four Units fight their way up a beach with six coloured dice each."""

from __future__ import annotations

from pathlib import Path

from companion.engine.game import Game
from companion.games.dday_dice.entry import entry
from companion.games.dday_dice.options import SETTINGS
from companion.games.dday_dice.panels import glance
from companion.games.dday_dice.play import start
from companion.games.dday_dice.problems import problems, scenarios
from companion.games.dday_dice.records import DdayPack
from companion.games.dday_dice.showing import shown
from companion.games.dday_dice.state import TableState

GAME = Game(
    name="dday_dice",
    title="D-Day Dice",
    folder=Path(__file__).parent,
    pack_type=DdayPack,
    state_type=TableState,
    start=start,
    settings=SETTINGS,
    policies=("cautious",),
    scenarios=scenarios,
    problems=problems,
    glance=glance,
    entry=entry,
    asks={"map": "{}", "award": "award.{}"},
    show=shown,
)
