"""In the lab's guest: USB cameras of a real kernel, pulled out, stalled, frozen and darkened (R10).

Prints one JSON object a step. Wants `vivid` as /dev/video0 and `v4l2loopback` as /dev/video9.
"""

import fcntl
import json
import struct
import subprocess
import threading
import time
from pathlib import Path

import numpy as np

from vision.camera import Camera, CameraError, open_camera

SIZE = (640, 480)
VIDIOC_S_FMT = 0xC0D05605
BUF_TYPE_VIDEO_OUTPUT, FIELD_NONE, COLORSPACE_SRGB = 2, 1, 8


class Feeder(threading.Thread):
    """Writes pictures to a loopback camera: noisy, the same again and again, black, or none."""

    def __init__(self, device: str) -> None:
        super().__init__(daemon=True)
        self.mode = "noisy"
        self._out = Path(device).open("wb", buffering=0)  # noqa: SIM115 - as long as the guest lives
        width, height = SIZE
        fourcc = int.from_bytes(b"YUYV", "little")
        pixels = (width, height, fourcc, FIELD_NONE, width * 2, width * height * 2, COLORSPACE_SRGB, 0)
        form = bytearray(struct.pack("<II8I", BUF_TYPE_VIDEO_OUTPUT, 0, *pixels).ljust(208, b"\0"))
        fcntl.ioctl(self._out, VIDIOC_S_FMT, form)
        self._noisy = [picture(seed, 100, 140) for seed in range(4)]
        self._black = [picture(seed, 16, 18) for seed in range(4)]

    def run(self) -> None:
        shown = 0
        while True:
            shown += 1
            match self.mode:
                case "noisy":
                    self._out.write(self._noisy[shown % 4])
                case "black":
                    self._out.write(self._black[shown % 4])
                case "frozen":
                    self._out.write(self._noisy[0])
            time.sleep(1 / 15)


def picture(seed: int, darkest: int, brightest: int) -> bytes:
    """Grey noise as YUYV."""
    luma = np.random.default_rng(seed).integers(darkest, brightest, SIZE[::-1])
    return np.stack([luma, np.full_like(luma, 128)], axis=-1).astype(np.uint8).tobytes()


def until(camera: Camera, step: str, *, works: bool, limit: float = 30.0) -> None:
    """Look again and again until the camera works, or no longer does; print how long that took."""
    started = time.monotonic()
    while time.monotonic() < started + limit:
        asked = time.monotonic()
        try:
            frame = camera.frame(newer_than=asked)
            seen = {"works": True, "age": round(time.monotonic() - frame.taken, 2), "size": frame.image.shape}
        except CameraError as error:
            seen = {"works": False, "fault": error.fault, "message": str(error)}
        if seen["works"] == works:
            break
        time.sleep(0.05)
    print(json.dumps({"step": step, "after": round(time.monotonic() - started, 2), **seen}), flush=True)


def pulled_out() -> None:
    """A camera that is disconnected and comes back."""
    with open_camera("0") as camera:
        until(camera, "opened", works=True)
        time.sleep(6.5)
        until(camera, "looked at after idling", works=True)
        subprocess.run(["v4l2-ctl", "-d", "/dev/video0", "-c", "disconnect=1"], check=True)
        until(camera, "pulled out", works=False)
        until(camera, "plugged in", works=True)


def misbehaving() -> None:
    """A camera that stays and sends nothing useful."""
    feeder = Feeder("/dev/video9")
    feeder.start()
    with open_camera("/dev/video9") as camera:
        until(camera, "fed", works=True)
        for mode in ("stalled", "frozen", "black"):
            feeder.mode = mode
            time.sleep(0.1)
            until(camera, mode, works=False)
            feeder.mode = "noisy"
            until(camera, f"after {mode}", works=True)


if __name__ == "__main__":
    pulled_out()
    misbehaving()
