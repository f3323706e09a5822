"""Enemy Unknown: the bot's turn, its row, its keywords, difficulty."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.asks import RESTATED, AnyAsk, Draw
from companion.games.undaunted import GAME, bot, cards, combat, invariants, rounds
from companion.games.undaunted.actions import parse
from companion.games.undaunted.pack import Line
from companion.games.undaunted.play import Undaunted
from companion.games.undaunted.solo import Decision
from companion.games.undaunted.state import Marker, RowCard
from companion.games.undaunted.table import Ended, Table
from tests.games import driver
from tests.games.driver import Driver
from tests.games.undaunted.field import (
    ARMOUR,
    NIGHT,
    bot_turn,
    controlled,
    decide,
    fresh,
    line,
    options,
    put,
    resolve,
    row,
    row_cards,
    run,
    scouted,
    shuffle_in,
    solo,
    staged,
    teach,
)


def lay_out(table: Table, *drawn: str) -> list[str]:
    """The row after the bot drew these."""
    deck = table.state.players["ge"].deck
    for card in drawn:
        deck[card] = deck.get(card, 0) + 1
    run(bot.lay_out(table, "ge"), list(drawn))
    return row_cards(table)


def idle(table: Table) -> Table:
    """A bot whose soldiers only ever bolster, so that cards can be followed alone."""
    for unit in ("rifleman", "scout", "leader", "sergeant"):
        teach(table, solo(unit, line("bolster a")))
    return table


@pytest.mark.rule("UND-149", "UND-150", "UND-151")
def test_three_cards_are_laid_out_by_initiative_in_draw_order_among_equals() -> None:
    table = fresh().table
    assert lay_out(table, "rifleman-b", "scout-a", "rifleman-a") == ["scout-a", "rifleman-b", "rifleman-a"]


@pytest.mark.rule("UND-151")
def test_who_draws_several_cards_for_the_bot_is_told_that_their_order_counts() -> None:
    play = fresh()
    told = "Name them as they come: of equal initiative the first lies left."
    game = Driver(play)
    game.until("undaunted.draw.us")
    assert told not in game.ask.detail
    game.answer(["rifleman-a", "fog", "fog", "scout-a"])
    game.answer("fog")
    assert told not in game.ask.detail, "one card for its bid"
    game.answer(["scout-a"])
    game.until("undaunted.draw.ge")

    assert game.ask.detail == told


@pytest.mark.rule("UND-152", "UND-R18")
def test_a_winning_bid_lies_in_the_row_as_the_first_draw() -> None:
    table = fresh().table
    row(table, "leader-a")
    assert lay_out(table, "rifleman-a", "fog", "sergeant") == ["sergeant", "leader-a", "rifleman-a", "fog"]
    table = fresh().table
    row(table, "leader-a")
    assert lay_out(table, "leader-b", "fog", "fog")[:2] == ["leader-a", "leader-b"]


def checked(cards_in_row: list[str], hits: dict[str, int], *, won: bool = False) -> Table:
    """The bot's turn up to its first resolved card."""
    table = idle(fresh().table)
    bot.bot_of(table).won_bid = won
    for unit, count in hits.items():
        table.state.sides["ge"].counters[unit].hits = count
    row(table, *cards_in_row)
    bot.check_markers(table, "ge")
    return table


@pytest.mark.rule("UND-153", "UND-154", "UND-155", "UND-156", "UND-R10")
@pytest.mark.parametrize(
    ("before", "hits", "after"),
    [
        (["rifleman-a", "rifleman-a"], 1, ["rifleman-a"]),
        (["rifleman-a", "rifleman-a"], 2, []),
        (["rifleman-b", "scout-a"], 1, ["rifleman-b", "scout-a"]),
        (["rifleman-a"], 3, []),
        (["rifleman-a", "submachine-gunner-a"], 1, ["submachine-gunner-a"]),
    ],
)
def test_each_marker_costs_at_most_one_matching_card(before: list[str], hits: int, after: list[str]) -> None:
    table = checked(before, {"rifleman-a": hits})
    assert row_cards(table) == after
    assert table.state.sides["ge"].counters["rifleman-a"].hits == 0
    gone = len(before) - len(after)
    assert table.state.players["ge"].discard.get("rifleman-a", 0) == gone


@pytest.mark.rule("UND-R10")
@pytest.mark.parametrize(
    ("hits", "told"),
    [
        (1, "1 control marker off Rifleman A: discard Rifleman A (leftmost)."),
        (2, "2 control markers off Rifleman A: discard Rifleman A (leftmost), Rifleman A."),
    ],
)
def test_of_copies_in_the_row_it_is_said_that_a_marker_costs_the_leftmost(hits: int, told: str) -> None:
    table = checked(["rifleman-a", "rifleman-b", "rifleman-a"], {"rifleman-a": hits})
    assert row_cards(table) == ["rifleman-b", "rifleman-a"][: 3 - hits]
    assert table.news == [told]


@pytest.mark.rule("UND-153", "UND-157")
@pytest.mark.parametrize("won", [False, True])
def test_markers_are_checked_after_the_row_is_laid_out_unless_the_bid_was_won(won: bool) -> None:
    table = idle(fresh().table)
    bot.bot_of(table).won_bid = won
    table.state.sides["ge"].counters["rifleman-a"].hits = 1
    ge = table.state.players["ge"]
    ge.deck = {"rifleman-a": 1, "scout-b": 1, "fog": 1}
    answers = [["rifleman-a", "scout-b", "fog"], ["rifleman-a"]] + ([["rifleman-a"]] if won else [])
    ran = bot_turn(table, *answers)
    told = [one.text for one in ran.asks if one.key == "undaunted.bot.card"]
    assert any(text.startswith("Rifleman A") for text in told) is won
    assert table.state.sides["ge"].counters["rifleman-a"].hits == won


def test_that_markers_left_no_card_to_resolve_is_said() -> None:
    table = idle(fresh().table)
    for unit in ("rifleman-a", "scout-a", "scout-b"):
        table.state.sides["ge"].counters[unit].hits = 1
    (_, told) = bot_turn(table, ["rifleman-a", "scout-a", "scout-b"]).asks
    assert told.text.startswith("Markers leave the bot no card to resolve.")


DISCARD = "Discard your hand and the cards you played."


@pytest.mark.rule("UND-276")
@pytest.mark.parametrize(("hand", "then"), [(["fog", "fog"], f" {DISCARD}"), ([], "")])
def test_that_the_player_has_no_card_to_play_is_said(hand: list[str], then: str) -> None:
    table = idle(fresh().table)
    table.state.players["us"].hand = hand
    assert run(rounds.player_turn(table, "us")).asks == []
    table.state.players["ge"].deck = {"fog": 3}
    (_, told, *_) = bot_turn(table, ["fog", "fog", "fog"]).asks
    assert told.detail.startswith(f"You have no card to play.{then} Bot row: ")


