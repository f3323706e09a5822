"""Phase 2: upkeep, marker, Awards (DDD-057 to DDD-073)."""

from __future__ import annotations

import pytest

from companion.engine.asks import Show
from companion.games.dday_dice import GAME
from companion.games.dday_dice.arriving import hand_out
from companion.games.dday_dice.awards import draw_award, take_award
from companion.games.dday_dice.cards import Window, apply, play_award, usable
from companion.games.dday_dice.changes import changes
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.dice import Face, Result
from companion.games.dday_dice.effects import FindFree, RecruitFree
from companion.games.dday_dice.ending import over
from companion.games.dday_dice.moving import choices, move_units
from companion.games.dday_dice.play import turn
from companion.games.dday_dice.records import Award
from companion.games.dday_dice.recruiting import recruit_and_find
from companion.games.dday_dice.setup import dials
from companion.games.dday_dice.upkeep import turn_marker, upkeep
from tests.games.dday_dice.beach import act, alone, begin, figures, put, shipped, show, together

STRAIGHT = "R Sk St W 1S 2S B Co To"


@pytest.mark.rule("DDD-057", "DDD-058")
def test_upkeep_checks_bonuses_and_award_and_then_the_dials_are_set() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1)

    stage = act(upkeep(battle, show(unit, STRAIGHT)), "5", "Memorial Cross")

    assert stage.keys == ["tally.cancel", "award.choose", "upkeep"]
    assert figures(unit) == (4, 1, 1, 0)
    said = stage.asks[-1]
    assert isinstance(said, Show)
    assert said.rule == ("DDD-058", "DDD-064", "DDD-128")
    assert "Soldiers 4, Stars 1, Courage 1, Item Points 0" in said.detail


@pytest.mark.rule("DDD-059")
def test_resources_carry_over_to_the_next_turn() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=9, stars=2, courage=1, points=4)
    calm = ["soldier1", "soldier1", "soldier2", "soldier1", "soldier1", "soldier1"]

    act(turn(battle), calm, ["r1", "r2"], [], "done", "stay")

    assert figures(unit) == (9 + 15 - 2, 2, 1, 4)


@pytest.mark.rule("DDD-060", "DDD-061", "DDD-062", "DDD-R04")
def test_the_marker_shows_one_more_each_upkeep_and_then_must_move() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=9)
    faces = [battle.marker(unit)]
    for _ in range(3):
        turn_marker(battle, unit)
        faces.append(battle.marker(unit))

    assert faces == ["1 chevron", "2 chevrons", "3 chevrons", "1 arrow"]
    assert battle.must_move(unit)
    told = act(upkeep(battle, show(unit, "R 2S 1S W 2S 1S B 2S Co"))).asks[-1]
    assert told.text.startswith("Fresh Troops! ")
    assert told.rule == ("DDD-058", "DDD-049", "DDD-061", "DDD-062")
    assert told.detail.endswith(". Marker: 1 arrow. Must move this turn.")
    assert "stay" not in [option.id for option in choices(battle, unit, later=False)]


@pytest.mark.rule("DDD-060")
def test_every_upkeep_turns_the_marker() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=9)

    stage = act(upkeep(battle, show(unit, "R 1S 1S W 2S 2S B Co To")))

    assert battle.marker(unit) == "2 chevrons"
    assert stage.asks[-1].detail.endswith(". Marker: 2 chevrons.")


@pytest.mark.rule("DDD-064", "DDD-128", "DDD-R04", "DDD-R32")
def test_under_a_black_shield_the_marker_shows_the_shield_at_the_next_upkeep() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9)
    assert battle.marker(unit) == "1 chevron"

    turn_marker(battle, unit)

    assert battle.marker(unit) == "shield"
    assert battle.must_move(unit)


@pytest.mark.rule("DDD-065")
def test_a_straight_lets_the_player_choose_any_award() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1)

    stage = act(upkeep(battle, show(unit, STRAIGHT)), "1", "Stand-in Star")

    assert len(set(stage.ids("award.choose")) & set(shipped().award)) == 11
    assert unit.awards == ["Stand-in Star"]


@pytest.mark.rule("DDD-065")
def test_five_of_the_six_results_are_no_straight() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1)

    stage = act(upkeep(battle, show(unit, "R To St W 1S 2S B Co To")))

    assert "award.choose" not in stage.keys


