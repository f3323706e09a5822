"""Random whole games with every invariant checked after every answer (R21).

python -m tests.longrun.random_games NAME --games 10000 --seed 1 [--scenario S] [--set key=value]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from random import Random

from companion import games
from companion.engine import autoplay
from companion.engine.game import Game, Outcome, Setup
from tests.games.driver import setup


class BrokenGame(AssertionError):
    """A game that broke down or broke an invariant; the message has the seed."""


def ready(game: Game, scenario: str = "", settings: dict[str, str] | None = None) -> Setup:
    """What a game starts from with the packs that ship."""
    return setup(game, scenario, **(settings or {}))


def play_checked(game: Game, setup: Setup, seed: int, policy: str = "random") -> tuple[Outcome, int]:
    """One game to its end, checked after every answer; its outcome and number of asks."""
    play = game.start(setup)
    steps = autoplay.steps(play, autoplay.policy(game, play, policy, Random(seed)), seed, most=1_000_000)
    for count in range(1_000_000):
        try:
            step = next(steps)
        except StopIteration as end:
            return end.value, count
        except Exception as error:
            raise BrokenGame(f"{game.name} seed {seed}, ask {count}: {error!r}") from error
        broken = list(play.check())
        if broken:
            raise BrokenGame(f"{game.name} seed {seed}, ask {count} ({step.ask.key}): {'; '.join(broken)}")
    raise BrokenGame(f"{game.name} seed {seed}: no end")


def main(arguments: list[str]) -> int:
    """Play as many games as asked; 1 at the first broken one."""
    parser = argparse.ArgumentParser(prog="random_games")
    parser.add_argument("name")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--policy", default="random")
    parser.add_argument("--scenario", default="")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    options = parser.parse_args(arguments)
    game = games.load(options.name)
    given = ready(game, options.scenario, dict(one.split("=", 1) for one in options.set))
    results: Counter[str] = Counter()
    asks = 0
    for seed in range(options.seed, options.seed + options.games):
        try:
            outcome, count = play_checked(game, given, seed, options.policy)
        except BrokenGame as error:
            print(error, file=sys.stderr)
            return 1
        results[outcome.result] += 1
        asks += count
    print(f"{game.name}: {options.games} games from seed {options.seed}, {asks} answers, {dict(results)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
