"""`companion dice mat` and `focus`."""

import signal
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result
from rich.live import Live

from companion.cli.dice import dice
from companion.cli.dice_tray import measure_on, numbers, page
from companion.engine.errors import DeviceMissing
from tests.engine.disk import disk_full_at
from vision.camera import CameraError, Fault, Frame
from vision.cameras.fake import FakeCamera
from vision.focus import Focus, measure
from vision.tray import find_mat


def run(*arguments: str) -> Result:
    return CliRunner().invoke(dice, arguments)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    picture = np.random.default_rng(3).integers(0, 120, (120, 160, 3), dtype=np.uint8)
    cv2.imwrite(str(tmp_path / "tray.png"), picture)
    return tmp_path


@pytest.mark.parametrize(("paper", "box"), [("a4", b"841.890 595.276"), ("Letter", b"792.000 612.000")])
def test_the_mat_is_written_for_either_paper(paper: str, box: bytes, tmp_path: Path) -> None:
    out = tmp_path / "mat.pdf"
    result = run("mat", "--out", str(out), "--paper", paper)
    assert result.exit_code == 0
    assert "100 %" in result.stdout
    assert box in out.read_bytes()


def test_a_mat_that_can_not_be_written_is_one_clear_line(tmp_path: Path) -> None:
    result = run("mat", "--out", str(tmp_path / "no" / "mat.pdf"))
    assert "mat.pdf: not written: No such file" in str(result.exception)


def test_focus_without_a_terminal_says_the_numbers_once_and_what_to_do(folder: Path) -> None:
    png = folder / "out" / ".." / "marked.png"
    (folder / "out").mkdir()
    result = run("focus", "--camera", str(folder), "--png", str(png))
    assert result.exit_code == 0
    numbers, *advice = result.stdout.splitlines()
    assert "sharpness" in numbers
    assert "glare 0.0%" in numbers
    assert "no mat in view (it helps: companion dice mat)" in advice
    assert cv2.imread(str(png)).shape == (120, 160, 3)


