"""What people do at a table: cards nobody knows, values set by hand. The game goes on or says no."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest
from msgspec.structs import replace

from companion.engine import autoplay, chance
from companion.engine.asks import RESTATED, AnyAsk, Choose, Draw, Script
from companion.engine.errors import BadAnswer
from companion.engine.packs import Source
from companion.engine.run import Run
from companion.games.okinawa import (
    GAME,
    dice,
    effects,
    enemy_turn,
    health,
    invariants,
    moving,
    play,
    reports,
    rondel,
)
from companion.games.okinawa.cards import Effect, EnemyEffect
from companion.games.okinawa.learning import NEW
from companion.games.okinawa.play import Okinawa
from companion.games.okinawa.state import Enemy, Offer, Soldiers
from companion.games.okinawa.table import Captured, GameOver, Table
from tests.games.driver import setup
from tests.games.okinawa.field import enemy, ids, stop_at, table, texts


def by_hand(question: AnyAsk, rng: Random) -> object:
    """What a person might say: any legal answer, and now and then that a card is not in the list."""
    if not question.is_chance:
        return autoplay.at_random(question, rng)
    answer = list(chance.decide(question, rng))
    if isinstance(question, Draw) and NEW in question.options and rng.random() < 0.3:
        answer[0] = NEW.id
    return answer


@pytest.mark.parametrize("mode", ["referee", "enemy"])
@pytest.mark.parametrize("seed", range(8))
def test_games_in_which_unknown_cards_come_up_end_and_keep_every_invariant(seed: int, mode: str) -> None:
    rng = Random(seed)
    run = Run(Okinawa(setup(GAME, mode=mode)), seed)
    while run.ask is not None:
        run.answer(run.ask.accept(by_hand(run.ask, rng)))
        assert list(run.play.check()) == []


@pytest.mark.parametrize("mode", ["referee", "enemy"])
def test_an_action_card_that_nobody_knows_is_refused_in_either_mode(mode: str) -> None:
    run = Run(Okinawa(setup(GAME, mode=mode)), 1)
    run.override({"spaces.1.action.card": "rifleman"})
    with pytest.raises(BadAnswer, match="no Action card is called 'Rifleman'"):
        run.override({"spaces.1.action.card": "Rifleman"})
    assert run.play.board()


def test_a_scenario_that_is_set_by_hand_has_one_of_the_letters_that_there_are() -> None:
    run = Run(Okinawa(setup(GAME)), 1)
    for letter in "IR":
        run.override({"scenario": letter})
    for letter in ("i", "H", "S"):
        with pytest.raises(BadAnswer, match=f"no Scenario is called '{letter}'"):
            run.override({"scenario": letter})


def test_the_machine_gun_team_lies_on_spaces_that_are_there_now() -> None:
    laid = table(mode="enemy")
    laid.state.spaces = [space for space in laid.state.spaces if space.number != 8]
    script = reports.report(laid, "space")
    question = script.send(None)
    assert isinstance(question, Choose)
    assert "9-7" in [option.id for option in question.options]
    rondel.space_of(laid.state, 9).number = 8
    question = script.send(RESTATED)
    with pytest.raises(BadAnswer):
        question.accept("9-7")
    with pytest.raises(StopIteration):
        script.send(question.accept("8-7"))
    assert 7 not in rondel.numbers(laid.state)


def test_a_token_that_the_box_thinks_used_up_can_be_set_by_hand_and_drawn() -> None:
    laid = table()
    laid.state.offers = [Offer("sniper", "medkit"), Offer("sherman", "medkit")]
    laid.state.resupply = ["upgrade", "binoculars", "adjust"]
    script = moving.refill(laid)
    script.send(None)
    question = script.send(("corsair",))
    assert ids(question) == ["upgrade", "binoculars", "adjust"]
    assert question.detail.splitlines()[1:] == [
        "By the stand-in's count these are all drawn: Sandbags, Grenade, Med Kit.",
        "If one comes all the same, first set resupply.0 to sandbags or grenade or medkit by hand.",
    ]
    assert question.settled == question.detail.splitlines()[0], "what is told where software draws"
    laid.state.resupply[0] = "grenade"
    question = script.send(RESTATED)
    assert ids(question) == ["grenade", "binoculars", "adjust"]
    with pytest.raises(StopIteration):
        script.send(question.accept(["grenade"]))
    assert laid.state.offers[2] == Offer("corsair", "grenade")
    assert laid.state.resupply == ["binoculars", "adjust"]


def test_no_token_is_told_as_drawn_up_while_each_kind_is_left_or_the_owner_counted_them() -> None:
    laid = table()
    laid.state.offers = [Offer("sniper")]
    assert moving._draw_tokens(laid).detail == "On Sniper"
    laid.state.resupply = ["adjust"]
    counted = {kind: replace(one, source=Source.OWNER) for kind, one in laid.pack.resupply.items()}
    laid.pack = replace(laid.pack, resupply=counted)
    assert moving._draw_tokens(laid).detail == "On Sniper"


def test_a_card_of_the_reinforcement_deck_can_be_set_by_hand_as_it_is_drawn() -> None:
    laid = table()
    laid.state.offers = [Offer("sniper", "medkit"), Offer("sherman", "medkit")]
    laid.state.reinforcements, laid.state.resupply = ["corsair", "corsair"], []
    script = moving.refill(laid)
    assert ids(script.send(None)) == ["corsair", "new"]
    laid.state.reinforcements[1] = "demolition"
    question = script.send(RESTATED)
    assert ids(question) == ["corsair", "demolition", "new"]
    with pytest.raises(StopIteration):
        script.send(question.accept(["demolition"]))
    assert laid.state.reinforcements == ["corsair"]


def test_soldiers_set_by_hand_as_their_dice_are_to_be_rolled_change_how_many_are() -> None:
    laid = table()
    laid.state.soldiers = Soldiers(4)
    one = enemy(laid, 2, dice=1)
    script = dice.roll_enemy_dice(laid)
    assert script.send(None).text.startswith("Enemy dice: 4 red")
    laid.state.soldiers.beige = 1
    question = script.send(RESTATED)
    assert question.text.startswith("Enemy dice: 1 red")
    with pytest.raises(StopIteration):
        script.send(question.accept(["7", "3"]))
    assert (laid.state.strikes, one.dice) == ([7], [3])


def test_an_enemy_card_set_by_hand_as_dice_are_to_be_rolled_gets_its_own() -> None:
    laid = table()
    laid.state.soldiers = Soldiers()
    first, second = enemy(laid, 2, "first", dice=2), enemy(laid, 3, "second", dice=1)
    script = dice.roll_enemy_dice(laid)
    script.send(None)
    question = script.send(("4",))
    assert question.text == "Black die for First"
    first.dice.append(5)
    question = script.send(RESTATED)
    assert question.text == "Black die for Second"
    with pytest.raises(StopIteration):
        script.send(question.accept(["0"]))
    assert (first.dice, second.dice) == ([4, 5], [10])


def test_a_die_stored_by_hand_as_action_dice_are_to_be_rolled_is_not_rolled() -> None:
    laid = table()
    script = dice.roll_action_dice(laid)
    assert script.send(None).text == "Roll 5 action dice"
    laid.state.resupply_die = 2
    question = script.send(RESTATED)
    assert question.text == "Roll 4 action dice"
    with pytest.raises(StopIteration):
        script.send(question.accept(["1", "2", "3", "4"]))
    assert laid.state.pool == [1, 2, 3, 4]


@pytest.mark.parametrize("held", [0, 2])
def test_sandbags_set_by_hand_as_they_are_asked_for_change_how_many_can_be_used(held: int) -> None:
    laid = table()
    laid.state.sandbags = 1
    script = health.block(laid, 3, "Test")
    assert script.send(None).most == 1
    laid.state.sandbags = held
    question = script.send(RESTATED)
    assert question.most == held
    with pytest.raises(StopIteration) as end:
        script.send(question.accept(held))
    assert (end.value.value, laid.state.sandbags) == (3 - held, 0)


ENEMY_DICE, ACTION_DICE = ["5", "5"], ["1"] * 5
TURNS = {
    "spend": ("referee", play._round, "okinawa.turn.spend", ["roll", ENEMY_DICE, ACTION_DICE]),
    "token": ("referee", play._round, "okinawa.turn.token", []),
    "step": ("referee", enemy_turn.enemy_turn, "okinawa.enemy.token", []),
    "what": ("enemy", play._round, "okinawa.report.what", ["roll", ENEMY_DICE]),
    "thrown": ("enemy", play._round, "okinawa.report.token", []),
}


def at_the_last_soldiers(turn: str) -> tuple[Table, Script[None]]:
    """A turn at an ask where the player is free to act; nobody but two soldiers is on the table."""
    mode, begin, key, answers = TURNS[turn]
    laid = table(mode=mode)
    laid.state.turn, laid.state.strikes, laid.state.tokens = 1, [5], ["grenade"]
    script = begin(laid)
    stop_at(script, key, *answers)
    return laid, script


@pytest.mark.parametrize("turn", TURNS)
def test_when_the_last_soldiers_are_taken_away_by_hand_the_objective_is_captured(turn: str) -> None:
    laid, script = at_the_last_soldiers(turn)
    laid.state.soldiers = Soldiers()
    if turn == "step":
        with pytest.raises(Captured):
            script.send(RESTATED)
        return
    question = script.send(RESTATED)
    assert (question.key, laid.state.captured) == ("okinawa.objective.captured", 1)


def test_when_the_last_enemy_of_hill_89_is_taken_away_by_hand_the_game_is_won_even_in_the_last_turn() -> None:
    laid, script = at_the_last_soldiers("spend")
    laid.state.soldiers, laid.state.number, laid.state.flag = Soldiers(), 4, 0
    with pytest.raises(GameOver, match="Hill 89 is taken"):
        script.send(RESTATED)


@pytest.mark.parametrize("health", [4, 0])
def test_what_is_set_by_hand_as_the_last_enemy_turn_is_shown_still_counts_at_hill_89(health: int) -> None:
    laid = table()
    laid.state.number, laid.state.flag = 4, 0
    script = play._round(laid)
    stop_at(script, "okinawa.turn.spend", ENEMY_DICE, ACTION_DICE)
    laid.state.pool = []
    assert script.send("end").key == "okinawa.enemy.advance"
    laid.state.soldiers, laid.state.health = Soldiers(), health
    script.send(RESTATED)
    with pytest.raises(GameOver, match="Hill 89 is taken" if health else "taken off by hand"):
        script.send(True)


def test_when_the_last_soldiers_are_taken_away_after_the_laps_nothing_is_captured() -> None:
    laid, script = at_the_last_soldiers("spend")
    laid.state.soldiers, laid.state.flag = Soldiers(), 0
    question = script.send(RESTATED)
    assert (question.key, question.detail) == ("okinawa.turn.spend", "")


@pytest.mark.parametrize("lies", [[], [Enemy("B")], [Enemy("A", up=True, damage=1)]])
def test_a_card_that_was_set_by_hand_as_another_was_to_be_turned_up_stays_as_it_was_set(
    lies: list[Enemy],
) -> None:
    laid = table()
    laid.state.row[0] = [Enemy("A")]
    script = effects.reveal(laid, "2")
    stop_at(script, "okinawa.reveal.known")
    laid.state.row[0] = deepcopy(lies)
    with pytest.raises(StopIteration):
        script.send(["A"])
    assert laid.state.row[0] == lies
    assert laid.take_news() == ""


@pytest.mark.parametrize("lies", [[], [Enemy("A", up=True)]])
def test_a_card_that_was_taken_away_by_hand_is_not_asked_for_any_more(lies: list[Enemy]) -> None:
    laid = table()
    laid.state.row[0] = [Enemy(pool="deck1")]
    script = effects.reveal(laid, "2")
    stop_at(script, "okinawa.reveal.card")
    laid.state.row[0] = deepcopy(lies)
    with pytest.raises(StopIteration):
        script.send(RESTATED)
    assert laid.state.row[0] == lies
    assert laid.take_news() == ""


@pytest.mark.parametrize("turn", TURNS)
def test_when_health_is_set_to_0_by_hand_the_game_is_lost(turn: str) -> None:
    laid, script = at_the_last_soldiers(turn)
    laid.state.health = 0
    with pytest.raises(GameOver, match="the last health was taken off by hand"):
        script.send(RESTATED)


@pytest.mark.parametrize("turn", TURNS)
def test_an_enemy_card_is_defeated_by_as_much_damage_set_by_hand_as_it_has_health(turn: str) -> None:
    laid, script = at_the_last_soldiers(turn)
    laid.state.known.remove("G")
    laid.state.row[2] = [Enemy("G", up=True, fog=1)]
    damaged = laid.state.row[2][0]
    for damage, left in ((2, [damaged]), (3, [])):
        damaged.damage = damage
        assert not [broken for broken in invariants.broken(laid) if "damage" in broken]
        question = script.send(RESTATED)
        assert laid.state.row[2] == left
    assert laid.state.known.count("G") == 2
    assert "G Machine Gun Nest is defeated: back to its pile" in texts([question])
    assert laid.state.news == [], "or the next card would seem to have done it"


def test_a_card_defeated_by_hand_while_it_acts_does_no_damage() -> None:
    laid = table()
    laid.state.pawn = 8
    one = enemy(laid, 3, "mover", dice=1, effects=(Effect(EnemyEffect.MOVE_TOP),))
    laid.state.row[1].append(Enemy("G"))
    one.dice = [2]
    script = enemy_turn.enemy_turn(laid)
    assert script.send(None).key == "okinawa.reveal.known"
    one.damage = 3
    script.send(RESTATED)
    told = script.send(("G",))
    assert "Mover is defeated: to the discard" in texts([told])
    assert (laid.state.beside_top, laid.state.health) == ([], 4)


def test_a_card_exchanged_by_hand_while_it_acts_does_not_lie_there_twice() -> None:
    laid = table()
    moves = Effect(EnemyEffect.MOVE_TOP, die=(1, 5)), Effect(EnemyEffect.MOVE_BOTTOM, die=(6, 10))
    one = enemy(laid, 3, "twice", dice=2, effects=moves)
    laid.state.row[1].append(Enemy("G"))
    one.dice = [2, 8]
    script = enemy_turn.enemy_turn(laid)
    assert script.send(None).key == "okinawa.reveal.known"
    laid.state.beside_top = [Enemy("twice", up=True, done=True)]
    script.send(RESTATED)
    script.send(("G",))
    assert laid.state.beside_bottom == []
    assert laid.state.beside_top == [Enemy("twice", up=True, done=True)]
