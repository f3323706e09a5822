"""The scripted session that the reliability runs play: random decisions in the toy game."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from random import Random

import msgspec

from companion.engine import BadAnswer, Journal, Session, Wish
from companion.engine.autoplay import at_random
from companion.engine.beginning import setup_of
from companion.engine.chance import decide
from companion.engine.line import fold
from companion.engine.run import Run
from tests.engine.toy import GAME, PACKS

WISH = Wish(settings={"top": "60"}, seed=5, dice="manual")


def digest(state: object) -> str:
    """A short name of a state."""
    return blake2b(msgspec.json.encode(state), digest_size=8).hexdigest()


def open_or_begin(journal: Journal, wish: Wish = WISH) -> Session:
    """The newest unfinished session, or a new one as wished."""
    meta = journal.last_open("toy")
    if meta is None:
        return Session.create(journal, GAME, PACKS, wish)
    return Session.resume(journal, GAME, meta.id)


def step(session: Session, rng: Random) -> None:
    """One deed of a player: mostly an answer, at times an undo, a redo or an override."""
    luck = rng.random()
    try:
        if luck < 0.06:
            session.undo(rng.randint(1, 3))
            return
        if luck < 0.09:
            session.redo()
            return
        if luck < 0.11:
            session.override({"bag.stones": rng.randint(0, 9)})
            return
    except BadAnswer:
        pass
    question = session.ask
    assert question is not None
    if question.is_chance:
        session.answer(session.n, decide(question, rng), by="manual")
        return
    answer = at_random(question, rng)
    while answer == "crash":
        answer = at_random(question, rng)
    session.answer(session.n, answer)


def play_on(folder: Path, seed: int, acknowledged: Callable[[str, int, str], None], steps: int) -> None:
    """Play `steps` deeds on the journal in `folder`, telling of each one that was acknowledged."""
    rng = Random(seed)
    with Journal(folder) as journal:
        session = open_or_begin(journal)
        for _ in range(steps):
            if session.ask is None:
                session.close()
                session = open_or_begin(journal)
            step(session, rng)
            acknowledged(session.meta.id, session.n, digest(session.state))
        session.close()


def replayed(journal: Journal, session: str, length: int) -> str:
    """The state that the first `length` entries of a session lead to, by a replay of its own."""
    meta = journal.session(session)
    run = Run(GAME.start(setup_of(journal, GAME, meta)), meta.seed)
    for item in fold(journal.entries(session)[:length]).items:
        run.replay(item)
    while run.ask is not None and run.ask.kind == "draw":
        run.answer(run.chance())
    return digest(msgspec.to_builtins(run.play.state, str_keys=True))
