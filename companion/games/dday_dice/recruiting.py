"""Phase 3: recruit a Specialist, find an Item, buy an Award, trade (DDD-074 to DDD-091)."""

from __future__ import annotations

from functools import partial
from itertools import combinations

from companion.engine.asks import Choose, Option, Script, ask
from companion.games.dday_dice import cards, trading, upkeep
from companion.games.dday_dice.awards import draw_award
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.cards import Window
from companion.games.dday_dice.effects import FindMore
from companion.games.dday_dice.joining import recruits, take_specialist
from companion.games.dday_dice.moving import abandon
from companion.games.dday_dice.questions import DONE, LATER, in_any_order
from companion.games.dday_dice.records import Training
from companion.games.dday_dice.state import Unit

AWARD_PRICE = 6
_RULE = ("DDD-074", "DDD-075", "DDD-077", "DDD-084", "DDD-085", "DDD-066")
_TRADE = ("DDD-017", "DDD-102", "DDD-106", "DDD-107")
_BOUGHT = ("recruit:", "find:", "again:", "vehicle:")


def recruiting(battle: Battle) -> Script[None]:
    """All Units, the weakest first; one may wait (DDD-107, DDD-174)."""
    units = yield from in_order(battle)
    yield from in_any_order(units, partial(recruit_and_find, battle), partial(_ids, battle))


def in_order(battle: Battle) -> Script[list[Unit]]:
    """The weakest first, since it has priority for what two Units want; every tie is settled (DDD-175)."""
    waiting = sorted(battle.fighting(), key=battle.strength)
    order = []
    while waiting:
        tied = [unit for unit in waiting if battle.strength(unit) == battle.strength(waiting[0])]
        first = tied[0]
        if _contested(battle, tied):
            text = "A tie: agree or roll. Who is first?"
            options = tuple(Option(unit.name, f"Unit {unit.name}") for unit in tied)
            name = yield from ask(Choose("dday_dice.recruit.first", text, rule=("DDD-175",), options=options))
            first = battle.unit(name)
        order.append(first)
        waiting.remove(first)
    return order


def _contested(battle: Battle, units: list[Unit]) -> bool:
    """Whether two of them could take the same card: out of the Pool, a used one, or a Vehicle."""
    state = battle.state
    shared = {*state.pool_items, *state.pool_specialists, *state.used_items, *battle.pack.vehicle}
    return any(one & other & shared for one, other in combinations([_names(battle, u) for u in units], 2))


def _names(battle: Battle, unit: Unit) -> set[str]:
    """The cards that a Unit's choices name; where it leaves its Vehicle first, the one that is there."""
    chosen = [option.id.partition(":") for option in _choices(battle, unit)]
    return {name or battle.vehicle_there(unit.sector) * (what == "abandon") for what, _, name in chosen}


def recruit_and_find(battle: Battle, unit: Unit, later: bool = False) -> Script[str]:
    """One Unit's Phase 3; it may wait for what another gives it (DDD-107)."""
    while len(_choices(battle, unit)) > 1:
        answer = yield from ask(partial(_question, battle, unit, later=later))
        if answer in {"done", LATER.id}:
            return answer
        yield from _carry_out(battle, unit, answer)
    return LATER.id


def _question(battle: Battle, unit: Unit, *, later: bool) -> Choose:
    totals = trading.totals(battle, unit)
    trade_alone = _ids(battle, unit) == {DONE.id}
    options = (*_choices(battle, unit), *((LATER,) if later else ()))
    if trade_alone:
        return Choose("dday_dice.recruit", f"{battle.tag(unit)}Trade?", totals, _TRADE, options=options)
    bought = any(option.id.startswith(_BOUGHT) for option in options)
    detail = totals + "\nPay for a card, then lay it face up before you" * bought
    return Choose("dday_dice.recruit", f"{battle.tag(unit)}Recruit or find?", detail, _RULE, options=options)


def _ids(battle: Battle, unit: Unit) -> set[str]:
    return {option.id for option in _choices(battle, unit)} - {"give"}


