"""R8 in a short form; `python -m tests.longrun.fuzz` is the long one."""

from pathlib import Path

import pytest

from tests.longrun.fuzz import TARGETS, fuzz


@pytest.mark.parametrize("name", TARGETS)
def test_r8_mangled_input_meets_only_declared_errors(name: str, tmp_path: Path) -> None:
    inputs = 60 if name == "journal" else 1500
    assert fuzz(name, inputs, seed=8, folder=tmp_path) < 64 * 1024
