"""Teaching: samples are pictures that can be looked at and removed, and sets grow from labels."""

import contextlib
import errno
import json
import math
import os
import shutil
import time
import zipfile
from functools import cache, partial
from pathlib import Path
from threading import Thread

import cv2
import msgspec
import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import vision
from tests.engine.disk import disk_full_at
from vision import Box, align, bench, sets, taught, teach
from vision.faces import View
from vision.reader import Reader
from vision.taught import Gallery
from vision.train.posed import BLACK, BLUE, RED, WHITE, Posed, tray

LEVEL = np.zeros(2)  # the slope of a die that is seen from straight above
SYMBOLS = {"star": "11", "wrench": "23", "boot": "48"}  # faces of a made-up die: the generator's symbols
COLOURS = [("red", RED), ("blue", BLUE)] * 2
SPOTS = [(120 + 130 * n, 150 + 90 * (n % 2)) for n in range(4)]


@pytest.fixture
def lesson_folder(tmp_path):
    """A labelled folder with two teaching images a face of a red and a blue die, and one throw."""
    folder = tmp_path / "lesson"
    folder.mkdir()
    lines = [_picture(folder, f"{face}-{n}.png", [face] * 4, n) for face in SYMBOLS for n in range(2)]
    lines.append(_picture(folder, "throw.png", ["boot", "star", "wrench", "star"], 7) | {"kind": "roll"})
    (folder / "labels.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def _picture(folder, name, faces, seed):
    (folder / name).write_bytes(_drawn(tuple(faces), seed))
    labels = [
        {"die": "camp", "colour": colour, "face": face, "bbox": [x - 45, y - 45, 90, 90]}
        for face, (x, y), (colour, _) in zip(faces, SPOTS, COLOURS, strict=True)
    ]
    return {"file": name, "kind": "teach", "dice": labels}


@cache
def _drawn(faces, seed):
    dice = [
        Posed("symbols", SYMBOLS[face], spot, 40 * n + 25 * seed, body=body, ink=WHITE)
        for n, (face, spot, (_, body)) in enumerate(zip(faces, SPOTS, COLOURS, strict=True))
    ]
    return cv2.imencode(".png", tray(dice, pixels=80, seed=seed))[1].tobytes()


def test_a_set_that_nobody_knows_is_made_of_its_labels(lesson_folder, tmp_path):
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    (kind,) = lesson.dice_set.kinds
    assert (kind.name, kind.marks) == ("camp", sets.Marks.SYMBOLS)
    assert set(kind.faces) == set(SYMBOLS)
    assert {supply.colour for supply in kind.supply} == {"red", "blue"}
    assert len(lesson.samples) == 24
    assert sets.load("camp-dice", tmp_path / "data") == lesson.dice_set
    assert "camp-dice" in sets.names(tmp_path / "data")


def test_what_nobody_drew_a_box_round_or_has_no_face_up_teaches_nothing(lesson_folder, tmp_path):
    dice = [{"die": "camp", "face": "moon"}, {"die": "night", "bbox": [50, 50, 90, 90]}]
    with (lesson_folder / "labels.jsonl").open("a") as labels:
        labels.write(json.dumps({"file": "star-0.png", "kind": "teach", "dice": dice}))
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path)
    (kind,) = lesson.dice_set.kinds
    assert set(kind.faces) == {sample.face for sample in lesson.samples} == set(SYMBOLS)


def test_a_new_set_of_dice_that_are_known_is_read_as_they_are(tmp_path):
    """Pips stay pips, though each of their faces is called by a digit."""
    die = {"die": "d6", "face": "5", "bbox": [10, 10, 20, 20]}
    cv2.imwrite(str(tmp_path / "x.png"), np.full((90, 90, 3), 80, np.uint8))
    (tmp_path / "labels.jsonl").write_text(json.dumps({"file": "x.png", "kind": "teach", "dice": [die]}))
    (kind,) = teach.from_folder("ours", tmp_path, tmp_path / "data").dice_set.kinds
    assert (kind.marks, kind.faces) == (sets.Marks.PIPS, tuple("123456"))


@pytest.mark.parametrize(
    ("faces", "marks"),
    [("0 7", sets.Marks.NUMERALS), ("1 10", sets.Marks.SYMBOLS), ("1 ²", sets.Marks.SYMBOLS)],
)
def test_new_dice_have_numerals_where_all_that_they_show_is_a_digit(faces, marks, tmp_path):
    dice = [{"die": "own", "face": face, "bbox": [10, 10, 20, 20]} for face in faces.split()]
    cv2.imwrite(str(tmp_path / "x.png"), np.full((90, 90, 3), 80, np.uint8))
    (tmp_path / "labels.jsonl").write_text(json.dumps({"file": "x.png", "kind": "teach", "dice": dice}))
    (kind,) = teach.from_folder("ours", tmp_path, tmp_path / "data").dice_set.kinds
    assert (kind.marks, kind.faces) == (marks, tuple(faces.split()))


@pytest.mark.parametrize(
    ("dice", "shown", "marks"),
    [
        ("d6", "1 2 3 4 5 6", "pips"),
        ("d6num", "1 2 3 4 5 6", "numerals"),
        ("symbols", "11 23 48 11 23 48", "symbols"),
    ],
)
def test_what_an_unknown_die_has_on_its_faces_is_seen(tmp_path, dice, shown, marks):
    """Labels may call each by digits; pips and symbols taken for numerals were foreign to their own set."""
    places = [(90 * n, 240) for n in range(1, 7)]
    posed = [Posed(dice, face, place, 10) for face, place in zip(shown.split(), places, strict=True)]
    picture = tray(posed)
    called = [str(1 + shown.split().index(face)) for face in shown.split()]
    boxes = [
        {"face": face, "bbox": [x - 30, y - 30, 60, 60]} for face, (x, y) in zip(called, places, strict=True)
    ]
    cv2.imwrite(str(tmp_path / "x.png"), picture)
    (tmp_path / "labels.jsonl").write_text(json.dumps({"file": "x.png", "kind": "teach", "dice": boxes}))
    dice_set = teach.from_folder("ours", tmp_path, tmp_path / "data").dice_set
    (kind,) = dice_set.kinds
    assert (kind.name, kind.marks.value, set(kind.faces)) == ("ours", marks, set(called))
    told = vision.read(picture, dice_set).dice
    assert sorted(die.face for die in told if not die.foreign) == sorted(called)


