"""Okinawa: The Last Battle of World War II, a solo game by Gabe Barrett."""

from __future__ import annotations

from pathlib import Path

from companion.engine.game import Game
from companion.games.okinawa.cards import Pack
from companion.games.okinawa.dice import ACTION_DIE
from companion.games.okinawa.learning import enter
from companion.games.okinawa.play import Okinawa, glance
from companion.games.okinawa.policy import CAUTIOUS
from companion.games.okinawa.problems import problems
from companion.games.okinawa.settings import SETTINGS
from companion.games.okinawa.state import State

GAME = Game(
    name="okinawa",
    title="Okinawa: The Last Battle of World War II",
    folder=Path(__file__).parent,
    pack_type=Pack,
    state_type=State,
    start=Okinawa,
    settings=SETTINGS,
    policies=(CAUTIOUS,),
    problems=problems,
    entry=enter,
    asks={table: f"{table}.{{}}" for table in ("enemy", "action", "objective", "scenario")},
    glance=glance,
    uneven=(ACTION_DIE,),
)
