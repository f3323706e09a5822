"""R21 in short: random whole games of every scenario and mode, invariants after every answer."""

from __future__ import annotations

from contextlib import suppress
from random import Random

import msgspec
import pytest

from companion.engine import BadAnswer, autoplay
from companion.engine import game as engine_game
from companion.engine.autoplay import at_first, at_random
from companion.engine.run import Run
from companion.games.undaunted import GAME, rounds
from companion.games.undaunted.advice import advise
from companion.games.undaunted.pack import FACTIONS
from tests.games.undaunted.field import LA_RAYE, NIGHT, fresh, put, scouted, shipped, staged
from tests.longrun.random_games import play_checked, ready

CASES = [
    ("la-raye", {}, 40),
    ("la-raye", {"difficulty": "hard", "side": "ge"}, 20),
    ("la-raye", {"hand": "table"}, 20),
    ("la-raye", {"players": "2"}, 5),
    ("stand-in-armour", {}, 10),
    ("stand-in-armour", {"side": "ge", "specialists": "yes"}, 10),
    ("stand-in-armour", {"players": "4", "hand": "table"}, 3),
    ("stand-in-night", {}, 10),
    ("stand-in-night", {"side": "it"}, 10),
    ("stand-in-night", {"players": "4"}, 3),
]


@pytest.mark.parametrize(("scenario", "settings", "games"), CASES)
def test_random_games_end_in_order(scenario: str, settings: dict[str, str], games: int) -> None:
    setup = ready(GAME, scenario, settings)
    for seed in range(games):
        outcome, _ = play_checked(GAME, setup, seed)
        assert outcome.reason


@pytest.mark.parametrize("policy", ["cautious", "bold", "first"])
def test_policies_play_to_the_end(policy: str) -> None:
    setup = ready(GAME)
    for seed in range(5):
        outcome, _ = play_checked(GAME, setup, seed, policy)
        assert outcome.reason


def test_policies_tell_cards_of_one_title_apart_whatever_is_in_it() -> None:
    pack = shipped()
    unit = {
        name: msgspec.structs.replace(one, title="Man on Foot") if one.defence else one
        for name, one in pack.unit.items()
    }
    setup = engine_game.setup(GAME, msgspec.structs.replace(pack, unit=unit), {}, LA_RAYE)
    outcome, _ = play_checked(GAME, setup, 1, "bold")
    assert outcome.reason


def test_two_sides_with_nothing_left_that_is_worth_doing_do_not_wait_for_ever() -> None:
    play = GAME.start(ready(GAME, NIGHT, {"players": "2", "hand": "table"}))
    decide = autoplay.policy(GAME, play, "cautious", Random(1025))
    assert [*autoplay.steps(play, decide, 1025, most=5000)]


def test_a_side_without_soldiers_is_advised_to_bolster_and_not_to_draw_for_ever() -> None:
    outcome, _ = play_checked(GAME, ready(GAME, "stand-in-armour"), 6, "bold")
    assert outcome.reason


@pytest.mark.parametrize(("start", "ends"), [("17B", "13B"), ("11B", "5B"), ("12B", "5B")])
def test_policies_stop_a_rifleman_of_several_steps_on_the_objective_that_it_can_take(
    start: str, ends: str
) -> None:
    table = staged(players="2")
    unit = msgspec.structs.replace(table.pack.unit["rifleman"], actions=("move 2",))
    table.pack = msgspec.structs.replace(table.pack, unit=table.pack.unit | {"rifleman": unit})
    riflemen = put(table, "us", "rifleman-a", start)
    scouted(table, "us", *table.ground.tiles)
    table.state.turn, table.state.players["us"].hand = "us", ["rifleman-a"]
    playing, answer = rounds.play(table, "us", "rifleman-a"), None
    with suppress(StopIteration):
        while True:
            answer = advise(table, playing.send(answer), "bold")
    assert riflemen.tile == ends