@pytest.mark.parametrize(("dice", "face", "called"), [("d6", "3", "7"), ("d10", "4", "0")])
def test_faces_that_no_pip_die_has_are_no_pips(tmp_path, dice, face, called):
    cv2.imwrite(str(tmp_path / "x.png"), tray([Posed(dice, face, (200, 200), 10)]))
    die = {"face": called, "bbox": [170, 170, 60, 60]}
    (tmp_path / "labels.jsonl").write_text(json.dumps({"file": "x.png", "kind": "teach", "dice": [die]}))
    (kind,) = teach.from_folder("ours", tmp_path, tmp_path / "data").dice_set.kinds
    assert kind.marks is (sets.Marks.NUMERALS if called == "0" else sets.Marks.SYMBOLS)


def test_samples_are_pictures_in_a_folder_for_each_face(lesson_folder, tmp_path):
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    files = sorted((tmp_path / "data/camp-dice/samples/camp/red/star").glob("*.png"))
    assert len(files) == 4
    assert all(cv2.imread(str(file)).shape == (135, 135, 3) for file in files)
    assert {s.file for s in teach.samples(lesson.dice_set)} == {s.file for s in lesson.samples}


def test_what_a_set_is_taught_meanwhile_by_others_stays(lesson_folder, tmp_path, monkeypatch):
    other = sets.DiceSet("camp", (sets.DieKind("camp", sets.Marks.SYMBOLS, ("moon",)),))
    write = sets.write

    def meanwhile(file, content):
        monkeypatch.setattr(sets, "write", write)
        sets.save(other, tmp_path / "data")
        write(file, content)

    monkeypatch.setattr(sets, "write", meanwhile)
    lesson = teach.from_folder("camp", lesson_folder, tmp_path / "data")
    (kind,) = lesson.dice_set.kinds
    assert set(kind.faces) == {*SYMBOLS, "moon"}
    assert sets.load("camp", tmp_path / "data") == lesson.dice_set


def test_teaching_the_same_again_adds_nothing(lesson_folder, tmp_path):
    first = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    again = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    assert again.dice_set == first.dice_set
    assert len(teach.samples(again.dice_set)) == 24


def test_a_picture_that_is_labelled_twice_is_counted_once(lesson_folder, tmp_path):
    labels = lesson_folder / "labels.jsonl"
    labels.write_text(labels.read_text() * 2)
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    assert len(lesson.samples) == len(teach.samples(lesson.dice_set)) == 24


def test_a_removed_sample_is_gone_and_may_be_removed_again(lesson_folder, tmp_path):
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    for _ in range(2):
        teach.remove(lesson.samples[0])
        assert len(teach.samples(lesson.dice_set)) == 23


def test_replacing_forgets_what_was_taught_before(lesson_folder, tmp_path):
    data = tmp_path / "data"
    lesson = teach.from_folder("camp-dice", lesson_folder, data)
    extra = teach.keep(
        np.zeros((90, 90, 3), np.uint8),
        Box(10, 10, 40, 40),
        "camp",
        "red",
        "star",
        set_folder=data / "camp-dice",
    )
    assert len(teach.samples(lesson.dice_set)) == 25
    again = teach.from_folder("camp-dice", lesson_folder, data, replace=True)
    assert extra.file not in {sample.file for sample in teach.samples(again.dice_set)}


def test_nothing_is_forgotten_for_pictures_that_can_not_be_read(lesson_folder, tmp_path):
    data = tmp_path / "data"
    lesson = teach.from_folder("camp-dice", lesson_folder, data)
    (lesson_folder / "wrench-1.png").write_bytes(b"")
    with pytest.raises(vision.FrameError, match=r"wrench-1\.png"):
        teach.from_folder("camp-dice", lesson_folder, data, replace=True)
    assert set(teach.samples(sets.load("camp-dice", data))) == set(lesson.samples)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can teach for another user")
@pytest.mark.parametrize("replace", [False, True], ids=["more", "anew"])
def test_what_root_teaches_in_anothers_folder_is_that_ones(lesson_folder, tmp_path, replace):
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, 65534, 65534)
    for _ in range(2):
        lesson = teach.from_folder("camp-dice", lesson_folder, home / "data/dice", replace=replace)
    Reader().gallery(lesson.dice_set)
    made = [*home.rglob("*")]
    assert lesson.samples[0].file in made
    assert {file.suffix for file in made} >= {".png", ".json", ".npz"}
    assert {place.stat().st_uid for place in made} == {65534}


def test_a_full_disk_leaves_no_half_of_a_sample_or_a_set(lesson_folder, tmp_path):
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    folder = tmp_path / "data/camp-dice"
    picture = np.zeros((90, 90, 3), np.uint8)
    with disk_full_at(40):
        with pytest.raises(OSError, match="File too large"):
            teach.keep(picture, Box(10, 10, 40, 40), "camp", "red", "star", set_folder=folder)
        with pytest.raises(OSError, match="File too large"):
            sets.save(lesson.dice_set, tmp_path / "data")
    assert set(teach.samples(sets.load("camp-dice", tmp_path / "data"))) == set(lesson.samples)
    assert not list(folder.rglob("*.part"))


def test_nothing_is_forgotten_for_a_disk_that_takes_no_more(lesson_folder, tmp_path):
    data = tmp_path / "data"
    lesson = teach.from_folder("camp-dice", lesson_folder, data)
    with disk_full_at(40), pytest.raises(OSError, match="File too large"):
        teach.from_folder("camp-dice", lesson_folder, data, replace=True)
    assert set(teach.samples(sets.load("camp-dice", data))) == set(lesson.samples)
    assert [path.name for path in data.iterdir()] == ["camp-dice"]


