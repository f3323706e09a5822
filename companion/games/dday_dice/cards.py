"""Items and Awards at work: when each effect can be used, and what it does (DDD-088 to DDD-092)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from companion.engine.asks import Choose, Draw, Option, Script, Show, ask
from companion.games.dday_dice import effects as fx
from companion.games.dday_dice import upkeep
from companion.games.dday_dice.awards import learn
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.dice import FACES, SHORT, Colour, Die, Face, Result, d6, full_set, throw
from companion.games.dday_dice.effects import Effect, Rwb
from companion.games.dday_dice.state import Unit


class Window(Enum):
    """The moments of a turn in which cards are offered."""

    TALLY = auto()
    RECRUIT = auto()
    MOVE = auto()
    MINES = auto()
    COMBAT = auto()
    LOSSES = auto()


_ANY = frozenset(Window)
_LATER = _ANY - {Window.TALLY}
_TALLY = frozenset({Window.TALLY})
_USES: dict[type[Effect], frozenset[Window]] = {
    fx.Gain: _LATER,
    fx.Add: _TALLY,
    fx.Recolour: _TALLY,
    fx.TurnDie: _TALLY,
    fx.TurnSkulls: _TALLY,
    fx.CopyTally: _TALLY,
    fx.Score: _ANY,
    fx.RecruitFree: frozenset({Window.RECRUIT, Window.MOVE, Window.COMBAT}),
    fx.FindFree: frozenset({Window.RECRUIT}),
    fx.DrawAward: frozenset({Window.RECRUIT, Window.MOVE, Window.COMBAT}),
    fx.TakeVehicle: frozenset({Window.RECRUIT}),
    fx.TradeAnywhere: _ANY,
    fx.FreeAdvance: frozenset({Window.RECRUIT, Window.MOVE}),
    fx.IgnoreMines: frozenset({Window.RECRUIT, Window.MOVE, Window.MINES}),
    fx.CrossBarriers: frozenset({Window.RECRUIT, Window.MOVE}),
    fx.LowerDef: frozenset({Window.COMBAT, Window.LOSSES}),
    fx.ZeroDef: frozenset({Window.COMBAT, Window.LOSSES}),
    fx.Silence: frozenset({Window.COMBAT}),
    fx.IgnoreGuns: frozenset({Window.COMBAT, Window.LOSSES}),
    fx.ByHand: _ANY,
}
"""When a card's first effect can be used to some purpose; Awards are played in `TALLY` alone (DDD-068)."""


def usable(battle: Battle, unit: Unit, window: Window) -> list[str]:
    """The owned Items that can be used now."""
    if not unit.items:
        return []
    item = battle.pack.item
    return [
        name
        for name in unit.items
        if window in _USES[type(item[name].effects[0])]
        and useful(battle, unit, item[name].effects[0], window)
    ]


def useful(battle: Battle, unit: Unit, effect: Effect, window: Window) -> bool:
    """Whether the effect has something to work on here."""
    match effect:
        case fx.LowerDef(bunker_only=True):
            return battle.place(unit.sector).bunker
        case fx.ZeroDef():
            return not battle.place(unit.sector).bunker
        case fx.Silence(reach=fx.Reach.OWN):
            return battle.guns(unit.sector) > 0
        case fx.Silence():
            return bool(_neighbours_with_guns(battle, unit))
        case fx.CopyTally() | fx.TradeAnywhere():
            return len(battle.fighting()) > 1
        case fx.TurnDie(blue_only=True):
            return any(die.colour is Colour.BLUE for die in unit.dice)
        case fx.TurnSkulls():
            return any(die.face is Face.SKULL for die in unit.dice)
        case fx.Score(rwb=Rwb.LEADERSHIP):
            return window is Window.TALLY or battle.solo or bool(battle.others(unit))
        case fx.RecruitFree(soldiers=soldiers):
            free = battle.options.shoulder_patch_extra or not unit.turn.recruited
            return free and unit.soldiers >= soldiers and bool(recruits(battle, unit))
        case fx.DrawAward():
            return bool(battle.state.award_deck)
        case fx.FindFree():
            return bool(battle.state.pool_items)
    return True


