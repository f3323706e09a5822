"""`companion dice read`: one line a picture, whatever the pictures are."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import example, given
from hypothesis import strategies as st

import vision
from companion.cli.dice import Request, dice, request_from, requests
from vision import Box, Die, Reading, sets, teach


@pytest.fixture
def picture(tmp_path: Path) -> str:
    path = tmp_path / "throw.png"
    cv2.imwrite(str(path), np.full((64, 64, 3), 90, np.uint8))
    return str(path)


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A reader that sees one sure four and one doubtful two, and remembers what was expected."""
    expected: list[object] = []
    four = Die(die="d6", face="4", confidence=0.99912, bbox=Box(1.26, 2, 30, 31), sure=True)
    two = Die(die="d6", face="2", confidence=0.6, bbox=Box(40, 2, 30, 31), sure=False)
    thing = Die(die=None, face=None, confidence=0.9, bbox=Box(4, 40, 9, 9), sure=False, foreign=True)

    def read(frame: np.ndarray, dice_set: object, *, expect: object = None) -> Reading:
        expected.append(expect)
        return Reading(dice=(four, two, thing), sure=False, ms=7.891)

    monkeypatch.setattr(vision, "read", read)
    return expected


def run(*arguments: str, stdin: str = "", data: Path | None = None) -> Result:
    return CliRunner().invoke(dice, ["read", *arguments], input=stdin)


def test_a_picture_is_one_json_line_of_the_contract(picture: str) -> None:
    result = run(picture, "--set", "d6", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "file": picture,
        "set": "d6",
        "ms": 7.89,
        "sure": False,
        "dice": [
            {
                "die": "d6",
                "colour": None,
                "face": "4",
                "confidence": 0.9991,
                "bbox": [1.3, 2.0, 30.0, 31.0],
                "sure": True,
            },
            {
                "die": "d6",
                "colour": None,
                "face": "2",
                "confidence": 0.6,
                "bbox": [40.0, 2.0, 30.0, 31.0],
                "sure": False,
            },
            {
                "die": None,
                "colour": None,
                "face": None,
                "confidence": 0.9,
                "bbox": [4.0, 40.0, 9.0, 9.0],
                "sure": False,
                "foreign": True,
            },
        ],
    }


def test_a_person_gets_faces_and_question_marks(picture: str) -> None:
    assert run(picture).stdout == f"{picture}: 4 2? (60%), 1 foreign, not sure\n"


