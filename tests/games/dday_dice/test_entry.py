"""Entering a printed board: exactly what the rulebook leaves out, checked before it is saved."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.engine import packs
from companion.engine.asks import AnyAsk, Choose, Number, Pick
from companion.engine.autoplay import play_out, policy
from companion.engine.errors import BadInput
from companion.engine.game import setup
from companion.engine.packs import Header, PackFile, Record, Source, Tables
from companion.games.dday_dice import GAME
from companion.games.dday_dice.battlefield import battlefield
from companion.games.dday_dice.effects import Gain, TurnDie
from companion.games.dday_dice.entry import RULEBOOK, entry
from companion.games.dday_dice.records import DdayPack
from tests.games.dday_dice.beach import shipped

# A small Omaha of a test's own: nine Sectors in five rows, one Bunker.
ROWS = {"1": 1, "2": 2, "3": 2, "4": 3, "5": 3, "6": 4, "7": 4, "8": 5, "9": 5}
DEF = {**{n: row * 2 for n, row in ROWS.items()}, "Bunker": 12}
WAYS = {
    "1": ("2", "3"),
    "2": ("3", "4"),
    "3": ("5",),
    "4": ("5", "6"),
    "5": ("7",),
    "6": ("8",),
    "7": ("8", "9"),
    "8": ("Bunker",),
    "9": ("Bunker",),
    "Bunker": (),
}
MINED = {"3": ("5",), "7": ("9",)}


class Owner:
    """Reads the board above off to the box, and remembers what was asked."""

    def __init__(self, board: str = "omaha", ways: dict[str, tuple[str, ...]] = WAYS) -> None:
        self.board = board
        self.ways = ways
        self.asked: list[str] = []
        self.wrong: list[str] = []

    def tables(self, pack: DdayPack, mine: Tables | None = None) -> Tables:
        script = entry(pack, self.board, mine)
        answer: object = None
        while True:
            try:
                ask = script.send(answer)
            except StopIteration as end:
                tables: Tables = end.value
                return tables
            answer = ask.accept(self.answer(ask))

    def answer(self, ask: AnyAsk) -> object:
        what = ask.key.removeprefix("dday_dice.enter.")
        name = ask.text.partition(":")[0].removeprefix("Sector ")
        self.asked.append(f"{what} {name}" if ":" in ask.text else what)
        if isinstance(ask, Number):
            return self.number(what, name)
        if isinstance(ask, Pick):
            return [one for one in self.picked(what, name) if one in [option.id for option in ask.options]]
        if isinstance(ask, Choose):
            return {
                "shield": "yes" if name == "4" else "no",
                "more": "no",
                "start": "yes",
                "damage": "none",
                "who": "Scout",
                "face": "star",
                "another": "no",
                "review": "save",
            }[what]
        self.wrong.append(ask.text)
        return True

    def number(self, what: str, name: str) -> int:
        if what == "row":
            return ROWS[name]
        if what == "def":
            return DEF[name]
        if what == "guns":
            return 1 if name in {"5", "8", "Bunker"} else 0
        return {"sectors": 9, "courage": 2, "soldiers": 5, "stars": 0}.get(what, 0)

    def picked(self, what: str, name: str) -> tuple[str, ...]:
        if what == "ways":
            return self.ways[name]
        if what == "mines":
            return MINED.get(name, ())
        if what == "print":
            return {"6": ("requires",), "2": ("bonus",)}.get(name, ())
        return ()


def with_owner(tables: Tables) -> DdayPack:
    """The packs that ship, and what the owner entered."""
    own = PackFile(Path("owner.toml"), Header("dday_dice", "owner", Source.OWNER), tables)
    merged = packs.merge("dday_dice", [*packs.find(GAME.folder, Path("/nowhere")), own])
    return packs.build(merged, DdayPack)


def test_what_was_entered_takes_the_stand_ins_place_whole() -> None:
    pack = with_owner(Owner().tables(shipped()))
    battle = GAME.start(setup(GAME, pack, {}, "omaha")).battle
    field = battle.field

    assert not field.stand_in
    assert {n: sector.defence for n, sector in field.sectors.items()} == {n: (d,) for n, d in DEF.items()}
    assert [n for n, sector in field.sectors.items() if sector.shield] == ["4"]
    assert [n for n, sector in field.sectors.items() if sector.requires] == ["6"]
    assert field.sectors["2"].bonus == ("star",)
    assert {way.to for way in field.ways["5"]} == {"4", "7"}
    assert [(n, way.to) for n, there in field.ways.items() for way in there if way.mines] == [
        ("3", "5"),
        ("7", "9"),
    ]
    assert {way.courage for there in field.ways.values() for way in there if way.advance} == {2}
    assert field.sectors["1"].soldiers == 5


def test_what_the_rulebook_says_stays_and_is_not_asked() -> None:
    owner = Owner()
    pack = with_owner(owner.tables(shipped()))

    assert pack.sector["omaha.5"].damage == "specialist"
    assert pack.sector["omaha.8"].max_units == 1
    assert pack.sector["omaha.7"].no_find_items
    assert "damage 5" not in owner.asked
    assert "damage 8" in owner.asked


def test_a_way_sideways_is_asked_for_once_and_costs_nothing() -> None:
    offered: dict[str, list[str]] = {}

    class Reader(Owner):
        def picked(self, what: str, name: str) -> tuple[str, ...]:
            return ("3",) if what in {"mines", "barriers"} and name == "2" else super().picked(what, name)

        def answer(self, ask: AnyAsk) -> object:
            answer = super().answer(ask)
            if self.asked[-1].startswith("ways") and isinstance(ask, Pick):
                offered[self.asked[-1]] = [option.id for option in ask.options]
            return answer

    told = Reader(ways={**WAYS, "2": ("3", "4")}).tables(shipped())["sector"]["omaha.2"]["links"]

    assert offered["ways 2"] == ["3", "4", "5"]
    assert offered["ways 3"] == ["4", "5"]
    assert told == [
        {"to": "3", "courage": 0, "mines": True, "barrier": True},
        {"to": "4", "courage": 2, "mines": False, "barrier": False},
    ]


def test_a_start_that_the_rulebook_prints_is_not_asked_for() -> None:
    class Reader(Owner):
        def number(self, what: str, name: str) -> int:
            if what == "row":
                return 1 if name in {"1", "2"} else 2
            return {"sectors": 16, "soldiers": 5}.get(what, 1)

        def picked(self, what: str, name: str) -> tuple[str, ...]:
            return ()

    owner = Reader("utah")
    sector = with_owner(owner.tables(shipped())).sector

    assert [one for one in owner.asked if one.startswith("start")] == ["start 1"]
    assert (sector["utah.1"].start, sector["utah.1"].soldiers) == (True, 5)
    assert (sector["utah.2"].start, sector["utah.2"].soldiers, sector["utah.2"].specialist) == (
        True,
        0,
        "Corporal",
    )


def test_what_is_not_asked_and_was_put_right_stays_when_a_board_is_entered_again() -> None:
    once = Owner().tables(shipped())
    once["sector"]["omaha.5"]["damage"] = "courage"
    once["sector"]["omaha.8"] |= {"max_units": 2, "damage": "courage", "guns": 3}
    again = Owner().tables(with_owner(once), once)
    assert again["sector"]["omaha.5"]["damage"] == "courage"
    assert again["sector"]["omaha.8"]["max_units"] == 2
    assert again["sector"]["omaha.8"]["damage"] == "", "that is asked, and none was said"
    assert again["sector"]["omaha.8"]["guns"] == 1
    once["sector"]["omaha.8"]["damage"] = ""
    once["sector"]["omaha.8"]["guns"] = 1
    assert again == once


def test_what_was_put_right_of_a_stand_in_board_alone_stays_when_the_board_is_entered() -> None:
    mine: Tables = {"sector": {"omaha.8": {"max_units": 2, "guns": 3}}}
    entered = Owner().tables(with_owner(mine), mine)["sector"]["omaha.8"]
    assert (entered["max_units"], entered["guns"]) == (2, 1), "guns are asked for"


def test_where_no_special_damage_was_said_that_of_a_stand_in_is_not_left() -> None:
    assert shipped().sector["gull_bay.8"].damage
    entered = Owner("gull_bay").tables(shipped())
    assert with_owner(entered).sector["gull_bay.8"].damage is None
    again = Owner("gull_bay").tables(with_owner(entered), entered)
    assert with_owner(again).sector["gull_bay.8"].damage is None


def test_what_was_taken_away_of_a_board_stays_so_when_it_is_entered() -> None:
    mine: Tables = {"sector": {"omaha.5": {"damage": ""}}}
    entered = Owner().tables(with_owner(mine), mine)
    assert entered["sector"]["omaha.5"]["damage"] == ""
    assert with_owner(entered).sector["omaha.5"].damage is None


def test_what_was_taken_away_of_a_stand_in_board_stays_so_when_it_is_entered() -> None:
    standing = shipped().sector
    assert standing["gull_bay.9"].award
    assert standing["gull_bay.8"].vehicle
    mine: Tables = {"sector": {"gull_bay.9": {"award": ""}, "gull_bay.8": {"vehicle": ""}}}
    entered = with_owner(Owner("gull_bay").tables(with_owner(mine), mine)).sector
    assert (entered["gull_bay.9"].award, entered["gull_bay.8"].vehicle) == (None, "")


@pytest.mark.parametrize(
    ("board", "mine"),
    [("omaha", {"title": "Omaha, 2nd", "code": "N-2b"}), ("bay", {"title": "The Bay", "sectors": []})],
)
def test_what_a_board_is_called_stays_when_it_is_entered(board: str, mine: Record) -> None:
    tables: Tables = {"map": {board: mine}}
    entered = Owner(board).tables(with_owner(tables), tables)
    assert entered["map"] == {board: {**mine, "sectors": [*ROWS, "Bunker"]}}
    assert with_owner(entered).map[board].title == mine["title"]


def test_icons_and_several_results_of_a_sector_can_be_entered() -> None:
    class Reader(Owner):
        def picked(self, what: str, name: str) -> tuple[str, ...]:
            if what == "print":
                return {"4": ("no_lock", "penalty"), "5": ("roll_dice",)}.get(name, ())
            return super().picked(what, name)

        def answer(self, ask: AnyAsk) -> object:
            if ask.key.endswith("another") and self.asked.count("another 4") < 2:
                super().answer(ask)
                return "yes"
            return super().answer(ask)

    sector = with_owner(Reader().tables(shipped())).sector

    assert sector["omaha.4"].no_lock
    assert sector["omaha.4"].penalty == ("star", "star", "star")
    assert [n for n in DEF if sector[f"omaha.{n}"].roll_dice == 5] == ["5"]
    assert sector["omaha.7"].no_find_items, "that is in the rulebook, and was not asked"


def test_each_missing_figure_is_asked_once() -> None:
    owner = Owner()
    owner.tables(shipped())

    for name in ROWS:
        for what in ("row", "def", "guns", "print", "ways"):
            assert owner.asked.count(f"{what} {name}") == 1
    assert owner.asked.count("courage") == 5
    assert owner.asked.count("start 1") == 1
    assert "start 2" not in owner.asked
    assert not {"shield Bunker", "more Bunker", "start Bunker", "ways Bunker"} & set(owner.asked)
    assert "mines Bunker" not in owner.asked


def test_a_sector_may_ask_for_any_specialist_as_a_sacrifice_alone() -> None:
    offered: dict[str, str] = {}

    class Reader(Owner):
        def picked(self, what: str, name: str) -> tuple[str, ...]:
            return ("requires", "sacrifice", "joins") if what == "print" and name == "4" else ()

        def answer(self, ask: AnyAsk) -> object:
            answer = super().answer(ask)
            if ask.key.endswith("who") and isinstance(ask, Choose):
                offered[ask.text] = ask.options[0].id
                return ask.options[0].id
            return answer

    told = Reader().tables(shipped())["sector"]["omaha.4"]

    first = next(iter(shipped().specialist))
    assert list(offered.values()) == [first, "any", first]
    assert (told["requires"], told["sacrifice"], told["joins"]) == ([first], ["any"], first)


def test_an_entered_board_plays_to_its_end() -> None:
    pack = with_owner(Owner().tables(shipped()))
    play = GAME.start(setup(GAME, pack, {}, "omaha"))

    outcome, _, _ = play_out(play, policy(GAME, play, "cautious", Random(1)), 1)

    assert outcome.result in {"won", "lost"}


def test_an_orphan_sector_and_a_bunker_out_of_reach_are_said_before_saving() -> None:
    owner = Owner(ways={**WAYS, "6": (), "7": ("9",), "9": ()})

    owner.tables(shipped())

    assert "Bunker: the Bunker can't be reached" in owner.wrong
    assert "Sector 8: no way leads here from a start" in owner.wrong
    assert "Sector 6: no way leads on from here" in owner.wrong


def test_a_sector_may_be_entered_again() -> None:
    class Careful(Owner):
        def answer(self, ask: AnyAsk) -> object:
            if ask.key.endswith("review") and "again" not in self.asked:
                self.asked.append("again")
                return "again:5"
            return super().answer(ask)

    owner = Careful()
    owner.tables(shipped())

    assert owner.asked.count("def 5") == 2
    assert owner.asked.count("def 6") == 1


@pytest.mark.parametrize("slip", ["damage", "guns"])
def test_of_a_sector_entered_again_nothing_stays_that_was_a_slip(slip: str) -> None:
    class Careful(Owner):
        def answer(self, ask: AnyAsk) -> object:
            answer = super().answer(ask)
            if ask.key.endswith("review") and "review" not in self.asked[:-1]:
                return "again:8"
            if self.asked[-1] == "damage 8" and "review" not in self.asked:
                return "courage"
            return 0 if slip == "guns" and self.asked[-1] == "guns 8" and "review" in self.asked else answer

    assert with_owner(Careful().tables(shipped())).sector["omaha.8"].damage is None


@pytest.mark.parametrize("damage", ["courage", "specialist"])
def test_special_damage_is_kept_as_it_is_entered(damage: str) -> None:
    class Reader(Owner):
        def answer(self, ask: AnyAsk) -> object:
            answer = super().answer(ask)
            return damage if ask.key.endswith("damage") else answer

    assert with_owner(Reader().tables(shipped())).sector["omaha.8"].damage == damage


def test_totals_are_shown_to_compare_with_the_board() -> None:
    class Reader(Owner):
        def answer(self, ask: AnyAsk) -> object:
            if ask.key.endswith("review"):
                self.wrong.append(ask.detail)
            return super().answer(ask)

    owner = Reader()
    owner.tables(shipped())

    assert owner.wrong == [
        "10 Sectors with Bunkers in 6 rows; DEF 70 in all, guns 3; 13 ways, 2 mined, 0 with barriers"
    ]


def test_gold_has_two_bunkers_to_enter() -> None:
    script = entry(shipped(), "gold")
    ask = next(script)
    while "Bunker 2" not in ask.text:
        ask = script.send(ask.accept(10 if ask.key.endswith("sectors") else 1))

    assert ask.key == "dday_dice.enter.row"


def test_a_bunker_has_its_own_price_beside_the_line_of_its_row() -> None:
    prices = {"line into row 2": 1, "line into row 3": 2, "enter Bunker 1": 4, "enter Bunker 2": 5}

    class Reader(Owner):
        def number(self, what: str, name: str) -> int:
            if what == "row":
                return {"1": 1, "10": 3, "Bunker 1": 3, "Bunker 2": 3}.get(name, 2)
            return {"sectors": 10, "soldiers": 5}.get(what, 0)

        def picked(self, what: str, name: str) -> tuple[str, ...]:
            return (*(str(n) for n in range(1, 11)), "Bunker 1", "Bunker 2") if what == "ways" else ()

        def answer(self, ask: AnyAsk) -> object:
            if not ask.key.endswith(".courage") or ":" in ask.text:
                return super().answer(ask)
            words = ask.text.removeprefix("Courage on the ").removeprefix("Courage to ").removesuffix("?")
            return prices.pop(words)

    pack = with_owner(Reader("gold").tables(shipped()))
    field = battlefield(pack, pack.scenario["gold"])
    costs = {name: {way.to: way.courage for way in field.ways[name]} for name in ("1", "9", "10", "Bunker 1")}

    assert not prices
    assert costs["1"]["9"] == 1
    assert (costs["9"]["10"], costs["9"]["Bunker 1"], costs["9"]["Bunker 2"]) == (2, 4, 5)
    assert (costs["10"]["Bunker 2"], costs["Bunker 1"]["Bunker 2"]) == (5, 5)
    assert costs["Bunker 1"]["10"] == 0


@pytest.mark.parametrize("record", ["dieppe", "award", "award.", "award.new", "item.Rope"])
def test_a_board_that_is_not_known_is_refused_with_those_that_are(record: str) -> None:
    with pytest.raises(BadInput, match="omaha"):
        next(entry(shipped(), record))


def test_an_award_is_entered_apart_from_a_game_and_nothing_of_the_stand_ins_stays() -> None:
    script = entry(shipped(), "award.Memorial Cross")
    ask = next(script)
    tables: Tables = {}
    try:
        for answer in ("gain", 3, 0, 1, 0):
            ask = script.send(ask.accept(answer))
    except StopIteration as end:
        tables = end.value
    award = with_owner(tables).award["Memorial Cross"]

    assert shipped().award["Memorial Cross"].others
    assert (award.effects, award.others) == ((Gain(soldiers=3, courage=1),), ())
    assert (award.text, award.source) == ("+3 Soldiers, +1 Courage", Source.OWNER)


def test_stand_in_boards_say_no_more_than_what_is_asked_for() -> None:
    """Else something of our own would shine through what the owner entered."""
    asked = {
        *("row", "def", "shield", "guns", "links", "start", "soldiers", "stars", "courage", "bunker"),
        *("requires", "sacrifice", "joins", "bonus", "penalty"),
    }
    stand_in = packs.read(GAME.folder / "packs" / "stand-in" / "pack.toml").tables["sector"]
    printed = {path.partition(".")[0] for path in packs.read(RULEBOOK).tables["sector"]} - {"tiger"}

    assert len(printed) == 7
    for path, record in stand_in.items():
        if path.partition(".")[0] in printed:
            assert set(record) <= asked, path


@pytest.mark.parametrize("row", [1, 2])
def test_a_start_of_a_stand_in_is_none_on_a_board_that_starts_elsewhere(row: int) -> None:
    rows = {**ROWS, "1": row, "2": 1}

    class Reader(Owner):
        def number(self, what: str, name: str) -> int:
            return rows[name] if what == "row" else super().number(what, name)

        def answer(self, ask: AnyAsk) -> object:
            answer = super().answer(ask)
            return "no" if self.asked[-1] == "start 1" else answer

    pack = with_owner(Reader(ways={**WAYS, "1": ("4",), "2": ("1", "3", "4")}).tables(shipped()))
    field = battlefield(pack, pack.scenario["omaha"])

    assert shipped().sector["omaha.1"].start
    assert field.starts() == ("2",)
    assert not field.stand_in


def test_when_a_board_is_entered_again_what_was_entered_is_shown() -> None:
    class Reader(Owner):
        def answer(self, ask: AnyAsk) -> object:
            if ask.key.endswith("row"):
                self.wrong.append(ask.detail)
            return super().answer(ask)

    first = Reader()
    pack = with_owner(first.tables(shipped()))
    again = Reader()
    again.tables(pack)

    assert first.wrong[4] == "Known: MGF with Special Damage: -1 Specialist"
    assert again.wrong[4] == "So far: row 3, DEF 6, guns 1, ways to 7"


@pytest.mark.parametrize("is_whole", [True, False])
def test_the_second_part_of_an_award_stays_when_its_effect_is_entered_again(is_whole: bool) -> None:
    award = {"effects": [{"do": "gain", "stars": 1}], "text": "+1 Star", "solo": False}
    others = {"others": [{"do": "gain", "courage": 2}]}
    mine = {"award": {"Memorial Cross": (award if is_whole else {"solo": False}) | others}}
    script = entry(with_owner(mine), "award.Memorial Cross", mine)
    script.send(None)
    with pytest.raises(StopIteration) as end:
        script.send("turn_die")
    tables = end.value.value
    kept = with_owner(tables).award["Memorial Cross"]
    assert (kept.others, kept.solo) == ((Gain(courage=2),), False)
    assert kept.effects == (TurnDie(),)
