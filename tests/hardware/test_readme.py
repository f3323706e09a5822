"""The wiring table and picture say what the program does."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from companion.table.config import Config

HERE = Path(__file__).parents[2] / "hardware"


def table() -> dict[str, tuple[int, int]]:
    """BCM number and header pin by name."""
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \| (\d+) \|", (HERE / "README.md").read_text(), re.MULTILINE)
    return {name.strip(): (int(bcm), int(pin)) for name, bcm, pin in rows}


def test_the_table_names_the_pins_of_the_default_settings() -> None:
    wired = {name: bcm for name, (bcm, _) in table().items()}
    keys = Config().buttons
    assert [wired[f"button {name}"] for name in ("UP", "DOWN", "OK", "BACK")] == [
        keys.up,
        keys.down,
        keys.ok,
        keys.back,
    ]
    assert wired["lamp"] == Config().lamp.lamp


def test_every_bcm_number_stands_beside_its_pin_of_the_header() -> None:
    pytest.importorskip("gpiozero")
    from gpiozero.pins.mock import MockFactory

    header = MockFactory().board_info.headers["J8"]
    for name, (bcm, pin) in table().items():
        assert header.pins[pin].name == f"GPIO{bcm}", name


def test_the_picture_is_sound_and_names_every_part() -> None:
    words = "".join(ET.parse(HERE / "wiring.svg").getroot().itertext())
    assert all(
        word in words for word in ["SDA", "SCL", "UP", "DOWN", "OK", "BACK", "encoder", "LED", "Buzzer"]
    )


def drawn() -> dict[int, str]:
    """The box at the other end of each header pin's wire, by its corner in the picture."""
    picture = (HERE / "wiring.svg").read_text()
    boxes = re.findall(r'<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)" rx="6"', picture)
    ends = {}
    for left, top, path in re.findall(r'd="M(421|499) (\d+) ([^"]+)"', picture):
        pin = 2 * ((int(top) - 60) // 27) + (1 if left == "421" else 2)
        x, y = int(re.findall(r"H(\d+)", path)[-1]), int(re.findall(r"V(\d+)", path)[-1])
        for corner in boxes:
            at_x, at_y, width, height = map(int, corner)
            if x in (at_x, at_x + width) and at_y < y < at_y + height:
                ends[pin] = f"{at_x} {at_y}"
    return ends


def test_each_part_has_the_ground_in_the_table_that_the_picture_draws() -> None:
    ends = drawn()
    rows = re.findall(
        r"^\| ([^|]+) \| \d+ \| (\d+) \|.* GND, pin (\d+)", (HERE / "README.md").read_text(), re.MULTILINE
    )
    assert [name for name, pin, ground in rows if ends[int(pin)] != ends[int(ground)]] == []
    assert {name.strip() for name, _, _ in rows} >= {
        "button UP",
        "button DOWN",
        "button OK",
        "button BACK",
        "lamp",
    }
