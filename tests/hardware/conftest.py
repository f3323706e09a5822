import pytest

from tests.hardware.fakes import Bus, Message


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> Bus:
    smbus2 = pytest.importorskip("smbus2")
    bus = Bus()
    monkeypatch.setattr(smbus2, "SMBus", bus.smbus)
    monkeypatch.setattr(smbus2, "i2c_msg", Message)
    return bus
