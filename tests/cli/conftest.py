"""Commands as a player types them, and what they say."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.cli import run

Says = Callable[..., str]


@pytest.fixture
def says(capsys: pytest.CaptureFixture[str]) -> Says:
    """Run a command that has to succeed; what it alone says."""

    def said(*arguments: object) -> str:
        capsys.readouterr()
        assert run([str(one) for one in arguments]) == 0
        return capsys.readouterr().out

    return said


@pytest.fixture
def refuses(capsys: pytest.CaptureFixture[str]) -> Says:
    """Run a command that has to be refused; why, as it says on standard error."""

    def refused(*arguments: object) -> str:
        capsys.readouterr()
        assert run([str(one) for one in arguments]) == 2
        return capsys.readouterr().err

    return refused


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data directory of commands that name none."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Programs that a test starts hear Ctrl-C; they inherit that nohup ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
