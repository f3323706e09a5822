"""`companion dice teach`: at the tray, one face after another, then throws that are put right."""

import errno
import json
import shutil
import sys
from pathlib import Path

import click
import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner, Result

import companion.cli
import vision
from companion.cli import dice_teach
from companion.cli.dice import dice
from companion.engine.errors import BadInput
from tests.engine.disk import disk_full_at
from vision import Box, Die, Reading, sets, teach
from vision.cameras import files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twenty pictures, each a little different."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for number in range(20):
        blots = np.random.default_rng(number).integers(0, 200, (6, 8, 3), dtype=np.uint8)
        cv2.imwrite(str(pictures / f"{number}.png"), cv2.resize(blots, (160, 120)))
    return pictures


@pytest.fixture(autouse=True)
def readings(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Die, ...]]:
    """What the reader says of the next pictures; of others, two untaught dice of no known colour."""
    following: list[tuple[Die, ...]] = []
    plain = (die(None, 10), die(None, 90))

    def read(frame: np.ndarray, dice_set: object) -> Reading:
        seen = following.pop(0) if following else plain
        return Reading(dice=seen, sure=False, ms=1)

    monkeypatch.setattr(vision, "read", read)
    return following


def die(face: str | None, x: float, *, colour: str | None = None, sure: bool = False) -> Die:
    return Die(die="rune", colour=colour, face=face, confidence=0.5, bbox=Box(x, 40, 40, 40), sure=sure)


def run(folder: Path, *arguments: str, typed: str = "") -> Result:
    home = folder.parent / "data"
    camera = () if "--from" in arguments else ("--camera", str(folder))
    return CliRunner().invoke(dice, ["teach", *arguments, *camera, "--data", str(home)], input=typed)


def samples(folder: Path, name: str = "rune") -> list[tuple[str, str | None, str]]:
    known = teach.samples(sets.load(name, folder.parent / "data" / "dice"))
    return [(one.die, one.colour, one.face) for one in known]


def test_each_face_is_asked_for_in_turn_and_every_die_in_view_kept(folder: Path) -> None:
    result = run(folder, "rune", "--faces", "sun, moon", typed="\n\nq\n")
    assert result.exit_code == 0, result.output
    assert "[1/2] lay the rune dice with sun up" in result.output
    assert "[2/2] lay the rune dice with moon up" in result.output
    assert samples(folder) == [("rune", None, "moon")] * 2 + [("rune", None, "sun")] * 2
    assert "rune sun: 2\n" in result.output


def test_pictures_that_end_before_all_faces_were_laid_end_with_the_report(folder: Path) -> None:
    for picture in folder.iterdir():
        if picture.name != "0.png":
            picture.unlink()
    result = run(folder, "rune", "--faces", "sun,moon", typed="\n\n")
    assert result.exit_code == 0, result.output
    assert "1 picture has been played\n  rune sun: 2\n" in result.output
    assert "rune: still to be taught: moon" in result.output


