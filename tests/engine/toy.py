"""A small game with every kind of ask: climb to the top with dice, cards and decisions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

import msgspec

from companion.engine.asks import (
    AnyAsk,
    Choose,
    Dice,
    Draw,
    Number,
    Option,
    Pick,
    Roll,
    Script,
    Show,
    ask,
)
from companion.engine.game import Board, Game, Outcome, Panel, Play, Result, Setting, Setup
from companion.engine.packs import Merged, Source, Tables

D6 = Dice("d6", 2, ("1", "2", "3", "4", "5", "6"))


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    source: Source
    steps: int


class ToyPack(msgspec.Struct, frozen=True):
    card: dict[str, Card]


class Bag(msgspec.Struct):
    stones: int = 0


class ToyState(msgspec.Struct):
    height: int = 0
    turn: int = 0
    deck: list[str] = msgspec.field(default_factory=list)
    bag: Bag = msgspec.field(default_factory=Bag)
    picked: dict[str, int] = msgspec.field(default_factory=dict)


class Toy:
    def __init__(self, setup: Setup) -> None:
        assert isinstance(setup.pack, ToyPack)
        self.pack = setup.pack
        self.top = int(setup.settings["top"])
        self.state = ToyState(deck=sorted(self.pack.card))

    def script(self) -> Script[Outcome]:
        while self.state.height < self.top:
            self.state.turn += 1
            yield from self.one_turn()
        return Outcome(Result.WON, "the top", {"turns": self.state.turn})

    def one_turn(self) -> Script[None]:
        way = yield from ask(partial(self.ways))
        match way:
            case "dice":
                faces = yield from ask(Roll("toy.climb", "Roll to climb", dice=(D6,)))
                self.state.height += max(map(int, faces))
            case "card":
                options = tuple(Option(card, f"Card {card}") for card in self.state.deck)
                (card,) = yield from ask(Draw("toy.card", "Draw a card", deck="cards", options=options))
                self.state.deck.remove(card)
                self.state.height += self.pack.card[card].steps
            case "stones":
                count = yield from ask(Number("toy.stones", "How many stones?", least=0, most=3))
                self.state.bag.stones += count
            case "pick":
                options = tuple(Option(one, one.upper()) for one in "abc")
                picked = yield from ask(Pick("toy.pick", "Pick some", options=options, least=1, most=2))
                self.state.picked |= dict.fromkeys(picked, self.state.turn)
            case "crash":
                raise ZeroDivisionError("by design")
        yield from ask(Show("toy.turn", f"Height {self.state.height}"))

    def ways(self) -> Choose:
        ways = ["dice", "stones", "pick", "crash"] + (["card"] if self.state.deck else [])
        if self.state.bag.stones >= 9:
            ways.append("throw")
        return Choose("toy.way", "Which way?", options=tuple(Option(way, way.title()) for way in ways))

    def check(self) -> Iterable[str]:
        if not 0 <= self.state.height <= 100:
            yield "height is between 0 and 100"

    def board(self) -> Board:
        return Board("Toy", (Panel("Hill", (f"Height {self.state.height}",)),))

    def svg(self) -> str:
        return '<svg xmlns="http://www.w3.org/2000/svg"/>'

    def learned(self) -> Tables:
        return {}

    def advise(self, question: AnyAsk, policy: str) -> object | None:
        return "dice" if question.key == "toy.way" and policy == "cautious" else None


class Counted(Toy):
    """Has nine things, on the hill or in the bag, once they are unpacked."""

    def check(self) -> Iterable[str]:
        there = self.state.height + self.state.bag.stones
        if there not in (0, 9):
            yield f"{there} of 9 are there"
        if self.state.turn < 0:
            yield "turn below 0"


def _start(setup: Setup) -> Play:
    return Toy(setup)


GAME = Game(
    name="toy",
    title="Toy",
    folder=Path(__file__).parent,
    pack_type=ToyPack,
    state_type=ToyState,
    start=_start,
    settings=(Setting("top", "how high the hill is", ("20", "5", "60")),),
    policies=("cautious",),
)

COUNTED = msgspec.structs.replace(GAME, start=Counted)

PACKS = Merged(
    "toy",
    {
        "card": {
            name: {"steps": steps, "source": "stand-in"} for name, steps in (("a", 1), ("b", 2), ("c", 3))
        }
    },
    {},
    {},
)
