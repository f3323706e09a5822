"""Moments in which two or three rules meet."""

from __future__ import annotations

import pytest

from companion.games.undaunted import bot, cards, combat, rounds
from companion.games.undaunted.actions import parse
from companion.games.undaunted.state import MineSide, RowCard
from companion.games.undaunted.table import Table
from tests.games.undaunted.field import (
    ARMOUR,
    LA_RAYE,
    NIGHT,
    bot_turn,
    do,
    ids,
    line,
    mine,
    put,
    resolve,
    row,
    row_cards,
    run,
    scouted,
    solo,
    staged,
    teach,
)

HIT, MISS = ["0", "1", "1"], ["1", "1", "1"]


@pytest.mark.rule("UND-R33")
def test_an_inspired_card_that_a_mine_costs_is_not_resolved_again_nor_goes_on() -> None:
    table = staged(NIGHT, side="lrdg")
    put(table, "lrdg", "sapper-a", "D1")
    rifleman = put(table, "it", "desert-rifleman-a", "D5")
    scouted(table, "it", "D6")
    mine(table, "D5", "D6")
    teach(table, solo("desert-rifleman", line("move 1", to=["objective"], then=2), line("attack")))
    ran = resolve(table, "desert-rifleman-a", HIT, sideways=True)
    assert [one.key for one in ran.asks] == ["undaunted.attack.roll", "undaunted.bot.card"]
    it = table.state.players["it"]
    assert (it.removed, it.discard) == ({"desert-rifleman-a": 1}, {})
    assert rifleman.tile == "D6"


@pytest.mark.rule("UND-R04", "UND-R20", "UND-236")
def test_a_unit_whose_only_card_lay_face_down_comes_back_with_it() -> None:
    table = staged()
    put(table, "us", "rifleman-a", "13B")
    put(table, "ge", "rifleman-a", "8A")
    scout = put(table, "ge", "scout-a", "3B")
    ge, box = table.state.players["ge"], bot.bot_of(table)
    row(table, "scout-a")[0].face_down = True
    box.bolster["a"].pop("scout-a")
    do(table, "us", "rifleman-a", "attack 1", "scout-a", ["0"])
    assert (scout.tile, box.row) == ("", [RowCard("scout-a", face_down=True)])
    teach(table, solo("scout", line("scout 1", to=["not scouted"], ties=["cover"])))
    ge.deck, table.state.turn = {"fog": 3}, ""
    bot_turn(table, ["fog", "fog", "fog"])
    assert scout.tile == "8A"


@pytest.mark.rule("UND-R33")
@pytest.mark.parametrize(
    ("further", "where"),
    [(1, "the bot's row (the next, not the one being resolved)"), (0, "the play area")],
)
def test_which_card_a_mine_costs_is_said_where_one_is_resolved_and_another_is_to_come(
    further: int, where: str
) -> None:
    table = staged(NIGHT, side="lrdg")
    put(table, "lrdg", "sapper-a", "D1")
    put(table, "it", "desert-rifleman-a", "D5")
    scouted(table, "it", "D6")
    mine(table, "D5", "D6")
    teach(table, solo("desert-rifleman", line("move 1", to=["objective"])))
    row(table, *["desert-rifleman-a"] * further)
    ran = resolve(table, "desert-rifleman-a", HIT)
    assert f"Italian Rifleman A card leaves the game, from {where}." in ran.texts()
    it = table.state.players["it"]
    assert (row_cards(table), it.removed) == ([], {"desert-rifleman-a": 1})
    assert it.discard.get("desert-rifleman-a", 0) == further


def after_bid(table: Table, difficulty: str) -> list[str]:
    table.state.initiative = "ge"
    table.state.players["us"].hand = ["leader-a"]
    run(rounds.determine_initiative(table), "leader-a", ["leader-a"])
    drawn = ["rifleman-a", "rifleman-b", "fog", "scout-a"]
    run(bot.lay_out(table, "ge"), drawn[: bot.DRAWS[difficulty]])
    return row_cards(table)


@pytest.mark.rule("UND-236", "UND-237", "UND-238", "UND-R03")
@pytest.mark.parametrize(("difficulty", "count"), [("easy", 4), ("normal", 5), ("hard", 6)])
def test_a_bid_that_a_tie_won_and_a_card_from_recon_make_the_row_together(
    difficulty: str, count: int
) -> None:
    table = staged(difficulty=difficulty)
    row(table, "fog")[0].face_down = True
    assert len(after_bid(table, difficulty)) == count
    assert bot.bot_of(table).won_bid


