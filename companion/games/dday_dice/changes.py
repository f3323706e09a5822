"""The end of Phase 1: what may change a Final Tally once the dice have been rolled (DDD-R14)."""

from __future__ import annotations

from functools import partial

from companion.engine.asks import Choose, Option, Script, ask
from companion.games.dday_dice import cards, trading
from companion.games.dday_dice.awards import described
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.cards import Window
from companion.games.dday_dice.dice import line
from companion.games.dday_dice.effects import KeepTally, Recolour, SwapDice
from companion.games.dday_dice.final_tally import worth
from companion.games.dday_dice.losses import sacrifice
from companion.games.dday_dice.questions import LATER, choose_die, choose_unit, in_any_order
from companion.games.dday_dice.state import Unit
from companion.games.dday_dice.tally_cards import recolour
from companion.games.dday_dice.upkeep import reading, with_cards


def all_changes(battle: Battle) -> Script[None]:
    """Every Unit's changes; one may wait, say to copy a tally that another still changes (DDD-R48)."""
    yield from in_any_order(battle.fighting(), partial(changes, battle), partial(_ids, battle))


def changes(battle: Battle, unit: Unit, later: bool = False) -> Script[str]:
    """Awards, Captain, Items and Lieutenant, in the order the player likes, until done.

    Who has nothing to change waits for what another may give (DDD-107).
    """
    while len(_options(battle, unit)) > 1:
        answer = yield from ask(partial(_question, battle, unit, later=later))
        what, _, name = answer.partition(":")
        if what in {"done", LATER.id}:
            return what
        yield from _carry_out(battle, unit, what, name)
    return LATER.id


def _question(battle: Battle, unit: Unit, *, later: bool) -> Choose:
    text = f"{battle.tag(unit)}Change the tally? {line(unit.dice)}"
    options = (*_options(battle, unit), *((LATER,) if later else ()))
    detail = worth(with_cards(battle, unit), reading(battle, unit))
    if battle.place(unit.sector).costs_in_upkeep:
        detail = f"{detail}; {battle.label(unit.sector)}: {battle.printed(unit.sector)}"
    if any(option.id == "give" for option in options):
        detail = f"{detail}\n{trading.totals(battle, unit)}"
    told = "\n".join([detail, *battle.happened()])
    return Choose("dday_dice.tally.change", text, told, ("DDD-R14",), options=options)


def _ids(battle: Battle, unit: Unit) -> set[str]:
    return {option.id for option in _options(battle, unit)} - {"give"}


def _options(battle: Battle, unit: Unit) -> tuple[Option, ...]:
    options = [Option("done", "as it lies")]
    playable = [name for name in unit.awards if cards.works(battle, unit, name)]
    options += [Option(f"award:{n}", n, f"{described(battle, n)}, then out of the game") for n in playable]
    options += cards.uses(battle, unit, Window.TALLY)
    if not unit.turn.recoloured and battle.abilities(unit, Recolour):
        options.append(Option("captain", "Captain: a colour"))
    if _can_swap(battle, unit):
        options.append(Option("swap", "Lieutenant: swap a die"))
    specialist = battle.pack.specialist
    photographers = [] if unit.keeps_tally else battle.volunteers(unit, KeepTally)
    options += [Option(f"keep:{name}", name, specialist[name].text) for name in photographers]
    near = (unit, *trading.partners(battle, unit))
    if unit.items or any(battle.place(one.sector).costs_in_upkeep for one in near):
        options += trading.options(battle, unit)
    return tuple(options)


def _carry_out(battle: Battle, unit: Unit, what: str, name: str) -> Script[None]:
    if what == "award":
        yield from cards.play_award(battle, unit, name)
    elif what == "use":
        yield from cards.use_item(battle, unit, name, Window.TALLY)
    elif what == "captain":
        unit.turn.recoloured = True
        yield from recolour(battle, unit, unit)
    elif what == "swap":
        yield from _swap(battle, unit)
    elif what == "keep":
        if not unit.turn.cards_in:
            unit.extra += battle.added(unit)
        unit.turn.cards_in = unit.keeps_tally = True
        yield from sacrifice(battle, unit, name)
    else:
        yield from trading.give(battle, unit)


# --- the Lieutenant's dice trade (DDD-109 to DDD-112, DDD-181 to DDD-186)


def _can_swap(battle: Battle, unit: Unit) -> bool:
    if unit.turn.swapped or not battle.owns(SwapDice):
        return False
    return bool(battle.state.trading_pool) if battle.solo else bool(_swappers(battle, unit))


def _swappers(battle: Battle, unit: Unit) -> list[Unit]:
    return [other for other in battle.fighting(but=unit) if not other.turn.swapped]


def _swap(battle: Battle, unit: Unit) -> Script[None]:
    if battle.solo:
        yield from _swap_with_pool(battle, unit)
        return
    others = _swappers(battle, unit)
    other = yield from choose_unit(battle, unit, others, "Swap with?", ("DDD-109", "DDD-110"))
    mine = yield from choose_die(battle, unit, unit.dice, "Give which die?", ("DDD-111",))
    theirs = yield from choose_die(battle, other, other.dice, "Give which die?", ("DDD-111",))
    mine.colour, theirs.colour = theirs.colour, mine.colour
    mine.face, theirs.face = theirs.face, mine.face
    for one in (unit, other):
        one.turn.swapped = one.dice_swapped = True


def _swap_with_pool(battle: Battle, unit: Unit) -> Script[None]:
    """Alone: one die of the pool for one of the tally, whatever the colours (DDD-183 to DDD-185)."""
    pool = battle.state.trading_pool
    mine = yield from choose_die(battle, unit, unit.dice, "Put which die aside?", ("DDD-183", "DDD-185"))
    taken = yield from choose_die(battle, unit, pool, "Take which die?", ("DDD-184", "DDD-185"))
    pool.remove(taken)
    mine.colour, mine.face = taken.colour, taken.face
    unit.turn.swapped = unit.dice_swapped = True
