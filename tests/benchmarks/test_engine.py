"""The engine: asks a CPU second, an answer handled, a long game replayed; each beside a lower bound.

pytest tests/benchmarks/test_engine.py --benchmark-only
"""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random
from time import process_time

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from companion.engine import Journal, Session, Wish, autoplay, packs
from companion.games import okinawa
from companion.games.okinawa import GAME
from tests.engine import toy
from tests.games.driver import setup
from tests.longrun.play_toy import step

pytestmark = pytest.mark.benchmark(timer=process_time)


def bare_generator():
    """The least that a script can be: one yield an ask."""
    yield from range(1000)


def test_a_thousand_asks_beside_a_bare_generator(benchmark: BenchmarkFixture) -> None:
    start = toy.GAME.start(_toy_setup())
    assert start.state.turn == 0

    def thousand_asks() -> int:
        asks = 0
        for seed in count():
            play = toy.GAME.start(_toy_setup())
            asks += autoplay.play_out(play, autoplay.at_first, seed)[1]
            if asks >= 1000:
                return asks
        return 0

    began = process_time()
    assert sum(1 for _ in bare_generator()) == 1000
    bound = process_time() - began
    asks = benchmark(thousand_asks)
    benchmark.extra_info["times a bare generator"] = round(benchmark.stats["mean"] * 1000 / asks / bound)


def _toy_setup():
    from companion.engine.game import setup as engine_setup

    return engine_setup(toy.GAME, packs.build(toy.PACKS, toy.ToyPack), {"top": "60"})


def test_an_answer_handled_beside_its_sync(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """The whole way of an answer; `sync` is the same write to the journal without the game."""
    rng = Random(1)
    with Journal(tmp_path) as journal:
        session = Session.create(journal, toy.GAME, toy.PACKS, Wish({"top": "60"}, seed=1))

        def answer() -> None:
            nonlocal session
            if session.ask is None:
                session.close()
                session = Session.create(journal, toy.GAME, toy.PACKS, Wish({"top": "60"}, seed=1))
            step(session, rng)

        benchmark.pedantic(answer, rounds=300)
        session.close()
        began = process_time()
        for _ in range(300):
            journal.update(session.meta)
        sync = (process_time() - began) / 300
    benchmark.extra_info["times its sync"] = round(benchmark.stats["mean"] / sync, 1)


def test_the_longest_game_of_okinawa_replayed(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """A careful game of some 500 asks, opened again (R7: an undo costs as much; the aim is 100 ms)."""
    with Journal(tmp_path) as journal:
        merged = packs.merge("okinawa", packs.find(okinawa.GAME.folder, tmp_path))
        with Session.create(journal, GAME, merged, Wish(seed=2)) as session:
            decide = autoplay.policy(GAME, session.play, "cautious", Random(2))
            while session.ask is not None:
                session.answer(session.n, decide(session.ask))
            name, asks = session.meta.id, len(session.history)

        def reopen() -> None:
            with Session.resume(journal, GAME, name) as session:
                assert session.outcome is not None

        benchmark.pedantic(reopen, rounds=5)
    benchmark.extra_info["asks"] = asks


def test_games_of_okinawa_beside_catan(benchmark: BenchmarkFixture) -> None:
    """Random players in both: a public engine of a game of the same length in the same run."""
    catanatron = pytest.importorskip("catanatron", reason="the peer is not installed")
    prepared = setup(GAME)
    seeds = count()

    def okinawa_game() -> None:
        seed = next(seeds)
        play = GAME.start(prepared)
        autoplay.play_out(play, autoplay.policy(GAME, play, "random", Random(seed)), seed)

    def catan_game() -> None:
        colours = list(catanatron.Color)
        catanatron.Game([catanatron.RandomPlayer(colour) for colour in colours]).play()

    began = process_time()
    for _ in range(3):
        catan_game()
    catan = (process_time() - began) / 3
    benchmark.pedantic(okinawa_game, rounds=200)
    benchmark.extra_info["times as many games as catanatron"] = round(catan / benchmark.stats["mean"], 1)
