"""Phase 4: which moves a Unit has, what they cost, and what happens on arrival (DDD-113 to DDD-135)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from companion.engine.asks import Choose, Option, Script, Show, ask
from companion.games.dday_dice import arriving, cards, combat, losses, odds, sector_cards, trading
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.battlefield import Way
from companion.games.dday_dice.cards import Window
from companion.games.dday_dice.describing import asked_on_entry
from companion.games.dday_dice.effects import (
    CrossBarriers,
    ExchangeSectors,
    Linger,
    TradeAnywhere,
)
from companion.games.dday_dice.questions import DONE, LATER, choose_unit, in_any_order, rolled
from companion.games.dday_dice.records import Access, Sector
from companion.games.dday_dice.state import Status, Unit

_HELP = Option("help", "ask the others")
_GIVES = "partner"
_GONE = "out of the game"


# --- which moves there are


def moves(battle: Battle, unit: Unit) -> list[Way]:
    """The ways that the Unit may go now (DDD-114 to DDD-122, DDD-129 to DDD-132, DDD-160)."""
    if unit.turn.moved:
        return []
    ways = [way for way in battle.field.ways[unit.sector] if _open(battle, unit, way)]
    return ways + _retreats(battle, unit)


def _open(battle: Battle, unit: Unit, way: Way) -> bool:
    if way.to in unit.visited or arriving.price(battle, unit, way) > unit.courage:
        return False
    if way.barrier and not _through_barriers(battle, unit, way):
        return False
    here, there = battle.place(unit.sector), battle.place(way.to)
    if way.advance and here.climb_skulls and unit.turn.skulls < here.climb_skulls:
        return False
    if there.max_units and len(battle.in_sector(way.to)) >= there.max_units:
        return False
    if not _accessible(battle, unit, way, there):
        return False
    return arriving.may_enter(battle, unit, way)


def _accessible(battle: Battle, unit: Unit, way: Way, there: Sector) -> bool:
    if there.access is Access.WIRECUTTERS and not _cut(battle, unit, way):
        return battle.options.bulldozer_opens and _bulldozer(battle, unit, way)
    if there.access is Access.BATTLE_CRY and not unit.turn.battle_cry:
        return False
    if battle.scenario.two_boards:
        return _deadstick(battle, unit, way, there)
    return True


def _deadstick(battle: Battle, unit: Unit, way: Way, there: Sector) -> bool:
    """Sword's Bunker after Merville's only; no way back over the middle but by the Bunkers.

    DDD-319, DDD-322, DDD-324.
    """
    opened = any(name.startswith("M") for name in battle.state.bunkers_taken)
    if there.bunker and way.to.startswith("S") and not opened:
        return False
    back = any(name[0] == way.to[0] for name in unit.visited)
    return not (way.crossing and back) or there.bunker


def _through_barriers(battle: Battle, unit: Unit, way: Way) -> bool:
    """By Wirecutters, or a Bulldozer that leaves from here this turn (DDD-161, DDD-R54)."""
    if _cut(battle, unit, way) or _bulldozer(battle, unit, way):
        return True
    return any(other.turn.bulldozed_from == unit.sector for other in battle.state.units)


def _bulldozer(battle: Battle, unit: Unit, way: Way) -> bool:
    """Its own, if it can go that way: else it is left behind first (DDD-R55). Or one that stands here."""
    along = way.drivable(battle.place(way.to))
    return bool(battle.abilities(unit, CrossBarriers, along=along))


def _cut(battle: Battle, unit: Unit, way: Way) -> bool:
    """By its own Wirecutters, or together with a Unit that went the same way with them (DDD-161)."""
    if unit.turn.cutters_from:
        return True
    turns = [other.turn for other in battle.state.units]
    return any(turn.cutters_from == unit.sector and turn.entered == way.to for turn in turns)


def _retreats(battle: Battle, unit: Unit) -> list[Way]:
    """Back from a failed Climb, once, if never there before (DDD-299, DDD-R83).

    Over what is printed on the way up from there, Landmines and a Barrier (DDD-155, DDD-160).
    """
    here = battle.place(unit.sector)
    if not here.retreat or not unit.turn.climbed or unit.turn.skulls >= here.climb_skulls:
        return []
    cost = 1 if battle.options.retreat_costs_courage else 0
    up = [way for way in battle.field.ways[here.retreat] if way.to == unit.sector]
    mines, barrier = any(way.mines for way in up), any(way.barrier for way in up)
    way = Way(here.retreat, cost, mines=mines, barrier=barrier, advance=False)
    return [way] if _open(battle, unit, way) else []


# --- the phase


def move_units(battle: Battle) -> Script[None]:
    """All Units, in any order that the players like (DDD-R35), until the game is lost (DDD-002)."""
    yield from in_any_order(_in_order(battle), partial(_move_one, battle), partial(_can, battle))
    if not combat.lost(battle):
        yield from arriving.hand_out(battle)


def _in_order(battle: Battle) -> list[Unit]:
    """Who is asked first: the weakest, if several could want a Sector without room for all (DDD-174)."""
    units = battle.fighting()
    ahead = [way.to for u in units for way in battle.field.ways[u.sector] if way.to not in u.visited]
    narrow = any(battle.place(name).max_units and ahead.count(name) > 1 for name in ahead)
    return sorted(units, key=battle.strength) if narrow else units


def _can(battle: Battle, unit: Unit) -> set[str]:
    """Where a Unit can go, what it can use on the way, and what it can do when it has gone."""
    if unit.status is not Status.FIGHTING:
        return set()
    if unit.turn.moved:
        return _exchanges(battle, unit)
    on_the_way = set(cards.usable(battle, unit, Window.MOVE))
    return {way.to for way in moves(battle, unit)} | on_the_way | _exchanges(battle, unit)


def _exchanges(battle: Battle, unit: Unit) -> set[str]:
    """The Unit's exchanges of Sectors that are no move: to be had after its own too (DDD-R71)."""
    effects = ((n, e) for n in _correspondents(battle, unit) for e in battle.pack.specialist[n].effects)
    return {f"exchange:{name}" for name, e in effects if isinstance(e, ExchangeSectors) and e.any_time}