def test_a_picture_that_has_only_just_come_does_not_end_the_lesson(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LOOK_AGAIN", 0.01)
    camera = tmp_path / "camera"
    camera.mkdir()

    def taken(text: str) -> str:
        number = len(list(camera.iterdir()))
        shutil.copy(folder / f"{number}.png", camera / f"{number}.png")
        return "" if number < 4 else "q"

    taken("the first")
    monkeypatch.setattr(dice_teach, "ask", taken)
    result = run(camera, "rune", "--faces", "sun,moon")
    assert "been played" not in result.output
    assert {face for *_, face in samples(camera)} == {"sun", "moon"}


def test_dice_that_lie_as_for_the_face_before_are_no_samples_of_the_next(folder: Path) -> None:
    shutil.copy(folder / "0.png", folder / "1.png")
    result = run(folder, "rune", "--faces", "sun,moon", typed="\n\n\nq\n")
    assert "nothing has moved since the face before: nothing kept" in result.output
    assert result.output.count("[2/2] lay the rune dice with moon up") == 2
    assert samples(folder) == [("rune", None, "moon")] * 2 + [("rune", None, "sun")] * 2


def test_a_face_of_which_no_die_was_seen_is_asked_for_again(folder: Path, readings: list) -> None:
    readings.append(())
    result = run(folder, "rune", "--faces", "sun,moon", typed="\n\n\nq\n")
    assert "no die seen: nothing kept\n[1/2] lay the rune dice with sun up" in result.output
    assert samples(folder) == [("rune", None, "moon")] * 2 + [("rune", None, "sun")] * 2


def test_faces_that_the_samples_do_not_tell_apart_are_named(folder: Path) -> None:
    result = run(
        folder, "rune", "--faces", "sun,moon", typed="\n\nq\n"
    )  # one pattern of noise is like another
    assert result.output.count("still confused: rune sun is taken for moon") == 1
    assert result.output.count("companion dice samples remove rune FILE") == 1


def test_a_face_can_be_skipped_and_what_it_lacks_is_said(folder: Path) -> None:
    result = run(folder, "rune", "--faces", "sun,moon", typed="s\n\nq\n")
    assert {face for *_, face in samples(folder)} == {"moon"}
    assert "rune sun" not in result.output.split("throw the dice")[1]


def test_no_word_but_enter_takes_a_picture_and_keys_may_be_large(folder: Path) -> None:
    result = run(folder, "rune", "--faces", "sun,moon", typed="skip\n\nU\nS\nQ\n")
    assert "'skip': nothing kept; Enter takes the picture, s skips a face" in result.output
    assert "2 samples taken back" in result.output
    assert samples(folder) == []


def test_a_face_that_is_read_as_another_is_said_and_can_be_taken_back(folder: Path, readings: list) -> None:
    readings.append((die("moon", 10, sure=True), die("sun", 60, sure=True), die("moon", 110)))
    result = run(folder, "rune", "--faces", "sun,moon", typed="\nu\n\n\nq\n")
    assert "3 dice seen and kept\n  1 of them read as rune moon: if that is right, u takes" in result.output
    assert "3 samples taken back" in result.output


def test_a_face_that_looks_like_one_taught_before_is_said_while_no_reading_is_sure(folder: Path) -> None:
    result = run(folder, "rune", "--faces", "sun,moon,star", typed="\n\nu\ns\ns\nq\n")
    first, second = result.output.split("2 dice seen and kept\n")[1:]  # one pattern of noise is like another
    assert "look like" not in first
    assert second.startswith("  they look like sun did: if that is right, u takes the face back\n")
    assert {face for *_, face in samples(folder)} == {"sun"}


def test_more_dice_than_there_are_teach_nothing(folder: Path, readings: list) -> None:
    readings.append(tuple(die(None, 20 * n) for n in range(7)))
    result = run(folder, "okinawa", typed="\n\nq\n")
    assert "7 dice seen, but there are 6: take out the rest; nothing kept" in result.output
    assert result.output.count("[1/14] lay the action dice with 1 up") == 2
    assert samples(folder, "okinawa") == [("action", None, "1")] * 2


def test_a_colour_that_the_reader_can_not_tell_is_asked_for(folder: Path) -> None:
    result = run(folder, "rune", "--faces", "sun", "--colours", "red,blue", typed="\nn\nred\nblue\nq\n")
    assert "the die left: which colour? (red, blue, q)" in result.output
    assert "2 dice seen and kept: 1 red, 1 blue" in result.output
    assert samples(folder) == [("rune", "blue", "sun"), ("rune", "red", "sun")]


def test_where_the_reader_tells_the_colour_of_one_die_that_of_the_other_is_asked_for(
    folder: Path, readings: list
) -> None:
    tray = np.full((120, 160, 3), 90, np.uint8)
    tray[40:80, 10:50] = tray[40:80, 90:130] = (200, 60, 30)
    cv2.imwrite(str(folder / "0.png"), tray)
    readings += [(die(None, 10, colour="red"), die(None, 90))] * 3
    result = run(folder, "rune", "--faces", "sun", "--colours", "red,blue", typed="\n\nq\n")
    assert "left red, right blue: Enter if right, else n" in result.output
    assert samples(folder) == [("rune", "blue", "sun"), ("rune", "red", "sun")]


def test_dice_with_pips_learn_their_colours_and_lack_no_face(folder: Path) -> None:
    colours = tuple(map(vision.Supply, ("red", "white")))
    pips = vision.DieKind("d6", vision.Marks.PIPS, tuple("123456"), colours)
    sets.save(vision.DiceSet("own", (pips,)), folder.parent / "data" / "dice")
    result = run(folder, "own", typed="\nn\nred\nwhite\nq\n")
    assert samples(folder, "own") == [("d6", "red", "1"), ("d6", "white", "1")]
    assert "still to be taught" not in result.output


def test_colours_that_all_dice_look_like_are_asked_for_at_once(folder: Path) -> None:
    tray = np.full((120, 160, 3), 90, np.uint8)
    tray[40:80, 10:50], tray[40:80, 90:130] = (30, 30, 200), (200, 60, 30)
    cv2.imwrite(str(folder / "0.png"), tray)
    result = run(folder, "rune", "--faces", "sun", "--colours", "red,blue", typed="\n\nq\n")
    assert "left red, right blue: Enter if right, else n" in result.output
    assert "which colour?" not in result.output
    assert samples(folder) == [("rune", "blue", "sun"), ("rune", "red", "sun")]


def test_the_key_that_ends_does_so_where_all_colours_are_asked_for_at_once(folder: Path) -> None:
    result = run(folder, "rune", "--faces", "sun", "--colours", "red,blue", typed="\nq\nred\nblue\nq\n")
    assert "which colour?" not in result.output
    assert samples(folder) == []


def test_colours_that_the_set_has_not_so_many_of_are_asked_for(folder: Path, readings: list) -> None:
    three = tuple(die(None, x, colour="white") for x in (10, 60, 110))
    readings.append(tuple(msgspec.structs.replace(one, die="dday") for one in three))
    result = run(folder, "dday", typed="\n\nblue\n\nq\n")
    assert "the die right: which colour? (red, white, blue, q) [white]" in result.output
    assert "3 dice seen and kept: 2 white, 1 blue" in result.output
    assert sorted(colour for _, colour, _ in samples(folder, "dday")) == ["blue", "white", "white"]


def test_a_face_can_be_taken_back(folder: Path) -> None:
    result = run(folder, "rune", "--faces", "sun,moon", typed="\nu\n\ns\nq\n")
    assert result.output.count("[1/2] lay the rune dice with sun up") == 2
    assert "2 samples taken back" in result.output
    assert samples(folder) == [("rune", None, "sun")] * 2


def test_a_picture_that_was_removed_by_hand_meanwhile_does_not_end_the_lesson(
    folder: Path, readings: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = dice_teach.ask

    def ask(text: str) -> str:
        if "moon" in text:
            for file in (folder.parent / "data").rglob("sun/*.png"):
                file.unlink()
        return said(text)

    monkeypatch.setattr(dice_teach, "ask", ask)
    result = run(folder, "rune", "--faces", "sun,moon", typed="\nu\ns\n\nq\n")
    assert result.exit_code == 0, result.exception
    assert "[2/2] lay the rune dice with moon up" in result.output.split("taken back")[1]
    assert samples(folder) == [("rune", None, "moon")] * 2


def test_a_face_that_was_taken_back_is_taught_by_the_dice_as_they_lie(folder: Path) -> None:
    shutil.copy(folder / "0.png", folder / "1.png")
    result = run(folder, "rune", "--faces", "sun,moon", typed="\nu\n\ns\nq\n")
    assert "nothing has moved" not in result.output
    assert samples(folder) == [("rune", None, "sun")] * 2


def test_a_picture_that_can_not_be_read_ends_no_lesson(folder: Path) -> None:
    (folder / "0.png").write_bytes(b"torn")
    result = run(folder, "rune", "--faces", "sun,moon", typed="\n\ns\nq\n")
    assert "(Enter tries again)\n[1/2] lay the rune dice with sun up" in result.output
    assert samples(folder) == [("rune", None, "sun")] * 2
    result = run(folder, "rune", typed="s\ns\n\n\n1=moon 2=moon\nq\n")
    assert "(Enter tries again)\nthrow the dice" in result.output
    assert len(samples(folder)) == 4


def test_the_last_face_too_can_be_taken_back(folder: Path) -> None:
    result = run(folder, "rune", "--faces", "sun,moon", typed="\n\nu\nq\n")
    assert "2 samples taken back\n[2/2] lay the rune dice with moon up" in result.output
    assert samples(folder) == [("rune", None, "sun")] * 2


def test_what_was_known_before_is_not_taken_back(folder: Path) -> None:
    run(folder, "rune", "--faces", "sun", typed="\nq\n")
    assert "0 samples taken back" in run(folder, "rune", typed="\nu\nq\n").output  # the same picture again
    assert samples(folder) == [("rune", None, "sun")] * 2


def test_before_the_first_face_nothing_is_taken_back(folder: Path) -> None:
    result = run(folder, "rune", "--faces", "sun,moon", typed="u\n\nq\n")
    assert "0 samples taken back" in result.output
    assert samples(folder) == [("rune", None, "sun")] * 2


def test_a_colour_that_was_read_is_not_asked_for(folder: Path, readings: list) -> None:
    readings.append((die(None, 10, colour="red"),))
    run(folder, "rune", "--faces", "sun", "--colours", "red,blue", typed="\nq\n")
    assert samples(folder) == [("rune", "red", "sun")]


def test_a_throw_that_was_read_wrong_becomes_a_sample_and_is_reported(folder: Path, readings: list) -> None:
    wrong = (die("sun", 10, sure=True), die("moon", 90))
    readings.append(wrong)
    result = run(folder, "rune", "--faces", "sun,moon", typed="s\ns\n\n2=sun\nq\n")
    assert "1. sun, left\n" in result.output
    assert "2. moon?, right\n" in result.output
    assert samples(folder) == [("rune", None, "sun")]
    assert "sun was read as moon: 1 time" in result.output


def test_a_throw_in_which_no_die_was_seen_is_said_and_thrown_again(folder: Path, readings: list) -> None:
    readings += [(), (die("sun", 10, sure=True), die("moon", 90))]
    result = run(folder, "rune", "--faces", "sun,moon", typed="s\ns\n\n\n2=sun\nq\n")
    assert "no die seen\nthrow the dice" in result.output
    assert samples(folder) == [("rune", None, "sun")]


def test_a_colour_that_was_read_wrong_is_put_right(folder: Path, readings: list) -> None:
    readings.append((die("sun", 10, colour="red", sure=True),))
    run(folder, "rune", "--faces", "sun", "--colours", "red,blue", typed="s\n\n1=blue\nq\n")
    assert samples(folder) == [("rune", "blue", "sun")]


@pytest.mark.parametrize("typed", ["1=moon 1=blue", "1=blue 1=moon", "1=sun 1=blue 1=moon"])
def test_a_die_of_which_face_and_colour_were_read_wrong_is_one_sample(
    typed: str, folder: Path, readings: list
) -> None:
    readings.append((die("sun", 10, colour="red", sure=True),))
    result = run(
        folder, "rune", "--faces", "sun,moon", "--colours", "red,blue", typed=f"s\ns\n\n{typed}\nq\n"
    )
    assert samples(folder) == [("rune", "blue", "moon")]
    assert "moon was read as sun: 1 time" in result.output


def test_which_die_is_asked_where_several_have_the_face_and_it_was_taken_for_none(
    folder: Path, readings: list
) -> None:
    stranger = msgspec.structs.replace(die(None, 10), die=None, foreign=True)
    misread = msgspec.structs.replace(die("3", 90), die="action")
    readings.append((stranger, misread))
    run(folder, "okinawa", typed="s\n" * 14 + "\n1=1 2=7\nd10\nblack\nred\nq\n")
    assert samples(folder, "okinawa") == [("d10", "black", "1"), ("d10", "red", "7")]


def test_a_colour_says_which_die_it_is(folder: Path, readings: list) -> None:
    dice = (die("3", 10), die(None, 90))
    readings.append(tuple(msgspec.structs.replace(one, die="action") for one in dice))
    result = run(folder, "okinawa", typed="s\n" * 14 + "\n1=red 2=red\nq\n")
    assert samples(folder, "okinawa") == [("d10", "red", "3")]
    assert "red: no face was read there, write it too" in result.output
    assert "no die here" not in result.output


@pytest.mark.parametrize("typed", ["nonsense", "3=sun", "0=sun", "2=", "2=star"])
def test_a_correction_that_can_not_be_meant_changes_nothing(typed: str, folder: Path) -> None:
    result = run(folder, "rune", "--faces", "sun", typed=f"s\n\n{typed}\nq\n")
    assert result.exit_code == 0
    assert samples(folder) == []
    assert "write it as PLACE=FACE" in result.output or "no die here has a face" in result.output
    assert result.output.count("throw the dice") == 2


@pytest.mark.parametrize("typed", ["s\n\nq\n", "s\n\n"])
def test_a_lesson_ends_where_a_throw_is_put_right(typed: str, folder: Path) -> None:
    result = run(folder, "rune", "--faces", "sun", typed=typed)
    assert result.exit_code == 0
    assert "PLACE=FACE" not in result.output
    assert result.output.count("throw the dice") == 1


@pytest.mark.parametrize("typed", ["\nn\nred\nblue\n\nn\nred\nq\n", "\nn\nred\nblue\n\nn\nred\n"])
def test_a_lesson_ends_with_its_report_where_a_colour_is_asked_for(typed: str, folder: Path) -> None:
    result = run(folder, "rune", "--faces", "sun,moon", "--colours", "red,blue", typed=typed)
    assert result.exit_code == 0, result.output
    assert result.output.count("which colour?") == 4
    assert samples(folder) == [("rune", "blue", "sun"), ("rune", "red", "sun")]
    assert result.output.endswith("rune: still to be taught: moon\n")


def test_the_end_of_the_input_ends_the_lesson(folder: Path) -> None:
    assert run(folder, "rune", "--faces", "sun,moon", typed="\n").exit_code == 0
    assert {face for *_, face in samples(folder)} == {"sun"}


def test_the_last_picture_ends_the_throws_with_the_report(folder: Path) -> None:
    for number in range(2, 20):
        (folder / f"{number}.png").unlink()
    result = run(folder, "rune", "--faces", "sun", typed="\n\n\n\n")
    assert result.exit_code == 0, result.output
    assert result.output.endswith("all 2 pictures have been played\n  rune sun: 2\n")


def test_a_new_set_needs_its_faces(folder: Path) -> None:
    result = run(folder, "rune")
    assert isinstance(result.exception, BadInput)
    assert "--faces" in str(result.exception)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("rune", "--faces", "sun,mo/on"), "'mo/on' can't name a die, colour or face"),
        (("rune", "--faces", "sun", "--colours", "../red"), "'../red' can't name"),
        (("rune", "--faces", "sun", "--colours", "red,any"), "'any' is no colour of die 'rune'"),
        (("Rune", "--faces", "sun"), "'Rune' can't name a dice set"),
        (("",), "'' can't name a dice set"),
        (("dday", "--faces", "skull,boat"), "leave --faces out, or name another set"),
        (("d6", "--colours", "red"), "its colours are none"),
        (("d6",), "pips are read untaught: companion dice check --set d6 tries how well"),
        (("okinawa", "--die", "d8"), "its dice are action or d10: leave --die out"),
        (("ddya",), "known are d6, d6num, d10, okinawa, dday"),
    ],
)
def test_what_can_not_be_taught_is_said_before_anything_is(
    arguments: tuple[str, ...], problem: str, folder: Path
) -> None:
    result = run(folder, *arguments, typed="\n\n")
    assert isinstance(result.exception, BadInput)
    assert problem in str(result.exception)
    assert not (folder.parent / "data").exists()