@pytest.mark.parametrize("stdout", [None, SimpleNamespace(isatty=lambda: True)], ids=["closed", "dumb"])
def test_where_no_picture_can_be_drawn_one_is_measured(
    folder: Path, monkeypatch: pytest.MonkeyPatch, stdout: object
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr("companion.cli.dice_tray.sys", SimpleNamespace(stdout=stdout))
    result = run("focus", "--camera", str(folder))
    assert result.exit_code == 0
    assert result.stdout.startswith("sharpness ")


def test_what_a_camera_keeps_automatic_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = cv2.imread(str(folder / "tray.png"))
    camera = FakeCamera([picture])
    camera.notes = ("camera fake: exposure stays automatic",)
    monkeypatch.setattr("companion.cli.dice_tray.opened", lambda _: camera)
    assert "exposure stays automatic" in run("focus", "--once").stdout
    assert "exposure stays automatic" in page(picture, measure(picture), 0.0, (80, 40), camera.notes).plain


def test_a_picture_that_can_not_be_kept_is_a_line_of_usage(folder: Path) -> None:
    png = folder / "nowhere" / "marked.png"
    result = run("focus", "--camera", str(folder), "--png", str(png))
    assert f"{png}: not written: No such file" in str(result.exception)


def test_a_full_disk_leaves_the_mat_and_the_picture_of_before_as_they_were(
    folder: Path, tmp_path: Path
) -> None:
    mat, png = tmp_path / "mat.pdf", tmp_path / "marked.image"
    for before, command in ((mat, ("mat", "--out")), (png, ("focus", "--camera", str(folder), "--png"))):
        before.write_bytes(b"as it was")
        with disk_full_at(500):
            assert "not written: File too large" in str(run(*command, str(before)).exception)
        assert before.read_bytes() == b"as it was"


@pytest.mark.parametrize("camera", ["tray.png", "tray.png@90", ".", ".@180"])
@pytest.mark.parametrize("name", ["tray.png", "link"])
def test_the_marked_picture_takes_the_place_of_none_that_the_camera_shows(
    folder: Path, monkeypatch: pytest.MonkeyPatch, camera: str, name: str
) -> None:
    monkeypatch.chdir(folder)
    Path("link").symlink_to("tray.png")
    before = Path("tray.png").read_bytes()
    told = f"{name} is what the camera shows: name another file"
    assert str(run("focus", "--camera", camera, "--png", name).exception) == told
    Path("config.toml").write_text(f'[camera]\nsource = "{camera}"\n')
    monkeypatch.setenv("COMPANION_CONFIG", "config.toml")
    assert str(run("focus", "--png", name).exception) == told
    assert Path("tray.png").read_bytes() == before


def test_a_camera_that_gives_no_picture_is_a_missing_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cli.dice_tray.opened", lambda _: FakeCamera([]))
    assert isinstance(run("focus", "--once").exception, DeviceMissing)


def test_live_pictures_go_on_after_one_that_did_not_come_and_end_with_ctrl_c(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script() -> Iterator[np.ndarray | CameraError]:
        yield CameraError(Fault.SILENT, "no picture for 2 s")
        assert not png.exists()
        yield cv2.imread(str(folder / "tray.png"))
        raise KeyboardInterrupt

    png = folder / "marked.png"
    monkeypatch.setattr("companion.cli.dice_tray.opened", lambda _: FakeCamera(script()))
    terminal = SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("companion.cli.dice_tray.sys", terminal)
    monkeypatch.setattr("companion.cli.dice_tray.RETRY", 0)
    monkeypatch.setenv("TERM", "xterm")
    result = run("focus", "--png", str(png))
    assert (result.exit_code, result.exception) == (0, None)
    assert cv2.imread(str(png)).shape == (120, 160, 3)


@pytest.mark.parametrize("order", [signal.SIGTERM, signal.SIGQUIT])
def test_told_to_stop_and_interrupted_amid_that_a_live_picture_ends_with_its_cursor_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch, order: signal.Signals
) -> None:
    ended: list[str] = []

    def script() -> Iterator[np.ndarray]:
        yield cv2.imread(str(folder / "tray.png"))
        signal.raise_signal(order)

    def stop(_: Live) -> None:
        for again in (order, signal.SIGINT):
            signal.raise_signal(again)
        ended.append("cursor back")

    monkeypatch.setattr(Live, "stop", stop)
    usual = signal.signal(order, lambda *_: None), signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            measure_on(FakeCamera(script()), None)
    finally:
        for one, handler in zip((order, signal.SIGINT), usual, strict=True):
            signal.signal(one, handler)
    assert ended == ["cursor back"]


def test_live_it_is_shown_what_is_wrong_and_what_to_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr("rich.live.Live.update", lambda _, text, *, refresh: shown.append(text.plain))
    monkeypatch.setattr("companion.cli.dice_tray.RETRY", 0)
    picture = cv2.imread(str(folder / "tray.png"))
    measure_on(FakeCamera([CameraError(Fault.SILENT, "no picture for 2 s"), picture]), None)
    away, seen, _ = shown
    assert away == "no picture for 2 s"
    assert "\nsharpness " in seen
    assert "\nno mat in view" in seen


@pytest.mark.parametrize("size", [(80, 24), (40, 24), (200, 60)])
def test_live_the_picture_leaves_room_for_the_figures_and_what_to_do(
    folder: Path, size: tuple[int, int]
) -> None:
    picture = cv2.imread(str(folder / "tray.png"))
    shown = page(picture, measure(picture), 0.0, size, ["focus stays automatic, as it was told. " * 3])
    lines = shown.plain.splitlines()
    assert sum(-(-len(line) // size[0]) for line in lines) <= size[1]
    assert len(lines[0]) > size[0] // 4


def test_the_mat_is_looked_for_once_in_each_picture(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[np.ndarray] = []
    monkeypatch.setattr("vision.focus.find_mat", lambda image: looked.append(image) or find_mat(image))
    picture = cv2.imread(str(folder / "tray.png"))
    measure_on(FakeCamera([picture] * 3), folder / "marked.png")
    assert len(looked) == 3


def test_live_the_file_is_written_once_a_second(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Path] = []
    monkeypatch.setattr("companion.cli.dice_tray.write_out", lambda path, _data: written.append(path))
    picture, seconds = cv2.imread(str(folder / "tray.png")), 1.5
    monkeypatch.setattr("vision.cameras.fake.INTERVAL", seconds / 6)
    measure_on(FakeCamera([picture] * 6), folder / "marked.png")
    assert written == [folder / "marked.png"] * 2


def test_what_is_washed_out_is_red_in_the_file_and_in_the_terminal(folder: Path) -> None:
    lit, png = cv2.imread(str(folder / "tray.png")), folder / "marked.png"
    lit[:60, :80] = 255
    cv2.imwrite(str(folder / "tray.png"), lit)
    run("focus", "--camera", str(folder / "tray.png"), "--png", str(png))
    assert cv2.imread(str(png))[30, 40].tolist() == [0, 0, 255]
    assert "#ff0000 on #ff0000" in page(lit, measure(lit), 0.0, (80, 40)).markup


def test_with_the_mat_in_view_the_figures_tell_of_it_too() -> None:
    said = "sharpness 0.70, glare 1.0%, brightness 50%"
    assert numbers(Focus(0.7, 0.01, 0.5, None, None)) == said
    assert numbers(Focus(0.7, 0.01, 0.5, 0.4, 2.7)) == f"{said}, tray 40% of the picture, 2.7 pixels to a mm"


def test_each_live_picture_is_newer_than_the_one_before(folder: Path) -> None:
    asked: list[float] = []

    class Camera(FakeCamera):
        def frame(self, newer_than: float = 0.0) -> Frame:
            asked.append(newer_than)
            return super().frame(newer_than)

    measure_on(Camera([cv2.imread(str(folder / "tray.png"))] * 2), None)
    first, second, third = asked
    assert 0 == first < second < third


def test_in_a_terminal_one_picture_is_measured_where_one_was_asked_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = iter([cv2.imread(str(folder / "tray.png"))] * 2)
    camera = FakeCamera(script)
    monkeypatch.setattr("companion.cli.dice_tray.opened", lambda _: camera)
    terminal = SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("companion.cli.dice_tray.sys", terminal)
    assert run("focus", "--once").stdout.count("sharpness") == 1
    assert len(list(script)) == 1


def test_live_pictures_end_with_the_last_of_them(folder: Path) -> None:
    measure_on(FakeCamera([cv2.imread(str(folder / "tray.png"))]), folder / "marked.png")
    assert (folder / "marked.png").exists()


def test_focus_without_a_camera_ends_with_the_code_of_a_missing_device(tmp_path: Path) -> None:
    result = run("focus", "--camera", str(tmp_path / "nothing"))
    assert isinstance(result.exception, DeviceMissing)
    assert "no such device" in str(result.exception)


def test_live_the_picture_and_the_best_sharpness_so_far_are_shown(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("rich.live.Live.update", lambda _, text, *, refresh: shown.append(text.plain))
    picture = cv2.imread(str(folder / "tray.png"))
    measure_on(FakeCamera([picture, cv2.GaussianBlur(picture, (0, 0), 3)]), None)
    assert page(picture, measure(picture), 0.0, (80, 40)).plain.count("▀") == 64 * 24
    best = f"best sharpness {measure(picture).sharpness:.2f}"
    assert [best in text for text in shown] == [True, True, False]


def test_the_commands_are_listed_and_their_files_come_when_called() -> None:
    listed = run("--help").stdout
    assert all(name in listed for name in ("read", "mat", "focus"))
