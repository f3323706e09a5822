"""Cards that change a Final Tally or score a bonus (DDD-R14, DDD-R27)."""

from __future__ import annotations

from typing import TypeAlias

from companion.engine.asks import Choose, Option, Script, ask, offered
from companion.games.dday_dice import effects as fx
from companion.games.dday_dice import upkeep
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.dice import COLOURS, Colour, Die, Face, Result
from companion.games.dday_dice.effects import Rwb
from companion.games.dday_dice.final_tally import CRY_MOVE, WHITES
from companion.games.dday_dice.questions import any_colour, choose_die, choose_face, choose_unit
from companion.games.dday_dice.state import Unit

OnTally: TypeAlias = fx.Add | fx.Recolour | fx.TurnDie | fx.TurnSkulls | fx.CopyTally

_OTHERS = {
    colour: tuple(Option(other.value, other.value) for other in COLOURS if other is not colour)
    for colour in Colour
}


_AT_ONCE = ("DDD-089",)


def change(battle: Battle, unit: Unit, effect: OnTally) -> Script[None]:
    """Carry out an effect on the dice or on what is added to them."""
    match effect:
        case fx.Add():
            for other in battle.fighting() if effect.everyone else [unit]:
                yield from _add(battle, other, effect)
        case fx.Recolour():
            yield from recolour(battle, unit, (yield from _whose(battle, unit)))
        case fx.TurnDie():
            yield from _turn_die(battle, unit, effect)
        case fx.TurnSkulls():
            yield from _turn_skulls(battle, unit)
        case fx.CopyTally():
            yield from _copy_tally(battle, unit)


def _add(battle: Battle, unit: Unit, add: fx.Add) -> Script[None]:
    colour = Colour.NONE
    if add.any_colour:
        colour = yield from any_colour(battle, unit, add.face)
    unit.extra += [Result(add.face, colour)] * add.count


def _whose(battle: Battle, unit: Unit) -> Script[Unit]:
    """A card that speaks of any die may be used on another Unit's (DDD-R58).

    An override may have taken all of them out of play since the roll: then it is the card's own Unit.
    """
    rolled = [other for other in battle.fighting() if other.dice] or [unit]
    return (yield from choose_unit(battle, unit, rolled, "Whose die?", ("DDD-R58",)))


def recolour(battle: Battle, unit: Unit, owner: Unit) -> Script[None]:
    """One of the owner's dice counts as another colour; its result stays."""
    die = yield from choose_die(battle, unit, owner.dice, "Which die changes colour?", ("DDD-R14",))
    question = Choose(
        "dday_dice.card.colour",
        f"{battle.tag(unit)}Which colour?",
        rule=("DDD-R14",),
        options=_OTHERS[die.colour],
    )
    die.colour = Colour((yield from ask(question)))


def _turn_die(battle: Battle, unit: Unit, effect: fx.TurnDie) -> Script[None]:
    owner = unit if effect.blue_only else (yield from _whose(battle, unit))
    rule = _AT_ONCE if effect.blue_only else ("DDD-R58",)
    dice = [die for die in owner.dice if not effect.blue_only or die.colour is Colour.BLUE]
    die = yield from choose_die(battle, unit, dice, "Which die is turned?", rule)
    die.face = yield from choose_face(battle, unit, "To which result?", rule)


def _turn_skulls(battle: Battle, unit: Unit) -> Script[None]:
    face = yield from choose_face(battle, unit, "All Skulls become?", _AT_ONCE)
    for die in unit.dice:
        if die.face is Face.SKULL:
            die.face = face
    unit.extra = [Result(face, one.colour) if one.face is Face.SKULL else one for one in unit.extra]


def _copy_tally(battle: Battle, unit: Unit) -> Script[None]:
    """Another Unit's dice and card results in place of the own ones (DDD-R48).

    No real dice show them, so none of them can be swapped (DDD-111), nor next turn if it is kept.
    """
    others = battle.fighting(but=unit)
    if not others:
        return
    other = yield from choose_unit(battle, unit, others, "Copy whose tally?", ("DDD-R48", "DDD-R49"))
    unit.dice = [Die(die.id, die.colour, die.face) for die in other.dice]
    unit.extra = [*other.extra, *([] if other.turn.cards_in else battle.added(other))]
    unit.turn.cards_in = unit.turn.swapped = unit.copied = True
    if not battle.options.copy_without_sector:
        unit.extra += [Result(face) for face in battle.place(other.sector).bonus]


# --- bonuses from cards


def score(battle: Battle, unit: Unit, rwb: Rwb, *, tally_open: bool, may_move: bool) -> Script[None]:
    """An RWB from a card, booked at once (DDD-R27)."""
    upkeep.score_now(battle, unit, rwb, 6 if rwb is Rwb.FRESH_TROOPS else 0)
    if rwb is Rwb.BATTLE_CRY:
        yield from _battle_cry(battle, unit, may_move=may_move)
    elif rwb is Rwb.LEADERSHIP:
        yield from _leadership(battle, unit, tally_open=tally_open)


def _battle_cry(battle: Battle, unit: Unit, *, may_move: bool) -> Script[None]:
    answer = "soldiers"
    if may_move:
        text = f"{battle.tag(unit)}Battle Cry! Which?"
        rule = ("DDD-050", "DDD-051", "DDD-R27")
        options = (CRY_MOVE, Option("soldiers", "+3 Soldiers"))
        answer = yield from ask(Choose("dday_dice.card.battle_cry", text, rule=rule, options=options))
    if answer == "move":
        unit.turn.battle_cry = True
    else:
        unit.soldiers += 3
        unit.turn.news.append("Battle Cry: +3 Soldiers")


def _leadership(battle: Battle, unit: Unit, *, tally_open: bool) -> Script[None]:
    """A white result while the tally is open, or Courage for another Unit (DDD-R27)."""
    receivers = [unit] if battle.solo else battle.others(unit)
    options = list(WHITES) if tally_open else []
    if receivers:
        options.append(Option("courage2", "+2 Courage" if battle.solo else "+2 Courage to another Unit"))
    text = f"{battle.tag(unit)}Leadership! Add which?"
    rule = ("DDD-045", "DDD-047")
    answer = yield from offered(Choose("dday_dice.card.leadership", text, rule=rule, options=tuple(options)))
    if answer != "courage2":
        unit.extra.append(Result(Face(answer), Colour.WHITE))
        return
    other = yield from choose_unit(battle, unit, receivers, "+2 Courage for?", ("DDD-047",))
    other.courage += 2
    other.turn.news.append("Leadership: +2 Courage")
