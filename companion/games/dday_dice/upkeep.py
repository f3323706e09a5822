"""Phase 2: the Final Tally with all that the table adds to it; RWBs, Award, dials, marker."""

from __future__ import annotations

from functools import partial

from companion.engine.asks import Choose, Option, Script, Show, ask, offered
from companion.games.dday_dice import losses, trading
from companion.games.dday_dice.awards import choose_award
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.dice import IN_WORDS, Colour, Face, Result, results
from companion.games.dday_dice.effects import RWB_NAMES, Event, Gain, IgnoreSkull, Rwb
from companion.games.dday_dice.final_tally import (
    GIVEN,
    Gains,
    Reading,
    Settled,
    is_straight,
    most_of_a_kind,
    pays,
    settle,
)
from companion.games.dday_dice.questions import any_colour, until_restated, weakest
from companion.games.dday_dice.records import Training
from companion.games.dday_dice.setup import dials
from companion.games.dday_dice.state import DIAL_NAMES, Status, Unit, gained

WORTHLESS = {
    Training.FULL: frozenset[Face](),
    Training.BASIC: frozenset({Face.TOOL}),
    Training.PRACTICE: frozenset({Face.SKULL, Face.STAR, Face.TOOL}),
}
"""Results that count for nothing (DDD-219, DDD-227)."""
OF_A_KIND = 4
_BY = {
    Rwb.GIFT: ("DDD-043", "DDD-044"),
    Rwb.LEADERSHIP: ("DDD-045", "DDD-047"),
    Rwb.REINFORCEMENTS: ("DDD-048",),
    Rwb.FRESH_TROOPS: ("DDD-049",),
    Rwb.BATTLE_CRY: ("DDD-050", "DDD-051"),
    Rwb.SPECIAL_FIND: ("DDD-055", "DDD-056"),
}
"""The rules of each bonus."""
_FACE_RULES = {
    "1 arrow": ("DDD-061", "DDD-062"),
    "2 arrows": ("DDD-063",),
    "shield": ("DDD-064", "DDD-128"),
}
"""Those of the marker's faces, but for chevrons."""


def upkeep(battle: Battle, *units: Unit) -> Script[None]:
    """Phase 2: what Sectors take, they take when all have collected (DDD-014, DDD-057, DDD-058).

    Then come the straights, by which several Units may want the same Award (DDD-174).
    """
    owing: list[tuple[Unit, Settled, list[str], int]] = []
    straights: list[tuple[Unit, Settled, list[str]]] = []
    wait = battle.options.straights == "weakest" and bool(battle.state.award_deck)
    for unit in units:
        settled, words = yield from _score(battle, unit)
        if lost := _sector_losses(battle, unit, settled):
            owing.append((unit, settled, words, lost))
        elif wait and _is_straight(battle, settled):
            straights.append((unit, settled, words))
        else:
            yield from _finish(battle, unit, settled, words)
    for unit, settled, words, lost in owing:
        before, unit.turn.news = unit.turn.news, []
        due, rule = losses.due(battle, unit, lost), ("DDD-262", "DDD-286")
        text = f"{due} will fall to the Sector. Help?"
        needed = due if unit.specialists else due + 1
        yield from trading.help_out(battle, unit, needed, text, ("DDD-107", *rule))
        fallen = yield from losses.suffer(battle, unit, lost, "upkeep", rule=rule)
        end = ": wiped out" if unit.status is Status.LOST else ""
        told = "; ".join([*unit.turn.news, f"{fallen} lost to the Sector{end}"])
        unit.turn.news = before
        words.append(f"({told})")
        if wait and unit.status is Status.FIGHTING and _is_straight(battle, settled):
            straights.append((unit, settled, words))
        else:
            yield from _finish(battle, unit, settled, words)
    while straights:
        text = "A tie: whose straight takes its Award first?"
        first = yield from weakest(battle, [unit for unit, _, _ in straights], text)
        at = next(at for at, (unit, _, _) in enumerate(straights) if unit is first)
        yield from _finish(battle, *straights.pop(at))


def _score(battle: Battle, unit: Unit) -> Script[tuple[Settled, list[str]]]:
    """A Unit's tally settled and collected; with what happened in words."""
    once = partial(_settle, battle, unit)  # anew as soon as the tally is set right by hand
    settled, read = yield from until_restated(partial(_basis, battle, unit), once)
    unit.turn.scored += settled.scored
    unit.turn.skulls = sum(1 for one in settled.results if one.face is Face.SKULL)
    unit.turn.climbed = battle.place(unit.sector).climb_skulls > 0
    unit.turn.special_finds += settled.finds
    unit.turn.battle_cry = unit.turn.battle_cry or settled.cry_move
    return settled, _collect(battle, unit, settled, read)


def _basis(battle: Battle, unit: Unit) -> tuple[object, ...]:
    """What a tally is settled by."""
    return with_cards(battle, unit), reading(battle, unit), battle.place(unit.sector)


