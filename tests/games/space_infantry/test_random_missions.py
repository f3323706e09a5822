"""R21, the short form, and what the policies are worth."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from companion.engine import autoplay
from companion.engine.errors import BadAnswer
from companion.engine.game import Outcome
from companion.engine.override import assign
from companion.engine.run import Run
from companion.games.space_infantry import GAME
from companion.games.space_infantry.pack import CHITS
from companion.games.space_infantry.play import SpaceInfantry
from companion.games.space_infantry.state import Foe, Rhino
from tests.games.driver import setup
from tests.games.space_infantry.field import (
    briefed,
    calm,
    campaign,
    drill_with,
    fight,
    fresh,
    in_combat,
    op,
    pack,
    put_on,
    roll,
)
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
        level: sum(play("steady", seed, difficulty=level).result == "won" for seed in range(30))
        for level in ("easy", "normal", "hard", "nightmare")
    }

    assert won["easy"] > won["normal"] > won["hard"] > won["nightmare"]


def test_a_careful_squad_does_better_than_a_rash_one() -> None:
    won = {
        policy: sum(play(policy, seed, difficulty="hard").result == "won" for seed in range(30))
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
    state.marker = 31
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
        "resources below nothing",
        "-1 Success Levels are gathered on lab",
        "an active tank has 4 wounds",
        "leader has spent more EP",
        "sniper-1 has a skill level off the scale",
        "the Team Leader is missing",
    ):
        assert words in told


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("difficulty", "hrad", "no difficulty 'hrad', only: easy, normal, hard, nightmare"),
        ("operation.team", {"leader": {}, "heavy": {}}, "no soldier 'heavy', only: leader, assault-1"),
        ("roster.leader.card", "laeder", "no card 'laeder', only: leader"),
        ("roster.leader.wounds", 0, "leader can take no wound"),
        ("operation.mission", "drlil", "no mission 'drlil', only: drill"),
        ("operation.sheet", "gurnts", "no enemy sheet 'gurnts', only: grunts"),
        ("operation.sheet", "", "no enemy sheet ''"),
        ("operation.node", "moon", "no node 'moon', only: start, cliff"),
        ("operation.node", "", "no node ''"),
        ("operation.places", {"start": {"explored": True}}, "places without cliff, top"),
        ("operation.places.mark.counter", "Z", "no counter 'Z', only: ?, A, B"),
        ("operation.found", ["mpa"], "no find 'mpa', only: map"),
        ("operation.places.store.resource", "X", "no resource 'X', only: G, M, I, S, D"),
        ("operation.resources", {"G": 1}, "resources without M, I, S, D"),
        ("operation.resources", {"H": 1}, "no resource 'H'"),
        ("operation.chits", [{"who": "heavy", "skill": "fire", "level": 3}], "no soldier 'heavy'"),
        ("cup", {"x": 20}, "no chit 'x', only: 0, 1"),
        ("operation", None, "a mission is being played"),
        ("operation.fight.force", "Z", "no class of enemies 'Z', only: A, B, C, S"),
        ("roster.assault-1.card", "sniper", "assault-1 is on the card assault, not sniper"),
        ("roster.assault-1.kind", "leader", "assault-1 is basic on the card, not leader"),
        ("roster.assault-1.levels", {"fire": [3]}, "assault-1 has on the card: advance, fire, melee"),
        ("roster.assault-1.levels.fire", [], "assault-1 has on the card: advance, fire, melee"),
        (
            "reports",
            [{"mission": "drill", "difficulty": "hard", "success": True, "survivors": -1, "turns": 3}],
            "report 0 has -1 survivors and 3 turns",
        ),
    ],
)  # fmt: skip
def test_a_name_that_there_is_not_is_refused_when_set_by_hand_with_those_that_there_are(
    path: str, value: object, words: str
) -> None:
    driver = in_combat("grunt")
    assign(driver.play.state, path, value)

    assert words in "; ".join(driver.play.check())


def test_a_team_that_is_laid_out_is_not_set_off_the_map_before_its_first_turn() -> None:
    """At its first question nobody could have said where the team is."""
    run = Run(fresh(), 1)
    while run.ask is None or run.ask.key != "space_infantry.mission.ready":
        assert run.ask is not None
        run.answer(run.ask.accept(run.chance() if run.ask.is_chance else autoplay.at_first(run.ask)))
    with pytest.raises(BadAnswer, match="no node ''"):
        run.override({"operation.node": ""})


@pytest.mark.parametrize("who", ["leader", "medic"])
def test_a_soldier_less_or_more_is_refused_when_set_by_hand_between_missions(who: str) -> None:
    """Without its leader a team could be chosen, and broke the rules as it was."""
    run = Run(GAME.start(ready(GAME)), 1)
    assert run.ask is not None
    assert run.ask.key == "space_infantry.mission.choose"
    roster = msgspec.to_builtins(run.play.state)["roster"]
    gone = {name: one for name, one in roster.items() if name != who}
    with pytest.raises(BadAnswer, match=f"roster without {who}"):
        run.override({"roster": gone})
    with pytest.raises(BadAnswer, match="no soldier 'recruit'"):
        run.override({"roster": {**roster, "recruit": roster[who]}})


def test_a_team_put_on_a_node_by_hand_is_told_what_comes_first() -> None:
    driver = in_combat("grunt")
    assign(driver.play.state, "operation.node", "mark")
    told = "the team is or was on mark: first set operation.places.mark.explored to true"

    assert list(driver.play.check()) == [told]
    assign(driver.play.state, "operation.places.mark.explored", value=True)
    assert list(driver.play.check()) == []


def test_the_start_stays_explored_when_places_are_set_by_hand() -> None:
    driver = in_combat("grunt")
    assign(driver.play.state, "operation.places.start.explored", value=False)
    told = "the team is or was on start: first set operation.places.start.explored to true"

    assert list(driver.play.check()) == [told]


@pytest.mark.parametrize(
    ("letters", "broken"),
    [
        ({"mark": "?", "hall": "B"}, []),
        ({"mark": "?", "hall": "A", "lab": "B"}, ["1 special counter face down, 0 left"]),
        ({"mark": "?", "hall": "?", "lab": "?"}, ["3 special counters face down, 2 left"]),
    ],
)
def test_no_more_counters_than_the_mission_has_left_can_be_set_face_down_by_hand(
    letters: dict[str, str], broken: list[str]
) -> None:
    driver = in_combat("grunt")
    for node, letter in letters.items():
        assign(driver.play.state, f"operation.places.{node}.counter", letter)

    assert list(driver.play.check()) == broken


@pytest.mark.parametrize(("name", "value"), [("level", 0), ("ap", -1)])
def test_a_chit_that_is_none_is_refused_when_set_by_hand(name: str, value: int) -> None:
    driver = in_combat("grunt", resources={"S": 1})
    calm(driver, "space_infantry.combat.range")
    roll(driver, "2")
    calm(driver, "space_infantry.combat.chits")
    roll(driver, "2", "2", "2", "2")
    assert driver.ask.key == "space_infantry.combat.stimulate"
    assert list(driver.play.check()) == []
    assign(driver.play.state, f"operation.chits.0.{name}", value)

    assert [problem.partition(" of ")[0] for problem in driver.play.check()] == ["a chit"]


def test_a_rhino_without_a_card_can_not_be_set_by_hand() -> None:
    driver = in_combat("grunt", changed=msgspec.structs.replace(pack(), vehicle={}))
    op(driver).rhino = Rhino()

    assert list(driver.play.check()) == ["there is no vehicle.rhino"]


def test_a_rhino_can_not_be_set_by_hand_in_a_mission_that_has_none() -> None:
    driver = briefed()
    op(driver).rhino = Rhino()

    assert list(driver.play.check()) == ["this mission has no Rhino"]


def test_the_rhino_of_a_mission_can_not_be_set_away_by_hand() -> None:
    driver = briefed(changed=drill_with(rhino=True))
    assert list(driver.play.check()) == []
    op(driver).rhino = None

    assert list(driver.play.check()) == ["the Rhino is missing: one that is destroyed has 6 wounds"]


@pytest.mark.parametrize(("wounds", "broken"), [(6, []), (7, ["the Rhino has 7 wounds"])])
def test_the_rhino_has_no_more_wounds_than_it_can_take(wounds: int, broken: list[str]) -> None:
    driver = briefed(changed=drill_with(rhino=True))
    op(driver).rhino = Rhino(wounds)

    assert list(driver.play.check()) == broken


def test_the_time_marker_can_not_be_set_by_hand_beyond_the_last_box() -> None:
    driver = in_combat("grunt")
    assign(driver.play.state, "operation.marker", 0)

    assert list(driver.play.check()) == ["the Time marker is on 0"]


def test_nine_resources_and_a_ruined_rhino_are_seen() -> None:
    driver = briefed(numbers="cup")
    assert isinstance(driver.play, SpaceInfantry)
    op(driver).resources["M"] += 1
    campaign(driver).cup["0"] += 1

    assert set(driver.play.check()) == {"9 resources, 8 allowed", "21 chits in the cup and on units"}


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("cup", {"0": 9, "+": 1}, "cup without 1, 2, 3, 4, 5, 6"),
        ("cup.6", -1, "chits below nothing"),
        ("lying", {"6": -1}, "chits below nothing"),
        ("cup", dict.fromkeys(CHITS, 0) | {"+": 2}, "no chit with a number is left"),
    ],
)
def test_a_cup_that_can_not_be_drawn_from_is_refused_when_set_by_hand(
    path: str, value: object, words: str
) -> None:
    run = Run(fresh(numbers="cup"), 1)
    with pytest.raises(BadAnswer, match=words):
        run.override({path: value})
    assert list(run.play.check()) == []


def test_a_policy_goes_on_where_a_combat_is_taken_off_the_table_by_hand() -> None:
    rng = Random(1)
    run = Run(fresh(), 1)
    while run.ask is None or run.ask.key != "space_infantry.combat.prepare":
        if run.ask is None:
            run = Run(fresh(), rng.randrange(1000))
        assert run.ask is not None
        answer = run.chance() if run.ask.is_chance else autoplay.at_random(run.ask, rng)
        run.answer(run.ask.accept(answer))
    run.override({"operation.fight": None})
    run.answer(run.ask.accept(run.play.advise(run.ask, "steady")))


@pytest.mark.parametrize(("charges", "chits"), [(1, []), (0, ["demolition", "command"])])
def test_a_policy_gives_no_chit_to_who_can_set_a_demo_charge(charges: int, chits: list[str]) -> None:
    driver = briefed(resources={"D": charges})
    driver.answer("try:gate")

    assert driver.play.advise(driver.ask, "steady") == chits


def test_a_policy_leaves_nothing_behind_where_enough_was_taken_away_by_hand() -> None:
    driver = briefed(resources={"G": 8})
    put_on(driver, "store")
    driver.answer("stay")
    driver.answer("look")
    roll(driver, "6")
    op(driver).resources["G"] = 8
    driver.restate()

    assert driver.play.advise(driver.ask, "steady") == "none"
