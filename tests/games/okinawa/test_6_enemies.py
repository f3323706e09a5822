"""Enemy cards, soldiers, and how they are defeated (OKI-163 to OKI-204)."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.okinawa import board, dice, effects, enemies, enemy_turn, player_turn, targets
from companion.games.okinawa.cards import Arrow, Effect, EnemyCard, EnemyEffect, EnemyType, When, Where
from companion.games.okinawa.state import Enemy, Soldiers
from companion.games.okinawa.table import Captured, Table
from tests.games.okinawa.field import enemy, run, shipped, stop_at, table, texts


def aimed(laid: Table, place: str) -> list[int]:
    return sorted(targets.targets(laid, place, laid.at(place)))


# Targets


@pytest.mark.rule("OKI-055")
@pytest.mark.parametrize("space", [2, 3, 4, 5])
def test_enemy_space_n_lies_between_the_action_spaces_n_and_11_less_n(space: int) -> None:
    laid = table()
    enemy(laid, space, arrows=(Arrow.UP, Arrow.DOWN))
    assert aimed(laid, str(space)) == [space, 11 - space]


@pytest.mark.rule("OKI-163")
@pytest.mark.parametrize(
    ("space", "arrows", "spaces"),
    [
        (2, ("up",), [2]),
        (2, ("down",), [9]),
        (2, ("up-left", "down-left"), [1, 10]),
        (3, ("up-left", "up", "up-right"), [2, 3, 4]),
        (4, ("down-left", "down-right"), [6, 8]),
        (5, ("up-right", "down-right", "down"), [6]),
    ],
)
def test_arrows_point_from_the_place_where_the_card_lies(
    space: int, arrows: tuple[str, ...], spaces: list[int]
) -> None:
    laid = table()
    enemy(laid, space, arrows=tuple(Arrow(arrow) for arrow in arrows))
    assert aimed(laid, str(space)) == spaces


@pytest.mark.rule("OKI-164")
@pytest.mark.parametrize(
    ("where", "spaces"),
    [
        (Where.TOP, [1, 2, 3, 4, 5]),
        (Where.BOTTOM, [6, 7, 8, 9, 10]),
        (Where.COLUMN, [3, 8]),
        (Where.ROLLED, [7]),
        (Where.ROLLED_COLUMN, [4, 7]),
        (Where.PAWN, [1]),
        (Where.ALL, list(range(1, 11))),
        (Where.BESIDE, []),
    ],
)
def test_a_card_may_name_its_targets_in_words(where: Where, spaces: list[int]) -> None:
    laid = table()
    one = enemy(laid, 3, dice=1, effects=(Effect(EnemyEffect.TARGET, where=where),))
    one.dice = [7]
    assert aimed(laid, "3") == spaces


@pytest.mark.rule("OKI-176")
@pytest.mark.parametrize(("where", "spaces"), [(Where.ROLLED, [2, 7]), (Where.ROLLED_COLUMN, [2, 4, 7, 9])])
def test_each_die_of_a_card_names_its_targets(where: Where, spaces: list[int]) -> None:
    laid = table()
    effects = (Effect(EnemyEffect.TARGET, where=where), Effect(EnemyEffect.SUPPRESS, where=where))
    one = enemy(laid, 3, dice=2, effects=(*effects, Effect(EnemyEffect.DAMAGE, where=where)))
    one.dice = [7, 2]
    assert aimed(laid, "3") == spaces
    assert targets.damage(laid.enemy(one.card), one) == 2, "for a hit, not for each die"
    laid.state.pawn = 5
    run(enemy_turn.enemy_turn(laid))
    assert [space.number for space in laid.state.spaces if space.action.suppressed] == spaces[:3]
    assert (one.dice, aimed(laid, "2")) == ([], []), "none without a die"


@pytest.mark.rule("OKI-173")
def test_what_names_no_die_happens_once_however_many_the_card_has() -> None:
    laid = table()
    one = enemy(laid, 3, dice=2, effects=(Effect(EnemyEffect.SUPPRESS, where=Where.TOP),))
    one.dice = [7, 2]
    told = texts(run(enemy_turn.enemy_turn(laid)))
    assert [space.number for space in laid.state.spaces if space.action.suppressed] == [1, 2, 3]
    assert told.count("No Suppressed token left for 4, 5") == 1


@pytest.mark.rule("OKI-R16")
def test_a_removed_space_is_never_a_target() -> None:
    laid = table()
    enemy(laid, 3, arrows=(Arrow.UP, Arrow.DOWN), effects=(Effect(EnemyEffect.TARGET, where=Where.TOP),))
    laid.state.spaces = [space for space in laid.state.spaces if space.number not in (3, 4)]
    assert aimed(laid, "3") == [1, 2, 5, 8]


# What is printed


@pytest.mark.rule("OKI-165")
def test_every_enemy_card_is_soldier_or_armor() -> None:
    kinds = {printed.type for printed in shipped().enemy.values()}
    assert kinds == {EnemyType.SOLDIER, EnemyType.ARMOR}
    printed = {"name": "Boat", "health": 1, "fog": 0, "damage": 1}
    assert msgspec.convert({**printed, "type": "armor"}, EnemyCard).type is EnemyType.ARMOR
    for wrong in ({}, {"type": "plane"}):
        with pytest.raises(msgspec.ValidationError, match="type"):
            msgspec.convert({**printed, **wrong}, EnemyCard)


@pytest.mark.rule("OKI-166", "OKI-167", "OKI-197")
def test_damage_stays_and_at_the_health_number_the_card_is_defeated() -> None:
    laid = table()
    one = enemy(laid, 2, health=3)
    enemies.hurt(laid, "2", 2)
    run(enemy_turn.enemy_turn(laid))
    assert one.damage == 2
    enemies.hurt(laid, "2", 1)
    assert laid.state.row[0] == []


@pytest.mark.rule("OKI-170", "OKI-R78")
def test_fog_is_placed_when_a_card_is_first_turned_up() -> None:
    laid = table()
    one = enemy(laid, 2, fog=2, up=False)
    enemy(laid, 3, "other", up=False)
    assert one.fog == 0
    told = texts(run(effects.reveal_exposed(laid)))
    assert (one.up, one.fog) == (True, 2)
    assert told.strip() == "Turn up: Space 2: Test, put 2 fog on it. Space 3: Other"
    one.fog = 1
    run(effects.reveal_exposed(laid))
    assert one.fog == 1


@pytest.mark.rule("OKI-172", "OKI-213")
@pytest.mark.parametrize("damage", [1, 2])
def test_a_hit_costs_the_cards_damage_number(damage: int) -> None:
    laid = table()
    laid.state.pawn = 3
    enemy(laid, 3, damage=damage, arrows=(Arrow.UP,))
    run(enemy_turn.enemy_turn(laid))
    assert laid.state.health == 4 - damage


@pytest.mark.rule("OKI-173", "OKI-176", "OKI-212")
@pytest.mark.parametrize(("result", "soldiers"), [(2, 3), (3, 3), (4, 2), (7, 2), (8, 4), (9, 4)])
def test_a_die_decides_what_a_card_does_in_the_enemy_turn(result: int, soldiers: int) -> None:
    laid = table()
    spawn = EnemyEffect.SPAWN
    one = enemy(laid, 2, dice=1, effects=(Effect(spawn, 1, die=(1, 3)), Effect(spawn, 2, die=(8, 10))))
    run(dice.roll_enemy_dice(laid), ["1", "1", str(result)])
    assert len(laid.state.soldiers) == 2
    run(enemy_turn.enemy_turn(laid))
    assert len(laid.state.soldiers) == soldiers
    assert one.dice == []


def test_other_effects_of_enemy_cards() -> None:
    laid = table()
    laid.state.pawn = 3
    one = enemy(
        laid,
        3,
        arrows=(Arrow.UP,),
        effects=(
            Effect(EnemyEffect.DAMAGE, 1),
            Effect(EnemyEffect.FOG, 2),
            Effect(EnemyEffect.REPAIR, 2),
            Effect(EnemyEffect.SUPPRESS, where=Where.PAWN, when=When.HIT),
        ),
    )
    one.damage = 1
    told = texts(run(enemy_turn.enemy_turn(laid)))
    assert "2 fog more, 2 in all" in told
    assert "1 damage off, 0 left" in told
    assert laid.state.health == 2
    assert (one.fog, one.damage) == (2, 0)
    assert laid.state.spaces[2].action.suppressed


def test_an_effect_at_the_reveal() -> None:
    laid = table()
    enemy(laid, 2, up=False, effects=(Effect(EnemyEffect.SPAWN, 2, when=When.REVEAL),))
    run(effects.reveal_exposed(laid))
    assert len(laid.state.soldiers) == 4
    run(enemy_turn.enemy_turn(laid))
    assert len(laid.state.soldiers) == 4, "not again when the card acts"


@pytest.mark.rule("OKI-176", "OKI-R35")
def test_an_effect_that_waits_for_a_die_does_not_happen_at_the_reveal() -> None:
    laid = table()
    enemy(laid, 2, up=False, dice=1, effects=(Effect(EnemyEffect.SPAWN, 2, when=When.REVEAL, die=(1, 10)),))
    run(effects.reveal_exposed(laid))
    assert len(laid.state.soldiers) == 2


@pytest.mark.parametrize(("pawn", "suppressed"), [(3, True), (4, False)])
def test_an_effect_of_a_hit(pawn: int, suppressed: bool) -> None:
    laid = table()
    laid.state.pawn = pawn
    enemy(laid, 3, arrows=(Arrow.UP,), effects=(Effect(EnemyEffect.SUPPRESS, when=When.HIT),))
    run(enemy_turn.enemy_turn(laid))
    assert laid.state.spaces[pawn - 1].action.suppressed is suppressed


# Row movers


def plane(laid: Table, space: int = 3) -> Enemy:
    moves = (Effect(EnemyEffect.MOVE_TOP, die=(1, 5)), Effect(EnemyEffect.MOVE_BOTTOM, die=(6, 10)))
    return enemy(laid, space, "plane", type="armor", health=0, dice=1, plane=True, effects=moves)


@pytest.mark.rule("OKI-177", "OKI-179", "OKI-R28")
@pytest.mark.parametrize("result", [2, 8])
@pytest.mark.parametrize("pawn", range(1, 11))
def test_the_kawanashi_goes_beside_a_row_by_its_die_and_hits_all_of_it(result: int, pawn: int) -> None:
    laid = table()
    one = plane(laid)
    laid.state.pawn, one.dice = pawn, [result]
    told = texts(run(enemy_turn.enemy_turn(laid)))
    assert f"Plane goes right of the {'top' if result <= 5 else 'bottom'} row" in told
    beside = laid.state.beside_top if result <= 5 else laid.state.beside_bottom
    assert beside == [one]
    assert laid.state.row[1] == []
    assert laid.state.health == (3 if (result == 2) is (pawn <= 5) else 4)


@pytest.mark.parametrize(("die", "hit"), [((1, 5), [1, 2, 3, 4, 5]), (None, [1, 2, 3, 4, 5]), ((6, 10), [3])])
def test_the_coming_danger_is_seen_where_a_card_will_move(
    die: tuple[int, int] | None, hit: list[int]
) -> None:
    laid = table()
    one = enemy(laid, 3, dice=1, arrows=(Arrow.UP,), effects=(Effect(EnemyEffect.MOVE_TOP, die=die),))
    one.dice = [2]
    laid.state.strikes = [9]
    cost = targets.danger(laid)
    assert cost.pop(9) == 1
    assert [space for space in cost if cost[space]] == hit


def test_the_coming_danger_is_seen_where_the_last_of_two_moves_takes_a_card() -> None:
    laid = table()
    moves = Effect(EnemyEffect.MOVE_TOP, die=(1, 5)), Effect(EnemyEffect.MOVE_BOTTOM, die=(6, 10))
    one = enemy(laid, 3, dice=2, effects=moves)
    one.dice = [2, 8]
    cost = targets.danger(laid)
    run(enemy_turn.enemy_turn(laid))
    assert laid.state.beside_bottom == [one]
    assert [space for space in cost if cost[space]] == [6, 7, 8, 9, 10]


@pytest.mark.rule("OKI-213")
def test_a_card_that_moves_on_a_hit_alone_is_foreseen_to_strike_from_where_it_lies() -> None:
    laid = table()
    moves = Effect(EnemyEffect.MOVE_BOTTOM, when=When.HIT)
    one = enemy(laid, 2, arrows=(Arrow.UP,), effects=(moves,))
    cost = targets.danger(laid)
    assert [space for space in cost if cost[space]] == [2]
    assert board.aim_text(laid, "2", one) == "hits 2 for 1"
    laid.state.pawn = 8
    run(enemy_turn.enemy_turn(laid))
    assert (laid.state.health, laid.state.row[0]) == (4, [one])
    laid.state.pawn = 2
    run(enemy_turn.enemy_turn(laid))
    assert (laid.state.health, laid.state.beside_bottom) == (3, [one])


@pytest.mark.rule("OKI-169")
def test_a_card_without_health_that_is_no_plane_leaves_when_its_card_says_so() -> None:
    laid = table()
    enemy(laid, 2, "tunnel-mouth", health=0)
    enemy(laid, 3, "hidden", health=0, up=False)
    enemy(laid, 5, "tank", health=3)
    plane(laid, 4)
    leaving = [one for one in player_turn.choices(laid) if one.id.startswith("leave")]
    assert [one.id for one in leaving] == ["leave:2"]
    run(player_turn.act(laid, "leave:2"))
    assert laid.state.row[0] == []
    assert laid.state.discard == ["tunnel-mouth"]
    enemy(laid, 2, "tunnel-mouth", health=0)
    laid.state.row[1:], laid.state.soldiers = [[], [], []], Soldiers()
    with pytest.raises(Captured):
        run(player_turn.act(laid, "leave:2"))


@pytest.mark.rule("OKI-169")
def test_which_of_two_alike_leaves_is_told() -> None:
    laid = table()
    for space in (2, 4):
        enemy(laid, space, "bunker", health=0)
    leaving = [one for one in player_turn.choices(laid) if one.id.startswith("leave")]
    assert [one.label for one in leaving] == ["Bunker (Space 2) leaves", "Bunker (Space 4) leaves"]


@pytest.mark.rule("OKI-164")
def test_a_card_that_hits_the_pawn_wherever_it_stands_endangers_every_space() -> None:
    laid = table()
    one = enemy(laid, 3, damage=2, dice=1, effects=(Effect(EnemyEffect.TARGET, die=(1, 5)),))
    one.dice = [6]
    assert not any(targets.danger(laid).values())
    one.dice = [5]
    assert set(targets.danger(laid).values()) == {2}
    assert board.aim_text(laid, "3", one) == "die 5, hits you anywhere for 2"
    laid.state.pawn = 8
    run(enemy_turn.enemy_turn(laid))
    assert laid.state.health == 2


@pytest.mark.rule("OKI-178")
def test_a_card_already_there_stays_and_hits_again() -> None:
    laid = table()
    one = plane(laid)
    laid.state.row[1].clear()
    laid.state.beside_top.append(one)
    one.dice = [1]
    run(enemy_turn.enemy_turn(laid))
    assert laid.state.beside_top == [one]
    assert laid.state.health == 3


@pytest.mark.rule("OKI-177", "OKI-178")
@pytest.mark.parametrize(("result", "row"), [(1, "beside_top"), (10, "beside_bottom")])
def test_a_plane_goes_beside_a_row_where_another_is_already(result: int, row: str) -> None:
    laid = table()
    one, two = plane(laid), plane(laid, 4)
    laid.state.row[1].clear()
    beside = getattr(laid.state, row)
    beside.append(one)
    two.dice = [result]
    run(effects.happen(laid, two, laid.enemy(two.card), When.ACT, two.dice))
    assert [enemy is two for enemy in beside] == [False, True]
    assert laid.state.row[2] == []


@pytest.mark.rule("OKI-178")
def test_of_two_by_one_row_each_stays_where_it_is() -> None:
    laid = table()
    one, two = plane(laid), plane(laid)
    laid.state.row[1].clear()
    laid.state.beside_top += [one, two]
    one.dice = [1]
    run(effects.happen(laid, one, laid.enemy(one.card), When.ACT, one.dice))
    assert [enemy is one for enemy in laid.state.beside_top] == [True, False]


@pytest.mark.rule("OKI-200")
@pytest.mark.parametrize("number", [1, 2])
def test_of_two_by_one_row_either_can_be_shot_down(number: int) -> None:
    laid = table()
    planes = [plane(laid), plane(laid)]
    laid.state.row[1].clear()
    laid.state.beside_top += planes
    enemies.defeat(laid, f"top{number}")
    assert [one is planes[2 - number] for one in laid.state.beside_top] == [True]


@pytest.mark.rule("OKI-180", "OKI-R28", "OKI-R78")
def test_what_a_move_uncovers_is_turned_up_at_once_and_does_not_act_but_may_advance() -> None:
    laid = table()
    under = enemy(laid, 3, "under", up=False, fog=1, arrows=(Arrow.UP,))
    one = plane(laid)
    laid.state.pawn, one.dice = 3, [9]
    run(enemy_turn.enemy_turn(laid))
    assert (under.up, under.fog) == (True, 1)
    assert laid.state.health == 4
    assert laid.state.row[0] == [under]


@pytest.mark.parametrize(("under", "what"), [(Enemy("A"), "card A"), (Enemy(pool="deck1"), "the card")])
def test_what_uncovered_a_card_is_said_where_it_is_turned_up_in_the_enemy_turn(
    under: Enemy, what: str
) -> None:
    laid = table()
    laid.state.row[1] = [under]
    plane(laid).dice = [9]
    key = "okinawa.reveal.known" if under.card else "okinawa.reveal.card"
    question = stop_at(enemy_turn.enemy_turn(laid), key)

    assert question.text == f"Turn up {what} in Enemy Space 3"
    assert question.detail == "Plane goes right of the bottom row"


# Soldiers


@pytest.mark.rule("OKI-184", "OKI-185", "OKI-188", "OKI-190", "OKI-191")
def test_a_soldier_has_two_health_beige_then_red() -> None:
    laid = table()
    effects.spawn(laid, 3)
    assert laid.state.soldiers == Soldiers(5)
    enemies.hurt(laid, enemies.BEIGE, 1)
    assert laid.state.soldiers == Soldiers(4, 1)
    enemies.hurt(laid, enemies.RED, 1)
    assert laid.state.soldiers == Soldiers(4)
    enemies.hurt(laid, enemies.BEIGE, 2)
    assert laid.state.soldiers == Soldiers(3)
    assert laid.take_news().splitlines() == [
        "3 soldiers into Enemy Space 1: 5 beige, 0 red",
        "A soldier turns red: 4 beige, 1 red",
        "A red soldier falls: 4 beige, 0 red",
        "A soldier falls: 3 beige, 0 red",
    ]


@pytest.mark.rule("OKI-186", "OKI-187", "OKI-220")
def test_soldiers_stay_in_space_1_and_cards_never_get_there() -> None:
    laid = table()
    one = enemy(laid, 5)
    run(enemy_turn.enemy_turn(laid))
    run(enemy_turn.enemy_turn(laid))
    assert laid.state.row[0] == [one], "Enemy Space 2 is the first of the row"
    assert laid.state.soldiers == Soldiers(2)


@pytest.mark.rule("OKI-189")
def test_soldiers_count_for_a_capture() -> None:
    laid = table()
    laid.state.soldiers = Soldiers(0, 2)
    enemies.hurt(laid, enemies.RED, 1)
    with pytest.raises(Captured):
        enemies.hurt(laid, enemies.RED, 1)


@pytest.mark.rule("OKI-R51", "OKI-R52")
def test_there_is_room_for_26_soldiers() -> None:
    laid = table()
    laid.state.fallback_soldiers = Soldiers(10)
    effects.spawn(laid, 30)
    assert len(laid.state.soldiers) == 16
    assert laid.take_news().splitlines()[1:] == ["No token left for 16 soldiers"]
    effects.spawn(laid, 1)
    assert len(laid.state.soldiers) == 16
    assert laid.take_news() == ""
    effects.spawn(laid, 1, "Drum: ")
    assert laid.take_news() == "Drum: No token left for 1 soldier"
    free = table(limits="no")
    effects.spawn(free, 30)
    assert len(free.state.soldiers) == 32


@pytest.mark.rule("OKI-R52")
def test_fog_and_damage_have_no_limit() -> None:
    laid = table()
    one = enemy(laid, 2, health=30, fog=13, effects=(Effect(EnemyEffect.FOG, 7),))
    run(effects.happen(laid, one, laid.enemy(one.card), When.ACT, []))
    enemies.hurt(laid, "2", 20)
    assert (one.fog, one.damage) == (20, 20)


@pytest.mark.rule("OKI-193", "OKI-194")
def test_strike_dice_lie_on_the_spaces_that_they_show_several_on_one() -> None:
    laid = table()
    laid.state.soldiers = Soldiers(4)
    run(dice.roll_enemy_dice(laid), ["3", "0", "3", "7"])
    assert laid.state.strikes == [3, 10, 3, 7]


@pytest.mark.rule("OKI-195")
def test_a_strike_on_a_removed_space_is_discarded() -> None:
    laid = table()
    laid.state.spaces = [space for space in laid.state.spaces if space.number != 4]
    run(dice.roll_enemy_dice(laid), ["4", "5"])
    assert laid.state.strikes == [5]


@pytest.mark.rule("OKI-196")
def test_nine_soldiers_roll_six_dice() -> None:
    laid = table()
    laid.state.soldiers = Soldiers(9)
    run(dice.roll_enemy_dice(laid), ["1"] * 6)
    assert len(laid.state.strikes) == 6


@pytest.mark.rule("OKI-R34")
def test_a_soldier_that_appears_in_a_turn_rolls_in_the_next() -> None:
    laid = table()
    run(dice.roll_enemy_dice(laid), ["1", "2"])
    effects.spawn(laid, 1)
    assert laid.state.strikes == [1, 2]
    run(enemy_turn.enemy_turn(laid))
    run(dice.roll_enemy_dice(laid), ["1", "2", "3"])
    assert laid.state.strikes == [1, 2, 3]


@pytest.mark.rule("OKI-192", "OKI-R35")
def test_a_soldier_that_comes_with_a_card_turned_up_as_the_turn_begins_rolls_in_it() -> None:
    laid = table()
    enemy(laid, 2, up=False, effects=(Effect(EnemyEffect.SPAWN, 1, when=When.REVEAL),))
    run(player_turn.begin(laid), ["1", "2", "3"])
    assert laid.state.strikes == [1, 2, 3]


@pytest.mark.rule("OKI-180", "OKI-R34")
def test_a_soldier_that_comes_with_an_uncovered_card_strikes_only_after_the_next_roll() -> None:
    laid = table()
    enemy(laid, 3, "under", up=False, effects=(Effect(EnemyEffect.SPAWN, 1, when=When.REVEAL),))
    plane(laid).dice = [9]
    run(enemy_turn.enemy_turn(laid))
    assert (len(laid.state.soldiers), laid.state.strikes, laid.state.health) == (3, [], 4)


# Defeat


@pytest.mark.rule("OKI-198")
def test_damage_that_is_too_much_is_lost() -> None:
    laid = table()
    laid.state.soldiers = Soldiers(1, 1)
    enemies.hurt(laid, enemies.RED, 2)
    assert laid.state.soldiers == Soldiers(1)


@pytest.mark.rule("OKI-200", "OKI-201", "OKI-202")
def test_a_defeated_known_enemy_goes_to_its_pile_an_unknown_one_to_the_discard() -> None:
    laid = table()
    laid.state.known.remove("A")
    laid.state.row[0] = [Enemy("A", up=True)]
    laid.state.row[1] = [Enemy("patrol", up=True)]
    enemies.defeat(laid, "2")
    assert laid.state.row[0] == []
    assert laid.state.known.count("A") == 2
    enemies.defeat(laid, "3")
    assert laid.state.discard == ["patrol"]


@pytest.mark.rule("OKI-203")
def test_a_defeated_soldier_goes_back_to_the_supply() -> None:
    laid = table()
    effects.spawn(laid, 30)
    enemies.defeat(laid, enemies.BEIGE)
    effects.spawn(laid, 30)
    assert len(laid.state.soldiers) == 26


@pytest.mark.rule("OKI-204")
def test_a_card_exposed_by_a_defeat_stays_face_down_until_the_next_turn() -> None:
    laid = table()
    enemy(laid, 2, "under", up=False)
    enemy(laid, 2, "over")
    enemies.defeat(laid, "2")
    assert [one.up for one in laid.state.row[0]] == [False]
    run(effects.reveal_exposed(laid))
    assert [one.up for one in laid.state.row[0]] == [True]


@pytest.mark.rule("OKI-R32")
@pytest.mark.parametrize("side", enemies.SOLDIERS)
def test_strikes_stay_when_a_soldier_falls(side: str) -> None:
    laid = table()
    laid.state.soldiers = Soldiers(1, 1)
    laid.state.strikes = [1, 2]
    enemies.hurt(laid, side, 2)
    assert len(laid.state.soldiers) == 1
    assert laid.state.strikes == [1, 2]


@pytest.mark.rule("OKI-R33")
def test_the_die_of_a_defeated_card_has_no_effect() -> None:
    laid = table()
    one = enemy(laid, 2, dice=1, effects=(Effect(EnemyEffect.SPAWN, 2),))
    one.dice = [4]
    enemies.defeat(laid, "2")
    run(enemy_turn.enemy_turn(laid))
    assert laid.state.soldiers == Soldiers(2)


@pytest.mark.rule("OKI-R79")
def test_a_hidden_unknown_enemy_is_asked_for_when_it_is_turned_up() -> None:
    laid = table()
    laid.state.deck -= 1
    laid.state.row[0] = [Enemy(pool="deck1")]
    asked = run(effects.reveal_exposed(laid), ["patrol"])
    assert asked[0].key == "okinawa.reveal.card"
    assert laid.state.row[0][0].card == "patrol"
    assert laid.state.unseen["deck1"].count("patrol") == 1
    assert "stand-in" in texts(asked)


@pytest.mark.parametrize(("name", "pile"), [("A", "back to its pile"), ("patrol", "to the discard")])
def test_where_a_defeated_card_goes_is_told(name: str, pile: str) -> None:
    laid = table()
    laid.state.row[0] = [Enemy(name, up=True)]
    enemies.defeat(laid, "2")
    assert laid.take_news().endswith(f"is defeated: {pile}")
