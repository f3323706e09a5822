"""How the war asks: real dice, a general's decision or the box's own, and news told in one go."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine.asks import RESTATED, Choose, Dice, Roll, Script, Show, ask
from companion.games.flag_war import policies
from companion.games.flag_war.pack import MOST_DICE
from companion.games.flag_war.state import Player
from companion.games.flag_war.table import Table

FACES = ("1", "2", "3", "4", "5", "6")
DICE = {count: (Dice("d6", count, FACES),) for count in range(1, 2 * MOST_DICE + 1)}


def roll(table: Table, key: str, text: str, count: int, rule: tuple[str, ...]) -> Script[list[int]]:
    """`count` dice off the tray. What was lost is said in the text, which the log has if the box rolls."""
    yield from tell(table)
    words = ". ".join(filter(None, (take_lost(table), text)))
    faces = yield from ask(Roll(key, words, rule=rule, dice=DICE[count]))
    values = [int(face) for face in faces]
    for value in values:
        table.war.stir = (table.war.stir * 7 + value) & 0xFFFFFF
    return values


def decide(table: Table, question: Choose) -> Script[str | None]:
    """A decision of the general on turn: asked, or made by the box; None if it has to be put anew.

    So it has where the state was overridden, and where it could have been while news were told.
    """
    player = table.army.player
    if player is Player.PERSON:
        if table.war.news:
            yield from tell(table)
            return None
        if table.war.lost:
            question = replace(question, detail=table.war.lost)
        answer = yield question
        if answer is RESTATED:
            return None
        take_lost(table)
        return str(answer)
    advice = policies.advise(table, question, player.value)
    return stirred(table, question) if advice is None else advice


def stirred(table: Table, question: Choose) -> str:
    """Any option, picked by the dice rolled so far: a game has no other source of chance."""
    table.war.stir = (table.war.stir * 1_103_515_245 + 12_345) & 0x7FFFFFFF
    return question.options[(table.war.stir >> 8) % len(question.options)].id


def note(table: Table, line: str, *rule: str) -> None:
    """Something to be told at the next stop, and by which rules it came about."""
    table.war.news.append(line)
    table.war.grounds += rule


def note_lost(table: Table, line: str) -> None:
    """What of a roll is lost: with what else is to be told, or else with the next stop."""
    if table.war.news:
        note(table, line, "FLG-R20")
    else:
        table.war.lost = line


def take_lost(table: Table) -> str:
    """What has still to be told of what was lost; it is told now."""
    lost, table.war.lost = table.war.lost, ""
    return lost


def tell(table: Table) -> Script[None]:
    """Everything noted since the last stop, in one go."""
    if table.war.news:
        text = "; ".join(filter(None, (take_lost(table), *table.war.news)))
        rule = tuple(dict.fromkeys(table.war.grounds))
        table.war.news.clear()
        table.war.grounds.clear()
        yield from ask(Show("flag_war.news", text, rule=rule))