def use_item(battle: Battle, unit: Unit, name: str, window: Window) -> Script[None]:
    """Use an Item: at once, once, and then face-down into the Pool (DDD-088, DDD-089)."""
    unit.items.remove(name)
    battle.state.used_items.append(name)
    for effect in battle.pack.item[name].effects:
        yield from apply(battle, unit, effect, window)


def play_award(battle: Battle, unit: Unit, name: str) -> Script[None]:
    """Play an Award: once, and then out of the game (DDD-068 to DDD-070, DDD-178)."""
    unit.awards.remove(name)
    award = battle.award(name)
    for effect in award.effects:
        yield from apply(battle, unit, effect, Window.TALLY, award=True)
    if not battle.solo:
        for other in battle.fighting():
            if other is not unit:
                for effect in award.others:
                    yield from apply(battle, other, effect, Window.TALLY, award=True)


def apply(battle: Battle, unit: Unit, effect: Effect, window: Window, *, award: bool = False) -> Script[None]:
    """Carry out one effect of a used card."""
    state, turn = battle.state, unit.turn
    match effect:
        case fx.Gain():
            yield from _gain(battle, unit, effect)
        case fx.Add():
            for other in battle.fighting() if effect.everyone else [unit]:
                yield from _add(battle, other, effect)
        case fx.Recolour():
            yield from recolour(battle, unit)
        case fx.TurnDie():
            yield from _turn_die(battle, unit, effect)
        case fx.TurnSkulls():
            yield from _turn_skulls(battle, unit)
        case fx.CopyTally():
            yield from _copy_tally(battle, unit)
        case fx.Score(rwb=rwb):
            yield from _score(battle, unit, rwb, window)
        case fx.RecruitFree(soldiers=soldiers):
            yield from _recruit_free(battle, unit, soldiers, award=award)
        case fx.FindFree():
            yield from _find_free(battle, unit)
        case fx.DrawAward():
            yield from draw_award(battle, unit)
        case fx.TakeVehicle():
            yield from _take_vehicle(battle, unit)
        case fx.TradeAnywhere():
            yield from _partner(battle, unit)
        case fx.FreeAdvance():
            turn.free_advance = True
        case fx.IgnoreMines():
            turn.ignore_mines = True
        case fx.CrossBarriers():
            turn.cutters_from = unit.sector
        case fx.LowerDef():
            yield from _lower(battle, unit, effect, award=award)
        case fx.ZeroDef():
            state.zeroed.append(unit.sector)
        case fx.Silence():
            yield from _silence(battle, unit, effect)
        case fx.IgnoreGuns():
            turn.ignore_guns = True
        case fx.ByHand(text=text):
            yield from ask(Show("dday_dice.card.by_hand", f"{battle.tag(unit)}{text}", rule=("DDD-069",)))


# --- resources


def _gain(battle: Battle, unit: Unit, gain: fx.Gain) -> Script[None]:
    amounts = {d: getattr(gain, d) for d in ("soldiers", "stars", "courage", "points") if getattr(gain, d)}
    if gain.one_of:
        options = tuple(Option(dial, f"+{amount} {dial.title()}") for dial, amount in amounts.items())
        question = Choose(
            "dday_dice.card.gain", f"{battle.tag(unit)}Which?", rule=("DDD-089",), options=options
        )
        dial = yield from ask(question)
        amounts = {dial: amounts[dial]}
    for dial, amount in amounts.items():
        setattr(unit, dial, getattr(unit, dial) + amount)


# --- the tally


def _add(battle: Battle, unit: Unit, add: fx.Add) -> Script[None]:
    colour = Colour.NONE
    if add.any_colour:
        colour = yield from upkeep.any_colour(battle, unit, add.face)
    unit.extra += [Result(add.face, colour)] * add.count