def test_a_lesson_that_goes_on_says_what_there_is_and_what_is_still_to_be_taught(folder: Path) -> None:
    faces = ("--faces", "sun,moon,star")
    first = run(folder, "rune", *faces, typed="\nq\n")
    assert "s skips a face, u takes the last face back, q ends." in first.output
    assert "rune: still to be taught: moon, star" in first.output
    again = run(folder, "rune", *faces, typed="s\ns\nq\n")
    assert "[1/3] lay the rune dice with moon up, then Enter: " in again.output
    assert "[3/3] lay the rune dice with sun up, then Enter (2 samples so far): " in again.output


def test_a_face_of_a_single_die_is_asked_for_twice(folder: Path, readings: list) -> None:
    readings += [(die(None, 10),)] * 6
    result = run(folder, "rune", "--faces", "sun,moon", typed="\n\n\nu\nu\n\n\n\nq\n")
    assert result.output.count("one picture more of moon is needed: it is asked for again") == 2
    assert "[3/4] lay the rune dice with sun up, then Enter (1 sample so far)" in result.output
    assert "[4/4] lay the rune dice with moon up, then Enter (1 sample so far)" in result.output
    assert "[4/5]" not in result.output
    assert samples(folder) == [("rune", None, "moon")] * 2 + [("rune", None, "sun")] * 2


