"""Resupply, the Machine Gun Team, tokens, the Resupply die, refuelling (OKI-085 to OKI-127)."""

from __future__ import annotations

import pytest

from companion.engine.asks import Choose, Draw, Pick, Roll
from companion.games.okinawa import dice, enemy_turn, health, moving, player_turn, rondel, tokens
from companion.games.okinawa.state import Action, Offer, Soldiers
from companion.games.okinawa.table import Table
from tests.games.okinawa.field import card, choose, enemy, ids, run, stop_at, table


def with_row(*cards: str, **settings: str) -> Table:
    laid = table(**settings)
    state = laid.state
    cards = cards or ("sniper", "corsair", "machine-gun-team")
    for name, token in zip(cards, ("grenade", "medkit", "adjust"), strict=True):
        state.reinforcements.remove(name)
        state.resupply.remove(token)
        state.offers.append(Offer(name, token))
    return laid


def choices(laid: Table) -> list[str]:
    return [option.id for option in player_turn.choices(laid)]


# Passing


@pytest.mark.rule("OKI-085", "OKI-086", "OKI-R14")
@pytest.mark.parametrize(
    ("start", "value", "events"), [(4, 2, 1), (4, 4, 1), (5, 1, 1), (4, 1, 0), (6, 4, 0)]
)
def test_going_from_5_to_6_is_a_resupply_event_wherever_the_move_ends(
    start: int, value: int, events: int
) -> None:
    laid = with_row()
    laid.state.pawn, laid.state.pool = start, [value]
    asked = run(moving.move(laid, value), *["none"] * events)
    assert [one.key for one in asked].count("okinawa.resupply.take") == events


@pytest.mark.rule("OKI-086")
def test_every_pass_is_a_new_event() -> None:
    laid = with_row()
    laid.state.pool = [4] * 4
    for _ in range(4):
        run(moving.move(laid, 4), *["none"] * (laid.state.pawn in (2, 3, 4, 5)))
    assert laid.state.pawn == 7


@pytest.mark.rule("OKI-R12")
def test_resupply_is_resolved_before_the_move_goes_on_over_the_changed_ring() -> None:
    laid = with_row()
    laid.state.pawn, laid.state.pool = 5, [2]
    asked = stop_at(moving.move(laid, 2), "okinawa.resupply.take")
    assert laid.state.pawn == 6
    assert isinstance(asked, Choose)
    laid.state.pawn, laid.state.pool = 5, [2]
    run(moving.move(laid, 2), "3", ["sniper"], ["grenade"], "8-7")
    assert laid.state.pawn == 8, "7 was removed while the pawn stood on 6"


@pytest.mark.rule("OKI-R12", "OKI-R15")
@pytest.mark.parametrize(
    ("value", "into", "told"),
    [(2, "8-7", "The pawn ends on 8"), (1, "7-6", "The pawn ends on 7"), (2, "7-8", "")],
)
def test_where_the_pawn_ends_is_told_if_the_team_takes_a_space_on_its_way(
    value: int, into: str, told: str
) -> None:
    laid = with_row()
    laid.state.pawn, laid.state.pool = 5, [value]
    run(moving.move(laid, value), "3", ["sniper"], ["grenade"], into)
    assert laid.take_news() == told


@pytest.mark.rule("OKI-R15")
@pytest.mark.parametrize(("pawn", "kept", "gone"), [(1, 2, 1), (6, 7, 6)])
def test_that_the_pawns_space_is_taken_is_told_with_the_pair(pawn: int, kept: int, gone: int) -> None:
    laid = with_row()
    laid.state.pawn, laid.state.in_hand = pawn, "machine-gun-team"
    question = stop_at(moving._place(laid), "okinawa.resupply.place")
    assert isinstance(question, Choose)
    told = [option.id for option in question.options if f"the pawn goes to {kept}" in option.detail]
    assert told == [f"{kept}-{gone}"]


@pytest.mark.rule("OKI-R19")
def test_the_lines_follow_the_spaces_that_remain() -> None:
    laid = with_row()
    laid.state.spaces = [space for space in laid.state.spaces if space.number not in (1, 5, 6, 10)]
    laid.state.pawn, laid.state.pool = 4, [1, 3]
    asked = run(moving.move(laid, 1), "none")
    assert [one.key for one in asked] == ["okinawa.resupply.take"]
    assert laid.state.pawn == 7
    run(moving.move(laid, 3))
    assert (laid.state.pawn, laid.state.flag) == (2, 1)


# Taking a card


