"""Rescuing soldiers from prison (FLG-071 to FLG-080)."""

from __future__ import annotations

from companion.engine.asks import Choose, Option, Script
from companion.games.flag_war.asking import decide, note
from companion.games.flag_war.pack import SEAT_NAMES
from companion.games.flag_war.table import Table, free_rescue_squares, rescues


def rescue(table: Table) -> Script[bool]:
    """In place of the roll, one prisoner freed by a man before the prison (FLG-071 to FLG-080)."""
    while options := rescues(table):
        question = Choose(
            "flag_war.rescue.whom",
            f"{table.general}: free a prisoner or roll?",
            rule=("FLG-072", "FLG-073", "FLG-074", "FLG-075", "FLG-078"),
            options=(Option("roll", "Roll the dice"), *options),
        )
        chosen = yield from decide(table, question)
        if chosen == "roll":
            return False
        if chosen is not None:
            base, seat, name = chosen.split(":")
            yield from set_free(table, base, seat, name)
            return True
    return False


def set_free(table: Table, base: str, seat: str, name: str) -> Script[None]:
    """The freed man put on a dark square by the rescuer (FLG-076, FLG-079)."""
    to = None
    while to is None:
        squares = free_rescue_squares(table, base)
        question = Choose(
            "flag_war.rescue.where",
            f"{table.general}: put {SEAT_NAMES[seat]} {name} where?",
            rule=("FLG-076", "FLG-079", "FLG-080", "FLG-R49"),
            options=tuple(Option(square, square) for square in squares),
        )
        to = squares[0] if len(squares) == 1 else (yield from decide(table, question))
    table.war.armies[seat].men[name].at = to
    note(table, f"{SEAT_NAMES[seat]} {name} is free on {to}", "FLG-075", "FLG-076")
