"""Reading a solo card: the first line that applies, and why those above do not (UND-159 to UND-224).

Pure: nothing here changes the table or rolls a die. Choices that are still tied after all tiebreakers
come back together; the bot's turn picks among them with equal chances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

import msgspec

from companion.games.undaunted import cards, combat, language, movement
from companion.games.undaunted.actions import AREA, COMBAT, MOVEMENT, SCOUTING, SEATED, Action, Kind, parse
from companion.games.undaunted.language import (
    Condition,
    Deed,
    Limit,
    Place,
    PlaceTerm,
    Subject,
    Tie,
    TieTerm,
    Verb,
    Who,
    WhoTerm,
)
from companion.games.undaunted.orders import can_control, mover, target_tiles
from companion.games.undaunted.pack import FOG, Line, SoloCard, Step, deck_title, squad_of, steps_of
from companion.games.undaunted.printer import LETTERS, failed_text, is_text, tile_text
from companion.games.undaunted.sight import PLAIN, Sight
from companion.games.undaunted.state import Counter, Mine, MineSide
from companion.games.undaunted.table import Table, bot_of
from companion.wording import begun

T = TypeVar("T")


class Choice(msgspec.Struct, frozen=True):
    """One way to carry a line out: where to, along which path, whom, or which cards of the row."""

    words: str
    tile: str = ""
    path: tuple[str, ...] = ()
    counter: Counter | None = None
    row: tuple[int, ...] = ()


class Effect(msgspec.Struct, frozen=True):
    """A line (or sub-line) that applies: what is done, in which of several equal ways.

    `rolls` holds the effects of a "roll" line by die faces instead.
    """

    label: str
    step: Step
    deed: Deed
    action: Action | None
    choices: tuple[Choice, ...]
    rolls: tuple[tuple[str, Effect], ...] = ()

    @property
    def line(self) -> int:
        """The number of its line."""
        return int(self.label.rstrip(LETTERS))


class Decision(msgspec.Struct, frozen=True):
    """What a card makes the bot do (None: nothing), and why each line above does not apply."""

    effect: Effect | None
    passed: tuple[tuple[str, str], ...]


class No(msgspec.Struct, frozen=True):
    """A line does not apply, in words."""

    why: str


class Reader:
    """Reads one solo card for one bot card."""

    def __init__(self, table: Table, name: str, card: str, solo: SoloCard) -> None:
        self.table = table
        self.name = name
        self.card = card
        self.solo = solo
        counter = table.counter(name, card)
        self.sight = Sight(table, table.state.players[name].side, card, counter)
        self.done: set[int] = set()
        self.limits = [language.limit(text) for text in solo.box]

    def decide(self, start: int = 1) -> Decision:
        """The first line from `start` on that applies and was not resolved before."""
        passed: list[tuple[str, str]] = []
        for number, line in enumerate(self.solo.lines, 1):
            if number < start or number in self.done:
                continue
            for label, verdict in self._line(str(number), line):
                if isinstance(verdict, Effect):
                    return Decision(verdict, tuple(passed))
                passed.append((label, verdict.why))
        return Decision(None, tuple(passed))

    def _line(self, label: str, line: Line) -> Iterator[tuple[str, Effect | No]]:
        """The verdicts on a line or its sub-lines, asked for up to one that applies (UND-180, UND-181)."""
        steps = steps_of(line)
        for text in line.when:
            if not any(self._holds(text, step) for step in steps):
                yield label, No(failed_text(text))
                return
        if not line.sub:
            yield label, self._step(label, line)
            return
        for letter, step in zip(LETTERS, steps, strict=False):
            yield label + letter, self._sub(label + letter, step)

    def _sub(self, label: str, step: Step) -> Effect | No:
        for text in step.when:
            if not self._holds(text, step):
                return No(failed_text(text))
        return self._step(label, step)

    def _holds(self, text: str, step: Step) -> bool:
        """Whether a condition holds for one of the attacks that a step may make (UND-173, UND-R24)."""
        for action in self._attacks(step) or [PLAIN]:
            self.sight.action = action
            if self.sight.holds(language.condition(text)):
                return True
        return False

    def _attacks(self, step: Step) -> list[Action]:
        deeds = [language.deed(text) for text in (step.do, *step.roll.values()) if text]
        fights = [deed.action for deed in deeds if deed.action.kind in COMBAT]
        return [action for fight in fights for action in self._versions(fight)]

    def _step(self, label: str, step: Step) -> Effect | No:
        if step.roll:
            return self._roll(label, step)
        self.sight.action = PLAIN  # not the attack of a line above
        deed = language.deed(step.do)
        if deed.verb is not Verb.HUNKER and self.sight.counter is not None and not self.sight.tile:
            return No("it has nowhere to enter the board")
        match deed.verb:
            case Verb.BOLSTER:
                found = self._bolster(deed)
            case Verb.INSPIRE:
                found = self._inspire(deed, step)
            case Verb.SELECT:
                found = self._select(deed, step)
            case Verb.HUNKER:
                found = [Choice("hunkers down")]
            case Verb.ACTION:
                return self._action(label, step, deed)
        return found if isinstance(found, No) else Effect(label, step, deed, None, tuple(found))

    def _roll(self, label: str, step: Step) -> Effect | No:
        """The die decides, unless only one result could be carried out (UND-209, UND-210)."""
        able: list[tuple[str, Effect]] = []
        for faces, do in step.roll.items():
            verdict = self._step(label, msgspec.structs.replace(step, do=do, roll={}))
            if isinstance(verdict, Effect):
                able.append((faces, verdict))
        if not able:
            return No("no result of the roll can be carried out")
        if len(able) == 1:
            return able[0][1]
        return Effect(label, step, able[0][1].deed, None, (), tuple(able))

    # Cards

    def _bolster(self, deed: Deed) -> list[Choice] | No:
        """The named deck, else each other deck alike, as where any is meant (UND-225, UND-226)."""
        bot = bot_of(self.table)
        name = squad_of(self.card) if deed.name == language.OWN else deed.name
        full = [deck for deck, pile in bot.bolster.items() if pile]
        wanted = [name] if name in full else full
        why = f" ({deck_title(name)} is empty)" if name in bot.bolster and name not in full else ""
        return [Choice(f"bolsters from deck {deck_title(deck)}{why}", deck) for deck in wanted] or No(
            "no bolster cards left"
        )

    def _inspire(self, deed: Deed, step: Step) -> list[Choice] | No:
        """Cards that fit and lie upright: by the ties, then the leftmost (UND-230, UND-R13, UND-R14)."""
        bot = bot_of(self.table)
        fitting = [
            number
            for number, one in enumerate(bot.row)
            if not one.face_down and not one.sideways and self.sight.card_fits(deed.name, one.card)
        ]
        if not fitting:
            return No("no such card to inspire")
        fitting.sort(key=lambda number: [not self._is_card(text, bot.row[number].card) for text in step.ties])
        inspired = sorted(fitting[: deed.n])
        names = ", ".join(self.table.title(bot.row[number].card) for number in inspired)
        return [Choice(f"inspires {names}", row=tuple(inspired))]

    def _is_card(self, text: str, card: str) -> bool:
        """Whether a tiebreaker prefers a card of the row: one of a type, or of the same squad (UND-182)."""
        term = language.tie(text).who
        if term is None or term.word not in {Who.TYPE, Who.MATCHING}:
            return False
        return self.sight.card_fits(term.kind or "matching", card) is not term.denied

    # Tiles

    def _select(self, deed: Deed, step: Step) -> list[Choice] | No:
        """A tile in the stated range, else in the unit's full movement range (UND-214, UND-215)."""
        if not self.sight.tile:
            return No("it has no tile to select from")
        most = deed.n or max((one.x for one in self._printed() if one.kind in MOVEMENT), default=0)
        near = self.table.ground.near(self.sight.tile, most)
        tiles = [tile for tile in near if self._aims_at(step, step.to, tile)]
        best = self._best(step, tiles, lambda tile: tile, None)
        return [Choice(f"selects {tile}", tile) for tile in best] or No(f"no tile is {is_text(step.to)}")

    # Actions

    def _printed(self) -> tuple[Action, ...]:
        return self.table.actions(self.card, self.sight.counter)

    def _action(self, label: str, step: Step, deed: Deed) -> Effect | No:
        why = No(f"it has no {deed.action.kind}")
        if self._seat_wanted(deed.action.kind):
            return No(f"it has no seat to {deed.action.kind} from")
        for action in self._versions(deed.action):
            found = self._choices(step, deed, action)
            if not isinstance(found, No):
                return Effect(label, step, deed, action, tuple(found))
            why = found
        return why

    def _seat_wanted(self, kind: Kind) -> bool:
        """Whether it could do that from a seat alone, and sits in none that lets it (UND-188, UND-363)."""
        seats = (seat for unit in self.table.pack.unit.values() for seat in unit.seats)
        given = kind in SEATED or any(parse(text).kind is kind for seat in seats for text in seat.actions)
        return given and all(one.kind is not kind for one in self._printed())

    def _versions(self, action: Action) -> list[Action]:
        """The line's number, else the card's own, and a seat's: the strongest of each range, best first.

        A seat's stronger Attack of a short range takes none from those further away (UND-192, UND-033).
        """
        if not action.x:
            own = (one for one in map(parse, self.table.type(self.card).actions) if one.kind is action.kind)
            action = next(own, action)
        seat = (one for one in self.table.seat_actions(self.sight.counter) if one.kind is action.kind)
        best = {one.y: one for one in sorted((*seat, action), key=lambda one: one.x)}
        needs_number = action.kind in COMBAT or action.kind in MOVEMENT or action.kind is Kind.GUIDE
        found = [one for one in best.values() if one.x or not needs_number]
        return sorted(found, key=lambda one: (-one.x, one.y is not None))

    def _choices(self, step: Step, deed: Deed, action: Action) -> list[Choice] | No:
        kind = action.kind
        if kind is Kind.GUIDE:
            return self._guide(step, action)
        if kind in COMBAT:
            return self._fight(step, action)
        if self.sight.counter is not None and kind in MOVEMENT:
            return self._move(step, action, self.sight.counter)
        match kind:
            case Kind.CONTROL:
                return self._control()
            case Kind.ADVANCE:
                return self._advance(step)
            case Kind.TARGET:
                return self._target(step)
            case Kind.MINE:
                return self.mine(step, deed)
            case _:
                return self._support(kind, action)

    def _support(self, kind: Kind, action: Action) -> list[Choice] | No:
        state = self.table.state
        match kind:
            case Kind.RECON:
                fits = any(one.card == FOG and not one.face_down for one in bot_of(self.table).row)
                return [Choice("Recon")] if fits else No("no Fog of War in the row")
            case Kind.CONCEAL:
                fits = state.sides[self.sight.foe].fog > 0
                return [Choice("Conceal")] if fits else No("you have no Fog of War in supply")
            case Kind.COMMAND:
                mine = state.players[self.name]
                fits = cards.size(mine.deck) > len(self.table.unseen(self.name)) or bool(mine.discard)
                return [Choice(f"Command {action.x}")] if fits else No("no card left to draw")
            case _:
                return No(f"it can't {kind}")

    def _control(self) -> list[Choice] | No:
        """Only to claim objective points, a radio tile's next too, where it is allowed (UND-178, UND-191)."""
        counter, tile = self.sight.counter, self.sight.tile
        if counter is None or not can_control(self.table, counter):
            return No(self._no_control(tile))
        if not self.table.value(tile) and not self.table.controls(self.sight.side, tile):
            return No(f"tile {tile} has no points to claim")
        return [Choice(f"controls {tile}", tile)]

    def _no_control(self, tile: str) -> str:
        if self.sight.counter is None or self.sight.counter.vehicle:
            return "it has no counter on foot"
        if self.table.controls(self.sight.side, tile):
            return f"the bot controls tile {tile} already"
        return f"an enemy holds tile {tile}"

    def _move(self, step: Step, action: Action, counter: Counter) -> list[Choice] | No:
        if counter.vehicle and action.kind not in SEATED:
            return No("it sits in a vehicle")
        moving = mover(self.table, counter)
        words = f"{action.kind}s{self.of_another(moving)} from {self.sight.tile}"
        return self._aimed(step, self._ways(step, words, moving, action), lambda _way: self.sight.tile)

    def of_another(self, unit: Counter) -> str:
        """A counter that bears another name than the card: a vehicle, or the Riflemen of a specialist."""
        return "" if unit.unit == self.card else f" the {self.table.title(unit.unit)}"

    def _ways(self, step: Step, words: str, moving: Counter, action: Action) -> list[Choice]:
        """The shortest paths to each tile in reach, over few mines, one for all that scout the same tiles."""
        ways = []
        allowed = partial(self._allowed, moving)
        away = self.table.ground.distance[self.table.standing(moving)]
        wanted = self._unscouted if _has_to_scout(step) else movement.nowhere
        for tile, paths in movement.paths(self.table, moving, action, allowed, wanted).items():
            mines = [movement.mines_on(self.table, moving, path) for path in paths]
            different: dict[frozenset[str], tuple[str, ...]] = {}
            for path, crossed in zip(paths, mines, strict=True):
                if crossed == min(mines):
                    different.setdefault(self._new_tiles(action, path), path)
            for path in different.values():
                winding = len(different) > 1 or len(path) > away[tile]
                by = f" by {', '.join(path[:-1])}" if winding else ""
                ways.append(Choice(f"{words} to {tile}{by}", tile, path, moving))
        return ways

    def _unscouted(self, tile: str) -> bool:
        return not self.sight.scouted(tile)

    def _new_tiles(self, action: Action, path: tuple[str, ...]) -> frozenset[str]:
        scouts = action.kind in SCOUTING
        return frozenset(tile for tile in path if scouts and self._unscouted(tile))

    def _guide(self, step: Step, action: Action) -> list[Choice] | No:
        wanted = self._meant(step, step.who, Subject.FRIEND)
        friends = [
            one
            for one in self.table.units(self.sight.side)
            if not one.suppressed and all(self.sight.who(term, one) for term in wanted)
        ]
        if not friends:
            return No("there is no friend that it may guide")
        ways: list[Choice] = []
        for friend in friends:
            words = f"guides {self.table.title(friend.unit)} from {friend.tile}"
            ways += self._ways(step, words, friend, action)
        return self._aimed(step, ways, lambda way: way.counter.tile if way.counter else "")

    def _advance(self, step: Step) -> list[Choice] | No:
        table, squad = self.table, squad_of(self.card)
        ways = []
        for start, tile in movement.advance_to(table, self.name, squad):
            if self._allowed(None, start, tile):
                who = movement.advancing(table, self.name, squad, start, tile)
                names = ", ".join(table.title(one.unit) for one in who)
                ways.append(Choice(f"advances {names} from {start} to {tile}", tile, (start, tile)))
        return self._aimed(step, ways, lambda way: way.path[0])

    def _aimed(self, step: Step, ways: list[Choice], start: Callable[[Choice], str]) -> list[Choice] | No:
        """Ways to what the line wants, or closer to it, if that is better than to stay (UND-176, UND-R26)."""
        if not ways:
            return No("there is nowhere it may go")
        ways = [way for way in ways if self._aims_at(step, step.to, way.tile, way.counter)]
        if not ways:
            return No(f"no tile in reach is {is_text(step.to)}")
        if _has_to_scout(step):
            ways = [way for way in ways if any(map(self._unscouted, way.path))]
            if not ways:
                return No("every tile in reach is scouted")
        if step.toward:
            found = self._closer(step, ways, start)
            if isinstance(found, No):
                return found
            ways = found
        elif not _has_to_scout(step):
            ways = [way for way in ways if not self._better_here(step, start(way), way)]
            if not ways:
                return No("it is on the best tile already")
        return self._best(step, ways, lambda way: way.tile, lambda way: way.counter)

    def _aims_at(self, step: Step, terms: Iterable[str], tile: str, unit: Counter | None = None) -> bool:
        """Whether a tile is what the line wants; an enemy there is the one of its conditions (UND-179)."""
        places = [language.place(text) for text in terms]
        if not all(self.sight.place(place, tile, unit) for place in places):
            return False
        if PlaceTerm(Place.ENEMY) not in places:
            return True
        wanted = self._meant(step, step.at, Subject.ENEMY)
        enemies = self.table.units(self.sight.foe, tile)
        return any(all(self.sight.who(term, one) for term in wanted) for one in enemies)

    def _better_here(self, step: Step, here: str, way: Choice) -> bool:
        """Whether the line wants the tile where a unit is as well, and its ties prefer that one (UND-R26)."""
        if not self._aims_at(step, step.to, here, way.counter):
            return False
        ties = [language.tie(text) for text in step.ties]
        stay, go = ([self._score(term, tile, way.counter) for term in ties] for tile in (here, way.tile))
        return stay > go

    def _closer(self, step: Step, ways: list[Choice], start: Callable[[Choice], str]) -> list[Choice] | No:
        """Ways that come closer to what the line wants, as near as can be (UND-183, UND-184)."""
        tiles, distance = self.table.ground.tiles, self.table.ground.distance
        movers = {_mover_name(way): way.counter for way in ways}
        aims = {
            name: [tile for tile in tiles if self._aims_at(step, step.toward, tile, unit)]
            for name, unit in movers.items()
        }
        if not any(aims.values()):
            return No(f"no tile is {is_text(step.toward)}")

        def away(way: Choice, tile: str) -> int:
            return min((distance[tile][aim] for aim in aims[_mover_name(way)]), default=0)

        ways = [way for way in ways if away(way, way.tile) < away(way, start(way))]
        if not ways:
            return No(f"it would come no closer to {tile_text(step.toward)}")
        least = min(away(way, way.tile) for way in ways)
        return [way for way in ways if away(way, way.tile) == least]

    def _allowed(self, unit: Counter | None, start: str, tile: str) -> bool:
        """Whether the box lets a unit go from a tile to the next (UND-187)."""
        for rule in self.limits:
            if rule.place is None:
                continue
            where = tile if rule.word is Limit.NEVER_ENTER else start
            if self.sight.place(rule.place, where, unit):
                return False
        return True

    # Combat

    def _fight(self, step: Step, action: Action) -> list[Choice] | No:
        """The lowest total defence, then the line's ties, then the danger list (UND-217 to UND-221)."""
        self.sight.action = action
        wanted = self._meant(step, step.at, Subject.ENEMY)
        marked = self.table.state.sides[self.sight.side].target
        if action.kind is Kind.BLAST and not marked:
            return No("no target marker on the board")
        found = [
            (target, against.total)
            for target, against in combat.targets(self.table, self.sight.side, action, self.sight.tile)
            if all(self.sight.who(term, target) for term in wanted)
            and (target.side or not self._names_enemy(step))
            and not any(rule.word is Limit.NEVER_ATTACK and against.total > rule.n for rule in self.limits)
            and (action.kind is not Kind.BLAST or target.tile == marked)
        ]
        if not found:
            return No(f"no legal target for {begun(action.kind)}")
        least = min(total for _, total in found)
        easiest = [target for target, total in found if total == least]
        best = self._best(step, easiest, lambda one: one.tile, lambda one: one)
        worst = min(combat.danger(self.table, one) for one in best)
        targets = [one for one in best if combat.danger(self.table, one) == worst]
        if action.kind in AREA:
            return [
                Choice(f"{action} on {tile}", tile) for tile in dict.fromkeys(one.tile for one in targets)
            ]
        return [Choice(f"{action} on {_named(self.table, one)}", one.tile, counter=one) for one in targets]

    def _names_enemy(self, step: Step) -> bool:
        """Whether its conditions speak of certain enemies, and a structure is none (UND-179, UND-197)."""
        named = self._meant(step, (), Subject.ENEMY)
        return "any" not in step.at and any(term.word is not Who.ANY for term in named)

    def _meant(self, step: Step, own: Iterable[str], subject: Subject) -> list[WhoTerm]:
        """The line's own words for enemies or friends and those of its conditions (UND-179)."""
        terms = [language.who(text) for text in own]
        if any(term.word is Who.ANY for term in terms):
            return terms
        for text in step.when:
            condition = language.condition(text)
            if condition.denied:
                continue
            if condition.subject is subject:
                terms += condition.who
            elif subject is Subject.ENEMY:
                terms += _named_on(condition)
        return terms

    def _target(self, step: Step) -> list[Choice] | No:
        """Where else the marker is to lie; it stays where no other tile is better (UND-177)."""
        counter, lying = self.sight.counter, self.table.state.sides[self.sight.side].target
        tiles = [*(target_tiles(self.table, counter) if counter else ()), *filter(None, [lying])]
        fitting = [tile for tile in tiles if self._aims_at(step, step.to, tile)]
        best = self._best(step, fitting, lambda tile: tile, None)
        if lying in best:
            return No("it aims at the best tile already")
        return [Choice(f"puts its target marker on {tile}", tile) for tile in best] or No("no tile to aim at")

    def mine(self, step: Step, deed: Deed) -> list[Choice] | No:
        """Edges of its own tile, towards a tile that fits: those whose mine is taken away, or free ones.

        Where none is free, mines are laid on edges that have one (UND-R36).
        """
        here, side = self.sight.tile, self.table.state.sides[self.sight.side]
        if not here:
            return No("it has no tile to work on")
        lifts = deed.name == language.REMOVE
        if not lifts and (self.sight.side != self.table.scenario.mines or not side.mines):
            return No("it has no mine to lay")
        fitting = [tile for tile in self.table.ground.links[here] if self._aims_at(step, step.to, tile)]
        edges = [tile for tile in fitting if bool(self.table.mines_between(here, tile)) is lifts]
        if not lifts and self.table.settings["mined_edges"] == "yes":
            edges = edges or fitting
        best = self._best(step, edges, lambda tile: tile, None)
        work = "takes away the" if lifts else "lays an"
        free = " free" * (self.table.settings["mined_edges"] == "no")
        none = "no mine to take away" if lifts else f"no{free} edge for a mine"
        towards = f" towards {tile_text(step.to)}" if step.to else ""
        faces = {tile: self.lifted(tile).face if lifts else MineSide[deed.name.upper()] for tile in best}
        found = [Choice(f"{work} {faces[tile]} mine {here}-{tile}", tile) for tile in best]
        return found or No(none + towards)

    def lifted(self, tile: str) -> Mine:
        """The mine of its tile's edge with another that is taken away, of several the first."""
        return self.table.state.mines[self.table.mines_between(self.sight.tile, tile)[0]]

    # Tiebreakers

    def _best(
        self,
        step: Step,
        found: Sequence[T],
        tile: Callable[[T], str],
        counter: Callable[[T], Counter | None] | None,
    ) -> list[T]:
        """What the tiebreakers leave, applied in their printed order (UND-182)."""
        left = list(found)
        for text in step.ties:
            if len(left) < 2:
                break
            term = language.tie(text)
            scores = [self._score(term, tile(one), counter(one) if counter else None) for one in left]
            most = max(scores)
            left = [one for one, score in zip(left, scores, strict=True) if score == most]
        return left

    def _score(self, term: TieTerm, tile: str, counter: Counter | None) -> int:
        unit = counter if counter is not None and counter.side == self.sight.side else None
        match term.word:
            case Tie.VALUE:
                return self.table.value(tile)
            case Tie.COVER:
                return self.table.ground.tiles[tile].cover
            case Tie.LOW_POPULATION:
                return -self.sight.population(tile)
            case Tie.HIGH_POPULATION:
                return self.sight.population(tile)
            case Tie.NEAR | Tie.FAR:
                assert term.place is not None
                return self._nearness(term.place, tile, unit) * (1 if term.word is Tie.NEAR else -1)
        if term.place is not None:
            return int(self.sight.place(term.place, tile, unit))
        assert term.who is not None
        return int(counter is not None and self.sight.who(term.who, counter))

    def _nearness(self, place: PlaceTerm, tile: str, unit: Counter | None) -> int:
        away = self.table.ground.distance[tile]
        fitting = [steps for other, steps in away.items() if self.sight.place(place, other, unit)]
        return -min(fitting, default=0)


def _mover_name(way: Choice) -> str:
    """Who goes; nobody is named where several advance together."""
    return way.counter.unit if way.counter else ""


def _named_on(condition: Condition) -> list[WhoTerm]:
    """The enemy in a condition about its tile, if it speaks of one."""
    kinds = {term.kind for term in condition.places if term.word is Place.ENEMY and not term.denied}
    if not kinds:
        return []
    here = [WhoTerm(Who.HERE)] if condition.subject is Subject.HERE else []
    tile = [WhoTerm(Who.ON, place=term) for term in condition.places]
    types = [WhoTerm(Who.TYPE, kind=kind) for kind in kinds if kind]
    return [*here, *tile, *(types if len(types) == 1 else [])]


def _has_to_scout(step: Step) -> bool:
    """Navigate has no effect on scouted tiles alone, Scout only where it brings the unit closer (UND-177)."""
    return step.do.startswith("navigate") or (step.do.startswith("scout") and not step.toward)


def _named(table: Table, target: Counter) -> str:
    return table.title(target.unit) if target.side else f"the structure on {target.tile}"
