"""Cards that work on a Sector, a move or a Combat, for this turn (DDD-092, DDD-144)."""

from __future__ import annotations

from typing import TypeAlias

from companion.engine.asks import Choose, Option, Script, ask
from companion.games.dday_dice import effects as fx
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.losses import sacrifice
from companion.games.dday_dice.questions import choose_unit, rolled
from companion.games.dday_dice.state import Unit

ForTurn: TypeAlias = (
    fx.TradeAnywhere
    | fx.FreeAdvance
    | fx.IgnoreMines
    | fx.CrossBarriers
    | fx.LowerDef
    | fx.ZeroDef
    | fx.Silence
    | fx.IgnoreGuns
)


def work(battle: Battle, unit: Unit, effect: ForTurn, *, award: bool) -> Script[None]:
    """Put an effect in force until the turn ends; an Award's beats a fixed DEF (DDD-R85)."""
    match effect:
        case fx.TradeAnywhere():
            yield from _partner(battle, unit)
        case fx.FreeAdvance():
            unit.turn.free_advance = True
        case fx.IgnoreMines():
            unit.turn.ignore_mines = True
        case fx.CrossBarriers():
            unit.turn.cutters_from = unit.sector
        case fx.LowerDef():
            yield from _lower(battle, unit, effect, award=award)
        case fx.ZeroDef():
            battle.state.zeroed.append(unit.sector)
        case fx.Silence():
            yield from _silence(battle, unit, effect)
        case fx.IgnoreGuns():
            unit.turn.ignore_guns = True


def _partner(battle: Battle, unit: Unit) -> Script[None]:
    others = battle.fighting(but=unit)
    if not others:
        return
    other = yield from choose_unit(battle, unit, others, "Trade with?", ("DDD-102",))
    unit.turn.partner = other.name
    other.turn.partner = unit.name


def _lower(battle: Battle, unit: Unit, effect: fx.LowerDef, *, award: bool) -> Script[None]:
    """The Sector's DEF is lower for every Unit there this turn (DDD-144)."""
    by = effect.by
    if effect.roll:
        text = f"{battle.tag(unit)}Roll a die: DEF is lower by it"
        by += (yield from rolled(battle, "dday_dice.card.lower", text, ("DDD-R09",)))[0]
    state = battle.state
    lowered = state.lowered_by_award if award else state.lowered
    lowered[unit.sector] = lowered.get(unit.sector, 0) + by


def neighbours_with_guns(battle: Battle, unit: Unit) -> list[str]:
    """What a Mortar can silence: Sectors beside the Unit's, no Bunker."""
    near = battle.field.neighbours(unit.sector)
    return sorted(name for name in near if battle.guns(name) and not battle.place(name).bunker)


def silencers(battle: Battle, unit: Unit) -> list[Option]:
    """Who may give himself up to silence the guns here for good, for a menu; not in a Bunker (Grenadier)."""
    if not battle.guns(unit.sector) or battle.place(unit.sector).bunker:
        return []
    text = battle.pack.specialist
    names = battle.volunteers(unit, fx.Silence)
    return [Option(f"silence:{name}", f"{name}: guns off", text[name].text) for name in names]


def silence_for_good(battle: Battle, unit: Unit, name: str) -> Script[None]:
    """A Grenadier gives himself up (DDD-R44)."""
    yield from sacrifice(battle, unit, name)
    battle.state.silenced.append(unit.sector)


def _silence(battle: Battle, unit: Unit, effect: fx.Silence) -> Script[None]:
    sector = unit.sector
    if effect.reach is fx.Reach.ADJACENT:
        options = tuple(Option(name, battle.label(name)) for name in neighbours_with_guns(battle, unit))
        if not options:
            return
        text = f"{battle.tag(unit)}Mortar: which Sector?"
        sector = yield from ask(Choose("dday_dice.card.mortar", text, rule=("DDD-R59",), options=options))
    (battle.state.silenced if effect.forever else battle.state.silent).append(sector)
