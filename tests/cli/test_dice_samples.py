"""`companion dice samples`: what was taught can be looked at, removed and shared."""

import errno
import os
import zipfile
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli.dice import dice
from companion.engine.errors import BadInput
from tests.engine.disk import disk_full_at
from vision import Box, DiceSet, DieKind, Marks, Supply, sets, teach

FACES = ("sun", "moon")

RUNE = '[{"name": "rune", "marks": "symbols", "faces": ["sun"]}]'


@pytest.fixture
def data(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    known = sets.save(DiceSet("rune", (DieKind("rune", Marks.SYMBOLS, FACES),)), data / "dice")
    for number, face in enumerate((*FACES, "sun")):
        picture = np.random.default_rng(number).integers(0, 200, (64, 64, 3), dtype=np.uint8)
        teach.keep(picture, Box(16, 16, 32, 32), "rune", None, face, set_folder=Path(known.taught))
    return data


def run(data: Path, *arguments: str) -> Result:
    return CliRunner().invoke(dice, ["samples", *arguments, "--data", str(data)])


def taught(data: Path, name: str = "rune") -> list[str]:
    return [sample.face for sample in teach.samples(sets.load(name, data / "dice"))]


def test_the_samples_are_counted_face_by_face(data: Path) -> None:
    output = run(data, "list", "rune").output
    assert "rune moon: 1, 1 more would help" in output
    assert "rune sun: 2\n" in output
    assert "3 samples in" in output


def test_each_picture_can_be_looked_at(data: Path) -> None:
    lines = [line.split("  ") for line in run(data, "list", "rune", "--files").output.splitlines()[:3]]
    assert [name for name, _ in lines] == ["rune moon", "rune sun", "rune sun"]
    assert all(Path(file).is_file() for _, file in lines)


def test_a_face_or_a_single_picture_is_removed(data: Path) -> None:
    (moon,) = (data / "dice").rglob("moon/*.png")
    assert "1 sample removed" in run(data, "remove", "rune", moon.stem).output
    assert taught(data) == ["sun", "sun"]
    run(data, "remove", "rune", "sun")
    assert taught(data) == []


def test_a_picture_is_removed_by_its_file_name_too(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (moon,) = (data / "dice").rglob("moon/*.png")
    assert "1 sample removed" in run(data, "remove", "rune", moon.name).output
    first, second = (data / "dice").rglob("sun/*.png")
    assert "1 sample removed" in run(data, "remove", "rune", str(first)).output
    monkeypatch.chdir(data)
    assert "1 sample removed" in run(data, "remove", "rune", str(second.relative_to(data))).output


def test_a_picture_is_removed_alone_where_others_or_a_face_are_called_like_it(data: Path) -> None:
    (moon,) = (data / "dice").rglob("moon/*.png")
    moon = moon.rename(moon.with_name("sun.png"))
    first, _ = (data / "dice").rglob("sun/*.png")
    first.rename(first.with_name("sun.png"))
    assert "1 sample removed" in run(data, "remove", "rune", str(moon)).output
    assert taught(data) == ["sun", "sun"]
    assert "1 sample removed" in run(data, "remove", "rune", "sun.png").output
    assert "1 sample removed" in run(data, "remove", "rune", "sun").output


def test_what_a_set_is_taught_while_another_is_taken_into_it_stays(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(data, "export", "rune", "--out", str(tmp_path / "rune.zip"))
    home, write = tmp_path / "other" / "dice", sets.write
    stars = DiceSet("rune", (DieKind("rune", Marks.SYMBOLS, ("star",)),))

    def meanwhile(file: Path, content: bytes) -> None:
        monkeypatch.setattr(sets, "write", write)
        sets.save(stars, home)
        write(file, content)

    monkeypatch.setattr(sets, "write", meanwhile)
    assert "rune: 3 samples" in run(home.parent, "import", str(tmp_path / "rune.zip")).output
    (kind,) = sets.load("rune", home).kinds
    assert set(kind.faces) == {"sun", "moon", "star"}


def test_a_face_that_only_wrong_labels_knew_is_gone_with_its_last_picture(data: Path) -> None:
    (built,) = sets.load("dday").kinds
    slip = msgspec.structs.replace(built, faces=(*built.faces, "skul"))
    known = sets.save(DiceSet("dday", (slip,)), data / "dice")
    picture = np.random.default_rng(9).integers(0, 200, (64, 64, 3), dtype=np.uint8)
    for face in ("skul", "skull", "star"):
        teach.keep(picture, Box(16, 16, 32, 32), "dday", "red", face, set_folder=Path(known.taught))
    other = teach.keep(
        255 - picture, Box(16, 16, 32, 32), "dday", "red", "skul", set_folder=Path(known.taught)
    )
    assert run(data, "remove", "dday", other.file.stem).output == "1 sample removed\n", "it has one yet"
    assert "has no face skul any more" in run(data, "remove", "dday", "skul").output
    assert run(data, "remove", "dday", "skull").output == "1 sample removed\n"
    assert sets.load("dday", data / "dice").kinds == (built,)
    sets.save(DiceSet("dday", (slip,)), data / "dice")
    assert run(data, "remove", "dday", "skul").output == "0 samples removed; dday has no face skul any more\n"
    assert sets.load("dday", data / "dice").kinds == (built,)


def test_a_colour_that_only_wrong_labels_knew_is_gone_with_its_last_picture(data: Path) -> None:
    """A colour without a picture leaves that of every die in doubt."""
    (built,) = sets.load("dday").kinds
    slip = msgspec.structs.replace(built, supply=(*built.supply, Supply("rde")))
    picture = np.random.default_rng(9).integers(0, 200, (64, 64, 3), dtype=np.uint8)
    for which in ("file", "rde", "dday/rde"):
        sets.save(DiceSet("dday", (slip,)), data / "dice")
        kept = [
            teach.keep(picture, Box(16, 16, 32, 32), "dday", colour, "star", set_folder=data / "dice/dday")
            for colour in ("red", "rde")
        ]
        said = run(data, "remove", "dday", kept[1].file.as_posix() if which == "file" else which).output
        assert said == "1 sample removed; dday has no colour rde any more\n"
        assert sets.load("dday", data / "dice").kinds == (built,)
        assert kept[0].file.exists()


def test_colours_of_own_dice_are_removed_by_name_and_those_to_be_taught_stay(data: Path) -> None:
    supply = tuple(Supply(colour) for colour in ("green", "rde", "blue"))
    rune = DieKind("rune", Marks.SYMBOLS, FACES, supply)
    known = sets.save(DiceSet("rune", (rune,)), data / "dice")
    picture = np.random.default_rng(9).integers(0, 200, (64, 64, 3), dtype=np.uint8)
    for colour in ("green", "rde"):
        teach.keep(picture, Box(16, 16, 32, 32), "rune", colour, "sun", set_folder=Path(known.taught))
    again = "; rune has colour rde yet: the same again ends that"
    assert run(data, "remove", "rune", "rde").output == f"1 sample removed{again}\n"
    assert run(data, "remove", "rune", "rde").output == "0 samples removed; rune has no colour rde any more\n"
    assert sets.load("rune", data / "dice").kinds[0].colours == ("green", "blue")


def test_a_die_that_only_wrong_labels_knew_is_gone_with_its_pictures(data: Path) -> None:
    (built,) = sets.load("dday").kinds
    slip = DieKind("ddai", Marks.SYMBOLS, ("star", "skull"))
    sets.save(DiceSet("dday", (built, slip)), data / "dice")
    for number, (die, face) in enumerate((("dday", "star"), ("ddai", "star"), ("ddai", "skull"))):
        picture = np.random.default_rng(number).integers(0, 200, (64, 64, 3), dtype=np.uint8)
        teach.keep(picture, Box(16, 16, 32, 32), die, "red", face, set_folder=data / "dice/dday")
    assert "removed; dday has face ddai/star yet" in run(data, "remove", "dday", "ddai/star").output
    assert run(data, "remove", "dday", "ddai").output == "1 sample removed; dday has no die ddai any more\n"
    assert sets.load("dday", data / "dice").kinds == (built,)
    assert run(data, "remove", "dday", "dday").output == "1 sample removed\n"
    assert sets.load("dday", data / "dice").kinds == (built,)


def test_a_die_that_has_samples_or_that_the_set_was_built_with_is_no_slip_whatever_is_named(
    data: Path,
) -> None:
    okinawa = sets.save(sets.load("okinawa"), data / "dice")
    assert teach.without_slips(okinawa, {"action"}).kinds == okinawa.kinds
    rune, coin = (DieKind(name, Marks.SYMBOLS, FACES) for name in ("rune", "coin"))
    both = sets.save(DiceSet("rune", (rune, coin)), data / "dice")
    assert teach.without_slips(both, {"rune", "coin"}).kinds == (rune,)


def test_a_slip_in_an_own_set_is_removed_by_name_and_what_is_to_be_taught_stays(data: Path) -> None:
    rune, coin = DieKind("rune", Marks.SYMBOLS, (*FACES, "star")), DieKind("coin", Marks.SYMBOLS, ("head",))
    sets.save(DiceSet("rune", (rune, coin)), data / "dice")
    again = "; rune has face moon yet: the same again ends that"
    assert run(data, "remove", "rune", "moon").output == f"1 sample removed{again}\n"
    assert sets.load("rune", data / "dice").kinds == (rune, coin)
    assert run(data, "remove", "rune", "moon").output == "0 samples removed; rune has no face moon any more\n"
    assert run(data, "remove", "rune", "coin").output == "0 samples removed; rune has no die coin any more\n"
    left = msgspec.structs.replace(rune, faces=("sun", "star"))
    assert sets.load("rune", data / "dice").kinds == (left,)
    assert run(data, "remove", "rune", "rune").output == "2 samples removed\n"
    assert sets.load("rune", data / "dice").kinds == (left,)


def test_a_face_of_one_die_goes_without_that_of_another(data: Path) -> None:
    rune = DieKind("rune", Marks.SYMBOLS, FACES)
    sets.save(DiceSet("rune", (rune, msgspec.structs.replace(rune, name="coin"))), data / "dice")
    picture = np.random.default_rng(9).integers(0, 200, (64, 64, 3), dtype=np.uint8)
    teach.keep(picture, Box(16, 16, 32, 32), "coin", None, "sun", set_folder=data / "dice/rune")
    assert "say coin/sun or rune/sun" in str(run(data, "remove", "rune", "sun").exception)
    assert taught(data) == ["sun", "moon", "sun", "sun"]
    again = "; rune has face rune/sun yet: the same again ends that"
    assert run(data, "remove", "rune", "rune/sun").output == f"2 samples removed{again}\n"
    assert taught(data) == ["sun", "moon"]


def test_a_slip_of_one_die_that_is_a_face_of_another_goes_by_both_names(data: Path) -> None:
    rune = DieKind("rune", Marks.SYMBOLS, FACES)
    coin = msgspec.structs.replace(rune, name="coin", faces=("head", "sun"))
    sets.save(DiceSet("rune", (rune, coin)), data / "dice")
    assert "say coin/sun or rune/sun" in str(run(data, "remove", "rune", "sun").exception)
    assert taught(data) == ["moon", "sun", "sun"]
    assert "no face coin/sun any more" in run(data, "remove", "rune", "coin/sun").output
    left = msgspec.structs.replace(coin, faces=("head",))
    assert sets.load("rune", data / "dice").kinds == (rune, left)
    again = "; rune has face moon yet: the same again ends that"
    assert run(data, "remove", "rune", "rune/moon").output == f"1 sample removed{again}\n"
    assert "no face moon any more" in run(data, "remove", "rune", "rune/moon").output
    assert "called rune/moon" in str(run(data, "remove", "rune", "rune/moon").exception)
    assert "called coin/head" in str(run(data, "remove", "rune", "coin/head").exception)  # its last
    assert "no die coin any more" in run(data, "remove", "rune", "coin").output


def test_a_sample_that_can_be_neither_read_nor_removed_is_named(data: Path, tmp_path: Path) -> None:
    """A folder here, in place of what a failing card does not read."""
    broken = data / "dice/rune/samples/rune/any/sun/0.png"
    broken.mkdir()
    said = str(run(data, "export", "rune", "--out", str(tmp_path / "rune.zip")).exception)
    assert said == f"{broken} can't be read: Is a directory"
    result = run(data, "remove", "rune", "0")
    assert isinstance(result.exception, BadInput)
    assert f"{data / 'dice/rune'} can't be changed: " in str(result.exception)


def test_a_full_disk_leaves_a_file_of_before_as_it_was(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "rune.zip"
    run(data, "export", "rune", "--out", str(file))
    before = file.read_bytes()
    with disk_full_at(500):
        result = run(data, "export", "rune", "--out", str(file))
    assert "rune.zip can't be written: File too large" in str(result.exception)
    assert file.read_bytes() == before


def test_a_face_whose_pictures_a_full_disk_does_not_take_is_none_of_the_set(
    data: Path, tmp_path: Path
) -> None:
    file, other = tmp_path / "rune.zip", tmp_path / "other"
    run(data, "export", "rune", "--out", str(file))
    sun = DieKind("rune", Marks.SYMBOLS, ("sun",))
    before = sets.save(DiceSet("rune", (sun,)), other / "dice")
    with disk_full_at(500):
        assert "File too large" in str(run(other, "import", str(file)).exception)
    assert sets.load("rune", other / "dice") == before


def test_of_a_shared_set_that_the_disk_does_not_take_in_full_nothing_fills_it(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    file, other = tmp_path / "rune.zip", tmp_path / "other"
    run(data, "export", "rune", "--out", str(file))
    monkeypatch.setattr(sets, "save", full)
    said = str(run(other, "import", str(file)).exception)
    assert said == f"{other / 'dice/rune'} can't be changed: No space left on device"  # not of the file
    assert not list(other.rglob("*.png"))


def test_a_shared_file_replaces_nothing_of_the_companions(data: Path) -> None:
    own = data / "dice/rune/set.json"
    before = own.read_bytes()
    assert "own file" in str(run(data, "export", "rune", "--out", str(own)).exception)
    assert own.read_bytes() == before


def test_a_shared_file_replaces_no_device(data: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    result = run(data, "export", "rune", "--out", str(tmp_path / "pipe"))
    assert "pipe is not a plain file" in str(result.exception)
    assert (tmp_path / "pipe").is_fifo()


def test_what_is_not_there_can_not_be_removed(data: Path) -> None:
    assert "no sample, face, colour or die called star" in str(
        run(data, "remove", "rune", "sun", "star").exception
    )
    assert taught(data) == ["moon", "sun", "sun"]
    assert "no sample, face, colour or die called star" in str(run(data, "remove", "rune", "star").exception)
    assert "has not been taught" in str(run(data, "list", "d6").exception)
    assert "no dice set" in str(run(data, "list", "nothing").exception)


def test_a_set_is_shared_as_one_file_and_taken_in_elsewhere(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "shared.zip"
    assert run(data, "export", "rune", "--out", str(file)).exit_code == 0
    other = tmp_path / "other"
    assert "runes: 3 samples" in run(other, "import", str(file), "--name", "runes").output
    assert taught(other, "runes") == ["moon", "sun", "sun"]
    assert [kind.faces for kind in sets.load("runes", other / "dice").kinds] == [FACES]


def test_dice_taught_from_close_up_photographs_are_shared_too(data: Path, tmp_path: Path) -> None:
    photograph = np.random.default_rng(9).integers(0, 200, (1600, 2100, 3), dtype=np.uint8)
    teach.keep(photograph, Box(400, 200, 1200, 1200), "rune", None, "moon", set_folder=data / "dice/rune")
    run(data, "export", "rune", "--out", str(tmp_path / "rune.zip"))
    assert "rune: 4 samples" in run(tmp_path / "other", "import", str(tmp_path / "rune.zip")).output


def test_large_samples_that_earlier_versions_kept_are_shared_at_the_size_of_new_ones(
    data: Path, tmp_path: Path
) -> None:
    photograph = np.random.default_rng(9).integers(0, 200, (1600, 1600, 3), dtype=np.uint8)
    large = data / "dice/rune/samples/rune/any/moon/0123456789ab.png"
    cv2.imwrite(str(large), photograph)
    run(data, "export", "rune", "--out", str(tmp_path / "rune.zip"))
    other = tmp_path / "other"
    assert "rune: 4 samples" in run(other, "import", str(tmp_path / "rune.zip")).output
    taken = [cv2.imread(str(one.file)) for one in teach.samples(sets.load("rune", other / "dice"))]
    assert any(np.array_equal(one, teach.small(photograph)) for one in taken)
    large.write_bytes(b"torn" * 1_000_000)
    result = run(data, "export", "rune", "--out", str(tmp_path / "rune.zip"))
    assert isinstance(result.exception, BadInput)
    assert f"{large} is no picture" in str(result.exception)


def test_a_face_with_dots_in_its_name_is_shared_too(data: Path, tmp_path: Path) -> None:
    file, folder = tmp_path / "rune.zip", data / "dice/rune"
    picture = np.random.default_rng(9).integers(0, 200, (64, 64, 3), dtype=np.uint8)
    kept = teach.keep(picture, Box(16, 16, 32, 32), "rune", None, "1..3", set_folder=folder).file
    kept.write_bytes(cv2.imencode(".png", cv2.imread(str(kept)), [cv2.IMWRITE_PNG_COMPRESSION, 0])[1])
    assert run(data, "export", "rune", "--out", str(file)).output == f"{file}: 4 samples of rune\n"
    with zipfile.ZipFile(file) as archive:  # a picture that is small enough stays as it is
        assert kept.read_bytes() in map(archive.read, archive.namelist())
    assert "rune: 4 samples" in run(tmp_path / "other", "import", str(file)).output
    assert "1..3" in taught(tmp_path / "other")


def test_dice_that_are_here_already_stay_beside_those_of_somebody_else(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "shared.zip"
    run(data, "export", "rune", "--out", str(file))
    own = DieKind("rune", Marks.SYMBOLS, ("moon", "star"), (Supply("red", 2),))
    sets.save(DiceSet("dday", (DieKind("dday", Marks.SYMBOLS, ("skull",)), own)), data / "dice")
    assert run(data, "import", str(file), "--name", "dday").exit_code == 0
    dday, rune = sets.load("dday", data / "dice").kinds
    assert (dday.name, dday.faces) == ("dday", ("skull",))
    assert (rune.faces, rune.supply) == (("moon", "star", "sun"), own.supply)
    assert taught(data, "dday") == ["moon", "sun", "sun"]


def test_dice_that_are_otherwise_here_are_refused_and_a_set_that_is_unreadable_is_put_right(
    data: Path, tmp_path: Path
) -> None:
    file = tmp_path / "rune.zip"
    run(data, "export", "rune", "--out", str(file))
    own = sets.save(DiceSet("rune", (DieKind("rune", Marks.NUMERALS, ("1", "2")),)), data / "dice")
    assert "symbols there, but numerals here" in str(run(data, "import", str(file)).exception)
    assert sets.load("rune", data / "dice") == own
    (data / "dice/rune/set.json").write_text("torn")
    assert "rune: 3 samples" in run(data, "import", str(file)).output


def test_a_shared_file_that_was_packed_anew_with_its_folders_is_taken_in(data: Path, tmp_path: Path) -> None:
    run(data, "export", "rune", "--out", str(tmp_path / "rune.zip"))
    with zipfile.ZipFile(tmp_path / "rune.zip") as archive, zipfile.ZipFile(tmp_path / "new.zip", "w") as new:
        new.mkdir("samples")
        for name in archive.namelist():
            new.writestr(name, archive.read(name))
    assert "new: 3 samples" in run(tmp_path / "other", "import", str(tmp_path / "new.zip")).output


def test_a_file_with_far_too_many_pictures_is_refused(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(data, "export", "rune", "--out", str(tmp_path / "rune.zip"))
    monkeypatch.setattr("companion.cli.dice_samples.MOST", 3)
    assert "no dice set" in str(run(tmp_path / "other", "import", str(tmp_path / "rune.zip")).exception)


def test_a_file_whose_name_no_set_can_have_needs_another(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "My dice (1).zip"
    run(data, "export", "rune", "--out", str(file))
    assert "--name" in str(run(data, "import", str(file)).exception)


def test_of_a_file_that_is_not_there_only_that_is_said(tmp_path: Path) -> None:
    said = str(run(tmp_path, "import", str(tmp_path / "rune.zip")).exception)
    assert said == f"{tmp_path / 'rune.zip'}: No such file or directory"


def test_a_set_whose_samples_a_person_named_is_shared_too(data: Path, tmp_path: Path) -> None:
    (moon,) = (data / "dice").rglob("moon/*.png")
    named = moon.rename(moon.with_name("the moon.png"))
    named.with_name("a copy.png").write_bytes(named.read_bytes())
    run(data, "export", "rune", "--out", str(tmp_path / "rune.zip"))
    with zipfile.ZipFile(tmp_path / "rune.zip") as archive:
        assert len(archive.namelist()) == 4
    assert "rune: 3 samples" in run(tmp_path / "other", "import", str(tmp_path / "rune.zip")).output


@pytest.mark.parametrize(
    "member",
    [
        "../evil.png",
        "/etc/evil",
        "samples/a/b/../../c.png",
        "samples/../../x/ab.png",
        "evil.py",
        "set.json/x",
        "samples/rune/\x1b[2Jred/sun/ab.png",
    ],
)
def test_a_file_that_would_write_elsewhere_or_command_a_terminal_is_refused_whole(
    member: str, tmp_path: Path
) -> None:
    file = tmp_path / "evil.zip"
    picture = cv2.imencode(".png", np.zeros((64, 64, 3), np.uint8))[1].tobytes()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("set.json", RUNE)
        archive.writestr(member, picture)
    data = tmp_path / "data"
    result = run(data, "import", str(file))
    assert isinstance(result.exception, BadInput)
    assert str(result.exception).isprintable()
    assert not list(data.rglob("*"))


def test_a_file_with_an_empty_name_in_it_is_refused(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "rune.zip"
    run(data, "export", "rune", "--out", str(file))
    file.write_bytes(file.read_bytes().replace(b"set.json", bytes(8)))
    assert "'' is nothing that belongs" in str(run(tmp_path / "other", "import", str(file)).exception)


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04 torn"])
def test_a_file_that_is_no_set_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "torn.zip"
    file.write_bytes(content)
    assert isinstance(run(tmp_path / "data", "import", str(file)).exception, BadInput)
    assert isinstance(run(tmp_path / "data", "import", str(tmp_path / "none.zip")).exception, BadInput)


@pytest.mark.parametrize(
    ("at", "bits"), [(6, 0x01), (8, 0x60), (38, 0xFF)], ids=["encrypted", "packed strangely", "garbled"]
)
def test_a_file_that_can_not_be_unpacked_is_refused(at: int, bits: int, tmp_path: Path) -> None:
    file = tmp_path / "torn.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("set.json", RUNE + " " * 1000)
    content = bytearray(file.read_bytes())
    directory = content.index(b"PK\x01\x02")
    content[at] ^= bits
    if at < 30:  # the archive's directory says so too
        content[directory + at + 2] ^= bits
    file.write_bytes(content)
    assert isinstance(run(tmp_path / "data", "import", str(file)).exception, BadInput)


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_file_that_is_damaged_is_refused_however_it_is_packed(packing: int, tmp_path: Path) -> None:
    file = tmp_path / "torn.zip"
    with zipfile.ZipFile(file, "w", packing) as archive:
        archive.writestr("set.json", RUNE + " " * 1000)
    content = file.read_bytes()
    start = len("set.json") + 30
    file.write_bytes(content[: start + 9] + b"\xff" + content[start + 10 :])
    assert isinstance(run(tmp_path / "data", "import", str(file)).exception, BadInput)


def test_a_picture_that_is_far_too_large_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "bomb.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("set.json", RUNE)
        archive.writestr("samples/rune/any/sun/0a.png", bytes(3_000_000))
    assert "nothing that belongs" in str(run(tmp_path / "data", "import", str(file)).exception)


@pytest.mark.parametrize(
    "damaged",
    [
        {"set.json": "{}"},
        {"set.json": "[]"},
        {"set.json": "\xff"},
        {"samples/rune/any/sun/0a.png": "no picture"},
    ],
)
def test_a_set_that_can_not_be_read_is_refused_and_the_own_one_stays(
    damaged: dict[str, str], data: Path, tmp_path: Path
) -> None:
    file = tmp_path / "rune.zip"
    run(data, "export", "rune", "--out", str(file))
    with zipfile.ZipFile(file) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(file, "w") as archive:
        for name, inside in (content | damaged).items():
            archive.writestr(name, inside.encode("latin-1") if isinstance(inside, str) else inside)
    before = {path: path.read_bytes() for path in data.rglob("*.*")}
    assert "can" in str(run(data, "import", str(file)).exception)
    assert {path: path.read_bytes() for path in data.rglob("*.*")} == before


@pytest.mark.parametrize("word", ["..", "a/b", ""])
def test_a_shared_set_whose_dice_no_folder_can_be_named_by_is_refused(
    word: str, data: Path, tmp_path: Path
) -> None:
    file = tmp_path / "new.zip"
    with zipfile.ZipFile(file, "w") as new:
        new.writestr("set.json", msgspec.json.encode([DieKind("rune", Marks.SYMBOLS, ("sun", word))]))
    result = run(data, "import", str(file))
    assert isinstance(result.exception, BadInput)
    assert f"{word!r} can't name a die, colour or face" in str(result.exception)
    assert not (data / "dice/new").exists()


@pytest.mark.parametrize("in_file", [True, False], ids=["a die of the file", "a die that is here already"])
def test_a_picture_of_a_face_that_its_die_can_not_show_is_refused_and_nothing_is_changed(
    in_file: bool, data: Path, tmp_path: Path
) -> None:
    d10 = DieKind("d10", Marks.NUMERALS, tuple("0123456789"))
    if not in_file:
        sets.save(DiceSet("ours", (d10,)), data / "dice")
    file = tmp_path / "ours.zip"
    run(data, "export", "rune", "--out", str(file))
    with zipfile.ZipFile(file) as archive, zipfile.ZipFile(tmp_path / "new.zip", "w") as new:
        for name in archive.namelist():
            content = archive.read(name)
            if name == "set.json" and in_file:
                content = msgspec.json.encode((d10, *msgspec.json.decode(content, type=list[DieKind])))
            new.writestr(name, content)
        picture = next(name for name in archive.namelist() if name.endswith(".png"))
        new.writestr("samples/d10/any/10/cc.png", archive.read(picture))
    before = {path: path.read_bytes() for path in data.rglob("*.*")}
    result = run(data, "import", str(tmp_path / "new.zip"), "--name", "ours")
    assert isinstance(result.exception, BadInput)
    assert "new.zip: die 'd10' with numerals can't show 10" in str(result.exception)
    assert {path: path.read_bytes() for path in data.rglob("*.*")} == before


def test_a_set_from_before_the_clock_was_set_is_shared_too(data: Path, tmp_path: Path) -> None:
    for file in (data / "dice").rglob("*.*"):
        os.utime(file, (86400, 86400))
    assert run(data, "export", "rune", "--out", str(tmp_path / "old.zip")).exit_code == 0
