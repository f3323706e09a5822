"""What a pack lacks or contradicts: scenarios, solo sections, solo cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from companion.engine.errors import BadInput
from companion.engine.game import Problem
from companion.games.undaunted import actions, language
from companion.games.undaunted.actions import COMBAT, MOVEMENT, SEATED
from companion.games.undaunted.language import Subject, Verb
from companion.games.undaunted.pack import (
    ANY,
    FOG,
    Line,
    Pack,
    Scenario,
    SoloCard,
    SoloSection,
    Step,
    UnitType,
    inherited,
    solo_cards,
    type_name,
)

FACES = 10
MINED = range(201, 205)


def problems(pack: msgspec.Struct) -> Iterable[Problem]:
    """Everything that `companion pack check` lists."""
    assert isinstance(pack, Pack)
    for name, unit in pack.unit.items():
        yield from _in(f"unit.{name}", _unit(unit, pack))
    for name, scenario in pack.scenario.items():
        yield from _in(f"scenario.{name}", scenario_lacks(scenario))
        yield from _in(f"scenario.{name}", scenario_errors(scenario, pack))
    yield from _missing_cards(pack)
    for name, section in pack.section.items():
        yield from _in(f"section.{name}", _section(section, pack))
    for name, card in pack.solo.items():
        yield from _in(f"solo.{name}", solo_card(card, pack))


def _in(path: str, found: Iterable[Problem]) -> Iterator[Problem]:
    for one in found:
        yield Problem(f"{path}.{one.path}" if one.path else path, one.message, one.rule)


def _unit(unit: UnitType, pack: Pack) -> Iterator[Problem]:
    for text in (*unit.actions, *(text for seat in unit.seats for text in seat.actions)):
        try:
            actions.parse(text)
        except BadInput as error:
            yield Problem("actions", str(error))
    if unit.unit and unit.unit not in pack.unit:
        yield Problem("unit", f"no unit type {unit.unit!r}", "UND-024")


# Scenarios


def playable(pack: msgspec.Struct) -> tuple[str, ...]:
    """The scenarios that lack nothing, in the order of their numbers, La Raye first."""
    assert isinstance(pack, Pack)
    whole = [name for name, one in pack.scenario.items() if _is_whole(one, pack)]
    return tuple(sorted(whole, key=lambda name: (pack.scenario[name].number or 99, name)))


def _is_whole(scenario: Scenario, pack: Pack) -> bool:
    return not any(scenario_lacks(scenario)) and not any(scenario_errors(scenario, pack))


def scenario_lacks(scenario: Scenario) -> Iterator[Problem]:
    """What the owner still has to enter before a scenario can be played."""
    if len(scenario.decks) != 2:
        yield Problem("decks", "two sides with their starting decks are wanted", "UND-266")
    if not scenario.ranks:
        yield Problem("ranks", "the tiles as they are laid, column by column", "UND-G11")
    if not scenario.objectives:
        yield Problem("objectives", "the tiles with objective markers and their points", "UND-G11")
    for side in scenario.decks:
        if not scenario.spawns.get(side):
            yield Problem(f"spawns.{side}", "the tile where its units enter", "UND-262")
        if not scenario.counters.get(side):
            yield Problem(f"counters.{side}", "where its counters start", "UND-G11")
        if not scenario.scouted.get(side) and not scenario.controlled.get(side):
            yield Problem(f"scouted.{side}", "the tiles with its markers at the start", "UND-G11")
        if not scenario.points.get(side) and side not in scenario.pins:
            yield Problem(f"points.{side}", "what it needs to win", "UND-329")
    if not scenario.initiative:
        yield Problem("initiative", "the side that starts with the marker", "UND-265")


def scenario_errors(scenario: Scenario, pack: Pack) -> Iterator[Problem]:
    """What of a scenario contradicts itself or the rest of the pack."""
    laid = [tile for rank in scenario.ranks for tile in rank.tiles]
    if not laid:
        return
    for tile in laid:
        if tile not in pack.tile:
            yield Problem("ranks", f"tile {tile} is not in the pack", "UND-F10")
        if laid.count(tile) > 1:
            yield Problem("ranks", f"tile {tile} is laid twice", "UND-264")
        if scenario.tiles and tile not in scenario.tiles:
            yield Problem("ranks", f"tile {tile} is not on the scenario's list", "UND-264")
    for tile in scenario.tiles:
        if tile not in laid:
            yield Problem("ranks", f"tile {tile} of the scenario's list is not laid", "UND-264")
    yield from _off_board(scenario, set(laid))
    yield from _unknown_cards(scenario, pack)
    yield from _mines(scenario)


def _mines(scenario: Scenario) -> Iterator[Problem]:
    if scenario.mines and scenario.number not in MINED:
        yield Problem("mines", "mines are only in scenarios 201 to 204", "UND-043")
    if scenario.mine_supply and scenario.mines not in scenario.decks:
        yield Problem("mines", "which faction controls the mines?", "UND-044")


def _off_board(scenario: Scenario, laid: set[str]) -> Iterator[Problem]:
    named: dict[str, Iterable[str]] = {
        "objectives": scenario.objectives,
        "no_vehicles": scenario.no_vehicles,
        "structures": scenario.structures,
        "radio": [scenario.radio] if scenario.radio else [],
    }
    for side in scenario.decks:
        named[f"spawns.{side}"] = scenario.spawns.get(side, {}).values()
        named[f"counters.{side}"] = scenario.counters.get(side, {}).values()
        named[f"scouted.{side}"] = scenario.scouted.get(side, ())
        named[f"controlled.{side}"] = scenario.controlled.get(side, ())
    for field, tiles in named.items():
        for tile in tiles:
            if tile not in laid:
                yield Problem(field, f"tile {tile} is not on the board")
    held = [tile for side in scenario.decks for tile in scenario.controlled.get(side, ())]
    for tile in sorted({tile for tile in held if held.count(tile) > 1}):
        yield Problem("controlled", f"both sides control {tile}", "UND-261")


def _unknown_cards(scenario: Scenario, pack: Pack) -> Iterator[Problem]:
    piles: dict[str, Mapping[str, int]] = {}
    for side in scenario.decks:
        piles[f"decks.{side}"] = scenario.decks[side]
        piles[f"supplies.{side}"] = scenario.supplies.get(side, {})
        for number, cards in enumerate(scenario.joint.get(side, ())):
            piles[f"joint.{side}.{number}"] = cards.deck | cards.supply
    for field, pile in piles.items():
        for card in pile:
            if type_name(card) not in pack.unit:
                yield Problem(field, f"no unit type for card {card!r}")


def _missing_cards(pack: Pack) -> Iterator[Problem]:
    """Types of a scenario that no complete solo card covers (UND-124)."""
    for name, scenario in pack.scenario.items():
        for side in scenario.sides:
            cards = scenario.decks[side] | scenario.supplies.get(side, {})
            for kind in sorted({type_name(card) for card in cards} - {FOG}):
                aircraft = kind in pack.unit and pack.unit[kind].aircraft
                if not aircraft and not solo_cards(pack, kind, name, side):
                    yield Problem(f"scenario.{name}", f"no solo card for a {side} {kind}", "UND-124")


# Solo sections


def _section(section: SoloSection, pack: Pack) -> Iterator[Problem]:
    scenario = pack.scenario.get(section.scenario)
    if scenario is None and section.scenario != ANY:
        yield Problem("scenario", f"no scenario {section.scenario!r}", "UND-122")
    if not section.bolster:
        yield Problem("bolster", "how the supply is divided into bolster decks", "UND-G03")
    if not section.danger:
        yield Problem("danger", "the danger list", "UND-G04")
    for name in section.danger:
        if name not in pack.unit:
            yield Problem("danger", f"no unit type {name!r}", "UND-221")
    if scenario and scenario.ranks:
        laid = {tile for rank in scenario.ranks for tile in rank.tiles}
        for tile in section.path:
            if tile not in laid:
                yield Problem("path", f"tile {tile} is not on the board", "UND-213")


# Solo cards


def solo_card(card: SoloCard, pack: Pack) -> Iterator[Problem]:
    """What is wrong with a solo card: no word of the language, never applies, or ambiguous."""
    if not card.complete:
        yield Problem("", "incomplete: not played until its lines are entered", "UND-G01")
        return
    unit = pack.unit.get(card.unit)
    if unit is None:
        yield Problem("unit", f"no unit type {card.unit!r}")
        return
    yield from _parsed("box", card.box, language.limit)
    if not card.lines:
        yield Problem("lines", "no line: the bot would never do anything with it", "UND-167")
    shadow = ""
    for number, line in enumerate(card.lines, 1):
        path = f"lines.{number}"
        if shadow:
            yield Problem(path, f"can never apply: line {shadow} always does before it", "UND-159")
        yield from _line(path, number, line, card, pack)
        if not line.when and not line.sub and _always(line):
            shadow = str(number)


def unreadable(card: SoloCard) -> Iterator[str]:
    """What of a card is no word of the language, so that it can't be played."""
    steps = [step for line in card.lines for step in (line, *line.sub)]
    for step in steps:
        for texts, parse in _readings(step):
            yield from (one.message for one in _parsed("", texts, parse))
    yield from (one.message for one in _parsed("", card.box, language.limit))


