"""The bench: what counts as right, wrong, asked, missed and invented, and what the report says."""

import json
import math

import cv2
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import vision
from vision import Box, Die, Reading, bench, benchreport
from vision.bench import Outcome
from vision.labels import Labelled, LabelledDie
from vision.train.posed import Posed, tray


def label(face, x=100.0, **more):
    return LabelledDie(face, bbox=Box(x, 100, 50, 50), **more)


def die(face, x=100.0, *, sure=True, **more):
    return Die(
        die="d6", face=face, confidence=0.99 if sure else 0.5, bbox=Box(x, 100, 50, 50), sure=sure, **more
    )


def scored(labels, dice, tmp_path):
    reading = Reading(dice=tuple(dice), sure=True, ms=1.0)
    return bench.score("table", Labelled(tmp_path / "a.png", "d6", tuple(labels)), reading)


@pytest.mark.parametrize(
    ("labels", "dice", "outcomes", "whole"),
    [
        ([label("3")], [die("3")], [Outcome.RIGHT], True),
        ([label("3")], [die("4")], [Outcome.WRONG], False),
        ([label("3")], [die("3", sure=False)], [Outcome.ASKED], False),
        ([label("3")], [], [Outcome.MISSED], False),
        ([label("3")], [die("3", x=140)], [Outcome.MISSED, Outcome.INVENTED], False),
        ([], [die("3", sure=False)], [], False),
        ([], [], [], True),
        ([label(None)], [die("3", sure=False)], [Outcome.ASKED], True),
        ([label(None)], [die("3")], [Outcome.WRONG], False),
        ([label("3")], [die("3"), die(None, x=300, sure=False, foreign=True)], [Outcome.RIGHT], True),
        ([label("3", colour="red")], [die("3", colour="blue")], [Outcome.WRONG], False),
        ([label("3", colour="red")], [die("3")], [Outcome.RIGHT], True),
        ([label("3", die="d10")], [die("3")], [Outcome.WRONG], False),
    ],
)
def test_each_die_has_one_outcome(labels, dice, outcomes, whole, tmp_path):
    result = scored(labels, dice, tmp_path)
    assert [one.outcome for one in result.dice] == outcomes
    assert result.whole is whole


def test_of_two_dice_the_nearer_one_belongs_to_a_label(tmp_path):
    result = scored([label("3", 100), label("5", 125)], [die("5", 123), die("3", 104)], tmp_path)
    assert [one.said for one in result.dice] == ["3", "5"]


@pytest.mark.parametrize(("w", "h"), [(80, 30), (30, 80)])
@pytest.mark.parametrize("apart", [40, 56])
def test_a_die_is_looked_for_as_far_from_a_label_as_its_longer_side_tells(w, h, apart, tmp_path):
    labelled = LabelledDie("3", bbox=Box(125 - w / 2, 125 - h / 2, w, h))
    (one, *_) = scored([labelled], [die("3", 100 + apart)], tmp_path).dice
    assert (one.outcome is Outcome.RIGHT) is (apart < 48)


def test_labels_without_boxes_are_held_against_all_that_was_read(tmp_path):
    labels = [LabelledDie("2"), LabelledDie("2"), LabelledDie("6")]
    result = scored(labels, [die("6", 10), die("2", 90), die("4", 200, sure=False)], tmp_path)
    assert sorted(one.outcome.name for one in result.dice) == ["ASKED", "RIGHT", "RIGHT"]
    result = scored([LabelledDie("2")], [die("2", sure=False), die("2", 90)], tmp_path)
    assert [one.outcome for one in result.dice] == [Outcome.RIGHT]
    result = scored([LabelledDie("2")], [die("4"), die("6", 90, sure=False)], tmp_path)
    assert [one.outcome for one in result.dice] == [Outcome.ASKED, Outcome.INVENTED]
    result = scored([label("3"), LabelledDie("2")], [die("2", 250), die("3", 400)], tmp_path)
    assert [one.outcome for one in result.dice] == [Outcome.MISSED, Outcome.RIGHT, Outcome.INVENTED]


@given(st.integers(0, 500), st.integers(1, 500))
def test_an_interval_holds_its_share_and_narrows_with_numbers(count, of):
    count = min(count, of)
    share, more = bench.share(count, of), bench.share(10 * count, 10 * of)
    assert 0 <= share.low <= count / of + 1e-12
    assert count / of - 1e-12 <= share.high <= 1
    assert more.high - more.low < share.high - share.low


