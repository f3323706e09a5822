"""Processor time of reading a picture, beside its lower bound: pytest tests/benchmarks/test_reading.py."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from vision import Box, faces, sets, teach
from vision.network import Network
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
    benchmark(reader.read, frame, pips)
    assert times_the_bare_networks(benchmark, reader, [reader.glance]) < 3


def test_a_reading_of_taught_dice_beside_the_bare_networks(
    benchmark: BenchmarkFixture, tmp_path: Path
) -> None:
    """Holding six numerals against ten samples a face takes no longer than the networks themselves do."""
    spots = [(200 + 350 * (n % 3), 220 + 280 * (n // 3)) for n in range(6)]
    numerals = tray([Posed("d6num", str(1 + n), spot) for n, spot in enumerate(spots)], size=(1280, 720))
    for n, (x, y) in enumerate(spots * 10):
        at = Box(x - 35 + n // 6, y - 35, 70, 70)
        teach.keep(numerals, at, "d6num", None, str(1 + n % 6), set_folder=tmp_path / "d6num")
    reader, taught = Reader(), sets.load("d6num", tmp_path)
    assert sorted(str(die.face) for die in reader.read(numerals, taught).dice) == list("123456")
    benchmark(reader.read, numerals, taught)
    assert times_the_bare_networks(benchmark, reader, [reader.faces] * 2) < 3


def times_the_bare_networks(benchmark: BenchmarkFixture, reader: Reader, looks: list[Network]) -> float:
    """How often the networks alone could look at a frame and six dice in the median of what was measured."""
    scenes = [np.zeros((384, 640, 3), np.uint8), np.zeros((192, 320, 3), np.uint8)]
    crops = [np.zeros((faces.CROP, faces.CROP, 3), np.uint8)] * 6
    bare = []
    for _ in range(15):
        began = process_time()
        for scene in scenes:
            reader.finder([scene])
        for network in looks:
            network(crops)
        bare.append(process_time() - began)
    ratio = float(benchmark.stats["median"] / median(bare))
    benchmark.extra_info["times the bare networks"] = round(ratio, 2)
    return ratio