@pytest.mark.rule("OKI-087", "OKI-R10")
def test_taking_is_optional_and_any_card_of_the_row_may_be_taken() -> None:
    laid = with_row()
    question = stop_at(moving.resupply(laid), "okinawa.resupply.take")
    assert ids(question) == ["1", "2", "3", "none"]
    run(moving.resupply(laid), "none")
    assert len(laid.state.offers) == 3
    assert not laid.state.tokens


@pytest.mark.rule("OKI-088", "OKI-089", "OKI-094")
def test_one_card_and_its_token_are_gained_and_the_row_is_filled() -> None:
    laid = with_row()
    run(moving.resupply(laid), "1", ["flamethrower"], ["sandbags"], "3")
    state = laid.state
    assert state.tokens == ["grenade"]
    assert [(one.card, one.token) for one in state.offers] == [
        ("corsair", "medkit"),
        ("machine-gun-team", "adjust"),
        ("flamethrower", "sandbags"),
    ]
    assert (state.resupply.count("sandbags"), state.resupply.count("grenade")) == (2, 2), "of three each"
    assert state.reinforcements.count("flamethrower") == 1, "of two"


@pytest.mark.rule("OKI-094")
def test_whoever_took_a_card_is_not_offered_another_in_the_same_resupply() -> None:
    laid = with_row()
    asked = run(moving.pass_resupply(laid), "1", ["flamethrower"], ["sandbags"], "3")
    assert [one.key for one in asked].count("okinawa.resupply.take") == 1
    assert laid.state.tokens == ["grenade"]


@pytest.mark.rule("OKI-026", "OKI-090", "OKI-091", "OKI-R65")
def test_the_card_replaces_any_other_which_leaves_the_game() -> None:
    laid = with_row()
    script = moving.resupply(laid)
    question = stop_at(script, "okinawa.resupply.place", "1", ["flamethrower"], ["sandbags"])
    assert ids(question) == [*map(str, range(1, 11)), "forgo"]
    with pytest.raises(StopIteration):
        script.send("7")
    assert rondel.space_of(laid.state, 7).action == Action("sniper"), "on its basic side"
    assert laid.state.removed_actions == ["rifleman"]


@pytest.mark.rule("OKI-092", "OKI-093", "OKI-R11")
def test_forgoing_the_card_keeps_its_token() -> None:
    laid = with_row()
    run(moving.resupply(laid), "2", ["flamethrower"], ["sandbags"], "forgo")
    assert laid.state.removed_actions == ["corsair"]
    assert laid.state.tokens == ["medkit"]
    assert all(space.action.card == "rifleman" for space in laid.state.spaces)


@pytest.mark.rule("OKI-R22")
def test_a_replaced_card_takes_its_suppressed_token_along() -> None:
    laid = table()
    space = laid.state.spaces[2]
    space.action.suppressed = True
    moving.replace(laid, space, "sniper")
    assert not space.action.suppressed


@pytest.mark.rule("OKI-R67")
def test_an_empty_deck_or_supply_leaves_the_row_short() -> None:
    laid = with_row()
    laid.state.reinforcements, laid.state.resupply = [], []
    run(moving.resupply(laid), "1", "forgo")
    assert len(laid.state.offers) == 2
    laid.state.reinforcements = ["sniper"]
    run(moving.refill(laid), ["sniper"])
    assert laid.state.offers[-1] == Offer("sniper", "")
    held = list(laid.state.tokens)
    run(moving.resupply(laid), "3", "forgo")
    assert laid.state.tokens == held, "no token came with it"


def test_a_card_with_an_empty_side_is_told_as_such() -> None:
    laid = table()
    card(laid, 1)
    laid.state.offers = [Offer("test-1", "grenade")]
    offered = stop_at(moving.resupply(laid), "okinawa.resupply.take").options
    assert offered[0].detail == "with Grenade"
    upgrades = stop_at(tokens.upgrade(laid), "okinawa.upgrade.card").options
    assert upgrades[0].detail == "then nothing on it"


# The Machine Gun Team


@pytest.mark.rule("OKI-095", "OKI-097", "OKI-098", "OKI-099", "OKI-100")
def test_into_3_with_4_removed_leaves_nine_spaces() -> None:
    laid = with_row()
    run(moving.resupply(laid), "3", ["sniper"], ["grenade"], "3-4")
    state = laid.state
    assert rondel.numbers(state) == [1, 2, 3, 5, 6, 7, 8, 9, 10]
    assert rondel.space_of(state, 3).action.card == "machine-gun-team"
    assert state.removed_actions == ["rifleman", "rifleman"]


