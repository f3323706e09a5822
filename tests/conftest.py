"""What holds for all tests: an example may take as long as a busy machine makes it, and clocks show UTC.

Nothing of whose machine it is counts: its box's settings, what its terminal can do, a proxy before 127.0.0.1.
"""

import os
import time

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
os.environ["TZ"] = "UTC"
time.tzset()
os.environ["COMPANION_CONFIG"] = "/nowhere/config.toml"
os.environ |= {"no_proxy": "*", "TERM": "xterm"}
for name in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR"):
    os.environ.pop(name, None)
