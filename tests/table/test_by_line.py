"""What the line to set a value tells of the state."""

from __future__ import annotations

import pytest

from companion.table.by_line import values_at

STATE = {
    "health": 4,
    "bag": [],
    "name": "a name that is longer than what is shown of lists",
    "row": [{"card": "A Rifle Squad", "damage": 0, "fog": 1}, {"card": "", "damage": 2, "fog": 0}],
}


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (
            "",
            [
                "health = 4",
                "bag = []",
                'name = "a name that is longer than what is shown of lists"',
                "row: 2 inside",
            ],
        ),
        ("health", ["health = 4"]),
        ("bag", ["bag = []"]),
        ("row", ["row.0: 3 inside", "row.1: 3 inside"]),
        ("row.1", ['row.1.card = ""', "row.1.damage = 2", "row.1.fog = 0"]),
        ("rov", ["There is no rov in the state, only: health, bag, name, row"]),
        ("row.2.fog", ["There is no 2 in row, only: 0, 1"]),
        ("health.most", ["There is no most in health, only: nothing"]),
    ],
)
def test_a_level_of_the_state_is_told_by_names_that_can_be_typed(path: str, told: list[str]) -> None:
    assert [*values_at(STATE, path)] == told
