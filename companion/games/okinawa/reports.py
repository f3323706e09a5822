"""Mode `enemy`: the player plays the own turn on the table, then tells the box what it needs to know."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import ceil
from typing import Final

from msgspec.structs import replace

from companion.engine.asks import Choose, Number, Option, Pick, Script, ask
from companion.games.okinawa import dice, enemies, moving, player_turn, rondel, tokens
from companion.games.okinawa.state import ACTION_DICE, FULL_HEALTH, Action
from companion.games.okinawa.table import Table
from companion.wording import counted

_DONE: Final = Option("done", "Turn is over", "Then the pawn's space and further laps are asked")
_LAP: Final = Option("lap", "Lap done", "Before anything that came after it")
_HEALTH: Final = Option("health", "My health changed")
_SWAPPED: Final = Option("swap", "Two cards swapped", "With what lies on them")
_MISSING: Final = Option("space", "An Action Space is removed", "By the Machine Gun Team")
_MOST_STEPS: Final = ACTION_DICE * int(dice.ACTION[-1])
_FORMER_MOST_LAPS: Final = 3
_BEIGE_HIT: Final = f"hit:{enemies.BEIGE}"


def reported_turn(table: Table) -> Script[None]:
    """Reveal and enemy dice by the box, the rest by the player, who then reports it."""
    yield from player_turn.turn_up(table)
    yield from _before_the_dice(table)
    yield from dice.roll_enemy_dice(table)
    laps = 0
    while True:
        answer = yield from ask(partial(_question, table, table.take_news(), laps))
        if answer == _DONE.id:
            break
        laps += answer == _LAP.id
        yield from report(table, answer)
    yield from _pawn(table, laps)


def _before_the_dice(table: Table) -> Script[None]:
    """Who is defeated now rolls no die (OKI-102, OKI-R13); in the first turn nobody holds a token for it."""
    while table.state.turn > 1 and any(dice.due(table)) and any(happenings(table)):
        answer = yield from ask(partial(_thrown, table, table.take_news()))
        if answer == player_turn.ROLL.id:
            return
        yield from report(table, answer)


def _thrown(table: Table, news: str) -> Choose:
    news = enemies.settled(table, news)
    text = "Enemy dice come next. A token first?"
    options = (player_turn.ROLL, *happenings(table))
    question = Choose(
        "okinawa.report.token", text, news, ("OKI-069", "OKI-102", "OKI-R13"), options, news=news
    )
    return by_tokens(question)


def by_tokens(question: Choose) -> Choose:
    """What can have happened where only tokens act: a Grenade turns no soldier red (OKI-108)."""
    return _without(question, _BEIGE_HIT)


def _without(question: Choose, option: str) -> Choose:
    """The question without an option that earlier versions offered."""
    options = tuple(one for one in question.options if one.id != option)
    return replace(question, options=options, former=question) if options != question.options else question


def _most_laps(table: Table) -> int:
    """With every die there is at its highest, round the spaces that are left (OKI-116, OKI-228)."""
    return ceil(_MOST_STEPS / len(table.state.spaces))


def _question(table: Table, news: str, laps: int) -> Choose:
    news = enemies.settled(table, news)
    left = dice.allowance(table)
    text = f"Your turn, {counted(left, 'die', 'dice')} in all. What happened?"
    rule = ("OKI-066", "OKI-077", "OKI-200")
    options = (_DONE, *happenings(table), *_own(table))
    question = Choose("okinawa.report.what", text, news, rule, options, news=news)
    return question if laps < _most_laps(table) else _without(question, _LAP.id)


def happenings(table: Table) -> Iterator[Option]:
    """What can have happened to enemies, in either turn."""
    for side in enemies.soldier_targets(table):
        if side == enemies.BEIGE:
            yield Option(_BEIGE_HIT, "Soldier turns red")
            yield Option("gone:beige", "Soldier gone")
        else:
            yield Option("gone:red", "Red soldier gone")
    for place, enemy in table.exposed():
        if not enemy.up:
            continue
        name, lies = table.look_of(enemy), tokens.as_it_lies(table, place)
        if enemy.fog:
            yield Option(f"scout:{place}", f"Fog off {name}", lies)
        elif table.enemy(enemy.card).health:
            yield Option(f"hit:{place}", f"Damage on {name}", lies)
        yield Option(f"gone:{place}", f"{name} gone", lies)


def between_steps(table: Table) -> Iterator[Option]:
    """What can have happened between two steps of the Enemy Turn (OKI-R13)."""
    yield from happenings(table)
    yield from _swapped(table)


def _swapped(table: Table) -> Iterator[Option]:
    """A swap of cards, where it changes what the box keeps: a Suppressed token or the pawn (OKI-R20)."""
    suppressed = any(space.action.suppressed for space in table.state.spaces)
    if suppressed or table.settings["swap_pawn"] == "goes":
        yield _SWAPPED


def _own(table: Table) -> Iterator[Option]:
    """What can have happened to the player's side."""
    if table.state.flag:
        yield _LAP
    yield _HEALTH
    if any(moving.neighbours(table)):
        yield _MISSING
    for space in table.state.spaces:
        if space.action.suppressed:
            yield Option(
                f"free:{space.number}", f"Action Space {space.number} freed", "Its Suppressed token is off"
            )
    yield from _swapped(table)


