"""The end: won or lost, and Victory Points (DDD-166, DDD-171, DDD-198 to DDD-208)."""

from __future__ import annotations

import re

from companion.engine.game import Outcome, Result
from companion.games.dday_dice import combat
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.records import Training
from companion.games.dday_dice.state import Phase, Status, Unit
from companion.wording import counted


def victory_points(battle: Battle, unit: Unit) -> int:
    """One player's Victory Points, after a victory as after a defeat."""
    return sum(_scored(battle, unit).values())


def counted_up(battle: Battle) -> str:
    """What each player's Victory Points come of, a line for each; the weakest counts for all (DDD-208)."""
    lines = [] if battle.solo else ["The lowest VP count for all."]
    for unit in battle.state.units:
        parts = ", ".join(f"{what}: {points}" for what, points in _scored(battle, unit).items() if points)
        lines.append(
            f"{battle.tag(unit)}{victory_points(battle, unit)} VP" + (f" - {parts}" if parts else "")
        )
    return "\n".join(lines)


def _scored(battle: Battle, unit: Unit) -> dict[str, int]:
    """The Victory Points of one player by what they are for.

    A Specialist is 3, a Paratrooper may count as his 6 Soldiers (DDD-R39).
    """
    each, sector = battle.options.paratrooper_counts, last_sector(battle, unit)
    return {
        "Bunker": 20 * bool(unit.bunker),
        "first into it": 20 * (bool(unit.bunker) and unit.first_in),
        f"Sector {sector}": 10 * sector,
        counted(unit.soldiers, "Soldier"): unit.soldiers,
        f"{unit.courage} Courage": 2 * unit.courage,
        counted(len(unit.specialists), "Specialist"): sum(
            max(3, min(battle.counts(name), each)) for name in unit.specialists
        ),
        counted(unit.awards_earned, "Award"): 10 * unit.awards_earned,
    }


def last_sector(battle: Battle, unit: Unit) -> int:
    """The number of the Sector visited last before the Bunker (DDD-201, DDD-R90)."""
    for name in (unit.sector, *reversed(unit.visited)):
        if not battle.field.sectors[name].bunker:
            return int(re.sub(r"\D", "", name) or 0)
    return 0


def over(battle: Battle) -> Outcome | None:
    """The outcome, if there is one."""
    if combat.lost(battle):
        return _outcome(battle, Result.LOST, _how_lost(battle))
    if battle.fighting():
        return None
    if missed := battle.bunkers_wanted():
        return _outcome(battle, Result.LOST, f"{battle.label(missed[0])} was not taken")
    lost = any(unit.status is Status.LOST for unit in battle.state.units)
    several = "all who are left are in the Bunker" if lost else "all are in the Bunker"
    return _outcome(battle, Result.WON, "the Bunker is taken" if battle.solo else several)


def ended_by(battle: Battle, outcome: Outcome) -> tuple[str, ...]:
    """By which rules it was won, or lost, and the points were counted (DDD-198)."""
    how: tuple[str, ...] = ("DDD-171",)
    if outcome.result is Result.WON:
        how = ("DDD-166", "DDD-170")
    elif not combat.lost(battle):
        how = ("DDD-249",) if battle.scenario.bunkers_all else ("DDD-R87",)
    elif "stuck" in outcome.reason:
        how = ("DDD-172",)
    return (*how, "DDD-198", *(() if battle.solo else ("DDD-208",)))


def _how_lost(battle: Battle) -> str:
    """Where and how: in a Sector, at the mines on its way, or for want of a way (DDD-120).

    The Units of a training may have fallen in different turns (DDD-R75).
    """
    if not battle.solo and battle.training is not Training.FULL:
        return "no Unit is left"
    gone = next(unit for unit in battle.state.units if unit.status is Status.LOST)
    where = battle.label(gone.sector)
    how = f"wiped out in {where}"
    if battle.state.phase is Phase.MOVE and not gone.turn.entered:
        if gone.turn.moved:
            how = f"wiped out on the way from {where}"
        elif battle.must_move(gone):
            how = f"stuck in {where}"
    return how if battle.solo else f"Unit {gone.name} was {how}"


def _outcome(battle: Battle, result: Result, reason: str) -> Outcome:
    """The group's points are those of its weakest player (DDD-208)."""
    units = battle.state.units
    score = {"vp": min(victory_points(battle, unit) for unit in units), "turns": battle.state.turn}
    if not battle.solo:
        score |= {f"vp {unit.name}": victory_points(battle, unit) for unit in units}
    return Outcome(result, reason, score)