def _correspondents(battle: Battle, unit: Unit) -> list[str]:
    """Who can give himself up for an exchange, where there is another Unit."""
    return battle.volunteers(unit, ExchangeSectors) if battle.fighting(but=unit) else []


def _move_one(battle: Battle, unit: Unit, later: bool, helps: bool = True) -> Script[str]:
    """One Unit's Phase 4; nothing for one that was given up while it was asked to help another."""
    while unit.status is Status.FIGHTING and not combat.lost(battle):
        options = choices(battle, unit, later=later, helps=helps)
        if len(options) == 1 and options[0].id == "stay":
            return "stay"
        answer = yield from ask(partial(_question, battle, unit, later=later, helps=helps))
        what, _, name = answer.partition(":")
        if what in {"stay", LATER.id}:
            return what
        if what == "lost":
            yield from _stuck(battle, unit)
            return what
        if what == _HELP.id:
            helps = False
            for other in _helpers(battle, unit):
                yield from _move_one(battle, other, later=True, helps=False)
        elif (yield from _carry_out(battle, unit, what, name)) and not _exchanges(battle, unit):
            return what
    return "lost"


def _helpers(battle: Battle, unit: Unit) -> list[Unit]:
    """Who could do something for a stuck Unit, though they may have said "stay" already (DDD-R70).

    For one that is not stuck, who could not give it anything before: who moved in beside it, or the partner
    that a Carrier Pigeon brought (DDD-102, DDD-107).
    """
    others = battle.fighting(but=unit)
    if moves(battle, unit) or not battle.must_move(unit):
        near = [o for o in others if o.turn.entered == unit.sector or trading.in_touch(o, unit)]
        return [other for other in near if trading.options(battle, other)]
    return [o for o in others if {c.id for c in choices(battle, o, later=False)} - {"stay", "lost"}]


def _question(battle: Battle, unit: Unit, *, later: bool, helps: bool) -> Choose:
    must = "must move" if battle.must_move(unit) else "and now?" if unit.turn.moved else "move?"
    text = f"{battle.tag(unit)}{battle.label(unit.sector)}, {battle.marker(unit)}: {must}"
    rule = ("DDD-113", "DDD-114", "DDD-118", "DDD-121", "DDD-172")
    detail = "\n".join([trading.totals(battle, unit), *battle.happened()])
    detail += "\nStand-in board" if battle.stand_in else ""
    options = tuple(choices(battle, unit, later=later, helps=helps))
    return Choose("dday_dice.move", text, detail, rule, options=options)


