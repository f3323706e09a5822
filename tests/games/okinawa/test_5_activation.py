"""Activating Action cards, their icons, and the limits of tokens (OKI-128 to OKI-162)."""

from __future__ import annotations

import pytest

from companion.games.okinawa import activation, effects, enemies, entering, moving, player_turn, tokens
from companion.games.okinawa.cards import ActionDeck
from companion.games.okinawa.state import Soldiers
from companion.games.okinawa.table import Table
from tests.games.okinawa.field import card, choose, enemy, ids, run, stop_at, table


def choices(laid: Table, verb: str = "act") -> list[str]:
    return [option.id for option in player_turn.choices(laid) if option.id.startswith(verb)]


def act(laid: Table, run_of_dice: str, *answers: str) -> None:
    laid.state.pool = [int(die) for die in run_of_dice.split("-")]
    laid.state.spaces[0].action.used = False
    choose(laid, f"act:{run_of_dice}", *answers)


# Paying


@pytest.mark.rule("OKI-128")
def test_only_the_card_under_the_pawn_can_be_activated() -> None:
    laid = table()
    laid.state.pool, laid.state.health = [1], 3
    card(laid, 2, ("heal", 1))
    choose(laid, "act:1")
    assert laid.state.health == 3, "the Rifleman on 1 was activated"


@pytest.mark.rule("OKI-129")
@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_a_die_of_any_value_pays_for_one_activation(value: int) -> None:
    laid = table()
    laid.state.health = 2
    card(laid, 1, ("heal", 1))
    act(laid, str(value))
    assert (laid.state.health, laid.state.pool) == (3, [])


@pytest.mark.rule("OKI-130", "OKI-131", "OKI-R01")
def test_with_1_3_3_4_the_1_pays_once_and_a_3_can_be_followed_by_the_4_but_not_by_a_3() -> None:
    laid = table()
    laid.state.pool = [1, 3, 3, 4]
    assert choices(laid) == ["act:3-4", "act:1", "act:3", "act:4"]


@pytest.mark.rule("OKI-130", "OKI-132", "OKI-133")
@pytest.mark.parametrize("dice", ["2-3-4", "1-2-3-4", "1-2"])
def test_a_run_pays_for_as_many_activations_as_it_has_dice_and_four_are_most(dice: str) -> None:
    laid = table()
    laid.state.health = 0
    card(laid, 1, ("heal", 1))
    act(laid, dice)
    assert laid.state.health == len(dice.split("-"))
    assert max(len(one) for one in activation.runs(frozenset((1, 2, 3, 4)))) == 4


@pytest.mark.rule("OKI-133")
def test_the_dice_are_gone_before_the_first_activation_is_resolved() -> None:
    laid = table()
    laid.state.pool = [2, 3, 4]
    enemy(laid, 2)
    stop_at(player_turn.act(laid, "act:2-3"), "okinawa.act.target")
    assert laid.state.pool == [4]
    assert laid.state.activation.left == 1


@pytest.mark.rule("OKI-133")
def test_no_die_is_added_to_those_that_were_fixed() -> None:
    laid = table()
    card(laid, 1, ("heal", 1))
    laid.state.health, laid.state.pool = 1, [1, 2, 3]
    choose(laid, "act:1-2")
    assert (laid.state.health, laid.state.pool) == (3, [3])
    assert choices(laid) == []


@pytest.mark.rule("OKI-134", "OKI-135")
def test_a_card_is_activated_once_a_turn_and_again_in_the_next() -> None:
    laid = table()
    card(laid, 1, ("heal", 1))
    laid.state.pool = [1, 3]
    choose(laid, "act:1")
    assert choices(laid) == []
    run(player_turn.begin(laid), ["1", "1"])
    assert choices(laid) == ["act:3"]