def test_a_wilson_interval_is_the_published_one():
    """Newcombe 1998, table I: 81 of 263 is 0.2553 to 0.3662 by Wilson's method."""
    share = bench.share(81, 263)
    assert math.isclose(share.low, 0.2553, abs_tol=5e-5)
    assert math.isclose(share.high, 0.3662, abs_tol=5e-5)


def test_nothing_measured_says_nothing():
    assert (bench.share(0, 0).low, bench.share(0, 0).high) == (0.0, 1.0)


@pytest.mark.parametrize("there", [2, 0])
def test_more_may_be_invented_than_there_is(there):
    assert (bench.share(3, there).count, bench.share(3, there).high) == (3, 1.0)


@pytest.fixture
def two_tables(tmp_path):
    for table, faces in (("near", "3152"), ("far", "64")):
        folder = tmp_path / "tables" / table
        folder.mkdir(parents=True)
        pixels = 90 if table == "near" else 40
        dice = [Posed("d6", face, (110 + 130 * n, 240), 20 * n) for n, face in enumerate(faces)]
        cv2.imwrite(str(folder / "throw.png"), tray(dice, pixels=pixels))
        half = pixels * 0.6
        labels = [
            {"value": int(d.face), "bbox": [d.at[0] - half, d.at[1] - half, 2 * half, 2 * half]} for d in dice
        ]
        lines = [
            {"file": "throw.png", "kind": "d6", "dice": labels},
            {"file": "throw.png", "kind": "d8", "dice": []},
        ]
        (folder / "labels.jsonl").write_text("\n\n".join(json.dumps(line) for line in lines))
    return tmp_path / "tables"


def test_a_folder_of_tables_is_measured_table_by_table(two_tables, tmp_path):
    told: list[str] = []
    result = bench.run(two_tables, progress=told.append)
    assert told == ["far", "near"]
    assert [source.name for source in result.sources] == ["far", "near"]
    assert result.total.images == 2
    assert result.total.dice[Outcome.RIGHT.value].of == 6
    assert result.total.dice[Outcome.WRONG.value].count == 0
    assert result.passed_over == {"d8": 2}

    files = benchreport.write(result, tmp_path / "report")
    assert [file.name for file in files] == ["bench.json", "bench.md", "reliability.png", "confusion.png"]
    assert msgspec.json.decode(files[0].read_bytes(), type=bench.Bench) == result
    assert "| near | 1 | 4 |" in files[1].read_text()
    assert "2 of kind d8" in files[1].read_text()
    assert all(cv2.imread(str(file)) is not None for file in files[2:])


def test_tables_of_the_same_name_are_told_apart_by_where_they_lie(two_tables):
    for day in ("monday", "tuesday"):
        (two_tables / day).mkdir()
        (two_tables / ("near" if day == "monday" else "far")).rename(two_tables / day / "table")
    result = bench.run(two_tables)
    assert [(source.name, source.dice[Outcome.RIGHT.value].of) for source in result.sources] == [
        ("tables/monday/table", 4),
        ("tables/tuesday/table", 2),
    ]


def test_what_failed_is_shown_the_worst_first(tmp_path):
    picture = tray([])
    picture[100:150, 100:150], picture[100:150, 300:350] = (0, 0, 255), (255, 0, 0)
    cv2.imwrite(str(tmp_path / "a.png"), picture)
    read = [die("5", sure=False), die("4", 300), die("2", 500), die("1", 400, sure=False)]
    labels = [label("5"), label("3", 300), label("2", 500), label("6", 9000), label(None, 400)]
    result = bench.summed([scored(labels, read, tmp_path)], {})
    *_, file = benchreport.write(result, tmp_path / "report")
    assert file.name == "failures.png"
    shown = cv2.imread(str(file))
    middles = [shown[16 + 48, 48 + 96 * place].tolist() for place in range(4)]
    assert middles == [[255, 0, 0], [0, 0, 0], [0, 0, 255], [0, 0, 0]]
    nowhere = bench.summed([scored([LabelledDie("6")], [], tmp_path)], {})
    assert [one.name for one in benchreport.write(nowhere, tmp_path / "report")][2:] == [
        "reliability.png",
        "confusion.png",
    ]
    words = [bool(shown[:16, 96 * place : 96 * (place + 1)].any()) for place in range(4)]
    assert words == [True, True, True, False]