def test_a_face_whose_pictures_the_disk_does_not_take_leaves_its_die_taught_in_full(lesson_folder, tmp_path):
    data = tmp_path / "data"
    before = teach.from_folder("camp-dice", lesson_folder, data).dice_set
    labels = lesson_folder / "labels.jsonl"
    labels.write_text(labels.read_text().replace('"star"', '"sun"'))
    with disk_full_at(1000), pytest.raises(OSError, match="File too large"):
        teach.from_folder("camp-dice", lesson_folder, data)
    assert sets.load("camp-dice", data) == before
    assert teach.complete(before) == {"camp"}


def test_of_a_lesson_that_the_disk_does_not_take_in_full_nothing_fills_it(
    lesson_folder, tmp_path, monkeypatch
):
    """Of a set without its file no sample is listed, so that none could be removed."""

    def full(file: Path, content: bytes) -> None:
        if file.name == sets.SET_FILE:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(file, content)

    write = sets.write
    monkeypatch.setattr(sets, "write", full)
    own = teach.keep(
        np.zeros((90, 90, 3), np.uint8),
        Box(10, 10, 40, 40),
        "camp",
        None,
        "star",
        set_folder=tmp_path / "camp-dice",
    )
    with pytest.raises(OSError, match="No space left"):
        teach.from_folder("camp-dice", lesson_folder, tmp_path)
    assert list((tmp_path / "camp-dice").rglob("*.*")) == [own.file]


def test_what_a_lesson_that_was_cut_off_has_left_is_no_part_of_the_next(lesson_folder, tmp_path):
    data, picture = tmp_path / "data", np.full((90, 90, 3), 80, np.uint8)
    lesson = teach.from_folder("camp-dice", lesson_folder, data)
    left = data / ".camp-dice.new/camp-dice"
    teach.keep(picture, Box(9, 9, 30, 30), "camp", "red", "moon", set_folder=left)
    again = teach.from_folder("camp-dice", lesson_folder, data, replace=True)
    assert set(teach.samples(again.dice_set)) == set(lesson.samples)
    assert [path.name for path in data.iterdir()] == ["camp-dice"]


def test_a_set_that_can_not_take_the_place_of_the_one_before_leaves_it_there(
    lesson_folder, tmp_path, monkeypatch
):
    data = tmp_path / "data"
    lesson = teach.from_folder("camp-dice", lesson_folder, data)
    rename = Path.rename

    def failing(path, target):
        if path.parent.name == ".camp-dice.new" and path.name == "camp-dice":
            raise OSError(errno.EIO, "Input/output error")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(OSError, match="Input/output error"):
        teach.from_folder("camp-dice", lesson_folder, data, replace=True)
    assert set(teach.samples(sets.load("camp-dice", data))) == set(lesson.samples)
    assert [path.name for path in data.iterdir()] == ["camp-dice"]


def test_a_set_is_taught_anew_by_one_at_a_time(lesson_folder, tmp_path):
    taught = partial(teach.from_folder, "camp", lesson_folder, tmp_path / "data", replace=True)
    with (
        contextlib.suppress(OSError),
        teach.anew("camp", tmp_path / "data"),
        pytest.raises(sets.DiceSetError, match="camp is being taught anew elsewhere; repeat when"),
    ):
        taught()
    assert len(teach.samples(taught().dice_set)) == 24


def test_what_a_set_was_taught_is_found_where_teaching_it_anew_was_cut_off(lesson_folder, tmp_path):
    data = tmp_path / "data"
    lesson = teach.from_folder("camp-dice", lesson_folder, data)
    room = data / ".camp-dice.new"
    room.mkdir()
    (data / "camp-dice").rename(room / ".before")
    assert "camp-dice" in sets.names(data)
    (data / "camp-dice").rename(room / ".before")
    assert set(teach.samples(sets.load("camp-dice", data))) == set(lesson.samples)


def test_who_looks_for_a_set_just_as_it_is_taught_anew_puts_nothing_back(
    lesson_folder, tmp_path, monkeypatch
):
    data = tmp_path / "data"
    teach.from_folder("camp-dice", lesson_folder, data)
    rename, other = Path.rename, Thread(target=sets.names, args=(data,))

    def slow(path, target):
        renamed = rename(path, target)
        if renamed.name == ".before":
            other.start()
            other.join(0.2)
        return renamed

    monkeypatch.setattr(Path, "rename", slow)
    lesson = teach.from_folder("camp-dice", lesson_folder, data, replace=True)
    other.join()
    assert set(teach.samples(sets.load("camp-dice", data))) == set(lesson.samples)


def test_a_set_taught_anew_has_what_is_built_in_and_nothing_of_before(lesson_folder, tmp_path):
    data = tmp_path / "data"
    teach.from_folder("dday", lesson_folder, data)
    labels = lesson_folder / "labels.jsonl"
    labels.write_text(labels.read_text().replace('"camp"', '"field"'))
    again = teach.from_folder("dday", lesson_folder, data, replace=True)
    assert [kind.name for kind in again.dice_set.kinds] == ["dday", "field"]
    assert {sample.die for sample in teach.samples(again.dice_set)} == {"field"}
    assert [path.name for path in data.iterdir()] == ["dday"]


def test_what_a_set_is_taught_anew_is_written_once(lesson_folder, tmp_path, monkeypatch):
    written, write = [], sets.write
    monkeypatch.setattr(sets, "write", lambda file, content: written.append(file) or write(file, content))
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data", replace=True)
    assert len(written) == 1 + len(lesson.samples) == 25
    assert set(teach.samples(sets.load("camp-dice", tmp_path / "data"))) == set(lesson.samples)


def test_taught_dice_are_read_with_their_colours(lesson_folder, tmp_path):
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    reading = vision.read(cv2.imread(str(lesson_folder / "throw.png")), lesson.dice_set)
    read = [(die.colour, die.face) for die in sorted(reading.dice, key=lambda die: die.bbox.x)]
    assert read == [("red", "boot"), ("blue", "star"), ("red", "wrench"), ("blue", "star")]
    assert all(die.die == "camp" for die in reading.dice)


