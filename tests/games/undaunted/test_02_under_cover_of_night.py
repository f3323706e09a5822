"""Under Cover of Night: mines of both kinds, Mine, Air Support, Bomb."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.errors import BadInput
from companion.games.undaunted import GAME, combat, movement, rounds, sheet
from companion.games.undaunted.actions import Kind, parse
from companion.games.undaunted.checker import problems
from companion.games.undaunted.pack import LaidMine, Pack, Rank
from companion.games.undaunted.state import MineSide
from companion.games.undaunted.table import Table
from tests.games import driver
from tests.games.undaunted.field import (
    LA_RAYE,
    NIGHT,
    altered,
    bot_name,
    can,
    decide,
    do,
    fresh,
    ids,
    line,
    mine,
    options,
    put,
    resolve,
    run,
    scouted,
    shipped,
    solo,
    staged,
    teach,
)

RIFLEMAN = "desert-rifleman-a"


def night(**settings: str) -> Table:
    return staged(NIGHT, **({"players": "2"} | settings))


@pytest.mark.rule("UND-043", "UND-044")
def test_only_scenarios_201_to_204_have_mines_and_they_name_who_controls_them() -> None:
    assert fresh(LA_RAYE).table.scenario.mines == ""
    table = fresh(NIGHT).table
    assert (table.scenario.number, table.scenario.mines) == (201, "lrdg")
    pack = driver.setup(GAME).pack
    assert isinstance(pack, Pack)
    for supply, laid in ((4, ()), (0, (LaidMine(("D1", "D2")),)), (0, ())):
        owner_unknown = msgspec.structs.replace(
            pack.scenario[NIGHT], mines="", mine_supply=supply, mines_laid=laid
        )
        changed = msgspec.structs.replace(pack, scenario={**pack.scenario, NIGHT: owner_unknown})
        assert ("UND-044" in {one.rule for one in problems(changed)}) is bool(supply or laid)
    for number in range(199, 207):
        numbered = msgspec.structs.replace(pack.scenario[NIGHT], number=number)
        changed = msgspec.structs.replace(pack, scenario={**pack.scenario, NIGHT: numbered})
        assert ("UND-043" in {one.rule for one in problems(changed)}) is (number not in range(201, 205))


@pytest.mark.rule("UND-047")
def test_mines_that_a_sheet_lays_lie_on_edges_of_two_tiles_and_are_told() -> None:
    table = altered(NIGHT, {"mines_laid": (LaidMine(("D1", "D2"), armour=True),)}).table
    assert [(one.between, one.face) for one in table.state.mines] == [(("D1", "D2"), MineSide.ARMOUR)]
    assert "Mines on D1-D2 anti-armour." in list(sheet.lines(table))
    with pytest.raises(BadInput):
        altered(NIGHT, {"mines_laid": (LaidMine(("D1", "D12")),)})
    pack = shipped()
    wrong = msgspec.structs.replace(pack.scenario[NIGHT], mines_laid=(LaidMine(("D1", "D12")),))
    found = problems(msgspec.structs.replace(pack, scenario={NIGHT: wrong}))
    assert "D1 and D12 have no edge in common" in {one.message for one in found}


@pytest.mark.rule("UND-045", "UND-046")
def test_the_mines_own_faction_neither_triggers_nor_suffers_them() -> None:
    table = night()
    own = put(table, "lrdg", RIFLEMAN, "D1")
    scouted(table, "lrdg", "D2")
    mine(table, "D1", "D2")
    ran = do(table, "lrdg", RIFLEMAN, "move 1", "D2")
    assert ran.asked() == ["move.to"]
    assert own.tile == "D2"
    assert len(table.state.mines) == 1


@pytest.mark.rule("UND-047")
def test_a_mine_lies_on_the_edge_of_two_tiles() -> None:
    play = fresh(NIGHT)
    mine(play.table, "D1", "D2")
    assert list(play.check()) == []
    mine(play.table, "D1", "D12")
    assert "no edge in common" in " ".join(play.check())


@pytest.mark.rule("UND-048", "UND-060")
@pytest.mark.parametrize(("face", "goes_off"), [(MineSide.PERSONNEL, True), (MineSide.ARMOUR, False)])
def test_the_face_of_a_mine_decides_who_triggers_it(face: MineSide, goes_off: bool) -> None:
    table = night()
    soldier, car = put(table, "it", RIFLEMAN, "D1"), put(table, "it", "scout-car", "D1")
    assert table.triggers(soldier, face) is goes_off
    assert table.triggers(car, face) is not goes_off
    scouted(table, "it", "D2")
    mine(table, "D1", "D2", face)
    ran = do(table, "it", RIFLEMAN, "move 1", "D2", *([["1", "1", "1"]] if goes_off else []))
    assert ("attack.roll" in ran.asked()) is goes_off
    assert len(table.state.mines) == (not goes_off)


@pytest.mark.rule("UND-049")
def test_an_anti_personnel_mine_goes_off_both_ways_but_only_on_its_edge() -> None:
    table = night()
    scouted(table, "it", "D1", "D2", "D3")
    for start, end, goes_off in (("D2", "D1", True), ("D1", "D2", True), ("D2", "D3", False)):
        table.state.mines.clear()
        mine(table, "D1", "D2")
        put(table, "it", RIFLEMAN, start)
        ran = do(table, "it", RIFLEMAN, "move 1", end, *([["1", "1", "1"]] if goes_off else []))
        assert ("attack.roll" in ran.asked()) is goes_off


@pytest.mark.rule("UND-050", "UND-051")
def test_an_anti_personnel_mine_is_attack_3_without_cover_or_range() -> None:
    table = night()
    put(table, "it", RIFLEMAN, "D5")
    scouted(table, "it", "D4")
    mine(table, "D5", "D4")
    tiles = table.ground.tiles
    tiles["D4"] = msgspec.structs.replace(tiles["D4"], cover=3)
    table.state.players["it"].deck = {RIFLEMAN: 2}
    ran = do(table, "it", RIFLEMAN, "move 1", "D4", ["2", "3", "4"])
    assert ran.roll().dice[0].count == 3
    assert "4 + cover 0 + range 0 = 4" in ran.roll().detail
    assert table.state.players["it"].removed == {RIFLEMAN: 1}


@pytest.mark.rule("UND-052", "UND-053")
@pytest.mark.parametrize(("faces", "ends_on"), [(["9", "9", "9"], "D2"), (["1", "1", "1"], "D3")])
def test_a_casualty_ends_the_move_beyond_the_mine_and_a_miss_does_not(faces: list[str], ends_on: str) -> None:
    table = night()
    scout = put(table, "it", "desert-scout-a", "D1")
    table.state.players["it"].deck = {"desert-scout-a": 2}
    mine(table, "D1", "D2")
    answers = ["D2", faces] + (["D3"] if ends_on == "D3" else [])
    do(table, "it", "desert-scout-a", "scout 2", *answers)
    assert scout.tile == ends_on
    assert table.state.mines == []


@pytest.mark.rule("UND-052", "UND-062")
@pytest.mark.parametrize(
    ("aim", "mines", "tile", "text"),
    [
        ("D4", 1, "D5", "Scout A: scout ended by a mine on D5"),
        ("D4", 2, "", "Scout A: scout ended by a mine"),
        ("D5", 1, "D5", "Scout A: scouts from D6 to D5"),
        ("D5", 2, "", "Scout A: scout ended by a mine"),
    ],
)
def test_where_a_mine_ends_a_bots_movement_is_said_not_where_it_wanted_to_go(
    aim: str, mines: int, tile: str, text: str
) -> None:
    table = staged(NIGHT)
    scout = put(table, "it", "desert-scout-a", "D6")
    table.state.players["it"].deck = {"desert-scout-a": 1, "crewman-a": 1}
    assert table.state.bot is not None
    table.state.bot.bolster.clear()
    teach(table, solo("desert-scout", line("scout 2", toward=["path to victory"])))
    table.section = msgspec.structs.replace(table.section, path=(aim,)) if table.section else None
    for _ in range(mines):
        mine(table, "D6", "D5")
    ran = resolve(table, "desert-scout-a", *[["9", "9", "9"]] * mines)
    assert ran.asks[-1].text == text
    assert ran.asks[0].detail.startswith(f"Scout A: scouts from D6 to {aim}. ")
    assert "Italian Scout A card leaves the game, from" in ran.asks[-1].news, "what the log tells of it"
    assert scout.tile == tile


def driven(table: Table) -> None:
    """A crewman drives the scout car, a rifleman rides in it; armour mine ahead."""
    put(table, "it", "scout-car", "D1")
    put(table, "it", "crewman-a", "D1", vehicle="scout-car", seat=0)
    put(table, "it", RIFLEMAN, "D1", vehicle="scout-car", seat=1)
    scouted(table, "it", "D2", "D3")
    mine(table, "D1", "D2", MineSide.ARMOUR)


@pytest.mark.rule("UND-054", "UND-055", "UND-056", "UND-057", "UND-058", "UND-061", "UND-064")
def test_the_books_mine_example_a_scout_car_on_an_lrdg_mine() -> None:
    table = night()
    driven(table)
    it = table.state.players["it"]
    it.play, it.hand, it.deck = [RIFLEMAN, "crewman-a"], [RIFLEMAN], {RIFLEMAN: 1}
    ran = do(table, "it", "crewman-a", "drive 2", "D2", ["1", "4", "2"], RIFLEMAN)
    assert ran.asked() == ["drive.to", "antitank.roll", "vehicle.injured"]
    assert "4 + cover 0 + range 0 = 4" in ran.asks[1].detail
    assert ran.asks[2].text.startswith("LRDG")
    assert ids(ran.asks[2]) == ["crewman-a", RIFLEMAN]
    assert it.removed == {RIFLEMAN: 1}
    assert it.play == ["crewman-a"]
    assert it.hand == [RIFLEMAN]
    assert table.state.sides["it"].counters["scout-car"].tile == "D2"
    assert table.state.mines == []


@pytest.mark.rule("UND-059", "UND-063")
def test_a_vehicle_that_was_missed_drives_on_and_the_mine_is_gone() -> None:
    table = night()
    driven(table)
    ran = do(table, "it", "crewman-a", "drive 2", "D2", ["1", "3", "2"], "D3")
    assert ran.asked() == ["drive.to", "antitank.roll", "drive.to"]
    assert ran.asks[2].detail == "Italian Scout Car: missed. Take the mine off the edge D1-D2."
    assert table.state.sides["it"].counters["scout-car"].tile == "D3"
    assert {one.tile for one in table.occupants(table.state.sides["it"].counters["scout-car"])} == {"D3"}
    assert table.state.mines == []


@pytest.mark.rule("UND-062", "UND-R36")
def test_several_mines_on_one_edge_go_off_one_after_the_other() -> None:
    table = night()
    put(table, "it", RIFLEMAN, "D1")
    scouted(table, "it", "D2")
    mine(table, "D1", "D2")
    mine(table, "D2", "D1")
    table.state.players["it"].deck = {RIFLEMAN: 3}
    ran = do(table, "it", RIFLEMAN, "move 1", "D2", ["9", "1", "1"], ["1", "1", "1"])
    assert ran.asked() == ["move.to", "attack.roll", "attack.roll"]
    assert table.state.players["it"].removed == {RIFLEMAN: 1}
    assert table.state.mines == []


@pytest.mark.rule("UND-052", "UND-062")
@pytest.mark.parametrize("hit", [0, 1])
def test_of_several_mines_on_one_edge_each_that_hits_ends_the_movement(hit: int) -> None:
    table = night()
    scout = put(table, "it", "desert-scout-a", "D1")
    table.state.players["it"].deck = {"desert-scout-a": 2}
    mine(table, "D1", "D2")
    mine(table, "D1", "D2")
    rolls = [["1", "1", "1"], ["1", "1", "1"]]
    rolls[hit] = ["9", "1", "1"]
    ran = do(table, "it", "desert-scout-a", "scout 2", "D2", *rolls)
    assert ran.asked() == ["scout.to", "attack.roll", "attack.roll"]
    assert scout.tile == "D2"


@pytest.mark.rule("UND-049", "UND-062")
def test_under_a_counter_that_a_mine_has_taken_off_no_other_mine_goes_off() -> None:
    table = night()
    scout = put(table, "it", "desert-scout-a", "D1")
    mine(table, "D1", "D2")
    mine(table, "D1", "D2")
    player = table.state.players["it"]
    player.deck, player.supply = {}, {}
    ran = do(table, "it", "desert-scout-a", "scout 2", "D2", ["9", "1", "1"])
    assert ran.asked() == ["scout.to", "attack.roll"]
    assert (scout.tile, len(table.state.mines)) == ("", 1)


def test_a_bots_move_over_no_mine_is_told_once() -> None:
    table = staged(NIGHT)
    put(table, "it", RIFLEMAN, "D1")
    scouted(table, "it", "D2")
    teach(table, solo("desert-rifleman", line("move", to=["scouted"])))
    (told,) = resolve(table, RIFLEMAN).asks
    assert told.text.endswith(": moves from D1 to D2")
    assert told.detail == "Line 1."


@pytest.mark.rule("UND-R34")
def test_a_mine_in_the_opponents_turn_costs_by_the_normal_order() -> None:
    table = night()
    soldier = put(table, "it", RIFLEMAN, "D1")
    it = table.state.players["it"]
    it.play, it.hand = [RIFLEMAN], [RIFLEMAN]
    mine(table, "D1", "D2")
    table.state.turn = "lrdg"
    run(movement.step(table, "it", soldier, Kind.GUIDE, "D2"), ["9", "1", "1"])
    assert it.play == [RIFLEMAN]
    assert it.hand == []


# Mine X


@pytest.mark.rule("UND-065", "UND-066", "UND-068")
def test_mine_lays_or_lifts_decided_first_and_never_both() -> None:
    table = night()
    put(table, "lrdg", "sapper-a", "D2")
    mine(table, "D2", "D3")
    ran = do(table, "lrdg", "sapper-a", "mine 2", "lay", "D1:personnel", "enough")
    assert ran.asked() == ["mine.way", "mine.lay", "mine.lay"]
    assert ids(ran.asks[0]) == ["lay", "lift"]
    assert not any(one == "lift" for one in ids(ran.asks[2]))
    assert {"D1:personnel", "D1:armour"} <= set(ids(ran.asks[1]))
    do(table, "lrdg", "sapper-a", "mine 1", "lay", "D1:armour")
    assert [one.face for one in table.state.mines] == [
        MineSide.PERSONNEL,
        MineSide.PERSONNEL,
        MineSide.ARMOUR,
    ]


@pytest.mark.rule("UND-065", "UND-067")
def test_the_bot_lays_as_many_mines_as_its_line_says_while_there_are_any() -> None:
    table = staged(NIGHT, side="it")
    put(table, "lrdg", "sapper-a", "D6")
    side = table.state.sides["lrdg"]
    side.mines = 3
    teach(table, solo("sapper", line("mine 2 armour", ties=["value", "cover"])))
    ran = resolve(table, "sapper-a")
    assert [one.between for one in table.state.mines] == [("D6", "D8"), ("D6", "D2")]
    assert "It also lays an anti-armour mine D6-D2" in ran.asks[-1].news
    assert ran.texts().count("It also") == 1
    resolve(table, "sapper-a")
    assert (len(table.state.mines), side.mines) == (3, 0)


@pytest.mark.rule("UND-069")
@pytest.mark.parametrize(("side", "lays"), [("it", True), ("lrdg", False)])
def test_a_bot_that_does_not_control_the_mines_lays_none(side: str, lays: bool) -> None:
    table = staged(NIGHT, side=side)
    name = bot_name(table)
    put(table, name, "sapper-a", "D6")
    table.state.sides[name].mines = 2
    assert (decide(table, "sapper-a", line("mine 1 armour")).effect is not None) is lays


@pytest.mark.rule("UND-174", "UND-R36")
@pytest.mark.parametrize(("mined_edges", "laid"), [("yes", 2), ("no", 1)])
def test_where_no_edge_is_free_the_bot_lays_a_mine_on_a_mined_one(mined_edges: str, laid: int) -> None:
    table = staged(NIGHT, side="it", mined_edges=mined_edges)
    put(table, "lrdg", "sapper-a", "D6")
    put(table, "it", "desert-rifleman-a", "D8")
    table.state.sides["lrdg"].mines = 3
    mine(table, "D6", "D2")
    teach(table, solo("sapper", line("mine 1 armour", to=["enemy"])))
    for _ in range(2):
        resolve(table, "sapper-a")
    assert [set(one.between) for one in table.state.mines[1:]] == [{"D6", "D8"}] * laid


@pytest.mark.rule("UND-070")
@pytest.mark.parametrize("faces", [tuple(MineSide), tuple(MineSide)[::-1]])
def test_which_of_two_mines_on_an_edge_the_bot_takes_away_is_said(faces: tuple[MineSide, MineSide]) -> None:
    table = staged(NIGHT)
    put(table, "it", "sapper-a", "D6")
    put(table, "lrdg", "desert-scout-a", "D2")
    for face in faces:
        mine(table, "D2", "D6", face)
    teach(table, solo("sapper", line("mine 1 remove")))
    assert f"takes away the {faces[0]} mine D6-D2" in resolve(table, "sapper-a").texts()
    assert [one.face for one in table.state.mines] == [faces[1]]


@pytest.mark.rule("UND-070", "UND-071", "UND-072")
def test_the_bot_takes_mines_of_its_tile_away_if_its_line_says_so_whoever_controls_them() -> None:
    table = staged(NIGHT)
    put(table, "it", "sapper-a", "D6")
    put(table, "lrdg", "desert-scout-a", "D2")
    before = [side.mines for side in table.state.sides.values()]
    teach(table, solo("sapper", line("mine 2 remove", ties=["enemy"])))
    assert "nothing" in resolve(table, "sapper-a").texts()
    for other in ("D8", "D2"):
        mine(table, "D6", other)
    mine(table, "D1", "D2")
    teach(table, solo("sapper", line("mine 1 remove", ties=["enemy"])))
    assert "takes away the anti-personnel mine D6-D2" in resolve(table, "sapper-a").texts()
    assert [one.between for one in table.state.mines] == [("D6", "D8"), ("D1", "D2")]
    teach(table, solo("sapper", line("mine 2 remove")))
    resolve(table, "sapper-a")
    assert [one.between for one in table.state.mines] == [("D1", "D2")]
    assert [side.mines for side in table.state.sides.values()] == before


@pytest.mark.rule("UND-067", "UND-R37")
def test_a_mine_comes_from_the_supply_onto_an_inner_edge_of_the_units_tile() -> None:
    table = night()
    put(table, "lrdg", "sapper-a", "D1")
    before = table.state.sides["lrdg"].mines
    ran = do(table, "lrdg", "sapper-a", "mine 1", "lay", "D2:personnel")
    assert table.state.sides["lrdg"].mines == before - 1
    assert {one.split(":")[0] for one in ids(ran.asks[1])} == set(table.ground.links["D1"])
    table.state.sides["lrdg"].mines = 0
    table.state.mines.clear()
    assert not can(table, "lrdg", "sapper-a", "mine 2")


@pytest.mark.rule("UND-067")
def test_on_a_board_of_one_tile_no_mine_can_be_laid() -> None:
    stands = {"lrdg": {"sapper-a": "D1"}, "it": {"desert-rifleman-a": "D1"}}
    board: dict[str, object] = {
        "ranks": (Rank(("D1",)),),
        "tiles": (),
        "objectives": {"D1": 1},
        "counters": stands,
        "spawns": {side: {"all": "D1"} for side in stands},
        "scouted": dict.fromkeys(stands, ("D1",)),
        "controlled": {},
        "no_vehicles": (),
        "mines_laid": (),
        "structures": {},
        "demolishes": "",
        "radio": "",
        "raises_radio": "",
    }
    table = altered(NIGHT, board, players="2").table
    assert table.state.sides["lrdg"].mines
    assert not can(table, "lrdg", "sapper-a", "mine 2")


@pytest.mark.rule("UND-065", "UND-066")
def test_mines_are_taken_away_one_by_one_up_to_as_many_as_the_card_says() -> None:
    table = night()
    put(table, "lrdg", "sapper-a", "D6")
    for other in ("D8", "D2", "D5"):
        mine(table, "D6", other)
    ran = do(table, "lrdg", "sapper-a", "mine 2", "lift", "0", "1")
    assert ran.asked() == ["mine.way", "mine.lift", "mine.lift"]
    assert ids(ran.asks[2]) == ["0", "1", "enough"]
    assert [one.between for one in table.state.mines] == [("D6", "D2")]


@pytest.mark.rule("UND-069", "UND-070", "UND-071", "UND-072")
def test_both_factions_lift_mines_to_the_box_but_one_lays_them() -> None:
    table = night()
    table.state.players["it"].deck = {"sapper-a": 1}
    table.state.sides["it"].mines = 2
    put(table, "it", "sapper-a", "D2")
    assert not can(table, "it", "sapper-a", "mine 2")
    mine(table, "D7", "D8")
    mine(table, "D1", "D2")
    assert can(table, "it", "sapper-a", "mine 2")
    before = [side.mines for side in table.state.sides.values()]
    ran = do(table, "it", "sapper-a", "mine 2", "lift", "0")
    assert ids(ran.asks[0]) == ["lift"]
    assert ids(ran.asks[1]) == ["0"]
    assert [one.between for one in table.state.mines] == [("D7", "D8")]
    put(table, "lrdg", "sapper-a", "D8")
    assert ids(do(table, "lrdg", "sapper-a", "mine 1", "lift", "0").asks[0]) == ["lay", "lift"]
    assert table.state.mines == []
    assert [side.mines for side in table.state.sides.values()] == before


@pytest.mark.rule("UND-065")
@pytest.mark.parametrize(("way", "one"), [("lay", "D7:armour"), ("lift", "0")])
def test_fewer_mines_than_the_action_says_may_be_laid_or_taken_away(way: str, one: str) -> None:
    table = night()
    put(table, "lrdg", "sapper-a", "D8")
    for _ in range(3):
        mine(table, "D7", "D8")
    table.state.sides["lrdg"].mines = 3
    do(table, "lrdg", "sapper-a", "mine 3", way, one, "enough")
    left = len(table.state.mines), table.state.sides["lrdg"].mines
    assert left == {"lay": (4, 2), "lift": (2, 3)}[way]


@pytest.mark.rule("UND-065", "UND-067", "UND-070")
@pytest.mark.parametrize(("way", "one", "left"), [("lay", "D7:armour", (2, 0)), ("lift", "0", (0, 1))])
def test_mines_are_laid_while_there_are_any_in_supply_and_taken_away_while_any_lie_there(
    way: str, one: str, left: tuple[int, int]
) -> None:
    table = night()
    put(table, "lrdg", "sapper-a", "D8")
    mine(table, "D7", "D8")
    table.state.sides["lrdg"].mines = 1
    do(table, "lrdg", "sapper-a", "mine 3", way, one)
    assert (len(table.state.mines), table.state.sides["lrdg"].mines) == left


# Air Support and Bomb


@pytest.mark.rule("UND-073", "UND-074", "UND-075")
def test_air_support_brings_aircraft_alone_into_the_hand() -> None:
    table = night()
    player = table.state.players["lrdg"]
    player.supply = {"recon-aircraft": 1, RIFLEMAN: 3}
    player.hand = ["air-liaison"]
    ran = do(table, "lrdg", "air-liaison", "air-support 2", ["recon-aircraft"])
    assert ids(ran.asks[0]) == ["recon-aircraft"]
    assert player.hand == ["air-liaison", "recon-aircraft"]
    assert player.supply == {RIFLEMAN: 3}
    assert rounds.playable(table, "lrdg") == ["recon-aircraft", "air-liaison"]


@pytest.mark.rule("UND-073")
@pytest.mark.parametrize(("number", "taken"), [(1, 1), (2, 2), (3, 3), (4, 3)])
def test_air_support_takes_as_many_aircraft_as_it_says(number: int, taken: int) -> None:
    table = night()
    player = table.state.players["lrdg"]
    player.supply = {"recon-aircraft": 1, "assault-aircraft": 2}
    player.hand = ["air-liaison"]
    both = ["recon-aircraft", "assault-aircraft", "assault-aircraft 2"]
    ran = do(table, "lrdg", "air-liaison", f"air-support {number}", both[:taken])
    assert (ran.asks[0].least, ran.asks[0].most) == (taken, taken)
    assert len(player.hand) == 1 + taken


@pytest.mark.rule("UND-078", "UND-081")
def test_a_bomb_of_a_unit_on_the_board_has_no_range_either() -> None:
    table = night()
    put(table, "lrdg", "sapper-a", "D1")
    put(table, "it", RIFLEMAN, "D12")
    assert "D12" not in table.ground.near("D1", 2)
    ran = do(table, "lrdg", "sapper-a", "bomb 2", "D12", ["1", "1"])
    assert ids(ran.asks[0]) == ["D1", "D12"]
    assert ran.roll().detail == "Defence 4 + cover 0 + range 0 = 4."


@pytest.mark.rule("UND-078", "UND-079", "UND-080", "UND-081", "UND-082")
def test_a_bomb_attacks_everybody_on_foot_on_any_tile_without_range() -> None:
    table = night()
    for side, unit in (("lrdg", RIFLEMAN), ("it", RIFLEMAN), ("it", "desert-scout-a"), ("it", "medium-tank")):
        put(table, side, unit, "D8")
    for unit, tile in (("desert-rifleman-b", "D1"), ("sapper-a", "D12")):
        put(table, "it", unit, tile)
    ran = do(table, "lrdg", "assault-aircraft", "bomb 2", "D8", ["1", "1"], ["1", "1"], ["1", "1"])
    assert ids(ran.asks[0]) == ["D1", "D8", "D12"]
    assert ran.asked() == ["bomb.tile", "bomb.roll", "bomb.roll", "bomb.roll"]
    assert all(one.roll().dice[0].count == 2 for one in [type(ran)([ask]) for ask in ran.asks[1:]])
    assert [one.detail.split("Defence ")[1].split(".")[0] for one in ran.asks[1:]] == [
        "4 + cover 1 + range 0 = 5",
        "4 + cover 1 + range 0 = 5",
        "5 + cover 1 + range 0 = 6",
    ]


@pytest.mark.rule("UND-313")
def test_nobody_is_far_away_from_an_aircraft_whichever_tile_is_laid_first() -> None:
    table = night()
    put(table, "it", "desert-scout-a", "D10")
    ran = do(table, "lrdg", "assault-aircraft", "attack 2", "desert-scout-a", ["1", "1"])
    assert ran.asks[0].text == "Attack 2: at whom?"
    assert "Defence 5 + cover 0 + range 0 = 5." in ran.asks[1].detail
    alone = staged(NIGHT)
    put(alone, "lrdg", "desert-scout-a", "D1")
    put(alone, "lrdg", RIFLEMAN, "D10")
    for strafe in (line("strafe 2"), line("strafe 2", when=["enemy: defence at most 4"])):
        assert options(decide(alone, "assault-aircraft", strafe)) == {RIFLEMAN}


@pytest.mark.rule("UND-083")
def test_a_bomb_on_the_own_soldiers_takes_the_play_area_first() -> None:
    table = night()
    put(table, "lrdg", RIFLEMAN, "D8")
    player = table.state.players["lrdg"]
    player.play, player.hand = [RIFLEMAN], [RIFLEMAN]
    do(table, "lrdg", "assault-aircraft", "bomb 2", "D8", ["9", "1"])
    assert player.play == []
    assert player.hand == [RIFLEMAN]


def test_antitank_from_the_gunners_seat_is_measured_against_armour() -> None:
    table = night()
    put(table, "lrdg", "scout-car", "D2")
    put(table, "lrdg", "crewman-a", "D2", vehicle="scout-car", seat=1)
    car = table.state.sides["lrdg"].counters["scout-car"]
    against = combat.defence(table, car, parse("antitank 2"), "D1")
    assert against is not None
    assert str(against) == "4+1+1=6"