def test_the_same_seed_gives_the_same_game() -> None:
    def texts() -> list[str]:
        play = fresh()
        decide = autoplay.policy(GAME, play, "first", autoplay.Random(1))
        return [step.ask.text for step in autoplay.steps(play, decide, 7)]

    assert texts() == texts()


@pytest.mark.parametrize("side", ["us", "ge"])
def test_the_players_points_come_first_in_the_score(side: str) -> None:
    outcome, _ = play_checked(GAME, ready(GAME, "la-raye", {"side": side}), 0, "first")
    assert next(iter(outcome.score)) == FACTIONS[side]


@pytest.mark.parametrize(
    ("scenario", "path", "value"),
    [
        (LA_RAYE, "initiative", "german"),
        (LA_RAYE, "turn", "me"),
        (LA_RAYE, "round", -1),
        (LA_RAYE, "radio", -1),
        (LA_RAYE, "radio", 1),
        (LA_RAYE, "sides.us.next_commander", "ge"),
        (LA_RAYE, "sides.us.target", "17b"),
        (LA_RAYE, "sides.us.target", "17B"),
        (LA_RAYE, "sides.us.mines", -1),
        (LA_RAYE, "sides.us.mines", 1),
        (NIGHT, "sides.it.mines", 1),
        (LA_RAYE, "no_vehicles", ["1A"]),
        (LA_RAYE, "sides.us.counters.scout-a.disabled", True),
        (LA_RAYE, "sides.us.counters.scout-a.unit", "scout-b"),
        (LA_RAYE, "sides.us.counters", {}),
        (LA_RAYE, "sides.us.destroyed", 1),
        (NIGHT, "sides.it.destroyed", 1),
        (LA_RAYE, "structures", {"2B": {"side": "", "unit": "structure", "owner": "", "tile": "2B"}}),
        (NIGHT, "structures", {"D8": {"side": "", "unit": "crewman", "owner": "", "tile": "D8"}}),
        (LA_RAYE, "bids", {"x": "y"}),
        (NIGHT, "sides.lrdg.counters.scout-car.vehicle", "scout-car"),
        (LA_RAYE, "mines", [{"between": ["2B", "16B"], "face": "anti-personnel"}]),
        (NIGHT, "structures", {"D8": {"side": "", "unit": "structure", "owner": "", "tile": "D9"}}),
        (NIGHT, "structures.D8.unit", "medium-tank"),
        (NIGHT, "structures.D8.owner", "lrdg"),
        (NIGHT, "structures.D8.suppressed", True),
        (
            NIGHT,
            "sides.lrdg.counters.crewman-a",
            {
                "side": "lrdg",
                "unit": "crewman-a",
                "owner": "lrdg",
                "tile": "D1",
                "vehicle": "scout-car",
                "seat": 2,
            },
        ),
    ],
)
def test_a_name_or_number_that_the_table_has_not_is_refused_when_set(
    scenario: str, path: str, value: object
) -> None:
    run = Run(fresh(scenario), 1)
    with pytest.raises(BadAnswer, match="can't be"):
        run.override({path: value})


def test_a_counter_without_a_card_is_refused() -> None:
    game = fresh()
    run = Run(game, 1)
    counters = msgspec.to_builtins(game.state.sides["ge"].counters)
    with pytest.raises(BadAnswer, match="ge: mortar has a counter, but no card"):
        run.override(
            {"sides.ge.counters": counters | {"mortar": {"side": "ge", "unit": "mortar", "owner": "ge"}}}
        )


def test_a_misspelt_unit_as_a_counter_is_refused_in_words() -> None:
    game = fresh()
    counters = msgspec.to_builtins(game.state.sides["ge"].counters)
    misspelt = {"riflmen-a": {"side": "ge", "unit": "riflmen-a", "owner": "ge"}}
    with pytest.raises(BadAnswer, match=r"can't be: ge: there is no unit riflmen-a$"):
        Run(game, 1).override({"sides.ge.counters": counters | misspelt})


