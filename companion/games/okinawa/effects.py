"""Turning Enemy cards up, and what they do beside plain damage, interpreted from their data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from companion.engine.asks import Draw, Option, Script, ask
from companion.games.okinawa import enemies, learning, unseen
from companion.games.okinawa.cards import EnemyCard, EnemyEffect, When
from companion.games.okinawa.state import FIRST_POST, Enemy
from companion.games.okinawa.table import Table, place_name
from companion.games.okinawa.targets import applies, where
from companion.games.okinawa.unseen import HILL
from companion.wording import counted

# Revealing


class _TakenAway(Exception):
    """The card was taken away by hand while it was asked for."""


def reveal_exposed(table: Table) -> Script[None]:
    """Turn up every exposed face-down Enemy card, left to right (OKI-067, OKI-068)."""
    while hidden := next((place for place, enemy in table.exposed() if not enemy.up), None):
        yield from reveal(table, hidden)
    yield from table.tell("okinawa.reveal.shown", ("OKI-067", "OKI-170"), "Turn up")


def reveal(table: Table, place: str, why: str = "") -> Script[None]:
    """Turn one card up, asking which it is if nobody knows, and put its fog on it (OKI-170, OKI-R78).

    No die has been rolled for it yet (OKI-R35), so that nothing comes of an effect that waits for one.
    `why` says what uncovered it, if that has not been told. Nothing is done if the card was exchanged by
    hand while it was asked for.
    """
    lay_there = table.at(place).card
    try:
        card = yield from _identified(table, place, why)
    except _TakenAway:
        return
    enemy = _face_down(table, place)
    if enemy is None or enemy.card != lay_there:
        return
    if not lay_there:
        unseen.no_longer(table, enemy, card)
    printed = table.enemy(card)
    enemy.card, enemy.pool, enemy.up, enemy.fog = card, "", True, printed.fog
    fog = f", put {enemy.fog} fog on it" if enemy.fog else ""
    stand_in = " (stand-in)" if printed.is_stand_in else ""
    turn_up = "Turn up " if why else ""
    table.news(f"{turn_up}{place_name(place)}: {table.look_of(enemy)}{stand_in}{fog}")
    if printed.plane and table.planes_block:
        table.news(f"A plane: no {enemies.goal(table)} while it is here")
    enemies.defeat_outdone(table)
    yield from happen(table, enemy, printed, When.REVEAL, [])
    enemies.check_cleared(table)


def _face_down(table: Table, place: str) -> Enemy | None:
    return next((one for where, one in table.exposed() if where == place and not one.up), None)


def _identified(table: Table, place: str, why: str) -> Script[str]:
    card = table.at(place).card
    if card:
        yield from learning.check_known(table, card, place, why)
        return card
    drawn = yield from ask(partial(_drawn, table, place, why))
    if drawn[0] == learning.NEW.id:
        return (yield from learning.enemy(table, unseen.candidates(table, table.at(place))))
    if drawn[0] not in unseen.candidates(table, table.at(place)):
        learning.count(drawn[0], table.state.learned.enemy)
    return drawn[0]


def _drawn(table: Table, place: str, why: str) -> Draw:
    """The draw, where one more may come of an Unknown Enemy that was entered before.

    Earlier versions took it for none of those while one was unseen elsewhere.
    """
    if _face_down(table, place) is None:
        raise _TakenAway
    question, more = _draw(table, place, why), tuple(_one_more(table, place))
    left = {card for cards in table.state.unseen.values() for card in cards}
    former = learning.or_one_more(question, (option for option in more if option.id not in left))
    now = learning.or_one_more(question, more)
    return now if now == former else replace(now, former=former)


def _draw(table: Table, place: str, why: str) -> Draw:
    """The draw; earlier versions took cards of Hill 89 that were seen for none of the deck.

    And those of shuffles that were laid together for cards of one deck.
    """
    enemy, state = table.at(place), table.state
    question = Draw(
        "okinawa.reveal.card",
        f"Turn up the card in Enemy Space {place}",
        why,
        rule=("OKI-067", "OKI-R79"),
        deck="hill 89" if enemy.pool == HILL else "unknown enemies",
        options=_options(table, unseen.candidates(table, enemy)),
    )
    if enemy.pool == HILL or not (state.doubtful or state.mixed):
        return question
    pool = Counter(card for name in state.mixed or [enemy.pool] for card in state.unseen.get(name, ()))
    return replace(question, former=replace(question, options=_options(table, pool)))


def _options(table: Table, may_be: Counter[str]) -> tuple[Option, ...]:
    options = tuple(
        Option(card, table.label_of(card), _as_printed(table.enemy(card)), copies)
        for card, copies in sorted(may_be.items())
    )
    return (*options, learning.NEW) if learning.may_be_new(table, may_be) else options


def _one_more(table: Table, place: str) -> Iterator[Option]:
    """Unknown Enemies that the owner entered and that are none of these, while a stand-in can make place."""
    may_be = unseen.candidates(table, table.at(place))
    if any(table.enemy(card).is_stand_in and not table.letter(card) for card in may_be):
        known = table.state.learned.enemy
        for card in learning.entered(table.pack.enemy, known):
            if card not in may_be and not table.letter(card):
                does = _as_printed(table.enemy(card))
                yield learning.one_more(f"enemy.{card}", table.label_of(card), does, known)


def _as_printed(printed: EnemyCard) -> str:
    """What tells an Enemy card from another of its name: those that are entered have one of a few."""
    shows = learning.on_enemy(printed)
    return learning.if_stand_in(printed, shows) or shows


# Effects


def happen(table: Table, enemy: Enemy, printed: EnemyCard, when: When, dice: list[int]) -> Script[None]:
    """Carry out what the card does at that moment, by these dice, beside its damage."""
    for effect in printed.effects:
        for rolled in applies(effect, dice) if effect.when is when else ():
            match effect.effect:
                case EnemyEffect.MOVE_TOP | EnemyEffect.MOVE_BOTTOM:
                    yield from _move(table, enemy, effect.effect)
                case EnemyEffect.SPAWN:
                    spawn(table, effect.amount, f"{table.name_of(enemy)}: ")
                case EnemyEffect.SUPPRESS:
                    spaces = where(table.state, table.place_of(enemy), effect.where, rolled)
                    suppress(table, spaces, f"{table.name_of(enemy)}: ")
                case EnemyEffect.FOG:
                    add_fog(table, enemy, effect.amount)
                case EnemyEffect.REPAIR if healed := min(effect.amount, enemy.damage):
                    enemy.damage -= healed
                    table.news(f"{table.name_of(enemy)}: {healed} damage off, {enemy.damage} left")


def add_fog(table: Table, enemy: Enemy, amount: int) -> None:
    """Put Fog of War tokens on an Enemy card, and tell how many lie there then."""
    enemy.fog += amount
    table.news(f"{table.name_of(enemy)}: {amount} fog more, {enemy.fog} in all")


def _move(table: Table, enemy: Enemy, effect: EnemyEffect) -> Script[None]:
    """Put a card beside a row; what it uncovers is turned up at once (OKI-177, OKI-178, OKI-180).

    Nothing is done with a card that was taken away or exchanged by hand while it acts.
    """
    state = table.state
    top = effect is EnemyEffect.MOVE_TOP
    beside = state.beside_top if top else state.beside_bottom
    left, name = table.place_of(enemy), table.name_of(enemy)
    if not left or any(one is enemy for one in beside):
        return
    enemies.take_off(table, enemy)
    beside.append(enemy)
    moved = f"{name} goes right of the {'top' if top else 'bottom'} row"
    table.news(moved)
    if not left.isdigit():
        return
    stack = state.row[int(left) - FIRST_POST]
    if stack and not stack[0].up:
        stack[0].done = state.enemy_turn
        yield from reveal(table, left, moved)


def spawn(table: Table, amount: int, who: str = "") -> None:
    """Put soldiers into Enemy Space 1, as many as there are tokens (OKI-184, OKI-R51, OKI-R52).

    `who` names the Enemy card that does it; of a Scenario it is said otherwise that it changes nothing.
    """
    placed = room_for(table, amount)
    table.state.soldiers.beige += placed
    there = table.state.soldiers.words
    if placed:
        table.news(f"{who}{counted(placed, 'soldier')} into Enemy Space 1: {there}")
    if placed < amount and (placed or who):
        table.news(f"{who}No token left for {counted(amount - placed, 'soldier')}")


def room_for(table: Table, soldiers: int) -> int:
    """How many of these soldiers there are tokens for."""
    state = table.state
    if table.settings["limits"] != "yes":
        return soldiers
    room = table.supply("soldiers") - len(state.soldiers) - len(state.fallback_soldiers)
    return max(0, min(soldiers, room))


def suppress(table: Table, spaces: frozenset[int], who: str = "") -> None:
    """Put Suppressed tokens on the cards of these spaces while there are any (OKI-181, OKI-R52).

    `who` is as for `spawn`.
    """
    free = [one for one in table.state.spaces if one.number in spaces and not one.action.suppressed]
    room = len(free)
    if table.settings["limits"] == "yes":
        out = sum(space.action.suppressed for space in table.state.spaces)
        room = max(0, table.supply("suppressed") - out)
    for space in free[:room]:
        space.action.suppressed = True
        table.news(f"{who}Suppressed: Action Space {space.number}")
    bare = ", ".join(str(space.number) for space in free[room:])
    if bare and (room or who):
        table.news(f"{who}No Suppressed token left for {bare}")
