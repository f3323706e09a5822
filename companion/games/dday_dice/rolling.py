"""Phase 1: roll, lock, re-roll (DDD-018 to DDD-027)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.engine.asks import Choose, Option, Pick, Script, Show, ask
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.dice import COLOURS, DIE_IDS, Die, Face, full_set, line, results, throw
from companion.games.dday_dice.effects import Reroll
from companion.games.dday_dice.final_tally import worth
from companion.games.dday_dice.questions import until_restated
from companion.games.dday_dice.state import Unit
from companion.games.dday_dice.upkeep import reading, with_cards

ROLLS = 3
_BACK = "swapped dice go back first"


def roll_the_dice(battle: Battle, unit: Unit) -> Script[None]:
    """One Unit's Phase 1, up to its Final Tally before any card changes it."""
    if unit.keeps_tally:
        yield from _keep_tally(battle, unit)
        return
    unit.extra, unit.copied = [], False
    unit.dice = []  # in the hand: they show nothing before they are rolled
    unit.dice = yield from until_restated(partial(_how_many, battle, unit), partial(_opening, battle, unit))
    yield from _mulligan(battle, unit)
    if not battle.place(unit.sector).no_lock:  # a Sector set right by hand since counts
        yield from _lock(battle, unit)
    for nth in range(2, ROLLS + 1):
        again = yield from _again(battle, unit, nth)
        if not again:
            break
        yield from _roll(battle, unit, unit.dice, again, nth)
    yield from _single_rerolls(battle, unit, unit.dice)


def _how_many(battle: Battle, unit: Unit) -> int:
    return battle.place(unit.sector).roll_dice


def _opening(battle: Battle, unit: Unit) -> Script[list[Die]]:
    """The opening roll, of fewer dice where the Sector says so (DDD-228)."""
    dice = full_set()
    if _how_many(battle, unit) < len(dice):
        yield from _leave_out(battle, unit, dice)
    yield from _roll(battle, unit, dice, range(len(dice)), 1)
    return dice


def _keep_tally(battle: Battle, unit: Unit) -> Script[None]:
    """Last turn's tally serves once more (the Combat Photographer)."""
    unit.keeps_tally = False
    unit.turn.cards_in = True
    unit.turn.swapped = unit.copied
    for die in unit.dice:
        die.locked = False
    own = _own_dice(unit)
    text = f"{battle.tag(unit)}No roll: last turn's tally again. {line(unit.dice)}"
    detail = f"lay {line(own)}. " if unit.dice_swapped or unit.copied else ""
    detail = f"{_BACK}; {detail}" if unit.dice_swapped else detail
    detail += worth(with_cards(battle, unit), reading(battle, unit))
    yield from ask(Show("dday_dice.roll.kept", text, detail, ("DDD-112", "DDD-R48")))
    unit.dice_swapped = False
    yield from _single_rerolls(battle, unit, own)


def _roll(battle: Battle, unit: Unit, dice: list[Die], which: Sequence[int], nth: int) -> Script[None]:
    which_dice = "all dice" if len(which) == len(DIE_IDS) else _in_hand(dice, which)
    text = f"{battle.tag(unit)}Roll {nth}: {which_dice}"
    swapped = f"{_BACK}: two of each colour" if unit.dice_swapped else ""
    yield from throw(dice, which, f"dday_dice.roll.{nth}", text, swapped, rule=("DDD-018", "DDD-019"))
    unit.dice_swapped = False


def _in_hand(dice: Sequence[Die], which: Sequence[int]) -> str:
    """Which dice go into the hand: 2 red, 1 blue."""
    colours = [dice[place].colour for place in which]
    return ", ".join(f"{colours.count(colour)} {colour}" for colour in dict.fromkeys(colours))


def _leave_out(battle: Battle, unit: Unit, dice: list[Die]) -> Script[None]:
    """Only five dice are rolled: the player says which stays out (DDD-R11)."""
    colour = "blue"
    if battle.options.left_out_die == "player":
        text = f"{battle.tag(unit)}Only 5 dice: which stays out?"
        colour = yield from ask(
            Choose("dday_dice.roll.five", text, rule=("DDD-228", "DDD-R11"), options=_COLOURS)
        )
    dice.remove(next(die for die in dice if die.colour == colour))


_COLOURS = tuple(Option(colour.value, f"a {colour} one") for colour in COLOURS)
_YES_NO = (Option("no", "keep"), Option("yes", "roll again", "once a game"))


