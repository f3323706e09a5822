"""The cautious policy: what it would do, and how often it wins."""

from __future__ import annotations

import contextlib

import pytest

from companion.engine.asks import Choose, Pick, Show
from companion.games.dday_dice import GAME
from companion.games.dday_dice.advice import advise, prices
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.changes import all_changes
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.dice import Face, results
from companion.games.dday_dice.final_tally import settle
from companion.games.dday_dice.guesses import best_keep, to_lock
from companion.games.dday_dice.moving import move_units
from companion.games.dday_dice.recruiting import recruit_and_find
from companion.games.dday_dice.rolling import roll_the_dice
from companion.games.dday_dice.route import is_barred
from companion.games.dday_dice.upkeep import reading, upkeep
from tests.games.dday_dice.beach import Stage, alone, begin, put, show, together, with_sector
from tests.longrun.random_games import play_checked, ready


def test_cautious_wins_far_more_than_three_in_ten_of_the_advanced_training() -> None:
    setup = ready(GAME, "tiger_advanced")
    won = sum(play_checked(GAME, setup, seed, "cautious")[0].result == "won" for seed in range(20))

    assert won >= 12


def test_random_wins_next_to_nothing_there() -> None:
    setup = ready(GAME, "tiger_advanced")

    assert sum(play_checked(GAME, setup, seed)[0].result == "won" for seed in range(20)) <= 2


def test_it_keeps_three_of_a_bonus_and_rolls_the_skull() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=4)
    show(unit, "R 2S Sk W 2S To B 2S Sk")

    kept = best_keep(unit.dice, (), 2, prices(battle, unit))

    assert {0, 2, 4} <= set(kept)
    assert not {1, 5} & set(kept)


def test_it_locks_what_it_keeps() -> None:
    battle, unit = alone()
    show(unit, "R 2S Sk W 2S To B 2S Sk")

    assert set(to_lock(unit.dice, 2, prices(battle, unit))) <= {0, 2, 4}


def test_courage_is_dear_when_the_unit_has_to_go_and_cannot_pay() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=20, courage=0, visited=["1", "2", "5", "4"])
    unit.stay = 2

    assert prices(battle, unit).of[Face.COURAGE] > 3


def answered(stage: Stage, battle: Battle) -> object:
    assert stage.open is not None
    return stage.open.accept(advise(battle, stage.open))


def test_it_stays_where_it_grows_and_moves_on_where_it_bleeds() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=9, courage=9)
    assert answered(begin(move_units(battle)), battle) == "stay"

    put(battle, unit, "9", soldiers=60, courage=9)
    assert answered(begin(move_units(battle)), battle) == "move:Bunker"


@pytest.mark.parametrize(
    ("dice", "penalty", "gone"),
    [
        ("R Sk 2S W 2S To B 2S Co", (), ["B Courage"]),
        ("R 2S 2S W 2S 2S B Sk St", (), ["B Star"]),
        ("R St 1S W Sk 2S B Sk Co", (), ["R Star", "B Courage"]),
        ("R 1S 1S W 1S 1S B Sk Sk", (), ["R 1 Sold", "R 1 Sold"]),
        ("R To 2S W St 2S B 2S Sk", (Face.TOOL,), ["W Star"]),
    ],
    ids=["a triple is kept", "one", "two", "alike", "a Sector takes a die out"],
)
def test_it_gives_up_the_least_valuable_dice_to_skulls(
    dice: str, penalty: tuple[Face, ...], gone: list[str]
) -> None:
    battle, unit = alone()
    with_sector(battle, "4", penalty=penalty)
    put(battle, unit, "4", soldiers=9, courage=9)
    show(unit, dice)
    stage = begin(upkeep(battle, unit))

    answer = answered(stage, battle)

    assert isinstance(stage.open, Choose | Pick)
    ids = [answer] if isinstance(stage.open, Choose) else answer
    labels = {option.id: option.label for option in stage.open.options}
    assert [labels[one] for one in ids] == gone


