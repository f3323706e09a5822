"""The packs: the ledger's facts, our stand-ins, and what `companion pack check` says of them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from companion.engine import packs
from companion.engine.errors import BadInput, PackError
from companion.engine.game import Setup, setup
from companion.engine.packs import Source
from companion.games.dday_dice import GAME, effects
from companion.games.dday_dice.effects import Effect
from companion.games.dday_dice.entry import entry
from companion.games.dday_dice.records import (
    Award,
    BattleMap,
    Damage,
    DdayPack,
    Link,
    Scenario,
    Sector,
    Training,
)
from companion.games.dday_dice.showing import shown
from tests.games.dday_dice.beach import shipped

LEDGER = tomllib.loads((GAME.folder / "ledger.toml").read_text(encoding="utf-8"))


def test_cards_cost_what_the_ledger_says() -> None:
    pack = shipped()
    for kind, table in (("specialist", pack.specialist), ("item", pack.item), ("vehicle", pack.vehicle)):
        assert {card["name"]: card["cost"] for card in LEDGER[kind]} == {
            n: one.cost for n, one in table.items()
        }
    for kind, table in (("specialist", pack.specialist), ("item", pack.item)):
        assert {card["name"]: card["kind"] for card in LEDGER[kind]} == {
            n: one.kind for n, one in table.items()
        }


@pytest.mark.rule("DDD-008", "DDD-087")
def test_lists_are_those_of_the_ledger() -> None:
    for board in LEDGER["map"]:
        scenario = shipped().scenario["tiger_advanced" if board["id"] == "tiger" else board["id"]]
        uniques = {*scenario.unique, *scenario.joined}

        assert list(scenario.regular) == board["specialists_regular"]
        assert uniques == set(board["specialists_unique"])
        assert list(scenario.special_items) == board["items_special"]


def test_every_card_is_rulebook_and_every_printed_board_but_tiger_has_stand_in_figures() -> None:
    pack = shipped()
    cards = [*pack.specialist.values(), *pack.item.values(), *pack.vehicle.values()]
    assert {card.source for card in cards} == {Source.RULEBOOK}
    for path, sector in pack.sector.items():
        wanted = Source.RULEBOOK if path.startswith("tiger.") else Source.STAND_IN
        assert sector.source is wanted, path


def test_every_effect_of_the_vocabulary_is_some_cards_or_can_be_entered() -> None:
    pack = shipped()
    used = {
        type(e)
        for table in (pack.specialist, pack.item, pack.vehicle)
        for c in table.values()
        for e in c.effects
    }
    used |= {type(effect) for award in pack.award.values() for effect in award.effects}

    assert set(get_args(Effect)) - used == {effects.ByHand}


def test_our_two_beaches_have_every_feature_that_a_sector_can_have() -> None:
    ours = [
        sector for path, sector in shipped().sector.items() if path.startswith(("gull_bay.", "red_cliff."))
    ]
    plain = Sector()
    seldom = {
        "source",
        "note",
        "general_ignores",
        "random",
        "free_item_solo",
        "vehicle_free",
        "bonus_any_colour",
    }
    seldom |= {
        "losses_d6",
        "losses_d6_unswept",
        "star_costs_soldier",
        "rwb_soldiers",
        "stars",
    }  # by random tables
    for field in set(Sector.__struct_fields__) - seldom:
        assert any(getattr(one, field) != getattr(plain, field) for one in ours), field
    links = [link for sector in ours for link in sector.links]
    assert any(link.mines for link in links)
    assert any(link.barrier for link in links)


def test_pack_check_names_what_the_owner_could_enter() -> None:
    found = {problem.path: problem for problem in GAME.problems(shipped())}

    assert found["sector.omaha.1"].rule == "DDD-G03"
    assert "companion pack new dday_dice.omaha" in found["sector.omaha.1"].message
    assert found["award.Victoria Cross"].rule == "DDD-G02"
    assert not any(path.startswith(("sector.tiger", "map.", "scenario.")) for path in found)


def told(**tables: object) -> list[tuple[str, str]]:
    pack = DdayPack(**({field: {} for field in DdayPack.__struct_fields__} | tables))
    return [(problem.path, problem.message) for problem in GAME.problems(pack)]


def broken(**tables: object) -> dict[str, str]:
    return dict(told(**tables))


@pytest.mark.parametrize("start", [True, False])
def test_pack_check_sees_a_way_back_to_the_sea_and_a_board_that_nobody_starts_on(start: bool) -> None:
    sectors = {
        "x.1": Sector(row=1, start=start, soldiers=4, links=(Link("2", courage=1),)),
        "x.2": Sector(row=2, links=(Link("1"), Link("Bunker", courage=1))),
        "x.Bunker": Sector(row=3, bunker=True),
    }

    found = told(map={"x": BattleMap("X", ("1", "2", "Bunker"))}, sector=sectors)

    assert ("sector.x.2", "the way to 1 leads back") in found
    assert any(words == "no start Sector" for _, words in found) is not start
    if start:
        assert len(found) == 1


def test_pack_check_sees_a_board_that_cannot_be_played() -> None:
    sectors = {
        "x.1": Sector(row=1, start=True, soldiers=4, links=(Link("2"), Link("3", courage=1))),
        "x.2": Sector(row=2, links=(Link("1", courage=1), Link("1", courage=1))),
        "x.Bunker": Sector(row=3, bunker=True),
    }
    found = broken(map={"x": BattleMap("X", ("1", "2", "3", "Bunker"))}, sector=sectors)

    assert found["sector.x.3"] == "not described"
    assert found["sector.x.Bunker"] == "the Bunker can't be reached"
    assert "sector.x.1" in found
    assert found["sector.x.2"] in {"no way leads on from here", "the way to 1 leads back"}


def test_pack_check_sees_a_way_that_is_described_twice() -> None:
    sectors = {
        "x.1": Sector(
            row=1, start=True, soldiers=4, links=(Link("2"), Link("3", courage=1), Link("3", courage=2))
        ),
        "x.2": Sector(row=1, links=(Link("1"), Link("Bunker", courage=1))),
        "x.3": Sector(row=2, links=(Link("Bunker", courage=1),)),
        "x.Bunker": Sector(row=3, bunker=True),
    }
    sectors["x.1"] = msgspec.structs.replace(sectors["x.1"], soldiers=4)
    board = {"x": BattleMap("X", ("1", "2", "3", "Bunker"))}

    assert told(map=board, sector=sectors) == [
        ("sector.x.1", "the way to 2 is described 2 times, here or there"),
        ("sector.x.1", "the way to 3 is described 2 times, here or there"),
        ("sector.x.2", "the way to 1 is described 2 times, here or there"),
    ]


def test_pack_check_sees_a_start_with_nobody() -> None:
    sectors = {
        "x.1": Sector(row=1, start=True, links=(Link("Bunker", courage=1),)),
        "x.2": Sector(row=1, start=True, specialist="Medic", links=(Link("Bunker", courage=1),)),
        "x.Bunker": Sector(row=2, bunker=True),
    }
    board = {"x": BattleMap("X", ("1", "2", "Bunker"))}

    assert told(map=board, sector=sectors, specialist={"Medic": shipped().specialist["Medic"]}) == [
        ("sector.x.1", "nobody starts here, no Soldier and no Specialist")
    ]


def test_pack_check_sees_a_sector_that_its_owner_entered_on_no_board() -> None:
    mine, ours = Sector(row=3, source=Source.OWNER), Sector(row=3, source=Source.STAND_IN)
    sectors = {"omaha.bunker": mine, "dieppe.1": mine, "omaha.77": ours}
    pack = msgspec.structs.replace(shipped(), sector=shipped().sector | sectors)
    found = {problem.path: problem for problem in GAME.problems(pack)}

    assert found["sector.omaha.bunker"].message.startswith("no such Sector; there are 1, 2, ")
    assert found["sector.omaha.bunker"].rule == "DDD-G03"
    assert found["sector.dieppe.1"].message.startswith("no such board; there are omaha, ")
    assert "sector.omaha.77" not in found, "the owner's board may have fewer than the stand-in"


def test_pack_check_says_of_a_board_without_sectors_that_they_have_to_be_named() -> None:
    board = {"x": BattleMap("X", ())}
    found = told(map=board, sector={"x.1": Sector(row=1, start=True, source=Source.OWNER)})

    assert ("map.x.sectors", "none is named: name all, then enter each") in found
    assert ("sector.x.1", "map.x names no Sectors yet") in found
    assert [path for path, _ in found if path == "map.x"] == [], "no start and no Bunker follow from it"


def test_pack_check_sees_figures_below_none() -> None:
    merged = packs.merge(GAME.name, packs.find(GAME.folder, Path("/nowhere")))
    merged.tables["specialist"]["Medic"]["cost"] = -3
    merged.tables["sector"]["omaha.1"] |= {"soldiers": -4, "links": [{"to": "2", "courage": -2}]}
    merged.tables["sector"]["omaha.2"]["of_a_kind_soldiers"] = -3
    pack = packs.build(merged, DdayPack)

    assert [(one.path, one.message) for one in GAME.problems(pack) if "less than none" in one.message] == [
        ("specialist.Medic.cost", "-3 is less than none"),
        ("sector.omaha.1.links.0.courage", "-2 is less than none"),
        ("sector.omaha.1.soldiers", "-4 is less than none"),
    ]


@pytest.mark.parametrize(
    ("effects_", "words"),
    [
        ((), "an Item without an effect"),
        ((effects.Gain(soldiers=1), effects.Reroll()), "reroll is for Specialists and Vehicles"),
        ((effects.Gain(one_of=True),), "one of nothing is to be gained"),
    ],
)
def test_an_item_that_nothing_can_be_done_with_is_seen_by_pack_check_and_refused_at_the_start(
    effects_: tuple[Effect, ...], words: str
) -> None:
    grenade = msgspec.structs.replace(shipped().item["Grenade"], effects=effects_)
    pack = without(item=shipped().item | {"Grenade": grenade})

    assert words in [one.message for one in GAME.problems(pack) if one.path == "item.Grenade.effects"]
    with pytest.raises(PackError, match=rf"item\.Grenade\.effects: {words}"):
        GAME.start(setup(GAME, pack, {}, "omaha"))
    assert GAME.start(Setup(pack, setup(GAME, pack, {}).settings, "omaha", begun=True))


def test_an_award_has_a_name_that_no_answer_has() -> None:
    pack = without(award=shipped().award | {"new": Award((effects.Recolour(),))})

    with pytest.raises(PackError, match=r"award\.new: another name is wanted"):
        GAME.start(setup(GAME, pack, {}, "omaha"))


@pytest.mark.parametrize(
    ("table", "effect", "words"),
    [
        ("award", effects.Gain(on=effects.Event.RWB, soldiers=1), "a gain on rwb is for Specialists"),
        ("award", effects.Score(effects.Rwb.GIFT), "nothing comes of dead_mans_gift from a card"),
        ("award", effects.Score(effects.Rwb.FRESH_TROOPS), ""),
        ("specialist", effects.Gain(soldiers=1), "a gain has to say on what it comes"),
        ("specialist", effects.Gain(on=effects.Event.MOVE, stars=1), "no stars can be gained on move"),
        ("vehicle", effects.Gain(on=effects.Event.TURN, soldiers=1, stars=1, courage=1, points=1), ""),
        ("specialist", effects.ZeroDef(), "zero_def is for Items and Awards"),
        ("specialist", effects.Silence(forever=True), ""),
        ("vehicle", effects.DrawAward(), "draw_award is for Items and Awards"),
    ],
)
def test_pack_check_sees_an_effect_that_a_card_has_no_use_for(table: str, effect: Effect, words: str) -> None:
    known = getattr(shipped(), table)
    name = next(iter(known))
    pack = without(**{table: known | {name: msgspec.structs.replace(known[name], effects=(effect,))}})
    found = [one.message for one in GAME.problems(pack) if one.path == f"{table}.{name}.effects"]

    assert [one.startswith(words) for one in found] == [True] * bool(words)


def test_a_misspelt_word_of_an_effect_is_told() -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field `soldier`"):
        msgspec.convert({"do": "gain", "soldier": 2}, Effect)


def test_pack_check_sees_a_list_with_an_unknown_card() -> None:
    found = broken(scenario={"x": Scenario("X", ("x",), regular=("Napoleon",))})

    assert found["scenario.x.regular"] == "no such card or board: Napoleon"
    assert found["scenario.x.maps"] == "no such card or board: x"


def test_pack_check_sees_a_card_that_a_list_has_twice() -> None:
    scenario = Scenario("X", ("x",), regular=("Medic", "Scout", "Medic"))
    found = broken(specialist=shipped().specialist, scenario={"x": scenario})

    assert found["scenario.x.regular"] == "Medic is listed 2 times; there is but one"


def test_pack_check_sees_a_specialist_in_the_list_of_the_other_kind() -> None:
    scenario = Scenario("X", ("x",), regular=("Medic", "Captain"), unique=("General", "Scout"))
    found = broken(specialist=shipped().specialist, scenario={"x": scenario})

    assert found["scenario.x.regular"] == "Captain is a unique Specialist, not a regular one"
    assert found["scenario.x.unique"] == "Scout is a regular Specialist, not a unique one"


@pytest.mark.rule("DDD-244")
@pytest.mark.parametrize("training", [Training.FULL, Training.BASIC])
def test_pack_check_sees_an_item_that_a_sector_gives_and_the_pool_has(training: Training) -> None:
    lines = msgspec.structs.replace(shipped().random["table_1"].lines[0], free_item="Grenade")
    table = msgspec.structs.replace(shipped().random["table_1"], lines=(lines,) * 6)
    sectors = shipped().sector | {
        "utah.9": msgspec.structs.replace(shipped().sector["utah.9"], free_item_solo="Mortar"),
        "utah.11": msgspec.structs.replace(shipped().sector["utah.11"], random="table_1"),
    }
    utah = msgspec.structs.replace(
        shipped().scenario["utah"], withheld=("Shoulder Patch",), training=training
    )
    pack = without(sector=sectors, random={"table_1": table}, scenario={"utah": utah})

    assert [one.message for one in GAME.problems(pack) if one.path == "scenario.utah.withheld"] == [
        f"a Sector gives the {item}, which can lie in the Pool too: name it here"
        for item in ("Mortar", "Grenade", "Flame-Thrower")
        if training is Training.FULL
    ]


@pytest.mark.parametrize("training", Training)
def test_pack_check_sees_a_start_with_nobody_in_a_training(training: Training) -> None:
    alone = msgspec.structs.replace(shipped().sector["red_cliff.2"], soldiers=0)
    scenario = msgspec.structs.replace(shipped().scenario["red_cliff"], training=training)
    pack = without(
        sector=shipped().sector | {"red_cliff.2": alone},
        scenario=shipped().scenario | {"red_cliff": scenario},
    )
    found = [one.message for one in GAME.problems(pack) if one.path == "scenario.red_cliff.training"]

    words = "without the Hero nobody starts in Sector 2: only full has him"
    assert found == ([] if training is Training.FULL else [words])


@pytest.mark.parametrize(("name", "said"), [("Hero", False), ("General", True)])
def test_pack_check_sees_a_start_with_a_specialist_of_whom_there_is_but_one(name: str, said: bool) -> None:
    start = msgspec.structs.replace(shipped().sector["red_cliff.2"], specialist=name)
    pack = without(sector=shipped().sector | {"red_cliff.2": start})
    found = [one.message for one in GAME.problems(pack) if one.path == "sector.red_cliff.2"]

    assert found == [f"each Unit that starts here has the {name}, and there is but one"] * said


@pytest.mark.parametrize("regular", [("Medic", "Napoleon"), ("Medic", "Medic")])
def test_a_scenario_with_a_card_that_there_is_not_is_not_begun(regular: tuple[str, ...]) -> None:
    wrong = msgspec.structs.replace(shipped().scenario["omaha"], regular=regular)
    pack = without(scenario=shipped().scenario | {"omaha": wrong})

    with pytest.raises(PackError, match=r"scenario\.omaha\.regular: .*; see companion pack check dday_dice"):
        GAME.start(setup(GAME, pack, {}, "omaha"))
    assert GAME.start(setup(GAME, pack, {}, "utah"))
    assert GAME.start(Setup(pack, setup(GAME, pack, {}).settings, "omaha", begun=True))


def test_a_scenario_for_more_than_can_play_is_refused() -> None:
    merged = packs.merge(GAME.name, packs.find(GAME.folder, Path("/nowhere")))
    merged.tables["scenario"]["deadstick"]["players_least"] = 5
    with pytest.raises(PackError, match=r"deadstick\.players_least: a whole number is wanted, at most 4"):
        packs.build(merged, DdayPack)


def test_packs_are_written_as_they_are_read() -> None:
    for name in ("rulebook", "stand-in"):
        file = packs.read(GAME.folder / "packs" / name / "pack.toml")
        assert file.header.game == "dday_dice"
        assert file.header.notes


def without(**tables: object) -> DdayPack:
    fields = {field: getattr(shipped(), field) for field in DdayPack.__struct_fields__}
    return DdayPack(**(fields | tables))


def test_a_board_with_a_missing_sector_is_refused_with_what_to_do() -> None:
    sectors = {path: one for path, one in shipped().sector.items() if path != "omaha.4"}
    pack = without(sector=sectors)

    with pytest.raises(
        PackError, match=r"sector\.omaha\.4: not described; companion pack new dday_dice\.omaha"
    ):
        GAME.start(setup(GAME, pack, {}, "omaha"))


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        ({"joins": "Medik"}, "no Specialist card Medik"),
        ({"requires": ("any",)}, "no Specialist card any"),
        ({"requires": ("any",), "sacrifice": ("any",)}, "no Specialist card any"),
        ({"sacrifice": ("any", "Scuot")}, "no Specialist card Scuot"),
        ({"specialist": "Captin"}, "no Specialist card Captin"),
        ({"free_item": "Granade"}, "no Item card Granade"),
        ({"free_item_solo": "Granade"}, "no Item card Granade"),
        ({"vehicle": "Jep"}, "no Vehicle card Jep"),
        ({"random": "table_9"}, "no random table table_9"),
        ({"retreat": "42"}, "no Sector 42 to retreat to"),
        ({"links": (Link("42", courage=1),)}, "no Sector 42 on this board to go to"),
        ({"defence": ()}, "no DEF"),
        ({"guns": 21}, "21 machine guns; a Sector may have 20"),
    ],
)
def test_a_sector_that_names_what_there_is_not_is_seen_by_pack_check_and_refused_at_the_start(
    printed: dict[str, object], words: str
) -> None:
    sectors = dict(shipped().sector)
    sectors["omaha.8"] = msgspec.structs.replace(sectors["omaha.8"], **printed)
    pack = without(sector=sectors)

    assert words in [one.message for one in GAME.problems(pack) if one.path == "sector.omaha.8"]
    with pytest.raises(PackError, match=rf"sector\.omaha\.8: {words}"):
        GAME.start(setup(GAME, pack, {}, "omaha"))
    if not {"random", "links"} & printed.keys():  # without table or Sector there is no board to begin on
        assert GAME.start(Setup(pack, setup(GAME, pack, {}).settings, "omaha", begun=True))


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        ({"defence": (8, 5)}, ["DEF 8/5: the lowest comes first"]),
        ({"defence": (5, 5)}, ["DEF 5/5: the lowest comes first"]),
        ({"defence": (5, 8, 9)}, []),
        ({"guns": 0, "damage": Damage.COURAGE}, ["Special Damage, but no machine gun to do it"]),
        ({"guns": 1, "damage": Damage.COURAGE}, []),
        ({"max_units": 1}, []),
        ({"max_units": 4, "start": True, "soldiers": 1}, []),
        (
            {"max_units": 3, "start": True, "soldiers": 1},
            ["all 4 Units may start here, and it holds 3"],
        ),
        (
            {"requires": ("Minesweeper", "Chaplain"), "sacrifice": ("any",)},
            ["Chaplain is asked for, whom nobody can have in a scenario on this board"],
        ),
        ({"sacrifice": ("Minesweeper",)}, []),
        ({"requires": ("Chaplain",), "joins": "Chaplain"}, []),
        ({"requires": ("General",), "specialist": "General"}, []),
    ],
)
def test_a_sector_whose_figures_or_print_contradict_the_rest_is_told(
    printed: dict[str, object], words: list[str]
) -> None:
    own = {"source": Source.OWNER, **printed}
    sectors = dict(shipped().sector)
    sectors["omaha.8"] = msgspec.structs.replace(sectors["omaha.8"], **own)
    told = [one.message for one in GAME.problems(without(sector=sectors)) if one.path == "sector.omaha.8"]
    assert told == words


def test_a_random_table_needs_six_lines_and_its_cards() -> None:
    table = shipped().random["table_1"]
    lines = (msgspec.structs.replace(table.lines[0], vehicle="Jep"), *table.lines[2:])
    pack = without(random=shipped().random | {"table_1": msgspec.structs.replace(table, lines=lines)})
    words = [one.message for one in GAME.problems(pack) if one.path.startswith("sector.sword")]

    assert "random table table_1 has not six lines with six names" in words
    assert "no Vehicle card Jep" in words

    nameless = msgspec.structs.replace(table, names=table.names[1:])
    pack = without(random=shipped().random | {"table_1": nameless})
    words = [one.message for one in GAME.problems(pack)]

    assert "random table table_1 has not six lines with six names" in words


def test_a_random_table_that_another_order_of_them_brings_needs_six_lines_too() -> None:
    short = msgspec.structs.replace(shipped().random["table_2"], lines=shipped().random["table_2"].lines[1:])
    sectors = dict(shipped().sector)
    for name in [name for name in shipped().map["omaha"].sectors if sectors[f"omaha.{name}"].random]:
        sectors[f"omaha.{name}"] = msgspec.structs.replace(sectors[f"omaha.{name}"], random="")
    sectors["omaha.8"] = msgspec.structs.replace(sectors["omaha.8"], random="table_1")
    pack = without(random=shipped().random | {"table_2": short}, sector=sectors)

    assert GAME.start(setup(GAME, pack, {}, "omaha"))
    with pytest.raises(PackError, match=r"sector\.omaha\.8: random table table_2 has not six lines"):
        GAME.start(setup(GAME, pack, {"random_tables": "2-1-3"}, "omaha"))


def test_a_scenario_without_a_board_is_seen_and_refused() -> None:
    nowhere = {"x": Scenario("X", ())}

    assert broken(scenario=nowhere) == {"scenario.x.maps": "a scenario without a board"}
    with pytest.raises(PackError, match=r"scenario\.x\.maps: a scenario without a board"):
        GAME.start(setup(GAME, without(scenario=nowhere), {}, "x"))


@pytest.mark.parametrize("maps", [("omaha", "utah"), ("dieppe", "sword"), ("merville", "sword", "gold")])
def test_a_scenario_on_several_boards_but_deadsticks_is_seen_and_refused(maps: tuple[str, ...]) -> None:
    pack = without(scenario={**shipped().scenario, "x": Scenario("X", maps)})

    assert "scenario.x.maps" in [one.path for one in GAME.problems(pack)]
    with pytest.raises(PackError, match=r"scenario\.x\.maps: "):
        GAME.start(setup(GAME, pack, {"players": "2"}, "x"))


def test_a_scenario_on_an_unknown_board_is_refused() -> None:
    pack = without(scenario={"x": Scenario("X", ("dieppe",))})

    with pytest.raises(PackError, match=r"scenario\.x\.maps: no such card or board: dieppe"):
        GAME.start(setup(GAME, pack, {}, "x"))


@pytest.mark.parametrize("scenario", ["merville", "deadstick"])
def test_a_board_without_a_start_is_refused(scenario: str) -> None:
    sectors = {
        path: msgspec.structs.replace(one, start=False) if path.startswith("merville.") else one
        for path, one in shipped().sector.items()
    }

    with pytest.raises(PackError, match=r"map\.merville: no start Sector"):
        GAME.start(setup(GAME, without(sector=sectors), {"players": "2"}, scenario))


def test_a_board_without_a_title_can_be_played() -> None:
    boards = shipped().map | {"omaha": msgspec.structs.replace(shipped().map["omaha"], title="")}

    assert GAME.start(setup(GAME, without(map=boards), {}, "omaha"))


# --- companion pack show


def test_a_board_is_shown_sector_by_sector_with_its_source() -> None:
    lines = shown(shipped(), "tiger")

    assert lines[0] == "Exercise Tiger N-01"
    assert lines[1] == (
        "1 (row 1): DEF 2; start with 4 Soldiers, 0 Stars, 0 Courage; "
        "ways to 2 (1 Courage), 3 (1 Courage) [rulebook]"
    )
    assert lines[5] == (
        "5 (row 3): DEF 3; 1 machine gun; must have Corporal; +1 Tool; "
        "ways to 6, 7 (2 Courage, mines), 8 (2 Courage, mines) [rulebook]"
    )
    assert all(line.endswith("[stand-in]") for line in shown(shipped(), "omaha")[1:])


def test_a_board_says_who_waits_at_a_start_and_which_sectors_are_random() -> None:
    utah, sword = shown(shipped(), "utah"), shown(shipped(), "sword")

    assert utah[2].startswith("2 (row 1): DEF 1; start with 0 Soldiers, 0 Stars, 0 Courage, Corporal; ")
    assert sword[6].startswith("6 (row 3): DEF 4; random: the first Unit rolls for it; ")
    assert shown(shipped(), "merville")[2].startswith("2 (row 1): DEF 1; start with 1 Soldier, 2 Stars, ")


@pytest.mark.parametrize(
    ("thing", "head"),
    [
        ("platoon_leader", "Platoon Leader: 2 Stars, regular [rulebook]"),
        ("Flame-Thrower", "Flame-Thrower: 20 Item Points [rulebook]"),
        ("half_track", "Half-Track: 15 Item Points [rulebook]"),
        ("victoria cross", "Victoria Cross: Award [stand-in]"),
    ],
)
def test_a_card_is_shown_with_its_cost_and_source(thing: str, head: str) -> None:
    lines = shown(shipped(), thing)

    assert lines[0] == head
    assert len(lines) == 2
    assert lines[1].strip()


def test_what_is_not_there_is_refused_with_the_boards() -> None:
    with pytest.raises(BadInput, match="boards are omaha, utah"):
        shown(shipped(), "napoleon")


def test_of_a_board_of_ones_own_it_is_told_how_it_is_entered() -> None:
    with pytest.raises(BadInput, match=r"pack new dday_dice\.map\.NAME --fields"):
        next(entry(shipped(), "mybeach"))
