"""How fast Undaunted is played: games a CPU second against the bot, and one bot turn (under 5 ms)."""

from __future__ import annotations

from random import Random
from time import process_time

from pytest_benchmark.fixture import BenchmarkFixture

from companion.engine import autoplay, chance
from companion.games.undaunted import GAME, bot
from companion.games.undaunted.play import Undaunted
from tests.longrun.random_games import ready


def test_games_a_second(benchmark: BenchmarkFixture) -> None:
    setup = ready(GAME)

    def game(seed: int) -> int:
        play = GAME.start(setup)
        _, asks, _ = autoplay.play_out(play, autoplay.policy(GAME, play, "random", Random(seed)), seed)
        return asks

    began = process_time()
    asks = sum(game(seed) for seed in range(50))
    spent = process_time() - began
    benchmark.extra_info["games a CPU second"] = round(50 / spent)
    benchmark.extra_info["asks a CPU second"] = round(asks / spent)
    assert benchmark.pedantic(game, args=(4,), rounds=5) > 0


def test_a_bot_turn(benchmark: BenchmarkFixture) -> None:
    """One turn of four cards with its dice and draws answered by software."""
    setup = ready(GAME)

    def table() -> tuple[tuple[Undaunted], dict[str, object]]:
        play = Undaunted(setup)
        play.table.state.initiative = "ge"
        return (play,), {}

    def turn(play: Undaunted) -> int:
        script = bot.turn(play.table, "ge")
        question, asks = next(script), 0
        try:
            while True:
                asks += 1
                rng = Random(asks)
                answer = chance.decide(question, rng) if question.is_chance else True
                question = script.send(answer)
        except StopIteration:
            return asks

    assert benchmark.pedantic(turn, setup=table, rounds=200) > 0
