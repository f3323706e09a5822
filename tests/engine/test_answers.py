"""Which answers a question takes, and how it is told what it would take."""

import pytest

from companion.engine import BadAnswer, Session
from companion.engine.asks import AnyAsk, Choose, Dice, Draw, Locked, Number, Option, Pick, Roll, Show
from tests.engine.playing import play
from tests.engine.toy import D6

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
