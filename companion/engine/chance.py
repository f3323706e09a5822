"""Software chance: a pure function of the session's seed, the ask's key and how often it was asked.

The nth roll of one key is the same however the game came there, so undoing and deciding otherwise
never buys better dice.
"""

from __future__ import annotations

from hashlib import blake2b
from random import Random

from companion.engine.asks import AnyAsk, Draw, Roll


def source(seed: int, key: str, nth: int) -> Random:
    """The stream of random numbers for the `nth` (from 0) ask of `key` in the session of `seed`."""
    digest = blake2b(f"{seed}/{nth}/{key}".encode(), digest_size=16).digest()
    return Random(int.from_bytes(digest))


def decide(question: AnyAsk, rng: Random) -> tuple[str, ...]:
    """Fair dice for a `Roll`, a well-shuffled deck for a `Draw`; other asks are a `TypeError`."""
    if isinstance(question, Roll):
        return tuple(rng.choice(dice.faces) for dice in question.each)
    if isinstance(question, Draw):
        cards = [option.id for option in question.options for _ in range(option.copies)]
        return tuple(rng.sample(cards, question.count))
    raise TypeError(f"{question.kind} is not chance")
