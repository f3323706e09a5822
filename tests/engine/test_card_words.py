"""A record in words, where a game has no way of its own."""

import pytest

from companion.engine.card_words import in_words
from companion.engine.packs import Record


@pytest.mark.parametrize(
    ("record", "lines"),
    [
        (
            {
                "nodes": {
                    "mast": {"title": "Mast Foot", "outside": True, "needs": "climb 2", "links": ["a", "b"]},
                    "n1": {"title": "N1", "events": [], "links": ["mast"]},
                }
            },
            ["nodes:", "  mast (Mast Foot): outside; needs: climb 2; links: a, b", "  n1: links: mast"],
        ),
        (
            {"decks": {"us": {"scout_a": 2, "fog": 1}, "ge": {"fog": 3}, "nobody": {}}},
            ["decks:", "  us: scout a 2, fog 1", "  ge: fog 3"],
        ),
        (
            {"presence": [{"A": {"worm": 0}, "B": {"worm": 2}}, {"A": {"worm": 1}, "B": {}}]},
            ["presence:", "  B worm 2", "  A worm 1"],
        ),
        (
            {"ranges": [{"Set": "M"}, {"Set": "F"}], "lowest": 0},
            ["ranges:", "  0: Set M", "  1: Set F", "lowest: 0"],
        ),
        ({"goal": {"reach": ["a", "b"], "alone": True}}, ["goal: reach a, b, alone"]),
    ],
)
def test_a_record_reads_line_by_line(record: Record, lines: list[str]) -> None:
    assert in_words("thing", record) == ["thing", *lines]