def test_reliability_holds_confidence_against_what_was_right(tmp_path):
    right = scored([label("3")], [die("3")], tmp_path)
    wrong = scored([label("3"), label("4", 300)], [die("5", sure=False), die("4", 300)], tmp_path)
    table = benchreport.reliability(bench.summed([right, wrong], {}))
    assert [(round(mean, 2), share.count, share.of) for mean, share in table] == [(0.5, 0, 1), (0.99, 2, 2)]
    sure = msgspec.structs.replace(die("3"), confidence=1.0)
    missed = bench.summed([scored([label("3"), label("4", 300)], [sure], tmp_path)], {})
    ((mean, share),) = benchreport.reliability(missed)
    assert (mean, share.count, share.of) == (1.0, 1, 1)
    assert "Passed over" not in benchreport.markdown(missed)
    assert "Shares are in per cent, in brackets their 95 % intervals" in benchreport.markdown(missed)
    assert "| - |" in benchreport.markdown(bench.summed([scored([], [], tmp_path)], {}))


def test_what_is_invented_is_no_die_and_spoils_its_picture(tmp_path):
    right = scored([label("3"), label("4", 300)], [die("3"), die("4", 300)], tmp_path)
    total = bench.summed([right, scored([label("3")], [die("3"), die("5", 300)], tmp_path)], {}).total
    shares = {outcome: (total.dice[outcome.value].count, total.dice[outcome.value].of) for outcome in Outcome}
    assert (shares[Outcome.RIGHT], shares[Outcome.INVENTED]) == ((3, 3), (1, 3))
    assert (total.whole.count, total.whole.of) == (1, 2)


def test_dice_with_a_face_up_and_cocked_ones_are_told_apart(tmp_path):
    """A cocked die that is asked about is as it should be, and no failure beside those with a face up."""
    labels = [label("3"), label("4", 300), label(None, 500), label(None, 700), label(None, 900)]
    read = [die("3"), die("4", 300, sure=False), die("2", 500, sure=False), die("6", 700), die("1", 2000)]
    total = bench.summed([scored(labels, read, tmp_path)], {}).total
    assert (total.face_up.count, total.face_up.of) == (1, 2)
    assert (total.cocked.count, total.cocked.of) == (1, 3)
    counts = [total.dice[outcome.value].count for outcome in Outcome]
    assert counts == [1, 1, 2, 1, 1]
    head, _, row, *_ = benchreport.markdown(bench.summed([scored(labels, read, tmp_path)], {})).split("\n")
    told = dict(zip(head.split(" | "), row.split(" | "), strict=True))
    assert told["right and sure with a face up"].startswith("50.0 (")
    assert told["cocked asked"].startswith("33.3 (")


def pictured(folder, *lines):
    """A labelled folder of empty trays that are said to be of these kinds, with these dice."""
    cv2.imwrite(str(folder / "a.png"), tray([]))
    labels = [json.dumps({"file": "a.png", "kind": kind, "dice": dice}) for kind, dice in lines]
    (folder / "labels.jsonl").write_text("\n".join(labels))
    return folder


def test_what_can_not_be_read_right_is_passed_over_and_told_of(tmp_path):
    slips = [("d6", [{"face": "7"}]), ("d6", [{"die": "d10", "face": "1"}]), ("d6", [{"die": "d8"}])]
    folder = pictured(tmp_path, ("d8", []), ("d100", []), *slips)
    told = ("d100", *(f"d6 with a die labelled {die}, as a.png" for die in ("7", "d10 1", "d8")), "d8")
    with pytest.raises(vision.LabelError, match=f"no dice set reads those of kind {', '.join(told)}$"):
        bench.run(folder)
    result = bench.run(pictured(tmp_path, ("d6", [{"value": 3}, {"face": None}, {"die": "d6"}]), *slips))
    assert [len(image.dice) for image in result.images] == [3]
    assert sum(result.passed_over.values()) == 3


def test_a_folder_that_only_teaches_is_refused(tmp_path):
    die = {"face": "sun", "bbox": [100, 100, 50, 50]}
    with pytest.raises(vision.LabelError, match="there is none but those of kind teach"):
        bench.run(pictured(tmp_path, ("teach", [die])))


def test_a_folder_with_nothing_labelled_is_refused(tmp_path):
    with pytest.raises(vision.LabelError, match=r"no labels\.jsonl"):
        bench.run(tmp_path)
    with pytest.raises(vision.LabelError, match="nowhere is no folder"):
        bench.run(tmp_path / "nowhere")


def test_a_picture_that_is_too_large_is_named(tmp_path):
    panorama = cv2.imencode(".png", tray([], size=(8200, 40)))[1].tobytes()
    (tmp_path / "panorama.png").write_bytes(panorama)
    (tmp_path / "labels.jsonl").write_text('{"file": "panorama.png", "kind": "d6", "dice": []}')
    with pytest.raises(vision.FrameError, match=r"panorama\.png: a frame of 8200x40 is outside"):
        bench.run(tmp_path)
