"""The end of the game (UND-328 to UND-334)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from companion.engine.game import Outcome
from companion.games.undaunted.actions import Kind, parse
from companion.games.undaunted.cards import bolsterable
from companion.games.undaunted.pack import FACTIONS, FOG, Theatre, squad_of, type_name
from companion.games.undaunted.table import Ended, Table

RIFLEMAN = "rifleman"


def check(table: Table) -> None:
    """Raise `Ended` if the game is over (UND-328)."""
    outcome = verdict(table)
    if outcome:
        raise Ended(outcome)


def verdict(table: Table) -> Outcome | None:
    """How the game stands if it is over, else None."""
    return _by_points(table) or _by_pinning(table) or _by_helplessness(table)


def _by_points(table: Table) -> Outcome | None:
    for side, goal in table.scenario.points.items():
        points = table.points(side)
        if goal and points >= goal:
            return table.outcome(side, f"{FACTIONS[side]}: {points} of {goal} objective points")
    return None


def _by_pinning(table: Table) -> Outcome | None:
    """Who had to pin the other and did (UND-330, UND-333), then points (UND-331, UND-334)."""
    if not _is_normandy(table):
        return None
    pinned = [side for side in table.state.sides if is_pinned(table, side)]
    beaten = [side for side in pinned if table.foe(side) in table.scenario.pins]
    if len(beaten) == 1:
        return table.outcome(table.foe(beaten[0]), f"{FACTIONS[beaten[0]]} side is pinned")
    if len(pinned) == len(table.state.sides):
        return _to_the_one_ahead(table, "both sides pinned")
    for side in pinned:
        foe = table.foe(side)
        if out_of_reach(table, side) and table.points(foe) > table.points(side):
            return table.outcome(foe, f"{FACTIONS[side]} side can't reach its goal and is behind")
    return None


def _is_normandy(table: Table) -> bool:
    return table.scenario.theatre is Theatre.NORMANDY


def _to_the_one_ahead(table: Table, why: str) -> Outcome:
    winner = ahead(table)
    is_tied = len({table.points(side) for side in table.state.sides}) == 1
    leads = "has the initiative" if is_tied else "is ahead"
    return table.outcome(winner, f"{why}; {FACTIONS[winner]} side {leads}")


def ahead(table: Table) -> str:
    """The side with more points, then with the initiative marker (UND-331)."""
    marker = table.state.initiative
    return max(table.state.sides, key=lambda side: (table.points(side), side == marker))


def _by_helplessness(table: Table) -> Outcome | None:
    """A side that can't play a card for the rest of the game has lost.

    No rulebook says so; it only cuts short what could go on for ever. A side that counts as pinned has
    not lost before the other one is ahead, as long as that one can still play (UND-334).
    """
    able = [side for side in table.state.sides if not _helpless(table, side)]
    if len(able) == len(table.state.sides):
        return _by_exhaustion(table)
    if any(counts_as_pinned(table, table.foe(side)) for side in able):
        return None
    winner = able[0] if able else ahead(table)
    return table.outcome(winner, f"{FACTIONS[table.foe(winner)]} side has no card left to play")


def _by_exhaustion(table: Table) -> Outcome | None:
    """Without a soldier's card on either side nobody can change who is ahead; a house rule as well."""
    if any(_has_soldier(table, side) for side in table.state.sides):
        return None
    return _to_the_one_ahead(table, "no soldiers left")


def _has_soldier(table: Table, side: str) -> bool:
    """Whether a card that acts with a counter, no empty vehicle's, is not out of the game yet."""
    types = [table.type(card) for pile in (*table.circulating(side), *table.stored(side)) for card in pile]
    return any(one.has_counter and not one.seats for one in types)


def _helpless(table: Table, side: str) -> bool:
    """Nobody of a side can ever play: only Fog of War, or a commander's last card, to be bid each round."""
    if table.bot(side):
        return all(card == FOG for pile in table.circulating(side) for card in pile)
    return not any(_able(table, name) for name in table.mates(side))