@pytest.mark.rule("UND-161", "UND-276")
def test_what_is_discarded_after_a_turn_and_in_the_bots_row_is_said_once() -> None:
    table = idle(fresh().table)
    table.state.players["us"].hand = ["sergeant", "fog"]
    ran = run(rounds.player_turn(table, "us"), "sergeant", "hunker")
    assert "hand and played cards are discarded" in [one.detail for one in ran.asks[0].options]
    table.state.players["ge"].deck = {"fog": 3}
    (_, told, *rest) = bot_turn(table, ["fog", "fog", "fog"]).asks
    row_told = "Bot row: Fog of War, Fog of War, Fog of War. Discard each when it is done."
    assert told.detail == f"{DISCARD} {row_told}"
    assert [one.detail for one in rest] == ["", ""]


@pytest.mark.rule("UND-131", "UND-276")
def test_once_the_next_hand_is_drawn_nobody_is_told_to_discard_it() -> None:
    table = idle(fresh().table)
    player = table.state.players["us"]
    player.hand, player.deck, player.discard = ["sergeant"], {"fog": 1}, {"scout-a": 3}
    run(rounds.player_turn(table, "us"), "sergeant", "bolster-3", ["rifleman-a", "rifleman-b", "scout-a"])
    drawn = run(rounds.draw_cards(table), ["fog"], ["scout-a", "scout-a", "scout-a"])
    shuffled = "Shuffle your discard pile, it is the new deck."
    assert [one.detail for one in drawn.asks] == [DISCARD, shuffled]
    asked = next(rounds.determine_initiative(table))
    assert (asked.key, asked.detail) == ("undaunted.bid", "")


@pytest.mark.rule("UND-R11", "UND-236")
def test_cards_turned_up_from_recon_are_checked_too() -> None:
    table = idle(fresh().table)
    row(table, "rifleman-a")[-1].face_down = True
    table.state.sides["ge"].counters["rifleman-a"].hits = 1
    table.state.players["ge"].deck = {"fog": 3}
    ran = bot_turn(table, ["fog", "fog", "fog"])
    assert "1 control marker off Rifleman A: discard Rifleman A." in ran.texts()


@pytest.mark.rule("UND-158", "UND-161", "UND-162", "UND-R12", "UND-160")
def test_cards_are_resolved_from_left_to_right_each_discarded_at_once() -> None:
    table = staged()
    put(table, "us", "rifleman-b", "17B")
    teach(table, solo("rifleman", line("move", to=["threatened objective"])))
    teach(table, solo("scout", line("bolster a")))
    ge = table.state.players["ge"]
    ge.deck = {"scout-a": 1, "rifleman-b": 1, "fog": 1}
    seen: list[list[str]] = []

    def watch(text: str) -> None:
        seen.append([text, *sorted(ge.discard)])

    script = bot.turn(table, "ge")
    question = script.send(None)
    question = script.send(("fog", "rifleman-b", "scout-a"))
    question = script.send(("rifleman-a",))
    try:
        while True:
            watch(question.text)
            question = script.send(True)
    except StopIteration:
        pass
    assert [one[0].split(":")[0] for one in seen] == ["Scout A", "Rifleman B", "Fog of War"]
    assert "scout-a" not in seen[0]
    assert "scout-a" in seen[1]
    assert "rifleman-b" in seen[2]
    assert seen[1][0].endswith("nothing")
    assert ge.discard == {"rifleman-a": 1, "scout-a": 1, "rifleman-b": 1, "fog": 1}
    assert row_cards(table) == []


@pytest.mark.rule("UND-162")
def test_the_turn_goes_on_until_a_card_that_was_commanded_is_resolved_too() -> None:
    table = idle(fresh().table)
    teach(table, solo("sergeant", line("command 1")))
    ge = table.state.players["ge"]
    shuffle_in(ge.deck, ["sergeant", "fog", "fog", "scout-a"])
    bot_turn(table, ["sergeant", "fog", "fog"], ["scout-a"], ["rifleman-a"])
    assert row_cards(table) == []
    assert ge.discard == {"sergeant": 1, "fog": 2, "scout-a": 1, "rifleman-a": 1}


@pytest.mark.rule("UND-163", "UND-235")
def test_a_face_down_card_is_not_resolved_and_does_not_keep_the_turn_going() -> None:
    table = staged()
    put(table, "us", "rifleman-b", "17B")
    ge = table.state.players["ge"]
    ge.deck = {"scout-a": 1, "fog": 1, "rifleman-a": 2}
    teach(table, solo("scout", line("recon")))
    ran = bot_turn(table, ["scout-a", "fog", "rifleman-a"], ["rifleman-a"])
    assert [one.card for one in bot.bot_of(table).row] == ["rifleman-a"]
    assert bot.bot_of(table).row[0].face_down
    assert ran.asked().count("bot.card") == 2


# Keywords


@pytest.mark.rule("UND-225")
def test_bot_bolster_puts_the_top_card_of_the_named_deck_into_the_discard_pile() -> None:
    table = idle(fresh().table)
    ran = resolve(table, "scout-b", ["rifleman-a"])
    assert ran.asks[0].deck == "bolster a"
    assert table.state.players["ge"].discard == {"rifleman-a": 1, "scout-b": 1}
    assert bot.bot_of(table).bolster["a"]["rifleman-a"] == 3
    assert "Rifleman A goes to the bot's discard pile." in ran.texts()


@pytest.mark.rule("UND-226")
def test_an_empty_bolster_deck_is_replaced_by_another_at_random() -> None:
    table = idle(fresh().table)
    bot.bot_of(table).bolster = {"a": {}, "b": {"rifleman-b": 1}, "c": {"rifleman-c": 1}}
    ran = resolve(table, "scout-b", ["5"], ["rifleman-c"])
    assert ran.asked()[0] == "bot.random"
    assert bot.bot_of(table).bolster["c"] == {}


@pytest.mark.rule("UND-226")
def test_a_bolster_from_another_deck_says_that_the_named_one_is_empty() -> None:
    table = idle(fresh().table)
    bot.bot_of(table).bolster = {"a": {"rifleman-a": 1}, "b": {}}
    words = [
        choice.words
        for deck in ("own", "a")
        if (effect := decide(table, "scout-b", line(f"bolster {deck}")).effect)
        for choice in effect.choices
    ]
    assert words == ["bolsters from deck A (B is empty)", "bolsters from deck A"]


@pytest.mark.rule("UND-225", "UND-226")
def test_bolster_from_any_deck_takes_one_of_those_with_cards() -> None:
    table = idle(fresh().table)
    bot.bot_of(table).bolster = {"a": {}, "b": {"rifleman-b": 1}}
    found = decide(table, "scout-b", line("bolster any", when=["bolster: any"]))
    assert options(found) == {"b"}
    bot.bot_of(table).bolster["b"] = {}
    assert decide(table, "scout-b", line("bolster any", when=["bolster: any"])).effect is None
    none_left = decide(table, "scout-b", line("bolster any"), line("bolster a"))
    assert none_left == Decision(None, (("1", "no bolster cards left"), ("2", "no bolster cards left")))


