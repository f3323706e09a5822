"""Every rule is claimed by a test, or lives on the table alone for a stated reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import ledger
from companion.games.okinawa import GAME
from tests.games import claims


def test_every_rule_is_claimed_or_physical_only() -> None:
    assert claims.unclaimed(GAME) == []


def test_every_ruling_is_claimed() -> None:
    assert claims.unclaimed_rulings(GAME) == []


def test_no_claim_is_of_a_rule_that_does_not_exist() -> None:
    assert claims.unknown(GAME) == []


def test_nothing_is_both_claimed_and_excused() -> None:
    assert not set(claims.physical_only(GAME)) & claims.claimed()


def test_the_ledger_is_the_shared_one() -> None:
    shared = Path(__file__).parents[4] / "shared" / "rules" / "okinawa.toml"
    if not shared.exists():
        pytest.skip(f"{shared} is not here")
    assert (GAME.folder / "ledger.toml").read_bytes() == shared.read_bytes()


def test_a_player_reads_no_note_on_an_icon_that_the_text_had_lost() -> None:
    known = ledger.load(GAME.folder / "ledger.toml")
    assert not [rule.id for rule in known.rule if "icon lost" in rule.words]
    (sandbags,) = known.why(["OKI-216"])
    assert sandbags.words.endswith("several may be used on one attack.")
