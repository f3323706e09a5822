"""What holds for all numbers, chits and wounds."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import chance
from companion.engine.asks import Draw, Script
from companion.games.space_infantry.numbers import numbers, return_chits
from companion.games.space_infantry.pack import CUP_SIZE
from companion.games.space_infantry.ranges import span
from companion.games.space_infantry.sharing import shares, spreads
from companion.games.space_infantry.state import Operation
from companion.games.space_infantry.wounds import Target, propose
from tests.games.space_infantry.field import fresh


def dealt(script: Script[list[int]], rng: Random) -> list[int]:
    """The numbers that a script ends with if software draws."""
    question = next(script)
    try:
        while True:
            assert isinstance(question, Draw)
            question = script.send(chance.decide(question, rng))
    except StopIteration as end:
        numbers_drawn: list[int] = end.value
        return numbers_drawn


@given(st.integers(0, 10_000), st.lists(st.tuples(st.integers(1, 30), st.booleans()), max_size=6))
def test_no_chit_is_ever_lost_or_made(seed: int, draws: list[tuple[int, bool]]) -> None:
    table = fresh(numbers="cup").table
    table.campaign.operation = Operation("drill")
    rng = Random(seed)
    for count, lying in draws:
        drawn = dealt(numbers(table, "test.chits", "chits", count, (), lying=lying), rng)
        assert len(drawn) == count
        assert min(drawn) >= 0
        assert sum(table.campaign.cup.values()) + sum(table.campaign.lying.values()) == CUP_SIZE
    return_chits(table)
    assert sum(table.campaign.cup.values()) == CUP_SIZE


@pytest.mark.rule("SPI-117", "SPI-118")
@given(st.integers(1, 30), st.integers(1, 12))
def test_every_spread_gives_all_wounds_and_keeps_the_limits(wounds: int, enemies: int) -> None:
    found = list(spreads(wounds, enemies))

    assert found
    for spread in found:
        given_out = shares(spread, enemies, 0, range(1, 1 + spread.odd))
        assert sum(given_out) == wounds
        assert max(given_out) == given_out[0]
        if enemies > 1:
            assert max(given_out) <= max(wounds // 2, -(-wounds // enemies))
            assert max(given_out[1:]) - min(given_out[1:]) <= 1


@pytest.mark.rule("SPI-119", "SPI-126")
@given(
    st.integers(1, 20),
    st.integers(0, 20),
    st.lists(
        st.builds(Target, st.integers(1, 3), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=10
    ),
    st.integers(0, 6),
)
def test_the_proposal_is_legal_and_places_all_wounds(
    total: int, normal: int, team: list[Target], rhino: int
) -> None:
    places = {str(at): one for at, one in enumerate(team)}
    rhino, normal = min(rhino, total // 2), min(normal, total)
    found = propose(total, places, normal, rhino)

    assert found.pop("rhino", 0) == rhino
    assert sum(found.values()) == total - rhino
    over = {name: many - places[name].left for name, many in found.items() if many > places[name].left}
    stopped = sum(min(many, places[name].armor) for name, many in over.items())
    assert stopped <= normal or found.keys() == places.keys()
    if sum(found.values()) <= sum(one.left for one in team):
        assert sum(over.values()) <= normal
    too_many = [name for name, many in over.items() if many > places[name].armor]
    assert len(too_many) <= 1


@pytest.mark.rule("SPI-029", "SPI-030", "SPI-031")
@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20))
def test_ranges_mean_what_they_say(low: int, high: int, number: int) -> None:
    assert span(f"{low}+").holds(number) is (number >= low)
    assert span(f"{low}-").holds(number) is (number <= low)
    assert span(f"{low}-{high}").holds(number) is (low <= number <= high)
    assert span(f"{low}").holds(number) is (number == low)
