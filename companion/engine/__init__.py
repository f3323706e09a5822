"""The engine: asks, scripts, chance, sessions, the journal, packs. Knows no game and no device."""

from companion.engine.asks import Ask, Choose, Dice, Draw, Number, Option, Pick, Roll, Script, Show, ask
from companion.engine.errors import (
    BadAnswer,
    BadInput,
    BrokenTable,
    CompanionError,
    GameFault,
    JournalError,
    JournalFull,
    PackError,
    ReplayMismatch,
    SessionBusy,
    StaleAnswer,
)
from companion.engine.game import Board, Game, Glance, Outcome, Panel, Play, Problem, Result, Setting, Setup
from companion.engine.journal import Journal
from companion.engine.session import Evidence, Session, Wish

__all__ = [
    "Ask",
    "BadAnswer",
    "BadInput",
    "Board",
    "BrokenTable",
    "Choose",
    "CompanionError",
    "Dice",
    "Draw",
    "Evidence",
    "Game",
    "GameFault",
    "Glance",
    "Journal",
    "JournalError",
    "JournalFull",
    "Number",
    "Option",
    "Outcome",
    "PackError",
    "Panel",
    "Pick",
    "Play",
    "Problem",
    "ReplayMismatch",
    "Result",
    "Roll",
    "Script",
    "Session",
    "SessionBusy",
    "Setting",
    "Setup",
    "Show",
    "StaleAnswer",
    "Wish",
    "ask",
]