def test_an_own_set_that_is_taught_anew_keeps_its_faces_where_none_are_named(folder: Path) -> None:
    run(folder, "rune", "--faces", "sun,moon", typed="\nq\n")
    anew = run(folder, "rune", "--replace", typed="s\n\nq\n").output
    assert "[2/2] lay the rune dice with moon up" in anew
    assert "  rune moon: 2\n  rune: still to be taught: sun\n" in anew
    assert samples(folder) == [("rune", None, "moon")] * 2


def test_a_slip_in_the_faces_of_a_set_is_put_right_while_it_has_no_sample(folder: Path) -> None:
    run(folder, "rune", "--die", "stone", "--faces", "sn,moon", "--colours", "red", typed="q\n")
    assert "[1/2] lay the pebble dice" in run(folder, "rune", "--die", "pebble", typed="q\n").output
    run(folder, "rune", "--colours", "blue", typed="q\n")
    assert sets.load("rune", folder.parent / "data" / "dice").kinds[0].colours == ("blue",)
    run(folder, "rune", "--die", "stone", "--colours", "red", typed="q\n")
    result = run(folder, "rune", "--faces", "sun,moon", typed="\nq\n")
    assert "[1/2] lay the stone dice with sun up" in result.output
    assert samples(folder) == [("stone", "red", "sun")] * 2
    result = run(folder, "rune", "--faces", "star,moon", typed="\nq\n")
    assert "--replace with --faces teaches this one anew" in str(result.exception)


