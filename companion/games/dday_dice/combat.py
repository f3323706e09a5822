"""Phase 5: DEF, guns, Special Damage, casualties; who is safe in the Bunker (DDD-140 to DDD-170)."""

from __future__ import annotations

from functools import partial

import msgspec

from companion.engine.asks import Choose, Option, Script, Show, ask, offered
from companion.games.dday_dice import cards, losses, odds, sector_cards, trading
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.cards import Window
from companion.games.dday_dice.effects import IgnoreDamage, Silence
from companion.games.dday_dice.losses import FALLS, fall
from companion.games.dday_dice.questions import DONE, rolled
from companion.games.dday_dice.records import Damage, Training
from companion.games.dday_dice.setup import dials
from companion.games.dday_dice.state import Status, Unit
from companion.wording import counted

_LOSSES = ("DDD-162", "DDD-163", "DDD-164")
_SAFE = ("DDD-166", "DDD-167", "DDD-168")


def combat(battle: Battle) -> Script[None]:
    """Everybody fights, every turn (DDD-162)."""
    yield from _windows(battle, Window.COMBAT)
    for sector in dict.fromkeys(unit.sector for unit in battle.fighting()):
        yield from _machine_guns(battle, sector)
    for unit in battle.fighting():
        yield from _extra_losses(battle, unit)
    yield from _windows(battle, Window.LOSSES)
    report = [*_lost_on_the_way(battle), *(yield from _fights(battle))]
    safe = _enter_bunkers(battle)
    report += safe
    if report:
        text = "\n".join(report)
        detail = "\n".join(_table(battle, unit) for unit in battle.state.units)
        rule = (*_LOSSES, *("DDD-083",) * (FALLS in text), *_SAFE * bool(safe))
        yield from ask(Show("dday_dice.combat", text, detail, rule))


def _table(battle: Battle, unit: Unit) -> str:
    """A Unit's dials, and in play its marker, as they have to be after a turn."""
    text = battle.tag(unit) + dials(unit)
    if unit.status is not Status.FIGHTING:
        return text
    return f"{text}. {battle.label(unit.sector)}, marker: {battle.marker(unit)}"


def _lost_on_the_way(battle: Battle) -> list[str]:
    """Units that were wiped out this turn before any Combat, in a training that the others go on with."""
    lost = (unit for unit in battle.state.units if unit.status is Status.LOST and unit.turn.moved)
    return [battle.tag(unit) + "; ".join([*unit.turn.news, "wiped out on the way"]) for unit in lost]


def _fights(battle: Battle) -> Script[list[str]]:
    """All at once: what each loses is known before anybody falls (DDD-014)."""
    report = []
    for unit, loss in [(unit, _loss(battle, unit)) for unit in battle.fighting()]:
        line = yield from fight(battle, unit, loss)
        report.append(line)
    return report


# --- before and after the guns


def _windows(battle: Battle, window: Window) -> Script[None]:
    """Everybody in turn, and once more who was given something to use or to pass on (DDD-107, DDD-108)."""
    waiting = battle.fighting()
    known: dict[str, set[str]] = {}
    while waiting:
        for unit in waiting:
            yield from _window(battle, unit, window)
            known[unit.name] = _ids(battle, unit, window)
        # One that an override has brought back into play was not asked yet.
        waiting = [u for u in battle.fighting() if _ids(battle, u, window) - known.get(u.name, set())]


def _ids(battle: Battle, unit: Unit, window: Window) -> set[str]:
    return {option.id for option in _options(battle, unit, window)}


def _window(battle: Battle, unit: Unit, window: Window) -> Script[None]:
    """Cards and trades (DDD-091, DDD-107)."""
    while len(_options(battle, unit, window)) > 1:
        answer = yield from ask(partial(_question, battle, unit, window))
        what, _, name = answer.partition(":")
        if what == "done":
            return
        if what == "use":
            yield from cards.use_item(battle, unit, name, window)
        elif what == "silence":
            yield from sector_cards.silence_for_good(battle, unit, name)
        else:
            yield from trading.give(battle, unit)


def _question(battle: Battle, unit: Unit, window: Window) -> Choose:
    options = tuple(_options(battle, unit, window))
    where = f"{battle.tag(unit)}{battle.label(unit.sector)}"
    use = "Trade?" if all(option in trading.options(battle, unit) for option in options[1:]) else "Use?"
    detail = "\n".join([trading.totals(battle, unit), *battle.happened()])
    if window is Window.COMBAT:
        text = f"{where}: {_ahead(battle, unit)}. {use}"
        return Choose("dday_dice.combat.before", text, detail, ("DDD-091", "DDD-R59"), options=options)
    text = f"{where}: {_will_fall(battle, unit)}{_in_danger(battle)}. {use}"
    return Choose("dday_dice.combat.after", text, detail, ("DDD-091", "DDD-108"), options=options)


