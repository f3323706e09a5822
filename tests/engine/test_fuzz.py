"""R8 in a short form; `python -m tests.longrun.fuzz` is the long one."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from companion import games
from companion.engine import BadAnswer, Journal, Session, Wish, packs
from companion.engine.autoplay import at_random
from tests.longrun.fuzz import TARGETS, fuzz


@pytest.mark.parametrize("name", TARGETS)
def test_r8_mangled_input_meets_only_declared_errors(name: str, tmp_path: Path) -> None:
    inputs = 60 if name == "journal" else 1500
    assert fuzz(name, inputs, seed=8, folder=tmp_path) < 64 * 1024


def leaves(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    """Every value of a state with its path."""
    if isinstance(value, dict | list):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, f"{path}.{name}" if path else str(name))
    if path:
        yield path, value


def another(value: object, rng: Random) -> object:
    """Some other value of that kind, mostly senseless."""
    match value:
        case bool():
            return not value
        case int():
            return rng.choice([-1, 0, 1, 7, 99, 10**30])
        case str():
            return rng.choice(["", "A", "x", "1", "\ud800"])
        case list():
            return rng.choice([[], value[:-1], value * 2, ["zz"], [""]])
        case dict():
            return rng.choice([{}, {"x": 1}, {"A": "zz"}])
    return rng.choice([None, 1, "x"])


@pytest.mark.parametrize("name", games.names())
def test_r8_a_value_set_by_hand_in_any_game_is_taken_or_nothing_changes(name: str, tmp_path: Path) -> None:
    game = games.load(name)
    merged = packs.merge(name, packs.find(game.folder, tmp_path))
    taken = refused = 0
    for seed in range(6):
        rng = Random(seed)
        with Journal(tmp_path) as journal, Session.create(journal, game, merged, Wish(seed=seed)) as session:
            for _ in range(40):
                if session.ask is None:
                    break
                before = (session.n, session.state)
                try:
                    if rng.random() < 0.6:
                        path, value = rng.choice(list(leaves(session.state)))
                        session.override({path: another(value, rng)})
                        taken += 1
                    else:
                        session.answer(session.n, at_random(session.ask, rng))
                except BadAnswer:
                    refused += 1
                    assert (session.n, session.state) == before
                session.play.board()
                session.play.svg()
            end = (session.n, session.state)
            session.close()
            with Session.resume(journal, game, session.meta.id) as again:
                assert (again.n, again.state) == end
    assert taken
    assert refused