def _mulligan(battle: Battle, unit: Unit) -> Script[None]:
    """Once a game, an opening roll without Soldiers may be rolled again (DDD-189, DDD-190).

    Dice that the Sector holds stay (DDD-242): its print beats the optional rule.
    """
    if not battle.options.soldier_mulligan or unit.mulligan_used:
        return
    held = battle.place(unit.sector).no_reroll
    again = [n for n, die in enumerate(unit.dice) if die.face not in held]
    if not again or any(die.face in {Face.SOLDIER1, Face.SOLDIER2} for die in unit.dice):
        return
    text = f"{battle.tag(unit)}No Soldiers: use the Mulligan?"
    rule = ("DDD-189", "DDD-190", "DDD-R12")
    answer = yield from ask(Choose("dday_dice.roll.mulligan", text, line(unit.dice), rule, options=_YES_NO))
    if answer == "yes":
        unit.mulligan_used = True
        yield from _roll(battle, unit, unit.dice, again, 1)


def _lock(battle: Battle, unit: Unit) -> Script[None]:
    """Straight after the opening roll, two dice are locked; with a General one (DDD-020)."""
    locked = yield from ask(partial(_lock_question, battle, unit))
    for die in unit.dice:
        die.locked = die.id in locked
    unit.turn.locked_skulls = sum(1 for die in unit.dice if die.locked and die.face is Face.SKULL)


def _lock_question(battle: Battle, unit: Unit) -> Pick:
    count = 0 if battle.place(unit.sector).no_lock else battle.locks()  # so set by hand since
    return Pick(
        "dday_dice.roll.lock",
        f"{battle.tag(unit)}Lock {count or 'none'}: {line(unit.dice)}",
        _worth(battle, unit),
        ("DDD-020", "DDD-021"),
        options=tuple(Option(die.id, die.label) for die in unit.dice if count),
        least=count,
        most=count,
    )


def _worth(battle: Battle, unit: Unit) -> str:
    return worth(results(unit.dice), reading(battle, unit))


def _again(battle: Battle, unit: Unit, nth: int) -> Script[list[int]]:
    """Which of the unlocked dice are rolled again, any number of them (DDD-022 to DDD-025)."""
    if not _free(battle, unit):
        return []
    picked = yield from ask(partial(_again_question, battle, unit, nth))
    return [place for place, die in enumerate(unit.dice) if die.id in picked]


def _again_question(battle: Battle, unit: Unit, nth: int) -> Pick:
    options = _free(battle, unit)
    return Pick(
        f"dday_dice.roll.again.{nth}",
        f"{battle.tag(unit)}Re-roll? {line(unit.dice)}",
        _worth(battle, unit),
        ("DDD-023",) if nth == 2 else ("DDD-024",),
        options=options,
        most=len(options),
    )


def _free(battle: Battle, unit: Unit) -> tuple[Option, ...]:
    """The dice that may be re-rolled: not locked, and not held by the Sector (DDD-242)."""
    held = battle.place(unit.sector).no_reroll
    return tuple(Option(die.id, die.label) for die in unit.dice if not die.locked and die.face not in held)


def _own_dice(unit: Unit) -> list[Die]:
    """The dice by which a kept tally lies there: each in its own colour, whatever it counts as."""
    colours = {die.id: die.colour for die in full_set()}
    return [Die(die.id, colours.get(die.id, die.colour), die.face) for die in unit.dice]


def _single_rerolls(battle: Battle, unit: Unit, dice: list[Die]) -> Script[None]:
    """The Corporal's and the Jeep's: one unlocked die each, once a turn (DDD-R13); `dice` as they lie."""
    for name in battle.whose(unit, Reroll):
        if not _free(battle, unit):
            return
        one = yield from ask(partial(_single_question, battle, unit, name))
        if one == "none":
            return
        place = next(n for n, die in enumerate(unit.dice) if die.id == one)
        die, counts = dice[place], unit.dice[place].colour
        text = f"{battle.tag(unit)}Roll the {die.colour} die"
        text += f", it counts as {counts}" if counts is not die.colour else ""
        yield from throw(dice, [place], "dday_dice.roll.one", text, rule=("DDD-R13",))
        unit.dice[place].face = die.face


def _single_question(battle: Battle, unit: Unit, name: str) -> Choose:
    text = f"{battle.tag(unit)}{name}: re-roll one? {line(unit.dice)}"
    options = (Option("none", "keep all"), *_free(battle, unit))
    return Choose("dday_dice.roll.single", text, _worth(battle, unit), ("DDD-R13",), options=options)
