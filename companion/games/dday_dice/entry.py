"""Entering a printed board: exactly the figures that the rulebook leaves out, Sector by Sector, checked.

`companion pack new dday_dice.omaha` runs this. What the rulebook pack says of a Sector is not asked again.
For `dday_dice.award.NAME` the same is asked as at the table, where such a card is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from companion.engine import packs
from companion.engine.asks import Choose, Number, Option, Pick, Script, Show, ask
from companion.engine.errors import BadInput
from companion.engine.packs import Record, Source, Tables, said_of, without_taken_away
from companion.games.dday_dice.awards import NEW, described_once
from companion.games.dday_dice.battlefield import problems
from companion.games.dday_dice.dice import FACES, SHORT
from companion.games.dday_dice.records import DdayPack, Sector

RULEBOOK = Path(__file__).parent / "packs" / "rulebook" / "pack.toml"
KEY = "dday_dice.enter"
T = TypeVar("T")
_YES_NO = (Option("no", "no"), Option("yes", "yes"))


class Board(msgspec.Struct):
    """A board while it is entered: `known` is the rulebook's part of each Sector, `told` the owner's.

    `mine` is what the owner's pack says of them already, `before` what all packs say together.
    """

    name: str
    known: dict[str, Record]
    specialists: tuple[str, ...]
    before: dict[str, Sector]
    mine: dict[str, Record]
    told: dict[str, Record] = {}
    line_courage: dict[int, int] = {}
    bunker_courage: dict[str, int] = {}

    def sectors(self) -> dict[str, Sector]:
        """The Sectors as they would be with what has been entered."""
        said = {
            name: {**self.known.get(name, {}), **self.unasked(name), **record}
            for name, record in self.told.items()
        }
        return {name: msgspec.convert(without_taken_away(one, Sector), Sector) for name, one in said.items()}

    def unasked(self, name: str) -> Record:
        """What nobody is asked of a Sector and the owner has put right, say on the page."""
        mine, known = self.mine.get(name), self.known.get(name, {})
        if mine is None:
            return {}
        was: Record = msgspec.to_builtins(self.before[name])
        printed: Record = msgspec.to_builtins(msgspec.convert(known, Sector))
        asked = {"damage"} - known.keys()  # of which none is not written down
        unasked = {what: value for what, value in was.items() if what in mine and what not in asked}
        return {
            what: "" if value is None else value
            for what, value in unasked.items()
            if what not in known
            or value != printed[what]  # of what the rulebook leaves out a stand-in may say
        }

    def hint(self, name: str) -> str:
        """What the owner entered of a Sector before, or what else is known of it."""
        sector = self.before.get(name)
        if sector is None:
            return ""
        if sector.source is Source.STAND_IN:
            return f"Known: {sector.note}" if sector.note else ""
        ways = ", ".join(link.to for link in sector.links)
        defence = "/".join(map(str, sector.defence))
        return f"So far: row {sector.row}, DEF {defence}, guns {sector.guns}, ways to {ways}"

    def row(self, name: str) -> int:
        """The row that was entered for a Sector."""
        return msgspec.convert(self.told[name]["row"], int)

    def price(self, row: int, to: str) -> int:
        """The Courage that a way out of a row costs: a Bunker's own, or that of the line it crosses."""
        if to in self.bunker_courage:
            return self.bunker_courage[to]
        return self.line_courage[self.row(to)] if self.row(to) > row else 0