def _settle(battle: Battle, unit: Unit) -> Script[tuple[Settled, Reading]]:
    """The tally settled, and how it was read."""
    tally = yield from final_tally(battle, unit)
    read = reading(battle, unit)
    return (yield from settle(tally, read)), read


def _finish(battle: Battle, unit: Unit, settled: Settled, words: list[str]) -> Script[None]:
    if _is_straight(battle, settled):
        yield from _straight(battle, unit, words)
    turn_marker(battle, unit)
    rule = ("DDD-058", *(one for rwb in settled.scored for one in _BY[rwb]), *_turned_by(battle, unit))
    yield from ask(lambda: _summary(battle, unit, words, rule))


def _turned_by(battle: Battle, unit: Unit) -> tuple[str, ...]:
    """Why the marker shows the face that it does (DDD-R04)."""
    if battle.place(unit.sector).no_time_limit:
        return ("DDD-310",)
    return _FACE_RULES.get(battle.marker(unit), ("DDD-060",))


def _is_straight(battle: Battle, settled: Settled) -> bool:
    return battle.full and is_straight(settled.results)


# --- the tally


def final_tally(battle: Battle, unit: Unit) -> Script[list[Result]]:
    """Dice and cards, then what the Sector adds and takes away (DDD-R14)."""
    tally = with_cards(battle, unit)
    if battle.training is Training.PRACTICE:
        return [one for one in tally if one.face not in WORTHLESS[battle.training]]
    place = battle.place(unit.sector)
    tally += [Result(face) for face in place.bonus]
    for face in place.bonus_any_colour:
        tally.append(Result(face, (yield from any_colour(battle, unit, face))))
    for face in dict.fromkeys(place.penalty):
        yield from _penalty(battle, unit, tally, face, place.penalty.count(face))
    return tally


def with_cards(battle: Battle, unit: Unit) -> list[Result]:
    """The dice as they lie, and what Items, Specialists and Vehicles add to them."""
    return results(unit.dice) + unit.extra + ([] if unit.turn.cards_in else battle.added(unit))


def _penalty(battle: Battle, unit: Unit, tally: list[Result], face: Face, count: int) -> Script[None]:
    """So many such results go, if there are as many (DDD-138, DDD-139).

    Where some stay, which go is the player's choice: a Skull can cancel a die, and nothing from a card.
    """
    skulls = any(one.face is Face.SKULL for one in tally)
    for left in range(count, 0, -1):
        places = [place for place, one in enumerate(tally) if one.face is face]
        if len(places) <= left:
            tally[:] = [one for one in tally if one.face is not face]
            return
        found = {_told(tally[place], skulls=skulls): place for place in places}
        options = tuple(Option(str(place), label) for label, place in found.items())
        text, rule = f"{battle.tag(unit)}Sector: -1 {IN_WORDS[face]}. Which?", ("DDD-138",)
        place = yield from offered(Choose("dday_dice.tally.penalty", text, rule=rule, options=options))
        del tally[int(place)]


def _told(one: Result, *, skulls: bool) -> str:
    from_card = skulls and one.die < 0 and one.colour is not Colour.NONE
    return f"{one.label}, no die" if from_card else one.label


def reading(battle: Battle, unit: Unit) -> Reading:
    """How the table reads this Unit's tally."""
    options, place = battle.options, battle.place(unit.sector)
    return Reading(
        who=battle.tag(unit),
        solo=battle.solo,
        others=tuple(other.name for other in battle.others(unit)),
        harmless=sum(e.count for e in battle.abilities(unit, IgnoreSkull)),
        rwb=battle.training is not Training.PRACTICE or options.practice_rwb,
        battle_cry=not place.no_battle_cry,
        finds=not place.no_find_items and _is_to_be_found(battle),
        worthless=WORTHLESS[battle.training],
        cancel_before_rwb=options.cancel_before_rwb,
        virtual_skulls_cancel=options.virtual_skulls_cancel,
    )


def _is_to_be_found(battle: Battle) -> bool:
    """Whether a used Item can be had, or one that a Unit still has, should it be used before (DDD-091)."""
    held = (name for unit in battle.fighting() for name in unit.items)
    return bool(findable(battle)) or any(_can_be_found(battle, name) for name in held)


def findable(battle: Battle) -> list[str]:
    """The used Items that Special Find can take (DDD-055)."""
    return [name for name in battle.state.used_items if _can_be_found(battle, name)]


def _can_be_found(battle: Battle, name: str) -> bool:
    """Once it was used, whether a Sector kept it or not (DDD-R29)."""
    return battle.options.special_find_reserved or name not in battle.state.reserved


# --- what comes of it