@pytest.mark.rule("UND-154", "UND-172")
def test_a_leader_does_not_inspire_the_card_that_a_marker_took() -> None:
    table = staged()
    put(table, "us", "rifleman-a", "17B")
    put(table, "ge", "rifleman-a", "3B", hits=1)
    table.state.players["ge"].deck = {"leader-a": 1, "rifleman-a": 1, "fog": 1}
    teach(table, solo("leader", line("inspire 1 matching", when=["row: matching"]), line("bolster own")))
    bot_turn(table, ["leader-a", "rifleman-a", "fog"], ["scout-a"])
    assert table.state.players["ge"].discard == {"rifleman-a": 1, "leader-a": 1, "fog": 1, "scout-a": 1}


@pytest.mark.rule("UND-024", "UND-154")
def test_a_marker_on_riflemen_costs_a_specialist_of_theirs() -> None:
    table = staged(ARMOUR, specialists="yes")
    put(table, "ge", "rifleman-a", "7B", hits=1)
    row(table, "submachine-gunner-b", "submachine-gunner-a", deal=False)
    bot.check_markers(table, "ge")
    assert row_cards(table) == ["submachine-gunner-b"]


@pytest.mark.rule("UND-161", "UND-227", "UND-270")
def test_command_may_bring_a_card_of_this_turn_again_but_never_the_one_that_commands() -> None:
    table = staged()
    put(table, "us", "rifleman-a", "17B")
    put(table, "ge", "rifleman-a", "5B")
    teach(table, solo("leader", line("command 1")))
    ge = table.state.players["ge"]
    ge.deck, ge.discard = {}, {"scout-a": 1}
    ran = resolve(table, "leader-a", ["scout-a"])
    assert ids(ran.asks[0]) == ["scout-a"]
    assert (row_cards(table), ge.discard) == (["scout-a"], {"leader-a": 1})


@pytest.mark.rule("UND-105", "UND-107", "UND-270")
def test_a_sergeant_who_was_bid_and_comes_up_again_in_the_round_goes_back() -> None:
    table = staged(ARMOUR, players="4")
    first, second = table.state.players["us1"], table.state.players["us2"]
    first.hand, table.state.players["ge1"].hand = ["sergeant"], ["fog"]
    run(rounds.determine_initiative(table), "sergeant", "fog")
    assert table.state.sides["us"].next_commander == "us2"
    second.deck = {}
    run(cards.draw(table, "us2", 1, second.hand.append), ["sergeant"])
    cards.end_of_turn(table, "us2")
    assert first.discard == {"sergeant": 1}
    assert (table.state.sides["us"].commander, table.state.sides["us"].next_commander) == ("us1", "us1")


@pytest.mark.rule("UND-057")
def test_a_teammate_in_a_vehicle_that_meets_a_mine_loses_a_card_of_the_teammates_hand() -> None:
    table = staged(NIGHT, players="4")
    put(table, "it", "medium-tank", "D5")
    put(table, "it", "crewman-a", "D5", vehicle="medium-tank", seat=0)
    put(table, "it", "desert-rifleman-a", "D5", vehicle="medium-tank", seat=1)
    scouted(table, "it", "D6")
    mine(table, "D5", "D6", MineSide.ARMOUR)
    table.state.players["it1"].hand = ["desert-rifleman-a"]
    do(table, "it2", "crewman-a", "drive 1", "D6", HIT, "desert-rifleman-a")
    assert table.state.players["it1"].hand == []


@pytest.mark.rule("UND-061", "UND-062", "UND-087")
@pytest.mark.parametrize("hand", ["box", "table"])
def test_of_two_mines_the_first_costs_the_card_that_was_just_played(hand: str) -> None:
    table = staged(NIGHT, side="it", hand=hand)
    scout = put(table, "it", "desert-scout-a", "D5")
    mine(table, "D5", "D6")
    mine(table, "D5", "D6")
    player = table.state.players["it"]
    player.play = ["desert-scout-a"]
    player.deck = {"desert-scout-a": 1}
    ran = do(table, "it", "desert-scout-a", "scout 2", "D6", HIT, HIT)
    assert "card leaves the game, from the play area" in ran.asks[-1].detail
    assert player.play == []
    assert "desert-scout-a" not in player.deck
    assert scout.tile == "D6"
    assert table.state.mines == []


@pytest.mark.rule("UND-087", "UND-285", "UND-310")
def test_a_mortar_that_enters_under_its_own_target_marker_loses_the_card_of_the_blast() -> None:
    table = staged(LA_RAYE, players="2")
    mortar = put(table, "us", "mortar", "")
    put(table, "us", "rifleman-a", "17B")
    table.state.sides["us"].target = "17B"
    table.state.players["us"].hand = ["mortar"]
    table.state.turn = "us"
    run(rounds.play(table, "us", "mortar"), "blast-1", "17B", ["1"], ["0"])
    assert mortar.tile == "17B"
    assert table.state.players["us"].play == []
    assert table.state.players["us"].removed == {"mortar": 1}


# What is set by hand while dice are asked for


