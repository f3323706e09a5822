"""Folders and films as cameras."""

import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import CameraError, Fault, open_camera
from vision.cameras import files
from vision.cameras.fake import FakeCamera
from vision.cameras.files import FolderCamera
from vision.cameras.turned import TurnedCamera


def grey(level: int) -> np.ndarray:
    return np.full((48, 64, 3), level, np.uint8)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, level in (("roll-10.png", 100), ("roll-9.png", 90), ("roll-2.png", 20)):
        cv2.imwrite(str(tmp_path / name), grey(level))
    (tmp_path / "labels.jsonl").write_text("{}")
    return tmp_path


def test_a_folder_is_played_in_the_order_a_person_counts(folder: Path) -> None:
    with open_camera(folder) as camera:
        assert camera.stills
        assert [int(camera.frame().image[0, 0, 0]) for _ in range(3)] == [20, 90, 100]
        with pytest.raises(CameraError, match="all 3 pictures") as caught:
            camera.frame()
    assert caught.value.fault is Fault.ENDED


def test_what_is_called_a_picture_and_is_no_file_is_passed_over(folder: Path) -> None:
    os.mkfifo(folder / "roll-1.png")
    (folder / "roll-3.png").mkdir()
    with open_camera(folder) as camera:
        assert [int(camera.frame().image[0, 0, 0]) for _ in range(3)] == [20, 90, 100]


@pytest.mark.parametrize(("degrees", "turned"), [("90", "ca db"), ("180", "dc ba"), ("270", "bd ac")])
def test_pictures_of_a_camera_that_hangs_askew_are_turned_upright(
    tmp_path: Path, degrees: str, turned: str
) -> None:
    levels = {"a": 10, "b": 80, "c": 150, "d": 220}
    corners = np.array([[levels["a"], levels["b"]], [levels["c"], levels["d"]]], np.uint8)
    cv2.imwrite(str(tmp_path / "roll.png"), corners.repeat(40, 0).repeat(40, 1)[..., None].repeat(3, 2))
    with open_camera(f"{tmp_path}@{degrees}") as camera:
        assert camera.stills
        frame = camera.frame(newer_than=7.0)
    assert frame.taken > 7.0
    assert frame.image[::40, ::40, 0].tolist() == [[levels[one] for one in row] for row in turned.split()]


def test_a_camera_that_hangs_askew_tells_its_trouble_and_its_notes_and_is_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    camera, let_go = FakeCamera([]), []
    monkeypatch.setattr(camera, "close", lambda: let_go.append(camera))
    camera.notes, camera.trouble = ("it can't be focused",), CameraError(Fault.SILENT, "no picture for 2 s")
    turned = TurnedCamera(camera, 2)
    assert (turned.notes, turned.trouble) == (camera.notes, camera.trouble)
    turned.close()
    assert let_go == [camera]


@pytest.mark.parametrize("name", ["throws@home", "throws@90"])
def test_what_is_behind_the_last_at_sign_turns_pictures_only_if_it_is_an_angle_and_not_in_a_name(
    name: str, tmp_path: Path
) -> None:
    folder = tmp_path / name
    folder.mkdir()
    cv2.imwrite(str(folder / "roll.png"), np.full((60, 90, 3), 90, np.uint8))
    with open_camera(folder) as camera:
        assert camera.frame().image.shape == (60, 90, 3)
    with open_camera(f"{folder}@90") as camera:
        assert camera.frame().image.shape == (90, 60, 3)
    with pytest.raises(CameraError, match=r"csi@45.*; @90, @180 and @270 turn one"):
        open_camera("csi@45")


def test_names_of_all_kinds_are_played_and_hidden_files_are_not(folder: Path) -> None:
    for name in ("1²2.png", "der Wurf, zwölf.PNG", "roll-٣.png"):
        cv2.imwrite(str(folder / name), grey(50))
    (folder / "._roll-2.png").write_bytes(b"what another system writes beside a picture")
    with FolderCamera(folder) as camera:
        for _ in range(6):
            camera.frame()
        with pytest.raises(CameraError, match="all 6 pictures"):
            camera.frame()


@pytest.mark.parametrize("suffix", [".jfif", ".jpe"])
@pytest.mark.parametrize("is_alone", [True, False])
def test_a_jpeg_is_a_photograph_also_as_others_call_it(suffix: str, is_alone: bool, tmp_path: Path) -> None:
    file = tmp_path / f"a{suffix}"
    file.write_bytes(cv2.imencode(".jpg", grey(50))[1].tobytes())
    with open_camera(file if is_alone else tmp_path) as camera:
        assert camera.stills
        assert camera.frame().image[0, 0, 0] == 50


