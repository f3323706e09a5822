"""What a merged pack lacks or contradicts, each with the ledger id that says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

import msgspec

from companion.engine.game import Problem
from companion.engine.packs import Source
from companion.games.okinawa.cards import (
    NAMES_SPACES,
    ActionDeck,
    Effect,
    EnemyCard,
    Objective,
    Pack,
    Printed,
    When,
    by_letter,
    by_space,
)
from companion.games.okinawa.entering import LETTERS, SCENARIOS
from companion.games.okinawa.learning import NEW
from companion.games.okinawa.setup import REINFORCEMENTS, SPACES, UNKNOWN_ENEMIES
from companion.games.okinawa.state import LAST
from companion.games.okinawa.targets import AIMING, AT_SPACES, ROLLED
from companion.wording import counted

SUPPLIES = ("sandbag", "adjust", "reposition", "reroll", "suppressed", "soldiers")
DEALT = {"sandbag": "OKI-034", "adjust": "OKI-035", "reroll": "OKI-036"}
"""The tokens of which the player gets one before the first turn, and where that is ruled."""
RESUPPLY_TOKENS = 18
KNOWN_ENEMIES = 16


def problems(pack: msgspec.Struct) -> Iterable[Problem]:
    """Every problem of the pack, not just the first."""
    assert isinstance(pack, Pack)
    yield from unplayable(pack)
    yield from _counts(pack)
    yield from _contradictions(pack)
    yield from _idle(pack)


def unplayable(pack: Pack) -> Iterator[Problem]:
    """What no game can be started without."""
    yield from _actions(pack)
    yield from _letters(pack)
    yield from _objectives(pack)
    yield from _supplies(pack)
    for table in ("action", "enemy", "objective"):
        if NEW.id in getattr(pack, table):
            yield Problem(f"{table}.{NEW.id}", "another name is wanted: this one means a card nobody knows")


def _actions(pack: Pack) -> Iterator[Problem]:
    empty = sorted(set(range(1, SPACES + 1)) - set(by_space(pack)))
    if empty:
        yield Problem("action", f"no Basic card for the spaces {empty}", "OKI-G12")


def _letters(pack: Pack) -> Iterator[Problem]:
    known = by_letter(pack)
    for number, letter in enumerate(LETTERS, start=1):
        if letter not in known:
            yield Problem("enemy", f"no card has the letter {letter}", f"OKI-G0{number}")


def _objectives(pack: Pack) -> Iterator[Problem]:
    numbers = Counter(one.number for one in pack.objective.values())
    for number in range(1, LAST + 1):
        if not numbers[number] or (number == LAST and numbers[number] > 1):
            yield Problem("objective", f"{numbers[number]} cards for Objective {number}", "OKI-G18")


def _supplies(pack: Pack) -> Iterator[Problem]:
    for kind in SUPPLIES:
        if kind not in pack.supply:
            yield Problem(f"supply.{kind}", "how many there are is missing", "OKI-G22")
    for kind, rule in DEALT.items():
        if kind in pack.supply and not pack.supply[kind].copies:
            yield Problem(f"supply.{kind}.copies", "the player starts with one", rule)


def _counts(pack: Pack) -> Iterator[Problem]:
    """Cards and tokens against the component list; the two shuffled decks leave out stand-ins too many."""
    reinforcements = [one for one in pack.action.values() if one.deck is ActionDeck.REINFORCEMENT]
    unknown = [one for one in pack.enemy.values() if not one.letter]
    known = [pack.enemy[name] for name in by_letter(pack).values()]
    dealt = _dealt(reinforcements, REINFORCEMENTS)
    hidden = _dealt(unknown, UNKNOWN_ENEMIES)
    for table, count, what, wanted, rule in (
        ("action", dealt, "Reinforcement cards", REINFORCEMENTS, "OKI-G13"),
        ("enemy", hidden, "Unknown Enemies", UNKNOWN_ENEMIES, "OKI-G09"),
        ("enemy", _copies(known), "Known Enemies", KNOWN_ENEMIES, "OKI-F13"),
        ("resupply", _copies(pack.resupply.values()), "Resupply tokens", RESUPPLY_TOKENS, "OKI-G21"),
    ):
        if count != wanted:
            yield Problem(table, f"{count} {what}, not {wanted}", rule)


def _dealt(cards: Collection[Printed], size: int) -> int:
    """How many cards a deck of that size gets; the owner's own may be too many for it."""
    owned = [one for one in cards if one.source is Source.OWNER]
    return max(min(size, _copies(cards)), _copies(owned))


