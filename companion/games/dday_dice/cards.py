"""Items and Awards at work: when each effect can be used, and what it does (DDD-088 to DDD-092)."""

from __future__ import annotations

from enum import Enum, auto
from functools import partial

from companion.engine.asks import Choose, Option, Script, Show, ask
from companion.games.dday_dice import effects as fx
from companion.games.dday_dice import sector_cards, tally_cards, trading
from companion.games.dday_dice.awards import draw_award
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.dice import Colour, Face, results
from companion.games.dday_dice.effects import Effect, Rwb
from companion.games.dday_dice.joining import recruits, take_specialist
from companion.games.dday_dice.records import Item
from companion.games.dday_dice.state import DIAL_NAMES, Unit, gained


class Window(Enum):
    """The moments of a turn in which cards are offered."""

    TALLY = auto()
    RECRUIT = auto()
    MOVE = auto()
    MINES = auto()
    COMBAT = auto()
    LOSSES = auto()


_ANY = frozenset(Window)
_TALLY = frozenset({Window.TALLY})
USES: dict[type[Effect], frozenset[Window]] = {
    fx.Gain: _ANY,
    fx.Add: _TALLY,
    fx.Recolour: _TALLY,
    fx.TurnDie: _TALLY,
    fx.TurnSkulls: _TALLY,
    fx.CopyTally: _TALLY,
    fx.Score: _ANY,
    fx.RecruitFree: _ANY,
    fx.FindFree: frozenset({Window.RECRUIT}),
    fx.DrawAward: frozenset({Window.TALLY, Window.RECRUIT, Window.MOVE, Window.LOSSES}),
    fx.TakeVehicle: frozenset({Window.RECRUIT}),
    fx.TradeAnywhere: _ANY,
    fx.FreeAdvance: frozenset({Window.RECRUIT, Window.MOVE}),
    fx.IgnoreMines: frozenset({Window.RECRUIT, Window.MOVE, Window.MINES}),
    fx.CrossBarriers: frozenset({Window.RECRUIT, Window.MOVE}),
    fx.LowerDef: frozenset({Window.MOVE, Window.COMBAT, Window.LOSSES}),
    fx.ZeroDef: frozenset({Window.MOVE, Window.COMBAT, Window.LOSSES}),
    fx.Silence: frozenset({Window.MOVE, Window.COMBAT}),
    fx.IgnoreGuns: frozenset({Window.COMBAT, Window.LOSSES}),
    fx.ByHand: _ANY,
}
"""When a card's first effect can be used to some purpose; Awards are played in `TALLY` alone (DDD-068)."""


def usable(battle: Battle, unit: Unit, window: Window) -> list[str]:
    """The owned Items that can be used now."""
    item = battle.pack.item
    return [
        name
        for name in unit.items
        if window in USES[type(item[name].effects[0])] and useful(battle, unit, item[name].effects[0], window)
    ]


def uses(battle: Battle, unit: Unit, window: Window) -> list[Option]:
    """The owned Items that can be used now, for a menu."""
    item = battle.pack.item
    return [Option(f"use:{n}", f"use {n}", used(item[n])) for n in usable(battle, unit, window)]


def used(item: Item) -> str:
    """What an Item does, and where its card goes then (DDD-088)."""
    return "; ".join(filter(None, (item.text.rstrip("."), "then face down into the Pool")))


