"""A session that is played."""

from companion.engine import Journal, Session, Wish
from companion.engine.asks import AnyAsk
from tests.engine.toy import GAME, PACKS


def play(session: Session, *answers: object) -> None:
    for answer in answers:
        session.answer(session.n, answer)


def opened(session: Session) -> AnyAsk:
    assert session.ask is not None
    return session.ask


def ended(journal: Journal) -> Session:
    session = Session.create(journal, GAME, PACKS, Wish(seed=3, settings={"top": "5"}))
    while session.outcome is None:
        play(session, True if opened(session).kind == "show" else "dice")
    return session