@pytest.mark.rule("OKI-R21")
def test_activated_is_the_card_not_the_space() -> None:
    laid = table()
    card(laid, 1, ("heal", 1))
    laid.state.pool, laid.state.repositions = [1, 3], 1
    choose(laid, "act:1")
    run(tokens.use(laid, "swap"), ["1", "2"])
    assert choices(laid) == ["act:3"]


@pytest.mark.rule("OKI-R21")
def test_a_reinforcement_in_the_place_of_a_card_that_was_activated_can_be_activated() -> None:
    laid = table()
    card(laid, 1, ("heal", 1))
    laid.state.pool = [1, 3]
    choose(laid, "act:1")
    assert choices(laid) == []
    moving.replace(laid, laid.state.spaces[0], "sniper")
    assert choices(laid) == ["act:3"]


# Resolving


@pytest.mark.rule("OKI-136", "OKI-154", "OKI-158", "OKI-151")
def test_each_activation_resolves_every_icon_of_the_side_that_lies_up() -> None:
    laid = table()
    laid.state.health = 1
    action = card(laid, 1, ("heal", 1), ("adjust", 1), veteran=(("heal", 2), ("sandbag", 1)))
    act(laid, "1-2")
    assert (laid.state.health, laid.state.adjusts, laid.state.sandbags) == (3, 2, 0)
    action.veteran = True
    act(laid, "4")
    assert (laid.state.health, laid.state.adjusts, laid.state.sandbags) == (4, 2, 1)


@pytest.mark.rule("OKI-136", "OKI-155")
def test_an_attack_does_not_end_an_activation_whose_other_icons_are_left() -> None:
    laid = table()
    laid.state.health, laid.state.soldiers = 2, Soldiers()
    man, tank = enemy(laid, 2, "man"), enemy(laid, 3, "tank", type="armor", fog=2)
    gains = [(kind, 1) for kind in ("heal", "sandbag", "adjust", "reposition", "reroll")]
    card(laid, 1, ("soldier-damage", 2), ("scout", 1), ("scout", 1), *gains)
    act(laid, "3", "hit:2", "scout:3", "scout:3")
    assert (man.damage, tank.fog) == (2, 0)
    state = laid.state
    assert (state.health, state.sandbags, state.adjusts, state.repositions, state.rerolls) == (3, 1, 1, 1, 1)


@pytest.mark.rule("OKI-137", "OKI-R54")
def test_one_activation_hits_one_enemy_though_the_card_could_hurt_two_types() -> None:
    laid = table()
    laid.state.soldiers = Soldiers()
    man, tank = enemy(laid, 2, "man"), enemy(laid, 3, "tank", type="armor")
    card(laid, 1, ("soldier-damage", 1), ("armor-damage", 2))
    act(laid, "1", "hit:3")
    assert (man.damage, tank.damage) == (0, 2)


@pytest.mark.rule("OKI-138", "OKI-199")
def test_each_activation_may_aim_at_another_enemy_or_the_same() -> None:
    laid = table()
    one, two = enemy(laid, 2, "one"), enemy(laid, 3, "two")
    card(laid, 1, ("soldier-damage", 1))
    act(laid, "1-2-3", "hit:2", "hit:3", "hit:3")
    assert (one.damage, two.damage) == (1, 2)


@pytest.mark.rule("OKI-139")
def test_an_effect_that_cannot_be_carried_out_is_skipped_and_the_rest_happens() -> None:
    laid = table()
    laid.state.health = 3
    card(laid, 1, ("armor-damage", 2), ("scout", 1), ("heal", 1))
    act(laid, "1")
    assert laid.state.health == 4


@pytest.mark.rule("OKI-R56")
def test_a_card_without_any_effect_now_may_still_use_up_dice() -> None:
    laid = table()
    card(laid, 1, ("armor-damage", 2))
    laid.state.pool = [1, 2]
    assert "act:1-2" in choices(laid)
    act(laid, "1-2")
    assert laid.state.pool == []


