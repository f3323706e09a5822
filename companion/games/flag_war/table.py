"""What the script, the policies and the drawings of the flag war share: state, terrain and house rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeAlias

import msgspec

from companion.engine.asks import Choose, Option
from companion.games.flag_war import battle
from companion.games.flag_war.moves import Position, combined, continued, open_to, survey
from companion.games.flag_war.pack import SEAT_NAMES, Piece
from companion.games.flag_war.state import Army, Man, War, captives, standing_on
from companion.games.flag_war.terrain import FURTHEST, Terrain, flag_square
from companion.wording import percent

TAO_COUNTS = [3, 2, 1]
DONE = Option("done", "Done", "everybody else stays")


class HouseRules(msgspec.Struct, frozen=True):
    """The settings that change how the war is fought."""

    sequential: bool = False
    """A combined move is two counts, each of which lands (FLG-R17)."""
    safe_pairs: bool = False
    """A pair on a bunker can't be attacked either (FLG-R30)."""
    free_start: bool = False
    """Each general places the own men (FLG-R12)."""
    agreed_turns: int = 0
    """When the generals agreed to stop, in turns; 0 is never (FLG-R61)."""

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> HouseRules:
        """From `--set` values."""
        return cls(
            settings["combined_move"] == "sequential",
            settings["bunker_pairs"] == "safe",
            settings["start"] == "free",
            0 if settings["agreed_end"] == "never" else int(settings["agreed_end"]),
        )


class Table:
    """The war with the ground that it is fought on."""

    def __init__(self, war: War, terrain: Terrain, pieces: dict[str, Piece], rules: HouseRules) -> None:
        self.war = war
        self.terrain = terrain
        self.pieces = pieces
        self.rules = rules
        self.is_under_way = False
        """Whether the first turn has begun."""
        self.is_moving = False
        """Whether a roll is being moved."""

    @property
    def army(self) -> Army:
        """The army on turn."""
        return self.war.armies[self.war.on_turn]

    @property
    def general(self) -> str:
        """Who is on turn, in words."""
        return SEAT_NAMES[self.war.on_turn]

    def position(self) -> Position:
        """What the army on turn sees."""
        return survey(self.war, self.terrain, self.war.on_turn, safe_pairs=self.rules.safe_pairs)

    def counts(self) -> list[int]:
        """The counts that are left in this roll, the longest first (FLG-020, FLG-021)."""
        if self.war.tao:
            return TAO_COUNTS
        if self.rules.sequential:
            return sorted(set(self.war.dice), reverse=True)
        return combined(self.war.dice)

    def ends(self, name: str, count: int, position: Position) -> int:
        """Where a man may end that count, as bits."""
        start = self.army.men[name].at
        leg = self.war.leg
        if leg and leg.man == name:
            return continued(self.terrain, position, (leg.start, leg.to, start), (leg.count, count))
        at = self.terrain.index[start]
        return self.terrain.reach(at, count) & open_to(self.terrain, position, at)

    def goals(self, man: Man) -> int:
        """Where a man has something to do with a flag: home with it, or a square to fetch one (FLG-083)."""
        home = self.war.on_turn
        bit = self.terrain.bit
        if man.flag:
            return bit[flag_square(home)]
        return sum(bit[flag_square(seat)] for seat, flags in self.war.flags.items() if flags and seat != home)

    def prizes(self, man: Man, position: Position) -> int:
        """Where landing captures or handles a flag."""
        return position.foes | self.goals(man) if man.kind == "C" else position.foes

    def attackers(self, name: str, to: str) -> list[tuple[str, Man]]:
        """Who fights when a man lands on `to`: he, or his whole blockade against the next one (FLG-066)."""
        man = self.army.men[name]
        terrain = self.terrain
        near = terrain.linked[terrain.index[man.at]] & terrain.bit[to]
        if near and len(standing_on(self.war, to)) == 2:
            return [(other, one) for other, one in self.army.men.items() if one.at == man.at]
        return [(name, man)]

    def sides(self, name: str, to: str) -> tuple[battle.Side, battle.Side] | None:
        """Attackers and defenders where a man lands on enemies; None if they are simply captured."""
        defenders = "".join(foe.kind for _, _, foe in standing_on(self.war, to))
        if not battle.needs_dice(defenders):
            return None
        attackers = "".join(man.kind for _, man in self.attackers(name, to))
        return battle.strength(attackers, self.pieces), battle.strength(defenders, self.pieces)

    def odds(self, name: str, to: str) -> battle.Odds | None:
        """The odds of landing on `to`, which enemies hold; None where they are simply captured."""
        sides = self.sides(name, to)
        return None if sides is None else battle.odds(*sides)


