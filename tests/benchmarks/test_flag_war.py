"""How fast the flag war is played: moves a CPU second, random generals (the aim is 20,000)."""

from __future__ import annotations

from collections import Counter
from random import Random
from time import process_time

from pytest_benchmark.fixture import BenchmarkFixture

from companion.engine import autoplay
from companion.games.flag_war import GAME
from tests.longrun.random_games import ready

SETTINGS = {"south": "person", "agreed_end": "1000"}


def test_moves_a_second(benchmark: BenchmarkFixture) -> None:
    setup = ready(GAME, "", SETTINGS)

    def war(seed: int) -> int:
        play = GAME.start(setup)
        decide = autoplay.policy(GAME, play, "random", Random(seed))
        keys = Counter(step.ask.key for step in autoplay.steps(play, decide, seed))
        return keys["flag_war.move.man"] + keys["flag_war.tao.man"]

    war(0)
    began = process_time()
    moves = sum(war(seed) for seed in range(1, 4))
    benchmark.extra_info["moves a CPU second"] = round(moves / (process_time() - began))
    assert benchmark.pedantic(war, args=(4,), rounds=3) > 0
