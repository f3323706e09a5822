"""What is kept of dice that were read: evidence, and samples that teach."""

from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import pytest

import vision
from companion.engine.asks import Dice, Roll
from companion.engine.records import blob_name
from companion.table.known_dice import relit
from companion.table.matching import groups
from companion.table.tray_watch import Job, TrayWatch
from tests.table.film import Film, Tray, picture, read, stills
from tests.table.watching import COCKED, TWO, job, leaning, next_seen, played, roll, seen
from vision import Box, DiceSet, DieKind, Marks, Reading, sets, teach
from vision.camera import CameraError, Fault

pytestmark = pytest.mark.usefixtures("film_reader")


def test_where_the_pictures_of_dice_can_not_be_shown_they_are_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    film = Film().rest({}).throw(TWO)
    (found,) = seen(played(TrayWatch(film.camera(), tmp_path / "file"), job(1, 2), len(film.frames)))
    assert (found.faces, found.pictures) == (("3", "5"), ())


@pytest.mark.parametrize(
    ("before", "after", "is_another"), [(60, 90, False), (60, 110, True), (110, 60, True), (10, 20, False)]
)
def test_the_light_is_another_where_much_more_or_less_of_it_falls_on_the_tray(
    before: int, after: int, is_another: bool
) -> None:
    one, other = (np.full((24, 32, 3), mean, np.uint8) for mean in (before, after))
    assert relit(one, other) is is_another


@pytest.mark.parametrize(
    ("since", "kept"),
    [
        (Film().rest(COCKED), "2 samples kept"),
        (Film().rest(COCKED).rest(COCKED).shade(15), "2 samples kept"),
        (Film().rest(COCKED, 0.5).rest({(60, 60): 3}, 0.2, hand=True), "nothing learnt"),
        (Film().rest({(60, 60): 3}, 0.5, hand=True).rest({(60, 60): 3, (220, 60): 6}, 0.1), "nothing learnt"),
        (Film().rest({(60, 60): 3, (220, 60): 6}), "nothing learnt"),
        (Film().rest(COCKED, 0.5).rest({}), "nothing learnt"),
        (Film().rest({}, 0.5, hand=True).rest({(60, 60): 3, (182, 120): 6}), "nothing learnt"),
    ],
    ids=["lies", "shaded", "taken out", "rolls", "thrown again", "all taken out", "laid flat"],
)
def test_dice_that_were_thrown_again_are_not_learnt_as_they_lay(
    since: Film, kept: str, tmp_path: Path
) -> None:
    film = Film().rest({}).throw(COCKED)
    watch = TrayWatch(film.camera(), taught=tmp_path)
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))
    watch.camera = since.camera()
    played(watch, job(1, 2), len(since.frames))
    assert found.learn is not None
    assert found.learn(["3", "6"]).startswith(kept)
    assert (tmp_path / "d6").exists() == (kept != "nothing learnt")


def test_what_a_set_lacks_yet_and_what_can_not_be_kept_is_said_of_what_was_learnt(tmp_path: Path) -> None:
    def learnt(dice_set: DiceSet, face: str, tray: Tray) -> str:
        one = Roll("demo.one", "Roll 1", dice=(Dice("d6", 1, dice_set.kinds[0].faces),))
        watch = TrayWatch(stills(tray), taught=tmp_path)
        in_use = (sets.load("d10"), dice_set)
        (found,) = seen(played(watch, Job(1, one, groups(one, (dice_set,)), in_use), 1))
        assert found.learn is not None
        return found.learn([face])

    numerals = DiceSet("num", (DieKind("d6", Marks.NUMERALS, ("1", "2")),))
    said = [learnt(numerals, face, {at: 0}) for at in TWO for face in ("1", "2")]
    assert said == ["1 sample kept; num needs 2 of each face"] * 3 + ["1 sample kept"]
    other = DieKind("coin", Marks.SYMBOLS, ("heads", "tails"))
    both = DiceSet("both", (*numerals.kinds, other))
    said = [learnt(both, face, {at: 0}) for at in TWO for face in ("1", "2")]
    assert said == ["1 sample kept; both needs 2 of each face"] * 4, "the coin was not taught"
    halves = DiceSet("halves", (DieKind("d6", Marks.SYMBOLS, ("1/2", "2")),))
    assert "samples can't be kept: '1/2' can't name" in learnt(halves, "1/2", {(60, 60): 0})


def test_of_dice_that_were_learnt_those_are_taken_back_that_are_named_otherwise_since(tmp_path: Path) -> None:
    taught = sets.save(DiceSet("num", (DieKind("d6", Marks.NUMERALS, ("1", "2")),)), tmp_path)
    two = Roll("demo.two", "Roll", dice=(Dice("d6", 2, ("1", "2")),))
    watch = TrayWatch(stills({(60, 60): 1, (180, 120): 2}), taught=tmp_path)
    (found,) = seen(played(watch, Job(1, two, groups(two, (taught,)), (taught,)), 1))
    assert found.learn is not None
    assert found.unlearn is not None
    assert found.learn(["1", "2"]).startswith("2 samples kept")
    assert [found.unlearn(["1", "1"]) for _ in range(2)] == ["1 sample taken back", ""]
    assert [one.face for one in teach.samples(sets.load("num", tmp_path))] == ["1"]


