"""R20: the Final Tally against a brute force that shares no code with the game.

For every way that six dice can fall, every order of answers is tried in the game's own script; the set
of outcomes must be the one that follows from the rules read plainly (DDD-033 to DDD-056, DDD-R14 to
DDD-R21).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product

import pytest

from companion.engine.asks import Choose, Pick
from companion.games.dday_dice.dice import COLOURS, Face, Result
from companion.games.dday_dice.final_tally import Reading, Settled, pays, settle

F = tuple(Face)
SKULL, STAR, ONE, TWO, COURAGE, TOOL = F
Outcome = tuple[int, int, int, int, bool, int]
"""Soldiers, Stars, Courage, Item Points, a Battle Cry taken as a move, Items by Special Find."""

TOOLS = (0, 1, 3, 6, 12, 24, 48, 72, 96)


def every_roll() -> Iterator[tuple[tuple[Face, Face], ...]]:
    """All 9,261 ways that two red, two white and two blue dice can fall."""
    pairs = list(combinations_with_replacement(F, 2))
    return product(pairs, repeat=3)


# --- the game's side: every path through its script


def offered(results: list[Result], reading: Reading) -> set[Outcome]:
    """Every outcome that some answers lead to."""
    outcomes = set()
    paths: list[list[object]] = [[]]
    while paths:
        path = paths.pop()
        script = settle(results, reading)
        try:
            ask = next(script)
            for answer in path:
                ask = script.send(answer)
        except StopIteration as end:
            outcomes.add(_outcome(end.value, reading))
            continue
        if isinstance(ask, Choose):
            paths += [[*path, option.id] for option in ask.options]
        else:
            assert isinstance(ask, Pick)
            ids = [option.id for option in ask.options]
            paths += [[*path, picked] for picked in combinations(ids, ask.least)]
    return outcomes


def _outcome(settled: Settled, reading: Reading) -> Outcome:
    gains = pays(settled, reading)
    return (gains.soldiers, gains.stars, gains.courage, gains.points, settled.cry_move, settled.finds)


# --- the brute force: states of (results with a cancelled mark, what was scored), any legal next step


State = tuple[tuple[tuple[int, int, bool, bool], ...], tuple[int, ...], tuple[int, ...]]
"""Results (face, colour, is a die, cancelled); bonuses scored by face; what was chosen for them."""


def expected(roll: tuple[tuple[Face, Face], ...], harmless: int, finds: bool) -> set[Outcome]:
    """What the rules allow, found by trying every step in every order."""
    dice = tuple((F.index(f), c, True, False) for c, pair in enumerate(roll) for f in pair)
    todo: list[State] = [(tuple(sorted(dice)), (0,) * 6, (0,) * 7)]
    seen = set(todo)
    outcomes = set()
    while todo:
        state = todo.pop()
        steps = list(_steps(state, harmless, finds))
        if not steps:
            outcomes.add(_worth(state))
        for step in steps:
            if step not in seen:
                seen.add(step)
                todo.append(step)
    return outcomes


def _sets(results: tuple[tuple[int, int, bool, bool], ...], face: int, *, live: bool) -> int:
    have = Counter(c for f, c, _, gone in results if f == face and not (live and gone))
    return min(have[0], have[1], have[2])


def _steps(state: State, harmless: int, finds: bool) -> Iterator[State]:
    results, scored, chosen = state
    skulls = sum(1 for f, *_ in results if f == 0)
    active = max(0, skulls - 3 * _sets(results, 0, live=False) - harmless)
    dice = [one for one in results if one[2] and one[0] != 0]
    owed = min(active, len(dice)) - sum(1 for one in dice if one[3])
    if owed:
        for place, one in enumerate(results):
            if one[2] and one[0] != 0 and one[3] is (owed < 0):
                changed = (*results[:place], (*one[:3], not one[3]), *results[place + 1 :])
                yield tuple(sorted(changed)), scored, chosen
        return
    complete = [face for face in range(6) if _sets(results, face, live=face != 0) > scored[face]]
    for face in complete:
        counted = tuple(n + (f == face) for f, n in enumerate(scored))
        if face != 1:
            yield from ((results, counted, picks) for picks in _alternatives(chosen, face, finds))
        elif complete == [1]:
            yield from _leaderships(state, _sets(results, 1, live=True) - scored[1])


def _plus(chosen: tuple[int, ...], what: int, count: int = 1) -> tuple[int, ...]:
    return tuple(n + count * (i == what) for i, n in enumerate(chosen))


def _alternatives(chosen: tuple[int, ...], face: int, finds: bool) -> list[tuple[int, ...]]:
    if face == 4:  # Battle Cry: 3 Soldiers, or a move
        return [_plus(chosen, 1), _plus(chosen, 2)]
    if face == 5:  # Special Find: 2 Stars, or a used Item
        return [_plus(chosen, 3)] + ([_plus(chosen, 4)] if finds else [])
    return [chosen]


def _leaderships(state: State, count: int) -> Iterator[State]:
    """Each a white result or 2 Courage, once nothing else is left to score."""
    results, scored, chosen = state
    for whites in combinations_with_replacement((*range(6), None), count):
        added = tuple((white, 1, False, False) for white in whites if white is not None)
        yield tuple(sorted((*results, *added))), _plus(scored, 1, count), _plus(chosen, 0, whites.count(None))


def _worth(state: State) -> Outcome:
    results, scored, chosen = state
    live = Counter(f for f, _, _, gone in results if not gone)
    soldiers = live[2] + 2 * live[3] + 8 * scored[2] + 6 * scored[3] + 3 * chosen[1]
    stars = live[1] + 2 * chosen[3]
    return (
        soldiers,
        stars,
        live[4] + 2 * chosen[0],
        TOOLS[live[5]] + 20 * scored[0],
        chosen[2] > 0,
        chosen[4],
    )


# --- the tests


def _game(roll: tuple[tuple[Face, Face], ...]) -> list[Result]:
    faces = [(face, colour) for colour, pair in zip(COLOURS, roll, strict=True) for face in pair]
    return [Result(face, colour, place) for place, (face, colour) in enumerate(faces)]


@pytest.mark.rule(
    "DDD-033",
    "DDD-035",
    "DDD-042",
    "DDD-044",
    "DDD-046",
    "DDD-R01",
    "DDD-R02",
    "DDD-R14",
    "DDD-R17",
    "DDD-R19",
    "DDD-R21",
)
@pytest.mark.parametrize("share", range(4))
def test_every_roll_offers_just_what_the_rules_allow(share: int) -> None:
    reading = Reading()
    rolls = list(every_roll())
    assert len(rolls) == 9261
    for roll in rolls[share::4]:
        assert offered(_game(roll), reading) == expected(roll, 0, finds=False), roll


@pytest.mark.parametrize(("harmless", "finds"), [(1, False), (0, True), (2, True)])
def test_sharpshooters_and_used_items_too(harmless: int, finds: bool) -> None:
    reading = Reading(harmless=harmless, finds=finds)
    for roll in list(every_roll())[::17]:
        assert offered(_game(roll), reading) == expected(roll, harmless, finds), roll
