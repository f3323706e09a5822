"""Every rule of the ledger is checked by a test."""

from __future__ import annotations

import re
from pathlib import Path

from companion.engine import ledger
from companion.games.undaunted import GAME
from tests.games import claims


def test_every_rule_is_claimed_and_every_claim_is_a_rule() -> None:
    assert claims.unclaimed(GAME) == []
    assert claims.unknown(GAME) == []


def test_asks_problems_and_settings_name_rules_that_exist() -> None:
    known = {entry.id for entry in ledger.load(GAME.folder / "ledger.toml")}
    named = {
        rule
        for path in Path(GAME.folder).glob("*.py")
        for rule in re.findall(r'"(UND-\w+)"', path.read_text(encoding="utf-8"))
    }
    assert named
    assert named <= known


def test_every_ruling_is_carried_out_by_a_test_or_needs_none() -> None:
    assert claims.unclaimed_rulings(GAME) == ["UND-R43"], "R43 only counts scenarios"