def _able(table: Table, name: str) -> bool:
    """Whether a player can ever play: with a card beside it to bid, also one that comes with the command."""
    if any(card != FOG for card in _may_hold(table, name)):
        return True
    piles = list(table.circulating_of(name))
    cards = sum(sum(pile.values()) for pile in piles)
    if cards and any(table.type(card).commands for card in _in_reach(table, table.mate(name))):
        return True
    bids = table.side(name).next_commander == name
    return cards > bids and any(card != FOG for pile in piles for card in pile)


def _coming_up(table: Table, name: str) -> set[str]:
    """The cards of a player that come up by themselves; none of nobody."""
    return {card for pile in table.circulating_of(name) for card in pile} if name else set()


def _may_hold(table: Table, name: str) -> Iterable[str]:
    """What may be in a hand; in one kept at the table all that was not played, until its turn is over."""
    player, order = table.state.players[name], table.turn_order()
    to_come = table.state.turn and order.index(name) >= order.index(table.state.turn)
    return player.deck if to_come and table.kept_at_table(name) else player.hand


def is_pinned(table: Table, side: str) -> bool:
    """No Riflemen counter on the board (UND-330), or the goal out of reach (UND-332)."""
    counters = table.state.sides[side].counters.values()
    riflemen = any(one.tile and type_name(one.unit) == RIFLEMAN for one in counters)
    return not riflemen or out_of_reach(table, side)


def counts_as_pinned(table: Table, side: str) -> bool:
    """Whether its goal is out of reach, in the game whose rules make something of that (UND-332)."""
    return _is_normandy(table) and out_of_reach(table, side)


def out_of_reach(table: Table, side: str) -> bool:
    """Whether a side can't get its objective points any more: nothing left that controls.

    What the radio tile is worth has no limit as long as its side may add to it (scenario 10).
    """
    goal = table.scenario.points.get(side, 0)
    if not goal or table.points(side) >= goal:
        return False
    if not _can_control(table, side):
        return True
    raiser = table.scenario.raises_radio
    if table.scenario.radio and raiser and _can_control(table, raiser):
        return False
    return goal > sum(table.value(tile) for tile in table.objectives())


def _can_control(table: Table, side: str) -> bool:
    """Whether a card with Control can still come up; from the supply only by a card with Bolster."""
    bot = table.bot(side)
    if bot is None:
        return any(_able(table, name) and _reaches_control(table, name) for name in table.mates(side))
    if _helpless(table, side):
        return False
    if _has_control(table, (card for pile in table.circulating(side) for card in pile)):
        return True
    bolsters = any(type_name(card) in table.bolstering for pile in table.circulating(side) for card in pile)
    return bolsters and _has_control(table, (card for deck in bot.bolster.values() for card in deck))


def _has_control(table: Table, found: Iterable[str]) -> bool:
    return any(type_name(card) in table.controlling for card in found)


def _reaches_control(table: Table, name: str) -> bool:
    """Whether a player has such a card, or Bolsters reach it: in the own supply, of their squad (UND-299).

    A card that goes with the command may come from a teammate, who may have to bolster it (UND-105, UND-109).
    """
    passed = {card for card in _in_reach(table, table.mate(name)) if table.type(card).commands}
    return _has_control(table, _in_reach(table, name, passed))


def _in_reach(table: Table, name: str, passed: Collection[str] = ()) -> set[str]:
    """The cards that come up by themselves or are passed on, and what Bolsters among them bring."""
    found = _coming_up(table, name).union(passed)
    while more := _bolstered(table, name, found) - found:
        found |= more
    return found


def _bolstered(table: Table, name: str, found: Collection[str]) -> set[str]:
    squads = {
        squad_of(card) if action.squad else ""
        for card in found
        for action in map(parse, table.type(card).actions)
        if action.kind is Kind.BOLSTER
    }
    return {card for squad in squads for card in bolsterable(table, name, squad)}