@pytest.mark.rule("OKI-R55")
def test_a_scout_may_take_the_last_fog_before_the_damage_of_the_same_activation() -> None:
    laid = table()
    one = enemy(laid, 2, fog=1)
    laid.state.soldiers = Soldiers()
    card(laid, 1, ("soldier-damage", 2), ("scout", 1))
    act(laid, "1", "scout:2")
    assert (one.fog, one.damage) == (0, 2)


@pytest.mark.rule("OKI-137", "OKI-R55")
def test_the_damage_may_come_before_the_scout_of_the_same_activation() -> None:
    laid = table()
    one = enemy(laid, 2, fog=1)
    laid.state.soldiers = Soldiers(1)
    card(laid, 1, ("scout", 1), ("soldier-damage", 2))
    act(laid, "1", "hit:beige", "scout:2")
    assert (one.fog, len(laid.state.soldiers)) == (0, 0)
    assert one.damage == 0, "an activation hits one Enemy, also when another comes out of the fog"


# Damage


@pytest.mark.rule("OKI-140", "OKI-142")
@pytest.mark.parametrize("amount", [1, 2])
def test_soldier_damage_deals_its_number_to_one_soldier_type_enemy(amount: int) -> None:
    laid = table()
    one, two = enemy(laid, 2, "one"), enemy(laid, 3, "two")
    card(laid, 1, ("soldier-damage", amount))
    act(laid, "1", "hit:2")
    assert (one.damage, two.damage, laid.state.soldiers) == (amount, 0, Soldiers(2))


@pytest.mark.rule("OKI-137", "OKI-142")
@pytest.mark.parametrize("kind", ["soldier", "armor"])
def test_two_damage_icons_of_one_type_hit_one_enemy_together(kind: str) -> None:
    laid = table()
    laid.state.soldiers = Soldiers()
    one, two = enemy(laid, 2, "one", type=kind, health=9), enemy(laid, 3, "two", type=kind, health=9)
    card(laid, 1, (f"{kind}-damage", 2), (f"{kind}-damage", 1))
    act(laid, "1", "hit:2")
    assert (one.damage, two.damage) == (3, 0)


@pytest.mark.rule("OKI-140", "OKI-141", "OKI-R53")
def test_the_target_may_be_anywhere() -> None:
    laid = table()
    for space in (2, 3, 4, 5):
        enemy(laid, space, f"one{space}")
    action = card(laid, 6, ("soldier-damage", 1))
    assert list(activation.attack_targets(laid, action)) == ["beige", "2", "3", "4", "5"]


@pytest.mark.rule("OKI-143", "OKI-144", "OKI-148", "OKI-153", "OKI-171", "OKI-R53")
@pytest.mark.parametrize("icon", ["{}-damage", "destroy-{}"])
@pytest.mark.parametrize("kind", ["soldier", "armor"])
def test_a_target_must_be_face_up_and_without_fog(kind: str, icon: str) -> None:
    laid = table()
    laid.state.soldiers = Soldiers()
    enemy(laid, 2, "foggy", fog=1, type=kind)
    enemy(laid, 3, "hidden", up=False, type=kind)
    enemy(laid, 4, "seen", health=1, type=kind)
    action = card(laid, 1, (icon.format(kind), 1))
    assert list(activation.attack_targets(laid, action)) == ["4"]


@pytest.mark.rule("OKI-144", "OKI-145")
@pytest.mark.parametrize(("icon", "hits"), [("armor-damage", ["3"]), ("soldier-damage", ["beige", "2"])])
def test_each_damage_icon_hurts_its_own_type_alone(icon: str, hits: list[str]) -> None:
    laid = table()
    enemy(laid, 2, "man")
    enemy(laid, 3, "tank", type="armor")
    action = card(laid, 1, (icon, 1))
    assert list(activation.attack_targets(laid, action)) == hits


@pytest.mark.rule("OKI-144")
def test_armor_damage_deals_its_number_to_one_armor_enemy() -> None:
    laid = table()
    tank = enemy(laid, 3, "tank", type="armor")
    card(laid, 1, ("armor-damage", 2))
    act(laid, "1")
    assert tank.damage == 2


