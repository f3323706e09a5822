"""R21, the short form over scenarios and settings: games from what their seeds draw."""

from __future__ import annotations

import shlex

import msgspec
import pytest

from companion import games
from companion.engine.game import Play, Setup
from companion.games.dday_dice import GAME as DDAY_DICE
from companion.games.flag_war import GAME as FLAG_WAR
from companion.games.flag_war.play import FlagWar
from tests.longrun.random_games import BrokenGame, drawn, main, play_checked, ready


@pytest.mark.parametrize("name", games.names())
def test_a_game_from_what_its_seed_draws_ends_and_breaks_no_invariant(name: str) -> None:
    game = games.load(name)
    start, _ = drawn(game, 1)
    play_checked(game, start, 1)


def test_every_scenario_choice_and_policy_is_drawn_and_the_same_for_the_same_seed() -> None:
    starts = [drawn(FLAG_WAR, seed) for seed in range(60)]
    assert starts[7] == drawn(FLAG_WAR, 7)
    assert {start.scenario for start, _ in starts} == set(FLAG_WAR.scenarios(ready(FLAG_WAR).pack))
    assert {policy for _, policy in starts} == {"random", *FLAG_WAR.policies}
    for setting in FLAG_WAR.settings:
        assert {start.settings[setting.name] for start, _ in starts} == set(setting.choices)


def test_what_is_given_is_not_drawn_and_what_a_game_refuses_is_drawn_again() -> None:
    starts = [drawn(DDAY_DICE, seed, "cautious", "deadstick", {"def_by": "chevrons"}) for seed in range(8)]
    assert {(start.scenario, policy) for start, policy in starts} == {("deadstick", "cautious")}
    assert {start.settings["def_by"] for start, _ in starts} == {"chevrons"}
    assert {start.settings["players"] for start, _ in starts} == {"2", "3", "4"}
    with pytest.raises(BrokenGame, match=r"seed 1: .*set players=2"):
        drawn(DDAY_DICE, 1, scenario="deadstick", settings={"players": "1"})


def test_a_broken_game_says_how_to_play_it_once_more(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(FlagWar, "check", lambda self: ["a man too many"] if self.state.turn == 3 else [])
    assert main(["flag_war", "--any", "--seed", "5"]) == 1
    told = capsys.readouterr().err
    start, policy = drawn(FLAG_WAR, 5)
    again = shlex.split(told.splitlines()[-1].partition("random_games ")[2])
    assert again[:7] == ["flag_war", "--games", "1", "--seed", "5", "--policy", policy]
    assert again[7:9] == ["--scenario", start.scenario]
    assert "a man too many" in told
    assert main(again) == 1
    assert capsys.readouterr().err == told


def test_so_does_one_that_breaks_down_where_it_starts() -> None:
    def start(setup: Setup) -> Play:
        raise ZeroDivisionError("no men")

    with pytest.raises(BrokenGame, match=r"seed 5: ZeroDivisionError.*\nonce more: .* --games 1 --seed 5 "):
        drawn(msgspec.structs.replace(FLAG_WAR, start=start), 5)
