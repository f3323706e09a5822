"""What ships is complete, says where it comes from, and what is wrong in a pack is said."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest

from companion.engine import packs
from companion.engine.errors import PackError
from companion.engine.packs import Source
from companion.games.okinawa import GAME, setup
from companion.games.okinawa.cards import (
    ActionDeck,
    ActionIcon,
    Effect,
    EnemyCard,
    EnemyEffect,
    EnemyType,
    Happening,
    Pack,
    ScenarioEffect,
    Timing,
    TokenKind,
    When,
    Where,
    by_letter,
    by_space,
)
from companion.games.okinawa.play import Okinawa
from companion.games.okinawa.problems import problems
from companion.games.okinawa.table import Table
from tests.games.driver import setup as prepared
from tests.games.okinawa.field import shipped


def changed(**tables: dict[str, object]) -> Pack:
    return msgspec.structs.replace(shipped(), **tables)


# What ships


def test_the_shipped_packs_have_no_problems() -> None:
    assert list(problems(shipped())) == []


def test_as_many_cards_as_the_component_list_says() -> None:
    pack = shipped()
    components = tomllib.loads((GAME.folder / "ledger.toml").read_text())["components"]
    decks = {deck: sum(one.copies for one in pack.action.values() if one.deck is deck) for deck in ActionDeck}
    assert decks[ActionDeck.BASIC] == components["basic_action_cards"]
    assert decks[ActionDeck.REINFORCEMENT] == components["reinforcement_action_cards"]
    known = [one for one in pack.enemy.values() if one.letter]
    assert sorted(one.letter for one in known) == components["known_enemy_letters"]
    assert sum(one.copies for one in known) == components["known_enemy_cards"]
    unknown = [one for one in pack.enemy.values() if not one.letter]
    assert sum(one.copies for one in unknown) == components["unknown_enemy_cards"]
    assert len(pack.objective) == components["objective_cards"]
    assert sorted(pack.scenario) == components["scenario_letters"]
    assert sum(one.copies for one in pack.resupply.values()) == components["resupply_tokens"]
    circles = ("sandbag", "adjust", "reposition", "reroll")
    assert sum(pack.supply[kind].copies for kind in circles) == components["circle_tokens"]
    assert pack.supply["sandbag"].copies == components["sandbag_tokens_in_supply"]
    assert pack.supply["suppressed"].copies == components["suppressed_tokens"]


def test_the_stand_ins_use_the_whole_vocabulary() -> None:
    pack = shipped()
    sides = [icon.icon for one in pack.action.values() for icon in (*one.basic, *one.veteran)]
    assert set(sides) == set(ActionIcon)
    assert {effect.effect for one in pack.enemy.values() for effect in one.effects} == set(EnemyEffect)
    assert {effect.effect for one in pack.scenario.values() for effect in one.effects} >= {
        ScenarioEffect.SPAWN,
        ScenarioEffect.FOG,
        ScenarioEffect.MINES,
        ScenarioEffect.SUPPRESS,
    }
    assert {one.timing for one in pack.scenario.values()} == set(Timing)
    assert set(pack.resupply) == set(TokenKind)
    assert any(one.plane for one in pack.enemy.values())
    assert any(one.shields_soldiers for one in pack.enemy.values())


@pytest.mark.rule("OKI-F05", "OKI-F06", "OKI-F07", "OKI-F09", "OKI-F10", "OKI-F16", "OKI-F17", "OKI-F19")
def test_what_the_rulebook_prints_is_in_the_rulebook_pack() -> None:
    pack = shipped()
    kakazu, hill = pack.objective["kakazu-ridge"], pack.objective["hill-89"]
    assert (kakazu.dice, kakazu.laps, kakazu.soldiers) == (5, 2, 2)
    assert [post.top for post in kakazu.row] == ["G", "F", "G"]
    assert [post.under for post in kakazu.row] == [("A",), ("B",), ()]
    assert (hill.number, [post.top for post in hill.row], hill.random_unknown) == (4, ["H", "E", "B", "D"], 4)
    plane = pack.enemy["kawanashi"]
    assert (plane.health, plane.dice, plane.damage, plane.plane) == (0, 1, 1, True)
    assert pack.enemy["pill-box"].shields_soldiers
    team = pack.action["machine-gun-team"]
    assert (team.deck, team.replaces, team.stores_die) == (ActionDeck.REINFORCEMENT, 2, True)


def test_a_record_in_which_a_stand_in_speaks_says_so() -> None:
    pack = shipped()
    assert pack.enemy["kawanashi"].is_stand_in
    assert pack.supply["sandbag"].source is Source.RULEBOOK


# What the owner adds


@pytest.mark.rule("OKI-025", "OKI-028", "OKI-029")
def test_the_owners_card_of_a_letter_or_a_space_wins() -> None:
    pack = shipped()
    owned = msgspec.structs.replace(pack.enemy["A"], name="Real C", letter="C", source=Source.OWNER)
    basic = msgspec.structs.replace(pack.action["radio"], spaces=(5,), source=Source.OWNER)
    mine = changed(enemy={**pack.enemy, "C": owned}, action={**pack.action, "medic": basic})
    assert by_letter(mine)["C"] == "C"
    assert by_letter(pack)["C"] == "kawanashi"
    assert by_space(mine)[5] == "medic"
    assert list(problems(mine)) == []
    table = Table(mine, prepared(GAME).settings)
    setup.fill_decks(table)
    assert all(table.action(card).deck is ActionDeck.REINFORCEMENT for card in table.state.reinforcements)
    assert not any(map(table.letter, table.state.unseen["deck1"]))
    assert table.state.known.count("C") == 2
    assert "kawanashi" not in table.state.known


def test_a_basic_action_card_wants_a_space_for_each_copy_and_no_other_card_starts_on_one() -> None:
    pack = shipped()
    homeless = msgspec.structs.replace(pack.action["radio"], spaces=())
    found = {one.path: one.message for one in problems(changed(action={**pack.action, "radio": homeless}))}
    assert found["action.radio.spaces"] == "wants 1 space, one for each copy"
    placed = msgspec.structs.replace(pack.action["sherman"], spaces=(5,), source=Source.OWNER)
    assert by_space(changed(action={**pack.action, "sherman": placed})) == by_space(pack)


NAMED = ("machine-gun-team", "sherman", "corsair")


@pytest.mark.rule("OKI-025", "OKI-F19", "OKI-F20", "OKI-F21")
@pytest.mark.parametrize(("copies", "stay"), [(1, "demolition"), (3, "sniper"), (5, "corsair")])
def test_reinforcements_that_the_rulebook_names_make_place_for_the_owners_last(
    copies: int, stay: str
) -> None:
    tank = msgspec.structs.replace(shipped().action["sherman"], copies=2 * copies, source=Source.OWNER)
    table = Table(changed(action={**shipped().action, "tank": tank}), prepared(GAME).settings)
    setup.fill_decks(table)
    left = table.state.reinforcements
    assert left[: 2 * copies] == ["tank"] * 2 * copies
    assert [left.count(card) for card in NAMED] == [1, 2, 2]
    assert left[-1] == stay
    assert len(left) == setup.REINFORCEMENTS


# What is wrong


def without(cards: dict[str, object], name: str) -> dict[str, object]:
    return {key: card for key, card in cards.items() if key != name}


@pytest.mark.parametrize(
    ("pack", "said"),
    [
        (changed(enemy=without(shipped().enemy, "A")), "no card has the letter A"),
        (changed(action=without(shipped().action, "radio")), "no Basic card for the spaces [5]"),
        (changed(objective=without(shipped().objective, "hill-89")), "0 cards for Objective 4"),
        (
            changed(action=without(shipped().action, by_space(shipped())[10])),
            "no Basic card for the spaces [10]",
        ),
        (
            changed(action=without(shipped().action, by_space(shipped())[1])),
            f"no Basic card for the spaces {sorted(shipped().action[by_space(shipped())[1]].spaces)}",
        ),
        (
            changed(objective={**shipped().objective, "other": shipped().objective["hill-89"]}),
            "2 cards for Objective 4",
        ),
        (changed(supply=without(shipped().supply, "sandbag")), "supply.sandbag: how many there are"),
        (changed(enemy={**shipped().enemy, "new": shipped().enemy["tunnel"]}), "enemy.new: another name is"),
    ],
)
def test_a_pack_that_cannot_be_played_is_refused(pack: Pack, said: str) -> None:
    with pytest.raises(PackError) as refused:
        GAME.start(msgspec.structs.replace(prepared(GAME), pack=pack))
    assert said in str(refused.value)
    assert GAME.start(msgspec.structs.replace(prepared(GAME), pack=pack, begun=True))
    assert [one for one in GAME.problems(pack) if said.rsplit(": ", maxsplit=1)[-1] in one.message]


def test_every_problem_is_reported_not_just_the_first() -> None:
    waits = EnemyCard(
        name="Waits",
        type=EnemyType.SOLDIER,
        health=1,
        fog=0,
        damage=0,
        effects=(Effect(EnemyEffect.SPAWN, die=(1, 2)),),
    )
    pack = changed(
        enemy={**without(shipped().enemy, "patrol"), "waits": waits},
        scenario=without(shipped().scenario, "K"),
        resupply=without(shipped().resupply, "medkit"),
    )
    found = {(one.path, one.rule) for one in problems(pack)}
    assert ("enemy", "OKI-G09") in found
    assert ("enemy.waits.dice", "OKI-175") in found
    assert ("resupply", "OKI-G21") in found
    assert ("objective.river-bank.scenario", "OKI-G16") in found


@pytest.mark.parametrize(
    ("dice", "effect", "said"),
    [
        (0, Effect(EnemyEffect.TARGET, where=Where.ROLLED), ["an effect waits for a die, but no D10 icon"]),
        (1, Effect(EnemyEffect.TARGET, where=Where.ROLLED), []),
        (0, Effect(EnemyEffect.SPAWN, where=Where.ROLLED), []),
        (
            1,
            Effect(EnemyEffect.SPAWN, when=When.REVEAL, die=(1, 5)),
            ["spawn at the reveal waits for a die, which is rolled after it"],
        ),
        (
            0,
            Effect(EnemyEffect.DAMAGE, when=When.REVEAL),
            ["damage is part of the card's attack, so its when is act, not reveal"],
        ),
        (
            0,
            Effect(EnemyEffect.TARGET, when=When.HIT),
            ["target is part of the card's attack, so its when is act, not hit"],
        ),
        (0, Effect(EnemyEffect.SUPPRESS, when=When.HIT), []),
        (1, Effect(EnemyEffect.FOG, die=(8, 3)), ["no die shows 8 to 3; the lower comes first"]),
        (1, Effect(EnemyEffect.FOG, die=(3, 3)), []),
    ],
)
def test_an_effect_that_can_not_happen_as_it_is_entered_is_reported(
    dice: int, effect: Effect, said: list[str]
) -> None:
    card = msgspec.structs.replace(shipped().enemy["A"], dice=dice, effects=(effect,))
    assert [one.message for one in problems(changed(enemy={**shipped().enemy, "A": card}))] == said


@pytest.mark.parametrize(
    ("effect", "spaces", "said"),
    [
        (ScenarioEffect.MINES, (), ["mines names no Action Spaces, so nothing comes of it"]),
        (ScenarioEffect.SUPPRESS, (3,), []),
        (ScenarioEffect.FOG, (), []),
    ],
)
def test_a_scenario_that_should_name_spaces_and_does_not_is_reported(
    effect: ScenarioEffect, spaces: tuple[int, ...], said: list[str]
) -> None:
    card = msgspec.structs.replace(shipped().scenario["K"], effects=(Happening(effect, spaces=spaces),))
    assert [one.message for one in problems(changed(scenario={**shipped().scenario, "K": card}))] == said


def test_what_no_game_looks_at_is_reported() -> None:
    pack = shipped()
    first = msgspec.structs.replace(pack.objective["kakazu-ridge"], random_unknown=2)
    mine = changed(
        scenario={**pack.scenario, "i": pack.scenario["I"]},
        supply={**pack.supply, "sandbags": pack.supply["sandbag"]},
        objective={**pack.objective, "kakazu-ridge": first},
    )
    assert [one.path for one in problems(mine)] == [
        "scenario.i",
        "supply.sandbags",
        "objective.kakazu-ridge.random_unknown",
    ]


def test_an_owners_card_in_whose_place_another_of_his_is_played_is_reported() -> None:
    pack = shipped()
    plane = msgspec.structs.replace(pack.enemy["kawanashi"], source=Source.OWNER)
    radio = msgspec.structs.replace(pack.action["radio"], source=Source.OWNER)
    mine = changed(
        enemy={**pack.enemy, "kawanashi": plane, "C": plane},
        action={**pack.action, "radio": radio, "mine": radio},
    )
    assert [(one.path, one.message) for one in problems(mine)] == [
        ("enemy.kawanashi.letter", "enemy.C has the letter C too and is played"),
        ("action.radio.spaces", "action.mine starts on 5 too and is played"),
    ]


@pytest.mark.parametrize(
    ("copies", "said"), [(1, "15 Known Enemies, not 16"), (3, "17 Known Enemies, not 16")]
)
def test_counts_that_the_component_list_contradicts_are_reported(copies: int, said: str) -> None:
    squad = msgspec.structs.replace(shipped().enemy["A"], copies=copies, source=Source.OWNER)
    grenades = msgspec.structs.replace(shipped().resupply[TokenKind.GRENADE], copies=5)
    pack = changed(
        enemy={**shipped().enemy, "A": squad},
        resupply={**shipped().resupply, TokenKind.GRENADE: grenades},
    )
    told = [one.message for one in problems(pack) if not one.path.startswith("objective.")]
    assert told == [said, "20 Resupply tokens, not 18"]


def test_a_deck_of_reinforcements_that_is_too_small_is_reported_whatever_basic_cards_there_are() -> None:
    basic = {name: one for name, one in shipped().action.items() if one.deck is ActionDeck.BASIC}
    found = problems(changed(action={**basic, "sniper": shipped().action["sniper"]}))
    copies = shipped().action["sniper"].copies
    assert [one.message for one in found] == [f"{copies} Reinforcement cards, not 15"]


@pytest.mark.rule("OKI-034", "OKI-035", "OKI-036")
@pytest.mark.parametrize("kind", ["sandbag", "adjust", "reroll"])
def test_a_supply_without_the_token_that_the_player_starts_with_is_reported_and_not_played(kind: str) -> None:
    none = msgspec.structs.replace(shipped().supply[kind], copies=0)
    pack = changed(supply={**shipped().supply, kind: none})
    said = f"supply.{kind}.copies: the player starts with one"
    assert [f"{one.path}: {one.message}" for one in problems(pack)] == [said]
    with pytest.raises(PackError, match=f"^{said}; see companion pack check okinawa$"):
        GAME.start(msgspec.structs.replace(prepared(GAME), pack=pack))
    assert GAME.start(msgspec.structs.replace(prepared(GAME), pack=pack, begun=True))


@pytest.mark.parametrize(("more", "said"), [(0, []), (1, ["11 Unknown Enemies, not 10"])])
def test_more_of_the_owners_cards_than_a_deck_holds_are_reported(more: int, said: list[str]) -> None:
    pack = shipped()
    mine = msgspec.structs.replace(pack.enemy["patrol"], copies=9, source=Source.OWNER)
    last = msgspec.structs.replace(mine, copies=1 + more)
    found = problems(changed(enemy={**pack.enemy, "own-infantry": mine, "own-gun": last}))
    assert [one.message for one in found] == said


@pytest.mark.parametrize(
    ("copies", "said"),
    [(0, ["names G 2 times, of 0 such cards"]), (1, ["names G 2 times, of 1 such cards"]), (2, []), (3, [])],
)
def test_an_objective_that_names_more_of_a_letter_than_there_are_is_reported(
    copies: int, said: list[str]
) -> None:
    nest = msgspec.structs.replace(shipped().enemy["G"], copies=copies, source=Source.OWNER)
    found = problems(changed(enemy={**shipped().enemy, "G": nest}))
    assert [one.message for one in found if one.path == "objective.kakazu-ridge.row"] == said


def test_a_pack_with_problems_that_do_not_matter_can_be_played() -> None:
    pack = changed(resupply=without(shipped().resupply, "medkit"))
    assert isinstance(GAME.start(msgspec.structs.replace(prepared(GAME), pack=pack)), Okinawa)


def test_a_tucked_card_without_a_letter_is_refused_before_a_game_trips_over_it() -> None:
    merged = packs.merge(GAME.name, packs.find(GAME.folder, Path("/nowhere")))
    merged.tables["objective"]["kakazu-ridge"]["row"] = [{"top": "G", "under": [""]}]
    with pytest.raises(PackError, match="kakazu-ridge"):
        packs.build(merged, Pack)


def test_a_record_that_its_table_can_not_have_is_refused_by_its_name() -> None:
    merged = packs.merge(GAME.name, packs.find(GAME.folder, Path("/nowhere")))
    merged.tables["resupply"]["smoke"] = {"name": "Smoke", "copies": 3}
    with pytest.raises(PackError, match=r"resupply\.smoke: no such record"):
        packs.build(merged, Pack)
