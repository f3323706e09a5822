"""What holds for all tests: an example may take as long as a busy machine makes it, and clocks show UTC.

Nothing of whose machine it is counts: its box's settings, what its terminal can do, a proxy before 127.0.0.1.
"""

import gc
import os
import time

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

gc.disable()  # until all tests are collected: what that makes stays to the end

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
os.environ["TZ"] = "UTC"
time.tzset()
os.environ["COMPANION_CONFIG"] = "/nowhere/config.toml"
os.environ |= {"no_proxy": "*", "TERM": "xterm"}
for name in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR"):
    os.environ.pop(name, None)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling:
    """A file goes to one worker: one browser is started, and what its tests share is made once."""
    return LoadFileScheduling(config, log)
