"""Sessions go on under other rules, options and packs, or say why not (R6)."""

import zlib

import msgspec
import pytest

from companion.engine import (
    BadAnswer,
    BadInput,
    GameFault,
    Journal,
    PackError,
    ReplayMismatch,
    Session,
    StaleAnswer,
    Wish,
    beginning,
)
from companion.engine.asks import Choose, Option, Script
from companion.engine.beginning import setup_of
from companion.engine.game import Outcome, Result, Setting, Setup
from companion.engine.packs import Merged
from companion.engine.records import blob_name
from companion.logbook.trace import retrace
from tests.engine.playing import ended, play
from tests.engine.toy import D6, GAME, PACKS, Toy


class FewerWays(Toy):
    """The toy game under rules that leave one way out."""

    def ways(self) -> Choose:
        choose = super().ways()
        return msgspec.structs.replace(choose, options=choose.options[:3])


def test_a_redo_that_the_rules_do_not_allow_any_more_is_refused(journal: Journal, session: Session) -> None:
    play(session, "stones")
    session.undo()
    session.close()
    before = (session.n, session.state, journal.entries(session.meta.id))
    newer = msgspec.structs.replace(GAME, start=FewerWays)
    with Session.resume(journal, newer, session.meta.id) as again:
        with pytest.raises(ReplayMismatch):
            again.redo()
        assert (again.n, again.state, journal.entries(again.meta.id)) == before
        play(again, "stones", 1)
    with Session.resume(journal, newer, session.meta.id) as again:
        assert again.play.state.bag.stones == 1


class WaysAgain(FewerWays):
    """The same, and the question is known as it was before."""

    def ways(self) -> Choose:
        return msgspec.structs.replace(super().ways(), former=Toy.ways(self))


def test_an_option_that_is_offered_no_more_is_only_a_journals_to_answer(
    journal: Journal, session: Session
) -> None:
    play(session, "card", True, "stones", 2)
    state = session.state
    session.close()
    newer = msgspec.structs.replace(GAME, start=WaysAgain)
    with Session.resume(journal, newer, session.meta.id) as again:
        assert again.state == state
        play(again, True)
        with pytest.raises(BadAnswer, match="'card' is not one of: dice, stones, pick"):
            play(again, "card")
        play(again, "stones", 1)
        state = again.state
    with Session.resume(journal, newer, session.meta.id) as again:
        assert again.state == state


class WaysTwice(WaysAgain):
    """Its options changed a second time."""

    def ways(self) -> Choose:
        before = super().ways()
        return msgspec.structs.replace(before, options=before.options[1:], former=before)


def test_a_question_that_changed_twice_takes_a_journals_answer_from_before_both(
    journal: Journal, session: Session
) -> None:
    play(session, "card", True, "stones", 2)
    state = session.state
    session.close()
    newer = msgspec.structs.replace(GAME, start=WaysTwice)
    with Session.resume(journal, newer, session.meta.id) as again:
        assert again.state == state


def test_a_game_whose_rules_changed_stops_and_names_both_asks(journal: Journal, session: Session) -> None:
    play(session, "stones", 2)
    session.close()
    entries = journal.entries(session.meta.id)

    class NewRules(type(session.play)):
        def ways(self):
            choose = super().ways()
            return choose.__class__("toy.path", "Which path?", options=choose.options)

    newer = GAME.__class__(
        **{name: getattr(GAME, name) for name in GAME.__struct_fields__} | {"start": NewRules}
    )
    with pytest.raises(
        ReplayMismatch, match=r"'toy.way' \(Which way\?\).*'toy.path' \(Which path\?\)"
    ) as said:
        Session.resume(journal, newer, session.meta.id)
    assert str(said.value).startswith(f"{session.meta.id}, of version {session.meta.version}: ")
    assert journal.entries(session.meta.id) == entries


def test_where_the_same_question_has_other_answers_now_that_is_said(
    journal: Journal, session: Session
) -> None:
    play(session, "stones", 2)
    session.close()

    class NewRules(type(session.play)):
        def ways(self):
            choose = super().ways()
            return msgspec.structs.replace(choose, options=choose.options[::-1])

    newer = msgspec.structs.replace(GAME, start=NewRules)
    with pytest.raises(ReplayMismatch, match=r"'toy.way' \(Which way\?\), the rules now .* other answers;"):
        Session.resume(journal, newer, session.meta.id)