def _ahead(battle: Battle, unit: Unit) -> str:
    """What a Combat will be, the die for more losses too (DDD-272, DDD-284)."""
    if battle.shelling_alone(unit.sector):
        return "1d6 alone"
    more = ", 1d6 more" if battle.shelled(unit, unit.sector) else ""
    return f"DEF {_defence(battle, unit)}, {counted(battle.guns(unit.sector), 'gun')}{more}"


def due(battle: Battle, unit: Unit) -> int:
    """How many will fall now that the guns have fired, if nothing is done about it."""
    return losses.due(battle, unit, _loss(battle, unit))


def _will_fall(battle: Battle, unit: Unit) -> str:
    """That in words, with Special Damage, which comes first: a Medic whom it takes saves nobody."""
    sixes, loss = _harmful(battle, unit), _loss(battle, unit)
    if battle.place(unit.sector).damage is Damage.COURAGE:
        lost = min(sixes, unit.courage)
        more = f"-{lost} Courage"
    else:
        lost = min(sixes, len(unit.specialists))
        more = f"-{counted(lost, 'Specialist')}"
        if lost == len(unit.specialists):
            unit = msgspec.structs.replace(unit, specialists=[])
    return f"{losses.due(battle, unit, loss)} will fall" + (f", {more} first" if lost else "")


def _in_danger(battle: Battle) -> str:
    """Who would be lost: who can help may be asked before that Unit, or instead of it (DDD-108)."""
    names = [one.name for one in battle.fighting() if odds.doomed(battle, one, due(battle, one))]
    who = "the Unit" if battle.solo else ", ".join(names)
    return f"; {who} would be lost" if names else ""


def _options(battle: Battle, unit: Unit, window: Window) -> list[Option]:
    options = [DONE]
    options += cards.uses(battle, unit, window)
    if window is Window.LOSSES or _sends_before_the_guns(battle, unit):
        options += trading.options(battle, unit)
    if window is Window.LOSSES:
        return options
    return options + sector_cards.silencers(battle, unit)


def _sends_before_the_guns(battle: Battle, unit: Unit) -> bool:
    """By Carrier Pigeon, where guns will fire: a Grenade or Mortar; all else can wait (DDD-107)."""
    afar = any(one.sector != unit.sector for one in trading.partners(battle, unit))
    fire = any(battle.guns(one.sector) for one in battle.fighting())
    effects = (effect for name in unit.items for effect in battle.pack.item[name].effects)
    return afar and fire and any(isinstance(effect, Silence) for effect in effects)


# --- machine guns


def _machine_guns(battle: Battle, sector: str) -> Script[None]:
    """One roll for the whole Sector, a die for each symbol (DDD-147, DDD-148, DDD-150)."""
    guns = battle.guns(sector)
    if guns:
        text = f"{battle.label(sector)}: machine guns, roll {counted(guns, 'die', 'dice')}"
        rule = ("DDD-147", "DDD-148", "DDD-150")
        dice = yield from rolled(battle, "dday_dice.guns", text, rule, guns, "\n".join(battle.happened()))
        battle.state.guns[sector] = dice[: battle.guns(sector)]  # silenced by hand since, none counts


def _defence(battle: Battle, unit: Unit) -> int:
    return battle.defence(unit, unit.sector, battle.combats_for_def(unit))


def _loss(battle: Battle, unit: Unit) -> int:
    """DEF and machine guns together (DDD-163), and the die for more, if there is one (DDD-R65)."""
    extra = unit.turn.extra_losses if battle.shelled(unit, unit.sector) else 0
    if extra and battle.shelling_alone(unit.sector):
        return extra
    guns = [] if unit.turn.ignore_guns else battle.state.guns.get(unit.sector, [])
    return _defence(battle, unit) + sum(guns) + extra


def _extra_losses(battle: Battle, unit: Unit) -> Script[None]:
    """A die for more losses, rolled while cards and trades can still help (DDD-091, DDD-R65)."""
    if battle.shelled(unit, unit.sector):
        text = f"{battle.tag(unit)}{battle.label(unit.sector)}: roll a die for more losses"
        rule = "DDD-272" if battle.place(unit.sector).losses_d6 else "DDD-284"
        dice = yield from rolled(battle, "dday_dice.combat.extra", text, (rule,))
        unit.turn.extra_losses = dice[0]


# --- casualties


def fight(battle: Battle, unit: Unit, loss: int) -> Script[str]:
    """One Unit's losses, `loss` without Special Damage; returns a line about them and its other news."""
    words = yield from _losses(battle, unit, loss)
    return battle.tag(unit) + "; ".join([*unit.turn.news, words])


