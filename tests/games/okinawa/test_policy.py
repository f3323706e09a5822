"""The careful player: stands where little falls, hits what it can, keeps what helps."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from companion.engine import autoplay
from companion.engine import game as engine_game
from companion.engine.asks import Choose, Number, Option
from companion.games.okinawa import GAME, planning, policy
from companion.games.okinawa.cards import Effect, EnemyEffect
from companion.games.okinawa.state import Offer, Soldiers
from tests.games.okinawa.field import card, enemy, shipped, table


def choose(key: str, *ids: str) -> Choose:
    return Choose(key, "?", options=tuple(Option(one, one) for one in ids))


def test_it_does_not_walk_into_fire_if_the_die_can_be_stored() -> None:
    laid = table()
    laid.state.soldiers = Soldiers()
    enemy(laid, 5, up=False)
    laid.state.pool, laid.state.strikes = [1], [2, 2, 3, 3]
    laid.state.spaces[0].action.used = True
    assert planning.best(laid) == "store:resupply:1"
    laid.state.resupply_die = 1
    assert planning.best(laid) == "move:1"
    laid.state.spaces[6].action.suppressed = True
    assert planning.best(laid) == "free:7:1"


def test_it_would_rather_hit_than_walk() -> None:
    laid = table()
    laid.state.pool, laid.state.resupply_die = [1, 2], 1
    assert planning.best(laid) == "act:1-2"


def test_it_sees_where_a_plane_will_be() -> None:
    laid = table()
    laid.state.soldiers = Soldiers()
    moves = (Effect(EnemyEffect.MOVE_TOP, die=(1, 5)), Effect(EnemyEffect.MOVE_BOTTOM, die=(6, 10)))
    plane = enemy(laid, 3, health=0, dice=1, plane=True, effects=moves)
    plane.dice = [7]
    cost = planning.outlook(laid).cost
    assert [space for space in cost if cost[space]] == [6, 7, 8, 9, 10]


def test_it_aims_where_the_damage_counts_and_a_strong_card_is_worth_no_more_on_the_weak() -> None:
    laid = table()
    laid.state.pawn, laid.state.soldiers = 3, Soldiers()
    enemy(laid, 2, "weak", health=1)
    weak, strong = (planning.worth(laid, card(laid, 3, ("soldier-damage", many))) for many in (3, 6))
    assert weak == strong
    enemy(laid, 3, "tough", health=3)
    assert planning.worth(laid, card(laid, 3, ("soldier-damage", 3))) > weak

    assert policy.cautious(laid, choose("okinawa.act.target", "hit:2", "hit:3")) == "hit:3"


def test_a_plane_that_can_be_destroyed_is_worth_more_than_a_weak_enemy() -> None:
    laid = table()
    action = card(laid, 3, ("soldier-damage", 1), destroys_planes=True)
    enemy(laid, 2, "weak", health=1)
    enemy(laid, 3, "plane", health=0, plane=True)

    assert planning.target_worth(laid, action, "3") > planning.target_worth(laid, action, "2")


def test_it_takes_the_die_from_the_resupply_card_for_a_second_activation() -> None:
    laid = table()
    laid.state.pawn, laid.state.pool, laid.state.resupply_die = 3, [1], 2
    card(laid, 3, ("soldier-damage", 2))

    assert planning.best(laid) == "lift:resupply"


def test_it_takes_the_stronger_card_and_replaces_the_weakest() -> None:
    laid = table()
    laid.state.offers = [Offer("field-hospital"), Offer("machine-gun-team", "grenade")]
    assert policy.cautious(laid, choose("okinawa.resupply.take", "1", "2", "none")) == "2"
    card(laid, 4, ("reposition", 1))
    laid.state.in_hand = "sniper"
    places = choose("okinawa.resupply.place", *map(str, range(1, 11)), "forgo")
    assert policy.cautious(laid, places) == "4"


def test_it_upgrades_the_card_that_gains_most() -> None:
    laid = table()
    card(laid, 1, ("soldier-damage", 5), veteran=(("soldier-damage", 6),))
    card(laid, 2, ("scout", 1), veteran=(("soldier-damage", 4),))

    assert policy.cautious(laid, choose("okinawa.upgrade.card", "1", "2")) == "2"


def test_it_fears_a_hit_the_more_the_less_health_is_left() -> None:
    laid = table()
    laid.state.strikes = [2]
    unhurt = planning.outlook(laid).cost[2]
    laid.state.health = 2

    assert planning.outlook(laid).cost[2] > unhurt


def test_it_blocks_all_that_it_can_and_heals_when_low() -> None:
    laid = table()
    bags = Number("okinawa.enemy.sandbags", "?", least=0, most=2)
    assert policy.cautious(laid, bags) == 2
    spend = choose("okinawa.turn.spend", "move:1", "medkit")
    laid.state.health, laid.state.pool = 2, [1]
    assert policy.cautious(laid, spend) == "medkit"
    laid.state.health = 3
    assert policy.cautious(laid, spend) == "move:1"


def test_it_throws_a_grenade_where_it_defeats() -> None:
    laid = table()
    laid.state.soldiers = Soldiers(1)
    enemy(laid, 2, health=4)
    enemy(laid, 3, "weak", health=2)
    assert policy.cautious(laid, choose("okinawa.token.grenade", "beige", "2", "3")) == "3"


@pytest.mark.parametrize(
    ("icon", "hit"),
    [
        (("soldier-damage", 1), "hit:red"),
        (("soldier-damage", 2), "hit:beige"),
        (("destroy-soldier", 1), "hit:beige"),
    ],
)
def test_of_soldiers_it_hits_the_one_on_whom_no_damage_is_lost(icon: tuple[str, int], hit: str) -> None:
    laid = table()
    laid.state.soldiers = Soldiers(1, 1)
    card(laid, 1, icon)

    assert policy.cautious(laid, choose("okinawa.act.target", "hit:beige", "hit:red")) == hit


def test_it_scouts_before_it_hits_first_where_least_fog_is_left() -> None:
    laid = table()
    laid.state.soldiers = Soldiers()
    card(laid, 1, ("scout", 1), ("soldier-damage", 1))
    enemy(laid, 2, "thick", fog=3)
    enemy(laid, 3, "thin", fog=1)
    enemy(laid, 4, "seen")
    aims = ("hit:4", "scout:2", "scout:3")

    assert policy.cautious(laid, choose("okinawa.act.target", *aims)) == "scout:3"
    assert policy.cautious(laid, choose("okinawa.act.target", "done", "scout:2")) == "scout:2"


def test_it_throws_a_grenade_in_its_turn_at_a_beige_soldier_before_a_red_one() -> None:
    laid = table()
    laid.state.soldiers, laid.state.pool = Soldiers(1, 1), [1]

    assert policy.cautious(laid, choose("okinawa.turn.spend", "move:1", "grenade")) == "grenade"
    assert policy.cautious(laid, choose("okinawa.token.grenade", "red", "beige")) == "beige"


@pytest.mark.parametrize(
    ("number", "flag", "cost"),
    [(4, 1, planning.LAST_LAP_COST), (4, 2, planning.LAP_COST), (1, 1, planning.LAP_COST)],
)
def test_the_last_lap_is_dear_only_where_the_game_is_lost_by_it(number: int, flag: int, cost: float) -> None:
    laid = table()
    laid.state.number, laid.state.flag = number, flag

    assert planning.outlook(laid).lap_cost == cost


def test_before_the_enemy_dice_it_throws_the_grenade_or_lifts_the_fog_for_it() -> None:
    laid = table()
    assert policy.cautious(laid, choose("okinawa.turn.token", "roll", "grenade", "binoculars")) == "grenade"
    assert policy.cautious(laid, choose("okinawa.turn.token", "roll", "binoculars", "swap")) == "binoculars"


def test_it_has_no_opinion_on_the_rest() -> None:
    assert policy.cautious(table(), choose("okinawa.token.swap", "1", "2")) is None


def test_it_goes_on_at_last_where_one_die_a_turn_makes_it_best_to_stay() -> None:
    objectives = {
        name: msgspec.structs.replace(one, dice=1, soldiers=0) for name, one in shipped().objective.items()
    }
    enemies = {
        name: msgspec.structs.replace(one, damage=0, effects=()) for name, one in shipped().enemy.items()
    }
    pack = msgspec.structs.replace(shipped(), objective=objectives, enemy=enemies)
    play = GAME.start(engine_game.setup(GAME, pack, {}))
    decide = autoplay.policy(GAME, play, policy.CAUTIOUS, Random(1))
    asked = [step.ask.key for step in autoplay.steps(play, decide, 1, most=5_000)]
    assert asked.count("okinawa.objective.setup") > 1


def test_it_goes_on_with_a_stored_die_where_no_other_is_left() -> None:
    laid = table()
    laid.state.turn = policy.PATIENCE + 1
    stored = choose("okinawa.turn.spend", "end", "lift:resupply")
    assert policy.cautious(laid, stored) == "lift:resupply"
    assert policy.cautious(laid, choose("okinawa.turn.spend", "act:1", "move:1", "lift:resupply")) == "move:1"
