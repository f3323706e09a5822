"""Normandy's base rules: combat, casualties, hills, the end of the game."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from companion.games.undaunted import bot, cards, combat, rounds, sheet, victory
from companion.games.undaunted.acting import carry_out
from companion.games.undaunted.actions import parse
from companion.games.undaunted.combat import Defence
from companion.games.undaunted.display import board
from companion.games.undaunted.table import Ended, Table
from tests.games.undaunted.field import (
    ARMOUR,
    NIGHT,
    altered,
    can,
    controlled,
    do,
    fresh,
    ids,
    order,
    put,
    run,
    shipped,
    staged,
)


def two(scenario: str = "la-raye") -> Table:
    return staged(scenario, players="2")


def total(table: Table, unit: str, tile: str, start: str, action: str = "attack 1") -> Defence:
    target = put(table, "ge", unit, tile)
    found = combat.defence(table, target, parse(action), start)
    assert found is not None
    return found


def hilly() -> Table:
    """La Raye with hills 2A and 16A in the places of 2B and 16B."""
    table = two()
    tiles = table.pack.tile
    for name, hill in (("2B", "2A"), ("16B", "16A")):
        table.ground.tiles[name] = tiles[hill]
    return table


@pytest.mark.rule("UND-257", "UND-312", "UND-313")
@pytest.mark.parametrize(
    ("unit", "tile", "start", "sum_of_three"),
    [
        ("rifleman-a", "17B", "2B", (4, 3, 1)),
        ("scout-a", "6A", "17B", (5, 1, 3)),
        ("rifleman-a", "13B", "13B", (4, 1, 0)),
    ],
)
def test_total_defence_is_base_cover_and_range(
    unit: str, tile: str, start: str, sum_of_three: tuple[int, int, int]
) -> None:
    found = total(two(), unit, tile, start)
    assert (found.base, found.cover, found.distance) == sum_of_three
    assert found.total == sum(sum_of_three)
    assert str(found) == f"{found.base}+{found.cover}+{found.distance}={found.total}"


@pytest.mark.rule("UND-309")
def test_attack_and_suppress_reach_every_enemy_on_the_board() -> None:
    table = two()
    put(table, "us", "machine-gunner-a", "2B")
    for unit, tile in (("rifleman-a", "11B"), ("scout-a", "2B"), ("scout-b", "4B")):
        put(table, "ge", unit, tile)
    for action in ("attack 2", "suppress 4"):
        found = combat.targets(table, "us", parse(action), "2B")
        assert {one.unit for one, _ in found} == {"rifleman-a", "scout-a", "scout-b"}


@pytest.mark.rule("UND-310", "UND-311", "UND-314", "UND-R32")
def test_blast_attacks_everybody_on_foot_on_the_target_tile_without_range() -> None:
    table = two("stand-in-armour")
    put(table, "us", "mortar", "1B")
    for side, unit in (("us", "rifleman-a"), ("ge", "rifleman-a"), ("ge", "tank")):
        put(table, side, unit, "12B")
    assert not can(table, "us", "mortar", "blast 1")
    table.state.sides["ge"].target = "12B"
    assert not can(table, "us", "mortar", "blast 1")
    table.state.sides["us"].target = "12B"
    ran = do(table, "us", "mortar", "blast 1", "12B", ["1"], ["1"])
    assert ids(ran.asks[0]) == ["12B"]
    assert ran.asked() == ["blast.tile", "blast.roll", "blast.roll"]
    assert all("4 + cover 0 + range 0 = 4" in one.detail for one in ran.asks[1:])


@pytest.mark.rule("UND-315")
@pytest.mark.parametrize("action", ["attack 1", "attack 3", "suppress 4"])
def test_x_is_the_number_of_ten_sided_dice(action: str) -> None:
    table = two()
    target = put(table, "ge", "rifleman-a", "13B")
    told = parse(action)
    ran = run(combat.fire(table, combat.Attack("us", told, "2B"), target), ["1"] * told.x)
    (dice,) = ran.roll().dice
    assert (dice.die, dice.count, dice.faces) == ("d10", told.x, tuple("0123456789"))


@pytest.mark.parametrize(("action", "odds"), [("attack 1", "50%"), ("attack 3", "87.5%")])
def test_who_rolls_an_attack_is_told_what_hits_and_its_exact_chance(action: str, odds: str) -> None:
    table = two()
    target = put(table, "ge", "rifleman-a", "13B")
    told = parse(action)
    ran = run(combat.fire(table, combat.Attack("us", told, "2B"), target), ["1"] * told.x)
    assert ran.roll().text == f"{told} on German Rifleman A, 6+ or a 0 hits, {odds}"
    hard = combat.Attack("us", told, "2B")
    ran = run(combat.strike(table, hard, target, lambda: Defence(10), "Far off"), ["1"] * told.x)
    assert ran.roll().text.startswith("Far off, only a 0 hits, ")


@pytest.mark.rule("UND-316", "UND-317", "UND-318", "UND-323")
@pytest.mark.parametrize(
    ("needed", "faces", "hit"),
    [
        (8, "58", True),
        (8, "89", True),
        (8, "77", False),
        (12, "03", True),
        (12, "99", False),
        (10, "90", True),
    ],
)
def test_one_die_at_or_above_the_total_or_a_zero_hits_once(needed: int, faces: str, hit: bool) -> None:
    table = two()
    target = put(table, "ge", "rifleman-a", "13B")
    table.state.players["ge"].hand = ["rifleman-a", "rifleman-a"]
    table.state.turn = "us"
    attack = combat.Attack("us", parse("attack 2"), "2B")
    ran = run(combat.strike(table, attack, target, lambda: Defence(needed), "test"), list(faces))
    assert ran.end is hit
    assert len(table.state.players["ge"].hand) == 2 - hit


@pytest.mark.rule("UND-318")
@pytest.mark.parametrize("dice", [1, 2, 3, 4])
@pytest.mark.parametrize("needed", range(1, 16))
def test_the_exact_chance_is_that_of_all_rolls_counted(dice: int, needed: int) -> None:
    rolls = list(product("0123456789", repeat=dice))
    hits = sum(any(face == "0" or int(face) >= needed for face in roll) for roll in rolls)
    assert combat.chance(dice, needed) == Fraction(hits, len(rolls))
    if needed >= 10:
        assert combat.chance(1, needed) == Fraction(1, 10)


# Casualties


@pytest.mark.rule("UND-319", "UND-320", "UND-321", "UND-322")
def test_a_casualty_is_sought_in_hand_discard_deck_and_then_it_is_the_counter() -> None:
    table = two()
    counter = put(table, "ge", "rifleman-a", "13B")
    player = table.state.players["ge"]
    player.play, player.hand = ["rifleman-a"], ["rifleman-a"]
    player.discard, player.deck, player.supply = {"rifleman-a": 2}, {"rifleman-a": 1}, {"rifleman-a": 2}
    table.state.turn = "us"
    where = []
    for _ in range(5):
        table.news.clear()
        run(cards.casualty(table, counter))
        where.append(table.news[0])
    assert [text.split("from ")[-1] for text in where[:4]] == [
        "the hand.",
        "the discard pile.",
        "the discard pile.",
        "the deck (shuffle it).",
    ]
    assert "take the counter off" in where[4]
    assert counter.tile == ""
    assert player.supply == {"rifleman-a": 2}
    assert player.play == ["rifleman-a"]


@pytest.mark.rule("UND-320")
def test_who_keeps_the_hand_at_the_table_is_told_to_shuffle_a_deck_that_was_searched_too() -> None:
    table = staged(players="2", hand="table")
    run(cards.casualty(table, put(table, "ge", "rifleman-a", "13B")))
    where = "the hand, else the discard pile, else the deck (shuffle it)"
    assert table.news == [f"German Rifleman A card leaves the game, from {where}."]


@pytest.mark.rule("UND-325")
def test_suppress_turns_the_counter_and_costs_nothing() -> None:
    table = two()
    counter = put(table, "ge", "rifleman-a", "13B")
    player = table.state.players["ge"]
    player.hand = ["rifleman-a"]
    run(combat.fire(table, combat.Attack("us", parse("suppress 1"), "2B"), counter), ["0"])
    assert counter.suppressed
    assert table.news == ["German Rifleman A is suppressed: turn it over."]
    assert player.hand == ["rifleman-a"]
    assert combat.targets(table, "us", parse("suppress 1"), "2B") == []


@pytest.mark.rule("UND-082", "UND-327")
def test_a_hill_gives_three_and_one_against_hills_and_blast() -> None:
    table = hilly()
    assert str(total(table, "rifleman-a", "2B", "16B")) == "4+1+1=6"
    assert str(total(table, "rifleman-a", "2B", "13B")) == "4+3+1=8"
    assert str(total(table, "rifleman-a", "2B", "13B", "blast 1")) == "4+1+0=5"
    assert str(total(table, "rifleman-a", "2B", "16B", "bomb 1")) == "4+3+0=7"
    assert str(total(table, "rifleman-a", "17B", "2B")) == "4+3+1=8"
    assert str(total(table, "rifleman-a", "17B", "2B", "blast 1")) == "4+3+0=7"


# The end


def standing() -> Table:
    table = fresh(players="2").table
    table.state.sides["ge"].markers.clear()
    return table


@pytest.mark.parametrize(
    ("players", "winner", "result"), [("1", "us", "won"), ("1", "ge", "lost"), ("2", "us", "ended")]
)
def test_the_player_of_a_solo_game_has_won_or_lost_and_two_players_have_an_end(
    players: str, winner: str, result: str
) -> None:
    table = fresh(players=players).table
    table.state.sides["ge"].markers.clear()
    controlled(table, winner, "6A", "13B", "2B")
    outcome = victory.verdict(table)
    assert outcome is not None
    assert outcome.result == result


def test_the_score_names_the_player_before_the_bot() -> None:
    table = fresh(side="ge").table
    controlled(table, "us", "6A", "13B", "2B")
    outcome = victory.verdict(table)
    assert outcome is not None
    assert list(outcome.score) == ["German", "US", "rounds"]


@pytest.mark.rule("UND-328", "UND-329")
def test_the_game_ends_at_once_with_enough_points() -> None:
    table = standing()
    controlled(table, "us", "6A", "13B")
    assert victory.verdict(table) is None
    controlled(table, "us", "2B")
    with pytest.raises(Ended, match="5 of 5"):
        victory.check(table)


def test_the_sheet_of_a_scenario_with_a_radio_says_what_it_adds() -> None:
    notes = shipped().scenario["critical-intelligence"].notes
    table = altered("la-raye", {"radio": "12B", "raises_radio": "us", "notes": notes}).table
    told = [one for one in sheet.lines(table) if "adio" in one]
    assert told == [
        "Radio marker on 12B.",
        "US Control of the radio tile, once the US controls it, adds 1 to its points.",
    ]


@pytest.mark.rule("UND-329")
def test_what_the_radio_adds_counts_on_any_tile() -> None:
    table = altered("la-raye", {"radio": "12B", "raises_radio": "us"}, players="2").table
    put(table, "us", "rifleman-a", "12B")
    assert "12B" not in table.objectives()
    for _ in range(6):
        assert victory.verdict(table) is None
        do(table, "us", "rifleman-a", "control")
    assert (table.value("12B"), table.points("us")) == (5, 5)
    assert table.news[-1] == "The radio tile 12B is now worth 5."
    outcome = victory.verdict(table)
    assert outcome is not None
    assert outcome.reason == "US: 5 of 5 objective points"


def pinned(table: Table, side: str) -> None:
    for counter in table.state.sides[side].counters.values():
        if counter.unit.startswith("rifleman"):
            counter.tile = ""


@pytest.mark.rule("UND-330")
def test_a_side_without_riflemen_on_the_board_is_pinned() -> None:
    table = standing()
    assert not victory.is_pinned(table, "us")
    pinned(table, "us")
    assert victory.is_pinned(table, "us")
    assert victory.verdict(table) is None
    table.scenario = _aims(table, pins=("ge",))
    outcome = victory.verdict(table)
    assert outcome is not None
    assert outcome.reason == "US side is pinned"


def _aims(table: Table, **fields: object) -> object:
    import msgspec

    return msgspec.structs.replace(table.scenario, **fields)


@pytest.mark.rule("UND-331", "UND-356")
@pytest.mark.parametrize(
    ("controls", "marker", "winner"),
    [
        ("us", "ge", "US side is ahead"),
        ("", "ge", "German side has the initiative"),
        ("", "us", "US side has the initiative"),
    ],
)
def test_both_pinned_is_decided_by_points_then_by_the_marker(controls: str, marker: str, winner: str) -> None:
    table = standing()
    pinned(table, "us")
    pinned(table, "ge")
    table.state.initiative = marker
    if controls:
        controlled(table, controls, "2B")
    outcome = victory.verdict(table)
    assert outcome is not None
    assert outcome.reason == f"both sides pinned; {winner}"


@pytest.mark.rule("UND-328", "UND-330", "UND-331", "UND-333")
@pytest.mark.parametrize("helpless", [False, True])
def test_who_has_to_pin_wins_even_while_pinned_too(helpless: bool) -> None:
    table = standing()
    table.scenario = _aims(table, points={"us": 5}, pins=("ge",))
    controlled(table, "us", "2B")
    pinned(table, "ge")
    assert victory.verdict(table) is None
    without_riflemen(table, "us") if helpless else pinned(table, "us")
    outcome = victory.verdict(table)
    assert outcome is not None
    assert outcome.reason == "US side is pinned"


@pytest.mark.rule("UND-331")
def test_if_both_had_to_pin_and_are_pinned_at_once_neither_has_won_by_it() -> None:
    table = standing()
    table.scenario = _aims(table, points={}, pins=("us", "ge"))
    table.state.initiative = "us"
    controlled(table, "ge", "2B")
    pinned(table, "ge")
    pinned(table, "us")
    outcome = victory.verdict(table)
    assert outcome is not None
    assert outcome.reason == "both sides pinned; German side is ahead"


def without_riflemen(table: Table, side: str) -> None:
    player = table.state.players[side]
    for pile in (player.deck, player.supply):
        for card in [one for one in pile if one.startswith("rifleman")]:
            cards.add(player.removed, card, pile.pop(card))


@pytest.mark.rule("UND-332", "UND-333", "UND-334")
def test_a_side_that_cannot_reach_its_points_counts_as_pinned() -> None:
    table = standing()
    without_riflemen(table, "us")
    assert victory.is_pinned(table, "us")
    assert victory.verdict(table) is None
    assert board(table).panels[0].lines[0] == "US: 0 of 5 points, out of reach: counts as pinned, initiative"
    controlled(table, "ge", "2B")
    outcome = victory.verdict(table)
    assert outcome is not None
    assert "can't reach" in outcome.reason
    table.state.sides["ge"].markers.clear()
    table.scenario = _aims(table, points={"us": 5}, pins=("ge",))
    outcome = victory.verdict(table)
    assert outcome is not None
    assert outcome.reason == "US side is pinned"


@pytest.mark.rule("UND-332")
@pytest.mark.parametrize(("goal", "out"), [(10, False), (11, True)])
def test_all_points_on_the_board_are_within_reach_and_more_are_not(goal: int, out: bool) -> None:
    table = standing()
    table.scenario = _aims(table, points={"us": goal, "ge": 5})
    assert victory.out_of_reach(table, "us") is out


@pytest.mark.rule("UND-332")
def test_points_that_the_radio_may_still_add_are_within_reach() -> None:
    """As in Critical Intelligence: what the tile is worth has no limit."""
    table = altered(
        "la-raye", {"objectives": {"5B": 3}, "radio": "12B", "raises_radio": "us"}, players="2"
    ).table
    assert not victory.out_of_reach(table, "us")
    assert not victory.out_of_reach(table, "ge")
    assert victory.verdict(table) is None
    without_riflemen(table, "us")
    assert victory.out_of_reach(table, "us")
    assert victory.out_of_reach(table, "ge")


@pytest.mark.rule("UND-332", "UND-299")
@pytest.mark.parametrize(
    ("deck", "supply", "out"),
    [
        ({"leader-b": 2}, {"rifleman-a": 5}, True),
        ({"leader-b": 2}, {"rifleman-b": 1}, False),
        ({"sergeant": 1, "scout-b": 1}, {"rifleman-a": 1}, False),
        ({"scout-a": 3}, {"rifleman-a": 1}, True),
        ({"rifleman-a": 1}, {}, True),
        ({"rifleman-a": 1, "scout-a": 1}, {}, False),
    ],
)
def test_what_is_in_the_supply_counts_only_if_a_bolster_can_take_it(
    deck: dict[str, int], supply: dict[str, int], out: bool
) -> None:
    table = standing()
    table.state.players["us"].deck, table.state.players["us"].supply = deck, supply
    assert victory.out_of_reach(table, "us") is out


@pytest.mark.rule("UND-332", "UND-225")
@pytest.mark.parametrize(
    ("deck", "bolster", "out"),
    [
        ({"leader-a": 2}, {"rifleman-a": 1}, False),
        ({"leader-a": 2}, {"scout-a": 1}, True),
        ({"scout-a": 3}, {"rifleman-a": 1}, True),
        ({"scout-a": 3, "rifleman-a": 1}, {}, False),
    ],
)
def test_what_is_in_a_bolster_deck_counts_only_if_the_bot_can_bolster(
    deck: dict[str, int], bolster: dict[str, int], out: bool
) -> None:
    table = staged()
    table.state.players["ge"].deck = deck
    bot.bot_of(table).bolster = {"a": bolster}
    assert victory.out_of_reach(table, "ge") is out


@pytest.mark.rule("UND-332", "UND-109", "UND-105")
@pytest.mark.parametrize(("card", "out"), [("leader-b", True), ("sergeant", False)])
def test_a_teammates_supply_is_reached_only_by_a_card_that_passes_there(card: str, out: bool) -> None:
    table = staged("stand-in-armour", players="4")
    first, second = table.state.players["us1"], table.state.players["us2"]
    first.deck, first.supply = {card: 1, "scout-a": 2}, {}
    second.deck, second.supply = {"scout-b": 2}, {"rifleman-b": 3}
    assert victory.out_of_reach(table, "us") is out


@pytest.mark.rule("UND-332", "UND-109", "UND-105")
@pytest.mark.parametrize(("card", "out"), [("leader-a", True), ("guide", False)])
def test_a_sergeant_in_supply_comes_to_the_teammate_by_a_bolster_that_reaches_him(
    card: str, out: bool
) -> None:
    table = staged("stand-in-armour", players="4")
    first, second = table.state.players["us1"], table.state.players["us2"]
    first.deck, first.supply = {card: 1, "scout-a": 2}, {"sergeant": 1}
    second.deck, second.supply = {"scout-b": 2}, {"rifleman-b": 3}
    assert victory.out_of_reach(table, "us") is out


@pytest.mark.rule("UND-332")
@pytest.mark.parametrize(("more", "out"), [({}, True), ({"fog": 1}, False)])
def test_a_commanders_only_card_which_is_bid_each_round_controls_nothing(
    more: dict[str, int], out: bool
) -> None:
    table = staged("stand-in-armour", players="4")
    first, second = table.state.players["us1"], table.state.players["us2"]
    first.deck, second.deck = {"rifleman-a": 1} | more, {"scout-b": 3}
    assert victory.out_of_reach(table, "us") is out


@pytest.mark.rule("UND-105")
@pytest.mark.parametrize(("mates", "over"), [({"fog": 1}, False), ({}, True)])
def test_a_team_whose_last_card_is_bid_and_passes_with_command_plays_it_if_the_teammate_has_another_to_bid(
    mates: dict[str, int], over: bool
) -> None:
    table = staged("stand-in-night", players="4")
    table.state.players["lrdg1"].deck = {"lieutenant": 1}
    table.state.players["lrdg2"].deck = mates
    assert (victory.verdict(table) is not None) is over


@pytest.mark.rule("UND-334")
def test_if_the_other_side_is_pinned_first_the_rule_for_both_decides() -> None:
    table = standing()
    without_riflemen(table, "us")
    pinned(table, "ge")
    outcome = victory.verdict(table)
    assert outcome is not None
    assert outcome.reason.startswith("both sides pinned")


@pytest.mark.rule("UND-334")
def test_a_side_without_cards_that_counts_as_pinned_loses_only_once_the_other_is_ahead() -> None:
    table = standing()
    table.state.players["us"].deck = {"fog": 3}
    controlled(table, "us", "13B", "6A")
    assert victory.verdict(table) is None
    controlled(table, "ge", "5B", "7A", "2B")
    table.scenario = _aims(table, points={"us": 5, "ge": 6})
    outcome = victory.verdict(table)
    assert outcome is not None
    assert outcome.reason == "US side can't reach its goal and is behind"
    table.state.sides["ge"].markers.clear()
    table.state.players["ge"].deck = {"fog": 3}
    outcome = victory.verdict(table)
    assert outcome is not None
    assert outcome.reason == "both sides pinned; US side is ahead"


@pytest.mark.parametrize(
    ("deck", "over"),
    [({"fog": 3}, True), ({"scout-a": 1}, True), ({"scout-a": 1, "fog": 1}, False), ({"leader-a": 2}, False)],
)
def test_a_side_that_can_play_no_card_any_more_has_lost(deck: dict[str, int], over: bool) -> None:
    """A house rule, here with a side that has to pin: without it such a game could go on for ever."""
    table = standing()
    table.scenario = _aims(table, points={"ge": 5})
    table.state.players["us"].deck = deck
    controlled(table, "us", "6A", "13B", "16B")
    assert table.points("us") > table.points("ge")
    outcome = victory.verdict(table)
    assert (outcome is not None) is over
    assert outcome is None or outcome.reason == "US side has no card left to play"


@pytest.mark.parametrize(("deck", "over"), [({"fog": 3}, True), ({"scout-a": 1}, False)])
def test_a_bot_that_has_nothing_but_fog_of_war_left_has_lost_too(deck: dict[str, int], over: bool) -> None:
    table = fresh().table
    table.scenario = _aims(table, points={"us": 5})
    table.state.players["ge"].deck = deck
    for pile in bot.bot_of(table).bolster.values():
        pile.clear()
    assert (victory.verdict(table) is not None) is over


def test_the_last_card_can_still_be_played_while_it_is_in_hand() -> None:
    """It is bid from the next round on only; here it brings others back before that."""
    table = standing()
    table.scenario = _aims(table, points={"ge": 5})
    player = table.state.players["us"]
    player.deck, player.discard, player.hand = {}, {}, ["sergeant"]
    assert victory.verdict(table) is None
    player.hand = ["fog"]
    assert victory.verdict(table) is not None


@pytest.mark.parametrize(
    ("turn", "initiative", "over"), [("ge", "ge", False), ("us", "us", False), ("ge", "us", True)]
)
def test_the_last_card_may_be_in_a_hand_at_the_table_until_its_turn_is_over(
    turn: str, initiative: str, over: bool
) -> None:
    table = fresh(hand="table").table
    table.state.players["us"].deck = {"rifleman-a": 1}
    table.state.turn, table.state.initiative = turn, initiative
    assert (victory.verdict(table) is not None) is over


def test_a_last_card_that_is_bid_each_round_ends_a_game_whose_other_hand_is_kept_at_the_table() -> None:
    """The other side acts first each time, so that the card might be in the hand still at its checks."""
    table = fresh(players="2", hand="table").table
    table.scenario = _aims(table, points={"ge": 5})
    table.state.players["us"].deck = {"rifleman-a": 1}
    with pytest.raises(Ended, match="US side has no card left to play"):
        run(rounds.play_round(table), "rifleman-a", "leader-a", "scout-a", "hunker", "end", "end")
    assert table.state.initiative == "ge"


def test_where_nobody_can_play_any_more_the_one_ahead_has_won() -> None:
    table = fresh(NIGHT, players="2").table
    for player in table.state.players.values():
        player.deck, player.supply = {"fog": 2}, {}
    table.state.initiative = "it"
    outcome = victory.verdict(table)
    assert outcome is not None
    assert outcome.reason == "LRDG side has no card left to play"


@pytest.mark.parametrize("action", ["suppress 4", "attack 4"])
def test_a_unit_taken_off_by_hand_as_it_is_rolled_for_is_not_marked_where_it_is_not(action: str) -> None:
    table = staged(ARMOUR)
    table.state.initiative = table.state.turn = "us"
    put(table, "us", "rifleman-a", "1B")
    target = put(table, "ge", "rifleman-b", "5B")
    attack = carry_out(table, order(table, "us", "rifleman-a", action))
    assert next(attack).key.endswith(".at")
    attack.send("rifleman-b")
    target.tile = ""
    with pytest.raises(StopIteration):
        attack.send(["9"])
    assert (target.suppressed, target.hits) == (False, 0)
    assert "marker on" not in " ".join(table.news)
    assert "turn it over" not in " ".join(table.news)


def test_whom_a_player_may_attack_is_asked_with_the_easiest_first() -> None:
    table = staged(ARMOUR)
    put(table, "us", "rifleman-a", "1B")
    for unit, tile in (("rifleman-b", "15B"), ("scout-a", "1B"), ("scout-b", "15B")):
        put(table, "ge", unit, tile)
    ran = do(table, "us", "rifleman-a", "suppress 2", "scout-a", ["1", "1"])
    assert ids(ran.asks[0]) == ["scout-a", "rifleman-b", "scout-b"]