def entry(pack: msgspec.Struct, record: str, mine: Tables | None = None) -> Script[Tables]:
    """Ask for a board's figures, or for what an Award does; returns its records.

    `mine` is what the owner's pack says already.

    Raises `BadInput` for a board that is not known.
    """
    assert isinstance(pack, DdayPack)
    table, _, award = record.partition(".")
    if table == "award" and award not in {"", NEW.id}:
        return (yield from _award(award, said_of(mine, "award", award)))
    if record not in pack.map:
        raise BadInput(
            f"no board {record!r} to enter; there are {', '.join(pack.map)}; "
            "and award.NAME, specialist.NAME, item.NAME or vehicle.NAME. A board of your own is entered by "
            "its fields: companion pack new dday_dice.map.NAME --fields, then sector.NAME.1 and so on, "
            "and scenario.NAME"
        )
    known = _on(record, packs.read(RULEBOOK).tables["sector"])
    own = _on(record, (mine or {}).get("sector", {}))
    board = Board(record, known, tuple(pack.specialist), _on(record, pack.sector), own)
    bunkers = yield from _names(pack, board)
    for name in board.told:
        yield from _row(board, name, bunkers)
    yield from _prices(board)
    for name in board.told:
        yield from _sector(board, name)
    yield from _review(board)
    return {
        "map": {record: said_of(mine, "map", record) | {"sectors": list(board.told)}},
        "sector": {f"{record}.{name}": board.unasked(name) | told for name, told in board.told.items()},
    }


def _award(name: str, mine: Record) -> Script[Tables]:
    """What an Award does; what is not asked of it stays as the owner has written it."""
    tables = yield from described_once(name)
    tables["award"][name] |= {field: mine[field] for field in ("others", "solo") if field in mine}
    return tables


def _on(board: str, sectors: Mapping[str, T]) -> dict[str, T]:
    """A board's Sectors by their names, of the records of all boards."""
    start = f"{board}."
    return {path.removeprefix(start): one for path, one in sectors.items() if path.startswith(start)}


# --- the ground


def _names(pack: DdayPack, board: Board) -> Script[list[str]]:
    """How many Sectors there are; returns the names of the Bunkers, which come last."""
    least = max((int(name) for name in board.known if name.isdigit()), default=1)
    text = f"{pack.map[board.name].title}: how many Sectors, without Bunkers?"
    count = yield from ask(Number(f"{KEY}.sectors", text, rule=("DDD-124",), least=least, most=24))
    two = any(board.name in one.maps and one.bunkers_all for one in pack.scenario.values())
    bunkers = ["Bunker 1", "Bunker 2"] if two else ["Bunker"]
    for name in (*(str(n) for n in range(1, count + 1)), *bunkers):
        board.told[name] = {"bunker": True} if name in bunkers else {}
    return bunkers


def _row(board: Board, name: str, bunkers: Sequence[str]) -> Script[None]:
    """Rows count from the sea; a single Bunker lies behind the last one."""
    if name in bunkers and len(bunkers) == 1:
        board.told[name]["row"] = 1 + max(board.row(one) for one in board.told if one != name)
        return
    text = f"{_label(name)}: which row from the sea?"
    question = Number(f"{KEY}.row", text, board.hint(name), ("DDD-118",), least=1, most=12)
    board.told[name]["row"] = yield from ask(question)


def _prices(board: Board) -> Script[None]:
    """The Courage at the left edge of each line, and what is printed on each Bunker (DDD-121, DDD-122)."""
    rows = sorted({board.row(name) for name in board.told})
    bunkers = [name for name in board.told if "Bunker" in name]
    for row in rows[1:]:
        if any(board.row(name) == row for name in board.told if name not in bunkers):
            board.line_courage[row] = yield from _courage(f"Courage on the line into row {row}?")
    for name in bunkers:
        which = name if len(bunkers) > 1 else "the Bunker"
        board.bunker_courage[name] = yield from _courage(f"Courage to enter {which}?")


def _courage(text: str) -> Script[int]:
    question = Number(f"{KEY}.courage", text, rule=("DDD-121", "DDD-122"), least=1, most=9)
    return (yield from ask(question))


# --- one Sector