@pytest.mark.rule("OKI-146", "OKI-R57")
def test_each_scout_icon_takes_a_fog_off_any_card() -> None:
    laid = table()
    one, two = enemy(laid, 2, "one", fog=2), enemy(laid, 4, "two", fog=1)
    card(laid, 1, ("scout", 2))
    act(laid, "1", "scout:2", "scout:4")
    assert (one.fog, two.fog) == (1, 0)


@pytest.mark.rule("OKI-147")
def test_scouting_is_voluntary_an_attack_is_not() -> None:
    laid = table()
    one = enemy(laid, 2, fog=1)
    card(laid, 1, ("scout", 1))
    laid.state.pool = [1]
    question = stop_at(player_turn.act(laid, "act:1"), "okinawa.act.target")
    assert (ids(question), question.rule) == (["scout:2", "done"], ("OKI-146", "OKI-147"))
    act(laid, "1", "done")
    assert one.fog == 1
    card(laid, 1, ("scout", 1), ("soldier-damage", 1))
    laid.state.pool = [1]
    question = stop_at(player_turn.act(laid, "act:1"), "okinawa.act.target")
    assert ids(question) == ["hit:beige", "scout:2"]
    assert question.rule == ("OKI-137", "OKI-141", "OKI-143", "OKI-146", "OKI-147")
    card(laid, 1, ("soldier-damage", 1))
    laid.state.soldiers.red, laid.state.pool = 1, [1]
    question = stop_at(player_turn.act(laid, "act:1"), "okinawa.act.target")
    assert question.rule == ("OKI-137", "OKI-141", "OKI-143")


# Destroying


@pytest.mark.rule("OKI-148", "OKI-149", "OKI-150", "OKI-197")
def test_destroy_soldier_defeats_whatever_the_health_and_turns_the_card() -> None:
    laid = table()
    enemy(laid, 2, health=9)
    action = card(laid, 1, ("destroy-soldier", 1), ("heal", 1))
    act(laid, "1", "hit:2")
    assert laid.state.row[0] == []
    assert action.rotated
    action.used = False
    laid.state.pool = [1]
    assert choices(laid) == []


@pytest.mark.rule("OKI-153")
def test_destroy_armor_is_for_armor_alone_and_turns_the_card() -> None:
    laid = table()
    enemy(laid, 2, "man", health=9)
    enemy(laid, 3, "tank", type="armor", health=9)
    action = card(laid, 1, ("destroy-armor", 1))
    act(laid, "1")
    assert [len(stack) for stack in laid.state.row] == [1, 0, 0, 0]
    assert action.rotated


@pytest.mark.rule("OKI-160", "OKI-168", "OKI-169", "OKI-R25")
def test_an_enemy_without_health_is_for_the_corsair_alone() -> None:
    laid = table()
    enemy(laid, 2, "plane", type="armor", health=0, plane=True)
    icons = (("armor-damage", 3), ("destroy-armor", 1), ("soldier-damage", 1))
    action = card(laid, 1, *icons)
    assert list(activation.attack_targets(laid, action)) == ["beige"]
    assert list(tokens.grenade_targets(laid)) == ["beige"]
    action.card = "corsair"
    assert "2" in activation.attack_targets(laid, action)
    act(laid, "1", "hit:2")
    assert laid.state.row[0] == []


@pytest.mark.rule("OKI-160")
def test_what_destroys_planes_destroys_nothing_else_and_nothing_else_destroys_a_plane() -> None:
    laid = table()
    laid.state.soldiers = Soldiers()
    tank = enemy(laid, 2, "tank", type="armor")
    plane = enemy(laid, 3, "plane", type="armor", plane=True)
    card(laid, 1, ("armor-damage", 1), destroys_planes=True)
    act(laid, "1-2", "hit:2", "hit:3")
    assert tank.damage == 1
    assert laid.state.row[1] == []
    laid.state.row[1] = [plane]
    card(laid, 1, ("armor-damage", 1))
    act(laid, "1", "hit:3")
    assert plane.damage == 1
    bare = card(laid, 1, destroys_planes=True)
    assert list(activation.attack_targets(laid, bare)) == ["3"]