@pytest.mark.rule("OKI-096", "OKI-R18")
def test_its_two_cards_are_neighbours_in_one_row_over_gaps_but_not_around_corners() -> None:
    laid = with_row()
    laid.state.spaces = [space for space in laid.state.spaces if space.number not in (3, 7)]
    script = moving.resupply(laid)
    question = stop_at(script, "okinawa.resupply.place", "3", ["sniper"], ["grenade"])
    pairs = ["1-2", "2-1", "2-4", "4-2", "4-5", "5-4", "6-8", "8-6", "8-9", "9-8", "9-10", "10-9"]
    assert ids(question) == [*pairs, "forgo"]


@pytest.mark.rule("OKI-R15", "OKI-R17")
def test_the_pawn_on_the_removed_space_stands_on_the_team_and_its_strikes_are_gone() -> None:
    laid = table()
    laid.state.pawn, laid.state.strikes, laid.state.mines = 4, [4, 3, 4], [4, 8]
    moving.replace_pair(laid, 3, 4, "machine-gun-team")
    assert laid.state.pawn == 3
    assert laid.state.strikes == [3]
    assert laid.state.mines == [8]


@pytest.mark.rule("OKI-049", "OKI-R22")
def test_a_stored_die_that_left_with_its_card_is_rolled_again() -> None:
    laid = table()
    laid.state.resupply_die = 1
    stores = card(laid, 3, stores_die=True)
    stores.veteran, stores.die = True, 4
    moving.replace(laid, laid.state.spaces[2], "sniper")
    run(dice.roll_action_dice(laid), ["1", "2", "3", "4"])
    assert laid.state.pool == [1, 2, 3, 4]


@pytest.mark.rule("OKI-R12", "OKI-R15")
@pytest.mark.parametrize(("pair", "ends"), [("7-6", 8), ("6-7", 8), ("8-7", 8), ("10-9", 7)])
def test_a_move_goes_on_from_the_team_that_took_the_space_behind_resupply(pair: str, ends: int) -> None:
    laid = table()
    state = laid.state
    state.pawn, state.pool, state.mines = 5, [2], [7]
    state.offers = [Offer("machine-gun-team")]
    state.reinforcements.clear()
    run(moving.move(laid, 2), "1", pair)
    assert (state.pawn, state.health) == (ends, 3 if ends == 7 else 4)


def test_what_goes_back_with_a_card_or_space_is_told_before_it_is_replaced() -> None:
    laid = table()
    card(laid, 3, ("scout", 1), ("heal", 1)).suppressed = True
    card(laid, 4, stores_die=True).die = 2
    laid.state.strikes, laid.state.mines = [4, 4, 8], [3, 4]
    laid.state.in_hand = "sniper"
    places = stop_at(moving._place(laid), "okinawa.resupply.place").options
    assert [option.detail for option in places[2:5]] == [
        "scout, heal; its Suppressed token goes back; the Mine Field on 3 stays",
        "its stored 2 goes unused; the Mine Field on 4 stays",
        "soldier 1 (stand-in)",
    ]
    laid.state.in_hand = "machine-gun-team"
    places = stop_at(moving._place(laid), "okinawa.resupply.place").options
    told = "for Test 3 and Test 4; its Suppressed token goes back; its stored 2 goes unused"
    assert {option.id: option.detail for option in places if option.id in ("3-4", "4-3")} == {
        "3-4": f"{told}; the Mine Field on 3 stays; Number Token 4 leaves the game; "
        "the red dice on 4 go back; the Mine Field on 4 goes",
        "4-3": f"{told}; the Mine Field on 4 stays; Number Token 3 leaves the game; the Mine Field on 3 goes",
    }


# Resupply tokens


@pytest.mark.rule("OKI-101", "OKI-103")
@pytest.mark.parametrize("kind", ["grenade", "binoculars", "upgrade", "medkit", "adjust"])
def test_a_used_resupply_token_leaves_the_game(kind: str) -> None:
    laid = table()
    enemy(laid, 2)
    enemy(laid, 3, "foggy", fog=1)
    laid.state.health, laid.state.tokens, laid.state.pool = 2, [kind], [2]
    option = next(one for one in player_turn.choices(laid) if one.id.startswith(kind))
    assert "token leaves the game" in option.detail
    chosen = option.id
    answers = {"grenade": ["2"], "binoculars": ["3"], "upgrade": ["1"]}
    run(tokens.use(laid, chosen), *answers.get(kind, []))
    assert laid.state.tokens == []
    assert laid.state.removed_tokens == [kind]
    assert len(laid.state.resupply) == 18, "it does not go back"
    assert not [one for one in choices(laid) if one.startswith(kind)]