@pytest.mark.rule("DDD-174", "DDD-175")
def test_of_several_straights_the_weakest_units_takes_its_award_first() -> None:
    battle, (one, two, three) = together(players=3)
    for unit, soldiers in ((one, 9), (two, 2), (three, 5)):
        show(put(battle, unit, "4", soldiers=soldiers), STRAIGHT)
    stage = act(
        upkeep(battle, one, two, three), "5", "5", "5", "Memorial Cross", "Stand-in Star", "Stand-in Rose"
    )
    assert [unit.awards for unit in (one, two, three)] == [
        ["Stand-in Rose"],
        ["Memorial Cross"],
        ["Stand-in Star"],
    ]
    assert [ask.text[:3] for ask in stage.asks if ask.key.endswith("award.choose")] == ["B: ", "C: ", "A: "]


@pytest.mark.rule("DDD-175")
def test_whose_straight_is_first_of_two_alike_is_agreed_or_rolled_for() -> None:
    battle, (one, two) = together()
    for unit in (one, two):
        show(put(battle, unit, "4", soldiers=2), STRAIGHT)
    act(upkeep(battle, one, two), "5", "5", "B", "Memorial Cross", "Stand-in Star")
    assert (one.awards, two.awards) == (["Stand-in Star"], ["Memorial Cross"])


@pytest.mark.rule("DDD-174", "DDD-286")
@pytest.mark.parametrize(("soldiers", "first"), [((9, 2), "B"), ((4, 4), "A")])
def test_a_straight_in_an_ambush_waits_for_a_weaker_units_and_counts_who_is_left(
    soldiers: tuple[int, int], first: str
) -> None:
    battle, (one, two) = together("sword")
    battle.state.random_rolls["11"] = 3
    show(put(battle, one, "11", soldiers=soldiers[0]), STRAIGHT)
    show(put(battle, two, "2", soldiers=soldiers[1]), STRAIGHT)

    stage = act(upkeep(battle, one, two), "5", "5", "Memorial Cross", "Stand-in Star")

    assert next(ask.text for ask in stage.asks if ask.key.endswith("award.choose")).startswith(f"{first}: ")
    assert battle.unit(first).awards == ["Memorial Cross"]


def test_nobody_is_asked_who_is_first_in_an_ambush_that_no_straight_came_to() -> None:
    battle, units = together("sword")
    battle.state.random_rolls["11"] = 3
    for unit in units:
        show(put(battle, unit, "11", soldiers=9), "R St 1S W 1S 1S B 2S 2S")

    stage = act(upkeep(battle, *units))

    assert stage.keys == ["upkeep", "upkeep"]
    assert [unit.soldiers for unit in units] == [9 + 7 - 1] * 2


def test_with_straights_in_the_units_order_as_earlier_sessions_go_on_nobody_waits() -> None:
    battle, (one, two) = together(straights="order")
    show(put(battle, one, "4", soldiers=9), STRAIGHT)
    show(put(battle, two, "4", soldiers=2), STRAIGHT)
    stage = act(upkeep(battle, one, two), "5", "Memorial Cross", "5", "Stand-in Star")
    assert stage.keys == ["tally.cancel", "award.choose", "upkeep"] * 2
    setting = next(one for one in GAME.settings if one.name == "straights")
    assert (setting.default, setting.before) == ("weakest", "order")


@pytest.mark.rule("DDD-066")
def test_six_courage_buy_a_random_award() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1, courage=7)

    act(recruit_and_find(battle, unit), "award", ["Stand-in Rose"])

    assert unit.courage == 1
    assert unit.awards == ["Stand-in Rose"]


@pytest.mark.rule("DDD-067", "DDD-251")
def test_a_sector_may_hand_out_an_award() -> None:
    battle, unit = alone("gold")
    put(battle, unit, "8")
    unit.turn.entered = unit.sector

    act(hand_out(battle), "Memorial Cross")

    assert unit.awards == ["Memorial Cross"]


@pytest.mark.rule("DDD-068")
def test_awards_are_offered_at_the_end_of_phase_1_alone() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=3, awards=["Stand-in Crown"], stars=2)

    assert "award:Stand-in Crown" in begin(changes(battle, show(unit, STRAIGHT))).ids("tally.change")
    stage = begin(recruit_and_find(battle, unit))
    assert not any("Crown" in one for one in stage.ids("recruit"))
    assert not any("Crown" in option.id for option in choices(battle, unit, later=False))
    assert usable(battle, unit, Window.COMBAT) == []


