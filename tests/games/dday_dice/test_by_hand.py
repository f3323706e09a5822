"""What is set by hand while a question stands: cards that it offers, dice and Sectors that it goes by."""

from __future__ import annotations

import pytest

from companion.engine.asks import RESTATED, AnyAsk, Choose, Draw, Pick, Roll, Script
from companion.engine.override import assign
from companion.games.dday_dice.awards import choose_award, draw_award
from companion.games.dday_dice.cards import Window, apply
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.dice import Colour, Face, full_set, throw
from companion.games.dday_dice.effects import FindFree, RecruitFree, TakeVehicle, TurnDie
from companion.games.dday_dice.ending import last_sector
from companion.games.dday_dice.moving import move_units
from companion.games.dday_dice.recruiting import recruit_and_find
from companion.games.dday_dice.rolling import roll_the_dice
from companion.games.dday_dice.state import Status, Turn
from companion.games.dday_dice.trading import give
from companion.games.dday_dice.upkeep import upkeep
from tests.games.dday_dice.beach import act, alone, put, show, together, ways, with_sector


class Offer:
    """A part of the game played up to a question that offers cards."""

    def __init__(self, script: Script[None], *answers: object) -> None:
        self.script = script
        self.ask: AnyAsk = next(script)
        for answer in answers:
            self.ask = script.send(self.ask.accept(answer))

    @property
    def ids(self) -> list[str]:
        assert isinstance(self.ask, Choose | Draw)
        return [option.id for option in self.ask.options]

    def after(self, cards: list[str], gone: str) -> list[str]:
        """What is offered once that card was taken away."""
        assert gone in self.ids
        cards.remove(gone)
        return self.again()

    def again(self) -> list[str]:
        """What is offered now that something was set by hand."""
        self.ask = self.script.send(RESTATED)
        return self.ids


def test_a_free_find_or_recruit_offers_the_cards_that_are_there_now() -> None:
    battle, unit = alone()
    state = battle.state

    find = Offer(apply(battle, unit, FindFree(), Window.TALLY))
    assert find.after(state.pool_items, "Bazooka") == state.pool_items

    recruit = Offer(apply(battle, unit, RecruitFree(), Window.TALLY))
    assert recruit.after(state.pool_specialists, "Captain") == [*unit.hand, *state.pool_specialists]

    vehicle = Offer(apply(battle, unit, TakeVehicle(), Window.TALLY))
    state.vehicles_gone += [name for name in battle.pack.vehicle if name != "Jeep"]
    assert vehicle.again() == ["Jeep"]


def test_an_award_is_one_of_those_that_are_there_now() -> None:
    battle, unit = alone()
    deck = battle.state.award_deck

    assert Offer(draw_award(battle, unit, ("DDD-066",))).after(deck, "Memorial Cross") == [*deck, "new"]
    assert Offer(choose_award(battle, unit, "Which?", ("DDD-065",))).after(deck, "Legion of Merit") == [
        *deck,
        "new",
    ]


def test_a_sacrifice_takes_who_is_there_now() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=20, courage=9, specialists=["Scout", "Medic", "Captain"])
    offer = Offer(move_units(battle), "move:7")

    assert offer.after(unit.specialists, "Scout") == ["Medic", "Captain"]


def test_a_decoy_stands_in_for_nobody_who_is_gone() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "7", soldiers=20, courage=9, specialists=["Medic", "Decoy"])
    offer = Offer(move_units(battle), "move:9")

    assert offer.after(unit.specialists, "Medic") == ["Decoy"]


def test_a_second_sacrifice_for_which_nobody_is_there_any_more_is_not_made() -> None:
    battle, unit = alone()
    with_sector(battle, "7", sacrifice=("any", "any"))
    put(battle, unit, "4", soldiers=20, courage=9, specialists=["Scout", "Medic", "Captain"])
    offer = Offer(move_units(battle), "move:7")

    unit.specialists.remove("Scout")
    assert offer.after(unit.specialists, "Medic") == ["Captain"]
    with pytest.raises(StopIteration):
        offer.script.send("Captain")
    assert unit.dead == ["Captain"]


def test_special_damage_takes_who_is_there_now() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "5", soldiers=30, specialists=["Scout", "Medic", "Hero"])
    offer = Offer(combat(battle), ["6"])

    assert offer.after(unit.specialists, "Scout") == ["Medic", "Hero"]


def test_a_gift_of_which_nothing_is_left_is_none() -> None:
    battle, (one, two, three) = together(players=3)
    for unit in (one, two, three):
        put(battle, unit, "4", soldiers=0, specialists=["Scout"])
    one.courage = 2
    offer = Offer(give(battle, one))
    assert offer.ids == ["B", "C"]

    one.courage = 0
    with pytest.raises(StopIteration):
        offer.script.send(offer.ask.accept("B"))


