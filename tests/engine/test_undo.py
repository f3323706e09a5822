"""Undo and redo: they never change luck, and go as far back as there is something."""

import msgspec
import pytest

from companion.engine import BadAnswer, Journal, Session, StaleAnswer, Wish
from companion.engine.asks import Roll, Script, ask
from companion.engine.game import Outcome
from companion.engine.line import Act, Item, Line, seal
from companion.engine.records import SOFTWARE
from tests.engine.playing import opened, play
from tests.engine.toy import D6, GAME, PACKS, Toy


def test_undo_goes_back_to_the_last_decision_and_says_which(session: Session) -> None:
    play(session, "stones", 2, True, "dice", True)
    assert session.undoable == "Dice"
    session.undo()
    assert opened(session).key == "toy.way"
    assert session.redoable == "Dice"
    session.undo()
    assert opened(session).key == "toy.stones"
    play(session, 2, True, "pick", ["b"])
    assert session.undoable == "B"
    session.undo()
    assert opened(session).key == "toy.pick"


@pytest.mark.parametrize(
    ("text", "label", "title"),
    [
        ("How many?", "0", "How many? 0"),
        ("Who is hit?", "none", "Who is hit? none"),
        ("Roll again:", "1, 2", "Roll again: 1, 2"),
        ("A: 1 lost\nSandbags?", "1", "A: 1 lost; Sandbags? 1"),
        ("Move where?", "M24", "M24"),
        ("Hello", "", "Hello"),
    ],
)
def test_an_undo_names_the_question_where_the_answer_alone_says_nothing(
    text: str, label: str, title: str
) -> None:
    assert Item(Act.ANSWER, "number", "toy.stones", "print", 0, "player", text, label).title == title


def test_undo_goes_back_as_far_as_there_is_something(session: Session) -> None:
    with pytest.raises(BadAnswer, match="nothing to undo"):
        session.undo()
    play(session, "stones", 2)
    before = (session.n, session.state)
    for steps in (0, -1):
        with pytest.raises(BadAnswer, match="undo takes back 1 decision or more"):
            session.undo(steps)
    assert (session.n, session.state) == before
    session.undo(3)
    assert (opened(session).key, session.history) == ("toy.way", ())


@pytest.mark.parametrize(
    ("wish", "answer", "next_one"),
    [
        (Wish(dice="manual"), "dice", "roll"),
        (Wish(dice="manual"), "card", "show"),
        (Wish(cards="manual"), "dice", "show"),
        (Wish(cards="manual"), "card", "draw"),
    ],
)
def test_software_has_the_dice_or_the_cards_or_both(
    journal: Journal, wish: Wish, answer: str, next_one: str
) -> None:
    with Session.create(journal, GAME, PACKS, wish) as session:
        play(session, answer)
        assert opened(session).kind == next_one


def rolled(text: str, face: str, by: str = "player") -> Item:
    return Item(Act.ANSWER, "roll", "toy.start", "print", [face], by, text, face)


def test_real_dice_before_the_first_decision_can_be_taken_back_one_by_one() -> None:
    decision = Item(Act.ANSWER, "choose", "toy.way", "print", "up", "player", "Which way?", "Up")
    seen = Item(Act.ANSWER, "show", "toy.turn", "print", True, "player", "Welcome", "seen")
    opening = [seen, rolled("North", "3"), rolled("bot", "4", SOFTWARE), rolled("South", "5")]
    line = Line()
    for item in (*opening, decision, rolled("climb", "6")):
        line.push(item)
    said = []
    for _ in range(3):
        said.append(line.undoable)
        line.undo(line.undo_to(1))
    assert said == ["Up", "South", "North"]
    assert line.items == [seen]
    assert line.undoable == ""
    assert line.kept("toy.start", 0, "print") == opening[1]
    assert line.kept("toy.start", 0, "another question's") is None
    assert [line.kept("toy.start", nth, "print") for nth in (1, 2)] == [None, opening[3]], (
        "the bot's is thrown anew"
    )
    line.redo()
    assert line.items == opening[:3]
    line.redo()
    line.redo()
    assert len(line.items) == 6


def test_what_an_undo_takes_back_is_known_without_looking_through_a_long_session() -> None:
    looked_at = []

    class Looked(list[Item]):
        def __getitem__(self, at):
            looked_at.append(at)
            return super().__getitem__(at)

    line = Line()
    line.items = Looked(
        Item(Act.ANSWER, "choose", "toy.way", "print", "up", "player", "Which way?", f"Up {at}")
        for at in range(1000)
    )
    assert (line.undoable, line.undo_to(2)) == ("Up 999", 998)
    assert set(looked_at) == {998, 999}


class Opener(Toy):
    """Rolls twice for who begins, before anything is decided."""

    def script(self) -> Script[Outcome]:
        for one in ("North", "South"):
            yield from ask(
                Roll("toy.start", f"{one} rolls to begin", dice=(msgspec.structs.replace(D6, count=1),))
            )
        outcome = yield from super().script()
        return outcome


