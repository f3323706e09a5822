"""Questions that several cards and phases ask: which die, face, colour, Unit; and ordinary dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias, TypeVar, cast

from companion.engine.asks import RESTATED, Choose, Option, Script, ask, offered
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.dice import COLOURS, FACES, IN_WORDS, SHORT, Colour, Die, Face, d6
from companion.games.dday_dice.effects import TurnDie
from companion.games.dday_dice.state import Unit

T = TypeVar("T")

DONE = Option("done", "go on")
LATER = Option("later", "after another Unit", "the others decide first")
_FACES = tuple(Option(face.value, SHORT[face]) for face in FACES)
_COLOURS = tuple(Option(colour.value, colour.value) for colour in COLOURS)


def choose_die(
    battle: Battle, unit: Unit, dice: Sequence[Die], text: str, rule: tuple[str, ...]
) -> Script[Die]:
    """One of a Unit's dice; not asked if there is but one."""
    options = tuple(Option(die.id, die.label) for die in dice)
    one = yield from offered(
        Choose("dday_dice.card.die", f"{battle.tag(unit)}{text}", rule=rule, options=options)
    )
    return next(die for die in dice if die.id == one)


def choose_unit(
    battle: Battle,
    unit: Unit | None,
    units: Sequence[Unit],
    text: str,
    rule: tuple[str, ...],
    told: Callable[[Unit], str] = lambda _: "",
) -> Script[Unit]:
    """One of some Units, by the players of one or of all; not asked if there is but one.

    `told` is what is said of each.
    """
    options = tuple(Option(other.name, f"Unit {other.name}", told(other)) for other in units)
    whose = battle.tag(unit) if unit else ""
    name = yield from offered(Choose("dday_dice.card.unit", f"{whose}{text}", rule=rule, options=options))
    return battle.unit(name)


def weakest(battle: Battle, units: Sequence[Unit], text: str) -> Script[Unit]:
    """Who of some has the fewest Soldiers; then by agreement or dice (DDD-174, DDD-175)."""
    least = min(map(battle.strength, units))
    tied = [unit for unit in units if battle.strength(unit) == least]
    return (yield from choose_unit(battle, None, tied, text, ("DDD-174", "DDD-175")))


def choose_face(battle: Battle, unit: Unit, text: str, rule: tuple[str, ...]) -> Script[Face]:
    """One of the six results."""
    question = Choose("dday_dice.card.face", f"{battle.tag(unit)}{text}", rule=rule, options=_FACES)
    return Face((yield from ask(question)))


def any_colour(battle: Battle, unit: Unit, face: Face) -> Script[Colour]:
    """The player's choice of a colour for a result (DDD-R20)."""
    text = f"{battle.tag(unit)}+1 {IN_WORDS[face]}: which colour?"
    return Colour(
        (yield from ask(Choose("dday_dice.tally.colour", text, rule=("DDD-R20",), options=_COLOURS)))
    )


def until_restated(basis: Callable[[], object], part: Callable[[], Script[T]]) -> Script[T]:
    """A part of a phase, begun anew whenever a value set by hand changes what it began by."""
    while True:
        begun, answer, script = basis(), None, part()
        try:
            while answer is not RESTATED or basis() == begun:
                answer = yield script.send(answer)
        except StopIteration as done:
            return cast("T", done.value)


# --- whose turn

OneUnit: TypeAlias = Callable[[Unit, bool], Script[str]]
"""A Unit's part of a phase, that may wait for another's if it is told so; "later" if it does.

"later" unasked too, if there is nothing for it to do yet: it comes again once another has had its part.
"""


def in_any_order(units: Sequence[Unit], one: OneUnit, can: Callable[[Unit], set[str]]) -> Script[None]:
    """Each Unit's part, in any order that the players like (DDD-107, DDD-R14, DDD-R35).

    Who had it comes once more if it `can` do, by a gift or by what another did, what it could not before.
    """
    waiting = list(units)
    progress = True
    could: dict[str, set[str]] = {}
    while waiting:
        still = []
        for unit in waiting:
            answer = yield from one(unit, progress and len(waiting) > 1)
            could[unit.name] = can(unit)
            if answer == LATER.id:
                still.append(unit)
        anew = [unit for unit in units if can(unit) - could[unit.name]]
        if not (progress or anew) and len(still) == len(waiting):
            return
        progress = len(still) < len(waiting)
        waiting = still + [unit for unit in anew if unit not in still]


# --- ordinary dice


def rolled(
    battle: Battle, key: str, text: str, rule: tuple[str, ...], count: int = 1, detail: str = ""
) -> Script[list[int]]:
    """Roll ordinary dice, and let Binoculars turn them (DDD-R58)."""
    dice = yield from d6(key, text, rule, count, detail)
    while _binoculars(battle):
        answer = yield from ask(partial(_turn_question, battle, dice, text))
        holder = _binoculars(battle)
        if answer == "keep" or not holder:
            break
        place, _, to = answer.partition(":")
        dice[int(place)] = int(to)
        unit, name = holder
        unit.items.remove(name)
        battle.state.used_items.append(name)
    return dice


def _turn_question(battle: Battle, dice: list[int], text: str) -> Choose:
    """Whether a die is turned; only kept where the Binoculars were taken away by hand meanwhile."""
    holder = _binoculars(battle)
    options = [Option("keep", "keep")]
    if not holder:
        return Choose("dday_dice.card.binoculars", text, rule=("DDD-R58",), options=tuple(options))
    unit, name = holder
    options += [
        Option(f"{n}:{to}", f"{die} to {to}") for n, die in enumerate(dice) for to in range(1, 7) if to != die
    ]
    whose = f"{battle.tag(unit)}{name}: turn {' '.join(map(str, dice))}?"
    detail = f"{text}; once used, the card goes face down into the Pool"
    return Choose("dday_dice.card.binoculars", whose, detail, ("DDD-R58", "DDD-088"), options=tuple(options))


def _binoculars(battle: Battle) -> tuple[Unit, str] | None:
    for unit in battle.fighting():
        for name in unit.items:
            if any(isinstance(e, TurnDie) and not e.blue_only for e in battle.pack.item[name].effects):
                return unit, name
    return None