def choose_die(
    battle: Battle, unit: Unit, dice: Sequence[Die], text: str, rule: tuple[str, ...]
) -> Script[Die]:
    """One of a Unit's dice; not asked if there is but one."""
    if len(dice) == 1:
        return dice[0]
    options = tuple(Option(die.id, die.label) for die in dice)
    one = yield from ask(
        Choose("dday_dice.card.die", f"{battle.tag(unit)}{text}", rule=rule, options=options)
    )
    return next(die for die in dice if die.id == one)


def _face(battle: Battle, unit: Unit, text: str) -> Script[Face]:
    question = Choose("dday_dice.card.face", f"{battle.tag(unit)}{text}", rule=("DDD-R58",), options=_FACES)
    return Face((yield from ask(question)))


_FACES = tuple(Option(face.value, SHORT[face]) for face in FACES)
_COLOURS = {
    colour: tuple(
        Option(c.value, c.value) for c in (Colour.RED, Colour.WHITE, Colour.BLUE) if c is not colour
    )
    for colour in Colour
}


def recolour(battle: Battle, unit: Unit) -> Script[None]:
    """One die counts as another colour; its result stays."""
    die = yield from choose_die(battle, unit, unit.dice, "Which die changes colour?", ("DDD-R14",))
    question = Choose(
        "dday_dice.card.colour", f"{battle.tag(unit)}Which colour?", options=_COLOURS[die.colour]
    )
    die.colour = Colour((yield from ask(question)))


def _turn_die(battle: Battle, unit: Unit, effect: fx.TurnDie) -> Script[None]:
    dice = [die for die in unit.dice if not effect.blue_only or die.colour is Colour.BLUE]
    die = yield from choose_die(battle, unit, dice, "Which die is turned?", ("DDD-R58",))
    die.face = yield from _face(battle, unit, "To which result?")


def _turn_skulls(battle: Battle, unit: Unit) -> Script[None]:
    face = yield from _face(battle, unit, "All Skulls become?")
    for die in unit.dice:
        if die.face is Face.SKULL:
            die.face = face
    unit.extra = [Result(face, one.colour) if one.face is Face.SKULL else one for one in unit.extra]


def _copy_tally(battle: Battle, unit: Unit) -> Script[None]:
    """Another Unit's dice and card results in place of the own ones (DDD-R48)."""
    others = [other for other in battle.fighting() if other is not unit]
    other = yield from choose_unit(battle, unit, others, "Copy whose tally?", ("DDD-R48", "DDD-R49"))
    unit.dice = [Die(die.id, die.colour, die.face) for die in other.dice]
    unit.extra = list(other.extra)
    if not battle.options.copy_without_sector:
        unit.extra += [Result(face) for face in battle.place(other.sector).bonus]


def _score(battle: Battle, unit: Unit, rwb: Rwb, window: Window) -> Script[None]:
    """An RWB from a card, booked at once (DDD-R27)."""
    upkeep.score_now(battle, unit, rwb)
    if rwb is Rwb.FRESH_TROOPS:
        unit.soldiers += 6
    elif rwb is Rwb.BATTLE_CRY:
        yield from _battle_cry(battle, unit, window)
    elif rwb is Rwb.LEADERSHIP:
        yield from _leadership(battle, unit, window)


def _battle_cry(battle: Battle, unit: Unit, window: Window) -> Script[None]:
    options = [Option("soldiers", "+3 Soldiers")]
    if window in {Window.TALLY, Window.RECRUIT, Window.MOVE} and not unit.turn.moved:
        options.insert(0, Option("move", "move for free"))
    answer = "soldiers"
    if len(options) > 1:
        text = f"{battle.tag(unit)}Battle Cry! Which?"
        rule = ("DDD-050", "DDD-051", "DDD-R27")
        answer = yield from ask(Choose("dday_dice.card.battle_cry", text, rule=rule, options=tuple(options)))
    if answer == "move":
        unit.turn.battle_cry = True
    else:
        unit.soldiers += 3