def _collect(battle: Battle, unit: Unit, settled: Settled, read: Reading) -> list[str]:
    """Turn the dials (DDD-058); returns what happened in words."""
    gains = pays(settled, read)
    gifts = []
    for to, rwb in settled.given:
        if to:
            gift, other = GIVEN[rwb], battle.unit(to)
            other.soldiers += gift.soldiers
            other.courage += gift.courage
            gifts.append(f"({to} +{gift.soldiers} Sold)" if gift.soldiers else f"({to} +{gift.courage} Co)")
    for gain in battle.abilities(unit, Gain):
        if gain.on is Event.LOCKED_SKULL:
            gains.soldiers += unit.turn.locked_skulls * gain.soldiers
        elif gain.on is Event.TURN:
            for dial in DIAL_NAMES:
                setattr(gains, dial, getattr(gains, dial) + getattr(gain, dial))
    for_rwbs = _for_rwbs(battle, unit, len(settled.scored))
    gains.soldiers += for_rwbs.soldiers + _of_a_kind(battle, unit, settled)
    gains.courage += for_rwbs.courage
    unit.soldiers += gains.soldiers
    unit.stars += gains.stars
    unit.courage += gains.courage
    unit.points += gains.points
    words = [RWB_NAMES[rwb] + "!" for rwb in settled.scored]
    dials = {"Sold": gains.soldiers, "St": gains.stars, "Co": gains.courage, "IP": gains.points}
    words += [f"+{more} {dial}" for dial, more in dials.items() if more]
    return [*words, *gifts] or ["Nothing gained"]


def _for_rwbs(battle: Battle, unit: Unit, count: int) -> Gains:
    """What Veteran, Chaplain and a Rallying Point pay for RWBs scored (DDD-R26, DDD-289)."""
    gains = Gains(soldiers=count * battle.place(unit.sector).rwb_soldiers)
    for gain in battle.abilities(unit, Gain) if count else ():
        if gain.on is Event.RWB:
            gains.soldiers += count * gain.soldiers
            gains.courage += count * gain.courage
    return gains


def _of_a_kind(battle: Battle, unit: Unit, settled: Settled) -> int:
    """Soldiers for four of a kind, once however many more there are (DDD-246 to DDD-248)."""
    soldiers = battle.place(unit.sector).of_a_kind_soldiers
    return soldiers if soldiers > 0 and _has_four(battle, settled) else 0


def _has_four(battle: Battle, settled: Settled) -> bool:
    """Whether four are alike: of what counts for RWBs too (DDD-R15)."""
    counting = settled.live() if battle.options.cancel_before_rwb else settled.results
    if not battle.options.virtual_of_a_kind:
        counting = [one for one in counting if one.die >= 0]
    return most_of_a_kind(counting) >= OF_A_KIND


def _sector_losses(battle: Battle, unit: Unit, settled: Settled) -> int:
    """How many Soldiers a Sector takes for four of a kind (DDD-262) or for Stars (DDD-286)."""
    place = battle.place(unit.sector)
    lost = 0
    if place.of_a_kind_soldiers < 0 and _has_four(battle, settled):
        lost -= place.of_a_kind_soldiers
    if place.star_costs_soldier:
        lost += sum(1 for one in settled.live() if one.face is Face.STAR)
    return lost


def _straight(battle: Battle, unit: Unit, words: list[str]) -> Script[None]:
    """A straight earns an Award of choice, as long as there are any (DDD-065, DDD-071)."""
    if unit.turn.award_drawn or unit.status is Status.LOST:
        return
    if not battle.state.award_deck:
        words.append("(A straight, but no Award is left)")
        return
    unit.turn.award_drawn = True
    yield from choose_award(battle, unit, "A straight! Take an Award", ("DDD-065",))


def turn_marker(battle: Battle, unit: Unit) -> None:
    """One chevron more; past the third the Unit must move (DDD-060, DDD-061)."""
    unit.kept_limit = None
    if battle.place(unit.sector).no_time_limit:
        return
    if battle.options.start_marker_skip_first_upkeep and battle.state.turn == 1:
        return
    unit.stay += 1


def _summary(battle: Battle, unit: Unit, words: list[str], rule: tuple[str, ...]) -> Show:
    detail = dials(unit)
    if unit.status is Status.FIGHTING:
        must = " Must move this turn." if battle.must_move(unit) else ""
        detail += f". Marker: {battle.marker(unit)}.{must}"
    if unit.turn.news:
        detail += f"\n{'; '.join(unit.turn.news)}"
    text = f"{battle.tag(unit)}{' '.join(words)}"
    return Show("dday_dice.upkeep", text, detail, rule)


def score_now(battle: Battle, unit: Unit, rwb: Rwb, soldiers: int = 0) -> None:
    """Book an RWB that came from a card, and `soldiers` for it (DDD-R26, DDD-R27)."""
    unit.turn.scored.append(rwb)
    gains = _for_rwbs(battle, unit, 1)
    gains.soldiers += soldiers
    unit.soldiers += gains.soldiers
    unit.courage += gains.courage
    more = {"soldiers": gains.soldiers, "courage": gains.courage}
    if told := [gained(dial, amount) for dial, amount in more.items() if amount]:
        unit.turn.news.append(" ".join([f"{RWB_NAMES[rwb]}:", *told]))
