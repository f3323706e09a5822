"""Winning, losing, and how an Objective is set up (OKI-037 to OKI-065)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from companion.engine.asks import Script
from companion.engine.game import Result
from companion.games.okinawa import (
    dice,
    effects,
    enemies,
    enemy_turn,
    health,
    invariants,
    moving,
    objectives,
    player_turn,
    scenarios,
)
from companion.games.okinawa.board import board
from companion.games.okinawa.cards import Happening, Post, ScenarioEffect, Timing
from companion.games.okinawa.play import Okinawa, glance
from companion.games.okinawa.state import Enemy, Soldiers
from companion.games.okinawa.table import GameOver, Table
from companion.games.okinawa.unseen import candidates, mix_up
from tests.games.driver import Driver, setup
from tests.games.okinawa.field import GAME, enemy, run, scenario, shipped, stop_at, table, texts


def kakazu(**settings: str) -> Table:
    """The worked example: Kakazu Ridge as the first Objective."""
    laid = table(**settings)
    laid.state.number, laid.state.soldiers = 0, Soldiers()
    run(objectives.set_up_objective(laid), ["kakazu-ridge"], ["I"])
    return laid


# Winning and losing


@pytest.mark.rule("OKI-037", "OKI-252", "OKI-R39")
@pytest.mark.parametrize("flag", [3, 0])
def test_the_last_enemy_of_hill_89_wins_at_that_moment(flag: int) -> None:
    laid = table()
    laid.state.number, laid.state.objective, laid.state.flag = 4, "hill-89", flag
    laid.state.soldiers = Soldiers(0, 1)
    with pytest.raises(GameOver) as over:
        enemies.hurt(laid, enemies.RED, 1)
    assert over.value.outcome.result is Result.WON


@pytest.mark.rule("OKI-038", "OKI-228", "OKI-R14")
@pytest.mark.parametrize(("start", "value", "end"), [(10, 1, 1), (9, 3, 2), (8, 4, 2)])
def test_a_lap_is_from_the_last_space_to_the_first_or_beyond(start: int, value: int, end: int) -> None:
    laid = table()
    laid.state.pawn, laid.state.pool = start, [value]
    run(moving.move(laid, value))
    assert laid.state.pawn == end
    assert laid.state.flag == 1


@pytest.mark.rule("OKI-228")
def test_a_lap_after_the_last_one_is_not_counted() -> None:
    laid = table()
    laid.state.flag, laid.state.pawn, laid.state.pool = 0, 10, [1]
    scenario(laid, Timing.LOOP_END, Happening(ScenarioEffect.SPAWN, 1))
    run(moving.move(laid, 1))
    assert laid.state.flag == 0
    assert len(laid.state.soldiers) == 2


@pytest.mark.rule("OKI-039", "OKI-250", "OKI-251")
@pytest.mark.parametrize("left", ["soldiers", "a face-down card"])
def test_hill_89_is_lost_after_the_last_enemy_turn_if_anyone_is_left(left: str) -> None:
    laid = table()
    laid.state.number, laid.state.flag = 4, 0
    if left != "soldiers":
        laid.state.soldiers, laid.state.row[3] = Soldiers(), [Enemy("A")]
    with pytest.raises(GameOver) as over:
        run(objectives.complete(laid))
    assert over.value.outcome.result is Result.LOST


@pytest.mark.rule("OKI-040", "OKI-215")
def test_no_health_loses_at_once() -> None:
    laid = table()
    laid.state.health = 2
    with pytest.raises(GameOver) as over:
        health.lose(laid, 3, "Test")
    assert over.value.outcome.result is Result.LOST
    assert laid.state.health == 0


@pytest.mark.rule("OKI-041", "OKI-042", "OKI-224")
def test_turns_alternate_and_begin_with_the_players() -> None:
    driver = Driver(Okinawa(setup(GAME)))
    state = driver.play.state
    script = {
        "okinawa.resupply.card": ["sniper", "sniper", "corsair"],
        "okinawa.resupply.token": ["grenade", "medkit", "adjust"],
        "okinawa.objective.card": ["coast-road"],
        "okinawa.scenario.card": ["J"],
        "okinawa.enemy.dice": ["1", "1", "1", "1"],
        "okinawa.turn.dice": ["1", "1", "1", "1"],
    }
    turns, advances = [], []
    while len(turns) < 5:
        key = driver.ask.key
        advances += [state.turn] * (key == "okinawa.enemy.advance")
        if key == "okinawa.turn.spend":
            assert state.number == 1
            if ("player", state.turn) not in turns:
                turns.append(("player", state.turn))
            driver.answer(next(one for one in driver.ids() if one.startswith(("move", "end"))))
            continue
        if state.enemy_turn and ("enemy", state.turn) not in turns:
            turns.append(("enemy", state.turn))
        if key == "okinawa.resupply.take":
            driver.answer("none")
        elif key == "okinawa.reveal.known":
            driver.answer([driver.ask.options[0].id])
        elif key == "okinawa.enemy.dice":
            driver.answer(["0"] * sum(dice.count for dice in driver.ask.dice))
        elif key == "okinawa.enemy.sandbags":
            driver.answer(0)
        else:
            driver.answer(script.get(key, True))
    assert turns == [("player", 1), ("enemy", 1), ("player", 2), ("enemy", 2), ("player", 3)]
    assert advances == [1, 2], "one Enemy Turn after each"
    assert state.objective == "coast-road"


@pytest.mark.rule("OKI-043")
@pytest.mark.parametrize(("pawn", "health_left"), [(3, 3), (4, 4)])
def test_the_pawns_space_decides_whether_enemies_hurt(pawn: int, health_left: int) -> None:
    laid = table()
    laid.state.pawn, laid.state.strikes = pawn, [3]
    run(enemy_turn.enemy_turn(laid))
    assert laid.state.health == health_left


# Setting an Objective up


@pytest.mark.rule("OKI-047", "OKI-048", "OKI-053")
def test_kakazu_ridge_has_2_laps_5_dice_and_2_soldiers() -> None:
    laid = kakazu()
    state = laid.state
    assert state.flag == 2
    assert len(state.soldiers) == state.soldiers.beige == 2
    asked = run(dice.roll_action_dice(laid), ["1"] * 5)
    assert asked[0].dice[0].count == 5


@pytest.mark.rule("OKI-045", "OKI-047", "OKI-048")
@pytest.mark.parametrize("name", sorted(shipped().objective))
def test_every_objective_is_set_up_as_its_card_says(name: str) -> None:
    laid = table()
    card = shipped().objective[name]
    state = laid.state
    state.number, state.soldiers, state.fallback = card.number - 1, Soldiers(), []
    state.flag = 9  # of an Objective that was captured
    run(objectives.set_up_objective(laid), [name], [card.scenario], *["7"] * card.upgrade)
    assert (state.flag, state.allowance, state.scenario) == (card.laps, card.dice, card.scenario)
    assert len(state.soldiers) == card.soldiers
    tops = [laid.letter(stack[0].card) for stack in state.row if stack]
    assert tops == [post.top for post in card.row]
    more = sum(len(post.under) + post.unknown for post in card.row) + card.random_unknown
    assert sum(map(len, state.row)) == len(tops) + more
    assert [space.number for space in state.spaces if space.action.veteran] == [7] * card.upgrade


def test_a_report_names_the_turn_but_in_the_set_up_of_an_objective() -> None:
    laid = table()
    assert glance(laid.state).turn == ""
    laid.state.number, laid.state.turn = 1, 7
    setting_up = objectives.set_up_objective(laid)
    stop_at(setting_up, "okinawa.upgrade.card", ["stone-village"], ["L"])
    assert glance(laid.state).turn == ""
    assert setting_up.send("1").key == "okinawa.upgrade.shown"
    with pytest.raises(StopIteration):
        setting_up.send(True)
    assert glance(laid.state).turn == "Objective 2, turn 7"


@pytest.mark.rule("OKI-056", "OKI-057", "OKI-058", "OKI-059", "OKI-R08")
def test_kakazu_ridge_has_g_f_g_face_down_with_a_and_b_under_them() -> None:
    laid = kakazu()
    letters = [[laid.letter(one.card) if one.card else "?" for one in stack] for stack in laid.state.row]
    assert letters == [["G", "A"], ["F", "B"], ["G", "?"], []]
    assert not any(one.up for stack in laid.state.row for one in stack)
    assert sorted(laid.letter(card) for card in laid.state.known) == sorted("ABCCDDEEFHH")


@pytest.mark.rule("OKI-045", "OKI-047", "OKI-053", "OKI-058")
def test_all_that_an_objective_lays_out_is_told() -> None:
    laid = table()
    laid.state.number, laid.state.soldiers = 0, Soldiers()
    told = stop_at(objectives.set_up_objective(laid), "okinawa.objective.setup", ["kakazu-ridge"])
    assert told.text == "Objective 1: Kakazu Ridge (stand-in)"
    assert told.detail.splitlines() == [
        "Flag at 2, 5 action dice in all",
        "Scenario I",
        "2 soldiers in Enemy Space 1",
        "Enemy Space 2: G on A",
        "Enemy Space 3: F on B",
        "Enemy Space 4: G on 1 Unknown",
        "Enemy cards face down, Unknown ones unseen",
    ]


@pytest.mark.rule("OKI-060", "OKI-061", "OKI-R09")
def test_a_number_tucks_unknown_enemies_that_nobody_looks_at() -> None:
    state = kakazu().state
    assert [one.card for one in state.row[2][1:]] == [""]
    assert state.deck == 9
    assert len(state.unseen["deck1"]) == 10


@pytest.mark.rule("OKI-062")
def test_an_empty_unknown_deck_is_made_of_the_discard() -> None:
    laid = table()
    state = laid.state
    state.deck, state.unseen["deck1"], state.discard = 1, ["patrol"], ["ambush", "snare"]
    objectives.lay_enemies(laid, (Post("A", unknown=2),))
    assert state.deck == 1
    assert state.discard == []
    hidden = state.row[0][1:]
    assert [sorted(state.unseen[one.pool]) for one in hidden] == [["patrol"], ["ambush", "snare"]]


@pytest.mark.rule("OKI-062")
def test_the_last_unknown_card_is_drawn_and_the_discard_is_the_deck_at_once() -> None:
    laid = table()
    state = laid.state
    state.deck, state.unseen["deck1"], state.discard = 1, ["patrol"], ["ambush"]
    objectives.lay_enemies(laid, (Post("A", unknown=1),))
    assert (state.deck, state.discard, state.unseen["deck2"]) == (1, [], ["ambush"])
    assert state.row[0][1].pool == "deck1"
    enemies.put_away(laid, Enemy("snare", up=True), "is defeated")
    assert state.unseen["deck2"] == ["ambush"], "what is discarded later waits for the next shuffle"


@pytest.mark.rule("OKI-062", "OKI-202")
def test_what_is_discarded_while_the_deck_is_empty_is_the_deck_at_once() -> None:
    laid = table()
    state = laid.state
    state.deck, state.unseen["deck1"] = 1, ["patrol"]
    objectives.lay_enemies(laid, (Post("A", unknown=1),))
    assert (state.deck, state.discard) == (0, []), "nothing is there to be shuffled yet"
    enemies.put_away(laid, Enemy("snare", up=True), "is defeated")
    assert (state.deck, state.discard, state.unseen["deck2"]) == (1, [], ["snare"])
    enemies.put_away(laid, Enemy("ambush", up=True), "is defeated")
    assert (state.deck, state.discard) == (1, ["ambush"])
    objectives.lay_enemies(laid, (Post(""), Post("A", unknown=2)))
    assert [state.unseen[one.pool] for one in state.row[1][1:]] == [["snare"], ["ambush"]]


def test_unknown_cards_of_two_shuffles_are_counted_together_as_they_are_laid() -> None:
    laid = table()
    state = laid.state
    state.deck, state.unseen["deck1"], state.discard = 1, ["patrol"], ["ambush", "snare"]
    state.number, state.soldiers = 0, Soldiers()
    river_bank = shipped().objective["river-bank"]
    state.learned.objective["river-bank"] = replace(river_bank, row=(Post("A", unknown=3),))
    asked = run(objectives.set_up_objective(laid), ["river-bank"], ["K"], "2")
    assert "Enemy Space 2: A on 3 Unknown" in texts(asked).splitlines()


@pytest.mark.rule("OKI-R44")
def test_with_deck_and_discard_empty_as_many_are_placed_as_there_are() -> None:
    laid = table()
    laid.state.deck, laid.state.unseen["deck1"] = 1, ["patrol"]
    objectives.lay_enemies(laid, (Post("A", unknown=3),))
    assert len(laid.state.row[0]) == 2


@pytest.mark.rule("OKI-R43")
@pytest.mark.parametrize(("setting", "laid_there"), [("unknown", [""]), ("none", [])])
def test_a_known_enemy_that_is_not_in_the_pile_is_stood_in_for(setting: str, laid_there: list[str]) -> None:
    laid = table(missing_known=setting)
    laid.state.known = [card for card in laid.state.known if laid.letter(card) != "A"]
    objectives.lay_enemies(laid, (Post("A"),))
    assert [one.card for one in laid.state.row[0]] == laid_there
    assert laid.take_news().startswith("No A left")


@pytest.mark.rule("OKI-062", "OKI-R43", "OKI-R44")
def test_that_nothing_stands_in_for_a_known_enemy_is_told_where_no_unknown_one_is_left() -> None:
    laid = table()
    state = laid.state
    state.known.remove("A")
    state.known.remove("A")
    state.deck, state.unseen = 1, {"deck1": ["patrol"]}
    objectives.lay_enemies(laid, (Post("A"), Post("A")))
    assert [len(stack) for stack in state.row] == [1, 0, 0, 0]
    assert laid.take_news().splitlines() == [
        "No A left: an Unknown Enemy instead",
        "No A and no Unknown Enemy left: none is laid",
    ]
    state.discard = ["patrol"]
    objectives.lay_enemies(laid, (Post("A"),))
    assert laid.take_news().splitlines() == [
        "No A left: an Unknown Enemy instead",
        "Once the Unknown deck is empty, shuffle its discard: the new deck",
    ]


@pytest.mark.rule("OKI-045", "OKI-R43")
def test_the_last_unknown_enemy_stands_in_for_a_known_one_before_any_is_tucked() -> None:
    laid = table()
    state = laid.state
    state.known.remove("A")
    state.known.remove("A")
    state.deck, state.unseen = 1, {"deck1": ["patrol"]}
    objectives.lay_enemies(laid, (Post("B", unknown=1), Post("A")))
    assert [[one.card for one in stack] for stack in state.row] == [["B"], [""], [], []]


@pytest.mark.rule("OKI-062")
def test_a_card_of_a_new_shuffle_does_not_come_of_the_fallback_area_nor_more_than_were_laid() -> None:
    laid = table()
    state = laid.state
    state.unseen["deck1"], state.deck, state.discard = ["patrol", "smoke", "marksman"], 1, ["snare"]
    state.fallback = [Enemy(pool="deck1"), Enemy(pool="deck1")]
    state.number = 1
    state.learned.objective["stone-village"] = replace(
        shipped().objective["stone-village"], row=(Post("B", unknown=1), Post("C", unknown=1))
    )
    run(objectives.set_up_objective(laid), ["stone-village"], ["L"], "1")
    state.row[0].pop(0)
    first = next(effects.reveal(laid, "2"))
    assert {one.id: one.copies for one in first.options if one.id != "new"} == {
        "marksman": 1,
        "patrol": 1,
        "smoke": 1,
        "snare": 0,
    }
    assert first.former is not None
    assert {one.copies for one in first.former.options if one.id != "new"} == {1}


@pytest.mark.rule("OKI-062", "OKI-R79")
@pytest.mark.parametrize("wave", [("ambush", "patrol", "snare"), ("patrol", "smoke", "ambush")])
def test_cards_of_two_shuffles_may_lie_in_any_order(wave: tuple[str, str, str]) -> None:
    laid = table(extra_unknown="1")
    state = laid.state
    state.unseen["deck1"], state.deck = ["patrol", "smoke", "marksman", "tunnel", "gun-truck"], 1
    state.fallback = [Enemy(pool="deck1") for _ in range(4)]
    state.discard = ["patrol", "ambush", "snare", "field-gun", "tunnel"]
    state.number = 1
    run(objectives.set_up_objective(laid), ["stone-village"], ["L"], "1")
    assert [len(stack) for stack in state.row] == [2, 2, 2, 0]
    for at, card in enumerate(wave):
        state.row[at].pop(0)
        lies = state.row[at][0]
        may_be = candidates(laid, lies)
        assert set(may_be) == {one for pool in ("deck1", "deck2") for one in state.unseen[pool]}
        assert +may_be == Counter(state.unseen[lies.pool])
        run(effects.reveal(laid, str(at + 2)), [card])
    assert [one for one in invariants.broken(laid) if "hidden" in one] == []


@pytest.mark.rule("OKI-062", "OKI-R79")
def test_a_card_laid_as_the_deck_ran_out_is_none_like_it_in_the_fallback_area() -> None:
    laid = table()
    state = laid.state
    state.unseen = {"deck1": ["patrol"], "deck2": ["snare"], "deck3": ["patrol", "field-gun"]}
    state.fallback = [Enemy(pool="deck1")]
    state.row = [[Enemy(pool="deck2")], [Enemy(pool="deck3")], [Enemy(pool="deck3")], []]
    mix_up(laid)
    run(effects.reveal(laid, "2"), ["patrol"])
    assert state.unseen["deck1"] == ["patrol"]
    assert set(candidates(laid, state.row[1][0])) == {"snare", "field-gun"}


@pytest.mark.rule("OKI-063", "OKI-064")
@pytest.mark.parametrize(
    ("objective", "letter", "answers"), [("river-bank", "K", ["2"]), ("coast-road", "J", [])]
)
def test_only_an_upgrade_icon_makes_one_card_a_veteran_before_the_first_turn(
    objective: str, letter: str, answers: list[str]
) -> None:
    laid = table()
    laid.state.number = 0
    run(objectives.set_up_objective(laid), [objective], [letter], *answers)
    veterans = [str(space.number) for space in laid.state.spaces if space.action.veteran]
    assert veterans == answers


def test_one_soldier_of_an_objective_is_one() -> None:
    laid = table()
    laid.state.number, laid.state.soldiers = 0, Soldiers()
    laid.state.learned.objective["coast-road"] = replace(shipped().objective["coast-road"], soldiers=1)
    asked = run(objectives.set_up_objective(laid), ["coast-road"], ["J"])
    assert "1 soldier in Enemy Space 1" in texts(asked).splitlines()


@pytest.mark.rule("OKI-R52")
def test_soldiers_of_an_objective_that_there_is_no_token_for_are_told() -> None:
    laid = table()
    laid.state.number, laid.state.soldiers, laid.state.fallback_soldiers = 0, Soldiers(), Soldiers(25)
    laid.state.learned.objective["coast-road"] = replace(shipped().objective["coast-road"], soldiers=3)
    asked = run(objectives.set_up_objective(laid), ["coast-road"], ["J"])
    told = texts(asked).splitlines()
    assert told.index("No token left for 2 soldiers") > told.index("1 soldier in Enemy Space 1")


@pytest.mark.rule("OKI-065")
def test_two_objectives_that_differ_in_name_alone_set_up_alike() -> None:
    one, two = table(), table()
    two.state.learned.objective["coast-road"] = type(shipped().objective["coast-road"])(
        **{
            field: getattr(shipped().objective["coast-road"], field)
            for field in shipped().objective["coast-road"].__struct_fields__
            if field != "name"
        },
        name="Elsewhere",
    )
    for laid in (one, two):
        laid.state.number = 0
        run(objectives.set_up_objective(laid), ["coast-road"], ["J"])
    two.state.learned = one.state.learned
    assert one.state == two.state


# Scenarios


@pytest.mark.rule("OKI-051", "OKI-R63")
def test_a_scenario_may_act_at_the_ends_of_each_loop() -> None:
    laid = table()
    scenario(laid, Timing.LOOP_END, Happening(ScenarioEffect.SPAWN, 1))
    run(scenarios.comes_in(laid))
    assert len(laid.state.soldiers) == 2
    run(moving.lap(laid))
    assert len(laid.state.soldiers) == 3


@pytest.mark.rule("OKI-051", "OKI-R63")
def test_a_loop_starts_with_the_objective_and_after_each_lap_but_the_last() -> None:
    laid = table()
    scenario(laid, Timing.LOOP_START, Happening(ScenarioEffect.SPAWN, 1))
    run(scenarios.comes_in(laid))
    assert len(laid.state.soldiers) == 3
    run(moving.lap(laid))
    assert len(laid.state.soldiers) == 4
    run(moving.lap(laid))
    assert len(laid.state.soldiers) == 4


@pytest.mark.rule("OKI-052")
def test_a_scenario_may_act_at_once_and_once_only() -> None:
    laid = table()
    scenario(laid, Timing.AT_ONCE, Happening(ScenarioEffect.SPAWN, 2))
    run(scenarios.comes_in(laid))
    run(moving.lap(laid))
    assert len(laid.state.soldiers) == 4


def test_a_lap_at_which_the_scenario_can_do_nothing_says_so() -> None:
    laid = table()
    scenario(laid, Timing.LOOP_END, Happening(ScenarioEffect.SCOUT))
    asked = run(moving.lap(laid))
    (told,) = asked
    assert (told.text, told.detail) == ("Lap done. Flag to 1", "Scenario I Test: it changes nothing now")
    enemy(laid, 2, "other", fog=1)
    (told,) = run(moving.lap(laid))
    assert told.text == "Lap done. Flag to 0: the last turn", "not what the Scenario does"
    assert told.detail == "Scenario I Test: Other: no fog left"


@pytest.mark.parametrize(
    ("removed", "mines", "said"),
    [
        (5, [3, 8], "Mine Fields at 3: 1 damage if a move ends there"),
        (3, [8], "No Mine Field: no space for it is left"),
    ],
)
def test_mine_fields_that_a_scenario_names_one_by_one_all_lie(
    removed: int, mines: list[int], said: str
) -> None:
    laid = table()
    moving.remove_space(laid, removed, 4)
    scenario(laid, Timing.AT_ONCE, *(Happening(ScenarioEffect.MINES, spaces=(space,)) for space in (8, 3)))
    asked = run(scenarios.comes_in(laid))
    assert laid.state.mines == mines
    assert asked[-1].text == "Scenario I Test: Mine Fields at 8: 1 damage if a move ends there"
    assert asked[-1].detail == said


@pytest.mark.rule("OKI-R61")
def test_a_scenario_leaves_with_its_objective_and_takes_its_mines_along() -> None:
    laid = table()
    scenario(laid, Timing.AT_ONCE, Happening(ScenarioEffect.MINES, spaces=(3, 8)))
    run(scenarios.comes_in(laid))
    assert laid.state.mines == [3, 8]
    laid.state.flag = 0
    run(objectives.complete(laid), ["stone-village"], ["L"], "1")
    assert laid.state.scenario == "L"
    assert laid.state.mines == []


@pytest.mark.rule("OKI-R61")
@pytest.mark.parametrize("ends", [objectives.complete, objectives.capture])
def test_no_scenario_is_in_play_while_the_next_objective_is_turned_up(
    ends: Callable[[Table], Script[None]],
) -> None:
    laid = table()
    laid.state.scenario = "L"
    stop_at(ends(laid), "okinawa.objective.card")
    assert laid.state.scenario == ""
    beside = next(one for one in board(laid).panels if one.title == "Beside")
    assert beside.lines[0].startswith("Unknown deck")


@pytest.mark.rule("OKI-R50")
def test_sandbags_do_not_help_against_a_mine_in_the_player_turn() -> None:
    laid = table()
    laid.state.mines, laid.state.pool, laid.state.sandbags = [3], [2], 2
    asked = run(moving.move(laid, 2))
    assert "Mine Field" in texts(asked)
    assert laid.state.health == 3
    assert laid.state.sandbags == 2


@pytest.mark.rule("OKI-R50")
def test_sandbags_do_not_help_against_a_scenario_in_the_player_turn() -> None:
    laid = table()
    laid.state.pawn, laid.state.pool = 10, [1]
    laid.state.sandbags, laid.state.tokens = 2, ["sandbags"]
    scenario(laid, Timing.LOOP_END, Happening(ScenarioEffect.HURT, 2))
    asked = run(moving.move(laid, 1))
    assert "okinawa.enemy.sandbags" not in [one.key for one in asked]
    assert (laid.state.health, laid.state.sandbags, laid.state.tokens) == (2, 2, ["sandbags"])


@pytest.mark.parametrize(
    ("happening", "field", "value"),
    [
        (Happening(ScenarioEffect.HURT, 1), "health", 2),
        (Happening(ScenarioEffect.HEAL, 1), "health", 4),
        (Happening(ScenarioEffect.SANDBAG, 3), "sandbags", 2),
        (Happening(ScenarioEffect.ADJUST, 1), "adjusts", 1),
        (Happening(ScenarioEffect.DIE, 1), "allowance", 6),
    ],
)
def test_what_a_scenario_can_do_to_the_player(happening: Happening, field: str, value: int) -> None:
    laid = table()
    laid.state.health = 3
    scenario(laid, Timing.AT_ONCE, happening)
    run(scenarios.comes_in(laid))
    assert getattr(laid.state, field) == value


@pytest.mark.rule("OKI-R59")
@pytest.mark.parametrize(
    ("dice_before", "amount", "told"),
    [
        (4, 1, "Scenario I Test: 1 more action die"),
        (4, 2, "Scenario I Test: 2 more action dice"),
        (5, 2, "Scenario I Test: 1 more action die"),
        (6, 1, "Scenario I Test: No more action dice: you have all there are"),
    ],
)
def test_more_action_dice_of_a_scenario_are_told_as_far_as_there_are_any(
    dice_before: int, amount: int, told: str
) -> None:
    laid = table()
    laid.state.allowance = dice_before
    scenario(laid, Timing.AT_ONCE, Happening(ScenarioEffect.DIE, amount))
    assert texts(run(scenarios.comes_in(laid))).strip() == told
    assert dice.allowance(laid) == min(6, dice_before + amount)


def test_a_scenario_can_lay_and_lift_fog_and_suppress_spaces() -> None:
    laid = table()
    one, two = enemy(laid, 2, fog=1), enemy(laid, 4, "other")
    laid.state.row[1].append(Enemy("A"))
    scenario(
        laid,
        Timing.AT_ONCE,
        Happening(ScenarioEffect.FOG, 2),
        Happening(ScenarioEffect.SCOUT),
        Happening(ScenarioEffect.SUPPRESS, spaces=(4, 9)),
    )
    run(scenarios.comes_in(laid))
    told = texts(run(scenarios.turned_up(laid)))
    assert "Test: 2 fog more, 3 in all\nOther: 2 fog more, 2 in all\n" in told
    assert "Test: 2 fog left\nOther: 1 fog left" in told
    assert (one.fog, two.fog) == (2, 1)
    assert laid.state.row[1][0].fog == 0
    assert [space.number for space in laid.state.spaces if space.action.suppressed] == [4, 9]


def test_a_scenario_lifts_as_much_fog_as_it_says_from_each_card() -> None:
    laid = table()
    cards = [enemy(laid, space, fog=fog) for space, fog in ((2, 3), (3, 1), (4, 0))]
    scenario(laid, Timing.LOOP_END, Happening(ScenarioEffect.SCOUT, 2))
    run(moving.lap(laid))
    assert [one.fog for one in cards] == [1, 0, 0]


@pytest.mark.rule("OKI-052", "OKI-R63", "OKI-R78")
@pytest.mark.parametrize(
    ("effect", "amount", "fog"), [(ScenarioEffect.FOG, 2, 3), (ScenarioEffect.SCOUT, 1, 0)]
)
@pytest.mark.parametrize("timing", [Timing.AT_ONCE, Timing.LOOP_START])
def test_fog_of_a_scenario_that_comes_in_waits_once_for_the_cards_to_be_turned_up(
    timing: Timing, effect: ScenarioEffect, amount: int, fog: int
) -> None:
    laid = table()
    one = enemy(laid, 2, fog=1, up=False)
    scenario(laid, timing, Happening(effect, amount), Happening(ScenarioEffect.SPAWN, 1))
    run(scenarios.comes_in(laid))
    assert len(laid.state.soldiers) == 3, "soldiers come at once"
    run(player_turn.begin(laid), ["1", "1", "1"])
    assert one.fog == fog
    one.fog = 1
    run(player_turn.begin(laid), ["1", "1", "1"])
    assert one.fog == 1


@pytest.mark.rule("OKI-R61")
def test_fog_that_waits_leaves_with_its_scenario() -> None:
    laid = table()
    scenario(laid, Timing.AT_ONCE, Happening(ScenarioEffect.FOG, 2))
    assert run(scenarios.comes_in(laid)) == [], "nothing comes of it yet"
    assert laid.state.fog_waits
    scenarios.goes_out(laid)
    assert not laid.state.fog_waits
    assert laid.take_news() == "", "there are no Mine Fields to take away"
