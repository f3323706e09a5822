"""R5 and R7 for the games themselves: a session taken back, taken up and read back is always the same."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.engine import Journal, Session, Wish, packs
from companion.engine.autoplay import at_random
from companion.engine.chance import decide
from companion.engine.line import fold
from companion.engine.run import Run
from companion.engine.session import setup_of
from companion.games import load, names

DEEDS = 150


@pytest.mark.parametrize("dice", ["software", "manual"])
@pytest.mark.parametrize("name", names())
def test_r5_r7_a_session_is_the_same_at_each_point_whatever_way_leads_there(
    name: str, dice: str, tmp_path: Path
) -> None:
    """Played, taken back, taken up, opened again, replayed twice, and back to the first ask and forth."""
    game, rng = load(name), Random(f"{name} {dice}")
    merged = packs.merge(name, packs.find(game.folder, tmp_path))
    with Journal(tmp_path) as journal:
        session = Session.create(journal, game, merged, Wish(seed=5, dice=dice, cards=dice))
        states = {len(session.history): session.state}
        for _ in range(DEEDS):
            luck = rng.random()
            if (luck < 0.1 or session.ask is None) and session.undoable:
                session.undo()
            elif luck < 0.15 and session.redoable:
                session.redo()
            elif luck < 0.2:
                session.close()
                session = Session.resume(journal, game, session.meta.id)
            else:
                question = session.ask
                policy = decide if question.is_chance else at_random
                session.answer(session.n, policy(question, rng))
                states[len(session.history)] = session.state
            assert session.state == states[len(session.history)]
            assert not list(session.play.check())
        end, undone = session.state, 0
        session.close()
        for _ in range(2):
            assert replayed(session) == end
        with Session.resume(journal, game, session.meta.id) as again:
            while again.undoable:
                again.undo()
                undone += 1
                assert again.state == states[len(again.history)]
            for _ in range(undone):
                again.redo()
            assert again.state == end


def replayed(session: Session) -> object:
    """The state that the journal leads to, all in order after each answer."""
    journal, game, meta = session.journal, session.game, session.meta
    run = Run(game.start(setup_of(journal, game, meta)), meta.seed)
    for item in fold(journal.entries(meta.id)).items:
        run.replay(item)
        assert not list(run.play.check())
    return msgspec.to_builtins(run.play.state, str_keys=True)
