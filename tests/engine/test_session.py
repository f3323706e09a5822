"""Sessions: what is acknowledged is on disk, and goes on as it was."""

from contextlib import AbstractContextManager
from pathlib import Path

import msgspec
import pytest

from companion.engine import BadAnswer, Journal, JournalFull, Session, StaleAnswer, Wish
from companion.engine.records import RolledDie
from companion.engine.session import Evidence
from tests.engine.playing import ended, opened, play
from tests.engine.toy import GAME, PACKS


def test_software_answers_its_dice_and_the_player_the_rest(session: Session) -> None:
    play(session, "dice")
    said = session.take_news()
    assert [one.by for one in said] == ["player", "software"]
    assert opened(session).key == "toy.turn"


def test_an_answer_to_an_ask_that_is_gone_changes_nothing(session: Session) -> None:
    first = session.n
    play(session, "stones")
    before = (session.n, session.state)
    with pytest.raises(StaleAnswer, match="is for an ask that is gone"):
        session.answer(first, "stones")
    with pytest.raises(StaleAnswer):
        session.answer(session.n + 1, 2)
    assert (session.n, session.state) == before


@pytest.mark.parametrize("wrong", ["up", 3, None, ["dice"], {"a": 1}])
def test_a_wrong_answer_names_the_right_ones_and_the_ask_stands(session: Session, wrong: object) -> None:
    with pytest.raises(BadAnswer, match="not one of: dice, stones, pick"):
        session.answer(session.n, wrong)
    assert opened(session).key == "toy.way"


def test_resume_stands_at_the_same_ask_with_the_same_state(journal: Journal, session: Session) -> None:
    play(session, "dice", True, "card", True, "stones")
    n, state, name = session.n, session.state, session.meta.id
    session.close()
    with Session.resume(journal, GAME, name) as again:
        assert (again.n, again.state, opened(again).key) == (n, state, "toy.stones")


DEEDS = {
    "undo": lambda session: session.undo(),
    "redo": lambda session: session.redo(),
    "override": lambda session: session.override({"bag.stones": 9}),
}


@pytest.mark.parametrize("deed", DEEDS)
def test_r3_what_the_disk_does_not_take_is_not_done(
    journal: Journal, session: Session, monkeypatch: pytest.MonkeyPatch, deed: str
) -> None:
    def full(*_: object) -> None:
        raise JournalFull("no room")

    def seen(session: Session) -> object:
        done = [item.title for item in session.history]
        return session.n, session.state, session.ask, done, session.undoable, session.redoable

    play(session, "stones", 2, True, "dice", True, "pick")
    session.undo()
    before = seen(session)
    with monkeypatch.context() as patch:
        patch.setattr(journal, "append", full)
        with pytest.raises(JournalFull, match="no room"):
            DEEDS[deed](session)
    assert seen(session) == before
    DEEDS[deed](session)
    after = seen(session)
    assert after != before
    session.close()
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert seen(again) == after


def test_r3_a_session_that_a_full_disk_closes_is_free_to_be_played_on(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise JournalFull("no room")

    session = Session.create(journal, GAME, PACKS)
    play(session, "dice")
    with monkeypatch.context() as patch:
        patch.setattr(journal, "append", full)
        with pytest.raises(JournalFull):
            session.close()
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert (again.ask, again.state) == (session.ask, session.state)


@pytest.mark.parametrize("step", ["_write", "append"], ids=["before it is on disk", "when it is on disk"])
def test_a_ctrl_c_while_an_answer_is_written_is_no_end_of_writing(
    journal: Journal, session: Session, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    done = getattr(Journal, step)

    def interrupted(*what: object) -> None:
        done(*what)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Journal, step, interrupted)
        with pytest.raises(KeyboardInterrupt):
            play(session, "stones")
    session.close()
    (entry,) = journal.entries(session.meta.id)
    assert (entry.item and entry.item.answer) == "stones"


def test_an_end_that_was_undone_is_open_after_a_restart_in_between(journal: Journal) -> None:
    with ended(journal) as session:
        head = journal.session(session.meta.id)
        session.undo()
        ask = session.ask
    journal.update(head)  # as companions left it that were stopped before they wrote the head
    with Session.resume(journal, GAME, head.id) as again:
        assert (again.ask, again.outcome) == (ask, None)
    assert journal.session(head.id).outcome == ""


def test_an_end_that_was_undone_is_open_whatever_the_disk_takes_after_that(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object) -> None:
        raise JournalFull("no space for a head of its own")

    with ended(journal) as session, monkeypatch.context() as patch:
        patch.setattr(journal, "update", full)
        session.undo()
        assert (journal.session(session.meta.id).outcome, session.meta.outcome) == ("", "")
        session.answer(session.n, "stones")
        ask = session.ask
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert (again.ask, again.outcome) == (ask, None)


def test_an_end_that_the_disk_has_no_room_to_note_is_none_the_less_and_is_noted_later(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object) -> None:
        raise JournalFull("no space for a head of its own")

    with Session.create(journal, GAME, PACKS, Wish(seed=3, settings={"top": "5"})) as session:
        with monkeypatch.context() as patch:
            patch.setattr(journal, "update", full)
            while session.outcome is None:
                play(session, True if opened(session).kind == "show" else "dice")
            with pytest.raises(JournalFull):
                session.close()
            name = session.meta.id
            with pytest.raises(JournalFull), Session.resume(journal, GAME, name) as again:
                assert again.outcome == session.outcome
        assert journal.session(name).outcome == ""
        session.close()
        assert journal.session(name).outcome == "won"


def test_a_session_whose_end_is_taken_back_elsewhere_just_before_it_is_resumed_goes_on(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ended(journal) as session:
        name = session.meta.id
    hold = journal.hold

    def late(held: str) -> AbstractContextManager[None]:
        with Journal(tmp_path) as other, Session.resume(other, GAME, held) as theirs:
            theirs.undo()
            theirs.answer(theirs.n, "stones")
        return hold(held)

    monkeypatch.setattr(journal, "hold", late)
    with Session.resume(journal, GAME, name) as again:
        assert again.outcome is None
        assert again.ask is not None
        assert again.meta == journal.session(name)


def test_the_end_is_written_down_and_can_be_undone(journal: Journal) -> None:
    with Session.create(journal, GAME, PACKS, Wish(seed=3, settings={"top": "5"})) as session:
        while session.outcome is None:
            play(session, True if opened(session).kind == "show" else "dice")
        assert journal.session(session.meta.id).outcome == "won"
        end = (session.outcome, journal.session(session.meta.id))
        session.undo()
        assert journal.session(session.meta.id).outcome == ""
        session.redo()
        assert (session.outcome, journal.session(session.meta.id)) == end


def test_a_session_that_goes_on_knows_the_dice_that_were_misread(journal: Journal) -> None:
    read = RolledDie("d6", "1", "camera", 0.9)
    misread = msgspec.structs.replace(read, read="4")
    with Session.create(journal, GAME, PACKS, Wish(dice="camera")) as session:
        play(session, "dice")
        session.answer(session.n, ["1", "1"], evidence=Evidence((read, misread)))
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert again.misread() == (misread,)


def test_every_die_of_a_roll_is_journaled_with_its_source(journal: Journal, session: Session) -> None:
    play(session, "dice", True)
    (dice,) = journal.rolls(session.meta.id).values()
    assert [(die.die, die.source) for die in dice] == [("d6", "software")] * 2
