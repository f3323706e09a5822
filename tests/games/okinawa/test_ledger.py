"""Every rule is claimed by a test, or lives on the table alone for a stated reason."""

from __future__ import annotations

from companion.games.okinawa import GAME
from tests.games import claims


def test_every_rule_is_claimed_or_physical_only() -> None:
    assert claims.unclaimed(GAME) == []


def test_no_claim_is_of_a_rule_that_does_not_exist() -> None:
    assert claims.unknown(GAME) == []


def test_nothing_is_both_claimed_and_excused() -> None:
    assert not set(claims.physical_only(GAME)) & claims.claimed()
