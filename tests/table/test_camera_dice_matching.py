"""From the tray to the roll: nothing is guessed, nothing is taken for rolled that was not (R14)."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.asks import Dice, Locked, Roll
from companion.table.matching import Earlier, Throw, groups, lacking, match
from vision import Box, DiceSet, Die, Reading, sets
from vision.votes import moves

D10 = tuple("0123456789")
ACTION = tuple("1234")
FACES = ("skull", "star", "soldier1", "soldier2", "courage", "tool")


def strikes(red: int, black: int = 0) -> Roll:
    dice = (Dice("okinawa.d10", red, D10, "red"), Dice("okinawa.d10", black, D10, "black"))
    return Roll("strikes", "Roll", dice=tuple(one for one in dice if one.count))


def die(
    kind: str | None, colour: str | None, face: str | None, x: float, *, sure: bool = True, **more: bool
) -> Die:
    box = Box(x, 20, 40, 40)
    return Die(
        die=kind, colour=colour, face=face, confidence=0.9, bbox=box, sure=sure and face is not None, **more
    )


def red(face: str | None, x: float, **more: bool) -> Die:
    return die("d10", "red", face, x, **more)


def throw(roll: Roll, *dice: Die, before: tuple[Die, ...] | None = (), hand: bool = False) -> Throw | None:
    dice_sets = [sets.load("dday" if roll.dice[0].die.startswith("dday") else "okinawa")]
    reading = Reading(dice=dice, sure=all(one.sure or one.foreign for one in dice), ms=1, hand=hand)
    earlier = None if before is None else Earlier(before)
    return match(roll, groups(roll, dice_sets), reading, earlier)


def faces(found: Throw | None) -> list[str | None]:
    assert found is not None
    return [place.face for place in found.places]


def test_dice_are_handed_over_in_the_order_of_the_ask() -> None:
    found = throw(strikes(2, 1), die("d10", "black", "0", 0), red("7", 200), red("3", 100))
    assert faces(found) == ["3", "7", "0"]
    assert found.doubtful == ()
    assert found.remark == ""


def test_dice_of_other_kinds_and_foreign_things_do_not_disturb() -> None:
    thing = die(None, None, None, 300, foreign=True)
    found = throw(strikes(1), die("action", None, "4", 0), red("7", 200), thing)
    assert faces(found) == ["7"]
    assert found.doubtful == ()


@pytest.mark.parametrize("thrown", [(), (red("7", 200),)], ids=["alone", "after a thrown one"])
def test_r14_a_swept_die_is_asked_about_whatever_else_came_with_it(thrown: tuple[Die, ...]) -> None:
    swept, other = red("3", 400), die("action", None, "4", 600)
    reading = Reading(dice=(*thrown, swept, other), sure=True, ms=1)
    roll, lay = strikes(1 + len(thrown)), (red("3", 0),)
    earlier = Earlier(lay, missing=lay, late=(swept, other) if thrown else ())
    found = match(roll, groups(roll, [sets.load("okinawa")]), reading, earlier)
    assert found is not None
    assert (faces(found)[-1], found.doubtful) == ("3", (len(thrown),))


@pytest.mark.parametrize(("is_late", "doubtful"), [(True, (0,)), (False, ())])
def test_r14_what_was_asked_about_and_left_its_place_may_be_a_die_that_came_since_alone(
    is_late: bool, doubtful: tuple[int, ...]
) -> None:
    came = red("7", 300)
    earlier = Earlier(asked=(red("7", 0),), late=(came, red("4", 500)) if is_late else (red("4", 500),))
    roll, reading = strikes(2), Reading(dice=(came, red("4", 500)), sure=True, ms=1)
    found = match(roll, groups(roll, [sets.load("okinawa")]), reading, earlier)
    assert found is not None
    assert (faces(found), found.doubtful) == (["7", "4"], doubtful)


@pytest.mark.parametrize(
    ("came", "moved_on", "doubtful"),
    [
        ("425", ("4", None), (0, 1, 2)),
        ("42", ("4", None), ()),
        ("42", ("4", "2"), ()),
    ],
    ids=["swept", "thrown anew beside a pushed one", "pushed"],
)
def test_r14_dice_of_the_roll_that_move_are_swept_where_one_of_earlier_rolls_comes_too(
    came: str, moved_on: tuple[str | None, ...], doubtful: tuple[int, ...]
) -> None:
    late = tuple(red(face, 600 + 100 * at) for at, face in enumerate(came))
    old, left = red("5", 0), tuple(red(face, 200 + 100 * at) for at, face in enumerate(moved_on))
    earlier = Earlier((old,), missing=(old,), late=late, moved_on=left)
    roll, reading = strikes(len(came)), Reading(dice=late, sure=True, ms=1)
    found = match(roll, groups(roll, [sets.load("okinawa")]), reading, earlier)
    assert found is not None
    assert found.doubtful == doubtful


def test_a_die_thrown_near_where_a_doubtful_one_of_another_colour_lay_is_not_asked_about() -> None:
    black, thrown = die("d10", "black", None, 0), (red("7", 60), red("3", 600))
    earlier = Earlier((black,), aside=(black,))
    roll, reading = strikes(2), Reading(dice=thrown, sure=True, ms=1)
    found = match(roll, groups(roll, [sets.load("okinawa")]), reading, earlier)
    assert found is not None
    assert (faces(found), found.doubtful) == (["7", "3"], ())


def test_dice_whose_colour_means_nothing_are_told_by_their_kind() -> None:
    action = Roll("actions", "Roll", dice=(Dice("okinawa.action", 1, ACTION),))
    found = throw(action, red("3", 0), die("action", "white", "4", 100))
    assert (faces(found), others(found), found.doubtful) == (["4"], [[]], ())


def test_a_face_that_the_game_lacks_is_asked_about() -> None:
    found = throw(strikes(2), red("12", 0), red("soldier", 100))
    assert (faces(found), found.doubtful) == ([None, None], (0, 1))


def test_a_cocked_die_is_asked_about() -> None:
    found = throw(strikes(2), red("3", 0), red(None, 100))
    assert faces(found) == ["3", None]
    assert found.doubtful == (1,)


def test_a_doubtful_die_is_asked_about_and_the_sure_one_is_not() -> None:
    assert throw(strikes(2), red("3", 0, sure=False), red("4", 100)).doubtful == (0,)


def others(found: Throw | None) -> list[list[str | None]]:
    assert found is not None
    return [[die.face for die in place.others] for place in found.places]


def test_of_too_few_dice_the_missing_one_is_asked_about() -> None:
    found = throw(strikes(3), red("3", 0), red("4", 100))
    assert faces(found) == ["3", "4", None]
    assert found.doubtful == (2,)
    assert found.remark == "2 of 3 red d10"


def test_where_all_dice_of_a_colour_are_missing_they_are_asked_about_and_the_others_are_not() -> None:
    found = throw(strikes(1, 1), red("3", 0))
    assert (faces(found), found.doubtful, found.remark) == (["3", None], (1,), "0 of 1 black d10")


def test_of_too_many_dice_it_is_asked_which_ones_and_the_other_colour_is_not() -> None:
    found = throw(strikes(1, 1), red("3", 0), red("4", 100), die("d10", "black", "9", 200))
    assert faces(found) == ["3", "9"]
    assert others(found) == [["4"], []]
    assert found.doubtful == ()
    assert found.remark == "2 red d10 for 1: this one?"


def test_of_too_many_dice_the_sure_ones_are_offered() -> None:
    found = throw(strikes(2), red("3", 0, sure=False), red("4", 100), red("5", 200))
    assert faces(found) == ["4", "5"]
    assert others(found) == [["3"], ["3"]]
    assert found.doubtful == ()


def test_which_of_too_many_is_not_asked_where_all_show_the_same() -> None:
    found = throw(strikes(1), red("3", 0), red("3", 100))
    assert (faces(found), others(found), found.doubtful) == (["3"], [[]], ())
    found = throw(strikes(1), red("3", 0), red("3", 100, sure=False))
    assert others(found) == [["3"]]


def test_something_that_may_be_one_of_the_dice_makes_all_doubtful() -> None:
    found = throw(strikes(1), red("3", 0), die(None, None, None, 100))
    assert found.doubtful == (0,)
    alone = throw(strikes(1), die(None, None, None, 100))
    assert (faces(alone), alone.doubtful) == ([None], (0,))


def test_a_hand_in_view_makes_all_doubtful() -> None:
    found = throw(strikes(1), red("3", 0), hand=True)
    assert found.doubtful == (0,)
    assert "hand" in found.remark


def test_a_tray_in_which_nothing_moved_is_no_throw() -> None:
    there = (red("3", 0), red("4", 100))
    assert throw(strikes(2), *there, before=there) is None


def test_taking_dice_out_is_no_throw() -> None:
    assert throw(strikes(1), red("4", 100), before=(red("3", 0), red("4", 100))) is None


def test_dice_that_were_left_from_the_last_roll_are_not_rolled() -> None:
    found = throw(strikes(1), red("3", 0), red("8", 150), before=(red("3", 0), red("4", 100)))
    assert faces(found) == ["8"]
    assert found.doubtful == ()


def test_a_die_that_should_have_been_rolled_and_was_not_is_asked_about() -> None:
    found = throw(strikes(2), red("3", 0), red("8", 150), before=(red("3", 0), red("4", 100)))
    assert faces(found) == ["8", None]
    assert found.doubtful == (1,)
    assert found.remark == "1 of 2 red d10"


def test_a_tray_that_was_pushed_with_its_dice_is_no_throw() -> None:
    before = (red("3", 0), red("4", 100), red("3", 300))
    assert throw(strikes(2), red("3", 90), red("4", 195), red("3", 388), before=before) is None
    assert throw(strikes(2), red("3", 90), red("4", 195), before=before) is None
    found = throw(strikes(2), red("3", 90), red("4", 260), before=before[:2])
    assert (faces(found), found.doubtful) == (["3", "4"], ())


@pytest.mark.parametrize("light", [True, False])
def test_it_is_said_whether_a_die_may_have_been_unseen_or_moved(*, light: bool) -> None:
    lay, reading = red("3", 0), Reading(dice=(red("3", 300),), sure=True, ms=1)
    earlier = Earlier(relit=True) if light else Earlier((lay,), missing=(lay,))
    found = match(strikes(1), groups(strikes(1), [sets.load("okinawa")]), reading, earlier)
    assert found.doubtful == (0,)
    assert found.remark == ("thrown, or unseen before?" if light else "thrown, or only moved?")


@pytest.mark.parametrize("far", [45, 90])
def test_a_die_that_may_only_have_been_shoved_is_asked_about(far: float) -> None:
    before = (red("3", 0), red("4", 300))
    found = throw(strikes(1), red("3", far), before=before)
    assert (faces(found), found.doubtful, found.remark) == (["3"], (0,), "thrown, or only moved?")
    beside = die("action", None, "4", 200)
    assert throw(strikes(1), red("3", far), beside, before=before).doubtful == (0,)
    assert throw(strikes(1), red("5", 45), before=before).doubtful == ()
    too_many = throw(strikes(1), red("3", far), red("5", 600), before=before)
    assert too_many.remark == "2 red d10 for 1: this one?", "which of them is asked about anyway"
    assert throw(strikes(1), red("3", 200), before=before).doubtful == ()


def test_a_die_that_is_read_otherwise_where_it_lies_is_asked_about() -> None:
    before = (red("3", 0), red("4", 100))
    found = throw(strikes(1), red("8", 4), red("4", 100), before=before)
    assert (faces(found), found.doubtful) == (["8"], (0,))


def dday(colour: str, face: str, x: float, **more: bool) -> Die:
    return die("dday", colour, face, x, **more)


def reroll(count: int, *locked: str) -> Roll:
    dice = (Dice("dday.red", count, FACES, "red"),)
    return Roll("dday", "Roll", dice=dice, locked=tuple(Locked("dday.red", face) for face in locked))


def test_a_face_that_was_taught_and_is_none_of_the_games_is_named() -> None:
    dday_set = sets.load("dday")
    (kind,) = dday_set.kinds
    other = msgspec.structs.replace(kind, faces=(*kind.faces, "medal"))
    taught = msgspec.structs.replace(dday_set, kinds=(other,), taught="dday")
    assert groups(reroll(1), [taught]) is None
    assert lacking(reroll(1), [taught]).startswith("dday was taught a face medal")
    assert lacking(strikes(1, 1), [taught]) == "no set here has okinawa.d10"
    both = msgspec.structs.replace(strikes(1), dice=(*strikes(1).dice, *reroll(1).dice))
    assert lacking(both, [dday_set]) == "no set here has okinawa.d10", "the others it has"
    third = Roll("third", "Roll", dice=(Dice("d6", 1, ("1", "2", "3")),))
    assert lacking(third, [sets.load("d6")]) == "no set here has d6"


def test_a_locked_die_that_stayed_is_told_from_the_one_that_was_rolled() -> None:
    before = (dday("red", "star", 0), dday("red", "tool", 100))
    found = throw(reroll(1, "star"), dday("red", "star", 2), dday("red", "star", 180), before=before)
    assert faces(found) == ["star"]
    assert found.doubtful == ()
    assert found.places[0].seen.bbox.x == 180


def test_a_die_that_comes_to_lie_beside_where_it_lay_is_not_taken_for_the_locked_one() -> None:
    before = (dday("red", "star", 0), dday("red", "tool", 100))
    found = throw(reroll(1, "star"), dday("red", "star", 2), dday("red", "star", 120), before=before)
    assert (faces(found), found.doubtful) == (["star"], ())


def test_a_locked_die_that_moved_is_named_and_asked_about() -> None:
    white = dday("white", "star", 300)
    before = (dday("red", "star", 0), dday("red", "tool", 100), white)
    found = throw(reroll(1, "star"), dday("red", "star", 60), dday("red", "skull", 180), white, before=before)
    assert faces(found) == ["skull"]
    assert others(found) == [["star"]]
    assert found.remark == "the locked red star has moved"


def test_a_locked_die_whose_colour_means_nothing_is_named_by_its_kind() -> None:
    again = Roll("actions", "Roll", dice=(Dice("okinawa.action", 1, ACTION),))
    again = msgspec.structs.replace(again, locked=(Locked("okinawa.action", "4"),))
    lay = die("action", None, "4", 0), die("action", None, "2", 100)
    found = throw(again, die("action", None, "4", 60), die("action", None, "1", 180), before=lay)
    assert found.remark == "the locked action 4 has moved"


def test_a_locked_die_that_was_nudged_is_nothing_to_speak_of() -> None:
    before = (dday("red", "star", 0), dday("red", "tool", 100))
    found = throw(reroll(1, "star"), dday("red", "star", 25), dday("red", "skull", 180), before=before)
    assert (faces(found), others(found), found.doubtful, found.remark) == (["skull"], [[]], (), "")


def test_a_locked_die_that_shows_another_face_is_named_and_not_taken_for_the_rolled_one() -> None:
    before = (dday("red", "star", 0), dday("red", "tool", 100))
    found = throw(reroll(1, "star"), dday("red", "skull", 10), dday("red", "courage", 180), before=before)
    assert faces(found) == ["courage"]
    assert others(found) == [["skull"]]
    assert found.remark == "the locked red star shows skull"
    found = throw(reroll(1, "star"), dday("red", None, 20), dday("red", "courage", 180), before=before)
    assert (faces(found), others(found)) == (["courage"], [[None]])
    assert found.remark == "the locked red star shows no face"


def test_r14_a_thrown_die_of_a_locked_ones_face_that_lands_where_another_lay_is_not_taken_for_that() -> None:
    before = (dday("red", "star", 0), dday("red", "tool", 180))
    tray = (dday("red", "skull", 50), dday("red", "star", 185))
    found = throw(reroll(1, "star"), *tray, before=before)
    assert (faces(found), others(found)) == (["skull"], [["star"]])
    assert found.remark == "the locked red star has moved"


def test_a_locked_die_that_was_taken_up_and_put_back_where_it_lay_is_nothing_to_speak_of() -> None:
    held = (dday("red", "star", 0), dday("red", "tool", 100))
    tray = (dday("red", "star", 5), dday("red", "skull", 180))
    roll = reroll(1, "star")
    reading, wanted = Reading(dice=tray, sure=True, ms=1), groups(roll, [sets.load("dday")])
    found = match(roll, wanted, reading, Earlier(held=held))
    assert (faces(found), found.doubtful, others(found)) == (["skull"], (), [[]])


def test_a_locked_die_that_was_turned_while_the_other_is_in_the_hand_is_not_a_roll() -> None:
    before = (dday("red", "star", 0), dday("red", "tool", 100))
    found = throw(reroll(1, "star"), dday("red", "skull", 10), before=before)
    assert found.doubtful == (0,)
    assert found.remark == "the locked red star shows skull"


def test_a_locked_die_that_is_nudged_or_turned_back_before_the_throw_is_no_throw() -> None:
    lying = (dday("red", "star", 0), dday("red", "tool", 100))
    turned = (dday("red", "skull", 0), dday("red", "tool", 100))
    assert throw(reroll(1, "star"), dday("red", "star", 20), before=lying) is None
    assert throw(reroll(1, "star"), dday("red", "star", 5), dday("red", "tool", 100), before=turned) is None
    assert throw(reroll(1, "star"), dday("red", "star", 5), before=turned) is None
    assert throw(reroll(1, "star"), dday("red", "star", 50), dday("red", "tool", 100), before=lying) is None


def test_another_die_than_the_one_to_be_rolled_is_named_and_asked_about() -> None:
    before = (dday("red", "star", 0), dday("red", "tool", 100))
    found = throw(reroll(1, "star"), dday("red", "skull", 180), dday("red", "tool", 100), before=before)
    assert (faces(found), found.doubtful) == (["skull"], (0,))
    assert found.remark == "red star is locked, but tool lies there"


def test_a_locked_die_that_can_not_be_read_for_sure_is_not_missed() -> None:
    lying = die("dday", "red", "skull", 0, sure=False)
    before = (lying, dday("red", "tool", 100))
    found = throw(reroll(1, "star"), lying, dday("red", "courage", 180), before=before)
    assert (faces(found), found.doubtful, found.remark) == (["courage"], (), "")


def test_a_locked_die_that_is_read_in_doubt_stands_for_one_alone() -> None:
    lying = dday("red", "star", 0, sure=False)
    before = (lying, dday("red", "tool", 100), dday("red", "skull", 200))
    tray = (lying, dday("red", "courage", 105), dday("red", "star", 300))
    found = throw(reroll(1, "star", "tool"), *tray, before=before)
    assert (faces(found), others(found)) == (["star"], [["courage"]])
    assert found.remark == "the locked red tool shows courage"


def test_in_a_picture_by_itself_locked_dice_may_lie_anywhere() -> None:
    found = throw(reroll(1, "star"), dday("red", "star", 60), dday("red", "skull", 180), before=None)
    assert (faces(found), others(found), found.remark) == (["skull"], [[]], "")


def test_a_locked_die_is_none_of_the_other_colours() -> None:
    dice = tuple(Dice(f"dday.{colour}", 1, FACES, colour) for colour in ("red", "white"))
    roll = Roll("dday", "Roll", dice=dice, locked=(Locked("dday.red", "star"),))
    before = (dday("red", "star", 0), dday("red", "tool", 100), dday("white", "skull", 200))
    tray = (before[0], dday("red", "tool", 300), dday("white", "star", 205))
    for lay in (before, None):
        found = throw(roll, *tray, before=lay)
        assert (faces(found), found.doubtful, others(found)) == (["tool", "star"], (), [[], []])


@pytest.mark.parametrize(
    ("white", "remark"),
    [
        ([("star", 200), ("tool", 300)], ""),
        ([("star", 500), ("tool", 240)], ""),  # moved as they lay
        ([("star", 200)], ""),  # put aside
        ([("star", 200), ("tool", 300), ("skull", 500)], ""),  # a spare one
        ([("star", 200), ("skull", 310)], "the locked white tool shows skull"),
        ([("skull", 500), ("star", 600)], "the locked white tool shows skull"),
        ([("star", 200), (None, 380)], "the locked white tool shows no face"),
        ([("star", 200), (None, 305)], ""),  # a gleam on it
    ],
)
def test_a_locked_die_of_a_colour_that_is_not_rolled_is_named_where_it_shows_another_face(
    white: list[tuple[str | None, float]], remark: str
) -> None:
    before = (dday("white", "star", 200), dday("white", "tool", 300), dday("red", "tool", 0))
    locked = tuple(Locked("dday.white", face) for face in ("star", "tool"))
    roll = msgspec.structs.replace(reroll(1), locked=(*locked, Locked("d6", "4")))
    tray = (dday("red", "courage", 100), *(dday("white", face, x) for face, x in white))
    found = throw(roll, *tray, before=before)
    assert (faces(found), found.doubtful, others(found)) == (["courage"], (), [[]]), "it is none of these"
    assert (found.remark, found.is_undone, found.is_sure) == (remark, bool(remark), not remark)


def test_in_a_picture_by_itself_a_locked_die_of_another_colour_shows_its_face_wherever_it_lies() -> None:
    roll = msgspec.structs.replace(reroll(1), locked=(Locked("dday.white", "star"),))
    for face in ("star", "skull"):
        found = throw(roll, dday("red", "tool", 60), dday("white", face, 180), before=None)
        assert (faces(found), found.doubtful) == (["tool"], ())
        assert found.remark == ("the locked white star shows skull" if face == "skull" else "")


def test_in_a_picture_by_itself_a_doubtful_die_is_not_left_out_for_a_locked_one() -> None:
    """What is read as a star, in doubt, may be what was rolled; the sure star the locked one."""
    doubtful = dday("red", "star", 60, sure=False)
    found = throw(reroll(1, "star"), doubtful, dday("red", "star", 180), before=None)
    assert [place.seen for place in found.places] == [doubtful]
    assert found.doubtful == (0,)


def test_a_picture_without_the_locked_dice_is_another_throw_of_which_it_is_asked_which() -> None:
    found = throw(reroll(1, "star"), dday("red", "tool", 60), dday("red", "skull", 180), before=None)
    assert (faces(found), others(found)) == (["tool"], [["skull"]])
    assert found.remark == "2 red dday dice for 1: this one?"
    tray = (dday("red", "star", 60), dday("red", "skull", 180))
    some = throw(reroll(1, "star", "courage"), *tray, before=None)
    assert (faces(some), others(some), some.doubtful) == (["star"], [["skull"]], ())
    assert some.remark == "2 red dday dice for 1: this one?"


def test_in_a_picture_of_too_few_dice_one_that_shows_a_locked_face_is_asked_about() -> None:
    """It may be thrown, and the locked one put aside; or the thrown one has left the tray."""
    found = throw(reroll(2, "star"), dday("red", "star", 60), dday("red", "skull", 180), before=None)
    assert (faces(found), found.doubtful) == (["star", "skull"], (0,))
    assert found.remark == "red star: thrown, or locked?"
    aside = throw(reroll(2, "star"), dday("red", "tool", 60), dday("red", "skull", 180), before=None)
    assert (faces(aside), aside.doubtful, aside.remark) == (["tool", "skull"], (), "")


@pytest.mark.parametrize("x", [180, 125])
def test_locked_dice_may_be_put_aside(x: float) -> None:
    before = (dday("red", "star", 0), dday("red", "tool", 100), dday("white", "star", 200))
    found = throw(reroll(1, "star"), dday("red", "skull", x), before=before)
    assert (faces(found), found.doubtful, found.remark) == (["skull"], (), "")


def test_where_one_locked_die_is_put_aside_its_face_may_be_thrown_beside_the_others() -> None:
    before = (dday("red", "star", 0), dday("red", "tool", 100), dday("red", "skull", 200))
    tray = (dday("red", "star", 0), dday("red", "tool", 300))
    found = throw(reroll(1, "star", "tool"), *tray, before=before)
    assert (faces(found), found.doubtful, found.remark) == (["tool"], (), "")


def test_r14_a_die_with_the_face_of_a_locked_one_that_was_seen_put_aside_is_asked_about() -> None:
    before = (dday("red", "star", 0), dday("red", "tool", 100), dday("white", "star", 200))
    dice = tuple(Dice(f"dday.{colour}", 1, FACES, colour) for colour in ("red", "white"))
    roll = Roll("dday", "Roll", dice=dice, locked=(Locked("dday.red", "star"),))
    tray = (dday("red", "star", 300), dday("white", "skull", 400))
    reading, wanted = Reading(dice=tray, sure=True, ms=1), groups(roll, [sets.load("dday")])
    found = match(roll, wanted, reading, Earlier(before, missing=before[:1], aside=before[:1]))
    assert (faces(found), found.doubtful) == (["star", "skull"], (0,))
    assert found.remark == "red star: thrown, or locked?"
    assert match(roll, wanted, reading, Earlier(before, missing=before[:1])).doubtful == ()
    white = Earlier(before, missing=before[2:], aside=before[2:])
    assert match(roll, wanted, reading, white).doubtful == ()
    reading = Reading(dice=(dday("red", "skull", 300), dday("white", "skull", 400)), sure=True, ms=1)
    found = match(roll, wanted, reading, Earlier(before, missing=before[:1], aside=before[:1]))
    assert (faces(found), found.doubtful, found.remark) == (["skull", "skull"], (), "")


@pytest.mark.parametrize(("x", "doubtful"), [(45, (0,)), (90, (0,)), (140, ())])
def test_r14_a_die_with_the_face_of_a_locked_one_that_may_have_been_pushed_is_asked_about(
    x: float, doubtful: tuple[int, ...]
) -> None:
    """A thrown die has left the tray then, or lies where a hand has taken the locked one out."""
    before = (dday("red", "star", 0), dday("red", "tool", 300), dday("red", "courage", 400))
    tray = (dday("red", "star", x), dday("red", "skull", 500))
    found = throw(reroll(2, "star"), *tray, before=before)
    assert (faces(found), found.doubtful) == (["star", "skull"], doubtful)
    assert found.remark == ("red star: thrown, or locked?" if doubtful else "")
    assert throw(reroll(2), *tray, before=before[1:]).doubtful == ()


@pytest.mark.parametrize(
    ("lay", "doubtful"),
    [
        (("3 0",), (0,)),  # both dice come from a hand, and one of them has left the tray
        (("3 0", "8 200"), ()),  # both that lay there were picked up
        (("3 0", "8 200", "5 300"), (0,)),
        (("1 0",), ()),
        (("1 0?",), (0,)),
    ],
)
def test_r14_a_die_that_may_have_been_shoved_is_asked_about_where_not_as_many_went_as_are_thrown(
    lay: tuple[str, ...], doubtful: tuple[int, ...]
) -> None:
    before = [red(each[0], int(each[2:].rstrip("?")), sure=not each.endswith("?")) for each in lay]
    found = throw(strikes(2), red("3", 60), red("4", 400), before=tuple(before))
    assert (faces(found), found.doubtful) == (["3", "4"], doubtful)
    assert found.remark == ("thrown, or only moved?" if doubtful else "")


def test_r14_a_die_that_was_seen_aside_is_asked_about_beside_a_thrown_one_of_another_colour() -> None:
    lay = (red("3", 0), red("5", 100))
    reading = Reading(dice=(red("3", 400), die("d10", "black", "9", 600)), sure=True, ms=1)
    roll = strikes(1, 1)
    found = match(roll, groups(roll, [sets.load("okinawa")]), reading, Earlier(lay, missing=lay, aside=lay))
    assert (faces(found), found.doubtful) == (["3", "9"], (0,))


def test_the_sets_faces_get_the_games_names() -> None:
    found = throw(reroll(2), dday("red", "soldier", 0), dday("red", "soldiers", 100))
    assert faces(found) == ["soldier1", "soldier2"]
    (group,) = groups(reroll(2), [sets.load("dday")])
    assert list(map(group.face_in_set, ("soldier1", "soldier2", "star", "7"))) == [
        "soldier",
        "soldiers",
        "star",
        None,
    ]


def test_of_dice_with_the_same_faces_those_of_the_games_name_are_taken() -> None:
    (kind,) = sets.load("d6").kinds
    own = DiceSet("chits", (msgspec.structs.replace(kind, name="black"), kind))
    (group,) = groups(Roll("cup", "Draw", dice=(Dice("chits.d6", 1, kind.faces),)), [own])
    assert group.kind is kind


def test_dice_that_no_set_has_are_left_to_the_player() -> None:
    chits = Roll("cup", "Draw", dice=(Dice("chit", 1, tuple("ABC")),))
    assert groups(chits, [sets.load("d6")]) is None
    both = msgspec.structs.replace(chits, dice=(Dice("d6", 1, tuple("123456")), *chits.dice))
    assert groups(both, [sets.load("d6")]) is None


def trays(most: int) -> st.SearchStrategy[list[Die]]:
    """Dice that lie apart."""
    dice = st.builds(
        red, st.sampled_from([*D10, None]), st.integers(0, 9).map(lambda n: 50 * n), sure=st.booleans()
    )
    return st.lists(dice, max_size=most, unique_by=lambda one: one.bbox.x)


@given(trays(7), trays(4), st.integers(1, 6), st.booleans())
def test_sure_means_as_many_new_sure_dice_as_were_asked_for(tray, before, count: int, hand: bool) -> None:
    found = throw(strikes(count), *tray, before=tuple(before), hand=hand)
    if found is None:
        return
    assert len(found.places) == count
    certain = [place for place in found.places if not place.doubtful]
    assert all(
        place.seen is not None and place.seen.sure and place.face == place.seen.face for place in certain
    )
    assert not (certain and hand)
    assert all(place.seen not in before for place in certain)
    if len(certain) == count and not any(place.others for place in found.places):
        new = moves(before, tray).came
        assert len(new) == count or len({one.face for one in new}) == 1