@pytest.mark.parametrize("items", [[], ["Flak Vest"]])
def test_a_unit_that_is_brought_back_into_play_before_the_guns_fire_has_its_turn(items: list[str]) -> None:
    battle, (one, two) = together("tiger_basic")
    put(battle, one, "5", status=Status.LOST, soldiers=0)
    put(battle, two, "5", soldiers=20, items=["Grenade"])
    offer = Offer(combat(battle))
    assert offer.ask.text.startswith("B: ")

    one.status, one.soldiers, one.items = Status.FIGHTING, 20, items
    offer.again()
    asked = offer.script.send(offer.ask.accept("done"))

    assert asked.text.startswith("A: " if items else "Sector 5: machine guns")


def test_at_the_mines_an_item_that_is_gone_does_not_help() -> None:
    battle, unit = alone()
    put(battle, unit, "7", soldiers=9, courage=9, items=["Mine Detector"])
    offer = Offer(move_units(battle), "move:9", ["4"])

    assert offer.after(unit.items, "Mine Detector") == ["done"]


@pytest.mark.rule("DDD-157")
def test_a_minesweeper_who_comes_while_the_mines_die_is_asked_for_prevents_the_loss() -> None:
    battle, unit = alone()
    put(battle, unit, "7", soldiers=9, courage=9)
    offer = Offer(move_units(battle), "move:9")
    assert isinstance(offer.ask, Roll)

    unit.specialists.append("Minesweeper")
    with pytest.raises(StopIteration):
        offer.script.send(offer.ask.accept(["4"]))

    assert (unit.sector, unit.soldiers) == ("9", 9)


def test_guns_that_are_silenced_while_their_dice_are_asked_for_harm_nobody() -> None:
    battle, unit = alone()
    put(battle, unit, "5", soldiers=30)
    offer = Offer(combat(battle))
    assert isinstance(offer.ask, Roll)

    battle.state.silent.append("5")
    told = offer.script.send(offer.ask.accept(["6"]))

    assert told.text == f"{battle.place('5').defence[0]} lost, {unit.soldiers} Soldiers left"


def test_in_a_sector_that_is_set_right_at_the_lock_no_die_is_locked() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=9)
    offer = Offer(roll_the_dice(battle, unit), ["skull", "star", "soldier1", "soldier2", "courage", "tool"])
    assert offer.ask.text.startswith("Lock 2: ")

    with_sector(battle, "2", no_lock=True)
    again = offer.script.send(RESTATED)
    assert again.text.startswith("Lock none: ")
    free = offer.script.send(again.accept([]))

    assert isinstance(free, Pick)
    assert len(free.options) == 6


def test_a_die_that_is_gone_is_thrown_in_vain() -> None:
    dice = full_set()
    script = throw(dice, range(1, 6), "dday_dice.roll.2", "Roll 2", rule=())
    next(script)
    del dice[4:]
    with pytest.raises(StopIteration):
        script.send(("tool", "tool", "star", "star", "star"))

    assert [die.face for die in dice[1:]] == [Face.TOOL, Face.TOOL, Face.STAR]


def test_dice_that_were_given_other_colours_by_hand_show_what_was_thrown_with_theirs() -> None:
    dice = full_set()
    dice[0].colour = Colour.WHITE
    script = throw(dice, range(6), "dday_dice.roll.1", "Roll 1", rule=())
    question = next(script)
    assert isinstance(question, Roll)
    assert [(one.colour, one.count) for one in question.dice] == [("red", 1), ("white", 3), ("blue", 2)]
    with pytest.raises(StopIteration):
        script.send(("skull", "star", "star", "star", "tool", "tool"))

    assert [die.face for die in dice if die.colour is Colour.RED] == [Face.SKULL]
    assert {die.face for die in dice if die.colour is Colour.WHITE} == {Face.STAR}


def test_binoculars_that_are_gone_turn_no_die() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=30, items=["Binoculars"])
    offer = Offer(combat(battle), ["3"])
    unit.items.clear()

    assert offer.again() == ["keep"]


def test_of_a_unit_that_is_taken_out_of_play_at_its_tally_a_die_can_be_turned() -> None:
    battle, unit = alone()
    unit.dice = full_set()
    unit.status = Status.SAFE

    assert Offer(apply(battle, unit, TurnDie(), Window.TALLY)).ids == [die.id for die in unit.dice]


