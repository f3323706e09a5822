"""Sessions: what is acknowledged is on disk, and undo never changes luck."""

import os
import re
import shutil
import zlib
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.engine import (
    BadAnswer,
    BadInput,
    BrokenTable,
    GameFault,
    Journal,
    JournalError,
    JournalFull,
    PackError,
    ReplayMismatch,
    Session,
    SessionBusy,
    StaleAnswer,
    Wish,
    autoplay,
)
from companion.engine import session as engine_session
from companion.engine.asks import (
    AnyAsk,
    Choose,
    Dice,
    Draw,
    Locked,
    Number,
    Option,
    Pick,
    Roll,
    Script,
    Show,
    ask,
)
from companion.engine.clock import Stamp
from companion.engine.files import way_in
from companion.engine.game import Board, Outcome, Result, Setting, Setup, setup
from companion.engine.line import Act, Item, Line, seal
from companion.engine.override import assign, in_words, value_at
from companion.engine.packs import Merged, build
from companion.engine.records import SOFTWARE, RolledDie, blob_name
from companion.engine.run import Run
from companion.engine.session import Evidence, _deed, _Step, setup_of
from companion.logbook.trace import retrace
from tests.engine.toy import COUNTED, D6, GAME, PACKS, Bag, Toy, ToyPack, ToyState


def play(session: Session, *answers: object) -> None:
    for answer in answers:
        session.answer(session.n, answer)


def opened(session: Session) -> AnyAsk:
    assert session.ask is not None
    return session.ask


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


ABC = tuple(Option(one, one.upper()) for one in "abc")


@pytest.mark.parametrize(
    ("question", "wrong", "message"),
    [
        (Show("a", "a"), 1, "only wants to be acknowledged"),
        (Show("a", "a"), "yes", "only wants to be acknowledged"),
        (Pick("a", "a", options=ABC, least=1, most=2), ["a", "a"], "each can be picked once"),
        (Pick("a", "a", options=ABC, least=1, most=2), [], "pick 1 to 2, not 0"),
        (Pick("a", "a", options=ABC, least=1, most=2), ["a", "b", "c"], "pick 1 to 2, not 3"),
        (Pick("a", "a", options=ABC, least=1, most=2), ["x"], "'x' is not one of: a, b, c"),
        (Pick("a", "a", options=ABC, least=1, most=2), "a", "a list of texts is wanted"),
        (Pick("a", "a", options=ABC, least=1, most=2), [["a"]], "a list of texts is wanted"),
        (Roll("a", "a", dice=(D6,)), ["1"], "2 faces are wanted, not 1"),
        (Roll("a", "a", dice=(D6,)), ["1", "7"], "d6 has no face '7'"),
        (Roll("a", "a", dice=(Dice("toy.rune", 1, ("x",)),)), ["y"], "^rune has no face 'y', only: x$"),
        (Draw("a", "a", count=2, options=ABC), ["a", "a"], "of A the deck can have 1, not 2"),
        (Draw("a", "a", count=1, options=ABC), ["x"], "'x' can't be in the deck now"),
        (Draw("a", "a", count=2, options=ABC), ["a"], "2 are wanted, not 1"),
        (Draw("a", "a", count=2, options=ABC), ["a", {}], "a list of texts is wanted"),
    ],
)
def test_what_is_no_answer_is_refused_with_what_would_be(
    question: AnyAsk, wrong: object, message: str
) -> None:
    with pytest.raises(BadAnswer, match=message):
        question.accept(wrong)


@pytest.mark.parametrize(
    "wrong",
    ["x" * 6_000, ["x" * 6_000] * 6_000, 10**4_000, {"x" * 6_000: 1}],
    ids=["a text", "a list", "a number", "a table"],
)
def test_of_a_long_wrong_answer_little_is_repeated(wrong: object) -> None:
    six = Dice("d6", 1, tuple("123456"))
    for question in (
        Choose("a", "a", options=ABC),
        Pick("a", "a", options=ABC, most=6_000),
        Number("a", "a", least=1, most=6),
        Roll("a", "a", dice=(six,) * 6_000),
        Draw("a", "a", count=6_000, options=ABC),
    ):
        with pytest.raises(BadAnswer) as refused:
            question.accept(wrong)
        assert len(str(refused.value)) < 600