@pytest.mark.parametrize("option", [("--colours", "red,white"), ("--die", "stone"), ("--faces", "1,2,3,4")])
def test_own_dice_with_numerals_stay_so_where_their_colours_or_name_are_put_right(
    folder: Path, option: tuple[str, str]
) -> None:
    home = folder.parent / "data" / "dice"
    numerals = vision.DieKind("rune", vision.Marks.NUMERALS, tuple("1234"))
    sets.save(vision.DiceSet("rune", (numerals,)), home)
    run(folder, "rune", *option, typed="q\n")
    (kind,) = sets.load("rune", home).kinds
    assert (kind.marks, kind.faces) == (vision.Marks.NUMERALS, tuple("1234"))


def test_a_set_of_several_dice_is_no_slip_though_it_has_no_sample(folder: Path) -> None:
    home = folder.parent / "data" / "dice"
    kinds = tuple(vision.DieKind(name, vision.Marks.SYMBOLS, ("sun", "moon")) for name in ("rune", "coin"))
    sets.save(vision.DiceSet("rune", kinds), home)
    result = run(folder, "rune", "--faces", "sun", typed="q\n")
    assert "rune is known, its faces are sun,moon: " in str(result.exception)
    assert sets.load("rune", home).kinds == kinds


def test_numerals_of_which_some_were_taught_are_told_what_they_lack(folder: Path) -> None:
    first = run(folder, "d6num", typed="\nq\n").output
    assert "  d6num 1: 2\n  d6num: still to be taught: 2, 3, 4, 5, 6\n" in first
    shutil.rmtree(folder.parent / "data/dice/d6num/samples")
    assert "still to be taught" not in run(folder, "d6num", typed="q\n").output  # they are read untaught