def test_of_two_planes_beside_one_row_it_is_told_which_die_each_has() -> None:
    laid = table()
    for result in (3, 8):
        one = enemy(laid, 2, "plane", type="armor", health=0, plane=True)
        one.dice = [result]
        laid.state.beside_top.append(laid.state.row[0].pop())
    told = [tokens.aim(laid, place, "hit").detail for place in ("top1", "top2")]
    assert told == ["Right of top row: fog 0, damage 0, die 3", "Right of top row: fog 0, damage 0, die 8"]


# Tokens from icons


@pytest.mark.rule("OKI-151", "OKI-152", "OKI-161", "OKI-162", "OKI-R49")
def test_two_sandbags_are_most_and_a_used_one_can_be_gained_again() -> None:
    laid = table()
    card(laid, 1, ("sandbag", 1))
    act(laid, "1-2-3")
    assert laid.state.sandbags == 2
    from companion.games.okinawa import health

    health.spend_sandbag(laid)
    assert (laid.state.sandbags, laid.state.removed_tokens) == (1, [])
    act(laid, "1")
    assert laid.state.sandbags == 2


@pytest.mark.rule("OKI-R20")
@pytest.mark.parametrize("setting", ["stays", "goes"])
def test_that_mine_fields_stay_in_their_spaces_is_told_with_a_swap(setting: str) -> None:
    laid = table(swap_pawn=setting)
    card(laid, 1, ("reposition", 1))
    laid.state.repositions = 1
    assert "Mine Field" not in stop_at(tokens.use(laid, "swap"), "okinawa.token.swap").detail
    laid.state.mines = [1]
    question = stop_at(tokens.use(laid, "swap"), "okinawa.token.swap")
    assert question.detail.endswith("stay in their spaces, Mine Fields too")
    run(tokens.use(laid, "swap"), ["1", "6"])
    assert laid.state.mines == [1]


@pytest.mark.rule("OKI-155", "OKI-156", "OKI-157", "OKI-R20")
@pytest.mark.parametrize(
    ("setting", "pawn", "told"),
    [("stays", 1, "red dice and the pawn stay"), ("goes", 6, "goes along, the pawn too; red dice stay")],
)
def test_a_reposition_token_swaps_two_cards_with_what_lies_on_them(
    setting: str, pawn: int, told: str
) -> None:
    laid = table(swap_pawn=setting)
    first, second = card(laid, 1, ("reposition", 1)), card(laid, 6)
    second.rotated = second.suppressed = second.veteran = True
    second.die = 3
    act(laid, "1")
    assert laid.state.repositions == 1
    (option,) = [one for one in player_turn.choices(laid) if one.id == "swap"]
    assert option.detail.endswith("the token goes to its supply")
    laid.state.strikes = [1, 6]
    question = stop_at(tokens.use(laid, "swap"), "okinawa.token.swap")
    assert (ids(question), question.least, question.most) == ([*map(str, range(1, 11))], 2, 2)
    assert told in question.detail
    run(tokens.use(laid, "swap"), ["1", "6"])
    assert laid.state.spaces[0].action is second
    assert laid.state.spaces[5].action is first
    assert laid.state.strikes == [1, 6]
    assert laid.state.pawn == pawn
    assert laid.state.repositions == 0
    act_again = laid.supply("reposition")
    for _ in range(act_again + 1):
        tokens.gain(laid, "reposition")
    assert laid.state.repositions == act_again, "the used one is in the supply again"


