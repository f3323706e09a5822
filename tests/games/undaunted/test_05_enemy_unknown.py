"""Enemy Unknown: scope, setup, initiative, the player's turn."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine import game as engine_game
from companion.engine.errors import BadInput, PackError
from companion.engine.packs import Source
from companion.games.undaunted import GAME, bot, combat, invariants, rounds
from companion.games.undaunted.actions import parse
from companion.games.undaunted.checker import playable
from companion.games.undaunted.pack import FOG, Pack, SoloSection, solo_cards, solo_section
from companion.games.undaunted.play import Undaunted
from companion.games.undaunted.table import Table
from tests.games import driver
from tests.games.driver import Driver
from tests.games.undaunted.field import (
    ARMOUR,
    LA_RAYE,
    NIGHT,
    Ran,
    do,
    fresh,
    put,
    row,
    row_cards,
    run,
    shipped,
    staged,
)


@pytest.mark.rule("UND-118")
def test_solo_play_takes_any_scenario_whose_data_is_there() -> None:
    pack = driver.setup(GAME).pack
    for scenario in playable(pack):
        assert fresh(scenario).state.bot is not None
    assert {LA_RAYE, ARMOUR, NIGHT} <= set(playable(pack))


@pytest.mark.rule("UND-120", "UND-127")
def test_the_scenario_is_set_up_as_usual_and_the_bots_deck_like_a_players() -> None:
    solo, two = fresh(LA_RAYE).state, fresh(LA_RAYE, players="2").state
    assert solo.players["ge"].deck == two.players["ge"].deck == solo.players["us"].deck
    assert solo.sides["ge"].counters == two.sides["ge"].counters
    assert solo.sides["ge"].markers == two.sides["ge"].markers


@pytest.mark.rule("UND-121")
def test_an_expansion_scenario_is_played_solo_with_its_two_player_setup() -> None:
    play = fresh(ARMOUR)
    assert list(play.state.players) == ["us", "ge"]
    assert play.state.players["us"].deck == play.table.scenario.decks["us"] | {"fog": 2}


@pytest.mark.rule("UND-122", "UND-213")
def test_each_scenario_and_bot_has_its_own_solo_section_if_the_pack_has_one() -> None:
    pack = driver.setup(GAME).pack
    assert isinstance(pack, Pack)
    italian, lrdg, other = (
        solo_section(pack, NIGHT, "it"),
        solo_section(pack, NIGHT, "lrdg"),
        solo_section(pack, LA_RAYE, "ge"),
    )
    assert italian is not None
    assert lrdg is not None
    assert other is not None
    assert (italian.scenario, italian.faction, other.scenario) == (NIGHT, "it", "any")
    assert italian.path == ("D8", "D11", "D6") != lrdg.path


@pytest.mark.rule("UND-123")
def test_the_player_chooses_a_faction_and_the_other_is_the_bot() -> None:
    assert bot.bot_of(fresh().table).side == "ge"
    assert bot.bot_of(fresh(side="ge").table).side == "us"
    with pytest.raises(BadInput, match="La Raye has us and ge"):
        fresh(side="it")


@pytest.mark.rule("UND-124", "UND-125", "UND-165")
def test_each_type_of_card_has_the_solo_card_of_its_scenario() -> None:
    table = fresh().table
    for card in table.state.players["ge"].deck:
        assert (table.solo(card) is not None) is (card != "fog")
    rifleman, elsewhere = table.solo("rifleman-a"), fresh(ARMOUR).table.solo("rifleman-a")
    assert rifleman is not None
    assert elsewhere is not None
    assert rifleman.scenarios == ("la-raye",)
    assert elsewhere.scenarios == ()
    pack = driver.setup(GAME).pack
    assert isinstance(pack, Pack)
    assert solo_cards(pack, "leader", LA_RAYE, "us") == solo_cards(pack, "leader", LA_RAYE, "ge")


@pytest.mark.rule("UND-125")
def test_a_solo_card_may_be_for_one_faction_of_the_bot() -> None:
    pack = shipped()
    (leader,) = solo_cards(pack, "leader", LA_RAYE, "us")
    german = msgspec.structs.replace(leader, factions=("ge",))
    pack = msgspec.structs.replace(pack, solo={"leader": leader, "german": german})
    assert solo_cards(pack, "leader", LA_RAYE, "ge") == [german, leader]
    assert solo_cards(pack, "leader", LA_RAYE, "us") == [leader]


@pytest.mark.rule("UND-124", "UND-125")
def test_of_the_solo_cards_that_fit_the_owners_comes_first_then_the_scenarios_then_the_factions() -> None:
    (leader,) = solo_cards(shipped(), "leader", LA_RAYE, "ge")
    better = [
        msgspec.structs.replace(leader, source=source, scenarios=scenarios, factions=factions)
        for source in (Source.OWNER, leader.source)
        for scenarios in ((LA_RAYE,), ())
        for factions in (("ge",), ())
    ]
    named = {str(number): card for number, card in enumerate(reversed(better))}
    pack = msgspec.structs.replace(shipped(), solo=named)
    assert solo_cards(pack, "leader", LA_RAYE, "ge") == better


@pytest.mark.rule("UND-122")
def test_of_the_solo_sections_the_scenarios_comes_first_then_the_factions_then_the_owners() -> None:
    given = [(LA_RAYE, "ge"), (LA_RAYE, ""), ("any", "ge"), ("any", "")]
    sections = [
        SoloSection(scenario, faction, source=source)
        for scenario, faction in given
        for source in (Source.OWNER, Source.STAND_IN)
    ]
    while sections:
        named = {str(number): one for number, one in enumerate(reversed(sections))}
        pack = msgspec.structs.replace(shipped(), section=named)
        assert solo_section(pack, LA_RAYE, "ge") is sections.pop(0)
    assert solo_section(msgspec.structs.replace(shipped(), section={}), LA_RAYE, "ge") is None


@pytest.mark.rule("UND-126")
def test_the_sections_setup_changes_are_told_before_anything_else() -> None:
    first = Driver(fresh(NIGHT)).ask
    assert first.key == "undaunted.setup"
    assert "two bolster decks" in first.detail


@pytest.mark.rule("UND-126", "UND-127")
def test_a_section_that_changes_deck_supply_and_counters_replaces_the_sheets_for_the_bot_alone() -> None:
    changes = {"deck": {"sniper": 2}, "supply": {"scout-b": 1, FOG: 3}, "counters": {"scout-b": "8A"}}
    state = Undaunted(engine_game.setup(GAME, sectioned(**changes), {}, LA_RAYE)).state
    sheet = fresh(LA_RAYE, players="2").state
    assert (state.players["ge"].deck, state.bot and state.bot.bolster) == (
        {"sniper": 2},
        {"b": {"scout-b": 1}},
    )
    assert state.sides["ge"].fog == 3
    tiles = {name: one.tile for name, one in state.sides["ge"].counters.items()}
    assert tiles == {"sniper": "", "scout-b": "8A"}
    assert (state.players["us"], state.sides["us"]) == (sheet.players["us"], sheet.sides["us"])


@pytest.mark.rule("UND-126", "UND-127")
def test_a_unit_whose_cards_a_section_takes_out_of_the_bots_deck_has_no_counter() -> None:
    changed = sectioned(deck={"rifleman-a": 2}, supply={"scout-b": 1})
    state = Undaunted(engine_game.setup(GAME, changed, {}, LA_RAYE)).state
    tiles = {name: one.tile for name, one in state.sides["ge"].counters.items()}
    assert tiles == {"rifleman-a": "5B", "scout-b": "5B"}


@pytest.mark.rule("UND-128", "UND-129", "UND-R44")
def test_the_bots_supply_is_shuffled_into_bolster_decks_without_fog_of_war() -> None:
    table = fresh().table
    assert bot.bot_of(table).bolster == {
        "a": {"rifleman-a": 4, "scout-a": 2},
        "b": {"rifleman-b": 4, "scout-b": 2},
    }
    assert table.state.sides["ge"].fog == 8
    assert table.state.players["ge"].supply == {}
    draw = run(bot.bolster(table, "ge", "a"), ["scout-a"]).asks[0]
    assert {one.id: one.copies for one in draw.options} == {"rifleman-a": 4, "scout-a": 2}


@pytest.mark.rule("UND-R44")
def test_an_owners_section_can_shuffle_fog_of_war_into_a_bolster_deck() -> None:
    own = sectioned(fog={"b": 3})
    table = Undaunted(engine_game.setup(GAME, own, {}, LA_RAYE)).table
    assert bot.bot_of(table).bolster["b"] == {"rifleman-b": 4, "scout-b": 2, FOG: 3}
    assert table.state.sides["ge"].fog == 5
    run(bot.bolster(table, "ge", "b"), [FOG])
    assert table.state.players["ge"].discard == {FOG: 1}
    assert list(invariants.broken(table)) == []


@pytest.mark.parametrize(
    "fields", [{"fog": {"c": 1}}, {"fog": {"a": 9}}, {"fog": {"a": 3}, "supply": {"scout-a": 1, FOG: 2}}]
)
def test_fog_of_war_for_a_bolster_deck_that_there_is_none_of_is_refused(fields: dict[str, object]) -> None:
    start = engine_game.setup(GAME, sectioned(**fields), {}, LA_RAYE)
    with pytest.raises(PackError, match="fog"):
        Undaunted(start)
    assert Undaunted(msgspec.structs.replace(start, begun=True)), "it was begun before"


def test_fog_of_war_for_a_bolster_deck_comes_of_the_bots_supply_alone() -> None:
    own = sectioned(fog={"b": 3})
    sheet = own.scenario[LA_RAYE]
    supplies = sheet.supplies | {"us": {"rifleman-a": 4}}
    changed = msgspec.structs.replace(sheet, supplies=supplies)
    pack = msgspec.structs.replace(own, scenario={**own.scenario, LA_RAYE: changed})
    assert Undaunted(engine_game.setup(GAME, pack, {}, LA_RAYE)).state.sides["ge"].fog == 5


def sectioned(**fields: object) -> Pack:
    """The packs that ship with another solo section for La Raye."""
    bolster = {"a": ("squad a",), "b": ("squad b",)}
    own = SoloSection(LA_RAYE, "ge", bolster=bolster, source=Source.OWNER)
    section = msgspec.structs.replace(own, **fields)
    return msgspec.structs.replace(shipped(), section={**shipped().section, "own": section})


# A round


def start(table_of: str = LA_RAYE, **settings: str) -> Driver:
    return Driver(fresh(table_of, **settings))


@pytest.mark.rule("UND-130", "UND-131", "UND-132", "UND-133")
def test_a_round_draws_four_for_the_player_none_for_the_bot_then_both_bid() -> None:
    game = start()
    game.until("undaunted.draw.us")
    assert game.ask.count == 4
    game.answer(["scout-a", "rifleman-a", "rifleman-b", "fog"])
    assert game.ask.key == "undaunted.bid"
    assert sum(game.play.state.players["ge"].deck.values()) == 9
    game.answer("scout-a")
    assert (game.ask.key, game.ask.count) == ("undaunted.draw.ge", 1)
    game.answer(["fog"])
    assert game.ask.key == "undaunted.initiative"
    game.answer()
    assert game.ask.key == "undaunted.turn.card"


@pytest.mark.rule("UND-135", "UND-136", "UND-274")
@pytest.mark.parametrize("player_first", [True, False])
def test_who_wins_the_bid_takes_the_whole_turn_first(player_first: bool) -> None:
    game = start()
    game.until("undaunted.draw.us")
    bids = ("leader-a", "fog") if player_first else ("fog", "leader-b")
    for answer in (["leader-a", "rifleman-a", "rifleman-b", "fog"], bids[0], [bids[1]], True):
        game.answer(answer)
    if player_first:
        assert game.ask.key == "undaunted.turn.card"
        game.answer("end")
    game.until("undaunted.draw.ge")
    game.answer(["fog", "rifleman-a", "leader-b"] if player_first else ["fog", "fog", "rifleman-a"])
    game.until("undaunted.draw.bolster")
    game.answer(["scout-b"])
    game.until("undaunted.draw.us" if player_first else "undaunted.turn.card")
    assert game.play.state.round == 1 + player_first


def bid(table: Table, mine: str, bots: str) -> Ran:
    table.state.players["us"].hand = [mine]
    return run(rounds.determine_initiative(table), mine, [bots])


@pytest.mark.rule("UND-134", "UND-135", "UND-136", "UND-R03", "UND-272")
@pytest.mark.parametrize(
    ("marker", "mine", "bots", "first"),
    [
        ("us", "scout-a", "rifleman-a", "us"),
        ("us", "rifleman-a", "scout-a", "ge"),
        ("us", "rifleman-a", "rifleman-a", "us"),
        ("ge", "rifleman-a", "rifleman-a", "ge"),
        ("ge", "scout-a", "fog", "us"),
    ],
)
def test_the_higher_bid_acts_first_and_a_tie_leaves_the_marker(
    marker: str, mine: str, bots: str, first: str
) -> None:
    table = fresh().table
    table.state.initiative = marker
    ran = bid(table, mine, bots)
    assert ("Tied: initiative marker stays " in ran.asks[-1].detail) == (mine == bots)
    assert table.state.initiative == first
    assert table.turn_order()[0] == first
    assert bot.bot_of(table).won_bid is (first == "ge")
    assert row_cards(table) == ([bots] if first == "ge" else [])


@pytest.mark.rule("UND-137", "UND-138", "UND-139", "UND-273", "UND-240")
@pytest.mark.parametrize(("mine", "bots", "wins"), [("scout-a", "fog", False), ("fog", "leader-a", True)])
def test_the_bots_bid_joins_its_row_only_if_it_wins(mine: str, bots: str, wins: bool) -> None:
    table = fresh().table
    bid(table, mine, bots)
    assert row_cards(table) == ([bots] if wins else [])
    assert table.state.players["ge"].discard == ({} if wins else {bots: 1})
    assert table.state.players["us"].discard == {mine: 1}


def test_a_bot_that_keeps_the_initiative_without_a_bid_has_no_card_of_it_in_its_row() -> None:
    table = fresh().table
    for player in table.state.players.values():
        player.deck = {}
    table.state.initiative = "ge"
    run(rounds.determine_initiative(table))
    assert row_cards(table) == []


@pytest.mark.rule("UND-R19")
def test_a_bot_without_cards_bids_nothing_and_reshuffles_its_discards_alone() -> None:
    table = fresh().table
    ge = table.state.players["ge"]
    ge.deck, ge.discard, ge.play = {}, {}, []
    table.state.players["us"].hand = ["fog"]
    ran = run(rounds.determine_initiative(table), "fog")
    assert table.state.initiative == "us"
    assert "Bot nothing" in ran.asks[-1].text
    ge.discard = {"scout-a": 1, "fog": 1}
    row(table, "rifleman-a", deal=False)
    ran = run(bot.lay_out(table, "ge"), ["scout-a", "fog"])
    assert ran.asks[0].count == 2
    assert row_cards(table) == ["scout-a", "rifleman-a", "fog"]


@pytest.mark.parametrize(
    ("hand", "deck", "said"),
    [
        ("scout-a", "fog", "Initiative marker: US; bids are discarded."),
        ("fog", "scout-a", "Initiative marker: German; the bot's bid is in its row, yours is discarded."),
        ("fog", "", "Initiative marker: US; the bid is discarded."),
        ("", "scout-a", "Initiative marker: German; the bot's bid is in its row."),
        ("", "", "Tied: initiative marker stays US."),
    ],
)
def test_only_a_bid_that_was_made_is_said_to_be_put_away(hand: str, deck: str, said: str) -> None:
    table = fresh().table
    us, ge = table.state.players["us"], table.state.players["ge"]
    us.hand, ge.deck = [hand] * bool(hand), {deck: 1} if deck else {}
    ran = run(rounds.determine_initiative(table), *filter(None, [hand]), *([[deck]] if deck else []))
    assert ran.asks[-1].detail == said


# Hits on the bot


def hit(
    table: Table, unit: str = "rifleman-a", *, faces: tuple[str, ...] = ("0",), dice: str = "attack 1"
) -> Ran:
    table.state.turn = "us"
    target = table.state.sides["ge"].counters[unit]
    return run(combat.fire(table, combat.Attack("us", parse(dice), "17B"), target), list(faces))


def piles(table: Table, *, discard: int, deck: int, bolster: int) -> None:
    ge = table.state.players["ge"]
    ge.discard = {"rifleman-a": discard} if discard else {}
    ge.deck = {"rifleman-a": deck} if deck else {}
    bot.bot_of(table).bolster = {"b": {"scout-b": 2}, "a": {"rifleman-a": bolster} if bolster else {}}


@pytest.mark.rule("UND-R06")
def test_bolster_decks_are_searched_in_the_order_of_the_solo_setup() -> None:
    table = staged()
    put(table, "ge", "rifleman-a", "5B")
    piles(table, discard=0, deck=0, bolster=1)
    bolster = bot.bot_of(table).bolster
    bolster["b"]["rifleman-a"] = 1
    left = []
    for _ in range(2):
        hit(table)
        left.append((bolster["b"].get("rifleman-a", 0), bolster["a"].get("rifleman-a", 0)))
    assert left == [(0, 1), (0, 0)]


@pytest.mark.rule("UND-140", "UND-144", "UND-145", "UND-R06")
def test_each_hit_costs_one_card_and_the_last_one_the_counter() -> None:
    table = staged()
    counter = put(table, "ge", "rifleman-a", "5B")
    piles(table, discard=2, deck=2, bolster=2)
    removed = table.state.players["ge"].removed
    lost = []
    for _ in range(7):
        hit(table)
        lost.append((sum(removed.values()), counter.tile))
    assert lost == [*((count, "5B") for count in range(1, 7)), (6, "")]
    assert bot.bot_of(table).bolster["b"] == {"scout-b": 2}


@pytest.mark.rule("UND-141", "UND-142", "UND-143", "UND-144")
def test_a_card_of_another_unit_of_the_squad_or_of_its_type_is_not_lost_for_a_hit_unit() -> None:
    table = staged()
    counter = put(table, "ge", "rifleman-a", "5B")
    ge, others = table.state.players["ge"], {"scout-a": 1, "rifleman-b": 1, "leader-a": 1}
    ge.discard, ge.deck = dict(others), {**others, "rifleman-a": 1}
    bot.bot_of(table).bolster = {"a": dict(others)}
    for tile in ("5B", ""):
        hit(table)
        assert (ge.removed, counter.tile) == ({"rifleman-a": 1}, tile)
    assert (ge.discard, ge.deck, bot.bot_of(table).bolster["a"]) == (others, others, others)


@pytest.mark.rule("UND-141", "UND-142", "UND-143", "UND-R05")
@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ((1, 1, 1), (0, 1, 1), "discard pile"),
        ((0, 1, 1), (0, 0, 1), "deck (shuffle it)"),
        ((0, 0, 1), (0, 0, 0), "bolster deck A (shuffle it)"),
    ],
)
def test_the_search_order_step_by_step(
    before: tuple[int, int, int], after: tuple[int, int, int], words: str
) -> None:
    table = staged()
    put(table, "ge", "rifleman-a", "5B")
    piles(table, discard=before[0], deck=before[1], bolster=before[2])
    hit(table)
    ge = table.state.players["ge"]
    found = (ge.discard, ge.deck, bot.bot_of(table).bolster["a"])
    assert tuple(pile.get("rifleman-a", 0) for pile in found) == after
    assert words in " ".join(table.news)


@pytest.mark.rule("UND-R04")
@pytest.mark.parametrize("face_down", [True, False])
def test_the_bots_play_area_is_not_searched_in_the_players_turn(face_down: bool) -> None:
    table = staged()
    put(table, "ge", "rifleman-a", "5B")
    piles(table, discard=0, deck=1, bolster=0)
    row(table, "rifleman-a", deal=False)[-1].face_down = face_down
    hit(table)
    assert row_cards(table) == ["rifleman-a"]
    assert table.state.players["ge"].deck == {}


@pytest.mark.rule("UND-146", "UND-147", "UND-148", "UND-R08")
@pytest.mark.parametrize(("initiative", "markers"), [("us", 2), ("ge", 0)])
def test_each_hit_leaves_a_control_marker_while_the_player_has_the_initiative(
    initiative: str, markers: int
) -> None:
    table = staged()
    counter = put(table, "ge", "rifleman-a", "5B")
    table.state.initiative = initiative
    hit(table)
    hit(table)
    assert counter.hits == markers
    assert counter.tile == "5B"


def test_a_hit_leaves_no_marker_where_as_many_as_can_lie_there_were_set_by_hand() -> None:
    table = staged()
    counter = put(table, "ge", "rifleman-a", "5B")
    table.state.initiative = "us"
    counter.hits = table.most_hits(counter)
    hit(table)
    assert counter.hits == table.most_hits(counter)
    assert not [one for one in table.news if "control marker" in one]


@pytest.mark.rule("UND-146", "UND-147")
@pytest.mark.parametrize(("initiative", "markers"), [("lrdg", 1), ("it", 0)])
def test_a_hit_on_a_bot_vehicle_leaves_its_marker_on_the_soldier(initiative: str, markers: int) -> None:
    table = staged(NIGHT)
    tank = put(table, "it", "medium-tank", "D12")
    soldier = put(table, "it", "crewman-a", "D12", vehicle="medium-tank", seat=1)
    other = put(table, "it", "crewman-b", "D12", vehicle="medium-tank", seat=0)
    table.state.players["it"].discard = {"crewman-a": 1}
    table.state.initiative, table.state.turn = initiative, "lrdg"
    attack = combat.Attack("lrdg", parse("antitank 1"), "D12")
    run(combat.fire(table, attack, tank), ["0"], "crewman-a")
    assert table.state.players["it"].removed == {"crewman-a": 1}
    assert (soldier.hits, other.hits, tank.hits) == (markers, 0, 0)


@pytest.mark.rule("UND-146")
def test_a_hit_of_the_bot_leaves_no_marker_on_the_players_unit() -> None:
    table = staged()
    target = put(table, "us", "rifleman-a", "17B")
    table.state.initiative, table.state.turn = "us", "ge"
    run(combat.fire(table, combat.Attack("ge", parse("attack 1"), "17B"), target), ["0"])
    assert table.state.players["us"].removed == {"rifleman-a": 1}
    assert (target.tile, target.hits) == ("17B", 0)


@pytest.mark.rule("UND-146", "UND-R09")
def test_a_removed_counter_takes_its_markers_with_it() -> None:
    table = staged()
    counter = put(table, "ge", "rifleman-a", "5B")
    table.state.initiative = "us"
    piles(table, discard=1, deck=0, bolster=0)
    hit(table)
    assert counter.hits == 1
    counter.suppressed = True
    hit(table)
    assert (counter.tile, counter.hits, counter.suppressed) == ("", 0, False)


@pytest.mark.rule("UND-R07")
def test_suppressing_a_bot_unit_costs_no_card_and_leaves_no_marker() -> None:
    table = staged()
    counter = put(table, "ge", "rifleman-a", "5B")
    table.state.initiative = "us"
    hit(table, faces=("0", "1", "1", "1"), dice="suppress 4")
    assert (counter.suppressed, counter.hits) == (True, 0)
    assert table.state.players["ge"].removed == {}


@pytest.mark.rule("UND-R48")
def test_the_bots_discard_pile_is_open_and_its_decks_are_not() -> None:
    play = fresh()
    play.state.players["ge"].discard = {"scout-a": 1}
    shown = next(panel for panel in play.board().fitted().panels if panel.title == "Bot cards")
    text = "\n".join(shown.lines)
    assert "discard: Scout A" in text
    assert "Rifleman" not in text
    assert "bolster A: 6 cards" in text


def test_the_players_own_turn_is_the_normal_one() -> None:
    table = staged()
    put(table, "us", "rifleman-a", "17B")
    table.state.sides["us"].markers = {}
    ran = do(table, "us", "rifleman-a", "control")
    assert ran.asks == []
    assert table.controls("us", "17B")
