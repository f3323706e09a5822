"""The table: the state, what is printed, and the questions that every rule asks of them."""

from __future__ import annotations

import collections
from collections.abc import Iterator, Mapping

from companion.engine.game import Outcome, Result
from companion.engine.packs import Source
from companion.games.undaunted.actions import Action, Kind, parse
from companion.games.undaunted.ground import Ground
from companion.games.undaunted.pack import (
    FACTIONS,
    FOG,
    Pack,
    Scenario,
    SoloCard,
    SoloSection,
    Theatre,
    UnitType,
    of_squad,
    solo_cards,
    spawn_keys,
    squad_of,
    type_name,
    unit_of,
)
from companion.games.undaunted.state import Bot, Counter, Marker, MineSide, RowCard, Side, State


class Ended(Exception):
    """The game is over in the middle of whatever went on (UND-328); carries the outcome."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.reason)
        self.outcome = outcome


class Table:
    """One game on the table.

    `news` collects what the player has to do or should know, until a `Show` says it; `behind` the rules of
    casualties, markers, mines, structures and command among it.
    """

    def __init__(
        self,
        state: State,
        pack: Pack,
        scenario: Scenario,
        settings: Mapping[str, str],
        section: SoloSection | None = None,
    ) -> None:
        self.state = state
        self.pack = pack
        self.scenario = scenario
        self.settings = settings
        self.section = section
        self.ground = Ground(scenario, pack.tile)
        self.printed: dict[str, dict[str, int]] = {}
        self.news: list[str] = []
        self.behind: list[str] = []
        self.parting: list[str] = []
        """How the turn of one of several persons has ended, for the question to the next."""
        self.read = 0
        """How many of the news came with a question that a person has answered."""
        self.at_turn: str | None = None
        """Who has the turn by the script of the game; nobody (empty) between turns."""
        self.draws_by_hand = False
        """Whether a person draws the cards, who reads the news with that."""
        self.controlling = _with_action(pack, Kind.CONTROL)
        self.bolstering = _with_action(pack, Kind.BOLSTER)
        self.targeting = _with_action(pack, Kind.TARGET)
        self._solo: dict[str, SoloCard | None] = {}

    def gathered(self, *more: str, until: int | None = None) -> str:
        """The news that nobody has read so far, or the first of all, and what else is to be read with them.

        They stay: whoever lets the box roll and draw sees no ask of dice or cards.
        """
        return " ".join(part for part in (*self.parting, *self.news[self.read : until], *more) if part)

    def rules(self, *rule: str) -> tuple[str, ...]:
        """The rules of an ask, and those behind the news that it tells."""
        return tuple(dict.fromkeys((*rule, *self.behind)))

    def heard(self) -> None:
        """A person has answered a question that told the news so far."""
        self.read = len(self.news)
        self.behind.clear()
        self.parting.clear()

    def drawn(self) -> None:
        """Cards were drawn: the news so far are read if a person did that."""
        if self.draws_by_hand:
            self.heard()

    def told(self) -> None:
        """All the news are told now."""
        self.news.clear()
        self.behind.clear()
        self.parting.clear()
        self.read = 0

    def give_turn(self, player: str) -> None:
        """It is that player's turn now; nobody's if empty."""
        self.state.turn = self.at_turn = player

    # Who is who

    def foe(self, side: str) -> str:
        """The other faction."""
        first, second = self.state.sides
        return second if side == first else first

    def side(self, player: str) -> Side:
        """The side that a player belongs to."""
        return self.state.sides[self.state.players[player].side]

    def is_bot(self, player: str) -> bool:
        """Whether the box plays that player."""
        return self.bot(self.state.players[player].side) is not None

    def bot(self, side: str) -> Bot | None:
        """The bot, if that side is its own."""
        bot = self.state.bot
        return bot if bot and bot.side == side else None

    def mates(self, side: str) -> list[str]:
        """The players of a side."""
        return [name for name, player in self.state.players.items() if player.side == side]

    def mate(self, player: str) -> str:
        """The other player of a side of two; empty where one leads it alone."""
        return next((one for one in self.mates(self.state.players[player].side) if one != player), "")

    def own_turn(self, side: str) -> bool:
        """Whether one of that side's players has the turn."""
        turn = self.state.turn
        return bool(turn) and self.state.players[turn].side == side

    def turn_order(self) -> list[str]:
        """Commanders, then their mates, the side with the initiative first (UND-104, UND-274)."""
        first = self.state.initiative
        order = [first, self.foe(first)]
        commanders = [self.state.sides[side].commander for side in order]
        mates = [name for side in order for name in self.mates(side) if name not in commanders]
        return commanders + mates

    def kept_at_table(self, player: str) -> bool:
        """Whether that player's hand is not told to the box."""
        return self.settings["hand"] == "table" and not self.is_bot(player)

    # What is printed

    def type(self, card: str) -> UnitType:
        """What is printed on a card or counter."""
        return self.pack.unit[type_name(card)]

    def unit_of(self, card: str) -> str:
        """The unit whose counter a card acts with (UND-024)."""
        return unit_of(self.pack, card)

    def cards_of(self, unit: str) -> tuple[str, ...]:
        """The card ids that count as cards of a unit, the standard one first."""
        squad = squad_of(unit)
        kinds = [name for name, kind in self.pack.unit.items() if kind.unit == type_name(unit)]
        return (unit, *(of_squad(kind, squad) for kind in kinds))

    def most_hits(self, counter: Counter) -> int:
        """How many control markers can lie on it: one for each card that a hit takes."""
        printed = self.printed[counter.side].items()
        return sum(count for card, count in printed if self.unit_of(card) == counter.unit)

    def title(self, card: str) -> str:
        """A card or counter in words, such as "Rifleman B"."""
        squad = squad_of(card)
        return f"{self.type(card).title} {squad.upper()}" if squad else self.type(card).title

    def name(self, counter: Counter) -> str:
        """A counter in words, with its faction."""
        return f"{FACTIONS.get(counter.side, '')} {self.title(counter.unit)}".lstrip()

    def solo(self, card: str) -> SoloCard | None:
        """The solo card that the bot uses for a card's type, if there is one."""
        unit = type_name(card)
        if unit not in self._solo:
            fitting = solo_cards(self.pack, unit, self.state.scenario, bot_of(self).side)
            self._solo[unit] = fitting[0] if fitting else None
        return self._solo[unit]

    def stand_in_cards(self) -> set[str]:
        """The types of the bot's cards whose solo card is a stand-in."""
        solos = {type_name(card): self.solo(card) for card in self.printed[bot_of(self).side]}
        return {kind for kind, solo in solos.items() if solo is not None and solo.source is Source.STAND_IN}

    def stand_in_units(self) -> list[str]:
        """What the units in play are called whose printed values are a stand-in's."""
        units = [unit for side in self.state.sides.values() for unit in side.counters]
        cards = [card for side in self.state.sides for pile in self.piles(side) for card in pile]
        types = {type_name(name): self.type(name) for name in (*units, *cards)}
        return sorted({kind.title for kind in types.values() if kind.source is Source.STAND_IN})

    # Counters

    def counter(self, player: str, card: str) -> Counter | None:
        """The counter that a player's card acts with; None for command cards and Fog of War."""
        return self.side(player).counters.get(self.unit_of(card))

    def spawn(self, counter: Counter) -> str:
        """The tile where a counter enters the board (UND-262), the most particular marker first."""
        spawns = self.scenario.spawns.get(counter.side, {})
        for key in spawn_keys(counter.unit):
            if key in spawns:
                return spawns[key]
        return ""

    def standing(self, counter: Counter) -> str:
        """The tile it acts from: its own, or its spawn while it is off the board (UND-285)."""
        return counter.tile or self.spawn(counter)

    def units(self, side: str, tile: str = "") -> list[Counter]:
        """A side's units on the board, or on one tile.

        Soldiers in a vehicle count through it, and an empty North Africa vehicle is no unit (UND-198).
        """
        there = self.lying(side, tile)
        return [one for one in there if not self.type(one.unit).seats or self.occupants(one)]

    def lying(self, side: str, tile: str = "") -> list[Counter]:
        """A side's counters on the board or a tile, empty vehicles too; who sits in one lies on its card."""
        return [
            one
            for one in self.state.sides[side].counters.values()
            if one.tile and tile in ("", one.tile) and not one.vehicle
        ]

    def occupants(self, vehicle: Counter) -> list[Counter]:
        """The soldiers in a vehicle, by seat."""
        inside = [
            one for one in self.state.sides[vehicle.side].counters.values() if one.vehicle == vehicle.unit
        ]
        return sorted(inside, key=lambda one: one.seat)

    def is_vehicle(self, counter: Counter) -> bool:
        """Whether it is a vehicle of either base game."""
        return self.type(counter.unit).armour is not None

    def actions(self, card: str, counter: Counter | None) -> tuple[Action, ...]:
        """What a card lets its unit do: its own actions and its seat's, the stronger of a kind (UND-192).

        An Attack with a range of its own is a kind of its own (UND-033).
        """
        own = tuple(parse(text) for text in self.type(card).actions)
        extra = self.seat_actions(counter)
        if not extra:
            return own
        best = {(one.kind, one.y): one for one in sorted((*own, *extra), key=lambda one: one.x)}
        return tuple(best.values())

    def seat_actions(self, counter: Counter | None) -> tuple[Action, ...]:
        """What the seat gives its occupant (UND-363); nothing in a disabled vehicle (UND-365)."""
        if counter is None or not counter.vehicle:
            return ()
        vehicle = self.state.sides[counter.side].counters[counter.vehicle]
        seat = self.type(vehicle.unit).seats[counter.seat]
        return () if vehicle.disabled else tuple(parse(text) for text in seat.actions)

    def has_action(self, counter: Counter, kind: Kind) -> bool:
        """Whether the type of a counter, or of a soldier in it, has an action (UND-R22).

        Specialists' own ones are not the unit's (UND-344).
        """
        units = (counter, *self.occupants(counter))
        return any(parse(text).kind is kind for one in units for text in self.type(one.unit).actions)

    # Tiles

    def marker(self, side: str, tile: str) -> Marker | None:
        """A side's control marker on a tile."""
        return self.state.sides[side].markers.get(tile)

    def controls(self, side: str, tile: str) -> bool:
        """Whether a side controls a tile (UND-263)."""
        return self.marker(side, tile) is Marker.CONTROLLED

    def scouted(self, side: str, tile: str) -> bool:
        """Whether a side may move there: its marker lies there, on either side (UND-259, UND-260)."""
        return tile in self.state.sides[side].markers

    def value(self, tile: str) -> int:
        """The objective points of a tile, with what the radio has added."""
        return self.ground.value[tile] + (self.state.radio if tile == self.scenario.radio else 0)

    def objectives(self) -> tuple[str, ...]:
        """The tiles with an objective marker, and the radio tile once it is worth something (UND-201)."""
        return tuple(tile for tile in self.ground.tiles if self.value(tile))

    def points(self, side: str) -> int:
        """What a side has: the objectives it controls, and structures it destroyed."""
        markers = self.state.sides[side].markers
        held = sum(self.value(tile) for tile in self.objectives() if markers.get(tile) is Marker.CONTROLLED)
        return held + self.state.sides[side].destroyed

    def may_enter(self, counter: Counter, tile: str) -> bool:
        """Whether the counter's kind may be on a tile at all (UND-012, UND-364)."""
        if not self.is_vehicle(counter):
            return True
        rough = self.scenario.theatre is Theatre.NORTH_AFRICA and self.ground.tiles[tile].rough
        return tile not in self.state.no_vehicles and not rough

    def mines_between(self, one: str, other: str) -> list[int]:
        """The mines on the edge of two tiles, by their place in the state."""
        edge = {one, other}
        return [number for number, mine in enumerate(self.state.mines) if set(mine.between) == edge]

    def triggers(self, counter: Counter, face: MineSide) -> bool:
        """Whether a mine of that face goes off under a counter (UND-045, UND-049, UND-054, UND-060)."""
        if counter.side == self.scenario.mines:
            return False
        kind = self.type(counter.unit)
        return (kind.defence if face is MineSide.PERSONNEL else kind.armour) is not None

    # Cards

    def unseen(self, player: str) -> list[RowCard]:
        """The face-down cards that nobody has looked at, which that player's deck still counts (UND-234)."""
        bot = self.bot(self.state.players[player].side)
        return [one for one in bot.row if not one.card] if bot else []

    def circulating(self, side: str) -> Iterator[Mapping[str, int]]:
        """The piles of a side whose cards come up by themselves: decks, hands, discards, what is played."""
        for name in self.mates(side):
            yield from self.circulating_of(name)
        if bot := self.bot(side):
            row = [one.card for one in bot.row if one.card]
            yield collections.Counter([*row, *filter(None, [bot.resolving])])

    def circulating_of(self, name: str) -> Iterator[Mapping[str, int]]:
        """Those of one player, the card that was bid among them."""
        player = self.state.players[name]
        bid = self.state.bids.get(name)
        yield from (player.deck, player.discard)
        yield collections.Counter([*player.hand, *player.play, *filter(None, [bid])])

    def stored(self, side: str) -> Iterator[Mapping[str, int]]:
        """The piles that only Bolster (or Scout, for Fog of War) takes from."""
        for player in self.state.players.values():
            if player.side == side:
                yield player.supply
        yield {FOG: self.state.sides[side].fog}
        if bot := self.bot(side):
            yield from bot.bolster.values()

    def piles(self, side: str) -> Iterator[Mapping[str, int]]:
        """Every pile of a side as counts, the removed cards among them."""
        yield from self.circulating(side)
        yield from self.stored(side)
        yield from (self.state.players[name].removed for name in self.mates(side))

    # The end

    def outcome(self, winner: str, reason: str) -> Outcome:
        """The end, told for the player: won or lost against the bot, just ended among people."""
        bot = self.state.bot
        result = (
            Result.ENDED if bot is None or not winner else Result.LOST if winner == bot.side else Result.WON
        )
        sides = sorted(self.state.sides, key=lambda side: self.bot(side) is not None)
        score = {FACTIONS.get(side, side): self.points(side) for side in sides}
        return Outcome(result, reason, {**score, "rounds": self.state.round})


def bot_of(table: Table) -> Bot:
    """The bot of a solo game."""
    assert table.state.bot is not None
    return table.state.bot


def _with_action(pack: Pack, kind: Kind) -> frozenset[str]:
    """The types whose cards have an action."""
    return frozenset(
        name for name, unit in pack.unit.items() if any(parse(text).kind is kind for text in unit.actions)
    )
