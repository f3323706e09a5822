"""Optional rules: solitaire, mulligan and the rest, Victory Points, Blind Start (DDD-176 to DDD-213)."""

from __future__ import annotations

import pytest

from companion.engine.asks import Draw, Roll
from companion.games.dday_dice import GAME
from companion.games.dday_dice.awards import draw_award
from companion.games.dday_dice.cards import play_award
from companion.games.dday_dice.changes import changes
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.ending import over, victory_points
from companion.games.dday_dice.play import start
from companion.games.dday_dice.records import Kind
from companion.games.dday_dice.recruiting import recruit_and_find
from companion.games.dday_dice.rolling import roll_the_dice
from companion.games.dday_dice.setup import set_up
from companion.games.dday_dice.state import Status
from companion.games.dday_dice.trading import options as trades
from companion.games.dday_dice.upkeep import upkeep
from tests.games.dday_dice.beach import (
    Stage,
    act,
    alone,
    beach,
    begin,
    figures,
    put,
    show,
    together,
    with_sector,
)
from tests.games.driver import setup

# --- solitaire


@pytest.mark.rule("DDD-176")
def test_a_solo_player_does_not_trade() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=9, stars=9)

    assert battle.state.units == [unit]
    assert trades(battle, unit) == []
    offered = begin(recruit_and_find(battle, unit)).ids("recruit")
    assert "recruit:Medic" in offered
    assert "give" not in offered

    battle, (one, two) = together()
    for unit in (one, two):
        put(battle, unit, "1", soldiers=9, stars=9)
    assert "give" in begin(recruit_and_find(battle, one)).ids("recruit")


@pytest.mark.rule("DDD-177")
def test_solo_reinforcements_bring_eight() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=0, specialists=["Medic"])

    act(upkeep(battle, show(unit, "R 1S St W 1S To B 1S Co")))

    assert unit.soldiers == 3 + 8


@pytest.mark.rule("DDD-177")
def test_solo_leadership_may_bring_the_own_unit_courage() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1)

    act(upkeep(battle, show(unit, "R St 1S W St To B St 1S")), "courage2")

    assert unit.courage == 2


@pytest.mark.rule("DDD-178")
def test_of_a_two_part_award_a_solo_player_has_the_first_part() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1, awards=["Memorial Cross"])
    others = battle.award("Memorial Cross").others
    assert others

    act(play_award(battle, unit, "Memorial Cross"))
    assert unit.soldiers == 7

    battle, (one, two) = together()
    put(battle, one, "4", soldiers=1, awards=["Memorial Cross"])
    put(battle, two, "4", soldiers=1)
    act(play_award(battle, one, "Memorial Cross"))
    assert (one.soldiers, two.soldiers) == (7, 3)


@pytest.mark.rule("DDD-179")
def test_some_cards_stay_in_the_box_in_a_solo_game() -> None:
    alone_battle, _ = alone("omaha")
    two_battle, _ = together("omaha")
    gone = {"Mortar", "Dispatch Case", "Carrier Pigeon"}

    assert not gone & set(alone_battle.state.pool_items)
    assert gone <= set(two_battle.state.pool_items)
    assert "War Correspondent" not in alone("juno")[0].state.pool_specialists
    assert "War Correspondent" in together("juno")[0].state.pool_specialists
    assert "Victoria Cross" not in alone_battle.state.award_deck
    assert "Victoria Cross" in two_battle.state.award_deck


@pytest.mark.rule("DDD-180", "DDD-198")
def test_victory_points_are_counted_after_a_defeat_too() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=6)

    act(combat(battle))

    outcome = over(battle)
    assert outcome is not None
    assert outcome.score["vp"] == 40


def lieutenant(pool: list[str]) -> Stage:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, stars=4)
    stage = act(recruit_and_find(battle, unit), "recruit:Lieutenant", pool)
    stage.result = (battle, unit)
    return stage


POOL = ["skull", "star", "courage", "tool", "soldier1", "soldier2"]


@pytest.mark.rule("DDD-181", "DDD-182")
def test_a_solo_lieutenant_brings_six_dice_rolled_once() -> None:
    stage = lieutenant(POOL)
    battle, _ = stage.result

    assert stage.keys == ["recruit", "pool.roll"]
    assert stage.asks[-1].detail == "they stay aside as they lie: the Trading Pool"
    assert [die.face for die in battle.state.trading_pool] == POOL