def test_dice_of_a_set_are_held_against_samples_of_their_own_kind(lesson_folder, tmp_path):
    labels = lesson_folder / "labels.jsonl"
    lines = [json.loads(line) for line in labels.read_text().splitlines()]
    for die in (die for line in lines for die in line["dice"] if die["face"] == "boot"):
        die["die"] = "march"
    labels.write_text("\n".join(map(json.dumps, lines)))
    dice_set = teach.from_folder("camp-dice", lesson_folder, tmp_path).dice_set
    untaught = sets.DieKind("night", sets.Marks.SYMBOLS, ("moon",))
    dice_set = sets.save(msgspec.structs.replace(dice_set, kinds=(*dice_set.kinds, untaught)), tmp_path)
    dice = vision.read(cv2.imread(str(lesson_folder / "throw.png")), dice_set).dice
    read = [(die.die, die.face) for die in sorted(dice, key=lambda die: die.bbox.x)]
    assert read == [("march", "boot"), ("camp", "star"), ("camp", "wrench"), ("camp", "star")]


def test_taught_dice_are_read_on_one_core(lesson_folder, tmp_path):
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    with threadpool_limits(2, user_api="blas"):
        vision.read(cv2.imread(str(lesson_folder / "throw.png")), lesson.dice_set)
        threads = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    assert set(threads) == {1}