def report(table: Table, answer: str) -> Script[None]:
    """Take over one thing that happened on the table."""
    verb, _, target = answer.partition(":")
    match verb:
        case "gone":
            enemies.defeat(table, target)
        case "hit":
            yield from _hit(table, target)
        case "scout":
            tokens.scout(table, target)
        case "free":
            rondel.space_of(table.state, int(target)).action.suppressed = False
        case "lap":
            yield from moving.lap(table)
        case "space":
            yield from _missing(table)
        case "swap":
            yield from _swap(table)
        case _:
            yield from _health(table)


def _health(table: Table) -> Script[None]:
    state = table.state

    def question() -> Number:
        text, rule = "Your health now", ("OKI-114",)
        return Number("okinawa.report.health", text, rule=rule, most=FULL_HEALTH, start=state.health)

    state.health = yield from ask(question)
    if not state.health:
        raise table.lose("you reported no health left")


def _hit(table: Table, target: str) -> Script[None]:
    """Damage that was dealt; none if the enemy was taken away by hand while it was asked how much."""
    amount = 1
    if target != enemies.BEIGE:
        enemy = table.at(target)
        left = table.enemy(enemy.card).health - enemy.damage
        if left > 1:
            text = f"How much damage on {table.name_of(enemy)}?"
            amount = yield from ask(
                Number("okinawa.report.damage", text, rule=("OKI-167",), least=1, most=left)
            )
    if f"hit:{target}" in [option.id for option in happenings(table)]:
        enemies.hurt(table, target, amount)


def _swap(table: Table) -> Script[None]:
    def question() -> Pick:
        options = tuple(Option(str(number), f"Space {number}") for number in rondel.numbers(table.state))
        text, rule = "Which two cards swapped?", ("OKI-156", "OKI-R20")
        return Pick("okinawa.report.swap", text, rule=rule, options=options, least=2, most=2)

    one, two = yield from ask(question)
    tokens.swap(table, int(one), int(two))


def _pairs(table: Table) -> Iterator[Option]:
    """Two neighbours that the Machine Gun Team may lie on, which is kept, and what leaves (OKI-R22)."""
    for one, two in moving.neighbours(table):
        back = [
            f"the Suppressed token on {space.number} goes back"
            for space in (one, two)
            if space.action.suppressed
        ]
        for kept, gone in ((one.number, two.number), (two.number, one.number)):
            yield moving.into_one(table, kept, gone, *back)


def _missing(table: Table) -> Script[None]:
    """The Machine Gun Team took two cards and one space; what lay on both is gone (OKI-095, OKI-R22)."""

    def question() -> Choose:
        return Choose(
            "okinawa.report.space",
            "Where does the Machine Gun Team lie?",
            "If the pawn's space goes, the pawn goes to the other",
            ("OKI-095", "OKI-097", "OKI-098", "OKI-R15", "OKI-R22"),
            options=tuple(_pairs(table)),
        )

    answer = yield from ask(question)
    kept, gone = map(int, answer.split("-"))
    rondel.space_of(table.state, kept).action = Action()
    moving.remove_space(table, gone, kept)


def _pawn(table: Table, reported: int) -> Script[None]:
    """Where the pawn ended, and the laps that were not reported when they were done (OKI-228).

    A pawn that is further back has made a lap, unless swapped cards take it along (OKI-R20).
    """
    state = table.state

    def question() -> Choose:
        options = tuple(Option(str(number), f"Space {number}") for number in rondel.numbers(state))
        return Choose("okinawa.report.pawn", "Where is the pawn now?", rule=("OKI-043",), options=options)

    start = state.pawn
    state.pawn = int((yield from ask(question)))
    most = _most_laps(table) - reported
    if not state.flag or most <= 0:
        return
    went_round = state.pawn < start and table.settings["swap_pawn"] != "goes"
    least = int(went_round and not reported)
    rule = ("OKI-038", "OKI-228")
    text = "More laps in this turn" if reported else "Laps in this turn"
    former = Number("okinawa.report.laps", text, rule=rule, least=least, most=_FORMER_MOST_LAPS - reported)
    laps = yield from ask(replace(former, most=most, former=former))
    for _ in range(laps):
        yield from moving.lap(table)