def _leadership(battle: Battle, unit: Unit, window: Window) -> Script[None]:
    """A white result while the tally is open, or Courage for another Unit (DDD-R27)."""
    receivers = [unit] if battle.solo else battle.others(unit)
    options = list(_WHITES) if window is Window.TALLY else []
    if receivers:
        options.append(Option("courage2", "+2 Courage" if battle.solo else "+2 Courage to other"))
    answer = options[0].id
    if len(options) > 1:
        text = f"{battle.tag(unit)}Leadership! Add a white"
        rule = ("DDD-045", "DDD-047")
        answer = yield from ask(Choose("dday_dice.card.leadership", text, rule=rule, options=tuple(options)))
    if answer != "courage2":
        unit.extra.append(Result(Face(answer), Colour.WHITE))
        return
    other = yield from choose_unit(battle, unit, receivers, "2 Courage for?", ("DDD-047",))
    other.courage += 2


_WHITES = tuple(Option(face.value, f"W {SHORT[face]}") for face in FACES)


def choose_unit(
    battle: Battle, unit: Unit, units: Sequence[Unit], text: str, rule: tuple[str, ...]
) -> Script[Unit]:
    """One of some Units; not asked if there is but one."""
    if len(units) == 1:
        return units[0]
    options = tuple(Option(other.name, f"Unit {other.name}") for other in units)
    name = yield from ask(
        Choose("dday_dice.card.unit", f"{battle.tag(unit)}{text}", rule=rule, options=options)
    )
    return battle.unit(name)


# --- cards from cards


def recruits(battle: Battle, unit: Unit) -> list[str]:
    """The Specialists that a Unit could recruit, whatever they cost (DDD-076)."""
    return [*unit.hand, *battle.state.pool_specialists]


def take_specialist(battle: Battle, unit: Unit, name: str) -> Script[None]:
    """A Specialist joins the Unit out of its hand or the Pool (DDD-075, DDD-079)."""
    for cards in (unit.hand, battle.state.pool_specialists):
        if name in cards:
            cards.remove(name)
    unit.specialists.append(name)
    yield from trading_pool(battle, name)


def trading_pool(battle: Battle, name: str) -> Script[None]:
    """A solo Lieutenant brings six dice, rolled once (DDD-181, DDD-182)."""
    effects = battle.pack.specialist[name].effects
    if battle.solo and any(isinstance(effect, fx.SwapDice) for effect in effects):
        pool = full_set()
        text = "Lieutenant: roll six more dice, once"
        yield from throw(pool, range(6), "dday_dice.pool.roll", text, rule=("DDD-181", "DDD-182"))
        battle.state.trading_pool = pool


def _recruit_free(battle: Battle, unit: Unit, soldiers: int, *, award: bool) -> Script[None]:
    names = recruits(battle, unit)
    if not names:
        return
    options = tuple(Option(name, name, battle.pack.specialist[name].text) for name in names)
    question = Choose(
        "dday_dice.card.recruit", f"{battle.tag(unit)}Who joins?", rule=("DDD-R50",), options=options
    )
    name = yield from ask(question)
    unit.soldiers -= soldiers
    if not award and not battle.options.shoulder_patch_extra:
        unit.turn.recruited += 1
    yield from take_specialist(battle, unit, name)


def _find_free(battle: Battle, unit: Unit) -> Script[None]:
    names = battle.state.pool_items
    if not names:
        return
    options = tuple(Option(name, name, battle.pack.item[name].text) for name in names)
    question = Choose(
        "dday_dice.card.find", f"{battle.tag(unit)}Which Item?", rule=("DDD-073",), options=options
    )
    name = yield from ask(question)
    names.remove(name)
    unit.items.append(name)