@pytest.mark.parametrize("put_right", ["3", "7"])
def test_a_unit_put_elsewhere_as_a_random_sector_is_rolled_for_leaves_the_die_in_that_sector(
    put_right: str,
) -> None:
    battle, unit = alone("sword")
    put(battle, unit, "3", soldiers=20, courage=9)
    offer = Offer(move_units(battle), "move:6")
    unit.sector = put_right
    offer.ask = offer.script.send(RESTATED)

    assert offer.ask.text == "Sector 6: roll on its table"
    offer.script.send(("3",))
    assert battle.state.random_rolls == {"6": 3}


@pytest.mark.rule("DDD-117", "DDD-R90")
def test_a_sector_into_which_a_unit_was_put_by_hand_is_not_entered_again() -> None:
    battle, unit = alone()
    put(battle, unit, "7", soldiers=50, courage=9, specialists=["Minesweeper"])
    assign(battle.state, "units.0.sector", "10")
    assert last_sector(battle, unit) == 10
    act(move_units(battle), "move:9")

    assert unit.visited[-2:] == ["10", "9"]
    unit.turn = Turn()
    assert ways(battle, unit) == {"Bunker"}


@pytest.mark.rule("DDD-083")
@pytest.mark.parametrize("where", ["specialists", "dead"])
def test_who_was_put_into_the_unit_by_hand_is_not_recruited_once_more(where: str) -> None:
    battle, unit = alone()
    put(battle, unit, "2", stars=9)
    question = Offer(recruit_and_find(battle, unit))
    assert "recruit:Medic" in question.ids
    assign(battle.state, f"units.0.{where}", ["Medic"])

    assert "recruit:Medic" not in question.again()


@pytest.mark.parametrize(
    ("path", "items"),
    [("units.0.items", ["Flame-Thrower"]), ("units.1.items", []), ("used_items", [])],
    ids=["given", "given to another", "used up"],
)
def test_an_item_that_was_given_or_used_up_by_hand_is_not_found_in_its_sector_any_more(
    path: str, items: list[str]
) -> None:
    battle, (unit, other) = together("juno")
    put(battle, unit, "12", soldiers=60, courage=9)
    put(battle, other, "12", soldiers=9)
    assign(battle.state, path, ["Flame-Thrower"])

    with_sector(battle, "13", requires=(), sacrifice=())
    assert "move.found" not in act(move_units(battle), "move:13", "stay").keys
    assert unit.items == items
    assert battle.state.gifts_taken == ["13"]


def test_a_die_that_is_set_right_while_skulls_cancel_counts_at_once() -> None:
    battle, unit = alone()
    put(battle, unit, "6", soldiers=9)
    show(unit, "R Sk St W 1S 2S B Co Co")
    offer = Offer(upkeep(battle, unit))
    assert offer.ask.text == "Skulls cancel which die?"

    unit.dice[1].face = Face.SKULL
    offer.ask = offer.script.send(RESTATED)
    assert offer.ask.text == "Skulls cancel which 2 dice?"

    unit.dice[0].face = unit.dice[1].face = Face.STAR
    offer.ask = offer.script.send(RESTATED)
    assert offer.ask.text == "+3 Sold +2 St +2 Co"


def test_what_was_chosen_stands_where_something_else_is_set_while_a_tally_is_settled() -> None:
    battle, unit = alone()
    put(battle, unit, "6", soldiers=9)
    show(unit, "R Sk Co W 1S Co B Co Co")
    offer = Offer(upkeep(battle, unit), "2")
    assert offer.ask.text == "Battle Cry! Which?"

    unit.soldiers = 5
    assert offer.again() == ["soldiers", "move"]


def test_a_sector_set_right_as_the_dice_are_rolled_decides_whether_any_are_locked() -> None:
    battle, unit = alone()
    put(battle, unit, "6", soldiers=9)
    script = roll_the_dice(battle, unit)
    question = next(script)
    unit.sector = "7"
    assert script.send(RESTATED) == question

    assert script.send(("star",) * 6).key == "dday_dice.roll.again.2"


@pytest.mark.rule("DDD-228")
def test_a_sector_set_by_hand_under_the_opening_roll_changes_how_many_dice_are_rolled() -> None:
    battle, unit = alone()
    put(battle, unit, "5", soldiers=9)
    script = roll_the_dice(battle, unit)
    everything = next(script)
    unit.soldiers = 8
    assert script.send(RESTATED) == everything

    unit.sector = "8"
    assert script.send(RESTATED).key == "dday_dice.roll.five"
    five = script.send("white")
    assert isinstance(five, Roll)
    assert [(kind.colour, kind.count) for kind in five.dice] == [("red", 2), ("white", 1), ("blue", 2)]

    unit.sector = "5"
    assert script.send(RESTATED) == everything
