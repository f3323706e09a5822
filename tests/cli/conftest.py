"""Commands as a player types them, and what they say."""

from collections.abc import Callable

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