def test_dice_that_showed_a_face_which_they_have_no_more_stop_and_say_which_session(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Session.create(journal, GAME, PACKS, Wish(dice="manual")) as session:
        play(session, "dice", ["6", "5"])
    monkeypatch.setattr("tests.engine.toy.D6", msgspec.structs.replace(D6, faces=("1", "2", "3")))
    wanted = f"^{session.meta.id}, of version .*: the journal answers 'Roll to climb'; now d6 has no face '6'"
    with pytest.raises(ReplayMismatch, match=wanted):
        Session.resume(journal, GAME, session.meta.id)


def test_a_value_set_by_hand_that_the_game_has_no_place_for_any_more_stops_and_says_which_session(
    journal: Journal, session: Session
) -> None:
    session.override({"bag.stones": 2})
    session.close()
    entries = journal.entries(session.meta.id)

    class Climber(msgspec.Struct):
        height: int = 0
        turn: int = 0
        deck: list[str] = []

    class WithoutBag(type(session.play)):
        def __init__(self, setup: Setup) -> None:
            super().__init__(setup)
            self.state = Climber()

        def ways(self) -> Choose:
            return Choose("toy.way", "Which way?", options=(Option("dice", "Dice"),))

    newer = msgspec.structs.replace(GAME, start=WithoutBag, state_type=Climber)
    with pytest.raises(ReplayMismatch, match=r": set bag\.stones; now bag\.stones: there is no bag,") as said:
        Session.resume(journal, newer, session.meta.id)
    assert str(said.value).startswith(f"{session.meta.id}, of version {session.meta.version}: ")
    assert journal.entries(session.meta.id) == entries


class Mean(Toy):
    """The toy game under rules that make every end a loss."""

    def script(self) -> Script[Outcome]:
        end = yield from super().script()
        return Outcome(Result.LOST, f"not {end.reason}")


class Broken(Toy):
    """The toy game under rules that trip over its end."""

    def script(self) -> Script[Outcome]:
        yield from super().script()
        raise ZeroDivisionError("by design")


def test_r6_a_finished_game_that_breaks_down_under_other_rules_keeps_all_of_it(
    journal: Journal,
) -> None:
    with ended(journal) as session:
        name = session.meta.id
    head, entries = journal.session(name), journal.entries(name)
    with pytest.raises(GameFault, match="by design"):
        Session.resume(journal, msgspec.structs.replace(GAME, start=Broken), name)
    assert (journal.session(name), journal.entries(name)) == (head, entries)


class Brittle(Toy):
    """The toy game under rules that trip over its first answer."""

    def script(self) -> Script[Outcome]:
        script = super().script()
        script.send((yield next(script)))
        raise ZeroDivisionError("by design")


def test_r6_an_open_game_that_breaks_down_before_its_newest_answer_keeps_all_of_it(session: Session) -> None:
    play(session, "stones", 2)
    name, journal = session.meta.id, session.journal
    session.close()
    head, entries = journal.session(name), journal.entries(name)
    with pytest.raises(GameFault, match="by design"):
        Session.resume(journal, msgspec.structs.replace(GAME, start=Brittle), name)
    assert (journal.session(name), journal.entries(name)) == (head, entries)


def test_r6_packs_that_are_refused_today_end_no_session_that_was_begun_with_them(journal: Journal) -> None:
    def strict(setup: Setup) -> Toy:
        if not setup.begun:
            raise PackError("card.a: no such card")
        return Toy(setup)

    with Session.create(journal, GAME, PACKS) as session:
        name = session.meta.id
    game = msgspec.structs.replace(GAME, start=strict)
    with pytest.raises(PackError, match="no such card"):
        Session.create(journal, game, PACKS)
    with Session.resume(journal, game, name) as session:
        assert session.ask
    assert not retrace(journal, game, session.meta).caveat


def test_packs_that_are_larger_than_a_session_can_be_resumed_with_begin_none(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(msgspec.json.encode(PACKS.tables))
    monkeypatch.setattr(beginning, "LARGEST_PACKS", size - 1)
    with pytest.raises(PackError, match=f"toy: packs of {size} bytes; a game may have {size - 1}"):
        Session.create(journal, GAME, PACKS)
    assert not journal.sessions()
    monkeypatch.setattr(beginning, "LARGEST_PACKS", size)
    with Session.create(journal, GAME, PACKS) as session:
        assert session.ask


def test_a_session_whose_packs_have_what_is_not_known_here_says_which_it_is_and_what_to_do(
    journal: Journal,
) -> None:
    with Session.create(journal, GAME, PACKS) as session:
        meta = session.meta
    tables = {**PACKS.tables, "weather": {"rain": {"drops": 1}}}
    data = zlib.compress(msgspec.json.encode(tables))
    journal.keep(data)
    journal.update(msgspec.structs.replace(meta, pack=blob_name(data), version="9.0"))
    with pytest.raises(PackError) as refused:
        Session.resume(journal, GAME, meta.id)
    said = str(refused.value)
    assert said.startswith(f"{meta.id}, of version 9.0: the session's packs: weather: no such table; ")
    assert said.endswith("; nothing was changed: finish it with the version that began it")


def test_packs_of_others_that_no_play_can_start_from_are_named(journal: Journal) -> None:
    def trips(_: Setup) -> Toy:
        raise KeyError("card")

    with Session.create(journal, GAME, PACKS) as session:
        name = session.meta.id
    game = msgspec.structs.replace(GAME, start=trips)
    with pytest.raises(PackError, match="toy: its packs can't be played: KeyError"):
        Session.resume(journal, game, name)
    assert "its packs can't be played" in retrace(journal, game, session.meta).caveat


def test_what_a_terminal_would_obey_is_blank_in_packs_and_values_that_come_with_a_session(
    journal: Journal,
) -> None:
    evil, plain = "\x1b]0;owned\x07", " ]0;owned "
    packs = Merged("toy", {"card": {evil: {"steps": 1, "source": "owner"}}}, {}, {})
    with Session.create(journal, GAME, packs) as session:
        assert session.state["deck"] == [plain]
        session.override({"deck": [evil, "b"]})
        name = session.meta.id
    with Session.resume(journal, GAME, name) as session:
        assert session.state["deck"] == [plain, "b"]


class Higher(Toy):
    """The toy game on a higher hill."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.top += 50


@pytest.mark.parametrize("rules", [Mean, Higher])
def test_r6_a_finished_game_stays_as_it_ended_under_other_rules(journal: Journal, rules: type[Toy]) -> None:
    with ended(journal) as session:
        end, name = session.outcome, session.meta.id
    head, entries = journal.session(name), journal.entries(name)
    with Session.resume(journal, msgspec.structs.replace(GAME, start=rules), name) as again:
        assert (again.outcome, again.ask) == (end, None)
        with pytest.raises(StaleAnswer, match="the game is over"):
            again.answer(again.n, True)
        with pytest.raises(BadAnswer, match="the game is over"):
            again.override({"height": 1})
        assert again.kept is None
    assert (journal.session(name), journal.entries(name)) == (head, entries)


def test_a_session_from_before_an_option_goes_on_with_its_default(journal: Journal) -> None:
    with Session.create(journal, GAME, PACKS, Wish(seed=3)) as session:
        session.answer(session.n, "stones")
        name = session.meta.id
    top = Setting("slope", "how steep it is", ("gentle", "steep"))
    newer = msgspec.structs.replace(GAME, settings=(*GAME.settings, top))
    assert setup_of(journal, newer, journal.session(name)).settings == {"top": "20", "slope": "gentle"}


def test_a_session_from_before_an_option_goes_on_as_it_was_when_there_was_none(journal: Journal) -> None:
    with Session.create(journal, GAME, PACKS, Wish(seed=3)) as session:
        name = session.meta.id
    once = Setting("far", "how far", ("yes", "no"), before="no")
    newer = msgspec.structs.replace(GAME, settings=(*GAME.settings, once))
    assert setup_of(journal, newer, journal.session(name)).settings["far"] == "no"
    with Session.create(journal, newer, PACKS) as session:
        assert session.meta.settings["far"] == "yes"


def test_a_session_with_an_option_that_is_gone_is_refused_in_a_line(journal: Journal) -> None:
    with Session.create(journal, GAME, PACKS, Wish(seed=3)) as session:
        name = session.meta.id
    newer = msgspec.structs.replace(GAME, settings=(Setting("top", "how high", ("1", "2")),))
    with pytest.raises(BadInput, match=r"top=20 is no option of toy now; .* the version that began it"):
        Session.resume(journal, newer, name)
