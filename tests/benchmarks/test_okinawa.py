"""Games per CPU second, random player, software dice: pytest tests/benchmarks/test_okinawa.py."""

from __future__ import annotations

from itertools import count
from random import Random
from time import process_time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from companion.engine import autoplay
from companion.games.okinawa import GAME
from tests.games.driver import setup


@pytest.mark.benchmark(timer=process_time)
@pytest.mark.parametrize("policy", ["random", "cautious"])
def test_one_whole_game(benchmark: BenchmarkFixture, policy: str) -> None:
    prepared = setup(GAME)
    seeds = count()
    asks = 0

    def play_one() -> None:
        nonlocal asks
        seed = next(seeds)
        play = GAME.start(prepared)
        asks += autoplay.play_out(play, autoplay.policy(GAME, play, policy, Random(seed)), seed)[1]

    start = process_time()
    benchmark.pedantic(play_one, rounds=200 if policy == "random" else 10, iterations=1, warmup_rounds=2)
    spent = process_time() - start
    games = next(seeds)
    benchmark.extra_info["games per CPU second"] = round(games / spent)
    benchmark.extra_info["asks per CPU second"] = round(asks / spent)