@pytest.mark.rule("UND-227", "UND-228")
def test_commanded_cards_are_sorted_in_behind_their_equals() -> None:
    table = fresh().table
    row(table, "scout-a", "fog")
    run(bot.command(table, "ge", 1), ["rifleman-a"])
    assert row_cards(table) == ["scout-a", "rifleman-a", "fog"]
    run(bot.command(table, "ge", 1), ["scout-b"])
    assert row_cards(table) == ["scout-a", "scout-b", "rifleman-a", "fog"]
    run(bot.command(table, "ge", 1), ["fog"])
    assert table.news == [
        "Commanded: Rifleman A, left of Fog of War.",
        "Commanded: Scout B, left of Rifleman A.",
        "Commanded: Fog of War, right of all that are face up.",
    ]


@pytest.mark.rule("UND-228", "UND-235")
def test_a_face_down_card_is_none_behind_which_a_commanded_one_is_sorted_in() -> None:
    table = fresh().table
    row(table, "rifleman-a", "leader-a")[-1].face_down = True
    run(bot.command(table, "ge", 1), ["scout-a"])
    assert row_cards(table) == ["scout-a", "rifleman-a", "leader-a"]
    run(bot.command(table, "ge", 1), ["fog"])
    assert row_cards(table) == ["scout-a", "rifleman-a", "fog", "leader-a"]
    assert table.news[-1] == "Commanded: Fog of War, right of all that are face up."


@pytest.mark.rule("UND-227")
def test_command_draws_one_at_a_time() -> None:
    table = fresh().table
    ran = run(bot.command(table, "ge", 2), ["rifleman-a"], ["scout-a"])
    assert [one.count for one in ran.asks] == [1, 1]


@pytest.mark.rule("UND-229", "UND-R16", "UND-R17")
def test_a_higher_commanded_card_comes_right_after_the_one_being_resolved() -> None:
    table = fresh().table
    bot.bot_of(table).resolving = "leader-a"
    row(table, "rifleman-a", deal=False)
    for card in ("guide", "sergeant", "guide-2"):
        table.state.players["ge"].deck = {card.removesuffix("-2"): 1}
        run(bot.command(table, "ge", 1), [card.removesuffix("-2")])
    assert row_cards(table) == ["sergeant", "guide", "guide", "rifleman-a"]
    assert table.news == [
        "Commanded: Platoon Guide, next in the row.",
        "Commanded: Platoon Sergeant, next in the row.",
        "Commanded: Platoon Guide, left of Rifleman A.",
    ]


@pytest.mark.rule("UND-R17")
def test_of_two_equal_commanded_cards_that_outrank_the_resolved_one_the_earlier_stays_left() -> None:
    table = fresh().table
    bot.bot_of(table).resolving = "rifleman-a"
    row(table, "fog")
    for card in ("scout-b", "scout-a"):
        run(bot.command(table, "ge", 1), [card])
    assert row_cards(table) == ["scout-b", "scout-a", "fog"]


@pytest.mark.rule("UND-230", "UND-231", "UND-232", "UND-R15")
def test_an_inspired_card_is_resolved_twice_from_the_top_and_then_discarded() -> None:
    table = staged()
    teach(table, solo("leader", line("inspire 2 matching")))
    teach(table, solo("rifleman", line("control"), line("move", to=["objective"])))
    put(table, "ge", "rifleman-b", "3B")
    table.state.sides["ge"].markers = {"6A": Marker.SCOUTED}
    row(table, "rifleman-b")
    ran = resolve(table, "leader-b")
    assert bot.bot_of(table).row[0].sideways
    table.state.turn = "ge"
    ran = run(bot.resolve(table, "ge", bot.bot_of(table).row[0]))
    assert [one.text for one in ran.asks] == [
        "Rifleman B: moves from 3B to 6A",
        "Rifleman B again: controls 6A",
    ]
    assert table.state.players["ge"].discard == {"leader-b": 1, "rifleman-b": 1}


@pytest.mark.rule("UND-R13", "UND-R14")
def test_inspire_turns_other_unresolved_cards_that_are_not_sideways_yet() -> None:
    table = fresh().table
    teach(table, solo("leader", line("inspire 2 matching")))
    one, two, other = row(table, "rifleman-a", "scout-a", "scout-b")
    one.sideways = True
    resolve(table, "leader-a")
    assert (two.sideways, other.sideways) == (True, False)
    ran = resolve(table, "leader-a")
    assert "nothing" in ran.asks[0].text


@pytest.mark.rule("UND-230", "UND-243")
def test_of_more_matching_cards_than_a_line_inspires_the_leftmost_are_turned() -> None:
    table = fresh().table
    teach(table, solo("leader", line("inspire 2 matching")))
    row(table, "scout-a", "scout-b", "rifleman-b", "rifleman-b", deal=False)
    ran = resolve(table, "leader-b")
    assert [one.sideways for one in bot.bot_of(table).row] == [False, True, True, False]
    assert ran.asks[0].text == "Squad Leader B: inspires Scout B, Rifleman B"
    assert (
        "Turn Scout B, Rifleman B (leftmost) sideways: resolved twice, upright the second time."
        in ran.asks[0].detail
    )


@pytest.mark.rule("UND-163", "UND-230", "UND-235")
def test_a_card_that_lies_face_down_is_not_inspired_nor_is_it_a_card_of_the_row_for_a_condition() -> None:
    table = fresh().table
    row(table, "rifleman-a")[0].face_down = True
    lines = line("bolster a", when=["row: matching"]), line("inspire 2 matching")
    assert decide(table, "leader-a", *lines).effect is None
    row(table, "scout-a")
    assert options(decide(table, "leader-a", lines[0])) == {"a"}
    told = decide(table, "leader-a", lines[1])
    assert told.effect is not None
    assert [one.row for one in told.effect.choices] == [(1,)]


@pytest.mark.rule("UND-230")
def test_any_card_of_the_row_means_no_fog_of_war() -> None:
    table = fresh().table
    row(table, "fog")
    lines = line("bolster a", when=["row: any"]), line("inspire 1 any")
    assert decide(table, "sergeant", *lines).effect is None
    row(table, "scout-a")
    told = decide(table, "sergeant", lines[1])
    assert told.effect is not None
    assert [one.row for one in told.effect.choices] == [(1,)]


@pytest.mark.rule("UND-233", "UND-234")
def test_bot_recon_trades_a_fog_of_war_for_a_face_down_card() -> None:
    table = fresh().table
    teach(table, solo("scout", line("recon")))
    row(table, "rifleman-a", "fog")
    table.state.sides["ge"].counters["scout-a"].tile = "5B"
    resolve(table, "scout-a", ["leader-a"])
    assert table.state.players["ge"].removed == {"fog": 1}
    assert bot.bot_of(table).row == [RowCard("rifleman-a"), RowCard("leader-a", face_down=True)]
    bot.bot_of(table).row[:] = [RowCard("fog", face_down=True), RowCard("fog")]
    resolve(table, "scout-a", ["rifleman-b"])
    assert bot.bot_of(table).row == [RowCard(card, face_down=True) for card in ("fog", "rifleman-b")]


