"""What holds for all tests: an example may take as long as a busy machine makes it, and clocks show UTC."""

import os
import time

from hypothesis import settings

settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
os.environ["TZ"] = "UTC"
time.tzset()
