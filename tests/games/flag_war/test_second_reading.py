"""Turns held against a second reading of the rules, which takes nothing from the game but its state."""

from __future__ import annotations

import copy
from collections import Counter
from itertools import cycle
from random import Random

import pytest

from companion.engine.asks import Show
from companion.games.flag_war.state import Man, War, standing_on
from tests.games.driver import Driver
from tests.games.flag_war import brute
from tests.games.flag_war.field import begun, fresh, state

RESCUE = ("F14", "F34", "F23")
ASKS = 40


class Over(Exception):
    """The war is won, or nothing more was asked."""


def scatter(war: War, rng: Random) -> None:
    """Men anywhere, some in prison; many a one where something is to be done with his next step."""
    brute.scatter(war, rng)
    for seat, army in war.armies.items():
        other = rng.choice([other for other in war.armies if other != seat])
        for man in army.men.values():
            if rng.random() < 0.15:
                man.at = f"{other}-prison"
        wishes = {"C1": f"{other}-I5", "C2": f"{seat}-I5", "H1": f"{other}-F24", "P3": f"{other}-I4"}
        near = rng.choice((4, 5))  # with a bunker beyond it, or none
        wishes |= dict.fromkeys(("P1", "P2"), f"{seat}-O{near}")
        wishes |= dict.fromkeys(("M1", "M2"), f"{other}-O{near + 1}")
        for name, at in wishes.items():
            there = standing_on(war, at)
            is_room = not there or (len(there) == 1 and there[0][0] == seat and brute.is_road(at))
            if is_room and rng.random() < 0.9:
                army.men[name].at = at
        for name in rng.sample(("C1", "C2"), 2):
            if army.men[name].at.endswith("I5") and war.flags[other] and rng.random() < 0.4:
                army.men[name].flag = war.flags[other].pop()


