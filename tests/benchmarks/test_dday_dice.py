"""How fast D-Day Dice is played: whole solitaire games a CPU second, random policy (the aim is 200)."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from companion.engine import autoplay
from companion.games.dday_dice import GAME
from tests.longrun.random_games import ready

GAMES = 100


@pytest.mark.parametrize("scenario", ["tiger_advanced", "omaha"])
def test_games_a_second(benchmark: BenchmarkFixture, scenario: str) -> None:
    setup = ready(GAME, scenario)

    def games(first: int) -> int:
        asks = 0
        for seed in range(first, first + GAMES):
            play = GAME.start(setup)
            asks += autoplay.play_out(play, autoplay.policy(GAME, play, "random", Random(seed)), seed)[1]
        return asks

    games(0)
    began = process_time()
    asks = games(GAMES)
    spent = process_time() - began
    benchmark.extra_info["games a CPU second"] = round(GAMES / spent)
    benchmark.extra_info["asks a game"] = round(asks / GAMES)
    assert benchmark.pedantic(games, args=(2 * GAMES,), rounds=3) > 0
