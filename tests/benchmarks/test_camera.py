"""Processor time of what happens to each picture of a camera: pytest tests/benchmarks/test_camera.py."""

from __future__ import annotations

from itertools import count
from time import process_time

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from vision.camera import Frame
from vision.cameras.live import Inspector
from vision.focus import measure
from vision.settle import Settler
from vision.tray import find_mat

pytestmark = pytest.mark.benchmark(timer=process_time)


@pytest.fixture
def pictures() -> list[np.ndarray]:
    """Noisy pictures of 1280x720."""
    random = np.random.default_rng(0)
    return [random.integers(80, 120, (720, 1280, 3), dtype=np.uint8) for _ in range(4)]


def test_following_the_tray_for_one_frame(benchmark: BenchmarkFixture, pictures: list[np.ndarray]) -> None:
    settler, numbers = Settler(), count()

    def see() -> None:
        number = next(numbers)
        settler.see(Frame(pictures[number % 4], number / 15))

    benchmark(see)


def test_looking_for_faults_of_one_frame(benchmark: BenchmarkFixture, pictures: list[np.ndarray]) -> None:
    inspector, numbers = Inspector(), count()
    benchmark(lambda: inspector.fault(pictures[next(numbers) % 4]))


def test_finding_the_mat(benchmark: BenchmarkFixture, pictures: list[np.ndarray]) -> None:
    benchmark(find_mat, pictures[0])


def test_measuring_a_picture(benchmark: BenchmarkFixture, pictures: list[np.ndarray]) -> None:
    benchmark(measure, pictures[0])
