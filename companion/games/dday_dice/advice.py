"""The cautious policy: grow in the low Sectors, keep Courage for the next line, then run for the Bunker."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

from companion.engine.asks import AnyAsk, Choose, Number, Pick
from companion.games.dday_dice import effects as fx
from companion.games.dday_dice import odds
from companion.games.dday_dice.arriving import price
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.combat import due
from companion.games.dday_dice.dice import FACES, Colour, Die, Face, Result, results
from companion.games.dday_dice.guesses import Prices, best_keep, to_lock, value
from companion.games.dday_dice.moving import moves
from companion.games.dday_dice.records import Access
from companion.games.dday_dice.route import best_way, courage_ahead, cuts, growth, is_shut_in, next_toll
from companion.games.dday_dice.state import Unit
from companion.games.dday_dice.upkeep import findable

RECRUITS = (
    "Beachmaster",
    "Captain",
    "Veteran",
    "Corporal",
    "Medic",
    "General",
    "Messenger",
    "Hero",
    "Chaplain",
    "Platoon Leader",
    "Engineer",
    "Paratrooper",
    "Marksman",
    "Sharpshooter",
    "Scout",
    "Lieutenant",
    "Pathfinder",
    "Minesweeper",
    "Quartermaster",
    "Decoy",
)
"""Whom to recruit first. Who is not named comes after."""

FINDS = ("Flame-Thrower", "Bangalore Torpedo", "Bazooka", "Dexedrine", "Field Radio", "Walkie-Talkie")
"""What to save Item Points for, in this order."""

SAFE = 0.03
"""A risk of being wiped out that is taken without a thought."""

ENOUGH = 15
"""The strength with which a Climb is tried."""


def advise(battle: Battle, question: AnyAsk) -> object | None:
    """What a careful player would answer; None where it makes no difference."""
    answer = _ANSWERS.get(question.key)
    return answer(battle, _asked(battle, question), question) if answer else None


def _asked(battle: Battle, question: AnyAsk) -> Unit:
    """Whom a question is for: its text begins with the Unit's tag."""
    for unit in battle.state.units:
        if not battle.solo and question.text.startswith(battle.tag(unit)):
            return unit
    return battle.state.units[0]


# --- what results are worth now


def prices(battle: Battle, unit: Unit) -> Prices:
    """Values in Soldiers: Courage by how much is still needed, Stars by who could be recruited."""
    need = courage_ahead(battle, unit) - unit.courage
    short = next_toll(battle, unit) - unit.courage
    hurry = battle.stay_limit(unit) - unit.stay < 1
    courage = 0.35 if need <= 0 else 1.1
    if short > 0:
        courage = 3.5 if hurry else 1.7
    wanted = len(unit.hand) + len(battle.state.pool_specialists)
    star = 1.0 if wanted and battle.full else 0.0
    of = {
        Face.SKULL: 0.0,
        Face.STAR: star if unit.stars < 5 else star / 2,
        Face.SOLDIER1: 1.0,
        Face.SOLDIER2: 2.0,
        Face.COURAGE: courage,
        Face.TOOL: 0.7 if battle.full else 0.0,
    }
    solo = 4.0 if battle.solo else 2.0
    triple = {
        Face.SKULL: 8.0 if battle.full else 0.0,
        Face.STAR: 2.5,
        Face.SOLDIER1: 4.0 + solo,
        Face.SOLDIER2: 6.0,
        Face.COURAGE: 3.0,
        Face.TOOL: 4.0 if battle.full else 0.0,
    }
    if _needs_cry(battle, unit):
        triple[Face.COURAGE] = 20.0
    if _wants_used_cutters(battle, unit):
        triple[Face.TOOL] = 20.0
    harmless = sum(effect.count for effect in battle.abilities(unit, fx.IgnoreSkull))
    climb = battle.place(unit.sector).climb_skulls
    if climb and unit.courage >= next_toll(battle, unit) and battle.strength(unit) > ENOUGH:
        of[Face.SKULL] = 6.0
        harmless = len(unit.dice)
    return Prices(of, triple, harmless)