def test_a_hidden_card_is_named_to_nobody_and_may_be_left_unseen_as_often_as_it_is_drawn() -> None:
    options = (Option("a", "Ambush"), Option("unseen", "Leave it", copies=0))
    hidden = Draw("k", "Draw", deck="deck", count=2, options=options, face_down=True)
    assert hidden.accept(["unseen", "unseen"]) == ("unseen", "unseen")
    assert hidden.label(("a", "unseen")) == "2 hidden cards"


def test_who_picked_nothing_is_told_to_have_picked_none() -> None:
    assert Pick("a", "a", options=ABC, most=3).label(()) == "none"


def test_of_many_options_the_first_are_named() -> None:
    options = tuple(Option(str(one), "") for one in range(14))
    with pytest.raises(BadAnswer, match=r"not one of: 0, 1, .*, 11, \.\.\.$"):
        Choose("a", "a", options=options).accept("x")


UNSEEN = (*ABC, Option("?", "Unseen", copies=0))


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (Show("a", "a"), Show("a", "b"), True),
        (Choose("a", "a", options=ABC), Choose("a", "a", options=ABC[:2]), False),
        (Pick("a", "a", options=ABC, most=1), Pick("a", "a", options=ABC, most=2), False),
        (Pick("a", "a", options=ABC, most=1), Pick("a", "a", options=ABC[:2], most=1), False),
        (Number("a", "a", most=3, start=1), Number("a", "a", most=3), True),
        (Number("a", "a", most=3), Number("a", "a", most=4), False),
        (Roll("a", "a", dice=(D6,)), Roll("a", "a", dice=(D6,), locked=(Locked("d6", "1"),)), False),
        (Draw("a", "a", options=ABC), Draw("a", "a", options=UNSEEN), False),
        (Draw("a", "a", options=ABC, face_down=True), Draw("a", "a", options=UNSEEN, face_down=True), True),
        (Draw("a", "a", options=ABC, face_down=True), Draw("a", "a", options=ABC[:2], face_down=True), False),
        (Draw("a", "a", options=ABC), Draw("a", "a", options=(*ABC[:2], Option("c", "C", copies=2))), False),
    ],
)
def test_an_ask_is_the_same_one_whatever_its_words(one: AnyAsk, other: AnyAsk, is_same: bool) -> None:
    assert (one.fingerprint() == other.fingerprint()) is is_same


def test_what_is_picked_is_in_the_order_of_the_options() -> None:
    assert Pick("a", "a", options=ABC, most=3).accept(["c", "a"]) == ("a", "c")


@pytest.mark.parametrize("wrong", [4, -1, True, 1.0, "1", None])
def test_a_number_is_a_whole_one_in_its_bounds(session: Session, wrong: object) -> None:
    play(session, "stones")
    with pytest.raises(BadAnswer, match="a whole number from 0 to 3 is wanted"):
        session.answer(session.n, wrong)


def test_resume_stands_at_the_same_ask_with_the_same_state(journal: Journal, session: Session) -> None:
    play(session, "dice", True, "card", True, "stones")
    n, state, name = session.n, session.state, session.meta.id
    session.close()
    with Session.resume(journal, GAME, name) as again:
        assert (again.n, again.state, opened(again).key) == (n, state, "toy.stones")


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


def test_an_override_is_logged_and_restates_the_open_ask(journal: Journal, session: Session) -> None:
    session.override({"bag.stones": 9})
    assert "throw" in [option.id for option in opened(session).options]
    assert session.history[-1].title == "set bag.stones"
    state = session.state
    session.close()
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert again.state == state
        again.undo()
        assert again.play.state.bag.stones == 0


