"""Measuring wants the machine to itself: beside other tests (pytest -n) it is left out, and said to be."""

import pytest


@pytest.fixture(autouse=True)
def alone(worker_id: str) -> None:
    if worker_id != "master":
        pytest.skip("measures only what runs by itself: pytest tests/benchmarks")
