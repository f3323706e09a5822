"""What must hold of the solo-card interpreter for any card on any board."""

from __future__ import annotations

import itertools
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.undaunted import combat, movement, orders
from companion.games.undaunted.actions import MOVEMENT, Kind
from companion.games.undaunted.language import Tie, place, tie
from companion.games.undaunted.sight import Sight
from companion.games.undaunted.solo import Choice, Effect
from companion.games.undaunted.table import Table
from tests.games.undaunted import brute
from tests.games.undaunted.field import decide, line, options
from tests.games.undaunted.test_brute_force import position

UNITS = ("rifleman-a", "scout-b", "machine-gunner-a", "sniper")
seeds = st.integers(0, 2**32)


def scene(seed: int) -> tuple[Table, str, list[dict[str, object]]]:
    rng = Random(seed)
    table = position(rng)
    return table, rng.choice(UNITS), brute.random_lines(rng)


@settings(max_examples=150)
@given(seeds)
def test_it_is_always_the_first_line_that_applies(seed: int) -> None:
    table, unit, lines = scene(seed)
    told = decide(table, unit, *(line(**one) for one in lines))
    applying = [number for number, one in enumerate(lines, 1) if decide(table, unit, line(**one)).effect]
    assert (told.effect.line if told.effect else 0) == min(applying, default=0)
    if told.effect:
        alone = decide(table, unit, line(**lines[told.effect.line - 1]))
        assert options(alone) == options(told)
        assert [label for label, _ in told.passed] == [str(number) for number in range(1, told.effect.line)]


@settings(max_examples=150)
@given(seeds)
def test_it_never_chooses_what_is_not_legal(seed: int) -> None:
    table, unit, lines = scene(seed)
    effect = decide(table, unit, *(line(**one) for one in lines)).effect
    if effect is None:
        return
    for choice in effect.choices:
        assert legal(table, unit, effect, choice)


def legal(table: Table, unit: str, effect: Effect, choice: Choice) -> bool:
    """By the rules that bind a player too."""
    me = table.state.sides["ge"].counters[unit]
    start = table.standing(me)
    action = effect.action
    assert action is not None
    if action.kind in MOVEMENT:
        steps = [start, *choice.path]
        walked = all(
            tile in table.ground.links[before] and movement.may_step(table, me, action.kind, tile)
            for before, tile in itertools.pairwise(steps)
        )
        return walked and len(choice.path) <= action.x and choice.tile == choice.path[-1] != start
    if action.kind is Kind.CONTROL:
        return orders.can_control(table, me) and table.value(start) > 0
    assert choice.counter is not None
    legal_targets = [target for target, _ in combat.targets(table, "ge", action, start)]
    return any(choice.counter is target for target in legal_targets)


@settings(max_examples=150)
@given(seeds)
def test_ties_are_resolved_in_the_listed_order(seed: int) -> None:
    """Dropping the last tiebreaker only ever adds choices, and those left are its best ones."""
    table, unit, lines = scene(seed)
    effect = decide(table, unit, *(line(**one) for one in lines)).effect
    if effect is None or not effect.step.ties or effect.action is None:
        return
    if effect.action.kind not in MOVEMENT:
        return
    one = lines[effect.line - 1]
    fewer = decide(table, unit, line(**(one | {"ties": list(effect.step.ties[:-1])}))).effect
    assert fewer is not None
    before, after = {way.tile for way in fewer.choices}, {way.tile for way in effect.choices}
    assert after <= before
    last = effect.step.ties[-1]
    scores = {tile: worth(table, unit, last, tile) for tile in before}
    assert after == {tile for tile in before if scores[tile] == max(scores.values())}


def worth(table: Table, unit: str, text: str, tile: str) -> int:
    me = table.state.sides["ge"].counters[unit]
    sight = Sight(table, "ge", unit, me)
    match tie(text).word:
        case Tie.VALUE:
            return table.value(tile)
        case Tie.COVER:
            return table.ground.tiles[tile].cover
        case Tie.LOW_POPULATION:
            return -sight.population(tile)
        case Tie.HIGH_POPULATION:
            return sight.population(tile)
        case Tie.NEAR:
            away = table.ground.distance[tile]
            near = tie(text).place
            assert near is not None
            return -min((away[other] for other in away if sight.place(near, other)), default=0)
    return int(sight.place(place(text), tile))


@settings(max_examples=60)
@given(seeds)
def test_reading_a_card_changes_nothing(seed: int) -> None:
    table, unit, lines = scene(seed)
    before = msgspec.json.encode(table.state)
    decide(table, unit, *(line(**one) for one in lines))
    assert msgspec.json.encode(table.state) == before
