"""R21, the short form: whole games with every invariant checked after every answer."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from companion.engine import autoplay
from companion.engine.asks import Choose
from companion.engine.errors import BadAnswer
from companion.engine.game import Outcome
from companion.engine.run import Run
from companion.games.flag_war import GAME, policies
from companion.games.flag_war.table import Table
from tests.games.flag_war.field import PEOPLE, at_roll, fresh, state
from tests.longrun.random_games import play_checked, ready


def play(policy: str, seed: int, **settings: str) -> Outcome:
    return play_checked(GAME, ready(GAME, "", settings), seed, policy)[0]


@pytest.mark.parametrize("armies", ["2", "3", "4"])
@pytest.mark.parametrize("combined", ["sum", "sequential"])
def test_random_generals_break_no_invariant(armies: str, combined: str) -> None:
    settings = PEOPLE | {"armies": armies, "agreed_end": "300", "combined_move": combined}
    for seed in range(4):
        outcome = play("random", seed, **settings, empty_flags="yes")
        assert outcome.score["turns"] <= 300


@pytest.mark.parametrize("policy", ["raider", "guard"])
@pytest.mark.parametrize("armies", ["2", "4"])
def test_armies_of_one_policy_bring_the_war_to_its_end(policy: str, armies: str) -> None:
    for seed in range(2):
        assert play(policy, seed, **PEOPLE, armies=armies).reason.endswith("holds all flags")


@pytest.mark.parametrize("seed", [1, 12])
def test_the_boxs_armies_do_not_wait_for_each_other_for_ever(seed: int) -> None:
    """Two blockades face each other before a base, where nobody wins by attacking."""
    settings = {"combined_move": "sequential", "bunker_pairs": "safe", "agreed_end": "1000"}
    south = "guard" if seed % 2 else "raider"
    prepared = ready(GAME, "skirmish", settings | {"north": "guard", "south": south})
    outcome, _ = play_checked(GAME, prepared, seed)
    assert outcome.reason.endswith("holds all flags")


@pytest.mark.parametrize("policy", ["raider", "guard"])
def test_the_boxs_armies_beat_random_ones(policy: str) -> None:
    lost = [play("random", seed, south=policy).result == "lost" for seed in range(6)]

    assert all(lost)


def test_a_war_that_is_played_again_weighs_no_move_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """R7: an undo does that, and this was most of its time."""
    weighed: list[str] = []

    def noting(table: Table, question: Choose, weights: policies.Weights) -> str | None:
        weighed.append(question.key)
        return weigh(table, question, weights)

    weigh = policies._weighed
    monkeypatch.setattr(policies, "_weighed", noting)
    monkeypatch.setattr(policies, "_taken", {})
    settings = PEOPLE | {"south": "raider", "agreed_end": "100"}
    first = play("raider", 3, **settings)
    moves = len(weighed)
    assert moves > 100
    assert play("raider", 3, **settings) == first
    assert len(weighed) == moves
    assert play("raider", 3, **settings, combined_move="sequential") != first
    assert len(weighed) > moves
    monkeypatch.setattr(policies, "REMEMBERED", 1)
    assert play("raider", 3, **settings) == first


def test_an_army_of_the_box_may_be_random_too() -> None:
    outcome = play("raider", 3, south="random")

    assert outcome.result == "won"


def test_invariants_see_what_is_wrong() -> None:
    driver = at_roll(N={"P1": "M44", "P2": "M44", "P3": "N-O1", "C1": "S-prison"}, S={"P1": "N-O1"})
    state(driver).armies["N"].men["C1"].flag = "N"
    state(driver).armies["N"].men["P1"].flag = "S"
    state(driver).dice = [7]
    told = "; ".join(driver.play.check())

    assert "2 men stand on M44" in told
    assert "two armies stand on N-O1" in told
    assert "N C1 can't carry a flag" in told
    assert "N P1 can't carry a flag" in told
    assert "flags are lost or doubled" in told
    assert "dice out of range" in told
    del state(driver).armies["N"].men["P6"]
    assert "N has not the soldiers of one army" in list(driver.play.check())


def test_all_men_of_all_armies_in_prison_are_refused_when_set_by_hand() -> None:
    war = fresh(armies="2")
    run = Run(war, 1)
    names = war.state.armies["N"].men
    taken = {f"armies.{one}.men.{name}.at": f"{by}-prison" for one, by in ("NS", "SN") for name in names}
    with pytest.raises(BadAnswer, match="every man is in prison"):
        run.override(taken)
    del taken["armies.S.men.P1.at"]
    run.override(taken)


@pytest.mark.parametrize("seats", ["N", "SN", "NSW"])
def test_an_army_more_or_less_is_refused_when_set_by_hand(seats: str) -> None:
    war = fresh(armies="2")
    army = msgspec.to_builtins(war.state.armies["S"])
    with pytest.raises(BadAnswer, match="armies: the war is fought by N, S"):
        Run(war, 1).override({"armies": dict.fromkeys(seats, army)})


@pytest.mark.parametrize(("start", "seat"), [("layout", "N"), ("free", "S")])
def test_a_soldier_whom_nobody_places_can_not_be_nowhere(start: str, seat: str) -> None:
    run = Run(fresh(start=start, south="raider"), 1)
    with pytest.raises(BadAnswer, match=f"{seat} P1 is nowhere"):
        run.override({f"armies.{seat}.men.P1.at": ""})


@pytest.mark.parametrize("flags", [{"N": ["N"], "S": ["S"]}, {"N": ["N"], "E": [], "W": [], "X": ["S"]}])
def test_a_flag_square_more_or_less_is_refused_when_set_by_hand(flags: dict[str, list[str]]) -> None:
    with pytest.raises(BadAnswer, match="flags: the flag squares are N, E, S, W"):
        Run(fresh(armies="2"), 1).override({"flags": flags})


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("on_turn", "W"),
        ("on_turn", ""),
        ("winner", "nobody"),
        ("in_hand", "P1"),
        ("in_hand", "P9:3"),
        ("in_hand", "P1:0"),
        ("in_hand", "P1:13"),
        ("moved", ["P1", "P9"]),
        ("leg.man", "P9"),
        ("leg.to", "nowhere"),
        ("leg.count", 0),
        ("leg.count", 7),
        ("tao", True),
        ("dice", [1, 1, 1]),
        ("armies.N.men.P1.at", "N-prison"),
        ("armies.N.men.P1.at", "nowhere"),
        ("armies.N.men.P1.kind", "Q"),
        ("armies.N.men.P1.kind", ""),
    ],
)
def test_words_that_the_war_knows_nothing_by_are_refused_when_set_by_hand(path: str, value: object) -> None:
    war = fresh(armies="2", combined_move="sequential")
    run = Run(war, 1)
    while not war.state.leg:
        run.answer(run.chance() if run.ask.is_chance else autoplay.at_random(run.ask, Random(1)))
    with pytest.raises(BadAnswer, match=f"{path} = "):
        run.override({path: value})
    assert list(war.check()) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("on_turn", "S"),
        ("dice", [6, 6]),
        ("moved", ["P1"]),
        ("leg", {"man": "P1", "start": "N-F32", "count": 3, "to": "N-F40"}),
        ("tao", True),
        ("in_hand", "P1:3"),
    ],
)
def test_what_belongs_to_a_turn_can_not_be_set_by_hand_before_the_first(path: str, value: object) -> None:
    """It counted for nothing: the first turn begins with a roll."""
    with pytest.raises(BadAnswer, match=f"{path} = .*first turn"):
        Run(fresh(armies="2"), 1).override({path: value})


@pytest.mark.parametrize(
    ("path", "value"),
    [("dice", [3, 4]), ("moved", ["P1"]), ("tao", True), ("in_hand", "P1:3")],
)
def test_what_belongs_to_a_roll_can_not_be_set_by_hand_before_it(path: str, value: object) -> None:
    """It counted for nothing: dice set where two were to be rolled were rolled over."""
    run = Run(fresh(armies="2"), 1)
    while run.ask.key != "flag_war.turn.roll":
        run.answer(run.chance() if run.ask.is_chance else True)
    with pytest.raises(BadAnswer, match=f"{path} = .*nobody moves before the next roll: set them after it"):
        run.override({path: value})
    run.answer(("1", "6"))
    run.override({"dice": [3, 4]})
    assert run.ask.text.endswith(": dice 3 4, move whom?")


def test_the_war_can_not_be_set_back_by_hand_to_before_its_first_turn() -> None:
    """Nobody had rolled then, and the game broke down over it."""
    war = fresh(armies="2")
    run = Run(war, 1)
    while not war.state.turn:
        run.answer(run.chance() if run.ask.is_chance else True)
    with pytest.raises(BadAnswer, match="turn: the first turn is 1, and S is on turn"):
        run.override({"turn": 0})
    with pytest.raises(BadAnswer, match="on_turn: somebody has the turn"):
        run.override({"turn": 0, "on_turn": ""})


@pytest.mark.parametrize(
    ("north", "south", "first"), [("person", "raider", "North"), ("raider", "person", "South")]
)
def test_the_flags_of_people_come_first_in_the_score(north: str, south: str, first: str) -> None:
    outcome = play("raider", 3, north=north, south=south)

    assert next(iter(outcome.score)) == f"flags {first}"
