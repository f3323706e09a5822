"""Every rule of the ledger is checked by a test."""

from __future__ import annotations

from companion.games.flag_war import GAME
from tests.games import claims


def test_every_rule_is_claimed_and_every_claim_is_a_rule() -> None:
    assert claims.unclaimed(GAME) == []
    assert claims.unknown(GAME) == []


def test_every_ruling_is_claimed() -> None:
    assert claims.unclaimed_rulings(GAME) == []


def test_asks_name_rules_that_exist() -> None:
    from companion.engine import ledger

    known = {entry.id for entry in ledger.load(GAME.folder / "ledger.toml")}
    told = {rule for setting in GAME.settings for rule in setting.rule}
    assert told <= known
