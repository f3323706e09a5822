"""Every rule and ruling of a ledger is checked by a test, or needs none for a stated reason."""

from __future__ import annotations

import ast
import re

import pytest

from companion import games
from companion.engine import ledger
from companion.engine.game import Game
from tests.games import claims

UNTESTED = {
    "dday_dice": {
        "DDD-R06": "how many boards are in the box",
        "DDD-R08": "stars in the print of names",
        "DDD-R63": "nothing hides Awards or limits them",
    },
    "space_infantry": {
        "SPI-R10": "cross references of the booklet",
        "SPI-R15": "what Command Points can't change asks for none",
        "SPI-R73": "a team has one place in the state",
    },
    "undaunted": {"UND-R43": "only counts scenarios"},
}
"""Rulings that no test can check."""


@pytest.fixture(params=games.names())
def game(request: pytest.FixtureRequest) -> Game:
    return games.load(request.param)


def test_every_rule_is_claimed_or_physical_only(game: Game) -> None:
    assert claims.unclaimed(game) == []


def test_every_ruling_is_claimed_or_needs_no_test(game: Game) -> None:
    assert claims.unclaimed_rulings(game) == [*UNTESTED.get(game.name, ())]


def test_no_claim_is_of_a_rule_that_does_not_exist(game: Game) -> None:
    assert claims.unknown(game) == []


def test_nothing_is_both_claimed_and_excused(game: Game) -> None:
    assert not set(claims.physical_only(game)) & claims.claimed()


def test_every_id_in_the_code_is_in_the_ledger(game: Game) -> None:
    book = ledger.load(game.folder / "ledger.toml")
    told = {rule for setting in game.settings for rule in setting.rule}
    for path in game.folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and re.fullmatch(
                rf"{book.prefix}-[A-Z]*\d\d+", str(node.value)
            ):
                told.add(node.value)

    assert told
    assert told <= {entry.id for entry in book}
