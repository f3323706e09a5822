"""A small session of the toy game, always the same: the clock ticks ten seconds an answer."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import msgspec
import pytest

from companion.engine import Evidence, Game, Glance, Journal, Session, Wish
from companion.engine.clock import Stamp
from companion.engine.records import Note, RolledDie, blob_name
from tests.engine.toy import GAME, PACKS, ToyState


def _glance(state: msgspec.Struct) -> Glance:
    assert isinstance(state, ToyState)
    return Glance(f"Turn {state.turn}", {"height": state.height, "stones": state.bag.stones})


TOY: Game = msgspec.structs.replace(GAME, glance=_glance)


PHOTO = b"a photo"
BEGINNING = ("stones", 2, True, "pick", ["a", "c"], True, "dice", ["5", "2"], True, "card", True)
TO_THE_TOP = {"toy.way": "dice", "toy.climb": ["6", "6"], "toy.turn": True}


def ticking() -> Callable[[], Stamp]:
    ticks = count()

    def clock() -> Stamp:
        now = next(ticks) * 10.0
        return Stamp(wall=1_800_000_000 + now, mono=now, boot="test")

    return clock


def play_small(journal: Journal, seed: int = 7, top: str = "20") -> str:
    """Climb a hill with everything in it that a report tells of; the session's id."""
    wish = Wish(seed=seed, settings={"top": top}, dice="manual")
    with Session.create(journal, TOY, PACKS, wish, clock=ticking()) as session:
        for answer in BEGINNING:
            session.answer(session.n, answer)
        session.override({"bag.stones": 0})
        session.answer(session.n, "stones")
        session.undo()
        session.answer(session.n, "dice")
        doubtful = RolledDie("d6", "6", "camera", 0.55, "5", blob_name(PHOTO))
        read = (doubtful, RolledDie("d6", "1", "camera", 0.99))
        session.answer(session.n, ["6", "1"], "camera", Evidence(read, (PHOTO,)))
        session.answer(session.n, True)
        while session.ask is not None:
            session.answer(session.n, TO_THE_TOP[session.ask.key])
        return session.meta.id


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "data") as journal:
        yield journal


@pytest.fixture
def played(journal: Journal) -> str:
    name = play_small(journal)
    journal.note(name, Note(1_800_000_100, "A *close* climb", 8, ("Ann", "Bob"), "Kitchen"))
    return name