def draw_award(battle: Battle, unit: Unit) -> Script[None]:
    """A random Award (DDD-066, DDD-071)."""
    deck = battle.state.award_deck
    if not deck:
        return
    options = tuple(Option(name, name, battle.award(name).source) for name in deck)
    question = Draw(
        "dday_dice.award.draw",
        f"{battle.tag(unit)}Draw an Award",
        rule=("DDD-066",),
        deck="dday_dice.awards",
        options=(*options, Option("new", "another card", copies=0)),
    )
    name = (yield from ask(question))[0]
    if name == "new":
        name = yield from learn(battle)
    upkeep.take_award(battle, unit, name)


def _take_vehicle(battle: Battle, unit: Unit) -> Script[None]:
    """A Vehicle that nobody has (DDD-093, DDD-099)."""
    taken = [other.vehicle for other in battle.state.units]
    names = [n for n in battle.pack.vehicle if n not in taken and n not in battle.state.vehicles_gone]
    if not names or unit.vehicle:
        return
    options = tuple(Option(name, name, battle.pack.vehicle[name].text) for name in names)
    text = f"{battle.tag(unit)}Which Vehicle?"
    question = Choose("dday_dice.card.vehicle", text, rule=("DDD-093",), options=options)
    unit.vehicle = yield from ask(question)


def _partner(battle: Battle, unit: Unit) -> Script[None]:
    others = [other for other in battle.fighting() if other is not unit]
    other = yield from choose_unit(battle, unit, others, "Trade with?", ("DDD-102",))
    unit.turn.partner = other.name
    other.turn.partner = unit.name


# --- combat


def _lower(battle: Battle, unit: Unit, effect: fx.LowerDef, *, award: bool) -> Script[None]:
    """The Sector's DEF is lower for every Unit there this turn (DDD-144)."""
    by = effect.by
    if effect.roll:
        text = f"{battle.tag(unit)}DEF is lower by a die"
        by += (yield from rolled(battle, "dday_dice.card.lower", text, ("DDD-R09",)))[0]
    state = battle.state
    lowered = state.lowered_by_award if award else state.lowered
    lowered[unit.sector] = lowered.get(unit.sector, 0) + by


def _neighbours_with_guns(battle: Battle, unit: Unit) -> list[str]:
    near = battle.field.neighbours(unit.sector)
    return sorted(name for name in near if battle.guns(name) and not battle.place(name).bunker)


def _silence(battle: Battle, unit: Unit, effect: fx.Silence) -> Script[None]:
    sector = unit.sector
    if effect.reach is fx.Reach.ADJACENT:
        options = tuple(Option(name, battle.label(name)) for name in _neighbours_with_guns(battle, unit))
        text = f"{battle.tag(unit)}Mortar: which Sector?"
        sector = yield from ask(Choose("dday_dice.card.mortar", text, rule=("DDD-R59",), options=options))
    (battle.state.silenced if effect.forever else battle.state.silent).append(sector)


# --- ordinary dice


def rolled(battle: Battle, key: str, text: str, rule: tuple[str, ...], count: int = 1) -> Script[list[int]]:
    """Roll ordinary dice, and let Binoculars turn them (DDD-R58)."""
    dice = yield from d6(key, text, rule, count)
    while holder := _binoculars(battle):
        unit, name = holder
        shown = " ".join(str(die) for die in dice)
        options = [Option("keep", "keep")]
        options += [
            Option(f"{n}:{to}", f"{die} to {to}")
            for n, die in enumerate(dice)
            for to in range(1, 7)
            if to != die
        ]
        question = Choose(
            "dday_dice.card.binoculars", f"{name}: turn {shown}?", rule=("DDD-R58",), options=tuple(options)
        )
        answer = yield from ask(question)
        if answer == "keep":
            break
        place, _, to = answer.partition(":")
        dice[int(place)] = int(to)
        unit.items.remove(name)
        battle.state.used_items.append(name)
    return dice


def _binoculars(battle: Battle) -> tuple[Unit, str] | None:
    for unit in battle.state.units:
        for name in unit.items:
            if any(isinstance(e, fx.TurnDie) and not e.blue_only for e in battle.pack.item[name].effects):
                return unit, name
    return None