@pytest.mark.parametrize(("elsewhere", "ends"), [("", ""), ("D12", "D12")])
def test_a_bots_unit_that_is_moved_by_hand_as_a_mine_is_rolled_for_does_not_go_on(
    elsewhere: str, ends: str
) -> None:
    table = staged(NIGHT, side="lrdg")
    put(table, "lrdg", "sapper-a", "D1")
    scout = put(table, "it", "desert-scout-a", "D6")
    for tile in ("D2", "D3", "D5"):
        mine(table, "D6", tile)
    teach(table, solo("desert-scout", line("scout 2", toward=["enemy"])))
    resolve(table, "desert-scout-a", ["0"], lambda: setattr(scout, "tile", elsewhere), MISS)
    assert scout.tile == ends


@pytest.mark.parametrize("players", ["1", "2"])
def test_who_is_taken_off_by_hand_as_a_mine_is_rolled_for_does_not_advance_with_the_others(
    players: str,
) -> None:
    table = staged(NIGHT, players=players, side="lrdg" if players == "1" else "auto")
    for unit in ("desert-rifleman-a", "desert-scout-a"):
        put(table, "it", unit, "D6")
    put(table, "it", "crewman-a", "D5")
    mine(table, "D6", "D5")
    scout = table.state.sides["it"].counters["desert-scout-a"]
    dice = (lambda: setattr(scout, "tile", ""), MISS)
    if players == "1":
        teach(table, solo("platoon-leader", line("advance", ties=["high population"])))
        ran = resolve(table, "platoon-leader-a", *dice)
    else:
        both = ["desert-rifleman-a", "desert-scout-a"]
        ran = do(table, "it", "platoon-leader-a", "advance", "D6>D5", both, *dice)
    assert ran.asked().count("attack.roll") == 2, "asked anew"
    assert scout.tile == ""


def test_a_hit_on_a_vehicle_that_was_emptied_by_hand_meanwhile_is_told() -> None:
    table = staged(NIGHT, side="it")
    car = put(table, "lrdg", "scout-car", "D6")
    driver = put(table, "lrdg", "crewman-a", "D6", vehicle="scout-car")
    attack = combat.Attack("it", parse("antitank 2"), "D5")
    run(combat.fire(table, attack, car), lambda: setattr(driver, "vehicle", ""), ["0", "1"])
    assert table.news == ["LRDG Scout Car: hit, but nobody sits in it any more."]


@pytest.mark.parametrize(("work", "mines"), [("remove", 0), ("personnel", 1)])
def test_mines_that_are_taken_away_by_hand_as_the_bot_rolls_which_is_next_end_its_work(
    work: str, mines: int
) -> None:
    table = staged(NIGHT, side="it")
    put(table, "lrdg", "sapper-a", "D6")
    side = table.state.sides["lrdg"]
    if work == "remove":
        for tile in ("D2", "D3", "D5"):
            mine(table, "D6", tile)
    side.mines = 3

    def by_hand() -> None:
        side.mines = 0
        table.state.mines = table.state.mines[:mines]

    teach(table, solo("sapper", line(f"mine 3 {work}")))
    resolve(table, "sapper-a", ["0"], by_hand, ["0"])
    assert (len(table.state.mines), side.mines) == (mines, 0)


def test_a_target_that_is_taken_off_by_hand_as_it_is_rolled_which_of_two_it_is_is_not_attacked() -> None:
    table = staged()
    put(table, "ge", "rifleman-a", "5B")
    first, _ = (put(table, "us", unit, "5B") for unit in ("rifleman-a", "rifleman-b"))
    teach(table, solo("rifleman", line("attack")))
    ran = resolve(table, "rifleman-a", lambda: setattr(first, "tile", ""), ["0"], ["1"])
    assert "Attack 1 on US Rifleman B" in ran.asks[-2].text


@pytest.mark.parametrize("answer", ["yes", "no"])
@pytest.mark.parametrize("where", ["discard", "bolster"])
def test_a_card_that_is_put_elsewhere_by_hand_as_the_bots_deck_is_searched_for_it_is_found_there(
    where: str, answer: str
) -> None:
    table = staged()
    scout = put(table, "ge", "scout-a", "3B")
    ge, box = table.state.players["ge"], bot.bot_of(table)
    ge.deck, ge.supply, table.state.turn = {"scout-a": 1, "fog": 2}, {}, "us"
    box.row.append(RowCard("", face_down=True))
    box.bolster = {"a": {}}
    pile = ge.discard if where == "discard" else box.bolster["a"]

    def by_hand() -> None:
        ge.deck = {"fog": 2}
        pile["scout-a"] = 1

    run(cards.casualty(table, scout), by_hand, answer)
    assert (ge.removed, pile, scout.tile) == ({"scout-a": 1}, {}, "3B")
