"""Trays of dice drawn for the tests."""

import pytest

from vision.train.posed import Posed, tray


@pytest.fixture
def a_throw():
    """A picture of three pip dice: 3, 1 and 6."""
    return tray([Posed("d6", face, (150 + 150 * n, 200 + 40 * n), 25 * n) for n, face in enumerate("316")])
