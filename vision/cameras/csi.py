"""The Raspberry Pi's ribbon-cable camera, through rpicam-vid in a process of its own.

A process can be killed when it hangs, and needs none of the system's Python packages in ours.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import selectors
import shutil
import subprocess
import threading
import time
from typing import TYPE_CHECKING

import numpy as np

from vision.camera import CameraError, Fault
from vision.cameras.live import LiveCamera, Shot
from vision.jpeg import picture_end

if TYPE_CHECKING:
    from collections.abc import Sequence

SILENCE = 1.5
"""Seconds without a byte after which the process is taken to hang."""

STARTING = 10.0
"""Seconds that it gets for its first byte: it is read from a cold card, and lets its exposure settle."""

SETTLING = 8.0
"""Seconds that the still picture gets by which exposure is found."""

LONGEST_PICTURE = 8_000_000
"""Bytes: a stream with no end of picture in this many is no stream of pictures."""

LATENCY = 0.25
"""Seconds at most, as assumed, between an exposure and its picture's arrival through the pipe."""

SIZE_AND_RATE = ("--width", "1280", "--height", "720")
RPICAM_VID = (
    *("rpicam-vid", "-n", "-t", "0", *SIZE_AND_RATE),
    *("--framerate", "15", "--codec", "mjpeg", "-o", "-"),
)
RPICAM_STILL = (
    *("rpicam-still", "-n", "-t", "1200", *SIZE_AND_RATE),
    *("-o", os.devnull, "--metadata", "-", "--metadata-format", "json"),
)


def open_csi(
    *, video: Sequence[str] = RPICAM_VID, still: Sequence[str] = RPICAM_STILL, now: bool = False
) -> LiveCamera:
    """The ribbon-cable camera; the two commands can be replaced by any that behave alike.

    CameraError if it has to be there `now` and the command is not installed.
    """
    if now:
        _check_installed(video[0])
    programs = Programs()
    return LiveCamera("csi", lambda: PipeStream(video, still, programs), interrupt=programs.end)


def _check_installed(command: str) -> None:
    if shutil.which(command) is None:
        raise CameraError(Fault.MISSING, f"{command} is not installed: apt install rpicam-apps")


class Programs:
    """Runs a camera's programs, one at a time; `end` ends the one that runs, whoever waits for it, for good.

    So does the end of this program: one that hangs would keep the camera for ever.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._is_over = False
        atexit.register(self.end)

    def start(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start one that writes into a pipe; CameraError after the end."""
        with self._lock:
            if self._is_over:
                raise CameraError(Fault.MISSING, "camera csi was closed")
            self._running = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
            )
            return self._running

    def end(self) -> None:
        """End the one that runs, and start none any more."""
        atexit.unregister(self.end)
        with self._lock:
            self._is_over = True
            if self._running is not None:
                self._running.kill()


class PipeStream:
    """A process that writes JPEG pictures to its standard output."""

    def __init__(
        self, video: Sequence[str], still: Sequence[str] | None = None, programs: Programs | None = None
    ) -> None:
        _check_installed(video[0])
        programs = programs or Programs()
        locked = exposure_options(still, programs) if still else ()
        self.notes = () if locked or not still else ("camera csi: exposure stays automatic",)
        self._process = programs.start([*video, *locked])
        assert self._process.stdout is not None
        self._pipe = self._process.stdout
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._pipe, selectors.EVENT_READ)
        self._buffer = bytearray()
        self._patience = STARTING

    def read(self) -> Shot:
        """The newest whole picture of those that have arrived."""
        return self._decode(self._newest())

    def skip(self) -> None:
        """Let pictures go by undecoded."""
        self._newest()

    def close(self) -> None:
        """End the process, however it is."""
        self._selector.close()
        self._process.kill()
        self._process.wait()
        self._pipe.close()

    def _newest(self) -> bytes:
        while (end := picture_end(self._buffer)) is None:
            self._fill()
        while (following := picture_end(self._buffer, end)) is not None:
            del self._buffer[:end]
            end = following - end
        jpeg = bytes(self._buffer[:end])
        del self._buffer[:end]
        return jpeg

    def _fill(self) -> None:
        if not self._selector.select(timeout=self._patience):
            raise CameraError(Fault.SILENT, "camera csi sends no pictures: check its ribbon cable")
        data = self._pipe.read(1 << 20)
        if not data:
            raise CameraError(Fault.MISSING, "camera csi is gone: does rpicam-hello find it?")
        self._patience = SILENCE
        self._buffer += data
        if len(self._buffer) > LONGEST_PICTURE:
            raise CameraError(Fault.SILENT, "camera csi sends something that is not pictures")

    def _decode(self, jpeg: bytes) -> Shot:
        import cv2

        taken = time.monotonic() - LATENCY
        image = cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            raise CameraError(Fault.SILENT, "camera csi sends pictures that can't be decoded")
        return Shot(np.asarray(image, dtype=np.uint8), taken)


def exposure_options(still: Sequence[str], programs: Programs) -> tuple[str, ...]:
    """What automatic exposure, white balance and focus settle on, as options; none if it can't be told."""
    with contextlib.suppress(OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
        with programs.start(still) as process:
            try:
                told, _ = process.communicate(timeout=SETTLING)
            finally:
                process.kill()
        seen = json.loads(told)
        red, blue = seen["ColourGains"]
        return (
            *("--shutter", str(int(seen["ExposureTime"])), "--gain", f"{float(seen['AnalogueGain']):.3f}"),
            *("--awbgains", f"{float(red):.3f},{float(blue):.3f}"),
            *(("--lens-position", f"{float(seen['LensPosition']):.2f}") if "LensPosition" in seen else ()),
        )
    return ()
