"""How the box leads an army: the raider runs for flags, the guard holds its base and takes prisoners.

Both weigh every legal move by what it gains, what it may lose in battle, and how near it brings a man to
what he is for. The weights are ours: tuned by play, not taken from anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from threading import Lock
from typing import NamedTuple

import msgspec

from companion.engine.asks import Choose, Option
from companion.games.flag_war.moves import Position
from companion.games.flag_war.state import Man, at_liberty, standing_on
from companion.games.flag_war.table import Table, in_hand
from companion.games.flag_war.terrain import FURTHEST, flag_square, prison, spaces_of

WORTH = {"P": 10.0, "C": 30.0, "M": 15.0, "H": 20.0}
FLAG = 60.0
"""What a flag is worth to whoever carries it; bringing it home is worth five times that."""

HOPELESS = 1000.0
"""How much worse an attack is that can't win than any other move: it is the last resort."""

RESCUE_STEP = 2.0
IN_THE_WAY = 8.0

PATIENCE = 200
"""Rounds until the box's generals grow restless."""

NAMES = ("raider", "guard")

REMEMBERED = 10_000
"""Decisions that are kept: an undo plays a whole war again, in which most of the time went into these."""

_taken: dict[bytes, str | None] = {}
_lock = Lock()


class Weights(NamedTuple):
    """What a policy holds dear."""

    capture: float
    loss: float
    carrier_step: float
    other_step: float
    danger: float
    leaving: float


RAIDER = Weights(capture=1.0, loss=0.9, carrier_step=2.0, other_step=0.5, danger=0.1, leaving=0.0)
GUARD = Weights(capture=1.6, loss=1.0, carrier_step=2.0, other_step=0.1, danger=0.25, leaving=6.0)
WEIGHTS = {"raider": RAIDER, "guard": GUARD}


def advise(table: Table, question: Choose, policy: str) -> str | None:
    """The id of the option that the policy takes; None where it has no opinion."""
    weights = WEIGHTS.get(policy)
    if weights is None:
        return None
    all_that_counts = (policy, question, table.rules, table.terrain.ground, table.pieces, table.war)
    standing = blake2b(msgspec.msgpack.encode(all_that_counts), digest_size=16).digest()
    with _lock:
        if standing not in _taken:
            if len(_taken) >= REMEMBERED:
                _taken.clear()
            _taken[standing] = _weighed(table, question, weights)
        return _taken[standing]


def _weighed(table: Table, question: Choose, weights: Weights) -> str | None:
    match question.key:
        case "flag_war.move.man" | "flag_war.tao.man":
            return _best_man(table, question, weights)
        case "flag_war.move.to":
            name, _ = in_hand(table)
            view = _View(table, weights)
            return max(question.options, key=lambda option: view.score(name, option.id)).id
        case "flag_war.tao.use":
            return "tao"
        case "flag_war.rescue.whom":
            return max(question.options, key=lambda option: _rescue_worth(table, option)).id
        case "flag_war.flag.which":
            return next((one.id for one in question.options if one.id == table.war.on_turn), None)
    return None


def _restless(table: Table) -> bool:
    """Every third round of a war that drags on danger counts for nothing, and any man may move.

    Where all armies wait for each other the war would never end. A flag in reach is taken all the same.
    """
    rounds = table.war.turn // len(table.war.armies)
    return rounds > PATIENCE and rounds % 3 == 0


def _best_man(table: Table, question: Choose, weights: Weights) -> str | None:
    view = _View(table, weights)
    best, best_score = question.options[-1].id, 0.0 if table.war.tao else float("-inf")
    for option in question.options:
        if option.id == "done":
            continue
        name, _, count = option.id.partition(":")
        for to in view.ends(name, int(count)):
            score = view.score(name, to)
            if score > best_score:
                best, best_score = option.id, score
    if best_score < FLAG and question.key == "flag_war.move.man" and _restless(table):
        return None
    return best


def _rescue_worth(table: Table, option: Option) -> float:
    """Own prisoners are freed, the worthiest first, where no roll can win; others stay where they are."""
    if option.id == "roll":
        return FLAG if _can_win(table) else 0.0
    _, seat, name = option.id.split(":")
    return WORTH[table.war.armies[seat].men[name].kind] if seat == table.war.on_turn else -1.0


def _worth(man: Man) -> float:
    """What a man is worth with the flag that he carries."""
    return WORTH[man.kind] + (FLAG if man.flag else 0.0)


def _can_win(table: Table) -> bool:
    """Whether the one flag that is not at home is carried, and a roll can bring it there."""
    war, position = table.war, table.position()
    away = sum(len(flags) for base, flags in war.flags.items() if base != war.on_turn)
    away += sum(bool(man.flag) for army in war.armies.values() for man in army.men.values())
    return away == 1 and any(
        man.flag and table.ends(name, count, position) & table.goals(man)
        for name, man in table.army.men.items()
        for count in range(1, FURTHEST + 1)
    )


