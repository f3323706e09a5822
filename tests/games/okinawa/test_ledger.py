"""The ledger is the shared one, and a player can read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import ledger
from companion.games.okinawa import GAME


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