@pytest.mark.rule("DDD-069", "DDD-070")
def test_an_award_is_used_once_and_is_gone() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=3)
    take_award(battle, unit, "Stand-in Crown")

    act(changes(battle, show(unit, STRAIGHT)), "award:Stand-in Crown")

    assert figures(unit) == (3, 3, 3, 0)
    assert unit.awards == []
    assert "Stand-in Crown" not in battle.state.award_deck
    assert unit.awards_earned == 1


@pytest.mark.rule("DDD-071")
def test_with_an_empty_deck_no_award_is_earned() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=3, courage=9, stars=2)
    battle.state.award_deck.clear()

    stage = act(upkeep(battle, show(unit, STRAIGHT)), "1")

    assert stage.keys[-1] == "upkeep"
    assert stage.asks[-1].text.endswith("(A straight, but no Award is left)")
    assert "award.choose" not in stage.keys
    assert "award" not in begin(recruit_and_find(battle, unit)).ids("recruit")


@pytest.mark.rule("DDD-071")
def test_two_straights_for_which_no_award_is_left_are_no_tie() -> None:
    battle, units = together()
    for unit in units:
        put(battle, unit, "4", soldiers=3)
    battle.state.award_deck.clear()

    stage = act(upkeep(battle, *(show(unit, STRAIGHT) for unit in units)), "1", "1")

    assert "card.unit" not in stage.keys


@pytest.mark.rule("DDD-072", "DDD-R60")
def test_one_award_a_turn_by_straight_or_purchase() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=3, courage=6, stars=2)
    act(upkeep(battle, show(unit, STRAIGHT)), "1", "Stand-in Star")

    assert "award" not in begin(recruit_and_find(battle, unit)).ids("recruit")


@pytest.mark.rule("DDD-072")
def test_one_award_is_bought_in_a_turn() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=3, courage=12, stars=2)

    stage = begin(recruit_and_find(battle, unit), "award", ["Stand-in Rose"])

    assert "award" not in stage.ids("recruit")


@pytest.mark.rule("DDD-071")
def test_with_an_empty_deck_a_sector_gives_no_award() -> None:
    battle, unit = alone("gold")
    put(battle, unit, "8")
    unit.turn.entered = "8"
    battle.state.award_deck.clear()

    assert act(hand_out(battle)).keys == []
    assert unit.turn.news == ["no Award is left"]


def test_an_empty_deck_is_not_told_of_in_a_sector_that_gives_an_item() -> None:
    battle, unit = alone("utah", "1")
    put(battle, unit, "10").turn.entered = "10"
    battle.state.award_deck.clear()

    assert act(hand_out(battle)).keys == ["move.found"]
    assert unit.turn.news == []


@pytest.mark.rule("DDD-071")
def test_of_two_awards_that_a_card_brings_only_the_last_of_the_deck_is_drawn() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=3)
    battle.state.award_deck = ["Stand-in Rose"]

    drawn = [act(draw_award(battle, unit, ()), *left).keys for left in ([["Stand-in Rose"]], [])]

    assert drawn == [["award.draw"], []]
    assert (unit.awards, unit.awards_earned) == (["Stand-in Rose"], 1)


@pytest.mark.rule("DDD-073")
def test_a_recruit_by_award_leaves_the_turns_recruit_free() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=3, stars=2, awards=["Stand-in Palm"])

    act(changes(battle, show(unit, STRAIGHT)), "award:Stand-in Palm", "Medic")
    act(recruit_and_find(battle, unit), "recruit:Corporal")

    assert unit.specialists == ["Medic", "Corporal"]


def test_an_award_that_recruits_for_a_soldier_is_nothing_for_a_unit_without() -> None:
    battle, unit = alone()
    battle.state.learned["Own Award 1"] = Award(effects=(RecruitFree(soldiers=1),))
    put(battle, unit, "4", soldiers=0, specialists=["Scout"], awards=["Own Award 1"])
    assert act(changes(battle, show(unit, STRAIGHT))).keys == []

    act(play_award(battle, unit, "Own Award 1"))
    assert (unit.soldiers, unit.specialists) == (0, ["Scout"])


@pytest.mark.rule("DDD-073")
def test_an_item_found_by_award_leaves_the_turns_find_free() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=3, points=5, awards=["Stand-in Anchor"])
    act(apply(battle, unit, FindFree(), Window.TALLY, award=True), "Flame-Thrower")
    act(recruit_and_find(battle, unit), "find:Walkie-Talkie", "done")

    assert unit.items == ["Flame-Thrower", "Walkie-Talkie"]
    assert "Flame-Thrower" not in battle.state.pool_items