@pytest.mark.parametrize("players", ["1", "2"])
def test_a_bot_of_the_players_side_or_among_people_is_refused(players: str) -> None:
    run = Run(fresh(players=players), 1)
    with pytest.raises(BadAnswer, match=f"the bot plays us, not {'ge' if players == '1' else 'nobody'}"):
        run.override({"bot": {"side": "us", "bolster": {}}})


def test_all_structures_and_mines_of_the_sheet_can_be_set() -> None:
    Run(fresh(NIGHT), 1).override({"mines": [MINE] * 6, "sides.lrdg.mines": 6, "sides.lrdg.destroyed": 4})


def test_two_soldiers_are_not_set_into_the_same_seat() -> None:
    run = Run(fresh(NIGHT, side="it"), 1)
    unit = "sides.it.counters.{}.{}"
    run.override(
        {unit.format("crewman-a", "tile"): "D12", unit.format("crewman-a", "vehicle"): "medium-tank"}
    )
    with pytest.raises(BadAnswer, match="sits in seat 0 of medium-tank, where another sits"):
        run.override({unit.format("desert-scout-a", "vehicle"): "medium-tank"})


def answered(run: Run, key: str) -> Run:
    """The run at the first question of that key; all others before it take the first answer."""
    while run.ask is not None and run.ask.key != f"undaunted.{key}":
        run.answer(run.ask.accept(run.chance() if run.ask.is_chance else at_first(run.ask)))
    return run


def test_a_bid_set_by_hand_before_the_own_one_is_discarded_as_that_is_laid() -> None:
    game = fresh()
    run = answered(Run(game, 1), "bid")
    you = game.state.players["us"]
    lost, *hand = you.hand
    run.override({"bids": {"us": lost}, "players.us.hand": hand})
    run.answer(hand[0])
    assert game.state.bids == {"us": hand[0]}
    assert you.discard == {lost: 1}
    assert not list(game.check())


@pytest.mark.parametrize("left", [0, 1])
def test_a_unit_that_is_taken_off_by_hand_as_it_moves_moves_no_further(left: int) -> None:
    """Before its first step, which it has to take, nothing is left to answer."""
    game = fresh()
    run = Run(game, 1)
    rng = Random(1)
    while True:
        question = run.ask
        assert question is not None
        if question.key.endswith(".to") and ("stop here" in str(question)) is bool(left):
            break
        run.answer(question.accept(run.chance() if question.is_chance else at_random(question, rng)))
    (moving,) = [
        f"sides.{side}.counters.{unit}.tile"
        for side, own in game.state.sides.items()
        for unit, one in own.counters.items()
        if question.text.startswith(f"{game.table.name(one)} on {one.tile}:")
    ]
    run.override({moving: ""})
    assert run.ask is not None
    assert " off the board: scout to?" in run.ask.text
    assert run.ask.answerable() is bool(left)


@pytest.mark.parametrize("key", ["setup", "bid"])
def test_whose_turn_it_is_cannot_be_set_by_hand(key: str) -> None:
    """The question stayed with who had it, and only the board said otherwise."""
    run = answered(Run(fresh(), 1), key)
    with pytest.raises(BadAnswer, match="it is the turn of nobody, and is not handed on by hand"):
        run.override({"turn": "us"})
    answered(run, "turn.card")
    for value in ("", "ge"):
        with pytest.raises(BadAnswer, match="it is the turn of us, and is not handed on by hand"):
            run.override({"turn": value})


def test_a_bid_set_by_hand_once_they_are_told_is_discarded() -> None:
    game = fresh()
    run = answered(Run(game, 1), "initiative")
    you = game.state.players["us"]
    late, *hand = you.hand
    run.override({"bids": {"us": late}, "players.us.hand": hand})
    run.answer(True)
    assert not game.state.bids
    assert you.discard[late]
    with pytest.raises(BadAnswer, match="bids fog in the turn of"):
        run.override({"bids": {"us": "fog"}})


