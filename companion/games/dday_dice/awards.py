"""Awards: chosen, drawn; and cards that no pack knows, described by their owner.

The rulebook prints none of the twelve texts (DDD-G02), so a drawn card is described once, in the game's
own vocabulary, and saved.
"""

from __future__ import annotations

from functools import partial
from itertools import count

import msgspec

from companion.engine.asks import Choose, Draw, Number, Option, Script, ask
from companion.engine.owner_pack import MADE_UP
from companion.engine.packs import Source, Tables
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
from companion.games.dday_dice.records import Award, DdayPack
from companion.games.dday_dice.state import DIAL_NAMES, Unit, gained

CARDS = 12
OWN = f"{MADE_UP.title()} Award"
_KINDS = (
    Option("gain", "gain resources"),
    Option("score", "score an RWB"),
    Option("turn_die", "turn a die"),
    Option("recolour", "change a die's colour"),
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


def deck(pack: DdayPack) -> list[str]:
    """The twelve cards; one that was entered under a name of its own takes the place of a stand-in."""
    names = list(pack.award)
    stand_ins = [name for name in names if pack.award[name].source is Source.STAND_IN]
    gone = stand_ins[max(0, len(stand_ins) - (len(names) - CARDS)) :]
    return [name for name in names if name not in gone]


def described(battle: Battle, name: str) -> str:
    """What an Award does, and by whose word."""
    award = battle.award(name)
    words = f"Award: {award.text}" if award.text else "Award"
    return f"{words} ({award.source})"


NEW = Option("new", "another card", "one that the box doesn't know: it asks what the card does")


FROM_SECTOR = ("DDD-067",)
"""By which rule a Sector hands out an Award."""


def choose_award(battle: Battle, unit: Unit, text: str, rule: tuple[str, ...]) -> Script[None]:
    """Take any Award that is still in the deck, a printed one in the place of a stand-in too."""
    name = yield from ask(partial(_which_award, battle, f"{battle.tag(unit)}{text}", rule))
    if name == NEW.id:
        name = yield from learn(battle)
    take_award(battle, unit, name)


def _which_award(battle: Battle, text: str, rule: tuple[str, ...]) -> Choose:
    options = [Option(name, name, described(battle, name)) for name in battle.state.award_deck]
    if _stand_ins(battle):
        options.append(NEW)
    return Choose("dday_dice.award.choose", text, rule=rule, options=tuple(options))


def _stand_ins(battle: Battle) -> list[str]:
    """The cards of the deck that no owner has entered yet."""
    return [name for name in battle.state.award_deck if battle.award(name).source is not Source.OWNER]


def take_award(battle: Battle, unit: Unit, name: str) -> None:
    """An Award is earned; it never comes back to the deck (DDD-070, DDD-R62)."""
    battle.state.award_deck.remove(name)
    unit.awards.append(name)
    unit.awards_earned += 1


def draw_award(battle: Battle, unit: Unit, rule: tuple[str, ...]) -> Script[None]:
    """A random Award, if there is one left (DDD-071)."""
    if not battle.state.award_deck:
        return
    name = (yield from ask(partial(_draw, battle, unit, rule)))[0]
    if name == NEW.id:
        name = yield from learn(battle)
    take_award(battle, unit, name)


def _draw(battle: Battle, unit: Unit, rule: tuple[str, ...]) -> Draw:
    options = tuple(Option(name, name, described(battle, name)) for name in battle.state.award_deck)
    return Draw(
        "dday_dice.award.draw",
        f"{battle.tag(unit)}Draw an Award",
        rule=rule,
        deck="dday_dice.awards",
        options=(*options, msgspec.structs.replace(NEW, copies=0)),
    )


# --- entered at the table


def learn(battle: Battle) -> Script[str]:
    """Ask what an unknown Award does; it takes the place of a stand-in in the deck. Returns its name."""
    state = battle.state
    effect, text = yield from _effect()
    own = [name for name in battle.pack.award | state.learned if name.startswith(OWN)]
    name = next(name for n in count(len(own) + 1) if (name := f"{OWN} {n}") not in own)
    state.learned[name] = Award(effects=(effect,), text=text, source=Source.OWNER)
    stand_ins = _stand_ins(battle)
    state.award_deck[state.award_deck.index(stand_ins[-1] if stand_ins else state.award_deck[0])] = name
    return name


def _effect() -> Script[tuple[Effect, str]]:
    """What the card does, and that in words, by which its name is told from others."""
    rule = ("DDD-G02",)
    kind = yield from ask(Choose("dday_dice.award.kind", "What does it do?", rule=rule, options=_KINDS))
    if kind == "gain":
        return (yield from _gain())
    if kind == "score":
        rwb = Rwb((yield from ask(Choose("dday_dice.award.rwb", "Which?", rule=rule, options=_RWBS))))
        return Score(rwb), f"{RWB_NAMES[rwb]} is scored"
    if kind == "lower_def":
        by = yield from ask(Number("dday_dice.award.by", "By how much?", rule=rule, most=20))
        return LowerDef(by=by), f"DEF is {by} lower"
    return _PLAIN[kind], next(option.label for option in _KINDS if option.id == kind)


def _gain() -> Script[tuple[Effect, str]]:
    amounts: dict[str, int] = {}
    for dial, name in DIAL_NAMES.items():
        question = Number(f"dday_dice.award.{dial}", f"How many {name}?", rule=("DDD-G02",), most=48)
        amounts[dial] = yield from ask(question)
    text = ", ".join(gained(dial, amount) for dial, amount in amounts.items() if amount)
    return msgspec.structs.replace(Gain(), **amounts), text or "nothing"


def described_once(name: str) -> Script[Tables]:
    """Ask what the Award of that name does, apart from a game; nothing of a stand-in is left in it."""
    effect, text = yield from _effect()
    return {"award": {name: {"effects": [msgspec.to_builtins(effect)], "others": [], "text": text}}}


def learned(battle: Battle) -> Tables:
    """The Awards that their owner entered, as records for a pack."""
    records = msgspec.to_builtins(battle.state.learned)
    awards = {
        name: {"effects": list(award["effects"]), "text": award["text"]} for name, award in records.items()
    }
    return {"award": awards} if awards else {}