def test_what_was_remembered_of_samples_may_be_torn(lesson_folder, tmp_path):
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    throw = cv2.imread(str(lesson_folder / "throw.png"))
    dice = vision.read(throw, lesson.dice_set).dice
    (memory,) = (tmp_path / "data/camp-dice").glob("steep-*.npz")
    whole = memory.read_bytes()
    method = whole.index(b"PK\x01\x02") + 10  # how its first part is packed, as its directory has it
    strange, garbled = (
        whole[:method] + bytes([how]) + whole[method + 1 :] for how in (97, zipfile.ZIP_DEFLATED)
    )
    packed = tmp_path / "packed.zip"
    with zipfile.ZipFile(memory) as parts, zipfile.ZipFile(packed, "w", zipfile.ZIP_LZMA) as again:
        for part in parts.namelist():
            again.writestr(part, parts.read(part))
    lzma = packed.read_bytes()
    lzma = lzma[:99] + bytes(99) + lzma[198:]
    before, name, rest = whole.partition(b"features.npy")
    header = before + name + rest.replace(b"'shape': (", b"'shape':((", 1)  # which Python's tokenizer refuses
    for torn in (header, b"", whole[:100], whole[: len(whole) // 2], strange, garbled, lzma):
        memory.write_bytes(torn)
        assert Reader().read(throw, lesson.dice_set).dice == dice


def test_what_was_remembered_of_samples_is_data_and_runs_nothing(lesson_folder, tmp_path):
    """A set may come from somebody else."""

    class Trap:
        def __reduce__(self):
            return Path.touch, (tmp_path / "sprung",)

    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    throw = cv2.imread(str(lesson_folder / "throw.png"))
    dice = vision.read(throw, lesson.dice_set).dice
    (memory,) = (tmp_path / "data/camp-dice").glob("steep-*.npz")
    with np.load(memory) as stored:
        parts = dict(stored)
    np.savez(memory, **parts | {"names": np.array([Trap()] * len(parts["names"]), object)})
    assert Reader().read(throw, lesson.dice_set).dice == dice
    assert not (tmp_path / "sprung").exists()


def test_dice_are_read_though_nothing_can_be_remembered_of_their_samples(lesson_folder, tmp_path):
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    throw = cv2.imread(str(lesson_folder / "throw.png"))
    with disk_full_at(40):
        dice = Reader().read(throw, lesson.dice_set).dice
    assert {die.face for die in dice} == set(SYMBOLS)
    assert Reader().read(throw, lesson.dice_set).dice == dice


def test_samples_may_be_called_what_a_person_likes(lesson_folder, tmp_path):
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    throw = cv2.imread(str(lesson_folder / "throw.png"))
    dice = vision.read(throw, lesson.dice_set).dice
    for folder in (tmp_path / "data/camp-dice/samples").glob("*/*/*"):
        for number, file in enumerate(sorted(folder.iterdir())):
            file.rename(folder / f"{number}.png")
    assert Reader().read(throw, lesson.dice_set).dice == dice


def test_of_a_sample_that_is_damaged_it_is_told_how_to_do_without_it(lesson_folder, tmp_path):
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    torn = lesson.samples[3].file
    torn.write_bytes(b"not a picture")
    said = f"{torn} is no picture .*; without it: companion dice samples remove camp-dice {torn.name}$"
    with pytest.raises(vision.FrameError, match=said):
        Reader().gallery(lesson.dice_set)


def test_a_folder_of_samples_that_is_deleted_is_forgotten_at_once(lesson_folder, tmp_path):
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    throw = cv2.imread(str(lesson_folder / "throw.png"))
    assert "star" in {die.face for die in vision.read(throw, lesson.dice_set).dice}
    for colour in ("red", "blue"):
        shutil.rmtree(tmp_path / "data/camp-dice/samples/camp" / colour / "star")
    again = vision.read(throw, lesson.dice_set)
    assert again.dice == Reader().read(throw, lesson.dice_set).dice
    assert not again.sure


@pytest.mark.parametrize(("colour", "told"), [("red", True), ("teal", False)])
def test_a_colour_without_samples_is_no_other_one(colour, told, lesson_folder, tmp_path):
    """A common one is told by its name; with one that has none, no colour is sure."""
    data = tmp_path / "data"
    dice_set = teach.from_folder("camp-dice", lesson_folder, data).dice_set
    samples = data / "camp-dice/samples/camp"
    shutil.rmtree(samples / "red")
    (kind,) = dice_set.kinds
    supply = (sets.Supply("blue"), sets.Supply(colour))
    dice_set = sets.save(
        msgspec.structs.replace(dice_set, kinds=(msgspec.structs.replace(kind, supply=supply),)), data
    )
    reading = vision.read(cv2.imread(str(lesson_folder / "throw.png")), dice_set)
    left = sorted(reading.dice, key=lambda die: die.bbox.x)
    if told:
        assert [die.colour for die in left] == ["red", "blue", "red", "blue"]
    else:
        assert not any(die.sure for die in left)


def test_colours_go_by_their_names_where_no_sample_tells_any(lesson_folder, tmp_path):
    data, labels = tmp_path / "data", lesson_folder / "labels.jsonl"
    labels.write_text(labels.read_text().replace('"red"', "null").replace('"blue"', "null"))
    dice_set = teach.from_folder("camp-dice", lesson_folder, data).dice_set
    throw = cv2.imread(str(lesson_folder / "throw.png"))
    assert {die.colour for die in vision.read(throw, dice_set).dice} == {None}
    (kind,) = dice_set.kinds
    kind = msgspec.structs.replace(kind, supply=(sets.Supply("blue"), sets.Supply("red")))
    dice_set = sets.save(msgspec.structs.replace(dice_set, kinds=(kind,)), data)
    dice = sorted(Reader().read(throw, dice_set).dice, key=lambda die: die.bbox.x)
    assert [die.colour for die in dice] == ["red", "blue", "red", "blue"]


def test_a_face_that_was_not_taught_is_not_taken_for_sure(lesson_folder, tmp_path):
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    strangers = [
        Posed("symbols", "3", (200, 200), body=RED, ink=WHITE),
        Posed("d6", "4", (400, 200), ink=BLACK),
    ]
    reading = vision.read(tray(strangers, pixels=80), lesson.dice_set)
    assert not any(die.sure for die in reading.dice)


def test_samples_are_learnt_as_soon_as_they_are_kept(lesson_folder, tmp_path):
    data = tmp_path / "data"
    lesson = teach.from_folder("camp-dice", lesson_folder, data)
    stranger = tray([Posed("symbols", "3", (200, 200), body=RED, ink=WHITE)], pixels=80)
    assert not vision.read(stranger, lesson.dice_set).sure
    for turn in range(0, 360, 45):
        picture = tray([Posed("symbols", "3", (200, 200), turn, body=RED, ink=WHITE)], pixels=80)
        teach.keep(picture, Box(155, 155, 90, 90), "camp", "red", "flag", set_folder=data / "camp-dice")
    (die,) = vision.read(stranger, sets.load("camp-dice", data)).dice
    assert die.face == "flag"


def test_samples_are_gone_through_again_only_where_others_lie_there(tmp_path, monkeypatch):
    gone_through = []
    monkeypatch.setattr(Reader, "gallery", lambda _, dice_set: gone_through.append(dice_set))
    dice_set, reader = sets.save(sets.load("dday"), tmp_path), Reader()
    for samples in (1, 2):
        frame = np.full((64, 64, 3), samples, np.uint8)
        teach.keep(frame, Box(9, 9, 20, 20), "dday", "red", "star", set_folder=tmp_path / "dday")
        reader.read(frame, dice_set)
        reader.read(frame, dice_set)
        assert gone_through == [dice_set] * samples


def test_a_face_that_comes_to_a_set_without_samples_is_known_of_at_once(lesson_folder, tmp_path):
    dice_set = teach.from_folder("camp-dice", lesson_folder, tmp_path).dice_set
    throw, reader = cv2.imread(str(lesson_folder / "throw.png")), Reader()
    assert any(die.sure for die in reader.read(throw, dice_set).dice)
    (camp,) = dice_set.kinds
    grown = msgspec.structs.replace(camp, faces=(*camp.faces, "flag"))
    half_taught = sets.save(sets.DiceSet("camp-dice", (grown,)), tmp_path)
    assert not any(die.sure for die in reader.read(throw, half_taught).dice)


def test_hidden_files_beside_samples_are_no_samples(lesson_folder, tmp_path):
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path)
    file = lesson.samples[0].file
    for hidden in (file.with_name(f"._{file.name}"), file.parent.with_name(".trash") / file.name):
        hidden.parent.mkdir(exist_ok=True)
        hidden.write_bytes(b"Mac OS X")
    assert len(teach.samples(lesson.dice_set)) == 24
    assert Reader().read(cv2.imread(str(lesson_folder / "throw.png")), lesson.dice_set).dice


def test_confusions_are_told_of_faces_that_look_alike(lesson_folder, tmp_path):
    data = tmp_path / "data"
    lesson = teach.from_folder("camp-dice", lesson_folder, data)
    assert teach.confusions(lesson.dice_set) == ()
    for sample in teach.samples(lesson.dice_set):
        if sample.face == "star":
            twin = sample.file.parent.parent / "nova" / sample.file.name
            twin.parent.mkdir(exist_ok=True)
            twin.write_bytes(sample.file.read_bytes())
    teach.keep(
        np.full((90, 90, 3), 80, np.uint8),
        Box(9, 9, 30, 30),
        "camp",
        "red",
        "lone",
        set_folder=data / "camp-dice",
    )
    told = teach.confusions(lesson.dice_set)
    assert {(one.face, one.said) for one in told} <= {("star", "nova"), ("nova", "star")}
    assert told


def test_no_confusion_is_told_of_pips_which_are_not_read_by_samples(tmp_path):
    noise = np.random.default_rng(3)
    d6 = sets.save(sets.load("d6"), tmp_path)
    for face in (*"112233445566",):
        picture = noise.integers(0, 200, (90, 90, 3), dtype=np.uint8)  # one pattern of noise is like another
        teach.keep(picture, Box(20, 20, 40, 40), "d6", None, face, set_folder=tmp_path / "d6")
    assert teach.complete(d6)
    assert teach.confusions(d6) == ()


@pytest.mark.parametrize(("name", "face", "read"), [("dday", "star", True), ("d10", "7", False)])
def test_half_taught_symbols_are_read_by_what_there_is_and_other_dice_as_if_untaught(
    name, face, read, tmp_path
):
    dice_set = sets.save(sets.load(name), tmp_path)
    for level in (80, 90):
        picture = np.full((90, 90, 3), level, np.uint8)
        teach.keep(picture, Box(9, 9, 30, 30), name, None, face, set_folder=tmp_path / name)
    assert Gallery.usable(dice_set) is read


def test_a_set_is_measured_on_throws_after_what_it_was_taught_with(lesson_folder):
    result = bench.run(lesson_folder)
    assert (result.total.images, result.passed_over) == (1, {})
    assert sorted(die.said for die in result.images[0].dice) == ["boot", "star", "star", "wrench"]
    assert result.total.dice["missed"].count == result.total.dice["sure and wrong"].count == 0


def test_beside_what_teaches_a_set_pictures_of_other_dice_are_measured_too(lesson_folder, monkeypatch):
    folder = lesson_folder.rename(lesson_folder.with_name("-My Camp 2"))
    cv2.imwrite(str(folder / "pips.png"), tray([Posed("d6", "5", (200, 200), 10)], pixels=80))
    pips = {"file": "pips.png", "kind": "d6", "dice": [{"value": 5, "bbox": [150, 150, 100, 100]}]}
    for kind in ("d6", "d8"):
        with (folder / "labels.jsonl").open("a") as labels:
            labels.write("\n" + json.dumps(pips | {"kind": kind}))
    monkeypatch.chdir(folder)
    result = bench.run(Path())
    assert [(source.name, source.images) for source in result.sources] == [("-My Camp 2", 2)]
    assert result.passed_over == {"d8": 1}
    assert [die.said for die in result.images[1].dice] == ["5"]


@pytest.mark.parametrize("name", ["", "Big", "../x", "a b", ".hidden"])
def test_a_set_name_is_a_plain_word(name, tmp_path):
    with pytest.raises(vision.DiceSetError, match="can't name a dice set"):
        sets.load(name, tmp_path)


@pytest.mark.parametrize("word", ["a\0", "", "../up", ".x", "a/b", "a\\b", "a\nb", "\x1b[2J"])
def test_the_name_of_a_die_colour_or_face_is_a_plain_word(word, tmp_path):
    for die, colour, face in (("camp", None, word), ("camp", word or ".", "1"), (word, None, "1")):
        with pytest.raises(vision.DiceSetError, match="folder's name"):
            teach.keep(
                np.zeros((90, 90, 3), np.uint8), Box(0, 0, 30, 30), die, colour, face, set_folder=tmp_path
            )


def test_a_box_outside_of_the_picture_is_refused(tmp_path):
    with pytest.raises(vision.FrameError, match="outside"):
        teach.keep(
            np.zeros((90, 90, 3), np.uint8), Box(200, 0, 30, 30), "camp", None, "x", set_folder=tmp_path
        )


@pytest.mark.parametrize("side", [float("nan"), float("inf"), 1e9])
def test_a_box_that_no_die_can_have_is_refused(side):
    for box in (Box(20, 20, side, 20), Box(20, 20, 20, side)):
        with pytest.raises(vision.FrameError, match="of no die in a frame of 90x60"):
            teach.cut(np.zeros((60, 90, 3), np.uint8), box)


def test_a_cut_goes_on_beyond_the_edge():
    frame = np.zeros((60, 60, 3), np.uint8)
    frame[:, :5] = 200
    assert (teach.cut(frame, Box(-5, 20, 20, 20))[:, :5] == 200).all()


def test_of_the_smallest_box_a_cut_has_pixels_to_be_looked_at():
    assert teach.cut(np.zeros((60, 60, 3), np.uint8), Box(20, 20, 1, 1)).shape == (8, 8, 3)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"file": "a.png", "kind": "roll", "dice": []}', "nothing to learn"),
        ('{"file": "a.png"}', "line 1"),
        ("not json", "line 1"),
        pytest.param(f'{{"of no use": {"[" * 9000}{"]" * 9000}}}', "line 1: ", id="nested without an end"),
        ('{"file": "a.png", "dice": [{"face": "1", "bbox": [1, 2]}]}', "line 1"),
        ('{"file": "a.png", "dice": [{"face": "1", "bbox": [9, 9, -8, 8]}]}', "line 1: a box .* has no size"),
    ],
)
def test_labels_that_teach_nothing_are_refused_with_the_line(text, problem, tmp_path):
    (tmp_path / "labels.jsonl").write_text(text)
    with pytest.raises(vision.LabelError, match=problem):
        teach.from_folder("camp", tmp_path, tmp_path / "data")


