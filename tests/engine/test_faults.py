"""A game that breaks down takes the answer back."""

from random import Random

import msgspec
import pytest

from companion.engine import BadAnswer, BadInput, GameFault, Journal, JournalFull, Session, Wish, autoplay
from companion.engine.asks import Choose, Option, Roll, Script, ask
from companion.engine.game import Outcome, Setup, setup
from companion.engine.line import Act
from companion.engine.packs import build
from companion.engine.session import _deed, _Step
from tests.engine.playing import opened, play
from tests.engine.toy import D6, GAME, PACKS, Toy, ToyPack


@pytest.mark.parametrize("before", [(), ("stones", 1, True)], ids=["at the first", "later"])
def test_a_game_that_breaks_down_takes_the_answer_back(
    journal: Journal, session: Session, before: tuple[object, ...]
) -> None:
    play(session, *before)
    state = session.state
    with pytest.raises(GameFault, match="ZeroDivisionError: by design"):
        session.answer(session.n, "crash")
    assert session.state == state
    play(session, "stones", 1)
    session.close()
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert again.play.state.bag.stones == (2 if before else 1)


def test_an_answer_after_which_software_has_no_card_to_draw_is_taken_back(journal: Journal) -> None:
    class Careless(Toy):
        """The toy game, which lets one draw from a deck that a value set by hand has emptied."""

        def ways(self) -> Choose:
            return Choose(
                "toy.way", "Which way?", options=(Option("card", "Card"), Option("stones", "Stones"))
            )

    game = msgspec.structs.replace(GAME, start=Careless)
    with Session.create(journal, game, PACKS) as session:
        session.override({"deck": []})
        state = session.state
        with pytest.raises(GameFault) as stuck:
            session.answer(session.n, "card")
        assert str(stuck.value) == (
            "too few cards are there for 'Draw a card'; set right by hand what is missing, or undo"
        )
        assert session.state == state
        name = session.meta.id
    with Session.resume(journal, game, name) as again:
        assert again.state == state
        play(again, "stones", 1)


def test_an_answer_after_which_nothing_answers_the_next_question_is_taken_back(journal: Journal) -> None:
    class Scarce(Toy):
        """Cards are its only way."""

        def ways(self) -> Choose:
            return Choose("toy.way", "Which way?", options=(Option("card", "Card"),) * bool(self.state.deck))

    scarce = msgspec.structs.replace(GAME, start=Scarce)
    with Session.create(journal, scarce, PACKS, Wish(seed=7, cards="table")) as session:
        session.override({"deck": ["a"]})
        play(session, "card", ["a"])
        before = (session.state, opened(session), session.history)
        with pytest.raises(GameFault, match=r"nothing answers 'Which way\?' then; set right by hand"):
            session.answer(session.n, True)
        assert (session.state, opened(session), session.history) == before
        assert session.redoable == ""
        session.override({"deck": ["b"]})
        play(session, True, "card")
        name, state = session.meta.id, session.state
    with Session.resume(journal, scarce, name) as again:
        assert again.state == state


def test_what_a_game_broke_down_after_is_not_offered_to_redo(journal: Journal, session: Session) -> None:
    play(session, "stones", 1, True)
    with pytest.raises(GameFault):
        session.answer(session.n, "crash")
    entries = journal.entries(session.meta.id)
    assert [entry.act for entry in entries[-2:]] == [Act.ANSWER, Act.UNDO]
    assert session.redoable == ""
    with pytest.raises(BadAnswer, match="nothing to redo"):
        session.redo()
    assert journal.entries(session.meta.id) == entries
    session.undo()
    session.redo()
    state = session.state
    session.close()
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert (again.state, again.redoable) == (state, "")


def test_a_game_that_can_not_be_set_up_leaves_no_session(journal: Journal) -> None:
    def start(_: Setup) -> Toy:
        raise BadInput("no such hill")

    with pytest.raises(BadInput, match="no such hill"):
        Session.create(journal, msgspec.structs.replace(GAME, start=start), PACKS)
    assert journal.sessions() == []


class Pathless(Toy):
    """The toy game, which finds its cards to be wrong before it asks anything."""

    def script(self) -> Script[Outcome]:
        raise BadInput("card.a: no such card")
        yield


def test_what_is_wrong_before_anything_is_asked_is_no_fault_of_the_game(journal: Journal) -> None:
    with pytest.raises(BadInput, match="no such card"):
        Session.create(journal, msgspec.structs.replace(GAME, start=Pathless), PACKS)


class Unsettled(Toy):
    """The toy game, which tells nobody how it ended."""

    def script(self) -> Script[Outcome]:
        yield from self.one_turn()


def test_a_game_that_does_not_say_how_it_ended_is_a_fault_and_no_session_without_a_question(
    journal: Journal,
) -> None:
    session = Session.create(journal, msgspec.structs.replace(GAME, start=Unsettled), PACKS, Wish(seed=7))
    play(session, "stones", 1)
    with pytest.raises(GameFault, match="the game ended without an Outcome, but None"):
        session.answer(session.n, True)
    assert session.ask.key == "toy.turn"


@pytest.mark.parametrize("policy", ["random", "first", "cautious"])
def test_a_question_without_an_answer_is_a_fault_of_the_game_that_says_which(policy: str) -> None:
    decide = autoplay.policy(GAME, Toy(setup(GAME, build(PACKS, ToyPack), {})), policy, Random(1))
    with pytest.raises(GameFault, match=r"toy: toy\.door has no answer: Which door"):
        decide(Choose("toy.door", "Which door?"))


class Slippery(Toy):
    """The toy game, where nobody gets up with dice."""

    def one_turn(self) -> Script[None]:
        if (yield from ask(self.ways())) == "dice":
            yield from ask(Roll("toy.climb", "Roll to climb", dice=(D6,)))
            raise ZeroDivisionError("by design")


class Puzzled(Toy):
    """The toy game, which finds its cards to be wrong only when one is wanted."""

    def one_turn(self) -> Script[None]:
        if (yield from ask(self.ways())) == "card":
            raise BadInput("card.a: no such card")


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize(("rules", "fatal"), [(Toy, "crash"), (Slippery, "dice"), (Puzzled, "card")])
def test_a_fault_that_was_not_written_down_as_taken_back_does_not_end_its_session(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, rules: type[Toy], fatal: str, full: bool
) -> None:
    game = msgspec.structs.replace(GAME, start=rules)
    session = Session.create(journal, game, PACKS, Wish(seed=7))
    play(session, "pick", *([["a"], True] if rules is Toy else []))
    before, append, room = session.state, journal.append, iter([True])

    def first_alone(*args: object) -> None:
        if not next(room, False):
            raise JournalFull("no room")
        append(*args)

    with monkeypatch.context() as patch:
        patch.setattr(journal, "append", first_alone)
        with pytest.raises(GameFault):
            session.answer(session.n, fatal)
        if not full:  # stopped there: what is not written is gone
            session._unwritten = []
    assert session.state == before
    if full:
        play(session, "stones")
    state = session.state
    session.close()
    for _ in range(2):
        with Session.resume(journal, game, session.meta.id) as again:
            assert again.state == state
            assert again.redoable == ""
            assert again.take_news() == [], "what software said before the fault is taken back too"
    assert journal.salvaged is None


def test_a_session_whose_fault_was_redone_long_ago_goes_on(journal: Journal, session: Session) -> None:
    play(session, "stones", 1, True)
    with pytest.raises(GameFault):
        session.answer(session.n, "crash")
    session._commit(_Step(Act.REDO, _deed("Crash", "player")))
    play(session, "stones", 2)
    state = session.state
    session.close()
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert again.state == state
