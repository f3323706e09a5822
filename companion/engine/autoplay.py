"""Plays a game without a front: policies for the decisions, software for chance, nothing on disk."""

from __future__ import annotations

from collections.abc import Callable, Generator
from random import Random
from typing import TypeAlias

import msgspec

from companion.engine.asks import AnyAsk, Choose, Number, Pick, Show
from companion.engine.errors import BadAnswer, BadInput, GameFault
from companion.engine.game import Game, Outcome, Play
from companion.engine.run import Run

Policy: TypeAlias = Callable[[AnyAsk], object]
"""Answers a decision: gets an ask that is not chance, returns a raw answer."""

LONGEST = 100_000
"""Answers after which a game is taken for one that never ends under its policy."""

COMMON = ("random", "first")


class Endless(GameFault):
    """A game that goes on and on."""


class Step(msgspec.Struct, frozen=True):
    """One ask and what it was answered with."""

    ask: AnyAsk
    answer: object


def check_policy(game: Game, name: str) -> None:
    """`BadInput` with the names there are if a game has no policy of that name."""
    if name not in (*COMMON, *game.policies):
        raise BadInput(f"no policy {name!r}; {game.name} has {', '.join((*COMMON, *game.policies))}")


def policy(game: Game, play: Play, name: str, rng: Random) -> Policy:
    """The policy of that name; `BadInput` if the game has none such.

    Advice that is no answer to what is asked is a `GameFault`, and so is a question that has none.
    """
    check_policy(game, name)

    def decide(question: AnyAsk) -> object:
        if not question.answerable():
            raise GameFault(f"{game.name}: {question.key} has no answer: {question.text}")
        advice = None if name in COMMON else play.advise(question, name)
        if advice is None:
            return at_first(question) if name == "first" else at_random(question, rng)
        try:
            question.accept(advice)
        except BadAnswer as error:
            raise GameFault(f"{game.name}: policy {name} fails at {question.key}: {error}") from error
        return advice

    return decide


def at_random(question: AnyAsk, rng: Random) -> object:
    """Any legal answer, all alike likely (for a pick: any count, then any such set)."""
    match question:
        case Show():
            return True
        case Choose(options=options):
            return options[int(rng.random() * len(options))].id
        case Pick(options=options, least=least, most=most):
            count = rng.randint(least, min(most, len(options)))
            return [option.id for option in rng.sample(options, count)]
        case Number(least=least, most=most):
            return rng.randint(least, most)
    raise TypeError(f"{question.kind} is not a decision")


def at_first(question: AnyAsk) -> object:
    """The first option, the fewest, the least."""
    match question:
        case Show():
            return True
        case Choose(options=options):
            return options[0].id
        case Pick(options=options, least=least):
            return [option.id for option in options[:least]]
        case Number(least=least):
            return least
    raise TypeError(f"{question.kind} is not a decision")


def steps(play: Play, decide: Policy, seed: int, *, most: int = LONGEST) -> Generator[Step, None, Outcome]:
    """Play to the end, step by step; the generator's return value is the `Outcome`.

    A game has to end: after `most` asks it is `Endless`. Where the game or a policy breaks down, it is a
    `GameFault` that says at which ask.
    """
    run = Run(play, seed)
    for _ in range(most):
        if run.outcome is not None:
            return run.outcome
        question = run.ask
        assert question is not None
        answer = run.chance() if question.is_chance else question.accept(decide(question))
        yield Step(question, answer)
        run.answer(answer)
    raise Endless(f"no end after {most} asks (seed {seed})")


def play_out(play: Play, decide: Policy, seed: int) -> tuple[Outcome, int, int]:
    """Play to the end; the outcome, how many asks it took, and how many of them want a press."""
    game = steps(play, decide, seed)
    asks = presses = 0
    while True:
        try:
            step = next(game)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome, asks, presses
        asks += 1
        presses += not step.ask.is_chance