def _needs_cry(battle: Battle, unit: Unit) -> bool:
    return any(battle.place(way.to).access is Access.BATTLE_CRY for way in battle.field.ways[unit.sector])


# --- Phase 1


def _lock(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    assert isinstance(question, Pick)
    return [unit.dice[place].id for place in to_lock(unit.dice, question.least, prices(battle, unit))]


def _again(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    assert isinstance(question, Pick)
    free = [option.id for option in question.options]
    held = [place for place, die in enumerate(unit.dice) if die.id not in free]
    rolls = 2 if question.key.endswith("2") else 1
    kept = best_keep(unit.dice, held, rolls, prices(battle, unit))
    return [die.id for place, die in enumerate(unit.dice) if place not in kept]


def _single(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    assert isinstance(question, Choose)
    worth = prices(battle, unit)
    everything = range(len(unit.dice))
    best, most = "none", value(unit.dice, everything, 0, worth)
    for option in question.options[1:]:
        kept = [place for place in everything if unit.dice[place].id != option.id]
        if (there := value(unit.dice, kept, 1, worth)) > most:
            best, most = option.id, there
    return best


# --- the tally


def _change(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    """Whatever brings something however the dice lie: nobody here weighs a card's change of them."""
    assert isinstance(question, Choose)
    for option in question.options:
        what, _, name = option.id.partition(":")
        effects: Sequence[object] = ()
        if what == "award":
            effects = battle.award(name).effects
        elif what == "use":
            effects = battle.pack.item[name].effects
        if any(_brings(battle, unit, effect) for effect in effects):
            return option.id
    return "done"


def _brings(battle: Battle, unit: Unit, effect: object) -> bool:
    match effect:
        case fx.Score(rwb=fx.Rwb.BATTLE_CRY):
            return not unit.turn.battle_cry and _goes_by_cry(battle, unit)
        case fx.Score() | fx.Gain() | fx.RecruitFree() | fx.FindFree() | fx.DrawAward() | fx.TakeVehicle():
            return True
    return False


def _joins(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    """The first of the list of Specialists."""
    del battle, unit
    assert isinstance(question, Choose)
    return min((option.id for option in question.options), key=lambda name: _rank(RECRUITS, name))


def _found(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    """Wirecutters where nothing else opens a way, else the first of the list of Items."""
    assert isinstance(question, Choose)
    ids = [option.id for option in question.options]
    wanted = [name for name in ids if cuts(battle, name)] if is_shut_in(battle, unit) else []
    return min(wanted or ids, key=lambda name: _rank(FINDS, name))


def _cancel(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    """Give up what is worth least, triples considered; places shift where a Sector takes dice out."""
    assert isinstance(question, Choose | Pick)
    count = question.least if isinstance(question, Pick) else 1
    paying = [one for one in results(unit.dice) if one.face is not Face.SKULL]
    worth = prices(battle, unit)
    gone = max(
        combinations(question.options, count),
        key=lambda ways: _without(paying, Counter(option.label for option in ways), worth),
    )
    ids = [option.id for option in gone]
    return ids if isinstance(question, Pick) else ids[0]


def _without(tally: Sequence[Result], gone: Counter[str], worth: Prices) -> float:
    left = []
    for one in tally:
        if gone[one.label]:
            gone[one.label] -= 1
        else:
            left.append(one)
    return _sum(left, worth)


def _sum(tally: Sequence[Result], worth: Prices) -> float:
    dice = [Die("", one.colour, one.face) for one in tally if one.colour is not Colour.NONE]
    return value(dice, range(len(dice)), 0, worth)


def _white(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    """The white result that is worth most here."""
    del question
    tally = results(unit.dice)
    worth = prices(battle, unit)
    return max(
        (face for face in FACES if face is not Face.SKULL),
        key=lambda face: _sum([*tally, Result(face, Colour.WHITE)], worth),
    ).value


def _battle_cry(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    """A free move, if the Unit has to go and cannot pay, or is about to enter the Bunker."""
    assert isinstance(question, Choose)
    wanted = "move" if _goes_by_cry(battle, unit) else "soldiers"
    return wanted if any(option.id == wanted for option in question.options) else question.options[0].id


def _goes_by_cry(battle: Battle, unit: Unit) -> bool:
    leaving = unit.stay >= battle.stay_limit(unit) or growth(battle, unit.sector) < 0
    dear = next_toll(battle, unit) > unit.courage or next_toll(battle, unit) > 3
    return (leaving and dear) or _needs_cry(battle, unit)


def _special_find(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    """Used Wirecutters, where nothing else opens a way; else the Stars."""
    del question
    return "find" if _wants_used_cutters(battle, unit) else "stars"


def _wants_used_cutters(battle: Battle, unit: Unit) -> bool:
    return is_shut_in(battle, unit) and any(cuts(battle, name) for name in findable(battle))


# --- Phase 3


def _recruit(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    """Specialists in the list's order; Items for the only way or the Bunker; Soldiers at once."""
    assert isinstance(question, Choose)
    ids = [option.id for option in question.options]
    for one in ids:
        what, _, name = one.partition(":")
        if what == "use" and isinstance(battle.pack.item[name].effects[0], fx.Gain):
            return one
    recruits = [one for one in ids if one.startswith("recruit:")]
    if recruits:
        return min(recruits, key=lambda one: _rank(RECRUITS, one.partition(":")[2]))
    finds = [one for one in ids if one.startswith(("find:", "again:"))]
    if is_shut_in(battle, unit):
        cutters = [one for one in finds if cuts(battle, one.partition(":")[2])]
        if cutters:
            return cutters[0]
    for name in FINDS:
        if f"find:{name}" in finds and (name in FINDS[:4] or _last_rows(battle, unit) or _has_all(unit)):
            return f"find:{name}"
    return "done"


def _has_all(unit: Unit) -> bool:
    return all(name in unit.items for name in FINDS[:2])


def _rank(order: Sequence[str], name: str) -> int:
    return order.index(name) if name in order else len(order)


def _last_rows(battle: Battle, unit: Unit) -> bool:
    return growth(battle, unit.sector) < 0


# --- Phase 4


def _move(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    """Stay while it pays; else go where the way on is best, if that is not folly."""
    assert isinstance(question, Choose)
    ids = [option.id for option in question.options]
    if unit.turn.moved and "stay" in ids:
        return "stay"
    ways = moves(battle, unit)
    if not ways:
        return _way_out(battle, ids)
    way = best_way(battle, unit, ways)
    go = f"move:{way.to}"
    if "stay" not in ids:
        return go
    here = odds.risk(battle, unit)
    there = odds.risk(battle, unit, way, price(battle, unit, way))
    if unit.turn.battle_cry and there <= max(here, SAFE):
        return go
    can_wait = battle.stay_limit(unit) or there > SAFE  # who waits as long as it pays may do so for ever
    if growth(battle, unit.sector) > 0 and here <= max(there, SAFE) and can_wait:
        return "stay"
    return go if there <= max(here, SAFE) else "stay"


def _way_out(battle: Battle, ids: Sequence[str]) -> str:
    """Whatever opens a way, the others too, before the Unit is given up."""
    outs = [one for one in ids if one.startswith(("use:", "linger:", "exchange:", "safe"))]
    useful = [one for one in outs if not one.startswith("use:") or _opens(battle, one.partition(":")[2])]
    if useful:
        return useful[0]
    return next((one for one in ("stay", "later", "help") if one in ids), ids[-1])


def _opens(battle: Battle, item: str) -> bool:
    opening = (fx.FreeAdvance, fx.CrossBarriers, fx.Score, fx.Gain)
    return isinstance(battle.pack.item[item].effects[0], opening)


def _sacrifice(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    """The one that is missed least; soldiers before any Specialist."""
    del battle, unit
    assert isinstance(question, Choose)
    ids = [option.id for option in question.options]
    return "soldiers" if "soldiers" in ids else max(ids, key=lambda name: _rank(RECRUITS, name))


def _leave_vehicle(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    del battle, unit, question
    return "yes"


# --- Phase 5

_AFTER = "dday_dice.combat.after"
_COURAGE = "dday_dice.losses.courage"


def _combat(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    """Use what lowers the loss where it saves most, and whatever can save the Unit if it is in danger."""
    assert isinstance(question, Choose)
    if question.key == _AFTER:
        danger = odds.doomed(battle, unit, due(battle, unit))
    else:
        danger = odds.risk(battle, unit) > SAFE
    loss = battle.defence(unit, unit.sector, battle.combats_for_def(unit))
    for option in question.options:
        what, _, name = option.id.partition(":")
        if what == "use" and ((danger and _can_save(battle, name)) or _pays(battle, name, loss)):
            return option.id
    return "done"


def _can_save(battle: Battle, item: str) -> bool:
    """Whether an Item lowers what its own Unit loses in this Combat, or brings it Soldiers."""
    match battle.pack.item[item].effects[0]:
        case fx.LowerDef() | fx.ZeroDef() | fx.IgnoreGuns() | fx.Silence(reach=fx.Reach.OWN):
            return True
        case fx.Score(rwb=rwb):
            return rwb is not fx.Rwb.LEADERSHIP
    return False


def _pays(battle: Battle, item: str, loss: int) -> bool:
    match battle.pack.item[item].effects[0]:
        case fx.LowerDef(bunker_only=bunker_only, by=by):
            return bunker_only or loss >= by + 3
        case fx.ZeroDef():
            return loss >= 8
        case fx.Gain():
            return True
    return False


def _pay(battle: Battle, unit: Unit, question: AnyAsk) -> object:
    """A Hero pays no more than it takes for somebody to be left, with Stars before Courage."""
    assert isinstance(question, Number)
    asked = re.search(r"Lose (\d+)", question.text)
    assert asked is not None
    missing = int(asked[1]) + 1 - battle.strength(unit)
    if question.key == _COURAGE:
        missing -= unit.stars
    return max(question.least, missing) if missing <= question.most else question.least


_ANSWERS: dict[str, Callable[[Battle, Unit, AnyAsk], object]] = {
    "dday_dice.roll.lock": _lock,
    "dday_dice.roll.again.2": _again,
    "dday_dice.roll.again.3": _again,
    "dday_dice.roll.single": _single,
    "dday_dice.tally.change": _change,
    "dday_dice.tally.cancel": _cancel,
    "dday_dice.tally.leadership": _white,
    "dday_dice.tally.battle_cry": _battle_cry,
    "dday_dice.tally.special_find": _special_find,
    "dday_dice.card.leadership": _white,
    "dday_dice.card.recruit": _joins,
    "dday_dice.card.find": _found,
    "dday_dice.card.battle_cry": _battle_cry,
    "dday_dice.recruit": _recruit,
    "dday_dice.move": _move,
    "dday_dice.move.sacrifice": _sacrifice,
    "dday_dice.move.vehicle": _leave_vehicle,
    "dday_dice.losses.upkeep": _sacrifice,
    "dday_dice.losses.mines": _sacrifice,
    "dday_dice.losses.combat": _sacrifice,
    _COURAGE: _pay,
    "dday_dice.losses.stars": _pay,
    "dday_dice.combat.damage": _sacrifice,
    "dday_dice.combat.before": _combat,
    _AFTER: _combat,
}
