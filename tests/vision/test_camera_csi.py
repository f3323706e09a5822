"""The ribbon-cable camera's pipe, with scripts in the place of rpicam-vid."""

import json
import os
import select
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera import CameraError, Fault
from vision.cameras.csi import LATENCY, PipeStream, Programs, exposure_options, open_csi
from vision.cameras.present import has_ribbon_camera
from vision.jpeg import picture_end

WORKER = """
    import sys, time
    import cv2, numpy as np
    random = np.random.default_rng(0)
    def send(count):
        for _ in range(count):
            image = random.integers(60, 200, (48, 64, 3), dtype=np.uint8)
            sys.stdout.buffer.write(cv2.imencode(".jpg", image)[1].tobytes())
            sys.stdout.buffer.flush()
            time.sleep(0.01)
"""


def worker(tmp_path: Path, ending: str) -> list[str]:
    script = tmp_path / "worker.py"
    script.write_text(textwrap.dedent(WORKER) + textwrap.dedent(ending))
    return [sys.executable, str(script)]


def options(still: list[str]) -> tuple[str, ...]:
    return exposure_options(still, Programs())


def test_pictures_come_out_of_the_pipe_newest_first(tmp_path: Path) -> None:
    stream = PipeStream(worker(tmp_path, "send(1000)"))
    first = stream.read()
    stream.skip()
    second = stream.read()
    assert second.taken <= time.monotonic() - LATENCY
    stream.close()
    assert first.image.shape == (48, 64, 3)
    assert second.taken > first.taken
    assert not np.array_equal(first.image, second.image)


def test_of_pictures_that_have_piled_up_the_newest_whole_one_is_taken_and_what_follows_is_kept(
    tmp_path: Path,
) -> None:
    jpegs = b"".join(
        cv2.imencode(".jpg", np.full((24, 32, 3), level))[1].tobytes() for level in (60, 120, 180)
    )
    (tmp_path / "first").write_bytes(jpegs[:-9])
    (tmp_path / "rest").write_bytes(jpegs[-9:])
    stream = PipeStream(["sh", "-c", f"cd {tmp_path}; cat first; sleep 0.2; cat rest; exec sleep 60"])
    levels = [stream.read().image.mean() for _ in range(2)]
    stream.close()
    assert levels == pytest.approx([120, 180], abs=2)


def test_a_picture_that_is_let_go_by_is_not_read_later(tmp_path: Path) -> None:
    for name, level in (("first", 60), ("second", 180)):
        (tmp_path / name).write_bytes(cv2.imencode(".jpg", np.full((24, 32, 3), level))[1].tobytes())
    stream = PipeStream(["sh", "-c", f"cd {tmp_path}; cat first; sleep 0.5; cat second; exec sleep 60"])
    stream.skip()
    level = stream.read().image.mean()
    stream.close()
    assert level == pytest.approx(180, abs=2)


def test_a_worker_that_ends_is_a_camera_that_is_gone(tmp_path: Path) -> None:
    stream = PipeStream(worker(tmp_path, "send(1)"))
    stream.read()
    with pytest.raises(CameraError, match="rpicam-hello") as caught:
        stream.read()
    stream.close()
    assert caught.value.fault is Fault.MISSING


def test_a_worker_that_hangs_is_noticed_and_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.cameras.csi.SILENCE", 0.2)
    hangs = r"trap '' TERM; echo $$ > worker; printf '\377\330'; sleep 2; touch ended"
    stream = PipeStream(["sh", "-c", f"cd {tmp_path}; {hangs}"])
    with pytest.raises(CameraError, match="ribbon cable") as caught:
        stream.read()
    stream.close()
    assert caught.value.fault is Fault.SILENT
    assert not (tmp_path / "ended").exists()
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "worker").read_text()), 0)


def test_a_worker_that_hangs_ends_with_the_program(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "open")
    program = f"""
        from vision.cameras import csi
        csi.SILENCE = 0.2
        stream = csi.PipeStream(["sh", "-c", "cd {tmp_path}; exec 3>open; printf x; exec sleep 20"])
        stream.read()
    """
    held = os.open(tmp_path / "open", os.O_RDONLY | os.O_NONBLOCK)
    command = [sys.executable, "-c", textwrap.dedent(program)]
    ended = subprocess.run(command, check=False, capture_output=True)
    assert b"ribbon cable" in ended.stderr
    assert select.select([held], [], [], 5)[0]  # nobody has it open any more
    os.close(held)


@pytest.mark.parametrize("hanging", ["video", "still"])
def test_a_program_that_hangs_from_its_start_on_ends_with_the_camera(tmp_path: Path, hanging: str) -> None:
    os.mkfifo(tmp_path / "open")
    programs = {"video": ["false"], "still": ["false"]}
    programs[hanging] = ["sh", "-c", f"exec 3>{tmp_path}/open; exec sleep 20"]
    camera = open_csi(**programs)
    held = os.open(tmp_path / "open", os.O_RDONLY)  # waits until it is started
    camera.close()
    assert select.select([held], [], [], 5)[0]  # nobody has it open any more
    os.close(held)


def test_once_a_cameras_programs_are_ended_none_is_started_any_more() -> None:
    """At the program's end the thread that measures the exposure would start the next, which stays behind."""
    programs = Programs()
    programs.end()
    with pytest.raises(CameraError, match="was closed"):
        programs.start(["true"]).wait()