@pytest.mark.rule("UND-174", "UND-302")
def test_bot_conceal_takes_a_fog_of_war_of_the_player_if_there_is_one() -> None:
    table = fresh().table
    teach(table, solo("scout", line("conceal")))
    us, ge = table.state.sides["us"], table.state.sides["ge"]
    us.fog = 1
    resolve(table, "scout-a")
    assert (us.fog, ge.fog) == (0, 8)
    assert table.state.players["us"].discard == {"fog": 1}
    assert "nothing" in resolve(table, "scout-a").asks[0].text
    assert (us.fog, ge.fog) == (0, 8)


@pytest.mark.rule("UND-174", "UND-233")
def test_bot_recon_needs_a_fog_of_war_face_up_in_its_row() -> None:
    table = fresh().table
    row(table, "rifleman-a", "fog")
    assert decide(table, "scout-a", line("recon")).effect is not None
    bot.bot_of(table).row[-1].face_down = True
    told = decide(table, "scout-a", line("recon"), line("bolster a"))
    assert told.effect is not None
    assert told.effect.label == "2"


@pytest.mark.parametrize(
    ("card", "action", "rules"),
    [
        ("scout-a", "recon", ("UND-233", "UND-234", "UND-235")),
        ("sergeant", "command 1", ("UND-227", "UND-228", "UND-229")),
    ],
)
def test_the_reason_for_what_the_bot_does_otherwise_is_the_bots_rule(
    card: str, action: str, rules: tuple[str, ...]
) -> None:
    table = fresh().table
    teach(table, solo(card.removesuffix("-a"), line(action)))
    row(table, "rifleman-a", "fog")
    table.state.sides["ge"].counters["scout-a"].tile = "5B"
    ran = resolve(table, card, ["leader-a"])
    assert ran.asks[-1].rule == rules


def test_how_many_fog_of_war_are_left_in_the_row_is_told() -> None:
    """It may be read twice, with the draw and with the card; only one leaves."""
    table = fresh().table
    teach(table, solo("scout", line("recon")))
    row(table, "rifleman-a", "rifleman-b", "fog", "fog")
    table.state.sides["ge"].counters["scout-a"].tile = "5B"
    ran = resolve(table, "scout-a", ["leader-a"])
    assert any("leaves the game: 1 left in the row" in one.detail for one in ran.asks)


def test_the_card_that_bot_recon_draws_is_in_no_log() -> None:
    table = fresh().table
    teach(table, solo("scout", line("recon")))
    row(table, "fog")
    ran = resolve(table, "scout-a", ["leader-a"])
    (drawn,) = [one for one in ran.asks if one.key == "undaunted.draw.ge"]
    assert drawn.text == "Scout A: Bot draws 1 face down"
    assert drawn.label(("leader-a",)) == "1 hidden card"
    assert "Leader" not in ran.texts()


@pytest.mark.parametrize(
    ("deed", "answer", "text"),
    [
        ("command 1", "rifleman-b", "Scout A: Bot draws 1"),
        ("bolster a", "scout-a", "Scout A: Bot bolsters, top card of deck A"),
    ],
)
def test_what_is_drawn_for_a_bot_card_names_it(deed: str, answer: str, text: str) -> None:
    table = fresh().table
    teach(table, solo("scout", line(deed)))
    table.state.sides["ge"].counters["scout-a"].tile = "5B"
    ran = resolve(table, "scout-a", [answer])
    assert [one.text for one in ran.asks if one.is_chance] == [text]


def test_a_session_from_before_a_card_could_stay_unseen_goes_on() -> None:
    table = fresh().table
    teach(table, solo("scout", line("recon")))
    row(table, "fog")
    (drawn,) = [one for one in resolve(table, "scout-a", ["leader-a"]).asks if isinstance(one, Draw)]
    before = msgspec.structs.replace(drawn, options=drawn.options[1:], face_down=False)
    assert drawn.options[0].id == "unseen"
    assert drawn.fingerprint() == before.fingerprint()


# A face-down card that nobody has looked at


def unseen_card(*cards: str) -> Table:
    """The bot's deck counts these cards, one of which its Recon laid down unseen."""
    table = fresh().table
    teach(table, solo("scout", line("recon")))
    row(table, "fog")
    one = row(table, "scout-a")[-1]
    shuffle_in(table.state.players["ge"].deck, cards)
    ran = run(bot.resolve(table, "ge", one), ["unseen"])
    table.printed["ge"] = {}
    for pile in table.piles("ge"):
        for card, count in pile.items():
            table.printed["ge"][card] = table.printed["ge"].get(card, 0) + count
    assert "One card lies face down for the next turn." in ran.texts()
    return table


@pytest.mark.rule("UND-234", "UND-235", "UND-236")
def test_a_card_that_recon_lays_down_unseen_is_named_when_it_is_turned_up() -> None:
    table = unseen_card("sergeant", "leader-a", "rifleman-a", "rifleman-b", "fog")
    assert bot.bot_of(table).row == [RowCard("", face_down=True)]
    assert cards.size(table.state.players["ge"].deck) == 5
    assert list(invariants.broken(table)) == []
    ran = run(bot.lay_out(table, "ge"), ["rifleman-a", "rifleman-b", "fog"], ["sergeant"])
    assert row_cards(table) == ["sergeant", "rifleman-a", "rifleman-b", "fog"]
    assert ran.asks[-1].text == "Turn up the bot's face-down card: which is it?"
    assert table.state.players["ge"].deck == {"leader-a": 1}
    assert list(invariants.broken(table)) == []


@pytest.mark.rule("UND-151", "UND-236")
@pytest.mark.parametrize(
    ("lying", "turned_up", "told"),
    [
        (["", ""], ["rifleman-a", "rifleman-b"], ["card 1 of 2", "card 2 of 2"]),
        (["rifleman-a", ""], ["rifleman-b"], ["card 2 of 2"]),
        (["", "rifleman-b"], ["rifleman-a"], ["card 1 of 2"]),
    ],
)
def test_of_several_face_down_cards_it_is_said_which_is_turned_up(
    lying: list[str], turned_up: list[str], told: list[str]
) -> None:
    table = fresh().table
    bot.bot_of(table).row = [RowCard(card, face_down=True) for card in lying]
    shuffle_in(table.state.players["ge"].deck, ["fog", "fog", "fog", *turned_up])
    ran = run(bot.lay_out(table, "ge"), ["fog", "fog", "fog"], *([card] for card in turned_up))
    asked = [one.text for one in ran.asks if one.key.endswith(".unseen")]
    assert asked == [f"Turn up the bot's face-down {which}: which is it?" for which in told]
    assert "They lie as they were drawn, the first left." in ran.asks[-1].detail
    assert row_cards(table) == ["rifleman-a", "rifleman-b", "fog", "fog", "fog"]


