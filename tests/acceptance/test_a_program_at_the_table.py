"""A whole game of each kind with dice and cards from outside, by another program, also through a crash."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from companion.engine import Journal, Session
from companion.games import load, names
from tests.acceptance.program import ROOT, Program, own_answer


@pytest.mark.parametrize("game", names())
def test_a_game_with_dice_and_cards_from_outside_exported_and_replayed_to_the_same_end(
    game: str, tmp_path: Path
) -> None:
    program = Program(tmp_path / "one", "play", game, "--dice", "manual", "--cards", "manual")
    end = program.play_out(Random(3))
    assert program.leave() == 0
    assert end["outcome"] in ("won", "lost", "ended")
    assert not program.of("rolled")

    with Journal(tmp_path / "one") as journal:
        name = journal.sessions()[0].id
        with Session.resume(journal, load(game), name) as session:
            state = session.state
    exported = tmp_path / "session.jsonl"
    companion("log", "export", name, "--out", str(exported), "--data", str(tmp_path / "one"))
    companion("log", "import", str(exported), "--data", str(tmp_path / "two"))
    with Journal(tmp_path / "two") as journal, Session.resume(journal, load(game), name) as session:
        assert session.outcome.result == end["outcome"]
        assert (session.outcome.reason, session.outcome.score) == (end["reason"], end["score"])
        assert session.state == state


def companion(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "companion", *arguments], cwd=ROOT, check=True, capture_output=True)


def test_a_killed_game_goes_on_at_the_same_ask(tmp_path: Path) -> None:
    rng = Random(5)
    program = Program(tmp_path, "play", "okinawa", "--dice", "manual", "--seed", "5")
    for _ in range(25):
        ask = program.hear_until("ask")
        program.say({"n": ask["n"], "answer": own_answer(ask, rng)})
    open_ask = program.hear_until("ask")
    program.kill()
    again = Program(tmp_path, "resume")
    assert again.hear()["type"] == "hello"
    assert again.hear_until("ask") == open_ask
    again.say({"quit": True})
    assert again.leave() == 0


def test_undo_over_the_enemys_turn_and_its_dice_never_rolls_again(tmp_path: Path) -> None:
    rng = Random(6)
    program = Program(tmp_path, "play", "okinawa", "--dice", "software", "--seed", "6")
    for _ in range(40):
        ask = program.hear_until("ask")
        program.say({"n": ask["n"], "answer": own_answer(ask, rng)})
    program.hear_until("ask")
    program.say({"state": True})
    before = program.hear_until("state")["state"]
    program.say({"undo": 6})
    program.hear_until("ask")
    for _ in range(6):
        program.say({"redo": 1})
        program.hear_until("ask")
    program.say({"state": True})
    assert program.hear_until("state")["state"] == before
    program.say({"quit": True})
    program.leave()