def useful(battle: Battle, unit: Unit, effect: Effect, window: Window) -> bool:
    """Whether the effect has something to work on here, and could not as well wait."""
    if window is Window.COMBAT and not _goes_before_the_dice(battle, unit, effect):
        return False
    place = battle.place(unit.sector)
    match effect:
        case fx.Gain() if window is Window.TALLY:
            return place.costs_in_upkeep
        case fx.LowerDef() | fx.ZeroDef() | fx.Silence() if window is Window.MOVE and battle.solo:
            return False
        case fx.LowerDef() | fx.ZeroDef() if place.def_fixed or battle.shelling_alone(unit.sector):
            return False
        case fx.LowerDef() | fx.ZeroDef() if window is not Window.MOVE and not _any_defence(battle, unit):
            return False
        case fx.LowerDef(bunker_only=True):
            return place.bunker
        case fx.ZeroDef():
            return not place.bunker
        case fx.Silence(reach=fx.Reach.OWN):
            return battle.guns(unit.sector) > 0 and _exposed(battle, unit.sector)
        case fx.IgnoreGuns():
            return battle.guns(unit.sector) > 0 and not unit.turn.ignore_guns
        case fx.Silence():
            near = sector_cards.neighbours_with_guns(battle, unit)
            return any(window is Window.MOVE or _exposed(battle, name) for name in near)
        case fx.FreeAdvance() | fx.CrossBarriers():
            return not unit.turn.moved
        case fx.IgnoreMines() if window is not Window.MINES:
            return not (unit.turn.moved or unit.turn.ignore_mines or battle.abilities(unit, fx.IgnoreMines))
        case fx.TradeAnywhere() if window in {Window.COMBAT, Window.LOSSES}:
            return len(trading.partners(battle, unit)) < len(battle.fighting(but=unit))
        case fx.TradeAnywhere():
            return any(not trading.in_touch(unit, other) for other in battle.fighting(but=unit))
        case fx.CopyTally():
            return len(battle.fighting()) > 1
        case fx.TurnDie(blue_only=True):
            return any(die.colour is Colour.BLUE for die in unit.dice)
        case fx.TurnSkulls():
            return _skulls(unit)
        case fx.Score(rwb=Rwb.LEADERSHIP):
            return window is Window.TALLY or battle.solo or bool(battle.others(unit))
        case fx.RecruitFree(soldiers=soldiers):
            free = battle.options.shoulder_patch_extra or not unit.turn.recruited
            return free and _can_recruit(battle, unit, soldiers)
        case fx.DrawAward():
            return bool(battle.state.award_deck)
        case fx.FindFree():
            return bool(battle.state.pool_items)
    return True


def _goes_before_the_dice(battle: Battle, unit: Unit, effect: Effect) -> bool:
    """Whether dice are rolled in Combat where it helps: anywhere, if it is sent or done by hand."""
    afar = isinstance(effect, fx.Silence | fx.TradeAnywhere | fx.ByHand)
    where = battle.fighting() if afar else [unit]
    return any(battle.guns(one.sector) or battle.shelled(one, one.sector) for one in where)


def _exposed(battle: Battle, sector: str) -> bool:
    """Whether there is anybody whom guns harm; not if all who stand there wear Flak Vests."""
    return any(not one.turn.ignore_guns for one in battle.in_sector(sector))


def _any_defence(battle: Battle, unit: Unit) -> bool:
    """Whether there is any DEF left to lower, for whoever stands in the Unit's Sector (DDD-146)."""
    there = battle.in_sector(unit.sector)
    return any(battle.defence(one, one.sector, battle.combats_for_def(one)) for one in there)


def _skulls(unit: Unit) -> bool:
    """Whether there is a Skull to turn, on a die or from a card."""
    return any(one.face is Face.SKULL for one in (*results(unit.dice), *unit.extra))


def use_item(battle: Battle, unit: Unit, name: str, window: Window) -> Script[None]:
    """Use an Item: at once, once, and then face-down into the Pool (DDD-088, DDD-089)."""
    unit.items.remove(name)
    battle.state.used_items.append(name)
    for effect in battle.pack.item[name].effects:
        yield from apply(battle, unit, effect, window, card=name)


def works(battle: Battle, unit: Unit, name: str) -> bool:
    """Whether there is something to have by an Award now; one that takes a card may find none."""
    award = battle.award(name)
    whose = battle.fighting() if award.others else [unit]
    recruiting = [e.soldiers for e in award.effects if isinstance(e, fx.RecruitFree)]
    to_have: dict[type[Effect], bool] = {
        fx.RecruitFree: _can_recruit(battle, unit, min(recruiting, default=0)),
        fx.FindFree: bool(battle.state.pool_items),
        fx.TakeVehicle: bool(_vehicles(battle, unit)),
        fx.DrawAward: bool(battle.state.award_deck),
        fx.TradeAnywhere: len(battle.fighting()) > 1,
        fx.CopyTally: len(battle.fighting()) > 1,
        fx.TurnSkulls: any(_skulls(one) for one in whose),
    }
    effects = award.effects if battle.solo else (*award.effects, *award.others)
    return any(to_have.get(type(effect), True) for effect in effects)


def play_award(battle: Battle, unit: Unit, name: str) -> Script[None]:
    """Play an Award: once, and then out of the game (DDD-068 to DDD-070, DDD-178)."""
    unit.awards.remove(name)
    award = battle.award(name)
    for effect in award.effects:
        yield from apply(battle, unit, effect, Window.TALLY, award=True, card=name)
    for other in battle.fighting(but=unit):
        for effect in award.others:
            yield from apply(battle, other, effect, Window.TALLY, award=True, card=name)