def _sector(board: Board, name: str) -> Script[None]:
    """DEF, shield, guns, start, print and ways of one Sector."""
    told, known = board.told[name], board.known.get(name, {})
    told["def"] = yield from _defence(name)
    if "shield" not in known and "Bunker" not in name:
        told["shield"] = yield from _yes(f"{_label(name)}: a black shield?", "shield", "DDD-128")
    guns = yield from ask(
        Number(f"{KEY}.guns", f"{_label(name)}: how many machine guns?", rule=("DDD-147",), most=3)
    )
    told["guns"] = guns
    if guns and "damage" not in known:
        damage = yield from _damage(name)
        before = board.before.get(name)
        if damage != "none":
            told["damage"] = damage
        elif (before and before.damage) or "damage" in board.mine.get(name, {}):
            told["damage"] = ""  # so that a stand-in's is not left
    if "Bunker" not in name:
        yield from _start(board, name)
    yield from _print(board, name)
    yield from _links(board, name)


def _label(name: str) -> str:
    return name if "Bunker" in name else f"Sector {name}"


def _yes(text: str, what: str, rule: str) -> Script[bool]:
    return (yield from ask(Choose(f"{KEY}.{what}", text, rule=(rule,), options=_YES_NO))) == "yes"


def _defence(name: str) -> Script[list[int]]:
    """One DEF, or several, the lowest first (DDD-142)."""
    values: list[int] = []
    more = True
    while more:
        text = f"{_label(name)}: DEF{' ' + str(len(values) + 1) if values else ''}?"
        value = yield from ask(Number(f"{KEY}.def", text, rule=("DDD-140", "DDD-142"), most=30))
        values.append(value)
        more = "Bunker" not in name and (yield from _yes(f"{_label(name)}: another DEF?", "more", "DDD-142"))
    return values


_DAMAGE = (Option("none", "none"), Option("courage", "-1 Courage"), Option("specialist", "-1 Specialist"))


def _damage(name: str) -> Script[str]:
    text = f"{_label(name)}: Special Damage on a 6?"
    return (yield from ask(Choose(f"{KEY}.damage", text, rule=("DDD-151",), options=_DAMAGE)))


def _start(board: Board, name: str) -> Script[None]:
    """A start symbol and the resources beside it (DDD-125); row 1 alone has starts.

    That there are none is recorded too, so that a stand-in's start is not left in their place.
    """
    told, known = board.told[name], board.known.get(name, {})
    if "start" in known:
        return
    text = f"{_label(name)}: a start symbol?"
    told["start"] = board.row(name) == 1 and (yield from _yes(text, "start", "DDD-125"))
    for dial in ("soldiers", "stars", "courage"):
        text = f"{_label(name)}: starting {dial.title()}?"
        question = Number(f"{KEY}.{dial}", text, rule=("DDD-013",), most=20)
        told[dial] = (yield from ask(question)) if told["start"] else 0


_PRINTS = (
    Option("requires", "must have"),
    Option("sacrifice", "sacrifice"),
    Option("joins", "somebody joins"),
    Option("bonus", "bonus per turn"),
    Option("penalty", "penalty per turn"),
    Option("no_lock", "no dice Locked"),
    Option("roll_dice", "roll only 5 dice"),
    Option("no_find_items", "no Items found"),
)
_ICONS: dict[str, tuple[object, object]] = {
    "no_lock": (False, True),
    "roll_dice": (6, 5),
    "no_find_items": (False, True),
}
"""What icons say by being there: the value without, and with."""


def _print(board: Board, name: str) -> Script[None]:
    """What the board alone prints: requirements, sacrifices, who joins, bonuses, penalties, icons."""
    told, known = board.told[name], board.known.get(name, {})
    open_ = tuple(option for option in _PRINTS if option.id not in known)
    question = Pick(
        f"{KEY}.print",
        f"{_label(name)}: what is printed there?",
        rule=("DDD-126",),
        options=open_,
        most=len(open_),
    )
    picked = yield from ask(question)
    for option in open_:
        what = option.id
        text = f"{_label(name)}: {option.label}?"
        if what in _ICONS:
            told[what] = _ICONS[what][what in picked]
        elif what == "joins":
            told[what] = (yield from _who(board, text, any_one=False)) if what in picked else ""
        elif what in {"requires", "sacrifice"}:
            told[what] = (
                [(yield from _who(board, text, any_one=what == "sacrifice"))] if what in picked else []
            )
        else:
            told[what] = (yield from _faces(text)) if what in picked else []