@pytest.mark.rule("DDD-181")
def test_a_lieutenant_among_several_units_brings_no_dice() -> None:
    battle, (one, _) = together()
    put(battle, one, "4", soldiers=9, stars=4)

    assert "pool.roll" not in act(recruit_and_find(battle, one), "recruit:Lieutenant").keys


@pytest.mark.rule("DDD-183", "DDD-184", "DDD-185")
def test_one_die_a_turn_is_swapped_for_one_of_the_pool_whatever_its_colour() -> None:
    battle, unit = lieutenant(POOL).result
    show(unit, "R Sk St W St To B Co Co")

    stage = act(changes(battle, unit), "swap", "r1", "w1")
    assert [ask.text for ask in stage.asks[1:]] == ["Put which die aside?", "Take which die?"]

    assert (unit.dice[0].colour, unit.dice[0].face) == ("white", "courage")
    assert len(battle.state.trading_pool) == 5
    assert act(changes(battle, unit)).keys == []


@pytest.mark.rule("DDD-185")
def test_the_pool_lasts_for_six_swaps() -> None:
    battle, unit = lieutenant(POOL).result
    for die in ("r1", "r2", "w1", "w2", "b1", "b2"):
        show(unit, "R Sk St W St To B Co Co")
        unit.turn.swapped = False
        act(changes(battle, unit), "swap", "r1", *([die] if die != "b2" else []))

    unit.turn.swapped = False
    assert act(changes(battle, unit)).keys == []


@pytest.mark.rule("DDD-186")
def test_next_turn_the_set_is_whole_again() -> None:
    battle, unit = lieutenant(POOL).result
    show(unit, "R Sk St W St To B Co Co")
    act(changes(battle, unit), "swap", "r1", "w1")

    stage = begin(roll_the_dice(battle, unit))

    assert [kind.count for kind in stage.asks[0].dice] == [2, 2, 2]


@pytest.mark.rule("DDD-112", "DDD-186")
def test_before_the_next_roll_alone_it_is_told_that_swapped_dice_go_back() -> None:
    battle, unit = lieutenant(POOL).result
    show(unit, "R Sk St W St To B Co Co")
    act(changes(battle, unit), "swap", "r1", "w1")

    stage = begin(roll_the_dice(battle, unit), ["star"] * 6, ["r1", "r2"], ["w1"])

    rolls = {ask.key.removeprefix("dday_dice."): ask.detail for ask in stage.asks if isinstance(ask, Roll)}
    assert rolls == {"roll.1": "swapped dice go back first: two of each colour", "roll.2": ""}
    assert [die.colour for die in unit.dice] == ["red", "red", "white", "white", "blue", "blue"]
    assert begin(roll_the_dice(battle, unit)).asks[0].detail == "", "it was put right"


# --- easier games


@pytest.mark.rule("DDD-187", "DDD-306", "DDD-312")
@pytest.mark.parametrize(
    ("players", "bazooka_joe", "lamp"), [("2", "items", True), ("2", "no", False), ("1", "items", False)]
)
def test_what_only_a_lone_unit_finds_in_merville_is_in_the_pool_of_several_with_bazooka_joe(
    players: str, bazooka_joe: str, *, lamp: bool
) -> None:
    battle = beach("merville", *["1"] * int(players), players=players, bazooka_joe=bazooka_joe)

    assert ("Signalling Lamp" in battle.state.pool_items) is lamp
    assert not {"Medal Case", "Dexedrine"} & set(battle.state.pool_items)


@pytest.mark.rule("DDD-187")
def test_bazooka_joe_opens_all_special_items() -> None:
    battle, _ = together("omaha", bazooka_joe="items")
    special = {name for name, item in battle.pack.item.items() if item.kind is Kind.SPECIAL}

    assert len(special) == 18
    assert special <= set(battle.state.pool_items)


@pytest.mark.rule("DDD-188")
def test_bazooka_joe_may_open_all_specialists_too() -> None:
    battle, (one, _) = together("omaha", bazooka_joe="all")

    assert len(one.hand) == 13
    assert len(battle.state.pool_specialists) == 11
    assert "General" in battle.state.pool_specialists