def test_what_is_counted_in_two_places_is_set_in_both_at_once(journal: Journal) -> None:
    with Session.create(journal, COUNTED, PACKS, Wish(seed=1)) as session:
        before = session.state
        for path in ("height", "bag.stones"):
            with pytest.raises(BrokenTable, match=r"^height = 4 and bag\.stones = 6 can't be: 10 of 9"):
                session.override({"height": 4, "bag.stones": 6})
            with pytest.raises(BadAnswer, match="there is no depth"):
                session.override({path: 4, "depth": 5})
            assert session.state == before
        session.override({"height": 4, "bag.stones": 5})
        item, state = session.history[-1], session.state
        assert (item.title, item.label) == ("set height and bag.stones", "height 0 -> 4, bag.stones 0 -> 5")
    with Session.resume(journal, COUNTED, session.meta.id) as again:
        assert again.state == state
        again.undo()
        assert again.state == before
        again.redo()
        assert again.state == state


def test_of_long_values_that_were_set_by_hand_is_told_what_differs() -> None:
    cards, numbers = ["Rifleman"] * 9 + ["Scout"] + ["Gunner"] * 5, [*range(50)]
    without = cards[:9] + cards[10:]
    moved = in_words({"bag": cards, "hand": []}, {"bag": without, "hand": ["Scout"]})
    assert moved == "bag [..., 'Scout', ...] -> [...], hand [] -> ['Scout']"
    scouts = ["Scout"] * 8
    assert in_words({"bag": scouts}, {"bag": scouts[1:]}) == "[..., 'Scout'] -> [...]"
    assert in_words({"bag": cards}, {"bag": []}) == f"{str(cards)[:40]}... -> []"
    assert in_words({"bag": [1, 2]}, {"bag": [1]}) == "[1, 2] -> [1]"
    for one, other in [(None, cards), (cards, None), (cards, cards), ("x" * 50, "y" * 50)]:
        short = [repr(value) if value is None else f"{repr(value)[:40]}..." for value in (one, other)]
        assert in_words({"bag": one}, {"bag": other}) == " -> ".join(short)
    squad: list[object] = [{"name": f"Soldier {n}", "wounds": 0} for n in range(9)]
    hurt = [*squad[:7], {"name": "Soldier 7", "wounds": 2}, squad[8]]
    told = "squad.7 {'name': 'Soldier 7', 'wounds': 0} -> {'name': 'Soldier 7', 'wounds': 2}"
    assert in_words({"squad": squad}, {"squad": hurt}) == told
    assert in_words({"squad": squad}, {"squad": hurt[7:]}).endswith(
        " -> [{'name': 'Soldier 7', 'wounds': 2}, ...]"
    )
    told = in_words({"dice": numbers}, {"dice": [one + 1 for one in numbers]})
    assert told.startswith("dice.0 0 -> 1, dice.1 1 -> 2, ")
    assert told.endswith(", dice.5 5 -> 6 and 44 more")


@pytest.mark.parametrize("answer", [4, [4], [4, 5, 6]])
def test_of_values_that_are_not_as_many_as_their_paths_none_is_set(answer: object) -> None:
    toy = Toy(setup(GAME, build(PACKS, ToyPack), {}))
    item = Item(Act.OVERRIDE, "override", "height\nbag.stones", "", answer, "player")
    with pytest.raises(BadAnswer, match="2 values were set, and others are kept"):
        Run(toy, 1).replay(item)
    assert toy.state == ToyState(deck=["a", "b", "c"], turn=1)


@pytest.mark.parametrize("value", [3, 3.0, 10**25, {"stones": 1}, {"stones": 2.0}])
def test_whatever_was_set_by_hand_is_read_back_sound(
    journal: Journal, session: Session, value: object
) -> None:
    path = "bag" if isinstance(value, dict) else "bag.stones"
    try:
        session.override({path: value})
    except BadAnswer:
        return
    state = session.state
    session.close()
    with Session.resume(journal, GAME, session.meta.id) as again:
        assert again.state == state
    assert journal.salvaged is None


