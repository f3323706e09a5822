"""An Award that no pack knows: its owner says what it does, in the game's own vocabulary.

The rulebook prints none of the twelve texts (DDD-G02), so a drawn card is described once and saved.
"""

from __future__ import annotations

import msgspec

from companion.engine.asks import Choose, Number, Option, Script, ask
from companion.engine.packs import Source
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.effects import (
    RWB_NAMES,
    ByHand,
    Effect,
    FindFree,
    Gain,
    LowerDef,
    Recolour,
    RecruitFree,
    Rwb,
    Score,
    TakeVehicle,
    TurnDie,
    TurnSkulls,
)
from companion.games.dday_dice.records import Award

_KINDS = (
    Option("gain", "gain resources"),
    Option("score", "score an RWB"),
    Option("turn_die", "turn a die"),
    Option("recolour", "a die's colour"),
    Option("turn_skulls", "turn all Skulls"),
    Option("recruit_free", "free Specialist"),
    Option("find_free", "free Item"),
    Option("vehicle", "take a Vehicle"),
    Option("lower_def", "lower DEF"),
    Option("by_hand", "something else"),
)
_PLAIN: dict[str, Effect] = {
    "turn_die": TurnDie(),
    "recolour": Recolour(),
    "turn_skulls": TurnSkulls(),
    "recruit_free": RecruitFree(),
    "find_free": FindFree(),
    "vehicle": TakeVehicle(),
    "by_hand": ByHand("Do what the Award says"),
}
_RWBS = tuple(
    Option(rwb.value, RWB_NAMES[rwb])
    for rwb in Rwb
    if rwb in {Rwb.FRESH_TROOPS, Rwb.BATTLE_CRY, Rwb.LEADERSHIP}
)


def learn(battle: Battle) -> Script[str]:
    """Ask what an unknown Award does; it takes the place of a stand-in in the deck. Returns its name."""
    names = [name for name in battle.pack.award if battle.pack.award[name].source is not Source.OWNER]
    replaced = next((name for name in names if name in battle.state.award_deck), battle.state.award_deck[0])
    name = f"Own Award {sum(one.source is Source.OWNER for one in battle.pack.award.values()) + 1}"
    effect = yield from _effect()
    battle.pack.award[name] = Award(effects=(effect,), text="As entered.", source=Source.OWNER)
    battle.state.award_deck[battle.state.award_deck.index(replaced)] = name
    return name


def _effect() -> Script[Effect]:
    rule = ("DDD-G02",)
    kind = yield from ask(Choose("dday_dice.award.kind", "What does it do?", rule=rule, options=_KINDS))
    if kind == "gain":
        return (yield from _gain())
    if kind == "score":
        return Score(Rwb((yield from ask(Choose("dday_dice.award.rwb", "Which?", rule=rule, options=_RWBS)))))
    if kind == "lower_def":
        return LowerDef(by=(yield from ask(Number("dday_dice.award.by", "By how much?", rule=rule, most=20))))
    return _PLAIN[kind]


def _gain() -> Script[Gain]:
    amounts = []
    for dial in ("soldiers", "stars", "courage", "points"):
        question = Number(f"dday_dice.award.{dial}", f"How many {dial}?", rule=("DDD-G02",), most=48)
        amount = yield from ask(question)
        amounts.append(amount)
    soldiers, stars, courage, points = amounts
    return Gain(soldiers=soldiers, stars=stars, courage=courage, points=points)


def learned(battle: Battle) -> dict[str, dict[str, object]]:
    """The Awards that their owner entered, as records for a pack."""
    return {
        name: {key: value for key, value in msgspec.to_builtins(award).items() if key in {"effects", "text"}}
        for name, award in battle.pack.award.items()
        if award.source is Source.OWNER
    }