def _losses(battle: Battle, unit: Unit, loss: int) -> Script[str]:
    yield from _special_damage(battle, unit)
    lost = yield from losses.suffer(battle, unit, loss, "combat", rule=("DDD-082", "DDD-163", "DDD-164"))
    unit.combats += 1
    if unit.status is Status.LOST:
        return f"{lost} lost: wiped out in {battle.label(unit.sector)}"
    return f"{lost} lost, {counted(unit.soldiers, 'Soldier')} left"


def _special_damage(battle: Battle, unit: Unit) -> Script[None]:
    """Each 6 does its harm beside the losses (DDD-151 to DDD-154)."""
    damage = battle.place(unit.sector).damage
    for _ in range(_harmful(battle, unit)):
        if damage is Damage.COURAGE and unit.courage:
            unit.courage -= 1
            unit.turn.news.append("-1 Courage")
        elif damage is Damage.SPECIALIST and unit.specialists:
            fall(unit, (yield from offered(partial(_who_is_hit, battle, unit))))


def _harmful(battle: Battle, unit: Unit) -> int:
    """How many 6s do Special Damage to the Unit."""
    unharmed = unit.turn.ignore_guns or battle.abilities(unit, IgnoreDamage)
    if unharmed or not battle.place(unit.sector).damage:
        return 0
    return battle.state.guns.get(unit.sector, []).count(6)


def _who_is_hit(battle: Battle, unit: Unit) -> Choose:
    """Which Specialist the Special Damage takes: the player's choice (DDD-152, DDD-234)."""
    options = tuple(Option(name, name) for name in unit.specialists)
    text = f"{battle.tag(unit)}Special Damage: who falls?"
    return Choose("dday_dice.combat.damage", text, rule=("DDD-152", "DDD-234"), options=options)


# --- the Bunker


def _enter_bunkers(battle: Battle) -> list[str]:
    """Who survived a first Combat in a Bunker has taken it, and is safe (DDD-166 to DDD-169); in words."""
    words = []
    for unit in battle.fighting():
        if not battle.place(unit.sector).bunker or unit.sector in unit.taken:
            continue
        unit.taken.append(unit.sector)
        taken = battle.state.bunkers_taken
        taken.setdefault(unit.sector, battle.state.turn)
        unit.first_in = unit.first_in or min(taken.values()) == battle.state.turn
        unit.bunker = unit.sector
        if goes_on(battle, unit):
            words.append(f"{battle.tag(unit)}{battle.label(unit.sector)} is taken")
        else:
            leave_play(battle, unit)
            safe = f"{battle.tag(unit)}safe in {battle.label(unit.sector)}"
            words.append(", ".join(filter(None, (safe, _beside(battle, unit)))))
    return words


def _beside(battle: Battle, unit: Unit) -> str:
    """What a safe Unit's Specialists do for those who are still on their way (DDD-168)."""
    count = _laid(battle, unit)
    return (
        f"its Specialists go beside the Bunker: DEF -{count}" if count and battle.fighting(but=unit) else ""
    )


def _laid(battle: Battle, unit: Unit) -> int:
    each = battle.options.paratrooper_counts
    return sum(min(battle.counts(name), each) for name in unit.specialists)


def goes_on(battle: Battle, unit: Unit) -> bool:
    """Whether a Unit has another Bunker to take: alone on Gold, or if it likes in Deadstick (DDD-254)."""
    if battle.scenario.bunkers_all and battle.solo:
        return len(unit.taken) < len(battle.field.bunkers)
    return battle.scenario.two_boards and unit.sector.startswith("M")


def staying_safe(battle: Battle, unit: Unit) -> Option:
    """To leave play in Merville's Bunker instead of going on (DDD-325)."""
    left = [] if battle.fighting(but=unit) else battle.bunkers_wanted()
    return Option("safe", "stay safe", battle.never_taken(left[0]) if left else _beside(battle, unit))


def leave_play(battle: Battle, unit: Unit) -> None:
    """Safe: no more dice, no more damage; its Specialists lower the DEF from the next turn on (DDD-167)."""
    unit.status = Status.SAFE
    laid = battle.state.laid
    laid[unit.sector] = laid.get(unit.sector, 0) + _laid(battle, unit)


def lost(battle: Battle) -> bool:
    """Whether a loss ends the game: in the trainings only if nobody is left (DDD-002, DDD-221, DDD-R75)."""
    gone = [unit for unit in battle.state.units if unit.status is Status.LOST]
    if battle.training is Training.FULL:
        return bool(gone)
    return len(gone) == len(battle.state.units)
