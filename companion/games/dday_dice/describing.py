"""A Sector's print in a few words, for moves and pictures."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.dday_dice.dice import IN_WORDS
from companion.games.dday_dice.records import Access, Drawn, Entry, Sector
from companion.wording import counted

_FLAGS = {
    "shield": "leave after 1 turn",
    "no_lock": "no dice Locked",
    "no_find_items": "no Items found",
    "no_battle_cry": "no Battle Cry",
    "no_vehicle": "no Vehicles",
    "def_fixed": "DEF can't be lowered",
    "no_time_limit": "stay as you like",
    "losses_d6": "lose 1d6 more",
    "losses_d6_unswept": "lose 1d6 more without Minesweeper",
    "star_costs_soldier": "each Star costs a Soldier",
}
_AWARDS = {Drawn.CHOICE: "an Award of choice", Drawn.RANDOM: "a random Award"}
_ENTRY = {Entry.D6_SOLDIERS: "+1d6 Soldiers on entry"}
_ACCESS = {Access.WIRECUTTERS: "only with Wirecutters", Access.BATTLE_CRY: "only by Battle Cry"}


def describe(sector: Sector, random: str = "", *, entering: bool = True, by_cry: bool = False) -> str:
    """What is printed there: "must have Corporal; +1 Tool"; `random` names the line that was rolled.

    Who stays is not `entering`: what a Sector asks for is met once for all (DDD-131), and who joins is here.
    Nor is anybody asked for of who comes `by_cry` (DDD-051).
    """
    words = [*_staying(sector)]
    if entering:
        gained = [_ENTRY[sector.gain_on_entry]] if sector.gain_on_entry else []
        words = [*asked_on_entry(sector, by_cry=by_cry), *gained, *words, *_joining(sector)]
    words += _finding(sector)
    if sector.random:
        words.insert(0, random or "random: the first Unit rolls for it")
    if sector.general_ignores and words:
        words.append("ignored while a General is in play")
    return "; ".join(words)


def asked_on_entry(sector: Sector, *, by_cry: bool) -> Iterator[str]:
    """What a Unit needs to enter: "must have Corporal"; nobody, if it comes `by_cry`."""
    if sector.access:
        yield _ACCESS[sector.access]
    if sector.requires and not by_cry:
        yield f"must have {', '.join(sector.requires)}"
    for name in () if by_cry else sector.sacrifice:
        yield f"sacrifice {'any Specialist' if name == 'any' else name}"
    if sector.max_units:
        yield f"{counted(sector.max_units, 'Unit')} at most"


def _staying(sector: Sector) -> Iterator[str]:
    if sector.climb_skulls:
        yield f"climb: {sector.climb_skulls} Skulls to go on"
    yield from (f"+1 {IN_WORDS[face]}" for face in (*sector.bonus, *sector.bonus_any_colour))
    yield from (f"-1 {IN_WORDS[face]}" for face in sector.penalty)
    yield from (words for field, words in _FLAGS.items() if getattr(sector, field))
    yield from (f"{IN_WORDS[face]}s not re-rolled" for face in sector.no_reroll)
    if sector.roll_dice < 6:
        yield f"roll {sector.roll_dice} dice"
    if sector.of_a_kind_soldiers:
        yield f"four of a kind: {sector.of_a_kind_soldiers:+} Soldiers"
    if sector.rwb_soldiers:
        yield f"+{counted(sector.rwb_soldiers, 'Soldier')} for each RWB"
    if sector.damage:
        yield f"on a gun's 6: -1 {sector.damage.title()}"


def _joining(sector: Sector) -> Iterator[str]:
    first = ", first Unit" if sector.joins_first_only else ""
    if sector.joins:
        yield f"{sector.joins} joins{first}"


def _finding(sector: Sector) -> Iterator[str]:
    if sector.award:
        yield f"{_AWARDS[sector.award]}, first Unit"
    if sector.free_item:
        yield f"{sector.free_item} free, first Unit"
    if sector.free_item_solo:
        instead = " in its place" if sector.free_item else ""
        yield f"{sector.free_item_solo} free{instead} where one Unit began alone on the board"
    if sector.vehicle:
        yield f"{sector.vehicle}{' free' if sector.vehicle_free else ' for its cost'}"
