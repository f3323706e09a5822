"""Against one policy the bot wins more often the harder it is set, by more than chance."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from random import Random

import pytest

from companion.engine import autoplay
from companion.engine.game import Result
from companion.games.undaunted import GAME
from tests.games.undaunted.field import fresh

GAMES = 80
SURE = 1.96
"""Standard errors: 19 of 20 such differences are no accident."""


def bot_wins(difficulty: str) -> int:
    wins = 0
    for seed in range(GAMES):
        play = fresh(difficulty=difficulty)
        decide = autoplay.policy(GAME, play, "cautious", Random(seed))
        outcome, _, _ = autoplay.play_out(play, decide, seed)
        wins += outcome.result is Result.LOST
    return wins


@pytest.mark.rule("UND-237", "UND-238")
def test_easy_loses_to_normal_and_normal_to_hard() -> None:
    wins = [bot_wins(difficulty) for difficulty in ("easy", "normal", "hard")]
    for fewer, more in pairwise(wins):
        share = (fewer + more) / (2 * GAMES)
        error = sqrt(2 * share * (1 - share) / GAMES)
        assert (more - fewer) / GAMES > SURE * error, wins