@pytest.mark.rule("OKI-R20")
@pytest.mark.parametrize(("pawn", "then"), [(1, 6), (6, 1), (3, 3)])
def test_a_pawn_goes_along_with_a_swap_only_of_its_card(pawn: int, then: int) -> None:
    laid = table(swap_pawn="goes")
    laid.state.pawn = pawn
    tokens.swap(laid, 1, 6)
    assert laid.state.pawn == then


@pytest.mark.rule("OKI-161", "OKI-R49")
@pytest.mark.parametrize("kind", ["sandbag", "adjust", "reposition", "reroll"])
def test_a_common_token_is_gained_while_its_supply_has_one(kind: str) -> None:
    laid = table()
    for count in range(1, 10):
        tokens.gain(laid, kind)
        assert getattr(laid.state, f"{kind}s") == min(count, laid.supply(kind))


def test_a_re_roll_is_spelt_alike_wherever_it_is_read() -> None:
    laid = table()
    action = card(laid, 1, ("reroll", 1))
    tokens.gain(laid, "reroll")
    asked = stop_at(entering.action_card(ActionDeck.BASIC), "okinawa.new.action.basic", "Tank")
    assert laid.take_news() == "Gained: re-roll token, 1 now"
    assert laid.side_text(action) == "re-roll"
    assert "re-roll" in [option.label for option in asked.options]


def test_a_token_that_can_not_be_gained_is_told_before_the_card_is_activated() -> None:
    laid = table()
    card(laid, 1, ("sandbag", 1), ("adjust", 1))
    laid.state.pool, laid.state.sandbags = [1], laid.supply("sandbag")
    assert choices_of(laid)["act:1"] == "sandbag, adjust; no sandbag token left"
    laid.state.sandbags -= 1
    assert choices_of(laid)["act:1"] == "sandbag, adjust"


@pytest.mark.rule("OKI-161", "OKI-R49")
def test_how_many_tokens_there_are_is_told_where_a_run_would_gain_more() -> None:
    laid = table()
    action = card(laid, 1, ("sandbag", 1), veteran=(("sandbag", 2),))
    laid.state.pool, laid.state.sandbags = [1, 2], laid.supply("sandbag") - 1
    assert choices_of(laid)["act:1"] == "sandbag"
    assert choices_of(laid)["act:1-2"] == "sandbag; only 1 sandbag token left"
    action.veteran = True
    assert choices_of(laid)["act:1"] == "sandbag 2; only 1 sandbag token left"


def test_a_token_that_is_out_is_called_what_its_icon_is() -> None:
    laid = table()
    card(laid, 1, ("reroll", 1))
    laid.state.pool, laid.state.rerolls = [1], laid.supply("reroll")
    assert choices_of(laid)["act:1"] == "re-roll; no re-roll token left"


@pytest.mark.rule("OKI-139", "OKI-R56")
@pytest.mark.parametrize(
    ("icons", "kills_planes", "lies", "told"),
    [
        (("armor-damage",), False, {"health": 9}, "armor 1; no target now"),
        (("armor-damage",), False, {"type": "armor"}, "armor 1"),
        (("armor-damage",), False, {"type": "armor", "fog": 1}, "armor 1; no target now"),
        (("armor-damage", "scout"), False, {"type": "armor", "fog": 1}, "armor 1, scout"),
        (("armor-damage", "scout"), False, {"type": "armor"}, "armor 1, scout"),
        (("scout",), False, {"type": "armor"}, "scout; no target now"),
        (("scout",), False, {"fog": 1}, "scout"),
        ((), True, {}, "destroy planes; no target now"),
        ((), True, {"health": 0, "plane": True}, "destroy planes"),
        (("adjust",), False, {}, "adjust"),
    ],
)
def test_that_a_card_has_no_target_now_is_told_before_dice_are_spent_on_it(
    icons: tuple[str, ...], kills_planes: bool, lies: dict[str, object], told: str
) -> None:
    laid = table()
    laid.state.pool = [1]
    card(laid, 1, *((icon, 1) for icon in icons), destroys_planes=kills_planes)
    enemy(laid, 3, **lies)
    assert choices_of(laid)["act:1"] == told