def test_a_card_that_lies_unseen_is_not_drawn_and_is_known_once_the_deck_is_out() -> None:
    table = unseen_card("sergeant", "leader-a", "rifleman-b")
    shuffle_in(table.state.players["ge"].discard, ["fog"])
    run(bot.lay_out(table, "ge"), ["rifleman-b", "leader-a"], ["fog"])
    assert row_cards(table) == ["sergeant", "leader-a", "rifleman-b", "fog"]


@pytest.mark.rule("UND-174", "UND-227")
def test_there_is_no_card_to_command_where_the_deck_counts_only_the_one_that_lies_unseen() -> None:
    table = unseen_card("rifleman-a")
    table.state.players["ge"].discard = {}
    assert decide(table, "sergeant", line("command 2")).passed == (("1", "no card left to draw"),)
    table.state.players["ge"].discard = {"fog": 1}
    assert decide(table, "sergeant", line("command 2")).effect is not None


@pytest.mark.rule("UND-R04", "UND-R05")
@pytest.mark.parametrize(
    ("found", "where"), [("yes", "the deck (shuffle it)"), ("no", "bolster deck A (shuffle it)")]
)
def test_a_hit_units_only_card_may_be_the_one_that_lies_unseen(found: str, where: str) -> None:
    table = unseen_card("rifleman-a", "leader-a")
    table.state.players["ge"].discard.pop("rifleman-a", None)
    target = put(table, "ge", "rifleman-a", "5B")
    table.state.turn = "us"
    attack = combat.Attack("us", parse("attack 1"), "5B")
    run(combat.fire(table, attack, target), ["0"], found)
    assert f"German Rifleman A card leaves the game, from {where}." in table.news
    assert ("Shuffle the bot's deck." in table.news) is (found == "no")
    assert bot.bot_of(table).row == [RowCard("" if found == "yes" else "rifleman-a", face_down=True)]
    assert list(invariants.broken(table)) == []


@pytest.mark.rule("UND-R04")
def test_nobody_is_asked_to_search_a_deck_that_is_out_but_for_the_card_that_lies_unseen() -> None:
    table = unseen_card("rifleman-a")
    table.state.players["ge"].discard.pop("rifleman-a", None)
    target = put(table, "ge", "rifleman-a", "5B")
    table.state.turn = "us"
    run(combat.fire(table, combat.Attack("us", parse("attack 1"), "5B"), target), ["0"])
    assert "German Rifleman A card leaves the game, from bolster deck A (shuffle it)." in table.news
    assert bot.bot_of(table).row == [RowCard("rifleman-a", face_down=True)]
    assert list(invariants.broken(table)) == []


def two_unseen(table: Table, deck: list[str]) -> None:
    """Two cards of those that the deck counts lie face down, and the discard pile has Fog of War."""
    bot.bot_of(table).row = [RowCard("", face_down=True), RowCard("", face_down=True)]
    shuffle_in(table.state.players["ge"].deck, deck)
    table.state.players["ge"].discard = {"fog": 3}


@pytest.mark.rule("UND-151", "UND-236", "UND-270")
def test_equals_that_lie_unseen_are_named_as_they_lie_even_where_the_deck_is_out() -> None:
    table = fresh().table
    two_unseen(table, ["rifleman-a", "rifleman-b"])
    run(bot.lay_out(table, "ge"), ["fog", "fog", "fog"], ["rifleman-b"], ["rifleman-a"])
    assert row_cards(table) == ["rifleman-b", "rifleman-a", "fog", "fog", "fog"]
    assert table.state.players["ge"].deck == {}


@pytest.mark.rule("UND-151", "UND-236")
def test_unseen_cards_are_named_as_they_lie_where_an_equal_of_one_lies_between_them() -> None:
    table = fresh().table
    two_unseen(table, ["sergeant", "leader-a"])
    bot.bot_of(table).row.insert(1, RowCard("leader-b", face_down=True))
    run(bot.lay_out(table, "ge"), ["fog", "fog", "fog"], ["leader-a"], ["sergeant"])
    assert row_cards(table) == ["sergeant", "leader-a", "leader-b", "fog", "fog", "fog"]


@pytest.mark.rule("UND-151", "UND-236")
def test_unseen_cards_are_not_asked_for_where_an_equal_of_one_lies_behind_them() -> None:
    table = fresh().table
    two_unseen(table, ["sergeant", "leader-a"])
    bot.bot_of(table).row.append(RowCard("leader-b", face_down=True))
    run(bot.lay_out(table, "ge"), ["fog", "fog", "fog"])
    assert row_cards(table) == ["sergeant", "leader-a", "leader-b", "fog", "fog", "fog"]


@pytest.mark.rule("UND-R19")
def test_a_deck_that_counts_only_equals_that_lie_unseen_is_out() -> None:
    table = fresh().table
    two_unseen(table, ["rifleman-a", "rifleman-b"])
    table.state.players["ge"].discard = {}
    run(bot.lay_out(table, "ge"), ["rifleman-b"], ["rifleman-a"])
    assert row_cards(table) == ["rifleman-b", "rifleman-a"]


@pytest.mark.rule("UND-R04")
@pytest.mark.parametrize(("deck", "searched"), [(["fog"], ["no"]), ([], [])])
def test_which_of_two_unseen_cards_is_the_hit_units_is_not_guessed(
    deck: list[str], searched: list[str]
) -> None:
    table = fresh().table
    two_unseen(table, ["rifleman-a", "rifleman-b", *deck])
    target = put(table, "ge", "rifleman-a", "5B")
    table.state.turn = "us"
    attack = combat.Attack("us", parse("attack 1"), "5B")
    run(combat.fire(table, attack, target), ["0"], *searched)
    assert "German Rifleman A card leaves the game, from bolster deck A (shuffle it)." in table.news
    assert ("Shuffle the bot's deck." in table.news) is bool(searched)
    ran = run(cards.turn_up(table, "ge", 2), ["rifleman-b"], ["rifleman-a"])
    assert ["card 1 of 2" in ran.asks[0].text, "card 2 of 2" in ran.asks[1].text] == [True, True]
    assert row_cards(table) == ["rifleman-b", "rifleman-a"]


@pytest.mark.rule("UND-358")
def test_an_unseen_card_of_a_lost_north_african_soldier_leaves_the_game_too() -> None:
    table = staged(NIGHT, side="lrdg")
    target = put(table, "it", "desert-scout-a", "D5")
    it = table.state.players["it"]
    bot.bot_of(table).row = [RowCard("", face_down=True), RowCard("", face_down=True)]
    it.deck, it.discard = {"desert-rifleman-a": 1, "desert-scout-a": 1, "fog": 1}, {}
    bot.bot_of(table).bolster["a"].pop("desert-scout-a")
    table.state.turn = "lrdg"
    run(combat.fire(table, combat.Attack("lrdg", parse("attack 1"), "D5"), target), ["0"], "no")
    assert "Its other cards leave the game too: 1 face down in the bot's row." in table.news
    assert (it.removed, it.deck) == ({"desert-scout-a": 1}, {"desert-rifleman-a": 1, "fog": 1})
    assert row_cards(table) == [""]