@pytest.mark.rule("DDD-188", "DDD-224")
def test_bazooka_joe_opens_nothing_in_basic_training() -> None:
    state, usual = (alone("tiger_basic", bazooka_joe=option)[0].state for option in ("all", "no"))

    assert (state.pool_specialists, state.pool_items) == (usual.pool_specialists, usual.pool_items)
    assert [unit.hand for unit in state.units] == [unit.hand for unit in usual.units]


NO_SOLDIERS = ["skull", "star", "star", "tool", "courage", "tool"]


@pytest.mark.rule("DDD-189", "DDD-R12")
def test_an_opening_roll_without_soldiers_may_be_rolled_again() -> None:
    battle, unit = alone(soldier_mulligan="yes")

    stage = begin(roll_the_dice(battle, unit), NO_SOLDIERS, "yes", ["soldier2"] * 6)

    assert stage.keys == ["roll.1", "roll.mulligan", "roll.1", "roll.lock"]
    assert [die.face for die in unit.dice] == ["soldier2"] * 6


@pytest.mark.rule("DDD-189", "DDD-190")
def test_a_mulligan_that_is_not_wanted_is_kept_for_a_later_turn() -> None:
    battle, unit = alone(soldier_mulligan="yes")

    for _ in range(2):
        stage = begin(roll_the_dice(battle, unit), NO_SOLDIERS, "no")
        assert stage.keys == ["roll.1", "roll.mulligan", "roll.lock"]
        assert [option.detail for option in stage.asks[1].options] == ["", "once a game"]
    assert [die.face for die in unit.dice] == NO_SOLDIERS


@pytest.mark.rule("DDD-189")
def test_with_one_soldier_result_there_is_no_mulligan() -> None:
    battle, unit = alone(soldier_mulligan="yes")

    stage = begin(roll_the_dice(battle, unit), [*NO_SOLDIERS[:5], "soldier2"])

    assert "roll.mulligan" not in stage.keys


@pytest.mark.rule("DDD-242")
def test_there_is_no_mulligan_where_the_sector_holds_every_die() -> None:
    battle, unit = alone("utah", "1", soldier_mulligan="yes")
    put(battle, unit, "6", soldiers=9)

    assert "roll.mulligan" not in begin(roll_the_dice(battle, unit), ["skull"] * 6).keys


@pytest.mark.rule("DDD-190", "DDD-R12")
def test_the_mulligan_is_used_once_a_game_by_each_player() -> None:
    battle, (unit, other) = together(soldier_mulligan="yes")
    act(roll_the_dice(battle, unit), NO_SOLDIERS, "yes", NO_SOLDIERS, ["r1", "r2"], [])

    stage = begin(roll_the_dice(battle, unit), NO_SOLDIERS)

    assert "roll.mulligan" not in stage.keys
    assert "roll.mulligan" in begin(roll_the_dice(battle, other), NO_SOLDIERS).keys


@pytest.mark.rule("DDD-191")
def test_well_equipped_units_start_with_ten_item_points() -> None:
    _, units = together(well_equipped="yes")

    assert [unit.points for unit in units] == [10, 10]


@pytest.mark.rule("DDD-191", "DDD-227")
def test_nobody_is_well_equipped_where_there_are_no_items() -> None:
    _, unit = alone("tiger_basic", well_equipped="yes")

    assert unit.points == 0


# --- random cards


@pytest.mark.rule("DDD-227")
def test_no_option_brings_cards_into_a_practice_run_nor_items_into_basic_training() -> None:
    _, unit = alone("tiger_practice", wild_specialists="yes", quartermasters_whim="yes", bazooka_joe="all")
    assert unit.hand == []

    for training in ("tiger_practice", "tiger_basic"):
        battle, _ = alone(training, quartermasters_whim="yes", bazooka_joe="items")
        assert battle.state.pool_items == []


def wild(players: int) -> Stage:
    battle = start(setup(GAME, "omaha", wild_specialists="yes", players=str(players))).battle
    two = ["Corporal", "Scout", "Point Man"]
    three = ["Hero", "Veteran", "Beachmaster"]
    unique = ["Captain", "Decoy", "General"][:players]
    stage = act(set_up(battle), *[two, three, ["Medic"]] * players, unique)
    stage.result = battle
    return stage