def choices(battle: Battle, unit: Unit, *, later: bool, helps: bool = False) -> list[Option]:
    """Moves, what else can be done first, and staying, if the marker lets the Unit (DDD-R70).

    `helps`: the others can be asked once more before the Unit is given up.
    """
    must = battle.must_move(unit)
    ways = moves(battle, unit)
    stay = "done" if unit.turn.moved else "stay"
    options = [] if must else [Option("stay", stay, odds.staying(battle, unit))]
    options += [_option(battle, unit, way) for way in ways]
    options += _others(battle, unit, must=must)
    if later:
        options.append(LATER)
    if helps and not unit.turn.moved and _helpers(battle, unit):
        options.append(_HELP)
    if must and not ways:
        shut = "" if unit.turn.moved else "; ".join(_shut(battle, unit))
        options.append(Option("lost", "no move: lost", shut))
    return options


def _shut(battle: Battle, unit: Unit) -> Iterator[str]:
    """The ways that the Unit can't go, and for want of what (DDD-121, DDD-129, DDD-172)."""
    climb = battle.place(unit.sector).climb_skulls
    for way in battle.field.ways[unit.sector]:
        where, cost = battle.label(way.to), arriving.price(battle, unit, way)
        if way.to in unit.visited:
            continue
        if cost > unit.courage:
            yield f"{where} costs {cost} Courage"
        elif way.advance and unit.turn.skulls < climb:
            yield f"{where}: {climb} Skulls to climb"
        elif way.barrier and not _through_barriers(battle, unit, way):
            yield f"{where}: a barrier"
        else:
            asked = asked_on_entry(battle.place(way.to), by_cry=unit.turn.battle_cry)
            yield f"{where}: {', '.join(asked) or 'not open'}"


def _option(battle: Battle, unit: Unit, way: Way) -> Option:
    cost = arriving.price(battle, unit, way)
    label = battle.label(way.to) + (f" ({cost} Co)" if cost else "") + (" mines" if way.mines else "")
    detail = odds.moving(battle, unit, way, cost)
    if forsaken := battle.forsakes(unit, way.to):
        detail = f"{battle.never_taken(forsaken)} {detail}"
    return Option(f"move:{way.to}", label, detail)


def _others(battle: Battle, unit: Unit, *, must: bool) -> list[Option]:
    options = cards.uses(battle, unit, Window.MOVE)
    options += trading.options(battle, unit)
    lingering = battle.volunteers(unit, Linger) if must else []
    exchanging = _correspondents(battle, unit)
    for name in unit.specialists:  # in the order of their cards, as a session that goes on has it
        text = battle.pack.specialist[name].text
        options += [Option(f"linger:{name}", f"{name}: stay on", text)] * (name in lingering)
        if name in exchanging:
            options.append(
                Option(f"exchange:{name}", f"{name}: exchange", _exchange_told(battle, unit, text))
            )
    if not battle.solo:
        options += sector_cards.silencers(battle, unit)
    if unit.vehicle:
        options.append(Option("abandon", f"leave {unit.vehicle}", _GONE))
    if must and battle.scenario.two_boards and unit.sector in unit.taken:
        options.append(combat.staying_safe(battle, unit))
    return options


def _carry_out(battle: Battle, unit: Unit, what: str, name: str) -> Script[bool]:
    """One answer of the menu; True if the Unit's Phase 4 is over."""
    if what == "move":
        way = next(way for way in moves(battle, unit) if way.to == name)
        return (yield from move(battle, unit, way))
    if what == "use":
        yield from cards.use_item(battle, unit, name, Window.MOVE)
    elif what == "give":
        yield from trading.give(battle, unit)
    elif what == "linger":
        yield from losses.sacrifice(battle, unit, name)
        unit.turn.lingers = True
    elif what == "silence":
        yield from sector_cards.silence_for_good(battle, unit, name)
    elif what == "exchange":
        yield from _exchange(battle, unit, name)
    elif what == "safe":
        combat.leave_play(battle, unit)
    else:
        abandon(battle, unit)
    return unit.status is not Status.FIGHTING


def abandon(battle: Battle, unit: Unit) -> None:
    """A Vehicle left behind is out of the game (DDD-101)."""
    battle.state.vehicles_gone.append(unit.vehicle)
    unit.turn.news.append(f"{unit.vehicle} left behind, {_GONE}")
    unit.vehicle = ""