def test_it_gives_nothing_away_while_a_tally_can_be_changed() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "2", soldiers=99, items=["Grenade"])
    put(battle, two, "2", soldiers=1)
    stage = begin(all_changes(battle))

    assert isinstance(stage.open, Choose)
    assert "give" in [option.id for option in stage.open.options]
    assert answered(stage, battle) == "done"


def test_it_recruits_by_its_list_and_buys_for_the_bunker() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=9, stars=4, points=20)
    stage = begin(recruit_and_find(battle, unit))
    assert answered(stage, battle) == "recruit:Beachmaster"

    unit.stars = 0
    assert answered(begin(recruit_and_find(battle, unit)), battle) == "find:Flame-Thrower"


def test_before_a_barrier_without_another_way_it_buys_wirecutters_and_goes() -> None:
    """It sat there with hundreds of Soldiers for ever, where there is no time limit."""
    battle, unit = alone("red_cliff", "1")
    put(battle, unit, "16", soldiers=99, courage=9, points=60, visited=["15", "16"])
    battle.state.pool_items.append("Wirecutters")
    assert answered(begin(recruit_and_find(battle, unit)), battle) == "find:Wirecutters"

    unit.visited = ["16"]
    assert answered(begin(recruit_and_find(battle, unit)), battle) == "find:Flame-Thrower"

    unit.visited = ["15", "16"]
    put(battle, unit, "16", items=["Wirecutters"])
    assert answered(begin(recruit_and_find(battle, unit)), battle) == "find:Flame-Thrower"
    assert answered(begin(move_units(battle)), battle) == "use:Wirecutters"
    assert answered(begin(move_units(battle), "use:Wirecutters"), battle) == "move:Bunker"


def test_before_a_barrier_it_finds_wirecutters_that_were_used() -> None:
    """It took the Stars as often as not, never the card, and sat there for ever."""
    battle, unit = alone("red_cliff", "1")
    put(battle, unit, "16", soldiers=99, courage=9, points=60, visited=["15", "16"])
    battle.state.used_items.append("Wirecutters")
    battle.state.pool_items.remove("Wirecutters")
    show(unit, "R To 1S W To 1S B To 1S")

    assert prices(battle, unit).triple[Face.TOOL] > 10
    assert answered(begin(settle(results(unit.dice), reading(battle, unit))), battle) == "find"
    unit.turn.special_finds = 1
    assert answered(begin(recruit_and_find(battle, unit)), battle) == "again:Wirecutters"

    unit.visited = ["16"]
    assert prices(battle, unit).triple[Face.TOOL] < 10
    assert answered(begin(settle(results(unit.dice), reading(battle, unit))), battle) == "stars"
    assert answered(begin(recruit_and_find(battle, unit)), battle) == "find:Flame-Thrower"


@pytest.mark.parametrize(
    ("sector", "vehicle", "opens", "barred"),
    [
        ("8", "", "no", {"10"}),
        ("8", "Bulldozer", "no", set()),
        ("10", "Bulldozer", "no", {"13"}),
        ("10", "Bulldozer", "yes", set()),
        ("16", "Bulldozer", "no", {"Bunker"}),
    ],
)
def test_a_bulldozer_opens_the_barriers_over_which_it_can_go(
    sector: str, vehicle: str, opens: str, barred: set[str]
) -> None:
    battle, unit = alone("red_cliff", "1", bulldozer_opens=opens)
    put(battle, unit, sector, vehicle=vehicle)

    assert {way.to for way in battle.field.ways[sector] if is_barred(battle, unit, way)} == barred


@pytest.mark.parametrize(
    ("award", "answer", "then"),
    [
        ("Memorial Cross", "award:Memorial Cross", None),
        ("Stand-in Eagle", "award:Stand-in Eagle", None),
        ("Stand-in Palm", "award:Stand-in Palm", "Captain"),
        ("Stand-in Anchor", "award:Stand-in Anchor", "Flame-Thrower"),
        ("Legion of Merit", "award:Legion of Merit", None),
        ("Stand-in Star", "done", None),
        ("Stand-in Laurel", "done", None),
        ("Stand-in Rose", "done", None),
    ],
)
def test_an_award_is_played_that_brings_something_whatever_the_dice(
    award: str, answer: str, then: str | None
) -> None:
    battle, unit = alone("red_cliff", "1")
    put(battle, unit, "6", soldiers=20, courage=9, awards=[award])
    show(unit, "R 1S 1S W 1S To B 1S Co")

    assert answered(begin(all_changes(battle)), battle) == answer
    if then:
        assert answered(begin(all_changes(battle), answer), battle) == then