@pytest.mark.rule("OKI-102", "OKI-R13")
def test_anytime_tokens_can_be_used_between_steps_of_either_turn() -> None:
    laid = table()
    enemy(laid, 2)
    enemy(laid, 3, "foggy", fog=1)
    laid.state.tokens, laid.state.repositions = ["grenade", "binoculars", "upgrade"], 1
    laid.state.pool = [1]
    anytime = ["grenade", "binoculars", "upgrade", "swap"]
    assert [one for one in choices(laid) if one in anytime] == anytime
    question = stop_at(enemy_turn.enemy_turn(laid), "okinawa.enemy.token")
    assert ids(question) == ["go", *anytime]


@pytest.mark.rule("OKI-110", "OKI-R25")
@pytest.mark.parametrize(
    ("held", "printed"), [(["grenade"], {"fog": 1}), (["grenade", "binoculars"], {"health": 0})]
)
def test_a_grenade_that_nobody_can_be_hit_with_keeps_no_dice_waiting(
    held: list[str], printed: dict[str, int]
) -> None:
    laid = table()
    laid.state.tokens, laid.state.soldiers = held, Soldiers()
    enemy(laid, 2, dice=1, **printed)
    assert [one.key for one in run(player_turn.begin(laid), ["4"])] == ["okinawa.enemy.dice"]


@pytest.mark.rule("OKI-102", "OKI-R13")
def test_a_grenade_may_be_thrown_before_the_enemy_dice_are_rolled() -> None:
    laid = table()
    laid.state.tokens = ["grenade"]
    asked = run(player_turn.begin(laid), "grenade", "beige", ["4"])
    assert [one.key for one in asked] == [
        "okinawa.turn.token",
        "okinawa.token.grenade",
        "okinawa.enemy.dice",
    ]
    assert laid.state.strikes == [4], "one soldier is left to roll"


@pytest.mark.rule("OKI-069", "OKI-R13")
def test_what_a_grenade_did_is_told_with_the_dice_that_are_rolled_next() -> None:
    laid = table()
    enemy(laid, 2)
    laid.state.tokens = ["grenade"]
    *_, dice_asked = run(player_turn.begin(laid), "grenade", "2", ["4", "5"])
    assert isinstance(dice_asked, Roll)
    assert dice_asked.detail.startswith("Test: 2 of 3 damage\n0 means 10.")
    assert "damage" not in (dice_asked.settled or ""), "dice that nobody rolls hide it from nobody"

    laid.state.soldiers, laid.state.tokens = Soldiers(1), ["grenade"]
    thrown = run(player_turn.player_turn(laid), "grenade", "beige", ["1"] * 5, *["move:1"] * 5)
    assert next(one for one in thrown if isinstance(one, Roll)).detail.endswith(
        "A soldier falls: 0 beige, 0 red"
    )


@pytest.mark.rule("OKI-204", "OKI-R13")
def test_what_a_grenade_exposes_before_the_enemy_dice_stays_face_down_in_this_turn() -> None:
    laid = table()
    laid.state.tokens = ["grenade"]
    under = enemy(laid, 2, "under", up=False, dice=1)
    enemy(laid, 2, health=2)
    run(player_turn.begin(laid), "grenade", "2", ["4", "5"])
    assert laid.state.row[0] == [under]
    assert (under.up, under.dice, laid.state.strikes) == (False, [], [4, 5])


@pytest.mark.rule("OKI-102", "OKI-R13")
def test_binoculars_may_show_an_enemy_to_a_grenade_before_the_enemy_dice_are_rolled() -> None:
    laid = table()
    laid.state.soldiers = Soldiers()
    enemy(laid, 2, fog=1, health=2, dice=1)
    enemy(laid, 3, "other", fog=1)
    laid.state.tokens = ["grenade", "binoculars"]
    asked = run(player_turn.begin(laid), "binoculars", "2", "grenade", "2")
    assert "okinawa.enemy.dice" not in [one.key for one in asked]
    assert not laid.state.row[0]


@pytest.mark.rule("OKI-R13")
@pytest.mark.parametrize("held", [["binoculars"], ["grenade"]])
def test_fog_that_no_grenade_follows_through_does_not_hold_up_the_enemy_dice(held: list[str]) -> None:
    laid = table()
    laid.state.soldiers = Soldiers()
    enemy(laid, 2, fog=1, dice=1)
    laid.state.tokens = held
    assert [one.key for one in run(player_turn.begin(laid), ["4"])] == ["okinawa.enemy.dice"]