@pytest.mark.parametrize(
    ("bbox", "problem"),
    [
        ([95, 10, 20, 20], "lies outside"),
        ([10, 10, 1e6, 1e6], "is larger than the picture"),
        ([10, 10, 20, 1e300], "is larger than the picture"),
    ],
)
def test_a_box_that_is_not_in_its_picture_is_refused_with_the_name_of_that(bbox, problem, tmp_path):
    die = {"face": "sun", "bbox": bbox}
    cv2.imwrite(str(tmp_path / "x.png"), np.full((90, 90, 3), 80, np.uint8))
    (tmp_path / "labels.jsonl").write_text(json.dumps({"file": "x.png", "kind": "teach", "dice": [die]}))
    with pytest.raises(vision.FrameError, match=rf"x\.png: the box .* {problem}"):
        teach.from_folder("camp", tmp_path, tmp_path / "data")


def test_a_picture_that_no_file_can_be_is_refused(tmp_path):
    die = {"face": "sun", "bbox": [10, 10, 20, 20]}
    (tmp_path / "labels.jsonl").write_text(json.dumps({"file": "x\0", "kind": "teach", "dice": [die]}))
    with pytest.raises(vision.FrameError, match="can't be read: embedded null byte"):
        teach.from_folder("camp", tmp_path, tmp_path / "data")


def test_labels_may_be_written_by_any_editor(lesson_folder, tmp_path):
    labels = lesson_folder / "labels.jsonl"
    plain = teach.from_folder("camp", lesson_folder, tmp_path / "plain")
    labels.write_text(labels.read_text() + '{"file": "\u2028", "dice": []}\n', "utf-8-sig", newline="\r\n")
    marked = teach.from_folder("camp", lesson_folder, tmp_path / "marked")
    assert [one.face for one in marked.samples] == [one.face for one in plain.samples]


