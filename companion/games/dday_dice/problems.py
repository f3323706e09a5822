"""What a pack lacks or contradicts (`companion pack check`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from companion.engine.game import Problem
from companion.engine.packs import Source, numbers
from companion.games.dday_dice import effects as fx
from companion.games.dday_dice.awards import NEW
from companion.games.dday_dice.battlefield import faults
from companion.games.dday_dice.battlefield import problems as ground_problems
from companion.games.dday_dice.cards import USES
from companion.games.dday_dice.records import DdayPack, Kind, Scenario, Sector, Training
from companion.games.dday_dice.state import DIAL_NAMES

GAPS = {
    "omaha": "DDD-G03",
    "utah": "DDD-G04",
    "gold": "DDD-G05",
    "juno": "DDD-G06",
    "sword": "DDD-G07",
    "pointe_du_hoc": "DDD-G08",
    "merville": "DDD-G09",
}

_BOTH = {fx.Gain, fx.Add, fx.Recolour, fx.IgnoreMines, fx.CrossBarriers, fx.LowerDef, fx.Silence}
"""Effects of cards that are used and of those that work all the time."""
_PAID = {
    fx.Event.TURN: tuple(DIAL_NAMES),
    fx.Event.ADVANCE: ("soldiers",),
    fx.Event.MOVE: ("soldiers",),
    fx.Event.RWB: ("soldiers", "courage"),
    fx.Event.LOCKED_SKULL: ("soldiers",),
}
_SCORED = (fx.Rwb.LEADERSHIP, fx.Rwb.BATTLE_CRY, fx.Rwb.FRESH_TROOPS)


def scenarios(pack: msgspec.Struct) -> tuple[str, ...]:
    """The scenarios of a pack in the book's order, our own beaches last; the first is the default."""
    assert isinstance(pack, DdayPack)
    return tuple(sorted(pack.scenario, key=lambda name: pack.scenario[name].source is Source.STAND_IN))


def problems(pack: msgspec.Struct) -> Iterator[Problem]:
    """Boards that are stand-ins or broken, lists that name unknown cards, Awards without a text."""
    assert isinstance(pack, DdayPack)
    yield from unplayable(pack, *pack.scenario)
    for path, effect in _used(pack):
        yield from _of_used(path, effect)
    for path, effect in _standing(pack):
        yield from _of_standing(path, effect)
    for board in pack.map:
        yield from _board(pack, board)
    yield from _of_other_kind(pack)
    yield from _in_pool_too(pack)
    yield from _nobody_in_training(pack)
    yield from _never_there(pack)
    yield from _nowhere(pack)
    yield from _less_than_none(pack)
    for name, award in pack.award.items():
        if award.source is not Source.OWNER:
            words = "the printed text is unknown: companion pack new dday_dice.award.NAME, or as it is drawn"
            yield Problem(f"award.{name}", words, "DDD-G02")


def unplayable(pack: DdayPack, *scenarios: str) -> Iterator[Problem]:
    """Cards that would end a game of these scenarios in a fault, or come to nothing, once they came up."""
    for name in scenarios:
        yield from _lists(pack, name, pack.scenario[name])
    for name, item in pack.item.items():
        if not item.effects:
            yield Problem(f"item.{name}.effects", "an Item without an effect", "DDD-089")
    for path, effect in _used(pack):
        if type(effect) not in USES:
            yield Problem(path, f"{_called(effect)} is for Specialists and Vehicles", "DDD-089")
        elif isinstance(effect, fx.Gain) and effect.one_of and not list(_gained(effect)):
            yield Problem(path, "one of nothing is to be gained", "DDD-089")
    if NEW.id in pack.award:
        words = "another name is wanted: this one means a card that the box doesn't know"
        yield Problem(f"award.{NEW.id}", words, "DDD-G02")


def _called(effect: fx.Effect) -> str:
    return str(effect.__struct_config__.tag)


def _gained(gain: fx.Gain) -> Iterator[str]:
    return (dial for dial in DIAL_NAMES if getattr(gain, dial))


def _used(pack: DdayPack) -> Iterator[tuple[str, fx.Effect]]:
    """The effects of cards that are used once, and where they stand."""
    for name, item in pack.item.items():
        yield from ((f"item.{name}.effects", effect) for effect in item.effects)
    for name, award in pack.award.items():
        yield from ((f"award.{name}.effects", effect) for effect in award.effects)
        yield from ((f"award.{name}.others", effect) for effect in award.others)