@pytest.mark.rule("DDD-192", "DDD-194")
def test_wild_specialists_draws_seven_instead_of_the_list() -> None:
    battle = wild(2).result

    for unit in battle.state.units:
        assert unit.hand == ["Corporal", "Scout", "Point Man", "Hero", "Veteran", "Beachmaster", "Medic"]
    assert battle.state.pool_specialists == ["Captain", "Decoy"]


@pytest.mark.rule("DDD-193")
def test_the_piles_by_cost_hold_six_five_and_two() -> None:
    draws = [ask for ask in wild(1).asks if isinstance(ask, Draw)]

    assert [len(ask.options) for ask in draws[:3]] == [6, 5, 2]
    assert [ask.count for ask in draws[:3]] == [3, 3, 1]
    assert {(ask.detail, ask.settled) for ask in draws} == {("shuffle them first", "")}
    assert [ask.text for ask in draws[1:]] == [
        "Draw 3 Specialists of 3 Stars",
        "Draw 1 Specialist of 4 Stars",
        "Draw 1 Unique Specialist",
    ]


@pytest.mark.rule("DDD-193", "DDD-239")
def test_who_has_joined_a_unit_at_its_start_is_in_none_of_its_piles() -> None:
    battle = start(setup(GAME, "utah", wild_specialists="yes")).battle
    draw = begin(set_up(battle), "2").open

    assert isinstance(draw, Draw)
    assert len(draw.options) == 5
    assert "Corporal" not in [option.id for option in draw.options]


@pytest.mark.rule("DDD-195")
def test_as_many_uniques_as_players_are_drawn() -> None:
    battle = wild(3).result
    draw = [ask for ask in wild(3).asks if isinstance(ask, Draw)][-1]

    assert battle.state.pool_specialists == ["Captain", "Decoy", "General"]
    assert (draw.count, len(draw.options)) == (3, 11)


def test_who_joins_at_a_start_need_not_be_on_the_list_of_the_map() -> None:
    battle = start(setup(GAME, "omaha")).battle
    with_sector(battle, "1", specialist="Chaplain")

    act(set_up(battle))

    (unit,) = battle.state.units
    assert unit.specialists == ["Chaplain"]
    assert len(unit.hand) == 7


@pytest.mark.rule("DDD-179", "DDD-195", "DDD-267")
def test_what_a_map_or_a_solo_game_keeps_out_is_not_among_the_wild_uniques() -> None:
    battle = start(setup(GAME, "sword", wild_specialists="yes")).battle
    two, three = ["Corporal", "Scout", "Point Man"], ["Hero", "Veteran", "Beachmaster"]
    draw = begin(set_up(battle), two, three, ["Medic"]).open

    assert isinstance(draw, Draw)
    assert len(draw.options) == 11 - 2
    assert not {"Lieutenant", "War Correspondent"} & {option.id for option in draw.options}


@pytest.mark.rule("DDD-179", "DDD-196", "DDD-306")
def test_the_whim_draws_special_items_alone_none_that_a_map_or_a_solo_game_keeps_out() -> None:
    battle = start(setup(GAME, "merville", quartermasters_whim="yes")).battle
    draw = begin(set_up(battle), "1").open

    assert isinstance(draw, Draw)
    out = {"Medal Case", "Dexedrine", "Signalling Lamp", "Mortar", "Dispatch Case"}
    special = {name for name, item in battle.pack.item.items() if item.kind is Kind.SPECIAL}
    assert {option.id for option in draw.options} == special - out
    battle = start(setup(GAME, "merville", quartermasters_whim="yes", players="2")).battle
    draw = begin(set_up(battle), "1", "1").open
    assert isinstance(draw, Draw)
    assert {option.id for option in draw.options} == special - {"Medal Case", "Dexedrine"}


@pytest.mark.rule("DDD-196", "DDD-197")
def test_quartermasters_whim_draws_two_special_items_a_player() -> None:
    battle = start(setup(GAME, "omaha", quartermasters_whim="yes", players="2")).battle
    drawn = ["Bazooka", "Toolkit", "Rope Ladder", "Lucky Charm"]

    act(set_up(battle), drawn)

    pool = battle.state.pool_items
    assert [name for name in pool if battle.pack.item[name].kind is Kind.SPECIAL] == drawn
    assert len([name for name in pool if battle.pack.item[name].kind is Kind.REGULAR]) == 10