def test_what_is_set_as_a_whole_is_still_what_a_script_may_hold() -> None:
    state = ToyState(deck=["a", "b"], bag=Bag(2), picked={"a": 1})
    deck, bag, picked = state.deck, state.bag, state.picked
    assign(state, "deck", ["c"])
    assign(state, "bag", {"stones": 5})
    assign(state, "picked", {"b": 2})

    assert (state.deck, state.bag, state.picked) == (["c"], Bag(5), {"b": 2})
    assert state.deck is deck
    assert state.bag is bag
    assert state.picked is picked


@pytest.mark.parametrize(
    ("stones", "places"),
    [
        ([2, 3], [1, 2]),
        ([3], [2]),
        ([1, 3], [0, 2]),
        ([1, 2], [0, 1]),
        ([9, 1, 2, 3], [None, 0, 1, 2]),
        ([7, 2, 3], [0, 1, 2]),
        ([7, 8, 9, 6], [0, 1, 2, None]),
        ([], []),
    ],
)
def test_what_is_taken_out_of_a_list_or_put_in_moves_none_of_the_others(
    stones: list[int], places: list[int | None]
) -> None:
    class Bags(msgspec.Struct):
        bags: list[Bag]

    old = [Bag(1), Bag(2), Bag(3)]
    state = Bags(list(old))
    assign(state, "bags", [{"stones": count} for count in stones])

    assert [bag.stones for bag in state.bags] == stones
    found = [next((at for at, one in enumerate(old) if one is bag), None) for bag in state.bags]
    assert found == places


def test_what_can_not_be_set_alone_stays_as_it_was() -> None:
    class Tied(msgspec.Struct, frozen=True):
        bags: list[Bag]

    class Table(msgspec.Struct):
        tied: Tied

    state = Table(Tied([Bag(1)]))
    with pytest.raises(BadAnswer, match=r"tied\.bags: can't be set alone; set what holds it"):
        assign(state, "tied.bags", [{"stones": 9}])
    assert state.tied.bags == [Bag(1)]


class Stores(msgspec.Struct):
    """Things by names and by numbers, some of them optional."""

    named: dict[str, Bag] = msgspec.field(default_factory=dict)
    spaces: dict[int, int] = msgspec.field(default_factory=dict)
    spare: dict[str, int] | None = None
    order: list[int] | None = None


@pytest.mark.parametrize(
    ("path", "value"), [("named.a.stones", 7), ("spaces.12", 7), ("spare.gold", 7), ("order.1", 7)]
)
def test_what_lies_in_a_table_or_may_be_missing_is_set_by_its_name(path: str, value: object) -> None:
    state = Stores({"a": Bag(1)}, {3: 1, 12: 1}, {"gold": 1}, [1, 1])
    take_back = assign(state, path, value)
    assert value_at(state, path) == value
    assert state.spaces.keys() == {3, 12}
    assert value_at(state, "spaces").keys() == {"3", "12"}
    with pytest.raises(BadAnswer, match=f"{path}: a whole number is wanted, not a text"):
        assign(state, path, "many")
    take_back()
    assert state == Stores({"a": Bag(1)}, {3: 1, 12: 1}, {"gold": 1}, [1, 1])


@pytest.mark.parametrize("path", ["spare", "order"])
def test_what_may_be_missing_can_be_set_missing_and_there_again(path: str) -> None:
    state = Stores(spare={"gold": 1}, order=[1, 1])
    before = value_at(state, path)
    assign(state, path, None)
    assert value_at(state, path) is None
    assign(state, path, before)
    assert value_at(state, path) == before


def test_what_can_only_be_set_as_a_whole_is_replaced_and_taken_back() -> None:
    class Card(msgspec.Struct, frozen=True):
        steps: int

    class Hand(msgspec.Struct):
        card: Card

    state = Hand(Card(1))
    take_back = assign(state, "card", {"steps": 2})
    assert state.card == Card(2)
    take_back()
    assert state.card == Card(1)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("named.b", "there is no b, only: a"),
        ("spaces.4", "there is no 4, only: 3, 12"),
        ("spare.gold", "there is no gold, only: nothing"),
        ("order.x", "there is no x, only 0 to 1"),
        ("order.-1", "there is no -1, only 0 to 1"),
        ("order." + "0" * 5000, "there is no 0"),
    ],
)
def test_a_path_that_leads_nowhere_is_told_what_there_is(path: str, said: str) -> None:
    state = Stores({"a": Bag(1)}, {3: 1, 12: 1}, {}, [1, 1])
    with pytest.raises(BadAnswer, match=re.escape(f"{path}: {said}")):
        assign(state, path, 1)