class Reading:
    """The rules once more: what has to be asked next, what may be answered, and what comes of it."""

    def __init__(self, driver: Driver, rules: dict[str, str], rng: Random) -> None:
        self.driver, self.rng, self.left = driver, rng, ASKS
        self.war = copy.deepcopy(state(driver))
        self.sequential = rules["combined_move"] == "sequential"
        self.safe_pairs = rules["bunker_pairs"] == "safe"
        self.winner = ""
        self.seen: Counter[str] = Counter()

    def reach(self, key: str) -> None:
        """The game's next ask has to be this one, on a table that lies as it does here."""
        while self.driver.outcome is None and isinstance(self.driver.ask, Show):
            self.driver.answer()
        self.left -= 1
        if self.driver.outcome or not self.left:
            raise Over
        war = state(self.driver)
        assert self.driver.ask.key == key
        assert (war.on_turn, war.armies, war.flags) == (self.war.on_turn, self.war.armies, self.war.flags)
        self.seen[key] += 1

    def choose(self, key: str, options: set[str], *, if_many: bool = False) -> str:
        """Often what is offered first, where something is gained, or a carrier's step, onto a flag square."""
        if if_many and len(options) == 1:
            return next(iter(options))
        self.reach(key)
        ids = self.driver.ids()
        assert set(ids) == options
        liked = [ids[0], *({"C1:1", "C2:1"} & options)]
        answer = self.rng.choice(sorted(liked) if self.rng.random() < 0.5 else ids)
        self.driver.answer(answer)
        return answer

    def roll(self, key: str, count: int) -> list[int]:
        """Low dice, so that men meet."""
        self.reach(key)
        dice = [self.rng.choice((1, 1, 1, 2, 2, 3)) for _ in range(count)]
        self.driver.answer([str(die) for die in dice])
        return dice

    def on(self, space: str) -> list[tuple[str, str, Man]]:
        return standing_on(self.war, space)

    @property
    def men(self) -> dict[str, Man]:
        return self.war.armies[self.war.on_turn].men

    def any_free(self) -> bool:
        return not all(man.at.endswith("prison") for man in self.men.values())

    def war_from_north(self) -> None:
        for number, seat in enumerate(cycle(self.war.armies)):
            self.war.on_turn = seat
            if self.any_free() and not (number and self.rescued()):
                self.rolls()

    def rescued(self) -> bool:
        prisoners = {}
        for base in self.war.armies:
            rescuers = [seat for seat, _, _ in self.on(f"{base}-F24")]
            squares = {f"{base}-{square}" for square in RESCUE if not self.on(f"{base}-{square}")}
            if base != self.war.on_turn and self.war.on_turn in rescuers and squares:
                prisoners |= {
                    f"{base}:{seat}:{name}": (man, squares) for seat, name, man in self.on(f"{base}-prison")
                }
        chosen = self.choose("flag_war.rescue.whom", {"roll", *prisoners}) if prisoners else "roll"
        if chosen == "roll":
            return False
        man, squares = prisoners[chosen]
        man.at = self.choose("flag_war.rescue.where", squares, if_many=True)
        return True

    def rolls(self) -> None:
        """A roll, and another one after each double of which anything was moved."""
        while self.any_free():
            dice = self.roll("flag_war.turn.roll", 2)
            healthy = not any(man.at.endswith("prison") for man in self.men.values())
            use_tao = sorted(dice) == [1, 2] and healthy
            if use_tao and self.choose("flag_war.tao.use", {"tao", "dice"}) == "tao":
                self.tao()
            elif self.use(dice) and dice[0] == dice[1]:
                continue
            break

    def tao(self) -> None:
        still = set(self.men)
        while ways := {f"{name}:{count}" for name in still for count in (1, 2, 3) if self.ends(name, count)}:
            chosen = self.choose("flag_war.tao.man", ways | {"done"})
            if chosen == "done":
                return
            name, count = chosen.split(":")
            still.discard(name)
            self.go(name, self.ends(name, int(count)))

    def use(self, dice: list[int]) -> bool:
        """A roll's two dice; was any of them moved?"""
        still, leg, used = set(self.men), None, False
        while dice:
            counts = {*dice} if self.sequential else {*dice, sum(dice)}
            ends = {f"{name}:{count}": self.ends(name, count, leg) for name in still for count in counts}
            ways = {way for way, spaces in ends.items() if spaces}
            if not ways:
                break
            chosen = self.choose("flag_war.move.man", ways)
            name, count = chosen.split(":")[0], int(chosen.split(":")[1])
            dice = [] if count not in dice else dice[1:] if dice[0] == count else dice[:1]
            start, used = self.men[name].at, True
            to = self.go(name, ends[chosen])
            if self.sequential:
                leg = (name, start, to, count)
            else:
                still.discard(name)
        return used

    def ends(self, name: str, count: int, leg: tuple[str, str, str, int] | None = None) -> set[str]:
        seat = self.war.on_turn
        if self.men[name].at.endswith("prison"):
            return set()
        if leg and leg[0] == name:
            ends = brute.legal_after(self.war, seat, name, leg[1:3], (leg[3], count))
        else:
            ends = brute.legal(self.war, seat, name, count)
        foes = {
            space for space in ends & brute.BUNKERS if any(other != seat for other, _, _ in self.on(space))
        }
        return ends - foes if self.safe_pairs else ends

    def go(self, name: str, ends: set[str]) -> str:
        to = self.choose("flag_war.move.to", ends, if_many=True)
        foes = [one for one in self.on(to) if one[0] != self.war.on_turn]
        if not foes or self.won(name, to, foes):
            self.men[name].at = to
            if name[0] == "C" and to.endswith("flag"):
                self.flag(self.men[name], to[0])
        return to

    def won(self, name: str, to: str, foes: list[tuple[str, str, Man]]) -> bool:
        if len(foes) == 1 and foes[0][2].kind in "PC":
            self.captured(foes, self.war.on_turn)
            return True
        start = self.men[name].at
        ours = [(self.war.on_turn, name, self.men[name])]
        if len(foes) == 2 and to in brute.LINKS[start]:
            ours = self.on(start)
        attack, defence = self.value(ours), self.value(foes)
        self.seen[f"{len(ours)} against {len(foes)}"] += 1
        if attack != defence:
            self.captured(*((foes, self.war.on_turn) if attack > defence else (ours, foes[0][0])))
        return attack > defence

    def value(self, side: list[tuple[str, str, Man]]) -> int:
        kinds = Counter(man.kind for _, _, man in side)
        dice = kinds["M"] + 2 * kinds["H"]
        return 3 * (kinds["P"] + kinds["C"]) + (sum(self.roll("flag_war.battle.roll", dice)) if dice else 0)

    def captured(self, losers: list[tuple[str, str, Man]], captor: str) -> None:
        for _, _, man in losers:
            man.at = f"{captor}-prison"
            if man.flag:
                self.war.flags[captor].append(man.flag)
                self.seen["flag captured"] += 1
                man.flag = ""
        self.crown(captor)

    def flag(self, man: Man, base: str) -> None:
        lying = self.war.flags[base]
        if base == self.war.on_turn and man.flag:
            lying.append(man.flag)
            man.flag = ""
            self.seen["flag brought"] += 1
            self.crown(base)
        elif base != self.war.on_turn and lying and not man.flag:
            man.flag = self.choose("flag_war.flag.which", set(lying), if_many=True)
            lying.remove(man.flag)
            self.seen["flag taken"] += 1

    def crown(self, seat: str) -> None:
        carried = any(man.flag for army in self.war.armies.values() for man in army.men.values())
        if not carried and all(base == seat or not lying for base, lying in self.war.flags.items()):
            self.winner = seat
            self.seen["won"] += 1
            raise Over


