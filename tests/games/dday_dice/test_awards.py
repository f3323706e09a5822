"""Awards: the three that the rulebook names, our stand-ins, and cards that their owner enters."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.asks import Choose, Draw
from companion.engine.packs import Source
from companion.games.dday_dice.awards import choose_award, deck, described, draw_award, learned
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.cards import Window, play_award, use_item, works
from companion.games.dday_dice.changes import changes
from companion.games.dday_dice.dice import Colour, Face, Result
from companion.games.dday_dice.effects import (
    CopyTally,
    DrawAward,
    Effect,
    FindFree,
    Gain,
    LowerDef,
    Reach,
    Rwb,
    Silence,
    TakeVehicle,
    TradeAnywhere,
)
from companion.games.dday_dice.panels import board
from companion.games.dday_dice.records import Award
from companion.games.dday_dice.showing import shown
from companion.games.dday_dice.state import Unit
from companion.games.dday_dice.upkeep import upkeep
from tests.games.dday_dice.beach import act, alone, beach, begin, figures, put, shipped, show, together


def play(
    award: str, *answers: object, players: int = 2, dice: str = "R To 1S W To 2S B Sk Co"
) -> tuple[Battle, Unit]:
    """A Unit that has played an Award on these dice."""
    battle, units = together(players=players)
    unit = put(battle, units[0], "4", soldiers=1, awards=[award])
    act(changes(battle, show(unit, dice)), f"award:{award}", *answers)
    return battle, unit


def test_there_are_twelve_and_three_have_their_printed_names() -> None:
    awards = shipped().award

    assert len(awards) == 12
    assert [n for n in awards if not n.startswith("Stand-in")] == [
        "Legion of Merit",
        "Memorial Cross",
        "Victoria Cross",
    ]
    assert all(award.source is Source.STAND_IN for award in awards.values())


@pytest.mark.rule("DDD-093")
def test_legion_of_merit__a_vehicle() -> None:
    _, unit = play("Legion of Merit", "Jeep")

    assert unit.vehicle == "Jeep"


@pytest.mark.rule("DDD-099", "DDD-101")
def test_legion_of_merit__none_that_is_in_play_or_gone_and_no_second_one() -> None:
    battle, (one, two) = together()
    put(battle, one, "4", soldiers=1, awards=["Legion of Merit"])
    put(battle, two, "4", vehicle="Tank")
    battle.state.vehicles_gone = ["Jeep"]
    stage = begin(changes(battle, show(one, "R To 1S W To 2S B Sk Co")), "award:Legion of Merit")
    assert not {"Tank", "Jeep"} & set(stage.ids("card.vehicle"))

    put(battle, two, "4", awards=["Legion of Merit", "Memorial Cross"])
    stage = begin(changes(battle, show(two, "R To 1S W To 2S B Sk Co")))
    assert stage.ids("tally.change") == ["done", "award:Memorial Cross"]


def test_an_award_that_takes_a_card_is_not_played_away_where_there_is_none() -> None:
    battle, unit = alone("tiger_basic")
    put(battle, unit, "4", awards=["Stand-in Anchor", "Stand-in Palm"])

    stage = begin(changes(battle, show(unit, "R To 1S W To 2S B Sk Co")))

    assert stage.ids("tally.change") == ["done", "award:Stand-in Palm"]


def test_memorial_cross__has_two_parts() -> None:
    battle, unit = play("Memorial Cross")

    assert unit.soldiers == 7
    assert battle.state.units[1].soldiers == 6


def test_victoria_cross__is_not_for_solo_players() -> None:
    _, unit = play("Victoria Cross")

    assert figures(unit) == (5, 0, 2, 0)
    assert not shipped().award["Victoria Cross"].solo


def test_stand_in_star__turns_a_die() -> None:
    _, unit = play("Stand-in Star", "b1", "tool")

    assert unit.dice[4].face == "tool"


def test_stand_in_ribbon__changes_a_colour() -> None:
    _, unit = play("Stand-in Ribbon", "r1", "blue")

    assert unit.dice[0].colour == "blue"


def test_stand_in_laurel__scores_a_battle_cry() -> None:
    _, unit = play("Stand-in Laurel", "move")

    assert unit.turn.battle_cry


def test_stand_in_eagle__scores_fresh_troops() -> None:
    _, unit = play("Stand-in Eagle")

    assert unit.soldiers == 7


def test_stand_in_oak_leaf__turns_all_skulls() -> None:
    _, unit = play("Stand-in Oak Leaf", "star")

    assert unit.dice[4].face == "star"


@pytest.mark.parametrize(
    ("dice", "ladder", "offered"), [("1S", False, False), ("Sk", False, True), ("1S", True, True)]
)
def test_stand_in_oak_leaf__is_kept_where_there_is_no_skull(dice: str, ladder: bool, offered: bool) -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, awards=["Stand-in Oak Leaf", "Stand-in Star"])
    show(unit, f"R To 1S W To 2S B Co {dice}")
    unit.extra = [Result(Face.SKULL, Colour.RED)] if ladder else []

    stage = begin(changes(battle, unit))

    assert ("award:Stand-in Oak Leaf" in stage.ids("tally.change")) is offered


def test_stand_in_palm__recruits_for_nothing() -> None:
    _, unit = play("Stand-in Palm", "Medic")

    assert unit.specialists == ["Medic"]


def test_stand_in_anchor__finds_for_nothing() -> None:
    _, unit = play("Stand-in Anchor", "Grenade")

    assert unit.items == ["Grenade"]


def test_stand_in_rose__lowers_the_def_by_five() -> None:
    battle, unit = play("Stand-in Rose")

    assert battle.defence(unit, "4", 0) == 1


def test_stand_in_crown__three_stars_and_three_courage() -> None:
    _, unit = play("Stand-in Crown")

    assert figures(unit) == (1, 3, 3, 0)


def test_stand_ins_say_so_wherever_they_are_seen() -> None:
    battle, unit = alone()
    unit.awards = ["Stand-in Star"]

    ask = begin(choose_award(battle, unit, "Which?", ("DDD-065",))).open
    assert isinstance(ask, Choose)
    assert all("stand-in" in option.detail for option in ask.options[:-1])
    draw = begin(draw_award(battle, unit, ("DDD-066",))).open
    assert isinstance(draw, Draw)
    assert all("stand-in" in option.detail for option in draw.options if option.copies)
    assert any("(stand-in)" in line for panel in board(battle).panels for line in panel.lines)


def test_an_award_whose_text_is_not_printed_says_what_is_played_in_its_place() -> None:
    battle, unit = alone()

    ask = begin(choose_award(battle, unit, "Which?", ("DDD-065",))).open
    assert isinstance(ask, Choose)
    told = {option.id: option.detail for option in ask.options}
    assert told["Legion of Merit"] == "Award: Take a Vehicle. (stand-in)"
    assert told["Memorial Cross"] == "Award: 6 Soldiers, and 2 for each other Unit. (stand-in)"
    assert shown(shipped(), "victoria cross")[1] == "  4 Soldiers and 2 Courage."


# --- entered at the table


def entered(*answers: object) -> tuple[Battle, Unit]:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1)
    act(draw_award(battle, unit, ("DDD-066",)), ["new"], *answers)
    return battle, unit


def test_an_unknown_award_is_described_once_and_takes_a_stand_ins_place() -> None:
    battle, unit = entered("gain", 3, 0, 1, 0)

    assert unit.awards == ["Own Award 1"]
    assert len(battle.state.award_deck) == 10
    act(changes(battle, show(unit, "R To 1S W To 2S B St Co")), "award:Own Award 1")
    assert figures(unit) == (4, 0, 1, 0)


def test_a_new_award_does_not_take_the_name_of_one_whose_owner_named_another_anew() -> None:
    battle, unit = alone()
    own = dict.fromkeys(["Long Service", "Own Award 2"], Award(source=Source.OWNER))
    battle.pack = msgspec.structs.replace(battle.pack, award=battle.pack.award | own)

    act(draw_award(battle, unit, ("DDD-066",)), ["new"], "turn_die")

    assert unit.awards == ["Own Award 3"]


def test_what_was_entered_is_handed_to_the_owners_pack() -> None:
    battle, _ = entered("score", "fresh_troops")

    award = {"effects": [{"do": "score", "rwb": "fresh_troops"}], "text": "Fresh Troops is scored"}
    assert learned(battle) == {"award": {"Own Award 1": award}}


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (["gain", 3, 0, 1, 0], "+3 Soldiers, +1 Courage"),
        (["gain", 1, 1, 0, 1], "+1 Soldier, +1 Star, +1 Item Point"),
        (["lower_def", 4], "DEF is 4 lower"),
        (["by_hand"], "something else"),
    ],
)
def test_what_was_entered_is_said_where_the_award_can_be_played(answers: list[object], words: str) -> None:
    battle, unit = entered(*answers)

    ask = begin(changes(battle, show(unit, "R To 1S W To 2S B St Co"))).open

    assert isinstance(ask, Choose)
    assert ask.options[1].detail == f"Award: {words} (owner), then out of the game"


def test_the_deck_has_twelve_cards_however_many_were_entered() -> None:
    stand_ins = list(shipped().award)

    def deck_with(entered: int) -> list[str]:
        own = {f"Own Award {n}": Award(source=Source.OWNER) for n in range(entered)}
        return deck(msgspec.structs.replace(shipped(), award=shipped().award | own))

    assert deck_with(0) == stand_ins
    assert deck_with(2) == [*stand_ins[:10], "Own Award 0", "Own Award 1"]
    assert [len(deck_with(n)) for n in (9, 12, 13)] == [12, 12, 13]


def test_nothing_was_entered_nothing_is_saved() -> None:
    assert learned(alone()[0]) == {}


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        (["lower_def", 4], "LowerDef"),
        (["turn_die"], "TurnDie"),
        (["recolour"], "Recolour"),
        (["turn_skulls"], "TurnSkulls"),
        (["recruit_free"], "RecruitFree"),
        (["find_free"], "FindFree"),
        (["vehicle"], "TakeVehicle"),
        (["by_hand"], "ByHand"),
    ],
)
def test_an_award_can_be_anything_in_the_vocabulary(answers: list[object], kind: str) -> None:
    battle, unit = entered(*answers)

    assert [type(effect).__name__ for effect in battle.award(unit.awards[0]).effects] == [kind]


def test_a_straight_can_take_a_card_that_the_box_has_never_seen() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1)

    act(upkeep(battle, show(unit, "R Sk St W 1S 2S B Co To")), "1", "new", "gain", 3, 0, 1, 0)

    assert (unit.awards, unit.awards_earned) == (["Own Award 1"], 1)
    assert unit.turn.award_drawn


def test_a_choice_of_award_draws_none_at_random_and_asks_for_no_new_card_where_all_are_known() -> None:
    battle, unit = alone()
    battle.state.learned = {"Own Award 1": Award(source=Source.OWNER)}

    assert "award.draw" not in act(choose_award(battle, unit, "Which?", ("DDD-065",)), "new", "vehicle").keys
    battle.state.award_deck = ["Own Award 1"]
    assert act(choose_award(battle, unit, "Which?", ("DDD-065",)), "Own Award 1").ids("award.choose") == [
        "Own Award 1"
    ]


def test_a_new_card_that_is_drawn_where_all_are_known_takes_the_place_of_one() -> None:
    battle, unit = alone()
    battle.state.learned = {"Own Award 1": Award(source=Source.OWNER)}
    battle.state.award_deck = ["Own Award 1"]

    act(draw_award(battle, unit, ("DDD-066",)), ["new"], "vehicle")

    assert (unit.awards, battle.state.award_deck) == (["Own Award 2"], [])


def test_an_award_beyond_the_vocabulary_is_carried_out_by_hand() -> None:
    battle, unit = entered("by_hand")

    stage = act(changes(battle, show(unit, "R To 1S W To 2S B St Co")), "award:Own Award 1")

    assert stage.keys == ["tally.change", "card.by_hand"]


@pytest.mark.rule("DDD-R26")
def test_bonuses_from_cards_count_for_veterans() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1, awards=["Stand-in Eagle"], specialists=["Veteran"])

    act(changes(battle, show(unit, "R To 1S W To 2S B St Co")), "award:Stand-in Eagle")
    assert unit.soldiers == 1 + 6 + 1
    act(upkeep(battle, unit))

    assert unit.turn.scored == [Rwb.FRESH_TROOPS]


@pytest.mark.rule("DDD-R26")
@pytest.mark.parametrize("moment", [Window.TALLY, Window.LOSSES])
def test_bonuses_from_cards_count_for_chaplains_and_at_a_rallying_point(moment: Window) -> None:
    battle, unit = alone("sword")
    battle.state.random_rolls["11"] = 6
    put(battle, unit, "11", soldiers=1, items=["Signalling Lamp"], specialists=["Chaplain"])

    act(use_item(battle, unit, "Signalling Lamp", moment))

    assert (unit.soldiers, unit.courage) == (1 + 6 + 1, 1)


@pytest.mark.rule("DDD-098")
def test_legion_of_merit_is_kept_where_no_vehicle_can_be() -> None:
    battle, unit = alone()
    put(battle, unit, "Bunker", soldiers=30, awards=["Legion of Merit"])

    assert act(changes(battle, show(unit, "R To 1S W To 2S B Sk Co"))).keys == []
    assert unit.awards == ["Legion of Merit"]


@pytest.mark.rule("DDD-173", "DDD-R85")
def test_what_an_award_does_for_the_others_is_an_awards_doing_too() -> None:
    battle, (one, two) = together("merville", "1", "1")
    battle.state.learned["Mine"] = Award(
        effects=(Gain(stars=1),), others=(LowerDef(by=2),), source=Source.OWNER
    )
    put(battle, one, "3", awards=["Mine"])
    put(battle, two, "11")
    before = battle.defence(two, "11", 0)

    act(play_award(battle, one, "Mine"))

    assert battle.defence(two, "11", 0) == before - 2


@pytest.mark.parametrize("effect", [FindFree(), TakeVehicle(), DrawAward()])
def test_an_award_that_brings_something_else_too_takes_no_card_where_there_is_none(effect: Effect) -> None:
    battle, unit = alone()
    battle.state.learned["Mine"] = Award(effects=(Gain(stars=1), effect), source=Source.OWNER)
    put(battle, unit, "1", soldiers=4, stars=0, awards=["Mine"], vehicle="Jeep")
    battle.state.pool_items, battle.state.award_deck = [], []

    stage = act(changes(battle, show(unit, "R To 1S W To 2S B Sk Co")), "award:Mine")

    assert (unit.stars, unit.items, unit.vehicle, unit.awards) == (1, [], "Jeep", [])
    assert stage.keys == ["tally.change"]


@pytest.mark.parametrize("effect", [TradeAnywhere(), CopyTally(), Silence(Reach.ADJACENT)])
def test_an_award_that_wants_another_unit_or_guns_asks_for_none_where_there_are_none(effect: Effect) -> None:
    battle, unit = alone()
    battle.state.learned["Mine"] = Award(effects=(Gain(stars=1), effect), source=Source.OWNER)
    put(battle, unit, "1", soldiers=4, stars=0, awards=["Mine"])
    stage = act(changes(battle, show(unit, "R To 1S W To 2S B Sk Co")), "award:Mine")
    assert unit.stars == 1
    assert stage.keys == ["tally.change"]


@pytest.mark.rule("DDD-178")
@pytest.mark.parametrize("players", [1, 2])
def test_an_award_whose_second_part_alone_brings_something_is_not_for_who_plays_alone(players: int) -> None:
    battle = beach(players=str(players))
    battle.state.learned["Mine"] = Award(effects=(FindFree(),), others=(Gain(stars=1),), source=Source.OWNER)
    battle.state.pool_items = []

    assert works(battle, battle.state.units[0], "Mine") is (players == 2)


def test_an_award_that_was_entered_before_is_told_from_others_by_what_it_does_where_one_is_drawn() -> None:
    battle, unit = alone()
    own = {
        f"Own Award {n}": Award(text=text, source=Source.OWNER)
        for n, text in enumerate(("+1 Star", "free Item"), 1)
    }
    battle.pack = msgspec.structs.replace(battle.pack, award=battle.pack.award | own)
    battle.state.award_deck = deck(battle.pack)

    draw = begin(draw_award(battle, unit, ("DDD-066",))).open

    assert isinstance(draw, Draw)
    told = {option.id: option.detail for option in draw.options}
    assert [told[name] for name in own] == ["Award: +1 Star (owner)", "Award: free Item (owner)"]


def test_an_award_without_words_is_told_by_where_it_comes_from() -> None:
    battle, _ = alone()
    battle.state.learned["Mine"] = Award(effects=(Gain(stars=1),), source=Source.OWNER)
    assert described(battle, "Mine") == "Award (owner)"
