"""Typing in a card field by field, with answers that four buttons can give."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, TypeVar

from companion.engine.asks import Choose, Number, Option, Pick, Script, ask
from companion.engine.packs import Source
from companion.games.okinawa.cards import (
    NAMES_SPACES,
    ActionCard,
    ActionDeck,
    ActionIcon,
    Arrow,
    Effect,
    EnemyCard,
    EnemyEffect,
    EnemyType,
    Happening,
    Icon,
    Objective,
    Post,
    Scenario,
    ScenarioEffect,
    Timing,
    When,
    Where,
)
from companion.games.okinawa.state import LAST, MOST_LAPS
from companion.games.okinawa.table import POSTS
from companion.games.okinawa.targets import AIMING, AT_SPACES

E = TypeVar("E", bound=StrEnum)

LETTERS: Final = tuple("ABCDEFGH")
SCENARIOS: Final = tuple("IJKLMNOPQR")
SPACES: Final = tuple(str(number) for number in range(1, 11))
_KINDS = ("Infantry", "Machine gun", "Mortar", "Gun", "Tank", "Bunker", "Tunnel", "Aircraft")
_TEAMS = ("Infantry team", "Scout team", "Weapons team", "Engineers", "Medics", "Tank", "Aircraft", "Guns")
_DONE: Final = "no more"
_UNKNOWN: Final = "none"


_WORDS: Final[dict[type[str], dict[str, str]]] = {
    ActionIcon: {icon: icon.words for icon in ActionIcon},
    EnemyEffect: {
        EnemyEffect.TARGET: "attacks more spaces",
        EnemyEffect.DAMAGE: "its hit does more damage",
        EnemyEffect.MOVE_TOP: "goes right of the top row",
        EnemyEffect.MOVE_BOTTOM: "goes right of the bottom row",
        EnemyEffect.SPAWN: "soldiers come in",
        EnemyEffect.SUPPRESS: "suppresses cards",
        EnemyEffect.FOG: "more fog on it",
        EnemyEffect.REPAIR: "damage comes off it",
    },
    Where: {
        Where.ROLLED: "of its die's number",
        Where.ROLLED_COLUMN: "the column of its die's number",
        Where.COLUMN: "its own column",
        Where.TOP: "the top row",
        Where.BOTTOM: "the bottom row",
        Where.BESIDE: "the row it lies beside",
        Where.PAWN: "where the pawn stands",
    },
    When: {
        When.ACT: "each time it acts",
        When.HIT: "when it hits you",
        When.REVEAL: "when it is turned up",
    },
    ScenarioEffect: {
        ScenarioEffect.SPAWN: "soldiers come in",
        ScenarioEffect.FOG: "fog on each Enemy card",
        ScenarioEffect.SCOUT: "fog off each Enemy card",
        ScenarioEffect.SUPPRESS: "suppresses cards",
        ScenarioEffect.MINES: "Mine Fields",
        ScenarioEffect.HURT: "damage to you",
        ScenarioEffect.HEAL: "health for you",
        ScenarioEffect.SANDBAG: "sandbag tokens",
        ScenarioEffect.ADJUST: "adjust tokens",
        ScenarioEffect.DIE: "more action dice",
    },
}
"""What an answer is called where its id alone does not say what is meant."""


def _label(name: str) -> str:
    return _WORDS.get(type(name), {}).get(name, name.replace("-", " "))


def _options(names: tuple[str, ...]) -> tuple[Option, ...]:
    return tuple(Option(name, _label(name)) for name in names)


def _choose(key: str, text: str, names: tuple[str, ...], detail: str = "") -> Script[str]:
    return (yield from ask(Choose(f"okinawa.new.{key}", text, detail, options=_options(names))))


def _one_more(key: str, text: str, names: Iterable[str], entered: Iterable[str]) -> Script[str]:
    """One more of these, or no more, below the words for those that were entered so far."""
    so_far = f"so far: {', '.join(entered) or 'none'}"
    return (yield from _choose(key, text, (_DONE, *names), so_far))


def _pick(key: str, text: str, names: tuple[str, ...]) -> Script[tuple[str, ...]]:
    options = _options(names)
    return (yield from ask(Pick(f"okinawa.new.{key}", text, options=options, most=len(options))))


def _one_of(key: str, text: str, kind: type[E]) -> Script[E]:
    return kind((yield from _choose(key, text, tuple(kind))))


def _yes(key: str, text: str) -> Script[bool]:
    return (yield from _choose(key, text, ("no", "yes"))) == "yes"


def _number(key: str, text: str, most: int, least: int = 0) -> Script[int]:
    return (yield from ask(Number(f"okinawa.new.{key}", text, least=least, most=most)))


def copies(so_far: int | None) -> Script[int]:
    """How many of a card the box holds; at most as many as the deck of Reinforcements has cards."""
    detail = f"so far: {so_far}" if so_far else ""
    text = "How many such cards are in the box?"
    return (yield from ask(Number("okinawa.new.copies", text, detail, least=1, most=15)))


# Enemy cards


def _name(key: str, kinds: tuple[str, ...], known: str, place: str = "") -> Script[str]:
    """What is on the card: one of the kinds, or what the owner calls it."""
    names = (*kinds, known) if known and known not in kinds else kinds
    return (yield from _choose(key, "What is on the card?", names, place))


def enemy_card(letter: str = "", copies: int = 1, known: str = "") -> Script[EnemyCard]:
    """An Enemy card, Known by its letter or Unknown without one."""
    name = yield from _name("enemy.name", _KINDS, known)
    kind = yield from _one_of("enemy.type", "Its type", EnemyType)
    health = yield from _number("enemy.health", "Health (0: no number)", 12)
    fog = yield from _number("enemy.fog", "Fog of War number", 6)
    damage = yield from _number("enemy.damage", "Damage number", 4)
    arrows = yield from _pick("enemy.arrows", "Arrows, from its own column", tuple(Arrow))
    dice = yield from _number("enemy.dice", "How many D10 icons?", 3)
    effects = yield from _effects(rolls=dice > 0)
    plane = yield from _yes("enemy.plane", "Is it a plane?")
    shields = yield from _yes("enemy.shields", "Does it protect soldier tokens?")
    return EnemyCard(
        name=name,
        source=Source.OWNER,
        type=kind,
        health=health,
        fog=fog,
        damage=damage,
        letter=letter,
        copies=copies,
        arrows=tuple(Arrow(arrow) for arrow in arrows),
        dice=dice,
        effects=effects,
        plane=plane,
        shields_soldiers=shields,
    )


def letter(letters: Iterable[str]) -> Script[str]:
    """The letter of an Enemy card among these; "" stands for an Unknown Enemy, which has none."""
    names = tuple(one or _UNKNOWN for one in letters)
    chosen = yield from _choose("enemy.letter", "Its letter?", names)
    return "" if chosen == _UNKNOWN else chosen


_COUNTED: Final = (EnemyEffect.DAMAGE, EnemyEffect.SPAWN, EnemyEffect.FOG, EnemyEffect.REPAIR)
_TIMED: Final = tuple(effect for effect in EnemyEffect if effect not in AIMING)


def _asked(kind: str, means_it: tuple[str, ...], text: str, answer: str) -> str:
    """A question that is put for every effect; for one that it means nothing to, what to answer."""
    return text if kind in means_it else f"{text} Here: {answer}"


def _effects(*, rolls: bool) -> Script[tuple[Effect, ...]]:
    effects: list[Effect] = []
    while True:
        entered = [_label(one.effect) for one in effects]
        kind = yield from _one_more("enemy.effect", "An effect on it?", EnemyEffect, entered)
        if kind == _DONE:
            return tuple(effects)
        amount = yield from _number(
            "enemy.amount", _asked(kind, _COUNTED, "How many or how much?", "1"), 6, 1
        )
        where = yield from _one_of(
            "enemy.where", _asked(kind, AT_SPACES, "Which Action Spaces?", "any"), Where
        )
        when = yield from _one_of("enemy.when", _asked(kind, _TIMED, "When?", _label(When.ACT)), When)
        die = None
        text = "Only on some results of its die?"
        if rolls and (yield from _yes("enemy.die", f"{text} Here: no" if when is When.REVEAL else text)):
            low = yield from _number("enemy.low", "From which result?", 10, 1)
            die = (low, (yield from _number("enemy.high", "Up to which?", 10, low)))
        effects.append(Effect(EnemyEffect(kind), amount, where, when, die))


# Action cards


def action_card(
    deck: ActionDeck, copies: int = 1, spaces: tuple[int, ...] = (), known: str = "", place: str = ""
) -> Script[ActionCard]:
    """An Action card, both sides; `place` says which of several it is."""
    return ActionCard(
        name=(yield from _name("action.name", _TEAMS, known, place)),
        source=Source.OWNER,
        deck=deck,
        copies=copies,
        spaces=spaces,
        basic=(yield from _icons("basic")),
        veteran=(yield from _icons("veteran")),
        replaces=(yield from _number("action.replaces", "How many cards does it replace?", 2, 1)),
        refuel=(yield from _yes("action.refuel", "A gas can on it?")),
        stores_die=(yield from _yes("action.stores", "Does its veteran side store a die?")),
        destroys_planes=(yield from _yes("action.planes", "Can it destroy planes?")),
    )


def basic_spaces() -> Script[tuple[int, ...]]:
    """Where the copies of a Basic card start; none for a Reinforcement."""
    picked = yield from _pick("action.spaces", "Basic card: on which spaces? None: Reinforcement", SPACES)
    return tuple(int(space) for space in picked)


def _icons(side: str) -> Script[tuple[Icon, ...]]:
    icons: list[Icon] = []
    while True:
        entered = [f"{_label(one.icon)} {one.amount}" for one in icons]
        kind = yield from _one_more(f"action.{side}", f"An icon on its {side} side?", ActionIcon, entered)
        if kind == _DONE:
            return tuple(icons)
        amount = yield from _number("action.amount", "Its number (1: no number)", 6, 1)
        icons.append(Icon(ActionIcon(kind), amount))


# Objectives and Scenarios


def objective(number: int) -> Script[Objective]:
    """An Objective card, item by item as the rulebook lists them (OKI-045)."""
    letter = yield from _choose("objective.scenario", "Its Scenario letter", SCENARIOS)
    laps = yield from _number("objective.laps", "Lap limit", MOST_LAPS, 1)
    dice = yield from _number("objective.dice", "Action dice in all", 6, 1)
    soldiers = yield from _number("objective.soldiers", "Soldiers", 18)
    row = yield from _row()
    upgrade = yield from _yes("objective.upgrade", "An Upgrade icon?")
    unknown = 0
    if number == LAST:
        unknown = yield from _number("objective.random", "Random Unknown Enemies", 10)
    return Objective(
        name=objective_name(number, letter),
        source=Source.OWNER,
        number=number,
        laps=laps,
        dice=dice,
        scenario=letter,
        soldiers=soldiers,
        row=row,
        upgrade=upgrade,
        random_unknown=unknown,
    )


def objective_name(number: int, letter: str) -> str:
    """What an Objective is called that has no other name."""
    return f"Objective {number} {letter}" if number != LAST else "Hill 89"


def objective_number() -> Script[int]:
    """Which pile an Objective belongs to (OKI-012); there is one Hill 89 alone."""
    return (yield from _number("objective.number", "Objective 1, 2 or 3?", 3, 1))


def _row() -> Script[tuple[Post, ...]]:
    row: list[Post] = []
    for space in POSTS:
        top = yield from _choose("objective.top", f"Space {space}: letter on top", (_DONE, *LETTERS))
        if top == _DONE:
            break
        under = yield from _pick("objective.under", f"Space {space}: letters under it", LETTERS)
        unknown = yield from _number("objective.unknown", f"Space {space}: Unknown under it", 5)
        row.append(Post(top, under, unknown))
    return tuple(row)


_AMOUNTS: Final = tuple(effect for effect in ScenarioEffect if effect not in NAMES_SPACES)


def scenario(letter: str) -> Script[Scenario]:
    """A Scenario card."""
    timing = yield from _one_of("scenario.timing", "When does it act?", Timing)
    effects: list[Happening] = []
    while True:
        entered = [_label(one.effect) for one in effects]
        kind = yield from _one_more("scenario.effect", "An effect on it?", ScenarioEffect, entered)
        if kind == _DONE:
            return Scenario(
                name=f"Scenario {letter}", source=Source.OWNER, timing=timing, effects=tuple(effects)
            )
        text = _asked(kind, _AMOUNTS, "How many or how much?", "1")
        amount = yield from _number("scenario.amount", text, 6, 1)
        text = _asked(kind, NAMES_SPACES, "Which Action Spaces does it name?", "none")
        spaces = yield from _pick("scenario.spaces", text, SPACES)
        effects.append(Happening(ScenarioEffect(kind), amount, tuple(int(one) for one in spaces)))