def _choices(battle: Battle, unit: Unit) -> list[Option]:
    options = [DONE]
    if battle.training is not Training.PRACTICE:
        options += _recruits(battle, unit)
        options += _finds(battle, unit)
        options += _vehicles(battle, unit)
        if unit.courage >= AWARD_PRICE and not unit.turn.award_drawn and battle.state.award_deck:
            options.append(Option("award", f"Award ({AWARD_PRICE} Courage)", "drawn at random"))
        options += cards.uses(battle, unit, Window.RECRUIT)
    return options + trading.options(battle, unit)


def _recruits(battle: Battle, unit: Unit) -> list[Option]:
    if unit.turn.recruited:
        return []
    prices = battle.specialist_prices(unit, recruits(battle, unit))
    text = battle.pack.specialist
    return [
        Option(f"recruit:{name}", f"{name} ({price} St)", text[name].text)
        for name, price in prices.items()
        if price <= unit.stars
    ]


def _finds(battle: Battle, unit: Unit) -> list[Option]:
    """Items of the Pool, and used ones by Special Find; none where none can be found (DDD-232)."""
    if battle.place(unit.sector).no_find_items:
        return []
    options: list[Option] = []
    may_find = not unit.turn.found or bool(battle.abilities(unit, FindMore))
    if may_find:
        options += _affordable(battle, unit, "find", battle.state.pool_items)
    if unit.turn.special_finds and (may_find or battle.options.special_find_extra):
        options += _affordable(battle, unit, "again", upkeep.findable(battle))
    return options


def _affordable(battle: Battle, unit: Unit, what: str, names: list[str]) -> list[Option]:
    item = battle.pack.item
    return [
        Option(f"{what}:{name}", f"{name} ({price} IP)", item[name].text)
        for name, price in battle.item_prices(unit, names).items()
        if price <= unit.points
    ]


def _vehicles(battle: Battle, unit: Unit) -> list[Option]:
    """The Vehicle that the Sector offers, if nobody took it (DDD-093, DDD-099, DDD-258).

    For who has one already, to leave that behind first (DDD-100).
    """
    name = battle.vehicle_there(unit.sector)
    if not name:
        return []
    price = battle.vehicle_price(unit, name)
    found_all = unit.turn.found and not battle.abilities(unit, FindMore, along=False)
    if price > unit.points or (price and found_all):
        return []
    if unit.vehicle:
        return [Option("abandon", f"leave {unit.vehicle}", f"out of the game; then find the {name}")]
    return [Option(f"vehicle:{name}", f"{name} ({price} IP)", battle.pack.vehicle[name].text)]


def _carry_out(battle: Battle, unit: Unit, answer: str) -> Script[None]:
    what, _, name = answer.partition(":")
    turn = unit.turn
    if what == "recruit":
        unit.stars -= battle.specialist_price(unit, name)
        turn.recruited += 1
        yield from take_specialist(battle, unit, name)
    elif what in {"find", "again"}:
        _find(battle, unit, name, again=what == "again")
    elif what == "vehicle":
        price = battle.vehicle_price(unit, name)
        unit.points -= price
        turn.found += 1 if price else 0
        unit.vehicle = name
    elif what == "abandon":
        abandon(battle, unit)
    elif what == "award":
        unit.courage -= AWARD_PRICE
        turn.award_drawn = True
        yield from draw_award(battle, unit, ("DDD-066",))
    elif what == "use":
        yield from cards.use_item(battle, unit, name, Window.RECRUIT)
    else:
        yield from trading.give(battle, unit)


def _find(battle: Battle, unit: Unit, name: str, *, again: bool) -> None:
    """Pay and take an Item (DDD-084); a used one by Special Find (DDD-055, DDD-R28)."""
    unit.points -= battle.item_price(unit, name)
    unit.items.append(name)
    if again:
        battle.state.used_items.remove(name)
        unit.turn.special_finds -= 1
        unit.turn.found += 0 if battle.options.special_find_extra else 1
    else:
        battle.state.pool_items.remove(name)
        unit.turn.found += 1
