"""Processor time of reading a picture, beside its lower bound: pytest tests/benchmarks/test_reading.py."""

from __future__ import annotations

from statistics import median
from time import process_time

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from vision import faces, sets
from vision.reader import Reader
from vision.train.posed import Posed, tray
from vision.train.render import Picture

pytestmark = pytest.mark.benchmark(timer=process_time)


@pytest.fixture(scope="module")
def frame() -> Picture:
    """Six pip dice in 1280x720."""
    dice = [Posed("d6", str(1 + n), (200 + 350 * (n % 3), 220 + 280 * (n // 3)), 25 * n) for n in range(6)]
    return tray(dice, size=(1280, 720))


def test_a_reading_beside_the_bare_networks(benchmark: BenchmarkFixture, frame: Picture) -> None:
    """Cutting, judging and all else takes no more than twice what the networks do themselves."""
    reader, pips = Reader(), sets.load("d6")
    assert len(reader.read(frame, pips).dice) == 6
    looks = [np.zeros((384, 640, 3), np.uint8), np.zeros((192, 320, 3), np.uint8)]
    crops = [np.zeros((faces.CROP, faces.CROP, 3), np.uint8)] * 6

    def networks_alone() -> None:
        for look in looks:
            reader.finder([look])
        reader.faces(crops)

    benchmark(reader.read, frame, pips)
    bare = []
    for _ in range(15):
        began = process_time()
        networks_alone()
        bare.append(process_time() - began)
    ratio = benchmark.stats["median"] / median(bare)
    benchmark.extra_info["times the bare networks"] = round(ratio, 2)
    assert ratio < 3