def _readings(step: Step) -> Iterator[tuple[tuple[str, ...], Callable[[str], object]]]:
    """All words of a step with what reads them."""
    yield step.when, language.condition
    yield (*step.to, *step.toward), language.place
    yield (*step.at, *step.who), language.who
    yield step.ties, language.tie
    yield (*step.roll.values(), *([step.do] if step.do else [])), language.deed


def _line(path: str, number: int, line: Line, card: SoloCard, pack: Pack) -> Iterator[Problem]:
    yield from _conditions(path, line, pack)
    for then in {line.then, *(sub.then for sub in line.sub)} - {0}:
        if then == number or not 0 < then <= len(card.lines):
            yield Problem(f"{path}.then", f"line {then} is no other line of the card", "UND-185")
    if not line.sub:
        yield from _step(path, line, card, pack)
        return
    seen: list[tuple[str, ...]] = []
    for letter, sub in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", line.sub, strict=False):
        whole = inherited(line, sub)
        yield from _conditions(f"{path}.{letter}", sub, pack)
        yield from _step(f"{path}.{letter}", whole, card, pack)
        key = (whole.do, *whole.when, "to", *whole.to, "toward", *whole.toward, "at", *whole.at)
        if key in seen and not sub.roll:
            yield Problem(f"{path}.{letter}", "can never apply: an earlier sub-line says the same", "UND-180")
        seen.append(key)