def _exchange_told(battle: Battle, unit: Unit, text: str) -> str:
    """What the card says, after the warning, if each exchange would cut a Unit off."""
    warnings = [_cut_off(battle, unit, other) for other in battle.fighting(but=unit)]
    return f"{warnings[0]} {text}" if all(warnings) else text


def _cut_off(battle: Battle, unit: Unit, other: Unit) -> str:
    """The warning for an exchange that leaves one of the two without a way to a Bunker (DDD-117, DDD-R71)."""
    places = ((unit, other.sector), (other, unit.sector))
    gone = " and ".join(one.name for one, to in places if battle.cut_off(one, to))
    return f"Warning: no way is left from there to a Bunker for {gone}." if gone else ""


def _exchange(battle: Battle, unit: Unit, name: str) -> Script[None]:
    """The War Correspondent: two Units change places, markers as they are (DDD-R71).

    Not if a player thinks better of leaving behind a Vehicle that can't be there (DDD-R55). Who comes to
    a climb before its move makes it without a Battle Cry (DDD-296).
    """
    others = battle.fighting(but=unit)
    told = partial(_cut_off, battle, unit)
    other = yield from choose_unit(battle, unit, others, "Exchange with?", ("DDD-R71",), told)
    for one, to in ((unit, other.sector), (other, unit.sector)):
        if one.vehicle and not battle.vehicle_fits(to) and not (yield from _leaves_vehicle(battle, one)):
            return
    yield from losses.sacrifice(battle, unit, name)
    for one in (unit, other):
        one.kept_limit = None if battle.options.exchange_resets else battle.stay_limit(one)
    unit.sector, other.sector = other.sector, unit.sector
    for one in (unit, other):
        one.visited = [name for name in one.visited if name != one.sector] + [one.sector]
        one.combats = 0
        if battle.options.exchange_resets:
            one.stay = 1
        if one.vehicle and not battle.vehicle_fits(one.sector):
            abandon(battle, one)
        if one.turn.battle_cry and not one.turn.moved and battle.place(one.sector).climb_skulls:
            one.turn.battle_cry = False
            one.turn.news.append(f"no Battle Cry in {battle.label(one.sector)}")


def _stuck(battle: Battle, unit: Unit) -> Script[None]:
    """Forced to move, and no way to go (DDD-120, DDD-172); whom the mines turned back has not moved."""
    losses.wipe_out(unit)
    unit.turn.moved = False
    text = f"{battle.tag(unit)}Must move and cannot: the Unit is lost"
    yield from ask(Show("dday_dice.move.stuck", text, rule=("DDD-120", "DDD-172", "DDD-R70")))


# --- one move (DDD-R36)


def move(battle: Battle, unit: Unit, way: Way) -> Script[bool]:
    """Pay, cross, arrive; whether the Unit's Phase 4 is over.

    Not if the player thought better of leaving a Vehicle behind, or can still stay on.
    """
    if unit.vehicle and not (yield from _vehicle_stays(battle, unit, way)):
        return False
    unit.courage -= arriving.price(battle, unit, way)
    if way.advance:
        unit.turn.free_advance = False
    unit.turn.moved = True
    setting_out = list(unit.specialists)
    if way.mines:
        yield from _landmines(battle, unit, way)
        if unit.status is not Status.FIGHTING:
            return True
        if not arriving.may_enter(battle, unit, way):
            return (yield from _turned_back(battle, unit))
    if battle.options.vehicle_for_all and _bulldozes(battle, unit):
        unit.turn.bulldozed_from = unit.sector
    left = [] if unit.sector in unit.visited else [unit.sector]  # where it was put by hand
    unit.visited += [*left, way.to]
    unit.sector = way.to
    unit.stay, unit.combats, unit.kept_limit = 1, 0, None
    unit.turn.entered = way.to
    yield from arriving.arrive(battle, unit, way, setting_out)
    return True


def _bulldozes(battle: Battle, unit: Unit) -> bool:
    effects = battle.pack.vehicle[unit.vehicle].effects if unit.vehicle else ()
    return any(isinstance(effect, CrossBarriers) for effect in effects)


