"""A dice tower's reports fitted to the roll that is asked for: complete, in order, never stale."""

from __future__ import annotations

import math
import time

import pytest

from companion.engine.asks import Dice, Roll
from companion.engine.errors import DeviceMissing
from companion.table.dice import open_source
from companion.table.events import Seen
from companion.table.serial_dice import MOST, SerialDice
from hardware.pad_link import PadDice, PadLink
from hardware.pico.lines import pack

D6 = ("1", "2", "3", "4", "5", "6")
TEN = tuple("0123456789")
LATER = math.inf
MIXED = Roll("t.roll", "Roll", dice=(Dice("okinawa.red", 2, D6), Dice("d10", 1, TEN)))


def rolled(roll: Roll, *reports: tuple[str, str]) -> list[Seen]:
    seen: list[Seen] = []
    source = SerialDice()
    source.watch(7, roll, seen.append)
    for die, faces in reports:
        source.heard(PadDice(die, tuple(faces), LATER))
    return seen


def test_dice_are_posted_in_the_order_of_the_ask_once_all_fell() -> None:
    (seen,) = rolled(MIXED, ("d10", "0"), ("red", "5"), ("red", "3"))
    assert (seen.n, seen.faces, seen.source, seen.doubtful) == (7, ("5", "3", "0"), "serial", ())
    assert [(die.face, die.source) for die in seen.evidence.dice] == [(face, "serial") for face in "530"]


def test_nothing_is_posted_while_dice_are_missing() -> None:
    assert rolled(MIXED, ("red", "53")) == []


def test_a_face_that_the_die_has_not_is_asked() -> None:
    (seen,) = rolled(MIXED, ("d10", "0"), ("red", "59"))
    assert (seen.faces, seen.doubtful) == (("5", None, "0"), (1,))
    assert [die.face for die in seen.evidence.dice] == ["5", "", "0"]


def test_too_many_dice_are_all_doubtful() -> None:
    (seen,) = rolled(MIXED, ("red", "531"), ("d10", "4"))
    assert seen.doubtful == (0, 1, 2)


def test_r9_a_tower_that_counts_on_and_on_while_another_die_is_missing_fills_no_memory() -> None:
    source, seen = SerialDice(), []
    source.watch(7, MIXED, seen.append)
    for _ in range(1000):
        source.heard(PadDice("red", ("5", "3", "1"), LATER))
    assert len(source._faces["okinawa.red"]) == MOST
    source.heard(PadDice("d10", ("4",), LATER))
    assert [(one.faces, one.doubtful) for one in seen] == [(("5", "3", "4"), (0, 1, 2))]


@pytest.mark.parametrize(("faces", "doubtful"), [("474", (0, 1, 2)), ("444", ())])
def test_which_of_several_dice_of_one_kind_is_the_black_one_is_asked(
    faces: str, doubtful: tuple[int, ...]
) -> None:
    kinds = (Dice("okinawa.d10", 2, TEN, "red"), Dice("okinawa.d10", 1, TEN, "black"))
    (seen,) = rolled(Roll("t.roll", "Roll", dice=kinds), ("d10", faces))
    assert (seen.faces, seen.doubtful) == (tuple(faces), doubtful)


def test_dice_of_another_kind_are_passed_over() -> None:
    (seen,) = rolled(MIXED, ("d20", "7"), ("red", "53"), ("d10", "4"))
    assert (seen.faces, seen.doubtful) == (("5", "3", "4"), ())


def test_dice_that_are_thrown_again_are_seen_again() -> None:
    first, second = rolled(MIXED, ("red", "53"), ("d10", "4"), ("red", "12"), ("d10", "0"))
    assert (first.faces, second.faces) == (("5", "3", "4"), ("1", "2", "0"))
    assert second.doubtful == ()


def test_dice_that_fall_while_those_that_an_undo_kept_are_to_be_taken_are_of_no_roll() -> None:
    source, seen = SerialDice(), []
    source.watch(7, MIXED, seen.append)
    source.pass_over()
    for die, faces in (("red", "53"), ("d10", "4")):
        source.heard(PadDice(die, tuple(faces), LATER))
    assert seen == []


def test_dice_of_a_roll_that_was_answered_before_all_fell_are_not_of_the_next() -> None:
    source, seen = SerialDice(), []
    for n in (1, 2):
        source.watch(n, MIXED, seen.append)
        source.heard(PadDice("red", ("5", "3"), LATER))
    source.heard(PadDice("d10", ("4",), LATER))
    assert [(one.n, one.doubtful) for one in seen] == [(2, ())]


def test_closing_gives_the_port_back_and_hears_no_more() -> None:
    closed: list[str] = []
    source, seen = SerialDice(lambda: closed.append("port")), []
    source.watch(1, MIXED, seen.append)
    source.close()
    source.heard(PadDice("red", ("5", "3"), LATER))
    source.heard(PadDice("d10", ("4",), LATER))
    assert (closed, seen) == (["port"], [])


def test_dice_from_before_the_ask_do_not_count() -> None:
    source, seen = SerialDice(), []
    source.heard(PadDice("red", ("1", "1"), LATER))
    source.watch(1, MIXED, seen.append)
    source.heard(PadDice("d10", ("1",), LATER))
    source.rest()
    source.heard(PadDice("red", ("1", "1"), LATER))
    assert seen == []


def test_dice_of_an_earlier_roll_that_a_bad_line_brings_late_are_not_of_the_next() -> None:
    """The pad says so with how long ago they fell; the roll was answered by hand meanwhile (R14)."""
    tower, seen = SerialDice(), []
    link = PadLink(time.monotonic())
    link.feed(pack("HELLO box 1 u n tower=1"), time.monotonic())
    one_die = Roll("t.roll", "Roll", dice=(Dice("d6", 1, D6),))
    for n in (1, 2):
        tower.watch(n, one_die, seen.append)
    for line in ("E 1 dice d6 2 6000", "E 2 dice d6 5 0"):
        for report in link.feed(pack(line), time.monotonic()):
            tower.heard(report)
    assert [(one.n, one.faces) for one in seen] == [(2, ("5",))]


def test_a_demanded_tower_that_is_missing_says_so(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.toml").write_text("[pad]\nenabled = false\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "config.toml"))
    with pytest.raises(DeviceMissing, match="--dice serial: switched off"):
        open_source("serial", None, tmp_path)
