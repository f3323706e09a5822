"""Mission objective, terrain and army: FLG-001 to FLG-012 and FLG-052 to FLG-055."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from companion.engine.asks import Choose
from companion.engine.errors import BadAnswer, BadInput
from companion.engine.run import Run
from companion.games.flag_war import GAME
from companion.games.flag_war.pack import FlagWarPack, problems
from companion.games.flag_war.terrain import terrain
from tests.games.driver import Driver, setup
from tests.games.flag_war.field import at_roll, begun, fresh, move, state

GROUND = terrain(fresh().ground)


@pytest.mark.rule("FLG-001", "FLG-002", "FLG-R11")
@pytest.mark.parametrize(("armies", "seats"), [("2", "NS"), ("3", "NES"), ("4", "NESW")])
def test_two_three_or_four_armies_take_part_each_with_a_general(armies: str, seats: str) -> None:
    war = fresh(armies=armies, south="guard").state

    assert "".join(war.armies) == seats
    assert [seat for seat, army in war.armies.items() if army.player != "person"] == ["S"]


@pytest.mark.rule("FLG-003", "FLG-081")
def test_the_first_army_with_all_flags_wins_and_not_one_with_most() -> None:
    driver = at_roll({"armies": "3"}, N={"C1": "N-I5"}, S={"P1": "M00"}, E={"P1": "M80"})
    state(driver).armies["N"].men["C1"].flag = "S"
    state(driver).flags["S"] = []

    driver.answer(["1", "4"])
    move(driver, "C1:1", "N-flag")

    assert state(driver).flags["N"] == ["N", "S"]
    assert state(driver).winner == ""
    assert driver.outcome is None


@pytest.mark.rule("FLG-004", "FLG-005", "FLG-007", "FLG-R13")
@pytest.mark.parametrize(
    ("armies", "empty", "flags"),
    [("2", "no", 2), ("2", "east", 3), ("2", "yes", 4), ("3", "east", 3), ("3", "west", 4), ("4", "no", 4)],
)
def test_every_army_has_a_flag_at_home_and_an_empty_base_may(armies: str, empty: str, flags: int) -> None:
    war = fresh(armies=armies, empty_flags=empty).state

    assert sum(len(lying) for lying in war.flags.values()) == flags
    assert all(war.flags[seat] == [seat] for seat in war.armies)


@pytest.mark.rule("FLG-004", "FLG-005")
@pytest.mark.parametrize(
    ("armies", "empty", "flags"),
    [
        ("2", "no", "North, South"),
        ("2", "west", "North, South, West"),
        ("3", "yes", "North, East, South, West"),
        ("3", "no", "North, East, South"),
    ],
)
def test_where_men_and_flags_are_set_up_is_told_before_the_first_turn(
    armies: str, empty: str, flags: str
) -> None:
    driver = Driver(fresh(armies=armies, empty_flags=empty))
    for die in ("6", "1", "1")[: int(armies)]:
        driver.answer([die])

    assert driver.ask.key == "flag_war.opening.first"
    how = f"Set up the men as the box shows them, one flag on the flag square of each of {flags}"
    told = f"Standard board (stand-in board). {how}"
    assert driver.ask.detail == told
    assert "FLG-R01" in driver.ask.rule


@pytest.mark.rule(
    "FLG-006",
    "FLG-007",
    "FLG-008",
    "FLG-010",
    "FLG-011",
    "FLG-012",
    "FLG-R03",
    "FLG-R06",
    "FLG-R07",
    "FLG-R08",
    "FLG-R09",
    "FLG-R28",
)
def test_the_battlefield_is_a_main_area_and_four_like_bases() -> None:
    parts = Counter(name[:3] if "-" in name else "main" for name in GROUND.names)

    assert parts["main"] == 81
    for seat in "NESW":
        assert parts[f"{seat}-F"] == 25
        assert parts[f"{seat}-O"] == 8
        assert parts[f"{seat}-I"] == 5
        assert f"{seat}-flag" in GROUND.index
        assert f"{seat}-prison" not in GROUND.index
        bunkers = [
            f"{seat}-O{road}" for road in range(1, 9) if GROUND.bit[f"{seat}-O{road}"] & GROUND.bunkers
        ]
        assert bunkers == [f"{seat}-O3", f"{seat}-O6"]
    assert len(GROUND.names) == 237


@pytest.mark.rule("FLG-008", "FLG-011", "FLG-R05")
@pytest.mark.parametrize(
    ("start", "end", "steps"),
    [
        ("N-F02", "N-flag", 6),
        ("N-F42", "N-F02", 4),
        ("N-F42", "N-F24", 4),
        ("N-F42", "M04", 9),
        ("E-F42", "M48", 9),
        ("M04", "M84", 8),
        ("M04", "M48", 8),
        ("N-flag", "S-flag", 46),
        ("W-flag", "N-flag", 46),
    ],
)
def test_distances_are_those_of_the_proposed_board(start: str, end: str, steps: int) -> None:
    assert GROUND.away(GROUND.bit[start])[GROUND.index[end]] == steps


@pytest.mark.rule("FLG-052", "FLG-053", "FLG-054", "FLG-055")
def test_an_army_has_six_pawns_two_carriers_two_mediums_and_two_heavies() -> None:
    men = fresh().state.armies["N"].men.values()

    assert Counter(man.kind for man in men) == {"P": 6, "C": 2, "M": 2, "H": 2}


@pytest.mark.rule("FLG-R12")
def test_the_start_layout_is_the_ledgers() -> None:
    men = fresh().state.armies["S"].men

    assert {men[name].at for name in ("C1", "C2")} == {"S-F11", "S-F13"}
    assert {men[name].at for name in ("M1", "M2", "H1", "H2")} == {"S-F20", "S-F22", "S-F31", "S-F33"}
    assert {man.at for name, man in men.items() if man.kind == "P"} == {
        "S-F32", "S-F40", "S-F41", "S-F42", "S-F43", "S-F44",
    }  # fmt: skip


@pytest.mark.rule("FLG-R04", "FLG-R12")
def test_men_may_be_placed_freely_but_not_on_access_or_rescue_squares() -> None:
    driver = Driver(fresh(start="free"))

    assert driver.ask.key == "flag_war.start.place"
    field = {f"N-F{row}{col}" for row in range(5) for col in range(5)}
    assert set(driver.ids()) == field - {"N-F24", "N-F14", "N-F34", "N-F23"}, "nobody stands there yet"
    for _ in range(24):
        driver.answer(driver.ids()[0])
    begun(driver)
    assert list(driver.play.check()) == []


@pytest.mark.rule("FLG-R12")
def test_who_was_taken_off_the_table_by_hand_before_the_war_begins_is_placed_again() -> None:
    run = Run(fresh(start="free", south="person"), 1)
    assert {man.at for army in run.play.state.armies.values() for man in army.men.values()} == {""}
    while run.ask is not None and run.ask.key == "flag_war.start.place":
        assert isinstance(run.ask, Choose)
        run.answer(run.ask.options[0].id)
    run.override({"armies.N.men.P2.at": ""})
    while run.ask is not None and run.ask.key != "flag_war.start.place":
        run.answer(run.chance() if run.ask.is_chance else True)
    assert run.ask is not None
    assert run.ask.text == "North: place P2"
    run.answer("N-F01")
    assert run.ask.key == "flag_war.turn.roll"
    assert list(run.play.check()) == []
    with pytest.raises(BadAnswer, match="N P2 is nowhere"):
        run.override({"armies.N.men.P2.at": "", "turn": 0})


def placed_and_begun(run: Run, taken: dict[str, dict[str, str]]) -> None:
    """All men put on their first free squares up to the first turn; at some asks the state is set by hand."""
    while run.ask is not None and run.ask.key != "flag_war.turn.roll":
        if run.ask.key in taken and run.play.state.armies["S"].men["H2"].at:
            run.override(taken.pop(run.ask.key))
        options = run.ask.options if isinstance(run.ask, Choose) else ()
        run.answer(run.chance() if run.ask.is_chance else options[0].id if options else True)
    assert not taken


@pytest.mark.rule("FLG-R12")
@pytest.mark.parametrize("seat", ["N", "S"])
def test_who_is_taken_off_as_another_is_placed_again_is_placed_too(seat: str) -> None:
    run = Run(fresh(start="free", south="person"), 1)
    first = {f"armies.{seat}.men.P1.at": ""}
    placed_and_begun(
        run, {"flag_war.opening.first": first, "flag_war.start.place": {"armies.N.men.P2.at": ""}}
    )

    assert list(run.play.check()) == []


@pytest.mark.rule("FLG-R12")
def test_who_is_taken_off_is_placed_again_where_the_box_leads_that_army_now() -> None:
    run = Run(fresh(start="free", south="person"), 1)
    placed_and_begun(run, {"flag_war.opening.first": {"armies.N.player": "guard", "armies.N.men.P1.at": ""}})

    assert list(run.play.check()) == []


def test_who_has_his_place_from_the_start_can_not_be_nowhere() -> None:
    for run in (Run(fresh(), 1), Run(fresh(start="free", north="guard"), 1)):
        with pytest.raises(BadAnswer, match="N P1 is nowhere"):
            run.override({"armies.N.men.P1.at": ""})


@pytest.mark.rule("FLG-R12")
def test_where_men_are_placed_freely_armies_of_the_box_keep_the_layout() -> None:
    driver = Driver(fresh(start="free", north="guard"))
    layout = {name: man.at for name, man in fresh().state.armies["N"].men.items()}

    assert (driver.ask.text, driver.ask.detail) == ("South: place P1", "pawn, on South's field")
    assert {name: man.at for name, man in state(driver).armies["N"].men.items()} == layout


@pytest.mark.rule("FLG-R01")
def test_a_board_is_data_and_a_broken_one_is_told() -> None:
    given = setup(GAME)
    assert isinstance(given.pack, FlagWarPack)
    ground = given.pack.board["standard"]
    broken = msgspec.structs.replace(ground, access=(0, 0), bunkers=(1, 9))
    pack = msgspec.structs.replace(given.pack, board={"standard": broken})

    assert [problem.rule for problem in problems(pack)] == ["FLG-076", "FLG-012"]
    with pytest.raises(BadInput, match=r"board\.standard: the access square"):
        GAME.start(msgspec.structs.replace(given, pack=pack))
    with pytest.raises(BadInput, match="--scenario moon: flag_war has standard, skirmish"):
        setup(GAME, "moon")


@pytest.mark.rule("FLG-012", "FLG-076", "FLG-R01", "FLG-R03", "FLG-R04", "FLG-R09", "FLG-R12")
@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"main": (11, 9)}, ["FLG-R01"]),
        ({"entries": ((0, 4), (4, 8), (9, 4), (4, 0))}, ["FLG-R09"]),
        ({"entries": ((0, 4), (4, 8), (0, 4), (4, 0))}, ["FLG-R09"]),
        ({"outer_mouth": (5, 2)}, ["FLG-R03"]),
        ({"inner_mouth": (2, 4)}, ["FLG-R04"]),
        ({"access": (2, 3)}, ["FLG-076", "FLG-R12"]),
        ({"inner_road": 31}, ["FLG-R01"]),
        ({"outer_road": 8000}, ["FLG-R01"]),
        ({"bunkers": (3, 3)}, ["FLG-012"]),
        ({"bunkers": (3, 6, 7)}, ["FLG-012"]),
        ({"bunkers": (0, 6)}, ["FLG-012"]),
        ({"bunkers": (1, 8)}, []),
        ({"inner_road": 1, "outer_road": 30}, []),
        ({"layout": (". . . . .", ". C . C .", "M . M . .", ". H P H .", "P P P P .")}, ["FLG-R12"]),
        ({"layout": (". . . . .", ". C . C .", "M . M . .", ". H P . H", "P P P P P")}, ["FLG-R12"]),
        ({"layout": (". . . . . P", ". C . C .", "M . M . .", ". H P H .", "P P P P .")}, ["FLG-R12"]),
    ],
)
def test_what_a_board_can_not_be_is_told(changes: dict[str, object], rules: list[str]) -> None:
    given = setup(GAME)
    assert isinstance(given.pack, FlagWarPack)
    changed = msgspec.structs.replace(given.pack.board["standard"], **changes)

    assert [one.rule for one in problems(FlagWarPack(given.pack.piece, {"standard": changed}))] == rules


def test_a_board_that_can_be_played_is_not_held_up_by_another_that_can_not() -> None:
    given = setup(GAME)
    assert isinstance(given.pack, FlagWarPack)
    broken = msgspec.structs.replace(given.pack.board["skirmish"], inner_road=0)
    pack = FlagWarPack(given.pack.piece, given.pack.board | {"skirmish": broken})
    assert Driver(GAME.start(msgspec.structs.replace(given, pack=pack))).ask
    with pytest.raises(BadInput, match=r"board\.skirmish: a road joins"):
        GAME.start(msgspec.structs.replace(given, pack=pack, scenario="skirmish"))


@pytest.mark.rule("FLG-008", "FLG-TB01")
def test_a_base_without_an_inner_road_and_soldiers_who_can_not_fight_so_are_told() -> None:
    given = setup(GAME)
    assert isinstance(given.pack, FlagWarPack)
    short = msgspec.structs.replace(given.pack.board["standard"], inner_road=0)
    heavy = msgspec.structs.replace(given.pack.piece["H"], dice=3)
    weak = msgspec.structs.replace(given.pack.piece["P"], fixed=-1)
    pack = FlagWarPack(given.pack.piece | {"P": weak, "H": heavy}, {"standard": short})

    assert [(problem.path, problem.rule) for problem in problems(pack)] == [
        ("piece.P", "FLG-TB01"),
        ("piece.H", "FLG-TB01"),
        ("board.standard", "FLG-008"),
    ]


def test_a_war_that_is_begun_goes_on_whatever_is_found_wrong_with_its_packs_since() -> None:
    given = setup(GAME)
    assert isinstance(given.pack, FlagWarPack)
    heavy = msgspec.structs.replace(given.pack.piece["H"], dice=3)
    pack = msgspec.structs.replace(given.pack, piece=given.pack.piece | {"H": heavy})
    with pytest.raises(BadInput, match=r"piece\.H: a soldier fights with"):
        GAME.start(msgspec.structs.replace(given, pack=pack))
    assert Driver(GAME.start(msgspec.structs.replace(given, pack=pack, begun=True))).ask


@pytest.mark.parametrize(
    "changes",
    [{"main": (11, 9)}, {"field": (5, 10**9)}, {"outer_road": 10**9}, {"inner_road": 301}],
)
def test_r8_a_session_from_elsewhere_on_a_board_as_large_as_none_is_refused_at_once(
    changes: dict[str, object],
) -> None:
    given = setup(GAME)
    assert isinstance(given.pack, FlagWarPack)
    vast = msgspec.structs.replace(given.pack.board["standard"], **changes)
    pack = FlagWarPack(given.pack.piece, {"standard": vast})
    with pytest.raises(BadInput, match="as large can't be played"):
        GAME.start(msgspec.structs.replace(given, pack=pack, begun=True))


def test_r8_a_session_from_elsewhere_with_an_army_as_large_as_none_is_refused_at_once() -> None:
    given = setup(GAME)
    assert isinstance(given.pack, FlagWarPack)
    pawn = msgspec.structs.replace(given.pack.piece["P"], count=10**9)
    pack = msgspec.structs.replace(given.pack, piece=given.pack.piece | {"P": pawn})
    with pytest.raises(BadInput, match="as large can't be played"):
        GAME.start(msgspec.structs.replace(given, pack=pack, begun=True))


def test_the_skirmish_board_is_smaller_and_as_complete() -> None:
    small = terrain(fresh("skirmish").ground)

    assert len(small.names) == 25 + 4 * (25 + 4 + 2 + 1)
    assert small.away(small.bit["N-flag"])[small.index["S-flag"]] < 46
