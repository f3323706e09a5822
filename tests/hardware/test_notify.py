"""sd_notify: what the service manager hears, on a socket of our own."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest

from hardware.notify import ALIVE, READY, notify, watchdog_seconds

if TYPE_CHECKING:
    from pathlib import Path


def test_without_a_manager_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.setattr(socket, "socket", lambda *_: pytest.fail("nobody is there"))
    notify(READY)


@pytest.mark.parametrize("name", ["@companion@test", "{}/notify", "{}/user@1000"])
def test_the_manager_hears_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    address = name.format(tmp_path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind("\0" + address[1:] if address.startswith("@") else address)
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        notify(READY, ALIVE)
        assert manager.recv(100) == b"READY=1\nWATCHDOG=1"


def test_a_manager_that_is_gone_stops_no_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    notify(ALIVE)


@pytest.mark.parametrize(
    ("period", "owner", "seconds"),
    [
        ("5000000", None, 5.0),
        pytest.param("5000000", os.getpid(), 5.0, id="this process"),
        ("5000000", 1, None),
        ("", None, None),
        ("x", None, None),
    ],
)
def test_the_watchdog_is_ours_only_if_it_names_this_process(
    monkeypatch: pytest.MonkeyPatch, period: str, owner: int | None, seconds: float | None
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", period)
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    if owner is not None:
        monkeypatch.setenv("WATCHDOG_PID", str(owner))
    assert watchdog_seconds() == seconds
