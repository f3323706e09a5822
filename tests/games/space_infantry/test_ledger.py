"""Every rule of the ledger is checked by a test."""

from __future__ import annotations

from companion.engine import ledger
from companion.games.space_infantry import GAME
from tests.games import claims


def test_every_rule_is_claimed_and_every_claim_is_a_rule() -> None:
    assert claims.unclaimed(GAME) == []
    assert claims.unknown(GAME) == []


def test_every_ruling_is_claimed_or_needs_no_test() -> None:
    left = {
        "SPI-R10": "cross references of the booklet",
        "SPI-R15": "what Command Points can't change asks for none",
        "SPI-R32": "the order of range modifiers shows only where the table ends",
        "SPI-R72": "spellings",
        "SPI-R73": "a team has one place in the state",
    }
    assert claims.unclaimed_rulings(GAME) == [*left]


def test_settings_name_rules_that_exist() -> None:
    known = {entry.id for entry in ledger.load(GAME.folder / "ledger.toml")}

    assert {rule for setting in GAME.settings for rule in setting.rule} <= known
