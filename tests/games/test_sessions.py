"""R5 and R7 for the games themselves: a session taken back, taken up and read back is always the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.engine import Journal, Session, Wish, packs
from companion.engine.autoplay import at_random
from companion.engine.beginning import setup_of
from companion.engine.chance import decide
from companion.engine.game import Board, Panel
from companion.engine.line import fold
from companion.engine.run import Run
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


@pytest.mark.parametrize(
    ("name", "settings"),
    [*((name, {}) for name in names()), ("undaunted", {"players": "2"}), ("dday_dice", {"players": "2"})],
)
def test_all_that_an_undo_or_redo_changes_on_the_board_is_told(
    name: str, settings: dict[str, str], tmp_path: Path
) -> None:
    """So is nothing else: what is told stands there now, or stood there and is gone."""
    game, rng = load(name), Random(name)
    merged = packs.merge(name, packs.find(game.folder, tmp_path))
    with Journal(tmp_path) as journal:
        session = Session.create(journal, game, merged, Wish(settings=settings, seed=5))
        for _ in range(DEEDS // 2):
            if session.ask is None:
                session.undo(min(12, len(session.history)))
            session.answer(session.n, at_random(session.ask, rng))
            if session.undoable and rng.random() < 0.5:
                after = session.play.board()
                session.undo(rng.choice((1, 1, 4)))
                before = session.play.board()
                told_of(before, after)
                while session.redoable:
                    session.redo()
                assert session.play.board() == after
                told_of(after, before)


def told_of(now: Board, was: Board) -> None:
    told = now.since(was)
    if told is None:
        told = Board("", ())
    assert told.title == ("" if now.title == was.title else now.title)
    assert {panel.title for panel in told.panels} <= {panel.title for panel in (*now.panels, *was.panels)}
    named = {panel.title.partition(":")[0]: panel.title for panel in (*was.panels, *now.panels)}
    for title in named.values():
        old, new, said = (lines_of(board, title) for board in (was, now, told))
        gone = [line.strip().removeprefix("no more: ") for line in said if "no more: " in line]
        here = Counter(line for line in said if "no more: " not in line)
        assert here <= Counter(new)
        assert Counter(new) - Counter(old) <= here
        begun = {word for line in here for word in line.partition(":")[0].lstrip(" >+").split()}
        for line in Counter(old) - Counter(new):
            label = line.partition(":")[0].strip(" >+")
            assert line in new or label in gone or label.split()[0] in begun
        assert not any(line.lstrip(" >+").startswith(f"{label}:") for label in gone for line in new)


def lines_of(board: Board, title: str) -> list[str]:
    """What lies there under that title."""
    panel = next((panel for panel in board.panels if panel.title == title), Panel(title, ()))
    return [*(panel.lines if panel.lying is None else panel.lying)]


def replayed(session: Session) -> object:
    """The state that the journal leads to, all in order after each answer."""
    journal, game, meta = session.journal, session.game, session.meta
    run = Run(game.start(setup_of(journal, game, meta)), meta.seed)
    for item in fold(journal.entries(meta.id)).items:
        run.replay(item)
        assert not list(run.play.check())
    return msgspec.to_builtins(run.play.state, str_keys=True)