def test_a_set_whose_file_is_broken_is_taught_as_is_said(folder: Path) -> None:
    run(folder, "rune", "--faces", "sun", typed="\nq\n")
    run(folder, "d6num", typed="\nq\n")
    for name, more in (("rune", ("--faces", "sun")), ("d6num", ())):
        (folder.parent / f"data/dice/{name}/set.json").write_text("{")
        said = str(run(folder, name).exception)
        assert said.endswith(
            f"teach the set again: {' '.join(('companion dice teach', name, '--replace', *more[:1]))}"
        )
        assert run(folder, name, "--replace", *more, typed="\nq\n").exit_code == 0
        assert {face for *_, face in samples(folder, name)} == {"sun" if more else "1"}


def test_a_built_in_set_that_is_taught_anew_has_the_faces_that_it_was_built_with(folder: Path) -> None:
    (built,) = sets.load("dday").kinds
    slip = msgspec.structs.replace(built, faces=(*built.faces, "skul"))
    sets.save(vision.DiceSet("dday", (slip,)), folder.parent / "data" / "dice")
    assert "[1/7] lay the dday dice" in run(folder, "dday", typed="q\n").output
    assert "[1/6] lay the dday dice" in run(folder, "dday", "--replace", typed="q\n").output


def test_a_known_set_grows_and_can_be_begun_anew(folder: Path) -> None:
    first = run(folder, "rune", "--faces", "sun", typed="\nq\n")
    assert "rune sun: 2\n" in first.output
    assert "still to be taught" not in first.output
    (folder / "0.png").unlink()
    run(folder, "rune", typed="\nq\n")
    assert len(samples(folder)) == 4
    run(folder, "rune", "--replace", "--faces", "moon", typed="\nq\n")
    assert set(samples(folder)) == {("rune", None, "moon")}