@pytest.mark.rule("OKI-174", "OKI-R74")
def test_that_a_pill_box_leaves_a_card_no_target_is_told() -> None:
    laid = table()
    laid.state.pool = [1]
    card(laid, 1, ("soldier-damage", 1))
    assert choices_of(laid)["act:1"] == "soldier 1"
    enemy(laid, 2, "box", type="armor", shields_soldiers=True)
    assert choices_of(laid)["act:1"] == "soldier 1; no target now"


@pytest.mark.rule("OKI-114", "OKI-139", "OKI-154")
def test_that_health_is_full_is_told_before_a_card_heals() -> None:
    laid = table()
    laid.state.pool = [1]
    card(laid, 1, ("heal", 1))
    assert choices_of(laid)["act:1"] == "heal; health is full"
    laid.state.health = 3
    assert choices_of(laid)["act:1"] == "heal"


@pytest.mark.rule("OKI-154")
def test_what_a_card_healed_is_told_and_not_that_nothing_was_done() -> None:
    laid = table()
    laid.state.pool, laid.state.health = [1, 2], 3
    card(laid, 1, ("heal", 1))
    (shown,) = choose(laid, "act:1")
    assert shown.text == "Test 1: 1 health back: 4"
    assert laid.take_news() == ""


@pytest.mark.rule("OKI-R56")
def test_an_activation_that_did_nothing_is_told_with_the_next_question() -> None:
    laid = table()
    laid.state.pool, laid.state.resupply_die = [1, 2, 4], 0
    card(laid, 1, ("armor-damage", 2))
    asked = choose(laid, "act:1")
    assert asked == [], "a Show would be one that older journals don't have"
    assert laid.take_news() == "Test 1: nothing done"
    card(laid, 1, ("soldier-damage", 1))
    choose(laid, "act:2")
    assert laid.take_news() == ""


@pytest.mark.rule("OKI-R56")
def test_a_turn_that_ends_with_an_activation_of_nothing_has_no_more_to_show() -> None:
    laid = table()
    laid.state.soldiers, laid.state.allowance = Soldiers(), 2
    card(laid, 1, ("armor-damage", 2))
    enemy(laid, 2)
    asked = run(player_turn.player_turn(laid), ["1", "2"], "act:1-2")
    assert [one.key for one in asked] == ["okinawa.turn.dice", "okinawa.turn.spend"]
    assert laid.state.news == []


def choices_of(laid: Table) -> dict[str, str]:
    return {one.id: one.detail for one in player_turn.choices(laid)}


@pytest.mark.rule("OKI-159")
def test_a_common_adjust_token_goes_back_to_its_supply_and_before_a_resupply_one() -> None:
    laid = table()
    laid.state.adjusts, laid.state.tokens, laid.state.pool = 1, ["adjust"], [2]
    told = {one.id: one.detail for one in player_turn.choices(laid)}
    assert told["adjust:2:3"] == "Your adjust token goes to its supply"
    run(tokens.use(laid, "adjust:2:3"))
    assert (laid.state.adjusts, laid.state.tokens) == (0, ["adjust"])
    told = {one.id: one.detail for one in player_turn.choices(laid)}
    assert told["adjust:3:2"] == "The Resupply token leaves the game"
    for _ in range(9):
        tokens.gain(laid, "adjust")
    assert laid.state.adjusts == laid.supply("adjust")


# Suppressed cards


@pytest.mark.rule("OKI-181", "OKI-182", "OKI-183", "OKI-R07")
def test_a_suppressed_card_is_freed_by_any_unspent_die_from_anywhere() -> None:
    laid = table()
    laid.state.pool = [2, 4]
    effects.suppress(laid, frozenset((1, 7)))
    assert choices(laid) == []
    assert choices(laid, "free") == ["free:1:2", "free:1:4", "free:7:2", "free:7:4"]
    choose(laid, "free:7:4")
    assert [space.number for space in laid.state.spaces if space.action.suppressed] == [1]
    assert laid.state.pool == [2]
    choose(laid, "free:1:2")
    laid.state.pool = [1]
    assert choices(laid) == ["act:1"]


