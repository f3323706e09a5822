"""How fast Space Infantry is played: missions a CPU second with the random policy (the aim is 300)."""

from __future__ import annotations

from random import Random
from time import process_time

from pytest_benchmark.fixture import BenchmarkFixture

from companion.engine import autoplay
from companion.games.space_infantry import GAME
from tests.longrun.random_games import ready


def test_missions_a_second(benchmark: BenchmarkFixture) -> None:
    setup = ready(GAME)

    def mission(seed: int) -> int:
        play = GAME.start(setup)
        return autoplay.play_out(play, autoplay.policy(GAME, play, "random", Random(seed)), seed)[1]

    began = process_time()
    for seed in range(100):
        mission(seed)
    benchmark.extra_info["missions a CPU second"] = round(100 / (process_time() - began))
    assert benchmark.pedantic(mission, args=(7,), rounds=20) > 0
