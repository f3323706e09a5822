"""R21, the short form, and what the policies are worth."""

from __future__ import annotations

from random import Random

import pytest

from companion.engine.game import Outcome
from companion.games.space_infantry import GAME
from companion.games.space_infantry.play import SpaceInfantry
from companion.games.space_infantry.state import Foe
from tests.games.driver import setup
from tests.games.space_infantry.field import briefed, campaign, fight, in_combat, op, pack
from tests.longrun.random_games import play_checked, ready


def play(policy: str, seed: int, **settings: str) -> Outcome:
    return play_checked(GAME, ready(GAME, "", settings), seed, policy)[0]


@pytest.mark.parametrize("policy", ["random", "first", "steady", "rash"])
def test_no_mission_breaks_an_invariant(policy: str) -> None:
    for seed in range(25):
        play(policy, seed)


def test_no_mix_of_settings_breaks_an_invariant() -> None:
    rng = Random(3)
    for seed in range(40):
        settings = {one.name: rng.choice(one.choices) for one in GAME.settings}
        settings["missions"] = rng.choice(["1", "2"])
        given = ready(GAME, "", settings | {"numbers": rng.choice(["dice", "typed"])})
        play_checked(GAME, given, seed, rng.choice(["random", "steady", "rash"]))


def test_a_kept_cup_never_runs_dry() -> None:
    from companion.engine.game import setup as engine_setup

    for seed in range(20):
        settings = {"numbers": "cup", "difficulty": "nightmare", "missions": "2"}
        play_checked(GAME, engine_setup(GAME, pack(), settings), seed, "steady")


@pytest.mark.rule("SPI-184", "SPI-187")
def test_the_harder_the_level_the_fewer_missions_succeed() -> None:
    won = {
        level: sum(play("steady", seed, difficulty=level).result == "won" for seed in range(60))
        for level in ("easy", "normal", "hard", "nightmare")
    }

    assert won["easy"] > won["normal"] > won["hard"] > won["nightmare"]


def test_a_careful_squad_does_better_than_a_rash_one() -> None:
    won = {
        policy: sum(play(policy, seed, difficulty="hard").result == "won" for seed in range(60))
        for policy in ("steady", "rash")
    }

    assert won["steady"] > won["rash"]


def test_every_shipped_mission_can_be_won() -> None:
    for name in GAME.scenarios(setup(GAME).pack)[1:]:
        given = ready(GAME, name, {"difficulty": "easy"})
        assert any(play_checked(GAME, given, seed, "steady")[0].result == "won" for seed in range(8)), name


def test_invariants_see_what_is_wrong() -> None:
    driver = in_combat("grunt")
    state, fought = op(driver), fight(driver)
    state.team["assault-1"].wounds = 3
    state.team["shotgun-1"].treated = 9
    state.marker, state.node = 31, "moon"
    state.resources["G"] = -1
    state.places["lab"].gathered = -1
    fought.foes.append(Foe("tank", 4))
    campaign(driver).roster["leader"].ep = -1
    campaign(driver).roster["sniper-1"].levels["fire"] = [1]
    del state.team["leader"]
    told = "; ".join(driver.play.check())

    for words in (
        "assault-1 has 3 of 2 wounds",
        "shotgun-1 has 9 Treated Wounds",
        "the Time marker is on 31",
        "the team is nowhere: moon",
        "resources below nothing",
        "node lab is off",
        "an active tank has 4 wounds",
        "leader has spent more EP",
        "sniper-1 has a skill level off the scale",
        "the Team Leader is missing",
    ):
        assert words in told


def test_nine_resources_and_a_ruined_rhino_are_seen() -> None:
    driver = briefed()
    assert isinstance(driver.play, SpaceInfantry)
    op(driver).resources["M"] += 1
    campaign(driver).cup = {"0": 21}

    assert set(driver.play.check()) == {"9 resources, 8 allowed", "21 chits in the cup and on units"}