def _copies(records: Iterable[Printed]) -> int:
    return sum(one.copies for one in records)


def _contradictions(pack: Pack) -> Iterator[Problem]:
    for name, card in pack.action.items():
        if card.deck is ActionDeck.BASIC and len(card.spaces) != card.copies:
            message = f"wants {counted(card.copies, 'space')}, one for each copy"
            yield Problem(f"action.{name}.spaces", message, "OKI-006")
    for name, enemy in pack.enemy.items():
        yield from _effects(f"enemy.{name}", enemy)
    for name, objective in pack.objective.items():
        if objective.scenario not in pack.scenario:
            yield Problem(f"objective.{name}.scenario", f"no Scenario {objective.scenario}", "OKI-G16")
        yield from _row(pack, f"objective.{name}.row", objective)
    for name, scenario in pack.scenario.items():
        for happening in scenario.effects:
            if happening.effect in NAMES_SPACES and not happening.spaces:
                message = f"{happening.effect} names no Action Spaces, so nothing comes of it"
                yield Problem(f"scenario.{name}.effects", message, "OKI-G16")


def _row(pack: Pack, path: str, objective: Objective) -> Iterator[Problem]:
    """Known Enemies that an Objective names more often than there are such cards."""
    cards = by_letter(pack)
    for letter, wanted in Counter(one for post in objective.row for one in (post.top, *post.under)).items():
        there = pack.enemy[cards[letter]].copies if letter in cards else wanted
        if wanted > there:
            yield Problem(path, f"names {letter} {counted(wanted, 'time')}, of {there} such cards", "OKI-056")


def _idle(pack: Pack) -> Iterator[Problem]:
    """What is entered where no game looks."""
    letters, spaces = by_letter(pack), by_space(pack)
    for name, enemy in pack.enemy.items():
        if enemy.source is Source.OWNER and enemy.letter and letters[enemy.letter] != name:
            words = f"enemy.{letters[enemy.letter]} has the letter {enemy.letter} too and is played"
            yield Problem(f"enemy.{name}.letter", words, "OKI-056")
    for name, card in pack.action.items():
        for space in card.spaces if card.source is Source.OWNER and card.deck is ActionDeck.BASIC else ():
            if spaces[space] != name:
                words = f"action.{spaces[space]} starts on {space} too and is played"
                yield Problem(f"action.{name}.spaces", words, "OKI-006")
    for name in pack.scenario:
        if name not in SCENARIOS:
            yield Problem(f"scenario.{name}", "a Scenario is called by its letter, I to R", "OKI-G16")
    for name in pack.supply:
        if name not in SUPPLIES:
            yield Problem(f"supply.{name}", f"no such supply; there are {', '.join(SUPPLIES)}", "OKI-G22")
    for name, objective in pack.objective.items():
        if objective.random_unknown and objective.number != LAST:
            words = "random Unknown Enemies come at Hill 89 alone"
            yield Problem(f"objective.{name}.random_unknown", words, "OKI-247")


def _effects(path: str, enemy: EnemyCard) -> Iterator[Problem]:
    """Effects that can't happen as they are entered."""
    if any(map(_waits, enemy.effects)) and not enemy.dice:
        yield Problem(f"{path}.dice", "an effect waits for a die, but no D10 icon", "OKI-175")
    for effect in enemy.effects:
        if effect.die is not None and effect.die[0] > effect.die[1]:
            low, high = effect.die
            yield Problem(
                f"{path}.effects", f"no die shows {low} to {high}; the lower comes first", "OKI-176"
            )
        if effect.when is When.REVEAL and _waits(effect):
            message = f"{effect.effect} at the reveal waits for a die, which is rolled after it"
            yield Problem(f"{path}.effects", message, "OKI-R35")
        if effect.when is not When.ACT and effect.effect in AIMING:
            message = f"{effect.effect} is part of the card's attack, so its when is act, not {effect.when}"
            yield Problem(f"{path}.effects", message, "OKI-213")


def _waits(effect: Effect) -> bool:
    """Whether what an effect does hangs on a die."""
    return effect.die is not None or (effect.effect in AT_SPACES and effect.where in ROLLED)
