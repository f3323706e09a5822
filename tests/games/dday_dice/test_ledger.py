"""What a group may read otherwise is an option."""

from __future__ import annotations

from companion.engine import ledger
from companion.games.dday_dice import GAME


def test_every_low_confidence_ruling_that_play_can_meet_is_an_option() -> None:
    rulings = ledger.load(GAME.folder / "ledger.toml").ruling
    low = {ruling.id for ruling in rulings if ruling.confidence == "low"}
    options = {rule for setting in GAME.settings for rule in setting.rule}

    assert low <= options
