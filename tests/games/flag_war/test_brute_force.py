"""R20: the legal destinations of a roll against a walk over every path."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.flag_war import brute
from tests.games.flag_war.field import fresh
from tests.longrun.flag_war_destinations import differences


def test_the_boards_links_are_those_of_the_ledger() -> None:
    terrain = fresh().table.terrain

    assert {
        name: {terrain.names[near] for near in terrain.links[terrain.index[name]]} for name in terrain.names
    } == {name: set(near) for name, near in brute.LINKS.items()}


@pytest.mark.parametrize("armies", ["2", "4"])
def test_destinations_of_a_roll_agree_with_every_path_walked(armies: str) -> None:
    play = fresh(armies=armies)
    rng = Random(7)

    for _ in range(15):
        assert differences(play, rng, most_men=4) == []