def _who(board: Board, text: str, *, any_one: bool) -> Script[str]:
    options = [Option(name, name) for name in board.specialists]
    if any_one:
        options.insert(0, Option("any", "any Specialist"))
    return (yield from ask(Choose(f"{KEY}.who", text, rule=("DDD-129", "DDD-133"), options=tuple(options))))


def _faces(text: str) -> Script[list[str]]:
    """One result, or several: three Stars are a Star three times."""
    options = tuple(Option(face.value, SHORT[face]) for face in FACES)
    question = Choose(f"{KEY}.face", text, rule=("DDD-136", "DDD-138"), options=options)
    faces = [(yield from ask(question))]
    while (yield from _yes(f"{text} Another?", "another", "DDD-136")):
        faces.append((yield from ask(question)))
    return faces


# --- ways


def _links(board: Board, name: str) -> Script[None]:
    """Ways forward, and sideways to Sectors not entered yet; then mines and barriers on them."""
    names = list(board.told)
    here = board.row(name)
    after = names[names.index(name) + 1 :]
    near = [one for one in names if board.row(one) == here + 1 or (board.row(one) == here and one in after)]
    ways = yield from _pick(name, near, "ways to", "ways")
    mines = yield from _pick(name, ways, "mines on the way to", "mines")
    barriers = yield from _pick(name, ways, "a barrier on the way to", "barriers")
    links = []
    for to in ways:
        price = board.price(here, to)
        links.append({"to": to, "courage": price, "mines": to in mines, "barrier": to in barriers})
    board.told[name]["links"] = links


def _pick(name: str, names: Sequence[str], text: str, what: str) -> Script[tuple[str, ...]]:
    if not names:
        return ()
    options = tuple(Option(one, _label(one)) for one in names)
    rule = ("DDD-114", "DDD-155", "DDD-160")
    question = Pick(f"{KEY}.{what}", f"{_label(name)}: {text}", rule=rule, options=options, most=len(options))
    return (yield from ask(question))


# --- the check


def _review(board: Board) -> Script[None]:
    """Show totals and what seems wrong, and enter Sectors again until the owner is content."""
    while True:
        sectors = board.sectors()
        starts = [name for name, sector in sectors.items() if sector.start]
        wrong = list(problems(sectors, starts))
        for name, words, rule in wrong:
            text = f"{_label(name)}: {words}" if name else words
            yield from ask(Show(f"{KEY}.wrong", text, rule=(rule,)))
        again = tuple(Option(f"again:{name}", f"{_label(name)} again") for name in board.told)
        options = (Option("save", "save" if not wrong else "save all the same"), *again)
        question = Choose(f"{KEY}.review", "Is that right?", totals(sectors), ("DDD-114",), options=options)
        answer = yield from ask(question)
        if answer == "save":
            return
        name = answer.partition(":")[2]
        told = board.told[name]
        board.told[name] = {what: told[what] for what in ("bunker", "row") if what in told}
        yield from _sector(board, name)


def totals(sectors: dict[str, Sector]) -> str:
    """Sums to compare with the board at a glance."""
    rows = len({sector.row for sector in sectors.values()})
    defence = sum(sector.defence[0] for sector in sectors.values())
    guns = sum(sector.guns for sector in sectors.values())
    links = [link for sector in sectors.values() for link in sector.links]
    mined = sum(link.mines for link in links)
    barred = sum(link.barrier for link in links)
    return (
        f"{len(sectors)} Sectors with Bunkers in {rows} rows; DEF {defence} in all, guns {guns}; "
        f"{len(links)} ways, {mined} mined, {barred} with barriers"
    )