def which_man(table: Table, position: Position) -> Choose:
    """The men who can move, with the count of each: the longest first, and first those who gain by it."""
    war = table.war
    counts = table.counts()
    gain, rest = _groups(table, position, counts)
    options = [option for count in counts for group in (gain, rest) for option in group[count]]
    if war.tao:
        return Choose(
            "flag_war.tao.man",
            f"{table.general}: the Tao, move whom?",
            rule=("FLG-049", "FLG-050", "FLG-R44"),
            options=(*options, DONE),
        )
    return Choose(
        "flag_war.move.man",
        f"{table.general}: dice {' '.join(map(str, war.dice))}, move whom?",
        rule=("FLG-016", "FLG-020", "FLG-021", "FLG-R16"),
        options=tuple(options),
    )


Groups: TypeAlias = dict[int, list[Option]]


def _groups(table: Table, position: Position, counts: list[int]) -> tuple[Groups, Groups]:
    """Who can move each count and gains by it, and who just can. The busiest loop of the game."""
    war, terrain = table.war, table.terrain
    index, reach, moved = terrain.index, terrain.reach, war.moved
    walled = position.own_pairs | position.foe_pairs
    on_leg = "" if war.leg is None else war.leg.man
    gain: Groups = {count: [] for count in counts}
    rest: Groups = {count: [] for count in counts}
    for name, man in table.army.men.items():
        where = man.at
        if where not in index or name in moved:
            continue
        at = index[where]
        spaces = open_to(terrain, position, at) if walled else position.landable
        prizes = table.prizes(man, position)
        options = _man_options(name, where)
        for count in counts:
            ends = reach(at, count) & spaces if name != on_leg else table.ends(name, count, position)
            if ends:
                (gain if ends & prizes else rest)[count].append(options[count])
    return gain, rest


@cache
def _man_options(name: str, at: str) -> tuple[Option, ...]:
    """A man with each count from 0 up."""
    return tuple(Option(f"{name}:{count}", f"{name}: {count} from {at}") for count in range(FURTHEST + 1))


def where_to(table: Table, position: Position) -> Choose:
    """Where the man in hand may go: captures and flags first, then what is nearest to a flag."""
    name, count = in_hand(table)
    man = table.army.men[name]
    terrain = table.terrain
    ends = table.ends(name, count, position) if man.at in terrain.index else 0
    prizes = table.prizes(man, position)
    first: list[Option] = []
    rest: list[Option] = []
    if ends:
        for bit, option in terrain.ways(terrain.index[man.at], count, table.goals(man)):
            if bit & ends:
                if bit & prizes:
                    first.append(_prize(table, name, option.id))
                else:
                    rest.append(option)
    return Choose(
        "flag_war.move.to",
        f"{table.general}: {name} moves {count} from {man.at} to?",
        rule=("FLG-022", "FLG-025", "FLG-028", "FLG-031", "FLG-042"),
        options=tuple(first + rest),
    )


def in_hand(table: Table) -> tuple[str, int]:
    """The man that is being moved, and his count."""
    name, _, count = table.war.in_hand.partition(":")
    return name, int(count)


def _prize(table: Table, name: str, to: str) -> Option:
    foes = standing_on(table.war, to)
    if not foes:
        home = to == flag_square(table.war.on_turn)
        return Option(to, f"{to}: {'bring the flag home' if home else 'take a flag'}")
    whom = f"{SEAT_NAMES[foes[0][0]]} {'+'.join(foe for _, foe, _ in foes)}"
    odds = table.odds(name, to)
    if odds is None:
        return Option(to, f"{to}: take {whom}")
    win, tie, loss = map(percent, odds)
    chances = f"win {win}, tie and back {tie}, captured {loss}"
    pair = side_by_side(table.attackers(name, to))
    return Option(to, f"{to}: fight {whom}", f"{pair}: {chances}" if pair else chances)


def side_by_side(attackers: Sequence[tuple[str, Man]]) -> str:
    """The names of a pair, both of whom are captured if they lose (FLG-R33); empty if one fights alone."""
    return "+".join(name for name, _ in attackers) if len(attackers) > 1 else ""


def rescues(table: Table) -> list[Option]:
    """The prisoners that the army on turn can free now (FLG-071 to FLG-080)."""
    war = table.war
    mine = {man.at for man in table.army.men.values()}
    return [
        Option(f"{base}:{seat}:{name}", f"{SEAT_NAMES[seat]} {name} from {SEAT_NAMES[base]}")
        for base in war.armies
        if base != war.on_turn and table.terrain.access[base] in mine and free_rescue_squares(table, base)
        for seat, name, _ in captives(war, base)
    ]


def free_rescue_squares(table: Table, base: str) -> list[str]:
    """The dark squares by a prison where nobody stands (FLG-076, FLG-R49)."""
    return [square for square in table.terrain.rescue[base] if not standing_on(table.war, square)]