@pytest.mark.parametrize(("stay", "cried"), [(1, False), (3, False), (3, True)])
def test_a_battle_cry_by_a_card_is_kept_for_a_move_that_cannot_be_paid(stay: int, cried: bool) -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "6", soldiers=20, courage=0, visited=["1", "3", "5", "7", "6"], items=["Dexedrine"])
    unit.stay = stay
    unit.turn.battle_cry = cried
    show(unit, "R 1S 1S W 1S To B 1S Co")

    wanted = "use:Dexedrine" if stay == 3 and not cried else "done"
    assert answered(begin(all_changes(battle)), battle) == wanted


def test_a_leadership_by_a_card_completes_a_bonus() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "2", soldiers=20, items=["Command Jacket", "Medal Case"])
    show(unit, "R 2S 1S W 1S To B 2S Co")

    assert answered(begin(all_changes(battle)), battle) == "use:Command Jacket"
    assert answered(begin(all_changes(battle), "use:Command Jacket"), battle) == "soldier2"
    unit.items = ["Medal Case"]
    assert answered(begin(all_changes(battle)), battle) == "use:Medal Case"


def test_it_uses_what_saves_a_unit_in_danger() -> None:
    battle, unit = alone()
    put(battle, unit, "9", soldiers=11, items=["Bangalore Torpedo"])

    assert answered(begin(combat(battle)), battle) == "use:Bangalore Torpedo"


@pytest.mark.parametrize(
    ("item", "answer"),
    [
        ("Carrier Pigeon", "done"),
        ("Shoulder Patch", "done"),
        ("Command Jacket", "done"),
        ("Mortar", "done"),
        ("Grenade", "use:Grenade"),
        ("Bazooka", "use:Bazooka"),
        ("Signalling Lamp", "use:Signalling Lamp"),
        ("Walkie-Talkie", "use:Walkie-Talkie"),
    ],
)
def test_a_unit_in_danger_keeps_what_cannot_save_it(item: str, answer: str) -> None:
    battle, (one, two) = together("omaha")
    with_sector(battle, "5", guns=2)
    with_sector(battle, "7", guns=1)
    put(battle, one, "5", soldiers=8, items=[item])
    put(battle, two, "7", soldiers=40)

    stage = begin(combat(battle))
    ids = stage.ids("combat.before") if "combat.before" in stage.keys else stage.ids("combat.after")
    assert answered(stage, battle) == answer
    assert f"use:{item}" in ids


@pytest.mark.parametrize(("pips", "wanted"), [("2", "done"), ("3", "use:Flak Vest")])
def test_once_the_guns_have_fired_it_goes_by_what_they_hit(pips: str, wanted: str) -> None:
    battle, unit = alone()
    put(battle, unit, "9", soldiers=13, items=["Flak Vest"])

    assert answered(begin(combat(battle), "done", [pips]), battle) == wanted


@pytest.mark.parametrize(("soldiers", "wanted"), [(11, "use:Flak Vest"), (12, "done")])
def test_once_the_guns_have_fired_it_counts_whom_a_6_takes_besides(soldiers: int, wanted: str) -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "5", soldiers=soldiers, specialists=["Scout"], items=["Flak Vest"])

    assert answered(begin(combat(battle), "done", ["6"]), battle) == wanted


