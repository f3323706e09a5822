"""Every rule of the ledger is checked by a test; every id that an ask or an option names exists."""

from __future__ import annotations

import ast

from companion.engine import ledger
from companion.games.dday_dice import GAME
from tests.games import claims


def test_every_rule_is_claimed_and_every_claim_is_a_rule() -> None:
    assert claims.unclaimed(GAME) == []
    assert claims.unknown(GAME) == []


def test_every_ruling_is_claimed_or_needs_no_test() -> None:
    left = {
        "DDD-R06": "how many boards are in the box",
        "DDD-R08": "stars in the print of names",
        "DDD-R63": "nothing hides Awards or limits them",
    }
    assert claims.unclaimed_rulings(GAME) == [*left]


def test_every_id_in_the_code_is_in_the_ledger() -> None:
    known = {entry.id for entry in ledger.load(GAME.folder / "ledger.toml")}
    told = {rule for setting in GAME.settings for rule in setting.rule}
    for path in GAME.folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and node.value.startswith("DDD-")
            ):
                told.add(node.value)

    assert told <= known


def test_every_low_confidence_ruling_that_play_can_meet_is_an_option() -> None:
    rulings = ledger.load(GAME.folder / "ledger.toml").ruling
    low = {ruling.id for ruling in rulings if ruling.confidence == "low"}
    options = {rule for setting in GAME.settings for rule in setting.rule}

    assert low <= options