@pytest.mark.rule("DDD-196")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_whim_draws_twice_as_many_items_as_there_are_players(players: int) -> None:
    battle = start(setup(GAME, "omaha", quartermasters_whim="yes", players=str(players))).battle
    draw = begin(set_up(battle)).open

    assert isinstance(draw, Draw)
    assert draw.count == 2 * players


# --- Victory Points


@pytest.mark.rule("DDD-199", "DDD-201", "DDD-202", "DDD-203", "DDD-204", "DDD-206", "DDD-207", "DDD-R07")
def test_the_151_points_of_the_books_omaha_example() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "9")
    put(battle, unit, "Bunker", soldiers=18, courage=2, specialists=["Scout", "Hero", "Corporal", "Veteran"])
    act(combat(battle), ["1"], 0, "soldiers")

    outcome = over(battle)

    assert outcome is not None
    assert figures(unit) == (5, 0, 2, 0)
    assert outcome.score["vp"] == 151


@pytest.mark.rule("DDD-200")
def test_the_first_into_the_bunker_score_twenty_more_together() -> None:
    battle, (one, two, three) = together(players=3)
    for unit in (one, two):
        put(battle, unit, "Bunker", soldiers=30)
    put(battle, three, "9", soldiers=30)
    battle.state.turn = 12
    act(combat(battle), ["1"], ["1"], "done", "done")
    battle.state.turn = 13
    put(battle, three, "Bunker", soldiers=30)
    act(combat(battle), ["1"])

    assert [unit.first_in for unit in (one, two, three)] == [True, True, False]
    lines = [
        victory_points(battle, u) - u.soldiers - 10 * (9 if u is three else 1) for u in (one, two, three)
    ]
    assert lines == [40, 40, 20]


@pytest.mark.rule("DDD-205", "DDD-R62")
def test_an_award_is_ten_points_used_or_not() -> None:
    battle, unit = alone()
    before = victory_points(battle, unit)

    unit.awards_earned = 2
    unit.awards = ["Stand-in Star"]

    assert victory_points(battle, unit) == before + 20


@pytest.mark.rule("DDD-205", "DDD-R62")
def test_an_award_that_was_earned_and_played_still_counts() -> None:
    battle, unit = alone()
    before = victory_points(battle, unit)

    act(draw_award(battle, unit, ("DDD-066",)), ["Stand-in Laurel"])
    unit.awards.clear()

    assert victory_points(battle, unit) == before + 10


@pytest.mark.rule("DDD-208")
def test_the_groups_score_is_its_lowest() -> None:
    battle, units = together(players=3)
    for unit, soldiers in zip(units, (61, 30, 43), strict=True):
        put(battle, unit, "9", soldiers=soldiers)
        unit.status = Status.SAFE

    outcome = over(battle)

    assert outcome is not None
    assert [outcome.score[f"vp {name}"] for name in "ABC"] == [151, 120, 133]
    assert outcome.score["vp"] == 120


@pytest.mark.rule("DDD-201", "DDD-R90")
def test_a_lost_unit_scores_the_sector_it_was_in() -> None:
    battle, unit = alone()
    put(battle, unit, "7", soldiers=0, status=Status.LOST)

    assert victory_points(battle, unit) == 70


# --- Blind Start


def blind(*faces: str) -> Stage:
    battle = start(setup(GAME, "omaha", blind_start="yes")).battle
    stage = act(set_up(battle), *[[face] for face in faces])
    stage.result = battle.state.units[0]
    return stage


@pytest.mark.rule("DDD-209", "DDD-210")
def test_a_blind_start_is_one_soldier_and_four_rolls_of_the_marker() -> None:
    stage = blind("chevron3", "arrow1", "shield", "chevron2")

    assert stage.keys.count("setup.marker") == 4
    assert figures(stage.result) == (6, 1, 0, 0)


@pytest.mark.rule("DDD-211", "DDD-212")
def test_chevrons_are_soldiers_and_arrows_stars() -> None:
    assert figures(blind("chevron1", "chevron2", "chevron3", "shield").result) == (7, 0, 0, 0)
    assert figures(blind("arrow1", "arrow2", "shield", "shield").result) == (1, 3, 0, 0)
    assert figures(blind("chevron3", "arrow2", "shield", "shield").result) == (4, 2, 0, 0)


@pytest.mark.rule("DDD-213")
def test_shields_give_nothing() -> None:
    assert figures(blind(*["shield"] * 4).result) == (1, 0, 0, 0)