def _standing(pack: DdayPack) -> Iterator[tuple[str, fx.Effect]]:
    """The effects of cards that work all the time, and where they stand."""
    for name, specialist in pack.specialist.items():
        yield from ((f"specialist.{name}.effects", effect) for effect in specialist.effects)
    for name, vehicle in pack.vehicle.items():
        yield from ((f"vehicle.{name}.effects", effect) for effect in vehicle.effects)


def _of_used(path: str, effect: fx.Effect) -> Iterator[Problem]:
    """What the game would pass over, or do at another time."""
    match effect:
        case fx.Gain(on=on) if on is not fx.Event.NOW:
            yield Problem(path, f"a gain on {on} is for Specialists; here it comes at once", "DDD-089")
        case fx.Score(rwb=rwb) if rwb not in _SCORED:
            yield Problem(path, f"nothing comes of {rwb} from a card; enter what it gains", "DDD-R27")


def _of_standing(path: str, effect: fx.Effect) -> Iterator[Problem]:
    match effect:
        case fx.Gain(on=fx.Event.NOW):
            yield Problem(path, "a gain has to say on what it comes", "DDD-080")
        case fx.Gain(on=on):
            for dial in _gained(effect):
                if dial not in _PAID[on]:
                    yield Problem(path, f"no {dial} can be gained on {on}", "DDD-080")
        case _ if type(effect) in USES and type(effect) not in _BOTH:
            yield Problem(path, f"{_called(effect)} is for Items and Awards", "DDD-080")


def _lists(pack: DdayPack, name: str, scenario: Scenario) -> Iterator[Problem]:
    known: dict[str, Mapping[str, object]] = {
        "regular": pack.specialist,
        "unique": pack.specialist,
        "joined": pack.specialist,
        "special_items": pack.item,
        "withheld": pack.item,
        "maps": pack.map,
    }
    for field, table in known.items():
        for one, times in Counter(getattr(scenario, field)).items():
            if one not in table:
                yield Problem(f"scenario.{name}.{field}", f"no such card or board: {one}", "DDD-008")
            if times > 1:
                words = f"{one} is listed {times} times; there is but one"
                yield Problem(f"scenario.{name}.{field}", words, "DDD-008")
    if not scenario.maps:
        yield Problem(f"scenario.{name}.maps", "a scenario without a board", "DDD-008")
    if scenario.two_boards and set(scenario.maps) != {"merville", "sword"}:
        words = "two boards are for Operation Deadstick alone, merville and sword"
        yield Problem(f"scenario.{name}.maps", words, "DDD-315")


def _of_other_kind(pack: DdayPack) -> Iterator[Problem]:
    """Specialists in the wrong list: each Unit has the Regular ones in hand, of a Unique one there is one."""
    for name, scenario in pack.scenario.items():
        for kind, listed in ((Kind.REGULAR, scenario.regular), (Kind.UNIQUE, scenario.unique)):
            for one in listed:
                if one in pack.specialist and pack.specialist[one].kind is not kind:
                    words = f"{one} is a {pack.specialist[one].kind} Specialist, not a {kind} one"
                    yield Problem(f"scenario.{name}.{kind}", words, "DDD-008")


def _in_pool_too(pack: DdayPack) -> Iterator[Problem]:
    """Items that a Sector gives and that the Pool has too: there is one of each (DDD-087, DDD-244)."""
    for name, scenario in pack.scenario.items():
        if not scenario.items or scenario.training is not Training.FULL:
            continue
        boards = [pack.scenario[one] for one in scenario.maps if scenario.two_boards and one in pack.scenario]
        withheld = {item for one in (scenario, *boards) for item in one.withheld}
        for item in dict.fromkeys(item for one in scenario.maps for item in _given(pack, one)):
            if item in pack.item and pack.item[item].kind is not Kind.UNIQUE and item not in withheld:
                words = f"a Sector gives the {item}, which can lie in the Pool too: name it here"
                yield Problem(f"scenario.{name}.withheld", words, "DDD-244")


def _given(pack: DdayPack, board: str) -> Iterator[str]:
    """The Items that the Sectors of a board give, those of random tables too."""
    for sector in _sectors(pack, board).values():
        lines = pack.random[sector.random].lines if sector.random in pack.random else ()
        for print_ in (sector, *lines):
            yield from filter(None, (print_.free_item, print_.free_item_solo))


