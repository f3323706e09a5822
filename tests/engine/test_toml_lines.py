"""A pack that was edited by hand is mended where its error says."""

import pytest

from companion.engine.toml_lines import line_of

TEXT = """[pack]
game = "okinawa"

[enemy.A]
fog = 1
effects = [
  {effect = "fog"},
]
health = 2

[sector."omaha.1"]
row = 1
[enemy]
B.fog = 2
[[enemy.C.effects]]
amount = 3
torn =
[[enemy.C.effects]]
effect = "fog"
[enemy.D]
spaces = [
  [
    1
  ],
]
amount = 4
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        *(("enemy.A.health", 9), ("enemy.A.fog", 5), ("enemy.A.damage", 4), ("sector.omaha.1.row", 12)),
        *(("enemy.B.fog", 14), ("enemy.C.effects", 15), ("scenario.I", 0), ("enemy.A.effects", 6)),
        *(("enemy.C.effects.0.amount", 16), ("enemy.C.effects.1.effect", 19), ("enemy.C.effects.1.at", 18)),
        *(("enemy.A.effects.0.effect", 6), ("enemy.D.amount", 26)),
    ],
)
def test_a_field_is_found_or_the_header_that_it_would_be_below(path: str, line: int) -> None:
    assert line_of(TEXT, path) == line
