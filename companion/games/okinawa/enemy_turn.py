"""The Enemy Turn: random strikes, each card from left to right, then the advance (OKI-205 to OKI-224)."""

from __future__ import annotations

from functools import partial
from typing import Final

from msgspec.structs import replace

from companion.engine.asks import Ask, Choose, Option, Script, Show, ask
from companion.games.okinawa import effects, enemies, health, reports, targets, tokens
from companion.games.okinawa.cards import When
from companion.games.okinawa.state import FIRST_POST, Enemy
from companion.games.okinawa.table import Table

_GO_ON: Final = Option("go", "Go on")


def enemy_turn(table: Table) -> Script[None]:
    """One Enemy Turn."""
    state = table.state
    state.enemy_turn = True
    for _, enemy in table.exposed():
        enemy.done = False
    yield from random_strikes(table)
    while acting := next_to_act(table):
        yield from act(table, acting)
    yield from advance(table)
    state.enemy_turn = False


# Random strikes


def random_strikes(table: Table) -> Script[None]:
    """Each red die on the pawn's space costs 1; then all dice leave the row (OKI-207 to OKI-210)."""
    state = table.state
    strikes = sorted(state.strikes)
    if not strikes:
        return
    state.strikes = []
    hits = strikes.count(state.pawn)
    back = "dice back" if len(strikes) > 1 else "die back"
    text = f"Strikes {' '.join(map(str, strikes))}, {back}; you on {state.pawn}"
    yield from strike(table, hits, "Random Strikes", text, _STRIKES)


_STRIKES: Final = ("OKI-207", "OKI-208", "OKI-210", "OKI-216")


def strike(
    table: Table, amount: int, source: str, text: str, rule: tuple[str, ...], miss: str = "no hit"
) -> Script[None]:
    """Take damage from one source after what sandbags block, and show it.

    A source that does nothing is shown together with the next that does, to spare presses.
    """
    if not amount:
        table.news(f"{text}: {miss}")
        yield from step(table, rule, quiet=True)
        return
    left = yield from health.block(table, amount, text)
    if left:
        health.lose(table, left, source, text)
    else:
        table.news(f"{text}: all blocked")
    yield from step(table, rule)


def step(table: Table, rule: tuple[str, ...], *, quiet: bool = False) -> Script[None]:
    """Show what happened, and let tokens be used that may be used at any time (OKI-R13)."""
    while True:
        options = interrupts(table)
        if quiet and not options:
            return
        answer = yield from ask(partial(_step, table, table.take_news(), rule))
        if answer in (True, _GO_ON.id):
            return
        yield from (tokens.use if table.refereed else reports.report)(table, str(answer))


def interrupts(table: Table) -> tuple[Option, ...]:
    """What the player may do between two steps of the Enemy Turn."""
    return tuple((tokens.anytime if table.refereed else reports.between_steps)(table))


def _step(table: Table, news: str, rule: tuple[str, ...]) -> Ask[object]:
    lines = enemies.settled(table, news).splitlines()
    text = lines[-1] if lines else "The Enemy Turn goes on"
    detail, news = "\n".join(lines[:-1]), "\n".join(lines)
    options = interrupts(table)
    if not options:
        return Show("okinawa.enemy.step", text, detail, rule, news=news)
    question = Choose("okinawa.enemy.token", text, detail, (*rule, "OKI-R13"), (_GO_ON, *options), news=news)
    if table.refereed:
        return question
    # What may have happened is no choice of tokens by itself.
    return reports.by_tokens(replace(question, text=f"{text}. A token now?"))


# Enemy cards


def next_to_act(table: Table) -> Enemy | None:
    """The leftmost face-up Enemy card that has not acted yet (OKI-206, OKI-211)."""
    return next((enemy for _, enemy in table.exposed() if enemy.up and not enemy.done), None)


def act(table: Table, enemy: Enemy) -> Script[None]:
    """One Enemy card: its die, its other effects, then its damage (OKI-212 to OKI-214).

    One that was taken away by hand while it acted does no damage.
    """
    enemy.done = True
    printed = table.enemy(enemy.card)
    yield from effects.happen(table, enemy, printed, When.ACT, enemy.dice)
    place = table.place_of(enemy)
    if not place:
        return
    aimed = targets.targets(table, place, enemy)
    hit = table.state.pawn in aimed
    amount = targets.damage(printed, enemy) if hit else 0
    if hit:
        yield from effects.happen(table, enemy, printed, When.HIT, enemy.dice)
    enemy.dice = []
    spaces = " ".join(map(str, sorted(aimed)))
    name = table.name_of(enemy)
    text = f"{name} at {spaces}" if spaces else name
    miss = "no damage" if hit else "no hit"
    yield from strike(table, amount, table.look_of(enemy), text, _CARDS, miss)


_CARDS: Final = ("OKI-211", "OKI-212", "OKI-213", "OKI-214", "OKI-216")


# Advancing


def advance(table: Table) -> Script[None]:
    """Face-up cards go left through empty Enemy Spaces, the leftmost first (OKI-217 to OKI-222)."""
    row = table.state.row
    for start in range(1, len(row)):
        stack = row[start]
        if not stack or not stack[0].up:
            continue
        end = start
        while end and not row[end - 1]:
            end -= 1
        if end != start:
            name = table.name_of(stack[0])
            row[end].append(stack.pop(0))
            table.news(f"{name} advances to Enemy Space {end + FIRST_POST}")
    yield from table.tell("okinawa.enemy.advance", ("OKI-211", "OKI-217", "OKI-219"), "Enemy Turn")
