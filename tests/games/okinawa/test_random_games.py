"""Whole games at random and with care: they end, and what must hold holds after every answer (R21)."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from companion.engine import autoplay
from companion.engine.asks import Draw
from companion.engine.override import assign
from companion.games.okinawa import GAME, invariants, objectives, setup
from companion.games.okinawa.play import Okinawa, glance
from companion.games.okinawa.state import Enemy, State
from companion.games.okinawa.unseen import HILL
from tests.games import driver
from tests.games.okinawa.field import enemy, run, stop_at, table
from tests.longrun.random_games import play_checked, ready


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_random_games_end_and_keep_every_invariant(first: int) -> None:
    prepared = ready(GAME)
    for seed in range(first, first + 20):
        play_checked(GAME, prepared, seed)


@pytest.mark.parametrize(
    "settings",
    [
        {"mode": "enemy"},
        {
            "order": "shuffled",
            "riflemen": "random",
            "extra_unknown": "3",
            "reroll": "any",
            "swap_pawn": "goes",
        },
        {
            "planes_block": "no",
            "planes_leave": "no",
            "wounds": "heal",
            "missing_known": "none",
            "limits": "no",
        },
        {"sandbags": "2", "extra_die": "yes", "riflemen": "chosen", "extra_under": "leftmost"},
    ],
    ids="-".join,
)
@pytest.mark.parametrize("policy", ["random", "cautious"])
def test_games_with_other_settings(settings: dict[str, str], policy: str) -> None:
    prepared = ready(GAME, settings=settings)
    for seed in range(10 if policy == "random" else 2):
        play_checked(GAME, prepared, seed, policy)


@pytest.mark.rule("OKI-247", "OKI-257", "OKI-R79")
def test_extra_enemies_are_turned_up_at_hill_89_after_the_unknown_deck_was_shuffled_anew() -> None:
    outcome, _ = play_checked(GAME, ready(GAME, settings={"extra_unknown": "3"}), 3, "cautious")
    assert outcome.score["objective"] == 4


def test_the_careful_player_reaches_hill_89_and_random_play_rarely() -> None:
    prepared = ready(GAME)
    careful = [play_checked(GAME, prepared, seed, "cautious")[0] for seed in range(3)]
    assert all(outcome.score["objective"] >= 3 for outcome in careful)
    random = [play_checked(GAME, prepared, seed)[0] for seed in range(30)]
    assert sum(outcome.score["objective"] == 4 for outcome in random) <= 3


def test_the_state_is_json_and_comes_back_the_same() -> None:
    play = Okinawa(driver.setup(GAME))
    steps = autoplay.steps(play, autoplay.policy(GAME, play, "random", Random(2)), 2)
    for _ in steps:
        packed = msgspec.json.encode(play.state)
        assert msgspec.json.decode(packed, type=State) == play.state


def test_decks_keep_the_names_that_journals_know_them_by() -> None:
    play = Okinawa(driver.setup(GAME, order="shuffled", riflemen="random"))
    decks: dict[str, set[str]] = {}
    for step in autoplay.steps(play, autoplay.policy(GAME, play, "cautious", Random(3)), 3):
        if isinstance(step.ask, Draw):
            decks.setdefault(step.ask.key, set()).add(step.ask.deck)
    assert decks == {
        "okinawa.setup.order": {"basic actions"},
        "okinawa.resupply.card": {"reinforcement deck", "reinforcements"},
        "okinawa.resupply.token": {"resupply tokens"},
        "okinawa.setup.replaced": {"reinforcements"},
        "okinawa.objective.card": {"objective 1", "objective 2", "objective 3"},
        "okinawa.objective.last": {"objective 4"},
        "okinawa.scenario.card": {"scenarios"},
        "okinawa.reveal.known": {"known enemies"},
        "okinawa.reveal.card": {"unknown enemies", "hill 89"},
    }


def test_a_report_follows_health_and_enemies() -> None:
    seen = glance(table().state)
    assert seen.turn == ""
    assert seen.figures == {"health": 4, "soldiers": 2, "enemy cards": 0, "flag": 2}


def test_a_report_counts_what_an_objective_brings_once_it_is_laid_out() -> None:
    laid = table()
    laid.state.turn = 3
    stop_at(objectives.set_up_objective(laid), "okinawa.objective.setup", ["stone-village"])
    assert glance(laid.state).turn == ""
    laid = table()
    laid.state.turn = 3
    run(objectives.set_up_objective(laid), ["stone-village"], ["L"], "1")
    assert glance(laid.state).turn == "Objective 2, turn 3"


def test_a_report_takes_nobody_who_falls_back_for_defeated() -> None:
    laid = table()
    enemy(laid, 2)
    before = glance(laid.state).figures
    objectives.fall_back(laid)
    assert not laid.state.soldiers
    assert glance(laid.state).figures == before


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("health", 5, "health: 5"),
        ("pawn", 11, "pawn: on"),
        ("strikes", [1] * 7, "strikes"),
        ("pool", [5], "action dice"),
        ("sandbags", 3, "sandbag: 3 held of 2"),
        ("tokens", ["grenade"], "Resupply tokens: 19 of 18"),
        ("removed_actions", ["sniper"], "Action cards: 26 of 25"),
        ("deck", 9, "Unknown Enemies"),
        ("known", [], "Known Enemies"),
        ("health", -1, "health: -1"),
        ("flag", 10, "flag: 10 is not from 0 to 9"),
        ("captured", 5, "captured: 5 is not from 0 to 4"),
        ("allowance", 8, "allowance: 8 is not from 0 to 7"),
        ("turn", -1, "turn: -1 is below 0"),
        ("activation.left", 5, "activation.left: 5"),
        ("activation.scouts", -1, "activation.scouts: -1 is below 0"),
        ("strikes", [11], "strikes: on [11]"),
        ("mines", [3, 11], "mines: on [11]"),
        ("pool", [1] * 7, "action dice"),
        ("pool", [0], "action dice"),
        ("resupply_die", 5, "action dice: [5]"),
        ("spaces.3.action.die", 5, "action dice: [5]"),
        ("sandbags", -1, "sandbag: -1 held of 2"),
        ("adjusts", 99, "adjust: 99 held"),
        ("spaces.0.number", 2, "spaces: [2, 2, 3, "),
        ("spaces.0.number", 0, "spaces: [0, 2, 3, "),
        ("spaces.9.number", 11, "spaces: [1, 2, 3, 4, 5, 6, 7, 8, 9, 11]"),
        (
            "spaces",
            [{"number": number, "action": {"card": "rifleman"}} for number in range(1, 6)],
            "spaces: each",
        ),
        ("row", [[], [], []], "row: 3 Enemy Spaces, not 4"),
        ("row.0", [{"card": "A", "up": True, "damage": 9}], "A Rifle Squad: fog 0, damage 9 of "),
        ("row.0", [{"card": "A", "up": True, "damage": -1}], "A Rifle Squad: fog 0, damage -1 of "),
        ("row.0", [{"card": "A", "up": True, "fog": -1}], "A Rifle Squad: fog -1, damage 0"),
        ("row.0", [{"card": "A", "fog": 1}], "face-down card: fog 1, damage 0"),
        ("row.0", [{"card": "A", "damage": 1}], "face-down card: fog 0, damage 1 of 0"),
        ("row.0", [{"card": "A", "up": True, "dice": [11]}], "A Rifle Squad: dice [11]"),
        ("row.0", [{"up": True}], "no Enemy card is called ''"),
        ("row.0", [{"pool": "deck9"}], "no pool of cards is called 'deck9'"),
        ("mixed", ["deck9"], "no pool of cards is called 'deck9'"),
        ("objective", "", "no Objective is called ''"),
        ("objective", "stone-village", "number: 1, but Stone Village is Objective 2"),
        ("fallback_soldiers.red", 25, "soldiers: 27 in Enemy Space 1 and fallen back, of 26"),
        ("fallback_soldiers.red", -1, "soldiers: "),
    ],
)
def test_what_is_wrong_with_a_table_is_said(field: str, value: object, said: str) -> None:
    laid = table()
    assert list(invariants.broken(laid)) == []
    assign(laid.state, field, value)
    assert [one for one in invariants.broken(laid) if one.startswith(said)]


def test_in_a_turn_there_is_an_objective() -> None:
    laid = table()
    laid.state.number, laid.state.objective = 0, ""
    assert list(invariants.broken(laid)) == [], "the first is to come"
    laid.state.turn = 1
    assert list(invariants.broken(laid)) == ["no Objective is called ''"]


def test_cards_in_the_pile_of_the_others_are_said_where_their_counts_are_right() -> None:
    laid = table()
    state = laid.state
    known, unknown = state.known.pop(), state.unseen["deck1"].pop()
    state.known.append(unknown)
    state.unseen["deck1"].append(known)
    assert [one.partition(":")[0] for one in invariants.broken(laid)] == ["known", "unseen and discard"]


def test_hidden_cards_are_as_many_of_each_deck_as_it_has_unseen() -> None:
    laid = table()
    state = laid.state
    first, *rest = state.unseen["deck1"]
    state.unseen, state.deck, state.row[0] = {"deck1": [first], "deck2": rest}, 9, [Enemy(pool="deck1")]
    assert list(invariants.broken(laid)) == []
    state.row[0][0].pool = "deck2"
    assert list(invariants.broken(laid)) == [
        "hidden cards: 0 of deck1, which holds 1",
        "hidden cards: 10 of deck2, which holds 9",
    ]


def test_a_known_enemy_may_lie_hidden_at_hill_89() -> None:
    laid = table()
    state = laid.state
    state.number, state.objective = 4, "hill-89"
    state.unseen[HILL], state.row[0] = [state.known.pop()], [Enemy(pool=HILL)]
    assert list(invariants.broken(laid)) == []
    state.row[0] = []
    assert "hidden cards: 0 of hill, which holds 1" in list(invariants.broken(laid))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("health", 0),
        ("flag", 9),
        ("captured", 4),
        ("allowance", 7),
        ("activation.left", 4),
        ("strikes", [1] * 6),
        ("pool", [1, 2, 3, 4, 4, 1]),
        ("sandbags", 2),
        ("soldiers.beige", 26),
    ],
)
def test_a_table_may_hold_as_much_as_there_is(field: str, value: object) -> None:
    laid = table()
    assign(laid.state, field, value)
    assert list(invariants.broken(laid)) == []


def test_a_table_is_right_with_the_unknown_enemies_that_there_are() -> None:
    laid = table()
    patrol = msgspec.structs.replace(laid.pack.enemy["patrol"], copies=0)
    laid.pack = msgspec.structs.replace(laid.pack, enemy={**laid.pack.enemy, "patrol": patrol})
    setup.fill_decks(laid)
    assert laid.state.deck < setup.UNKNOWN_ENEMIES
    assert list(invariants.broken(laid)) == []