@pytest.mark.parametrize(
    ("soldiers", "purse", "left"),
    [
        (8, (2, 2), (2, 2, 2)),
        (3, (2, 2), (0, 1, 0)),
        (3, (2, 9), (0, 2, 6)),
        (1, (2, 2), (0, 2, 2)),
    ],
    ids=["enough Soldiers", "both dials", "Stars first", "in vain"],
)
def test_a_hero_pays_what_it_takes_for_somebody_to_be_left(
    soldiers: int, purse: tuple[int, int], left: tuple[int, int, int]
) -> None:
    battle, unit = alone("omaha")
    courage, stars = purse
    put(battle, unit, "4", soldiers=soldiers, courage=courage, stars=stars, specialists=["Hero"])
    script = combat(battle)
    question = next(script)
    with contextlib.suppress(StopIteration):
        while True:
            question = script.send(
                True if isinstance(question, Show) else question.accept(advise(battle, question))
            )

    assert (unit.soldiers, unit.courage, unit.stars) == left


def test_it_knows_which_unit_is_asked() -> None:
    battle, (one, two) = together()
    put(battle, one, "1", soldiers=4)
    show(two, "R 2S Sk W 2S To B 2S Sk")

    stage = begin(roll_the_dice(battle, two), ["soldier2", "skull", "soldier2", "tool", "soldier2", "skull"])

    assert isinstance(stage.open, Pick)
    assert set(answered(stage, battle)) <= {"r1", "w1", "b1"}


def test_who_has_moved_gives_no_war_correspondent_up_for_nothing() -> None:
    battle, (one, two) = together("juno")
    put(battle, one, "3", soldiers=9, courage=9, specialists=["War Correspondent"])
    put(battle, two, "6", soldiers=9)

    stage = begin(move_units(battle), "move:4")

    assert stage.open is not None
    assert advise(battle, stage.open) == "stay"


def test_a_unit_is_given_up_only_when_no_other_can_help_any_more() -> None:
    battle, (stuck, other) = together("omaha")
    put(battle, stuck, "2", soldiers=9, courage=0, visited=["1", "3", "4", "5", "2"])
    put(battle, other, "2", soldiers=9, courage=9)
    stuck.stay = 4

    assert answered(begin(move_units(battle)), battle) == "later"
    assert answered(begin(move_units(battle), "later", "stay"), battle) == "help"
    assert answered(begin(move_units(battle), "later", "stay", "help", "stay"), battle) == "lost"


def test_soldiers_fall_before_specialists() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=20, specialists=["Medic"])

    assert answered(begin(combat(battle)), battle) == "soldiers"


@pytest.mark.parametrize("scenario", ["pointe_du_hoc", "merville", "gold"])
def test_it_finds_its_way_over_climbs_battle_cries_and_two_bunkers(scenario: str) -> None:
    setup = ready(GAME, scenario)

    assert any(play_checked(GAME, setup, seed, "cautious")[0].result == "won" for seed in range(8))


def test_what_is_not_kept_is_rolled_again_and_nothing_that_is_locked() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=4)
    stage = begin(
        roll_the_dice(battle, unit),
        ["soldier2", "skull", "soldier2", "tool", "soldier2", "skull"],
        ["r1", "b2"],
    )

    assert set(answered(stage, battle)) == {"r2", "w2"}


@pytest.mark.parametrize(
    ("dice", "wanted"), [("R 2S Sk W 2S St B 2S Co", "r2"), ("R 2S 2S W 2S St B 2S 2S", "none")]
)
def test_a_corporal_rolls_a_die_again_only_where_it_pays(dice: str, wanted: str) -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "2", soldiers=9, courage=9, specialists=["Corporal"])
    show(unit, dice)
    unit.keeps_tally = True

    assert answered(begin(roll_the_dice(battle, unit)), battle) == wanted


@pytest.mark.parametrize(
    ("stay", "courage", "wanted"), [(1, 0, "soldiers"), (3, 0, "move"), (3, 3, "soldiers")]
)
def test_a_battle_cry_is_for_a_move_that_cannot_be_paid(stay: int, courage: int, wanted: str) -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "6", soldiers=20, courage=courage, visited=["1", "3", "5", "7", "6"])
    unit.stay = stay
    show(unit, "R Co 1S W Co 1S B Co 1S")

    stage = begin(settle(results(unit.dice), reading(battle, unit)))

    assert answered(stage, battle) == wanted