@pytest.mark.rule("OKI-069", "OKI-R13")
def test_without_enemy_dice_a_grenade_is_not_asked_for_before_them() -> None:
    laid = table()
    laid.state.soldiers = Soldiers(0, 1)
    enemy(laid, 2)
    laid.state.tokens = ["grenade", "grenade"]
    asked = run(player_turn.begin(laid), "grenade", "red")
    assert [one.key for one in asked] == ["okinawa.turn.token", "okinawa.token.grenade"]
    assert "okinawa.turn.token" not in [one.key for one in run(player_turn.begin(laid))]


@pytest.mark.rule("OKI-104", "OKI-105", "OKI-R23")
def test_an_upgrade_turns_any_card_also_the_pawns_and_changes_nothing_else() -> None:
    laid = table()
    laid.state.tokens = ["upgrade"]
    action = laid.state.spaces[0].action
    action.rotated = action.suppressed = action.used = True
    question = stop_at(tokens.upgrade(laid), "okinawa.upgrade.card")
    assert ids(question) == [*map(str, range(1, 11))]
    laid.state.spaces[4].action.veteran = True
    question = stop_at(tokens.upgrade(laid), "okinawa.upgrade.card")
    assert "5" not in ids(question)
    run(tokens.upgrade(laid), "1")
    assert action.veteran
    assert action.rotated and action.suppressed and action.used  # noqa: PT018 - one state


def test_what_each_upgrade_gives_is_told_before_one_is_chosen() -> None:
    laid = table()
    card(laid, 1, ("scout", 1), veteran=(("scout", 2), ("heal", 1)))
    card(laid, 2, ("scout", 1))
    told = [option.detail for option in stop_at(tokens.upgrade(laid), "okinawa.upgrade.card").options]
    assert told[:2] == ["then scout 2, heal", "then nothing on it"]


@pytest.mark.rule("OKI-R71")
def test_an_upgrade_with_all_cards_veterans_does_nothing_and_its_token_is_kept() -> None:
    laid = table()
    laid.state.tokens = ["upgrade"]
    for space in laid.state.spaces:
        space.action.veteran = True
    assert run(tokens.upgrade(laid)) == []
    assert "upgrade" not in choices(laid)
    assert laid.state.tokens == ["upgrade"]


@pytest.mark.rule("OKI-106", "OKI-107", "OKI-162")
def test_sandbags_block_a_point_each_in_the_enemy_turn_alone() -> None:
    laid = table()
    laid.state.tokens, laid.state.sandbags, laid.state.pool = ["sandbags", "sandbags"], 2, [1]
    assert not [one for one in choices(laid) if one.startswith("sandbag")]
    assert health.sandbags(laid) == 4
    blocked = health.block(laid, 3, "Test")
    question = blocked.send(None)
    assert (question.least, question.most) == (0, 3)
    with pytest.raises(StopIteration) as end:
        blocked.send(3)
    assert end.value.value == 0
    assert laid.state.sandbags == 0
    assert laid.state.tokens == ["sandbags"]


@pytest.mark.rule("OKI-108", "OKI-109", "OKI-110")
def test_a_grenade_deals_2_to_one_visible_enemy_of_either_type() -> None:
    laid = table()
    laid.state.tokens = ["grenade"]
    tank = enemy(laid, 2, "tank", type="armor")
    enemy(laid, 3, "foggy", fog=1)
    question = stop_at(tokens.use(laid, "grenade"), "okinawa.token.grenade")
    assert ids(question) == ["beige", "2"]
    run(tokens.use(laid, "grenade"), "2")
    assert tank.damage == 2
    assert laid.state.soldiers == Soldiers(2)


@pytest.mark.rule("OKI-110")
def test_a_grenade_is_kept_while_nobody_can_be_seen() -> None:
    laid = table()
    laid.state.soldiers, laid.state.tokens = Soldiers(), ["grenade"]
    enemy(laid, 3, fog=1)
    assert "grenade" not in choices(laid)


@pytest.mark.rule("OKI-111")
def test_binoculars_take_one_fog_off_one_card() -> None:
    laid = table()
    laid.state.tokens = ["binoculars"]
    one, two, three = enemy(laid, 2, "one", fog=2), enemy(laid, 3, "two", fog=1), enemy(laid, 4, fog=2)
    enemy(laid, 5, "seen")
    laid.state.beside_top.append(laid.state.row[2].pop())
    question = stop_at(tokens.use(laid, "binoculars"), "okinawa.token.binoculars")
    assert ids(question) == ["2", "3", "top1"], "any that has fog"
    run(tokens.use(laid, "binoculars"), "top1")
    assert (one.fog, two.fog, three.fog) == (2, 1, 1)
    assert laid.state.tokens == []