def _sectors(pack: DdayPack, board: str) -> dict[str, Sector]:
    """The Sectors of a board that are described, by their names on it."""
    names = pack.map[board].sectors if board in pack.map else ()
    return {name: pack.sector[f"{board}.{name}"] for name in names if f"{board}.{name}" in pack.sector}


def _nobody_in_training(pack: DdayPack) -> Iterator[Problem]:
    """Starts that have a Specialist alone, in a scenario without what is printed in Sectors."""
    for name, scenario in pack.scenario.items():
        for board in scenario.maps if scenario.training is not Training.FULL else ():
            for where, sector in _sectors(pack, board).items():
                if sector.start and sector.specialist and not sector.soldiers:
                    words = (
                        f"without the {sector.specialist} nobody starts in Sector {where}: only full has him"
                    )
                    yield Problem(f"scenario.{name}.training", words, "DDD-013")


def _never_there(pack: DdayPack) -> Iterator[Problem]:
    """Specialists that a Sector asks for and that nobody can have in any scenario on its board."""
    for board in pack.map:
        played = [one for one in pack.scenario.values() if board in one.maps and not one.two_boards]
        sectors = {path: one for path, one in pack.sector.items() if path.startswith(f"{board}.")}
        there = {name for one in played for name in (*one.regular, *one.unique, *one.joined)}
        there |= {name for one in sectors.values() for name in (one.joins, one.specialist)}
        for path, sector in sectors.items() if played else ():
            for name in sorted({*sector.requires, *sector.sacrifice} & (pack.specialist.keys() - there)):
                words = f"{name} is asked for, whom nobody can have in a scenario on this board"
                yield Problem(f"sector.{path}", words, "DDD-129")


def _board(pack: DdayPack, board: str) -> Iterator[Problem]:
    names = pack.map[board].sectors
    if not names:
        yield Problem(f"map.{board}.sectors", "none is named: name all, then enter each", "DDD-008")
        return
    sectors = _sectors(pack, board)
    for name in names:
        if name not in sectors:
            yield Problem(f"sector.{board}.{name}", "not described", GAPS.get(board, ""))
        elif sectors[name].source is Source.STAND_IN and board in GAPS:
            words = f"stand-in figures: companion pack new dday_dice.{board}"
            yield Problem(f"sector.{board}.{name}", words, GAPS[board])
    for name, sector in sectors.items():
        for words, rule in faults(pack, board, sector):
            yield Problem(f"sector.{board}.{name}", words, rule)
        card = pack.specialist.get(sector.specialist)
        if sector.start and card and card.kind is Kind.UNIQUE:
            words = f"each Unit that starts here has the {sector.specialist}, and there is but one"
            yield Problem(f"sector.{board}.{name}", words, "DDD-013")
    starts = [name for name, sector in sectors.items() if sector.start]
    for name, words, rule in ground_problems(_without_dead_ends(sectors), starts):
        yield Problem(f"sector.{board}.{name}" if name else f"map.{board}", words, rule)


def _nowhere(pack: DdayPack) -> Iterator[Problem]:
    """Sectors that were entered where no board has them."""
    there = {f"{name}.{sector}" for name, board in pack.map.items() for sector in board.sectors}
    for path, sector in pack.sector.items():
        if path not in there and sector.source is Source.OWNER:
            board = path.partition(".")[0]
            known = pack.map[board].sectors if board in pack.map else pack.map
            words = f"no such {'Sector' if board in pack.map else 'board'}; there are {', '.join(known)}"
            if not known:
                words = f"map.{board} names no Sectors yet"
            yield Problem(f"sector.{path}", words, GAPS.get(board, "DDD-008"))


def _less_than_none(pack: DdayPack) -> Iterator[Problem]:
    """Figures below 0; only four of a kind can cost Soldiers so."""
    for table in ("specialist", "item", "vehicle", "award", "sector", "random"):
        for path, number in numbers(msgspec.to_builtins(getattr(pack, table)), table):
            if number < 0 and not path.endswith(".of_a_kind_soldiers"):
                board = path.split(".")[1]
                yield Problem(path, f"{number} is less than none", GAPS.get(board, "DDD-008"))


def _without_dead_ends(sectors: dict[str, Sector]) -> dict[str, Sector]:
    """The Sectors without their ways to any that is not described."""
    return {
        name: msgspec.structs.replace(sector, links=tuple(one for one in sector.links if one.to in sectors))
        for name, sector in sectors.items()
    }
