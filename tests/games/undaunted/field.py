"""A table to stage situations on, and scripts played by hand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TypeVar, cast

import msgspec

from companion.engine import game as engine_game
from companion.engine.asks import RESTATED, AnyAsk, Choose, Draw, Pick, Roll, Script, Show
from companion.engine.packs import Source
from companion.games.undaunted import GAME, bot, rounds
from companion.games.undaunted.acting import carry_out
from companion.games.undaunted.actions import parse
from companion.games.undaunted.orders import Order
from companion.games.undaunted.pack import Line, Pack, SoloCard, Step, type_name
from companion.games.undaunted.play import Undaunted
from companion.games.undaunted.solo import Decision, Reader
from companion.games.undaunted.state import Counter, Marker, Mine, MineSide, RowCard
from companion.games.undaunted.table import Table
from tests.games import driver

T = TypeVar("T")

LA_RAYE, ARMOUR, NIGHT = "la-raye", "stand-in-armour", "stand-in-night"


@cache
def shipped() -> Pack:
    """The packs that ship, read once; no test may change them."""
    return cast("Pack", driver.setup(GAME).pack)


def fresh(scenario: str = LA_RAYE, **settings: str) -> Undaunted:
    return Undaunted(engine_game.setup(GAME, shipped(), settings, scenario))


def altered(scenario: str, fields: dict[str, object], **settings: str) -> Undaunted:
    """A game of a scenario whose sheet says something else."""
    changed = msgspec.structs.replace(shipped().scenario[scenario], **fields)
    pack = msgspec.structs.replace(shipped(), scenario={**shipped().scenario, scenario: changed})
    return Undaunted(engine_game.setup(GAME, pack, settings, scenario))


def staged(scenario: str = LA_RAYE, **settings: str) -> Table:
    """A table with no counter, marker or mine on the board yet."""
    table = fresh(scenario, **settings).table
    for side in table.state.sides.values():
        side.markers.clear()
        for counter in side.counters.values():
            counter.tile = ""
    return table


def put(table: Table, side: str, unit: str, tile: str, **more: object) -> Counter:
    """Place a counter, which is made if the scenario has none such."""
    owner = table.mates(side)[0]
    counter = table.state.sides[side].counters.setdefault(unit, Counter(side, unit, owner))
    counter.tile = tile
    for name, value in more.items():
        setattr(counter, name, value)
    return counter


def scouted(table: Table, side: str, *tiles: str) -> None:
    table.state.sides[side].markers |= dict.fromkeys(tiles, Marker.SCOUTED)


def controlled(table: Table, side: str, *tiles: str) -> None:
    table.state.sides[side].markers |= dict.fromkeys(tiles, Marker.CONTROLLED)


def mine(table: Table, one: str, other: str, face: MineSide = MineSide.PERSONNEL) -> None:
    table.state.mines.append(Mine((one, other), face))


class Ran(msgspec.Struct):
    """What a script asked, and how it ended (None: `Ended` is in `end`)."""

    asks: list[AnyAsk]
    end: object = None

    def asked(self) -> list[str]:
        return [one.key.removeprefix("undaunted.") for one in self.asks]

    def texts(self) -> str:
        return "\n".join(f"{one.text} | {one.detail}" for one in self.asks)

    def roll(self) -> Roll:
        (found,) = [one for one in self.asks if isinstance(one, Roll)]
        return found


def run(script: Script[T], *answers: object) -> Ran:
    """Run a script to its end; shows are acknowledged, the rest takes the answers in order.

    An answer that is a function sets something by hand, upon which it is asked anew.
    """
    left = list(answers)
    ran = Ran([])
    answer: object = None
    try:
        while True:
            question = script.send(answer)
            ran.asks.append(question)
            if isinstance(question, Show):
                answer = True
            else:
                assert left, f"no answer for {question.key}: {question.text} {ids(question)}"
                given = left.pop(0)
                answer = given() or RESTATED if callable(given) else question.accept(given)
    except StopIteration as end:
        ran.end = end.value
    assert not left, f"never asked for {left}"
    return ran


def ids(question: AnyAsk) -> list[str]:
    return [one.id for one in question.options] if isinstance(question, Choose | Pick | Draw) else []


def do(table: Table, name: str, card: str, action: str, *answers: object) -> Ran:
    """A player's card used for one action, as in the player's own turn."""
    table.state.turn = name
    return run(carry_out(table, order(table, name, card, action)), *answers)


def order(table: Table, name: str, card: str, action: str) -> Order:
    return Order(name, card, parse(action), table.counter(name, card))


def can(table: Table, name: str, card: str, action: str) -> bool:
    """Whether the action is among those that the card offers now."""
    return any(one.action == parse(action) for one in rounds.legal_orders(table, name, card))


# The bot


def solo(unit: str, *lines: Line, box: tuple[str, ...] = ()) -> SoloCard:
    return SoloCard(unit, lines, box=box, source=Source.OWNER)


def line(do: str = "", *subs: Step, **more: object) -> Line:
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in more.items()}
    return msgspec.convert({"do": do, "sub": subs, **fields}, Line, from_attributes=True)


def sub(do: str = "", **more: object) -> Step:
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in more.items()}
    return msgspec.convert({"do": do, **fields}, Step)


def teach(table: Table, card: SoloCard) -> None:
    """Give the bot this solo card for its unit."""
    table._solo[card.unit] = card


def bot_name(table: Table) -> str:
    assert table.state.bot is not None
    return table.state.bot.side


def decide(table: Table, card: str, *lines: Line, box: tuple[str, ...] = ()) -> Decision:
    """What the bot would do with a card that has these lines."""
    return Reader(table, bot_name(table), card, solo(type_name(card), *lines, box=box)).decide()


def options(decision: Decision) -> set[str]:
    """The tied choices of a decision: tiles, or units where it is about those."""
    assert decision.effect is not None, decision.passed
    return {
        one.tile if one.path else one.counter.unit if one.counter else one.tile
        for one in decision.effect.choices
    }


def resolve(table: Table, card: str, *answers: object, sideways: bool = False) -> Ran:
    """The bot resolves one card, taken from its deck into its row."""
    name = bot_name(table)
    one = row(table, card)[-1]
    one.sideways = sideways
    table.state.turn = name
    return run(bot.resolve(table, name, one), *answers)


def row(table: Table, *cards: str, deal: bool = True) -> list[RowCard]:
    """Put cards of the bot's deck (or new ones) at the end of its row."""
    box = bot.bot_of(table)
    deck = table.state.players[box.side].deck
    for card in cards:
        if deal and deck.get(card):
            deck[card] -= 1
            if not deck[card]:
                del deck[card]
        box.row.append(RowCard(card))
    return box.row


def row_cards(table: Table) -> list[str]:
    return [one.card for one in bot.bot_of(table).row]


def bot_turn(table: Table, *answers: object) -> Ran:
    return run(bot.turn(table, bot_name(table)), *answers)


def shuffle_in(pile: dict[str, int], cards: Iterable[str]) -> None:
    pile.clear()
    for card in cards:
        pile[card] = pile.get(card, 0) + 1
