"""What several readings agree on, and which dice moved between two throws."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision import Box, Die, Reading
from vision.votes import (
    distance,
    is_back,
    is_shoved,
    may_be_there,
    may_have_lain,
    may_show,
    moved_alike,
    moves,
    vote,
)


def die(
    face: str | None,
    x: float = 0,
    y: float = 10,
    *,
    sure: bool = True,
    colour: str = "red",
    confidence: float = 0.99,
) -> Die:
    box = Box(x, y, 40, 40)
    return Die(die="dday", colour=colour, face=face, confidence=confidence, bbox=box, sure=sure)


def reading(*dice: Die, sure: bool | None = None) -> Reading:
    certain = all(one.sure for one in dice) if sure is None else sure
    return Reading(dice=dice, sure=certain, ms=5.0)


def test_readings_that_agree_are_sure() -> None:
    result = vote([reading(die("star", 1)), reading(die("star", 2)), reading(die("star", 0))])
    assert result.sure
    assert [(one.face, one.sure) for one in result.dice] == [("star", True)]
    assert result.dice[0].bbox.x == 0
    assert result.ms == 15


def test_one_doubtful_picture_of_three_is_outvoted() -> None:
    doubtful = reading(die("star", sure=False, confidence=0.6))
    result = vote([reading(die("star")), doubtful, reading(die("star"))])
    assert result.sure
    assert result.dice[0].confidence == pytest.approx(0.86)


def test_a_die_that_most_pictures_doubt_is_doubtful() -> None:
    doubtful = reading(die("star", sure=False))
    result = vote([doubtful, reading(die("star")), doubtful])
    assert [one.sure for one in result.dice] == [False]


def test_readings_that_most_often_lack_something_are_not_sure_though_all_dice_are() -> None:
    lacking, whole = reading(die("star"), sure=False), reading(die("star"))
    assert not vote([lacking, whole, lacking]).sure
    assert vote([whole, lacking, whole]).sure


def test_one_picture_that_reads_another_face_makes_the_die_doubtful() -> None:
    result = vote([reading(die("star")), reading(die("skull")), reading(die("star"))])
    assert not result.sure
    assert [(one.face, one.sure) for one in result.dice] == [("star", False)]
    assert result.dice[0].confidence < 0.7


def test_a_die_that_most_pictures_miss_is_doubtful() -> None:
    result = vote([reading(), reading(), reading(die("star"))])
    assert not result.sure
    assert not result.dice[0].sure


def test_a_die_that_one_picture_misses_makes_the_count_doubtful() -> None:
    assert not vote([reading(die("star")), reading(), reading(die("star"))]).sure


def test_a_die_that_the_newest_picture_misses_is_there_and_doubtful_and_the_others_are_sure() -> None:
    skull = die("skull", 200)
    result = vote([reading(die("star"), skull), reading(die("star"), skull), reading(skull)])
    assert [(one.face, one.sure) for one in result.dice] == [("star", False), ("skull", True)]


def test_no_reading_is_no_vote() -> None:
    with pytest.raises(ValueError, match="no reading"):
        vote([])


def test_dice_that_stayed_are_told_from_those_that_were_rolled() -> None:
    before = [die("star", 0), die("skull", 100), die("tool", 200)]
    after = [die("star", 3), die("skull", 160), die("courage", 203)]
    result = moves(before, after)
    assert result.stayed == ((before[0], after[0]),)
    assert result.came == (after[1], after[2])
    assert result.went == (before[1], before[2])


def test_the_nearer_of_two_like_dice_is_the_one_that_stayed() -> None:
    left, right, between, beside = die("star", 0), die("star", 45), die("star", 28), die("star", 65)
    assert moves([left, right], [between]) == (((right, between),), (), (left,))
    assert moves([right], [between, beside]) == (((right, between),), (beside,), ())


def test_dice_that_all_moved_alike_were_moved_with_their_tray() -> None:
    before = (die("star", 40, 30), die("skull", 200, 90))
    assert moved_alike(moves(before, (die("star", 90, 90), die("skull", 255, 145))))
    assert not moved_alike(moves(before, (die("star", 90, 90), die("skull", 150, 30))))
    assert not moved_alike(moves(before, (die("star", 90, 90), die("skull", 250, 90))))
    assert not moved_alike(moves(before, (die("star", 90, 90), die("tool", 250, 150))))
    assert not moved_alike(moves(before[:1], (die("star", 90, 90),)))


@pytest.mark.parametrize(("x", "stayed"), [(25, True), (40, False)])
def test_a_die_that_was_pushed_a_little_with_the_same_face_up_has_stayed(x: float, stayed: bool) -> None:
    assert bool(moves([die("star")], [die("star", x)]).stayed) == stayed
    assert not moves([die("star")], [die("skull", x)]).stayed


def test_what_is_read_without_being_sure_is_still_the_die_that_lies_there() -> None:
    assert moves([die("star", sure=False)], [die("tool", 13)]).came == ()
    assert moves([die("star")], [die("tool", 13, sure=False)]).came == ()
    assert moves([die("star", sure=False)], [die("tool", 25)]).came == (die("tool", 25),)


def test_a_die_of_another_colour_in_the_same_place_is_another_die() -> None:
    assert moves([die("star")], [die("star", colour="blue")]).stayed == ()


FOREIGN = Die(die=None, face=None, confidence=0.99, bbox=Box(300, 10, 40, 40), sure=False, foreign=True)


def test_what_is_foreign_leaves_the_dice_as_sure_as_they_are() -> None:
    assert vote([reading(die("star"), FOREIGN, sure=True)] * 3).sure


def test_a_die_that_was_moved_shows_what_it_did_unless_it_was_in_doubt() -> None:
    star, skull = die("star"), die("skull", 20)
    assert may_show(star, die("star", sure=False))
    assert not may_show(star, skull)
    assert may_show(die("star", sure=False), skull)
    assert not may_show(FOREIGN, skull)


@pytest.mark.parametrize("x", [20, 60, 120])
def test_a_die_is_put_back_where_it_lay_and_shoved_a_little_farther(x: float) -> None:
    assert is_back(die("star"), die("star", x)) is (x < 30)
    assert is_shoved(die("star"), die("star", x)) is (x < 100)
    assert not is_back(die("star"), die("skull", x))
    assert not is_shoved(die("star"), die("skull", x))


def test_one_of_the_dice_that_came_may_be_one_that_shows_the_same_or_of_which_either_is_in_doubt() -> None:
    star, skull, doubtful = die("star"), die("skull", 200), die("tool", 200, sure=False)
    assert may_be_there(star, [skull, die("star", 300)])
    assert not may_be_there(star, [skull])
    assert may_be_there(star, [doubtful])
    assert may_be_there(doubtful, [skull])
    assert not may_be_there(star, [FOREIGN])


def test_what_came_may_have_lain_there_where_it_was_shoved_or_was_missing() -> None:
    star, skull, tool, far = die("star"), die("skull", 400), die("tool", sure=False), die("star", 300)
    assert may_have_lain(moves([star], [die("star", 60)]))
    assert not may_have_lain(moves([star], [far]))
    assert may_have_lain(moves([star], [far, skull]), [die("star"), skull])
    came = moves([], [far, skull])
    assert may_have_lain(came, [skull, tool])
    assert not may_have_lain(came, [skull, FOREIGN])
    assert not may_have_lain(came, [skull, die("tool")])
    assert not may_have_lain(came, [tool, tool])
    assert may_have_lain(came, [tool, tool], named=[skull])


@pytest.mark.parametrize(
    ("x", "sure", "in_place"), [(10, True, True), (20, True, False), (20, False, True), (40, False, False)]
)
def test_a_die_may_be_read_otherwise_where_it_lies_and_farther_off_if_it_is_in_doubt(
    x: float, sure: bool, in_place: bool
) -> None:
    assert may_have_lain(moves([die("star")], [die("skull", x, sure=sure)])) is in_place


@pytest.mark.parametrize("sides", [(40, 20, 20, 20), (20, 40, 20, 20), (20, 20, 40, 20), (20, 20, 20, 40)])
def test_how_far_a_die_was_moved_is_told_in_the_longest_side_of_both(sides: tuple[float, ...]) -> None:
    one, other = (
        msgspec.structs.replace(die("star"), bbox=Box(x - w / 2, 100 - h / 2, w, h))
        for x, w, h in ((100, *sides[:2]), (120, *sides[2:]))
    )
    assert distance(one, other) == 0.5
    point = msgspec.structs.replace(one, bbox=Box(100, 100, 0, 0))
    assert distance(point, point) == 0


faces = st.sampled_from(["star", "skull", "tool", None])
trays = st.lists(
    st.builds(die, faces, st.floats(0, 500), sure=st.booleans(), confidence=st.floats(0, 1)), max_size=6
)


@given(trays, trays)
def test_every_die_is_accounted_for_once(before: list[Die], after: list[Die]) -> None:
    result = moves(before, after)
    assert len(result.stayed) + len(result.went) == len(before)
    assert len(result.stayed) + len(result.came) == len(after)


@given(st.lists(trays.map(lambda dice: reading(*dice)), min_size=1, max_size=4))
def test_a_vote_is_never_surer_than_its_readings(readings: list[Reading]) -> None:
    result = vote(readings)
    assert all(die.bbox in [one.bbox for one in result.dice] for die in readings[-1].dice)
    assert all(0 <= one.confidence <= 1 for one in result.dice)
    if result.sure:
        assert any(one.sure for one in readings)