def test_a_value_of_lists_in_lists_is_refused_however_deep() -> None:
    deep = msgspec.json.decode(b"[" * 900 + b"]" * 900)
    with pytest.raises(BadAnswer, match="deck"):
        assign(ToyState(), "deck", deep)


def test_what_takes_a_set_value_back_gives_all_their_contents_again() -> None:
    class Bags(msgspec.Struct):
        bags: list[Bag]
        named: dict[str, Bag]

    one, two, three = Bag(1), Bag(2), Bag(3)
    state = Bags([one, two], {"c": three})
    for path, value in (
        ("bags", [{"stones": 9}]),
        ("bags.0", {"stones": 9}),
        ("bags.1.stones", 9),
        ("named", {"d": {"stones": 9}, "c": {"stones": 8}}),
        ("named", {}),
    ):
        take_back = assign(state, path, value)
        assert state != Bags([Bag(1), Bag(2)], {"c": Bag(3)})
        take_back()

        assert (state.bags[0], state.bags[1], state.named["c"]) == (Bag(1), Bag(2), Bag(3))
        assert state.bags[0] is one
        assert state.bags[1] is two
        assert state.named["c"] is three


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("height", "high", "a whole number is wanted"),
        ("height", 1000, "between 0 and 100"),
        ("", 1, "no path is named"),
        ("depth", 1, "there is no depth, only: height"),
        ("bag.gold", 1, "there is no gold"),
        ("deck.7", "a", "only 0 to 2"),
        ("deck." + "9" * 5000, "a", "only 0 to 2"),
        ("height.x", 1, "not inside anything"),
    ],
)
def test_an_override_that_does_not_fit_changes_nothing(
    session: Session, path: str, value: object, message: str
) -> None:
    before = (session.n, session.state)
    with pytest.raises(BadAnswer, match=message):
        session.override({path: value})
    assert (session.n, session.state) == before


def test_a_short_list_has_few_places_to_set(session: Session) -> None:
    session.override({"deck": ["a"]})
    with pytest.raises(BadAnswer, match=r"deck\.1: there is no 1, only 0$"):
        session.override({"deck.1": "a"})
    session.override({"deck": []})
    with pytest.raises(BadAnswer, match=r"deck\.1: there is no 1, only an empty list, to be set as a whole"):
        session.override({"deck.1": "a"})


class Stricter(Toy):
    """Has come to want a low hill."""

    def check(self) -> Iterable[str]:
        if self.state.height > 10:
            yield "height is 10 at most"


def test_a_value_that_was_in_order_when_it_was_set_is_set_again(journal: Journal, session: Session) -> None:
    session.override({"height": 15})
    session.override({"height": 3})
    state = session.state
    session.close()
    with Session.resume(journal, msgspec.structs.replace(GAME, start=Stricter), session.meta.id) as again:
        assert again.state == state
        with pytest.raises(BadAnswer, match="10 at most"):
            again.override({"height": 15})


def test_what_breaks_a_rule_already_keeps_no_other_value_from_being_set(
    journal: Journal, session: Session
) -> None:
    session.override({"height": 20})
    session.close()
    with Session.resume(journal, msgspec.structs.replace(GAME, start=Stricter), session.meta.id) as again:
        again.override({"deck": ["a"]})
        assert again.play.state.deck == ["a"]


class Fussy(Toy):
    """Trips over some decks: in its checks, when it asks, or when the table is shown."""

    def check(self) -> Iterable[str]:
        self.trips("check")
        return super().check()

    def ways(self) -> Choose:
        self.trips("ask")
        return super().ways()

    def board(self) -> Board:
        self.trips("board")
        return super().board()

    def svg(self) -> str:
        self.trips("svg")
        return super().svg()

    def trips(self, over: str) -> None:
        if over in self.state.deck:
            raise KeyError(over)


