"""What the bot sees: the words of solo cards tested on the table (UND-193 to UND-216)."""

from __future__ import annotations

from companion.games.undaunted import combat
from companion.games.undaunted.actions import Action, Kind
from companion.games.undaunted.language import (
    ANY_DECK,
    OWN,
    Condition,
    Place,
    PlaceTerm,
    Subject,
    Who,
    WhoTerm,
)
from companion.games.undaunted.orders import mover
from companion.games.undaunted.pack import FOG, squad_of, type_name
from companion.games.undaunted.state import Counter
from companion.games.undaunted.table import Table, bot_of

PLAIN = Action(Kind.ATTACK, 1)
"""The attack that a total defence is measured with where a line makes none."""


class Sight:
    """The table from the place of one bot unit, or of a command card, which has no tile."""

    def __init__(self, table: Table, side: str, card: str, counter: Counter | None) -> None:
        self.table = table
        self.side = side
        self.foe = table.foe(side)
        self.card = card
        self.counter = counter
        self.action = PLAIN
        """The attack that total defences are measured with."""
        self.selected = ""

    @property
    def tile(self) -> str:
        """Where the unit acts from now."""
        return self.table.standing(self.counter) if self.counter else ""

    @property
    def unit(self) -> Counter | None:
        """What stands on that tile for it: the vehicle that it sits in, or itself."""
        return mover(self.table, self.counter) if self.counter else None

    # Tiles

    def scouted(self, tile: str) -> bool:
        """Whether the bot has a marker there, on either side."""
        return self.table.scouted(self.side, tile)

    def entering(self, tile: str) -> list[Counter]:
        """The unit that acts, where it is off the board and would enter there (UND-R20)."""
        return [self.counter] if self.counter and not self.counter.tile and tile == self.tile else []

    def lying(self, tile: str) -> list[Counter]:
        """The bot's counters there, and who is about to enter."""
        return [*self.table.lying(self.side, tile), *self.entering(tile)]

    def population(self, tile: str) -> int:
        """Player units minus bot units (UND-208)."""
        friends = [*self.table.units(self.side, tile), *self.entering(tile)]
        return len(self.table.units(self.foe, tile)) - len(friends)

    def controllers(self, tile: str) -> list[Counter]:
        """Player units there that have the Control action, suppressed or not (UND-R22, UND-R23)."""
        return [one for one in self.table.units(self.foe, tile) if self.table.has_action(one, Kind.CONTROL)]

    def secure(self, tile: str, unit: Counter | None = None) -> bool:
        """Not the bot's, or with another bot counter, or nobody there who could take it (UND-211).

        `unit` is the bot unit that is asked about, if it is not the one that acts (UND-R25).
        """
        if self._structure_at_risk(tile):
            return False
        if not self.table.controls(self.side, tile):
            return True
        others = [one for one in self.lying(tile) if one is not (unit or self.unit)]
        return bool(others) or not self.controllers(tile)

    def threatened(self, tile: str) -> bool:
        """The bot's objective, without a bot counter, with a player unit that could take it (UND-205)."""
        if self._structure_at_risk(tile):
            return True
        if not self.table.value(tile) or not self.table.controls(self.side, tile):
            return False
        return not self.lying(tile) and bool(self.controllers(tile))

    def _structure_at_risk(self, tile: str) -> bool:
        """The player demolishes for points, and could do so on a tile of the bot (UND-206, UND-207)."""
        table = self.table
        if table.scenario.demolishes != self.foe or tile not in table.state.structures:
            return False
        if not table.controls(self.side, tile):
            return False
        return any(table.has_action(one, Kind.DEMOLITION) for one in table.units(self.foe, tile))

    def place(self, term: PlaceTerm, tile: str, unit: Counter | None = None) -> bool:
        """Whether a word holds of a tile, for the acting unit or another unit of the bot."""
        return self._place(term, tile, unit) is not term.denied

    def _place(self, term: PlaceTerm, tile: str, unit: Counter | None) -> bool:
        table, side, foe = self.table, self.side, self.foe
        match term.word:
            case Place.OBJECTIVE:
                return table.value(tile) > 0
            case Place.CONTROLLED_OBJECTIVE:
                return table.value(tile) > 0 and table.controls(side, tile)
            case Place.ENEMY_OBJECTIVE:
                return table.value(tile) > 0 and table.controls(foe, tile)
            case Place.UNCONTROLLED_OBJECTIVE:
                return self._free(tile)
            case Place.OCCUPIED_OBJECTIVE:
                return self._free(tile) and bool(self.lying(tile) or table.lying(foe, tile))
            case Place.THREATENED_OBJECTIVE:
                return self.threatened(tile)
            case Place.CONTROLLED:
                return table.controls(side, tile)
            case Place.HELD:
                return table.controls(side, tile) or table.controls(foe, tile)
            case Place.ENEMY_CONTROLLED:
                return table.controls(foe, tile)
            case Place.SCOUTED:
                return table.scouted(side, tile)
            case Place.ENEMY_SCOUTED:
                return table.scouted(foe, tile)
            case Place.SECURE:
                return self.secure(tile, unit)
            case Place.ENEMY:
                return self._stands(foe, tile, term.kind)
            case Place.FRIEND:
                return self._stands(side, tile, term.kind, unit)
            case _:
                return self._printed_place(term, tile)

    def _printed_place(self, term: PlaceTerm, tile: str) -> bool:
        table = self.table
        match term.word:
            case Place.PATH:
                return table.section is not None and tile in table.section.path
            case Place.SPAWN:
                return tile in table.scenario.spawns.get(self.side, {}).values()
            case Place.ENEMY_SPAWN:
                return tile in table.scenario.spawns.get(self.foe, {}).values()
            case Place.MATCHING_SPAWN:
                return self._matching_spawn(tile)
            case Place.STRUCTURE:
                return tile in table.state.structures
            case Place.MINED:
                return any(tile in mine.between for mine in table.state.mines)
            case Place.HILL:
                return table.ground.tiles[tile].hill
            case Place.SELECTED:
                return tile == self.selected
            case Place.WITHIN:
                return bool(self.tile) and table.ground.distance[self.tile][tile] <= term.n
            case Place.WORTH:
                return table.value(tile) >= term.n
            case Place.COVER:
                return table.ground.tiles[tile].cover >= term.n
            case _:
                raise AssertionError(term.word)

    def _matching_spawn(self, tile: str) -> bool:
        """A spawn marker there, of either side, is for the card's squad (UND-199, UND-200)."""
        markers = [self.table.scenario.spawns.get(side, {}) for side in (self.side, self.foe)]
        keys = [key for spawn in markers for key, where in spawn.items() if where == tile]
        return bool(self.squad) and any(self.squad in (key, squad_of(key)) for key in keys)

    @property
    def squad(self) -> str:
        """The squad of the card that is read."""
        return squad_of(self.card)

    def _free(self, tile: str) -> bool:
        controlled = self.table.controls(self.side, tile) or self.table.controls(self.foe, tile)
        return self.table.value(tile) > 0 and not controlled

    def _stands(self, side: str, tile: str, kind: str, unit: Counter | None = None) -> bool:
        there = [*self.table.units(side, tile), *(self.entering(tile) if side == self.side else ())]
        return any(one is not (unit or self.unit) and kind in ("", type_name(one.unit)) for one in there)

    # Units

    def who(self, term: WhoTerm, counter: Counter) -> bool:
        """Whether a word holds of a unit."""
        return self._who(term, counter) is not term.denied

    def _who(self, term: WhoTerm, counter: Counter) -> bool:
        tile = self.table.standing(counter)  # the unit that acts may be about to enter
        match term.word:
            case Who.ANY:
                return True
            case Who.HERE:
                return tile == self.tile
            case Who.WITHIN:
                return bool(self.tile) and self.table.ground.distance[self.tile][tile] <= term.n
            case Who.MATCHING:
                return bool(self.squad) and squad_of(counter.unit) == self.squad
            case Who.SUPPRESSED:
                return counter.suppressed
            case Who.VEHICLE:
                return self.table.is_vehicle(counter)
            case Who.DEFENCE:
                return self._total(counter) <= term.n
            case Who.ON:
                assert term.place is not None
                unit = counter if counter.side == self.side else None
                return self.place(term.place, tile, unit)
            case Who.TYPE:
                return type_name(counter.unit) == term.kind

    def _total(self, counter: Counter) -> int:
        """Its total defence against the line's action from here."""
        against = combat.defence(self.table, counter, self.action, self.tile)
        return against.total if against else combat.OUT_OF_REACH

    # Conditions

    def holds(self, condition: Condition) -> bool:
        """Whether a condition of a line holds, or could hold (UND-171 to UND-173, UND-R24)."""
        return self._holds(condition) is not condition.denied

    def _holds(self, condition: Condition) -> bool:
        table = self.table
        match condition.subject:
            case Subject.SECURE:
                return self.secure(self.tile)
            case Subject.SUPPRESSED:
                return self.counter is not None and self.counter.suppressed
            case Subject.ON_BOARD:
                return self.counter is not None and bool(self.counter.tile)
            case Subject.INITIATIVE:
                return table.state.initiative == self.side
            case Subject.NEEDS:
                return self._needs(self.side, condition.n)
            case Subject.ENEMY_NEEDS:
                return self._needs(self.foe, condition.n)
            case Subject.ENEMY:
                return self._any(self.foe, condition)
            case Subject.FRIEND:
                return self._any(self.side, condition)
            case Subject.HERE:
                return bool(self.tile) and all(self.place(term, self.tile) for term in condition.places)
            case Subject.TILE:
                return any(
                    all(self.place(term, tile) for term in condition.places) for tile in table.ground.tiles
                )
            case Subject.ROW:
                row = bot_of(table).row
                return any(not one.face_down and self.card_fits(condition.name, one.card) for one in row)
            case Subject.BOLSTER:
                decks = bot_of(table).bolster
                if condition.name == ANY_DECK:
                    return any(decks.values())
                return bool(decks.get(self.squad if condition.name == OWN else condition.name))

    def _needs(self, side: str, points: int) -> bool:
        """Whether a side wants no more than so many points; one that has to pin the other wants none."""
        goal = self.table.scenario.points.get(side, 0)
        return bool(goal) and goal - self.table.points(side) <= points

    def _any(self, side: str, condition: Condition) -> bool:
        return any(
            one is not self.unit and all(self.who(term, one) for term in condition.who)
            for one in self.table.units(side)
        )

    def card_fits(self, name: str, card: str) -> bool:
        """Whether a card of the row is what a line means: "matching", "fog", "any" or a type (UND-199)."""
        match name:
            case "matching":
                return bool(self.squad) and squad_of(card) == self.squad
            case "any":
                return card != FOG
            case _:
                return type_name(card) == name