def test_what_was_taught_is_forgotten_with_the_first_new_sample_and_no_sooner(folder: Path) -> None:
    run(folder, "rune", "--faces", "sun", typed="\nq\n")
    known = sets.load("rune", folder.parent / "data" / "dice")
    run(folder, "rune", "--replace", "--faces", "moon", typed="s\nq\n")
    for picture in folder.glob("*.png"):
        picture.write_bytes(b"")
    run(folder, "rune", "--replace", "--faces", "moon", typed="\nq\n")
    shutil.rmtree(folder)
    run(folder, "rune", "--replace", "--faces", "moon", typed="\nq\n")
    assert samples(folder) == [("rune", None, "sun")] * 2
    assert sets.load("rune", folder.parent / "data" / "dice") == known


def test_a_full_disk_is_one_clear_line_and_what_was_taught_stays(folder: Path) -> None:
    run(folder, "rune", "--faces", "sun", typed="\nq\n")
    labelled(folder)
    for source in (("--faces", "sun"), ("--from", str(folder))):
        for replace in ((), ("--replace",)):
            with disk_full_at(500):
                result = run(folder, "rune", *source, *replace, typed="\n")
            assert isinstance(result.exception, BadInput)
            assert "can't be kept: File too large" in str(result.exception)
            assert samples(folder) == [("rune", None, "sun")] * 2


def test_whoever_reads_what_is_said_may_end_early(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(*_: object, **__: object) -> None:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    labelled(folder)
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    monkeypatch.setattr(click, "echo", closed)
    home = str(folder.parent / "data")
    assert companion.cli.run(["dice", "teach", "rune", "--from", str(folder), "--data", home]) == 0
    assert samples(folder)


def labelled(folder: Path, kind: str = "teach") -> None:
    dice = [{"die": "rune", "colour": "red", "face": "sun", "bbox": [10, 40, 40, 40]}]
    lines = [{"file": f"{number}.png", "kind": kind, "dice": dice} for number in range(2)]
    (folder / "labels.jsonl").write_text("\n".join(map(json.dumps, lines)))


def test_labelled_pictures_teach_without_a_camera(folder: Path) -> None:
    labelled(folder)
    result = run(folder, "rune", "--from", str(folder))
    assert result.exit_code == 0
    assert result.output == f"rune: 2 samples from {folder}\n  rune red sun: 2\n"
    assert samples(folder) == [("rune", "red", "sun")] * 2


def test_a_module_that_is_not_installed_yet_is_said_in_a_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    labelled(folder)
    monkeypatch.setitem(sys.modules, "threadpoolctl", None)
    taught = ["dice", "teach", "rune", "--from", str(folder), "--data", str(folder.parent / "data")]
    assert companion.cli.run(taught) == 2
    assert (
        f"this needs threadpoolctl: {sys.executable} -m pip install 'companion[vision]'"
        in capsys.readouterr().err
    )


def test_a_folder_that_teaches_nothing_is_one_clear_line(folder: Path) -> None:
    labelled(folder, kind="roll")
    assert "nothing to learn" in str(run(folder, "rune", "--from", str(folder)).exception)
    assert "can't be read" in str(run(folder, "rune", "--from", str(folder / "no")).exception)


@pytest.mark.parametrize("option", ["--die", "--faces", "--colours", "--camera"])
def test_what_the_labels_say_is_not_said_beside_them(folder: Path, option: str) -> None:
    (folder / "labels.jsonl").write_text(
        '{"file": "1.png", "kind": "teach", "dice": [{"die": "rune", "face": "sun", "bbox": [9, 9, 50, 50]}]}'
    )
    refused = run(folder, "rune", "--from", str(folder), option, "moon").exception
    assert str(refused).startswith(f"{option}: with --from the labels say what the dice are")
    assert run(folder, "rune", "--from", str(folder)).exit_code == 0


def test_one_die_that_is_taught_is_a_die(folder: Path, readings: list) -> None:
    readings.append((die("moon", 10),))
    result = run(folder, "rune", "--faces", "sun", typed="\nq\n")
    assert "1 die seen and kept\n" in result.output
