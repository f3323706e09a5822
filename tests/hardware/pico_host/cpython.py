"""Runs the firmware on CPython, lending it what MicroPython's modules have more."""

import runpy
import sys
import time
import types

time.ticks_ms = lambda: int(time.monotonic() * 1000)
time.ticks_diff = lambda later, earlier: later - earlier
sys.modules["micropython"] = types.SimpleNamespace(kbd_intr=lambda code: None)
runpy.run_path(sys.argv[1], run_name="__main__")