@pytest.mark.rule("DDD-R61")
def test_an_award_of_phase_2_waits_for_the_next_turn() -> None:
    battle, (one, two) = together()
    put(battle, one, "4", soldiers=3)
    put(battle, two, "4", soldiers=3)

    stage = act(upkeep(battle, show(one, STRAIGHT)), "1", "Stand-in Star")

    assert one.awards == ["Stand-in Star"]
    assert stage.keys[-1] == "upkeep"
    assert two.awards == []
    later = [*begin(recruit_and_find(battle, one)).ids("recruit"), *begin(move_units(battle)).ids("move")]
    later += begin(combat(battle)).ids("combat.after")
    assert not any("Stand-in Star" in option for option in later)
    assert "award:Stand-in Star" in begin(changes(battle, show(one, STRAIGHT))).ids("tally.change")


@pytest.mark.rule("DDD-R89")
def test_a_dial_beyond_99_is_warned_of() -> None:
    _, unit = alone()
    unit.soldiers = 100

    assert "note it on paper" in dials(unit)
    unit.soldiers = 99
    assert "note it" not in dials(unit)


def test_a_unit_lost_in_upkeep_earns_no_award() -> None:
    battle, unit = alone("sword")
    battle.state.random_rolls["11"] = 3
    put(battle, unit, "11", soldiers=0, specialists=["Corporal"])
    extra = [Result(Face.STAR)] * 5

    stage = act(upkeep(battle, show(put(battle, unit, "11", extra=extra), STRAIGHT)), "1")

    assert unit.status == "lost"
    assert "award.choose" not in stage.keys


def test_a_unit_lost_in_upkeep_is_said_to_be_wiped_out() -> None:
    battle, unit = alone("juno")
    put(battle, unit, "11", soldiers=1, stay=3)

    stage = act(upkeep(battle, show(unit, "R To To W To To B St Co")))

    assert stage.asks[-1].text == "+1 St +1 Co +12 IP (3 lost to the Sector: wiped out)"
    assert stage.asks[-1].detail == dials(unit)
    outcome = over(battle)
    assert outcome is not None
    assert outcome.reason == "wiped out in Sector 11", "not stuck, though its marker would make it move"


def test_with_an_empty_deck_a_card_that_draws_draws_nothing() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "4", soldiers=3, items=["Medal Case"])
    battle.state.award_deck.clear()

    assert usable(battle, unit, Window.RECRUIT) == []


def test_the_words_of_an_upkeep_add_up_to_what_the_dials_turned() -> None:
    battle, (one, two) = together()
    put(battle, one, "4", soldiers=1, specialists=["Veteran", "Chaplain"])
    put(battle, two, "1", soldiers=5)

    stage = act(upkeep(battle, show(one, "R 1S To W 1S To B 1S St")))

    assert stage.asks[-1].text == "A: Reinforcements! +8 Sold +1 St +1 Co +3 IP (B +4 Sold)"
    assert (figures(one), two.soldiers) == ((1 + 8, 1, 1, 3), 5 + 4)


def test_the_words_of_an_upkeep_name_no_dial_that_stays() -> None:
    battle, unit = alone("tiger_practice")

    stage = act(upkeep(battle, show(unit, "R 2S Sk W Sk Sk B Sk Sk")))
    assert stage.asks[-1].text == "+2 Sold"

    stage = act(upkeep(battle, show(unit, "R Sk Sk W Sk Sk B Sk Sk")))
    assert stage.asks[-1].text == "Nothing gained"


def test_the_words_of_an_upkeep_say_what_the_sector_took() -> None:
    battle, unit = alone("juno")
    put(battle, unit, "11", soldiers=20)

    stage = act(upkeep(battle, show(unit, "R To To W To To B St Co")))

    assert stage.asks[-1].text == "+1 St +1 Co +12 IP (3 lost to the Sector)"


def test_who_falls_to_a_sector_in_upkeep_is_not_told_among_the_losses_of_combat() -> None:
    battle, unit = alone("juno", bazooka_joe="all")
    put(battle, unit, "11", soldiers=20, specialists=["Hero", "Scout"])
    unit.turn.news.append("Decoy falls")

    stage = act(upkeep(battle, show(unit, "R To To W To To B 1S Co")), 1, "Scout", "soldiers")

    assert stage.asks[-1].text.endswith("(1 Courage paid; Scout falls, card face down; 3 lost to the Sector)")
    assert unit.turn.news == ["Decoy falls"]