def test_a_card_that_nobody_has_named_cannot_be_set_face_up() -> None:
    table = unseen_card("rifleman-a", "leader-a")
    bot.bot_of(table).row[0].face_down = False
    assert list(invariants.broken(table)) == ["ge: a card lies face up that nobody has named"]


def test_an_unseen_card_that_is_taken_away_by_hand_while_it_is_asked_for_stays_in_the_deck() -> None:
    table = unseen_card("sergeant", "leader-a", "rifleman-a", "rifleman-b", "fog")
    script = bot.lay_out(table, "ge")
    script.send(next(script).accept(["rifleman-a", "rifleman-b", "fog"]))
    bot.bot_of(table).row = [one for one in bot.bot_of(table).row if one.card]
    question = script.send(RESTATED)
    with pytest.raises(StopIteration):
        script.send(question.accept(["sergeant"]))
    assert row_cards(table) == ["rifleman-a", "rifleman-b", "fog"]
    assert table.state.players["ge"].deck == {"sergeant": 1, "leader-a": 1}


def test_a_hit_units_card_that_the_deck_has_twice_is_surely_in_it() -> None:
    table = unseen_card("rifleman-a", "rifleman-a", "leader-a")
    target = put(table, "ge", "rifleman-a", "5B")
    table.state.turn = "us"
    run(combat.fire(table, combat.Attack("us", parse("attack 1"), "5B"), target), ["0"])
    assert table.state.players["ge"].deck == {"rifleman-a": 1, "leader-a": 1}


@pytest.mark.rule("UND-R19")
def test_bot_recon_with_no_card_left_puts_none_face_down() -> None:
    table = fresh().table
    teach(table, solo("scout", line("recon")))
    row(table, "fog")
    one = row(table, "scout-a")[-1]
    table.state.players["ge"].deck = {}
    ran = run(bot.resolve(table, "ge", one))
    assert "No card is left to draw." in ran.texts()
    assert "face down" not in ran.texts()
    assert row_cards(table) == []


@pytest.mark.rule("UND-236")
@pytest.mark.parametrize(("bid", "cards_in_row"), [("", 4), ("sergeant", 5)])
def test_last_turns_face_down_card_is_turned_up_after_the_draw(bid: str, cards_in_row: int) -> None:
    table = fresh().table
    row(table, "scout-a")[-1].face_down = True
    if bid:
        row(table, bid)
    lay_out(table, "rifleman-a", "rifleman-b", "fog")
    assert len(row_cards(table)) == cards_in_row
    assert not any(one.face_down for one in bot.bot_of(table).row)
    assert row_cards(table)[-1] == "fog"


# Difficulty


@pytest.mark.rule("UND-152", "UND-237", "UND-238", "UND-239")
@pytest.mark.parametrize(
    ("difficulty", "won", "cards_in_row"),
    [
        ("easy", False, 3),
        ("easy", True, 3),
        ("normal", False, 3),
        ("normal", True, 4),
        ("hard", False, 4),
        ("hard", True, 5),
    ],
)
def test_difficulty_changes_only_how_many_cards_the_bot_has(
    difficulty: str, won: bool, cards_in_row: int
) -> None:
    table = fresh(difficulty=difficulty).table
    plain = fresh().table
    assert table.state == plain.state
    table.state.players["us"].hand = ["fog" if won else "sergeant"]
    run(rounds.determine_initiative(table), "fog" if won else "sergeant", ["rifleman-a"])
    assert bot.bot_of(table).won_bid is won
    drawn = ["leader-a", "scout-a", "scout-b", "sergeant"][: bot.DRAWS[difficulty]]
    run(bot.lay_out(table, "ge"), drawn)
    assert len(row_cards(table)) == cards_in_row


# Casualties in the bot's own turn


@pytest.mark.rule("UND-R33")
def test_the_bots_own_casualties_come_from_its_row_first() -> None:
    table = staged()
    counter = put(table, "ge", "rifleman-a", "13B")
    ge = table.state.players["ge"]
    ge.discard = {"rifleman-a": 1}
    table.state.initiative = "us"
    row(table, "rifleman-a", deal=False)
    table.state.turn = "ge"
    order = []
    ge.deck = {"rifleman-a": 1}
    bot.bot_of(table).bolster = {"a": {"rifleman-a": 1}}
    for _ in range(5):
        table.news.clear()
        run(cards.casualty(table, counter))
        order.append(table.news[0].rsplit("from ", 1)[-1].rstrip("."))
    assert order[:4] == [
        "the bot's row (its leftmost)",
        "the discard pile",
        "the deck (shuffle it)",
        "bolster deck A (shuffle it)",
    ]
    assert counter.tile == ""


@pytest.mark.rule("UND-R33")
@pytest.mark.parametrize("attacker", ["ge", "us"])
def test_a_bot_unit_that_is_hit_in_the_bots_turn_gets_no_control_marker(attacker: str) -> None:
    """Whether by its own Bomb or by a mine of the player."""
    table = staged()
    counter = put(table, "ge", "rifleman-a", "13B")
    table.state.initiative, table.state.turn = "us", "ge"
    run(combat.fire(table, combat.Attack(attacker, parse("bomb 1"), "13B"), counter), ["0"])
    assert (counter.tile, counter.hits) == ("13B", 0)


@pytest.mark.rule("UND-310", "UND-R33")
def test_the_bots_blast_hits_everybody_on_foot_on_its_target_tile() -> None:
    table = staged(ARMOUR)
    put(table, "ge", "mortar", "1B")
    for side, unit in (("us", "rifleman-a"), ("us", "tank"), ("ge", "rifleman-a")):
        put(table, side, unit, "12B")
    table.state.sides["ge"].target = "12B"
    table.state.players["ge"].discard = {"rifleman-a": 1}
    teach(table, solo("mortar", line("blast 1")))
    ran = resolve(table, "mortar", ["3"], ["4"])
    assert ran.asked() == ["blast.roll", "blast.roll", "bot.result"]
    assert table.state.players["ge"].removed == {"rifleman-a": 1}


@pytest.mark.rule("UND-036", "UND-037")
def test_the_bots_grenade_is_thrown_at_every_enemy_on_foot_on_the_tile() -> None:
    table = staged(ARMOUR)
    for side, unit in (("ge", "rifleman-a"), ("us", "rifleman-a"), ("us", "scout-a"), ("us", "tank")):
        put(table, side, unit, "1B")
    teach(table, solo("rifleman", line("grenade 1 1")))
    ran = resolve(table, "rifleman-a", ["5"], ["5"])
    assert ran.asked() == ["grenade.roll", "grenade.roll", "bot.result"]
    assert table.state.players["us"].removed == {"rifleman-a": 1}


