"""One game on the table with what it is played by: packs, ground, options; and what they mean together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

import msgspec

from companion.engine.ways import steps
from companion.games.dday_dice.battlefield import Battlefield, initial
from companion.games.dday_dice.describing import describe
from companion.games.dday_dice.dice import Result
from companion.games.dday_dice.effects import (
    Add,
    BaseEffect,
    Cheapen,
    IgnoreMines,
    LockFewer,
    LowerDef,
    Price,
    Save,
    Strength,
)
from companion.games.dday_dice.options import Options
from companion.games.dday_dice.records import Award, DdayPack, Scenario, Sector, Training
from companion.games.dday_dice.state import Phase, Status, TableState, Unit
from companion.wording import counted

E = TypeVar("E", bound=BaseEffect)

LIMIT = 3
"""Turns in a Sector (DDD-113)."""


class Battle:
    """What the phases share."""

    def __init__(
        self, pack: DdayPack, scenario: Scenario, field: Battlefield, options: Options, state: TableState
    ) -> None:
        self.pack = pack
        self.scenario = scenario
        self.field = field
        self.options = options
        self.state = state
        self.training = scenario.training
        self.stand_in = field.stand_in
        self._boards = {initial(one): pack.map[one].title.partition(" ")[0] for one in scenario.maps}
        self._effects: dict[str, tuple[BaseEffect, ...]] = {n: s.effects for n, s in pack.specialist.items()}

    @property
    def solo(self) -> bool:
        """One player alone (DDD-176)."""
        return len(self.state.units) == 1

    @property
    def full(self) -> bool:
        """Whether all rules hold; Exercise Tiger's trainings leave some out."""
        return self.training is Training.FULL

    @property
    def which_turn(self) -> str:
        """After a title: ", turn 3"; nothing before the first."""
        return f", turn {self.state.turn}" if self.state.turn else ""

    def tag(self, unit: Unit) -> str:
        """Whose turn it is to answer, before a text; nothing if one plays alone."""
        return "" if self.solo else f"{unit.name}: "

    def happened(self) -> list[str]:
        """What happened unasked this turn, a line for each Unit, until the report at its end tells all."""
        return [self.tag(unit) + "; ".join(unit.turn.news) for unit in self.state.units if unit.turn.news]

    # --- Units

    def fighting(self, but: Unit | None = None) -> list[Unit]:
        """The Units in play, `but` left out."""
        return [one for one in self.state.units if one.status is Status.FIGHTING and one is not but]

    def others(self, unit: Unit) -> list[Unit]:
        """The Units that can be the 'other Unit' of a bonus (DDD-R23)."""
        wanted = (Status.FIGHTING, Status.SAFE) if self.options.safe_receive else (Status.FIGHTING,)
        return [other for other in self.state.units if other is not unit and other.status in wanted]

    def in_sector(self, name: str) -> list[Unit]:
        """The Units in play that stand there."""
        return [u for u in self.state.units if u.sector == name and u.status is Status.FIGHTING]

    def unit(self, name: str) -> Unit:
        """The Unit of that name."""
        return next(unit for unit in self.state.units if unit.name == name)

    def strength(self, unit: Unit) -> int:
        """Soldiers and Specialists (DDD-R38)."""
        return unit.soldiers + sum(self.counts(name) for name in unit.specialists)

    def counts(self, specialist: str) -> int:
        """For how many Soldiers a Specialist stands."""
        return next((e.soldiers for e in self._effects[specialist] if isinstance(e, Strength)), 1)

    def award(self, name: str) -> Award:
        """An Award by its name, one entered in this play too."""
        return self.state.learned.get(name) or self.pack.award[name]

    def able(self, names: Iterable[str], kind: type[BaseEffect]) -> list[str]:
        """Which of these Specialists have an ability of that kind."""
        return [n for n in names if any(isinstance(e, kind) for e in self._effects[n])]

    def volunteers(self, unit: Unit, kind: type[BaseEffect]) -> list[str]:
        """The Specialists of a Unit who can give themselves up for that ability, so that somebody is left."""
        able = self.able(unit.specialists, kind)
        return [name for name in able if self.strength(unit) > self.counts(name)]

    # --- Sectors

    def place(self, name: str) -> Sector:
        """A Sector as it is now: with the random line that was rolled, without what a General undoes."""
        sector = self.field.sectors[name]
        if sector.random and name in self.state.random_rolls and self.full:
            return self.field.lines[name][self.state.random_rolls[name] - 1]
        if sector.general_ignores and any(self._everyones(LockFewer)):
            return self.field.bare[name]
        return sector

    def label(self, name: str) -> str:
        """A Sector in words; with two boards on the table, whose it is."""
        if self.scenario.two_boards:
            return f"{self._boards[name[0]]} {name[1:]}"
        return name if "Bunker" in name else f"Sector {name}"

    def printed(self, name: str, *, entering: bool = True, joining: bool = True, by_cry: bool = False) -> str:
        """What a Sector's print says, in a few words, less what its first Unit has had, or a Vehicle taken.

        Nor who joins, if he is not `joining` this Unit; nor who is asked for, if it comes `by_cry` (DDD-051).
        """
        place = self.place(name)
        roll = self.state.random_rolls.get(name, 0) if self.full else 0
        had = name in self.state.gifts_taken
        left = msgspec.structs.replace(
            place,
            award=None if had else place.award,
            free_item="" if had else self.free_item(name),
            free_item_solo="",
            joins=place.joins if joining and not (had and place.joins_first_only) else "",
            vehicle=self.vehicle_there(name),
        )
        line = self.field.line_names[name][roll - 1] if roll else ""
        return describe(left, line, entering=entering, by_cry=by_cry)

    def free_item(self, name: str) -> str:
        """The Item of a Sector, another one where a single Unit began on its board (DDD-312, DDD-330)."""
        place = self.place(name)
        if not place.free_item_solo:
            return place.free_item
        homes = [initial(unit.home) for unit in self.state.units if unit.home]
        alone = self.solo or homes.count(name[0]) == 1
        return place.free_item_solo if alone else place.free_item

    def vehicle_there(self, name: str) -> str:
        """The Vehicle that a Sector offers, if nobody has or had it (DDD-101, DDD-258)."""
        vehicle = self.place(name).vehicle
        gone = (*self.state.vehicles_gone, *(unit.vehicle for unit in self.state.units))
        return "" if vehicle in gone else vehicle

    def stay_limit(self, unit: Unit) -> int:
        """How many turns the Unit may be where it is; 0 for no end (DDD-309).

        Since markers keep their faces in an exchange, the limit is the old one then, until Upkeep (DDD-R71).
        """
        if unit.kept_limit is not None:
            return unit.kept_limit
        place = self.place(unit.sector)
        if place.no_time_limit:
            return 0
        passing = self.solo and unit.sector in unit.taken and not self.options.gold_solo_stay
        return 1 if passing or (place.shield and self._shields_hold()) else LIMIT

    def _shields_hold(self) -> bool:
        return self.options.black_shields_in_training or self.training is not Training.BASIC

    def must_move(self, unit: Unit) -> bool:
        """Whether the marker obliges the Unit to leave in this Phase 4 (DDD-062)."""
        limit = self.stay_limit(unit)
        return bool(limit) and unit.stay > limit and not unit.turn.lingers

    def marker(self, unit: Unit) -> str:
        """The face that the Unit marker shows (DDD-R04); a Battle Cry's until the move (DDD-115, DDD-R24)."""
        if unit.turn.battle_cry and not unit.turn.moved and self.state.phase is not Phase.COMBAT:
            return "2 arrows"
        limit = self.stay_limit(unit)
        if limit and unit.stay > limit:
            return "shield" if limit == 1 else "1 arrow"
        return counted(min(unit.stay, LIMIT), "chevron")

    def bunkers_wanted(self) -> list[str]:
        """The Bunkers that have to be taken still, each by some Unit (DDD-249, DDD-R78, DDD-R87)."""
        if self.scenario.bunkers_all or (self.scenario.two_boards and self.options.deadstick_both):
            return [name for name in self.field.bunkers if name not in self.state.bunkers_taken]
        return []

    def forsakes(self, unit: Unit, to: str) -> str:
        """A Bunker that nobody could take any more if the Unit went there (DDD-255, DDD-R78).

        None in Deadstick: who has taken Merville's may go on to Sword's (DDD-324).
        """
        if self.solo:
            wanted = frozenset(self.bunkers_wanted())
            return "" if self._leads_to(wanted, to, frozenset({*unit.visited, to})) else "a Bunker"
        if not self.field.sectors[to].bunker or self.scenario.two_boards:
            return ""
        left = [name for name in self.bunkers_wanted() if name != to and not self.in_sector(name)]
        free = [u for u in self.fighting(but=unit) if not self.field.sectors[u.sector].bunker]
        return left[0] if len(left) > len(free) else ""

    def never_taken(self, bunker: str) -> str:
        """The warning for who is about to forsake a Bunker."""
        return f"Warning: {self.label(bunker)} would never be taken, and the game lost."

    def cut_off(self, unit: Unit, to: str) -> bool:
        """Whether no way to a Bunker is left to the Unit from there, no Sector twice (DDD-117)."""
        closed = {*unit.visited, unit.sector}
        reached = steps([to], lambda name: (way.to for way in self.field.ways[name] if way.to not in closed))
        return not any(self.field.sectors[name].bunker for name in reached)

    def _leads_to(self, wanted: frozenset[str], name: str, seen: frozenset[str]) -> bool:
        """Whether one Unit can go on from there through all those Bunkers, no Sector twice (DDD-117)."""
        left = wanted - {name}
        ahead = (way.to for way in self.field.ways[name] if way.to not in seen)
        return not left or any(self._leads_to(left, to, seen | {to}) for to in ahead)

    def vehicle_fits(self, name: str) -> bool:
        """Whether a Vehicle can be in a Sector (DDD-098, DDD-302)."""
        place = self.place(name)
        return not (place.bunker or place.no_vehicle)

    # --- abilities

    def abilities(self, unit: Unit, kind: type[E], sector: str = "", *, along: bool = True) -> list[E]:
        """What the living Specialists of a Unit and the Vehicles with it can do, of one kind (DDD-081).

        `sector` is where it will be, if not where it stands; `along`: its own Vehicle goes there too.
        """
        vehicles = self._vehicle_effects(unit, sector, along=along)
        return self._own(unit, kind) + [e for e in vehicles if isinstance(e, kind)]

    def whose(self, unit: Unit, kind: type[E]) -> list[str]:
        """The Specialists of a Unit and the Vehicles with it whose `abilities` those are."""
        effects = [(name, self._effects[name]) for name in unit.specialists]
        effects += [(name, self.pack.vehicle[name].effects) for name in self._vehicles(unit)]
        return [name for name, does in effects for e in does if isinstance(e, kind)]

    def _own(self, unit: Unit, kind: type[E]) -> list[E]:
        """What its Specialists alone can do."""
        effects = self._effects
        return [e for name in unit.specialists for e in effects[name] if isinstance(e, kind)]

    def _vehicle_effects(self, unit: Unit, sector: str, *, along: bool) -> Iterator[BaseEffect]:
        for name in self._vehicles(unit, sector, along=along):
            yield from self.pack.vehicle[name].effects

    def _vehicles(self, unit: Unit, sector: str = "", *, along: bool = True) -> Iterator[str]:
        """What Vehicles work for a Unit in a Sector, its own one too if it comes along (DDD-095, DDD-R54).

        That of a Unit which has just been lost too: the others suffer at the same time (DDD-014).
        """
        place = sector or unit.sector
        for other in self.state.units if self.options.vehicle_for_all else [unit]:
            there = along if other.name == unit.name else other.sector == place
            if other.vehicle and there and other.status is not Status.SAFE:
                yield other.vehicle

    def _everyones(self, kind: type[E], will_be: Unit | None = None) -> Iterator[E]:
        """What Specialists of any Unit in play do for all (DDD-R45), one of them as it will be."""
        for now in self.state.units:
            unit = will_be if will_be and will_be.name == now.name else now
            if unit.status is Status.FIGHTING or (self.options.safe_abilities and unit.status is Status.SAFE):
                yield from self._own(unit, kind)

    def locks(self) -> int:
        """How many dice are locked after the opening roll (DDD-020, General)."""
        return min((effect.locks for effect in self._everyones(LockFewer)), default=2)

    def owns(self, kind: type[E]) -> bool:
        """Whether any Unit in play has a Specialist with that ability."""
        return any(True for _ in self._everyones(kind))

    def saves(self, unit: Unit, sector: str = "", *, along: bool = True) -> int:
        """How many Soldiers fewer the Unit loses in a phase (DDD-R40)."""
        return sum(effect.soldiers for effect in self.abilities(unit, Save, sector, along=along))

    def added(self, unit: Unit) -> list[Result]:
        """What Specialists and Vehicles add to the Unit's Final Tally; it has no colour (DDD-R20)."""
        return [Result(add.face) for add in self.abilities(unit, Add) for _ in range(add.count)]

    # --- prices

    def cheaper(self, unit: Unit, what: Price, *, along: bool = True) -> int:
        """How much cheaper something is for a Unit; `along` says whether its Vehicle is."""
        own = self.abilities(unit, Cheapen, along=along)
        less = sum(e.by for e in own if e.what is what and not e.everyone)
        return less + sum(e.by for e in self._everyones(Cheapen) if e.what is what and e.everyone)

    def specialist_price(self, unit: Unit, name: str) -> int:
        """In Stars, never below 0 (DDD-R53)."""
        return self.specialist_prices(unit, [name])[name]

    def specialist_prices(self, unit: Unit, names: Iterable[str]) -> dict[str, int]:
        """Those of several, what makes them cheaper looked up once for all."""
        less = self.cheaper(unit, Price.SPECIALIST)
        return {name: max(0, self.pack.specialist[name].cost - less) for name in names}

    def item_price(self, unit: Unit, name: str) -> int:
        """In Item Points."""
        return self.item_prices(unit, [name])[name]

    def item_prices(self, unit: Unit, names: Iterable[str]) -> dict[str, int]:
        """Those of several, likewise."""
        less = self.cheaper(unit, Price.ITEM)
        return {name: max(0, self.pack.item[name].cost - less) for name in names}

    def vehicle_price(self, unit: Unit, name: str) -> int:
        """In Item Points; discounts are for Items alone (DDD-R52), and one aboard is left behind first."""
        if self.place(unit.sector).vehicle_free:
            return 0
        off = self.cheaper(unit, Price.ITEM, along=False) if self.options.vehicle_discount else 0
        return max(0, self.pack.vehicle[name].cost - off)

    # --- DEF

    def defence(self, unit: Unit, name: str, combats: int, *, along: bool = True) -> int:
        """The DEF that a Unit fights against in a Sector after so many Combats there (DDD-142, DDD-145).

        `along`: its own Vehicle is with it.
        """
        values = self.defences(name)
        value = values[min(combats, len(values) - 1)]
        standing = 0 if self.place(name).def_fixed else self._standing(unit, name, along=along)
        return max(0, value - standing)

    def defences(self, name: str) -> list[int]:
        """A Sector's DEF values as they are now for every Unit (DDD-142, DDD-144 to DDD-146)."""
        place, state = self.place(name), self.state
        by_award = state.lowered_by_award.get(name, 0)
        if place.def_fixed:
            lower = by_award if self.options.awards_lower_fixed_def else 0
        elif name in state.zeroed and not place.bunker:
            return [0]
        else:
            lower = state.lowered.get(name, 0) + by_award + (state.laid.get(name, 0) if place.bunker else 0)
        if self._mortar_fire_on(name):
            lower -= 1
        return [max(0, value - lower) for value in place.defence]

    def _standing(self, unit: Unit, name: str, *, along: bool) -> int:
        """Reductions by Tanks in the Sector and, in a Bunker, by Engineers."""
        bunker = self.field.sectors[name].bunker
        vehicles = self._vehicle_effects(unit, name, along=along and not bunker)
        lower = sum(e.by for e in vehicles if isinstance(e, LowerDef))
        if bunker:
            engineers = self._everyones(LowerDef, unit)
            if not self.options.engineer_for_all:
                engineers = iter(self.abilities(unit, LowerDef))
            lower += sum(e.by for e in engineers if e.bunker_only)
        return lower

    def _mortar_fire_on(self, name: str) -> bool:
        """Operation Deadstick: Sword is under fire until Merville 8 is taken (DDD-318)."""
        return self.scenario.two_boards and not self.state.mortars_out and name.startswith("S")

    def guns(self, name: str) -> int:
        """How many machine-gun dice are rolled for a Sector now; none where they would cost nothing."""
        state = self.state
        if name in state.silent or name in state.silenced or self.shelling_alone(name):
            return 0
        return self.place(name).guns

    def shelled(self, unit: Unit, name: str) -> bool:
        """By Mortar Fire, or Booby Traps for who has no Minesweeper (DDD-272, DDD-284)."""
        place = self.place(name)
        return place.losses_d6 or (place.losses_d6_unswept and not self.abilities(unit, IgnoreMines))

    def shelling_alone(self, name: str) -> bool:
        """Whether that die is all that Units lose there, as a group may read Mortar Fire (DDD-R65)."""
        return self.place(name).losses_d6 and self.options.mortar_fire == "instead"

    def combats_for_def(self, unit: Unit) -> int:
        """Which DEF of several is due: by the Combats fought here, or by the chevrons (DDD-R31)."""
        return unit.combats if self.options.def_by == "combats" else max(0, unit.stay - 1)