def _vehicle_stays(battle: Battle, unit: Unit, way: Way) -> Script[bool]:
    """Whether the player leaves it behind, if it can't come along (DDD-097, DDD-098, DDD-302)."""
    if way.drivable(battle.place(way.to)):
        return True
    if not (yield from _leaves_vehicle(battle, unit)):
        return False
    abandon(battle, unit)
    return True


def _leaves_vehicle(battle: Battle, unit: Unit) -> Script[bool]:
    """Whether the player goes on without it."""
    text = f"{battle.tag(unit)}The {unit.vehicle} can't go there. Leave it?"
    options = (Option("yes", "leave it", _GONE), Option("no", "don't go"))
    rule = ("DDD-097", "DDD-098", "DDD-101", "DDD-R55")
    return (yield from ask(Choose("dday_dice.move.vehicle", text, rule=rule, options=options))) == "yes"


def _landmines(battle: Battle, unit: Unit, way: Way) -> Script[None]:
    """One die's worth of Soldiers, at once (DDD-155 to DDD-159)."""
    if arriving.swept(battle, unit):
        return
    text = f"{battle.tag(unit)}Landmines! Roll a die"
    lost = (yield from rolled(battle, "dday_dice.mines", text, ("DDD-155", "DDD-159")))[0]
    if arriving.swept(battle, unit):  # by hand, while the die was asked for
        return
    while _helps_at_mines(battle, unit):
        answer = yield from ask(partial(_mines_question, battle, unit, lost))
        if answer == "done":
            break
        whose, _, name = answer.rpartition(":")
        if name == _GIVES:
            yield from trading.give(battle, battle.unit(whose or unit.turn.partner), vehicles=False)
        else:
            yield from cards.use_item(battle, battle.unit(whose) if whose else unit, name, Window.MINES)
        if arriving.swept(battle, unit):
            return
    spare = partial(arriving.asked_for, battle, unit, way)
    rule = ("DDD-155", "DDD-156", "DDD-R37")
    fallen = yield from losses.suffer(battle, unit, lost, "mines", rule=rule, spare=spare)
    unit.turn.news.append(f"{fallen} lost to mines")


def _mines_question(battle: Battle, unit: Unit, lost: int) -> Choose:
    due = losses.due(battle, unit, lost)
    helps = _helps_at_mines(battle, unit)
    options = (DONE, *helps)
    only_gifts = all(option.id.rpartition(":")[2] == _GIVES for option in helps)
    text = f"{battle.tag(unit)}Landmines: {due} will fall. {'Trade?' if only_gifts else 'Use?'}"
    return Choose(
        "dday_dice.mines.items",
        text,
        trading.totals(battle, unit),
        rule=("DDD-091", "DDD-107"),
        options=options,
    )


def _helps_at_mines(battle: Battle, unit: Unit) -> list[Option]:
    """Items, and gifts of who is in touch by Carrier Pigeon; nobody else is beside it (DDD-102, DDD-107)."""
    item = battle.pack.item
    names = cards.usable(battle, unit, Window.MINES)
    options = [Option(name, f"use {name}", cards.used(item[name])) for name in names]
    near = [one for one in battle.fighting(but=unit) if trading.in_touch(one, unit)]
    options += [
        Option(f"{other.name}:{name}", f"{other.name} uses {name}", cards.used(item[name]))
        for other in battle.fighting(but=unit)
        for name in ([] if other in near else other.items)
        if isinstance(item[name].effects[0], TradeAnywhere)
    ]
    giving = [one.name for one in near if trading.options(battle, one, vehicles=False)]
    last = unit.turn.partner
    options += [Option(_GIVES if name == last else f"{name}:{_GIVES}", f"{name} gives") for name in giving]
    return options


def _turned_back(battle: Battle, unit: Unit) -> Script[bool]:
    """The Specialist whom the Sector asks for fell on the way: no entry (DDD-R37).

    Who had to move is lost, but for a Point Man, or an exchange that is a fresh stay (DDD-R70, DDD-R71).
    """
    text = f"{battle.tag(unit)}Nobody left to enter with: back to {battle.label(unit.sector)}"
    yield from ask(Show("dday_dice.move.turned_back", text, rule=("DDD-R37",)))
    if battle.must_move(unit):
        fresh_stay = battle.options.exchange_resets and _correspondents(battle, unit)
        if fresh_stay or battle.volunteers(unit, Linger):
            return False
        yield from _stuck(battle, unit)
    return True