class _View:
    """One position seen by one policy; what is the same for all moves is worked out once."""

    def __init__(self, table: Table, weights: Weights) -> None:
        self.table = table
        self.weights = weights._replace(danger=0.0) if _restless(table) else weights
        self.position: Position = table.position()
        self.threat = self._threat()
        self.rescues = self._prisons_to_open()
        self.in_the_way = self._inner_ways()
        self.home = table.terrain.away(table.terrain.bit[flag_square(table.war.on_turn)])

    def _prisons_to_open(self) -> int:
        """The access squares of the prisons that hold our carriers, once none is free."""
        table = self.table
        carriers = [man.at for man in table.army.men.values() if man.kind == "C"]
        cells = {prison(seat): table.terrain.access[seat] for seat in table.war.armies}
        if not all(at in cells for at in carriers):
            return 0
        return sum(table.terrain.bit[square] for square in {cells[at] for at in carriers})

    def _inner_ways(self) -> int:
        """Where only carriers have business: inner roads and flag squares, and the squares of a rescue.

        So are our own blockades that a carrier can't pass, or whoever goes to a rescue.
        """
        terrain = self.table.terrain
        names = [name for name in terrain.names if "-I" in name or name in terrain.flag_squares]
        for seat, square in terrain.access.items():
            if terrain.bit[square] & self.rescues:
                names += terrain.rescue[seat]
        return sum(terrain.bit[name] for name in {*names, *self._jams()})

    def _jams(self) -> Iterator[str]:
        """Our own blockades between a man and a rescue, or else a carrier and where it has to go."""
        terrain = self.table.terrain
        ways = [
            (terrain.bit[man.at], self.rescues or self.table.goals(man))
            for man in self.table.army.men.values()
            if (self.rescues or man.kind == "C") and man.at in terrain.bit
        ]
        for at in spaces_of(self.position.own_pairs):
            parts = terrain.sides[1 << at]
            if any(start & part and goals and not goals & part for part in parts for start, goals in ways):
                yield terrain.names[at]

    def _threat(self) -> int:
        """The spaces that some enemy can reach with one die."""
        terrain, war = self.table.terrain, self.table.war
        armies = (army for seat, army in war.armies.items() if seat != war.on_turn)
        reached = 0
        for man in (man for army in armies for man in army.men.values() if man.at in terrain.index):
            for die in range(1, 7):
                reached |= terrain.reach(terrain.index[man.at], die)
        return reached

    def ends(self, name: str, count: int) -> Iterator[str]:
        """Where a man may end that count."""
        ends = self.table.ends(name, count, self.position)
        return (self.table.terrain.names[at] for at in spaces_of(ends))

    def score(self, name: str, to: str) -> float:
        """What a policy thinks of a move."""
        if not self._taken(name, to):
            return self._fight(name, to) - HOPELESS
        man = self.table.army.men[name]
        score = self._progress(man, to)
        if self.table.terrain.bit[to] & self.position.foes:
            score += self._fight(name, to)
        if man.kind == "C" and self.table.terrain.bit[to] & self.table.goals(man):
            score += FLAG * (5 if man.flag else 1) * self._taken(name, to)
        return score - self._danger(man.at, to, _worth(man))

    def _progress(self, man: Man, to: str) -> float:
        terrain, weights = self.table.terrain, self.weights
        start, end = terrain.index[man.at], terrain.index[to]
        goals = self.table.goals(man)
        steps = 0 if not goals else terrain.away(goals)[start] - terrain.away(goals)[end]
        aside = ((self.in_the_way >> start & 1) - (self.in_the_way >> end & 1)) * IN_THE_WAY
        if man.kind == "C":
            return steps * (weights.carrier_step * (2 if man.flag else 1)) + (0 if goals else aside)
        if self.rescues:
            return self._to_rescue(start, end) + aside
        limit = terrain.ground.inner_road + terrain.ground.outer_road + terrain.ground.field[0] + 1
        return aside + steps * weights.other_step - weights.leaving * (self.home[end] > limit)

    def _to_rescue(self, start: int, end: int) -> float:
        """With its carriers taken, an army can only win by freeing one: then every man is for that.

        Its last man stays nowhere with the first of two counts.
        """
        away = self.table.terrain.away(self.rescues)
        if away[end] == 0 and self._goes_on():
            return 0.0
        return (away[start] - away[end]) * RESCUE_STEP - (FLAG if away[start] == 0 else 0.0)

    def _goes_on(self) -> bool:
        """Whether the one man who is left has to move the other die as well."""
        table = self.table
        free = sum(1 for _ in at_liberty(table.army))
        return table.rules.sequential and len(table.war.dice) > 1 and free == 1

    def _fight(self, name: str, to: str) -> float:
        foes = standing_on(self.table.war, to)
        gain = sum(_worth(foe) for _, _, foe in foes)
        odds = self.table.odds(name, to)
        if odds is None:
            return gain * self.weights.capture
        stake = sum(_worth(man) for _, man in self.table.attackers(name, to))
        return odds.win * gain * self.weights.capture - odds.loss * stake * self.weights.loss

    def _taken(self, name: str, to: str) -> float:
        """The chance that a man stands on `to` when he has moved there."""
        odds = self.table.odds(name, to) if self.table.terrain.bit[to] & self.position.foes else None
        return 1.0 if odds is None else odds.win

    def _danger(self, start: str, to: str, worth: float) -> float:
        """How much worse off a man is on `to` than where he stood, as to being attacked."""
        return (self._exposed(to) - self._exposed(start)) * worth * self.weights.danger

    def _exposed(self, space: str) -> bool:
        bit = self.table.terrain.bit[space]
        return bool(bit & self.threat & ~self.table.terrain.bunkers)