@pytest.mark.rule("FLG-013", "FLG-017", "FLG-018", "FLG-020", "FLG-021", "FLG-R16", "FLG-R17", "FLG-R18")
@pytest.mark.rule("FLG-028", "FLG-029", "FLG-042", "FLG-043", "FLG-R25", "FLG-R30")
@pytest.mark.rule("FLG-046", "FLG-048", "FLG-050", "FLG-R44")
@pytest.mark.rule("FLG-058", "FLG-059", "FLG-060", "FLG-065", "FLG-066", "FLG-067", "FLG-068", "FLG-069")
@pytest.mark.rule("FLG-070", "FLG-R32", "FLG-R33", "FLG-R34", "FLG-R35", "FLG-R36", "FLG-R37")
@pytest.mark.rule("FLG-073", "FLG-075", "FLG-076", "FLG-078", "FLG-R47", "FLG-R49", "FLG-R51")
@pytest.mark.rule("FLG-082", "FLG-083", "FLG-084", "FLG-085", "FLG-R54")
def test_turns_go_as_the_rules_are_read_a_second_time() -> None:
    seen = Counter[str]()
    for seed in range(80):
        rng = Random(seed)
        settings = {"armies": rng.choice("2234"), "empty_flags": rng.choice(("no", "no", "yes"))}
        settings |= {"combined_move": rng.choice(("sum", "sequential"))}
        settings |= {"bunker_pairs": rng.choice(("open", "safe"))}
        driver = begun(Driver(fresh(**settings)))
        scatter(state(driver), rng)
        reading = Reading(driver, settings, rng)
        with pytest.raises(Over):
            reading.war_from_north()
        assert reading.winner == state(driver).winner
        seen += reading.seen
    fights = [f"{ours} against {theirs}" for ours, theirs in ((1, 1), (1, 2), (2, 2))]
    flags = ["flag captured", "flag brought", "flag taken", "won"]
    assert all(seen[what] >= 4 for what in (*fights, *flags, "flag_war.tao.man", "flag_war.rescue.where"))
