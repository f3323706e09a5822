"""Random whole games with every invariant checked after every answer (R21).

python -m tests.longrun.random_games NAME --games 10000 --seed 1 [--any] [--scenario S] [--set key=value]

With `--any` each game's seed draws what is not given: the scenario, every setting and the policy.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from random import Random

from companion import games
from companion.engine import autoplay
from companion.engine import game as engine_game
from companion.engine.errors import BadInput
from companion.engine.game import Game, Outcome, Setup
from tests.games.driver import setup

DRAWS = 1000
"""How often a game may refuse what is drawn for it before nothing is taken to suit it."""


class BrokenGame(AssertionError):
    """A game that broke down or broke an invariant; the message has how to play it once more."""


def ready(game: Game, scenario: str = "", settings: dict[str, str] | None = None) -> Setup:
    """What a game starts from with the packs that ship."""
    return setup(game, scenario, **(settings or {}))


def drawn(
    game: Game, seed: int, policy: str = "", scenario: str = "", settings: dict[str, str] | None = None
) -> tuple[Setup, str]:
    """A start that the game takes and a policy, the same for the same seed; what is given is not drawn.

    Nor is `first`: with it people alone can go in circles for ever.
    """
    rng = Random(seed)
    pack = ready(game).pack
    scenarios = [scenario] if scenario else game.scenarios(pack) or [""]
    chosen = policy or rng.choice(["random", *game.policies])
    refused: BadInput | None = None
    for _ in range(DRAWS):
        every = {one.name: rng.choice(one.choices) for one in game.settings}
        start = engine_game.setup(game, pack, every | (settings or {}), rng.choice(scenarios))
        try:
            game.start(start)
        except BadInput as error:
            refused = error
        except Exception as error:
            raise _broken(game, start, seed, chosen, f": {error!r}") from error
        else:
            return start, chosen
    raise BrokenGame(f"{game.name} seed {seed}: it starts with nothing that was drawn: {refused}")


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
            raise _broken(game, setup, seed, policy, f", ask {count}: {error!r}") from error
        broken = list(play.check())
        if broken:
            told = f", ask {count} ({step.ask.key}): {'; '.join(broken)}"
            raise _broken(game, setup, seed, policy, told)
    raise _broken(game, setup, seed, policy, ": no end")


def _broken(game: Game, setup: Setup, seed: int, policy: str, told: str) -> BrokenGame:
    """With the command that plays this one game once more."""
    options = ["--games", "1", "--seed", str(seed), "--policy", policy]
    if setup.scenario:
        options += ["--scenario", setup.scenario]
    defaults = {one.name: one.default for one in game.settings}
    for name, value in setup.settings.items():
        if value != defaults[name]:
            options += ["--set", f"{name}={value}"]
    again = shlex.join(["python", "-m", "tests.longrun.random_games", game.name, *options])
    return BrokenGame(f"{game.name} seed {seed}{told}\nonce more: {again}")


def main(arguments: list[str]) -> int:
    """Play as many games as asked; 1 at the first broken one."""
    parser = argparse.ArgumentParser(prog="random_games")
    parser.add_argument("name")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--any", action="store_true", help="draw what is not given, for each game anew")
    parser.add_argument("--policy", default="", help="random, if it is not drawn")
    parser.add_argument("--scenario", default="")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    options = parser.parse_args(arguments)
    game = games.load(options.name)
    settings = dict(one.split("=", 1) for one in options.set)
    given, policy = ready(game, options.scenario, settings), options.policy or "random"
    results: Counter[str] = Counter()
    asks = 0
    for seed in range(options.seed, options.seed + options.games):
        try:
            if options.any:
                given, policy = drawn(game, seed, options.policy, options.scenario, settings)
            outcome, count = play_checked(game, given, seed, policy)
        except BrokenGame as error:
            print(error, file=sys.stderr)
            return 1
        results[outcome.result] += 1
        asks += count
    print(f"{game.name}: {options.games} games from seed {options.seed}, {asks} answers, {dict(results)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