@pytest.mark.rule("OKI-112")
def test_a_med_kit_gives_no_more_than_one_health_back() -> None:
    laid = table()
    laid.state.tokens, laid.state.health = ["medkit"], 2
    run(tokens.use(laid, "medkit"))
    assert (laid.state.health, laid.state.tokens) == (3, [])


@pytest.mark.rule("OKI-113")
def test_a_med_kit_is_not_offered_in_the_enemy_turn() -> None:
    laid = table()
    laid.state.tokens, laid.state.health, laid.state.repositions = ["medkit"], 2, 1
    laid.state.pawn, laid.state.strikes = 1, [1]
    question = stop_at(enemy_turn.enemy_turn(laid), "okinawa.enemy.token")
    assert laid.state.enemy_turn
    assert ids(question) == ["go", "swap"]


@pytest.mark.rule("OKI-112", "OKI-113", "OKI-114")
def test_a_med_kit_gives_one_health_back_in_the_own_turn_never_beyond_4() -> None:
    laid = table()
    laid.state.tokens, laid.state.health, laid.state.pool = ["medkit", "medkit"], 3, [1]
    assert "medkit" in choices(laid)
    assert "medkit" not in [option.id for option in tokens.anytime(laid)]
    run(tokens.use(laid, "medkit"))
    assert laid.state.health == 4
    assert "medkit" not in choices(laid)
    health.heal(laid)
    assert laid.state.health == 4


@pytest.mark.rule("OKI-115", "OKI-116", "OKI-117", "OKI-158")
@pytest.mark.parametrize(("value", "possible"), [(4, [3]), (1, [2]), (2, [3, 1]), (3, [4, 2])])
@pytest.mark.parametrize("held", ["resupply", "common"])
def test_an_adjust_token_changes_a_die_by_one_within_1_and_4(
    value: int, possible: list[int], held: str
) -> None:
    laid = table()
    laid.state.pool = [value] * 2
    if held == "resupply":
        laid.state.tokens = ["adjust"]
    else:
        laid.state.adjusts = 1
    offered = [one for one in choices(laid) if one.startswith("adjust")]
    assert offered == [f"adjust:{value}:{new}" for new in possible]
    run(tokens.use(laid, offered[0]))
    assert laid.state.pool == sorted([value, possible[0]])
    assert not [one for one in choices(laid) if one.startswith("adjust")]


def test_which_of_two_kinds_of_token_goes_is_told() -> None:
    laid = table()
    laid.state.pool, laid.state.adjusts, laid.state.sandbags = [1], 1, 1
    laid.state.tokens = ["adjust", "sandbags"]

    def adjusting() -> str:
        return next(one.detail for one in player_turn.choices(laid) if one.id == "adjust:1:2")

    assert adjusting() == "Your adjust token goes to its supply"
    laid.state.adjusts = 0
    assert adjusting() == "The Resupply token leaves the game"
    assert "First your 1 from the supply" in health.block(laid, 2, "Test").send(None).detail
    laid.state.sandbags = 0
    assert "First" not in health.block(laid, 2, "Test").send(None).detail


@pytest.mark.rule("OKI-R03")
def test_adjusting_can_make_a_run() -> None:
    laid = table()
    laid.state.pool, laid.state.adjusts = [2, 4], 1
    assert "act:2-3" not in choices(laid)
    run(tokens.use(laid, "adjust:4:3"))
    assert "act:2-3" in choices(laid)


@pytest.mark.rule("OKI-R64")
@pytest.mark.parametrize(("setting", "most"), [("one", 1), ("any", 3)])
def test_the_re_roll_token_rolls_unspent_dice_again_once(setting: str, most: int) -> None:
    laid = table(reroll=setting)
    laid.state.rerolls, laid.state.pool = 1, [1, 1, 3]
    question = stop_at(tokens.use(laid, "reroll"), "okinawa.token.reroll")
    assert isinstance(question, Pick)
    assert (question.least, question.most) == (1, most)
    choose(laid, "reroll", ["0"], ["4"])
    assert laid.state.pool == [1, 3, 4]
    assert laid.state.rerolls == 0
    assert "reroll" not in choices(laid)


@pytest.mark.parametrize(
    ("setting", "words"), [("one", "Roll one unspent die again"), ("any", "Roll unspent dice again")]
)
def test_the_re_roll_token_says_how_many_dice_it_rolls_and_where_it_goes(setting: str, words: str) -> None:
    laid = table(reroll=setting)
    laid.state.rerolls, laid.state.pool = 1, [1, 3]
    assert told(laid, "reroll") == f"{words}; the token goes to its supply"


