"""What holds for every space, count and battle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.flag_war import battle
from companion.games.flag_war.terrain import FURTHEST, terrain
from tests.games.flag_war.field import fresh

GROUND = terrain(fresh().ground)
SPACES = st.integers(0, len(GROUND.names) - 1)
COUNTS = st.integers(1, FURTHEST)
SIDES = st.builds(battle.Side, st.sampled_from([0, 3, 6]), st.integers(1, 4))


@pytest.mark.rule("FLG-025")
@given(SPACES, COUNTS)
def test_a_way_there_is_a_way_back(start: int, count: int) -> None:
    ends = GROUND.reach(start, count)

    assert not ends >> start & 1
    assert all(GROUND.reach(end, count) >> start & 1 for end in range(len(GROUND.names)) if ends >> end & 1)


@given(SPACES, COUNTS)
def test_a_count_ends_within_its_steps_and_of_like_colour(start: int, count: int) -> None:
    steps = GROUND.away(1 << start)
    for end in range(len(GROUND.names)):
        if GROUND.reach(start, count) >> end & 1:
            assert steps[end] <= count
            assert (count - steps[end]) % 2 == 0


@given(SPACES, SPACES)
def test_a_road_space_holds_two_parts_of_the_board_apart(at: int, start: int) -> None:
    bit = 1 << at
    if bit & GROUND.roads:
        one, other = GROUND.sides[bit]
        assert one & other == 0
        assert one | other | bit == GROUND.all
        steps = GROUND.away(1 << start, without=bit)
        side = one if one >> start & 1 else other
        assert start == at or all(side >> end & 1 for end, far in enumerate(steps) if far < 10_000)


@given(SIDES, SIDES)
def test_chances_add_up_and_mirror(ours: battle.Side, theirs: battle.Side) -> None:
    odds, mirrored = battle.odds(ours, theirs), battle.odds(theirs, ours)

    assert sum(odds) == pytest.approx(1)
    assert odds.win == pytest.approx(mirrored.loss)
    assert odds.tie == pytest.approx(mirrored.tie)


@pytest.mark.parametrize(
    ("side", "words"), [((3, 1), "3 + 1 die"), ((0, 2), "2 dice"), ((6, 0), "6"), ((0, 0), "0")]
)
def test_a_strength_has_words(side: tuple[int, int], words: str) -> None:
    assert battle.Side(*side).words() == words