@pytest.mark.rule("UND-R04")
def test_a_card_that_lies_face_down_in_the_row_is_no_casualty() -> None:
    table = staged()
    counter = put(table, "ge", "rifleman-a", "13B")
    ge = table.state.players["ge"]
    ge.discard = {"rifleman-a": 1}
    row(table, "rifleman-a", deal=False)[0].face_down = True
    table.state.turn = "ge"
    run(cards.casualty(table, counter))
    assert (row_cards(table), ge.discard) == (["rifleman-a"], {})
    row(table, "rifleman-a", deal=False)
    run(cards.casualty(table, counter))
    assert [one.face_down for one in bot.bot_of(table).row] == [True]


@pytest.mark.rule("UND-024", "UND-141")
def test_of_a_specialist_and_a_rifleman_in_one_pile_the_bot_loses_one_unasked() -> None:
    table = staged(ARMOUR, specialists="yes")
    counter = put(table, "ge", "rifleman-b", "16B")
    ge = table.state.players["ge"]
    ge.discard = {"rifleman-b": 1, "submachine-gunner-b": 1}
    table.state.turn = "us"
    assert run(cards.casualty(table, counter)).asks == []
    assert (cards.size(ge.discard), cards.size(ge.removed)) == (1, 1)


def test_what_happened_before_a_roll_is_told_after_it_too_since_the_box_may_roll_by_itself() -> None:
    table = staged(difficulty="easy", side="us")
    put(table, "us", "rifleman-a", "17B")
    put(table, "us", "scout-a", "17B")
    attack = combat.Attack("ge", parse("grenade 2 1"), "2B")
    table.news.append("Place German Rifleman A on 5B.")

    ran = run(combat.area_attack(table, attack, "17B"), ["1", "2"], ["1", "3"])

    placed = "Place German Rifleman A on 5B. Defence"
    assert [one.detail.startswith(placed) for one in ran.asks] == [
        True,
        True,
    ]  # what the first did comes after
    news = ["Place German Rifleman A on 5B.", "US Rifleman A: missed.", "US Scout A: missed."]
    assert sorted(table.news) == sorted(news)


def told_by(asks: list[AnyAsk], news: str) -> list[str]:
    """The kinds of asks that told it, in order."""
    return [one.kind for one in asks if news in f"{one.text} {one.detail}"]


@pytest.mark.parametrize("by_hand", [False, True])
def test_what_was_read_with_cards_drawn_by_hand_is_not_told_again(by_hand: bool) -> None:
    setup = msgspec.structs.replace(driver.setup(GAME, difficulty="easy"), draws_by_hand=by_hand)
    table = Undaunted(setup).table
    teach(table, solo("leader", line("bolster a")))
    teach(table, solo("sergeant", line("command 2")))
    row(table, "sergeant", "leader-a")
    table.news += ["Bot row: Platoon Sergeant, Squad Leader A."]

    ran = run(bot.resolve(table, "ge", bot.bot_of(table).row[0]), ["rifleman-a"], ["fog"])
    table.news += ["Special."]
    again = run(bot.resolve(table, "ge", bot.bot_of(table).row[0]), ["scout-a"])

    both = ["draw"] if by_hand else ["draw", "draw", "show"]
    assert told_by(ran.asks, "Bot row") == both
    assert told_by(ran.asks, "Commanded: Rifleman A") == ["draw"] + ["show"] * (not by_hand)
    assert told_by(ran.asks, "Commanded: Fog of War") == ["show"]
    assert told_by(again.asks, "Special.") == ["draw"] + ["show"] * (not by_hand)
    assert told_by(again.asks, "Scout A goes to the bot's discard pile") == ["show"]


def test_a_roll_tells_first_what_came_of_it_and_then_what_was_not_read_with_a_draw() -> None:
    table = staged(difficulty="easy", side="us")
    table.draws_by_hand = True
    put(table, "us", "rifleman-a", "17B")
    put(table, "ge", "rifleman-a", "2B")
    teach(table, solo("rifleman", line("attack 1")))
    table.news.append("Shuffle.")
    table.drawn()
    table.news.append("Bot row: Rifleman A.")

    ran = resolve(table, "rifleman-a", ["1"])

    assert told_by(ran.asks, "Shuffle.") == []
    assert told_by(ran.asks, "Bot row: Rifleman A.") == ["roll", "show"]
    assert told_by(ran.asks, "missed") == ["show"]


def test_the_bots_row_is_told_before_a_die_picks_among_what_is_tied() -> None:
    table = staged()
    table.news.append("Bot row: Scout A.")

    ran = run(combat.randomly(table, "Scout A: 2 are tied, roll", ["to 2B", "to 3B"], "Line 1."), ["7"])

    assert (ran.end, ran.asks[0].detail) == (1, "0-4 to 2B; 5-9 to 3B. Bot row: Scout A. Line 1.")


@pytest.mark.rule("UND-286", "UND-R20", "UND-R46")
def test_a_counter_off_the_board_enters_only_if_a_line_applies() -> None:
    table = staged()
    put(table, "us", "rifleman-b", "17B")
    counter = table.state.sides["ge"].counters["rifleman-a"]
    teach(table, solo("rifleman", line("control")))
    table.state.sides["ge"].markers = {"5B": Marker.CONTROLLED}
    ran = resolve(table, "rifleman-a")
    assert counter.tile == ""
    assert "nothing" in ran.asks[0].text
    table.state.sides["ge"].markers = {}
    resolve(table, "rifleman-a")
    assert counter.tile == "5B"
    assert table.controls("ge", "5B")
    teach(table, solo("scout", line("hunker")))
    ran = resolve(table, "scout-a")
    assert bot.bot_of(table).bolster["a"]["scout-a"] == 3
    assert "Scout A goes into bolster deck A (shuffle it)." in ran.texts()
    assert table.state.sides["ge"].counters["scout-a"].tile == ""


@pytest.mark.rule("UND-R20")
@pytest.mark.parametrize(
    ("one", "held", "chosen"),
    [
        (line("move 1", toward=["threatened objective"]), ["5B", "13B"], {"12B", "8A"}),
        (line("bolster a", when=["here: occupied objective"]), [], {"a"}),
        (line("move 1", to=["not friend"], ties=["low population"]), [], set()),
        (line("guide 1", toward=["friend rifleman"]), [], {"5B"}),
    ],
)
def test_a_unit_off_the_board_counts_where_it_enters(one: Line, held: list[str], chosen: set[str]) -> None:
    table = staged()
    scouted(table, "ge", *table.ground.tiles)
    controlled(table, "ge", *held)
    put(table, "ge", "scout-a", "12B")
    for unit, tile in zip(("rifleman-a", "rifleman-b"), held, strict=False):
        put(table, "us", unit, tile)
    for tile in ("", "5B"):
        put(table, "ge", "rifleman-a", tile)
        decision = decide(table, "rifleman-a", one)
        assert (options(decision) if decision.effect else set()) == chosen


