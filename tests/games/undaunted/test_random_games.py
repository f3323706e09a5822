"""R21 in short: random whole games of every scenario and mode, invariants after every answer."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from companion.engine import BadAnswer, autoplay
from companion.engine import game as engine_game
from companion.engine.run import Run
from companion.games.undaunted import GAME
from companion.games.undaunted.pack import FACTIONS
from tests.games.undaunted.field import LA_RAYE, NIGHT, fresh, shipped
from tests.longrun.random_games import play_checked, ready

CASES = [
    ("la-raye", {}, 40),
    ("la-raye", {"difficulty": "hard", "side": "ge"}, 20),
    ("la-raye", {"hand": "table"}, 20),
    ("la-raye", {"players": "2"}, 5),
    ("stand-in-armour", {}, 10),
    ("stand-in-armour", {"side": "ge", "specialists": "yes"}, 10),
    ("stand-in-armour", {"players": "4", "hand": "table"}, 3),
    ("stand-in-night", {}, 10),
    ("stand-in-night", {"side": "it"}, 10),
    ("stand-in-night", {"players": "4"}, 3),
]


@pytest.mark.parametrize(("scenario", "settings", "games"), CASES)
def test_random_games_end_in_order(scenario: str, settings: dict[str, str], games: int) -> None:
    setup = ready(GAME, scenario, settings)
    for seed in range(games):
        outcome, _ = play_checked(GAME, setup, seed)
        assert outcome.reason


@pytest.mark.parametrize("policy", ["cautious", "bold", "first"])
def test_policies_play_to_the_end(policy: str) -> None:
    setup = ready(GAME)
    for seed in range(5):
        outcome, _ = play_checked(GAME, setup, seed, policy)
        assert outcome.reason


def test_policies_tell_cards_of_one_title_apart_whatever_is_in_it() -> None:
    pack = shipped()
    unit = {
        name: msgspec.structs.replace(one, title="Man on Foot") if one.defence else one
        for name, one in pack.unit.items()
    }
    setup = engine_game.setup(GAME, msgspec.structs.replace(pack, unit=unit), {}, LA_RAYE)
    outcome, _ = play_checked(GAME, setup, 1, "bold")
    assert outcome.reason


def test_two_sides_with_nothing_left_that_is_worth_doing_do_not_wait_for_ever() -> None:
    play = GAME.start(ready(GAME, NIGHT, {"players": "2", "hand": "table"}))
    decide = autoplay.policy(GAME, play, "cautious", Random(1025))
    assert [*autoplay.steps(play, decide, 1025, most=5000)]


def test_a_side_without_soldiers_is_advised_to_bolster_and_not_to_draw_for_ever() -> None:
    outcome, _ = play_checked(GAME, ready(GAME, "stand-in-armour"), 6, "bold")
    assert outcome.reason


def test_the_same_seed_gives_the_same_game() -> None:
    def texts() -> list[str]:
        play = fresh()
        decide = autoplay.policy(GAME, play, "first", autoplay.Random(1))
        return [step.ask.text for step in autoplay.steps(play, decide, 7)]

    assert texts() == texts()


@pytest.mark.parametrize("side", ["us", "ge"])
def test_the_players_points_come_first_in_the_score(side: str) -> None:
    outcome, _ = play_checked(GAME, ready(GAME, "la-raye", {"side": side}), 0, "first")
    assert next(iter(outcome.score)) == FACTIONS[side]


@pytest.mark.parametrize(
    ("scenario", "path", "value"),
    [
        (LA_RAYE, "initiative", "german"),
        (LA_RAYE, "turn", "me"),
        (LA_RAYE, "round", -1),
        (LA_RAYE, "radio", -1),
        (LA_RAYE, "sides.us.next_commander", "ge"),
        (LA_RAYE, "sides.us.target", "17b"),
        (LA_RAYE, "sides.us.mines", -1),
        (LA_RAYE, "sides.us.counters.scout-a.unit", "scout-b"),
        (LA_RAYE, "sides.us.counters", {}),
        (LA_RAYE, "mines", [{"between": ["2B", "16B"], "face": "anti-personnel"}]),
        (NIGHT, "structures", {"D8": {"side": "", "unit": "structure", "owner": "", "tile": "D9"}}),
        (
            NIGHT,
            "sides.lrdg.counters.crewman-a",
            {
                "side": "lrdg",
                "unit": "crewman-a",
                "owner": "lrdg",
                "tile": "D1",
                "vehicle": "scout-car",
                "seat": 2,
            },
        ),
    ],
)
def test_a_name_or_number_that_the_table_has_not_is_refused_when_set(
    scenario: str, path: str, value: object
) -> None:
    run = Run(fresh(scenario), 1)
    with pytest.raises(BadAnswer, match="can't be"):
        run.override({path: value})


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("sides.lrdg.counters.scout-car.tile", "D13", "lrdg scout-car is on D13, which is not on the board"),
        ("sides.lrdg.counters.crewman-a.unit", "crewman", "lrdg crewman-a is 'crewman'"),
        ("sides.lrdg.counters.crewman-a.unit", "D1", "lrdg crewman-a is 'D1'"),
    ],
)
def test_why_a_counter_cannot_be_set_so_is_said_in_words(path: str, value: str, why: str) -> None:
    run = Run(fresh(NIGHT), 1)
    with pytest.raises(BadAnswer) as refused:
        run.override({path: value})
    assert str(refused.value).endswith(f"can't be: {why}")


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("sides", {}, "nobody plays us and ge"),
        ("players", {}, "nobody plays us and ge"),
        ("players.ge.side", "us", "nobody plays ge"),
        ("scenario", "la-raye-2", "the scenario is 'la-raye-2', but La Raye is played"),
    ],
)
def test_a_side_or_scenario_that_is_taken_away_is_refused_by_what_lacks(
    path: str, value: object, why: str
) -> None:
    with pytest.raises(BadAnswer) as refused:
        Run(fresh(), 1).override({path: value})
    assert str(refused.value).endswith(f"can't be: {why}")


def test_a_third_side_is_refused_in_words() -> None:
    game = fresh()
    sides = msgspec.to_builtins(game.state.sides)
    with pytest.raises(BadAnswer, match=r"can't be: this scenario has no side it$"):
        Run(game, 1).override({"sides": {**sides, "it": sides["us"]}})