@pytest.mark.parametrize("over", ["check", "ask", "board", "svg"])
def test_a_value_that_the_game_trips_over_is_refused_and_not_journaled(journal: Journal, over: str) -> None:
    fussy = msgspec.structs.replace(GAME, start=Fussy)
    with Session.create(journal, fussy, PACKS, Wish(seed=7)) as session:
        play(session, "stones", 2, True)
        before = (session.n, session.state, opened(session), journal.entries(session.meta.id))
        with pytest.raises(BadAnswer, match=rf"deck = \['{over}'\] can't be: .*{over}"):
            session.override({"deck": [over]})
        assert (session.n, session.state, opened(session), journal.entries(session.meta.id)) == before
        session.override({"deck": ["a"]})
        play(session, "card", True, "stones", 1)
        state = session.state
    with Session.resume(journal, fussy, session.meta.id) as again:
        assert again.state == state


def test_a_refusal_tells_of_long_values_and_of_much_that_is_wrong_the_beginning(journal: Journal) -> None:
    class Strict(Toy):
        def check(self) -> Iterable[str]:
            return (f"{card} is no card" for card in self.state.deck if card > "c")

    strict = msgspec.structs.replace(GAME, start=Strict)
    with Session.create(journal, strict, PACKS, Wish(seed=7)) as session:
        with pytest.raises(BadAnswer) as refused:
            session.override({"deck": [f"d{number}" for number in range(99)]})
        wrong = "; ".join(f"d{number} is no card" for number in range(6))
        assert str(refused.value) == (
            f"deck = ['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6... can't be: {wrong} and 93 more"
        )
    fussy = msgspec.structs.replace(GAME, start=Fussy)
    with Session.create(journal, fussy, PACKS, Wish(seed=7)) as session:
        for over in ("check", "board"):
            with pytest.raises(BadAnswer, match=r"be: the game can't make sense of it \(KeyError: '" + over):
                session.override({"deck": [over]})


def test_a_value_that_the_game_has_come_to_trip_over_is_put_right_again_on_resuming(
    journal: Journal, session: Session
) -> None:
    session.override({"deck": ["check"]})
    session.override({"deck": ["a"]})
    state = session.state
    session.close()
    with Session.resume(journal, msgspec.structs.replace(GAME, start=Fussy), session.meta.id) as again:
        assert again.state == state


class Narrow(Toy):
    """Has no way at all without cards."""

    def ways(self) -> Choose:
        options = tuple(Option(card, f"Card {card}") for card in self.state.deck)
        return Choose("toy.way", "Which way?", options=options)


def test_a_value_that_leaves_a_question_without_an_answer_is_refused(journal: Journal) -> None:
    narrow = msgspec.structs.replace(GAME, start=Narrow)
    with Session.create(journal, narrow, PACKS, Wish(seed=7)) as session:
        before = (session.n, session.state, opened(session), journal.entries(session.meta.id))
        with pytest.raises(BrokenTable) as refused:
            session.override({"deck": []})
        assert str(refused.value) == (
            "deck = [] can't be: nothing answers 'Which way?' then; "
            "set it at another question, such as after an undo"
        )
        assert (session.n, session.state, opened(session), journal.entries(session.meta.id)) == before