def apply(
    battle: Battle, unit: Unit, effect: Effect, window: Window, *, award: bool = False, card: str = ""
) -> Script[None]:
    """Carry out one effect of a used card."""
    match effect:
        case fx.Add() | fx.Recolour() | fx.TurnDie() | fx.TurnSkulls() | fx.CopyTally():
            yield from tally_cards.change(battle, unit, effect)
        case fx.Score(rwb=rwb):
            before = window in {Window.TALLY, Window.RECRUIT, Window.MOVE} and not unit.turn.moved
            tally_open = window is Window.TALLY
            yield from tally_cards.score(battle, unit, rwb, tally_open=tally_open, may_move=before)
        case fx.Gain():
            yield from _gain(battle, unit, effect, card)
        case fx.RecruitFree(soldiers=soldiers):
            yield from _recruit_free(battle, unit, soldiers, award=award)
        case fx.FindFree():
            yield from _find_free(battle, unit)
        case fx.DrawAward():
            yield from draw_award(battle, unit, ("DDD-089", "DDD-R60"))
        case fx.TakeVehicle():
            yield from _take_vehicle(battle, unit)
        case fx.ByHand(text=text):
            yield from ask(Show("dday_dice.card.by_hand", f"{battle.tag(unit)}{text}", rule=("DDD-069",)))
        case _ if isinstance(effect, sector_cards.ForTurn):
            yield from sector_cards.work(battle, unit, effect, award=award)


def _gain(battle: Battle, unit: Unit, gain: fx.Gain, card: str) -> Script[None]:
    amounts = {dial: amount for dial in DIAL_NAMES if (amount := getattr(gain, dial))}
    if gain.one_of:
        options = tuple(Option(dial, gained(dial, amount)) for dial, amount in amounts.items())
        text = f"{battle.tag(unit)}{card}: which?"
        question = Choose("dday_dice.card.gain", text, rule=("DDD-089",), options=options)
        dial = yield from ask(question)
        amounts = {dial: amounts[dial]}
    for dial, amount in amounts.items():
        setattr(unit, dial, getattr(unit, dial) + amount)


def _can_recruit(battle: Battle, unit: Unit, soldiers: int) -> bool:
    return unit.soldiers >= soldiers and bool(recruits(battle, unit))


def _recruit_free(battle: Battle, unit: Unit, soldiers: int, *, award: bool) -> Script[None]:
    if not _can_recruit(battle, unit, soldiers):
        return
    name = yield from ask(partial(_who_joins, battle, unit))
    unit.soldiers -= soldiers
    if not award and not battle.options.shoulder_patch_extra:
        unit.turn.recruited += 1
    yield from take_specialist(battle, unit, name)


def _who_joins(battle: Battle, unit: Unit) -> Choose:
    specialist = battle.pack.specialist
    options = tuple(Option(name, name, specialist[name].text) for name in recruits(battle, unit))
    text = f"{battle.tag(unit)}Who joins?"
    return Choose("dday_dice.card.recruit", text, rule=("DDD-R50",), options=options)


def _find_free(battle: Battle, unit: Unit) -> Script[None]:
    if not battle.state.pool_items:
        return
    name = yield from ask(partial(_which_item, battle, unit))
    battle.state.pool_items.remove(name)
    unit.items.append(name)


def _which_item(battle: Battle, unit: Unit) -> Choose:
    item = battle.pack.item
    options = tuple(Option(name, name, item[name].text) for name in battle.state.pool_items)
    text = f"{battle.tag(unit)}Which Item?"
    return Choose("dday_dice.card.find", text, rule=("DDD-073",), options=options)


def _vehicles(battle: Battle, unit: Unit) -> list[str]:
    """The Vehicles that nobody has, for a Unit that can take one (DDD-093, DDD-099)."""
    if unit.vehicle or not battle.vehicle_fits(unit.sector):
        return []
    taken = [other.vehicle for other in battle.state.units]
    return [n for n in battle.pack.vehicle if n not in taken and n not in battle.state.vehicles_gone]


def _take_vehicle(battle: Battle, unit: Unit) -> Script[None]:
    if _vehicles(battle, unit):
        unit.vehicle = yield from ask(partial(_which_vehicle, battle, unit))


def _which_vehicle(battle: Battle, unit: Unit) -> Choose:
    vehicle = battle.pack.vehicle
    options = tuple(Option(name, name, vehicle[name].text) for name in _vehicles(battle, unit))
    text = f"{battle.tag(unit)}Which Vehicle?"
    return Choose("dday_dice.card.vehicle", text, rule=("DDD-093",), options=options)
