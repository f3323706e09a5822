"""R18 in short: hundreds of answers at the box's devices leave threads, files and memory as they are."""

from __future__ import annotations

import statistics

from tests.longrun.box_turns import play


def test_turns_leave_nothing_behind_and_a_press_costs_under_ten_milliseconds() -> None:
    (before, after), spent = play(400, 40)
    assert after.threads <= before.threads
    assert after.files <= before.files
    assert after.memory < before.memory * 1.1
    assert statistics.median(spent) < 10