# The Resupply die


def told(laid: Table, choice: str) -> str:
    return next(one.detail for one in player_turn.choices(laid) if one.id == choice)


@pytest.mark.rule("OKI-118", "OKI-123")
@pytest.mark.parametrize("pawn", [1, 7])
def test_the_die_on_resupply_can_be_taken_as_it_lies_and_one_put_there_from_anywhere(pawn: int) -> None:
    laid = table()
    laid.state.pawn, laid.state.resupply_die, laid.state.pool = pawn, 1, [3]
    assert told(laid, "lift:resupply") == "from Resupply"
    choose(laid, "lift:resupply")
    assert laid.state.pool == [1, 3]
    assert laid.state.resupply_die == 0
    assert told(laid, "store:resupply:3") == "on Resupply, for a later turn"
    choose(laid, "store:resupply:3")
    assert (laid.state.pool, laid.state.resupply_die) == ([1], 3)


@pytest.mark.rule("OKI-119", "OKI-120", "OKI-121")
def test_a_die_can_be_put_on_an_empty_resupply_card_and_stays_for_a_later_turn() -> None:
    laid = table()
    laid.state.pool, laid.state.resupply_die = [2, 4], 1
    assert not [one for one in choices(laid) if one.startswith("store")]
    laid.state.resupply_die = 0
    choose(laid, "store:resupply:4")
    assert (laid.state.pool, laid.state.resupply_die) == ([2], 4)
    run(player_turn.begin(laid), ["1", "1"])
    assert laid.state.resupply_die == 4
    assert "lift:resupply" in choices(laid)


@pytest.mark.rule("OKI-122", "OKI-R75")
def test_taking_and_placing_may_both_happen_in_a_turn_and_more_than_once() -> None:
    laid = table()
    laid.state.pool, laid.state.resupply_die = [2], 1
    choose(laid, "lift:resupply")
    choose(laid, "store:resupply:2")
    assert (laid.state.pool, laid.state.resupply_die) == ([1], 2)
    choose(laid, "lift:resupply")
    assert (laid.state.pool, laid.state.resupply_die) == ([1, 2], 0)
    choose(laid, "store:resupply:1")
    assert (laid.state.pool, laid.state.resupply_die) == ([2], 1)


@pytest.mark.rule("OKI-R02")
def test_a_die_taken_from_resupply_can_be_part_of_a_run() -> None:
    laid = table()
    laid.state.pool, laid.state.resupply_die = [2], 1
    choose(laid, "lift:resupply")
    assert "act:1-2" in choices(laid)


@pytest.mark.rule("OKI-124")
def test_the_veteran_machine_gun_team_stores_a_die_the_basic_one_does_not() -> None:
    laid = table()
    action = card(laid, 3, stores_die=True)
    card(laid, 4).veteran = True
    laid.state.pool, laid.state.resupply_die = [2], 1
    assert not [one for one in choices(laid) if one.startswith("store")]
    assert laid.side_text(action) == ""
    action.veteran = True
    assert laid.side_text(action) == "stores a die"
    choose(laid, "store:3:2")
    assert (action.die, laid.state.pool) == (2, [])
    run(player_turn.begin(laid), ["1", "1"])
    choose(laid, "lift:3")
    assert (action.die, laid.state.pool) == (0, [2])
    action.veteran, action.die = False, 3  # set by hand
    assert "lift:3" in choices(laid)


# Refuelling


@pytest.mark.rule("OKI-125", "OKI-148", "OKI-149")
def test_the_sherman_destroys_three_soldiers_with_three_dice_and_is_turned_once() -> None:
    laid = table()
    action = laid.state.spaces[0].action
    action.card = "sherman"
    laid.state.soldiers, laid.state.pool = Soldiers(4), [2, 3, 4]
    (told,) = choose(laid, "act:2-3-4")
    assert laid.state.soldiers == Soldiers(1)
    assert action.rotated
    assert told.detail.count("Rotate Sherman M4A3") == 1


@pytest.mark.rule("OKI-126", "OKI-127", "OKI-135", "OKI-150", "OKI-R10")
def test_a_turned_card_waits_for_resupply_also_in_later_turns() -> None:
    laid = with_row()
    action = card(laid, 1, ("heal", 1), refuel=True)
    laid.state.pool = [1, 2]
    choose(laid, "act:1")
    run(player_turn.begin(laid), ["1", "1"])
    assert "act:2" not in choices(laid)
    run(moving.pass_resupply(laid), "none")
    assert not action.rotated
    assert "act:2" in choices(laid)


