"""What a merged pack lacks or contradicts, each with the ledger id that says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import cast

import msgspec

from companion.engine.game import Problem
from companion.games.okinawa.cards import ActionDeck, Pack, TokenKind
from companion.games.okinawa.setup import REINFORCEMENTS, SPACES, UNKNOWN_ENEMIES

LETTERS = "ABCDEFGH"
SUPPLIES = ("sandbag", "adjust", "reposition", "reroll", "suppressed", "soldiers")
RESUPPLY_TOKENS = 18


def problems(pack: msgspec.Struct) -> Iterable[Problem]:
    """Every problem of the pack, not just the first."""
    printed = cast("Pack", pack)
    yield from _actions(printed)
    yield from _enemies(printed)
    yield from _objectives(printed)
    yield from _tokens(printed)


def _actions(pack: Pack) -> Iterator[Problem]:
    basic = [one for one in pack.action.values() if one.deck is ActionDeck.BASIC]
    for name, card in pack.action.items():
        if card.deck is ActionDeck.BASIC and len(card.spaces) != card.copies:
            yield Problem(f"action.{name}.spaces", f"{card.copies} copies want as many spaces", "OKI-006")
    spaces = Counter(space for one in basic for space in one.spaces)
    if sorted(spaces.elements()) != list(range(1, SPACES + 1)):
        yield Problem("action", "the Basic cards have to fill the spaces 1 to 10, each once", "OKI-G12")
    reinforcements = sum(one.copies for one in pack.action.values()) - sum(one.copies for one in basic)
    if reinforcements < REINFORCEMENTS:
        yield Problem("action", f"{reinforcements} Reinforcement cards, not {REINFORCEMENTS}", "OKI-G13")


def _enemies(pack: Pack) -> Iterator[Problem]:
    letters = Counter(one.letter for one in pack.enemy.values() if one.letter)
    for letter in LETTERS:
        if letters[letter] != 1:
            message = f"{letters[letter]} cards have the letter {letter}, one has to"
            yield Problem("enemy", message, f"OKI-G0{LETTERS.index(letter) + 1}")
    unknown = sum(one.copies for one in pack.enemy.values() if not one.letter)
    if unknown < UNKNOWN_ENEMIES:
        yield Problem("enemy", f"{unknown} Unknown Enemies, not {UNKNOWN_ENEMIES}", "OKI-G09")
    for name, card in pack.enemy.items():
        if any(effect.die for effect in card.effects) and not card.dice:
            yield Problem(
                f"enemy.{name}.dice", "an effect waits for a die, but no D10 icon is given", "OKI-175"
            )


def _objectives(pack: Pack) -> Iterator[Problem]:
    numbers = Counter(one.number for one in pack.objective.values())
    for number in range(1, 5):
        if not numbers[number] or (number == 4 and numbers[number] > 1):
            yield Problem("objective", f"{numbers[number]} cards for Objective {number}", "OKI-G18")
    for name, card in pack.objective.items():
        if card.scenario not in pack.scenario:
            yield Problem(f"objective.{name}.scenario", f"no Scenario {card.scenario}", "OKI-G16")


def _tokens(pack: Pack) -> Iterator[Problem]:
    count = sum(one.copies for one in pack.resupply.values())
    if count != RESUPPLY_TOKENS:
        yield Problem("resupply", f"{count} Resupply tokens, not {RESUPPLY_TOKENS}", "OKI-G21")
    for token in set(TokenKind) - set(pack.resupply):
        yield Problem(f"resupply.{token}", "this kind is missing", "OKI-G21")
    for kind in SUPPLIES:
        if kind not in pack.supply:
            yield Problem(f"supply.{kind}", "how many there are is missing", "OKI-G22")