def test_what_others_taught_a_set_since_the_roll_was_asked_for_stays(tmp_path: Path) -> None:
    taught = sets.save(DiceSet("num", (DieKind("d6", Marks.NUMERALS, ("1", "2")),)), tmp_path)
    two = Roll("demo.two", "Roll", dice=(Dice("d6", 2, ("1", "2")),))
    watch = TrayWatch(stills({(60, 60): 1, (180, 120): 2}), taught=tmp_path)
    (found,) = seen(played(watch, Job(1, two, groups(two, (taught,)), (taught,)), 1))
    more = sets.save(DiceSet("num", (DieKind("d6", Marks.NUMERALS, ("1", "2", "3")),)), tmp_path)
    assert found.learn is not None
    assert found.learn(["1", "2"]).startswith("2 samples kept")
    assert sets.load("num", tmp_path) == more


def test_of_a_kind_that_is_taught_in_full_only_dice_that_were_in_doubt_or_wrong_are_learnt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsure_of_twos(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
        reading = read(frame, dice_sets)
        dice = (msgspec.structs.replace(die, sure=die.face != "2") for die in reading.dice)
        return msgspec.structs.replace(reading, dice=tuple(dice))

    def learnt(tray: Tray, *answer: str) -> str:
        some = Roll("demo.some", "Roll", dice=(Dice("d6", len(answer), ("1", "2")),))
        watch = TrayWatch(stills(tray), taught=tmp_path)
        (found,) = seen(played(watch, Job(1, some, groups(some, (taught,)), (taught,)), 1))
        assert found.learn is not None
        return found.learn(answer)

    monkeypatch.setattr(vision, "read", unsure_of_twos)
    taught = sets.save(DiceSet("num", (DieKind("d6", Marks.NUMERALS, ("1", "2")),)), tmp_path)
    for (x, y), face in [(at, face) for at in TWO for face in ("1", "2")]:
        teach.keep(picture(TWO), Box(x, y, 24, 22 + int(face)), "d6", None, face, set_folder=tmp_path / "num")
    assert teach.complete(taught) == {"d6"}
    assert learnt({(60, 60): 1}, "1") == "nothing to learn from these dice"
    assert learnt({(60, 60): 2}, "2") == "1 sample kept"
    assert learnt({(60, 60): 1}, "2") == "1 sample kept"
    assert learnt({(60, 60): 1}, "1", "2") == "nothing to learn from these dice"  # one was not in the tray


def test_nothing_is_learnt_while_the_camera_is_away_or_the_dice_thrown_since_can_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(frame: np.ndarray, dice_sets: object) -> Reading:
        raise vision.FrameError("a sample that was removed just now")

    film = Film().rest({}).throw(COCKED)
    watch = TrayWatch(film.camera(), taught=tmp_path)
    (found,) = seen(played(watch, job(1, 2), len(film.frames)))
    watch.camera.trouble = CameraError(Fault.SILENT, "the camera is silent")
    assert found.learn(["3", "6"]).startswith("nothing learnt")
    since = Film().rest({(60, 60): 3, (220, 60): 6})
    watch.camera = since.camera()
    monkeypatch.setattr(vision, "read", failing)
    with pytest.raises(vision.FrameError):
        played(watch, job(1, 2), len(since.frames))
    assert found.learn(["3", "6"]).startswith("nothing learnt")


@pytest.mark.parametrize(("tray", "faces"), [(TWO, "35"), (COCKED, ["3", ""])])
def test_the_evidence_has_source_confidence_and_a_picture_of_each_die(tray: Tray, faces: list[str]) -> None:
    film = Film().rest({}).throw(tray)
    (found,) = seen(played(TrayWatch(film.camera()), job(1, 2), len(film.frames)))
    assert [(one.die, one.face, one.source) for one in found.evidence.dice] == [
        ("d6", face, "camera") for face in faces
    ]
    assert all(one.confidence == pytest.approx(0.9) for one in found.evidence.dice)
    assert [one.photo for one in found.evidence.dice] == [blob_name(data) for data in found.evidence.photos]


@pytest.mark.parametrize(
    ("since", "said", "journaled"),
    [
        (Film().rest({}), "46", None),
        (Film().rest({}), "34", [("3", None), ("4", "5")]),
        (Film().rest(TWO), "46", [("4", "3"), ("6", "5")]),
        (Film().rest({}, hand=True), "46", [("4", "3"), ("6", "5")]),
    ],
    ids=["others thrown", "the doubtful one named", "misread", "a hand over them"],
)
def test_of_dice_that_were_taken_out_nothing_is_kept_where_a_sure_one_is_said_otherwise(
    since: Film, said: str, journaled: list[tuple[str, str | None]] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The camera may be lost then, and others be thrown that it never sees."""
    monkeypatch.setattr(vision, "read", partial(leaning, x=180))
    film = Film().rest({}).throw(TWO)
    watch = TrayWatch(film.camera())
    found = seen(played(watch, job(1, 2), len(film.frames)))[-1]
    found = (next_seen(watch, since, job(1, 2)) or [found])[-1]
    evidence = found.evidence_for(list(said), roll(2).each)
    assert (evidence and [(one.face, one.read) for one in evidence.dice]) == journaled