@pytest.mark.rule("OKI-R52")
@pytest.mark.parametrize(("setting", "placed"), [("yes", 3), ("no", 5)])
def test_there_are_three_suppressed_tokens(setting: str, placed: int) -> None:
    laid = table(limits=setting)
    effects.suppress(laid, frozenset((1, 2, 3, 4, 5)))
    assert sum(space.action.suppressed for space in laid.state.spaces) == placed
    told = laid.take_news().splitlines()
    assert told[placed:] == (["No Suppressed token left for 4, 5"] if placed == 3 else [])
    effects.suppress(laid, frozenset((3, 4)))
    assert laid.take_news() == ""
    effects.suppress(laid, frozenset((3, 6)), "Flare: ")
    last = "No Suppressed token left for 6" if placed == 3 else "Suppressed: Action Space 6"
    assert laid.take_news() == f"Flare: {last}"


@pytest.mark.rule("OKI-174", "OKI-R74")
def test_a_face_up_pill_box_keeps_soldiers_from_every_attack() -> None:
    laid = table()
    box = enemy(laid, 2, "box", type="armor", fog=1, shields_soldiers=True)
    action = card(laid, 1, ("soldier-damage", 1), ("destroy-soldier", 1))
    assert list(activation.attack_targets(laid, action)) == []
    assert list(tokens.grenade_targets(laid)) == []
    box.up = False
    assert list(enemies.soldier_targets(laid)) == ["beige"]
    box.up, box.fog = True, 0
    assert list(enemies.soldier_targets(laid)) == []
    enemies.defeat(laid, "2")
    assert list(enemies.soldier_targets(laid)) == ["beige"]


@pytest.mark.rule("OKI-138", "OKI-174")
def test_a_pill_box_that_the_first_activation_destroys_shields_nobody_from_the_next() -> None:
    laid = table()
    laid.state.soldiers = Soldiers(3)
    enemy(laid, 2, "box", type="armor", shields_soldiers=True)
    card(laid, 1, ("soldier-damage", 2), ("destroy-armor", 1))
    act(laid, "2-3-4")
    assert (laid.state.row[0], laid.state.soldiers) == ([], Soldiers(1))


@pytest.mark.rule("OKI-149", "OKI-R36")
def test_after_the_last_lap_a_run_goes_on_when_its_first_activation_defeats_the_last_enemy() -> None:
    laid = table()
    laid.state.flag, laid.state.soldiers = 0, Soldiers(1)
    action = card(laid, 1, ("destroy-soldier", 1), ("sandbag", 1))
    act(laid, "1-2")
    assert (laid.state.sandbags, action.rotated) == (2, True)


def test_what_an_activation_gave_is_told_again_with_its_target_and_with_how_much_there_is_now() -> None:
    laid = table()
    card(laid, 1, ("sandbag", 1), ("soldier-damage", 1))
    laid.state.pool, laid.state.soldiers = [1, 2], Soldiers(2, 1)
    first, second, shown = run(activation.activate(laid, [1, 2]), "hit:beige", "hit:red")
    assert first.detail == "Gained: sandbag token, 1 now"
    turned = "Gained: sandbag token, 1 now\nA soldier turns red: 1 beige, 2 red"
    assert second.detail == f"{turned}\nGained: sandbag token, 2 now"
    assert shown.detail.endswith("A red soldier falls: 1 beige, 1 red")


@pytest.mark.rule("OKI-125")
def test_a_gas_can_alone_turns_the_card() -> None:
    laid = table()
    action = card(laid, 1, ("heal", 1), refuel=True)
    laid.state.pool = [2]
    choose(laid, "act:2")
    assert action.rotated