def test_an_undo_of_opening_dice_is_journaled_by_what_was_rolled_and_holds_after_a_resume(
    journal: Journal,
) -> None:
    game = msgspec.structs.replace(GAME, start=Opener)
    session = Session.create(journal, game, PACKS, Wish(seed=7, dice="manual"))
    play(session, ["3"])
    session.undo()
    assert session.kept == ("3",)
    play(session, ["4"], ["5"], "stones")
    session.undo(3)
    deeds = [
        entry.item.label for entry in journal.entries(session.meta.id) if entry.act is Act.UNDO and entry.item
    ]
    assert deeds == ["North rolls to begin", "North rolls to begin and 2 more"]
    session.close()
    with Session.resume(journal, game, session.meta.id) as again:
        assert (opened(again).text, again.kept) == ("North rolls to begin", ("4",))
        for _ in range(3):
            again.redo()
        assert opened(again).key == "toy.stones"
        with pytest.raises(BadAnswer, match="nothing to redo"):
            again.redo()


def test_undo_never_rolls_again(session: Session) -> None:
    play(session, "dice")
    first = session.state
    session.undo()
    play(session, "dice")
    assert session.state == first


def test_another_way_to_the_same_roll_finds_the_same_dice(session: Session) -> None:
    play(session, "dice")
    height = session.play.state.height
    session.undo()
    play(session, "stones", 0, True, "dice")
    assert session.play.state.height == height


def test_undo_and_redo_survive_a_restart(journal: Journal, session: Session) -> None:
    play(session, "dice", True, "card", True, "dice", True)
    end = session.state
    session.undo(3)
    session.close()
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert again.play.state.turn == 1
        for _ in range(3):
            again.redo()
        assert again.state == end
        with pytest.raises(BadAnswer, match="nothing to redo"):
            again.redo()


def test_who_comes_back_after_three_undos_knows_how_the_table_lay_before_the_first_and_the_last(
    journal: Journal, session: Session
) -> None:
    play(session, "dice", True, "card", True, "dice", True)
    boards = []
    for _ in range(3):
        boards.append(session.play.board())
        session.undo()
    session.close()
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert again.lay() == [boards[0], boards[-1]]
        again.answer(again.n, "stones")
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert again.lay() == []


def test_who_comes_back_after_redos_in_a_row_knows_how_the_table_lay_before_them(
    journal: Journal, session: Session
) -> None:
    play(session, "dice", True, "card", True, "dice", True)
    boards = [session.play.board()]
    session.undo(2)
    for _ in range(2):  # which one redo of two is, in the journal
        boards.append(session.play.board())
        session.redo()
    session.close()
    assert boards[0] not in boards[1:]
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert again.lay() == boards


def test_a_number_is_never_used_twice_so_a_late_tap_after_undo_is_stale(session: Session) -> None:
    n = session.n
    play(session, "stones")
    session.undo()
    assert opened(session).key == "toy.way"
    with pytest.raises(StaleAnswer):
        session.answer(n, "stones")


def test_physical_dice_are_offered_again_after_undo(journal: Journal) -> None:
    with Session.create(journal, GAME, PACKS, Wish(seed=1, dice="manual")) as session:
        play(session, "dice", ["6", "2"], True, "dice", ["3", "1"], True)
        session.undo()
        assert session.kept is None
        play(session, "dice")
        assert session.kept == ("3", "1")
        session.undo(2)
        play(session, "dice")
        assert session.kept == ("6", "2")


@pytest.mark.parametrize("answer", [5, ["6"], ["6", "7"], ["6", 2]])
def test_what_was_undone_and_is_no_roll_of_these_dice_is_not_offered_again(
    journal: Journal, answer: object
) -> None:
    with Session.create(journal, GAME, PACKS, Wish(seed=1, dice="manual")) as session:
        play(session, "dice")
        climb, before = opened(session), journal.entries(session.meta.id)[-1]
        item = Item(Act.ANSWER, climb.kind, climb.key, climb.fingerprint(), answer, "player")
        roll = seal(msgspec.structs.replace(before, seq=2, item=item), before.check)
        undo = seal(msgspec.structs.replace(roll, seq=3, act=Act.UNDO, item=None, length=1), roll.check)
    journal.append([roll, undo], {})
    with Session.resume(journal, GAME, session.meta.id) as session:
        assert (opened(session), session.kept) == (climb, None)


def test_physical_dice_of_all_rolls_that_one_undo_took_back_are_offered_each_at_its_roll(
    journal: Journal,
) -> None:
    with Session.create(journal, GAME, PACKS, Wish(seed=1, dice="manual")) as session:
        play(session, "dice", ["6", "2"], True, "dice", ["3", "1"], True)
        session.undo(2)
        for dice in (("6", "2"), ("3", "1")):
            play(session, "dice")
            assert session.kept == dice
            play(session, list(dice), True)