def test_a_card_set_by_hand_to_be_the_one_resolved_is_discarded_as_the_next_is_turned_to() -> None:
    game = fresh()
    run = answered(Run(game, 1), "draw.ge")
    run.answer(run.chance())
    answered(run, "draw.ge")
    bot = game.state.players["ge"]
    with pytest.raises(BadAnswer, match="can't be"):
        run.override({"bot.resolving": "sergeant"})
    card = next(iter(bot.deck))
    deck = {**bot.deck, card: bot.deck[card] - 1}
    run.override(
        {"bot.resolving": card, "players.ge.deck": {one: count for one, count in deck.items() if count}}
    )
    answered(run, "bid")
    assert not list(game.check())


OFF = {"side": "it", "unit": "crewman-a", "owner": "it"}
UNSEEN = {"card": "", "face_down": True}
MINE = {"between": ["D1", "D2"], "face": "anti-armour"}


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("sides.lrdg.counters.scout-car.tile", "D13", "lrdg scout-car is on D13, which is not on the board"),
        ("sides.lrdg.counters.crewman-a.unit", "crewman", "lrdg crewman-a is 'crewman'"),
        ("sides.lrdg.counters.crewman-a.unit", "D1", "lrdg crewman-a is 'D1'"),
        ("sides.lrdg.counters.crewman-a.side", "GB", "lrdg crewman-a belongs to GB and lrdg"),
        ("sides.lrdg.counters.crewman-a.side", "", "lrdg crewman-a belongs to nobody and lrdg"),
        ("sides.lrdg.counters.crewman-a.owner", "it", "lrdg crewman-a belongs to lrdg and it"),
        ("sides.it.counters.crewman-a", OFF | {"hits": 1}, "it crewman-a is off the board, but marked"),
        (
            "sides.it.counters.crewman-a",
            OFF | {"suppressed": True},
            "it crewman-a is off the board, but marked",
        ),
        (
            "sides.lrdg.counters.sapper-a.vehicle",
            "scout-car",
            "lrdg sapper-a sits in scout-car, which is not on D2",
        ),
        ("sides.lrdg.counters.sapper-a.vehicle", "jeep", "lrdg sapper-a sits in jeep, which is not on D2"),
        ("sides.lrdg.mines", 7, "lrdg: mines is 7, but there are 6"),
        ("mines", [MINE] * 7, "7 mines lie on the board, but there are 6"),
        ("sides.lrdg.destroyed", 5, "lrdg: destroyed is 5, but all structures are worth 4"),
        ("players.lrdg.removed", {"lieutenant": 0}, "lrdg: a pile holds 0 of lieutenant"),
        ("bot.row", [UNSEEN] * 12, "it: more cards lie face down unseen than the deck counts"),
    ],
)
def test_why_a_counter_or_card_cannot_be_set_so_is_said_in_words(path: str, value: object, why: str) -> None:
    run = Run(fresh(NIGHT), 1)
    with pytest.raises(BadAnswer) as refused:
        run.override({path: value})
    assert str(refused.value).endswith(f"can't be: {why}")


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("sides", {}, "nobody plays us and ge"),
        ("players", {}, "nobody plays us and ge"),
        ("players.ge.side", "us", "nobody plays ge"),
        ("scenario", "la-raye-2", "the scenario is 'la-raye-2', but La Raye is played"),
    ],
)
def test_a_side_or_scenario_that_is_taken_away_is_refused_by_what_lacks(
    path: str, value: object, why: str
) -> None:
    with pytest.raises(BadAnswer) as refused:
        Run(fresh(), 1).override({path: value})
    assert str(refused.value).endswith(f"can't be: {why}")


def test_a_third_side_is_refused_in_words() -> None:
    game = fresh()
    sides = msgspec.to_builtins(game.state.sides)
    with pytest.raises(BadAnswer, match=r"can't be: this scenario has no side it$"):
        Run(game, 1).override({"sides": {**sides, "it": sides["us"]}})