@pytest.mark.rule("OKI-127", "OKI-R10")
def test_a_move_past_resupply_readies_every_turned_card_though_none_is_taken() -> None:
    laid = with_row()
    turned = [laid.state.spaces[at].action for at in (0, 4, 8)]
    for action in turned:
        action.rotated = True
    laid.state.pawn, laid.state.pool = 4, [1, 1]
    choose(laid, "move:1")
    assert all(action.rotated for action in turned), "not yet past it"
    (offered,) = choose(laid, "move:1", "none")
    assert not any(action.rotated for action in turned)
    names = {number: laid.action(laid.state.spaces[number - 1].action.card).name for number in (1, 5, 9)}
    told = [f"Rotate {name} in {number} back: ready" for number, name in names.items()]
    assert offered.detail.splitlines() == told


@pytest.mark.rule("OKI-R24")
def test_passing_resupply_does_not_allow_a_second_activation_in_the_turn() -> None:
    laid = with_row()
    card(laid, 1, ("heal", 1), refuel=True)
    laid.state.pool = [1, 2]
    choose(laid, "act:1")
    run(moving.pass_resupply(laid), "none")
    assert "act:2" not in choices(laid)


def test_a_draw_of_tokens_offers_what_is_left() -> None:
    laid = with_row()
    laid.state.offers[0].token = ""
    laid.state.resupply = ["medkit"]
    script = moving.refill(laid)
    assert next(script, None) is None, "the row is full"
    laid.state.offers.pop()
    draw = stop_at(moving.refill(laid), "okinawa.resupply.token", ["sniper"])
    assert isinstance(draw, Draw)
    assert [(one.id, one.copies) for one in draw.options] == [("medkit", 1)]


def test_which_card_of_the_row_each_token_goes_on_is_told() -> None:
    laid = table()
    asked = run(moving.refill(laid), ["sniper", "corsair", "sherman"], ["grenade", "medkit", "adjust"])
    assert asked[0].detail == "Beside the deck, on the basic side"
    assert asked[1].detail == "In this order on Sniper, F4U Corsair, Sherman M4A3"
    laid.state.offers.pop(1)
    assert run(moving.refill(laid), ["demolition"], ["sandbags"])[1].detail == "On Demolition Team"


@pytest.mark.rule("OKI-091", "OKI-097", "OKI-100")
def test_which_two_cards_and_which_token_the_machine_gun_team_replaces_is_told() -> None:
    laid = table()
    card(laid, 4, ("scout", 1))
    laid.state.in_hand = "machine-gun-team"
    asked = moving._places(laid)
    assert asked.text == "Machine Gun Team: replace which two cards?"
    assert asked.detail.endswith("What is replaced leaves the game")
    details = {one.id: one.detail for one in asked.options}
    assert details["3-4"] == "for Rifleman and Test 4; Number Token 4 leaves the game"
    assert details["4-3"] == "for Rifleman and Test 4; Number Token 3 leaves the game"
    laid.state.in_hand = "sniper"
    asked = moving._places(laid)
    assert asked.text == "Sniper: replace which card?"
    assert asked.detail.endswith("What is replaced leaves the game")


def test_tokens_of_the_row_are_called_what_the_rulebook_calls_them() -> None:
    laid = table()
    asked = run(moving.refill(laid), ["sniper", "corsair", "sherman"], ["upgrade", "medkit", "adjust"])
    labels = [option.label for option in asked[1].options]
    assert labels[0] == "Veteran Action Upgrade"
    assert "Med Kit" in labels
    question = stop_at(moving.resupply(laid), "okinawa.resupply.take")
    assert question.options[1].detail.startswith("with Med Kit;")


@pytest.mark.rule("OKI-118")
def test_a_die_taken_off_the_resupply_card_keeps_its_face() -> None:
    laid = table()
    laid.state.pool, laid.state.resupply_die = [1], 3
    choose(laid, "lift:resupply")
    assert (laid.state.pool, laid.state.resupply_die) == ([1, 3], 0)


@pytest.mark.rule("OKI-097")
def test_either_of_the_two_numbers_may_be_the_one_that_goes() -> None:
    laid = with_row("machine-gun-team", "sniper", "corsair")
    script = moving.resupply(laid)
    question = stop_at(script, "okinawa.resupply.place", "1", ["sniper"], ["grenade"])
    assert {"3-4", "4-3"} <= set(ids(question))
    with pytest.raises(StopIteration):
        script.send("4-3")
    assert rondel.numbers(laid.state) == [1, 2, 4, 5, 6, 7, 8, 9, 10]
    assert rondel.space_of(laid.state, 4).action.card == "machine-gun-team"