def test_a_question_without_an_answer_is_left_by_as_many_values_as_it_takes(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sessions from before such values were refused may stand at one."""
    narrow = msgspec.structs.replace(GAME, start=Narrow)
    with Session.create(journal, narrow, PACKS, Wish(seed=7)) as session:
        deck = list(session.play.state.deck)
        with monkeypatch.context() as before:
            before.setattr("companion.engine.asks.Choose.answerable", lambda _: True)
            session.override({"deck": []})
        session.override({"height": 1})
        session.override({"deck": deck})
        assert session.ask.answerable()
        with pytest.raises(BadAnswer, match="nothing answers"):
            session.override({"deck": []})


@pytest.mark.parametrize(
    ("question", "answerable"),
    [
        (Show("a", "a"), True),
        (Choose("a", "a", options=(Option("a", "A"),)), True),
        (Choose("a", "a"), False),
        (Pick("a", "a", options=(Option("a", "A"),), least=1, most=1), True),
        (Pick("a", "a", options=(Option("a", "A"),), least=2, most=2), False),
        (Pick("a", "a"), True),
        (Number("a", "a", least=0, most=0), True),
        (Number("a", "a", least=0, most=-1), False),
        (Draw("a", "a", count=2, options=(Option("a", "A", copies=2),)), True),
        (Draw("a", "a", count=2, options=(Option("a", "A", copies=0),)), True),
        (Draw("a", "a", count=2, options=(Option("a", "A"),)), False),
    ],
)
def test_whether_a_question_has_an_answer(question: AnyAsk, answerable: bool) -> None:
    assert question.answerable() is answerable


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


def test_a_value_after_which_the_dice_of_software_break_the_game_is_refused(journal: Journal) -> None:
    class Hurried(Toy):
        """The toy game, where nobody is asked who has nine stones: then dice are rolled, and it breaks."""

        def one_turn(self) -> Script[None]:
            while (yield from ask(self.way)) != "pick":
                raise ZeroDivisionError("by design")

        def way(self) -> AnyAsk:
            return Roll("toy.climb", "Roll", dice=(D6,)) if self.state.bag.stones == 9 else self.ways()

    with Session.create(journal, msgspec.structs.replace(GAME, start=Hurried), PACKS) as session:
        play(session, "pick")
        before = (session.n, session.state, opened(session), journal.entries(session.meta.id))
        with pytest.raises(BadAnswer, match="ZeroDivisionError"):
            session.override({"bag.stones": 9})
        assert (session.n, session.state, opened(session), journal.entries(session.meta.id)) == before
        session.override({"bag.stones": 8})


class Sudden(Toy):
    """The toy game, which one roll ends when there are nine stones."""

    def script(self) -> Script[Outcome]:
        while (yield from ask(self.way)) == "pick":
            pass
        return Outcome(Result.WON, "stones enough")

    def way(self) -> AnyAsk:
        return Roll("toy.climb", "Roll", dice=(D6,)) if self.state.bag.stones == 9 else self.ways()


def test_a_value_after_which_the_dice_of_software_end_the_game_is_written_with_them(journal: Journal) -> None:
    game = msgspec.structs.replace(GAME, start=Sudden)
    with Session.create(journal, game, PACKS) as session:
        session.override({"bag.stones": 9})
        assert [entry.item.kind for entry in journal.entries(session.meta.id)] == ["override", "roll"]
        end = (session.ask, session.outcome, session.n)
    assert journal.session(session.meta.id).outcome == "won"
    with Session.resume(journal, game, session.meta.id) as again:
        assert (again.ask, again.outcome, again.n) == end


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


def test_a_session_has_an_id_that_none_has(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    ends = iter(["aaaa", "aaaa", "bbbb"])
    monkeypatch.setattr("secrets.token_hex", lambda _: next(ends))
    for _ in range(2):  # in one minute, as a Pi without a network may take each of its starts for
        Session.create(journal, GAME, PACKS, clock=lambda: Stamp(1.8e9, 0)).close()
    assert [meta.id[-5:] for meta in journal.sessions()] == ["-aaaa", "-bbbb"]


def test_a_whole_id_names_its_session_beside_one_that_begins_with_it(
    journal: Journal, session: Session
) -> None:
    assert journal.session(session.meta.id[:-1]).id == session.meta.id
    with pytest.raises(BadInput, match="no session 'x'; companion log list shows all there are"):
        journal.session("x")
    longer = msgspec.structs.replace(session.meta, id=f"{session.meta.id}0")
    journal.begin(longer, journal.blob(longer.pack))
    assert journal.session(session.meta.id).id == session.meta.id
    with pytest.raises(BadInput, match="give more of the id"):
        journal.session(session.meta.id[:-1])


def test_two_processes_cannot_play_one_session(session: Session, tmp_path: Path) -> None:
    with Journal(tmp_path) as other, pytest.raises(SessionBusy, match="being played elsewhere"):
        Session.resume(other, GAME, session.meta.id)


def test_who_plays_a_session_whose_lock_was_deleted_is_told_that_it_went_on_elsewhere(
    session: Session, tmp_path: Path
) -> None:
    shutil.rmtree(tmp_path / "locks")
    with Journal(tmp_path) as other, Session.resume(other, GAME, session.meta.id) as theirs:
        play(theirs, "stones")
        with pytest.raises(
            JournalFull, match="another companion plays it too; nothing of that is lost"
        ) as refused:
            play(session, "dice")
        assert "UNIQUE" not in str(refused.value)
        assert [item.answer for item in theirs.history] == ["stones"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can play for another user")
def test_what_root_plays_among_anothers_sessions_can_be_played_on_by_that_one(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        os.chown(journal.path, 65534, 65534)
        with Session.create(journal, GAME, PACKS):
            locks = tmp_path / "locks"
            assert {place.stat().st_uid for place in (locks, *locks.iterdir())} == {65534}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can play for another user")
def test_what_root_plays_first_in_anothers_folder_is_that_ones(tmp_path: Path) -> None:
    os.chown(tmp_path, 65534, 65534)
    with Journal(tmp_path / "new/data") as journal, Session.create(journal, GAME, PACKS):
        assert {place.stat().st_uid for place in tmp_path.rglob("*")} == {65534}


def test_who_has_closed_the_own_folder_is_told_how_to_open_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: path != tmp_path)
    assert f"chmod u+rwX {tmp_path}" in way_in(tmp_path / "journal.sqlite", PermissionError())
    monkeypatch.undo()
    assert "chmod" not in way_in(tmp_path / "journal.sqlite", PermissionError())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_no_file_of_roots_goes_to_who_has_put_a_link_to_it_among_the_sessions(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.touch()
    with Journal(tmp_path / "data") as journal:
        with Session.create(journal, GAME, PACKS) as session:
            play(session, "dice")
        os.chown(journal.path, 65534, 65534)
        lock = tmp_path / "data" / "locks" / session.meta.id
        lock.unlink()
        lock.symlink_to(own)
        with Session.resume(journal, GAME, session.meta.id):
            assert own.stat().st_uid == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mend for another user")
def test_what_root_mends_stays_whose_it_was_and_as_closed_to_others(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS):
        pass
    os.chown(journal.path, 65534, 65534)
    journal.path.chmod(0o600)
    journal.path.write_bytes(bytes(4096) + journal.path.read_bytes()[4096:])
    with Journal(tmp_path) as journal:
        assert journal.salvaged is not None
        mended = journal.path.stat()
    assert (mended.st_uid, mended.st_gid, mended.st_mode & 0o777) == (65534, 65534, 0o600)


def test_a_disk_that_is_gone_when_a_game_ends_is_no_fault(tmp_path: Path) -> None:
    """One in a network, or in a stick that was pulled, refuses to close a file too."""
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS) as session:
        locks = [tmp_path / "journal.lock", tmp_path / "locks" / session.meta.id]
        for file in Path("/proc/self/fd").iterdir():
            if Path(os.path.realpath(file)) in locks:
                os.close(int(file.name))  # whoever closes it again is refused


def test_where_no_lock_can_be_a_session_is_not_played_and_the_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("in the way")
    with Journal(tmp_path) as journal, pytest.raises(JournalError, match="can't be held"):
        Session.create(journal, GAME, PACKS)


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
    monkeypatch.setattr(engine_session, "LARGEST_PACKS", size - 1)
    with pytest.raises(PackError, match=f"toy: packs of {size} bytes; a game may have {size - 1}"):
        Session.create(journal, GAME, PACKS)
    assert not journal.sessions()
    monkeypatch.setattr(engine_session, "LARGEST_PACKS", size)
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


def ended(journal: Journal) -> Session:
    session = Session.create(journal, GAME, PACKS, Wish(seed=3, settings={"top": "5"}))
    while session.outcome is None:
        play(session, True if opened(session).kind == "show" else "dice")
    return session


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