@pytest.mark.parametrize("name", ["a.tif", "a.GIF", "a.heic"])
def test_a_picture_that_can_not_be_read_everywhere_is_no_film_either(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(cv2.imencode(".tif", grey(50))[1].tobytes())
    with pytest.raises(CameraError, match=f"{name} is of a kind .* save it as JPEG, PNG"):
        open_camera(tmp_path / name)


def test_a_photograph_is_always_newer_than_the_question(folder: Path) -> None:
    with open_camera(folder) as camera:
        assert camera.frame(newer_than=1e12).taken > 1e12


def test_a_single_photograph_is_one_throw_and_no_film_of_all_beside_it(folder: Path) -> None:
    with open_camera(folder / "roll-9.png") as camera:
        assert camera.stills
        camera.frame()
        with pytest.raises(CameraError, match=r"png: 1 picture has been played"):
            camera.frame()


def test_while_a_folder_is_gone_none_of_its_photographs_is_spent(folder: Path) -> None:
    with open_camera(folder) as camera:
        camera.frame()
        away = folder.rename(folder.with_name("away"))
        for _ in range(5):
            with pytest.raises(CameraError, match="is gone") as caught:
                camera.frame()
            assert caught.value.fault is Fault.MISSING
        away.rename(folder)
        assert [int(camera.frame().image[0, 0, 0]) for _ in range(2)] == [90, 100]


def test_photographs_that_come_later_are_played_once_they_are_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LOOK_AGAIN", 0.01)
    with open_camera(folder) as camera:
        camera.frame()
        for path in folder.glob("*.png"):
            path.unlink()
        with pytest.raises(CameraError, match="is gone"):
            camera.frame()
        whole = cv2.imencode(".png", grey(70))[1].tobytes()
        (folder / "other.png").write_bytes(whole[:40])
        with pytest.raises(CameraError, match=r"other\.png is no picture"):
            camera.frame()
        (folder / "other.png").write_bytes(whole)
        assert int(camera.frame().image[0, 0, 0]) == 70
        with pytest.raises(CameraError, match="all 2 pictures have been played"):
            camera.frame()


@pytest.mark.parametrize("torn", [bytes(40), None], ids=["cut off", "as long as the whole"])
def test_a_photograph_that_was_still_being_copied_is_played_when_it_is_whole(
    tmp_path: Path, torn: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over a slow net, copying rests longer than from one look to the next; some systems give room first."""
    monkeypatch.setattr(files, "LOOK_AGAIN", 0.01)
    whole = cv2.imencode(".png", grey(70))[1].tobytes()
    late = tmp_path / "late.png"
    late.write_bytes(torn or whole[:40] + bytes(len(whole) - 40))
    with open_camera(tmp_path) as camera:
        with pytest.raises(CameraError, match="is no picture"):
            camera.frame()
        for _ in range(2):
            with pytest.raises(CameraError, match="no picture has been played; 1 can't be read"):
                camera.frame()
        late.write_bytes(whole)
        os.utime(late, (1e9, 1e9))
        assert int(camera.frame().image[0, 0, 0]) == 70
        with pytest.raises(CameraError, match=r"1 picture has been played$"):
            camera.frame()
        late.unlink()
        with pytest.raises(CameraError, match=r"1 picture has been played$"):
            camera.frame()


def test_a_photograph_that_does_not_end_growing_is_waited_for_but_a_while(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look finds it larger; a game or a lesson is not held up by it."""
    late, looks = folder / "roll-99.png", []
    for name, seconds in (("PATIENCE", 0.4), ("LOOK_AGAIN", 0.1)):
        monkeypatch.setattr(files, name, seconds)
    with open_camera(folder) as camera:
        for _ in range(3):
            camera.frame()
        monkeypatch.setattr(files, "_stand", lambda path: (looks.append(path), (len(looks), 0))[1])
        late.write_bytes(b"the beginning")
        with pytest.raises(CameraError, match="all 3 pictures have been played") as caught:
            camera.frame()
        assert caught.value.fault is Fault.ENDED
        assert 2 <= looks.count(late) < 8
        for path in folder.iterdir():
            path.unlink()
        monkeypatch.setattr(files.time, "sleep", lambda _: pytest.fail("waited for nothing"))
        with pytest.raises(CameraError, match="have been played"):
            camera.frame()


def test_a_folder_that_may_not_be_looked_into_is_no_camera(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refused)
    with pytest.raises(CameraError, match="can't be read: Permission denied"):
        open_camera(folder)


def test_a_damaged_photograph_is_named_and_the_next_one_still_read(folder: Path) -> None:
    (folder / "roll-0.png").symlink_to(folder / "nowhere")
    (folder / "roll-1.png").write_bytes(b"not a picture")
    cv2.imwrite(str(folder / "roll-1b.png"), np.full((20, 20, 3), 9, np.uint8))
    said_of = (r"roll-0\.png can't be read", r"roll-1\.png is no picture", r"roll-1b\.png: a frame of 20x20")
    with open_camera(folder) as camera:
        for said in said_of:
            with pytest.raises(CameraError, match=said):
                camera.frame()
        assert int(camera.frame().image[0, 0, 0]) == 20


def test_at_the_end_photographs_that_could_not_be_read_are_told(folder: Path) -> None:
    """That of one the moment it came is overwritten by the end a third of a second later."""
    count = len(list(folder.glob("*.png")))
    for torn in ("roll-98.png", "roll-99.png"):
        (folder / torn).write_bytes(b"not a picture")
    with open_camera(folder) as camera:
        for _ in range(count):
            camera.frame()
        at_the_end = f"all {count} pictures have been played; 2 can't be read, as roll-98.png"
        for said in ("roll-98", "roll-99", at_the_end):
            with pytest.raises(CameraError, match=said):
                camera.frame()
        (folder / "roll-98.png").unlink()
        with pytest.raises(CameraError, match=r"; 1 can't be read, as roll-99\.png"):
            camera.frame()


def test_a_picture_that_says_it_is_larger_than_any_memory_is_damaged(folder: Path) -> None:
    size = struct.pack(">IIBBBBB", 200_000, 200_000, 8, 2, 0, 0, 0)
    header = b"IHDR" + size
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", len(size)) + header + struct.pack(">I", zlib.crc32(header))
    (folder / "roll-1.png").write_bytes(png)
    with open_camera(folder) as camera, pytest.raises(CameraError, match="no picture"):
        camera.frame()


def test_a_picture_of_a_kind_that_can_not_be_read_is_not_passed_over_in_silence(folder: Path) -> None:
    for name in ("roll-3.HEIC", "roll-9.HEIC"):  # of the second, a PNG was made
        (folder / name).write_bytes(b"\0\0\0\x18ftypheic")
    with open_camera(folder) as camera:
        assert int(camera.frame().image[0, 0, 0]) == 20
        with pytest.raises(
            CameraError, match=r"roll-3\.HEIC is no picture that can be read; use JPEG or PNG"
        ):
            camera.frame()
        assert int(camera.frame().image[0, 0, 0]) == 90


def test_a_folder_without_pictures_that_can_be_read_is_no_camera(tmp_path: Path) -> None:
    (tmp_path / "IMG_1.HEIC").touch()
    with pytest.raises(CameraError, match="holds no pictures: it takes JPEG, PNG"):
        open_camera(tmp_path)


def test_a_film_is_played_once_and_stands_still_while_nobody_looks(tmp_path: Path) -> None:
    film = tmp_path / "throw.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 20, (64, 48))
    for level in (50, 100, 150):
        writer.write(grey(level))
    writer.release()
    with open_camera(film) as camera:
        first = camera.frame()
        second = camera.frame(newer_than=500.0)
        third = camera.frame(second.taken)
        with pytest.raises(CameraError, match="is over"):
            camera.frame()
    assert [round(float(frame.image.mean()), -1) for frame in (first, second, third)] == [50, 100, 150]
    assert second.taken > 500
    assert third.taken - second.taken == pytest.approx(1 / 20)


@pytest.mark.parametrize("text", ["hello", "Two dice.\n" * 50])  # FFmpeg draws longer ones
def test_a_file_that_is_no_film_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(text)
    with pytest.raises(CameraError, match="can't be played"):
        open_camera(tmp_path / "notes.txt")


def test_the_fake_camera_raises_its_scripted_faults_in_their_turn() -> None:
    camera = FakeCamera([grey(1), CameraError(Fault.SILENT, "hush"), grey(2)])
    assert camera.frame().image.max() == 1
    with pytest.raises(CameraError, match="hush"):
        camera.frame()
    assert camera.frame(newer_than=9.0).taken > 9
    with pytest.raises(CameraError) as caught:
        camera.frame()
    assert caught.value.fault is Fault.ENDED


@pytest.mark.parametrize(("rate", "interval"), [(5, 0.2), (30, 1 / 30), (1000, 0.04), (0.2, 0.04)])
def test_a_film_whose_rate_no_camera_has_is_played_at_a_usual_one(
    rate: float, interval: float, tmp_path: Path
) -> None:
    film = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), rate, (64, 48))
    for _ in range(3):
        writer.write(grey(100))
    writer.release()
    with open_camera(film) as camera:
        assert camera.frame().taken == pytest.approx(interval)
        first = camera.frame()
        assert first.taken == pytest.approx(2 * interval)
        assert camera.frame(first.taken).taken - first.taken == pytest.approx(interval)