@pytest.mark.rule("UND-290", "UND-291")
def test_the_bot_guides_a_counter_that_is_not_suppressed() -> None:
    table = staged()
    guided = put(table, "ge", "rifleman-b", "3B")
    stays = put(table, "ge", "rifleman-a", "3B", suppressed=True)
    scouted(table, "ge", "8A")
    teach(table, solo("guide", line("guide 1")))
    ran = resolve(table, "guide")
    assert ran.asks[-1].text == "Platoon Guide: guides Rifleman B from 3B to 8A"
    assert (guided.tile, stays.tile) == ("8A", "3B")


@pytest.mark.rule("UND-026", "UND-027", "UND-030", "UND-R39")
def test_who_advances_with_the_bot_is_told() -> None:
    table = staged(ARMOUR)
    group = [put(table, "ge", unit, "16B") for unit in ("rifleman-b", "machine-gunner-b")]
    stays = put(table, "ge", "scout-b", "16B", suppressed=True)
    put(table, "ge", "rifleman-a", "15B")
    teach(table, solo("platoon-leader", line("advance")))
    ran = resolve(table, "platoon-leader-b")
    words = "Platoon Leader B: advances Rifleman B, Machine Gunner B from 16B to 15B"
    assert ran.asks[0].text == words
    assert ([one.tile for one in group], stays.tile) == (["15B", "15B"], "16B")


@pytest.mark.rule("UND-R20", "UND-285")
@pytest.mark.parametrize("do", ["bolster a", "inspire 1 any", "select 1"])
def test_a_soldier_off_the_board_enters_for_what_it_does_with_cards_too(do: str) -> None:
    table = staged()
    row(table, "leader-a")
    teach(table, solo("rifleman", line(do, ties=["value", "cover"])))
    ran = resolve(table, "rifleman-a", *[["scout-a"]] * do.startswith("bolster"))
    assert table.state.sides["ge"].counters["rifleman-a"].tile == "5B"
    assert "Place German Rifleman A on 5B." in ran.texts()
    table.scenario = msgspec.structs.replace(table.scenario, spawns={})
    resolve(table, "rifleman-b")
    assert table.state.sides["ge"].counters["rifleman-b"].tile == ""


@pytest.mark.rule("UND-R21")
def test_a_suppressed_bot_unit_turns_to_ready_only_if_a_line_would_apply() -> None:
    table = staged()
    counter = put(table, "ge", "rifleman-a", "6A", suppressed=True)
    teach(table, solo("rifleman", line("control")))
    ran = resolve(table, "rifleman-a")
    assert not counter.suppressed
    assert not table.controls("ge", "6A")
    assert "turn to ready" in ran.asks[0].text
    counter.suppressed, counter.tile = True, "3B"
    resolve(table, "rifleman-a")
    assert counter.suppressed
    scouted(table, "ge", "6A", "8A")
    teach(table, solo("rifleman", line(roll={"0-4": "move 1", "5-9": "bolster a"})))
    assert resolve(table, "rifleman-a").asked() == ["bot.card"], "it need not be rolled for"
    assert not counter.suppressed


@pytest.mark.rule("UND-R21")
def test_a_specialist_of_the_bot_names_the_riflemen_that_it_moves_or_turns() -> None:
    table = staged(ARMOUR, specialists="yes")
    riflemen = put(table, "ge", "rifleman-b", "16B", suppressed=True)
    scouted(table, "ge", "15B", "16B")
    teach(table, solo("submachine-gunner", line("move 1", to=["objective"])))
    ran = resolve(table, "submachine-gunner-b", sideways=True)
    assert [one.text for one in ran.asks] == [
        "Submachine Gunner B: turn the Rifleman B to ready",
        "Submachine Gunner B again: moves the Rifleman B from 16B to 15B",
    ]
    assert (riflemen.tile, riflemen.suppressed) == ("15B", False)


@pytest.mark.rule("UND-128", "UND-287", "UND-R46")
def test_a_bot_card_that_hunkers_down_goes_to_the_bolster_deck_of_its_kind_or_to_the_supply() -> None:
    table = fresh().table
    for unit, card in (("scout", "scout-b"), ("sergeant", "sergeant")):
        teach(table, solo(unit, line("hunker")))
        resolve(table, card)
    assert bot.bot_of(table).bolster == {
        "a": {"rifleman-a": 4, "scout-a": 2},
        "b": {"rifleman-b": 4, "scout-b": 3},
    }
    ge = table.state.players["ge"]
    assert (ge.supply, ge.discard) == ({"sergeant": 1}, {})


def test_a_bot_card_that_hunkers_down_goes_to_a_bolster_deck_of_several_kinds_too() -> None:
    table = fresh().table
    assert table.section is not None
    table.section = msgspec.structs.replace(table.section, bolster={"x": ("rifleman", "scout")})
    bot.bot_of(table).bolster = {"x": {}}
    teach(table, solo("scout", line("hunker")))
    resolve(table, "scout-b")
    assert bot.bot_of(table).bolster == {"x": {"scout-b": 1}}


@pytest.mark.rule("UND-284", "UND-R46")
def test_a_suppressed_bot_unit_hunkers_down_without_turning() -> None:
    table = staged()
    counter = put(table, "ge", "rifleman-a", "6A", suppressed=True)
    teach(table, solo("rifleman", line("hunker")))
    ran = resolve(table, "rifleman-a")
    assert counter.suppressed
    assert ran.asks[0].text == "Rifleman A: hunkers down"
    assert "rifleman-a" not in table.state.players["ge"].discard
    for roll in ({"0-4": "hunker", "5-9": "control"}, {"5-9": "control", "0-4": "hunker"}):
        teach(table, solo("rifleman", line(roll=roll)))
        counter.suppressed = True
        resolve(table, "rifleman-a", ["3"])
        assert counter.suppressed
        ran = resolve(table, "rifleman-a", ["7"])
        assert not counter.suppressed
        assert "turn to ready" in ran.asks[-1].text


@pytest.mark.rule("UND-R47")
def test_the_bot_wins_in_the_middle_of_its_row() -> None:
    table = staged()
    put(table, "us", "rifleman-a", "17B")
    put(table, "ge", "rifleman-a", "6A")
    table.state.sides["ge"].markers = {"5B": Marker.CONTROLLED}
    teach(table, solo("rifleman", line("control")))
    table.state.players["ge"].deck = {"rifleman-a": 1, "fog": 2}
    with pytest.raises(Ended) as end:
        bot_turn(table, ["rifleman-a", "fog", "fog"])
    assert end.value.outcome.score["German"] == 5
    assert row_cards(table) == ["fog", "fog"]


@pytest.mark.rule("UND-R47")
def test_the_bot_wins_before_its_card_goes_on_with_another_line() -> None:
    table = staged()
    put(table, "us", "rifleman-a", "17B")
    put(table, "ge", "rifleman-a", "6A")
    table.state.sides["ge"].markers = {"5B": Marker.CONTROLLED}
    teach(table, solo("rifleman", line("control", then=2), line("attack")))
    with pytest.raises(Ended) as end:
        resolve(table, "rifleman-a")
    assert end.value.outcome.score["German"] == 5