@pytest.mark.parametrize(("name", "face"), [("d6", "7"), ("d6", "star"), ("d10", "10"), ("okinawa", "x")])
def test_a_face_that_a_die_can_not_have_is_refused_and_nothing_is_forgotten(name, face, tmp_path):
    die = {"face": face, "bbox": [10, 10, 20, 20]} | ({"die": "action"} if name == "okinawa" else {})
    cv2.imwrite(str(tmp_path / "x.png"), np.full((90, 90, 3), 80, np.uint8))
    (tmp_path / "labels.jsonl").write_text(json.dumps({"file": "x.png", "kind": "teach", "dice": [die]}))
    taught = sets.save(sets.load(name), tmp_path)
    for replace in (False, True):
        with pytest.raises(vision.DiceSetError, match=f"can't show {face}"):
            teach.from_folder(name, tmp_path, tmp_path, replace=replace)
    assert sets.load(name, tmp_path) == taught


def test_a_set_file_with_a_face_that_a_die_can_not_have_is_told_of(tmp_path):
    teach.keep(
        np.zeros((90, 90, 3), np.uint8), Box(9, 9, 30, 30), "d6", None, "7", set_folder=tmp_path / "d6"
    )
    kinds = [{"name": "d6", "marks": "pips", "faces": ["1", "7"]}]
    (tmp_path / "d6/set.json").write_text(json.dumps(kinds))
    with pytest.raises(
        vision.DiceSetError, match=r"set.json can't be read .*can't show 7.*teach the set again"
    ):
        sets.load("d6", tmp_path)


def test_a_set_file_with_faces_without_end_is_read_in_no_time(tmp_path):
    kinds = [{"name": "huge", "marks": "symbols", "faces": [str(face) for face in range(100_000)]}]
    begun = time.process_time()
    (kind,) = sets.parsed(json.dumps(kinds).encode(), tmp_path / "set.json")
    assert len(kind.faces) == 100_000
    assert time.process_time() - begun < 5


def test_a_sample_that_is_all_black_is_like_no_die_and_spoils_no_other():
    black = np.zeros((64, 64, 3), np.uint8)
    seen = np.random.default_rng(1).integers(0, 200, (64, 64, 3), dtype=np.uint8)
    box = Box(16, 16, 32, 32)
    stored = np.stack([align.templates(picture, box, LEVEL, align.SYMBOL) for picture in (black, seen)])
    aligner = align.Aligner(stored, np.array([0, 1]), 2, align.SYMBOL)
    assert aligner.scores(seen, box, LEVEL) == pytest.approx([0, 1], abs=0.01)


def test_a_print_is_known_on_a_die_that_is_seen_large_and_with_noise():
    rng, side = np.random.default_rng(1), 64
    coarse = rng.integers(0, 2, (8, 8, 1)).astype(np.uint8).repeat(3, axis=2) * 160 + 40
    seen = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)
    large = np.clip(cv2.resize(seen, (640, 640)) + rng.normal(0, 90, (640, 640, 1)), 0, 255).astype(np.uint8)
    stored = align.templates(seen, Box(0, 0, side, side), LEVEL, align.SYMBOL)[None]
    aligner = align.Aligner(stored, np.array([0]), 1, align.SYMBOL)
    assert aligner.scores(large, Box(0, 0, 640, 640), LEVEL) > 0.9


@pytest.mark.parametrize("room", [align.SYMBOL, align.NUMERAL])
@pytest.mark.parametrize("lean", [(0.4, 0.0), (-0.2, 0.35), (0.0, -0.5), (0.5, 0.5)])
def test_a_print_is_known_on_a_face_that_is_seen_from_the_side(lean, room):
    straight, lean, side = _printed(), np.array(lean), 60
    square = float(lean @ lean)
    squeezed = np.eye(2) - (1 - math.sqrt(1 - square)) * np.outer(lean, lean) / square
    onto = np.hstack([squeezed, (np.array([100, 100]) - squeezed @ [100, 100] + 0.45 * side * lean)[:, None]])
    aside = cv2.warpAffine(straight, onto, (200, 200), borderMode=cv2.BORDER_REPLICATE)
    box = Box(70, 70, side, side)
    for known, at, seen, as_ in ((straight, LEVEL, aside, lean), (aside, lean, straight, LEVEL)):
        stored = align.templates(known, box, at, room)[None]
        aligner = align.Aligner(stored, np.array([0]), 1, room)
        assert aligner.scores(seen, box, as_) > 0.95
        assert aligner.scores(seen, box, lean - as_) < 0.9


@pytest.mark.parametrize(
    ("box", "lean", "known"),
    [
        (Box(70, 70, 60, 60), (0.0, 0.0), True),
        (Box(70, 80, 60, 40), (0.0, 0.0), True),
        (Box(80, 70, 40, 60), (0.0, 0.0), True),
        (Box(70, 70, 60, 60), (1.1, 0.0), False),  # steeper than anything can be
    ],
)
def test_a_print_is_as_large_as_the_longer_side_of_its_die_says(box, lean, known):
    stored = align.templates(_printed(), Box(70, 70, 60, 60), LEVEL, align.SYMBOL)[None]
    aligner = align.Aligner(stored, np.array([0]), 1, align.SYMBOL)
    assert (aligner.scores(_printed(), box, np.array(lean)) > 0.95) == known


def _printed():
    """A print of blotches on a square die of 60 pixels in the middle of a picture."""
    blotches = (
        np.random.default_rng(3).integers(0, 2, (7, 7, 1)).astype(np.uint8).repeat(3, axis=2) * 160 + 40
    )
    picture = np.full((200, 200, 3), 90, np.uint8)
    picture[70:130, 70:130] = cv2.resize(blotches, (60, 60), interpolation=cv2.INTER_CUBIC)
    return picture


def test_how_a_sample_slopes_is_told_from_it_however_it_is_turned():
    picture, seen = np.zeros((90, 90, 3), np.uint8), []
    picture[25:30, 55:60] = 255
    for turn in taught._TURNS:
        rows, columns = np.nonzero(taught._turned(picture, turn, 1.3)[..., 0] > 100)
        seen.append((0.3, columns.mean() - 31.5, rows.mean() - 31.5))
    looks = View(*[np.zeros((len(seen), 1))] * 3, np.array(seen), *[np.zeros((len(seen), 1))] * 2)
    across, down = taught._lean(looks)
    assert across / down == pytest.approx((57 - 44.5) / (27 - 44.5), abs=0.1)
    assert across > 0 > down