def test_a_cocked_die_has_no_face_in_the_contract(picture: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cocked = Die(die="d6", face="4", confidence=0.5, bbox=Box(4, 4, 9, 9), sure=False, cocked=True)
    reading = Reading(dice=(cocked,), sure=False, ms=1)
    monkeypatch.setattr(vision, "read", lambda frame, dice_set, *, expect: reading)
    (seen,) = json.loads(run(picture, "--json").stdout)["dice"]
    assert (seen["die"], seen["face"], seen["sure"]) == ("d6", None, False)
    assert run(picture).stdout == f"{picture}: cocked? (50%), not sure\n"


def test_a_count_that_was_not_expected_is_said(picture: str, reader: list[object]) -> None:
    words = run(picture, "--set", "d6", "--set", "d10", "--expect", "d6=3", "--expect", "d10=0").stdout
    assert words == f"{picture}: 4 2? (60%), 1 foreign, 2 d6 for 3, not sure\n"


def test_a_tray_without_dice_and_a_die_with_no_face_up_are_named(
    picture: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cocked = Die(die="d10", colour="red", face=None, confidence=0.5, bbox=Box(4, 4, 9, 9), sure=False)
    for seen, sure, words in (((), True, "no dice, sure"), ((cocked,), False, "red cocked? (50%), not sure")):
        reading = Reading(dice=seen, sure=sure, ms=1)
        monkeypatch.setattr(vision, "read", lambda frame, dice_set, *, expect, reading=reading: reading)
        assert run(picture).stdout == f"{picture}: {words}\n"


def test_dice_to_expect_are_of_the_sets(picture: str) -> None:
    result = run(picture, "--expect", "zz=2")
    assert result.exit_code == 2
    assert "--expect zz: no such die in --set; there are d6" in result.stderr
    twice = run(picture, "--expect", "d6=2", "--expect", "d6=3")
    assert "--expect d6: it can't be both 2 and 3" in twice.stderr
    asked = [f'{{"file": "{picture}", "expect": {{"zz": {count}}}}}\n' for count in (2, 0)]
    result = run("-", stdin="".join(asked))
    assert result.exit_code == 2
    assert result.stderr == f"{picture}: 'zz' expected: no such die in --set; there are d6\n"
    assert len(result.stdout.splitlines()) == 1


def test_a_bad_picture_is_reported_and_the_others_are_read(picture: str, tmp_path: Path) -> None:
    torn = tmp_path / "torn.jpg"
    torn.write_bytes(Path(picture).read_bytes()[:20])
    result = run("missing.jpg", str(torn), str(tmp_path), picture, "--json")
    assert result.exit_code == 2
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [bool(line["dice"]) for line in lines] == [False, False, False, True]
    assert not any(line["sure"] for line in lines[:3])
    errors = result.stderr.splitlines()
    assert len(errors) == 3
    assert errors[0] == "missing.jpg can't be read: No such file or directory"


def test_each_error_names_its_picture(picture: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(frame: np.ndarray, dice_set: object, *, expect: object = None) -> Reading:
        raise vision.FrameError("a frame of 8x8 is too small")

    monkeypatch.setattr(vision, "read", read)
    assert run(picture).stderr == f"{picture}: a frame of 8x8 is too small\n"


@pytest.mark.parametrize("name", ["\udcff.jpg", "a\0b.jpg", ""])
def test_a_name_that_is_no_text_or_no_name_is_reported_like_any_other(name: str) -> None:
    result = run(name, "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["error"]
    assert "can't be read" in result.stderr


def test_a_picture_is_read_without_a_look_at_standard_input(picture: str) -> None:
    result = run(picture, stdin=f'{{"file": "{picture}"}}\n')
    assert len(result.stdout.splitlines()) == 1
    result = run(picture, "-", picture, stdin=f'{{"file": "{picture}"}}\n')
    assert len(result.stdout.splitlines()) == 3


def test_standard_input_that_is_closed_names_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert not list(requests(("-",), {}))


def test_standard_input_names_pictures_and_what_is_expected(picture: str, reader: list[object]) -> None:
    stdin = f'{{"file": "{picture}", "expect": {{"d6": 3}}}}\n\n{{"file": "{picture}"}}\n'
    result = run("-", "--json", stdin=stdin)
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 2
    assert reader == [{"d6": 3}, None]


def test_nothing_expected_may_be_written_out_and_a_byte_order_mark_is_no_part_of_a_line(
    picture: str, reader: list[object]
) -> None:
    assert run("-", stdin=f'\ufeff{{"file": "{picture}", "expect": null}}\r\n').exit_code == 0
    assert reader == [None]


@pytest.mark.parametrize(
    "bad",
    [
        "nonsense",
        "[]",
        '{"file": 3}',
        '{"file": "x", "expect": {"d6": "a"}}',
        '{"file": "x", "expect": {"d6": -1}}',
        "\xff",
    ],
)
def test_a_line_that_makes_no_sense_is_one_error_and_the_next_is_read(bad: str, picture: str) -> None:
    result = run("-", "--json", stdin=f'{bad}\n{{"file": "{picture}"}}\n')
    assert result.exit_code == 2
    assert "line 1" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert json.loads(result.stdout.splitlines()[-1])["dice"]


@example(b'{"file": "\xff"}')
@given(st.binary(max_size=60) | st.just(b'{"file":"x","y":' + b"[" * 100_000))
def test_any_line_is_a_request_or_an_error(text: bytes) -> None:
    line = request_from(text, "line 1", {})
    assert isinstance(line, Request) or (line.error and not line.sure)


def test_what_is_expected_can_be_said_once_for_all(picture: str, reader: list[object]) -> None:
    run(picture, "--set", "d6", "--set", "d10", "--expect", "d6=3", "--expect", "d10=1")
    assert reader == [{"d6": 3, "d10": 1}]
    stdin = f'{{"file": "{picture}", "expect": {{"d6": 3}}}}\n{{"file": "{picture}"}}\n'
    run("-", "--expect", "d6=2", stdin=stdin)
    assert reader[1:] == [{"d6": 3}, {"d6": 2}]
    for wrong in ("three", "d6=two", "=3", "d6=" + "9" * 5000):
        assert f"--expect {wrong}: write it as DIE=COUNT" in run(picture, "--expect", wrong).stderr


def test_an_unknown_set_is_wrong_usage_and_names_the_known_ones(picture: str) -> None:
    result = run(picture, "--set", "nonsense")
    assert result.exit_code == 2
    assert "okinawa" in result.stderr


def test_a_set_that_has_to_be_taught_and_was_not_is_said(picture: str, tmp_path: Path) -> None:
    result = run(picture, "--set", "dday", "--set", "okinawa", "--json", "--data", str(tmp_path))
    assert result.stderr == "dday has not been taught: companion dice teach dday\n"
    assert json.loads(result.stdout)["set"] == "dday,okinawa"
    star = np.zeros((48, 48, 3), np.uint8)
    teach.keep(star, Box(0, 0, 24, 24), "dday", "red", "star", set_folder=tmp_path / "dice" / "dday")
    sets.save(sets.load("dday"), tmp_path / "dice")
    result = run(picture, "--set", "dday", "--data", str(tmp_path))
    assert result.stderr == "dday is half taught, each die is asked about: companion dice teach dday\n"