def test_a_worker_that_is_slow_to_start_is_waited_for_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.cameras.csi.SILENCE", 0.5)
    stream = PipeStream(worker(tmp_path, "time.sleep(1)\nsend(1000)"))
    assert stream.read()
    stream.close()
    monkeypatch.setattr("vision.cameras.csi.STARTING", 0.2)
    silent = PipeStream(["sleep", "60"])
    with pytest.raises(CameraError, match="ribbon cable"):
        silent.read()
    silent.close()


def test_garbage_without_end_is_refused_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.cameras.csi.LONGEST_PICTURE", 100_000)
    stream = PipeStream(["sh", "-c", r"printf '\377\330\377\332'; head -c 300000 /dev/zero"])
    with pytest.raises(CameraError, match="not pictures"):
        stream.read()
    stream.close()


@pytest.mark.parametrize("content", [b"\xff\xd8\xff\xda\x00\x02\xff\xd9", b"\xff\xd8 no picture"])
def test_what_begins_like_a_picture_and_can_not_be_decoded_is_a_fault_at_once(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "picture").write_bytes(content)
    stream = PipeStream(["sh", "-c", f"cat {tmp_path}/picture; exec sleep 60"])
    with pytest.raises(CameraError, match="can't be decoded") as caught:
        stream.read()
    stream.close()
    assert caught.value.fault is Fault.SILENT


def test_a_machine_without_the_program_says_what_to_install() -> None:
    with pytest.raises(CameraError, match="apt install"):
        PipeStream(["no-such-rpicam-vid"])


@pytest.mark.parametrize(
    ("names", "there"),
    [
        (["unicam-image", "unicam-embedded", "bcm2835-codec-decode"], True),
        (["pispbe-input", "rp1-cfe-csi2_ch0"], True),
        (["bcm2835-codec-decode", "bcm2835-isp0-output0", "rpivid", "UVC Camera (046d:0825)"], False),
        ([], False),
    ],
)
def test_a_camera_on_the_ribbon_is_told_from_the_devices_that_every_pi_has(
    tmp_path: Path, names: list[str], there: bool
) -> None:
    for number, name in enumerate(names):
        device = tmp_path / f"video{number}"
        device.mkdir()
        (device / "name").write_text(f"{name}\n")
    assert has_ribbon_camera(tmp_path) is there


def test_a_device_that_is_gone_as_it_is_looked_at_is_no_camera(tmp_path: Path) -> None:
    (tmp_path / "video0" / "name").mkdir(parents=True)  # found, and not to be read
    assert not has_ribbon_camera(tmp_path)


def test_exposure_and_white_balance_are_passed_on_as_they_settled(tmp_path: Path) -> None:
    seen = {"ExposureTime": 9998, "AnalogueGain": 1.5, "ColourGains": [1.62, 2.1]}
    (tmp_path / "seen.json").write_text(json.dumps(seen))
    assert options(["cat", str(tmp_path / "seen.json")]) == (
        *("--shutter", "9998", "--gain", "1.500"),
        *("--awbgains", "1.620,2.100"),
    )
    (tmp_path / "seen.json").write_text(json.dumps({**seen, "LensPosition": 4.1}))
    assert options(["cat", str(tmp_path / "seen.json")])[-2:] == ("--lens-position", "4.10")
    (tmp_path / "seen.json").write_text(json.dumps(seen))
    video = ["sh", "-c", f'echo "$@" > {tmp_path}/said', "rpicam-vid"]
    stream = PipeStream(video, ["cat", str(tmp_path / "seen.json")])
    with pytest.raises(CameraError, match="is gone"):
        stream.read()
    stream.close()
    assert (tmp_path / "said").read_text() == "--shutter 9998 --gain 1.500 --awbgains 1.620,2.100\n"
    assert stream.notes == ()


@pytest.mark.parametrize(
    "still", [["false"], ["echo", "no json"], ["echo", "{}"], ["echo", "[]"], ["not there"]]
)
def test_where_it_can_not_be_told_what_exposure_settled_on_it_stays_automatic(still: list[str]) -> None:
    assert options(still) == ()


def test_a_program_that_hangs_as_exposure_settles_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.cameras.csi.SETTLING", 0.1)
    seen = '{"ExposureTime": 9998, "AnalogueGain": 1.5, "ColourGains": [1.62, 2.1]}'
    assert options(["sh", "-c", f"sleep 1; echo '{seen}'"]) == ()


def test_a_live_camera_over_the_pipe_hands_out_frames(tmp_path: Path) -> None:
    with open_csi(video=worker(tmp_path, "send(1000)"), still=["false"]) as camera:
        frame = camera.frame()
        later = camera.frame(frame.taken)
    assert later.taken > frame.taken
    assert camera.notes == ("camera csi: exposure stays automatic",)


def test_a_thumbnails_end_is_not_the_pictures_end() -> None:
    jpeg = cv2.imencode(".jpg", np.full((16, 16, 3), 99, np.uint8))[1].tobytes()
    thumbnail = b"\xff\xe1" + (2 + len(jpeg)).to_bytes(2) + jpeg
    picture = jpeg[:2] + thumbnail + jpeg[2:]
    assert picture_end(picture) == len(picture)
    assert picture_end(picture + jpeg) == len(picture)
    assert all(picture_end(picture[:cut]) is None for cut in range(len(picture)))