@pytest.mark.parametrize(("steep", "aside", "seems"), [(0.5, 0.0, 0.5), (0.4, 0.3, 0.1), (0.1, 0.3, 0.0)])
def test_a_print_seems_steeper_than_its_samples_lie_by_what_each_look_says(
    lesson_folder, tmp_path, monkeypatch, steep, aside, seems
):
    def looks(_picture, _net):
        turns = np.radians(taught._TURNS)
        lean = np.stack([np.full(len(turns), steep), aside * np.cos(turns), -aside * np.sin(turns)], axis=1)
        return View(*[np.zeros((len(turns), 1))] * 3, lean, *[np.eye(len(turns), 96, dtype=np.float32)] * 2)

    monkeypatch.setattr(taught, "_looks", looks)
    lesson = teach.from_folder("camp-dice", lesson_folder, tmp_path / "data")
    gallery = Reader().gallery(lesson.dice_set)
    (kind,) = lesson.dice_set.kinds
    assert gallery.steepness(kind, "star") == pytest.approx(seems, abs=0.01)
    assert gallery.steepness(kind, "a face without samples") == 0.0


def test_a_folder_without_labels_is_refused(tmp_path):
    with pytest.raises(vision.LabelError, match=r"labels\.jsonl"):
        teach.from_folder("camp", tmp_path, tmp_path / "data")


def test_labels_that_are_no_text_are_refused(tmp_path):
    (tmp_path / "labels.jsonl").write_bytes(b"\xff\xfe{")
    with pytest.raises(vision.LabelError, match=r"labels\.jsonl is no text"):
        teach.from_folder("camp", tmp_path, tmp_path / "data")


def test_a_sample_is_on_disk_before_it_has_its_name_and_then_its_name_is(tmp_path, monkeypatch):
    file, synced = tmp_path / "set.json", []

    def fsync(number):
        content = os.fstat(number)
        synced.append((content.st_size == 2, os.path.samestat(content, tmp_path.stat()), file.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    sets.write(file, b"[]")
    assert synced == [(True, False, False), (False, True, True)]
    assert file.read_bytes() == b"[]"


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"",
        b'[{"name": "\xff", "marks": "pips", "faces": ["1"]}]',
        b"[]",
        b'[{"name": "a", "marks": "pips", "faces": []}]',
        b'[{"name": ' + b"[" * 10_000,
        b'[{"name": "a", "marks": "symbols", "faces": ["x"], "supply": [{"colour": "any"}]}]',
    ],
)
def test_a_damaged_set_file_is_told_of(content, tmp_path):
    (tmp_path / "camp").mkdir()
    (tmp_path / "camp" / "set.json").write_bytes(content)
    with pytest.raises(vision.DiceSetError, match="teach the set again"):
        sets.load("camp", tmp_path)


def test_a_set_file_that_can_not_be_read_is_told_of(tmp_path, monkeypatch):
    def dying(_):
        raise OSError(5, "Input/output error")

    (tmp_path / "camp").mkdir()
    (tmp_path / "camp" / "set.json").write_text("[]")
    monkeypatch.setattr(Path, "read_bytes", dying)
    with pytest.raises(vision.DiceSetError, match=r"set\.json can't be read .*; teach the set again"):
        sets.load("camp", tmp_path)


def test_the_sets_of_the_games_hold_what_their_boxes_hold():
    okinawa, dday = sets.load("okinawa"), sets.load("dday")
    action, d10 = okinawa.kinds
    assert (action.name, action.faces) == ("action", tuple("1234"))
    assert (d10.name, d10.faces) == ("d10", tuple("0123456789"))
    assert {s.colour: s.count for s in d10.supply} == {"red": 6, "black": 1}
    assert [(s.colour, s.count) for s in dday.kinds[0].supply] == [("red", 2), ("white", 2), ("blue", 2)]
    with pytest.raises(vision.DiceSetError, match="d6, d6num, d10"):
        sets.load("unheard-of")


@pytest.mark.parametrize(
    ("marks", "room"), [(sets.Marks.SYMBOLS, align.SYMBOL), (sets.Marks.NUMERALS, align.NUMERAL)]
)
def test_a_sample_as_large_as_a_photograph_is_looked_at_at_a_size_at_which_dice_are_read(
    marks, room, tmp_path, monkeypatch
):
    seen = []
    plain = align.templates

    def noting(picture, box, lean, room):
        seen.append((picture.shape, room))
        return plain(picture, box, lean, room)

    monkeypatch.setattr(align, "templates", noting)
    die_set = sets.DiceSet("rune", (sets.DieKind("rune", marks, ("1",)),))
    for seed in range(2):
        photograph = np.random.default_rng(seed).integers(0, 255, (1500, 1500, 3), dtype=np.uint8)
        teach.keep(photograph, Box(0, 0, 1000, 1000), "rune", None, "1", set_folder=tmp_path / "rune")
    Reader().gallery(sets.save(die_set, tmp_path))
    assert seen == [((600, 600, 3), room)] * 2


def test_a_large_sample_has_no_grain_once_it_is_small():
    grain = np.random.default_rng(0).integers(0, 255, (600, 600, 3), dtype=np.uint8)
    assert taught._turned(grain, 30, 1.5).std() < grain.std() / 4


def test_samples_of_a_face_that_differ_much_in_one_way_say_little_by_it_of_a_new_die() -> None:
    features = np.array([[[-10.0, 0]], [[10, 0]], [[-6, 4]], [[14, 4]]])
    clouds = taught._Clouds(features, ["sun", "sun", "moon", "moon"])
    assert clouds.likeliest(np.array([[8.0, 0]])) == "sun"  # moon's mean is nearer
    near = clouds.nearness(np.array([[8.0, 0]]), ("moon", "sun", "star"))[0]
    moon, sun = 4**2 / 104 + 4**2 / 4, 8**2 / 104  # 4 is added to each variance, since samples are few
    assert near[:2] == pytest.approx([-moon / 2, -sun / 2], rel=1e-3)
    assert near[2] < -1000


def test_a_sample_shows_its_die_in_its_middle() -> None:
    assert taught._within(np.zeros((90, 90, 3), np.uint8)) == Box(15, 15, 60, 60)