def _always(line: Line) -> bool:
    """Whether a line without a condition can always be carried out."""
    return not line.roll and bool(line.do) and _quiet(line.do) is Verb.HUNKER


def _quiet(do: str) -> Verb | None:
    try:
        return language.deed(do).verb
    except BadInput:
        return None


def _conditions(path: str, step: Step, pack: Pack) -> Iterator[Problem]:
    yield from _parsed(f"{path}.when", step.when, language.condition)
    for text in step.when:
        denied = text.removeprefix("not ") if text.startswith("not ") else f"not {text}"
        if denied in step.when:
            yield Problem(f"{path}.when", f"can never apply: both {text!r} and {denied!r}", "UND-172")
    for text in step.when:
        try:
            condition = language.condition(text)
        except BadInput:
            continue
        if condition.subject is Subject.ROW and condition.name not in ("matching", "any", *pack.unit):
            yield Problem(f"{path}.when", f"no unit type {condition.name!r}")
        yield from _types(f"{path}.when", (term.kind for term in condition.who), pack)
        yield from _types(f"{path}.when", (term.kind for term in condition.places), pack)


def _types(path: str, kinds: Iterable[str], pack: Pack) -> Iterator[Problem]:
    for kind in kinds:
        if kind and kind not in pack.unit:
            yield Problem(path, f"no unit type {kind!r}")


def _step(path: str, step: Step, card: SoloCard, pack: Pack) -> Iterator[Problem]:
    yield from _parsed(f"{path}.to", (*step.to, *step.toward), language.place)
    yield from _parsed(f"{path}.at", (*step.at, *step.who), language.who)
    yield from _parsed(f"{path}.ties", step.ties, language.tie)
    if step.roll:
        yield from _roll(path, step, card, pack)
    elif not step.do:
        yield Problem(f"{path}.do", "no keyword: what is done?", "UND-169")
    else:
        yield from _deed(path, step, step.do, card, pack)


def _roll(path: str, step: Step, card: SoloCard, pack: Pack) -> Iterator[Problem]:
    faces: list[str] = []
    for result, do in step.roll.items():
        if not all(part.isdecimal() for part in result.split("-")):
            yield Problem(f"{path}.roll", f"{result!r}: faces are wanted, like 0-4", "UND-209")
            return
        faces += language.faces_of(result)
        yield from _deed(f"{path}.roll", step, do, card, pack)
    if sorted(faces) != [str(face) for face in range(FACES)]:
        yield Problem(f"{path}.roll", "ambiguous: each face 0 to 9 has to appear once", "UND-209")


def _deed(path: str, step: Step, do: str, card: SoloCard, pack: Pack) -> Iterator[Problem]:
    try:
        deed = language.deed(do)
    except BadInput as error:
        yield Problem(f"{path}.do", str(error))
        return
    if deed.verb is Verb.SELECT and not pack.unit[card.unit].has_counter:
        yield Problem(f"{path}.do", f"can never apply: a {card.unit} has no tile to select from", "UND-214")
    moves = deed.verb is Verb.ACTION and deed.action.kind in MOVEMENT
    fights = deed.verb is Verb.ACTION and deed.action.kind in COMBAT
    scouts = deed.action.kind in {actions.Kind.SCOUT, actions.Kind.NAVIGATE}
    if moves and not step.to and not step.toward and not scouts:
        yield Problem(path, "ambiguous: a move wants 'to' or 'toward'", "UND-176")
    if fights and (step.to or step.toward):
        yield Problem(path, "ambiguous: combat takes 'at', not 'to' or 'toward'", "UND-217")
    if deed.verb is Verb.ACTION:
        yield from _can(f"{path}.do", deed.action, pack.unit[card.unit], card.unit)


def _can(path: str, action: actions.Action, unit: UnitType, name: str) -> Iterator[Problem]:
    own = [actions.parse(text).kind for text in unit.actions]
    if action.kind not in own and action.kind not in SEATED:
        yield Problem(path, f"can never apply: {name} has no {action.kind} on its card", "UND-188")


def _parsed(path: str, texts: Iterable[str], parse: Callable[[str], object]) -> Iterator[Problem]:
    for text in texts:
        try:
            parse(text)
        except BadInput as error:
            yield Problem(path, str(error))
