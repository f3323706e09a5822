"""Cards that no pack knows: entered field by field as they come up, and known from then on."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, TypeVar

import msgspec

from companion.engine.asks import Choose, Draw, Number, Option, Pick, Script, ask
from companion.engine.packs import Source, Tables
from companion.games.okinawa.cards import (
    ActionCard,
    ActionDeck,
    ActionIcon,
    Arrow,
    Effect,
    EnemyCard,
    EnemyEffect,
    EnemyType,
    Icon,
    When,
    Where,
)
from companion.games.okinawa.state import State
from companion.games.okinawa.table import Table

E = TypeVar("E", bound=StrEnum)

NEW: Final = Option("new", "Another card", "Enter what it shows; it is known from then on", copies=0)
DONE: Final = Option("done", "No more")
_KINDS = ("Infantry", "Machine gun", "Mortar", "Gun", "Tank", "Bunker", "Tunnel", "Aircraft")
_TEAMS = (
    "Infantry team",
    "Scout team",
    "Weapons team",
    "Engineers",
    "Medics",
    "Tank",
    "Aircraft",
    "Artillery",
)


def _choose(key: str, text: str, names: tuple[str, ...]) -> Script[str]:
    return (yield from ask(Choose(f"okinawa.new.{key}", text, options=tuple(Option(n, n) for n in names))))


def _one_of(key: str, text: str, kind: type[E]) -> Script[E]:
    return kind((yield from _choose(key, text, tuple(kind))))


def _yes(key: str, text: str) -> Script[bool]:
    return (yield from _choose(key, text, ("no", "yes"))) == "yes"


def _number(key: str, text: str, most: int, least: int = 0) -> Script[int]:
    return (yield from ask(Number(f"okinawa.new.{key}", text, least=least, most=most)))


def _new_id(name: str, taken: set[str]) -> str:
    base = f"own-{name.lower().replace(' ', '-')}"
    return next(one for one in (base, *(f"{base}-{n}" for n in range(2, 99))) if one not in taken)


# Enemy cards


def checked_enemy(table: Table, card: str, place: str) -> Script[str]:
    """Ask whether a Known Enemy that only a stand-in describes is the one on the table.

    Software says yes by itself; a person with the real card can enter it.
    """
    printed = table.enemy(card)
    if not printed.is_stand_in:
        return card
    options = (Option(card, f"{printed.letter} as the box has it", f"stand-in: {printed.name}"), NEW)
    text = f"Enemy Space {place}: card {printed.letter}"
    drawn = yield from ask(Draw("okinawa.reveal.known", text, deck="known enemies", options=options))
    if drawn[0] == NEW.id:
        yield from enemy_card(table, printed.letter, card)
    return card


def enemy_card(table: Table, letter: str = "", card: str = "") -> Script[str]:
    """Enter an Enemy card; the id that it is known by from then on."""
    name = yield from _choose("enemy.name", "What is on the card?", _KINDS)
    kind = yield from _one_of("enemy.type", "Its type", EnemyType)
    health = yield from _number("enemy.health", "Health (0: no number)", 12)
    fog = yield from _number("enemy.fog", "Fog of War number", 6)
    damage = yield from _number("enemy.damage", "Damage number", 4)
    arrows = tuple(Option(arrow.value, arrow.value) for arrow in Arrow)
    picked = yield from ask(
        Pick("okinawa.new.enemy.arrows", "Its arrows, from its own column", options=arrows, most=len(arrows))
    )
    dice = yield from _number("enemy.dice", "How many D10 icons?", 3)
    effects = yield from _effects()
    plane = yield from _yes("enemy.plane", "Is it a plane?")
    shields = yield from _yes("enemy.shields", "Does it protect soldier tokens?")
    state = table.state
    card = card or _new_id(name, {*table.pack.enemy, *state.learned.enemy})
    state.learned.enemy[card] = EnemyCard(
        name=name,
        source=Source.OWNER,
        type=kind,
        health=health,
        fog=fog,
        damage=damage,
        letter=letter,
        arrows=tuple(Arrow(arrow) for arrow in picked),
        dice=dice,
        effects=effects,
        plane=plane,
        shields_soldiers=shields,
    )
    return card


def _effects() -> Script[tuple[Effect, ...]]:
    effects: list[Effect] = []
    options = (DONE, *(Option(effect.value, effect.value) for effect in EnemyEffect))
    while True:
        kind = yield from ask(Choose("okinawa.new.enemy.effect", "An effect on it?", options=options))
        if kind == DONE.id:
            return tuple(effects)
        amount = yield from _number("enemy.amount", "How many or how much?", 6, 1)
        where = yield from _one_of("enemy.where", "Which Action Spaces?", Where)
        when = yield from _one_of("enemy.when", "When?", When)
        die = None
        if (yield from _yes("enemy.die", "Only on some results of its die?")):
            low = yield from _number("enemy.low", "From which result?", 10, 1)
            die = (low, (yield from _number("enemy.high", "Up to which?", 10, low)))
        effects.append(Effect(EnemyEffect(kind), amount, where, when, die))


# Action cards


def action_card(table: Table) -> Script[str]:
    """Enter a Reinforcement card; the id that it is known by from then on."""
    name = yield from _choose("action.name", "What is on the card?", _TEAMS)
    basic = yield from _icons("basic")
    veteran = yield from _icons("veteran")
    replaces = yield from _number("action.replaces", "How many cards does it replace?", 2, 1)
    refuel = yield from _yes("action.refuel", "A gas can on it?")
    stores = yield from _yes("action.stores", "Does its veteran side store a die?")
    planes = yield from _yes("action.planes", "Can it destroy planes?")
    state = table.state
    card = _new_id(name, {*table.pack.action, *state.learned.action})
    state.learned.action[card] = ActionCard(
        name=name,
        source=Source.OWNER,
        deck=ActionDeck.REINFORCEMENT,
        basic=basic,
        veteran=veteran,
        replaces=replaces,
        refuel=refuel,
        stores_die=stores,
        destroys_planes=planes,
    )
    return card


def _icons(side: str) -> Script[tuple[Icon, ...]]:
    icons: list[Icon] = []
    options = (DONE, *(Option(icon.value, icon.value) for icon in ActionIcon))
    while True:
        kind = yield from ask(
            Choose(f"okinawa.new.action.{side}", f"An icon on its {side} side?", options=options)
        )
        if kind == DONE.id:
            return tuple(icons)
        amount = yield from _number("action.amount", "Its number", 6, 1)
        icons.append(Icon(ActionIcon(kind), amount))


# What the owner keeps


def learned(state: State) -> Tables:
    """The cards entered in this session, as tables of the owner's pack."""
    entered = msgspec.to_builtins(state.learned)
    return {
        table: {
            name: {field: one for field, one in record.items() if field != "source"}
            for name, record in cards.items()
        }
        for table, cards in entered.items()
        if cards
    }
