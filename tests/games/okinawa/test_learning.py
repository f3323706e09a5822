"""Cards that no pack knows: entered field by field, known from then on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import tomli_w
from msgspec.structs import replace

from companion.engine import owner_pack, packs
from companion.engine.asks import AnyAsk, Choose, Draw, Number, Option, Pick, Script
from companion.engine.errors import BadAnswer, BadInput
from companion.engine.packs import Header, PackFile, Source, Tables
from companion.games.okinawa import GAME, effects, entering, learning, moving, objectives, scenarios, setup
from companion.games.okinawa.board import board
from companion.games.okinawa.cards import (
    ActionDeck,
    Arrow,
    EnemyEffect,
    EnemyType,
    Happening,
    Pack,
    Post,
    Printed,
    Scenario,
    ScenarioEffect,
    Timing,
    Where,
)
from companion.games.okinawa.state import Action, Enemy
from companion.games.okinawa.table import Table
from companion.games.okinawa.unseen import HILL
from tests.games.okinawa.field import ids, run, shipped, stop_at, table, texts

MORTAR = ("Mortar", "soldier", 2, 1, 1, ["up"], 1)
TANK = ("Tank", "armor-damage", 2, "no more", "armor-damage", 3, "no more", 1, "yes", "no", "no")
ROLLED = ("target", 1, "rolled", "act", "yes", 1, 9, "no more")
SPAWN = ("spawn", 2, "pawn", "reveal", "no")
LAST = ("no", "no")
REPLACING = {"random": "replaced", "chosen": "chosen"}


def hidden() -> Table:
    laid = table()
    laid.state.deck -= 1
    laid.state.row[0] = [Enemy(pool="deck1")]
    return laid


@pytest.mark.rule("OKI-R79")
def test_an_unknown_enemy_that_nobody_knows_is_entered_where_it_lies() -> None:
    laid = hidden()
    run(effects.reveal_exposed(laid), ["new"], *MORTAR, *SPAWN, *ROLLED, *LAST)
    one = laid.state.row[0][0]
    printed = laid.enemy(one.card)
    assert one.card == "own-mortar"
    assert (printed.type, printed.health, printed.fog, printed.damage) == (EnemyType.SOLDIER, 2, 1, 1)
    assert printed.arrows == (Arrow.UP,)
    assert [(effect.effect, effect.where) for effect in printed.effects] == [
        (EnemyEffect.SPAWN, Where.PAWN),
        (EnemyEffect.TARGET, Where.ROLLED),
    ]
    assert printed.source is Source.OWNER
    assert one.fog == 1
    assert len(laid.state.soldiers) == 4, "its effect at the reveal"
    assert len(laid.state.unseen["deck1"]) == 9


def test_a_question_that_means_nothing_to_an_effect_says_what_to_answer() -> None:
    asked = run(effects.reveal_exposed(hidden()), ["new"], *MORTAR, *SPAWN, *ROLLED, *LAST)
    told = [one.text for one in asked if one.key.startswith("okinawa.new.enemy.")]
    assert told[8:12] == [
        "How many or how much?",
        "Which Action Spaces? Here: any",
        "When?",
        "Only on some results of its die? Here: no",
    ]
    assert told[13:17] == [
        "How many or how much? Here: 1",
        "Which Action Spaces?",
        "When? Here: each time it acts",
        "Only on some results of its die?",
    ]


@pytest.mark.parametrize(("known", "more"), [("", []), ("Tank", []), ("Chi-Ha", ["Chi-Ha"])])
def test_a_name_of_the_owners_own_is_offered_beside_the_kinds(known: str, more: list[str]) -> None:
    offered = ids(stop_at(entering.enemy_card("A", known=known), "okinawa.new.enemy.name"))
    assert offered == [*ids(stop_at(entering.enemy_card("A"), "okinawa.new.enemy.name"))[:8], *more]


@pytest.mark.parametrize(
    "script",
    [
        lambda: entering.enemy_card("A"),
        lambda: entering.action_card(ActionDeck.REINFORCEMENT),
        lambda: entering.objective(4),
        lambda: entering.scenario("I"),
    ],
)
def test_the_most_that_can_be_entered_can_be_kept(script: Callable[[], Script[Printed]]) -> None:
    entered: list[Printed] = []
    asked: set[str] = set()

    def most(question: AnyAsk) -> object:
        if isinstance(question, Number):
            return question.most
        if isinstance(question, Pick):
            return ids(question)
        again = question.key in asked and "no more" in ids(question)
        asked.add(question.key)
        return "no more" if again else ids(question)[-1]

    answer: object = None
    part = script()
    while not entered:
        try:
            question = part.send(answer)
            answer = question.accept(most(question))
        except StopIteration as end:
            entered.append(end.value)
    assert msgspec.convert(msgspec.to_builtins(entered[0]), type(entered[0])) == entered[0]


@pytest.mark.parametrize(("end", "given", "taken"), [("low", [], (1, 10)), ("high", [4], (4, 10))])
def test_results_of_a_die_are_those_of_a_d10_the_lower_first(
    end: str, given: list[int], taken: tuple[int, int]
) -> None:
    script = effects.reveal_exposed(hidden())
    question = stop_at(script, f"okinawa.new.enemy.{end}", ["new"], *MORTAR, *ROLLED[:5], *given)
    assert [question.accept(result) for result in taken] == list(taken)
    for result in (taken[0] - 1, taken[1] + 1):
        with pytest.raises(BadAnswer):
            question.accept(result)


def test_an_effect_of_a_card_without_a_die_icon_is_asked_for_no_results_of_one() -> None:
    laid = hidden()
    run(effects.reveal_exposed(laid), ["new"], *MORTAR[:-1], 0, *SPAWN[:-1], "no more", *LAST)
    (effect,) = laid.enemy("own-mortar").effects
    assert (effect.amount, effect.die) == (2, None)


@pytest.mark.parametrize(
    ("name", "given", "key", "told"),
    [
        (
            "action.tank",
            [[], "Tank", "armor-damage", 3, "scout", 1, "no more", "no more", 1, "no", "no", "no", 2],
            "okinawa.new.action.basic",
            ["so far: none", "so far: armor damage 3", "so far: armor damage 3, scout 1"],
        ),
        (
            "enemy.tank",
            ["none", *MORTAR, *SPAWN, *ROLLED, *LAST, 2],
            "okinawa.new.enemy.effect",
            ["so far: none", "so far: soldiers come in", "so far: soldiers come in, attacks more spaces"],
        ),
        (
            "scenario.K",
            ["at once", "fog", 1, [], "no more"],
            "okinawa.new.scenario.effect",
            ["so far: none", "so far: fog on each Enemy card"],
        ),
    ],
)
def test_what_was_entered_so_far_is_told_where_one_more_is_asked_for(
    name: str, given: list[object], key: str, told: list[str]
) -> None:
    asked = run(_keep(learning.enter(shipped(), name), []), *given)
    assert [one.detail for one in asked if one.key == key] == told


def test_a_known_enemy_that_only_a_stand_in_describes_can_be_entered() -> None:
    laid = table()
    laid.state.row[0] = [Enemy("A")]
    run(effects.reveal_exposed(laid), ["new"], *MORTAR, "no more", *LAST)
    printed = laid.enemy("A")
    assert (printed.name, printed.letter, printed.copies) == ("Mortar", "A", 2)
    laid.state.row[1] = [Enemy("A")]
    assert len(run(effects.reveal_exposed(laid))) == 1, "the second one is known"


@pytest.mark.rule("OKI-197")
@pytest.mark.parametrize(("health", "damage", "stays"), [(2, 2, False), (2, 1, True), (0, 1, True)])
def test_what_is_entered_for_a_second_known_enemy_holds_for_the_damage_on_the_first(
    health: int, damage: int, stays: bool
) -> None:
    laid = table()
    laid.state.row[:2] = [[Enemy("G", up=True, damage=damage)], [Enemy("G")]]
    entered = ("Mortar", "soldier", health, 1, 1, ["up"], 0, "no more", *LAST)
    asked = run(effects.reveal_exposed(laid), ["new"], *entered)
    assert bool(laid.state.row[0]) is stays
    assert ("G Mortar (Space 2) is defeated: back to its pile" in texts(asked)) is not stays
    if stays:
        assert laid.state.row[0][0].damage == (damage if health else 0)


def test_cards_that_were_entered_under_one_name_are_told_apart_by_what_they_show() -> None:
    laid = hidden()
    state = laid.state
    state.learned.enemy["one"] = replace(
        laid.enemy("ambush"), name="Gun", source=Source.OWNER, effects=(), arrows=(Arrow.UP, Arrow.DOWN_LEFT)
    )
    state.learned.enemy["other"] = replace(
        laid.enemy("field-gun"), name="Gun", source=Source.OWNER, health=0, effects=()
    )
    state.unseen["deck1"] = ["one", "other", *state.unseen["deck1"][2:]]
    question = stop_at(effects.reveal_exposed(laid), "okinawa.reveal.card")
    assert isinstance(question, Draw)
    guns = [option for option in question.options if option.label == "Gun"]
    assert [(option.id, option.detail) for option in guns] == [
        ("one", "soldier; health 2; fog 0; damage 2; arrows up, down left"),
        ("other", "armor; no health; fog 1; damage 2; 1 D10"),
    ]
    snare = next(one for one in question.options if one.id == "snare")
    assert snare.detail == "soldier; health 2; fog 0; damage 0; 1 D10 (stand-in)"


def details(question: object) -> dict[str, str]:
    assert isinstance(question, Draw)
    return {option.id: option.detail for option in question.options}


def test_a_new_card_of_a_name_that_another_has_takes_no_others_place() -> None:
    laid = hidden()
    laid.pack = replace(laid.pack, enemy={**laid.pack.enemy, "own-mortar": laid.enemy("ambush")})
    for post, health in enumerate((2, 4)):
        laid.state.row[post] = [Enemy(pool="deck1")]
        run(effects.reveal_exposed(laid), ["new"], *MORTAR[:2], health, *MORTAR[3:], "no more", *LAST)
    entered = {card: one.health for card, one in laid.state.learned.enemy.items()}
    assert entered == {"own-mortar-2": 2, "own-mortar-3": 4}


def test_what_a_stand_in_shows_is_said_so_that_the_real_card_can_be_compared_with_it() -> None:
    laid = hidden()
    laid.state.row[0] = [Enemy("G")]
    laid.state.scenario = "I"

    enemy = details(stop_at(effects.reveal_exposed(laid), "okinawa.reveal.known"))
    scenario = details(stop_at(scenarios.comes_in(laid), "okinawa.scenario.card"))
    laid.state.number = 0
    objective = details(stop_at(objectives.set_up_objective(laid), "okinawa.objective.card"))
    laid.state.number = 3
    last = details(stop_at(objectives.set_up_objective(laid), "okinawa.objective.last"))

    assert enemy["G"] == ("soldier; health 3; fog 1; damage 2; arrows up left, up, up right, down (stand-in)")
    assert scenario["I"] == "at once: 1 adjust token (stand-in)"
    assert objective["kakazu-ridge"] == (
        "Scenario I; flag 2; 5 dice; 2 soldiers; G on A, F on B, G on 1 Unknown (stand-in)"
    )
    assert "; Upgrade (" in objective["river-bank"]
    assert "; -, A" in learning.on_objective(replace(laid.objective, row=(Post(""), Post("A"))))
    assert last["hill-89"].startswith("Scenario R; flag 7; 6 dice; ")
    assert last["hill-89"].endswith("; 4 random Unknown; Upgrade (stand-in)")
    plane, pill_box = (learning.on_enemy(laid.enemy(card)) for card in ("kawanashi", "pill-box"))
    assert plane.endswith("; 1 D10; plane")
    assert pill_box.endswith("; protects soldiers")


@pytest.mark.rule("OKI-247", "OKI-R79")
def test_at_hill_89_an_entered_card_takes_a_stand_ins_place_and_not_the_owners() -> None:
    laid = hidden()
    state = laid.state
    state.learned.enemy["aircraft"] = replace(laid.enemy("ambush"), source=Source.OWNER)
    state.unseen = {"deck1": ["smoke"], HILL: ["aircraft", "A"]}
    state.row[0] = [Enemy(pool=HILL)]
    run(effects.reveal_exposed(laid), ["new"], "none", *MORTAR, "no more", *LAST)
    assert state.unseen == {"deck1": [], HILL: ["aircraft", "A"]}


@pytest.mark.rule("OKI-247", "OKI-R79")
def test_at_hill_89_no_other_card_can_come_up_where_the_owner_has_entered_all_that_lie_there() -> None:
    laid = hidden()
    laid.state.learned.enemy["A"] = replace(laid.enemy("A"), source=Source.OWNER)
    laid.state.unseen = {"deck1": [], HILL: ["A"]}
    laid.state.row[0] = [Enemy(pool=HILL)]
    assert ids(stop_at(effects.reveal_exposed(laid), "okinawa.reveal.card")) == ["A"]


@pytest.mark.rule("OKI-247", "OKI-R79")
@pytest.mark.parametrize(("unseen", "letters"), [(["smoke"], ["none", "A"]), ([], ["A"])])
def test_a_known_enemy_that_only_a_stand_in_describes_is_entered_at_hill_89_by_its_letter(
    unseen: list[str], letters: list[str]
) -> None:
    laid = hidden()
    state = laid.state
    state.learned.enemy["B"] = replace(laid.enemy("B"), source=Source.OWNER)
    state.unseen = {"deck1": unseen, HILL: ["A", "B"]}
    state.row[:2] = [[Enemy(pool=HILL)], [Enemy(pool=HILL)]]
    state.row[2] = [Enemy(pool=HILL)] * len(unseen)
    asked = run(effects.reveal(laid, "2"), ["new"], "A", *MORTAR, "no more", *LAST)
    assert [option.label for option in asked[0].options] == [
        "A Rifle Squad",
        "B Light Tank",
        *(laid.enemy(card).name for card in unseen),
        "Another card",
    ]
    assert ids(asked[1]) == letters
    assert laid.name_of(state.row[0][0]) == "A Mortar"
    assert state.unseen[HILL] == ["B"]
    assert learning.learned(state.learned)["enemy"]["A"]["copies"] == 2


def test_a_new_reinforcement_takes_a_stand_ins_place() -> None:
    laid = table()
    run(moving.refill(laid), ["new", "sniper", "sniper"], *TANK, ["medkit", "grenade", "adjust"])
    assert [offer.card for offer in laid.state.offers] == ["sniper", "sniper", "own-tank"]
    assert laid.side_text(Action("own-tank")) == "armor 2, gas can"
    assert len(laid.state.reinforcements) == 12


def test_one_more_of_a_reinforcement_that_was_entered_is_not_entered_again() -> None:
    laid = table()
    run(moving.refill(laid), ["new", "sniper", "sniper"], *TANK, ["medkit", "grenade", "adjust"])
    laid.state.learned.action["own-basic"] = replace(laid.action("rifleman"), source=Source.OWNER)
    del laid.state.offers[0]
    question = stop_at(moving.refill(laid), "okinawa.resupply.card")
    assert isinstance(question, Draw)
    assert "own-basic" not in ids(question), "it is of another deck"
    assert question.options[-2:] == (
        Option("own-tank", "Tank", "One more of it; armor 2, gas can", copies=0),
        learning.NEW,
    )
    run(moving.refill(laid), ["own-tank"], ["medkit"])
    assert [offer.card for offer in laid.state.offers] == ["sniper", "own-tank", "own-tank"]
    assert len(laid.state.reinforcements) == 11
    assert learning.learned(laid.state.learned)["action"]["own-tank"]["copies"] == 2

    laid.state.reinforcements[-1] = "own-basic"
    del laid.state.offers[0]
    question = stop_at(moving.refill(laid), "okinawa.resupply.card")
    assert "own-tank" not in ids(question), "the deck ends with a card of the box, which makes no place"

    laid.state.reinforcements[0], laid.state.reinforcements[-1] = "own-tank", "sherman"
    question = stop_at(moving.refill(laid), "okinawa.resupply.card")
    assert ids(question).count("own-tank") == 1, "it is in the deck"


@pytest.mark.parametrize("way", ["random", "chosen"])
@pytest.mark.parametrize(("replaces", "offered"), [(1, ["own-tank", "new"]), (2, ["new"])])
def test_one_more_of_a_reinforcement_that_was_entered_can_take_a_riflemans_place(
    way: str, replaces: int, offered: list[str]
) -> None:
    laid = table(riflemen=way)
    tank = (*TANK[:-4], replaces, *TANK[-3:])
    run(moving.refill(laid), ["new", "sniper", "sniper"], *tank, ["medkit", "grenade", "adjust"])
    question = stop_at(setup.replace_riflemen(laid), f"okinawa.setup.{REPLACING[way]}", ["1", "2"])
    assert ids(question)[-len(offered) :] == offered
    assert ids(question)[-len(offered) - 1] == "sherman"
    if replaces == 1:
        run(setup.replace_riflemen(laid), ["1", "2"], ["own-tank", "sherman"])
        assert sorted(space.action.card for space in laid.state.spaces[:2]) == ["own-tank", "sherman"]
        assert len(laid.state.reinforcements) == 10
        assert learning.learned(laid.state.learned)["action"]["own-tank"]["copies"] == 2


def test_one_more_of_an_unknown_enemy_that_was_entered_is_not_entered_again() -> None:
    laid = hidden()
    state = laid.state
    run(effects.reveal_exposed(laid), ["new"], *MORTAR, "no more", *LAST)
    state.row[1] = [Enemy(pool="deck1")]
    state.deck -= 1
    asked = run(effects.reveal_exposed(laid), ["own-mortar"])
    assert [one.key for one in asked] == ["okinawa.reveal.card", "okinawa.reveal.shown"]
    assert laid.name_of(state.row[1][0]) == "Mortar (Space 3)"
    assert len(state.unseen["deck1"]) == state.deck == 8
    assert learning.learned(state.learned)["enemy"]["own-mortar"]["copies"] == 2

    state.unseen["deck1"].append("own-mortar")  # from the discard that was shuffled
    state.row[2] = [Enemy(pool="deck1")]
    run(effects.reveal_exposed(laid), ["own-mortar"])
    assert learning.learned(state.learned)["enemy"]["own-mortar"]["copies"] == 2


def test_one_more_of_an_unknown_enemy_that_was_entered_may_lie_where_the_first_cannot() -> None:
    laid = hidden()
    state = laid.state
    run(effects.reveal_exposed(laid), ["new"], *MORTAR, "no more", *LAST)
    state.unseen = {"deck1": ["smoke"], "deck2": ["own-mortar"]}
    state.row[0] = [Enemy(pool="deck1")]
    question = stop_at(effects.reveal_exposed(laid), "okinawa.reveal.card")
    assert ids(question) == ["smoke", "own-mortar", "new"]
    assert question.former is not None
    assert ids(question.former) == ["smoke", "new"]
    run(effects.reveal_exposed(laid), ["own-mortar"])
    assert state.unseen == {"deck1": [], "deck2": ["own-mortar"]}
    assert learning.learned(state.learned)["enemy"]["own-mortar"]["copies"] == 2


def test_one_more_of_a_known_enemy_that_was_entered_is_no_unknown_one() -> None:
    laid = table()
    laid.state.row[0] = [Enemy("A")]
    run(effects.reveal_exposed(laid), ["new"], *MORTAR, "no more", *LAST)
    laid.state.row[1] = [Enemy(pool="deck1")]
    question = stop_at(effects.reveal_exposed(laid), "okinawa.reveal.card")
    assert ids(question) == [*sorted(set(laid.state.unseen["deck1"])), "new"]


def test_one_more_of_what_the_owners_pack_has_changes_nothing_in_the_pack_and_this_is_told() -> None:
    laid = hidden()
    owned = replace(laid.enemy("ambush"), name="Gun", source=Source.OWNER)
    laid.pack = replace(laid.pack, enemy={**laid.pack.enemy, "own-gun": owned})
    question = stop_at(effects.reveal_exposed(laid), "okinawa.reveal.card")
    assert isinstance(question, Draw)
    told = "One more of it than your pack has: pack edit okinawa.enemy.own-gun; soldier; health 2"
    assert question.options[-2].detail.startswith(told)
    run(effects.reveal_exposed(laid), ["own-gun"])
    assert laid.state.row[0][0].card == "own-gun"
    assert learning.learned(laid.state.learned) == {}


def test_one_more_of_a_reinforcement_that_the_owners_pack_has_is_told_as_such() -> None:
    laid = table()
    owned = replace(laid.action("sniper"), name="Gun", source=Source.OWNER)
    laid.pack = replace(laid.pack, action={**laid.pack.action, "own-gun": owned})
    question = stop_at(moving.refill(laid), "okinawa.resupply.card")
    assert isinstance(question, Draw)
    told = "One more of it than your pack has: pack edit okinawa.action.own-gun; scout, soldier 1"
    assert (question.options[-2].id, question.options[-2].detail) == ("own-gun", told)


@pytest.mark.parametrize("unseen", [["own"], ["smoke", "own"], ["G"]])
def test_one_more_is_not_offered_while_one_is_unseen_or_no_stand_in_can_make_place(unseen: list[str]) -> None:
    laid = hidden()
    state = laid.state
    for name in ("own", "owned"):
        state.learned.enemy[name] = replace(laid.enemy("ambush"), source=Source.OWNER)
    state.unseen = {"deck1": [], HILL: unseen}
    state.row[0] = [Enemy(pool=HILL)]
    question = stop_at(effects.reveal_exposed(laid), "okinawa.reveal.card")
    assert [one for one in ids(question) if one not in unseen] == (
        ["owned", "new"] if "smoke" in unseen else ["new"]
    )


@pytest.mark.parametrize(
    ("drawn", "told"),
    [
        (["new", "new", "machine-gun-team"], ["new card 1 of 2", "new card 2 of 2"]),
        (["new", "sherman", "corsair"], [""]),
    ],
)
def test_which_of_several_new_cards_is_asked_about_is_told(drawn: list[str], told: list[str]) -> None:
    cards = [answer for _ in told for answer in TANK]
    asked = run(moving.refill(table()), drawn, *cards, ["medkit", "grenade", "adjust"])
    assert [one.detail for one in asked if one.text == "What is on the card?"] == told


@pytest.mark.rule("OKI-025")
def test_stand_ins_that_are_all_our_own_make_place_for_new_reinforcements_first() -> None:
    laid = table()
    run(moving.refill(laid), ["new", "new", "new"], *TANK, *TANK, *TANK, ["medkit", "grenade", "adjust"])
    left = laid.state.reinforcements
    assert [left.count(card) for card in ("machine-gun-team", "sherman", "corsair")] == [1, 2, 2]
    assert "command-post" not in left
    assert "field-hospital" not in left


def test_a_new_objective_and_its_scenario() -> None:
    laid = table()
    laid.state.number = 0
    row = ("A", ["B"], 1, "F", [], 0, "no more")
    objective = ("Q", 2, 5, 3, *row, "no")
    scenario = ("loop end", "mines", 1, ["3", "10"], "no more")
    asked = run(objectives.set_up_objective(laid), ["new"], *objective, ["new"], *scenario)
    assert laid.objective.name == "Objective 1 Q"
    assert [len(stack) for stack in laid.state.row] == [3, 1, 0, 0]
    assert laid.scenario is not None
    assert laid.scenario.effects[0].spaces == (3, 10)
    assert "Objective 1: Q" in texts(asked).splitlines()
    shown = board(laid)
    assert shown.title.startswith("1 Q, flag 2")
    assert next(one for one in shown.panels if one.title == "Beside").lines[0].startswith("Scenario Q, each")


def test_a_scenario_that_was_typed_in_is_named_once_as_it_acts() -> None:
    laid = table()
    gain = (Happening(ScenarioEffect.ADJUST),)
    typed = Scenario(name="Scenario I", timing=Timing.AT_ONCE, effects=gain)
    laid.state.scenario, laid.state.learned.scenario["I"] = "I", typed
    assert texts(run(scenarios.comes_in(laid))).strip() == "Scenario I: Gained: adjust token, 1 now"


def test_what_an_effect_is_asked_for_has_words_beside_its_ids() -> None:
    asked = run(effects.reveal_exposed(hidden()), ["new"], *MORTAR, *SPAWN, *ROLLED, *LAST)
    chosen = [one for one in asked if isinstance(one, Choose | Pick)]
    labels = {one.key: {option.id: option.label for option in one.options} for one in chosen}
    assert labels["okinawa.new.enemy.effect"]["move-top"] == "goes right of the top row"
    assert labels["okinawa.new.enemy.effect"]["spawn"] == "soldiers come in"
    assert labels["okinawa.new.enemy.where"]["rolled-column"] == "the column of its die's number"
    assert labels["okinawa.new.enemy.when"]["act"] == "each time it acts"
    assert labels["okinawa.new.enemy.arrows"]["up-left"] == "up left"


def test_a_question_that_means_nothing_to_a_scenarios_effect_says_what_to_answer() -> None:
    laid = table()
    laid.state.scenario = "I"
    answers = ("at once", "mines", 1, ["3"], "spawn", 2, [], "no more")
    asked = run(learning.check_scenario(laid, "at once"), ["new"], *answers)
    told = [one.text for one in asked if one.key.endswith((".amount", ".spaces"))]
    assert told == [
        "How many or how much? Here: 1",
        "Which Action Spaces does it name?",
        "How many or how much?",
        "Which Action Spaces does it name? Here: none",
    ]


def test_what_was_learned_is_a_pack_of_the_owner_that_wins(tmp_path: Path) -> None:
    laid = hidden()
    run(effects.reveal_exposed(laid), ["new"], *MORTAR, *ROLLED, *LAST)
    laid.state.row[1] = [Enemy("A")]
    run(effects.reveal_exposed(laid), ["new"], *MORTAR, "no more", *LAST)
    kept = learning.learned(laid.state.learned)
    assert set(kept) == {"enemy"}
    assert tomli_w.dumps(kept)
    path = tmp_path / "owner" / "pack.toml"
    packs.write(PackFile(path, Header("okinawa", "owner", Source.OWNER), kept))
    merged = packs.build(packs.merge("okinawa", packs.find(GAME.folder, tmp_path)), Pack)
    assert merged.enemy["A"].name == "Mortar"
    assert merged.enemy["own-mortar"].effects == laid.enemy("own-mortar").effects
    fresh = Table(merged, laid.settings)
    setup.fill_decks(fresh)
    assert "own-mortar" in fresh.state.unseen["deck1"]
    assert fresh.state.deck == 10, "a stand-in made place"


@pytest.mark.parametrize(
    ("name", "answers", "field"),
    [
        ("enemy.B", (*MORTAR, "no more", *LAST, 2), "letter"),
        ("enemy.tankette", ("none", *MORTAR, "no more", *LAST, 1), "name"),
        ("action.bazooka", (["6"], "Tank", "no more", "no more", 1, "no", "no", "no"), "spaces"),
        ("objective.hill-89", ("R", 5, 6, 2, "H", [], 0, "no more", "no", 4), "random_unknown"),
        ("scenario.I", ("at once", "no more"), "timing"),
    ],
)
def test_any_card_can_be_entered_apart_from_a_game(
    name: str, answers: tuple[object, ...], field: str
) -> None:
    table_name, _, card = name.partition(".")
    entered: list[Tables] = []
    run(_keep(learning.enter(shipped(), name), entered), *answers)
    assert field in entered[0][table_name][card]


@pytest.mark.parametrize("spaces", [[6], [6, 7]])
def test_of_a_basic_action_card_there_are_as_many_as_the_spaces_it_starts_on(spaces: list[int]) -> None:
    entered: list[Tables] = []
    printed = ("Tank", "no more", "no more", 1, "no", "no", "no")
    run(_keep(learning.enter(shipped(), "action.tank"), entered), list(map(str, spaces)), *printed)
    told = entered[0]["action"]["tank"]
    assert (told["copies"], told["spaces"]) == (len(spaces), tuple(spaces))


@pytest.mark.parametrize("copies", [1, 3])
@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("enemy.G", (*MORTAR, "no more", *LAST)),
        ("enemy.tunnel", ("none", *MORTAR, "no more", *LAST)),
        ("action.sniper", ([], "Tank", "no more", "no more", 1, "no", "no", "no")),
    ],
)
def test_the_owner_says_how_many_of_a_card_there_are_and_is_told_what_was_said_before(
    name: str, answers: tuple[object, ...], copies: int, tmp_path: Path
) -> None:
    table_name, _, card = name.partition(".")
    entered: list[Tables] = []
    asked = run(_keep(learning.enter(shipped(), name), entered), *answers, copies)
    assert (asked[-1].text, asked[-1].detail) == ("How many such cards are in the box?", "")
    assert entered[0][table_name][card]["copies"] == copies
    owner_pack.add_owned(tmp_path, "okinawa", entered[0])
    merged = packs.build(packs.merge("okinawa", packs.find(GAME.folder, tmp_path)), Pack)
    again = run(_keep(learning.enter(merged, name), []), *answers, 5)
    assert again[-1].detail == f"so far: {copies}"
    fresh = Table(merged, table().settings)
    setup.fill_decks(fresh)
    decks = (fresh.state.known, fresh.state.unseen["deck1"], fresh.state.reinforcements)
    assert sum(deck.count(card) for deck in decks) == copies


@pytest.mark.parametrize(
    ("name", "answers", "field", "told"),
    [
        ("enemy.kawanashi", ("none", *MORTAR, "no more", *LAST, 1), "letter", ""),
        ("enemy.patrol", ("C", *MORTAR, "no more", *LAST, 2), "letter", "C"),
        ("action.radio", ([], "Tank", "no more", "no more", 1, "no", "no", "no", 1), "spaces", ()),
        ("action.radio", (["7"], "Tank", "no more", "no more", 1, "no", "no", "no"), "spaces", (7,)),
        ("objective.kakazu-ridge", (2, "Q", 2, 5, 3, "no more", "no"), "number", 2),
    ],
)
def test_nothing_that_a_stand_in_of_that_name_says_becomes_the_owners_word(
    name: str, answers: tuple[object, ...], field: str, told: object
) -> None:
    table_name, _, card = name.partition(".")
    entered: list[Tables] = []
    run(_keep(learning.enter(shipped(), name), entered), *answers)
    assert entered[0][table_name][card][field] == told


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("objective.ridge", (2, "Q", 2, 5, 3, "no more", "no")),
        ("scenario.I", ("at once", "no more")),
        ("enemy.tankette", ("none", "Chi-Ha", *MORTAR[1:], "no more", *LAST, 1)),
        ("action.sniper", ([], "Chi-Ha", "no more", "no more", 1, "no", "no", "no", 1)),
    ],
)
def test_the_name_that_the_owner_gave_a_card_stays_or_is_offered_when_it_is_entered_again(
    name: str, answers: tuple[object, ...], tmp_path: Path
) -> None:
    table_name, _, card = name.partition(".")
    entered: list[Tables] = []
    first = tuple("Tank" if one == "Chi-Ha" else one for one in answers)
    run(_keep(learning.enter(shipped(), name), entered), *first)
    whole = entered.pop()
    whole[table_name][card]["name"] = "Chi-Ha"
    alone: Tables = {table_name: {card: {"name": "Chi-Ha"}}}  # as the page keeps it
    for mine in (whole, alone) if card in getattr(shipped(), table_name) else (whole,):
        folder = tmp_path / str(len(entered))
        owner_pack.add_owned(folder, "okinawa", mine)
        merged = packs.build(packs.merge("okinawa", packs.find(GAME.folder, folder)), Pack)
        run(_keep(learning.enter(merged, name, mine), entered), *answers)
    assert {one[table_name][card]["name"] for one in entered} == {"Chi-Ha"}


def test_an_objective_without_a_name_of_its_own_is_called_by_what_is_entered_again(tmp_path: Path) -> None:
    entered: list[Tables] = []
    run(_keep(learning.enter(shipped(), "objective.mine"), entered), 1, "Q", 2, 5, 3, "no more", "no")
    mine = entered.pop()
    owner_pack.add_owned(tmp_path, "okinawa", mine)
    merged = packs.build(packs.merge("okinawa", packs.find(GAME.folder, tmp_path)), Pack)
    run(_keep(learning.enter(merged, "objective.mine", mine), entered), 2, "R", 2, 5, 3, "no more", "no")
    assert entered[0]["objective"]["mine"]["name"] == "Objective 2 R"


def test_hill_89_keeps_its_name_when_its_card_is_entered() -> None:
    laid = table()
    laid.state.number = 3
    row = ("H", [], 0, "E", [], 0, "B", [], 0, "D", [], 0)
    run(objectives.set_up_objective(laid), ["new"], "R", 5, 6, 2, *row, "no", 4, ["R"])
    assert laid.objective.name == "Hill 89"
    assert laid.state.flag == 5


@pytest.mark.rule("OKI-012")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_new_objective_entered_apart_from_a_game_goes_to_the_pile_of_its_number(number: int) -> None:
    entered: list[Tables] = []
    run(_keep(learning.enter(shipped(), "objective.mine"), entered), number, "Q", 2, 5, 3, "no more", "no")
    assert entered[0]["objective"]["mine"]["number"] == number
    assert entered[0]["objective"]["mine"]["name"] == f"Objective {number} Q"


def _keep(script: Script[Tables], kept: list[Tables]) -> Script[None]:
    kept.append((yield from script))


@pytest.mark.parametrize(
    "name",
    [
        "enemies.B",
        "enemies.I",
        "scenario.A",
        "supply.sandbag",
        "enemy",
        "action",
        "objective",
        "enemy.new",
        "action.new",
    ],
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(BadInput, match="enter"):
        next(learning.enter(shipped(), name))


def test_a_known_enemy_by_a_small_letter_is_not_entered_as_an_unknown_one() -> None:
    with pytest.raises(BadInput, match=r"entered as enemy\.C"):
        next(learning.enter(shipped(), "enemy.c"))
